"""A puzzle with its givens taken off the board and encoded: each given is a fact that can be left out.

The cells of the givens become free cells, and a given is the assumption that a certain piece stands there.
What the player has filled in so far is the same sort of fact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from ggp.encoding.constraints import Clause, Constraint, Encoding, Iff
from ggp.encoding.lowering.protocol import Kinds
from ggp.encoding.occupancy import encode
from ggp.encoding.scopes import scope
from ggp.errors import Finding, UnsupportedFeature
from ggp.model import Cell, Design, Instance, Level, Piece, Plan
from ggp.model.board import cells, matches_any
from ggp.referee.designs import free_cells, placeable
from ggp.referee.stock import budget, budgets

Placed = Mapping[Cell, Piece | None]
"""What stands on cells; None: nothing is placed there."""


@dataclass(frozen=True)
class Opened:
    """An instance without its givens. `givens` are what was taken off, by cell."""

    instance: Instance
    givens: Mapping[Cell, Piece]
    native: Kinds = frozenset()  # see `ggp.encoding.lowering.route.Backend`

    @cached_property
    def encoding(self) -> Encoding:
        """The encoding as it was written: nothing is worked out, so every constraint can say why."""
        return spelt_out(encode(self.instance, native=self.native))

    @cached_property
    def variables(self) -> dict[Cell, int]:
        """The variable of each free cell."""
        free = set(free_cells(self.instance))
        found: dict[Cell, int] = {}
        for number in self.encoding.decisions:
            row, column = self.encoding.variables[number].index[:2]
            if (row, column) in free:
                found[row, column] = number
        return found

    def value(self, cell: Cell, piece: Piece | None) -> int:
        """The value of a cell's variable that means this piece, or nothing."""
        variable = self.variables[cell]
        plan = Plan(((cell, piece),)) if piece is not None else Plan()
        return self.encoding.decisions[variable](plan)

    @cached_property
    def fill(self) -> bool:
        """Does every free cell take something?"""
        return self.instance.game.design is not None and self.instance.game.design.fill

    @cached_property
    def meanings(self) -> dict[Cell, dict[int, Piece | None]]:
        """What each value of a cell's variable means."""
        pieces: list[Piece | None] = [*placeable(self.instance), *([] if self.fill else [None])]
        return {cell: {self.value(cell, piece): piece for piece in pieces} for cell in self.variables}

    def plan(self, placed: Placed) -> Plan:
        """The plan that places these."""
        return Plan(tuple(sorted((cell, piece) for cell, piece in placed.items() if piece is not None)))


def opened(instance: Instance, native: Kinds = frozenset()) -> Opened:
    """Take the givens off; raises UnsupportedFeature for puzzles that are not solved by thinking alone."""
    game = instance.game
    if game.design is None or game.input is not None or game.physics or game.chance:
        what = "places nothing" if game.design is None else "moves, or hangs on chance"
        message = f"{game.name} {what}, and explanations are for puzzles in which all is placed at the start"
        remedy = "`ggp solve` looks for a plan of any puzzle"
        raise UnsupportedFeature.of("explaining", (Finding(message, remedy, game.place),))
    givens = given_pieces(instance)
    game = replace(game, design=with_room(instance, givens.values()))
    return Opened(Instance(game, without(instance.level, givens)), givens, native)


def with_room(instance: Instance, pieces: Iterable[Piece]) -> Design | None:
    """The design of a game with limits that allow these pieces, too.

    What was given does not count as placed, so taking it off leaves more to be placed.
    """
    design, number, limit = instance.game.design, Counter(piece.kind for piece in pieces), budget(instance)
    if design is None or not number:
        return design
    if design.limits:
        each = ((kind, most + number[kind]) for kind, most in budgets(instance).items())
        return replace(design, limits=tuple(each))
    return design if limit is None else replace(design, limit=limit + number.total())


def given_pieces(instance: Instance) -> dict[Cell, Piece]:
    """The pieces of the placed kind on the board, where taking them off leaves a free cell."""
    design, found = instance.game.design, dict[Cell, Piece]()
    if design is None:
        return found
    for row, column in cells(instance):
        here = instance.level.board[row][column]
        placed = [piece for piece in here if piece.kind in design.kinds]
        rest = here - set(placed)
        if len(placed) == 1 and not any(matches_any(instance.game, one, design.free_of) for one in rest):
            found[row, column] = placed[0]
    return found


def spelt_out(encoding: Encoding) -> Encoding:
    """The encoding with what is only named to be forbidden (or demanded) said at once.

    It means the same, and a rule of many such parts takes half as long to look at.
    """
    uses = Counter(variable for one in encoding.constraints for variable in scope(encoding, one))
    asked: dict[int, Clause] = {}
    for one in encoding.constraints:
        if isinstance(one, Clause) and len(one.lits) == 1:
            asked[one.lits[0]] = one
    kept: list[Constraint] = []
    said: set[int] = set()
    for one in encoding.constraints:
        if isinstance(one, Iff) and uses[encoding.atoms[abs(one.lit)][0]] == 2:
            wanted = asked.get(one.lit if one.op == "or" else -one.lit)
            if wanted is not None:
                sign = 1 if one.op == "or" else -1
                kept.append(Clause(tuple(sign * lit for lit in one.lits), wanted.why))
                said.add(id(wanted))
                continue
        kept.append(one)
    return replace(encoding, constraints=[one for one in kept if id(one) not in said])


def without(level: Level, pieces: Mapping[Cell, Piece]) -> Level:
    """The level without these pieces."""
    return on_each_cell(level, lambda cell, here: here - {pieces[cell]} if cell in pieces else here)


def with_pieces(level: Level, pieces: Mapping[Cell, Piece]) -> Level:
    """The level with these pieces on its board, too."""
    return on_each_cell(level, lambda cell, here: here | {pieces[cell]} if cell in pieces else here)


def on_each_cell(level: Level, change: Callable[[Cell, frozenset[Piece]], frozenset[Piece]]) -> Level:
    """The level with something else on its cells."""
    board = tuple(
        tuple(change((row, column), here) for column, here in enumerate(line))
        for row, line in enumerate(level.board)
    )
    return replace(level, board=board)
