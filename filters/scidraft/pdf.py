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
from pathlib import Path
from typing import Any

from scidraft import messages
from scidraft.files import write_atomically
from scidraft.messages import Messages
from scidraft.printing import contexts, linenumbers, outline, pages, structure
from scidraft.printing.formulas import Formulas

#: PDF/UA-1 asks for a tagged file; that the file meets every rule of that standard is not claimed.
_OPTIONS: dict[str, Any] = {"pdf_variant": "pdf/ua-1"}


def write(page: str, folder: Path, report: Messages, missing: Collection[Path] = (), *, seeds: Path | None = None) -> bytes:
    """The PDF of the HTML text `page`, in which names are looked up in `folder`.

    What WeasyPrint warns of goes to `report`, but nothing about the files in `missing`, of which the author knows. `seeds` is
    a file for the page numbers of this time, with which the next begins: they save time and change nothing.

    The same page, fonts and libraries give the same bytes: dates come from the note, and nothing is drawn by chance.
    Raises OSError when a system library is missing (see `libraries`).
    """
    with _listening(report, missing):
        # Where a library is missing, the import prints a page of advice; ours is one line.
        with redirect_stdout(io.StringIO()):
            from scidraft.printing import lines

            lines.mend()
        base = f"{folder.resolve()}/"
        page = outline.with_classes(page)
        try:
            with structure.ours():
                return print_fast(page, base, seeds)
        except Exception:
            if os.environ.get("SCIDRAFT_DEBUG"):
                traceback.print_exc()
            if linenumbers.ASKED in page:
                report.add(messages.variants.no_line_numbers())
            return print_plainly(page, base)


def print_plainly(page: str, base: str) -> bytes:
    """The PDF of the HTML text `page` as WeasyPrint makes it; `base` is the address of the folder of what it names."""
    import weasyprint

    printed: bytes = weasyprint.HTML(string=page, base_url=base).write_pdf(**_OPTIONS)
    return printed


def print_fast(page: str, base: str, seeds: Path | None = None) -> bytes:
    """The same with formulas as text and pages laid out once, which rests on private things of this version of WeasyPrint.

    Raises what these raise when they have changed.
    """
    import weasyprint

    formulas = Formulas()
    page = formulas.take(page)

    def lay_out(text: str) -> weasyprint.Document:
        return weasyprint.HTML(string=text, base_url=base).render(cache={**formulas.pictures}, **_OPTIONS)

    with _undisturbed(), contexts.shared():
        document = _settled(page, lay_out, seeds) if pages.asks(page) else lay_out(page)
        if linenumbers.ASKED in page:
            linenumbers.number(document)
        printed: bytes = document.write_pdf(finisher=formulas.finish, **_OPTIONS)
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
            yield
    finally:
        logger.removeHandler(listener)
