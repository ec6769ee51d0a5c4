"""FlatZinc: what is written, what Choco makes of it, how answers are read, and which programs give them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ggp import api
from ggp.encoding.constraints import (
    AllDifferent,
    Clause,
    Element,
    Encoding,
    Iff,
    Linear,
    Sum,
    Table,
    Variable,
)
from ggp.encoding.debug import assume
from ggp.encoding.lowering import board_map
from ggp.encoding.lowering.flatzinc import NEVER, Flat
from ggp.engines import processes
from ggp.engines.csp import flatzinc as engines
from ggp.engines.csp.answers import Declared
from ggp.engines.csp.flatzinc import Reader
from ggp.engines.csp.run import Session
from ggp.errors import NotAvailable, PuzzleError, SolverError
from ggp.exporters import flatzinc
from ggp.language import levels
from ggp.model.hints import Hints
from ggp.model.result import Query
from tests.tiny_encodings import WHY, solutions, tiny

LEVEL = "sudoku/paper-4x4"


def said(encoding: Encoding) -> list[str]:
    """All lines, each as the format has it."""
    flat = Flat(encoding)
    lines = [line for constraint in encoding.constraints for line in flat.lines(constraint)]
    return [*flat.meanings, *lines]


# --- what is written


def every_form() -> Encoding:
    """Each form that a constraint can take, over few variables."""
    encoding = tiny([(0, 1), (0, 1), (0, 1), (1, 2, 3), (0, 2, 3), (0, 1, 2), (0, 1, 2)])
    encoding.fixed = {6: 1}
    a, b, c = (encoding.number(v, 1) for v in range(3))
    two = encoding.number(4, 2)
    for constraint in (
        Clause((a, -b, two), WHY),
        Iff(c, "or", (a, b), WHY),
        Iff(-two, "and", (a, -b), WHY),
        Sum(((2, a), (-1, -b), (1, two)), "<=", 1, WHY),
        Sum(((1, a), (1, c)), ">=", 1, WHY, -b),
        Linear(((1, 3), (1, 4), (-1, 0), (2, 6)), "<=", 4, WHY, b),
        Linear(((-1, 3),), "=", -3, WHY, two),
        Linear(((2, 3),), "=", 3, WHY, -c),
        AllDifferent((3, 4, 5), WHY, (2,)),
        AllDifferent((0, 3), WHY),
        Element((4, 3, 5), 5, 3, WHY),
        Element((0, 3, 5), 6, 3, WHY),
    ):
        encoding.add(constraint)
    return encoding


def test_each_form_has_its_words() -> None:
    encoding = every_form()
    lines = said(encoding)
    assert "int_eq_reif(v_4, 2, v_4_is_2) :: defines_var(v_4_is_2)" in lines
    assert "bool_clause([v_0, v_4_is_2], [v_1])" in lines
    assert "array_bool_or([v_0, v_1], v_2)" in lines
    assert "bool_lin_le([2, 1, 1], [v_0, v_1, v_4_is_2], 2)" in lines
    assert "bool_clause([v_3_is_3], [v_4_is_2])" in lines  # if it is 2, -v3 = -3
    assert "bool_eq(v_2, true)" in lines  # 2 v3 is never 3
    assert "int_ne(v_0_as_number, v_3)" in lines
    assert "array_var_int_element(v_5_from_1, [v_4, v_3, v_5], v_3)" in lines
    with pytest.raises(ValueError, match="table must be lowered first"):
        list(Flat(encoding).lines(Table((0,), ((1,),), WHY)))


def test_choco_finds_what_trying_everything_does() -> None:
    """Its reader takes every form for what it is."""
    encoding = every_form()
    session = Session(engines.CHOCO, encoding, Query("all"), "all")
    found = list(session.plans(flatzinc.write(encoding)))
    expected = solutions(encoding)
    assert 3 < len(expected) < 30 and sorted(found, key=lambda plan: plan.actions) == expected


def test_what_cannot_be_has_a_line() -> None:
    encoding = tiny([(0, 1)])
    encoding.constraints = [
        Clause((), WHY),
        Sum((), ">=", 1, WHY),
        Linear((), "=", 0, WHY),
        Iff(encoding.number(0, 1), "or", (), WHY),
    ]
    assert said(encoding) == [NEVER, NEVER, "bool_eq(true, true)", "bool_eq(v_0, false)"]


def test_every_name_stands_for_one_variable() -> None:
    """Presses of a lights-out have a row and a column, and both are told."""
    assert board_map.word(Variable("presses", (1, 2), (0, 1), "action"), False) == "presses[1,2]"
    text = api.export("sokoban/first", "flatzinc")
    names = [line.split()[2] for line in text.splitlines() if line.startswith("var")]
    assert len(set(names)) == len(names)
    assert "crate_2_3_4 :: output_var; % crate[2,3]@4" in text


def test_a_description_may_say_where_to_begin() -> None:
    plain = levels.load("sudoku/paper-4x4")
    told = replace(plain, game=replace(plain.game, hints=Hints(("digit",), "smallest-domain", "highest")))
    begun, free = flatzinc.text(told).splitlines(), flatzinc.text(plain).splitlines()
    assert begun[:-1] == free[:-1] and free[-1] == "solve satisfy;"
    assert begun[-1].startswith("solve :: int_search([digit_0_0, digit_0_2,")
    assert begun[-1].endswith("], first_fail, indomain_max, complete) satisfy;")


def test_choco_judges_values_by_the_text() -> None:
    """It takes those of a plan that wins, and no other value of one of them."""
    instance = levels.load("akari/small")
    source, lowered = flatzinc.exported(instance, None)
    written = flatzinc.written(source, lowered)
    values = dict(lowered.forward(assume(source, instance.level.known.wins[0])))
    assert flatzinc.accepts(written, values) == (True, "SATISFIABLE")
    number = next(iter(written.numbers.values()))
    values[number] = 1 - values[number]
    assert flatzinc.accepts(written, values)[0] is False
    assert flatzinc.accepts(replace(written, text="solve nothing;"), values)[0] is False


# --- how answers are read

DECLARED = Declared({"a": (0, 1), "n": (2, 4)}, {})


def read(*lines: str) -> Reader:
    reader = Reader("it", DECLARED)
    for line in lines:
        reader.feed(line)
    reader.end()
    return reader


def test_answers_and_ends() -> None:
    reader = Reader("it", DECLARED)
    assert [reader.feed(line) for line in ("% talk", "x = 7;", "a = true;", "n = 4;")] == [None] * 4
    assert reader.feed("----------") == {"a": 1, "n": 4} and reader.status == "SATISFIABLE"
    assert reader.feed("==========") is None and reader.status == "OPTIMUM FOUND"
    assert reader.done == ["COMPLETE EXPLORATION"]
    assert read("=====UNSATISFIABLE=====").status == "UNSATISFIABLE"
    assert read("=====UNKNOWN=====").status == "UNKNOWN"
    assert read("a = true;", "n = 2;", "----------", "=====UNKNOWN=====").status == "SATISFIABLE"


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (("a = true;", "----------"), "no value for n"),
        (("n = 3;",), "n = 3, which is not in its domain"),
        (("a = true;", "a = false;"), "a twice"),
        (("a = true;",), "in the middle"),
        (("=====ERROR=====",), "ERROR"),
        (("a = true;", "n = 2;", "----------", "=====UNSATISFIABLE====="), "first SATISFIABLE, then UNSAT"),
    ],
)
def test_what_is_no_answer(lines: tuple[str, ...], why: str) -> None:
    with pytest.raises(SolverError, match=why):
        read(*lines)


# --- which programs

Fake = Callable[[str], str]
RIGHT = """
import re, sys
text = open(sys.argv[1]).read()
names = re.findall(r"var [^:]*: (digit_\\d_\\d)", text)
rows = ["3412", "2143", "1234", "4321"]
for name in names:
    print(f"{name} = {rows[int(name[6])][int(name[8])]};")
