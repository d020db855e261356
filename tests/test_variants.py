"""Variants of a note: each shows what it should and nothing else, and all of them have the same numbers, references and ids."""

from __future__ import annotations

import io
import re
import subprocess
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import pikepdf
import pytest

from golden_cases import GOLDEN, pandoc
from scidraft import cli, document, pipeline
from scidraft.build import Tally, build
from scidraft.impose import SHEETS, booklet, impose, two_up
from scidraft.note import Task
from scidraft.points import read_points, said_points
from scidraft.variants import estimate

BODY = (GOLDEN / "variant-note" / "input.md").read_text().split("---\n", 2)[2]
VARIANTS = ("note", "handout", "instructor", "exam", "blank")
HEAD = """---
title: A sheet
graphics: true
scidraft:
  number-within: section
  variants:
    exam: {solutions: space, proofs: hidden, hints: shown}
    blank: {exercises: hidden, theorems: hidden, remarks: hidden, audience: both}
---
"""


def write(variant: str, writer: str, source: str = HEAD + BODY) -> tuple[str, list[str]]:
    """A note's variant as a filter makes it, and what was said."""
    read, _ = pandoc(GOLDEN / "variant-note", ["-t", "json", "-M", f"variant={variant}"], source.encode())
    draft = pipeline.run(pipeline.prepare(document.load(read, writer)), ["statements"])
    options = ["-f", "json", "-t", writer, "--wrap=none", "--standalone"]
    output, _ = pandoc(GOLDEN / "variant-note", options, document.dump(draft.doc).encode())
    return output.decode(), draft.messages.lines()


def body(variant: str, source: str, writer: str = "plain") -> str:
    """What a reader of a short note sees, in one line."""
    text, _ = write(variant, writer, source)
    return " ".join(text.replace("\u00a0", " ").split())


# The same numbers


def test_displays_that_share_a_number_are_one_step_where_they_are_left_out() -> None:
    source = (
        HEAD
        + """
::: {.solution}
::: {.subequations #eq-both}
$$ a = b $$ {#eq-a}

$$ c = d $$ {#eq-b}
:::
:::

By @eq-both, @eq-b and @eq-last.

$$ e = f $$ {#eq-last}
"""
    )
    assert "By Equation (0.1), Equation (0.1b) and Equation (0.2)." in body("handout", source)
    latex, _ = write("handout", "latex", source)
    assert latex.count(r"\refstepcounter{equation}\label{eq-both}") == 1
    assert r"\absentlabel{0.1b}{eq-b}" in latex
    assert "stepcounter{equation}" not in latex.replace(r"\refstepcounter{equation}\label{eq-both}", "")


def ids(page: str) -> list[str]:
    found = set(re.findall(r'\bid="([^"]+)"', page.partition("<body>")[2]))
    # Heads are named for screen readers; a head that is hidden needs no name.
    return sorted(name for name in found if not name.endswith("-head"))


def references(page: str) -> dict[str, str]:
    """What the references in a page's last exercise say, by where they lead."""
    exercise = page[page.index('id="exr-last"') :].partition("</div>")[0]
    links = re.findall(r'<a href="#([^"]+)" class="ref">(.*?)</a>', exercise)
    return {target: re.sub("<[^>]*>", "", words) for target, words in links}


def test_every_variant_has_all_ids() -> None:
    first = ids(write("note", "html")[0])
    assert {"sec-tutors", "fig-hidden", "eq-rows", "eq-division", "clm-rest", "here"} <= set(first)
    for variant in VARIANTS:
        assert ids(write(variant, "html")[0]) == first, variant


def test_references_say_the_same_in_every_variant() -> None:
    expected = {
        "rem-zero": "Remark\u00a07b",
        "sec-tutors": "Section\u00a02",
        "fig-hidden": "Figure\u00a01",
        "eq-rows": "Equation\u00a0(1.2)",
        "eq-tagged": "Equation\u00a0(E)",
        "lem-hidden": "Lemma\u00a02.1",
        "eq-last": "Equation\u00a0(3.1)",
    }
    for variant in ("note", "handout", "instructor", "exam"):
        assert references(write(variant, "html")[0]) == expected, variant


def test_latex_counts_the_same_in_every_variant(tmp_path: Path) -> None:
    numbers = {variant: _numbers(variant, tmp_path) for variant in VARIANTS}
    first = numbers["note"]
    assert first["eq-rows"] == "1.2"
    assert (first["lem-hidden"], first["exr-last"], first["fig-last"]) == ("2.1", "3.1", "2")
    for variant in VARIANTS:
        assert numbers[variant].keys() == first.keys(), variant
        # What has no number has a place alone: LaTeX gives its label whatever was counted last.
        without = {"prf-a", "sol-a", "here"}
        assert {key: number for key, number in numbers[variant].items() if key not in without} == {
            key: number for key, number in first.items() if key not in without
        }, variant


