"""The formulas of formulas.yaml: the sound ones are drawn in print and on the web without a word, the others are told of once."""

from __future__ import annotations

import functools
import json
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import panflute as pf
import pytest
import yaml

from scidraft import pipeline
from scidraft.document import dump, load, walk
from scidraft.draft import Draft
from scidraft.engines import temml
from scidraft.engines.cache import Cache
from scidraft.engines.mathjax import Drawing, Engine
from scidraft.paths import TEMPLATES, pandoc

FORMULAS: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("formulas.yaml").read_text(encoding="utf-8"))
SOUND = [entry for entry in FORMULAS if "fault" not in entry]
MALFORMED = [entry for entry in FORMULAS if "fault" in entry]
TARGETS = ("print", "html", "html mathml")


def named(entries: Iterable[dict[str, Any]]) -> list[Any]:
    return [pytest.param(entry, id=entry["name"]) for entry in entries]


def note(entry: dict[str, Any], math: str) -> str:
    metadata = {
        "macros": {"E": r"\mathbb{E}\left[#1\right]", "Var": r"\operatorname{Var}"},
        "header-includes": [f"\\usepackage{{{name}}}" for name in entry.get("packages", ())],
        "scidraft": {"math": math} if math else {},
    }
    formula = f"Before ${entry['tex']}$, after." if entry.get("inline") else f"$$\n{entry['tex']}\n$$"
    return f"---\n{json.dumps(metadata)}\n---\n\n{formula}\n"


@functools.cache
def read(source: str) -> str:
    return subprocess.run([pandoc(), "-t", "json"], input=source, capture_output=True, text=True, check=True).stdout


def run(entry: dict[str, Any], target: str) -> Draft:
    writer, _, math = target.partition(" ")
    draft = pipeline.prepare(load(read(note(entry, math)), writer))
    pipeline.run(draft, list(pipeline.PASSES))
    return draft


def written(draft: Draft) -> str:
    return "".join(place.element.text for place in walk(draft.doc) if isinstance(place.element, pf.RawInline))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("entry", named(SOUND))
def test_a_sound_formula_is_drawn_without_a_word(entry: dict[str, Any], target: str) -> None:
    draft = run(entry, target)
    assert draft.messages.lines() == []
    assert not any(isinstance(place.element, pf.Math) for place in walk(draft.doc))
    drawn = written(draft)
    assert "math-error" not in drawn
    assert "<path" in drawn or "<math" in drawn


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("entry", named(MALFORMED))
def test_a_malformed_formula_is_told_of_once_and_shows_its_source(entry: dict[str, Any], target: str) -> None:
    draft = run(entry, target)
    (line,) = draft.messages.lines()
    assert entry["tex"] in line
    assert written(draft).count("math-error") == 1
    assert "<path" not in dump(draft.doc)


# What the sheet has shown


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(Cache("maths", None))


def draw(engine: Engine, tex: str, width: float = 32.0) -> Drawing:
    return engine.draw(tex, display=True, font="stix2", macros={}, width_em=width)


def view_box(drawing: Drawing) -> list[float]:
    return [float(number) for number in ElementTree.fromstring(drawing.svg).attrib["viewBox"].split()]


def test_text_between_rows_is_as_wide_as_the_column_and_wraps(engine: Engine) -> None:
    words = "and therefore, by what has been said of every such sequence and of all that follow from it, "
    short = draw(engine, rf"\begin{{align*}} a &= b \\ \intertext{{{words}}} c &= d \end{{align*}}")
    long = draw(engine, rf"\begin{{align*}} a &= b \\ \intertext{{{words * 3}}} c &= d \end{{align*}}")
    close = draw(engine, rf"\begin{{align*}} a &= b \\ \shortintertext{{{words}}} c &= d \end{{align*}}")
    assert short.width == long.width == 32.0
    assert long.height - short.height == pytest.approx(2 * 1.2, abs=0.01)  # lines
    assert close.height == pytest.approx(short.height - 0.8, abs=0.01)
    left, *_ = view_box(short)
    # The rows stand in the middle of the column.
    assert left == pytest.approx(-(32000 - draw(engine, r"\begin{align*} a &= b \\ c &= d \end{align*}").width * 1000) / 2, abs=1)


def test_labels_beside_an_arrow_have_room_in_the_picture(engine: Engine) -> None:
    drawing = draw(engine, r"\begin{CD} A @>f>> B \\ @VgVV @VVhV \\ C @>>k> D \end{CD}")
    plain = draw(engine, r"\begin{CD} A @>f>> B \\ @VVV @VVV \\ C @>>k> D \end{CD}")
    assert view_box(plain)[0] == 0
    assert view_box(drawing)[0] < -250


def test_relations_in_flalign_have_their_space_in_every_pair_of_columns(engine: Engine) -> None:
    drawing = draw(engine, r"\begin{flalign*} x &= 1 & x &= 1 & x &= 1 \end{flalign*}")
    assert drawing.svg.count('<g transform="translate(277.8,0)"><path data-c="3D"') == drawing.svg.count('data-c="3D"') == 3


def test_large_operators_typed_as_signs_are_those_of_the_commands(engine: Engine) -> None:
    assert draw(engine, "∑_{i}^n ∏_j ⋃_k x").svg == draw(engine, r"\sum_{i}^n \prod_j \bigcup_k x").svg


@pytest.mark.parametrize("sheet", ["web.css", "print.css"])
def test_style_sheets_leave_the_parts_of_stretched_arrows_cut(sheet: str) -> None:
    rules = re.findall(r"^(\S.*?)\s*\{[^}]*overflow: visible", (TEMPLATES / sheet).read_text(encoding="utf-8"), re.MULTILINE)
    assert "svg:not(svg svg)" in rules
    assert "svg" not in rules


@pytest.mark.parametrize(
    "tex",
    [
        r"\begin{multline} a \\ b \end{multline}",
        r"\underbrace{a + b}_{n}",
        r"\overbrace{a + b}^{n}",
        r"A \xrightarrow[b]{f} B",
        r"\mathop{\mathrm{lim\,inf}}\limits_n",
        r"\mathit{diff}",
    ],
)
def test_what_browsers_set_badly_is_drawn(tex: str) -> None:
    with pytest.raises(temml.NotUnderstoodError):
        temml.Engine().write(tex, display=True, macros={})


def test_mathml_has_bold_digits_and_scripts_on_the_left() -> None:
    write = functools.partial(temml.Engine().write, display=True, macros={})
    assert "<mn>𝟎</mn>" in write(r"\bm{0}")
    assert "<msubsup><mrow></mrow><mn>2</mn><mn>14</mn></msubsup><mi>C</mi>" in write(r"\prescript{14}{2}{C}")
