"""Reads the variants of a note: what each shows, hides or leaves room for; ours, and what the author wrote about them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

from scidraft import messages
from scidraft.messages import Messages

Treatment = Literal["shown", "hidden", "space"]
Audience = Literal["student", "instructor", "both"]

#: The class of a hint, which is treated as the kinds of statement are.
HINT = "hint"

#: What authors call the note itself, the variant without a name.
NOTE = "note"


@dataclass(frozen=True)
class Variant:
    """A variant of a note, written to `note-NAME.*`.

    `kinds` says what becomes of each kind of statement, and of hints; what it does not name is shown. `audience` is whom it is
    for: what is only for others is left out. `ruled`: room that is left has lines to write on. `points`: exercises say what they
    are worth. `wide_margin`: one side of the paper is free for notes, and `line_numbers` stand beside the lines.
    """

    audience: Audience = "student"
    kinds: Mapping[str, Treatment] = field(default_factory=dict)
    ruled: bool = True
    points: bool = True
    wide_margin: bool = False
    line_numbers: bool = False


_SHIPPED = {
    # What is for instructors must not slip into the note that everybody gets.
    "": Variant(),
    "handout": Variant(kinds={"solution": "hidden", "answer": "hidden", "proof": "space", HINT: "hidden"}),
    "instructor": Variant(audience="instructor"),
}

_NAME = re.compile(r"[A-Za-z0-9][\w-]*")
_CHOICES = {
    "audience": ("student", "instructor", "both"),
    "space": ("lines", "blank"),
    "points": ("shown", "hidden"),
    "margin": ("usual", "wide"),
    "line-numbers": ("true", "false"),
}
_TREATMENTS = {"shown": "shown", "hidden": "hidden", "space": "space", "true": "shown", "false": "hidden"}


def shipped_variants() -> dict[str, Variant]:
    """The variants that every note has; "" is the note itself."""
    return dict(_SHIPPED)


def read_variants(given: Mapping[str, Any], kind_called: Callable[[str], str | None], report: Messages) -> dict[str, Variant]:
    """The shipped variants with what the author wrote under `variants:`.

    `kind_called` finds the name of a kind by a class. What cannot be used is told to `report` and left out.
    """
    variants = shipped_variants()
    for name, entry in given.items():
        if not _NAME.fullmatch(name):
            report.add(messages.settings.bad_value("variants", name, "the name of a variant: letters, digits and -"))
        elif not isinstance(entry, dict):
            report.add(messages.settings.not_a_map(f"variants: {name}"))
        else:
            key = "" if name == NOTE else name
            variants[key] = _variant(name, variants.get(key, Variant()), entry, kind_called, report)
    return variants


def _variant(
    name: str, base: Variant, entry: Mapping[str, Any], kind_called: Callable[[str], str | None], report: Messages
) -> Variant:
    """`base` with the values of `entry`."""
    values: dict[str, str] = {}
    kinds: dict[str, Treatment] = dict(base.kinds)
    named: dict[str, Treatment] = {}
    for key, value in entry.items():
        text = str(value).lower()
        if key in _CHOICES:
            if text in _CHOICES[key]:
                values[key] = text
            else:
                report.add(messages.settings.bad_value(f"variants: {name}: {key}", value, "one of " + ", ".join(_CHOICES[key])))
            continue
        kind = _kind(key, kind_called)
        if kind is None:
            report.add(
                messages.settings.unknown_setting(f"variants: {name}: {key}", {*_CHOICES, "solutions", "proofs", "hints", "…"})
            )
        elif text not in _TREATMENTS:
            report.add(messages.settings.bad_value(f"variants: {name}: {key}", value, "shown, hidden or space"))
        else:
            named[kind] = cast(Treatment, _TREATMENTS[text])
    if "solution" in named:
        # Answers are the short form of solutions.
        named.setdefault("answer", named["solution"])
    return replace(
        base,
        audience=cast(Audience, values.get("audience", base.audience)),
        kinds=kinds | named,
        ruled=values["space"] == "lines" if "space" in values else base.ruled,
        points=values["points"] == "shown" if "points" in values else base.points,
        wide_margin=values["margin"] == "wide" if "margin" in values else base.wide_margin,
        line_numbers=values["line-numbers"] == "true" if "line-numbers" in values else base.line_numbers,
    )


def _kind(key: str, kind_called: Callable[[str], str | None]) -> str | None:
    """The kind that a key such as `solutions` means, HINT for hints."""
    words = [key, key.removesuffix("s"), re.sub("ies$", "y", key)]
    return HINT if HINT in words else next((kind for word in words if (kind := kind_called(word))), None)