def _numbers(variant: str, folder: Path) -> dict[str, str]:
    r"""The number of each \newlabel in LaTeX's .aux file."""
    (folder / f"{variant}.tex").write_text(write(variant, "latex")[0])
    command = ["pdflatex", "-draftmode", "-interaction=nonstopmode", "-halt-on-error", f"-output-directory={folder}"]
    for _ in range(2):
        run = subprocess.run(
            [*command, str(folder / f"{variant}.tex")], cwd=GOLDEN / "variant-note", capture_output=True, check=False
        )
    assert run.returncode == 0, run.stdout[-2000:]
    assert b"undefined references" not in run.stdout
    labels = re.findall(
        r"^\\newlabel\{([^{}]*)\}\{\{((?:[^{}]|\{[^{}]*\})*)\}", (folder / f"{variant}.aux").read_text(), re.MULTILINE
    )
    return {key: number.strip("{}") for key, number in labels}


def test_steps_of_a_hidden_proof_count_as_its_steps() -> None:
    source = (
        "::: proof\n::: {.step #stp-a}\nA.\n:::\n:::\n\n::: proof\n::: {.step #stp-b}\nB.\n:::\n:::\n\nSee @stp-a and @stp-b.\n"
    )
    assert "See Step 1 and Step 1." in body("handout", source)
    latex, _ = write("handout", "latex", source)
    assert latex.count("\\refstepcounter{step}\\label{stp-") == 2
    hidden, _ = write("own", "latex", "---\nscidraft: {variants: {own: {proofs: hidden}}}\n---\n" + source)
    assert hidden.count("\\setcounter{step}{0}%\n\\refstepcounter{step}\\label{stp-") == 2


# What is shown


@pytest.mark.parametrize(
    ("variant", "there", "gone"),
    [
        ("note", "Solution. Hint. student", "instructor"),
        ("handout", "student", "Solution. Hint. instructor"),
        ("instructor", "Solution. Hint. instructor", "student"),
    ],
)
def test_shipped_variants(variant: str, there: str, gone: str) -> None:
    source = """
::: solution
It is so.
:::

::: hint
Hint.
:::

For [the student]{.only-student}[the instructor]{.only-instructor}.
"""
    text = body(variant, source)
    assert [word for word in there.split() if word not in text] == []
    assert [word for word in gone.split() if word in text] == []


def test_sentences_close_up() -> None:
    source = "One [two]{.only-instructor} three [four]{.hint}. [Five]{.hint}\n\n[Alone.]{.only-instructor}\n\nEnd.\n"
    text, _ = write("handout", "native", source)
    assert body("handout", source) == "One three. End."
    assert text.count("Para [") == 2


def test_room_is_left_below_the_head() -> None:
    page, _ = write("handout", "html", '::: {.proof space="3 lines"}\nSo it is.\n:::\n')
    assert "<em>Proof</em>" in page
    assert page.count('class="answer-line"') == 3
    assert "So it is" not in page
    assert 'class="qed"' not in page
    latex, _ = write("handout", "latex", '::: {.proof space="lines 4cm"}\nSo it is.\n:::\n')
    assert "\\answerlines{5}{8mm}{\\hrulefill}" in latex
    latex, _ = write("handout", "latex", '::: {.proof space="5cm"}\nSo it is.\n:::\n')
    assert "\\vspace*{5cm}" in latex


def test_a_hidden_solution_that_asks_for_space_gets_it() -> None:
    page, _ = write("handout", "html", '::: {.solution space="blank"}\nSo it is.\n:::\n\n::: solution\nGone.\n:::\n')
    assert page.count("<em>Solution</em>") == 1
    assert page.count('class="answer-space blank"') == 1


def test_an_exercise_has_space_where_solutions_are_not_shown() -> None:
    source = '::: {.exercise space="4cm"}\nDo it.\n:::\n'
    assert "height: 4cm" in write("handout", "html", source)[0]
    assert "height: 4cm" not in write("instructor", "html", source)[0]
    assert "4cm" not in write("note", "html", source)[0].partition("<body>")[2]


def test_room_grows_with_what_is_hidden() -> None:
    def lines(text: str) -> int:
        return estimate(document.read_markup([text])[0])

    assert lines("Clear.") == 3
    assert lines("word " * 100) == 13
    assert lines("$$\na\n$$\n\n$$\na \\\\ b\n$$") == 7
    assert lines("word " * 10_000) == 40


