"""Formulas drawn by the real engine, and the maths pass on real notes."""

from __future__ import annotations

import html
import re
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from scidraft import math, pipeline, render
from scidraft.document import dump, load
from scidraft.draft import Draft
from scidraft.engines.cache import Cache
from scidraft.engines.mathjax import Drawing, Engine, FormulaError
from scidraft.macros import Macro
from scidraft.messages import Messages
from scidraft.metadata import read_settings
from scidraft.paths import pandoc

WIDE = r"(a+b+c+d+e+f+g+h+i+j+k) = (l+m+n+o+p+q+r+s+t+u) \le (v+w+x+y+z+a+b+c+d+e) + (f+g+h+i+j+k+l+m)"


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    found = Engine(Cache("maths", tmp_path_factory.mktemp("cache")))
    yield found
    found.close()


def draw(engine: Engine, tex: str, *, display: bool = True, font: str = "stix2", width: float = 32.0, **macros: str) -> Drawing:
    table = {name: Macro(body, body.count("#")) for name, body in macros.items()}
    return engine.draw(tex, display=display, font=font, macros=table, width_em=width)  # type: ignore[arg-type]


def characters(drawing: Drawing) -> str:
    return "".join(chr(int(code, 16)) for code in re.findall(r'data-c="([0-9A-F]+)"', drawing.svg))


# The engine


@pytest.mark.parametrize("font", ["stix2", "newcm"])
def test_a_picture_has_the_size_of_its_view_box_in_em_of_text(engine: Engine, font: str) -> None:
    drawing = draw(engine, r"\frac{a}{b}", font=font)
    root = ElementTree.fromstring(drawing.svg)
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    assert drawing.width == pytest.approx(width / 1000, abs=1e-3)
    assert float(root.attrib["width"].removesuffix("em")) == pytest.approx(width / 1000, abs=1e-3)
    assert float(root.attrib["height"].removesuffix("em")) == pytest.approx(height / 1000, abs=1e-3)
    assert root.attrib["style"].startswith(f"vertical-align:-{drawing.depth:.3g}")
    assert drawing.depth == pytest.approx((top + height) / 1000, abs=1e-3)
    assert left == 0


def test_fonts_differ(engine: Engine) -> None:
    assert draw(engine, "x").width == 0.559
    assert draw(engine, "x", font="newcm").width == 0.572


def test_a_picture_takes_the_colour_of_the_text_and_has_no_ids(engine: Engine) -> None:
    svg = draw(engine, r"x \class{big}{y}\mathbb{R} < \text{a < b}").svg
    assert 'fill="currentColor"' in svg
    assert " id=" not in svg
    assert "data-latex" not in svg


def test_font_data_that_comes_late_is_used_at_once(tmp_path: Path) -> None:
    fresh = Engine(Cache("maths", tmp_path))
    first = draw(fresh, r"\mathcal{L} \mathfrak{g} \boldsymbol{\theta}")
    assert characters(first) == "L𝔤𝜽"
    assert draw(fresh, r"\mathcal{L} \mathfrak{g} \boldsymbol{\theta} ") == first
    assert first.svg != draw(fresh, r"L \mathfrak{g} \boldsymbol{\theta}").svg


def test_tags_are_text_and_not_in_the_picture(engine: Engine) -> None:
    drawing = draw(engine, r"\begin{align} E &= mc^2 \tag{A1} \\ F &= ma \\ p &= mv \tag*{[B]} \end{align}")
    assert drawing.numbers == ("(A1)", None, "[B]")
    assert "A" not in characters(drawing)
    assert drawing.rows == pytest.approx((2.85, 1.55, 0.25), abs=0.02)
    assert draw(engine, r"x \tag{$\ast$ 2}").numbers == ("(∗\xa02)",)


def test_one_number_stands_in_the_middle_and_the_proof_mark_on_the_last_row(engine: Engine) -> None:
    drawing = draw(engine, r"\begin{equation*}\begin{split} a &= b \\ &= c \end{split}\tag{1}\end{equation*}")
    assert (drawing.numbers, drawing.rows, drawing.whole) == (("(1)",), (0.9,), 0.9)
    assert drawing.last == 0.25
    assert draw(engine, r"\begin{aligned} a &= b \\ &= c \end{aligned}.").last == 0.25
    cases = draw(engine, r"f = \begin{cases} a \\ b \end{cases}")
    assert cases.last == cases.depth


