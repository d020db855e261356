"""Lines of print: ranges stay whole, page numbers of a list end at the edge, footnotes and end marks stay with their words."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("end", ["end.", "$x^2$.", "$x^2$", "(see *it*)."])
def test_an_end_mark_is_never_alone_on_its_line(end: str, tmp_path: Path) -> None:
    """Whatever room the last line has: the last word comes along, and the mark stands at the right edge."""
    filled = "We show how the mark stands beside the last word of a text that fills its line as far as it goes "
    proofs = "".join(f"\n::: proof\n{filled}{'a b ' * (count // 4)}{'x' * (count % 4)} {end}\n:::\n" for count in range(32))
    (tmp_path / "n.md").write_text(f"---\ntitle: Marks\nscidraft: {{qed-symbol: QED}}\n---\n{proofs}")
    assert build([tmp_path / "n.md"], Task(tmp_path, ("pdf",))).messages == 0
    found = words(tmp_path / "n.pdf")
    marks = [word for word in found if word.text == "QED"]
    assert len(marks) == 32
    for mark in marks:
        beside = [word for word in found if word.page == mark.page and abs(word.bottom - mark.bottom) < 4 and word is not mark]
        assert beside
        assert max(word.right for word in beside) < mark.left - 5
        assert round(mark.right) == 477
