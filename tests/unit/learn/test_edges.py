"""Boards whose edges join: told by what went over an edge, and rules that hold across it."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Board, Episode, Step, Turn
from ggp.learn.seen.edges import over_edges, short_way
from ggp.learn.whole import learn_whole
from ggp.model import OFFSETS
from ggp.watch.described import DescribedWorld

WAYS = {way: way for way in OFFSETS}


def strewn(rng: random.Random) -> Board:
    """A board of any small size with one player, walls and crates."""
    height, width = rng.randint(3, 7), rng.randint(5, 7)
    cells = [
        frozenset(filter(None, [rng.choice(("", "", "", "crate", "wall"))])) for _ in range(height * width)
    ]
    cells[rng.randrange(len(cells))] = frozenset({"player"})
    return Board(height, width, tuple(cells))


def pushed(board: Board, way: str, *, joined: bool) -> Board:
    """The player steps or pushes; over an edge to the opposite one, or not at all."""
    (down, right), at = OFFSETS[way], divmod(board.cells.index(frozenset({"player"})), board.width)
    steps = [(at[0] + n * down, at[1] + n * right) for n in range(3)]
    if joined:
        steps = [(row % board.height, column % board.width) for row, column in steps]
    here, ahead, beyond = steps
    there, after = board.at(ahead), board.at(beyond)
    if there is None or "wall" in there or (there and (after is None or after)):
        return board
    cells = list(board.cells)
    for cell, stack in ((beyond, there), (ahead, frozenset({"player"})), (here, frozenset[str]())):
        if stack or cell == here:
            cells[cell[0] * board.width + cell[1]] = stack
    return board._replace(cells=tuple(cells))


def runs(rng: random.Random, number: int, *, joined: bool) -> Iterator[Episode]:
    """Random play."""
    for _ in range(number):
        board = start = strewn(rng)
        steps = []
        for _ in range(8):
            way = rng.choice(list(OFFSETS))
            board = pushed(board, way, joined=joined)
            steps.append(Step(way, board))
        yield Episode(start, tuple(steps))


@pytest.mark.parametrize("joined", [True, False])
def test_rules_hold_across_edges_that_join_and_only_there(joined: bool) -> None:
    rng = random.Random(3)
    learned = learn_whole(list(runs(rng, 40, joined=joined)), "edges")
    assert learned.game.wraps is joined and [part.subject for part in learned.program.parts] == ["player"]
    assert any(line.startswith("edges join: ") for line in learned.evidence) is joined
    game, levels = read_game(write_game(learned.game, learned.levels).encode(), "edges.toml")
    world = DescribedWorld(game, levels, go_on=True)
    for run in runs(rng, 20, joined=joined):
        (again,) = world.play([(run.start, [step.word for step in run.steps])])
        assert again is not None and list(again.boards()) == list(run.boards())


def row(text: str) -> Board:
    """A board of one row."""
    return Board(1, len(text), tuple(frozenset(letter.strip()) for letter in text))


def test_what_slides_from_edge_to_edge_goes_over_none() -> None:
    slides = [Turn(row("a  "), "right", row("  a")), Turn(row("a   "), "right", row("   a"))] * 3
    assert over_edges(slides, WAYS) == (False, [])
    over = [Turn(row("  a"), "right", row("a  ")), Turn(row("ab "), "left", row(" ba"))] * 3
    assert over_edges(over, WAYS)[0]
    assert over_edges(over[:2], WAYS) == (False, [])
    stayed = [Turn(row("  a"), "right", row("  a"))] * 6
    assert not over_edges([*over, *stayed], WAYS)[0]


def test_what_becomes_something_else_at_both_edges_goes_over_none() -> None:
    assert not over_edges([Turn(row("o s"), "left", row("s o"))] * 3, WAYS)[0]
    assert not over_edges([Turn(row("oo "), "left", row(" oo"))] * 3, WAYS)[0]


def test_the_short_way_leads_over_an_edge() -> None:
    board = Board(5, 6, (frozenset(),) * 30)
    assert short_way(board, (0, 0), (4, 5)) == (-1, -1)
    assert short_way(board, (4, 5), (1, 1)) == (6, 7)
    assert short_way(board, (2, 2), (2, 4)) == (2, 4)
