"""The maths pass: formulas of pages and prints become pictures; other targets get the note's macros written out."""

from __future__ import annotations

import html
import re
import threading
from dataclasses import dataclass, field
from dataclasses import replace as replaced

import panflute as pf

from scidraft import mathlatex, mathpackages, messages, tex, titletext
from scidraft.document import Place, inlines, replace, walk
from scidraft.draft import Draft
from scidraft.engines import diagram
from scidraft.engines.mathjax import EXTRA_PACKAGES, Drawing, Engine, Font, FormulaError, is_installed
from scidraft.engines.typefaces import print_face, web_face, with_fonts
from scidraft.formats.headers import add_style
from scidraft.formulas import formulas, show_source, shown
from scidraft.macros import Macros, expand_macros
from scidraft.mathmedia import Mathml, copied_display, copied_pieces
from scidraft.mathplain import Plain
from scidraft.page import Page
from scidraft.siunitx import UnitError
from scidraft.tikzcd import DiagramError, read_diagram
from scidraft.touching import take_punctuation

_NUMBER_ROOM = 3.5  # em that a number takes beside a formula, with its distance
_NARROW = 19.0  # em: a display wider than this has a second form for small screens (the measure of a phone)
_VERY_LONG = 12.0  # em: a part of a broken formula that is still wider may be broken after signs like +, too
_OVERFULL = 0.5  # em by which a printed formula may be wider than its column without a word


@dataclass(frozen=True)
class _Medium:
    """How a target sets maths: the font that fits its text, its column in em, and whether it has small screens.

    `longest` is the width in em up to which an inline formula is never broken; in print, where breaks are chosen with care, it is
    less. `titled`: the TeX is a picture's <title>, of which WeasyPrint makes the alternative text; else its aria-label.
    """

    font: Font
    column: float
    longest: float
    narrow: bool
    titled: bool


_PAGE = _Medium("stix2", 32.0, longest=8.0, narrow=True, titled=False)
_PRINT = _Medium("newcm", Page().column, longest=7.0, narrow=False, titled=True)
_MEDIA = {"html": _PAGE, "html5": _PAGE, "print": _PRINT}
#: How MathJax asks for letters that its font lacks.
_FOREIGN = 'font-family="serif"'
#: Targets whose preamble defines the macros.
_OWN_MACROS = {"latex", "beamer", "pdf"}

_engines = threading.local()


def run(draft: Draft) -> None:
    """Draw every formula of the note, for web page and print; else write the note's macros out, except for LaTeX."""
    target = re.split(r"[+-]", draft.target)[0]
    if target in _MEDIA and is_installed():
        plain = Plain(draft)
        extra = mathpackages.asked(mathpackages.header_of(draft)) & EXTRA_PACKAGES
        _Drawer(draft, _medium(draft, target), plain, Mathml(draft, target, plain), extra).run()
    elif target in _OWN_MACROS:
        mathlatex.run(draft)
    else:
        if target in _MEDIA:
            draft.messages.add(messages.drawings.no_maths())
        _expand(draft)


def _medium(draft: Draft, target: str) -> _Medium:
    """How a target sets the maths of this note: in print the column is that of the note's page."""
    medium = _MEDIA[target]
    return replaced(medium, column=draft.settings.page.column) if medium is _PRINT else medium


def engine() -> Engine:
    """The engine of this thread: notes share it, since no formula leaves anything behind in it."""
    if not hasattr(_engines, "engine"):
        _engines.engine = Engine()
    found: Engine = _engines.engine
    return found


def _expand(draft: Draft) -> None:
    plain = Plain(draft)
    for place, macros in formulas(draft, show_source):
        formula = place.element
        try:
            formula.text = expand_macros(plain(formula.text, macros), macros)
        except ValueError as error:
            draft.messages.add(messages.drawings.bad_formula(formula.text, str(error)))


