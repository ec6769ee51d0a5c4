"""Plays an exported text in the engine, and compares each turn with the referee: board, win, loss, undo."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ggp.engines import puzzlescript as engine
from ggp.exporters.puzzlescript.judge import difference
from ggp.exporters.puzzlescript.play import Expected, at_random, of_plan
from ggp.exporters.puzzlescript.script import Script
from ggp.model import Instance, Plan
from ggp.model.export import Check

RANDOM_RUNS, RANDOM_KEYS = 12, 60  # what verification plays besides the plans that are known
PACK_RUNS = 2  # the same for each level of a whole file
BATCH = 5_000  # turns that one process of the engine plays


def verified(
    script: Script, instance: Instance, text: str, plan: Plan | None, turns: int | None = None
) -> Iterator[Check]:
    """A plan is played as it is; without one the plans that are known, and keys at random.

    With `turns` there are random keys besides, in all levels, until they make so many. Raises NotAvailable.
    """
    runs = list(rehearsals(script, instance, plan))
    game = played(script, text, [expected for _, expected in runs])
    yield Check("PuzzleScript reads it without complaint", not game.faults, "; ".join(game.faults[:3]))
    if game.faults:
        return
    for (what, expected), run in zip(runs, game.runs, strict=True):
        wrong = difference(script, expected, run)
        outcome = "won" if expected.frames[-1][1].won else "lost" if expected.frames[-1][1].lost else "open"
        told = f"{len(expected.keys)} keys, {expected.turns} turns, {outcome}"
        yield Check(f"{what}: board, win, loss and turn", wrong is None, wrong or told)
    if turns is not None and plan is None:
        yield many_turns(script, text, turns)


def verified_each(script: Script, text: str, turns: int | None = None) -> Iterator[Check]:
    """The same for each level of a text, with fewer runs: one check a level. Raises NotAvailable."""
    runs = {one: [seen for _, seen in some_of(script, one)] for one in script.instances}
    game = played(script, text, [expected for some in runs.values() for expected in some])
    yield Check("PuzzleScript reads it without complaint", not game.faults, "; ".join(game.faults[:3]))
    if game.faults:
        return
    shown = iter(game.runs)
    for one, some in runs.items():
        wrong = [fault for expected in some if (fault := difference(script, expected, next(shown)))]
        told = f"{len(some)} runs, {sum(expected.turns for expected in some)} turns"
        yield Check(
            f"level {one.level.name}: board, win, loss and turn", not wrong, wrong[0] if wrong else told
        )
    if turns is not None:
        yield many_turns(script, text, turns)


def played(script: Script, text: str, some: list[Expected]) -> engine.Game:
    """What the engine shows. Raises NotAvailable."""
    missing = engine.missing("there is no PuzzleScript engine here to verify with")
    if missing is not None:
        raise missing
    (game,) = engine.play([job(script, text, some)])
    return game


def many_turns(script: Script, text: str, turns: int) -> Check:
    """Keys at random in all levels of a text, until they have made so many turns, some at a time.

    Where keys make no turn (nothing moves, or nothing can) that is told, and is no difference.
    """
    made = runs = 0
    while made < turns:
        some = play_some(script, text, min(BATCH, turns - made), runs)
        made, runs = made + some.turns, runs + some.runs
        if some.difference:
            return Check("random keys", False, some.difference)
        if not some.turns:
            break
    what = "random keys: no state differs" if made else "random keys make no turn: no state differs"
    return Check(what, True, f"{made} turns in {runs} runs")


class Played(NamedTuple):
    """What became of random runs: `difference` says where the engine first parted from the referee, or ""."""

    turns: int
    runs: int
    difference: str


def play_some(script: Script, text: str, turns: int, first: int) -> Played:
    """Random runs in all levels of a text in turn, from number `first` on, until they make so many turns.

    One process of the engine plays them. Raises NotAvailable.
    """
    some: list[Expected] = []
    made = 0
    while made < turns and len(some) < turns:
        number = first + len(some)
        level = script.instances[number % len(script.instances)]
        some.append(at_random(script, level, f"many {number}", RANDOM_KEYS))
        made += some[-1].turns
    (game,) = engine.play([job(script, text, some)])
    for expected, run in zip(some, game.runs, strict=True):
        wrong = difference(script, expected, run)
        if wrong is not None:
            return Played(made, len(some), f"{expected.instance.name}, {expected.keys}: {wrong}")
    return Played(made, len(some), "")


def job(script: Script, text: str, some: list[Expected]) -> engine.Job:
    """What the engine is to play."""
    return engine.Job(text, [(script.level_number(one.instance), one.keys) for one in some])


def rehearsals(script: Script, instance: Instance, plan: Plan | None) -> Iterator[tuple[str, Expected]]:
    """What verification plays: (what it is, what must be seen)."""
    if plan is not None:
        yield "the plan", of_plan(script, instance, plan)
        return
    known = instance.level.known
    for word, plans in (("wins", known.wins), ("loses", known.loses)):
        for number, one in enumerate(plans):
            yield f"plan {number + 1} that {word}", of_plan(script, instance, one)
    for number in range(RANDOM_RUNS):
        yield f"random keys {number + 1}", at_random(script, instance, f"verify {number}", RANDOM_KEYS)


def some_of(script: Script, instance: Instance) -> Iterator[tuple[str, Expected]]:
    """The same for one level of many: a plan that wins, one that loses, some keys at random."""
    known = instance.level.known
    for plan in (*known.wins[:1], *known.loses[:1]):
        yield "plan", of_plan(script, instance, plan)
    for number in range(PACK_RUNS):
        yield "random keys", at_random(script, instance, f"verify {number}", RANDOM_KEYS)
