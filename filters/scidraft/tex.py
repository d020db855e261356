"""Reads and rewrites TeX mathematics as text: rows, labels, tags, macros and the place of the proof mark."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

#: amsmath's environments in which every row has a number of its own.
ROW_ENVIRONMENTS = frozenset({"align", "alignat", "gather", "flalign", "eqnarray", "xalignat"})
#: Environments with one number for the whole.
SINGLE_ENVIRONMENTS = frozenset({"equation", "multline", "displaymath", "math"})
#: Never numbered, whatever their name ends in.
_NEVER_NUMBERED = frozenset({"displaymath", "math"})
#: An inner environment and the outer one that sets the same rows.
_OUTER = {"aligned": "align*", "gathered": "gather*", "alignedat": "alignat*", "split": "align*"}

_TOKEN = re.compile(r"\\(?:[A-Za-z@]+|.|$)|[{}]|[^\\{}]+", re.DOTALL)
_COMMENT = re.compile(r"((?:^|[^\\])(?:\\\\)*)%[^\n]*(?:\n[ \t]*|$)")
_PUNCTUATION = re.compile(r"\s*([.,;:!?]?)\s*")
_BREAK = " \\\\\n"
_DEFINITION = re.compile(
    r"\\(?:(?P<kind>newcommand|renewcommand|providecommand|DeclareMathOperator)(?P<star>\*?)\s*"
    r"(?:\{\s*)?(?P<name>\\(?:[A-Za-z@]+|[^A-Za-z@\s]))(?:\s*\})?\s*(?:\[(?P<count>\d)\]\s*)?(?=\{)"
    r"|def\s*(?P<defined>\\[A-Za-z@]+)(?P<parameters>(?:#\d)*)\s*(?=\{))"
)
_MOST_EXPANSIONS = 10_000
_LONGEST_EXPANSION = 200_000


@dataclass(frozen=True)
class Row:
    """One row of a display: `body` without its label, tag and \\notag; `numbered`: it takes the next number.

    A row with a `tag` is not `numbered`: its author has named it. `starred`: the tag is printed as it is (\\tag*).
    """

    body: str
    label: str | None
    tag: str | None
    starred: bool
    numbered: bool


@dataclass(frozen=True)
class Display:
    """A display: its outer display environment, if that is the whole of it ('align', 'equation*'), and its rows.

    `argument` is what follows \\begin{alignat}, with its braces.
    """

    environment: str | None
    rows: list[Row]
    argument: str = ""


def read_display(tex: str) -> Display:
    """Read a display formula; punctuation after its \\end belongs to the last row, an empty last row is no row."""
    text = without_comments(tex).strip()
    environment, argument, body, after = _outer_environment(text, _is_display)
    if environment is None:
        row = _read_row(text, numbered=False)
        return Display(None, [_numbered(row, row.label is not None)])
    name = environment.removesuffix("*")
    numbered = environment == name and name not in _NEVER_NUMBERED
    pieces = _split_rows(body) if name in ROW_ENVIRONMENTS else [body]
    pieces[-1] = pieces[-1].rstrip() + after
    return Display(environment, [_read_row(piece, numbered=numbered) for piece in pieces], argument)


def with_numbers(tex: str, numbers: list[str | None]) -> str:
    """TeX for engines that know \\tag: no labels, a starred environment, `numbers` (bare, one per row) as tags."""
    display = read_display(tex)
    given = [*numbers, *[None] * len(display.rows)]
    return _write(display, [_tag(row, number) for row, number in zip(display.rows, given, strict=False)])


def without_labels(tex: str) -> str:
    """The same TeX without its \\label commands."""
    return re.sub(r"[ \t]*\\label\s*\{[^{}]*\}", "", tex)


def without_tags(tex: str) -> str:
    """The display in its starred form, without labels and tags: what is left to draw."""
    display = read_display(tex)
    return _write(display, ["" for _ in display.rows])


def without_comments(tex: str) -> str:
    """TeX without comments, which end at the line's end together with the blanks that open the next line."""
    if "%" not in tex:
        return tex
    return _COMMENT.sub(r"\1", tex)


def insert_qedhere(tex: str) -> str:
    """TeX with amsthm's \\qedhere in the last row, so that the box stands on it; the author's own one is left alone.

    A display that is nothing but `aligned` or `gathered` becomes align* or gather*: within an inner environment
    \\qedhere would stand beside the middle of the whole.
    """
    if re.search(r"\\qedhere(?![A-Za-z])", tex):
        return tex
    text = without_comments(tex).strip()
    name, argument, body, after = _outer_environment(text, lambda found: found in _OUTER or _is_display(found))
    if name is None:
        return f"{text} \\qedhere"
    outer = _OUTER.get(name, name)
    if name in _OUTER and "alignat" not in outer:
        argument = ""
    pieces = _split_rows(body)
    pieces[-1] = f"{pieces[-1].rstrip()}{after} \\qedhere"
    return f"\\begin{{{outer}}}{argument}{_BREAK.join(pieces)}\n\\end{{{outer}}}"


