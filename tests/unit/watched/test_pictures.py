"""Games that show nothing but pictures: tiles are told apart by their pixels, and rules are learned."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import numpy as np
import pytest

import ggp
from ggp.errors import PuzzleError
from ggp.learn.boards import Board, Episode, Step, board_of
from ggp.learn.whole import learn_whole
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld
from ggp.watch.environments import GymWorld
from ggp.watch.overlaid import taken_apart
from ggp.watch.tiles import Tiles, one_thing_a_cell
from tests.slow import more_of
from tests.unit.learn import test_blind


class Painted:
    """Levels of a described game as pictures: for all that may stand in a cell a tile of pixels at random.

    A seed chooses the level. `size` is that of a tile: high, wide.
    """

    def __init__(self, levels: tuple[str, ...], size: tuple[int, int], channels: int = 3) -> None:
        self.envs = [ggp.env(level, observations="planes") for level in levels]
        self.size, self.channels = size, channels
        self.pixels = np.random.default_rng(7)
        self.tiles: dict[bytes, Any] = {}
        self.action_space = self.envs[0].action_space
        self.now: Any = None

    def reset(self, seed: int) -> tuple[Any, dict[str, object]]:
        self.env = self.envs[seed % len(self.envs)]
        self.now, _ = self.env.reset(seed=seed)
        return self.picture(), {}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, object]]:
        self.now, reward, ended, cut, _ = self.env.step(action)
        return self.picture(), reward, ended, cut, {}

    def picture(self) -> Any:
        """What the board looks like."""
        _, height, width = self.now.shape
        rows = [[self.tile(self.now[:, row, column]) for column in range(width)] for row in range(height)]
        return np.concatenate([np.concatenate(row, axis=1) for row in rows])

    def tile(self, cell: Any) -> Any:
        """The tile of what stands in a cell: a few colours, as tiles have."""
        key = cell.tobytes()
        if key not in self.tiles:
            colours = self.pixels.integers(0, 256, (4, self.channels), dtype=np.uint8)
            self.tiles[key] = colours[self.pixels.integers(0, 4, self.size)]
        return self.tiles[key]

    def truth(self) -> list[bytes]:
        """What stands in the cells, row by row."""
        _, height, width = self.now.shape
        return [self.now[:, row, column].tobytes() for row in range(height) for column in range(width)]


SOKOBAN = ("sokoban/first", "sokoban/corner", "sokoban/two-crates")


@pytest.mark.parametrize(
    ("size", "channels"), [((8, 8), 1), ((5, 5), 3), ((16, 16), 4), ((6, 9), 3), ((12, 4), 3)]
)
def test_tiles_are_found_whatever_their_size(size: tuple[int, int], channels: int) -> None:
    env = Painted(SOKOBAN, size, channels)
    world = GymWorld(env, "painted", tried=0)
    world.levels()
    assert world.tiles is not None and world.tiles.size == size
    named: dict[bytes, frozenset[str]] = {}
    rng = random.Random(3)
    env.reset(seed=0)
    for _ in range(30):
        board = world.board(env.picture())
        for cell, truth in zip(board.cells, env.truth(), strict=True):
            assert named.setdefault(truth, cell) == cell
        if any(env.step(rng.randrange(4))[2:4]):
            env.reset(seed=0)
    assert len(set(named.values())) == len(named) >= 5, "what differs has names that differ"


def test_tiles_keep_their_names() -> None:
    """Whoever asks again where the game begins, such as a trial, sees tiles by the names that they had."""
    env = Painted(SOKOBAN, (8, 8))
    world = GymWorld(env, "painted", seeds=3, tried=0)
    first = world.levels()
    walked = random.Random(5)
    env.reset(seed=0)
    for _ in range(40):
        over = any(env.step(walked.randrange(4))[2:4])
        world.board(env.picture())
        if over:
            env.reset(seed=0)
    names = dict(world.tiles.names) if world.tiles is not None else {}
    assert world.levels() == first and world.tiles is not None and world.tiles.names == names
    assert len(names) > len({token for board in first for cell in board.cells for token in cell})


def test_a_tile_that_shows_two_things_is_taken_apart() -> None:
    """The player on a target, and a crate on one, are tiles of their own."""
    env = Painted(SOKOBAN[:1], (4, 4), 1)
    world = GymWorld(env, "painted", seeds=1, tried=60)
    world.levels()
    named: dict[bytes, frozenset[str]] = {}
    rng = random.Random(4)
    for run in range(20):
        env.reset(seed=run)
        while not any(env.step(rng.randrange(4))[2:4]) and rng.random() < 0.95:
            named.update(zip(env.truth(), world.board(env.picture()).cells, strict=True))
    ones = {bytes(key): stack for key, stack in named.items() if sum(key) <= 1}
    both = {key: stack for key, stack in named.items() if sum(key) == 2}
    assert both and world.shows
    for key, stack in both.items():
        parts = [ones[one] for one in ones if 0 < sum(one) == sum(map(min, one, key))]
        assert len(parts) == 2 and stack == parts[0] | parts[1] and len(stack) == 2


def test_gates_that_open_as_somebody_comes_to_a_plate_are_gates() -> None:
    """With each step onto a plate a player goes, a gate opens, and one on a plate comes: that is a player."""
    rows = ["#######", "#p.o.g#", "#...o.#", "#######"]
    kinds = {"#": "#", ".": "", "p": "p", "o": "o", "g": "g"}
    start = board_of([[[kinds[x]] if kinds[x] else [] for x in row] for row in rows])
    rng, at, boards = random.Random(1), 8, [start]
    steps = {"up": -7, "right": 1, "down": 7, "left": -1}
    words = []
    for _ in range(120):
        word = rng.choice(sorted(steps))
        to, cells = at + steps[word], list(boards[-1].cells)
        if not start.cells[to] or start.cells[to] <= {"o", "p"}:
            cells[at] = frozenset({"o"}) & start.cells[at]
            cells[to] = frozenset({"p-on-o" if "o" in start.cells[to] else "p"})
            cells[12] = frozenset({"open" if "o" in start.cells[to] else "g"})
            at = to
        words.append(word)
        boards.append(Board(4, 7, tuple(cells)))
    run = Episode(start, tuple(Step(*pair) for pair in zip(words, boards[1:], strict=True)))
    assert taken_apart([run]) == {"p-on-o": {"p", "o"}, "p": {"p"}}


@more_of(
    test_tiles_are_found_whatever_their_size,
    test_tiles_keep_their_names,
    test_blind.test_described_games_are_learned_exactly,
)
def test_rules_are_learned_from_pictures_alone() -> None:
    """Sokoban, held against fresh play in the same tiles; buttons are called by the way that they go."""
    world = GymWorld(Painted(SOKOBAN, (8, 8)), "painted", seeds=3, tried=60)
    learned = learn_whole(list(islice(rollouts(world, random.Random(3), turns=20), 10)), world.name)
    again, toward = DescribedWorld(learned.game, (), go_on=True), learned.structure.toward
    assert set(toward.values()) == {"up", "right", "down", "left"}
    turns = 0
    for run in islice(rollouts(world, random.Random(2), turns=20), 11):
        (same,) = again.play([(run.start, [toward[str(step.word)] for step in run.steps])])
        assert same is not None
        assert [step.after for step in same.steps] == [step.after for step in run.steps]
        turns += len(run.steps)
    assert turns > 150 and len({step.after for step in run.steps}) > 1


def test_a_grid_of_codes_is_no_picture() -> None:
    """Three planes of 8 bits, as some environments have, but no tiles of more than a cell."""

    class Codes:
        action_space = Painted(SOKOBAN[:1], (1, 1)).action_space

        def __init__(self, least: int) -> None:
            self.rng, self.least = np.random.default_rng(1), least

        def grid(self) -> Any:
            return self.rng.integers(self.least, 5, (7, 7, 3), dtype=np.uint8)

        def reset(self, seed: int) -> tuple[Any, dict[str, object]]:
            return self.grid(), {}

        def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, object]]:
            return self.grid(), 0.0, False, False, {}

    world = GymWorld(Codes(0), "codes", seeds=4)
    assert all(board.height == board.width == 7 for board in world.levels()) and world.tiles is None
    world = GymWorld(Codes(1), "one thing a cell", seeds=4)
    names = {name for board in world.levels() for stack in board.cells for name in stack}
    assert all(name.startswith("code-") for name in names)


def test_photographs_are_refused() -> None:
    pixels = np.random.default_rng(1).integers(0, 256, (601, 601, 3), dtype=np.uint8)
    with pytest.raises(PuzzleError, match="601 by 601 pixels in tiles of 1 by 1") as error:
        Tiles([[pixels]]).board(pixels, "a camera")
    assert "at most 200" in str(error.value)


def test_an_empty_cell_looks_like_the_tunnel_and_not_like_who_digs_it() -> None:
    """Who digs comes and goes with each step; the tunnel comes with most, and stays."""
    tiles = dict(
        zip("@d.", np.random.default_rng(1).integers(0, 256, (3, 4, 4, 1), dtype=np.uint8), strict=True)
    )
    boards = ["..@ddddd", "...@dddd", "....@ddd", ".....@dd"]
    run = [np.concatenate([tiles[sign] for sign in board], axis=1) for board in boards]
    found = Tiles([run])
    assert found.size == (4, 4)
    assert found.empty == tiles["."].tobytes()


def test_planes_of_codes_are_no_picture() -> None:
    """As many environments show a grid: three numbers a cell, for what it is, its colour and its state."""
    rng, runs = np.random.default_rng(2), []
    for _ in range(8):
        board = np.zeros((8, 8, 3), np.uint8)
        board[[0, -1]], board[:, [0, -1]] = (2, 5, 0), (2, 5, 0)
        run = []
        for row, column, way in rng.integers(1, 7, (8, 3)):
            now = board.copy()
            now[row, column] = (10, 0, way % 4)
            run.append(now)
        runs.append(run)
    found = Tiles(runs)
    assert found.size == (1, 1) and one_thing_a_cell(runs[0])
    assert {name for cell in found.board(board, "room").cells for name in cell} == {"code-2-5-0"}
    layers = np.zeros((8, 8, 3), np.uint8)
    layers[0, :, 0], layers[3, 3, 1] = 2, 1
    assert not one_thing_a_cell([layers]), "a plane for each kind"
    assert Tiles([[np.uint8(20) * one for one in run] for run in runs]).size != (1, 1)
