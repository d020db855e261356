"""Builds many notes: only those that are out of date, several at a time, and none in another's way."""

from __future__ import annotations

import multiprocessing
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path

from scidraft import messages, pipeline
from scidraft.files import write_atomically
from scidraft.messages import Messages
from scidraft.note import Result, Task, build_note, check_note, record_name
from scidraft.parity import compare_note
from scidraft.paths import ASSETS
from scidraft.staleness import State


@dataclass(frozen=True)
class Outcome:
    """What came of one note; small enough to be sent from one process to another."""

    note: Path
    lines: tuple[str, ...] = ()
    failed: bool = False
    written: int = 0


@dataclass
class Tally:
    """The outcomes of a run, counted."""

    notes: int = 0
    failed: int = 0
    written: int = 0
    messages: int = 0

    def add(self, outcome: Outcome) -> None:
        """Count one outcome and print its messages on standard error."""
        self.notes += 1
        self.failed += outcome.failed
        self.written += outcome.written
        self.messages += len(outcome.lines)
        for line in outcome.lines:
            print(line, file=sys.stderr)


def build(notes: Sequence[Path], task: Task, *, jobs: int = 0, force: bool = False) -> Tally:
    """Build the notes that are out of date; `jobs` of them at a time, 0 for one per processor.

    Messages go to standard error, note by note. A note that fails does not stop the others.
    """
    if "html" in task.formats:
        _bring_fonts(task.folder)
    state = State(task.folder, pipeline.fingerprint)
    stale: list[tuple[Path, Task]] = []
    for note in notes:
        due = tuple(
            (variant, name)
            for variant, name in task.pieces
            if force or not state.is_current(note, record_name(variant, name), task.options(note, name, variant))
        )
        if due:
            stale.append((note, task.only(due)))
    return _run(build_note, stale, jobs)


def check(notes: Sequence[Path], *, jobs: int = 0, strict: bool = False, parity: str = "") -> Tally:
    """List what is wrong in the notes, on standard error; write nothing.

    With a TeX engine as `parity` every output is made, and thrown away, to compare the numbers in it.
    """
    task = Task(Path("build"), ("html",), strict=strict, engine=parity)
    return _run(compare_note if parity else check_note, [(note, task) for note in notes], jobs)


def _bring_fonts(folder: Path) -> None:
    """The web fonts and their licences, once for all pages of a folder."""
    for pattern in ("*.woff2", "LICENSE*"):
        for font in sorted((ASSETS / "fonts").glob(pattern)):
            write_atomically(folder / "assets" / "fonts" / font.name, font.read_bytes())


Work = Callable[[Path, Task, Messages], Result]


def _attempt(work: Work, note: Path, task: Task) -> Outcome:
    """Do one note's work and turn whatever happens into an outcome."""
    report = Messages(str(note))
    result = Result(0, task.strict)
    try:
        result = work(note, task, report)
    except OSError as error:
        report.add(messages.building.system_error(error))
    except Exception as error:
        if os.environ.get("SCIDRAFT_DEBUG"):
            traceback.print_exc()
        report.add(messages.building.unexpected(error))
    failed = any(message.severity == "error" for message in report) or bool(result.strict and len(report))
    return Outcome(note, tuple(report.lines()), failed, result.written)


def _run(work: Work, todo: Sequence[tuple[Path, Task]], jobs: int) -> Tally:
    tally = Tally()
    jobs = min(jobs or os.cpu_count() or 1, len(todo))
    outcomes = _in_processes(work, todo, jobs) if jobs > 1 else (_attempt(work, note, task) for note, task in todo)
    progress = _Progress(len(todo))
    progress.show(0)
    for outcome in outcomes:
        progress.clear()
        tally.add(outcome)
        progress.show(tally.notes)
    progress.clear()
    return tally


def _in_processes(work: Work, todo: Sequence[tuple[Path, Task]], jobs: int) -> Iterator[Outcome]:
    """The outcomes as they come. A process that dies (out of memory, a crash in a library) costs its own note only."""
    # Forking shares what is loaded; only Linux's libraries stand it.
    context = multiprocessing.get_context("fork" if sys.platform.startswith("linux") else "spawn")
    unfinished = list(todo)
    with ProcessPoolExecutor(jobs, context) as pool:
        futures: dict[Future[Outcome], tuple[Path, Task]] = {pool.submit(_attempt, work, *item): item for item in todo}
        for future in as_completed(futures):
            try:
                outcome = future.result()
            except BrokenProcessPool:
                continue
            unfinished.remove(futures[future])
            yield outcome
    # When one process dies the pool gives up all: the rest is done one by one, so that the culprit is found.
    for note, task in unfinished:
        with ProcessPoolExecutor(1, context) as pool:
            try:
                yield pool.submit(_attempt, work, note, task).result()
            except BrokenProcessPool:
                report = Messages(str(note))
                report.add(messages.building.died())
                yield Outcome(note, tuple(report.lines()), failed=True)


class _Progress:
    """A line that says how far the run is, on a terminal only."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.wanted = total > 1 and sys.stderr.isatty()

    def show(self, done: int) -> None:
        if self.wanted:
            print(f"scidraft: {done} of {self.total} notes", end="\r", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self.wanted:
            print("\x1b[2K", end="\r", file=sys.stderr, flush=True)
