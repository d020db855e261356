"""Reads numbers back from what was written: from the elements of a web page, and from LaTeX's .aux file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
_CAPTIONED = {"figure", "table", "listing"}
_NUMBERS = ("statement-number", "equation-number", "header-section-number", "caption-label")
#: A number when it is not known which: "1.2", "A.1".
_TAG = re.compile(r"\\tag(\*?)\{((?:[^{}]|\{[^{}]*\})*)\}")
SOME_NUMBER = re.compile(r"(?:[^\W\d_]+\.)*\d+(?:\.\w+)*")


def shown(text: str, wanted: str) -> str | None:
    """The number that a label such as "Figure 1.2." shows: `wanted` if that is it, else what looks like one, or None."""
    if re.search(rf"(?<![0-9A-Za-z.]){re.escape(wanted)}(?![0-9A-Za-z]|\.[0-9A-Za-z])", text):
        return wanted
    match = SOME_NUMBER.search(text)
    return match[0] if match else next(iter(text.split()), None)


# The web page


def numbers_of_page(page: str) -> dict[str, list[str]]:
    """What a reader of the page sees, by id: the number of a statement or heading, the label of a caption ("Figure 1.2."), the
    numbers of a display, "(3)", one for each line that has one. Numbers that are still TeX, for MathJax to draw, count too.
    """
    reader = _Page()
    reader.feed(page)
    reader.close()
    return reader.numbers


def absent_from_page(page: str) -> set[str]:
    """The ids of what the page does not show, as a variant of a note has it: an empty span stands there and has no number."""
    return set(re.findall(r'<span\s+id="([^"]+)"></span>', page)) - numbers_of_page(page).keys()


@dataclass
class _Open:
    """An element that is open, the ids that stand for it, and the numbers found in it so far."""

    tag: str
    classes: list[str]
    identifiers: list[str]
    numbers: list[str] = field(default_factory=list)

    def owns(self, number: str) -> bool:
        """Whether it is what numbers of this class belong to."""
        if number == "statement-number":
            return "statement" in self.classes
        if number == "equation-number":
            return "equation" in self.classes
        if number == "header-section-number":
            return self.tag in _HEADINGS
        return bool(self.identifiers and _CAPTIONED & {self.tag, *self.classes})


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.numbers: dict[str, list[str]] = {}
        self.open: list[_Open] = []
        self.formula = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _VOID:
            return
        values = dict(attrs)
        classes = (values.get("class") or "").split()
        own = [values["id"]] if values.get("id") else []
        # The labels of the lines of a display are empty spans in it.
        display = next((element for element in reversed(self.open) if "equation" in element.classes), None)
        if display is not None:
            display.identifiers += [identifier for identifier in own if identifier]
        self.open.append(_Open(tag, classes, [identifier for identifier in own if identifier]))
        number = next((name for name in _NUMBERS if name in classes), None)
        owner = next((element for element in reversed(self.open[:-1]) if number and element.owns(number)), None)
        if owner is not None:
            owner.numbers.append("")
            self.open[-1].numbers = owner.numbers

    def handle_endtag(self, tag: str) -> None:
        if not any(element.tag == tag for element in self.open):
            return
        while self.open:
            element = self.open.pop()
            if element.tag in _HEADINGS and not element.identifiers and self.open and self.open[-1].tag == "section":
                # The id of a heading with attributes moves to the section.
                self.open[-1].numbers = self.open[-1].numbers or element.numbers
            if {"math", "display"} <= set(element.classes):
                display = next((outer for outer in reversed(self.open) if "equation" in outer.classes), None)
                if display is not None:
                    display.numbers += [tag if star else f"({tag})" for star, tag in _TAG.findall(self.formula)]
                self.formula = ""
            if element.numbers and not set(_NUMBERS) & set(element.classes):
                for identifier in element.identifiers:
                    self.numbers.setdefault(identifier, element.numbers)
            if element.tag == tag:
                return

    def handle_data(self, data: str) -> None:
        number = next((element for element in reversed(self.open) if set(_NUMBERS) & set(element.classes)), None)
        if number is not None and number.numbers:
            number.numbers[-1] += data
        elif any("display" in element.classes for element in self.open):
            self.formula += data


# LaTeX's own file


@dataclass(frozen=True)
class Label:
    """What LaTeX knows of a label: its number, and the name of the place it leads to in the PDF ("" without hyperref)."""

    number: str
    anchor: str


def labels_of_aux(aux: str) -> dict[str, Label]:
    r"""The labels of an .aux file by key, from `\newlabel{key}{{number}{page}{title}{anchor}{}}`."""
    labels = {}
    for match in re.finditer(r"^\\newlabel\{(?P<key>[^{}]*)\}\{", aux, re.MULTILINE):
        groups = list(_groups(aux, match.end()))
        if groups:
            labels[match["key"]] = Label(_plain(groups[0]), groups[3] if len(groups) > 3 else "")
    return labels


def _groups(text: str, start: int) -> Iterator[str]:
    """The contents of the braces that follow each other from `start` on."""
    while text[start : start + 1] == "{":
        depth, end = 1, start + 1
        while depth and end < len(text):
            depth += {"{": 1, "}": -1}.get(text[end], 0) if text[end - 1] != "\\" else 0
            end += 1
        yield text[start + 1 : end - 1]
        start = end


def _plain(tex: str) -> str:
    """A number without the braces and commands LaTeX may have put round it."""
    tex = re.sub(r"\\\(|\\\)", "$", tex)
    return re.sub(r"\\ignorespaces\s*|\\(?=[&_%#$])|[{}]|(?<=[A-Za-z]) (?=\$)", "", tex).strip()
