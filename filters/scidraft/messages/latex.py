"""What is told about LaTeX, its engines, and numbers compared and locked."""

from __future__ import annotations

from collections.abc import Iterable

from scidraft.messages.message import Message


def class_has_own_numbers(document_class: str, noun: str) -> Message:
    """A document class that writes the numbers of headings or tables its own way."""
    return Message(
        f"LaTeX's class `{document_class}` numbers each {noun} its own way (I, II): references there differ from other outputs"
    )


def no_engine(engine: str, command: str) -> Message:
    """The TeX engine, or latexmk, is not installed."""
    return Message(f"{engine} with latexmk is not installed: {command}", "error")


def only_lualatex_turns() -> Message:
    """A note from right to left for an engine that cannot set it so."""
    return Message("xelatex leaves a note that runs from right to left in the wrong order: build with --engine lualatex")


def latex_error(what: str, line: int | None, file: str, near: str) -> Message:
    """LaTeX stops at an error; `line` is the note's, `file` one that the note reads, `near` the words before the error."""
    where = f", line {line}" if line else ""
    place = f" (in {file})" if file else f' (after "{near}")' if near else ""
    return Message(f"LaTeX stops{where}: {what}{place}", "error")


def latex_failed(engine: str, reason: str) -> Message:
    """The engine, or the program that writes the PDF after it, ended without an error in the log."""
    return Message(f"{engine} makes no PDF: {reason}", "error")


def latex_too_long(engine: str, seconds: int) -> Message:
    """The engine was stopped."""
    return Message(f"{engine} was stopped after {seconds} seconds: does a macro call itself?", "error")


def missing_letters(letters: Iterable[tuple[str, int | None]], engine: str) -> Message:
    """Letters that no font has in LaTeX, each with the first line of the note it is in."""
    named = ", ".join(f"{letter}{f' (line {line})' if line else ''}" for letter, line in letters)
    other = "build with --engine lualatex and " if engine == "pdflatex" else ""
    return Message(f"no font in LaTeX has {named}: {other}give a font that has them under `scidraft: fonts:`", "error")


def latex_label(what: str, identifier: str, line: int | None, *, twice: bool) -> Message:
    """A label that LaTeX does not find, or finds twice; `what` it is: a reference, a citation or a label."""
    where = f" (line {line})" if line else ""
    wrong = "stands there twice" if twice else "leads nowhere"
    return Message(f"the {what} `{identifier}`{where} {wrong} in LaTeX", "error")


def number_differs(what: str, wanted: str, place: str, found: str | None) -> Message:
    """Something has another number in one output than in the others; None when it has none there."""
    shown = f"is {found}" if found else "has no number"
    return Message(f"{what} is {wanted} in the note, but {shown} {place}", "error")


def cannot_compare(place: str, command: str) -> Message:
    """A program is missing that reads what was printed."""
    return Message(f"the numbers {place} cannot be read: {command}", "error")


def number_changed(what: str, identifier: str, now: str) -> Message:
    """A number that was given out has changed."""
    return Message(f"{what} (`{identifier}`) is now {now}")


def number_gone(what: str, identifier: str) -> Message:
    """Something that was given a number is no longer there, or has none any more."""
    return Message(f"{what} (`{identifier}`), whose number was given out, is gone")


def no_lock(name: str) -> Message:
    """A file of numbers that cannot be read."""
    return Message(f"`{name}` is no file of numbers; write it again with  scidraft lock")
