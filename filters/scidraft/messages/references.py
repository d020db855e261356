"""What is told about references, targets and equations."""

from __future__ import annotations

from scidraft.messages.message import Message


def unknown_reference(identifier: str) -> Message:
    """A reference to an id that nothing in the note has."""
    return Message(f"reference to `{identifier}`, but nothing in this note has that id; it is printed as ?{identifier}")


def no_bibliography(key: str) -> Message:
    """A citation in a note without a bibliography."""
    return Message(
        f"`@{key}` is no id in this note, and the note names no bibliography that could have it; it is printed as it stands"
        f" (if it is meant so, write `\\@{key}`)"
    )


def unknown_proof_target(proof: str, identifier: str) -> Message:
    """A proof of something that is not in the note."""
    return Message(f'{proof} says of="{identifier}", but nothing in this note has that id')


def unknown_restatement(identifier: str, words: str) -> Message:
    """Something is to be said again that is not in the note."""
    where = f' (in the div "{words}")' if words else ""
    return Message(f'restate="{identifier}", but no statement in this note has that id{where}')


def unnumbered_target(identifier: str) -> Message:
    """A bare number was asked of something that has none."""
    return Message(f"reference to the number of `{identifier}`, which has none; its name is printed")


def untitled_target(identifier: str) -> Message:
    """The title was asked of something that has none."""
    return Message(f"reference to the title of `{identifier}`, which has none; its name and number are printed")


def raw_label(identifier: str) -> Message:
    """A reference to a label that only raw LaTeX has."""
    return Message(f"`{identifier}` is a label inside raw LaTeX: it has a number in LaTeX output only")


def no_pages(identifier: str) -> Message:
    """A page number was asked where there are no pages."""
    return Message(f"\\pageref{{{identifier}}}: this output has no pages; its name is printed as a link")


def after_citeproc() -> Message:
    """citeproc ran before this filter and marked our references as unknown citations."""
    return Message("references were given to citeproc first: put `--filter scidraft-statements` before `--citeproc`")


def rows_and_number(identifier: str) -> Message:
    """A label after a display whose lines are numbered one by one."""
    return Message(
        f"`{identifier}` labels a display whose lines are numbered one by one: it stands for the first; use \\label in a line"
    )
