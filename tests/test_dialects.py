"""Other tools' notes read as if they were ours: what their metadata declares, what counts as theirs, and what is left alone.

Whole notes of each dialect are the golden cases `dialect-…`.
"""

from __future__ import annotations

import subprocess

import pytest

from scidraft import document, pipeline
from scidraft.catalogue import Statement
from scidraft.declarations import without_declarations
from scidraft.dialects.bookdown import chunk_options
from scidraft.document import plain_text
from scidraft.draft import Draft
from scidraft.paths import pandoc


def read(text: str, reader: str = "markdown") -> Draft:
    """A note after all passes over its statements."""
    tree = subprocess.run([pandoc(), "-f", reader, "-t", "json"], input=text.encode(), capture_output=True, check=True).stdout
    return pipeline.run(pipeline.prepare(document.load(tree)), ["statements"])


def statements(text: str, reader: str = "markdown") -> list[tuple[str, str | None, str]]:
    """Kind, number and title of each statement of a note."""
    return [(s.kind.name, s.number, plain_text(s.title)) for s in read(text, reader).catalogue.statements]


def said(draft: Draft) -> str:
    """The words of a note."""
    return plain_text(draft.doc.content.list)


def with_setting(line: str, text: str) -> str:
    return f"---\nscidraft:\n  {line}\n---\n\n{text}"


# Declarations


@pytest.mark.parametrize(
    ("tex", "kinds"),
    [
        (r"\newtheorem{foo}{Fu}", {"foo": ("Fu", "plain", "foo", None)}),
        (r"\theoremstyle{remark}\newtheorem*{foo}{Fu}", {"foo": ("Fu", "remark", None, None)}),
        (
            r"\newtheorem{foo}{Fu}[section] \newtheorem{bar}[foo]{Baz}",
            {"foo": ("Fu", "plain", "foo", "section"), "bar": ("Baz", "plain", "foo", "section")},
        ),
        (r"\theoremstyle{definition}\newtheorem{defn}{Definition}", {"definition": (None, "definition", "definition", None)}),
        (r"\newtheorem{thm}{Satz}", {"theorem": ("Satz", "plain", "theorem", None)}),
        (r"\newtheorem{foo}{Caf\'e {\it noir}}", {"foo": (r"Caf\'e {\it noir}", "plain", "foo", None)}),
    ],
)
def test_newtheorem_declares_a_kind(tex: str, kinds: dict[str, tuple[str | None, str, str | None, str | None]]) -> None:
    draft = read(f"{tex}\n\nText.")
    for name, (singular, style, counter, within) in kinds.items():
        kind = draft.settings.kinds[name]
        assert (kind.singular, kind.style, kind.within) == (singular, style, within)
        assert (kind.counter if kind.numbered else None) == counter


def test_declarations_are_taken_out_of_the_text_but_nothing_else() -> None:
    tex = "\\theoremstyle{plain}\n\\newtheorem{foo}{Fu}[section]\n\\newcommand{\\x}{y}"
    assert without_declarations(tex).strip() == "\\newcommand{\\x}{y}"
    assert without_declarations("\\theoremstyle{plain}") == "\\theoremstyle{plain}"


def test_amsthm_parent_counters_per_environment() -> None:
    note = """---
amsthm:
  plain:
    - Theorem: [Lemma]
    - Conjecture
  parent_counter: {Theorem: section}
---

# One

::: Theorem
A.
:::

::: Lemma
B.
:::

::: Conjecture
C.
:::

# Two

::: Lemma
D.
:::

::: Conjecture
E.
:::
"""
    assert [number for _, number, _ in statements(note)] == ["1.1", "1.2", "1", "2.1", "2"]


def test_the_notes_own_settings_win_over_declarations() -> None:
    metadata = "amsthm: {plain: [Theorem]}\nscidraft: {kinds: {theorem: {name: Satz, style: definition}}}"
    (statement,) = read(f"---\n{metadata}\n---\n\n::: Theorem\nA.\n:::\n").catalogue.statements
    assert (statement.kind.singular, statement.kind.style) == ("Satz", "definition")


