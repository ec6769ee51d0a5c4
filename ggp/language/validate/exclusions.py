"""Whether rules can collide at all: what the groups before theirs leave behind, on every board.

A window is filled with free variables, the edges of the board anywhere in it or nowhere, and the turn is
played on it up to the group in question. One pass is played exactly. Of a loop this is said: what it touches
may be anything that its rules could make, and none of them fires any more. Both allow more than can happen:
what is impossible here is impossible on every map, and what is possible here may still never be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, combinations
from typing import Literal, NamedTuple

from ggp.encoding.constraints import Encoding, Sum
from ggp.encoding.fields import Field
from ggp.encoding.formula import Formula, negate
from ggp.encoding.literals import Why
from ggp.encoding.symbolic import Formulas
from ggp.errors import PuzzleError
from ggp.language.validate.numbers import most_of_kinds
from ggp.model import Block, Game, Group, Instance, Level, Piece, groups_of
from ggp.model.board import Action, variants
from ggp.transition.compiler import Compiler
from ggp.transition.kernel import Boards, Company, overlaps, run_pass
from ggp.transition.program import CompiledRule, Pass, Transition, input_words, pass_given

LARGEST = 8000  # cells times planes of a window; nobody waits for larger ones
FindModel = Callable[[Encoding], object | None]
"""Values for the variables, or None where there are none; raises PuzzleError where it cannot tell."""


def never_collides(game: Game, group: Group, find_model: FindModel) -> bool:
    """Is it proved that no two firings of a group collide, whatever the map and the input?"""
    if game.wraps:
        return False
    try:
        return not any(Window(game, group, words).possible(find_model) for words in inputs(game))
    except PuzzleError:  # it is too large, or hangs on numbers that only levels give
        return False


def inputs(game: Game) -> Iterator[frozenset[str]]:
    """The words of each input that there can be, of each player."""
    given = game.input
    if given is None:
        yield frozenset()
        return
    actions = [Action(word) for word in (*given.moves, *given.verbs, *["wait"] * given.wait)]
    if given.pick is not None:
        facings = next(kind.facings for kind in game.kinds if kind.name == given.pick)
        actions += [Action("pick", (0, 0), facing) for facing in facings or (None,)]
    for mover in range(len(game.players)):
        yield from (input_words(action, game.players, mover) for action in actions)


class Stage(NamedTuple):
    """Groups played before another: one of them `once`, or `until` it rests, or several of them `somehow`."""

    how: Literal["once", "until", "somehow"]
    groups: tuple[Group, ...]


def stages(game: Game, group: Group) -> Iterator[Stage]:
    """What is played before a pass of the group."""
    for phase in (*game.turn, *game.physics):
        inner = groups_of(phase)
        here = any(one is group for one in inner)
        if isinstance(phase, Block):
            yield Stage("somehow", inner)
        for one in inner if here or not isinstance(phase, Block) else ():
            if one is group:
                if group.bound is not None:
                    yield Stage("somehow", (group,))
                return
            yield Stage("once" if one.bound is None else "until", (one,))


class Collisions(Formulas):
    """The algebra of formulas on a board of which only some cells are there; notes collisions."""

    def __init__(self, encoding: Encoding, transition: Transition) -> None:
        super().__init__(encoding, transition)
        self.ground = Field(self, {})  # the cells that are on the board
        self.firings: list[Field] = []
        self.met: list[Field] = []

    def everywhere(self) -> Field:
        return self.ground

    def fired(self, rule: CompiledRule, subject: int | None, where: Field) -> Field:
        named = super().fired(rule, subject, where)
        self.firings.append(named)
        return named

    def exclude(self, what: str, step: Pass, companies: list[Company]) -> None:
        self.met += overlaps(self, companies)

    def idle(self, step: Pass, rule: CompiledRule, where: Field) -> None:
        """Another fault than the one that is looked for."""


class Window:
    """A turn with one input on a window of a board, up to a group."""

    def __init__(self, game: Game, group: Group, words: frozenset[str]) -> None:
        self.game, self.words = game, words
        small = Instance(game, Level("window", ((frozenset(),),)))
        planes = tuple(Piece(kind.name, v) for kind in game.kinds for v in variants(small, kind))
        compiler = Compiler(small, planes)
        self.played = [
            (stage.how, [pass_given(compiler.group(one, looping=False), words) for one in stage.groups])
            for stage in stages(game, group)
        ]
        self.last = pass_given(compiler.group(group, looping=False), words)
        program = (*chain.from_iterable(steps for _, steps in self.played), self.last)
        self.transition = transition_of(game, planes, program, 1)
        self.reach = max(1, *self.transition.radius)
        exact = sum(how == "once" for how, _ in self.played)
        self.half = 2 * self.reach * exact + 4 * self.reach
        side = 2 * self.half + 1
        if side * side * len(planes) > LARGEST:
            raise PuzzleError("the groups before reach too far for a proof")
        self.transition = transition_of(game, planes, program, side)
        self.encoding = Encoding(small, 1)
        self.algebra = Collisions(self.encoding, self.transition)
        self.algebra.given = words.issuperset
        self.unsure = 0  # so many cells from the border of the window it may be otherwise

    def possible(self, find_model: FindModel) -> bool:
        """May two firings of the group collide in the middle of the window?"""
        boards = self.start()
        for how, steps in self.played:
            if how == "once":
                boards = run_pass(self.algebra, steps[0], boards)
                self.unsure += 2 * self.reach
            else:
                boards = self.somehow(steps, boards)
                if how == "until":
                    self.rests(steps[0], boards)
        self.algebra.met = []
        run_pass(self.algebra, self.last, boards)
        middle = self.half * self.transition.width + self.half
        met: Formula = False
        for board in self.algebra.met:
            met = self.algebra.disj(met, board.at(middle))
        self.algebra.require(met, Why("two firings collide"))
        return met is not False and find_model(self.encoding) is not None

    # --- what stands where

    def start(self) -> Boards:
        """Any board, on any part of the window that holds its middle; markers are not there, but the pick."""
        self.algebra.ground = self.board_cells()
        given = self.game.input
        pick = given.pick if given is not None and "pick" in self.words else None
        boards = []
        for plane, piece in enumerate(self.transition.planes):
            picked = piece.kind == pick and (piece.variant is None or piece.variant in self.words)
            there = plane not in self.transition.markers or picked
            boards.append(self.free(piece) if there else self.algebra.zero)
        return self.sound(tuple(boards))

    def board_cells(self) -> Field:
        """The cells on the board: from some row above the middle to one below it, and likewise columns."""
        side, half = self.transition.width, self.half
        lines = {}
        for way in ("row", "column"):
            on = [self.variable(way, index) if index != half else True for index in range(side)]
            for index in range(side):
                if index != half:
                    nearer = on[index + (1 if index < half else -1)]
                    self.algebra.require(self.algebra.disj(negate(on[index]), nearer), Why("a rectangle"))
            lines[way] = on
        cells = {
            row * side + column: self.algebra.conj(lines["row"][row], lines["column"][column])
            for row in range(side)
            for column in range(side)
        }
        return self.algebra.named("board", Field(self.algebra, cells))

    def variable(self, name: str, index: int) -> Formula:
        """A new truth value."""
        return self.encoding.number(self.encoding.new(name, (len(self.encoding.variables), index), (0, 1)), 1)

    def free(self, piece: Piece) -> Field:
        """Any cells of the board."""
        cells = {cell: self.variable(str(piece), cell) for cell in self.algebra.ground.cells}
        for cell, lit in cells.items():
            there = self.algebra.ground.at(cell)
            self.algebra.require(self.algebra.disj(negate(lit), there), Why("pieces stand on the board"))
        return Field(self.algebra, cells)

    def sound(self, boards: Boards) -> Boards:
        """What holds of every state: places are not shared, and of some kinds there are only so many."""
        for hard, soft in self.transition.shares.values():
            pairs = [*combinations(hard, 2), *((a, b) for a in hard for b in soft)]
            for a, b in pairs:
                for cell in boards[a].cells.keys() & boards[b].cells.keys():
                    both = self.algebra.conj(boards[a].at(cell), boards[b].at(cell))
                    self.algebra.require(negate(both), Why("a place is not shared"))
        for name, most in most_of_kinds(self.game).items():
            mine = [b for b, p in zip(boards, self.transition.planes, strict=True) if p.kind == name]
            lits = [lit for board in mine for lit in board.cells.values() if isinstance(lit, int)]
            few = Sum(tuple((1, lit) for lit in lits), "<=", most, Why(f"no more {name}"))
            self.encoding.add(few)
        return boards

    # --- loops

    def somehow(self, steps: list[Pass], boards: Boards) -> Boards:
        """After any number of passes of these: what they touch is free, as far as they could make it."""
        there = {plane for plane, board in enumerate(boards) if not self.algebra.empty(board)}
        rules = [(s, rule) for step in steps for s, some in step.subjects for rule in some]
        touched: set[int] = set()
        size = -1
        while size != len(there) + len(touched):
            size = len(there) + len(touched)
            for subject, rule in rules:
                asked = all(not t.wanted or not t.planes or there & {*t.planes} for t in rule.terms)
                if not asked or (subject is not None and subject not in there):
                    continue
                for change in rule.changes:
                    touched |= {plane for plane in (change.plane,) if plane is not None and plane in there}
                    if change.result is not None and (change.plane is None or change.plane in there):
                        touched.add(change.result)
                        there.add(change.result)
        planes = enumerate(self.transition.planes)
        return self.sound(tuple(self.free(p) if n in touched else boards[n] for n, p in planes))

    def rests(self, step: Pass, boards: Boards) -> None:
        """Nothing of a pass fires, where all that it reads is known."""
        self.algebra.firings = []
        run_pass(self.algebra, step, boards)
        edge, side = self.unsure + self.reach, self.transition.width
        for where in self.algebra.firings:
            for cell, formula in where.cells.items():
                row, column = divmod(cell, side)
                if all(edge <= index < side - edge for index in (row, column)):
                    self.algebra.require(negate(formula), Why(f"{step.name} is at rest"))


def transition_of(game: Game, planes: tuple[Piece, ...], program: tuple[Pass, ...], side: int) -> Transition:
    """These passes on a square board."""
    kinds = {kind.name: kind for kind in game.kinds}
    mine = [kinds[piece.kind] for piece in planes]
    exempt = frozenset(plane for plane, kind in enumerate(mine) if kind.merge or kind.marker)
    markers = frozenset(plane for plane, kind in enumerate(mine) if kind.marker)
    layers = tuple(kind.layer for kind in mine)
    return Transition(planes, layers, exempt, markers, program, (), side, side, False)
