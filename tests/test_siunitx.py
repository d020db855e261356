"""Numbers and units: what we write out is what siunitx prints."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import panflute as pf
import pytest

from scidraft import pipeline
from scidraft.document import dump, load, walk
from scidraft.draft import Draft
from scidraft.paths import pandoc
from scidraft.siunitx import Style, UnitError, read_style, uses, written_out

#: What siunitx prints, in our TeX.
KNOWN = {
    r"\num{12345.67890}": r"12\,345.678\,90",
    r"\num{1234.5678}": "1234.5678",
    r"\num{.5}": "0.5",
    r"\num{5.}": "5",
    r"\num{1,5}": "1.5",
    r"\num{007}": "7",
    r"\num{-0.0}": "0.0",
    r"\num{+3}": "3",
    r"\num{e3}": "10^{3}",
    r"\num{1e0}": "1",
    r"\num{-1.2e-3}": r"-1.2 \times 10^{-3}",
    r"\num{100000e10000}": r"100\,000 \times 10^{10\,000}",
    r"\num{1.23(4)e5}": r"1.23(4) \times 10^{5}",
    r"\num{1.20 \pm 0.03}": "1.20(3)",
    r"\num[separate-uncertainty]{1.20 +- 0.03}": r"1.20 \pm 0.03",
    r"\num[separate-uncertainty]{12.3(45)e2}": r"(12.3 \pm 4.5) \times 10^{2}",
    r"\qty[separate-uncertainty]{1.2(3)}{\metre}": r"(1.2 \pm 0.3)\,\mathrm{m}",
    r"\num[output-decimal-marker={,}, exponent-product=\cdot]{1.5e3}": r"1{,}5 \cdot 10^{3}",
    r"\num[group-separator={,}]{1234567.1}": r"1,234,567.1",
    r"\num[group-minimum-digits=4]{1234}": r"1\,234",
    r"\qty{3}{kg.m/s^2}": r"3\,\mathrm{kg}\,\mathrm{m}/\mathrm{s}^2",
    r"\SI{5}{m.s^{-1}}": r"5\,\mathrm{m}\,\mathrm{s}^{-1}",
    r"\qty{90}{\degree}": r"90^{\circ}",
    r"\qty{20}{\celsius}": r"20\,\mathrm{°C}",
    r"\qty{50}{\percent}": r"50\,\mathrm{\%}",
    r"\ang{1;2;3}": r"1^{\circ}2'3''",
    r"\ang{-1.5}": r"-1.5^{\circ}",
    r"\unit{\kilo\gram\metre\per\second\squared}": r"\mathrm{kg}\,\mathrm{m}\,\mathrm{s}^{-2}",
    r"\unit{\square\metre\per\cubic\second}": r"\mathrm{m}^{2}\,\mathrm{s}^{-3}",
    r"\si{\joule\per\mole\per\kelvin}": r"\mathrm{J}\,\mathrm{mol}^{-1}\,\mathrm{K}^{-1}",
    r"\unit{\raiseto{4}\metre\tothe{2}}": r"\mathrm{m}^{2}",
    r"\unit{\kg\per\m\cubed}": r"\mathrm{kg}\,\mathrm{m}^{-3}",
    r"\unit{\gram\of{Cu}}": r"\mathrm{g}_{\mathrm{Cu}}",
    r"\unit[per-mode=symbol]{\metre\per\second\per\kilogram}": r"\mathrm{m}/(\mathrm{s}\,\mathrm{kg})",
    r"\unit[per-mode=symbol]{\per\second}": r"1/\mathrm{s}",
    r"\unit[per-mode=fraction]{\joule\per\mole\kelvin}": r"\frac{\mathrm{J}\,\mathrm{K}}{\mathrm{mol}}",
    r"\unit[per-mode=repeated-symbol]{\metre\per\second\per\kilogram}": r"\mathrm{m}/\mathrm{s}/\mathrm{kg}",
    r"\numlist{1;2;3}": r"1\text{, }2\text{ and }3",
    r"\qtyrange{1}{5}{\metre}": r"1\,\mathrm{m}\text{ to }5\,\mathrm{m}",
    r"\qtyproduct{2 x 3}{\metre}": r"2\,\mathrm{m}\times 3\,\mathrm{m}",
}


@pytest.mark.parametrize(("tex", "plain"), KNOWN.items())
def test_numbers_and_units_are_written_out(tex: str, plain: str) -> None:
    assert written_out(tex, Style()) == f"{{{plain}}}"


def test_latex_prints_the_same_of_both(tmp_path: Path) -> None:
    known = {tex: plain for tex, plain in KNOWN.items() if "raiseto" not in tex and "°" not in plain}
    lines = [f"${tex}$\n\n${plain}$" for tex, plain in known.items()]
    head = r"\documentclass{article}\usepackage{amsmath,siunitx}\pagestyle{empty}\parindent0pt\begin{document}"
    (tmp_path / "note.tex").write_text("\n\\newpage\n".join([head, *lines, r"\end{document}"]), encoding="utf-8")
    subprocess.run(["pdflatex", "-interaction=batchmode", "note.tex"], cwd=tmp_path, check=True, capture_output=True)
    text = subprocess.run(
        ["pdftotext", "-layout", "note.pdf", "-"], cwd=tmp_path, check=True, capture_output=True, text=True
    ).stdout
    for tex, page in zip(known, text.split("\f"), strict=False):
        lines = ["".join(line.split()) for line in page.splitlines() if line.strip()]
        half = len(lines) // 2
        assert lines[:half] == lines[half:], tex


@pytest.mark.parametrize(
    ("tex", "reason"),
    [
        (r"\num{1.2.3}", "1.2.3 is no number"),
        (r"\num{}", "is no number"),
        (r"\unit{\metr}", r"\metr is no unit"),
        (r"\unit{\per}", "ends before its unit"),
        (r"\unit{\metre\tothe}", "lacks an argument"),
        (r"\unit{\squared\metre}", "has no unit before it"),
        (r"\qty{3}", "lacks an argument"),
        (r"\num[round-mode=places]{3}", "round-mode=places of siunitx is not known"),
        (r"\num{1 +- 0.25}", "more decimals"),
    ],
)
def test_what_is_not_understood_is_said(tex: str, reason: str) -> None:
    with pytest.raises(UnitError, match=re.escape(reason)):
        written_out(tex, Style())


def test_a_notes_own_style_units_and_words() -> None:
    style = read_style(r"\sisetup{locale=DE, per-mode = symbol}\DeclareSIUnit\year{a} \DeclareSIUnit{\mph}{mile/h}", "de-AT")
    written = written_out(r"\qty{1.5e3}{\metre\per\year}, \unit{\mph}, \numrange{1}{2}", style)
    assert written == r"{1{,}5 \cdot 10^{3}\,\mathrm{m}/\mathrm{a}}, {\mathrm{mile}/\mathrm{h}}, {1\text{ bis }2}"
    with pytest.raises(UnitError):
        written_out(r"\unit{\loop}", read_style(r"\DeclareSIUnit\loop{\loop}", "en"))
    assert written_out(r"\unit{\kilo\year}", style) == r"{\mathrm{k}\mathrm{a}}"


def test_own_commands_and_longer_names_are_left() -> None:
    assert written_out(r"\num{3} \numb{3} \unit{x}", Style(), ["num", "unit"]) == r"\num{3} \numb{3} \unit{x}"
    assert not uses(r"\numb \ange \sin x")


# In notes


def run(text: str, target: str, **metadata: Any) -> Draft:
    source = f"---\n{json.dumps(metadata)}\n---\n\n{text}\n"
    read = subprocess.run([pandoc(), "-t", "json"], input=source, capture_output=True, text=True, check=True).stdout
    draft = pipeline.prepare(load(read, target))
    pipeline.run(draft, list(pipeline.PASSES))
    return draft


def characters(draft: Draft) -> str:
    drawn = "".join(place.element.text for place in walk(draft.doc) if isinstance(place.element, pf.RawInline))
    return "".join(chr(int(code, 16)) for code in re.findall(r'data-c="([0-9A-F]+)"', drawn))


def test_quantities_in_formulas_in_words_and_in_macros() -> None:
    draft = run(
        r"At \qty{20}{\celsius} water, \ce{H2O}, weighs $\qty{998}{\kg\per\m\cubed}$ and $\speed{3}$.",
        "html",
        macros={"speed": [r"\qty{#1}{m/s}", 1]},
    )
    assert characters(draft) == "20°CH2O998kgm−33m/s"
    assert draft.messages.lines() == []
    # What is read out are the numbers and units, and what is copied is what the author wrote.
    written = dump(draft.doc).replace('\\"', '"').replace("\\\\", "\\")
    assert "<mn>998</mn>" in written
    assert r"hidden>$\qty{998}{\kg\per\m\cubed}$</span>" in written


def test_other_formats_and_mathml_get_them_written_out() -> None:
    assert r"{3\\,\\mathrm{m}}" in dump(run(r"$x = \qty{3}{\metre}$", "docx").doc)
    assert "<math" in dump(run(r"$x = \qty{3}{\metre}$", "html", scidraft={"math": "mathml"}).doc)
    heading = run(r"# Under $\qty{3}{\metre}$", "print")
    (title,) = [place.element.attributes["data-title"] for place in walk(heading.doc) if isinstance(place.element, pf.Header)]
    assert re.fullmatch(r"Under 3\sm", title)


def test_physics_keeps_its_qty_and_a_fault_is_told_once() -> None:
    asked = {"header-includes": r"\usepackage{physics}"}
    assert characters(run(r"$\qty(x) \num{3}$", "html", **asked)) == "(𝑥)3"
    (line,) = run(r"$\qty{3}{\metr}$", "html").messages.lines()
    assert r"formula `\qty{3}{\metr}` cannot be set (\metr is no unit" in line
    (line,) = run(r"$\num{3}$", "html", **{"header-includes": r"\sisetup{round-mode=places}"}).messages.lines()
    assert "numbers and units in formulas: the option round-mode=places" in line
