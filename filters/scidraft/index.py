"""The index of notes as data: every statement with its number, title, proofs and uses, for programs and for other notes.

The data are a map with `version` (of this schema, raised when a key changes its meaning) and four lists, whose entries name their
`note`, so that the indexes of several notes are the lists put together:

- `notes`: `name` (the file's stem), `file`, `title`, `title_markdown`, `language`;
- `statements`: `position` (from 1, in reading order), `kind`, `number`, `label` ("Theorem 1.2"), `title` (plain) and
  `title_markdown` (formulas as TeX between dollars), `id`, `language`, `file`, `section` (`number`, `title`, `id`), `inside` (the
  statement it is part of), `proof_of` (of a proof), `proofs`, `uses` and `used_by`;
- `labels`: what else can be referred to: `noun` (section, equation, figure, …), `id`, `number`, `title`, `title_markdown`;
- `terms`: defined terms: `term`, `term_markdown`, `id`, `see`, and the `statement` and `section` they stand in.

Another statement is told as `note`, `position`, `id` and `label`; one of another note has its `position` only when that note is
part of the index. What is not there is null.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

import panflute as pf

from scidraft.catalogue import Elsewhere, Item, Section, Statement, Term
from scidraft.draft import Draft
from scidraft.library import VERSION, Entry
from scidraft.uses import Uses, is_proof
from scidraft.wording import NBSP, Wordings, label_text, text_of

_SPECIAL = re.compile(r"([\\`*_\[\]<>$^~@|#])")
_MARKS: dict[type[pf.Element], str] = {pf.Emph: "*", pf.Strong: "**", pf.Superscript: "^", pf.Subscript: "~", pf.Strikeout: "~~"}


def of_note(draft: Draft, name: str, file: str) -> Entry:
    """The index of one note after the common passes; `name` is what other notes call it, `file` where it is."""
    return _Reader(draft, name, file).read()


def empty(name: str) -> Entry:
    """The index of a note that cannot be read: nothing is in it."""
    note = {"name": name, "file": None, "title": None, "title_markdown": None, "language": None}
    return {"version": VERSION, "notes": [note], "statements": [], "labels": [], "terms": []}


def combined(indexes: Iterable[Entry]) -> Entry:
    """One index of several notes, in which the uses of one note's statements by another are told at both ends."""
    parts = list(indexes)
    whole: Entry = {"version": VERSION}
    for key in ("notes", "statements", "labels", "terms"):
        whole[key] = [entry for part in parts for entry in part[key]]
    known = {(entry["note"], entry["id"]): entry for entry in whole["statements"] if entry["id"]}
    for entry in whole["statements"]:
        for used in entry["uses"]:
            other = known.get((used["note"], used["id"]))
            if other and used["note"] != entry["note"]:
                used["position"] = other["position"]
                if not entry["proof_of"]:
                    other["used_by"].append(pointer(entry))
    return whole


def pointer(entry: Entry) -> Entry:
    """What other entries say of a statement."""
    return {key: entry[key] for key in ("note", "position", "id", "label")}


def dump(index: Entry) -> str:
    """The index as JSON text, with a line break at its end."""
    return json.dumps(index, ensure_ascii=False, indent=2) + "\n"


def as_table(index: Entry) -> str:
    """The statements as a table for reading: label and title, id, what they use, and what uses them."""
    several = len(index["notes"]) > 1
    rows = [("Statement", "Id", "Uses", "Used by")]
    for note in index["notes"]:
        if several:
            rows += [("", "", "", ""), (note["file"], "", "", "")]
        for entry in index["statements"]:
            if entry["note"] == note["name"] and not entry["proof_of"]:
                title = f" ({entry['title']})" if entry["title"] and entry["number"] else ""
                uses, users = (", ".join(_called(other, note["name"]) for other in entry[key]) for key in ("uses", "used_by"))
                rows.append((entry["label"] + title, entry["id"] or "", uses, users))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
    return "".join(f"{line}\n" for line in lines)


def _called(other: Entry, note: str) -> str:
    """What a statement is called in the table; one of another note with that note's name."""
    label: str = other["label"]
    return label if other["note"] == note else f"{label} of {other['note']}"


