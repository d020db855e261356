"""What is told about lists, the graph of uses, and other notes."""

from __future__ import annotations

from collections.abc import Iterable

from scidraft.messages.message import Message


def unknown_kind(name: str, place: str) -> Message:
    """A list or graph of a kind that there is not."""
    return Message(f"`{place}` asks for the kind `{name}`, which there is not; it is left out")


def empty_list(name: str) -> Message:
    """A list, index or graph with nothing in it."""
    return Message(f"`{name}` has nothing to show")


def unknown_see(term: str, other: str) -> Message:
    """A term that sends the reader to another one, which the note does not define."""
    return Message(f'the term "{term}" says see="{other}", but no term of the note is called that')


def unknown_used(identifier: str) -> Message:
    """A "Used in" list of something that is no statement of the note."""
    return Message(f'`used-in` says of="{identifier}", but no statement of the note has that id')


def unused(identifier: str) -> Message:
    """A "Used in" list of a statement that nothing uses."""
    return Message(f"nothing in the note uses `{identifier}`: its `used-in` is left out")


def circular_proofs(names: Iterable[str]) -> Message:
    """Proofs that use each other in a circle; the first name is the last again."""
    first, *others = names
    return Message(f"the proofs go in a circle: {first} uses {', which uses '.join(others)}")


def uses_later(user: str, used: str) -> Message:
    """A proof that uses what is stated later."""
    return Message(f"the proof of {user} uses {used}, which comes later")


def unknown_elsewhere(identifier: str) -> Message:
    """A reference to another note, which has nothing of that id."""
    note, _, own = identifier.partition(":")
    return Message(
        f"reference to `{identifier}`, but nothing in the note `{note}` has the id `{own}`; it is printed as ?{identifier}"
    )


def nothing_in_library(place: str) -> Message:
    """A place of other notes where there is no file."""
    return Message(f"`scidraft: library:` names `{place}`, but there is no such file; names are looked up beside the note")


def no_index(name: str) -> Message:
    """A file that should be an index of notes and is not one."""
    return Message(f"`{name}` is no index of notes; write one with  scidraft index NOTE.md … --json -o {name}")
