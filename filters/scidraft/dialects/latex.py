"""Raw LaTeX in Markdown: theorem environments become statements, bare display environments formulas."""

from __future__ import annotations

import re

import panflute as pf

from scidraft import messages
from scidraft.document import Place, plain_text, read_markup, replace, walk
from scidraft.draft import Draft
from scidraft.macros import defines_macros
from scidraft.marks import TITLE
from scidraft.tex import ROW_ENVIRONMENTS, SINGLE_ENVIRONMENTS

_DISPLAY = re.compile(
    rf"\s*\\begin\{{(?P<name>{'|'.join(sorted(ROW_ENVIRONMENTS | SINGLE_ENVIRONMENTS))})(?P<star>\*?)\}}"
    r".*\\end\{(?P=name)(?P=star)\}\s*",
    re.DOTALL,
)
_ENVIRONMENT = re.compile(r"\s*\\begin\{(?P<name>[A-Za-z]+)(?P<star>\*?)\}(?P<body>.*)\\end\{(?P=name)(?P=star)\}\s*", re.DOTALL)
_LABEL = re.compile(r"\s*\\label\{(?P<id>[^{}]*)\}")

#: Spaces that have no place at the ends of a paragraph.
_BLANK = (pf.Space, pf.SoftBreak, pf.LineBreak)


def is_tex(element: pf.Element) -> bool:
    """Whether an element is raw TeX."""
    return isinstance(element, (pf.RawBlock, pf.RawInline)) and element.format in ("tex", "latex")


def definitions(draft: Draft) -> str:
    """The TeX macros the note defines in its text: pandoc has used them there, but what is read apart still needs them."""
    texts = [block.text for block in draft.doc.content.list if isinstance(block, pf.RawBlock) and is_tex(block)]
    return "\n".join(text for text in texts if defines_macros(text))


def run(draft: Draft) -> None:
    """Turn raw LaTeX into statements and formulas."""
    places = [place for place in walk(draft.doc) if is_tex(place.element)]
    for place in places:
        if _DISPLAY.fullmatch(place.element.text):
            formula = pf.Math(place.element.text.strip(), format="DisplayMath")
            replace(place, pf.Para(formula) if isinstance(place.element, pf.RawBlock) else formula)
    _environments(draft, places)


def _environments(draft: Draft, places: list[Place]) -> None:
    found: list[tuple[Place, pf.Div, str]] = []
    pieces: list[str] = []
    macros = definitions(draft)
    for place in places:
        element = place.element
        match = _ENVIRONMENT.fullmatch(element.text)
        kind = draft.settings.kind_of(match["name"]) if match else None
        if not match or not kind:
            continue
        title, body = _optional_argument(match["body"])
        label = _LABEL.match(body)
        body = body[label.end() :] if label else body
        div = pf.Div(identifier=label["id"] if label else "", classes=[kind.name, *(["unnumbered"] if match["star"] else [])])
        found.append((place, div, match["name"]))
        pieces += [f"{macros}\n\n{title}", f"{macros}\n\n{body}"]
    if not found:
        return
    try:
        results = read_markup(pieces, "latex")
    except RuntimeError as error:
        for _, _, name in found:
            draft.messages.add(messages.raw_environment(name, str(error).splitlines()[0]))
        return
    for (place, div, _), title_blocks, body_blocks in zip(found, results[::2], results[1::2], strict=True):
        words = [inline for block in title_blocks if isinstance(block, (pf.Para, pf.Plain)) for inline in block.content.list]
        div.content = [block for block in body_blocks if not (isinstance(block, pf.RawBlock) and defines_macros(block.text))]
        if plain_text(words):
            div.content.list.insert(0, pf.Header(*words, level=6, classes=[TITLE]))
        if isinstance(place.element, pf.RawInline):
            # pandoc reads an environment in running text as inline; a paragraph of its own cannot hold a div.
            _split_paragraph(draft, place, div)
        else:
            replace(place, div)


def _split_paragraph(draft: Draft, place: Place, div: pf.Div) -> None:
    for outer in walk(draft.doc):
        if outer.element is place.parent and isinstance(outer.element, (pf.Para, pf.Plain)):
            words = outer.element.content.list
            index = next(i for i, word in enumerate(words) if word is place.element)
            before, after = _trimmed(words[:index]), _trimmed(words[index + 1 :])
            replace(outer, *([pf.Para(*before)] if before else []), div, *([pf.Para(*after)] if after else []))
            return


def _trimmed(words: list[pf.Element]) -> list[pf.Element]:
    while words and isinstance(words[0], _BLANK):
        words = words[1:]
    while words and isinstance(words[-1], _BLANK):
        words = words[:-1]
    return words


def _optional_argument(text: str) -> tuple[str, str]:
    """Split "[title] body"; brackets inside braces belong to the title."""
    stripped = text.lstrip(" \t")
    if not stripped.startswith("["):
        return "", text
    depth = 0
    for index, sign in enumerate(stripped):
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
        elif sign == "]" and depth == 0:
            title = stripped[1:index].strip()
            return title[1:-1] if title.startswith("{") and title.endswith("}") else title, stripped[index + 1 :]
    return "", text
