"""Random maps as rows of characters, with a border of walls or without one. Knows nothing of ggp."""

from __future__ import annotations

from random import Random

Rows = list[str]


def scattered(
    rng: Random, height: int, width: int, wall: str, marks: str, *, border: bool, density: float
) -> Rows:
    """Walls at random, then each of the marks on a cell of its own; smaller walls where there is no room."""
    edge = {0, height - 1} if border else set()
    sides = {0, width - 1} if border else set()
    cells = [(r, c) for r in range(height) for c in range(width) if r not in edge and c not in sides]
    rng.shuffle(cells)
    assert len(cells) >= len(marks), "the board is too small for what is to be on it"
    board = [[wall] * width for _ in range(height)]
    for row, column in cells:
        board[row][column] = wall if rng.random() < density else " "
    for (row, column), mark in zip(cells, marks, strict=False):
        board[row][column] = mark
    return ["".join(line) for line in board]


def lemmings_map(rng: Random, most: int = 8, walkers: int = 4) -> Rows:
    """A map for Lemmings: up to so many lemmings of both facings, one or two targets."""
    border = rng.random() < 0.5
    low = 4 if border else 2
    height, width = rng.randint(low, most), rng.randint(low + 1, most)
    room = (height - 2) * (width - 2) if border else height * width
    number = min(rng.randint(1, walkers), room - 2)
    marks = "".join(rng.choice("<>") for _ in range(number)) + "T" * rng.randint(1, 2)
    return scattered(rng, height, width, "X", marks, border=border, density=rng.choice([0.1, 0.25, 0.4]))


def sokoban_map(rng: Random, most: int = 7, crates: int = 3) -> Rows:
    """A map for Sokoban: up to so many crates, some on targets from the start."""
    border = rng.random() < 0.5
    low = 4 if border else 2
    height, width = rng.randint(low, most), rng.randint(low + 1, most)
    room = (height - 2) * (width - 2) if border else height * width
    number = max(1, min(rng.randint(1, crates), (room - 1) // 2))
    on = rng.randint(0, number - 1)  # crates that stand on targets; so at least one does not
    marks = rng.choice("@@@+") + "*" * on + "$" * (number - on) + "." * (number - on)
    return scattered(rng, height, width, "#", marks, border=border, density=rng.choice([0.0, 0.15, 0.3]))


# --- games that move --------------------------------------------------------------------------------------

MARKS = {
    "psychopath": "@E##oooo",
    "psychopath-2": "@E#oooOO^>v<",
    "polar-slide": "@@EEEEE###",
}


def mover_map(game: str, rng: Random) -> Rows:
    """A map for one of the games of `movers`, full of what it is made of."""
    height, width = rng.randint(3, 6), rng.randint(4, 6)
    if game in MARKS:
        rows = scattered(rng, height, width, "#", MARKS[game], border=False, density=0.1)
        return [row.replace(" ", ".") for row in rows]
    if game == "rush-hour":
        return traffic_map(rng)
    if game == "lights-out":
        return ["o" + rng.choice("o. ")] + [
            rng.choice("o.") + rng.choice("o. ") for _ in range(rng.randint(1, 4))
        ]
    rows = ["".join(rng.choice("ooo. ") for _ in range(width)) for _ in range(rng.randint(1, 4))]
    return [rng.choice(["oo.", ".oo", "x.o"]) + rows[0][3:], *rows[1:]]


def traffic_map(rng: Random) -> Rows:
    """Vehicles where there is room for them, and an exit that the red car may have the way to."""
    side = rng.randint(4, 6)
    rows = [["."] * side for _ in range(side)]
    row = rng.randrange(side)
    rows[row][0], rows[row][1], rows[row][rng.randint(2, side - 1)] = "()E"
    for _ in range(8):
        drawn = rng.choice(["<>", "[=]", "^v", "AIV"])
        along = drawn in ("<>", "[=]")
        top, left = rng.randrange(side), rng.randrange(side)
        cells = [(top, left + step) if along else (top + step, left) for step in range(len(drawn))]
        if all(r < side and c < side and rows[r][c] == "." for r, c in cells):
            for (r, c), mark in zip(cells, drawn, strict=True):
                rows[r][c] = mark
    return ["".join(line) for line in rows]
