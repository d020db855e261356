"""Counts the lines of laid-out pages and writes their numbers into the margin, as artifacts that are no part of the text.

What is counted is what LaTeX's lineno counts: lines of text, headings and displays, a display once; no tables, figures and notes.
The private things of WeasyPrint here are the boxes of a laid-out page and the drawing of one line of text.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import wraps
from typing import Any, NamedTuple

from scidraft.formats.absent import LINES_COUNTED

#: In the head of a page whose lines are to be counted.
ASKED = LINES_COUNTED

_SIZE, _DISTANCE = 9.0, 14.0  # CSS pixels: the height of the letters, and from the text to its number
_SAME = 3.0  # pixels that two baselines of one line may be apart, as those of a bracketed number and its entry
_UNCOUNTED_TAGS = {"table", "figure", "nav"}
_UNCOUNTED = {"title", "subtitle", "byline", "abstract-title", "footnote", "sidenote", "aside", "table", "answer-space"}


class Line(NamedTuple):
    """A line on its page: which column it is in, and its baseline in pixels from the top."""

    column: int
    baseline: float


def number(document: Any) -> None:
    """Have the pages of a weasyprint.Document draw the numbers of their lines, which run on through the pages."""
    count = 0
    for page in document.pages:
        root = page._page_box.children[0]
        main = _main(root)
        if main is None:
            continue
        lines = lines_of(root, main)
        page.paint = _with_numbers(page.paint, root.style, [(count + i, line) for i, line in enumerate(lines, 1)], main)
        count += len(lines)


def lines_of(root: Any, main: Any) -> list[Line]:
    """The lines below a page's `root` box in the order of reading; `main` is the box of the text, whose columns matter."""
    found: list[Line] = []
    for line in _lines(root, main):
        if not found or line.column != found[-1].column or abs(line.baseline - found[-1].baseline) > _SAME:
            found.append(line)
    return found


def _main(box: Any) -> Any:
    return next((each for each in (box, *box.descendants()) if each.element_tag == "main"), None)


def _lines(box: Any, main: Any) -> Iterator[Line]:
    from weasyprint.formatting_structure import boxes

    box = getattr(box, "_box", box)  # what is placed absolutely has a stand-in
    classes = set() if box.element is None else set((box.element.get("class") or "").split())
    if box.element_tag in _UNCOUNTED_TAGS or classes & _UNCOUNTED:
        return
    if "equation" in classes:
        yield Line(_column(box, main), box.border_box_y() + box.border_height() / 2 + _SIZE / 3)
    elif isinstance(box, boxes.LineBox):
        if any(isinstance(each, (boxes.TextBox, boxes.ReplacedBox)) for each in box.descendants()):
            yield Line(_column(box, main), box.position_y + box.baseline)
    elif isinstance(box, boxes.ParentBox):
        for child in box.children:
            yield from _lines(child, main)


def _column(box: Any, main: Any) -> int:
    """0 or 1; what goes over both begins in the first."""
    return int(main.style["column_count"] == 2 and box.position_x >= main.content_box_x() + main.width / 2)


def _with_numbers(paint: Any, style: Any, numbers: list[tuple[int, Line]], main: Any) -> Any:
    @wraps(paint)
    def painted(stream: Any, scale: float = 1) -> None:
        paint(stream, scale)
        small = style.copy()
        small["font_size"] = _SIZE
        with stream.artifact(), stream.stacked():
            stream.transform(a=scale, d=scale)
            for count, line in numbers:
                _draw(stream, str(count), small, line, main)

    return painted


def _draw(stream: Any, text: str, style: Any, line: Line, main: Any) -> None:
    from weasyprint.draw.text import draw_text
    from weasyprint.formatting_structure.boxes import TextBox
    from weasyprint.text.line_break import split_first_line

    box = TextBox("main::line-number", style, main.element, text)
    box.pango_layout, _, _, box.width, box.height, box.baseline = split_first_line(text, style, None, None, 0)
    left, right = main.content_box_x(), main.content_box_x() + main.width
    box.position_x = right + _DISTANCE if line.column else left - _DISTANCE - box.width
    box.position_y = line.baseline - box.baseline
    draw_text(stream, box, 0, "clip", "none")
