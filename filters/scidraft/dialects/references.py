"""References as other tools write them, rewritten to what `collect` reads: citations of ours, and links that say how to refer."""

from __future__ import annotations

import re
from collections.abc import Iterator

import panflute as pf

from scidraft.dialects import myst
from scidraft.dialects.blocks import kind_of
from scidraft.dialects.heads import Heads
from scidraft.dialects.statement import ACRONYM
from scidraft.document import Place, plain_text, replace, walk
from scidraft.draft import Draft
from scidraft.kinds import Kind

_BOOKDOWN = re.compile(r"(?P<before>.*?)\\?@ref\((?P<label>[^()\s]+)\)", re.DOTALL)
_AUTOMATIC = re.compile(r"[Pp]res?:(?P<id>.+)", re.DOTALL)
_PLACEHOLDER = re.compile(r"(?P<before>.*?)(?:<>|\{number\})(?P<after>.*)", re.DOTALL)
_LONGREF = re.compile(r"\\longref(?=\{)")
_EQREF = re.compile(r"\\eqref\{(?P<id>[^{}]+)\}")
#: How bookdown and we spell the prefixes of what is no statement.
_FLOATS = {"tab": "tbl", "fig": "fig", "eq": "eq"}


def run(draft: Draft, heads: Heads, numbers_only: str | None) -> None:
    """Rewrite the references of a note.

    `numbers_only` is the dialect ("statement" or "amsthm") whose habit the note follows, that `@id` is the number alone.
    """
    _References(draft, heads, numbers_only).run()


