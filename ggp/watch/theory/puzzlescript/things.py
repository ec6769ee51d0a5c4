"""What stands on boards, on which layers, who plays; and rules made ready for boards of one size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

from ggp.errors import NotLearned
from ggp.importers.puzzlescript.expand import expand
from ggp.importers.puzzlescript.faults import Faults
from ggp.importers.puzzlescript.lower import Lowering, in_groups
from ggp.importers.puzzlescript.names import Names, Object
from ggp.importers.puzzlescript.rules import Rule as Written
from ggp.learn.boards import Board, Token
from ggp.learn.seen.unused import untaken
from ggp.model import Game, Goal, Kind
from ggp.model.scan import Crowd, Scan, ScanGroup, ScanStage
from ggp.referee.scanning import Scanner
from ggp.referee.scanning.groups import GroupPart
from ggp.referee.scanning.turn import Turn
from ggp.watch.theory.puzzlescript.rules import Rule

SPOKEN = 3  # things of a class that its name has
ROUNDS = 24  # of a rule, after which it goes on without end


class Things:
    """The sorts of things that were seen. `layers`: of each layer one stands in a cell at most."""

    def __init__(self, layers: Sequence[tuple[Token, ...]], player: tuple[Token, ...]) -> None:
        self.layers, self.player = tuple(layers), player
        self.layer_names = tuple(f"layer-{number}" for number in range(1, len(layers) + 1))
        self.layer_of = {token: number for number, layer in enumerate(layers) for token in layer}
        self.tokens = tuple(self.layer_of)
        self.number = {token: number for number, token in enumerate(self.tokens)}
        self.names = Names()
        for number, token in enumerate(self.tokens, 1):
            self.names.objects[token] = Object(token, number, token, layer=self.layer_of[token])
            self.names.add(token, number)
        self.classes: dict[tuple[Token, ...], str] = {}  # the name of each
        for number in range(len(layers)):
            self.any_on(number)
        self.lowering = Lowering(self.names, list(self.layers), self.layer_names, Faults("theory"))
        self.group = cache(self.lowered)
        self.table = cache(self.made_table)

    def hold(self, board: Board) -> bool:
        """Does one thing of each layer stand in each cell of a board, at most?"""
        layers = ([self.layer_of[token] for token in stack] for stack in set(board.cells))
        return all(len(some) == len(set(some)) for some in layers)

    def any_on(self, layer: int) -> str:
        """The name of whatever stands on a layer."""
        members = self.layers[layer]
        return self.named(f"any-{layer + 1}", members) if len(members) > 1 else members[0]

    def either(self, members: Iterable[Token]) -> str:
        """The name of a class: of one of several things that stand on one layer."""
        some = tuple(sorted(set(members), key=self.number.__getitem__))
        if len(some) == 1:
            return some[0]
        if some not in self.classes:
            layer = self.layer_of[some[0]]
            others = [one for one in self.layers[layer] if one not in some]
            name = "-or-".join(some)
            if len(some) > SPOKEN:
                name = f"any-{layer + 1}-but-{'-or-'.join(others)}"
                name = name if len(others) <= SPOKEN else f"{some[0]}-or-{len(some) - 1}-others"
            self.named(untaken(name, frozenset(self.layer_of)), some)
        return self.classes[some]

    def members(self, name: str) -> tuple[Token, ...]:
        """The things that a name stands for."""
        return tuple(self.names.members(name))

    def named(self, name: str, members: tuple[Token, ...]) -> str:
        """A name for one of several things of a layer."""
        if name not in self.names:
            self.names.add(name, 0)
            self.names.either[name] = members
            self.layer_of[name] = self.layer_of[members[0]]
            self.classes[members] = name
        return name

    def lowered(self, rule: Rule) -> ScanGroup | None:
        """A rule as one of the model; None for one that no file can say."""
        left = [[list(cell) for cell in row] for row in rule.left]
        right = [] if rule.cancel else [[list(cell) for cell in row] for row in rule.right]
        commands = ("cancel",) if rule.cancel else ()
        written = Written(1, 1, 1, rule.ways, left, right, commands, rule.late)
        faults = self.lowering.faults = Faults("theory")
        groups = in_groups(expand([written], self.names, faults), self.lowering)
        return ScanGroup(tuple(groups[0][1])) if groups and not faults.errors else None

    def stage(self, rules: Iterable[Rule] = ()) -> ScanStage:
        """Rules as a stage of a game; those that no file can say are left out."""
        return ScanStage(tuple(group for group in map(self.group, rules) if group is not None))

    def scan(self) -> Scan:
        """A game without rules."""
        return Scan(self.layer_names, Crowd(self.player), self.stage(), self.stage())

    def made_table(self, height: int, width: int) -> Table:
        """What boards of one size need."""
        return Table(self, height, width)


class Table(Scanner):
    """Boards of one size, with rules made ready for them, each once."""

    def __init__(self, things: Things, height: int, width: int) -> None:
        kinds = tuple(Kind(token, things.layer_names[things.layer_of[token]]) for token in things.tokens)
        super().__init__(Game("theory", "theory", kinds, Goal(()), scan=things.scan()), height, width)
        self.things = things
        self.part = cache(self.made_part)
        self.nothing = Short(ScanGroup(()), self.ground, 0)

    def made_part(self, rule: Rule) -> GroupPart | None:
        """A rule made ready; None for one that no file can say."""
        group = self.things.group(rule)
        return Short(group, self.ground, 0) if group is not None else None

    def planes(self, board: Board) -> tuple[int, ...]:
        """A board as a number for each sort of thing; a bit of it is a cell, down the columns."""
        found = [0] * len(self.things.tokens)
        for index, stack in enumerate(board.cells):
            row, column = divmod(index, board.width)
            for token in stack:
                found[self.things.number[token]] |= 1 << column * board.height + row
        return tuple(found)

    def board(self, planes: Sequence[int]) -> Board:
        """The board that numbers stand for."""
        cells = [set[Token]() for _ in range(self.ground.size)]
        for token, plane in zip(self.things.tokens, planes, strict=False):
            while plane:
                low = plane & -plane
                column, row = divmod(low.bit_length() - 1, self.ground.height)
                cells[row * self.ground.width + column].add(token)
                plane ^= low
        return Board(self.ground.height, self.ground.width, tuple(map(frozenset, cells)))


class Endless(NotLearned):
    """A rule goes on and on."""


class Short(GroupPart):
    """A rule that is not gone through without end."""

    __slots__ = ()

    def run(self, turn: Turn) -> bool:
        """Go through the rule until nothing changes; raises Endless where that takes too long."""
        rounds = self.rounds(turn, ROUNDS)
        if rounds == ROUNDS:
            raise Endless("a rule goes on without end")
        return rounds > 0
