"""The searches against each other, on random levels: what each calls best, and what each calls unsolvable.

The plain search goes through single turns of the compiled program in the order of their cost, and is held
against the referee elsewhere. The others take short cuts that are derived from the rules and the goal.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest

from ggp.api import solve
from ggp.errors import IllFormed, Place, Unfit, UnknownName
from ggp.language.description import read_game
from ggp.language.levels import builtin, load
from ggp.language.maps import read_board, symbols_of
from ggp.model import Game, Instance, Level, Objective, Plan
from ggp.model.board import Action
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import initial_state
from ggp.referee.trajectory import replay
from ggp.search import choice
from ggp.search.broad import ended
from ggp.search.deepening import Deepening, greedy
from ggp.search.moving import Found, MovingSearch
from ggp.search.push import macro, nogoods, space
from ggp.search.push.compiled.best import stepped
from ggp.search.push.compiled.match import cheapest, lost_together
from ggp.search.push.compiled.relaxed import bound, scratch
from ggp.search.push.grounding import Ask, Effect, Operator
from ggp.search.push.macro import MacroSearch
from ggp.search.push.runs import shares
from ggp.search.push.runs.proving import ArcSearch
from ggp.search.push.tables import ENDLESS, Layout, steps
from ggp.search.regionwise import matching
from ggp.tasks.solving import Run
from ggp.transition.bits import Bits
from ggp.transition.compiler import compile_instance
from ggp.transition.kernel import clear_markers, run_program
from ggp.transition.program import given, input_words
from tests.random_rules import random_instance
from tests.slow import slow_unless
from tests.solver_levels import level_of

VARIANTS = Path(__file__).parents[2] / "data" / "variants"
# What there is in a map of each game, with how often: (symbol, fewest, most).
COLLECTOR = b"""
name = "collector"
[kinds]
wall = { layer = "solid" }
door = { layer = "solid" }
jar = { layer = "solid" }
pit = { layer = "floor" }
gem = { layer = "floor" }
shelf = { layer = "floor" }
me = { layer = "solid", count = "1" }
[classes]
closed = ["wall", "door", "jar"]
[symbols]
" " = ""
"#" = "wall"
"D" = "door"
"j" = "jar"
"p" = "pit"
"g" = "gem"
"s" = "shelf"
"@" = "me"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = '''
open: me here, door ahead, gem here => remove door ahead, remove gem here
put: me here, jar ahead, no closed ahead.ahead => jar ahead -> ahead.ahead, me here -> ahead, remove gem here
step: me here, no closed ahead => me here -> ahead
'''
[goal]
win = ["every jar on shelf", "count door <= 2"]
lose = ["some me on pit"]
[objectives]
turns = "turns"
pushes = "moves jar"
"""
MAPS = {
    "sokoban": (("#", 1, 4), ("$", 1, 2), (".", 4, 5), ("@", 1, 1)),
    "psychopath": (("#", 2, 6), ("o", 4, 9), ("E", 1, 1), ("@", 1, 1)),
    "psychopath-2": (
        ("#", 1, 4),
        ("o", 3, 7),
        ("O", 0, 3),
        (">", 0, 2),
        ("^", 0, 2),
        ("E", 1, 1),
        ("@", 1, 1),
    ),
    "collector": (("#", 0, 3), ("j", 1, 1), ("s", 5, 6), ("D", 1, 3), ("g", 2, 4), ("p", 0, 1), ("@", 1, 1)),
}
LEVELS = 15  # of each game


def game_of(name: str) -> Game:
    return read_game(COLLECTOR, "collector.toml")[0] if name == "collector" else builtin(name)[0]


def random_level(name: str, rng: Random) -> Instance:
    rows, columns = rng.randint(3, 5), rng.randint(4, 6)
    cells = rng.sample(range(rows * columns), rows * columns)
    drawing = [" "] * (rows * columns)
    for symbol, fewest, most in MAPS[name]:
        for _ in range(rng.randint(fewest, most)):
            if cells:
                drawing[cells.pop()] = symbol
    if "@" not in drawing:  # the last ones found no room
        drawing[0] = "@"
    lines = ["".join(drawing[row * columns : (row + 1) * columns]) for row in range(rows)]
    game = game_of(name)
    board, _ = read_board(lines, symbols_of(game), nowhere)
    return Instance(game, Level("random", board))


def nowhere(row: int, column: int) -> Place:
    return Place("random map")


def levels_of(name: str, number: int = LEVELS) -> list[Instance]:
    rng = Random(name)
    return [random_level(name, rng) for _ in range(number)]


@cache
def with_what_is_best(name: str) -> list[tuple[Instance, Objective, Found]]:
    """These levels by each objective, with what single turns find, which takes most of the time."""
    every = [(one, objective) for one in levels_of(name) for objective in one.game.objectives]
    return [(*asked, MovingSearch(*asked).best(nothing)) for asked in every]


def nothing() -> None:
    """Stands for a look at the clock."""


def check(one: Instance, objective: Objective, found: Found, best: Found, *, optimal: bool = True) -> None:
    """Found is what is best, and its plan wins at that price."""
    assert (found.plan is None) == (best.plan is None)
    if found.plan is None:
        return
    verdict = replay(one, found.plan)
    assert verdict.won, verdict.reason
    if optimal:
        assert found.cost == best.cost == verdict.values[objective.name]


@pytest.mark.parametrize("name", slow_unless(lambda name: name != "collector", MAPS))
def test_macro_moves_find_what_single_turns_find(name: str) -> None:
    solved = 0
    for one, objective, best in with_what_is_best(name):
        solved += best.plan is not None
        search = MacroSearch(one, objective, compile_instance(one))
        check(one, objective, search.best(nothing, "astar", 1 << 30), best)
        check(one, objective, search.best(nothing, "bfs", 1 << 30), best)
        check(one, objective, search.best(nothing, "greedy", 1 << 30), best, optimal=False)
    assert 0.4 * LEVELS < solved < 2 * LEVELS, "some levels have plans and some have none"


@pytest.mark.parametrize("name", slow_unless(lambda name: name != "sokoban", MAPS))
def test_bounds_are_never_above_the_optimum(name: str) -> None:
    tight = 0
    for one, objective, best in with_what_is_best(name):
        cost = ENDLESS if best.plan is None else best.cost
        it = MacroSearch(one, objective, compile_instance(one))
        room = scratch(it.ops, it.waits, it.words.size)
        node = np.int32(it.node)  # as the search asks: of another type it would be compiled anew
        relaxed = bound(it.ops, it.waits, room, it.goal, it.words, node, it.inputs, ENDLESS, False)
        matched = cheapest(it.match, it.words, node) if it.matched else 0
        assert max(relaxed, matched) <= cost
        tight += max(relaxed, matched) == cost
    assert tight, "and sometimes they say it exactly"


def test_pairs_are_lost_exactly_where_two_pieces_alone_are() -> None:
    """Two crates, wherever they stand, beside all that single turns can do with them."""
    lost = saved = 0
    for one in levels_of("sokoban", 25):  # of which few are of the sort
        search = MacroSearch(one, one.game.objectives[0], compile_instance(one))
        match, words = search.match, search.words
        if not search.matched or int(np.bitwise_count(words & match.mask).sum()) != 2:
            continue
        said = lost_together(match, np.zeros_like(words), words, search.node)
        assert said == (MovingSearch(one, None).best(nothing).plan is None)
        lost, saved = lost + said, saved + (not said)
    assert lost > 2 and saved > 2


@pytest.mark.parametrize("name", MAPS)
def test_steps_are_what_operators_say(name: str) -> None:
    """Wherever pieces stand."""
    rng, told = Random(name), 0
    for one in levels_of(name)[:8]:
        it = MacroSearch(one, one.game.objectives[0], compile_instance(one))
        empty = it.ops.step_target[:0]
        spelt = it.ops._replace(step_target=empty)
        told += it.ops.step_target.size > 0
        for _ in range(4):
            words = np.array([rng.getrandbits(64) for _ in it.words], np.uint64)
            for node, action in product(range(len(it.grounded.cells)), range(it.inputs)):
                found = stepped(it.ops, words, node, action, it.inputs)
                assert found == stepped(spelt, words, node, action, it.inputs)
    assert told or name != "sokoban"


def test_what_is_tried_before_a_step_may_keep_it_from_being_one() -> None:
    """Unless it wants what the step wants away; a step that wants something is told otherwise too."""
    it = MacroSearch(load("sokoban/first"), None, compile_instance(load("sokoban/first")))
    layout, first = Layout(it.grounded), np.array([0, 2])
    spot, other = it.grounded.open[:2]
    there, away = (Ask(spot[1], (spot[0],), wanted) for wanted in (True, False))
    push = Operator(0, 0, 0, (there,), (Effect(spot, other),), 1)
    step = Operator(0, 0, it.grounded.cells[0], (away,), (), 1)._replace(cell=-1)
    assert steps([push, step], first, layout)[0].tolist() == [0]
    assert steps([push, step._replace(asks=())], first, layout)[0].size == 0
    assert steps([push._replace(asks=()), step], first, layout)[0].size == 0
    assert steps([push, step._replace(asks=(there,))], first, layout)[0].size == 0


def test_one_push_may_bring_two_pieces_nearer() -> None:
    text = (VARIANTS / "push-two.toml").read_bytes() + b'[objectives]\nturns = "turns"\n'
    game, _ = read_game(text.replace(b'" " = ""', b'" " = ""\n"*" = "crate target"'), "push-two.toml")
    board, _ = read_board(["@$*. "], symbols_of(game), nowhere)
    one = Instance(game, Level("row", board))
    search = MacroSearch(one, game.objectives[0], compile_instance(one))
    assert search.matched and cheapest(search.match, search.words, np.int32(search.node)) == 1
    assert search.best(nothing, "astar", 1 << 30).cost == 1


def test_pieces_of_two_layers_may_share_a_place() -> None:
    """One shelf, and a kite that flies over the jar on it: each of a cell's layers is a place."""
    text = COLLECTOR.replace(b"[symbols]", b'goods = ["jar", "kite"]\n[symbols]\n"k" = "kite"')
    text = text.replace(b"pit = {", b'kite = { layer = "sky" }\npit = {')
    text = text.replace(b"every jar", b"every goods")
    fly = b"fly: me here, kite ahead, no kite ahead.ahead, no closed ahead => kite ahead -> ahead.ahead, "
    game, _ = read_game(text.replace(b"put:", fly + b"me here -> ahead\nput:"), "kites.toml")
    board, _ = read_board(["@kjs"], symbols_of(game), nowhere)
    one, solved = Instance(game, Level("row", board)), 0
    for objective in (None, *game.objectives):
        best = MovingSearch(one, objective).best(nothing)
        found = MacroSearch(one, objective, compile_instance(one)).best(nothing, "astar", 1 << 30)
        solved += best.plan is not None
        assert found.cost == best.cost and (found.plan is None) == (best.plan is None)
    assert solved


