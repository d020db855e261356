"""The pass that joins every reference to its target and words it; what has no target is told and stays visible."""

from __future__ import annotations

import re

import panflute as pf

from scidraft import grouping, messages
from scidraft.catalogue import Statement, Target, describe
from scidraft.document import inlines, plain_text
from scidraft.draft import Draft
from scidraft.referring import Citing, LatexReference, Mention, Reference, Words
from scidraft.wording import Wording, Wordings, text_of


def run(draft: Draft) -> None:
    """Fill `words` of every reference and `target` of every proof that names its theorem."""
    wordings = Wordings(draft.settings, draft.messages)
    for statement in draft.catalogue.statements:
        if statement.of:
            statement.target = draft.catalogue.find(statement.of)
            if isinstance(statement.target, Statement) and statement.kind.style == "proof":
                statement.target.proofs.append(statement)
                _make_linkable(statement, statement.target, draft)
            if statement.target is None:
                draft.messages.add(messages.references.unknown_proof_target(describe(statement), statement.of))
    for reference in draft.catalogue.references:
        _tell_of_citeproc(reference, draft)
        reference.words = _words(reference, draft, wordings.of(reference.language))
        italic = reference.inside is not None and reference.inside.kind.style == "plain"
        for word in reference.words:
            if isinstance(word, Mention):
                word.upright = italic
        if reference.in_heading:
            _rename_heading(reference, draft)


def _make_linkable(proof: Statement, theorem: Statement, draft: Draft) -> None:
    """Give a proof the id that the link from its theorem needs."""
    if draft.settings.proof_links == "none" or proof.identifier:
        return
    proof.identifier = f"{theorem.identifier}-proof" + (f"-{len(theorem.proofs)}" if len(theorem.proofs) > 1 else "")
    proof.element.identifier = proof.identifier if draft.catalogue.claim(proof.identifier, proof) else ""


def _words(reference: Reference, draft: Draft, wording: Wording) -> list[Words]:
    """The words of one reference: ours in groups, then the bibliography's citations as pandoc had them, in the author's order."""
    words: list[Words] = []
    group: list[tuple[Citing, Target]] = []
    books: list[pf.Citation] = []

    def finish_group() -> None:
        if group:
            if words:
                words.extend(_joint(words))
            words.extend(grouping.say(wording, group, reference.sentence_start and len(words) == 0))
            group.clear()

    def finish_books() -> None:
        if books:
            if words:
                words.append(pf.Space())
            words.append(_cite(books))
            books.clear()

    for piece in reference.pieces:
        if not isinstance(piece, Citing):
            finish_group()
            books.append(piece)
            continue
        finish_books()
        target = draft.catalogue.find(piece.identifier)
        if target is not None:
            if piece.show == "number" and piece.bare and target.number is None:
                draft.messages.add(messages.references.unnumbered_target(piece.identifier))
            elif piece.show == "title" and not target.title:
                draft.messages.add(messages.references.untitled_target(piece.identifier))
            group.append((piece, target))
            continue
        finish_group()
        if words:
            words.extend(_joint(words))
        words.extend(_unknown(piece, reference, draft))
    finish_group()
    finish_books()
    return words


def _joint(words: list[Words]) -> list[Words]:
    return list(inlines("; "))


def _unknown(citing: Citing, reference: Reference, draft: Draft) -> list[Words]:
    """What is printed for an id that nothing has; a label in raw LaTeX is left to LaTeX."""
    if citing.raw and citing.identifier in draft.catalogue.raw_labels:
        draft.messages.add(messages.references.raw_label(citing.identifier))
        return [LatexReference(reference.place.element, citing.identifier)]
    note, _, identifier = citing.identifier.partition(":")
    elsewhere = identifier and draft.library.knows(note)
    draft.messages.add(
        (messages.lists.unknown_elsewhere if elsewhere else messages.references.unknown_reference)(citing.identifier)
    )
    before = [*citing.prefix, pf.Space()] if citing.prefix else []
    return [*before, pf.Span(pf.Str(f"?{citing.identifier}"), classes=["ref-unknown"]), *citing.suffix]


def _cite(citations: list[pf.Citation]) -> pf.Cite:
    """The bibliography's part of a reference, as a citation of its own; its text is what is printed when nobody resolves it."""
    text = "; ".join(
        f"{plain_text(citation.prefix.list)} @{citation.id}{plain_text(citation.suffix.list)}".strip() for citation in citations
    )
    return pf.Cite(*inlines(f"[{text}]"), citations=list(citations))


def _tell_of_citeproc(reference: Reference, draft: Draft) -> None:
    cite = reference.place.element
    if not isinstance(cite, pf.Cite):
        return
    for piece in reference.pieces:
        # citeproc prints **key?** for a key it does not know.
        if isinstance(piece, Citing) and f"{piece.identifier}?" in plain_text(cite.content.list):
            draft.messages.add(messages.references.after_citeproc())


def said(reference: Reference) -> str:
    """A reference as plain text: for ids, and for descriptions of pictures."""
    return text_of(reference.words)


def _rename_heading(reference: Reference, draft: Draft) -> None:
    """Give a heading an id from what the reader sees: pandoc made it from the raw key before any filter ran."""
    section = reference.in_heading
    assert section is not None
    slug = re.sub(r"[^\w.-]+", "-", said(reference).lower()).strip("-")
    for piece in reference.pieces:
        if isinstance(piece, Citing) and piece.identifier in section.identifier:
            identifier = section.identifier.replace(piece.identifier, slug, 1)
            if draft.catalogue.targets.get(section.identifier) is section:
                del draft.catalogue.targets[section.identifier]
            if draft.catalogue.claim(identifier, section):
                section.identifier = section.element.identifier = identifier
