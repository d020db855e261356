"""The command `scidraft fmt`: rewrites notes, and prints them, shows what changes, or changes the files."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from scidraft import messages
from scidraft.files import write_atomically
from scidraft.messages import Messages
from scidraft.rewrite import rewrite

Mode = Literal["print", "diff", "write"]


def run(notes: Sequence[Path], source: str, mode: Mode) -> int:
    """Rewrite `notes`; returns the exit code: 0, or 1 when one of them could not be read."""
    failed = False
    for note in notes:
        report = Messages(str(note))
        before = ""
        after = None
        try:
            before = note.read_bytes().decode()
            # Lines may end as they do on Windows; they end so afterwards too.
            returns = "\r\n" in before
            after = rewrite(before.replace("\r\n", "\n"), source, path=note, report=report)
            after = after.replace("\n", "\r\n") if returns else after
        except RuntimeError as error:
            report.add(messages.building.pandoc_failed(str(error)))
        except UnicodeDecodeError:
            report.add(messages.building.pandoc_failed("the note is not in UTF-8"))
        except OSError as error:
            report.add(messages.building.system_error(error))
        for line in report.lines():
            print(line, file=sys.stderr)
        if after is None:
            failed = True
        elif mode == "write":
            _write(note, after)
        else:
            sys.stdout.write(_difference(note, before, after) if mode == "diff" else after)
    return 1 if failed else 0


def _write(note: Path, text: str) -> None:
    # A link stays a link, and the file's permissions stay the author's.
    path = note.resolve()
    mode = path.stat().st_mode
    if write_atomically(path, text.encode()):
        path.chmod(mode)


def _difference(note: Path, before: str, after: str) -> str:
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), str(note), f"{note} (canonical)"
    )
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
