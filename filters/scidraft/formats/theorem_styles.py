"""Styles of statements for LaTeX: what \\newtheoremstyle, tcolorbox and the end marks are told, from the same data as the CSS."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scidraft.formats.spelling import end_sign, escape
from scidraft.kinds import Style

_FONTS = {"bold": "\\bfseries", "italic": "\\itshape", "smallcaps": "\\scshape", "sans": "\\sffamily"}

#: The marks of a head that amsthm's own styles have.
_USUAL = (" (", ")", ".")


def theorem_styles(
    declared: Iterable[Mapping[str, object]], styles: Mapping[str, Style], marks: Mapping[str, str]
) -> list[dict[str, str]]:
    """The styles to define: those amsthm does not have, and all that are used where the language has marks of its own."""
    usual = (marks["open"], marks["close"], marks["stop"]) == _USUAL
    used = dict.fromkeys(styles[str(entry["style"])] for entry in declared)
    return [_theorem_style(style, marks, usual) for style in used if not (usual and style.known_to_amsthm)]


def _theorem_style(style: Style, marks: Mapping[str, str], usual: bool) -> dict[str, str]:
    edge = "0pt" if style.boxed else ""
    return {
        "name": style.name,
        "above": style.space_above or edge,
        "below": style.space_below or edge,
        "body": "\\itshape" if style.body == "italic" else "",
        "indent": style.indent or "",
        "head": head_font(style.head) + (f"\\color{rgb(style.ink.light)}" if style.ink else ""),
        "stop": marks["stop"] if style.punctuation is None else escape(style.punctuation),
        "after": "\\newline" if style.own_line else "5pt plus 1pt minus 1pt" if usual else "1em",
        # As in amsthm's own styles, figures stand upright in an italic head.
        "number": "\\upshape" if "italic" in style.head else "",
        "open": marks["open"],
        "close": marks["close"],
    }


def head_font(fonts: Sequence[str]) -> str:
    """The commands that switch to the fonts of a head."""
    return "".join(_FONTS[font] for font in fonts) or "\\normalfont"


def proof_style(style: Style) -> dict[str, str] | None:
    """What the author's style of proofs is in LaTeX; None while it is amsthm's own."""
    if not style.changed:
        return None
    return {
        "head": head_font(style.head),
        "body": "\\itshape" if style.body == "italic" else "\\upshape",
        "stop": "\\@addpunct{.}" if style.punctuation is None else escape(style.punctuation),
        "space": style.space_above or "6\\p@\\@plus6\\p@",
        "indent": style.indent or "",
        "after": "\\mbox{}\\newline" if style.own_line else "",
    }


def boxes(declared: Iterable[Mapping[str, object]], styles: Mapping[str, Style]) -> list[dict[str, str]]:
    """The environments that get a frame or a bar, and their colours as red, green and blue for xcolor."""
    found: list[dict[str, str]] = []
    for entry in declared:
        style = styles[str(entry["style"])]
        if style.boxed:
            box = {
                "shape": style.boxed,
                "frame": rgb(style.frame.light if style.frame else "#000000"),
                "fill": rgb(style.fill.light) if style.fill else "",
            }
            found += [{"environment": name, **box} for name in environments(entry)]
    return found


def rgb(colour: str) -> str:
    """A colour #rrggbb as an expression of xcolor."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"{{rgb,255:red,{red};green,{green};blue,{blue}}}"


def end_signs(declared: Iterable[Mapping[str, object]], styles: Mapping[str, Style]) -> list[dict[str, str]]:
    """The environments that end with a sign, and the sign."""
    marked = [(entry, mark) for entry in declared if (mark := styles[str(entry["style"])].end_mark)]
    return [{"environment": name, "sign": end_sign(mark)} for entry, mark in marked for name in environments(entry)]


def environments(entry: Mapping[str, object]) -> list[str]:
    """The environments that are declared for an entry: with and without a number, as they are used."""
    name = str(entry["environment"])
    return [*([name] if entry["numbered"] else []), *([f"{name}*"] if entry["starred"] else [])]
