"""What one cell can depend on: a window of free cells, wherever on a board of whatever size it may lie.

A cell after a pass depends on the firings that reach it, and these on what their rules look at; before a
sequence of passes it depends on the cells on which these depend, and so on back to the first pass. Around the
cell in the middle a window is laid that holds all of them, edge or no edge: how many of its rows and columns
lie outside the board is free too. Each board has a window around each of its cells, so what holds of the
middle of all windows holds of every cell of every board.

Rules that collide, or change nothing in a loop, are faults of a cell as well. Two programs do the same on
all boards if, in the middle of every window,

- neither has a fault in what the middle depends on, and they leave the same pieces there; or
- one has a fault in the middle, and so has the other somewhere in the window.

A fault of the one program on any board lies in the middle of some window, so the other program breaks off on
that board too. Where both run through, they agree on each cell. If it is no matter what the second does where
the first breaks off, a fault of the first in the middle asks nothing of the second: where the first runs
through, no window has a fault of it, so the second has none in any middle, and they agree.

On a board that wraps there are no edges: every size is gone through up to the one in which the window goes
round no more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from ggp.encoding.constraints import Clause, Encoding, Iff, Sum, Values
from ggp.encoding.fields import Field
from ggp.encoding.formula import Formula, Or, negate
from ggp.encoding.judging import true
from ggp.encoding.literals import Lit, Why
from ggp.encoding.symbolic import Formulas
from ggp.model import Game, Piece
from ggp.proof.equivalence.contexts import Context
from ggp.proof.equivalence.programs import Form, blank, forms_of, read_by
from ggp.transition.compiler import compile_instance
from ggp.transition.kernel import Boards, run_pass
from ggp.transition.program import CompiledRule, Offset, Pass, Transition

FindModel = Callable[..., Values | None]
"""Values that meet an encoding, None if there are none; with `clock=`, OutOfTime when that has run out."""
Passes = tuple[Pass, ...]


# --- what depends on what -------------------------------------------------------------------------------


def cone(steps: Iterable[Pass], cells: Iterable[Offset] = ((0, 0),)) -> list[set[Offset]]:
    """The cells on which some cells depend: before the first pass, after it, ..., after the last."""
    stages = [set(cells)]
    for step in reversed(tuple(steps)):
        ways = ways_of(step)
        stages.append({(row + y, column + x) for row, column in stages[-1] for y, x in ways} | stages[-1])
    return stages[::-1]


def ways_of(step: Pass) -> set[Offset]:
    """From a cell to those on which it depends in one pass."""
    found: set[Offset] = set()
    for _, rules in step.subjects:
        seen = {(0, 0)}
        for rule in rules:
            seen |= {term.offset for term in rule.terms} | {change.source for change in rule.changes}
        found |= {(y - row, x - column) for row, column in touched_by(rules) for y, x in seen}
    return found


def touched_by(rules: Iterable[CompiledRule]) -> set[Offset]:
    """From an anchor to the cells that rules for one subject may change, or be at fault in."""
    changes = [change for rule in rules for change in rule.changes]
    return {(0, 0)} | {offset for change in changes for offset in (change.source, change.target)}


# --- the algebra of a window ------------------------------------------------------------------------------


class Local(Formulas):
    """Formulas over the cells of a window, of which some lie outside the board; it notes faults by cell."""

    def __init__(self, encoding: Encoding, transition: Transition, board: dict[int, Formula]) -> None:
        super().__init__(encoding, transition)
        self.board = Field(self, board)
        self.faults: dict[int, list[Formula]] = {}
        self.anchors: dict[int | None, set[int]] = {}  # of each subject, where it matters what fires

    def fired(self, rule: CompiledRule, subject: int | None, where: Field) -> Field:
        anchors = self.anchors[subject]
        return super().fired(
            rule, subject, Field(self, {c: f for c, f in where.cells.items() if c in anchors})
        )

    def everywhere(self) -> Field:
        return self.board

    def demand(self, formula: Formula, why: Why) -> None:
        assert why.cell is not None
        cell = why.cell[0] * self.transition.width + why.cell[1]
        self.faults.setdefault(cell, []).append(negate(formula))


def either(algebra: Formulas, formulas: Iterable[Formula]) -> Formula:
    """One of them, as a single disjunction that is not simplified on the way, for there may be many."""
    lits: set[Lit] = set()
    for formula in formulas:
        if formula is True:
            return True
        if formula is not False:
            lits |= formula.lits if isinstance(formula, Or) else {algebra.literal(formula)}
    return Or(frozenset(lits)) if len(lits) > 1 else next(iter(lits), False)


@dataclass(frozen=True)
class Seen:
    """A window that a solver filled: the part of it that is on the board, and the sort of input."""

    rows: tuple[tuple[frozenset[Piece], ...], ...]
    form: Form


@dataclass(frozen=True)
class Run:
    """What a sequence of passes makes of a window: the boards, the faults in the middle, and all of them."""

    boards: Boards
    middle: Formula
    anywhere: Formula


class Window:
    """A window with free variables, in which two sequences of passes can be run.

    `offsets` are the cells that matter, from the middle; only pieces of `planes` matter. `size` is that of
    the board where it wraps.
    """

    def __init__(
        self,
        game: Game,
        transition: Transition,
        offsets: set[Offset],
        planes: set[int],
        context: Context,
        size: tuple[int, int] | None = None,
    ) -> None:
        above, left = (-min(offset[axis] for offset in offsets) for axis in (0, 1))
        below, right = (max(offset[axis] for offset in offsets) for axis in (0, 1))
        height, width = size or (above + below + 1, left + right + 1)
        self.middle = (0, 0) if size else (above, left)
        self.transition = replace(transition, height=height, width=width)
        self.offsets = offsets
        self.instance = blank(game, 1, 1)
        self.forms = forms_of(self.instance)
        self.encoding = Encoding(self.instance, 1)
        self.context = context
        self.form = self.encoding.new("input", (0,), tuple(range(len(self.forms))))
        self.on_board: dict[int, Lit | bool] = self.edges(size is None)
        self.algebra = Local(self.encoding, self.transition, dict(self.on_board))
        self.algebra.given = self.given
        self.boards: Boards = self.free(planes)
        self.restrict()

    def cell(self, offset: Offset) -> int:
        """The number of the cell at an offset from the middle."""
        row, column = self.middle[0] + offset[0], self.middle[1] + offset[1]
        return row % self.transition.height * self.transition.width + column % self.transition.width

    def edges(self, free: bool) -> dict[int, Lit | bool]:
        """Of each cell that matters, whether it is on the board: what lies beyond an edge is not."""
        cells = sorted({self.cell(offset) for offset in self.offsets})
        if not free:
            return dict.fromkeys(cells, True)
        lines = [self.line("row", self.transition.height, 0), self.line("column", self.transition.width, 1)]
        found: dict[int, Lit | bool] = {}
        for cell in cells:
            row, column = divmod(cell, self.transition.width)
            lits = tuple(sorted({lit for lit in (lines[0][row], lines[1][column]) if lit is not True}))
            if len(lits) < 2:
                found[cell] = lits[0] if lits else True
                continue
            lit = self.boolean("inside", row, column)
            self.encoding.add(Iff(lit, "and", lits, Why("inside")))
            found[cell] = lit
        return found

    def line(self, name: str, number: int, axis: int) -> list[Lit | bool]:
        """Of each row or column, whether it is on the board. If it is, so are those up to the middle."""
        lits: list[Lit | bool] = [True] * number
        middle = self.middle[axis]
        for index in (*range(middle), *range(middle + 1, number)):
            lits[index] = self.boolean(name, index)
        for index in range(number):
            nearer = lits[index + 1 if index < middle else index - 1] if index != middle else True
            if nearer is not True:
                self.encoding.add(Clause((-lits[index], nearer), Why("edge")))
        return lits

    def boolean(self, name: str, *index: int) -> Lit:
        """A new Boolean variable, as a literal."""
        return self.encoding.number(self.encoding.new(name, index, (0, 1)), 1)

    def free(self, planes: set[int]) -> Boards:
        """Boards of free variables. Of planes of a layer that exclude each other a cell has one or none."""
        cells: list[dict[int, Formula]] = [{} for _ in self.transition.planes]
        for layer, (hard, soft) in self.transition.shares.items():
            groups = [[p for p in hard if p in planes], *([p] for p in soft if p in planes)]
            for number, group in enumerate(groups):
                for cell in self.on_board if group else ():
                    variable = self.encoding.new(f"{layer}_{number}", (cell,), range(len(group) + 1))
                    none = self.encoding.atom(variable, 0)
                    if self.on_board[cell] is not True:
                        self.encoding.add(Clause((self.on_board[cell], none), Why("outside")))
                    for value, plane in enumerate(group, start=1):
                        cells[plane][cell] = self.encoding.number(variable, value)
            for one in groups[0]:
                for cell in self.on_board:
                    for (other,) in groups[1:]:
                        lits = (-self.literal(cells[one][cell]), -self.literal(cells[other][cell]))
                        self.encoding.add(Clause(lits, Why("a place of its own")))
        return tuple(Field(self.algebra, board) for board in cells)

    def literal(self, formula: Formula) -> Lit:
        """A formula that is a literal."""
        assert isinstance(formula, int)
        return formula

    def restrict(self) -> None:
        """Only boards of the context."""
        for a, b in sorted(self.context.apart):
            for cell in self.boards[a].cells.keys() & self.boards[b].cells.keys():
                lits = (-self.literal(self.boards[a].at(cell)), -self.literal(self.boards[b].at(cell)))
                self.encoding.add(Clause(lits, Why("never together")))
        for plane, form in sorted(self.context.absent):
            for formula in self.boards[plane].cells.values():
                lits = (-self.literal(formula), -self.encoding.number(self.form, form))
                self.encoding.add(Clause(lits, Why("not with this input")))
        for planes, most in self.context.few:
            every = [self.literal(f) for plane in planes for f in self.boards[plane].cells.values()]
            if len(every) > most:
                terms = tuple((1, lit) for lit in every)
                self.encoding.add(Sum(terms, "<=", most, Why("no more of them")))

    def given(self, words: tuple[str, ...]) -> Formula:
        """The formula that the input has these words."""
        fitting = [n for n, form in enumerate(self.forms) if form.words.issuperset(words)]
        if len(fitting) == len(self.forms):
            return True
        return either(self.algebra, [self.encoding.number(self.form, number) for number in fitting])

    def run(self, steps: Passes) -> Run:
        """Run passes one after another. What comes of the middle is right, of other cells it need not be."""
        boards, stages = self.boards, cone(steps)
        every: list[Formula] = []
        middle: list[Formula] = []
        here = self.cell((0, 0))
        for step, stage in zip(steps, stages[1:], strict=True):
            self.algebra.faults = {}
            self.algebra.anchors = {
                subject: {
                    self.cell((row - y, column - x)) for row, column in stage for y, x in touched_by(rules)
                }
                for subject, rules in step.subjects
            }
            boards = run_pass(self.algebra, step, boards)
            settled = {self.cell(offset) for offset in stage}
            every += [fault for cell in settled for fault in self.algebra.faults.get(cell, ())]
            middle += self.algebra.faults.get(here, ())
        return Run(boards, either(self.algebra, middle), either(self.algebra, every))

    def differ(self, one: Run, other: Run, unseen: Iterable[int], *, collisions: bool = True) -> Formula:
        """Do two runs differ, as the head of this file says it? Nobody looks at the planes in `unseen`.

        Without `collisions` it is no matter what the other does where the one breaks off.
        """
        algebra, here = self.algebra, self.cell((0, 0))
        unlike: list[Formula] = []
        for plane in set(range(len(one.boards))).difference(unseen):
            a, b = one.boards[plane].at(here), other.boards[plane].at(here)
            unlike += [algebra.conj(a, negate(b)), algebra.conj(negate(a), b)] if a != b else []
        sound = algebra.conj(negate(one.anywhere), negate(other.anywhere))
        return either(
            algebra,
            (
                algebra.conj(sound, either(algebra, unlike)),
                algebra.conj(one.middle, negate(other.anywhere)) if collisions else False,
                algebra.conj(other.middle, negate(one.anywhere)),
            ),
        )

    def seen(self, values: Values) -> Seen:
        """The window as a small board, with the input in it."""
        height, width = self.transition.height, self.transition.width

        def inside(row: int, column: int) -> bool:
            lit = self.on_board.get(row * width + column, True)
            return lit if isinstance(lit, bool) else true(self.encoding, lit, values)

        rows = [row for row in range(height) if inside(row, self.middle[1])]
        columns = [column for column in range(width) if inside(self.middle[0], column)]
        board = tuple(
            tuple(frozenset(self.standing(row * width + column, values)) for column in columns)
            for row in rows
        )
        return Seen(board, self.forms[values[self.form]])

    def standing(self, cell: int, values: Values) -> Iterator[Piece]:
        """The pieces on a cell."""
        for piece, board in zip(self.transition.planes, self.boards, strict=True):
            formula = board.at(cell)
            if formula is not False and true(self.encoding, self.literal(formula), values):
                yield piece


# --- questions ----------------------------------------------------------------------------------------------

Compile = Callable[[Game], Transition]
Choose = Callable[[Compile], tuple[Passes, ...]]
"""Picks the sequences of passes that a question is about from programs, which it has compiled."""


def windows(
    game: Game, choose: Choose, context: Context, more: Iterable[int] = ()
) -> Iterator[tuple[Window, tuple[Passes, ...]]]:
    """The windows that stand for all boards, each with the passes to be run in it; one, if nothing wraps.

    `more` are planes that matter beside those on which the passes depend.
    """
    flat = compiler(SIZE, SIZE, wraps=False)
    steps = choose(flat)
    offsets = {offset for sequence in steps for offset in cone(sequence)[0]}
    planes = {plane for sequence in steps for step in sequence for plane in read_by(flat(game), step)}
    planes.update(more)
    if not game.wraps:
        yield Window(game, flat(game), offsets, planes, context), steps
        return
    for height in range(1, span([row for row, _ in offsets]) + 1):
        for width in range(1, span([column for _, column in offsets]) + 1):
            small = compiler(height, width, wraps=True)
            cells = {(row, column) for row in range(height) for column in range(width)}
            yield Window(game, small(game), cells, planes, context, (height, width)), choose(small)


SIZE = 3  # of the board to compile for where the size makes no difference


def compiler(height: int, width: int, *, wraps: bool) -> Compile:
    """Compiles the rules of games for boards of one size."""
    return lambda game: compile_instance(blank(replace(game, wraps=wraps), height, width))


def span(numbers: list[int]) -> int:
    """How many rows or columns offsets reach over."""
    return max(numbers) - min(numbers) + 1


def difference(
    window: Window,
    one: Passes,
    other: Passes,
    unseen: Iterable[int],
    find_model: FindModel,
    *,
    collisions: bool = True,
) -> Seen | None:
    """A window in whose middle two sequences of passes differ; None if there is none.

    Without `collisions` it is no matter what the other does where the one breaks off.
    """
    unlike = window.differ(window.run(one), window.run(other), unseen, collisions=collisions)
    if unlike is False:
        return None
    window.algebra.require(unlike, Why("the two differ"))
    values = find_model(window.encoding)
    return None if values is None else window.seen(values)


@dataclass(frozen=True)
class Met:
    """Pairs of planes that share a cell after all, and planes that are there with an input after all."""

    pairs: set[tuple[int, int]]
    there: set[tuple[int, int]]


def meetings(window: Window, step: Pass, asked: Met, find_model: FindModel) -> Met:
    """Some of those asked for that can be in the middle after a pass; none if none of them ever is."""
    run = window.run((step,))
    algebra, here = window.algebra, window.cell((0, 0))
    sound = negate(run.anywhere)
    found: list[tuple[Lit, set[tuple[int, int]], tuple[int, int]]] = []
    met = Met(set(), set())
    for items, into, is_pair in ((asked.pairs, met.pairs, True), (asked.there, met.there, False)):
        for a, b in sorted(items):
            second = run.boards[b].at(here) if is_pair else window.encoding.number(window.form, b)
            formula = algebra.conj(algebra.conj(run.boards[a].at(here), second), sound)
            if not isinstance(formula, bool):
                found.append((algebra.literal(formula), into, (a, b)))
            elif formula:
                into.add((a, b))
    if found and not (met.pairs or met.there):
        window.encoding.add(Clause(tuple({lit for lit, _, _ in found}), Why("two pieces meet")))
        values = find_model(window.encoding)
        for lit, into, item in found if values is not None else ():
            if true(window.encoding, lit, values or {}):
                into.add(item)
    return met
