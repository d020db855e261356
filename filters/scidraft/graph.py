"""The passes that draw what depends on what.

    ::: {.statement-graph kinds="theorem lemma" caption="…" #fig-deps}

`place` comes before everything is numbered, so that the figure is counted; `run` when numbers and references are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import panflute as pf

from scidraft import messages
from scidraft.catalogue import Statement
from scidraft.document import replace, walk
from scidraft.draft import Draft
from scidraft.lists import chosen_kinds
from scidraft.macros import expand_macros
from scidraft.marks import STATEMENT_GRAPH
from scidraft.uses import Uses, is_proof
from scidraft.wording import NBSP, Wordings, shown_number, text_of

#: Labels are broken at about this many letters.
_WIDTH = 24
_REFERENCE = re.compile(r"\\(?P<eq>eq)?ref\{(?P<id>[^{}]*)\}")
_DIRECTIONS = ("TB", "TD", "BT", "LR", "RL")


def place(draft: Draft) -> None:
    """Put an empty Mermaid block where a div asks for a graph; what the div holds is the caption."""
    for where in walk(draft.doc):
        div = where.element
        if not isinstance(div, pf.Div) or STATEMENT_GRAPH not in div.classes:
            continue
        block = pf.CodeBlock("", identifier=div.identifier, classes=["mermaid", *div.classes], attributes=dict(div.attributes))
        words = [pf.Plain(*block.content.list) for block in div.content.list if isinstance(block, (pf.Para, pf.Plain))]
        if words and "caption" not in block.attributes:
            block.identifier = ""
            replace(where, pf.Figure(block, caption=pf.Caption(*words), identifier=div.identifier, classes=["diagram"]))
        else:
            replace(where, block)


def run(draft: Draft) -> None:
    """Write the diagrams: an arrow leads from what is used to what uses it; what has no arrows is left out while others have."""
    places = [request.place for request in draft.catalogue.requests if request.name == STATEMENT_GRAPH]
    if not places:
        return
    uses, labels = Uses(draft), _Labels(draft)
    for where in places:
        block = where.element
        kinds = chosen_kinds(block, STATEMENT_GRAPH, draft)
        everything = block.attributes.pop("all", "").lower() in ("true", "yes", "1")
        direction = block.attributes.pop("direction", "TB").upper()
        edges = list(_edges(uses, kinds))
        joined = {id(statement) for edge in edges for statement in edge}
        nodes = [
            statement
            for statement in draft.catalogue.statements
            if id(statement) in joined or ((everything or not edges) and _wanted(statement, kinds))
        ]
        if not nodes:
            draft.messages.add(messages.lists.empty_list(STATEMENT_GRAPH))
            # A figure has been counted and stays; a block alone goes.
            replace(where, *([pf.Plain(pf.Str("—"))] if isinstance(where.parent, pf.Figure) else []))
            continue
        lines = [f"flowchart {direction if direction in _DIRECTIONS else 'TB'}"]
        names = {id(statement): f"s{number}" for number, statement in enumerate(nodes, 1)}
        lines += [f'  {names[id(node)]}["{labels.of(node)}"]' for node in nodes]
        lines += [f"  {names[id(used)]} --> {names[id(user)]}" for used, user in edges]
        block.text = "\n".join(lines)


def _wanted(statement: Statement, kinds: set[str] | None) -> bool:
    return statement.kind.name in kinds if kinds is not None else not is_proof(statement)


def _edges(uses: Uses, kinds: set[str] | None) -> Iterator[tuple[Statement, Statement]]:
    for user in uses.catalogue.statements:
        if _wanted(user, kinds) and not is_proof(user):
            for used in uses.of(user):
                if isinstance(used, Statement) and _wanted(used, kinds):
                    yield used, user


class _Labels:
    """The labels of one note's statements, as Mermaid takes them."""

    def __init__(self, draft: Draft) -> None:
        self.wordings = Wordings(draft.settings, draft.messages)
        self.catalogue = draft.catalogue
        self.macros = draft.settings.macros
        self.references = {id(reference.place.element): text_of(reference.words) for reference in draft.catalogue.references}

    def of(self, statement: Statement) -> str:
        """ "Theorem 2" and the title below it; formulas are set."""
        head = self.wordings.of(statement.language).head(statement)
        lines = [_escaped(f"{text_of(head.label)} {statement.number or ''}".strip())]
        line = ""
        # What stands together, as a formula and its comma, stays together.
        for word in "".join(self.text(statement.title)).split("\0"):
            if line and len(f"{line} {word}") > _WIDTH and not word.startswith("$$"):
                lines.append(line)
                line = word
            else:
                line = f"{line} {word}".strip()
        return "<br/>".join([*lines, line] if line else lines)

    def formula(self, math: pf.Math) -> str:
        """A formula with the note's macros written out: a diagram is drawn without them."""
        try:
            return expand_macros(math.text, self.macros)
        except ValueError:
            return str(math.text)

    def text(self, elements: Iterable[pf.Element]) -> Iterator[str]:
        """A title, with a sign of its own between words."""
        for element in elements:
            if id(element) in self.references:
                yield _escaped(self.references[id(element)]).replace(" ", "\0")
            elif isinstance(element, (pf.Space, pf.SoftBreak, pf.LineBreak)):
                yield "\0"
            elif isinstance(element, pf.Math):
                yield f"$${_REFERENCE.sub(self.number, ' '.join(self.formula(element).split()))}$$"
            elif isinstance(element, (pf.Str, pf.Code)):
                yield _escaped(element.text)
            elif isinstance(element, pf.Quoted):
                marks = "“”" if element.quote_type == "DoubleQuote" else "‘’"
                yield from (marks[0], *self.text(element.content.list), marks[1])
            elif not isinstance(element, pf.Note) and hasattr(element, "_content"):
                yield from self.text(element.content.list)

    def number(self, match: re.Match[str]) -> str:
        """The number that a formula refers to: whoever draws it does not know our labels."""
        target = self.catalogue.find(match["id"])
        return f"\\text{{{shown_number(target) if match['eq'] else target.number}}}" if target and target.number else match[0]


def _escaped(text: str) -> str:
    """Text without what Mermaid reads as its own."""
    return re.sub(r'[#"<>&`$*_\\]', lambda sign: f"#{ord(sign[0])};", text.replace(NBSP, " "))
