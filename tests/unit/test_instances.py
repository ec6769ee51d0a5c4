"""Files of clauses, rows and XCSP3: what they say, what is refused with its place, what solvers answer."""

from __future__ import annotations

import gzip
import json
import lzma
import random
from collections.abc import Generator, Iterator
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from ggp.cli import cli
from ggp.encoding.judging import holds
from ggp.engines.csp.run import Talk
from ggp.engines.instances import reading, xcsp3
from ggp.engines.instances.encoding import encoding_of
from ggp.engines.instances.problem import Problem
from ggp.errors import DescriptionError, PuzzleError, SolverError
from ggp.model import Piece, Plan
from ggp.model.result import Outcome, Trace
from ggp.tasks import instances
from ggp.tasks.instances import FileRun, xcsp
from tests.slow import slow_unless

CNF = "c two clauses\np cnf 3 2\n1 -2 0 -1\n3 0\n"
WCNF = "h 1 2 0\n3 -1 0\n2 -2 0\n1 -3 -1 0\n"
OLD_WCNF = "c as it was\np wcnf 3 4 9\n9 1 2 0\n3 -1 0\n2 -2 0\n1 -3 -1 0\n"
OPB = "* #variable= 3 #constraint= 2\nmin: +3 x1 -2 ~x2 ;\n+1 x1 -2 x2\n x3 >= -1 ; x1 + x3 = 1 ;\n"
LP = r"""\ integers, and bounds of every kind
Maximize
 obj: x + 2 y - 0.5 z + 3
Subject To
 c1: x + y >= 1
 - x + z <= 3.5
 -2 <= x - y <= 1
Bounds
 0 <= z <= 4
 w >= -2
 w <= -1
Binary
 x y
General
 z w
End
"""
MPS = """* the same, as columns
NAME same
OBJSENSE
 MAX
ROWS
 N obj
 G c1
 L c2
 G c3
COLUMNS
 M 'MARKER' 'INTORG'
 x obj 1 c1 1
 x c2 -1 c3 1
 y obj 2 c1 1
 y c3 -1
 z obj -0.5 c2 1
 w obj 0
 M 'MARKER' 'INTEND'
RHS
 RHS c1 1 c2 3.5
 RHS c3 -2 obj -3
RANGES
 RNG c3 3
BOUNDS
 BV BND x
 BV BND y
 UP BND z 4
 LO BND w -2
 UP BND w -1
ENDATA
"""
XML = """<instance format="XCSP3" type="COP">
  <variables>
    <array id="x" size="[2][2]">
      <domain for="x[0][]"> 0..4 </domain>
      <domain for="others"> 1 3 5..7 </domain>
    </array>
    <var id="y"> 0 1 </var>
    <var id="z" as="y"/>
  </variables>
  <constraints>
    <allDifferent> x[][] </allDifferent>
  </constraints>
  <objectives> <maximize> x[1][1] </maximize> </objectives>
</instance>
"""
TEXTS = {"cnf": CNF, "wcnf": WCNF, "opb": OPB, "lp": LP, "mps": MPS}


def read(kind: str, text: str) -> Problem:
    return reading.read_text(text, kind, f"a.{kind}")


def solutions(problem: Problem) -> dict[tuple[int, ...], int | float]:
    """All values that keep every line, with what they are worth."""
    domains = [range(low, high + 1) for low, high in problem.bounds]
    every = [values for values in product(*domains) if not list(problem.broken(values))]
    return {values: problem.value(problem.cost(values)) for values in every}


# --- what files say


def test_clauses_and_what_they_cost() -> None:
    assert set(solutions(read("cnf", CNF))) == {
        (a, b, c) for a, b, c in product((0, 1), repeat=3) if (a or not b) and (not a or c)
    }
    expected = {(a, b, c): 3 * a + 2 * b + (a and c) for a, b, c in product((0, 1), repeat=3) if a or b}
    assert solutions(read("wcnf", WCNF)) == expected == solutions(read("wcnf", OLD_WCNF))


def test_sums_of_products() -> None:
    expected = {
        (a, b, c): 3 * a - 2 * (1 - b)
        for a, b, c in product((0, 1), repeat=3)
        if a - 2 * b * c >= -1 and a + c == 1
    }
    assert solutions(read("opb", OPB)) == expected
    assert read("opb", OPB.replace("min:", "max:")).sign == -1


