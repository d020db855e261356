"""Numbers that were given out: a later build says which of them have changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scidraft.cli import main

NOTE = """---
title: Numbers
number-sections: true
---

# First {#sec-first}

::: {.lemma #lem-a}
Small.
:::

::: {.theorem #thm-a title="Large"}
By @lem-a.
:::

$$x = y$$ {#eq-x}

$$\\begin{align} a &= b \\label{eq-a} \\\\ c &= d \\end{align}$$
"""


@pytest.fixture
def note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = Path("note.md")
    path.write_text(NOTE)
    return path


def test_lock_keeps_what_each_labelled_thing_is_called(note: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lock", "note.md"]) == 0
    assert capsys.readouterr().out == "scidraft: note.lock.json keeps 5 numbers\n"
    assert json.loads(Path("note.lock.json").read_text()) == {
        "version": 1,
        "numbers": {
            "sec-first": "Section 1",
            "lem-a": "Lemma 1",
            "thm-a": "Theorem 2",
            "eq-x": "Equation (1)",
            "eq-a": "Equation (2)",
        },
    }


def test_check_and_build_tell_what_has_changed(note: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["lock", "note.md"])
    capsys.readouterr()
    note.write_text(NOTE.replace("::: {.theorem", "::: {.remark}\nNew.\n:::\n\n::: {.theorem").replace(" {#eq-x}", ""))
    said = (
        "scidraft: note.md: warning: Theorem 2 (`thm-a`) is now Theorem 3\n"
        "scidraft: note.md: warning: Equation (1) (`eq-x`), whose number was given out, is gone\n"
        "scidraft: note.md: warning: Equation (2) (`eq-a`) is now Equation (1)\n"
    )
    assert main(["check", "note.md"]) == 0
    assert capsys.readouterr().err == said
    assert main(["build", "note.md"]) == 0
    assert capsys.readouterr().err == said
    assert main(["check", "--strict", "note.md"]) == 1


def test_locking_again_takes_the_numbers_as_they_are(note: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["lock", "note.md"])
    note.write_text(NOTE.replace("# First", "# Nothing\n\n# First"))
    capsys.readouterr()
    assert main(["lock", "note.md"]) == 0
    assert "Section 1 (`sec-first`) is now Section 2" in capsys.readouterr().err
    assert main(["check", "note.md"]) == 0
    assert capsys.readouterr().err == ""


def test_new_lock_makes_a_page_out_of_date(note: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["build", "note.md"])
    Path("note.lock.json").write_text('{"version": 1, "numbers": {"thm-a": "Theorem 4"}}')
    capsys.readouterr()
    main(["build", "note.md"])
    assert capsys.readouterr().err == "scidraft: note.md: warning: Theorem 4 (`thm-a`) is now Theorem 2\n"


@pytest.mark.parametrize("content", ["", "[]", '{"numbers": {}}', '{"version": 1, "numbers": {"thm-a": 4}}', "{"])
def test_file_of_another_kind_is_told(note: Path, content: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("note.lock.json").write_text(content)
    assert main(["check", "note.md"]) == 0
    assert "`note.lock.json` is no file of numbers" in capsys.readouterr().err
