"""Takes the divs of statements away, for writers in whose output they would be noise, or something else."""

from __future__ import annotations

import panflute as pf

from scidraft.catalogue import Statement
from scidraft.document import replace, walk


def unwrap(doc: pf.Doc, statements: list[Statement]) -> None:
    """Put the blocks of each statement where its div stands."""
    divs = {id(statement.element) for statement in statements}
    places = [place for place in walk(doc) if id(place.element) in divs]
    # The innermost first: the blocks of an outer one are then what the inner ones have become.
    for place in reversed(places):
        replace(place, *place.element.content.list)