def test_a_wide_display_breaks_at_its_relations(engine: Engine) -> None:
    free, narrow = draw(engine, WIDE, width=100), draw(engine, WIDE, width=19)
    assert free.width > 60
    assert len(free.rows) == 1
    assert narrow.width <= 19
    assert len(narrow.rows) == 4
    assert narrow.whole == narrow.last == narrow.rows[-1]


def test_a_broken_row_has_its_number_on_the_last_line_and_keeps_its_left_side(engine: Engine) -> None:
    drawing = draw(engine, rf"\begin{{align}} f(x) &= 1 \\ L(x) &= {WIDE} \tag{{2}} \end{{align}}", width=24)
    assert drawing.width <= 24
    assert drawing.rows[1] == drawing.last == pytest.approx(0.25, abs=0.02)
    assert drawing.height < 6  # of four lines; L, (x) and = would be lines of their own


def test_rows_of_multline_reach_both_sides(engine: Engine) -> None:
    drawing = draw(engine, r"\begin{multline} a + b \\ + c \tag{1} \end{multline}")
    right_most = max(float(x) for x in re.findall(r"translate\(([\d.]+),", drawing.svg))
    assert drawing.width == 30
    assert right_most > 27_000
    assert drawing.numbers == (None, "(1)")


@pytest.mark.parametrize(
    ("tex", "reason"),
    [
        (r"\frac{a}{b", "Missing close brace"),
        (r"\foobar x", r"Undefined control sequence \foobar"),
        ("{" * 3000 + "x" + "}" * 3000, "the formula is nested too deeply"),
        (r"\def\a{\a}\a", "a macro calls itself without end"),
        (r"\def\a{\a\a x}\a", "a macro calls itself without end"),
        ("x+" * 50_000, "the formula is longer than 20,000 characters"),
    ],
    ids=["brace", "undefined", "nested", "loop", "growth", "long"],
)
def test_bad_formulas_are_errors_and_the_engine_goes_on(engine: Engine, tex: str, reason: str) -> None:
    with pytest.raises(FormulaError) as caught:
        draw(engine, tex)
    assert caught.value.reason == reason
    assert draw(engine, "x^2").width == pytest.approx(0.99, abs=0.01)


def test_continued_fractions_and_towers_may_be_high(engine: Engine) -> None:
    for opening, depth in (("\\cfrac{1}{1+", 40), ("x^{", 80), ("\\sqrt{", 80), ("{", 100)):
        assert draw(engine, opening * depth + "y" + "}" * depth).height > 0.6


def test_a_formula_that_takes_too_long_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("scidraft.engines.mathjax._SECONDS", 0.3)
    hasty = Engine(Cache("maths", tmp_path))
    with pytest.raises(FormulaError, match=r"takes more than 0\.3 seconds"):
        draw(hasty, "x+" * 9_000)


def test_macros_do_not_leak(engine: Engine) -> None:
    assert characters(draw(engine, r"\q", q="Q")) == "𝑄"
    assert characters(draw(engine, r"\newcommand{\newq}{R}\def\s{S}\let\newt\newq \newq\s\newt")) == "𝑅𝑆𝑅"
    for name in ("q", "newq", "newt"):
        with pytest.raises(FormulaError, match="Undefined control sequence"):
            draw(engine, f"\\{name}")


def test_text_of_any_script_stays(engine: Engine) -> None:
    drawing = draw(engine, r"\text{Größe é ñ Ł — с текстом 中文 한국어}")
    root = ElementTree.fromstring(drawing.svg)
    drawn = characters(drawing)
    assert all(letter in drawn for letter in "öéñŁ—т")
    assert "".join(root.itertext()) == "中文한국어"


