"""One session, turn after turn: the goal is assumed after each, and what was learned is kept."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import ExitStack
from dataclasses import replace

from ggp.analysis.relaxed import FAR
from ggp.encoding.ahead import Ahead, Reached
from ggp.encoding.chains import unmarked
from ggp.encoding.choices import Answering, inapplicable
from ggp.encoding.layers import Layers, Session
from ggp.encoding.lowering.conserved import Conserved
from ggp.encoding.lowering.route import Backend
from ggp.encoding.occupancy import few_ways
from ggp.encoding.sizes import TooLarge, refuse_too_large, refuse_too_long
from ggp.encoding.sliding import slide_of
from ggp.encoding.turn import LARGEST
from ggp.encoding.unroll import LOST, Ask, Attempt, conclude, contradiction, soonest, turn_by_turn
from ggp.model import Instance, Plan
from ggp.model.result import Outcome, OutOfTime, Query
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import ending
from ggp.transition.chains import chain_of
from ggp.transition.compiler import compile_instance
from ggp.transition.program import Loop, Transition, given, input_words

NAME = "layers"
# A turn of any board is written once for all turns, so it may have so much for each of them: a few turns
# from one board, of which most comes to constants, are less than that. Who names this gets it anyway.
A_TURN = 5_000
# Passes x cells of it: two games of 1.3 and 3.2 million came to no end of it in a minute.
A_TURN_OF_WORK = 1_000_000
# Turns with loops (slides are none) are shorter one by one where they are few, from what can come to pass in
# each of them (`ggp.encoding.cases`), so there is less to be gained.
FEW, A_LOOPING_TURN = 16, 500


def offer(instance: Instance, query: Query, backend: Backend) -> Answering | str:
    """What answers the question by more and more turns in one session."""
    if backend.session is None:
        return "its solver cannot be told more turns as it goes"
    if query.passes is not None:
        return "passes rewrite what is said of all turns at once"
    if instance.game.input is None or ending(instance) != "any-turn":
        return "its goal counts after the last turn only, so all turns are needed at once"
    if query.want not in ("best", "first"):
        return "plans are listed and counted over all turns at once"
    by_turns = query.objective is None or query.objective.counts == "turns"
    if query.want == "best" and not by_turns:
        return "what is to be fewest is not the turns"

    def answering(ask: Ask) -> Generator[Plan, None, Outcome]:
        return (yield from answered(instance, query, backend, ask))

    return answering


def answered(
    instance: Instance, query: Query, backend: Backend, ask: Ask, deepening: Deepening | None = None
) -> Generator[Plan, None, Outcome]:
    """The answer turn after turn, or all turns at once where a turn of any board is too much.

    `deepening` has the turn, where it has been written.
    """
    query.clock.encoded = NAME
    with query.clock.writing():
        least = soonest(instance)
    if least >= FAR:
        attempt = Attempt(contradiction(instance), True, never=LOST)
        return conclude(attempt, query, Outcome("unsolvable", True, sizes=attempt.encoding.sizes))
    try:
        with query.clock.writing():
            deepening = deepening or Deepening(instance, query, least)
    except TooLarge as error:
        if query.encoding == NAME:
            raise inapplicable(NAME, error.findings[0].message) from error
    else:
        if query.encoding == NAME or not deepening.vague:
            return (yield from deepening.plans(backend))
    query.clock.encoded = "occupancy"
    return (yield from turn_by_turn(instance, query, ask, backend))


def loops(instance: Instance, transition: Transition) -> bool:
    """Are passes of a turn repeated, but for slides and chains, with some input?"""
    whole = (*transition.turn, *transition.physics)
    programs = [whole]
    if few_ways(instance) and any(isinstance(step, Loop) for step in whole):
        programs = [given(whole, input_words(action)) for action in all_actions(instance)]
    return any(
        isinstance(step, Loop)
        and slide_of(program, place, transition, instance) is None
        and (not unmarked(instance, transition) or chain_of(step, transition) is None)
        for program in programs
        for place, step in enumerate(program)
    )


class Deepening:
    """Turn after turn, up to the horizon or to what can be written; no plan has fewer than the `least`.

    A turn may have the `most` variables and constraints. `transition` is what runs it, if it is not the
    compiled rules, and `kept` what is conserved there beside that which the rules tell.
    """

    def __init__(
        self,
        instance: Instance,
        query: Query,
        least: int,
        most: int | None = None,
        transition: Transition | None = None,
        kept: Sequence[tuple[Conserved, int]] = (),
    ) -> None:
        self.instance = instance
        self.query = query
        self.least = least
        self.transition = transition or compile_instance(instance)
        self.cut = ""  # why no turn more can be written
        refuse_too_large(instance, self.transition, instance.level.horizon or 0)
        refuse_too_long(instance, self.transition, 1, A_TURN_OF_WORK)
        horizon = self.last = instance.level.horizon  # the last turn that is asked about
        self.best: int | None = None  # the turns of a plan that was found beside
        self.looping = horizon is not None and horizon <= FEW and loops(instance, self.transition)
        most = LARGEST if most is None else most
        if horizon is not None and query.encoding != NAME and transition is None:
            most = min(most, horizon * (A_LOOPING_TURN if self.looping else A_TURN))
        self.layers = Layers(instance, self.transition, query.clock.check, most, kept)

    @property
    def vague(self) -> bool:
        """Is a loop cut off in the turn of any board, which it may not be in the few that are asked about?"""
        return self.looping and bool(self.layers.encoding.limits)

    @property
    def repeatable(self) -> bool:
        """Is the same answer wanted each time? Then nothing is asked beside, where the clock decides."""
        return "seed" in self.query.options or self.query.options.get("threads") == 1

    @property
    def any_will_do(self) -> bool:
        """Is the first plan enough, whatever its length?"""
        return self.query.want == "first" or self.query.objective is None

    def plans(self, backend: Backend) -> Generator[Plan, None, Outcome]:
        """The first plan, which has the fewest turns; before it plans that were found beside, if any."""
        found = None
        while True:
            try:
                if found is not None:
                    self.beside(len(found.actions))
                plan = self.deepened(backend)
                break
            except Reached as reached:
                found = reached.plan
                yield found
                if self.any_will_do:
                    return Outcome("satisfied", sizes=self.layers.sizes)
            except OutOfTime:
                return self.late()
        if plan is not None:
            yield plan
        elif self.best is None:
            return self.nothing()
        sizes, whole = self.layers.sizes, not self.layers.encoding.limits
        if self.any_will_do:
            return Outcome("satisfied", sizes=sizes, whole=whole)
        if plan is None and self.cut:
            return Outcome("satisfied", sizes=sizes, note=f"whether a plan is shorter: {self.cut}")
        turns = self.best if plan is None else self.layers.turn
        return Outcome("optimal", True, None, turns, sizes, whole=whole)

    def deepened(self, backend: Backend) -> Plan | None:
        """The first plan from the turn on that comes next. Raises Reached, and OutOfTime."""
        assert backend.session is not None
        clock, plan = self.query.clock, None
        ruled, last = self.layers.turn, self.last
        if last is not None and ruled > last:
            return None
        with ExitStack() as stack:
            if last is not None and not self.repeatable:
                far = last if self.best is None else (ruled + last) // 2
                opened = backend.longer or backend.session
                least, first = max(self.least, ruled), self.any_will_do
                stack.enter_context(Ahead(self.layers, least, far, opened, clock, first))
            session = stack.enter_context(backend.session(clock))
            plan = self.look(session)
            while plan is None and self.more():
                plan = self.look(session)
        return plan

    def beside(self, turns: int) -> None:
        """A plan of so many turns was found beside: go on anew with shorter ones, from where this was."""
        self.best, self.last = turns, turns - 1
        asked = self.layers.turn
        self.layers = self.layers.anew()
        while self.layers.turn < asked:
            self.layers.rule_out(self.layers.goal())
            self.layers.grow()

    def late(self) -> Outcome:
        """What is known where time is up."""
        fewest = max(self.layers.turn, self.least)
        objective = self.query.objective
        bound = fewest if objective is not None and objective.counts == "turns" else None
        note = f"any plan has {fewest} or more turns"
        return Outcome("time-limit", False, None, bound, self.layers.sizes, note=note)

    def nothing(self) -> Outcome:
        """What is known where there is no plan, as far as was asked."""
        layers = self.layers
        attempt = Attempt(layers.encoding, layers.turn == self.instance.level.horizon, never=layers.never)
        found = Outcome("unsolvable", attempt.final or bool(layers.never), sizes=layers.sizes)
        end = conclude(attempt, self.query, found)
        return replace(end, note=f"{end.note}; one more: {self.cut}") if self.cut else end

    def look(self, session: Session) -> Plan | None:
        """A plan of just so many turns, if there is one."""
        with self.query.clock.writing():
            goal = self.layers.goal()
        if goal is False or self.layers.turn < self.least:
            return None
        with self.query.clock.writing():
            added = self.layers.added()
        self.query.clock.check()
        ones = session.solve(added, [goal] if not isinstance(goal, bool) else [])
        plan = self.layers.plan(ones) if ones is not None else None
        self.layers.rule_out(goal)
        return plan

    def more(self) -> bool:
        """One turn more, if there is room for it."""
        layers, clock = self.layers, self.query.clock
        if layers.turn == self.last or layers.never:
            return False
        clock.check()
        try:
            with clock.writing():
                layers.grow()
        except TooLarge as error:
            if not layers.turn:
                raise
            self.cut = error.findings[0].message
            return False
        return True
