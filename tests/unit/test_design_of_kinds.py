"""Designs of several kinds, with a limit for each: read, judged, solved, counted, played, tried out."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest

import ggp
from ggp.errors import DescriptionError, PlanError, UnsupportedFeature
from ggp.explain.hints import hint
from ggp.explain.opened import opened
from ggp.explain.unique import unique
from ggp.exporters import vgdl
from ggp.generate.random_levels import random_level
from ggp.lab import oracle
from ggp.language.description import read_game, read_levels
from ggp.language.description.writing import write_game
from ggp.language.levels import load_game
from ggp.model import Cell, Instance, Piece, Plan
from ggp.players.designing import Designing
from ggp.proof import rederivation
from ggp.proof.claims import Claim
from ggp.referee.designs import check_design, free_cells, placeable
from ggp.referee.session import Session
from ggp.referee.stock import budget, stocks, ways
from ggp.referee.trajectory import replay

# A pit two cells wide, and the exit one up behind it. By hand: something fills the first cell of the pit,
# and a spring in the second throws the walker up; or a spring in the first throws it over something that
# stands in its way. A spring alone throws it into the pit again, and without one nothing leads up.
PIT = """
######
#   E#
#>  ##
##  ##
######
"""
BRICK, SPRING = Piece("brick"), Piece("spring")
LIMITS = '{ brick = "bricks", spring = "springs" }'


def pit(bricks: int, springs: int) -> Instance:
    """The level with so many of each."""
    game = load_game("springboards")[0]
    text = f"[[level]]\nhorizon = 10\nbricks = {bricks}\nsprings = {springs}\nmap = '''{PIT}'''\n"
    (level,) = read_levels(f'game = "springboards"\n{text}'.encode(), "pit.toml", game)
    return Instance(game, level)


def found(plans: tuple[Plan, ...]) -> set[tuple[object, ...]]:
    """The designs of plans."""
    return {tuple(sorted(plan.design)) for plan in plans}


TWO_WAYS = {(((2, 3), BRICK), ((3, 2), SPRING)), (((3, 2), BRICK), ((3, 3), SPRING))}
SPRINGS_ALONE = {(((2, 3), SPRING), ((3, 2), SPRING)), (((3, 2), SPRING), ((3, 3), SPRING))}
WORKED_OUT = {(1, 1): TWO_WAYS, (2, 0): set(), (0, 2): SPRINGS_ALONE, (9, 0): set(), (0, 1): set()}


ASKED = [(solver, limits) for solver in ("search", "cp-sat", "sat") for limits in WORKED_OUT]


@pytest.mark.parametrize(("solver", "limits"), [*ASKED, ("cbc", (1, 1))])
def test_each_kind_has_a_limit_of_its_own(solver: str, limits: tuple[int, int]) -> None:
    one = pit(*limits)
    every = ggp.solve(one, solver=solver, want="all")
    assert found(every.plans) == WORKED_OUT[limits] and every.complete
    assert all(replay(one, plan).won for plan in every.plans)
    best = ggp.solve(one, solver=solver)
    assert (best.stop, best.objective) == (("optimal", 2) if WORKED_OUT[limits] else ("unsolvable", None))


@pytest.mark.parametrize("limits", [(1, 2), (2, 1), (0, 3)])
def test_counts_are_those_of_trying_everything(limits: tuple[int, int]) -> None:
    """Also designs with placements that do nothing are counted, by the limits of each kind."""
    one, number = pit(*limits), 0
    for size in range(sum(limits) + 1):
        for cells in combinations(free_cells(one), size):
            for kinds in product((BRICK, SPRING), repeat=size):
                if kinds.count(BRICK) <= limits[0] and kinds.count(SPRING) <= limits[1]:
                    number += replay(one, Plan(tuple(zip(cells, kinds, strict=True)))).won
    assert number > 2
    assert ggp.solve(one, solver="search", want="count").count == number


@pytest.mark.parametrize("limits", [(1, 1), (2, 1), (0, 3)])
def test_the_number_of_designs(limits: tuple[int, int]) -> None:
    one = pit(*limits)
    every = list(oracle.designs(one))
    assert len(set(every)) == len(every) == oracle.number_of_designs(one)
    claim = Claim(one, "none")
    assert sorted(rederivation.designs(claim)) == sorted(every)
    assert rederivation.number_of_designs(claim) == len(every)
    by_size = [sum(len(design) == size for design in every) for size in range(sum(limits) + 1)]
    assert ways(one, placeable(one), len(free_cells(one)), sum(limits)) == by_size
    with_one = [design for design in every if ((1, 1), SPRING) in design]
    left = ways(one, placeable(one), len(free_cells(one)) - 1, sum(limits) - 1, [SPRING])
    assert sum(left) == len(with_one)


BEDS = """
name = "beds"
[kinds]
ring = { layer = "solid" }
hose = { layer = "solid" }
well = { layer = "solid" }
bed = { layer = "floor" }
wet = { layer = "wet", merge = true }
[symbols]
"." = ""
"w" = "well"
"b" = "bed"
[design]
place = ["ring", "hose"]
free-of = ["ring", "hose", "well"]
limit = { ring = 2, hose = 1 }
[[physics]]
rules = '''
ring: ring here => add wet here, add wet left if inside, add wet right if inside
hose: hose here => add wet right if inside, add wet right.right if inside
'''
[goal]
when = "horizon"
win = ["every bed on wet", "pairs ring with well at beside"]
[[level]]
horizon = 1
map = ".b.w..b"
"""


@pytest.mark.parametrize("solver", ["cp-sat", "sat"])
def test_words_of_the_finished_board_are_counted_after_a_run_too(solver: str) -> None:
    game, (level,) = read_game(BEDS.encode(), "beds.toml")
    one = Instance(game, level)
    every = [Plan(design) for design in oracle.designs(one)]
    wins = [plan for plan in every if replay(one, plan).won]
    assert wins and ggp.solve(one, solver=solver, want="count").count == len(wins)


STILL = """
name = "sockets"
[kinds]
red = { layer = "solid" }
blue = { layer = "solid" }
socket = { layer = "floor" }
[classes]
thing = ["red", "blue"]
[symbols]
"." = ""
"o" = "socket"
[design]
place = ["red", "blue"]
free-of = ["red", "blue"]
limit = { red = 2, blue = 1 }
[goal]
win = ["every socket on thing"]
[[level]]
map = "o.oo"
"""


@pytest.mark.parametrize("solver", ["search", "cp-sat", "sat"])
def test_where_nothing_moves_the_limits_hold_too(solver: str) -> None:
    """Of three sockets any one takes the only blue piece."""
    game, (level,) = read_game(STILL.encode(), "sockets.toml")
    every = ggp.solve(Instance(game, level), solver=solver, want="all")
    colours = {"".join(piece.kind[0] for _, piece in sorted(plan.design)) for plan in every.plans}
    assert (colours, every.complete) == ({"brr", "rbr", "rrb"}, True)


def test_levels_at_random_have_the_numbers_of_all_limits() -> None:
    one = random_level(load_game("springboards")[0], random.Random(1), rows=3, columns=3, horizon=1)
    assert stocks(one) == {("brick",): 0, ("spring",): 0}


def test_the_referee_refuses_one_too_many_of_a_kind() -> None:
    one = pit(2, 1)
    check_design(one, [((1, 1), SPRING), ((1, 2), BRICK), ((1, 3), BRICK)])
    with pytest.raises(PlanError, match="2 of `spring`, of which there are 1"):
        check_design(one, [((1, 1), SPRING), ((1, 2), SPRING)])


def test_a_kind_without_a_limit() -> None:
    text = write_game(load_game("springboards")[0], [pit(1, 1).level])
    game, (level,) = read_game(
        text.replace(LIMITS, '{ spring = "springs" }').replace("bricks = 1\n", "").encode(), "x"
    )
    one = Instance(game, level)
    assert budget(one) is None
    assert found(ggp.solve(one, solver="search", want="all").plans) >= TWO_WAYS
    assert found(ggp.solve(one, solver="sat", want="all").plans) == found(
        ggp.solve(one, solver="search", want="all").plans
    )


def test_one_limit_of_all() -> None:
    text = write_game(load_game("springboards")[0], [pit(1, 1).level])
    text = text.replace(LIMITS, "2").replace("bricks = 1\n", "").replace("springs = 1\n", "")
    one = Instance(*(part[0] if isinstance(part, tuple) else part for part in read_game(text.encode(), "x")))
    for solver in ("search", "cp-sat"):
        assert found(ggp.solve(one, solver=solver, want="all").plans) == TWO_WAYS | SPRINGS_ALONE
    assert read_game(write_game(one.game, [one.level]).encode(), "x") == (one.game, (one.level,))


def test_the_cursor_passes_over_what_is_spent() -> None:
    session = Session(pit(1, 1))
    session.cycle((1, 1))
    assert session.placed_at((1, 1)) == BRICK
    session.cycle((1, 2))
    assert session.placed_at((1, 2)) == SPRING
    session.cycle((1, 2))
    assert session.placed_at((1, 2)) is None
    session.cycle((1, 1))
    assert session.placed_at((1, 1)) == SPRING
    session.cycle((1, 2), -1)
    assert session.placed_at((1, 2)) == BRICK


def test_players_place_no_more_than_there_is() -> None:
    world = Designing(pit(1, 1))
    first = world.begin()
    placed = world.turn(first, world.actions.index("place(1,1,spring)"))
    assert placed is not None
    legal = {word for word, may in zip(world.actions, world.legal(placed.position), strict=True) if may}
    assert "place(1,2,brick)" in legal and "place(1,2,spring)" not in legal and "release" in legal


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('["brick", "spring"]', '["brick", "spring", "brick"]', "`brick` is placed twice"),
        ('["brick", "spring"]', '["brick", "spring", "sprnig"]', "no kind `sprnig`"),
        ('["brick", "spring"]', "[]", "'brick' is not placed"),
        (LIMITS, "{ wall = 1 }", "'wall' is not placed"),
        (LIMITS, '{ brick = -1, spring = "springs" }', "it is the limit of the design"),
        (LIMITS + "\n", "2\nfill = true\n", "`limit` means nothing with `fill`"),
        ("limit = " + LIMITS, "fill = true", "fills every free cell places one kind"),
        ('["brick", "spring"]', '["brick", "spring", "number"]', "`number` has values"),
    ],
)
def test_what_is_wrong_with_a_design_is_said(before: str, after: str, message: str) -> None:
    text = write_game(load_game("springboards")[0], [pit(1, 1).level])
    text = text.replace("[kinds]\n", '[kinds]\nnumber = { layer = "digits", values = [1, 2] }\n')
    assert before in text
    with pytest.raises(DescriptionError, match=message):
        read_game(text.replace(before, after, 1).encode(), "springs.toml")


COURT = """
name = "court"
[kinds]
tower = {{ layer = "piece" }}
gate = {{ layer = "piece" }}
hole = {{ layer = "floor" }}
[symbols]
"." = ""
"#" = "hole"
"T" = "tower"
[design]
place = ["tower", "gate"]
free-of = ["tower", "gate", "hole"]
limit = {{ tower = 1, gate = {gates} }}
[goal]
when = "horizon"
win = ["count tower in rows = 1", "count gate in rows = 1", "count gate in columns <= 1"]
[[level]]
map = '''
T.#
#..
'''
"""


def court(gates: int) -> Instance:
    """Two rows of two cells. By hand: beside the tower that is given stands a gate, so the other one, which
    is in another column, is at (1, 2), and a tower at (1, 1).
    """
    game, (level,) = read_game(COURT.format(gates=gates).encode(), "court.toml")
    return Instance(game, level)


def test_explanations_know_each_limit() -> None:
    """A given counts for its kind: without it one tower more may be placed, and no gate more."""
    assert stocks(opened(court(2)).instance) == {("tower",): 2, ("gate",): 2}
    answer = {(0, 1): Piece("gate"), (1, 1): Piece("tower"), (1, 2): Piece("gate")}
    found = unique(court(2))
    assert found.answers == "unique" and dict(found.plans[0].design) == answer
    placed: dict[Cell, Piece] = {}
    while (told := hint(court(2), placed).forced) is not None and told.piece is not None:
        assert answer[told.cell] == told.piece
        placed[told.cell] = told.piece
    assert placed == answer and hint(court(2), placed).done
    few = unique(court(1))
    assert few.answers == "none" and few.conflict is not None
    assert "at most 1 gate placed" in [why.text for why in few.conflict.rules]


def test_vgdl_takes_what_a_plan_has_placed() -> None:
    """Its hand places one sort, so it refuses a level without a plan, and says so."""
    one = pit(1, 1)
    with pytest.raises(UnsupportedFeature, match="export it with a plan"):
        ggp.export(one, "vgdl")
    plan = Plan((((2, 3), BRICK), ((3, 2), SPRING)))
    text = ggp.export(one, "vgdl", plan)
    assert all(check.passed for check in vgdl.verify(one, text, plan))
    lost = Plan((((3, 2), BRICK), ((2, 3), SPRING)))
    assert not all(check.passed for check in vgdl.verify(one, text, lost))


def test_puzzlescript_has_a_counter_for_each_kind() -> None:
    text = ggp.export(pit(2, 1), "puzzlescript")
    assert "[ action Cursor Slot Brick ] [ Spent_brick ] [ Stock_spring ] ->" in text
