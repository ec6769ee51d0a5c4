"""From a question to encodings: which to try, and what an answer about one of them proves.

Shared by every solver that works through the Encoding. Where any plan will do, or the fewest turns are
wanted, it is asked about longer and longer runs, up to the horizon; else all turns are one encoding.
Where the rules allow it, what is counted is deepened instead, from a lower bound: a plan with so much of
it, and none with less, is the proof that it is a best one.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace

from ggp.analysis.fewest import fewest_turns
from ggp.analysis.foreseen import NOTHING, Foreseen, foreseen
from ggp.analysis.relaxed import FAR, Relaxed, longest_way
from ggp.encoding import macro, timed
from ggp.encoding.constraints import Clause, Encoding
from ggp.encoding.literals import Why
from ggp.encoding.lowering.route import ANY, Backend, lowered
from ggp.encoding.occupancy import encode
from ggp.encoding.relevance import only_consulted
from ggp.encoding.sizes import TooLarge, refuse_too_long
from ggp.errors import PuzzleError
from ggp.model import Instance, Plan
from ggp.model.result import Outcome, OutOfTime, Query
from ggp.referee.semantics import ending
from ggp.transition.compiler import compile_instance
from ggp.transition.macros import find_agent, single_cost

SHORT = 2  # turns of the shortest runs that are asked about
NEAR = 2  # times as long: of what is shorter by less the half would be written twice
LOST = "some piece can never get to where the goal wants it"


@dataclass(frozen=True)
class Attempt:
    """An encoding and what answers about it prove.

    `final`: an answer "none" here ends the search for one. `least`: no plan has less of what the objective
    counts, and those of the encoding have just this. `never`: why no plan wins at all if none is here.
    """

    encoding: Encoding
    final: bool
    least: int | None = None
    never: str = ""


Ask = Callable[[Attempt, Query], Generator[Plan, None, Outcome]]
"""How a solver answers about one encoding; its outcome has been through `conclude`."""
Written = Callable[[int, int], Encoding]
"""The encoding of so many turns, of whose plans none is shorter than so many."""


def turn_by_turn(
    instance: Instance, query: Query, ask: Ask, backend: Backend = ANY, written: Written | None = None
) -> Generator[Plan, None, Outcome]:
    """Put encodings to a solver until one of them answers the question; each is lowered to its `backend`.

    They say what stands where, if it is not `written` how else.

    Raises PuzzleError where all plans are asked for and no horizon bounds them.
    """
    last = Outcome("time-limit")
    turns = 0  # no plan has fewer
    try:
        for attempt in attempts(instance, query, backend, written):
            last = yield from ask(attempt, query)
            if attempt.never or last.stop not in ("unsolvable", "horizon-exhausted"):
                break
            turns = attempt.encoding.horizon + 1
    except OutOfTime:
        if not turns:
            raise
        last = Outcome("time-limit", sizes=last.sizes)
    return with_bound(last, query, turns) if turns else last


# --- macro turns


def macro_turns(instance: Instance, query: Query) -> Relaxed | None:
    """The instance for macro turns, where each push counts once and steps do not; else None.

    Where any plan will do, any objective may be deepened.
    """
    if query.want not in ("best", "first"):
        return None
    found = find_agent(instance, compile_instance(instance))
    if found is None:
        return None
    given = instance.game.objectives if query.want == "first" else ()
    for objective in given if query.objective is None or query.want == "first" else (query.objective,):
        relaxed = Relaxed(instance, found, objective)
        if single_cost(found, instance, objective) and macro.supported(relaxed):
            return relaxed
    return None


def deepened(relaxed: Relaxed, query: Query, ask: Ask, backend: Backend) -> Generator[Plan, None, Outcome]:
    """Answer in macro turns, with more and more pushes.

    Of plans with as many pushes a solver gives out any, and its walks may be longer than the horizon. From
    there on the encoding tells the time, which costs more and is seldom needed.
    """
    horizon, pushes = relaxed.instance.level.horizon, relaxed.matching[0]
    turns: int | None = None  # at most, where the encoding tells the time
    while horizon is None or pushes <= horizon or pushes >= FAR:
        try:
            never = LOST if pushes >= FAR else ""
            attempt = Attempt(pushed(relaxed, pushes, query, backend, turns), False, pushes, never)
            outcome = yield from within(ask(attempt, query), horizon)
        except OutOfTime:
            outcome = Outcome("time-limit")
        if outcome is None:
            if turns is not None:
                raise timed.longer(turns)
            turns = horizon
            continue
        if outcome.stop == "time-limit":
            return replace(outcome, bound=pushes, note=f"any plan has {pushes} or more of what is counted")
        if outcome.stop != "horizon-exhausted":
            return outcome
        pushes += relaxed.stride
    return Outcome("horizon-exhausted", True, note=f"no plan within {horizon} turns")


def within(
    answers: Generator[Plan, None, Outcome], horizon: int | None
) -> Generator[Plan, None, Outcome | None]:
    """Pass on the plans of a solver and its outcome; None as soon as one is longer than the horizon."""
    try:
        while True:
            try:
                plan = next(answers)
            except StopIteration as end:
                outcome: Outcome = end.value
                return outcome
            if horizon is not None and len(plan.actions) > horizon:
                return None
            yield plan
    finally:
        answers.close()


def pushed(
    relaxed: Relaxed, pushes: int, query: Query, backend: Backend, turns: int | None = None
) -> Encoding:
    """The encoding of so many pushes, as the solver takes it; with walks it has at most so many `turns`."""
    if pushes >= FAR:
        return contradiction(relaxed.instance)
    check = query.clock.check
    with query.clock.writing():
        if turns is None:
            encoding = macro.encode(relaxed, pushes, check)
        else:
            encoding = timed.encode(relaxed, pushes, turns, check)
        return lowered(encoding, backend, check).encoding


# --- turn by turn


def contradiction(
    instance: Instance, why: str = "every piece can get to a wanted place of its own"
) -> Encoding:
    """The encoding that has no plan, for this cannot be; by default some piece is lost."""
    return Encoding(instance, 0, constraints=[Clause((), Why(why))])


def attempts(
    instance: Instance, query: Query, backend: Backend = ANY, written: Written | None = None
) -> Iterator[Attempt]:
    """The encodings to ask about, one after another: of one horizon, or of longer and longer ones."""
    horizon = instance.level.horizon
    moving = instance.game.input is not None or bool(instance.game.physics)
    if (horizon is not None or not moving) and not deepens(instance, query):
        with query.clock.writing():
            plain = NOTHING if moving or not backend.presolve else foreseen(instance, query.clock.check)
        if plain.broken:
            yield Attempt(contradiction(instance, plain.broken), True)
            return
        yield Attempt(make(instance, query, horizon or 0, backend, written=written, plain=plain), True)
        return
    if query.want in ("all", "count") or instance.game.input is None:
        raise PuzzleError(f"{instance.name} has no horizon", "give it a horizon: so many turns at most")
    if horizon is not None and written is None:
        refuse_too_long(instance, compile_instance(instance), horizon)  # before shorter runs take minutes
    with query.clock.writing():
        turns = soonest(instance)
    if turns >= FAR:
        yield Attempt(contradiction(instance), True, never=LOST)
        return
    shortest = max(turns, SHORT)
    for longest in horizons(shortest, horizon):
        try:
            encoding = make(instance, query, longest, backend, turns, written)
        except TooLarge:
            if longest == shortest or horizon is not None:
                raise
            return
        yield Attempt(encoding, longest == horizon, never=encoding.never)
        turns = longest + 1


def deepens(instance: Instance, query: Query) -> bool:
    """Does the shortest plan answer it, so that it is asked about short runs first?"""
    if instance.game.input is None or ending(instance) != "any-turn":
        return False
    by_turns = query.objective is None or query.objective.counts == "turns"
    return query.want == "first" or (query.want == "best" and by_turns)


def soonest(instance: Instance) -> int:
    """The turn before which no plan ends, of games that end as soon as they are won; FAR where none can."""
    if ending(instance) != "any-turn":
        return 0
    agent = find_agent(instance, compile_instance(instance))
    return max(fewest_turns(instance), 0 if agent is None else longest_way(instance, agent))


def horizons(shortest: int, longest: int | None) -> Iterator[int]:
    """How long the runs are that are asked about, each twice as long as the last; up to the longest.

    Who gives a horizon often gives a good one, so what comes near to it is not asked about first.
    """
    horizon = shortest
    while longest is None or horizon * NEAR < longest:
        yield horizon
        horizon *= 2
    yield longest


def make(
    instance: Instance,
    query: Query,
    horizon: int,
    backend: Backend = ANY,
    least: int = 0,
    written: Written | None = None,
    plain: Foreseen = NOTHING,
) -> Encoding:
    """The encoding for a question, as the solver takes it; no plan has fewer than the `least` turns.

    `plain` is what is known of the design beforehand.
    """
    objective = query.objective if query.want == "best" else None
    with query.clock.writing():
        if written is not None:
            encoding = written(horizon, least)
        else:
            encoding = encode(
                instance,
                horizon=horizon,
                least=least,
                objective=objective,
                native=backend.native,
                plain=plain.cells,
                tick=query.clock.check,
            )
        if query.want in ("all", "count"):
            only_consulted(encoding)
        query.clock.check()
        if query.passes is not None:
            encoding = query.passes(encoding)
        return lowered(encoding, backend, query.clock.check).encoding


def with_bound(outcome: Outcome, query: Query, turns: int) -> Outcome:
    """An outcome for which shorter runs were gone through: where it came to no end, that much is known."""
    if outcome.stop not in ("time-limit", "memory-limit"):
        return outcome
    note = f"any plan has {turns} or more turns"
    if query.objective is None or query.objective.counts != "turns":
        return replace(outcome, note=note)
    return replace(outcome, bound=max(outcome.bound or 0, turns), note=note)


def conclude(attempt: Attempt, query: Query, outcome: Outcome) -> Outcome:
    """What a solver's answer about one encoding says about the question, and whether turns were left out."""
    encoding = attempt.encoding
    unrolled = encoding.transition is not None
    return replace(concluded(attempt, query, outcome), whole=unrolled and not encoding.limits)


