"""What the PDFs say of themselves: PDF/UA-1, the structure that screen readers follow, PDF/A."""

from __future__ import annotations

import io
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from shutil import copyfile
from typing import Any

import pdfua.rules.structure
import pikepdf
import pytest
from pdfua.validator import validate
from PIL import Image

from golden_cases import GOLDEN, TESTS
from pdfa_rules import broken_rules
from scidraft import cli
from scidraft.build import Tally, build
from scidraft.note import Task
from structure_tree import Element, artifacts_on, tree_of

NAMES = [note.stem for note in sorted((TESTS.parent / "notes").glob("*.md"))]

EVERYTHING = r"""---
title: "Everything that is $x$"
author: [Ada, Bob]
lang: en
keywords: [one, two]
description: A note with one of each.
subject: Tests
toc: true
bibliography: refs.json
---

# A section {#sec-a}

A footnote.[^one] Some [mot juste]{lang=fr}, `code`, $a^2$, [a page](https://example.org) and @thm-e; see @doe and
[@thm-e]{.page}.

- dash
  1. first
     second line
- [x] done

Term
:   What it is.

| verse
| two

| name | value |
|:-----|------:|
| one  |     1 |

: A table. {#tbl-t}

![A picture.](picture.png){#fig-p}

```python
x = 1
```

> Quoted.

## Below {#sec-b}

::: {.theorem #thm-e title="Euler $e$" by=Euler}
Let $x$ be.[^two]
$$ x = y $$ {#eq-e}
:::

::: {.proof}
A step.

::: {.claim #clm-c}
Inner.
:::

::: {.proof}
Clear.
:::
:::

::: {lang=de}
Ein Absatz.
:::

[^one]: The *first* note.

[^two]: The second.
"""
REFS = '[{"id": "doe", "type": "book", "title": "A book", "author": [{"family": "Doe"}], "issued": {"date-parts": [[2001]]}}]'
FORCED = "\n\n".join(["The table goes on.", "| head | of |\n|---|---|\n" + "\n".join(f"| {n} | {n * n} |" for n in range(90))])


def printed(tmp_path: Path, text: str, **options: Any) -> Path:
    """A note, printed without a word."""
    note = tmp_path / "note.md"
    note.write_text(text)
    (tmp_path / "refs.json").write_text(REFS)
    copyfile(GOLDEN / "picture.png", tmp_path / "picture.png")
    task = Task(tmp_path / "out", ("pdf",), **options)
    tally = build([note], task)
    assert (tally.failed, tally.messages) == (0, 0)
    return task.output(note, "pdf", task.variants[0])


def tree(path: Path) -> Element:
    with pikepdf.open(path) as pdf:
        return tree_of(pdf)


@pytest.fixture(name="everything", scope="module")
def _everything(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pikepdf.Pdf]:
    with pikepdf.open(printed(tmp_path_factory.mktemp("everything"), EVERYTHING)) as pdf:
        yield pdf


# Checkers


@pytest.fixture(autouse=True)
def _mended(monkeypatch: pytest.MonkeyPatch) -> None:
    """pdfua 0.1.3 asks any object for `is_integer`, at which pikepdf raises ValueError: its check of headings never ran."""
    monkeypatch.setattr(pdfua.rules.structure, "as_integer", lambda value: int(value) if isinstance(value, int) else None)


