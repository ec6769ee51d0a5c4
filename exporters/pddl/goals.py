"""The goal as a formula over the facts of a planning task: goal words evaluated in an algebra of formulas.

What never changes is folded. A number is said by quantifiers (there are so many different cells such that),
as long as it is small.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, product

from ggp.exporters.pddl.task import Exists, Fact, Formula, all_of, any_of, negation
from ggp.exporters.pddl.words import Vocabulary
from ggp.model import Cell, Term
from ggp.referee.semantics import initial_state
from ggp.transition.bits import Named
from ggp.transition.program import Offset, Transition

MOST_COUNTED = 4  # different cells that a quantifier may ask for
MOST_CHOICES = 300  # ways to choose them, where they are written out


class Unsayable(Exception):
    """A goal that would take too long to say; the text says what is in the way."""


class Board:
    """A formula for each cell, in reading order."""

    def __init__(self, cells: Iterable[Formula]) -> None:
        self.cells = tuple(cells)

    def __and__(self, other: Board) -> Board:
        return Board(all_of(pair) for pair in zip(self.cells, other.cells, strict=True))

    def __or__(self, other: Board) -> Board:
        return Board(any_of(pair) for pair in zip(self.cells, other.cells, strict=True))

    def __invert__(self) -> Board:
        return Board(negation(cell) for cell in self.cells)


class Statements:
    """The algebra. `boards` holds each plane: constants where it never changes, else a fact a cell."""

    def __init__(self, words: Vocabulary, transition: Transition) -> None:
        self.words = words
        self.transition = transition
        self.size = transition.height * transition.width
        self.zero = Board([False] * self.size)
        board = initial_state(words.instance).board
        self.boards = tuple(self.plane(number, board) for number in range(len(transition.planes)))

    def plane(self, number: int, board: tuple[frozenset[object], ...]) -> Board:
        """What is known of a plane."""
        transition, columns = self.transition, self.transition.width
        if number in transition.markers:
            return self.zero
        if number not in transition.dynamic:
            return Board(transition.planes[number] in here for here in board)
        at = [self.words.cell((index // columns, index % columns)) for index in range(self.size)]
        return Board(self.words.piece(number, cell) for cell in at)

    # --- what goal words ask

    def everywhere(self) -> Board:
        return ~self.zero

    def empty(self, board: Board) -> bool:
        return not any(board.cells)

    def shift(self, board: Board, offset: Offset) -> Board:
        height, width = self.transition.height, self.transition.width
        moved: list[Formula] = []
        for row, column in product(range(height), range(width)):
            down, right = row + offset[0], column + offset[1]
            if self.transition.wraps:
                down, right = down % height, right % width
            inside = 0 <= down < height and 0 <= right < width
            moved.append(board.cells[down * width + right] if inside else False)
        return Board(moved)

    def inside(self, offset: Offset) -> Board:
        return self.shift(self.everywhere(), offset)

    def cells(self, region: Iterable[Cell]) -> Board:
        """True on these cells."""
        chosen = {row * self.transition.width + column for row, column in region}
        return Board(index in chosen for index in range(self.size))

    def every(self, formulas: Iterable[Formula]) -> Formula:
        """All of them."""
        return all_of(formulas)

    def opposite(self, formula: Formula) -> Formula:
        """It does not hold."""
        return negation(formula)

    def some(self, board: Board) -> Formula:
        """Some cell is true."""
        return any_of(board.cells)

    def none(self, board: Board) -> Formula:
        """No cell is true."""
        return all_of(negation(cell) for cell in board.cells)

    def count(self, boards: list[Board], comparison: str, number: int) -> Formula:
        """Compare the number of true cells of all the boards with a number; raises Unsayable."""
        formulas = [cell for board in boards for cell in board.cells if cell is not False]
        number -= sum(formula is True for formula in formulas)
        open_ones = [formula for formula in formulas if formula is not True]
        parts = []
        if comparison in ("=", ">="):
            parts.append(self.at_least(open_ones, number))
        if comparison in ("=", "<=") and number == 0:
            parts += [negation(one) for one in open_ones]
        elif comparison in ("=", "<="):
            parts.append(negation(self.at_least(open_ones, number + 1)))
        return all_of(parts)

    def at_least(self, formulas: Sequence[Formula], number: int) -> Formula:
        """At least so many of them hold."""
        if number <= 0 or number > len(formulas):
            return number <= 0
        if number == len(formulas):
            return all_of(formulas)
        shapes = {(one.name, one.args[1:]) for one in formulas if isinstance(one, Fact)}
        facts = all(isinstance(one, Fact) and one.args for one in formulas)
        if number == 1 and len(formulas) <= 2:
            return any_of(formulas)
        if facts and len(shapes) == 1 and len(formulas) == self.size and number <= MOST_COUNTED:
            ((name, rest),) = shapes
            variables = tuple((f"?one{index + 1}", "location") for index in range(number))
            return Exists(variables, all_of(Fact(name, (one, *rest)) for one, _ in variables))
        if number == 1:
            return any_of(formulas)
        choices = list(combinations(formulas, number)) if number <= MOST_COUNTED else []
        if not choices or len(choices) > MOST_CHOICES:
            raise Unsayable(f"a goal about {number} of {len(formulas)} things is too long to say")
        return any_of(all_of(choice) for choice in choices)


def goal_of(words: Vocabulary, transition: Transition) -> tuple[Formula, Formula]:
    """(the goal holds, the game is lost) as formulas; raises Unsayable."""
    statements = Statements(words, transition)
    named = Named(words.instance, transition, statements.boards)
    goal = words.instance.game.goal
    won = [GOAL_WRITERS[term.word](statements, named, term) for term in goal.terms]
    lost = any_of(said(statements, named, term) for term in goal.lose)
    return all_of(won), lost


def said(statements: Statements, named: Named, term: Term) -> Formula:
    """What the word says of each cell, as it says it to every algebra."""
    formula: Formula = term.test(statements, named)
    return formula


def placed(statements: Statements, named: Named, term: Term) -> Formula:
    """What is to be reached where that can be said, else as the word says it."""
    return standing(statements, named, term) or said(statements, named, term)


def standing(statements: Statements, named: Named, term: Term) -> Formula:
    """Where as many things as there is ground for must all stand on it: that each ground has its own.

    Planners are better at what is to be reached than at what is to be avoided. False where it is not so.
    """
    asked = term.ground_required() if hasattr(term, "ground_required") else None
    if asked is None:
        return False
    transition = statements.transition
    things, ground = (transition.planes_of(named.instance, pattern) for pattern in asked)
    if len(things) != 1 or things[0] in transition.exempt or set(ground) & transition.dynamic:
        return False
    (thing,) = things
    if any(
        (one.plane == thing) != (one.result == thing) for rule in transition.rules() for one in rule.changes
    ):
        return False
    piece = transition.planes[thing]
    number = sum(piece in here for here in initial_state(named.instance).board)
    places = [index for index, cell in enumerate(named.present(asked[1]).cells) if cell is True]
    if number != len(places):
        return False
    return all_of(statements.boards[thing].cells[index] for index in places)


GOAL_WRITERS: Mapping[str, Callable[[Statements, Named, Term], Formula]] = {
    "on": placed,
    "count": said,
    "shape": said,
    "unless": said,
}
"""The goal words that can be written, each with what writes it. The exporter promises these and no others."""