def test_lists_and_links_pass_over_what_is_hidden() -> None:
    source = """---
scidraft: {proof-links: arrow, variant: own, variants: {own: {proofs: hidden}}}
---

::: {.theorem #thm-a}
Two.
:::

::: {.proof of=thm-a}
Yes.
:::

::: only-instructor
::: lemma
Three [bytes]{.dfn}.
:::
:::

Four [bytes]{.dfn}.

::: list-of-statements
:::

::: index-of-terms
:::
"""
    assert body("own", source) == "Theorem 1. Two. Four bytes. - Theorem 1 - bytes"


def test_footnotes_that_are_shown_count() -> None:
    source = "One[^a]. [Two[^b].]{.only-instructor} Three[^c], see @fn-c.\n\n[^a]: A.\n\n[^b]: B.\n\n[^c]: []{#fn-c} C.\n"
    assert "Three[2], see footnote 2." in body("note", source)
    assert "Three[3], see footnote 3." in body("instructor", source)


# Points


def test_points_are_in_the_head_and_add_up() -> None:
    source = """
::: {.exercise points=5 title="Sums"}
Add.
:::

::: {.exercise points="2.5"}
Multiply.
:::

::: only-instructor
::: {.exercise points=10}
Divide.
:::
:::

::: points-total
:::
"""
    handout = "Exercise 1 (Sums; 5 points). Add. Exercise 2 (2.5 points). Multiply. 7.5 points"
    assert body("handout", source) == handout
    assert body("instructor", source).endswith("Exercise 3 (10 points). Divide. 17.5 points")
    hidden = "---\nscidraft: {variants: {handout: {points: hidden}}}\n---\n" + source
    assert body("handout", hidden).startswith("Exercise 1 (Sums). Add. Exercise 2. Multiply.")


def test_nothing_to_add_up_is_told() -> None:
    _, said = write("note", "html", "::: points-total\n:::\n")
    assert said == ["scidraft: warning: there is nothing to add up for `.points-total`: no exercise that is shown has `points=`"]


@pytest.mark.parametrize(
    ("language", "number", "expected"),
    [
        ("en", "1", "1 point"),
        ("en-GB", "0.5", "0.5 points"),
        ("de", "2.5", "2,5 Punkte"),
        ("fr", "1.5", "1,5 point"),
        ("ru", "2", "2 балла"),
        ("ru", "5", "5 баллов"),
        ("pl", "22", "22 punkty"),
        ("ja", "3", "3点"),
        ("zh-TW", "3", "3 分"),
    ],
)
def test_points_in_the_form_of_the_language(language: str, number: str, expected: str) -> None:
    assert said_points(Decimal(number), language) == expected.replace(" ", "\u00a0")


def test_reading_points() -> None:
    assert [read_points(text) for text in ("5", "2,5", " 0 ", "-1", "five", "nan")] == [5, Decimal("2.5"), 0, None, None, None]


