"""Keeps the numbers that a note has given out, and tells when one changes: "Theorem 4 is now Theorem 5"."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from scidraft import messages, pipeline, writers
from scidraft.catalogue import Item, Row, Statement, Target
from scidraft.draft import Draft
from scidraft.files import write_atomically
from scidraft.messages import Messages
from scidraft.wording import Wordings, label_text, shown_number

_VERSION = 1


def path_of(note: Path) -> Path:
    """The file of a note's numbers, beside it."""
    return note.with_name(f"{note.stem}.lock.json")


def numbers(draft: Draft) -> dict[str, str]:
    """What has a number and an id, by its id, as it is called: "Theorem 1.2", "Equation (3)"."""
    wordings = Wordings(draft.settings, draft.messages)
    # The items of a statement change with it.
    return {
        identifier: _called(target, wordings)
        for identifier, target in draft.catalogue.targets.items()
        if target.number is not None and not isinstance(target, Item)
    }


def lock(notes: Iterable[Path]) -> int:
    """Write the file of each note's numbers and say what changed; returns the exit code of the command. Raises OSError."""
    failed = False
    for note in notes:
        report = Messages(str(note))
        try:
            draft = pipeline.read_note(note, report)
        except writers.PandocError as error:
            report.add(messages.building.pandoc_failed(str(error)))
            failed = True
        else:
            compare(draft, note)
            issued = numbers(draft)
            text = json.dumps({"version": _VERSION, "numbers": issued}, ensure_ascii=False, indent=2)
            write_atomically(path_of(note), f"{text}\n".encode())
            print(f"scidraft: {path_of(note)} keeps {len(issued)} numbers")
        for line in report.lines():
            print(line, file=sys.stderr)
    return int(failed)


def compare(draft: Draft, note: Path) -> None:
    """Tell what is called otherwise than when the note's numbers were locked; nothing where they never were. Raises OSError."""
    path = path_of(note)
    if not path.is_file():
        return
    try:
        issued = _read(path)
    except ValueError:
        draft.messages.add(messages.latex.no_lock(path.name))
        return
    now = numbers(draft)
    for identifier, was in issued.items():
        if identifier not in now:
            draft.messages.add(messages.latex.number_gone(was, identifier))
        elif now[identifier] != was:
            draft.messages.add(messages.latex.number_changed(was, identifier, now[identifier]))


def _read(path: Path) -> dict[str, str]:
    """The numbers in a file; raises ValueError when it is none of ours."""
    content: Any = json.loads(path.read_text(encoding="utf-8"))
    issued = content.get("numbers") if isinstance(content, dict) and content.get("version") == _VERSION else None
    if not isinstance(issued, dict) or not all(isinstance(was, str) for was in issued.values()):
        raise ValueError(path.name)
    return issued


def _called(target: Target, wordings: Wordings) -> str:
    if isinstance(target, Statement):
        return label_text(wordings.of(target.language), target)
    # A line of a display is an equation to its reader.
    noun = "equation" if isinstance(target, Row) else target.noun
    return f"{wordings.of(None).name(noun)} {shown_number(target)}"
