"""Puzzles that are solved by thinking alone: a design with a goal, and nothing that moves.

An answer is made at random, then all clues that it allows; then clues are taken away, one after another, as
long as there is no other answer. So no clue is left that could be spared. How hard the puzzle is, is
measured by the deductions it takes; one of another difficulty than the one wished for is thrown away.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ggp.errors import PuzzleError
from ggp.explain.asking import assignment
from ggp.explain.clues import clues_of
from ggp.explain.grade import Grade, grade
from ggp.explain.opened import Opened, Placed, opened, with_pieces
from ggp.explain.reasoning import Reasoner
from ggp.generate.clueing import Clue, Clueing, level_with, plan_for
from ggp.generate.layout import layout, models
from ggp.generate.wish import Made, NotMade, Wish
from ggp.model import Cell, Game, Instance, Known, Level, Piece
from ggp.semantics import free_cells, initial_state
from ggp.trajectory import replay

NAME = "deduction"
TRIES = 200  # answers that are made at random before giving up


def suits(game: Game, levels: tuple[Level, ...]) -> str | None:
    """None for games that place something and then see whether the goal holds."""
    if game.design is None:
        return "it makes puzzles in which something is placed, and nothing is placed here"
    if game.input is not None or game.physics or game.chance:
        return "it makes puzzles in which nothing moves, and here something does"
    return None


def generate(wish: Wish) -> Made:
    """Make one level; see `ggp.generate.wish.Generator`."""
    reasons: dict[str, int] = {}
    for number in range(1, TRIES + 1):
        wish.clock.check()
        made = attempt(wish)
        if isinstance(made, Made) and wish.difficulty in (None, made.difficulty):
            return made
        reason = made if isinstance(made, str) else f"it was {made.difficulty}"
        reasons[reason] = reasons.get(reason, 0) + 1
        wish.say(f"try {number}: {reason}")
    why = "; ".join(f"{count} times {reason}" for reason, count in reasons.items())
    raise NotMade(f"no such level of {wish.game.name} in {TRIES} tries: {why}", "try another size or seed")


def attempt(wish: Wish) -> Made | str:
    """A level, or why there is none this time."""
    bare = layout(wish)
    answer = random_answer(bare, wish)
    if answer is None:
        bare, answer = with_asked_for(bare, wish)
    if answer is None:
        return "the board without clues had no answer"
    if not any(answer.values()):
        return "there was nothing to be placed"
    maker = Maker(bare, answer, wish)
    whole = level_with(bare, [clue for clue in maker.clues if not clue.given])
    if not replay(whole, plan_for(whole, answer)).won:
        return "the clues did not go together"
    if not maker.only_answer(maker.clues):
        return "all its clues together left several answers"
    kept = maker.spare_no_clue()
    instance = level_with(bare, kept)
    graded = maker.grade(kept)
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
    return Made(level, graded.difficulty, measured)


def with_asked_for(bare: Instance, wish: Wish) -> tuple[Instance, dict[Cell, Piece | None] | None]:
    """(the board with the clues without which a word of the goal never holds, an answer), None for none.

    The answer is made without those words; then they say which clues it needs, and some of those are chosen.
    """
    goal = bare.game.goal
    asking = [term for term in goal.terms if hasattr(term, "asks")]
    if not asking:
        return bare, None
    others = tuple(term for term in goal.terms if term not in asking)
    answer = random_answer(replace(bare, game=replace(bare.game, goal=replace(goal, terms=others))), wish)
    if answer is None:
        return bare, None
    state = initial_state(bare, plan_for(bare, answer).design, partial=True)
    shown = dict(
        wish.random.choice(alternatives) for term in asking for alternatives in term.asks(bare, state)
    )
    told = replace(bare, level=with_pieces(bare.level, shown))
    return told, {cell: piece for cell, piece in answer.items() if cell in set(free_cells(told))}


def random_answer(bare: Instance, wish: Wish) -> dict[Cell, Piece | None] | None:
    """An answer of the board without clues, None where there is none.

    Cell by cell something is chosen at random among what can stand there. The solver is only asked whether
    that leaves an answer, never for one: so the answer does not hang on the solver and its release.
    """
    puzzle = opened(bare)
    reasoner = Reasoner(puzzle)
    domains = reasoner.conclude({})
    possible = assignment(puzzle, {}, clock=wish.clock)
    if domains is None or possible is None:
        return None
    chosen: dict[Cell, Piece | None] = {}
    enabled = [True] * len(reasoner.rules)
    cells = sorted(puzzle.variables)
    wish.random.shuffle(cells)
    for cell in cells:
        variable, meaning = puzzle.variables[cell], puzzle.meanings[cell]
        while len(domains[variable]) > 1:
            value = wish.random.choice(sorted(domains[variable]))
            after = reasoner.on_assuming(domains, variable, value, enabled)
            if after is not None and possible[cell] != meaning[value]:
                other = assignment(puzzle, {**chosen, cell: meaning[value]}, clock=wish.clock)
                possible, after = (other, after) if other is not None else (possible, None)
            if after is not None:
                chosen[cell], domains = meaning[value], after
                break
            fewer = domains[:]
            fewer[variable] = fewer[variable] - {value}
            settled = reasoner.settle(fewer, reasoner.watch[variable], enabled)
            assert settled is not None  # another answer is known
            domains = settled
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
        self.last: tuple[frozenset[Clue], Opened, Reasoner] | None = None

    def puzzle(self, clues: Collection[Clue]) -> tuple[Opened, Reasoner]:
        """The encoding of the level with these clues; givens are facts, so they do not change it."""
        others = frozenset(clue for clue in clues if not clue.given)
        if self.last is None or self.last[0] != others:
            puzzle = opened(level_with(self.bare, others))
            self.last = others, puzzle, Reasoner(puzzle)
        return self.last[1:]

    def facts(self, clues: Collection[Clue]) -> dict[Cell, Piece | None]:
        """What is given."""
        return {clue.cell: self.answer[clue.cell] for clue in clues if clue.given}

    def only_answer(self, clues: Collection[Clue]) -> bool:
        """Is there no other answer with these clues?"""
        self.wish.clock.check()
        kept = set(clues)
        if any(not excluding & kept for excluding in self.others):
            return False
        puzzle, reasoner = self.puzzle(clues)
        facts = self.facts(clues)
        domains = reasoner.conclude(facts)
        if domains is not None and all(len(domains[v]) == 1 for v in puzzle.variables.values()):
            return True
        free = {cell: self.answer.get(cell) for cell in puzzle.variables if cell not in facts}
        other = assignment(puzzle, facts, other_than=free, clock=self.wish.clock)
        if other is None:
            return True
        self.others.append({clue for clue in self.clues if not self.clueing.true_of(clue, other)})
        return False

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
        puzzle, reasoner = self.puzzle(clues)
        return grade(puzzle, self.facts(clues), reasoner, self.wish.clock.check)


def gives(wish: Wish) -> bool:
    """Do puzzles of this game give some of what is to be placed? As its own levels do, if it has any."""
    place = wish.game.design.place if wish.game.design is not None else ""
    boards = [level.board for level in models(wish.levels)]
    pieces = {piece.kind for board in boards for line in board for here in line for piece in here}
    return not boards or place in pieces
