"""Ids and marks as pandoc makes them: of headings, and of the items of lists."""

from __future__ import annotations

import re

import panflute as pf

_NUMERALS = {"m": 1000, "cm": 900, "d": 500, "cd": 400, "c": 100, "xc": 90, "l": 50, "xl": 40, "x": 10}
_NUMERALS |= {"ix": 9, "v": 5, "iv": 4, "i": 1}


def heading_identifier(words: str) -> str:
    """The id that pandoc's extension auto_identifiers gives a heading of these words."""
    kept = re.sub(r"[^\w\s.-]", "", words.lower())
    return re.sub(r"^[^a-z]*?(?=[^\W\d_])", "", re.sub(r"\s+", "-", kept.strip()))


def item_mark(ordered: pf.OrderedList, number: int) -> str:
    """The mark of an item as a reference gives it, in parentheses: "(ii)", "(b)", "(3)"."""
    style = ordered.style
    mark = _roman(number) if style.endswith("Roman") else _letters(number) if style.endswith("Alpha") else str(number)
    return f"({mark.upper() if style.startswith('Upper') else mark})"


def _roman(number: int) -> str:
    mark = ""
    for letters, value in _NUMERALS.items():
        count, number = divmod(number, value)
        mark += letters * count
    return mark


def _letters(number: int) -> str:
    mark = ""
    while number > 0:
        number, letter = divmod(number - 1, 26)
        mark = chr(ord("a") + letter) + mark
    return mark
