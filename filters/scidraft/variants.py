"""The pass that makes a variant of a note: it hides what others get to see, and leaves room for what is to be written.

What is hidden has its number and id by then, so all variants have the same; what stands for it in the output counts it and takes
the links to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from math import ceil

import panflute as pf

from scidraft import messages
from scidraft.catalogue import Footnote, Section, Statement, Term, describe
from scidraft.document import Place, replace, walk
from scidraft.draft import Draft
from scidraft.formats import format_for
from scidraft.formats.absent import Absent, Room, is_length, setter_for
from scidraft.referring import Line
from scidraft.treatments import HINT, Treatment
from scidraft.wording import Wordings

ONLY = {"only-student": "student", "only-instructor": "instructor"}
TOTAL = "points-total"

#: The class of what is hidden while the later passes may still need it: citations are to have the same numbers too.
_HIDDEN = "scidraft-hidden"

_LABEL = re.compile(r"\\label\{([^{}]+)\}")
_SPACES = (pf.Space, pf.SoftBreak, pf.LineBreak)
#: Handwriting, beside print: so many letters a line, and so many lines for a picture.
_LETTERS = 45
_PICTURE = 6
_FEWEST, _MOST = 3, 40


def run(draft: Draft) -> None:
    """Put what the draft's variant leaves out into divs and spans that `take_out` knows, and what stands for it beside them."""
    _Maker(draft).make()


def take_out(doc: pf.Doc) -> None:
    """Take what is hidden out of the document."""
    thinned: list[pf.Element] = []
    for place in walk(doc):
        element = place.element
        if not isinstance(element, (pf.Div, pf.Span)) or _HIDDEN not in element.classes:
            continue
        index = next(i for i, sibling in enumerate(place.siblings) if sibling is element)
        del place.siblings[index]
        if isinstance(element, pf.Span):
            _close_up(place.siblings, index)
            thinned.append(place.parent)
    for place in walk(doc) if thinned else ():
        if any(place.element is parent for parent in thinned) and not place.element.content.list:
            replace(place)


def _close_up(words: list[pf.Element], index: int) -> None:
    """Take one of the two spaces that met where a span has gone, and the space before a stop."""
    before = words[index - 1] if index else None
    after = words[index] if index < len(words) else None
    stop = isinstance(after, pf.Str) and after.text[:1] in ".,;:!?)"
    if isinstance(after, _SPACES) and (before is None or isinstance(before, _SPACES)):
        del words[index]
    elif isinstance(before, _SPACES) and (after is None or stop):
        del words[index - 1]


