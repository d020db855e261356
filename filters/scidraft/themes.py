"""The themes a note may be set in: data that names what differs from an article."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from scidraft import messages
from scidraft.messages import Messages
from scidraft.tables import table

ARTICLE = "article"


@dataclass(frozen=True)
class Theme:
    """A look for the whole note: whether notes stand beside the text, and what it makes of the styles of statements."""

    name: str = ARTICLE
    side_notes: bool = False
    styles: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def with_styles(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The styles of the theme with those the author `given` on top, key by key."""
        merged: dict[str, Any] = {name: dict(entry) for name, entry in self.styles.items()}
        for name, entry in given.items():
            merged[name] = {**merged[name], **entry} if name in merged and isinstance(entry, dict) else entry
        return merged


@lru_cache
def shipped_themes() -> Mapping[str, Theme]:
    """The themes there are, by name."""
    return {
        name: Theme(name, bool(entry.get("side-notes")), entry.get("styles", {})) for name, entry in table("themes.yaml").items()
    }


def read_theme(given: object, report: Messages) -> Theme:
    """The theme a note asks for; another word is told to `report`."""
    themes = shipped_themes()
    name = str(given or ARTICLE).strip().lower()
    if name not in themes:
        report.add(messages.settings.bad_value("scidraft: theme", given, "one of " + ", ".join(themes)))
        name = ARTICLE
    return themes[name]
