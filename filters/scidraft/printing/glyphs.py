"""Turns the SVG of a formula into the operators of a PDF page: characters of the maths font, rules, boxes and lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple
from xml.etree import ElementTree

from fontTools.misc.transform import Identity, Transform
from fontTools.pens.basePen import BasePen
from fontTools.svgLib.path import parse_path
from tinycss2.color5 import parse_color

from scidraft.printing.mathfont import EDGE, EM, RESOURCE, MathFont

_TRANSFORM = re.compile(r"(\w+)\(([^)]*)\)")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
#: What we understand. An attribute of another name may change the picture, unless it is one of the last line.
_KNOWN = frozenset(
    (
        *("d", "fill", "height", "points", "stroke", "stroke-dasharray", "stroke-linecap", "stroke-width", "transform"),
        *("viewBox", "width", "x", "x1", "x2", "y", "y1", "y2"),
        *("accent", "accentunder", "class", "data-c", "href", "id", "pointer-events", "semantics"),
    )
)
_INHERITED = frozenset(("fill", "stroke", "stroke-dasharray", "stroke-linecap", "stroke-width", "transform"))
_NOTHING = frozenset(("defs", "desc", "metadata", "title"))
_CAPS = {"butt": 0, "round": 1, "square": 2}


class Unsupported(ValueError):
    """A formula whose picture has something that is not understood here, such as words in a font of the system."""


@dataclass(frozen=True)
class Operators:
    """A formula for a PDF page: its view box in thousandths of an em, and what draws it in these units, y downwards."""

    left: float
    top: float
    width: float
    height: float
    body: bytes


class _State(NamedTuple):
    """What an element has from those around it."""

    matrix: Transform = Identity
    fill: str = "currentColor"
    stroke: str = "currentColor"
    width: float = 0.0
    dashes: str = ""
    cap: int = 0


def compile_svg(svg: str, font: MathFont) -> Operators:
    """The operators of a formula; its characters are added to `font`. Raises Unsupported, ValueError or what fontTools raises."""
    root = ElementTree.fromstring(svg)
    left, top, width, height = _numbers(root.get("viewBox", ""), 4)
    drawing = _Drawing(font)
    drawing.edge(left)
    for child in root:
        drawing.draw(child, _State())
    drawing.edge(left + width)
    drawing.close_text()
    return Operators(left, top, width, height, "\n".join(drawing.lines).encode())


class _Drawing:
    """The operators so far, and whether a text object is open."""

    def __init__(self, font: MathFont) -> None:
        self.font = font
        self.lines: list[str] = []
        self.colour: str | None = None  # that of the open text object; "" is the colour of the words around the formula

    def draw(self, element: ElementTree.Element, outer: _State) -> None:
        """Draw an element and what is in it."""
        tag = element.tag.rpartition("}")[2]
        if tag in _NOTHING:
            return
        if not _KNOWN.issuperset(element.attrib):
            raise Unsupported(f"{tag} with {', '.join(sorted(element.attrib))}")
        state = _inherit(element, outer)
        if tag in ("g", "a"):
            for child in element:
                self.draw(child, state)
        elif tag == "svg":
            self.viewport(element, state)
        elif tag == "path" and "data-c" in element.attrib and state.fill != "none" and not state.width:
            self.character(element, state)
        elif tag in _SHAPES:
            self.shape(tag, element, state)
        else:
            raise Unsupported(tag)

    def character(self, element: ElementTree.Element, state: _State) -> None:
        """Show a character; one without an outline is a space."""
        outline = element.get("d", "")
        if not outline:
            return
        code = self.font.code(outline, chr(int(element.attrib["data-c"], 16)))
        self.show(code, state.matrix, _colour(state.fill, "rg"))

    def edge(self, x: float) -> None:
        """Mark where the formula begins or ends in its line: it is read from its first character to its last."""
        self.show(EDGE, Transform(1, 0, 0, -1, x, 0), "")

    def show(self, code: int, matrix: Transform, colour: str) -> None:
        """Show a character of the font in a colour: an operator, or "" for that of the words around the formula."""
        if colour != self.colour:
            self.close_text()
            if colour:
                self.lines += ["q", colour]
            self.lines += ["BT", f"/{RESOURCE} {EM} Tf"]
            self.colour = colour
        self.lines.append(f"{_matrix(matrix)} Tm <{code:04x}> Tj")

    def close_text(self) -> None:
        """End the open text object, if there is one."""
        if self.colour is not None:
            self.lines.append("ET")
            if self.colour:
                self.lines.append("Q")
        self.colour = None

    def shape(self, tag: str, element: ElementTree.Element, state: _State) -> None:
        """Draw a rule, a box, a line or an outline that is no character."""
        filled = state.fill != "none" and tag != "line"
        stroked = state.stroke != "none" and state.width > 0
        if not filled and not stroked:
            return
        self.close_text()
        lines = ["q"]
        if filled:
            lines.append(_colour(state.fill, "rg"))
        if stroked:
            lines += [_colour(state.stroke, "RG"), f"{_plain(state.width)} w"]
            if state.dashes:
                lines.append(f"[{state.dashes}] 0 d")
            if state.cap:
                lines.append(f"{state.cap} J")
        lines.append(f"{_matrix(state.matrix)} cm")
        lines += _SHAPES[tag](element)
        lines.append("B" if filled and stroked else "f" if filled else "S")
        self.lines += [line for line in [*lines, "Q"] if line]

    def viewport(self, element: ElementTree.Element, state: _State) -> None:
        """Draw what is in a picture of its own, of which only what is in its box is seen: pieces of long arrows and braces."""
        x, y, width, height = (_number(element, name) for name in ("x", "y", "width", "height"))
        left, top, wide, tall = _numbers(element.get("viewBox", ""), 4)
        if abs(wide - width) > 0.1 or abs(tall - height) > 0.1:
            raise Unsupported("svg of another scale")
        self.close_text()
        corners = [state.matrix.transformPoint(point) for point in _corners(x, y, width, height)]
        self.lines += ["q", *_polygon(corners), "W n"]
        inner = state._replace(matrix=state.matrix.translate(x - left, y - top))
        for child in element:
            self.draw(child, inner)
        self.close_text()
        self.lines.append("Q")


def _inherit(element: ElementTree.Element, outer: _State) -> _State:
    attributes = element.attrib
    if _INHERITED.isdisjoint(attributes):
        return outer
    matrix, fill, stroke, width, dashes, cap = outer
    if "transform" in attributes:
        for step in _steps(attributes["transform"]):
            matrix = matrix.transform(step)
    if "stroke-width" in attributes:
        width = _number(element, "stroke-width")
    if "stroke-dasharray" in attributes:
        dashes = " ".join(map(_plain, map(float, _NUMBER.findall(attributes["stroke-dasharray"]))))
    if "stroke-linecap" in attributes:
        cap = _CAPS[attributes["stroke-linecap"]]
    return _State(matrix, attributes.get("fill", fill), attributes.get("stroke", stroke), width, dashes, cap)


@lru_cache(4096)
def _steps(text: str) -> tuple[Transform, ...]:
    """The matrices of a `transform`, the outermost first."""
    steps = []
    for name, found in _TRANSFORM.findall(text):
        values = [float(value) for value in _NUMBER.findall(found)]
        if name == "translate":
            steps.append(Identity.translate(*values))
        elif name == "scale":
            steps.append(Identity.scale(*values))
        else:
            raise Unsupported(name)  # the heads of MathJax's arrows, which WeasyPrint turns rightly
    return tuple(steps)


@lru_cache(64)
def _colour(name: str, operator: str) -> str:
    """The operator that sets a colour; "" for that of the words around the formula."""
    if name == "currentColor":
        return ""
    colour = parse_color(name)
    if colour is None or isinstance(colour, str) or colour.alpha != 1:
        raise Unsupported(f"the colour {name}")
    red, green, blue = colour.to("srgb").coordinates
    return f"{red:.4g} {green:.4g} {blue:.4g} {operator}"


class _PathPen(BasePen):  # type: ignore[misc]
    """Writes an outline as operators."""

    def __init__(self) -> None:
        super().__init__(None)
        self.lines: list[str] = []

    def _moveTo(self, pt: tuple[float, float]) -> None:
        self.lines.append(f"{_point(pt)} m")

    def _lineTo(self, pt: tuple[float, float]) -> None:
        self.lines.append(f"{_point(pt)} l")

    def _curveToOne(self, pt1: tuple[float, float], pt2: tuple[float, float], pt3: tuple[float, float]) -> None:
        self.lines.append(f"{_point(pt1)} {_point(pt2)} {_point(pt3)} c")

    def _closePath(self) -> None:
        self.lines.append("h")


def _path(element: ElementTree.Element) -> list[str]:
    pen = _PathPen()
    parse_path(element.get("d", ""), pen)
    return pen.lines


def _rectangle(element: ElementTree.Element) -> list[str]:
    return [" ".join(_plain(_number(element, name)) for name in ("x", "y", "width", "height")) + " re"]


def _line(element: ElementTree.Element) -> list[str]:
    x1, y1, x2, y2 = (_number(element, name) for name in ("x1", "y1", "x2", "y2"))
    return [f"{_point((x1, y1))} m", f"{_point((x2, y2))} l"]


def _points(element: ElementTree.Element) -> list[str]:
    numbers = [float(number) for number in _NUMBER.findall(element.get("points", ""))]
    return _polygon(list(zip(numbers[::2], numbers[1::2], strict=True)))


_SHAPES = {"path": _path, "rect": _rectangle, "line": _line, "polygon": _points}


def _corners(x: float, y: float, width: float, height: float) -> list[tuple[float, float]]:
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def _polygon(points: list[tuple[float, float]]) -> list[str]:
    return [*(f"{_point(point)} {'l' if index else 'm'}" for index, point in enumerate(points)), "h"]


def _numbers(text: str, count: int) -> list[float]:
    found = [float(number) for number in _NUMBER.findall(text)]
    if len(found) != count:
        raise Unsupported(f"{text!r} for {count} numbers")
    return found


def _number(element: ElementTree.Element, name: str) -> float:
    """A length in the units of the picture. Raises Unsupported for one in another unit."""
    text = element.get(name, "0")
    try:
        return float(text)
    except ValueError as error:
        raise Unsupported(f"the length {text}") from error


def _matrix(matrix: Transform) -> str:
    return " ".join(map(_plain, matrix))


def _point(point: tuple[float, float]) -> str:
    return f"{_plain(point[0])} {_plain(point[1])}"


def _plain(number: float) -> str:
    """A number as PDF has it: no exponent, no zeros at the end."""
    return f"{number:.4f}".rstrip("0").rstrip(".") if number % 1 else str(round(number))
