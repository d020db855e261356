"""Words from right to left in LaTeX, whose engines set all that stands beside each other from left to right.

They are put into spans with `dir=rtl`, of which pandoc makes `\\RL{…}`; the numbers in them are from left to right again.
Browsers and WeasyPrint find all this out for themselves.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

import panflute as pf

from scidraft.document import plain_text, walk

_AROUND = (
    pf.Emph,
    pf.Strong,
    pf.Underline,
    pf.SmallCaps,
    pf.Strikeout,
    pf.Superscript,
    pf.Subscript,
    pf.Quoted,
    pf.Link,
    pf.Span,
)
_SPACES = (pf.Space, pf.SoftBreak)
_NUMBER = re.compile(r"(\d+(?:[.,:/-]\d+)*)")
_CLOSING = {")": "(", "]": "[", "}": "{", "»": "«"}
_MIRRORED = str.maketrans("()[]{}<>«»", ")(][}{><»«")


class _Piece(NamedTuple):
    """A part of a line, and where it runs: "right" to left, "left" to right, or "" where its neighbours do."""

    element: pf.Element
    runs: str


def mark_directions(doc: pf.Doc) -> None:
    """Put what runs from right to left into spans that say so, where its author has not."""
    # By identity, with what is looked at kept alive.
    lines: dict[int, list[pf.Element]] = {}
    done: dict[int, pf.Element] = {}
    for place in walk(doc):
        if id(place.parent) in done or "dir" in getattr(place.parent, "attributes", {}):
            done[id(place.element)] = place.element
        elif id(place.siblings) not in lines and isinstance(place.element, pf.Inline):
            lines[id(place.siblings)] = place.siblings
            done |= {id(element): element for element in _mark(place.siblings)}


def _mark(line: list[pf.Element]) -> list[pf.Element]:
    """Mark what is in a line; the elements that run from right to left now."""
    pieces = [piece for element in line for piece in _pieces(element)]
    if not any(piece.runs == "right" for piece in pieces):
        return []
    turned: list[pf.Element] = []
    marked: list[pf.Element] = []
    while pieces:
        length = _length(pieces)
        if length:
            turned += [piece.element for piece in pieces[:length]]
            marked.append(pf.Span(*_turned([piece.element for piece in pieces[:length]]), attributes={"dir": "rtl"}))
        else:
            marked.append(pieces[0].element)
        del pieces[: length or 1]
    line[:] = _joined(marked)
    return turned


def _pieces(element: pf.Element) -> Iterator[_Piece]:
    if isinstance(element, pf.Str):
        for runs, signs in groupby(element.text, _runs):
            for part in re.split(r"([()\[\]{}«»])", "".join(signs)):
                if part:
                    yield _Piece(pf.Str(part), runs)
    elif isinstance(element, _SPACES):
        yield _Piece(element, "")
    elif isinstance(element, _AROUND) and "dir" not in getattr(element, "attributes", {}):
        directions = set(map(_runs, plain_text([element])))
        words_only = all(isinstance(place.element, (pf.Str, *_SPACES, *_AROUND)) for place in walk(element))
        yield _Piece(element, "right" if words_only and "right" in directions and "left" not in directions else "left")
    else:
        yield _Piece(element, "left")


def _runs(sign: str) -> str:
    found = unicodedata.bidirectional(sign)
    return "right" if found in ("R", "AL") else "left" if found == "L" else ""


def _length(pieces: list[_Piece]) -> int:
    """How many pieces from the first on run from right to left: up to the last such before words of the other direction."""
    if pieces[0].runs != "right":
        return 0
    length, opened = 0, []
    for index, (element, runs) in enumerate(pieces):
        text = getattr(element, "text", "")
        if runs == "left":
            break
        if text in _CLOSING.values():
            opened.append((text, index))
        elif text in _CLOSING and opened and opened[-1][0] == _CLOSING[text]:
            # A bracket that closes belongs to the one that opens.
            length = index + 1 if opened.pop()[1] < length else length
        if runs == "right" or unicodedata.category(text[:1] or " ") == "Mn":
            length = index + 1
    return length


def _turned(elements: list[pf.Element]) -> Iterator[pf.Element]:
    """Elements as they stand among words from right to left: numbers from left to right, brackets the other way round."""
    for element in elements:
        if isinstance(element, pf.Str):
            for index, part in enumerate(_NUMBER.split(element.text)):
                if index % 2:
                    yield pf.Span(pf.Str(part), attributes={"dir": "ltr"})
                elif part:
                    yield pf.Str(part.translate(_MIRRORED))
        else:
            if isinstance(element, _AROUND):
                element.content = list(_turned(element.content.list))
            yield element


def _joined(elements: list[pf.Element]) -> Iterator[pf.Element]:
    """Elements with the words in one piece again that are still beside each other."""
    for is_text, group in groupby(elements, lambda element: isinstance(element, pf.Str)):
        if is_text:
            yield pf.Str("".join(element.text for element in group))
        else:
            yield from group
