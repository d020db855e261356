"""The pass that walks the document once, in reading order, and fills the catalogue with live elements."""

from __future__ import annotations

import re
from typing import Literal

import panflute as pf

from scidraft import messages
from scidraft.catalogue import Float, Footnote, Item, Section, Statement, Subequations, Target, Term, describe
from scidraft.collect.equations import read_equation
from scidraft.collect.identifiers import heading_identifier, item_mark
from scidraft.collect.references import References
from scidraft.collect.surroundings import Surroundings
from scidraft.dialects import kind_of
from scidraft.document import Place, first_words, inlines, plain_text, walk
from scidraft.draft import Draft
from scidraft.marks import ATTRIBUTION, REQUESTS, RESTATES, SUBEQUATIONS, TITLE
from scidraft.points import read_points
from scidraft.referring import Request

_MYST_DIRECTIVE = re.compile(r"(?:`{3,}|:{3,})\{[A-Za-z][\w:-]*\}")


#: A fence such as ```{mermaid}, which pandoc reads as code in a line.
_CURLY_FENCE = re.compile(r"\{(?:mermaid|[a-z]+-?[a-z]*)\}\s")


def run(draft: Draft) -> None:
    """Fill `draft.catalogue` and tell of lost fences, duplicate ids and misplaced headings."""
    collector = _Collector(draft)
    collector.visit_all(draft.doc)
    collector.references.keep_ours()
    if collector.example and draft.catalogue.statements:
        draft.messages.add(messages.statements.example_list(first_words([collector.example])))


