"""Formulas that are too deep, too long, or never end: one message each in every output, and the rest of the note stays."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scidraft import cli

DEEP = "{" * 3000 + "x" + "}" * 3000
FRACTIONS = "\\frac{1}{" * 3000 + "x" + "}" * 3000
LONG = "+".join(f"x_{{{number}}}" for number in range(12_500))
LOOP = "\\newcommand{\\again}{\\again x}"
NOTES = {
    "braces": ("", DEEP, "the formula is nested too deeply"),
    "fractions": ("", FRACTIONS, "the formula is nested too deeply"),
    "long": ("", LONG, "the formula is longer than 20,000 characters"),
    "loop in the formula": ("", f"{LOOP}\\again", "a macro calls itself without end"),
    "loop in metadata": ("---\nmacros: {again: '\\again x'}\n---\n", "\\again", "a macro calls itself without end"),
    "loop in the text": (f"{LOOP}\n\n", "\\again", "a macro calls itself without end"),
    "loop in the header": (f"---\nheader-includes: |\n  {LOOP}\n---\n", "\\again", "a macro calls itself without end"),
}


@pytest.mark.parametrize("mark", ["$", "$$"], ids=["inline", "display"])
@pytest.mark.parametrize("name", NOTES)
def test_what_cannot_be_set_is_told_once(
    name: str, mark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    head, formula, reason = NOTES[name]
    monkeypatch.chdir(tmp_path)
    Path("note.md").write_text(f"{head}Before.\n\n{mark}{formula}{mark}\n\nAfter.\n")
    shown = formula if len(formula) <= 60 else formula[:57] + "…"
    for target, made in (("html", "note.html"), ("pdf", "note.pdf"), ("latex", "note.tex")):
        assert cli.main(["build", "--to", target, "note.md"]) == 0
        told = [line for line in capsys.readouterr().err.splitlines() if "warning" in line or "error" in line]
        if target != "latex":
            wanted = [f"formula `{shown}` cannot be set ({reason}); its source is printed"]
        elif name == "long":
            wanted = []  # TeX sets it
        else:
            reason = reason if name in ("braces", "fractions") else "the macro \\again expands without end"
            wanted = [f"formula `{shown}` would stop LaTeX ({reason}); its source is printed"]
        assert told == [f"scidraft: note.md: warning: {line}" for line in wanted]
        output = Path("build", made).read_bytes()
        if target != "pdf":
            assert re.search(rb"Before\.[\s\S]*After\.", output)
        if target == "html":
            assert len(output) < 100_000
