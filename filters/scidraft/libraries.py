"""The system libraries WeasyPrint draws text with: whether they are there, and how to get them.

`python -m scidraft.libraries --install` is the set-up's step: it installs what is missing where it may, else tells the command.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys

#: What WeasyPrint opens at its first import on Linux, and the Debian package of each. Without harfbuzz-subset a PDF is
#: made too, but its fonts are cut down by another program and its bytes differ from machine to machine.
_LIBRARIES = {
    "libpango-1.0.so.0": "libpango-1.0-0",
    "libpangoft2-1.0.so.0": "libpangoft2-1.0-0",
    "libharfbuzz-subset.so.0": "libharfbuzz-subset0",
}


def missing() -> list[str]:
    """The libraries that cannot be loaded, by their Debian packages' names; on other systems, Pango and HarfBuzz as a whole."""
    if sys.platform.startswith("linux"):
        return [package for library, package in _LIBRARIES.items() if not _loads(library)]
    try:
        import weasyprint  # noqa: F401
    except OSError:
        return ["pango"]
    return []


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def command() -> str:
    """The command that installs the libraries, in one line."""
    if sys.platform == "darwin":
        return "brew install pango"
    sudo = "" if sys.platform.startswith("linux") and os.geteuid() == 0 else "sudo "
    return f"{sudo}apt-get install -y --no-install-recommends {' '.join(_LIBRARIES.values())}"


def _install() -> None:
    if sys.platform.startswith("linux") and os.geteuid() == 0 and shutil.which("apt-get"):
        print("Installing WeasyPrint's libraries (once) …", flush=True)
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for words in (["update"], ["install", "-y", "--no-install-recommends", *_LIBRARIES.values()]):
            done = subprocess.run(["apt-get", "-qq", *words], env=environment, capture_output=True, text=True, check=False)
            if done.returncode:
                print(done.stderr.strip(), file=sys.stderr)


def main() -> int:
    """Report what is missing, after trying to install it if `--install` is given; returns the exit code."""
    if missing() and "--install" in sys.argv[1:]:
        _install()
    absent = missing()
    if absent:
        print(f"scidraft: PDF needs {', '.join(absent)}: {command()}", file=sys.stderr)
    return 1 if absent else 0


if __name__ == "__main__":
    sys.exit(main())
