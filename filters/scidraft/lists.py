"""The pass that fills lists of statements, the index of terms, and "Used in" lists; formats set them.

::: {.list-of-statements kinds="theorem lemma" named-only=true title="Theorems"}
::: {.index-of-terms title="Index"}
::: {.used-in of="lem-a"}
"""

from __future__ import annotations

import re

import panflute as pf

from scidraft import grouping, messages
from scidraft.alphabet import sort_key
from scidraft.catalogue import Statement, Term
from scidraft.document import Place, inlines, plain_text, replace, walk
from scidraft.draft import Draft
from scidraft.marks import INDEX_OF_TERMS, LIST_OF_STATEMENTS, USED_IN
from scidraft.referring import Citing, Line, Mention, Overview, Reference, Request
from scidraft.uses import Uses, is_proof
from scidraft.wording import Wordings

_NO = ("", "false", "no", "0")


def run(draft: Draft) -> None:
    """Fill the lists; what they lead to gets an id where it has none."""
    for request in draft.catalogue.requests:
        if request.name == LIST_OF_STATEMENTS:
            _list_statements(request, draft)
        elif request.name == INDEX_OF_TERMS:
            _list_terms(request, draft)
    _used_in([request.place.element for request in draft.catalogue.requests if request.name == USED_IN], draft)


def give_identifier(target: Statement | Term, draft: Draft) -> None:
    """Let a link lead to `target`: an id from its name and number, or from its words, unless it has one."""
    words = target.number or plain_text(target.title)
    stem = f"{target.noun}-{_slug(words)}".rstrip("-")
    identifier, count = target.identifier or stem, 1
    while not draft.catalogue.claim(identifier, target):
        count += 1
        identifier = f"{stem}-{count}"
    target.identifier = target.element.identifier = identifier


def chosen_kinds(div: pf.Div, name: str, draft: Draft) -> set[str] | None:
    """The kinds that the attribute `kinds` of a div asks for, None for all; `name` is the div's class, for messages."""
    asked = re.split(r"[\s,;]+", div.attributes.pop("kinds", "").strip())
    known = {word: kind.name for word in asked if (kind := draft.settings.kind_of(word))}
    for word in asked:
        if word and word not in known:
            draft.messages.add(messages.lists.unknown_kind(word, name))
    return set(known.values()) if any(asked) else None


# Lists of statements and terms


def _list_statements(request: Request, draft: Draft) -> None:
    div = request.place.element
    kinds = chosen_kinds(div, request.name, draft)
    named_only = div.attributes.pop("named-only", "").lower() not in _NO
    lines = []
    for statement in draft.catalogue.statements:
        wanted = statement.kind.name in kinds if kinds is not None else not is_proof(statement)
        again = statement.restates or "unlisted" in statement.element.classes
        if wanted and not again and (statement.title or not named_only):
            give_identifier(statement, draft)
            lines.append(Line(statement))
    _enter(Overview(div, "list-of-statements", lines), request.language, "statements", draft)


def _list_terms(request: Request, draft: Draft) -> None:
    """The terms by what the index calls them; one that says `see` leads to that other one."""
    wording = Wordings(draft.settings, draft.messages).of(request.language)
    terms: dict[str, Line] = {}
    for term in draft.catalogue.terms:
        _give_place(term, draft)
        line = terms.setdefault(plain_text(term.entry).casefold(), Line(term))
        if line.target is not term:
            line.others.append(term)
    for line in terms.values():
        see = line.target.see if isinstance(line.target, Term) else ""
        if see:
            other = terms.get(see.casefold())
            if other is None:
                draft.messages.add(messages.lists.unknown_see(plain_text(line.target.title), see))
            found: list[pf.Element | Mention] = [Mention(other.target, "", "title")] if other else list(inlines(see))
            line.see = [pf.Emph(*inlines(wording.page_word("see"))), pf.Space(), *found]
    lines = sorted(terms.values(), key=lambda line: sort_key(_sorted_by(line.target), wording.language))
    _enter(Overview(request.place.element, "index-of-terms", lines), request.language, "index", draft)


def _give_place(term: Term, draft: Draft) -> None:
    if term.in_heading and term.section and term.section.identifier:
        # A label in a heading would stand in the table of contents as well.
        term.identifier = term.section.identifier
    else:
        give_identifier(term, draft)


def _sorted_by(target: Statement | Term) -> str:
    return (target.sort if isinstance(target, Term) else "") or plain_text(target.title)


def _enter(overview: Overview, language: str | None, usual: str, draft: Draft) -> None:
    """Keep a list for the formats, below its title, which is the language's `usual` one for `title=true`.

    An empty list is told of and leaves nothing.
    """
    div = overview.element
    title = div.attributes.pop("title", "").strip()
    div.classes = [overview.kind, *(name for name in div.classes if name != overview.kind)]
    if not overview.lines:
        draft.messages.add(messages.lists.empty_list(overview.kind))
        return
    if title == "true":
        title = Wordings(draft.settings, draft.messages).of(language).page_word(usual)
    if title:
        div.content.list.insert(0, pf.Div(pf.Para(pf.Strong(*inlines(title))), classes=["list-title"]))
    draft.catalogue.overviews.append(overview)


# Used in


def _used_in(asked: list[pf.Div], draft: Draft) -> None:
    if not (asked or draft.settings.used_in):
        return
    uses = Uses(draft)
    wordings = Wordings(draft.settings, draft.messages)
    for div in asked:
        identifier = div.attributes.pop("of", "").strip().lstrip("@#")
        statement = draft.catalogue.targets.get(identifier)
        users = uses.by(statement) if isinstance(statement, Statement) else []
        if not isinstance(statement, Statement):
            draft.messages.add(messages.lists.unknown_used(identifier))
        elif not users:
            draft.messages.add(messages.lists.unused(identifier))
        if isinstance(statement, Statement) and users:
            div.content.list.append(_users(statement, users, draft, wordings))
    if draft.settings.used_in:
        by_element = {id(place.element): place for place in walk(draft.doc) if isinstance(place.element, pf.Div)}
        for statement in draft.catalogue.statements:
            users = uses.by(statement)
            found = by_element.get(id(statement.element))
            if users and found and not statement.restates:
                line = pf.Div(_users(statement, users, draft, wordings), classes=[USED_IN])
                replace(found, statement.element, line)


def _users(statement: Statement, users: list[Statement], draft: Draft, wordings: Wordings) -> pf.Para:
    """ "Used in: Theorem 3, Lemma 5.", with a reference that is set like any other."""
    wording = wordings.of(statement.language)
    for user in users:
        give_identifier(user, draft)
    words = grouping.say(wording, [(Citing(user.identifier, capital=True), user) for user in users], sentence_start=True)
    holder = pf.Str("")
    paragraph = pf.Para(*inlines(f"{wording.page_word('used-in')}: "), holder, pf.Str("."))
    siblings: list[pf.Element] = paragraph.content.list
    reference = Reference(Place(holder, siblings, paragraph), [], language=statement.language, words=words)
    draft.catalogue.references.append(reference)
    draft.catalogue.used_in.append(paragraph)
    return paragraph


def _slug(text: str) -> str:
    return re.sub(r"[^\w.]+", "-", text.casefold()).strip("-.")
