"""Reads, selects and writes out TeX macros."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import NamedTuple

from scidraft.tex import TOKEN, group


class Macro(NamedTuple):
    """What a macro stands for. `default`: its first argument where none is given in brackets; None: all are in braces.

    `provided`: by \\providecommand, so that a command of the same name goes before it.
    """

    body: str
    arguments: int = 0
    default: str | None = None
    provided: bool = False


#: Macros by their names without backslash.
Macros = Mapping[str, Macro]

_MOST_EXPANSIONS = 10_000
_LONGEST_EXPANSION = 200_000
_NAME = r"\\(?:[A-Za-z@]+|[^A-Za-z@\s])"
_DEFINING = re.compile(r"\s*\\(?:newcommand|renewcommand|providecommand|DeclareMathOperator|def)(?![A-Za-z@])")
_DEFINITION = re.compile(
    r"\\(?P<kind>newcommand|renewcommand|providecommand|DeclareMathOperator)(?P<star>\*?)\s*"
    rf"(?:\{{\s*)?(?P<name>{_NAME})(?:\s*\}})?\s*(?:\[(?P<count>\d)\]\s*)?(?=[\[{{])"
)
#: TeX's own ways to define, which know no default, no number of arguments and no error.
_PRIMITIVE = re.compile(
    rf"\\(?P<kind>[gex]?def|let)(?![A-Za-z@])\s*(?P<name>{_NAME})(?P<rest>(?:#\d)*\s*(?=\{{)|\s*=?\s*{_NAME})?"
)


class ExpansionError(ValueError):
    """A macro that never ends."""


def expand_macros(tex: str, macros: Macros) -> str:
    """TeX with `macros` (by name without backslash) written out.

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
        macro = macros[name]
        arguments: list[list[str]] = []
        if macro.default is not None:
            arguments.append(_take_option(waiting, name, macro.default))
        arguments += [_take_argument(waiting, name) for _ in range(macro.arguments - len(arguments))]
        waiting.extend(reversed(_fill(macro.body, arguments)))
    return _join(done)


def used_macros(tex: str, macros: Macros) -> dict[str, Macro]:
    """Those of `macros` that `tex` uses, also through another macro, sorted by name."""
    used: dict[str, Macro] = {}
    waiting = [tex]
    while waiting:
        for name in set(re.findall(r"\\([A-Za-z@]+|.)", waiting.pop(), re.DOTALL)):
            if name in macros and name not in used:
                used[name] = macros[name]
                waiting.extend((macros[name].body, macros[name].default or ""))
    return dict(sorted(used.items()))


def defines_macros(tex: str) -> bool:
    """Whether raw TeX begins with the definition of a macro."""
    return _DEFINING.match(tex) is not None


def read_definitions(tex: str) -> tuple[dict[str, Macro], str]:
    """The macros that `tex` defines (\\newcommand and its kin, \\DeclareMathOperator), and what is left of it."""
    found: dict[str, Macro] = {}
    rest: list[str] = []
    place = 0
    for match in _DEFINITION.finditer(tex):
        if match.start() < place:
            continue
        default, after = _option(tex, match.end())
        body, end = group(tex, after)
        if body is None:
            continue
        kind, name = match["kind"], match["name"][1:]
        if kind == "DeclareMathOperator":
            body = f"\\operatorname{'*' if match['star'] else ''}{{{body}}}"
        provided = kind == "providecommand"
        if not (provided and name in found):
            found[name] = Macro(body, int(match["count"] or 0), default, provided)
        rest.append(tex[place : match.start()])
        place = end
    rest.append(tex[place:])
    return found, "".join(rest)


def local_definitions(tex: str, known: Container[str]) -> str:
    r"""TeX whose own definitions LaTeX takes within a formula, where `known` names are taken.

    \DeclareMathOperator is for the preamble alone.
    """
    written: list[str] = []
    place = 0
    for match in _DEFINITION.finditer(tex):
        body, end = group(tex, match.end())
        if match.start() < place or match["kind"] not in ("newcommand", "DeclareMathOperator"):
            continue
        command = "renewcommand" if match["name"][1:] in known else "newcommand"
        written.append(tex[place : match.start()])
        place = match.start() + len(f"\\{match['kind']}")
        if match["kind"] == "DeclareMathOperator" and body is not None:
            written.append(f"\\{command}{{{match['name']}}}{{\\operatorname{match['star']}{{{body}}}}}")
            place = end
        else:
            written.append(f"\\{command}")
    return "".join([*written, tex[place:]])


def read_primitives(tex: str) -> dict[str, tuple[str, str]]:
    r"""What `tex` defines by \def, \let and their kin: by name, its first words and the \newcommand that does the same.

    The latter is "" where \newcommand cannot do it.
    """
    found: dict[str, tuple[str, str]] = {}
    for match in _PRIMITIVE.finditer(tex):
        name, rest, instead = match["name"], match["rest"], ""
        body, end = group(tex, match.end())
        if match["kind"] != "let" and rest is not None and body is not None:
            count = rest.count("#")
            instead = f"\\newcommand{{{name}}}{f'[{count}]' if count else ''}{{{body}}}"
        elif match["kind"] == "let" and rest:
            instead = f"\\newcommand{{{name}}}{{{rest.strip(' =')}}}"
        found.setdefault(name[1:], (tex[match.start() : end], instead))
    return found


def repair_operators(tex: str, macros: Macros) -> str:
    r"""TeX that pandoc has written the note's operators out in: those of \DeclareMathOperator have their limits at the side.

    pandoc makes a \mathop of them, whose limits are above and below, as the starred form has them.
    """
    if "\\mathop" not in tex:
        return tex
    for macro in macros.values():
        name, _ = group(macro.body, len("\\operatorname")) if macro.body.startswith("\\operatorname{") else (None, 0)
        if name is not None:
            tex = tex.replace(f"\\mathop{{\\mathrm{{{name}}}}}", macro.body)
    return tex


def _option(tex: str, place: int) -> tuple[str | None, int]:
    """The text in brackets at `place`, in which braces may hide brackets, and the place after them; None if there is none."""
    if not tex.startswith("[", place):
        return None, place
    level = 0
    for match in re.finditer(r"\\.|[{}\]]", tex[place:], re.DOTALL):
        level += {"{": 1, "}": -1}.get(match[0], 0)
        if match[0] == "]" and level == 0:
            after = re.compile(r"\s*").match(tex, place + match.end())
            return tex[place + 1 : place + match.start()], after.end() if after else place + match.end()
    return None, place


def _take_option(waiting: list[str], name: str, default: str) -> list[str]:
    """Take the argument in brackets off the stack of tokens, or its default if there is none."""
    while waiting and waiting[-1].isspace():
        waiting.pop()
    if not waiting or not waiting[-1].lstrip().startswith("["):
        return TOKEN.findall(default)
    waiting.append(waiting.pop().lstrip()[1:])
    option: list[str] = []
    level = 0
    while waiting:
        token = waiting.pop()
        level += {"{": 1, "}": -1}.get(token, 0)
        inner, closing, after = token.partition("]")
        if closing and level == 0 and not token.startswith("\\"):
            if after:
                waiting.append(after)
            return [*option, inner] if inner else option
        option.append(token)
    raise ValueError(f"the argument of \\{name} is not closed")


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
