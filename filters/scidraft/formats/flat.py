"""The blocks of a note as one run of text, for where a note stands inside a line."""

from __future__ import annotations

import panflute as pf

from scidraft.document import plain_text


def flat(blocks: list[pf.Element]) -> list[pf.Element]:
    """The text of a note in one run: a footnote stands inside a line, where HTML allows no blocks."""
    words: list[pf.Element] = []
    for block in blocks:
        if words:
            words.append(pf.LineBreak())
        if isinstance(block, (pf.Para, pf.Plain)):
            words += block.content.list
        elif isinstance(block, (pf.BulletList, pf.OrderedList)):
            for index, item in enumerate(block.content.list, getattr(block, "start", 1)):
                mark = "•" if isinstance(block, pf.BulletList) else f"{index}."
                words += [
                    *([pf.LineBreak()] if words and item is not block.content.list[0] else []),
                    pf.Str(mark),
                    pf.Space(),
                ]
                words += flat(item.content.list)
        elif isinstance(block, (pf.Div, pf.BlockQuote)):
            inside = flat(block.content.list)
            # References lead to a statement in a note, too.
            words += [pf.Span(*inside, identifier=block.identifier)] if getattr(block, "identifier", "") else inside
        elif isinstance(block, pf.CodeBlock):
            for index, line in enumerate(block.text.splitlines()):
                words += [*([pf.LineBreak()] if index else []), pf.Code(line)]
        else:
            words.append(pf.Str(plain_text([block])))
    return words