def test_colours_boxes_and_strokes(engine: Engine) -> None:
    array = r"\begin{array}{|c|} \hline 1 \\ \hdashline 2 \end{array}"
    svg = draw(engine, rf"\textcolor{{blue}}{{y}} + \boxed{{E}} + \cancel{{x}} + {array}").svg
    assert 'fill="blue"' in svg
    assert svg.count("<rect") == 1
    lines = [line.attrib for line in ElementTree.fromstring(svg).iter() if line.tag.endswith("}line")]
    assert len(lines) == 5
    assert all("stroke-width" in line for line in lines)
    assert sum("stroke-dasharray" in line for line in lines) == 1


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        (r"\ce{H2O}", "H2O"),
        (r"\bm{x}", "𝒙"),
        (r"\ket{\psi}", "|𝜓⟩"),
        (r"x \qedhere", "𝑥"),
        (r"\text{by \text{(1)} \mbox{and} \ensuremath{x}}", "by (1) and\xa0𝑥"),
        (r"\mathds{1} \mathbbm{1}", "𝟙𝟙"),
        (r"\begin{align} a &= b \\ \intertext{so} c &= d \end{align}", "𝑎=𝑏so𝑐=𝑑"),
    ],
)
def test_packages(engine: Engine, tex: str, shown: str) -> None:
    assert characters(draw(engine, tex)) == shown


# The cache


def test_a_warm_cache_starts_no_engine(tmp_path: Path) -> None:
    cold = Engine(Cache("maths", tmp_path))
    first = draw(cold, r"\R^2", R=r"\mathbb{R}")
    with pytest.raises(FormulaError):
        draw(cold, r"\bad")
    cold.close()
    warm = Engine(Cache("maths", tmp_path))
    assert draw(warm, r"\R^2", R=r"\mathbb{R}", unused="x") == first
    with pytest.raises(FormulaError, match="Undefined"):
        draw(warm, r"\bad")
    assert not warm.started


def test_broken_caches_are_ignored(tmp_path: Path) -> None:
    cache = Cache("maths", tmp_path)
    cache.put("a", "first")
    cache.put("b", "second")
    cache.close()
    with sqlite3.connect(tmp_path / "maths.sqlite") as database:
        database.execute("UPDATE entry SET text = 'other' WHERE key = 'a'")
    database.close()
    again = Cache("maths", tmp_path)
    assert (again.get("a"), again.get("b")) == (None, "second")
    again.close()
    (tmp_path / "maths.sqlite").write_bytes(b"no database at all" * 100)
    new = Cache("maths", tmp_path)
    assert new.get("b") is None
    new.put("b", "third")
    new.close()
    assert Cache("maths", tmp_path).get("b") == "third"


def test_a_cache_that_cannot_be_written_works_for_its_process(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    cache = Cache("maths", tmp_path / "file" / "folder")
    cache.put("a", "text")
    cache.close()
    assert cache.get("a") == "text"


# The pass


@pytest.fixture
def note(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Note]]:
    monkeypatch.setattr(math, "engine", lambda: engine)
    yield Note


class Note:
    """A note after the maths pass, as its target's text.

    `text` is without the outlines of glyphs and what only helps reading out and copying.
    """

    def __init__(self, markdown: str, target: str = "html", reader: str = "markdown") -> None:
        source = subprocess.run([pandoc(), "-f", reader, "-t", "json"], input=markdown.encode(), capture_output=True, check=True)
        doc = load(source.stdout, target if target != "print" else "html")
        self.messages = Messages()
        math.run(Draft(doc, read_settings(doc, self.messages), self.messages, target))
        writer = {"print": "html"}.get(target, target)
        arguments = [pandoc(), "-f", "json", "-t", writer, "--wrap=none"]
        written = subprocess.run(arguments, input=dump(doc).encode(), capture_output=True, check=True)
        self.metadata = {key: getattr(value, "text", str(value)) for key, value in doc.metadata.content.dict.items()}
        self.full = written.stdout.decode()
        unseen = r'<span class="formula-(?:source|spoken)".*?</span>'
        self.text = re.sub(r"<svg.*?</svg>", "▢", re.sub(unseen, "", self.full)).strip()


def test_inline_maths_holds_to_its_punctuation(note: type[Note]) -> None:
    assert note("If ($x$), $n$-dim, $y$.").text == (
        '<p>If <span class="nobreak">(<span class="math inline">▢</span>),</span> <span class="nobreak">'
        '<span class="math inline">▢</span>-</span>dim, <span class="nobreak"><span class="math inline">▢</span>.</span></p>'
    )
    assert note("a $x$ b").text == '<p>a <span class="math inline">▢</span> b</p>'