def assert_checked(path: Path) -> None:
    report = validate(str(path))
    assert [(outcome.rule_id, outcome.findings, outcome.skipped_reason) for outcome in report.outcomes if outcome.findings] == []
    assert [outcome.rule_id for outcome in report.outcomes if outcome.skipped_reason] == []
    assert len(report.outcomes) >= 12
    checked = subprocess.run(["qpdf", "--check", path], capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "No syntax or stream encoding errors found" in checked.stdout
    with pikepdf.open(path) as pdf:
        levels = [
            int(element.role[1]) for element in tree_of(pdf).walk() if element.role[0] == "H" and element.role[1:].isdigit()
        ]
        assert levels[0] == 1
        assert all(later <= level + 1 for level, later in pairwise(levels))
        with pdf.open_metadata() as xmp:
            assert xmp["pdfuaid:part"] == "1"


@pytest.mark.parametrize("name", NAMES)
def test_the_checkers_find_nothing_in_the_notes(printed_notes: tuple[Path, Tally], name: str) -> None:
    assert_checked(printed_notes[0] / f"{name}.pdf")


CASES = (
    *("kinds-all", "listing-figure-parts-and-footnotes", "body-starts-with-list", "proof-ends-in-aligned-display"),
    *("reference-in-caption-cell-and-note", "statement-with-everything-inside", "language-japanese", "style-boxed"),
    *("proof-nested", "headings-in-quotes-and-statements", "statement-in-columns-and-divs", "proof-deferred", "index-of-terms"),
)


@pytest.mark.parametrize("case", CASES)
def test_the_checkers_find_nothing_in_golden_cases(case: str, tmp_path: Path) -> None:
    """Also where a case is one that gets messages."""
    for file in GOLDEN.glob("*.png"):
        copyfile(file, tmp_path / file.name)
    for file in (GOLDEN / case).iterdir():
        copyfile(file, tmp_path / file.name)
    (tmp_path / "input.md").write_text("---\ntitle: A case\n---\n\n" + (GOLDEN / case / "input.md").read_text())
    build([tmp_path / "input.md"], Task(tmp_path, ("pdf",)))
    assert_checked(tmp_path / "input.pdf")


@pytest.mark.parametrize("variant", ["", "handout", "instructor", "exam"])
def test_the_checkers_find_nothing_in_variants(variant: str, tmp_path: Path) -> None:
    """`exam` leaves room for solutions."""
    head = "---\ntitle: A sheet\nscidraft: {variants: {exam: {solutions: space, proofs: hidden}}}\n---\n"
    body = (GOLDEN / "variant-note" / "input.md").read_text().split("---\n", 2)[2].replace("../picture.png", "picture.png")
    assert_checked(printed(tmp_path, head + body, variants=(variant,)))


def test_the_checkers_find_nothing_in_a_note_with_everything(everything: pikepdf.Pdf) -> None:
    assert_checked(Path(everything.filename))


# The tree


def test_the_document_says_what_it_is(everything: pikepdf.Pdf) -> None:
    info = {key[1:]: str(value) for key, value in everything.docinfo.items()}
    assert info["Title"] == "Everything that is x"
    assert (info["Author"], info["Keywords"], info["Subject"]) == ("Ada, Bob", "one, two", "A note with one of each.")
    assert str(everything.Root.Lang) == "en"
    assert bool(everything.Root.ViewerPreferences.DisplayDocTitle)
    with everything.open_outline() as outline:
        assert [(str(entry.title), [str(inner.title) for inner in entry.children]) for entry in outline.root] == [
            ("A section", ["Below"]),
            ("References", []),
        ]


def test_statements_and_proofs_are_sections_with_headings(everything: pikepdf.Pdf) -> None:
    sections = [element for element in tree_of(everything).all("Sect") if element.get("/T")]
    assert [section.get("/T") for section in sections] == ["Theorem 1 (Euler e; Euler)", "Proof", "Claim 2", "Proof"]
    assert [section.kids[0].role for section in sections] == ["H4", "H4", "H5", "H5"]
    theorem, proof, claim, _ = sections
    assert theorem.outline == "Sect(H4(Span Formula) P(Formula Reference Span Formula Lbl) Note(Lbl))"
    assert theorem.kids[0].text == "Theorem 1 (Euler e; Euler)."
    assert proof.outline == "Sect(H4 P Sect(H5 P) Sect(H5 P(Span(Span))))"
    assert proof.all("Span")[0].get("/Alt") == "End of proof"
    assert claim.text == "Claim 2. Inner."


def test_headings_go_down_without_a_gap(everything: pikepdf.Pdf) -> None:
    found = [(element.role, element.text) for element in tree_of(everything).walk() if element.role in ("H1", "H2", "H3")]
    assert found == [("H1", "Everything that is x"), ("H2", "A section"), ("H3", "Below"), ("H2", "References")]


def test_a_note_without_title_begins_with_the_first_level(tmp_path: Path) -> None:
    top = tree(printed(tmp_path, "## Low\n\ntext\n\n::: theorem\nx\n:::\n\n#### Lower\n\n# High\n\n## Low\n"))
    assert top.outline == "Document(H1 P Sect(H2 P) H2 H1 H2)"
    assert tree(printed(tmp_path, "::: theorem\nx\n:::\n")).outline == "Document(Sect(H1 P))"


def test_every_formula_has_its_tex(everything: pikepdf.Pdf) -> None:
    formulas = tree_of(everything).all("Formula")
    assert [formula.get("/Alt") for formula in formulas] == ["x", "a^2", "e", "x", "x = y"]
    boxes = [formula.attribute("/BBox") for formula in formulas]
    assert all(0 < left < right < 596 and 0 < low < high < 843 for left, low, right, high in boxes)


def test_a_formula_that_weasyprint_draws_is_one_too(tmp_path: Path) -> None:
    (formula,) = tree(printed(tmp_path, r"A $\cancelto{0}{x}$.")).all("Formula")
    assert formula.get("/Alt") == r"\cancelto{0}{x}"


def test_notes_have_ids_and_follow_their_paragraph(everything: pikepdf.Pdf) -> None:
    top = tree_of(everything)
    notes = top.all("Note")
    assert [(note.get("/ID"), note.text, note.kids[0].role) for note in notes] == [
        ("note-1", "1The first note.", "Lbl"),
        ("note-2", "2The second.", "Lbl"),
    ]
    names = everything.Root.StructTreeRoot.IDTree.Names
    assert {str(names[at]): names[at + 1].objgen for at in (0, 2)} == {note.get("/ID"): note.place for note in notes}
    around = [kid.role for kid in top.kids]
    assert around[around.index("Note") - 1] == "P"


def test_tables_have_headings_with_a_scope(everything: pikepdf.Pdf) -> None:
    (table,) = tree_of(everything).all("Table")
    assert table.outline == "Table(Caption THead(TR(TH TH)) TBody(TR(TD TD)))"
    assert [cell.attribute("/Scope") for cell in table.all("TH")] == ["/Column", "/Column"]
    assert table.kids[0].text == "Table 1. A table."


def test_cells_over_several_columns_and_heads_of_rows(tmp_path: Path) -> None:
    html = "<table><thead><tr><th colspan='2'>a</th></tr></thead><tbody><tr><th>r</th><td>1</td></tr></tbody></table>"
    (table,) = tree(printed(tmp_path, f"```{{=html}}\n{html}\n```\n")).all("Table")
    assert [(cell.attribute("/Scope"), cell.attribute("/ColSpan")) for cell in table.all("TH")] == [
        ("/Column", 2),
        ("/Row", None),
    ]


def test_what_goes_over_pages_is_one_element(tmp_path: Path) -> None:
    text = FORCED + "\n\n" + "Long. " * 900 + "\n\n" + "\n".join(f"- {n}" for n in range(60))
    path = printed(tmp_path, text + "\n\n```{=html}\n<style>table { break-inside: auto }</style>\n```\n")
    with pikepdf.open(path) as pdf:
        assert len(pdf.pages) > 3
        top = tree_of(pdf)
    assert [kid.role for kid in top.kids] == ["P", "Table", "P", "L"]
    table, _, items = top.kids[1:]
    assert len(table.all("TR")) == 91
    assert table.all("TH")[0].text == "head"  # said once, though it stands on each page
    assert len(items.kids) == 60


def test_figures_lists_code_and_quotations(everything: pikepdf.Pdf) -> None:
    top = tree_of(everything)
    outlines = [kid.outline for kid in top.kids]
    assert "Div(Figure Caption)" in outlines
    assert top.all("Figure")[0].get("/Alt") == "A picture."
    assert "L(LI(Lbl LBody(L(LI(Lbl LBody)))) LI(Lbl LBody))" in outlines
    assert "L(LI(Lbl LBody(P)))" in outlines or "L(LI(Lbl LBody))" in outlines
    assert any(outline.startswith("Div(P(Code(") for outline in outlines)
    assert [code.text for code in top.all("Code")] == ["code", "x = 1"]
    assert "BlockQuote(P)" in outlines
    assert [found.attribute("/ListNumbering") for found in top.all("L")][:2] == ["/Disc", "/Decimal"]
    assert outlines[-1] == "L(LI(LBody))"  # the list of references


def test_languages_are_told(everything: pikepdf.Pdf) -> None:
    found = [(element.role, element.get("/Lang"), element.text) for element in tree_of(everything).walk() if element.get("/Lang")]
    assert found == [("Span", "fr", "mot juste"), ("Div", "de", "Ein Absatz.")]


def test_contents_are_contents(everything: pikepdf.Pdf) -> None:
    (contents,) = [element for element in tree_of(everything).kids if element.role == "Sect" and element.all("TOC")]
    assert contents.outline == "Sect(P TOC(TOCI(Link TOC(TOCI(Link))) TOCI(Link)))"
    assert [link.text for link in contents.all("Link")] == ["A section1", "Below2", "References2"]


def test_links_say_what_they_show(everything: pikepdf.Pdf) -> None:
    top = tree_of(everything)
    links = top.all("Link")
    annotations = [annotation for page in everything.pages for annotation in page.get("/Annots", [])]
    assert len(links) == len(annotations) == 6
    assert all(int(annotation.F) == 4 for annotation in annotations)
    assert {str(annotation.Contents) for annotation in annotations} >= {"Theorem 1", "https://example.org", "2"}


def test_running_heads_and_leaders_are_artifacts(everything: pikepdf.Pdf) -> None:
    assert len(everything.pages) == 2
    heads = [kind for kind, _ in artifacts_on(everything.pages[1]) if kind]
    assert heads == ["/Header", "/Header", "/Footer"]
    assert ("", " . ") in {(kind, text[:3]) for kind, text in artifacts_on(everything.pages[0])}
    assert "1 of 2" not in tree_of(everything).text


def test_a_picture_that_only_decorates_is_not_read_out(tmp_path: Path) -> None:
    assert tree(printed(tmp_path, '```{=html}\n<p>a<img src="picture.png" alt="">b</p>\n```\n')).outline == "Document(P)"


def test_a_picture_without_words_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "note.md").write_text("---\ntitle: T\n---\n![](picture.png)\n")
    copyfile(GOLDEN / "picture.png", tmp_path / "picture.png")
    build([tmp_path / "note.md"], Task(tmp_path, ("pdf",)))
    assert 'Image "picture.png" has no required alt description' in capsys.readouterr().err