def test_linear_programs_in_both_forms() -> None:
    expected = {
        (x, y, z, w): x + 2 * y - 0.5 * z + 3
        for x, y, z, w in product((0, 1), (0, 1), range(5), (-2, -1))
        if x + y >= 1 and z - x <= 3.5 and -2 <= x - y <= 1
    }
    assert solutions(read("lp", LP)) == expected == solutions(read("mps", MPS))
    assert read("lp", LP).names == ["x", "y", "z", "w"] == read("mps", MPS).names


def test_ranges_count_from_right_hand_sides_wherever_these_stand() -> None:
    start, _, rest = MPS.partition("RHS\n")
    sides, _, rest = rest.partition("RANGES\n")
    ranges, _, rest = rest.partition("BOUNDS\n")
    turned = f"{start}RANGES\n{ranges}RHS\n{sides}BOUNDS\n{rest}"
    assert solutions(read("mps", turned)) == solutions(read("mps", MPS))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("cnf", "p cnf 3 1\n1 0\n"),
        ("wcnf", "p wcnf 3 1 9\n9 1 0\n"),
        ("opb", "* #variable= 3 #constraint= 1\nx1 >= 1 ;\n"),
    ],
)
def test_a_variable_that_is_announced_and_never_named_is_one(kind: str, text: str) -> None:
    assert len(solutions(read(kind, text))) == 4


def test_what_an_xcsp3_file_declares() -> None:
    found = xcsp3.read(XML, "a.xml")
    domains = {name: list(values) for name, values in found.declared.domains.items()}
    low, high, flag = list(range(5)), [1, 3, 5, 6, 7], [0, 1]
    rows = {"x[0][0]": low, "x[0][1]": low, "x[1][0]": high, "x[1][1]": high}
    assert domains == {**rows, "y": flag, "z": flag}
    assert found.asks and found.declared.sizes == {"x": (2, 2)}


@pytest.mark.parametrize("kind", TEXTS)
def test_an_encoding_has_the_solutions_of_its_file(kind: str) -> None:
    """Every assignment keeps all constraints exactly where it keeps all lines, and costs the same."""
    problem = read(kind, TEXTS[kind])
    encoding = encoding_of(problem)
    domains = [variable.domain for variable in encoding.variables]
    found = {}
    for values in product(*domains):
        each = dict(enumerate(values))
        if all(holds(encoding, one, each) for one in encoding.constraints):
            lits = ((weight, abs(lit), lit > 0) for weight, lit in encoding.minimise)
            cost = sum(
                weight
                for weight, atom, sign in lits
                if (each[encoding.atoms[atom][0]] == encoding.atoms[atom][1]) == sign
            )
            found[values[: len(problem.names)]] = problem.value(encoding.offset + cost)
    assert found == solutions(problem)


# --- what is refused, and where


