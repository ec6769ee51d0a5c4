"""Says what a map alone shows never to be won: too few places for what must stand on them, or no way there.

For goals that want pieces on a certain ground. What is said is sure, since every rule is taken to fire
wherever it could: a piece gets anywhere that moves of its kind lead to, but onto what always stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ggp.model import OFFSETS, Cell, Effect, Game, Instance, Path, Pattern, Rule, groups_of
from ggp.model.board import kinds_of, turned
from ggp.model.pieces import members

Fault = tuple[str, str, Cell | None]
"""What is wrong, what to do about it, and the cell, if it is about one."""


class Moves(NamedTuple):
    """What the rules may do with the pieces of each kind."""

    steps: dict[str, set[Cell]]  # by how many rows and columns one may move
    added: set[str]
    removed: set[str]


def unwinnable(instance: Instance) -> Iterator[Fault]:
    """Everything for which the level can never be won. `instance` has no errors."""
    moves = moves_of(instance.game)
    for term in instance.game.goal.terms:
        asked = getattr(term, "ground_asked", lambda: None)()
        if asked is None:
            continue
        quantifier, what, ground = asked
        if what.variant is None and ground.variant is None:
            yield from Ground(instance, moves, what, ground).faults(quantifier)


class Ground:
    """Pieces of `what` that must stand on cells with a piece of `ground`."""

    def __init__(self, instance: Instance, moves: Moves, what: Pattern, ground: Pattern) -> None:
        self.instance = instance
        self.moves = moves
        self.what, self.ground = what.name, ground.name
        self.board = instance.level.board
        self.goers = self.standing(kinds_of(instance.game, self.what))
        self.places = self.standing(kinds_of(instance.game, self.ground))
        self.layer = {kind.name: kind.layer for kind in instance.game.kinds}

    def standing(self, kinds: Sequence[str]) -> list[tuple[Cell, str]]:
        """Where pieces of these kinds stand, in reading order."""
        return [
            ((row, column), piece.kind)
            for row, line in enumerate(self.board)
            for column, here in enumerate(line)
            for piece in sorted(here, key=str)
            if piece.kind in kinds
        ]

    def faults(self, quantifier: str) -> Iterator[Fault]:
        """What the map shows, where `every` or `some` piece must get there."""
        if self.may_change(self.ground, self.moves.added):
            return
        kinds = {kind for _, kind in self.goers}
        near = {kind: self.flood(kind, self.places, back=True) for kind in kinds}
        lost = [cell for cell, kind in self.goers if (here := near[kind]) is not None and cell not in here]
        if quantifier == "some":
            if len(lost) == len(self.goers) and not self.may_change(self.what, self.moves.added):
                yield f"no `{self.what}` can ever get to `{self.ground}`", "open a way, or draw one", None
            return
        if self.may_change(self.what, self.moves.removed) or self.merges():
            return
        for cell in lost:
            yield f"this `{self.what}` can never get to `{self.ground}`", "open a way, or take it out", cell
        if not lost and len({self.layer[kind] for kind in kinds}) == 1:
            yield from self.crowd(kinds)

    def crowd(self, kinds: set[str]) -> Iterator[Fault]:
        """More pieces than places that any of them can get to; all pieces are on one layer."""
        reached: set[Cell] = set()
        for kind in kinds:
            here = self.flood(kind, [one for one in self.goers if one[1] == kind], back=False)
            reached |= {cell for cell, _ in self.places} if here is None else here
        number, room = len(self.goers), len({cell for cell, _ in self.places} & reached)
        if number > room:
            message = f"{number} of `{self.what}` must stand on `{self.ground}`, and there is room for {room}"
            yield message, f"draw more of `{self.ground}` where they get to, or less of `{self.what}`", None

    def may_change(self, name: str, kinds: set[str]) -> bool:
        """Is a kind that the name stands for among these?"""
        return not kinds.isdisjoint(kinds_of(self.instance.game, name))

    def merges(self) -> bool:
        """May two pieces become one?"""
        return any(kind.merge for kind in self.instance.game.kinds if self.may_change(self.what, {kind.name}))

    def flood(self, kind: str, starts: Sequence[tuple[Cell, str]], *, back: bool) -> set[Cell] | None:
        """Where pieces of a kind get to from these cells; with `back`, from where they get to them.

        None where that says nothing: the ground moves, or pieces of the kind come out of nowhere.
        """
        if self.may_change(self.ground, set(self.moves.steps)) or kind in self.moves.added:
            return None
        sign = -1 if back else 1
        seen = {cell for cell, _ in starts}
        todo = list(seen)
        while todo:
            at = todo.pop()
            if back and self.blocked(at, kind):
                continue
            for down, right in self.moves.steps.get(kind, ()):
                to = self.on_board(at[0] + sign * down, at[1] + sign * right)
                if to is not None and to not in seen and (back or not self.blocked(to, kind)):
                    seen.add(to)
                    todo.append(to)
        return seen

    def on_board(self, row: int, column: int) -> Cell | None:
        """The cell, or the one that it wraps round to; None outside the board."""
        height, width = len(self.board), len(self.board[0])
        if self.instance.game.wraps:
            return row % height, column % width
        return (row, column) if 0 <= row < height and 0 <= column < width else None

    def blocked(self, cell: Cell, kind: str) -> bool:
        """Does something stand there, now and always, that the kind cannot share a cell with?"""
        return any(
            self.layer[piece.kind] == self.layer[kind]
            and piece.kind not in self.moves.steps
            and piece.kind not in self.moves.removed
            for piece in self.board[cell[0]][cell[1]]
        )


# --- what rules may do ------------------------------------------------------------------------------------


def moves_of(game: Game) -> Moves:
    """What the rules, the design and chance may do, whatever the map."""
    found = Moves({}, {scatter.kind for scatter in game.chance}, set())
    if game.design is not None:
        found.added.update(game.design.kinds)
    for phase in (*game.turn, *game.physics):
        for group in groups_of(phase):
            for rule in group.rules:
                for effect in rule.effects:
                    note(game, rule, effect, found)
    return found


def note(game: Game, rule: Rule, effect: Effect, found: Moves) -> None:
    """Add what one effect does to its kinds."""
    kinds = members({group.name: group for group in game.classes}, effect.pattern.name)
    if effect.verb == "add":
        found.added.update(kinds)
    elif effect.verb == "remove":
        found.removed.update(kinds)
    elif effect.verb == "move":
        for kind in kinds:
            for direction in rule.directions:
                start, end = offset(effect.path, direction), offset(effect.to or (), direction)
                found.steps.setdefault(kind, set()).add((end[0] - start[0], end[1] - start[1]))


def offset(path: Path, direction: str) -> Cell:
    """Where a path leads to from the anchor, in rows and columns."""
    steps = [OFFSETS[turned(step, direction)] for step in path]
    return sum(down for down, _ in steps), sum(right for _, right in steps)
