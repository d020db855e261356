"""The author's own fonts in LaTeX: declarations for lualatex and xelatex, after templates/fonts.tex."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scidraft.fontfiles import FontFile, installed
from scidraft.fonts import SCRIPTS, Font, Fonts
from scidraft.paths import TEMPLATES

#: A copy's name, for a file.
Copy = Callable[[FontFile], str]

_COMMANDS = {"main": "setmainfont", "sans": "setsansfont", "mono": "setmonofont"}
_OPENTYPE = {"hebrew": "Hebrew", "arabic": "Arabic"}
_TAGS = {"hebrew": "hebr", "arabic": "arab"}
_STYLES = {(400, "normal"): "Upright", (400, "italic"): "Italic", (700, "normal"): "Bold", (700, "italic"): "BoldItalic"}
_LISTS = {400: "ownletters", 700: "ownlettersbold"}
#: The first and last letters that fonts help with: Unicode without its control signs and private planes.
_ALL = (0xA0, 0x323AF)


def font_declarations(fonts: Fonts, copy: Copy, folder: str) -> str:
    """What a preamble needs; `copy` names the copy of a file in `folder`."""
    helping = [font for role, font in fonts.chosen.items() if role not in _COMMANDS]
    lines = [(TEMPLATES / "fonts.tex").read_text(encoding="utf-8").strip(), "\\ifLuaTeX"]
    lines += [f"  \\needfont{{{name}}}" for font in helping for name in font.names]
    if helping:
        for weight, name in _LISTS.items():
            entries = ",".join(f'"{entry}"' for font in helping for entry in _entries(font, weight, copy, folder))
            lines.append(f'  \\directlua{{luaotfload.add_fallback("{name}",{{{entries}}})}}')
    for role, command in _COMMANDS.items():
        if role in fonts.chosen:
            lines.append(f"  \\{command}{_font(fonts.chosen[role], copy, folder, helped=bool(helping))}")
        elif helping:
            lines.append(f"  \\help{role}")
    lines += ["\\fi", "\\ifXeTeX"]
    lines += [f"  \\{_COMMANDS[role]}{_font(fonts.chosen[role], copy, folder)}" for role in _COMMANDS if role in fonts.chosen]
    for font in helping:
        lines.append(f"  \\newfontfamily\\{font.role}letters{_font(font, copy, folder)}")
        first, last = (min(SCRIPTS[font.role]), max(SCRIPTS[font.role])) if font.role in SCRIPTS else _ALL
        # Ours, which no setting names, gives way to a font that the note loads in its own way.
        which = "all" if font.role in SCRIPTS and font.key else "missing"
        lines.append(f'  \\helpletters{{{font.role}}}{{"{first:X}}}{{"{last:X}}}{{{which}}}')
    lines.append("\\fi")
    if "cjk" in fonts.chosen:
        lines.append("\\ifPDFTeX\\else\\breakcjk\\fi")
    return "\n".join(lines)


def _font(font: Font, copy: Copy, folder: str, *, helped: bool = False) -> str:
    """The arguments of fontspec's commands: the family or the upright file, and its options."""
    options = list(_options(font, copy, folder))
    if helped:
        options += [f"{style}Features={{RawFeature={{fallback={_LISTS[weight]}}}}}" for (weight, _), style in _STYLES.items()]
    name = copy(_upright(font)) if font.files else font.names[0]
    return f"{{{name}}}[{','.join([*options, *font.options])}]"


def _options(font: Font, copy: Copy, folder: str) -> Iterator[str]:
    if font.files:
        yield f"Path={{{folder}/}}"
        for file in font.files:
            if file != _upright(font):
                yield f"{_STYLES[file.weight, file.style]}Font={{{copy(file)}}}"
    if font.role in _OPENTYPE:
        yield f"Script={_OPENTYPE[font.role]}"


def _upright(font: Font) -> FontFile:
    """The file for plain text, or what is there."""
    return min(font.files, key=lambda file: (file.style == "italic", file.weight))


def _entries(font: Font, weight: int, copy: Copy, folder: str) -> Iterator[str]:
    """A font's entries in a list of fonts that help LuaTeX's others."""
    script = f"script={_TAGS[font.role]};" if font.role in _TAGS else ""
    if font.files:
        bold = [file for file in font.files if (file.weight, file.style) == (weight, "normal")]
        yield f"[{folder}/{copy((bold or [_upright(font)])[0])}]:mode=node;{script}"
    for name in font.names:
        has_bold = weight > min(_LISTS) and any(file.weight == weight for file in installed(name, "") or ())
        yield f"{name}{'/B' if has_bold else ''}:mode=node;{script}"
