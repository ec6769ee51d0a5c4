"""Do two programs do the same, on every local context? A proof, or the smallest level on which they differ.

Both are evaluated over boards of free variables, of every size up to the one beyond which nothing can see
more, several movers included; a solver looks for a board and an input after which they differ. Contexts
that no run can lead to are left out: which pieces can share a cell is itself proved, by induction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

from ggp.algebras.bits import Bits
from ggp.algebras.symbolic import Field, Formula, Formulas, negate
from ggp.board import Action, State
from ggp.encoding import Clause, Encoding, Lit, Sum, Values, Why, true
from ggp.errors import IllFormed
from ggp.kernel import Boards, clear_markers, run_program
from ggp.model import Game, Instance, Level, Piece
from ggp.semantics import all_actions
from ggp.transition import Loop, Pass, Transition, compile_instance, input_words

FindModel = Callable[[Encoding], Values | None]
Size = tuple[int, int]  # rows and columns of a board
Step = Callable[[Formulas, Boards], Boards]
"""One turn over fields: a compiled program, or any other function of the boards."""


@dataclass(frozen=True)
class Counterexample:
    """A board and an input after which the two differ; None where one of them breaks off."""

    instance: Instance
    before: State
    action: Action | None
    described: State | None
    learned: State | None


@dataclass(frozen=True)
class Certificate:
    """The verdict: exact on every board of `sizes`, which stand for all boards; or a counterexample."""

    exact: bool
    sizes: tuple[Size, ...]
    apart: tuple[tuple[Piece, Piece], ...]  # pairs that never share a cell, proved by induction
    counterexample: Counterexample | None = None

    @property
    def text(self) -> str:
        """`exact` or `differs`, as the command line prints it."""
        return "exact" if self.exact else "differs"


def certify(described: Game, learned: Game, find_model: FindModel) -> Certificate:
    """Compare a learned game with the described one. `find_model` solves an encoding."""
    trial = compile_instance(blank(described, 3, 3))
    other = compile_instance(blank(learned, 3, 3))
    sizes = sizes_to_check(described, trial, other)
    apart = never_together(described, sizes[-1], find_model)
    for size in sizes:
        question = Question(described, compile_instance(blank(described, *size)), apart)
        second = program(compile_instance(blank(learned, *size)))
        found = question.difference(second, find_model)
        if found is not None:
            return Certificate(False, sizes, apart, question.counterexample(learned, found))
    return Certificate(True, sizes, apart)


def blank(game: Game, rows: int, columns: int) -> Instance:
    """An empty level of a size, to compile rules for."""
    numbers = tuple((name, 0) for name in ("budget",))
    board = tuple(tuple(frozenset[Piece]() for _ in range(columns)) for _ in range(rows))
    return Instance(game, Level("blank", board, 0, numbers))


def program(transition: Transition) -> Step:
    """One turn of a compiled program."""

    def step(algebra: Formulas, boards: Boards) -> Boards:
        return clear_markers(algebra, run_program(algebra, transition.turn + transition.physics, boards))

    return step


def sizes_to_check(game: Game, one: Transition, two: Transition) -> tuple[Size, ...]:
    """All sizes up to the one beyond which no cell depends on more.

    What becomes of a cell depends on subjects within reach, which look as far again: twice the radius each
    way. With a single subject on the board, what it sees is enough.
    """
    rows = max(one.radius[0], two.radius[0])
    columns = max(one.radius[1], two.radius[1])
    times = 2 if single_subject(game, one) and single_subject(game, two) else 4
    return tuple(
        (height, width) for height in range(1, times * rows + 2) for width in range(1, times * columns + 2)
    )


def single_subject(game: Game, transition: Transition) -> bool:
    """Is there only ever one piece that rules have as their subject?"""
    kinds = {kind.name: kind for kind in game.kinds}
    program = (*transition.turn, *transition.physics)
    subjects = {subject for step in program if isinstance(step, Pass) for subject, _ in step.subjects}
    if None in subjects or any(isinstance(step, Loop) for step in program):
        return False
    names = {transition.planes[s].kind for s in subjects if s is not None}
    alone = all((kinds[name].count or (0, None))[1] == 1 for name in names)
    return len(names) <= 1 and alone and all(conserved(transition, name) for name in names)


def conserved(transition: Transition, kind: str) -> bool:
    """Does no rule ever add a piece of the kind without taking one?"""
    return all(
        change.plane is not None and transition.planes[change.plane].kind == kind and change.sure
        for rule in transition.rules()
        for change in rule.changes
        if change.result is not None and transition.planes[change.result].kind == kind
    )


def never_together(
    game: Game, size: tuple[int, int], find_model: FindModel
) -> tuple[tuple[Piece, Piece], ...]:
    """The pairs of pieces that no run brings into one cell: proposed from the symbols, proved by induction.

    Those that a turn can bring together although no pair of the list stands together before are struck
    out, until none is left to strike (Houdini).
    """
    transition = compile_instance(blank(game, *size))
    together = set(starting_together(game, transition))
    apart = {pair for pair in combinations(range(len(transition.planes)), 2) if pair not in together}
    while True:
        pairs = tuple((transition.planes[a], transition.planes[b]) for a, b in sorted(apart))
        question = Question(game, transition, pairs)
        met = question.meeting(apart, find_model)
        if not met:
            return pairs
        apart -= met


def starting_together(game: Game, transition: Transition) -> Iterator[tuple[int, int]]:
    """The pairs of planes that a level's map or the design may put into one cell."""
    groups = [pieces for _, pieces in game.symbols]
    if game.design is not None:
        groups += [(*pieces, Piece(game.design.place)) for pieces in groups if may_hold(game, pieces)]
    for pieces in groups:
        numbers = sorted(transition.number[piece] for piece in pieces if piece in transition.number)
        yield from combinations(numbers, 2)


