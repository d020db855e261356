"""The rules of PDF/A-2 and -3 (ISO 19005-2, -3), level U, that can be read in a file; each function yields those it breaks.

Not all of them: see `notes/writing.md` for what nobody can claim without a validator.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

import pikepdf
from fontTools.cffLib import CFFFontSet
from fontTools.pens.basePen import NullPen
from fontTools.ttLib import TTFont

_FORBIDDEN_ACTIONS = {"/Launch", "/Sound", "/Movie", "/ResetForm", "/ImportData", "/Hide", "/JavaScript", "/SetOCGState"}
_OPERATORS = frozenset(  # ISO 32000-1, table A.1
    """b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EI EMC ET EX f F f* G g gs h i ID j J K k l M m MP n q Q re RG rg ri
    s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' \"""".split()  # noqa: SIM905 - shorter so
)


def broken_rules(content: bytes, part: int) -> list[str]:
    """All that are broken in a file that says it is PDF/A of this part."""
    with pikepdf.open(io.BytesIO(content)) as pdf:
        rules = (_file(content, pdf), _metadata(pdf, part), _attachments(pdf, part), _colours(pdf), _annotations(pdf), _text(pdf))
        return [broken for rule in rules for broken in rule]


def _file(content: bytes, pdf: pikepdf.Pdf) -> Iterator[str]:
    """6.1: the file itself; 6.1.13: limits."""
    if not re.match(rb"%PDF-1\.7\n%[\x80-\xff]{4}", content):
        yield "header"
    if pdf.is_encrypted or "/Encrypt" in pdf.trailer:
        yield "encryption"
    if [len(bytes(part)) for part in pdf.trailer.get("/ID", [])] != [16, 16] and not pdf.trailer.get("/ID"):
        yield "no identifier"
    for entry in pdf.objects:
        if isinstance(entry, pikepdf.Stream):
            filters: Any = entry.get("/Filter", [])
            if "/LZWDecode" in ([str(name) for name in filters] if isinstance(filters, pikepdf.Array) else [str(filters)]):
                yield "LZW"
            if {"/F", "/FFilter", "/FDecodeParms"} & set(entry.keys()):
                yield "a stream outside the file"
    if {"/AA", "/OpenAction", "/NeedsRendering", "/Requirements"} & set(pdf.Root.keys()):
        yield "actions of the document"


def _metadata(pdf: pikepdf.Pdf, part: int) -> Iterator[str]:
    """6.6: what the file says of itself."""
    xmp = pdf.Root.Metadata.read_bytes().decode()
    if not re.search(rf'pdfaid:part="{part}" pdfaid:conformance="U"', xmp):
        yield "identification"
    if not xmp.startswith('<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>') or "<?xpacket end=" not in xmp:
        yield "packet"
    explained = re.findall(r"<pdfaSchema:prefix>(\w+)<", xmp)
    known = {"dc", "pdf", "pdfaid", "rdf", "xmp", "x", "xml", "pdfaExtension", "pdfaSchema", "pdfaProperty"}
    for prefix in set(re.findall(r"[ <](\w+):\w+[ =>]", xmp)) - {"xmlns"} - known - set(explained):
        yield f"unexplained properties {prefix}"
    with pdf.open_metadata() as found:
        for key, name in (("/Title", "dc:title"), ("/Subject", "dc:description"), ("/Keywords", "pdf:Keywords")):
            if found.get(name) != (str(pdf.docinfo[key]) if key in pdf.docinfo else None):
                yield f"{name} is not {key}"


def _attachments(pdf: pikepdf.Pdf, part: int) -> Iterator[str]:
    """6.8 of part 3; part 2 allows only files of PDF/A."""
    files = [entry for entry in pdf.objects if isinstance(entry, pikepdf.Dictionary) and entry.get("/Type") == "/Filespec"]
    associated = list(pdf.Root.get("/AF", []))
    if part == 2 and (files or associated or "/EmbeddedFiles" in pdf.Root.get("/Names", {})):
        yield "attachments"
    if len({file.objgen for file in associated}) != len(associated):
        yield "a file associated twice"
    for file in files:
        if file.objgen not in {other.objgen for other in associated}:
            yield "a file that is not associated"
        if not {"/F", "/UF", "/EF", "/AFRelationship", "/Desc"} <= set(file.keys()):
            yield "a file without a name or relationship"
        if not re.fullmatch(r"/\w+/[\w.+-]+", str(file.EF.F.get("/Subtype", ""))):
            yield "a file without a type"


def _colours(pdf: pikepdf.Pdf) -> Iterator[str]:
    """6.2.2 to 6.2.10: colours mean something only with a profile; pictures are drawn as they are."""
    (intent,) = pdf.Root.get("/OutputIntents", [None])
    if intent is None or intent.S != "/GTS_PDFA1":
        yield "no output intent"
    else:
        profile = intent.DestOutputProfile.read_bytes()
        if (int(intent.DestOutputProfile.N), profile[12:20], profile[36:40]) != (3, b"mntrRGB ", b"acsp"):
            yield "profile"
    for entry in pdf.objects:
        if not isinstance(entry, pikepdf.Stream):
            continue
        if entry.get("/Subtype") == "/Image":
            if bool(entry.get("/Interpolate", False)):
                yield "interpolation"
            if {"/Alternates", "/OPI"} & set(entry.keys()):
                yield "another picture"
            if entry.get("/ColorSpace") == "/DeviceCMYK":
                yield "CMYK"
        if entry.get("/Subtype") == "/PS" or {"/PS", "/Ref"} & set(entry.keys()):
            yield "PostScript"
    for _, content, _ in contents(pdf):
        depth = 0
        instructions: Iterator[Any] = iter(pikepdf.parse_content_stream(content))
        for operands, operator in instructions:
            name = str(operator)
            depth += (name == "q") - (name == "Q")
            if depth > 28:
                yield "too many states"
            if name not in _OPERATORS:
                yield f"operator {name}"
            if name in ("k", "K") or (name in ("cs", "CS") and str(operands[0]) == "/DeviceCMYK"):
                yield "CMYK"


