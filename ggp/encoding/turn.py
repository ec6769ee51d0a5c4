"""One turn, from any board that a run can come to: written once, and the same for all turns.

Where pieces come and go there is a variable for what stands before the turn and one for what stands after
it; all else is constant, by the bounds of all runs. To the numbers of one turn its `width` is added for the
next, so that what stands after a turn is what stands before the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from itertools import chain, combinations, count

from ggp.analysis.relaxed import FAR
from ggp.encoding.constraints import Clause, Constraint, Encoding, Sum
from ggp.encoding.fields import Field
from ggp.encoding.formula import Formula, negate
from ggp.encoding.literals import Lit, Why
from ggp.encoding.lowering.conserved import Conserved, numbers, total
from ggp.encoding.lowering.linear_to_clauses import Card, Clauses, Writer
from ggp.encoding.occupancy import Unroller
from ggp.model import Instance
from ggp.transition.bounds import Between, in_all_runs
from ggp.transition.kernel import Boards
from ggp.transition.program import Pass, Transition

NODES = 1 << 40  # literals of an encoding from here on are nodes of sums, below they are atoms
AFTER = 1 << 41  # numbers from here on are of what stands after the turn, until its width is known
START = 1 << 42  # and from here on of what is chosen before the first turn
LARGEST = 300_000  # variables and constraints of one turn: of more, turns of the first boards are smaller
FEW = 6  # values of a variable of which each two are told not to hold both; of more it is counted

Place = tuple[int, int]
"""A plane, and the number of a cell."""


class Part:
    """Clauses and cardinalities over numbers."""

    def __init__(self) -> None:
        self.clauses: list[list[Lit]] = []
        self.cards: list[Card] = []

    def spoken(self) -> set[int]:
        """The numbers that it speaks of."""
        counted = (lits for given, held, _ in self.cards for lits in (given, held))
        return {abs(lit) for lits in chain(self.clauses, counted) for lit in lits}

    def renumber(self, lit: Callable[[Lit], Lit]) -> None:
        """Every literal by another."""
        self.clauses = [[*map(lit, clause)] for clause in self.clauses]
        self.cards = [([*map(lit, given)], [*map(lit, lits)], most) for given, lits, most in self.cards]


class Numbered(Writer):
    """Writes an encoding in parts, in the numbers that its literals get as they come."""

    def __init__(self, encoding: Encoding, first: int = 1) -> None:
        super().__init__(encoding, Clauses(NODES))
        self.free = count(first)
        self.numbers: dict[Lit, int] = {}
        self.told = 0, 0  # how many variables and constraints were written

    def lit(self, lit: Lit) -> Lit:
        """A literal as it is: it is numbered when all of a part is there."""
        return lit

    def number(self, lit: Lit) -> int:
        """The number of an atom or node, with the literal's sign."""
        known = self.numbers.get(abs(lit))
        if known is None:
            known = self.numbers[abs(lit)] = next(self.free)
        return known if lit > 0 else -known

    def part(self) -> Part:
        """What was added to the encoding since this was last asked."""
        part, result, encoding = Part(), self.result, self.encoding
        result.clauses, result.cards = part.clauses, part.cards
        variables, constraints = self.told
        for number in range(variables, len(encoding.variables)):
            domain = encoding.variables[number].domain
            if domain != (0, 1):
                self.values([encoding.number(number, value) for value in domain])
        for constraint in encoding.constraints[constraints:]:
            self.constraint(constraint)
        self.told = len(encoding.variables), len(encoding.constraints)
        part.renumber(self.number)
        return part

    def values(self, lits: list[Lit]) -> None:
        """One of these holds."""
        self.result.clauses.append(lits)
        if len(lits) <= FEW:
            self.result.clauses += [[-one, -other] for one, other in combinations(lits, 2)]
        else:
            self.result.cards.append(([], lits, 1))


