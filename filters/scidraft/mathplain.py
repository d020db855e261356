"""Formulas in the TeX that every engine knows: numbers and units are written out."""

from __future__ import annotations

from scidraft import mathpackages, messages, siunitx
from scidraft.draft import Draft
from scidraft.macros import Macros, expand_macros, used_macros


class Plain:
    """What a note's formulas are for engines that know no siunitx; what is wrong with its set-up is told once."""

    def __init__(self, draft: Draft) -> None:
        """Read how the note wants numbers and units."""
        header = mathpackages.header_of(draft)
        # \qty is a command of physics, too.
        self._others = {"qty"} if "physics" in mathpackages.asked(header) else set()
        try:
            self._style = siunitx.read_style(header, draft.settings.language)
        except siunitx.UnitError as error:
            draft.messages.add(messages.drawings.bad_units(str(error)))
            self._style = siunitx.Style(language=draft.settings.language)

    def __call__(self, source: str, macros: Macros) -> str:
        """A formula with its numbers and units written out; with these the macros that have them. Raises UnitError."""
        used = used_macros(source, macros)
        if used and any(siunitx.uses(macro.body) for macro in used.values()):
            try:
                source = expand_macros(source, used)
            except ValueError as error:
                raise siunitx.UnitError(str(error)) from error
        return siunitx.written_out(source, self._style, {*macros, *self._others}) if siunitx.uses(source) else source