print("-" * 10)
"""


@pytest.fixture
def fake(tmp_path: Path) -> Fake:
    """The name of a solver that runs this code."""

    def make(code: str) -> str:
        script = tmp_path / "fake.py"
        script.write_text(code)
        return f"flatzinc:{sys.executable} {script} {{file}}"

    return make


def test_a_program_by_its_command_is_judged(fake: Fake) -> None:
    """One that is right is believed, one that is wrong is not, one that says nothing is an error."""
    assert api.solve(LEVEL, fake(RIGHT), "first").stop == "satisfied"
    assert api.solve(LEVEL, fake("print('=====UNSATISFIABLE=====')"), "first").proof == "wrong"
    with pytest.raises(SolverError, match="without a status"):
        api.solve(LEVEL, fake(""), "first")
    with pytest.raises(SolverError, match="breaks a constraint|not in its domain"):
        api.solve(LEVEL, fake(RIGHT.replace("3412", "4312")), "first")


def test_minizinc_is_called_with_its_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    tool = engines.through_minizinc("gecode")
    words = tool.command(Path("a.fzn"), "all", 1.5)
    assert words == ["minizinc", "--solver", "gecode", "-a", "--time-limit", "1500", "a.fzn"]
    assert tool.flags({"seed": 3, "threads": 2}) == ["-r", "3", "-p", "2"]
    monkeypatch.setattr(processes, "absolute", lambda *_: (_ for _ in ()).throw(PuzzleError("none")))
    assert "MiniZinc" in (tool.available() or "")
    with pytest.raises(NotAvailable, match="flatzinc:gecode"):
        api.solve(LEVEL, "flatzinc:gecode,seed=3")


@pytest.mark.parametrize("name", ["flatzinc", "flatzinc:", "flatzinc:/bin/true", "flatzinc:-x"])
def test_a_name_that_names_no_program_is_refused(name: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        api.solve(LEVEL, name)
    assert "flatzinc:choco" in str(caught.value.findings[0].remedy)
