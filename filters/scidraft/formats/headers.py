"""Adds to the `header-includes` of a document, whatever form the author's own have."""

from __future__ import annotations

import panflute as pf


def add_header_include(doc: pf.Doc, *blocks: pf.Element) -> None:
    """Put `blocks` after the header includes that are there."""
    metadata = doc.metadata.content.dict
    present = metadata.get("header-includes")
    items = list(present.content.list) if isinstance(present, pf.MetaList) else [present] if present is not None else []
    metadata["header-includes"] = pf.MetaList(*items, pf.MetaBlocks(*blocks))
