"""Every golden case in every kind of output: heads with the right numbers, links that lead somewhere, and never an error."""

from __future__ import annotations

import io
import re
import subprocess
import zipfile
from functools import cache
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree

import pytest

import golden_cases
from golden_cases import CASES, GOLDEN, Result
from scidraft.messages import Messages
from scidraft.wording import Wording

#: Writers whose output is text that a person reads as it is, with no more than a few marks.
TEXT = ("plain", "gfm", "typst")
PAGES = ("html5", "revealjs")

_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


@cache
def _run(case: str, writer: str) -> Result:
    return golden_cases.run(case, writer, "--standalone", "-o", "-")


def _heads(case: str, result: Result) -> list[str]:
    """ "Theorem 1" and the like, for all statements of a case that have a number."""
    if case.startswith("variant"):
        # What is for other readers is counted, but not shown.
        return []
    draft = result.draft
    return [
        f"{Wording(draft.settings, Messages(), statement.language).name(statement.noun)} {statement.number}"
        for statement in draft.catalogue.statements
        if statement.number
    ]


def _normal(text: str) -> str:
    return " ".join(text.replace("\u00a0", " ").split())


class _Page(HTMLParser):
    """The text, the ids and the inner links of an HTML file."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.text: list[str] = []
        self.ids: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.skipping = False
        self.feed(source)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        self.skipping = tag in ("style", "script", "title")
        if values.get("id"):
            self.ids.append(values["id"] or "")
        if tag == "a" and values.get("href"):
            self.links.append((values["href"] or "", values.get("class") or ""))

    def handle_endtag(self, tag: str) -> None:
        self.skipping = False

    def handle_data(self, data: str) -> None:
        if not self.skipping:
            self.text.append(data)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("writer", PAGES)
def test_page(case: str, writer: str) -> None:
    result = _run(case, writer)
    page = _Page(result.text)
    text = _normal("".join(page.text))
    assert [head for head in _heads(case, result) if head not in text] == []
    doubled = {identifier for identifier in page.ids if page.ids.count(identifier) > 1}
    assert not doubled
    # reveal.js opens the slide that holds an id by #/id.
    inner = [link.removeprefix("#").removeprefix("/") for link, _ in page.links if link.startswith("#")]
    assert [link for link in inner if link not in page.ids] == []


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("writer", TEXT)
def test_text(case: str, writer: str) -> None:
    result = _run(case, writer)
    text = result.text.replace("~", " ") if writer == "typst" else result.text
    # Marks of emphasis and escapes are part of these formats; what they stand for is the same.
    text = _normal(re.sub(r"[*_\\]|<[^>]*>", "", text)).replace("’", "'")
    heads = [re.sub(r"[*_\\]", "", head).replace("’", "'") for head in _heads(case, result)]
    assert [head for head in heads if head not in text] == []


@pytest.mark.parametrize("case", CASES)
def test_word_document(case: str) -> None:
    result = _run(case, "docx")
    with zipfile.ZipFile(io.BytesIO(result.output)) as archive:
        parts = [ElementTree.fromstring(archive.read(f"word/{name}.xml")) for name in ("document", "footnotes")]
    # pandoc puts heads and bodies into runs of their own; a tab or a break is a space.
    text = _normal(
        " ".join(
            "".join(node.text or "" for node in paragraph.iter(f"{_WORD}t"))
            for part in parts
            for paragraph in part.iter(f"{_WORD}p")
        )
    )
    assert [head for head in _heads(case, result) if head not in text] == []
    bookmarks = {node.get(f"{_WORD}name") for part in parts for node in part.iter(f"{_WORD}bookmarkStart")}
    anchors = {node.get(f"{_WORD}anchor") for part in parts for node in part.iter(f"{_WORD}hyperlink")} - {None}
    assert anchors <= bookmarks


@pytest.mark.parametrize("case", CASES)
def test_electronic_book(case: str) -> None:
    result = _run(case, "epub")
    with zipfile.ZipFile(io.BytesIO(result.output)) as archive:
        pages = {name: _Page(archive.read(name).decode()) for name in archive.namelist() if name.endswith(".xhtml")}
    text = _normal(" ".join("".join(page.text) for page in pages.values()))
    assert [head for head in _heads(case, result) if head not in text] == []
    lost = []
    for name, page in pages.items():
        for link, _ in page.links:
            file, _, identifier = link.partition("#")
            if "://" in link:
                continue
            where = str(PurePosixPath(name).parent / file) if file else name
            if where not in pages or (identifier and identifier not in pages[where].ids):
                lost.append(link)
    assert lost == []


@pytest.mark.parametrize("case", CASES)
def test_slides_as_latex(case: str) -> None:
    result = _run(case, "beamer")
    opened = re.findall(r"\\begin\{(\w+\*?)\}", result.text)
    assert sorted(opened) == sorted(re.findall(r"\\end\{(\w+\*?)\}", result.text))


@pytest.mark.parametrize("case", ["fence-unclosed", "kinds-all", "proof-nested", "reference-in-heading"])
def test_slides_compile(case: str, tmp_path: Path) -> None:
    source = tmp_path / "slides.tex"
    source.write_bytes(_run(case, "beamer").output)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"-output-directory={tmp_path}", str(source)]
    run = subprocess.run(command, cwd=GOLDEN / case, capture_output=True, check=False)
    log = (tmp_path / "slides.log").read_text(encoding="utf-8", errors="replace")
    assert run.returncode == 0, "\n".join(line for line in log.splitlines() if line.startswith(("!", "l.")))


def test_a_heading_in_a_statement_is_bold_text_on_a_slide() -> None:
    text = _run("fence-unclosed", "beamer").text
    assert text.count(r"\begin{frame}") == 1
    assert re.search(r"\\label\{[\w-]+\}\{\\textbf\{", text)


# What each format makes of one case, for a reader of this file.


def test_word_document_has_bold_heads_and_links_to_bookmarks() -> None:
    with zipfile.ZipFile(io.BytesIO(_run("statement", "docx").output)) as archive:
        document = ElementTree.fromstring(archive.read("word/document.xml"))
    bold = [
        "".join(node.text or "" for node in run.iter(f"{_WORD}t"))
        for run in document.iter(f"{_WORD}r")
        if run.find(f"{_WORD}rPr/{_WORD}b") is not None
    ]
    assert "Theorem\u00a01" in "".join(bold)
    links = {
        node.get(f"{_WORD}anchor"): "".join(text.text or "" for text in node.iter(f"{_WORD}t"))
        for node in document.iter(f"{_WORD}hyperlink")
    }
    assert links == {"lem-tree": "Lemma\u00a02", "thm-euler": "Theorem\u00a01", "rem-torus": "Remark\u00a04"}


def test_electronic_book_links_into_the_other_chapter() -> None:
    with zipfile.ZipFile(io.BytesIO(_run("number-within-section", "epub").output)) as archive:
        pages = {
            PurePosixPath(name).name: _Page(archive.read(name).decode()) for name in archive.namelist() if name.endswith(".xhtml")
        }
    links = {link for page in pages.values() for link, classes in page.links if classes == "ref"}
    file = next(name for name, page in pages.items() if "thm-a" in page.ids)
    assert f"{file}#thm-a" in links
    other = next(name for name, page in pages.items() if "exm-d" in page.ids)
    assert file != other


def test_slides_link_to_the_slide_that_holds_the_statement() -> None:
    page = _Page(_run("statement", "revealjs").text)
    assert ("#/thm-euler", "ref") in page.links


def test_plain_text_reads_as_it_should() -> None:
    text = _run("proof", "plain").text.replace("\u00a0", " ")
    assert text.lstrip() == "Theorem 1. Alpha.\n\nProof. See above.\n\nSo it holds. □\n\nText after.\n"
