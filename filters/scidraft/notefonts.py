"""Brings a note's own fonts to one of its outputs: the rules that name them, and copies of the files."""

from __future__ import annotations

from dataclasses import replace

import panflute as pf

from scidraft.document import walk
from scidraft.draft import Draft
from scidraft.engines.typefaces import on_disk, print_face
from scidraft.fontfiles import FontFile, installed, letters_of
from scidraft.fonts import SCRIPTS, Font, Fonts
from scidraft.formats.directions import mark_directions
from scidraft.formats.font_declarations import font_declarations
from scidraft.formats.font_rules import font_rules
from scidraft.media import Media
from scidraft.messages import Messages

#: Greek letters that a note may have one by one, as signs, which LaTeX takes from its formulas.
_IN_FORMULAS = frozenset({*range(0x391, 0x3AA), *range(0x3B1, 0x3CA)})


class NoteFonts:
    """The fonts of a note for its target; `variables` are what the template is to have of them."""

    def __init__(self, draft: Draft, media: Media, report: Messages, *, rtl: bool = False) -> None:
        """Look which there are. Print takes the files of families that are installed; a page asks its reader's computer.

        In LaTeX, babel turns a note that as a whole runs from right to left (`rtl`); in others the words are marked.
        """
        settings = draft.settings
        self.target = draft.target
        self.media = media
        self.chosen: Fonts = settings.fonts.here(report) if self.target == "print" else settings.fonts
        media.inputs.update(self.chosen.named, (file.path for file in self.chosen.files))
        self.variables: dict[str, str] = {}
        fonts = _with_ours(self.chosen, draft.doc) if self.target == "latex" else self.chosen
        if not fonts:
            return
        if self.target == "latex":
            if not rtl:
                mark_directions(draft.doc)
            copies = {file: media.font_for_latex(file) for file in fonts.files}
            self.variables["fonts"] = font_declarations(fonts, copies.__getitem__, media.url)
            if _has_greek(fonts):
                self.variables["greek"] = "true"
        else:
            self.chosen = self.chosen.in_language(settings.language)
            self.variables["fonts"] = "\n".join(font_rules(self.chosen, self.target, self._address))

    def _address(self, file: FontFile) -> str:
        return self.media.font(file) if self.target == "html" else on_disk(file).as_uri()

    def bring(self, page: str) -> None:
        """Copy what the written `page` needs beside it."""
        if self.target == "html":
            self.media.bring_fonts(self.chosen, page)


def _with_ours(fonts: Fonts, doc: pf.Doc) -> Fonts:
    """The fonts with that of the printed page for Cyrillic and Greek words, which LaTeX's own lacks, where a note has such."""
    # In raw LaTeX, too: the names of statements are there.
    texts = (getattr(place.element, "text", "") for place in walk(doc) if not isinstance(place.element, pf.Math))
    words = {ord(sign) for text in texts for sign in text}
    ours: dict[str, Font] = {}
    for role, letters in SCRIPTS.items():
        if words & letters - _IN_FORMULAS and not fonts.families("main", role):
            files = [replace(file, only=letters) for file in print_face().files if file.family == "SD Serif"]
            ours |= {role: Font(role, "", files=tuple(files))} if files else {}
    return replace(fonts, chosen={**ours, **fonts.chosen})


def _has_greek(fonts: Fonts) -> bool:
    """Whether Greek words can be set in the fonts of the note; else LaTeX takes the letters from its formulas."""
    if "greek" in fonts.chosen:
        return True
    main = fonts.chosen.get("main")
    files = [*main.files, *(file for name in main.names for file in installed(name, "") or ())] if main else []
    return any(ord("α") in letters_of(file.path, file.index) for file in files)
