"""The typefaces of pictures: which font files they are, how wide their words run, and how a style sheet names them.

A picture is laid out by the widths of its words, so the font it is shown in must be the one it was measured with.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from scidraft.engines import cache as disk
from scidraft.engines.mathjax import Font
from scidraft.files import digest_of, write_atomically
from scidraft.fontfiles import BadFont, FontFile, is_single, single
from scidraft.fonts import Fonts
from scidraft.messages import Messages
from scidraft.paths import ASSETS

#: The order of the tables that the layout reads: bit 1 is bold, bit 2 italic.
STYLES = ((400, "normal"), (700, "normal"), (400, "italic"), (700, "italic"))

_FONTS = ASSETS / "fonts"
_SUBSETS = ("latin", "latin-ext", "greek", "cyrillic")


# Compared by identity: there are few, and their advances are looked up by the thousand.
@dataclass(frozen=True, eq=False)
class Typeface:
    """A text face and what stands in for the signs it lacks.

    `families` is the CSS list, best first: the private names come before those of fonts that happen to be installed.
    `maths` is MathJax's font that goes with it.
    """

    name: str
    maths: Font
    families: tuple[str, ...]
    files: tuple[FontFile, ...]

    @property
    def css(self) -> str:
        """The value of `font-family`: single quotes fit an attribute, and after a space WeasyPrint would keep them."""
        return ",".join(name if name == "serif" else f"'{name}'" for name in self.families)

    def width(self, text: str, size: float = 1, *, bold: bool = False, italic: bool = False) -> float:
        """How far `text` runs at `size`, in the unit of `size`, without kerning."""
        return size * sum(advance(self, sign, int(bold) + 2 * int(italic)) for sign in text)

    def files_for(self, text: str) -> list[FontFile]:
        """The files that showing `text` may need: the text face, and of the others those with signs it lacks."""
        lacking = set(map(ord, text))
        chosen: list[FontFile] = []
        for family in dict.fromkeys(file.family for file in self.files):
            files = [file for file in self.files if file.family == family]
            has = set().union(*(_advances(file)[1] for file in files))
            if not chosen or lacking & has:
                chosen += files
            lacking -= has
        return chosen

    def tables(self, signs: Iterable[str]) -> list[dict[str, float]]:
        """The advances of `signs` in em, one table per entry of `STYLES`."""
        return [{sign: advance(self, sign, style) for sign in signs} for style in range(len(STYLES))]


@cache
def advance(face: Typeface, sign: str, style: int) -> float:
    """The advance of one character in em. Signs that no file of the face has count as full or as 0.6 wide."""
    if unicodedata.combining(sign):
        return 0
    weight, slope = STYLES[style]
    # A family without bold or italic (the signs) is shown in its only style.
    chosen = [file for file in face.files if (file.weight, file.style) == (weight, slope)]
    for file in [*chosen, *(file for file in face.files if file not in chosen)]:
        units, widths = _advances(file)
        if ord(sign) in widths:
            return widths[ord(sign)] / units
    return 1 if unicodedata.east_asian_width(sign) in {"W", "F"} else 0.6


@cache
def _advances(file: FontFile) -> tuple[int, dict[int, int]]:
    # Imported here: pages without diagrams and fonts of their own need none of it, and it takes a while.
    from fontTools.ttLib import TTFont

    with TTFont(file.path, lazy=True, fontNumber=file.index) as font:
        metrics = font["hmtx"].metrics
        return font["head"].unitsPerEm, {
            code: metrics[name][0] for code, name in font.getBestCmap().items() if file.only is None or code in file.only
        }


def _family(family: str, names: Iterable[tuple[int, str, str]], folder: Path = _FONTS) -> list[FontFile]:
    files = [FontFile(family, weight, style, folder / name) for weight, style, name in names]
    return [file for file in files if file.path.is_file()]


def _signs() -> list[FontFile]:
    return _family("SD Signs", [(400, "normal", "stix-two-math-latin-400-normal.woff2")])


def _noto() -> list[FontFile]:
    """Noto Sans, which the layout engine brings along."""
    try:
        import mermaid_render
    except ImportError:
        return []
    names = zip(STYLES, ("Regular", "Bold", "Italic", "BoldItalic"), strict=True)
    folder = Path(mermaid_render.__file__).parent / "fonts"
    return _family("SD Sans", [(weight, style, f"NotoSans-{name}.ttf") for (weight, style), name in names], folder)


@cache
def web_face() -> Typeface:
    """STIX Two Text, the face of the web page; the later names are its relatives for pages that do not bring it."""
    text = _family(
        "SD Text",
        [(weight, style, f"stix-two-text-{subset}-{weight}-{style}.woff2") for weight, style in STYLES for subset in _SUBSETS],
    )
    families = ("SD Text", "STIX Two Text", "SD Signs", "STIX Two Math", "Times New Roman", "Liberation Serif", "serif")
    return Typeface("web", "stix2", families, (*text, *_signs(), *_noto()))


@cache
def print_face() -> Typeface:
    """CMU Serif, the face of the printed page and like LaTeX's own; Noto Sans where the fonts have not been fetched."""
    text = _family(
        "SD Serif",
        [(weight, style, f"cmu-serif-{500 if weight == 400 else weight}-{'roman' if style == 'normal' else style}.ttf")
         for weight, style in STYLES],
    )  # fmt: skip
    families = ("SD Serif", "CMU Serif") if text else ("SD Sans", "Noto Sans")
    rest = ("SD Signs", "STIX Two Math", "SD Sans", "Noto Sans", "serif")
    return Typeface("print", "newcm", (*families, *rest), (*text, *_signs(), *_noto()))


@cache
def with_fonts(face: Typeface, fonts: Fonts) -> Typeface:
    """The face of a note that has fonts of its own: its main font before ours, the others before the signs."""
    if not fonts:
        return face
    here = fonts.here(Messages())
    ours = [file for file in face.files if file.family == face.files[0].family]
    mine = {family: [file for file in here.files if file.family == family] for family in here.families(*here.chosen)}
    order = (here.leading, here.families("main"), here.helping)
    leading, main, helping = ([file for family in families for file in mine.get(family, ())] for families in order)
    # Pages name an installed family as the author does, print by its files.
    families = (
        *(*here.leading, *here.families("main"), *fonts.families("main")),
        *face.families[:2],
        *(*here.helping, *fonts.helping),
        *face.families[2:],
    )
    files = (*leading, *main, *ours, *helping, *(file for file in face.files if file not in ours))
    # What has been drawn is kept by the name.
    own = [f"{file.path.name}-{digest_of(file.path)[:8]}" for file in (*leading, *main, *helping)]
    return replace(face, name="-".join([face.name, *own]), families=tuple(dict.fromkeys(families)), files=files)


@cache
def on_disk(file: FontFile) -> Path:
    """A face as a file of its own that all programs take, kept in the cache: to unpack a web font each time takes a second.

    It has the letters it is used for alone. Fontconfig does not know the ranges of style sheets when it sorts fonts, and leaves
    those out that have nothing more than the ones before them.
    """
    folder = disk.directory()
    if folder is None or (is_single(file.path) and file.only is None):
        return file.path
    kept = folder / f"{disk.key(digest_of(file.path), file.index, sorted(file.only or ()))}.ttf"
    try:
        if not kept.is_file():
            write_atomically(kept, single(file))
    except (OSError, BadFont):
        return file.path
    return kept
