"""The author's own fonts: which files or installed families the metadata name, and for which letters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from scidraft import messages
from scidraft.fontfiles import SUFFIXES, BadFont, FontFile, faces, installed, letters_of
from scidraft.messages import Messages

#: What a font may be for. The first three take the place of ours, the next two that of our letters of one script; the others have
#: letters that ours lack, in this order.
ROLES = ("main", "sans", "mono", "greek", "cyrillic", "cjk", "hebrew", "arabic", "other")
_REPLACING = ROLES[:3]
_HELPING = ROLES[5:]
#: pandoc's names of the same.
_PANDOC = {
    "main": "mainfont",
    "sans": "sansfont",
    "mono": "monofont",
    "cjk": "CJKmainfont",
    "other": "mainfontfallback",
}
#: pandoc's options for LaTeX's package fontspec, which take effect beside pandoc's names.
_OPTIONS = {
    "mainfont": "mainfontoptions",
    "sansfont": "sansfontoptions",
    "monofont": "monofontoptions",
    "CJKmainfont": "CJKoptions",
}
#: The letters of scripts that our own faces have, too.
SCRIPTS = {
    "greek": frozenset({*range(0x370, 0x400), *range(0x1F00, 0x2000)}),
    "cyrillic": frozenset({*range(0x400, 0x530), *range(0x1C80, 0x1C90), *range(0x2DE0, 0x2E00), *range(0xA640, 0xA6A0)}),
}
#: Marks that text faces have, too, but which stand in a whole square in Chinese and Japanese: dashes, quotation marks, dots.
_SQUARE_MARKS = frozenset({0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2026})


@dataclass(frozen=True)
class Font:
    """What is used for a role: families that are installed, by their names, or files. `key` is the setting that says so.

    `options` are those of fontspec, in pandoc's words.
    """

    role: str
    key: str
    names: tuple[str, ...] = ()
    files: tuple[FontFile, ...] = ()
    options: tuple[str, ...] = ()

    @property
    def families(self) -> tuple[str, ...]:
        """The names by which style sheets list it: files have a private one, so that no installed font is taken for them."""
        return (*dict.fromkeys(file.family for file in self.files), *self.names)


@dataclass(frozen=True)
class Fonts:
    """The fonts of a note by their roles, and all files that it names, also those that are not there."""

    chosen: Mapping[str, Font] = field(default_factory=dict)
    named: tuple[Path, ...] = ()

    def __hash__(self) -> int:
        return hash(tuple(self.chosen.values()))

    def __bool__(self) -> bool:
        return bool(self.chosen)

    @property
    def files(self) -> tuple[FontFile, ...]:
        """All the files."""
        return tuple(file for font in self.chosen.values() for file in font.files)

    def families(self, *roles: str) -> tuple[str, ...]:
        """Those of the fonts for some roles; none when the note names none."""
        return tuple(family for role in roles if role in self.chosen for family in self.chosen[role].families)

    @property
    def leading(self) -> tuple[str, ...]:
        """The families that come before the face of the text, for letters that it has, too."""
        return tuple(file.family for file in {file.family: file for file in self.files if file.only is not None}.values())

    @property
    def helping(self) -> tuple[str, ...]:
        """The families that have what the face of the text lacks, in order."""
        return tuple(family for family in self.families(*_HELPING, *SCRIPTS) if family not in self.leading)

    def here(self, report: Messages) -> Fonts:
        """The same with the files of the families that are installed here; those that are not are told to `report`."""
        found = {}
        for role, font in self.chosen.items():
            names, files = [], list(font.files)
            for name in font.names:
                faces_here = installed(name, _private(role))
                if faces_here:
                    files += _limited(role, faces_here)
                elif faces_here is None:
                    names.append(name)
                else:
                    report.add(messages.fonts.not_installed(name, font.key))
            found[role] = replace(font, names=tuple(names), files=tuple(files))
        return replace(self, chosen={role: font for role, font in found.items() if font.families})

    def in_language(self, language: str) -> Fonts:
        """The same with the marks of a Chinese or Japanese note from its font for these letters."""
        font = self.chosen.get("cjk")
        if font is None or language[:2] not in ("zh", "ja"):
            return self
        marks = (replace(file, family=f"{file.family} Marks", only=_of(_SQUARE_MARKS, file)) for file in font.files)
        return replace(self, chosen={**self.chosen, "cjk": replace(font, files=(*marks, *font.files))})


def asks_for_fonts(meta: Mapping[str, Any], report: Messages) -> bool:
    """Whether a note has `scidraft: fonts:`; what in it cannot be meant is told to `report`."""
    own = meta.get("scidraft")
    own = own.get("fonts") if isinstance(own, dict) else None
    if own and not isinstance(own, dict):
        report.add(messages.settings.not_a_map("scidraft: fonts"))
        return False
    asked = own or {}
    if asked.get("math") or meta.get("mathfont"):
        report.add(messages.fonts.no_math_font())
    for role in asked:
        if role not in (*ROLES, "math"):
            report.add(messages.fonts.unknown_role(str(role), ROLES))
    return bool(asked)


def read_fonts(meta: Mapping[str, Any], folder: Path, report: Messages) -> Fonts:
    """The fonts that `scidraft: fonts:` or pandoc's own names ask for; files are beside the note, in `folder`.

    What cannot be used is told to `report` and left out.
    """
    asked: Mapping[str, Any] = meta["scidraft"]["fonts"] if asks_for_fonts(meta, report) else {}
    chosen, named = {}, []
    for role in ROLES:
        key = f"scidraft: fonts: {role}" if asked.get(role) else _PANDOC.get(role, "")
        value = asked.get(role) or meta.get(key)
        if value:
            font, files = _font(role, key, _several(value), folder, report)
            font = replace(font, options=tuple(map(str, _several(meta.get(_OPTIONS.get(key, ""))))))
            named += files
            if font.families:
                chosen[role] = font
    return Fonts(chosen, tuple(named))


def _font(role: str, key: str, values: list[Any], folder: Path, report: Messages) -> tuple[Font, list[Path]]:
    """The font that the metadata name, and the files that they name."""
    names, paths, usable = [], [], []
    for value in map(str, values):
        # pandoc's fallback fonts have LuaTeX's features after a colon.
        name = value.split(":")[0].strip() if key == _PANDOC["other"] else value.strip()
        if not name.lower().endswith(SUFFIXES):
            names.append(name)
            continue
        place = folder / name
        found = sorted(Path(place.anchor).glob(str(place.relative_to(place.anchor)))) if "*" in name else []
        for path in found or [place]:
            paths.append(path)
            try:
                faces("", [(path.resolve(), 0)])
                usable.append((path.resolve(), 0))
            except OSError:
                report.add(messages.fonts.no_file(name, key))
            except BadFont as error:
                report.add(messages.fonts.bad_file(path.name, key, str(error)))
    files = faces(_private(role), usable)
    if role == "main" and files and not any(file.style == "italic" for file in files):
        report.add(messages.fonts.no_italic(key))
    return Font(role, key, tuple(names), tuple(_limited(role, files))), paths


def _several(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if value else []


def _private(role: str) -> str:
    return f"SD {role.upper() if role == 'cjk' else role.capitalize()} Own"


def _limited(role: str, files: tuple[FontFile, ...]) -> list[FontFile]:
    """The faces of a script that our own faces have, too, for its letters alone."""
    return [replace(file, only=_of(SCRIPTS[role], file)) for file in files] if role in SCRIPTS else list(files)


def _of(letters: frozenset[int], file: FontFile) -> frozenset[int]:
    return letters & letters_of(file.path, file.index)
