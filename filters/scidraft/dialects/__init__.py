"""The pass that rewrites other spellings to ours, so that the later passes know one syntax.

Raw LaTeX statements become divs and bare LaTeX displays formulas; titles in attributes become the heading that may begin a
statement; captioned Mermaid blocks become figures.
"""

from __future__ import annotations

import panflute as pf

from scidraft.catalogue import Kind
from scidraft.dialects import latex
from scidraft.dialects.titles import Attributes
from scidraft.document import walk
from scidraft.draft import Draft
from scidraft.settings import Settings


def run(draft: Draft) -> None:
    """Rewrite the document to the canonical syntax of statements, displays and figures."""
    latex.run(draft)
    attributes = Attributes(latex.definitions(draft))
    for place in walk(draft.doc):
        element = place.element
        if isinstance(element, pf.Div) and kind_of(element, draft.settings):
            attributes.take_title(element)
        elif isinstance(element, pf.CodeBlock) and "mermaid" in element.classes:
            attributes.take_caption(place)
    attributes.read(draft)


def kind_of(div: pf.Div, settings: Settings) -> Kind | None:
    """The kind of statement a div is: its first class that names one, else what its id's prefix says; None for no statement."""
    for name in div.classes:
        kind = settings.kind_of(name)
        if kind:
            return kind
    return settings.kind_of_id(div.identifier)
