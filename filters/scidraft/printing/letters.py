"""Finds the letters of a printed page that its fonts lack: the system's fonts stand in for them, or boxes.

It looks on while WeasyPrint draws. The private things of WeasyPrint here are `draw_first_line` and `Stream.add_font`; what they
draw is the same.
"""

from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from scidraft import messages
from scidraft.messages import Message

_BOX = ".notdef glyph rendered"
#: How many signs of the words around a letter are told.
_WORDS = 40
#: The settings for the fonts of a script, by the beginning of Unicode's names of its letters.
_ROLES = {
    "CJK": "cjk",
    "HIRAGANA": "cjk",
    "KATAKANA": "cjk",
    "HANGUL": "cjk",
    "BOPOMOFO": "cjk",
    "IDEOGRAPHIC": "cjk",
    "FULLWIDTH": "cjk",
    "HALFWIDTH": "cjk",
    "ARABIC": "arabic",
    "HEBREW": "hebrew",
    "GREEK": "greek",
    "CYRILLIC": "cyrillic",
}

#: The brackets, commas and signs of Chinese and Japanese, whose names are those of others.
_SQUARE_MARKS = frozenset(map(chr, range(0x3000, 0x3040)))


class Letters(logging.Filter):
    """The letters that no font of one document has, with the words in which each was first met."""

    def __init__(self) -> None:
        """Begin with none."""
        super().__init__()
        #: By the role of the missing font, and whether there are boxes: the words of the first, and the letters with the fonts
        #: that stand in, "" for none.
        self._found: dict[tuple[str, bool], tuple[str, dict[str, str]]] = {}
        self._asked: tuple[str, ...] = ()  # the families of the style of the line that is drawn
        self._foreign = False
        self._boxes = False

    def filter(self, record: logging.LogRecord) -> bool:
        """Called by logging: WeasyPrint's word of a box is kept back, since ours says more."""
        if not str(record.msg).startswith(_BOX):
            return True
        self._boxes = True
        return False

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Look on as long as this lasts. Raises AttributeError or ImportError when WeasyPrint is another one."""
        from weasyprint.draw import text
        from weasyprint.pdf.stream import Stream

        draw, add_font = text.draw_first_line, Stream.add_font

        def look(stream: Any, textbox: Any, *rest: Any) -> Any:
            self._asked = textbox.style["font_family"]
            self._foreign = self._boxes = False
            drawn = draw(stream, textbox, *rest)
            if self._foreign or self._boxes:
                self._note(textbox.pango_layout, lambda font: add_font(stream, font)[0].family)
            return drawn

        def add(stream: Any, pango_font: Any) -> Any:
            font = add_font(stream, pango_font)
            self._foreign = self._foreign or not self._is_asked(font[0].family)
            return font

        # The second is where WeasyPrint draws the words of pictures from.
        text.draw_first_line, Stream.add_font = look, add
        try:
            yield
        finally:
            text.draw_first_line, Stream.add_font = draw, add_font

    def messages(self) -> Iterator[Message]:
        """What there is to say, one message for each kind of font that is wanted."""
        for (role, _), (words, letters) in self._found.items():
            yield messages.fonts.missing_letters(list(letters), words, " and ".join(dict.fromkeys(letters.values())), role)

    def _note(self, layout: Any, family_of: Any) -> None:
        """Go over the runs of a line of which some are in a font that nobody asked for."""
        from weasyprint.text.ffi import ffi, pango

        line, _ = layout.get_first_line()
        text = layout.text.encode()
        run = line.runs[0]
        while run != ffi.NULL:
            item = run.data.item
            family = family_of(item.analysis.font)
            glyphs = run.data.glyphs.glyphs[0 : run.data.glyphs.num_glyphs]
            boxes = [each.glyph & ~pango.PANGO_GLYPH_UNKNOWN_FLAG for each in glyphs if _is_box(each.glyph, pango)]
            for code in boxes:
                self._add(chr(code), "", layout.text)
            if not boxes and not self._is_asked(family):
                for letter in text[item.offset : item.offset + item.length].decode():
                    self._add(letter, family, layout.text)
            run = run.next

    def _is_asked(self, family: str) -> bool:
        return family in self._asked or family.lower() in map(str.lower, self._asked)

    def _add(self, letter: str, stand_in: str, text: str) -> None:
        # Spaces, and signs that only say how others are to be shown, go with the letters beside them.
        if unicodedata.category(letter)[0] in "ZC" or unicodedata.category(letter) == "Mn":
            return
        key = _role(letter), not stand_in
        _, letters = self._found.setdefault(key, (_around(letter, text), {}))
        letters.setdefault(letter, stand_in)


def _is_box(glyph: int, pango: Any) -> bool:
    return glyph != pango.PANGO_GLYPH_EMPTY and bool(glyph & pango.PANGO_GLYPH_UNKNOWN_FLAG)


def _role(letter: str) -> str:
    if letter in _SQUARE_MARKS:
        return "cjk"
    return _ROLES.get(re.split("[ -]", unicodedata.name(letter, ""))[0], "other")


def _around(letter: str, text: str) -> str:
    """The words around a letter."""
    words = " ".join(text.split())
    place = words.find(letter)
    if len(words) <= _WORDS:
        return words
    start = max(0, place - _WORDS // 2)
    shown = words[start : start + _WORDS]
    return f"{'…' if start else ''}{shown.strip()}{'…' if start + _WORDS < len(words) else ''}"
