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
from html.parser import HTMLParser
from pathlib import Path

import pytest

import golden_cases
from golden_cases import CASES, GOLDEN
from scidraft.catalogue import Item, Section
from scidraft.draft import Draft
from scidraft.formats.spelling import label

#: What sets a case, unless its defaults name another `pdf-engine`.
ENGINE = "pdflatex"

#: Languages whose letters are in no font that every TeX Live has; the numbers are right all the same.
NO_FONT = {"language-chinese", "language-japanese", "language-russian"}

#: Warnings of LaTeX that mean a wrong page.
_BAD = re.compile(
    r"^.*(?:undefined references|multiply.defined|Missing character|Token not allowed|Reference .* undefined|Rerun to get).*$",
    re.MULTILINE,
)


@dataclass
class Compiled:
    """What LaTeX made of a case: its numbers by label, its complaints, and the draft the file was written from."""

    numbers: dict[str, str]
    error: str
    warnings: list[str]
    draft: Draft


@pytest.fixture(scope="module")
def compiled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Future[Compiled]]]:
    """The selected cases, compiled two at a time while the tests wait for them in order."""
    here = [item for item in request.session.items if item.path == request.path and isinstance(item, pytest.Function)]
    cases = list(dict.fromkeys(item.callspec.params["case"] for item in here if "case" in getattr(item, "callspec").params))
    folder = tmp_path_factory.mktemp("latex")
    with ThreadPoolExecutor(2) as pool:
        yield {case: pool.submit(_compile, case, folder) for case in cases}


def _compile(case: str, folder: Path) -> Compiled:
    result = golden_cases.run(case, "latex", "--standalone")
    source = folder / f"{case}.tex"
    source.write_bytes(result.output)
    engine = golden_cases.defaults(case).get("pdf-engine", ENGINE)
    draft_mode = "--draftmode" if engine == "lualatex" else "-no-pdf" if engine == "xelatex" else "-draftmode"
    command = [engine, draft_mode, "-interaction=nonstopmode", "-halt-on-error", f"-output-directory={folder}", str(source)]
    # In the case's folder, where its pictures are; the folder of all cases has what not every TeX Live has.
    environment = {**os.environ, "TEXINPUTS": f".:{GOLDEN}:"}
    for _ in range(2):
        run = subprocess.run(command, cwd=GOLDEN / case, env=environment, capture_output=True, check=False)
    log = (folder / f"{case}.log").read_text(encoding="utf-8", errors="replace")
    error = "\n".join(line for line in log.splitlines() if line.startswith(("!", "l."))) if run.returncode else ""
    warnings = [line for line in _BAD.findall(log) if not (case in NO_FONT and "Missing character" in line)]
    aux = folder / f"{case}.aux"
    return Compiled(_numbers(aux.read_text(encoding="utf-8") if aux.exists() else ""), error, warnings, result.draft)


def _numbers(aux: str) -> dict[str, str]:
    r"""The printed number of each `\newlabel{key}{{number}{page}…}`."""
    numbers: dict[str, str] = {}
    for match in re.finditer(r"^\\newlabel\{(?P<key>[^{}]*)\}\{\{", aux, re.MULTILINE):
        depth, end = 1, match.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(aux[end], 0)
            end += 1
        numbers[match["key"]] = _plain(aux[match.end() : end - 1])
    return numbers


def _plain(tex: str) -> str:
    """A number without the braces and commands LaTeX may have put round it."""
    tex = re.sub(r"\\\(|\\\)", "$", tex)
    return re.sub(r"\\ignorespaces\s*|\\(?=[&_%#$])|[{}]|(?<=[A-Za-z]) (?=\$)", "", tex).strip()


class _Page(HTMLParser):
    """The numbers a reader of the page sees, by the id of what they belong to."""

    NUMBERS = ("statement-number", "equation-number", "header-section-number", "caption-label")

    def __init__(self) -> None:
        super().__init__()
        self.numbers: dict[str, str] = {}
        self.open: list[tuple[str, str, str]] = []  # tag, id, class of a number

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        classes = (values.get("class") or "").split()
        number = next((name for name in self.NUMBERS if name in classes), "")
        identifier = values.get("id") or ""
        # The ids of heads belong to their statements.
        identifier = "" if "statement-head" in classes else identifier
        if tag not in ("img", "br", "hr", "wbr"):
            self.open.append((tag, identifier, number))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if any(number for _, _, number in self.open):
            owner = next((identifier for _, identifier, _ in reversed(self.open) if identifier), "")
            self.numbers[owner] = self.numbers.get(owner, "") + data


def _page_numbers(case: str) -> dict[str, str]:
    page = _Page()
    page.feed((GOLDEN / case / "expected.html").read_text(encoding="utf-8"))
    # "Figure 1.2." and "(3)" as 1.2 and 3.
    return {
        key: re.sub(r"^.*\u00a0|\.$", "", text).strip().removeprefix("(").removesuffix(")") for key, text in page.numbers.items()
    }


@pytest.mark.parametrize("case", CASES)
def test_latex_compiles_without_complaint(case: str, compiled: dict[str, Future[Compiled]]) -> None:
    result = compiled[case].result()
    assert not result.error
    assert not result.warnings


@pytest.mark.parametrize("case", CASES)
def test_latex_counts_as_the_page_does(case: str, compiled: dict[str, Future[Compiled]]) -> None:
    result = compiled[case].result()
    page = _page_numbers(case)
    targets = result.draft.catalogue.targets
    # An item is told by the number of its statement, which is compared, and the mark it has in its list.
    wanted = {key: target.number for key, target in targets.items() if target.number is not None and not isinstance(target, Item)}
    in_latex = {key: result.numbers.get(label(key)) for key in wanted}
    assert in_latex == wanted
    assert {key: page[key] for key in wanted if key in page} == {key: number for key, number in wanted.items() if key in page}


@pytest.mark.parametrize("case", CASES)
def test_every_label_is_there_and_none_is_left_over(case: str, compiled: dict[str, Future[Compiled]]) -> None:
    result = compiled[case].result()
    catalogue = result.draft.catalogue
    # pandoc labels headings, and whatever else has an id.
    numbered = {label(key) for key, target in catalogue.targets.items() if not isinstance(target, Section)}
    assert numbered <= result.numbers.keys()
