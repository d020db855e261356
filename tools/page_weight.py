"""Weighs the web pages of notes and what formulas add to them: `make page-weight`, or page_weight.py [NOTES …].

Each note is built with its formulas drawn and as MathML. Bytes are of the HTML alone, as it is and compressed as a server sends
it (gzip, level 9); fonts, which a browser fetches once, are not in them. A part of a page weighs what its absence saves.
"""

from __future__ import annotations

import argparse
import gzip
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import yaml

from scidraft.build import build
from scidraft.note import Task

_NOTES = Path(__file__).resolve().parent.parent / "notes"
_USUAL = ("woodbury", "writing")
_SPOKEN = re.compile(r'<span class="formula-spoken".*?</math></span>')
_COPIED = re.compile(r'<span class="formula-source".*?</span>')
_DRAWN = re.compile(r'(<span class="math[^>]*>)<svg .*?</svg>')
_WRITTEN = re.compile(r'(<span class="math[^>]*>)<math.*?</math>')
#: Where a formula begins, once for each: not the further pieces of a long one, nor its form for small screens.
_FORMULA = re.compile(
    r'<span class="math (?:inline|display[^"]*)">(?:(?!<span class="math).)*?<span class="formula-source"[^>]*>(?:\$|\\begin)'
)


class Weight(NamedTuple):
    """Bytes of a page or of a part of it, as they are and compressed."""

    raw: int
    sent: int

    def __sub__(self, other: Weight) -> Weight:
        return Weight(self.raw - other.raw, self.sent - other.sent)


def weigh(page: str) -> Weight:
    """The weight of a page."""
    data = page.encode()
    return Weight(len(data), len(gzip.compress(data, 9, mtime=0)))


def parts(drawn: str, written: str) -> dict[str, Weight]:
    """What a page weighs with its formulas `drawn` and `written` as MathML, and what the parts of its formulas do."""
    seen = _SPOKEN.sub("", drawn)
    alone = _COPIED.sub("", seen)
    return {
        "page, drawn": weigh(drawn),
        "pictures": weigh(alone) - weigh(_DRAWN.sub(r"\1", alone)),
        "read out": weigh(drawn) - weigh(seen),
        "copied": weigh(seen) - weigh(alone),
        "page, MathML": weigh(written),
        "MathML": weigh(_COPIED.sub("", written)) - weigh(_WRITTEN.sub(r"\1", _COPIED.sub("", written))),
    }


def count(page: str) -> int:
    """How many formulas a page has."""
    return len(_FORMULA.findall(page))


def pages(note: Path, folder: Path) -> tuple[str, str]:
    """The page of a note with its formulas drawn, and as MathML; both are built in `folder`."""
    made = []
    _, front, body = note.read_text(encoding="utf-8").split("---\n", 2)
    metadata = yaml.safe_load(front)
    for medium in ("svg", "mathml"):
        metadata.setdefault("scidraft", {})["math"] = medium
        source = folder / medium / note.name
        shutil.copytree(note.parent, source.parent)
        source.write_text(f"---\n{yaml.safe_dump(metadata, allow_unicode=True)}---\n{body}", encoding="utf-8")
        build([source], Task(folder / medium / "build", ("html",)))
        made.append((folder / medium / "build" / f"{note.stem}.html").read_text(encoding="utf-8"))
    return made[0], made[1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table for each note."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    usual = [_NOTES / f"{name}.md" for name in _USUAL]
    parser.add_argument("notes", nargs="*", type=Path, default=usual, help="default: woodbury and the author's guide")
    for note in parser.parse_args(arguments).notes:
        with TemporaryDirectory() as folder:
            drawn, written = pages(note, Path(folder))
        formulas = count(drawn)
        print(f"{note.stem}: {formulas} formulas; bytes{'raw':>22}{'sent':>9}{'raw each':>11}{'sent each':>11}")
        for name, weight in parts(drawn, written).items():
            each = "" if name.startswith("page") else f"{weight.raw / formulas:11.0f}{weight.sent / formulas:11.0f}"
            print(f"  {name:<40}{weight.raw:9,}{weight.sent:9,}{each}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
