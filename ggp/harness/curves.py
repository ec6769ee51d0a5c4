"""Learning curves: for each number of roll-outs, how right what was learned is, and how well it solves.

One point is one learner, one seed, one number of roll-outs. The roll-outs of a seed are the same for every
learner, and fewer are the beginning of more. What was learned is asked for fresh turns and for plans; a plan
that fails in the engine that was watched is one more run to learn from, and the learning goes round.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from ggp import registry
from ggp.errors import NotAvailable, PlanError, PuzzleError
from ggp.harness.learning import Play, random_rollouts, shell_of, vgdl_rollout
from ggp.learn.boards import Board, Turn, turns_of
from ggp.learn.eventful import episode_of
from ggp.learn.predictors import PREDICTORS, predictor
from ggp.learn.predictors.foresight import foreseen_plan
from ggp.learn.seen.states import state_of
from ggp.model import Game, Instance, Level, Plan
from ggp.model.result import Clock, OutOfTime
from ggp.proof.equivalence.certificate import certify
from ggp.referee.inputs import parse_action
from ggp.referee.semantics import initial_state, step
from ggp.referee.trajectory import Trajectory, Verdict, replay
from ggp.tasks.oracle import model_of
from ggp.tasks.solving import Run

ROUNDS = 5  # plans that fail and are learned from, one after another
FRESH = 20  # roll-outs of turns that were not seen
FRESH_SEED = 1_000_003  # added to the seed for these
LEARNERS = ("tree", "events")


def learner_names(chosen: Sequence[str] | None) -> tuple[str, ...]:
    """The learners and predictors of these names; without any our own. Raises UnknownName."""
    known = [*(name for name in registry.LEARNERS if name != "null"), *PREDICTORS]
    for name in chosen or ():
        if name not in known:
            raise registry.unknown("learner", name, known)
    return tuple(dict.fromkeys(chosen or LEARNERS))


@dataclass
class Believed:
    """What was learned, whoever learned it: turns can be foreseen by it, and plans made."""

    described: Instance
    learner: str
    seed: int
    solver: str
    seen: list[Trajectory] = field(default_factory=list)
    game: Game | None = None
    model: Any = None
    note: str = ""

    def learn(self) -> None:
        """Learn from all that was seen; `note` says why nothing came of it."""
        self.game, self.model, self.note = None, None, ""
        try:
            if self.learner in PREDICTORS:
                self.model = predictor(self.learner, self.seed)
                self.model.fit(self.turns())
            else:
                module = registry.load("learner", self.learner)
                self.model = module.learn(shell_of(self.described.game), self.seen, self.seed)
                self.game = self.model.game
        except PuzzleError as error:
            self.model, self.note = None, error.findings[0].message

    def turns(self) -> list[Turn]:
        """The distinct transitions that were seen."""
        return list(dict.fromkeys(turns_of(map(episode_of, self.seen))))

    def right(self, turns: Sequence[Turn]) -> float | None:
        """The share of these turns whose whole board is foreseen; None where nothing was learned."""
        if self.model is None or not turns:
            return None
        before, words = [turn.before for turn in turns], [turn.word for turn in turns]
        foreseen = self.model.predict(before, words) if self.game is None else [self.after(t) for t in turns]
        return statistics.fmean(found == turn.after for found, turn in zip(foreseen, turns, strict=True))

    def after(self, turn: Turn) -> Board | None:
        """What the learned rules make of a board; None where they break off."""
        assert self.game is not None
        board = turn.before
        state = state_of(board)
        rows = tuple(state.board[at : at + board.width] for at in range(0, len(state.board), board.width))
        numbers = tuple((name, max(board.height, board.width)) for name, _ in self.described.level.numbers)
        instance = Instance(self.game, Level("seen", rows, 1, numbers, when="horizon"))
        try:
            found = step(instance, state, None if turn.word is None else parse_action(turn.word))
        except PuzzleError as error:
            return board if "changes nothing" in str(error) else None
        return Board(board.height, board.width, tuple(frozenset(map(str, here)) for here in found.board))

    def plan(self, level: Level, limit: float) -> tuple[Plan | None, dict[str, Any]]:
        """A plan by what was learned, with its time, the sizes of the encoding, and what stopped it."""
        clock = Clock(limit)
        if self.model is None:
            return None, {"stop": "error", "seconds": 0.0, "sizes": {}}
        if self.game is None:
            try:
                plan = foreseen_plan(self.model, Instance(self.described.game, level), clock)
                stop = "satisfied" if plan is not None else "unknown"
            except OutOfTime:
                plan, stop = None, "time-limit"
            return plan, {"stop": stop, "seconds": clock.seconds, "sizes": {}}
        return solved(Instance(self.game, level), self.solver, limit)


def solved(instance: Instance, solver: str, limit: float) -> tuple[Plan | None, dict[str, Any]]:
    """The best plan of a solver, with its time, the sizes of the encoding, and what stopped it."""
    run = Run(instance, solver, "best", time_limit=limit)
    try:
        for _ in run:
            pass
    except PuzzleError as error:
        return None, {"stop": "error", "seconds": run.clock.seconds, "sizes": {}, "note": str(error)[:200]}
    assert run.result is not None
    plan = run.plans[-1] if run.plans else None
    return plan, {"stop": run.result.stop, "seconds": run.clock.seconds, "sizes": dict(run.result.sizes)}


def point(
    levels: Sequence[Instance], learner: str, rollouts: int, seed: int, *, solver: str, time_limit: float
) -> dict[str, Any]:
    """One point of a curve: what a learner makes of so many roll-outs, as JSON data.

    `accuracy` is the share of fresh turns that were foreseen whole. Each level has what came of it. Raises
    NotAvailable where the game cannot be watched or the learner cannot run.
    """
    described = levels[0].game
    if learner not in PREDICTORS:
        reason = registry.load("learner", learner).available()
        if reason is not None:
            raise NotAvailable(f"the learner {learner} cannot run here", reason)
    import sklearn.tree  # noqa: F401 - what learning takes is timed, and not what importing does

    play = vgdl_rollout()
    kept = [one.level for one in levels]
    watch = random_rollouts(described, random.Random(seed), play, kept)
    believed = Believed(levels[0], learner, seed, solver, list(islice(watch, rollouts)))
    clock = Clock()
    believed.learn()
    learned_in = clock.seconds
    fresh = random_rollouts(described, random.Random(seed + FRESH_SEED), play, kept)
    unseen = list(dict.fromkeys(turns_of(map(episode_of, islice(fresh, FRESH)))))
    found = {
        "game": described.name,
        "learner": learner,
        "rollouts": rollouts,
        "seed": seed,
        "turns": len(believed.turns()),
        "note": believed.note,
        "exact": certified(described, believed),
        "accuracy": believed.right(unseen),
        "fresh_turns": len(unseen),
        "learn_seconds": round(learned_in, 6),
    }
    # What a solver is asked first of some rules, it imports and compiles for.
    least = min(levels, key=lambda one: len(one.level.board) * len(one.level.board[0]))
    solved(least, solver, time_limit)
    believed.plan(least.level, time_limit)
    return found | {"levels": [at_level(one, believed, play, time_limit) for one in levels]}


def certified(described: Game, believed: Believed) -> bool | None:
    """Is what was learned certified exact? None where there are no rules to certify."""
    if believed.game is None:
        return None if believed.learner in PREDICTORS else False
    return certify(described, believed.game, model_of).exact


def at_level(instance: Instance, believed: Believed, play: Play, limit: float) -> dict[str, Any]:
    """What came of a level: by the described rules, by the learned ones, and by learning from failed plans.

    `lost`: there is a plan, and none was found. `worse`: the plan that wins is not as good as the best.
    """
    own = Believed(believed.described, believed.learner, believed.seed, believed.solver, list(believed.seen))
    own.game, own.model = believed.game, believed.model
    best, known = solved(instance, believed.solver, limit)
    plan, told = own.plan(instance.level, limit)
    first, rounds = dict(told), 0
    failed = plan is not None and not won(instance, plan)
    while plan is not None and not won(instance, plan) and rounds < ROUNDS:
        rounds += 1
        own.seen.append(failed_run(instance, plan, play))
        own.learn()
        plan, told = own.plan(instance.level, limit)
    wins = plan is not None and won(instance, plan)
    return {
        "level": instance.name,
        "stop": first["stop"],
        "seconds": round(first["seconds"], 6),
        "sizes": first["sizes"],
        "described_stop": known["stop"],
        "described_seconds": round(known["seconds"], 6),
        "described_sizes": known["sizes"],
        "failed": failed,
        "rounds": rounds,
        "wins": wins,
        "lost": best is not None and not wins,
        "worse": wins and best is not None and cost(instance, plan) > cost(instance, best),
    }


def cost(instance: Instance, plan: Plan | None) -> int:
    """A winning plan's cost by the game's first objective; 0 where there is none."""
    assert plan is not None
    values = replay(instance, plan).values
    return next((one.cost(values[one.name]) for one in instance.game.objectives), 0)


def won(instance: Instance, plan: Plan) -> bool:
    """Does the plan win by the described rules?"""
    verdict = judged(instance, plan)
    return verdict is not None and verdict.won


def judged(instance: Instance, plan: Plan) -> Verdict | None:
    """The referee's verdict; None where the design is not allowed."""
    try:
        return replay(instance, plan)
    except PlanError:
        return None


