"""Sets a LaTeX file with a TeX engine of the system, through latexmk: the whole PDF, or an error in the author's terms."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scidraft import messages, texlog
from scidraft.files import digest
from scidraft.messages import Messages

#: latexmk's option for each engine, and the Debian packages that bring the engine and the styles our LaTeX loads.
_OPTIONS = {"pdflatex": "-pdf", "xelatex": "-pdfxe", "lualatex": "-pdflua"}
_STYLES = ("latexmk", "lmodern", "texlive-latex-recommended", "texlive-latex-extra", "texlive-science")
_PACKAGES = {"pdflatex": _STYLES, "xelatex": (*_STYLES, "texlive-xetex"), "lualatex": (*_STYLES, "texlive-luatex")}
ENGINES = tuple(_OPTIONS)

#: A note that takes longer has run into a loop. The first run of lualatex alone lists the system's fonts, for a minute or two.
SECONDS = 300
_NAME = "note"


@dataclass(frozen=True)
class Typeset:
    """What LaTeX made of a file: the PDF, and the .aux file with the numbers it counted."""

    pdf: bytes
    aux: str


def missing(engine: str) -> str:
    """The command that installs what `engine` needs, in one line; "" when it is there."""
    if shutil.which(engine) and shutil.which("latexmk"):
        return ""
    if sys.platform == "darwin":
        return "brew install --cask mactex-no-gui"
    sudo = "" if sys.platform.startswith("linux") and os.geteuid() == 0 else "sudo "
    return f"{sudo}apt-get install -y --no-install-recommends {' '.join(_PACKAGES[engine])}"


def typeset(tex: bytes, engine: str, note: Path, media: Path, report: Messages, *, seconds: int = SECONDS) -> Typeset | None:
    """Set the LaTeX file `tex` of `note`; `media` is the folder of pictures that it names by the folder's last name.

    None when LaTeX stops at an error, lacks a letter, or meets a label it does not know, which then is in `report`. With
    SOURCE_DATE_EPOCH in the environment the same file gives the same bytes. Raises OSError.
    """
    install = missing(engine)
    if install:
        report.add(messages.latex.no_engine(engine, install))
        return None
    with tempfile.TemporaryDirectory(prefix="scidraft-") as name:
        folder = Path(name)
        (folder / f"{_NAME}.tex").write_bytes(_identified(tex) if engine == "lualatex" else tex)
        if media.is_dir():
            (folder / media.name).symlink_to(media.resolve())
        code, said = _latexmk(engine, folder, _environment(note.parent.resolve(), media.parent.resolve()), seconds)
        if code is None:
            report.add(messages.latex.latex_too_long(engine, seconds))
            return None
        log = _text(folder / f"{_NAME}.log")
        source = note.read_text(encoding="utf-8", errors="replace") if note.is_file() else ""
        faults = texlog.faults(log, tex.decode(errors="replace"), source, f"{_NAME}.tex", engine)
        printed = folder / f"{_NAME}.pdf"
        if not faults and (code or not printed.is_file()):
            faults = [messages.latex.latex_failed(engine, _last_line(said))]
        report.extend(faults)
        return None if faults else Typeset(printed.read_bytes(), _text(folder / f"{_NAME}.aux"))


def _identified(tex: bytes) -> bytes:
    """The file with its PDF identifier set; LuaTeX would make one from the folder's name, which is another each time.

    On the first line, so that the lines keep their numbers.
    """
    name = digest(tex).upper()
    return f"\\pdfvariable trailerid {{[<{name}> <{name}>]}}".encode() + tex


def _environment(*folders: Path) -> Mapping[str, str]:
    """Where TeX looks for what the note inputs, and how it writes its log: long lines, which can be read by a program."""
    places = os.pathsep.join(["", *map(str, folders), os.environ.get("TEXINPUTS", "")])
    lines = {"max_print_line": "100000", "error_line": "254", "half_error_line": "238"}
    # With the first alone, \today would still be the day of the run.
    date = {"FORCE_SOURCE_DATE": "1"} if "SOURCE_DATE_EPOCH" in os.environ else {}
    return {**os.environ, **lines, **date, "TEXINPUTS": f".{places}"}


def _latexmk(engine: str, folder: Path, environment: Mapping[str, str], seconds: int) -> tuple[int | None, str]:
    """Run latexmk, without the user's settings and without commands called from TeX; None as exit code means out of time."""
    options = ["-norc", _OPTIONS[engine], "-interaction=nonstopmode", "-halt-on-error", "-file-line-error"]
    command = ["latexmk", *options, "-latexoption=-no-shell-escape", f"{_NAME}.tex"]
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        # Its engines are its children, and end with it.
        start_new_session=True,
    ) as process:
        try:
            said, _ = process.communicate(timeout=seconds)
        except BaseException as reason:
            os.killpg(process.pid, signal.SIGKILL)
            if isinstance(reason, subprocess.TimeoutExpired):
                return None, ""
            raise
    return process.returncode, said.decode(errors="replace")


def _last_line(said: str) -> str:
    """What latexmk or the program that wrote the PDF said last, beside what latexmk says of every failure."""
    usual = ("Latexmk:", "  ", "Rc files", "------", "Collected error", "If ", "(")
    lines = [line.strip() for line in said.splitlines() if line.strip() and not line.startswith(usual)]
    return lines[-1] if lines else "no reason given"


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
