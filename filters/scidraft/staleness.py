"""Knows which outputs are out of date, from the contents of everything they were made from."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from scidraft.files import digest, digest_of, write_atomically
from scidraft.paths import ASSETS, TEMPLATES, pandoc

#: The packages that draw and write; another version of one may give another page.
_ENGINES = ("panflute", "Jinja2", "weasyprint", "pydyf", "mermaid-render", "quickjs-ng", "fonttools")


class State:
    """What is known of one output folder: a small JSON file for each note and target, so that two runs cannot clash."""

    def __init__(self, folder: Path, index_of: Callable[[Path], str] = digest_of) -> None:
        """`folder` is where the outputs are; the records go to `.scidraft` in it.

        `index_of` names what other notes can say of a note: when that changes, so do they.
        """
        self.folder = folder
        self.index_of = index_of

    def is_current(self, note: Path, target: str, options: Mapping[str, str]) -> bool:
        """Whether the target of a note was made with these options, this scidraft and the contents its inputs have now."""
        try:
            record = json.loads(self._record(note, target).read_text(encoding="utf-8"))
            return bool(
                record["made"] == self._made(note, options)
                and record["outputs"]
                and all(digest_of(self.folder / name) == was for name, was in {**record["inputs"], **record["outputs"]}.items())
                and all(self.index_of(self.folder / name) == was for name, was in record["notes"].items())
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return False

    def keep(
        self,
        note: Path,
        target: str,
        options: Mapping[str, str],
        inputs: Iterable[Path],
        outputs: Iterable[Path],
        notes: Iterable[Path] = (),
    ) -> None:
        """Remember how a target was made, and the other `notes` that it refers to.

        An input that does not exist is remembered too: its coming changes the output.
        """
        record: dict[str, Any] = {
            "made": self._made(note, options),
            "inputs": self._contents([note, *inputs]),
            "outputs": self._contents(outputs),
            "notes": {os.path.relpath(path, self.folder): self.index_of(path) for path in notes},
        }
        write_atomically(self._record(note, target), json.dumps(record, indent=1, sort_keys=True).encode())

    def forget(self, note: Path, target: str) -> None:
        """Let the target be made again next time."""
        self._record(note, target).unlink(missing_ok=True)

    def _record(self, note: Path, target: str) -> Path:
        return self.folder / ".scidraft" / f"{note.stem}.{target}.json"

    def _contents(self, paths: Iterable[Path]) -> dict[str, str]:
        return {os.path.relpath(path, self.folder): digest_of(path) for path in paths}

    def _made(self, note: Path, options: Mapping[str, str]) -> str:
        # The note's place is part of it: two folders' notes of one name must not pass for each other.
        return digest(repr((tool(), os.path.relpath(note, self.folder), sorted(options.items()))).encode())


@cache
def tool() -> str:
    """A fingerprint of all that makes pages: the package, the templates, the assets, pandoc, the engines."""
    package = Path(__file__).parent
    parts: list[object] = []
    for home in (package, TEMPLATES):
        for path in sorted(home.rglob("*")):
            name = path.relative_to(home).as_posix()
            if not path.is_file() or re.search(r"(^|/)(\.|__pycache__/)", name):
                continue
            # The assets are large and change as a whole; their sizes tell as much as their contents.
            parts.append((name, path.stat().st_size if ASSETS in path.parents else digest_of(path)))
    program = Path(pandoc())
    parts.append((str(program), program.stat().st_size if program.is_file() else 0))
    for name in _ENGINES:
        try:
            parts.append((name, version(name)))
        except PackageNotFoundError:
            parts.append((name, ""))
    return digest(repr(parts).encode())
