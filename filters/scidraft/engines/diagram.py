"""Draws commutative diagrams: cells and labels by the maths engine, arrows as strokes, at the distances that tikz-cd has."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from math import atan2, cos, hypot, radians, sin

from scidraft.engines.mathjax import Drawing
from scidraft.tikzcd import Arrow, Diagram, Label

Point = complex  # em, y upwards
Curve = tuple[Point, Point, Point, Point]

_EX = 0.43
_CELL = (_EX, 0.85 * _EX)  # room around a cell, at its sides and above
_LABEL = 0.5 * _EX  # room around a label
_AXIS = 0.25  # height over the baseline at which arrows begin
_CURVED = 0.3915  # distance of the points that pull a curve, to one between its ends
_LINE = 0.04
_DOUBLE = 0.075  # distance of each of two lines from the middle
_DASHES = {"dashed": "280 160", "dotted": "40 110"}
_STEPS = 200

#: Ends of arrows that point to the right and have their tip at 0.
_TIP = [(-0.2 + 0.25j, -0.17 + 0.11j, -0.08 + 0.03j, 0j), (0j, -0.08 - 0.03j, -0.17 - 0.11j, -0.2 - 0.25j)]
_HOOK = [(0.12 + 0.22j, -0.03 + 0.22j, -0.03 + 0j, 0.12 + 0j)]
_BAR = [(-0.14j, -0.05j, 0.05j, 0.14j)]


def draw(diagram: Diagram, formula: Callable[[str], Drawing]) -> Drawing:
    """The diagram as a drawing; `formula` draws what is in it, in a line of text. Raises what `formula` does."""
    return _Picture(diagram, formula).drawing()


class _Picture:
    def __init__(self, diagram: Diagram, formula: Callable[[str], Drawing]) -> None:
        self.diagram = diagram
        self.formula = formula
        self.body: list[str] = []
        self.left = self.bottom = float("inf")
        self.right = self.top = float("-inf")
        cells = diagram.cells
        columns = max(map(len, cells))
        self.cells = [[formula(cell) if cell else None for cell in (*row, *[""] * (columns - len(row)))] for row in cells]
        widths = [max((cell.width for cell in column if cell), default=0.0) for column in zip(*self.cells, strict=True)]
        self.x = [0.0]
        for before, after in pairwise(widths):
            self.x.append(self.x[-1] + (before + after) / 2 + 2 * _CELL[0] + diagram.columns)
        self.y = [0.0]
        for upper, lower in pairwise(self.cells):
            below = max((cell.depth for cell in upper if cell), default=0)
            above = max((cell.height - cell.depth for cell in lower if cell), default=0)
            self.y.append(self.y[-1] - below - above - 2 * _CELL[1] - diagram.rows)

    def drawing(self) -> Drawing:
        for row, cells in enumerate(self.cells):
            for column, cell in enumerate(cells):
                if cell:
                    self.put(cell, complex(self.x[column], self.y[row] + (cell.height - 2 * cell.depth) / 2))
        for arrow in self.diagram.arrows:
            self.arrow(arrow)
        if self.diagram.after:
            sign = self.formula(self.diagram.after)
            self.put(sign, complex(self.right + sign.width / 2, self.y[-1] + (sign.height - 2 * sign.depth) / 2))
        width, height = self.right - self.left, self.top - self.bottom
        depth = height / 2 - _AXIS
        box = " ".join(f"{round(1000 * value, 1):g}" for value in (self.left, -self.top, width, height))
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{round(width, 3):g}em" height="{round(height, 3):g}em"'
            f' viewBox="{box}" style="vertical-align:{round(-depth, 3):g}em;overflow:visible">{"".join(self.body)}</svg>'
        )
        return Drawing(svg, round(width, 4), round(height, 4), round(depth, 4), (depth,), depth, depth, (self.diagram.tag,))

    def put(self, drawing: Drawing, centre: Point) -> None:
        """A formula with its middle at a place."""
        found = re.fullmatch(r'<svg[^>]* viewBox="(\S+) (\S+) \S+ \S+"[^>]*>(.*)</svg>', drawing.svg, re.DOTALL)
        assert found is not None
        x, y = centre.real - drawing.width / 2, centre.imag + drawing.height / 2
        shift = f"{round(1000 * x - float(found[1]), 1):g},{round(-1000 * y - float(found[2]), 1):g}"
        self.body.append(f'<g transform="translate({shift})">{found[3]}</g>')
        self.cover(complex(x, y), complex(x + drawing.width, y - drawing.height))

    def cover(self, *points: Point) -> None:
        for point in points:
            self.left, self.right = min(self.left, point.real), max(self.right, point.real)
            self.bottom, self.top = min(self.bottom, point.imag), max(self.top, point.imag)

    # Arrows

    def arrow(self, arrow: Arrow) -> None:
        curve = self.curve(arrow)
        gaps = []
        for label in arrow.labels:
            drawing = self.formula(f"\\scriptstyle {label.tex}")
            point, size = _label_place(curve, label, drawing)
            self.put(drawing, point)
            if label.side == 0:
                gaps.append((point, size))
        if arrow.line == "phantom":
            return
        lines = [curve]
        if arrow.line == "double":
            ends = [0.12 if end == "to" else 0.0 for end in (arrow.tail, arrow.head)]
            middle = _shortened(curve, *ends)
            lines = [_beside(middle, _DOUBLE), _beside(middle, -_DOUBLE)]
        elif arrow.tail in ("hook", "hook'", "tail"):
            lines = [_shortened(curve, 0.2 if arrow.tail == "tail" else 0.12, 0.0)]
        dashes = f' stroke-dasharray="{_DASHES[arrow.line]}"' if arrow.line in _DASHES else ""
        self.stroke([part for line in lines for part in _without(line, gaps)], dashes)
        self.stroke(list(_turned(_tail(arrow.tail), curve[0], curve[1] - curve[0])))
        self.stroke(list(_turned(_head(arrow.head, double=arrow.line == "double"), curve[3], curve[3] - curve[2])))
        if arrow.tail == "to":
            self.stroke(list(_turned(_head("to", double=arrow.line == "double"), curve[0], curve[0] - curve[1])))

    def curve(self, arrow: Arrow) -> Curve:
        """From the border of one cell to that of the other."""
        start, end = (complex(self.x[column], self.y[row] + _AXIS) for row, column in (arrow.start, arrow.end))
        angle = atan2((end - start).imag, (end - start).real)
        bend = radians(arrow.bend)
        out, back = complex(cos(angle + bend), sin(angle + bend)), -complex(cos(angle - bend), sin(angle - bend))
        first, last = self.border(arrow.start, out), self.border(arrow.end, back)
        aside = 1j * (end - start) / abs(end - start) * arrow.shift
        reach = _CURVED * abs(last - first) if arrow.bend else abs(last - first) / 3
        curve = (first + aside, first + aside + reach * out, last + aside + reach * back, last + aside)
        self.cover(*(_at(curve, step / 20) for step in range(21)))
        return curve

    def border(self, place: tuple[int, int], direction: Point) -> Point:
        row, column = place
        cell = self.cells[row][column]
        wide, above, below = (cell.width / 2, cell.height - cell.depth, cell.depth) if cell else (0.0, _AXIS, -_AXIS)
        wide += _CELL[0]
        up, down = above + _CELL[1] - _AXIS, below + _CELL[1] + _AXIS
        sides = [wide / abs(direction.real)] if abs(direction.real) > 1e-6 else []
        if abs(direction.imag) > 1e-6:
            sides.append((up if direction.imag > 0 else down) / abs(direction.imag))
        return complex(self.x[column], self.y[row] + _AXIS) + direction * min(sides)

    def stroke(self, curves: list[Curve], more: str = "") -> None:
        if not curves:
            return
        path = "".join(
            f"M{_xy(a)}L{_xy(d)}" if _straight((a, b, c, d)) else f"M{_xy(a)}C{_xy(b)} {_xy(c)} {_xy(d)}" for a, b, c, d in curves
        )
        style = f'fill="none" stroke="currentColor" stroke-width="{1000 * _LINE:g}" stroke-linecap="round"'
        self.body.append(f'<path d="{path}" {style}{more}/>')


def _xy(point: Point) -> str:
    return f"{round(1000 * point.real, 1):g},{round(-1000 * point.imag, 1):g}"


def _at(curve: Curve, t: float) -> Point:
    a, b, c, d = curve
    return (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d


def _part(curve: Curve, start: float, end: float) -> Curve:
    """The part of a curve between two places on it."""

    def cut(curve: Curve, t: float) -> tuple[Curve, Curve]:
        a, b, c, d = curve
        ab, bc, cd = a + t * (b - a), b + t * (c - b), c + t * (d - c)
        abc, bcd = ab + t * (bc - ab), bc + t * (cd - bc)
        middle = abc + t * (bcd - abc)
        return (a, ab, abc, middle), (middle, bcd, cd, d)

    return cut(cut(curve, start)[1], (end - start) / (1 - start))[0]


def _shortened(curve: Curve, start: float, end: float) -> Curve:
    """A curve without so many em at its ends; something is left of the shortest."""
    length = _length(curve)
    return _part(curve, min(0.4, start / length), max(0.6, 1 - end / length))


def _length(curve: Curve) -> float:
    return max(sum(abs(_at(curve, (step + 1) / 20) - _at(curve, step / 20)) for step in range(20)), 1e-6)


def _straight(curve: Curve) -> bool:
    a, b, c, d = curve
    along = (d - a) / (abs(d - a) or 1)
    return all(abs(((point - a) * along.conjugate()).imag) < 1e-6 for point in (b, c))


def _beside(curve: Curve, distance: float) -> Curve:
    """A curve beside another, as good as parallel for those that bend little."""
    a, b, c, d = curve
    first, last = (1j * way / (abs(way) or 1) * distance for way in (b - a, d - c))
    return a + first, b + first, c + last, d + last


def _without(curve: Curve, gaps: list[tuple[Point, Point]]) -> Iterator[Curve]:
    """The parts of a curve that are in none of the boxes, given by their middles and halves of their sizes."""

    def free(t: float) -> bool:
        point = _at(curve, t)
        return not any(abs((point - middle).real) < size.real and abs((point - middle).imag) < size.imag for middle, size in gaps)

    start = None
    for step in range(_STEPS + 1):
        t = step / _STEPS
        if free(t) and start is None:
            start = t
        if start is not None and (not free(t) or step == _STEPS):
            if t > start:
                yield _part(curve, start, t) if gaps else curve
            start = None


def _label_place(curve: Curve, label: Label, drawing: Drawing) -> tuple[Point, Point]:
    """The middle of a label and half of its size: as TikZ has it, a corner or a side of its box touches the arrow."""
    size = complex(drawing.width / 2 + _LABEL, drawing.height / 2 + _LABEL)
    point = _at(curve, label.place)
    way = _at(curve, min(1.0, label.place + 0.01)) - _at(curve, max(0.0, label.place - 0.01))
    way *= label.side / (hypot(way.real, way.imag) or 1)
    across = 0 if abs(way.imag) < 0.05 else -1 if way.imag > 0 else 1
    up = 0 if abs(way.real) < 0.05 else 1 if way.real > 0 else -1
    return point + complex(across * size.real, up * size.imag) * abs(label.side), size


def _tail(name: str) -> list[Curve]:
    if name == "tail":
        return [_moved(curve, 0.2) for curve in _TIP]
    if name in ("hook", "hook'"):
        return _HOOK if name == "hook" else [_mirrored(curve) for curve in _HOOK]
    return _BAR if name == "bar" else []


def _head(name: str, *, double: bool) -> list[Curve]:
    if name == "bar":
        return _BAR
    if name in ("up", "down"):
        return _TIP[:1] if name == "up" else _TIP[1:]
    if name == "two":
        return [*_TIP, *(_moved(curve, -0.16) for curve in _TIP)]
    large = 1.3 if double else 1.0
    return [(a * large, b * large, c * large, d * large) for a, b, c, d in _TIP] if name else []


def _moved(curve: Curve, by: float) -> Curve:
    a, b, c, d = curve
    return a + by, b + by, c + by, d + by


def _mirrored(curve: Curve) -> Curve:
    a, b, c, d = curve
    return a.conjugate(), b.conjugate(), c.conjugate(), d.conjugate()


def _turned(curves: list[Curve], place: Point, way: Point) -> Iterator[Curve]:
    """Curves around 0 set at a place and turned to where the arrow goes."""
    turn = way / (abs(way) or 1)
    for a, b, c, d in curves:
        yield place + a * turn, place + b * turn, place + c * turn, place + d * turn
