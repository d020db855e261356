"""Formulas of a web page as MathML, seen where the note asks for it and else only read out; and as the TeX that is copied."""

from __future__ import annotations

import html
import re
import threading

import panflute as pf

from scidraft import tex
from scidraft.document import Place
from scidraft.draft import Draft
from scidraft.engines.temml import Engine, NotUnderstoodError, is_installed
from scidraft.formats.headers import add_style
from scidraft.macros import Macros, expand_macros, used_macros
from scidraft.mathpackages import asked, header_of, uses
from scidraft.mathplain import Plain
from scidraft.siunitx import UnitError

#: Signs of an inline formula from which on it may be broken, about as wide as the drawn ones that may.
_LONG = 16
#: Signs of a part of it from which on it may be broken after signs like +, too.
_VERY_LONG = 24
#: Stands for the proof mark while Temml writes a formula.
_END = "QED"
#: The baseline of a last row of letters over the lower edge of the display.
_LAST_ROW = "--baseline:.5em"

_engines = threading.local()


#: Out of sight, also on a page without our style sheets, but not out of the accessibility tree.
_UNSEEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)"


class Mathml:
    """The formulas of one web page as MathML.

    `inline` and `display` answer None for a formula that is to be drawn, `unseen` for one that Temml does not understand.
    """

    def __init__(self, draft: Draft, target: str, plain: Plain) -> None:
        """Of no use for other targets and where Temml is not there; to be seen only if the note wants it."""
        self.possible = target in ("html", "html5") and is_installed()
        self.wanted = draft.settings.math == "mathml" and self.possible
        self.draft = draft
        self.plain = plain
        self.asked = asked(header_of(draft))
        self.used = False

    def inline(self, source: str, macros: Macros) -> list[tuple[str, str]] | None:
        """The formula with its TeX, in pieces if it is so long that it may end a line after a relation, or a sign like +."""
        whole = self._write(source, macros, display=False)
        if whole is None:
            return None
        written: list[tuple[str | None, str]] = [(whole, source)]
        for binary, longest in ((False, _LONG), (True, _VERY_LONG)):
            written = [
                (self._write(tex.ended(part), macros, display=False), part) if part != piece else (markup, piece)
                for markup, piece in written
                for part in (tex.pieces(piece, binary=binary) if len(_signs(markup or "")) >= longest else [piece])
            ]
        found = [(markup, piece) for markup, piece in written if markup]
        return found if len(found) == len(written) else [(whole, source)]

    def display(self, source: str, macros: Macros, place: Place) -> str | None:
        """The display; a proof mark stands on the baseline of its one row, or goes into the last one."""
        marks = [element for element in place.siblings if "qed" in getattr(element, "classes", ())]
        if len(marks) == 1 and (written := self._ended(source, macros, place, marks[0])):
            return written
        written = self._write(source, macros, display=True)
        for mark in marks if written else []:
            rows = str(written).partition(">")[2].startswith("<semantics><mtable")
            height = _LAST_ROW if rows else "align-self:baseline"
            mark.attributes["style"] = ";".join(filter(None, (mark.attributes.get("style"), height)))
        return written

    def _ended(self, source: str, macros: Macros, place: Place, mark: pf.Span) -> str | None:
        """The display with its proof mark in its last row, where a number would be; None where that cannot be."""
        if any("equation-number" in getattr(element, "classes", ()) for element in place.siblings):
            return None
        words = [word.text for word in mark.content if isinstance(word, pf.Str)]
        ended = tex.with_last_tag(source, _END)
        if ended is None or len(words) != len(mark.content):
            return None
        cell = f'<mtext class="equation-number">{_END}</mtext>'
        written = self._write(ended, macros, display=True)
        if written is None or written.count(cell) != 1:
            return None
        attributes = "".join(f' {name}="{html.escape(value)}"' for name, value in mark.attributes.items())
        shown = f'<span class="{" ".join(mark.classes)}"{attributes}>{html.escape("".join(words))}</span>'
        place.siblings.remove(mark)
        return written.replace(cell, f'<mtext class="end">{shown}</mtext>')

    def bring_styles(self) -> None:
        """Give the page the styles of MathML, if it has any."""
        if self.used:
            add_style(self.draft.doc, "mathml.css")

    def unseen(self, source: str, macros: Macros, *, display: bool) -> str | None:
        """What is read out where the picture is hidden from those who cannot see it."""
        if not self.possible or uses(source, self.asked):
            return None
        try:
            written = _engine().write_unseen(self.plain(source, macros), display=display, macros=macros)
        except (NotUnderstoodError, UnitError):
            return None
        return f'<span class="formula-spoken" style="{_UNSEEN}">{written}</span>'

    def _write(self, source: str, macros: Macros, *, display: bool) -> str | None:
        if not self.wanted or uses(source, self.asked):
            return None
        try:
            written = _engine().write(self.plain(source, macros), display=display, macros=macros)
        except (NotUnderstoodError, UnitError):
            return None
        self.used = True
        return written


def copied_pieces(pieces: list[str], macros: Macros) -> list[str]:
    """The TeX that a selection takes along with each piece of an inline formula: with spaces between them, the whole."""
    texts = [" ".join(tex.without_comments(_expanded(piece, macros)).split()) for piece in pieces]
    texts[0] = f"${texts[0]}"
    texts[-1] += "$"
    return [_copied(text) for text in texts]


def copied_display(source: str, macros: Macros) -> str:
    """The TeX that a selection takes along with a display, without numbers."""
    text = " ".join(tex.without_tags(_expanded(source, macros)).split())
    return _copied(text if tex.read_display(text).environment else f"$${text}$$")


def _expanded(source: str, macros: Macros) -> str:
    try:
        return expand_macros(source, used_macros(source, macros))
    except ValueError:
        return source  # told where the formula is drawn


def _copied(text: str) -> str:
    """What formulas.css lays behind a formula; hidden, so that a page without it does not show both."""
    return f'<span class="formula-source" aria-hidden="true" hidden>{html.escape(text, quote=False)}</span>'


def _engine() -> Engine:
    if not hasattr(_engines, "engine"):
        _engines.engine = Engine()
    engine: Engine = _engines.engine
    return engine


def _signs(markup: str) -> str:
    return re.sub(r"<annotation.*?</annotation>|<[^>]*>|\s", "", markup)
