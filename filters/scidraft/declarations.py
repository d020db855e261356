"""Kinds of statement that a note declares in the words of other tools, as entries of our own `kinds:`.

Understood are `amsthm:` (pandoc-amsthm 1 to 3), `statement:`, `statement-kinds:` and `statement-styles:` (statement),
`crossref:` and `language:` (Quarto and bookdown), `custom-numbered-blocks:`, and `\\newtheorem` in header includes and between
paragraphs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from typing import Any

from scidraft.tex import group

Entry = dict[str, Any]

#: bookdown's and Quarto's prefixes of what `language:` and `crossref:` rename.
_PREFIXES = ("thm", "lem", "cor", "prp", "cnj", "def", "exm", "exr", "hyp", "rem", "sol", "alg", "prf")
_DIVISIONS = ("part", "chapter", "section", "subsection")
_NEWTHEOREM = re.compile(r"\\newtheorem(?P<star>\*?)\s*\{(?P<name>[^{}]+)\}\s*(?:\[(?P<counter>[^\[\]]+)\]\s*)?(?=\{)")
_WITHIN = re.compile(r"\s*\[(?P<within>[^\[\]]+)\]")
_STYLE = re.compile(r"\\theoremstyle\s*\{(?P<style>[^{}]+)\}")


@dataclass
class Declared:
    """What a note declares: `kinds` in the form of our own setting, and the `within` of all its counters, None where not said."""

    kinds: dict[str, Entry] = field(default_factory=dict)
    within: str | None = None
    disagreement: tuple[str, str] | None = None


def read_declarations(
    metadata: Mapping[str, Any], tex: str, dialects: Container[str], canonical: Callable[[str], str], top_division: str
) -> Declared:
    """Read the declarations of the dialects that are on.

    `metadata` is the note's as plain Python, `tex` its raw LaTeX, `canonical` gives the name of the kind that a class stands for,
    and `top_division` is LaTeX's name of a first-level heading.
    """
    reader = _Declarations(canonical, top_division)
    if "latex" in dialects:
        reader.newtheorems(tex)
    if "amsthm" in dialects:
        reader.amsthm(_map(metadata.get("amsthm")))
    if "statement" in dialects:
        options, kinds, styles = (_map(metadata.get(key)) for key in ("statement", "statement-kinds", "statement-styles"))
        reader.statement(options, kinds, styles)
    if "bookdown" in dialects:
        reader.labels(_map(_map(metadata.get("language")).get("label")))
    if "quarto" in dialects:
        reader.quarto(_map(metadata.get("crossref")), _map(metadata.get("language")))
        blocks = metadata.get("custom-numbered-blocks") or _map(metadata.get("extensions")).get("custom-numbered-blocks")
        reader.numbered_blocks(_map(blocks))
    return reader.declared


def without_declarations(tex: str) -> str:
    """Raw LaTeX without its `\\newtheorem` and `\\theoremstyle`, for which declarations of our own are made."""
    rest: list[str] = []
    place = 0
    for match in _NEWTHEOREM.finditer(tex):
        _, end = group(tex, match.end())
        within = _WITHIN.match(tex, end)
        rest.append(tex[place : match.start()])
        place = within.end() if within else end
    return _STYLE.sub("", "".join([*rest, tex[place:]])) if rest else tex


class _Declarations:
    def __init__(self, canonical: Callable[[str], str], top_division: str) -> None:
        self.canonical = canonical
        self.top_division = top_division
        self.declared = Declared()

    def add(self, class_name: str, name: str | None, **entry: Any) -> str:
        """Declare a kind for a class; a name that is only the kind's own is left to the language's table. Returns the kind."""
        kind = self.canonical(class_name)
        if name and name.casefold() != kind.casefold():
            entry["name"] = name
        self.declared.kinds.setdefault(kind, {}).update({key: value for key, value in entry.items() if value is not None})
        return kind

    def newtheorems(self, tex: str) -> None:
        """`\\newtheorem{lem}[theorem]{Lemma}`, `\\newtheorem{…}{…}[section]`, with or without a star, by `\\theoremstyle`."""
        style = "plain"
        styles = sorted((*_NEWTHEOREM.finditer(tex), *_STYLE.finditer(tex)), key=lambda match: match.start())
        for match in styles:
            if match.re is _STYLE:
                style = match["style"] if match["style"] in ("plain", "definition", "remark") else "plain"
                continue
            name, end = group(tex, match.end())
            within = _WITHIN.match(tex, end)
            division = within["within"] if within and within["within"] in _DIVISIONS else None
            entry: Entry = {"style": style, "numbered": not match["star"]}
            if division:
                entry["number-within"] = division
            if not match["star"]:
                entry["counter"] = self.canonical(match["counter"]) if match["counter"] else "own"
            self.add(match["name"], name, **entry)

    def amsthm(self, given: Mapping[str, Any]) -> None:
        """pandoc-amsthm: lists of environments under the name of their style, nested where they share a counter."""
        texts = _map(given.get("name_to_text"))
        parents = given.get("parent_counter") or given.get("parentcounter")
        parents = parents[0] if isinstance(parents, list) and parents else parents
        depth = str(given.get("counter_depth") or "")
        by_depth = self.division_at(int(depth)) if depth.isdigit() and depth != "0" else None
        if isinstance(parents, str) and parents in _DIVISIONS:
            self.declared.within = parents
            if by_depth and by_depth != parents:
                self.declared.disagreement = (f"parent_counter: {parents}", f"counter_depth: {depth}")
        elif by_depth and not parents:
            self.declared.within = by_depth

        def environment(text: str, style: str, counter: str, numbered: bool) -> str:
            name = text.rstrip("*\\").strip()
            numbered = numbered and not text.rstrip().endswith("*")
            entry: Entry = {"style": style, "numbered": numbered}
            if numbered:
                entry["counter"] = counter
            division = parents.get(name) if isinstance(parents, dict) else self.declared.within
            if division in _DIVISIONS:
                entry["number-within"] = division
            return self.add(name.replace(" ", "_"), str(texts.get(name) or name), **entry)

        for style in ("plain", "definition", "remark"):
            value = given.get(style)
            lists = [(value, True), (given.get(f"{style}-unnumbered"), False)]
            if isinstance(value, dict) and {"numbered", "unnumbered"} & value.keys():
                lists = [(value.get("numbered"), True), (value.get("unnumbered"), False)]
            for listed, numbered in lists:
                for item in _list(listed):
                    for parent, children in item.items() if isinstance(item, dict) else [(item, None)]:
                        owner = environment(str(parent), style, "own", numbered)
                        for child in _list(children):
                            environment(str(child), style, owner, numbered)

    def statement(self, options: Mapping[str, Any], kinds: Mapping[str, Any], styles: Mapping[str, Any]) -> None:
        """The statement filter: `counter: self` is our `own`, `none` means no number."""
        within = str(options.get("count-within") or options.get("count_within") or "")
        if within in _DIVISIONS:
            self.declared.within = within
        for name, value in kinds.items():
            entry: Entry = {}
            given = _map(value)
            counter = str(given.get("counter") or "")
            if counter == "none":
                entry["numbered"] = False
            elif counter in _DIVISIONS:
                entry |= {"counter": "own", "number-within": counter}
            elif counter:
                entry["counter"] = "own" if counter == "self" else self.canonical(counter)
            if given.get("count-within") in _DIVISIONS:
                entry["number-within"] = given["count-within"]
            if given.get("style"):
                entry["style"] = _statement_style(str(given["style"]), styles)
            self.add(str(name), str(given["label"]) if given.get("label") else None, **entry)

    def labels(self, given: Mapping[str, Any]) -> None:
        """bookdown's `language: {label: {thm: Satz}}`."""
        for prefix, name in given.items():
            if prefix in _PREFIXES and isinstance(name, str):
                self.add(prefix, name.strip())

    def quarto(self, crossref: Mapping[str, Any], language: Mapping[str, Any]) -> None:
        """Quarto's names of kinds, its kinds of one's own, and numbers within chapters."""
        for prefix in _PREFIXES:
            name = crossref.get(f"{prefix}-title") or language.get(f"crossref-{prefix}-title") or crossref.get(f"{prefix}-prefix")
            if name:
                self.add(prefix, str(name))
        if str(crossref.get("chapters")).lower() == "true":
            self.declared.within = self.top_division
        for item in _list(crossref.get("custom")):
            given = _map(item)
            if given.get("key"):
                name = str(given.get("caption-prefix") or given.get("reference-prefix") or given["key"])
                self.add(str(given["key"]), name, style="definition", counter="own")

    def numbered_blocks(self, given: Mapping[str, Any]) -> None:
        """custom-numbered-blocks: classes, whose groups share a counter."""
        owners: dict[str, str] = {}
        for class_name, value in _map(given.get("classes")).items():
            block = _map(value)
            group_name = str(block.get("group") or "")
            entry: Entry = {}
            if str(block.get("numbered")).lower() == "false":
                entry["numbered"] = False
            else:
                entry["counter"] = owners.get(group_name, "own")
            known = self.canonical(class_name) != class_name
            kind = self.add(class_name, str(block.get("label") or class_name), style=None if known else "definition", **entry)
            if group_name and "counter" in entry:
                owners.setdefault(group_name, kind)

    def division_at(self, level: int) -> str:
        """LaTeX's name of the division `level` levels deep."""
        return _DIVISIONS[min(_DIVISIONS.index(self.top_division) + level - 1, len(_DIVISIONS) - 1)]


def _statement_style(name: str, styles: Mapping[str, Any]) -> str:
    """The one of our styles that a style of the statement filter comes nearest to."""
    for _ in range(len(styles) + 1):
        if name in ("plain", "definition", "remark", "proof") or name not in styles:
            break
        given = _map(styles[name])
        based = given.get("based-on") or given.get("based_on")
        if not based:
            italic = str(given.get("body-font") or given.get("body_font")).startswith("ital")
            head_italic = str(given.get("head-font") or given.get("head_font")).startswith("ital")
            return "plain" if italic else "remark" if head_italic else "definition"
        name = str(based)
    return name if name in ("plain", "definition", "remark", "proof") else "plain"


def _map(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value in (None, "") else [value]
