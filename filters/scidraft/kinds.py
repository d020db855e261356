"""The kinds of statement and the styles they are set in: data that a note's settings fix and that never changes after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

#: How a counter is written, by LaTeX's names.
Digits = Literal["arabic", "roman", "Roman", "alph", "Alph"]
DIGITS: tuple[Digits, ...] = ("arabic", "roman", "Roman", "alph", "Alph")
#: The fonts a head can have, together or alone.
HEAD_FONTS = ("bold", "italic", "smallcaps", "sans")


class Colour(NamedTuple):
    """A colour as #rrggbb, and the one that takes its place on a dark page."""

    light: str
    dark: str


@dataclass(frozen=True)
class Style:
    """How a kind of statement is set; data/styles.yaml says what each value means. Lengths are CSS's and TeX's, "9pt".

    None is what the page or the document class has. `changed` is True for a style that its author made, or altered in more than
    its end mark.
    """

    name: str
    head: tuple[str, ...] = ("bold",)
    body: str = "upright"
    punctuation: str | None = None
    space_above: str | None = None
    space_below: str | None = None
    indent: str | None = None
    own_line: bool = False
    boxed: Literal["", "frame", "side"] = ""
    frame: Colour | None = None
    fill: Colour | None = None
    ink: Colour | None = None
    end_mark: str = ""
    changed: bool = False

    @property
    def known_to_amsthm(self) -> bool:
        """Whether LaTeX and our style sheets have it without being told."""
        return not self.changed and self.name in ("plain", "definition", "remark", "proof")


@dataclass(frozen=True)
class Kind:
    """A kind of statement: theorem, lemma, …, proof. `style` is the name of its `Style`.

    `counter` names the kind whose counter this one steps (its own name for a counter of its own); `numbered` may be
    "unless-unique"; `within` is the division its counter starts again at, None for never,
    "proof" for each proof; `digits` is how the last part of the number is written. `singular` and `plural` are the
    author's words, where metadata gives them; otherwise the language's words hold.
    """

    name: str
    prefix: str
    style: str
    numbered: bool | Literal["unless-unique"] = True
    counter: str = ""
    within: str | None = None
    aliases: tuple[str, ...] = ()
    digits: Digits = "arabic"
    singular: str | None = None
    plural: str | None = None

    def __deepcopy__(self, memo: object) -> Kind:
        """Kinds never change, so copies of a draft share them."""
        return self
