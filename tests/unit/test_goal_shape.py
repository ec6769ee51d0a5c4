"""`somewhere` and `nowhere`, held against plain Python that knows nothing of pictures."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random

import pytest

from ggp import api
from ggp.errors import DescriptionError
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.model import Instance, Piece
from ggp.model.board import State, height, width
from ggp.transition.batch import Batch
from ggp.transition.bits import Bits, Named
from ggp.transition.compiler import compile_instance

GAME = """
name = "shapes"
WRAPS
[kinds]
wall = { layer = "solid" }
man = { layer = "solid", facing = ["up", "right", "down", "left"] }
digit = { layer = "digit", values = [1, 3] }
[classes]
thing = ["wall", "man"]
[symbols]
"." = ""
"#" = "wall"
"^" = "man:up"
"v" = "man:down"
"123" = "digit:1.."
[design]
place = "digit"
free-of = ["digit", "wall"]
fill = true
[goal]
win = ["SENTENCE"]
[[level]]
horizon = 0
map = '''
MAP
'''
[level.patterns]
corner = '''
#.
##
'''
"""
Grid = dict[tuple[int, int], set[Piece]]
Judge = Callable[[Grid, int, int], bool]


def game_of(sentence: str, rows: str = ".....\n.....\n.....\n.....", *, wraps: bool = False) -> Instance:
    text = GAME.replace("SENTENCE", sentence).replace("MAP", rows)
    game, (level,) = read_game(text.replace("WRAPS", "wraps = true" if wraps else "").encode(), "g.toml")
    return Instance(game, level)


def kinds(grid: Grid, row: int, column: int) -> set[str]:
    return {piece.kind for piece in grid.get((row, column), set())}


def digits(grid: Grid, row: int, column: int) -> set[Piece]:
    return {piece for piece in grid.get((row, column), set()) if piece.kind == "digit"}


KNIGHT = [(a, b) for a, b in product((-2, -1, 1, 2), repeat=2) if abs(a) != abs(b)]
# A sentence, and whether its picture lies on a cell, on a board that does not wrap.
SENTENCES: dict[str, Judge] = {
    "wall here, wall right": lambda g, r, c: "wall" in kinds(g, r, c) & kinds(g, r, c + 1),
    "wall here, no wall left, outside up": lambda g, r, c: (
        "wall" in kinds(g, r, c) and "wall" not in kinds(g, r, c - 1) and r == 0
    ),
    "no thing here, no digit here": lambda g, r, c: not g[r, c],
    "no wall left.left.left.left, inside left.left.left.left": lambda g, r, c: (
        (r, c - 4) in g and "wall" not in kinds(g, r, c - 4)
    ),
    "$digit here, $digit down.down.down": lambda g, r, c: bool(digits(g, r, c) & digits(g, r + 3, c)),
    "$digit here, digit right, no $digit right": lambda g, r, c: (
        bool(digits(g, r, c)) and bool(digits(g, r, c + 1)) and digits(g, r, c) != digits(g, r, c + 1)
    ),
    "toward any: man:ahead here, wall ahead": lambda g, r, c: any(
        Piece("man", facing) in g[r, c] and "wall" in kinds(g, r + down, c + right)
        for facing, down, right in (("up", -1, 0), ("right", 0, 1), ("down", 1, 0), ("left", 0, -1))
    ),
    "toward up right: $thing ahead, digit:2 here": lambda g, r, c: (
        Piece("digit", 2) in g[r, c] and bool({"wall", "man"} & (kinds(g, r - 1, c) | kinds(g, r, c + 1)))
    ),
    "corner of wall": lambda g, r, c: all(
        "wall" in kinds(g, r + a, c + b) for a, b in ((0, 0), (1, 0), (1, 1))
    ),
    "toward any: $digit here, $digit ahead.ahead.rightward": lambda g, r, c: any(
        digits(g, r, c) & digits(g, r + a, c + b) for a, b in ((-2, 1), (1, 2), (2, -1), (-1, -2))
    ),
}


def boards(one: Instance, rng: Random) -> list[State]:
    """Boards from nearly empty to full."""
    found = []
    for _ in range(60):
        density = rng.random()
        cells = []
        for _ in range(height(one) * width(one)):
            solid = [Piece("wall"), Piece("man", rng.choice(["up", "right", "down", "left"]))]
            here = {rng.choice(solid)} if rng.random() < density else set()
            here |= {Piece("digit", rng.randint(1, 3))} if rng.random() < density else set()
            cells.append(frozenset(here))
        found.append(State(tuple(cells)))
    return found


@pytest.mark.parametrize("sentence", SENTENCES)
@pytest.mark.parametrize("where", ["somewhere", "nowhere"])
def test_a_picture_is_found_where_plain_python_finds_it(where: str, sentence: str) -> None:
    one = game_of(f"{where} {sentence}")
    (term,), judge = one.game.goal.terms, SENTENCES[sentence]
    states, columns = boards(one, Random(sentence)), width(one)
    transition = compile_instance(one)
    bits, view = Bits(transition), Named(one, transition)
    batch = Batch(transition, len(states))
    truths = term.test(batch, Named(one, transition, batch.pack(states)))
    expected = []
    for index, state in enumerate(states):
        grid = {divmod(cell, columns): set(here) for cell, here in enumerate(state.board)}
        expected.append(any(judge(grid, *cell) for cell in grid) == (where == "somewhere"))
        assert term.holds(one, state) == expected[-1]
        view.boards = bits.pack(state)
        assert term.test(bits, view) == expected[-1]
        assert bool(truths[index // 64] >> index % 64 & 1) == expected[-1]
    assert len(set(expected)) == 2, "boards that are all alike test nothing"


@pytest.mark.parametrize(
    ("sentence", "holds"),
    [
        ("somewhere wall here, wall right", True),
        ("somewhere wall here, wall right.right", False),
        ("somewhere wall here, wall down.down", True),
        ("somewhere outside left", False),
        ("nowhere inside up.left", False),
    ],
)
def test_a_board_that_wraps_has_no_outside(sentence: str, holds: bool) -> None:
    one = game_of(sentence, "#..#\n....", wraps=True)
    (term,), transition = one.game.goal.terms, compile_instance(one)
    state = State(tuple(here for row in one.level.board for here in row))
    bits = Bits(transition)
    assert term.holds(one, state) == term.test(bits, Named(one, transition, bits.pack(state))) == holds


def test_turns_and_mirrors_of_one_picture_are_looked_for_once() -> None:
    (term,) = game_of("nowhere toward any: wall here, wall ahead").game.goal.terms
    assert len(term.pictures(game_of("nowhere wall here"))) == 2  # type: ignore[attr-defined]
    (term,) = game_of("nowhere toward any: $digit here, $digit ahead").game.goal.terms
    assert len(term.pictures(game_of("nowhere wall here"))) == 6  # type: ignore[attr-defined]


@pytest.mark.parametrize("solver", ["search", "cp-sat"])
@pytest.mark.parametrize(
    ("sentence", "apart"),
    [
        ("nowhere toward any: $digit here, $digit ahead", [(0, 1), (1, 0)]),
        ("nowhere $digit here, $digit right.right.down", [(1, 2)]),
    ],
)
def test_solvers_find_exactly_the_boards_without_it(
    solver: str, sentence: str, apart: list[tuple[int, int]]
) -> None:
    one = game_of(sentence, "2...\n.#..")
    free = [(r, c) for r in range(2) for c in range(4) if (r, c) != (1, 1)]
    expected = set()
    for values in product((1, 2, 3), repeat=len(free)):
        board = dict(zip(free, values, strict=True))
        pairs = ((board[r, c], board.get((r + a, c + b))) for r, c in free for a, b in apart)
        if board[0, 0] == 2 and all(one != other for one, other in pairs):
            expected.add(frozenset(cell for cell in board.items() if cell[0] != (0, 0)))
    result = api.solve(one, solver, "all")
    found = {frozenset((cell, piece.variant) for cell, piece in plan.design) for plan in result.plans}
    assert found == expected and len(found) == result.count > 1


WALLS = {
    'place = "digit"': 'place = "wall"',
    '"digit", "wall"]': '"digit", "thing"]',
    "fill = true": "",
    "[goal]": '[goal]\nwhen = "horizon"',
}


@pytest.mark.parametrize("sentence", SENTENCES)
@pytest.mark.parametrize("where", ["somewhere", "nowhere"])
def test_encodings_have_exactly_the_designs_that_plain_python_finds(where: str, sentence: str) -> None:
    """Where designs are judged, pictures are told place by place, not as boards laid on one another."""
    text, rows = GAME.replace("WRAPS", ""), "1..v2\n.^1.."
    for old, new in WALLS.items():
        text = text.replace(old, new)
    text = text.replace("SENTENCE", f"{where} {sentence}").replace("MAP", rows)
    game, (level,) = read_game(text.encode(), "walls.toml")
    one, judge, expected = Instance(game, level), SENTENCES[sentence], set()
    given = {(r, c): set(here) for r, row in enumerate(level.board) for c, here in enumerate(row)}
    free = [cell for cell, here in given.items() if not here]
    for there in product((False, True), repeat=len(free)):
        walls = frozenset(cell for cell, wall in zip(free, there, strict=True) if wall)
        grid: Grid = {
            cell: here | ({Piece("wall")} if cell in walls else set()) for cell, here in given.items()
        }
        if any(judge(grid, *cell) for cell in grid) == (where == "somewhere"):
            expected.add(walls)
    result = api.solve(one, "sat", "all")
    assert {frozenset(cell for cell, _ in plan.design) for plan in result.plans} == expected
    assert result.complete and result.count == len(expected)


TENTS = """
name = "tents"
[kinds]
tree = { layer = "solid" }
tent = { layer = "solid", facing = ["up", "right", "down", "left"] }
[symbols]
"." = ""
"T" = "tree"
[design]
place = "tent"
free-of = ["tree", "tent"]
limit = 2
[goal]
win = ["nowhere toward any: tent:ahead here, no tree ahead", "count tent = 2"]
[[level]]
horizon = 0
map = '''
.T.
...
T..
'''
"""


@pytest.mark.parametrize("solver", ["search", "cp-sat", "sat", "cbc"])
def test_a_facing_that_is_relative_in_a_picture_is_known_to_everything_that_judges_it(solver: str) -> None:
    game, (level,) = read_game(TENTS.encode(), "tents.toml")
    trees = [(0, 1), (2, 0)]
    ways = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}
    free = [cell for cell in product(range(3), repeat=2) if cell not in trees]
    tents = [(c, way) for c in free for way, (a, b) in ways.items() if (c[0] + a, c[1] + b) in trees]
    expected = {frozenset((one, other)) for one, other in product(tents, repeat=2) if one[0] != other[0]}
    result = api.solve(Instance(game, level), solver, "all")
    assert {frozenset((c, p.variant) for c, p in plan.design) for plan in result.plans} == expected


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("somewhere wall", ["too early"]),
        ("somewhere wall there", ["no step `there`"]),
        ("somewhere wal here", ["`wal`", "did you mean `wall`"]),
        ("nowhere wall ahead", ["relative", "toward any"]),
        ("nowhere toward facing: man here, wall ahead", ["toward any"]),
        ("nowhere no $digit here", ["$digit", "require"]),
        ("nowhere man:sideways here", ["sideways"]),
        ("nowhere wall:3 here", ["wall:3"]),
        ("somewhere round of wall", ["does not draw `round`", "[level.patterns]"]),
        ("somewhere corner of man", ["`corner` shows wall", "`man`"]),
        ("somewhere corner of wal", ["did you mean `wall`"]),
    ],
)
def test_what_is_wrong_is_said(sentence: str, words: list[str]) -> None:
    with pytest.raises(DescriptionError) as caught:
        game_of(sentence)
    told = " ".join(f"{finding.message} {finding.remedy}" for finding in caught.value.findings)
    assert all(word in told for word in words), told
    assert all(finding.place is not None for finding in caught.value.findings)


def test_what_is_drawn_is_written_and_read_again() -> None:
    one = game_of("somewhere corner of wall")
    again, (level,) = read_game(write_game(one.game, [one.level]).encode(), "again.toml")
    assert level.patterns == one.level.patterns and again.goal == one.game.goal
    assert again.goal.terms[0].say(one) == "corner stands somewhere: wall - / wall wall"
