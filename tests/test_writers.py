"""What every other pandoc writer makes of statements: the right numbers and heads, links that lead there, and never an error."""

from __future__ import annotations

import io
import json
import re
import subprocess
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Callable

import pytest

from scidraft import document, paths, pipeline

NOTE = """---
title: Writers
---

# One {#sec-one}

::: {.theorem #thm-a title="Euler *et al.*" .fragment}
There is $x$, as in @eq-h.

$$a = b$$ {#eq-h}

1. First.
2. Second.
:::

::: {.proof of="thm-a"}
It follows.
:::

::: {.lemma #lem-b}
- list first
- second
:::

::: proof
$$x = y$$
:::

::: {.lemma .unnumbered}
Outer.

::: {.claim #clm-c}
Inner.
:::
:::

# Two

::: incremental
- a
- b
:::

Before.

. . .

By @thm-a, [@lem-b] and @clm-c, @eq-h, @sec-one.
"""

#: Styles beyond those of amsthm.
STYLED = """---
scidraft:
  styles:
    fancy: {head: italic smallcaps, body: italic, punctuation: ":", space-above: 12pt, indent: 1em}
    marked: {head: sans, break: true, end-mark: ◁}
    proof: {end-mark: ■}
  kinds: {lemma: {style: fancy}, example: {style: marked}, theorem: {style: boxed}}
---

::: lemma
Fancy.
:::

::: example
Marked.
:::

::: theorem
Boxed.
:::

::: corollary
Plain.
:::

::: proof
Done.
:::
"""

Write = Callable[..., bytes]
NBSP = "\u00a0"


def write(writer: str, text: str = NOTE, *options: str, reader: str = "markdown") -> bytes:
    """A note read, taken through the statement passes and written by pandoc."""
    read = subprocess.run([paths.pandoc(), "-f", reader, "-t", "json"], input=text.encode(), capture_output=True, check=True)
    draft = pipeline.run(pipeline.prepare(document.load(read.stdout, writer)), ["statements"])
    assert not draft.messages.lines()
    command = [paths.pandoc(), "-f", "json", "-t", writer, "--wrap=none", "-o", "-", *options]
    result = subprocess.run(command, input=document.dump(draft.doc).encode(), capture_output=True, check=False)
    assert not result.returncode, result.stderr.decode()
    # Displays of several lines are too much for a writer without mathematics, with us and without us.
    said = [
        warning
        for warning in result.stderr.decode().split("[WARNING] ")
        if warning and "Could not convert TeX math" not in warning
    ]
    assert not said
    return result.stdout


def text(writer: str, source: str = NOTE, *options: str) -> str:
    return write(writer, source, *options).decode()


def member(archive: bytes, name: str) -> str:
    return zipfile.ZipFile(io.BytesIO(archive)).read(name).decode()


# Word processors


def test_word_has_styles_for_paragraphs_and_heads() -> None:
    archive = write("docx")
    body = member(archive, "word/document.xml")
    space = {"w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main"}
    w = f"{{{space['w']}}}"
    paragraphs = ET.fromstring(body).findall(".//w:p", space)
    shown = []
    for paragraph in paragraphs:
        style = paragraph.find("w:pPr/w:pStyle", space)
        words = "".join(run.text or "" for run in paragraph.iter(f"{w}t"))
        shown.append((style.get(f"{w}val") if style is not None else None, words))
    assert ("Theorem", f"Theorem{NBSP}1 (Euler et al.). There is , as in Equation{NBSP}(1).") in shown
    assert ("Proof", f"Proof of Theorem{NBSP}1. It follows.{NBSP}□") in shown
    assert ("Lemma", f"Lemma{NBSP}2.") in shown
    assert ("Claim", f"Claim{NBSP}3. Inner.") in shown
    heads = [
        "".join(run.itertext())
        for run in ET.fromstring(body).iter(f"{w}r")
        if run.find("w:rPr/w:rStyle[@w:val='TheoremHead']", space)
    ]
    assert f"Theorem{NBSP}1" in heads or body.count('w:rStyle w:val="TheoremHead"') >= 1
    styles = member(archive, "word/styles.xml")
    for name in ("Theorem", "Theorem Head", "Proof", "Proof Head", "Lemma"):
        assert f'<w:name w:val="{name}" />' in styles


