"""The author's own fonts: which are read, and that print and pages use them and nothing else for their letters."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from fontTools.ttLib import TTCollection, TTFont

from scidraft import document, fontfiles, texengine
from scidraft.build import build
from scidraft.fonts import Font, Fonts, read_fonts
from scidraft.formats.directions import mark_directions
from scidraft.formats.font_rules import font_rules
from scidraft.messages import Messages
from scidraft.note import Task
from scidraft.paths import ASSETS, pandoc
from test_fonts import fonts_of
from tiny_fonts import make_font

CHINESE = "中文数学"


def told(report: Messages) -> list[str]:
    return [message.text for message in report]


def made(folder: Path, text: str, *formats: str) -> tuple[int, int]:
    """Build the note `text` in `folder`: how many files were written, and how many messages there were."""
    (folder / "note.md").write_text(text, encoding="utf-8")
    tally = build([folder / "note.md"], Task(folder / "out", formats), jobs=1)
    assert tally.failed == 0
    return tally.written, tally.messages


# Reading


def test_fonts_are_read_under_our_names_and_under_those_of_pandoc(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        make_font(tmp_path / "fonts" / f"{name}.ttf", "ab")
    meta = {
        "mainfont": "Some Family",
        "CJKmainfont": "fonts/a.ttf",
        "mainfontfallback": ["fonts/b.ttf:mode=harf", "Another:"],
        "scidraft": {"fonts": {"mono": "fonts/c.ttf"}},
    }
    report = Messages()
    fonts = read_fonts(meta, tmp_path, report)
    assert told(report) == []
    assert {role: font.names for role, font in fonts.chosen.items()} == {
        "main": ("Some Family",),
        "mono": (),
        "cjk": (),
        "other": ("Another",),
    }
    assert [(file.family, file.path.name) for file in fonts.files] == [
        ("SD Mono Own", "c.ttf"),
        ("SD CJK Own", "a.ttf"),
        ("SD Other Own", "b.ttf"),
    ]


def test_our_name_of_a_font_wins(tmp_path: Path) -> None:
    fonts = read_fonts({"mainfont": "Theirs", "scidraft": {"fonts": {"main": "Ours"}}}, tmp_path, Messages())
    assert fonts.families("main") == ("Ours",)


def test_styles_are_those_that_the_files_tell(tmp_path: Path) -> None:
    for weight, italic in ((400, False), (400, True), (700, False), (700, True)):
        make_font(tmp_path / f"f-{weight}-{italic}.ttf", "ab", weight=weight, italic=italic)
    fonts = read_fonts({"scidraft": {"fonts": {"main": "f-*.ttf"}}}, tmp_path, Messages())
    assert [(file.weight, file.style, file.path.name) for file in fonts.files] == [
        (400, "normal", "f-400-False.ttf"),
        (700, "normal", "f-700-False.ttf"),
        (400, "italic", "f-400-True.ttf"),
        (700, "italic", "f-700-True.ttf"),
    ]


def test_what_cannot_be_used_is_told_and_remembered_for_the_next_build(tmp_path: Path) -> None:
    (tmp_path / "bad.otf").write_text("no font")
    report = Messages()
    fonts = read_fonts({"CJKmainfont": "gone.ttf", "scidraft": {"fonts": {"arabic": "bad.otf"}}}, tmp_path, report)
    assert not fonts.chosen
    assert sorted(path.name for path in fonts.named) == ["bad.otf", "gone.ttf"]
    assert told(report) == [
        "the font `gone.ttf` under `CJKmainfont` is not there; names are looked up beside the note",
        "the font `bad.otf` under `scidraft: fonts: arabic` cannot be read: Not a TrueType or OpenType font (not enough data)",
    ]


def test_a_main_font_without_italics_is_told(tmp_path: Path) -> None:
    make_font(tmp_path / "only.ttf", "ab")
    report = Messages()
    read_fonts({"mainfont": "only.ttf"}, tmp_path, report)
    assert [text.split(":")[0] for text in told(report)] == [
        "the font under `mainfont` has no italic file, so emphasis and theorems are upright"
    ]


def test_ranges_are_written_as_style_sheets_have_them() -> None:
    assert fontfiles.ranges({0x41, 0x42, 0x43, 0x3B1}) == "U+0041-0043, U+03B1"


# Print


def test_print_has_the_letters_of_the_note_in_its_own_font_and_no_other(tmp_path: Path) -> None:
    make_font(tmp_path / "own.ttf", CHINESE)
    text = (
        f"---\ntitle: A {CHINESE}\nCJKmainfont: own.ttf\n---\n\n# 数学\n\n::: theorem\n*中文* and $\\text{{中文}}$\n:::\n\n`文`\n"
    )
    assert made(tmp_path, f"{text}\n```mermaid\ngraph LR\n  A[文] --> B\n```\n", "pdf") == (1, 0)
    names = fonts_of(tmp_path / "out" / "note.pdf")
    assert "SD-CJK-Own" in names
    assert {name.split("-")[0] for name in names} == {"SD"}


def test_letters_that_the_own_font_lacks_are_still_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    make_font(tmp_path / "own.ttf", "中")
    assert made(tmp_path, "---\nCJKmainfont: own.ttf\n---\n\n中文", "pdf") == (1, 1)
    assert "no font of the note has 文 (U+6587 CJK UNIFIED IDEOGRAPH)" in capfd.readouterr().err


def test_fonts_for_text_and_code_take_the_place_of_ours(tmp_path: Path) -> None:
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,-"
    for weight, italic in ((400, False), (400, True), (700, False)):
        make_font(tmp_path / f"f-{weight}-{italic}.ttf", letters, weight=weight, italic=italic)
    text = "---\nmainfont: f-*.ttf\nmonofont: f-400-False.ttf\n---\n\nText and *emphasis* and `code`.\n"
    assert made(tmp_path, text, "pdf") == (1, 0)
    assert fonts_of(tmp_path / "out" / "note.pdf") == {"SD-Main-Own", "SD-Mono-Own"}


def test_a_greek_font_has_the_greek_letters_though_ours_has_them(tmp_path: Path) -> None:
    make_font(tmp_path / "greek.ttf", "abcαβγ")
    assert made(tmp_path, "---\nscidraft: {fonts: {greek: greek.ttf}}\n---\n\nabc αβγ δ", "pdf") == (1, 0)
    words = subprocess.run(
        ["pdftohtml", "-xml", "-stdout", str(tmp_path / "out" / "note.pdf")], capture_output=True, text=True, check=True
    ).stdout
    families = re.findall(r'family="[A-Z]{6}\+([\w-]+)"', words)
    assert families[:2] == ["SD-Serif-Medium", "SD-Greek-Own"]
    # The Latin letters and the delta that the font lacks are ours.
    assert re.findall(r'font="(\d)">([^<]*)<', words)[:3] == [("0", "abc "), ("1", "αβγ "), ("0", "δ")]


def test_marks_of_a_chinese_note_come_from_its_font(tmp_path: Path) -> None:
    make_font(tmp_path / "own.ttf", "中文“”—")
    for language, expected in (("zh", {"SD-CJK-Own", "SD-CJK-Own-Marks"}), ("en", {"SD-CJK-Own", "SD-Serif"})):
        made(tmp_path, f"---\nlang: {language}\nCJKmainfont: own.ttf\n---\n\n“中文”\n", "pdf")
        assert fonts_of(tmp_path / "out" / "note.pdf") - {"SD-Serif"} == expected - {"SD-Serif"}


@pytest.mark.skipif(shutil.which("fc-list") is None, reason="needs fontconfig's programs")
def test_a_family_that_is_not_installed_is_told_in_print_alone(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    text = "---\nmainfont: No Such Family\n---\n\nText"
    assert made(tmp_path, text, "html") == (1, 0)
    assert made(tmp_path, text, "pdf") == (1, 1)
    assert "the font `No Such Family` under `mainfont` is not installed on this computer" in capfd.readouterr().err


@pytest.mark.skipif(not fontfiles.installed("DejaVu Serif", ""), reason="needs DejaVu Serif")
def test_an_installed_family_is_printed_from_its_files(tmp_path: Path) -> None:
    assert made(tmp_path, "---\nmainfont: DejaVu Serif\n---\n\nText **bold**", "pdf") == (1, 0)
    assert fonts_of(tmp_path / "out" / "note.pdf") == {"SD-Main-Own"}
    faces = fontfiles.installed("DejaVu Serif", "X") or ()
    assert (faces[0].path.name, faces[0].weight, faces[0].style) == ("DejaVuSerif.ttf", 400, "normal")


# Web pages


def test_a_page_brings_the_font_with_the_letters_it_shows(tmp_path: Path) -> None:
    make_font(tmp_path / "own.ttf", CHINESE)
    assert made(tmp_path, "---\nCJKmainfont: own.ttf\n---\n\n中文", "html") == (1, 0)
    page = (tmp_path / "out" / "note.html").read_text(encoding="utf-8")
    (font,) = (tmp_path / "out" / "note-media").glob("own-*.woff2")
    assert f'src: url("note-media/{font.name}")' in page
    assert re.search(r'html:root \{ --sd-face: "SD Text", "STIX Two Text", "SD CJK Own", Georgia, serif; \}', page)
    assert re.search(r'html:root \{ --sd-face-code: "SD Code", "SD CJK Own", ui-monospace', page)
    with TTFont(font) as copy:
        assert {code for code in copy.getBestCmap() if code > 32} == {ord("中"), ord("文")}


def test_names_of_copies_do_not_depend_on_the_folder(tmp_path: Path) -> None:
    names = []
    for folder in ("one", "two"):
        make_font(tmp_path / folder / "own.ttf", CHINESE)
        made(tmp_path / folder, "---\nCJKmainfont: own.ttf\n---\n\n中文", "html")
        names.append([path.name for path in (tmp_path / folder / "out" / "note-media").iterdir()])
    assert names[0] == names[1]


def test_a_name_is_written_so_that_it_cannot_end_the_style_sheet() -> None:
    fonts = Fonts({"main": Font("main", "mainfont", ('A"; } </style>',))})
    assert (
        next(iter(font_rules(fonts, "html", str)))
        == 'html:root { --sd-face: "A; } /style", "SD Text", "STIX Two Text", Georgia, serif; }'
    )


# Staleness


def test_another_font_of_the_same_name_makes_the_note_again(tmp_path: Path) -> None:
    text = "---\nCJKmainfont: own.ttf\n---\n\n中"
    assert made(tmp_path, text, "html", "pdf") == (2, 2)
    assert made(tmp_path, text, "html", "pdf") == (0, 0)
    make_font(tmp_path / "own.ttf", "中")
    assert made(tmp_path, text, "html", "pdf") == (2, 0)
    make_font(tmp_path / "own.ttf", "中文", weight=700)
    assert made(tmp_path, text, "html", "pdf")[0] == 2
    assert made(tmp_path, text, "html", "pdf") == (0, 0)


# Pictures


def test_hebrew_and_arabic_in_a_printed_diagram_stay_whole(tmp_path: Path) -> None:
    make_font(tmp_path / "own.ttf", "אבגד")
    text = "---\nscidraft: {fonts: {hebrew: own.ttf}}\n---\n\n```mermaid\ngraph LR\n  A[אבגד] --> B\n```\n"
    assert made(tmp_path, text, "pdf") == (1, 0)
    layout = subprocess.run(
        ["pdftotext", "-raw", str(tmp_path / "out" / "note.pdf"), "-"], capture_output=True, text=True, check=True
    )
    # pdftotext puts the letters of a run from right to left into the order in which they are read.
    assert "אבגד" in layout.stdout


# LaTeX


@pytest.mark.parametrize("engine", ["lualatex", "xelatex"])
def test_latex_takes_letters_from_the_fonts_that_help(engine: str, tmp_path: Path) -> None:
    if texengine.missing(engine):
        pytest.skip(f"needs {engine}")
    make_font(tmp_path / "own fonts" / "cjk.ttf", f"{CHINESE} ", "Own CJK")
    make_font(tmp_path / "own fonts" / "greek.ttf", "αβγ ", "Own Greek")
    make_font(tmp_path / "own fonts" / "heb.ttf", "אבגדהו12 ", "Own Hebrew")
    make_font(tmp_path / "own fonts" / "hebb.ttf", "אבגדהו12 ", "Own Hebrew Bold", weight=700)
    text = f"""---
