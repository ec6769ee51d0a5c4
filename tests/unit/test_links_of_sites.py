"""Links as the editors of people's sites write them: made here the way those write them, and read by ours.

What is written here knows nothing of `ggp.language.readers`: each cell has -1 for nothing, -2 for a question
mark, or a number, and the strings are put together the way the sites' own programs do it: sizes are columns
first, blanks run on, a block has the sum below it first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import pytest

from ggp import api
from ggp.errors import DescriptionError
from ggp.language.levels import load
from ggp.model import Level
from tests.slow import examples

SIGNS = "0123456789abcdefghijklmnopqrstuvwxyz"
BLANK, OPEN = -1, -2
Numbers = Sequence[int]


def with_blanks(numbers: Numbers, written: Callable[[int], str], before_one: int, most: int) -> str:
    """Each number as it is written, and a letter for up to so many blanks."""
    text, blanks = "", 0
    for number in numbers:
        if number != BLANK:
            text += (SIGNS[before_one + blanks] if blanks else "") + written(number)
            blanks = 0
        else:
            blanks += 1
            if blanks == most:
                text += SIGNS[before_one + most]
                blanks = 0
    return text + (SIGNS[before_one + blanks] if blanks else "")


def sixteen(numbers: Numbers) -> str:
    def written(number: int) -> str:
        if number == OPEN:
            return "."
        return f"{number:x}" if number < 16 else f"-{number:x}" if number < 256 else f"+{number:x}"

    return with_blanks(numbers, written, 15, 20)


def four(numbers: Numbers) -> str:
    """A number swallows one blank or two; behind the last cell everything counts as blank."""
    padded, kept = [*numbers, BLANK, BLANK], []
    at = 0
    while at < len(numbers):
        number = padded[at]
        if number < 0:
            kept.append((number, 0))
            at += 1
            continue
        swallowed = 0 if padded[at + 1] != BLANK else 1 if padded[at + 2] != BLANK else 2
        kept.append((number, swallowed))
        at += 1 + swallowed
    codes = [number if number < 0 else number + 5 * more for number, more in kept]
    return with_blanks(codes, lambda code: "." if code == OPEN else SIGNS[code], 15, 20)


def circles(numbers: Numbers) -> str:
    thirds = [max(0, number) for number in numbers] + [0, 0]
    return "".join(
        SIGNS[9 * thirds[at] + 3 * thirds[at + 1] + thirds[at + 2]] for at in range(0, len(numbers), 3)
    )


def singly(numbers: Numbers) -> str:
    """A character a cell, three from 36 on."""
    long = (f"-{SIGNS[number // 36]}{SIGNS[number % 36]}" if number > 35 else "" for number in numbers)
    return "".join(
        more or ("." if number == BLANK else SIGNS[number])
        for number, more in zip(numbers, long, strict=True)
    )


def sums_down_and_across(cells: dict[tuple[int, int], tuple[int, int]], height: int, width: int) -> str:
    """Blocks with (below, to the right), whose rows and columns of -1 hold what stands outside."""

    def written(total: int) -> str:
        return "-" if total < 0 else SIGNS[total] if total < 20 else SIGNS[total - 10].upper()

    order = [(row, column) for row in range(height) for column in range(width)]
    numbers = [at if cell in cells else BLANK for at, cell in enumerate(order)]

    def block(at: int) -> str:
        below, right = cells[order[at]]
        return "." if max(below, right) < 0 else written(below) + written(right)

    text = with_blanks(numbers, block, 19, 16)
    text += "".join(written(cells[-1, column][0]) for column in range(width) if (0, column) not in cells)
    return text + "".join(written(cells[row, -1][1]) for row in range(height) if (row, 0) not in cells)


# --- one board, many games ---------------------------------------------------------------------------------


def linked(kind: str, height: int, width: int, codes: str) -> Level:
    return load(f"https://puzz.link/p?{kind}/{width}/{height}/{codes}").level


def found(level: Level, kind: str, first: int = 0, step: int = 1) -> list[list[object]]:
    """The values of a kind (True if it has none), for each cell that a person counts."""
    rows = (row[first::step] for row in level.board[first::step])
    return [
        [
            next((one.variant or (one.variant is None) for one in here if one.kind == kind), BLANK)
            for here in row
        ]
        for row in rows
    ]


def folded(numbers: Numbers, width: int, also_open: bool = False) -> list[list[object]]:
    """Row by row, with question marks as blanks unless they are told apart."""
    kept: list[object] = [
        BLANK if number == OPEN and not also_open else number or False for number in numbers
    ]
    return [kept[at : at + width] for at in range(0, len(kept), width)]


Case = tuple[str, str, Callable[[Numbers], str], tuple[int, ...], str, int]
CELLS: list[Case] = [
    # game, type, codes, what a cell may hold besides nothing, the kind of a number, the most for each side
    ("slitherlink", "slither", four, (OPEN, 0, 1, 2, 3), "clue", 9),
    ("akari", "akari", four, (OPEN, 0, 1, 2, 3, 4), "clue", 1),
    ("nurikabe", "nurikabe", sixteen, (OPEN, 1, 2, 9, 15, 16), "clue", 9),
    ("hashiwokakero", "hashi", sixteen, (OPEN, 1, 2, 5, 8), "island", 2),
    ("fillomino", "fillomino", sixteen, (OPEN, 1, 2, 3, 4), "digit", 9),
    ("minefield", "mines", sixteen, (OPEN, 0, 1, 3), "clue", 9),
]


@pytest.mark.parametrize("case", CELLS, ids=[case[0] for case in CELLS])
def test_numbers_in_cells(case: Case) -> None:
    game, kind, codes, values, piece, most = case
    first, step = (1, 2) if game == "slitherlink" else (0, 1)
    chance = Random(game)
    for _ in range(examples(40)):
        height, width = chance.randint(4, 12), chance.randint(4, 12)
        filled = chance.random()
        numbers = [BLANK] * (height * width)
        for at in range(len(numbers)):
            row, column = divmod(at, width)
            sides = 4 - (row in (0, height - 1)) - (column in (0, width - 1))
            if chance.random() < filled:
                numbers[at] = min(chance.choice(values), most * sides)
        level = linked(kind, height, width, codes(numbers))
        assert found(level, piece, first, step) == folded(numbers, width)
        marks = {"nurikabe": "open", "hashiwokakero": "pier", "minefield": "open"}
        if game in marks:
            opened = [True if number == OPEN else BLANK for number in numbers]
            assert found(level, marks[game]) == folded(opened, width)
        if game == "akari":
            walls = [BLANK if number == BLANK else True for number in numbers]
            assert found(level, "wall") == folded(walls, width)


def marks(trees: Sequence[bool]) -> str:
    """Each tree as the number of blanks behind it, up to 17; other blanks as letters, up to 18."""
    text, blanks, tree = "", 0, False
    for here in (*trees, True):
        if here or blanks == (17 if tree else 18):
            text += SIGNS[blanks] if tree else SIGNS[17 + blanks] if blanks else ""
            blanks, tree = 0, False
        tree, blanks = tree or here, blanks + (not here)
    return text


def test_trees_and_what_stands_beside_them() -> None:
    chance = Random(11)
    for _ in range(examples(40)):
        height, width = chance.randint(2, 12), chance.randint(2, 12)
        filled = chance.random() ** 3
        trees = [chance.random() < filled for _ in range(height * width)]
        trees[chance.randrange(len(trees))] = True
        beside = [chance.choice((BLANK, OPEN, 0, 1)) for _ in range(height + width)]
        level = linked("tents", height, width, sixteen(beside) + marks(trees))
        told = [number if number >= 0 else None for number in beside]
        clues = {name: [clue and clue[0] for clue in each] for name, each in level.clues}
        assert clues == {"columns": told[:width], "rows": told[width:]}
        assert found(level, "tree") == folded([1 if tree else BLANK for tree in trees], width)


def some_of(square: list[list[int]], chance: Random) -> list[int]:
    """The numbers of a square, some of them left out."""
    return [chance.choice((BLANK, number)) for row in square for number in row]


def test_pearls_and_squares_full_of_numbers() -> None:
    chance = Random(7)
    for _ in range(examples(30)):
        height, width = chance.randint(2, 9), chance.randint(2, 9)
        colours = [chance.choice((BLANK, 1, 2)) for _ in range(height * width)]
        level = linked("mashu", height, width, circles(colours))
        for kind, colour in (("white", 1), ("black", 2)):
            here = [True if number == colour else BLANK for number in colours]
            assert found(level, kind, 0, 2) == folded(here, width)
        side, deep, tall = chance.choice(((4, 2, 2), (6, 2, 3), (9, 3, 3), (16, 4, 4)))
        digits = some_of(
            [[(r * tall % side + r // deep + c) % side + 1 for c in range(side)] for r in range(side)], chance
        )
        level = linked("sudoku", side, side, sixteen(digits))
        assert found(level, "digit") == folded(digits, side)
        side = chance.choice((3, 8, 20, 40))
        numbers = [chance.choice((BLANK, chance.randint(1, 2 * side))) for _ in range(side * side)]
        assert found(linked("hitori", side, side, singly(numbers)), "number") == folded(numbers, side)


def test_lines_beside_the_board() -> None:
    """Room for half of a line rounded up, filled from the board outwards, first columns and then rows."""
    chance = Random(8)
    for _ in range(examples(40)):
        height, width = chance.randint(1, 12), chance.randint(1, 12)
        told: dict[str, list[tuple[int, ...]]] = {}
        places = []
        for name, lines, length in (("columns", width, height), ("rows", height, width)):
            told[name] = []
            for _ in range(lines):
                runs, room = list[int](), length
                while room > 0 and chance.random() < 0.8:
                    runs.append(chance.randint(1, room))
                    room -= runs[-1] + 1
                told[name].append(tuple(runs) or (0,))
                places += [*reversed(runs), *[BLANK] * ((length + 1) // 2 - len(runs))]
        level = linked("nonogram", height, width, sixteen(places))
        assert {name: list(clues) for name, clues in level.clues} == told


def test_numbers_around_a_square() -> None:
    chance = Random(9)
    names = ("columns", "columns-reversed", "rows", "rows-reversed")
    for _ in range(examples(30)):
        side = chance.randint(2, 9)
        around = [chance.choice((BLANK, 1, 2)) for _ in range(4 * side)]
        cells = some_of([[(r + c) % side + 1 for c in range(side)] for r in range(side)], chance)
        cells = chance.choice((cells, [BLANK] * side * side))
        given = any(number != BLANK for number in cells)
        level = linked("skyscrapers", side, side, sixteen(around) + (sixteen(cells) if given else ""))
        clues = dict(level.clues)
        assert [clue and clue[0] for name in names for clue in clues[name]] == [
            None if number == BLANK else number for number in around
        ]
        assert found(level, "digit") == folded(cells, side)


def test_sums_before_runs() -> None:
    chance = Random(10)
    for _ in range(examples(40)):
        height, width = chance.randint(2, 9), chance.randint(2, 9)
        blocks = {(row, column) for row in range(height) for column in range(width) if chance.random() < 0.3}
        free = {(row, column) for row in range(height) for column in range(width)} - blocks
        told: dict[str, list[tuple[int, ...] | None]] = {"down": [], "across": []}
        cells = {cell: [BLANK, BLANK] for cell in blocks}
        cells |= {(-1, column): [BLANK, BLANK] for column in range(width)}
        cells |= {(row, -1): [BLANK, BLANK] for row in range(height)}
        for row, column in sorted(free):
            for which, (name, before) in enumerate(
                (("down", (row - 1, column)), ("across", (row, column - 1)))
            ):
                if before not in free:
                    run = 1
                    while (row + run * (1 - which), column + run * which) in free:
                        run += 1
                    total = chance.choice((BLANK, sum(chance.sample(range(1, 10), run))))
                    cells[before][which] = total
                    told[name].append(None if total == BLANK else (total,))
        codes = sums_down_and_across({cell: (a, b) for cell, (a, b) in cells.items()}, height, width)
        level = linked("kakuro", height, width, codes)
        assert found(level, "block") == [
            [True if (row, column) in blocks else BLANK for column in range(width)] for row in range(height)
        ]
        assert {name: list(clues) for name, clues in level.clues} == told


# --- what stands around the codes --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "query",
    ["type=player&slither/3/3/g0bgc", "a=b&type=editor&slither_edit/3/3/g0bgc", "slither//3/3/g0bgc/"],
)
def test_what_the_sites_write_before_it(query: str) -> None:
    told = load("https://puzz.link/p?slither/3/3/g0bgc").level.board
    assert load(f"https://puzz.link/p?{query}").level.board == told


@pytest.mark.parametrize(
    "link",
    [
        "https://puzz.link/p?slither%2F3%2F3%2Fg0bgc%2F",
        "https%3A%2F%2Fpuzz.link%2Fp%3Fslither%2F3%2F3%2Fg0bgc",
        "http://pzv.jp/p.html%3fslither%2f3%2f3%2fg0bgc",
        "puzz.link/p?slither/3/3/g0bgc//#answer",
    ],
)
def test_a_link_as_other_programs_hand_it_on(link: str) -> None:
    told = load("https://puzz.link/p?slither/3/3/g0bgc").level.board
    assert load(link).level.board == told


def test_numbers_above_the_side_are_numbers_like_others() -> None:
    """A level of ours with z (35) for each 4 has the same answer, and goes back to the same link."""
    link = "hitori/4/4/33221z232z3zz2zz"
    one, ours = load(f"https://puzz.link/p?{link}"), load("hitori/small")
    (found,), (known,) = (api.solve(each, "search", "all").plans for each in (one, ours))
    assert found.design == known.design
    assert api.export(one, "url").strip().endswith(link)


def test_a_percent_sign_that_is_a_code() -> None:
    """`%24` is no dollar here: only what no code can be is taken for an encoded sign."""
    assert found(load("https://puzz.link/p?hitori/4/1/%24%").level, "number") == [[BLANK, 2, 4, BLANK]]


def test_lines_between_cells_of_which_there_are_none() -> None:
    plain = load("https://puzz.link/p?fillomino/4/3/2h43m").level
    assert load("https://puzz.link/p?fillomino/4/3/2h43m0000").level.board == plain.board


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("fillomino/4/3/2h43m0010", "URL:1:42: error: a line between two cells is drawn here"),
        ("fillomino/4/3/2h43m000", "URL:1:43: error: the link ends among the lines"),
        ("fillomino/4/3/2h43m00000", "URL:1:44: error: the board is full before '0'"),
        ("fillomino/4/3/2h43m00w0", "URL:1:42: error: 'w' means nothing here"),
        ("pzprv3/slither/1/1/. /", "URL:1:21: error: this link holds a file"),
        ("v:/pzprv3/slither/1/1/. /", "URL:1:21: error: this link holds a file"),
        ("problem=3/3/", "URL:1:21: error: `problem=` is how links of another site begin"),
        ("slither/v:odd/3/3/g0bgc", "take `v:odd/` out of it to read it by the plain rules"),
    ],
)
def test_links_that_are_refused_with_a_reason(query: str, message: str) -> None:
    with pytest.raises(DescriptionError) as caught:
        load(f"https://puzz.link/p?{query}")
    assert message in str(caught.value)
