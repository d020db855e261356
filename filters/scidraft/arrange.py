"""The pass that puts statements where they are to be read: proofs deferred to the end, and statements said again.

It comes before the catalogue is filled, so that whatever is moved is numbered where it is read, as LaTeX will.
"""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass

import panflute as pf

from scidraft import messages
from scidraft.dialects import kind_of
from scidraft.document import Place, first_words, inlines, replace, take_label_after, walk
from scidraft.draft import Draft
from scidraft.marks import ATTRIBUTION, RESTATES, TITLE
from scidraft.tex import without_labels
from scidraft.wording import Wordings

_LABEL = re.compile(r"\\label\{([^{}]+)\}")

#: The class of a div that deferred proofs are to be put in.
HOME = "deferred-proofs"


def run(draft: Draft) -> None:
    """Move deferred proofs, then fill the divs that say a statement again."""
    _defer(draft)
    _restate(draft)


# Deferred proofs


@dataclass
class _Deferred:
    place: Place
    to: str
    theorem: pf.Div | None


def _defer(draft: Draft) -> None:
    found = _deferred(draft)
    if not found:
        return
    taken = 0
    for item in found:
        proof = item.place.element
        if "of" not in proof.attributes and item.theorem is not None:
            if not item.theorem.identifier:
                taken += 1
                item.theorem.identifier = f"deferred-{taken}"
            proof.attributes["of"] = item.theorem.identifier
    # Sections first: the end of a section is found by its place, which moving to the end of the note does not change.
    blocks = draft.doc.content.list
    for item in (item for item in found if item.to == "section"):
        index, end = _section_end(blocks, item.place)
        if end is not None:
            proof = _with_restatement(item)
            del blocks[index]
            blocks[end - 1 : end - 1] = proof
    rest = [item for item in found if item.to == "appendix"]
    if rest:
        home = _home(draft)
        for item in rest:
            pieces = _with_restatement(item)
            replace(item.place)
            home += pieces


def _deferred(draft: Draft) -> list[_Deferred]:
    """The proofs that are to be moved, each with the statement before it."""
    found: list[_Deferred] = []
    before: dict[int, pf.Div] = {}
    for place in walk(draft.doc):
        div = place.element
        if not isinstance(div, pf.Div):
            continue
        kind = kind_of(div, draft.settings)
        if kind is None:
            continue
        if kind.style != "proof":
            before[id(place.siblings)] = div
            continue
        to = div.attributes.pop("defer", "" if draft.settings.proofs == "inline" else draft.settings.proofs)
        # A proof inside another belongs to it and stays.
        if to in ("section", "appendix") and not any(div is inner for item in found for inner in _divs(item.place.element)):
            found.append(_Deferred(place, to, before.get(id(place.siblings))))
        elif to not in ("", "inline", "section", "appendix"):
            draft.messages.add(messages.settings.bad_value("defer", to, "section or appendix"))
    return found


def _divs(root: pf.Element) -> list[pf.Element]:
    return [place.element for place in walk(root) if isinstance(place.element, pf.Div)]


def _section_end(blocks: list[pf.Element], place: Place) -> tuple[int, int | None]:
    """Where a top-level block stands, and where its section ends; no end for what stands deeper, which keeps its place."""
    index = next((i for i, block in enumerate(blocks) if block is place.element), None)
    if index is None:
        return 0, None
    level = next((block.level for block in reversed(blocks[:index]) if isinstance(block, pf.Header)), 0)
    for end in range(index + 1, len(blocks)):
        block = blocks[end]
        if isinstance(block, pf.Header) and block.level <= max(level, 1):
            return index, end
    return index, _before_references(blocks)


def _before_references(blocks: list[pf.Element]) -> int:
    for index, block in enumerate(blocks):
        if isinstance(block, pf.Div) and block.identifier == "refs":
            # Its heading stays with it.
            return index - 1 if index and isinstance(blocks[index - 1], pf.Header) else index
    return len(blocks)


def _home(draft: Draft) -> list[pf.Element]:
    """The list that deferred proofs go into: the author's div for them, else a new appendix."""
    for place in walk(draft.doc):
        if isinstance(place.element, pf.Div) and HOME in place.element.classes:
            home: list[pf.Element] = place.element.content.list
            return home
    words = inlines(Wordings(draft.settings, draft.messages).of(None).name("proof", plural=True))
    div = pf.Div(classes=[HOME])
    end = _before_references(draft.doc.content.list)
    heading = pf.Header(*words, level=1, identifier=HOME, classes=["appendix"])
    draft.doc.content.list[end:end] = [heading, div]
    live: list[pf.Element] = div.content.list
    return live


def _with_restatement(item: _Deferred) -> list[pf.Element]:
    """The proof, and its statement said again before it where `restate=true` asks for it."""
    proof = item.place.element
    wanted = str(proof.attributes.pop("restate", "")).lower() in ("true", "yes", "1")
    if not wanted:
        return [proof]
    return [pf.Div(attributes={"restate": proof.attributes.get("of", "")}), proof]


# Statements said again


def _restate(draft: Draft) -> None:
    places = [place for place in walk(draft.doc) if isinstance(place.element, pf.Div) and "restate" in place.element.attributes]
    if not places:
        return
    originals = {
        place.element.identifier: place.element
        for place in walk(draft.doc)
        if isinstance(place.element, pf.Div) and place.element.identifier and kind_of(place.element, draft.settings)
    }
    for place in places:
        div = place.element
        identifier = div.attributes.pop("restate").lstrip("@#")
        original = originals.get(identifier)
        if original is None:
            draft.messages.add(messages.references.unknown_restatement(identifier, first_words([div])))
            div.content.list.insert(0, pf.Para(pf.Span(pf.Str(f"?{identifier}"), classes=["ref-unknown"])))
            continue
        again = copy.deepcopy(original)
        _without_identifiers(again)
        again.attributes.pop("of", None)
        again.attributes[RESTATES] = identifier
        again.classes.append("restated")
        # What the author wrote in the div stands after the statement.
        replace(place, again, *div.content.list)


def _without_identifiers(div: pf.Div) -> None:
    """Take every id and label out of a copy; a formula that had one says the number of the original's."""
    div.identifier = ""
    for place in list(walk(div)):
        element = place.element
        if isinstance(element, pf.Math) and element.format == "DisplayMath":
            key = take_label_after(place) or next(iter(_LABEL.findall(element.text)), "")
            several = "\\\\" in element.text
            element.text = _LABEL.sub(r"\\tag{\\ref{\1}}", element.text) if several else without_labels(element.text)
            if key and "\\tag" not in element.text:
                element.text = f"{element.text} \\tag{{\\ref{{{key}}}}}"
        elif getattr(element, "identifier", "") and not (
            isinstance(element, pf.Header) and {TITLE, ATTRIBUTION} & set(element.classes)
        ):
            element.identifier = ""
