"""The passes in their order, written once, and how a document goes through them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import panflute as pf

from scidraft import arrange, collect, dialects, number, render, resolve
from scidraft.draft import Draft
from scidraft.messages import Messages
from scidraft.settings import APPLIED, read_settings

Pass = Callable[[Draft], None]

#: What is the same for every target: read the note's syntax, put things where they are read, find what it states, number it, word its references.
COMMON: tuple[Pass, ...] = (dialects.run, arrange.run, collect.run, number.run, resolve.run)


def _diagrams(draft: Draft) -> None:
    # Imported when it is asked for, as is the maths: the engines take longer to load than a note's statements to number.
    from scidraft import diagrams

    diagrams.run(draft)


def _math(draft: Draft) -> None:
    from scidraft import math

    math.run(draft)


#: What is done for one target, by the name of the filter that does it alone.
PASSES: dict[str, tuple[Pass, ...]] = {
    "statements": (*COMMON, render.run),
    "diagrams": (_diagrams,),
    "math": (_math,),
}


def prepare(doc: pf.Doc, *, source: Path | None = None, target: str = "", overrides: Mapping[str, Any] | None = None) -> Draft:
    """A draft of `doc`, with its settings read; `source` is the note's file where it is known.

    `overrides` are fields of `Settings` that win over the note's metadata.
    """
    messages = Messages(str(source) if source else None)
    settings = read_settings(doc, messages, overrides)
    return Draft(doc, settings, messages, target or doc.format, source)


def run(draft: Draft, names: Iterable[str] = tuple(PASSES)) -> Draft:
    """Take a draft through the named groups of passes, in the order of `PASSES`; a group that has been applied is left out."""
    wanted = set(names)
    applied = [name for name in PASSES if name in wanted and name not in draft.settings.applied]
    for name in applied:
        for step in PASSES[name]:
            step(draft)
    mark_applied(draft, applied)
    return draft


def run_common(draft: Draft) -> Draft:
    """Take a draft through the passes that are the same for every target."""
    if "statements" not in draft.settings.applied:
        for step in COMMON:
            step(draft)
    return draft


def finish(draft: Draft) -> Draft:
    """Take a draft that has been through the common passes through those of its target."""
    if "statements" not in draft.settings.applied:
        render.run(draft)
    run(draft, ("diagrams", "math"))
    return draft


def mark_applied(draft: Draft, names: Iterable[str]) -> None:
    """Note in the metadata what has been done, so that the same filter named twice does it once."""
    done = sorted(draft.settings.applied | set(names))
    draft.doc.metadata.content.dict[APPLIED] = pf.MetaString(" ".join(done))
