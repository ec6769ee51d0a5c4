"""Answers of XCSP3 solvers: what they may look like, and what is none. Then the same through fake solvers."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ggp import api
from ggp.engines.csp.answers import Declared, Reader
from ggp.errors import PuzzleError, SolverError
from ggp.language import levels
from ggp.model.result import Result
from ggp.referee.trajectory import replay
from ggp.solvers import xcsp
from tests.slow import slow_unless

DECLARED = Declared(
    {**{f"x[{r}][{c}]": (0, 1) for r in range(2) for c in range(3) if (r, c) != (1, 1)}, "n": (-3, 4, 5)},
    {"x": (2, 3)},
)
GOOD = {"x[0][0]": 1, "x[0][1]": 0, "x[0][2]": 1, "x[1][0]": 0, "x[1][2]": 1, "n": -3}


def answer(names: str, values: str) -> str:
    listed = f"<list> {names} </list> <values> {values} </values>"
    return f"v <instantiation id='sol1' type='solution'> {listed} </instantiation>"


def read(*lines: str) -> Reader:
    reader = Reader("it", DECLARED)
    for line in lines:
        reader.feed(line)
    reader.end()
    return reader


# --- how answers may be written


@pytest.mark.parametrize(
    ("names", "values"),
    [
        ("x[0][0] x[0][1] x[0][2] x[1][0] x[1][2] n", "1 0 1 0 1 -3"),
        ("n x[1][2] x[1][0] x[0][2] x[0][1] x[0][0]", "-3 1 0 1 0 1"),
        ("x[][] n", "1 0 1 0 * 1 -3"),  # the hole in the array has a place, and no value
        ("x[0][] x[1][] n", "1 0 1 0 0 1 -3"),
        ("x[0..1][0] x[0..1][1] x[0..1][2] n", "1 0 0 * 1x2 -3"),
        ("x[0][0..2] x[1][0] x[1][2] n", "1x1 0 1 0x1 1 -3"),
        ("x[][] n n", "1 0 1 0 0 1 -3x2"),
    ],
)
def test_ways_to_write_the_same(names: str, values: str) -> None:
    assert Reader("it", DECLARED).feed(answer(names, values)) == GOOD


def test_runs_of_values() -> None:
    declared = Declared({f"y[{i}]": (0, 1) for i in range(70)}, {"y": (70,)})
    got = Reader("it", declared).feed(answer("y[]", "0x67 1 0x2"))
    assert got is not None and [name for name, value in got.items() if value] == ["y[67]"]


def test_any_value() -> None:
    got = Reader("it", DECLARED).feed(answer("x[][] n", "*x6 *"))
    assert got is not None and set(got.values()) == {None} and got.keys() == GOOD.keys()


def test_on_several_lines_with_talk_between() -> None:
    reader = Reader("it", DECLARED)
    lines = ["c hello", "o 12", "", "talk", "v <instantiation>", "v \t<list>x[][] n</list>"]
    assert [reader.feed(line) for line in lines] == [None] * 6
    assert reader.feed("v \t<values>1 0 1 0 * 1 -3</values>") is None
    assert reader.feed("v </instantiation>") == GOOD
    assert reader.feed("s SATISFIABLE") is None
    reader.feed("d COMPLETE  EXPLORATION")
    reader.end()
    assert (reader.status, reader.done) == ("SATISFIABLE", ["COMPLETE EXPLORATION"])


# --- what is no answer

BAD = {
    "a foreign variable": (
        answer("x[][] n m", "1 0 1 0 * 1 -3 1"),
        "the variable 'm', which is not in the file",
    ),
    "a foreign array": (answer("z[0]", "1"), "the variable 'z.0.'"),
    "an index outside": (answer("x[2][0]", "1"), "not in the file"),
    "a range outside": (answer("x[0..2][0]", "1 1 1"), "not in the file"),
    "a range backwards": (answer("x[1..0][0]", "1"), "not in the file"),
    "an index too few": (answer("x[0]", "1"), "not in the file"),
    "an index that is a word": (answer("x[a][0]", "1"), "not in the file"),
    "an index without an end": (answer("x[0][0", "1"), "not in the file"),
    "a variable without a value": (answer("x[][] n", "1 0 1 0 * 1"), "fewer values than variables"),
    "a value without a variable": (answer("x[][]", "1 0 1 0 * 1 -3"), "more values than variables"),
    "a variable that is missing": (answer("x[][]", "1 0 1 0 * 1"), "no value for n"),
    "variables that are missing": (answer("n", "4"), r"no value for x.0..0. and 4 more"),
    "a value outside the domain": (answer("x[][] n", "1 0 1 0 * 1 3"), "n = 3, which is not in its domain"),
    "two values for one variable": (answer("x[][] n n", "1 0 1 0 * 1 4 5"), "n as 4 and as 5"),
    "a value that is a word": (answer("x[][] n", "1 0 1 0 * 1 yes"), "the value 'yes'"),
    "a value that is a fraction": (answer("x[][] n", "1 0 1 0 * 1 4.0"), "the value '4.0'"),
    "a run that never ends": (answer("x[][] n", "0x999999999"), "more values than variables"),
    "a value of a thousand digits": (answer("n", "1" * 1000), "the value"),
    "two lists": (answer("x[][] n </list> <list> n", "1"), "without one list"),
    "no values": ("v <instantiation> <list> n </list> </instantiation>", "without one list"),
    "no XML": ("v <instantiation> <list> n </list <values> 4 </values> </instantiation>", "not XML"),
    "an unknown status": ("s SOLVED", "status 'SOLVED'"),
    "an external entity": (
        '<!DOCTYPE instantiation [<!ENTITY e SYSTEM "file:///etc/passwd">]>' + answer("x[][] n", "&e;"),
        "document type",
    ),
    "an entity of its own": ("v <!DOCTYPE i [<!ENTITY e '4'>]>", "document type"),
    "an undeclared entity": (answer("x[][] n", "1 0 1 0 * 1 &e;"), "not XML"),
    "a style sheet": ("<?xml-stylesheet href='http://example.org/x'?>", "an instruction"),
    "a CDATA section": (answer("n", "<![CDATA[4]]>"), "document type"),
    "many entities": (
        "v <!DOCTYPE l [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;'>]> <instantiation>&b;</instantiation>",
        "document type",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_answer(name: str) -> None:
    line, message = BAD[name]
    with pytest.raises(SolverError, match=message):
        read(line)


def test_the_solver_is_named_and_something_can_be_done() -> None:
    with pytest.raises(SolverError) as caught:
        read("s WELL")
    (finding,) = caught.value.findings
    assert finding.message.startswith("it answers") and finding.remedy


def test_an_answer_that_is_cut_short() -> None:
    with pytest.raises(SolverError, match="in the middle of an answer"):
        read("v <instantiation> <list> x[][] n </list>", "v <values> 1 0 1")


def test_an_answer_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ggp.engines.csp.answers.LONGEST", 1000)
    with pytest.raises(SolverError, match="without an end"):
        read("v <instantiation> <list>", *["v x"] * 2000)


def test_two_statuses() -> None:
    assert read("s UNKNOWN", "s UNKNOWN").status == "UNKNOWN"
    with pytest.raises(SolverError, match="first SATISFIABLE, then UNSATISFIABLE"):
        read("s SATISFIABLE", "s UNSATISFIABLE")


# --- fake solvers: small scripts that get the file and behave badly

LEVEL = "sudoku/paper-4x4"
# What a fake solver can use: the file it got, a right answer to it and a wrong one.
PRELUDE = """
import os, re, signal, subprocess, sys, time
text = open(sys.argv[1]).read()
cells = [(row, column) for row in range(4) for column in range(4)]
names = [f"digit[{row}][{column}]" for row, column in cells]
rows = ["3412", "2143", "1234", "4321"]
right = [int(rows[row][column]) for row, column in cells]
def answer(names, values):
    listed = " ".join(names), " ".join(map(str, values))
    return "v <instantiation> <list> %s </list> <values> %s </values> </instantiation>" % listed
