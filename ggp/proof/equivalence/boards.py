"""Whole boards of one size with free variables, and one turn of two programs on them.

This holds for boards of that size and no others; it is asked where loops leave nothing else, and to find an
example of what a window says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import combinations

from ggp.encoding.constraints import Clause, Encoding, Sum, Values
from ggp.encoding.fields import Field
from ggp.encoding.formula import Formula, negate
from ggp.encoding.judging import true
from ggp.encoding.literals import Lit, Why
from ggp.encoding.symbolic import Formulas
from ggp.model import Game, Piece
from ggp.proof.equivalence.attack import Moment
from ggp.proof.equivalence.contexts import Context, Planes, most_at_first, planes_of, starting_together
from ggp.proof.equivalence.programs import blank, forms_of, program_of
from ggp.proof.equivalence.windows import FindModel, either
from ggp.transition.compiler import compile_instance
from ggp.transition.kernel import Boards, clear_markers, run_program
from ggp.transition.program import Transition

Step = Callable[[Formulas, Boards], Boards]
"""One turn over fields: a compiled program, or any other function of the boards."""


def turn_of(game: Game, transition: Transition) -> Step:
    """One turn of a compiled program."""

    def step(algebra: Formulas, boards: Boards) -> Boards:
        return clear_markers(algebra, run_program(algebra, program_of(game, transition), boards))

    return step


class Lenient(Formulas):
    """An algebra that notes where rules collide instead of forbidding it."""

    def __init__(self, encoding: Encoding, transition: Transition) -> None:
        super().__init__(encoding, transition)
        self.faults: list[Formula] = []

    def demand(self, formula: Formula, why: Why) -> None:
        self.faults.append(negate(formula))


def with_numbers_kept(
    game: Game, rows: int, columns: int, context: Context, find_model: FindModel
) -> Context:
    """The context of boards of one size, with the numbers that no turn on such a board exceeds.

    Of a kind no level holds more than its `count`. That a rule adds one and another rule of the same turn
    takes one no single rule tells: who enters a teleport goes, and comes out of the other end.
    """
    transition = compile_instance(blank(game, rows, columns))
    known = {planes for planes, _ in context.few}
    few = ((planes_of(transition, kind.name), most_at_first(game, kind)) for kind in game.kinds)
    hoped = [(planes, most) for planes, most in few if most is not None and planes not in known]
    while hoped:
        wider = replace(context, few=(*context.few, *hoped))
        kept = [
            (planes, most)
            for planes, most in hoped
            if not Question(game, rows, columns, wider).exceeded(planes, most, find_model)
        ]
        if kept == hoped:
            return wider
        hoped = kept
    return context


def with_pairs_kept(game: Game, rows: int, columns: int, context: Context, find_model: FindModel) -> Context:
    """The context of boards of one size, with the pairs of pieces that no turn brings together there.

    They share no cell before the first turn, and no turn from boards on which all of them are apart ends with
    one of them together. What can be otherwise is struck out until the rest follows from itself.
    """
    transition = compile_instance(blank(game, rows, columns))
    planes = [plane for plane in range(len(transition.planes)) if plane not in transition.markers]
    hoped = set(combinations(planes, 2)) - set(starting_together(game, transition))
    while hoped:
        wider = replace(context, apart=context.apart | hoped)
        met = Question(game, rows, columns, wider).met(hoped, find_model)
        if not met:
            return wider
        hoped -= met
    return context


class Question:
    """Boards of one size with free variables, on which the described game and another are run for a turn."""

    def __init__(self, game: Game, rows: int, columns: int, context: Context) -> None:
        self.game = game
        self.instance = blank(game, rows, columns)
        self.transition = compile_instance(self.instance)
        self.encoding = Encoding(self.instance, 1)
        self.algebra = Lenient(self.encoding, self.transition)
        self.algebra.given = self.given
        self.forms = forms_of(self.instance)
        self.form = self.encoding.new("input", (0,), range(len(self.forms)))
        self.picked = self.encoding.new("picked", (0,), range(rows * columns))
        self.boards: Boards = tuple(self.free(piece) for piece in self.transition.planes)
        self.restrict(context)

    def free(self, piece: Piece) -> Field:
        """A board of free variables; of markers there is only the one of a pick."""
        cells = range(self.transition.height * self.transition.width)
        if self.transition.number[piece] not in self.transition.markers:
            new = {cell: self.encoding.new(str(piece), (cell,), (0, 1)) for cell in cells}
            return Field(self.algebra, {cell: self.lit(number, 1) for cell, number in new.items()})
        for number, form in enumerate(self.forms):
            if form.marker == piece:
                chosen = self.lit(self.form, number)
                here = ((cell, self.algebra.conj(chosen, self.lit(self.picked, cell))) for cell in cells)
                return self.algebra.named(f"pick_{piece.variant}", Field(self.algebra, dict(here)))
        return self.algebra.zero

    def lit(self, variable: int, value: int) -> Lit:
        """The literal "variable = value"."""
        return self.encoding.number(variable, value)

    def given(self, words: tuple[str, ...]) -> Formula:
        """The formula that the input has these words."""
        fitting = [n for n, form in enumerate(self.forms) if form.words.issuperset(words)]
        if len(fitting) == len(self.forms):
            return True
        return either(self.algebra, [self.lit(self.form, number) for number in fitting])

    def restrict(self, context: Context) -> None:
        """Only boards that may be: places are not shared, pairs stay apart, kinds keep their number."""
        pairs = set(context.apart)
        for hard, soft in self.transition.shares.values():
            pairs |= {(min(a, b), max(a, b)) for a in hard for b in (*hard, *soft) if a != b}
        for a, b in sorted(pairs):
            for cell in self.boards[a].cells.keys() & self.boards[b].cells.keys():
                lits = (-self.literal(a, cell), -self.literal(b, cell))
                self.encoding.add(Clause(lits, Why("never together")))
        for planes, most in context.few:
            if self.transition.markers.isdisjoint(planes):
                terms = tuple((1, self.literal(p, cell)) for p in planes for cell in self.boards[p].cells)
                self.encoding.add(Sum(terms, "<=", most, Why("no more of them")))

    def literal(self, plane: int, cell: int) -> Lit:
        """The literal of a piece on a cell."""
        formula = self.boards[plane].at(cell)
        assert isinstance(formula, int)
        return formula

    def run(self, turn: Step) -> tuple[Boards, Formula]:
        """The boards after a turn, and where there are faults."""
        self.algebra.faults = []
        return turn(self.algebra, self.boards), either(self.algebra, self.algebra.faults)

    def difference(self, other: Step, find_model: FindModel, *, collisions: bool = True) -> Moment | None:
        """A board and an input after which another turn differs; None if there is none.

        Without `collisions` none is looked for where rules of the described game collide.
        """
        algebra = self.algebra
        (one, fault), (two, second) = self.run(turn_of(self.game, self.transition)), self.run(other)
        pieces = either(algebra, self.unlike(one, two))
        sound = algebra.conj(negate(fault), negate(second))
        alone = [algebra.conj(second, negate(fault))]
        alone += [algebra.conj(fault, negate(second))] if collisions else []
        unlike = either(algebra, (algebra.conj(pieces, sound), *alone))
        if unlike is False:
            return None
        algebra.require(unlike, Why("the two differ"))
        values = find_model(self.encoding)
        return None if values is None else self.moment(values)

    def exceeded(self, planes: Planes, most: int, find_model: FindModel) -> bool:
        """Can a turn of the described game leave more than so many pieces on some planes?"""
        boards, fault = self.run(turn_of(self.game, self.transition))
        self.algebra.require(negate(fault), Why("the turn comes to its end"))
        after = [self.algebra.named("after", boards[plane]) for plane in planes]
        there = [field.at(cell) for field in after for cell in sorted(field.cells)]
        lits = tuple((1, lit) for lit in there if isinstance(lit, int) and not isinstance(lit, bool))
        sure = sum(lit is True for lit in there)
        self.encoding.add(Sum(lits, ">=", most + 1 - sure, Why("more of them")))
        return find_model(self.encoding) is not None

    def met(self, pairs: Iterable[tuple[int, int]], find_model: FindModel) -> set[tuple[int, int]]:
        """Pairs of planes that a turn of the described game may leave on one cell; empty if there is none."""
        boards, fault = self.run(turn_of(self.game, self.transition))
        self.algebra.require(negate(fault), Why("the turn comes to its end"))
        after = [self.algebra.named("after", board) for board in boards]
        together = {pair: self.together(*(after[plane] for plane in pair)) for pair in sorted(pairs)}
        anything = either(self.algebra, together.values())
        if anything is True:
            return {pair for pair, formula in together.items() if formula is True}
        if anything is False:
            return set()
        self.algebra.require(anything, Why("two are together"))
        values = find_model(self.encoding)
        lits = ((pair, lit) for pair, lit in together.items() if lit is not False)
        return set() if values is None else {pair for pair, lit in lits if true(self.encoding, lit, values)}

    def together(self, one: Field, other: Field) -> Lit | bool:
        """Do two pieces share a cell anywhere?"""
        cells = sorted(one.cells.keys() & other.cells.keys())
        here = either(self.algebra, (self.algebra.conj(one.at(cell), other.at(cell)) for cell in cells))
        return here if isinstance(here, bool) else self.algebra.literal(here)

    def unlike(self, one: Boards, two: Boards) -> Iterator[Formula]:
        """What must hold for two boards to differ, cell by cell."""
        for a, b in zip(one, two, strict=True):
            for cell in sorted(a.cells.keys() | b.cells.keys()):
                first, second = a.at(cell), b.at(cell)
                if first != second:
                    yield self.algebra.conj(first, negate(second))
                    yield self.algebra.conj(negate(first), second)

    def moment(self, values: Values) -> Moment:
        """The board and the input that a solver found."""
        height, width = self.transition.height, self.transition.width
        rows = tuple(
            tuple(frozenset(self.standing(row * width + column, values)) for column in range(width))
            for row in range(height)
        )
        form = self.forms[values[self.form]]
        action = form.action
        if form.marker is not None and action is not None:
            action = action._replace(cell=divmod(values[self.picked], width))
        return Moment(rows, height * width, action)

    def standing(self, cell: int, values: Values) -> Iterator[Piece]:
        """The pieces on a cell before the input."""
        for plane, piece in enumerate(self.transition.planes):
            if plane not in self.transition.markers and true(
                self.encoding, self.literal(plane, cell), values
            ):
                yield piece
