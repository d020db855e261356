"""Takes one note from its file to each of the targets that are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import panflute as pf

from scidraft import document, libraries, messages, pdf, pipeline, render, uses, writers
from scidraft.dates import long_date
from scidraft.document import meta_value
from scidraft.draft import Draft
from scidraft.files import write_atomically
from scidraft.formats.printed import float_notes
from scidraft.media import Media
from scidraft.messages import Messages
from scidraft.paths import ASSETS
from scidraft.staleness import State
from scidraft.wording import Wording
from scidraft.writers import PandocError

#: What an author asks for: the ending of the file, and what the passes call the target.
FORMATS = {"html": (".html", "html"), "pdf": (".pdf", "print"), "latex": (".tex", "latex")}

#: From so many headings on a web page has a table of contents, unless the note says `toc: true` or `toc: false`.
_CONTENTS_FROM = 3
_PAGE_WORDS = ("abstract", "contents", "keywords", "references")


@dataclass(frozen=True)
class Task:
    """What to make of notes: the output folder, the formats (keys of `FORMATS`), the paper ("" for the note's own)."""

    folder: Path
    formats: tuple[str, ...]
    paper: str = ""
    strict: bool = False
    #: All formats of the run, also those that are up to date: a page links to its PDF when there is or will be one.
    wanted: tuple[str, ...] = ()

    def only(self, formats: tuple[str, ...]) -> Task:
        """The same task for some of its formats."""
        return replace(self, formats=formats, wanted=self.wanted or self.formats)

    def output(self, note: Path, name: str) -> Path:
        """Where a format of a note is written."""
        return self.folder / (note.stem + FORMATS[name][0])

    def links(self, note: Path, name: str) -> dict[str, str]:
        """The template's variables for the other formats of a web page."""
        if name != "html":
            return {}
        expected = self.wanted or self.formats
        there = [other for other in ("pdf", "latex") if other in expected or self.output(note, other).exists()]
        return {f"{other}-url": self.output(note, other).name for other in there}

    def options(self, note: Path, name: str) -> dict[str, str]:
        """All that the output depends on beside the contents of files."""
        return {"paper": self.paper, "strict": str(self.strict), **self.links(note, name)}


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
        copy = draft.for_target(FORMATS[name][1])
        Media(note, task.folder, "", report).look(copy.doc)
        _finish(copy, note.parent, report)
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
    for name in task.formats:
        media = Media(note, task.folder / f"{note.stem}-media", f"{note.stem}-media", report)
        state.forget(note, name)
        content = _content(draft.for_target(FORMATS[name][1]), name, note, task, media, report)
        if content is None:
            continue
        output = task.output(note, name)
        written += write_atomically(output, content)
        if not (strict and len(report)):
            inputs, outputs = {*_named(draft), *media.inputs}, {output, *media.outputs}
            state.keep(note, name, task.options(note, name), inputs, outputs, draft.library.consulted)
    return Result(written, strict)


def _read(note: Path, task: Task, report: Messages) -> Draft | None:
    """The note after the common passes, or None when pandoc cannot read it."""
    name = f"{note.stem}-media"
    try:
        return pipeline.read_note(note, report, overrides={"media_dir": task.folder / name, "media_url": name, "styles": False})
    except PandocError as error:
        report.add(messages.pandoc_failed(str(error)))
        return None


def _finish(draft: Draft, folder: Path, report: Messages) -> None:
    """Take a draft through the passes of its target; citations are worked out on the way.

    Between rendering and maths: references to statements must be gone before citeproc sees them, and the formulas of the
    bibliography are to be drawn like all others.
    """
    if "statements" not in draft.settings.applied:
        render.run(draft)
    if _has_bibliography(draft.doc):
        _head_references(draft)
        draft.doc = document.load(writers.cite(document.dump(draft.doc), folder, report), draft.target)
        if draft.target == "print":
            # A style that cites in notes has made new ones.
            float_notes(draft.doc)
    pipeline.run(draft, ("diagrams", "math"))


def _content(draft: Draft, name: str, note: Path, task: Task, media: Media, report: Messages) -> bytes | None:
    """The bytes of one format, or None after an error has been told."""
    folder = note.parent
    settings = draft.settings
    try:
        media.look(draft.doc)
        options = list(_contents_options(draft, name))
        _finish(draft, folder, report)
        if name != "pdf":
            # What is printed is printed from beside the note; the others move to the output's folder.
            media.bring(draft.doc, latex=name == "latex")
        wording = Wording(settings, report)
        variables = {f"word-{key}": wording.page_word(key) for key in _PAGE_WORDS} | task.links(note, name)
        date = meta_value(draft.doc.metadata.content.dict.get("date"))
        if date:
            variables["date"] = long_date(str(date), settings.language)
        variables["assets"] = ASSETS.as_uri() if name == "pdf" else "assets"
        if task.paper:
            variables["papersize"] = task.paper
        if name != "latex":
            # The title is the page's one heading of the first level.
            options.append("--shift-heading-level-by=1")
        else:
            options.append(f"--top-level-division={settings.top_level_division}")
        page = writers.write(document.dump(draft.doc), draft.target, folder, report, variables=variables, options=options)
        if name != "pdf":
            return page
        seeds = task.folder / ".scidraft" / f"{note.stem}.pages.json"
        return pdf.write(page.decode(), folder, report, media.missing, seeds=seeds)
    except PandocError as error:
        report.add(messages.pandoc_failed(str(error)))
    except OSError:
        if name != "pdf" or not libraries.missing():
            raise
        report.add(messages.no_libraries(libraries.command()))
    return None


def _contents_options(draft: Draft, name: str) -> Iterator[str]:
    metadata = draft.doc.metadata.content.dict
    asked = meta_value(metadata.get("toc"))
    headings = [block for block in draft.doc.content.list if isinstance(block, pf.Header) and block.level <= 2]
    wanted = name == "html" and len(headings) >= _CONTENTS_FROM if asked is None else str(asked).lower() in ("true", "yes", "1")
    # `toc: false` alone would still count as set in a template.
    metadata.pop("toc", None)
    if wanted:
        yield "--toc"
        depth = int(meta_value(metadata.get("toc-depth")) or 2)
        yield f"--toc-depth={depth if name == 'latex' else depth + 1}"


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
    return {folder / name for name in names}
