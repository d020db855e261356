"""Prints page numbers of other places without laying a document out again and again.

WeasyPrint lays out all pages with empty numbers, then those again whose numbers have come, until nothing changes. Here the
numbers are in the text before it is laid out: those of the last time, or a guess. Afterwards all are compared with the truth,
and most of the wrong ones put right where they stand, since figures are of one width; only if that would change a line is the
document laid out again.

The one private thing of WeasyPrint here is the box of a laid-out page, with the text in it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import unquote

_ATTRIBUTE = "data-page"
#: How style sheets ask for the page of a link's target. https://www.w3.org/TR/css-content-3/#target-counter
_ASKED = re.compile(r"target-counter\(\s*attr\(\s*href(?:\s+url)?\s*\)\s*,\s*page\s*\)")
#: Style sheets that count pages otherwise than from 1, or that we do not see.
_COUNTED = re.compile(r"counter-(?:reset|set|increment)\s*:[^;}]*\bpage\b|@import\b|<link\b[^>]*stylesheet", re.IGNORECASE)
_STYLE = re.compile(r"<style\b[^>]*>.*?</style>", re.DOTALL | re.IGNORECASE)
_LINK = re.compile(r'<a\b(?=[^>]*?\shref="#([^"]+)")')
_IN_THE_TEXT = re.compile(r'<a\b[^>]*?\sclass="ref page-number"')
_ASKER = re.compile(rf"target-counter|{_ATTRIBUTE}")  # in a computed `content`
_FIGURES = re.compile(r"[0-9]+")
_TAG = re.compile(r"<[^>]*>")
_ID = re.compile(r'\sid="([^"]+)"')
_MOST = 4  # layouts, before WeasyPrint has to find the numbers itself

_LETTERS_OF_A_PAGE = 2300  # of the article; what tags take of it:
_WEIGHTS = (("<img", 6), ("<svg", 6), ("<p>", 45), ("<h", 90), ("<li", 45), ('<span class="math display', 180))


class Unsettled(Exception):
    """A document whose page numbers we cannot find."""


def asks(page: str) -> bool:
    """Whether a page of HTML has page numbers of other places, all of which can be found here."""
    return bool(_ASKED.search(page)) and bool(_LINK.search(page)) and not _COUNTED.search(page)


def settle(page: str, lay_out: Callable[[str], Any], seeds: Mapping[str, int]) -> tuple[Any, dict[str, int]]:
    """The document that `lay_out` (HTML to a weasyprint.Document) makes of `page` when all page numbers are right.

    `seeds` are page numbers by id, as far as they are known. Also the numbers as they are. Raises Unsettled.
    """
    wanted = {_target(link) for link in _LINK.finditer(page)}
    # Where only lists ask, at the beginning, WeasyPrint itself lays few pages out again, which is better than a guess.
    document = None if seeds or _IN_THE_TEXT.search(page) else lay_out(page)
    numbers = {**_guess(page), **seeds}
    page = _STYLE.sub(lambda style: _ASKED.sub(f"attr({_ATTRIBUTE})", style[0]), page)
    for _ in range(_MOST):
        if document is None:
            document = lay_out(_LINK.sub(lambda link, now=numbers: _numbered(link, now), page))  # type: ignore[misc]
        found = _found(document)
        if not wanted <= found.keys():
            raise Unsettled("a link leads nowhere")
        if _mend(document, found):
            return document, {name: found[name] for name in sorted(wanted)}
        document, numbers = None, found
    raise Unsettled("the page numbers do not come to rest")


def _target(link: re.Match[str]) -> str:
    return unquote(html.unescape(link[1]))


def _numbered(link: re.Match[str], numbers: Mapping[str, int]) -> str:
    number = numbers.get(_target(link))
    return link[0] if number is None else f'{link[0]} {_ATTRIBUTE}="{number}"'


def _found(document: Any) -> dict[str, int]:
    """The page of each id: the first, if what has it goes over several."""
    found: dict[str, int] = {}
    for number, page in enumerate(document.pages, 1):
        for name in page.anchors:
            found.setdefault(name, number)
    return found


def _guess(page: str) -> dict[str, int]:
    """The page of each id as the length of the text before it tells; what matters is how many figures it has."""
    numbers: dict[str, int] = {}
    letters = 0
    last = max(page.find("<body"), 0)
    for tag in _TAG.finditer(page, last):
        letters += tag.start() - last
        last = tag.end()
        letters += next((weight for opening, weight in _WEIGHTS if tag[0].startswith(opening)), 0)
        identifier = _ID.search(tag[0])
        if identifier:
            numbers.setdefault(html.unescape(identifier[1]), 1 + letters // _LETTERS_OF_A_PAGE)
    return numbers


def _mend(document: Any, found: Mapping[str, int]) -> bool:
    """Put wrong page numbers right in the laid-out pages. False if a line would change: then nothing is worth keeping."""
    return all(_mend_page(page._page_box, found) for page in document.pages)


def _mend_page(page: Any, found: Mapping[str, int]) -> bool:
    for box in page.descendants(placeholders=True):
        # The number is in what a pseudo-element adds to a link.
        if not str(box.element_tag).startswith("a::") or not _ASKER.search(repr(box.style["content"])):
            continue
        number = found.get(unquote(box.element.get("href", "")[1:]))
        for words in box.descendants():
            text, times = _FIGURES.subn(str(number), getattr(words, "text", ""))
            if number is not None and times == 1 and text != words.text and not _replace(words, text):
                return False
    return True


def _replace(box: Any, text: str) -> bool:
    """Give a text box another text, if it is as wide as the one it has."""
    from weasyprint.text.line_break import line_size

    layout = box.pango_layout
    layout.reactivate(box.style)
    before = _width(layout, line_size)
    layout.set_text(text)
    after = _width(layout, line_size)
    layout.deactivate()
    box.text = text
    return before == after


def _width(layout: Any, line_size: Callable[..., tuple[float, float]]) -> float:
    line, _ = layout.get_first_line()
    return line_size(line, layout.style)[0]
