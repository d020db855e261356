"""What exercises are worth: reading `points=5`, and saying "5 points" in a language."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from scidraft.tables import table as shipped_table

NBSP = "\u00a0"


def read_points(text: str) -> Decimal | None:
    """The number an author wrote, with a point or a comma; None when it is none or below 0."""
    try:
        number = Decimal(text.strip().replace(",", "."))
    except InvalidOperation:
        return None
    return number if number.is_finite() and number >= 0 else None


def said_points(number: Decimal, language: str) -> str | None:
    """ "5 points", "2,5 Punkte": the number as `language` writes it and the word in its form; None when the word is not known."""
    base = language.replace("_", "-").split("-")[0].lower()
    forms: dict[str, str] | None = shipped_table("points.yaml").get({"no": "nb"}.get(base, base))
    if forms is None:
        return None
    # Babel takes longer to load than a note to read; few notes have points.
    from babel import Locale, UnknownLocaleError
    from babel.numbers import format_decimal

    try:
        locale = Locale.parse(base)
        written, form = format_decimal(number, "0.###", locale), locale.plural_form(number)
    except (ValueError, UnknownLocaleError):
        written, form = str(number), "other"
    word = forms.get(form, forms["other"])
    return word.replace("{}", written).replace(" ", NBSP) if "{}" in word else f"{written}{NBSP}{word.replace(' ', NBSP)}"
