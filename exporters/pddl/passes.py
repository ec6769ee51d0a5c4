"""Any game, pass by pass: an action a pass, with a conditional effect for each way in which a rule can fire.

Conditional effects are what a pass is: all conditions read the state before, and what is taken goes before
what is put. So nothing is lost, but the text is written out for every cell, and a turn is an input and then
steps that are forced. Where the turn is one pass, the input's own action does it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import prod
from typing import Any

from ggp.exporters.pddl.rounds import Noting, may_undo
from ggp.exporters.pddl.task import (
    And,
    Effect,
    Fact,
    Formula,
    Means,
    Not,
    Operator,
    Or,
    all_of,
    negation,
)
from ggp.exporters.pddl.ways import ALWAYS, NEVER, Board, Cube, Cubes, Ways
from ggp.exporters.pddl.words import Vocabulary
from ggp.model import Instance, Piece
from ggp.model.board import Action
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import initial_state, is_lost
from ggp.transition.kernel import matches
from ggp.transition.program import CompiledRule, Loop, Pass, Transition, input_words

MOST_EFFECTS = 30_000  # what a planner still reads in a minute
MOST_PRODUCTS = 200  # ways in which a fact is not put, before a step is taken apart


class TooLong(Exception):
    """The text would have too many effects."""


class Passes:
    """Writes the program of a game as actions."""

    def __init__(self, words: Vocabulary, transition: Transition, lost: Formula) -> None:
        self.words, self.transition, self.lost = words, transition, lost
        self.instance: Instance = words.instance
        self.ways: Any = Ways(transition)  # of the algebra only what matching asks for
        self.ways_to_lose: Formula = False
        self.written = 0
        self.operators: list[Operator] = []
        self.ready = Fact(words.predicate("ready !"))
        self.sorts = list(sorts(self.instance))
        self.settled = [
            objective for objective in self.instance.game.objectives if objective.counts != "moves"
        ]

    def all(self) -> tuple[tuple[Operator, ...], Formula, tuple[Fact, ...]]:
        """The actions, what must hold at the end beside the goal, and at the start; raises TooLong."""
        program = (*self.transition.turn, *self.transition.physics)
        if len(program) == 1 and isinstance(program[0], Pass):
            self.in_one(program[0])
            return self.possible(), negation(self.lost), ()
        begins = [self.ready]
        if self.lost is not False:
            # Said in every action of an input it would be taken apart there; so the end of a turn notes it.
            flag = Fact(self.words.predicate("lost !"))
            begins += [flag] if is_lost(self.instance, initial_state(self.instance)) else []
            self.ways_to_lose, self.lost = self.lost, flag
        first = Fact(self.words.predicate("step 1"))
        self.phases = 1
        for sort in self.sorts:
            self.beginning(sort, first)
        last = self.chain(program, first, None)
        self.ending(last)
        operators = tuple(part for one in self.possible() for part in self.apart(one))
        return operators, all_of([self.ready, negation(self.lost)]), tuple(begins)

    def apart(self, operator: Operator) -> tuple[Operator, ...]:
        """A step in two where that spares planners much: what is put and taken is decided first, then done.

        They work out when a fact is taken and not put back, and would multiply out the ways in which it is.
        """
        put: dict[Fact, list[Effect]] = {}
        for effect in operator.effects:
            if effect.when is not True and effect.fact.args:
                put.setdefault(effect.fact, []).append(effect)
        torn = {fact for fact, effects in put.items() if product_of(effects) > MOST_PRODUCTS}
        if not torn:
            return (operator,)
        between = self.phase()
        decided: list[Effect] = [Effect(between, True)]
        done: list[Effect] = [Effect(between, False)]
        for effect in operator.effects:
            if effect.fact in torn:
                decided.append(Effect(self.intent(effect.fact, effect.value), True, effect.when))
            elif effect.when is True and effect.value:
                done.append(effect)
            else:
                decided.append(effect)
        for fact in sorted(torn, key=lambda fact: (fact.name, fact.args)):
            comes, goes = self.intent(fact, True), self.intent(fact, False)
            done += [Effect(fact, True, comes), Effect(fact, False, all_of([goes, Not(comes)]))]
            done += [Effect(comes, False), Effect(goes, False)]
        then = self.words.action(f"{operator.name} then")
        return (
            replace(operator, effects=tuple(decided)),
            Operator(then, (), (between,), tuple(done), None, self.free),
        )

    def intent(self, fact: Fact, value: bool) -> Fact:
        """That a fact is to hold, or not, when the step is done."""
        kinds = self.words.predicates[fact.name]
        return Fact(self.words.predicate(f"{fact.name} {'comes' if value else 'goes'}", *kinds), fact.args)

    def possible(self) -> tuple[Operator, ...]:
        """The actions without effects that never happen: what is in them can never come to stand there.

        Deletions are not looked at to find out, so that it is quickly seen. Of an action that is left without
        any effect planners say that it is none.
        """
        reached = {fact for fact in self.words.start() if fact.args}
        waiting = [one for operator in self.operators for one in operator.effects if one.value]
        while True:
            happens = [one for one in waiting if self.can(one.when, reached)]
            if not happens:
                break
            waiting = [one for one in waiting if not self.can(one.when, reached)]
            for effect in happens:
                reached |= set(self.bound(effect.fact))
        left = (replace(one, effects=tuple(self.kept(one.effects, reached))) for one in self.operators)
        return tuple(one for one in left if one.effects)

    def bound(self, fact: Fact) -> Iterator[Fact]:
        """A fact, on every cell where its cell is a parameter."""
        free = [word for word in fact.args if word.startswith("?")]
        for cell in self.words.cells if free else ("",):
            yield Fact(fact.name, tuple(cell if word in free else word for word in fact.args))

    def can(self, when: Formula, reached: set[Fact]) -> bool:
        """Can a condition hold, as far as what must be there goes?"""
        parts = when.of if isinstance(when, And) else (when,)
        return all(not isinstance(one, Fact) or one in reached or not one.args for one in parts)

    def kept(self, effects: tuple[Effect, ...], reached: set[Fact]) -> Iterator[Effect]:
        """The effects that can happen, without conditions that always hold."""
        for effect in effects:
            never = not effect.value and effect.fact.args and not set(self.bound(effect.fact)) & reached
            if never or not self.can(effect.when, reached):
                continue
            parts = effect.when.of if isinstance(effect.when, And) else (effect.when,)
            needed = (one for one in parts if not isinstance(one, Not) or one.of in reached)
            yield replace(effect, when=all_of(needed))

    @property
    def turn_cost(self) -> dict[str, int]:
        """What an input costs under the objectives that can be told from the input alone."""
        return {one.name: int(one.counts == "turns") for one in self.settled}

    # --- a turn of one pass

    def in_one(self, step: Pass) -> None:
        """Each input does the pass itself; a pick is written out for each cell."""
        allowed = () if self.lost is False else (negation(self.lost),)
        for action in all_actions(self.instance):
            effects = tuple(self.effects(step, action, picked=action))
            effects = tuple(one for one in effects if one.fact.name not in self.marker_names)
            if not effects:
                continue
            cell = None if action.cell is None else self.words.cell(action.cell)
            toward = None if action.direction is None else self.words.direction(action.direction)
            name = " ".join(map(str, (action.verb, *(action.cell or ()), action.direction or "")))
            means = Means(action.verb, cell, toward)
            self.operators.append(
                Operator(self.words.action(name), (), allowed, effects, means, self.turn_cost)
            )

    @property
    def marker_names(self) -> set[str]:
        """The predicates of markers."""
        pieces = (self.transition.planes[plane] for plane in self.transition.markers)
        return {self.words.written(piece, "")[0].name for piece in pieces}

    # --- a turn of several

    def given(self, sort: Action) -> Fact:
        """That the input of this turn is of a sort."""
        return Fact(self.words.predicate(" ".join(("input", sort.verb, sort.direction or ""))))

    def beginning(self, sort: Action, first: Fact) -> None:
        """The action of an input: it begins the turn, and a pick places its marker."""
        needs: tuple[Formula, ...] = (self.ready, *(() if self.lost is False else (negation(self.lost),)))
        effects = [Effect(self.ready, False), Effect(first, True), Effect(self.given(sort), True)]
        parameters: tuple[tuple[str, str], ...] = ()
        cell = None
        toward = None if sort.direction is None else self.words.direction(sort.direction)
        if sort.cell is not None and self.instance.game.input is not None:
            cell, parameters = "?here", (("?here", "location"),)
            marker = Piece(str(self.instance.game.input.pick), sort.direction)
            effects.append(Effect(self.words.piece(self.transition.number[marker], cell), True))
        name = f"{sort.verb} {sort.direction or ''}"
        self.operators.append(
            Operator(
                self.words.action(name),
                parameters,
                needs,
                tuple(effects),
                Means(sort.verb, cell, toward),
                self.turn_cost,
            )
        )

    def chain(self, program: Iterable[Pass | Loop], at: Fact, moved: Fact | None) -> Fact:
        """Write steps one after another; returns the fact that they are done. `moved` is set by firings."""
        for step in program:
            at = self.loop(step, at, moved) if isinstance(step, Loop) else self.one(step, at, moved)
        return at

    def phase(self) -> Fact:
        """The next step of a turn."""
        self.phases += 1
        return Fact(self.words.predicate(f"step {self.phases}"))

    def one(self, step: Pass, at: Fact, moved: Fact | None) -> Fact:
        """The action of a pass, or one for each sort of input where it reads the input."""
        after = self.phase()
        reads = any(rule.inputs for _, rules in step.subjects for rule in rules)
        for sort in self.sorts if reads else (None,):
            needs = (at,) if sort is None else (at, self.given(sort))
            effects = (Effect(at, False), Effect(after, True), *self.effects(step, sort, moved=moved))
            called = step.name or "pass"
            name = called if sort is None else f"{called} {sort.verb} {sort.direction or ''}"
            self.operators.append(Operator(self.words.action(name), (), needs, effects, None, self.free))
        return after

    @property
    def free(self) -> dict[str, int]:
        """What happens by itself costs nothing."""
        return {one.name: 0 for one in self.settled}

    def loop(self, loop: Loop, at: Fact, outer: Fact | None) -> Fact:
        """The body again and again; when a run of it has moved nothing, it is over.

        See `ggp.exporters.pddl.rounds` for the two ways in which that is found out.
        """
        moved = Fact(self.words.predicate(f"moved {self.phases}"))
        name = loop.name or "loop"
        if may_undo(self.transition, loop, self.sorts):
            noting = Noting(self.words, loop, self.phases, moved)
            begun = self.noted(f"{name} begins", at, noting.note())
            # What may undo something within may do so without: the loop around this one compares, too.
            ended = self.chain(loop.body, begun, None)
            done = self.noted(f"{name} ends", ended, noting.compare())
        else:
            done = self.chain(loop.body, at, moved)
        after = self.phase()
        further = () if outer is None else (Effect(outer, True),)
        again = (Effect(done, False), Effect(at, True), Effect(moved, False), *further)
        rest = (Effect(done, False), Effect(after, True))
        for what, needs, effects in (("again", moved, again), ("rests", Not(moved), rest)):
            called = self.words.action(f"{name} {what}")
            self.operators.append(Operator(called, (), (done, needs), effects, None, self.free))
        return after

    def noted(self, name: str, at: Fact, effects: Iterable[Effect]) -> Fact:
        """The action at the begin or the end of a round; returns the fact that it is done."""
        after = self.phase()
        told = (Effect(at, False), Effect(after, True), *map(self.counted, effects))
        self.operators.append(Operator(self.words.action(name), (), (at,), told, None, self.free))
        return after

    def counted(self, effect: Effect) -> Effect:
        """The same effect, one more of those that are written; raises TooLong."""
        self.written += 1
        if self.written > MOST_EFFECTS:
            raise TooLong(f"it takes more than {MOST_EFFECTS:,} conditional effects")
        return effect

    def ending(self, last: Fact) -> None:
        """The end of a turn: markers and the input are gone."""
        effects = [Effect(last, False), Effect(self.ready, True)]
        effects += [Effect(self.given(sort), False) for sort in self.sorts]
        for plane in sorted(self.transition.markers):
            for cell in self.words.cells:
                fact, _ = self.words.written(self.transition.planes[plane], cell)
                if fact.name in self.words.predicates:
                    effects.append(Effect(fact, False))
        if isinstance(self.lost, Fact):
            lost = self.ways_to_lose.of if isinstance(self.ways_to_lose, Or) else (self.ways_to_lose,)
            effects += [Effect(self.lost, True, way) for way in lost]
        name = self.words.action("end turn")
        self.operators.append(Operator(name, (), (last,), tuple(effects), None, self.free))

    # --- the effects of a pass

    def boards(self, picked: Action | None) -> tuple[Board, ...]:
        """Each plane: constants where it never changes, and the marker of a pick that is known."""
        size, columns = self.ways.size, self.transition.width
        start = self.words.instance.level.board
        found = []
        for plane, piece in enumerate(self.transition.planes):
            if plane in self.transition.markers and picked is not None:
                declared = self.instance.game.input
                is_it = declared is not None and piece == Piece(str(declared.pick), picked.direction)
                at = picked.cell[0] * columns + picked.cell[1] if picked.cell is not None else -1
                cells = tuple(ALWAYS if is_it and index == at else NEVER for index in range(size))
            elif plane in self.transition.dynamic:
                cells = tuple(frozenset({frozenset({plane * size + at + 1})}) for at in range(size))
            else:
                here = (start[at // columns][at % columns] for at in range(size))
                cells = tuple(ALWAYS if piece in pieces else NEVER for pieces in here)
            found.append(Board(self.ways, cells))
        return tuple(found)

    def effects(
        self, step: Pass, sort: Action | None, picked: Action | None = None, moved: Fact | None = None
    ) -> Iterator[Effect]:
        """The conditional effects of a pass with an input of this sort; raises TooLong."""
        self.ways.words = input_words(sort)
        boards = self.boards(picked)
        seen: set[Effect] = set()
        for rule, where in self.fired(step, boards):
            for anchor, cubes in enumerate(where.cells):
                for cube in sorted(cubes, key=sorted):
                    for effect in self.of_firing(rule, anchor, cube, boards, moved):
                        if effect not in seen:
                            seen.add(effect)
                            yield self.counted(effect)

    def fired(self, step: Pass, boards: tuple[Board, ...]) -> Iterator[tuple[CompiledRule, Board]]:
        """Each rule with the ways in which it fires at each anchor: it matches, and none before it does."""
        for subject, rules in step.subjects:
            mine = self.ways.everywhere() if subject is None else boards[subject]
            earlier: list[Board] = []
            for rule in rules:
                given = self.ways.input(rule.inputs)
                where = matches(self.ways, rule, mine, given, boards, {})
                if self.ways.empty(where):
                    continue
                alone = where
                for other in earlier:
                    alone = alone & ~other
                yield rule, alone
                earlier.append(where)

    def of_firing(
        self, rule: CompiledRule, anchor: int, cube: Cube, boards: tuple[Board, ...], moved: Fact | None
    ) -> Iterator[Effect]:
        """What one firing does, in one of its ways."""
        for change in rule.changes:
            ways: Cubes = frozenset({cube})
            if change.plane is not None:
                source = self.ways.to(anchor, change.source)
                if source is None:
                    continue
                ways = self.ways.both(ways, boards[change.plane].cells[source])
            for way in sorted(ways, key=sorted):
                when = self.condition(way)
                if change.plane is not None and source is not None:
                    yield Effect(self.fact(change.plane, source), False, when)
                target = self.ways.to(anchor, change.target)
                if change.result is not None and target is not None:
                    yield Effect(self.fact(change.result, target), True, when)
                if moved is not None:
                    # What is added where it stands already changes nothing: a loop that does only that rests.
                    new: Formula = True
                    if change.plane is None and change.result is not None and target is not None:
                        new = Not(self.fact(change.result, target))
                    yield Effect(moved, True, all_of([when, new]))

    def fact(self, plane: int, index: int) -> Fact:
        """That a piece stands on a cell."""
        columns = self.transition.width
        return self.words.piece(plane, self.words.cell((index // columns, index % columns)))

    def condition(self, cube: Cube) -> Formula:
        """A way as a formula."""
        literals = []
        for literal in sorted(cube, key=abs):
            fact = self.fact(*self.ways.what(abs(literal)))
            literals.append(fact if literal > 0 else Not(fact))
        return all_of(literals)


def product_of(effects: list[Effect]) -> int:
    """In how many ways a fact is not put, by the conditions under which it is; 1 if it is never taken."""
    if all(one.value for one in effects):
        return 1
    return prod(len(one.when.of) if isinstance(one.when, And) else 1 for one in effects if one.value)


def sorts(instance: Instance) -> Iterator[Action]:
    """An input of each sort: of the picks one in each direction."""
    seen = set()
    for action in all_actions(instance):
        if (action.verb, action.direction) not in seen:
            seen.add((action.verb, action.direction))
            yield action
