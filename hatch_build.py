"""The build hook: brings templates/assets before a wheel, an sdist or an editable install is made."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class AssetsHook(BuildHookInterface[Any]):
    """Runs tools/assets.py, which does nothing when the assets are there."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it collects files; `version` is "standard" or "editable"."""
        sys.path.insert(0, str(Path(self.root) / "tools"))
        try:
            import assets
        finally:
            sys.path.pop(0)
        assets.make()
