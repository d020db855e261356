"""LaTeX counts for itself, and comes to the same numbers as the web page: every golden case is compiled.

Each case is set with pandoc's own LaTeX template, and the numbers in LaTeX's .aux file are compared with those on the page that a
reader sees, and with the catalogue behind both.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

import golden_cases
from golden_cases import CASES, GOLDEN
from scidraft import document, pdf, pipeline, writers
from scidraft.catalogue import Section
from scidraft.draft import Draft
from scidraft.formats.spelling import label
from scidraft.messages import Messages
from scidraft.parity import IN_LATEX, differences, in_aux, in_latex, in_print, on_page
from scidraft.paths import ASSETS
from scidraft.printednumbers import Printed
from scidraft.readback import absent_from_page, labels_of_aux

#: What sets a case, unless its defaults name another `pdf-engine`.
ENGINE = "pdflatex"

#: Languages whose letters are in no font that every TeX Live has; the numbers are right all the same.
NO_FONT = {"language-chinese", "language-japanese", "language-russian"}

#: hyperref gives two things one name there, so that the second has no place of its own in the PDF.
SAME_PLACE = {
    "equation-with-label-and-tag",
}

#: Warnings of LaTeX that mean a wrong page.
_BAD = re.compile(
    r"^.*(?:undefined references|multiply.defined|Missing character|Token not allowed|Reference .* undefined|Rerun to get).*$",
    re.MULTILINE,
)


@dataclass
class Compiled:
    """What LaTeX made of a case: the file with its numbers, its complaints, and the draft the file was written from."""

    aux: str
    pdf: bytes
    error: str
    warnings: list[str]
    draft: Draft


@pytest.fixture(scope="module")
def compiled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Future[Compiled]]]:
    """The selected cases, compiled two at a time while the tests wait for them in order."""
    here = [item for item in request.session.items if item.path == request.path and isinstance(item, pytest.Function)]
    # A test's parameters are no part of pytest's documented interface, hence the two `Any`s.
    parameters: list[dict[str, Any]] = [cast(Any, item).callspec.params for item in here]
    cases: list[str] = list(dict.fromkeys(given["case"] for given in parameters))
    folder = tmp_path_factory.mktemp("latex")
    with ThreadPoolExecutor(2) as pool:
        yield {case: pool.submit(_compile, case, folder) for case in cases}


def _compile(case: str, folder: Path) -> Compiled:
    result = golden_cases.run(case, "latex", "--standalone")
    source = folder / f"{case}.tex"
    source.write_bytes(result.output)
    engine = golden_cases.defaults(case).get("pdf-engine", ENGINE)
    draft_mode = "--draftmode" if engine == "lualatex" else "-no-pdf" if engine == "xelatex" else "-draftmode"
    command = [engine, "-interaction=nonstopmode", "-halt-on-error", f"-output-directory={folder}", str(source)]
    # In the case's folder, where its pictures are; the folder of all cases has what not every TeX Live has.
    environment = {**os.environ, "TEXINPUTS": f".:{GOLDEN}:"}
    # The first run counts, the second one prints.
    for arguments in ([*command[:1], draft_mode, *command[1:]], command):
        run = subprocess.run(arguments, cwd=GOLDEN / case, env=environment, capture_output=True, check=False)
    log = (folder / f"{case}.log").read_text(encoding="utf-8", errors="replace")
    error = "\n".join(line for line in log.splitlines() if line.startswith(("!", "l."))) if run.returncode else ""
    warnings = [line for line in _BAD.findall(log) if not (case in NO_FONT and "Missing character" in line)]
    aux, pdf = folder / f"{case}.aux", folder / f"{case}.pdf"
    numbers = aux.read_text(encoding="utf-8") if aux.exists() else ""
    return Compiled(numbers, pdf.read_bytes() if pdf.exists() else b"", error, warnings, result.draft)


@pytest.mark.parametrize("case", CASES)
def test_latex_compiles_without_complaint(case: str, compiled: dict[str, Future[Compiled]]) -> None:
    result = compiled[case].result()
    assert not result.error
    assert not result.warnings


@pytest.mark.parametrize("case", CASES)
def test_latex_counts_as_the_page_does(case: str, compiled: dict[str, Future[Compiled]]) -> None:
    result = compiled[case].result()
    page = (GOLDEN / case / "expected.html").read_text(encoding="utf-8")
    readers = {"on the web page": on_page(page), IN_LATEX: in_aux(result.aux)}
    if case not in SAME_PLACE | NO_FONT:
        readers["in LaTeX's PDF"] = in_latex(Printed(result.pdf), result.aux, result.draft)
    found = differences(result.draft, readers, absent_from_page(page))
    assert [message.text for message in found] == []


@pytest.mark.parametrize("case", CASES)
def test_print_shows_what_the_note_counts(case: str) -> None:
    draft = pipeline.prepare(document.load(golden_cases.source(case), "print"))
    pipeline.run(draft, ["statements", "math"])
    said = Messages()
    assets = {"assets": ASSETS.as_uri()}
    # The template makes the title the page's one heading of the first level.
    options = ["--shift-heading-level-by=1"]
    page = writers.write(document.dump(draft.doc), "print", GOLDEN / case, said, variables=assets, options=options).decode()
    printed = Printed(pdf.write(page, GOLDEN / case, said))
    found = differences(draft, {"in print": in_print(printed, draft)}, absent_from_page(page))
    assert [message.text for message in found] == []


@pytest.mark.parametrize("case", CASES)
def test_every_label_is_there_and_none_is_left_over(case: str, compiled: dict[str, Future[Compiled]]) -> None:
    result = compiled[case].result()
    catalogue = result.draft.catalogue
    # pandoc labels headings, and whatever else has an id.
    numbered = {label(key) for key, target in catalogue.targets.items() if not isinstance(target, Section)}
    assert numbered <= labels_of_aux(result.aux).keys()
