"""Brings a note's own fonts to one of its outputs: the rules that name them, and copies of the files."""

from __future__ import annotations

from scidraft.engines.typefaces import on_disk
from scidraft.fontfiles import FontFile
from scidraft.fonts import Fonts
from scidraft.formats.font_rules import font_rules
from scidraft.media import Media
from scidraft.messages import Messages
from scidraft.settings import Settings


class NoteFonts:
    """The fonts of a note for a target; `rules` is what its template is to have about them, "" when there are none."""

    def __init__(self, settings: Settings, target: str, media: Media, report: Messages) -> None:
        """Look which there are. Print takes the files of families that are installed; a page asks its reader's computer."""
        fonts = settings.fonts.here(report) if target == "print" else settings.fonts
        media.inputs.update(fonts.named, (file.path for file in fonts.files))
        self.target = target
        self.media = media
        self.fonts: Fonts = fonts.in_language(settings.language)
        self.rules = "\n".join(font_rules(self.fonts, target, self._address)) if fonts.chosen and target != "latex" else ""

    def _address(self, file: FontFile) -> str:
        return self.media.font(file) if self.target == "html" else on_disk(file).as_uri()

    def bring(self, page: str) -> None:
        """Copy what the written `page` needs beside it."""
        if self.target == "html":
            self.media.bring_fonts(self.fonts, page)
