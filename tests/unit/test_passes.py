"""Passes that are switched on, hints, and moves: what is lost is only what is like something that is kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations, product

import pytest

from ggp import api, registry
from ggp.cli.report.answers import moves_text
from ggp.encoding.constraints import Clause, Encoding, Linear, Sum
from ggp.encoding.judging import holds
from ggp.encoding.literals import Why
from ggp.encoding.lowering.board_symmetry import TURNS, symmetries
from ggp.encoding.occupancy import encode
from ggp.errors import DescriptionError, PuzzleError, UnknownName, UnsupportedFeature
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.language.levels import load
from ggp.model import Cell, Instance, Piece, Plan
from ggp.model.hints import Hints
from ggp.model.result import OutOfTime

Answers = set[tuple[tuple[Cell, Piece], ...]]


def answers(instance: Instance, *passes: str) -> Answers:
    """What is placed in each solution of the encoding, after the passes, told by CP-SAT."""
    from ggp.model.result import Query
    from ggp.solvers import cpsat

    def switched(encoding: Encoding) -> Encoding:
        for name in passes:
            encoding = registry.load("pass", name).lower(encoding)
        return encoding

    return {plan.design for plan in cpsat.solve(instance, Query("all", passes=switched))}


def turned(instance: Instance, design: tuple[tuple[Cell, Piece], ...]) -> Answers:
    """A design and all that turns and mirrors make of it."""
    last = len(instance.level.board) - 1
    ways = [tuple(sorted((turn(*cell, last, last), piece) for cell, piece in design)) for turn in TURNS]
    return {design, *ways}


@pytest.mark.parametrize("name", ["magic-square/3", "queens/6", "latin-square/4"])
def test_what_board_symmetry_leaves_out_is_a_turn_or_mirror_of_what_it_keeps(name: str) -> None:
    instance = load(name)
    every, kept = answers(instance), answers(instance, "board-symmetry")
    assert kept < every
    assert {one for design in kept for one in turned(instance, design)} == every


@pytest.mark.parametrize(("cells", "turns"), [(None, 7), ([(0, 1)], 0), ([(0, 0)], 1), ([(0, 0), (3, 3)], 3)])
def test_a_sum_that_is_not_turned_ends_the_symmetry(cells: list[tuple[int, int]] | None, turns: int) -> None:
    """Of the seven turns and mirrors of a square those are left that take the sum's cells to themselves."""
    encoding = Encoding(load("sudoku/paper-4x4"), 0)
    lits = {}
    for cell in product(range(4), repeat=2):
        variable = encoding.new("x", cell, (0, 1), "design")
        encoding.decisions[variable] = lambda plan: 0
        lits[cell] = encoding.number(variable, 1)
    terms = tuple((1, lits[cell]) for cell in cells or lits)
    encoding.constraints = [Sum(terms, ">=", 1, Why("test"))]
    assert len(list(symmetries(encoding))) == turns


def test_magic_squares_are_eight_times_the_same() -> None:
    assert len(answers(load("magic-square/3"))) == 8
    assert len(answers(load("magic-square/3"), "board-symmetry", "redundant-sums")) == 1


def test_value_symmetry_leaves_one_of_each_renaming() -> None:
    instance = load("latin-square/4")
    every, kept = answers(instance), answers(instance, "value-symmetry")
    assert (len(every), len(kept)) == (576, 24)
    names = [dict(zip(range(1, 5), order, strict=True)) for order in permutations(range(1, 5))]
    renamed = {
        tuple((cell, piece._replace(variant=name[int(str(piece.variant))])) for cell, piece in design)
        for design, name in product(kept, names)
    }
    assert renamed == every


def test_values_that_stand_on_the_board_are_not_interchangeable() -> None:
    instance = load("latin-square/4")
    first = (frozenset({Piece("digit", 3)}), *instance.level.board[0][1:])
    given = replace(instance, level=replace(instance.level, board=(first, *instance.level.board[1:])))
    every, kept = answers(given), answers(given, "value-symmetry")
    assert (len(every), len(kept)) == (144, 24)  # 1, 2 and 4 in any order


@pytest.mark.parametrize(
    "name", ["magic-square/3", "queens/6", "futoshiki/4x4", "knights-tour/5", "nonogram/5x5"]
)
def test_where_values_mean_something_none_are_interchangeable(name: str) -> None:
    encoding = encode(load(name))
    assert registry.load("pass", "value-symmetry").lower(encoding).constraints == encoding.constraints


def test_givens_and_clues_end_the_symmetry_of_a_board() -> None:
    assert not list(symmetries(encode(load("sudoku/paper-4x4"))))
    assert len(list(symmetries(encode(load("magic-square/3"))))) == 7


def test_after_one_pass_the_next_sees_what_is_left() -> None:
    instance = load("latin-square/4")
    both = answers(instance, "value-symmetry", "board-symmetry")
    assert both and both <= answers(instance, "value-symmetry")


def test_redundant_sums_follow_from_what_stands_there() -> None:
    instance = load("latin-square/4")
    before = encode(instance)
    after = registry.load("pass", "redundant-sums").lower(before)
    added = after.constraints[len(before.constraints) :]
    assert [(one.comparison, one.number) for one in added if isinstance(one, Linear)] == [("=", 10)] * 8
    assert answers(instance, "redundant-sums") == answers(instance)


