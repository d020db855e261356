"""The breaks of a paragraph, chosen together, without WeasyPrint."""

from __future__ import annotations

import random
from itertools import combinations, pairwise
from math import inf

import pytest

from scidraft.printing.totalfit import FORMULA, HYPHEN, Break, Measure, fit, ratio

MEASURE = Measure(width=100, stretch=2, shrink=1)


def words(*widths: float, space: float = 4, penalties: dict[int, float] | None = None) -> list[Break]:
    """Breaks after words of these widths; where there is a penalty, after a word by its number."""
    found, x = [], 0.0
    for number, width in enumerate(widths):
        x += width
        found.append(Break(x, x + space, number, number + 1, (penalties or {}).get(number, 0.0)))
        x += space
    return found


def lines(breaks: list[Break], chosen: list[int] | None, begin: float = 0) -> list[float]:
    """How much each line is stretched."""
    assert chosen
    found = []
    for number in chosen:
        first = chosen.index(number) == 0
        before = breaks[chosen[chosen.index(number) - 1]]
        start, spaces = (begin, 0) if first else (before.start, before.spaces_after)
        found.append(ratio(MEASURE, breaks[number].end - start, breaks[number].spaces - spaces))
    return found


def test_spaces_are_stretched_and_shrunk_in_their_own_measure() -> None:
    assert ratio(MEASURE, 96, 2) == 1
    assert ratio(MEASURE, 101, 2) == -0.5
    assert ratio(MEASURE, 100, 0) == 0
    assert (ratio(MEASURE, 90, 0), ratio(MEASURE, 110, 0)) == (inf, -inf)


def test_what_fits_one_line_is_one_line() -> None:
    assert fit(words(20, 20, 20), 0, MEASURE) == [2]
    assert fit(words(52, 46), 0, MEASURE) is not None  # 102, but the second line is the last


def test_a_line_is_shrunk_to_the_limit_and_no_further() -> None:
    assert fit(words(30, 30, 34, 9), 0, MEASURE) == [2, 3]  # 102 with two spaces
    assert 2 not in (fit(words(30, 30, 35, 9), 0, MEASURE) or [2])


def test_a_word_is_given_away_where_the_next_line_needs_it() -> None:
    breaks = words(12, 8, 8, 18, 14, 10, 10, 18, 20, 14, 18, 20, 32)
    # Filled one by one, the first line would have a word more, and the second one be three times as loose as it may.
    assert [round(each, 1) for each in lines(breaks, [6, 10, 12])[:2]] == [-0.7, 3.0]
    assert fit(breaks, 0, MEASURE) == [5, 10, 12]
    assert [round(each, 1) for each in lines(breaks, [5, 10, 12])[:2]] == [1.0, 0.5]


def test_no_word_is_too_long_for_its_line() -> None:
    assert fit(words(20, 120, 20), 0, MEASURE) is None
    assert fit([], 0, MEASURE) is None


def test_the_first_line_begins_where_it_is_told() -> None:
    assert fit(words(40, 40, 10), 0, MEASURE) == [2]
    assert fit(words(40, 40, 10), -10, MEASURE) == [1, 2]


@pytest.mark.parametrize(("penalty", "chosen"), [(0.0, [4, 7]), (HYPHEN, [4, 7]), (FORMULA, [3, 7])])
def test_breaks_in_formulas_are_the_last_resort(penalty: float, chosen: list[int]) -> None:
    breaks = words(32, 22, 12, 14, 8, 26, 18, 28, penalties={4: penalty})
    assert fit(breaks, 0, MEASURE) == chosen


def test_a_last_line_is_not_a_few_letters() -> None:
    line = 8, 6, 6, 5, 6, 9, 7, 3, 8, 9
    assert fit(words(*line, 15), 0, MEASURE) == [9, 10]
    assert fit(words(*line, 5), 0, MEASURE) == [8, 10]


def _demerits(breaks: list[Break], chosen: tuple[int, ...]) -> float:
    """The rules once more, said in another way: those of TeX for one way of breaking."""
    total, before, hyphen_before = 0.0, 1, False
    places = [Break(0, 0, 0, 0), *(breaks[number] for number in chosen)]
    for start, end in pairwise(places):
        natural = end.end - start.start
        stretched = ratio(MEASURE, natural, end.spaces - start.spaces_after)
        if stretched < -1:
            return inf
        if end is breaks[-1] and stretched >= 0:
            total += 5000 if len(chosen) > 1 and natural < 100 / 16 else 0
            stretched = 0
        badness = min(100 * abs(stretched) ** 3, 10_000)
        fitness = 0 if stretched < -0.5 else 1 if stretched <= 0.5 else 2 if stretched <= 1 else 3
        total += (10 + badness) ** 2 + end.penalty**2
        total += 10_000 * (end.hyphen and hyphen_before) + 10_000 * (abs(fitness - before) > 1)
        before, hyphen_before = fitness, end.hyphen
    return total


@pytest.mark.parametrize("seed", range(40))
def test_no_other_way_is_better(seed: int) -> None:
    chance = random.Random(seed)
    penalties = {number: chance.choice([0.0, 0.0, HYPHEN, FORMULA]) for number in range(10)}
    breaks = words(*(chance.uniform(8, 45) for _ in range(11)), penalties=penalties)
    ways = [(*way, 10) for size in range(10) for way in combinations(range(10), size)]
    best = min(_demerits(breaks, way) for way in ways)
    chosen = fit(breaks, 0, MEASURE)
    assert chosen is not None
    assert _demerits(breaks, tuple(chosen)) == pytest.approx(best)