class _Reader:
    """Reads one draft."""

    def __init__(self, draft: Draft, name: str, file: str) -> None:
        self.draft = draft
        self.name = name
        self.file = file
        self.catalogue = draft.catalogue
        self.wordings = Wordings(draft.settings, draft.messages)
        self.uses = Uses(draft)
        self.references = {id(reference.place.element): text_of(reference.words) for reference in self.catalogue.references}

    def read(self) -> Entry:
        metadata = self.draft.doc.metadata.content.dict
        title = getattr(metadata.get("title"), "content", [])
        note = {"name": self.name, "file": self.file, **self.words("title", list(title))}
        return {
            "version": VERSION,
            "notes": [note | {"language": self.draft.settings.language}],
            "statements": [self.statement(statement) for statement in self.catalogue.statements if not statement.restates],
            "labels": list(self.labels()),
            "terms": [self.term(term) for term in self.catalogue.terms],
        }

    def statement(self, statement: Statement) -> Entry:
        uses = self.uses
        proved = uses.proved_by(statement)
        proof_of = self.point(proved or statement.target) if is_proof(statement) else None
        return {
            **self.place(statement),
            "kind": statement.kind.name,
            "number": statement.number,
            **self.words("title", statement.title),
            "language": statement.language or self.draft.settings.language,
            "file": self.file,
            "section": self.section(statement.section),
            "inside": self.point(statement.inside),
            "proof_of": proof_of,
            "proofs": [self.place(proof) for proof in uses.proofs(statement)],
            "uses": [self.point(used) for used in uses.of(statement)],
            "used_by": [self.place(user) for user in uses.by(statement)],
        }

    def place(self, statement: Statement) -> Entry:
        label = label_text(self.wordings.of(statement.language), statement).replace(NBSP, " ")
        position = self.uses.order[id(statement)] + 1
        return {"note": self.name, "position": position, "id": statement.identifier or None, "label": label}

    def point(self, target: object) -> Entry | None:
        if isinstance(target, Item):
            target = target.statement
        if isinstance(target, Statement):
            return self.place(target)
        if isinstance(target, Elsewhere):
            label = f"{self.wordings.of(None).name(target.noun)} {target.number or ''}".strip()
            return {"note": target.note, "position": None, "id": target.identifier, "label": label}
        return None

    def section(self, section: Section | None) -> Entry | None:
        if section is None:
            return None
        return {"number": section.number, "id": section.identifier or None, **self.words("title", section.title)}

    def labels(self) -> Iterator[Entry]:
        for identifier, target in self.catalogue.targets.items():
            if not isinstance(target, (Statement, Term)):
                number = {"noun": target.noun, "number": target.number}
                yield {"note": self.name, "id": identifier, **number, **self.words("title", target.title)}

    def term(self, term: Term) -> Entry:
        words = self.words("term", term.entry)
        places = {"statement": self.point(term.inside), "section": self.section(term.section)}
        return {"note": self.name, "id": term.identifier or None, **words, "see": term.see or None, **places}

    # Words

    def words(self, key: str, words: list[pf.Element]) -> Entry:
        """`key` as plain text, and as Markdown."""
        plain, marked = ("".join(self.text(words, marked)).strip() or None for marked in (False, True))
        return {key: plain, f"{key}_markdown": marked}

    def text(self, words: Iterable[pf.Element], marked: bool) -> Iterator[str]:
        """The text of inlines, with what references say in their places; `marked` as Markdown."""
        for word in words:
            if id(word) in self.references:
                yield from self.string(self.references[id(word)], marked)
            elif isinstance(word, pf.Str):
                yield from self.string(word.text, marked)
            elif isinstance(word, (pf.Space, pf.SoftBreak, pf.LineBreak)):
                yield " "
            elif isinstance(word, pf.Math):
                yield f"${word.text}$" if marked else word.text
            elif isinstance(word, (pf.Code, pf.RawInline)):
                yield f"`{word.text}`" if marked and isinstance(word, pf.Code) else word.text
            elif isinstance(word, pf.Quoted):
                opening, closing = "“”" if word.quote_type == "DoubleQuote" else "‘’"
                yield from (opening, *self.text(word.content.list, marked), closing)
            elif not isinstance(word, pf.Note) and hasattr(word, "_content"):
                mark = _MARKS.get(type(word), "") if marked else ""
                yield from (mark, *self.text(word.content.list, marked), mark)

    @staticmethod
    def string(text: str, marked: bool) -> Iterator[str]:
        yield _SPECIAL.sub(r"\\\1", text) if marked else text