def say(*lines):
    print(*lines, sep="\\n", flush=True)
"""
Fake = Callable[[str], str]


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    """The name of a solver that runs this code. In the file that it gets nothing is worked out beforehand."""
    from ggp.encoding.lowering import propagate

    monkeypatch.setattr(propagate, "propagated", lambda encoding, *_: encoding)

    def make(code: str) -> str:
        script = tmp_path / "fake.py"
        script.write_text(PRELUDE + code)
        return f"xcsp:{sys.executable} {script} {{file}}"

    return make


def solve(solver: str, want: str = "first", **options: float) -> Result:
    return api.solve(LEVEL, solver, want, **options)  # type: ignore[arg-type]


def test_a_good_one_is_believed(fake: Fake) -> None:
    result = solve(fake("say(answer(names, right), 's SATISFIABLE')"))
    assert result.stop == "satisfied" and len(result.plans) == 1
    assert replay(levels.load(LEVEL), result.plans[0]).won


def test_one_that_prints_in_colour(fake: Fake) -> None:
    """As ACE does by itself, its letters and its words apart."""
    whole = "answer(names, right).replace('v ', 'v\\x1b[0m ', 1)"
    code = f"say('\\x1b[92m', {whole}, '\\x1b[92ms\\x1b[0m SATISFIABLE')"
    result = solve(fake(code))
    assert result.stop == "satisfied" and len(result.plans) == 1


def test_one_that_ends_as_sat_solvers_do(fake: Fake) -> None:
    assert solve(fake("say(answer(names, right), 's SATISFIABLE'); sys.exit(10)")).stop == "satisfied"


def test_all_plans_of_one_that_finds_one(fake: Fake) -> None:
    """It is asked again, with what it found before forbidden, until it finds none."""
    code = "if 'not answer' in text: say('s UNSATISFIABLE')\nelse: say(answer(names, right), 's SATISFIABLE')"
    result = solve(fake(code), "all")
    assert (result.stop, len(result.plans), result.complete) == ("satisfied", 1, True)


def test_one_that_repeats_itself_is_found_out(fake: Fake) -> None:
    with pytest.raises(SolverError, match="breaks a constraint: not answer 1 again"):
        solve(fake("say(answer(names, right), 's SATISFIABLE')"), "all")


CHEATS = {
    "wrong digits": ("say(answer(names, right[1:] + right[:1]), 's SATISFIABLE')", "breaks a constraint"),
    "no digits": ("say('s SATISFIABLE')", "says SATISFIABLE, but answered no solution"),
    "a solution of what has none": (
        "say(answer(names, right), 's UNSATISFIABLE')",
        "says UNSATISFIABLE, but answered a solution",
    ),
    "an optimum of nothing": ("say('s OPTIMUM FOUND')", "says OPTIMUM FOUND, but answered no solution"),
    "another status": ("say(answer(names, right), 's MAYBE')", "status 'MAYBE'"),
    "no status": ("say(answer(names, right))", "without a status"),
    "nothing": ("", "ended with status 0 without a status"),
    "an error": ("say('! ERROR: no such heuristic')", "without a status: ERROR: no such heuristic"),
    "only talk": ("say('hello', 'c I am thinking')", "without a status"),
    "foreign variables": (
        "say(answer(names + ['spam'], right + [1]), 's SATISFIABLE')",
        "'spam', which is not in",
    ),
    "few variables": ("say(answer(names[1:], right[1:]), 's SATISFIABLE')", r"no value for digit.0..0."),
    "a digit too large": ("say(answer(names, [9] + right[1:]), 's SATISFIABLE')", "not in its domain"),
    "half an answer": ("say(answer(names, right)[:60], 's SATISFIABLE')", "in the middle of an answer"),
    "an entity": (
        "say('<!DOCTYPE v [<!ENTITY e SYSTEM \"file://%s\">]>' % sys.argv[0], answer(names, ['&e;']))",
        "document type",
    ),
    "bytes": ("sys.stdout.buffer.write(bytes(range(256)) * 10)", "without a status"),
    "unsupported": ("say('s UNSUPPORTED')", "does not support something in the file"),
    "a failure": ("sys.exit('it went wrong')", "ended with status 1, saying 'it went wrong'"),
    "an exception": ("1 / 0", "saying 'ZeroDivisionError"),
    "a signal": ("os.kill(os.getpid(), signal.SIGSEGV)", "was ended by signal SIGSEGV"),
    "a signal amid an answer": (
        "say(answer(names, right)[:60]); os.kill(os.getpid(), signal.SIGKILL)",
        "was ended by signal SIGKILL",
    ),
    "a flood": ("while True: sys.stdout.write('spam ' * 10000)", "floods its output"),
    "a flood in one answer": (
        "say('v <instantiation>')\nwhile True: sys.stdout.write('v ' + 'x ' * 10000 + chr(10))",
        "floods its output|without an end",
    ),
}
# Each of these is refused by what refuses another one, too.
ALIKE = {"a flood in one answer", "a signal amid an answer", "an exception", "only talk", "no status"}


@pytest.mark.parametrize("name", slow_unless(lambda name: name not in ALIKE, CHEATS))
def test_what_is_not_believed(name: str, fake: Fake) -> None:
    code, message = CHEATS[name]
    with pytest.raises(SolverError, match=message) as caught:
        solve(fake(code))
    assert caught.value.findings[0].remedy


def test_a_wrong_digit_is_named_by_the_rule_it_breaks(fake: Fake) -> None:
    swapped = "right[0], right[1] = right[1], right[0]\n"  # the row is still right, the columns are not
    with pytest.raises(SolverError, match="digit 4 is given at"):
        solve(fake(swapped + "say(answer(names, right), 's SATISFIABLE')"))


@pytest.mark.parametrize(
    "before",
    slow_unless(
        ["say(answer(names, right)); "], ["", "say(answer(names, right)); ", "say('s SATISFIABLE'); "]
    ),
)
def test_one_that_hangs_is_ended_in_time(before: str, fake: Fake) -> None:
    start = time.monotonic()
    result = solve(fake(before + "time.sleep(1000)"), time_limit=2.0)
    assert result.stop == "time-limit" and not result.complete
    assert time.monotonic() - start < 4.0
    assert len(result.plans) == ("answer" in before), "what it had found by then counts"


def test_one_that_gives_up_says_so(fake: Fake) -> None:
    result = solve(fake("say('s UNKNOWN')"))
    assert (result.stop, result.plans, result.note) == ("error", (), "it ended early, and says UNKNOWN")


def test_one_that_runs_out_of_memory(fake: Fake) -> None:
    assert solve(fake("raise MemoryError")).stop == "memory-limit"
    java = "Error occurred during initialization of VM", "java.lang.OutOfMemoryError: no native thread"
    assert solve(fake(f"say(*{java}); sys.exit(1)")).stop == "memory-limit"


def test_one_that_leaves_something_running_does_not_hold_us_up(fake: Fake) -> None:
    code = (
        "subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)'], start_new_session=True)\n"
        "say(answer(names, right), 's SATISFIABLE')"
    )
    start = time.monotonic()
    assert solve(fake(code)).stop == "satisfied"
    assert time.monotonic() - start < 10


# --- the command


def test_the_command_is_read_as_a_shell_would(tmp_path: Path, fake: Fake) -> None:
    fake("say(answer(names, right), 's SATISFIABLE')")
    folder = tmp_path / "a folder"
    folder.mkdir()
    script = (tmp_path / "fake.py").rename(folder / "it's.py")
    assert solve(f'xcsp:{sys.executable} "{script}" {{file}}').stop == "satisfied"


def test_the_seconds_that_are_left_are_passed_on(fake: Fake) -> None:
    solver = fake("assert 1 <= int(sys.argv[2]) <= 30\nsay(answer(names, right), 's SATISFIABLE')")
    assert solve(f"{solver} {{seconds}}", time_limit=30).stop == "satisfied"


@pytest.mark.parametrize("command", ["", "solve", "solve file", "solve 'file", "solve {seconds}"])
def test_a_command_that_is_none(command: str) -> None:
    with pytest.raises(PuzzleError, match="command"):
        api.solve(LEVEL, f"xcsp:{command}")


def test_a_program_that_is_not_there() -> None:
    with pytest.raises(PuzzleError, match="there is no program 'no-such-solver'"):
        api.solve(LEVEL, "xcsp:no-such-solver {file}")


def test_without_a_command_it_says_how() -> None:
    assert "xcsp:COMMAND {file}" in (xcsp.available() or "")
    with pytest.raises(PuzzleError):
        api.solve(LEVEL, "xcsp")


def test_what_only_looks_like_a_command_is_an_unknown_option() -> None:
    with pytest.raises(PuzzleError, match="which is no option"):
        api.solve(LEVEL, "cp-sat:x {file}")
