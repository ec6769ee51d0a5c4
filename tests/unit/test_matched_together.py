"""Goals about several kinds: their bounds add up, and stay below what going through all boards finds."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from ggp import api
from ggp.language.description import read_game
from ggp.model import Instance
from ggp.search.push.compiled.match import cheapest
from ggp.search.push.problem import Problem
from ggp.transition.compiler import compile_instance
from tests.exhaustive import fewest_turns

HEAD = """
name = "{name}"

[kinds]
{kinds}
agent = {{ layer = "solid", tile = "person", count = "1" }}
wall = {{ layer = "solid", tile = "wall" }}

[classes]
tile = [{names}]
blocker = ["tile", "wall"]

[symbols]
{symbols}

[input]
moves = ["up", "right", "down", "left"]

[[turn]]
rules = '''
{rules}
'''

[goal]
win = [{goal}]

[objectives]
turns = "turns"

[[level]]
map = '''
{rows}
'''
"""
SLIDE = "slide: agent here, tile ahead => agent here -> ahead, tile ahead -> here"
PUSH = """
push: agent here, tile ahead, no blocker ahead.ahead => tile ahead -> ahead.ahead, agent here -> ahead
step: agent here, no blocker ahead                   => agent here -> ahead
"""


def level(cells: list[list[str]], tiles: int, rules: str) -> Instance:
    """A level of numbered tiles that belong on places of their numbers; cells are what stands there."""
    words = sorted({cell for row in cells for cell in row})
    letter = {word: chr(ord("A") + number) for number, word in enumerate(words)}
    kinds = [f't{one} = {{ layer = "solid", tile = "crate" }}' for one in range(tiles)]
    kinds += [f'p{one} = {{ layer = "floor", tile = "target" }}' for one in range(tiles)]
    text = HEAD.format(
        name="tiles",
        kinds="\n".join(kinds),
        names=", ".join(f'"t{one}"' for one in range(tiles)),
        symbols="\n".join(f'"{letter[word]}" = "{word}"' for word in words),
        rules=rules,
        goal=", ".join(f'"every t{one} on p{one}"' for one in range(tiles)),
        rows="\n".join("".join(letter[cell] for cell in row) for row in cells),
    )
    game, (one,) = read_game(text.encode(), "tiles.toml")
    return Instance(game, one)


def sliding(seed: int, rows: int, columns: int) -> Instance:
    """A board full of tiles but for the agent's cell, in any order."""
    order = list(range(rows * columns))
    Random(seed).shuffle(order)
    last = rows * columns - 1
    cells = [
        f"{'agent' if one == last else f't{one}'}{f' p{cell}' if cell < last else ''}"
        for cell, one in enumerate(order)
    ]
    return level([cells[row * columns : (row + 1) * columns] for row in range(rows)], last, SLIDE)


def pushing(seed: int) -> Instance:
    """Two tiles of two kinds, and a wall, that an agent pushes."""
    luck, cells = Random(seed), [[""] * 4 for _ in range(4)]
    inner = [(row, column) for row in (1, 2) for column in (1, 2)]
    (agent, wall), tiles = luck.sample([(0, 0), (0, 3), (3, 0), (3, 2)], 2), luck.sample(inner, 2)
    for word, (row, column) in zip(("agent", "wall", "t0", "t1"), (agent, wall, *tiles), strict=True):
        cells[row][column] = word
    free = [(row, column) for row in range(4) for column in range(4) if (row, column) != wall]
    for word, (row, column) in zip(("p0", "p1"), luck.sample(free, 2), strict=True):
        cells[row][column] = f"{cells[row][column]} {word}".strip()
    return level(cells, 2, PUSH)


def bound(instance: Instance) -> int:
    """What no plan has fewer turns than, by the matching alone."""
    problem = Problem(instance, instance.game.objectives[0], compile_instance(instance))
    assert problem.matched
    node = np.int32(problem.node)  # as the search asks: of another type it would be compiled anew
    return int(cheapest(problem.match, problem.words, node))


@pytest.mark.parametrize("seed", range(4))
def test_tiles_that_slide(seed: int) -> None:
    instance = sliding(seed, 2, 3)
    least, result = fewest_turns(instance), api.solve(instance, "search:astar")
    if least is None:
        assert result.stop == "unsolvable"
    else:
        assert (result.stop, result.objective) == ("optimal", least)
        assert bound(instance) <= least


def test_crates_of_two_kinds() -> None:
    won = 0
    for seed in range(4):
        instance = pushing(seed)
        least, result = fewest_turns(instance), api.solve(instance, "search:astar")
        if least is None:
            assert result.stop == "unsolvable", seed
            continue
        won += 1
        assert (result.stop, result.objective) == ("optimal", least), seed
        assert bound(instance) <= least
    assert won > 1


def test_bounds_of_several_terms_add_up() -> None:
    """Tiles in their reverse order are sixteen cells away from where they belong, all together."""
    rows = [["t7 p0", "t6 p1", "t5 p2"], ["t4 p3", "t3 p4", "t2 p5"], ["t1 p6", "t0 p7", "agent"]]
    assert bound(level(rows, 8, SLIDE)) == 16
