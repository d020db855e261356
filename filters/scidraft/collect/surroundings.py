"""What an element stands in: the language, the statement, and whether a sentence begins there."""

from __future__ import annotations

import re

import panflute as pf

from scidraft.catalogue import Statement
from scidraft.document import Place

_WRAPPERS = (pf.Strong, pf.Emph, pf.Quoted, pf.Link, pf.Span, pf.Underline, pf.SmallCaps)
_SPACES = (pf.Space, pf.SoftBreak, pf.LineBreak)
_OPENING = re.compile(r"[(\[{“‘«„¿¡—–]+")
_SENTENCE_END = re.compile(r"[.!?…][”’\"')\]]*$")

Within = tuple[str | None, Statement | None]
_NOWHERE: Within = (None, None)


class Surroundings:
    """Handed on from parents to children while a document is walked; kept by the identity of the element."""

    def __init__(self) -> None:
        self._within: dict[int, Within] = {}
        self._wrappers: dict[int, Place] = {}

    def note(self, place: Place) -> None:
        """Remember what `place.element` stands in; parents must have been noted before."""
        language, statement = self._within.get(id(place.parent), _NOWHERE)
        language = getattr(place.element, "attributes", {}).get("lang") or language
        if language or statement:
            self._within[id(place.element)] = (language, statement)
        if isinstance(place.element, _WRAPPERS):
            self._wrappers[id(place.element)] = place

    def of(self, element: pf.Element) -> Within:
        """The language (None for the note's own) and the statement of an element."""
        return self._within.get(id(element), _NOWHERE)

    def enter(self, element: pf.Element, statement: Statement) -> None:
        """Say that what is inside `element` belongs to `statement`."""
        self._within[id(element)] = (statement.language, statement)

    def starts_sentence(self, place: Place, index: int) -> bool:
        """Whether what stands at `index` among `place.siblings` begins a sentence, looking out of emphasis and brackets."""
        before = [word for word in place.siblings[:index] if not isinstance(word, _SPACES)]
        while before and isinstance(before[-1], pf.Str) and _OPENING.fullmatch(before[-1].text):
            before.pop()
        if before:
            return isinstance(before[-1], pf.Str) and _SENTENCE_END.search(before[-1].text) is not None
        outer = self._wrappers.get(id(place.parent))
        if outer is None:
            return isinstance(place.parent, (pf.Para, pf.Plain, pf.Header))
        where = next((i for i, word in enumerate(outer.siblings) if word is outer.element), 0)
        return self.starts_sentence(outer, where)
