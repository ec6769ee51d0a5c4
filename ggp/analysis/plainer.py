"""A game in scan order without what makes no difference: fewer rules and kinds, and the same inputs win.

Of kinds that are alike (`ggp.analysis.alike`) the first stands for all; layers that make no difference go,
and so do the rules that then do nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from ggp.analysis.alike import Partition, alike
from ggp.model import Game, Goal, Instance, Piece
from ggp.model.scan import Crowd, Mark, Scan, ScanCell, ScanChange, ScanGoal, ScanRule, ScanStage
from ggp.referee.scanning.ground import changes_of
from ggp.referee.scanning.rules import MOST_CHOICES


class Plainer(NamedTuple):
    """The game that is left. `exact`: the same inputs lead to the same wins, whatever they are.

    Where they may not, it is so but for turns in which only what makes no difference lets time go on, keeps
    a loop going, or is found in too many ways: a plan has to be replayed, and none says nothing.
    """

    instance: Instance
    exact: bool


def plainer(instance: Instance) -> Plainer | None:
    """The instance without what makes no difference; None where all does, or too little is known."""
    found = looked_at(instance.game)
    if found is None:
        return None
    writer, game, exact = found
    board = tuple(tuple(writer.pieces(here) for here in row) for row in instance.level.board)
    exact = exact and not any(often(rule, len(board), len(board[0])) for rule in writer.gone)
    return Plainer(replace(instance, game=game, level=replace(instance.level, board=board)), exact)


@lru_cache(maxsize=16)
def looked_at(game: Game) -> tuple[Writer, Game, bool] | None:
    """The same of a game; kept, because levels of one game are solved one after another."""
    told = alike(game)
    if told is None or game.scan is None:
        return None
    writer = Writer(game, game.scan, told)
    scan = writer.scan(game.scan)
    kept = set(writer.stands_for.values())
    kinds = tuple(kind for kind in game.kinds if kind.name in kept)
    exact = not goes_on(game.scan)
    if not exact and len(kept) == len(writer.stands_for) and not written(game) - writer.layers:
        return None  # what goes stays where it is: nothing is gained but a plan that has to be replayed
    left = replace(game, kinds=kinds, goal=Goal(()), classes=(), symbols=(), forms=(), scan=scan)
    return writer, left, exact


def written(game: Game) -> set[str]:
    """The layers on which rules put or take something."""
    layer = {kind.name: kind.layer for kind in game.kinds}
    changes = changes_of(game.scan) if game.scan is not None else ()
    return {layer[kind] for change in changes for kind in (*change.add, *change.remove)}


def goes_on(scan: Scan) -> bool:
    """May what makes no difference let time go on, or keep a loop going until it is cut off?"""
    return bool(scan.early.loops or scan.late.loops) or any("again" in rule.commands for rule in scan.rules)


def often(rule: ScanRule, height: int, width: int) -> bool:
    """May it be found in too many ways for a turn? Rows begin in any cell, and dots are of any length."""
    dots = sum(row.count(None) for row in rule.rows)
    ways: int = (height * width) ** len(rule.rows) * max(height, width) ** dots
    return ways > MOST_CHOICES


class Writer:
    """Writes what is left. `stands_for`: of each kind that makes a difference the one that stands for it.

    `gone`: the rules that then do nothing.
    """

    def __init__(self, game: Game, scan: Scan, told: Partition) -> None:
        self.told, self.layers = told, frozenset(told.blocks)
        self.gone = [rule for rule in scan.rules if not told.matters(rule)]
        self.stands_for: dict[str, str] = {}
        for block in (block for blocks in told.blocks.values() for block in blocks):
            first = next(kind.name for kind in game.kinds if kind.name in block)
            self.stands_for.update(dict.fromkeys(block, first))

    def kinds(self, kinds: Iterable[str]) -> tuple[str, ...]:
        """What stands for these."""
        return tuple(dict.fromkeys(self.stands_for[kind] for kind in kinds if kind in self.stands_for))

    def pieces(self, here: Iterable[Piece]) -> frozenset[Piece]:
        """What is left of a cell."""
        return frozenset(map(Piece, self.kinds(piece.kind for piece in here)))

    def crowd(self, crowd: Crowd) -> Crowd:
        """What is left of what a condition speaks of."""
        return Crowd(self.kinds(crowd.kinds), crowd.together)

    def scan(self, scan: Scan) -> Scan:
        """What is left of the rules."""
        layers = tuple(layer for layer in scan.layers if layer in self.layers)
        goals = tuple(
            ScanGoal(one.quantifier, self.crowd(one.what), one.ground and self.crowd(one.ground), one.place)
            for one in scan.goals
        )
        early, late = self.stage(scan.early), self.stage(scan.late)
        player = self.crowd(scan.player)
        return replace(scan, layers=layers, player=player, early=early, late=late, goals=goals)

    def stage(self, stage: ScanStage) -> ScanStage:
        """The groups keep their numbers, by which loops know them."""
        return ScanStage(
            tuple(
                replace(group, rules=tuple(map(self.rule, filter(self.told.matters, group.rules))))
                for group in stage.groups
            ),
            stage.loops,
        )

    def rule(self, rule: ScanRule) -> ScanRule:
        """What is left of a rule."""
        rows = tuple(tuple(None if cell is None else self.cell(cell) for cell in row) for row in rule.rows)
        return replace(rule, rows=rows)

    def cell(self, cell: ScanCell) -> ScanCell:
        """What is left of a cell."""
        some = tuple(dict.fromkeys(self.kinds(some) for some in cell.some))
        change = None if cell.change is None else self.change(cell.change)
        return ScanCell(
            self.kinds(cell.present),
            self.kinds(cell.absent),
            some,
            self.marks(cell.marked),
            self.of_layers(cell.still),
            change,
        )

    def change(self, change: ScanChange) -> ScanChange | None:
        """What is left of a change; None where it is none."""
        added = self.kinds(change.add)
        removed = tuple(kind for kind in self.kinds(change.remove) if kind not in added)
        marks = self.marks(change.mark)
        left = ScanChange(removed, added, self.marks(change.clear), self.of_layers(change.settle), marks)
        return None if left == ScanChange() else left

    def marks(self, marks: Iterable[Mark]) -> tuple[Mark, ...]:
        """Those on layers that are left."""
        return tuple(mark for mark in marks if mark[0] in self.layers)

    def of_layers(self, layers: Iterable[str]) -> tuple[str, ...]:
        """Those that are left."""
        return tuple(layer for layer in layers if layer in self.layers)
