"""Reads the tables that ship with the package, each once a process."""

from __future__ import annotations

from functools import cache
from typing import Any

import yaml

from scidraft.paths import DATA

#: libyaml's loader reads a table in a twentieth of the time; PyYAML has it in all its wheels.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def table(name: str) -> dict[str, Any]:
    """The table `name`, a path below data/ such as "kinds.yaml". Nobody may change what it returns."""
    found: dict[str, Any] = yaml.load((DATA / name).read_text(encoding="utf-8"), Loader=_LOADER)
    return found
