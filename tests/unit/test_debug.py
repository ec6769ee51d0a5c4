"""Plans that lose, put into encodings as they are written and as they are lowered."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from ggp import api, registry
from ggp.analysis.relaxed import Relaxed
from ggp.cli.report.verdicts import seen_text
from ggp.encoding import macro
from ggp.encoding.constraints import Clause, Encoding
from ggp.encoding.debug import assume, broken, seen_by, violations
from ggp.encoding.literals import Why
from ggp.encoding.lowering import route
from ggp.encoding.lowering.propagate import propagated
from ggp.encoding.lowering.protocol import Kinds, Lowered, Tick
from ggp.encoding.occupancy import encode
from ggp.engines.linear import adapter
from ggp.errors import IllegalAction, PlanError
from ggp.model import Instance, Piece, Plan
from ggp.referee.trajectory import replay
from ggp.transition.compiler import compile_instance
from ggp.transition.macros import find_agent
from tests.commands import Ask
from tests.tiny_encodings import TINY

NO_PLANS = [Plan(), Plan((), ("up",)), Plan((), ("jump", "up")), Plan((), ("wait",) * 40)]


@pytest.mark.parametrize("name", TINY)
@pytest.mark.parametrize("lowering", [None, *registry.LOWERINGS])
def test_every_encoding_takes_a_plan_that_loses(name: str, lowering: str | None) -> None:
    instance = TINY[name]
    encoding = encode(instance)
    if lowering is not None:
        encoding = registry.load("lowering", lowering).lower(encoding).encoding
    for plan in NO_PLANS:
        # Inputs for a game that takes none are told by `misfits`.
        judged = plan if instance.game.input is not None else Plan()
        found = broken(encoding, assume(encoding, plan))
        # An equation does not say which variable it defines; what is certain is not asked again.
        assert replay(instance, judged).won == (not found) or lowering in ("exclusive", "propagation")
        pruned = propagated(encoding)
        broken(pruned, assume(pruned, plan))  # what was fixed is not asked again, so this may be nothing


def macro_turns(instance: Instance, pushes: int) -> Encoding:
    found = find_agent(instance, compile_instance(instance))
    assert found is not None
    return macro.encode(Relaxed(instance, found, instance.game.objectives[-1]), pushes)


def test_macro_turns_take_only_inputs_of_the_game() -> None:
    encoding = macro_turns(api.load("sokoban/two-crates"), 3)
    for plan in (Plan(), Plan((), ("down", "right", "right", "up"))):
        for one in (encoding, propagated(encoding)):
            assert broken(one, assume(one, plan))
    with pytest.raises(PlanError, match="turn 2: sokoban/two-crates has no input 'jump'"):
        assume(encoding, Plan((), ("down", "jump")))
    with pytest.raises(IllegalAction, match="up changes nothing"):
        assume(encoding, Plan((), ("up",)))


@pytest.mark.parametrize(
    ("level", "cell", "piece"),
    [("lemmings/seed", (5, 4), Piece("wall")), ("sudoku/paper-4x4", (0, 0), Piece("digit", 9))],
)
def test_what_cannot_be_placed_is_told(level: str, cell: tuple[int, int], piece: Piece) -> None:
    with pytest.raises(PlanError, match=f"{piece} cannot be placed at \\({cell[0]}, {cell[1]}\\) of {level}"):
        violations(api.load(level), Plan(((cell, piece),)))


def test_replaying_a_loss_against_the_encoding_names_what_is_wrong(ask: Ask, tmp_path: Path) -> None:
    plan = tmp_path / "lost.json"
    plan.write_text('{"actions": ["left", "action", "left"]}')
    answer = ask("replay", "sokoban/two-crates", plan, "--encoding")
    assert answer.status == 1 and "the encoding says no: there is an input of the game" in answer.out


# --- what solvers get

LOST = '{"design": [[5, 4, "brick"], [6, 6, "brick"]]}'
WON = '{"design": [[2, 1, "brick"], [5, 4, "brick"], [6, 6, "brick"]]}'


@pytest.mark.parametrize(
    ("solver", "words"),
    [
        ("cbc", "row 43 of 1468: 0 <= brick[5][1] + -1 fall[3][3][1], and it is -1"),
        ("sat", "clause 47 of 1778: brick[5][1] or not fall[3][3][1]"),
        ("sat:glucose42", "clause 47 of 1778: brick[5][1] or not fall[3][3][1]"),
        ("cp-sat", "constraint 17 of 575: brick[5][1] or not fall[3][3][1]"),
        ("ace", "constraint 17 of 575: brick[5][1] or not fall[3][3][1]"),
    ],
)
def test_a_loss_is_named_in_what_a_solver_gets(ask: Ask, tmp_path: Path, solver: str, words: str) -> None:
    plan = tmp_path / "lost.json"
    plan.write_text(LOST)
    answer = ask("replay", "lemmings/seed", plan, "--encoding", "--solver", solver)
    assert answer.status == 1 and f"{solver} says no: {words}" in answer.out
    assert "which says: fall at (4, 1) in turn 4" in answer.out
    assert (
        "written: lemming:left can still be where it must in time in turn 4 (not fall[4][4][1])" in answer.out
    )


@pytest.mark.parametrize(("solver", "noun"), [("highs", "row"), ("sat", "clause"), ("choco", "constraint")])
def test_a_win_holds_in_what_a_solver_gets(ask: Ask, tmp_path: Path, solver: str, noun: str) -> None:
    plan = tmp_path / "won.json"
    plan.write_text(WON)
    answer = ask("replay", "lemmings/seed", plan, "--encoding", "--solver", solver)
    assert answer.status == 0 and f"{solver} agrees: every {noun} holds" in answer.out


def test_what_a_solver_gets_as_json(ask: Ask, tmp_path: Path) -> None:
    plan = tmp_path / "lost.json"
    plan.write_text(LOST)
    answer = ask("replay", "lemmings/seed", plan, "--encoding", "--solver", "cbc", "--json")
    seen = answer.data["seen"]
    assert answer.status == 1 and not seen["agrees"]
    assert seen["by"] == ["conserved", "exclusive", "propagation"]
    assert (seen["line"]["number"], seen["line"]["why"]) == (43, "fall at (4, 1) in turn 4")
    assert seen["ruled out"] == "fall[4][4][1] is 0 by propagation, and 1 here"


@pytest.mark.parametrize("solver", ["search", "pyperplan", "fast-downward", "null"])
def test_what_gets_no_encoding_says_so(ask: Ask, tmp_path: Path, solver: str) -> None:
    plan = tmp_path / "won.json"
    plan.write_text(WON)
    answer = ask("replay", "lemmings/seed", plan, "--encoding", "--solver", solver)
    assert answer.status == 2 and f"{solver} gets no encoding\n  those that do are cp-sat, cbc" in answer.err
    answer = ask("replay", "lemmings/seed", plan, "--solver", "cbc")
    assert answer.status == 2 and "add --encoding" in answer.err


def test_inputs_that_a_plan_lacks_have_no_place_in_it(ask: Ask, tmp_path: Path) -> None:
    plan = tmp_path / "lost.json"
    plan.write_text('{"actions": ["up"]}')
    answer = ask("replay", "psychopath/first", plan, "--encoding", "--solver", "cbc")
    assert answer.status == 1 and "the plan has no place in it" in answer.out
    assert "there is an input of the game in turn 2" in answer.out


@pytest.mark.parametrize("name", ["conserved", "propagation"])
def test_a_lowering_that_says_too_much_is_told_from_an_encoding_that_does(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = route.lowerings()

    def lower(encoding: Encoding, tick: Tick, kinds: Kinds) -> Lowered:
        done = known[name].lower(encoding, tick, kinds)
        more = replace(done.encoding, constraints=[*done.encoding.constraints, Clause((), Why("too much"))])
        return replace(done, encoding=more)

    spoilt = SimpleNamespace(
        **{key: getattr(known[name], key) for key in ("TAKES", "LEAVES", "BESIDE", "AGAIN")}
    )
    spoilt.lower = lower
    monkeypatch.setattr(route, "lowerings", lambda: {**known, name: spoilt})
    instance = api.load("lemmings/seed")
    seen = seen_by(instance, instance.level.known.wins[0], adapter.BACKEND)
    assert seen.line is not None and seen.line.why.text in ("too much", "") and seen.source is None
    assert "a lowering says too much" in seen_text("cbc", "row", seen)