def test_quarto_and_bookdown_rename_kinds() -> None:
    assert read("---\ncrossref: {thm-title: Satz}\n---\n").settings.kinds["theorem"].singular == "Satz"
    assert read("---\nlanguage: {label: {def: Begriff}}\n---\n").settings.kinds["definition"].singular == "Begriff"
    assert read("---\nlanguage: {crossref-lem-title: Hilfssatz}\n---\n").settings.kinds["lemma"].singular == "Hilfssatz"


@pytest.mark.parametrize(
    "metadata",
    [
        "amsthm: 3",
        "amsthm: [a]",
        "statement: true",
        "statement-kinds: {a: b}",
        "crossref: x",
        "language: de",
        "amsthm: {plain: {a: 1}}",
    ],
)
def test_metadata_of_another_shape_does_no_harm(metadata: str) -> None:
    assert statements(f"---\n{metadata}\n---\n\n::: theorem\nA.\n:::\n") == [("theorem", "1", "")]


# Switches

NOTES = {
    "statement": "::: theorem\n(Euler) Alpha.\n:::\n",
    "definition-lists": "Theorem (Euler).\n: Alpha.\n",
    "latex": "\\begin{theorem}[Euler]\nAlpha.\n\\end{theorem}\n",
    "quarto": "---\ncrossref: {thm-title: Satz}\n---\n\n::: {#thm-a}\nAlpha.\n:::\n\n@thm-a\n",
    "amsthm": '---\namsthm: {plain: [Result]}\n---\n\n::: {.Result info="Euler"}\nAlpha.\n:::\n',
    "bookdown": "::: {.theorem #a}\nAlpha.\n:::\n\n\\@ref(thm:a)\n",
    "myst": ":::{prf:theorem}\n:label: a\n\nAlpha.\n:::\n",
}


@pytest.mark.parametrize("dialect", NOTES)
def test_each_dialect_has_a_switch(dialect: str) -> None:
    note = NOTES[dialect]
    off = f"dialects: {{{dialect}: false}}"
    switched = note.replace("---\n", f"---\nscidraft: {{{off}}}\n", 1) if note.startswith("---") else with_setting(off, note)
    assert said(read(note)) != said(read(switched))


def test_the_latex_readers_heads_have_a_switch() -> None:
    source = "\\newtheorem{theorem}{Theorem}\n\\begin{theorem}[Euler]\nAlpha.\n\\end{theorem}"
    assert said(read(source, "latex")) == "Theorem 1 (Euler). Alpha."
    tree = subprocess.run([pandoc(), "-f", "latex", "-t", "json"], input=source.encode(), capture_output=True, check=True).stdout
    draft = pipeline.prepare(document.load(tree), overrides={"dialects": frozenset({"latex"})})
    assert said(pipeline.run(draft, ["statements"])) == "Theorem 1. Theorem 1 (Euler). Alpha."


# What counts as a head, and what does not


@pytest.mark.parametrize(
    ("paragraph", "expected"),
    [
        ("**Theorem.** Alpha.", [("theorem", "1", "")]),
        ("**Theorem (Euler, 1740).** Alpha.", [("theorem", "1", "Euler, 1740")]),
        ("**Theorem 2.4 (Euler).** Alpha.", [("theorem", "2.4", "Euler")]),
        ("**Lemma**. Alpha.", [("lemma", "1", "")]),
        ("**Proof:** Alpha.", [("proof", None, "")]),
        ("**Theorem** Alpha.", []),
        ("**Theorem.**", []),
        ("**Note.** Alpha.", []),
        ("**Note (a word of caution).** Alpha.", [("note", "1", "a word of caution")]),
        ("**Important theorem.** Alpha.", []),
        ("**Example:** Alpha.", []),
        ("A **Theorem.** Alpha.", []),
    ],
)
def test_bold_heads(paragraph: str, expected: list[tuple[str, str | None, str]]) -> None:
    assert statements(paragraph) == expected


