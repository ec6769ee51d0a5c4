"""Playing through a level breadth first: how far one gets, the shortest plan, what it takes to find it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from ggp.errors import IllegalAction, IllFormed
from ggp.explain.effort import bits
from ggp.model import Instance, Term
from ggp.model.board import Action
from ggp.referee.inputs import all_actions, parse_action
from ggp.referee.semantics import initial_state
from ggp.transition.bits import Bits, Named
from ggp.transition.compiler import compile_instance
from ggp.transition.program import Offset, input_words, passes_of

Boards = tuple[int, ...]
HERE: Offset = (0, 0)


def facing(variant: str | int | None) -> str | None:
    """The direction of a pick that places a marker so."""
    return variant if isinstance(variant, str) else None


@dataclass
class Walk:
    """The states that were reached, in the order of their turns, and from where each first was.

    `whole`: there are no more. `goal` is the first state in which the goal holds, if one was found.
    """

    order: list[Boards] = field(default_factory=list)
    turn: dict[Boards, int] = field(default_factory=dict)
    came: dict[Boards, tuple[Boards, Action]] = field(default_factory=dict)
    inputs: dict[Boards, int] = field(default_factory=dict)  # how many there are, of the states gone on from
    goal: Boards | None = None
    whole: bool = False

    def plan(self, at: Boards) -> list[tuple[Boards, Action]]:
        """How a state was reached: (state, input), from the start."""
        steps: list[tuple[Boards, Action]] = []
        while at in self.came:
            at, action = self.came[at]
            steps.append((at, action))
        return steps[::-1]

    def effort(self, at: Boards) -> int:
        """The decisions on the way to a state in bits: how unlikely it is that random inputs go that way."""
        return bits(self.inputs[state] for state, _ in self.plan(at))


class Player:
    """Steps an instance with inputs, one state at a time."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.transition = compile_instance(instance)
        self.bits = Bits(self.transition)
        self.view = Named(instance, self.transition)
        self.actions = tuple(all_actions(instance))
        self.start = self.bits.pack(initial_state(instance))

    def holds(self, terms: Iterable[Term], boards: Boards) -> bool:
        """Do all of these terms hold?"""
        self.view.boards = boards
        return all(term.test(self.bits, self.view) for term in terms)

    def lost(self, boards: Boards) -> bool:
        """Does a term hold that loses?"""
        self.view.boards = boards
        return any(term.test(self.bits, self.view) for term in self.instance.game.goal.lose)

    def moves(self, boards: Boards) -> list[tuple[Action, Boards]]:
        """The inputs that change something, and where they lead. Where rules collide there is none."""
        found = []
        for action in self.of_use(boards):
            try:
                after = self.bits.act(boards, action, self.instance.game.input)
            except (IllegalAction, IllFormed):
                continue
            found.append((action, after))
        return found

    def of_use(self, boards: Boards) -> Iterator[Action]:
        """The inputs that may change something: picks only where some rule looks for the pick.

        That is so where nothing happens without one; else there is no saying.
        """
        touched = self.touched
        if touched is None or self.bits.step(boards, input_words(Action("pick"))) != boards:
            yield from self.actions
            return
        where: dict[str | None, int] = {}
        for facing, offset, subject in touched:
            standing = self.bits.full if subject is None else boards[subject]
            back = (-offset[0], -offset[1])
            where[facing] = where.get(facing, 0) | self.bits.shift(standing, back)
        for action in self.actions:
            if action.cell is None or where.get(action.direction, 0) & self.bits.bit(*action.cell):
                yield action

    @cached_property
    def touched(self) -> list[tuple[str | None, Offset, int | None]] | None:
        """Each (direction of a pick, where from a rule's anchor it is asked for, the rule's subject).

        None where the game has no pick, or a rule asks that it is not there.
        """
        declared, found = self.instance.game.input, list[tuple[str | None, Offset, int | None]]()
        if declared is None or declared.pick is None:
            return None
        planes = {
            plane: piece.variant
            for plane, piece in enumerate(self.transition.planes)
            if piece.kind == declared.pick
        }
        for step in passes_of((*self.transition.turn, *self.transition.physics)):
            for subject, rules in step.subjects:
                asked = [(HERE, subject)] if subject in planes else []
                for rule in rules:
                    terms = [term for term in rule.terms if set(term.planes) & planes.keys()]
                    if any(not term.wanted for term in terms):
                        return None
                    asked += [
                        (term.offset, plane) for term in terms for plane in term.planes if plane in planes
                    ]
                found += [(facing(planes[plane]), at, subject) for at, plane in asked if plane is not None]
        return list(dict.fromkeys(found))

    def soonest(self, most: int, tick: Callable[[], None]) -> Walk:
        """As `walk` to the goal; where the order of picks does not matter, only the states on the way."""
        from ggp.search.choice import Asked, by_presses

        pressed = by_presses(Asked(self.instance, None, tick, tick))
        if pressed is None:
            return self.walk(most, tick, self.instance.game.goal.terms)
        found, _ = pressed
        walk = Walk([self.start], {self.start: 0}, whole=True)
        for word in () if found.plan is None else found.plan.actions:
            before, action = walk.order[-1], parse_action(word)
            after = self.bits.act(before, action, self.instance.game.input)
            walk.inputs[before] = len({other for _, other in self.moves(before)} - {before})
            walk.turn[after], walk.came[after] = walk.turn[before] + 1, (before, action)
            walk.order.append(after)
        walk.goal = None if found.plan is None else walk.order[-1]
        return walk

    def walk(self, most: int, tick: Callable[[], None], terms: tuple[Term, ...] | None = None) -> Walk:
        """Go on from the start until so many states were reached, or until all `terms` hold in one."""
        walk = Walk([self.start], {self.start: 0})
        waiting = deque([self.start])
        while waiting:
            boards = waiting.popleft()
            lost = self.lost(boards)
            if not lost and terms is not None and self.holds(terms, boards):
                walk.goal = boards
                return walk
            moves = [] if lost else self.moves(boards)
            walk.inputs[boards] = len({after for _, after in moves} - {boards})
            for action, after in moves:
                if after in walk.turn:
                    continue
                tick()
                walk.turn[after], walk.came[after] = walk.turn[boards] + 1, (boards, action)
                walk.order.append(after)
                waiting.append(after)
            if len(walk.order) > most:
                return walk
        walk.whole = True
        return walk

    def settled(self, most: int) -> Boards | None:
        """What becomes of the start when nobody does anything: where it comes to rest, if it does."""
        boards = self.start
        for _ in range(most):
            try:
                after = self.bits.step(boards)
            except IllFormed:
                return None
            if after == boards:
                return boards
            boards = after
        return None
