"""Search by what is near and new: plans that win, the best one in the end, none where there is none."""

from __future__ import annotations

from collections.abc import Generator
from itertools import product
from typing import Literal

import numpy as np
import pytest

from ggp.model import Instance, Plan
from ggp.model.result import Clock, Query
from ggp.referee.trajectory import replay
from ggp.search import choice
from ggp.search.choice import by_turns
from ggp.search.guided import search as guided
from ggp.search.guided.aims import Aim, Group, far, lacking, nearest, straight_to
from ggp.search.guided.anytime import Anytime
from ggp.search.guided.engines import ByTurns, InArrays
from ggp.search.guided.measured import matched
from ggp.search.guided.novelty import Novelty
from ggp.search.guided.quickest import engine_of
from ggp.search.guided.search import Guided
from ggp.search.guided.ways import Ways
from ggp.search.moving import Found
from ggp.tasks.questions import with_horizon
from ggp.transition.native import compiling
from tests.puzzlescript_games import PUSH, instance
from tests.slow import slow_unless

WIDE = "########/#p.....#/#.**..o#/#..#...#/#o.....#/########"
MILLION = 1 << 20
compiled = pytest.mark.skipif(not compiling.usable(), reason="there is no compiler")
AGAIN = f"{PUSH}\nlate [ Crate Target ] -> again"
WINS = ("All Target on Crate", "Some Crate on Target", "No Crate")


def nothing() -> None:
    """Nobody waits."""


def ends(one: Instance) -> tuple[list[Plan], Found]:
    """The plans that came sooner, and where the search ended."""
    search, sooner = Anytime(one, nothing).best(), []
    while True:
        try:
            sooner.append(next(search))
        except StopIteration as stop:
            return sooner, stop.value


@compiled
@pytest.mark.parametrize(
    ("rules", "wins"),
    slow_unless(
        {(PUSH, WINS[0]), (f"rigid {PUSH}", WINS[1]), (AGAIN, WINS[0])},
        product(
            [PUSH, f"rigid {PUSH}", AGAIN],
            WINS,
        ),
    ),
)
def test_the_end_is_a_best_plan(rules: str, wins: str) -> None:
    """As many turns as the search of single turns says, whatever was found sooner; all plans win."""
    one = instance(rules, WIDE, wins=wins)
    known = by_turns(one, None).best(nothing)
    sooner, found = ends(one)
    assert (found.plan is None, found.cost, found.cut) == (known.plan is None, known.cost, known.cut)
    some = Anytime(one, nothing).some()
    assert (some.plan is None) == (known.plan is None)
    for plan in (*sooner, found.plan, some.plan):
        assert plan is None or (replay(one, plan).won and len(plan.actions) >= found.cost)


@compiled
@pytest.mark.parametrize(("horizon", "there"), [(3, True), (2, False)])
def test_a_horizon_holds(horizon: int, there: bool) -> None:
    """What has too many turns is no plan, and then it is not said that there is none."""
    one = with_horizon(instance(PUSH, "p.*.o"), horizon)
    for found in (ends(one)[1], Anytime(one, nothing).some()):
        assert ((found.plan is not None), found.cut) == (there, not there)


def test_it_goes_without_machine_code() -> None:
    """State by state by the referee's rules."""
    one = instance(PUSH, WIDE, wins="All Target on Crate")
    found = Guided(one, ByTurns(one, nothing), nothing, 10**9).best()
    assert found.plan is not None and replay(one, found.plan).won
    with pytest.raises(MemoryError):
        Guided(one, ByTurns(one, nothing), nothing, 10_000).best()


@compiled
def test_what_was_found_in_time_is_given() -> None:
    """Where the best plan takes too long, one has come sooner."""
    from ggp.solvers import search

    class Short(Clock):
        """Its time is up as soon as there is a plan."""

        up = False

        def check(self) -> None:
            if self.up:
                raise TimeoutError

    board = "/".join(["#" * 16, "#p.............#", *["#..*..*..*....o#"] * 3, "#" * 16])
    one = instance(PUSH, board, wins="All Target on Crate")
    clock = Short(None)
    plans = search.solve(one, Query("best", one.game.objectives[0], clock=clock))
    plan = next(plans)
    assert replay(one, plan).won
    clock.up = True
    with pytest.raises(TimeoutError):
        next(plans)


@compiled
def test_steps_to_the_nearest() -> None:
    """By rows and columns, and infinite on a board without any."""
    cells = np.zeros((2, 3, 4), bool)
    cells[0, 2, 0] = True
    steps = nearest(cells)
    assert steps[0].tolist() == [[2, 3, 4, 5], [1, 2, 3, 4], [0, 1, 2, 3]]
    assert np.isinf(steps[1]).all()


