"""Dates and directions of writing, as a page shows them."""

from __future__ import annotations

import pytest

from scidraft.locales import is_right_to_left, long_date


@pytest.mark.parametrize(
    ("language", "shown"),
    [
        ("en-GB", "20 April 2026"),
        ("en", "April 20, 2026"),
        ("de-CH", "20. April 2026"),
        ("fr", "20 avril 2026"),
        ("zh", "2026年4月20日"),
        ("xx", "2026-04-20"),
    ],
)
def test_a_date_in_the_long_form_of_the_language(language: str, shown: str) -> None:
    assert long_date("2026-04-20", language) == shown


@pytest.mark.parametrize("text", ["Spring 2026", "2026-13-40", "20 April 2026"])
def test_what_is_no_iso_date_stays_as_it_is(text: str) -> None:
    assert long_date(text, "en") == text


def test_languages_that_are_written_from_right_to_left() -> None:
    languages = ("en", "he", "ar-EG", "fa", "ru", "xx")
    assert [language for language in languages if is_right_to_left(language)] == ["he", "ar-EG", "fa"]
