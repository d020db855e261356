"""Fonts of printed pages: which letters come in which, and what is told of those that no font has."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from scidraft import pdf
from scidraft.build import build
from scidraft.messages import Messages
from scidraft.note import Task
from scidraft.printing import faces

#: A letter of no living script, which no font of a system has but those that have nearly all.
UGARITIC = "\N{UGARITIC LETTER ALPA}"
PAGE = """<html><head><style>
@font-face {{ font-family: "SD Serif"; src: url("assets/fonts/cmu-serif-500-roman.ttf"); }}
html {{ font-family: "SD Serif", "SD Signs"; }}</style></head><body><p>{}</p></body></html>"""


def told(words: str) -> list[str]:
    report = Messages()
    from scidraft.paths import TEMPLATES

    pdf.write(PAGE.format(words), TEMPLATES, report)
    return [message.text for message in report]


def fonts_of(path: Path) -> set[str]:
    """The names of the fonts in a PDF, without their tags and styles."""
    listed = subprocess.run(["pdffonts", str(path)], capture_output=True, text=True, check=True).stdout.splitlines()[2:]
    return {re.sub(r"^[A-Z]{6}\+|-(?:Medium|Bold|Italic|Oblique|Regular).*", "", line.split()[0]) for line in listed}


def printed(tmp_path: Path, text: str) -> Path:
    """The PDF of a note about which there is nothing to say."""
    (tmp_path / "note.md").write_text(text, encoding="utf-8")
    tally = build([tmp_path / "note.md"], Task(tmp_path / "out", ("pdf",)), jobs=1)
    assert (tally.failed, tally.messages) == (0, 0)
    return tmp_path / "out" / "note.pdf"


def test_letters_of_the_text_face_and_signs_need_no_word() -> None:
    assert told("Größe, Ἑλλάς, кириллица, □ → ✓ ∎ ⊢ ℝ ≤ and\N{NO-BREAK SPACE}\N{SOFT HYPHEN}all") == []


def test_letters_that_no_font_has_are_told_once_with_their_names_and_words() -> None:
    (text,) = told(f"Some words before {UGARITIC} here</p><p>and {UGARITIC} again")
    assert text.startswith(
        f'no font of the note has {UGARITIC} (U+10380 UGARITIC LETTER ALPA), first in "Some words before {UGARITIC} here": '
    )
    assert text.endswith("; give a font that has them under `scidraft: fonts: other:`")
    assert "printed as boxes" in text or "which other computers may lack" in text


def test_each_kind_of_letters_is_told_with_its_own_setting() -> None:
    texts = told("Chinese 中文中文 and Hebrew אב, as one line")
    assert [re.findall(r"fonts: (\w+):|\(U\+(\w+)", text) for text in texts] == [
        [("", "4E2D"), ("", "6587"), ("cjk", "")],
        [("", "05D0"), ("", "05D1"), ("hebrew", "")],
    ]


def test_marks_of_chinese_are_told_with_its_letters() -> None:
    (text,) = told("Words 《中》 and 文。")
    assert text.startswith("no font of the note has 《 (U+300A LEFT DOUBLE ANGLE BRACKET), 中 (U+4E2D CJK UNIFIED IDEOGRAPH), 》")
    assert text.endswith("`scidraft: fonts: cjk:`")


def test_many_letters_are_counted() -> None:
    (text,) = told("αβγ " + "".join(map(chr, range(0x10380, 0x1038A))))
    assert text.count("(U+") == 5
    assert " and 5 more, first in" in text


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("title", "---\ntitle: A {}\n---\n\nText"),
        ("statement", '::: {{.theorem title="A {}"}}\nText\n:::'),
        ("formula", r"Let $x = \text{{if {}}}$."),
        ("code", "```python\nx = '{}'\n```"),
        ("diagram", "```mermaid\ngraph LR\n  A[a {}] --> B\n```"),
    ],
)
def test_letters_are_told_wherever_they_stand(place: str, text: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "note.md").write_text(text.format("中"), encoding="utf-8")
    tally = build([tmp_path / "note.md"], Task(tmp_path, ("pdf",)), jobs=1)
    assert tally.messages == 1, place
    assert "中 (U+4E2D CJK UNIFIED IDEOGRAPH), first in " in capfd.readouterr().err


def test_signs_in_prose_and_code_are_in_the_font_of_signs_on_every_machine(tmp_path: Path) -> None:
    path = printed(tmp_path, "A box □ and *⊢* **✓**\n\n```python\nx = y # ≤ □\n```\n")
    assert fonts_of(path) == {"SD-Serif", "SD-Signs", "SD-Typewriter"}


def test_the_font_of_signs_is_brought_only_where_it_is_needed() -> None:
    page = "<html><head></head><body title='□'><p>{}</p></body></html>"
    assert faces.FAMILY not in faces.with_signs(page.format("words → αβγ"))
    assert faces.FAMILY in faces.with_signs(page.format("words □"))
