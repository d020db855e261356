"""What the dialects share: the lists of blocks of a note, words at the beginning of a paragraph, and kinds made on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import panflute as pf

from scidraft.document import Place, walk
from scidraft.document import replace as replace_element
from scidraft.draft import Draft
from scidraft.kinds import Kind
from scidraft.settings import Settings

_SPACES = (pf.Space, pf.SoftBreak, pf.LineBreak)


def block_lists(owner: pf.Element) -> Iterator[tuple[list[pf.Element], pf.Element]]:
    """The live lists of blocks below `owner`, outer ones first, each with the element it belongs to.

    A list may be changed when it is yielded; what it holds afterwards is looked into.
    """
    if isinstance(owner, (pf.Doc, pf.Div, pf.BlockQuote, pf.ListItem, pf.Definition, pf.Figure)):
        yield owner.content.list, owner
        children = owner.content.list
    elif isinstance(owner, (pf.BulletList, pf.OrderedList, pf.DefinitionList)):
        children = owner.content.list
    elif isinstance(owner, pf.DefinitionItem):
        children = owner.definitions.list
    else:
        return
    for child in children:
        yield from block_lists(child)


def is_tex(element: pf.Element) -> bool:
    """Whether an element is raw TeX."""
    return isinstance(element, (pf.RawBlock, pf.RawInline)) and element.format in ("tex", "latex")


def split_paragraph(doc: pf.Doc, place: Place, new: list[pf.Element]) -> None:
    """Put blocks in the place of an inline element; what stands around it becomes paragraphs of its own."""
    for outer in walk(doc):
        if outer.element is place.parent and isinstance(outer.element, (pf.Para, pf.Plain)):
            words = outer.element.content.list
            index = next(i for i, word in enumerate(words) if word is place.element)
            before, after = _trimmed(words[:index]), _trimmed(words[index + 1 :])
            replace_element(outer, *([pf.Para(*before)] if before else []), *new, *([pf.Para(*after)] if after else []))
            return


def _trimmed(words: list[pf.Element]) -> list[pf.Element]:
    while words and isinstance(words[0], _SPACES):
        words = words[1:]
    while words and isinstance(words[-1], _SPACES):
        words = words[:-1]
    return words


def kind_of(div: pf.Div, settings: Settings) -> Kind | None:
    """The kind of statement a div is: its first class that names one, else what its id's prefix says; None for no statement."""
    for name in div.classes:
        kind = settings.kind_of(name)
        if kind:
            return kind
    return settings.kind_of_id(div.identifier)


def opening(blocks: list[pf.Element]) -> list[pf.Element]:
    """The live words of the paragraph that `blocks` begin with; nothing when they begin otherwise."""
    first = blocks[0] if blocks else None
    words: list[pf.Element] = first.content.list if isinstance(first, (pf.Para, pf.Plain)) else []
    return words


def trim(words: list[pf.Element]) -> None:
    """Take the spaces at both ends off a live list of words."""
    while words and isinstance(words[0], _SPACES):
        del words[0]
    while words and isinstance(words[-1], _SPACES):
        del words[-1]


def drop_empty_opening(blocks: list[pf.Element]) -> None:
    """Take away a first paragraph that has lost all its words."""
    words = opening(blocks)
    trim(words)
    if blocks and isinstance(blocks[0], (pf.Para, pf.Plain)) and not words:
        del blocks[0]


def take_stop(words: list[pf.Element], stops: str = ".") -> bool:
    """Take a full stop off the beginning of a live list of words; whether there was one."""
    if words and isinstance(words[0], pf.Str) and words[0].text[:1] in stops and words[0].text:
        words[0].text = words[0].text[1:]
        if not words[0].text:
            del words[0]
        return True
    return False


def drop_last_stop(words: list[pf.Element]) -> bool:
    """Take a full stop off the end of a live list of words; whether there was one."""
    last = words[-1] if words else None
    if isinstance(last, pf.Str) and last.text.endswith("."):
        last.text = last.text[:-1]
        if not last.text:
            del words[-1]
        return True
    return False


def take_parenthesised(words: list[pf.Element]) -> list[pf.Element] | None:
    """Take the "(…)" that a live list of words begins with out of it and return what is in it, None where there is none."""
    if not words or not isinstance(words[0], pf.Str) or not words[0].text.startswith("("):
        return None
    depth = 0
    for index, word in enumerate(words):
        if not isinstance(word, pf.Str):
            continue
        for place, sign in enumerate(word.text):
            depth += {"(": 1, ")": -1}.get(sign, 0)
            if depth:
                continue
            inside = [*words[:index], pf.Str(word.text[:place])]
            inside[0] = pf.Str(inside[0].text[1:])
            rest = word.text[place + 1 :]
            words[: index + 1] = [pf.Str(rest)] if rest else []
            return [part for part in inside if not isinstance(part, pf.Str) or part.text]
    return None


def set_kind(draft: Draft, div: pf.Div, kind: Kind) -> None:
    """Give a div the class of `kind` in the place of those that named another."""
    others = [name for name in div.classes if not draft.settings.kind_of(name) and name != "statement"]
    div.classes = [kind.name, *others]


def kind_called(draft: Draft, label: str, base: Kind, keep_number: bool = False) -> Kind:
    """A kind of its own for a statement whose label is `label` instead of a kind's name, set as `base`.

    It has no number unless it is to `keep_number`, that of `base`'s counter. It is what LaTeX authors declare with
    `\\newtheorem*{KL}{Klein's Lemma}`.
    """
    slug = re.sub(r"[^\w]+", "-", label.replace("’", "").replace("'", "").lower()).strip("-") or base.name
    name, count = slug, 1
    while (known := draft.settings.kind_of(name)) and known.singular != label:
        count += 1
        name = f"{slug}-{count}"
    kind = known or replace(base, name=name, prefix=name, aliases=(), singular=label, plural=label)
    if not known and not keep_number:
        kind = replace(kind, numbered=False, counter=name, within=None)
    add_kinds(draft, kind)
    return kind


def add_kinds(draft: Draft, *kinds: Kind) -> None:
    """Add kinds to the note's settings, or change those of the same name."""
    draft.settings = replace(draft.settings, kinds={**draft.settings.kinds, **{kind.name: kind for kind in kinds}})
