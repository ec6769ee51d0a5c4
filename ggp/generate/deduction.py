"""Puzzles that are solved by thinking alone: a design with a goal, and nothing that moves.

An answer is made at random, then all clues that it allows; then clues are taken away, one after another, as
long as there is no other answer. So no clue is left that could be spared. How hard the puzzle is, is
measured by the deductions it takes; one of another difficulty than the one wished for is thrown away.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial

from ggp.errors import PuzzleError
from ggp.explain.clues import clues_of
from ggp.explain.grade import Grade, grade
from ggp.explain.opened import Placed, opened, with_pieces
from ggp.explain.questions import Questions
from ggp.explain.reasoning import Reasoner
from ggp.generate.clueing import Clue, Clueing, level_with, plan_for
from ggp.generate.ground import Ground, ground_of
from ggp.generate.layout import beside, layout, models, size_of
from ggp.generate.wish import Difficulty, Made, Wish, first_made
from ggp.model import Cell, Game, Instance, Known, Level, Piece
from ggp.referee.designs import free_cells
from ggp.referee.semantics import initial_state
from ggp.referee.trajectory import replay

NAME = "deduction"
TRIES = 200  # answers that are made at random before giving up
REPAIRS = 30  # times that clues which are part of the board, or the answer, are changed before giving up

Answer = dict[Cell, Piece | None]


def suits(game: Game, levels: tuple[Level, ...]) -> str | None:
    """None for games that place something and then see whether the goal holds."""
    if game.design is None:
        return "it makes puzzles in which something is placed, and nothing is placed here"
    if game.input is not None or game.physics or game.chance:
        return "it makes puzzles in which nothing moves, and here something does"
    return None


def generate(wish: Wish) -> Made:
    """Make one level; see `ggp.generate.wish.Generator`."""

    def one() -> Made | str:
        made = attempt(wish)
        if isinstance(made, str) or wish.difficulty in (None, made.difficulty):
            return made
        return f"it was {made.difficulty}"

    return first_made(wish, TRIES, one)


def attempt(wish: Wish) -> Made | str:
    """A level, or why there is none this time."""
    bare = layout(wish)
    ground = ground_of(bare)
    undrawn = ground.undrawn() if ground is not None else ()
    if undrawn:
        rows, columns = size_of(bare.level)
        message = f"no board of {rows}x{columns} can be drawn for {wish.game.name}: there is no symbol for "
        raise PuzzleError(
            message + f"`{undrawn[0]}`", "take a smaller size, or give `[symbols]` more of them"
        )
    maker = on_ground(ground, wish) if ground is not None else on_board(bare, wish)
    if isinstance(maker, str):
        return maker
    bare, answer = maker.bare, maker.answer
    kept = maker.spare_no_clue()
    instance = level_with(bare, kept)
    if maker.questions.alone(maker.told(kept), maker.facts(kept), maker.free(kept)) is not None:
        raise PuzzleError(f"{instance.name} has another answer", "this is a fault of ggp.generate")
    graded = maker.grade(kept)
    difficulty = difficulty_of(wish.game, graded)
    plan = plan_for(instance, answer)
    if not replay(instance, plan).won:
        raise PuzzleError(
            f"the answer made for {instance.name} does not win", "this is a fault of ggp.generate"
        )
    level = replace(instance.level, known=Known(solvable=True, solutions=1, wins=(plan,)))
    measured = {
        "clues": len(clues_of(instance)),
        "open": graded.cells,
        "by rules": graded.by_rules,
        "subsets": graded.subsets,
        "assumptions": graded.assumptions,
        "guessing": not graded.solved,
    }
    return Made(level, difficulty, measured)


def difficulty_of(game: Game, graded: Grade) -> Difficulty:
    """How hard that is; where the game says how much is much, by the steps for each hundred cells."""
    if game.generate is None or game.generate.effort is None or not graded.solved:
        return graded.difficulty
    medium, hard = game.generate.effort
    steps = 100 * (graded.subsets + graded.assumptions)
    if steps >= hard * graded.cells:
        return "hard"
    return "medium" if steps >= medium * graded.cells else "easy"


def on_board(bare: Instance, wish: Wish) -> Maker | str:
    """An answer of a board without clues, with all the clues that it allows; or why there is none.

    While all the clues leave another answer, this one is made anew where the two differ, and beside that.
    """
    settled: Answer = {}
    free = free_cells(bare)
    for _ in range(REPAIRS):
        board, answer = bare, random_answer(bare, wish, settled)
        if answer is None:
            board, answer = with_asked_for(bare, wish, settled)
        if answer is None:
            return "the board without clues had no answer"
        if not any(answer.values()):
            return "there was nothing to be placed"
        maker = Maker(board, answer, wish)
        whole = level_with(board, [clue for clue in maker.clues if not clue.given])
        if not replay(whole, plan_for(whole, answer)).won:
            return "the clues did not go together"
        other = maker.nearest_other()
        if other is None:
            return maker
        differ = differing(answer, [other])
        anew = differ.union(*map(beside, differ))
        settled = {cell: answer.get(cell) for cell in free if cell not in anew}
    return "all its clues together left several answers"


def on_ground(ground: Ground, wish: Wish) -> Maker | str:
    """The same for a board of which clues are a part.

    While there is another answer, clues are changed so that they tell it from this one. Where no change
    does, the other one takes its place: it may have something more that no clue speaks against. Where the
    clues have no choice, the answer is made anew where the two differ.
    """
    loose = ground.unread()
    answer = random_answer(loose, wish)
    if answer is None:
        return "the board without clues had no answer"
    values = ground.values(answer, lambda board: random_answer(board, wish))
    others: list[Placed] = []
    for _ in range(REPAIRS):
        if values is None:
            return "no clues went with the answer"
        if not any(answer.values()):
            return "there was nothing to be placed"
        maker = Maker(ground.with_values(values), answer, wish)
        other = maker.nearest_other()
        if other is None:
            return maker
        others.append(other)
        choices = ground.choices(answer, differing(answer, others) & ground.clues.keys())
        if any(len(pieces) > 1 for pieces in choices.values()):
            better = ground.telling(values, choices, answer, others, wish.random)
            answer, values, others = (answer, better, others) if better is not None else (other, values, [])
        else:
            differ = differing(answer, [other])
            kept = {cell: piece for cell, piece in answer.items() if cell not in differ}
            answer = random_answer(loose, wish, kept)
            assert answer is not None  # the one before is
            values, others = ground.values(answer, lambda board: random_answer(board, wish)), []
    return "all its clues together left several answers"


def differing(answer: Placed, others: Collection[Placed]) -> set[Cell]:
    """The cells on which one of the other answers has something else."""
    return {cell for cell in answer if any(other.get(cell) != answer[cell] for other in others)}


def with_asked_for(bare: Instance, wish: Wish, settled: Placed) -> tuple[Instance, Answer | None]:
    """(the board with the clues without which a word of the goal never holds, an answer), None for none.

    The answer is made without those words; then they say which clues it needs, and some of those are chosen.
    """
    goal = bare.game.goal
    asking = [term for term in goal.terms if hasattr(term, "asks")]
    if not asking:
        return bare, None
    others = tuple(term for term in goal.terms if term not in asking)
    loose = replace(bare, game=replace(bare.game, goal=replace(goal, terms=others)))
    answer = random_answer(loose, wish, settled)
    if answer is None:
        return bare, None
    state = initial_state(bare, plan_for(bare, answer).design, partial=True)
    shown = dict(
        wish.random.choice(alternatives) for term in asking for alternatives in term.asks(bare, state)
    )
    told = replace(bare, level=with_pieces(bare.level, shown))
    return told, {cell: piece for cell, piece in answer.items() if cell in set(free_cells(told))}


def random_answer(bare: Instance, wish: Wish, settled: Placed | None = None) -> Answer | None:
    """An answer of the board without clues, with what is settled of it; None where there is none.

    Cell by cell something is chosen at random among what can stand there. The solver is only asked whether
    that leaves an answer, never for one: so the answer does not hang on the solver and its release.
    """
    settled = settled or {}
    puzzle = opened(bare)
    reasoner = Reasoner(puzzle)
    domains = reasoner.conclude(settled)
    questions = Questions[Clue](wish.asked, lambda _: bare, (), wish.clock)
    possible = questions.assignment((), settled)
    if domains is None or possible is None:
        return None
    chosen: Answer = dict(settled)
    enabled = [True] * len(reasoner.rules)
    cells = sorted(puzzle.variables)
    wish.random.shuffle(cells)
    for cell in cells:
        variable, meaning = puzzle.variables[cell], puzzle.meanings[cell]
        while len(domains[variable]) > 1:
            value = wish.random.choice(sorted(domains[variable]))
            after = reasoner.on_assuming(domains, variable, value, enabled)
            if after is not None and possible[cell] != meaning[value]:
                other = questions.assignment((), {**chosen, cell: meaning[value]})
                possible, after = (other, after) if other is not None else (possible, None)
            if after is not None:
                chosen[cell], domains = meaning[value], after
                break
            fewer = domains[:]
            fewer[variable] = fewer[variable] - {value}
            left = reasoner.settle(fewer, reasoner.watch[variable], enabled)
            assert left is not None  # another answer is known
            domains = left
    return {cell: puzzle.meanings[cell][min(domains[v])] for cell, v in puzzle.variables.items()}


class Maker:
    """Takes clues away from one answer."""

    def __init__(self, bare: Instance, answer: Placed, wish: Wish) -> None:
        self.bare = bare
        self.answer = answer
        self.wish = wish
        self.clueing = Clueing(bare, givens=gives(wish))
        self.clues = self.clueing.all_clues(answer)
        self.others: list[set[Clue]] = []  # of each other answer that was met: the clues that exclude it
        self.questions = Questions(wish.asked, partial(level_with, bare), self.told(self.clues), wish.clock)

    def told(self, clues: Collection[Clue]) -> list[Clue]:
        """The clues that are part of the level; givens are facts that do not change it."""
        return [clue for clue in clues if not clue.given]

    def facts(self, clues: Collection[Clue]) -> dict[Cell, Piece | None]:
        """What is given."""
        return {clue.cell: self.answer[clue.cell] for clue in clues if clue.given}

    def free(self, clues: Collection[Clue]) -> Placed:
        """What the answer places where nothing is given."""
        given = {clue.cell for clue in clues if clue.given}
        return {cell: piece for cell, piece in self.answer.items() if cell not in given}

    def only_answer(self, clues: Collection[Clue]) -> bool:
        """Is there no other answer with these clues?"""
        kept = set(clues)
        if any(not excluding & kept for excluding in self.others):
            return False
        other = self.other_answer(clues)
        if other is None:
            return True
        self.others.append({clue for clue in self.clues if not self.clueing.true_of(clue, other)})
        return False

    def other_answer(self, clues: Collection[Clue]) -> Answer | None:
        """Another answer with these clues, None if there is none."""
        return self.questions.assignment(self.told(clues), self.facts(clues), self.free(clues))

    def nearest_other(self) -> Answer | None:
        """Another answer with all clues, None if there is none: the same one whatever the solver finds first.

        Cell after cell it has what the answer has if any other answer has that too, else the first that goes.
        """
        found = self.other_answer(self.clues)
        if found is None:
            return None
        puzzle = opened(level_with(self.bare, self.told(self.clues)))
        settled: Answer = {}
        for cell in puzzle.variables:
            mine = self.answer.get(cell)
            for piece in sorted(puzzle.meanings[cell].values(), key=lambda one: (one != mine, str(one))):
                if found[cell] != piece:
                    tried = {**settled, cell: piece}
                    same = {one: self.answer.get(one) for one in puzzle.variables if one not in tried}
                    changed = any(self.answer.get(one) != what for one, what in tried.items())
                    other = self.questions.assignment(self.told(self.clues), tried, None if changed else same)
                    if other is None:
                        continue
                    found = other
                settled[cell] = piece
                break
        return settled

    def spare_no_clue(self) -> list[Clue]:
        """The clues that are left when none can be spared."""
        kept = self.clues[:]
        order = self.clues[:]
        self.wish.random.shuffle(order)
        order.sort(key=lambda clue: not clue.given)  # where there are other clues, a given tells too much
        for number, clue in enumerate(order, start=1):
            self.wish.say(f"clue {number} of {len(order)}")
            fewer = [one for one in kept if one is not clue]
            if self.clueing.drawable(clue) and self.only_answer(fewer):
                kept = fewer
        return kept

    def grade(self, clues: Collection[Clue]) -> Grade:
        """How hard the puzzle is."""
        puzzle = opened(level_with(self.bare, self.told(clues)))
        return grade(puzzle, self.facts(clues), Reasoner(puzzle), self.wish.clock.check)


def gives(wish: Wish) -> bool:
    """Do puzzles of this game give some of what is to be placed? As its own levels do, if it has any."""
    placed = wish.game.design.kinds if wish.game.design is not None else ()
    boards = [level.board for level in models(wish.levels)]
    pieces = {piece.kind for board in boards for line in board for here in line for piece in here}
    return not boards or not pieces.isdisjoint(placed)
