"""Mends a fault of WeasyPrint 70.0 in the words of pictures: it sets letter by letter, so that Hebrew runs backwards, Arabic
letters do not join, and accents stand beside their letters. `weasyprint.svg` is private, so WeasyPrint is pinned.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import wraps
from typing import Any

#: The places of letters one by one, which an author's picture may give.
_PLACES = ("x", "y", "dx", "dy", "rotate")


class _Whole(str):
    """A text that is one letter to those who go over its letters."""

    __slots__ = ()

    def __iter__(self) -> Iterator[str]:
        yield str(self)


def mend() -> None:
    """Replace what draws the words of pictures by one that leaves such words whole; once per process."""
    from weasyprint import svg

    if hasattr(svg.text, "__wrapped__"):
        return
    plain, whole = svg.text, _drawing_whole(svg.text)
    svg.text = whole
    svg.TAGS.update({tag: whole for tag, draw in svg.TAGS.items() if draw is plain})


def _drawing_whole(draw: Any) -> Any:
    @wraps(draw)
    def text(picture: Any, node: Any, font_size: float) -> Any:
        placed = any(len(node.get(name, "").replace(",", " ").split()) > 1 for name in _PLACES)
        spaced = node.get("letter-spacing") or node.get("textLength")
        if node.text and not placed and not spaced and any(map(_depends, node.text)):
            node._etree_node.text = _Whole(node.text)
        return draw(picture, node, font_size)

    return text


def _depends(letter: str) -> bool:
    """Whether a letter's form or place depends on those beside it."""
    return unicodedata.bidirectional(letter) in ("R", "AL", "NSM") or unicodedata.category(letter) in ("Mn", "Mc")
