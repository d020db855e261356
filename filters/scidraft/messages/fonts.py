"""What is told about fonts and the letters they lack."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from scidraft.messages.message import Message

#: So many letters of a script are named; the rest is counted.
_NAMED = 5


def missing_letters(letters: Sequence[str], words: str, stand_in: str, role: str) -> Message:
    """Letters of one script that no font of the note has; `words` has the first of them, and `stand_in` is the font of
    this computer in which they are printed, "" for boxes. `role` is the setting under which a font for them belongs.
    """
    named = ", ".join(f"{letter} ({_code(letter)})" for letter in letters[:_NAMED])
    more = f" and {len(letters) - _NAMED} more" if len(letters) > _NAMED else ""
    done = f"printed in {stand_in}, which other computers may lack" if stand_in else "printed as boxes"
    return Message(
        f'no font of the note has {named}{more}, first in "{words}": they are {done}; '
        f"give a font that has them under `scidraft: fonts: {role}:`"
    )


def no_file(name: str, key: str) -> Message:
    """A font file that is not where the note says."""
    return Message(f"the font `{name}` under `{key}` is not there; names are looked up beside the note")


def bad_file(name: str, key: str, reason: str) -> Message:
    """A file that cannot be read as a font."""
    return Message(f"the font `{name}` under `{key}` cannot be read: {reason}")


def not_installed(name: str, key: str) -> Message:
    """A family that this computer does not have."""
    return Message(
        f"the font `{name}` under `{key}` is not installed on this computer: install it, "
        "or give its files under `scidraft: fonts:`"
    )


def unknown_role(role: str, known: Iterable[str]) -> Message:
    """A word under `fonts:` that stands for no letters."""
    return Message(f"`scidraft: fonts: {role}` is not understood; there are {', '.join(known)}")


def only_builder_brings() -> Message:
    """Fonts asked for where a filter runs within pandoc."""
    return Message(
        "`scidraft: fonts:` is for `scidraft build`: with pandoc itself, name fonts as its template wants them (`mainfont`, "
        "`CJKmainfont`)"
    )


def no_italic(key: str) -> Message:
    """Files of a main font of which none is italic."""
    return Message(
        f"the font under `{key}` has no italic file, so emphasis and theorems are upright: give all its files, "
        "as in `main: [name.ttf, name-italic.ttf, name-bold.ttf]`"
    )


def no_math_font() -> Message:
    """A font for formulas, of which there is no choice."""
    return Message(
        "a font for mathematics cannot be chosen: formulas are drawn in New Computer Modern in print, in STIX Two on web pages, "
        "and set by LaTeX in Latin Modern"
    )


def not_for_pdflatex() -> Message:
    """Fonts that pdflatex cannot load."""
    return Message("pdflatex cannot use the fonts that the note asks for: build with --engine lualatex or xelatex")


def _code(letter: str) -> str:
    # Ideographs are named by their numbers, which need not be said twice.
    name = unicodedata.name(letter, "").removesuffix(f"-{ord(letter):04X}")
    return f"U+{ord(letter):04X} {name}".rstrip()
