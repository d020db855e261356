"""Statements, references and numbers on beamer's slides, where pandoc makes frames of headings and no division counts."""

from __future__ import annotations

import panflute as pf

from scidraft.catalogue import Section, Statement
from scidraft.document import replace, walk
from scidraft.formats.latex import Latex, tex
from scidraft.formats.spelling import label
from scidraft.referring import Mention
from scidraft.wording import NBSP, Head


class Beamer(Latex):
    """LaTeX for slides."""

    def mention(self, mention: Mention) -> list[pf.Element]:
        """Slides show no numbers of sections, and the label of a slide has the slide's: that of a section is written out."""
        target = mention.target
        if not isinstance(target, Section) or target.number is None or mention.show != "number":
            return super().mention(mention)
        words = [pf.Str(mention.word + NBSP)] if mention.word else []
        return [tex(f"\\hyperref[{label(target.identifier)}]{{"), *words, pf.Str(target.number), tex("}")]

    def statement(self, statement: Statement, head: Head) -> None:
        """A heading in a statement, as when a fence is not closed, is bold: pandoc would begin a frame inside the environment."""
        for place in walk(statement.element):
            if isinstance(place.element, pf.Header):
                words = pf.Strong(*place.element.content.list)
                replace(place, pf.Para(pf.Span(words, identifier=place.element.identifier)))
        super().statement(statement, head)

    def section(self, section: Section) -> None:
        """Set the counter of a heading that becomes a frame, where statements or equations count within divisions.

        The command stands first on the slide. A heading right above another is a \\section to pandoc, and counts by itself.
        """
        settings = self.draft.settings
        if section.number is None or not (settings.number_within or any(kind.within for kind in settings.kinds.values())):
            return
        place = next((place for place in walk(self.draft.doc) if place.element is section.element), None)
        if place is None:  # in a statement
            return
        after = next(index for index, block in enumerate(place.siblings) if block is section.element) + 1
        if after == len(place.siblings) or isinstance(place.siblings[after], pf.Header):
            return
        name, last = settings.division_of(section.level), section.number.rpartition(".")[2]
        value = int(last) if last.isdigit() else ord(last[0]) - ord("A") + 1
        command = f"\\setcounter{{{name}}}{{{value - 1}}}\\stepcounter{{{name}}}"
        if section.appendix and section.level == 1:
            command = f"\\gdef\\the{name}{{\\Alph{{{name}}}}}{command}"
        place.siblings.insert(after, pf.RawBlock(command, format="latex"))
