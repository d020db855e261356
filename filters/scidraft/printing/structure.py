"""The structure tree of a printed document: what a screen reader is told of headings, statements, formulas and notes.

WeasyPrint has a tree of its own, with an element for each piece of each box on each page. This one has an element for each
element of the page's HTML, whole even where it goes over two pages. ISO 32000-1, 14.7 and 14.8, says how it is written;
ISO 14289-1 (PDF/UA-1), 7, what has to be in it. `roles` chooses the kinds of elements.

The private things of WeasyPrint here are `add_tags`, `add_links`, the boxes of a laid-out page and the marks in its stream.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from scidraft.printing.roles import Node, Roles, heading_levels, pruned

#: What stands in the margins of a page (ISO 32000-1, 14.8.2.2.2).
_PAGINATION = {"Type": "/Pagination"}


@contextmanager
def ours() -> Iterator[None]:
    """Let PDFs have this tree as long as this lasts. Raises AttributeError or ImportError when WeasyPrint is another one."""
    from weasyprint import pdf

    tags, links = pdf.add_tags, pdf.add_links

    def add_links(links_and_anchors: Any, *rest: Any) -> None:
        found, anchors = links_and_anchors
        found = [link for link in found if _is_needed(link[3])]
        links((found, anchors), *rest)
        for kind, _, _, box in found:
            if kind != "attachment":
                _describe(box)

    pdf.add_tags, pdf.add_links = _add_tags, add_links
    try:
        yield
    finally:
        pdf.add_tags, pdf.add_links = tags, links


# Links


def _is_needed(box: Any) -> bool:
    """Whether a box is one that a link is to be clicked in: WeasyPrint has one for each box inside a link, too."""
    from weasyprint.formatting_structure import boxes

    if box.element is not None and box.element.get("aria-hidden") == "true":
        return False
    return box.link is not None or not isinstance(box, boxes.InlineBox)


def _describe(box: Any) -> None:
    """Say what a link shows, instead of the id it leads to (ISO 14289-1, 7.18.5), and that it is there on paper, too."""
    text = " ".join("".join(getattr(inner, "text", "") for inner in box.descendants(placeholders=True)).split())
    box.link_annotation["F"] = 4
    if text and "Dest" in box.link_annotation:
        box.link_annotation["Contents"].string = text


# The tree


def _add_tags(pdf: Any, document: Any, _version: Any, streams: list[Any]) -> None:
    """What WeasyPrint's function of this name does: the tree, what leads from pages to it, and what a tagged file says."""
    import pydyf

    pages = [page._page_box for page in document.pages]
    tree = _Tree(streams, Roles(pages))
    for number, page in enumerate(pages):
        tree.read(page, number)
    top = tree.roles.top
    pruned(top)
    heading_levels(top)
    _Writer(pdf, pages).write(top)
    pdf.catalog["ViewerPreferences"] = pydyf.Dictionary({"DisplayDocTitle": "true"})
    pdf.catalog["MarkInfo"] = pydyf.Dictionary({"Marked": "true"})
    pdf.catalog.setdefault("Lang", pydyf.String("und"))


class _Tree:
    """Goes over the boxes of the pages and hangs what is drawn into the tree."""

    def __init__(self, streams: list[Any], roles: Roles) -> None:
        self.streams = streams
        self.roles = roles
        self.places: dict[int, dict[int, int]] = {}  # for each page: where in its stream a mark begins

    def read(self, page: Any, number: int) -> None:
        """Add a page. Its notes come last: by then all calls to them have been seen."""
        from weasyprint.formatting_structure import boxes

        self.places[number] = _marks(self.streams[number])
        notes = [child for child in page.children if isinstance(child, boxes.FootnoteAreaBox)]
        margins = [child for child in page.children if isinstance(child, boxes.MarginBox)]
        for child in page.children:
            if child not in notes and child not in margins:
                self.visit(child, self.roles.top, number)
        for child in notes:
            self.visit(child, self.roles.top, number)
        for child in margins:
            kind = {"@top": "/Header", "@bot": "/Footer"}.get(child.at_keyword[:4])
            self.drop(child, number, _PAGINATION | ({"Subtype": kind} if kind else {}))

    def visit(self, box: Any, parent: Node, page: int) -> None:
        """Add a box and what is in it."""
        from weasyprint.formatting_structure import boxes
        from weasyprint.layout.absolute import AbsolutePlaceholder

        if isinstance(box, AbsolutePlaceholder):
            box = box._box
        node = parent if isinstance(box, boxes.TextBox) else self.roles.node(box, parent, page)
        if node is None:
            self.drop(box, page, {})
            return
        annotation = getattr(box, "link_annotation", None)
        if annotation is not None:
            node = self.roles.link(node)
            node.annotations.append((page, annotation))
        if isinstance(box, (boxes.TextBox, boxes.ReplacedBox)):
            self.hang(box, node, page)
        for child in box.children:
            self.visit(child, node, page)

    def hang(self, box: Any, node: Node, page: int) -> None:
        """Add what a box of text or a picture draws. Where there may be no text, it gets a paragraph."""
        text = getattr(box, "text", None)
        if text is not None and not text.strip() and self.roles.is_between_blocks(node):
            self.drop(box, page, {})
        elif (mark := self.streams[page]._tags.pop(box, None)) is not None:
            if text is not None and not text.strip():
                node = self.roles.space(node, text)  # which WeasyPrint does not draw: words would run together
            self.roles.paragraph(node).kids.append((page, mark["mcid"]))

    def drop(self, box: Any, page: int, properties: dict[str, str]) -> None:
        """Turn what a box draws into an artifact, which is not read out."""
        import pydyf

        for inner in (box, *box.descendants(placeholders=True)):
            mark = self.streams[page]._tags.pop(getattr(inner, "_box", inner), None)
            place = self.places[page].get(mark["mcid"]) if mark else None
            if place is not None:
                self.streams[page].stream[place : place + 2] = ["/Artifact", pydyf.Dictionary(properties)]