class _Collector:
    def __init__(self, draft: Draft) -> None:
        self.settings = draft.settings
        self.catalogue = draft.catalogue
        self.messages = draft.messages
        self.surroundings = Surroundings()
        self.references = References(draft, self.surroundings)
        self.in_appendix = False
        self.in_quote: set[int] = set()
        self.in_myst = False
        self.section: Section | None = None
        #: Figures that are parts of another, by the identity of the part.
        self.wholes: dict[int, Float] = {}
        #: What displays share their numbers with, by the identity of the formula.
        self.groups: dict[int, Subequations] = {}
        self.notes = 0
        self.example: pf.OrderedList | None = None

    def visit_all(self, root: pf.Element) -> None:
        for place in walk(root):
            element = place.element
            if isinstance(place.parent, pf.Doc) and not isinstance(element, pf.MetaMap):
                self.references.in_metadata = False
            self.surroundings.note(place)
            if isinstance(element, (pf.Div, pf.CodeBlock)):
                self.request(element, place)
            if isinstance(element, pf.Div) and SUBEQUATIONS in element.classes:
                self.group(element, place)
            elif isinstance(element, pf.Div):
                self.div(element)
            elif isinstance(element, pf.Header):
                self.heading(element)
            elif isinstance(element, (pf.Para, pf.Plain)):
                self.paragraph(element)
            elif isinstance(element, pf.Cite):
                self.references.citation(element, place)
            elif isinstance(element, pf.Span):
                self.references.span(element)
                self.term(element, place)
            elif isinstance(element, pf.Link):
                self.references.link(element, place)
            elif isinstance(element, pf.Math):
                self.formula(element, place)
            elif isinstance(element, (pf.RawInline, pf.RawBlock)):
                self.references.raw(element, place)
            elif isinstance(element, pf.Note):
                self.note(element)
            elif isinstance(element, (pf.Figure, pf.Table)):
                self.float_(element, place)
            elif isinstance(element, pf.OrderedList):
                self.example = self.example or (element if element.style == "Example" else None)
            elif isinstance(element, pf.BlockQuote):
                self.in_quote.update(id(block) for block in element.content.list)

    # Statements

    def div(self, div: pf.Div) -> None:
        kind = kind_of(div, self.settings)
        if kind is None or "statement" in div.classes:
            return
        kinds = list(dict.fromkeys(other.name for name in div.classes if (other := self.settings.kind_of(name))))
        statement = Statement(kind, div, div.identifier, section=self.section)
        statement.language, statement.inside = self.surroundings.of(div)
        self.surroundings.enter(div, statement)
        self.take_headings(statement)
        if len(kinds) > 1:
            self.messages.add(messages.statements.several_kinds(describe(statement), kinds, kind.name))
        statement.unnumbered = bool({"unnumbered", "nonumber"} & set(div.classes))
        statement.given_number = div.attributes.pop("number", "").strip() or None
        original = self.catalogue.targets.get(div.attributes.pop(RESTATES, ""))
        statement.restates = original if isinstance(original, Statement) else None
        statement.of = div.attributes.pop("of", "").strip().lstrip("@#") or None
        marked = kind.style == "proof" or bool(self.settings.statement_styles[kind.style].end_mark)
        statement.end_mark = marked and "noqed" not in div.classes
        statement.sketch = kind.style == "proof" and "sketch" in div.classes
        self.take_points(statement)
        self.own(statement, describe(statement))
        self.catalogue.statements.append(statement)
        self.catalogue.in_order.append(statement)
        statement.title = self.visit_apart(statement, statement.title)
        statement.attribution = self.visit_apart(statement, statement.attribution)
        self.look_for_headings(statement)
        self.items(statement, div.content.list)

    def visit_apart(self, statement: Statement, words: list[pf.Element]) -> list[pf.Element]:
        """Look for references and formulas in words that have left the tree; returns the live list that now holds them."""
        holder = pf.Plain(*words)
        self.surroundings.enter(holder, statement)
        self.visit_all(holder)
        live: list[pf.Element] = holder.content.list
        return live

    def take_headings(self, statement: Statement) -> None:
        """Take the title and attribution out of the div: headings that came from attributes, else a heading of the author's."""
        blocks = statement.element.content.list
        while blocks and isinstance(blocks[0], pf.Header) and {TITLE, ATTRIBUTION} & set(blocks[0].classes):
            heading = blocks.pop(0)
            words = statement.title if TITLE in heading.classes else statement.attribution
            words.extend(heading.content.list)
        if not statement.title and blocks and isinstance(blocks[0], pf.Header):
            statement.title.extend(blocks.pop(0).content.list)

    def take_points(self, statement: Statement) -> None:
        given = statement.element.attributes.pop("points", "").strip()
        statement.points = read_points(given) if given else None
        if given and statement.points is None:
            self.messages.add(messages.settings.bad_value(f"points of {describe(statement)}", given, "a number"))

    def look_for_headings(self, statement: Statement) -> None:
        for block in statement.element.content.list:
            if isinstance(block, pf.Header):
                self.messages.add(messages.statements.heading_inside(describe(statement), first_words([block])))
                return

    def items(self, statement: Statement, blocks: list[pf.Element], before: str = "") -> None:
        """Enter the items of a statement's lists whose text begins with an id: `(ii) []{#itm-unique} There is …`."""
        for ordered in blocks:
            if not isinstance(ordered, pf.OrderedList):
                continue
            for number, item in enumerate(ordered.content.list, ordered.start):
                mark = before + item_mark(ordered, number)
                first = item.content.list[0] if item.content.list else None
                words = first.content.list if isinstance(first, (pf.Para, pf.Plain)) else []
                if words and isinstance(words[0], pf.Span) and words[0].identifier:
                    self.own(Item(statement, words[0].identifier, mark), f"an item of {describe(statement)}")
                    if not statement.identifier:
                        # LaTeX needs the statement's own label to say "2(ii)".
                        statement.identifier = statement.element.identifier = f"{words[0].identifier}-statement"
                self.items(statement, item.content.list, mark)

    def own(self, target: Target, description: str) -> None:
        """Enter a target under its id; a second one with the same id loses it."""
        if self.catalogue.claim(target.identifier, target) or self.takes_over(target):
            return
        first = describe(self.catalogue.targets[target.identifier])
        self.messages.add(messages.statements.duplicate_id(target.identifier, first, description))
        target.identifier = ""
        if isinstance(target, (Statement, Section, Subequations, Float, Term)):
            target.element.identifier = ""

    def takes_over(self, target: Target) -> bool:
        """An id written by hand wins over the automatic one that pandoc gave a heading of the same words."""
        heading = self.catalogue.targets[target.identifier]
        if not isinstance(heading, Section) or isinstance(target, Section):
            return False
        if heading_identifier(plain_text(heading.title)) != heading.identifier:
            return False
        self.catalogue.targets[target.identifier] = target
        heading.identifier = heading.element.identifier = f"{heading.identifier}-heading"
        return self.catalogue.claim(heading.identifier, heading)

    # Headings, equations, floats

    def heading(self, header: pf.Header) -> None:
        if id(header) in self.in_quote:
            # pandoc's HTML numbers no heading in a quote, but LaTeX would count it.
            header.classes = list(dict.fromkeys([*header.classes, "unnumbered"]))
            return
        section = Section(header, header.level, header.identifier, "unnumbered" in header.classes)
        if header.level == 1 and not section.unnumbered:
            section.first_appendix = "appendix" in header.classes and not self.in_appendix
            self.in_appendix = self.in_appendix or "appendix" in header.classes
        section.appendix = self.in_appendix
        self.section = section
        self.catalogue.sections.append(section)
        self.catalogue.in_order.append(section)
        self.own(section, describe(section))

    def formula(self, math: pf.Math, place: Place) -> None:
        if math.format != "DisplayMath":
            return
        equation, labels = read_equation(math, place)
        equation.group = self.groups.get(id(math))
        for row in equation.rows:
            if row:
                self.own(row, describe(row))
        if labels and equation.rows:
            # A label after a display whose lines have their own numbers can only mean one of them.
            self.messages.add(messages.references.rows_and_number(labels[0]))
            first = next(row for row in equation.rows if row)
            if not first.identifier:
                first.identifier = labels[0]
                self.own(first, describe(first))
        for label in labels if not equation.rows else ():
            # One formula may have an id of ours and a \label; both lead to it.
            if not equation.identifier:
                equation.identifier = label
                self.own(equation, describe(equation))
            elif self.catalogue.claim(label, equation):
                equation.other_labels.append(label)
        self.catalogue.equations.append(equation)
        self.catalogue.in_order.append(equation)

    def group(self, div: pf.Div, place: Place) -> None:
        """Displays that share a number."""
        group = Subequations(div, place, div.identifier)
        self.groups.update({id(inner.element): group for inner in walk(div) if isinstance(inner.element, pf.Math)})
        self.own(group, describe(group))
        self.catalogue.groups.append(group)
        self.catalogue.in_order.append(group)

    def float_(self, element: pf.Figure | pf.Table, place: Place) -> None:
        if not element.caption or not any(plain_text([block]) for block in element.caption.content.list):
            return
        noun: Literal["figure", "table", "listing"] = "table"
        if isinstance(element, pf.Figure):
            noun = "listing" if "listing" in element.classes else "figure"
        entry = Float(element, place, noun, element.identifier)
        entry.whole = self.wholes.get(id(element))
        if isinstance(element, pf.Figure):
            self.wholes.update({id(part): entry for part in element.content.list if isinstance(part, pf.Figure)})
        self.catalogue.floats.append(entry)
        self.catalogue.in_order.append(entry)
        self.own(entry, describe(entry))

    def note(self, note: pf.Note) -> None:
        """A footnote; one whose text begins with an id can be referred to."""
        if self.references.in_metadata:
            return
        self.notes += 1
        first = note.content.list[0] if note.content.list else None
        words = first.content.list if isinstance(first, (pf.Para, pf.Plain)) else []
        if words and isinstance(words[0], pf.Span) and words[0].identifier:
            footnote = Footnote(note, words[0].identifier, str(self.notes))
            self.own(footnote, describe(footnote))

    def request(self, block: pf.Div | pf.CodeBlock, place: Place) -> None:
        """A div that asks for a list, or the block that a div has become which asks for a graph."""
        for name in REQUESTS & set(block.classes):
            self.catalogue.requests.append(Request(name, place, self.surroundings.of(block)[0]))

    def term(self, span: pf.Span, place: Place) -> None:
        """A term where it is defined: `[abelian groups]{.dfn term="abelian group"}`."""
        if "dfn" not in span.classes:
            return
        given = {name: span.attributes.pop(name, "").strip() for name in ("term", "sort", "see")}
        words = inlines(given["term"]) if given["term"] else span.content.list
        term = Term(span, span.identifier, words, given["sort"], given["see"], self.section, self.surroundings.of(span)[1])
        term.in_heading = isinstance(place.parent, pf.Header)
        self.catalogue.terms.append(term)
        self.own(term, describe(term))

    # Text

    def paragraph(self, paragraph: pf.Para | pf.Plain) -> None:
        start = True
        words = paragraph.content.list
        if words and isinstance(words[0], pf.Code) and _CURLY_FENCE.match(words[0].text):
            self.messages.add(messages.statements.curly_fence(" ".join(words[0].text.split()[:6])))
        for word in words:
            if start and isinstance(word, pf.Str) and word.text.startswith((":::", "```{")):
                self.fence(word.text, paragraph)
                return
            start = isinstance(word, (pf.SoftBreak, pf.LineBreak))

    def fence(self, text: str, paragraph: pf.Para | pf.Plain) -> None:
        """Tell of a fence that pandoc read as text; those of MyST once for all of them."""
        colons = text.startswith(":::")
        if _MYST_DIRECTIVE.match(text) and "myst" in self.settings.dialects:
            self.in_myst = True
            self.messages.add(messages.dialects.needs_conversion("MyST"))
        elif colons and not (self.in_myst and text.strip(":") == ""):
            self.messages.add(messages.statements.lost_fence(first_words([paragraph], 8)))
