"""A push, and rules that go on until they find nothing more: what no turn ends with tells them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from ggp.bench.watched import differing
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Board, Episode, Stack, Step, Turn, board_of, turns_of
from ggp.learn.fit.program import Program
from ggp.learn.fit.toil import account
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.evidence.resting import NOTHING, Rewrite, Site, rewrites
from ggp.learn.turn.in_parts.settled import learn_settled, settling, shapes
from ggp.learn.whole import explained
from ggp.model import DIRECTIONS, OFFSETS
from ggp.watch.described import DescribedWorld
from tests.slow import slow_unless

Rows = list[list[str]]
HEIGHT, WIDTH = 7, 7


def pushed(rows: Rows, word: str) -> Rows:
    """The board after the player steps, and pushes one gem."""
    down, right = OFFSETS[word]
    row, column = next((r, c) for r in range(HEIGHT) for c in range(WIDTH) if rows[r][c] == "P")
    ahead, beyond = ((row + n * down, column + n * right) for n in (1, 2))
    rows = [list(line) for line in rows]
    if rows[ahead[0]][ahead[1]] == "o" and rows[beyond[0]][beyond[1]] == ".":
        rows[beyond[0]][beyond[1]], rows[ahead[0]][ahead[1]] = "o", "."
    if rows[ahead[0]][ahead[1]] == ".":
        rows[ahead[0]][ahead[1]], rows[row][column] = "P", "."
    return rows


def in_threes(rows: Rows) -> Rows:
    """The board without three gems in a line, columns first, and of four the first three."""
    rows = [list(line) for line in rows]
    for down, right in (OFFSETS["down"], OFFSETS["right"]):
        for row in range(HEIGHT):
            for column in range(WIDTH):
                line = [(row + n * down, column + n * right) for n in range(3)]
                if all(r < HEIGHT and c < WIDTH and rows[r][c] == "o" for r, c in line):
                    for r, c in line:
                        rows[r][c] = "."
    return rows


def around_middles(rows: Rows) -> Rows:
    """The board without three gems in a line, all at once; in the middle of two the row alone counts."""
    gems = {(r, c) for r, line in enumerate(rows) for c, char in enumerate(line) if char == "o"}
    gone = set[tuple[int, int]]()
    for row, column in gems:
        across, along = {(row, column - 1), (row, column + 1)}, {(row - 1, column), (row + 1, column)}
        line = next((one for one in (across, along) if one <= gems), None)
        gone |= {(row, column), *line} if line is not None else set()
    return [["." if (r, c) in gone else char for c, char in enumerate(line)] for r, line in enumerate(rows)]


def fallen(rows: Rows) -> Rows:
    """The board after all gems have fallen as far as they can."""
    rows = [list(line) for line in rows]
    for row in range(HEIGHT - 2, -1, -1):
        for column in range(WIDTH):
            if rows[row][column] == "o":
                to = next(r for r in range(row, HEIGHT) if rows[r + 1][column] != ".")
                rows[row][column], rows[to][column] = ".", "o"
    return rows


def left_hanging(rows: Rows) -> Rows:
    """The board after all gems have fallen, onto the player, too, and then the player from below them."""
    rows = fallen(rows)
    row, column = next((r, c) for r in range(HEIGHT) for c in range(WIDTH) if rows[r][c] == "P")
    to = next(r for r in range(row, HEIGHT) if rows[r + 1][column] != ".")
    rows[row][column] = "."
    rows[to][column] = "P"
    return rows


def soaked(rows: Rows) -> Rows:
    """The board after salt has run through all gems that touch it; stones beside salt are gone then."""
    rows = [list(line) for line in rows]
    for dry, wet in (("o", "+"), ("s", ".")):
        salt = [(r, c) for r, line in enumerate(rows) for c, char in enumerate(line) if char == "+"]
        for row, column in salt:  # which grows
            for down, right in OFFSETS.values():
                if rows[row + down][column + right] == dry:
                    rows[row + down][column + right] = wet
                    if wet == "+":
                        salt.append((row + down, column + right))
    return rows


def taken(rows: Rows) -> Rows:
    """The board after all gems have fallen, onto salt, too, and those on salt are gone."""
    salt = {(r, c) for r, line in enumerate(rows) for c, char in enumerate(line) if char == "+"}
    rows = [list(line) for line in rows]
    for row, column in salt:
        rows[row][column] = "."
    rows = fallen(rows)
    for row, column in salt:
        rows[row][column] = "+"
    return rows


def dissolved(rows: Rows) -> Rows:
    """The board after gems are gone with salt beside them, way by way; then others dissolve stones."""
    rows = [list(line) for line in rows]
    for other, stays in (("+", "."), ("s", "o")):
        for down, right in (OFFSETS[way] for way in ("up", "down", "left", "right")):
            for row in range(1, HEIGHT - 1):
                for column in range(1, WIDTH - 1):
                    if rows[row][column] == "o" and rows[row + down][column + right] == other:
                        rows[row][column], rows[row + down][column + right] = stays, "."
    return rows


def board(rows: Rows) -> Board:
    """The board as learners see it."""
    names = {".": [], "#": ["wall"], "P": ["player"], "o": ["gem"], "+": ["salt"], "s": ["stone"]}
    return board_of([[names[char] for char in line] for line in rows])


def runs(comes: Callable[[Rows], Rows], number: int, seed: int) -> Iterator[Episode]:
    """Random play: a push, and what comes of it."""
    rng = random.Random(seed)
    there = {dissolved: "......o+s", soaked: "....oo+s", taken: ".....oo+"}.get(comes, "...oo")
    for _ in range(number):
        rows = [
            ["#" if {r, c} & {0, HEIGHT - 1} else rng.choice(there) for c in range(WIDTH)]
            for r in range(HEIGHT)
        ]
        rows[rng.randrange(1, HEIGHT - 1)][rng.randrange(1, WIDTH - 1)] = "P"
        rows = comes(rows) if comes is soaked else rows
        start, steps = rows, []
        for word in rng.choices(DIRECTIONS, k=8):
            rows = comes(pushed(rows, word))
            steps.append(Step(word, board(rows)))
        yield Episode(board(start), tuple(steps))


@cache
def learned(comes: Callable[[Rows], Rows]) -> DescribedWorld:
    """The description that is written of the rules, read again."""
    episodes = tuple(runs(comes, 40, 1))
    turns = list(dict.fromkeys(turns_of(episodes)))
    program = learn_settled(turns, structure_of(turns))
    whole = explained(episodes, "settled", lambda *_: program)
    return DescribedWorld(*read_game(write_game(whole.game, whole.levels).encode(), "settled.toml"))


@pytest.mark.parametrize(
    "comes",
    slow_unless(
        [around_middles, fallen],
        [in_threes, around_middles, fallen, left_hanging, soaked, dissolved, taken],
    ),
)
def test_what_is_written_plays_as_what_was_seen(comes: Callable[[Rows], Rows]) -> None:
    """Fresh play, which has four in a row, corners, gems between salt and a stone, or above salt in it."""
    world = learned(comes)
    compared = differing(world, runs(comes, 80, 2), 400, 60.0)
    assert compared.turns >= 400
    assert compared.wrong == 0


@pytest.mark.parametrize(("middle", "number"), [(NOTHING, 1), (frozenset({"gem"}), 3)])
def test_only_a_rule_with_something_in_its_middle_is_tried_around_it(middle: Stack, number: int) -> None:
    """Two gems that are gone with any cell between them have no middle to look from."""
    gone, turns = frozenset({"gem"}), list(turns_of(runs(in_threes, 2, 1)))
    sites = (Site(gone, gone), Site(middle, middle), Site(gone, gone))
    rule = Rewrite(sites, ("down", "right"))
    found = [one for one in shapes([rule], structure_of(turns)) if isinstance(one, Program)]
    assert len(found) == number


def test_looking_for_rules_counts_each_board_and_each_rule_once() -> None:
    """Of a game with doors and keys two minutes were spent on it, of which next to nothing was counted."""
    ends = [board_of([[["a"], [], ["b"], [f"wall-{n}"]]]) for n in range(9)]
    pair = (board_of([[["a"], ["c"], ["b"], []]]), board_of([[["a"], ["d"], ["b"], []]]))
    structure = structure_of([Turn(pair[0], None, pair[1]), *(Turn(end, None, end) for end in ends)])
    with account() as once:
        found = rewrites([pair], ends, structure)
    with account() as again:
        assert rewrites([pair] * 9, ends, structure) == found
    assert once.work > 30 * len(ends) and again.work == once.work


def test_of_rules_that_explain_as_much_the_one_is_taken_that_leaves_most_ends_at_rest() -> None:
    """Three gems on salt are gone; that three on bare ground stay one end alone shows."""

    def line(text: str) -> Board:
        names = {"o": ["gem"], "+": ["salt"], "O": ["gem", "salt"], ".": []}
        return board_of([[names[char] for char in text]])

    changed = [Turn(line(f"{end}OOO"), None, line(f"{end}+++")) for end in (".", "+")]
    others = (line(f"o{number:05b}".replace("0", ".").replace("1", "+")) for number in range(20))
    turns = [*changed, *(Turn(one, None, one) for one in (line(".ooo"), *others))]
    rules = settling(turns, [[turn.before] for turn in turns], structure_of(turns), 1)
    assert rules is not None and not any(map(rules.wrong, turns))
