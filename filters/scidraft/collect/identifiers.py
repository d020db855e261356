"""Ids and marks as pandoc makes them: of headings, and of the items of lists."""

from __future__ import annotations

import re

import panflute as pf

from scidraft.numerals import letters, roman


def heading_identifier(words: str) -> str:
    """The id that pandoc's extension auto_identifiers gives a heading of these words."""
    kept = re.sub(r"[^\w\s.-]", "", words.lower())
    return re.sub(r"^[^a-z]*?(?=[^\W\d_])", "", re.sub(r"\s+", "-", kept.strip()))


def item_mark(ordered: pf.OrderedList, number: int) -> str:
    """The mark of an item as a reference gives it, in parentheses: "(ii)", "(b)", "(3)"."""
    style = ordered.style
    mark = roman(number) if style.endswith("Roman") else letters(number) if style.endswith("Alpha") else str(number)
    return f"({mark.upper() if style.startswith('Upper') else mark})"