def test_a_long_inline_formula_may_end_a_line_after_a_relation(note: type[Note]) -> None:
    text = note("See ($a + b + c + d = e + f + g + h$).").text
    assert text == (
        '<p>See <span class="nobreak">(<span class="math inline">▢</span></span><span class="math-break"> </span>'
        '<span class="nobreak"><span class="math inline">▢</span>).</span></p>'
    )


def test_a_page_names_its_formulas_and_a_print_titles_them(note: type[Note]) -> None:
    page, printed = note("$a < b$").full, note("$a < b$", "print").full
    assert '<svg aria-hidden="true" ' in page
    assert "<math><mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow></math></span>" in page
    assert '<span class="formula-source" aria-hidden="true" hidden>$a &lt; b$</span>' in page
    assert "<title>a &lt; b</title>" in printed
    assert "<math" not in printed
    assert "formula-" not in printed
    assert page.count("stroke") == printed.count("stroke")


def test_a_formula_that_cannot_be_written_as_mathml_is_named_by_its_tex(note: type[Note]) -> None:
    page = note(r"$\ce{H2O}$").full
    assert '<svg role="img" aria-label="\\ce{H2O}" ' in page
    assert "<math" not in page
    assert r"hidden>$\ce{H2O}$</span>" in page


def copied(note: Note) -> list[str]:
    return [html.unescape(text) for text in re.findall(r'<span class="formula-source"[^>]*>(.*?)</span>', note.full)]


def test_what_is_copied_is_tex_that_stands_for_itself(note: type[Note]) -> None:
    macros = "---\nmacros:\n  R: '`\\mathbb{R}`'\n---\n"
    assert copied(note(macros + r"$x \in \R$")) == [r"$x \in \mathbb{R}$"]
    assert copied(note("$a + b + c + d = e + f + g + h$")) == ["$a + b + c + d =", "e + f + g + h$"]
    assert copied(note("$$ a < b \\tag{3} \\label{eq-a} $$")) == ["$$a < b$$"]
    assert copied(note("$$\\begin{align} a &= b % why\n\\\\ c &= d \\tag{1} \\end{align}$$")) == [
        r"\begin{align*} a &= b \\ c &= d \end{align*}"
    ]


def test_what_is_read_out_has_rows_without_room_for_numbers(note: type[Note]) -> None:
    page = note("$$\\begin{align} a &= b \\tag{1.1} \\\\ c &= d \\end{align}$$").full
    spoken = page.partition('<span class="formula-spoken"')[2].partition("</math>")[0]
    assert spoken.count("<mtr>") == 2
    assert spoken.count("<mtd>") == 4
    assert "1.1" not in spoken
    assert "class=" not in spoken


def test_a_display_has_its_span_and_the_numbers_of_its_rows(note: type[Note]) -> None:
    text = note("$$\\begin{align} a&=b \\tag{1.1}\\\\ c&=d \\end{align}$$").text
    assert text == (
        '<p><span class="equation"><span class="math display">▢</span>'
        '<span class="equation-number row-number" style="--baseline:1.55em">(1.1)</span></span></p>'
    )


def test_a_printed_number_without_room_stands_below_and_what_is_too_wide_is_told(note: type[Note]) -> None:
    for times, wide, told in ((1, False, 0), (15, True, 0), (20, True, 1)):
        formula = "$$ " + r"\alpha\beta\gamma\delta" * times + " $$[(3)]{.equation-number}"
        draft = note(f"[{formula}]{{#eq-a .equation}}", "print")
        assert ('class="equation wide-formula"' in draft.text) == wide, times
        assert len([line for line in draft.messages.lines() if "is wider than the column" in line]) == told, times


def test_numbers_and_marks_that_are_there_get_their_place(note: type[Note]) -> None:
    text = note("[$$\\begin{aligned} a&=b \\\\ &=d \\end{aligned}$$[(3)]{.equation-number}[x]{.qed}]{#eq-a .equation}").text
    assert text == (
        '<p><span id="eq-a" class="equation"><span class="math display">▢</span>'
        '<span class="equation-number" style="--baseline:0.9em">(3)</span>'
        '<span class="qed" style="--baseline:0.25em">x</span></span></p>'
    )


