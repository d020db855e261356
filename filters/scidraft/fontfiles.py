"""Font files: their styles and letters, those of the families installed here, and single faces out of what holds several."""

from __future__ import annotations

import io
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Set
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

SUFFIXES = (".ttf", ".otf", ".ttc", ".otc", ".woff", ".woff2")
#: Files that more programs than browsers take, and that hold one face.
_PLAIN = (".ttf", ".otf")
_REGULAR, _BOLD = 400, 700
#: From this weight a face counts as bold.
_HEAVY = 600
_USUAL_WIDTH = 100
#: The bits of fsSelection for italic and oblique faces.
_SLANTED = 0x201


class BadFont(ValueError):
    """A file that cannot be read as a font."""


@dataclass(frozen=True)
class FontFile:
    """One face of a family, for an `@font-face` rule: where its file is, and its place in a collection.

    `only` are the code points it is used for; None for all that it has.
    """

    family: str
    weight: int
    style: str
    path: Path
    index: int = 0
    only: frozenset[int] | None = None

    def rule(self, address: str, more: str = "") -> str:
        """Its `@font-face` rule, with the address of the file for a style sheet, and `more` descriptors."""
        shown = f" unicode-range: {ranges(self.only)};" if self.only is not None else ""
        return (
            f'@font-face {{ font-family: "{self.family}"; font-weight: {self.weight}; font-style: {self.style};{more} '
            f'src: url("{address}");{shown} }}'
        )


def ranges(letters: Set[int]) -> str:
    """Code points as style sheets list them."""
    listed: list[list[int]] = []
    for code in sorted(letters):
        if listed and code == listed[-1][1] + 1:
            listed[-1][1] = code
        else:
            listed.append([code, code])
    return ", ".join(f"U+{first:04X}" + (f"-{last:04X}" if last > first else "") for first, last in listed) or "U+10FFFF"


def faces(family: str, files: Iterable[tuple[Path, int]]) -> tuple[FontFile, ...]:
    """The faces in `files` (paths, and places in collections) as a family: one for each of regular, bold and their italics.

    A face whose weight can be varied stands for both. Raises BadFont, and OSError when a file cannot be read.
    """
    found: dict[tuple[int, str], tuple[int, FontFile]] = {}
    for path, index in files:
        lightest, heaviest, style = _styles(path, index)
        for weight in (_REGULAR, _BOLD):
            nearest = min(max(weight, lightest), heaviest)
            if (nearest >= _HEAVY) != (weight >= _HEAVY):
                continue
            away = abs(nearest - weight)
            if (weight, style) not in found or away < found[weight, style][0]:
                found[weight, style] = away, FontFile(family, weight, style, path, index)
    return tuple(found[key][1] for key in sorted(found, key=lambda key: (key[1] == "italic", key[0])))


def installed(name: str, family: str) -> tuple[FontFile, ...] | None:
    """The faces of the family `name` that this computer has, called `family`; None when it cannot be asked."""
    program = shutil.which("fc-list")
    if program is None:
        return None
    asked = "".join(f"\\{sign}" if sign in "\\-:,=" else sign for sign in name)
    form = "%{file}\\t%{index}\\t%{width}\\n"
    listed = subprocess.run([program, "--format", form, f":family={asked}"], capture_output=True, text=True, check=False).stdout
    rows = [line.split("\t") for line in sorted(listed.splitlines())]
    # The upper half of the index counts the named instances of a variable font.
    places = [(abs(_number(width) - _USUAL_WIDTH), Path(file), _number(index) & 0xFFFF) for file, index, width in rows]
    usual = min((away for away, path, _ in places if path.suffix.lower() in SUFFIXES), default=0)
    files = [(path, index) for away, path, index in places if away == usual and path.suffix.lower() in SUFFIXES]
    try:
        return faces(family, dict.fromkeys(files))
    except (BadFont, OSError):
        return ()


