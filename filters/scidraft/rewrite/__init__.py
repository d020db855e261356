"""Rewrites a note's source to the canonical syntax, and makes sure that the note is the same afterwards.

It works on the text, so that layout, comments and all that needs no change stay as they are. Every change is kept only if the
note, read and filtered, is the same with it as before. What pandoc cannot read at all (TOML front matter, MyST directives,
bookdown's old chunks) is converted first.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from scidraft import document, pipeline, render
from scidraft.draft import Draft
from scidraft.messages import Messages
from scidraft.paths import pandoc
from scidraft.rewrite import hugo, myst, references, statements
from scidraft.rewrite.source import Edit, apply


def rewrite(text: str, source: str = "auto", *, path: Path | None = None, report: Messages | None = None) -> str:
    """The text of a note in the canonical syntax.

    `source` is what the note was written for: myst, hugo, bookdown, …, or auto; `path` is its file, for what is looked up beside
    it; what cannot be converted is told to `report`. Raises RuntimeError with pandoc's words when it cannot read the note.
    """
    report = report if report is not None else Messages(str(path) if path else None)
    # The converters tell what they know by its shape, so a note of another tool passes them unchanged.
    if source == "hugo" or (source == "auto" and hugo.is_hugo(text)):
        text = hugo.convert(text, report)
    if source == "myst" or (source == "auto" and myst.is_myst(text)):
        text = myst.convert(text, report)
    draft, before = _filtered(text, path)
    if source in ("auto", "bookdown"):
        converted = apply(text, statements.chunks(text, draft.settings))
        if converted != text:
            text = converted
            draft, before = _filtered(text, path)
    same = _Same(before, path)
    text = _improve(text, list(statements.edits(text, draft.settings)), same)
    for capitals in (False, True):
        text = _improve(text, list(references.edits(text, draft.catalogue.targets.keys(), capitals=capitals)), same)
    return text


def _improve(text: str, edits: Sequence[Edit], same: Callable[[str], bool]) -> str:
    """The text with those of `edits` that leave the note what it is."""
    kept: list[Edit] = []

    def keep(candidates: Sequence[Edit]) -> None:
        if not candidates or same(apply(text, [*kept, *candidates])):
            kept.extend(candidates)
        elif len(candidates) > 1:
            middle = len(candidates) // 2
            keep(candidates[:middle])
            keep(candidates[middle:])

    keep(edits)
    return apply(text, kept)


class _Same:
    """Tells whether a text gives the same document as the note does."""

    def __init__(self, before: str, path: Path | None) -> None:
        self.before = before
        self.path = path

    def __call__(self, text: str) -> bool:
        try:
            return _filtered(text, self.path)[1] == self.before
        except RuntimeError:
            return False


def _filtered(text: str, path: Path | None) -> tuple[Draft, str]:
    """The draft of a note after the passes over statements, and its document in a form that can be compared."""
    done = subprocess.run([pandoc(), "-f", "markdown", "-t", "json"], input=text.encode(), capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace").strip())
    draft = pipeline.run_common(pipeline.prepare(document.load(done.stdout), source=path))
    # LaTeX too: there a reference may be a command where a page has the same words.
    copies = [draft.for_target(target) for target in ("html", "latex")]
    for copy in copies:
        render.run(copy)
    return draft, json.dumps([*map(_comparable, copies), sorted(message.text for message in draft.messages)])


def _comparable(draft: Draft) -> Any:
    """A filtered document in a form in which only what a reader could see makes a difference."""
    return _normal(_paragraphs(json.loads(document.dump(draft.doc))["blocks"]))


def _paragraphs(blocks: list[Any]) -> list[Any]:
    """Text that something follows without a blank line is a paragraph too, except in a list, where it makes the list tight."""
    paragraphs = []
    for block in blocks:
        if block["t"] == "Div":
            block = {"t": "Div", "c": [block["c"][0], _paragraphs(block["c"][1])]}
        paragraphs.append({**block, "t": "Para"} if block["t"] == "Plain" else block)
    return paragraphs


def _normal(value: Any) -> Any:
    if isinstance(value, list):
        return _one_space([_normal(item) for item in value])
    if not isinstance(value, dict):
        return value
    if value.get("t") == "SoftBreak":
        return {"t": "Space"}
    if value.get("t") == "Math":
        return {"t": "Math", "c": [value["c"][0], " ".join(value["c"][1].split())]}
    # pandoc counts the citations of a document, references of ours among them.
    return {key: _normal(item) for key, item in value.items() if key not in ("citationNoteNum", "citationHash")}


def _one_space(items: list[Any]) -> list[Any]:
    """Strings side by side as one, and spaces too: a filter may leave a word in pieces."""
    merged: list[Any] = []
    for item in items:
        last = merged[-1] if merged else None
        if isinstance(item, dict) and isinstance(last, dict) and item.get("t") == last.get("t") == "Str":
            merged[-1] = {"t": "Str", "c": last["c"] + item["c"]}
        elif not (isinstance(item, dict) and item == last == {"t": "Space"}):
            merged.append(item)
    return merged