@compiled
@pytest.mark.parametrize("quantifier", ["every", "some", "no"])
@pytest.mark.parametrize("together", [False, True])
def test_guesses_are_what_counting_steps_says(
    quantifier: Literal["every", "some", "no"], together: bool
) -> None:
    """Of boards made at random, cell by cell: what an aim costs, and which of its cells are wrong."""
    planes = np.random.default_rng(5).random((40, 4, 3, 5)) < 0.25
    aim = Aim(quantifier, Group((0, 1), together), Group((2,)))
    wrong = np.zeros((40, 3, 5), bool)
    found = far(aim, planes.astype(np.uint8), wrong)
    for number, board in enumerate(planes):
        what = np.argwhere(board[0] & board[1] if together else board[0] | board[1]).tolist()
        ground = np.argwhere(board[2]).tolist()
        away = [min([8, *(abs(row - r) + abs(column - c) for r, c in ground)]) for row, column in what]
        costs = {"every": sum(away), "some": min([8, *away]), "no": away.count(0)}
        off = {"every": [one > 0 for one in away], "some": [min([8, *away]) > 0] * len(away)}
        asked = off.get(quantifier, [one == 0 for one in away])
        assert found[number] == costs[quantifier]
        assert np.argwhere(wrong[number]).tolist() == [one for one, no in zip(what, asked, strict=True) if no]
    agents = planes[:, 3]
    for steps, here, there in zip(straight_to(agents, wrong), agents, wrong & ~agents, strict=True):
        pairs = product(np.argwhere(here).tolist(), np.argwhere(there).tolist())
        assert steps == min((abs(a - c) + abs(b - d) for (a, b), (c, d) in pairs), default=0)


MOVED = ("player", "crate")


@compiled
def test_how_things_get_about_is_seen() -> None:
    """By the turns of boards that hold it and the agent; a ball does not go anywhere."""
    one = instance(PUSH, "#######/#....o#/#.*#..#/#p...*#/#.....#/#######", wins="All Target on Crate")
    ways = Ways(one, MOVED, nothing)
    (crate,), (ball,) = ways.moving(["crate"]), [ways.number["ball"]]
    steps = ways.steps([crate], ways.there(["target"]))
    assert steps is not None and ways.steps([ball]) is None
    asked = ((2, 2), (1, 2), (1, 4), (2, 5), (3, 5), (1, 1), (4, 5), (4, 1))
    there = [steps[0][7 * row + column] for row, column in asked]
    assert there == [4, 3, 1, 1, 2, np.inf, np.inf, np.inf], "nothing comes out of a corner"
    walks = ways.steps(ways.agent, [7 + 4])
    assert walks is not None and walks[0][2 * 7 + 2] == 3


def test_the_nearest_are_matched_first() -> None:
    """Each once; what is asked beyond them costs the most."""
    pairs = np.array([[[1.0, 2.0], [1.0, 9.0]], [[3.0, np.inf], [np.inf, np.inf]]])
    assert matched(pairs, np.array([2, 2]), 10.0).tolist() == [10.0, 13.0]


