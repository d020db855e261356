"""Reads, selects and writes out TeX macros."""

from __future__ import annotations

import re
from collections.abc import Mapping

from scidraft.tex import TOKEN, group

#: A macro's body and its number of arguments, by its name without backslash.
Macros = Mapping[str, tuple[str, int]]

_MOST_EXPANSIONS = 10_000
_LONGEST_EXPANSION = 200_000
_DEFINING = re.compile(r"\s*\\(?:newcommand|renewcommand|providecommand|DeclareMathOperator|def)\b")
_DEFINITION = re.compile(
    r"\\(?:(?P<kind>newcommand|renewcommand|providecommand|DeclareMathOperator)(?P<star>\*?)\s*"
    r"(?:\{\s*)?(?P<name>\\(?:[A-Za-z@]+|[^A-Za-z@\s]))(?:\s*\})?\s*(?:\[(?P<count>\d)\]\s*)?(?=\{)"
    r"|def\s*(?P<defined>\\[A-Za-z@]+)(?P<parameters>(?:#\d)*)\s*(?=\{))"
)


class ExpansionError(ValueError):
    """A macro that never ends."""


def expand_macros(tex: str, macros: Macros) -> str:
    """TeX with `macros` (name without backslash: body, number of arguments) written out.

    Raises ExpansionError for a macro that never ends, another ValueError for one that lacks an argument.
    """
    if not macros:
        return tex
    waiting = list(TOKEN.findall(tex))[::-1]
    done: list[str] = []
    expansions = 0
    while waiting:
        token = waiting.pop()
        name = token[1:] if token.startswith("\\") else ""
        if name not in macros:
            done.append(token)
            continue
        expansions += 1
        if expansions > _MOST_EXPANSIONS or len(waiting) > _LONGEST_EXPANSION:
            raise ExpansionError(f"the macro \\{name} expands without end")
        body, count = macros[name]
        arguments = [_take_argument(waiting, name) for _ in range(count)]
        waiting.extend(reversed(_fill(body, arguments)))
    return _join(done)


def used_macros(tex: str, macros: Macros) -> dict[str, tuple[str, int]]:
    """Those of `macros` that `tex` uses, also through another macro, sorted by name."""
    used: dict[str, tuple[str, int]] = {}
    waiting = [tex]
    while waiting:
        for name in set(re.findall(r"\\([A-Za-z@]+|.)", waiting.pop(), re.DOTALL)):
            if name in macros and name not in used:
                used[name] = macros[name]
                waiting.append(macros[name][0])
    return dict(sorted(used.items()))


def defines_macros(tex: str) -> bool:
    """Whether raw TeX begins with the definition of a macro."""
    return _DEFINING.match(tex) is not None


def read_definitions(tex: str) -> tuple[dict[str, tuple[str, int]], str]:
    """The macros that `tex` defines (\\newcommand and its kin, \\def, \\DeclareMathOperator), and what is left of it.

    A definition with an optional argument cannot be told as (body, count) and stays in the rest.
    """
    found: dict[str, tuple[str, int]] = {}
    rest: list[str] = []
    place = 0
    for match in _DEFINITION.finditer(tex):
        if match.start() < place:
            continue
        body, end = group(tex, match.end())
        if body is None:
            continue
        kind, name = match["kind"], (match["name"] or match["defined"])[1:]
        if kind == "DeclareMathOperator":
            body = f"\\operatorname{'*' if match['star'] else ''}{{{body}}}"
        count = int(match["count"] or 0) or (match["parameters"] or "").count("#")
        if not (kind == "providecommand" and name in found):
            found[name] = (body, count)
        rest.append(tex[place : match.start()])
        place = end
    rest.append(tex[place:])
    return found, "".join(rest)


def _take_argument(waiting: list[str], name: str) -> list[str]:
    """Take one argument, a group or a token, off the stack of tokens."""
    while waiting and waiting[-1].isspace():
        waiting.pop()
    if not waiting or waiting[-1] == "}":
        raise ValueError(f"the macro \\{name} lacks an argument")
    token = waiting.pop()
    if token != "{":
        text = token if token.startswith("\\") else token.lstrip()
        if len(text) > 1 and not text.startswith("\\"):
            waiting.append(text[1:])
            text = text[0]
        return [text]
    argument: list[str] = []
    level = 1
    while waiting:
        token = waiting.pop()
        level += {"{": 1, "}": -1}.get(token, 0)
        if level == 0:
            return argument
        argument.append(token)
    raise ValueError(f"the argument of \\{name} is not closed")


def _fill(body: str, arguments: list[list[str]]) -> list[str]:
    """The tokens of a macro's body with its arguments in the place of #1, #2 …"""
    filled: list[str] = []
    for token in TOKEN.findall(body):
        if token.startswith("\\"):
            filled.append(token)
            continue
        for piece in re.split(r"(#\d)", token):
            index = int(piece[1:]) - 1 if re.fullmatch(r"#\d", piece) else -1
            filled.extend(arguments[index] if 0 <= index < len(arguments) else [piece] if piece else [])
    return filled


def _join(tokens: list[str]) -> str:
    """TeX from tokens, with a space where a command's name would run into a letter."""
    text: list[str] = []
    for token in tokens:
        if text and re.match(r"[A-Za-z@]", token) and re.fullmatch(r"\\[A-Za-z@]+", text[-1]):
            text.append(" ")
        text.append(token)
    return "".join(text)
