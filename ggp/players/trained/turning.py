"""The turns and mirrors of a game's boards. Which of them a game has is tried out, never assumed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.learn.seen.symmetry import turned_facing
from ggp.model import Instance, Piece
from ggp.model.board import Action
from ggp.players.trained.deeds import Deeds

TRIED = 40  # inputs made on a level and its image, side by side


class Turning(NamedTuple):
    """Quarter turns clockwise, and then, if so, an exchange of left and right."""

    quarters: int
    flip: bool

    def array(self, boards: NDArray[Any]) -> NDArray[Any]:
        """Boards (the last two axes), turned."""
        turned = np.rot90(boards, -self.quarters, axes=(-2, -1))
        return turned[..., ::-1] if self.flip else turned

    def piece(self, piece: Piece) -> Piece:
        """What a piece looks like in the image."""
        if not isinstance(piece.variant, str):
            return piece
        return Piece(piece.kind, turned_facing(piece.variant, self.quarters, self.flip))

    def direction(self, direction: str) -> str:
        """What a direction is in the image."""
        return turned_facing(direction, self.quarters, self.flip)

    def instance(self, instance: Instance) -> Instance:
        """A level, turned."""
        rows = instance.level.board
        numbers = self.array(np.arange(len(rows) * len(rows[0])).reshape(len(rows), -1))
        flat = [here for row in rows for here in row]
        board = tuple(tuple(frozenset(map(self.piece, flat[at])) for at in row) for row in numbers)
        return Instance(instance.game, replace(instance.level, board=board))

    def action(self, action: Action, instance: Instance) -> Action:
        """An input in the image of a level."""
        cell, (rows, columns) = action.cell, (len(instance.level.board), len(instance.level.board[0]))
        if cell is not None:
            where = self.array(np.arange(rows * columns).reshape(rows, columns))
            row, column = np.argwhere(where == cell[0] * columns + cell[1])[0].tolist()
            cell = row, column
        direction = action.direction and self.direction(action.direction)
        return Action(self.direction(action.verb), cell, direction)


ALL = tuple(Turning(quarters, flip) for flip in (False, True) for quarters in range(4))


def held(instances: Iterable[Instance], seed: int = 0) -> tuple[Turning, ...]:
    """The turnings under which the game plays alike, as far as random inputs on these levels show."""
    kept, rng = list(ALL), Random(seed)
    for instance in instances:
        if not instance.level.regions:
            kept = [one for one in kept if one == ALL[0] or alike(instance, one, rng)]
        else:
            kept = [ALL[0]]
    return tuple(kept)


def alike(instance: Instance, turning: Turning, rng: Random) -> bool:
    """Do the same inputs, turned, do the same, turned?"""
    known = {Piece(kind.name, one) for kind in instance.game.kinds for one in (kind.facings or (None,))}
    if any(
        kind.facings and not {turning.piece(Piece(kind.name, one)) for one in kind.facings} <= known
        for kind in instance.game.kinds
    ):
        return False
    image = turning.instance(instance)
    first, second = Deeds(instance), Deeds(image)
    here, there = first.stepper.begin(1), second.stepper.begin(1)
    numbers = {str(action): number for number, action in enumerate(second.stepper.actions)}
    for _ in range(TRIED):
        number = rng.randrange(first.count)
        action = first.stepper.actions[number]
        assert action is not None
        mapped = numbers.get(str(turning.action(action, instance)))
        if mapped is None:
            return False
        told = first.stepper.advance(here, np.array([number]))
        same = second.stepper.advance(there, np.array([mapped]))
        if told[0] != same[0]:
            return False
        turned = turning.instance(first.standing(here.tobytes()))
        if turned.level.board != second.standing(there.tobytes()).level.board:
            return False
    return True


def least(instance: Instance, turnings: Iterable[Turning]) -> str:
    """A text that is the same for all images of a level's board."""
    texts = []
    for turning in turnings:
        board = turning.instance(instance).level.board
        texts.append("/".join(",".join(" ".join(sorted(map(str, here))) for here in row) for row in board))
    return min(texts)