def _marks(stream: Any) -> dict[int, int]:
    """Where in a stream the content with each number begins: a tag, its properties and `BDC`."""
    items = stream.stream
    return {items[at - 1]["MCID"]: at - 2 for at, item in enumerate(items) if item == b"BDC" and "MCID" in items[at - 1]}


class _Writer:
    """Writes the tree as objects of a PDF."""

    def __init__(self, pdf: Any, pages: list[Any]) -> None:
        self.pdf = pdf
        self.heights = [page.margin_height() for page in pages]
        self.contents: list[dict[int, bytes]] = [{} for _ in pages]
        self.annotations: list[bytes] = []
        self.names: list[tuple[str, bytes]] = []

    def write(self, top: Node) -> None:
        """Write all of it: ISO 32000-1, tables 322 to 325."""
        import pydyf

        root = pydyf.Dictionary({"Type": "/StructTreeRoot"})
        self.pdf.add_object(root)
        root["K"] = pydyf.Array([self.element(top, root.reference)])
        numbers = pydyf.Array()
        for page, found in enumerate(self.contents):
            numbers += [page, pydyf.Array(found.get(mcid, "null") for mcid in range(max(found, default=-1) + 1))]
        for number, reference in enumerate(self.annotations, len(self.contents)):
            numbers += [number, reference]
        parents = pydyf.Dictionary({"Nums": numbers})
        self.pdf.add_object(parents)
        root["ParentTree"] = parents.reference
        root["ParentTreeNextKey"] = len(self.contents) + len(self.annotations)
        if self.names:
            names = pydyf.Array()
            for name, reference in sorted(self.names):
                names += [pydyf.String(name), reference]
            root["IDTree"] = pydyf.Dictionary({"Names": names})
        self.pdf.catalog["StructTreeRoot"] = root.reference

    def element(self, node: Node, parent: bytes) -> bytes:
        """Write an element and what is in it; the reference to it."""
        import pydyf

        element = pydyf.Dictionary({"Type": "/StructElem", "S": f"/{node.role}", "P": parent})
        self.pdf.add_object(element)
        reference: bytes = element.reference
        pages = [page for page, _ in node.annotations] + [kid[0] for kid in node.kids if not isinstance(kid, Node)]
        first = pages[0] if pages else None
        if first is not None:
            element["Pg"] = self.pdf.page_references[first]
        kids = element["K"] = pydyf.Array()
        for page, annotation in node.annotations:
            kids.append(pydyf.Dictionary({"Type": "/OBJR", "Obj": annotation.reference, "Pg": self.pdf.page_references[page]}))
            annotation["StructParent"] = len(self.contents) + len(self.annotations)
            self.annotations.append(reference)
        for kid in node.kids:
            if isinstance(kid, Node):
                kids.append(self.element(kid, reference))
                continue
            page, mcid = kid
            self.contents[page][mcid] = reference
            place = {"Type": "/MCR", "Pg": self.pdf.page_references[page], "MCID": mcid}
            kids.append(mcid if page == first else pydyf.Dictionary(place))
        texts = {"Alt": node.alt, "ActualText": node.instead, "Lang": node.language, "T": node.title, "ID": node.identifier}
        for key, text in texts.items():
            if text:
                element[key] = pydyf.String(text)
        if node.identifier:
            self.names.append((node.identifier, reference))
        if node.attributes or node.box is not None:
            element["A"] = self.attributes(node, first)
        return reference

    def attributes(self, node: Node, page: int | None) -> Any:
        """The attributes of an element: of a cell or a list, or where a picture is on its page."""
        import pydyf

        attributes = pydyf.Dictionary(node.attributes)
        if node.box is not None and page is not None:
            left, top = node.box.content_box_x(), node.box.content_box_y()
            corners = (left, self.heights[page] - top - node.box.height, left + node.box.width, self.heights[page] - top)
            attributes |= {"O": "/Layout", "BBox": pydyf.Array(round(0.75 * corner, 3) for corner in corners)}
        return attributes