@pytest.mark.parametrize(
    ("kind", "text", "place", "message"),
    [
        ("cnf", "p cnf -3 1\n1 0\n", "1:1", "below 0"),
        ("cnf", "p cnf 3 1\n1 x 0\n", "2:3", "'x' is not a literal"),
        ("cnf", "p cnf 3 1\n1 4 0\n", "2:3", "no variable 4"),
        ("cnf", "p cnf 3 2\n1 0\n", "1:1", "1 clauses, and 2 are announced"),
        ("cnf", "p cnf 3 1\n1 2\n", "2:1", "no end"),
        ("cnf", "p wcnf 3 1 5\n", "1:1", "`wcnf`"),
        ("cnf", "hello\n", "1:1", "begins with `p cnf"),
        ("cnf", "p cnf 999999999 1\n1 0\n", "1:1", "too many"),
        ("wcnf", "h 1 2\n", "1:1", "no end"),
        ("wcnf", "-3 1 0\n", "1:1", "cannot cost -3"),
        ("opb", "+1 x1 >= 1\n", "1:1", "no end"),
        ("opb", "+1 x1 ;\n", "1:1", "compares nothing"),
        ("opb", "+1 2 x1 >= 1 ;\n", "1:4", "no variable"),
        ("opb", "+1 x1 >= ;\n", "1:7", "one number"),
        ("opb", "soft: 5 ;\n", "1:1", "WBO"),
        ("lp", "Minimize\n x\nSubject To\n x >= 1\nEnd\n", "2:2", "need not be a whole number"),
        ("lp", "Minimize\n x\nSubject To\n x >= 1\nGeneral\n x\nEnd\n", "2:2", "no largest value"),
        ("lp", "Minimize\n x * y\nSubject To\nEnd\n", "2:4", "not read"),
        ("lp", "Minimize\n x\nSubject To\n x >= \nEnd\n", "4:4", "a number must stand here"),
        ("lp", "Minimize\n x\nSemi-continuous\n x\nEnd\n", "3:1", "semi-continuous"),
        ("lp", "Minimize\n x\nSubject To\n 3 x >= 2 y\n x + y <= 3\nEnd\n", "5:2", "'x' follows a column"),
        ("lp", "Minimize\n x\nSubject To\n -inf <= x <= 3\nEnd\n", "4:3", "infinity is no number of a row"),
        ("lp", "Minimize x\nSubject To\n x <= 3\nEnd\n", "1:1", "a line Minimize or Maximize"),
        ("mps", "NAME a\nROWS\n N c\nCOLUMNS\n x c 1\n", "5", "no ENDATA"),
        ("mps", "NAME a\nSOS\n", "2:1", "special ordered sets"),
        ("mps", "NAME a\nROWS\n N c\nCOLUMNS\n x d 1\n", "5:4", "no row 'd'"),
        ("mps", "NAME a\nROWS\n N c\nCOLUMNS\n x c 1e999\n", "5:6", "is not a number"),
    ],
)
def test_a_fault_is_told_with_its_place(kind: str, text: str, place: str, message: str) -> None:
    with pytest.raises(DescriptionError) as caught:
        read(kind, text)
    (finding,) = caught.value.findings
    assert message in finding.message and finding.remedy
    assert str(finding.place) == f"a.{kind}:{place}"


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        (
            "<allDifferent>",
            "<stretch><list>x[][]</list></stretch><allDifferent>",
            11,
            "<stretch> is not XCSP3-core",
        ),
        ('type="COP"', 'type="WCSP"', 1, "type WCSP"),
        ('<var id="y">', '<var id="y" type="symbolic">', 7, "symbolic"),
        ("0 1 </var>", "0..1000000000 </var>", 7, "1,000,000,001 values"),
        ("x[0][]", "x[0][7]", 4, "'x[0][7]' is not in the array"),
        ("</instance>", "", 15, "this is not XML"),
        ("<allDifferent>", "<intension> lt(x[0][1],w) </intension><allDifferent>", 11, "no variable 'w'"),
        ("<allDifferent>", "<intension> lt(x[0][1], </intension><allDifferent>", 11, "brackets of 'lt(x"),
        ("<constraints>", "<!DOCTYPE a [<!ENTITY b 'c'>]><constraints>", 10, "document types"),
        ("<constraints>", "<constraints>" + "<block>" * 300 + "</block>" * 300, 10, "this is not XML"),
    ],
)
def test_what_is_not_xcsp3_core_is_named(old: str, new: str, line: int, message: str) -> None:
    with pytest.raises(DescriptionError) as caught:
        xcsp3.read(XML.replace(old, new, 1), "a.xml")
    (finding,) = caught.value.findings
    assert message in finding.message and finding.place is not None and finding.place.line == line


def test_packed_files_are_read_and_a_cut_one_is_refused(tmp_path: Path) -> None:
    whole = gzip.compress(CNF.encode() * 100)
    for name, data in (("a.cnf.gz", gzip.compress(CNF.encode())), ("a.cnf.xz", lzma.compress(CNF.encode()))):
        (tmp_path / name).write_bytes(data)
        assert reading.text_of(tmp_path / name) == CNF
    legacy = lzma.compress(XML.encode(), lzma.FORMAT_ALONE)
    (tmp_path / "a.xml.lzma").write_bytes(legacy)
    assert reading.text_of(tmp_path / "a.xml.lzma") == XML
    for name, data in (("b.cnf.gz", whole[:-9]), ("b.xml.lzma", legacy[:-20])):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(DescriptionError, match="the archive ends too early"):
            reading.text_of(tmp_path / name)
    (tmp_path / "c.cnf.gz").write_bytes(CNF.encode())
    with pytest.raises(DescriptionError, match="no archive"):
        reading.text_of(tmp_path / "c.cnf.gz")


