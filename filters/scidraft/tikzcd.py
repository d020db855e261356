r"""Reads the commutative diagrams of tikz-cd: \begin{tikzcd} … \end{tikzcd} as cells and arrows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from scidraft.tex import read_display

_DIAGRAM = re.compile(r"\s*\\begin\{tikzcd\}(.*)\\end\{tikzcd\}\s*([.,;]?)\s*", re.DOTALL)
_SHORT = {"rar": "r", "lar": "l", "uar": "u", "dar": "d", "urar": "ur", "ular": "ul", "drar": "dr", "dlar": "dl"}
_ATOM = re.compile(r"\\(?:[A-Za-z]+|.)|.", re.DOTALL)
_LABEL = re.compile(r'"([^"]*)"\s*(\'?)\s*(.*)', re.DOTALL)
_PLACES = {
    "at start": 0.0,
    "very near start": 0.125,
    "near start": 0.25,
    "midway": 0.5,
    "near end": 0.75,
    "very near end": 0.875,
    "at end": 1.0,
}
#: em between columns, and three quarters of it between rows.
_DISTANCES = {"tiny": 0.3, "scriptsize": 0.6, "small": 1.2, "normal": 2.4, "large": 3.6, "huge": 4.8}
_ROWS = 0.75
_BEND = 30.0  # degrees
_SHIFT = 0.24  # em, by which parallel arrows are moved apart
#: Arrows by their names: what is at the start, what the line is, what is at the end.
_KINDS = {
    "rightarrow": ("", "", "to"),
    "leftarrow": ("to", "", ""),
    "leftrightarrow": ("to", "", "to"),
    "Rightarrow": ("", "double", "to"),
    "Leftarrow": ("to", "double", ""),
    "Leftrightarrow": ("to", "double", "to"),
    "dash": ("", "", ""),
    "equal": ("", "double", ""),
    "equals": ("", "double", ""),
    "mapsto": ("bar", "", "to"),
    "mapsfrom": ("to", "", "bar"),
    "hookrightarrow": ("hook", "", "to"),
    "rightarrowtail": ("tail", "", "to"),
    "twoheadrightarrow": ("", "", "two"),
    "dashrightarrow": ("", "dashed", "to"),
    "rightharpoonup": ("", "", "up"),
    "rightharpoondown": ("", "", "down"),
}
_STARTS = {"hook": "hook", "hook'": "hook'", "tail": "tail", "maps to": "bar"}
_ENDS = {"two heads": "two", "harpoon": "up", "harpoon'": "down", "no head": ""}
_IGNORED = {"start anchor", "end anchor", "crossing over"}


class DiagramError(ValueError):
    """A diagram that cannot be drawn; the text is for its author."""


@dataclass
class Label:
    """Words at an arrow: `side` is 1 on its left, -1 on its right, 0 upon it; `place` from 0 at its start to 1 at its end."""

    tex: str
    side: int = 1
    place: float = 0.5


@dataclass
class Arrow:
    """An arrow between two cells, by row and column; `bend` in degrees to the left, `shift` in em to the left."""

    start: tuple[int, int]
    end: tuple[int, int]
    tail: str = ""
    line: str = ""
    head: str = "to"
    bend: float = 0.0
    shift: float = 0.0
    labels: list[Label] = field(default_factory=list)


@dataclass
class Diagram:
    """Cells by row and column, the arrows, the distances of columns and rows in em; `after` is punctuation that follows."""

    cells: list[list[str]]
    arrows: list[Arrow]
    columns: float = _DISTANCES["normal"]
    rows: float = _DISTANCES["normal"] * _ROWS
    after: str = ""
    tag: str | None = None


def read_diagram(tex: str) -> Diagram | None:
    """The diagram that a formula is, None for a formula without any. Raises DiagramError."""
    if "\\begin{tikzcd}" not in tex:
        return None
    display = read_display(tex)
    found = _DIAGRAM.fullmatch(display.rows[0].body) if len(display.rows) == 1 else None
    if found is None or "\\begin{tikzcd}" in found[1]:
        raise DiagramError("a tikzcd diagram must be all there is in its formula")
    options, body = _bracket(found[1].lstrip())
    cells, arrows = _read_body(body)
    row = display.rows[0]
    tag = None if row.tag is None else row.tag if row.starred else f"({row.tag})"
    diagram = Diagram(cells, arrows, after=found[2], tag=tag)
    for option in _split(options):
        _apply(diagram, option)
    return diagram


def _apply(diagram: Diagram, option: str) -> None:
    name, _, value = (part.strip() for part in option.partition("="))
    distance = _DISTANCES.get(value)
    length = re.fullmatch(r"([\d.]+)\s*(em|ex|pt|cm|mm)", value)
    if distance is None and length:
        distance = float(length[1]) * {"em": 1, "ex": 0.43, "pt": 0.1, "cm": 2.845, "mm": 0.2845}[length[2]]
    if distance is not None and name in ("column sep", "sep"):
        diagram.columns = distance
    if distance is not None and name in ("row sep", "sep"):
        diagram.rows = distance * _ROWS if value in _DISTANCES else distance
    if name not in ("cramped", "ampersand replacement") and (distance is None or name not in ("column sep", "row sep", "sep")):
        raise DiagramError(f"the option {option.strip()} of tikzcd is not known here")


def _read_body(body: str) -> tuple[list[list[str]], list[Arrow]]:
    rows, arrows, place, depth = [[""]], [], 0, 0
    while place < len(body):
        match = _ATOM.match(body, place)
        assert match is not None
        atom, place = match[0], match.end()
        depth += {"{": 1, "}": -1}.get(atom, 0)
        name = atom[1:]
        if atom in ("\\arrow", "\\ar") or (atom.startswith("\\") and name in _SHORT):
            options, rest = _bracket(body[place:].lstrip())
            place = len(body) - len(rest)
            direction = [_SHORT[name]] if name in _SHORT else []
            arrows.append(_arrow(len(rows) - 1, len(rows[-1]) - 1, [*direction, *_split(options)]))
        elif atom == "&" and depth == 0:
            rows[-1].append("")
        elif atom == "\\\\" and depth == 0:
            _, rest = _bracket(body[place:]) if body.startswith("[", place) else ("", body[place:])
            place = len(body) - len(rest)
            rows.append([""])
        else:
            rows[-1][-1] += atom
    cells = [[cell.strip() for cell in row] for row in rows]
    if not any(cells[-1]) and len(cells) > 1:
        cells.pop()
    for arrow in arrows:
        for row, column in (arrow.start, arrow.end):
            if not (0 <= row < len(cells) and 0 <= column < max(map(len, cells))):
                raise DiagramError("an arrow of tikzcd leads out of the diagram")
    return cells, arrows


def _bracket(text: str) -> tuple[str, str]:
    """What stands in the brackets that a text begins with, and the rest."""
    if not text.startswith("["):
        return "", text
    depth, quoted = 0, False
    for index, sign in enumerate(text):
        quoted ^= sign == '"'
        depth += 0 if quoted else {"[": 1, "{": 1, "]": -1, "}": -1}.get(sign, 0)
        if depth == 0:
            return text[1:index], text[index + 1 :]
    raise DiagramError("brackets of tikzcd are not closed")


def _split(options: str) -> Iterator[str]:
    """Options at the commas that are in no braces or quotation marks."""
    depth, quoted, start = 0, False, 0
    for index, sign in enumerate(options + ","):
        quoted ^= sign == '"'
        depth += 0 if quoted else {"{": 1, "[": 1, "}": -1, "]": -1}.get(sign, 0)
        if sign == "," and depth == 0 and not quoted:
            if options[start:index].strip():
                yield options[start:index].strip()
            start = index + 1


def _arrow(row: int, column: int, options: list[str]) -> Arrow:
    arrow = Arrow((row, column), (row, column))
    swap = False
    for option in options:
        name, _, value = (part.strip() for part in option.partition("="))
        if option.startswith('"'):
            arrow.labels.append(_label(option))
        elif re.fullmatch("[lrud]+", option):
            down, right = option.count("d") - option.count("u"), option.count("r") - option.count("l")
            arrow.end = (row + down, column + right)
        elif name in ("from", "to") and re.fullmatch(r"\d+-\d+", value):
            cell = (int(value.partition("-")[0]) - 1, int(value.partition("-")[2]) - 1)
            arrow.start, arrow.end = (cell, arrow.end) if name == "from" else (arrow.start, cell)
        elif option in _KINDS:
            arrow.tail, arrow.line, arrow.head = _KINDS[option]
        elif name in ("bend left", "bend right"):
            arrow.bend = _number(value, _BEND) * (1 if name == "bend left" else -1)
        elif name in ("shift left", "shift right"):
            arrow.shift += _number(value, 1.0) * (_SHIFT if name == "shift left" else -_SHIFT)
        elif option == "swap":
            swap = True
        elif option in _PLACES and arrow.labels:
            arrow.labels[-1].place = _PLACES[option]
        elif option == "description" and arrow.labels:
            arrow.labels[-1].side = 0
        elif option in ("dashed", "dotted", "phantom"):
            arrow.line = option
        elif option in _STARTS:
            arrow.tail = _STARTS[option]
        elif option in _ENDS:
            arrow.head = _ENDS[option]
        elif name not in _IGNORED:
            raise DiagramError(f"the option {option} of an arrow of tikzcd is not known here")
    for label in arrow.labels if swap else ():
        label.side = -label.side
    if arrow.line == "phantom":
        for label in arrow.labels:
            label.side = 0
    if arrow.start == arrow.end:
        raise DiagramError("an arrow of tikzcd has no direction such as r or dr")
    return arrow


def _number(text: str, default: float) -> float:
    """A number of an option; an empty one is the default."""
    if text and not re.fullmatch(r"-?(?:\d{1,4}(?:\.\d*)?|\.\d+)", text):
        raise DiagramError(f"{text} is no number that an arrow of tikzcd can have here")
    return float(text) if text else default


def _label(option: str) -> Label:
    match = _LABEL.fullmatch(option)
    if match is None:
        raise DiagramError(f"the label {option} of tikzcd is not closed")
    tex, swapped, rest = match.groups()
    tex = tex[1:-1] if tex.startswith("{") and tex.endswith("}") else tex
    label = Label(tex, -1 if swapped else 1)
    for word in _split(rest.strip().removeprefix("{").removesuffix("}").replace("'", "swap,")):
        name, _, value = (part.strip() for part in word.partition("="))
        if word in _PLACES or name == "pos":
            label.place = _number(value, 0.5) if name == "pos" else _PLACES[word]
        elif word == "description":
            label.side = 0
        elif word == "swap":
            label.side = -label.side
        else:
            raise DiagramError(f"{word} at a label of tikzcd is not known here")
    return label