title: Title {CHINESE}
lang: fr
scidraft:
  fonts: {{cjk: own fonts/cjk.ttf, greek: own fonts/greek.ttf, hebrew: [own fonts/heb.ttf, own fonts/hebb.ttf]}}
---

# Section 中文 אב

::: {{.theorem title="数学"}}
*中文* and αβγ; «avant» ! אב גד 12 הו, **אב**.
:::

{"中文数学" * 30}

`中` and $\\text{{文}}$[^1]

[^1]: Note 中文.
"""
    (tmp_path / "note.md").write_text(text, encoding="utf-8")
    tally = build([tmp_path / "note.md"], Task(tmp_path / "out", ("pdf",), engine=engine), jobs=1)
    assert (tally.failed, tally.messages) == (0, 0)
    pdf = tmp_path / "out" / "note.pdf"
    listed = subprocess.run(["pdffonts", str(pdf)], capture_output=True, text=True, check=True).stdout.replace(" ", "")
    assert all(f"+{name}" in listed for name in ("OwnCJK", "OwnGreek", "OwnHebrew", "OwnHebrewBold"))
    words = subprocess.run(["pdftotext", "-bbox", str(pdf), "-"], capture_output=True, text=True, check=True).stdout
    # The long line of ideographs is broken, and words from right to left follow each other so.
    assert max(float(edge) for edge in re.findall(r'xMax="([\d.]+)"', words)) < 500
    places = {sign: float(left) for left, word in re.findall(r'xMin="([\d.]+)"[^>]*>([^<]*)<', words) for sign in (*word, word)}
    assert places["ה"] < places["12"] < places["ג"]


def test_pdflatex_cannot_use_them_and_says_so(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    if texengine.missing("pdflatex"):
        pytest.skip("needs pdflatex")
    (tmp_path / "note.md").write_text("---\nmainfont: Some Family\n---\n\nText", encoding="utf-8")
    tally = build([tmp_path / "note.md"], Task(tmp_path / "out", ("pdf",), engine="pdflatex"), jobs=1)
    assert (tally.failed, tally.messages) == (0, 1)
    assert "pdflatex cannot use the fonts that the note asks for" in capfd.readouterr().err


def test_a_family_that_latex_does_not_find_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    if texengine.missing("xelatex"):
        pytest.skip("needs xelatex")
    (tmp_path / "note.md").write_text("---\nCJKmainfont: No Such Family\n---\n\nText", encoding="utf-8")
    tally = build([tmp_path / "note.md"], Task(tmp_path / "out", ("pdf",), engine="xelatex"), jobs=1)
    assert tally.failed == 1
    assert "LaTeX stops, line 2: the font `No Such Family` is not installed" in capfd.readouterr().err


def test_latex_has_the_options_of_pandocs_names(tmp_path: Path) -> None:
    make_font(tmp_path / "a.ttf", "ab")
    made(tmp_path, "---\nmainfont: Family\nmainfontoptions: [Numbers=OldStyle]\nmonofont: a.ttf\n---\n\nText", "latex")
    text = (tmp_path / "out" / "note.tex").read_text(encoding="utf-8")
    assert "\\setmainfont{Family}[Numbers=OldStyle]" in text
    assert "\\setmonofont{a.ttf}[Path={note-media/}]" in text
    assert (tmp_path / "out" / "note-media" / "a.ttf").read_bytes() == (tmp_path / "a.ttf").read_bytes()


def directed(markdown: str) -> str:
    """The LaTeX of a text whose directions are marked."""
    doc = document.load(writers_json(markdown))
    mark_directions(doc)
    return writers_latex(document.dump(doc))


def pandoc_run(given: str, *options: str) -> str:
    return subprocess.run([pandoc(), "--wrap=none", *options], input=given, capture_output=True, text=True, check=True).stdout


def writers_json(markdown: str) -> str:
    return pandoc_run(markdown, "-f", "markdown", "-t", "json")


def writers_latex(tree: str) -> str:
    return pandoc_run(tree, "-f", "json", "-t", "latex").strip()


@pytest.mark.parametrize(
    ("markdown", "latex"),
    [
        ("Only words", "Only words"),
        ("A אב גד, end", "A \\RL{אב גד}, end"),
        ("A אב 12.5 גד 7 end", "A \\RL{אב \\LR{12.5} גד} 7 end"),
        ("(אב) and אב (גד)!", "(\\RL{אב}) and \\RL{אב )גד(}!"),
        ("אב *גד* דה", "\\RL{אב \\emph{גד} דה}"),
        ("אב *and* דה", "\\RL{אב} \\emph{and} \\RL{דה}"),
        ("אב $x$ דה", "\\RL{אב} \\(x\\) \\RL{דה}"),
        ("[אב גד]{dir=rtl}", "\\RL{אב גד}"),
        ("شَدَّة", "\\RL{شَدَّة}"),
    ],
)
def test_words_from_right_to_left_are_marked_for_latex(markdown: str, latex: str) -> None:
    assert directed(markdown) == latex


# Files of several kinds


def test_a_web_font_is_printed_and_unpacked_for_latex(tmp_path: Path) -> None:
    shutil.copy(ASSETS / "fonts" / "ibm-plex-mono-latin-400-normal.woff2", tmp_path / "plex.woff2")
    text = "---\nmonofont: plex.woff2\n---\n\nText and `code`.\n"
    assert made(tmp_path, text, "pdf", "latex") == (2, 0)
    assert fonts_of(tmp_path / "out" / "note.pdf") == {"SD-Serif", "SD-Mono-Own"}
    assert "\\setmonofont{plex.ttf}[Path={note-media/}]" in (tmp_path / "out" / "note.tex").read_text(encoding="utf-8")
    with TTFont(tmp_path / "out" / "note-media" / "plex.ttf") as font:
        assert (font.flavor, font["name"].getDebugName(1)) == (None, "IBM Plex Mono")


def test_of_a_collection_the_first_face_is_taken(tmp_path: Path) -> None:
    collection = TTCollection()
    collection.fonts = [
        TTFont(make_font(tmp_path / f"{name}.ttf", letters, name)) for name, letters in (("First", "中"), ("Second", "中文"))
    ]
    collection.save(tmp_path / "both.ttc")
    assert made(tmp_path, "---\nCJKmainfont: both.ttc\n---\n\n中", "pdf", "html", "latex") == (3, 0)
    assert fonts_of(tmp_path / "out" / "note.pdf") == {"SD-CJK-Own", "SD-Serif"}
    with TTFont(tmp_path / "out" / "note-media" / "both.ttf") as font:
        assert font["name"].getDebugName(1) == "First"


def test_a_font_whose_weight_varies_is_regular_and_bold(tmp_path: Path) -> None:
    make_font(tmp_path / "varies.ttf", "abcdefghijklmnopqrstuvwxyzT ", varies=True)
    faces = fontfiles.faces("X", [(tmp_path / "varies.ttf", 0)])
    assert [(face.weight, face.style) for face in faces] == [(400, "normal"), (700, "normal")]
    made(tmp_path, "---\nmainfont: varies.ttf\n---\n\nText **bold**", "pdf", "latex", "html")
    assert "SD-Main-Own" in fonts_of(tmp_path / "out" / "note.pdf")
    text = (tmp_path / "out" / "note.tex").read_text(encoding="utf-8")
    assert "\\setmainfont{varies-400.ttf}[Path={note-media/},BoldFont={varies-700.ttf}]" in text
    with TTFont(tmp_path / "out" / "note-media" / "varies-700.ttf") as font:
        assert "fvar" not in font
        assert font["OS/2"].usWeightClass == 700


@pytest.mark.parametrize("engine", ["lualatex", "xelatex"])
def test_cyrillic_and_greek_words_need_no_font_in_latex(engine: str, tmp_path: Path) -> None:
    if texengine.missing(engine):
        pytest.skip(f"needs {engine}")
    statement = "::: theorem\nA\n:::\n"
    text = f"---\ntitle: Теоремы\nlang: ru\n---\n\n# Простые\n\nПростых *чисел* `много`; Ἑλλάς, λόγος and α.\n\n{statement}"
    (tmp_path / "note.md").write_text(text, encoding="utf-8")
    tally = build([tmp_path / "note.md"], Task(tmp_path / "out", ("pdf",), engine=engine), jobs=1)
    assert (tally.failed, tally.messages) == (0, 0)
    read = subprocess.run(
        ["pdftotext", str(tmp_path / "out" / "note.pdf"), "-"], capture_output=True, text=True, check=True
    ).stdout
    assert all(word in read for word in ("Теоремы", "Теорема 1", "Простые", "чисел", "много", "Ἑλλάς", "λόγος"))
    assert any(name.startswith("CMU") for name in fonts_of(tmp_path / "out" / "note.pdf"))


def test_a_note_with_greek_signs_alone_gets_no_font_for_latex(tmp_path: Path) -> None:
    assert made(tmp_path, "The letter λ.", "latex") == (1, 0)
    assert "fallback" not in (tmp_path / "out" / "note.tex").read_text(encoding="utf-8")


def test_lualatex_turns_a_note_that_runs_from_right_to_left(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    if texengine.missing("lualatex") or texengine.missing("xelatex"):
        pytest.skip("needs lualatex and xelatex")
    # The whole alphabet, since the page has words of its own.
    make_font(tmp_path / "own.ttf", "".join(map(chr, range(0x5D0, 0x5EB))) + "abc ")
    text = "---\nlang: he\nscidraft: {fonts: {hebrew: own.ttf}}\n---\n\n# אב\n\nגד (הו) 12 זח abc\n"
    (tmp_path / "note.md").write_text(text, encoding="utf-8")
    told = []
    for engine in ("lualatex", "xelatex"):
        tally = build([tmp_path / "note.md"], Task(tmp_path / engine, ("pdf",), engine=engine), jobs=1)
        assert tally.failed == 0
        told.append("xelatex leaves a note that runs from right to left" in capfd.readouterr().err)
    assert told == [False, True]
    layout = subprocess.run(
        ["pdftotext", "-bbox", str(tmp_path / "lualatex" / "note.pdf"), "-"], capture_output=True, text=True, check=True
    ).stdout
    found = re.findall(r'xMin="([\d.]+)"[^>]* xMax="([\d.]+)"[^>]*>([^<]*)<', layout)
    places = {sign: (float(left), float(right)) for left, right, word in found for sign in (*word, word)}
    assert places["א"][1] == pytest.approx(477, abs=3)  # the heading begins at the right edge
    assert places["abc"][0] < places["ז"][0] < places["12"][0] < places["ה"][0] < places["ג"][0]
