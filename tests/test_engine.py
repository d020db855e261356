"""PDFs by a TeX engine: the same numbers, the same bytes, and errors that an author understands."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import pikepdf
import pytest

from scidraft import texengine, texlog
from scidraft.cli import main
from scidraft.messages import Messages

NOTE = """---
title: A note
author: A. N. Author
---

# First {#sec-first}

::: {.theorem #thm-a title="Euler"}
There is $x$ with
$$x = \\tfrac12.$$ {#eq-x}
:::

```{.mermaid #fig-a caption="Two boxes."}
flowchart LR
  a[One] --> b[Two]
```

By @thm-a, @eq-x and @fig-a.
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def build(note: str, engine: str, folder: str = "build") -> int:
    Path("note.md").write_text(note)
    return main(["build", "--engine", engine, "--force", "-o", folder, "note.md"])


def text_of(path: str) -> str:
    printed = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True)
    return " ".join(printed.stdout.split())


@pytest.mark.parametrize("engine", texengine.ENGINES)
def test_engine_gives_the_same_words_and_the_same_bytes(
    engine: str, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert build(NOTE, engine, "one") == 0
    assert capsys.readouterr().err == ""
    assert "By Theorem 1, Equation (1) and Figure 1." in text_of("one/note.pdf")
    time.sleep(1)
    assert build(NOTE, engine, "two/deeper") == 0
    assert Path("one/note.pdf").read_bytes() == Path("two/deeper/note.pdf").read_bytes()
    with pikepdf.open("one/note.pdf") as pdf:
        forms = [resource for page in pdf.pages for resource in page.resources.get("/XObject", {}).values()]
        assert [str(form["/Subtype"]) for form in forms] == ["/Form"], "a diagram is drawn with lines, not with dots"


def test_pdf_is_made_again_for_another_engine_or_date(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("note.md").write_text("A note.\n")
    again = ["build", "--to", "pdf", "note.md", "--engine", "pdflatex"]
    nothing = "scidraft: nothing to do, all is up to date\n"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    for command, done in ((again[:4], False), (again, False), (again, True)):
        main(command)
        assert (capsys.readouterr().out == nothing) is done
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")
    main(again)
    assert capsys.readouterr().out != nothing


@pytest.mark.parametrize(
    ("engine", "body", "said"),
    [
        (
            "pdflatex",
            "Fine.\n\n::: {.theorem #thm-a}\nLet $x$ be,\n$$\\int \\foo{x}$$\n:::",
            "LaTeX stops, line 5: `\\foo` is not defined; define it with \\newcommand or under `macros:` in the metadata",
        ),
        ("pdflatex", "One.\n\nWords, then `a_b`{=latex} more.", "LaTeX stops, line 3: `_` belongs into a formula"),
        (
            "pdflatex",
            "One.\n\n\\begin{nothing}\nx\n\\end{nothing}",
            "LaTeX stops, line 3: the environment `nothing` is not defined",
        ),
        ("pdflatex", "One.\n\nSee `\\cite{nobody}`{=latex}.", "the citation `nobody` (line 3) leads nowhere in LaTeX"),
        ("pdflatex", "One 字.", "no font in LaTeX has 字 (line 1): build with --engine lualatex"),
        (
            "xelatex",
            "One.\n\nTwo 字 and 語.",
            "no font in LaTeX has 字 (line 3), 語 (line 3): give a font that has them under `scidraft: fonts:`",
        ),
        ("lualatex", "One.\n\nTwo 字.", "no font in LaTeX has 字 (line 3): give a font"),
    ],
)
def test_errors_are_told_in_the_author_s_terms(
    engine: str, body: str, said: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("build").mkdir()
    Path("build/note.pdf").write_bytes(b"the last good one")
    assert build(body, engine) == 1
    assert f"scidraft: note.md: error: {said}" in capsys.readouterr().err
    assert Path("build/note.pdf").read_bytes() == b"the last good one"


def test_endless_macro_is_stopped(home: Path) -> None:
    report = Messages()
    tex = rb"\documentclass{article}\begin{document}\def\x{\relax\x}\x\end{document}"
    assert texengine.typeset(tex, "pdflatex", Path("note.md"), Path("none"), report, seconds=3) is None
    assert [message.text for message in report] == ["pdflatex was stopped after 3 seconds: does a macro call itself?"]


def test_commands_of_the_system_cannot_be_called(home: Path) -> None:
    report = Messages()
    tex = rb"\documentclass{article}\begin{document}\immediate\write18{touch %s/called}x\end{document}" % str(home).encode()
    assert texengine.typeset(tex, "pdflatex", Path("note.md"), Path("none"), report) is not None
    assert not (home / "called").exists()


@pytest.mark.parametrize("command", [["build"], ["check", "--parity"]])
def test_missing_engine_is_one_line(
    command: list[str], home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a", "b"):
        Path(f"{name}.md").write_text("A note.\n")
    monkeypatch.setenv("PATH", str(home))
    assert main([*command, "--engine", "lualatex", "a.md", "b.md"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("scidraft: error: lualatex with latexmk is not installed: ")
    assert said.count("\n") == 1
    assert said.rstrip().endswith("texlive-luatex")


# The log


def test_first_error_is_the_one_that_is_told() -> None:
    first = "./note.tex:7: Undefined control sequence.\n<argument> \\one \n      {x}\nl.7 \\emph{\\one{x}}\n\n"
    log = first + "./note.tex:9: Missing $ inserted.\n"
    fault = texlog.first_error(log)
    assert fault == texlog.Fault("Undefined control sequence.", "note.tex", 7, "\\emph{\\one{x}}", "\\one")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("Double superscript.", "two superscripts follow each other: put braces round one"),
        ("LaTeX Error: File `siunitx.sty' not found.", "the LaTeX package `siunitx` is not installed"),
        (
            "LaTeX Error: \\begin{align} on input line 3 ended by \\end{document}.",
            "the environment `align` is ended as `document`",
        ),
        ("Too many }'s.", "a brace { or } is missing or too many"),
        ("LaTeX Error: Command \\R already defined.", "`\\R` is defined already: give yours another name"),
        ("You can't use `\\hrule' here except with leaders.", "LaTeX says: You can't use `\\hrule' here except with leaders"),
    ],
)
def test_meaning_of_tex_s_words(text: str, meaning: str) -> None:
    assert texlog.explain(texlog.Fault(text, "note.tex", 1, "", "")) == meaning


def test_place_is_found_by_the_words_before_it_and_the_label_above() -> None:
    source = "# A\n\nThe sum $a + b$ here.\n\n::: {.lemma #lem-x}\nThe sum $a + b$ here.\n:::\n\nThe end."
    tex = "The sum \\(a + b\\) here.\n\n\\begin{lemma}\\label{lem-x}\nThe sum \\(a + b\\) here.\n\\end{lemma}\n\nThe end."
    assert texlog.trace(texlog.Fault("Missing", "note.tex", 4, "The sum \\(a + b", "$"), tex, source) == 6
    assert texlog.trace(texlog.Fault("Missing", "note.tex", 7, "The end", "$"), tex, source) == 9
    assert texlog.trace(texlog.Fault("Missing", "note.tex", 1, "", "$"), "", source) is None
