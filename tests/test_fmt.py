"""`scidraft fmt`: a note in the canonical syntax is the same note, and whatever needs no change is not touched."""

from __future__ import annotations

import json
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

import golden_cases
from golden_cases import CASES, GOLDEN
from scidraft import cli, document, pipeline
from scidraft.messages import Messages
from scidraft.paths import pandoc
from scidraft.rewrite import rewrite
from scidraft.rewrite.source import Edit, Plain, apply, quoted, read_attributes

#: Cases in Markdown that the filter reads whole; pandoc sees only parts of MyST.
NOTES = [case for case in CASES if "from" not in golden_cases.defaults(case) and case != "dialect-myst"]


def html(text: str, writer: str = "html5") -> str:
    """What comes of a note."""
    tree = subprocess.run([pandoc(), "-t", "json"], input=text.encode(), capture_output=True, check=True).stdout
    draft = pipeline.run(pipeline.prepare(document.load(tree, writer)), ["statements"])
    arguments = [pandoc(), "-f", "json", "-t", writer, "--mathjax", "--wrap=none"]
    written = subprocess.run(arguments, input=document.dump(draft.doc).encode(), capture_output=True, check=True).stdout.decode()
    # A pair of spaces shows as one; so does a line that is broken elsewhere.
    return " ".join(written.split()) + "\n".join(sorted(draft.messages.lines()))


@pytest.mark.parametrize("case", NOTES)
def test_the_note_stays_the_same(case: str) -> None:
    path = GOLDEN / case / "input.md"
    before = path.read_text(encoding="utf-8")
    after = rewrite(before, path=path)
    if after != before:
        assert html(after) == html(before)
        assert html(after, "latex") == html(before, "latex")
        assert rewrite(after, path=path) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('::: {.Theorem #x info="A"}\nB.\n:::', '::: {.theorem #x title="A"}\nB.\n:::'),
        ("::: {#thm-x}\n## A\n\nB.\n:::", "::: {.theorem #thm-x}\n## A\n\nB.\n:::"),
        ("::: lemma\n(Euler) Beta.\n:::", '::: {.lemma title="Euler"}\nBeta.\n:::'),
        ("::: lemma\n**Lemma 2 (A).** Beta.\n:::", '::: {.lemma number="2" title="A"}\nBeta.\n:::'),
        ("Lemma (A). {#x}\n:   B\n\n    C\n\nD", '::: {.lemma #x title="A"}\nB\n\nC\n:::\n\nD'),
        ("**Lemma (A).** Beta.\n\nC.", '::: {.lemma title="A"}\nBeta.\n:::\n\nC.'),
        ("\\begin{lemma}[A]\\label{x}\nLet \\emph{B} be.\n\\end{lemma}", '::: {.lemma #x title="A"}\nLet *B* be.\n:::'),
        ("::: {.lemma #x}\nA.\n:::\n\n\\@ref(lem:x) and Lemma~\\ref{x}", "::: {.lemma #x}\nA.\n:::\n\n[-@x] and Lemma\\ [-@x]"),
        (
            "::: {.lemma #x}\nA.\n:::\n\n\\Cref{x} @Pre:x, [](#x) [Lemma <>](#x)",
            "::: {.lemma #x}\nA.\n:::\n\n[@x] @x, [@x] Lemma [-@x]",
        ),
        ("$$a (\\#eq:x)$$\n\n\\@ref(eq:x)", "$$a \\label{eq:x}$$\n\n[-@eq:x]"),
        ("![(\\#fig:x) A](a.png)", "![A](a.png){#fig:x}"),
        ('```{lemma, label="x", name="A"}\nB.\n\nC.\n```', '::: {.lemma #x title="A"}\nB.\n\nC.\n:::'),
    ],
)
def test_spellings(before: str, after: str) -> None:
    assert rewrite(before + "\n") == after + "\n"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Text with `\\@ref(thm:x)` and `@Pre:x` in code.\n",
        "```\n::: {.Theorem}\n\\ref{x}\n:::\n```\n",
        '````text\n```{theorem, name="A"}\nB\n```\n\n:::{prf:theorem} A\n:::\n\n$$ a $$ (b)\n+++\n````\n',
        "<!-- ::: {.Theorem} -->\n\nText.\n",
        "$\\ref{x}$ and $$\\eqref{x}$$\n",
        '::: {.theorem #thm-x title="A"}\nB   with   odd\n  layout.\n:::\n\n\n\n@thm-x\n',
        "Groceries\n: Bananas\n",
        "\\begin{center}\nA\n\\end{center}\n",
        "\\begin{theorem}\nA \\vspace{1ex} \\textsc{b} $c$\n\\end{theorem}\n",
        "Nobody has \\ref{x}.\n",
        "::: {.proof}\n(We are free to choose. So do.) Alpha.\n:::\n",
    ],
)
def test_what_needs_no_change_is_not_touched(text: str) -> None:
    assert rewrite(text) == text


