"""Which encodings are tried: how large they may be, when writing them ends, what is settled afterwards."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from ggp import api
from ggp.encoding import occupancy, sizes
from ggp.encoding.choices import layers
from ggp.encoding.clashes import has_room
from ggp.encoding.constraints import Encoding, Sum
from ggp.encoding.formula import And, Or
from ggp.encoding.judging import holds, true
from ggp.encoding.lowering import conserved
from ggp.encoding.lowering.propagate import propagated
from ggp.encoding.lowering.route import ANY
from ggp.encoding.occupancy import encode
from ggp.encoding.scopes import scope
from ggp.encoding.symbolic import Formulas
from ggp.encoding.unroll import (
    LOST,
    Ask,
    Attempt,
    attempts,
    conclude,
    macro_turns,
    make,
    pushed,
    turn_by_turn,
    within,
)
from ggp.errors import PuzzleError
from ggp.language import levels
from ggp.language.description import read_game
from ggp.model import Instance, Objective, Piece, Plan
from ggp.model.result import Clock, Outcome, OutOfTime, Query, Want
from ggp.tasks.questions import objective_of, with_horizon
from ggp.transition.compiler import compile_instance

SLIDING = """
name = "sliding"
[kinds]
wall = { layer = "solid" }
exit = { layer = "floor" }
me = { layer = "solid" }
[symbols]
"." = ""
"E" = "exit"
"#" = "wall"
"@" = "me"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
until = "stable"
bound = BOUND
rules = "slide: me here, no wall ahead => me here -> ahead"
[goal]
win = ["every me on exit"]
[objectives]
turns = "turns"
[[level]]
HORIZON
map = '''
@..
...
..E
'''
"""


def sliding(bound: int, horizon: int | None) -> Instance:
    """A player that slides over nine cells."""
    line = "" if horizon is None else f"horizon = {horizon}"
    text = SLIDING.replace("BOUND", str(bound)).replace("HORIZON", line)
    game, (level,) = read_game(text.encode(), "sliding.toml")
    return Instance(game, level)


@pytest.mark.parametrize("solver", ["cp-sat", "sat", "cbc", "ace"])
def test_what_is_too_large_is_refused_once_it_is_written(
    solver: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How much is written counts, not how many passes, cells and pieces there are: most of it is constant."""
    monkeypatch.setattr(sizes, "LARGEST", 500)
    one = sliding(200, 40)
    with pytest.raises(PuzzleError, match="sliding/1 has more than 500 variables and constraints") as error:
        api.solve(one, solver, "count")
    assert "a solver that searches" in str(error.value)
    assert api.solve(one, "search").objective == 2


