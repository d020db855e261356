"""The order of the letters in each language, for sorting an index."""

from __future__ import annotations

import unicodedata
from functools import cache

from scidraft.tables import table as shipped_table

#: In a key, what stands behind its letter comes after every other sign.
_BEHIND = "\U0010ffff"
#: Letters that are two.
_TWO = ("ch",)


def sort_key(text: str, language: str) -> tuple[str, str]:
    """What `text` is sorted by in a language: its letters; marks that make no letter of their own and capitals count last.

    Signs that are no letters, such as those of TeX, do not count.
    """
    own = _letters(language)
    signs = "".join(sign for sign in unicodedata.normalize("NFC", text.casefold()) if sign.isalnum() or sign.isspace())
    rest = " ".join(signs.split())
    key = ""
    while rest:
        letter = rest[:2] if rest[:2] in own else rest[0]
        base = "".join(part for part in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(part))
        key += own.get(letter, base)
        rest = rest[len(letter) :]
    return key, text


@cache
def _letters(language: str) -> dict[str, str]:
    """The keys of a language's own letters."""
    tables = shipped_table("alphabets.yaml")
    letters: dict[str, str] = {}
    for base, behind in tables.get(language.replace("_", "-").split("-")[0].lower(), {}).items():
        for place, letter in enumerate([behind] if behind in _TWO else behind, 1):
            letters[letter] = base + _BEHIND * place
    return letters
