"""Formulas instead of bits: evaluating a pass in this algebra writes an encoding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import chain, combinations

from ggp.encoding import cases
from ggp.encoding.cases import Cases, Table
from ggp.encoding.clashes import NOTHING, Choices, Facts, Known, has_room
from ggp.encoding.constraints import Claim, Clause, Encoding, Iff, Sum
from ggp.encoding.formula import And, Field, Formula, Or, negate
from ggp.encoding.literals import Lit, Why
from ggp.encoding.sliding import Slide, slid, slide_of
from ggp.encoding.spreading import Spread, Steps, Way, with_spreads
from ggp.model import Cell
from ggp.transition.kernel import Boards, Company, run_program
from ggp.transition.program import CompiledRule, Loop, Offset, Pass, Program, Transition

FEW = 8  # literals of a conjunction that are looked at one by one


class Formulas:
    """The algebra of fields over an encoding that grows. Set `turn` and `given` before each turn.

    `given(words)` is the formula that says the turn is played with an input that has these words.
    """

    def __init__(
        self, encoding: Encoding, transition: Transition, tick: Callable[[], None] = lambda: None
    ) -> None:
        self.encoding = encoding
        self.transition = transition
        self.tick = tick  # called now and then; it may raise, which is how a time limit gets in
        self.zero = Field(self, {})
        self.turn = 0
        self.unless: Formula = False  # where this holds the run is over, and nothing is asked any more
        self.given: Callable[[tuple[str, ...]], Formula] = lambda words: not words
        self.moves: list[tuple[int, Formula]] = []
        self.definitions: dict[frozenset[Lit], Lit] = {}
        self.enough: dict[tuple[frozenset[tuple[Lit, int]], int], Lit] = {}  # what says that so many hold
        self.programs: dict[int, tuple[Program, Steps]] = {}
        self.ways: dict[Way, bool] = {}
        self.made: dict[frozenset[Lit], Formula] = {}  # conjunctions of this turn
        self.slides = False  # are boards those of a run, so that slides can be told as such?
        self.cases: Cases | None = None  # all that can come to pass in this turn, where that is little
        self.whole: Cases | None = None  # the same, where those of one input are looked at by themselves
        self.carried: list[Lit] = []  # the atoms that tell boards before a turn apart
        self.parts: dict[Lit, frozenset[Lit]] = {}
        self.known = Known(encoding, self.parts)
        self.choices = Choices(encoding)
        self.way = cache(self._way)
        self.inside = cache(lambda offset: self.shift(self.everywhere(), offset))
        self.room = cache(
            lambda rule, layer: layer in transition.shares and has_room(transition, rule, layer)
        )

    def begin(self, turn: int, unless: Formula) -> None:
        """What comes now is of this turn."""
        self.turn, self.unless = turn, unless
        self.known.begin()
        self.made = {}

    def carry(self, formulas: Iterable[Formula]) -> None:
        """These, of boards before this turn and of how the run stands, are all that tells cases apart."""
        self.carried = []
        for formula in formulas:
            if isinstance(formula, And | Or):
                self.cases = None
            elif not isinstance(formula, bool):
                self.carried.append(abs(formula))

    def branch(self, over: Formula, none: Lit, inputs: Sequence[Lit]) -> None:
        """The turn is played with one of these inputs (atoms), or with none where the run is over."""
        if self.cases is not None:
            assert not isinstance(over, And | Or), "that the run is over has a name"
            self.cases = cases.after(self.cases, self.carried, over, none, inputs)

    # --- formulas

    def conj(self, a: Formula, b: Formula) -> Formula:
        """Both."""
        if a is False or b is False:
            return False
        if a is True:
            return b
        if b is True or a == b:
            return a
        if self.cases is not None:
            found = self.alike(self.table(a), self.table(b))
            if found is not None:
                return found
        return self.all_of(self.conjuncts(a) | self.conjuncts(b))

    def all_of(self, lits: frozenset[Lit]) -> Formula:
        """All of these literals, of which there is one at least."""
        made = self.made.get(lits)  # passes that are repeated ask for the same again and again
        if made is None:
            made = self.made[lits] = self.conjunction(lits)
        return made

    def conjunction(self, lits: frozenset[Lit]) -> Formula:
        """The same, worked out."""
        if self.cases is not None:
            table = self.cases.both(lits)
            if table is not None:
                found = self.cases.alike(table)
                return found if found is not None else And(lits) if len(lits) > 1 else next(iter(lits))
        if not self.choices.known.keys().isdisjoint(lits):
            left = self.choices.narrow(lits)
            if left is None:
                return False
            lits = left[0] | {self.literal(Or(one)) if len(one) > 1 else min(one) for one in left[1]}
        if len(lits) <= FEW:
            reduced = self.known.reduced(lits)
            if reduced is None:
                return False
            lits = reduced
        denied = [-lit for lit in lits]
        if not lits.isdisjoint(denied) or self.excluded(lits, denied):
            return False
        return And(lits) if len(lits) > 1 else next(iter(lits))

    def excluded(self, lits: frozenset[Lit], denied: Iterable[Lit]) -> bool:
        """Do some of the literals make up what another one says does not hold?"""
        parts = self.parts
        return any([parts[lit] <= lits for lit in denied if lit in parts])

    def disj(self, a: Formula, b: Formula) -> Formula:
        """One of the two."""
        if a is True or b is True:
            return True
        if a is False:
            return b
        if b is False or a == b:
            return a
        if self.cases is not None:
            found = self.alike(self.table(negate(a)), self.table(negate(b)))
            if found is not None:
                return -found if found.__class__ is int else not found
        return negate(self.all_of(self.conjuncts(negate(a)) | self.conjuncts(negate(b))))

    def table(self, formula: Formula) -> Table | None:
        """The cases in which a formula holds; None where it is not known."""
        if self.cases is None:
            return None
        if isinstance(formula, bool):
            return self.cases.full if formula else 0
        if isinstance(formula, Or):
            table = self.cases.both(negate(formula).lits)  # type: ignore[union-attr]
            return None if table is None else self.cases.full ^ table
        return self.cases.both((formula,) if isinstance(formula, int) else formula.lits)

    def alike(self, one: Table | None, other: Table | None) -> bool | Lit | None:
        """A constant or literal that is the same as both tables hold; None where none is known."""
        if self.cases is None or one is None or other is None:
            return None
        return self.cases.alike(one & other)

    @contextmanager
    def only(self, chosen: Formula) -> Iterator[None]:
        """Look at the cases alone in which this holds: of boards that are made here, no others count."""
        table = self.table(chosen)
        if self.cases is None or table is None:
            yield
            return
        made, self.whole = self.made, self.cases
        self.cases, self.made = self.cases.within(table), {}
        try:
            yield
        finally:
            self.cases, self.whole, self.made = None if self.cases is None else self.whole, None, made

    def always(self, formula: Formula, unless: Formula) -> Formula:
        """The one or the other, for cases that are not looked at now as well."""
        if self.whole is None:
            return self.disj(formula, unless)
        here, made = self.cases, self.made
        self.cases, self.made = self.whole, {}
        total = self.disj(formula, unless)
        self.cases, self.made = here, made
        return total

    def conjuncts(self, formula: Formula) -> frozenset[Lit]:
        """The literals of a conjunction; a disjunction gets a name first."""
        if isinstance(formula, And):
            return formula.lits
        return frozenset({self.literal(formula)})

    def literal(self, formula: And | Or | Lit, name: str = "", cell: int | None = None) -> Lit:
        """A literal for a formula that is not a constant: a new variable defined as it, if need be."""
        if isinstance(formula, int):
            return formula
        key = formula.lits if isinstance(formula, And) else frozenset(-lit for lit in formula.lits)
        sign = 1 if isinstance(formula, And) else -1
        if self.cases is not None:
            return sign * self.case_literal(key, sign, name, cell)
        return sign * self.defined(key, sign, name, cell)

    def case_literal(self, key: frozenset[Lit], sign: int, name: str, cell: int | None) -> Lit:
        """The same as one that is alike in all cases, or as one of fewer parts."""
        assert self.cases is not None
        table = self.cases.both(key)
        found = None if table is None else self.cases.alike(table)
        if found is not None and not isinstance(found, bool):
            return found
        if table is not None:
            key = self.cases.needed(key)
            if len(key) == 1:
                return next(iter(key))
        lit = self.defined(key, sign, name, cell)
        table = self.cases.both(key)
        if table is not None:
            self.cases.note(lit, table)
            if self.cases.crowded:
                self.cases = None
        return lit

    def defined(self, key: frozenset[Lit], sign: int, name: str, cell: int | None) -> Lit:
        """What is defined as a conjunction, or (`sign` below zero) as the opposite of a disjunction."""
        if key not in self.definitions:
            where = None if cell is None else divmod(cell, self.transition.width)
            index = (self.turn, *(where or ())) if name else (len(self.encoding.variables),)
            lit = self.encoding.number(self.encoding.new(name or "aux", index, (0, 1)), 1)
            why = Why(name or "a shared part", self.turn, where)
            lits = key if sign > 0 else [-part for part in key]
            self.encoding.add(Iff(lit, "and" if sign > 0 else "or", tuple(sorted(lits)), why))
            self.definitions[key] = sign * lit
            self.parts[sign * lit] = key
            if sign < 0:
                self.choices.note(lit, frozenset(lits))
            if lit % 1024 == 0:
                self.tick()
        return self.definitions[key]

    def require(self, formula: Formula, why: Why) -> None:
        """Make a formula hold."""
        if formula is True:
            return
        table = self.table(formula)
        if self.cases is not None and table is not None:
            (self.whole or self.cases).rule_out(table)
        if isinstance(formula, And):
            for lit in sorted(formula.lits):
                self.encoding.add(Clause((lit,), why))
            return
        lits = () if formula is False else (formula,) if isinstance(formula, int) else formula.lits
        self.encoding.add(Clause(tuple(sorted(lits)), why))

    def facts(self, formula: Formula) -> Facts:
        """What surely holds where the formula does."""
        return NOTHING if isinstance(formula, (bool, Or)) else self.known.of(self.conjuncts(formula))

    def told(self, formula: Formula) -> Table | Facts:
        """The cases in which a formula holds, or, where they are not known, what surely holds with it."""
        table = self.table(formula)
        return self.facts(formula) if table is None else table

    def clash(self, one: Table | Facts, other: Table | Facts) -> bool:
        """Is it plain of what is told of two formulas that they cannot both hold?"""
        if isinstance(one, Facts) or isinstance(other, Facts):
            return isinstance(one, Facts) and isinstance(other, Facts) and one.clash(other)
        return self.cases is not None and not one & other & self.cases.care

    def contradict(self, a: Formula, b: Formula) -> bool:
        """Is it plain that the two cannot both hold?"""
        return self.clash(self.told(a), self.told(b))

    def follows(self, a: Formula, b: Formula) -> bool:
        """Is it plain that the second holds where the first does?"""
        return b is True or (isinstance(b, int) and self.facts(a).covers(self.facts(b)))

    # --- what the kernel asks

    def everywhere(self) -> Field:
        return Field(self, {}, True)

    def empty(self, board: Field) -> bool:
        return not board.cells and not board.rest

    def _way(self, offset: Offset) -> list[int]:
        """For each cell the number of the cell at `offset` from it, -1 outside."""
        height, width, wraps = self.transition.height, self.transition.width, self.transition.wraps
        way = []
        for row in range(height):
            for column in range(width):
                to = (row + offset[0], column + offset[1])
                if wraps:
                    to = (to[0] % height, to[1] % width)
                inside = 0 <= to[0] < height and 0 <= to[1] < width
                way.append(to[0] * width + to[1] if inside else -1)
        return way

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
        return self.named(name, Field(self, can))

    def possible(self, formula: Formula) -> bool:
        """Is it not plain that it can never hold?"""
        table = self.table(formula)
        if self.cases is not None and table is not None:
            return bool(table & self.cases.care)
        return not isinstance(formula, And) or self.known.consistent(formula.lits)

    def slim(self, formula: Formula) -> Formula:
        """Leave out of a conjunction that earlier rules did not fire, where they could not anyway.

        Rules for other directions of the input are such.
        """
        if not isinstance(formula, And) or self.table(formula) is not None:
            return formula
        lits = set(formula.lits)
        for lit in formula.lits:
            if -lit in self.parts and self.contradict(And(frozenset(lits - {lit})), -lit):
                lits.discard(lit)
        return And(frozenset(lits)) if len(lits) > 1 else next(iter(lits))

    def moved(self, plane: int, where: Field) -> None:
        # With inputs nothing fires any more when the run is over; without them it just is not counted.
        over = self.unless if self.given(()) is True else False
        staying = (self.always(negate(where.cells[cell]), over) for cell in sorted(where.cells))
        self.moves += [(plane, negate(formula)) for formula in staying]

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
        cells = range(self.transition.height * self.transition.width)
        pieces = {}
        for piece, board in zip(self.transition.planes, boards, strict=True):
            named = self.named(str(piece), board)
            pieces[piece] = [named.at(cell) for cell in cells]
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

    def demand(self, formula: Formula, why: Why) -> None:
        """Make a formula hold unless the run is over."""
        if self.unless is not True and formula is not True:
            self.require(self.always(formula, self.unless), why)

    def why(self, text: str, cell: int | None, step: Pass | Loop | None = None) -> Why:
        """A reason in the present turn."""
        at: Cell | None = divmod(cell, self.transition.width) if cell is not None else None
        return Why(text, self.turn, at, step.place if step is not None else None)

    def idle(self, step: Pass, rule: CompiledRule, where: Field) -> None:
        for cell, formula in sorted(where.cells.items()):
            text = f"{rule.name} changes nothing, which a loop forbids"
            self.demand(negate(formula), self.why(text, cell, step))

    def run(self, program: Program, boards: Boards) -> Boards:
        """The boards after a program; what is told of all of the board is one formula."""
        if id(program) not in self.programs:  # its hash would take long
            steps = self.with_slides(program) if self.slides else program
            self.programs[id(program)] = program, with_spreads(steps, self.transition, self.ways)
        for step in self.programs[id(program)][1]:
            if isinstance(step, Spread):
                boards = self.spread(step, boards)
            elif isinstance(step, Slide):
                boards = slid(step, self, boards)
            else:
                boards = run_program(self, (step,), boards)
        return boards

    def with_slides(self, program: Program) -> tuple[Pass | Loop | Slide, ...]:
        """The steps of a program, slides told as such."""
        instance, transition = self.encoding.instance, self.transition
        slides = (slide_of(program, place, transition, instance) for place in range(len(program)))
        return tuple(slide or step for slide, step in zip(slides, program, strict=True))

    def spread(self, spread: Spread, boards: Boards) -> Boards:
        """The boards after a marker was handed on to all cells."""
        size = self.transition.height * self.transition.width
        heard, told = boards[spread.marker], True
        if spread.subject is not None:
            subject = boards[spread.subject]
            told = subject.at(0)
            if self.empty(subject):
                return boards
            if any(subject.at(cell) != told for cell in range(1, size)):
                return run_program(self, spread.passes, boards)
        if self.empty(heard):
            return boards
        everywhere = self.conj(told, self.some(heard))
        if not isinstance(everywhere, bool):
            everywhere = self.literal(everywhere, str(self.transition.planes[spread.marker]))
        cells = {}
        for cell in range(size):
            here = heard.at(cell)
            known = here is False or self.follows(here, told)
            cells[cell] = everywhere if known else self.disj(here, everywhere)
        after = list(boards)
        after[spread.marker] = self.settle(spread.marker, Field(self, cells))
        return tuple(after)

    def loop(self, loop: Loop, boards: Boards) -> Boards:
        for _ in range(loop.bound + 1):
            before = boards
            boards = self.run(loop.body, boards)
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

    # --- what goal words ask

    def cells(self, region: Iterable[Cell]) -> Field:
        """The field that is true on these cells."""
        width = self.transition.width
        return Field(self, {row * width + column: True for row, column in region})

    def every(self, formulas: Iterable[Formula]) -> Formula:
        """All of them; at once, for one after another takes time that grows with their number squared."""
        lits, parts = set[Lit](), list[And | Or]()
        for formula in formulas:
            if formula is False:
                return False
            if isinstance(formula, And | Or):
                parts.append(formula)
            elif formula is not True:
                lits.add(formula)
        parts = list(dict.fromkeys(parts))
        if not lits and len(parts) == 1:
            return parts[0]
        for part in parts:
            lits |= self.conjuncts(part)
        return self.all_of(frozenset(lits)) if len(lits) > 1 else next(iter(lits), True)

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

    def at_least(self, lits: list[Lit], number: int) -> Formula:
        """At least so many hold: a literal that says so, both ways.

        Of a literal and its opposite one holds. What stands there several times counts as often; solvers
        get each literal once, for some of them take a sum amiss in which a variable stands twice.
        """
        weights = Counter(lits)
        for lit in lits:
            if lit > 0 and -lit in weights:
                pairs = min(weights[lit], weights[-lit])
                weights[lit], weights[-lit], number = (
                    weights[lit] - pairs,
                    weights[-lit] - pairs,
                    number - pairs,
                )
        weights = +weights  # without what is left no times
        total = weights.total()
        if number <= 0 or number > total:
            return number <= 0
        if len(weights) == 1:
            return next(iter(weights))
        if number in (1, total):
            return Or(frozenset(weights)) if number == 1 else And(frozenset(weights))
        table = None if self.cases is None else self.cases.enough(weights, number)
        found = self.alike(table, table)
        if found is not None:
            return found
        key = frozenset(weights.items()), number
        if key in self.enough:
            return self.enough[key]
        index = (len(self.encoding.variables),)
        variable = self.encoding.new("enough", index, (0, 1))
        enough = self.enough[key] = self.encoding.number(variable, 1)
        terms, why = tuple((n, lit) for lit, n in weights.items()), Why(f"at least {number}", self.turn)
        self.encoding.add(Sum(terms, ">=", number, why, enough))
        self.encoding.add(Sum(terms, "<=", number - 1, why, -enough))
        if self.cases is not None and table is not None:
            self.cases.note(enough, table)
        return enough
