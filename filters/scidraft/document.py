"""What scidraft needs of a pandoc tree that panflute lacks: one pre-order walk, replacing, plain text, reading Markdown.

panflute's own ``walk`` visits children first and rebuilds every list, so a lemma inside a theorem would come before it;
here the live Python lists behind panflute's containers are used directly.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import panflute as pf
from panflute.containers import DictContainer, ListContainer

from scidraft.paths import pandoc


class _Every(frozenset[str]):
    """A set that everything is in."""

    def __contains__(self, item: object) -> bool:
        return True


# panflute refuses raw text for writers it does not know, such as "typst"; what pandoc has read, pandoc can write.
pf.elements.RAW_FORMATS = _Every()

#: Separates the pieces of one `read_markdown` call; long enough that no author writes it.
_SEPARATOR = "scidraft-piece-ends-here"


class Place(NamedTuple):
    """Where an element stands: the element, the live list that holds it, and the element that owns the list."""

    element: pf.Element
    siblings: list[pf.Element]
    parent: pf.Element | None


def _child_lists(element: pf.Element) -> Iterator[list[pf.Element]]:
    for name in element._children:
        value = getattr(element, name)
        if isinstance(value, ListContainer):
            yield value.list
        elif isinstance(value, DictContainer):
            yield list(value.dict.values())
        elif value is not None:
            yield [value]


def walk(root: pf.Element) -> Iterator[Place]:
    """Yield every element below `root` in reading order, parents before their children.

    Metadata, captions, table cells, notes and the prefixes and suffixes of citations are included. The lists are read as the
    walk comes to them, so an element may be changed or replaced when it is yielded; its own (new) children follow.
    """
    stack: list[Iterator[Place]] = [_places(root)]
    while stack:
        place = next(stack[-1], None)
        if place is None:
            stack.pop()
            continue
        yield place
        if place.element._children:
            stack.append(_places(place.element))


def _places(owner: pf.Element) -> Iterator[Place]:
    for siblings in _child_lists(owner):
        for element in tuple(siblings):
            yield Place(element, siblings, owner)


def replace(place: Place, *new: pf.Element) -> None:
    """Put the elements `new` where `place.element` stands.

    Raises ValueError when the element has left its list since the walk.
    """
    for index, element in enumerate(place.siblings):
        if element is place.element:
            place.siblings[index : index + 1] = new
            return
    raise ValueError(f"{type(place.element).__name__} is no longer where the walk found it")


_LABEL_AFTER = re.compile(r"\{#(?P<id>[^\s{}]+)\}(?P<rest>.*)", re.DOTALL)


def take_label_after(place: Place) -> str:
    """Take the `{#eq-x}` that follows a display out of the text and return its id."""
    siblings = place.siblings
    start = next(i for i, element in enumerate(siblings) if element is place.element) + 1
    index = start
    while index < len(siblings) and isinstance(siblings[index], (pf.Space, pf.SoftBreak)):
        index += 1
    word = siblings[index] if index < len(siblings) else None
    match = _LABEL_AFTER.fullmatch(word.text) if isinstance(word, pf.Str) else None
    if not match:
        return ""
    siblings[start : index + 1] = [pf.Str(match["rest"])] if match["rest"] else []
    return match["id"]


def inlines(text: str) -> list[pf.Element]:
    """The words of `text` as pandoc has them: Str and Space. No-break spaces stay inside their Str."""
    result: list[pf.Element] = []
    for index, word in enumerate(text.split(" ")):
        if index:
            result.append(pf.Space())
        if word:
            result.append(pf.Str(word))
    return result


def plain_text(elements: Iterable[pf.Element]) -> str:
    """The text of some elements, formulas as their TeX, without the content of footnotes."""
    return " ".join("".join(_text(elements)).split())


def _text(elements: Iterable[pf.Element]) -> Iterator[str]:
    for element in elements:
        if isinstance(element, (pf.Str, pf.Code, pf.Math, pf.CodeBlock)):
            yield element.text
        elif isinstance(element, (pf.Space, pf.SoftBreak, pf.LineBreak)):
            yield " "
        elif isinstance(element, pf.Note):
            continue
        elif isinstance(element, pf.Quoted):
            marks = "“”" if element.quote_type == "DoubleQuote" else "‘’"
            yield marks[0]
            yield from _text(element.content.list)
            yield marks[1]
        else:
            # A Cite's text is its content; its citations would give the same words twice.
            lists = [element.content.list] if isinstance(element, pf.Cite) else list(_child_lists(element))
            for children in lists:
                yield from _text(children)
            if isinstance(element, pf.Block):
                yield " "


def first_words(elements: Iterable[pf.Element], count: int = 6) -> str:
    """The first `count` words of some elements, for messages, with an ellipsis where there are more."""
    words = plain_text(elements).split()
    return " ".join(words[:count]) + (" …" if len(words) > count else "")


def read_markup(pieces: Sequence[str], reader: str = "markdown") -> list[list[pf.Element]]:
    """Read several texts with one pandoc process and return the blocks of each.

    `reader` is pandoc's name of the format. Pieces keep apart: an unclosed fence in one cannot swallow the next.
    Raises `RuntimeError` with pandoc's own words when it refuses the text.
    """
    if not pieces:
        return []
    texts = [f"\n\n{_SEPARATOR}\n\n".join(pieces)]
    blocks = _run_pandoc(texts[0], reader)
    groups: list[list[pf.Element]] = [[]]
    for block in blocks:
        if isinstance(block, pf.Para) and plain_text([block]) == _SEPARATOR:
            groups.append([])
        else:
            groups[-1].append(block)
    if len(groups) == len(pieces):
        return groups
    return [_run_pandoc(piece, reader) for piece in pieces]


def _run_pandoc(text: str, reader: str) -> list[pf.Element]:
    result = subprocess.run([pandoc(), "-f", reader, "-t", "json"], input=text.encode(), capture_output=True, check=False)
    if result.returncode:
        raise RuntimeError(result.stderr.decode(errors="replace").strip())
    blocks: list[pf.Element] = load(result.stdout).content.list
    return blocks


@contextmanager
def deep_trees() -> Iterator[None]:
    """Lets Python follow trees as deep as pandoc's reader makes them: its own limit ends at some 200 nested divs."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, 20_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def load(source: bytes | str, target: str = "html") -> pf.Doc:
    """Read pandoc's JSON into a panflute document meant for the pandoc writer `target`."""
    with deep_trees():
        doc = json.loads(source, object_hook=pf.elements.from_json)
    if not isinstance(doc, pf.Doc):
        raise ValueError("this is not a pandoc document in JSON")
    doc.format = target
    return doc


