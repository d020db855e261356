"""The notes in print: every head, number and reference is on the page, in our own fonts, with nothing missing."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pikepdf
import pytest

from golden_cases import TESTS, pandoc
from scidraft import document, pipeline
from scidraft.build import Tally
from scidraft.document import meta_value
from scidraft.draft import Draft
from scidraft.messages import Messages
from scidraft.referring import Mention
from scidraft.wording import Wording, shown_number

NOTES = sorted((TESTS.parent / "notes").glob("*.md"))
NAMES = [note.stem for note in NOTES]

#: Every face of the print style sheet's families is called so.
OUR_FONT = re.compile(r"/[A-Z]{6}\+SD-[A-Za-z-]+")

#: How many pages a note may have: more means that something is set too large, or that a break went wrong.
PAGES = {"writing": range(6, 40), "coming-from": range(4, 20)}
SHORT = range(1, 8)


@dataclass
class Printed:
    """A printed note: its file, the text of each page, and the draft of the same note."""

    path: Path
    pages: list[str]
    draft: Draft

    @property
    def text(self) -> str:
        return " ".join(self.pages)


@pytest.fixture(name="folder")
def _folder(printed_notes: tuple[Path, Tally]) -> Path:
    return printed_notes[0]


@pytest.fixture(name="printed", params=NAMES)
def _printed(request: pytest.FixtureRequest, folder: Path) -> Printed:
    return _read(request.param, folder)


@cache
def _read(name: str, folder: Path) -> Printed:
    path = folder / f"{name}.pdf"
    text = subprocess.run(["pdftotext", "-enc", "UTF-8", str(path), "-"], capture_output=True, check=True).stdout.decode()
    source, _ = pandoc(TESTS.parent / "notes", [f"{name}.md", "-t", "json"], b"")
    draft = pipeline.run_common(pipeline.prepare(document.load(source)))
    return Printed(path, [_normal(page) for page in text.split("\f")[:-1]], draft)


def _normal(text: str) -> str:
    return " ".join(text.replace("\u00a0", " ").split())


def test_there_is_nothing_to_say_about_the_notes(printed_notes: tuple[Path, Tally]) -> None:
    assert (printed_notes[1].failed, printed_notes[1].messages) == (0, 0)


def test_every_head_is_there_with_its_number(printed: Printed) -> None:
    draft = printed.draft
    heads = [
        f"{Wording(draft.settings, Messages(), statement.language).name(statement.noun)} {statement.number}"
        for statement in draft.catalogue.statements
        if statement.number
    ]
    missing = [head for head in heads if not re.search(rf"{re.escape(head)}( \(|\.)", printed.text)]
    assert not missing


def test_every_reference_is_there(printed: Printed) -> None:
    mentions = [word for reference in printed.draft.catalogue.references for word in reference.words if isinstance(word, Mention)]
    numbers = {shown_number(mention.target) for mention in mentions if mention.show == "number" and mention.target.number}
    assert [number for number in numbers if number not in printed.text] == []
    assert "?" not in {word[0] for word in re.findall(r"(?<!\w)\?[a-z]+-\S+", printed.text)} or "writing" in printed.path.stem


def test_every_equation_has_its_number(printed: Printed) -> None:
    lines = [
        line for equation in printed.draft.catalogue.equations for line in (*equation.rows, equation) if line and line.number
    ]
    plain = [shown_number(line) for line in lines if "$" not in (line.number or "")]
    assert [number for number in plain if number not in printed.text] == []


def test_pages_are_counted(printed: Printed) -> None:
    with pikepdf.open(printed.path) as pdf:
        count = len(pdf.pages)
    assert count == len(printed.pages)
    assert count in PAGES.get(printed.path.stem, SHORT)
    for number, page in enumerate(printed.pages, 1):
        assert f"{number} of {count}" in page


def test_no_page_is_left_nearly_empty(printed: Printed) -> None:
    # All but the last hold at least a few lines.
    assert [number for number, page in enumerate(printed.pages[:-1], 1) if len(page) < 300] == []


def test_title_language_and_author_are_in_the_metadata(printed: Printed) -> None:
    metadata = printed.draft.doc.metadata.content.dict
    with pikepdf.open(printed.path) as pdf:
        assert str(pdf.docinfo["/Title"]) == meta_value(metadata["title"])
        assert str(pdf.Root["/Lang"]) == meta_value(metadata["lang"])
        assert pdf.Root["/MarkInfo"]["/Marked"]
        assert bool(pdf.Root["/ViewerPreferences"]["/DisplayDocTitle"])
        if "author" in metadata:
            assert str(pdf.docinfo["/Author"])
        with pdf.open_metadata() as xmp:
            assert xmp["dc:title"] == meta_value(metadata["title"])


def test_headings_are_bookmarks(printed: Printed) -> None:
    sections = [section for section in printed.draft.catalogue.sections if section.level == 1]
    with pikepdf.open(printed.path) as pdf, pdf.open_outline() as outline:
        assert len(outline.root) >= len(sections)


def test_only_our_fonts_are_used_and_embedded(printed: Printed) -> None:
    with pikepdf.open(printed.path) as pdf:
        for font in _fonts(pdf):
            assert font["/Subtype"] == "/Type0", "a Type 3 font is a drawing, not a font"
            (face,) = font["/DescendantFonts"]
            assert OUR_FONT.fullmatch(str(face["/BaseFont"]))
            assert {"/FontFile2", "/FontFile3"} & face["/FontDescriptor"].keys()
            assert "/ToUnicode" in font


def test_no_sign_is_missing_from_a_font(printed: Printed) -> None:
    assert "\ufffd" not in printed.text
    with pikepdf.open(printed.path) as pdf:
        # Glyph 0 of every font is the box that stands for a missing sign.
        for place, content, resources in _contents(pdf):
            assert 0 not in set(_glyphs(content, resources)), place


def test_links_lead_somewhere(printed: Printed) -> None:
    with pikepdf.open(printed.path) as pdf:
        names = set(_named(pdf.Root["/Names"]["/Dests"]))
        wanted = [str(name) for name in _destinations(pdf)]
    references = [reference for reference in printed.draft.catalogue.references if reference.words]
    assert len(wanted) >= len(references) > 0 or not references
    assert set(wanted) <= names


# Reading a PDF


def _fonts(pdf: pikepdf.Pdf) -> Iterator[Any]:
    """The fonts that pages name; those inside composite fonts are reached through these."""
    inner = {font.objgen for entry in pdf.objects if _is_font(entry) for font in entry.get("/DescendantFonts", [])}
    yield from (entry for entry in pdf.objects if _is_font(entry) and entry.objgen not in inner)


def _is_font(entry: Any) -> bool:
    return isinstance(entry, pikepdf.Dictionary) and bool(entry.get("/Type") == "/Font")


def _contents(pdf: pikepdf.Pdf) -> Iterator[tuple[str, Any, Any]]:
    """Everything that draws: pages, and the forms that pages use."""
    for number, page in enumerate(pdf.pages, 1):
        yield f"page {number}", page, page.resources
    for entry in pdf.objects:
        if isinstance(entry, pikepdf.Stream) and entry.get("/Subtype") == "/Form":
            yield "a form", entry, entry.get("/Resources", pikepdf.Dictionary())


def _glyphs(content: Any, resources: Any) -> Iterator[int]:
    two_bytes = False
    instructions: Iterator[Any] = iter(pikepdf.parse_content_stream(content))
    for operands, operator in instructions:
        if str(operator) == "Tf":
            font = resources["/Font"][str(operands[0])]
            two_bytes = font["/Subtype"] == "/Type0"
        elif str(operator) in ("Tj", "TJ", "'", '"') and two_bytes:
            pieces = operands[-1] if str(operator) == "TJ" else [operands[-1]]
            for piece in pieces:
                if isinstance(piece, pikepdf.String):
                    code = bytes(piece)
                    yield from (int.from_bytes(code[at : at + 2], "big") for at in range(0, len(code), 2))


def _named(node: Any) -> Iterator[str]:
    for child in node.get("/Kids", []):
        yield from _named(child)
    names = node.get("/Names", [])
    yield from (str(names[at]) for at in range(0, len(names), 2))


def _destinations(pdf: pikepdf.Pdf) -> Iterator[str]:
    for page in pdf.pages:
        for annotation in page.get("/Annots", []):
            target = annotation.get("/Dest", annotation.get("/A", pikepdf.Dictionary()).get("/D"))
            if isinstance(target, pikepdf.String):
                yield str(target)
