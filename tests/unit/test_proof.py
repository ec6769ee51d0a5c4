"""`--check-proof`: what an answer claims beside its plans is checked, or refuted, by other means."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import replace
from itertools import product
from random import Random
from types import ModuleType
from typing import Any

import pytest
from pysat.solvers import Solver

from ggp import api, registry
from ggp.encoding.constraints import Clause, Encoding
from ggp.encoding.literals import Why
from ggp.encoding.lowering.linear_to_clauses import Clauses
from ggp.encoding.occupancy import encode
from ggp.errors import Place, SolverError
from ggp.language import levels
from ggp.language.maps import read_board, symbols_of
from ggp.model import Instance, Known, Level, Plan
from ggp.model.features import GOAL_WORDS, SOLVABLE
from ggp.model.result import Clock, Outcome, OutOfTime, Query, Result, Want
from ggp.proof import Claim, Evidence, checked, claim_of, evidence, rederivation, refutation
from ggp.proof.claims import in_order
from ggp.proof.formula import Formula, at_most, formula
from ggp.referee.trajectory import replay
from ggp.tasks.questions import objective_of, with_horizon
from ggp.tasks.solving import Run
from tests.commands import Ask
from tests.slow import one_in, slow_unless

Answers = Generator[Plan, None, Outcome]
Fake = Callable[[Callable[[Instance, Query], Answers]], str]
# A level of each form, the question, and what is there to be checked.
CASES: tuple[tuple[str, Want], ...] = (
    ("lemmings/seed", "best"),
    ("lemmings/seed", "all"),
    ("lemmings/pair", "all"),
    ("lemmings/pair", "count"),
    ("lemmings/reach", "all"),
    ("lemmings/hopeless", "best"),
    ("sokoban/first", "best"),
    ("atomix/first", "best"),
    ("boulder-dash/first", "best"),
    ("lights-out/first", "best"),
    ("sudoku/paper-4x4", "all"),
    ("sudoku/paper-4x4", "count"),
    ("akari/small", "all"),
    ("akari/contradiction", "all"),
    ("akari/ambiguous", "all"),
    ("killer-sudoku/small", "all"),
)


def by_referee(claim: Claim, states: int = 4000) -> Evidence | None:
    """What the referee comes to alone, if it ends after so many states."""
    going = rederivation.derive(claim)
    try:
        while next(going) < states:
            pass
    except StopIteration as end:
        found: Evidence = end.value
        return found
    return None


def ways(claim: Claim) -> list[Evidence]:
    """What each way comes to that is apt and ends."""
    found = [refutation.refute(claim, Clock(60))] if refutation.apt(claim) else []
    alone = by_referee(claim) if rederivation.apt(claim) else None
    return found if alone is None else [*found, alone]


def put(name: str, want: Want, solver: str = "sat") -> tuple[Claim, Result, Query]:
    """The claim of a solver's answer."""
    run = Run(levels.load(name), solver, want)
    for _ in run:
        pass
    assert run.result is not None
    claim = claim_of(run.instance, run.query, run.result)
    assert claim is not None
    return claim, run.result, run.query


# --- right answers are checked ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "want"),
    slow_unless({("sokoban/first", "best"), ("akari/small", "all")}, CASES),
    ids=lambda value: str(value),
)
def test_right_answers_are_checked(name: str, want: Want) -> None:
    claim, result, query = put(name, want)
    verdicts = [found.verdict for found in ways(claim)]
    assert verdicts and set(verdicts) == {"checked"}
    found = checked(claim.instance, query, result)
    assert found.proof == "checked" and "" not in found.note.split("\n")[:-1]
    assert found.vouched[0].startswith(("referee", "proof checker"))


@pytest.mark.parametrize("name", ["sokoban/first", "lights-out/first", "boulder-dash/first"])
@pytest.mark.parametrize("horizon", [0, 1, 2])
def test_nothing_within_a_horizon_is_checked_by_both(name: str, horizon: int) -> None:
    claim = Claim(with_horizon(levels.load(name), horizon), "none")
    found = ways(claim)
    assert len(found) == 2
    assert [one.verdict for one in found] in (["checked"] * 2, ["wrong"] * 2)