def test_words_references_lead_to_bookmarks() -> None:
    body = member(write("docx"), "word/document.xml")
    bookmarks = set(re.findall(r'<w:bookmarkStart [^>]*w:name="([^"]*)"', body))
    links = re.findall(r'<w:hyperlink w:anchor="([^"]*)"', body)
    assert links == ["eq-h", "thm-a", "thm-a", "lem-b", "clm-c", "eq-h", "sec-one"]
    assert set(links) <= bookmarks


def test_opendocument_has_styles_and_places_that_links_find() -> None:
    archive = write("odt")
    body = member(archive, "content.xml")
    assert '<text:p text:style-name="Theorem"><text:span text:style-name="Theorem_20_Head">' in body.replace(
        "Theorem Head", "Theorem_20_Head"
    )
    assert '<text:section text:name="thm-a">' in body
    assert 'xlink:href="#thm-a"' in body


# Web books and slides


def test_epub_links_into_the_right_chapter() -> None:
    archive = write("epub3", NOTE, "--epub-title-page=false")
    chapters = {name: member(archive, name) for name in zipfile.ZipFile(io.BytesIO(archive)).namelist() if "/ch" in name}
    (home,) = (name for name, page in chapters.items() if 'id="thm-a"' in page)
    (other,) = (name for name, page in chapters.items() if "Before." in page)
    assert home != other
    assert f'href="{home.rpartition("/")[2]}#thm-a" class="ref"' in chapters[other]
    assert f'href="{home.rpartition("/")[2]}#eq-h" class="ref"' in chapters[other]


def test_revealjs_keeps_fragments_and_links_as_it_wants_them() -> None:
    page = text("revealjs")
    assert '<div id="thm-a" class="statement theorem plain fragment"' in page
    assert page.count('<li class="fragment">') == 2
    assert '<div class="fragment">' in page
    assert 'href="#/thm-a"' in page
    assert 'href="#thm-a"' not in page


def test_beamer_keeps_pauses_and_overlays() -> None:
    source = text("beamer")
    assert source.count("\\begin{itemize}[<+->]") == 1
    assert "Before.\n\n\\pause\n\nBy Theorem~\\ref{thm-a}" in source
    assert source.count("\\begin{frame}") == source.count("\\end{frame}") == 2
    assert "\\begin{theorem}[{Euler \\emph{et al.}}]\\label{thm-a}" in source


# Typst


def test_typst_has_native_labels_and_references() -> None:
    source = text("typst")
    assert (
        '#statement("Theorem", "1", italic: true)[\n#statement-head[#strong[Theorem~1] (Euler #emph[et al.]).] There is $x$'
        in source
    )
    assert "] <thm-a>\n" in source
    assert '#ref(label("thm-a"), supplement: [Theorem])' in source
    assert '#math.equation(block: true, numbering: (..) => "(1)", $ a = b $) <eq-h>' in source
    assert '#ref(label("eq-h"), supplement: [Equation])' in source
    assert "It follows.#h(1fr)□" in source


def test_typst_gets_its_functions_once_and_boxes_in_colour() -> None:
    settings = "{styles: {boxed: {frame: navy, space-above: 9pt}}, kinds: {lemma: {style: boxed}}}"
    styled = f"---\nscidraft: {settings}\n---\n\n::: lemma\nA\n:::"
    source = text("typst", styled, "-s")
    assert source.count("#let statement(") == 1
    assert '#statement("Lemma", "1", frame: rgb("#000080"), above: 9pt)[' in source


def test_filter_twice_changes_nothing_in_typst() -> None:
    read = subprocess.run([paths.pandoc(), "-t", "json"], input=NOTE.encode(), capture_output=True, check=True)
    once = document.dump(pipeline.run(pipeline.prepare(document.load(read.stdout, "typst")), ["statements"]).doc)
    assert document.dump(pipeline.run(pipeline.prepare(document.load(once, "typst")), ["statements"]).doc) == once


# Journals


def test_jats_has_statement_elements() -> None:
    tree = ET.fromstring(text("jats_archiving", NOTE, "-s").replace("xlink:", ""))
    statements = {statement.get("id"): statement for statement in tree.iter("statement")}
    theorem = statements["thm-a"]
    assert theorem.get("content-type") == "theorem"
    assert theorem.findtext("label") == f"Theorem{NBSP}1"
    title = theorem.find("title")
    assert title is not None and "".join(title.itertext()) == "Euler et al."
    assert title.findtext("italic") == "et al."
    assert [child.tag for child in theorem] == ["label", "title", "p", "p", "list"]
    proof = next(statement for statement in tree.iter("statement") if statement.get("content-type") == "proof")
    label = proof.find("label/xref")
    assert label is not None and (label.get("rid"), label.text) == ("thm-a", f"Theorem{NBSP}1")
    assert [p.text for p in proof.findall("p")] == [f"It follows.{NBSP}□"]


