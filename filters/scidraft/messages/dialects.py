"""What is told about other tools' spellings."""

from __future__ import annotations

from scidraft.messages.message import Message


def declarations_disagree(first: str, second: str) -> Message:
    """Two declarations of another tool's that cannot both hold."""
    return Message(f"`{first}` and `{second}` ask for different numbers: the first is followed")


def needs_conversion(source: str) -> Message:
    """A syntax that pandoc does not read, and that `scidraft fmt` can convert."""
    command = f"scidraft fmt --from {source.lower()}"
    return Message(f"the note has directives of {source}, which pandoc prints as text: convert it with `{command}`")


def left_as_comment(source: str) -> Message:
    """What a converter cannot say in pandoc's Markdown."""
    return Message(f"`{' '.join(source.split())}` has no counterpart here: it is left as a comment")


def left_as_code(directive: str) -> Message:
    """A directive of MyST's that has no counterpart."""
    return Message(f"the directive `{directive}` has no counterpart here: it is left as a block of code")
