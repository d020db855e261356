"""Where the words of a PDF stand, as pdftotext finds them."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import NamedTuple

_WORD = re.compile(r'xMin="([\d.]+)" yMin="[\d.]+" xMax="([\d.]+)" yMax="([\d.]+)">(.*)</word>')


class Word(NamedTuple):
    """A word on its page, its edges in points from the page's upper left corner."""

    page: int
    left: float
    right: float
    bottom: float
    text: str


def words(pdf: Path) -> list[Word]:
    """All words of a PDF."""
    page, found = 0, []
    text = subprocess.run(["pdftotext", "-bbox", str(pdf), "-"], capture_output=True, check=True, text=True).stdout
    for line in text.splitlines():
        page += "<page " in line
        if match := _WORD.search(line):
            found.append(Word(page, float(match[1]), float(match[2]), float(match[3]), match[4]))
    return found
