"""How references are said: one alone, or several in one pair of brackets, grouped by kind, with plurals and runs of numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import panflute as pf

from scidraft.catalogue import Elsewhere, Item, Section, Statement, Target
from scidraft.document import plain_text
from scidraft.referring import Citing, Mention, Words
from scidraft.wording import NBSP, UNSPACED, Wording, shown_number, spaced

Cited = tuple[Citing, Target]

_CJK = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")


def say(wording: Wording, cited: Sequence[Cited], sentence_start: bool) -> list[Words]:
    """The words of several references: kinds together, plural, runs as ranges, joined as the language does.

    At the start of a sentence the first begins with a capital.
    """
    clusters: list[list[Cited]] = []
    for citing, target in cited:
        alone = citing.suffix or (citing.prefix and clusters)
        home = None if alone else next((cluster for cluster in clusters if _together(cluster[0], (citing, target))), None)
        if home is None:
            clusters.append([(citing, target)])
        elif all(other is not target for _, other in home):
            home.append((citing, target))
    words: list[Words] = []
    for index, cluster in enumerate(clusters):
        citing = cluster[0][0]
        if index:
            lead_in = citing.prefix and not wording.replaces_name(citing.prefix)
            words += spaced(wording.get("join")["many"]) if lead_in else _joint(wording, index, len(clusters))
        words += _cluster(wording, cluster, capital=sentence_start and not index)
    return _tightened(words) if wording.base in UNSPACED else words


def _joint(wording: Wording, index: int, count: int) -> list[Words]:
    """What stands before the part `index` of `count` parts."""
    join = wording.get("join")
    return spaced(join["two"] if count == 2 else join["last"] if index == count - 1 else join["many"])


def _together(first: Cited, other: Cited) -> bool:
    (citing, target), (citing2, target2) = first, other
    return (
        not citing.suffix
        and target.noun == target2.noun
        and not isinstance(target, Elsewhere)
        and not isinstance(target2, Elsewhere)
        and (citing.bare, citing.show) == (citing2.bare, citing2.show)
        and target.number is not None
        and target2.number is not None
        and getattr(target, "statement", None) is getattr(target2, "statement", None)
    )


def _cluster(wording: Wording, cluster: list[Cited], capital: bool) -> list[Words]:
    """References to things of one kind: its name once, then the numbers."""
    citing, target = cluster[0]
    words: list[Words] = []
    own_name = wording.replaces_name(citing.prefix)
    if citing.prefix:
        words += [*citing.prefix, pf.Str(NBSP) if own_name else pf.Space()]
    capital = citing.capital or (capital and not citing.prefix)
    several = len(cluster) > 1 and not isinstance(target, Item)
    word = wording.name(target.noun, plural=several, inside=not capital)
    show = citing.show
    if isinstance(target, Elsewhere):
        # Pages of other notes are not known, and their authors may have kinds of their own.
        show = "number" if show == "page" else show
        word = target.name if target.name and target.noun not in wording.settings.kinds else word
    if show == "page":
        word = wording.name("page", plural=len(cluster) > 1, inside=not capital)
    elif show == "number" and target.number is None:
        show = "title"
        # Without a number a statement is told by its name and title, other things by their title.
        if (citing.bare and target.title) or not isinstance(target, (Statement, Section, Elsewhere)):
            word = ""
    elif show == "title" and target.title:
        word = ""
    elif show == "title":
        show = "number"
    elif citing.bare:
        word = ""
    if own_name or (citing.bare and show == "page"):
        word = ""
    # Items keep the author's order; the second of "Theorem 2(i) and (ii)" is told by its mark, so they are of one statement.
    around = wording.get("around").get("page" if show == "page" else target.noun) if word and show in ("number", "page") else None
    if around:
        word = ""
    ordered = [target for _, target in cluster]
    ordered = ordered if isinstance(target, Item) else sorted(ordered, key=_sort_key)
    runs = _runs(ordered) if show == "number" else [[target] for target in ordered]
    for index, run in enumerate(runs):
        if index:
            words += _joint(wording, index, len(runs))
        marked = isinstance(run[0], Item) and show == "number" and (citing.bare or bool(index))
        words.append(Mention(run[0], word if not index else "", "mark" if marked else show, citing.parenthesised))
        if len(run) > 1:
            words += [pf.Str(wording.get("join")["range"]), Mention(run[-1], "", show, citing.parenthesised)]
    if around:
        mentions = [word for word in words if isinstance(word, Mention)]
        mentions[0].before, mentions[-1].after = around
    return [*words, *_suffix(citing)]


def _suffix(citing: Citing) -> list[pf.Element]:
    """The author's words after a reference; those of `@thm-x [p. 3]` come without anything before them."""
    first = citing.suffix[0] if citing.suffix else None
    if isinstance(first, pf.Str) and first.text[:1].isalnum():
        return [pf.Str(","), pf.Space(), *citing.suffix]
    return citing.suffix


def _split(number: str) -> tuple[str, int] | None:
    head, dot, last = number.rpartition(".")
    return (head + dot, int(last)) if last.isdigit() else None


def _sort_key(target: Target) -> tuple[int, list[tuple[int, str]]]:
    parts = (target.number or "").split(".")
    return (0 if target.number else 1, [(int(part), "") if part.isdigit() else (10**6, part) for part in parts])


def _runs(targets: Iterable[Target]) -> list[list[Target]]:
    """Targets with consecutive numbers together, three or more at a time: two are clearer as "2 and 3"."""
    runs: list[list[Target]] = []
    for target in targets:
        here = _split(target.number or "")
        last = _split(runs[-1][-1].number or "") if runs else None
        if here and last and here[0] == last[0] and here[1] == last[1] + 1:
            runs[-1].append(target)
        else:
            runs.append([target])
    return [part for run in runs for part in ([run] if len(run) > 2 else [[target] for target in run])]


def _tightened(words: list[Words]) -> list[Words]:
    """Words without the spaces between two Chinese or Japanese characters."""
    kept: list[Words] = []
    for index, word in enumerate(words):
        if isinstance(word, pf.Space) and kept and index + 1 < len(words):
            before, after = _shown(kept[-1])[-1:], _shown(words[index + 1])[:1]
            if _CJK.match(before) and _CJK.match(after):
                continue
        kept.append(word)
    return kept


def _shown(word: Words) -> str:
    if isinstance(word, Mention):
        return word.word + (shown_number(word.target) if word.show == "number" else plain_text(word.target.title))
    return plain_text([word]) if isinstance(word, pf.Element) else ""
