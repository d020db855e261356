"""Titles, attributions and captions that stand in attributes: read as Markdown and put where headings and captions are."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, field

import panflute as pf

from scidraft import messages
from scidraft.document import Place, inlines, read_markup, replace, walk
from scidraft.draft import Draft
from scidraft.marks import ATTRIBUTION, TITLE

#: Attributes that hold a title, and the dialects they belong to: ours, Quarto's and bookdown's, pandoc-amsthm's.
_TITLE_ATTRIBUTES = {"title": (), "name": ("quarto", "bookdown"), "info": ("amsthm",)}

#: Signs that make pandoc read more than words in a title.
_MARKUP = re.compile(r"[\\$*_`\[\]^~@<&'\"-]|\.\.\.|://")

#: Keeps a piece from being read as a list, heading or quote; U+2060 WORD JOINER is nothing to see.
_GUARD = "\u2060"

#: Attributes that hold a caption: ours, and Quarto's.
_CAPTIONS = ("caption", "fig-cap", "lst-cap")
_OPTION = re.compile(r"^%%\|\s*(label|fig-cap|caption):\s*(.+?)\s*\n", re.MULTILINE)
_SUSPICIOUS = re.compile(r"(?<![\\A-Za-z0-9_^}\])*])\{[^{}]*,[^{}]*\}")


@dataclass
class Attributes:
    """Attributes that hold Markdown, gathered so that one pandoc reads them all."""

    definitions: str
    dialects: Container[str]
    pieces: list[tuple[str, pf.Element]] = field(default_factory=list)

    def take_title(self, div: pf.Div) -> None:
        """Move a statement's title and attribution into headings at its beginning."""
        given = [
            div.attributes.pop(name)
            for name, dialects in _TITLE_ATTRIBUTES.items()
            if name in div.attributes and (not dialects or any(dialect in self.dialects for dialect in dialects))
        ]
        title = next((value.strip() for value in given if value.strip()), "")
        attribution = div.attributes.pop("by", "").strip()
        for text, name in ((attribution, ATTRIBUTION), (title, TITLE)):
            if text:
                heading = pf.Header(level=6, classes=[name])
                div.content.list.insert(0, heading)
                self.pieces.append((text, heading))

    def take_caption(self, place: Place) -> None:
        """Make a figure of a Mermaid block that has a caption or an id, and of other code that has a caption."""
        block = place.element
        diagram = "mermaid" in block.classes
        if diagram:
            # Quarto writes options as comments: %%| label: fig-x
            options = dict(_OPTION.findall(block.text))
            block.text = _OPTION.sub("", block.text) if options else block.text
            block.identifier = block.identifier or options.pop("label", "")
            block.attributes.update(options)
        caption = next((block.attributes.pop(name) for name in _CAPTIONS if name in block.attributes), "").strip()
        if not (caption or (diagram and block.identifier)) or isinstance(place.parent, pf.Figure):
            return
        words = pf.Plain()
        figure = pf.Figure(
            block,
            caption=pf.Caption(words) if caption else pf.Caption(),
            identifier=block.identifier,
            classes=["diagram" if diagram else "listing"],
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
                draft.messages.add(messages.statements.bad_markup(text, str(error)))
                holder.content = inlines(text)
            return
        for (text, holder), blocks in zip(marked, results, strict=True):
            words = [inline for block in blocks if isinstance(block, (pf.Para, pf.Plain)) for inline in block.content.list]
            holder.content = _balanced(_without_guard(words)) or inlines(text)
            for place in walk(holder):
                if isinstance(place.element, pf.Math) and _SUSPICIOUS.search(place.element.text):
                    draft.messages.add(messages.statements.suspicious_title(text))


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
