"""Draws the signs that end statements for print: the text face has none of them, and no other face may slip in."""

from __future__ import annotations

from urllib.parse import quote

_OUTLINES = {
    "□": "M1 1H9V9H1Z",
    "◁": "M9 1V9L1 5Z",
    "▷": "M1 1V9L9 5Z",
    "△": "M5 1L9 9H1Z",
    "▽": "M5 9L9 1H1Z",
    "◇": "M5 .5L9.5 5L5 9.5L.5 5Z",
    "○": "M1 5A4 4 0 0 1 9 5A4 4 0 0 1 1 5Z",
    "☆": "M5 .6L6.2 4H9.7L6.9 6.1L7.9 9.5L5 7.4L2.1 9.5L3.1 6.1L.3 4H3.8Z",
}
_FILLED = {"■": "□", "∎": "□", "◀": "◁", "▶": "▷", "▲": "△", "▼": "▽", "◆": "◇", "●": "○", "★": "☆"}
_ALIKE = {"◊": "◇", "⋄": "◇", "♦": "◆", "⧫": "◆"}


def drawing(sign: str) -> str | None:
    """A picture of `sign` as a data URL; None for a sign that is not drawn."""
    sign = _ALIKE.get(sign, sign)
    path = _OUTLINES.get(_FILLED.get(sign, sign))
    if path is None:
        return None
    fill = "black" if sign in _FILLED else "none"
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" width="10" height="10">'
        f'<path d="{path}" fill="{fill}" stroke="black" stroke-width=".6" stroke-linejoin="round"/></svg>'
    )
    return "data:image/svg+xml," + quote(svg)
