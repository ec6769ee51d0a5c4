"""Pens: what they leave out loses no best plan, wherever pieces stand and whatever pushes do."""

from __future__ import annotations

from random import Random

import pytest

from ggp.language.description import read_game
from ggp.language.maps import read_board, symbols_of
from ggp.model import Game, Instance, Level
from ggp.referee.semantics import initial_state, legal_actions, step
from ggp.search.moving import Found
from ggp.search.push.compiled.best import EXPANDED
from ggp.search.push.corrals import room_for
from ggp.search.push.macro import MacroSearch
from ggp.search.push.runs.best_first import BestFirst
from ggp.search.push.runs.hasty import Hasty
from ggp.transition.compiler import compile_instance
from tests.slow import few_or_many
from tests.unit.search.test_search import nowhere

GAME = """
name = "crates"
[kinds]
wall = {{ layer = "solid" }}
red = {{ layer = "solid" }}
blue = {{ layer = "solid" }}
me = {{ layer = "solid", count = "1" }}
home = {{ layer = "floor" }}
[classes]
blocker = ["wall", "red", "blue"]
crate = ["red", "blue"]
[symbols]
" " = ""
"#" = "wall"
"r" = "red"
"b" = "blue"
"." = "home"
"@" = "me"
"*" = "red home"
"+" = "blue home"
"&" = "me home"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = '''
{push}
step: me here, no blocker ahead => me here -> ahead
'''
[goal]
win = ["{win}"]
[objectives]
pushes = "moves crate"
turns = "turns"
"""
ROOM = "no blocker ahead.ahead"
AFTER = "crate ahead -> ahead.ahead, me here -> ahead"
PUSHES = {
    "push": f"push: me here, crate ahead, {ROOM} => {AFTER}",
    "far": f"far: me here, crate ahead, {ROOM}, {ROOM}.ahead => "
    + AFTER.replace("ahead.ahead", "ahead.ahead.ahead"),
    "shove": f"shove: me here, crate ahead, {ROOM} => crate ahead -> ahead.ahead",
    "swap": f"a: me here, red ahead, {ROOM} => {AFTER.replace('crate', 'red')}\n"
    "b: me here, blue ahead => blue ahead -> here, me here -> ahead",
}
WINS = ("every crate on home", "every red on home")


def carved(rng: Random) -> list[tuple[int, int]]:
    """Cells of a cave, in any order."""
    at, floor = (3, 4), {(3, 4)}
    while len(floor) < 18:
        row, column = rng.choice(((0, 1), (1, 0), (0, -1), (-1, 0)))
        at = min(6, max(0, at[0] + row)), min(8, max(0, at[1] + column))
        floor.add(at)
    return rng.sample(sorted(floor), len(floor))


def level(game: Game, drawing: dict[tuple[int, int], str]) -> Instance:
    """A level of what stands in the cave."""
    lines = ["".join(drawing.get((row, column), "#") for column in range(9)) for row in range(7)]
    return Instance(game, Level("cave", read_board(lines, symbols_of(game), nowhere)[0]))


def random_level(game: Game, rng: Random) -> Instance:
    """Crates in a cave, and homes where a random run brought them, or but one of them."""
    cells = carved(rng)
    drawing = dict.fromkeys(cells, " ") | dict(zip(cells, "@" + "rrrrb"[rng.randint(0, 2) :], strict=False))
    one = level(game, drawing)
    state = initial_state(one)
    for _ in range(40):
        if moves := legal_actions(one, state):  # where pushes do not take the agent along it may be walled in
            state = step(one, state, rng.choice(moves))
    homes = [
        divmod(index, 9)
        for index, here in enumerate(state.board)
        if {piece.kind for piece in here} & {"red", "blue"}
    ]
    if rng.random() < 0.5:
        homes[0] = rng.choice(cells)
    for cell in homes:
        drawing[cell] = {" ": ".", "r": "*", "b": "+", "@": "&"}.get(drawing[cell], drawing[cell])
    return level(game, drawing)


def answer(search: MacroSearch) -> tuple[Found, int]:
    """The answer by pushes, and how many states were gone on from."""
    run = BestFirst(search, search.settings((1, 1), False))
    run.most_bytes = 1 << 30
    while True:
        found = run.go_on()
        if found is not None:
            return found, int(run.space.counts[EXPANDED])


@few_or_many("levels", 12, 200)
@pytest.mark.parametrize("push", PUSHES)
def test_answers_are_the_same_without_pens(push: str, levels: int) -> None:
    games = [read_game(GAME.format(push=PUSHES[push], win=win).encode(), "crates.toml")[0] for win in WINS]
    rng, solved, penned = Random(push), 0, 0
    for number in range(levels):
        game = games[number % 2]
        one = random_level(game, rng)
        search = MacroSearch(one, game.objectives[0], compile_instance(one))
        with_pens, fewer = answer(search)
        penned += bool(len(search.pens.bars))
        search.pens = room_for(search.words.size, 0, 0)
        without, more = answer(search)
        assert (with_pens.plan is None, with_pens.cost) == (without.plan is None, without.cost)
        assert fewer <= 2 * more + 10
        solved += without.plan is not None
    assert 0 < solved < levels and penned > levels // 5


def test_a_place_that_crates_bar_is_looked_into_first() -> None:
    """Two crates in the mouth of a room whose third has to come out; elsewhere there are many more ways."""
    rows = ["########", "#.     #", "# . r  #", "#.  @  #", "###rr###", "#  r  ##", "#.    ##", "########"]
    game = read_game(GAME.format(push=PUSHES["push"], win=WINS[0]).encode(), "crates.toml")[0]
    one = Instance(game, Level("room", read_board(rows, symbols_of(game), nowhere)[0]))
    search = MacroSearch(one, game.objectives[0], compile_instance(one))
    with_pens, fewer = answer(search)
    search.pens = room_for(search.words.size, 0, 0)
    without, more = answer(search)
    assert (with_pens.plan is None, with_pens.cost) == (without.plan is None, without.cost)
    assert fewer < more


def test_a_plan_comes_sooner_than_the_best_one() -> None:
    """By turns: first what does not count the walks, then better ones, at last that there is none."""
    game = read_game(GAME.format(push=PUSHES["push"], win=WINS[0]).encode(), "crates.toml")[0]
    rng, plans = Random(2), 0
    for _ in range(8):
        one = random_level(game, rng)
        search = MacroSearch(one, game.objectives[1], compile_instance(one))
        best = search.best(lambda: None, "astar", 1 << 30)
        hasty = Hasty(search, search.weighted)
        hasty.most_bytes = 1 << 30
        costs = []
        while not hasty.full:
            found = hasty.go_on()
            if found is not None and found.plan is not None:
                assert found.cost == len(found.plan.actions)
                costs.append(found.cost)
        assert costs == sorted(costs, reverse=True)
        assert (costs[-1:] == [best.cost]) if best.plan is not None else not costs
        assert best.plan is None or hasty.ruled_out == best.cost
        plans += len(costs)
    assert plans > 3
