"""Finds where a statement's head and a proof's end mark go, whatever the blocks are; knows no format."""

from __future__ import annotations

from collections.abc import Mapping

import panflute as pf

from scidraft.catalogue import Equation, Statement


def displays(equations: list[Equation]) -> dict[int, Equation]:
    """The equations by the identity of their formula."""
    return {id(equation.element): equation for equation in equations}


def starts_with_text(block: pf.Element | None) -> bool:
    """Whether a head can run into this block: a paragraph that does not begin with a display."""
    if not isinstance(block, (pf.Para, pf.Plain)) or not block.content.list:
        return False
    return not _is_display(block.content.list[0])


def _is_display(inline: pf.Element) -> bool:
    return isinstance(inline, pf.Math) and inline.format == "DisplayMath"


def end_of(
    blocks: list[pf.Element], by_formula: Mapping[int, Equation], statements: Mapping[int, Statement]
) -> Equation | list[pf.Element] | None:
    """Where the end mark of a proof stands that consists of `blocks`.

    An `Equation` it stands beside; the list of inlines it follows; None when no line of text ends the proof, so that it needs a
    line of its own. `statements` are the statements by the identity of their div: a mark never goes inside another statement.
    """
    if not blocks:
        return None
    last = blocks[-1]
    if isinstance(last, (pf.Para, pf.Plain)):
        words: list[pf.Element] = last.content.list
        while words and isinstance(words[-1], (pf.Space, pf.SoftBreak, pf.LineBreak)):
            words.pop()
        if words and _is_display(words[-1]):
            return by_formula.get(id(words[-1]))
        return words
    if isinstance(last, (pf.BulletList, pf.OrderedList)):
        return end_of(last.content.list[-1].content.list, by_formula, statements) if last.content.list else None
    if isinstance(last, pf.DefinitionList):
        definitions = last.content.list[-1].definitions.list
        return end_of(definitions[-1].content.list, by_formula, statements) if definitions else None
    if isinstance(last, pf.BlockQuote) or (isinstance(last, pf.Div) and id(last) not in statements):
        return end_of(last.content.list, by_formula, statements)
    return None
