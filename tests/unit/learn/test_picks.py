"""Turns in which inputs point at cells, or nowhere: something is done, then something happens by itself."""

from __future__ import annotations

import random

import pytest

from ggp.learn.boards import Turn
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.in_parts.afterwards import learn_afterwards
from ggp.learn.turn.in_parts.exchanged import learn_exchanged
from tests.unit.learn.test_two_parts import Cells, board_of


def strewn(rng: random.Random) -> Cells:
    """A board of rocks, hatches and walls."""
    names = rng.choices(["", "rock", "hatch", "wall"], [3, 1, 1, 0.5], k=25)
    return {divmod(index, 5): set(filter(None, [name])) for index, name in enumerate(names)}


def fallen(cells: Cells) -> Cells:
    """All rocks with nothing below them fall by a cell, at the same time."""
    found = {place: set(stack) for place, stack in cells.items()}
    for (row, column), stack in cells.items():
        if "rock" in stack and cells.get((row + 1, column)) == set():
            found[row, column].discard("rock")
            found[row + 1, column].add("rock")
    return found


def turn_of(cells: Cells, picked: tuple[int, int] | None) -> Turn:
    """A picked hatch opens for good, then rocks fall."""
    opened = {place: stack - {"hatch"} if place == picked else stack for place, stack in cells.items()}
    word = "wait" if picked is None else f"pick({picked[0]},{picked[1]})"
    return Turn(board_of(cells), word, board_of(fallen(opened)))


def play(rng: random.Random, number: int, *, waits: bool) -> list[Turn]:
    """Turns on boards that are strewn anew, half of them on a hatch."""
    turns = []
    for _ in range(number):
        cells = strewn(rng)
        hatches = [place for place, stack in cells.items() if "hatch" in stack]
        picked = rng.choice(hatches) if hatches and rng.random() < 0.5 else rng.choice([*cells])
        turns.append(turn_of(cells, None if waits and rng.random() < 0.2 else picked))
    return turns


@pytest.mark.parametrize("waits", [True, False])
def test_what_a_pick_does_is_told_from_what_happens_by_itself(waits: bool) -> None:
    """From turns in which one waits; or from those in which nothing changes near what was picked."""
    rng = random.Random(5)
    turns = play(rng, 300, waits=waits)
    program = learn_afterwards(turns, structure_of(turns), (16.0,))
    assert not any(map(program.wrong, turns)) and not any(map(program.wrong, play(rng, 300, waits=waits)))


def test_what_a_button_does_everywhere_is_told_from_what_happens_by_itself() -> None:
    """All rocks become hatches and all hatches rocks; then rocks fall."""
    rng, turns, fresh = random.Random(6), list[Turn](), list[Turn]()
    for some in (turns, fresh):
        for _ in range(150):
            cells = strewn(rng)
            word = rng.choice(["wait", "press"])
            middle = cells if word == "wait" else pressed(cells)
            some.append(Turn(board_of(cells), word, board_of(fallen(middle))))
    program = learn_exchanged(turns, structure_of(turns), (16.0,))
    assert not any(map(program.wrong, turns)) and not any(map(program.wrong, fresh))


def pressed(cells: Cells) -> Cells:
    """Rocks and hatches are exchanged."""
    other = {"rock": "hatch", "hatch": "rock"}
    return {place: {other.get(name, name) for name in stack} for place, stack in cells.items()}
