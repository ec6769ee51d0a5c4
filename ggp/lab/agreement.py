"""Two solvers, one question, a level that is too large to try everything: they may not contradict each other.

A plan is replayed whoever found it, so where one has a plan and the other says that there is none, it is
clear who is wrong; where two proofs differ it is not.
"""

from __future__ import annotations

from random import Random

from ggp.lab import Finding, Task, asking, judging
from ggp.lab.asking import Answer
from ggp.lab.drawing import LARGER, draw
from ggp.lab.judging import NOTHING, Question, Wrong
from ggp.lab.shrinking import shrunk, told_crash
from ggp.language.description.writing import write_game
from ggp.model import Instance

NAME, SHARE = "agreement", 3.0
MOST_WAITING = 0.02  # seconds: how much the time to start weighs in the choice of a solver


def missing() -> str | None:
    """None: it can be tried anywhere."""
    return None


def trial(task: Task) -> Finding | None:
    """One level and one question to two solvers; what is wrong with the answers, the level shrunk."""
    game = task.rng.choice(task.games)
    instance = draw(task.rng, game, LARGER)
    if instance is None:
        task.tally.note(NAME, game, "", "drawing", "nothing drawn")
        return None
    task.tally.instances[NAME, game] += 1
    task.say(game)
    question = task.rng.choice([one for one in judging.questions(task.rng, instance) if not one.passes])
    asked = Pair(question, ())
    for who in in_order(task.rng):
        pair = Pair(question, (*asked.solvers, who))
        outcome, wrong = pair.judge(instance)
        task.tally.note(NAME, game, who, str(question), "wrong" if wrong else outcome)
        if wrong is not None:
            fresh = task.tally.fresh(f"{question}: {wrong.what}")
            return pair.finding(instance, wrong) if fresh else None
        if outcome != "refused":
            asked = pair
        if len(asked.solvers) == 2:
            break
    return None


def in_order(rng: Random) -> list[str]:
    """Solvers in random order, those that are there at once rather at the front."""
    weighed = [(rng.random() ** (MOST_WAITING + one.starts), one.some(rng)) for one in asking.solvers()]
    return [name for _, name in sorted(weighed, reverse=True)]


class Pair:
    """A question to one or two solvers."""

    def __init__(self, question: Question, solvers: tuple[str, ...]) -> None:
        self.question = question
        self.solvers = solvers

    def judge(self, instance: Instance) -> tuple[str, Wrong | None]:
        """(how the last of them came out, what is wrong with its answer, or between the answers)."""
        answers: list[Answer] = []
        outcome = ""
        for who in self.solvers:
            try:
                answer = asking.put(self.question, who, instance)
            except Exception as error:
                return "wrong", Wrong(*told_crash(error))
            outcome = answer if isinstance(answer, str) else "agrees"
            if not isinstance(answer, str):
                wrong = wrong_alone(answer)
                if wrong is not None:
                    return "wrong", wrong
                answers.append(answer)
        return outcome, between(self.question, *answers) if len(answers) == 2 else None

    def finding(self, instance: Instance, wrong: Wrong) -> Finding:
        """A contradiction as a finding, its level shrunk."""

        def still(one: Instance) -> bool:
            now = self.judge(one)[1]
            return now is not None and now.what == wrong.what

        small = shrunk(instance, still)
        now = self.judge(small)[1] or wrong
        commands = "\n".join(asking.command(self.question, who) for who in self.solvers)
        what = f"{small.game.name}, {' and '.join(self.solvers)}, {self.question}: {now.what}"
        return Finding(what, now.detail, {".toml": write_game(small.game, [small.level])}, commands)


def wrong_alone(answer: Answer) -> Wrong | None:
    """What can be seen to be wrong without another answer."""
    plans = [(tuple(sorted(plan.design)), plan.actions) for plan in answer.result.plans]
    if len(set(plans)) != len(plans):
        return Wrong("a plan is listed twice", str(plans[:4]))
    return Wrong("an error", answer.result.note) if answer.result.stop == "error" else None


def between(question: Question, one: Answer, other: Answer) -> Wrong | None:
    """What is contradictory in two answers to the same question."""
    if one.uniqueness is not None and other.uniqueness is not None:
        said = {one.uniqueness.answers, other.uniqueness.answers} - {"unknown"}
        return Wrong("one answer, or not", " and ".join(sorted(said))) if len(said) > 1 else None
    results = one.result, other.result
    for mine, theirs in (results, results[::-1]):
        if mine.stop in NOTHING and (theirs.plans or theirs.count):
            return Wrong(f"{mine.stop}, and there is a plan", str(theirs.plans[:1]))
    if question.want in ("all", "count") and all(result.complete for result in results):
        counts = {result.count for result in results}
        if len(counts) > 1:
            return Wrong("the number of plans", " and ".join(map(str, counts)))
    if question.objective is not None:
        for mine, theirs in (results, results[::-1]):
            if mine.bound is not None and theirs.objective is not None and theirs.objective < mine.bound:
                return Wrong(
                    "a better plan", f"{mine.bound} is said to be the bound, {theirs.objective} is a plan"
                )
    return None