def test_jats_numbers_displays_and_leaves_no_reference_without_its_target() -> None:
    tree = ET.fromstring(text("jats_archiving", NOTE, "-s"))
    (group,) = tree.iter("disp-formula-group")
    assert (group.get("id"), group.findtext("label")) == ("eq-h", "(1)")
    assert group.find("disp-formula") is not None
    ids = {element.get("id") for element in tree.iter()}
    assert {reference.get("rid") for reference in tree.iter("xref")} <= ids


def test_nested_statement_is_an_element_inside_its_parent() -> None:
    tree = ET.fromstring(text("jats_archiving", NOTE, "-s"))
    inner = [statement.get("id") for outer in tree.iter("statement") for statement in outer.findall("statement")]
    assert inner == ["clm-c"]


# Text


def test_github_markdown_has_no_divs_but_anchors() -> None:
    source = text("gfm")
    assert '<a id="thm-a"></a>**Theorem\u00a01** (Euler *et al.*). There is $`x`$, as in [Equation\u00a0(1)](#eq-h).' in source
    assert "a = b \\tag{1}" in source
    assert "x = y \\tag*{□}" in source
    assert "*Proof of [Theorem\u00a01](#thm-a)*. It follows.\u00a0□" in source
    assert '# <a id="sec-one"></a>One' in source
    assert "By [Theorem\u00a01](#thm-a), [Lemma\u00a02](#lem-b) and [Claim\u00a03](#clm-c), [Equation\u00a0(1)](#eq-h)" in source
    assert re.findall(r"<(?:div|span)[^>]*>", source) == ['<div class="incremental">']


def test_commonmark_shows_numbers_beside_formulas_it_cannot_keep_as_tex() -> None:
    source = text("commonmark")
    assert "*a*\u2004=\u2004*b*" in source and "\u00a0(1)" in source
    assert "tag" not in source
    assert "<div" not in source.replace('<div class="incremental">', "")


def test_pandocs_markdown_has_its_own_anchors() -> None:
    source = text("markdown")
    assert "[]{#thm-a}**Theorem\u00a01** (Euler *et al.*). There is $x$, as in [Equation\u00a0(1)](#eq-h)." in source
    assert "[]{#eq-h}$$a = b \\tag{1}$$" in source
    assert re.findall(r"::: .*", source) == ["::: incremental"]
    # Read and written again it says the same.
    again = subprocess.run(
        [paths.pandoc(), "-t", "markdown", "--wrap=none"], input=source.encode(), capture_output=True, check=True
    )
    assert again.stdout.decode() == source


def test_plain_text_reads_as_text() -> None:
    assert text("plain") == (
        "One\n\n"
        f"Theorem{NBSP}1 (Euler et al.). There is x, as in Equation{NBSP}(1).\n\n"
        f"a\u2004=\u2004b\n{NBSP}(1)\n\n"
        "1.  First.\n2.  Second.\n\n"
        f"Proof of Theorem{NBSP}1. It follows.{NBSP}□\n\n"
        f"Lemma{NBSP}2.\n\n- list first\n- second\n\n"
        f"Proof.\n\nx\u2004=\u2004y\n{NBSP}□\n\n"
        f"Lemma. Outer.\n\nClaim{NBSP}3. Inner.\n\n"
        "Two\n\n- a\n- b\n\nBefore.\n\n. . .\n\n"
        f"By Theorem{NBSP}1, Lemma{NBSP}2 and Claim{NBSP}3, Equation{NBSP}(1), Section “One”.\n"
    )


@pytest.mark.parametrize("writer", ["gfm", "commonmark", "plain", "typst", "jats", "docx", "odt", "rst", "markdown"])
def test_lines_of_a_display_keep_their_numbers(writer: str) -> None:
    note = "\\begin{align}\na &= b \\label{eq-x}\\\\ c &= d\n\\end{align}\n\nBy @eq-x."
    written = write(writer, note)
    name = {"docx": "word/document.xml", "odt": "content.xml"}.get(writer)
    shown = member(written, name) if name else written.decode()
    assert re.search(r"\(1\)|tag\{1\}", shown) and re.search(r"\(2\)|tag\{2\}", shown)
    assert re.search(rf"Equation(?:{NBSP}|~)\(1\)", shown)


# Notebooks