@dataclass
class _Drawer:
    draft: Draft
    medium: _Medium
    plain: Plain
    mathml: Mathml
    #: Packages of the engine that the note asks for.
    extra: frozenset[str]
    undefined: set[str] = field(default_factory=set)
    drawn: bool = False

    def run(self) -> None:
        titletext.keep(self.draft.doc, self.draft.settings.macros, self.plain, headings=not self.medium.narrow)
        for place, macros in formulas(self.draft, self.refuse):
            if place.element.format == "DisplayMath":
                self.display(place, macros)
            else:
                self.inline(place, macros)
        engine().save()
        if self.medium.narrow:
            self.bring_styles()
            self.mathml.bring_styles()

    def bring_styles(self) -> None:
        """Give a page the styles of formulas, and the few of displays unless the statements pass has brought them."""
        if self.drawn and self.draft.settings.styles:
            add_style(self.draft.doc, "formulas.css")
        catalogue = self.draft.catalogue
        if "statements" in self.draft.settings.applied or catalogue.statements or catalogue.equations:
            return
        if any(_has_class(place.element, "equation") for place in walk(self.draft.doc)):
            add_style(self.draft.doc, "statements.css")

    def draw(self, source: str, macros: Macros, width: float = 0.0) -> Drawing:
        """One formula; a `width` makes it a display. Raises FormulaError."""
        font = self.medium.font
        width_em = width or self.medium.column
        try:
            source = self.plain(source, macros)
            commutative = read_diagram(source)
        except (UnitError, DiagramError) as error:
            raise FormulaError(str(error)) from error
        if commutative:
            return diagram.draw(commutative, lambda part: self.draw(part, macros))
        return engine().draw(source, display=width > 0, font=font, macros=macros, width_em=width_em, extra=self.extra)

    def picture(self, drawing: Drawing, source: str) -> str:
        """The drawing with its TeX for those who do not see it; without, if that is empty, for something else tells them."""
        spoken = html.escape(" ".join(tex.without_tags(source).split()))
        svg = drawing.svg
        if _FOREIGN in svg:
            face = with_fonts(print_face() if self.medium.font == "newcm" else web_face(), self.draft.settings.fonts)
            svg = svg.replace(_FOREIGN, f'font-family="{face.css}"')
        if self.medium.titled:
            opening, rest = svg.split(">", 1)
            return f"{opening}><title>{spoken}</title>{rest}"
        told = f'role="img" aria-label="{spoken}"' if source else 'aria-hidden="true"'
        return svg.replace("<svg ", f"<svg {told} ", 1)

    def unseen(self, source: str, macros: Macros, *, display: bool) -> str:
        """What is read out instead of a page's picture; "" where the picture has to tell its TeX."""
        return self.mathml.unseen(source, macros, display=display) or ""

    def error(self, source: str, error: FormulaError) -> str:
        """The source of a formula that cannot be drawn, and a message; one for each command that is not defined."""
        undefined = re.fullmatch(r"Undefined control sequence (\\.+)", error.reason)
        if not undefined:
            self.draft.messages.add(messages.drawings.bad_formula(source, error.reason))
        elif undefined[1] not in self.undefined:
            self.undefined.add(undefined[1])
            package = mathpackages.package_to_ask_for(undefined[1].removeprefix("\\"))
            self.draft.messages.add(messages.drawings.undefined_command(undefined[1], source, package))
        return _error(source, error.reason)

    def refuse(self, place: Place) -> None:
        """Show the source of a formula that uses what \\def or \\let define."""
        kind = "display" if place.element.format == "DisplayMath" else "inline"
        source = _error(place.element.text, "\\def and \\let are not taken: use \\newcommand")
        replace(place, _raw(f'<span class="math {kind}">{source}</span>'))

    def pictures(self, source: str, macros: Macros) -> list[tuple[str, str]]:
        """An inline formula drawn, with its TeX, in pieces if it is long. Raises FormulaError."""
        drawn = [(self.draw(source, macros), source)]
        for binary, longest in ((False, self.medium.longest), (True, _VERY_LONG)):
            drawn = [
                (self.draw(tex.ended(part), macros), part) if part != piece else (drawing, piece)
                for drawing, piece in drawn
                for part in (tex.pieces(piece, binary=binary) if drawing.width > longest else [piece])
            ]
        spoken = self.unseen(source, macros, display=False)
        (first, source), *others = [(self.picture(drawing, "" if spoken else piece), piece) for drawing, piece in drawn]
        return [(first + spoken, source), *others]

    def inline(self, place: Place, macros: Macros) -> None:
        """Put the picture where the formula stands, tied to the punctuation that touches it.

        A long formula may end a line after a relation, or else after a sign like +, as in TeX: it becomes several pictures
        with spaces between them.
        """
        source = place.element.text
        try:
            found = self.mathml.inline(source, macros) or self.pictures(source, macros)
            pictures = [picture for picture, _ in found]
            if self.medium.narrow:
                self.drawn = True
                copied = copied_pieces([piece for _, piece in found], macros)
                pictures = [picture + text for picture, text in zip(pictures, copied, strict=True)]
        except FormulaError as error:
            pictures = [self.error(source, error)]
        parts = [_raw(f'<span class="math inline">{picture}</span>') for picture in pictures]
        before, after = take_punctuation(place)
        if before or (after and len(parts) == 1):
            parts[0] = _tied(*before, parts[0], *(after if len(parts) == 1 else []))
        if after and len(parts) > 1:
            parts[-1] = _tied(parts[-1], *after)
        replace(place, *[element for part in parts for element in (pf.Span(pf.Space(), classes=["math-break"]), part)][1:])

    def display(self, place: Place, macros: Macros) -> None:
        """Put the picture and the numbers of its rows into the display's span, which is made if there is none."""
        source = place.element.text
        parent = place.parent
        if not (isinstance(parent, pf.Span) and "equation" in parent.classes):
            parent = pf.Span(place.element, classes=["equation"])
            replace(place, parent)
            place = Place(place.element, parent.content.list, parent)
        if written := self.mathml.display(source, macros, place):
            self.drawn = True
            replace(place, _raw(f'<span class="math display">{written}{copied_display(source, macros)}</span>'))
            return
        numbers = [child for child in place.siblings if _has_class(child, "equation-number")]
        marks = [child for child in place.siblings if _has_class(child, "qed")]
        beside = numbers or marks or any(row.tag is not None for row in tex.read_display(source).rows)
        try:
            drawing = self.draw(source, macros, self.medium.column - (_NUMBER_ROOM if beside else 0))
            slim = self.slim(source, macros, drawing)
        except FormulaError as error:
            replace(place, _raw(f'<span class="math display">{self.error(source, error)}</span>'))
            return
        spoken = self.unseen(source, macros, display=True)
        told, copied = "" if spoken else source, copied_display(source, macros) if self.medium.narrow else ""
        self.drawn = True
        picture = f'<span class="math display{" wide" if slim else ""}">{self.picture(drawing, told)}{copied}</span>'
        if slim:  # hidden, so that a page without our style sheet does not show both
            picture += f'<span class="math narrow" hidden>{self.picture(slim, told)}{copied}</span>'
        picture += spoken
        made = [] if numbers else _row_numbers(drawing, slim)
        last = (tex.read_display(source).environment or "").startswith("multline")
        for number in numbers:
            height = drawing.last if last else drawing.whole
            _set_baseline(number, height, (slim.last if last else slim.whole) if slim else None)
            if height != drawing.depth:
                number.classes.append("row-number")
        for mark in marks:
            _set_baseline(mark, drawing.last, slim.last if slim else None)
        if numbers and not made and not self.medium.narrow and drawing.width > self.medium.column - _NUMBER_ROOM:
            parent.classes.append("wide-formula")  # its number stands below
        if self.medium.titled and drawing.width > self.medium.column + _OVERFULL:
            self.draft.messages.add(messages.drawings.too_wide(source, drawing.width - self.medium.column))
        replace(place, _raw(picture), *made)

    def slim(self, source: str, macros: Macros, drawing: Drawing) -> Drawing | None:
        """The form for small screens, if the formula is too wide for them and can be broken."""
        if not self.medium.narrow or drawing.width <= _NARROW:
            return None
        slim = self.draw(source, macros, _NARROW)
        return slim if slim.width < drawing.width else None


