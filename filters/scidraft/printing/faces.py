"""Brings the font of signs to printed pages that have signs their text faces lack."""

from __future__ import annotations

import re
from functools import cache

from scidraft.engines.typefaces import on_disk, print_face
from scidraft.fontfiles import letters_of
from scidraft.paths import ASSETS

#: As print.css names it.
FAMILY = "SD Signs"
_TAG = re.compile(r"<[^>]*>")


def with_signs(page: str) -> str:
    """The page with the font of signs, if its words have any that one of the text faces lacks: loading it takes time."""
    signs = next((file for file in print_face().files if file.family == FAMILY), None)
    if signs is None:
        return page
    # Most pages are done after the first look, which takes in the words of pictures and of descriptions.
    if not _lacking(page) or not _lacking(_TAG.sub("", page)) & letters_of(signs.path):
        return page
    rule = f'@font-face {{ font-family: "{FAMILY}"; src: url("{on_disk(signs).as_uri()}"); }}'
    return page.replace("</head>", f"<style>{rule}</style></head>", 1)


def _lacking(text: str) -> set[int]:
    return set(map(ord, set(text))) - _everywhere()


@cache
def _everywhere() -> frozenset[int]:
    """The signs that all the faces of print.css have, and those that are not shown."""
    files = [*(ASSETS / "fonts").glob("cmu-*.ttf")]
    return frozenset(frozenset.intersection(*(letters_of(path) for path in files)) | {9, 10, 13}) if files else frozenset()