@compiled
@pytest.mark.parametrize("rules", [PUSH, f"{PUSH}\nlate [ Crate Target ] -> again"])
@pytest.mark.parametrize(
    "wins", ["All Target on Crate", "All Crate on Target", "Some Crate on Target", "No Ball"]
)
def test_distances_are_measured_later(rules: str, wins: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All states that are known, and those that come, are in a queue of their own; what is found wins."""
    monkeypatch.setattr(guided, "LATER", 1)
    one = instance(
        f"{rules}\n[ > Player | Ball ] -> [ > Player | ]", WIDE.replace("...#/#o", "..b#/#o"), wins=wins
    )
    engine = engine_of(one, nothing)
    search = Guided(one, engine, nothing, 10**9)
    found = search.best()
    assert (
        search.closest is not None
        and search.widest is not None
        and found.plan is not None
        and replay(one, found.plan).won
    )


def test_what_is_new() -> None:
    """Something that held in no state as far from the goal; what comes together is compared with before."""
    novelty = Novelty()
    first = np.array([[1, 0], [0, 2]], np.uint8)
    assert novelty(np.array([1.0, 1.0]), first).tolist() == [True, True]
    later = np.array([[1, 2], [1, 2], [1, 4]], np.uint8)
    assert novelty(np.array([1.0, 2.0, 1.0]), later).tolist() == [False, True, True]


def test_a_short_look_is_short_where_turns_are_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules of many brackets, each found in many places, are not looked at for as many states as others."""
    things = "*" * 15 + "b" * 15
    rules = "[ > Player ] [ Crate ] [ Ball ] [ Mark | no Mark ] -> [ > Player ] [ Crate ] [ Ball ] [ | Mark ]"
    one = instance(rules, f"p{'.' * 29}/{things}/{'m.' * 15}", wins="No Crate\nNo Mark")
    count = 0

    def check() -> None:
        nonlocal count
        count += 1

    def other(*asked: object) -> Generator[Plan, None, tuple[Found, str]]:
        return Found(None, 0, False, 0), "another search"
        yield

    monkeypatch.setattr(choice, "near_and_new", other)
    monkeypatch.setattr(choice, "why_never_won", lambda *asked: "")  # it is not, but that is not the question
    search = choice.plans(choice.Asked(one, None, lambda: None, check, first=True, glance=1500))
    assert next(search, None) is None
    assert choice.MOST_PAUSES / 2 < count <= choice.MOST_PAUSES + 1500


@compiled
def test_what_is_new_two_at_a_time() -> None:
    """One thing that never held, two that never held together, or neither; for each lack of the goal."""
    from ggp.search.guided.pairs import Pairs

    pairs = Pairs(nothing)
    start, none = 0b0011, 0

    def oldness(lacking: int, *states: tuple[int, int]) -> list[int]:
        now, before = (np.array([[one[part]] for one in states], np.uint64) for part in (0, 1))
        new = dict(pairs(np.full(len(states), lacking), now, before))
        return [new.get(state, 2) for state in range(len(states))]

    assert oldness(1, (start, none), (start, none)) == [0, 2]
    assert oldness(1, (0b0101, 0b0011), (0b0110, 0b0011), (0b0101, 0b0011)) == [0, 1, 2]
    assert oldness(1, (0b0101, 0b0110), (0b0101, 0b0110)) == [1, 2], "the other one came"
    assert oldness(2, (0b0101, 0b0110)) == [0], "where another number is lacking nothing was seen"
    wide = np.zeros((1, 2), np.uint64)
    wide[0, 1] = 1 << 63
    assert [*pairs(np.array([1]), wide, np.zeros_like(wide))] == [(0, 0)], "things of other words, too"
    assert [*pairs(np.array([1]), wide, np.zeros_like(wide))] == []


@compiled
def test_what_is_new_is_gone_on_from_the_newest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """When it is the turn of that queue, the least of it is taken, one after another."""
    monkeypatch.setattr(guided, "LATER", 1)
    one = instance(PUSH, WIDE, wins="All Target on Crate")
    search = Guided(one, engine_of(one, nothing), nothing, 10**9)
    while not search.looked or len(search.widest or ()) < 6:
        assert search.go_on() is None
    monkeypatch.setattr(guided, "TOGETHER", 1)
    assert search.widest is not None
    waiting = [state for *_, state in sorted(search.widest) if not search.done[state]]
    taken = []
    for _ in waiting:
        search.turn = search.takes.index(search.take_widest)
        taken += search.chosen()
    assert len(taken) >= 3 and taken == waiting


@compiled
def test_pairs_do_not_hold_up_a_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where everything changes in a turn, few are marked between two pauses, and they are given up soon."""
    monkeypatch.setattr(guided, "LATER", 1)
    up, down = (f"[ {way} Player ] [ {{}} ] -> [ {way} Player ] [ {{}} ]" for way in ("Up", "Down"))
    rules = f"{up.format('Target', 'Mark')}\n{down.format('Mark', 'Target')}"
    rows = ["o" * 40] * 39
    one = instance(rules, "/".join(["p" + "." * 39, *rows]), wins="No Wall\nSome Wall")
    marked = [0]

    def pause() -> None:
        if isinstance(engine, InArrays) and engine.pairs is not None:
            marked.append(int(np.bitwise_count(engine.pairs.marks).sum()))

    engine = engine_of(one, nothing)
    assert isinstance(engine, InArrays)
    engine.pause = pause
    search = Guided(one, engine, pause, 10**9)
    while search.turn < 9:
        assert search.go_on() is None
    assert max(marked) > MILLION / 4, "there is much to mark"
    assert max(np.diff(marked)) < 1.1 * MILLION
    assert search.widest is None and search.take_widest not in search.takes


@compiled
def test_what_a_goal_lacks() -> None:
    """Cells that are wrong, and what is not there at all."""
    planes = np.zeros((2, 2, 1, 4), np.uint8)
    planes[0, 0, 0, :3] = planes[0, 1, 0, 0] = 1
    one, other = Group((0,)), Group((1,))
    asked = [Aim("every", one, other), Aim("no", one, other), Aim("some", one, other), Aim("some", other)]
    assert [lacking([aim], planes).tolist() for aim in asked] == [[2, 0], [1, 0], [0, 1], [0, 1]]
    assert lacking(asked, planes).tolist() == [3, 2]
