"""Prints pages of HTML to PDF with WeasyPrint, in this process."""

from __future__ import annotations

import gc
import io
import json
import logging
import os
import traceback
import warnings
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from scidraft import messages
from scidraft.files import write_atomically
from scidraft.messages import Messages
from scidraft.printing import (
    contexts,
    faces,
    footnotes,
    justification,
    linenumbers,
    outline,
    pages,
    pictures,
    sidenotes,
    standards,
    structure,
)
from scidraft.printing.formulas import Formulas
from scidraft.printing.letters import Letters
from scidraft.settings import PDF_STANDARDS


@dataclass
class Job:
    """What a PDF is to be: the standard it follows, one of `PDF_STANDARDS`, and the file that is attached if that allows it.

    `letters` are those that no font of its page has, and `found` is what there is to say of it when it has been made.
    """

    standard: str = PDF_STANDARDS[0]
    source: Path | None = None
    letters: Letters = field(default_factory=Letters)
    found: Messages = field(default_factory=Messages)

    @property
    def options(self) -> dict[str, Any]:
        """WeasyPrint's options, for one PDF."""
        return standards.options(self.standard, self.source)

    def finish(self, _document: Any, pdf: Any) -> None:
        """WeasyPrint's `finisher`: what is left to do before the PDF is written."""
        for fault in standards.finish(self.standard, pdf):
            self.found.add(messages.building.not_in_standard(self.standard, fault))


def write(
    page: str,
    folder: Path,
    report: Messages,
    missing: Collection[Path] = (),
    *,
    seeds: Path | None = None,
    job: Job | None = None,
) -> bytes:
    """The PDF of the HTML text `page`, in which names are looked up in `folder`.

    What WeasyPrint warns of goes to `report`, but nothing about the files in `missing`, of which the author knows. `seeds` is
    a file for the page numbers of this time, with which the next begins: they save time and change nothing.

    The same page, fonts and libraries give the same bytes: dates come from the note, and nothing is drawn by chance.
    Raises OSError when a system library is missing (see `libraries`).
    """
    with _listening(report, missing):
        # Where a library is missing, the import prints a page of advice; ours is one line.
        with redirect_stdout(io.StringIO()):
            from scidraft.engines import svg_words
            from scidraft.printing import lines

            lines.mend()
            svg_words.mend()
        base = f"{folder.resolve()}/"
        job = job or Job()
        page = faces.with_signs(outline.with_classes(page))
        try:
            printed = print_well(page, base, seeds, job)
            job.found.extend(job.letters.messages())
        except Exception:
            if os.environ.get("SCIDRAFT_DEBUG"):
                traceback.print_exc()
            if linenumbers.ASKED in page:
                report.add(messages.variants.no_line_numbers())
            printed = print_plainly(page, base, job)
        report.extend(job.found)
        return printed


def print_plainly(page: str, base: str, job: Job | None = None) -> bytes:
    """The PDF of the HTML text `page` as WeasyPrint makes it; `base` is the address of the folder of what it names."""
    import weasyprint

    job = job or Job()
    printed: bytes = weasyprint.HTML(string=page, base_url=base).write_pdf(finisher=job.finish, **job.options)
    return printed


def print_well(page: str, base: str, seeds: Path | None = None, job: Job | None = None) -> bytes:
    """The same as `print_fast`, with paragraphs, notes and the structure for screen readers as we want them.

    Raises what these raise when WeasyPrint is another one.
    """
    job = job or Job()
    with structure.ours(), justification.ours(), footnotes.kept(), _silent(job.letters):
        return print_fast(page, base, seeds, job)


def print_fast(page: str, base: str, seeds: Path | None = None, job: Job | None = None) -> bytes:
    """The same with formulas as text and pages laid out once, which rests on private things of this version of WeasyPrint.

    Raises what these raise when they have changed.
    """
    import weasyprint

    formulas = Formulas()
    page = formulas.take(page)
    job = job or Job()
    options = job.options

    def lay_out(text: str) -> weasyprint.Document:
        cache = {**formulas.pictures}
        document = weasyprint.HTML(string=text, base_url=base).render(cache=cache, **options)
        pictures.name(cache)
        return document

    def finish(document: Any, pdf: Any) -> None:
        formulas.finish(document, pdf)
        job.finish(document, pdf)

    beside = sidenotes.ASKED in page
    if beside:
        sidenotes.mend()
    with _undisturbed(), contexts.shared():
        document = _settled(page, lay_out, seeds) if pages.asks(page) else lay_out(page)
        if beside:
            sidenotes.arrange(document, job.found)
        if linenumbers.ASKED in page:
            linenumbers.number(document)
        with job.letters.watching():
            printed: bytes = document.write_pdf(finisher=finish, **options)
    return printed


def _settled(page: str, lay_out: Callable[[str], Any], seeds: Path | None) -> Any:
    """The document of a page that has page numbers in its text."""
    try:
        known = json.loads(seeds.read_text(encoding="utf-8")) if seeds else {}
        known = {str(name): int(number) for name, number in known.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        known = {}
    try:
        document, numbers = pages.settle(page, lay_out, known)
    except pages.Unsettled:
        return lay_out(page)
    if seeds:
        write_atomically(seeds, json.dumps(numbers, ensure_ascii=False, indent=0).encode())
    return document


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Without the search for garbage, which goes over all the boxes of a document again and again and finds next to nothing."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@contextmanager
def _silent(letters: Letters) -> Iterator[None]:
    """Let `letters` hear of boxes in the place of the author."""
    logger = logging.getLogger("weasyprint")
    logger.addFilter(letters)
    try:
        yield
    finally:
        logger.removeFilter(letters)


class _Listener(logging.Handler):
    """Makes messages of log records."""

    def __init__(self, report: Messages, known: Collection[str]) -> None:
        super().__init__(logging.WARNING)
        self.report = report
        self.known = known

    def emit(self, record: logging.LogRecord) -> None:
        """Called by logging for each record."""
        text = record.getMessage()
        if not any(address in text for address in self.known):
            self.report.add(messages.building.from_printing(text))


@contextmanager
def _listening(report: Messages, missing: Collection[Path]) -> Iterator[None]:
    logger = logging.getLogger("weasyprint")
    listener = _Listener(report, {path.resolve().as_uri() for path in missing})
    logger.addHandler(listener)
    try:
        with warnings.catch_warnings():
            # WeasyPrint warns so when harfbuzz-subset is missing, at every start; `libraries` tells it better.
            warnings.simplefilter("ignore", DeprecationWarning)
            # And it leaves the file of the colour profile to be closed by chance.
            warnings.simplefilter("ignore", ResourceWarning)
            yield
    finally:
        logger.removeHandler(listener)
