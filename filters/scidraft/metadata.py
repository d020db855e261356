"""Reads a note's metadata into `Settings`: defaults, the author's words, and a message for whatever cannot be used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, cast

import panflute as pf

from scidraft import messages
from scidraft.declarations import Declared, read_declarations
from scidraft.document import meta_value
from scidraft.kinds import DIGITS, Digits, Kind
from scidraft.macros import Macro
from scidraft.messages import Messages
from scidraft.page import read_page
from scidraft.settings import (
    APPLIED,
    DIALECTS,
    DIVISIONS,
    MATH_MEDIA,
    PDF_STANDARDS,
    SHARED,
    Division,
    MathMedium,
    Settings,
)
from scidraft.styles import read_styles
from scidraft.tables import table as shipped_table
from scidraft.themes import read_theme
from scidraft.treatments import NOTE, Variant, read_variants

#: The classes whose top division is the chapter, as pandoc's `--top-level-division=default` has it.
_BOOK_CLASSES = {"book", "report", "memoir", "scrbook", "scrreprt", "extbook", "extreport"}


def read_settings(doc: pf.Doc, report: Messages, overrides: Mapping[str, Any] | None = None) -> Settings:
    """The settings of a note: defaults, then its metadata, then `overrides` (field names of `Settings` and their values).

    Whatever cannot be used is told to `report` and left at its default; nothing raises.
    """
    return _Reader(doc, report).settings(overrides or {})


class _Reader:
    """Reads one note's metadata; kept apart so that every check can report without passing the same things on."""

    def __init__(self, doc: pf.Doc, report: Messages) -> None:
        self.meta: dict[str, Any] = {key: meta_value(value) for key, value in doc.metadata.content.dict.items()}
        self.report = report
        self.own = self.map("scidraft", self.meta.get("scidraft", {}))
        self.dialects = self.switches()
        # What is declared in running text, not in metadata, stands between paragraphs.
        raw = [block.text for block in doc.content if isinstance(block, pf.RawBlock)]
        self.tex = "\n".join([str(self.meta.get("header-includes", "")), *raw])
        # Without the bare key: `theme` is beamer's and the slides' there.
        self.theme = read_theme(self.own.get("theme"), report)
        given = self.theme.with_styles(self.map("scidraft: styles", self.own.get("styles")))
        self.styles = read_styles(given, report)

    def settings(self, overrides: Mapping[str, Any]) -> Settings:
        known = {
            "kinds",
            "counters",
            "number-within",
            "numbered",
            "number-format",
            "equations",
            "proofs",
            "proof-links",
            "qed-symbol",
            "number-sections",
            "number-offset",
            "top-level-division",
        }
        known |= {
            "columns",
            "fonts",
            "line-numbers",
            "strict",
            "macros",
            "math",
            "media-dir",
            "library",
            "used-in",
            "dialects",
            "styles",
            "theme",
            "variants",
            "variant",
            "pdf-standard",
        }
        for key in self.own:
            if key not in known:
                self.report.add(messages.settings.unknown_setting(key, known))
        top = cast(Division, self.choice("top-level-division", DIVISIONS, self._default_division()))
        declared = self.declared(top)
        within = self.choice("number-within", ("none", *DIVISIONS), declared.within or "none")
        # Statements numbered within sections look odd beside sections without numbers, and LaTeX would count 0.1 then.
        number_within = None if within == "none" else cast(Division, within)
        kinds = self.kinds(number_within, declared)
        divided = within != "none" or any(kind.within in DIVISIONS for kind in kinds.values())
        number_sections = self.flag("number-sections", self.meta.get("numbersections", divided))
        media = str(self.own.get("media-dir", "scidraft-media"))
        variants = self.variants(kinds)
        settings = Settings(
            kinds=kinds,
            statement_styles=self.styles,
            language=str(self.meta.get("lang") or "en"),
            number_within=number_within,
            number_sections=number_sections,
            number_offset=self.offset(),
            equations=cast(Any, self.choice("equations", ("own", "shared"), "own")),
            proofs=cast(Any, self.choice("proofs", ("inline", "section", "appendix"), "inline")),
            proof_links=cast(Any, self.choice("proof-links", ("none", "arrow", "page"), "none")),
            qed_symbol=None if self.value("qed-symbol") is None else str(self.value("qed-symbol")),
            top_level_division=top,
            strict=self.flag("strict", False),
            macros=self.macros(),
            header="" if self.meta.get(APPLIED) else str(self.meta.get("header-includes", "")),
            math=self.math(),
            media_dir=Path(media),
            media_url=media,
            library=self.library(),
            used_in=self.flag("used-in", False),
            dialects=self.dialects,
            applied=frozenset(str(self.meta.get(APPLIED, "")).split()),
            line_numbers=self.flag("line-numbers", False),
            theme=self.theme,
            page=read_page({**self.meta, "columns": self.value("columns")}, self.report, self.theme.side_notes),
            variants=variants,
            variant=self.variant(variants),
            pdf_standard=self.standard(),
        )
        return replace(settings, **overrides)

    def _default_division(self) -> str:
        document_class = str(self.meta.get("documentclass", ""))
        return "chapter" if document_class in _BOOK_CLASSES else "section"

    # Values

    def value(self, key: str) -> Any:
        return self.own.get(key, self.meta.get(key))

    def map(self, key: str, value: Any) -> dict[str, Any]:
        if isinstance(value, dict):
            return value
        if value not in (None, ""):
            self.report.add(messages.settings.not_a_map(key))
        return {}

    def choice(self, key: str, allowed: tuple[str, ...], default: str) -> str:
        value = self.value(key)
        if value is None or value == "":
            return default
        text = str(value).lower()
        if text in allowed:
            return text
        self.report.add(messages.settings.bad_value(key, value, "one of " + ", ".join(allowed)))
        return default

    def flag(self, key: str, default: Any) -> bool:
        # A value given on the command line (-M key=false, -M key=0) comes as a bool or as a string.
        value = self.value(key)
        value = default if value is None or value == "" else value
        word = str(value).lower()
        if word in ("true", "yes", "on", "1"):
            return True
        if word not in ("false", "no", "off", "0"):
            self.report.add(messages.settings.bad_value(key, value, "true or false"))
        return False

    def standard(self) -> str:
        """The standard of the printed PDF. All follow PDF/UA-1, so that name beside another says nothing more."""
        value = self.value("pdf-standard") or PDF_STANDARDS[0]
        names = [str(name).lower() for name in (value if isinstance(value, list) else [value])]
        others = {name + "u" if f"{name}u" in PDF_STANDARDS else name for name in names if name != PDF_STANDARDS[0]}
        if len(others) > 1 or not others <= set(PDF_STANDARDS):
            self.report.add(messages.settings.bad_value("pdf-standard", value, "one of " + ", ".join(PDF_STANDARDS)))
            return PDF_STANDARDS[0]
        return others.pop() if others else PDF_STANDARDS[0]

    def offset(self) -> tuple[int, ...]:
        value = self.value("number-offset")
        if value is None or value == "":
            return ()
        parts = value if isinstance(value, list) else str(value).split(",")
        try:
            numbers = tuple(int(str(part)) for part in parts)
        except ValueError:
            numbers = (-1,)
        if min(numbers, default=0) >= 0:
            return numbers
        self.report.add(messages.settings.bad_value("number-offset", value, "a number, or one number for each heading level"))
        return ()

    def macros(self) -> dict[str, Macro]:
        macros: dict[str, Macro] = {}
        given = self.map("macros", self.meta.get("macros")) | self.map("scidraft: macros", self.own.get("macros"))
        for name, value in given.items():
            body, count, default = (*value, None)[:3] if isinstance(value, list) and len(value) in (2, 3) else (value, None, None)
            bare = str(name).lstrip("\\")
            if not isinstance(body, str) or not bare or not (count is None or str(count).isdigit()):
                self.report.add(messages.settings.bad_macro(str(name)))
                continue
            if count is None:
                count = max((digit for digit in range(1, 10) if f"#{digit}" in body), default=0)
            default = None if default is None else str(default)
            macros[bare] = Macro(body.strip("$") if body.startswith("$") else body, int(count), default)
        return macros

    def math(self) -> MathMedium:
        # Under `scidraft:` alone: `math` by itself is a variable of pandoc's templates, and other tools' notes have it.
        value = str(self.own.get("math") or MATH_MEDIA[0])
        for medium in MATH_MEDIA:
            if value.lower() == medium:
                return medium
        if value.lower() in ("katex", "mathjax", "webtex", "gladtex"):
            self.report.add(messages.drawings.pandocs_maths(value.lower()))
        else:
            self.report.add(messages.settings.bad_value("math", value, "one of " + ", ".join(MATH_MEDIA)))
        return MATH_MEDIA[0]

    def switches(self) -> frozenset[str]:
        on = set(DIALECTS)
        for name in self.map("dialects", self.own.get("dialects")):
            if name not in DIALECTS:
                self.report.add(messages.settings.unknown_setting(f"dialects: {name}", DIALECTS))
            elif str(self.own["dialects"][name]).lower() in ("false", "no", "off", "0"):
                on.remove(name)
        return frozenset(on)

    def library(self) -> tuple[str, ...]:
        value = self.own.get("library") or []
        return tuple(str(place) for place in (value if isinstance(value, list) else [value]))

    def digits(self, key: str, value: Any, default: Digits) -> Digits:
        # LaTeX's names distinguish roman from Roman; the fuller words are taken too.
        text = {"alpha": "alph", "Alpha": "Alph"}.get(str(value), str(value)) if value else default
        if text in DIGITS:
            return text
        self.report.add(messages.settings.bad_value(key, value, "one of " + ", ".join(DIGITS)))
        return default

    def variants(self, kinds: Mapping[str, Kind]) -> dict[str, Variant]:
        by_class = {alias: name for name, kind in kinds.items() for alias in (kind.prefix, *kind.aliases, name)}
        return read_variants(self.map("scidraft: variants", self.own.get("variants")), by_class.get, self.report)

    def variant(self, variants: Mapping[str, Variant]) -> str:
        """The variant that a filter makes; the builder is told on its command line."""
        name = str(self.value("variant") or "")
        name = "" if name == NOTE else name
        if name in variants:
            return name
        self.report.add(messages.variants.unknown_variant(name, (other or NOTE for other in variants)))
        return ""

    # Kinds

    def declared(self, top: Division) -> Declared:
        """What the note declares in the words of other tools."""
        table = shipped_table("kinds.yaml")
        names = {alias: name for name, entry in table.items() for alias in (name, entry["prefix"], *entry.get("aliases", ()))}

        def canonical(name: str) -> str:
            return names.get(name) or names.get(name[:1].lower() + name[1:]) or name

        declared = read_declarations(self.meta, self.tex, self.dialects, canonical, top)
        if declared.disagreement:
            self.report.add(messages.dialects.declarations_disagree(*declared.disagreement))
        return declared

    def kinds(self, within: Division | None, declared: Declared) -> dict[str, Kind]:
        table = shipped_table("kinds.yaml")
        shared = self.choice("counters", ("shared", "separate"), "shared") == "shared"
        numbered: bool | Literal["unless-unique"] = True
        if self.choice("numbered", ("always", "unless-unique"), "always") == "unless-unique":
            numbered = "unless-unique"
        digits = self.digits("number-format", self.value("number-format"), "arabic")
        kinds = {
            name: Kind(
                name,
                entry["prefix"],
                entry["style"],
                numbered if entry.get("numbered", True) else False,
                name if entry.get("within") else SHARED if shared else name,
                entry.get("within", within),
                tuple(entry.get("aliases", ())),
                "arabic" if entry.get("within") else digits,
            )
            for name, entry in table.items()
        }
        wanted: dict[str, str] = {}
        for name, entry in (*declared.kinds.items(), *self.map("kinds", self.own.get("kinds")).items()):
            entry = {"name": entry} if isinstance(entry, str) else self.map(f"kinds: {name}", entry)
            base = kinds.get(name) or Kind(name, name, "plain", numbered, SHARED if shared else name, within, digits=digits)
            kinds[name] = self.kind(base, entry, kinds)
            if entry.get("counter") or {"number-within", "number-format"} & entry.keys():
                # Starting again in a division of its own, or other digits, mean a counter of its own.
                wanted[name] = str(entry.get("counter", "own"))
        for name, counter in wanted.items():
            if counter not in ("own", "shared") and counter not in kinds:
                self.report.add(messages.settings.unknown_counter(name, counter))
                counter = "own"
            # One counter starts again in one place: that of the kind it belongs to.
            division = kinds[counter].within if counter in kinds else kinds[name].within
            counter = name if counter == "own" else SHARED if counter == "shared" else kinds[counter].counter
            kinds[name] = replace(kinds[name], counter=counter, within=division)
        return kinds

    def kind(self, base: Kind, entry: dict[str, Any], kinds: Mapping[str, Kind]) -> Kind:
        """`base` with what the author wrote about it under `kinds:`."""
        known = {"name", "plural", "prefix", "style", "numbered", "counter", "number-within", "number-format", "aliases"}
        for key in entry:
            if key not in known:
                self.report.add(messages.settings.unknown_setting(f"kinds: {base.name}: {key}", known))
        prefix = str(entry.get("prefix", base.prefix))
        owner = next((kind.name for kind in kinds.values() if kind.prefix == prefix and kind.name != base.name), None)
        if owner:
            self.report.add(messages.settings.prefix_taken(base.name, prefix, owner))
            prefix = base.prefix
        style = str(entry.get("style", base.style))
        if style not in self.styles:
            self.report.add(messages.settings.bad_value(f"kinds: {base.name}: style", style, "one of " + ", ".join(self.styles)))
            style = base.style
        numbered: bool | Literal["unless-unique"] = base.numbered
        if "numbered" in entry:
            word = str(entry["numbered"]).lower()
            choices: dict[str, bool | Literal["unless-unique"]] = {
                "true": True,
                "false": False,
                "unless-unique": "unless-unique",
            }
            if word not in choices:
                self.report.add(
                    messages.settings.bad_value(f"kinds: {base.name}: numbered", word, "true, false or unless-unique")
                )
            numbered = choices.get(word, base.numbered)
        within = base.within
        if "number-within" in entry:
            word = str(entry["number-within"]).lower()
            if word not in ("none", *DIVISIONS):
                wanted = "one of none, " + ", ".join(DIVISIONS)
                self.report.add(messages.settings.bad_value(f"kinds: {base.name}: number-within", word, wanted))
            else:
                within = None if word == "none" else word
        aliases = entry.get("aliases", [])
        aliases = aliases if isinstance(aliases, list) else [aliases]
        singular = str(entry["name"]) if entry.get("name") else base.singular
        return replace(
            base,
            prefix=prefix,
            style=style,
            numbered=numbered,
            within=within,
            digits=self.digits(f"kinds: {base.name}: number-format", entry.get("number-format"), base.digits),
            aliases=(*base.aliases, *map(str, aliases)),
            singular=singular,
            # A new name without a plural stands for both, rather than a plural of another word.
            plural=str(entry["plural"]) if entry.get("plural") else (singular or base.plural),
        )