class _References:
    def __init__(self, draft: Draft, heads: Heads, numbers_only: str | None) -> None:
        self.draft = draft
        self.on = draft.settings.dialects
        self.heads = heads
        self.numbers_only = numbers_only
        self.kinds: dict[str, Kind] = {}
        self.acronyms: dict[str, str] = {}
        self.identifiers: set[str] = set()

    def run(self) -> None:
        found: list[Place] = []
        for place in walk(self.draft.doc):
            element = place.element
            if isinstance(element, pf.Div):
                self.note(element)
            identifier = getattr(element, "identifier", "")
            if identifier:
                self.identifiers.add(identifier)
            if isinstance(element, (pf.Cite, pf.Link, pf.RawInline)) or (
                isinstance(element, pf.Str) and ("@ref(" in element.text or element.text.endswith("}"))
            ):
                found.append(place)
        for place in found:
            element = place.element
            if isinstance(element, pf.Cite):
                self.citation(element, place)
            elif isinstance(element, pf.Link):
                self.link(element, place)
            elif isinstance(element, pf.RawInline):
                self.raw(element, place)
            else:
                self.text(element, place)

    def raw(self, raw: pf.RawInline, place: Place) -> None:
        """`\\longref` of custom-numbered-blocks says the name too; `\\eqref` sets parentheses also round a statement's number."""
        if raw.format != "tex":
            return
        if "quarto" in self.on:
            raw.text = _LONGREF.sub(r"\\Cref", raw.text)
        match = _EQREF.fullmatch(raw.text)
        if match and match["id"] in self.kinds:
            raw.text = f"\\ref{{{match['id']}}}"
            replace(place, pf.Str("("), raw, pf.Str(")"))

    def note(self, div: pf.Div) -> None:
        kind = kind_of(div, self.draft.settings)
        acronym = div.attributes.pop(ACRONYM, "")
        if kind and div.identifier:
            self.kinds[div.identifier] = kind
            if acronym:
                self.acronyms[div.identifier] = acronym

    def statement(self, identifier: str) -> str | None:
        """The id of the statement that is meant, whose first letter a reference may write as a capital."""
        lower = identifier[:1].lower() + identifier[1:]
        return next((name for name in (identifier, lower) if name in self.kinds), None)

    # Citations

    def citation(self, cite: pf.Cite, place: Place) -> None:
        citations = cite.citations.list
        if "statement" in self.on and any(_AUTOMATIC.fullmatch(citation.id) for citation in citations):
            self.automatic(cite, place)
            return
        acronym = self.acronyms.get(citations[0].id) if len(citations) == 1 else None
        if acronym and not citations[0].prefix.list and not citations[0].suffix.list:
            replace(place, pf.Link(pf.SmallCaps(pf.Str(acronym)), url=f"#{citations[0].id}", classes=["ref"]))
            return
        brackets = False
        for citation in citations:
            identifier = self.statement(citation.id)
            if identifier is None:
                continue
            if self.numbers_only and not self.draft.settings.kind_of_id(identifier):
                brackets = brackets or citation.mode == "NormalCitation"
                if identifier == citation.id and self.kinds[identifier].numbered:
                    citation.mode = "SuppressAuthor"
            if self.repeats_name(place, identifier):
                citation.mode = "SuppressAuthor"
        if brackets and self.numbers_only == "amsthm":
            replace(place, pf.Str("("), cite, pf.Str(")"))

    def automatic(self, cite: pf.Cite, place: Place) -> None:
        """`@Pre:x`, `[@Pres:x; @pre:y]`: with the name of the kind."""
        identifiers = []
        plain = True
        for citation in cite.citations.list:
            match = _AUTOMATIC.fullmatch(citation.id)
            identifier = match["id"] if match else citation.id
            identifiers.append(identifier)
            plain = plain and not citation.prefix.list and not citation.suffix.list
            citation.id = identifier[:1].upper() + identifier[1:] if citation.id[:1] == "P" and match else identifier
        if plain:
            # Said with a link, an id that nothing has is told as ours; a citation of it might be of a book.
            replace(place, _link(identifiers, "ref+Label" if cite.citations.list[0].id[:1].isupper() else "ref+label"))

    def repeats_name(self, place: Place, identifier: str) -> bool:
        """Whether the author has written "Theorem" before the reference, so that it need not be said again."""
        kind = self.kinds[identifier]
        before = _text_before(place)
        word = before.rstrip().rpartition(" ")[2] if before[-1:] == " " else ""
        named = self.heads.kind(word.strip("([")) if word else None
        return named is not None and named.name == kind.name and word.strip("([")[:1].isupper() and kind.numbered is not False

    # Links and text

    def link(self, link: pf.Link, place: Place) -> None:
        """`[](#x)`, `[Theorem <>](#x)`, `[{number}](#x)`, `[{name}](#x)`."""
        identifier = link.url[1:] if link.url.startswith("#") else ""
        if not identifier or identifier not in self.identifiers:
            return
        words = link.content.list
        if not words:
            if self.numbers_only == "statement" and identifier in self.kinds and self.kinds[identifier].numbered:
                replace(place, _link([identifier], "ref"))
            return
        for index, word in enumerate(words):
            match = _PLACEHOLDER.fullmatch(word.text) if isinstance(word, pf.Str) else None
            if match:
                parts = [
                    *words[:index],
                    *([pf.Str(match["before"])] if match["before"] else []),
                    _link([identifier], "ref"),
                    *([pf.Str(match["after"])] if match["after"] else []),
                    *words[index + 1 :],
                ]
                replace(place, *parts)
                return
        if "myst" in self.on and plain_text(words) == "{name}":
            replace(place, _link([identifier], "nameref"))

    def text(self, word: pf.Str, place: Place) -> None:
        if "bookdown" in self.on and "@ref(" in word.text:
            replace(place, *self.bookdown(word.text))
        elif "myst" in self.on and word in place.siblings:
            index = next(i for i, other in enumerate(place.siblings) if other is word)
            new = myst.role(place.siblings, index)
            if new is not None:
                place.siblings[index : index + 2] = new

    def bookdown(self, text: str) -> Iterator[pf.Element]:
        """`\\@ref(thm:x)` prints the number alone, that of an equation in parentheses."""
        end = 0
        for match in _BOOKDOWN.finditer(text):
            before = match["before"]
            if before:
                yield pf.Str(before[:-1] + "\u00a0" if before.endswith("~") else before)
            identifier = self.labelled(match["label"])
            yield _link([identifier], "eqref" if match["label"].startswith("eq:") else "ref")
            end = match.end()
        if text[end:]:
            yield pf.Str(text[end:])

    def labelled(self, label: str) -> str:
        """The id of what bookdown labels `thm:x`: a theorem's is `x`, where nothing has the whole label as its id."""
        prefix, colon, rest = label.partition(":")
        ours = _FLOATS.get(prefix) or (kind.prefix if (kind := self.draft.settings.kind_of(prefix)) else prefix)
        for identifier in (label, rest, f"{ours}:{rest}", f"{ours}-{rest}"):
            if colon and identifier in self.identifiers:
                return identifier
        return label


def _link(identifiers: list[str], command: str) -> pf.Link:
    joined = ",".join(identifiers)
    attributes = {"reference-type": command, "reference": joined}
    return pf.Link(pf.Str(joined), url=f"#{identifiers[0]}", attributes=attributes)


def _text_before(place: Place) -> str:
    """The last words before a reference, a no-break space as a space."""
    words: list[str] = []
    for word in place.siblings[: next(i for i, other in enumerate(place.siblings) if other is place.element)][-3:]:
        words.append(word.text if isinstance(word, pf.Str) else " " if isinstance(word, (pf.Space, pf.SoftBreak)) else "\n")
    return "".join(words).replace("\u00a0", " ").rpartition("\n")[2]
