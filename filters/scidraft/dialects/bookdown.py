"""bookdown's syntax: labels of equations, figures and tables in their text, and statements as code chunks."""

from __future__ import annotations

import re

import panflute as pf

from scidraft.dialects.blocks import opening, trim
from scidraft.document import Place, read_markup, replace
from scidraft.draft import Draft

_EQUATION = re.compile(r"\(\\#(?P<id>eq:[^\s()]+)\)")
_CAPTION = re.compile(r"\(\\?#(?P<id>(?:fig|tab):[^\s()]+)\)(?P<rest>.*)", re.DOTALL)
_CHUNK = re.compile(r"\{(?P<kind>[a-z]+)(?P<options>[\s,][^{}]*)?\}(?P<body>\s.*)", re.DOTALL)
_OPTION = re.compile(
    r"\s*(?:(?P<key>[\w.-]+)\s*=\s*)?(?:\"(?P<quoted>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s,]+))\s*(?:,|$|\s)"
)


def equation(element: pf.Math | pf.RawBlock | pf.RawInline) -> None:
    """`(\\#eq:x)` in a display is its label."""
    if "(\\#eq:" in element.text:
        element.text = _EQUATION.sub(lambda match: f"\\label{{{match['id']}}}", element.text)


def caption(element: pf.Figure | pf.Table) -> None:
    """`(\\#fig:x)` at the beginning of a caption is the figure's id."""
    words = opening(element.caption.content.list) if element.caption else []
    if isinstance(element, pf.Figure):
        # pandoc has the caption once more as the picture's description.
        for picture in opening(element.content.list):
            if isinstance(picture, pf.Image):
                _take_label(picture.content.list)
    identifier = _take_label(words)
    element.identifier = element.identifier or identifier


def _take_label(words: list[pf.Element]) -> str:
    match = _CAPTION.fullmatch(words[0].text) if words and isinstance(words[0], pf.Str) else None
    if not match:
        return ""
    words[0].text = match["rest"]
    if not match["rest"]:
        del words[0]
    trim(words)
    return match["id"]


def chunk(draft: Draft, place: Place) -> None:
    """A statement of one paragraph written as a code chunk, which pandoc reads as code in a paragraph of its own."""
    words = opening([place.element])
    match = _CHUNK.fullmatch(words[0].text) if len(words) == 1 and isinstance(words[0], pf.Code) else None
    kind = draft.settings.kind_of(match["kind"]) if match else None
    if match is None or kind is None:
        return
    options, label = chunk_options(match["options"] or "")
    attributes = {"title": options["name"]} if options.get("name") else {}
    body = read_markup([match["body"].strip()])[0]
    replace(place, pf.Div(*body, identifier=label, classes=[kind.name], attributes=attributes))


def chunk_options(text: str) -> tuple[dict[str, str], str]:
    """The options of a chunk and its label: `label="x"`, or the first word without a value."""
    options: dict[str, str] = {}
    label = ""
    for match in _OPTION.finditer(text.lstrip(" ,")):
        value = next(value for value in (match["quoted"], match["single"], match["bare"]) if value is not None)
        if match["key"]:
            options[match["key"]] = value
        else:
            label = label or value
    return options, options.pop("label", label)


def block_chunk(draft: Draft, place: Place) -> None:
    """A statement as a code block with the class of its kind: ```` ```{.theorem #x name="…"} ````."""
    block = place.element
    # An algorithm may be code.
    kind = block.classes[0] if block.classes else ""
    if kind == "algorithm" or kind not in draft.settings.kinds or not (block.identifier or "name" in block.attributes):
        return
    body = read_markup([block.text])[0]
    replace(place, pf.Div(*body, identifier=block.identifier, classes=list(block.classes), attributes=dict(block.attributes)))
