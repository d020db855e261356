"""The data of references: what is cited, how it is said, and the lists that name many things at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

import panflute as pf

from scidraft.document import Place

if TYPE_CHECKING:
    from scidraft.catalogue import Section, Statement, Target, Term

Show = Literal["number", "title", "page", "mark"]


@dataclass
class Mention:
    """One target as it is named in the text: "Theorem 2", a bare "2", its title, the page it is on, or the mark of an item.

    `word` is the kind's name in its final form, or ""; `show` says what follows it. `before` and `after` stand round the number
    in languages that say "第 2 节". `upright`: the text around it is italic, its number is not. `parenthesised` is False for an
    equation's number without its parentheses.
    """

    target: Target
    word: str = ""
    show: Show = "number"
    parenthesised: bool = True
    before: str = ""
    after: str = ""
    upright: bool = False


@dataclass
class LatexReference:
    """A reference to a label that only raw LaTeX has: the command itself, and the label for every other output."""

    command: pf.Element
    identifier: str


#: What a piece of wording is made of: pandoc's inline elements, and what a format turns into links.
Words: TypeAlias = pf.Element | Mention | LatexReference


@dataclass
class Citing:
    """One id inside a reference, with the words the author put round it.

    `bare` asks for the number without the kind's name, `capital` for a capital first letter; `raw` came from a TeX command,
    `citation` from pandoc's citation syntax.
    """

    identifier: str
    prefix: list[pf.Element] = field(default_factory=list)
    suffix: list[pf.Element] = field(default_factory=list)
    bare: bool = False
    capital: bool = False
    show: Show = "number"
    parenthesised: bool = True
    raw: bool = False
    citation: pf.Citation | None = None


@dataclass
class Reference:
    """A reference in the text, and after `resolve` the `words` to put in its place.

    `pieces` keeps the author's order: ours as `Citing`, the bibliography's as pandoc's `Citation`. `inside` is the statement that
    holds it, `in_heading` the heading, whose id and bookmark show its words too.
    """

    place: Place
    pieces: list[Citing | pf.Citation]
    sentence_start: bool = False
    language: str | None = None
    inside: Statement | None = None
    in_heading: Section | None = None
    in_metadata: bool = False
    words: list[Words] = field(default_factory=list)


@dataclass
class Line:
    """A line of a list: what it leads to, and further places of the same term; or, for a term, the one to `see` instead."""

    target: Statement | Term
    others: list[Term] = field(default_factory=list)
    see: list[pf.Element | Mention] = field(default_factory=list)


@dataclass
class Request:
    """Where the author asks for a list or a graph, by a div's class."""

    name: str
    place: Place
    language: str | None


@dataclass
class Overview:
    """A list of statements, or an index of terms, as the author's div asks for it."""

    element: pf.Div
    kind: Literal["list-of-statements", "index-of-terms"]
    lines: list[Line]
