"""What the statement filter reads in a div's first words: `(info)`, a bold label, an acronym; and bold heads of paragraphs."""

from __future__ import annotations

import panflute as pf

from scidraft.dialects.blocks import (
    block_lists,
    drop_empty_opening,
    drop_last_stop,
    kind_called,
    kind_of,
    opening,
    set_kind,
    take_parenthesised,
    take_stop,
    trim,
)
from scidraft.dialects.heads import Heads, is_enumeration
from scidraft.document import plain_text
from scidraft.draft import Draft
from scidraft.kinds import Kind
from scidraft.marks import TITLE

#: The attribute under which an acronym travels to the pass over the references.
ACRONYM = "scidraft-acronym"


def is_marked(draft: Draft) -> bool:
    """Whether the note's metadata is that of the statement filter, so that its habits hold without reserve."""
    return any(key in draft.doc.metadata.content.dict for key in ("statement", "statement-kinds", "statement-styles"))


def run(draft: Draft, heads: Heads) -> None:
    """Take titles and labels out of the first words of statements."""
    marked = is_marked(draft)
    for blocks, owner in block_lists(draft.doc):
        if not isinstance(owner, pf.Div) or _is_rendered(owner):
            continue
        kind = kind_of(owner, draft.settings)
        if kind is None and "statement" not in owner.classes:
            continue
        if blocks and isinstance(blocks[0], pf.Header):
            continue
        if "label" in owner.attributes:
            label = owner.attributes.pop("label").strip()
            numbered = bool(kind and kind.numbered) and not marked
            _give_label(draft, owner, kind, label, keep_number=numbered)
            continue
        named = _take_label(draft, owner, kind, heads, marked)
        if not named and kind and not {"title", "name", "info"} & owner.attributes.keys():
            _take_info(owner, kind, marked)


def _is_rendered(div: pf.Div) -> bool:
    return "statement" in div.classes and any(isinstance(word, pf.Span) for word in opening(div.content.list)[:1])


def _take_info(div: pf.Div, kind: Kind, marked: bool) -> None:
    """`(Euler) For all …`: the title in parentheses."""
    blocks = div.content.list
    words = opening(blocks)
    before = list(words)
    title = take_parenthesised(words)
    take_stop(words)
    follows = plain_text(words[:2])
    if title and (marked or (not is_enumeration(title) and follows[:1].isupper() and kind.style != "proof")):
        _title(div, title)
    elif title is not None:
        words[:] = before


def _take_label(draft: Draft, div: pf.Div, kind: Kind | None, heads: Heads, marked: bool) -> bool:
    """`**Theorem 1.1 (Euler).**`, `**Ahlfors’s Lemma**.`, `**(NP) The New Principle.**`."""
    blocks = div.content.list
    words = opening(blocks)
    if not words or not isinstance(words[0], pf.Strong):
        return False
    label = list(words[0].content.list)
    rest = words[1:]
    inside = isinstance(label[-1] if label else None, pf.Str) and label[-1].text.endswith(".")
    stopped = bool(rest) and isinstance(rest[0], pf.Str) and rest[0].text.startswith((".", "("))
    if not (inside or stopped or _title_follows(rest)):
        return False
    head = heads.read(list(label))
    if head and kind and head.kind.name == kind.name:
        if not inside:
            trim(rest)
            head.title = head.title or take_parenthesised(rest) or []
            if not take_stop(rest) and not head.title:
                return False
        words[:] = rest
        if head.number and "number" not in div.attributes:
            div.attributes["number"] = head.number
        if head.title:
            _title(div, head.title)
        else:
            drop_empty_opening(blocks)
        return True
    if not (marked or "statement" in div.classes) or not (inside or plain_text(rest[:1]).startswith(".")):
        return False
    drop_last_stop(label) or take_stop(rest)
    acronym = take_parenthesised(label)
    trim(label)
    words[:] = rest
    text = plain_text(label) or plain_text(acronym or [])
    if acronym:
        div.attributes[ACRONYM] = plain_text(acronym)
        div.identifier = div.identifier or plain_text(acronym)
        text = f"{text} ({plain_text(acronym)})"
    _give_label(draft, div, kind, text)
    _take_info(div, draft.settings.kinds["proof"], marked)
    drop_empty_opening(blocks)
    return True


def _title_follows(rest: list[pf.Element]) -> bool:
    return len(rest) > 1 and isinstance(rest[1], pf.Str) and rest[1].text.startswith("(")


def _give_label(draft: Draft, div: pf.Div, kind: Kind | None, label: str, keep_number: bool = False) -> None:
    base = kind or draft.settings.kinds["definition"]
    named = kind_called(draft, label, base, keep_number)
    set_kind(draft, div, named)
    div.identifier = div.identifier or named.name


def _title(div: pf.Div, title: list[pf.Element]) -> None:
    drop_empty_opening(div.content.list)
    div.content.list.insert(0, pf.Header(*title, level=6, classes=[TITLE]))
