"""The index of notes as data, and what `scidraft check` reads off it: circles, and proofs that use what comes later."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scidraft import cli

NOTE = """---
title: A *note*
---

# First {#sec-first}

::: {.lemma #lem-a title="Bézout $ax + by$" by="É. Bézout"}
There are such $x$ and $y$.
$$ ax + by = 1 $$ {#eq-a}
:::

::: proof
Clear.
:::

::: {.theorem title="After @lem-a"}
A [prime]{.dfn} divides.
:::

::: proof
By @eq-a.

::: {.claim #clm-c}
Also @lem-a.
:::
:::

::: {.proof #prf-second of="lem-a"}
Another one, with @clm-c.
:::
"""


@pytest.fixture(name="index")
def _index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    monkeypatch.chdir(tmp_path)
    Path("note.md").write_text(NOTE)
    assert cli.main(["index", "note.md", "--json"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    return json.loads(told.out)


def ids(pointers: list[dict[str, Any]]) -> list[str]:
    return [pointer["id"] or pointer["label"] for pointer in pointers]


def test_version_and_notes(index: Any) -> None:
    assert index["version"] == 1
    assert list(index) == ["version", "notes", "statements", "labels", "terms"]
    assert index["notes"] == [
        {"name": "note", "file": "note.md", "title": "A note", "title_markdown": "A *note*", "language": "en"}
    ]


def test_every_key_of_a_statement(index: Any) -> None:
    assert index["statements"][0] == {
        "note": "note",
        "position": 1,
        "id": "lem-a",
        "label": "Lemma 1",
        "kind": "lemma",
        "number": "1",
        "title": "Bézout ax + by",
        "title_markdown": "Bézout $ax + by$",
        "language": "en",
        "file": "note.md",
        "section": {"number": None, "id": "sec-first", "title": "First", "title_markdown": "First"},
        "inside": None,
        "proof_of": None,
        "proofs": [
            {"note": "note", "position": 2, "id": None, "label": "Proof"},
            {"note": "note", "position": 6, "id": "prf-second", "label": "Proof of Lemma 1"},
        ],
        "uses": [{"note": "note", "position": 5, "id": "clm-c", "label": "Claim 3"}],
        "used_by": [
            {"note": "note", "position": 3, "id": None, "label": "Theorem 2"},
            {"note": "note", "position": 5, "id": "clm-c", "label": "Claim 3"},
        ],
    }


def test_references_in_titles_are_said(index: Any) -> None:
    assert index["statements"][2]["title"] == "After Lemma 1"


def test_a_proof_without_of_belongs_to_the_statement_before_it(index: Any) -> None:
    assert [ids([entry["proof_of"]]) for entry in index["statements"] if entry["proof_of"]] == [
        ["lem-a"],
        ["Theorem 2"],
        ["lem-a"],
    ]


def test_uses_come_through_formulas_proofs_and_parts_of_proofs(index: Any) -> None:
    theorem, proof, claim = index["statements"][2:5]
    assert (ids(theorem["uses"]), ids(proof["uses"]), ids(claim["uses"])) == (["lem-a"], ["lem-a"], ["lem-a"])
    assert claim["inside"]["position"] == proof["position"]


def test_labels_and_terms(index: Any) -> None:
    labels = {entry["id"]: (entry["noun"], entry["number"]) for entry in index["labels"]}
    assert labels == {"sec-first": ("section", None), "eq-a": ("equation", "1")}
    assert [(entry["term"], entry["statement"]["label"]) for entry in index["terms"]] == [("prime", "Theorem 2")]


def test_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("note.md").write_text(NOTE)
    assert cli.main(["index", "note.md"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Statement                  Id     Uses     Used by",
        "Lemma 1 (Bézout ax + by)   lem-a  Claim 3  Theorem 2, Claim 3",
        "Theorem 2 (After Lemma 1)         Lemma 1",
        "Claim 3                    clm-c  Lemma 1  Lemma 1",
    ]


def test_a_missing_note_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["index", "none.md", "--json"]) == 1
    assert "none.md" in capsys.readouterr().err


# What check tells


def check(text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    Path("note.md").write_text(text)
    cli.main(["check", "note.md"])
    return [line.removeprefix("scidraft: note.md: warning: ") for line in capsys.readouterr().err.splitlines()]


def proved(kind: str, identifier: str, proof: str) -> str:
    return f"::: {{.{kind} #{identifier}}}\nIt holds.\n:::\n\n::: proof\n{proof}\n:::\n\n"


def test_circles_are_told_once_with_their_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = (
        proved("lemma", "lem-a", "By @lem-b.") + proved("lemma", "lem-b", "By @thm-c.") + proved("theorem", "thm-c", "By @lem-a.")
    )
    assert check(text, monkeypatch, capsys) == [
        "the proofs go in a circle: Lemma 1 (`lem-a`) uses Lemma 2 (`lem-b`), which uses Theorem 3 (`thm-c`), "
        "which uses Lemma 1 (`lem-a`)"
    ]


def test_a_proof_that_uses_what_comes_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = proved("lemma", "lem-a", "By @thm-b; compare @rem-c.") + proved("theorem", "thm-b", "Clear.")
    told = check(text + "::: {.remark #rem-c}\nSo.\n:::\n", monkeypatch, capsys)
    assert told == ["the proof of Lemma 1 (`lem-a`) uses Theorem 2 (`thm-b`), which comes later"]


def test_a_deferred_proof_may_use_what_stands_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = "::: {.theorem #thm-a}\nIt holds.\n:::\n\n" + proved("lemma", "lem-b", "Clear.")
    assert check(text + "::: {.proof of=thm-a}\nBy @lem-b.\n\n::: claim\nA part.\n:::\n:::\n", monkeypatch, capsys) == []
