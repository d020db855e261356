"""The pass that rewrites other spellings to ours, so that the later passes know one syntax.

Titles in attributes become the heading that may begin a statement; raw LaTeX statements become divs, bare LaTeX displays become
formulas, captioned Mermaid blocks become figures.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import panflute as pf

from scidraft import messages
from scidraft.catalogue import Kind
from scidraft.document import Place, inlines, plain_text, read_markup, replace, walk
from scidraft.draft import Draft
from scidraft.settings import Settings
from scidraft.tex import ROW_ENVIRONMENTS, SINGLE_ENVIRONMENTS

#: Classes of the headings in which a statement's title and attribution travel to `collect`.
TITLE = "scidraft-title"
ATTRIBUTION = "scidraft-attribution"

#: Attributes that hold a title: ours, Quarto's and bookdown's, pandoc-amsthm's.
TITLE_ATTRIBUTES = ("title", "name", "info")

#: Signs that make pandoc read more than words in a title.
_MARKUP = re.compile(r"[\\$*_`\[\]^~@<&'\"-]|\.\.\.|://")

#: Keeps a piece from being read as a list, heading or quote; U+2060 WORD JOINER is nothing to see.
_GUARD = "\u2060"

_DISPLAY = re.compile(
    rf"\s*\\begin\{{(?P<name>{'|'.join(sorted(ROW_ENVIRONMENTS | SINGLE_ENVIRONMENTS))})(?P<star>\*?)\}}"
    r".*\\end\{(?P=name)(?P=star)\}\s*",
    re.DOTALL,
)
_ENVIRONMENT = re.compile(r"\s*\\begin\{(?P<name>[A-Za-z]+)(?P<star>\*?)\}(?P<body>.*)\\end\{(?P=name)(?P=star)\}\s*", re.DOTALL)
_LABEL = re.compile(r"\s*\\label\{(?P<id>[^{}]*)\}")
_DEFINITIONS = re.compile(r"\s*\\(?:(?:re|provide)?newcommand|renewcommand|providecommand|DeclareMathOperator|def)\b")
_SUSPICIOUS = re.compile(r"(?<![\\A-Za-z0-9_^}\])*])\{[^{}]*,[^{}]*\}")


def run(draft: Draft) -> None:
    """Rewrite the document to the canonical syntax of statements, displays and figures."""
    places = [place for place in walk(draft.doc) if isinstance(place.element, (pf.Div, pf.RawBlock, pf.RawInline, pf.CodeBlock))]
    _read_raw_environments(draft, [place for place in places if isinstance(place.element, (pf.RawBlock, pf.RawInline))])
    attributes = _Attributes(_definitions(places))
    for place in walk(draft.doc):
        element = place.element
        if isinstance(element, pf.Div) and kind_of(element, draft.settings):
            attributes.take_title(element)
        elif isinstance(element, pf.CodeBlock) and "mermaid" in element.classes:
            attributes.take_caption(place)
        elif _is_tex(element) and _DISPLAY.fullmatch(element.text):
            formula = pf.Math(element.text.strip(), format="DisplayMath")
            replace(place, pf.Para(formula) if isinstance(element, pf.RawBlock) else formula)
    attributes.read(draft)


def _is_tex(element: pf.Element) -> bool:
    return isinstance(element, (pf.RawBlock, pf.RawInline)) and element.format in ("tex", "latex")


def kind_of(div: pf.Div, settings: Settings) -> Kind | None:
    """The kind of statement a div is: its first class that names one, else what its id's prefix says; None for no statement."""
    for name in div.classes:
        kind = settings.kind_of(name)
        if kind:
            return kind
    return settings.kind_of_id(div.identifier)


def _definitions(places: list[Place]) -> str:
    """The TeX macros the note defines in its text: pandoc has used them there, but titles in attributes still need them."""
    texts = [
        place.element.text
        for place in places
        if isinstance(place.element, pf.RawBlock) and place.element.format in ("tex", "latex")
    ]
    return "\n".join(text for text in texts if _DEFINITIONS.match(text))


