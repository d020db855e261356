"""Compares the numbers of a note in all that is made of it: the page, LaTeX's own, and both PDFs."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from scidraft import messages, printednumbers, texengine, uses
from scidraft.catalogue import Equation, Float, Footnote, Item, Row, Section, Statement, Subequations, Target, describe
from scidraft.draft import Draft
from scidraft.formats.spelling import label
from scidraft.messages import Message, Messages
from scidraft.note import Result, Task, contents
from scidraft.printednumbers import Printed, is_plain
from scidraft.readback import absent_from_page, labels_of_aux, numbers_of_page, shown
from scidraft.wording import Wordings, label_text, shown_number

IN_LATEX = "in LaTeX"

#: Finds the number of what has an id, as some output shows it; None where it shows none.
Find = Callable[[str, Target], "str | None"]


def compare_note(note: Path, task: Task, report: Messages) -> Result:
    """Make every output of a note and tell the first number that differs in one of them; write nothing.

    `task.engine` sets the LaTeX. Raises OSError.
    """
    with tempfile.TemporaryDirectory(prefix="scidraft-") as name:
        folder = Path(name)
        made = contents(note, Task(folder, ("html", "pdf", "latex"), task.paper, task.strict), report)
        if made is None:
            return Result(0, task.strict)
        draft, outputs = made
        uses.check(draft)
        typeset = texengine.typeset(outputs["latex"], task.engine, note, folder / f"{note.stem}-media", report)
    if typeset is not None:
        page = outputs["html"].decode()
        readers = {"on the web page": on_page(page), IN_LATEX: in_aux(typeset.aux)}
        if printednumbers.missing():
            report.add(messages.latex.cannot_compare("in the PDFs", printednumbers.INSTALL))
        else:
            right = draft.settings.page.end_of_text
            readers["in the printed PDF"] = in_print(Printed(outputs["pdf"], right), draft)
            readers[f"in the PDF by {task.engine}"] = in_latex(Printed(typeset.pdf, right), typeset.aux, draft)
        difference = next(differences(draft, readers, absent_from_page(page)), None)
        if difference:
            report.add(difference)
    return Result(0, task.strict or draft.settings.strict)


def differences(draft: Draft, readers: dict[str, Find], absent: Collection[str] = ()) -> Iterator[Message]:
    """Every number that an output shows otherwise than the note counts it, in reading order; `readers` by what to call them.

    What is `absent`, because it is for another variant of the note, is counted all the same, and only LaTeX tells how.
    """
    for identifier, target in numbered(draft).items():
        for place, find in readers.items():
            number = target.number if identifier in absent and place != IN_LATEX else find(identifier, target)
            if number != target.number:
                yield messages.latex.number_differs(describe(target), str(target.number), place, number)


def numbered(draft: Draft) -> dict[str, Target]:
    """The statements, equations, floats and sections with an id and a number of their own; items have their statement's."""
    return {
        identifier: target
        for identifier, target in draft.catalogue.targets.items()
        if target.number is not None and not isinstance(target, (Item, Footnote))
    }


# The outputs


def on_page(page: str) -> Find:
    """Reads a web page."""
    numbers = numbers_of_page(page)

    def find(identifier: str, target: Target) -> str | None:
        if isinstance(target, Subequations):
            return target.number  # its lines alone show it
        found = numbers.get(identifier) or []
        number = str(target.number)
        found = found[_line(target) :]
        if not found or _drawn(number):
            return number if found else None
        if isinstance(target, (Equation, Row)):
            return number if found[0] == shown_number(target) else found[0].strip("()")
        if isinstance(target, Float) and target.whole:
            return number if target.mark in found[0] else found[0]
        return shown(found[0], number)

    return find


def in_aux(aux: str) -> Find:
    """Reads what LaTeX wrote for its own references."""
    labels = labels_of_aux(aux)

    def find(identifier: str, target: Target) -> str | None:
        found = labels.get(label(identifier))
        return found.number if found else None

    return find


def in_print(printed: Printed, draft: Draft) -> Find:
    """Reads the PDF that was printed from HTML, whose places have the ids of the note."""
    # The places of a display's lines are all at its beginning.
    return lambda identifier, target: _in_pdf(printed, identifier, target, draft, _line(target, plain=True))


def in_latex(printed: Printed, aux: str, draft: Draft) -> Find:
    """Reads the PDF that LaTeX made, whose places have names that the .aux file tells."""
    labels = labels_of_aux(aux)

    def find(identifier: str, target: Target) -> str | None:
        known = labels.get(label(identifier))
        return _in_pdf(printed, known.anchor if known else "", target, draft)

    return find


def _in_pdf(printed: Printed, place: str, target: Target, draft: Draft, line: int = 0) -> str | None:
    number = str(target.number)
    if isinstance(target, Subequations):
        return number
    if place not in printed.places:
        return None
    if _drawn(number):
        # A formula is no text in every PDF.
        return number
    if isinstance(target, (Equation, Row)):
        wanted = shown_number(target)
        found = printed.equation(place, wanted, line)
        return number if found == wanted else found and found.strip("()")
    if isinstance(target, Section):
        return printed.heading(place, number)
    wordings = Wordings(draft.settings, draft.messages)
    if isinstance(target, Statement):
        return printed.label(place, label_text(wordings.of(target.language), target), number)
    if isinstance(target, Float) and target.whole:
        return number if any(target.mark in row.text for row in printed.below(place)) else None
    if isinstance(target, Float):
        return printed.label(place, target.mark or f"{wordings.of(None).name(target.noun)} {number}", number)
    return None


def _line(target: Target, *, plain: bool = False) -> int:
    """The place of a line of a display among those that have a number, or have a `plain` one; 0 for all else."""
    if not isinstance(target, Row):
        return 0
    rows = [row for row in target.equation.rows if row and row.number]
    before = rows[: next(place for place, row in enumerate(rows) if row is target)]
    return sum(not plain or is_plain(shown_number(row)) for row in before)


def _drawn(number: str) -> bool:
    """Whether a number is a formula (\\tag{$\\dagger$}), which pages and PDFs show as a picture."""
    return "\\" in number or "$" in number
