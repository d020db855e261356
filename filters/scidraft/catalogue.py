"""The data: what a note states, what it numbers, and what it refers to. Read this file first.

A `Catalogue` is filled once, in reading order, by `collect`; `number` writes numbers into it; `resolve` joins references to
their targets; `render` loops over it. It holds the live pandoc elements, so a change to one is a change to the document.
`kinds` has the kinds of statement, `referring` the references.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, TypeAlias

import panflute as pf

from scidraft.document import Place, first_words
from scidraft.kinds import Kind
from scidraft.referring import Overview, Reference, Request


@dataclass
class Section:
    """A heading. `level` counts from 1 as in pandoc; `number` is None for unnumbered ones."""

    element: pf.Header
    level: int
    identifier: str
    unnumbered: bool
    appendix: bool = False
    first_appendix: bool = False
    number: str | None = None
    noun: str = "section"

    @property
    def title(self) -> list[pf.Element]:
        """The heading's words."""
        words: list[pf.Element] = self.element.content.list
        return words


@dataclass
class Statement:
    """A theorem, definition, proof, …: one fenced div.

    `given_number` is the author's own (`number="I.7.8"`), which does not step the counter. `of` is the id a proof belongs to,
    `target` what it names once resolved; `proofs` are the proofs that name it. `end_mark` asks for the mark at its end, `sketch`
    for the word "Proof sketch". `section` is the heading it stands under, `inside` the statement that holds it, and `restates`
    the one it says again. `points` is what an exercise is worth.
    """

    kind: Kind
    element: pf.Div
    identifier: str
    title: list[pf.Element] = field(default_factory=list)
    attribution: list[pf.Element] = field(default_factory=list)
    unnumbered: bool = False
    given_number: str | None = None
    of: str | None = None
    target: Target | None = None
    end_mark: bool = True
    sketch: bool = False
    proofs: list[Statement] = field(default_factory=list)
    language: str | None = None
    section: Section | None = None
    inside: Statement | None = None
    restates: Statement | None = None
    number: str | None = None
    points: Decimal | None = None

    @property
    def names_target(self) -> bool:
        """Whether its head says what it belongs to, "Proof of Theorem 2"; one with a number of its own is told by that."""
        return self.target is not None and self.number is None

    @property
    def noun(self) -> str:
        """The key of its name in the language tables."""
        return self.kind.name


@dataclass
class Item:
    """An item of a list inside a statement, told by the id its text begins with; `label` is its mark, as "(ii)"."""

    statement: Statement
    identifier: str
    label: str

    @property
    def noun(self) -> str:
        """It is named as its statement is."""
        return self.statement.noun

    @property
    def number(self) -> str | None:
        """The statement's number and its own mark, as "2(ii)"."""
        return f"{self.statement.number}{self.label}" if self.statement.number else None

    @property
    def title(self) -> list[pf.Element]:
        """Without a number an item is told by its mark."""
        return [pf.Str(self.label)]


@dataclass
class Row:
    """One line of an aligned display that has a number of its own.

    `tag` is the author's \\tag, printed without parentheses when `starred`; a line that `counts` takes the next number.
    """

    equation: Equation
    identifier: str
    tag: str | None = None
    starred: bool = False
    counts: bool = True
    number: str | None = None
    noun: str = "equation"

    @property
    def title(self) -> list[pf.Element]:
        """Lines of equations have no title."""
        return []


@dataclass
class Subequations:
    """Displays whose lines share a number, as 1a and 1b; `number` is that of all together. `lines` counts those that have one."""

    element: pf.Div
    place: Place
    identifier: str
    number: str | None = None
    lines: int = 0
    starred: bool = False
    noun: str = "equation"

    @property
    def title(self) -> list[pf.Element]:
        """Equations have no title."""
        return []


@dataclass
class Equation:
    """A display formula, numbered or not.

    One number for the whole is `number`; `tag` and `starred` are as for a `Row`. Where lines are numbered one by one, `rows` has
    an entry for each line, None for those without a number, and the equation itself has none. `other_labels` lead to it too.
    `group` is what it shares a number with; `ends` is the proof whose end mark stands beside its last line.
    """

    element: pf.Math
    place: Place
    identifier: str = ""
    tag: str | None = None
    starred: bool = False
    counts: bool = False
    rows: list[Row | None] = field(default_factory=list)
    other_labels: list[str] = field(default_factory=list)
    number: str | None = None
    noun: str = "equation"
    group: Subequations | None = None
    ends: Statement | None = None

    @property
    def last_line_numbered(self) -> bool:
        """Whether a number stands at the end of its last line, where an end mark would be."""
        return self.number is not None or bool(self.rows and self.rows[-1])

    @property
    def title(self) -> list[pf.Element]:
        """Equations have no title."""
        return []


