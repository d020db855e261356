"""The commands: `scidraft build` and `scidraft check`, and the filters that pandoc calls."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from scidraft import __version__, messages
from scidraft.settings import PDF_STANDARDS

_USAGE = 2
_FAULT = 70  # EX_SOFTWARE of sysexits.h
_INTERRUPTED = 130

_COMMANDS = ("build", "check", "index", "fmt", "lock", "impose")
#: What a note may have been written for.
_SOURCES = ("auto", "quarto", "bookdown", "amsthm", "statement", "myst", "hugo")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `scidraft`; returns its exit code.

    Called by pandoc (`pandoc --filter scidraft`) it is the filter that does everything: pandoc gives it the writer's name as its
    only argument and the document on standard input.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if _called_by_pandoc(words):
        return _filter(words)
    if not words:
        _parser().print_help()
        return _USAGE
    parsed = _parser().parse_args(words)
    try:
        commands = {"build": _build, "check": _check, "index": _index, "fmt": _fmt, "lock": _lock, "impose": _impose}
        return commands[parsed.command](parsed)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except OSError as error:
        print(f"scidraft: error: {messages.building.system_error(error).text}", file=sys.stderr)
        return 1
    except Exception as error:
        return _fault(error)


def statements_filter() -> int:
    """The command `scidraft-statements`: statements, numbers and references."""
    return _filter(sys.argv[1:], ["statements"])


def math_filter() -> int:
    """The command `scidraft-math`: formulas become pictures where the target needs it."""
    return _filter(sys.argv[1:], ["math"])


def diagrams_filter() -> int:
    """The command `scidraft-diagrams`: Mermaid blocks become figures."""
    return _filter(sys.argv[1:], ["diagrams"])


# Commands


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scidraft",
        description="Markdown notes with theorems, maths and diagrams, to web pages, LaTeX and print.",
        epilog="As a pandoc filter: pandoc --filter scidraft note.md -o note.html",
    )
    parser.add_argument("--version", action="version", version=f"scidraft {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    build = commands.add_parser("build", help="build notes", description="Build the notes that are out of date.")
    formats = "html, pdf, latex, or several: html,pdf (default: html; pdf with --engine)"
    build.add_argument("--to", type=_formats, metavar="LIST", help=formats)
    build.add_argument("-o", "--output", type=Path, default=Path("build"), metavar="DIR", help="where to write (default: build)")
    build.add_argument("--paper", choices=("a4", "letter"), default="", help="paper size (default: the note's, else a4)")
    engine = "let a TeX engine make the PDF: pdflatex, xelatex or lualatex"
    build.add_argument("--engine", choices=("pdflatex", "xelatex", "lualatex"), default="", help=engine)
    standard = "what printed PDFs follow: pdf/ua-1, pdf/a-2u or pdf/a-3u (default: the note's, else pdf/ua-1)"
    build.add_argument("--pdf-standard", choices=PDF_STANDARDS, default="", help=standard)
    variants = "handout, instructor, a variant of the note's own, or several; note is the note itself (default: note)"
    build.add_argument("--variant", type=_variants, default=("",), metavar="LIST", help=variants)
    build.add_argument("--force", action="store_true", help="build also what is up to date")

    purpose = "list what is wrong in notes, write nothing"
    check = commands.add_parser("check", help=purpose, description=purpose)
    parity = "also make every output and compare the numbers in it: page, LaTeX, and both PDFs"
    check.add_argument("--parity", action="store_true", help=parity)
    engine = "the TeX engine of --parity (default: pdflatex)"
    check.add_argument("--engine", choices=("pdflatex", "xelatex", "lualatex"), default="pdflatex", help=engine)
    purpose = "keep the numbers of notes, so that later builds tell which have changed"
    lock = commands.add_parser("lock", help=purpose, description="Write NOTE.lock.json, the numbers of a note as they are now.")
    lock.add_argument("notes", nargs="+", type=Path, metavar="NOTE.md")
    purpose = "tell what notes state, and what uses what"
    index = commands.add_parser("index", help=purpose, description=f"{purpose[:1].upper()}{purpose[1:]}, as a table or as data.")
    index.add_argument("notes", nargs="+", type=Path, metavar="NOTE.md")
    index.add_argument("--json", action="store_true", help="as JSON, for programs and for references from other notes")
    index.add_argument("-o", "--output", type=Path, metavar="FILE", help="where to write (default: standard output)")
    for command in (build, check):
        command.add_argument("notes", nargs="+", type=Path, metavar="NOTE.md")
        at_a_time = "notes at a time (default: one per processor)"
        command.add_argument("--jobs", "-j", type=_count, default=0, metavar="N", help=at_a_time)
        command.add_argument("--strict", action="store_true", help="a warning is a failure")

    purpose = "rewrite notes in the canonical syntax"
    fmt = commands.add_parser("fmt", help=purpose, description="Rewrite notes in the canonical syntax, to standard output.")
    fmt.add_argument("notes", nargs="+", type=Path, metavar="NOTE.md")
    fmt.add_argument("--from", dest="source", choices=_SOURCES, default="auto", help="what the notes were written for")
    purpose = "put two pages of a PDF on each side of paper"
    imposing = commands.add_parser("impose", help=purpose, description=f"{purpose[:1].upper()}{purpose[1:]}, scaled to fit.")
    imposing.add_argument("pdf", type=Path, metavar="IN.pdf")
    imposing.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.pdf", help="where to write")
    layout = imposing.add_mutually_exclusive_group()
    usual = "in their order (default)"
    layout.add_argument("--two-up", dest="layout", action="store_const", const="two-up", default="two-up", help=usual)
    booklet = "as a booklet: print on both sides, turned over the short edge, and fold"
    layout.add_argument("--booklet", dest="layout", action="store_const", const="booklet", help=booklet)
    imposing.add_argument("--paper", choices=("a4", "letter"), default="a4", help="paper size (default: a4)")
    mode = fmt.add_mutually_exclusive_group()
    mode.add_argument("--write", action="store_true", help="change the files")
    mode.add_argument("--diff", action="store_true", help="show what would change")
    return parser


def _formats(text: str) -> tuple[str, ...]:
    from scidraft.note import FORMATS

    asked = text.replace(",", " ").split()
    unknown = [name for name in asked if name not in FORMATS]
    if unknown or not asked:
        raise argparse.ArgumentTypeError(f"the formats are {', '.join(FORMATS)}, not {', '.join(unknown) or 'none'}")
    # In one order, whatever the author's, so that messages come in one order too.
    return tuple(name for name in FORMATS if name in asked)


def _variants(text: str) -> tuple[str, ...]:
    from scidraft.treatments import NOTE

    return tuple(dict.fromkeys("" if name == NOTE else name for name in text.replace(",", " ").split())) or ("",)


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text} is not a number of notes")
    return int(text)


def _build(parsed: argparse.Namespace) -> int:
    from scidraft.build import build
    from scidraft.note import Task

    twice = _same_output(parsed.notes, parsed.variant)
    if twice:
        print(f"scidraft: {twice[0]} and {twice[1]} would both be written to {twice[2]}.*; rename one", file=sys.stderr)
        return _USAGE
    formats = parsed.to or (("pdf",) if parsed.engine else ("html",))
    if parsed.engine and "pdf" in formats and _engine_missing(parsed.engine):
        return 1
    asked = {"engine": parsed.engine, "variants": parsed.variant, "standard": parsed.pdf_standard}
    task = Task(parsed.output, formats, parsed.paper, parsed.strict, **asked)
    tally = build(parsed.notes, task, jobs=parsed.jobs, force=parsed.force)
    if not tally.notes:
        print("scidraft: nothing to do, all is up to date")
        return 0
    failures = f", {tally.failed} failed" if tally.failed else ""
    print(f"scidraft: {_counted(tally.notes, 'note')}{failures}, {_counted(tally.written, 'file')} written to {parsed.output}")
    return 1 if tally.failed else 0


def _check(parsed: argparse.Namespace) -> int:
    from scidraft.build import check

    if parsed.parity and _engine_missing(parsed.engine):
        return 1
    engine = parsed.engine if parsed.parity else ""
    tally = check(parsed.notes, jobs=parsed.jobs, strict=parsed.strict, parity=engine)
    print(f"scidraft: {_counted(tally.notes, 'note')} checked, {_counted(tally.messages, 'message')}")
    return 1 if tally.failed else 0


def _engine_missing(engine: str) -> bool:
    """Whether the TeX engine is not there, which then is told, once for all notes."""
    from scidraft import texengine

    command = texengine.missing(engine)
    if command:
        print(f"scidraft: error: {messages.latex.no_engine(engine, command).text}", file=sys.stderr)
    return bool(command)


def _lock(parsed: argparse.Namespace) -> int:
    from scidraft.numberlock import lock

    return lock(parsed.notes)


def _index(parsed: argparse.Namespace) -> int:
    from scidraft import index, pipeline
    from scidraft.files import write_atomically
    from scidraft.messages import Messages
    from scidraft.writers import PandocError

    indexes = []
    failed = False
    for note in parsed.notes:
        report = Messages(str(note))
        try:
            indexes.append(index.of_note(pipeline.read_note(note, report), note.stem, str(note)))
        except PandocError as error:
            report.add(messages.building.pandoc_failed(str(error)))
            failed = True
        for line in report.lines():
            print(line, file=sys.stderr)
    whole = index.combined(indexes)
    text = index.dump(whole) if parsed.json else index.as_table(whole)
    if parsed.output:
        write_atomically(parsed.output, text.encode())
    else:
        sys.stdout.buffer.write(text.encode())
        sys.stdout.flush()
    return 1 if failed else 0


def _impose(parsed: argparse.Namespace) -> int:
    from scidraft.files import write_atomically
    from scidraft.impose import impose

    try:
        write_atomically(parsed.output, impose(parsed.pdf.read_bytes(), parsed.layout, parsed.paper))
    except ModuleNotFoundError:
        print(f"scidraft: error: {messages.variants.no_pikepdf().text}", file=sys.stderr)
        return 1
    except ValueError as error:
        print(f"scidraft: error: {messages.variants.not_a_pdf(str(parsed.pdf), str(error)).text}", file=sys.stderr)
        return 1
    return 0


def _fmt(parsed: argparse.Namespace) -> int:
    from scidraft.rewrite.command import run

    return run(parsed.notes, parsed.source, "write" if parsed.write else "diff" if parsed.diff else "print")


def _same_output(notes: Sequence[Path], variants: Sequence[str]) -> tuple[Path, Path, str] | None:
    first: dict[str, Path] = {}
    for note in notes:
        for variant in variants:
            stem = f"{note.stem}-{variant}" if variant else note.stem
            other = first.setdefault(stem, note)
            if other.resolve() != note.resolve():
                return other, note, stem
    return None


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


# Filters


def _called_by_pandoc(words: Sequence[str]) -> bool:
    """pandoc gives a filter one word, the writer's name, and the document on standard input, which is no terminal then."""
    first = words[0] if words else ""
    no_writer = first.startswith("-") or first in _COMMANDS or Path(first).suffix in (".md", ".markdown")
    return len(words) < 2 and not no_writer and not sys.stdin.isatty()


