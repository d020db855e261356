"""Statements, references and numbers for every writer that has no format of its own here: docx, odt, typst, gfm, plain text, …"""

from __future__ import annotations

import re

import panflute as pf

from scidraft import messages
from scidraft.catalogue import Elsewhere, Equation, Float, Item, Section, Statement, Subequations, Term
from scidraft.document import replace, walk
from scidraft.draft import Draft
from scidraft.formats.overviews import set_as_list
from scidraft.formats.places import Ends, starts_with_text
from scidraft.formats.sidenotes import place_asides
from scidraft.formats.titles import around, named_elsewhere, title_after
from scidraft.kinds import Style
from scidraft.referring import LatexReference, Mention, Overview
from scidraft.tex import without_labels, without_tags
from scidraft.wording import NBSP, Head, Wordings, shown_number

#: How each font of a head is written; sans serif is for style sheets alone.
_FONTS = {"bold": pf.Strong, "italic": pf.Emph, "smallcaps": pf.SmallCaps}

_ENVIRONMENT = re.compile(r"\s*\\begin\{([^{}]+)\}")


def number_words(number: str) -> list[pf.Element]:
    """A number as inlines: a \\tag may hold maths between dollars."""
    parts = number.split("$")
    words = [pf.Math(part, format="InlineMath") if index % 2 else pf.Str(part) for index, part in enumerate(parts) if part]
    return words if len(parts) % 2 else [pf.Str(number)]


