"""Lines of print: ranges stay whole, page numbers of a list end at the edge, footnotes and end marks stay with their words."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path

import pytest

from pdf_words import Word, words
from scidraft.build import build
from scidraft.note import Task
from scidraft.printing import justification

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


PROSE = (
    "Every paragraph of this note is broken into lines that are chosen together, so that none of them is much looser than the "
    "others; a formula such as $x_1 + x_2 + x_3 = y_1 + y_2$ may end a line after its relation, but only where nothing else helps"
    ", and a [link](https://example.org/) or some *words in italics* stand in the way of nothing. "
)


def _texts(pdf: Path) -> str:
    return subprocess.check_output(["pdftotext", pdf, "-"], text=True)


def test_lines_are_neither_loose_nor_tight(tmp_path: Path) -> None:
    """The middle one of the spaces of each full line, in pt; the font's own is 3.6."""
    text = "\n\n".join(f"{'A word more. ' * count}{PROSE * 2}" for count in range(12))
    (tmp_path / "n.md").write_text(f"---\ntitle: Lines\nlang: en\n---\n\n{text}")
    assert build([tmp_path / "n.md"], Task(tmp_path, ("pdf",))).messages == 0
    found = words(tmp_path / "n.pdf")
    gaps = []
    for line, following in pairwise(list(_lines(found))):
        if line[-1].right == pytest.approx(477.6, abs=0.6) and following[0].left < 140:
            inside = [after.left - before.right for before, after in pairwise(line) if "=" not in before.text + after.text]
            gaps.append(sorted(inside)[len(inside) // 2])
    assert len(gaps) > 80
    assert 2.6 < min(gaps) < 3.2
    assert 4.5 < max(gaps) < 6.4


def _lines(found: list[Word]) -> Iterator[list[Word]]:
    line: list[Word] = []
    for word in found:
        if line and (word.page != line[-1].page or word.bottom - line[-1].bottom > 8):
            yield line
            line = []
        line.append(word)
    yield line


def test_the_last_line_has_the_spaces_of_its_font(tmp_path: Path) -> None:
    found = words(_made(tmp_path, "Some few words alone."))
    line = [word for word in found if word.text in ("Some", "few", "words", "alone.")]
    assert [round(after.left - before.right, 1) for before, after in pairwise(line)] == [3.6] * 3


@pytest.mark.parametrize("columns", [1, 2])
def test_nothing_is_lost_where_lines_are_chosen(columns: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Notes, lists, quotes, proofs and footnotes over several pages say the same as in lines that WeasyPrint breaks."""
    part = f"{PROSE}^[{PROSE}]\n\n- {PROSE}\n\n> {PROSE}\n\n::: proof\n{PROSE}\n\n1. {PROSE}\n:::\n\n"
    (tmp_path / "n.md").write_text(
        f"---\ntitle: Z\nlang: en\nscidraft: {{columns: {columns}}}\n---\n\n{part * 9}{PROSE * 25}\n\n{PROSE * 40}"
    )
    texts = []
    for breaking in (justification.ours, nullcontext):
        monkeypatch.setattr(justification, "ours", breaking)
        assert build([tmp_path / "n.md"], Task(tmp_path, ("pdf",)), force=True).messages == 0
        # Without running heads, the numbers of pages and the hyphens at the ends of lines: each letter as often as it is there.
        text = re.sub(r"^\d+ of \d+$", "", _texts(tmp_path / "n.pdf"), flags=re.MULTILINE)
        texts.append(sorted(re.sub(r"-\n|\s|\f|Z", "", text)))
    assert len(texts[0]) > 25_000
    assert texts[0] == texts[1]


def test_paragraphs_with_floats_in_them_and_from_right_to_left_are_printed_too(tmp_path: Path) -> None:
    text = (
        f'{PROSE}<img src="x.svg" alt="x" style="float: left">{PROSE}\n\n[{PROSE}]{{dir=rtl}}\n\n::: {{dir=rtl}}\n{PROSE}\n:::\n'
    )
    (tmp_path / "x.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>')
    (tmp_path / "n.md").write_text(f"---\ntitle: Lines\nlang: en\n---\n\n{text}")
    assert build([tmp_path / "n.md"], Task(tmp_path, ("pdf",))).messages == 0
    assert _texts(tmp_path / "n.pdf").count("Every") == 4
