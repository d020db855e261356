"""Draws the Mermaid blocks of a draft, and makes PDFs of SVG pictures for LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import panflute as pf

from scidraft import messages
from scidraft.document import Place, first_words, plain_text, read_markup, replace, walk
from scidraft.draft import Draft
from scidraft.engines import svg_pdf
from scidraft.engines.cache import Cache
from scidraft.engines.mermaid import LABEL_SIZE, Diagram, DiagramError, RendererMissing, draw
from scidraft.engines.picture import fixed, labels, web
from scidraft.engines.typefaces import Typeface, print_face, web_face, with_fonts
from scidraft.files import digest, write_atomically

#: Labels come out as large as captions: 0.84 of the text on a page, and 9.2 pt beside the 10.95 pt of a printed one.
_EM = LABEL_SIZE / 0.84
_POINT = LABEL_SIZE / 9.2
#: A printed picture is never higher than this (17 cm), so that it stands on one page with its caption.
_HIGHEST_POINTS = 482.0
_HIGHEST_EM = 44.0
#: What `width=50%` is a part of in print, where a height has to be known beforehand.
_COLUMN_EM = 32.0
#: On a narrow screen a picture is made smaller down to this part of its size; then it scrolls in its own box.
_SMALLEST = 0.7

_WEB = {"html", "html4", "html5", "chunkedhtml", "revealjs", "slidy", "slideous", "dzslides", "s5"}
_TEX = {"latex", "beamer", "context", "pdf"}
#: Writers that can hold a picture; all others (Markdown, plain text …) keep the source, which their readers often draw.
_PNG = {"docx", "odt", "opendocument", "pptx", "epub", "epub2", "epub3", "fb2", "icml", "rtf", "typst", "ms", "tei"}
_PNG |= {"docbook", "docbook4", "docbook5", "jats", "jats_archiving", "jats_publishing", "jats_articleauthoring"}

_LENGTH = re.compile(r"(\d+\.?\d*|\.\d+)(px|%|in|cm|mm|pt|em|)")


def run(draft: Draft) -> None:
    """Replace every Mermaid block by its picture; one that cannot be drawn stays as it is, with a message."""
    target = re.split(r"[+-]", draft.target, maxsplit=1)[0]
    if target in _WEB | _TEX | _PNG | {"print"}:
        for place in [place for place in walk(draft.doc) if _is_mermaid(place.element)]:
            _make_figure(place)
        _draw_all(draft, target, [place for place in walk(draft.doc) if _is_mermaid(place.element)])
    if target in _TEX:
        for place in walk(draft.doc):
            if isinstance(place.element, pf.Image) and place.element.url.lower().endswith(".svg"):
                _convert(draft, place.element)


def _is_mermaid(element: pf.Element) -> bool:
    return isinstance(element, pf.CodeBlock) and any(name.lower() == "mermaid" for name in element.classes)


def _make_figure(place: Place) -> None:
    """Make a figure of a block that still has its caption: this pass also runs without those that number figures."""
    block = place.element
    captions = [block.attributes.pop(name) for name in ("caption", "fig-cap") if name in block.attributes]
    if captions and not isinstance(place.parent, pf.Figure):
        words = [pf.Plain(*each.content.list) for each in read_markup(captions)[0] if isinstance(each, pf.Para)]
        replace(place, pf.Figure(block, caption=pf.Caption(*words), identifier=block.identifier, classes=["diagram"]))
        block.identifier = ""


def _draw_all(draft: Draft, target: str, places: list[Place]) -> None:
    face = with_fonts(web_face() if target in _WEB else print_face(), draft.settings.fonts)
    cache = Cache("diagrams")
    for number, place in enumerate(places, start=1):
        try:
            diagram = draw(place.element.text, face, cache)
        except RendererMissing as error:
            draft.messages.add(messages.drawings.no_diagrams(str(error)))
            break
        except DiagramError as error:
            draft.messages.add(messages.drawings.broken_diagram(first_words([place.element]), error.reason, error.line))
        else:
            _put(draft, target, place, diagram, number, face)
    cache.close()


def _put(draft: Draft, target: str, place: Place, diagram: Diagram, number: int, face: Typeface) -> None:
    """Replace a block by its picture, in the figure it stands in or on its own."""
    block = place.element
    figure = place.parent if isinstance(place.parent, pf.Figure) else None
    length = _length(block, figure)
    name = _name(diagram, block, figure)
    web_page = target in _WEB
    classes = ["diagram", *(each for each in block.classes if each.lower() not in ("mermaid", "diagram"))]
    if web_page or target == "print":
        svg = (_inline if web_page else _printed)(diagram, face, f"diagram-{number}", name, length)
        picture: list[pf.Element] = [pf.RawBlock(svg, format="html")]
        if figure is None:
            picture = [pf.Div(*picture, identifier=block.identifier, classes=classes)]
    else:
        image = _image(draft, target, diagram, face, name, length)
        picture = [pf.Plain(image)]
        if figure is None:
            image.identifier = block.identifier
            if target == "latex":
                begin, end = (pf.RawBlock(f"\\{word}{{center}}", format="latex") for word in ("begin", "end"))
                picture = [begin, *picture, end]
    if figure is not None and "diagram" not in figure.classes:
        figure.classes.append("diagram")
    replace(place, *picture)


def _length(block: pf.CodeBlock, figure: pf.Figure | None) -> tuple[float, str] | None:
    """The width the author asks for, as number and unit."""
    asked = block.attributes.get("width") or (figure.attributes.pop("width", "") if figure else "")
    found = _LENGTH.fullmatch(asked.strip())
    return (float(found[1]), found[2] or "px") if found else None


def _name(diagram: Diagram, block: pf.CodeBlock, figure: pf.Figure | None) -> str:
    """What the picture is called for those who do not see it."""
    caption = plain_text(figure.caption.content.list) if figure and figure.caption else ""
    return block.attributes.get("alt") or diagram.title or caption or labels(diagram)


def _inline(diagram: Diagram, face: Typeface, identifier: str, name: str, length: tuple[float, str] | None) -> str:
    """The picture in a web page, as large as the text around it."""
    natural = diagram.width / _EM
    width = f"{length[0]:g}{length[1]}" if length else f"{natural:.2f}em"
    style = f"display:block;width:{width};max-width:100%;height:auto;margin:0 auto"
    if length or natural * _SMALLEST < _COLUMN_EM / 2:
        return web(diagram, face, identifier, name, style)
    svg = web(diagram, face, identifier, name, f"{style};min-width:{natural * _SMALLEST:.2f}em")
    return f'<div class="diagram-scroll" style="overflow-x:auto">{svg}</div>'


def _printed(diagram: Diagram, face: Typeface, identifier: str, name: str, length: tuple[float, str] | None) -> str:
    """The picture in the HTML that is printed. WeasyPrint takes no height from a view box, so both are given."""
    ratio = diagram.height / diagram.width
    width, unit = length or (min(diagram.width / _EM, _COLUMN_EM, _HIGHEST_EM / ratio), "em")
    if unit == "%":
        width, unit = width / 100 * _COLUMN_EM, "em"
    style = f"display:block;width:{width:.2f}{unit};height:{width * ratio:.2f}{unit};max-width:100%;margin:0 auto"
    return fixed(diagram, face, identifier, name, style)


def _image(draft: Draft, target: str, diagram: Diagram, face: Typeface, name: str, length: tuple[float, str] | None) -> pf.Image:
    svg = fixed(diagram, face).encode()
    points = min(diagram.width / _POINT, _HIGHEST_POINTS * diagram.width / diagram.height)
    if target in _TEX:
        url = _keep(draft, svg, "pdf", lambda: svg_pdf.convert(svg, face.files_for(diagram.body), width=points))
    else:
        url = _keep(draft, svg, "png", lambda: _png(svg))
    attributes = {}
    if length:
        attributes["width"] = f"{length[0]:g}{length[1]}"
    elif target not in _TEX:
        # A PDF has its size in itself, and pandoc's LaTeX makes it smaller where the column is narrower.
        attributes["width"] = f"{min(points, 450) / 72:.2f}in"
    return pf.Image(pf.Str(name), url=url, attributes=attributes)


def _png(svg: bytes) -> bytes:
    """The picture as pixels, two to a unit: 250 to an inch."""
    from resvg_py import svg_to_bytes

    fonts = [str(font.path) for font in print_face().files if font.path.suffix == ".ttf"]
    return bytes(svg_to_bytes(svg_string=svg.decode(), zoom=2, background="#ffffff", font_files=fonts))


def _convert(draft: Draft, image: pf.Image) -> None:
    """Let an author's SVG file be a PDF, which LaTeX can take without rsvg-convert."""
    if re.match(r"[a-z][a-z0-9+.-]+:", image.url, re.IGNORECASE):
        return
    path = (draft.source.parent if draft.source else Path()) / unquote(image.url)
    if not path.is_file():
        return  # pandoc says so
    try:
        image.url = _keep(draft, path.read_bytes(), "pdf", lambda: svg_pdf.convert_file(path))
    except (svg_pdf.NotSvg, OSError) as error:
        draft.messages.add(messages.building.unusable_picture(image.url, str(error)))


def _keep(draft: Draft, source: bytes, kind: str, make: Callable[[], bytes]) -> str:
    """Write what `make` makes of `source` into the media folder, unless it is there; return its address."""
    name = f"{digest(source)}.{kind}"
    path = draft.settings.media_dir / name
    if not path.is_file():
        write_atomically(path, make())
    return f"{draft.settings.media_url}/{name}"
