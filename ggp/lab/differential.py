"""Every solver and every question on random small levels, held against everything that can be tried.

A level is drawn and all its plans are found with the referee alone. Then some questions go to the solvers;
those that take long to start are asked as much more rarely. So are hints, and writing and reading.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from ggp.errors import DescriptionError
from ggp.explain.hints import hint
from ggp.lab import Finding, Task, asking, judging
from ggp.lab.drawing import draw, game_of, with_truth
from ggp.lab.held import Asked, first_wrong, to_solver
from ggp.lab.judging import Wrong
from ggp.lab.oracle import Truth
from ggp.lab.shrinking import told_crash
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.model import Cell, Instance, Piece
from ggp.model.features import GOAL_WORDS, SCAN, SOLVABLE
from ggp.model.features import missing as missing_features

NAME, SHARE = "differential", 12.0
AT_ONCE = (1, 1, 1, 2, 3)  # questions to a solver that is there at once
WORTH = 0.008  # seconds of each trial that a solver which takes long to start may cost
OFTEN = {"hint": 0.06, "writing": 0.2}


def missing() -> str | None:
    """None: it can be tried anywhere."""
    return None


def trial(task: Task) -> Finding | None:
    """One level, some questions; the first wrong answer, its level shrunk."""
    game = task.rng.choice(task.games)
    if not decided_by_plans(game):
        return refusals(task, game)
    truth = with_truth(task.rng, game)
    if truth is None:
        task.tally.note(NAME, game, "", "drawing", "nothing drawn")
        return None
    task.tally.note(NAME, game, "", "drawing", "has a plan" if truth.count else "has none")
    task.tally.instances[NAME, game] += 1
    task.say(f"{game}")
    return first_wrong(task, NAME, asks(task.rng, truth), truth)


def weighed(task: Task, kind: str, weight: Callable[[str], float]) -> tuple[str, Truth] | None:
    """A random level of a game that plans decide, games drawn by their weights; None where none was drawn.

    `kind`: of trial, to which it is counted.
    """
    games = [name for name in task.games if decided_by_plans(name)]
    game = task.rng.choices(games, list(map(weight, games)))[0] if games else ""
    truth = with_truth(task.rng, game) if game else None
    if truth is None:
        task.tally.note(kind, game, "", "drawing", "nothing drawn")
        return None
    task.tally.instances[kind, game] += 1
    task.say(game)
    return game, truth


def decided_by_plans(game: str) -> bool:
    """Is it a game of one player who sees all, without chance? Of another no plan says how it ends."""
    described, own = game_of(game)
    taken = SOLVABLE | SCAN | GOAL_WORDS
    return not any(missing_features(Instance(described, level), taken) for level in own[:1])


def refusals(task: Task, game: str) -> Finding | None:
    """A level of a game that no plan decides, to every solver: each has to refuse it."""
    instance = draw(task.rng, game)
    if instance is None:
        task.tally.note(NAME, game, "", "drawing", "nothing drawn")
        return None
    task.tally.instances[NAME, game] += 1
    task.say(game)
    for solver in asking.solvers():
        who, question = solver.some(task.rng), judging.questions(task.rng, instance)[0]
        try:
            refused = asking.put(question, who, instance) == "refused"
            wrong = None if refused else Wrong("it answers what no plan decides")
        except Exception as error:
            wrong = Wrong(*told_crash(error))
        task.tally.note(NAME, game, who, question.sort, "wrong" if wrong else "refused")
        if wrong is not None and task.tally.fresh(f"{who}: {wrong.what}"):
            files: dict[str, str | bytes] = {".toml": write_game(instance.game, [instance.level])}
            what = f"{game}, {who}: {wrong.what}"
            return Finding(what, wrong.detail, files, asking.command(question, who))
    return None


def asks(rng: Random, truth: Truth) -> list[Asked]:
    """What is asked about a level in one trial."""
    instance, chosen = truth.instance, list[Asked]()
    for solver in asking.solvers():
        number = int(rng.random() < WORTH / solver.starts) if solver.starts else rng.choice(AT_ONCE)
        some = judging.questions(rng, instance)[:number]
        chosen += [to_solver(solver.some(rng), question) for question in some]
    if instance.game.design is not None and not truth.moves and rng.random() < OFTEN["hint"]:
        board = judging.some_board(rng, truth)
        ask, command = partial(ask_hint, board), "ggp hint {.toml} {.txt}"
        chosen.append(Asked("hint", "hint", ask, command, files=partial(board_text, board)))
    if rng.random() < OFTEN["writing"]:
        chosen.append(Asked("description", "written and read again", written_again, "ggp check {.toml}"))
    return chosen


# --- what is not asked of solvers -------------------------------------------------------------------------


def ask_hint(board: dict[Cell, Piece], truth: Truth) -> Wrong | None:
    """Ask for a hint on a board."""
    left = still_there(board, truth.instance)
    return judging.wrong_hint(truth, left, hint(truth.instance, left))


def written_again(truth: Truth) -> Wrong | None:
    """Write the game with this level, and read it."""
    one = truth.instance
    text = write_game(one.game, [one.level])
    try:
        game, levels = read_game(text.encode(), "written.toml")
    except DescriptionError as error:
        return Wrong("what was written cannot be read", str(error))
    if game != one.game:
        return Wrong("another game was read than written")
    return None if levels == (one.level,) else Wrong("another level was read than written")


def board_text(board: dict[Cell, Piece], instance: Instance) -> dict[str, str | bytes]:
    """The board that a hint was asked on, as a plan file."""
    from ggp.model import Plan
    from ggp.referee.trajectory import plan_text

    left = tuple(sorted(still_there(board, instance).items()))
    return {".txt": plan_text(instance, Plan(left))}


def still_there(board: dict[Cell, Piece], instance: Instance) -> dict[Cell, Piece]:
    """What of a board can stand on a level: while it is shrunk, on what is left of it."""
    from ggp.referee.designs import free_cells, placeable

    free, pieces = set(free_cells(instance)), set(placeable(instance))
    return {cell: piece for cell, piece in board.items() if cell in free and piece in pieces}
