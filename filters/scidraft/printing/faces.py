"""Brings the font of signs to printed pages that have signs their text faces lack."""

from __future__ import annotations

import io
import re
from functools import cache
from pathlib import Path

from fontTools.ttLib import woff2

from scidraft.engines.cache import directory
from scidraft.engines.typefaces import print_face, signs_of
from scidraft.files import digest_of, write_atomically
from scidraft.paths import ASSETS

#: As print.css names it.
FAMILY = "SD Signs"
_TAG = re.compile(r"<[^>]*>")


def with_signs(page: str) -> str:
    """The page with the font of signs, if its words have any that one of the text faces lacks: loading it takes time."""
    signs = next((file.path for file in print_face().files if file.family == FAMILY), None)
    if signs is None:
        return page
    # Most pages are done after the first look, which takes in the words of pictures and of descriptions.
    if not _lacking(page) or not _lacking(_TAG.sub("", page)) & signs_of(signs):
        return page
    rule = f'@font-face {{ font-family: "{FAMILY}"; src: url("{_unpacked(signs).as_uri()}"); }}'
    return page.replace("</head>", f"<style>{rule}</style></head>", 1)


def _lacking(text: str) -> set[int]:
    return set(map(ord, set(text))) - _everywhere()


@cache
def _everywhere() -> frozenset[int]:
    """The signs that all the faces of print.css have, and those that are not shown."""
    files = [*(ASSETS / "fonts").glob("cmu-*.ttf")]
    return frozenset(set.intersection(*(set(signs_of(path)) for path in files)) | {9, 10, 13}) if files else frozenset()


@cache
def _unpacked(path: Path) -> Path:
    """A font file as WeasyPrint would unpack it for each document, which takes it a second; kept in the cache."""
    folder = directory()
    if folder is None:
        return path
    kept = folder / f"{path.stem}-{digest_of(path)}.ttf"
    if not kept.is_file():
        content = io.BytesIO()
        woff2.decompress(str(path), content)
        try:
            write_atomically(kept, content.getvalue())
        except OSError:
            return path
    return kept
