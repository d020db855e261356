"""LaTeX of ours compiles with the classes that journals and publishers ask for, and counts there as everywhere else.

The classes of texlive-latex-recommended are always tried; those of publishers where TeX Live has them.
"""

from __future__ import annotations

import re
import subprocess
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from scidraft import document, paths, pipeline
from scidraft.catalogue import Float, Section
from scidraft.draft import Draft
from scidraft.formats.spelling import label

ARTICLES = ("article", "amsart", "scrartcl", "beamer")
BOOKS = ("report", "book", "amsbook", "memoir", "scrbook")
OF_PUBLISHERS = ("llncs", "acmart", "IEEEtran", "elsarticle", "lipics-v2021")

#: All kinds share a counter; every predefined environment of the classes is met, and some that none has.
SHARED = """
::: {.theorem #thm-a title="Euler [again]" by="L. Euler"}
Let $x$ be.
:::

::: {.proof of="thm-a"}
Clear, since
$$x = x.$$
:::

::: {.lemma #lem-b}
1. First,
2. second.
:::

::: {.proof}
Two reasons:

- one,
- two.
:::

::: {.definition #def-c}
A *thing*.
:::

::: {.remark #rem-d}
Text.
:::

::: {.example #exm-e}
Text.

$$a = b$$ {#eq-f}
:::

::: {.theorem .unnumbered title="Zorn"}
Text.
:::

::: {.conjecture #cnj-g number="7.a"}
Text.
:::

::: {.claim #clm-h}
Text.

::: {.corollary #cor-i}
Inside.
:::
:::

::: {.exercise #exr-j}
Text.
:::

::: {.solution of="exr-j"}
Text.
:::

::: {.property #pty-k}
Text.
:::

::: {.problem #prb-l}
Text.
:::

::: {.note #nte-m}
Text.
:::

::: {.identity #idn-n}
Text.
:::

::: {.proof}
\\begin{align}
a &= b \\label{eq-o}\\\\
c &= d.
\\end{align}
:::

By @thm-a, [@lem-b; @def-c; @rem-d], @exm-e, @eq-f, @cnj-g, @clm-h, @cor-i, @exr-j, @eq-o, @idn-n, @prb-l.
"""

#: Numbers begin again in every division, and the appendix has letters.
DIVIDED = """
# One {#sec-one}

::: {.theorem #thm-a}
Text.

$$a = b$$ {#eq-a}
:::

::: {.lemma #lem-b}
Text.
:::

## Sub {#sec-sub}

::: {.definition #def-c}
Text.
:::

# Two {#sec-two}

::: {.proposition #prp-d}
Text.

$$a = b$$ {#eq-d}
:::

# More {#sec-more .appendix}

::: {.theorem #thm-e}
Text.
:::

By @thm-a, @eq-a, @def-c, @prp-d, @eq-d, @thm-e, @sec-two.
"""

#: Each kind counts for itself, and one has another name.
SEPARATE = """
::: {.theorem #thm-a}
Text.
:::

::: {.lemma #lem-a}
Text.
:::

::: {.theorem #thm-b}
Text.
:::

::: {.example #exm-a}
Text.
:::

By @thm-b, @lem-a, @exm-a.
"""

#: Every kind of style that data can describe.
STYLED = """
::: {.theorem #thm-a title="Framed"}
1. First.
2. Second.
:::

::: {.lemma #lem-b}
Text.
:::

::: {.example #exm-c}
Text, and a list:

- that ends the example.
:::

::: {.example .unnumbered .noqed}
Text.
:::

::: {.definition #def-d .unnumbered}
Text.
:::

::: {.remark #rem-e}
$$x = y$$
:::

::: {.proof}
Text.
:::
"""

NOTES = {
    "shared": ("number-sections: true", SHARED),
    "divided": ("number-within: {division}\n  top-level-division: {division}", DIVIDED),
    "separate": ("counters: separate\n  kinds: {{theorem: Hauptsatz}}", SEPARATE),
    "styled": (
        """styles:
    fancy: {{head: bold smallcaps, body: italic, punctuation: ":", space-above: 12pt, space-below: 1em, indent: 1em}}
    marked: {{head: sans, break: true, end-mark: ◁}}
    framed: {{head: bold, boxed: true, frame: navy}}
    remark: {{head: italic, punctuation: ""}}
    proof: {{head: bold, end-mark: ■}}
  kinds:
    theorem: {{style: framed}}
    lemma: {{style: fancy}}
    example: {{style: marked}}
    definition: {{style: boxed}}""",
        STYLED,
    ),
}


