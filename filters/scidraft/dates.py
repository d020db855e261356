"""Dates as a page shows them: "20 April 2026", "20. April 2026", "20 avril 2026"."""

from __future__ import annotations

import datetime

from babel import Locale, UnknownLocaleError
from babel.dates import format_date


def long_date(text: str, language: str) -> str:
    """A date written as 2026-04-20 in the long form of `language` (a tag such as "en-GB"); anything else as it is.

    The forms are those of the Unicode CLDR; a language it does not know gets the date as written.
    """
    try:
        date = datetime.date.fromisoformat(text.strip())
        return format_date(date, "long", Locale.parse(language.replace("_", "-"), sep="-"))
    except (ValueError, UnknownLocaleError):
        return text
