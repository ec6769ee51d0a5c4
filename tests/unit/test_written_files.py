"""Levels as clauses and rows: what the texts say, that the map leads back, that a changed text is noticed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pysat.solvers import Solver

from ggp.encoding.lowering import board_map
from ggp.engines.instances.reading import read_text
from ggp.engines.texts.reread import broken_by_change
from ggp.engines.texts.written import Row, in_clauses, in_rows, plain
from ggp.exporters import lp, mps, opb
from ggp.language import levels
from ggp.model.export import Check
from ggp.tasks.exporting import export, load_exporter, verify
from ggp.tasks.instances import FileRun
from tests.slow import slow_unless

SMALL = "akari/small"
FORMATS = ("dimacs", "wcnf", "opb", "mps", "lp")
QUICK = {"dimacs", "wcnf"}


def failed(name: str, text: str, level: str = SMALL) -> list[Check]:
    return [check for check in verify(levels.load(level), name, text) if not check.passed]


def text_of(name: str, level: str = SMALL) -> str:
    return export(levels.load(level), name).text


# --- what is written


def test_a_text_says_what_its_variables_stand_for() -> None:
    """The line for a cell, a digit, an input and what moves; the program that reads it has all of them."""
    sudoku, sokoban = text_of("lp", "sudoku/paper-4x4"), text_of("opb", "sokoban/first")
    assert re.search(r"^\\ x\d+ = digit_is_3\[2,1\]$", sudoku, re.MULTILINE)
    assert re.search(r"^\* x\d+ = input_is_2@1$", sokoban, re.MULTILINE)
    assert re.search(r"^\* x\d+ = crate\[2,3\]@4$", sokoban, re.MULTILINE)
    assert "* about input: the input of each turn: 1 up, 2 right, 3 down, 4 left; 0 none" in sokoban
    base = in_rows(levels.load("sokoban/first"), None).base
    said = board_map.read(sokoban.splitlines())
    assert said == {board_map.words(base.lowered.encoding)[v]: name for v, name in base.called.items()}


@pytest.mark.parametrize("name", FORMATS)
def test_a_text_is_what_its_format_allows(name: str) -> None:
    """Names, lines and counts; the reader of instances takes each, and finds as many variables and lines."""
    module, instance = load_exporter(name), levels.load("sudoku/paper-4x4")
    text = module.text(instance)
    problem = read_text(text, module.SUFFIX.removeprefix("."))
    if name in QUICK:
        level = in_clauses(instance, None, priced=name == "wcnf")
        count, variables = sum(len(clauses) for _, clauses in level.groups), level.variables
    else:
        count, variables = len(in_rows(instance, None).rows), len(in_rows(instance, None).columns)
    assert (len(problem.lines), len(problem.names)) == (count, variables)
    assert all(re.fullmatch(r"x\d+", one) for one in problem.names)
    assert max(map(len, text.splitlines())) < 255 or name not in ("mps", "lp")


def test_what_counts_has_a_price() -> None:
    """A soft clause for each brick, and for each turn of a game that is won as soon as it can be."""
    bricks = read_text(text_of("wcnf", "lemmings/seed"), "wcnf")
    words = board_map.words(in_clauses(levels.load("lemmings/seed"), None, priced=True).base.lowered.encoding)
    assert len(bricks.soft) == sum(word.startswith("brick[") for word in words.values()) > 40
    assert {one.price for one in bricks.soft} == {1}
    turns = text_of("wcnf", "lights-out/small")
    assert re.search(r"^c offset \d+$", turns, re.MULTILINE) and read_text(turns, "wcnf").soft
    assert not read_text(text_of("wcnf", "sudoku/paper-4x4"), "wcnf").soft


def test_a_row_without_columns_is_none() -> None:
    assert list(plain([Row(0, None, ()), Row(None, 4, ())])) == []
    (never,) = plain([Row(1, None, ())])
    assert min(never.low or 0, 2) > sum(weight for weight, _ in never.terms)


def test_what_no_row_speaks_of_stands_in_the_file() -> None:
    """Readers would not know of it, and answers would say nothing about it."""
    level = in_rows(levels.load(SMALL), None)
    free = type(level)(level.base, [*level.columns, "x999"], level.groups)
    for module in (opb, mps, lp):
        problem = read_text(module.written(free), module.SUFFIX.removeprefix("."))
        assert "x999" in problem.names and len(problem.names) == len(level.columns) + 1


def test_a_plan_is_placed_in_the_text(tmp_path: Path) -> None:
    """With a plan that wins there is one solution less to find, with one that loses there is none."""
    instance = levels.load(SMALL)
    known = instance.level.known
    for plan, stop in ((known.wins[0], "satisfied"), (known.loses[0], "unsolvable")):
        file = tmp_path / f"{stop}.opb"
        file.write_text(export(instance, "opb", plan).text)
        run = FileRun(file, "cp-sat", "first")
        list(run)
        assert run.result is not None and run.result.stop == stop


def test_passes_can_be_switched_on() -> None:
    instance = levels.load("magic-square/3")
    for name in ("dimacs", "lp"):
        assert export(instance, name, passes=("board-symmetry",)).text != export(instance, name).text


# --- verification


@pytest.mark.parametrize("name", slow_unless(QUICK, FORMATS))
def test_a_text_is_verified(name: str) -> None:
    assert failed(name, text_of(name)) == []


def literal_denied(text: str) -> str:
    """The text with the last literal of its last clause denied."""
    return re.sub(r"(-?)(\d+) 0\n$", lambda one: f"{'' if one[1] else '-'}{one[2]} 0\n", text)


def clause_lost(text: str) -> str:
    """The text without its last clause, and its count mended."""
    lines = text.splitlines()[:-1]
    return (
        "\n".join(re.sub(r"^(p cnf \d+) (\d+)$", lambda p: f"{p[1]} {int(p[2]) - 1}", one) for one in lines)
        + "\n"
    )


def map_swapped(text: str) -> str:
    """The text with two variables standing for one another's cells."""
    one, other = re.findall(r"^c (x\d+) = lamp\S*$", text, re.MULTILINE)[:2]
    return re.sub(
        rf"^c ({one}|{other}) =", lambda p: f"c {other if p[1] == one else one} =", text, flags=re.MULTILINE
    )


