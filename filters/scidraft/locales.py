"""What a page needs to know of a locale: how it writes dates ("20 April 2026", "20 avril 2026"), and in which direction."""

from __future__ import annotations

import datetime

from babel import Locale, UnknownLocaleError
from babel.dates import format_date


def is_right_to_left(language: str) -> bool:
    """Whether a language is written from right to left, as the CLDR has it."""
    try:
        return bool(Locale.parse(language.replace("_", "-"), sep="-").text_direction == "rtl")
    except (ValueError, UnknownLocaleError):
        return False


def long_date(text: str, language: str) -> str:
    """A date written as 2026-04-20 in the long form of `language` (a tag such as "en-GB"); anything else as it is.

    The forms are those of the Unicode CLDR; a language it does not know gets the date as written.
    """
    try:
        date = datetime.date.fromisoformat(text.strip())
        return format_date(date, "long", Locale.parse(language.replace("_", "-"), sep="-"))
    except (ValueError, UnknownLocaleError):
        return text
