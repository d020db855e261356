"""The source of a note as text: which parts of it are code, comments or maths, and what its fences and attributes say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

_TOKEN = re.compile(
    r"(?P<metadata>\A---[ \t]*\n.*?^(?:---|\.\.\.)[ \t]*$)"
    r"|(?P<code>^(?P<indent>[ \t]*)(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*?\n)??[ \t]*(?P=fence)[`~]*[ \t]*$)"
    r"|(?P<comment><!--.*?-->)"
    r"|(?P<span>(?<!`)(?P<ticks>`+)(?!`)(?:(?!\n[ \t]*\n).)+?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<escape>\\[$`<])"
    r"|(?P<display>\$\$.*?\$\$|\\begin\{(?P<name>equation|align|gather|multline|flalign|alignat|eqnarray)(?P<star>\*?)\}.*?"
    r"\\end\{(?P=name)(?P=star)\})"
    r"|(?P<math>(?<!\$)\$(?![\s$])(?:(?!\n[ \t]*\n)(?:[^$\\]|\\.))*?(?<![\s\\])\$(?!\d))",
    re.DOTALL | re.MULTILINE,
)
_ATTRIBUTE = re.compile(
    r"\s*(?:\.(?P<class>[^\s{}#.,=\"']+)|\#(?P<id>[^\s{}]+)|(?P<key>[\w:-]+)=(?P<value>\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|[^\s{}]+))"
)
FENCE = re.compile(r"^(?P<indent>[ \t]*(?:>[ \t]?)*)(?P<colons>:{3,})[ \t]*(?P<rest>[^\n]*?)[ \t]*:*[ \t]*$", re.MULTILINE)


class Edit(NamedTuple):
    """A change: the text from `start` to `end` becomes `new`."""

    start: int
    end: int
    new: str


def apply(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made; they must not overlap."""
    parts: list[str] = []
    place = 0
    for edit in sorted(edits):
        parts += [text[place : edit.start], edit.new]
        place = edit.end
    return "".join([*parts, text[place:]])


class Token(NamedTuple):
    """A part of the source that is no plain text: metadata, code, comment, span (of code), display or math."""

    kind: str
    start: int
    end: int


def tokens(text: str) -> Iterator[Token]:
    """The parts of `text` that are no plain text, in order."""
    for match in _TOKEN.finditer(text):
        kind = next(name for name in ("metadata", "code", "comment", "span", "escape", "display", "math") if match[name])
        if kind != "escape":
            yield Token(kind, match.start(), match.end())


class Plain:
    """Tells where the plain text of a note is."""

    def __init__(self, text: str, *, except_for: Iterable[str] = ()) -> None:
        kept = set(except_for)
        self._spans = [(token.start, token.end) for token in tokens(text) if token.kind not in kept]

    def __contains__(self, place: object) -> bool:
        return not any(start <= place < end for start, end in self._spans) if isinstance(place, int) else False


@dataclass
class Attributes:
    """The attributes of a div as they are written: values keep their quotation marks."""

    identifier: str
    classes: list[str]
    pairs: list[tuple[str, str]]

    def __str__(self) -> str:
        parts = [f".{name}" for name in self.classes]
        parts += [f"#{self.identifier}"] if self.identifier else []
        return "{" + " ".join([*parts, *(f"{key}={value}" for key, value in self.pairs)]) + "}"

    def set(self, key: str, value: str) -> None:
        """Give an attribute a value, which is quoted here."""
        self.pairs.append((key, quoted(value)))


def read_attributes(text: str) -> Attributes | None:
    """What stands after the colons of a fence, a class alone or attributes in braces; None for anything else."""
    if re.fullmatch(r"[^\s{}:]+", text):
        return Attributes("", [text], [])
    if not (text.startswith("{") and text.endswith("}")):
        return None
    attributes = Attributes("", [], [])
    place, end = 1, len(text) - 1
    while text[place:end].strip():
        match = _ATTRIBUTE.match(text, place, end)
        if not match:
            return None
        if match["class"]:
            attributes.classes.append(match["class"])
        elif match["id"]:
            attributes.identifier = match["id"]
        else:
            attributes.pairs.append((match["key"], match["value"]))
        place = match.end()
    return attributes


def quoted(text: str) -> str:
    """A value as an attribute has it: pandoc takes one backslash before each sign away."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
