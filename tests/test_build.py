"""The builder: each note once, every target alike, only what is out of date, and no note in another's way."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from scidraft import build as building
from scidraft import libraries, pdf, pipeline
from scidraft.build import Tally, build
from scidraft.messages import Messages
from scidraft.note import Result, Task
from scidraft.staleness import State

NOTE = """---
title: A note
author: A. N. Author
bibliography: books.bib
---

# First

::: {.lemma #lem-a}
Small.
:::

::: {.theorem #thm-a title="Large"}
By @lem-a and @book.
:::

See @thm-a and ![a dot](pictures/dot.png).
"""
BOOKS = "@book{book, author = {Ann Writer}, title = {On $\\mathbb{R}^n$}, year = 2001, publisher = {Press}}\n"
ALL = ("html", "pdf", "latex")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a note, its bibliography and its picture, which is also where the build runs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes" / "pictures").mkdir(parents=True)
    (tmp_path / "notes" / "note.md").write_text(NOTE)
    (tmp_path / "notes" / "books.bib").write_text(BOOKS)
    Image.new("RGB", (4, 4), "red").save(tmp_path / "notes" / "pictures" / "dot.png")
    return tmp_path


def run(
    *names: str, formats: Sequence[str] = ("html",), jobs: int = 1, force: bool = False, strict: bool = False, paper: str = ""
) -> Tally:
    notes = [Path("notes") / f"{name}.md" for name in names or ("note",)]
    return build(notes, Task(Path("build"), tuple(formats), paper, strict), jobs=jobs, force=force)


def written(home: Path) -> dict[str, float]:
    files = [path for path in (home / "build").rglob("*") if path.is_file()]
    return {str(path): path.stat().st_mtime_ns for path in files}


def text_of(printed: Path) -> str:
    return subprocess.run(["pdftotext", "-layout", str(printed), "-"], capture_output=True, text=True, check=True).stdout


# What is written


def test_the_three_targets_say_the_same(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tally = run(formats=ALL)
    assert (tally.notes, tally.failed, tally.written) == (1, 0, 3)
    assert capsys.readouterr().err == ""
    html = (home / "build" / "note.html").read_text()
    head = re.search(r'<span id="thm-a-head".*?</p>', html, re.DOTALL)
    assert head
    assert re.sub(r"<[^>]*>", "", head[0]).startswith("Theorem\u00a02 (Large). By Lemma\u00a01 and Writer (2001).")
    assert "Theorem 2 (Large)." in text_of(home / "build" / "note.pdf").replace("\u00a0", " ")
    tex = (home / "build" / "note.tex").read_text()
    assert "\\begin{theorem}[{Large}]" in tex
    assert "\\label{thm-a}" in tex


def test_formulas_of_the_bibliography_are_drawn(home: Path) -> None:
    run(formats=("html", "latex"))
    html = (home / "build" / "note.html").read_text()
    references = html[html.index('id="refs"') :]
    assert re.search(r"<em>On .*<svg .*</svg>", references)
    assert "mathbb{R}^n" in (home / "build" / "note.tex").read_text()


def test_citations_without_a_bibliography_are_told_once_each(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "notes" / "note.md").write_text("See @lem, [@knuth, p. 3] and @lem. Ask \\@someone or a@b.org.\n")
    run(formats=ALL)
    told = capsys.readouterr().err.splitlines()
    assert [re.findall("`@([a-z]+)` is no id in this note", line) for line in told] == [["lem"], ["knuth"]]
    html = (home / "build" / "note.html").read_text()
    assert re.sub(r"<[^>]*>|\n", " ", html[html.index("<main") :]).count("@lem") == 2


def test_pictures_come_along(home: Path) -> None:
    run(formats=("html", "latex"))
    picture = home / "build" / "note-media" / "dot.png"
    assert picture.read_bytes() == (home / "notes" / "pictures" / "dot.png").read_bytes()
    assert 'src="note-media/dot.png"' in (home / "build" / "note.html").read_text()
    assert "{note-media/dot.png}" in (home / "build" / "note.tex").read_text()


def test_pictures_of_one_name_stay_apart(home: Path) -> None:
    (home / "notes" / "others").mkdir()
    Image.new("RGB", (4, 4), "blue").save(home / "notes" / "others" / "dot.png")
    (home / "notes" / "note.md").write_text("![](pictures/dot.png) ![](others/dot.png) ![](pictures/dot.png)\n")
    run()
    names = re.findall(r'src="note-media/([^"]*)"', (home / "build" / "note.html").read_text())
    assert names[0] == names[2] == "dot.png"
    colours = []
    for name in names[:2]:
        with Image.open(home / "build" / "note-media" / name) as picture:
            colours.append(picture.convert("RGB").getpixel((0, 0)))
    assert colours == [(255, 0, 0), (0, 0, 255)]


def test_pictures_latex_cannot_take_are_converted(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Image.new("RGB", (4, 4), "red").save(home / "notes" / "pictures" / "red dot.webp")
    (home / "notes" / "pictures" / "broken.gif").write_bytes(b"no picture")
    (home / "notes" / "note.md").write_text("![](<pictures/red dot.webp>) ![](pictures/broken.gif)\n")
    run(formats=("html", "latex"))
    media = home / "build" / "note-media"
    with Image.open(media / "red dot.png") as picture:
        assert (picture.format, picture.size) == ("PNG", (4, 4))
    assert 'src="note-media/red%20dot.webp"' in (home / "build" / "note.html").read_text()
    assert "picture `broken.gif` cannot be converted for LaTeX" in capsys.readouterr().err


def test_a_missing_picture_is_told_once(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "notes" / "pictures" / "dot.png").unlink()
    assert run(formats=ALL).failed == 0
    told = "picture `pictures/dot.png` is not there; names are looked up beside the note"
    assert capsys.readouterr().err.splitlines() == [f"scidraft: notes/note.md: warning: {told}"]


def test_a_page_links_to_the_formats_that_exist(home: Path) -> None:
    def links() -> list[str]:
        return re.findall(r'<a href="(note\.[a-z]+)"', (home / "build" / "note.html").read_text())

    run()
    assert links() == []
    run(formats=("pdf",))
    run()
    assert links() == ["note.pdf"]
    run(formats=ALL)
    assert links() == ["note.pdf", "note.tex"]


@pytest.mark.parametrize(
    ("metadata", "headings", "expected"),
    [("", 2, False), ("", 3, True), ("---\ntoc: false\n---\n", 3, False), ("---\ntoc: true\n---\n", 1, True)],
)
def test_contents_from_three_headings_on(home: Path, metadata: str, headings: int, expected: bool) -> None:
    (home / "notes" / "note.md").write_text(metadata + "\n# Heading\n\nText.\n" * headings)
    run()
    assert ('role="doc-toc"' in (home / "build" / "note.html").read_text()) is expected


def test_paper_of_the_command_wins_over_the_note(home: Path) -> None:
    def size() -> list[int]:
        with pikepdf.open(home / "build" / "note.pdf") as document:
            return [round(float(side)) for side in document.pages[0].mediabox.as_list()[2:]]

    run(formats=("pdf",))
    assert size() == [595, 842]
    (home / "notes" / "note.md").write_text(NOTE.replace("---\n", "---\npapersize: letter\n", 1))
    run(formats=("pdf",))
    assert size() == [612, 792]
    run(formats=("pdf",), paper="a4")
    assert size() == [595, 842]


def test_the_same_note_gives_the_same_bytes(home: Path) -> None:
    outputs = []
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed, "SCIDRAFT_CACHE": "off"}
        words = [sys.executable, "-m", "scidraft", "build", "--to", "html,pdf,latex", "-o", f"out{seed}", "notes/note.md"]
        subprocess.run(words, env=environment, check=True, capture_output=True)
        outputs.append({path.name: path.read_bytes() for path in (home / f"out{seed}").glob("note.*")})
    assert sorted(outputs[0]) == ["note.html", "note.pdf", "note.tex"]
    assert [name for name in outputs[0] if outputs[0][name] != outputs[1][name]] == []


def test_outputs_are_for_everyone_whom_the_umask_lets_in(home: Path) -> None:
    old = os.umask(0o027)
    try:
        run()
    finally:
        os.umask(old)
    assert stat.S_IMODE((home / "build" / "note.html").stat().st_mode) == 0o640


# What is out of date


def test_a_second_build_does_nothing_and_touches_nothing(home: Path) -> None:
    run(formats=ALL)
    before = written(home)
    assert run(formats=ALL).notes == 0
    assert written(home) == before


def change_note(home: Path) -> None:
    (home / "notes" / "note.md").write_text(NOTE + "\nMore.\n")


def change_bibliography(home: Path) -> None:
    (home / "notes" / "books.bib").write_text(BOOKS.replace("2001", "2002"))


def change_picture(home: Path) -> None:
    Image.new("RGB", (4, 4), "blue").save(home / "notes" / "pictures" / "dot.png")


def remove_output(home: Path) -> None:
    (home / "build" / "note.html").unlink()


def remove_media(home: Path) -> None:
    (home / "build" / "note-media" / "dot.png").unlink()


def spoil_record(home: Path) -> None:
    (home / "build" / ".scidraft" / "note.html.json").write_text('{"made": 1}')


@pytest.mark.parametrize("change", [change_note, change_bibliography, change_picture, remove_output, remove_media, spoil_record])
def test_what_has_changed_is_built_again(home: Path, change: Callable[[Path], None]) -> None:
    (home / "notes" / "other.md").write_text("Other.\n")
    assert run("note", "other").notes == 2
    change(home)
    assert run("note", "other").notes == 1
    assert run("note", "other").notes == 0


def test_a_picture_that_comes_later_makes_the_note_out_of_date(home: Path) -> None:
    picture = home / "notes" / "pictures" / "dot.png"
    content = picture.read_bytes()
    picture.unlink()
    run()
    assert run().notes == 0
    picture.write_bytes(content)
    assert run().notes == 1
    assert (home / "build" / "note-media" / "dot.png").is_file()


def test_other_options_and_force_build_again(home: Path) -> None:
    run(formats=("pdf",))
    assert run(formats=("pdf",)).notes == 0
    assert run(formats=("pdf",), paper="letter").notes == 1
    assert run(formats=("pdf",), paper="letter", force=True).notes == 1


def test_notes_of_one_name_in_two_folders_do_not_pass_for_each_other(home: Path) -> None:
    state = State(home / "build")
    output = home / "build" / "note.html"
    output.parent.mkdir()
    output.write_text("page")
    first, second = home / "notes" / "note.md", home / "elsewhere" / "note.md"
    second.parent.mkdir()
    second.write_text(NOTE)
    state.keep(first, "html", {}, [], [output])
    assert state.is_current(first, "html", {})
    assert not state.is_current(second, "html", {})


# What goes wrong


def test_one_bad_note_does_not_stop_the_others(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "notes" / "bad.md").write_text("---\ntitle: [\n---\n\nText.\n")
    (home / "notes" / "good.md").write_text("Text.\n")
    tally = run("bad", "absent", "good", jobs=2)
    assert (tally.notes, tally.failed, tally.written) == (3, 2, 1)
    assert (home / "build" / "good.html").is_file()
    told = sorted(capsys.readouterr().err.splitlines())
    assert told[0] == "scidraft: notes/absent.md: error: notes/absent.md: No such file or directory"
    assert told[1].startswith("scidraft: notes/bad.md: error: pandoc gives up: ")
    assert run("bad", "absent", "good").notes == 2, "only the good one is up to date"


def test_strict_fails_on_warnings_and_does_not_call_it_done(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "notes" / "note.md").write_text("See @thm-nowhere.\n")
    for _ in range(2):
        assert (run(strict=True).failed, capsys.readouterr().err.count("thm-nowhere`,")) == (1, 1)
    (home / "notes" / "note.md").write_text("---\nscidraft: {strict: true}\n---\n\nSee @thm-nowhere.\n")
    assert run().failed == 1
    assert (home / "build" / "note.html").is_file()


def test_a_fault_of_ours_is_told_in_one_line(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise KeyError("of ours")

    monkeypatch.delenv("SCIDRAFT_DEBUG", raising=False)
    monkeypatch.setattr(pipeline, "run_common", fail)
    assert run().failed == 1
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1
    assert told[0].startswith("scidraft: notes/note.md: error: this is a fault in scidraft (KeyError: 'of ours')")


def test_missing_libraries_are_told_with_the_command(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> bytes:
        raise OSError("cannot load library 'libpango-1.0-0'")

    monkeypatch.setattr(pdf, "write", fail)
    monkeypatch.setattr(libraries, "missing", lambda: ["libpango-1.0-0"])
    tally = run(formats=("html", "pdf"))
    assert (tally.failed, tally.written) == (1, 1)
    assert libraries.command() in capsys.readouterr().err
    assert (home / "build" / "note.html").is_file()


def work_that_dies(path: Path, task: Task, report: Messages) -> Result:
    if path.stem == "deadly":
        os._exit(9)
    return Result(1, strict=False)


def test_a_process_that_dies_costs_its_own_note_only(capsys: pytest.CaptureFixture[str]) -> None:
    task = Task(Path("build"), ("html",))
    tally = building._run(work_that_dies, [(Path(f"{name}.md"), task) for name in ("a", "deadly", "b", "c")], 2)
    assert (tally.notes, tally.failed, tally.written) == (4, 1, 3)
    assert capsys.readouterr().err.startswith("scidraft: deadly.md: error: the process that built this note died")
