"""What is plain of designs before anything is written, against all designs of small boards."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from ggp import api
from ggp.analysis import foreseen as knowing
from ggp.analysis.foreseen import Designs, foreseen
from ggp.analysis.ways import Limited, few, ways
from ggp.encoding.lowering.route import Backend
from ggp.encoding.unroll import attempts
from ggp.errors import DescriptionError
from ggp.language.description import read_game
from ggp.model import Instance
from ggp.model.result import Query
from ggp.referee.designs import free_cells, placeable
from ggp.referee.semantics import initial_state, is_goal
from ggp.solvers import sat
from ggp.transition.compiler import compile_instance
from tests.slow import few_or_many, one_in

TWO = """
name = "two"
[kinds]
red = { layer = "thing" }
blue = { layer = "thing" }
wall = { layer = "ground" }
clue = { layer = "clue", values = [0, 9] }
[classes]
thing = ["red", "blue"]
marked = ["red", "clue"]
[symbols]
"." = ""
"#" = "wall"
"r" = "red"
"012345" = "clue:0.."
[design]
place = ["red", "blue"]
free-of = ["wall", "thing"]
"""
DIGITS = """
name = "digits"
[kinds]
digit = { layer = "thing", values = [1, 3] }
wall = { layer = "ground" }
clue = { layer = "clue", values = [0, 9] }
[symbols]
"." = ""
"#" = "wall"
"123" = "digit:1.."
"ab" = "clue:0.."
[design]
place = "digit"
free-of = ["wall", "digit"]
fill = true
"""
LINES = """
name = "lines"
[kinds]
line = { layer = "line" }
spot = { layer = "line" }
gap = { layer = "line" }
pearl = { layer = "pearl" }
clue = { layer = "line", values = [0, 4] }
[symbols]
" " = ""
"." = "spot"
"o" = "spot pearl"
"+" = "gap"
"-" = "line"
"01234" = "clue:0.."
[design]
place = "line"
free-of = ["spot", "gap", "line", "clue"]
"""
TERMS = (
    "nowhere red here, blue right",
    "nowhere toward any: thing here, thing ahead, no thing behind",
    "nowhere toward up right: wall here, no red ahead",
    "nowhere toward any: clue here, red ahead, no blue ahead.rightward",
    "nowhere no thing here, no thing right, wall right.right",
    "each clue: count thing at beside",
    "each clue: count red at around",
    "each clue: count marked at here, beside",
    "each clue: count blue at right, right.right, here and red at left",
)
FULL = (
    "nowhere digit:1 here, wall right",
    "nowhere toward any: digit:2 here, no digit ahead",
    "nowhere toward any: digit:3 here, digit ahead",
    "each clue: count digit:1 at beside",
    "each clue: count digit:3 at beside",
)
LOOPS = (
    "nowhere pearl here, no line up, no line right, no line down, no line left",
    "nowhere toward any: pearl here, line ahead, no line ahead.ahead.ahead",
    "each clue: count line at beside",
)


def placed(rng: Random) -> Instance:
    """A small board of two kinds that may be placed, with some of what can be said of them."""
    goal = rng.sample(TERMS, rng.randint(1, 4))
    rows = ["".join(rng.choice("....##r12012") for _ in range(3)) for _ in range(2)]
    return made(TWO, goal, rows)


def filled(rng: Random) -> Instance:
    """A small board each free cell of which takes a digit, and where what is smallest may be ruled out."""
    rows = ["".join(rng.choice("...#1bb") for _ in range(3)) for _ in range(2)]
    return made(DIGITS, rng.sample(FULL, rng.randint(1, 2)), rows)


def looped(rng: Random) -> Instance:
    """A small board for loops, with pearls, clues, and now and then a gap or a line that is given."""
    spots = ["".join(rng.choice(".....oo") + rng.choice("      -+ ") for _ in range(3))[:5] for _ in range(2)]
    between = "".join(rng.choice("   +") + rng.choice("+++01234") for _ in range(3))[:5]
    goal = ["loop line through spot", *rng.sample(LOOPS, rng.randint(1, 3))]
    return made(LINES, goal, [spots[0], between, spots[1]])


def made(text: str, goal: list[str], rows: list[str]) -> Instance:
    map_text = "\n".join(rows)
    told = (
        f'{text}[goal]\nwhen = "horizon"\nwin = {goal}\n[[level]]\nname = "one"\nmap = """\n{map_text}\n"""\n'
    )
    game, levels = read_game(told.encode(), "made.toml")
    return Instance(game, levels[0])


def winning(instance: Instance) -> list[dict[tuple[int, int], object]]:
    """All designs that win, as the referee has it."""
    free, found = free_cells(instance), []
    filled = instance.game.design is not None and instance.game.design.fill
    for chosen in product((*placeable(instance), *([] if filled else [None])), repeat=len(free)):
        design = {cell: piece for cell, piece in zip(free, chosen, strict=True) if piece is not None}
        if is_goal(instance, initial_state(instance, tuple(design.items()))):
            found.append(design)
    return found


@few_or_many("seeds", range(10), range(10, 400))
@pytest.mark.parametrize("make", [placed, filled, looped])
def test_no_design_that_wins_is_ruled_out(make: object, seeds: range) -> None:
    none = told = drawn = 0
    for seed in seeds:
        try:
            instance = make(Random(seed))  # type: ignore[operator]
        except DescriptionError:  # a clue that counts fewer cells, or nothing that could be joined
            continue
        drawn += 1
        wins = winning(instance)
        words = [term.limits(instance) for term in instance.game.goal.terms if hasattr(term, "limits")]
        boards = Designs(instance, compile_instance(instance), [one for some in words for one in some])
        broken = boards.contradiction(lambda: None)
        assert broken is None or not wins, seed
        assert bool(foreseen(instance).broken) == (broken is not None)
        none += broken is not None
        for plane in boards.placed if broken is None else ():
            piece = boards.transition.planes[plane]
            for cell in free_cells(instance):
                bit = boards.bits.bit(*cell)
                assert boards.may[plane] & bit or all(win.get(cell) != piece for win in wins), seed
                assert not boards.must[plane] & bit or all(win.get(cell) == piece for win in wins), seed
                told += not boards.may[plane] & bit or bool(boards.must[plane] & bit)
    assert none >= drawn / 10 and told > drawn / 4 and drawn > len(seeds) / 3, (none, told, drawn)


def test_a_cell_may_hold_two_that_count() -> None:
    """Then as many pieces as a clue tells may stand on fewer cells."""
    instance = made(TWO, ["each clue: count marked at here, beside"], [".#2", ".1#"])
    assert winning(instance) and not foreseen(instance).broken
    assert api.solve(instance, "sat", want="count").count == len(winning(instance))


@pytest.mark.parametrize(("solver", "make"), one_in(2, product(["sat", "cp-sat"], [placed, looped, filled])))
def test_what_is_left_has_all_the_answers(make: object, solver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variables of cells of which something is certain have fewer values, and clauses leave these out."""
    monkeypatch.setattr(knowing, "MOSTLY", 0)
    some = 0
    for seed in range(60):
        try:
            instance = make(Random(seed))  # type: ignore[operator]
        except DescriptionError:
            continue
        plain = foreseen(instance)
        if plain.broken or not plain.cells:
            continue
        wins = {tuple(sorted(design.items())) for design in winning(instance)}
        result = api.solve(instance, solver, want="all")
        assert {plan.design for plan in result.plans} == wins and result.complete, seed
        some += bool(wins)
        if some == 5:
            return
    pytest.fail("hardly any board has an answer")


