"""The words: "Theorem 1.2 (Euler)", "Lemmas 3–5", "Proof of Theorem 2", in the note's language.

What is written here is the same in every output; a format only turns a `Mention` into a link or a `\\ref`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import panflute as pf
import yaml

from scidraft import messages
from scidraft.catalogue import Citing, Equation, Mention, Row, Section, Statement, Target, Words
from scidraft.document import inlines, plain_text
from scidraft.messages import Messages
from scidraft.paths import DATA
from scidraft.settings import Settings

NBSP = "\u00a0"

#: Languages without spaces between words, and those whose nouns change within a sentence ("из примера 4").
_UNSPACED = {"zh", "ja"}
_INFLECTED = {"ru", "pl", "de"}
_CJK = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")


@dataclass
class Head:
    """The head of a statement: `label` is its kind's name or what stands for it, then number, title, and the marks between."""

    label: list[Words]
    number: str | None
    title: list[pf.Element] = field(default_factory=list)
    open: str = " ("
    close: str = ")"
    stop: str = "."


@lru_cache
def table(language: str) -> dict[str, Any] | None:
    """The words of `language`: its own table, or that of its base ("de" for "de-CH"); None where there is neither."""
    for tag in (language, language.replace("_", "-").split("-")[0].lower()):
        path = DATA / "names" / f"{tag}.yaml"
        if tag.replace("-", "").isalnum() and path.is_file():
            words: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
            return words
    return None


