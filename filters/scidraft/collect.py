"""The pass that walks the document once, in reading order, and fills the catalogue with live elements."""

from __future__ import annotations

import re
from typing import Literal

import panflute as pf

from scidraft import messages
from scidraft.bibliography import has_entry
from scidraft.catalogue import Citing, Equation, Float, Reference, Row, Section, Show, Statement
from scidraft.dialects import ATTRIBUTION, TITLE, kind_of
from scidraft.document import Place, first_words, plain_text, walk
from scidraft.draft import Draft
from scidraft.tex import read_display

_LABEL_AFTER = re.compile(r"\{#(?P<id>[^\s{}]+)\}(?P<rest>.*)", re.DOTALL)
_RAW_REFERENCE = re.compile(r"\\(?P<command>ref|eqref|cref|Cref|autoref|Autoref|nameref|pageref|vref)\*?\{(?P<ids>[^{}]+)\}")
_RAW_LABEL = re.compile(r"\\label\{([^{}]+)\}")
_SENTENCE_END = re.compile(r"[.!?…][”’\"')\]]*$")
#: Prefixes of what is numbered but is no statement.
_OTHER_PREFIXES = ("eq", "fig", "tbl", "tab", "sec", "lst", "app", "cha", "part")

_NOWHERE: tuple[None, None] = (None, None)


def run(draft: Draft) -> None:
    """Fill `draft.catalogue` and tell of lost fences, duplicate ids and misplaced headings."""
    collector = _Collector(draft)
    collector.visit_all(draft.doc)
    collector.keep_known_references()


