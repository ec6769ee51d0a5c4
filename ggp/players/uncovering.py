"""Games in which covered cells are picked, one that holds something laid loses, and what is seen tells of it.

Nothing here knows a game: that a game is of this sort is seen in its description, and tried. What it tells
stands under `tells` in `[[chance]]`: so many of what was laid are near each clue.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.errors import UnsupportedFeature
from ggp.goals.each import Each
from ggp.model import Cell, Instance, Piece, Scatter
from ggp.model.board import amount, height, matches, width
from ggp.players.counting import Layouts, Sum
from ggp.players.luck import Dealt, Laid
from ggp.players.world import Turn, World
from ggp.transition.stepper import States

Planes = NDArray[np.uint8]


LOOKS = 3  # positions of a play at which every pick is tried


class Telling(NamedTuple):
    """A term that tells: the planes of its clues with their values, and the cells that it looks at."""

    clues: tuple[tuple[int, int], ...]
    offsets: tuple[Cell, ...]


class Uncovering:
    """A world of this sort. Raises UnsupportedFeature, with the reason, for any other."""

    def __init__(self, world: World) -> None:
        self.instance = world.instance
        if not isinstance(world, Laid):
            raise self.refused("nothing in it is laid and hidden, or chance goes on in its turns")
        self.world = world
        self.piece = self.laid_piece(self.instance)
        number = {piece: plane for plane, piece in enumerate(world.pieces)}
        self.plane = number[self.piece]
        self.covers = [n for p, n in number.items() if p.kind in world.hiding[self.piece.kind]]
        self.total = sum(amount(self.instance, scatter.count) for scatter in self.instance.game.chance)
        self.height, self.width = height(self.instance), width(self.instance)
        self.tells = tuple(self.telling(term, number) for term in self.terms())
        self.first_is_safe = all(map(self.spares, self.instance.game.chance))
        self.start = world.planes(world.begin()).tobytes()
        self.tried()

    def refused(self, why: str) -> UnsupportedFeature:
        """The refusal of a game that is not of this sort."""
        return UnsupportedFeature(
            f"{self.instance.name} is not won by uncovering cells: {why}",
            "take the player `random` or `mcts`",
        )

    def laid_piece(self, instance: Instance) -> Piece:
        """The one thing that is laid."""
        game, declared = instance.game, instance.game.input
        pieces = {scatter.piece for scatter in game.chance}
        if len(pieces) != 1:
            raise self.refused("several kinds of things are laid")
        if declared is None or declared.pick is None or declared.moves or declared.verbs or declared.wait:
            raise self.refused("something else can be done than picking cells")
        if instance.level.horizon is not None:
            raise self.refused("its turns are numbered")
        (piece,) = pieces
        if not self.world.hiding.get(piece.kind):
            raise self.refused(f"nothing covers `{piece.kind}`")
        return piece

    def spares(self, scatter: Scatter) -> bool:
        """Is nothing laid on the first cell that is picked?"""
        declared = self.instance.game.input
        picked = declared is not None and declared.pick in scatter.free_of
        return not amount(self.instance, scatter.count) or (scatter.when == "first-turn" and picked)

    def terms(self) -> list[Each]:
        """What is told, each term once."""
        terms = {term.source(): term for scatter in self.instance.game.chance for term in scatter.tells}
        if not terms or not all(isinstance(term, Each) for term in terms.values()):
            raise self.refused("`tells` says nothing, or more than `each`")
        return [term for term in terms.values() if isinstance(term, Each)]

    def telling(self, term: Each, number: dict[Piece, int]) -> Telling:
        """A term, by planes."""
        game = self.instance.game
        clues = tuple(
            (plane, piece.variant)
            for piece, plane in number.items()
            if isinstance(piece.variant, int) and matches(game, piece, term.clue, None)
        )
        offsets = tuple(offset for part in term.near() for offset in part.offsets)
        counted = {piece for piece in number for part in term.near() if matches(game, piece, part.what, None)}
        if counted != {self.piece} or len(set(offsets)) < len(offsets):
            raise self.refused(f"`{term.source()}` counts something else, or a cell twice")
        return Telling(clues, offsets)

    def tried(self) -> None:
        """Play a few layouts, to see that the game does what is taken for granted here."""
        for seed in range(2):
            fault = self.strange(self.world.begin(seed), Random(seed))
            if fault:
                raise self.refused(fault)

    def strange(self, position: Dealt, rng: Random) -> str:
        """What is otherwise in one play: what can be picked, who loses, what is uncovered, and who wins."""
        first: Any = None
        for looked in range(len(self.world.actions) + 1):
            covered, lying = self.now(position)
            if not position.lays and looked <= LOOKS:
                first = first or self.world.turns(position)
                fault = self.strange_here(position, first)
                if fault:
                    return fault
            safe = np.flatnonzero(covered & ~lying).tolist()
            turn = self.world.turn(position, rng.choice(safe)) if safe else None
            if turn is None:
                return "there is nothing safe left, and it is not won"
            covered, lying = self.now(turn.position)
            if (turn.outcome == "won") != (covered == lying).all():
                return f"it is won before every cell without `{self.piece}` is uncovered, or later"
            if turn.outcome == "won":
                return ""
            position = turn.position
        return "it does not end"

    def strange_here(self, position: Dealt, first: dict[int, Turn]) -> str:
        """The same for all picks at one position; `first` is what came of each at an earlier one."""
        turns = self.world.turns(position)
        covered, lying = self.now(position)
        if set(turns) != set(np.flatnonzero(covered).tolist()):
            return "cells that are uncovered can be picked, or covered ones cannot"
        if any((turn.outcome == "lost") != lying[action] for action, turn in turns.items()):
            return f"a pick loses elsewhere than on `{self.piece}`"
        for action, turn in turns.items():
            if (self.now(turn.position)[0] != (covered & self.now(first[action].position)[0])).any():
                return "what a pick uncovers hangs on what was uncovered before"
        return ""

    def now(self, position: Dealt) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Where covers stand, and where something lies."""
        planes = self.world.run.planes(position.held)
        return self.covered(planes).ravel(), planes[self.plane].ravel().astype(np.bool_)

    # --- what is seen -------------------------------------------------------------------------------------

    def planes(self, observed: bytes) -> Planes:
        """The board as it is seen."""
        return np.frombuffer(observed, np.uint8).reshape(-1, self.height, self.width)

    def covered(self, planes: Planes) -> NDArray[np.bool_]:
        """Where something may lie unseen."""
        found: NDArray[np.bool_] = planes[self.covers].max(axis=0) > 0
        return found

    def layouts(self, observed: bytes) -> Layouts:
        """All the ways to lay things that agree with what is seen; cells are numbers of actions."""
        planes = self.planes(observed)
        covered, lying = self.covered(planes), planes[self.plane]
        sums = []
        for telling in self.tells:
            for plane, value in telling.clues:
                for row, column in zip(*planes[plane].nonzero(), strict=True):
                    near = [(row + down, column + right) for down, right in telling.offsets]
                    near = [(r, c) for r, c in near if 0 <= r < self.height and 0 <= c < self.width]
                    known = sum(int(lying[cell]) for cell in near)
                    cells = frozenset(int(r * self.width + c) for r, c in near if covered[r, c])
                    sums.append(Sum(cells, value - known))
        return Layouts(map(int, np.flatnonzero(covered)), sums, self.total - int(lying.sum()))

    # --- layouts side by side -----------------------------------------------------------------------------

    def played(self, layouts: list[frozenset[int]], acted: list[int]) -> States:
        """The states after these actions, one for each layout, which all agree with what was seen then."""
        stepper = self.world.run.stepper
        states = stepper.begin(len(layouts))
        board = stepper.varying.index(stepper.transition.number[self.piece])
        for lane, layout in enumerate(layouts):
            for cell in layout:
                word, bit = divmod(stepper.bits.bit(*divmod(cell, self.width)).bit_length() - 1, 64)
                states[board, word, lane] |= np.uint64(1 << bit)
        for action in acted:
            stepper.advance(states, np.full(len(layouts), action, np.int64))
        return states

    def uncovered(self, states: States, action: int) -> NDArray[np.bool_]:
        """For each state the cells that are uncovered after an action."""
        stepper, after = self.world.run.stepper, states.copy()
        stepper.advance(after, np.full(states.shape[2], action, np.int64))
        covers = stepper.planes(after)[:, self.covers].max(axis=1)
        free: NDArray[np.bool_] = covers.reshape(len(covers), -1) == 0
        return free

    def clues(self, states: States) -> NDArray[np.int64]:
        """For each state what its clues say, covered or not: 1 more than the value, 0 where there is none.

        Where they are reckoned in the first turn one is made, which changes no clue.
        """
        stepper, after = self.world.run.stepper, states.copy()
        lying = stepper.planes(after)[:, self.plane].reshape(states.shape[2], -1)
        stepper.advance(after, (1 - lying).argmax(axis=1).astype(np.int64))
        return self.read(stepper.planes(after))

    def shown_clues(self, observed: bytes) -> NDArray[np.int64]:
        """The same of what is seen."""
        row: NDArray[np.int64] = self.read(self.planes(observed)[np.newaxis])[0]
        return row

    def read(self, planes: Planes) -> NDArray[np.int64]:
        """The clues of several boards, as above."""
        read = np.zeros((len(planes), self.height * self.width), np.int64)
        for telling in self.tells:
            for plane, value in telling.clues:
                read += planes[:, plane].reshape(len(planes), -1).astype(np.int64) * (value + 1)
        return read

    def around(self, cell: int) -> list[int]:
        """The cells whose clues would tell of this one."""
        row, column = divmod(cell, self.width)
        near = {(row - down, column - right) for telling in self.tells for down, right in telling.offsets}
        return [r * self.width + c for r, c in near if 0 <= r < self.height and 0 <= c < self.width]
