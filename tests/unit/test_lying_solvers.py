"""Programs that lie about plans that are not there, each in another way; and who vouches for what is true."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ggp import api
from ggp.harness.jobs import Settings
from ggp.harness.records import EMPTY, Record, disagreements, finished
from ggp.harness.runner import compare
from ggp.harness.table import summary
from ggp.harness.vouching import vouched
from ggp.language import levels
from ggp.model import Instance, Known
from ggp.model.result import Result, to_json
from ggp.tasks.questions import objective_of, with_horizon
from ggp.tasks.solving import Run
from ggp.tasks.vouching import vouched as of_answer
from tests.commands import Ask
from tests.slow import few_or_many, more_of, slow_unless
from tests.unit.test_harness import test_a_lie_and_a_disagreement_are_complaints as complaints_of_a_lie

MAP = """
game = "sokoban"

[[level]]
name = "plain"
horizon = 4
map = \"\"\"
######
#@ $.#
#    #
######
\"\"\"
"""

Liar = Callable[..., str]


@pytest.fixture
def plain(tmp_path: Path) -> str:
    """The file of a level of which nothing is known."""
    file = tmp_path / "plain.toml"
    file.write_text(MAP)
    return str(file)


@pytest.fixture
def liar(tmp_path: Path) -> Liar:
    """A solver that prints these lines, whatever it is asked."""

    def make(*lines: str) -> str:
        script = tmp_path / f"liar-{abs(hash(lines))}.py"
        script.write_text(f"print({chr(10).join(lines)!r})\n")
        return f"xcsp:{shlex.quote(sys.executable)} {script} {{file}}"

    return make


@pytest.fixture
def longer(tmp_path: Path) -> str:
    """A solver that has CP-SAT find a longest plan, and calls it the best there is."""
    script = tmp_path / "longer.py"
    script.write_text(RELABEL)
    return f"xcsp:{shlex.quote(sys.executable)} {script} {{file}}"


# CPMpy reads the file, of the one horizon that is short enough to be asked about at once.
RELABEL = """
import re, subprocess, sys
from pathlib import Path
from ggp.engines.processes import python
file = Path(sys.argv[1])
text = re.sub(r"<minimize(.*?)</minimize>", "<maximize\\\\1</maximize>", file.read_text(), flags=re.S)
file.write_text(text)
command, environment = python("ggp.engines.csp.cpmpy_worker")
command = [*command, str(file), "best", ""]
print(subprocess.run(command, env=environment, capture_output=True, text=True).stdout)
"""


# --- solve


def test_that_there_is_none_against_a_known_plan(liar: Liar, ask: Ask) -> None:
    answer = ask("solve", "sokoban/first", "--solver", liar("s UNSATISFIABLE"), "--json")
    assert (answer.status, answer.data["stop"]) == (1, "horizon-exhausted")
    answer = ask("solve", "sudoku/paper-4x4", "--solver", liar("s UNSATISFIABLE"), "--json")
    assert (answer.status, answer.data["stop"], answer.data["proof"]) == (1, "unsolvable", "wrong")
    assert "a plan that wins when it is replayed" in answer.data["note"]
    told = ask("solve", "sudoku/paper-4x4", "--solver", liar("s UNSATISFIABLE"))
    assert told.status == 1 and "proof wrong" in told.out and "wins when it is replayed" in told.out


def test_of_what_nothing_is_known_it_is_a_claim(liar: Liar, plain: str, ask: Ask) -> None:
    answer = ask("solve", plain, "--solver", liar("s UNSATISFIABLE"), "--json")
    assert (answer.status, answer.data["stop"]) == (1, "horizon-exhausted")
    assert (answer.data["proof"], answer.data["vouched"]) == ("claimed", [])


@pytest.mark.parametrize(
    ("unsure", "told"), [("s UNKNOWN", "says UNKNOWN"), ("s UNSUPPORTED", "does not support something")]
)
def test_who_does_not_know_is_heard(liar: Liar, plain: str, unsure: str, told: str, ask: Ask) -> None:
    answer = ask("solve", plain, "--solver", liar(unsure))
    assert answer.status == 1 and told in answer.out + answer.err


@few_or_many("kept", ["optimum"], ["wins", "optimum"])
def test_a_plan_that_is_called_the_best(kept: list[str], longer: str, plain: str) -> None:
    """The plan wins; that there is no better one is a claim, and wrong where better is known."""
    result = api.solve(plain, longer, time_limit=60)
    assert result.stop == "optimal" and result.proof == "claimed"
    assert result.objective is not None and result.objective > 2, "the liar must lie"
    good = api.solve(plain, "search")
    (plan,) = good.plans
    one = levels.load(plain)
    facts = {"wins": Known(wins=(plan,)), "optimum": Known(optimum=(("turns", 2),))}
    for known in (facts[name] for name in kept):
        told = replace(one, level=replace(one.level, known=known))
        result = api.solve(told, longer, time_limit=60)
        assert (result.stop, result.proof, result.answered) == ("optimal", "wrong", False)
        assert "2 turns" in result.note
        assert api.solve(told, "search").proof == "claimed"


@pytest.mark.parametrize(
    ("level", "name", "best"),
    [("sokoban/first", "turns", 6), ("sokoban/first", "pushes", 2), ("lemmings/seed", "bricks", 3)],
)
def test_a_known_plan_just_below_a_bound(level: str, name: str, best: int) -> None:
    """Told by the plan alone, or by its replay."""
    one = levels.load(level)
    one = replace(one, level=replace(one.level, known=Known(wins=one.level.known.wins)))
    objective = objective_of(one, name)
    for bound, proof in ((best, "claimed"), (best + 1, "wrong")):
        said = Result(level, "liar", "optimal", (), True, objective=bound, bound=bound)
        assert of_answer(one, said, "best", objective, lambda plan: True).proof == proof


# --- the horizon


SOLVERS = ["cp-sat", "sat", "cbc", "search", "search:plain", "search:ida"]


@pytest.mark.parametrize(
    "solver",
    slow_unless([*SOLVERS, "choco"], [*SOLVERS, "ace", "choco", "cpmpy", "pyperplan", "fast-downward"]),
)
def test_no_turns_at_all_is_a_horizon(solver: str) -> None:
    result = api.solve("sokoban/first", solver, horizon=0, time_limit=60)
    assert (result.stop, result.plans, result.answered) == ("horizon-exhausted", (), False)
    assert result.proof in ("claimed", None) and (result.proof or not result.negative)
    assert result.note in ("no plan within 0 turns", "the shortest plan takes 6 turns")


@pytest.mark.parametrize("how", [["--unique"], ["--count"], ["--all"], ["--first"], []])
@pytest.mark.parametrize("solver", ["cp-sat", "sat"])
def test_every_question_at_no_turns(solver: str, how: list[str], ask: Ask) -> None:
    answer = ask("solve", "sokoban/first", "--horizon", "0", "--solver", solver, *how)
    assert answer.status == 1 and "horizon-exhausted" in answer.out and "unsolvable" not in answer.out


def test_a_horizon_that_is_part_of_the_goal() -> None:
    assert api.solve("lemmings/seed", "cp-sat", horizon=1).stop == "unsolvable"
    assert api.solve("lemmings/hopeless", "cp-sat").stop == "unsolvable"


def test_what_is_known_is_of_the_levels_own_horizon() -> None:
    one = levels.load("sokoban/first")
    assert one.level.known.solvable
    short = with_horizon(one, 5)
    assert short.level.known.solvable is None and not short.level.known.optimum
    assert api.solve("sokoban/first", "search", horizon=5).proof == "claimed"
    assert with_horizon(one, one.level.horizon) == one


# --- lists


def test_a_list_without_a_known_plan_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    from ggp.model.result import Outcome
    from ggp.solvers import null

    one = levels.load("lemmings/seed")

    def forget(instance: Instance, query: object) -> object:
        yield from one.level.known.wins[:2]
        return Outcome("satisfied", True)

    monkeypatch.setattr(null, "solve", forget)
    run = Run(one, "null", "all")
    assert len(list(run)) == 2 and run.result is not None
    assert (run.result.proof, run.result.answered) == ("wrong", False)
    assert "is not among these" in run.result.note
    counted = Run(one, "null", "count")
    assert len(list(counted)) and counted.result is not None and counted.result.proof == "wrong"
    found = api.unique(one, "null")
    assert found.answers == "several"


# --- compare: records


def record(solver: str, stop: str = "optimal", value: int | None = None, **more: object) -> Record:
    """A record of a run on one level; `value` is what its plan is worth."""
    bound = value if stop == "optimal" else None
    complete = stop in ("optimal", "unsolvable", "horizon-exhausted")
    told = to_json(Result("a/b", solver, stop, (), complete, objective=value, bound=bound), [])  # type: ignore[arg-type]
    plans = [] if value is None else [{"design": [], "actions": ["up"] * value}]
    seen = {"want": "best", "best": {} if value is None else {"turns": value}, "plans": plans}
    seen |= {"solutions": len(plans), "won": len(plans), "replayed": bool(plans) or None}
    proof = "claimed" if complete else None
    return {**told, **EMPTY, **seen, "all_seconds": 1.0 if complete else None, "proof": proof, **more}


ENGINES = {"cp-sat": "cp-sat", "cpmpy": "cp-sat", "sat": "sat", "search": "search", "mine": ""}


def proofs(*records: Record) -> dict[str, tuple[str | None, list[str]]]:
    return {one["solver"]: (one["proof"], one["vouched"]) for one in vouched(records, ENGINES)}


def test_others_agree_if_their_engine_is_another() -> None:
    found = proofs(*(record(solver, value=5) for solver in ENGINES))
    assert found == {
        "cp-sat": ("agreed", ["sat", "search"]),
        "cpmpy": ("agreed", ["sat", "search"]),
        "sat": ("agreed", ["cp-sat", "cpmpy", "search"]),
        "search": ("agreed", ["cp-sat", "cpmpy", "sat"]),
        "mine": ("claimed", []),
    }
    assert proofs(record("cp-sat", value=5), record("cpmpy", value=5))["cp-sat"] == ("claimed", [])
    assert proofs(record("cp-sat", value=5), record("sat", value=5, path="learned"))["sat"] == ("claimed", [])


def test_of_a_score_more_is_better() -> None:
    """A plan of a lower score refutes nothing, a higher one does; who says less of the bound says more."""
    low, high, best = (record("sat", "time-limit", value, highest=True) for value in (4, 6, 5))
    told = [record("search", value=5, highest=True), record("cp-sat", "time-limit", 5, highest=True, bound=9)]
    assert proofs(told[0], low, best)["search"] == ("claimed", [])
    assert proofs(told[0], high)["search"][0] == "wrong"
    assert proofs(*told) == {"search": ("claimed", []), "cp-sat": ("agreed", ["search"])}


def test_agreement_upon_one_encoding_is_told_apart() -> None:
    """All who were given one encoding would agree upon a fault of it; search has the rules from elsewhere."""
    both = [record("cp-sat", value=5, encoded="turn"), record("sat", value=5, encoded="turn")]
    other = record("sat", value=5, encoded="macro")
    for more, alone in (([], True), ([record("search", value=5, encoded="")], False), ([other], False)):
        told = vouched([*both, *more], ENGINES)
        assert [one["proof"] for one in told] == ["agreed"] * len(told)
        assert told[0]["one_encoding"] is alone
        assert any("agreed upon one encoding alone: cp-sat" in line for line in summary(told)) is alone


def test_a_plan_of_another_run_refutes() -> None:
    short = record("sat", "time-limit", 4)
    for lie in (record("mine", value=5), record("mine", "unsolvable"), record("mine", "horizon-exhausted")):
        (one, other) = vouched([lie, short], ENGINES)
        assert one["proof"] == "wrong" and "wins when it is replayed" in one["note"]
        assert other["proof"] is None
        assert finished(lie) and not finished(one), "it takes no part in rankings"
        assert any("a/b, described, mine: wrong: " in line for line in disagreements([one, other]))
        assert any(line.startswith("DIFFERS: a/b, described, mine: wrong") for line in summary([one, other]))
    bound = record("mine", "time-limit", 6, bound=5)
    assert proofs(bound, short)["mine"][0] == "wrong"
    assert proofs(record("mine", value=4), short)["mine"] == ("claimed", [])


def test_what_did_not_win_refutes_nothing() -> None:
    lost = record("sat", "time-limit", 4, replayed=False, won=0)
    assert proofs(record("mine", value=5), lost)["mine"][0] == "claimed"


def test_none_at_all_is_more_than_none_within_the_horizon() -> None:
    found = proofs(record("cp-sat", "unsolvable"), record("sat", "horizon-exhausted"))
    assert found == {"cp-sat": ("claimed", []), "sat": ("agreed", ["cp-sat"])}


def listing(solver: str, numbers: str, **more: object) -> Record:
    plans = [{"design": [[0, int(number), "x"]], "actions": []} for number in numbers]
    seen = {"want": "all", "plans": plans, "count": len(plans), "complete": True, "solutions": len(plans)}
    seen |= {"won": len(plans), "replayed": True, "all_seconds": 1.0, "proof": "claimed"}
    return {**record(solver, "satisfied"), **seen, **more}


def test_a_list_that_lacks_a_plan_of_another_is_wrong() -> None:
    assert proofs(listing("cp-sat", "012"), listing("sat", "01")) == {
        "cp-sat": ("claimed", []),
        "sat": ("wrong", []),
    }
    assert proofs(listing("cp-sat", "012"), listing("sat", "012"))["cp-sat"] == ("agreed", ["sat"])
    some = listing("search", "2", complete=False, all_seconds=None, stop="time-limit")
    assert proofs(some, listing("sat", "01"))["sat"][0] == "wrong"
    # Two that count otherwise and list the same cannot both be right, and none of them is vouched for.
    found = vouched([listing("cp-sat", "012"), listing("sat", "012", count=5)], ENGINES)
    assert [one["proof"] for one in found] == ["claimed", "claimed"] and disagreements(found)


def test_a_checked_verdict_refutes() -> None:
    checked = listing("cp-sat", "012", proof="checked", vouched=["a checker"])
    found = proofs(checked, listing("sat", "012", count=5))
    assert found == {"cp-sat": ("checked", ["a checker"]), "sat": ("wrong", [])}
    assert proofs(checked, listing("sat", "012"))["sat"] == ("agreed", ["cp-sat"])


def test_records_from_before_there_were_proofs() -> None:
    old = [record("cp-sat", value=5), record("sat", value=5), record("search", "time-limit", 6)]
    for one in old:
        del one["proof"], one["vouched"]
    assert disagreements(old) == [] and summary(old)
    assert [one["proof"] for one in vouched(old, ENGINES)] == ["agreed", "agreed", None]


# --- compare: the whole of it


@more_of(test_that_there_is_none_against_a_known_plan, complaints_of_a_lie)
def test_compare_sees_the_liar(liar: Liar, plain: str, tmp_path: Path) -> None:
    lie = liar("s UNSATISFIABLE")
    one, solvers = levels.load(plain), ["search", "sat", lie]
    limits, folder = Settings(time_limit=30), tmp_path / "out"
    first, again = (
        compare([one], solvers=solvers, paths=["described"], settings=limits, folder=folder) for _ in "12"
    )
    found = {one["solver"]: one for one in first.records}
    assert {name: one["proof"] for name, one in found.items()} == {
        "search": "agreed",
        "sat": "agreed",
        lie: "wrong",
    }
    assert found["search"]["vouched"] == ["sat"] and found[lie]["all_seconds"] is None
    assert any("wrong: " in line for line in first.complaints())
    assert again.resumed == 3 and again.records == first.records