# --- wrong answers are refuted ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", one_in(2, ["lemmings/pair", "sokoban/first", "lights-out/first", "atomix/first"], 1)
)
def test_a_best_that_is_not_the_best_is_refuted(name: str) -> None:
    claim, _, _ = put(name, "best")
    assert claim.below is not None
    for worse in (1, 2):
        found = ways(replace(claim, below=claim.below + worse))
        assert found and {one.verdict for one in found} == {"wrong"}
        assert all("the referee replays a win, with" in one.note for one in found)


@pytest.mark.parametrize(
    "name", one_in(2, ["lemmings/pair", "sokoban/first", "akari/small", "sudoku/paper-4x4"], 1)
)
def test_a_level_that_has_a_plan_is_not_unsolvable(name: str) -> None:
    instance = levels.load(name)
    bounded = with_horizon(instance, instance.level.horizon or 8)
    found = ways(Claim(bounded, "none", objective_of(instance, None)))
    assert found and {one.verdict for one in found} == {"wrong"}


@pytest.mark.parametrize(
    "name", one_in(3, ["lemmings/pair", "lemmings/reach", "akari/ambiguous", "sudoku/paper-4x4"])
)
def test_an_answer_that_is_missing_is_found(name: str) -> None:
    claim, _, _ = put(name, "all")
    found = ways(replace(claim, known=claim.known[1:]))
    assert found and {one.verdict for one in found} == {"wrong"}
    assert all("not among them" in one.note for one in found)


@pytest.mark.parametrize("name", one_in(2, ["lemmings/pair", "akari/ambiguous", "sudoku/paper-4x4"]))
def test_a_count_that_is_wrong_is_refuted(name: str) -> None:
    claim, _, _ = put(name, "count")
    for off in (-1, 1):
        found = ways(replace(claim, count=claim.count + off))
        assert found and {one.verdict for one in found} == {"wrong"}


def counted(instance: Instance) -> tuple[Claim, Result, Query]:
    """The claim of a count."""
    run = Run(instance, "search", "count")
    for _ in run:
        pass
    assert run.result is not None
    claim = claim_of(instance, run.query, run.result)
    assert claim is not None
    return claim, run.result, run.query


# --- through the commands -----------------------------------------------------------------------------


def nothing(instance: Instance, query: Query) -> Answers:
    """Says that there is no plan, whatever the level."""
    yield from ()
    return Outcome("unsolvable", True)


def goes_round(instance: Instance, query: Query) -> Answers:
    """Goes there and back before it does what is best, and says that this is the best."""
    assert query.objective is not None
    for there, back in (("up", "down"), ("down", "up"), ("left", "right"), ("right", "left")):
        plan = Plan((), (there, back, *levels.load(instance.name).level.known.wins[0].actions))
        verdict = replay(instance, plan)
        if verdict.won:
            yield plan
            return Outcome("optimal", True, bound=verdict.values[query.objective.name])
    raise AssertionError("there is no such way")


