"""Puts two pages of a PDF beside each other on a sheet of paper: in their order, or as a booklet that is folded."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from typing import Literal

Layout = Literal["two-up", "booklet"]

#: Paper lying on its long side, in points.
SHEETS = {"a4": (841.89, 595.276), "letter": (792.0, 612.0)}

#: What stays free round the pages of a two-up sheet and between them, because printers need it.
_EDGE = 14.0


def two_up(pages: int) -> list[tuple[int | None, int | None]]:
    """The pages, counted from 0, on the left and right of each side of paper; None for an empty half."""
    return [(first, first + 1 if first + 1 < pages else None) for first in range(0, pages, 2)]


def booklet(pages: int) -> list[tuple[int | None, int | None]]:
    """The same for sheets printed on both sides and folded once, one inside the other: the last page stands left of the first."""
    total = -(-pages // 4) * 4
    sides: list[tuple[int | None, int | None]] = []

    def page(number: int) -> int | None:
        return number if number < pages else None

    for side in range(total // 2):
        outer, inner = total - 1 - side, side
        # Fronts have the outer page on the left, backs on the right.
        sides.append((page(outer), page(inner)) if side % 2 == 0 else (page(inner), page(outer)))
    return sides


def impose(content: bytes, layout: Layout, paper: str = "a4") -> bytes:
    """The PDF `content` two pages a side on `paper` (a key of `SHEETS`), scaled to fit; the same input gives the same bytes.

    A booklet is to be printed on both sides, turned over the short edge. Tags and links do not survive: the sheets are for paper.
    Raises ModuleNotFoundError without pikepdf, which `pip install scidraft[print]` brings, and ValueError when this is no PDF.
    """
    import pikepdf

    try:
        source = pikepdf.open(io.BytesIO(content))
    except pikepdf.PdfError as error:
        raise ValueError(str(error)) from error
    width, height = SHEETS[paper]
    made = pikepdf.new()
    with source:
        sides = booklet(len(source.pages)) if layout == "booklet" else two_up(len(source.pages))
        for side in sides:
            sheet = made.add_blank_page(page_size=(width, height))
            # Named and placed by hand: add_overlay takes names by chance, and bytes are to be the same each time.
            forms, drawn = {}, []
            for page, box in _halves(side, width, height, 0.0 if layout == "booklet" else _EDGE):
                name = pikepdf.Name(f"/Page{page + 1}")
                forms[str(name)] = form = made.copy_foreign(source.pages[page].as_form_xobject())
                drawn.append(sheet.calc_form_xobject_placement(form, name, pikepdf.Rectangle(*box)))
            sheet.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(forms))
            sheet.Contents = made.make_stream(b"\n".join(drawn))
        title = source.docinfo.get("/Title")
        if title is not None:
            made.docinfo["/Title"] = made.make_indirect(pikepdf.String(str(title)))
        written = io.BytesIO()
        made.save(written, deterministic_id=True)
    return written.getvalue()


def _halves(
    side: Sequence[int | None], width: float, height: float, edge: float
) -> Iterator[tuple[int, tuple[float, float, float, float]]]:
    """The pages on a side, each with the box it is to fit in: left, bottom, right, top."""
    half = width / 2
    for place, page in enumerate(side):
        if page is not None:
            yield page, (place * half + edge, edge, (place + 1) * half - edge, height - edge)
