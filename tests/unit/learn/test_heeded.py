"""What goes on with each move, and rests where an input is none: all that bars a way is asked about once."""

from __future__ import annotations

import sys
from itertools import product
from typing import NoReturn

import pytest

import ggp.learn.whole  # noqa: F401  # before its parts, of which it is the first
from ggp.learn.boards import Board, Turn
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.in_parts.heeded import FEWEST, goes_on_with_moves, learn_heeded, told
from ggp.model import OFFSETS
from tests.slow import more_of

HEIGHT, WIDTH = 2, 5
GROWS = {"seed": "shoot", "shoot": "tree"}


def turn_of(at: int, rock: int, plants: dict[int, str], word: str) -> Turn:
    """Who walks is barred by the edge and the rock; all plants grow with each step."""
    (down, right), (row, column) = OFFSETS[word], divmod(at, WIDTH)
    to = (row + down, column + right)
    index = to[0] * WIDTH + to[1]
    before = board(at, rock, plants)
    if not (0 <= to[0] < HEIGHT and 0 <= to[1] < WIDTH) or index == rock:
        return Turn(before, word, before)
    return Turn(before, word, board(index, rock, {cell: GROWS.get(one, one) for cell, one in plants.items()}))


def board(at: int, rock: int, plants: dict[int, str]) -> Board:
    """The walker, the rock, and plants, on which one walks."""
    cells = [{plants[cell]} if cell in plants else set[str]() for cell in range(HEIGHT * WIDTH)]
    cells[at] = cells[at] | {"walker"}
    cells[rock] = cells[rock] | {"rock"}
    return Board(HEIGHT, WIDTH, tuple(map(frozenset, cells)))


def garden() -> list[Turn]:
    """Turns on boards with two plants."""
    return [
        turn_of(at, (at * 7 + far + 1) % 10, {(at + far) % 10: one, (at + 2 * far) % 10: "seed"}, word)
        for at, far, one, word in product(range(HEIGHT * WIDTH), (3, 6), ("seed", "shoot"), OFFSETS)
        if (at * 7 + far + 1) % 10 != at
    ]


def leant(at: int, ahead: str, plant: int | None) -> Turn:
    """To the right on a long row: who leans against the rock lets a plant grow; the edge is no move."""
    there = {at: "walker", at + 1: ahead}
    cells = [frozenset([there[n]] if there.get(n) else []) for n in range(12)]
    grown = list(cells)
    if plant is not None:
        cells[plant], grown[plant] = frozenset({"seed"}), frozenset({"shoot"})
    moves = at < 11
    if moves and not ahead:
        grown[at], grown[at + 1] = frozenset(), frozenset({"walker"})
    before = Board(1, 12, tuple(cells))
    return Turn(before, "right", Board(1, 12, tuple(grown)) if moves else before)


def leaving(turn: Turn) -> Turn:
    """From the edge to the left instead: a plant grows."""
    cells = [frozenset({"shoot"}) if "seed" in stack else stack for stack in turn.before.cells]
    cells[10:] = [frozenset({"walker"}), frozenset()]
    return Turn(turn.before, "left", Board(1, 12, tuple(cells)))


def test_what_changes_nothing_where_nothing_would_change_may_be_a_move() -> None:
    """Without a plant nothing tells the rock, against which one may lean, from the edge."""
    seen = [leant(at, ahead, at - far) for at in range(6, 12) for ahead in ("", "rock") for far in (4, 5, 6)]
    seen += [leant(at, ahead, None) for at in range(12) for ahead in ("", "rock")]
    seen += [leant(11, "", far) for far in range(5)]
    seen += [leaving(turn) for turn in seen if turn.before == turn.after and "seed" in str(turn.before)]
    program = learn_heeded(seen, structure_of(seen), (16.0,))
    assert not any(map(program.wrong, seen))


def test_that_all_goes_on_with_moves_alone_is_seen_at_once() -> None:
    """What goes on where a way is barred, too, or with one of the steps alone, does not look so."""
    turns = garden()
    assert goes_on_with_moves(turns, structure_of(turns))
    never = [turn for turn in turns if turn.before != turn.after]
    assert not goes_on_with_moves(never, structure_of(never))
    some = [turn if turn.word == "up" else quiet(turn) for turn in turns]
    assert not goes_on_with_moves(some, structure_of(some))
    barred = [turn for turn in turns if turn.before == turn.after]
    also = [turn for turn in turns if turn not in barred[30:]] + [growing(turn) for turn in barred[30:]]
    assert not goes_on_with_moves(also, structure_of(also))


