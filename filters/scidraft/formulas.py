"""Finds a note's formulas with the macros that hold at each, and takes out those that use what TeX's own commands define."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import panflute as pf

from scidraft import messages
from scidraft.document import Place, plain_text, replace, walk
from scidraft.draft import Draft
from scidraft.macros import Macro, Macros, read_definitions, read_primitives, repair_operators, used_macros

_LONGEST_SHOWN = 1000  # characters of the source of a formula that cannot be set


def shown(source: str) -> str:
    """The source of a formula that cannot be set, as it is printed."""
    return source if len(source) <= _LONGEST_SHOWN else source[:_LONGEST_SHOWN] + " …"


def show_source(place: Place) -> None:
    """Put a formula's source in its place."""
    replace(place, pf.Code(shown(place.element.text)))


def formulas(draft: Draft, refuse: Callable[[Place], None], *, definitions_stay: bool = False) -> Iterator[tuple[Place, Macros]]:
    r"""Each formula with the macros that hold there: the metadata's, and those defined before it in the text.

    A display of nothing but definitions, as pages with MathJax have it, is one of them, and is taken out unless
    `definitions_stay`. What `\def` and `\let` define is no macro: `refuse` puts something else in the place of a formula
    that defines or uses it, which is told once for each name.
    """
    macros: dict[str, Macro] = {}
    primitives: dict[str, tuple[str, str]] = {}

    def learn(text: str, *, authors: bool = True) -> None:
        for name, found in read_primitives(text).items() if authors else ():
            primitives[name] = found
            macros.pop(name, None)
        macros.update({name: macro for name, macro in read_definitions(text)[0].items() if _takes(macro, name, macros)})

    learn(draft.settings.header)
    given = draft.doc.metadata.content.dict.get("header-includes")
    # By now our own declarations are there, too.
    header = {id(inner.element) for inner in walk(given)} if given is not None else set()
    macros.update(draft.settings.macros)
    unseen: set[int] = set()  # formulas in an image's description, which becomes an attribute
    paragraph: Place | None = None
    for place in walk(draft.doc):
        element = place.element
        if isinstance(element, pf.Para):
            paragraph = place
        if isinstance(element, pf.Image):
            unseen.update(id(inner.element) for inner in walk(element) if isinstance(inner.element, pf.Math))
        elif isinstance(element, (pf.RawBlock, pf.RawInline)) and element.format in ("tex", "latex"):
            learn(element.text, authors=id(element) not in header)
        elif isinstance(element, pf.Math) and id(element) not in unseen:
            element.text = repair_operators(element.text, macros)
            defined, rest = read_definitions(element.text)
            if defined and not rest.strip():
                learn(element.text)
                if not definitions_stay:
                    replace(place)
                    if paragraph and not plain_text([paragraph.element]):
                        replace(paragraph)
                continue
            refused = _refused(element.text, macros, primitives)
            for words, instead in refused:
                draft.messages.add(messages.drawings.primitive(words, instead))
            if refused:
                refuse(place)
            else:
                yield place, macros


def _takes(macro: Macro, name: str, macros: Macros) -> bool:
    return not (macro.provided and name in macros)


def _refused(text: str, macros: Macros, primitives: dict[str, tuple[str, str]]) -> list[tuple[str, str]]:
    """The definitions by TeX's own commands that a formula contains or uses, also through a macro."""
    own = read_primitives(text)
    if not (own or primitives):
        return []
    known = {name: macro for name, macro in macros.items() if name not in primitives}
    standing = {name: Macro("") for name in primitives if name not in macros}
    used = used_macros(text, {**known, **standing})
    return [*own.values(), *(primitives[name] for name in used if name in standing and name not in own)]
