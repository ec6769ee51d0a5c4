"""What is asked of designs (how many, nothing on some cells, other starts), and each design by itself.

Whether a question can be asked at all is judged here, too, by the sentences of the documentation.
"""

from __future__ import annotations

from functools import partial
from random import Random

from ggp.errors import PuzzleError
from ggp.lab import Finding, Task, asking, judging
from ggp.lab.differential import weighed
from ggp.lab.drawing import game_of
from ggp.lab.held import Asked, first_wrong, to_solver
from ggp.lab.judging import Question, Wrong
from ggp.lab.oracle import TooLarge, Truth
from ggp.lab.questioned import Questioned
from ggp.model import Cell, Instance, Piece
from ggp.model.board import variants
from ggp.model.features import placed_moves
from ggp.referee.designs import free_cells, placeable
from ggp.referee.stock import budget
from ggp.tasks.asking import asked

NAME, SHARE = "designs", 4.0
WEIGHTS = (12.0, 6.0, 0.3)  # of games whose designs are walked on, of other free ones, and of those without
AT_ONCE = (0, 1, 1, 2)  # questions to a solver that is there at once
WORTH = 0.008  # seconds of each trial that a solver which takes long to start may cost


def missing() -> str | None:
    """None: it can be tried anywhere."""
    return None


def trial(task: Task) -> Finding | None:
    """One level and something that is asked of its designs; the first wrong answer, its level shrunk."""
    drawing = weighed(task, NAME, weight)
    if drawing is None:
        return None
    game, truth = drawing
    home = the_one_that_moves(truth)
    about = drawn(task.rng, truth, home)
    refused = Asked(
        "ggp", f"may it ask {about.sort}", partial(ask_whether, about), asking.command(about, "auto")
    )
    finding = first_wrong(task, NAME, [refused], truth)
    if finding is not None or not isinstance(made(about, truth.instance), Instance):
        return finding
    try:
        answers = Questioned(truth.instance, about, home)
    except TooLarge:
        task.tally.note(NAME, game, "", "drawing", "too large")
        return None
    task.tally.note(NAME, game, "", "drawing", "has a plan" if answers.count else "has none")
    return first_wrong(task, NAME, asks(task.rng, answers, about, home), answers)


def weight(name: str) -> float:
    """How often a game is drawn from: those that can be asked rather."""
    game, _ = game_of(name)
    if game.design is None or game.design.fill:
        return WEIGHTS[2]
    return WEIGHTS[0] if game.physics else WEIGHTS[1]


def asks(rng: Random, truth: Truth, about: Question, home: tuple[Cell, Piece] | None) -> list[Asked]:
    """The question to the solvers, together with others: which plan, all, how many."""
    chosen = list[Asked]()
    for solver in asking.solvers():
        number = int(rng.random() < WORTH / solver.starts) if solver.starts else rng.choice(AT_ONCE)
        for question in judging.questions(rng, truth.instance)[:number]:
            both = about.also(question)
            chosen.append(to_solver(solver.some(rng), both, partial(Questioned, question=both, home=home)))
    return chosen


# --- drawing a question -----------------------------------------------------------------------------------


def the_one_that_moves(truth: Truth) -> tuple[Cell, Piece] | None:
    """Where the only piece stands that some run moves, and the piece; None where there is not just one."""
    level = truth.instance.level
    columns = len(level.board[0])
    there = {
        (row, column, piece)
        for row, line in enumerate(level.board)
        for column, here in enumerate(line)
        for piece in here
    }
    gone = {
        (row, column, piece)
        for row, column, piece in there
        if any(piece not in state.board[row * columns + column] for state in truth.after)
    }
    if len(gone) != 1:
        return None
    row, column, piece = gone.pop()
    return (row, column), piece


def drawn(rng: Random, truth: Truth, home: tuple[Cell, Piece] | None) -> Question:
    """What is asked of designs, some of it at once; mostly what some design of the level answers."""
    instance = truth.instance
    free, size = list(free_cells(instance)), (len(instance.level.board), len(instance.level.board[0]))
    won = dict(rng.choice(sorted(truth.won))) if truth.won else {}
    parts = rng.choice(
        [("exactly",), ("avoid",), ("exactly", "avoid"), ("robust",), ("robust", "exactly", "avoid")]
    )
    question = Question()
    if "exactly" in parts or home is None or not free:
        number = len(won) if rng.random() < 0.6 else rng.randint(0, min(len(free), 4) + 1)
        question = Question(exactly=number)
    if "avoid" in parts:
        anywhere = [(rng.randrange(size[0]), rng.randrange(size[1]))]
        cells = rng.choice([free, free, free, sorted(won), anywhere]) or free
        avoid = tuple(sorted(rng.sample(cells, min(len(cells), rng.randint(1, 3)))))
        question = question.also(Question(avoid=avoid))
    if "robust" in parts and home is not None:
        (at, walker) = home
        kind = next(kind for kind in instance.game.kinds if kind.name == walker.kind)
        facings = [str(facing or "") for facing in variants(instance, kind)]
        places = [at, *free]
        starts = tuple((*rng.choice(places), rng.choice(facings)) for _ in range(rng.randint(1, 2)))
        question = question.also(Question(robust=tuple(dict.fromkeys(starts))))
    return question


# --- may it be asked --------------------------------------------------------------------------------------


def made(question: Question, instance: Instance) -> Instance | str:
    """The instance that is asked about; or why the question cannot be asked."""
    try:
        return asked(instance, question.exactly, question.avoid, question.robust)
    except PuzzleError as error:
        return str(error)


def ask_whether(question: Question, truth: Truth) -> Wrong | None | str:
    """Is a question taken that can be asked, and refused that cannot? Of starts nothing is known here."""
    said = made(question, truth.instance)
    if question.robust:
        return "refused" if isinstance(said, str) else None
    reason = why_not(question, truth.instance)
    if isinstance(said, str):
        return "refused" if reason else Wrong("refused, and it can be asked", said)
    return Wrong("taken, and it cannot be asked", reason) if reason else None


def why_not(question: Question, instance: Instance) -> str:
    """Why a question cannot be asked, by docs/command-line.md; nothing where it can."""
    design, free = instance.game.design, free_cells(instance)
    if design is None or design.fill:
        return "nothing is placed, or everything is filled"
    if not set(question.avoid) <= set(free):
        return "a cell that is not free"
    if question.exactly is None:
        return ""
    most = budget(instance)
    if question.exactly > len(free) or (most is not None and question.exactly > most):
        return "more than can be placed"
    if placed_moves(instance.game) is not None:
        return "the rules move what was placed"
    left = [cell for cell in free if cell not in question.avoid]
    standing = any(set(placeable(instance)) & instance.level.board[row][column] for row, column in left)
    return "what can be placed stands on a free cell" if standing else ""
