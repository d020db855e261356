"""Finds where a statement's head and a proof's end mark go, whatever the blocks are; knows no format."""

from __future__ import annotations

import panflute as pf

from scidraft.catalogue import Catalogue, Equation


def starts_with_text(block: pf.Element | None) -> bool:
    """Whether a head can run into this block: a paragraph that does not begin with a display."""
    if not isinstance(block, (pf.Para, pf.Plain)) or not block.content.list:
        return False
    return not _is_display(block.content.list[0])


def _is_display(inline: pf.Element) -> bool:
    return isinstance(inline, pf.Math) and inline.format == "DisplayMath"


class Ends:
    """Finds the ends of a note's proofs."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._displays = {id(equation.element): equation for equation in catalogue.equations}
        self._statements = {id(statement.element) for statement in catalogue.statements}

    def of(self, blocks: list[pf.Element]) -> Equation | list[pf.Element] | None:
        """Where the end mark of a proof stands that consists of `blocks`.

        An `Equation` it stands beside; the list of inlines it follows; None when no line of text ends the proof, so that it needs
        a line of its own. A mark never goes inside another statement.
        """
        if not blocks:
            return None
        last = blocks[-1]
        if isinstance(last, (pf.Para, pf.Plain)):
            words: list[pf.Element] = last.content.list
            while words and isinstance(words[-1], (pf.Space, pf.SoftBreak, pf.LineBreak)):
                words.pop()
            return self._displays.get(id(words[-1])) if words and _is_display(words[-1]) else words
        if isinstance(last, (pf.BulletList, pf.OrderedList)):
            return self.of(last.content.list[-1].content.list) if last.content.list else None
        if isinstance(last, pf.LineBlock):
            verse: list[pf.Element] = last.content.list[-1].content.list if last.content.list else []
            return verse
        if isinstance(last, pf.DefinitionList):
            definitions = last.content.list[-1].definitions.list
            return self.of(definitions[-1].content.list) if definitions else None
        if isinstance(last, pf.BlockQuote) or (isinstance(last, pf.Div) and id(last) not in self._statements):
            return self.of(last.content.list)
        return None
