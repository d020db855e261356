"""Measures what formulas cost in print: `make bench-print`, or bench_print.py [PAGES …] [--runs N].

A note of each length is printed in words, with its formulas as WeasyPrint draws them (inline SVG), and as we do; pdflatex sets
the same note. All figures are CPU seconds and peak memory of whole processes, each the median of its runs, all taken in one go:
the ratios can be compared from one machine to another, the seconds cannot.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple
from unittest import mock

import pikepdf

_INLINE = (
    ("x_{%d} \\in \\mathbb{R}^{n}", "the point number %d"),
    ("\\lVert A_{%d} v \\rVert \\le 1", "the norm of %d is small"),
    ("\\alpha_{%d} = \\beta^2", "alpha %d"),
    ("f_{%d}(x) \\to 0", "the limit of %d"),
    ("n^{%d}", "n to %d"),
    ("\\frac{1}{%d} \\sum_{i} p_i", "the mean of %d terms"),
    ("\\hat\\theta_{%d}", "estimate %d"),
    ("\\lambda_{%d} < \\lambda", "value %d"),
)
_DISPLAY = (
    "\\int_\\Omega |\\nabla u_{%d}|^2 \\,dx \\le C \\int_\\Omega |f|^2 \\,dx",
    "\\mathcal{L}_{%d}(\\theta) = -\\sum_{i=1}^{n} \\log p_\\theta(y_i \\mid x_i) + \\lambda \\lVert \\theta \\rVert_2^2",
    "(A_{%d} + UCV)^{-1} = A^{-1} - A^{-1} U \\bigl(C^{-1} + V A^{-1} U\\bigr)^{-1} V A^{-1}",
    "\\begin{aligned} a_{%d} &= b + c \\\\ &= \\sqrt{d + e} \\end{aligned}",
)
_WORDS = (
    *("the", "a", "space", "of", "functions", "continuous", "bounded", "linear", "operator", "compact", "set"),
    *("open", "cover", "converges", "sequence", "subspace", "measure", "almost", "every", "where", "integral"),
    *("finite", "limit", "uniform", "estimate", "kernel", "spectrum", "closed", "dense", "separable"),
    *("follows", "argument", "we", "obtain", "therefore", "hence", "suppose", "given", "choose", "small"),
    *("enough", "constant", "depends", "only", "on", "dimension", "local", "global", "smooth"),
)


def note(pages: int, *, formulas: bool) -> str:
    """Markdown for about so many pages, with a table of contents, some 20 formulas a page, and a statement on each.

    Without `formulas`, words stand in their place. The same number of pages gives the same text.
    """
    chance = random.Random(pages)
    count = 0

    def inline() -> str:
        nonlocal count
        count += 1
        tex, words = chance.choice(_INLINE)
        return f"${tex % count}$" if formulas else words % count

    def prose(formulas_in_it: int) -> str:
        parts = []
        for _ in range(formulas_in_it):
            parts += [*chance.choices(_WORDS, k=14), inline()]
        return " ".join([*parts, *chance.choices(_WORDS, k=4)]).capitalize() + "."

    def display() -> str:
        nonlocal count
        count += 1
        tex = chance.choice(_DISPLAY)
        return f"$$ {tex % count} $$" if formulas else " ".join(chance.choices(_WORDS, k=12)) + "."

    parts = ["---\ntitle: A long note\nauthor: Nobody\nlang: en\ntoc: true\n---\n"]
    for page in range(1, pages + 1):
        if page % 3 == 1:
            parts.append(f"# Section {page} {{#sec-{page}}}\n")
        parts.append(f"## Topic {page} {{#top-{page}}}\n")
        parts += [prose(5), display(), f"::: {{.theorem #thm-{page}}}\n{prose(3)}\n\n{display()}\n:::\n", prose(5), prose(5)]
    return "\n\n".join(parts) + "\n"


class Cost(NamedTuple):
    """What a process took: CPU seconds, peak memory in MB, and the pages it made."""

    seconds: float
    memory: float
    pages: int


def print_page(page: Path, how: str, folder: Path) -> Cost:
    """Print a page of HTML in this process. `how`: plain (WeasyPrint alone), first (nothing known), again (numbers known)."""
    from scidraft import pdf

    text = page.read_text(encoding="utf-8")
    base = f"{folder.resolve()}/"
    known = page.with_suffix(f".{how}.json")
    printed = pdf.print_plainly(text, base) if how == "plain" else pdf.print_well(text, base, known)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    with pikepdf.open(io.BytesIO(printed)) as document:
        pages = len(document.pages)
    return Cost(usage.ru_utime + usage.ru_stime, _megabytes(usage.ru_maxrss), pages)


def _megabytes(size: int) -> float:
    return size / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def _made(source: Path, name: str) -> Any:
    """What the builder hands to WeasyPrint for a note."""
    from scidraft import pdf
    from scidraft.messages import Messages
    from scidraft.note import Task, build_note
    from scidraft.printing import outline

    with mock.patch.object(pdf, "write", return_value=b"") as write:
        build_note(source, Task(source.parent, ("pdf", "latex")), Messages(name))
    return outline.with_classes(write.call_args.args[0])


def _measured(command: Sequence[str | Path], folder: Path) -> Cost:
    """Run a command that does not tell its cost."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command[0]} ended with exit code {process.returncode}")
    # Its memory is not told: the system counts that of this process, from which it was forked.
    return Cost(usage.ru_utime + usage.ru_stime, 0, 0)