# Building


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a note and a bibliography, which is also where the build runs."""
    monkeypatch.chdir(tmp_path)
    entries = (f"@book{{{name}, author = {{{name.title()}, A.}}, title = {{On}}, year = 2001}}\n" for name in ("one", "two"))
    (tmp_path / "books.bib").write_text("".join(entries))
    (tmp_path / "numeric.csl").write_text(CSL)
    (tmp_path / "note.md").write_text(
        "---\ntitle: A note\nbibliography: books.bib\ncsl: numeric.csl\n---\n\n"
        "::: {.exercise #exr-a}\nDo it.\n:::\n\n::: {.solution of=exr-a}\nDone, see [@one].\n:::\n\nRead [@two].\n"
    )
    return tmp_path


CSL = """<style xmlns="http://purl.org/net/xbiblio/csl" version="1.0" class="in-text">
<info><title>n</title><id>n</id><updated>2020-01-01T00:00:00Z</updated></info>
<citation><layout prefix="[" suffix="]" delimiter=","><text variable="citation-number"/></layout></citation>
<bibliography><layout><text variable="citation-number" suffix=". "/><names variable="author"/></layout></bibliography></style>"""


def make(*variants: str, formats: Sequence[str] = ("html",)) -> Tally:
    return build([Path("note.md")], Task(Path("build"), tuple(formats), variants=variants), jobs=1)


def test_variants_are_written_beside_the_note(home: Path) -> None:
    tally = make("", "handout", formats=("html", "pdf", "latex"))
    assert (tally.notes, tally.failed, tally.written) == (1, 0, 6)
    names = sorted(path.name for path in (home / "build").glob("*.*") if path.is_file())
    assert names == ["note-handout.html", "note-handout.pdf", "note-handout.tex", "note.html", "note.pdf", "note.tex"]
    page = (home / "build" / "note-handout.html").read_text()
    assert 'href="note-handout.pdf"' in page
    assert "Done" not in page
    assert "Done" in (home / "build" / "note.html").read_text()


def test_citations_have_the_same_numbers(home: Path) -> None:
    make("", "handout")
    for name in ("note", "note-handout"):
        assert re.search(r"Read <span[^>]*>(<a[^>]*>)?\[2\]", (home / "build" / f"{name}.html").read_text()), name


def test_only_what_is_out_of_date_is_built(home: Path) -> None:
    assert make("handout").written == 1
    assert make("handout").notes == 0
    assert make("", "handout").written == 1
    assert make("", "handout", "instructor").written == 1


def test_an_unknown_variant_is_told(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tally = make("", "nix")
    assert (tally.failed, tally.written) == (1, 1)
    told = "scidraft: note.md: error: there is no variant `nix`; those of this note are handout, instructor, note"
    assert capsys.readouterr().err.splitlines() == [told]


def test_the_command_line_names_variants(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["build", "--variant", "note,handout", "note.md"]) == 0
    assert capsys.readouterr().out == "scidraft: 1 note, 2 files written to build\n"
    (home / "note-handout.md").write_text("Another.\n")
    assert cli.main(["build", "--variant", "note,handout", "note.md", "note-handout.md"]) == 2
    assert "would both be written to note-handout.*" in capsys.readouterr().err


def test_a_wide_margin_moves_the_text(home: Path) -> None:
    metadata = "scidraft: {variants: {handout: {margin: wide}}}"
    (home / "note.md").write_text(f"---\n{metadata}\n---\n\nMargin.\n")
    make("", "handout", formats=("pdf",))
    assert _left("note") - _left("note-handout") > 50


def _left(name: str) -> float:
    layout = subprocess.run(["pdftotext", "-bbox", f"build/{name}.pdf", "-"], capture_output=True, text=True, check=True).stdout
    match = re.search(r'xMin="([\d.]+)"[^>]*>Margin', layout)
    assert match
    return float(match[1])


# Sheets


def test_the_order_of_pages() -> None:
    assert two_up(3) == [(0, 1), (2, None)]
    assert booklet(8) == [(7, 0), (1, 6), (5, 2), (3, 4)]
    assert booklet(5) == [(None, 0), (1, None), (None, 2), (3, 4)]
    assert booklet(1) == [(None, 0), (None, None)]


@pytest.fixture(name="pages", scope="module")
def _pages() -> bytes:
    """A PDF of five A4 pages, each with its number."""
    made = pikepdf.new()
    for number in range(1, 6):
        page = made.add_blank_page(page_size=(595.276, 841.89))
        font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
        page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=font))
        page.Contents = made.make_stream(f"BT /F 40 Tf 280 400 Td (p{number}) Tj ET".encode())
    content = io.BytesIO()
    made.save(content)
    return content.getvalue()


@pytest.mark.parametrize(
    ("layout", "expected"),
    [("two-up", ["p1 p2", "p3 p4", "p5"]), ("booklet", ["p1", "p2", "p3", "p4 p5"])],
)
@pytest.mark.parametrize("paper", SHEETS)
def test_two_pages_stand_on_each_side(layout: str, expected: list[str], paper: str, pages: bytes, tmp_path: Path) -> None:
    made = impose(pages, "booklet" if layout == "booklet" else "two-up", paper)
    assert made == impose(pages, "booklet" if layout == "booklet" else "two-up", paper)
    (tmp_path / "sheets.pdf").write_bytes(made)
    with pikepdf.open(tmp_path / "sheets.pdf") as sheets:
        assert [float(edge) for edge in sheets.pages[0].mediabox[2:]] == pytest.approx(SHEETS[paper])
    text = subprocess.run(
        ["pdftotext", "-layout", str(tmp_path / "sheets.pdf"), "-"], capture_output=True, text=True, check=True
    ).stdout
    assert [" ".join(page.split()) for page in text.split("\f")[:-1]] == expected


def test_the_command_imposes(pages: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.pdf").write_bytes(pages)
    assert cli.main(["impose", "--booklet", str(tmp_path / "in.pdf"), "-o", str(tmp_path / "out.pdf")]) == 0
    with pikepdf.open(tmp_path / "out.pdf") as sheets:
        assert len(sheets.pages) == 4
    (tmp_path / "in.pdf").write_text("no PDF")
    assert cli.main(["impose", str(tmp_path / "in.pdf"), "-o", str(tmp_path / "out.pdf")]) == 1
    assert "in.pdf` is no PDF that can be read" in capsys.readouterr().err
