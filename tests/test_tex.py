"""TeX as text: rows, labels, tags, macros, the place of the proof mark."""

from __future__ import annotations

import pytest

from scidraft.macros import Macro, expand_macros, read_definitions, read_primitives, repair_operators, used_macros
from scidraft.tex import (
    Row,
    ended,
    insert_qedhere,
    pieces,
    read_display,
    with_last_tag,
    with_numbers,
    without_labels,
    without_tags,
)


def row(body: str, label: str | None = None, tag: str | None = None, *, starred: bool = False, numbered: bool = False) -> Row:
    return Row(body, label, tag, starred, numbered)


@pytest.mark.parametrize(
    ("tex", "environment", "rows"),
    [
        ("a = b", None, [row("a = b")]),
        ("a = b \\label{eq:x}", None, [row("a = b", "eq:x", numbered=True)]),
        ("E \\tag{3.14}", None, [row("E", tag="3.14")]),
        ("E \\tag*{[B]}", None, [row("E", tag="[B]", starred=True)]),
        ("\\begin{align} a&=b\\label{u}\\\\c&=d\\notag\\\\e&=f\\end{align}", "align",
         [row("a&=b", "u", numbered=True), row("c&=d"), row("e&=f", numbered=True)]),
        ("\\begin{align*} a\\\\b \\tag{1} \\end{align*}", "align*", [row("a"), row("b", tag="1")]),
        ("\\begin{gather}a\\\\[2pt] b\\\\* c\\end{gather}", "gather", [row(x, numbered=True) for x in "abc"]),
        ("\\begin{equation}\\begin{split}a\\\\b\\label{s}\\end{split}\\end{equation}", "equation",
         [row("\\begin{split}a\\\\b\\end{split}", "s", numbered=True)]),
        ("\\begin{multline} p\\\\q \\label{m}\\end{multline}", "multline", [row("p\\\\q", "m", numbered=True)]),
        ("\\begin{aligned}a\\\\b\\end{aligned}", None, [row("\\begin{aligned}a\\\\b\\end{aligned}")]),
        ("\\begin{gather}a\\end{gather}\\begin{gather}b\\end{gather}", None,
         [row("\\begin{gather}a\\end{gather}\\begin{gather}b\\end{gather}")]),
    ],
)  # fmt: skip
def test_rows(tex: str, environment: str | None, rows: list[Row]) -> None:
    display = read_display(tex)
    assert display.environment == environment
    assert display.rows == rows


def test_rows_are_cut_at_the_top_level_only() -> None:
    rows = read_display("\\begin{align} f &= \\begin{cases}1\\\\2\\end{cases} \\\\ g &= {a\\\\b} \\end{align}").rows
    assert [r.body for r in rows] == ["f &= \\begin{cases}1\\\\2\\end{cases}", "g &= {a\\\\b}"]


def test_the_argument_of_alignat_is_no_row() -> None:
    display = read_display("\\begin{alignat}{2} x &= 1 \\\\ y &= 2 \\end{alignat}")
    assert display.argument == "{2}"
    assert [r.body for r in display.rows] == ["x &= 1", "y &= 2"]


def test_punctuation_after_the_environment_joins_the_last_row() -> None:
    assert [r.body for r in read_display("\\begin{align}a\\\\b\\end{align}.").rows] == ["a", "b."]


def test_an_empty_last_row_is_no_row() -> None:
    assert len(read_display("\\begin{align} a \\\\ b \\\\ \\end{align}").rows) == 2


def test_comments_end_with_their_line() -> None:
    assert read_display("a % \\\\ \\label{no}\n  + 50\\% \\\\% end").rows == [row("a + 50\\% \\\\")]


def test_numbers_become_tags() -> None:
    tex = "\\begin{align} a \\label{u} \\\\ b \\tag{*} \\\\ c \\end{align}"
    assert with_numbers(tex, ["1.1", None, None]) == "\\begin{align*}\na \\tag{1.1} \\\\\nb \\tag{*} \\\\\nc\n\\end{align*}"
    assert with_numbers("x \\label{e}", ["2"]) == "x \\tag{2}"
    assert with_numbers("x \\tag*{A}", [None]) == "x \\tag*{A}"
    assert with_numbers("x \\label{e}", [None]) == "x"


