"""Lines of print: ranges of numbers stay whole, and page numbers of a list stand at the right edge of the text; notes stay with marks."""

from __future__ import annotations

import subprocess
from pathlib import Path

from pdf_words import words
from scidraft.build import build
from scidraft.note import Task

STATEMENTS = """
::: {.theorem #thm-a title="Euler"}
A.
:::

::: {.theorem #thm-b title="A long name of a theorem that goes on and on and on so that its line must be broken at least once"}
B.
:::

::: {.theorem #thm-c}
C.
:::
"""


def _made(folder: Path, text: str) -> Path:
    (folder / "note.md").write_text(f"---\ntitle: Lines\n---\n\n{text}\n{STATEMENTS}")
    tally = build([folder / "note.md"], Task(folder, ("pdf",)), jobs=1)
    assert (tally.failed, tally.messages) == (0, 0)
    return folder / "note.pdf"


def test_a_range_is_never_broken_after_its_dash(tmp_path: Path) -> None:
    filled = "a short word or two " * 4
    text = "\n\n".join(f"{'x' * count} {filled}by [@thm-a; @thm-b; @thm-c] it is so." for count in range(24))
    found = words(_made(tmp_path, text))
    assert sum(word.text == "1–3" for word in found) == 24
    assert not [word.text for word in found if word.text.endswith("–")]


def test_page_numbers_of_a_list_end_at_the_right_edge(tmp_path: Path) -> None:
    found = words(_made(tmp_path, "::: {.list-of-statements}\n:::"))
    edges = [round(word.right, 1) for word in found if word.text == "1" and word.left > 400]
    assert edges == [477.6] * 3


def test_a_footnote_stays_on_the_page_of_its_mark(tmp_path: Path) -> None:
    """Room for the second of four lines, without which none may be there, is not made by moving the note of the first."""
    four_lines = "The words of a paragraph that has four lines. " * 7
    for lines in range(34, 44):
        (tmp_path / "n.md").write_text("Marked.^[The note.]\n\n" + "Line.\n\n" * lines + four_lines)
        assert build([tmp_path / "n.md"], Task(tmp_path, ("pdf",))).messages == 0
        first = subprocess.check_output(["pdftotext", "-l", "1", tmp_path / "n.pdf", "-"], text=True)
        assert "The note." in first, lines
