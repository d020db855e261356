"""The printed page: paper, letters and columns, as pandoc's metadata name them, and the measures that follow.

The LaTeX template has the same measures, so that lines are as long in both PDFs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from scidraft import messages
from scidraft.messages import Messages

Paper = Literal["a4", "a5", "b5", "letter"]
#: Those that both LaTeX's classes and style sheets know.
PAPERS: tuple[Paper, ...] = ("a4", "a5", "b5", "letter")

#: Size and leading of letters in points, by the names of print.css. They are those of LaTeX's size10.clo, size11.clo and
#: size12.clo: normalsize, small, footnotesize, scriptsize, large, Large and LARGE; code is 7/8 of the text.
_LETTERS: Mapping[int, Mapping[str, tuple[float, float]]] = {
    10: {
        "text": (10, 12),
        "small": (9, 11),
        "note": (8, 9.5),
        "raised": (7, 0),
        "large": (12, 14),
        "larger": (14.4, 17),
        "title": (17.28, 21.6),
        "code": (8.8, 10.6),
        "running": (9, 11),
    },
    11: {
        "text": (10.95, 13.6),
        "small": (10, 12),
        "note": (9, 11),
        "raised": (8, 0),
        "large": (12, 14.5),
        "larger": (14.4, 17),
        "title": (17.3, 21.6),
        "code": (9.6, 11.6),
        "running": (9.5, 11.4),
    },
    12: {
        "text": (12, 14.5),
        "small": (10.95, 13.6),
        "note": (10, 12),
        "raised": (8, 0),
        "large": (14.4, 17.5),
        "larger": (17.28, 20.5),
        "title": (20.74, 25),
        "code": (10.5, 12.6),
        "running": (10.5, 12.6),
    },
}
SIZES = tuple(_LETTERS)

#: Points of the text: those of article for one column; two columns share what A4 and US Letter both have room for.
_WIDTHS = {10: 345.0, 11: 360.0, 12: 390.0}
_TWO_COLUMNS = 490.0
GAP = 20.0
#: For notes beside the text: their width, their distance from it, and what is left at the outer and the inner edge.
_SIDES: Mapping[str, tuple[float, float, float, float]] = {
    "a4": (128, 16, 36, 58),
    "letter": (128, 16, 38, 64),
    "b5": (104, 13, 26, 34),
    "a5": (86, 11, 20, 28),
}
_PAPER_WIDTHS = {"a4": 595.28, "letter": 612.0, "b5": 498.9, "a5": 419.53}
_NARROW_PAPERS = {"a5": 345.0, "b5": 390.0}


@dataclass(frozen=True)
class Page:
    """What a note's PDF is set on: the paper, the size of the letters in points, as LaTeX rounds it, and the columns."""

    paper: Paper = "a4"
    size: int = 11
    columns: int = 1
    side_notes: bool = False

    @property
    def width(self) -> float:
        """The width of the text in points."""
        if self.side_notes:
            return min(_WIDTHS[self.size], float(round(_PAPER_WIDTHS[self.paper] - sum(_SIDES[self.paper]))))
        return min(_TWO_COLUMNS if self.columns == 2 else _WIDTHS[self.size], _NARROW_PAPERS.get(self.paper, _TWO_COLUMNS))

    @property
    def column(self) -> float:
        """The width of a column in em of the text."""
        width = (self.width - GAP) / 2 if self.columns == 2 else self.width
        return width / self.letters["text"][0]

    @property
    def beside(self) -> tuple[float, float, float]:
        """The width of notes beside the text, their distance from it, and the margin on the other side of the text."""
        width, gap, edge, _ = _SIDES[self.paper]
        return width, gap, round(_PAPER_WIDTHS[self.paper] - self.width - width - gap - edge, 1)

    @property
    def end_of_text(self) -> float:
        """How far from the left edge of the paper, in points, notes beside the text may begin; inf where there are none."""
        if not self.side_notes:
            return float("inf")
        _, gap, edge = self.beside
        return edge + self.width + gap / 2

    @property
    def letters(self) -> Mapping[str, tuple[float, float]]:
        """Sizes and leadings by the names that print.css has for them."""
        return _LETTERS[self.size]


def read_page(meta: Mapping[str, Any], report: Messages, side_notes: bool = False) -> Page:
    """The page that `papersize`, `fontsize`, `columns` or `classoption: twocolumn` ask for, with notes beside the text or not.

    What cannot be used is told to `report` and left at its default.
    """
    paper = str(meta.get("papersize") or "a4").lower()
    if paper not in PAPERS:
        report.add(messages.settings.bad_value("papersize", meta["papersize"], "one of " + ", ".join(PAPERS)))
        paper = "a4"
    letters = str(meta.get("fontsize") or "11pt").lower().removesuffix("pt").strip()
    size = int(letters) if letters.isdigit() else 0
    if size not in SIZES:
        wanted = "one of " + ", ".join(f"{known}pt" for known in SIZES)
        report.add(messages.settings.bad_value("fontsize", meta["fontsize"], wanted))
        size = 11
    options = meta.get("classoption") or []
    options = options if isinstance(options, list) else str(options).split(",")
    usual = 2 if "twocolumn" in (str(option).strip() for option in options) else 1
    columns = str(meta.get("columns") or usual)
    if columns not in ("1", "2"):
        report.add(messages.settings.bad_value("columns", columns, "1 or 2"))
        columns = str(usual)
    if side_notes and columns == "2":
        report.add(messages.settings.no_room_for_side_notes())
        columns = "1"
    return Page(cast(Paper, paper), size, int(columns), side_notes)
