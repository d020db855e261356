"""Statements for Typst: figures of the kind "statement" with native labels, and `#ref` for references to them."""

from __future__ import annotations

import json
import re

import panflute as pf

from scidraft.catalogue import Equation, Row, Statement
from scidraft.document import replace, walk
from scidraft.draft import Draft
from scidraft.formats.headers import add_header_include
from scidraft.formats.plain import Plain
from scidraft.formats.unwrapped import unwrap
from scidraft.paths import TEMPLATES
from scidraft.referring import Mention
from scidraft.tex import without_labels, without_tags
from scidraft.wording import Head, Wordings, shown_number


class Typst(Plain):
    """The markup of Typst. It is told the numbers, so that they are those of every other output."""

    def __init__(self, draft: Draft, wordings: Wordings) -> None:
        super().__init__(draft, wordings)
        hidden: set[int] = set()
        for place in walk(draft.doc):
            if id(place.parent) in hidden or "scidraft-hidden" in getattr(place.element, "classes", ()):
                hidden.add(id(place.element))
        targets: list[Statement | Equation] = [*draft.catalogue.statements, *draft.catalogue.equations]
        #: What has a native label: all that this variant of the note does not leave out.
        self.native = {id(target) for target in targets if id(target.element) not in hidden}

    def head(self, statement: Statement, head: Head) -> list[pf.Element]:
        """The head upright, whatever the body is."""
        return [_raw("#statement-head["), *super().head(statement, head), _raw("]")]

    def wrap(self, statement: Statement) -> None:
        """Put the blocks into a call of `statement`, with the label after it."""
        style = self.style(statement)
        given = {"italic": "true"} if style.body == "italic" else {}
        if style.boxed:
            given["frame"] = f'rgb("{style.frame.light if style.frame else "#000000"}")'
        given |= {"above": style.space_above or "", "below": style.space_below or ""}
        name = self.wordings.of(statement.language).name(statement.noun)
        number = json.dumps(statement.number, ensure_ascii=False) if statement.number else "none"
        options = "".join(f", {key}: {value}" for key, value in given.items() if value)
        blocks = statement.element.content.list
        blocks.insert(0, _raw_block(f"#statement({json.dumps(name, ensure_ascii=False)}, {number}{options})["))
        blocks.append(_raw_block(f"]{_label(statement.identifier)}"))

    def spaced_mark(self, statement: Statement) -> list[pf.Element]:
        """The end mark at the end of the line."""
        return [_raw("#h(1fr)"), self.mark(statement)]

    def mention(self, mention: Mention) -> list[pf.Element]:
        """A native reference where Typst knows the number; words and number come out as everywhere else."""
        target = mention.target
        usual = mention.show == "number" and mention.parenthesised and not (mention.before or mention.after)
        if id(target) not in self.native or target.number is None or not usual:
            return super().mention(mention)
        word = f"[{_escape(mention.word)}]" if mention.word else "none"
        return [_raw(f"#ref(label({json.dumps(target.identifier, ensure_ascii=False)}), supplement: {word})")]

    def equation(self, equation: Equation) -> None:
        """A display with Typst's own place for its numbers; those of lines stand there together."""
        rows = [row for row in equation.rows if row and row.number]
        lines: list[Equation | Row] = [*rows] or [equation]
        numbers = [shown_number(line) for line in lines if line.number]
        words: list[pf.Element] = [equation.element]
        if numbers:
            equation.element.text = without_tags(without_labels(equation.element.text))
            others = [*equation.other_labels, *(row.identifier for row in rows if row.identifier)]
            words = [
                *(_raw(f"#box(){_label(identifier)}") for identifier in others),
                _raw(f"#math.equation(block: true, numbering: (..) => {json.dumps(' '.join(numbers), ensure_ascii=False)}, "),
                equation.element,
                _raw(f"){_label(equation.identifier)}"),
            ]
        if equation.ends:
            words += self.spaced_mark(equation.ends)
        replace(equation.place, *words)

    def finish(self) -> None:
        """Bring the functions, and take the divs away."""
        super().finish()
        statements = self.draft.catalogue.statements
        self.mend_anchors()
        unwrap(self.draft.doc, statements)
        if statements:
            functions = (TEMPLATES / "statements.typ").read_text(encoding="utf-8").strip()
            add_header_include(self.draft.doc, _raw_block(functions))

    def mend_anchors(self) -> None:
        """Typst stops at a reference to nothing, and at a label of nothing."""
        known = {identifier for place in walk(self.draft.doc) if (identifier := getattr(place.element, "identifier", ""))}
        for equation in self.draft.catalogue.equations:
            known |= {equation.identifier, *equation.other_labels, *(row.identifier for row in equation.rows if row)}
        for place in walk(self.draft.doc):
            element = place.element
            if isinstance(element, pf.Link) and "ref" in element.classes and element.url.removeprefix("#") not in known:
                replace(place, *element.content.list)
            elif isinstance(element, pf.Span) and element.identifier and not element.content.list:
                replace(place, _raw(f"#box(){_label(element.identifier)}"))


def _raw(text: str) -> pf.RawInline:
    return pf.RawInline(text, format="typst")


def _raw_block(text: str) -> pf.RawBlock:
    return pf.RawBlock(text, format="typst")


def _label(identifier: str) -> str:
    if not identifier:
        return ""
    if re.fullmatch(r"[\w.:-]+", identifier):
        return f" <{identifier}>"
    return f" #label({json.dumps(identifier, ensure_ascii=False)})"


def _escape(text: str) -> str:
    return re.sub(r"([\\#\[\]*_$@<>`~])", r"\\\1", text).replace("\u00a0", "~")
