"""Reads what a reference asks for: pandoc's citations, \\ref and its kin, and links without words."""

from __future__ import annotations

import re

import panflute as pf

from scidraft.bibliography import has_entry
from scidraft.catalogue import Section
from scidraft.collect.surroundings import Surroundings
from scidraft.document import Place
from scidraft.draft import Draft
from scidraft.referring import Citing, Reference, Show

_COMMAND = re.compile(r"\\(?P<command>ref|eqref|cref|Cref|autoref|Autoref|nameref|pageref|vref)\*?\{(?P<ids>[^{}]+)\}")
_LABEL = re.compile(r"\\label\{([^{}]+)\}")
#: Classes round a citation that say what to show of it: `[@thm-x]{.title}`.
_SHOWN: dict[str, Show] = {"title": "title", "page": "page", "number": "number"}
#: Prefixes of what is numbered but is no statement.
_OTHER_PREFIXES = ("eq", "fig", "tbl", "tab", "sec", "lst", "app", "cha", "part")
_TELLING = re.compile(r"(?:sec|app|cha|part)[-:]")


class References:
    """Gathers the references of a note into its catalogue."""

    def __init__(self, draft: Draft, surroundings: Surroundings) -> None:
        self.draft = draft
        self.catalogue = draft.catalogue
        self.surroundings = surroundings
        self._shows: dict[int, Show] = {}
        #: Whether what comes now is metadata, which is walked before the text.
        self.in_metadata = True

    def span(self, span: pf.Span) -> None:
        """`[@thm-x]{.title}` asks for the title, `[@thm-x]{.page}` for the page."""
        words = span.content.list
        asked = next((name for name in span.classes if name in _SHOWN), None)
        cites = [word for word in words if isinstance(word, pf.Cite)]
        if asked and cites:
            self._shows.update({id(cite): _SHOWN[asked] for cite in cites})
            span.classes.remove(asked)

    def citation(self, cite: pf.Cite, place: Place) -> None:
        """A citation; whether it is of ours is known when all targets are."""
        show = self._shows.get(id(cite), "number")
        self._refer(
            place,
            [
                Citing(
                    citation.id,
                    _trimmed(citation.prefix.list),
                    list(citation.suffix.list),
                    bare=citation.mode == "SuppressAuthor",
                    capital=citation.id[:1].isupper(),
                    show=show,
                    citation=citation,
                )
                for citation in cite.citations.list
            ],
        )

    def link(self, link: pf.Link, place: Place) -> None:
        """\\ref as pandoc's LaTeX reader reads it, and a link without words: `[](#thm-x)`."""
        command = link.attributes.get("reference-type", "")
        if command:
            self._refer(place, _raw_citings(command, link.attributes.get("reference", "")))
        elif not link.content.list and link.url.startswith("#") and link.url[1:]:
            # Raw, because a link without words can only be a reference: an id that nothing has must be told.
            self._refer(place, [Citing(link.url[1:], raw=True)])

    def raw(self, raw: pf.RawInline | pf.RawBlock, place: Place) -> None:
        """\\ref and its kin in Markdown; labels in raw LaTeX are noted too."""
        if raw.format not in ("tex", "latex"):
            return
        self.catalogue.raw_labels.update(_LABEL.findall(raw.text))
        match = _COMMAND.fullmatch(raw.text.strip()) if isinstance(raw, pf.RawInline) else None
        if match:
            self._refer(place, _raw_citings(match["command"], match["ids"]))

    def _refer(self, place: Place, pieces: list[Citing]) -> None:
        index = next(i for i, element in enumerate(place.siblings) if element is place.element)
        reference = Reference(place, list(pieces), in_metadata=self.in_metadata)
        reference.language, reference.inside = self.surroundings.of(place.element)
        before = place.siblings[index - 1] if index else None
        if isinstance(before, pf.Str) and before.text.endswith("~") and isinstance(place.element, pf.RawInline):
            # pandoc takes the tilde of "Theorem~\ref{x}" for a letter.
            before.text = before.text[:-1] + "\u00a0"
        reference.sentence_start = self.surroundings.starts_sentence(place, index)
        if isinstance(place.parent, pf.Header):
            reference.in_heading = next((s for s in self.catalogue.sections if s.element is place.parent), None)
        self.catalogue.references.append(reference)

    def keep_ours(self) -> None:
        """Drop what is not ours, now that every target is known: citations of books, and of other filters' things."""
        kept: list[Reference] = []
        for reference in self.catalogue.references:
            citings = [piece for piece in reference.pieces if isinstance(piece, Citing)]
            ours = [self._is_ours(citing) for citing in citings]
            if any(ours):
                reference.pieces = [citing if own else citing.citation for citing, own in zip(citings, ours, strict=True)]
                kept.append(reference)
        self.catalogue.references = kept
        for statement in self.catalogue.statements:
            if statement.of and statement.of not in self.catalogue.targets:
                self._is_elsewhere(Citing(statement.of))

    def _is_ours(self, citing: Citing) -> bool:
        targets = self.catalogue.targets
        for identifier in (citing.identifier, citing.identifier[:1].lower() + citing.identifier[1:]):
            target = targets.get(identifier)
            # A heading's automatic id may be anybody's citation key, so only headings with a telling id are cited.
            if target is not None and (citing.citation is None or not isinstance(target, Section) or _TELLING.match(identifier)):
                citing.identifier = identifier
                return True
        if self._is_elsewhere(citing) or citing.raw:
            return True
        prefix = citing.identifier.partition("-")[0].lower()
        promised = self.draft.settings.kind_of_id(citing.identifier) or (prefix in _OTHER_PREFIXES and "-" in citing.identifier)
        return bool(promised) and not has_entry(self.draft, citing.identifier)

    def _is_elsewhere(self, citing: Citing) -> bool:
        """Whether `woodbury:idn-woodbury` names a note; a book's key may have a colon too."""
        note, _, identifier = citing.identifier.partition(":")
        source = self.draft.source
        if not identifier or (citing.citation is not None and has_entry(self.draft, citing.identifier)):
            return False
        if source and note == source.stem and identifier in self.catalogue.targets:
            citing.identifier = identifier
        elif not self.draft.library.knows(note):
            return False
        elif found := self.draft.library.find(note, identifier):
            self.catalogue.elsewhere[citing.identifier] = found
        citing.capital = citing.capital if citing.raw else identifier[:1].isupper()
        return True


def _raw_citings(command: str, ids: str) -> list[Citing]:
    command = {"ref+label": "cref", "ref+Label": "Cref"}.get(command, command)
    show: Show = "title" if command == "nameref" else "page" if command == "pageref" else "number"
    return [
        Citing(
            identifier.strip(),
            bare=command in ("ref", "eqref", "nameref", "pageref"),
            capital=command[:1].isupper(),
            show=show,
            parenthesised=command != "ref",
            raw=True,
        )
        for identifier in ids.split(",")
    ]


def _trimmed(words: list[pf.Element]) -> list[pf.Element]:
    while words and isinstance(words[-1], (pf.Space, pf.SoftBreak)):
        words = words[:-1]
    return list(words)
