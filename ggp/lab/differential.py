"""Every solver and every question on random small levels, held against everything that can be tried.

A level is drawn and all its plans are found with the referee alone. Then some questions go to the solvers;
those that take long to start are asked as much more rarely. So are hints, and writing and reading.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from random import Random
from types import ModuleType

from ggp import registry
from ggp.description import read_game
from ggp.description.writing import write_game
from ggp.errors import DescriptionError, NotAvailable, UnsupportedFeature
from ggp.explain.hints import hint
from ggp.explain.unique import unique
from ggp.lab import Finding, Task, judging
from ggp.lab.drawing import draw
from ggp.lab.judging import Question, Wrong
from ggp.lab.oracle import TooLarge, Truth, truth_of
from ggp.lab.shrinking import shrunk, told_crash
from ggp.model import Cell, Instance, Piece
from ggp.result import OutOfTime
from ggp.solving import Run

NAME, SHARE = "differential", 12.0
SECONDS = 2.0  # for a question
AT_ONCE = 3  # questions to a solver that is there at once
WORTH = 0.012  # seconds of each trial that a solver which takes long to start may cost
OFTEN = {"hint": 0.15, "writing": 0.2}

Ask = Callable[[Truth], Wrong | None | str]
"""A question about a level: what is wrong with the answer; a text for why there is none."""


@dataclass(frozen=True)
class Asked:
    """A question, to whom, and how to ask it again of another level."""

    who: str
    question: str
    ask: Ask
    command: str


def missing() -> str | None:
    """None: it can be tried anywhere."""
    return None


def trial(task: Task) -> Finding | None:
    """One level, some questions; the first wrong answer, its level shrunk."""
    game = task.rng.choice(task.games)
    instance = draw(task.rng, game)
    if instance is None:
        task.tally.note(NAME, game, "", "drawing", "nothing drawn")
        return None
    try:
        truth = truth_of(instance)
    except TooLarge:
        task.tally.note(NAME, game, "", "drawing", "too large")
        return None
    task.tally.instances[NAME, game] += 1
    task.say(f"{game}")
    for asked in asks(task.rng, truth):
        wrong = answer(asked, truth)
        outcome = wrong if isinstance(wrong, str) else "wrong" if wrong else "agrees"
        task.tally.note(NAME, game, asked.who, asked.question, outcome)
        if isinstance(wrong, Wrong):
            return found(asked, truth.instance, wrong)
    return None


def asks(rng: Random, truth: Truth) -> list[Asked]:
    """What is asked about a level in one trial."""
    instance, chosen = truth.instance, list[Asked]()
    for name, module in solvers():
        start = getattr(module, "STARTS", 0.0)
        if not start:
            some = judging.questions(rng, instance)[:AT_ONCE]
        else:
            some = judging.questions(rng, instance)[: rng.random() < WORTH / start]
        chosen += [to_solver(rng, name, module, question) for question in some]
    if instance.game.design is not None and not truth.moves and rng.random() < OFTEN["hint"]:
        board = judging.some_board(rng, truth)
        chosen.append(Asked("hint", "hint", partial(ask_hint, board), "ggp hint {.toml} {.txt}"))
    if rng.random() < OFTEN["writing"]:
        chosen.append(Asked("description", "written and read again", written_again, "ggp check {.toml}"))
    return chosen


def solvers() -> list[tuple[str, ModuleType]]:
    """The solvers that can run here and claim to find what there is."""
    found = [(name, registry.load("solver", name)) for name in registry.SOLVERS]
    return [
        (name, module) for name, module in found if getattr(module, "PROVES", True) and module.available() is None
    ]


def to_solver(rng: Random, name: str, module: ModuleType, question: Question) -> Asked:
    """A question to a solver, now and then to one of its variants."""
    variants = getattr(module, "VARIANTS", ())
    who = f"{name}:{rng.choice(variants)}" if variants and rng.random() < 0.4 else name
    command = f"ggp solve {{.toml}} --solver {who} {question.options}".rstrip()
    return Asked(who, str(question).split(" --with")[0], partial(ask_solver, who, question), command)


# --- asking -----------------------------------------------------------------------------------------------


def answer(asked: Asked, truth: Truth) -> Wrong | None | str:
    """What is wrong with an answer, a crash being wrong too; a text where there is no answer."""
    try:
        return asked.ask(truth)
    except (UnsupportedFeature, NotAvailable):
        return "refused"
    except OutOfTime:
        return "time-limit"
    except Exception as error:
        return Wrong(*told_crash(error))


def ask_solver(who: str, question: Question, truth: Truth) -> Wrong | None | str:
    """Put a question to a solver."""
    if question.unique:
        told = unique(truth.instance, who, SECONDS)
        wrong = judging.wrong_uniqueness(truth, told)
        return wrong or (told.result.stop if told.result.stop in judging.UNFINISHED else None)
    run = Run(
        truth.instance, who, question.want, question.objective, None, SECONDS, question.passes
    )
    for _ in run:
        pass
    assert run.result is not None
    wrong = judging.wrong_result(truth, question, run.result)
    return wrong or (run.result.stop if run.result.stop in judging.UNFINISHED else None)


def ask_hint(board: dict[Cell, Piece], truth: Truth) -> Wrong | None:
    """Ask for a hint on a board; while a level is shrunk, on what is left of it."""
    from ggp.semantics import free_cells, placeable

    free, pieces = set(free_cells(truth.instance)), set(placeable(truth.instance))
    left = {cell: piece for cell, piece in board.items() if cell in free and piece in pieces}
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


# --- what was found ---------------------------------------------------------------------------------------


def found(asked: Asked, instance: Instance, wrong: Wrong) -> Finding:
    """A wrong answer as a finding, its level shrunk as long as the answer stays wrong in this way."""
    last = [wrong]

    def still(one: Instance) -> bool:
        try:
            now = answer(asked, Truth(one))
        except TooLarge:
            return False
        if isinstance(now, Wrong) and now.what == wrong.what:
            last[0] = now
            return True
        return False

    small = shrunk(instance, still)
    still(small)
    files: dict[str, str | bytes] = {".toml": write_game(small.game, [small.level])}
    if asked.question == "hint":
        files[".txt"] = board_text(asked, small)
    what = f"{small.game.name}, {asked.who}, {asked.question}: {wrong.what}"
    return Finding(what, last[0].detail, files, asked.command)


def board_text(asked: Asked, instance: Instance) -> str:
    """The board that a hint was asked on, as a plan file."""
    from ggp.model import Plan
    from ggp.semantics import free_cells, placeable
    from ggp.trajectory import plan_text

    free, pieces = set(free_cells(instance)), set(placeable(instance))
    (board,) = getattr(asked.ask, "args", ({},))
    left = tuple(sorted((cell, piece) for cell, piece in board.items() if cell in free and piece in pieces))
    return plan_text(instance, Plan(left))
