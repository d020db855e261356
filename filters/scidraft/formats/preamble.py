"""The LaTeX declarations a note needs, from the same settings and words as the numbers in every other output."""

from __future__ import annotations

import re

import jinja2

from scidraft.document import meta_value
from scidraft.draft import Draft
from scidraft.formats.spelling import end_sign, escape
from scidraft.formats.theorem_styles import boxes, end_signs, environments, proof_style, theorem_styles
from scidraft.kinds import Kind
from scidraft.paths import TEMPLATES
from scidraft.settings import DIVISIONS, SHARED
from scidraft.wording import Wordings

#: Kinds whose name is a LaTeX command already, so that no environment can have it.
_COMMANDS = {
    "rule",
    "note",
    "part",
    "page",
    "index",
    "title",
    "section",
    "figure",
    "table",
    "equation",
    "date",
    "author",
    "hyp",
}


def environment(kind: Kind, language: str | None = None) -> str:
    """The environment of a kind: its name, unless LaTeX cannot have an environment of that name.

    A kind has one more environment for each language that is not the note's, since amsthm ties its name to it.
    """
    if kind.style == "proof":
        return "proof"
    letters = re.sub(r"[^A-Za-z]", "", kind.name)
    name = kind.name if letters == kind.name and kind.name not in _COMMANDS else f"statement{letters or kind.prefix}"
    return name + re.sub(r"[^A-Za-z]", "", language or "")


def anchor(kind: Kind, draft: Draft) -> Kind:
    """The kind whose environment owns the counter that `kind` steps: theorem where it takes part, else the first that does."""
    together = [other for other in draft.settings.kinds.values() if other.counter == kind.counter and other.numbered]
    used = {statement.kind.name for statement in draft.catalogue.statements}
    theorem = next((other for other in together if other.name == "theorem"), None)
    return theorem or next((other for other in together if other.name in used), kind)


def preamble(draft: Draft, wordings: Wordings) -> str:
    """The declarations, or "" when the note needs none."""
    settings, catalogue = draft.settings, draft.catalogue
    wording = wordings.of(None)
    declared = _declarations(draft, wordings)
    # The owner of a counter is declared before those who share it.
    declared.sort(key=lambda entry: entry["owner"] is not None)
    within = settings.division_of(settings.level_of(settings.number_within)) if settings.number_within else None
    chapters = settings.top_level_division == "chapter"
    marks = wording.get("head")
    divisions = [(entry["environment"], entry["within"]) for entry in declared if entry["within"] and entry["owner"] is None]
    if within and any(e.number or any(e.rows) for e in catalogue.equations):
        divisions.append(("equation", within))
    values = {
        "declared": declared,
        "class": document_class(draft),
        "beamer": "beamer" in (draft.target, document_class(draft)),
        "theorem_styles": theorem_styles(declared, settings.statement_styles, marks),
        "proof": proof_style(settings.statement_styles["proof"]),
        "proof_sign": end_sign(settings.statement_styles["proof"].end_mark),
        "boxes": boxes(declared, settings.statement_styles),
        "coloured": any(settings.statement_styles[str(entry["style"])].ink for entry in declared),
        "signs": end_signs(declared, settings.statement_styles),
        "springer": ("", "llncs", "svjour", "svjour3", "svmult", "svmono"),
        "replaced": [name for entry in declared if entry["replaces"] for name in _commands(entry)],
        "commands": [name for entry in declared for name in _commands(entry)],
        "divisions": divisions,
        "appendix": any(section.first_appendix for section in catalogue.sections),
        "chapters": chapters,
        "proofs": [s for s in catalogue.statements if s.kind.style == "proof"],
        "proof_name": escape(wording.name("proof")),
        "headed": any(s.names_target and s.kind.style != "proof" for s in catalogue.statements),
        "given_numbers": any(s.given_number for s in catalogue.statements),
        "equations_within": within,
        "equations_free": chapters and within is None,
        "numbered_equations": any(e.number or any(e.rows) for e in catalogue.equations),
        "equations_shared": _shared_counter(draft) if settings.equations == "shared" else None,
        "listing": escape(wording.name("listing")) if any(entry.noun == "listing" for entry in catalogue.floats) else None,
        "listings_within": "chapter" if settings.top_level_division in ("part", "chapter") else None,
        "parts": any(entry.whole for entry in catalogue.floats),
        "tables": any(entry.noun == "table" for entry in catalogue.floats),
        "restated": any(s.restates for s in catalogue.statements),
        "qed_symbol": None if settings.qed_symbol is None else end_sign(settings.qed_symbol),
        "macros": list(settings.macros.items()),
        "references": bool(catalogue.references or catalogue.overviews) or any(s.target for s in catalogue.statements),
        "lists": {overview.kind for overview in catalogue.overviews},
    }
    reasons = ("declared", "proofs", "numbered_equations", "macros", "references", "tables", "listing", "parts")
    if not any(values[reason] for reason in reasons):
        return ""
    return _template().render(values).strip()


