"""What all tests share: the --accept option, the printed notes, and no skipping where the suite has to be complete."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest

from golden_cases import TESTS
from scidraft.build import Tally, build
from scidraft.note import Task


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--accept", action="store_true", help="take what the golden cases give now as what they should give")


@pytest.fixture(scope="session")
def printed_notes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Tally]:
    """The folder with the PDFs of all notes, printed once, and what was counted on the way."""
    folder = tmp_path_factory.mktemp("print")
    return folder, build(sorted((TESTS.parent / "notes").glob("*.md")), Task(folder, ("pdf",)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Under CI=1 a skipped test is a failed one: something that should be tested is not."""
    report = yield
    if report.skipped and os.environ.get("CI"):
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped: {report.longrepr}"
    return report
