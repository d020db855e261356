"""Themes: side notes stand beside their lines, boxes break, colours can be read, and no theme changes a number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, pairwise
from pathlib import Path

import pytest

from pdf_words import Word, words
from scidraft.build import build
from scidraft.messages import Messages
from scidraft.note import Task
from scidraft.parity import compare_note
from scidraft.printing.sidenotes import _places
from scidraft.readback import numbers_of_page
from scidraft.styles import read_styles
from scidraft.themes import shipped_themes

LATIN = "Lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt ut labore et dolore magna. "
LETTERS = "ABCDEFGHIJKLMN"
STATEMENTS = """
::: {.theorem #thm-a title="Euler"}
Let $a$ be a number.^[In a theorem.] Then
$$ a = a. $$ {#eq-a}
:::

::: {.proof of="thm-a"}
Trivial.^[In a proof.]
:::

::: {.definition #def-b}
A thing is a *thing*.
:::

::: {.remark #rem-c}
By @thm-a, @eq-a and @def-b.
:::
"""


def note(folder: Path, theme: str, text: str, more: str = "") -> Path:
    path = folder / f"{theme}.md"
    path.write_text(f"---\ntitle: A note\n{more}scidraft:\n  theme: {theme}\n---\n\n# Heading\n\n{text}\n")
    return path


def printed(folder: Path, theme: str, text: str, more: str = "") -> list[Word]:
    tally = build([note(folder, theme, text, more)], Task(folder, ("pdf",)), jobs=1)
    assert (tally.failed, tally.messages) == (0, 0)
    return words(folder / f"{theme}.pdf")


def crowd() -> str:
    """Paragraphs with a long note each, and some with two, to the ends of pages."""
    second = f" twice^[again {LATIN}]"
    return "\n\n".join(
        f"{LATIN * 2}here{letter}^[note{letter} {LATIN}ends{letter}]{second * (place % 3 == 0)} {LATIN}"
        for place, letter in enumerate(LETTERS)
    )


@pytest.mark.parametrize(
    ("paper", "right", "edge"), [("a4", 415.28, 559.28), ("letter", 424, 574), ("b5", 355.9, 472.9), ("a5", 302.5, 399.6)]
)
def test_side_notes_stand_in_the_margin_beside_their_line_and_apart(
    paper: str, right: float, edge: float, tmp_path: Path
) -> None:
    found = printed(tmp_path, "handout", crowd(), f"papersize: {paper}\n")
    notes = [word for word in found if word.left > right]
    assert len(notes) > 300
    assert all(word.right < edge + 1 for word in notes)
    for letter in LETTERS:
        (call,) = [word for word in found if re.fullmatch(rf"here{letter}\d*", word.text)]
        (first,) = [word for word in notes if re.fullmatch(rf"\d*note{letter}", word.text)]
        (last,) = [word for word in notes if word.text == f"ends{letter}"]
        # Of a crowd of notes one goes down, those at the foot of the page go up, none goes to another page or below the text.
        assert call.page == first.page == last.page
        assert first.bottom < call.bottom + 120
    for page in {word.page for word in notes}:
        # A note's first word is one with its raised mark.
        bottoms = sorted({word.bottom for word in notes if word.page == page and word.text.isalpha()})
        lines = [bottom for bottom, following in pairwise([*bottoms, 1e9]) if following - bottom > 1]
        assert all(following - bottom > 8 for bottom, following in pairwise(lines)), "lines of two notes overlap"


def test_a_lone_note_is_level_with_its_line(tmp_path: Path) -> None:
    found = printed(tmp_path, "handout", f"{LATIN * 3} here^[Beside it.] {LATIN}\n\n[Aside]{{.aside}}{LATIN}")
    (call,) = [word for word in found if word.text.startswith("here")]
    (beside,) = [word for word in found if word.text.endswith("Beside")]
    assert abs(call.bottom - beside.bottom) < 5 and beside.left > 415
    (aside,) = [word for word in found if word.text == "Aside"]
    assert aside.left > 415


def test_notes_move_down_and_up_but_keep_their_order() -> None:
    assert _places([(10, 20), (15, 20)], 0, 100) == [10, 36]
    assert _places([(10, 20), (85, 30)], 0, 100) == [10, 70]
    assert _places([(60, 20), (85, 30)], 0, 100) == [44, 70]
    assert _places([(0, 80), (0, 80)], 0, 100) == [0, 86]
    assert _places([], 0, 100) == []


def test_notes_longer_than_their_page_are_told(tmp_path: Path) -> None:
    said = Messages()
    path = note(tmp_path, "handout", "\n\n".join(f"Word.^[{LATIN * 20}]" for _ in range(3)))
    from scidraft.note import build_note

    build_note(path, Task(tmp_path, ("pdf",)), said)
    assert "the notes beside page 1 are longer than the page: shorten them, or move one to another paragraph" in str(said.lines())


def test_a_box_goes_on_over_the_end_of_a_page(tmp_path: Path) -> None:
    text = "::: theorem\n" + "\n\n".join([LATIN * 5] * 12) + "\n:::\n"
    found = printed(tmp_path, "lecture", f"{LATIN * 4}\n\n{text}")
    first, second = ([word for word in found if word.page == page and "(" not in word.text] for page in (1, 2))
    lorem = [word for word in first if word.text == "Lorem"]
    # The page is full, and the text keeps its distance from the frame on the next.
    assert max(word.bottom for word in lorem) > 640
    assert min(word.left for word in second if word.text not in ("A",)) >= 117


@pytest.mark.parametrize("theme", ["handout", "lecture"])
def test_all_outputs_of_a_theme_have_the_same_numbers(theme: str, tmp_path: Path) -> None:
    said = Messages()
    compare_note(note(tmp_path, theme, STATEMENTS), Task(tmp_path, (), engine="pdflatex"), said)
    assert said.lines() == []


def test_the_numbers_agree_in_all_themes(tmp_path: Path) -> None:
    pages = {}
    for theme in shipped_themes():
        build([note(tmp_path, theme, STATEMENTS)], Task(tmp_path, ("html",)), jobs=1)
        numbers = numbers_of_page((tmp_path / f"{theme}.html").read_text())
        pages[theme] = {name: numbers[name] for name in ("thm-a", "eq-a", "def-b", "rem-c")}
    assert pages["article"]["thm-a"] and pages["article"]["rem-c"]
    assert all(one == other for one, other in combinations(pages.values(), 2))


def _luminance(colour: str) -> float:
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _grounds() -> Iterator[tuple[str, str, str, float]]:
    """Text and ground of each boxed style, in the light and in the dark, with the ratio they need."""
    for style in read_styles(shipped_themes()["lecture"].with_styles({}), Messages()).values():
        if style.ink and style.frame:
            for place, (paper, text) in {"light": ("#fffefb", "#1c1b19"), "dark": ("#16181b", "#dcd9d2")}.items():
                ground = getattr(style.fill, place) if style.fill else paper
                yield f"{style.name} {place} head", getattr(style.ink, place), ground, 4.5
                yield f"{style.name} {place} text", text, ground, 4.5
                yield f"{style.name} {place} link", "#0b4f8a" if place == "light" else "#8ebbe8", ground, 4.5
                yield f"{style.name} {place} frame", getattr(style.frame, place), paper, 3


def test_coloured_statements_can_be_read_in_the_light_and_in_the_dark() -> None:
    pairs = list(_grounds())
    assert len(pairs) == 32
    assert {name: ratio for name, one, other, need in pairs if (ratio := _contrast(one, other)) < need} == {}


def test_an_author_changes_a_theme_key_by_key() -> None:
    styles = read_styles(shipped_themes()["lecture"].with_styles({"plain": {"frame": "#800000", "fill": "#ffeeee"}}), Messages())
    plain = styles["plain"]
    assert plain.boxed == "frame" and plain.frame and plain.frame.light == "#800000" and plain.ink
    assert plain.fill and plain.fill.light == "#ffeeee" and _contrast(plain.fill.dark, "#dcd9d2") > 7
    said = Messages()
    read_styles({"plain": {"fill": ["red", "green", "blue"], "boxed": "round"}}, said)
    assert "`styles: plain: boxed` cannot be `round`: it should be true, false or side; the default is used" in str(said.lines())
    assert len(said.lines()) == 2
