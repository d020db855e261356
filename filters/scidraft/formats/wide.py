"""Finds what its author wants wider than a column: figures and tables with the class `wide`."""

from __future__ import annotations

from collections.abc import Iterator

import panflute as pf

from scidraft.document import Place, walk

WIDE = "wide"


def wide_places(doc: pf.Doc) -> Iterator[Place]:
    """The places of wide figures and tables. pandoc leaves a figure's class with its picture; here the figure has it, too."""
    for place in walk(doc):
        element = place.element
        if isinstance(element, pf.Figure) and any(WIDE in getattr(inner.element, "classes", ()) for inner in walk(element)):
            if WIDE not in element.classes:
                element.classes.append(WIDE)
            yield place
        elif isinstance(element, pf.Table) and WIDE in element.classes:
            yield place
