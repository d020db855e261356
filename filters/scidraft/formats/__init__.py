"""The formats: how statements, references, equations, figures and headings are set for each pandoc writer.

This package is the only place that knows one output from another. A new format is a module with these functions and a line in
`_FORMATS`; writers that are not named there get `plain`, which any of them can print.
"""

from __future__ import annotations

import re
from typing import Protocol

import panflute as pf

from scidraft.catalogue import Equation, Float, Section, Statement, Subequations, Term
from scidraft.draft import Draft
from scidraft.formats import html, jats, latex, markup, plain, printed, slides, typst, word
from scidraft.referring import LatexReference, Mention, Overview
from scidraft.wording import Head, Wordings


class Format(Protocol):
    """What a format does; each function changes the live elements it is given. `pages`: whether references can name a page."""

    pages: bool

    @property
    def links_in_metadata(self) -> bool:
        """Whether links from the title or abstract work."""

    def statement(self, statement: Statement, head: Head) -> None:
        """Set a statement's head, and the mark at its end."""

    def mention(self, mention: Mention) -> list[pf.Element]:
        """The inlines of one mention of a target."""

    def term(self, term: Term) -> None:
        """Set a term where it is defined."""

    def used_in(self, paragraph: pf.Para) -> None:
        """Set what uses a statement."""

    def overview(self, overview: Overview) -> None:
        """Set a list of statements or terms."""

    def latex_reference(self, reference: LatexReference) -> list[pf.Element]:
        """A reference that LaTeX alone can resolve."""

    def equation(self, equation: Equation) -> None:
        """Set a display formula with its numbers and the end mark it may carry."""

    def group(self, group: Subequations) -> None:
        """Set what stands around displays that share a number."""

    def float_(self, entry: Float, name: str) -> None:
        """Set the label of a caption."""

    def section(self, section: Section) -> None:
        """Set the number of a heading."""

    def finish(self) -> None:
        """Do what needs the whole document: preambles, style sheets, notes."""


_FORMATS: dict[str, type[plain.Plain] | type[latex.Latex]] = {
    "print": printed.Printed,
    **dict.fromkeys(("latex", "pdf"), latex.Latex),
    "beamer": slides.Beamer,
    **dict.fromkeys(("html", "html4", "html5", "chunkedhtml", "epub", "epub2", "epub3"), html.Html),
    **dict.fromkeys(("docx", "odt", "opendocument", "icml"), word.Word),
    **dict.fromkeys(("gfm", "commonmark", "commonmark_x", "markdown", "markdown_github", "markdown_mmd"), markup.Markup),
    **dict.fromkeys(("markdown_phpextra", "markdown_strict", "markua", "ipynb"), markup.Markup),
    **dict.fromkeys(("plain", "ansi"), markup.Text),
    **dict.fromkeys(("jats", "jats_archiving", "jats_articleauthoring", "jats_publishing"), jats.Jats),
    "typst": typst.Typst,
    **dict.fromkeys(("revealjs", "slidy", "slideous", "dzslides", "s5"), html.Html),
}


def format_for(draft: Draft, wordings: Wordings) -> Format:
    """The format for a draft's target: a pandoc writer's name (extensions such as "html5+smart" allowed) or "print"."""
    writer = re.split(r"[+-]", draft.target)[0]
    return _FORMATS.get(writer, plain.Plain)(draft, wordings)