def failed_run(instance: Instance, plan: Plan, play: Play) -> Trajectory:
    """What the engine shows of a plan that fails."""
    placed = initial_state(instance, plan.design)
    wide = len(instance.level.board[0])
    rows = tuple(placed.board[at : at + wide] for at in range(0, len(placed.board), wide))
    turns = len(plan.actions) if instance.game.input is not None else instance.level.horizon or 0
    level = Level("failed", rows, max(turns, 1), instance.level.numbers, when="horizon")
    return play(Instance(instance.game, level), list(plan.actions))


# --- many points ------------------------------------------------------------------------------------------


def summed(points: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A row for each game, learner and number of roll-outs, over the seeds: shares, and medians of ratios."""
    rows = []
    for key in dict.fromkeys((one["game"], one["learner"], one["rollouts"]) for one in points):
        some = [one for one in points if (one["game"], one["learner"], one["rollouts"]) == key]
        done = [one for one in some if one.get("stop", "done") == "done"]
        levels = [level for one in done for level in one["levels"]]
        exact = [one["exact"] for one in done if one["exact"] is not None]
        rows.append(
            {
                "game": key[0],
                "learner": key[1],
                "rollouts": key[2],
                "seeds": len(some),
                "ended": len(done),
                "exact": share(exact),
                "accuracy": mean(one["accuracy"] for one in done),
                "won": share([level["wins"] for level in levels]),
                "failed": share([level["failed"] for level in levels]),
                "lost": share([level["lost"] for level in levels]),
                "worse": share([level["worse"] for level in levels]),
                "rounds": mean(level["rounds"] for level in levels),
                "seconds": median(level["seconds"] for level in levels),
                "times_described": median(
                    level["seconds"] / level["described_seconds"]
                    for level in levels
                    if level["wins"] and level["described_seconds"]
                ),
                "variables": median(level["sizes"].get("variables") for level in levels),
                "described_variables": median(level["described_sizes"].get("variables") for level in levels),
                "learn_seconds": median(one["learn_seconds"] for one in done),
            }
        )
    return rows


def share(facts: Sequence[bool]) -> float | None:
    """How many of them are true; None of none."""
    return sum(facts) / len(facts) if facts else None


def mean(values: Iterator[float | None]) -> float | None:
    """The mean of those that there are."""
    there = [value for value in values if value is not None]
    return statistics.fmean(there) if there else None


def median(values: Iterator[float | None]) -> float | None:
    """The median of those that there are."""
    there = [value for value in values if value is not None]
    return statistics.median(there) if there else None
