"""Measures a paragraph that WeasyPrint has set as one long line: where it may be broken, and how wide it is up to there.

The private things of WeasyPrint 70.0 here are text boxes, `create_layout` and Pango's structures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from scidraft.printing.totalfit import FORMULA, HYPHEN, Break

_WORD = re.compile(r"[^\W\d_]+")
_SPACES = " \u00a0"
#: WeasyPrint hyphenates only where more than `hyphenate-limit-zone` of the line would be left empty.
_MARGIN = 1.05


class NotMeasuredError(Exception):
    """The line has something of which the width is not known beforehand."""


def breaks_of(line: Any, context: Any, zone: float) -> list[Break]:
    """Where a paragraph may be broken, the last its end; `line` is the box of its only line.

    `zone` is the width of what a word with a hyphen must add to a line. Raises NotMeasuredError.
    """
    found: list[Break] = []
    spaces = 0
    end = line.content_box_x()
    leaves = list(_leaves(line))
    for number, leaf in enumerate(leaves):
        text = getattr(leaf, "text", None)
        if text is None:
            end = leaf.position_x + leaf.margin_width()
            continue
        places = _places(leaf, text, context)
        counts = [0, *accumulate(sign in _SPACES for sign in text)]
        for here in _breaks_in(leaf, text, places, counts, context, zone, last=number == len(leaves) - 1):
            found.append(Break(here.end, here.start, spaces + here.spaces, spaces + here.spaces_after, here.penalty))
        spaces += counts[-1]
        end = leaf.position_x + leaf.margin_width()
    end = line.content_box_x() + line.width  # with the padding of what it ends in
    found.append(Break(end, end, spaces, spaces))
    return found


def ends_in_formula(line: Any) -> bool:
    """Whether a line, or a part of it, ends within a formula."""
    while children := getattr(line, "children", None):
        line = children[-1]
    return line.element is not None and line.element.get("class") == "math-break"


def _leaves(box: Any) -> Iterator[Any]:
    from weasyprint.formatting_structure import boxes

    for child in box.children:
        if not child.is_in_normal_flow():
            continue
        if isinstance(child, boxes.InlineBox):
            yield from _leaves(child)
        elif child.style["direction"] == "rtl":
            raise NotMeasuredError
        else:
            yield child


def _places(box: Any, text: str, context: Any) -> list[float]:
    """Where the letters of a text begin, and where the last one ends. Raises NotMeasuredError."""
    from weasyprint.text.ffi import FROM_UNITS, ffi
    from weasyprint.text.line_break import create_layout

    layout = create_layout(text, box.style, context, None, 0)
    if layout.text != text:
        raise NotMeasuredError
    line, rest = layout.get_first_line()
    if rest is not None:
        raise NotMeasuredError
    size = len(text.encode())
    at: dict[int, float] = {}
    x = 0.0
    run = line.runs
    while run != ffi.NULL:
        item, glyphs = run.data.item, run.data.glyphs
        if item.analysis.level % 2:
            raise NotMeasuredError
        for index in range(glyphs.num_glyphs):
            at.setdefault(item.offset + glyphs.log_clusters[index], x)
            x += glyphs.glyphs[index].geometry.width * FROM_UNITS
        run = run.next
    at[size] = x
    found, offset, last = [], 0, 0.0
    for sign in [*text, ""]:
        last = at.get(offset, last)  # letters inside a ligature stand where it does
        found.append(box.position_x + last)
        offset += len(sign.encode())
    return found


def _breaks_in(
    box: Any, text: str, places: list[float], counts: list[int], context: Any, zone: float, *, last: bool
) -> Iterator[Break]:
    from weasyprint.text.line_break import get_log_attrs

    style = box.style
    if style["white_space"] not in ("normal", "pre-line"):
        return
    allowed = get_log_attrs(text, style["lang"])
    hyphens = _hyphens(style, text, context)
    penalty = FORMULA if ends_in_formula(box) else 0.0
    for index in range(1, len(text) + (not last)):
        before = text[index - 1]
        if index == len(text):
            if before != " ":
                return
        elif index in hyphens:
            width = hyphens[index][1]
            if places[index] - places[hyphens[index][0]] + width > zone * _MARGIN:
                yield Break(places[index] + width, places[index], counts[index], counts[index], HYPHEN)
            continue
        elif not allowed[index].is_line_break:
            continue
        stop = len(text[:index].rstrip(" "))
        yield Break(places[stop], places[index], counts[stop], counts[index], penalty or (HYPHEN if before in "-‐" else 0.0))


def _hyphens(style: Any, text: str, context: Any) -> dict[int, tuple[int, float]]:
    """Where words may be hyphenated: the place where the word begins, and the width of the hyphen."""
    from weasyprint.text.line_break import create_layout, line_size, pyphen

    language = style["lang"] and pyphen.language_fallback(style["lang"])
    if style["hyphens"] != "auto" or not language or "\u00ad" in text:
        return {}
    total, left, right = style["hyphenate_limit_chars"]
    key = language, left, right, total
    if key not in context.dictionaries:
        context.dictionaries[key] = pyphen.Pyphen(lang=language, left=left, right=right)
    found: dict[int, tuple[int, float]] = {}
    width = 0.0
    for word in _WORD.finditer(text):
        if len(word[0]) < total:
            continue
        if not width:
            layout = create_layout(style["hyphenate_character"], style, context, None, 0)
            width = line_size(layout.get_first_line()[0], style)[0]
        found |= {word.start() + place: (word.start(), width) for place in context.dictionaries[key].positions(word[0])}
    return found
