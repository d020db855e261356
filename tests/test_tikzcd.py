"""Commutative diagrams: what is read of tikz-cd, and where it is drawn."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pikepdf
import pytest

from scidraft.build import build
from scidraft.engines.cache import Cache
from scidraft.engines.diagram import draw
from scidraft.engines.mathjax import Drawing, Engine
from scidraft.note import Task
from scidraft.tikzcd import Arrow, DiagramError, Label, read_diagram

SQUARE = r"""\begin{tikzcd} A \arrow[r, "f"] \arrow[d, "g"'] & B \arrow[d, "h"] \\ C \arrow[r, "k"'] & D \end{tikzcd}"""


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    yield Engine(Cache("maths", None))


def arrows(body: str, options: str = "") -> list[Arrow]:
    diagram = read_diagram(rf"\begin{{tikzcd}}{options} {body} \end{{tikzcd}}")
    assert diagram
    return diagram.arrows


def picture(engine: Engine, tex: str) -> Drawing:
    diagram = read_diagram(tex)
    assert diagram
    return draw(diagram, lambda part: engine.draw(part, display=False, font="newcm", macros={}, width_em=32))


def test_cells_and_arrows_are_read() -> None:
    diagram = read_diagram(rf"\begin{{equation}} {SQUARE}. \tag{{1}} \end{{equation}}")
    assert diagram
    assert diagram.cells == [["A", "B"], ["C", "D"]]
    assert (diagram.after, diagram.tag) == (".", "(1)")
    assert diagram.arrows[:2] == [
        Arrow((0, 0), (0, 1), labels=[Label("f")]),
        Arrow((0, 0), (1, 0), labels=[Label("g", -1)]),
    ]
    assert read_diagram("a + b") is None


@pytest.mark.parametrize(
    ("body", "arrow"),
    [
        (r"A \rar{} & B", Arrow((0, 0), (0, 1))),
        (r"A \ar[r, hook, dashed] & B", Arrow((0, 0), (0, 1), "hook", "dashed")),
        (r"A \arrow[r, two heads, tail] & B", Arrow((0, 0), (0, 1), "tail", "", "two")),
        (r"A \arrow[r, Rightarrow] & B", Arrow((0, 0), (0, 1), "", "double")),
        (r"A \arrow[r, equal] & B", Arrow((0, 0), (0, 1), "", "double", "")),
        (r"A \arrow[r, bend left=45, shift right=2] & B", Arrow((0, 0), (0, 1), bend=45, shift=-0.48)),
        (r"A & B \\ C & D \arrow[from=1-1, to=2-2, bend right]", Arrow((0, 0), (1, 1), bend=-30)),
        (r'A \arrow[r, "a, b" near end, swap] & B', Arrow((0, 0), (0, 1), labels=[Label("a, b", -1, 0.75)])),
        (r'A \arrow[r, "{[x]}" description] & B', Arrow((0, 0), (0, 1), labels=[Label("[x]", 0)])),
        (r'A \arrow[r, "f"{pos=0.3}] & B', Arrow((0, 0), (0, 1), labels=[Label("f", 1, 0.3)])),
        (r'A \arrow[r, phantom, "="] & B', Arrow((0, 0), (0, 1), "", "phantom", labels=[Label("=", 0)])),
    ],
)
def test_what_arrows_are_told(body: str, arrow: Arrow) -> None:
    assert arrows(body) == [arrow]


@pytest.mark.parametrize(
    ("tex", "reason"),
    [
        (r"x = \begin{tikzcd} A \end{tikzcd}", "must be all there is"),
        (r"\begin{tikzcd} A \arrow[r, squiggly] & B \end{tikzcd}", "the option squiggly of an arrow"),
        (r"\begin{tikzcd} A \arrow[r] \end{tikzcd}", "leads out of the diagram"),
        (r'\begin{tikzcd} A \arrow["f"] & B \end{tikzcd}', "has no direction"),
        (r"\begin{tikzcd} A \arrow[r, bend left=much] & B \end{tikzcd}", "much is no number"),
        (r"\begin{tikzcd}[scale=2] A \end{tikzcd}", "the option scale=2 of tikzcd"),
        (r"\begin{tikzcd} A \arrow[r & B \end{tikzcd}", "brackets of tikzcd are not closed"),
    ],
)
def test_what_is_not_known_is_said(tex: str, reason: str) -> None:
    with pytest.raises(DiagramError, match=re.escape(reason)):
        read_diagram(tex)


def test_a_square_has_the_distances_of_tikz_cd(engine: Engine) -> None:
    drawing = picture(engine, SQUARE)
    lines = re.findall(r"M([\d.-]+),([\d.-]+)L([\d.-]+),([\d.-]+)", drawing.svg)
    across, down = ([float(number) for number in line] for line in lines[:2])
    assert across[1] == across[3] == -250  # the axis
    assert across[2] - across[0] == pytest.approx(2400, abs=50)  # letters are not equally wide
    assert down[0] == down[2]
    assert down[3] - down[1] == pytest.approx(1800, abs=1)
    left, top, wide, tall = (float(n) for n in ElementTree.fromstring(drawing.svg).attrib["viewBox"].split())
    assert drawing.width == pytest.approx(wide / 1000, abs=1e-3)
    assert drawing.depth == pytest.approx(tall / 2000 - 0.25, abs=1e-3)
    assert left < down[0] < across[0] < left + wide
    assert top < 0


def test_a_label_upon_an_arrow_interrupts_it(engine: Engine) -> None:
    whole = picture(engine, r'\begin{tikzcd} A \arrow[r, "f"] & B \end{tikzcd}')
    cut = picture(engine, r'\begin{tikzcd} A \arrow[r, "f" description] & B \end{tikzcd}')
    assert whole.svg.count("L") + 1 == cut.svg.count("L")


def test_pages_and_prints_have_diagrams(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SCIDRAFT_CACHE", str(tmp_path / "cache"))
    source = rf"""---
title: Diagrams
macros: {{cat: ['`\mathcal{{#1}}`', 1]}}
---

$$ {SQUARE} $$ {{#eq-square}}

By @eq-square and $$\begin{{tikzcd}} \cat{{C}} \arrow[r, bend left, dashed, "F"] & \cat{{D}} \end{{tikzcd}}.$$
"""
    Path("note.md").write_text(source)
    build([Path("note.md")], Task(Path("build"), ("html", "pdf")))
    page = Path("build/note.html").read_text()
    assert page.count("<svg role=") == 2
    assert 'class="math-error"' not in page
    text = subprocess.run(["pdftotext", "build/note.pdf", "-"], capture_output=True, text=True, check=True).stdout
    assert "(1)" in text
    assert r"\begin{tikzcd} A \arrow" in text  # what is read of a formula in the maths font is its source
    with pikepdf.open("build/note.pdf") as pdf:
        assert len(pdf.pages) == 1
