"""Sets what stands for content that a variant leaves out: its labels and numbers, room to write, margins for marking."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import panflute as pf

from scidraft.catalogue import Equation, Float, Row, Section, Statement, Subequations
from scidraft.draft import Draft
from scidraft.formats import Format
from scidraft.formats.headers import add_header_include
from scidraft.formats.html import Html
from scidraft.formats.latex import Latex, tex
from scidraft.formats.preamble import anchor, environment
from scidraft.formats.printed import Printed
from scidraft.formats.spelling import escape, label
from scidraft.paths import TEMPLATES

#: What is left out, in reading order: what has a number or could have one, and the ids of all else.
Absent: TypeAlias = Section | Statement | Subequations | Equation | Float | str

#: Tells printing/linenumbers.py to count the lines.
LINES_COUNTED = '<meta name="scidraft-line-numbers" content="true">'

#: From one line to the next, for handwriting.
_PITCH_MM = 8
_MILLIMETRES = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72.27, "em": 3.85, "ex": 1.7}
_LENGTH = re.compile(r"(?P<number>\d*\.?\d+)(?P<unit>mm|cm|in|pt|em|ex)")


@dataclass(frozen=True)
class Room:
    """Room to write: some `lines` for handwriting, drawn if `ruled`; or, where there is a `height`, so much paper."""

    lines: int
    ruled: bool = True
    height: str = ""

    @property
    def drawn_lines(self) -> int:
        """How many lines fit."""
        match = _LENGTH.fullmatch(self.height)
        return max(1, round(float(match["number"]) * _MILLIMETRES[match["unit"]] / _PITCH_MM)) if match else self.lines


def is_length(text: str) -> bool:
    """Whether all outputs know a text as a length, such as "4cm"."""
    return _LENGTH.fullmatch(text) is not None


class Setter(Protocol):
    """What a format does about content that is left out."""

    def anchors(self, absent: Iterable[Absent]) -> list[pf.Element]:
        """Inlines that count what is left out, and that links to it lead to."""

    def room(self, room: Room) -> list[pf.Element]:
        """Blocks that leave room."""

    def finish(self, *, wide_margin: bool, line_numbers: bool) -> None:
        """Bring what the document needs for all this."""


def setter_for(draft: Draft, form: Format) -> Setter:
    """The setter that goes with a format."""
    if isinstance(form, Latex):
        return _Latex(draft)
    return _Html(draft, isinstance(form, Printed)) if isinstance(form, Html) else _Plain(draft)


def _identifiers(thing: Absent) -> list[str]:
    if isinstance(thing, str):
        return [thing]
    if isinstance(thing, Equation):
        return [name for name in (thing.identifier, *thing.other_labels, *(row.identifier for row in thing.rows if row)) if name]
    return [thing.identifier] if thing.identifier else []


class _Plain:
    def __init__(self, draft: Draft) -> None:
        self.draft = draft

    def anchors(self, absent: Iterable[Absent]) -> list[pf.Element]:
        return [pf.Span(identifier=name) for thing in absent for name in _identifiers(thing)]

    def room(self, room: Room) -> list[pf.Element]:
        return [pf.HorizontalRule() if room.ruled else pf.Para(pf.Str("\u00a0")) for _ in range(room.drawn_lines)]

    def finish(self, *, wide_margin: bool, line_numbers: bool) -> None:
        """Nothing: only what is printed has margins."""


class _Html(_Plain):
    def __init__(self, draft: Draft, printed: bool) -> None:
        super().__init__(draft)
        self.printed = printed

    def room(self, room: Room) -> list[pf.Element]:
        """Lines, between which a page may end; a given height of blank paper is exact."""
        if room.height and not room.ruled:
            return [pf.Div(classes=["answer-space", "blank"], attributes={"style": f"height: {room.height}"})]
        lines = [pf.Div(classes=["answer-line"]) for _ in range(room.drawn_lines)]
        return [pf.Div(*lines, classes=["answer-space", "ruled" if room.ruled else "blank"])]

    def finish(self, *, wide_margin: bool, line_numbers: bool) -> None:
        if self.printed and line_numbers:
            add_header_include(self.draft.doc, pf.RawBlock(LINES_COUNTED, format="html"))
        if self.printed and wide_margin:
            style = "<style>\n@page { margin-left: 18mm; }\n</style>"
            add_header_include(self.draft.doc, pf.RawBlock(style, format="html"))


class _Latex(_Plain):
    def __init__(self, draft: Draft) -> None:
        super().__init__(draft)
        self.used = False

    def anchors(self, absent: Iterable[Absent]) -> list[pf.Element]:
        r"""LaTeX counts what is left out by \stepcounter, so that what follows has the number it has in every variant."""
        commands = [command for thing in absent for command in self.commands(thing)]
        self.used = self.used or bool(commands)
        return [tex("%\n".join(commands))] if commands else []

    def commands(self, thing: Absent) -> list[str]:
        if isinstance(thing, str):
            return [self.label("", thing)]
        if isinstance(thing, Section):
            return self.section(thing)
        if isinstance(thing, Statement):
            return self.statement(thing)
        if isinstance(thing, Float):
            if thing.whole:
                return [self.label(thing.number or "", name) for name in _identifiers(thing)]
            return [self.step(thing.noun, _identifiers(thing))]
        if isinstance(thing, Subequations):
            return [self.step("equation", _identifiers(thing))]
        rows: list[Row] = [row for row in thing.rows if row]
        if thing.group:
            lines: list[tuple[Equation | Row, list[str]]] = [(row, [row.identifier]) for row in rows]
            lines = lines or [(thing, _identifiers(thing))]
            return [self.label(line.number or "", name) for line, names in lines for name in names if name]
        if rows:
            return [command for row in rows for command in self.equation(row, [row.identifier] if row.identifier else [])]
        return self.equation(thing, _identifiers(thing))

    def section(self, section: Section) -> list[str]:
        appendix = ["\\appendix"] if section.first_appendix else []
        if section.number is None:
            return [*appendix, *(self.label("", name) for name in _identifiers(section))]
        counter = self.draft.settings.division_of(section.level)
        return [*appendix, self.step(counter, _identifiers(section))]

    def statement(self, statement: Statement) -> list[str]:
        kind, settings = statement.kind, self.draft.settings
        commands = []
        if kind.style == "proof":
            numbered = {other.kind.name for other in self.draft.catalogue.statements if other.number}
            inner = [k for k in settings.kinds.values() if k.within == "proof" and k.name in numbered]
            commands = [f"\\setcounter{{{environment(k)}}}{{0}}" for k in inner]
        if statement.number is None or statement.given_number or statement.restates:
            number = escape(statement.number or "")
            return [*commands, *(self.label(number, name) for name in _identifiers(statement))]
        return [*commands, self.step(environment(anchor(kind, self.draft)), _identifiers(statement))]

    def equation(self, equation: Equation | Row, names: list[str]) -> list[str]:
        if equation.tag is None and equation.number is not None:
            return [self.step("equation", names)]
        return [self.label(equation.tag or "", name) for name in names]

    def step(self, counter: str, names: list[str]) -> str:
        labels = "".join(f"\\label{{{label(name)}}}" for name in names)
        return f"\\refstepcounter{{{counter}}}{labels}" if labels else f"\\stepcounter{{{counter}}}"

    def label(self, number: str, name: str) -> str:
        return f"\\absentlabel{{{number}}}{{{label(name)}}}"

    def room(self, room: Room) -> list[pf.Element]:
        self.used = True
        if room.height and not room.ruled:
            return [pf.RawBlock(f"\\vspace*{{{room.height}}}", format="latex")]
        fill = "\\hrulefill" if room.ruled else "\\hfill"
        return [pf.RawBlock(f"\\answerlines{{{room.drawn_lines}}}{{{_PITCH_MM}mm}}{{{fill}}}", format="latex")]

    def finish(self, *, wide_margin: bool, line_numbers: bool) -> None:
        parts = ["\\setmarginwide"] if wide_margin else []
        parts += ["\\usepackage[mathlines]{lineno}\\AtBeginDocument{\\linenumbers}"] if line_numbers else []
        if self.used or wide_margin:
            parts.insert(0, (TEMPLATES / "absent.tex").read_text(encoding="utf-8").strip())
        if parts:
            add_header_include(self.draft.doc, pf.RawBlock("\n".join(parts), format="latex"))