class _Collector:
    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.settings = draft.settings
        self.catalogue = draft.catalogue
        self.messages = draft.messages
        self.in_appendix = False
        self.in_quote: set[int] = set()
        self.section: Section | None = None
        #: Language and statement of what stands inside something that has one, by the identity of the element.
        self.surroundings: dict[int, tuple[str | None, Statement | None]] = {}

    def visit_all(self, root: pf.Element) -> None:
        for place in walk(root):
            element = place.element
            self.note_surroundings(place)
            if isinstance(element, pf.Div):
                self.div(element)
            elif isinstance(element, pf.Header):
                self.heading(element)
            elif isinstance(element, (pf.Para, pf.Plain)):
                self.paragraph(element)
            elif isinstance(element, pf.Cite):
                self.citation(element, place)
            elif isinstance(element, pf.Link):
                self.link(element, place)
            elif isinstance(element, pf.Math):
                self.formula(element, place)
            elif isinstance(element, (pf.RawInline, pf.RawBlock)):
                self.raw(element, place)
            elif isinstance(element, (pf.Figure, pf.Table)):
                self.float_(element, place)
            elif isinstance(element, pf.BlockQuote):
                self.in_quote.update(id(block) for block in element.content.list)

    def note_surroundings(self, place: Place) -> None:
        """Hand on the language and the statement that an element stands in."""
        language, statement = self.surroundings.get(id(place.parent), _NOWHERE)
        language = getattr(place.element, "attributes", {}).get("lang") or language
        if language or statement:
            self.surroundings[id(place.element)] = (language, statement)

    # Statements

    def div(self, div: pf.Div) -> None:
        kind = kind_of(div, self.settings)
        if kind is None or "statement" in div.classes:
            return
        kinds = list(dict.fromkeys(other.name for name in div.classes if (other := self.settings.kind_of(name))))
        statement = Statement(kind, div, div.identifier, section=self.section)
        statement.language, statement.inside = self.surroundings.get(id(div), _NOWHERE)
        self.surroundings[id(div)] = (statement.language, statement)
        self.take_headings(statement)
        if len(kinds) > 1:
            self.messages.add(messages.several_kinds(describe(statement), kinds, kind.name))
        statement.unnumbered = bool({"unnumbered", "nonumber"} & set(div.classes))
        statement.given_number = div.attributes.pop("number", "").strip() or None
        statement.of = div.attributes.pop("of", "").strip().lstrip("@#") or None
        statement.end_mark = kind.style == "proof" and "noqed" not in div.classes
        self.own(statement, describe(statement))
        self.catalogue.statements.append(statement)
        self.catalogue.in_order.append(statement)
        statement.title = self.visit_apart(statement, statement.title)
        statement.attribution = self.visit_apart(statement, statement.attribution)
        self.look_for_headings(statement)

    def visit_apart(self, statement: Statement, words: list[pf.Element]) -> list[pf.Element]:
        """Look for references and formulas in words that have left the tree; returns the live list that now holds them."""
        holder = pf.Plain(*words)
        self.surroundings[id(holder)] = self.surroundings[id(statement.element)]
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

    def look_for_headings(self, statement: Statement) -> None:
        for block in statement.element.content.list:
            if isinstance(block, pf.Header):
                self.messages.add(messages.heading_inside(describe(statement), first_words([block])))
                return

    def own(self, target: Statement | Equation | Float | Section, description: str) -> None:
        """Enter a target under its id; a second one with the same id loses it."""
        if self.catalogue.claim(target.identifier, target):
            return
        first = describe(self.catalogue.targets[target.identifier])
        self.messages.add(messages.duplicate_id(target.identifier, first, description))
        target.identifier = ""
        if not isinstance(target, Equation):
            target.element.identifier = ""

    # Headings, equations, floats

    def heading(self, header: pf.Header) -> None:
        if id(header) in self.in_quote:
            return
        appendix = "appendix" in header.classes
        section = Section(header, header.level, header.identifier, "unnumbered" in header.classes)
        if header.level == 1 and not section.unnumbered:
            section.first_appendix = appendix and not self.in_appendix
            self.in_appendix = self.in_appendix or appendix
        section.appendix = self.in_appendix
        self.section = section
        self.catalogue.sections.append(section)
        self.catalogue.in_order.append(section)
        self.own(section, describe(section))

    def formula(self, math: pf.Math, place: Place) -> None:
        if math.format != "DisplayMath":
            return
        equation = Equation(math, place, self.label_after(place))
        display = read_display(math.text)
        alone = len(display.rows) == 1 or not any(row.numbered or row.tag for row in display.rows)
        if alone:
            row = display.rows[0] if display.rows else None
            equation.tag = row.tag if row else None
            equation.starred = bool(row and row.starred)
            equation.counts = equation.tag is None and bool(equation.identifier or (row and row.numbered))
            labels = [row.label] if row and row.label else []
        else:
            labels = []
            equation.rows = [
                Row(equation, row.label or "", row.tag, starred=row.starred, counts=row.numbered)
                if row.numbered or row.tag
                else None
                for row in display.rows
            ]
            for line in equation.rows:
                if line and line.identifier and not self.catalogue.claim(line.identifier, line):
                    first = describe(self.catalogue.targets[line.identifier])
                    self.messages.add(messages.duplicate_id(line.identifier, first, describe(equation)))
                    line.identifier = ""
            if equation.identifier:
                first_row = next(line for line in equation.rows if line)
                self.messages.add(messages.rows_and_number(equation.identifier))
                first_row.identifier = first_row.identifier or equation.identifier
                self.catalogue.claim(equation.identifier, first_row)
                equation.identifier = ""
        self.own(equation, describe(equation))
        for label in labels:
            # One formula may have an id of ours and a \label; both lead to it.
            if not equation.identifier:
                equation.identifier = label
                self.own(equation, describe(equation))
            elif label != equation.identifier and self.catalogue.claim(label, equation):
                equation.other_labels.append(label)
        self.catalogue.equations.append(equation)
        self.catalogue.in_order.append(equation)

    def label_after(self, place: Place) -> str:
        """Take the `{#eq-x}` that follows a display out of the text and return its id."""
        siblings = place.siblings
        index = next(i for i, element in enumerate(siblings) if element is place.element) + 1
        start = index
        while index < len(siblings) and isinstance(siblings[index], (pf.Space, pf.SoftBreak)):
            index += 1
        match = (
            _LABEL_AFTER.fullmatch(siblings[index].text)
            if index < len(siblings) and isinstance(siblings[index], pf.Str)
            else None
        )
        if not match:
            return ""
        siblings[start : index + 1] = [pf.Str(match["rest"])] if match["rest"] else []
        return match["id"]

    def float_(self, element: pf.Figure | pf.Table, place: Place) -> None:
        captioned = element.caption and any(plain_text([block]) for block in element.caption.content.list)
        if not captioned:
            return
        noun: Literal["figure", "table"] = "figure" if isinstance(element, pf.Figure) else "table"
        entry = Float(element, place, noun, element.identifier)
        self.catalogue.floats.append(entry)
        self.catalogue.in_order.append(entry)
        self.own(entry, describe(entry))

    # References

    def citation(self, cite: pf.Cite, place: Place) -> None:
        citings: list[Citing | pf.Citation] = [
            Citing(
                citation.id,
                _trimmed(citation.prefix.list),
                list(citation.suffix.list),
                bare=citation.mode == "SuppressAuthor",
                capital=citation.id[:1].isupper(),
                citation=citation,
            )
            for citation in cite.citations.list
        ]
        self.refer(place, citings)

    def link(self, link: pf.Link, place: Place) -> None:
        """A reference as pandoc's LaTeX reader makes it from \\ref and its kin."""
        command = link.attributes.get("reference-type", "")
        if command:
            self.refer(place, self.raw_citings(command, link.attributes.get("reference", "")))

    def raw(self, raw: pf.RawInline | pf.RawBlock, place: Place) -> None:
        if raw.format not in ("tex", "latex"):
            return
        self.catalogue.raw_labels.update(_RAW_LABEL.findall(raw.text))
        match = _RAW_REFERENCE.fullmatch(raw.text.strip()) if isinstance(raw, pf.RawInline) else None
        if match:
            self.refer(place, self.raw_citings(match["command"], match["ids"]))

    @staticmethod
    def raw_citings(command: str, ids: str) -> list[Citing | pf.Citation]:
        command = {"ref+label": "cref", "ref+Label": "Cref"}.get(command, command)
        show: Show = "title" if command == "nameref" else "page" if command == "pageref" else "number"
        return [
            Citing(
                identifier.strip(),
                bare=command in ("ref", "eqref", "nameref", "pageref"),
                capital=command[:1].isupper(),
                show=show,
                parenthesised=command != "ref",
                raw=True,
            )
            for identifier in ids.split(",")
        ]

    def refer(self, place: Place, pieces: list[Citing | pf.Citation]) -> None:
        index = next(i for i, element in enumerate(place.siblings) if element is place.element)
        reference = Reference(place, pieces)
        reference.language, reference.inside = self.surroundings.get(id(place.element), _NOWHERE)
        before = place.siblings[index - 1] if index else None
        if isinstance(before, pf.Str) and before.text.endswith("~") and isinstance(place.element, pf.RawInline):
            # pandoc takes the tilde of "Theorem~\ref{x}" for a letter.
            before.text = before.text[:-1] + "\u00a0"
        reference.sentence_start = _starts_sentence(place.siblings, index) and isinstance(
            place.parent, (pf.Para, pf.Plain, pf.Header)
        )
        if isinstance(place.parent, pf.Header):
            reference.in_heading = next((s for s in self.catalogue.sections if s.element is place.parent), None)
        self.catalogue.references.append(reference)

    def keep_known_references(self) -> None:
        """Drop what is not ours, now that every target is known: citations of books, and of other filters' things."""
        kept: list[Reference] = []
        for reference in self.catalogue.references:
            citings = [piece for piece in reference.pieces if isinstance(piece, Citing)]
            ours = [self.is_ours(citing) for citing in citings]
            if any(ours):
                reference.pieces = [citing if own else citing.citation for citing, own in zip(citings, ours, strict=True)]
                kept.append(reference)
        self.catalogue.references = kept

    def is_ours(self, citing: Citing) -> bool:
        targets = self.catalogue.targets
        for identifier in (citing.identifier, citing.identifier[:1].lower() + citing.identifier[1:]):
            target = targets.get(identifier)
            # A heading's automatic id may be anybody's citation key, so only headings with a telling id are cited.
            if target is not None and (citing.raw or not isinstance(target, Section) or _telling(identifier)):
                citing.identifier = identifier
                return True
        if citing.raw:
            return True
        prefix = citing.identifier.partition("-")[0].lower()
        promised = self.settings.kind_of_id(citing.identifier) or (prefix in _OTHER_PREFIXES and "-" in citing.identifier)
        return bool(promised) and not has_entry(self.draft, citing.identifier)

    # Text

    def paragraph(self, paragraph: pf.Para | pf.Plain) -> None:
        start = True
        for word in paragraph.content.list:
            if start and isinstance(word, pf.Str) and word.text.startswith(":::"):
                self.messages.add(messages.lost_fence(first_words([paragraph], 8)))
                return
            start = isinstance(word, (pf.SoftBreak, pf.LineBreak))


