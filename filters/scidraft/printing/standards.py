"""Makes a PDF one of PDF/A, for archives, beside PDF/UA-1: what WeasyPrint leaves to its caller, or gets wrong.

PDF/A-2 and -3 are ISO 19005-2 and -3; their level U asks that all text can be read as Unicode.
"""

from __future__ import annotations

import os
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from scidraft.settings import PDF_STANDARDS

# PDF/A knows no words of PDF/UA unless the file explains them (ISO 19005-2, 6.6.2.3).
_ALSO_UA = b"""<rdf:Description xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" rdf:about="" pdfuaid:part="1"/>
<rdf:Description xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
 xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#" rdf:about="">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
<pdfaProperty:name>part</pdfaProperty:name>
<pdfaProperty:valueType>Integer</pdfaProperty:valueType>
<pdfaProperty:category>internal</pdfaProperty:category>
<pdfaProperty:description>The part of ISO 14289 that the file follows</pdfaProperty:description>
</rdf:li></rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>
"""
_END = b"</rdf:RDF>"


def options(standard: str, source: Path | None = None) -> dict[str, Any]:
    """WeasyPrint's options for one of `PDF_STANDARDS`. PDF/A-3 gets the file `source` attached: what the document was made from.

    They are for one PDF: an attachment can be read once.
    """
    if standard == PDF_STANDARDS[0]:
        return {"pdf_variant": standard}
    chosen: dict[str, Any] = {"pdf_variant": standard, "pdf_tags": True}
    if source and standard.startswith("pdf/a-3"):
        from weasyprint import Attachment

        now = _now() or datetime.fromtimestamp(0, timezone.utc)
        words = {"name": source.name, "description": "The Markdown source of this document"}
        chosen["attachments"] = [
            Attachment(string=source.read_bytes(), created=now, modified=now, relationship="Source", **words)
        ]
    return chosen


def finish(standard: str, pdf: Any) -> list[str]:
    """Mend a finished pydyf.PDF so that it follows `standard`; the names of rules that it still breaks."""
    if standard == PDF_STANDARDS[0]:
        return []
    metadata = pdf.objects[_number(pdf.catalog["Metadata"])]
    metadata.stream = [part.replace(_END, _ALSO_UA + _END) for part in metadata.stream]
    names = pdf.catalog.get("Names", {})
    if standard.startswith("pdf/a-2"):
        names.pop("EmbeddedFiles", None)
    if "AF" in pdf.catalog:
        pdf.catalog["AF"][:] = dict.fromkeys(pdf.catalog["AF"])  # WeasyPrint has each file twice
    in_cmyk = False
    for entry in pdf.objects:
        extra = getattr(entry, "extra", None) or {}
        if extra.get("Subtype") == "/Image":
            extra["Interpolate"] = "false"  # ISO 19005-2, 6.2.8
            in_cmyk = in_cmyk or extra.get("ColorSpace") == "/DeviceCMYK"
        elif extra.get("Type") == "/EmbeddedFile":
            if extra["Subtype"] == "/application#2foctet-stream":
                extra["Subtype"] = "/text#2fmarkdown"
            if not _now():
                # The day of the build would make other bytes each day.
                for key in ("CreationDate", "ModDate"):
                    extra["Params"].pop(key, None)
    return ["a picture has colours for print (CMYK); make it one in RGB"] if in_cmyk else []


def _now() -> datetime | None:
    """The date the environment asks for: https://reproducible-builds.org/specs/source-date-epoch/."""
    asked = os.environ.get("SOURCE_DATE_EPOCH", "")
    return datetime.fromtimestamp(int(asked), timezone.utc) if asked.isdecimal() else None


def _number(reference: bytes) -> int:
    return int(reference.split()[0])
