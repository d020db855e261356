"""Sets the TeX formulas in a diagram's labels, `$$…$$`: a stand-in keeps the room, MathJax's drawing takes its place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from xml.etree import ElementTree

from scidraft.engines.mathjax import Engine, Font
from scidraft.engines.typefaces import Typeface

_FORMULA = re.compile(r"\$\$(.+?)\$\$")
_FIRST = 0xE000  # of the private use area: no label has these letters
_UNITS = 1000  # of a formula's drawing to an em


@dataclass
class LabelMaths:
    """The formulas of one diagram: their TeX and drawings by stand-in."""

    source: str
    tex: dict[str, str] = field(default_factory=dict)
    drawings: dict[str, ElementTree.Element] = field(default_factory=dict)
    advances: dict[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, source: str, font: Font) -> LabelMaths:
        """Take the formulas out of `source` and draw them in `font`. Raises mathjax.FormulaError."""
        maths = cls(source)
        if not _FORMULA.search(source):
            return maths
        engine = Engine()
        try:
            maths.source = _FORMULA.sub(lambda found: maths._take(engine, found[1], font), source)
        finally:
            engine.close()
        return maths

    def _take(self, engine: Engine, tex: str, font: Font) -> str:
        stand_in = chr(_FIRST + len(self.tex))
        drawing = engine.draw(tex, display=False, font=font, macros={}, width_em=0)
        self.tex[stand_in] = tex
        self.drawings[stand_in] = ElementTree.fromstring(drawing.svg.replace(' xmlns="http://www.w3.org/2000/svg"', ""))
        self.advances[stand_in] = drawing.width
        return stand_in

    def put(self, root: ElementTree.Element, face: Typeface, size: float) -> None:
        """Replace the stand-ins in the picture `root`, whose labels are `size` large where they do not say otherwise."""
        if self.tex:
            self._put(root, face, size)

    def _put(self, parent: ElementTree.Element, face: Typeface, size: float) -> None:
        for child in list(parent):
            own = float(child.get("font-size", str(size)).removesuffix("px"))
            if child.tag != "text":
                self._put(child, face, own)
            elif self._pattern.search("".join(child.itertext())):
                group = ElementTree.Element("g", {"transform": child.get("transform", "translate(0,0)")})
                group.extend(self._split(child, face, own))
                parent[list(parent).index(child)] = group

    @property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(f"([{''.join(self.tex)}])")

    def _split(self, text: ElementTree.Element, face: Typeface, size: float) -> Iterator[ElementTree.Element]:
        """The parts of a label, every one at its own place."""
        for run in [*text.iter("tspan")] or [text]:
            attributes = {**text.attrib, **run.attrib}
            anchor = attributes.pop("text-anchor", "start")
            attributes.pop("transform", None)
            parts = [part for part in self._pattern.split(run.text or "") if part]
            bold, italic = attributes.get("font-weight") == "bold", attributes.get("font-style") == "italic"
            widths = [
                size * self.advances[part] if part in self.advances else face.width(part, size, bold=bold, italic=italic)
                for part in parts
            ]
            x = float(attributes.pop("x", "0")) - sum(widths) * {"start": 0, "middle": 0.5, "end": 1}[anchor]
            for part, width in zip(parts, widths, strict=True):
                if part in self.drawings:
                    yield self._formula(part, x, float(attributes.get("y", "0")), size, attributes.get("fill"))
                else:
                    # A space that begins a text is not shown, so it is left out in the place as well.
                    start = x + width - size * face.width(part.lstrip(), bold=bold, italic=italic)
                    element = ElementTree.Element("text", {**attributes, "x": f"{start:.2f}"})
                    element.text = part.lstrip()
                    yield element
                x += width

    def _formula(self, stand_in: str, x: float, y: float, size: float, ink: str | None) -> ElementTree.Element:
        drawing = self.drawings[stand_in]
        left = float(drawing.get("viewBox", "0").split()[0])
        scale = size / _UNITS
        group = ElementTree.Element(
            "g",
            {
                "transform": f"translate({x - left * scale:.2f},{y:.2f}) scale({scale:g})",
                "role": "img",
                "aria-label": self.tex[stand_in],
            },
        )
        group.extend(deepcopy(list(drawing)))
        for element in group.iter():
            for name in ("fill", "stroke"):
                if element.get(name) == "currentColor":
                    element.set(name, ink or "var(--_fg)")
        return group