def concluded(attempt: Attempt, query: Query, outcome: Outcome) -> Outcome:
    """The same but for the turns that are left out.

    No plan within a horizon is not "unsolvable", and neither is a limit that the encoding ran into. The
    best plan within a horizon is the best of all only where the objective is the number of turns, or where
    less was ruled out before.
    """
    instance, encoding = attempt.encoding.instance, attempt.encoding
    if outcome.stop == "unsolvable":
        if attempt.never:
            return replace(outcome, note=attempt.never)
        if attempt.least is not None and not attempt.final:
            return replace(outcome, stop="horizon-exhausted", note=f"no plan with {attempt.least}")
        moving = instance.game.input is not None or bool(instance.game.physics)
        if encoding.limits or (moving and ending(instance) == "any-turn"):
            # Some encodings have a turn where the level has none.
            asked = encoding.horizon if instance.level.horizon is None else instance.level.horizon
            turns = min(encoding.horizon, asked)
            note = "; ".join([f"no plan within {turns} turns", *encoding.limits])
            # A turn whose loop goes past its bound has no next state, for the referee either: within the
            # horizon such limits leave nothing out. Of longer runs nothing is proved.
            whole = outcome.complete and attempt.final
            return replace(outcome, stop="horizon-exhausted", complete=whole, note=note)
    by_turns = query.objective is not None and query.objective.counts == "turns"
    proved = attempt.final or by_turns or attempt.least is not None
    if outcome.stop == "optimal" and not proved:
        note = f"best within {encoding.horizon} turns; a longer plan might do better"
        return replace(outcome, stop="satisfied", complete=False, bound=None, note=note)
    return outcome if proved else replace(outcome, bound=None)