@dataclass
class _Attributes:
    """Attributes that hold Markdown, gathered so that one pandoc reads them all."""

    definitions: str
    pieces: list[tuple[str, pf.Element]] = field(default_factory=list)

    def take_title(self, div: pf.Div) -> None:
        """Move a statement's title and attribution into headings at its beginning."""
        given = [div.attributes.pop(name) for name in TITLE_ATTRIBUTES if name in div.attributes]
        title = next((value.strip() for value in given if value.strip()), "")
        attribution = div.attributes.pop("by", "").strip()
        for text, name in ((attribution, ATTRIBUTION), (title, TITLE)):
            if text:
                heading = pf.Header(level=6, classes=[name])
                div.content.list.insert(0, heading)
                self.pieces.append((text, heading))

    def take_caption(self, place: Place) -> None:
        """Make a figure of a Mermaid block that has a caption or an id."""
        block = place.element
        caption = next((block.attributes.pop(name) for name in ("caption", "fig-cap") if name in block.attributes), "").strip()
        if not (caption or block.identifier) or isinstance(place.parent, pf.Figure):
            return
        words = pf.Plain()
        figure = pf.Figure(
            block,
            caption=pf.Caption(words) if caption else pf.Caption(),
            identifier=block.identifier,
            classes=["diagram"],
        )
        block.identifier = ""
        replace(place, figure)
        if caption:
            self.pieces.append((caption, words))

    def read(self, draft: Draft) -> None:
        """Parse what was gathered and put it in place; plain words need no pandoc."""
        marked = [(text, holder) for text, holder in self.pieces if _MARKUP.search(text)]
        for text, holder in self.pieces:
            if not _MARKUP.search(text):
                holder.content = inlines(text)
        # Definitions go before each piece: a piece may be read on its own, and one that breaks must not break the others.
        sources = [f"{self.definitions}\n\n{_GUARD}{text}" if self.definitions else _GUARD + text for text, _ in marked]
        try:
            results = read_markup(sources)
        except RuntimeError as error:
            for text, holder in marked:
                draft.messages.add(messages.bad_markup(text, str(error)))
                holder.content = inlines(text)
            return
        for (text, holder), blocks in zip(marked, results, strict=True):
            words = [inline for block in blocks if isinstance(block, (pf.Para, pf.Plain)) for inline in block.content.list]
            holder.content = _balanced(_without_guard(words)) or inlines(text)
            for place in walk(holder):
                if isinstance(place.element, pf.Math) and _SUSPICIOUS.search(place.element.text):
                    draft.messages.add(messages.suspicious_title(text))


def _without_guard(words: list[pf.Element]) -> list[pf.Element]:
    first = words[0] if words else None
    if isinstance(first, pf.Str):
        first.text = first.text.removeprefix(_GUARD)
        if not first.text:
            return words[1:]
    return words


def _balanced(words: list[pf.Element]) -> list[pf.Element]:
    """Raw HTML in a title passes when every tag is closed; otherwise it is shown as text, so that no tag leaks into the page."""
    depth: list[str] = []
    tags = [word for word in words if isinstance(word, pf.RawInline) and word.format == "html"]
    for tag in tags:
        match = re.match(r"<(/?)([A-Za-z][\w-]*)", tag.text)
        if not match or tag.text.endswith("/>") or match[2].lower() in ("br", "wbr", "img"):
            continue
        if not match[1]:
            depth.append(match[2].lower())
        elif depth and depth[-1] == match[2].lower():
            depth.pop()
        else:
            depth.append("/")
    if not depth:
        return words
    return [pf.Str(word.text) if word in tags else word for word in words]


# LaTeX environments


def _read_raw_environments(draft: Draft, places: list[Place]) -> None:
    found: list[tuple[Place, pf.Div, str]] = []
    pieces: list[str] = []
    definitions = _definitions(places)
    for place in places:
        element = place.element
        match = _ENVIRONMENT.fullmatch(element.text) if element.format in ("tex", "latex") else None
        kind = draft.settings.kind_of(match["name"]) if match else None
        if not match or not kind:
            continue
        title, body = _optional_argument(match["body"])
        label = _LABEL.match(body)
        body = body[label.end() :] if label else body
        div = pf.Div(identifier=label["id"] if label else "", classes=[kind.name, *(["unnumbered"] if match["star"] else [])])
        found.append((place, div, match["name"]))
        pieces += [f"{definitions}\n\n{title}", f"{definitions}\n\n{body}"]
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
        div.content = [block for block in body_blocks if not (isinstance(block, pf.RawBlock) and _DEFINITIONS.match(block.text))]
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
    blank = (pf.Space, pf.SoftBreak, pf.LineBreak)
    while words and isinstance(words[0], blank):
        words = words[1:]
    while words and isinstance(words[-1], blank):
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
