"""Reads notes and writes web pages, the HTML that is printed, and LaTeX, with pandoc."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from scidraft import messages
from scidraft.messages import Message, Messages
from scidraft.paths import TEMPLATES, pandoc

#: The pandoc writer and the template (in templates/) of each target.
_WRITERS = {
    "html": ("html5", "scidraft.html"),
    "print": ("html5", "scidraft-print.html"),
    "latex": ("latex", "scidraft.latex"),
}
_LOOP = re.compile(r"Loop encountered in expanding macro")
#: \\def and \\let in raw TeX, as JSON has it.
_PRIMITIVE = re.compile(rb'"(?:tex|latex)","(?:[^"\\]|\\.)*?\\\\(?:[gex]?def|let)(?![A-Za-z@])')
_WARNING = re.compile(r"^\[WARNING\] ", re.MULTILINE)


class PandocError(Exception):
    """pandoc refused a note; the text is pandoc's own."""


def read(source: Path, report: Messages) -> bytes:
    """The note `source` as pandoc's JSON; pandoc's warnings go to `report`.

    pandoc runs in the note's folder, so that what the note names is found beside it. Raises PandocError.
    """
    # A name like -x.md must not be taken for an option.
    arguments = ["-t", "json", f"./{source.name}"]
    try:
        found = _run(["-f", "markdown", *arguments], b"", source.parent, report)
        if not _PRIMITIVE.search(found):
            return found
        # Without pandoc's own macros, so that our passes see which formulas use them.
        return _run(["-f", "markdown-latex_macros", *arguments], b"", source.parent, report)
    except PandocError as error:
        if not _LOOP.search(str(error)):
            raise
        # Our passes tell of the formula, and the rest of the note stays.
        return _run(["-f", "markdown-latex_macros", *arguments], b"", source.parent, report)


def cite(document: str, folder: Path, report: Messages) -> bytes:
    """`document` (pandoc's JSON) with its citations and bibliography worked out, as JSON again. Raises PandocError."""
    return _run(["-f", "json", "-t", "json", "--citeproc"], document.encode(), folder, report)


def write(
    document: str, target: str, folder: Path, report: Messages, *, variables: Mapping[str, str], options: Sequence[str] = ()
) -> bytes:
    """The text of `document` (pandoc's JSON) for a target: "html", "print" or "latex".

    `variables` are set for the template, `options` are more of pandoc's own. Raises PandocError.
    """
    writer, template = _WRITERS[target]
    arguments = ["-f", "json", "-t", writer, "--wrap=none", f"--template={TEMPLATES / template}", *options]
    if target == "html":
        # For formulas that no pass reaches. Print goes without: WeasyPrint would set MathML as a row of letters.
        arguments.append("--mathml")
    for name, value in variables.items():
        arguments += ["--variable", f"{name}={value}"]
    return _run(arguments, document.encode(), folder, report)


def _run(arguments: Sequence[str], given: bytes, folder: Path, report: Messages) -> bytes:
    result = subprocess.run([pandoc(), *arguments], input=given, capture_output=True, cwd=folder, check=False)
    said = result.stderr.decode(errors="replace").strip()
    if result.returncode:
        raise PandocError(" ".join(said.split()) or f"pandoc ended with exit code {result.returncode}")
    report.extend(_told(said))
    return result.stdout


def _told(said: str) -> list[Message]:
    """pandoc's warnings, one message each; their further lines are indented."""
    return [messages.building.from_pandoc(" ".join(warning.split())) for warning in _WARNING.split(said) if warning.strip()]
