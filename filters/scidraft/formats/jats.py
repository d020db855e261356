"""Statements as JATS has them: `<statement>` with `<label>` and `<title>`, numbered displays as `<disp-formula-group>`."""

from __future__ import annotations

from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

import panflute as pf

from scidraft.catalogue import Equation, Row, Statement
from scidraft.document import plain_text, replace, walk
from scidraft.draft import Draft
from scidraft.formats.plain import Plain
from scidraft.formats.unwrapped import unwrap
from scidraft.tex import without_labels, without_tags
from scidraft.wording import Head, Wordings, shown_number

#: What pandoc writes with paragraphs of its own round raw pieces.
_CONFINING = (pf.ListItem, pf.Definition, pf.Note, pf.TableCell)


class Jats(Plain):
    """The XML of journal articles."""

    def __init__(self, draft: Draft, wordings: Wordings) -> None:
        super().__init__(draft, wordings)
        self.confined: set[int] = set()
        for place in walk(draft.doc):
            if isinstance(place.parent, _CONFINING) or id(place.parent) in self.confined:
                self.confined.add(id(place.element))

    def statement(self, statement: Statement, head: Head) -> None:
        """Label and title as elements; the publisher's style sheet brings the marks between and after them.

        pandoc puts each raw piece into a paragraph where it stands in lists, notes and tables: there a statement stays a box.
        """
        div = statement.element
        if id(div) in self.confined:
            super().statement(statement, head)
            return
        for place in walk(div):
            if isinstance(place.element, pf.Header):
                # A heading would begin a section that ends outside.
                words = pf.Strong(*place.element.content.list)
                replace(place, pf.Para(pf.Span(words, identifier=place.element.identifier)))
        blocks: list[pf.Element] = div.content.list
        if statement.end_mark:
            self.end(statement)
        identifier = f" id={quoteattr(statement.identifier)}" if statement.identifier else ""
        language = f" xml:lang={quoteattr(div.attributes['lang'])}" if "lang" in div.attributes else ""
        label = _xml(self.label(statement, head))
        title = f"\n<title>{_xml(head.title)}</title>" if head.title else ""
        kind = f"content-type={quoteattr(statement.kind.name)}"
        opening = _raw(f"<statement{identifier} {kind}{language}>\n<label>{label}</label>{title}")
        # A statement has something in it.
        blocks[0:0] = [opening, *([] if blocks else [_raw("<p/>")])]
        blocks.append(_raw("</statement>"))

    def equation(self, equation: Equation) -> None:
        """The number as the label of a group, which pandoc's `<disp-formula>` stands in."""
        lines: list[Equation | Row] = [equation, *(row for row in equation.rows if row)]
        numbers = [shown_number(line) for line in lines if line.number]
        words: list[pf.Element] = [equation.element]
        if numbers:
            equation.element.text = without_tags(without_labels(equation.element.text))
            others = [*equation.other_labels, *(row.identifier for row in equation.rows if row and row.identifier)]
            identifier = f" id={quoteattr(equation.identifier)}" if equation.identifier else ""
            opening = f"<disp-formula-group{identifier}><label>{escape(' '.join(numbers))}</label>"
            words = [
                *(pf.Span(identifier=other) for other in others),
                pf.RawInline(opening, format="jats"),
                equation.element,
                pf.RawInline("</disp-formula-group>", format="jats"),
            ]
        if equation.ends:
            words += self.spaced_mark(equation.ends)
        replace(equation.place, *words)

    def finish(self) -> None:
        """Take the divs away, which pandoc would write as boxes."""
        super().finish()
        unwrap(self.draft.doc, [s for s in self.draft.catalogue.statements if id(s.element) not in self.confined])


_ELEMENTS = {
    pf.Emph: "italic",
    pf.Strong: "bold",
    pf.SmallCaps: "sc",
    pf.Subscript: "sub",
    pf.Superscript: "sup",
    pf.Strikeout: "strike",
    pf.Underline: "underline",
}


def _xml(words: Iterable[pf.Element]) -> str:
    """Words as JATS: pandoc would write those of a head as a paragraph."""
    return "".join(map(_word, words))


def _word(word: pf.Element) -> str:
    if isinstance(word, (pf.Space, pf.SoftBreak, pf.LineBreak)):
        return " "
    if isinstance(word, pf.Str):
        return escape(str(word.text))
    if isinstance(word, pf.Code):
        return f"<monospace>{escape(word.text)}</monospace>"
    if isinstance(word, pf.Math):
        return f"<inline-formula><tex-math>{escape(word.text)}</tex-math></inline-formula>"
    if isinstance(word, pf.Note):
        return f"<fn><p>{escape(plain_text(word.content.list))}</p></fn>"
    if isinstance(word, pf.Link):
        inside = _xml(word.content.list)
        if word.url.startswith("#"):
            return f"<xref rid={quoteattr(word.url[1:])}>{inside}</xref>"
        return f'<ext-link ext-link-type="uri" xlink:href={quoteattr(word.url)}>{inside}</ext-link>'
    if type(word) in _ELEMENTS:
        name = _ELEMENTS[type(word)]
        return f"<{name}>{_xml(word.content.list)}</{name}>"
    if isinstance(word, (pf.Span, pf.Cite)):
        return _xml(word.content.list)
    return escape(plain_text([word]))


def _raw(text: str) -> pf.RawBlock:
    return pf.RawBlock(text, format="jats")
