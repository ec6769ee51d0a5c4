"""The names and facts of a planning task: cells, directions, pieces. One reversible table gives the names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from ggp.exporters.pddl.task import Fact, Formula, any_of
from ggp.model import DIRECTIONS, OFFSETS, RELATIVE, Cell, Instance, Piece
from ggp.model.board import cells, variants
from ggp.model.names import Names
from ggp.referee.semantics import initial_state
from ggp.transition.program import Transition

# Words of the language, and the names that every task has. Capitals are small letters to it.
RESERVED = """
    action actions all always and assign at axiom condition conditional constants constraints cost costs
    decrease define derived direction domain durative duration effect effects either end equality exists
    fluents forall function functions goal hold imply increase init length location maximize metric
    minimize next no not number object objects or over parameters predicate predicates preconditions
    preference problem requirements scale start strips total types typing undefined when within x
""".split()


@dataclass
class Vocabulary:
    """How cells, directions and pieces are called. A kind with facings takes the facing as an argument."""

    instance: Instance
    transition: Transition
    names: Names = field(init=False)
    predicates: dict[str, tuple[str, ...]] = field(default_factory=dict)  # those that were asked for
    actions: set[str] = field(default_factory=set)
    anyhow: dict[str, str] = field(default_factory=dict)  # predicates that leave the facing open, with kind

    def __post_init__(self) -> None:
        self.names = Names("[a-z][a-z0-9_]*", RESERVED, fold=True)

    def name(self, ours: str, sort: str = "") -> str:
        """A small-letter name for one of ours; `sort`, of no letters, keeps apart what else is called so."""
        capitals = "".join(":" if letter.islower() else "^" for letter in ours)
        return self.names.of(f"{ours.lower()}{sort}{capitals if ours != ours.lower() else ''}")

    def predicate(self, ours: str, *kinds: str) -> str:
        """The predicate for a word of ours, declared when it is asked for first."""
        name = self.name(ours)
        self.predicates.setdefault(name, kinds)
        return name

    def action(self, ours: str) -> str:
        """A new name for an action that is called after a rule."""
        name, count = self.name(ours, "!"), 1
        while name in self.actions:
            count += 1
            name = self.name(f"{ours} {count}", "!")
        self.actions.add(name)
        return name

    def cell(self, cell: Cell) -> str:
        """The object that stands for a cell."""
        return self.name(f"c {cell[0]} {cell[1]}", "@")

    def direction(self, direction: str) -> str:
        """The object that stands for a direction."""
        return self.name(direction, ">")

    @cached_property
    def cells(self) -> dict[str, Cell]:
        """The cell of each object that stands for one."""
        return {self.cell(cell): cell for cell in cells(self.instance)}

    @cached_property
    def directions(self) -> dict[str, str]:
        """The direction of each object that stands for one."""
        return {self.direction(direction): direction for direction in DIRECTIONS}

    def piece(self, plane: int, at: str, facing: str | None = None) -> Fact:
        """That a piece stands at a cell; `facing` is what stands for its facing, if not that of the plane."""
        fact, kinds = self.written(self.transition.planes[plane], at, facing)
        self.predicates.setdefault(fact.name, kinds)
        return fact

    def written(self, piece: Piece, at: str, facing: str | None = None) -> tuple[Fact, tuple[str, ...]]:
        """The fact that a piece stands somewhere, and the types of its arguments."""
        if isinstance(piece.variant, str):
            toward = self.direction(piece.variant) if facing is None else facing
            return Fact(self.name(piece.kind), (at, toward)), ("location", "direction")
        value = "" if piece.variant is None else f" {piece.variant}"
        return Fact(self.name(f"{piece.kind}{value}"), (at,)), ("location",)

    def some_piece(self, planes: Iterable[int], at: str) -> Formula:
        """That one of these stands at a cell; where a kind that never moves has them all, in one word."""
        left, parts = list(planes), []
        for kind, whole in self.families.items():
            if set(whole) <= set(left) and not set(whole) & self.transition.dynamic:
                left = [plane for plane in left if plane not in whole]
                name = self.predicate(f"{kind} any", "location")
                self.anyhow[name] = kind
                parts.append(Fact(name, (at,)))
        return any_of([*(self.piece(plane, at) for plane in left), *parts])

    @cached_property
    def families(self) -> dict[str, tuple[int, ...]]:
        """The planes of each kind that has facings."""
        kinds = [kind for kind in self.instance.game.kinds if kind.facings]
        number = self.transition.number
        return {
            kind.name: tuple(number[Piece(kind.name, one)] for one in variants(self.instance, kind))
            for kind in kinds
        }

    def whole(self, planes: Iterable[int]) -> set[int]:
        """Those of the planes that are there with all facings of their kind."""
        asked = set(planes)
        return {plane for family in self.families.values() if set(family) <= asked for plane in family}

    def start(self) -> Iterator[Fact]:
        """What holds at the start, of the predicates that were asked for."""
        state, columns = initial_state(self.instance), self.transition.width
        for index, here in enumerate(state.board):
            at = self.cell((index // columns, index % columns))
            for piece in here:
                fact, _ = self.written(piece, at)
                if fact.name in self.predicates:
                    yield fact
                yield from (Fact(name, (at,)) for name, kind in self.anyhow.items() if kind == piece.kind)

    def static(self) -> Iterator[Fact]:
        """What always holds, of the predicates that were asked for: steps from cell to cell, and turns."""
        for word, quarters in RELATIVE.items():
            name = self.name(f"{word} of")
            if name in self.predicates:
                for index, direction in enumerate(DIRECTIONS):
                    turned = DIRECTIONS[(index + quarters) % 4]
                    yield Fact(name, (self.direction(direction), self.direction(turned)))
        if self.name("adjacent") in self.predicates:
            yield from self.steps()

    def steps(self) -> Iterator[Fact]:
        """Which cell is next to which, in which direction."""
        height, width = self.transition.height, self.transition.width
        name = self.name("adjacent")
        for row, column in cells(self.instance):
            for direction, (down, right) in OFFSETS.items():
                to = (row + down, column + right)
                if 0 <= to[0] < height and 0 <= to[1] < width:
                    yield Fact(name, (self.direction(direction), self.cell((row, column)), self.cell(to)))