def test_waiting_that_is_a_move_says_nothing_of_what_bars_a_way() -> None:
    """Plants grow while somebody waits, and so they do without an input: the edge and the rock stop them."""
    turns = [*garden(), *(growing(turn._replace(word=word)) for turn in garden() for word in ("wait", None))]
    found = told(turns, structure_of(turns))
    assert found is not None and found.stopped >= FEWEST and not found.staying
    assert goes_on_with_moves(turns, structure_of(turns))


def growing(turn: Turn) -> Turn:
    """The same turn, in which plants grow though nobody moves."""
    cells = (frozenset(GROWS.get(one, one) for one in stack) for stack in turn.before.cells)
    return turn._replace(after=turn.before._replace(cells=tuple(cells)))


def quiet(turn: Turn) -> Turn:
    """The same turn, in which no plant grows."""
    plants = {
        index: next(iter(stack - {"walker", "rock"}), "") for index, stack in enumerate(turn.before.cells)
    }
    at = next(index for index, stack in enumerate(turn.after.cells) if "walker" in stack)
    rock = next(index for index, stack in enumerate(turn.after.cells) if "rock" in stack)
    return turn._replace(after=board(at, rock, {cell: one for cell, one in plants.items() if one}))


def blinking(at: int, rock: int, lamp: int, lit: bool, word: str) -> Turn:
    """In the first row somebody walks, and a rock takes back the whole turn; a lamp in the second blinks."""
    to = at + OFFSETS[word][1]

    def row(at: int, lit: bool) -> Board:
        names = {at: "walker", rock: "rock", 9 + lamp: "lit" if lit else "dark"}
        return Board(2, 9, tuple(frozenset([names[n]] if n in names else []) for n in range(18)))

    before = row(at, lit)
    return Turn(before, word, before if to == rock else row(min(max(to, 0), 8), not lit))


def test_what_goes_on_by_itself_is_told_from_a_deed_before_all_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """One pass, and a step with what it drives, take long to be refused where things always go on."""

    def no(*args: object, **more: object) -> NoReturn:
        raise AssertionError

    for other in ("learn_pass", "learn_driven"):
        monkeypatch.setattr(sys.modules[learn_heeded.__module__], other, no)
    turns = [
        blinking(at, rock, lamp, lit, word)
        for at, rock, lamp, lit, word in product(range(9), (3, 6), range(9), (True, False), ("left", "right"))
        if at != rock
    ]
    program = learn_heeded(turns, structure_of(turns), (16.0,))
    assert len(program.programs) == 3 and not any(map(program.wrong, turns))


@more_of(
    test_what_changes_nothing_where_nothing_would_change_may_be_a_move,
    test_that_all_goes_on_with_moves_alone_is_seen_at_once,
    test_what_goes_on_by_itself_is_told_from_a_deed_before_all_else,
)
def test_plants_grow_with_each_step_and_not_where_the_way_is_barred() -> None:
    turns = garden()
    program = learn_heeded(turns, structure_of(turns), (16.0,))
    assert len(program.programs) == 2 and not any(map(program.wrong, turns))


def slid(at: int, ice: int) -> Turn:
    """A walker on a row of twelve cells that slides to the ice on its right, which melts."""
    before = [frozenset({"walker"}) if cell == at else frozenset[str]() for cell in range(12)]
    before[ice] = frozenset({"ice"})
    after = [frozenset({"walker"}) if cell == ice - 1 else frozenset[str]() for cell in range(12)]
    return Turn(Board(1, 12, tuple(before)), "right", Board(1, 12, tuple(after)))


def test_where_who_slides_comes_to_is_not_far() -> None:
    """What happens there may be its own doing, and so does not tell what goes on with moves."""
    turns = [slid(at, ice) for at in range(4) for ice in range(at + 2, 12)]
    turns += [Turn(turn.before, "left", turn.before) for turn in turns]
    assert not goes_on_with_moves(turns, structure_of(turns))
