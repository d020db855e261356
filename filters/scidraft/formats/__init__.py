"""The formats: how statements, references, equations, figures and headings are set for each pandoc writer.

This package is the only place that knows one output from another. A new format is a module with these functions and a line in
`_FORMATS`; writers that are not named there get `plain`, which any of them can print.
"""

from __future__ import annotations

from typing import Protocol

import panflute as pf

from scidraft.catalogue import Equation, Float, Mention, Reference, Section, Statement
from scidraft.draft import Draft
from scidraft.formats import html, latex, plain, printed
from scidraft.wording import Head


class Format(Protocol):
    """What a format does; each function changes the live elements it is given. `pages`: whether references can name a page."""

    pages: bool

    def statement(self, statement: Statement, head: Head, draft: Draft) -> None:
        """Set a statement's head, and the mark at its end."""

    def mention(self, mention: Mention, reference: Reference | None) -> list[pf.Element]:
        """The inlines of one mention of a target."""

    def equation(self, equation: Equation, draft: Draft) -> None:
        """Set a display formula with its numbers and the end mark it may carry."""

    def float_(self, entry: Float, label: str) -> None:
        """Set the label of a caption."""

    def section(self, section: Section, draft: Draft) -> None:
        """Set the number of a heading."""

    def finish(self, draft: Draft) -> None:
        """Do what needs the whole document: preambles, style sheets, notes."""


_HTML = html.Html()
_LATEX = latex.Latex()
_FORMATS: dict[str, Format] = {
    "print": printed.Printed(),
    "latex": _LATEX,
    "beamer": _LATEX,
    "pdf": _LATEX,
    **dict.fromkeys(("html", "html4", "html5", "chunkedhtml", "epub", "epub2", "epub3"), _HTML),
    **dict.fromkeys(("revealjs", "slidy", "slideous", "dzslides", "s5"), _HTML),
}
_PLAIN = plain.Plain()


def format_for(target: str) -> Format:
    """The format for a pandoc writer's name (extensions such as "html5+smart" allowed) or for "print"."""
    for sign in "+-":
        target = target.partition(sign)[0]
    return _FORMATS.get(target, _PLAIN)