@pytest.mark.parametrize("solver", ["cp-sat", "sat", "cbc"])
@pytest.mark.parametrize("want", ["count", "first"])
def test_what_takes_too_long_is_refused_before_it_is_begun(
    solver: str, want: Want, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also before shorter runs are asked about."""
    monkeypatch.setattr(sizes, "WORK", 9 * 40 - 1)
    monkeypatch.setattr(layers, "A_TURN_OF_WORK", 8)
    one = sliding(200, 40)
    said = "sliding/1 is 1 passes on 9 cells over 40 turns, 360 together; what is written"
    begun = list[bool]()
    monkeypatch.setattr(occupancy, "Unroller", lambda *given: begun.append(True))
    with pytest.raises(PuzzleError, match=said) as error:
        api.solve(one, solver, want)
    assert "`--horizon`" in str(error.value) and not begun


def test_one_turn_may_be_written_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then it does not matter how many there are."""
    monkeypatch.setattr(sizes, "WORK", 9 * 40 - 1)
    found = api.solve(sliding(200, 40), "sat", "first", encoding="layers")
    assert len(found.plans) == 1 and api.solve(sliding(200, 39), "cp-sat", "first").plans


def test_what_is_constant_does_not_count() -> None:
    """A loop of 2,000 passes over nine cells in forty turns, and nobody who moves in it."""
    one = sliding(2000, 40)
    nobody = tuple(tuple(cell - {Piece("me")} for cell in row) for row in one.level.board)
    encoding = encode(Instance(one.game, replace(one.level, board=nobody)))
    assert encoding.sizes["variables"] + encoding.sizes["constraints"] < 1000


def test_deepening_ends_where_it_gets_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """No plan wins, and there is no horizon: longer and longer runs, up to what can be written."""
    monkeypatch.setattr(sizes, "LARGEST", 2_000)
    one = sliding(4, None)
    row = one.level.board[0]
    walled = replace(one.level, board=(row, *(tuple(frozenset() for _ in row) for _ in range(2))))
    result = api.solve(Instance(one.game, walled), "cp-sat")
    assert result.stop == "horizon-exhausted" and not result.plans
    assert "no plan within" in result.note


@pytest.mark.parametrize("solver", ["cp-sat", "sat"])
def test_what_no_input_changes_is_never_won(solver: str) -> None:
    """Without a horizon, and with walls all round: more turns need not be tried."""
    one = sliding(4, None)
    wall, me = frozenset({Piece("wall")}), frozenset({Piece("me")})
    board = ((wall, wall, wall), (wall, me, wall), (wall, wall, wall), (frozenset({Piece("exit")}),) * 3)
    result = api.solve(Instance(one.game, replace(one.level, board=board)), solver, time_limit=20)
    assert result.stop == "unsolvable"
    assert result.note in ("no input changes anything any more", "no run comes to a board that wins")
    assert api.solve(sliding(4, None), solver, time_limit=20).objective == 2
    cut = api.solve(sliding(1, None), solver, time_limit=1)
    assert not cut.plans and cut.stop != "unsolvable", "the slide is cut off before it ends"


@pytest.mark.parametrize("solver", ["cp-sat", "sat", "cbc"])
def test_who_is_too_far_away_for_short_runs_is_not_lost(solver: str) -> None:
    """Without a horizon short runs are asked about first, in which nothing that is left can change."""
    text = SLIDING.replace('until = "stable"\nbound = BOUND\n', "").replace("HORIZON\n", "")
    far = read_game(text.replace("@..\n...\n..E", "@....\n.....\n....E").encode(), "far.toml")
    for want in ("best", "first"):
        result = api.solve(Instance(far[0], far[1][0]), solver, want)
        assert [len(plan.actions) for plan in result.plans] == [6], result.note


@pytest.mark.parametrize("solver", ["cp-sat", "sat"])
def test_what_can_never_get_there_is_said_at_once(solver: str) -> None:
    """No rule brings the walker onto the exit; within a horizon or without, nothing is unrolled."""
    text = SLIDING.replace('until = "stable"\nbound = BOUND\n', "").replace("no wall ahead", "no exit ahead")
    for horizon in ("", "horizon = 30"):
        game, kept = read_game(text.replace("HORIZON", horizon).encode(), "kept.toml")
        result = api.solve(Instance(game, kept[0]), solver)
        assert (result.stop, result.note) == ("unsolvable", LOST)
        assert result.sizes["variables"] == 0


def test_longer_and_longer_runs_tell_how_short_a_plan_cannot_be() -> None:
    """What was ruled out before time was up is known, and that a plan is the shortest follows from it."""
    one = sliding(4, 40)
    asked = list(attempts(one, Query("best", one.game.objectives[0])))
    assert [each.encoding.horizon for each in asked] == [2, 4, 8, 16, 40]
    assert [each.final for each in asked] == [False] * 4 + [True]
    answers = turn_by_turn(one, Query("best", one.game.objectives[0]), out_of_time(16))
    with pytest.raises(StopIteration) as end:
        next(answers)
    assert (end.value.value.stop, end.value.value.bound) == ("time-limit", 9)
    with pytest.raises(OutOfTime):
        next(turn_by_turn(one, Query("best", one.game.objectives[0]), out_of_time(2)))
    pushes = Objective("pushes", "moves", "me")  # of which turns say nothing
    answers = turn_by_turn(sliding(4, None), Query("best", pushes), out_of_time(16))
    with pytest.raises(StopIteration) as end:
        next(answers)
    assert (end.value.value.stop, end.value.value.bound) == ("time-limit", None)


def out_of_time(horizon: int) -> Ask:
    """A solver that finds nothing, and comes to no end where so many turns are asked about."""

    def ask(attempt: Attempt, query: Query) -> Generator[Plan, None, Outcome]:
        yield from ()
        if attempt.encoding.horizon == horizon:
            raise OutOfTime
        return conclude(attempt, query, Outcome("unsolvable", True))

    return ask


def test_a_loop_with_a_bound_that_is_too_small_is_reported() -> None:
    """With one pass the slide of two cells is cut off, and nothing is called unsolvable."""
    one = sliding(1, 4)
    encoding = encode(one)
    assert encoding.limits == ["the loop comes to rest within 1 passes"]
    result = api.solve(one, "cp-sat")
    assert result.stop == "horizon-exhausted" and "comes to rest within 1 passes" in result.note


def test_a_solver_is_ended_as_soon_as_its_plan_is_too_long() -> None:
    """Not when the last reference to it goes: a process of its own may be working on."""
    ended = []

    def answers() -> Generator[Plan, None, Outcome]:
        try:
            yield Plan((), ("up", "up"))
            yield Plan()
        finally:
            ended.append(True)
        return Outcome("satisfied")

    asked = answers()
    with pytest.raises(StopIteration) as end:
        next(within(asked, 1))
    assert end.value.value is None and ended and asked.gi_frame is None
    assert next(within(answers(), 2)) == Plan((), ("up", "up"))


def test_the_time_for_encoding_is_counted_from_where_it_began() -> None:
    """Turn by turn and in macro turns, by a clock that has run for long before."""
    one = levels.load("sokoban/first")
    query = Query("best", objective_of(one, "pushes"))
    query.clock.start -= 100
    relaxed = macro_turns(one, query)
    assert relaxed is not None
    pushed(relaxed, relaxed.matching[0], query, ANY)
    first = query.clock.encoding
    make(one, query, 4)
    assert 0 < first < query.clock.encoding < 50


def test_what_is_said_of_a_turn_names_it() -> None:
    """The reasons of constraints, and the variables of what fires: from the first turn to the last."""
    encoding = encode(levels.load("sokoban/first"))
    turns = set(range(1, encoding.horizon + 1))
    assert {one.why.turn for one in encoding.constraints} - {None} == turns
    # In the first turn it is the input that says where the player goes.
    assert {one.index[0] for one in encoding.variables if one.name.startswith("step_")} == turns - {1}


def test_a_time_limit_ends_the_writing_of_one_turn() -> None:
    """The clock is looked at within turns too: one turn of many passes is enough to be late."""
    looks = 0

    def late() -> None:
        nonlocal looks
        looks += 1
        if looks == 20:
            raise OutOfTime

    with pytest.raises(OutOfTime):
        encode(with_horizon(levels.load("samegame/first"), 1), tick=late)


# --- what is settled --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["sokoban/first", "lemmings/seed"])
def test_certain_is_not_idle(name: str) -> None:
    """Certain values hold in every solution; of what is idle nothing speaks; the rest is spoken of."""
    lowered = propagated(encode(levels.load(name)))
    assert lowered.fixed and not lowered.fixed.keys() & lowered.idle.keys()
    spoken = {v for constraint in lowered.constraints for v in scope(lowered, constraint)}
    assert not spoken & lowered.settled.keys()
    assert all(lowered.variables[v].domain == (value,) for v, value in lowered.fixed.items())
    assert all(len(lowered.variables[v].domain) > 1 for v in lowered.idle)


def solved(encoding: Encoding) -> tuple[bool, int]:
    """Is there a plan, and how many variables are left?"""
    from ggp.solvers.cpsat import model_of

    return model_of(encoding, Clock()) is not None, encoding.sizes["variables"]


@pytest.mark.parametrize("horizon", [5, 6, 8])
def test_a_rewrite_after_propagation_says_the_same(horizon: int) -> None:
    """What is conserved may be said before or after: the level has a plan of six turns, and no shorter."""
    one = with_horizon(levels.load("sokoban/first"), horizon)
    before = propagated(conserved.with_numbers(encode(one)))
    after = propagated(conserved.with_numbers(propagated(encode(one))))
    assert solved(before)[0] == solved(after)[0] == (horizon >= 6)


# --- sums that solvers take as they are meant -------------------------------------------------------------


@pytest.mark.parametrize("seed", range(30))
def test_a_count_of_literals_that_repeat_and_oppose_one_another(seed: int) -> None:
    """ACE takes a sum in which a variable stands twice for another one, so none is written."""
    rng = Random(seed)
    encoding = Encoding(levels.load("sokoban/first"), 0)
    algebra = Formulas(encoding, compile_instance(encoding.instance))
    atoms = [encoding.number(encoding.new("v", (index,), (0, 1)), 1) for index in range(3)]
    lits = [rng.choice(atoms) * rng.choice([1, -1]) for _ in range(rng.randint(1, 6))]
    number = rng.randint(0, 6)
    formula = algebra.at_least(lits, number)
    enough = formula if isinstance(formula, bool) else algebra.literal(formula)
    for constraint in encoding.constraints:
        if isinstance(constraint, Sum):
            assert len({abs(lit) for _, lit in constraint.terms}) == len(constraint.terms)
    for chosen in product((0, 1), repeat=3):
        given = dict(enumerate(chosen))
        rest = range(3, len(encoding.variables))
        every = (given | dict(zip(rest, more, strict=True)) for more in product((0, 1), repeat=len(rest)))
        models = [v for v in every if all(holds(encoding, one, v) for one in encoding.constraints)]
        assert len(models) == 1, "the literal says it both ways"
        told = enough if isinstance(enough, bool) else true(encoding, enough, models[0])
        assert told == (sum(true(encoding, lit, models[0]) for lit in lits) >= number)


# --- what plainly cannot be, and is not written -----------------------------------------------------------


def test_of_two_choices_of_one_variable_only_what_both_allow_stays() -> None:
    encoding = Encoding(levels.load("sokoban/first"), 0)
    algebra = Formulas(encoding, compile_instance(encoding.instance))
    variable = encoding.new("input", (0,), (1, 2, 3, 4), "action")
    one, two, three, four = (encoding.number(variable, value) for value in (1, 2, 3, 4))

    def either(*lits: int) -> int:
        formula = algebra.literal(Or(frozenset(lits)))
        assert isinstance(formula, int)
        return formula

    assert algebra.conj(either(one, two), either(two, three)) == two
    assert algebra.conj(either(one, two), either(three, four)) is False
    assert algebra.conj(either(one, two, three), either(two, three, four)) == either(two, three)
    assert algebra.conj(either(one, two), three) is False
    other = encoding.number(encoding.new("other", (0,), (0, 1)), 1)
    assert algebra.conj(algebra.conj(either(one, two), other), either(two, four)) == And(
        frozenset({two, other})
    )


@pytest.mark.parametrize(
    ("rule", "room"),
    [
        ("go: me here, no full ahead => me here -> ahead", True),
        ("go: me here, no box ahead => me here -> ahead", False),  # a wall may be there
        ("go: me here, box ahead => remove box ahead, me here -> ahead", True),
        ("go: me here => add box ahead", False),
        ("go: me here => add dust ahead", True),  # on another layer
        ("swap: me here, box ahead => me here -> ahead, box ahead -> here", True),
    ],
)
def test_whose_conditions_leave_room(rule: str, room: bool) -> None:
    """Where they do, that nothing is put on what stays there need not be said."""
    text = f"""
name = "made"
[kinds]
wall = {{ layer = "solid" }}
box = {{ layer = "solid" }}
me = {{ layer = "solid" }}
dust = {{ layer = "air", merge = true }}
[classes]
full = ["wall", "box", "me"]
[symbols]
"." = ""
"#" = "wall"
"$" = "box"
"@" = "me"
[input]
moves = ["left", "right"]
[[turn]]
rules = "{rule}"
[goal]
win = ["count me = 0"]
[[level]]
horizon = 1
map = "@$#."
"""
    game, (level,) = read_game(text.encode(), "made.toml")
    transition = compile_instance(Instance(game, level))
    assert {has_room(transition, one, "solid") for one in transition.rules()} == {room}


@pytest.mark.parametrize(
    ("objective", "final", "kept"),
    [("pushes", False, None), ("pushes", True, 4), ("turns", False, 4)],
)
def test_a_bound_within_a_horizon_is_one_of_all_plans_or_is_not_told(
    objective: str, final: bool, kept: int | None
) -> None:
    """A longer plan may push less, but has no fewer turns."""
    instance = levels.load("sokoban/first")
    query = Query("best", objective_of(instance, objective))
    attempt = Attempt(encode(instance, horizon=3), final)
    told = conclude(attempt, query, Outcome("time-limit", False, None, 4))
    assert (told.stop, told.bound) == ("time-limit", kept)