def test_comments_and_layout_are_kept() -> None:
    note = """---
title: T   # a comment
amsthm: {plain: [Theorem]}
---

<!-- before -->

::: {.Theorem   #x
     info="A"}
<!-- inside -->
B
:::

* item
* item,  \\
  next
"""
    assert rewrite(note) == note
    one_line = note.replace("Theorem   #x\n     info", "Theorem #x info")
    assert rewrite(one_line) == one_line.replace('.Theorem #x info="A"', '.theorem #x title="A"')


# Notes that pandoc cannot read

HUGO = """+++
title = "T: a title"
date = 2026-09-21T14:42:00+09:00
tags = ["a", "b"] # comment
[params]
toc = true
+++

{{< preview >}}

**Identity (Woodbury).** Let \\(A\\) be,
as \\cite{smith, jones} and \\citet{doe} say,

\\[
A = B.
\\]

Done. `\\(code\\)` {{< figure src="x.png" >}}

{{< references bib="bib/a.bib" title="Sources" >}}
"""


def test_hugo() -> None:
    report = Messages()
    assert (
        rewrite(HUGO, "hugo", report=report)
        == """---
title: "T: a title"
date: 2026-09-21T14:42:00+09:00
tags: ["a", "b"] # comment
params:
  toc: true
bibliography: ["bib/a.bib"]
---

<!-- {{< preview >}} -->

::: {.identity title="Woodbury"}
Let $A$ be,
as [@smith; @jones] and @doe say,

$$
A = B.
$$
:::

Done. `\\(code\\)` <!-- {{< figure src="x.png" >}} -->

## Sources {.unnumbered}

::: {#refs}
:::
"""
    )
    assert [message.text for message in report] == [
        '`{{< figure src="x.png" >}}` has no counterpart here: it is left as a comment'
    ]
    assert rewrite(HUGO) == rewrite(HUGO, "hugo")


MYST = """(sec-a)=
# Section

% a comment

::::{prf:theorem} Title with $x$
:label: my-theorem
:nonumber:

Alpha.

```{math}
:label: eq-a
a = b
```

:::{note} Aside
Beta.
:::
::::

```{prf:criteria}
Gamma.
```

$$ c = d $$ (eq-c)

```python
:::{prf:theorem} not here
```

See {prf:ref}`my-theorem`, {prf:ref}`that <my-theorem>`, {eq}`eq-a`, {cite:t}`doe`, {math}`x^2`, `` {eq}`eq-a` `` and [](#eq-c).

```{list-table} Numbers
:label: tab-n
:header-rows: 1

* - one
  - *two*
* - three
    in words
```

```{plot} x
y
```
"""


def test_myst() -> None:
    report = Messages()
    assert (
        rewrite(MYST, report=report)
        == """# Section {#sec-a}

<!-- a comment -->

:::: {.theorem .unnumbered #my-theorem title="Title with $x$"}
Alpha.

$$
a = b
$$ {#eq-a}

::: {.callout-note title="Aside"}
Beta.
:::
::::

::: {.criterion}
Gamma.
:::

$$ c = d $$ {#eq-c}

```python
:::{prf:theorem} not here
```

See [@my-theorem], [that](#my-theorem), [-@eq-a], @doe, $x^2$, `` {eq}`eq-a` `` and [@eq-c].

| one | *two* |
|---|---|
| three in words |  |

: Numbers {#tab-n}

```{.myst}
{plot} x
y
```
"""
    )
    assert [message.text for message in report] == [
        "the directive `{plot}` has no counterpart here: it is left as a block of code"
    ]