def test_what_is_plain_is_not_written() -> None:
    """Nor is it looked for where a solver is to get all that an export says."""
    instance = made(LINES, ["loop line through spot", LOOPS[2]], [". .", "+3 ", ". ."])
    (plain,) = attempts(instance, Query("all"), sat.BACKEND)
    assert [str(one.why) for one in plain.encoding.constraints] == [foreseen(instance).broken]
    (full,) = attempts(instance, Query("all"), Backend("clause", sat.BACKEND.takes, presolve=False))
    assert len(full.encoding.constraints) > 1 and plain.final and full.final


def test_fewer_values_are_written_where_that_is_so_of_most_cells() -> None:
    """Of one line of three spots nothing can be drawn; of a large board with one clue little is certain."""
    narrow = made(LINES, ["loop line through spot"], [". . . .", "+++++++", ". . . ."])
    assert foreseen(narrow).broken or foreseen(narrow).cells
    wide = made(LINES, ["loop line through spot"], [". . . .", "       ", ". . . .", "+      ", ". . . ."])
    assert not foreseen(wide).broken and not foreseen(wide).cells


@pytest.mark.parametrize("seed", range(20))
def test_ways_are_those_that_keep_all_limits(seed: int) -> None:
    rng = Random(seed)
    number = rng.randint(1, 6)
    limits: tuple[Limited, ...] = tuple(
        (tuple((at, rng.random() < 0.6) for at in some), rng.randrange(len(some)))
        for some in (rng.sample(range(number), rng.randint(1, number)) for _ in range(rng.randint(1, 4)))
    )
    found = ways(number, limits)
    assert found is not None
    for row in range(1 << number):
        holds = [
            all(row >> at & 1 for at in yes) and not any(row >> at & 1 for at in no) for yes, no in found
        ]
        assert any(holds) == all(few(row, *limit) for limit in limits)
