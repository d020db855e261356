"""The formulas of LaTeX, which sets them itself: what would stop it is shown as source, and what they need is loaded."""

from __future__ import annotations

from collections.abc import Iterator

import panflute as pf

from scidraft import messages, tex
from scidraft.document import Place, walk
from scidraft.draft import Draft
from scidraft.formats.headers import add_header_include
from scidraft.formulas import formulas, show_source
from scidraft.macros import (
    ExpansionError,
    Macros,
    expand_macros,
    local_definitions,
    read_definitions,
    read_primitives,
    used_macros,
)
from scidraft.mathpackages import header_of, needed


def run(draft: Draft) -> None:
    """Make the formulas of the note ready for LaTeX; the preamble loads the packages that they use."""
    for place, macros in formulas(draft, show_source, definitions_stay=True):
        if _guard(draft, place, macros):
            _define_locally(place, macros)
    macros = dict(draft.settings.macros)
    for place in _raw(draft.doc):
        macros.update(read_definitions(place.element.text)[0])
        if isinstance(place.element, pf.RawInline) and _guard(draft, place, macros):
            _define_locally(place, draft.settings.macros)
    _load(draft, macros)


def _raw(top: pf.Element) -> Iterator[Place]:
    for place in walk(top):
        if isinstance(place.element, (pf.RawBlock, pf.RawInline)) and place.element.format in ("tex", "latex"):
            yield place


def _guard(draft: Draft, place: Place, macros: Macros) -> bool:
    """Print the source of a formula that TeX would end at, and with it the whole PDF; else answer True.

    Such are those that are nested too deeply, or have a macro without end.
    """
    source = place.element.text
    try:
        if tex.depth(source) > tex.DEEPEST:
            raise ExpansionError("the formula is nested too deeply")
        known = {**macros, **read_definitions(source)[0]}
        if used_macros(source, known):
            expand_macros(source, known)
    except ExpansionError as error:
        draft.messages.add(messages.drawings.bad_formula_for_latex(source, str(error)))
        show_source(place)
        return False
    except ValueError:
        pass  # LaTeX tells the line
    return True


def _define_locally(place: Place, macros: Macros) -> None:
    """Let a formula define what it uses; one that does nothing else is a definition for all that follow."""
    defined, rest = read_definitions(place.element.text)
    if defined and rest.strip():
        place.element.text = local_definitions(place.element.text, macros)


def _load(draft: Draft, macros: Macros) -> None:
    header = header_of(draft)
    texts = [place.element.text for place in walk(draft.doc) if isinstance(place.element, pf.Math)]
    texts += [place.element.text for place in _raw(draft.doc)]
    texts += [macro.body for macro in macros.values()]
    own = {*macros, *read_definitions(header)[0], *read_primitives(header)}
    loads = [
        f"\\usepackage{f'[{package.options}]' if package.options else ''}{{{package.name}}}"
        for package in needed(texts, own, header)
    ]
    if loads:
        add_header_include(draft.doc, pf.RawBlock("\n".join(loads), format="latex"))
