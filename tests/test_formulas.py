"""The formulas of formulas.yaml: the sound ones are drawn in print and on the web without a word, the others are told of once."""

from __future__ import annotations

import functools
import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import panflute as pf
import pytest
import yaml

from scidraft import pipeline
from scidraft.document import dump, load, walk
from scidraft.draft import Draft
from scidraft.paths import pandoc

FORMULAS: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("formulas.yaml").read_text(encoding="utf-8"))
SOUND = [entry for entry in FORMULAS if "fault" not in entry]
MALFORMED = [entry for entry in FORMULAS if "fault" in entry]
NOT_YET = {"siunitx", "physics", "tikz-cd"}
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
    if entry["name"] in NOT_YET:
        pytest.xfail("cannot be drawn yet")
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
