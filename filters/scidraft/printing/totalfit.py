"""Chooses where the lines of a justified paragraph end, all of them together, as TeX does.

The rules and the values are those of Knuth and Plass, "Breaking paragraphs into lines", Software: Practice and Experience 11
(1981), and of plain TeX. Nothing here knows of WeasyPrint.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

#: What a break after a hyphen costs, and one after a relation in a formula: plain TeX's `\hyphenpenalty` and `\relpenalty`.
HYPHEN = 50.0
FORMULA = 500.0

#: Lines looser than this are only looked at where there is no other way.
_TOLERANCE = 2.0
_LINE_PENALTY = 10
_HYPHENS_IN_A_ROW = 10_000
_UNLIKE_NEIGHBOURS = 10_000
_WORST = 10_000
#: A last line shorter than this part of the others is avoided: half a word under a paragraph looks lost.
_SHORT = 1 / 16
_SHORT_LAST_LINE = 5_000


@dataclass(frozen=True)
class Break:
    """A place where a line may end.

    `end` is where such a line ends and `start` where the next one begins, both measured along the paragraph as if it were one
    line; `spaces` and `spaces_after` are how many spaces there are up to these places. `penalty` is one of this module's; after a
    hyphen, for which `end` has room, it is `HYPHEN`.
    """

    end: float
    start: float
    spaces: int
    spaces_after: int
    penalty: float = 0.0

    @property
    def hyphen(self) -> bool:
        """Whether the line would end in a hyphen."""
        return self.penalty == HYPHEN


@dataclass(frozen=True)
class Measure:
    """The width of the lines, and by how much each space may be stretched with a badness of 100, and shrunk at most."""

    width: float
    stretch: float
    shrink: float


def ratio(measure: Measure, natural: float, spaces: int) -> float:
    """By how much of what they may the spaces of a line have to be stretched, or if it is negative shrunk, to fill it."""
    missing = measure.width - natural
    if not missing:
        return 0.0
    if not spaces:
        return inf if missing > 0 else -inf
    return missing / spaces / (measure.stretch if missing > 0 else measure.shrink)


def fit(breaks: Sequence[Break], begin: float, measure: Measure) -> list[int] | None:
    """The numbers of the breaks in which the lines should end, the last of them the end of the paragraph.

    `begin` is where the first line begins. None if there is no way without a line that is too long.
    """
    return _fit(breaks, begin, measure, _TOLERANCE) or _fit(breaks, begin, measure, inf)


def _fit(breaks: Sequence[Break], begin: float, measure: Measure, tolerance: float) -> list[int] | None:
    """The same, with lines of a ratio up to `tolerance`; None, too, if one would be looser."""
    width, stretch, shrink = measure.width, measure.stretch, measure.shrink
    # By break and fitness of the line that ends there: the demerits so far, and the break and fitness before.
    best: list[dict[int, tuple[float, int, int]]] = [{} for _ in breaks]
    first = {1: (0.0, -1, -1)}
    # Where lines may begin that may still end further on, with the spaces up to there.
    active = [(-1, begin, 0)]
    final = len(breaks) - 1
    for number, here in enumerate(breaks):
        end, spaces_there, found = here.end, here.spaces, best[number]
        gone = 0
        for previous, start, spaces_before in active:
            missing = width - end + start
            spaces = spaces_there - spaces_before
            if missing < -spaces * shrink:
                gone += 1  # too long, and so will be all that end later
                continue
            if number == final and missing >= 0:
                stretched = 0.0
            elif missing > tolerance * spaces * stretch:
                break  # as all that begin later
            else:
                stretched = ratio(measure, width - missing, spaces)
            extra = _SHORT_LAST_LINE if number == final and previous >= 0 and width - missing < _SHORT * width else 0.0
            hyphen_before = previous >= 0 and breaks[previous].hyphen
            fitness = _fitness(stretched)
            for before, (so_far, _, _) in (best[previous] if previous >= 0 else first).items():
                cost = so_far + extra + _cost(stretched, here, hyphen_before, before)
                if cost < found.get(fitness, (inf,))[0]:
                    found[fitness] = cost, previous, before
        del active[:gone]
        if found:
            active.append((number, here.start, here.spaces_after))
    if not breaks or not best[final]:
        return None
    chosen = []
    number, fitness = final, min(best[final], key=lambda each: best[final][each][0])
    while number >= 0:
        chosen.append(number)
        _, number, fitness = best[number][fitness]
    return chosen[::-1]


def _cost(stretched: float, here: Break, hyphen_before: bool, fitness_before: int) -> float:
    badness = min(100 * abs(stretched) ** 3, _WORST)
    cost = (_LINE_PENALTY + badness) ** 2 + here.penalty**2
    if here.hyphen and hyphen_before:
        cost += _HYPHENS_IN_A_ROW
    if abs(_fitness(stretched) - fitness_before) > 1:
        cost += _UNLIKE_NEIGHBOURS
    return cost


def _fitness(stretched: float) -> int:
    """Tight, decent, loose or very loose, from 0 to 3."""
    return 0 if stretched < -0.5 else 1 if stretched <= 0.5 else 2 if stretched <= 1 else 3
