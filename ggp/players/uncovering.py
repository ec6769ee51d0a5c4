"""Games in which covered cells are picked, one that holds something laid loses, and what is seen tells of it.

Nothing here knows a game: that a game is of this sort is seen in its description, and tried. What it tells
stands under `tells` in `[[chance]]`: so many of what was laid are near each clue.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.errors import UnsupportedFeature
from ggp.goals.each import Each
from ggp.model import Cell, Instance, Piece, Scatter
from ggp.model.board import amount, height, matches, width
from ggp.players.counting import Layouts, Sum
from ggp.players.luck import Laid
from ggp.players.world import World

Planes = NDArray[np.uint8]


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
            f"{self.instance.name} is not won by uncovering cells: {why}", "take the player `random` or `mcts`"
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
        """See that a pick loses where something lies, and nowhere else: in a few layouts, at all cells."""
        world = self.world
        for seed in range(3):
            position = world.begin(seed)
            if position.lays:  # the first pick is made, so that everything lies
                turn = world.turn(position, seed % len(world.actions))
                assert turn is not None
                if turn.outcome != "open":
                    continue
                position = turn.position
            lying = world.run.planes(position.held)[self.plane]
            for action, turn in world.turns(position).items():
                if (turn.outcome == "lost") != bool(lying[divmod(action, self.width)]):
                    raise self.refused(f"a pick loses elsewhere than on `{self.piece}`")

    # --- what is seen -------------------------------------------------------------------------------------

    def planes(self, observed: bytes) -> Planes:
        """The board as it is seen."""
        return np.frombuffer(observed, np.uint8).reshape(-1, self.height, self.width)

    def covered(self, planes: Planes) -> NDArray[np.bool_]:
        """Where something may lie unseen."""
        found: NDArray[np.bool_] = planes[self.covers].any(axis=0)
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

    def around(self, cell: int) -> list[int]:
        """The cells whose clues would tell of this one."""
        row, column = divmod(cell, self.width)
        near = {(row - down, column - right) for telling in self.tells for down, right in telling.offsets}
        return [r * self.width + c for r, c in near if 0 <= r < self.height and 0 <= c < self.width]
