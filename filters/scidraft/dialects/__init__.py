"""The pass that rewrites other spellings to ours, so that the later passes know one syntax.

Statements of other tools become divs, bare LaTeX displays formulas, and references citations or links that say how to refer;
titles in attributes become the heading that may begin a statement; captioned code and
Mermaid blocks become figures.
"""

from __future__ import annotations

import panflute as pf

from scidraft.dialects import (
    amsthm,
    bookdown,
    definition_lists,
    figures,
    latex,
    myst,
    pandoc_latex,
    paragraphs,
    references,
    statement,
    subequations,
)
from scidraft.dialects.blocks import kind_of
from scidraft.dialects.heads import Heads
from scidraft.dialects.titles import Attributes
from scidraft.document import walk
from scidraft.draft import Draft

__all__ = ["kind_of", "run"]


def run(draft: Draft) -> None:
    """Rewrite the document to the canonical syntax of statements, displays, figures and references."""
    on = draft.settings.dialects
    marked = "statement" in on and statement.is_marked(draft)
    subequations.run(draft)
    latex.run(draft)
    for place in walk(draft.doc) if {"bookdown", "myst"} & on else ():
        element = place.element
        if "bookdown" in on:
            if isinstance(element, (pf.Math, pf.RawBlock, pf.RawInline)):
                bookdown.equation(element)
            elif isinstance(element, (pf.Figure, pf.Table)):
                bookdown.caption(element)
            elif isinstance(element, pf.Para):
                bookdown.chunk(draft, place)
            elif isinstance(element, pf.CodeBlock):
                bookdown.block_chunk(draft, place)
        if "myst" in on and isinstance(element, pf.Div):
            myst.directive(draft, element)
    if "pandoc-latex" in on:
        pandoc_latex.run(draft)
    heads = Heads(draft.settings)
    if "definition-lists" in on:
        definition_lists.run(draft, heads, marked)
    if "statement" in on:
        paragraphs.run(draft, heads)
        statement.run(draft, heads)
    if "amsthm" in on:
        amsthm.run(draft)
    attributes = Attributes(latex.definitions(draft), on)
    for place in walk(draft.doc):
        element = place.element
        if isinstance(element, pf.Div) and kind_of(element, draft.settings):
            attributes.take_title(element)
        elif isinstance(element, pf.Div):
            figures.gather(place)
        elif isinstance(element, pf.CodeBlock):
            attributes.take_caption(place)
    attributes.read(draft)
    references.run(draft, heads, "statement" if marked else "amsthm" if "amsthm" in on and amsthm.is_marked(draft) else None)