def test_greedy_search_stops_where_it_has_won() -> None:
    """By the bound alone a place behind the exit is as good as the exit."""
    one = level_of("psychopath-2", ["@E", ".E"], 2)
    result = solve(one, "search:greedy", "first")
    assert replay(one, result.plans[0]).won and len(result.plans[0].actions) == 1


def test_deepening_and_greedy_search_find_plans_too() -> None:
    for name in MAPS:
        for one in levels_of(name)[:5]:
            for objective in one.game.objectives:
                best = MovingSearch(one, objective).best(nothing)
                if best.plan is not None and len(best.plan.actions) < 9:
                    check(one, objective, Deepening(one, objective).best(nothing), best)
                check(one, objective, greedy(one, objective, nothing), best, optimal=False)


@pytest.mark.parametrize("name", ["lights-out/first", "peg-solitaire/first", "sokoban/first", "atomix/first"])
def test_deepening_finds_what_plain_search_finds(name: str) -> None:
    """Deeper and deeper by what the objective counts, without anything compiled."""
    one = load(name)
    for objective in one.game.objectives:
        best, found = (search(one, objective).best(nothing) for search in (MovingSearch, Deepening))
        assert found.plan is not None and found.cost == best.cost
        assert replay(one, found.plan).won


def test_places_get_bits_of_their_own_wherever_they_can() -> None:
    """Held against trying all."""
    for seed in range(60):
        rng = Random(seed)
        free = [rng.randrange(1, 16) for _ in range(rng.randint(1, 4))]
        every = product((1, 2, 4, 8), repeat=len(free))
        can = any(
            len({*ones}) == len(ones) and all(a & b for a, b in zip(ones, free, strict=True))
            for ones in every
        )
        held = matching(free)
        assert (held is not None) == can
        assert held is None or (
            len({*held}) == len(free) and all(a & b for a, b in zip(held, free, strict=True))
        )


