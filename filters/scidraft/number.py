"""The pass that gives every statement, equation, figure, table and heading its number, as LaTeX will from the same settings."""

from __future__ import annotations

from collections import Counter

from scidraft.catalogue import Equation, Float, Row, Section, Statement
from scidraft.draft import Draft


def run(draft: Draft) -> None:
    """Write `number` into every entry of the catalogue that has one."""
    numbering = _Numbering(draft)
    for entry in draft.catalogue.in_order:
        if isinstance(entry, Section):
            numbering.section(entry)
        elif isinstance(entry, Statement):
            numbering.statement(entry)
        elif isinstance(entry, Equation):
            numbering.equation(entry)
        else:
            numbering.float_(entry)


class _Numbering:
    """The counters of one note: one for each heading level, and one for each name, which starts again with its division."""

    def __init__(self, draft: Draft) -> None:
        self.settings = draft.settings
        self.levels: list[int] = list(self.settings.number_offset)
        self.appendix = False
        self.counters: dict[str, tuple[tuple[int, ...], int]] = {}
        statements = draft.catalogue.statements
        # "Unless unique" asks how many statements of a kind could have a number at all.
        self.of_kind = Counter(s.kind.name for s in statements if not (s.unnumbered or s.given_number))

    # Headings

    def section(self, section: Section) -> None:
        """Step the heading counters, as LaTeX's \\section does: deeper ones start again, unnumbered headings step nothing."""
        section.noun = self.settings.division_of(section.level)
        if section.noun not in ("part", "chapter"):
            section.noun = "section"
        if section.unnumbered:
            return
        if section.first_appendix:
            self.levels, self.appendix = [], True
        depth = section.level
        self.levels += [0] * (depth - len(self.levels))
        self.levels[depth - 1] += 1
        del self.levels[depth:]
        if section.appendix and section.level == 1:
            section.noun = "appendix"
        if self.settings.number_sections:
            section.number = self.prefix(depth)

    def prefix(self, level: int) -> str:
        """The number of the current division at heading `level`; levels not met yet count 0."""
        numbers = (self.levels + [0] * level)[:level]
        words = [str(number) for number in numbers]
        if self.appendix and words:
            words[0] = _letters(numbers[0])
        return ".".join(words)

    # Everything else

    def step(self, counter: str, within: str | None) -> str:
        """The next number of `counter`, which starts again in each division `within`."""
        level = self.settings.level_of(within)
        # A counter that belongs to no division runs on into the appendix too.
        division = (int(self.appendix), *(self.levels + [0] * level)[:level]) if level else ()
        last_division, last = self.counters.get(counter, (division, 0))
        count = last + 1 if last_division == division else 1
        self.counters[counter] = (division, count)
        return f"{self.prefix(level)}.{count}" if level else str(count)

    def statement(self, statement: Statement) -> None:
        kind = statement.kind
        if statement.given_number:
            statement.number = statement.given_number
            return
        unique = kind.numbered == "unless-unique" and self.of_kind[kind.name] == 1
        if statement.unnumbered or not kind.numbered or unique:
            statement.unnumbered = True
            return
        statement.number = self.step(kind.counter, kind.within)

    def equation(self, equation: Equation) -> None:
        lines: list[Equation | Row] = [row for row in equation.rows if row]
        for line in lines or [equation]:
            if line.tag is not None:
                line.number = line.tag
            elif line.counts:
                line.number = self.step("equation", self.settings.number_within)

    def float_(self, entry: Float) -> None:
        # Figures and tables run through an article and start again in the chapters of a book, as LaTeX's classes have it.
        within = "chapter" if self.settings.top_level_division == "chapter" else None
        entry.number = self.step(entry.noun, within)


def _letters(number: int) -> str:
    """1, 2, … as A, B, …, Z, AA, AB, …; 0 stays 0."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters or "0"
