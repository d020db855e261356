"""Where scidraft's templates, data and pandoc are, in a wheel and in a checkout."""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent

#: The tables that ship with the package: kinds, and the words of each language.
DATA = _PACKAGE / "data"

#: pandoc templates, style sheets and the LaTeX style. A wheel has them inside the package, a checkout beside filters/.
TEMPLATES = next(
    (home / "templates" for home in (_PACKAGE, _PACKAGE.parent.parent) if (home / "templates").is_dir()),
    _PACKAGE / "templates",
)

#: JavaScript and fonts, which git does not keep: tools/assets.py makes them.
ASSETS = TEMPLATES / "assets"


@cache
def pandoc() -> str:
    """The pandoc program: the one $PANDOC names, else the one of the pypandoc_binary wheel, else the PATH's.

    The wheel's comes before the PATH's because a distribution's pandoc is often years older than what we are tested with.
    Raises FileNotFoundError when there is none.
    """
    chosen = os.environ.get("PANDOC")
    if chosen:
        return chosen
    # The package itself is not imported: it looks for pandoc in the network's and the system's places, which takes long.
    from importlib.util import find_spec

    spec = find_spec("pypandoc")
    if spec is not None and spec.origin is not None:
        shipped = Path(spec.origin).parent / "files" / "pandoc"
        if shipped.is_file():
            return str(shipped)
    found = shutil.which("pandoc")
    if found is None:
        raise FileNotFoundError("pandoc is not installed: pip install pypandoc_binary brings it")
    return found
