"""What chance lays, on many states at once: with the same dice as the referee lays (`ggp.referee.laying`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.model import Instance, Piece, Scatter
from ggp.model.board import Action, amount, matches_any
from ggp.referee.dice import Dice
from ggp.referee.laying import When, laid_word, too_many, where_something_stands
from ggp.transition.drawn import DrawnStepper
from ggp.transition.stepper import States, Stepper


class Entry(NamedTuple):
    """One entry of `[[chance]]`, in numbers."""

    scatter: Scatter
    number: int
    board: int  # of the states, in which it is laid
    kept_off: list[int]  # boards of what must not be there
    never: NDArray[np.bool_]  # cells in which such a thing stands that no rule moves
    crowded: list[int]  # boards of what shares its layer
    taken: NDArray[np.bool_]  # cells in which such a thing stands that no rule moves


class Words(Sequence[str]):
    """What plays say where something is laid, put together when it is asked for."""

    def __init__(self, scatter: Scatter, cells: NDArray[np.int64], width: int) -> None:
        self.scatter, self.cells, self.width = scatter, cells, width

    def __len__(self) -> int:
        return len(self.cells)

    def __getitem__(self, place: Any) -> Any:
        return laid_word(self.scatter, *divmod(int(self.cells[place]), self.width))


class Laying:
    """All that chance lays in a level at one time, on states of a stepper."""

    def __init__(self, instance: Instance, stepper: Stepper | DrawnStepper, when: When) -> None:
        plain = stepper.first if isinstance(stepper, DrawnStepper) else stepper
        self.game = plain.instance.game
        self.layer = {kind.name: kind.layer for kind in self.game.kinds}
        self.varying, transition = plain.varying, plain.transition
        self.planes, self.width = transition.planes, transition.width
        stride = plain.bits.stride
        self.bits = np.array([r * stride + c for r in range(transition.height) for c in range(self.width)])
        self.still = [plane for plane in range(len(self.planes)) if plane not in set(self.varying)]
        self.start = plain.drawn(plain.start).reshape(len(self.planes), -1).astype(np.bool_)
        some = (one for one in instance.game.chance if one.when == when)
        self.entries = [self.entry(one, count) for one in some if (count := amount(instance, one.count))]

    def entry(self, scatter: Scatter, count: int) -> Entry:
        """An entry in numbers."""
        game, layer = self.game, self.layer
        off = {n for n, piece in enumerate(self.planes) if matches_any(game, piece, scatter.free_of)}
        like = {n for n, piece in enumerate(self.planes) if layer[piece.kind] == layer[scatter.kind]}
        board = self.varying.index(self.planes.index(scatter.piece))
        boards, cells = zip(*(self.places(planes) for planes in (off, like)), strict=True)
        return Entry(scatter, count, board, boards[0], cells[0], boards[1], cells[1])

    def places(self, planes: set[int]) -> tuple[list[int], NDArray[np.bool_]]:
        """The boards that vary of some planes, and the cells in which one of the others is."""
        boards = [place for place, plane in enumerate(self.varying) if plane in planes]
        still = [plane for plane in self.still if plane in planes]
        found: NDArray[np.bool_] = np.asarray(self.start[still].any(axis=0))
        return boards, found

    def lay(self, states: States, dice: Sequence[Dice], picks: Sequence[Action | None] = ()) -> None:
        """Lay it all in each of the states, which are changed, with dice of its own.

        `picks`: the inputs of the turn, one a state. Raises IllFormed as the referee does.
        """
        for entry in self.entries:
            free = ~(entry.never | self.seen(states, entry.kept_off))
            taken = entry.taken | self.seen(states, entry.crowded)
            self.put_hands(entry.scatter, free, taken, picks)
            for state, one in enumerate(dice):
                self.lay_one(entry, states[entry.board, :, state], one, free[state], taken[state])

    def put_hands(
        self,
        scatter: Scatter,
        free: NDArray[np.bool_],
        taken: NDArray[np.bool_],
        picks: Sequence[Action | None],
    ) -> None:
        """Mind the markers of picks, on whose cells nothing may be laid, or which are in the way."""
        game = self.game
        for state, action in enumerate(picks):
            if action is not None and action.cell is not None and game.input is not None:
                cell = action.cell[0] * self.width + action.cell[1]
                hand = Piece(str(game.input.pick), action.direction)
                free[state, cell] &= not matches_any(game, hand, scatter.free_of)
                taken[state, cell] |= self.layer[hand.kind] == self.layer[scatter.kind]

    def lay_one(
        self,
        entry: Entry,
        board: NDArray[np.uint64],
        dice: Dice,
        free: NDArray[np.bool_],
        taken: NDArray[np.bool_],
    ) -> None:
        """Lay the pieces of an entry on a board of one state, which is changed."""
        cells = np.flatnonzero(free)
        if entry.number > len(cells):
            raise too_many(entry.scatter, entry.number, len(cells))
        chosen = cells[list(dice.some(Words(entry.scatter, cells, self.width), entry.number))]
        if taken[chosen].any():
            raise where_something_stands(entry.scatter, int(chosen[taken[chosen]][0]), self.width)
        for bit in self.bits[chosen].tolist():
            board[bit // 64] |= np.uint64(1 << (bit % 64))

    def seen(self, states: States, boards: list[int]) -> NDArray[np.bool_]:
        """In which cells of each state one of some boards has something, (states, cells)."""
        together = np.bitwise_or.reduce(states[boards], axis=0, initial=np.uint64(0)).T
        octets = np.ascontiguousarray(together).view(np.uint8)
        found: NDArray[np.bool_] = np.unpackbits(octets, axis=1, bitorder="little")[:, self.bits].astype(
            np.bool_
        )
        return found
