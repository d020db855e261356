"""What is told about statements, their titles, ids and markup."""

from __future__ import annotations

from collections.abc import Iterable

from scidraft.messages.message import Message


def lost_fence(words: str) -> Message:
    """A `:::` line that pandoc read as text."""
    return Message(
        f'a line of colons is printed as text: "{words}"; a fence needs a blank line before it, and attributes as '
        '{.kind #id title="…"} without spaces round `=`, commas, or a leading space in a value'
    )


def example_list(words: str) -> Message:
    """pandoc's numbered example list, which a line that begins with a reference becomes by accident."""
    return Message(
        f'"{words}" is one of pandoc\'s numbered examples, since a line begins with "(@id)" or "@id."; '
        "if a reference is meant, let another word begin the line"
    )


def curly_fence(words: str) -> Message:
    """A fence with braces round its language, as computing documents have it."""
    return Message(
        f'"{words} …" is read as code in a line: begin such a block with ```name or ``` {{.name}}, not with ```{{name}}'
    )


def heading_inside(statement: str, heading: str) -> Message:
    """A heading inside a statement, which most often means a missing closing fence."""
    return Message(f'heading "{heading}" stands inside {statement}: is the closing `:::` missing?')


def duplicate_id(identifier: str, first: str, second: str) -> Message:
    """Two things with one id."""
    return Message(
        f"id `{identifier}` is used twice, by {first} and by {second}: references go to the first, the second has none"
    )


def several_kinds(words: str, kinds: Iterable[str], chosen: str) -> Message:
    """A div whose classes name more than one kind."""
    return Message(f"{words} has the classes of several kinds ({', '.join(kinds)}): it is set as `{chosen}`")


def raw_environment(environment: str, reason: str = "") -> Message:
    """A LaTeX environment that only LaTeX can show: one that is no statement, or whose text pandoc cannot read."""
    why = f" (it cannot be read: {reason})" if reason else ""
    return Message(f"LaTeX environment `{environment}` appears in LaTeX output only{why}")


def bad_markup(text: str, reason: str) -> Message:
    """A title or other attribute that pandoc cannot read as Markdown."""
    return Message(f'"{text}" cannot be read as Markdown ({reason}): it is printed as it stands')


def suspicious_title(title: str) -> Message:
    """A formula in a title that has probably lost its backslashes."""
    return Message(
        f'the formula in the title "{title}" may have lost backslashes (pandoc removes one before each sign in an attribute): '
        "double them, or write the title as a heading inside the div"
    )
