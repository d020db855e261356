"""Writes formulas as MathML where the note asks for it, and says which formulas have to be drawn after all."""

from __future__ import annotations

import re
import threading

import panflute as pf

from scidraft import tex
from scidraft.document import Place
from scidraft.draft import Draft
from scidraft.engines.temml import Engine, NotUnderstoodError, is_installed
from scidraft.formats.headers import add_header_include
from scidraft.macros import Macros
from scidraft.paths import TEMPLATES

#: Signs of an inline formula from which on it may be broken, about as wide as the drawn ones that may.
_LONG = 16
#: The baseline of a last row of letters over the lower edge of the display.
_LAST_ROW = "--baseline:.5em"

_engines = threading.local()


class Mathml:
    """The formulas of one web page as MathML; each function answers None for a formula that is to be drawn."""

    def __init__(self, draft: Draft, target: str) -> None:
        """Of no use for other targets, for notes that want pictures, and where Temml is not there."""
        self.wanted = draft.settings.math == "mathml" and target in ("html", "html5") and is_installed()
        self.draft = draft
        self.used = False

    def inline(self, source: str, macros: Macros) -> list[str] | None:
        """The formula, in pieces if it is so long that it may end a line after a relation."""
        whole = self._write(source, macros, display=False)
        if whole is None:
            return None
        if len(_signs(whole)) < _LONG:
            return [whole]
        pieces = [self._write(piece, macros, display=False) for piece in tex.pieces(source)]
        return [piece for piece in pieces if piece] if all(pieces) else [whole]

    def display(self, source: str, macros: Macros, place: Place) -> str | None:
        """The display; a proof mark stands on the baseline of its one row, or where that of the last row usually is."""
        written = self._write(source, macros, display=True)
        for mark in place.siblings if written else []:
            if isinstance(mark, pf.Span) and "qed" in mark.classes:
                height = _LAST_ROW if "<mtr" in str(written) else "align-self:baseline"
                mark.attributes["style"] = ";".join(filter(None, (mark.attributes.get("style"), height)))
        return written

    def bring_styles(self) -> None:
        """Give the page the styles of MathML, if it has any."""
        if self.used:
            style = (TEMPLATES / "mathml.css").read_text(encoding="utf-8").strip()
            add_header_include(self.draft.doc, pf.RawBlock(f"<style>\n{style}\n</style>", format="html"))

    def _write(self, source: str, macros: Macros, *, display: bool) -> str | None:
        if not self.wanted:
            return None
        if not hasattr(_engines, "engine"):
            _engines.engine = Engine()
        try:
            written: str = _engines.engine.write(source, display=display, macros=macros)
        except NotUnderstoodError:
            return None
        self.used = True
        return written


def _signs(markup: str) -> str:
    return re.sub(r"<annotation.*?</annotation>|<[^>]*>|\s", "", markup)
