"""Formulas as text of one font, and page numbers without a second layout: the same pages as WeasyPrint's own."""

from __future__ import annotations

import io
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pikepdf
import pytest

from scidraft import pdf
from scidraft.build import build
from scidraft.engines.cache import Cache
from scidraft.engines.mathjax import Engine
from scidraft.messages import Messages
from scidraft.note import Task
from scidraft.paths import ASSETS, TEMPLATES
from scidraft.printing import outline, pages
from scidraft.printing.formulas import Formulas
from scidraft.printing.glyphs import Unsupported, compile_svg
from scidraft.printing.mathfont import MathFont

STYLE = f"""<style>
@font-face {{ font-family: "SD Serif"; src: url("{(ASSETS / "fonts" / "cmu-serif-500-roman.ttf").as_uri()}"); }}
@page {{ size: a6; margin: 10mm }} html {{ font: 10pt "SD Serif" }} img.math {{ max-width: none }}
a::after {{ content: leader(" . ") target-counter(attr(href url), page) }}
</style>"""
SENTENCE = r"Let \(A \in \mathbb{R}^{n \times n}\), and let \(x^2\) be as \(\frac{1}{2}\) was; then \(\sqrt{y}\). End."


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    found = Engine(Cache("maths", tmp_path_factory.mktemp("cache")))
    yield found
    found.close()


def drawn(engine: Engine, tex: str, *, display: bool = False) -> str:
    return engine.draw(tex, display=display, font="newcm", macros={}, width_em=33).svg


def formula(engine: Engine, tex: str, *, display: bool = False) -> str:
    """A formula as the maths pass puts it into a page for print."""
    opening, rest = drawn(engine, tex, display=display).split(">", 1)
    title = tex.replace("&", "&amp;").replace("<", "&lt;")
    return f'<span class="math {"display" if display else "inline"}">{opening}><title>{title}</title>{rest}</span>'


def page(engine: Engine, text: str) -> str:
    body = re.sub(r"\\\((.*?)\\\)", lambda found: formula(engine, found[1]), text)
    return f'<!DOCTYPE html><html lang="en"><head><title>T</title>{STYLE}</head><body><main>{body}</main></body></html>'


def text_of(printed: bytes, tmp_path: Path) -> str:
    file = tmp_path / "text.pdf"
    file.write_bytes(printed)
    return subprocess.run(["pdftotext", "-layout", str(file), "-"], capture_output=True, text=True, check=True).stdout


def contents_of(printed: bytes) -> list[bytes]:
    with pikepdf.open(io.BytesIO(printed)) as document:
        return [page.Contents.read_bytes() for page in document.pages]


# One formula


def test_each_outline_is_one_character_wherever_it_stands(engine: Engine) -> None:
    font = MathFont()
    body = compile_svg(drawn(engine, "x + x^x"), font).body.decode()
    shown = re.findall(r"<(\w+)> Tj", body)
    assert shown == ["0001", "0002", "0003", "0002", "0002", "0001"]  # x, +; at both ends the mark of the formula's edge
    assert body.count("BT") == 1
    assert re.search(r"^0\.707 0 0 -0\.707 [\d.]+ -[\d.]+ Tm <0002> Tj", body, re.MULTILINE)


def test_rules_are_drawn_and_colours_kept(engine: Engine) -> None:
    body = compile_svg(drawn(engine, r"\frac{a}{\textcolor{red}{b}} + \colorbox{yellow}{c}"), MathFont()).body.decode()
    assert " re\nf" in body
    assert "q\n1 0 0 rg\nBT" in body
    assert "q\n1 1 0 rg" in body
    assert body.count("q\n") == body.count("Q") == 3
    assert body.count("BT") == body.count("ET")


def test_dashed_lines_and_pieces_of_long_arrows(engine: Engine) -> None:
    body = compile_svg(drawn(engine, r"\begin{array}{c:c} a & b \end{array}"), MathFont()).body.decode()
    assert "[140] 0 d" in body
    assert body.rstrip().endswith("ET")
    assert "W n" in compile_svg(drawn(engine, r"\overbrace{a+b+c+d+e+f}^n"), MathFont()).body.decode()


