"""Games of one agent, as tables: what each input may do on each cell, with all that is settled folded in.

`ggp.transition.macros` finds the agent; here its rules are grounded, as planners say: spelt out for every
cell. An *operator* is one rule on one cell for one input: what it asks of the board, what it takes and puts,
where the agent is then. Things that rules could move are worked out by relaxed reachability: whatever became
possible stays possible (as if nothing were deleted: Bonet and Geffner, 2001). What is then still certain (a
crate that nothing can ever move is a wall) is folded away, and each remaining (plane, cell) that may be or
not be there is one bit of the state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from ggp.errors import Unfit
from ggp.model import Instance, Objective
from ggp.model.board import kinds_of
from ggp.referee.semantics import ending
from ggp.transition.macros import Agent, find_agent
from ggp.transition.program import Change, CompiledRule, Term, Transition

Spot = tuple[int, int]  # (plane, cell); cells are numbered in reading order
IDLE, STEP, PUSH = 0, 1, 2


class Ask(NamedTuple):
    """On `cell`, does some piece of `planes` stand (or none, if not `wanted`)?"""

    cell: int
    planes: tuple[int, ...]
    wanted: bool


class Effect(NamedTuple):
    """A piece that is taken, put, or both. None: nothing is taken, or nothing put."""

    source: Spot | None
    target: Spot | None


class Operator(NamedTuple):
    """One rule on one cell for one input. Of the operators of an input the first whose asks hold fires."""

    cell: int
    action: int
    target: int
    asks: tuple[Ask, ...]
    effects: tuple[Effect, ...]  # of all but the agent
    cost: int

    @property
    def kind(self) -> int:
        """Does it change nothing, only where the agent stands, or more?"""
        if any(effect.source != effect.target for effect in self.effects):
            return PUSH
        return STEP if self.target != self.cell else IDLE


@dataclass
class Grounded:
    """The operators of an instance, in the order of cell, input and trying, and the spots left open."""

    agent: Agent
    operators: list[Operator]
    cells: list[int]  # where the agent can get to, if whatever can be moved is out of the way
    open: list[Spot]  # cell by cell
    there: frozenset[Spot]  # what stands at the start, of the planes that rules change
    certain: frozenset[Spot]  # and of these, what stays

    @property
    def transition(self) -> Transition:
        """The compiled rules."""
        return self.agent.transition


def ground(instance: Instance, transition: Transition, objective: Objective | None) -> Grounded:
    """The tables of an instance; raises Unfit where they cannot say what its rules mean."""
    found = find_agent(instance, transition)
    if found is None or ending(instance) != "any-turn":
        raise Unfit
    return Reachability(Grounding(instance, found, objective)).tables()


def counted(
    instance: Instance, transition: Transition, objective: Objective | None
) -> tuple[frozenset[int], bool]:
    """The planes whose moves an objective counts, and whether it counts turns: so without an objective."""
    kinds = kinds_of(instance.game, objective.kind or "") if objective and objective.kind else ()
    planes = frozenset(p for p, piece in enumerate(transition.planes) if piece.kind in kinds)
    return planes, objective is None or objective.counts == "turns"


class Grounding:
    """Spells rules out for cells, settling what the planes that never change already say."""

    def __init__(self, instance: Instance, found: Agent, objective: Objective | None) -> None:
        self.agent, self.transition = found, found.transition
        self.columns = self.transition.width
        self.changing = self.transition.dynamic - {found.plane}
        self.counted, self.by_turns = counted(instance, self.transition, objective)
        self.start = frozenset(
            (self.transition.number[piece], row * self.columns + column)
            for row, line in enumerate(instance.level.board)
            for column, here in enumerate(line)
            for piece in here
        )

    def operators(self, cell: int) -> Iterator[Operator]:
        """The operators of a cell, by input, in the order of trying."""
        for action, (_, rules) in enumerate(self.agent.plans):
            for rule in rules:
                for operator in self.spell(rule, cell, action):
                    yield operator
                    if not operator.asks:
                        break
                else:
                    continue
                break

    def spell(self, rule: CompiledRule, cell: int, action: int) -> Iterator[Operator]:
        """The rule on a cell; several operators where it is open what there is to be taken."""
        asks: list[Ask] = []
        for term in rule.terms:
            answer = self.fold(term, cell)
            if answer is False:
                return
            if isinstance(answer, Ask):
                asks.append(answer)
        unsure = [change for change in rule.changes if self.unsure(change, cell, asks)]
        for there in self.fillings(unsure, cell):
            found = self.with_these(asks, unsure, there, cell)
            if found is None:
                continue
            done = [
                change
                for change in rule.changes
                if (change in there if change in unsure else self.sure(change, cell, asks))
            ]
            yield self.operator(cell, action, found, done)

    def fillings(self, unsure: list[Change], cell: int) -> Iterator[tuple[Change, ...]]:
        """Which of these changes may find their pieces, together: of a layer a cell holds one, or none."""
        places: dict[tuple[int, str | int], list[Change]] = {}
        for change in unsure:
            assert change.plane is not None
            alone = change.plane not in self.transition.exempt
            layer = self.transition.layers[change.plane] if alone else change.plane
            places.setdefault((self.at(cell, change.source), layer), []).append(change)
        for way in product(*(self.held(changes) for changes in places.values())):
            yield tuple(change for held in way for change in held)

    def held(self, changes: list[Change]) -> Iterator[tuple[Change, ...]]:
        """Of changes that take from one place, those that one piece there allows; at last none."""
        for plane in dict.fromkeys(change.plane for change in changes):
            yield tuple(change for change in changes if change.plane == plane)
        yield ()

    def with_these(
        self, asks: list[Ask], unsure: list[Change], there: tuple[Change, ...], cell: int
    ) -> list[Ask] | None:
        """What is asked if of the changes that are open those find their pieces; None if that cannot be."""
        found = {(self.at(cell, change.source), change.plane) for change in there}
        settled = {spot for one in found for spot in self.beside_none(one)}
        if found & settled:
            return None
        more: list[Ask] = []
        for change in unsure:
            spot = self.at(cell, change.source), change.plane
            if change.plane is not None and spot not in settled:
                more.append(Ask(spot[0], (change.plane,), spot in found))
        denied = settled | {(ask.cell, ask.planes[0]) for ask in more if not ask.wanted}
        left: list[Ask] = []
        for ask in asks:
            spots = {(ask.cell, plane) for plane in ask.planes}
            if (ask.wanted and spots <= denied) or (not ask.wanted and spots & found):
                return None
            if not ask.wanted or not spots & found:  # else what is found says it
                left.append(ask)
        return [*left, *more]

    def beside_none(self, spot: tuple[int, int | None]) -> Iterator[tuple[int, int]]:
        """What cannot be where this is: the others of its layer, but for what may share a place."""
        at, plane = spot
        assert plane is not None
        hard, soft = self.transition.shares[self.transition.layers[plane]]
        rivals = hard if plane in self.transition.exempt else (*hard, *soft)
        return ((at, rival) for rival in rivals if rival != plane)

    def at(self, cell: int, offset: tuple[int, int]) -> int:
        """The cell at an offset, -1 outside."""
        row, column = cell // self.columns + offset[0], cell % self.columns + offset[1]
        inside = 0 <= row < self.transition.height and 0 <= column < self.columns
        return row * self.columns + column if inside else -1

    def fold(self, term: Term, cell: int) -> Ask | bool:
        """What is open of a term, or its answer."""
        at = self.at(cell, term.offset)
        if not term.planes or at < 0:
            return (at >= 0 and not term.planes) == term.wanted
        if any((plane, at) in self.start for plane in term.planes if plane not in self.transition.dynamic):
            return term.wanted
        # The agent stands elsewhere only if this is its own cell, which compiling has already settled.
        planes = tuple(
            plane
            for plane in term.planes
            if plane in self.changing and not (at == cell and self.agent.excludes(plane))
        )
        return Ask(at, planes, term.wanted) if planes else not term.wanted

    def unsure(self, change: Change, cell: int, asks: list[Ask]) -> bool:
        """Is it open whether the piece to be taken is there?"""
        if change.plane is None or change.sure or change.plane not in self.changing:
            return False
        return Ask(self.at(cell, change.source), (change.plane,), True) not in asks

    def sure(self, change: Change, cell: int, asks: list[Ask]) -> bool:
        """Of a change that is not open: is it made?"""
        if change.plane is None or change.sure or change.plane == self.agent.plane:
            return True
        if change.plane in self.changing:
            return True  # the asks say that it is there
        return (change.plane, self.at(cell, change.source)) in self.start

    def operator(self, cell: int, action: int, asks: list[Ask], changes: list[Change]) -> Operator:
        """The operator, once it is known which changes are made; raises Unfit if it might collide."""
        plane, target = self.agent.plane, cell
        effects: list[Effect] = []
        cost = int(self.by_turns)
        for change in changes:
            cost += change.plane in self.counted and change.result is not None
            source = None if change.plane is None else (change.plane, self.at(cell, change.source))
            to = None if change.result is None else (change.result, self.at(cell, change.target))
            if change.result == plane:
                target = self.at(cell, change.target)
            else:
                effects.append(Effect(source, to))
            if to is not None:
                self.need_room(to, cell, asks, changes)
        sources = [effect.source for effect in effects if effect.source is not None]
        targets = [effect.target for effect in effects if effect.target is not None]
        if len(set(sources)) < len(sources) or len(set(targets)) < len(targets):
            raise Unfit
        if any(spot[0] in self.transition.markers for spot in targets):
            raise Unfit
        return Operator(cell, action, target, tuple(dict.fromkeys(asks)), tuple(effects), cost)

    def need_room(self, spot: Spot, cell: int, asks: list[Ask], changes: list[Change]) -> None:
        """Raise Unfit unless the asks say that nothing can be in the way of what is put."""
        plane, at = spot
        hard, soft = self.transition.shares[self.transition.layers[plane]]
        taken = {(change.plane, self.at(cell, change.source)) for change in changes}
        puts = [(c.result, self.at(cell, c.target)) for c in changes if c.result is not None]
        denied = {other for ask in asks if ask.cell == at and not ask.wanted for other in ask.planes}
        asked = [ask.planes for ask in asks if ask.cell == at and ask.wanted]
        for rival in hard if plane in self.transition.exempt else (*hard, *soft):
            away = (rival, at) in taken
            if (rival, at) in puts and (rival, at) != spot:
                raise Unfit
            if away or rival in denied or (rival == self.agent.plane and at != cell):
                continue
            if rival not in self.transition.dynamic and (rival, at) not in self.start:
                continue
            if at == cell and self.agent.excludes(rival):
                continue  # the agent stands there
            # Another piece of the layer is asked for here, so this one is not: a place holds one of them.
            if rival in hard and any(set(planes) <= set(hard) - {rival} for planes in asked):
                continue
            raise Unfit


class Reachability:
    """Finds what can be at all: nothing that became possible is ever taken back.

    Every run of the rules is among those relaxed ones, so what is not found here never happens.
    """

    def __init__(self, grounding: Grounding) -> None:
        self.grounding = grounding
        self.there = frozenset(spot for spot in grounding.start if spot[0] in grounding.changing)
        self.can_be = set(self.there)
        self.can_go: set[Spot] = set()
        self.cells = {grounding.agent.start: None}  # in the order in which they were reached
        self.operators: dict[int, list[Operator]] = {}
        self.spread()

    def spread(self) -> None:
        """Let the agent go wherever some operator may fire, until nothing new comes of it."""
        waiting: list[Operator] = []
        while True:
            before = len(waiting)
            waiting = [operator for operator in waiting if not self.fire(operator)]
            settled = before == len(waiting)
            while len(self.operators) < len(self.cells):
                settled = False
                cell = next(cell for cell in reversed(self.cells) if cell not in self.operators)
                self.operators[cell] = list(self.grounding.operators(cell))
                waiting += [operator for operator in self.operators[cell] if not self.fire(operator)]
            if settled:
                return

    def fire(self, operator: Operator) -> bool:
        """Note what the operator makes possible; False if it cannot fire yet."""
        if not all(map(self.possible, operator.asks)):
            return False
        for effect in operator.effects:
            if effect.source is not None:
                self.can_go.add(effect.source)
            if effect.target is not None:
                self.can_be.add(effect.target)
        self.cells.setdefault(operator.target)
        return True

    def possible(self, ask: Ask) -> bool:
        """Can the ask hold?"""
        spots = [(plane, ask.cell) for plane in ask.planes]
        if ask.wanted:
            return any(spot in self.can_be for spot in spots)
        return all(spot not in self.there or spot in self.can_go for spot in spots)

    def tables(self) -> Grounded:
        """The operators that can fire, without what is certain."""
        certain = frozenset(spot for spot in self.there if spot not in self.can_go)
        operators: list[Operator] = []
        for cell in sorted(self.cells):
            over = -1  # the input for which an operator always fires, so that no later one does
            for operator in self.operators[cell]:
                if operator.action == over or not all(map(self.possible, operator.asks)):
                    continue
                operators.append(operator._replace(asks=self.settle(operator.asks, certain)))
                if not operators[-1].asks:
                    over = operator.action
        is_open = sorted(self.can_be - certain, key=lambda spot: (spot[1], spot[0]))
        return Grounded(self.grounding.agent, operators, sorted(self.cells), is_open, self.there, certain)

    def settle(self, asks: tuple[Ask, ...], certain: frozenset[Spot]) -> tuple[Ask, ...]:
        """What is left of asks that can hold, once what is certain is answered."""
        left = []
        for cell, planes, wanted in asks:
            planes = tuple(plane for plane in planes if (plane, cell) in self.can_be)
            if planes and not (wanted and any((plane, cell) in certain for plane in planes)):
                left.append(Ask(cell, planes, wanted))
        return tuple(dict.fromkeys(left))
