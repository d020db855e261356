"""Turns an SVG into a PDF of vectors whose page is exactly the picture, with WeasyPrint and nothing else installed."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

from scidraft.engines import svg_words
from scidraft.engines.typefaces import on_disk
from scidraft.fontfiles import FontFile

#: Points per CSS unit; a number without unit counts pixels.
_POINTS = {"": 0.75, "px": 0.75, "pt": 1.0, "pc": 12.0, "mm": 72 / 25.4, "cm": 72 / 2.54, "in": 72.0}
_LENGTH = re.compile(r"\s*(\d+\.?\d*|\.\d+)\s*(px|pt|pc|mm|cm|in|)\s*")


class NotSvg(ValueError):
    """A file that is no SVG, or one without a size."""


def size(svg: bytes) -> tuple[float, float]:
    """Width and height of a picture in points: its own, else its view box taken as pixels, else what browsers take.

    Raises NotSvg when `svg` is no SVG.
    """
    try:
        root = ElementTree.fromstring(svg)
    except ElementTree.ParseError as error:
        raise NotSvg(str(error)) from error
    if root.tag.rpartition("}")[2] != "svg":
        raise NotSvg(f"its outermost element is {root.tag}")
    box = [float(number) for number in re.findall(r"[-+.\deE]+", root.get("viewBox", ""))]
    has_box = len(box) == 4 and box[2] > 0 and box[3] > 0
    width, height = (_points(root.get(name, "")) for name in ("width", "height"))
    ratio = box[3] / box[2] if has_box else 0.5
    if width is None and height is None:
        width = box[2] * _POINTS["px"] if has_box else 225
    if width is None:
        width = (height or 0) / ratio
    return width, height if height is not None else width * ratio


def _points(length: str) -> float | None:
    found = _LENGTH.fullmatch(length)
    return float(found[1]) * _POINTS[found[2]] if found and float(found[1]) else None


def convert(svg: bytes, fonts: Iterable[FontFile] = (), *, width: float | None = None) -> bytes:
    """The PDF of the picture `svg`, `width` points wide (default: its own size).

    `fonts` are embedded for the families the picture names. The same picture gives the same bytes. Raises NotSvg.
    """
    import weasyprint

    svg_words.mend()
    own_width, own_height = size(svg)
    width = width or own_width
    height = own_height * width / own_width
    box = f"{width:.3f}pt {height:.3f}pt"
    faces = "".join(font.rule(on_disk(font).as_uri()) for font in fonts)
    picture = f"data:image/svg+xml;base64,{b64encode(svg).decode()}"
    page = (
        f"<style>{faces}@page{{size:{box};margin:0}}html,body{{margin:0;line-height:0}}"
        f"img{{display:block;width:{width:.3f}pt;height:{height:.3f}pt}}</style><img src='{picture}'>"
    )
    # A picture may name files beside it, but nothing is fetched from the network.
    fetcher = weasyprint.URLFetcher(allowed_protocols={"file", "data"})
    document = weasyprint.HTML(string=page, url_fetcher=fetcher)
    printed: bytes = document.write_pdf(pdf_identifier=hashlib.blake2b(svg, digest_size=16).digest())
    return printed


def convert_file(path: Path) -> bytes:
    """The PDF of an author's SVG file. Raises NotSvg, and OSError when it cannot be read."""
    return convert(path.read_bytes())
