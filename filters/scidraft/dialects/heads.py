"""Reads heads that authors write by hand: "Lemma", "Theorem 1.2 (Euler).", in the note's language or in English."""

from __future__ import annotations

import re
from dataclasses import dataclass

import panflute as pf

from scidraft.dialects.blocks import take_parenthesised, take_stop, trim
from scidraft.document import plain_text
from scidraft.kinds import Kind
from scidraft.messages import Messages
from scidraft.settings import Settings
from scidraft.wording import Wording

_NUMBER = re.compile(r"(?:[A-Z]\.)?\d+(?:\.\d+)*[a-z]?|[A-Z]|[IVXLC]+")


@dataclass
class WrittenHead:
    """A head as its author wrote it."""

    kind: Kind
    number: str | None
    title: list[pf.Element]
    stop: bool


class Heads:
    """Knows the names of the note's kinds."""

    def __init__(self, settings: Settings) -> None:
        self._kinds: dict[str, Kind] = {}
        for language in (settings.language, "en"):
            wording = Wording(settings, Messages(), language)
            for kind in settings.kinds.values():
                for name in (wording.name(kind.name), kind.name, kind.prefix, *kind.aliases):
                    self._kinds.setdefault(name.casefold(), kind)

    def kind(self, name: str) -> Kind | None:
        """The kind of this name."""
        return self._kinds.get(name.casefold())

    def read(self, words: list[pf.Element]) -> WrittenHead | None:
        """Read words that are nothing but a head; they are taken out of the live list, which is left alone otherwise."""
        rest = [pf.Str(word.text) if isinstance(word, pf.Str) else word for word in words]
        name: list[str] = []
        stop = False
        while rest and isinstance(rest[0], (pf.Str, pf.Space)) and not stop:
            text = rest[0].text if isinstance(rest[0], pf.Str) else ""
            if text.startswith("("):
                break
            del rest[0]
            if text.endswith(".") and not rest:
                stop, text = True, text[:-1]
            name += text.replace("\u00a0", " ").split()
        number = name.pop() if len(name) > 1 and _NUMBER.fullmatch(name[-1]) else None
        kind = self.kind(" ".join(name))
        if kind is None:
            return None
        title = take_parenthesised(rest) or []
        stop = take_stop(rest) or stop
        trim(rest)
        if rest:
            return None
        words.clear()
        return WrittenHead(kind, number, title, stop)


def is_enumeration(words: list[pf.Element]) -> bool:
    """Whether words in parentheses only count, as "(i)", "(2)" and "(a)" do, or are a sentence of their own."""
    text = plain_text(words)
    return not text or re.fullmatch(r"[ivxIVX]+|\d+|\w", text) is not None or re.search(r"[.;?!](?:\s|$)", text) is not None