def _declarations(draft: Draft, wordings: Wordings) -> list[dict[str, object]]:
    """What is to be declared: each kind that is used or owns a counter, in each language it is used in."""
    settings = draft.settings
    statements = [statement for statement in draft.catalogue.statements if statement.kind.style != "proof"]
    used = {(s.kind.name, s.language if s.language != settings.language else None) for s in statements}
    numbered = {s.kind.name for s in statements if s.number}
    owners = {anchor(settings.kinds[name], draft).name for name in numbered}
    used |= {(name, None) for name in owners}
    declared: list[dict[str, object]] = []
    for kind in settings.kinds.values():
        owner = anchor(kind, draft)
        for name, language in sorted(used, key=lambda pair: pair[1] or ""):
            if name != kind.name:
                continue
            # Classes that have statements name them in English and count them all together, in no division.
            word = wordings.of(language).name(kind.name)
            replaces = bool(kind.within) or owner.name != "theorem" or word != kind.name.capitalize()
            declared.append(
                {
                    "environment": environment(kind, language),
                    "name": _name(escape(word), kind, draft),
                    "style": kind.style,
                    "owner": None if owner.name == kind.name and language is None else environment(owner),
                    "within": settings.division_of(settings.level_of(kind.within)) if kind.within in DIVISIONS else None,
                    "digits": kind.digits if kind.digits != "arabic" and owner.name == kind.name and not language else None,
                    "resets": kind.within == "proof",
                    "numbered": kind.name in numbered or kind.name in owners,
                    "starred": any(s.kind.name == kind.name and not s.number for s in statements),
                    "replaces": replaces or not settings.statement_styles[kind.style].known_to_amsthm,
                }
            )
    return declared


def _shared_counter(draft: Draft) -> str | None:
    """The environment that owns the counter all kinds share, where a kind that is used takes part in it."""
    used = {statement.kind.name for statement in draft.catalogue.statements if statement.number}
    sharing = [kind for kind in draft.settings.kinds.values() if kind.counter == SHARED and kind.name in used]
    return environment(anchor(sharing[0], draft)) if sharing else None


def _commands(entry: dict[str, object]) -> list[str]:
    """The names of the commands that make up an entry's environments, and its counter if it owns one."""
    names = [part + name for name in environments(entry) for part in ("", "end")]
    return names if entry["owner"] or not entry["numbered"] else [*names, f"c@{entry['environment']}"]


def document_class(draft: Draft) -> str:
    """The class the note's metadata names; "" when it names none, or when it is told on the command line alone."""
    value = meta_value(draft.doc.metadata.content.dict.get("documentclass"))
    return value if isinstance(value, str) else ""


def _name(name: str, kind: Kind, draft: Draft) -> str:
    """The printed name of a kind; inside a macro where some statement needs another ("Solution to Exercise 3")."""
    headed = any(s.names_target and s.kind.name == kind.name for s in draft.catalogue.statements)
    return f"\\statementname{{{name}}}" if headed else name


def _template() -> jinja2.Template:
    # LaTeX is full of braces and percent signs: Jinja2 gets other marks.
    environment_ = jinja2.Environment(
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="<<",
        variable_end_string=">>",
        comment_start_string="<#",
        comment_end_string="#>",
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        autoescape=False,
    )
    return environment_.from_string((TEMPLATES / "statements.tex.j2").read_text(encoding="utf-8"))