@pytest.mark.parametrize(
    ("first", "title"),
    [
        ("(Euler) Alpha.", "Euler"),
        ("(a (nested) title) Alpha.", "a (nested) title"),
        ("(Euler). Alpha.", "Euler"),
        ("(ii) Alpha.", ""),
        ("(1) Alpha.", ""),
        ("(We are free to choose. So do.) Alpha.", ""),
        ("(where $x$ is real) alpha.", ""),
        ("(never closed Alpha.", ""),
    ],
)
def test_info_in_parentheses(first: str, title: str) -> None:
    assert [words for _, _, words in statements(f"::: theorem\n{first}\n:::\n")] == [title]


def test_heads_in_the_notes_language() -> None:
    assert statements("---\nlang: de\n---\n\n**Satz (Euler).** Alpha.\n\n**Lemma.** Beta.\n") == [
        ("theorem", "1", "Euler"),
        ("lemma", "2", ""),
    ]


def test_a_label_of_ones_own_is_what_references_say() -> None:
    note = '::: {.lemma #kl label="Klein\'s Lemma"}\nAlpha.\n:::\n\n::: {.lemma #b}\nBeta.\n:::\n\n@kl and @b.\n'
    draft = read(note)
    labels = [(s.kind.singular, s.number) for s in draft.catalogue.statements if isinstance(s, Statement)]
    assert labels == [("Klein's Lemma", "1"), (None, "2")]
    assert said(draft).endswith("Klein's Lemma 1 and Lemma 2.")


# References


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Theorem @thm-a", "Theorem 1"),
        ("Theorem [@thm-a]", "Theorem 1"),
        ("the theorem @thm-a", "the theorem Theorem 1"),
        ("Lemma @thm-a", "Lemma Theorem 1"),
        ("\\@ref(thm-a),\\@ref(thm:thm-a)", "1,1"),
        ("[Theorem <>](#thm-a)", "Theorem 1"),
        ("[{name}](#thm-a)", "Euler"),
        ("{prf:ref}`thm-a`", "Theorem 1"),
        ("{prf:ref}`Euler's <thm-a>`", "Euler's"),
        ("{eq}`eq-x`", "(1)"),
        ("\\eqref{thm-a}", "(1)"),
        ("@Pre:thm-a and [@pre:thm-a]", "Theorem 1 and Theorem 1"),
        ("[](#nowhere)", "?nowhere"),
    ],
)
def test_references(words: str, expected: str) -> None:
    draft = read(f'::: {{.theorem #thm-a title="Euler"}}\n$$x$$ {{#eq-x}}\n:::\n\n{words}\n')
    assert plain_text([draft.doc.content[-1]]) == expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (', label="x", name="A, b"', ({"name": "A, b"}, "x")),
        (" x", ({}, "x")),
        (" x, name='T'", ({"name": "T"}, "x")),
        (", echo=FALSE", ({"echo": "FALSE"}, "")),
        ("", ({}, "")),
    ],
)
def test_options_of_chunks(options: str, expected: tuple[dict[str, str], str]) -> None:
    assert chunk_options(options) == expected


def test_what_the_latex_reader_numbered_together_is_numbered_together() -> None:
    source = r"""
\newtheorem{theorem}{Theorem}
\newtheorem{lemma}[theorem]{Lemma}
\newtheorem{claim}{Claim}
\begin{theorem} A \end{theorem}
\begin{lemma} B \end{lemma}
\begin{claim} C \end{claim}
\begin{lemma} D \end{lemma}
\begin{claim} E \end{claim}
"""
    assert [number for _, number, _ in statements(source, "latex")] == ["1", "2", "1", "3", "2"]


@pytest.mark.parametrize(
    "tex",
    [
        "\\begin{theorem}\nA\n\\begin{proof}\nB\n\\end{theorem}\n\\end{proof}",
        "\\begin{theorem}[never closed\nA\n\\end{theorem}",
        "\\begin{center}\nA\n\\end{center}",
    ],
)
def test_odd_latex_is_never_lost(tex: str) -> None:
    draft = read(tex)
    assert len(draft.messages) or "A" in said(draft)