class Plain:
    """Heads as bold or italic words, numbers as text, references as links: nothing but what every writer prints."""

    #: Whether the output has pages that a reference can name.
    pages = False

    @property
    def links_in_metadata(self) -> bool:
        """Whether links from title and abstract work: EPUB gives those a page of their own, from which pandoc links nowhere."""
        return not self.draft.target.startswith("epub")

    #: The sign of an ended proof, where it is a character.
    end_sign = "□"

    def __init__(self, draft: Draft, wordings: Wordings) -> None:
        self.draft = draft
        self.wordings = wordings
        self.ends = Ends(draft.catalogue)

    # Statements

    def statement(self, statement: Statement, head: Head) -> None:
        """Run the head into the first paragraph, or give it one of its own, and end a proof with its mark."""
        div = statement.element
        blocks: list[pf.Element] = div.content.list
        if statement.end_mark:
            self.end(statement)
        if statement.proofs and self.draft.settings.proof_links != "none":
            self.link_proofs(statement)
        words = self.head(statement, head)
        if starts_with_text(blocks[0] if blocks else None) and not self.style(statement).own_line:
            blocks[0].content.list[0:0] = [*words, pf.Space()]
        else:
            blocks.insert(0, pf.Para(*words))
            self.head_alone(statement)
        self.wrap(statement)

    def head(self, statement: Statement, head: Head) -> list[pf.Element]:
        """The inlines of a head: label, title, stop."""
        words = self.emphasised(statement, self.label(statement, head))
        if head.title:
            words += self.title(head)
        if stop := self.stop(statement, head):
            words.append(pf.Str(stop))
        return words

    def style(self, statement: Statement) -> Style:
        """How a statement is set."""
        return self.draft.settings.statement_styles[statement.kind.style]

    def emphasised(self, statement: Statement, words: list[pf.Element]) -> list[pf.Element]:
        """The words of a label in the font of the statement's style."""
        for font in reversed(self.style(statement).head):
            if font in _FONTS:
                words = [_FONTS[font](*words)]
        return words

    def stop(self, statement: Statement, head: Head) -> str:
        """What follows the head: the style's own punctuation, else the language's."""
        own = self.style(statement).punctuation
        return head.stop if own is None else own

    def label(self, statement: Statement, head: Head) -> list[pf.Element]:
        """Name and number."""
        label = [inline for word in head.label for inline in (self.mention(word) if isinstance(word, Mention) else [word])]
        if head.number:
            label += [pf.Str(NBSP), *self.number(head.number)]
        return label

    def number(self, number: str) -> list[pf.Element]:
        """The number in a head."""
        return [pf.Str(number)]

    def title(self, head: Head) -> list[pf.Element]:
        """The title with its brackets."""
        space: list[pf.Element] = [pf.Space()] if head.open.startswith(" ") else []
        return [*space, pf.Str(head.open.strip()), *head.title, pf.Str(head.close)]

    def head_alone(self, statement: Statement) -> None:
        """Told when the head has a paragraph of its own."""

    def wrap(self, statement: Statement) -> None:
        """Told when a statement is ready, for what concerns its div."""

    def end(self, statement: Statement) -> None:
        """Put the mark at the end of a proof, on its last line where there is one."""
        blocks = statement.element.content.list
        where = self.ends.of(blocks)
        if isinstance(where, Equation) and not where.last_line_numbered:
            where.ends = statement
        elif isinstance(where, list):
            where += self.spaced_mark(statement)
        else:
            blocks.append(pf.Para(self.mark(statement)))

    def link_proofs(self, statement: Statement) -> None:
        """Say at the end of a statement where it is proved."""
        blocks = statement.element.content.list
        words: list[pf.Element] = [inline for proof in statement.proofs for inline in (pf.Space(), *self.proof_link(proof))]
        if blocks and isinstance(blocks[-1], (pf.Para, pf.Plain)):
            blocks[-1].content.list.extend(words)
        else:
            blocks.append(pf.Para(*words[1:]))

    def proof_link(self, proof: Statement) -> list[pf.Element]:
        """ "Proof ↓", a link."""
        name = self.wordings.of(proof.language).name("proof")
        link = pf.Link(pf.Str(f"{name}{NBSP}↓"), url=f"#{proof.identifier}", classes=["ref"])
        return [pf.Span(link, classes=["proof-link"])]

    def mark(self, statement: Statement) -> pf.Element:
        """The end mark: the style's own, else that of the note, else the usual one."""
        symbol = self.draft.settings.qed_symbol
        return pf.Str(self.style(statement).end_mark or (self.end_sign if symbol is None else symbol))

    def spaced_mark(self, statement: Statement) -> list[pf.Element]:
        """The end mark after text."""
        return [pf.Str(NBSP), self.mark(statement)]

    # References

    def mention(self, mention: Mention) -> list[pf.Element]:
        """A link that holds the kind's name and the number, or the title."""
        target = mention.target
        if isinstance(target, Elsewhere):
            return self.elsewhere(mention, target)
        words: list[pf.Element] = [pf.Str(mention.word)] if mention.word else []
        if mention.show == "mark" and isinstance(target, Item):
            return [pf.Link(*self.number_in_reference(target.label), url=f"#{target.identifier}", classes=["ref"])]
        if mention.show == "title" or target.number is None:
            title = title_after(mention.word, target)
            if not mention.word or not isinstance(target, Statement):
                words += [*([pf.Space()] if words and title else []), *(title or ([] if words else [pf.Str(target.identifier)]))]
            elif title:
                words += [pf.Space(), pf.Str("("), *title, pf.Str(")")]
        else:
            number = self.mentioned_number(mention)
            words += [*([pf.Str(NBSP)] if words else []), *around(mention, number)]
        return [pf.Link(*_joined(words), url=f"#{target.identifier}", classes=["ref"])]

    def mentioned_number(self, mention: Mention) -> list[pf.Element]:
        """The number in a reference."""
        return self.number_in_reference(shown_number(mention.target) if mention.parenthesised else mention.target.number or "")

    def number_in_reference(self, number: str) -> list[pf.Element]:
        """The inlines of a number in a reference."""
        return number_words(number)

    def elsewhere(self, mention: Mention, target: Elsewhere) -> list[pf.Element]:
        """What is said of something in another note, and that note's title."""
        words = named_elsewhere(mention, target, self.mentioned_number(mention), with_title=False)
        return _joined([*words, pf.Space(), pf.Str("("), pf.Emph(*target.document), pf.Str(")")])

    def latex_reference(self, reference: LatexReference) -> list[pf.Element]:
        """Stays visible as unknown."""
        return [pf.Span(pf.Str(f"?{reference.identifier}"), classes=["ref-unknown"])]

    # Terms and lists

    def term(self, term: Term) -> None:
        """A term that is defined is emphasised."""
        term.element.content = [pf.Emph(*term.element.content.list)]

    def used_in(self, paragraph: pf.Para) -> None:
        """What uses a statement is said in a paragraph like others."""

    def overview(self, overview: Overview) -> None:
        """Lists are lists of links."""
        set_as_list(self, overview)

    # Equations, floats, headings

    def equation(self, equation: Equation) -> None:
        """The number follows the formula, in a span with the equation's id."""
        rows = [row for row in equation.rows if row]
        if not (equation.number or equation.ends or rows):
            return
        math = equation.element
        math.text = without_tags(without_labels(math.text))
        # Only a formula's own writer can set a number beside its line: here they follow the whole, in their order.
        identifiers = [*equation.other_labels, *(row.identifier for row in rows if row.identifier)]
        words: list[pf.Element] = [*(pf.Span(identifier=identifier) for identifier in identifiers), math]
        for row in rows:
            words += [pf.Str(NBSP), *number_words(shown_number(row))]
        if equation.number:
            words += [pf.Str(NBSP), *number_words(shown_number(equation))]
        if equation.ends:
            words += self.spaced_mark(equation.ends)
        replace(equation.place, pf.Span(*words, identifier=equation.identifier))

    def group(self, group: Subequations) -> None:
        """Nothing: the lines have their numbers, and the div its id."""

    def float_(self, entry: Float, name: str) -> None:
        """The caption begins with "Figure 1." """
        first = entry.caption[0]
        first.content.list[0:0] = [pf.Strong(pf.Str(entry.mark or f"{name}{NBSP}{entry.number}.")), pf.Space()]

    def section(self, section: Section) -> None:
        """The number begins the heading; pandoc's own numbering passes it by, so that `-N` cannot number it twice."""
        if section.number is None:
            return
        section.element.content.list[0:0] = [*self.section_number(section.number), pf.Space()]
        if "unnumbered" not in section.element.classes:
            section.element.classes.append("unnumbered")

    def section_number(self, number: str) -> list[pf.Element]:
        """The number in a heading."""
        return [pf.Str(number)]

    def place_notes(self) -> None:
        """Asides in lines are footnotes where there is no margin for them."""
        place_asides(self.draft.doc)

    def finish(self) -> None:
        """Tell of raw LaTeX that this output cannot show. What its author marked {=latex} is meant to be left out."""
        for place in walk(self.draft.doc):
            element = place.element
            if isinstance(element, (pf.RawBlock, pf.RawInline)) and element.format == "tex":
                match = _ENVIRONMENT.match(element.text)
                if match:
                    self.draft.messages.add(messages.statements.raw_environment(match[1]))
        self.place_notes()


def _joined(words: list[pf.Element]) -> list[pf.Element]:
    """Neighbouring strings as one, so that name, no-break space and number cannot part."""
    joined: list[pf.Element] = []
    for word in words:
        if joined and isinstance(word, pf.Str) and isinstance(joined[-1], pf.Str):
            joined[-1].text += word.text
        else:
            joined.append(word)
    return joined
