"""The commands: what they print, what they return, and that no author ever sees a traceback."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scidraft import __version__, cli, libraries, pipeline
from scidraft.paths import pandoc

ROOT = Path(__file__).resolve().parent.parent
THEOREM = '::: {.theorem #thm-a title="Euler"}\nIt is so.\n:::\n\nBy @thm-a it is.\n'
UNKNOWN = "See @thm-nowhere.\n"


def as_json(markdown: str) -> bytes:
    return subprocess.run(
        [pandoc(), "-f", "markdown", "-t", "json"], input=markdown.encode(), capture_output=True, check=True
    ).stdout


def call(words: list[str], given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-m", "scidraft", *words], input=given, capture_output=True, check=False)


class Stdin:
    def __init__(self, content: bytes) -> None:
        self.buffer = io.BytesIO(content)

    def isatty(self) -> bool:
        return False


# The commands


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"scidraft {__version__}\n"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["build"], "NOTE.md"),
        (["build", "--to", "docx", "a.md"], "the formats are html, pdf, latex, not docx"),
        (["build", "--jobs", "some", "a.md"], "some is not a number of notes"),
        (["note.md"], "invalid choice"),
        (["note.md", "other.md"], "invalid choice"),
    ],
)
def test_wrong_usage_is_told_and_returns_2(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(words)
    assert end.value.code == 2
    assert told in capsys.readouterr().err


def test_two_notes_of_one_name_would_overwrite_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "note.md").write_text("Text.\n")
    notes = [str(tmp_path / folder / "note.md") for folder in ("a", "b")]
    assert cli.main(["build", "-o", str(tmp_path / "build"), *notes]) == 2
    assert "rename one" in capsys.readouterr().err
    assert not (tmp_path / "build").exists()


def test_an_output_folder_that_cannot_be_made_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "build").write_text("a file")
    (tmp_path / "note.md").write_text("Text.\n")
    assert cli.main(["build", "-o", str(tmp_path / "build"), str(tmp_path / "note.md")]) == 1
    assert capsys.readouterr().err.splitlines()[-1].startswith("scidraft: error: ")


def test_check_lists_messages_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("good.md").write_text(THEOREM)
    Path("bad.md").write_text(UNKNOWN + "\n![A picture](nowhere.png)\n")
    assert cli.main(["check", "good.md", "bad.md"]) == 0
    told = capsys.readouterr()
    assert [line[: line.index(":", 24)] for line in told.err.splitlines()] == ["scidraft: bad.md: warning"] * 2
    assert "`thm-nowhere`" in told.err
    assert "`nowhere.png`" in told.err
    assert told.out == "scidraft: 2 notes checked, 2 messages\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.md", "good.md"]
    assert cli.main(["check", "--strict", "good.md", "bad.md"]) == 1
    assert cli.main(["check", "--strict", "good.md"]) == 0


# The filters


def test_called_by_pandoc_it_is_a_filter() -> None:
    done = call(["html5"], as_json(THEOREM))
    assert (done.returncode, done.stderr) == (0, b"")
    html = subprocess.run(
        [pandoc(), "-f", "json", "-t", "html"], input=done.stdout, capture_output=True, check=True
    ).stdout.decode()
    assert 'id="thm-a" class="statement theorem plain"' in html
    assert '<a href="#thm-a" class="ref">' in html


def test_the_filter_tells_on_standard_error_and_fails_only_when_strict() -> None:
    done = call(["latex"], as_json(UNKNOWN))
    assert done.returncode == 0
    assert done.stderr.decode().startswith("scidraft: warning: reference to `thm-nowhere`")
    assert json.loads(done.stdout)["blocks"]
    strict = call(["latex"], as_json("---\nscidraft: {strict: true}\n---\n\n" + UNKNOWN))
    assert strict.returncode == 1
    assert strict.stderr == done.stderr
    assert json.loads(strict.stdout)["blocks"], "the document is written all the same"


@pytest.mark.parametrize("given", [b"", b"# Markdown", b"{}", b"[1, 2]", b"\xff\xfe"])
def test_what_is_no_document_is_told_in_one_line(given: bytes) -> None:
    done = call(["html"], given)
    assert done.returncode == 2
    assert done.stdout == b""
    assert len(done.stderr.splitlines()) == 1


def test_each_filter_command_does_its_own_part(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    for command, name in [
        (cli.statements_filter, "statements"),
        (cli.math_filter, "math"),
        (cli.diagrams_filter, "diagrams"),
    ]:
        monkeypatch.setattr(sys, "argv", ["scidraft-filter", "html"])
        monkeypatch.setattr(sys, "stdin", Stdin(as_json("Text.\n")))
        assert command() == 0
        assert json.loads(capfdbinary.readouterr().out)["meta"]["scidraft-applied"]["c"] == name


def test_a_fault_of_ours_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fail(*_: object) -> None:
        raise KeyError("of ours")

    monkeypatch.setattr(pipeline, "run", fail)
    document = as_json("Text.\n")
    for debug, lines in (("", 1), ("1", 5)):
        monkeypatch.setenv("SCIDRAFT_DEBUG", debug)
        monkeypatch.setattr(sys, "stdin", Stdin(document))
        assert cli.main(["html"]) == 70
        told = capsys.readouterr().err
        assert told.splitlines()[-1].startswith("scidraft: error: this is a fault in scidraft (KeyError: 'of ours')")
        assert (len(told.splitlines()) == 1) if lines == 1 else "Traceback" in told


# Set-up


def test_missing_libraries_are_told_with_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(libraries, "_LIBRARIES", {"libnowhere.so.0": "libnowhere0"})
    monkeypatch.setattr(sys, "argv", ["libraries"])
    monkeypatch.setattr(sys, "platform", "linux")
    for user, sudo in ((0, ""), (1000, "sudo ")):
        monkeypatch.setattr(os, "geteuid", lambda user=user: user)
        assert libraries.main() == 1
        command = f"{sudo}apt-get install -y --no-install-recommends libnowhere0"
        assert capsys.readouterr().err == f"scidraft: PDF needs libnowhere0: {command}\n"


def test_libraries_are_here() -> None:
    assert libraries.missing() == []


def test_without_npm_the_set_up_says_what_to_install(tmp_path: Path) -> None:
    for name in ("tools/assets.py", "tools/assets.txt", "package-lock.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    words = [sys.executable, str(tmp_path / "tools" / "assets.py")]
    done = subprocess.run(words, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "templates/assets: npm is missing; on Debian and Ubuntu: apt-get install --no-install-recommends npm"
    ]


def test_the_assets_are_those_of_the_list() -> None:
    lines = [
        line.split() for line in (ROOT / "tools" / "assets.txt").read_text().splitlines() if line and not line.startswith("#")
    ]
    assert len({tuple(line) for line in lines}) == len(lines)
    packages = json.loads((ROOT / "package.json").read_text())["dependencies"]
    used = {"/".join(source.split("/")[: 2 if source.startswith("@") else 1]) for source, _ in lines}
    assert used == packages.keys()
    # MathJax's fonts are under MathJax's licence; each of the others brings its own along.
    assert sum("LICENSE" in source + target for source, target in lines) == len(
        [name for name in packages if "mathjax-" not in name]
    )


# make


def make(*goals: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name != "MFLAGS"}
    words = ["make", "--dry-run", "--always-make", "--no-print-directory", *goals]
    return subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize(
    ("goals", "formats"),
    [(["html"], "html"), (["html", "pdf"], "html,pdf"), (["latex", "html", "-j2"], "html,latex"), (["all"], "html,pdf,latex")],
)
def test_make_builds_all_formats_in_one_process(goals: list[str], formats: str) -> None:
    builds = [line for line in make(*goals).splitlines() if "scidraft build" in line]
    assert len(builds) == 1
    assert set(re.findall(r"--to (\S+)", builds[0])[0].split(",")) == set(formats.split(","))
    assert len(re.findall(r"notes/\S+\.md", builds[0])) == len(list((ROOT / "notes").glob("*.md")))


def test_make_builds_one_note() -> None:
    builds = [line for line in make("build/woodbury.pdf", "build/woodbury.tex").splitlines() if "scidraft build" in line]
    assert [line.split("--to ")[1] for line in builds] == ["pdf notes/woodbury.md", "latex notes/woodbury.md"]


def test_make_help_names_every_target() -> None:
    goals = ["html", "pdf", "latex", "all", "check", "test", "accept", "lint", "dist", "lock", "clean", "distclean"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    told = subprocess.run(["make", "help"], cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout
    assert [goal for goal in goals if f"  make {goal} " not in told] == []
