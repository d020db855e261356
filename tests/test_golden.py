"""Every golden case gives what its folder says: the page, the LaTeX and the warnings, no more and no less.

`pytest tests/test_golden.py --accept` rewrites what is expected; read the difference before you commit it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import golden_cases
from golden_cases import CASES, GOLDEN
from scidraft import document, pipeline, render

#: Cases that also go through the real `pandoc --filter`, for what cannot be seen in this process: the filter's place among
#: pandoc's own, its messages on standard error, being called twice.
END_TO_END = ("statement", "reference-mixed-with-citation", "reference-after-citeproc", "filter-twice", "reference-unknown")


@pytest.fixture(name="accept")
def _accept(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--accept"))


def _compare(path: Path, given: str, accept: bool) -> None:
    if accept:
        if given:
            path.write_text(given, encoding="utf-8")
        else:
            path.unlink(missing_ok=True)
    expected = path.read_text(encoding="utf-8") if path.exists() else ""
    assert given == expected, f"{path.relative_to(GOLDEN)} differs; if the new one is right: make accept"


@pytest.mark.parametrize("case", CASES)
def test_case(case: str, accept: bool) -> None:
    html = golden_cases.run(case, "html5", f"--template={GOLDEN / 'template.html'}", "--mathjax")
    latex = golden_cases.run(case, "latex", f"--template={GOLDEN / 'template.latex'}")
    _compare(GOLDEN / case / "expected.html", html.text, accept)
    _compare(GOLDEN / case / "expected.tex", latex.text, accept)
    _compare(GOLDEN / case / "expected.warnings", golden_cases.message_lines(html.said, latex.said), accept)


@pytest.mark.parametrize("writer", ["html5", "latex"])
@pytest.mark.parametrize("case", END_TO_END)
def test_filter_called_by_pandoc_gives_the_same(case: str, writer: str) -> None:
    template = GOLDEN / f"template.{writer.removesuffix('5')}"
    options = (f"--template={template}", *(["--mathjax"] if writer == "html5" else []))
    output, said = golden_cases.run_through_pandoc(case, writer, *options)
    expected = golden_cases.run(case, writer, *options)
    assert output == expected.text
    assert said == expected.said


@pytest.mark.parametrize("case", CASES)
def test_one_reading_serves_several_targets(case: str) -> None:
    """The batch builder does the common passes once and copies the draft for each target; a filter starts anew."""
    source, _ = golden_cases.pandoc(GOLDEN / case, ["input.md", "-t", "json"], b"")
    common = pipeline.run_common(pipeline.prepare(document.load(source)))
    for target in ("html5", "latex"):
        copy = common.for_target(target)
        render.run(copy)
        pipeline.mark_applied(copy, ["statements"])
        alone = pipeline.run(pipeline.prepare(document.load(source, target)), ["statements"])
        assert document.dump(copy.doc) == document.dump(alone.doc)
