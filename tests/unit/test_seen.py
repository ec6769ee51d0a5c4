"""Turns cut down to what was seen to happen: plans of them hold, and what has none is asked of the whole."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from ggp import api
from ggp.encoding.choices import seen as choice
from ggp.encoding.choices.layers import Deepening
from ggp.model import Instance
from ggp.model.result import OutOfTime
from ggp.referee.semantics import initial_state
from ggp.transition import watching
from ggp.transition.bits import Bits
from ggp.transition.compiler import compile_instance
from ggp.transition.program import Loop, Transition
from ggp.transition.scanned import cut_passes
from ggp.transition.seen import Seen, as_many, cut_down
from tests.puzzlescript_games import PUSH, instance
from tests.solver_levels import NOTHING, checked

CHAIN = f"{PUSH}\n[ > Crate | Crate ] -> [ > Crate | > Crate ]\n[ > Player | Ball ] -> [ > Player | Crate ]"
WAYS = [frozenset({way}) for way in ("up", "down", "left", "right")]


def drawn(seed: int) -> Instance:
    """A random level of chains of crates, and of balls that become crates when they are pushed."""
    rng = Random(seed)
    inside = ["p", rng.choice("*b"), rng.choice("*b."), "o", *"....."]
    rng.shuffle(inside)
    rows = ["#####"] + [f"#{''.join(inside[row : row + 3])}#" for row in (0, 3, 6)] + ["#####"]
    return instance(CHAIN, "/".join(rows), wins="all Target on Crate")


def watch(one: Instance) -> tuple[Transition, Seen]:
    """The compiled rules, and what is seen of them."""
    transition = compile_instance(cut_passes(one).instance)
    start = Bits(transition).pack(initial_state(cut_passes(one).instance))
    return transition, next(watching.watched(transition, start, WAYS, lambda: None))


@pytest.fixture(autouse=True)
def _a_short_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """The boards here are small."""
    monkeypatch.setattr(watching, "WORK", 4_000)


@pytest.mark.parametrize(("seed", "solver"), [*((seed, "sat") for seed in range(6)), (0, "cp-sat")])
def test_the_fewest_turns_are_those_of_search(seed: int, solver: str) -> None:
    one = drawn(seed)
    best = api.solve(one, "search", objective="turns", horizon=9)
    found = checked(one, api.solve(one, solver, objective="turns", horizon=9, encoding="seen"))
    if best.plans:
        assert (found.stop, found.objective) == ("optimal", best.objective)
    else:
        assert found.stop in NOTHING and not found.plans


def test_what_was_not_seen_is_asked_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "watched", lambda *_: iter([Seen()]))
    one = instance(PUSH, "#######/#p.*.o#/#######", wins="all Target on Crate")
    found = checked(one, api.solve(one, "sat", objective="turns", horizon=9, encoding="seen"))
    assert (found.stop, found.objective) == ("optimal", 3)


def test_it_is_looked_at_longer_where_nothing_that_was_seen_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first look here is of one turn, and the crate is two pushes away; the whole is not asked."""
    monkeypatch.setattr(watching, "WORK", 1)
    monkeypatch.setattr(watching, "TIMES", (1, 4_000))
    monkeypatch.setattr(choice.layers, "answered", out_of_time)
    one = instance(PUSH, "#######/#p.*.o#/#######", wins="all Target on Crate")
    found = checked(one, api.solve(one, "sat", objective="turns", horizon=9, encoding="seen"))
    assert (found.stop, len(found.plans)) == ("time-limit", 1)


def test_there_is_no_longer_look_where_nothing_is_left() -> None:
    one = cut_passes(instance(PUSH, "####/#p.#/####", wins="some Crate")).instance
    transition = compile_instance(one)
    start = Bits(transition).pack(initial_state(one))
    assert len([*watching.watched(transition, start, WAYS, lambda: None)]) == 1


def test_what_was_not_seen_does_not_happen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a rule that is not told nothing may be gained: here it takes away who walks over the mark."""

    def forgetful(transition: Transition, *_: Any) -> Iterator[Seen]:
        last = max(rule.name for rule in transition.rules() if rule.name.startswith("line-"))
        told = [rule for rule in transition.rules() if rule.name != last]
        yield Seen(dict.fromkeys(map(id, told), Bits(transition).full))

    monkeypatch.setattr(watching, "watched", forgetful)
    one = instance("late [ Player Mark ] -> [ Mark ]", "######/#p.mo#/######", wins="some Player on Target")
    assert api.solve(one, "sat", horizon=9, encoding="seen").stop in NOTHING


def test_a_plan_of_cut_turns_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the whole is not answered about, the plan is all that is known."""
    one = instance(PUSH, "#######/#p.*.o#/#######", wins="all Target on Crate")
    monkeypatch.setattr(choice.layers, "answered", out_of_time)
    found = checked(one, api.solve(one, "sat", objective="turns", horizon=9, encoding="seen"))
    assert (found.stop, found.complete, len(found.plans)) == ("time-limit", False, 1)


def test_where_time_is_up_it_is_said_what_was_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Deepening, "look", late)
    one = instance(PUSH, "#######/#p.*.o#/#######", wins="all Target on Crate")
    found = api.solve(one, "sat", objective="turns", horizon=9, encoding="seen")
    assert found.stop == "time-limit" and "but what was seen before, none of fewer than" in found.note


def late(*_: object) -> Any:
    """The time is up."""
    raise OutOfTime


def out_of_time(*_: object) -> object:
    """An answer that is none."""
    yield from ()
    return choice.Outcome("time-limit")


def test_rules_are_cut_where_they_were_not_seen_and_loops_to_their_rounds() -> None:
    transition, found = watch(instance(CHAIN, "########/#p**..o#/########", wins="all Target on Crate"))
    cut = cut_down(transition, found)
    cells = [rule.cut.cells for rule in cut.rules() if rule.cut is not None]
    assert len(cells) == sum(1 for _ in cut.rules())
    assert any(cells) and not all(cells) and all(max(some) < 24 for some in cells if some)
    before = [step for step in transition.turn if isinstance(step, Loop)]
    after = [step for step in cut.turn if isinstance(step, Loop)]
    assert before and all(one.bound < other.bound for one, other in zip(after, before, strict=True))


def test_pieces_that_become_others_are_as_many_together() -> None:
    """Balls that are pushed become crates: together they stay as many, and the player is one."""
    transition, found = watch(instance(CHAIN, "#######/#p.b*.#/#.....#/#######", wins="some Crate"))
    told = {frozenset(str(transition.planes[plane]) for plane in some): number for some, number in found.kept}
    assert told[frozenset({"player"})] == 1 and told[frozenset({"ball", "crate"})] == 2


def test_three_planes_that_make_up_for_one_another() -> None:
    boards = [(0b11, 0b1, 0, 0b1), (0b1, 0b1, 0b10, 0b10), (0b1, 0, 0b110, 0b1)]
    assert sorted(map(repr, as_many(boards))) == sorted(
        map(repr, [(frozenset({3}), 1), (frozenset({0, 1, 2}), 3)])
    )


def test_few_passes_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "WORK", 1)
    found = watch(instance(CHAIN, "#######/#p.b*.#/#######", wins="some Crate"))[1]
    assert not any(found.rounds.values())
