"""What a designer wants to know of a level: can it be solved, how soon, in how many ways, and where is it
lost?

All states that inputs can reach are gone through, nearest first, as far as time and memory go. What was not
gone through is said: numbers are then at least as large, and of what is lost for good nothing is known.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import psutil

from ggp.analysis import faults
from ggp.errors import Finding, UnsupportedFeature
from ggp.explain import effort
from ggp.explain.firing import NotedScan, NotedSearch, rules_of
from ggp.model import Instance
from ggp.model.features import GOAL_WORDS, SCAN, SOLVABLE, lacking
from ggp.model.result import Clock, OutOfTime, Want
from ggp.referee.semantics import ending
from ggp.search.moving import StateSearch
from ggp.tasks.solving import Run

WITHOUT = {"design", "fill", "design-and-input", "fill-and-physics", "moving-design", "chance-in-turns"}
FEATURES = (SOLVABLE | SCAN | GOAL_WORDS) - WITHOUT
EXPLORING = 0.7  # of the time; what is left is for a solver, where no solution was seen by then
LOOK = 1_000  # states between looks at the memory


@dataclass(frozen=True)
class Studied:
    """What was found out about a level.

    `solvable` None: not known. `fewest` moves are `proved`, or not; if no solution is known, there is none
    with fewer than `at_least` moves. `shortest`: how many runs of inputs win in that many moves. `whole`: all
    `states` that can be reached were seen, and so how many of them are `dead`: no way leads from them to a
    win, however long. `lost_at`: the first move of the solution (from 1) at which another input, `lost_by`,
    loses for good. `bits` and `difficulty` measure the decisions on the solution. `fired` are the rules that
    did something, `stood` the kinds that were on the board.
    """

    level: str
    title: str
    solvable: bool | None
    fewest: int | None
    proved: bool
    at_least: int
    shortest: int | None
    states: int
    whole: bool
    dead: int | None
    lost_at: int | None
    lost_by: str
    won_at_start: bool
    bits: int | None
    difficulty: str
    plan: tuple[str, ...] | None
    fired: tuple[str, ...]
    stood: tuple[str, ...]
    seconds: float
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """As data."""
        return asdict(self)


def refusal(instance: Instance) -> tuple[Finding, ...]:
    """Why a level is not studied."""
    if ending(instance) == "horizon" or instance.game.input is None:
        message = "ggp study takes games with an input each turn, that are won at any turn"
        return (
            Finding(message, "`unique` (`ggp solve --unique`) tells of the others", instance.game.goal.place),
        )
    return lacking(instance, "ggp study", FEATURES, remedy="`ggp show` and `ggp play` take such games")


def study(
    instance: Instance,
    seconds: float | None,
    megabytes: int | None = None,
    tell: Callable[[Studied], None] = lambda _: None,
) -> Studied:
    """Study a level for so many seconds, in so much memory. Raises UnsupportedFeature.

    Where a solver must be asked besides, `tell` is told before what is known already.
    """
    if refused := refusal(instance):
        raise UnsupportedFeature.of("ggp study", refused)
    level = Study(instance, seconds, megabytes)
    level.explore()
    if level.goal is None and not level.whole:
        tell(level.told(None, False, None))
        return level.told(*level.asked())
    plan = None if level.goal is None else tuple(action for _, action in level.way)
    return level.told(plan, True, plan is not None)


@dataclass
class Seen:
    """A state that was reached: after how many moves, in how many ways, from which one."""

    depth: int
    ways: int
    came: tuple[int, str] | None
    won: bool
    lost: bool
    follow: tuple[int, ...] = ()


class Study:
    """One level under study."""

    def __init__(self, instance: Instance, seconds: float | None, megabytes: int | None) -> None:
        self.instance, self.megabytes = instance, megabytes
        self.clock = Clock(None if seconds is None else EXPLORING * seconds)
        self.given = seconds
        self.exploring = False
        self.fired: set[str] = set()
        self.search: StateSearch[Any] = (
            NotedSearch(instance, self.fired)
            if instance.game.scan is None
            else NotedScan(instance, self.fired, self.pause)
        )
        self.number: dict[Any, int] = {}
        self.boards: list[Any] = []
        self.seen: list[Seen] = []
        self.expanded = 0
        self.whole, self.note = False, ""

    # --- going through states -----------------------------------------------------------------------------

    def explore(self) -> None:
        """Go through the states, nearest first."""
        self.reach(self.search.start, 0, 1, None)
        waiting = deque([0])
        self.exploring = True
        try:
            while waiting:
                self.clock.check()  # each time: a state of some games takes a hundredth of a second
                if self.expanded % LOOK == 0:
                    self.look()
                waiting += self.expand(waiting.popleft())
            self.whole = True
        except OutOfTime:
            self.note = "time was up before all states were seen"
        except MemoryError:
            self.note = "memory was used up before all states were seen"
        finally:
            self.exploring = False

    def pause(self) -> None:
        """Look at the clock within a turn, but not once all states were seen: that is told in any case."""
        if self.exploring:
            self.clock.check()

    def look(self) -> None:
        """See whether there is memory left."""
        if self.megabytes is not None and psutil.Process().memory_info().rss > 700_000 * self.megabytes:
            raise MemoryError

    def reach(self, boards: Any, depth: int, ways: int, came: tuple[int, str] | None) -> int | None:
        """Note a state; its number if it is new."""
        known = self.number.get(boards)
        if known is not None:
            if self.seen[known].depth == depth:
                self.seen[known].ways += ways
            return None
        won, lost = self.search.judge(boards)
        self.number[boards] = len(self.seen)
        self.boards.append(boards)
        self.seen.append(Seen(depth, ways, came, won, lost))
        return len(self.seen) - 1

    def expand(self, number: int) -> list[int]:
        """All that can follow a state; the numbers of those that are new."""
        here = self.seen[number]
        self.expanded += 1
        if here.won or here.lost:
            return []
        new = []
        moves = self.search.moves(self.boards[number])
        self.search.led_to.clear()
        for move in moves:
            reached = self.reach(move.boards, here.depth + 1, here.ways, (number, str(move.action)))
            new += [] if reached is None else [reached]
        here.follow = tuple(sorted({self.number[move.boards] for move in moves} - {number}))
        return new

    # --- what comes of it ---------------------------------------------------------------------------------

    @cached_property
    def goal(self) -> int | None:
        """The first state that wins."""
        return next((number for number, one in enumerate(self.seen) if one.won), None)

    @cached_property
    def way(self) -> list[tuple[int, str]]:
        """(state, input) on the way to the goal."""
        steps, at = list[tuple[int, str]](), self.goal
        while at is not None and (came := self.seen[at].came) is not None:
            steps.append(came)
            at = came[0]
        return steps[::-1]

    @cached_property
    def alive(self) -> set[int]:
        """The states from which a way leads to a win; of all, if all were seen."""
        before: list[list[int]] = [[] for _ in self.seen]
        for number, one in enumerate(self.seen):
            for after in one.follow:
                before[after].append(number)
        found = {number for number, one in enumerate(self.seen) if one.won}
        waiting = list(found)
        while waiting:
            new = [one for one in before[waiting.pop()] if one not in found]
            found.update(new)
            waiting += new
        return found

    def first_loss(self) -> tuple[int | None, str]:
        """The first move on the way at which another input loses for good, and that input."""
        for turn, (number, taken) in enumerate(self.way, start=1):
            for move in self.search.moves(self.boards[number]):
                if str(move.action) != taken and self.number[move.boards] not in self.alive:
                    return turn, str(move.action)
        return None, ""

    def asked(self) -> tuple[tuple[str, ...] | None, bool, bool | None]:
        """What a solver says: (a plan, is it proved to be a shortest one, is there any)."""
        left = None if self.given is None else max(0.1, self.given - self.clock.seconds)
        turns = next((one.name for one in self.instance.game.objectives if one.counts == "turns"), None)
        want: Want = "first" if turns is None else "best"
        run = Run(self.instance, "search", want, turns, time_limit=left)
        for _ in run:
            pass
        stop = run.result.stop if run.result is not None else ""
        if run.plans:
            return run.plans[-1].actions, stop == "optimal", True
        return None, False, False if stop == "unsolvable" else None

    def told(self, plan: tuple[str, ...] | None, proved: bool, solvable: bool | None) -> Studied:
        """All that was found out."""
        fewest = None if plan is None else len(plan)
        horizon = self.instance.level.horizon
        if fewest is not None and horizon is not None and fewest > horizon:
            self.note, solvable = f"it takes more than the {horizon} turns of the level; {self.note}", False
        lost_at, lost_by = self.first_loss() if self.whole else (None, "")
        choices = [len(self.seen[number].follow) for number, _ in self.way]
        bits = None if self.goal is None else effort.bits(choices)
        nearest = min((one.depth for one in self.seen[self.expanded :]), default=0)
        return Studied(
            level=self.instance.level.name,
            title=self.instance.level.title,
            solvable=solvable,
            fewest=fewest,
            proved=fewest is not None and proved,
            at_least=fewest if fewest is not None and proved else 0 if self.whole else nearest + 1,
            shortest=self.ways(),
            states=len(self.seen),
            whole=self.whole,
            dead=len(self.seen) - len(self.alive) if self.whole else None,
            lost_at=lost_at,
            lost_by=lost_by,
            won_at_start=self.won_at_start(),
            bits=bits,
            difficulty="" if bits is None else effort.difficulty(self.instance.game, bits),
            plan=plan,
            fired=tuple(name for name in rules_of(self.instance) if name in self.fired),
            stood=tuple(self.stood()),
            seconds=round(self.clock.seconds, 3),
            note="; ".join(one for one in (self.note, self.passed_over()) if one),
        )

    def passed_over(self) -> str:
        """What is wrong with a turn of which nothing comes, as rules collide or do not come to rest in it."""
        search = self.search
        if not isinstance(search, NotedSearch) or search.bits.fault is None:
            return ""
        boards, action = search.bits.fault
        fault = faults.told(self.instance, search.bits.unpack(boards), action)
        return f"turns with a fault of the rules were passed over: {fault}"

    def ways(self) -> int | None:
        """How many runs of inputs win in fewest moves; None where states as near were not gone on from."""
        if self.goal is None:
            return None
        depth = self.seen[self.goal].depth
        if any(one.depth < depth for one in self.seen[self.expanded :]):
            return None
        return sum(one.ways for one in self.seen if one.won and one.depth == depth)

    def won_at_start(self) -> bool:
        """Does what wins hold before anything is done? Where only a turn may win, each may undo it."""
        if isinstance(self.search, NotedScan):
            return self.search.turns.scanner.won(list(self.search.start.planes))
        return self.seen[0].won

    def stood(self) -> Iterator[str]:
        """The kinds that stood on the board in some state, in the order of the game."""
        found: set[str] = set()
        scan = isinstance(self.search, NotedScan)
        names = (
            [kind.name for kind in self.instance.game.kinds]
            if not isinstance(self.search, NotedSearch)
            else [piece.kind for piece in self.search.bits.transition.planes]
        )
        missing = set(range(len(names)))
        for boards in self.boards:
            there = {plane for plane in missing if (boards.planes if scan else boards)[plane]}
            missing -= there
            found |= {names[plane] for plane in there}
        return (kind.name for kind in self.instance.game.kinds if kind.name in found)
