"""The words of lists in each language, and the order of its alphabet."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import Any

import yaml

from scidraft.paths import DATA

#: In a key, what is behind its letter comes after every other sign.
_BEHIND = "\U0010ffff"


def list_word(key: str, language: str) -> str:
    """The word `see` or `used-in` of a language; a sign that needs no language where there is none."""
    word: str = _table(language).get(key) or {"see": "→", "used-in": "←"}[key]
    return word


def sort_key(text: str, language: str) -> tuple[str, str]:
    """What `text` is sorted by: letters as the language orders them, capitals and marks that make no letter last of all."""
    own = _letters(language)
    key = ""
    rest = "".join(sign for sign in text.casefold() if sign.isalnum() or sign.isspace() or unicodedata.combining(sign))
    rest = unicodedata.normalize("NFC", rest).strip()
    while rest:
        letter = next((letter for letter in (rest[:2], rest[:1]) if letter in own), None)
        if letter:
            key += own[letter]
        else:
            letter = rest[0]
            key += "".join(part for part in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(part))
        rest = rest[len(letter) :]
    return key, text


@cache
def _letters(language: str) -> dict[str, str]:
    letters: dict[str, str] = {}
    for base, own in _table(language).get("letters", {}).items():
        for place, letter in enumerate([own] if own == "ch" else own, 1):
            letters[letter] = base + _BEHIND * place
    return letters


def _table(language: str) -> dict[str, Any]:
    tables = _tables()
    base = language.replace("_", "-").split("-")[0].lower()
    return tables.get(language) or tables.get(base) or {}


@cache
def _tables() -> dict[str, dict[str, Any]]:
    tables: dict[str, dict[str, Any]] = yaml.safe_load((DATA / "lists.yaml").read_text(encoding="utf-8"))
    return tables
