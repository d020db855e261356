"""Reads the structure tree of a PDF: what each element is, and the text that is drawn for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pikepdf


@dataclass
class Element:
    """An element of the tree. `text` is what is drawn for it and for all in it, formulas as their alternative text."""

    role: str
    place: tuple[int, int]
    texts: dict[str, str]
    attributes: dict[str, Any]
    text: str = ""
    kids: list[Element] = field(default_factory=list)

    @property
    def outline(self) -> str:
        """The roles in it, as in `Sect(H2 P(Formula))`."""
        return self.role + (f"({' '.join(kid.outline for kid in self.kids)})" if self.kids else "")

    def get(self, key: str) -> str:
        """A text of the element's own: /Alt, /Lang, /T, /ID; "" if it has none."""
        return self.texts.get(key, "")

    def attribute(self, key: str) -> Any:
        """One of its attributes."""
        return self.attributes.get(key)

    def walk(self) -> Iterator[Element]:
        """It and all in it, in the order in which they are read."""
        yield self
        for kid in self.kids:
            yield from kid.walk()

    def all(self, role: str) -> list[Element]:
        """Those of a role."""
        return [element for element in self.walk() if element.role == role]


def tree_of(pdf: pikepdf.Pdf) -> Element:
    """The tree of a document. Fails when its marks and the way back from them to the tree do not agree."""
    shown = {page.objgen: shown_on(page) for page in pdf.pages}
    root = pdf.Root.StructTreeRoot
    back = {int(root.ParentTree.Nums[at]): root.ParentTree.Nums[at + 1] for at in range(0, len(root.ParentTree.Nums), 2)}
    parents = {page.objgen: back[int(page.StructParents)] for page in pdf.pages}
    seen: set[tuple[Any, int]] = set()

    def read(entry: Any, parent: Any) -> Element:
        assert entry.P.objgen == parent.objgen
        texts = {key: str(entry[key]) for key in ("/Alt", "/ActualText", "/Lang", "/T", "/ID") if key in entry}
        attributes = {key: _plain(value) for key, value in entry.get("/A", pikepdf.Dictionary()).items()}
        element = Element(str(entry.S)[1:], entry.objgen, texts, attributes)
        text = []
        for kid in entry.get("/K", []):
            if isinstance(kid, int):
                page, mcid = entry.Pg.objgen, kid
            elif kid.get("/Type") == "/MCR":
                page, mcid = kid.Pg.objgen, int(kid.MCID)
            elif kid.get("/Type") == "/OBJR":
                assert back[int(kid.Obj.StructParent)].objgen == entry.objgen
                continue
            else:
                element.kids.append(read(kid, entry))
                text.append(element.kids[-1].text)
                continue
            assert (page, mcid) not in seen
            seen.add((page, mcid))
            assert parents[page][mcid].objgen == entry.objgen
            text.append(shown[page].pop(mcid))
        element.text = element.get("/Alt") or element.get("/ActualText") or "".join(text).translate(_SPACES)
        return element

    (top,) = root.K
    tree = read(top, root)
    assert not any(shown.values()), "what is marked and in no element"
    return tree


_SPACES = {0xA0: " ", 0x200B: None}


def _plain(value: Any) -> Any:
    if isinstance(value, pikepdf.Array):
        return [float(number) for number in value]
    return int(value) if isinstance(value, int) else str(value)


def shown_on(page: Any) -> dict[int, str]:
    """The text of each marked content of a page."""
    return {mcid: text for kind, mcid, text in marks_of(page) if mcid >= 0}


def artifacts_on(page: Any) -> list[tuple[str, str]]:
    """The text of each artifact of a page that has some, and its subtype."""
    return [(kind, text) for kind, mcid, text in marks_of(page) if mcid < 0 and text]


def marks_of(page: Any) -> list[tuple[str, int, str]]:
    """The marked content of a page: the subtype of an artifact, its number or -1, its text. Fails where text is not marked."""
    maps = {name: _unicode(font) for name, font in page.Resources.get("/Font", pikepdf.Dictionary()).items()}
    found: list[tuple[str, int, str]] = []
    open_marks: list[list[Any]] = []
    current: dict[int, str] = {}
    instructions: Iterator[Any] = iter(pikepdf.parse_content_stream(page))
    for operands, operator in instructions:
        name = str(operator)
        if name in ("BDC", "BMC"):
            properties = operands[1] if len(operands) > 1 else pikepdf.Dictionary()
            open_marks.append([str(properties.get("/Subtype", "")), int(properties.get("/MCID", -1)), ""])
        elif name == "EMC":
            kind, mcid, text = open_marks.pop()
            if open_marks:
                open_marks[-1][2] += text
            else:
                found.append((kind, mcid, text))
        elif name == "Tf":
            current = maps[str(operands[0])]
        elif name in ("Tj", "TJ"):
            assert open_marks, "text that is neither tagged nor an artifact"
            pieces = operands[0] if name == "TJ" else [operands[0]]
            for piece in pieces:
                if isinstance(piece, pikepdf.String):
                    code = bytes(piece)
                    open_marks[-1][2] += "".join(
                        current.get(int.from_bytes(code[at : at + 2], "big"), "") for at in range(0, len(code), 2)
                    )
    assert not open_marks
    return found


def _unicode(font: Any) -> dict[int, str]:
    rows = re.findall(r"^<(\w{4})> <(\w*)>$", font.ToUnicode.read_bytes().decode(), re.MULTILINE)
    return {int(code, 16): bytes.fromhex(text).decode("utf-16-be") for code, text in rows if (code, text) != ("0000", "ffff")}
