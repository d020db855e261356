"""Chooses the kind of structure element for each element of a printed page: ISO 32000-1, 14.8.4, has the kinds."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from scidraft.printing.formulas import MARK

_SVG = "{http://www.w3.org/2000/svg}"

#: Elements of HTML whose kind depends on nothing else; those that are in no table add nothing but what is in them.
_BY_NAME = {
    **{"p": "P", "section": "Sect", "nav": "Sect", "article": "Art", "blockquote": "BlockQuote", "q": "Quote", "code": "Code"},
    **{"pre": "P", "table": "Table", "caption": "Caption", "figcaption": "Caption", "figure": "Div", "a": "Link"},
    **{"tr": "TR", "thead": "THead", "tbody": "TBody", "tfoot": "TFoot", "th": "TH", "td": "TD", "div": "Div"},
}
_BY_CLASS = {
    "line-block": "P",
    "equation-number": "Lbl",
    "references": "L",
    "table": "",
    "csl-right-inline": "",
    "sidenote-call": "Reference",
    "sidenote-mark": "Lbl",
}
#: These hold paragraphs, no text.
_GROUPING = frozenset(("Document", "Part", "Art", "Sect", "Div", "BlockQuote"))
_IN_A_LINE = frozenset(("Span", "Quote", "Code", "Link", "Reference", "Formula"))
#: A note is not to be read in the middle of one of these: it follows.
_WHOLE = _IN_A_LINE | {"P", "H", "Caption", "Lbl"}
_KEPT = frozenset(("Table", "TR", "TH", "TD"))  # also when nothing is in them
_LIST_NUMBERING = {"1": "Decimal", "a": "LowerAlpha", "A": "UpperAlpha", "i": "LowerRoman", "I": "UpperRoman"}


@dataclass(eq=False)
class Node:
    """A structure element. `kids` are others, and what is drawn: a page, and the number of the content on it.

    `alt` is read in the place of a picture, `instead` in the place of what is drawn.
    """

    role: str
    parent: Node | None = None
    kids: list[Node | tuple[int, int]] = field(default_factory=list)
    annotations: list[tuple[int, Any]] = field(default_factory=list)
    attributes: dict[str, Any] = field(default_factory=dict)
    alt: str = ""
    instead: str = ""
    language: str = ""
    title: str = ""
    identifier: str = ""
    #: Of a heading: its level in HTML; 0 for the head of a statement.
    level: int = 0
    #: The box of a picture.
    box: Any = None
    #: A statement, a table of contents, a paragraph that no element stands for.
    is_statement: bool = False
    is_contents: bool = False
    is_made_up: bool = False

    def around(self) -> Iterator[Node]:
        """The element and all that it is in, from the inside."""
        node: Node | None = self
        while node is not None:
            yield node
            node = node.parent


class Roles:
    """Finds and makes the elements of one document, the same for all boxes that come of one element of its HTML."""

    def __init__(self, pages: list[Any]) -> None:
        """`pages` are the boxes of the pages."""
        self.top = Node("Document")
        self.known: dict[tuple[Any, str], Node | None] = {}
        self.items: dict[Any, Node] = {}
        self.notes = 0
        self.repeated: dict[Any, int] = {}
        self.formulas: set[Any] = set()
        html = next((child.element for page in pages[:1] for child in page.children if child.element is not None), None)
        for element in html.iter() if html is not None else ():
            if isinstance(element.tag, str) and "math" in element.get("class", "").split():
                self.formulas.update((element, *element))

    def node(self, box: Any, parent: Node, page: int) -> Node | None:
        """The element that a box is of, `parent` if it adds none to that; None if it is not to be read out."""
        element, tag = box.element, box.element_tag
        if getattr(box, "is_leader", False):
            return None
        if element is None or tag in ("html", "body"):
            return parent
        is_repeated = getattr(box, "is_header", False) or getattr(box, "is_footer", False)
        if is_repeated and self.repeated.setdefault(element, page) != page:
            return None  # the head of a table, set again on another of its pages
        key = element, tag
        if key not in self.known:
            self.known[key] = self._made(box, element, tag, parent)
        return self.known[key]

    def link(self, node: Node) -> Node:
        """The link that an element is in; a new one, if there is none."""
        return next((outer for outer in node.around() if outer.role == "Link"), None) or self._add("Link", node)

    def paragraph(self, node: Node) -> Node:
        """Where text goes: the element, or a paragraph in it if it may only hold such."""
        if node.role not in _GROUPING:
            return node
        return self._open(node) or self._add("P", node, is_made_up=True)

    def space(self, node: Node, text: str) -> Node:
        """An element that stands for the spaces between words."""
        return self._add("Span", node, instead=text)

    def is_between_blocks(self, node: Node) -> bool:
        """Whether text would begin a paragraph of its own."""
        return node.role in ("TOC", "TOCI", "L", "LI") or (node.role in _GROUPING and self._open(node) is None)

    @staticmethod
    def _open(node: Node) -> Node | None:
        last = node.kids[-1] if node.kids else None
        return last if isinstance(last, Node) and last.is_made_up else None

    def _add(self, role: str, parent: Node, **values: Any) -> Node:
        if role in _IN_A_LINE or (role == "Lbl" and parent.role != "LI"):
            parent = self.paragraph(parent)
        node = Node(role, parent, **values)
        parent.kids.append(node)
        return node

    def _made(self, box: Any, element: Any, tag: str, parent: Node) -> Node | None:
        from weasyprint.formatting_structure import boxes

        name, _, pseudo = tag.partition("::")
        if element.get("aria-hidden") == "true":
            return None
        if pseudo:
            return self._pseudo(element, pseudo, parent)
        node = self._element(box, element, name, parent)
        language = element.get("lang")
        if node is not None and language:
            if node is parent:
                node = self._add("Div" if isinstance(box, boxes.BlockLevelBox) else "Span", parent)
            node.language = language
        return node

    def _pseudo(self, element: Any, pseudo: str, parent: Node) -> Node:
        """What CSS adds to an element."""
        if pseudo == "marker" and element in self.items:
            return self._first("Lbl", self.items[element])
        if pseudo == "footnote-call":
            call = self._add("Reference", parent)
            self._note(element, call)
            return call
        return self._add("Lbl", parent) if pseudo == "footnote-marker" else parent

    def _note(self, element: Any, call: Node) -> None:
        """Put a note after the paragraph that it belongs to; its text is found later, at the foot of the page."""
        self.known[element, element.tag] = self._after_paragraph(call)

    def _after_paragraph(self, place: Node) -> Node:
        self.notes += 1
        while place.parent is not None and place.parent.role in _WHOLE:
            place = place.parent
        home = place.parent or self.top
        at = home.kids.index(place) + 1
        while at < len(home.kids) and isinstance(after := home.kids[at], Node) and after.role == "Note":
            at += 1
        note = Node("Note", home, identifier=f"note-{self.notes}")
        home.kids.insert(at, note)
        return note

    def _element(self, box: Any, element: Any, name: str, parent: Node) -> Node | None:
        classes = element.get("class", "").split()
        if "statement" in classes:
            return self._add("Sect", parent, is_statement=True)
        if "sidenote" in classes:
            if parent.role in _WHOLE and parent.parent is not None:
                return self._after_paragraph(parent)
            self.notes += 1
            return self._add("Note", parent, identifier=f"note-{self.notes}")
        if "statement-head" in classes:
            return self._head(element, parent)
        if "csl-entry" in classes:
            return self._item(element, parent)
        if "csl-left-margin" in classes and parent.parent is not None and parent.parent.role == "LI":
            return self._first("Lbl", parent.parent)
        if name in ("img", f"{_SVG}svg"):
            return self._picture(box, element, name, parent)
        if name[0] == "h" and name[1:].isdigit():
            return self._add("H", parent, level=int(name[1:]))
        if name in ("ul", "ol", "dl", "li", "dt", "dd"):
            return self._list(box, element, name, parent)
        role = next((_BY_CLASS[word] for word in classes if word in _BY_CLASS), _BY_NAME.get(name, ""))
        if element.get("aria-label") and not role:
            return self._add("Span", parent, alt=element.get("aria-label"))
        if "qed-place" in classes and not element[0].text:
            # The mark is drawn, which nobody hears: the space before it says what it is.
            return self._add("Span", parent, alt=element[0].get("aria-label"))
        if not role or role == parent.role == "Code":
            return parent
        node = self._add(role, parent, is_contents="contents" in classes)
        if role in ("TH", "TD"):
            node.attributes = dict(_cell(box, element, node))
        return node

    def _head(self, element: Any, parent: Node) -> Node:
        """A heading of its own before the paragraph that the head of a statement begins, so that one can go from head to head."""
        place = parent
        while place.parent is not None and not place.parent.is_statement:
            place = place.parent
        home = place.parent
        if home is None:
            return parent
        head = Node("H", home)
        home.kids.insert(home.kids.index(place), head)
        home.title = _text(element).rstrip(".")
        return head

    def _picture(self, box: Any, element: Any, name: str, parent: Node) -> Node | None:
        alt = element.get("alt")
        if name != "img":
            title = element.find(f"{_SVG}title")
            alt = title.text if title is not None else None
        if alt is None or (not alt and name != "img"):
            source = element.get("src", "a drawing in the note")
            logging.getLogger("weasyprint").error('Image "%s" has no required alt description', source)
        elif not alt:
            return None  # HTML's way to say that a picture only decorates
        formula = element in self.formulas
        return self._add("Formula" if formula else "Figure", parent, alt=(alt or "").removeprefix(MARK), box=box)

    def _list(self, box: Any, element: Any, name: str, parent: Node) -> Node:
        if name in ("ul", "ol", "dl"):
            if parent.role == "TOCI" or parent.is_contents:
                return self._add("TOC", parent)
            marked = name == "ul" and box.style["list_style_type"] != "none"
            kind = "Disc" if marked else _LIST_NUMBERING.get(element.get("type", "1"), "Decimal") if name == "ol" else "None"
            return self._add("L", parent, attributes={"O": "/List", "ListNumbering": f"/{kind}"})
        if parent.role == "TOC":
            return self._add("TOCI", parent)
        if name == "dt":
            item = self._last_term(parent) or self._add("LI", parent)
            return self._add("Lbl", item)
        if name == "dd":
            item = next((kid for kid in reversed(parent.kids) if isinstance(kid, Node)), None) or self._add("LI", parent)
            return self._add("LBody", item)
        return self._item(element, parent)

    def _last_term(self, parent: Node) -> Node | None:
        """The item of the last term, if that has no explanation yet: two terms may have one."""
        last = parent.kids[-1] if parent.kids else None
        if isinstance(last, Node) and all(isinstance(kid, Node) and kid.role == "Lbl" for kid in last.kids):
            return last
        return None

    def _item(self, element: Any, parent: Node) -> Node:
        self.items[element] = self._add("LI", parent)
        return self._add("LBody", self.items[element])

    @staticmethod
    def _first(role: str, parent: Node) -> Node:
        node = Node(role, parent)
        parent.kids.insert(0, node)
        return node


def _text(element: Any) -> str:
    """What an element says: its text, and its formulas as TeX."""
    parts = [element.text or ""]
    for inner in element:
        if inner.tag == "img":
            parts.append(inner.get("alt", "").removeprefix(MARK))
        elif inner.tag == f"{_SVG}svg":
            parts.append(inner.findtext(f"{_SVG}title") or "")
        elif isinstance(inner.tag, str):
            parts.append(_text(inner))
        parts.append(inner.tail or "")
    return " ".join("".join(parts).split())


def _cell(box: Any, element: Any, cell: Node) -> Iterator[tuple[str, Any]]:
    """The attributes of a cell: ISO 32000-1, table 349. A heading heads its column in the head of a table, else its row."""
    yield "O", "/Table"
    if box.colspan > 1:
        yield "ColSpan", box.colspan
    if box.rowspan > 1:
        yield "RowSpan", box.rowspan
    if cell.role == "TH":
        scope = element.get("scope", "")
        in_head = any(outer.role == "THead" for outer in cell.around())
        yield "Scope", "/Row" if scope.startswith("row") or (not scope and not in_head) else "/Column"


def pruned(node: Node) -> None:
    """Take out elements in which nothing is, and links that lead nowhere, but not what is in those."""
    kids: list[Node | tuple[int, int]] = []
    for kid in node.kids:
        if not isinstance(kid, Node):
            kids.append(kid)
            continue
        pruned(kid)
        if kid.role == "Link" and not kid.annotations:
            for inner in kid.kids:
                if isinstance(inner, Node):
                    inner.parent = node
            kids += kid.kids
        elif kid.kids or kid.annotations or kid.role in _KEPT:
            kids.append(kid)
    node.kids = kids


def heading_levels(top: Node) -> None:
    """Give headings their levels: the first is H1, and none is skipped (ISO 14289-1, 7.4.2).

    The head of a statement is one level below the heading it stands under, or the head of the statement it stands in.
    """
    levels: list[int] = []

    def visit(node: Node, statements: int) -> None:
        kids = [kid for kid in node.kids if isinstance(kid, Node)]
        statements += node.is_statement and any(kid.role == "H" and not kid.level for kid in kids)
        for kid in kids:
            if kid.role == "H":
                if kid.level:
                    while levels and levels[-1] >= kid.level:
                        levels.pop()
                    levels.append(kid.level)
                kid.role = f"H{min(6, len(levels) + (0 if kid.level else statements))}"
            visit(kid, statements)

    visit(top, 0)
