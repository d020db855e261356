"""The page of a note's PDF: paper, letters and columns, which print and LaTeX take from the same metadata."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pikepdf
import pytest

from pdf_words import words
from scidraft.build import build
from scidraft.messages import Messages
from scidraft.note import Task
from scidraft.page import Page, read_page

WORDS = " ".join(["Lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt"] * 40)
NOTE = f"""---
title: A page
{{metadata}}
---

# First

{WORDS}

$$ a + b + c + d + e + f + g + h + i + j + k + l + m = n + o + p + q + r + s + t + u + v + w + x + y + z $$ {{{{#eq-long}}}}

{WORDS}

|  a |  b |
|---:|---:|
|  1 |  2 |

: A table. {{{{#tbl-a}}}}

| one word | two words | more words | {{{{-}}}} |
|:---------|:----------|:-----------|:------|
| 1        | 2         | 3          | 4     |

: A wide table. {{{{#tbl-wide .wide}}}}
"""


def printed(tmp_path: Path, metadata: str, engine: str = "") -> Path:
    note = tmp_path / "note.md"
    note.write_text(NOTE.format(metadata=metadata))
    tally = build([note], Task(tmp_path / (engine or "print"), ("pdf",), engine=engine), jobs=1)
    assert (tally.failed, tally.messages) == (0, 0)
    return tmp_path / (engine or "print") / "note.pdf"


def edges(pdf: Path) -> tuple[float, float]:
    """How far the text of the first page's full lines reaches."""
    latin = [word for word in words(pdf) if word.page == 1 and word.text.lower() in WORDS.lower().split()]
    return min(word.left for word in latin), max(word.right for word in latin)


@pytest.mark.parametrize("engine", ["", "pdflatex"])
@pytest.mark.parametrize(
    ("metadata", "paper", "width"),
    [
        ("fontsize: 10pt", (595, 842), 345),
        ("papersize: letter", (612, 792), 360),
        ("fontsize: 12pt\npapersize: letter", (612, 792), 390),
        ("columns: 2\nfontsize: 10pt", (595, 842), 490),
        ("classoption: [twocolumn]\npapersize: letter", (612, 792), 490),
    ],
)
def test_print_and_latex_have_the_same_page(
    metadata: str, paper: tuple[int, int], width: int, engine: str, tmp_path: Path
) -> None:
    pdf = printed(tmp_path, metadata, engine)
    with pikepdf.open(pdf) as opened:
        assert [float(edge) for edge in opened.pages[0].mediabox[2:]] == pytest.approx(paper, abs=1)
    left, right = edges(pdf)
    # A point of TeX's is smaller than one of PDF's; print keeps to the latter.
    assert right - left == pytest.approx(width, abs=3)
    assert (left + right) / 2 == pytest.approx(paper[0] / 2, abs=3)


def test_letters_have_the_size_that_is_asked_for(tmp_path: Path) -> None:
    def leading(metadata: str) -> float:
        first = [word for word in words(printed(tmp_path, metadata)) if word.page == 1 and word.text == "ipsum"]
        lines = sorted({round(word.bottom, 1) for word in first})
        return min(b - a for a, b in pairwise(lines) if b - a > 1)

    assert [leading(f"fontsize: {size}") for size in ("10pt", "11pt", "12pt")] == pytest.approx([12, 13.6, 14.5], abs=0.2)


def test_formulas_are_broken_to_fit_their_column(tmp_path: Path) -> None:
    pdf = printed(tmp_path, "columns: 2")
    found = words(pdf)
    number = next(word for word in found if word.text == "(1)")
    column = 235
    left = 53 if number.right < 298 else 308
    assert number.right == pytest.approx(left + column, abs=2)


def test_a_wide_table_goes_over_both_columns(tmp_path: Path) -> None:
    for engine in ("", "pdflatex"):
        found = words(printed(tmp_path, "columns: 2\nfontsize: 10pt", engine))
        caption = [word for word in found if word.text == "wide"]
        assert (caption[0].left + caption[0].right) / 2 == pytest.approx(595 / 2, abs=30)


def test_what_cannot_be_set_is_told() -> None:
    report = Messages()
    assert read_page({"papersize": "foolscap", "fontsize": "14pt", "columns": "3"}, report) == Page()
    assert [message.text for message in report] == [
        "`papersize` cannot be `foolscap`: it should be one of a4, a5, b5, letter; the default is used",
        "`fontsize` cannot be `14pt`: it should be one of 10pt, 11pt, 12pt; the default is used",
        "`columns` cannot be `3`: it should be 1 or 2; the default is used",
    ]


def test_pages_of_metadata() -> None:
    report = Messages()
    assert read_page({"classoption": "twocolumn,fleqn"}, report) == Page(columns=2)
    assert read_page({"classoption": ["twocolumn"], "columns": 1}, report) == Page()
    assert read_page({"papersize": "Letter", "fontsize": 12}, report) == Page("letter", 12)
    assert not len(report)