@cache
def installed(name: str) -> bool:
    return bool(subprocess.run(["kpsewhich", f"{name}.cls"], capture_output=True, check=False).stdout)


CLASSES = [*ARTICLES, *BOOKS, *filter(installed, OF_PUBLISHERS)]
CASES = [(name, note, how) for name in CLASSES for note in NOTES for how in ("metadata", "variable")]
# A class told as a variable is unknown to filters; these notes show what that changes.
CASES = [case for case in CASES if case[2] == "metadata" or (case[1] == "shared" and case[0] not in ("beamer", *BOOKS))]

_BAD = re.compile(
    r"^.*(?:undefined references|multiply.defined|already defined|Missing character|Token not allowed).*$", re.MULTILINE
)


@dataclass
class Compiled:
    numbers: dict[str, str]
    complaints: list[str]
    draft: Draft
    source: str


def _compile(name: str, note: str, how: str, folder: Path) -> Compiled:
    division = "chapter" if name in BOOKS else "section"
    settings, text = NOTES[note]
    metadata = "---\ntitle: A title\n" + (f"documentclass: {name}\n" if how == "metadata" else "")
    text = f"{metadata}scidraft:\n  {settings.format(division=division)}\n---\n\n# Heading\n{text}"
    writer = "beamer" if name == "beamer" else "latex"
    read = subprocess.run([paths.pandoc(), "-t", "json"], input=text.encode(), capture_output=True, check=True)
    draft = pipeline.run(pipeline.prepare(document.load(read.stdout, writer)), ["statements"])
    options = [f"--top-level-division={division}", "-s", *(["-V", f"documentclass={name}"] if how == "variable" else [])]
    written = subprocess.run(
        [paths.pandoc(), "-f", "json", "-t", writer, *options],
        input=document.dump(draft.doc).encode(),
        capture_output=True,
        check=True,
    )
    folder = folder / f"{name}-{note}-{how}"
    folder.mkdir()
    (folder / "note.tex").write_bytes(written.stdout)
    for _ in range(2):
        run = subprocess.run(
            ["pdflatex", "-draftmode", "-interaction=nonstopmode", "-halt-on-error", "note.tex"],
            cwd=folder,
            capture_output=True,
            check=False,
        )
    log = (folder / "note.log").read_text(encoding="utf-8", errors="replace")
    errors = [line for line in log.splitlines() if line.startswith(("!", "l."))] if run.returncode else []
    aux = (folder / "note.aux").read_text(encoding="utf-8", errors="replace")
    labels = re.finditer(r"^\\newlabel\{([^{}]*)\}\{\{(?:\\M@TitleReference\s*\{)?((?:[^{}]|\{[^{}]*\})*?)\}", aux, re.MULTILINE)
    return Compiled({match[1]: match[2] for match in labels}, errors + _BAD.findall(log), draft, written.stdout.decode())


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> dict[tuple[str, ...], Future[Compiled]]:
    """The cases that are asked for, two at a time."""
    items = [item for item in request.session.items if item.path == request.path]
    wanted = [item.callspec.params for item in items if hasattr(item, "callspec")]
    cases = [(params["name"], params["note"], params["how"]) for params in wanted if "how" in params]
    folder = tmp_path_factory.mktemp("classes")
    pool = ThreadPoolExecutor(2)
    return {case: pool.submit(_compile, *case, folder) for case in cases}


@pytest.mark.parametrize(("name", "note", "how"), CASES)
def test_class_compiles_and_counts_as_we_do(
    name: str, note: str, how: str, compiled: dict[tuple[str, ...], Future[Compiled]]
) -> None:
    result = compiled[name, note, how].result()
    assert not result.complaints
    targets = result.draft.catalogue.targets.items()
    # Beamer numbers no sections, IEEE's are Roman.
    own = (Section, Float) if name in ("beamer", "IEEEtran") else ()
    wanted = {key: target.number for key, target in targets if target.number is not None and not isinstance(target, own)}
    assert wanted
    assert {key: result.numbers.get(label(key)) for key in wanted} == wanted