def _filter(words: Sequence[str], passes: Sequence[str] | None = None) -> int:
    """Read pandoc's JSON, take it through the passes (default: all), write it. Returns the exit code."""
    from scidraft import document, pipeline

    given = sys.stdin.buffer.read()
    try:
        doc = document.load(given, words[0] if words else "html")
    except ValueError:
        hint = "use  pandoc --filter scidraft …  or  scidraft build NOTE.md"
        print(f"scidraft: error: standard input holds no pandoc document: {hint}", file=sys.stderr)
        return _USAGE
    try:
        draft = pipeline.prepare(doc)
        pipeline.run(draft, *([passes] if passes else []))
        sys.stdout.buffer.write(document.dump(draft.doc).encode())
        sys.stdout.flush()
        for line in draft.messages.lines():
            print(line, file=sys.stderr)
        return 1 if draft.settings.strict and len(draft.messages) else 0
    except KeyboardInterrupt:
        return _INTERRUPTED
    except Exception as error:
        return _fault(error)


def _fault(error: Exception) -> int:
    """An author never sees a traceback, unless they ask for one."""
    if os.environ.get("SCIDRAFT_DEBUG"):
        traceback.print_exc()
    print(f"scidraft: error: {messages.building.unexpected(error).text}", file=sys.stderr)
    return _FAULT