def test_a_packed_file_is_not_unpacked_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LARGEST", 1000)
    (tmp_path / "a.cnf.gz").write_bytes(gzip.compress(b"c" * 10_000_000))
    with pytest.raises(DescriptionError, match="larger than 1,000 bytes"):
        reading.text_of(tmp_path / "a.cnf.gz")


def test_a_domain_that_no_solver_spells_out_is_refused() -> None:
    text = LP.replace("z <= 4", "z <= 1000000000")
    with pytest.raises(PuzzleError, match=r"z has 1,000,000,001 values"):
        encoding_of(read("lp", text))


# --- solving


def asked(tmp_path: Path, kind: str, text: str, *options: str) -> tuple[int, Any]:
    """The exit status and the JSON of `ggp solve FILE`."""
    file = tmp_path / f"a.{kind}"
    file.write_text(text)
    found = CliRunner().invoke(cli, ["solve", str(file), "--json", *options])
    return found.exit_code, json.loads(found.stdout) if found.stdout.strip() else found


@pytest.mark.parametrize("kind", TEXTS)
@pytest.mark.parametrize("solver", slow_unless({"cp-sat"}, ["cp-sat", "sat", "cbc", "highs", "scip", "ace"]))
def test_every_family_solves_every_file(solver: str, kind: str, tmp_path: Path) -> None:
    problem = read(kind, TEXTS[kind])
    every = solutions(problem)
    status, found = asked(tmp_path, kind, TEXTS[kind], "--solver", solver, "--all")
    assert status == 0 and found["complete"] and found["count"] == len(every)
    listed = {tuple(one["assignment"][name] for name in problem.names) for one in found["plans"]}
    assert listed == set(every)
    status, found = asked(tmp_path, kind, TEXTS[kind], "--solver", solver)
    best = (max if problem.sign < 0 else min)(every.values())
    assert found["highest"] == (problem.asks and problem.sign < 0)
    assert status == 0 and (found["objective"] == best if problem.asks else found["stop"] == "satisfied")


@pytest.mark.parametrize("solver", ["highs", "scip"])
def test_what_is_worse_by_less_than_a_ten_thousandth_is_not_best(solver: str, tmp_path: Path) -> None:
    """Solvers of rows stop there if not told: beside a large fixed cost the rest seems small."""
    rng = random.Random(0)
    costs = " ".join(f"+{rng.randint(20, 40)} x{at}" for at in range(24))
    rows = [" ".join(f"+1 x{at}" for at in rng.sample(range(24), 3)) + " >= 1 ;" for _ in range(30)]
    text = "\n".join([f"min: {costs} +1000000 y1 +1000007 y2 ;", "+1 y1 +1 y2 >= 1 ;", *rows])
    status, found = asked(tmp_path, "opb", text, "--solver", solver)
    _, exact = asked(tmp_path, "opb", text, "--solver", "cp-sat")
    assert status == 0 and found["stop"] == exact["stop"] == "optimal"
    assert found["objective"] == exact["objective"]


def test_what_has_no_solution_is_unsolvable(tmp_path: Path) -> None:
    status, found = asked(tmp_path, "cnf", "p cnf 1 2\n1 0\n-1 0\n")
    assert status == 0 and found["stop"] == "unsolvable" and found["plans"] == []


@pytest.mark.parametrize(("kind", "text"), [("cnf", CNF), ("xml", XML)])
def test_without_time_a_run_ends_as_one(kind: str, text: str, tmp_path: Path) -> None:
    status, found = asked(tmp_path, kind, text, "--time-limit", "0")
    assert status == 1 and found["stop"] == "time-limit" and found["plans"] == []


def test_an_option_of_solvers_goes_to_the_one_that_reads_the_file(tmp_path: Path) -> None:
    status, found = asked(tmp_path, "xml", XML, "--seed", "3", "--time-limit", "0")
    assert status == 1 and found["solver"].startswith("ace") and found["options"] == {"seed": 3}


def lying(plan: Plan) -> ModuleType:
    """A solver that answers this, and claims that it is best."""
    module = ModuleType("lying")
    module.BACKEND = None  # type: ignore[attr-defined]

    def solve(instance: Any, query: Any) -> Generator[Plan, None, Outcome]:
        yield plan
        return Outcome("optimal", True, bound=-1)

    module.solve, module.versions = solve, dict  # type: ignore[attr-defined]
    return module