def _printed(page: Path, how: str) -> Cost:
    command = [sys.executable, __file__, "--print", str(page), how]
    return Cost(*json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def measure(pages: int, runs: int, folder: Path) -> None:
    """Measure a note of about so many pages and print what it cost."""
    html = {}
    for name, formulas in (("words", False), ("formulas", True)):
        source = folder / f"{name}-{pages}.md"
        source.write_text(note(pages, formulas=formulas), encoding="utf-8")
        html[name] = source.with_suffix(".html")
        html[name].write_text(_made(source, name), encoding="utf-8")
    latex = shutil.which("pdflatex")
    costs: dict[str, list[Cost]] = {}
    for _ in range(runs):
        for label, name, how in (
            ("words, WeasyPrint alone", "words", "plain"),
            ("words", "words", "again"),
            ("inline SVG", "formulas", "plain"),
            ("ours, first time", "formulas", "first"),
            ("ours", "formulas", "again"),
        ):
            if how == "first":
                html[name].with_suffix(".first.json").unlink(missing_ok=True)
            costs.setdefault(label, []).append(_printed(html[name], how))
        if latex:
            # Twice, as it takes for the page numbers of the contents to be right; the first time without those of the last.
            (folder / f"formulas-{pages}.toc").unlink(missing_ok=True)
            (folder / f"formulas-{pages}.aux").unlink(missing_ok=True)
            command = (latex, "-interaction=batchmode", f"formulas-{pages}.tex")
            first, second = (_measured(command, folder) for _ in range(2))
            costs.setdefault("pdflatex, second run alone", []).append(second)
            costs.setdefault("pdflatex", []).append(second._replace(seconds=first.seconds + second.seconds))
    _report(costs)


def _report(costs: dict[str, list[Cost]]) -> None:
    middle = {
        label: Cost(median(c.seconds for c in found), median(c.memory for c in found), found[0].pages)
        for label, found in costs.items()
    }
    ours = middle["ours"]
    print(f"\n{ours.pages} pages{'':20}CPU s  ours is    memory   MB a page")
    for label, cost in middle.items():
        memory = f"{cost.memory:6.0f} MB   {cost.memory / cost.pages:6.2f}" if cost.pages else ""
        print(f"{label:28} {cost.seconds:6.1f}  {ours.seconds / cost.seconds:5.2f} ×  {memory}")


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("pages", nargs="*", type=int, default=[44, 212], help="lengths of the notes (44 212)")
    parser.add_argument("--runs", type=int, default=3, help="how often each is printed (3)")
    parser.add_argument("--print", nargs=2, metavar=("PAGE", "HOW"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.print:
        page = Path(options.print[0])
        print(json.dumps(print_page(page, options.print[1], page.parent)))
        return
    with tempfile.TemporaryDirectory() as folder:
        for pages in options.pages:
            measure(pages, options.runs, Path(folder))


if __name__ == "__main__":
    main()