HATCHING = b"""
name = "hatching"
[kinds]
egg = { layer = "egg" }
bug = { layer = "bug" }
brick = { layer = "solid" }
home = { layer = "floor" }
[symbols]
"." = ""
"e" = "egg"
"h" = "home"
[design]
place = "brick"
free-of = ["brick"]
limit = 1
[[physics]]
rules = '''
hatch: egg here, inside right, no brick right => remove egg here, add bug right
walk: bug here, inside right, no brick right => bug here -> right
'''
[goal]
when = "horizon"
win = ["every bug on home", "some bug on home"]
[[level]]
horizon = 2
map = "e.h."
"""


def test_what_comes_forth_in_the_run_is_not_lost_before() -> None:
    """No bug stands anywhere at first; one hatches, and is home in time."""
    game, (level,) = read_game(HATCHING, "hatching.toml")
    one = Instance(game, level)
    assert replay(one, Plan()).won
    for solver in ("search", "cp-sat"):
        assert solve(one, solver, "first").stop == "satisfied"


TURNING = b"""
name = "turning"
[kinds]
bug = { layer = "bug", facing = ["left", "right"] }
brick = { layer = "solid" }
[symbols]
"." = ""
"<" = "bug:left"
">" = "bug:right"
[design]
place = "brick"
free-of = ["brick", "bug"]
limit = 2
[[physics]]
until = "stable"
bound = 3
rules = "face: bug here, no brick down => turn bug here left"
[goal]
when = "horizon"
win = ["count bug = 2"]
[[level]]
horizon = 1
map = '''
<.<
...
'''
"""


