"""A game whose turn is one firing of one rule, as people write it: an action a rule, over cells.

This is so where the turn is a single pass in which the input finds one subject: there is only one piece that
the rules are for, or the pick names it. What an earlier rule would do first becomes a precondition. A rule
that is the same in every direction is one action with the direction as a parameter.
"""

from __future__ import annotations

from collections.abc import Mapping

from ggp.exporters.pddl.cases import HERE, Case, Cases, NotLifted
from ggp.exporters.pddl.task import (
    Effect,
    Exists,
    Fact,
    Formula,
    Means,
    Operator,
    all_of,
    any_of,
    negation,
)
from ggp.exporters.pddl.words import Vocabulary
from ggp.model import DIRECTIONS, OFFSETS, RELATIVE, Instance, Objective
from ggp.model.board import kinds_of
from ggp.transition.program import Change, Offset, Pass, Term, Transition

TURNS = tuple(RELATIVE)


def write_lifted(words: Vocabulary, transition: Transition) -> tuple[Operator, ...]:
    """The actions of a game, each of which stands for one firing; raises NotLifted."""
    program = (*transition.turn, *transition.physics)
    if len(program) != 1 or not isinstance(program[0], Pass) or transition.wraps:
        raise NotLifted("a turn is more than one pass")
    cases = tuple(Cases(words.instance, transition, program[0]).all())
    groups: dict[object, list[Case]] = {}
    for case in cases:
        groups.setdefault(template(words, case), []).append(case)
    operators: list[Operator] = []
    for group in groups.values():
        turns = {case.toward for case in group}
        if len(group) == len(DIRECTIONS) and turns == set(DIRECTIONS):
            operators.append(Writer(words, transition, group[0], lifted=True).operator())
        else:
            operators += [Writer(words, transition, case, lifted=False).operator() for case in group]
    return tuple(operators)


# --- turning


def back_turned(offset: Offset, quarters: int) -> Offset:
    """An offset turned so many quarters against the clock."""
    for _ in range(quarters):
        offset = (-offset[1], offset[0])
    return offset


def quarters(direction: str | None) -> int:
    """How many quarters clockwise from up."""
    return DIRECTIONS.index(direction) if direction in DIRECTIONS else 0


def template(words: Vocabulary, case: Case) -> object:
    """What is the same of a case in every direction; all facings of a kind are so together."""
    turn = quarters(case.toward)
    piece = {
        plane: (one.kind, (quarters(one.variant) - turn) % 4 if isinstance(one.variant, str) else one.variant)
        for plane, one in enumerate(words.transition.planes)
    }

    def pieces(planes: tuple[int, ...]) -> frozenset[object]:
        whole = words.whole(planes)
        kinds = {words.transition.planes[plane].kind for plane in whole}
        return frozenset([*kinds, *(piece[plane] for plane in planes if plane not in whole)])

    def terms(some: frozenset[Term]) -> frozenset[object]:
        return frozenset((back_turned(one.offset, turn), pieces(one.planes), one.wanted) for one in some)

    changes = [
        (
            None if one.plane is None else piece[one.plane],
            back_turned(one.source, turn),
            None if one.result is None else piece[one.result],
            back_turned(one.target, turn),
        )
        for one in case.changes
    ]
    picked = None if case.picked is None else back_turned(case.picked, turn)
    verb = case.verb if case.toward is None or case.verb == "pick" else "move"
    before = frozenset(terms(some) for some in case.before)
    return case.rule.name, piece[case.subject], verb, picked, terms(case.terms), tuple(changes), before


# --- writing one action


