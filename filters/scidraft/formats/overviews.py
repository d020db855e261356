"""Sets lists of statements and indexes of terms; the formats say how a thing is mentioned and whether there are pages."""

from __future__ import annotations

from typing import Protocol

import panflute as pf

from scidraft.catalogue import Statement
from scidraft.document import inlines
from scidraft.formats.titles import title_of
from scidraft.referring import Line, Mention, Overview
from scidraft.wording import Wordings


class Mentioning(Protocol):
    """What the lists need of a format."""

    pages: bool
    wordings: Wordings

    def mention(self, mention: Mention) -> list[pf.Element]:
        """The inlines of one mention."""


def set_as_list(form: Mentioning, overview: Overview) -> None:
    """A list of links; on paper with page numbers, which the style sheet puts where they belong."""
    items = []
    for line in overview.lines:
        words = _words(form, line)
        if form.pages and not line.see:
            words += [*([] if isinstance(line.target, Statement) else inlines(", ")), *_pages(form, line)]
        items.append(pf.ListItem(pf.Plain(*words)))
    overview.element.content.list.append(pf.BulletList(*items))


def set_as_latex(form: Mentioning, overview: Overview) -> None:
    """A paragraph for each line: leaders and a page number that LaTeX knows, or an index in two columns."""
    blocks = overview.element.content.list
    terms = overview.kind == "index-of-terms"
    blocks.append(_raw("\\begin{indexofterms}" if terms else "\\begin{listofstatements}"))
    for line in overview.lines:
        words = _words(form, line)
        if not terms:
            blocks.append(pf.Para(_tex("\\listline{"), *words, _tex("}{"), *_pages(form, line), _tex("}")))
        else:
            blocks.append(pf.Para(*words, *([] if line.see else [*inlines(", "), *_pages(form, line)])))
    blocks.append(_raw("\\end{indexofterms}" if terms else "\\end{listofstatements}"))


def _words(form: Mentioning, line: Line) -> list[pf.Element]:
    """A line without its pages."""
    target = line.target
    if isinstance(target, Statement):
        wording = form.wordings.of(target.language)
        words = form.mention(Mention(target, wording.name(target.noun)))
        if target.number and target.title:
            marks = wording.get("head")
            words += [*inlines(marks["open"]), *title_of(target), *inlines(marks["close"])]
        return words
    if line.see:
        seen = [inline for word in line.see for inline in (form.mention(word) if isinstance(word, Mention) else [word])]
        return [*title_of(target), *inlines(", "), *seen]
    if form.pages:
        return title_of(target)
    words = form.mention(Mention(target, "", "title"))
    for number, other in enumerate(line.others, 2):
        links = form.mention(Mention(other, "", "title"))
        for link in links:
            if isinstance(link, pf.Link):
                link.content = [pf.Str(str(number))]
        words += [*inlines(", "), *links]
    return words


def _pages(form: Mentioning, line: Line) -> list[pf.Element]:
    pages = [form.mention(Mention(target, "", "page")) for target in (line.target, *line.others)]
    return [inline for index, page in enumerate(pages) for inline in ([*inlines(", "), *page] if index else page)]


def _tex(text: str) -> pf.RawInline:
    return pf.RawInline(text, format="latex")


def _raw(text: str) -> pf.RawBlock:
    return pf.RawBlock(text, format="latex")
