"""Lists of statements, the index of terms and the graph: their order, their ids, and the pages that the printed ones name."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from scidraft import document, paths, pipeline
from scidraft.alphabet import sort_key
from scidraft.build import build
from scidraft.draft import Draft
from scidraft.note import Task


def read(text: str, target: str = "html5") -> Draft:
    """The note `text` after all passes for statements."""
    command = [paths.pandoc(), "-f", "markdown", "-t", "json"]
    source = subprocess.run(command, input=text.encode(), capture_output=True, check=True).stdout
    return pipeline.run(pipeline.prepare(document.load(source, target)), ["statements"])


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["ape", "Öl", "orgel", "zahl"]),
        ("de", ["ape", "Öl", "orgel", "zahl"]),
        ("sv", ["ape", "orgel", "zahl", "Öl"]),
        ("tr", ["ape", "orgel", "Öl", "zahl"]),
    ],
)
def test_letters_are_sorted_as_the_language_has_them(language: str, expected: list[str]) -> None:
    assert sorted(["zahl", "Öl", "orgel", "ape"], key=lambda word: sort_key(word, language)) == expected


def test_czech_and_spanish_letters_come_after_the_one_they_are_written_behind() -> None:
    assert sorted(["ibis", "chata", "cena", "hrad", "čas"], key=lambda word: sort_key(word, "cs-CZ")) == [
        "cena",
        "čas",
        "hrad",
        "chata",
        "ibis",
    ]
    assert sorted(["ñu", "nube", "oso"], key=lambda word: sort_key(word, "es")) == ["nube", "ñu", "oso"]


def test_marks_of_maths_do_not_count() -> None:
    assert sort_key("$p$-adic", "en")[0] == sort_key("p-adic", "en")[0] == "padic"


def test_words_of_lists_are_those_of_the_language() -> None:
    text = "---\nlang: de\n---\n\n[Kreis]{.dfn}, [Scheibe]{.dfn see=Kreis}\n\n::: {.index-of-terms title=true}\n:::\n"
    overview = read(text).catalogue.overviews[0]
    assert document.plain_text(overview.element.content.list) == "Index Kreis Scheibe, siehe Kreis"


def test_an_id_that_is_taken_is_not_given_again() -> None:
    draft = read("# Theorem 1\n\n::: theorem\nText.\n:::\n\n::: list-of-statements\n:::\n")
    assert draft.catalogue.sections[0].identifier == "theorem-1"
    assert draft.catalogue.statements[0].identifier == "theorem-1-2"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("::: list-of-statements\n:::\n", "`list-of-statements` has nothing to show"),
        ("::: index-of-terms\n:::\n", "`index-of-terms` has nothing to show"),
        ("::: statement-graph\n:::\n", "`statement-graph` has nothing to show"),
        (
            '::: {.statement-graph kinds="lemna"}\n:::\n\n::: lemma\nText.\n:::\n',
            "`statement-graph` asks for the kind `lemna`, which there is not; it is left out",
        ),
    ],
)
def test_what_cannot_be_listed_is_told(text: str, message: str) -> None:
    assert message in [told.text for told in read(text).messages]


def test_restated_statements_are_listed_once() -> None:
    text = "::: {.theorem #thm-a}\nText.\n:::\n\n::: {restate=thm-a}\n:::\n\n::: list-of-statements\n:::\n"
    assert [line.target.identifier for line in read(text).catalogue.overviews[0].lines] == ["thm-a"]


def test_printed_lists_name_the_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blank = "```{=html}\n<div style='break-before: page'></div>\n```\n"
    statements = "".join(f"{blank}\n::: {{.theorem title=T{n}}}\nA [thing{n}]{{.dfn}}.\n:::\n\n" for n in (1, 2))
    Path("note.md").write_text(f"::: list-of-statements\n:::\n\n::: index-of-terms\n:::\n\n{statements}")
    build([Path("note.md")], Task(Path("build"), ("pdf",)))
    text = subprocess.run(
        ["pdftotext", "-layout", "-l", "1", "build/note.pdf", "-"], capture_output=True, check=True
    ).stdout.decode()
    assert re.findall(r"Theorem \d \(T\d\)[ .]+(\d)", text) == ["2", "3"]
    assert re.findall(r"thing(\d), (\d)", text) == [("1", "2"), ("2", "3")]
