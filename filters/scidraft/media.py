"""Finds the files a note shows (pictures, its own style sheets) and brings them along to the output's folder."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote, unquote

import panflute as pf

from scidraft import messages
from scidraft.document import meta_value, walk
from scidraft.files import digest, digest_of, write_atomically
from scidraft.fontfiles import FontFile, for_latex, for_letters
from scidraft.fonts import Fonts
from scidraft.messages import Messages

#: A scheme (`https:`, `data:`), a host (`//…`) or a place in the page (`#…`): nothing to bring along.
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]+:|//|#|$", re.IGNORECASE)
#: What \includegraphics takes; the rest becomes PNG. (SVG has become PDF in the diagrams pass.)
_LATEX_PICTURES = {".pdf", ".png", ".jpg", ".jpeg", ".eps"}


@dataclass
class Media:
    """Copies a note's files into `folder`, which the output calls `url`; remembers what it read and wrote."""

    note: Path
    folder: Path
    url: str
    report: Messages
    inputs: set[Path] = field(default_factory=set)
    outputs: set[Path] = field(default_factory=set)
    missing: set[Path] = field(default_factory=set)

    def look(self, doc: pf.Doc) -> None:
        """Remember the pictures the author names, and tell of missing ones; change nothing."""
        for image in _images(doc):
            path = self._path(image.url)
            self.inputs.add(path)
            if not path.is_file():
                self.missing.add(path)
                self.report.add(messages.building.missing_picture(unquote(image.url)))

    def bring(self, doc: pf.Doc, *, latex: bool = False) -> None:
        """Copy the pictures and style sheets of a finished `doc`, as LaTeX takes them if `latex`; let it name the copies."""
        for image in _images(doc):
            path = self._path(image.url)
            drawn = self.folder / unquote(image.url.removeprefix(f"{self.url}/"))
            if image.url.startswith(f"{self.url}/") and drawn.is_file():
                self.outputs.add(drawn)
            elif path.is_file():
                name, content = self._for_latex(path) if latex else (path.name, path.read_bytes())
                image.url = self._write(name, content)
        if not latex:
            self._bring_style_sheets(doc)

    def font(self, file: FontFile) -> str:
        """The address in a page of a face's copy, which `bring_fonts` writes."""
        return f"{quote(self.url)}/{quote(self._font_name(file))}"

    def bring_fonts(self, fonts: Fonts, page: str) -> None:
        """Copy a note's fonts with no more than the letters that a page shows: those for Chinese have megabytes of others."""
        letters = set(map(ord, page))
        for file in fonts.files:
            needed = (letters if file.only is None else letters & file.only) | {ord(" ")}
            self._write(self._font_name(file), for_letters(file.path, file.index, needed))

    def font_for_latex(self, file: FontFile) -> str:
        """Copy a face as LaTeX takes it; the name of the copy."""
        name, content = for_latex(file)
        # TeX and fontspec read spaces and commas as their own.
        return unquote(self._write(re.sub(r"[^\w.-]+", "-", name), content).rpartition("/")[2])

    def _font_name(self, file: FontFile) -> str:
        # Two folders may have files of one name, and one file may serve for two kinds of letters.
        return f"{file.path.stem}-{digest(f'{digest_of(file.path)} {file.index} {file.family}'.encode())[:6]}.woff2"

    def _path(self, name: str) -> Path:
        return self.note.parent / unquote(name)

    def _bring_style_sheets(self, doc: pf.Doc) -> None:
        metadata = doc.metadata.content.dict
        value = meta_value(metadata.get("css"))
        names = [str(name) for name in (value if isinstance(value, list) else [value] if value else [])]
        places = []
        for name in names:
            path = self._path(name)
            if not _ELSEWHERE.match(name):
                self.inputs.add(path)
                name = self._write(path.name, path.read_bytes()) if path.is_file() else name
            places.append(pf.MetaString(name))
        if places:
            metadata["css"] = pf.MetaList(*places)

    def _write(self, name: str, content: bytes) -> str:
        """Put a file into the folder and return how the page names it. Another file of the same name stays as it is."""
        path = self.folder / name
        if path in self.outputs and path.read_bytes() != content:
            path = path.with_name(f"{path.stem}-{digest(content)[:8]}{path.suffix}")
        write_atomically(path, content)
        self.outputs.add(path)
        return f"{quote(self.url)}/{quote(path.name)}"

    def _for_latex(self, path: Path) -> tuple[str, bytes]:
        """A picture's name and content as LaTeX takes them."""
        content = path.read_bytes()
        if path.suffix.lower() in _LATEX_PICTURES:
            return path.name, content
        from PIL import Image

        png = io.BytesIO()
        try:
            with Image.open(path) as picture:
                picture.save(png, "PNG")
        except (OSError, ValueError) as error:
            self.report.add(messages.building.unusable_picture(path.name, str(error)))
            return path.name, content
        return f"{path.stem}.png", png.getvalue()


def _images(doc: pf.Doc) -> Iterator[pf.Image]:
    """The images that are files, not addresses."""
    for element, _, _ in walk(doc):
        if isinstance(element, pf.Image) and not _ELSEWHERE.match(element.url):
            yield element
