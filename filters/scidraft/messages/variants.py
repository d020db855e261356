"""What is told about variants of a handout and imposition."""

from __future__ import annotations

from collections.abc import Iterable

from scidraft.messages.message import Message


def unknown_variant(name: str, known: Iterable[str]) -> Message:
    """A variant is asked for that the note does not describe."""
    return Message(f"there is no variant `{name}`; those of this note are {', '.join(sorted(known))}", "error")


def bad_space(statement: str, space: str) -> Message:
    """A `space=` that is no height and asks for no lines."""
    return Message(f'`space="{space}"` of {statement} should be a height such as 4cm, a number of lines, `lines` or `blank`')


def no_points() -> Message:
    """A total is asked for where nothing says what it is worth."""
    return Message("there is nothing to add up for `.points-total`: no exercise that is shown has `points=`")


def no_line_numbers() -> Message:
    """Lines are to be counted by means that this version of WeasyPrint does not have."""
    return Message("the lines of the PDF are not counted: this version of WeasyPrint is not the one that scidraft knows")


def no_pikepdf() -> Message:
    """What puts pages on sheets is not installed."""
    return Message("pikepdf is not installed: pip install 'scidraft[print]' brings it", "error")


def not_a_pdf(name: str, reason: str) -> Message:
    """A file whose pages are to be put on sheets cannot be read."""
    return Message(f"`{name}` is no PDF that can be read: {reason}", "error")
