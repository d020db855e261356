"""Keeps notes beside the text whole, apart from one another and on their page, once it is laid out.

WeasyPrint sets what is placed absolutely at the height of its line, whatever stands there; the private things here are its
layout of such a box and the boxes of a page.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import wraps
from typing import Any

from scidraft import messages
from scidraft.messages import Messages

#: In a page with notes beside its text.
ASKED = 'class="sidenote'

_APART = 6.0  # pixels
#: So much below the page, in pixels, a note may be laid out before it is moved up.
_DEEP = 1e6


def mend() -> None:
    """Have WeasyPrint lay out a note as a whole where it would break it at the end of the page; once per process."""
    from weasyprint.layout import absolute

    if not hasattr(absolute.absolute_box_layout, "__wrapped__"):
        absolute.absolute_box_layout = _whole(absolute.absolute_box_layout)


def _whole(layout: Any) -> Any:
    @wraps(layout)
    def absolute_box_layout(
        context: Any, box: Any, containing_block: Any, fixed_boxes: Any, bottom_space: Any, skip_stack: Any
    ) -> Any:
        space = -_DEEP if _is_note(box) else bottom_space
        return layout(context, box, containing_block, fixed_boxes, space, skip_stack)

    return absolute_box_layout


def arrange(document: Any, report: Messages) -> None:
    """Move the notes of each page of a weasyprint.Document down until none overlaps, and up again where the page ends."""
    for number, page in enumerate(document.pages, 1):
        box = page._page_box
        top, bottom = box.content_box_y(), box.content_box_y() + box.height
        notes = sorted(_notes(box), key=lambda note: note.position_y)
        places = _places([(note.position_y, note.margin_height()) for note in notes], top, bottom)
        for note, place in zip(notes, places, strict=True):
            note.translate(0, place - note.position_y)
        if places and places[-1] + notes[-1].margin_height() > bottom + _APART:
            report.add(messages.building.side_notes_too_long(number))


def _places(notes: list[tuple[float, float]], top: float, bottom: float) -> list[float]:
    """Where notes with these tops and heights go, each as near its line as the others let it."""
    places: list[float] = []
    end = top
    for wanted, height in notes:
        places.append(max(wanted, end))
        end = places[-1] + height + _APART
    limit = bottom
    for index in reversed(range(len(notes))):
        places[index] = min(places[index], limit - notes[index][1])
        limit = places[index] - _APART
    if places and places[0] < top:  # more than the page holds: they run on below it
        places = [place + top - places[0] for place in places]
    return places


def _notes(box: Any) -> Iterator[Any]:
    for child in getattr(box, "children", ()):
        if _is_note(child):
            yield child
        else:
            yield from _notes(getattr(child, "_box", child))


def _is_note(box: Any) -> bool:
    element = box.element
    return box.element_tag in ("span", "div") and element is not None and "sidenote" in (element.get("class") or "").split()
