"""Which search answers a question about a puzzle with inputs, and how one search hands over to another."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import suppress
from typing import Any, NamedTuple

from ggp.analysis.plainer import plainer
from ggp.analysis.relaxed_in_order import why_never_won
from ggp.errors import Unfit, UnsupportedFeature
from ggp.model import Instance, Objective, Plan
from ggp.referee.inputs import all_actions
from ggp.referee.scanning.turn import no_pause
from ggp.referee.semantics import ending, initial_state, is_goal, is_lost
from ggp.referee.trajectory import tidy
from ggp.search.moving import Found, MovingSearch, StateSearch
from ggp.search.push.session import Sessions
from ggp.transition.compiler import compile_instance
from ggp.transition.macros import find_agent
from ggp.transition.native import compiling

Tick = Callable[[], None]
Told = Callable[[int], None]
Answer = Generator[Plan, None, tuple[Found, str]]
# What a short look at rules in scan order may take: a state asks each rule of each cell, some millions in
# a second. It counts no seconds: of plans that are as short every machine finds the same one.
LOOK = 2_000_000
LEAST = 10  # states
# Nor more than so many pauses: one a group of rules that is gone through, and one for each few matches of a
# rule. So turns that go on and on, or rules of many brackets, are not looked at for seconds.
MOST_PAUSES = 20_000
GLIMPSE = 10  # states that are looked at one turn at a time while loading what does better takes longer
FEW = 24  # actions: where there are more, a short look takes as many states less


class Enough(Exception):
    """A short look was not enough."""


def unheard(least: int) -> None:
    """Stands for nobody who wants to know what is proved."""


class NeverWon(Exception):
    """No turn wins, and why, in words."""


class Asked(NamedTuple):
    """What is asked of a search.

    `tick` is called often and `check` now and then; both may raise. `first`: any plan will do. `auto` looks
    at `glance` states one turn at a time before it makes tables. `told` hears, now and then, what no plan
    costs less than. `sessions` opens what clauses are told, if there is such a thing.
    """

    instance: Instance
    objective: Objective | None
    tick: Tick
    check: Tick
    algorithm: str = "auto"
    first: bool = False
    glance: int = 0
    told: Told = unheard
    sessions: Sessions | None = None

    @property
    def by_turns_alone(self) -> bool:
        """Will any plan do, or one of fewest turns?"""
        return self.first or self.objective is None or self.objective.counts == "turns"


def plans(asked: Asked) -> Answer:
    """A best plan (`first`, or `greedy`: any plan), and how it was found, in words; sooner perhaps others.

    Raises MemoryError where half of the free memory is used up, and NeverWon where the rules show that no
    turn wins.
    """
    return (yield from (scanned if asked.instance.game.scan is not None else best)(asked))


def best(asked: Asked) -> Answer:
    """The same where rules are passes."""
    instance, algorithm = asked.instance, asked.algorithm
    if asked.objective is not None and asked.objective.highest and not asked.first:
        if algorithm not in ("auto", "plain"):
            message = f"search:{algorithm} does not look for the highest score"
            raise UnsupportedFeature(message, "take `search`, which does", asked.objective.place)
        from ggp.search.scoring import highest

        return highest(MovingSearch(instance, asked.objective), asked.tick), "in layers of turns"
    if algorithm == "ida":
        from ggp.search.deepening import Deepening

        return Deepening(instance, asked.objective).best(asked.tick), "by deepening"
    layered = False
    if algorithm == "auto" and asked.by_turns_alone:
        pressed = by_presses(asked)
        if pressed is not None:
            return pressed
    if algorithm == "auto":
        pushing = may_fit(instance)
        layered = asked.by_turns_alone and compiling.usable() and may_layer(instance)
        algorithm = "plain"
        if pushing or layered:
            try:
                few = asked.glance * FEW // max(FEW, len(list(all_actions(instance))))
                return MovingSearch(instance, asked.objective).best(
                    limited(asked.tick, few)
                ), "one turn at a time"
            except Enough:
                algorithm = ("first" if asked.first else "astar") if pushing else "plain"
    if algorithm != "plain":
        found = yield from by_pushes(asked, algorithm)
        if found is not None:
            return found, "from push to push"
    if algorithm == "greedy":
        from ggp.search.deepening import greedy

        return greedy(instance, asked.objective, asked.tick), "by what is missing"
    if layered:
        found = over_at_once(instance)
        if found is not None:
            return found, "one turn at a time"
        return (yield from near_and_new(instance, asked.check, asked.first))
    return MovingSearch(instance, asked.objective).best(asked.tick), "one turn at a time"


def over_at_once(instance: Instance) -> Found | None:
    """What comes of a run that is won or lost before its first turn; None if it goes on.

    A short look sees that, unless there are so many inputs that it does not even begin.
    """
    start = initial_state(instance)
    if is_lost(instance, start):
        return Found(None, 0, False, 1)
    return Found(Plan((), ()), 0, False, 1) if is_goal(instance, start) else None


def by_presses(asked: Asked) -> tuple[Found, str] | None:
    """A plan of fewest turns where the order of picks does not matter; None where it does."""
    from ggp.analysis.presses import Presses

    instance, check = asked.instance, asked.check
    try:
        presses = Presses(instance, compile_instance(instance), check)
        with suppress(Enough):
            found = MovingSearch(instance, asked.objective).best(limited(check, GLIMPSE))
            if not found.cut:  # else more turns might win, and presses say whether
                return found, "one turn at a time"
        from ggp.search.presses import Strip

        return Strip(presses).best(instance.level.horizon, check), "press by press"
    except Unfit:
        return None


def scanned(asked: Asked) -> Answer:
    """The same for rules in scan order: a short look, then in machine code, where turns are what counts."""
    instance, check = asked.instance, asked.check
    any_plan = asked.first or asked.algorithm == "greedy"
    by_cost = not asked.by_turns_alone and not any_plan
    if asked.algorithm == "plain" or by_cost or not compiling.usable():
        return by_turns(instance, asked.objective, check).best(check), "one turn at a time"
    left, searched, guide = plainer(instance), instance, None
    if left is not None and left.exact:
        searched = left.instance
    elif left is not None:
        guide = left.instance
    try:
        search = by_turns(searched, asked.objective, limited(check, MOST_PAUSES))
        return search.best(limited(check, look(searched, asked.glance))), "one turn at a time"
    except Enough:
        reason = why_never_won(instance, check)
        if reason:
            raise NeverWon(reason) from None
        return (yield from near_and_new(searched, check, any_plan, guide))


def near_and_new(instance: Instance, check: Tick, any_plan: bool, guide: Instance | None = None) -> Answer:
    """By machine code, where turns are what counts: some plan soon, then the best one.

    `guide`: the same without what hardly makes a difference, for plans that are then replayed.
    """
    from ggp.search.guided.anytime import Anytime

    anytime = Anytime(instance, check, guide)
    if any_plan:
        return anytime.some(), "by what is near and new"
    return (yield from anytime.best()), "in layers of turns"


def may_layer(instance: Instance) -> bool:
    """Are its states gone through in machine code: passes, won at the turn at which the goal holds?"""
    game = instance.game
    judged = all(hasattr(term, "test") for term in (*game.goal.terms, *game.goal.lose))
    return judged and ending(instance) == "any-turn" and game.design is None and len(game.players) < 2


def look(instance: Instance, most: int) -> int:
    """How many states a short look at rules in scan order takes, `most` at most."""
    scan = instance.game.scan
    assert scan is not None
    cells = sum(map(len, instance.level.board))
    return max(LEAST, min(most, LOOK // max(1, len(scan.rules) * cells)))


def by_turns(instance: Instance, objective: Objective | None, pause: Tick = no_pause) -> StateSearch[Any]:
    """The search through single turns that an instance's rules ask for.

    A turn of rules in scan order may take long: `pause` is called within it.
    """
    if instance.game.scan is None:
        return MovingSearch(instance, objective)
    from ggp.search.scanning import ScanSearch

    return ScanSearch(instance, objective, pause)


def may_fit(instance: Instance) -> bool:
    """Is there one agent, and is it worth a look whether the search from push to push applies?"""
    return ending(instance) == "any-turn" and find_agent(instance, compile_instance(instance)) is not None


def limited(tick: Tick, most: int) -> Tick:
    """A tick that gives up after so many calls."""
    count = 0

    def limited_tick() -> None:
        nonlocal count
        count += 1
        if count > most:
            raise Enough
        tick()

    return limited_tick


def short(going: Generator[Plan, None, Found], horizon: int | None) -> Generator[Plan, None, Found]:
    """A search, without the plans on the way that take more turns than the horizon."""
    while True:
        try:
            plan = next(going)
        except StopIteration as stop:
            found: Found = stop.value
            return found
        if horizon is None or len(plan.actions) <= horizon:
            yield plan


def by_pushes(asked: Asked, algorithm: str) -> Generator[Plan, None, Found | None]:
    """The answer of the search from push to push; None where it does not apply, or cannot tell.

    Before it, perhaps, plans that are not as good, and take no more turns than the horizon.
    """
    if not compiling.usable():
        return None
    import psutil

    from ggp.search.push.macro import MacroSearch

    instance, objective = asked.instance, asked.objective
    horizon = instance.level.horizon
    try:
        search = MacroSearch(instance, objective, compile_instance(instance), asked.sessions)
        most_bytes = psutil.virtual_memory().available // 2
        going = search.going(asked.check, algorithm, most_bytes, asked.told)
        found = yield from short(going, horizon)
    except Unfit:
        return None
    if found.plan is not None and algorithm == "greedy":
        # Going by the bound alone, it may have walked on over a place where it had won.
        found = found._replace(plan=tidy(instance, found.plan))
    if found.plan is None or horizon is None or len(found.plan.actions) <= horizon:
        return found
    # The plan takes too many turns. Where turns are what it costs, all do; else a dearer plan may be shorter.
    if algorithm not in ("greedy", "first") and (objective is None or objective.counts == "turns"):
        return found._replace(plan=None, cut=True)
    return None
