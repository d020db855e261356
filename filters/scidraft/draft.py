"""The draft: the one object that the passes share."""

from __future__ import annotations

import copy
import sys
from dataclasses import dataclass, field
from pathlib import Path

import panflute as pf

from scidraft.catalogue import Catalogue
from scidraft.library import Library
from scidraft.messages import Messages
from scidraft.settings import Settings


@dataclass
class Draft:
    """A note on its way through the passes.

    `library` finds other notes. `target` is what it is drafted for: a pandoc writer's name such as "html5" or "latex", or "print" for the HTML that is
    printed. `source` is the note's file where it is known (pandoc does not tell a filter).
    """

    doc: pf.Doc
    settings: Settings
    messages: Messages
    target: str = "html"
    source: Path | None = None
    catalogue: Catalogue = field(default_factory=Catalogue)
    library: Library = field(default_factory=Library)

    def for_target(self, target: str) -> Draft:
        """A copy of this draft, document and catalogue together, for another target. Messages are shared."""
        # A tree as deep as pandoc allows is deeper than Python's default limit allows copy to follow.
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, 20_000))
        try:
            doc, catalogue = copy.deepcopy((self.doc, self.catalogue))
        finally:
            sys.setrecursionlimit(limit)
        doc.format = target
        return Draft(doc, self.settings, self.messages, target, self.source, catalogue, self.library)
