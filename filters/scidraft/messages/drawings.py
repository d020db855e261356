"""What is told about formulas and diagrams."""

from __future__ import annotations

from scidraft.messages.message import Message


def bad_formula(tex: str, reason: str) -> Message:
    """A formula that the maths engine refuses."""
    return Message(f"formula `{_short(tex)}` cannot be set ({reason}); its source is printed")


def bad_formula_for_latex(tex: str, reason: str) -> Message:
    """A formula that would stop LaTeX, or run it out of memory."""
    return Message(f"formula `{_short(tex)}` would stop LaTeX ({reason}); its source is printed")


def undefined_command(command: str, tex: str, package: str) -> Message:
    """A TeX command that nothing defines, told for the first formula that has it; `package` defines it where it is asked for."""
    advice = f"add \\usepackage{{{package}}} to `header-includes`, or " if package else ""
    return Message(
        f"`{command}` is not defined: formulas that use it, first `{_short(tex)}`, are printed as their source; "
        f"{advice}define it with \\newcommand or under `macros:` in the metadata"
    )


def too_wide(tex: str, by: float) -> Message:
    """A printed display that is wider than its column and cannot be broken."""
    return Message(f"formula `{_short(tex)}` is wider than the column, by {by:.1f} em in print: break it by hand")


def bad_units(reason: str) -> Message:
    """What the note says of its numbers and units, by siunitx's commands, is not understood."""
    return Message(f"numbers and units in formulas: {reason}; the defaults of siunitx are used")


def primitive(words: str, instead: str) -> Message:
    """A definition by TeX's own commands that a formula contains or uses; `instead` is the one to write, if there is one."""
    advice = f"write `{_short(instead)}`" if instead else "use \\newcommand"
    return Message(
        f"`{_short(words)}`: \\def and \\let are not taken in formulas, {advice} "
        "(\\renewcommand for a name that exists); formulas that use it are printed as their source"
    )


def no_maths() -> Message:
    """The maths engine's files are missing."""
    return Message(
        "formulas cannot be drawn, MathJax is not there: run `python tools/assets.py`; pandoc shows them in its own way"
    )


def pandocs_maths(name: str) -> Message:
    """A way to set formulas that is pandoc's, not ours."""
    return Message(
        f"`math: {name}` is pandoc's own: filter with scidraft-statements instead of scidraft, and give pandoc `--{name}`; "
        "here `math` should be one of svg, mathml; the default is used"
    )


def broken_diagram(words: str, reason: str, line: int | None) -> Message:
    """A diagram that cannot be drawn; `words` are its first ones, `line` counts within it."""
    where = f", line {line}" if line else ""
    return Message(f'diagram "{words}"{where}: {reason}; its source is printed instead')


def no_diagrams(reason: str) -> Message:
    """Nothing to draw diagrams with."""
    return Message(f"diagrams cannot be drawn ({reason}): their source is printed instead; pip install mermaid-render==0.14.1")


def _short(tex: str) -> str:
    source = " ".join(tex.split())
    return source if len(source) <= 60 else source[:57] + "…"
