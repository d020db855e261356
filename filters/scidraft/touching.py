"""Finds the punctuation and the end mark that touch a formula, which must not part from it at the end of a line."""

from __future__ import annotations

import re

import panflute as pf

from scidraft.document import Place

_OPENING = re.compile(r"[(\[{“‘«„‚¿¡]+$")
_CLOSING = re.compile(r"[^\w\s(\[{“‘«„‚]+(?:(?<=[’'])\w{1,2}\b)?")


def take_punctuation(place: Place) -> tuple[list[pf.Element], list[pf.Element]]:
    """Cut the punctuation that touches a formula off the words before and after it; the end mark of a proof counts as such.

    A browser may break a line on either side of a picture, also before a comma or a no-break space.
    """
    index = next(i for i, element in enumerate(place.siblings) if element is place.element)
    before: list[pf.Element] = []
    after: list[pf.Element] = []
    for neighbour, pattern, taken in ((index + 1, _CLOSING, after), (index - 1, _OPENING, before)):
        word = place.siblings[neighbour] if 0 <= neighbour < len(place.siblings) else None
        if taken is after and isinstance(word, pf.Span) and "qed-place" in word.classes:
            taken.append(place.siblings.pop(neighbour))
        found = pattern.match(word.text) if isinstance(word, pf.Str) and pattern is _CLOSING else None
        if isinstance(word, pf.Str) and pattern is _OPENING:
            found = pattern.search(word.text)
        if not isinstance(word, pf.Str) or not found:
            continue
        rest = word.text[: found.start()] + word.text[found.end() :]
        taken.append(pf.Str(found[0]))
        place.siblings[neighbour : neighbour + 1] = [pf.Str(rest)] if rest else []
    return before, after
