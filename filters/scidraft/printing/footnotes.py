"""Keeps footnotes on the pages of their marks, where WeasyPrint 70.0 would rather save a line.

When a paragraph may not be broken before its second line, and that line has no room, WeasyPrint makes room by moving footnotes of
the page to the next one, even those of earlier paragraphs and those with `footnote-policy: line`, which forbids it: see
https://www.w3.org/TR/css-gcpm-3/#footnote-policy. `_linebox_layout` is private, so WeasyPrint is pinned.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any


@contextmanager
def kept() -> Iterator[None]:
    """Break pages earlier in the place of moving footnotes, as long as this lasts. Raises as `justification.ours` does."""
    from weasyprint.layout import block

    own = block._linebox_layout
    block._linebox_layout = _keeping(own)
    try:
        yield
    finally:
        block._linebox_layout = own


def _keeping(lay_out: Any) -> Any:
    @wraps(lay_out)
    def _linebox_layout(context: Any, *rest: Any) -> Any:
        # Only footnotes that are still to come, or are on this page already, can be moved.
        moves = context.footnotes or context.current_page_footnotes
        return lay_out(_AsInColumn(context) if moves else context, *rest)

    return _linebox_layout


class _AsInColumn:
    """The layout's context, in which lines are broken as in columns, where no footnote is moved; all else is as it was."""

    in_column = True

    def __init__(self, context: Any) -> None:
        object.__setattr__(self, "_context", context)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._context, name, value)
