"""Other notes: finds the note that a reference such as `woodbury:idn-woodbury` names, and what is known of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import takewhile
from pathlib import Path
from typing import Any

import panflute as pf

from scidraft import messages
from scidraft.catalogue import Elsewhere
from scidraft.document import inlines, read_markup
from scidraft.messages import Messages

_NOTES = (".md", ".markdown")
_WILDCARD = re.compile(r"[*?\[]")
_MARKUP = re.compile(r"[\\`*_\[\]<>$^~@|#]")

#: The version of the index's schema that is understood.
VERSION = 1

Entry = dict[str, Any]

#: Reads the index of a note, as `index.of_note` has it.
ReadIndex = Callable[[Path], Entry]


class Library:
    """The notes that a note can refer to: those beside it, and those its setting `library` names.

    Nothing is looked at before a reference asks for it. `consulted` are the files that answers came from, or would have come from
    were they there: the note depends on them.
    """

    def __init__(
        self,
        folder: Path | None = None,
        places: Sequence[str] = (),
        report: Messages | None = None,
        read: ReadIndex | None = None,
    ) -> None:
        """`folder` is the note's (None: there are no other notes); `places` are files and patterns, notes or indexes in JSON.

        Without `read` the library knows which notes there are, but not what is in them. What is wrong with a place is told to
        `report`.
        """
        self.folder = folder
        self.places = places
        self.report = report or Messages()
        self.read = read
        self.consulted: set[Path] = set()
        self._contents: dict[str, dict[str, Entry]] = {}

    def knows(self, note: str) -> bool:
        """Whether there is a note of this name."""
        if self.folder is None:
            return False
        if note not in self._sources and note and "/" not in note:
            self.consulted.add(self.folder / f"{note}{_NOTES[0]}")
        return note in self._sources

    def find(self, note: str, identifier: str) -> Elsewhere | None:
        """What has the id `identifier` in the note of this name."""
        if self.read is None or not self.knows(note):
            return None
        if note not in self._contents:
            self._contents[note] = self._entries(note)
        contents = self._contents[note]
        entry = contents.get(identifier) or contents.get(identifier[:1].lower() + identifier[1:])
        if entry is None:
            return None
        noun = entry.get("kind") or entry["noun"]
        title, document = (_words(text) for text in (entry["title_markdown"], contents[""]["title_markdown"] or note))
        number = entry["number"]
        name = str(entry.get("label", "")).partition(" (")[0].removesuffix(number or "").strip()
        return Elsewhere(note, entry["id"], noun, number, name, title, document)

    @cached_property
    def _sources(self) -> dict[str, Path | Entry]:
        """Where what is known of each note comes from: its file, or an index that has it. The nearest comes first."""
        assert self.folder is not None
        beside = [path for path in sorted(self.folder.iterdir()) if path.suffix in _NOTES] if self.folder.is_dir() else []
        sources: dict[str, Path | Entry] = {path.stem: path for path in beside}
        for place in self.places:
            paths = _files(self.folder / place)
            if not paths:
                self.report.add(messages.lists.nothing_in_library(place))
            for path in paths:
                if path.suffix == ".json":
                    self.consulted.add(path)
                    index = self._load(path)
                    for note in index["notes"]:
                        sources.setdefault(note["name"], index)
                else:
                    sources.setdefault(path.stem, path)
        return sources

    def _load(self, path: Path) -> Entry:
        try:
            index: Entry = json.loads(path.read_text(encoding="utf-8"))
            if index["version"] == VERSION and {"notes", "statements", "labels"} <= index.keys():
                return index
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            pass
        self.report.add(messages.lists.no_index(path.name))
        return {"notes": []}

    def _entries(self, note: str) -> dict[str, Entry]:
        """What a note has, by id; under "" the note itself."""
        source = self._sources[note]
        if isinstance(source, Path):
            assert self.read is not None
            self.consulted.add(source)
            source = index_of(source, self.read)
        entries = (entry for entry in (*source["statements"], *source["labels"]) if entry["note"] == note and entry["id"])
        return {"": next(entry for entry in source["notes"] if entry["name"] == note)} | {entry["id"]: entry for entry in entries}


def index_of(path: Path, read: ReadIndex) -> Entry:
    """The index of a note, read by `read` and kept on disk as long as the note does not change."""
    # Imported here: most notes refer to no other, and a filter should start fast.
    from scidraft.engines.cache import Cache, key
    from scidraft.files import digest_of
    from scidraft.staleness import tool

    cache = Cache("index")
    name = key("index", VERSION, tool(), path.stem, digest_of(path))
    kept = cache.get(name)
    index: Entry = json.loads(kept) if kept else read(path)
    if not kept:
        cache.put(name, json.dumps(index))
    cache.close()
    return index


def fingerprint(path: Path, read: ReadIndex) -> str:
    """A short name of all that other notes can say of a note, or of an index file: other words, other name. "" for no file."""
    from scidraft.files import digest, digest_of

    if path.suffix == ".json" or not path.is_file():
        return digest_of(path)
    index = index_of(path, read)
    said = [[entry["title_markdown"] for entry in index["notes"]]]
    for entry in (*index["statements"], *index["labels"]):
        said.append([entry["id"], entry.get("kind") or entry["noun"], entry["number"], entry["title_markdown"]])
    return digest(json.dumps(said).encode())


def _files(pattern: Path) -> list[Path]:
    """The files of a name that may have the wildcards `*`, `?` and `[…]`."""
    fixed = list(takewhile(lambda part: not _WILDCARD.search(part), pattern.parts))
    rest = pattern.parts[len(fixed) :]
    if not rest:
        return [pattern] if pattern.is_file() else []
    return [path for path in sorted(Path(*fixed).glob("/".join(rest))) if path.is_file()]


def _words(text: str | None) -> list[pf.Element]:
    """A title as inlines; words without markup need no pandoc."""
    if text is None or not _MARKUP.search(text):
        return inlines(text or "")
    blocks = read_markup([text])[0]
    first = blocks[0] if blocks else None
    return list(first.content.list) if isinstance(first, (pf.Para, pf.Plain)) else inlines(text)
