"""Formulas of web pages in MathML, by the real Temml."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scidraft.build import build
from scidraft.engines.temml import Engine, NotUnderstoodError
from scidraft.macros import Macro
from scidraft.note import Task
from scidraft.paths import pandoc
from scidraft.readback import numbers_of_page

ROWS = """---
title: Rows
scidraft:
  math: MEDIUM
---

$$\\begin{align} a &= b \\label{eq-a} \\\\ c &= d \\label{eq-b} \\\\ e &= f \\tag{$\\ast$} \\end{align}$$

By @eq-a and \\eqref{eq-b}: $$x < y$$ {#eq-c}
"""


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


def page(folder: Path, text: str) -> str:
    note = folder / "note.md"
    note.write_text(text, encoding="utf-8")
    tally = build([note], Task(folder / "build", ("html",)), force=True)
    assert tally.failed == 0
    return (folder / "build" / "note.html").read_text(encoding="utf-8")


def test_a_formula_carries_its_tex_with_macros_written_out(engine: Engine) -> None:
    assert engine.write(r"x < \R", display=False, macros={"R": Macro(r"\mathbb{R}", 0)}) == (
        "<math><semantics><mrow><mi>x</mi><mo>&lt;</mo><mi>ℝ</mi></mrow>"
        r'<annotation encoding="application/x-tex">x &lt; \mathbb{R}</annotation></semantics></math>'
    )


def test_tags_are_numbers_and_not_in_the_annotation(engine: Engine) -> None:
    written = engine.write("\\begin{align} a&=b \\tag{1.2}\\\\ c&=d \\end{align}", display=True, macros={})
    assert re.findall(r'<mtext class="equation-number">(.*?)</mtext>', written) == ["(1.2)"]
    assert "\\tag" not in written
    assert "tml-eqn" not in written  # Temml does not count for itself


def test_dots_stand_as_close_as_in_tex(engine: Engine) -> None:
    written = engine.write(r"x_1, \dots, x_n + \cdots + y \dots z", display=False, macros={})
    spaces = re.findall(r'<mo lspace="([^"]*)" rspace="([^"]*)">[…⋯]</mo>', written)
    assert spaces == [("0", ".1667em"), ("0", "0"), (".1667em", ".1667em")]


@pytest.mark.parametrize(
    "source", [r"\undefined", r"\ce{H2O}", r"\class{a}{b}", r"\cancel{x}", "{" * 300 + "}" * 300, "a\0b", "x" * 30_000]
)
def test_what_temml_does_not_understand_is_refused_and_the_engine_goes_on(engine: Engine, source: str) -> None:
    with pytest.raises(NotUnderstoodError):
        engine.write(source, display=False, macros={})
    assert "<mi>y</mi>" in engine.write("y", display=False, macros={})


def test_both_media_have_the_same_numbers(tmp_path: Path) -> None:
    found = [numbers_of_page(page(tmp_path, ROWS.replace("MEDIUM", medium))) for medium in ("svg", "mathml")]
    assert found[0] == found[1]
    assert found[1]["eq-c"] == ["(3)"]


def test_a_proof_mark_goes_into_the_last_row(tmp_path: Path) -> None:
    rows = "\\begin{aligned} a &= b \\\\ &= c \\end{aligned}"
    made = page(tmp_path, f"---\ntitle: T\nscidraft:\n  math: mathml\n---\n\n::: proof\nSo\n$${rows}$$\n:::\n")
    mark = '<span class="qed" role="img" aria-label="End of proof">□</span>'
    assert f'<mtext class="end">{mark}</mtext></mtd></mtr></mtable>' in made
    assert made.count(mark) == 1
    assert "QED" not in made


def test_a_page_in_mathml_has_a_picture_only_where_it_must(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = page(tmp_path, "---\ntitle: T\nscidraft:\n  math: mathml\n---\n\nHere $x$ and $\\ce{H2O}$.\n")
    assert made.count("<math") == 1
    assert len(re.findall(r'<span class="math inline"><svg role="img"', made)) == 1
    assert "<script" not in made
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (
            "katex",
            "`math: katex` is pandoc's own: filter with scidraft-statements instead of scidraft, and give pandoc `--katex`",
        ),
        ("png", "`math` cannot be `png`: it should be one of svg, mathml"),
    ],
)
def test_other_media_are_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str], value: str, said: str) -> None:
    made = page(tmp_path, f"---\ntitle: T\nscidraft:\n  math: {value}\n---\n\nHere $x$.\n")
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert said in error
    assert "<svg" in made


@pytest.mark.parametrize(("option", "sign"), [("--mathml", "<math "), ("--katex", "katex"), ("--mathjax", "mathjax")])
def test_pandocs_own_ways_work_beside_the_statements_filter(option: str, sign: str) -> None:
    script = "from scidraft.cli import statements_filter; raise SystemExit(statements_filter())"
    source = subprocess.run([pandoc(), "-t", "json"], input=b"$x^2$", capture_output=True, check=True).stdout
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    filtered = subprocess.run(
        [sys.executable, "-c", script, "html"], input=source, capture_output=True, check=True, env=environment
    )
    command = [pandoc(), "-f", "json", "-t", "html", "-s", "--metadata", "title=T", option]
    assert sign in subprocess.run(command, input=filtered.stdout, capture_output=True, check=True).stdout.decode()