def test_a_firing_that_puts_back_what_it_takes_ends_the_run() -> None:
    """In a loop that is an error, so only the design wins under which no bug turns to where it looks."""
    game, (level,) = read_game(TURNING, "turning.toml")
    one = Instance(game, level)
    found = [tuple(cell for cell, _ in plan.design) for plan in Run(one, "search", "all")]
    assert found == [((1, 0), (1, 2))]


def test_a_plan_of_pushes_that_takes_too_many_turns_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where turns are what it costs there is none then; a plan that just fits is one."""
    one = load("sokoban/first")
    horizon = one.level.horizon or 0

    class Pushing:
        def __init__(self, *given: object) -> None:
            self.turns = horizon + over

        def going(self, *given: object) -> Generator[Plan, None, Found]:
            yield from ()
            return Found(Plan((), ("up",) * self.turns), self.turns, False, 1)

    monkeypatch.setattr(macro, "MacroSearch", Pushing)
    for over in (0, 1):
        found = ended(choice.by_pushes(choice.Asked(one, None, nothing, nothing), "astar"))
        assert found is not None and (found.plan is None, found.cut) == (over == 1, over == 1)


def test_what_is_limited_still_looks_at_the_clock() -> None:
    calls: list[int] = []
    tick = choice.limited(lambda: calls.append(1), 2)
    tick()
    tick()
    assert len(calls) == 2
    with pytest.raises(choice.Enough):
        tick()


def test_a_horizon_holds_for_every_search() -> None:
    one = load("sokoban/crossing")  # 32 turns, or 9 pushes in more than 32
    for horizon, turns in ((31, None), (32, 32), (60, 32)):
        short = replace(one, level=replace(one.level, horizon=horizon))
        for algorithm in ("auto", "plain", "astar", "bfs"):
            found, _ = ended(
                choice.best(
                    choice.Asked(short, one.game.objectives[0], nothing, nothing, algorithm, False, 50)
                )
            )
            assert (found.cut and found.plan is None) if turns is None else found.cost == turns
        pushes = solve(short, "search:astar", objective="pushes")
        assert pushes.objective == solve(short, "search:plain", objective="pushes").objective


def test_search_by_name() -> None:
    for name in ("plain", "bfs", "astar", "ida", "greedy"):
        result = solve(load("sokoban/first"), f"search:{name}", objective="pushes")
        assert result.stop == ("satisfied" if name == "greedy" else "optimal")
        assert name == "greedy" or result.objective == 2
    with pytest.raises(UnknownName, match="dijkstra"):
        solve(load("sokoban/first"), "search:dijkstra")


def test_the_search_that_rules_out_more_goes_on_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(space, "STRETCH", 3)
    for rounds in (0, 1, 5):
        monkeypatch.setattr(shares, "ROUNDS", rounds)
        monkeypatch.setattr(shares, "LATE", 2 * rounds)
        for name, turns in (("psychopath-2/cellar", 18), ("psychopath/two-walls", 15)):
            search = MacroSearch(one := load(name), None, compile_instance(one))
            assert search.best(nothing, "astar", 1 << 30).cost == turns


def test_tables_of_the_simple_form_are_told_from_others() -> None:
    """Both sorts are searched above; here it is seen that there are both."""
    for name, simple in (
        ("psychopath/two-walls", True),
        ("psychopath-2/cellar", False),
        ("sokoban/first", False),
    ):
        search = MacroSearch(one := load(name), None, compile_instance(one))
        if simple:
            run = ArcSearch(search)
            run.most_bytes = 1 << 30
            found = run.go_on()
            assert found is not None and found.cost == 15
        else:
            with pytest.raises(Unfit):
                ArcSearch(search)


def test_memory_grows_up_to_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(space, "FIRST_STATES", 4)
    monkeypatch.setattr(nogoods, "FIRST", 4)
    for name, turns in (("psychopath/two-walls", 15), ("sokoban/crossing", 32)):
        one = load(name)
        search = MacroSearch(one, None, compile_instance(one))
        assert search.best(nothing, "astar", 1 << 30).cost == turns
        with pytest.raises(MemoryError):
            search.best(nothing, "astar", 1)


def test_a_proof_has_the_memory_of_what_is_hasty_when_it_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(space, "FIRST_STATES", 4)
    one = load("sokoban/crossing")
    search = MacroSearch(one, None, compile_instance(one))
    assert search.best(nothing, "astar", 1_500_000).cost == 32  # half of that is too little


def test_pushes_that_come_to_an_end_without_a_win_are_none() -> None:
    """Each crate by itself could get there; in the corridor the second one is out of reach."""
    game = builtin("sokoban")[0]
    board, _ = read_board(["#######", "#@$.$.#", "#######"], symbols_of(game), nowhere)
    one = Instance(game, Level("corridor", board))
    search = MacroSearch(one, None, compile_instance(one))
    stops = iter(range(200))

    def patient() -> None:
        assert next(stops, None) is not None, "it goes on and on"

    assert search.best(patient, "astar", 1 << 30).plan is None


def test_without_the_compiler_search_is_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ggp.transition.native.compiling.usable", lambda: False)
    found, way = ended(
        choice.best(choice.Asked(load("sokoban/first"), None, nothing, nothing, "astar", False, 1))
    )
    assert (found.cost, way) == (6, "one turn at a time")


@pytest.mark.parametrize("name", ["lights-out", "polar-slide", "peg-solitaire", "rush-hour", "boulder-dash"])
def test_other_games_do_not_fit(name: str) -> None:
    one = Instance(builtin(name)[0], builtin(name)[1][0])
    with pytest.raises(Unfit):
        MacroSearch(one, one.game.objectives[0] if one.game.objectives else None, compile_instance(one))


def test_what_can_never_move_is_folded_away() -> None:
    """Four things in a corner, and none of them leaves it: they are walls, whatever the player does."""
    game = builtin("psychopath")[0]
    board, _ = read_board(["@ oo", "  oo", " o E"], symbols_of(game), nowhere)
    one = Instance(game, Level("corner", board))
    tables = MacroSearch(one, None, compile_instance(one)).grounded
    assert {cell for _, cell in tables.certain} == {2, 3, 6, 7}
    assert tables.open and not {cell for _, cell in tables.open} & {2, 3, 6, 7}


def test_the_short_way_through_a_pass_is_the_kernels() -> None:
    """Random rules, random inputs: the same boards, the same moves, the same errors."""
    tried = 0
    for seed in range(60):
        one = random_instance(seed)
        if one is None or one.game.input is None or one.game.design is not None:
            continue
        transition, rng = compile_instance(one), Random(seed)
        short, long = Bits(transition), Bits(transition)
        boards = short.pack(initial_state(one))
        actions = [action for action in all_actions(one) if action.cell is None]
        for _ in range(12 if actions else 0):
            action = rng.choice(actions)
            tried += 1
            ours, theirs = outcome(short, boards, action), by_kernel(long, boards, action)
            assert ours == theirs
            if isinstance(theirs, str):
                break
            boards = theirs[0]
    assert tried > 100


def outcome(bits: Bits, boards: tuple[int, ...], action: Action) -> object:
    try:
        return bits.step(boards, input_words(action)), sorted(move for move in bits.moves if move[1])
    except IllFormed as error:
        return str(error)


def by_kernel(
    bits: Bits, boards: tuple[int, ...], action: Action
) -> tuple[tuple[int, ...], list[object]] | str:
    bits.moves = []
    program = given(bits.transition.turn + bits.transition.physics, input_words(action))
    try:
        return clear_markers(bits, run_program(bits, program, boards)), sorted(
            move for move in bits.moves if move[1]
        )
    except IllFormed as error:
        return str(error)
