"""Statements, references and numbers as HTML: the contract of classes that styles and other people's tools rely on.

`div.statement.<kind>.<style>` with the author's id holds one `.statement-head` with `.statement-label`, `.statement-number` and
`.statement-title`; `a.ref` is every reference, `.qed` the end of a proof, `.equation` a display with its `.equation-number`.
"""

from __future__ import annotations

import re
from urllib.parse import quote

import panflute as pf

from scidraft.catalogue import Elsewhere, Equation, Float, Statement, Term
from scidraft.document import plain_text, replace, walk
from scidraft.formats.headers import add_header_include, add_style
from scidraft.formats.plain import Plain, number_words
from scidraft.formats.sidenotes import add_theme, beside_in_html
from scidraft.formats.stylesheet import rules_of
from scidraft.formats.titles import named_elsewhere
from scidraft.formats.wide import WIDE, wide_places
from scidraft.referring import Mention
from scidraft.tex import with_numbers, without_labels, without_tags
from scidraft.wording import NBSP, Head, shown_number

_REFERENCE = re.compile(r"\\(?P<eq>eq)?ref\{(?P<id>[^{}]*)\}")


class Html(Plain):
    """HTML for the web, for EPUB and for slides."""

    may_be_dark = True

    # Statements

    def statement(self, statement: Statement, head: Head) -> None:
        """Give the div its classes and name it by its head."""
        div, kind = statement.element, statement.kind
        own = [name for name in div.classes if (named := self.draft.settings.kind_of(name)) is None or named.name != kind.name]
        div.classes = ["statement", kind.name, kind.style, *own]
        if statement.identifier:
            div.attributes["aria-labelledby"] = f"{statement.identifier}-head"
        super().statement(statement, head)

    def head(self, statement: Statement, head: Head) -> list[pf.Element]:
        """The head in its span; the emphasis inside is what a page without our style sheet shows."""
        label = self.emphasised(statement, self.label(statement, head))
        words: list[pf.Element] = [pf.Span(*label, classes=["statement-label"])]
        if head.title:
            words += self.title(head)
        if stop := self.stop(statement, head):
            words.append(pf.Span(pf.Str(stop), classes=["statement-stop"]))
        identifier = f"{statement.identifier}-head" if statement.identifier else ""
        return [pf.Span(*words, identifier=identifier, classes=["statement-head"])]

    def number(self, number: str) -> list[pf.Element]:
        """The number in a span of its own."""
        return [pf.Span(pf.Str(number), classes=["statement-number"])]

    def title(self, head: Head) -> list[pf.Element]:
        """The title with its brackets in a span; a space stands before it, outside."""
        space: list[pf.Element] = [pf.Space()] if head.open.startswith(" ") else []
        words = [pf.Str(head.open.strip()), *head.title, pf.Str(head.close)]
        return [*space, pf.Span(*words, classes=["statement-title"])]

    def head_alone(self, statement: Statement) -> None:
        """Say so in the classes: the space below such a head is the style sheet's."""
        statement.element.classes.append("head-alone")

    def mark(self, statement: Statement) -> pf.Span:
        """The end mark, a sign that style sheets replace by a drawn box and that screen readers call by its name."""
        sign = self.style(statement).end_mark
        if sign and statement.kind.style != "proof":
            return pf.Span(pf.Str(sign), classes=["qed", "sign"], attributes={"aria-hidden": "true"})
        attributes = {"role": "img", "aria-label": self.wordings.of(statement.language).page_word("end-of-proof")}
        symbol = sign or self.draft.settings.qed_symbol
        # The author's own sign is shown as it is; the usual one is drawn by the style sheet.
        classes = ["qed"] if symbol is None else ["qed", "sign"]
        shown = self.end_sign if symbol is None else symbol
        return pf.Span(*([pf.Str(shown)] if shown else []), classes=classes, attributes=attributes)

    def spaced_mark(self, statement: Statement) -> list[pf.Element]:
        """The mark in a span that does not part from the last word; style sheets put it at the edge of its line."""
        return [pf.Span(pf.Str(NBSP), self.mark(statement), classes=["qed-place"])]

    # References

    def number_in_reference(self, number: str) -> list[pf.Element]:
        """The number in a span that stays upright in italic text, its parentheses with it."""
        return [pf.Span(*number_words(number), classes=["ref-number"])]

    def elsewhere(self, mention: Mention, target: Elsewhere) -> list[pf.Element]:
        """A link to the other note's page, with the statement's title; what the note is called shows when it is pointed at."""
        words = named_elsewhere(mention, target, self.mentioned_number(mention), with_title=True)
        url = f"{quote(target.note)}.html#{target.identifier}"
        return [pf.Link(*words, url=url, title=plain_text(target.document), classes=["ref"])]

    def term(self, term: Term) -> None:
        """pandoc makes a `dfn` of it, which browsers emphasise."""

    # Equations, floats, headings

    def equation(self, equation: Equation) -> None:
        """Wrap the display in `.equation`, with anchors for its labels, its number and the end mark."""
        math = equation.element
        anchors: list[pf.Element] = [pf.Span(identifier=label) for label in equation.other_labels]
        if equation.rows:
            anchors += [pf.Span(identifier=row.identifier) for row in equation.rows if row and row.identifier]
            math.text = with_numbers(math.text, [row.number if row else None for row in equation.rows])
        elif equation.number:
            math.text = without_tags(without_labels(math.text))
        words: list[pf.Element] = [*anchors, math]
        if equation.number:
            words.append(pf.Span(*number_words(shown_number(equation)), classes=["equation-number"]))
        if equation.ends:
            words.append(self.mark(equation.ends))
        replace(equation.place, pf.Span(*words, identifier=equation.identifier, classes=["equation"]))

    def float_(self, entry: Float, name: str) -> None:
        """The caption's label in a span."""
        first = entry.caption[0]
        first.content.list[0:0] = [
            pf.Span(pf.Strong(pf.Str(entry.mark or f"{name}{NBSP}{entry.number}.")), classes=["caption-label"]),
            pf.Space(),
        ]
        if entry.noun != "table" and entry.noun not in entry.element.classes:
            entry.element.classes.append(entry.noun)
        if self.draft.target.startswith("epub") and isinstance(entry.element, pf.Figure) and entry.identifier:
            # pandoc finds the chapter of a link's target by the ids of divs and tables, not by those of figures.
            entry.element.identifier = ""
            replace(entry.place, pf.Div(entry.element, identifier=entry.identifier))

    def section_number(self, number: str) -> list[pf.Element]:
        """The number as pandoc's own numbering writes it."""
        return [pf.Span(pf.Str(number), classes=["header-section-number"])]

    def finish(self) -> None:
        """Say the numbers of equations inside formulas, and bring the few styles that pandoc's own template needs."""
        super().finish()
        self.references_in_formulas()
        self.frame_tables()
        catalogue = self.draft.catalogue
        if self.draft.settings.styles and (catalogue.statements or catalogue.equations or catalogue.terms):
            add_style(self.draft.doc, "statements.css")
        self.add_styles()
        add_theme(self.draft, "web.css")

    def place_notes(self) -> None:
        """Notes beside the text are spans there; other notes are pandoc's."""
        if self.draft.settings.theme.side_notes:
            beside_in_html(self.draft.doc)
        else:
            super().place_notes()

    def add_styles(self) -> None:
        """Bring the rules of the styles that statements.css does not have: the author's own."""
        used = {statement.kind.style for statement in self.draft.catalogue.statements}
        known = self.draft.settings.statement_styles
        styles = [style for name, style in known.items() if name in used and not style.known_to_amsthm]
        if styles:
            rules = "\n".join(rule for style in styles for rule in rules_of(style, dark=self.may_be_dark))
            add_header_include(self.draft.doc, pf.RawBlock(f"<style>\n{rules}\n</style>", format="html"))

    def frame_tables(self) -> None:
        """Put every table into a div, which may scroll where the page must not; the id moves to it, as does that it is wide."""
        wide = {id(place.element) for place in wide_places(self.draft.doc)}
        for place in walk(self.draft.doc):
            if isinstance(place.element, pf.Table) and "table" not in getattr(place.parent, "classes", ()):
                table = place.element
                classes = ["table", WIDE] if id(table) in wide else ["table"]
                replace(place, pf.Div(table, identifier=table.identifier, classes=classes))
                table.identifier = ""

    def references_in_formulas(self) -> None:
        """Write the number for `\\ref` and `\\eqref` inside formulas: whoever draws them does not know our labels."""
        targets = self.draft.catalogue.targets

        def number(match: re.Match[str]) -> str:
            target = targets.get(match["id"])
            if target is None or target.number is None:
                return match[0]
            shown = shown_number(target) if match["eq"] else target.number
            return f"\\text{{{shown}}}"

        for place in walk(self.draft.doc):
            if isinstance(place.element, pf.Math) and "ref{" in place.element.text:
                place.element.text = _REFERENCE.sub(number, place.element.text)