def one_of_several(instance: Instance, query: Query) -> Answers:
    """Says that there is one answer."""
    yield levels.load(instance.name).level.known.wins[0]
    return Outcome("satisfied", True)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Register a solver that lies; its name."""

    def register(solve: Callable[[Instance, Query], Answers]) -> str:
        module = ModuleType("fake")
        offered = {
            "NAME": "fake",
            "FEATURES": SOLVABLE | GOAL_WORDS,
            "available": lambda: None,
            "versions": dict,
            "solve": solve,
        }
        vars(module).update(offered)
        real = registry.load
        monkeypatch.setattr(
            registry, "load", lambda what, name: module if name == "fake" else real(what, name)
        )
        return "fake"

    return register


def unknown(name: str) -> Instance:
    """A level of which nothing is known, so that nothing but the check can tell that a solver lies."""
    instance = levels.load(name)
    return replace(instance, level=replace(instance.level, known=Known()))


@pytest.mark.parametrize("name", ["lemmings/seed", "sokoban/first", "sudoku/paper-4x4"])
def test_a_solver_that_claims_nothing_wins_is_wrong(fake: Fake, name: str) -> None:
    solver = fake(nothing)
    believed = api.solve(unknown(name), solver)
    assert believed.stop == "unsolvable" and believed.proof == "claimed"
    found = api.solve(unknown(name), solver, horizon=19, check_proof=True)
    assert found.proof == "wrong" and not found.answered
    assert found.note.startswith("wrong: the referee replays a win")


def test_a_solver_that_claims_a_worse_optimum_is_wrong(fake: Fake) -> None:
    found = api.solve(unknown("sokoban/first"), fake(goes_round), check_proof=True)
    assert found.stop == "optimal" and found.objective == 8
    assert found.proof == "wrong" and "with 6 turns" in found.note


def test_a_solver_that_misses_answers_is_wrong(fake: Fake) -> None:
    solver = fake(one_of_several)
    found = api.solve(unknown("lemmings/seed"), solver, "all", check_proof=True)
    assert found.proof == "wrong" and "not among them" in found.note
    several = api.unique(unknown("akari/ambiguous"), solver, check_proof=True)
    assert several.answers == "unknown" and several.result.proof == "wrong"
    assert several.result.note.startswith("wrong: the referee replays one that is not among them")


def test_the_command_tells_what_is_wrong(ask: Ask, fake: Fake) -> None:
    solver = fake(one_of_several)
    answer = ask("solve", "akari/ambiguous", "--unique", "--solver", solver, "--check-proof")
    assert answer.status == 1 and "proof wrong by referee" in answer.out and "not among them" in answer.out
    answer = ask("solve", "lemmings/seed", "--all", "--solver", solver, "--check-proof", "--json")
    assert answer.status == 1 and answer.data["proof"] == "wrong"


def test_the_command_says_what_checked_an_answer(ask: Ask) -> None:
    # On smaller levels the referee, which is asked first, may be through before the checker begins.
    answer = ask("solve", "lemmings/cavern", "--solver", "search", "--check-proof")
    assert answer.status == 0 and "proof checked by proof checker, " in answer.out
    answer = ask("solve", "sokoban/first", "--solver", "search", "--check-proof", "--json")
    assert answer.data["proof"] == "checked"
    assert answer.data["vouched"][0].startswith("referee, ")
    answer = ask("solve", "sudoku/paper-4x4", "--unique", "--check-proof")
    assert answer.status == 0 and "proof checked by proof checker, " in answer.out


def test_what_claims_nothing_is_not_checked() -> None:
    result = api.solve("lemmings/seed", "search", "first", check_proof=True)
    assert result.stop == "satisfied" and result.proof != "checked"
    assert api.unique("akari/ambiguous", "sat", check_proof=True).answers == "several"


def test_without_time_it_stays_a_claim() -> None:
    claim, result, query = put("lemmings/seed", "best")
    late = replace(query, clock=Clock(0.0))
    found = checked(claim.instance, late, result)
    assert found.proof == "claimed" and "not checked: time was up" in found.note
    with pytest.raises(OutOfTime):
        refutation.refute(claim, Clock(0.0))


def test_without_a_horizon_there_is_no_end_of_plans_with_inputs() -> None:
    """The referee does not try to list or count them."""
    for horizon in (None, 2):
        one = with_horizon(levels.load("sokoban/first"), 2)
        one = replace(one, level=replace(one.level, horizon=horizon))
        assert rederivation.apt(Claim(one, "none"))
        for sort in ("no-more", "count"):
            assert rederivation.apt(Claim(one, sort)) == (horizon is not None)  # type: ignore[arg-type]


def test_the_steps_of_a_proof_are_counted() -> None:
    found = refutation.refute(Claim(with_horizon(levels.load("sokoban/first"), 5), "none"), Clock(60))
    assert found.verdict == "checked" and found.steps > 0 and f"{found.steps} steps" in found.who


def test_the_referee_finds_what_costs_less_and_takes_longer() -> None:
    """Two pushes in four turns are claimed to be the best, and one push in five turns is enough."""
    game = levels.load("sokoban/first").game
    rows = [".  ", " $+", "   "]
    board, _ = read_board(rows, symbols_of(game), lambda row, column: Place("test"))
    one = Instance(game, Level("short", board, 8))
    for pushes, way, verdict in (
        (2, ("left", "down", "left", "up"), "wrong"),
        (1, ("down", "left", "left", "up", "right"), "checked"),
    ):
        assert replay(one, Plan((), way)).values["pushes"] == pushes
        found = by_referee(Claim(one, "none-better", objective_of(one, "pushes"), pushes, (Plan((), way),)))
        assert found is not None and found.verdict == verdict


def test_no_plan_however_long_is_not_shown_by_none_within_a_horizon() -> None:
    """A search that went through all states says more than clauses of so many turns can."""
    instance = with_horizon(levels.load("sokoban/first"), 2)
    claim = Claim(instance, "none", ever=True)
    assert not refutation.apt(claim)
    found = evidence(claim, Clock(20))
    assert found.verdict is None and "longer runs" in found.note
    closed = Claim(levels.load("boulder-dash/walled-in"), "none", ever=True)
    assert evidence(closed, Clock(20)).verdict == "checked"


# --- what the clauses are made of ---------------------------------------------------------------------


def test_counting_is_written_out_rightly() -> None:
    """Held against trying all: at most so many of some literals hold, or one that is given."""
    rng = Random(4)
    for _ in range(60):
        size = rng.randint(2, 6)
        number = rng.randint(1, size - 1)
        lits = [rng.choice((1, -1)) * lit for lit in range(1, size + 1)]
        given = [size + 1] if rng.random() < 0.5 else []
        written = Clauses(size + 1)
        at_most(written, given, lits, number)
        with Solver(bootstrap_with=written.clauses) as solver:
            for values in product((1, -1), repeat=size + 1):
                held = [value * lit for value, lit in zip(values, range(1, size + 2), strict=True)]
                right = sum(lit in held for lit in lits) <= number or bool(set(given) & set(held))
                assert solver.solve(assumptions=held) == right


def test_ways_to_win_are_counted_with_inputs_too() -> None:
    """Within a horizon the referee counts them one layer of states after another, clauses one by one."""
    instance = with_horizon(levels.load("sokoban/first"), 8)
    claim, _, _ = counted(instance)
    assert claim.count > 1
    assert {one.verdict for one in ways(claim)} == {"checked"} and len(ways(claim)) == 2
    assert {one.verdict for one in ways(replace(claim, count=claim.count + 1))} == {"wrong"}


def test_a_known_plan_is_ruled_out_and_no_other() -> None:
    instance = levels.load("akari/ambiguous")
    written = formula(encode(instance, horizon=0))
    plans = {in_order(plan) for plan in instance.level.known.wins}
    assert len(plans) == 2
    for plan in plans:
        found = refutation.solution(written, [written.without(plan)], Clock(60))
        assert found in plans - {plan}


def test_clauses_that_allow_what_does_not_win_are_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = levels.load("akari/ambiguous")
    monkeypatch.setattr(Formula, "plan", lambda self, ones: Plan(instance.level.known.wins[0].design[:1]))
    with pytest.raises(SolverError, match="allow what is no"):
        refutation.refute(Claim(instance, "none"), Clock(60))


@pytest.mark.parametrize(
    ("name", "want"),
    [("lemmings/seed", "best"), ("lemmings/seed", "all"), ("sokoban/first", "best"), ("akari/small", "all")],
)
def test_clauses_that_allow_nothing_at_all_prove_nothing(
    monkeypatch: pytest.MonkeyPatch, name: str, want: Want
) -> None:
    """An encoding that contradicts itself would refute everything."""
    claim, _, _ = put(name, want)

    def contradictory(*arguments: Any, **more: Any) -> Encoding:
        made = encode(*arguments, **more)
        made.add(Clause((), Why("a fault")))
        return made

    monkeypatch.setattr(refutation, "encode", contradictory)
    with pytest.raises(SolverError, match="do not allow"):
        refutation.refute(claim, Clock(60))


def test_a_proof_that_does_not_hold_is_an_error_of_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    claim, _, _ = put("lemmings/seed", "best")
    monkeypatch.setattr(refutation, "allow", lambda written, claim, clock: None)
    monkeypatch.setattr("ggp.proof.solver.solution_or_proof", lambda clauses, clock: b"0\n")
    with pytest.raises(SolverError, match="a proof that does not hold: step 1"):
        refutation.refute(claim, Clock(60))
