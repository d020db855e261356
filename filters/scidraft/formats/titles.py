"""Titles as references show them, and what is said of things in other notes."""

from __future__ import annotations

import copy

import panflute as pf

from scidraft.catalogue import Elsewhere, Section, Target
from scidraft.document import inlines
from scidraft.referring import Mention
from scidraft.wording import NBSP


def around(mention: Mention, number: list[pf.Element]) -> list[pf.Element]:
    """A number with what the language puts round it; spaces there do not break."""
    before, after = (text.replace(" ", NBSP) for text in (mention.before, mention.after))
    return [*([pf.Str(before)] if before else []), *number, *([pf.Str(after)] if after else [])]


def title_of(target: Target) -> list[pf.Element]:
    """A copy of a target's title for use in a reference: without footnotes, which belong to the head alone, and without links."""
    return _for_reference(copy.deepcopy(target.title))


def _for_reference(words: list[pf.Element]) -> list[pf.Element]:
    kept: list[pf.Element] = []
    for word in words:
        if isinstance(word, pf.Note):
            continue
        if isinstance(word, pf.Link) or (isinstance(word, pf.Span) and "dfn" in word.classes):
            kept += _for_reference(word.content.list)
            continue
        if hasattr(word, "_content"):
            word.content = _for_reference(word.content.list)
        kept.append(word)
    return kept


def named_elsewhere(mention: Mention, target: Elsewhere, number: list[pf.Element], *, with_title: bool) -> list[pf.Element]:
    """ "Identity 3" of another note, with its title in brackets or without; what has no number is told by its title.

    `number` is the number as the format sets it.
    """
    title = title_of(target)
    numbered = mention.show != "title" and target.number is not None
    words: list[pf.Element] = inlines(mention.word)
    if numbered:
        words = [*([pf.Str(mention.word + NBSP)] if mention.word else []), *around(mention, number)]
    if not title or (numbered and not (with_title and mention.word and target.name)):
        return words or [pf.Str(target.identifier)]
    if not words:
        return title
    return [*words, pf.Space(), *([pf.Str("("), *title, pf.Str(")")] if target.name else title)]


def title_after(word: str, target: Target) -> list[pf.Element]:
    """The title as it stands after the kind's name `word`: that of a section in quotation marks, as in Section “Results”."""
    title = title_of(target)
    return [pf.Quoted(*title, quote_type="DoubleQuote")] if word and title and isinstance(target, Section) else title
