"""Looks for a key in the note's bibliographies, so that a book called `def-jam2004` is not taken for a definition."""

from __future__ import annotations

import re
from pathlib import Path

from scidraft.document import meta_value
from scidraft.draft import Draft


def has_entry(draft: Draft, key: str) -> bool:
    """Whether the note's `references` or one of its bibliography files has an entry `key`.

    Files are searched as text: BibTeX, CSL JSON and CSL YAML all write the key between braces, quotes, commas or white space.
    """
    metadata = draft.doc.metadata.content.dict
    references = meta_value(metadata.get("references")) or []
    if isinstance(references, list) and any(isinstance(entry, dict) and entry.get("id") == key for entry in references):
        return True
    pattern = re.compile(rf"[{{\"'\s]{re.escape(key)}[,\"'\s]")
    return any(pattern.search(path.read_text(encoding="utf-8", errors="replace")) for path in files(draft))


def files(draft: Draft) -> list[Path]:
    """The bibliography files the metadata names and that exist, looked up beside the note."""
    value = meta_value(draft.doc.metadata.content.dict.get("bibliography"))
    names = value if isinstance(value, list) else [value] if value else []
    base = draft.source.parent if draft.source else Path()
    return [path for name in names if (path := base / str(name)).is_file()]
