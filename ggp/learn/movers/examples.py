"""From trajectories to examples: what one mover saw around it, and what came of it.

An outcome is everything that changed, as seen by the mover. Where movers are so close that a change could
be of either, the example is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ggp.learn.seen.frames import Frame, Offset
from ggp.model import Cell, Game, Piece
from ggp.model.board import Action, State
from ggp.referee.trajectory import Trajectory

REACH = 2  # a mover changes nothing further away than this


@dataclass(frozen=True, slots=True, order=True)
class Change:
    """A piece of `kind` goes from one offset to another, and faces (seen by the mover) as said, if it turns.

    `source` None: it appears. `target` None: it vanishes.
    """

    kind: str
    source: Offset | None
    target: Offset | None
    facing: str = ""


Outcome = tuple[Change, ...]  # sorted; empty: nothing changed


@dataclass(frozen=True, slots=True)
class Example:
    """A mover on a cell of a state, looking in a direction, and what came of it."""

    state: State
    height: int
    width: int
    cell: Cell
    piece: Piece
    direction: str | None
    outcome: Outcome


def frame_of(game: Game, kind: str) -> Frame:
    """How a kind's surroundings are turned: by its own facing if it has one, else by the input."""
    facings = next(k for k in game.kinds if k.name == kind).facings
    if facings:
        return Frame("facing", mirrored=set(facings) <= {"left", "right"})
    return Frame("input" if game.input is not None else "none")


def examples(game: Game, mover: str, seen: Iterable[Trajectory]) -> Iterator[Example | None]:
    """An example for each mover in each step; None where what changed cannot be told apart.

    Yields None also where something changed out of reach of every mover: then this kind alone does not
    explain what happens.
    """
    frame = frame_of(game, mover)
    for trajectory in seen:
        states = trajectory.states
        for before, after, action in zip(states, states[1:], trajectory.inputs, strict=False):
            yield from step_examples(mover, frame, trajectory, before, after, action)


def step_examples(
    mover: str, frame: Frame, trajectory: Trajectory, before: State, after: State, action: Action | None
) -> Iterator[Example | None]:
    """The examples of one step."""
    width = trajectory.width
    movers = [
        (divmod(index, width), piece)
        for index, here in enumerate(before.board)
        for piece in here
        if piece.kind == mover
    ]
    gone, come = differences(before, after, width)
    near: dict[int, tuple[list[tuple[Cell, Piece]], list[tuple[Cell, Piece]]]] = {}
    for side, changes in enumerate((gone, come)):
        for cell, piece in changes:
            owners = [n for n, (at, _) in enumerate(movers) if distance(at, cell) <= REACH]
            if not owners:
                yield None
                return
            for owner in owners:
                near.setdefault(owner, ([], []))[side].append((cell, piece))
    for number, (at, piece) in enumerate(movers):
        alone = all(distance(at, other) > 2 * REACH for n, (other, _) in enumerate(movers) if n != number)
        if len(movers) == 1 or alone:
            direction = looking(frame, piece, action)
            outcome = outcome_of(frame, at, direction, *near.get(number, ([], [])))
            if outcome is not None:
                yield Example(before, trajectory.height, width, at, piece, direction, outcome)


def looking(frame: Frame, piece: Piece, action: Action | None) -> str | None:
    """The direction that a mover's surroundings are turned by."""
    if frame.toward == "facing":
        return str(piece.variant)
    return action.toward if frame.toward == "input" and action is not None else None


def differences(
    before: State, after: State, width: int
) -> tuple[list[tuple[Cell, Piece]], list[tuple[Cell, Piece]]]:
    """What has gone and what has come, by cell."""
    gone, come = [], []
    for index, (old, new) in enumerate(zip(before.board, after.board, strict=True)):
        if old != new:
            gone += [(divmod(index, width), piece) for piece in old - new]
            come += [(divmod(index, width), piece) for piece in new - old]
    return gone, come


def distance(a: Cell, b: Cell) -> int:
    """Rows or columns between two cells, whichever is more."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def outcome_of(
    frame: Frame,
    at: Cell,
    direction: str | None,
    gone: list[tuple[Cell, Piece]],
    come: list[tuple[Cell, Piece]],
) -> Outcome | None:
    """What changed, as seen by the mover; None where it is not plain which piece went where."""
    changes = []
    for kind in sorted({piece.kind for _, piece in (*gone, *come)}):
        old = [(cell, piece) for cell, piece in gone if piece.kind == kind]
        new = [(cell, piece) for cell, piece in come if piece.kind == kind]
        if len(old) > 1 or len(new) > 1:
            return None
        source = frame.offset(at, old[0][0], direction) if old else None
        target = frame.offset(at, new[0][0], direction) if new else None
        facing = ""
        if new and isinstance(new[0][1].variant, str) and (not old or old[0][1] != new[0][1]):
            facing = frame.turned(new[0][1].variant, direction)
        changes.append(Change(kind, source, target, facing))
    return tuple(sorted(changes))
