"""Reads and rewrites TeX mathematics as text: rows, labels, tags, the place of the proof mark and of line breaks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

#: amsmath's environments in which every row has a number of its own.
ROW_ENVIRONMENTS = frozenset({"align", "alignat", "gather", "flalign", "eqnarray", "xalignat"})
#: Environments with one number for the whole.
SINGLE_ENVIRONMENTS = frozenset({"equation", "multline", "displaymath", "math"})
#: All display environments, without their stars.
DISPLAYS = ROW_ENVIRONMENTS | SINGLE_ENVIRONMENTS
#: Never numbered, whatever their name ends in.
_NEVER_NUMBERED = frozenset({"displaymath", "math"})
#: An inner environment and the outer one that sets the same rows.
_OUTER = {"aligned": "align*", "gathered": "gather*", "alignedat": "alignat*", "split": "align*"}

#: How many groups TeX allows within each other.
DEEPEST = 255

#: A control sequence, a brace, or the text between them; a pattern for TeX without comments.
TOKEN = re.compile(r"\\(?:[A-Za-z@]+|.|$)|[{}]|[^\\{}]+", re.DOTALL)
_COMMENT = re.compile(r"((?:^|[^\\])(?:\\\\)*)%[^\n]*(?:\n[ \t]*|$)")
_PUNCTUATION = re.compile(r"\s*([.,;:!?]?)\s*")
_ATOM = re.compile(r"\\(?:[A-Za-z@]+|.|$)|\s+|.", re.DOTALL)
_LEVEL = dict.fromkeys(("{", "(", "[", "\\{", "\\left", "\\begin"), 1) | dict.fromkeys(
    ("}", ")", "]", "\\}", "\\right", "\\end"), -1
)
_RELATION = re.compile(
    r"[=<>]|\\(?:neq|ne|[lg]e|[lg]eq|[lg]eqslant|ll|gg|in|ni|notin|su[bp]set|su[bp]seteq|subsetneq|sim|simeq|approx|cong|equiv"
    r"|to|rightarrow|longrightarrow|mapsto|longmapsto|hookrightarrow|implies|iff|Rightarrow|Longrightarrow|Leftrightarrow"
    r"|prec|preceq|succ|succeq|propto|models|vdash|coloneqq|triangleq|lesssim|gtrsim)"
)
_BINARY = re.compile(
    r"[+\-*]|\\(?:pm|mp|cdot|times|cup|cap|sqcup|sqcap|uplus|wedge|vee|land|lor|setminus|circ|bullet|star|ast|oplus|ominus|otimes"
    r"|odot|amalg|div|wr|dagger|ddagger)"
)
_CHANGES_ALL = re.compile(
    r"\\(?:color|displaystyle|textstyle|scriptstyle|rm|bf|it|sf|tt|cal|mit|over|atop|above|choose|brace|brack"
    r"|def|let|newcommand|renewcommand|DeclareMathOperator|tag|label|\\)|&"
)
#: What follows a relation that may end a line: no script of its own, no other relation, not nothing.
_AFTER_RELATION = re.compile(r"\s*(?=[^\s^_'=<>:}\])])(?!\\(?:not|limits|nolimits|right|end|[Bb]ig+r|[],;:!)])(?![A-Za-z]))")
_BREAK = " \\\\\n"


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


def pieces(tex: str, *, binary: bool = False) -> list[str]:
    """An inline formula cut after its relations, where TeX too may end a line; one piece where that cannot be told.

    Only relations outside braces, brackets, environments and \\left…\\right count. Formulas with commands that change what
    follows them (\\color, \\displaystyle, \\over …) are left whole. With `binary` it is cut after signs like + instead, which
    TeX likes less.
    """
    cuts = _BINARY if binary else _RELATION
    found: list[str] = []
    start = level = 0
    ready = False  # something stands before the relation
    previous = ""
    for match in _ATOM.finditer(tex):
        before, atom = previous, match[0]
        previous = previous if atom.isspace() else atom
        if _CHANGES_ALL.fullmatch(atom):
            return [tex]
        level = max(0, level + _LEVEL.get(atom, 0))
        if level or atom.isspace():
            continue
        if before in ("^", "_"):
            ready = True
        elif not cuts.fullmatch(atom):
            # After a relation or an opening bracket a sign belongs to what follows it.
            ready = not (binary and (_RELATION.fullmatch(atom) or _BINARY.fullmatch(atom) or atom == ","))
        elif ready and _AFTER_RELATION.match(tex, match.end()):
            found.append(tex[start : match.end()].strip())
            start, ready = match.end(), False
    return [*found, tex[start:].strip()]


def ended(piece: str) -> str:
    """A piece for drawing: a sign like + at its end keeps the space before it, which it loses where nothing follows."""
    atoms = _ATOM.findall(piece)
    if not atoms or not _BINARY.fullmatch(atoms[-1]) or atoms[-2:-1] in (["^"], ["_"]):
        return piece
    return f"{piece.removesuffix(atoms[-1]).rstrip()}\\mkern4mu{{{atoms[-1]}}}"


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


def with_last_tag(tex: str, tag: str) -> str | None:
    """A display of rows with `tag` in its last one; None if that has one, or if the display is not made of rows."""
    text = insert_qedhere(re.sub(r"\\qedhere(?![A-Za-z])", "", tex))
    display = read_display(text)
    if (display.environment or "").removesuffix("*") not in ROW_ENVIRONMENTS or display.rows[-1].tag is not None:
        return None
    return text.replace("\\qedhere", f"\\tag*{{{tag}}}")


def group(tex: str, place: int) -> tuple[str | None, int]:
    """The content of the braces that open at `place` and the place after them; None if they never close."""
    if not tex.startswith("{", place):
        return None, place
    level = 0
    for match in TOKEN.finditer(tex, place):
        level += {"{": 1, "}": -1}.get(match[0], 0)
        if level == 0:
            return tex[place + 1 : match.start()], match.end()
    return None, place


def depth(tex: str) -> int:
    """How many braces and environments are open at the deepest place."""
    return max((level for _, _, level in _tokens(tex)), default=0)


def _is_display(environment: str) -> bool:
    return environment.removesuffix("*") in DISPLAYS


def _tokens(tex: str) -> Iterator[tuple[str, int, int]]:
    """Each token with its place and the depth of braces and environments it stands in."""
    depth = 0
    for match in TOKEN.finditer(tex):
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
        content, place = group(source, place)
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
    name = display.environment.removesuffix("*")
    if name == "flalign" and any(tags):
        # The starred form of this one takes no tags in engines that otherwise do.
        rows = [row if tag else f"{row} \\notag" for row, tag in zip(rows, tags, strict=False)]
    else:
        name += "*"
    return f"\\begin{{{name}}}{display.argument}\n{_BREAK.join(rows)}\n\\end{{{name}}}"
