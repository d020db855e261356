"""Makes templates/assets, the JavaScript and fonts that git does not keep, from the npm packages of package-lock.json.

`make` and the Python build hook both come here. tools/assets.txt lists the files.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "tools" / "assets.txt"
LOCK = ROOT / "package-lock.json"
MODULES = ROOT / "node_modules"
ASSETS = ROOT / "templates" / "assets"
#: Written last; holds the fingerprint of the two files that decide what the assets are.
STAMP = ASSETS / ".made"


def fingerprint() -> str:
    """The hash of the list and the lock file: other assets, other fingerprint."""
    return hashlib.sha256(LIST.read_bytes() + LOCK.read_bytes()).hexdigest() + "\n"


def up_to_date() -> bool:
    """Whether the assets are there and were made from the present list and lock file."""
    return STAMP.is_file() and STAMP.read_text(encoding="utf-8") == fingerprint()


def wanted() -> dict[Path, Path]:
    """Each file to make under templates/assets, with the file of node_modules it is a copy of.

    Raises FileNotFoundError for a line of the list that no package has.
    """
    files: dict[Path, Path] = {}
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        pattern, target = line.split()
        sources = sorted(MODULES.glob(pattern))
        if not sources:
            raise FileNotFoundError(f"tools/assets.txt: no package has {pattern}")
        for source in sources:
            files[ASSETS / target / source.name if target.endswith("/") else ASSETS / target] = source
    return files


def make() -> None:
    """Fetch the packages and copy the files; does nothing when they are up to date.

    Raises FileNotFoundError when npm or a listed file is missing, ChildProcessError when npm fails.
    """
    if up_to_date():
        return
    npm = shutil.which("npm")
    if npm is None:
        raise FileNotFoundError("npm is missing; on Debian and Ubuntu: apt-get install --no-install-recommends npm")
    # No package may run code here: they are only files to us.
    done = subprocess.run([npm, "ci", "--ignore-scripts"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ChildProcessError(f"npm ci failed:\n{done.stderr}")
    files = wanted()
    for target, source in files.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    for left_over in {path for path in ASSETS.rglob("*") if path.is_file()} - files.keys():
        left_over.unlink()
    STAMP.write_text(fingerprint(), encoding="utf-8")


if __name__ == "__main__":
    try:
        make()
        STAMP.touch()
    except OSError as error:
        sys.exit(f"templates/assets: {error}")
