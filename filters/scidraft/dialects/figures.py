"""Quarto's figures of several parts: a div with a figure's id, in it the parts and, as its last paragraph, the caption."""

from __future__ import annotations

import panflute as pf

from scidraft.document import Place, replace

_PREFIXES = ("fig-", "fig:")


def gather(place: Place) -> None:
    """Make one figure of a div that holds figures; a div without figures or without a caption stays a div."""
    div = place.element
    if not div.identifier.startswith(_PREFIXES):
        return
    blocks = div.content.list
    caption = blocks[-1] if blocks and isinstance(blocks[-1], pf.Para) else None
    parts = [figure for block in blocks if block is not caption for figure in _figures(block)]
    if caption is None or not parts:
        return
    words = pf.Caption(pf.Plain(*caption.content.list))
    replace(
        place, pf.Figure(*parts, caption=words, identifier=div.identifier, classes=list(div.classes), attributes=div.attributes)
    )


def _figures(block: pf.Element) -> list[pf.Element]:
    """The figures in a block; several pictures in one paragraph, which pandoc leaves there, become figures too."""
    if isinstance(block, pf.Figure):
        return [block]
    if isinstance(block, pf.Div):
        return [figure for inner in block.content.list for figure in _figures(inner)]
    words = block.content.list if isinstance(block, (pf.Para, pf.Plain)) else []
    pictures = [word for word in words if isinstance(word, pf.Image)]
    if not pictures or any(not isinstance(word, (pf.Image, pf.Space, pf.SoftBreak, pf.LineBreak)) for word in words):
        return []
    return [_figure(picture) for picture in pictures]


def _figure(picture: pf.Image) -> pf.Figure:
    identifier, picture.identifier = picture.identifier, ""
    caption = pf.Caption(pf.Plain(*picture.content.list)) if picture.content.list else pf.Caption()
    return pf.Figure(pf.Plain(picture), caption=caption, identifier=identifier)