# PDF/A

ARCHIVED = EVERYTHING.replace("toc: true", "toc: true\nscidraft: {pdf-standard: STANDARD}")


@pytest.mark.parametrize(("asked", "part"), [("pdf/a-2u", 2), ("[pdf/ua-1, PDF/A-3u]", 3), ("pdf/a-3", 3)])
def test_a_note_for_archives_breaks_no_rule(asked: str, part: int, tmp_path: Path) -> None:
    path = printed(tmp_path, ARCHIVED.replace("STANDARD", asked))
    assert broken_rules(path.read_bytes(), part) == []
    assert_checked(path)


@pytest.mark.parametrize("name", ["training-step", "writing"])
def test_notes_that_ship_break_no_rule_either(name: str, tmp_path: Path) -> None:
    tally = build([TESTS.parent / "notes" / f"{name}.md"], Task(tmp_path, ("pdf",), standard="pdf/a-3u"))
    assert (tally.failed, tally.messages) == (0, 0)
    assert broken_rules((tmp_path / f"{name}.pdf").read_bytes(), 3) == []


def test_the_rules_are_seen_to_be_broken(printed_notes: tuple[Path, Tally]) -> None:
    """By a PDF that does not say it follows them."""
    broken = set(broken_rules((printed_notes[0] / "writing.pdf").read_bytes(), 3))
    assert {"identification", "no identifier", "no output intent"} <= broken