class Writer:
    """Writes one case as an action: for its own direction, or `lifted` over all."""

    def __init__(self, words: Vocabulary, transition: Transition, case: Case, *, lifted: bool) -> None:
        self.words, self.transition, self.case, self.lifted = words, transition, case, lifted
        self.turn = quarters(case.toward) if lifted else 0
        self.bound: dict[Offset, str] = {}
        self.turns: dict[int, str] = {0: "?d"} if lifted else {}
        self.links: list[Formula] = []

    def operator(self) -> Operator:
        """The action."""
        case, words = self.case, self.words
        for offset in sorted(self.reached(), key=lambda at: (abs(at[0]) + abs(at[1]), at)):
            self.cell(offset)
        needs = [self.said(term) for term in sorted(case.terms, key=self.order) if term.planes]
        edges = [self.said(term) for term in case.terms if not term.planes and not term.wanted]
        firsts = [
            any_of(negation(self.said(term)) for term in sorted(some, key=self.order))
            for some in sorted(case.before, key=lambda some: sorted(map(self.order, some)))
        ]
        effects = self.effects()
        directions = [self.turns[key] for key in sorted(self.turns)]
        parameters = [(name, "direction") for name in directions]
        parameters += [(name, "location") for name in self.bound.values()]
        objective_costs = costs(words.instance, self.transition, case.changes)
        return Operator(
            words.action(case.rule.name),
            tuple(parameters),
            tuple(one for one in (*self.links, *needs, *edges, *firsts) if one is not True),
            effects,
            self.means(),
            objective_costs,
        )

    def reached(self) -> set[Offset]:
        """The cells that must be on the board for the rule to fire."""
        cells = {term.offset for term in self.case.terms if term.wanted}
        for change in self.case.changes:
            cells |= {change.source, change.target}
        return {back_turned(offset, self.turn) for offset in cells}

    def order(self, term: Term) -> tuple[object, ...]:
        """Nearest first, what is there before what is not."""
        row, column = back_turned(term.offset, self.turn)
        return abs(row) + abs(column), row, column, not term.wanted, term.planes

    def means(self) -> Means:
        """The input that the action stands for."""
        case = self.case
        toward = None if case.toward is None else self.facing(case.toward)
        if case.picked is None:
            return Means(case.verb if toward is None else toward)
        return Means("pick", self.cell(back_turned(case.picked, self.turn)), toward)

    # --- cells and directions

    def step(self, number: int) -> str:
        """What stands for a direction: so many quarters from up, or from the action's direction."""
        if not self.lifted:
            return self.words.direction(DIRECTIONS[number])
        if number not in self.turns:
            self.turns[number] = f"?d_{TURNS[number]}"
            name = self.words.predicate(f"{TURNS[number]} of", "direction", "direction")
            self.links.append(Fact(name, ("?d", self.turns[number])))
        return self.turns[number]

    def facing(self, direction: str) -> str:
        """What stands for an absolute direction of the case."""
        return self.step((DIRECTIONS.index(direction) - self.turn) % 4)

    def way(self, offset: Offset) -> tuple[int, Offset]:
        """(the last step to a cell, the cell that it comes from): columns first, then rows."""
        row, column = offset
        if row:
            number = 0 if row < 0 else 2
        else:
            number = 1 if column > 0 else 3
        down, right = OFFSETS[DIRECTIONS[number]]
        return number, (row - down, column - right)

    def link(self, offset: Offset, name: str, known: Mapping[Offset, str]) -> Fact:
        """That the cell called `name` is where it should be from the one before it."""
        number, before = self.way(offset)
        adjacent = self.words.predicate("adjacent", "direction", "location", "location")
        if self.lifted and number == 2 and 2 not in self.turns:  # a step back is a step on from there
            return Fact(adjacent, (self.step(0), name, known[before]))
        return Fact(adjacent, (self.step(number), known[before], name))

    def cell(self, offset: Offset) -> str:
        """The parameter that stands for a cell, tied to the anchor by steps."""
        if offset not in self.bound:
            if offset != HERE:
                self.cell(self.way(offset)[1])
            self.bound[offset] = f"?{self.path(offset)}"
            if offset != HERE:
                self.links.append(self.link(offset, self.bound[offset], self.bound))
        return self.bound[offset]

    def path(self, offset: Offset) -> str:
        """The steps to a cell in words."""
        steps: list[str] = []
        while offset != HERE:
            number, offset = self.way(offset)
            steps.append((TURNS if self.lifted else DIRECTIONS)[number])
        return "_".join(reversed(steps)) or "here"

    # --- conditions and effects

    def said(self, term: Term) -> Formula:
        """A term as a formula."""
        offset = back_turned(term.offset, self.turn)
        if offset in self.bound:
            stands = self.standing(term.planes, self.bound[offset]) if term.planes else True
        else:
            number, before = self.way(offset)
            if before not in self.bound:
                raise NotLifted(f"{self.case.rule.name} looks past the edge of the board")
            name = "?beyond"
            link = self.link(offset, name, self.bound)
            inner = self.standing(term.planes, name) if term.planes else True
            stands = Exists(((name, "location"),), all_of([link, inner]))
        return stands if term.wanted else negation(stands)

    def standing(self, planes: tuple[int, ...], at: str) -> Formula:
        """That one of these pieces stands at a cell."""
        whole = self.words.whole(planes)
        parts = [self.words.some_piece([plane for plane in planes if plane in whole], at)]
        parts += [self.piece(plane, at) for plane in planes if plane not in whole]
        return any_of(parts)

    def piece(self, plane: int, at: str) -> Fact:
        """That a piece stands at a cell; its facing is relative where the action is lifted."""
        variant = self.transition.planes[plane].variant
        return self.words.piece(plane, at, self.facing(variant) if isinstance(variant, str) else None)

    def effects(self) -> tuple[Effect, ...]:
        """What is taken and put; what is taken and put back is neither."""
        gone, come = dict[Fact, None](), dict[Fact, None]()
        for change in self.case.changes:
            if change.plane is not None:
                gone[self.piece(change.plane, self.cell(back_turned(change.source, self.turn)))] = None
            if change.result is not None:
                come[self.piece(change.result, self.cell(back_turned(change.target, self.turn)))] = None
        return (
            *(Effect(fact, False) for fact in gone if fact not in come),
            *(Effect(fact, True) for fact in come if fact not in gone),
        )


def costs(instance: Instance, transition: Transition, changes: tuple[Change, ...]) -> dict[str, int]:
    """What a firing with these sure changes costs under each objective."""
    return {one.name: cost(instance, transition, one, changes) for one in instance.game.objectives}


def cost(
    instance: Instance, transition: Transition, objective: Objective, changes: tuple[Change, ...]
) -> int:
    """A turn costs 1; moves are pieces of the objective's kind that are moved or turned."""
    if objective.counts != "moves":
        return int(objective.counts == "turns")
    kinds = kinds_of(instance.game, objective.kind or "")
    moved = [one.plane for one in changes if one.plane is not None and one.result is not None]
    return sum(transition.planes[plane].kind in kinds for plane in moved)
