"""What makes the turns of a guided search: machine code, or the referee's rules, state by state.

That of rules that are passes is in `ggp.search.guided.passes`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.errors import IllFormed
from ggp.model import Instance, Piece
from ggp.referee.inputs import all_actions
from ggp.referee.turns import Packed, Turns
from ggp.search.guided.aims import Aim, Far, Planes, aims_of, guess, lacking
from ggp.search.guided.measured import closeness
from ggp.transition.in_order.stepper import InOrder, States

if TYPE_CHECKING:
    from ggp.search.guided.pairs import Pairs

Bits = NDArray[np.uint8]
"""What holds in states, as octets: (states, octets)."""


TOGETHER = 2048  # states that are measured at once, at most
OCTETS = 1 << 23  # of their planes: nothing can end a run in the middle of what is done with them


class Children(NamedTuple):
    """What turns lead to: of each state the number of the one before it, the action, whether it is won."""

    parents: Sequence[int]
    actions: Sequence[int]
    won: Sequence[bool]
    keys: Sequence[Hashable]


class Engine(ABC):
    """Keeps states by number, the start as 0, and makes their turns. `words`: actions, as plans have them."""

    words: tuple[str, ...]

    @abstractmethod
    def begin(self) -> tuple[Hashable, NDArray[np.float64], Bits]:
        """The key of the first state, how far it is from the goal, and what holds in it: it is kept."""

    @abstractmethod
    def expand(self, numbers: Sequence[int]) -> Children:
        """All that can be done in some states, but for what loses."""

    @abstractmethod
    def keep(self, chosen: Sequence[int]) -> tuple[NDArray[np.float64], Bits]:
        """Keep some of the states just made: how far each is from the goal, and what holds in it."""

    def look_closer(self) -> bool:
        """Find out how distances can be measured, by the states that are kept; False: they cannot."""
        return False

    def measured(self, first: int, after: int) -> NDArray[np.float64]:
        """How far these of the kept states are from the goal, as measured."""
        raise NotImplementedError

    def look_wider(self) -> bool:
        """Get ready to tell which states are new, two things at a time; False: it cannot be told."""
        return False

    def new(self, first: int, parents: Sequence[int]) -> list[tuple[int, int, int]] | None:
        """(oldness, what it lacks of the goal, number) of the kept states that are new, from `first` on.

        None: to tell that costs too much, and is given up.
        """
        raise NotImplementedError

    @property
    @abstractmethod
    def size(self) -> int:
        """Octets of a state."""


class InArrays(Engine):
    """What keeps its states in one array: (states, boards, words)."""

    far: Far | None
    aims: Sequence[Aim] = ()
    measure: Far | None = None
    pairs: Pairs | None = None
    pause: Callable[[], None]
    closer: Callable[[Sequence[int]], Far | None]

    def make_room(self, boards: int, words: int) -> None:
        """For states of so many boards of so many words, before any is kept."""
        self.kept = np.zeros((1024, boards, words), np.uint64)
        self.count = 0

    def store(self, rows: NDArray[np.uint64]) -> Bits:
        """Keep these states; what holds in each."""
        after = self.count + len(rows)
        while after > len(self.kept):
            self.kept = doubled(self.kept)
        self.kept[self.count : after] = rows
        self.count = after
        return np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), -1)

    @abstractmethod
    def planes(self, rows: NDArray[np.uint64]) -> Planes:
        """What stands where in states that are kept."""

    def look_closer(self) -> bool:
        first, changed = self.planes(self.kept[:1]), set[int]()
        for planes in self.in_portions(0, self.count):
            changed.update(np.flatnonzero((planes != first).any(axis=(0, 2, 3))).tolist())
        self.measure = self.closer(sorted(changed))
        return self.measure is not None

    def measured(self, first: int, after: int) -> NDArray[np.float64]:
        assert self.measure is not None
        return np.concatenate([self.measure(planes) for planes in self.in_portions(first, after)])

    def look_wider(self) -> bool:
        from ggp.search.guided.pairs import Pairs

        self.pairs = Pairs(self.pause) if self.aims else None
        return self.pairs is not None

    def new(self, first: int, parents: Sequence[int]) -> list[tuple[int, int, int]] | None:
        assert self.pairs is not None
        after = first + len(parents)
        missing = np.concatenate([lacking(self.aims, planes) for planes in self.in_portions(first, after)])
        rows, size = self.kept[first:after], self.kept[0].size
        before = np.ascontiguousarray(self.kept[list(parents)]).reshape(-1, size)
        found = self.pairs(missing, rows.reshape(-1, size), before)
        if not self.pairs.pays:
            self.pairs = None
            return None
        return [(oldness, int(missing[state]), first + state) for state, oldness in found]

    def in_portions(self, first: int, after: int) -> Iterator[Planes]:
        """What stands where in these of the kept states, some at a time."""
        some = max(1, min(TOGETHER, OCTETS // self.planes(self.kept[:1]).size))
        for start in range(first, after, some):
            self.pause()
            yield self.planes(self.kept[start : min(start + some, after)])

    @property
    def size(self) -> int:
        return 3 * int(self.kept[0].nbytes)  # the key, and room that doubles


def keys_of(rows: NDArray[np.uint64]) -> list[bytes]:
    """What tells each state from others. `rows`: (states, boards, words)."""
    flat = np.ascontiguousarray(rows).reshape(len(rows), rows[0].size if len(rows) else 0)
    if not flat.size:
        return [b""] * len(rows)
    found: list[bytes] = flat.view(f"V{flat.shape[1] * 8}").ravel().tolist()
    return found


class InMachineCode(InArrays):
    """Rules in scan order, all states together."""

    def __init__(self, instance: Instance, pause: Callable[[], None]) -> None:
        self.pause = pause
        self.stepper = InOrder(instance, pause)
        self.words = self.stepper.words
        self.aims, agent = aims_of(instance, self.stepper.pieces)
        self.far = guess(self.aims, agent)
        self.closer = partial(closeness, instance, self.stepper.pieces, pause)
        self.varying = self.stepper.varying
        self.made: States = self.stepper.start
        self.make_room(len(self.varying), self.made.shape[2])

    def begin(self) -> tuple[Hashable, NDArray[np.float64], Bits]:
        return self.keys(self.made)[0], *self.keep([0])

    def keys(self, states: States) -> list[bytes]:
        """What tells each state from others."""
        return keys_of(states[:, self.varying])

    def whole(self, rows: NDArray[np.uint64]) -> States:
        """States with all their kinds."""
        states = np.repeat(self.stepper.start, len(rows), axis=0)
        states[:, self.varying] = rows
        return states

    def planes(self, rows: NDArray[np.uint64]) -> Planes:
        return self.stepper.planes(self.whole(rows))

    def expand(self, numbers: Sequence[int]) -> Children:
        states = self.whole(self.kept[numbers])
        after, changed, won = self.stepper.all_turns(states)
        which, actions = np.nonzero(changed | won)
        self.made = after[which, actions]
        parents = np.asarray(numbers)[which]
        return Children(
            parents.tolist(), actions.tolist(), won[which, actions].tolist(), self.keys(self.made)
        )

    def keep(self, chosen: Sequence[int]) -> tuple[NDArray[np.float64], Bits]:
        some = self.made[list(chosen)]
        assert self.far is not None
        return self.far(self.stepper.planes(some)), self.store(some[:, self.varying])


class ByTurns(Engine):
    """By rules in scan order, one state after another."""

    def __init__(self, instance: Instance, pause: Callable[[], None]) -> None:
        self.turns = Turns(instance, pause)
        self.verbs = [action.verb for action in all_actions(instance)]
        self.words = tuple(map(str, all_actions(instance)))
        kinds = [Piece(kind.name) for kind in instance.game.kinds]
        self.far = guess(*aims_of(instance, kinds))
        self.kept: list[Packed] = []
        self.made: list[Packed] = [self.turns.start()]

    def begin(self) -> tuple[Hashable, NDArray[np.float64], Bits]:
        return self.made[0], *self.keep([0])

    def expand(self, numbers: Sequence[int]) -> Children:
        self.made, parents, actions = [], [], []
        for number in numbers:
            before = self.kept[number]
            for action, verb in enumerate(self.verbs):
                try:
                    after = self.turns.turn(before, verb)
                except IllFormed:
                    continue  # a turn without an end is none
                if after != before:
                    self.made.append(after)
                    parents.append(number)
                    actions.append(action)
        return Children(parents, actions, [one.won for one in self.made], self.made)

    def keep(self, chosen: Sequence[int]) -> tuple[NDArray[np.float64], Bits]:
        some = [self.made[one] for one in chosen]
        self.kept += some
        octets = self.turns.height * self.turns.width // 8 + 1
        bits = np.array(
            [[list(plane.to_bytes(octets, "little")) for plane in state.planes] for state in some], np.uint8
        )
        cells = np.unpackbits(bits, axis=2, count=self.turns.height * self.turns.width, bitorder="little")
        planes = cells.reshape(*bits.shape[:2], self.turns.width, self.turns.height).swapaxes(2, 3)
        return self.far(planes), bits.reshape(len(some), -1)

    @property
    def size(self) -> int:
        return 64 * len(self.kept[0].planes)


def doubled(kept: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The same with as much room again, which nobody has touched: the system gives it when it is used."""
    larger = np.empty((2 * len(kept), *kept.shape[1:]), kept.dtype)
    larger[: len(kept)] = kept
    return larger
