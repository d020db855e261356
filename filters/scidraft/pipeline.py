"""The passes in their order, written once, and how a document goes through them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import panflute as pf

from scidraft import arrange, collect, dialects, document, graph, index, library, lists, number, render, resolve, writers
from scidraft.document import meta_value
from scidraft.draft import Draft
from scidraft.fonts import asks_for_fonts, read_fonts
from scidraft.library import Entry, Library
from scidraft.messages import Messages
from scidraft.messages.fonts import only_builder_brings
from scidraft.metadata import read_settings
from scidraft.settings import APPLIED

Pass = Callable[[Draft], None]

#: What is the same for every target: read the note's syntax, put things where they are read, find what it states, number it, word
#: its references, and what is made of all that.
COMMON: tuple[Pass, ...] = (
    graph.place,
    dialects.run,
    arrange.run,
    collect.run,
    number.run,
    resolve.run,
    graph.run,
    lists.run,
)


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


def prepare(
    doc: pf.Doc,
    *,
    source: Path | None = None,
    target: str = "",
    overrides: Mapping[str, Any] | None = None,
    alone: bool = False,
) -> Draft:
    """A draft of `doc`, with its settings read; `source` is the note's file where it is known.

    `overrides` are fields of `Settings` that win over the note's metadata. `alone`: what is in other notes is not looked up.
    """
    messages = Messages(str(source) if source else None)
    settings = read_settings(doc, messages, overrides)
    folder = source.parent if source else Path()
    if not alone:
        meta = {key: meta_value(value) for key, value in doc.metadata.content.dict.items()}
        if source:
            settings = replace(settings, fonts=read_fonts(meta, folder, messages))
        elif asks_for_fonts(meta, messages):
            # pandoc does not tell a filter where the note is, and its own template is not ours.
            messages.add(only_builder_brings())
    others = Library(folder, settings.library, messages, None if alone else read_index)
    return Draft(doc, settings, messages, target or doc.format, source, library=others)


def read_index(note: Path) -> Entry:
    """The index of a note's file. What it refers to in other notes is not read, so notes may refer to each other."""
    try:
        return index.of_note(read_note(note, Messages(), alone=True), note.stem, note.name)
    except (writers.PandocError, OSError):
        return index.empty(note.stem)


def fingerprint(note: Path) -> str:
    """A short name of what other notes can say of this one."""
    return library.fingerprint(note, read_index)


def read_note(note: Path, report: Messages, *, overrides: Mapping[str, Any] | None = None, alone: bool = False) -> Draft:
    """The draft of a note's file after the common passes; what there is to say goes to `report`.

    Raises PandocError and OSError. `overrides` and `alone` are as for `prepare`.
    """
    # A missing note is told in the system's words, not in those of pandoc, which is started elsewhere.
    with note.open("rb"):
        doc = document.load(writers.read(note, report))
    draft = prepare(doc, source=note, overrides=overrides, alone=alone)
    report.extend(draft.messages)
    draft.messages = draft.library.report = report
    return run_common(draft)


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


def mark_applied(draft: Draft, names: Iterable[str]) -> None:
    """Note in the metadata what has been done, so that the same filter named twice does it once."""
    done = sorted(draft.settings.applied | set(names))
    draft.doc.metadata.content.dict[APPLIED] = pf.MetaString(" ".join(done))