def test_the_filter_alone_brings_the_styles_of_displays(note: type[Note]) -> None:
    assert ".equation {" in note("$$a$$").metadata["header-includes"]
    for alone in ("$a$", "---\nscidraft-applied: statements\n---\n$$a$$"):
        brought = note(alone).metadata["header-includes"]
        assert ".formula-source {" in brought
        assert ".statement {" not in brought
    assert "header-includes" not in note("No formulas.").metadata
    assert "header-includes" not in note("$$a$$", "print").metadata


def test_the_number_of_multline_stands_on_its_last_row(note: type[Note]) -> None:
    text = note("[$$\\begin{multline*} a \\\\ b \\end{multline*}$$[(3)]{.equation-number}]{.equation}").text
    assert '<span class="equation-number row-number" style="--baseline:0.25em;--baseline-narrow:0.25em">(3)</span>' in text


def test_a_wide_display_has_a_narrow_form_on_pages_only(note: type[Note]) -> None:
    source = "$$a+b+c+d+e+f+g+h = i+j+k+l+m+n+o+p+q+r$$"
    both = '<span class="math display wide">▢</span><span class="math narrow" hidden>▢</span>'
    assert note(source).text == f'<p><span class="equation">{both}</span></p>'
    assert note(source, "print").text == '<p><span class="equation"><span class="math display">▢</span></span></p>'
    assert "narrow" not in note("$$a+b = c$$").text


def test_a_malformed_formula_shows_its_source_and_is_told_once(note: type[Note]) -> None:
    result = note("$a<\\frac{b$ and $a<\\frac{b$\n\n$$x^2^3$$")
    code = '<code class="math-error" title="Missing close brace">a&lt;\\frac{b</code>'
    assert result.text.count(f'<span class="math inline">{code}</span>') == 2
    assert '<span class="equation"><span class="math display"><code class="math-error"' in result.text
    assert result.messages.lines() == [
        "scidraft: warning: formula `a<\\frac{b` cannot be set (Missing close brace); its source is printed",
        "scidraft: warning: formula `x^2^3` cannot be set (Double exponent: use braces to clarify); its source is printed",
    ]


def test_an_undefined_command_is_told_once(note: type[Note]) -> None:
    assert note("$\\R$ and $x\\R$ and $\\Q$").messages.lines() == [
        f"scidraft: warning: `{name}` is not defined: formulas that use it, first `{name}`, are printed as their source; "
        "define it with \\newcommand or under `macros:` in the metadata"
        for name in ("\\R", "\\Q")
    ]


def test_macros_come_from_metadata_and_from_the_text(note: type[Note]) -> None:
    metadata = "---\nmacros: {R: '\\mathbb{R}'}\n---\n"
    source = f"{metadata}\n\\newcommand{{\\E}}[1]{{E[#1]}}\n\n$$\\newcommand{{\\F}}{{F}}$$\n\n$\\R \\E{{x}} \\F$\n"
    assert not note(source, reader="markdown-latex_macros").messages.lines()
    assert note(source, "plain", reader="markdown-latex_macros").text == "ℝE[x]F"
    assert "\\R E[x] \\F" in note(source, "latex").text


def test_macros_in_header_includes_hold_too(note: type[Note]) -> None:
    source = "---\nheader-includes: |\n  \\newcommand{\\R}{\\mathbb{R}}\n  \\DeclareMathOperator{\\tr}{tr}\n---\n\n$\\tr\\R$\n"
    assert not note(source).messages.lines()


DEFINITIONS = r"""---
header-includes: |
  \newcommand{\hd}[2][h]{#1#2}
scidraft:
  macros: {mm: ['#1#2', 2, 'm']}
---

\newcommand{\op}[2][d]{#1#2}
\renewcommand{\epsilon}{\varepsilon}
\providecommand{\alpha}{no}
\providecommand{\pv}{P}

$\hd{a} \hd[b]{c} \mm{d} \mm[e]{f} \op{g} \op[i]{j} \epsilon \alpha \pv \newcommand{\io}[2][k]{#1#2} \io{l} \io[o]{q}$
"""


@pytest.mark.parametrize("reader", ["markdown", "markdown-latex_macros"])
def test_macros_have_arguments_in_brackets_wherever_they_are_defined(note: type[Note], reader: str) -> None:
    for target in ("html", "print"):
        result = note(DEFINITIONS, target, reader)
        assert not result.messages.lines()
        drawn = "".join(chr(int(code, 16)) for code in re.findall(r'data-c="([0-9A-F]+)"', result.full))
        # What pandoc writes out itself it writes out for commands that exist, too.
        assert drawn.replace("no", "𝛼").replace("𝑛𝑜", "𝛼") == "ℎ𝑎𝑏𝑐𝑚𝑑𝑒𝑓𝑑𝑔𝑖𝑗𝜀𝛼𝑃𝑘𝑙𝑜𝑞"
    assert "\\io" in note(DEFINITIONS, "latex", reader).text


