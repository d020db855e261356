"""What uses what: read off the references inside statements and their proofs."""

from __future__ import annotations

import re
from dataclasses import dataclass

import panflute as pf

from scidraft import messages
from scidraft.catalogue import Elsewhere, Equation, Item, Row, Statement, Subequations, Target
from scidraft.document import walk
from scidraft.draft import Draft
from scidraft.referring import Citing
from scidraft.wording import Wordings, label_text

_IN_FORMULA = re.compile(r"\\(?:eq)?ref\{([^{}]+)\}")


@dataclass(frozen=True)
class Use:
    """`user` uses `used`; `proof` is the proof that says so, None when the statement itself does.

    `direct` is False for a proof that holds the one in which the reference stands.
    """

    user: Statement
    used: Statement | Elsewhere
    proof: Statement | None
    direct: bool


class Uses:
    """The uses of a note, after `resolve`: what is found by the identity of statements, and by their order in the note."""

    def __init__(self, draft: Draft) -> None:
        """Read the references of `draft`; nothing is changed."""
        self.catalogue = draft.catalogue
        self.order = {id(statement): index for index, statement in enumerate(self.catalogue.statements)}
        self._homes: dict[int, Statement] = {}
        self._in_formulas: list[tuple[Statement, str]] = []
        self._look_into_formulas()
        self._before = self._earlier_siblings(draft)
        self.all: list[Use] = []
        #: What each statement refers to itself, by its identity; for a proof, what stands in it.
        self._said: dict[int, dict[int, Statement | Elsewhere]] = {}
        self._gather()

    # Questions

    def proved_by(self, proof: Statement) -> Statement | None:
        """The statement a proof (or solution) belongs to: the one it names, else the nearest before it in the same place."""
        if not is_proof(proof):
            return None
        if proof.of:
            target = proof.target
            owner = target.statement if isinstance(target, Item) else target
            return owner if isinstance(owner, Statement) else None
        for other in reversed(self._before.get(id(proof), [])):
            if other.kind.style not in ("proof", "remark"):
                return other
        return proof.inside if proof.inside and proof.inside.kind.style != "proof" else None

    def proofs(self, statement: Statement) -> list[Statement]:
        """The proofs (and solutions) of a statement."""
        return [other for other in self.catalogue.statements if self.proved_by(other) is statement]

    def of(self, statement: Statement) -> list[Statement | Elsewhere]:
        """What a statement and its proofs use, in the order of the note; what is in other notes comes last."""
        used = dict(self._said.get(id(statement), {}))
        used |= {id(use.used): use.used for use in self.all if use.user is statement}
        return sorted(used.values(), key=lambda one: self.order.get(id(one), len(self.order)))

    def by(self, target: Statement) -> list[Statement]:
        """The statements that use `target`, in the order of the note."""
        users = {id(use.user): use.user for use in self.all if use.used is target}
        return sorted(users.values(), key=lambda one: self.order[id(one)])

    # Gathering

    def _look_into_formulas(self) -> None:
        """Which statement holds each formula, the innermost one, and what formulas refer to."""
        within: dict[int, tuple[Statement, str]] = {}
        for statement in self.catalogue.statements:
            for place in walk(statement.element):
                if isinstance(place.element, pf.Math):
                    self._homes[id(place.element)] = statement
                    within[id(place.element)] = (statement, place.element.text)
        for statement, text in within.values():
            self._in_formulas += [(statement, identifier) for identifier in _IN_FORMULA.findall(text)]

    def _earlier_siblings(self, draft: Draft) -> dict[int, list[Statement]]:
        """For each statement, those before it in the same place; a heading begins anew."""
        by_element = {id(statement.element): statement for statement in self.catalogue.statements}
        before: dict[int, list[Statement]] = {}
        runs: dict[int, list[Statement]] = {}
        for place in walk(draft.doc):
            run = runs.setdefault(id(place.siblings), []) if isinstance(place.element, (pf.Div, pf.Header)) else []
            if isinstance(place.element, pf.Header):
                run.clear()
            elif id(place.element) in by_element:
                statement = by_element[id(place.element)]
                before[id(statement)] = list(run)
                run.append(statement)
        return before

    def _gather(self) -> None:
        for reference in self.catalogue.references:
            if reference.inside:
                for piece in reference.pieces:
                    if isinstance(piece, Citing):
                        self._note(reference.inside, self.catalogue.find(piece.identifier))
        for statement, identifier in self._in_formulas:
            self._note(statement, self.catalogue.find(identifier))
        for statement in self.catalogue.statements:
            if not is_proof(statement):
                # A "Corollary of Theorem 2".
                self._note(statement, statement.target)

    def _note(self, inside: Statement, target: Target | None) -> None:
        """A reference inside a statement counts for it, and for all that it is a part of."""
        used = self._statement_of(target)
        if used is None:
            return
        holder: Statement | None = inside
        proofs = 0
        users: set[int] = set()
        while holder:
            if used is not holder:
                self._said.setdefault(id(holder), {})[id(used)] = used
            proof = holder if is_proof(holder) else None
            user = (self.proved_by(holder) if proof else holder) or holder
            if user is not used and id(user) not in users:
                users.add(id(user))
                self.all.append(Use(user, used, proof, direct=not proofs))
            proofs += proof is not None
            holder = holder.inside

    def _statement_of(self, target: Target | None) -> Statement | Elsewhere | None:
        if isinstance(target, Item):
            target = target.statement
        elif isinstance(target, Subequations):
            target = next((found for place in walk(target.element) if (found := self._homes.get(id(place.element)))), None)
        elif isinstance(target, (Equation, Row)):
            equation = target.equation if isinstance(target, Row) else target
            target = self._homes.get(id(equation.element))
        if isinstance(target, Statement) and target.kind.style == "proof":
            # A formula of a proof is as good as what is proved there.
            return self.proved_by(target) or target
        return target if isinstance(target, (Statement, Elsewhere)) else None