def _number(text: str) -> int:
    # The width of a font that can be varied is a range, in brackets.
    return int(float(text)) if text.replace(".", "").isdigit() else _USUAL_WIDTH


def _styles(path: Path, index: int) -> tuple[int, int, str]:
    """The lightest and heaviest weight of a face and its style, as the file itself tells them."""
    with _opened(path, index) as font:
        return _weights(font)


def _weights(font: Any) -> tuple[int, int, str]:
    table = font.get("OS/2")
    weight = table.usWeightClass if table else _BOLD if font["head"].macStyle & 1 else _REGULAR
    slanted = font["head"].macStyle & 2 or (table and table.fsSelection & _SLANTED)
    axes = [axis for axis in font["fvar"].axes if axis.axisTag == "wght"] if "fvar" in font else []
    lightest, heaviest = (int(axes[0].minValue), int(axes[0].maxValue)) if axes else (weight, weight)
    return lightest, heaviest, "italic" if slanted else "normal"


@cache
def letters_of(path: Path, index: int = 0) -> frozenset[int]:
    """The code points a face has. Raises BadFont, and OSError."""
    with _opened(path, index) as font:
        return frozenset(font.getBestCmap() or ())


def is_single(path: Path) -> bool:
    """Whether a file is one face, as all programs take it."""
    return path.suffix.lower() in _PLAIN


def single(file: FontFile) -> bytes:
    """A face of a collection or a web font as a file of its own, with the letters it is used for. Raises BadFont, OSError."""
    with _opened(file.path, file.index) as font:
        if file.only is not None:
            _keep(font, file.only)
        return _written(font, None)


def for_latex(file: FontFile) -> tuple[str, bytes]:
    """The name and content of a face as LaTeX takes it: on its own, of one weight. Raises BadFont, OSError."""
    with _opened(file.path, file.index) as font:
        name = file.path.stem + (f"-{file.index}" if file.index else "")
        ending = ".otf" if "CFF " in font or "CFF2" in font else ".ttf"
        if "fvar" in font:
            from fontTools.varLib.instancer import instantiateVariableFont

            axes = {axis.axisTag: axis.defaultValue for axis in font["fvar"].axes}
            lightest, heaviest, _ = _weights(font)
            axes |= {"wght": min(max(file.weight, lightest), heaviest)} if "wght" in axes else {}
            instantiateVariableFont(font, axes, inplace=True)
            if "OS/2" in font:
                font["OS/2"].usWeightClass = file.weight
            return f"{name}-{file.weight}{ending}", _written(font, None)
        return name + ending, file.path.read_bytes() if is_single(file.path) else _written(font, None)


def for_letters(path: Path, index: int, letters: Iterable[int]) -> bytes:
    """The content of a web font with no more than `letters` of a face. Raises BadFont, and OSError."""
    with _opened(path, index) as font:
        _keep(font, letters)
        return _written(font, "woff2")


def _keep(font: Any, letters: Iterable[int]) -> None:
    """Take out all but `letters`, and what is needed to set them well."""
    from fontTools.subset import Options, Subsetter

    options = Options(layout_features=["*"], notdef_outline=True, hinting=False, name_IDs=["*"])
    options.drop_tables += ["FFTM", "meta"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=letters)
    subsetter.subset(font)


def _written(font: Any, flavor: str | None) -> bytes:
    content = io.BytesIO()
    font.flavor = flavor
    font.save(content)
    return content.getvalue()


@contextmanager
def _opened(path: Path, index: int) -> Iterator[Any]:
    """The face while it is looked at. Raises BadFont in place of all that fontTools raises, and OSError."""
    from fontTools.ttLib import TTFont

    try:
        # Opened here, since fontTools leaves a broken file open.
        with path.open("rb") as file, TTFont(file, lazy=True, fontNumber=index, recalcTimestamp=False) as font:
            yield font
    except (OSError, BadFont):
        raise
    except Exception as error:  # for a broken file fontTools raises what it likes
        raise BadFont(str(error) or type(error).__name__) from error