def test_the_source_is_attached(tmp_path: Path) -> None:
    with pikepdf.open(printed(tmp_path, ARCHIVED.replace("STANDARD", "pdf/a-3u"))) as pdf:
        assert list(pdf.attachments) == ["note.md"]
        (file,) = pdf.Root.AF
        assert (str(file.AFRelationship), str(file.UF)) == ("/Source", "note.md")
        assert str(file.EF.F.Subtype) == "/text/markdown"
        assert file.EF.F.read_bytes() == (tmp_path / "note.md").read_bytes()
        assert set(file.EF.F.Params.keys()) == {"/CheckSum", "/Size"}


def test_a_variant_does_not_give_away_the_source(tmp_path: Path) -> None:
    path = printed(tmp_path, "---\ntitle: T\n---\n::: exercise\nx\n:::\n", variants=("handout",), standard="pdf/a-3u")
    assert broken_rules(path.read_bytes(), 3) == []
    with pikepdf.open(path) as pdf:
        assert len(pdf.attachments) == 0


def test_the_same_date_gives_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = ARCHIVED.replace("STANDARD", "pdf/a-3u")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    made = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        made.append(printed(tmp_path / name, text).read_bytes())
    assert made[0] == made[1]
    with pikepdf.open(io.BytesIO(made[0])) as pdf:
        dates = pdf.Root.AF[0].EF.F.Params
        assert (str(dates.CreationDate), str(dates.ModDate)) == ("D:20231114221320Z", "D:20231114221320Z")


def test_pictures_for_print_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Image.new("CMYK", (20, 20)).save(tmp_path / "ink.jpg")
    (tmp_path / "note.md").write_text("---\ntitle: T\nscidraft: {pdf-standard: pdf/a-2u}\n---\n![A square](ink.jpg)\n")
    build([tmp_path / "note.md"], Task(tmp_path, ("pdf",)))
    told = "the PDF does not follow PDF/A-2U: a picture has colours for print (CMYK); make it one in RGB"
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("asked", ["pdf/x-4", "[pdf/a-2u, pdf/a-3u]"])
def test_a_standard_there_is_not_is_told(asked: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "note.md").write_text(f"---\ntitle: T\nscidraft: {{pdf-standard: {asked}}}\n---\nx\n")
    build([tmp_path / "note.md"], Task(tmp_path, ("pdf",)))
    assert "one of pdf/ua-1, pdf/a-2u, pdf/a-3u; the default is used" in capsys.readouterr().err
    assert_checked(tmp_path / "note.pdf")


def test_the_command_line_overrides_the_note(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("---\ntitle: T\nscidraft: {pdf-standard: pdf/a-2u}\n---\nx\n")
    arguments = ["build", "--to", "pdf", "-o", str(tmp_path), str(tmp_path / "note.md")]
    for more, part in (([], 2), (["--pdf-standard", "pdf/a-3u"], 3)):
        assert cli.main([*arguments, *more]) == 0
        assert broken_rules((tmp_path / "note.pdf").read_bytes(), part) == []
