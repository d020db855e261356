"""Reads numbers back from a PDF: the words that stand where its named places are. Uses poppler's programs."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from pathlib import Path

from scidraft.readback import SOME_NUMBER, shown

#: How to get the programs.
INSTALL = "apt-get install -y --no-install-recommends poppler-utils"
_PLACE = re.compile(r"^\s*(\d+) \[ XYZ\s+(\S+)\s+(\S+)\s+\S+\s*\] \"(.*)\"$", re.MULTILINE)
_PAGE = re.compile(r"<page width=\"[\d.]+\" height=\"([\d.]+)\">(.*?)</page>", re.DOTALL)
_WORD = re.compile(r"<word xMin=\"(\S+)\" yMin=\"(\S+)\" xMax=\"(\S+)\" yMax=\"(\S+)\">(.*?)</word>")


def missing() -> bool:
    """Whether poppler's programs are not there."""
    return not (shutil.which("pdfinfo") and shutil.which("pdftotext"))


@dataclass(frozen=True)
class Row:
    """A row of words of a page; `middle` is its distance from the page's top, in points."""

    middle: float
    words: list[str]

    @cached_property
    def text(self) -> str:
        """Its words."""
        return " ".join(self.words)


class Printed:
    """The rows of a PDF and its named places."""

    def __init__(self, pdf: bytes, right: float = float("inf")) -> None:
        """What begins further than `right` points from the left edge, such as notes beside the text, is passed by.

        Raises OSError when poppler is missing, CalledProcessError when it cannot read the file.
        """
        with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
            Path(file.name).write_bytes(pdf)
            pages = _run("pdftotext", "-bbox", file.name, "-")
            places = _run("pdfinfo", "-dests", file.name)
        self.pages: list[list[Row]] = []
        heights = []
        for height, words in _PAGE.findall(pages):
            heights.append(float(height))
            self.pages.append(_rows(words, right))
        self.places: dict[str, tuple[int, float]] = {}
        for page, _, y, name in _PLACE.findall(places):
            # Poppler gives whole points.
            self.places[name] = (int(page) - 1, heights[int(page) - 1] - float(y) - 1)

    def below(self, name: str, distance: float = 0) -> list[Row]:
        """The rows from so many points below a named place to the end of the next page; none when there is no such place."""
        if name not in self.places:
            return []
        page, y = self.places[name]
        following = self.pages[page + 1] if page + 1 < len(self.pages) else []
        return [row for row in self.pages[page] if row.middle >= y + distance] + following

    def label(self, name: str, label: str, number: str) -> str | None:
        """The number in the first row from a place on that has a label such as `label`, in which `number` is to be."""
        before = label.replace("’", "'").rpartition(number)[0]
        pattern = re.compile(_spaced(before) + r"(?:\s+|(?=\d)|(?<!\w))(?=\S)", re.IGNORECASE)
        whole = re.compile(_spaced(number) + r"(?![0-9A-Za-z]|\.[0-9A-Za-z])")
        # A figure's place may be a page before its caption, or at its foot.
        rows = self.below(name) + self.pages[self.places[name][0]] if name in self.places else []
        # In a footnote the note's mark comes first.
        for find in (pattern.match, pattern.search):
            for match in filter(None, (find(row.text) for row in rows)):
                rest = match.string[match.end() :]
                return number if whole.match(rest) else shown(rest.split()[0], number)
        return None

    def heading(self, name: str, number: str) -> str | None:
        """The number in the row at a place: its first word, or the second after a word such as "Chapter"."""
        rows = self.below(name)
        if not rows:
            return None
        first, *others = rows[0].words
        alone = first == number or SOME_NUMBER.fullmatch(first)
        return shown(first if alone else " ".join((first, *others[:1])), number)

    def equation(self, name: str, wanted: str, line: int = 0) -> str | None:
        """The number at the margin of the display at a place, as it is printed, "(1)"; `line` counts its numbered lines."""
        numbers: list[str] = []
        # In a narrow display the place of a line is level with the line above.
        for row in self.below(name, 3):
            margins = (row.words[-1], row.words[0])
            numbers += [wanted] if wanted in margins else [word for word in margins if is_plain(word)][:1]
            if len(numbers) > line:
                return numbers[line]
        return None


def is_plain(number: str) -> bool:
    """Whether the number of an equation can be told from other words: letters and digits in parentheses."""
    return re.fullmatch(r"\([\w.]+\)", number) is not None


def _rows(words: str, right: float) -> list[Row]:
    """The words of a page in rows, from the top; words whose middles are as good as level, and raised ones, are of one row."""
    placed = [(float(left), float(top), float(bottom), unescape(word)) for left, top, _, bottom, word in _WORD.findall(words)]
    placed = [word for word in placed if word[0] < right]
    rows: list[list[tuple[float, float, float, str]]] = []
    for word in sorted(placed, key=_middle):
        if rows and _middle(word) - _middle(rows[-1][0]) < max(4, 0.4 * (word[2] - word[1])):
            rows[-1].append(word)
        else:
            rows.append([word])
    return [Row(max(map(_middle, row)), [word[3].replace("’", "'") for word in sorted(row)]) for row in rows]


def _middle(word: tuple[float, float, float, str]) -> float:
    return (word[1] + word[2]) / 2


def _spaced(text: str) -> str:
    """A pattern for words, whatever the space between them."""
    return r"\s*".join(re.escape(part) for part in text.split())


def _run(*command: str) -> str:
    return subprocess.run(command, capture_output=True, check=True).stdout.decode(errors="replace")
