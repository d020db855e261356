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
        "head": head_font(style.head),
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
    """The environments that get a frame, and its colour as red, green and blue for xcolor."""
    found: list[dict[str, str]] = []
    for entry in declared:
        style = styles[str(entry["style"])]
        if style.boxed:
            digits = (style.frame or "#000000")[1:]
            red, green, blue = (int(digits[i : i + 2], 16) for i in (0, 2, 4))
            colour = f"red,{red};green,{green};blue,{blue}"
            found += [{"environment": name, "rgb": colour} for name in environments(entry)]
    return found


def end_signs(declared: Iterable[Mapping[str, object]], styles: Mapping[str, Style]) -> list[dict[str, str]]:
    """The environments that end with a sign, and the sign."""
    marked = [(entry, mark) for entry in declared if (mark := styles[str(entry["style"])].end_mark)]
    return [{"environment": name, "sign": end_sign(mark)} for entry, mark in marked for name in environments(entry)]


def environments(entry: Mapping[str, object]) -> list[str]:
    """The environments that are declared for an entry: with and without a number, as they are used."""
    name = str(entry["environment"])
    return [*([name] if entry["numbered"] else []), *([f"{name}*"] if entry["starred"] else [])]
