"""Collects the outlines of a document's formulas into one font, and embeds it in the PDF."""

from __future__ import annotations

import hashlib
import io
import unicodedata
from typing import Any

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.boundsPen import ControlBoundsPen
from fontTools.pens.recordingPen import RecordingPen
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.svgLib.path import parse_path

#: Units of an em in MathJax's outlines, and the size at which the font is set: its units are those of the pictures.
EM = 1000
#: The font's name among the resources of a page.
RESOURCE = "SDMath"
_FAMILY = "SD-Math"
_NOTDEF = ".notdef"
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
#: The code of a character of no width and without an outline.
EDGE = 1
_AT_A_TIME = 100  # entries that one `beginbfchar` may have


class MathFont:
    """A font that grows by the characters of the formulas; the same formulas in the same order give the same bytes.

    Its outlines are cubic, as MathJax has them, so they are kept exactly: a CFF font whose glyph numbers are the codes.
    """

    def __init__(self) -> None:
        """Begin with the one glyph that every font must have, which is never shown, and with `EDGE`."""
        self._codes: dict[tuple[str, str], int] = {}
        self._outlines: list[RecordingPen] = [RecordingPen(), RecordingPen()]
        self._boxes: list[tuple[float, float, float, float]] = [(0, 0, 0, 0), (0, 0, 0, 0)]
        self._characters = [_REPLACEMENT, "\N{ZERO WIDTH SPACE}"]

    def code(self, outline: str, character: str) -> int:
        """The code of an `outline` (the path data of an SVG, in thousandths of an em) that shows `character`.

        Raises ValueError and what fontTools raises when the path cannot be read.
        """
        key = outline, character
        if key not in self._codes:
            pen = RecordingPen()
            parse_path(outline, pen)
            bounds = ControlBoundsPen(None)
            pen.replay(bounds)
            self._codes[key] = len(self._outlines)
            self._boxes.append(bounds.bounds or (0, 0, 0, 0))
            self._outlines.append(pen)
            # 𝑥 is found when one looks for x: those are the same letter to all who search.
            self._characters.append(unicodedata.normalize("NFKC", character) or _REPLACEMENT)
        return self._codes[key]

    def embed(self, pdf: Any) -> bytes:
        """Add the font to a pydyf.PDF; the reference to it.

        The parts are those of ISO 32000-1, 9.7 (composite fonts), 9.9 (font programs) and 9.10.3 (ToUnicode).
        """
        import pydyf

        def add(made: Any) -> bytes:
            pdf.add_object(made)
            reference: bytes = made.reference
            return reference

        program = self._program()
        tag = "".join(chr(65 + byte % 26) for byte in hashlib.sha256(program).digest()[:6])
        name = f"/{tag}+{_FAMILY}"
        left, bottom, right, top = self._bounds()
        extra = pydyf.Dictionary({"Subtype": "/CIDFontType0C"})
        descriptor = pydyf.Dictionary(
            {
                "Type": "/FontDescriptor",
                "FontName": name,
                "Flags": 4,  # symbolic: the codes are its own
                "FontBBox": pydyf.Array([left, bottom, right, top]),
                "ItalicAngle": 0,
                "Ascent": 750,
                "Descent": -250,
                "CapHeight": 683,
                "StemV": 80,
                "FontFile3": add(pydyf.Stream([program], extra, compress=True)),
            }
        )
        system = {"Registry": pydyf.String("Adobe"), "Ordering": pydyf.String("Identity"), "Supplement": 0}
        descendant = pydyf.Dictionary(
            {
                "Type": "/Font",
                "Subtype": "/CIDFontType0",
                "BaseFont": name,
                "CIDSystemInfo": pydyf.Dictionary(system),
                "FontDescriptor": add(descriptor),
                "W": pydyf.Array([0, pydyf.Array(self._widths())]),
            }
        )
        font = pydyf.Dictionary(
            {
                "Type": "/Font",
                "Subtype": "/Type0",
                "BaseFont": f"{name}-Identity-H",
                "Encoding": "/Identity-H",
                "DescendantFonts": pydyf.Array([add(descendant)]),
                "ToUnicode": add(pydyf.Stream([self._to_unicode()], compress=True)),
            }
        )
        return add(font)

    def _widths(self) -> list[int]:
        """How far each glyph advances: to its right edge, since every glyph is placed by itself."""
        return [EM // 2, *(max(0, round(box[2])) for box in self._boxes[1:])]

    def _bounds(self) -> tuple[int, int, int, int]:
        columns = list(zip(*self._boxes, strict=True))
        return (round(min(columns[0])), round(min(columns[1])), round(max(columns[2])), round(max(columns[3])))

    def _program(self) -> bytes:
        """The bytes of the CFF font."""
        names = [_NOTDEF, *(f"g{code}" for code in range(1, len(self._outlines)))]
        widths = dict(zip(names, self._widths(), strict=True))
        strings = {}
        for name, outline in zip(names, self._outlines, strict=True):
            pen = T2CharStringPen(widths[name], None)
            outline.replay(pen)
            strings[name] = pen.getCharString()
        builder = FontBuilder(EM, isTTF=False)
        builder.setupGlyphOrder(names)
        builder.setupCFF(_FAMILY, {"FullName": _FAMILY, "FontBBox": list(self._bounds())}, strings, {})
        file = io.BytesIO()
        builder.font["CFF "].cff.compile(file, builder.font, isCFF2=False)
        return file.getvalue()

    def _to_unicode(self) -> bytes:
        rows = [f"<{code:04x}> <{_utf16(text)}>" for code, text in enumerate(self._characters) if code]
        blocks = [rows[start : start + _AT_A_TIME] for start in range(0, len(rows), _AT_A_TIME)]
        return "\n".join(
            [
                "/CIDInit /ProcSet findresource begin",
                "12 dict begin",
                "begincmap",
                "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
                "/CMapName /Adobe-Identity-UCS def",
                "/CMapType 2 def",
                "1 begincodespacerange",
                "<0000> <ffff>",
                "endcodespacerange",
                *("\n".join([f"{len(block)} beginbfchar", *block, "endbfchar"]) for block in blocks),
                "endcmap",
                "CMapName currentdict /CMap defineresource pop",
                "end",
                "end",
            ]
        ).encode()


def _utf16(text: str) -> str:
    return text.encode("utf-16-be").hex()
