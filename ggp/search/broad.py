"""Search in layers of as many turns, all states of a layer together, in machine code.

It is for games whose rules are passes, or are in scan order and can be passes (`ggp.transition.scanned`): a
turn of one state costs there what a turn of hundreds costs here. The shortest plans are the same. Where
passes cannot tell what a turn in scan order does, because its rules are repeated more often than is likely,
the search gives up (`Unsure`), and the one that takes rules in scan order has to go on.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ggp.model import Instance, Plan, groups_of
from ggp.search.moving import Found
from ggp.transition.scanned import KeepsOrder, cut_passes

if TYPE_CHECKING:
    from ggp.transition.stepper import States, Stepper

T = TypeVar("T")
TOGETHER = 2048  # states that are expanded at once
AT_ONCE = 4 * TOGETHER  # turns that are made at once: a layer of few states is expanded in one call
OVERHEAD = 150  # bytes that a known state costs beside its own
MOST_RULES, MOST_GROUPS = 250, 250  # of a game, of a turn: more take too long to be made ready
MOST_PASS_RULES = (
    300  # of a turn as passes: more take longer than in scan order, and a second to be made ready
)


class Unsure(Exception):
    """Passes cannot tell what some turn does, or whether it is worth while to make any."""


class Broad:
    """One search. `pause` is called now and then; `memory`: bytes that may be used."""

    def __init__(self, instance: Instance, pause: Callable[[], None], memory: int) -> None:
        from ggp.transition.stepper import Stepper

        self.horizon, self.pause, self.memory = instance.level.horizon, pause, memory
        self.in_order = instance.game.scan is not None
        self.stepper: Stepper = Stepper(passes_of(instance) if self.in_order else instance, pause=pause)
        if not self.stepper.judged:
            raise Unsure
        self.actions = len(self.stepper.actions)
        self.known: set[bytes] = set()
        # Of each state that was found: the number of the one before it, and the action between both.
        self.parents: list[NDArray[np.int64]] = [np.full(1, -1)]
        self.deeds: list[NDArray[np.int64]] = [np.full(1, -1)]

    def best(self) -> Found:
        """A plan of fewest turns. Raises Unsure, MemoryError."""
        return ended(self.going())

    def going(self) -> Generator[int, None, Found]:
        """The same bit by bit: how many states are known, now and then. `horizon` may become less."""
        layer = self.stepper.begin(1)
        self.known.update(keys(layer))
        first, turns = 0, 0  # the number of the first state of the layer
        while layer.shape[2]:
            if self.horizon is not None and turns >= self.horizon:
                return Found(None, 0, True, len(self.known))
            found: list[States] = []
            for start in range(0, layer.shape[2], TOGETHER):
                won = self.expand(layer[:, :, start : start + TOGETHER], first + start, found)
                if won is not None:
                    return Found(self.plan(*won), turns + 1, False, len(self.known))
                yield len(self.known)
            first += layer.shape[2]
            layer = np.concatenate(found, axis=2) if found else layer[:, :, :0]
            turns += 1
        return Found(None, 0, False, len(self.known))

    def expand(self, states: States, first: int, found: list[States]) -> tuple[int, int] | None:
        """Make every turn in these states; (number of the state, action) of the first one that wins.

        `first` is the number of the first of them. New states are added to `found`. An action is taken in
        all of them before the next one is.
        """
        from ggp.transition.native.lanes import CHANGED, ILL_FORMED, LOST, WON

        count = states.shape[2]
        some = max(1, AT_ONCE // count)
        for begin in range(0, self.actions, some):
            self.pause()
            actions = np.repeat(np.arange(begin, min(begin + some, self.actions)), count)
            after = np.tile(states, (1, 1, actions.size // count))
            told = self.stepper.advance(after, actions)
            changed = (told & CHANGED) != 0
            won = np.flatnonzero(changed & ((told & WON) != 0))
            before = told[: won[0]] if won.size else told
            if self.in_order and (before & ILL_FORMED).any():
                raise Unsure  # else it is no turn
            if won.size:
                return first + int(won[0]) % count, int(actions[won[0]])
            legal = np.flatnonzero(changed & ((told & LOST) == 0))
            new = self.unknown(after[:, :, legal])
            if new:
                made = legal[new]
                found.append(np.ascontiguousarray(after[:, :, made]))
                self.parents.append(first + made % count)
                self.deeds.append(actions[made])
        if len(self.known) * (states[:, :, 0].nbytes * 2 + OVERHEAD) > self.memory:
            raise MemoryError
        return None

    def unknown(self, states: States) -> list[int]:
        """Which of these states were not known; they are now."""
        new, known = [], self.known
        for number, key in enumerate(keys(states)):
            if key not in known:
                known.add(key)
                new.append(number)
        return new

    def plan(self, state: int, action: int) -> Plan:
        """The inputs that lead to a state, and one more."""
        parents, deeds = np.concatenate(self.parents), np.concatenate(self.deeds)
        made = [action]
        while parents[state] >= 0:
            made.append(int(deeds[state]))
            state = int(parents[state])
        return Plan((), tuple(str(self.stepper.actions[one]) for one in reversed(made)))


def ended(search: Generator[Any, None, T]) -> T:
    """Where a search that goes bit by bit ends."""
    while True:
        try:
            next(search)
        except StopIteration as stop:
            found: T = stop.value
            return found


def keys(states: States) -> list[bytes]:
    """What tells each state from others."""
    boards, words, count = states.shape
    rows: Any = np.ascontiguousarray(states.reshape(boards * words, count).T)
    found: list[bytes] = rows.view(f"V{rows.shape[1] * 8}").ravel().tolist() if count else []
    return found


def passes_of(instance: Instance) -> Instance:
    """The instance as passes; raises Unsure where it is none, or a large one."""
    scan = instance.game.scan
    if scan is None or len(scan.rules) > MOST_RULES:
        raise Unsure
    try:
        made = cut_passes(instance).instance
    except KeepsOrder as kept:
        raise Unsure from kept
    groups = [group for phase in made.game.turn for group in groups_of(phase)]
    if len(groups) > MOST_GROUPS or sum(len(group.rules) for group in groups) > MOST_PASS_RULES:
        raise Unsure
    return made