PRIMITIVES = [
    ("\\def\\x#1{#1^2}\n\n$\\x{a}$ and $b$, $\\x c$", "\\def\\x#1{#1^2}", "write `\\newcommand{\\x}[1]{#1^2}`"),
    ("---\nheader-includes: |\n  \\let\\x\\phi\n---\n\n$\\x$ and $b$", "\\let\\x\\phi", "write `\\newcommand{\\x}{\\phi}`"),
    ("$\\def\\x(#1){#1} \\x(a)$ and $b$", "\\def\\x", "use \\newcommand"),
    ("\\def\\x{X}\n\n\\newcommand{\\y}{\\x}\n\n$\\y$ and $b$", "\\def\\x{X}", "write `\\newcommand{\\x}{X}`"),
]


@pytest.mark.parametrize(("source", "words", "advice"), PRIMITIVES, ids=["text", "header", "formula", "through a macro"])
def test_definitions_by_tex_itself_are_told_once(source: str, words: str, advice: str, tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text(source)
    for target in ("html", "print", "latex"):
        draft = pipeline.read_note(tmp_path / "note.md", report := Messages("note.md"))
        copy = draft.for_target(target)
        math.run(copy)
        lines = dict.fromkeys([*report.lines(), *copy.messages.lines()])
        assert list(lines) == [
            f"scidraft: note.md: warning: `{words}`: \\def and \\let are not taken in formulas, {advice} "
            "(\\renewcommand for a name that exists); formulas that use it are printed as their source"
        ]
        text = dump(copy.doc)
        assert ("<code class" in text) or '"t":"Code"' in text.replace(" ", "")
        assert "<svg" in text or '"InlineMath"},"b"' in text.replace(" ", "")


def test_definitions_by_tex_itself_that_no_formula_uses_are_left_alone(tmp_path: Path) -> None:
    header = "\\makeatletter\\def\\@x{y}\\let\\old\\section\\makeatother"
    body = "::: {.theorem title=One}\n$a$ $$\\begin{aligned} a \\\\ b \\end{aligned}$$ {#eq-a}\n:::\n"
    (tmp_path / "note.md").write_text(f"---\nheader-includes: |\n  {header}\n---\n\n{body}")
    draft = pipeline.read_note(tmp_path / "note.md", report := Messages("note.md"))
    for target in ("html", "latex"):
        # Our own declarations for LaTeX have both, also of commands that formulas use.
        copy = draft.for_target(target)
        render.run(copy)
        math.run(copy)
        assert not [*report, *copy.messages]


def test_without_mathjax_pandoc_shows_the_formulas(note: type[Note], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scidraft.engines.mathjax.FOLDER", Path("nowhere"))
    result = note("---\nmacros: {R: 'r'}\n---\n$\\R^2$")
    assert result.text == '<p><span class="math inline"><em>r</em><sup>2</sup></span></p>'
    assert [line.partition(":")[2] for line in result.messages.lines()] == [
        " warning: formulas cannot be drawn, MathJax is not there: run `python tools/assets.py`; pandoc shows them in its own way"
    ]


def test_one_notes_macros_are_not_anothers(note: type[Note]) -> None:
    assert not note("---\nmacros: {R: 'r'}\n---\n$\\R$").messages.lines()
    assert note("$\\R \\Q$").messages.lines()


def test_titles_footnotes_and_tables_are_drawn_and_image_descriptions_are_not(note: type[Note]) -> None:
    result = note("---\ntitle: The $L^2$ norm\n---\n\nA[^1]\n\n| $a$ |\n|---|\n| $b$ |\n\n[^1]: $c$\n\n![of $x$](i.png)\n")
    assert result.text.count("▢") == 4  # c, a, b and the caption
    assert 'alt="of x"' in result.text
    assert result.metadata["pagetitle"] == "The L² norm"
    assert "<svg" in result.metadata["title"]
