r"""amsmath's subequations: a \begin{subequations} of raw LaTeX or of a display becomes a div around its displays."""

from __future__ import annotations

import re
from collections.abc import Iterator

import panflute as pf

from scidraft.dialects.blocks import is_tex, split_paragraph
from scidraft.document import plain_text, read_markup, replace, take_label_after, walk
from scidraft.draft import Draft
from scidraft.marks import SUBEQUATIONS
from scidraft.tex import DISPLAYS

_WHOLE = re.compile(r"\s*\\begin\{subequations\}(?P<body>.*)\\end\{subequations\}\s*", re.DOTALL)
_LABEL = re.compile(r"\s*\\label\s*\{([^{}]*)\}")
_DISPLAY = re.compile(
    rf"\\begin\{{(?P<name>{'|'.join(sorted(DISPLAYS))})(?P<star>\*?)\}}.*?\\end\{{(?P=name)(?P=star)\}}", re.DOTALL
)


def run(draft: Draft) -> None:
    """Turn each \\begin{subequations} that holds nothing else than displays and text into a div of ours."""
    for place in list(walk(draft.doc)):
        element = place.element
        if not (is_tex(element) or (isinstance(element, pf.Math) and element.format == "DisplayMath")):
            continue
        found = _WHOLE.fullmatch(element.text)
        if not found or "\\begin{subequations}" in found["body"]:
            continue
        label = take_label_after(place) if isinstance(element, pf.Math) else None
        div = _div(found["body"], label or "")
        if isinstance(element, pf.RawBlock):
            replace(place, div)
        else:
            split_paragraph(draft.doc, place, [div])


def _div(body: str, identifier: str) -> pf.Div:
    label = _LABEL.match(body)
    if label:
        identifier, body = identifier or label[1], body[label.end() :]
    blocks: list[pf.Element] = []
    for words, display in _parts(body):
        blocks += [block for block in read_markup([words], "latex+raw_tex")[0] if plain_text([block])] if words.strip() else []
        if display:
            blocks.append(pf.Para(pf.Math(display, format="DisplayMath")))
    return pf.Div(*blocks, identifier=identifier, classes=[SUBEQUATIONS])


def _parts(body: str) -> Iterator[tuple[str, str]]:
    """Each display with the words before it, and the words after the last one."""
    place = 0
    for match in _DISPLAY.finditer(body):
        yield body[place : match.start()], match[0]
        place = match.end()
    yield body[place:], ""
