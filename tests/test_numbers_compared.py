"""`scidraft check --parity` reads the numbers back from all outputs, and sees when one of them is another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scidraft import texengine
from scidraft.cli import main
from scidraft.draft import Draft
from scidraft.messages import Messages
from scidraft.note import Task, contents
from scidraft.parity import IN_LATEX, Find, differences, in_aux, in_latex, in_print, numbered, on_page
from scidraft.printednumbers import Printed
from scidraft.readback import Label, absent_from_page, labels_of_aux, numbers_of_page, shown

NOTE = """---
title: Numbers everywhere
number-sections: true
---

# First {#sec-first}

::: {.theorem #thm-a title="Euler"}
There is $x$ with
$$x = f(1).$$ {#eq-x}
:::

::: {.lemma #lem-own number="I.7"}
By @thm-a.
:::

::: {.lemma}
Around it.

::: {.claim #clm-in}
Inside.
:::
:::

$$\\begin{align}
a &= b \\label{eq-a} \\\\
c &= d \\notag \\\\
e &= f \\tag{E} \\label{eq-e} \\\\
g &= h \\label{eq-g}
\\end{align}$$

| Left | Right |
|------|-------|
| 1    | 2     |

: A table {#tbl-a}

```{.mermaid #fig-a caption="Two boxes."}
flowchart LR
  a[One] --> b[Two]
```

# Last {#sec-last .appendix}

::: {.remark #rem-z}
See @sec-last.
:::
"""
NUMBERS = {
    "sec-first": "1",
    "thm-a": "1",
    "eq-x": "1",
    "lem-own": "I.7",
    "clm-in": "3",
    "eq-a": "2",
    "eq-e": "E",
    "eq-g": "3",
    "tbl-a": "1",
    "fig-a": "1",
    "sec-last": "A",
    "rem-z": "4",
}


@pytest.fixture(scope="module", name="made")
def _made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Draft, dict[str, Find]]]:
    """The note's draft and a reader of each of its outputs."""
    folder = tmp_path_factory.mktemp("note")
    note = folder / "note.md"
    note.write_text(NOTE)
    report = Messages()
    made = contents(note, Task(folder, ("html", "pdf", "latex")), report)
    assert made is not None
    draft, outputs = made
    typeset = texengine.typeset(outputs["latex"], "pdflatex", note, folder / "note-media", report)
    assert report.lines() == []
    assert typeset is not None
    yield (
        draft,
        {
            "on the web page": on_page(outputs["html"].decode()),
            IN_LATEX: in_aux(typeset.aux),
            "in the printed PDF": in_print(Printed(outputs["pdf"]), draft),
            "in the PDF by pdflatex": in_latex(Printed(typeset.pdf), typeset.aux, draft),
        },
    )


def test_all_outputs_have_the_numbers(made: tuple[Draft, dict[str, Find]]) -> None:
    draft, readers = made
    for place, find in readers.items():
        assert {key: find(key, target) for key, target in numbered(draft).items()} == NUMBERS, place
    assert list(differences(draft, readers)) == []


@pytest.mark.parametrize("identifier", NUMBERS)
def test_every_reader_sees_another_number(identifier: str, made: tuple[Draft, dict[str, Find]]) -> None:
    """When the note says 17 and the outputs say 1, each of them is told to say 1: no reader finds what it looks for."""
    draft, readers = made
    target = draft.catalogue.targets[identifier]
    was = target.number
    setattr(target, "number", f"{was}7")  # noqa: B010
    try:
        said = [message.text for message in differences(draft, readers)]
    finally:
        setattr(target, "number", was)  # noqa: B010
    assert len(said) == len(readers)
    for text, place in zip(said, readers, strict=True):
        assert text.endswith(f" is {was}7 in the note, but is {was} {place}")


def test_what_another_variant_shows_is_counted_only(made: tuple[Draft, dict[str, Find]]) -> None:
    draft, readers = made
    nowhere: dict[str, Find] = {place: (lambda identifier, target: None) for place in ("on the web page", "in the printed PDF")}
    only_latex = {IN_LATEX: readers[IN_LATEX], **nowhere}
    assert list(differences(draft, only_latex, NUMBERS)) == []
    assert len(list(differences(draft, only_latex))) == 2 * len(NUMBERS)
    miscounted: dict[str, Find] = {**nowhere, IN_LATEX: lambda identifier, target: "9"}
    assert len(list(differences(draft, miscounted, NUMBERS))) == len(NUMBERS)


def test_command_compares_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("note.md").write_text(NOTE)
    assert main(["check", "--parity", "note.md"]) == 0
    assert capsys.readouterr() == ("scidraft: 1 note checked, 0 messages\n", "")
    # LaTeX that counts for itself is caught: this author steps a counter behind our back.
    Path("note.md").write_text(NOTE.replace("::: {.remark", "`\\stepcounter{theorem}`{=latex}\n\n::: {.remark"))
    assert main(["check", "--parity", "note.md"]) == 1
    said = capsys.readouterr().err
    assert said == "scidraft: note.md: error: the remark `rem-z` is 4 in the note, but is 5 in LaTeX\n"
    assert [path.name for path in tmp_path.iterdir()] == ["note.md"]


# Readers


def test_numbers_of_a_page() -> None:
    page = (
        '<h2 id="a"><span class="header-section-number">1.2</span> Words <img src="x" /></h2>'
        '<div class="statement theorem" id="b"><p><span id="b-head"><b>Theorem <span class="statement-number">3</span></b></span>'
        '<div class="statement lemma"><span class="statement-number">4</span></div></p></div>'
        '<span class="equation"><span id="c"></span><span id="d"></span><span class="math display">'
        "\\[x \\tag{5} \\\\ y \\tag*{[E]}\\]</span></span>"
        '<figure id="f"><img/><figcaption><span class="caption-label">Figure 6.</span> The 7</figcaption></figure>'
        '<section id="g"><h1><span class="header-section-number">A</span> Last</h1></section>'
    )
    assert numbers_of_page(page) == {
        "a": ["1.2"],
        "b": ["3"],
        "c": ["(5)", "[E]"],
        "d": ["(5)", "[E]"],
        "f": ["Figure 6."],
        "g": ["A"],
    }


def test_what_a_page_does_not_show() -> None:
    display = '<span class="equation"><span id="eq-a"></span><span class="equation-number">(1)</span></span>'
    assert absent_from_page('<span id="lem-hidden"></span>' + display) == {"lem-hidden"}


def test_labels_of_an_aux_file() -> None:
    aux = "\\relax\n\\newlabel{a}{{{1.2}}{3}{A {title}}{theorem.1.2}{}}\n\\newlabel{b}{{\\ignorespaces 4}{1}}\n"
    assert labels_of_aux(aux) == {"a": Label("1.2", "theorem.1.2"), "b": Label("4", "")}


@pytest.mark.parametrize(
    ("text", "wanted", "found"),
    [
        ("Figure 1.2.", "1.2", "1.2"),
        ("Figure 1.2.", "1", "1.2"),
        ("Figure 12.", "2", "12"),
        ("図1", "1", "1"),
        ("Figure A.1", "A.2", "A.1"),
        ("A Appendix", "B", "A"),
        ("", "1", None),
    ],
)
def test_number_that_a_label_shows(text: str, wanted: str, found: str | None) -> None:
    assert shown(text, wanted) == found