def map_lost(text: str) -> str:
    """The text without the line for one variable."""
    return re.sub(r"^c x\d+ = .*\n", "", text, count=1, flags=re.MULTILINE)


@pytest.mark.parametrize("damage", [literal_denied, clause_lost, map_swapped, map_lost])
@pytest.mark.parametrize("name", slow_unless({"dimacs"}, ("dimacs", "wcnf")))
def test_a_changed_text_is_noticed(name: str, damage: Callable[[str], str]) -> None:
    """One that is still of its format; what is not, other damages try (tests/conformance)."""
    text = text_of(name)
    changed = damage(text)
    assert changed != text and failed(name, changed)


def test_a_clause_that_known_plans_do_not_need_is_missed() -> None:
    """Of a game with inputs one plan is found, which may well keep what the text does not say."""
    lines = text_of("wcnf", "lights-out/small").splitlines(keepends=True)
    clauses = {n: [*map(int, line.split()[1:-1])] for n, line in enumerate(lines) if line.startswith("h ")}

    def follows(number: int) -> bool:
        """Do the other clauses say it, too?"""
        with Solver(bootstrap_with=[clause for n, clause in clauses.items() if n != number]) as solver:
            return not solver.solve(assumptions=[-lit for lit in clauses[number]])

    number = next(n for n in [*clauses][len(clauses) // 2 :] if not follows(n))
    told = [
        one.what for one in failed("wcnf", "".join(lines[:number] + lines[number + 1 :]), "lights-out/small")
    ]
    assert told == ["PySAT (RC2) rejects what breaks a constraint"]


def test_a_price_that_is_not_the_plan_s_is_noticed() -> None:
    """RC2 finds the cheapest, and the referee counts."""
    text = text_of("wcnf", "lights-out/small")
    assert failed("wcnf", text, "lights-out/small") == []
    dearer = re.sub(r"^c offset (\d+)$", lambda one: f"c offset {int(one[1]) + 1}", text, flags=re.MULTILINE)
    told = [check.what for check in failed("wcnf", dearer, "lights-out/small")]
    assert any("price" in what for what in told)


def test_rows_are_told_apart_point_by_point() -> None:
    rows = [Row(None, 1, ((1, 0), (1, 1))), Row(1, None, ((1, 0), (2, 2)))]
    assert broken_by_change(rows, [1, 0, 0]) == [1, 1, 0, 0]
    assert broken_by_change([rows[0]], [1, 0, 0]) == [0, 1, 0, 0]
    assert broken_by_change(rows, [0, 0, 0]) == [0, 1, 0, 1]
