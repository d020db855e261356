"""References and labels in other spellings, as citations of ours and ids."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from scidraft.rewrite.source import Edit, Plain, tokens

_COMMAND = re.compile(
    r"(?P<tilde>~)?\\(?P<command>ref|eqref|cref|Cref|autoref|Autoref|nameref|pageref|longref)\*?\{(?P<ids>[^{}\s]+)\}"
)
_BOOKDOWN = re.compile(r"(?P<tilde>~)?\\@ref\((?P<label>[^()\s]+)\)")
_AUTOMATIC = re.compile(r"@[Pp]res?:(?P<first>\w)")
_GROUP = re.compile(r"\[[^\[\]\n]*@[Pp]res?:[^\[\]]*\]")
_KEY = re.compile(r"(?<![\w@])@(?:[Pp]res?:)?(?P<first>\w)")
_EMPTY_LINK = re.compile(r"\[\]\(#(?P<id>[^()\s]+)\)")
_PLACEHOLDER = re.compile(r"\[(?P<before>[^\[\]<>{}]*)(?:<>|\{number\})(?P<after>[^\[\]<>{}]*)\]\(#(?P<id>[^()\s\"]+)\)")
_EQUATION = re.compile(r"\(\\#(?P<id>eq:[^\s()]+)\)")
_FIGURE = re.compile(
    r"!\[\(\\#(?P<id>fig:[^\s()]+)\)[ \t]*(?P<caption>[^\[\]\n]*)\](?P<target>\([^()\n]*\))(?P<attributes>\{[^{}\n]*\})?"
)
_TABLE = re.compile(r"^(?P<mark>(?:Table)?:[ \t]+)\(\\#(?P<id>tab:[^\s()]+)\)[ \t]*(?P<caption>[^\n]*)$", re.MULTILINE)


def edits(text: str, identifiers: Collection[str], *, capitals: bool) -> Iterator[Edit]:
    """The changes that make the references of `text` canonical; `identifiers` are the ids of the note.

    With `capitals`, what asks for a kind's name does so by a capital, as notes need where `@id` is the number alone.
    """

    def first(letter: str) -> str:
        return letter.upper() if capitals else letter

    plain = Plain(text)
    for match in _COMMAND.finditer(text):
        new = _command(match["command"], match["ids"].split(","), first)
        if match.start() in plain:
            yield Edit(match.start(), match.end(), ("\\ " if match["tilde"] else "") + new)
    for match in _BOOKDOWN.finditer(text):
        if match.start() in plain:
            label = match["label"]
            rest = label.partition(":")[2]
            identifier = label if label in identifiers or rest not in identifiers else rest
            yield Edit(match.start(), match.end(), ("\\ " if match["tilde"] else "") + f"[-@{identifier}]")
    groups = [match for match in _GROUP.finditer(text) if match.start() in plain]
    for match in groups:
        # One with its name means all with their names.
        yield Edit(match.start(), match.end(), _KEY.sub(lambda key: f"@{first(key['first'])}", match[0]))
    for match in _AUTOMATIC.finditer(text):
        if match.start() in plain and not any(group.start() <= match.start() < group.end() for group in groups):
            yield Edit(match.start(), match.end(), f"@{first(match['first'])}")
    for match in _EMPTY_LINK.finditer(text):
        if match.start() in plain:
            yield Edit(match.start(), match.end(), f"[@{match['id']}]")
    for match in _PLACEHOLDER.finditer(text):
        if match.start() in plain:
            yield Edit(match.start(), match.end(), f"{match['before']}[-@{match['id']}]{match['after']}")
    for match in (*_FIGURE.finditer(text), *_TABLE.finditer(text)):
        if match.start() in plain:
            yield Edit(match.start(), match.end(), _caption(match))
    for token in tokens(text):
        if token.kind == "display":
            for match in _EQUATION.finditer(text, token.start, token.end):
                yield Edit(match.start(), match.end(), f"\\label{{{match['id']}}}")


def _command(command: str, identifiers: list[str], first: Callable[[str], str]) -> str:
    if command in ("Cref", "Autoref", "longref"):
        identifiers = [first(identifiers[0][:1]) + identifiers[0][1:], *identifiers[1:]]
    bare = "-" if command in ("ref", "eqref", "pageref", "nameref") else ""
    citation = "[" + "; ".join(f"{bare}@{identifier}" for identifier in identifiers) + "]"
    return citation + {"nameref": "{.title}", "pageref": "{.page}"}.get(command, "")


def _caption(match: re.Match[str]) -> str:
    groups = match.groupdict()
    if "target" in groups:
        attributes = (match["attributes"] or "{}")[1:-1].strip()
        inner = " ".join(part for part in (f"#{match['id']}", attributes) if part)
        return f"![{match['caption']}]{match['target']}{{{inner}}}"
    return f"{match['mark']}{match['caption']} {{#{match['id']}}}"
