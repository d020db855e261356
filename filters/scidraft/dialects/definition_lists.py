"""Definition lists whose terms are heads: `Theorem (Euler). {#thm-euler}` with the statement as its definition."""

from __future__ import annotations

import re

import panflute as pf

from scidraft.dialects.blocks import block_lists, trim
from scidraft.dialects.heads import Heads
from scidraft.draft import Draft
from scidraft.kinds import Kind
from scidraft.marks import TITLE

_ID = re.compile(r"\{#(?P<id>[^\s{}]+)\}")
_LABEL = re.compile(r"\\label\{(?P<id>[^{}]+)\}")


def run(draft: Draft, heads: Heads, marked: bool) -> None:
    """Turn such items into divs; a list with other items keeps those.

    A bare word such as "Theorem" may be the entry of a glossary: it counts as a head when the note is `marked` as one written for
    the statement filter, or when a full stop, a title or an id shows it.
    """
    for blocks, _ in block_lists(draft.doc):
        for index in range(len(blocks) - 1, -1, -1):
            if isinstance(blocks[index], pf.DefinitionList):
                blocks[index : index + 1] = _parts(blocks[index], heads, marked)


def _parts(found: pf.DefinitionList, heads: Heads, marked: bool) -> list[pf.Element]:
    parts: list[pf.Element] = []
    for item in found.content.list:
        div = _statement(item, heads, marked)
        if div is not None:
            parts.append(div)
        elif parts and isinstance(parts[-1], pf.DefinitionList):
            parts[-1].content.list.append(item)
        else:
            parts.append(pf.DefinitionList(item))
    return parts if any(isinstance(part, pf.Div) for part in parts) else [found]


def _statement(item: pf.DefinitionItem, heads: Heads, marked: bool) -> pf.Div | None:
    words = list(item.term.list)
    identifier = ""
    match = None
    if isinstance(words[-1] if words else None, pf.Str):
        match = _ID.fullmatch(words[-1].text)
    elif words and isinstance(words[-1], pf.RawInline):
        match = _LABEL.fullmatch(words[-1].text.strip())
    if match:
        identifier = match["id"]
        del words[-1]
        trim(words)
    if words and isinstance(words[0], pf.Strong):
        words[0:1] = words[0].content.list
    head = heads.read(words)
    if head is None or not (identifier or head.stop or head.title or marked):
        return None
    body = [
        pf.Para(*block.content.list) if isinstance(block, pf.Plain) else block
        for definition in item.definitions.list
        for block in definition.content.list
    ]
    return statement_div(head.kind, identifier, head.title, head.number, body)


def statement_div(kind: Kind, identifier: str, title: list[pf.Element], number: str | None, body: list[pf.Element]) -> pf.Div:
    """A statement in the canonical form: its title, if any, is the heading it begins with."""
    heading = [pf.Header(*title, level=6, classes=[TITLE])] if title else []
    attributes = {"number": number} if number else {}
    return pf.Div(*heading, *body, identifier=identifier, classes=[kind.name], attributes=attributes)
