"""How text, ids and signs are spelt in LaTeX."""

from __future__ import annotations

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\u00a0": "~",
    **{sign: "\\" + sign for sign in "&%$#_{}"},
}

#: Signs that end proofs and other statements: text fonts do not have them, amssymb has.
_SIGNS = {
    "□": "square",
    "■": "blacksquare",
    "∎": "blacksquare",
    "◁": "triangleleft",
    "▷": "triangleright",
    "◀": "blacktriangleleft",
    "▶": "blacktriangleright",
    "△": "triangle",
    "▲": "blacktriangle",
    "▽": "triangledown",
    "▼": "blacktriangledown",
    "◇": "lozenge",
    "◊": "lozenge",
    "◆": "blacklozenge",
    "⋄": "diamond",
    "○": "circ",
    "●": "bullet",
    "★": "bigstar",
    "♠": "spadesuit",
    "♣": "clubsuit",
}


def escape(text: str) -> str:
    """Text as LaTeX."""
    return "".join(_ESCAPES.get(sign, sign) for sign in text)


def end_sign(text: str) -> str:
    """A sign at the end of a statement as LaTeX."""
    return "".join(f"\\ensuremath{{\\{_SIGNS[sign]}}}" if sign in _SIGNS else escape(sign) for sign in text)


def label(identifier: str) -> str:
    """An id as a LaTeX label, spelt as pandoc's LaTeX writer spells those of headings and figures (its function toLabel)."""
    safe = (sign if sign.isascii() and (sign.isalnum() or sign in "_-+=:;.") else f"ux{ord(sign):x}" for sign in identifier)
    return "".join(safe)