def test_what_is_left_to_draw() -> None:
    assert without_labels("a \\label{x} + b") == "a + b"
    drawn = without_tags("\\begin{gather} a \\tag{1} \\\\ b \\label{x} \\end{gather}")
    assert drawn == "\\begin{gather*}\na \\\\\nb\n\\end{gather*}"


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        ("a = b.", "a = b. \\qedhere"),
        ("a = b % note", "a = b \\qedhere"),
        ("\\begin{align*}a\\\\b.\\\\\\end{align*}", "\\begin{align*}a \\\\\nb. \\qedhere\n\\end{align*}"),
        ("\\begin{aligned}[t]a\\\\b\\end{aligned}.", "\\begin{align*}a \\\\\nb. \\qedhere\n\\end{align*}"),
        ("\\begin{gathered}a\\\\b\\end{gathered}", "\\begin{gather*}a \\\\\nb \\qedhere\n\\end{gather*}"),
        ("\\begin{alignedat}{2}a&b\\end{alignedat}", "\\begin{alignat*}{2}a&b \\qedhere\n\\end{alignat*}"),
        ("\\begin{aligned}a\\\\b\\end{aligned} = c", "\\begin{aligned}a\\\\b\\end{aligned} = c \\qedhere"),
        ("a \\qedhere", "a \\qedhere"),
    ],
)
def test_the_proof_mark_stands_in_the_last_row(tex: str, expected: str) -> None:
    assert insert_qedhere(tex) == expected


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        ("a = b \\le c + d", ["a =", "b \\le", "c + d"]),
        ("f(x = y) = \\{ z > 0 \\}", ["f(x = y) =", "\\{ z > 0 \\}"]),
        ("\\left(a = b\\right) \\in C", ["\\left(a = b\\right) \\in", "C"]),
        ("= b", ["= b"]),
        ("a =", ["a ="]),
        ("a \\sim_d b := c", ["a \\sim_d b :=", "c"]),
        ("a \\not= b", ["a \\not=", "b"]),
        ("{a = b \\over c} = \\color{red} d = e", ["{a = b \\over c} = \\color{red} d = e"]),
        ("\\le", ["\\le"]),
    ],
)
def test_long_inline_formulas_are_cut_after_relations(tex: str, expected: list[str]) -> None:
    assert pieces(tex) == expected


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        ("a + b - c \\cdot d", ["a +", "b -", "c \\cdot", "d"]),
        ("-a + (b + c) - \\frac{a+b}{c}", ["-a +", "(b + c) -", "\\frac{a+b}{c}"]),
        ("x = -1 + y, -z", ["x = -1 +", "y, -z"]),
        ("a \\times -b", ["a \\times", "-b"]),
        ("x^+ + C^* \\cup D_-", ["x^+ +", "C^* \\cup", "D_-"]),
        ("a = b", ["a = b"]),
    ],
)
def test_what_is_still_long_is_cut_after_signs(tex: str, expected: list[str]) -> None:
    assert pieces(tex, binary=True) == expected


def test_a_sign_at_the_end_of_a_piece_keeps_the_space_before_it() -> None:
    assert ended("x^+ +") == "x^+\\mkern4mu{+}"
    assert ended("a \\cdot") == "a\\mkern4mu{\\cdot}"
    assert ended("x^+") == "x^+"
    assert ended("a =") == "a ="


MACROS = {"R": Macro("\\mathbb{R}"), "E": Macro("\\mathbb{E}[#1]", 1), "al": Macro("\\alpha"), "fr": Macro("\\frac#1#2", 2)}


@pytest.mark.parametrize(
    ("tex", "expected"),
    [
        ("x \\in \\R^d", "x \\in \\mathbb{R}^d"),
        ("\\E{X^{\\R}}", "\\mathbb{E}[X^{\\mathbb{R}}]"),
        ("\\E x", "\\mathbb{E}[x]"),
        ("\\fr ab", "\\frac ab"),
        ("\\fr{12}{x}", "\\frac12x"),
        ("\\Real \\\\R", "\\Real \\\\R"),
        ("{\\al}b\\al c", "{\\alpha}b\\alpha c"),
    ],
)
def test_macros_are_written_out(tex: str, expected: str) -> None:
    assert expand_macros(tex, MACROS) == expected


