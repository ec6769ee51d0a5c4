"""What follows a deed, known wrongly at first, is learned from what is left by what is often done."""

from __future__ import annotations

import random
from collections.abc import Iterator

from ggp.learn.boards import Turn, turns_of
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.crowd.pruned import PLAIN
from ggp.learn.turn.evidence.halfway import Halfway
from ggp.learn.turn.in_parts.afterwards import among, by_what_is_often_done
from ggp.learn.turn.in_parts.driven import learn_driven
from ggp.learn.turn.one_pass.events import learn_pass
from tests.unit.learn.test_two_parts import Cells, board_of, cells_of, moved, played

WEIGHTS = {"wall": 0.25, "gem": 0.06, "crate": 0.2}


def stepped(cells: Cells, word: str) -> Cells:
    """The player steps, or pushes a crate."""
    return moved(cells, word, {"wall"}, {"crate"})


def dropped(cells: Cells, barred: frozenset[str]) -> Cells:
    """The player falls by a cell, where nothing of some is below."""
    (at,) = [place for place, stack in cells.items() if "player" in stack]
    below = at[0] + 1, at[1]
    if below not in cells or cells[below] & barred:
        return cells
    return {**cells, at: cells[at] - {"player"}, below: cells[below] | {"player"}}


def fallen(cells: Cells, word: str) -> Cells:
    """A step, then a fall."""
    return dropped(stepped(cells, word), frozenset({"wall", "crate"}))


def test_what_asks_for_too_much_at_first_does_not_in_the_end() -> None:
    """As if those few turns in which the player stayed had shown that it rests on gems, too."""
    rng, barred = random.Random(3), {"wall", "crate", "gem"}
    turns = list(dict.fromkeys(turns_of([played(fallen, WEIGHTS, rng, 8) for _ in range(40)])))
    structure = structure_of(turns)
    rest = [
        Turn(one.before, None, board_of(dropped(cells_of(one.before), frozenset(barred)))) for one in turns
    ]
    found = by_what_is_often_done(Halfway(turns, structure, "player", learn_pass(rest, structure)), (16.0,))
    assert found is not None
    fresh = list(turns_of([played(fallen, WEIGHTS, rng, 8) for _ in range(50)]))
    assert not any(map(found.wrong, turns)) and not any(map(found.wrong, fresh))


def test_where_that_says_too_little_nothing_is_made_of_it() -> None:
    rng = random.Random(3)
    turns = list(dict.fromkeys(turns_of([played(fallen, WEIGHTS, rng, 8) for _ in range(15)])))
    structure = structure_of(turns)
    nothing = learn_pass([Turn(one.before, None, one.before) for one in turns], structure)
    assert by_what_is_often_done(Halfway(turns, structure, "player", nothing), (4.0,)) is None


def test_what_is_small_is_taken_at_once() -> None:
    """Of other turns in which the player stays nothing is learned then, which takes long."""
    rng, barred = random.Random(3), frozenset({"wall", "crate"})
    turns = list(dict.fromkeys(turns_of([played(fallen, WEIGHTS, rng, 8) for _ in range(40)])))
    structure = structure_of(turns)
    rest = [Turn(one.before, None, board_of(dropped(cells_of(one.before), barred))) for one in turns]

    def known() -> Iterator[Halfway]:
        yield Halfway(turns, structure, "player", learn_pass(rest, structure))
        raise AssertionError("more was learned than needed")

    found = among(known(), (16.0,))
    assert found is not None and found.cost <= PLAIN and not any(map(found.wrong, turns))


def lifted(cells: Cells, word: str) -> Cells:
    """A step, after which fog goes from all cells around the player."""
    cells = stepped(cells, word)
    ((row, column),) = [place for place, stack in cells.items() if "player" in stack]
    near = {(row, column), (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)}
    return {place: stack - {"fog"} if place in near else stack for place, stack in cells.items()}


def test_what_comes_of_nearly_every_step() -> None:
    """So much that a step alone is hardly ever seen."""
    rng, weights = random.Random(3), {"wall": 0.2, "crate": 0.15, "fog": 0.8}
    turns = list(dict.fromkeys(turns_of([played(lifted, weights, rng, 6) for _ in range(40)])))
    found = learn_driven(turns, structure_of(turns), (16.0,))
    assert not any(map(found.wrong, turns_of([played(lifted, weights, rng, 6) for _ in range(30)])))


def slid(cells: Cells, word: str) -> Cells:
    """As far as nothing is in the way; a crate that is come to goes on by a cell, if it can."""
    further = moved(cells, word, {"wall", "crate"}, set())
    while further != cells:
        cells, further = further, moved(further, word, {"wall", "crate"}, set())
    pushed = stepped(cells, word)
    return {place: pushed[place] - {"player"} | (cells[place] & {"player"}) for place in cells}


def test_what_a_slide_comes_to_goes_on() -> None:
    """The player goes as far as it can, then all else happens."""
    rng, weights = random.Random(3), {"wall": 0.1, "crate": 0.2}
    turns = list(dict.fromkeys(turns_of([played(slid, weights, rng, 8) for _ in range(40)])))
    found = learn_driven(turns, structure_of(turns), (16.0,))
    assert found.cost < 6 and not any(map(found.wrong, turns))
    assert not any(map(found.wrong, turns_of([played(slid, weights, rng, 8) for _ in range(30)])))