def _annotations(pdf: pikepdf.Pdf) -> Iterator[str]:
    """6.3 and 6.5: links are printed, and do nothing but lead."""
    for page in pdf.pages:
        if "/AA" in page:
            yield "actions of a page"
        for annotation in page.get("/Annots", []):
            if int(annotation.get("/F", 0)) != 4:
                yield "an annotation that is not printed"
            action = annotation.get("/A", pikepdf.Dictionary())
            if str(action.get("/S", "")) in _FORBIDDEN_ACTIONS or "/AA" in annotation:
                yield "an action"
            if annotation.Subtype not in ("/Link", "/Widget"):
                yield f"annotation {annotation.Subtype}"


def _text(pdf: pikepdf.Pdf) -> Iterator[str]:
    """6.2.11: fonts are in the file, agree with it, and can be read."""
    used: dict[Any, tuple[Any, set[int]]] = {}
    for _, content, resources in contents(pdf):
        for font, code in shown(content, resources):
            used.setdefault(font.objgen, (font, set()))[1].add(code)
    for font, codes in used.values():
        name = str(font.BaseFont)
        if font.Subtype != "/Type0" or font.Encoding != "/Identity-H":
            yield f"{name} is not composite with the codes of its glyphs"
            continue
        (inner,) = font.DescendantFonts
        descriptor = inner.FontDescriptor
        if not {"/FontFile2", "/FontFile3"} & set(descriptor.keys()):
            yield f"{name} is not embedded"
            continue
        if inner.Subtype == "/CIDFontType2" and inner.get("/CIDToGIDMap") != "/Identity":
            yield f"{name} has no map to its glyphs"
        if "/CIDSet" in descriptor:
            yield f"{name} has a CIDSet that nobody checks here"
        if 0 in codes:
            yield f"{name} shows the sign for a missing glyph"
        widths, program = _widths(inner), _advances(inner, codes)
        for code in codes:
            if abs(widths[code] - program[code]) > 1:
                yield f"{name}: glyph {code} is {program[code]} wide, not {widths[code]}"
        unicode = dict(re.findall(r"^<(\w{4})> <(\w*)>$", font.ToUnicode.read_bytes().decode(), re.MULTILINE))
        for code in codes:
            text = bytes.fromhex(unicode.get(f"{code:04x}", "")).decode("utf-16-be")
            if not text or set(text) & {"\0", "\ufeff", "\ufffe"}:
                yield f"{name}: glyph {code} is no character"


def contents(pdf: pikepdf.Pdf) -> Iterator[tuple[str, Any, Any]]:
    """Everything that draws: pages, and the forms and patterns that pages use."""
    for number, page in enumerate(pdf.pages, 1):
        yield f"page {number}", page, page.resources
    for entry in pdf.objects:
        if isinstance(entry, pikepdf.Stream) and (entry.get("/Subtype") == "/Form" or entry.get("/Type") == "/Pattern"):
            yield "a form", entry, entry.get("/Resources", pikepdf.Dictionary())


def shown(content: Any, resources: Any) -> Iterator[tuple[Any, int]]:
    """The composite fonts that draw text, and the codes of what they show."""
    font = None
    instructions: Iterator[Any] = iter(pikepdf.parse_content_stream(content))
    for operands, operator in instructions:
        if str(operator) == "Tf":
            font = resources["/Font"][str(operands[0])]
        elif str(operator) in ("Tj", "TJ", "'", '"') and font is not None and font["/Subtype"] == "/Type0":
            pieces = operands[-1] if str(operator) == "TJ" else [operands[-1]]
            for piece in pieces:
                if isinstance(piece, pikepdf.String):
                    code = bytes(piece)
                    yield from ((font, int.from_bytes(code[at : at + 2], "big")) for at in range(0, len(code), 2))


def _widths(font: Any) -> dict[int, float]:
    widths: dict[int, float] = {}
    entries = iter(font.W)
    for first in entries:
        for code, width in enumerate(next(entries), int(first)):
            widths[code] = float(width)
    return widths


def _advances(font: Any, codes: set[int]) -> dict[int, float]:
    """How wide the font's own program has its glyphs, in thousandths of an em."""
    descriptor = font.FontDescriptor
    key = "/FontFile2" if "/FontFile2" in descriptor else "/FontFile3"
    program = io.BytesIO(descriptor[key].read_bytes())
    if descriptor[key].get("/Subtype") == "/CIDFontType0C":
        found = CFFFontSet()
        found.decompile(program, None)
        (top,) = found.values()
        names = top.charset
        advances = {}
        for code in codes:
            glyph = top.CharStrings[names[code]]
            glyph.draw(NullPen())
            advances[code] = float(glyph.width)
        return advances
    with TTFont(program) as typeface:
        names, scale = typeface.getGlyphOrder(), 1000 / typeface["head"].unitsPerEm
        return {code: typeface["hmtx"][names[code]][0] * scale for code in codes}