# The text


def test_attributes_are_read_as_pandoc_reads_them() -> None:
    attributes = read_attributes("{#x .a .b key=\"v w\" other='u' bare=3}")
    assert attributes is not None
    assert (attributes.identifier, attributes.classes) == ("x", ["a", "b"])
    assert str(attributes) == "{.a .b #x key=\"v w\" other='u' bare=3}"
    assert read_attributes("{.a, .b}") is None
    assert read_attributes("theorem {#x}") is None
    bare = read_attributes("theorem")
    assert bare is not None and bare.classes == ["theorem"]


@pytest.mark.parametrize("text", ["plain", 'a "b" c', "$\\mathbb{R}$", "back\\\\slash", "it's"])
def test_quoted_values_survive_pandoc(text: str) -> None:
    tree: Any = json.loads(
        subprocess.run(
            [pandoc(), "-t", "json"], input=f"[x]{{a={quoted(text)}}}".encode(), capture_output=True, check=True
        ).stdout
    )
    assert tree["blocks"][0]["c"][0]["c"][0][2] == [["a", text]]


def test_plain_text_is_told_from_code_and_maths() -> None:
    text = "a `b` $c$ \\$d\\$ <!-- e -->\n\n```\nf\n```\n\n$$g$$ h"
    plain = Plain(text)
    assert {letter: text.index(letter) in plain for letter in "abcdefgh"} == dict(
        zip("abcdefgh", [True, *[False] * 2, True, *[False] * 3, True], strict=True)
    )


def test_edits_are_made_from_the_end() -> None:
    assert apply("abc", [Edit(2, 3, "z"), Edit(0, 1, "xy")]) == "xybz"


# The command


@pytest.fixture(name="note")
def _note(tmp_path: Path) -> Path:
    path = tmp_path / "note.md"
    path.write_bytes(b'::: {.Theorem #x info="A"}\r\nB.\r\n:::\r\n\r\n\\ref{x}\r\n')
    path.chmod(0o640)
    return path


def test_it_prints(note: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = note.read_bytes()
    assert cli.main(["fmt", str(note)]) == 0
    assert capfd.readouterr().out.replace("\r", "") == '::: {.theorem #x title="A"}\nB.\n:::\n\n[-@x]\n'
    assert note.read_bytes() == before


def test_it_shows_the_difference(note: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["fmt", "--diff", str(note)]) == 0
    changed = [
        line.strip() for line in capfd.readouterr().out.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")
    ]
    assert changed == ['-::: {.Theorem #x info="A"}', '+::: {.theorem #x title="A"}', "-\\ref{x}", "+[-@x]"]


def test_it_changes_the_file_and_nothing_about_it(note: Path) -> None:
    link = note.with_name("link.md")
    link.symlink_to(note)
    assert cli.main(["fmt", "--write", str(link)]) == 0
    assert note.read_bytes() == b'::: {.theorem #x title="A"}\r\nB.\r\n:::\r\n\r\n[-@x]\r\n'
    assert stat.S_IMODE(note.stat().st_mode) == 0o640
    assert link.is_symlink()
    assert sorted(path.name for path in note.parent.iterdir()) == ["link.md", "note.md"]


def test_a_note_that_cannot_be_read_is_told(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    latin = tmp_path / "latin.md"
    latin.write_bytes(b"caf\xe9\n")
    assert cli.main(["fmt", str(tmp_path / "none.md"), str(latin)]) == 1
    errors = capfd.readouterr().err.splitlines()
    assert [line.partition("error: ")[2] for line in errors] == [
        f"{tmp_path / 'none.md'}: No such file or directory",
        "pandoc gives up: the note is not in UTF-8",
    ]