class Start:
    """The board before the first turn, with what a design may choose.

    `kept` is what is conserved beside that which the rules tell.
    """

    def __init__(
        self,
        instance: Instance,
        transition: Transition,
        tick: Callable[[], None],
        kept: Sequence[tuple[Conserved, int]] = (),
    ) -> None:
        self.encoding = Encoding(instance, 0)
        self.unroller = Unroller(instance, transition, self.encoding, tick)
        self.live = self.unroller.within(FAR)
        self.boards = self.unroller.without_late(0, self.unroller.design(), self.live)
        self.unroller.algebra.claim(0, self.boards)
        self.kept = [(kept, number) for kept, number in numbers(self.encoding) if not kept.shares]
        self.kept += kept
        self.writer = Numbered(self.encoding, START)

    def bounds(self) -> Boards:
        """What may stand there, and what must."""
        bit = self.unroller.bit
        return tuple(
            Between(
                sum(bit(cell) for cell in board.cells),
                sum(bit(cell) for cell, formula in board.cells.items() if formula is True),
            )
            for board in self.boards
        )

    def part(self, places: dict[Place, int]) -> Part:
        """The rules of the design, and what stands in these places, with their numbers in the first turn."""
        algebra, links = self.unroller.algebra, []
        for (plane, cell), number in places.items():
            formula = self.boards[plane].at(cell)
            if isinstance(formula, bool):
                links.append([number if formula else -number])
            else:
                lit = self.writer.number(algebra.literal(formula))
                links += [[-number, lit], [number, -lit]]
        part = self.writer.part()
        part.clauses += links
        return part


