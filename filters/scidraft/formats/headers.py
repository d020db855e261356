"""Adds to the `header-includes` and the class options of a document, whatever form the author's own have."""

from __future__ import annotations

import panflute as pf

from scidraft.document import meta_value, walk
from scidraft.paths import TEMPLATES


def add_header_include(doc: pf.Doc, *blocks: pf.Element) -> None:
    """Put `blocks` after the header includes that are there."""
    metadata = doc.metadata.content.dict
    present = metadata.get("header-includes")
    items = list(present.content.list) if isinstance(present, pf.MetaList) else [present] if present is not None else []
    metadata["header-includes"] = pf.MetaList(*items, pf.MetaBlocks(*blocks))


def add_style(doc: pf.Doc, name: str) -> None:
    """Put a style sheet of the templates into the page, unless an earlier filter has."""
    style = f"<style>\n{(TEMPLATES / name).read_text(encoding='utf-8').strip()}\n</style>"
    present = doc.metadata.content.dict.get("header-includes")
    if present is None or all(getattr(place.element, "text", "") != style for place in walk(present)):
        add_header_include(doc, pf.RawBlock(style, format="html"))


def add_class_option(doc: pf.Doc, option: str) -> None:
    """Give the document class an option, unless its author has."""
    metadata = doc.metadata.content.dict
    present = metadata.get("classoption")
    items = list(present.content.list) if isinstance(present, pf.MetaList) else [present] if present is not None else []
    if all(option not in str(meta_value(item)).split(",") for item in items):
        metadata["classoption"] = pf.MetaList(*items, pf.MetaInlines(pf.Str(option)))
