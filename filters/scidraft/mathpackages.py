"""Which LaTeX packages a note's formulas need, and which the note asks for."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from functools import cache
from typing import NamedTuple

import panflute as pf

from scidraft.document import walk
from scidraft.draft import Draft
from scidraft.tables import table

_LOADED = re.compile(r"\\(?:usepackage|RequirePackage)\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}")
_USED = re.compile(r"\\begin\s*\{([A-Za-z]+)\*?\}|\\([A-Za-z]+)")


class Package(NamedTuple):
    """A package: its name and options, whether notes have to ask for it, and which one it never stands beside."""

    name: str
    options: str
    asked: bool
    unless: str


def header_of(draft: Draft) -> str:
    """The TeX before the text of a note, also where another filter has read the note's settings already."""
    given = draft.doc.metadata.content.dict.get("header-includes")
    raw = [place.element for place in walk(given)] if given is not None else []
    texts = [each.text for each in raw if isinstance(each, (pf.RawBlock, pf.RawInline)) and each.format in ("tex", "latex")]
    return "\n".join([draft.settings.header, *texts])


def asked(header: str) -> frozenset[str]:
    r"""The packages that TeX before the text loads by \usepackage."""
    return frozenset(name.strip() for names in _LOADED.findall(header) for name in names.split(","))


def needed(texts: Iterable[str], own: Iterable[str], header: str) -> list[Package]:
    """The packages that `texts` use and `header` does not load; `own`: names that the note defines itself.

    A command that several packages have is that of one which the note has asked for.
    """
    found: set[Package] = set()
    loaded = asked(header)
    skipped = set(own)
    for text in texts:
        for environment, command in _USED.findall(text):
            owners = _owners().get(f"{environment}}}" if environment else command, ())
            if command not in skipped and not any(package.name in loaded for package in owners):
                found.update(package for package in owners if not package.asked and package.unless not in loaded)
    return sorted(found)


def uses(text: str, packages: Container[str]) -> bool:
    """Whether `text` has a command of those `packages` that have to be asked for."""
    commands = (command for _, command in _USED.findall(text))
    return any(package.asked and package.name in packages for command in commands for package in _owners().get(command, ()))


def package_to_ask_for(command: str) -> str:
    """The package that defines `command` (without backslash) and has to be asked for, or ""."""
    return next((package.name for package in _owners().get(command, ()) if package.asked), "")


@cache
def _owners() -> Mapping[str, list[Package]]:
    """The packages by their commands and, with a brace after the name, environments."""
    owners: dict[str, list[Package]] = {}
    for name, entry in table("mathpackages.yaml").items():
        package = Package(name, entry.get("options", ""), entry.get("asked", False), entry.get("unless", ""))
        groups = [group if isinstance(group, list) else [group] for group in entry.get("commands", ())]
        names = [command for group in groups for command in group] + [f"{one}}}" for one in entry.get("environments", ())]
        for one in names:
            owners.setdefault(one, []).append(package)
    return owners
