"""References to other notes: what they say in each target, where the notes are found, and when a note is out of date for them."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from scidraft import cli
from scidraft.build import build
from scidraft.note import Task

OTHER = """---
title: The *Woodbury* identity
scidraft: {kinds: {wonder: {name: Surprise}}}
---

::: {.definition #def-open .unnumbered title=Open}
It is open.
:::

::: {.identity #idn-woodbury title="Woodbury $A$"}
It holds, by @note:exm-a.
$$ a = b $$ {#eq-one}
:::

# The end {#sec-end}

::: {.wonder #surprise}
It is the end.
:::
"""
NOTE = """---
title: A note
---

::: {.example #exm-a}
By REFERENCE it holds.
:::
"""


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SCIDRAFT_CACHE", str(tmp_path / "cache"))
    Path("woodbury.md").write_text(OTHER)


def run(reference: str, *formats: str, metadata: str = "") -> None:
    """Build a note with this reference."""
    Path("note.md").write_text(NOTE.replace("REFERENCE", reference).replace("A note\n", f"A note\n{metadata}"))
    build([Path("note.md")], Task(Path("build"), formats or ("html", "latex")))


def sentence(name: str = "html") -> str:
    """What stands around the reference in a built file: links of the page as they are, formulas left out."""
    text = Path(f"build/note.{name}").read_text(encoding="utf-8")
    found = re.search(r"By (.*) it holds\.", text)
    assert found
    return re.sub(r"<svg.*?</svg>", "A", found[1]).replace("\u00a0", " ")


def test_number_and_title_with_a_link_on_the_web(capsys: pytest.CaptureFixture[str]) -> None:
    run("@woodbury:idn-woodbury")
    # Without what is only read out or copied.
    shown = re.sub(r'<span class="formula-spoken".*?</math></span>|<span class="formula-source".*?</span>', "", sentence())
    assert shown == (
        '<a href="woodbury.html#idn-woodbury" class="ref" title="The Woodbury identity">'
        'Identity <span class="ref-number">1</span> (Woodbury '
        '<span class="nobreak"><span class="math inline">A</span>)</span></a>'
    )
    assert capsys.readouterr().err == ""


def test_the_other_notes_title_in_latex() -> None:
    run("@woodbury:idn-woodbury")
    assert sentence("tex") == r"Identity~1 (\emph{The \emph{Woodbury} identity})"


def test_the_other_notes_title_in_print() -> None:
    run("@woodbury:idn-woodbury", "pdf")
    text = subprocess.run(["pdftotext", "build/note.pdf", "-"], capture_output=True, check=True).stdout.decode()
    assert "By Identity 1 (The Woodbury identity) it holds." in " ".join(text.split())


@pytest.mark.parametrize(
    ("reference", "said"),
    [
        ("[-@woodbury:idn-woodbury]", r"1 (\emph{The \emph{Woodbury} identity})"),
        ("[@woodbury:idn-woodbury]{.title}", r"{Woodbury \(A\) (\emph{The \emph{Woodbury} identity})}"),
        ("@woodbury:def-open", r"Definition (Open) (\emph{The \emph{Woodbury} identity})"),
        ("@woodbury:eq-one", r"Equation~(1) (\emph{The \emph{Woodbury} identity})"),
        (r"\ref{woodbury:idn-woodbury}", r"1 (\emph{The \emph{Woodbury} identity})"),
        ("[@woodbury:idn-woodbury; @exm-a]", r"Identity~1 (\emph{The \emph{Woodbury} identity}) and Example~\ref{exm-a}"),
        ("[@woodbury:idn-woodbury]{.page}", r"{Identity~1 (\emph{The \emph{Woodbury} identity})}"),
        ("@woodbury:sec-end", r"Section The end (\emph{The \emph{Woodbury} identity})"),
        ("@woodbury:surprise", r"Surprise~2 (\emph{The \emph{Woodbury} identity})"),
        ("@note:exm-a", r"Example~\ref{exm-a}"),
    ],
)
def test_forms_of_references(reference: str, said: str) -> None:
    run(reference)
    assert sentence("tex") == said


def test_an_unknown_id_stays_visible_and_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    run("@woodbury:idn-none")
    assert sentence() == '<span class="ref-unknown">?woodbury:idn-none</span>'
    assert capsys.readouterr().err == (
        "scidraft: note.md: warning: reference to `woodbury:idn-none`, but nothing in the note `woodbury` has the id `idn-none`; "
        "it is printed as ?woodbury:idn-none\n"
    )


def test_a_book_with_a_colon_in_its_key_is_a_book() -> None:
    book = "references:\n- {id: 'woodbury:1950', type: book, title: Inverting, author: [{family: Max}], issued: 1950}\n"
    run("[@woodbury:1950; @other:key]", metadata=book)
    assert "(Max 1950; <strong>other:key?</strong>)" in re.sub(r"</?(?:span|a)[^>]*>", "", sentence())


def test_a_proof_of_something_in_another_note() -> None:
    run("it", metadata="")
    note = Path("note.md")
    note.write_text(f"{note.read_text()}\n::: {{.proof of='woodbury:idn-woodbury'}}\nSo.\n:::\n")
    build([note], Task(Path("build"), ("latex",)))
    assert r"Proof of Identity~\textup{1} (\emph{The \emph{Woodbury} identity})" in Path("build/note.tex").read_text()


# Where notes are


def test_notes_in_other_folders(capsys: pytest.CaptureFixture[str]) -> None:
    Path("far").mkdir()
    Path("woodbury.md").rename("far/woodbury.md")
    run("@woodbury:idn-woodbury", metadata="scidraft: {library: ['far/*.md', 'none/*.md']}\n")
    assert ">1</span> (Woodbury" in sentence()
    assert capsys.readouterr().err == (
        "scidraft: note.md: warning: `scidraft: library:` names `none/*.md`, but there is no such file; "
        "names are looked up beside the note\n"
    )


def test_an_index_file_stands_for_notes() -> None:
    assert cli.main(["index", "woodbury.md", "--json", "-o", "library.json"]) == 0
    Path("woodbury.md").unlink()
    run("@woodbury:idn-woodbury", metadata="scidraft: {library: library.json}\n")
    assert sentence("tex") == r"Identity~1 (\emph{The \emph{Woodbury} identity})"


def test_a_file_that_is_no_index_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    Path("library.json").write_text("[]")
    run("@woodbury:idn-woodbury", metadata="scidraft: {library: library.json}\n")
    assert "`library.json` is no index of notes" in capsys.readouterr().err
    assert ">1</span> (Woodbury" in sentence()


def test_a_note_that_cannot_be_read_has_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    Path("woodbury.md").write_text("---\ntitle: [\n---\n")
    run("@woodbury:idn-woodbury")
    assert "?woodbury:idn-woodbury" in sentence()
    assert "nothing in the note `woodbury`" in capsys.readouterr().err


def test_uses_are_told_in_both_notes(capsys: pytest.CaptureFixture[str]) -> None:
    run("@woodbury:idn-woodbury")
    cli.main(["index", "note.md", "woodbury.md", "--json"])
    statements = {entry["id"]: entry for entry in json.loads(capsys.readouterr().out)["statements"]}
    example = {"note": "note", "position": 1, "id": "exm-a", "label": "Example 1"}
    identity = {"note": "woodbury", "position": 2, "id": "idn-woodbury", "label": "Identity 1"}
    assert statements["exm-a"]["uses"] == statements["exm-a"]["used_by"] == [identity]
    assert statements["idn-woodbury"]["uses"] == statements["idn-woodbury"]["used_by"] == [example]


# Staleness


def stale() -> bool:
    return build([Path("note.md")], Task(Path("build"), ("html",))).notes > 0


def test_a_note_is_out_of_date_when_the_index_of_another_changes() -> None:
    run("@woodbury:idn-woodbury", "html")
    assert not stale()
    Path("woodbury.md").write_text(OTHER.replace("It is open.", "Other words, no other number."))
    assert not stale()
    Path("woodbury.md").write_text("::: identity\nOne more.\n:::\n\n" + OTHER.partition("---\n\n")[2])
    assert stale()
    assert ">2</span> (Woodbury" in sentence()
    assert not stale()


def test_a_note_that_comes_later_makes_the_reference_to_it_known() -> None:
    Path("woodbury.md").unlink()
    run("@woodbury:idn-woodbury", "html")
    assert not stale()
    Path("woodbury.md").write_text(OTHER)
    assert stale()
    assert ">1</span> (Woodbury" in sentence()
