"""All that go where an input points go at once: who stays bars the way of who comes behind."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

import ggp.learn.whole  # noqa: F401  # before its parts, of which it is the first
from ggp.errors import NotLearned
from ggp.learn.boards import Board, Turn
from ggp.learn.fit.program import Passes
from ggp.learn.fit.toil import account
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.evidence.went import goers_of, went_along
from ggp.learn.turn.one_pass.abreast import learn_abreast
from ggp.learn.turn.turns import learn_ends
from ggp.model import OFFSETS, Cell
from tests.slow import more_of

HEIGHT, WIDTH = 5, 6
SOLID = {"player", "cat", "box", "wall"}
Things = dict[Cell, set[str]]


def board(things: Things, height: int = HEIGHT, width: int = WIDTH) -> Board:
    """What stands where."""
    cells = (frozenset(things.get(divmod(index, width), ())) for index in range(height * width))
    return Board(height, width, tuple(cells))


def cat_in_a_basket_stays(things: Things, at: Cell, name: str, behind: set[str]) -> bool:
    """Players go, and cats that are not in baskets."""
    return name == "player" or (name == "cat" and "basket" not in things[at])


def boxes_are_pushed(things: Things, at: Cell, name: str, behind: set[str]) -> bool:
    """Players go, and boxes if something goes behind them."""
    return name == "player" or (name == "box" and bool(behind))


Wants = Callable[[Things, Cell, str, set[str]], bool]


def played(things: Things, word: str, wants: Wants) -> Things:
    """All that would go does, if what is ahead is free, or goes as well."""
    down, right = OFFSETS[word]
    order = sorted(things, key=lambda cell: cell[0] * down + cell[1] * right)
    going: dict[Cell, str] = {}
    for cell in order:  # from behind to ahead
        behind = {going[one] for one in [(cell[0] - down, cell[1] - right)] if one in going}
        for name in things[cell] & SOLID:
            if wants(things, cell, name, behind):
                going[cell] = name
    for cell in reversed(order):
        to = (cell[0] + down, cell[1] + right)
        free = 0 <= to[0] < HEIGHT and 0 <= to[1] < WIDTH
        if cell in going and (not free or (to not in going and SOLID & things.get(to, set()))):
            del going[cell]
    after = {cell: some - {going[cell]} if cell in going else set(some) for cell, some in things.items()}
    for cell, name in going.items():
        after.setdefault((cell[0] + down, cell[1] + right), set()).add(name)
    return after


def turns_of(names: Sequence[str], ground: str, wants: Wants, number: int = 500) -> list[Turn]:
    """Turns on random boards with these things, and some of this ground."""
    rng, found = random.Random(7), []
    for _ in range(number):
        cells = [divmod(index, WIDTH) for index in range(HEIGHT * WIDTH)]
        rng.shuffle(cells)
        things: Things = {cell: {name} for cell, name in zip(cells, names, strict=False)}
        for cell in rng.sample(cells[: len(names) + 6], 4):
            things.setdefault(cell, set()).add(ground)
        word = rng.choice(list(OFFSETS))
        found.append(Turn(board(things), word, board(played(things, word, wants))))
    return found


CATS = ["player", *["cat"] * 4, *["wall"] * 3]
BOXES = [*["player"] * 2, *["box"] * 7, *["wall"] * 2]


@pytest.mark.parametrize(
    ("names", "ground", "wants", "passes"),
    [(CATS, "basket", cat_in_a_basket_stays, 3), (BOXES, "mat", boxes_are_pushed, 4)],
    ids=["cats that sleep in baskets", "two who push rows"],
)
def test_a_crowd_goes_but_for_who_is_barred(names: list[str], ground: str, wants: Wants, passes: int) -> None:
    turns = turns_of(names, ground, wants)
    program = learn_abreast(turns[:300], structure_of(turns[:300]), (16.0,))
    assert len(program.programs) == passes and program.cost < 11
    assert not any(map(program.wrong, turns))


def test_a_crowd_is_looked_for() -> None:
    turns = turns_of(CATS, "basket", cat_in_a_basket_stays)
    program = learn_ends(turns[:100], structure_of(turns[:100]))
    assert isinstance(program, Passes) and not any(map(program.wrong, turns))


def mats_under_players(before: Board) -> bool:
    """Does anybody stand on a mat?"""
    return any({"player", "mat"} <= stack for stack in before.cells)


def test_what_is_taken_bars_nobody() -> None:
    """Cats that sleep in baskets stay beside gems, too, but whoever comes to a gem takes it."""
    turns = list(map(taken, turns_of([*CATS, *["gem"] * 4], "basket", cat_in_a_basket_stays)))
    program = learn_abreast(turns, structure_of(turns), (16.0,))
    assert len(program.programs) == 4 and not any(map(program.wrong, turns))


@more_of(test_a_crowd_goes_but_for_who_is_barred, test_what_is_taken_bars_nobody)
def test_what_comes_after_they_went_is_learned_too() -> None:
    """Who stands on a mat after the turn is caught: it becomes a ghost there, which goes nowhere."""

    def caught(turn: Turn) -> Turn:
        cells = (
            stack - {"player"} | {"ghost"} if {"player", "mat"} <= stack else stack
            for stack in turn.after.cells
        )
        return turn._replace(after=turn.after._replace(cells=tuple(cells)))

    once = [turn for turn in turns_of(BOXES, "mat", boxes_are_pushed) if not mats_under_players(turn.before)]
    turns = list(map(caught, once))
    program = learn_abreast(turns, structure_of(turns), (16.0,))
    assert len(program.programs) == 5 and not any(map(program.wrong, turns))


def taken(turn: Turn) -> Turn:
    """The same turn, in which gems are gone to which anybody came."""
    cells = (stack - {"gem"} if stack & {"player", "cat"} else stack for stack in turn.after.cells)
    return turn._replace(after=turn.after._replace(cells=tuple(cells)))


def test_who_pushes_is_seen_though_no_board_has_all_that_go() -> None:
    """Levels with boxes have no cats, and the others no boxes."""

    def wants(things: Things, at: Cell, name: str, behind: set[str]) -> bool:
        return name == "cat" or boxes_are_pushed(things, at, name, behind)

    others = [*["player"] * 2, *["cat"] * 4, *["wall"] * 2]
    turns = [*turns_of(BOXES, "mat", wants), *turns_of(others, "mat", wants)]
    learned = [*turns[:400], *turns[500:900]]
    program = learn_abreast(learned, structure_of(learned), (16.0,))
    assert len(program.programs) == 4 and not any(map(program.wrong, turns))


def test_one_who_goes_and_pushes_is_no_crowd() -> None:
    turns = turns_of(["player", "box", "box"], "mat", boxes_are_pushed)
    with pytest.raises(NotLearned):
        learn_abreast(turns, structure_of(turns), (16.0,))


@pytest.mark.parametrize(
    ("before", "after", "gone"),
    [
        ("cc.", ".cc", {0, 1}),
        ("c.c", ".cc", {0}),
        ("c..", "..c", None),  # it jumped
        ("c..", "...", None),  # it is gone
        ("..c", "c..", None),  # it went elsewhere
        ("...", ".c.", None),  # it came
        (".c.", ".c.", set()),
    ],
)
def test_who_went_is_known_of_each_of_a_line(before: str, after: str, gone: set[int] | None) -> None:
    start, end = (
        board({(0, at): {"c"} for at, one in enumerate(row) if one == "c"}, 1, 3) for row in (before, after)
    )
    went = went_along(Turn(start, "right", end), "c", "right")
    assert (went is None) == (gone is None)
    assert went is None or {at for _, at in went.gone} == gone
    back = went_along(Turn(flipped(start), "left", flipped(end)), "c", "left")
    assert (back is None) == (gone is None)
    assert back is None or {2 - at for _, at in back.gone} == gone


def flipped(one: Board) -> Board:
    """Left is right."""
    return one._replace(cells=one.cells[::-1])


def test_what_did_not_change_stayed() -> None:
    still = board({(1, 1): {"cat"}})
    turn = Turn(still, "up", still)
    assert goers_of(turn, structure_of([turn]))["cat"].stayed == {(1, 1)}


def test_what_looks_where_it_goes_is_not_said_to_have_stayed() -> None:
    """Its family changes, which is no token."""
    way, back = (
        Turn(board({(1, 1): {f"player:{word}"}}), word, board({to: {f"player:{word}"}}))
        for word, to in (("right", (1, 2)), ("left", (1, 0)))
    )
    structure = structure_of([way, back])
    assert structure.facing["player:right"] == ("player", "right")
    assert not goers_of(way, structure)


def test_to_look_who_went_is_counted_as_work() -> None:
    turns = turns_of(CATS, "basket", cat_in_a_basket_stays, 20)
    with pytest.raises(NotLearned, match="too long"), account(HEIGHT * WIDTH):
        learn_abreast(turns, structure_of(turns), (16.0,))
