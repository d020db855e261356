"""The pass that gives every statement, equation, figure, table and heading its number, as LaTeX will from the same settings."""

from __future__ import annotations

import re
from collections import Counter

from scidraft.catalogue import Equation, Float, Row, Section, Statement, Subequations
from scidraft.draft import Draft
from scidraft.kinds import Digits
from scidraft.numerals import letters, roman
from scidraft.settings import SHARED


def run(draft: Draft) -> None:
    """Write `number` into every entry of the catalogue that has one."""
    numbering = _Numbering(draft)
    for entry in draft.catalogue.in_order:
        if isinstance(entry, Section):
            numbering.section(entry)
        elif isinstance(entry, Statement):
            numbering.statement(entry)
        elif isinstance(entry, Subequations):
            entry.number = numbering.next_equation()
        elif isinstance(entry, Equation):
            numbering.equation(entry)
        else:
            numbering.float_(entry)
    numbering.repeat()


_REPEATED = re.compile(r"\\ref\{([^{}]+)\}")


class _Numbering:
    """The counters of one note: one for each heading level, and one for each name, which starts again with its division."""

    def __init__(self, draft: Draft) -> None:
        self.settings = draft.settings
        self.parts = 0
        self.parts_of: dict[int, int] = {}
        self.levels: list[int] = list(self.settings.number_offset)
        self.appendix = False
        self.counters: dict[str, tuple[tuple[int, ...], int]] = {}
        self.catalogue = draft.catalogue
        statements = draft.catalogue.statements
        # "Unless unique" asks how many statements of a kind could have a number at all.
        self.of_kind = Counter(s.kind.name for s in statements if not (s.unnumbered or s.given_number or s.restates))
        self.shared_digits: Digits = next((k.digits for k in self.settings.kinds.values() if k.counter == SHARED), "arabic")
        self.of_proofs = {kind.counter for kind in self.settings.kinds.values() if kind.within == "proof"}

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
        if section.noun == "part":
            # As in LaTeX's book classes a part has a number of its own, and chapters run on through it.
            self.parts += 1
            section.number = written(self.parts, "Roman") if self.settings.number_sections else None
            return
        depth = self.depth(section.level)
        self.levels += [0] * (depth - len(self.levels))
        self.levels[depth - 1] += 1
        del self.levels[depth:]
        if section.appendix and section.level == 1:
            section.noun = "appendix"
        if self.settings.number_sections:
            section.number = self.prefix(depth)

    def depth(self, level: int) -> int:
        """Where in the heading counters a heading level stands: below parts they begin with chapters."""
        return level - 1 if self.settings.top_level_division == "part" else level

    def prefix(self, level: int) -> str:
        """The number of the current division at heading `level`; levels not met yet count 0."""
        numbers = (self.levels + [0] * level)[:level]
        words = [str(number) for number in numbers]
        if self.appendix and words:
            words[0] = written(numbers[0], "Alph")
        return ".".join(words)

    # Everything else

    def step(self, counter: str, within: str | None, digits: Digits = "arabic") -> str:
        """The next number of `counter`, which starts again in each division `within`."""
        level = self.depth(self.settings.level_of(within)) if within not in (None, "proof") else 0
        # A counter that belongs to no division runs on into the appendix too.
        division = (int(self.appendix), *(self.levels + [0] * level)[:level]) if level else ()
        last_division, last = self.counters.get(counter, (division, 0))
        count = last + 1 if last_division == division else 1
        self.counters[counter] = (division, count)
        return f"{self.prefix(level)}.{written(count, digits)}" if level else written(count, digits)

    def statement(self, statement: Statement) -> None:
        kind = statement.kind
        if kind.style == "proof":
            for name in self.of_proofs:
                self.counters.pop(name, None)
        if statement.restates:
            return
        if statement.given_number:
            statement.number = statement.given_number
            return
        unique = kind.numbered == "unless-unique" and self.of_kind[kind.name] == 1
        if statement.unnumbered or not kind.numbered or unique:
            statement.unnumbered = True
            return
        statement.number = self.step(kind.counter, kind.within, kind.digits)

    def equation(self, equation: Equation) -> None:
        lines: list[Equation | Row] = [row for row in equation.rows if row]
        for line in lines or [equation]:
            if line.tag is not None:
                line.number = line.tag
            elif line.counts and equation.group:
                equation.group.lines += 1
                line.number = f"{equation.group.number}{letters(equation.group.lines)}"
            elif line.counts:
                line.number = self.next_equation()

    def next_equation(self) -> str:
        shared = self.settings.equations == "shared"
        digits = self.shared_digits if shared else "arabic"
        return self.step(SHARED if shared else "equation", self.settings.number_within, digits)

    def float_(self, entry: Float) -> None:
        # Figures and tables run through an article and start again in the chapters of a book, as LaTeX's classes have it.
        if entry.whole is not None:
            self.parts_of[id(entry.whole)] = part = self.parts_of.get(id(entry.whole), 0) + 1
            entry.mark = f"({letters(part)})"
            entry.number = f"{entry.whole.number}{letters(part)}"
            return
        within = "chapter" if self.settings.top_level_division in ("part", "chapter") else None
        entry.number = self.step(entry.noun, within)

    # What is stated again

    def repeat(self) -> None:
        """Give statements and equations that are stated again the numbers they have."""
        targets = self.catalogue.targets
        for statement in self.catalogue.statements:
            if statement.restates:
                statement.number = statement.restates.number
                statement.unnumbered = statement.restates.unnumbered
        for equation in self.catalogue.equations:
            lines: list[Row | Equation] = [row for row in equation.rows if row] or [equation]
            for line in lines:
                match = _REPEATED.fullmatch(line.tag or "")
                target = targets.get(match[1]) if match else None
                if target is not None:
                    line.number = target.number


def written(number: int, digits: Digits) -> str:
    """A number in LaTeX's way of writing it: arabic, roman, Roman, alph or Alph; 0 has no other form than "0"."""
    if digits == "arabic" or number < 1:
        return str(number)
    mark = roman(number) if digits in ("roman", "Roman") else letters(number)
    return mark.upper() if digits in ("Roman", "Alph") else mark