def is_proof(statement: Statement) -> bool:
    """Whether a statement argues for another one: a proof, or the solution of a problem that it names."""
    return statement.kind.style == "proof" or (statement.noun in ("solution", "answer") and bool(statement.of))


def check(draft: Draft) -> None:
    """Tell of proofs that go in a circle, and of those that use what is stated later."""
    uses = Uses(draft)
    wordings = Wordings(draft.settings, draft.messages)

    def name(statement: Statement) -> str:
        text = label_text(wordings.of(statement.language), statement)
        return f"{text} (`{statement.identifier}`)" if statement.identifier else text

    circles = _circles(uses)
    for circle in circles:
        draft.messages.add(messages.lists.circular_proofs([name(statement) for statement in (*circle, circle[0])]))
    in_circles = {(id(one), id(two)) for circle in circles for one, two in zip(circle, [*circle[1:], circle[0]], strict=True)}
    for use in uses.all:
        if not (use.proof and use.direct and isinstance(use.used, Statement)) or use.used.kind.style == "remark":
            continue
        later = uses.order[id(use.used)] > uses.order[id(use.proof)]
        if later and not _is_part(use.used, use.proof) and (id(use.user), id(use.used)) not in in_circles:
            draft.messages.add(messages.lists.uses_later(name(use.user), name(use.used)))


def _is_part(statement: Statement, whole: Statement) -> bool:
    inside = statement.inside
    while inside and inside is not whole:
        inside = inside.inside
    return inside is whole


def _circles(uses: Uses) -> list[list[Statement]]:
    """One shortest circle for each statement whose proofs lead back to it, unless it is in one that is known already."""
    following: dict[int, list[Statement]] = {}
    for use in uses.all:
        if use.proof and isinstance(use.used, Statement):
            following.setdefault(id(use.user), []).append(use.used)
    circles: list[list[Statement]] = []
    known: set[int] = set()
    for start in uses.catalogue.statements:
        if id(start) in known:
            continue
        circle = _way_back(start, following)
        if circle:
            known |= {id(statement) for statement in circle}
            circles.append(circle)
    return circles


def _way_back(start: Statement, following: dict[int, list[Statement]]) -> list[Statement]:
    """The shortest way from `start` to itself, without the return; [] where there is none."""
    ways = [[start]]
    seen: set[int] = set()
    for way in ways:
        for step in following.get(id(way[-1]), ()):
            if step is start:
                return way
            if id(step) not in seen:
                seen.add(id(step))
                ways.append([*way, step])
    return []
