"""Takes a golden case through scidraft in this process, as its pandoc defaults file says.

A case is a folder of tests/golden: `input.md`, what comes of it (`expected.html`, `expected.tex`, `expected.warnings`), and,
where it needs any, pandoc's options in `defaults.yaml`. What that file lists under `filters` is applied in order; without the
key it is `scidraft-statements` alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from scidraft import document, paths, pipeline
from scidraft.draft import Draft

TESTS = Path(__file__).parent
GOLDEN = TESTS / "golden"
CASES = sorted(path.parent.name for path in GOLDEN.glob("*/input.md"))

#: The passes that each filter stands for.
FILTERS = {
    "scidraft-statements": ["statements"],
    "scidraft-math": ["math"],
    "scidraft-diagrams": ["diagrams"],
    "scidraft": list(pipeline.PASSES),
}

#: Options of pandoc that concern reading; all others concern writing.
_READING = {"from", "reader", "metadata", "metadata-files", "file-scope"}


class PandocFailed(Exception):
    """pandoc ended with an error; the text is its own."""


@dataclass
class Result:
    """What became of a case for one pandoc writer: the text, the draft it was written from, and what was said on the way."""

    output: bytes
    draft: Draft
    said: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return self.output.decode()


def defaults(case: str) -> dict[str, Any]:
    """The case's pandoc options."""
    path = GOLDEN / case / "defaults.yaml"
    options: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8")) if path.exists() else {}
    return options


def filters(case: str) -> list[str]:
    """The names of the case's filters, in order."""
    names: list[str] = defaults(case).get("filters", ["scidraft-statements"])
    return names


def run(case: str, writer: str, *options: str) -> Result:
    """Read, filter and write a case; `options` are more of pandoc's for writing."""
    folder = GOLDEN / case
    given = defaults(case)
    reading = {key: value for key, value in given.items() if key in _READING}
    writing = {key: value for key, value in given.items() if key not in _READING and key != "filters"}
    source, told = _read(case, repr(reading))
    said = list(told)
    draft: Draft | None = None
    steps = filters(case)
    while steps and steps[-1] == "citeproc":
        # pandoc does it while it writes.
        steps.pop()
        writing["citeproc"] = True
    for name in steps:
        if name == "citeproc":
            source, more = pandoc(folder, ["-f", "json", "-t", "json", "--citeproc"], source)
        else:
            draft = pipeline.prepare(document.load(source, writer))
            pipeline.run(draft, FILTERS[name])
            source, more = document.dump(draft.doc).encode(), draft.messages.lines()
        said += [line for line in more if line not in said]
    assert draft is not None, f"{case} has no filter of ours"
    output, more = pandoc(folder, ["-f", "json", "-t", writer, "--wrap=none", *options], source, writing)
    return Result(output, draft, said + [line for line in more if line not in said])


def source(case: str) -> bytes:
    """A case as pandoc reads it, in its JSON."""
    return _read(case, repr({key: value for key, value in defaults(case).items() if key in _READING}))[0]


def run_through_pandoc(case: str, writer: str, *options: str) -> tuple[str, list[str]]:
    """The same by `pandoc --filter …` as an author calls it: the text, and what was said."""
    with tempfile.TemporaryDirectory() as folder:
        commands = {"scidraft-statements": "statements_filter", "scidraft-math": "math_filter", "scidraft": "main"}
        for name, function in commands.items():
            script = Path(folder, name)
            script.write_text(f"#!{sys.executable}\nfrom scidraft.cli import {function}\nraise SystemExit({function}())\n")
            script.chmod(0o755)
        given = {**defaults(case), "filters": [name if name == "citeproc" else f"{folder}/{name}" for name in filters(case)]}
        output, said = pandoc(GOLDEN / case, ["input.md", "-t", writer, "--wrap=none", *options], b"", given)
    return output.decode(), said


@cache
def _read(case: str, reading: str) -> tuple[bytes, tuple[str, ...]]:
    # Once for all formats; the options are part of the key as text, because a dictionary cannot be.
    source, said = pandoc(GOLDEN / case, ["input.md", "-t", "json"], b"", yaml.safe_load(reading))
    return source, tuple(said)


def pandoc(
    folder: Path, arguments: Sequence[str], given: bytes, options: dict[str, Any] | None = None
) -> tuple[bytes, list[str]]:
    """Run pandoc in `folder`, with `options` as a defaults file; returns what it wrote and the lines it said."""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", encoding="utf-8") as file:
        yaml.safe_dump(options or {}, file, allow_unicode=True)
        file.flush()
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        result = subprocess.run(
            [paths.pandoc(), "--defaults", file.name, *arguments],
            input=given,
            cwd=folder,
            env=environment,
            capture_output=True,
            check=False,
        )
    said = result.stderr.decode()
    if result.returncode:
        raise PandocFailed(said)
    return result.stdout, said.splitlines()


def message_lines(html: Iterable[str], latex: Iterable[str]) -> str:
    """What was said for both formats, one line each; what only one of them said begins with its name."""
    html, latex = list(html), list(latex)
    lines = [line if line in latex else f"html only: {line}" for line in html]
    lines += [f"latex only: {line}" for line in latex if line not in html]
    return "".join(f"{line}\n" for line in lines)