def describe(target: object) -> str:
    """A target in the author's terms, for messages: "the theorem `thm-x`", "the proof beginning …"."""
    if isinstance(target, Statement):
        if target.identifier:
            return f"the {target.noun} `{target.identifier}`"
        words = first_words(target.title or target.element.content.list)
        return f'the {target.noun} "{words}"' if words else f"an empty {target.noun}"
    if isinstance(target, Section):
        return f'the heading "{first_words(target.title)}"'
    if isinstance(target, Row):
        return f"a line of the display {first_words([target.equation.element])}"
    if isinstance(target, Equation):
        return f"the display {first_words([target.element])}"
    assert isinstance(target, Float)
    return f'the {target.noun} "{first_words(target.title)}"'


def _trimmed(words: list[pf.Element]) -> list[pf.Element]:
    while words and isinstance(words[-1], (pf.Space, pf.SoftBreak)):
        words = words[:-1]
    return list(words)


def _telling(identifier: str) -> bool:
    return re.match(r"(?:sec|app|cha|part)[-:]", identifier) is not None


def _starts_sentence(siblings: list[pf.Element], index: int) -> bool:
    before = [element for element in siblings[:index] if not isinstance(element, (pf.Space, pf.SoftBreak, pf.LineBreak))]
    if not before:
        return True
    return isinstance(before[-1], pf.Str) and _SENTENCE_END.search(before[-1].text) is not None
