"""LaTeX packages: those that formulas use are loaded, and what has to be asked for means the same on the page."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from scidraft import pipeline
from scidraft.document import dump, load
from scidraft.draft import Draft
from scidraft.engines.cache import Cache
from scidraft.engines.mathjax import Engine, FormulaError
from scidraft.paths import TEMPLATES, pandoc


def run(text: str, target: str = "latex", **metadata: Any) -> Draft:
    source = f"---\n{json.dumps(metadata)}\n---\n\n{text}\n"
    read = subprocess.run([pandoc(), "-t", "json"], input=source, capture_output=True, text=True, check=True).stdout
    draft = pipeline.prepare(load(read, target))
    pipeline.run(draft, list(pipeline.PASSES))
    return draft


def latex(draft: Draft, template: str = "") -> str:
    options = [f"--template={template}"] if template else []
    command = [pandoc(), "-f", "json", "-t", "latex", "--standalone", *options]
    return subprocess.run(command, input=dump(draft.doc), capture_output=True, text=True, check=True).stdout


def loaded(text: str, **metadata: Any) -> list[str]:
    """The packages of mathematics that are loaded, with their options."""
    preamble = latex(run(text, **metadata)).partition(r"\begin{document}")[0]
    names = r"amscd|bbm|bm|braket|dsfont|mathrsfs|mhchem|physics|siunitx|tikz-cd|upgreek"
    return [line[len(r"\usepackage") :] for line in re.findall(rf"\\usepackage(?:\[[^\]]*\])?\{{(?:{names})\}}", preamble)]


@pytest.mark.parametrize(
    ("tex", "packages"),
    [
        (r"$\ce{H2O}$", ["[version=4]{mhchem}"]),
        (r"Water is \ce{H2O}, at \qty{20}{\celsius}.", ["[version=4]{mhchem}", "{siunitx}"]),
        (r"$$\begin{CD} A @>>> B \end{CD}$$", ["{amscd}"]),
        (r"$$\begin{tikzcd} A \arrow[r] & B \end{tikzcd}$$ {#eq-a}", ["{tikz-cd}"]),
        (
            r"$\bm{x} \in \mathscr{A}$, $\mathbbm{1}$, $\mathds{1}$, $\upalpha$",
            ["{bbm}", "{bm}", "{dsfont}", "{mathrsfs}", "{upgreek}"],
        ),
        (r"$\bra{x}$", ["{braket}"]),
        (r"$\cdot \cefoo \beta$", []),
    ],
)
def test_latex_loads_what_formulas_use(tex: str, packages: list[str]) -> None:
    assert loaded(tex) == packages


def test_macros_bring_their_packages_and_own_commands_need_none() -> None:
    assert loaded(r"$\water$", macros={"water": r"\ce{H2O}"}) == ["[version=4]{mhchem}"]
    assert loaded(r"$\bra{x} \num{3}$", macros={"bra": [r"\langle #1 |", 1]}) == ["{siunitx}"]
    assert loaded(r"$\bm{x}$", **{"header-includes": r"\newcommand{\bm}[1]{\mathbf{#1}}"}) == []


def test_what_the_note_loads_is_not_loaded_again() -> None:
    given = {"header-includes": [r"\usepackage[separate-uncertainty]{siunitx}", r"\usepackage{physics, bm}"]}
    assert loaded(r"$\num{3} \bm{x}$", **given) == ["[separate-uncertainty]{siunitx}"]
    # physics has \qty and \bra, too.
    assert loaded(r"$\qty(x) \bra{x}$", **{"header-includes": r"\usepackage{physics}"}) == ["{physics}"]


def test_a_formula_may_define_operators_and_what_is_defined(tmp_path: Path) -> None:
    text = r"""