class Turn:
    """A turn between two boards: `state` is what holds of each board, `step` what leads from one to the next.

    `places` have the numbers 1, 2, ... before the turn. `won` is the number of what says that the board wins,
    or a constant. Boards that are lost are none. `own` are the numbers that only the step speaks of.
    Raises TooLarge where it is more than the `most` variables and constraints.
    """

    def __init__(self, start: Start, tick: Callable[[], None], most: int = LARGEST) -> None:
        instance, transition = start.encoding.instance, start.unroller.transition
        self.encoding = Encoding(instance, 1)
        self.unroller = Unroller(instance, transition, self.encoding, tick, most=most)
        self.algebra = self.unroller.algebra
        self.algebra.slides = True  # to solvers of clauses; others do better pass by pass
        before = self.before(start, tick)
        writer = self.writer = Numbered(self.encoding)
        self.places = {place: writer.number(lit) for place, lit in self.lits.items()}
        self.won = self.numbered(self.say(before, start.kept))
        self.state = writer.part()
        after = self.unroller.without_late(1, self.unroller.turn(0, before, False), start.live)
        self.arrive(after)
        self.step = writer.part()
        self.step.clauses += self.moved(start.kept)
        self.width = sum(number < AFTER for number in writer.numbers.values())
        self.state.renumber(self.settled)
        self.step.renumber(self.settled)
        spoken = {*self.places.values(), *self.state.spoken(), *self.inputs()}
        self.own = sorted(number for number in self.step.spoken() - spoken if number <= self.width)

    def before(self, start: Start, tick: Callable[[], None]) -> Boards:
        """The boards before the turn, with a variable for each place that varies."""
        transition, width = self.unroller.transition, self.unroller.transition.width
        within = dict(start.live)
        bounds = in_all_runs(self.encoding.instance, transition, start.bounds(), within, tick)
        self.lits: dict[Place, Lit] = {}
        boards = []
        for plane, (piece, board) in enumerate(zip(transition.planes, bounds, strict=True)):
            cells: dict[int, Formula] = {}
            for cell in range(transition.height * width):
                bit = self.unroller.bit(cell)
                if board.must & bit:
                    cells[cell] = True
                elif board.may & bit:
                    variable = self.encoding.new(str(piece), (0, *divmod(cell, width)), (0, 1))
                    cells[cell] = self.lits[plane, cell] = self.encoding.number(variable, 1)
            boards.append(Field(self.algebra, cells))
        return tuple(boards)

    def say(self, boards: Boards, kept: Iterable[tuple[Conserved, int]]) -> Lit | bool:
        """Say what holds of every board: what is conserved, and that it is not lost. What it is to win?"""
        algebra, goal = self.algebra, self.encoding.instance.game.goal
        algebra.claim(0, boards)
        for what, number in kept:
            sure = total(self.encoding.claims[-1], what, number)
            if sure is not None:
                self.encoding.add(sure)
        self.encoding.constraints += self.apart()
        lost = negate(self.unroller.every(goal.lose, boards, holds=False))
        algebra.require(negate(lost), Why("the game is not lost"))
        won = self.unroller.every(goal.terms, boards)
        return won if isinstance(won, bool) else algebra.literal(won, "won")

    def apart(self) -> Iterator[Constraint]:
        """In a place of a layer one thing at most stands: no rule puts another one there.

        It follows from what each turn says of collisions, turn after turn from the start.
        """
        transition, why = self.unroller.transition, Why("one thing of a layer stands in a cell")
        there: dict[tuple[str, int], list[Lit]] = {}
        for (plane, cell), lit in self.lits.items():
            if plane not in transition.exempt:
                there.setdefault((transition.layers[plane], cell), []).append(lit)
        for lits in there.values():
            if len(lits) <= FEW:
                yield from (Clause((-one, -other), why) for one, other in combinations(lits, 2))
            else:
                yield Sum(tuple((1, lit) for lit in lits), "<=", 1, why)

    def inputs(self) -> dict[int, str]:
        """What the numbers of the inputs mean."""
        ((variable, meant),) = self.unroller.inputs
        number, encoding = self.writer.number, self.encoding
        return {number(encoding.number(variable, value)): str(action) for value, action in meant.items()}

    def numbered(self, lit: Lit | bool) -> Lit | bool:
        """A literal in its number, or a constant."""
        return lit if isinstance(lit, bool) else self.writer.number(lit)

    def arrive(self, boards: Boards) -> None:
        """Number what stands after the turn, by the literals that say so where they say nothing else."""
        numbers = self.writer.numbers
        for (plane, cell), number in self.places.items():
            formula = boards[plane].at(cell)
            if not isinstance(formula, bool):
                formula = self.algebra.literal(formula)
                if formula > 0 and formula not in numbers:
                    numbers[formula] = AFTER + number
                    continue
            mine = self.encoding.number(self.encoding.new("after", (plane, cell), (0, 1)), 1)
            numbers[mine] = AFTER + number
            why = Why("what stands there after the turn", 1)
            if isinstance(formula, bool):
                self.encoding.add(Clause((mine if formula else -mine,), why))
            else:
                self.encoding.add(Clause((-mine, formula), why))
                self.encoding.add(Clause((mine, -formula), why))

    def moved(self, kept: Iterable[tuple[Conserved, int]]) -> Iterator[list[Lit]]:
        """The clauses that say that a turn moves the piece that every turn moves.

        That an input changes something is not said of turns that are told one by one: where one changes
        nothing there is a shorter plan, which was asked for before. So nothing hangs on these clauses either,
        but without them a solver goes through such turns. Where it takes a variable for each place to say so,
        as in other games, it is quicker without.
        """
        transition = self.unroller.transition
        for one, number in kept:
            if number == 1 and always_moved(transition, one.planes):
                for (plane, _), place in self.places.items():
                    if plane in one.planes:
                        yield [-place, -(AFTER + place)]

    def settled(self, number: Lit) -> Lit:
        """The number where it is known how many there are."""
        if -AFTER < number < AFTER:
            return number
        return number - AFTER + self.width if number > 0 else number + AFTER - self.width


def always_moved(transition: Transition, planes: Set[int]) -> bool:
    """Does every firing of a turn take its own subject, a piece of these planes, somewhere else?

    Where there is one such piece, no turn has two firings, and each that changes anything moves it.
    """
    one = transition.turn[0] if len(transition.turn) == 1 else None
    if not isinstance(one, Pass) or transition.physics or transition.wraps:
        return False
    return all(
        not rule.changes
        or (
            subject in planes
            and any(
                change.plane == subject and change.source == (0, 0) and change.target != (0, 0)
                for change in rule.changes
            )
        )
        for subject, rules in one.subjects
        for rule in rules
    )