def test_the_box_that_makes_a_link_easy_to_hit_is_not_drawn(engine: Engine) -> None:
    assert " re" not in compile_svg(drawn(engine, r"\href{https://example.org}{x}"), MathFont()).body.decode()


@pytest.mark.parametrize(
    "tex", [r"\text{中文}", r"\cancelto{0}{x}", r"\enclose{circle}{x}", r"\fcolorbox{red}{yellow}{x}", r"\style{opacity:.5}{x}"]
)
def test_what_only_weasyprint_can_draw_is_left_to_it(engine: Engine, tex: str) -> None:
    with pytest.raises(Unsupported):
        compile_svg(drawn(engine, tex), MathFont())
    formulas = Formulas()
    left = formulas.take(f"{formula(engine, tex)} {formula(engine, 'y')}")
    assert formula(engine, tex) in left
    assert left.count("<img") == len(formulas.pictures) == 1


# A page of them


def test_a_sentence_is_read_with_its_formulas_in_place(engine: Engine, tmp_path: Path) -> None:
    printed = pdf.print_fast(page(engine, f"<p>{SENTENCE}</p>"), "")
    assert " ".join(text_of(printed, tmp_path).split()) == (
        r"Let A \in \mathbb{R}^{n \times n}, and let x^2 be as \frac{1}{2} was; then \sqrt{y}. End."
    )


def test_the_rest_of_the_page_is_as_weasyprint_sets_it(engine: Engine) -> None:
    """Byte for byte, and each formula is where its picture was."""
    display = formula(engine, r"\begin{aligned} a &= b \\ &= \sqrt{c} \end{aligned}", display=True)
    html = page(engine, f"<h2 id='a'>On \\(f\\)</h2><p>{SENTENCE * 4} {display} <a href='#a'>on</a></p>")
    figure = re.compile(rb"/Figure\n<</MCID (\d+)>>\nBDC\nq\n/a1 gs\n([^\n]*) cm\n.*?\nQ\nEMC\n", re.DOTALL)
    plain, fast = (
        [figure.sub(rb"FORMULA \1 AT \2", content) for content in contents_of(printed(html, ""))]
        for printed in (pdf.print_plainly, pdf.print_fast)
    )
    assert sum(content.count(b"FORMULA") for content in fast) == 18
    assert fast == plain


def test_a_display_stands_where_its_grid_would_put_it(engine: Engine) -> None:
    """Byte for byte: the numbered one has the grid, the one alone is set as a line, which takes less time."""
    css = (TEMPLATES / "statements.css").read_text() + "".join(
        line for line in (TEMPLATES / "print.css").read_text().splitlines(keepends=True) if line.startswith("main .equation")
    )
    wide, narrow = (formula(engine, tex, display=True) for tex in (r"\int_0^1 f(x) \,dx = \sum_{n=1}^N a_n", "a^2"))
    number = '<span class="equation-number">(1)</span>'
    html = page(
        engine,
        f'<p>Then <span class="equation">{wide}</span> and <span class="equation">{narrow}{number}</span> so that'
        f' <span class="equation">{narrow}</span></p><div class="statement"><span class="equation">{wide}</span></div>',
    ).replace("</head>", f"<style>{css}</style></head>")
    formulas = Formulas()
    assert formulas.take(html).count('<span class="equation alone">') == 3
    place = re.compile(rb"/Figure\n<</MCID (\d+)>>\nBDC\nq\n/a1 gs\n([^\n]*) cm\n.*?\nQ\nEMC\n", re.DOTALL)
    plain, fast = (
        [place.sub(rb"FORMULA \2", content) for content in contents_of(printed(html, ""))]
        for printed in (pdf.print_plainly, pdf.print_fast)
    )
    assert sum(content.count(b"FORMULA") for content in fast) == 4
    assert fast == plain


