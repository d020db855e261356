"""Paragraphs that begin with a bold head: `**Identity (Woodbury).** Let …` becomes a statement."""

from __future__ import annotations

import re

import panflute as pf

from scidraft.dialects.blocks import block_lists, kind_of, opening, take_stop, trim
from scidraft.dialects.definition_lists import statement_div
from scidraft.dialects.heads import Heads, WrittenHead
from scidraft.document import plain_text
from scidraft.draft import Draft

_END_MARK = re.compile(r"\\(?:blacksquare|square|Box|qed(?:symbol)?)\s*|[□∎■◻]")
_SENTENCE_END = re.compile(r"[.!?…。！？][”’\"')\]]*$")
#: Kinds that are also what authors begin any remark with: only a title makes them statements.
_COMMON = ("note", "rule", "notation")


def run(draft: Draft, heads: Heads) -> None:
    """Gather each such paragraph and what completes its last sentence into a div."""
    for blocks, owner in block_lists(draft.doc):
        if not isinstance(owner, (pf.Doc, pf.Div)) or (isinstance(owner, pf.Div) and kind_of(owner, draft.settings)):
            continue
        index = 0
        while index < len(blocks):
            head = _take_head(blocks[index], heads)
            if head:
                _gather(draft, blocks, index, head, heads)
            index += 1


def _take_head(block: pf.Element, heads: Heads) -> WrittenHead | None:
    """Take the head out of a paragraph that begins with one."""
    words = opening([block])
    if len(words) < 2 or not isinstance(words[0], pf.Strong):
        return None
    label = list(words[0].content.list)
    rest = list(words[1:])
    colon = isinstance(label[-1] if label else None, pf.Str) and label[-1].text[-1:] in (":", "：")
    if colon:
        label[-1] = pf.Str(label[-1].text[:-1])
    head = heads.read(label)
    if head is None or (colon and head.kind.style != "proof"):
        return None
    stopped = head.stop or colon
    if not stopped:
        rest = [pf.Str(word.text) if isinstance(word, pf.Str) else word for word in rest]
        stopped = take_stop(rest, ".:：" if head.kind.style == "proof" else ".")
    trim(rest)
    if not stopped or not rest or (head.kind.name in _COMMON and not head.title):
        return None
    words[:] = rest
    return head


def _gather(draft: Draft, blocks: list[pf.Element], index: int, head: WrittenHead, heads: Heads) -> None:
    boundary = index + 1
    while boundary < len(blocks) and not _is_boundary(draft, blocks[boundary], heads):
        boundary += 1
    end = index + 1
    while end < boundary and _goes_on(blocks[end - 1], blocks[end]):
        end += 1
    classes: list[str] = []
    if head.kind.style == "proof":
        marked = next((place for place in range(index, boundary) if _take_end_mark(blocks[place])), None)
        if marked is not None:
            end = marked + 1
        elif end < boundary:
            # The end of the proof is not told, so no mark is set where it may not be.
            classes = ["noqed"]
    div = statement_div(head.kind, "", head.title, head.number, [block for block in blocks[index:end] if plain_text([block])])
    div.classes = [*div.classes, *classes]
    blocks[index:end] = [div]


def _is_boundary(draft: Draft, block: pf.Element, heads: Heads) -> bool:
    if isinstance(block, (pf.Header, pf.HorizontalRule)):
        return True
    if isinstance(block, pf.Div):
        return kind_of(block, draft.settings) is not None
    words = opening([block])
    if not words or not isinstance(words[0], pf.Strong):
        return False
    return heads.read(list(words[0].content.list)) is not None


def _goes_on(block: pf.Element, following: pf.Element) -> bool:
    """Whether a sentence of `block` ends only in what follows."""
    words = opening([following])
    if words and isinstance(words[0], pf.Str) and words[0].text[:1].islower():
        return True
    last = opening([block])[-1:]
    if not last:
        return False
    if isinstance(last[0], pf.Math) and last[0].format == "DisplayMath":
        return re.search(r"[,;:]\s*$", last[0].text) is not None
    return _SENTENCE_END.search(plain_text(last)) is None


def _take_end_mark(block: pf.Element) -> bool:
    """Take the sign of an ended proof off the end of a paragraph."""
    words = opening([block])
    last = words[-1] if words else None
    if isinstance(last, (pf.Math, pf.RawInline)) and _END_MARK.fullmatch(last.text.strip()):
        del words[-1]
    elif isinstance(last, pf.Str) and _END_MARK.fullmatch(last.text[-1:]):
        last.text = last.text[:-1].rstrip("\u00a0")
        if not last.text:
            del words[-1]
    else:
        return False
    trim(words)
    return True
