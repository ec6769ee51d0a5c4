"""Of a few turns it is found out which way of learning has the rules of all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice, product

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Turn, board_of
from ggp.learn.fit.program import Passes, Program
from ggp.learn.seen.structure import Structure, structure_of
from ggp.learn.turn.one_pass.events import learn_pass
from ggp.learn.turn.scouts import FEW, FIRST, Scouts, mixed
from ggp.learn.turn.ways import Try

LENGTH = 10


def seen() -> list[Turn]:
    """Who walks on a row, and takes what it walks onto; walls bar the way."""
    turns = []
    for at, wall, gem in product(range(LENGTH), repeat=3):
        if len({at, wall, gem}) == 3:
            for word, step in (("left", -1), ("right", 1)):
                to = at + step if 0 <= at + step < LENGTH and at + step != wall else at
                turns.append(Turn(row(at, wall, gem), word, row(to, wall, gem if to != gem else None)))
    return turns


def row(at: int, wall: int, gem: int | None) -> Board:
    """A row with a wall, perhaps a gem, and who walks."""
    names = {wall: "wall", gem: "gem", at: "player"}
    return board_of([[[names[n]] if n in names else [] for n in range(LENGTH)]])


def nothing(turns: Sequence[Turn], structure: Structure) -> Program | Passes:
    """A way that has no rules."""
    raise NotLearned("there is nothing", "look elsewhere")


def tries(structure: Structure, some: Sequence[Turn]) -> Iterator[Try]:
    """A way that has nothing, one that waits, and one that has the rules."""
    yield Try(partial(nothing, some, structure))
    yield Try(partial(learn_pass, some, structure, limits=(40.0,)), waits=True)
    yield Try(partial(learn_pass, some, structure, limits=(16.0,)))


def test_rare_turns_come_first_each_sort_once() -> None:
    turns = seen()
    structure = structure_of(turns)
    first = list(islice(mixed(turns, structure), 3))
    taken = [sum("gem" in stack for stack in turn.after.cells) for turn in first]
    assert taken == [0, 1, 1]
    assert sorted(turn.before == turn.after for turn in first) == [False, False, True]
    assert set(mixed(turns, structure)) == set(turns)


def test_a_way_that_has_rules_of_a_part_is_asked_next_once_much_was_in_vain() -> None:
    turns = seen()
    structure = structure_of(turns)
    scouts = Scouts(turns, structure, partial(tries, structure))
    left = list(tries(structure, turns))
    assert scouts.ahead(left, FIRST / 2) is None
    assert scouts.ahead(left[:2], FIRST) is None  # one has nothing, and one waits
    assert scouts.ahead(left, FIRST) is None  # not again before there was much more
    assert scouts.ahead(left, 10 * FIRST) is left[2]
    assert scouts.ahead(left, 100 * FIRST) is None  # it had its turn
    few = Scouts(turns[: 2 * FEW - 1], structure, partial(tries, structure))
    assert few.ahead(left, 10 * FIRST) is None  # of so few there is no part


def test_what_the_rules_of_a_part_get_wrong_is_added_to_it() -> None:
    turns = seen()
    structure = structure_of(turns)
    scouts = Scouts(turns, structure, partial(tries, structure))
    idle = [turn for turn in turns if turn.before == turn.after][:FEW]
    key = list(tries(structure, turns))[2].key
    said = scouts.asked(key, idle, FIRST)
    assert said is not None and not any(map(said.wrong, turns))