def test_formulas_are_tagged_with_their_tex_and_their_font_is_embedded(engine: Engine) -> None:
    printed = pdf.print_fast(page(engine, r"<p>\(a < b\) and <img alt='A dot' src='data:image/svg+xml,<svg/>'></p>"), "")
    with pikepdf.open(io.BytesIO(printed)) as document:
        elements = [found for found in document.objects if isinstance(found, pikepdf.Dictionary) and "/Alt" in found]
        assert {str(found.S): str(found.Alt) for found in elements} == {"/Formula": "a < b", "/Figure": "A dot"}
        fonts = document.pages[0].Resources.Font
        font = fonts.SDMath
        assert all(str(other.Subtype) == "/Type0" for other in fonts.values())
        assert re.fullmatch(r"/[A-Z]{6}\+SD-Math-Identity-H", str(font.BaseFont))
        descendant = font.DescendantFonts[0]
        assert len(descendant.W[1]) == 5  # .notdef, the edge, a, <, b
        assert descendant.FontDescriptor.FontFile3.read_bytes()[:1] == b"\x01"
        shown = re.findall(r"^<(\w{4})> <(\w{4})>$", font.ToUnicode.read_bytes().decode(), re.MULTILINE)[1:]
        assert [chr(int(character, 16)) for _, character in shown] == ["\u200b", "a", "<", "b"]
    assert b"<0000> Tj" not in contents_of(printed)[0]


def test_printing_twice_gives_the_same_bytes(engine: Engine) -> None:
    html = page(engine, SENTENCE)
    assert pdf.print_fast(html, "") == pdf.print_fast(html, "")


def test_text_is_set_as_by_weasyprint_in_every_style(engine: Engine) -> None:
    """Byte for byte: languages, features, sizes, spacing, decoration."""
    words = "Efficient waffles, offered 1234567890 times to everyone who asks for them."
    styles = (
        *("font-feature-settings: 'onum'", "font-size: 7pt", "letter-spacing: 1pt", "text-decoration: underline"),
        *("font-weight: 700", "font-style: italic", "word-spacing: 3pt", "font-variant-caps: small-caps", "direction: rtl"),
    )
    body = "".join(f'<p style="text-align: justify; hyphens: auto; {style}">{words * 3}</p>' for style in styles)
    html = page(engine, body + f'<p lang="de">{words}</p><p lang="">{words}</p>')
    assert pdf.print_fast(html, "") == pdf.print_plainly(html, "")


def test_when_something_fails_weasyprint_does_it_alone(engine: Engine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(*_: object) -> None:
        raise AttributeError("a later WeasyPrint has no such thing")

    html = page(engine, SENTENCE)
    monkeypatch.setattr("scidraft.printing.formulas._Formula.draw", fail)
    assert pdf.write(html, tmp_path, Messages("note")) == pdf.print_plainly(html, f"{tmp_path.resolve()}/")


# Page numbers


def book(sections: int, *, inside: bool = False) -> str:
    """A list of contents, and sections of a page each; `inside`: their text, too, asks for pages."""
    links = "".join(f'<p><a href="#s{number}">Section</a></p>' for number in range(1, sections + 1))
    asked = '<p>See page <a href="#s{}" class="ref page-number"></a> on this.</p>' if inside else ""
    body = "".join(
        f'<section id="s{number}" style="break-before: page"><h2>Section</h2>{asked.format(sections + 1 - number)}</section>'
        for number in range(1, sections + 1)
    )
    return f'<!DOCTYPE html><html lang="en"><head><title>T</title>{STYLE}</head><body>{links}{body}</body></html>'


def numbers_in(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"Section[ .]+(\d+)", text)]


@pytest.mark.parametrize("inside", [False, True], ids=["contents", "text"])
def test_every_page_number_of_a_long_document_is_right(inside: bool, tmp_path: Path) -> None:
    seeds = tmp_path / "seeds.json"
    printed = pdf.print_fast(book(205, inside=inside), "", seeds)
    with pikepdf.open(io.BytesIO(printed)) as document:
        total = len(document.pages)
    first = total - 204
    assert first > 10
    text = text_of(printed, tmp_path)
    assert numbers_in(text) == list(range(first, total + 1))
    if inside:
        assert [int(number) for number in re.findall(r"See page[ .]+(\d+) on", text)] == list(range(total, first - 1, -1))
    assert json.loads(seeds.read_text(encoding="utf-8"))["s205"] == total
    assert pdf.print_fast(book(205, inside=inside), "", seeds) == printed