@pytest.mark.parametrize(
    ("tex", "macros", "reason"),
    [
        ("\\a", {"a": Macro("\\a")}, "the macro \\a expands without end"),
        ("\\a", {"a": Macro("\\a\\a x")}, "the macro \\a expands without end"),
        ("\\E", MACROS, "the macro \\E lacks an argument"),
        ("\\E{x", MACROS, "the argument of \\E is not closed"),
    ],
)
def test_bad_macros_are_errors(tex: str, macros: dict[str, Macro], reason: str) -> None:
    with pytest.raises(ValueError, match=reason.replace("\\", "\\\\")):
        expand_macros(tex, macros)


def test_definitions_are_read() -> None:
    tex = (
        "\\newcommand{\\R}{\\mathbb{R}}\\renewcommand\\n[1]{\\lVert #1 \\rVert} \\DeclareMathOperator*{\\argmax}{arg\\,max}"
        "\\def\\x#1{#1^{2}} rest \\newcommand{\\o}[2][a]{#1#2}"
    )
    found, rest = read_definitions(tex)
    assert found == {
        "R": Macro("\\mathbb{R}"),
        "n": Macro("\\lVert #1 \\rVert", 1),
        "argmax": Macro("\\operatorname*{arg\\,max}"),
        "o": Macro("#1#2", 2, "a"),
    }
    assert rest.split() == ["\\def\\x#1{#1^{2}}", "rest"]
    assert read_definitions("\\providecommand{\\R}[1][{]}]{r}\\newcommand{\\R}{R}\\providecommand{\\R}{no}")[0] == {
        "R": Macro("R")
    }


def test_definitions_by_tex_itself_are_told_apart() -> None:
    found = read_primitives("\\def\\x#1{#1^{2}} \\let\\ep=\\epsilon \\gdef\\at(#1){a} \\definecolor \\left( \\letter")
    assert found == {
        "x": ("\\def\\x#1{#1^{2}}", "\\newcommand{\\x}[1]{#1^{2}}"),
        "ep": ("\\let\\ep=\\epsilon", "\\newcommand{\\ep}{\\epsilon}"),
        "at": ("\\gdef\\at", ""),
    }


@pytest.mark.parametrize(
    ("tex", "expected"),
    [("\\o{x}", "d:x"), ("\\o[q] y", "q:y"), ("\\o[{]}]{x}z", "{]}:xz"), ("\\o [a\\b]x[y]", "a\\b:x[y]")],
)
def test_an_argument_in_brackets_has_a_default(tex: str, expected: str) -> None:
    assert expand_macros(tex, {"o": Macro("#1:#2", 2, "d")}) == expected


def test_operators_that_pandoc_wrote_out_keep_their_limits_at_the_side() -> None:
    macros = read_definitions("\\DeclareMathOperator{\\tr}{tr}\\DeclareMathOperator*{\\am}{am}")[0]
    given = "\\mathop{\\mathrm{tr}}_x\\mathop{\\mathrm{am}}_x"
    assert repair_operators(given, macros) == "\\operatorname{tr}_x\\mathop{\\mathrm{am}}_x"


def test_only_the_macros_in_use_count() -> None:
    assert list(used_macros("\\E{x}", MACROS | {"E": Macro("\\al#1", 1)})) == ["E", "al"]


def test_a_tag_for_the_last_row() -> None:
    rows = "\\begin{aligned} a &= b \\\\ &= c. \\end{aligned}"
    assert with_last_tag(rows, "X") == "\\begin{align*}a &= b \\\\\n&= c. \\tag*{X}\n\\end{align*}"
    assert with_last_tag("a = b", "X") is None
    assert with_last_tag("\\begin{align} a \\\\ b \\tag{1} \\end{align}", "X") is None
    assert with_last_tag("\\begin{gather} a \\\\ b \\qedhere \\end{gather}", "X") is not None
