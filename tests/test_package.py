"""The package: what a wheel carries, that it works where there is no checkout, and what the lock files say."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from scidraft import __version__
from scidraft.paths import ASSETS

ROOT = Path(__file__).resolve().parent.parent
NOTE = """---
title: A note
author: A. N. Author
---

::: {.theorem #thm-a title="Euler"}
For all $x$, $$e^{ix} = \\cos x + i \\sin x.$$ {#eq-a}
:::

By @thm-a and @eq-a.

```mermaid
flowchart LR
  A --> B
```
"""


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist made of this checkout, and the wheel made of that sdist."""
    folder = tmp_path_factory.mktemp("dist")
    run([sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)], folder)
    return folder


@pytest.fixture(scope="module")
def installed(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of a new virtual environment that has the wheel and what it asks for, nothing else."""
    home = tmp_path_factory.mktemp("elsewhere")
    venv.create(home / "venv", with_pip=True)
    # The versions are those of the lock file, so that this test does not depend on what was published today.
    pins = re.findall(r"^\S+==\S+(?: ;.*?)?(?= \\$)", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    pins = [re.sub(r"\[.*?\]", "", pin) for pin in pins]  # constraints have no extras
    (home / "pins.txt").write_text("\n".join(pins))
    wheel = next(dist.glob("*.whl"))
    run([str(home / "venv/bin/python"), "-m", "pip", "install", "--quiet", "-c", str(home / "pins.txt"), str(wheel)], home)
    return home / "venv" / "bin"


def run(words: list[str], folder: Path) -> str:
    """Run a command that knows nothing of this checkout; returns its output, fails with all that it said."""
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PANDOC", "VIRTUAL_ENV")}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_wheel_carries_templates_data_and_assets(dist: Path) -> None:
    with zipfile.ZipFile(next(dist.glob("*.whl"))) as wheel:
        names = set(wheel.namelist())
    assert {
        "scidraft/cli.py",
        "scidraft/py.typed",
        "scidraft/data/kinds.yaml",
        "scidraft/data/names/en.yaml",
        "scidraft/engines/mathjax.js",
        "scidraft/templates/scidraft.html",
        "scidraft/templates/scidraft-print.html",
        "scidraft/templates/scidraft.latex",
    } <= names
    carried = {name.removeprefix("scidraft/templates/assets/") for name in names if name.startswith("scidraft/templates/assets/")}
    assert carried == {path.relative_to(ASSETS).as_posix() for path in ASSETS.rglob("*") if path.is_file()}
    assert {name.split("/")[0] for name in names} == {"scidraft", f"scidraft-{__version__}.dist-info"}
    assert [name for name in names if "cache" in name.lower() and not name.endswith("cache.py")] == []


def test_the_sdist_carries_what_is_needed_to_work_on_it(dist: Path) -> None:
    with tarfile.open(next(dist.glob("*.tar.gz"))) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    wanted = {"Makefile", "requirements-dev.lock", "package-lock.json", "tools/assets.py", "tests/test_package.py", "LICENSE"}
    assert wanted <= names


@pytest.mark.parametrize(
    ("ending", "reader", "expected"),
    [
        ("html", "html", "Theorem 1 (Euler)."),
        ("tex", "latex", "By Theorem"),
        ("docx", "docx", "Theorem 1 (Euler)."),
        ("epub", "epub", "Theorem 1 (Euler)."),
    ],
)
def test_the_filter_works_without_a_checkout(installed: Path, tmp_path: Path, ending: str, reader: str, expected: str) -> None:
    pandoc = str(next(installed.parent.glob("lib/python*/site-packages/pypandoc/files/pandoc")))
    (tmp_path / "note.md").write_text(NOTE)
    output = f"note.{ending}"
    # Warnings of pandoc are about formulas that this writer cannot typeset without an option; there are none of ours.
    told = run([pandoc, "--filter", str(installed / "scidraft-statements"), "note.md", "-s", "-o", output], tmp_path)
    assert "scidraft" not in told
    assert expected in run([pandoc, "-f", reader, "-t", "plain", "--wrap=none", output], tmp_path).replace("\u00a0", " ")
    if ending == "tex":
        source = (tmp_path / output).read_text()
        assert "\\newtheorem{theorem}" in source
        assert "\\begin{theorem}[{Euler}]" in source


def test_the_command_works_without_a_checkout(installed: Path, tmp_path: Path) -> None:
    assert run([str(installed / "scidraft"), "--version"], tmp_path) == f"scidraft {__version__}\n"
    (tmp_path / "note.md").write_text(NOTE)
    told = run([str(installed / "scidraft"), "build", "--strict", "--to", "html,pdf,latex", "note.md"], tmp_path)
    assert told == "scidraft: 1 note, 3 files written to build\n"
    html = (tmp_path / "build" / "note.html").read_text()
    assert html.count("<svg") == 3, "two formulas and a diagram"
    assert (tmp_path / "build" / "note.pdf").read_bytes().startswith(b"%PDF-")
    assert list((tmp_path / "build" / "assets" / "fonts").glob("*.woff2"))


# The lock files


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock", "package-lock.json"])
def test_lock_files_carry_no_addresses(name: str) -> None:
    assert re.findall(r"\w+://\S+|--(?:extra-)?index-url|--find-links", (ROOT / name).read_text()) == []


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_every_requirement_is_exact_and_hashed(name: str) -> None:
    for entry in re.split(r"\n(?=\S)", (ROOT / name).read_text()):
        if not entry.startswith("#"):
            assert re.match(r"[a-z0-9-]+(\[[a-z,]+\])?==\S+( ;.*)? \\\n +--hash=sha256:[0-9a-f]{64}", entry), entry


def test_the_development_lock_agrees_with_the_other() -> None:
    runtime, development = (
        set(re.findall(r"^\S+==\S+(?= )", (ROOT / name).read_text(), re.MULTILINE))
        for name in ("requirements.lock", "requirements-dev.lock")
    )
    assert runtime <= development


def test_exact_requirements_are_those_of_the_lock() -> None:
    exact = re.findall(r'"([\w-]+)==([\d.]+)"', (ROOT / "pyproject.toml").read_text())
    assert len(exact) == 4
    lock = (ROOT / "requirements.lock").read_text()
    assert [pin for pin in exact if f"{pin[0].replace('_', '-')}=={pin[1]} " not in lock] == []


def test_npm_packages_are_exact_and_hashed() -> None:
    asked = json.loads((ROOT / "package.json").read_text())["dependencies"]
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    locked = {path.removeprefix("node_modules/"): entry for path, entry in packages.items() if path}
    assert {name: entry["version"] for name, entry in locked.items()} == asked
    assert all(entry["integrity"].startswith("sha512-") for entry in locked.values())
