"""Takes the formulas of a page out of WeasyPrint's hands: it lays them out as pictures, and they draw themselves.

The one private thing of WeasyPrint here is what it asks of a picture: `get_intrinsic_size` and `draw`, onto its stream.
"""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Iterator
from typing import Any

from scidraft.printing.glyphs import Operators, compile_svg
from scidraft.printing.mathfont import RESOURCE, MathFont

#: A formula as the maths pass writes it for print. Around one in a line there is no need of a span: a picture does not break.
_AROUND = '<span class="math inline">'
#: A display without a number, ids or a mark. It needs no grid, which takes WeasyPrint longer than a line.
_ALONE = '<span class="equation"><span class="math display">'
_OPENING = re.compile(
    r'<svg xmlns="http://www\.w3\.org/2000/svg" width="([\d.]+)em" height="([\d.]+)em" viewBox="[^"]*"'
    r' style="([^"]*)"><title>([^<]*)</title>'
)
_TAG = re.compile(r"<svg\b|</svg>")
#: Before the alternative text of a formula, until the file is finished: other pictures have none of the private use area.
MARK = "\uf8fe"


class Formulas:
    """The formulas of one document, and the font of their characters."""

    def __init__(self) -> None:
        """Begin with none."""
        self.font = MathFont()
        #: For WeasyPrint's `cache`: the pictures by their addresses.
        self.pictures: dict[str, Any] = {}
        #: Names of classes by their styles.
        self._classes: dict[str, str] = {}

    def take(self, page: str) -> str:
        """The page with an <img> in the place of each formula that can be drawn here; the others stay as they are."""
        parts: list[str] = []
        end = 0
        for start, stop, opening in _formulas(page):
            picture = self._picture(page[start:stop], float(opening[1]), float(opening[2]), html.unescape(opening[4]))
            if not picture:
                continue
            name = self._classes.setdefault(opening[3], f"math-{len(self._classes)}")
            image = f'<img class="math {name}" src="{picture}" alt="{MARK}{opening[4]}">'
            if page.endswith(_AROUND, 0, start) and page.startswith("</span>", stop):
                start, stop = start - len(_AROUND), stop + len("</span>")
            elif page.endswith(_ALONE, 0, start) and page.startswith("</span></span>", stop):
                start, stop = start - len(_ALONE), stop + len("</span></span>")
                image = f'<span class="equation alone">{image}</span>'
            parts += [page[end:start], image]
            end = stop
        return self._styled("".join([*parts, page[end:]]))

    def _styled(self, page: str) -> str:
        """The page with a style sheet of the formulas' classes: WeasyPrint shares what it works out for a class, but goes
        over a `style` attribute at each element.
        """
        rules = "".join(f"img.{name}{{{style}}}" for style, name in self._classes.items())
        return page.replace("</head>", f"<style>{rules}</style></head>", 1) if rules else page

    def _picture(self, svg: str, width: float, height: float, text: str) -> str:
        """The address of a formula's picture; "" when it has something that only WeasyPrint can draw."""
        address = "math:" + hashlib.sha256(svg.encode()).hexdigest()[:24]
        if address not in self.pictures:
            try:
                self.pictures[address] = _Formula(compile_svg(svg, self.font), width, height, text)
            except Exception:
                return ""
        return address

    def finish(self, _document: Any, pdf: Any) -> None:
        """WeasyPrint's `finisher`: embed the font, and tag the formulas as such (ISO 32000-1, 14.8.4.5)."""
        if not self.pictures:
            return
        for element in pdf.objects:
            alternative = element.get("Alt") if isinstance(element, dict) else None
            if alternative is not None and alternative.string.startswith(MARK):
                alternative.string = alternative.string.removeprefix(MARK)
                element["S"] = "/Formula"
        reference = self.font.embed(pdf)
        for fonts in {_number(_resources(pdf, page)["Font"]) for page in pdf.page_references}:
            pdf.objects[fonts][RESOURCE] = reference


def _resources(pdf: Any, page: bytes) -> Any:
    return pdf.objects[_number(pdf.objects[_number(page)]["Resources"])]


def _number(reference: bytes) -> int:
    return int(reference.split()[0])


def _formulas(page: str) -> Iterator[tuple[int, int, re.Match[str]]]:
    """Where each formula begins and ends, with its opening; pictures may be in a picture."""
    position = 0
    while opening := _OPENING.search(page, position):
        depth = 0
        position = opening.end()
        for tag in _TAG.finditer(page, opening.start()):
            depth += -1 if tag[0] == "</svg>" else 1
            if depth == 0:
                position = tag.end()
                yield opening.start(), position, opening
                break


class _Formula:
    """A picture as WeasyPrint wants it."""

    def __init__(self, operators: Operators, width: float, height: float, text: str) -> None:
        """`width` and `height` in em of the text around it; `text` is what is copied and found."""
        self.operators = operators
        self.size = width, height
        # ISO 32000-1, 14.9.4. Viewers and pdftotext take it for the characters between BDC and EMC.
        self.text = f"/Span <</ActualText <feff{text.encode('utf-16-be').hex()}>>> BDC".encode()

    def get_intrinsic_size(self, _resolution: float, font_size: float) -> tuple[float, float, float]:
        """Width and height in pixels, and their ratio."""
        width, height = (length * font_size for length in self.size)
        return width, height, width / height if width and height else 1

    def draw(self, stream: Any, width: float, height: float, style: Any) -> None:
        """Draw the formula into a box of `width` and `height` from the upper left corner, as large as it fits, in the middle."""
        box = self.operators
        scale = min(width / box.width, height / box.height)
        left = (width - box.width * scale) / 2 - box.left * scale
        top = (height - box.height * scale) / 2 - box.top * scale
        stream.set_color(style["color"])
        stream.set_color(style["color"], stroke=True)
        # Inside q and Q, else WeasyPrint would drop them as empty.
        placed = f"q {scale:.6f} 0 0 {scale:.6f} {left:.5f} {top:.5f} cm".encode()
        stream.stream.append(b"\n".join((placed, self.text, self.operators.body, b"EMC", b"Q")))