def test_passes_by_name() -> None:
    result = api.solve("magic-square/3", want="first", passes=["board-symmetry"])
    assert result.plans and not result.note
    searched = api.solve("latin-square/4", "search", "first", passes=["value-symmetry"])
    assert searched.plans and "without the passes value-symmetry" in searched.note
    with pytest.raises(PuzzleError, match="leaves out answers"):
        api.solve("magic-square/3", want="all", passes=["board-symmetry"])
    with pytest.raises(UnknownName, match="no pass called"):
        api.solve("magic-square/3", want="first", passes=["../etc"])
    with pytest.raises(UnsupportedFeature, match="not written from constraints"):
        api.export("queens/4", "puzzlescript", passes=["board-symmetry"])


def test_an_export_has_passes_only_where_they_are_switched_on() -> None:
    from ggp.engines.texts.exported import faithful

    plain, switched = (faithful(load("magic-square/3"), None, passes) for passes in ((), lowerings()))
    assert switched.constraints[: len(plain.constraints)] == plain.constraints
    assert len(switched.constraints) == len(plain.constraints) + 4  # three corners, and one across


def lowerings() -> list[Callable[[Encoding], Encoding]]:
    return [registry.load("pass", "board-symmetry").lower]


# --- hints

TEXT = """
name = "corner"
[kinds]
mark = { layer = "mark" }
[design]
place = "mark"
free-of = ["mark"]
[goal]
when = "horizon"
win = ["count mark >= 1"]
[hints]
"""


def hinted(lines: str) -> Instance:
    game, _ = read_game((TEXT + lines).encode(), "corner.toml")
    board = ((frozenset[Piece](),) * 3,) * 2
    return replace(load("queens/4"), game=game, level=replace(load("queens/4").level, board=board))


def test_hints_are_read_and_written_again() -> None:
    game = hinted('decide = ["mark"]\nvalues = "highest"\n').game
    assert game.hints == Hints(("mark",), "first", "highest")
    assert read_game(write_game(game).encode(), "again.toml")[0].hints == game.hints


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ('decide = ["crate"]', "'crate' cannot be decided"),
        ('decide = ["mark", "mark"]', "'mark' cannot be decided twice"),
        ('decide = ["mark"]\norder = "random"', "`order` cannot be 'random'"),
        ('decide = ["mark"]\nvalues = 3', "`values` must be text"),
        ('decide = ["mark"]\nseed = 1', r"\[hints\] has no `seed`"),
        ('order = "first"', "`decide` is missing"),
    ],
)
def test_hints_that_mean_nothing_are_refused(lines: str, words: str) -> None:
    with pytest.raises(DescriptionError, match=words):
        hinted(lines + "\n")


def test_hints_travel_and_change_no_answer() -> None:
    plain = load("queens/4")
    game = replace(plain.game, hints=Hints(("queen",), "smallest-domain", "highest"))
    told = replace(plain, game=game)
    text, without = api.export(told, "xcsp3"), api.export(plain, "xcsp3")
    start, end = text.index("  <annotations>"), text.index("</instance>")
    assert text[:start] + text[end:] == without
    assert "<decision> queen[][] </decision>" in text and '<static order="1 0"> queen[][] </static>' in text
    assert answers(told) == answers(plain)


def test_cp_sat_gets_a_strategy() -> None:
    from ggp.solvers.cpsat.posted import Posted

    plain = load("queens/4")
    told = replace(plain, game=replace(plain.game, hints=Hints(("queen",), "first", "highest")))
    (strategy,) = Posted(encode(told), lambda: None).model.proto.search_strategy
    assert len(strategy.exprs) == 16
    assert not Posted(encode(plain), lambda: None).model.proto.search_strategy


# --- moves, and the clock


def test_the_moves_of_the_papers_example() -> None:
    """Its board is drawn from below: what it calls site 1 is the second cell of its lowest row."""
    drawn = load("sudoku/paper-4x4")
    instance = replace(drawn, level=replace(drawn.level, board=drawn.level.board[::-1]))
    (plan,) = api.solve(instance, want="all").plans
    assert moves_text(instance, plan) == (
        "Add(0,3) Add(2,1) Add(3,2) Add(4,2) Add(6,4) Add(8,1) "
        "Add(9,2) Add(10,3) Add(11,4) Add(12,4) Add(14,2)"
    )


def test_a_piece_without_a_value_is_one() -> None:
    plan = Plan((((0, 1), Piece("queen")), ((3, 2), Piece("queen"))))
    assert moves_text(load("queens/4"), plan) == "Add(2,1) Add(13,1)"


def test_the_clock_is_looked_at_while_goal_words_write() -> None:
    """A board of many values is written cell by cell, and each cell may be the last."""
    instance, calls = load("latin-square/8"), 0

    def tick() -> None:
        nonlocal calls
        calls += 1

    encode(instance, tick=tick)
    assert calls > 64 + 16  # each cell is placed and looked up, and each row and column is said

    def stop() -> None:
        raise OutOfTime

    start = time.perf_counter()
    with pytest.raises(OutOfTime):
        encode(load("latin-square/100"), tick=stop)
    assert time.perf_counter() - start < 1.0


def test_a_broken_symmetry_still_holds_for_what_is_kept() -> None:
    """The constraints that a pass adds are about the encoding's own variables."""
    encoding = registry.load("pass", "value-symmetry").lower(encode(load("latin-square/4")))
    rows = ["1234", "2143", "3412", "4321"]
    values = {
        number: int(rows[variable.index[0]][variable.index[1]])
        for number, variable in enumerate(encoding.variables)
    }
    added = [one for one in encoding.constraints if isinstance(one, Clause)]
    assert added and all(holds(encoding, one, values) for one in encoding.constraints)