@dataclass
class Float:
    """A captioned figure, table or listing, as `noun` says. A part of a figure has its `whole`, and its `mark`, as "(a)"."""

    element: pf.Figure | pf.Table | pf.Div
    place: Place
    noun: Literal["figure", "table", "listing"]
    identifier: str
    number: str | None = None
    whole: Float | None = None
    mark: str = ""

    @property
    def title(self) -> list[pf.Element]:
        """The words of the caption."""
        return [inline for block in self.caption for inline in getattr(block, "content", [])]

    @property
    def caption(self) -> list[pf.Element]:
        """The live blocks of the caption."""
        caption = self.element.caption
        blocks: list[pf.Element] = caption.content.list if caption else []
        return blocks


@dataclass
class Footnote:
    """A footnote that is referred to, by the id its text begins with."""

    element: pf.Note
    identifier: str
    number: str | None
    noun: str = "footnote"

    @property
    def title(self) -> list[pf.Element]:
        """Footnotes have no title."""
        return []


@dataclass
class Term:
    """A term where it is defined, `[abelian group]{.dfn}`; the index of terms lists it.

    `entry` is what the index calls it, its own words unless the author gave others, `sort` what it is sorted by. `see` is the
    term to look up instead.
    """

    element: pf.Span
    identifier: str
    entry: list[pf.Element] = field(default_factory=list)
    sort: str = ""
    see: str = ""
    section: Section | None = None
    inside: Statement | None = None
    in_heading: bool = False
    number: None = None
    noun: str = "term"

    @property
    def title(self) -> list[pf.Element]:
        """What the index calls it."""
        return self.entry


@dataclass
class Elsewhere:
    """Something of another note. `note` is that note's name, `document` its title.

    `name` is what that note calls the kind of a statement; it is "" for what is no statement.
    """

    note: str
    identifier: str
    noun: str
    number: str | None
    name: str = ""
    title: list[pf.Element] = field(default_factory=list)
    document: list[pf.Element] = field(default_factory=list)


Target: TypeAlias = Section | Statement | Item | Equation | Row | Subequations | Float | Footnote | Term | Elsewhere


def describe(target: Target) -> str:
    """A target in the author's terms, for messages: "the theorem `thm-x`", 'the proof "Multiply out …"'."""
    if isinstance(target, Statement):
        if target.identifier:
            return f"the {target.noun} `{target.identifier}`"
        words = first_words(target.title or target.element.content.list)
        return f'the {target.noun} "{words}"' if words else f"an empty {target.noun}"
    if isinstance(target, Item):
        return f"an item of {describe(target.statement)}"
    if isinstance(target, Row):
        return f"a line of the display {first_words([target.equation.element])}"
    if isinstance(target, Subequations):
        return f"the group of displays {first_words([target.element])}"
    if isinstance(target, Equation):
        return f"the display {first_words([target.element])}"
    if isinstance(target, Footnote):
        return f'the footnote "{first_words(target.element.content.list)}"'
    return f'the {"heading" if isinstance(target, Section) else target.noun} "{first_words(target.title)}"'


@dataclass
class Catalogue:
    """All that a note states, numbers and refers to, in reading order; `targets` finds each by its id.

    `elsewhere` has what it refers to in other notes, `used_in` the paragraphs that say what uses a statement.
    """

    statements: list[Statement] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    equations: list[Equation] = field(default_factory=list)
    groups: list[Subequations] = field(default_factory=list)
    floats: list[Float] = field(default_factory=list)
    terms: list[Term] = field(default_factory=list)
    references: list[Reference] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    overviews: list[Overview] = field(default_factory=list)
    used_in: list[pf.Para] = field(default_factory=list)
    in_order: list[Section | Statement | Subequations | Equation | Float] = field(default_factory=list)
    targets: dict[str, Target] = field(default_factory=dict)
    elsewhere: dict[str, Elsewhere] = field(default_factory=dict)
    raw_labels: set[str] = field(default_factory=set)

    def claim(self, identifier: str, target: Target) -> bool:
        """Enter `target` under `identifier`; False when the id is taken by an earlier one, which keeps it."""
        if not identifier:
            return True
        return self.targets.setdefault(identifier, target) is target

    def find(self, identifier: str) -> Target | None:
        """What has this id in the note, or, as `other-note:id`, in another one."""
        return self.targets.get(identifier) or self.elsewhere.get(identifier)
