"""Boards of formulas: what a pass does with them, and what goal words ask of them.

A field has a formula for each cell; almost all of them are constants, and only the others are stored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from functools import cache, lru_cache, partial
from itertools import chain, combinations

from ggp.encoding.clashes import has_room
from ggp.encoding.connectives import Connectives
from ggp.encoding.constraints import Claim, Encoding
from ggp.encoding.formula import Formula, negate
from ggp.encoding.literals import Why
from ggp.model import Cell
from ggp.transition.kernel import Boards, Company, run_program
from ggp.transition.program import CompiledRule, Loop, Offset, Pass, Program, Transition


class Field:
    """A formula for each cell: those in `cells` by cell number, all others the constant `rest`."""

    __slots__ = ("algebra", "cells", "rest")

    def __init__(self, algebra: Connectives, cells: dict[int, Formula], rest: bool = False) -> None:
        self.algebra = algebra
        self.cells = {cell: formula for cell, formula in cells.items() if formula is not rest}
        self.rest = rest

    def at(self, cell: int) -> Formula:
        """The formula of a cell."""
        return self.cells.get(cell, self.rest)

    def spelt_out(self, size: int) -> list[Formula]:
        """The formula of each of so many cells."""
        found: list[Formula] = [self.rest] * size
        for cell, formula in self.cells.items():
            found[cell] = formula
        return found

    def __and__(self, other: Field) -> Field:
        conj = self.algebra.conj
        if self.rest and other.rest:
            keys: Iterable[int] = self.cells.keys() | other.cells.keys()
        elif self.rest or (not other.rest and len(other.cells) < len(self.cells)):
            keys = other.cells
        else:
            keys = self.cells
        return Field(self.algebra, {c: conj(self.at(c), other.at(c)) for c in keys}, self.rest and other.rest)

    def __or__(self, other: Field) -> Field:
        if not self.cells and not self.rest:
            return other
        if not other.cells and not other.rest:
            return self
        self.algebra.tick()  # what is shared already makes no new part: unions of many rules would go unheard
        disj = self.algebra.disj
        keys = self.cells.keys() | other.cells.keys()
        return Field(self.algebra, {c: disj(self.at(c), other.at(c)) for c in keys}, self.rest or other.rest)

    def __invert__(self) -> Field:
        return Field(self.algebra, {c: negate(f) for c, f in self.cells.items()}, not self.rest)


class Fields(Connectives):
    """The algebra of fields. Set `turn` and `given` before each turn.

    `given(words)` is the formula that says the turn is played with an input that has these words.
    """

    def __init__(
        self, encoding: Encoding, transition: Transition, tick: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__(encoding, transition.width, tick)
        self.transition = transition
        self.zero = Field(self, {})
        self.given: Callable[[tuple[str, ...]], Formula] = lambda words: not words
        self.moves: list[tuple[int, Formula]] = []
        self.scores: list[tuple[int, Formula]] = []  # what a firing is worth, and that it is
        self.resting = False  # does nothing change any more, in the last round of a loop?
        self.way = cache(partial(way, (transition.height, transition.width), transition.wraps))
        self.inside = cache(lambda offset: self.shift(self.everywhere(), offset))
        self.room = cache(
            lambda rule, layer: layer in transition.shares and has_room(transition, rule, layer)
        )

    # --- what the kernel asks

    def everywhere(self) -> Field:
        return Field(self, {}, True)

    def empty(self, board: Field) -> bool:
        return not board.cells and not board.rest

    def shift(self, board: Field, offset: Offset) -> Field:
        way = self.way(offset)
        if board.rest:
            cells = {cell: board.at(to) if to >= 0 else False for cell, to in enumerate(way)}
            return Field(self, cells, True)
        back = self.way((-offset[0], -offset[1]))
        return Field(self, {back[cell]: f for cell, f in board.cells.items() if back[cell] >= 0})

    def choose(self, fields: list[tuple[Formula, Field]]) -> Field:
        """The field that is each of these where its formula holds; of the formulas one does."""
        rest = {field.rest for _, field in fields}
        assert len(rest) == 1, "boards of a turn have the same rest"
        if all(field is fields[0][1] for _, field in fields):
            return fields[0][1]
        cells = {}
        for cell in dict.fromkeys(cell for _, field in fields for cell in field.cells):
            when: dict[Formula, Formula] = {}
            for chosen, field in fields:
                formula = field.at(cell)
                when[formula] = self.disj(when.get(formula, False), chosen)
            total: Formula = False
            for formula, chosen in when.items():
                total = self.disj(total, formula if len(when) == 1 else self.conj(chosen, formula))
            cells[cell] = total
        return Field(self, cells, rest.pop())

    def tally(self, where: Field, boards: list[Field], low: int, high: int) -> Field:
        cells = range(self.transition.height * self.transition.width) if where.rest else sorted(where.cells)
        found = {}
        for cell in cells:
            held = [board.at(cell) for board in boards]
            sure = sum(formula is True for formula in held)
            lits = [self.literal(formula) for formula in held if not isinstance(formula, bool)]
            enough, more = self.at_least(lits, low - sure), self.at_least(lits, high + 1 - sure)
            found[cell] = self.conj(where.at(cell), self.conj(enough, negate(more)))
        return Field(self, found)

    def input(self, words: tuple[str, ...]) -> Field | None:
        formula = self.given(words)
        if formula is True:
            return None
        return Field(self, dict.fromkeys(range(self.transition.height * self.transition.width), formula))

    def fired(self, rule: CompiledRule, subject: int | None, where: Field) -> Field:
        name = rule.name if rule.direction is None else f"{rule.name}_{rule.direction}"
        # Spelt out where it holds nearly everywhere, so that what comes of it can be gone through by cell.
        cells = range(self.transition.height * self.transition.width) if where.rest else where.cells
        slim = self.slim if rule.inputs else lambda formula: formula
        found = {cell: where.at(cell) for cell in cells}
        can = {cell: slim(formula) for cell, formula in found.items() if self.possible(formula)}
        if rule.cut is not None:
            can = self.within(rule, rule.cut.at_rest if self.resting else rule.cut.cells, can)
        firing = self.named(name, Field(self, can))
        if rule.score:
            self.scores += [(rule.score, formula) for formula in self.happening(firing)]
        return firing

    def within(self, rule: CompiledRule, allowed: Set[int], firing: dict[int, Formula]) -> dict[int, Formula]:
        """The firings of a rule at the cells where it may; at others it does not fire."""
        for cell, formula in firing.items():
            if cell not in allowed:
                self.demand(negate(formula), self.why(f"{rule.name} does not fire", cell))
        return {cell: formula for cell, formula in firing.items() if cell in allowed}

    def moved(self, plane: int, where: Field) -> None:
        self.moves += [(plane, formula) for formula in self.happening(where)]

    def happening(self, where: Field) -> Iterator[Formula]:
        """The formulas of a field, as what happens while the run is not over."""
        # With inputs nothing fires any more when the run is over; without them it just is not counted.
        over = self.unless if self.given(()) is True else False
        for cell in sorted(where.cells):
            yield negate(self.always(negate(where.cells[cell]), over))

    def settle(self, plane: int, board: Field) -> Field:
        piece = self.transition.planes[plane]
        name = piece.kind if piece.variant is None else f"{piece.kind}_{piece.variant}"
        return self.named(name, board)

    def named(self, name: str, board: Field) -> Field:
        """The same field with a variable for each formula that is more than a literal."""
        if all(isinstance(formula, int) for formula in board.cells.values()):
            return board
        cells: dict[int, Formula] = {}
        for cell in sorted(board.cells):
            formula = board.cells[cell]
            cells[cell] = formula if isinstance(formula, bool) else self.literal(formula, name, cell)
        return Field(self, cells, board.rest)

    def claim(self, turn: int, boards: Boards) -> None:
        """Note what the encoding says stands where after a turn, for debugging."""
        size = self.transition.height * self.transition.width
        pieces = {
            piece: self.named(str(piece), board).spelt_out(size)
            for piece, board in zip(self.transition.planes, boards, strict=True)
        }
        self.encoding.claims.append(Claim(turn, pieces))  # type: ignore[arg-type]

    def exclude(self, what: str, step: Pass, companies: list[Company]) -> None:
        boards = [(number, *one) for number, company in enumerate(companies) for one in company]
        there: dict[int, list[int]] = {}
        for index, (_, _, board) in enumerate(boards):
            for cell in board.cells:
                there.setdefault(cell, []).append(index)
        met = chain.from_iterable(self.meetings(what, boards, cell, some) for cell, some in there.items())
        for a, b, cell in sorted(met):
            (_, rule, board), (_, other, second) = boards[a], boards[b]
            names = [each.name if each is not None else "what stays there" for each in (rule, other)]
            text = f"{names[0]} does not collide with {names[1]} over {what}"
            both = self.conj(board.cells[cell], second.cells[cell])
            self.demand(negate(both), self.why(text, cell, step))

    def meetings(
        self, what: str, boards: list[tuple[int, CompiledRule | None, Field]], cell: int, present: list[int]
    ) -> Iterator[tuple[int, int, int]]:
        """The pairs of boards of different companies that may both be true of a cell, with that cell."""
        told = cache(lambda number: self.told(boards[number][2].cells[cell]))
        for a, b in combinations(present, 2):
            (one, rule, _), (two, other, _) = boards[a], boards[b]
            apart = one == two or (rule is not None and other is None and self.room(rule, what))
            if not apart and not self.clash(told(a), told(b)):
                yield a, b, cell

    def why(self, text: str, cell: int | None, step: Pass | Loop | None = None) -> Why:
        """A reason in the present turn."""
        at: Cell | None = divmod(cell, self.transition.width) if cell is not None else None
        return Why(text, self.turn, at, step.place if step is not None else None)

    def idle(self, step: Pass, rule: CompiledRule, where: Field) -> None:
        for cell, formula in sorted(where.cells.items()):
            text = f"{rule.name} changes nothing, which a loop forbids"
            self.demand(negate(formula), self.why(text, cell, step))

    def loop(self, loop: Loop, boards: Boards) -> Boards:
        before, resting = boards, self.resting
        for number in range(loop.bound + 1):
            before = boards
            self.resting = resting or (loop.cut > 0 and number == loop.bound)
            boards = self.run(loop.body, boards)
            self.resting = resting
            if all(self.same(a, b) for a, b in zip(before, boards, strict=True)):
                return boards
        # The last copy must have changed nothing; a run that needs more passes is cut off here.
        text = f"{loop.name or 'the loop'} comes to rest within {loop.bound} passes"
        if text not in self.encoding.limits:
            self.encoding.limits.append(text)
        for a, b in zip(before, boards, strict=True):
            for cell in sorted(a.cells.keys() | b.cells.keys()):
                one, two = a.at(cell), b.at(cell)
                self.demand(self.disj(negate(one), two), self.why(text, cell, loop))
                self.demand(self.disj(one, negate(two)), self.why(text, cell, loop))
        return before

    def same(self, a: Field, b: Field) -> bool:
        """Are the two plainly the same?"""
        return a is b or (a.rest == b.rest and a.cells == b.cells)

    def run(self, program: Program, boards: Boards) -> Boards:
        """The boards after a program."""
        return run_program(self, program, boards)

    # --- what goal words ask

    def cells(self, region: Iterable[Cell]) -> Field:
        """The field that is true on these cells."""
        width = self.transition.width
        return Field(self, {row * width + column: True for row, column in region})

    def differ(self, a: Field, b: Field) -> Formula:
        """Is some cell of the two different?"""
        total: Formula = False
        for cell in sorted(a.cells.keys() | b.cells.keys()):
            one, two = a.at(cell), b.at(cell)
            if one is not two and one != two:
                for difference in (self.conj(one, negate(two)), self.conj(negate(one), two)):
                    total = self.disj(total, difference)
        return total

    def none(self, board: Field) -> Formula:
        """No cell is true."""
        return self.every([negate(f) for _, f in sorted(board.cells.items())])

    def some(self, board: Field) -> Formula:
        """Some cell is true."""
        return negate(self.none(board))

    def count(self, boards: list[Field], comparison: str, number: int) -> Formula:
        """Compare the number of true cells of all the boards with a number."""
        formulas = [f for board in boards for _, f in sorted(board.cells.items())]
        number -= sum(f is True for f in formulas)
        lits = [self.literal(f) for f in formulas if not isinstance(f, bool)]
        if comparison == "=":
            return self.conj(self.at_least(lits, number), negate(self.at_least(lits, number + 1)))
        if comparison == "<=":
            return negate(self.at_least(lits, number + 1))
        return self.at_least(lits, number)


@lru_cache(maxsize=64)
def way(size: tuple[int, int], wraps: bool, offset: Offset) -> list[int]:
    """For each cell of a board of so many rows and columns the number of that at `offset`; -1 outside."""

    def along(size: int, by: int) -> list[int]:
        """Where one gets to from each place of a line."""
        there = range(by, by + size)
        return [at % size if wraps else at if 0 <= at < size else -1 for at in there]

    rows, columns = along(size[0], offset[0]), along(size[1], offset[1])
    width = size[1]
    return [row * width + column if row >= 0 and column >= 0 else -1 for row in rows for column in columns]