class Wording:
    """The words of one language for one note; what is missing is told to `report` once and said in English."""

    def __init__(self, settings: Settings, report: Messages, language: str | None = None) -> None:
        self.settings = settings
        self.report = report
        self.language = language or settings.language
        self.base = self.language.replace("_", "-").split("-")[0].lower()
        english = table("en")
        assert english is not None
        own = table(self.language)
        if own is None:
            report.add(messages.unknown_language(self.language))
        self.words: dict[str, Any] = own or english
        self._english = english

    def get(self, key: str) -> Any:
        """An entry of the language's table, the English one where the table has none."""
        return self.words.get(key, self._english.get(key))

    def page_word(self, key: str) -> str:
        """A word a page needs, such as "abstract"."""
        word: str = self.get("words").get(key) or self._english["words"][key]
        return word

    def name(self, noun: str, *, plural: bool = False, inside: bool = False) -> str:
        """The name of a kind or of another numbered thing; `inside` a sentence it may be spelt differently from a head."""
        kind = self.settings.kinds.get(noun)
        if kind and kind.singular:
            word = (kind.plural if plural else kind.singular) or kind.singular
        else:
            pair = self.words["names"].get(noun)
            if pair is None:
                pair = self._english["names"].get(noun)
                if pair is None:
                    # An author's kind without a name is called as it is spelt.
                    pair = [noun[:1].upper() + noun[1:].replace("-", " ")] * 2
                elif self.words is not self._english:
                    self.report.add(messages.missing_word(noun, self.language))
            word = str(pair[1 if plural else 0])
        if inside and self.get("reference-case") == "lower":
            word = word[:1].lower() + word[1:]
        return word

    # Heads

    def head(self, statement: Statement) -> Head:
        """The head of a statement."""
        marks = self.get("head")
        title = list(statement.title)
        if statement.attribution:
            title += [*(inlines(marks["between"]) if title else []), *statement.attribution]
        name = self.name(statement.noun)
        label: list[Words] = list(inlines(name))
        if statement.of and statement.target:
            label = self._of(name, statement)
        if statement.kind.style == "proof" and statement.title:
            # As amsthm's optional argument does, a proof's title replaces the word.
            label, title = list(statement.title), []
        return Head(label, statement.number, title, marks["open"], marks["close"], marks["stop"])

    def _of(self, name: str, statement: Statement) -> list[Words]:
        """ "Proof of Theorem 2", by the language's pattern."""
        assert statement.target is not None
        target = statement.target
        key = "of-answer" if statement.noun in ("solution", "answer") else "of"
        template: str = self.get(key)
        word = "" if _by_title(target) and not isinstance(target, Statement) else self.name(_noun(target), inside=True)
        mention = Mention(target, word, "title" if _by_title(target) else "number")
        genitive = self.get("genitive").get(_noun(target))
        kind = self.settings.kinds.get(_noun(target))
        if "{genitive}" in template:
            if genitive and not (kind and kind.singular):
                # The article stays outside the link: "du [théorème 2]", "de l’[exemple 3]".
                cut = max(genitive.rfind(" "), genitive.rfind("’")) + 1
                template = template.replace("{genitive} {number}", genitive[:cut] + "{target}")
                mention.word = genitive[cut:]
            else:
                # The table cannot know the gender of an author's own word.
                template = self.words["of-other"]
        before, _, after = template.partition("{target}")
        return [*_spaced(before.replace("{head}", name)), mention, *_spaced(after.replace("{head}", name))]

    # References

    def replaces_name(self, prefix: Sequence[pf.Element]) -> bool:
        """Whether the author's words before a reference stand for the kind's name ("Prop. 1") or before it ("see Theorem 1").

        They replace it when they end in a kind's name, or when they begin with a capital and are no lead-in such as "See".
        """
        text = plain_text(prefix).replace("'", "’").rstrip(".,:")
        if not text or self._leads_in(text):
            return False
        nouns = {*self.words["names"], *self.settings.kinds}
        names = {self.name(noun, plural=plural).casefold() for noun in nouns for plural in (False, True)}
        names |= {phrase.split()[-1].rpartition("’")[2] for phrase in self.get("genitive").values()}
        last = re.split(r"[\s’]", text)[-1].casefold()
        if last in names or (self.base in _UNSPACED and text.endswith(tuple(names))):
            return True
        if self.base in _INFLECTED and any(_same_stem(last, name) for name in names):
            return True
        return text[0].isupper()

    def _leads_in(self, text: str) -> bool:
        lead_ins = {word.rstrip(".").casefold() for word in (*self.get("lead-ins"), *self._english["lead-ins"])}
        folded = text.casefold()
        return folded in lead_ins or any(" " in word and folded.endswith(f" {word}") for word in lead_ins)

    def group(self, citings: Sequence[tuple[Citing, Target]], sentence_start: bool) -> list[Words]:
        """Several references in one pair of brackets: kinds together, plural, runs as ranges, joined as the language does."""
        clusters: list[list[tuple[Citing, Target]]] = []
        for citing, target in citings:
            alone = citing.suffix or (citing.prefix and clusters)
            home = None
            if not alone:
                home = next((cluster for cluster in clusters if self._together(cluster[0], (citing, target))), None)
            if home is not None:
                home.append((citing, target))
            else:
                clusters.append([(citing, target)])
        join = self.get("join")
        words: list[Words] = []
        for index, cluster in enumerate(clusters):
            citing = cluster[0][0]
            if index:
                if citing.prefix and not self.replaces_name(citing.prefix):
                    words += _spaced(join["many"])
                else:
                    words += _spaced(
                        join["two"] if len(clusters) == 2 else join["last"] if index == len(clusters) - 1 else join["many"]
                    )
            words += self._cluster(cluster, capital=sentence_start and not index)
        return _tightened(words) if self.base in _UNSPACED else words

    def _together(self, first: tuple[Citing, Target], other: tuple[Citing, Target]) -> bool:
        (citing, target), (citing2, target2) = first, other
        return (
            not citing.suffix
            and _noun(target) == _noun(target2)
            and (citing.bare, citing.show) == (citing2.bare, citing2.show)
            and _by_title(target) == _by_title(target2) is False
        )

    def _cluster(self, cluster: list[tuple[Citing, Target]], capital: bool) -> list[Words]:
        citing, target = cluster[0]
        words: list[Words] = []
        own_name = self.replaces_name(citing.prefix)
        if citing.prefix:
            words += [*citing.prefix, pf.Str(NBSP) if own_name else pf.Space()]
        # Without its number in sight a thing is told by its name and title, or by its title alone.
        named = (
            not (citing.bare or own_name)
            and citing.show != "title"
            and (not _by_title(target) or isinstance(target, (Statement, Section)))
        )
        word = ""
        if named:
            capital = citing.capital or (capital and not citing.prefix)
            word = self.name(_noun(target), plural=len(cluster) > 1, inside=not capital)
        show = "title" if citing.show == "number" and _by_title(target) else citing.show
        cluster = sorted(cluster, key=lambda pair: _sort_key(pair[1])) if len(cluster) > 1 else cluster
        join = self.get("join")
        runs = _runs([pair[1] for pair in cluster])
        for index, run in enumerate(runs):
            if index:
                words += _spaced(join["two"] if len(runs) == 2 else join["last"] if index == len(runs) - 1 else join["many"])
            words.append(Mention(run[0], word if not index else "", show))
            if len(run) > 1:
                words += [pf.Str(join["range"]), Mention(run[-1], "", show)]
        return [*words, *citing.suffix]


class Wordings:
    """The words of a note whose parts may be in several languages."""

    def __init__(self, settings: Settings, report: Messages) -> None:
        self._settings = settings
        self._report = report
        self._known: dict[str, Wording] = {}

    def of(self, language: str | None) -> Wording:
        """The words of `language`, None for the note's own."""
        tag = language or self._settings.language
        if tag not in self._known:
            self._known[tag] = Wording(self._settings, self._report, tag)
        return self._known[tag]


def _noun(target: Target) -> str:
    return target.noun


def _by_title(target: Target) -> bool:
    """Whether a target has to be named by its title because it has no number."""
    return target.number is None


def shown_number(target: Target) -> str:
    """The number as it is printed; that of an equation in parentheses, unless its author gave a \\tag* that has its own."""
    number = target.number or ""
    if isinstance(target, (Equation, Row)):
        return number if target.starred else f"({number})"
    return number


def _spaced(text: str) -> list[Words]:
    """Words with their spaces; one before or after them stays."""
    return list(inlines(text))


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


def _same_stem(word: str, name: str) -> bool:
    """Whether `word` is `name` in another case: all but its last two letters, and at least four, are the same."""
    length = max(4, len(name) - 2)
    return len(name) >= 4 and word[:length] == name[:length]


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
    return plain_text([word])
