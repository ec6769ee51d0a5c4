"""VGDL 2.0, as py-vgdl plays it, with stock classes and effects alone: a game and a level in one file.

A pushing game is written by its idiom (`vgdl_push`), anything else by the general scheme
(`vgdl_general`): the passes of the game as effects on probes. The idiom is used only where it plays like
the referee.

The file holds the two strings that py-vgdl takes; `split` divides it. The player's part is in it: keys as
moves, a cursor that places within the budget and a button that begins the run, a cursor that picks. With
a plan its design stands on the map, and there is nothing left to place. A tick in which nothing changes
is no turn, so time does not run on while a player thinks. The score counts the default objective, where
that is turns or placements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from ggp.errors import DescriptionError, Finding
from ggp.exporters.vgdl.general import hand_of, write_general
from ggp.exporters.vgdl.goals import GOAL_WRITERS
from ggp.exporters.vgdl.passes import MOST_LINES, line_count
from ggp.exporters.vgdl.play import (
    Build,
    Outcome,
    Run,
    affordable,
    built_in,
    follow_plan,
    play_at_random,
)
from ggp.exporters.vgdl.push import write_pushing
from ggp.exporters.vgdl.sheet import Layout, split
from ggp.exporters.vgdl.sliding import write_sliding
from ggp.language.carried import carry
from ggp.language.description import read_game, write_game
from ggp.model import Game, Instance, Nearby, Plan, groups_of
from ggp.model.board import Action, State
from ggp.model.export import Check
from ggp.model.features import goal_features
from ggp.referee.designs import placeable
from ggp.referee.semantics import initial_state
from ggp.referee.trajectory import judge
from ggp.transition.compiler import compile_instance

__all__ = [
    "FEATURES",
    "GOAL_WRITERS",
    "NAME",
    "REFUSES",
    "SUFFIX",
    "WHY",
    "available",
    "layout",
    "losses",
    "oracles",
    "split",
    "text",
    "unfit",
    "verify",
    "verify_turns",
    "watch",
]

NAME = "vgdl"
SUFFIX = ".vgdl"
FEATURES = goal_features(GOAL_WRITERS) | frozenset(
    """design design-of-kinds moving-design moves verbs picks waiting physics loops markers merging facings
    values edges variables whole-board horizon-ending any-turn-ending no-horizon losing""".split()
)
COUNTS = "a termination of VGDL counts sprites on the whole board, and nothing counts them in a region"
FLOOD = "what is joined would have to be flooded within a tick, and VGDL goes through its rules once"
VALUES = "each value is a sprite of its own, and nothing in VGDL compares those of distant cells or adds them"
REFUSES = (
    "more than one input without a direction",
    "a pick beside other inputs",
    "several sorts to place, without a plan",
    f"more than {MOST_LINES:,} effects in a tick",
)
WHY = {
    "fill": "the hand that is written for VGDL places pieces; none is written that changes values",
    "goal:different": VALUES,
    "goal:tally": COUNTS,
    "goal:total": VALUES,
    "goal:each": COUNTS,
    "goal:order": VALUES,
    "goal:pairs": COUNTS,
    "goal:runs": COUNTS,
    "goal:visible": VALUES,
    "goal:distinct": VALUES,
    "goal:cover": COUNTS,
    "goal:connected": FLOOD,
    "goal:loop": FLOOD,
    "goal:areas": FLOOD,
    "goal:parts": FLOOD,
    "goal:tour": VALUES,
}
"""Why VGDL text is not written for a feature."""
TRIAL = 60  # random turns in which an idiom must play like the referee
RANDOM_TURNS: Mapping[str, int] = {"the built-in engine": 400, "py-vgdl": 60}  # at most; py-vgdl is slower


def available() -> str | None:
    """None if it can run here, else a sentence that says what to install."""
    return None


def oracles() -> dict[str, str | None]:
    """The foreign engines that verification also uses: None, or a sentence that says how to install each."""
    from ggp.engines import pyvgdl

    return {"py-vgdl": pyvgdl.available()}


def losses(instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
    """Nothing is left out of a text that is written at all; see `unfit` for what cannot be carried."""
    return ()


def text(instance: Instance, plan: Plan | None = None) -> str:
    """The text of an instance; with `plan`, its design already placed."""
    return layout(instance, plan).text


def layout(instance: Instance, plan: Plan | None = None) -> Layout:
    """The text with what is needed to play it."""
    idiom = by_idiom(instance)
    if idiom is not None and not play_at_random(instance, idiom, idiom.text, built_in, TRIAL).difference:
        return idiom
    return with_description(write_general(instance, plan), instance, plan)


def with_description(made: Layout, instance: Instance, plan: Plan | None) -> Layout:
    """The text with the level's description in its comments, where the text plays just that level.

    With a plan whose design is placed it does not; and what does not read back equal is left out.
    """
    if plan is not None and instance.game.design is not None:
        return made
    try:
        description = write_game(instance.game, (instance.level,))
        same = read_game(description.encode(), "") == (instance.game, (instance.level,))
    except DescriptionError:
        return made
    return replace(made, text=carry(made.text, description)) if same else made


def by_idiom(instance: Instance) -> Layout | None:
    """The short text of a game of a known sort."""
    sliding = write_sliding(instance)
    return with_description(sliding, instance, None) if sliding is not None else write_pushing(instance)


def watch(instance: Instance, plan: Plan, inputs: Iterable[Action | None]) -> Iterator[State]:
    """What the engine shows of a level with a plan's design placed: at the start and after each input.

    Stops where the level is over. The idiom is not tried against the referee first: who watches wants to
    see what the engine does, whatever it is.
    """
    built = by_idiom(instance) or write_general(instance, plan)
    run = Run(instance, built, built_in(*split(built.text)))
    yield State(run.board())
    for action in inputs:
        if run.level.ended:
            return
        run.turn(action)
        yield State(run.board())


# --- what cannot be carried -------------------------------------------------------------------------------


def unfit(instance: Instance, plan: Plan | None = None) -> tuple[Finding, ...]:
    """What stands against a text: too few keys, a run that is over at once, too many effects."""
    return tuple(refusals(instance, plan))


def refusals(instance: Instance, plan: Plan | None, to: str = NAME) -> Iterator[Finding]:
    """What stands against an export beyond the features that the format lacks; `to` is its name."""
    game = instance.game
    declared, design = game.input, game.design
    if declared is not None and len(declared.verbs) > 1:
        message = f"{to} has one key for inputs without a direction, and there are {len(declared.verbs)}"
        yield Finding(message, "leave one verb", declared.place)
    if (
        declared is not None
        and declared.pick is not None
        and (declared.moves or declared.verbs or declared.wait)
    ):
        message = f"{to} needs the keys for the cursor that picks, so none are left for other inputs"
        yield Finding(message, "leave either the pick or the others", declared.place)
    sorts = len(placeable(instance))
    if design is not None and plan is None and sorts != 1:
        message = f"{to} places pieces of one sort, and `{design.named}` has {sorts}"
        yield Finding(message, "export it with a plan, whose design is then placed", design.place_in_file)
    if hand_of(instance, plan)[1] != "release":
        yield from over_at_once(instance, plan, to)
    transition = compile_instance(instance)
    lines = line_count(transition.turn + transition.physics)
    if lines > MOST_LINES:
        yield too_long(game, lines, to)


def too_long(game: Game, lines: int, to: str) -> Finding:
    """That so many effects are too many, and what most likely makes them: a loop, else a count of cells."""
    phases = (*game.turn, *game.physics)
    rules = (rule for phase in phases for group in groups_of(phase) for rule in group.rules)
    loops = [phase.place for phase in phases if phase.bound is not None]
    counts = [one.place for rule in rules for one in rule.conditions if isinstance(one, Nearby)]
    what, remedy = "every rule out for all that it may meet", "say it with fewer rules"
    if loops:
        what, remedy = "loops out", "lower the bounds"
    elif counts:
        what, remedy = "out each way to count cells", "count fewer cells"
    message = f"{to} writes {what}, and this takes some {lines:,} effects in every tick"
    place = next(iter([*loops, *counts]), None) or game.place
    return Finding(message, f"the limit is {MOST_LINES:,}: {remedy}", place)


def over_at_once(instance: Instance, plan: Plan | None, to: str = NAME) -> Iterator[Finding]:
    """VGDL asks only after a tick whether the level is over."""
    state = initial_state(instance, plan.design if plan is not None else ())
    reason = judge(instance, [state])[1]
    if reason is not None:
        message = (
            f"{to} asks after a tick whether a level is over, and this one is before the first: {reason}"
        )
        yield Finding(message, "there is nothing to play", instance.level.place)


# --- verification -----------------------------------------------------------------------------------------


def verify(instance: Instance, text: str, plan: Plan | None = None) -> Iterator[Check]:
    """Play the text in the built-in engine, and in py-vgdl where it is installed, beside the referee.

    Board, win, loss and turn are compared after every turn: of the plan, else of the level's known plans and
    of random runs.
    """
    return verify_turns(instance, text, plan)


def verify_turns(
    instance: Instance, text: str, plan: Plan | None, turns: int | None = None
) -> Iterator[Check]:
    """The same, with so many random turns in the built-in engine (None: as many as it plays quickly)."""
    expected = layout(instance, plan)
    engines: dict[str, Build] = {"the built-in engine": built_in}
    if oracles()["py-vgdl"] is None:
        from ggp.engines import pyvgdl

        engines["py-vgdl"] = pyvgdl.build
    plans = {"the plan": plan} if plan is not None else known_plans(instance)
    for engine, build in engines.items():
        for name, one in plans.items():
            yield checked(f"{name} in {engine}", follow_plan, instance, expected, text, build, one)
        if plan is None:
            most = affordable(expected, RANDOM_TURNS[engine])
            most = turns if turns is not None and build is built_in else most
            yield checked(f"random play in {engine}", play_at_random, instance, expected, text, build, most)


def checked(what: str, play: Callable[..., Outcome], *arguments: object) -> Check:
    """What became of playing, an error of the engine included."""
    try:
        outcome = play(*arguments)
    except Exception as error:  # a foreign engine may raise anything at all
        return Check(what, False, f"{type(error).__name__}: {error}")
    return Check(
        what, not outcome.difference, outcome.difference or f"{outcome.turns} turns, {outcome.ticks} ticks"
    )


def known_plans(instance: Instance) -> dict[str, Plan]:
    """The plans that are known of the level."""
    known = instance.level.known
    plans = {f"known win {number}": plan for number, plan in enumerate(known.wins, 1)}
    return plans | {f"known loss {number}": plan for number, plan in enumerate(known.loses, 1)}