class _Maker:
    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.variant = draft.settings.variants[draft.settings.variant]
        self.wordings = Wordings(draft.settings, draft.messages)
        self.setter = setter_for(draft, format_for(draft, self.wordings))
        catalogue = draft.catalogue
        self.statements = {id(statement.element): statement for statement in catalogue.statements}
        self.entries: dict[int, Absent] = {id(entry.element): entry for entry in catalogue.in_order}
        self.gone: set[int] = set()
        self.totals: list[pf.Element] = []

    def make(self) -> None:
        for place in walk(self.draft.doc):
            element = place.element
            if isinstance(element, (pf.Div, pf.Span)) and id(element) not in self.gone:
                if TOTAL in element.classes:
                    self.totals.append(element)
                self.consider(place)
        self.tidy_catalogue()
        self.say_points()
        counted = self.variant.line_numbers or self.draft.settings.line_numbers
        self.setter.finish(wide_margin=self.variant.wide_margin, line_numbers=counted)

    # What is hidden

    def consider(self, place: Place) -> None:
        """Do with an element what the variant says of such elements."""
        element = place.element
        statement = self.statements.get(id(element))
        only = {audience for name, audience in ONLY.items() if name in element.classes}
        if only and self.variant.audience not in ("both", *only):
            self.hide(place)
            return
        name = statement.kind.name if statement else HINT if HINT in element.classes else ""
        if not name:
            return
        treatment = self.treatment(statement, name)
        asked = element.attributes.pop("space", "")
        if treatment == "shown":
            if asked and statement and self.leaves_room(statement):
                element.content.list.extend(self.setter.room(self.room(asked, [], describe(statement))))
        elif isinstance(element, pf.Div) and (asked or treatment == "space"):
            self.leave_room(element, statement, asked)
        else:
            self.hide(place)

    def treatment(self, statement: Statement | None, name: str) -> Treatment:
        # Kinds of an author's own that are set as proofs are proofs.
        usual = self.variant.kinds.get("proof", "shown") if statement and statement.kind.style == "proof" else "shown"
        return self.variant.kinds.get(name, usual)

    def leaves_room(self, statement: Statement) -> bool:
        """Whether an exercise that asks for space gets it: where solutions are not shown."""
        return statement.kind.name not in ("solution", "answer") and self.variant.kinds.get("solution", "shown") != "shown"

    def hide(self, place: Place) -> None:
        element = place.element
        anchors = self.setter.anchors(self.leave_out([element]))
        if isinstance(element, pf.Span):
            replace(place, *anchors, pf.Span(element, classes=[_HIDDEN]))
            return
        here = self.end_of_text_before(place, element)
        if anchors and here is not None:
            here.extend(anchors)
        alone = [pf.Div(pf.Plain(*anchors))] if anchors and here is None else []
        replace(place, *alone, pf.Div(element, classes=[_HIDDEN]))

    def end_of_text_before(self, place: Place, element: pf.Element) -> list[pf.Element] | None:
        """The last line of the statement that comes right before, so that a page cannot end between it and the labels."""
        if any(isinstance(self.entries.get(id(below.element)), Section) for below in walk(element)):
            return None
        index = next(i for i, sibling in enumerate(place.siblings) if sibling is element)
        earlier = [sibling for sibling in place.siblings[:index] if _HIDDEN not in getattr(sibling, "classes", ())]
        statement = self.statements.get(id(earlier[-1])) if earlier else None
        blocks = statement.element.content.list if statement and not statement.end_mark else []
        last = blocks[-1] if blocks else None
        words: list[pf.Element] = last.content.list if isinstance(last, (pf.Para, pf.Plain)) else []
        return words if words and not isinstance(words[-1], pf.Math) else None

    def leave_room(self, div: pf.Div, statement: Statement | None, asked: str) -> None:
        """Keep the head, and leave room in place of the rest."""
        blocks: list[pf.Element] = div.content.list
        room = self.room(asked, blocks, describe(statement) if statement else "the hint")
        anchors = self.setter.anchors(self.leave_out(blocks))
        kept = [pf.Div(pf.Plain(*anchors))] if anchors else []
        div.content = [*kept, *self.setter.room(room), pf.Div(*blocks, classes=[_HIDDEN])]
        if statement:
            statement.end_mark = False

    def leave_out(self, elements: list[pf.Element]) -> list[Absent]:
        """Remember that elements are gone; returns what others may refer to or count in them, in reading order."""
        absent: list[Absent] = []
        for element in elements:
            self.note_absent(element, absent)
            for place in walk(element):
                self.note_absent(place.element, absent)
        return absent

    def note_absent(self, element: pf.Element, absent: list[Absent]) -> None:
        self.gone.add(id(element))
        entry = self.entries.get(id(element))
        if entry is not None:
            absent.append(entry)
        elif getattr(element, "identifier", ""):
            absent.append(element.identifier)
        elif isinstance(element, (pf.RawBlock, pf.RawInline)) and element.format in ("tex", "latex"):
            absent.extend(name for name in _LABEL.findall(element.text) if name in self.draft.catalogue.raw_labels)
        statement = self.statements.get(id(element))
        for word in (*statement.title, *statement.attribution) if statement else ():
            self.note_absent(word, absent)
            for place in walk(word):
                self.note_absent(place.element, absent)

    # Room

    def room(self, asked: str, blocks: list[pf.Element], owner: str) -> Room:
        """The room that `space=` asks for: a height, "lines", "blank", a number of lines; without a size, what `blocks` need."""
        lines, ruled, height = estimate(blocks), self.variant.ruled, ""
        for word in asked.lower().split():
            if word in ("lines", "line", "blank"):
                ruled = word != "blank"
            elif word.isdecimal():
                lines = int(word)
            elif is_length(word):
                height = word
                # A height is of blank paper, unless lines are asked for too.
                ruled = "lines" in asked.lower()
            else:
                self.draft.messages.add(messages.variants.bad_space(owner, asked))
        return Room(max(1, lines), ruled, height)

    # What names the hidden

    def tidy_catalogue(self) -> None:
        """Let lists and links to proofs pass over what is hidden."""
        if not self.gone:
            return
        for statement in self.draft.catalogue.statements:
            statement.proofs = [proof for proof in statement.proofs if id(proof.element) not in self.gone]
        for overview in self.draft.catalogue.overviews:
            overview.lines = [line for line in map(self.visible, overview.lines) if line]
        footnotes = {
            id(target.element): target for target in self.draft.catalogue.targets.values() if isinstance(target, Footnote)
        }
        if footnotes:
            self.count_footnotes(footnotes)

    def count_footnotes(self, referred: dict[int, Footnote]) -> None:
        """Number footnotes anew: writers count those that are shown, and nobody can tell them of others."""
        for footnote in referred.values():
            footnote.number = None
        count = 0
        for place in walk(self.draft.doc):
            statement = self.statements.get(id(place.element))
            # A title has left the tree, but its notes come before those of the body.
            apart = (
                [below.element for word in (*statement.title, *statement.attribution) for below in walk(word)]
                if statement
                else []
            )
            for note in (*apart, place.element):
                if isinstance(note, pf.Note) and id(note) not in self.gone:
                    count += 1
                    if id(note) in referred:
                        referred[id(note)].number = str(count)

    def visible(self, line: Line) -> Line | None:
        """A line of a list with the places that are shown, None when there is none."""
        targets: list[Statement | Term] = [
            target for target in (line.target, *line.others) if id(target.element) not in self.gone
        ]
        if not targets:
            return None
        return Line(targets[0], [target for target in targets[1:] if isinstance(target, Term)], line.see)

    # Points

    def say_points(self) -> None:
        shown = [s for s in self.draft.catalogue.statements if s.points is not None and id(s.element) not in self.gone]
        if self.totals and not shown:
            self.draft.messages.add(messages.variants.no_points())
        total = sum((s.points for s in shown if s.points is not None and not s.restates), Decimal(0))
        for element in self.totals:
            words: list[pf.Element] = [pf.Str(self.wordings.of(None).points(total))]
            if isinstance(element, pf.Span):
                element.content.list.extend(words)
            elif element.content.list and isinstance(element.content.list[-1], (pf.Para, pf.Plain)):
                element.content.list[-1].content.list.extend([pf.Space(), *words])
            else:
                element.content.list.append(pf.Para(*words))
        if not self.variant.points:
            for statement in shown:
                statement.points = None


def estimate(blocks: Iterable[pf.Element]) -> int:
    """How many lines of handwriting the text, displays, pictures and tables of some blocks come to."""
    lines = 0
    letters = 0
    for block in blocks:
        for place in walk(block):
            element = place.element
            if isinstance(element, pf.Math) and element.format == "DisplayMath":
                lines += 2 * (element.text.count("\\\\") + 1)
            elif isinstance(element, pf.Math):
                # A command is one sign, and braces are none.
                letters += len(re.sub(r"[{}\s]", "", re.sub(r"\\[A-Za-z]+", "x", element.text)))
            elif isinstance(element, (pf.Str, pf.Code)):
                letters += len(element.text) + 1
            elif isinstance(element, pf.CodeBlock):
                lines += element.text.count("\n") + 1
            elif isinstance(element, pf.TableRow):
                lines += 1
            elif isinstance(element, pf.Image):
                lines += _PICTURE
        lines += ceil(letters / _LETTERS)
        letters = 0
        if isinstance(block, pf.CodeBlock):
            lines += block.text.count("\n") + 1
    return min(_MOST, max(_FEWEST, lines + 1))
