"""A message to the author, and the messages of one note."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Message:
    """What is told to the author: what is wrong, where, and what to do."""

    text: str
    severity: Literal["warning", "error"] = "warning"


class Messages:
    """The messages of one note, each kept once; `source` is the note's file name where it is known."""

    def __init__(self, source: str | None = None) -> None:
        self.source = source
        self._messages: dict[Message, None] = {}

    def add(self, message: Message) -> None:
        """Keep `message`, unless the same one is kept already."""
        self._messages.setdefault(message)

    def extend(self, messages: Iterable[Message]) -> None:
        """Keep several messages."""
        for message in messages:
            self.add(message)

    def __iter__(self) -> Iterator[Message]:
        return iter(self._messages)

    def __len__(self) -> int:
        return len(self._messages)

    def lines(self) -> list[str]:
        """The messages as they are printed: `scidraft: note.md: warning: …`."""
        where = f"{self.source}: " if self.source else ""
        return [f"scidraft: {where}{message.severity}: {message.text}" for message in self]
