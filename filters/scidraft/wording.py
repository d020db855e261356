"""The words: "Theorem 1.2 (Euler)", "Lemmas 3–5", "Proof of Theorem 2", in the note's language.

What is written here is the same in every output; a format only turns a `Mention` into a link or a `\\ref`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import panflute as pf

from scidraft import messages
from scidraft.catalogue import Elsewhere, Equation, Row, Statement, Subequations, Target
from scidraft.document import inlines, plain_text
from scidraft.messages import Messages
from scidraft.paths import DATA
from scidraft.points import said_points
from scidraft.referring import Mention, Words
from scidraft.settings import Settings
from scidraft.tables import table as shipped_table

NBSP = "\u00a0"

#: Languages without spaces between words, and those whose nouns change within a sentence ("из примера 4").
UNSPACED = {"zh", "ja"}
_INFLECTED = {"ru", "pl", "de", "cs", "sk", "uk", "hr", "sl", "ro", "hu", "el", "fi", "et", "lt", "lv", "eu"}


@dataclass
class Head:
    """The head of a statement: `label` is its kind's name or what stands for it, then number, title, and the marks between."""

    label: list[Words]
    number: str | None
    title: list[pf.Element] = field(default_factory=list)
    open: str = " ("
    close: str = ")"
    stop: str = "."


#: Language tags that mean the table of another tag.
_SAME = {"zh-hant": "zh-TW", "zh-hk": "zh-TW", "zh-mo": "zh-TW", "zh-tw": "zh-TW", "no": "nb"}


def table(language: str) -> dict[str, Any] | None:
    """The words of `language`: its own table, or that of its base ("de" for "de-CH"); None where there is neither."""
    tag = language.replace("_", "-")
    for name in (_SAME.get(tag.lower(), tag), _SAME.get(tag.split("-")[0].lower(), tag.split("-")[0].lower())):
        if name.replace("-", "").isalnum() and (DATA / "names" / f"{name}.yaml").is_file():
            return shipped_table(f"names/{name}.yaml")
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
            report.add(messages.settings.unknown_language(self.language))
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
                    self.report.add(messages.settings.missing_word(noun, self.language))
            word = str(pair[1 if plural else 0])
        if inside and self.get("reference-case") == "lower":
            word = word[:1].lower() + word[1:]
        return word

    def mention(self, target: Target) -> Mention:
        """One target by name and number, as inside a sentence."""
        around = self.get("around").get(target.noun)
        if around:
            return Mention(target, before=around[0], after=around[1])
        return Mention(target, self.name(target.noun, inside=True))

    def points(self, number: Decimal) -> str:
        """What an exercise is worth: "5 points"."""
        said = said_points(number, self.language)
        if said is None:
            self.report.add(messages.settings.missing_word("points", self.language))
            said = said_points(number, "en")
        return said or str(number)

    # Heads

    def head(self, statement: Statement) -> Head:
        """The head of a statement."""
        marks = self.get("head")
        title = list(statement.title)
        if statement.attribution:
            title += [*(inlines(marks["between"]) if title else []), *statement.attribution]
        if statement.points is not None:
            title += [*(inlines(marks["between"]) if title else []), pf.Str(self.points(statement.points))]
        name = self.page_word("sketch") if statement.sketch else self.name(statement.noun)
        label: list[Words] = list(inlines(name))
        if statement.names_target:
            label = self._of(name, statement)
        if statement.kind.style == "proof" and statement.title:
            # As amsthm's optional argument does, a proof's title replaces the word.
            label, title = list(statement.title), list(statement.attribution)
        return Head(label, statement.number, title, marks["open"], marks["close"], marks["stop"])

    def _of(self, name: str, statement: Statement) -> list[Words]:
        """ "Proof of Theorem 2", by the language's pattern."""
        assert statement.target is not None
        target = statement.target
        key = "of-answer" if statement.noun in ("solution", "answer") else "of"
        template: str = self.get(key)
        word = "" if target.number is None and not isinstance(target, Statement) else self.name(target.noun, inside=True)
        # Heads of proofs and remarks are italic, their numbers upright.
        mention = Mention(target, word, "title" if target.number is None else "number", upright=True)
        genitive = self.get("genitive").get(target.noun)
        kind = self.settings.kinds.get(target.noun)
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
        return [*spaced(before.replace("{head}", name)), mention, *spaced(after.replace("{head}", name))]

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
        names |= {phrase.split()[-1].rpartition("’")[2].casefold() for phrase in self.get("genitive").values()}
        folded = text.casefold()
        last = re.split(r"[\s’]", folded)[-1]
        if last in names or any(" " in name and folded.endswith(name) for name in names):
            return True
        if self.base in UNSPACED and text.endswith(tuple(names)):
            return True
        if self.base in _INFLECTED and any(_same_stem(last, name) for name in names):
            return True
        return text[0].isupper()

    def _leads_in(self, text: str) -> bool:
        lead_ins = {word.rstrip(".").casefold() for word in (*self.get("lead-ins"), *self._english["lead-ins"])}
        folded = text.casefold()
        return folded in lead_ins or any(" " in word and folded.endswith(f" {word}") for word in lead_ins)


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


def shown_number(target: Target) -> str:
    """The number as it is printed; that of an equation in parentheses, unless its author gave a \\tag* that has its own."""
    number = target.number or ""
    if isinstance(target, (Equation, Row, Subequations)):
        return number if target.starred else f"({number})"
    if isinstance(target, Elsewhere) and target.noun == "equation":
        return f"({number})"
    return number


def text_of(words: Iterable[Words]) -> str:
    """Words as plain text, mentions as what they show."""
    parts = (
        f" {word.word} {word.before}{shown_number(word.target) or plain_text(word.target.title)}{word.after} "
        if isinstance(word, Mention)
        else plain_text([word]) or " "
        if isinstance(word, pf.Element)
        else word.identifier
        for word in words
    )
    return " ".join("".join(parts).split())


def label_text(wording: Wording, statement: Statement) -> str:
    """A statement's label as plain text: "Theorem 1.2", "Proof of Theorem 2", and for one without a number "Theorem (Euler)"."""
    label = text_of(wording.head(statement).label)
    if statement.number:
        return f"{label} {statement.number}"
    named = statement.title and statement.kind.style != "proof"
    return f"{label} ({plain_text(statement.title)})" if named else label


def spaced(text: str) -> list[Words]:
    """The words of a piece of a pattern, with the spaces at its ends."""
    return list(inlines(text))


def _same_stem(word: str, name: str) -> bool:
    """Whether `word` is `name` in another case: all but its last two letters, and at least four, are the same."""
    length = max(4, len(name) - 2)
    return len(name) >= 4 and word[:length] == name[:length]
