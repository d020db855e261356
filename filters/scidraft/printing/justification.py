"""Breaks and justifies paragraphs in print as TeX does; WeasyPrint 70.0 fills line after line, and only stretches their spaces.

A line that is a little too long is kept, with narrower spaces, where WeasyPrint would take a word away. Where a line of a
paragraph comes out loose all the same, all its breaks are chosen again, together (`totalfit`). The private things of WeasyPrint
here are `iter_line_boxes`, `get_next_linebox`, `avoid_collisions` and `text_align`; a paragraph that turns out otherwise than
expected stays as WeasyPrint breaks it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from itertools import chain
from typing import Any

from scidraft.printing import measuring, totalfit
from scidraft.printing.totalfit import Measure

#: How much wider and narrower a space may be, in em: `\fontdimen3` of Computer Modern, and three quarters of its `\fontdimen4`.
_STRETCH = 1 / 6
_SHRINK = 1 / 12
#: A line stretched more than this has its paragraph broken again; 1 is what TeX calls a badness of 100.
_LOOSE = 1.4
#: About how many em of a line there are to each of its spaces; a wrong guess costs time, not quality.
_EM_TO_A_SPACE = 2.8
#: px by which a line may be wider than was measured, since letters are kerned with the spaces that breaks take away.
_TOLERANCE = 0.5
#: Letters of a paragraph from which on its breaks are not chosen together, since that takes too long: some three pages.
_LONGEST = 10_000
#: Lines beyond the page that are laid out, too, for what must stay together.
_LINES_MORE = 4
_ENDLESS = 1e6
_TINY = 1e-6
#: A line, where the text goes on after it, and the absolutely placed and fixed boxes that are in it.
_Laid = tuple[Any, Any, list[Any], list[Any]]


@contextmanager
def ours() -> Iterator[None]:
    """Have paragraphs broken so as long as this lasts. Raises AttributeError or ImportError when WeasyPrint is another one."""
    from weasyprint.layout import block, inline

    own = block.iter_line_boxes, inline.get_next_linebox, inline.avoid_collisions, inline.text_align
    inline.avoid_collisions = _wider(inline.avoid_collisions)
    inline.text_align = _justifying(inline.text_align, inline)
    inline.get_next_linebox = _filling(inline.get_next_linebox)
    block.iter_line_boxes = _breaking(block.iter_line_boxes)
    try:
        yield
    finally:
        block.iter_line_boxes, inline.get_next_linebox, inline.avoid_collisions, inline.text_align = own


@dataclass
class _Line:
    """A line that is being filled: into `extra` px more than there are."""

    extra: float
    shrink: float
    natural: float = 0.0
    spaces: int = 0
    over: float = 0.0
    last: bool = False

    @property
    def fits(self) -> bool:
        return self.over <= self.spaces * self.shrink + _TINY


@dataclass
class _Paragraph:
    """The lines of a paragraph while it is broken: `planned` are the widths they should have by themselves."""

    planned: list[float] | None = None
    lines: list[_Line] = field(default_factory=list)

    @property
    def next_planned(self) -> float | None:
        if self.planned is None or len(self.lines) >= len(self.planned):
            return None
        return self.planned[len(self.lines)]

    def loosest(self, measure: Measure) -> float:
        """The ratio of the line that is stretched most."""
        return max((totalfit.ratio(measure, line.natural, line.spaces) for line in self.lines if not line.last), default=0.0)

    def same_as(self, other: _Paragraph) -> int:
        """How many of the planned lines at the beginning are those of another paragraph."""
        pairs = zip(self.planned or [], other.lines, strict=False)
        return next(
            (number for number, (each, line) in enumerate(pairs) if abs(line.natural - each) > _TOLERANCE), len(other.lines)
        )

    def goes_as_planned(self) -> bool:
        """Whether the lines that there are so far are as wide as they should be."""
        return (
            self.planned is not None
            and len(self.lines) <= len(self.planned)
            and all(abs(line.natural - each) <= _TOLERANCE for line, each in zip(self.lines, self.planned, strict=False))
        )


def _line(context: Any) -> _Line | None:
    line: _Line | None = getattr(context, "justified_line", None)
    return line


def _wider(avoid_collisions: Any) -> Any:
    @wraps(avoid_collisions)
    def wrapper(context: Any, *rest: Any, **named: Any) -> Any:
        x, y, width = avoid_collisions(context, *rest, **named)
        line = _line(context)
        return x, y, width + line.extra if line else width

    return wrapper


def _justifying(text_align: Any, inline: Any) -> Any:
    @wraps(text_align)
    def wrapper(context: Any, box: Any, available_width: float, last: bool) -> Any:
        line = _line(context)
        if line is None:
            return text_align(context, box, available_width, last)
        available_width -= line.extra
        line.natural, line.over, line.last = box.width, box.width - available_width, last
        line.spaces = inline.count_expandable_spaces(box)
        if line.over <= 0:
            return text_align(context, box, available_width, last)
        if line.spaces and line.fits:
            inline.add_word_spacing(context, box, -line.over / line.spaces, 0)
        return 0

    return wrapper


def _filling(get_next_linebox: Any) -> Any:
    @wraps(get_next_linebox)
    def wrapper(
        context: Any,
        box: Any,
        position_y: float,
        bottom_space: float,
        skip_stack: Any,
        containing_block: Any,
        absolute_boxes: list[Any],
        fixed_boxes: list[Any],
        *styles: Any,
    ) -> Any:
        outer = _line(context)
        paragraph: _Paragraph | None = getattr(context, "paragraph", None)
        context.paragraph = None  # those in the boxes of this line are others
        tried = _may_be_tried(context, box)
        size = box.style["font_size"]
        shrink = _SHRINK * size
        extra = containing_block.width / (_EM_TO_A_SPACE * size) * shrink if tried else 0.0
        planned = paragraph.next_planned if paragraph else None
        if planned is not None:
            extra = planned + _TOLERANCE - containing_block.width
        known = len(absolute_boxes), len(fixed_boxes)
        try:
            while True:
                context.justified_line = line = _Line(extra, shrink) if tried else None
                found = get_next_linebox(
                    context, box, position_y, bottom_space, skip_stack, containing_block, absolute_boxes, fixed_boxes, *styles
                )
                if line is None or line.fits or not extra or planned == _ENDLESS:
                    break
                # What has been found is thrown away, and with it what it noted. With fewer spaces there is less to shrink.
                del absolute_boxes[known[0] :], fixed_boxes[known[1] :]
                extra = max(0.0, min(line.spaces * shrink, extra - shrink))
            if paragraph and line:
                paragraph.lines.append(line)
            return found
        finally:
            context.justified_line, context.paragraph = outer, paragraph

    return wrapper


def _breaking(iter_line_boxes: Any) -> Any:
    @wraps(iter_line_boxes)
    def wrapper(
        context: Any,
        box: Any,
        position_y: float,
        bottom_space: float,
        skip_stack: Any,
        containing_block: Any,
        absolute_boxes: list[Any],
        fixed_boxes: list[Any],
        *styles: Any,
    ) -> Iterator[tuple[Any, Any]]:
        if any(styles) or not _may_be_tried(context, box):
            yield from iter_line_boxes(
                context, box, position_y, bottom_space, skip_stack, containing_block, absolute_boxes, fixed_boxes, *styles
            )
            return

        def lay_out(paragraph: _Paragraph, y: float = position_y, start: Any = skip_stack) -> Iterator[_Laid]:
            absolute: list[Any] = []
            fixed: list[Any] = []
            lines = iter_line_boxes(context, box, y, bottom_space, start, containing_block, absolute, fixed, *styles)
            outer = getattr(context, "paragraph", None)
            while True:
                context.paragraph = paragraph
                try:
                    line, resume_at = next(lines)
                except StopIteration:
                    return
                finally:
                    context.paragraph = outer
                yield line, resume_at, absolute.copy(), fixed.copy()
                absolute.clear()
                fixed.clear()

        def on_this_page(source: Iterator[_Laid]) -> list[_Laid]:
            """The lines that this page has room for, and some more, which decide where it may end."""
            found: list[_Laid] = []
            for laid in source:
                found.append(laid)
                if laid[0].position_y > context.page_bottom + _LINES_MORE * laid[0].height:
                    break
            return found

        size = box.style["font_size"]
        measure = Measure(containing_block.width, _STRETCH * size, _SHRINK * size)
        filled = _Paragraph()
        source = lay_out(filled)
        lines = on_this_page(source)
        if box.letters <= _LONGEST and filled.loosest(measure) > _LOOSE:
            one = next(lay_out(_Paragraph([_ENDLESS])), None)
            planned = _Paragraph(_plan(one[0], context, measure) if one is not None and one[1] is None else None)
            same = planned.same_as(filled)
            if planned.planned and same < len(lines) - 1:
                planned.lines = filled.lines[:same]
                above = lines[same - 1] if same else None
                y, start = (above[0].position_y + above[0].height, above[1]) if above else (position_y, skip_stack)
                other = lay_out(planned, y, start)
                again = [*lines[:same], *on_this_page(other)]
                if planned.goes_as_planned() and planned.loosest(measure) < filled.loosest(measure):
                    lines, source = again, other
        for line, resume_at, absolute, fixed in chain(lines, source):
            absolute_boxes.extend(absolute)
            fixed_boxes.extend(fixed)
            yield line, resume_at

    return wrapper


def _plan(line: Any, context: Any, measure: Measure) -> list[float] | None:
    """The widths that the lines of a paragraph should have before they are justified; `line` is all of it.

    None if no way is known.
    """
    from weasyprint.layout.percent import percentage

    zone = percentage(line.style["hyphenate_limit_zone"], line.style, measure.width)
    try:
        breaks = measuring.breaks_of(line, context, zone)
    except measuring.NotMeasuredError:
        return None
    begin = line.content_box_x()
    chosen = totalfit.fit(breaks, begin, measure)
    if chosen is None:
        return None
    starts = [begin, *(breaks[number].start for number in chosen)]
    return [breaks[number].end - start for number, start in zip(chosen, starts, strict=False)]


def _may_be_tried(context: Any, box: Any) -> bool:
    """Whether lines are justified and can be laid out twice: floats and running elements would then be there twice."""
    if box.style["text_align_all"] != "justify" or context.excluded_shapes:
        return False
    if not hasattr(box, "can_be_tried"):
        inside = list(box.descendants())
        box.can_be_tried = all(each.is_in_normal_flow() or each.is_absolutely_positioned() for each in inside)
        box.letters = sum(len(getattr(each, "text", "")) for each in inside)
    return bool(box.can_be_tried)
