"""Notes and asides where the theme wants them: beside the text, or at the foot of the page as ever.

An aside is a div or span with one of `ASIDES`: a remark beside the text, without a number. Where notes have no place beside the
text, one in a line is a footnote and one of blocks stays where it is, in small print.
"""

from __future__ import annotations

from collections.abc import Iterator

import panflute as pf

from scidraft.document import Place, replace, walk
from scidraft.draft import Draft
from scidraft.formats.flat import flat
from scidraft.formats.headers import add_header_include
from scidraft.paths import TEMPLATES

ASIDES = {"aside", "sidenote", "marginnote"}
_BESIDE = "sidenote"
_CALL = "sidenote-call"
_MARK = "sidenote-mark"


def place_asides(doc: pf.Doc) -> None:
    """Make footnotes of the asides in lines, for a theme without a margin for them; those of blocks get one class."""
    for place in walk(doc):
        element = place.element
        if _is_aside(element, pf.Span):
            _footnote(place)
        elif _is_aside(element, pf.Div):
            element.classes = ["aside", *(name for name in element.classes if name not in ASIDES)]


def beside_in_html(doc: pf.Doc) -> None:
    """Put notes and asides into spans and divs that the style sheet sets beside the text, and count the notes.

    May be called again after citeproc has made more notes.
    """
    for place in walk(doc):
        element = place.element
        if isinstance(element, pf.Note):
            mark = pf.Span(pf.Str(""), classes=[_MARK])
            note = pf.Span(mark, *flat(element.content.list), classes=[_BESIDE], attributes={"role": "note"})
            replace(place, pf.Span(pf.Str(""), classes=[_CALL]), note)
        elif _is_aside(element, pf.Span, pf.Div) and element.attributes.get("role") != "note":
            element.classes = [_BESIDE, *(name for name in element.classes if name not in ASIDES)]
            element.attributes["role"] = "note"
    count = 0
    for place in _as_read(doc):
        classes = getattr(place.element, "classes", ())
        if _CALL in classes or _MARK in classes:
            count += _CALL in classes
            place.element.content = [pf.Str(str(count))]


def beside_in_latex(doc: pf.Doc) -> None:
    """Write notes and asides as the commands of templates/themes/handout.tex."""
    floats = [place.element for place in walk(doc) if isinstance(place.element, (pf.Table, pf.Figure))]
    # Those have no margin, and pandoc knows how to bring a note out of them.
    at_foot = {id(place.element) for float_ in floats for place in walk(float_)}
    for place in walk(doc):
        element = place.element
        if id(element) in at_foot:
            if _is_aside(element, pf.Span):
                _footnote(place)
        elif isinstance(element, pf.Note):
            replace(place, _tex("\\notebeside{"), *flat(element.content.list), _tex("}"))
        elif _is_aside(element, pf.Span):
            replace(place, _tex("\\asidebeside{"), *element.content.list, _tex("}"))
        elif _is_aside(element, pf.Div):
            begin, end = (pf.RawBlock(f"\\{word}{{blockbeside}}", format="latex") for word in ("begin", "end"))
            replace(place, begin, *element.content.list, end)


def small_in_latex(doc: pf.Doc) -> None:
    """Set the asides that stay among the paragraphs in small print."""
    for place in walk(doc):
        element = place.element
        if _is_aside(element, pf.Div):
            begin = pf.RawBlock("\\begin{quotation}\\small\\noindent\\ignorespaces", format="latex")
            replace(place, begin, *element.content.list, pf.RawBlock("\\end{quotation}", format="latex"))


def add_theme(draft: Draft, ending: str) -> None:
    """Bring the rules of the theme for an output: those of the file with this ending, such as "web.css", where there is one."""
    path = TEMPLATES / "themes" / f"{draft.settings.theme.name}.{ending}"
    if path.exists():
        text = path.read_text(encoding="utf-8").strip()
        if ending.endswith("css"):
            add_header_include(draft.doc, pf.RawBlock(f"<style>\n{text}\n</style>", format="html"))
        else:
            add_header_include(draft.doc, pf.RawBlock(text, format="latex"))


def _as_read(doc: pf.Doc) -> Iterator[Place]:
    """All places; a table's caption comes before its cells."""
    captions: set[int] = set()
    for place in walk(doc):
        if isinstance(place.element, pf.Table) and place.element.caption is not None:
            for inner in walk(place.element.caption):
                captions.add(id(inner.element))
                yield inner
        if id(place.element) not in captions:
            yield place


def _is_aside(element: pf.Element, *kinds: type) -> bool:
    """Whether an element is an aside; a statement may have such a name, too."""
    classes = {*getattr(element, "classes", ())}
    return isinstance(element, kinds) and bool(ASIDES & classes) and "statement" not in classes


def _footnote(place: Place) -> None:
    """Make a footnote of an aside; its mark follows the word before, as a note's does."""
    siblings = place.siblings
    at = next(index for index, element in enumerate(siblings) if element is place.element)
    siblings[at] = pf.Note(pf.Para(*place.element.content.list))
    if at and isinstance(siblings[at - 1], (pf.Space, pf.SoftBreak)):
        del siblings[at - 1]


def _tex(text: str) -> pf.RawInline:
    return pf.RawInline(text, format="latex")
