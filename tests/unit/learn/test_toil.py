"""What takes too long is given up by the work that was done, not by the clock."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from importlib import import_module

import pytest

from ggp.errors import NotLearned
from ggp.learn.boards import Episode, Step, Turn, board_of, turns_of
from ggp.learn.fit.memory import memory, remembered, replayed
from ggp.learn.fit.program import Passes, Program
from ggp.learn.fit.toil import account, spend
from ggp.learn.seen.structure import Structure, structure_of
from ggp.learn.turn.one_pass.elsewhere import learn_with_signs
from ggp.learn.turn.one_pass.events import LIMITS, REACH, learn_pass
from ggp.learn.turn.turns import learn_ends
from ggp.learn.turn.ways import A_LITTLE, AGAIN, ENOUGH, GROWN, Try, Ways


def test_work_counts_for_all_accounts_that_are_open_and_each_has_its_bound() -> None:
    with account() as outer:
        spend(3)
        with account(5) as inner:
            spend(4)
            with pytest.raises(NotLearned, match="too long"):
                spend(4)
        spend(1)
    assert (inner.work, outer.work) == (8, 12)
    with account(5), account() as inner, pytest.raises(NotLearned):
        spend(6)
    spend(1_000)  # nobody counts


def test_what_was_found_out_is_kept_unless_it_was_cut_off() -> None:
    asked: list[int] = []

    @remembered
    def slow(number: int) -> int:
        asked.append(number)
        spend(number)
        if number > 7:
            raise NotLearned("there is nothing", "look elsewhere")
        return 2 * number

    with account(20) as spent, memory():
        assert (slow(5), slow(5), spent.work) == (10, 10, 5)
        for _ in "twice":
            with pytest.raises(NotLearned, match="nothing"):
                slow(8)
        assert asked == [5, 8]
        with account(1), pytest.raises(NotLearned, match="too long"):
            slow(3)
        assert slow(3) == 6 and asked == [5, 8, 3, 3]
    assert slow(5) == 10 and asked[-1] == 5  # nothing is kept beyond


def test_what_is_searched_for_once_counts_each_time_as_the_work_that_it_was() -> None:
    asked: list[int] = []

    def slow() -> int:
        asked.append(1)
        spend(4)
        spend(4)
        return 7

    with account() as spent, memory():
        assert (replayed("key", slow), replayed("key", slow), len(asked), spent.work) == (7, 7, 1, 16)
        with account(7) as little, pytest.raises(NotLearned, match="too long"):
            replayed("key", slow)
        assert (len(asked), little.work) == (2, 8)  # it was cut off where it would be without a memory
        assert replayed("other", slow) == 7 and len(asked) == 3
        assert replayed("key", slow) == 7 and len(asked) == 3
    assert replayed("key", slow) == 7 and len(asked) == 4


def test_what_was_cut_off_is_not_begun_again_with_no_more_work() -> None:
    asked: list[int] = []

    @remembered
    def slow(number: int) -> int:
        asked.append(number)
        spend(number)
        return 2 * number

    with account(100) as outer, memory():
        for most in (4, 4, 3):
            with account(most) as inner, pytest.raises(NotLearned, match="too long"):
                slow(5)
            assert inner.over and not outer.over
        assert asked == [5] and outer.work == 5
        with account(3) as outside, account(50), pytest.raises(NotLearned):
            slow(5)
        assert outside.over and asked == [5]  # who has no more than that has done what may be done
        with account(6):
            assert slow(5) == 10


def test_the_same_way_is_not_looked_for_without_end() -> None:
    """With a few turns more it should take about as long as before."""

    def slow(turns: Sequence[Turn], structure: Structure) -> Program:
        spend(3 * ENOUGH)
        return Program(structure, ())

    runs = [Episode(board_of([[["a"], []]]), (Step("go", board_of([[[], ["a"]]])),))]
    turns = list(turns_of(runs))
    structure = structure_of(turns)
    assert 1 < AGAIN < 3 and Ways(slow).again(turns, structure) is None
    assert Ways(slow, own=3 * ENOUGH).again(turns, structure) == Program(structure, ())
    with account() as spent:
        assert not any(map(learn_ends(turns, structure).wrong, turns))
    assert spent.work > 0, "learning counts what it does"


def test_all_ways_together_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that goes on for ever is cut off, and so is the whole search, which tells what is known in part."""
    turns_module, rounds = import_module("ggp.learn.turn.turns"), list[int]()

    def endless() -> None:
        for number in range(2_000):
            rounds.append(number)
            spend(1e6)
        raise AssertionError("it was never cut off")

    asked = list[str]()

    def late() -> None:
        asked.append("late")

    tries = [Try(endless, work=1e9), Try(late)]
    monkeypatch.setattr(turns_module, "tries", lambda *_: iter(tries))
    turns = [Turn(board_of([["a", []]]), "go", board_of([[[], "a"]]))]
    with pytest.raises(NotLearned, match="too long"):
        learn_ends(turns, structure_of(turns))
    assert len(rounds) < 2_000 and not asked, "where no work is left nothing else begins"


