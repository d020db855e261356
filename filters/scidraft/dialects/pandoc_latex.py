"""Statements as pandoc's LaTeX reader gives them: the head and the end mark are in the text, and are taken out of it again."""

from __future__ import annotations

import re
from dataclasses import replace

import panflute as pf

from scidraft.dialects.blocks import (
    add_kinds,
    block_lists,
    drop_last_stop,
    opening,
    set_kind,
    take_parenthesised,
    take_stop,
    trim,
)
from scidraft.document import plain_text
from scidraft.draft import Draft
from scidraft.kinds import Kind
from scidraft.marks import TITLE

_HEAD = re.compile(r"(?P<name>.*\D)\s(?P<number>(?:[A-Z\d]+\.)*\d+)", re.DOTALL)
_END_MARK = re.compile(r"(?P<before>.*?)\u00a0?◻", re.DOTALL)


def run(draft: Draft) -> None:
    """Take heads and end marks out of the divs that have them, also when pandoc has written them as Markdown in between."""
    counters = _Counters(draft)
    for blocks, owner in block_lists(draft.doc):
        if not isinstance(owner, pf.Div) or not owner.classes:
            continue
        name = owner.classes[0]
        if name == "proof":
            _proof(owner)
            continue
        starred = draft.settings.kind_of(name[:-1]) if name.endswith("*") else None
        if starred:
            owner.classes = [starred.name, "unnumbered", *owner.classes[1:]]
        words = opening(blocks)
        first = words[0] if words else None
        if isinstance(first, (pf.Strong, pf.Emph)) and len(words) > 1:
            head = _HEAD.fullmatch(plain_text([first]).replace("\u00a0", " "))
            if head and isinstance(words[1], (pf.Str, pf.Space)):
                _statement(draft, owner, head, counters)


def _statement(draft: Draft, div: pf.Div, head: re.Match[str], counters: _Counters) -> None:
    blocks = div.content.list
    words = opening(blocks)
    rest = [pf.Str(word.text) if isinstance(word, pf.Str) else word for word in words[1:]]
    trim(rest)
    title = take_parenthesised(rest)
    # A full stop outside the bold words is the reader's mark: an author's own head is "**Theorem 1.** Let".
    if not take_stop(rest):
        return
    trim(rest)
    bold = isinstance(words[0], pf.Strong)
    style = "remark" if not bold else "plain" if rest and isinstance(rest[0], pf.Emph) else "definition"
    kind = draft.settings.kind_of(div.classes[0])
    if kind is None:
        name = head["name"].strip()
        kind = Kind(div.classes[0], div.classes[0], style, counter=div.classes[0], singular=name, plural=name)
        add_kinds(draft, kind)
    counters.met(kind, head["number"])
    words[:] = rest
    _upright(blocks)
    if not words:
        del blocks[0]
    set_kind(draft, div, kind)
    if title:
        blocks.insert(0, pf.Header(*title, level=6, classes=[TITLE]))


def _upright(blocks: list[pf.Element]) -> None:
    """Undo the reader's emphasis of a whole body; styles are no business of the text."""
    for block in blocks:
        if isinstance(block, (pf.Para, pf.Plain)):
            words = block.content.list
            if len(words) == 1 and isinstance(words[0], pf.Emph):
                words[:] = words[0].content.list
        elif isinstance(block, (pf.BulletList, pf.OrderedList)):
            for item in block.content.list:
                _upright(item.content.list)
        elif isinstance(block, pf.BlockQuote):
            _upright(block.content.list)


def _proof(div: pf.Div) -> None:
    blocks = div.content.list
    last = opening(blocks[-1:])
    sign = last[-1] if last else None
    words = opening(blocks)
    match = _END_MARK.fullmatch(sign.text) if isinstance(sign, pf.Str) else None
    if not match or not words or not isinstance(words[0], pf.Emph):
        return
    last[-1:] = [pf.Str(match["before"])] if match["before"] else []
    trim(last)
    title = list(words[0].content.list)
    if drop_last_stop(title):
        del words[0]
    else:
        title = []
    trim(words)
    for block in (blocks[-1], blocks[0]):
        if isinstance(block, (pf.Para, pf.Plain)) and not block.content.list and block in blocks:
            blocks.remove(block)
    if title and plain_text(title) != "Proof":
        blocks.insert(0, pf.Header(*title, level=6, classes=[TITLE]))


class _Counters:
    """Learns from the numbers in the heads which kinds shared a counter in the LaTeX source; the reader keeps no declarations."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.owners: dict[str, str] = {}
        self.last: dict[str, int] = {}

    def met(self, kind: Kind, number: str) -> None:
        """Note the next head of the document."""
        count = int(number.rpartition(".")[2])
        owner = self.owners.get(kind.name)
        if owner is None:
            owner = next((name for name, last in self.last.items() if last == count - 1), kind.name) if count > 1 else kind.name
            self.owners[kind.name] = owner
            counter = self.draft.settings.kinds[owner].counter if owner != kind.name else kind.name
            add_kinds(self.draft, replace(kind, counter=counter))
        self.last[owner] = count