def _source(metadata: str, text: str, writer: str = "latex") -> tuple[str, list[str]]:
    read = subprocess.run(
        [paths.pandoc(), "-t", "json"], input=f"---\n{metadata}\n---\n{text}".encode(), capture_output=True, check=True
    )
    draft = pipeline.run(pipeline.prepare(document.load(read.stdout, writer)), ["statements"])
    written = subprocess.run(
        [paths.pandoc(), "-f", "json", "-t", writer, "-s"],
        input=document.dump(draft.doc).encode(),
        capture_output=True,
        check=True,
    )
    return written.stdout.decode(), draft.messages.lines()


def test_amsthms_own_styles_are_not_defined_again() -> None:
    source, _ = _source("documentclass: article", "::: theorem\nA\n:::\n\n::: definition\nB\n:::\n\n::: remark\nC\n:::")
    assert "newtheoremstyle" not in source
    for style in ("plain", "definition", "remark"):
        assert f"\\theoremstyle{{{style}}}\n" in source


def test_style_is_declared_from_its_data() -> None:
    styles = "fancy: {head: bold, body: italic, punctuation: ':', space-above: 9pt, indent: 1em, break: true}"
    source, _ = _source(f"scidraft: {{styles: {{{styles}}}, kinds: {{lemma: {{style: fancy}}}}}}", "::: lemma\nA\n:::")
    assert "\\newtheoremstyle{fancy}{9pt}{}{\\itshape}{1em}{\\bfseries}{:}{\\newline}" in source


def test_box_may_break_and_has_its_colour() -> None:
    styles = "framed: {boxed: true, frame: '#336699'}"
    source, _ = _source(f"scidraft: {{styles: {{{styles}}}, kinds: {{lemma: {{style: framed}}}}}}", "::: lemma\nA\n:::")
    assert "\\tcolorboxenvironment{lemma}{enhanced,breakable,colback=white,colframe={rgb,255:red,51;green,102;blue,153}" in source


def test_class_of_metadata_alone_decides_the_division_as_for_pandoc() -> None:
    read = subprocess.run([paths.pandoc(), "-t", "json"], input=b"# One", capture_output=True, check=True)
    doc = document.load(read.stdout, "latex")
    # As -M documentclass=book gives it.
    doc.metadata["documentclass"] = "book"
    draft = pipeline.run(pipeline.prepare(doc), ["statements"])
    written = subprocess.run(
        [paths.pandoc(), "-f", "json", "-t", "latex", "-s"],
        input=document.dump(draft.doc).encode(),
        capture_output=True,
        check=True,
    )
    assert "\\chapter{One}" in written.stdout.decode()


def test_reference_to_a_roman_section_is_told() -> None:
    text = "# One {#sec-one}\n\nSee @sec-one."
    assert _source("documentclass: article\nscidraft: {number-sections: true}", text)[1] == []
    (message,) = _source("documentclass: IEEEtran\nscidraft: {number-sections: true}", text)[1]
    assert "LaTeX's class `IEEEtran` numbers each section its own way (I, II)" in message


@pytest.mark.parametrize(
    ("style", "message"),
    [
        ("{head: fat}", "`styles: x: head` cannot be `fat`: it should be words out of bold, italic, smallcaps, sans, upright"),
        ("{body: slanted}", "`styles: x: body` cannot be `slanted`: it should be italic or upright"),
        ("{space-above: much}", "`styles: x: space-above` cannot be `much`: it should be a length such as 9pt or 1.2em"),
        ("{boxed: perhaps}", "`styles: x: boxed` cannot be `perhaps`: it should be true, false or side"),
        (
            "{frame: reddish}",
            "`styles: x: frame` cannot be `reddish`: "
            "it should be a colour such as #336699 or navy, or two, the second for dark pages",
        ),
        ("bold", "metadata `styles: x` should hold `name: value` pairs; it is ignored"),
    ],
)
def test_faults_in_a_style_are_told(style: str, message: str) -> None:
    _, said = _source(f"scidraft: {{styles: {{x: {style}}}}}", "Text.")
    assert [line.partition("warning: ")[2].removesuffix("; the default is used") for line in said] == [message]