def expand_macros(tex: str, macros: Mapping[str, tuple[str, int]]) -> str:
    """TeX with `macros` (name without backslash: body, number of arguments) written out.

    Raises ValueError for a macro that never ends or lacks an argument.
    """
    if not macros:
        return tex
    waiting = list(_TOKEN.findall(tex))[::-1]
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
            raise ValueError(f"the macro \\{name} expands without end")
        body, count = macros[name]
        arguments = [_take_argument(waiting, name) for _ in range(count)]
        waiting.extend(reversed(_fill(body, arguments)))
    return _join(done)


def used_macros(tex: str, macros: Mapping[str, tuple[str, int]]) -> dict[str, tuple[str, int]]:
    """Those of `macros` that `tex` uses, also through another macro, sorted by name."""
    used: dict[str, tuple[str, int]] = {}
    waiting = [tex]
    while waiting:
        for name in set(re.findall(r"\\([A-Za-z@]+|.)", waiting.pop(), re.DOTALL)):
            if name in macros and name not in used:
                used[name] = macros[name]
                waiting.append(macros[name][0])
    return dict(sorted(used.items()))


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
        body, end = _group(tex, match.end())
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


def _is_display(environment: str) -> bool:
    return environment.removesuffix("*") in ROW_ENVIRONMENTS | SINGLE_ENVIRONMENTS


def _tokens(tex: str) -> Iterator[tuple[str, int, int]]:
    """Each token with its place and the depth of braces and environments it stands in."""
    depth = 0
    for match in _TOKEN.finditer(tex):
        token = match[0]
        if token in ("}", "\\end"):
            depth -= 1
        yield token, match.start(), depth
        if token in ("{", "\\begin"):
            depth += 1


def _outer_environment(text: str, wanted: Callable[[str], bool]) -> tuple[str | None, str, str, str]:
    """(name, argument, body, punctuation after it) if `text` is one environment that is `wanted`."""
    nothing = (None, "", text, "")
    start = re.match(r"\\begin\s*\{([A-Za-z]+\*?)\}", text)
    if not start or not wanted(start[1]):
        return nothing
    shape = r"\s*\{[^{}]*\}" if "alignat" in start[1] or start[1] == "alignedat" else r"(?:\[[tbc]\])?"
    argument = re.compile(shape).match(text, start.end())
    opened = argument.end() if argument else start.end()
    for token, place, depth in _tokens(text):
        if token == "\\end" and depth == 0:
            end = re.compile(r"\\end\s*\{([A-Za-z]+\*?)\}").match(text, place)
            after = _PUNCTUATION.fullmatch(text, end.end()) if end and end[1] == start[1] else None
            if after is None:
                return nothing
            return start[1], text[start.end() : opened].strip(), text[opened:place], after[1]
    return nothing


def _split_rows(body: str) -> list[str]:
    """`body` cut at its own \\\\ (with their star and [length]); a blank last row is left out."""
    rows: list[str] = []
    start = 0
    for token, place, depth in _tokens(body):
        if token == "\\\\" and depth == 0:
            rows.append(body[start:place].strip())
            gap = re.compile(r"\*?(?:\s*\[\s*-?[\d.]+\s*[a-zA-Z]+\s*\])?").match(body, place + 2)
            start = gap.end() if gap else place + 2
    last = body[start:].strip()
    return [*rows, last] if last or not rows else rows


def _read_row(source: str, *, numbered: bool) -> Row:
    label = tag = None
    starred = False
    body: list[str] = []
    place = 0
    for match in re.finditer(r"[ \t]*\\(label|tag|notag|nonumber)(?![A-Za-z])(\*?)\s*(?=(\{)?)", source):
        if match.start() < place:
            continue
        command, star = match[1], match[2]
        body.append(source[place : match.start()])
        place = match.end()
        if command in ("notag", "nonumber"):
            numbered = False
            continue
        content, place = _group(source, place)
        if command == "label":
            label = content
        else:
            tag, starred = content, bool(star)
    body.append(source[place:])
    return Row("".join(body).strip(), label, tag, starred, numbered and tag is None)


def _numbered(row: Row, numbered: bool) -> Row:
    return replace(row, numbered=numbered and row.tag is None)


def _tag(row: Row, number: str | None) -> str:
    if row.tag is not None:
        return f" \\tag{'*' if row.starred else ''}{{{row.tag}}}"
    return f" \\tag{{{number}}}" if number is not None else ""


def _write(display: Display, tags: list[str]) -> str:
    rows = [row.body + tag for row, tag in zip(display.rows, tags, strict=False)]
    if display.environment is None:
        return rows[0]
    name = display.environment.removesuffix("*") + "*"
    return f"\\begin{{{name}}}{display.argument}\n{_BREAK.join(rows)}\n\\end{{{name}}}"


def _group(tex: str, place: int) -> tuple[str | None, int]:
    """The content of the braces that open at `place` and the place after them; None if they never close."""
    if not tex.startswith("{", place):
        return None, place
    level = 0
    for match in _TOKEN.finditer(tex, place):
        level += {"{": 1, "}": -1}.get(match[0], 0)
        if level == 0:
            return tex[place + 1 : match.start()], match.end()
    return None, place


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
    for token in _TOKEN.findall(body):
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
