"""Writes TeX formulas as MathML with Temml, run inside quickjs-ng: no Node, no browser, no network."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scidraft import tex
from scidraft.macros import Macros, expand_macros, used_macros
from scidraft.paths import ASSETS

if TYPE_CHECKING:
    import quickjs

_PROGRAM = ASSETS / "temml" / "temml.min.js"
_DRIVER = Path(__file__).with_name("temml.js")
_STACK = 384 << 10  # bytes, which every thread has; formulas too deep for it are drawn
_SECONDS = 5.0
_LONGEST = 20_000  # characters
#: What mathml.css knows to set. A formula with other classes would look wrong.
_CLASSES = re.compile(
    r"tml-(?:display|jot|small|left|right|prime|(?:sml|med|lrg)-pad|label|tageqn|tag|vec|hat-[1-4]|tilde-[2-4]|overline|underline)"
    r"|chr-(?:sml|med|lrg)(?:-vec)?|mathcal|mathscr"
)
#: Classes for the faults of a browser that the page does without.
_NEEDLESS = re.compile(r"(?:wbk|ff)-[a-z-]+")
#: What browsers do not set as TeX does: stretched braces and arrows with words on them, operators made of several elements,
#: letters of a word in italics, and the rows of multline.
_BETTER_DRAWN = re.compile(r'<mo[^>]*>[⏞⏟⎴⎵]|accent="false"><mo stretchy="true"|<mo[^>]*><m|<mi>[\U0001d434-\U0001d467]{2}')
_BETTER_DRAWN_SOURCE = re.compile(r"\\begin\s*\{multline\*?\}|\\mathit\s*\{[^{}]{2}")
#: Bold digits, which Temml slants and sets in another face.
_BOLD_DIGITS = re.compile(r"<mstyle style=\"font-style:italic;font-family:Cambria[^\"]*\"><mn>([\d.]+)</mn></mstyle>")
_BOLD = str.maketrans("0123456789", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗")
#: Temml writes its own state into the style of a cell that it has filled up.
_STATE = re.compile(r"level:\d+;[^\"]*?max-size:[^;]*;")
#: Dots, which browsers would set apart like a relation.
_DOTS = re.compile(r"(</mo>|<\w+>)?<mo>([…⋯])</mo>(?=(<mo>|</)?)")
#: Cells at both ends of a row, which hold its number and as much room on the other side.
_ENDS = re.compile(r'<mtd[^>]*width:50%[^>]*>(?:<mtext><span class="tml-eqn"></span></mtext>)?</mtd>')
#: What only concerns the looks of a formula, and where it came from.
_LOOKS = re.compile(
    r" (?:class|style|id|href|[lr]space|stretchy|symmetric|largeop|movablelimits|m(?:in|ax)size|displaystyle|scriptlevel|display"
    r'|width|height|depth|voffset|math(?:color|background)|accent(?:under)?|(?:column|row)(?:align|spacing|lines))="[^"]*"'
)


class NotUnderstoodError(ValueError):
    """A formula that Temml cannot write, or whose MathML would not look right."""


class Engine:
    """Temml, started at the first formula. It is too quick (0.3 ms a formula) for a cache to help."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self._context: quickjs.Context | None = None

    def write(self, source: str, *, display: bool, macros: Macros) -> str:
        """A formula as a `math` element with its TeX, macros written out, as annotation. Raises NotUnderstoodError.

        The tags of a display's rows are in it, as `.equation-number`.
        """
        markup, expanded = self._write(source, display, macros)
        if _BETTER_DRAWN.search(markup) or _BETTER_DRAWN_SOURCE.search(expanded):
            raise NotUnderstoodError("browsers set it badly")
        classes = {name for value in re.findall(r' class="([^"]*)"', markup) for name in value.split()}
        if unknown := [name for name in classes if not _NEEDLESS.fullmatch(name) and not _CLASSES.fullmatch(name)]:
            raise NotUnderstoodError(f"unknown: {' '.join(sorted(unknown))}")
        return _finished(markup, " ".join((tex.without_tags(expanded) if display else expanded).split()))

    def write_unseen(self, source: str, *, display: bool, macros: Macros) -> str:
        """A formula as a `math` element for those who do not see it: without numbers and looks. Raises NotUnderstoodError."""
        markup, _ = self._write(tex.without_tags(source) if display else source, display, macros)
        return _LOOKS.sub("", _ENDS.sub("", markup))

    def _write(self, source: str, display: bool, macros: Macros) -> tuple[str, str]:
        """Temml's markup, and the formula with its macros written out."""
        if len(source) > _LONGEST or tex.depth(source) > tex.DEEPEST or "\0" in source:
            raise NotUnderstoodError("too long or too deep")
        try:
            expanded = expand_macros(source, used_macros(source, macros))
        except ValueError as error:
            raise NotUnderstoodError(str(error)) from error
        rows = tex.read_display(expanded).rows if display else []
        given = tex.with_numbers(expanded, [None] * len(rows)) if display else expanded
        return _BOLD_DIGITS.sub(lambda found: f"<mn>{found[1].translate(_BOLD)}</mn>", self._ask(given, display)), expanded

    def _ask(self, source: str, display: bool) -> str:
        import quickjs

        context = self._context = self._context or _start()
        try:
            answer: dict[str, Any] = json.loads(context.get("writeFormula")(source, display))
        except (quickjs.JSException, UnicodeEncodeError) as error:
            self._context = None  # its state is unknown
            raise NotUnderstoodError(str(error)) from error
        if "error" in answer:
            raise NotUnderstoodError(str(answer["error"]))
        return str(answer["markup"])


def is_installed() -> bool:
    """Whether Temml's file is there."""
    return _PROGRAM.is_file()


def _start() -> quickjs.Context:
    import quickjs

    context = quickjs.Context()
    context.set_max_stack_size(_STACK)
    context.eval(_PROGRAM.read_text(encoding="utf-8"))
    context.eval(_DRIVER.read_text(encoding="utf-8"))
    context.set_time_limit(_SECONDS)
    return context


def _finished(markup: str, source: str) -> str:
    """The markup as a page takes it: numbers called as ours are, no needless attributes, the TeX beside it."""

    def names(match: re.Match[str]) -> str:
        kept = [name for name in match[1].split() if not _NEEDLESS.fullmatch(name) and name != "tml-display"]
        return f' class="{" ".join(kept)}"' if kept else ""

    markup = re.sub(r' class="([^"]*)"', names, _STATE.sub("", markup)).replace(' style="display:block math;"', "")
    markup = _DOTS.sub(_close_dots, markup)
    markup = markup.replace('class="tml-tag"', 'class="equation-number"')
    opening, content = markup.removesuffix("</math>").split(">", 1)
    annotation = f'<annotation encoding="application/x-tex">{html.escape(source, quote=False)}</annotation>'
    return f"{opening}><semantics>{content}{annotation}</semantics></math>"


def _close_dots(dots: re.Match[str]) -> str:
    """Dots as close as in TeX: a thin space from letters and after a comma, none from signs that bring their own."""
    before, after = ("0" if sign else ".1667em" for sign in (dots[1], dots[3]))
    return f'{dots[1] or ""}<mo lspace="{before}" rspace="{after}">{dots[2]}</mo>'
