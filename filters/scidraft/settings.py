"""Settings: scidraft's defaults merged with the note's metadata, and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal, cast

from scidraft.fonts import Fonts
from scidraft.kinds import Kind, Style
from scidraft.macros import Macro
from scidraft.page import Page
from scidraft.styles import shipped_styles
from scidraft.themes import Theme
from scidraft.treatments import Variant, shipped_variants

Division = Literal["part", "chapter", "section", "subsection"]
DIVISIONS: tuple[Division, ...] = ("part", "chapter", "section", "subsection")

#: The other syntaxes that are read as if they were ours, and the names of their switches under `dialects:`.
DIALECTS = ("quarto", "bookdown", "amsthm", "statement", "definition-lists", "latex", "pandoc-latex", "myst")

#: What a printed PDF can follow, the usual first; all are tagged for screen readers and say that they follow PDF/UA-1, too.
PDF_STANDARDS = ("pdf/ua-1", "pdf/a-2u", "pdf/a-3u")

#: What formulas of a web page are: pictures, or MathML that the browser sets.
MathMedium = Literal["svg", "mathml"]
MATH_MEDIA: tuple[MathMedium, ...] = ("svg", "mathml")

#: The counter that all numbered kinds step unless the author says otherwise.
SHARED = "statement"

#: The metadata key in which a filter notes what it has done, so that running it twice does nothing more.
APPLIED = "scidraft-applied"


@dataclass(frozen=True)
class Settings:
    """What a note asks for, checked; every field has its default here.

    `number_within` is the division statements and equations start again in; `number_offset` what the heading counters start from,
    one number a level; `macros` maps a TeX macro's name to what it stands for, `header` is the author's own `header-includes`.
    `math` is what formulas of a web page are. `styles`: a page gets the styles its statements need, for templates that have none.
    `media_dir` is where pictures are written and `media_url` how the document names that place. `theme` is its whole look.
    `library` is where other notes are, beside the note's folder; `used_in` asks for "Used in" after each statement. `dialects`
    are the other syntaxes that are read. `page` is what PDFs are set on, and `line_numbers` asks for numbers beside their lines,
    as a variant may, too. `fonts` are the note's own, which the builder brings. `pdf_standard` is what a printed PDF follows: one
    of `PDF_STANDARDS`.
    `variants` are those the note may be made in, `variant` the one that is made; "" is the note itself.
    """

    kinds: Mapping[str, Kind] = field(default_factory=dict)
    statement_styles: Mapping[str, Style] = field(default_factory=shipped_styles)
    language: str = "en"
    number_within: Division | None = None
    number_sections: bool = False
    number_offset: tuple[int, ...] = ()
    equations: Literal["own", "shared"] = "own"
    proofs: Literal["inline", "section", "appendix"] = "inline"
    proof_links: Literal["none", "arrow", "page"] = "none"
    qed_symbol: str | None = None
    top_level_division: Division = "section"
    strict: bool = False
    macros: Mapping[str, Macro] = field(default_factory=dict)
    header: str = ""
    math: MathMedium = "svg"
    styles: bool = True
    media_dir: Path = Path("scidraft-media")
    media_url: str = "scidraft-media"
    library: tuple[str, ...] = ()
    used_in: bool = False
    dialects: frozenset[str] = frozenset(DIALECTS)
    applied: frozenset[str] = frozenset()
    line_numbers: bool = False
    theme: Theme = field(default_factory=Theme)
    page: Page = field(default_factory=Page)
    fonts: Fonts = field(default_factory=Fonts)
    variants: Mapping[str, Variant] = field(default_factory=shipped_variants)
    variant: str = ""
    pdf_standard: str = PDF_STANDARDS[0]

    @cached_property
    def _by_class(self) -> dict[str, Kind]:
        by_class = {alias: kind for kind in self.kinds.values() for alias in (kind.prefix, *kind.aliases)}
        return by_class | dict(self.kinds)

    @cached_property
    def _by_prefix(self) -> dict[str, Kind]:
        return {kind.prefix: kind for kind in self.kinds.values()}

    def kind_of(self, name: str) -> Kind | None:
        """The kind a class name stands for: its own name, an alias or its prefix; a capital first letter is allowed."""
        return self._by_class.get(name) or self._by_class.get(name[:1].lower() + name[1:])

    def kind_of_id(self, identifier: str) -> Kind | None:
        """The kind whose prefix begins `identifier`, as in `thm-euler`."""
        prefix, dash, rest = identifier.partition("-")
        return self._by_prefix.get(prefix.lower()) if dash and rest else None

    def level_of(self, division: str | None) -> int:
        """The heading level that is LaTeX's `division` here, 0 for None; one above the top division counts as the top one."""
        if division is None:
            return 0
        return max(1, DIVISIONS.index(cast(Division, division)) - DIVISIONS.index(self.top_level_division) + 1)

    def division_of(self, level: int) -> str:
        """LaTeX's name of the division at heading `level`, counted from 1."""
        names = (*DIVISIONS, "subsubsection", "paragraph", "subparagraph")
        return names[min(DIVISIONS.index(self.top_level_division) + level - 1, len(names) - 1)]