def test_where_no_work_is_left_nothing_is_got_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes before the first loop of a search is not counted, and takes seconds with many turns."""
    folder, asked = "ggp.learn.turn", list[str]()
    ready = (("one_pass.events", "by_movers_and_picks"), ("one_pass.elsewhere", "telling_signs"))
    for module, name in (*ready, ("in_parts.composed", "busy")):
        noting = partial(asked.append, name)
        monkeypatch.setattr(import_module(f"{folder}.{module}"), name, lambda *_, noting=noting: noting())
    turns = [Turn(board_of([[["a"], []]]), way, board_of([[[], ["a"]]])) for way in ("right", "right(0,0)")]
    structure = structure_of(turns)
    composed = import_module(f"{folder}.in_parts.composed")
    monkeypatch.setattr(composed, "sorts", lambda *_: [lambda turn: turn.after])
    for learn in (learn_pass, learn_with_signs, composed.learn_composed):
        with account(1), contextlib.suppress(NotLearned):
            with contextlib.suppress(NotLearned):
                spend(2)
            learn(turns, structure)
    assert not asked


def test_who_is_never_near_a_change_is_not_asked_what_it_did(monkeypatch: pytest.MonkeyPatch) -> None:
    """With many kinds most choices of movers are such, and to share all changes out takes long."""
    events, asked = import_module("ggp.learn.turn.one_pass.events"), list[tuple[str, ...]]()
    given = events.attributed

    def noting(turns: Sequence[Turn], structure: Structure, subjects: Sequence[str]) -> object:
        found = given(turns, structure, subjects)
        asked.extend([tuple(subjects)] * (found is None))
        return found

    monkeypatch.setattr(events, "attributed", noting)
    apart = [[]] * 8
    before = [["a"], [], *apart, ["b"], ["b"], [], *apart, ["c"]]
    after = [[], ["a"], *apart, ["b"], [], ["b"], *apart, ["c"]]
    turns = [Turn(board_of([before]), "go", board_of([after]))]
    structure = structure_of(turns)
    near = events.changes_seen(turns, structure, ["a", "b", "c"])
    assert not all(one.is_of({"c"}) for one in near) and all(one.is_of({"a", "b"}) for one in near)
    with contextlib.suppress(NotLearned):
        events.learn_pass(turns, structure)
    assert not asked


def test_a_small_program_that_looks_near_is_not_held_against_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that reaches further may say a line with a decision for each distance."""
    asked: list[tuple[float, ...]] = []

    def noting(turns: Sequence[Turn], structure: Structure, limits: tuple[float, ...]) -> Program:
        asked.append(limits)
        raise NotLearned("there is nothing", "look elsewhere")

    lines = import_module("ggp.learn.turn.one_pass.inline")
    monkeypatch.setattr(lines, "learn_in_line", noting)
    for distance in (1, REACH, REACH + 1):
        bare = [[]] * (distance - 1)
        turns = [
            Turn(board_of([[["a"], *bare, []]]), "go", board_of([[["a"], *bare, ["b"]]])),
            Turn(board_of([[["c"], *bare, []]]), "go", board_of([[["c"], *bare, []]])),
        ]
        lines.learn_near_or_in_line(turns, structure_of(turns), LIMITS)
        assert bool(asked) == (distance > REACH)


def test_what_grows_much_with_a_few_turns_more_is_not_taken_again() -> None:
    """Its way comes last then, with those that said nothing before; what waits for all others waits on."""
    turns = [Turn(board_of([[[]]]), "go", board_of([[["a"]]]))]
    structure = structure_of(turns)
    program = learn_ends(turns, structure)

    def first(turns: Sequence[Turn], structure: Structure, limits: Sequence[float]) -> Program:
        return program

    def other(turns: Sequence[Turn], structure: Structure, limits: Sequence[float]) -> Program:
        return program

    one, two, late = (
        Try(partial(learn, turns, structure, limits=LIMITS), partial(learn, limits=LIMITS), waits=waits)
        for learn, waits in ((first, False), (other, False), (first, True))
    )
    ways = Ways()
    ways.remember(one, program, 1.0)
    assert ways.again(turns, structure) == program and ways.in_order([one, two, late]) == [one, two, late]
    sizes: list[float] = []

    def third(turns: Sequence[Turn], structure: Structure, limits: Sequence[float]) -> Passes:
        sizes.extend(limits)
        return Passes(structure, (replace(program, loop=True),))

    ways = Ways(partial(third, limits=(program.cost,)), size=program.cost)
    assert ways.again(turns, structure) is not None and sizes == [ways.bound], "several passes, too"
    ways = Ways()
    ways.remember(one, program, 1.0)
    ways.size = (program.cost - A_LITTLE) / GROWN - 0.1
    assert ways.again(turns, structure) is None and ways.in_order([one, two, late]) == [two, one, late]
