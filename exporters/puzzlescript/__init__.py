"""A whole game as PuzzleScript text: pasted into the editor of puzzlescript.net it can be played.

The level asked for comes first, then the other levels of the game that the same text can hold. The player's
part is in it (`puzzlescript_player`), the horizon is kept, and each rule carries ours as a comment. What is
written is exact: turn by turn the engine shows the referee's board, and wins and loses when it does.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ggp.engines import puzzlescript as engine
from ggp.errors import Finding, Place, UnsupportedFeature
from ggp.exporters.puzzlescript.judge import difference
from ggp.exporters.puzzlescript.levels import MOST_CONTENTS
from ggp.exporters.puzzlescript.play import Expected, at_random, of_plan
from ggp.exporters.puzzlescript.script import MOST_ROUNDS, Script
from ggp.exporters.puzzlescript.words import WHY as WHY
from ggp.exporters.puzzlescript.words import unfit as unfit_words
from ggp.goals.count import Count
from ggp.model import Instance, Plan
from ggp.model.board import amount, height, variants, width
from ggp.model.export import Check
from ggp.referee.semantics import ending, initial_state, is_goal, is_lost

NAME = "puzzlescript"
SUFFIX = ".txt"
FEATURES = frozenset(
    """design fill moving-design fill-and-physics design-and-input moves verbs picks waiting physics loops
    markers merging facings values edges variables horizon-ending any-turn-ending no-horizon losing
    goal:on goal:count goal:different goal:shape goal:tally goal:each goal:order goal:distinct
    goal:cover""".split()
)
MOST_VALUES = 36  # digits and capitals
RANDOM_RUNS, RANDOM_KEYS = 12, 60  # what verification plays besides the plans that are known
BATCH = 5_000  # turns that one process of the engine plays


def available() -> str | None:
    """None: writing the text needs nothing. Playing it needs an engine, see `ggp.engines.puzzlescript`."""
    return None


@lru_cache(maxsize=4)
def written(instance: Instance, plan: Plan | None) -> Script:
    """The game as it is written; asked for its losses, its text and its verification, it is made once."""
    return Script(instance, plan)


def losses(instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
    """What the text does differently. Raises UnsupportedFeature for what PuzzleScript cannot do at all."""
    refuse(instance, plan)
    found: list[Finding] = []
    declared, goal = instance.game.input, instance.game.goal
    if declared is not None and declared.wait and (declared.verbs or declared.pick):
        found.append(lost("there is no key left for waiting: X has a meaning already", declared.place))
    rounds = written(instance, plan).rounds()
    if rounds > MOST_ROUNDS:
        place = next((p.place for p in (*instance.game.turn, *instance.game.physics) if p.bound), None)
        message = f"loops may take {rounds} rounds a turn; PuzzleScript leaves them after {MOST_ROUNDS}"
        found.append(lost(message, place))
    start = initial_state(instance, plan.design if plan is not None else (), partial=True)
    fill = instance.game.design is not None and instance.game.design.fill
    won = is_goal(instance, start) and ending(instance) == "any-turn" and not fill
    if won or is_lost(instance, start):
        what = "won" if won else "lost"
        message = (
            f"level {instance.level.name} is {what} at the start; PuzzleScript sees it after the first key"
        )
        found.append(lost(message, instance.level.place or goal.place))
    return tuple(found)


def lost(message: str, place: Place | None) -> Finding:
    """One loss."""
    return Finding(message, "leave it so with --allow-loss", place)


def refuse(instance: Instance, plan: Plan | None) -> None:
    """Raise UnsupportedFeature with everything that PuzzleScript cannot do, each with its place."""
    faults = tuple(unfit(instance))
    if not faults and not written(instance, plan).fits:
        message = (
            f"level {instance.level.name} has more than {MOST_CONTENTS} cells that hold different things"
        )
        faults = (Finding(message, "a map of PuzzleScript has one sign for each", instance.level.place),)
    if faults:
        raise UnsupportedFeature.of(NAME, faults)


def unfit(instance: Instance) -> Iterator[Finding]:
    """What PuzzleScript cannot do, as far as it can be told before writing."""
    game, level = instance.game, instance.level
    declared = game.input
    yield from unfit_words(instance)
    if declared is None and game.design is None:
        yield Finding(
            "there is nothing to place and nothing to press", "there is nothing to play", game.place
        )
    if declared is not None and len(declared.verbs) > 1:
        verbs = ", ".join(declared.verbs)
        yield Finding(
            f"PuzzleScript has one key besides the arrows, not one each for {verbs}", "", declared.place
        )
    if declared is not None and declared.pick and (declared.moves or declared.verbs):
        yield Finding("the keys that pick a cell cannot make moves as well", "", declared.place)
    moving = declared is not None or bool(game.physics)
    if moving and level.horizon == 0:
        message = f"level {level.name} ends before its first turn"
        yield Finding(message, "PuzzleScript judges after a turn", level.place)
    for kind in game.kinds:
        if kind.values is not None and len(variants(instance, kind)) > MOST_VALUES:
            yield Finding(
                f"`{kind.name}` has more than {MOST_VALUES} values", "one sign each is drawn", kind.place
            )
    for term in (*game.goal.terms, *game.goal.lose):
        if isinstance(term, Count) and amount(instance, term.number) > height(instance) * width(instance):
            yield Finding(f"`{term.source()}` counts further than the board has cells", "", term.place)


def export(instance: Instance, plan: Plan | None = None) -> str:
    """The PuzzleScript text. With a plan its design is already placed, and only this level is in it.

    Raises UnsupportedFeature for what PuzzleScript cannot do.
    """
    refuse(instance, plan)
    return written(instance, plan).text()


def verify(
    instance: Instance, text: str, plan: Plan | None = None, *, turns: int | None = None
) -> Iterator[Check]:
    """Play the text in the engine and compare each turn with the referee: board, win, loss, turn, undo.

    A plan is played as it is; without one the plans that are known, and keys at random: a dozen runs, or as
    many as make up `turns`, in all levels that the text holds. Raises NotAvailable.
    """
    missing = engine.missing("there is no PuzzleScript engine here to verify with")
    if missing is not None:
        raise missing
    script = written(instance, plan)
    runs = list(rehearsals(script, instance, plan))
    (game,) = engine.play([job(script, text, [expected for _, expected in runs])])
    yield Check("PuzzleScript reads it without complaint", not game.faults, "; ".join(game.faults[:3]))
    if game.faults:
        return
    for (what, expected), run in zip(runs, game.runs, strict=True):
        wrong = difference(script, expected, run)
        outcome = "won" if expected.frames[-1][1].won else "lost" if expected.frames[-1][1].lost else "open"
        played = f"{len(expected.keys)} keys, {expected.turns} turns, {outcome}"
        yield Check(f"{what}: board, win, loss and turn", wrong is None, wrong or played)
    if turns is not None and plan is None:
        yield many_turns(script, text, turns)


def many_turns(script: Script, text: str, turns: int) -> Check:
    """Keys at random in all levels of a text, until they have made so many turns, some at a time."""
    made = runs = 0
    while made < turns:
        some = play_some(script, text, min(BATCH, turns - made), runs)
        made, runs = made + some.turns, runs + some.runs
        if some.difference:
            return Check("random keys", False, some.difference)
        if not some.turns:
            break
    return Check("random keys: no state differs", made >= turns, f"{made} turns in {runs} runs")


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
