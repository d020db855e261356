"""Statements for text that people read: Markdown without divs, and plain text. The head is bold, links lead to anchors."""

from __future__ import annotations

import html
import re

import panflute as pf

from scidraft.catalogue import Equation, Section, Statement, Term
from scidraft.document import replace, walk
from scidraft.draft import Draft
from scidraft.formats.plain import Plain, number_words
from scidraft.formats.unwrapped import unwrap
from scidraft.referring import Mention
from scidraft.tex import with_numbers, without_labels, without_tags
from scidraft.wording import NBSP, Wordings, shown_number

#: Writers that have a form of their own for a span with an id, instead of HTML.
_SPANS = {"markdown", "commonmark_x"}

#: Writers that leave formulas in TeX, for a reader's MathJax.
_TEX = {"gfm", "markdown", "commonmark_x", "markdown_github", "markdown_mmd"}


class Markup(Plain):
    """Markdown of all kinds."""

    def __init__(self, draft: Draft, wordings: Wordings) -> None:
        super().__init__(draft, wordings)
        writer = re.split(r"[+-]", draft.target)[0]
        self.spans = writer in _SPANS
        self.tex = writer in _TEX
        self.mentioned: set[str] = set()
        self.terms: set[int] = set()

    def anchor(self, identifier: str) -> list[pf.Element]:
        """What links to `identifier` find."""
        if self.spans and identifier:
            return [pf.Span(identifier=identifier)]
        return [pf.RawInline(f'<a id="{html.escape(identifier)}"></a>', format="html")] if identifier else []

    def wrap(self, statement: Statement) -> None:
        """Put an anchor before the head."""
        statement.element.content.list[0].content.list[0:0] = self.anchor(statement.identifier)

    def mention(self, mention: Mention) -> list[pf.Element]:
        """A link without classes, which most kinds of Markdown could only write as HTML."""
        self.mentioned.add(mention.target.identifier)
        words = super().mention(mention)
        for word in words:
            if isinstance(word, pf.Link):
                word.classes = []
        return words

    def proof_link(self, proof: Statement) -> list[pf.Element]:
        """The link alone."""
        link: pf.Link = super().proof_link(proof)[0].content.list[0]
        link.classes = []
        return [link]

    def term(self, term: Term) -> None:
        """A term is emphasised, and an anchor stands before it."""
        super().term(term)
        self.terms.add(id(term.element))

    def equation(self, equation: Equation) -> None:
        """Numbers and end mark go into the formula as \\tag where it stays TeX: a display stands on lines of its own."""
        math, ends = equation.element, equation.ends
        identifiers = [equation.identifier, *equation.other_labels, *(row.identifier for row in equation.rows if row)]
        anchors = [anchor for identifier in identifiers if identifier for anchor in self.anchor(identifier)]
        after: list[pf.Element] = []
        numbers = [shown_number(line) for line in (equation, *equation.rows) if line and line.number]
        if not self.tex:
            math.text = without_tags(without_labels(math.text))
            after = [inline for number in numbers for inline in (pf.Str(NBSP), *number_words(number))]
        elif equation.rows:
            math.text = with_numbers(math.text, [row.number if row else None for row in equation.rows])
        elif equation.number:
            tag = f"\\tag*{{{equation.number}}}" if equation.starred else f"\\tag{{{equation.number}}}"
            math.text = f"{without_tags(without_labels(math.text)).rstrip()} {tag}"
        if ends and self.tex and not equation.rows and not equation.number:
            math.text = f"{math.text.rstrip()} \\tag*{{{self.style(ends).end_mark or self.end_sign}}}"
        elif ends:
            after += self.spaced_mark(ends)
        replace(equation.place, *anchors, math, *after)

    def section(self, section: Section) -> None:
        """An anchor before the heading's words, when something leads there: not every kind of Markdown has ids of headings."""
        super().section(section)
        if not self.spans and section.identifier in self.mentioned:
            section.element.content.list[0:0] = self.anchor(section.identifier)

    def finish(self) -> None:
        """Take the divs and spans away."""
        super().finish()
        unwrap(self.draft.doc, self.draft.catalogue.statements)
        for place in walk(self.draft.doc):
            if id(place.element) in self.terms:
                replace(place, *self.anchor(place.element.identifier), *place.element.content.list)


class Text(Plain):
    """Plain text, which has no links: nothing but words."""

    def finish(self) -> None:
        """Take the divs away."""
        super().finish()
        unwrap(self.draft.doc, self.draft.catalogue.statements)
