"""Numbers as Roman numerals and as letters."""

from __future__ import annotations

_ROMAN = {"m": 1000, "cm": 900, "d": 500, "cd": 400, "c": 100, "xc": 90, "l": 50, "xl": 40, "x": 10}
_ROMAN |= {"ix": 9, "v": 5, "iv": 4, "i": 1}


def roman(number: int) -> str:
    """A positive number as a small Roman numeral."""
    mark = ""
    for sign, value in _ROMAN.items():
        count, number = divmod(number, value)
        mark += sign * count
    return mark


def letters(number: int) -> str:
    """A positive number as small letters: a, b, …, z, aa, ab, …"""
    mark = ""
    while number > 0:
        number, letter = divmod(number - 1, 26)
        mark = chr(ord("a") + letter) + mark
    return mark
