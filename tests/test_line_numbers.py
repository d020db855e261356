"""Numbers beside the lines of scidraft's own PDF: right, in the margin, and no part of the tagged text."""

from __future__ import annotations

from pathlib import Path

import pikepdf
import pytest

from pdf_words import Word, words
from scidraft import pdf
from scidraft.build import build
from scidraft.messages import Messages
from scidraft.note import Task
from scidraft.printing.linenumbers import ASKED

LATIN = "Lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna. "
NOTE = f"""---
title: Lines
abstract: One line of abstract.
{{metadata}}
---

# Heading

{LATIN * 30}^[A note has no number.]

$$ a = b $$ {{{{#eq-a}}}}

{LATIN * 30}

| a | b |
|---|---|
| 1 | 2 |

- {LATIN * 2}

{LATIN * 6}
"""


def printed(folder: Path, metadata: str) -> Path:
    (folder / "note.md").write_text(NOTE.format(metadata=metadata))
    tally = build([folder / "note.md"], Task(folder, ("pdf",)), jobs=1)
    assert (tally.failed, tally.messages) == (0, 0)
    return folder / "note.pdf"


def beside(path: Path, left: float, right: float) -> list[Word]:
    """The numbers in the margin, in the order of reading."""
    found = [word for word in words(path) if word.text.isdigit() and (word.right < left or word.left > right)]
    return sorted(found, key=lambda word: (word.page, word.left > right, word.bottom))


def numbers(path: Path, left: float, right: float) -> list[int]:
    return [int(word.text) for word in beside(path, left, right)]


@pytest.mark.parametrize(
    ("metadata", "left", "right"),
    [
        ("line-numbers: true", 117, 480),
        ("scidraft: {variants: {note: {line-numbers: true}}}", 117, 480),
        ("line-numbers: true\ncolumns: 2", 52, 544),
    ],
)
def test_the_lines_are_counted_in_the_order_they_are_read(metadata: str, left: float, right: float, tmp_path: Path) -> None:
    path = printed(tmp_path, metadata)
    found = numbers(path, left, right)
    assert found == list(range(1, len(found) + 1)) and len(found) > 60


def test_each_line_of_text_has_its_number_and_tables_and_notes_have_none(tmp_path: Path) -> None:
    path = printed(tmp_path, "line-numbers: true")
    margin = beside(path, 117, 480)

    def has_number(text: str) -> bool:
        here = next(word for word in words(path) if word.text == text)
        return any(number.page == here.page and abs(number.bottom - here.bottom) < 4 for number in margin)

    assert all(has_number(text) for text in ("abstract.", "Heading", "(1)", "Lorem", "•"))
    assert not any(has_number(text) for text in ("Lines", "Abstract", "has"))


def test_the_numbers_are_artifacts(tmp_path: Path) -> None:
    with pikepdf.open(printed(tmp_path, "line-numbers: true")) as opened:
        for page in opened.pages:
            depth: list[str] = []
            inside: list[str] = []
            for instruction in pikepdf.parse_content_stream(page):
                operator = str(instruction.operator)
                if operator in ("BDC", "BMC"):
                    depth.append(str(instruction.operands[0]))
                elif operator == "EMC":
                    depth.pop()
                elif operator == "TJ":
                    inside.append(depth[-1] if depth else "")
            assert "" not in inside  # PDF/UA: all content is tagged or an artifact
            assert inside.count("/Artifact") > 10


def test_without_the_setting_nothing_is_in_the_margin(tmp_path: Path) -> None:
    assert numbers(printed(tmp_path, "lang: en"), 117, 480) == []


def test_a_pdf_whose_lines_cannot_be_counted_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(*_: object) -> None:
        raise AttributeError

    monkeypatch.setattr("scidraft.printing.linenumbers.number", fail)
    report = Messages()
    page = f"<html lang=en><head><title>t</title>{ASKED}</head><body><main><p>Text</p></main></body></html>"
    assert pdf.write(page, tmp_path, report).startswith(b"%PDF")
    assert [message.text for message in report] == [
        "the lines of the PDF are not counted: this version of WeasyPrint is not the one that scidraft knows"
    ]
