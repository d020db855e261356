"""Mends a fault of WeasyPrint 70.0 in breaking lines.

A run of text that fits its line but for the space at its end, before a formula or a link, is taken for one that is too long:
its first word is hyphenated, and a line of one half word stands alone. `split_first_line` is private, so WeasyPrint is pinned.
"""

from __future__ import annotations

from functools import wraps
from math import inf
from typing import Any


def mend() -> None:
    """Replace WeasyPrint's line splitter by one that asks again without the last space; once per process."""
    from weasyprint.layout import inline

    if not hasattr(inline.split_first_line, "__wrapped__"):
        inline.split_first_line = _forgiving(inline.split_first_line)


def _forgiving(split: Any) -> Any:
    @wraps(split)
    def split_first_line(text: str, style: Any, context: Any, max_width: float | None, *rest: Any, **named: Any) -> Any:
        result = split(text, style, context, max_width, *rest, **named)
        resume_at, width = 2, 3
        if result[resume_at] is not None and text.endswith(" ") and max_width is not None:
            bare = split(text.rstrip(" "), style, context, max_width, *rest, **named)
            if bare[resume_at] is None and bare[width] <= max_width:
                return split(text, style, context, inf, *rest, **named)
        return result

    return split_first_line
