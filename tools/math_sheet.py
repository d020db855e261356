"""Sets the formulas of tests/formulas.yaml in all our ways and by LaTeX, side by side: `make math-sheet`, math_sheet.py [NAME …].

The columns: our print, the web page with pictures, the web page with MathML, pdflatex. What comes of it, for somebody to look at,
is build/math-sheet/sheet.pdf and its pages as sheet-N.png; what the builds said goes to standard output.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml
from PIL import Image, ImageDraw, ImageFont

FORMULAS = Path("tests/formulas.yaml")
FOLDER = Path("build/math-sheet")
COLUMNS = ("print", "web, pictures", "web, MathML", "LaTeX")
MACROS = {"E": r"\mathbb{E}\left[#1\right]", "Var": r"\operatorname{Var}"}

_SCALE = 1.4  # device pixels to a CSS pixel: pictures as tall as the longest page stay under what the browser can draw
_CELL = (760, 160)  # CSS pixels that a formula has on the web
_DPI = 96 * _SCALE
_ROWS = 10  # formulas on a page of the sheet
_WIDTH = 640  # pixels of a column of the sheet
_BOX = "position:absolute;left:0;width:{width}px;height:{height}px;padding:0 10px;background:#fff;z-index:9;overflow:hidden;"
_PAPER = 225  # lighter than this is no ink
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def read(names: Sequence[str] = ()) -> list[dict[str, Any]]:
    """The formulas of the list, or those of these names."""
    found: list[dict[str, Any]] = yaml.safe_load(FORMULAS.read_text(encoding="utf-8"))
    return [entry for entry in found if not names or entry["name"] in names]


def note(formulas: Sequence[dict[str, Any]], packages: Sequence[str], **settings: str) -> str:
    """A note with each formula in a place of its own: a page where there are pages, a box on a screen."""
    metadata = {
        "title": "Formulas",
        "macros": MACROS,
        "header-includes": [f"\\usepackage{{{name}}}" for name in packages],
        "scidraft": settings,
    }
    blocks = [f"---\n{yaml.safe_dump(metadata)}---\n"]
    width, height = _CELL
    for index, formula in enumerate(formulas):
        tex = formula["tex"]
        written = f"Words before ${tex}$, and words after." if formula.get("inline") else f"$$\n{tex}\n$$"
        style = f"{_BOX.format(width=width - 20, height=height)}top:{index * height}px;break-before:page"
        blocks.append(f'```{{=latex}}\n\\clearpage\n```\n\n::: {{style="{style}"}}\n{written}\n:::\n')
    return "\n".join(blocks)


def in_print(formulas: Sequence[dict[str, Any]], name: str) -> list[Image.Image]:
    """Each formula as WeasyPrint prints it."""
    # On paper a box of its own would be laid over the others.
    path = FOLDER / f"{name}.md"
    text = path.read_text(encoding="utf-8").replace(_BOX.format(width=_CELL[0] - 20, height=_CELL[1]), "")
    path.write_text(text, encoding="utf-8")
    _build(path, "pdf")
    return _pages(FOLDER / f"{name}.pdf", len(formulas))


def on_the_web(formulas: Sequence[dict[str, Any]], name: str) -> list[Image.Image]:
    """Each formula as a browser shows it."""
    _build(FOLDER / f"{name}.md", "html")
    width, height = _CELL
    picture = FOLDER / f"{name}.png"
    browser = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if browser is None:
        raise SystemExit(f"no browser: one of {', '.join(_BROWSERS)} is needed")
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={FOLDER.resolve()}/browser"]
    size = f"--window-size={width},{height * len(formulas)}"
    page = (FOLDER / f"{name}.html").resolve().as_uri()
    options = [
        size,
        f"--force-device-scale-factor={_SCALE}",
        "--hide-scrollbars",
        "--virtual-time-budget=9000",
        f"--screenshot={picture}",
        page,
    ]
    subprocess.run([*command, *options], check=True, capture_output=True)
    whole = Image.open(picture).convert("RGB")
    tall = round(height * _SCALE)
    return [whole.crop((0, index * tall, whole.width, (index + 1) * tall)) for index in range(len(formulas))]


def by_latex(formulas: Sequence[dict[str, Any]], name: str) -> list[Image.Image]:
    """Each formula as pdflatex sets it from our LaTeX; its errors are told."""
    _build(FOLDER / f"{name}.md", "latex")
    command = ["pdflatex", "-interaction=nonstopmode", f"{name}.tex"]
    subprocess.run(command, cwd=FOLDER, capture_output=True, check=False)
    log = (FOLDER / f"{name}.log").read_text(encoding="utf-8", errors="replace").splitlines()
    for index, line in enumerate(log):
        if line.startswith(("! ", "Missing character")):
            place = next((later for later in log[index : index + 12] if later.startswith("l.")), "")
            print(f"{name}: {line} {place}")
    return _pages(FOLDER / f"{name}.pdf", len(formulas))


def _build(path: Path, target: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "scidraft", "build", "--force", "--to", target, "-o", str(FOLDER), str(path)],
        capture_output=True,
        text=True,
        check=False,
    )
    said = [line for line in (done.stdout + done.stderr).splitlines() if "warning" in line.lower() or "error" in line.lower()]
    print(*said, sep="\n")


def _pages(pdf: Path, count: int) -> list[Image.Image]:
    """Page 2 and those that follow, without what stands at their head and foot."""
    stem = pdf.with_suffix("")
    for old in FOLDER.glob(f"{stem.name}-page-*.png"):
        old.unlink()
    subprocess.run(["pdftoppm", "-r", str(round(_DPI)), "-f", "2", "-png", str(pdf), f"{stem}-page"], check=True)
    found = [Image.open(path).convert("RGB") for path in sorted(FOLDER.glob(f"{stem.name}-page-*.png"))]
    if len(found) != count:
        print(f"{pdf.name}: {len(found)} pages for {count} formulas")
    empty = Image.new("RGB", (10, 10), "white")
    return [page.crop((0, page.height * 19 // 200, page.width, page.height * 3 // 4)) for page in found[:count]] + [empty] * (
        count - len(found)
    )


def _trimmed(picture: Image.Image) -> Image.Image:
    inked = picture.convert("L").point(lambda shade: 255 if shade < _PAPER else 0)
    box = inked.getbbox()
    return picture.crop(box) if box else picture.crop((0, 0, 10, 10))


def sheets(formulas: Sequence[dict[str, Any]], columns: Sequence[Sequence[Image.Image]]) -> Iterator[Image.Image]:
    """The pages of the sheet: a row for each formula, with its name and its TeX above."""
    face = ImageFont.load_default(16)
    rows = []
    for index, formula in enumerate(formulas):
        cells = [_trimmed(column[index]) for column in columns]
        for cell in cells:
            cell.thumbnail((_WIDTH - 20, 1000))
        row = Image.new("RGB", (_WIDTH * len(columns), max(cell.height for cell in cells) + 50), "white")
        draw = ImageDraw.Draw(row)
        fault = f"  [{formula['fault']}]" if "fault" in formula else ""
        draw.line((0, 0, row.width, 0), "gray")
        draw.text((8, 6), f"{formula['name']}{fault}   {' '.join(formula['tex'].split())}"[:330], "#00549f", face)
        for place, cell in enumerate(cells):
            row.paste(cell, (place * _WIDTH + 10, 36))
        rows.append(row)
    for start in range(0, len(rows), _ROWS):
        chosen = rows[start : start + _ROWS]
        page = Image.new("RGB", (chosen[0].width, sum(row.height for row in chosen) + 30), "white")
        for place, title in enumerate(COLUMNS):
            ImageDraw.Draw(page).text((place * _WIDTH + 10, 6), title, "black", face)
        top = 30
        for row in chosen:
            page.paste(row, (0, top))
            top += row.height
        yield page


def main() -> None:
    """Make the sheet of all formulas, or of those named on the command line."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    entries = read(sys.argv[1:])
    groups: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for entry in entries:
        groups.setdefault(tuple(entry.get("packages", ())), []).append(entry)
    pictures: dict[str, list[Image.Image]] = {}
    empty = Image.new("RGB", (10, 10), "white")
    for packages, members in groups.items():
        stem = "-".join(["formulas", *packages])
        sound = [entry for entry in members if "fault" not in entry]
        for suffix, chosen, settings in (("", members, {}), ("-mathml", members, {"math": "mathml"}), ("-latex", sound, {})):
            text = note(chosen, packages, **settings)
            (FOLDER / f"{stem}{suffix}.md").write_text(text, encoding="utf-8")
        web = [on_the_web(members, stem), on_the_web(members, f"{stem}-mathml")]
        columns = [in_print(members, stem), *web]
        set_by_latex = iter(by_latex(sound, f"{stem}-latex") if sound else ())
        for index, entry in enumerate(members):
            last = empty if "fault" in entry else next(set_by_latex)
            pictures[entry["name"]] = [*(column[index] for column in columns), last]
    made = list(sheets(entries, [[pictures[entry["name"]][place] for entry in entries] for place in range(len(COLUMNS))]))
    for number, page in enumerate(made, 1):
        page.save(FOLDER / f"sheet-{number}.png")
    made[0].save(FOLDER / "sheet.pdf", save_all=True, append_images=made[1:])
    print(f"{FOLDER}/sheet.pdf: {len(entries)} formulas on {len(made)} pages, each also as sheet-N.png")


if __name__ == "__main__":
    main()
