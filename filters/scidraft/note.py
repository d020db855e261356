"""Takes one note from its file to each of the targets that are asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, cast

import panflute as pf

from scidraft import document, libraries, messages, numberlock, pdf, pipeline, render, texengine, uses, variants, writers
from scidraft.document import meta_value
from scidraft.draft import Draft
from scidraft.files import write_atomically
from scidraft.formats.printed import print_notes
from scidraft.locales import is_right_to_left, long_date
from scidraft.media import Media
from scidraft.messages import Messages
from scidraft.notefonts import NoteFonts
from scidraft.page import Paper
from scidraft.paths import ASSETS
from scidraft.staleness import State
from scidraft.treatments import NOTE
from scidraft.wording import Wording
from scidraft.writers import PandocError

#: What an author asks for: the ending of the file, and what the passes call the target.
FORMATS = {"html": (".html", "html"), "pdf": (".pdf", "print"), "latex": (".tex", "latex")}

#: From so many headings on a web page has a table of contents, unless the note says `toc: true` or `toc: false`.
_CONTENTS_FROM = 3
_PAGE_WORDS = ("abstract", "contents", "keywords", "of", "references")


@dataclass(frozen=True)
class Task:
    """What to make of notes: the output folder, the formats (keys of `FORMATS`), the paper ("" for the note's own).

    `variants` are the names of those that are to be made, "" for the note itself; `due` what of all that is out of date.
    """

    folder: Path
    formats: tuple[str, ...]
    paper: str = ""
    strict: bool = False
    #: All formats of the run, also those that are up to date: a page links to its PDF when there is or will be one.
    wanted: tuple[str, ...] = ()
    #: The TeX engine that makes the PDF; "" for WeasyPrint.
    engine: str = ""
    #: What WeasyPrint's PDFs follow, one of `PDF_STANDARDS`; "" for what the note says.
    standard: str = ""
    variants: tuple[str, ...] = ("",)
    due: tuple[tuple[str, str], ...] | None = None

    @property
    def pieces(self) -> tuple[tuple[str, str], ...]:
        """The variants and formats to make, in order."""
        return tuple((variant, name) for variant in self.variants for name in self.formats) if self.due is None else self.due

    def only(self, due: tuple[tuple[str, str], ...]) -> Task:
        """The same task for some of its variants and formats."""
        return replace(self, due=due, wanted=self.wanted or self.formats)

    def stem(self, note: Path, variant: str) -> str:
        """The name of a variant's files without their ending."""
        return f"{note.stem}-{variant}" if variant else note.stem

    def output(self, note: Path, name: str, variant: str = "") -> Path:
        """Where a format of a note is written."""
        return self.folder / (self.stem(note, variant) + FORMATS[name][0])

    def target(self, name: str) -> str:
        """What the passes call a format."""
        return "latex" if name == "pdf" and self.engine else FORMATS[name][1]

    def links(self, note: Path, name: str, variant: str = "") -> dict[str, str]:
        """The template's variables for the other formats of a web page."""
        if name != "html":
            return {}
        expected = self.wanted or self.formats
        there = [other for other in ("pdf", "latex") if other in expected or self.output(note, other, variant).exists()]
        return {f"{other}-url": self.output(note, other, variant).name for other in there}

    def options(self, note: Path, name: str, variant: str = "") -> dict[str, str]:
        """All that the output depends on beside the contents of files."""
        asked = {"paper": self.paper, "strict": str(self.strict), **self.links(note, name, variant)}
        if name == "pdf":
            date = os.environ.get("SOURCE_DATE_EPOCH", "")
            asked |= {"date": date, **({"engine": self.engine} if self.engine else {"standard": self.standard})}
        return asked


class Result(NamedTuple):
    """What came of a note: how many files were written, and whether its messages make it a failure."""

    written: int
    strict: bool


def check_note(note: Path, task: Task, report: Messages) -> Result:
    """Find what is wrong in a note, without writing anything."""
    draft = _read(note, task, report)
    if draft is None:
        return Result(0, task.strict)
    uses.check(draft)
    for name in task.formats:
        copy = draft.for_target(task.target(name))
        Media(note, task.folder, "", report).look(copy.doc)
        try:
            _finish(copy, note.parent, report)
        except PandocError as error:
            report.add(messages.building.pandoc_failed(str(error)))
    return Result(0, task.strict or draft.settings.strict)


def build_note(note: Path, task: Task, report: Messages) -> Result:
    """Build a note's formats; what there is to say goes to `report`.

    A format that fails (the report has an error then) does not stop the others. Raises OSError when a file cannot be read or
    written.
    """
    draft = _read(note, task, report)
    if draft is None:
        return Result(0, task.strict)
    strict = task.strict or draft.settings.strict
    state = State(task.folder, pipeline.fingerprint)
    written = 0
    for variant, name in task.pieces:
        if variant not in draft.settings.variants:
            report.add(messages.variants.unknown_variant(variant, (other or NOTE for other in draft.settings.variants)))
            continue
        folder = f"{task.stem(note, variant)}-media"
        media = Media(note, task.folder / folder, folder, report)
        state.forget(note, record_name(variant, name))
        copy = draft.for_target(task.target(name))
        if task.paper:
            page = replace(copy.settings.page, paper=cast(Paper, task.paper))
            copy.settings = replace(copy.settings, page=page)
        if variant:
            # Diagrams are counted as they are drawn, so those of a variant have a folder of their own.
            copy.settings = replace(copy.settings, variant=variant, media_dir=task.folder / folder, media_url=folder)
        content = _content(copy, name, note, task, media, report, variant)
        if content is None:
            continue
        output = task.output(note, name, variant)
        written += write_atomically(output, content)
        if not (strict and len(report)):
            inputs, outputs = {*_named(draft), *media.inputs}, {output, *media.outputs}
            options = task.options(note, name, variant)
            state.keep(note, record_name(variant, name), options, inputs, outputs, draft.library.consulted)
    return Result(written, strict)


def record_name(variant: str, name: str) -> str:
    """What the record of a variant's format is called."""
    return f"{variant}-{name}" if variant else name


def contents(note: Path, task: Task, report: Messages) -> tuple[Draft, dict[str, bytes]] | None:
    """The draft of a note and the bytes of its formats, of which none is written; None after an error has been told.

    Their pictures are: into the folder of the task. Raises OSError.
    """
    draft = _read(note, task, report)
    if draft is None:
        return None
    made = {}
    for name in task.formats:
        media = Media(note, task.folder / f"{note.stem}-media", f"{note.stem}-media", report)
        content = _content(draft.for_target(task.target(name)), name, note, task, media, report)
        if content is None:
            return None
        made[name] = content
    return draft, made


def _read(note: Path, task: Task, report: Messages) -> Draft | None:
    """The note after the common passes, or None when pandoc cannot read it."""
    name = f"{note.stem}-media"
    overrides = {"media_dir": task.folder / name, "media_url": name, "styles": False}
    try:
        draft = pipeline.read_note(note, report, overrides=overrides)
    except PandocError as error:
        report.add(messages.building.pandoc_failed(str(error)))
        return None
    numberlock.compare(draft, note)
    return draft


def _finish(draft: Draft, folder: Path, report: Messages) -> None:
    """Take a draft through the passes of its target; citations are worked out on the way.

    Between rendering and maths: references to statements must be gone before citeproc sees them, and the formulas of the
    bibliography are to be drawn like all others.
    """
    if "statements" not in draft.settings.applied:
        # What a variant hides still counts for the numbers of citations, as it does for all others.
        render.run(draft, keep_hidden=True)
    if _has_bibliography(draft.doc):
        _head_references(draft)
        draft.doc = document.load(writers.cite(document.dump(draft.doc), folder, report), draft.target)
        if draft.target == "print":
            # A style that cites in notes has made new ones.
            print_notes(draft)
    else:
        for cite in (place.element for place in document.walk(draft.doc) if isinstance(place.element, pf.Cite)):
            for citation in cite.citations.list:
                report.add(messages.references.no_bibliography(citation.id))
    variants.take_out(draft.doc)
    pipeline.run(draft, ("diagrams", "math"))


def _content(draft: Draft, name: str, note: Path, task: Task, media: Media, report: Messages, variant: str = "") -> bytes | None:
    """The bytes of one format, or None after an error has been told."""
    folder = note.parent
    settings = draft.settings
    target = task.target(name)
    try:
        media.look(draft.doc)
        options = list(_contents_options(draft, target))
        _finish(draft, folder, report)
        if target != "print":
            # What is printed is printed from beside the note; the others move to the output's folder.
            media.bring(draft.doc, latex=target == "latex")
        wording = Wording(settings, report)
        variables = {f"word-{key}": wording.page_word(key) for key in _PAGE_WORDS} | task.links(note, name, variant)
        direction = meta_value(draft.doc.metadata.content.dict.get("dir"))
        if direction == "rtl" or (direction is None and is_right_to_left(settings.language)):
            variables["rtl"] = "true"
            if name != "latex":
                variables["dir"] = "rtl"
        date = meta_value(draft.doc.metadata.content.dict.get("date"))
        if date:
            variables["date"] = long_date(str(date), settings.language)
        fonts = NoteFonts(draft, media, report, rtl="rtl" in variables)
        variables |= fonts.variables
        if fonts.chosen and task.engine == "pdflatex" and name == "pdf":
            report.add(messages.fonts.not_for_pdflatex())
        if "rtl" in variables and task.engine == "xelatex" and name == "pdf":
            report.add(messages.latex.only_lualatex_turns())
        variables["assets"] = ASSETS.as_uri() if target == "print" else "assets"
        if task.paper and target == "latex":
            variables["papersize"] = task.paper
        if target != "latex":
            # The title is the page's one heading of the first level.
            options.append("--shift-heading-level-by=1")
        else:
            options.append(f"--top-level-division={settings.top_level_division}")
        page = writers.write(document.dump(draft.doc), draft.target, folder, report, variables=variables, options=options)
        fonts.bring(page.decode())
        if name != "pdf":
            return page
        if target == "latex":
            typeset = texengine.typeset(page, task.engine, note, media.folder, report)
            return typeset.pdf if typeset else None
        seeds = task.folder / ".scidraft" / f"{task.stem(note, variant)}.pages.json"
        # A variant may hide what the source shows to everyone.
        job = pdf.Job(task.standard or settings.pdf_standard, None if variant else note)
        return pdf.write(page.decode(), folder, report, media.missing, seeds=seeds, job=job)
    except PandocError as error:
        report.add(messages.building.pandoc_failed(str(error)))
    except OSError:
        if target != "print" or not libraries.missing():
            raise
        report.add(messages.building.no_libraries(libraries.command()))
    return None


def _contents_options(draft: Draft, target: str) -> Iterator[str]:
    metadata = draft.doc.metadata.content.dict
    asked = meta_value(metadata.get("toc"))
    headings = [block for block in draft.doc.content.list if isinstance(block, pf.Header) and block.level <= 2]
    wanted = target == "html" and len(headings) >= _CONTENTS_FROM if asked is None else str(asked).lower() in ("true", "yes", "1")
    # `toc: false` alone would still count as set in a template.
    metadata.pop("toc", None)
    if wanted:
        yield "--toc"
        depth = int(meta_value(metadata.get("toc-depth")) or 2)
        yield f"--toc-depth={depth if target == 'latex' else depth + 1}"


def _head_references(draft: Draft) -> None:
    """Give the list of references a heading in the note's language, unless its author has placed and headed it."""
    metadata = draft.doc.metadata.content.dict
    placed = any(isinstance(block, pf.Div) and block.identifier == "refs" for block in draft.doc.content.list)
    if not placed and "reference-section-title" not in metadata:
        words = document.inlines(Wording(draft.settings, draft.messages).page_word("references"))
        metadata["reference-section-title"] = pf.MetaInlines(*words)


def _has_bibliography(doc: pf.Doc) -> bool:
    return bool({"bibliography", "references"} & doc.metadata.content.dict.keys())


def _named(draft: Draft) -> set[Path]:
    """The files that the note's metadata name and pandoc reads."""
    folder = draft.source.parent if draft.source else Path()
    names: list[str] = []
    for key in ("bibliography", "csl", "citation-abbreviations"):
        value = meta_value(draft.doc.metadata.content.dict.get(key))
        names += [str(name) for name in (value if isinstance(value, list) else [value] if value else [])]
    lock = {numberlock.path_of(draft.source)} if draft.source else set()
    return {folder / name for name in names} | lock
