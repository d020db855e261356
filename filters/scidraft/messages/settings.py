"""What is told about metadata, settings and languages."""

from __future__ import annotations

from collections.abc import Iterable

from scidraft.messages.message import Message


def not_a_map(key: str) -> Message:
    """A metadata key that must hold `name: value` pairs holds something else."""
    return Message(f"metadata `{key}` should hold `name: value` pairs; it is ignored")


def unknown_setting(key: str, known: Iterable[str]) -> Message:
    """A key under `scidraft:` that means nothing."""
    return Message(f"unknown setting `scidraft: {key}`; the settings are {', '.join(sorted(known))}")


def bad_value(key: str, value: object, wanted: str) -> Message:
    """A setting with a value it cannot have."""
    return Message(f"`{key}` cannot be `{value}`: it should be {wanted}; the default is used")


def no_room_for_side_notes() -> Message:
    """Two columns leave no margin for notes."""
    return Message("`theme: handout` has its notes beside the text, where two columns leave no room: the text is set in one")


def unknown_counter(kind: str, counter: str) -> Message:
    """A kind that wants to share the counter of a kind that does not exist."""
    return Message(f"kind `{kind}` should count with `{counter}`, but there is no kind of that name; it counts by itself")


def prefix_taken(kind: str, prefix: str, owner: str) -> Message:
    """An author's kind with the id prefix of another."""
    return Message(f"kind `{kind}` cannot have the id prefix `{prefix}-`: it belongs to `{owner}`; give it another `prefix`")


def bad_macro(name: str) -> Message:
    """A macro in metadata that cannot be read."""
    return Message(f'macro `{name}` is not understood: write  name: "`\\tex`"  or  name: ["`\\tex with #1`", 1]')


def unknown_language(language: str) -> Message:
    """No table of names for the note's language."""
    return Message(f"no words for language `{language}` yet: English ones are used")


def missing_word(word: str, language: str) -> Message:
    """A kind without a name in the note's language."""
    return Message(f"no word for `{word}` in language `{language}`: the English one is used; give one under `scidraft: kinds:`")
