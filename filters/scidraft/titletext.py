"""Titles and headings with formulas as plain text, for what shows no pictures: a window's title, outlines, running heads."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterable

import panflute as pf

from scidraft.document import dump, plain_text, walk
from scidraft.macros import Macros, expand_macros
from scidraft.paths import pandoc

#: Where a heading of a printed page keeps its text; the style sheet reads it.
ATTRIBUTE = "data-title"


def keep(doc: pf.Doc, macros: Macros, plain: Callable[[str, Macros], str], *, headings: bool) -> None:
    """Write the title of a document and, with `headings`, all headings as text beside themselves, where they have formulas.

    `plain` writes out what not everybody knows of a formula.
    pandoc makes the page's title of the note's, and it would leave a picture out.
    """
    title = doc.metadata.content.dict.get("title")
    wanted: list[pf.Element] = [place.element for place in walk(doc) if headings and isinstance(place.element, pf.Header)]
    if isinstance(title, pf.MetaInlines):
        wanted.append(title)
    wanted = [element for element in wanted if any(isinstance(place.element, pf.Math) for place in walk(element))]
    for element, text in zip(wanted, _texts(wanted, macros, plain), strict=True):
        if isinstance(element, pf.Header):
            # The number keeps its distance.
            numbered = any(isinstance(word, pf.Str) and word.text == "\u2003" for word in element.content.list[1:2])
            element.attributes[ATTRIBUTE] = text.replace(" ", "\u2003", 1) if numbered else text
        else:
            doc.metadata.content.dict.setdefault("pagetitle", pf.MetaString(text))
            if headings:
                doc.metadata.content.dict["running-title"] = pf.MetaString(text)


def _texts(elements: Iterable[pf.Element], macros: Macros, plain: Callable[[str, Macros], str]) -> list[str]:
    """The text of each element, with formulas as letters and signs where there are such, else as their TeX."""
    elements = list(elements)
    formulas = [place.element for element in elements for place in walk(element) if isinstance(place.element, pf.Math)]
    sources = [formula.text for formula in formulas]
    for formula, text in zip(
        formulas, _as_letters([_expanded(source, macros, plain) for source in sources], sources), strict=True
    ):
        formula.text = text
    texts = [plain_text(element.content.list) for element in elements]
    for formula, source in zip(formulas, sources, strict=True):
        formula.text = source
    return texts


def _as_letters(formulas: list[str], sources: list[str]) -> list[str]:
    """What pandoc's writer for plain text makes of formulas; what it cannot say stays as it was in the sources."""
    if not formulas:
        return []
    document = dump(pf.Doc(*[pf.Para(pf.Math(formula, format="InlineMath")) for formula in formulas]))
    command = [pandoc(), "-f", "json", "-t", "plain", "--wrap=none", "--quiet"]
    made = subprocess.run(command, input=document.encode(), capture_output=True, check=False).stdout.decode()
    lines = [" ".join(line.split()) for line in re.split(r"\n\n+", made.strip("\n"))]
    if len(lines) != len(formulas):
        return sources
    return [source if not line or line.startswith("$") else line for source, line in zip(sources, lines, strict=True)]


def _expanded(formula: str, macros: Macros, plain: Callable[[str, Macros], str]) -> str:
    try:
        return expand_macros(plain(formula, macros), macros)
    except ValueError:
        return formula  # the maths pass tells of it
