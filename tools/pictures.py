"""Makes the README's pictures: `make pictures`. A page of ours beside LaTeX's, and a page in each theme.

Needs pdflatex and pdftoppm. docs/ keeps what it writes.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

from PIL import Image

from scidraft.build import build
from scidraft.note import Task

_ROOT = Path(__file__).resolve().parent.parent
_GAP = 20
_FOOT = 0.87  # of a page's height: there its number is
_GREY = (136, 136, 136)


def main() -> None:
    """Write docs/side-by-side.png and docs/themes.png."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "references.bib").write_bytes((_ROOT / "notes" / "references.bib").read_bytes())
        ours = _printed(folder, "woodbury")
        latex = _printed(folder, "woodbury", engine="pdflatex")
        _beside([_page(each, 2, 110, margin=24) for each in (ours, latex)], "side-by-side")
        themes = [_printed(folder, "kv-cache", theme=theme) for theme in ("article", "handout", "lecture")]
        _beside([_page(each, 2, 62) for each in themes], "themes")


def _printed(folder: Path, note: str, *, theme: str = "", engine: str = "") -> Path:
    text = (_ROOT / "notes" / f"{note}.md").read_text(encoding="utf-8")
    if theme:
        text = re.sub(r"^scidraft:$", f"scidraft:\n  theme: {theme}", text, count=1, flags=re.MULTILINE)
    source = folder / f"{note}-{theme or engine or 'ours'}.md"
    source.write_text(text, encoding="utf-8")
    tally = build([source], Task(folder, ("pdf",), engine=engine))
    if tally.failed:
        raise SystemExit(f"{source.name} could not be built")
    return source.with_suffix(".pdf")


def _page(pdf: Path, number: int, dots: int, margin: int | None = None) -> Image.Image:
    """A page as a picture; with a `margin`, as much of it as is printed on, without the foot, and that many px around."""
    name = pdf.with_suffix("")
    subprocess.run(["pdftoppm", "-r", str(dots), "-f", str(number), "-singlefile", "-png", pdf, name], check=True)
    page = Image.open(name.with_suffix(".png")).convert("RGB")
    if margin is None:
        return page
    page = page.crop((0, 0, page.width, round(page.height * _FOOT)))
    box = page.convert("L").point(lambda shade: 255 - shade).getbbox()
    assert box is not None
    left, top, right, bottom = box
    return page.crop((left - margin, top - margin, right + margin, bottom + margin))


def _beside(pages: list[Image.Image], name: str) -> None:
    width = sum(page.width for page in pages) + _GAP * (len(pages) - 1)
    height = min(page.height for page in pages)
    picture = Image.new("RGB", (width, height), _GREY)
    left = 0
    for page in pages:
        picture.paste(page, (left, 0))
        left += page.width + _GAP
    picture.quantize(48).save(_ROOT / "docs" / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
