"""Reads the styles of statements, ours and the author's, and checks them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from tinycss2.color3 import RGBA, parse_color

from scidraft import messages
from scidraft.kinds import HEAD_FONTS, Colour, Style
from scidraft.messages import Messages
from scidraft.tables import table as shipped_table

_LENGTH = re.compile(r"-?\d*\.?\d+(?:pt|em|ex|mm|cm|in)|0")
_COLOURS = ("frame", "fill", "ink")
#: How much of a colour stays on a dark page, and what it is mixed with: text gets lighter, a ground darker.
_ON_DARK = {"fill": (0.1, "#16181b"), "ink": (0.35, "#ffffff")}
_NAME = re.compile(r"[A-Za-z][\w-]*")


@lru_cache
def shipped_styles() -> Mapping[str, Style]:
    """The styles that ship with scidraft, by name."""
    report = Messages()
    return {name: _style(Style(name), entry, report) for name, entry in shipped_table("styles.yaml").items()}


def read_styles(given: Mapping[str, Any], report: Messages) -> dict[str, Style]:
    """The shipped styles with what the author wrote under `styles:`; what cannot be used is told to `report` and left out."""
    styles = dict(shipped_styles())
    for name, entry in given.items():
        if not _NAME.fullmatch(name):
            report.add(messages.settings.bad_value("styles", name, "the name of a style: letters, digits and -"))
        elif not isinstance(entry, dict):
            report.add(messages.settings.not_a_map(f"styles: {name}"))
        else:
            base = styles.get(name)
            style = _style(base or Style(name), entry, report)
            # A sign at the end is no change of what amsthm and the style sheets know.
            styles[name] = replace(style, changed=base is None or replace(style, end_mark=base.end_mark) != base)
    return styles


def _style(base: Style, entry: Mapping[str, Any], report: Messages) -> Style:
    """`base` with the values of `entry`."""
    checks: dict[str, Callable[[str], Any]] = {
        "head": _head,
        "body": lambda text: text if text in ("italic", "upright") else None,
        "punctuation": str,
        "space-above": _length,
        "space-below": _length,
        "indent": _length,
        "break": _flag,
        "boxed": _box,
        "end-mark": str,
    }
    wanted = {
        "head": f"words out of {', '.join(HEAD_FONTS)}, upright",
        "body": "italic or upright",
        "break": "true or false",
        "boxed": "true, false or side",
    }
    values: dict[str, Any] = {}
    for key, given in entry.items():
        if key in _COLOURS:
            colours = _colours(key, given)
            if colours is None:
                wish = "a colour such as #336699 or navy, or two, the second for dark pages"
                report.add(messages.settings.bad_value(f"styles: {base.name}: {key}", given, wish))
            else:
                values[key] = colours
            continue
        if key not in checks:
            known = (*checks, *_COLOURS)
            report.add(messages.settings.unknown_setting(f"styles: {base.name}: {key}", known))
            continue
        value = checks[key]("" if given is None else str(given))
        if value is None:
            setting = f"styles: {base.name}: {key}"
            report.add(messages.settings.bad_value(setting, given, wanted.get(key, "a length such as 9pt or 1.2em")))
        else:
            values["own_line" if key == "break" else key.replace("-", "_")] = value
    return replace(base, **values)


def _head(text: str) -> tuple[str, ...] | None:
    words = text.replace("-", " ").split()
    if not words or not set(words) <= {*HEAD_FONTS, "upright"}:
        return None
    return tuple(font for font in HEAD_FONTS if font in words)


def _length(text: str) -> str | None:
    return text if _LENGTH.fullmatch(text) else None


def _flag(text: str) -> bool | None:
    return {"true": True, "false": False}.get(text.lower())


def _box(text: str) -> str | None:
    return {"true": "frame", "false": "", "side": "side"}.get(text.lower())


def _colours(key: str, given: Any) -> Colour | None:
    """One colour, whose place on dark pages another takes that fits there, or the author's two."""
    parts = [_colour(str(part)) for part in (given if isinstance(given, list) else [given])]
    light, dark = parts[0] if parts else None, parts[-1] if parts else None
    if light is None or dark is None or len(parts) > 2:
        return None
    if len(parts) == 1 and key in _ON_DARK:
        share, ground = _ON_DARK[key]
        dark = "#" + "".join(
            f"{round(share * int(light[i : i + 2], 16) + (1 - share) * int(ground[i : i + 2], 16)):02x}" for i in (1, 3, 5)
        )
    return Colour(light, dark)


def _colour(text: str) -> str | None:
    """A colour as #rrggbb; None when it is none, or the text's own."""
    colour = parse_color(text)
    if not isinstance(colour, RGBA):
        return None
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour[:3])
