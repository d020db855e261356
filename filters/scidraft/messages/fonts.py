"""What is told about fonts and the letters they lack."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

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


def _code(letter: str) -> str:
    # Ideographs are named by their numbers, which need not be said twice.
    name = unicodedata.name(letter, "").removesuffix(f"-{ord(letter):04X}")
    return f"U+{ord(letter):04X} {name}".rstrip()