def may_hold(game: Game, pieces: tuple[Piece, ...]) -> bool:
    """May the design place something on a cell that holds these?"""
    from ggp.board import matches_any

    design = game.design
    return design is not None and not any(matches_any(game, piece, design.free_of) for piece in pieces)


class Lenient(Formulas):
    """An algebra that notes where rules collide instead of forbidding it."""

    def __init__(self, encoding: Encoding, transition: Transition) -> None:
        super().__init__(encoding, transition)
        self.faults: Formula = False

    def demand(self, formula: Formula, why: Why) -> None:
        self.faults = self.disj(self.faults, negate(formula))


class Question:
    """Boards of one size with free variables, and one turn of the described program on them."""

    def __init__(self, game: Game, transition: Transition, apart: tuple[tuple[Piece, Piece], ...]) -> None:
        self.game = game
        self.transition = transition
        self.instance = blank(game, transition.height, transition.width)
        self.encoding = Encoding(self.instance, 1)
        self.algebra = Formulas(self.encoding, transition)
        self.boards: Boards = tuple(self.free(piece) for piece in transition.planes)
        self.actions = dict(enumerate(all_actions(self.instance), start=1))
        self.variable = self.encoding.new("input", (0,), tuple(self.actions) or (0,))
        self.context(apart)
        self.algebra.given = self.given

    def free(self, piece: Piece) -> Field:
        """A board of free variables; markers are not there between turns."""
        cells = range(self.transition.height * self.transition.width)
        if self.transition.number[piece] in self.transition.markers:
            return self.algebra.zero
        return Field(
            self.algebra, {c: self.lit(self.encoding.new(str(piece), (c,), (0, 1)), 1) for c in cells}
        )

    def lit(self, variable: int, value: int) -> Lit:
        """The literal "variable = value"."""
        return self.encoding.number(variable, value)

    def given(self, words: tuple[str, ...]) -> Formula:
        """The formula that the input has these words."""
        if not words:
            return True
        lits = [
            self.lit(self.variable, v) for v, a in self.actions.items() if input_words(a).issuperset(words)
        ]
        return negate(self.algebra.every(-lit for lit in lits))

    def context(self, apart: tuple[tuple[Piece, Piece], ...]) -> None:
        """Only boards that may be: places are not shared, pairs stay apart, kinds keep their number."""
        number = self.transition.number
        pairs = {tuple(sorted((number[a], number[b]))) for a, b in apart}
        for hard, soft in self.transition.shares.values():
            pairs |= {tuple(sorted((a, b))) for a in hard for b in (*hard, *soft) if a != b}
        for a, b in sorted(pairs):
            for cell in self.boards[a].cells.keys() & self.boards[b].cells.keys():
                one, two = self.boards[a].at(cell), self.boards[b].at(cell)
                self.algebra.require(negate(self.algebra.conj(one, two)), Why("never together"))
        for kind in self.game.kinds:
            if kind.count is not None and kind.count[1] is not None and conserved(self.transition, kind.name):
                planes = [p for p, piece in enumerate(self.transition.planes) if piece.kind == kind.name]
                lits = [f for p in planes for f in self.boards[p].cells.values()]
                terms = tuple((1, lit) for lit in lits if isinstance(lit, int))
                self.encoding.add(Sum(terms, "<=", kind.count[1], Why(f"no more {kind.name}")))

    def difference(self, second: Step, find_model: FindModel) -> Values | None:
        """Values for a board and an input after which the second program differs, or collides."""
        after = program(self.transition)(self.algebra, self.boards)
        lenient = Lenient(self.encoding, self.transition)
        lenient.given = self.given
        other = second(lenient, self.boards)
        unlike = lenient.faults
        for a, b in zip(after, other, strict=True):
            unlike = lenient.disj(unlike, lenient.differ(a, b))
        self.algebra.require(unlike, Why("the two differ"))
        return find_model(self.encoding) if unlike is not False else None

    def meeting(self, apart: set[tuple[int, int]], find_model: FindModel) -> set[tuple[int, int]]:
        """Pairs of the set that stand together after a turn on some board; empty if there is none."""
        after = program(self.transition)(self.algebra, self.boards)
        met: dict[tuple[int, int], Lit] = {}
        for pair in sorted(apart):
            formula = self.algebra.some(after[pair[0]] & after[pair[1]])
            if not isinstance(formula, bool):
                met[pair] = self.algebra.literal(formula)
            elif formula:
                return {pair}
        if not met:
            return set()
        self.encoding.add(Clause(tuple(met.values()), Why("two pieces meet")))
        values = find_model(self.encoding)
        return {pair for pair, lit in met.items() if values is not None and true(self.encoding, lit, values)}

    def counterexample(self, learned: Game, values: Values) -> Counterexample:
        """The board, with what each program makes of it."""
        cells = range(self.transition.height * self.transition.width)
        board = tuple(frozenset(self.standing(cell, values)) for cell in cells)
        before, action = State(board), self.actions.get(values[self.variable])
        width = self.transition.width
        rows = tuple(board[start : start + width] for start in range(0, len(board), width))
        instance = Instance(self.game, Level("counterexample", rows, 1, (("budget", 0),)))
        one, two = (after(Instance(game, instance.level), before, action) for game in (self.game, learned))
        return Counterexample(instance, before, action, one, two)

    def standing(self, cell: int, values: Values) -> Iterator[Piece]:
        """The pieces on a cell."""
        for piece, board in zip(self.transition.planes, self.boards, strict=True):
            formula = board.at(cell)
            if isinstance(formula, bool):
                continue
            if isinstance(formula, int) and true(self.encoding, formula, values):
                yield piece


def after(instance: Instance, before: State, action: Action | None) -> State | None:
    """The state after one turn, None where rules collide."""
    bits = Bits(compile_instance(instance))
    try:
        words = input_words(action) if action is not None else None
        return bits.unpack(bits.step(bits.pack(before), words))
    except IllFormed:
        return None
