"""pandoc-amsthm's metadata about headings; its kinds are read with the settings."""

from __future__ import annotations

import panflute as pf

from scidraft.document import meta_value, plain_text
from scidraft.draft import Draft


def is_marked(draft: Draft) -> bool:
    """Whether the note's metadata is that of pandoc-amsthm, so that `@id` is a number alone."""
    return "amsthm" in draft.doc.metadata.content.dict


def run(draft: Draft) -> None:
    """Headings under `counter_ignore_headings` step no counter."""
    given = meta_value(draft.doc.metadata.content.dict.get("amsthm"))
    ignored = given.get("counter_ignore_headings") if isinstance(given, dict) else None
    if not isinstance(ignored, list):
        return
    for block in draft.doc.content.list:
        if isinstance(block, pf.Header) and plain_text([block]) in ignored and "unnumbered" not in block.classes:
            block.classes.append("unnumbered")
