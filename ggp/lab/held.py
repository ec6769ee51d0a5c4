"""A question to somebody, held against all that is true of a level; what is found wrong, its level shrunk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from ggp.errors import PuzzleError
from ggp.lab import Finding, Task, asking, judging
from ggp.lab.judging import Question, Wrong
from ggp.lab.oracle import TooLarge, Truth
from ggp.lab.shrinking import shrunk, told_crash
from ggp.language.description.writing import write_game
from ggp.model import Instance

Ask = Callable[[Truth], Wrong | None | str]
"""A question about a level: what is wrong with the answer; a text for why there is none."""


def nothing_more(instance: Instance) -> Mapping[str, str | bytes]:
    """No files but the level's."""
    return {}


@dataclass(frozen=True)
class Asked:
    """A question, to whom, and how to ask it again of another level.

    `truth` is what is true of a level, as far as the question goes; it raises TooLarge, and PuzzleError for a
    level that cannot be asked. `files` are those that the command needs beside the level, by their endings.
    """

    who: str
    question: str
    ask: Ask
    command: str
    truth: Callable[[Instance], Truth] = Truth
    files: Callable[[Instance], Mapping[str, str | bytes]] = nothing_more


def to_solver(who: str, question: Question, truth: Callable[[Instance], Truth] = Truth) -> Asked:
    """A question to a solver."""
    ask = partial(ask_solver, who, question)
    return Asked(who, question.sort, ask, asking.command(question, who), truth)


def first_wrong(task: Task, kind: str, asks: Iterable[Asked], truth: Truth) -> Finding | None:
    """Put questions one after another and count them; the first wrong answer, its level shrunk."""
    game = truth.instance.game.name
    for asked in asks:
        wrong = answer(asked, truth)
        outcome = wrong if isinstance(wrong, str) else "wrong" if wrong else "agrees"
        task.tally.note(kind, game, asked.who, asked.question, outcome)
        if isinstance(wrong, Wrong) and task.tally.fresh(f"{asked.who}, {asked.question}: {wrong.what}"):
            return found(asked, truth.instance, wrong)
    return None


def answer(asked: Asked, truth: Truth) -> Wrong | None | str:
    """What is wrong with an answer, a crash being wrong too; a text where there is no answer."""
    try:
        return asked.ask(truth)
    except Exception as error:
        return Wrong(*told_crash(error))


def ask_solver(who: str, question: Question, truth: Truth) -> Wrong | None | str:
    """Put a question to a solver."""
    said = asking.put(question, who, truth.instance)
    if isinstance(said, str):
        return said
    if said.uniqueness is not None:
        return judging.wrong_uniqueness(truth, said.uniqueness)
    wrong = judging.wrong_result(truth, question, said.result)
    return wrong or (said.result.stop if said.result.stop in judging.UNFINISHED else None)


def found(asked: Asked, instance: Instance, wrong: Wrong) -> Finding:
    """A wrong answer as a finding, its level shrunk as long as the answer stays wrong in this way."""
    last = [wrong]

    def still(one: Instance) -> bool:
        try:
            now = answer(asked, asked.truth(one))
        except (TooLarge, PuzzleError):
            return False
        if isinstance(now, Wrong) and now.what == wrong.what:
            last[0] = now
            return True
        return False

    small = shrunk(instance, still)
    still(small)
    files: dict[str, str | bytes] = {".toml": write_game(small.game, [small.level])}
    files.update(asked.files(small))
    what = f"{small.game.name}, {asked.who}, {asked.question}: {wrong.what}"
    return Finding(what, last[0].detail, files, asked.command)
