"""Pages that run from right to left: what stands at the beginning of a line is at the right, numbers and marks at the left."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from PIL import Image, ImageOps

from scidraft.build import build
from scidraft.messages import Messages
from scidraft.note import Task
from scidraft.settings import Settings
from scidraft.wording import Wording

# The words are Latin, so that no font need be there but ours.
NOTE = r"""---
title: Words
lang: he
dir: rtl
toc: true
scidraft: {numbered: false}
---

# Alpha

First[^1]

- Item

$$ a = b $$ {#eq-a}

::: proof
Clear
:::

::: proof
By

$$ a = b $$
:::

::: proof
- Last
:::

[^1]: Foot
"""
LEFT, RIGHT = 117.6, 477.6  # the column of an A4 page, in pt


@pytest.fixture(name="pdf", scope="module")
def _pdf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rtl")
    (folder / "note.md").write_text(NOTE, encoding="utf-8")
    build([folder / "note.md"], Task(folder, ("pdf",)))
    return folder / "note.pdf"


def edges(pdf: Path) -> dict[str, list[tuple[float, float]]]:
    """Where each word begins and ends, from the left."""
    layout = subprocess.run(["pdftotext", "-bbox", str(pdf), "-"], capture_output=True, text=True, check=True).stdout
    found: dict[str, list[tuple[float, float]]] = {}
    for left, right, word in re.findall(r'xMin="([\d.]+)"[^>]* xMax="([\d.]+)"[^>]*>([^<]*)<', layout):
        found.setdefault(word, []).append((float(left), float(right)))
    return found


def test_headings_and_text_begin_at_the_right(pdf: Path) -> None:
    words = edges(pdf)
    in_contents, heading = words["Alpha"]
    assert in_contents[1] == pytest.approx(RIGHT, abs=0.5)
    assert heading[1] == pytest.approx(RIGHT, abs=0.5)
    assert words["Item"][0][1] == pytest.approx(RIGHT - 2.2 * 10.95, abs=2)


def test_numbers_of_equations_and_pages_stand_at_the_left(pdf: Path) -> None:
    words = edges(pdf)
    assert words[")1("][0][0] == pytest.approx(LEFT, abs=1)  # pdftotext reads the line from the right
    assert words["1"][0][0] == pytest.approx(LEFT, abs=1)


def test_marks_of_proofs_stand_at_the_left_edge_and_nothing_outside_the_column(pdf: Path) -> None:
    subprocess.run(["pdftoppm", "-r", "144", "-gray", "-png", "-singlefile", str(pdf), str(pdf.with_suffix(""))], check=True)
    with Image.open(pdf.with_suffix(".png")) as picture:
        ink = ImageOps.invert(picture.convert("L")).point(lambda shade: 255 if shade > 30 else 0)
    box = ink.getbbox()
    assert box is not None
    assert box[0] / 2 == pytest.approx(LEFT, abs=1.5)
    assert box[2] / 2 == pytest.approx(RIGHT, abs=1.5)
    # In the outermost 7 pt of the column: the page number of the contents, a part of "(1)", and three marks, one above the other.
    edge = ink.crop((round(2 * LEFT), 0, round(2 * LEFT) + 14, ink.height))
    rows = [edge.crop((0, y, edge.width, y + 1)).getbbox() is not None for y in range(edge.height)]
    assert sum(now and not before for before, now in zip([False, *rows], rows, strict=False)) == 5


@pytest.mark.parametrize(("language", "word"), [("en", "of"), ("de", "von"), ("fr", "sur"), ("he", "מתוך"), ("ja", "/")])
def test_page_x_of_y_in_the_language_of_the_note(language: str, word: str) -> None:
    assert Wording(Settings(language=language), Messages()).page_word("of") == word