def _error(source: str, reason: str) -> str:
    return f'<code class="math-error" title="{html.escape(reason)}">{html.escape(shown(source), quote=False)}</code>'


def _tied(*elements: pf.Element) -> pf.Span:
    return pf.Span(*elements, classes=["nobreak"])


def _raw(text: str) -> pf.RawInline:
    return pf.RawInline(text, format="html")


def _has_class(element: pf.Element, name: str) -> bool:
    return isinstance(element, pf.Span) and name in element.classes


def _row_numbers(drawing: Drawing, slim: Drawing | None) -> list[pf.Element]:
    """The tags of a display as spans that stand on the baselines of their rows."""
    spans: list[pf.Element] = []
    several = len(drawing.rows) > 1
    for index, number in enumerate(drawing.numbers):
        if number is None:
            continue
        span = pf.Span(*inlines(number), classes=["equation-number", *(["row-number"] if several else [])])
        narrow = slim.rows[index] if slim and index < len(slim.rows) else None
        _set_baseline(span, drawing.rows[index], narrow)
        spans.append(span)
    return spans


def _set_baseline(span: pf.Span, height: float, narrow: float | None) -> None:
    """Tell the style sheet how high a number or mark stands over the picture's lower edge."""
    style = f"--baseline:{round(height, 3) + 0:g}em"
    if narrow is not None:
        style += f";--baseline-narrow:{round(narrow, 3) + 0:g}em"
    # A mark may bring a picture of its own.
    span.attributes["style"] = ";".join(filter(None, (span.attributes.get("style"), style)))