$$\DeclareMathOperator{\tr}{tr}\DeclareMathOperator*{\esup}{ess\,sup} \newcommand{\ball}{B} \tr \ball = \esup_x f$$
"""
    written = latex(run(text, macros={"ball": "b"}))
    assert r"\newcommand{\tr}{\operatorname{tr}}\newcommand{\esup}{\operatorname*{ess\,sup}} \renewcommand{\ball}{B}" in written
    compiles(written, tmp_path)


def test_physics_means_the_same_on_the_page_and_not_without_being_asked_for() -> None:
    engine = Engine(Cache("maths", None))

    def drawn(tex: str, *extra: str) -> str:
        drawing = engine.draw(tex, display=False, font="stix2", macros={}, width_em=32, extra=frozenset(extra))
        return "".join(chr(int(code, 16)) for code in re.findall(r'data-c="([0-9A-F]+)"', drawing.svg))

    assert drawn(r"\div v") == "÷𝑣"
    assert drawn(r"\dv{f}{x} \braket{a}{b} \bra{a}\ket{b} \div v \qty(x)", "physics") == "d𝑓d𝑥⟨𝑎|𝑏⟩⟨𝑎|𝑏⟩𝛁⋅𝑣(𝑥)"
    assert drawn(r"\braket{a|b}") == "⟨𝑎|𝑏⟩"
    with pytest.raises(FormulaError):
        engine.draw(r"\dv{f}{x}", display=False, font="stix2", macros={}, width_em=32)


def test_what_is_asked_for_holds_in_a_filter_that_comes_second() -> None:
    source = (
        "---\nheader-includes: |\n  \\usepackage{physics}\n  \\sisetup{per-mode=symbol}\n---\n\n$\\qty(x) \\unit{\\m\\per\\s}$\n"
    )
    read = subprocess.run([pandoc(), "-t", "json"], input=source, capture_output=True, text=True, check=True).stdout
    first = pipeline.run(pipeline.prepare(load(read, "html")), ["statements"])
    second = pipeline.run(pipeline.prepare(load(dump(first.doc), "html")), ["math"])
    assert second.messages.lines() == []
    assert dump(second.doc).count("data-c=") == 6  # ( x ) m / s


def test_a_command_of_physics_is_told_with_how_to_ask_for_it() -> None:
    (line,) = run(r"$\dv{f}{x}$", "html").messages.lines()
    assert r"`\dv` is not defined" in line
    assert r"add \usepackage{physics} to `header-includes`, or define it" in line
    asked = {"header-includes": r"\usepackage{physics}"}
    assert run(r"$\dv{f}{x}$", "html", **asked).messages.lines() == []
    # Temml would take \div for a sign of division.
    page = run(r"$\div v$", "html", scidraft={"math": "mathml"}, **asked)
    assert "<svg" in dump(page.doc)


ALL = r"""
$\ce{2H2 + O2 -> 2H2O}$, $\qty{9.81}{\metre\per\second\squared}$, $\num{1.2e3}$, $\bm{x} \in \mathscr{A}$, $\Braket{a|b}$,
$\cancel{x}$, $\upalpha$, $\llbracket x \rrbracket$, $\nicefrac{1}{2}$, $\centernot{=}$

$$\begin{CD} A @>f>> B \end{CD} \quad \begin{tikzcd} A \arrow[r, "f"] & B \end{tikzcd}$$
"""
PHYSICS = r"$\dv{f}{x} + \qty(\frac{a}{b}) + \SI{3}{\metre} + \bra{x}\ket{y}$"
SIGNS = "**Bold** *italic* `code`. Signs × ÷ ± ¬ · ° † in words, and $a × b ÷ c ± d · e, ¬ p, ‖v‖, f′, x ∉ A ∖ B, ∏_i ⟨u, v⟩$."


@pytest.mark.parametrize("template", ["", str(TEMPLATES / "scidraft.latex")], ids=["pandoc", "ours"])
def test_all_packages_together_compile(template: str, tmp_path: Path) -> None:
    compiles(latex(run(ALL), template), tmp_path)


def test_physics_and_units_together_compile(tmp_path: Path) -> None:
    compiles(latex(run(PHYSICS, **{"header-includes": r"\usepackage{physics}"})), tmp_path)


@pytest.mark.parametrize("engine", ["pdflatex", "xelatex", "lualatex"])
def test_signs_typed_into_formulas_are_those_of_mathematics(engine: str, tmp_path: Path) -> None:
    compiles(latex(run(SIGNS), str(TEMPLATES / "scidraft.latex")), tmp_path, engine)
    text = subprocess.run(["pdftotext", "-raw", tmp_path / "note.pdf", "-"], capture_output=True, text=True, check=True).stdout
    assert "Signs × ÷ ± ¬ · ° † in words" in text
    formula = "".join(text.partition("and ")[2].split())
    assert formula.startswith("a×b÷c±d·e,¬p,")
    assert "Ö" not in text


def compiles(text: str, folder: Path, engine: str = "pdflatex") -> None:
    (folder / "note.tex").write_text(text, encoding="utf-8")
    command = [engine, "-interaction=nonstopmode", "-halt-on-error", "note.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Missing character" not in (folder / "note.log").read_text(encoding="utf-8", errors="replace")
