"""The draft: the one object that the passes share."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from pathlib import Path

import panflute as pf

from scidraft.catalogue import Catalogue
from scidraft.document import deep_trees
from scidraft.library import Library
from scidraft.messages import Messages
from scidraft.settings import Settings


@dataclass
class Draft:
    """A note on its way through the passes.

    `target` is what it is drafted for: a pandoc writer's name such as "html5" or "latex", or "print" for the HTML that is
    printed. `source` is the note's file where it is known (pandoc does not tell a filter). `library` finds other notes.
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
        with deep_trees():
            doc, catalogue = copy.deepcopy((self.doc, self.catalogue))
        doc.format = target
        return Draft(doc, self.settings, self.messages, target, self.source, catalogue, self.library)
