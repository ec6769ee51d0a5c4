"""The turns of a guided search where rules are passes, or can be: of many states together, as compiled."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ggp.model import Block, Condition, InputIs, Instance, Pattern, groups_of
from ggp.search.broad import Unsure, passes_of
from ggp.search.guided.aims import Planes, aims_of, guess
from ggp.search.guided.engines import Bits, Children, InArrays, keys_of
from ggp.search.guided.measured import closeness
from ggp.search.guided.wishes import distance
from ggp.transition.stepper import Stepper

# Of passes: with more of them in loops a turn takes up to five times as long as in scan order, where a rule
# for which nothing is there is passed over.
MOST_REPEATED = 30


class InPasses(InArrays):
    """Rules that are passes, or in scan order and can be: then raises Unsure where passes cannot tell.

    It takes three quarters of the time that rules in scan order take in machine code, all in all.
    """

    def __init__(self, instance: Instance, pause: Callable[[], None]) -> None:
        self.pause = pause
        self.in_order = instance.game.scan is not None
        made = passes_of(instance) if self.in_order else instance
        if self.in_order and repeated(made) > MOST_REPEATED:
            raise Unsure
        self.stepper = Stepper(made, pause=pause)
        if not self.stepper.judged:
            raise Unsure
        if not self.in_order:
            self.far = distance(instance, self.stepper.pieces, steered(instance), pause)
        else:
            self.aims, agent = aims_of(instance, self.stepper.pieces)
            self.far = guess(self.aims, agent)
        self.closer = partial(closeness, instance, self.stepper.pieces, pause)
        self.words = tuple(map(str, self.stepper.actions))
        first = self.stepper.begin(1)
        self.make_room(*first.shape[:2])
        self.made = np.ascontiguousarray(first.transpose(2, 0, 1))

    def begin(self) -> tuple[Hashable, NDArray[np.float64], Bits]:
        return keys_of(self.made)[0], *self.keep([0])

    def expand(self, numbers: Sequence[int]) -> Children:
        from ggp.transition.native.lanes import CHANGED, ILL_FORMED, LOST, WON

        self.pause()
        count, actions = len(numbers), len(self.words)
        after = np.ascontiguousarray(np.tile(self.kept[numbers].transpose(1, 2, 0), actions))
        deeds = np.repeat(np.arange(actions), count)
        told = self.stepper.advance(after, deeds)
        if self.in_order and (told & ILL_FORMED).any():
            raise Unsure  # else it is no turn
        which = np.flatnonzero((told & CHANGED != 0) & (told & LOST == 0))
        self.made = np.ascontiguousarray(after[:, :, which].transpose(2, 0, 1))
        parents = np.asarray(numbers)[which % count]
        won = (told[which] & WON) != 0
        return Children(parents.tolist(), deeds[which].tolist(), won.tolist(), keys_of(self.made))

    def keep(self, chosen: Sequence[int]) -> tuple[NDArray[np.float64], Bits]:
        some = self.made[list(chosen)]
        bits = self.store(some)
        if self.far is None:
            return np.zeros(len(chosen)), bits
        return self.far(self.planes(some)), bits

    def planes(self, rows: NDArray[np.uint64]) -> Planes:
        return self.stepper.planes(np.ascontiguousarray(rows.transpose(1, 2, 0)))


def repeated(instance: Instance) -> int:
    """How many rules stand in loops."""
    loops = (phase for phase in instance.game.turn if isinstance(phase, Block))
    return sum(len(group.rules) for loop in loops for group in groups_of(loop))


def steered(instance: Instance) -> tuple[Pattern, ...]:
    """What inputs steer: what is at the anchor of rules that ask for the input, whichever way it faces."""
    found: dict[Pattern, None] = {}
    for phase in instance.game.turn:
        for rule in (rule for group in groups_of(phase) for rule in group.rules):
            asks = rule.toward == "input" or any(isinstance(one, InputIs) for one in rule.conditions)
            here = [one.pattern for one in rule.conditions if isinstance(one, Condition) and stands_here(one)]
            if asks and here and here[0] is not None and not here[0].bound:
                found[Pattern(here[0].name)] = None
    return tuple(found)


def stands_here(asked: Condition) -> bool:
    """Does it ask for something at the anchor?"""
    return asked.wants == "present" and not asked.path