@pytest.mark.parametrize(
    ("values", "why"), [((0, 1, 0), "a.cnf:3 does not hold"), ((1, 0, 1), "a best of -1")]
)
def test_an_answer_that_does_not_hold_is_wrong(
    values: tuple[int, ...], why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = Plan(tuple(((0, at), Piece("x", value)) for at, value in enumerate(values)))
    monkeypatch.setattr(instances, "module_of", lambda name: lying(plan))
    status, found = asked(tmp_path, "cnf", CNF)
    assert status == 1 and found["proof"] == "wrong" and why in found["note"]
    assert found["stop"] == "error" and not found["complete"]


def test_the_checker_judges_what_a_program_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One answer that it refuses, and so a run that is wrong."""
    answer = {"x[0][0]": 0, "x[0][1]": 0, "x[1][0]": 3, "x[1][1]": 7, "y": 0, "z": 0}
    monkeypatch.setattr(Talk, "answers", lambda self, text: iter([answer]))
    (tmp_path / "a.xml").write_text(XML)
    run = FileRun(tmp_path / "a.xml", "choco", "first")
    assert list(run) == [] and run.result is not None
    assert run.result.proof == "wrong" and "allDifferent" in run.result.note


@pytest.mark.parametrize(
    ("words", "passed", "proof", "why"),
    [
        ("INVALID: allDifferent", False, "wrong", "allDifferent"),
        ("OK 7", True, "wrong", "a best of 1"),
        ("Fatal Error: not implemented", False, None, "cannot judge"),
        ("LOG: Check constraints", False, None, "cannot judge"),  # it stops there at a sum as an origin
    ],
)
def test_what_comes_of_an_encoding_of_xcsp3_is_judged_by_the_checker(
    words: str, passed: bool, proof: str | None, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = Plan(tuple(((0, at), Piece("x", value)) for at, value in enumerate((0, 1, 3, 7, 0, 0))))
    monkeypatch.setattr(xcsp, "module_of", lambda name: lying(plan))
    monkeypatch.setattr(xcsp, "check", lambda file, answer: (passed, words))
    (tmp_path / "a.xml").write_text(XML)
    run = FileRun(tmp_path / "a.xml", "lying")
    if proof is None:
        with pytest.raises(SolverError, match=why):
            list(run)
        return
    assert list(run) == [] and run.result is not None
    assert run.result.proof == proof and why in run.result.note


def test_a_checker_without_memory_judges_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says so, and does not ask for another file."""
    words = "# There is insufficient memory for the Java Runtime Environment to continue."
    monkeypatch.setattr(xcsp, "check", lambda file, answer: (False, words))
    status, found = asked(tmp_path, "xml", XML, "--solver", "sat")
    assert status == 1 and (found["stop"], found["plans"]) == ("memory-limit", [])
    assert "too little memory" in found["note"]


@pytest.mark.parametrize(("kind", "text", "usual"), [("xml", XML, "ace"), ("cnf", CNF, "cp-sat")])
def test_auto_is_what_is_taken_without_a_name(kind: str, text: str, usual: str, tmp_path: Path) -> None:
    status, found = asked(tmp_path, kind, text, "--solver", "auto", "--time-limit", "0")
    assert status == 1 and (found["solver"], found["stop"]) == (usual, "time-limit")


@pytest.mark.parametrize("solver", slow_unless({"cp-sat"}, ["cp-sat", "sat", "cbc", "scip", "highs"]))
def test_every_family_solves_xcsp3_files(solver: str, tmp_path: Path) -> None:
    status, found = asked(tmp_path, "xml", XML, "--solver", solver)
    assert status == 0 and (found["stop"], found["objective"]) == ("optimal", 7)


def test_an_answer_that_is_told_twice_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As Choco does with its last; answers that leave a variable open may overlap, too."""
    told = [{"a": 0, "b": None}, {"a": 1, "b": 0}, {"b": 1, "a": 0}, {"a": 1, "b": 0}]
    monkeypatch.setattr(Talk, "answers", lambda self, text: iter(told))
    monkeypatch.setattr(Talk, "outcome", lambda self, *found, **said: Outcome("satisfied", True))
    monkeypatch.setattr(xcsp, "judged", lambda file, answer: None)
    (tmp_path / "a.xml").write_text(
        '<instance format="XCSP3" type="CSP"><variables><var id="a"> 0..1 </var> <var id="b"> 0..1 </var>'
        "</variables><constraints/></instance>"
    )
    answers = [(one["a"], one["b"]) for one in FileRun(tmp_path / "a.xml", "choco", "count")]
    assert sorted(answers) == [(0, 0), (0, 1), (1, 0)]


PACKED = "<binPacking><list> x[] </list><sizes> 3 4 2 </sizes><condition> (le,6) </condition></binPacking>"
ZERO = "<noOverlap><origins> x[] </origins><lengths> 1 %0 2 </lengths></noOverlap>"
PLAIN = "<sum><list> x[] </list><condition> (in,1..3) </condition></sum>"


@pytest.mark.parametrize(
    ("said", "misread"),
    [
        (PACKED, {"choco", "cpmpy"}),
        (PLAIN, set()),
        (PLAIN.replace("in,", "notin,"), {"ace", "choco"}),
        (f"<group>{PLAIN.replace('(in,1..3)', '%0')}<args> (notin,1..3) </args></group>", {"ace", "choco"}),
        ("<element><list> x[0] x[1] </list><value> x[2] </value></element>", {"ace"}),
        (ZERO.replace("%0", "10"), set()),
        (ZERO.replace("%0", "0"), {"ace"}),
        (ZERO.replace("%0", "00"), {"ace"}),
        (ZERO.replace("%0", "x[0]"), {"ace"}),
        (f"<group>{ZERO}<args> 0 </args></group>", {"ace"}),
        (ZERO.replace("<noOverlap>", '<noOverlap zeroIgnored="false">').replace("%0", "3"), {"choco"}),
    ],
)
def test_who_misreads_a_form_gets_what_our_reader_makes_of_it(said: str, misread: set[str]) -> None:
    """Else it would claim something of another file: of no solution nobody judges that there is none."""
    text = (
        '<instance format="XCSP3" type="CSP"><variables><array id="x" size="[3]"> 1..3 </array></variables>'
    )
    file = xcsp3.read(f"{text}<constraints>{said}</constraints></instance>", "a.xml")
    for solver in ("ace", "choco", "cpmpy"):
        source = xcsp.xcsp3_of(file, solver, Trace())
        assert bool(source.encoded) == (solver in misread), solver


def test_a_program_that_ends_at_a_file_is_not_the_last_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ends(self: Talk, text: str) -> Iterator[dict[str, int]]:
        raise SolverError("ace ended", "try another one")
        yield {}

    monkeypatch.setattr(Talk, "answers", ends)
    (tmp_path / "a.xml").write_text(XML)
    with pytest.raises(SolverError, match="ace ended") as told:
        list(FileRun(tmp_path / "a.xml", "ace"))
    assert "cp-sat" in told.value.findings[0].remedy and "ace" not in told.value.findings[0].remedy


@pytest.mark.parametrize("solver", slow_unless({"choco"}, ["ace", "choco", "cpmpy"]))
def test_programs_solve_xcsp3_files(solver: str, tmp_path: Path) -> None:
    status, found = asked(tmp_path, "xml", XML, "--solver", solver)
    assert status == 0 and (found["stop"], found["objective"]) == ("optimal", 7)
    assert found["plans"][0]["assignment"]["x[1][1]"] == 7


def test_what_cannot_be_asked_is_refused(tmp_path: Path) -> None:
    for kind, text, options, message in (
        ("cnf", CNF, ("--solver", "search"), "takes no constraints"),
        ("opb", f"x1 >= 1 ;\n+{2**53} x1 +2 x2 >= 1 ;\n", (), "a.opb:2: the numbers of this sum"),
        ("opb", f"min: -{2**53} x1 ;\nx1 >= 1 ;\n", (), "a.opb: the numbers of this sum"),
        ("xml", XML, ("--solver", "search"), "takes no constraints"),
        ("xml", XML, ("--solver", "choco", "--all"), "asks for what is best"),
        ("xml", XML, ("--solver", "cp-sat", "--all"), "asks for what is best"),
        ("xml", XML.replace("0..4", "0..40000"), ("--solver", "sat"), "has 40,001 values"),
        ("cnf", CNF, ("--unique",), "question about levels"),
        ("cnf", CNF, ("--horizon", "3", "-o", "plan.json"), "--horizon, --output: of levels"),
    ):
        with pytest.raises(PuzzleError, match=message):
            file = tmp_path / f"a.{kind}"
            file.write_text(text)
            CliRunner().invoke(
                cli, ["solve", str(file), *options], catch_exceptions=False, standalone_mode=False
            )
