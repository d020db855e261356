"""Prints pages of HTML to PDF with WeasyPrint, in this process."""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Collection, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

from scidraft import messages
from scidraft.messages import Messages


def write(page: str, folder: Path, report: Messages, missing: Collection[Path] = ()) -> bytes:
    """The PDF of the HTML text `page`, in which names are looked up in `folder`.

    What WeasyPrint warns of goes to `report`, but nothing about the files in `missing`, of which the author knows.

    The same page, fonts and libraries give the same bytes: dates come from the note, and nothing is drawn by chance.
    Raises OSError when a system library is missing (see `libraries`).
    """
    with _listening(report, missing):
        # Where a library is missing, the import prints a page of advice; ours is one line.
        with redirect_stdout(io.StringIO()):
            import weasyprint

            from scidraft.printing import lines

        lines.mend()
        # PDF/UA-1 asks for a tagged file; that the file meets every rule of that standard is not claimed.
        printed: bytes = weasyprint.HTML(string=page, base_url=f"{folder.resolve()}/").write_pdf(pdf_variant="pdf/ua-1")
    return printed


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
            self.report.add(messages.from_printing(text))


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
