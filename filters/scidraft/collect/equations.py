"""Reads a display formula: its label, its tag, and the lines that are numbered one by one."""

from __future__ import annotations

import panflute as pf

from scidraft.catalogue import Equation, Row
from scidraft.document import Place, take_label_after
from scidraft.tex import read_display


def read_equation(math: pf.Math, place: Place) -> tuple[Equation, list[str]]:
    """The equation a display is, and the labels that lead to the whole of it; those of its lines are in its rows."""
    after = take_label_after(place)
    labels = [after] if after else []
    equation = Equation(math, place)
    display = read_display(math.text)
    numbered = [row for row in display.rows if row.numbered or row.tag]
    if len(display.rows) > 1 and numbered:
        equation.rows = [
            Row(equation, row.label or "", row.tag, starred=row.starred, counts=row.numbered) if row.numbered or row.tag else None
            for row in display.rows
        ]
        return equation, labels
    row = display.rows[0] if display.rows else None
    equation.tag = row.tag if row else None
    equation.starred = bool(row and row.starred)
    if row and row.label and row.label not in labels:
        labels.append(row.label)
    equation.counts = equation.tag is None and bool(labels or (row and row.numbered))
    return equation, labels
