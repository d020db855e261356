"""The tool that weighs web pages, on a note of three formulas."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from golden_cases import TESTS

LONG = "a + b + c + d = e + f + g + h"


def test_a_page_is_weighed_in_parts(tmp_path: Path) -> None:
    note = tmp_path / "notes" / "note.md"
    note.parent.mkdir()
    note.write_text(f"---\ntitle: T\n---\n\nLet $x$ and ${LONG}$, and $${LONG} = {LONG}$$\n", encoding="utf-8")
    command = [sys.executable, str(TESTS.parent / "tools" / "page_weight.py"), str(note)]
    said = subprocess.run(command, capture_output=True, check=True, text=True).stdout.splitlines()
    assert said[0].startswith("note: 3 formulas;")
    weights = {line[:40].strip(): [int(word.replace(",", "")) for word in line[40:].split()] for line in said[1:]}
    assert list(weights) == ["page, drawn", "pictures", "read out", "copied", "page, MathML", "MathML"]
    assert weights["page, drawn"][0] > sum(weights[part][0] for part in ("pictures", "read out", "copied"))
    assert weights["pictures"][0] > weights["MathML"][0] > weights["copied"][0] > 0
    assert all(weights[part][2] == round(weights[part][0] / 3) for part in ("pictures", "read out", "copied", "MathML"))