def dump(doc: pf.Doc) -> str:
    """Write a panflute document as the JSON pandoc reads."""
    stream = io.StringIO()
    with deep_trees():
        pf.dump(doc, stream)
    return stream.getvalue()


def meta_value(value: Any) -> Any:
    """A metadata value as plain Python: maps, lists, booleans and the author's own text.

    pandoc reads metadata strings as Markdown, so `\\mathbb{R}` has become raw TeX and `x_1_` a subscript; the text is put
    together again as it was written, as far as the tree still tells.
    """
    if isinstance(value, pf.MetaMap):
        return {key: meta_value(item) for key, item in value.content.dict.items()}
    if isinstance(value, pf.MetaList):
        return [meta_value(item) for item in value.content.list]
    if isinstance(value, pf.MetaBool):
        return value.boolean
    if isinstance(value, pf.MetaString):
        return value.text
    if isinstance(value, (pf.MetaInlines, pf.MetaBlocks)):
        return "".join(_source(value.content.list)).strip()
    return value


def _source(elements: Iterable[pf.Element]) -> Iterator[str]:
    marks = {pf.Emph: ("*", "*"), pf.Strong: ("**", "**"), pf.Subscript: ("~", "~"), pf.Superscript: ("^", "^")}
    for element in elements:
        if isinstance(element, (pf.RawInline, pf.RawBlock, pf.Str, pf.Code)):
            yield element.text
        elif isinstance(element, pf.Math):
            fence = "$$" if element.format == "DisplayMath" else "$"
            yield f"{fence}{element.text}{fence}"
        elif isinstance(element, (pf.Space, pf.SoftBreak, pf.LineBreak)):
            yield " "
        elif isinstance(element, pf.Quoted):
            mark = '"' if element.quote_type == "DoubleQuote" else "'"
            yield mark + "".join(_source(element.content.list)) + mark
        else:
            before, after = marks.get(type(element), ("", ""))
            yield before
            for children in _child_lists(element):
                yield from _source(children)
            yield after
            if isinstance(element, pf.Block):
                yield "\n"