def test_notebook_keeps_its_cells() -> None:
    cells = [
        {
            "cell_type": "markdown",
            "id": "a",
            "metadata": {},
            "source": ["::: {.theorem #thm-a}\n", "Text.\n", ":::\n", "\n", "By @thm-a."],
        },
        {
            "cell_type": "code",
            "id": "b",
            "metadata": {"tags": ["x"]},
            "execution_count": 1,
            "source": ["print('hi')"],
            "outputs": [{"output_type": "stream", "name": "stdout", "text": ["hi\n"]}],
        },
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    written = json.loads(write("ipynb", json.dumps(notebook), reader="ipynb+fenced_divs+citations"))
    assert written["cells"][1] == cells[1]
    assert written["cells"][0]["id"] == "a"
    assert "".join(written["cells"][0]["source"]) == (
        '<a id="thm-a"></a>**Theorem\u00a01**. Text.\n\nBy [Theorem\u00a01](#thm-a).'
    )


# All the others

OTHERS = [
    "asciidoc",
    "asciidoc_legacy",
    "bbcode",
    "chunkedhtml",
    "commonmark_x",
    "context",
    "djot",
    "docbook4",
    "docbook5",
    "dokuwiki",
    "dzslides",
    "fb2",
    "haddock",
    "html4",
    "icml",
    "jats_articleauthoring",
    "jats_publishing",
    "jira",
    "man",
    "markdown_mmd",
    "markdown_phpextra",
    "markdown_strict",
    "markua",
    "mediawiki",
    "ms",
    "muse",
    "opendocument",
    "org",
    "pptx",
    "rst",
    "rtf",
    "s5",
    "slideous",
    "slidy",
    "tei",
    "texinfo",
    "textile",
    "vimdoc",
    "xwiki",
    "zimwiki",
]


@pytest.mark.parametrize(
    "writer",
    OTHERS,
)
def test_other_writers_say_the_same(writer: str) -> None:
    written = write(writer)
    if writer in ("chunkedhtml", "pptx"):
        archive = zipfile.ZipFile(io.BytesIO(written))
        shown = "".join(archive.read(name).decode() for name in archive.namelist() if name.endswith((".html", ".xml")))
    else:
        shown = written.decode()
    shown = re.sub(r"<[^>]*>|[*_'~\\{}]", "", shown)
    for name in ("Theorem", "Lemma", "Claim", "Proof of"):
        assert name in shown
    if writer in ("docbook5", "icml", "tei", "fb2", "opendocument"):
        # Without the declarations of the template there are prefixes that mean nothing.
        ET.fromstring(
            f"<all>{re.sub(r'([ </])[a-z]+:', lambda match: match[1], re.sub('<[?][^>]*>', '', written.decode()))}</all>"
        )


# Styles from data


def test_page_gets_rules_for_the_styles_that_have_none() -> None:
    page = text("html", STYLED, "-s")
    page = page.replace("\n  ", "\n")
    rules = page.rpartition("<style>")[2].partition("</style>")[0]
    assert ".statement.fancy { font-style: italic; --sd-emphasis: normal; --sd-stop: 400; margin-top: 12pt; }\n" in rules
    assert ".statement.fancy > p:first-child { text-indent: 1em; }\n" in rules
    assert ".statement.boxed { font-style: normal; --sd-emphasis: italic; --sd-stop: 700; }" in rules
    assert ".statement.boxed { padding: .7em 1em; border: 1px solid" in rules
    assert ".statement.marked .statement-head { font-family: var(--sd-sans, sans-serif); }" in rules
    # Plain is in statements.css.
    assert ".statement.plain {" not in rules


def test_heads_and_marks_follow_the_style() -> None:
    page = text("html", STYLED)
    assert '<span class="statement-label"><em><span class="smallcaps">Lemma' in page
    assert '</span><span class="statement-stop">:</span></span> Fancy.</p>' in page
    # On a line of its own, without bold or italics; the mark is for the eye alone.
    assert (
        '<div class="statement example marked head-alone">\n<p><span class="statement-head"><span class="statement-label">Example'
        in page
    )
    assert 'Marked.<span class="qed-place">\u00a0<span class="qed sign" aria-hidden="true">◁</span></span></p>' in page
    assert '<span class="qed sign" role="img" aria-label="End of proof">■</span>' in page


def test_amsthms_styles_need_no_rules() -> None:
    page = text("html", NOTE, "-s").replace("\n  ", "\n")
    assert page.count("<style>\n/* Statements") == 1
    assert "<style>\n.statement." not in page