@pytest.mark.parametrize("inside", [False, True], ids=["contents", "text"])
@pytest.mark.parametrize(
    "seeds",
    ["{}", "no JSON", '["s1"]', '{"s1": 99, "s2": 5}', '{"s1": 9, "s2": 8, "s3": 7}', '{"s9": 1, "gone": 4}'],
    ids=["none", "broken", "list", "wide", "wrong", "old"],
)
def test_a_short_document_has_weasyprints_bytes_whatever_was_known(seeds: str, inside: bool, tmp_path: Path) -> None:
    known = tmp_path / "seeds.json"
    known.write_text(seeds, encoding="utf-8")
    html = book(9, inside=inside)
    assert pdf.print_fast(html, "", known) == pdf.print_plainly(html, "")


def test_numbers_of_the_same_width_are_put_right_without_a_second_layout() -> None:
    import weasyprint

    laid_out: list[str] = []

    def lay_out(text: str) -> weasyprint.Document:
        laid_out.append(text)
        return weasyprint.HTML(string=text).render()

    _, numbers = pages.settle(book(5), lay_out, {f"s{number}": 8 for number in range(1, 6)})
    assert numbers == {f"s{number}": number + 1 for number in range(1, 6)}
    assert len(laid_out) == 1
    pages.settle(book(5), lay_out, {"s1": 12})
    assert len(laid_out) == 3


@pytest.mark.parametrize(
    "style",
    ["@page { counter-reset: page 4 }", "h1 { counter-set: page 1 }", '@import "other.css";'],
    ids=["reset", "set", "import"],
)
def test_pages_that_are_counted_otherwise_are_left_to_weasyprint(style: str) -> None:
    assert pages.asks(book(2))
    assert not pages.asks(book(2).replace("<style>", f"<style>{style}"))


def test_a_link_that_leads_nowhere_does_not_stop_the_others(tmp_path: Path) -> None:
    html = book(3).replace("</body>", '<p><a href="#nowhere">x</a></p></body>')
    assert numbers_in(text_of(pdf.print_fast(html, ""), tmp_path)) == [2, 3, 4]


def test_the_style_sheet_is_told_of_headings() -> None:
    assert outline.with_classes("<h1>Title</h1><main><h2>A</h2></main>") == "<h1>Title</h1><main><h2>A</h2></main>"
    body = '<h1><span class="header-section-number">1</span> A</h1></main>'
    assert outline.with_classes(f"<main>{body}") == f'<main class="with-h1 with-numbers">{body}'


def test_formulas_in_titles_and_headings_are_text_in_running_heads_and_outline(tmp_path: Path) -> None:
    text = "# Maps $f\\colon X\\to Y$\n\nOne.\n\n## Unsaid $\\frac{a}{b}$\n\n" + "Two.\n\n" * 60
    (tmp_path / "n.md").write_text(f"---\ntitle: On $x^2$\nscidraft: {{number-sections: true}}\n---\n\n{text}")
    assert build([tmp_path / "n.md"], Task(tmp_path, ("pdf",))).messages == 0
    with pikepdf.open(tmp_path / "n.pdf") as printed, printed.open_outline() as outlined:
        assert str(printed.docinfo.Title) == "On x²"
        (first,) = outlined.root
        assert (first.title, first.children[0].title) == ("1\u2003Maps f: X → Y", "1.1\u2003Unsaid \\frac{a}{b}")
    shown = subprocess.check_output(["pdftotext", "-f", "2", "-layout", tmp_path / "n.pdf", "-"], text=True)
    assert re.search(r"^On x² +1\s+Maps f: X → Y$", shown, re.MULTILINE)
