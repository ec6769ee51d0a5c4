"""What a mover does whatever it faces, and what movers do in crowds alone."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

import pytest

from ggp.bench.watched import differing
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Board, Turn, turns_of
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.evidence.actors import actor_of
from ggp.learn.turn.one_pass.events import by_movers
from ggp.learn.whole import learn_whole
from ggp.model import Condition
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld

# Who counts its steps and may not go back: what it does is one thing, with four facings and with five values.
WALKS = """
name = "walks"
[kinds]
wall = { layer = "solid" }
home = { layer = "floor" }
me = { layer = "solid", KIND, count = "1" }
[symbols]
"." = ""
"#" = "wall"
"h" = "home"
STARTS
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = "RULE"
[goal]
win = ["every me on home"]
LEVELS"""
MAP = '\n[[level]]\nmap = """\nA..#\n.#..\n..h.\n"""\n'
WIDE = 9
FACED = 'facing = ["up", "right", "down", "left"]', ("up", "right", "down"), "behind", " :ahead"
VALUED = "values = [1, 3]", ("1", "2", "3"), "2", ""


@pytest.mark.parametrize(("kind", "starts", "stops", "turned"), [FACED, VALUED])
def test_a_mover_does_the_same_whatever_it_faces(
    kind: str, starts: tuple[str, ...], stops: str, turned: str
) -> None:
    """It is said once, and written as it was described."""
    rule = f"step toward input: me here, no me:{stops} here, no wall ahead => me here -> ahead{turned}"
    symbols = "\n".join(f'"{char}" = "me:{one}"' for char, one in zip("ABC", starts, strict=True))
    levels = "".join(MAP.replace("A", char) for char in "ABC")
    text = WALKS.replace("KIND", kind).replace("STARTS", symbols).replace("RULE", rule)
    text = text.replace("LEVELS", levels)
    world = DescribedWorld(*read_game(text.encode(), "walks.toml"))
    episodes = list(islice(rollouts(world, random.Random(1), beside=[]), 40))
    learned = learn_whole(episodes)
    assert sum(len(part.decisions.decisions) for part in learned.program.parts) == 1
    assert not any(map(learned.program.wrong, turns_of(episodes)))
    ((written,),) = [group.rules for group in learned.game.turn]
    own = [one.pattern for one in written.conditions[:2] if isinstance(one, Condition) and one.pattern]
    assert [str(one.variant) for one in own] == ["None", stops]


def row(cells: list[str]) -> Board:
    """A board of one row."""
    return Board(1, len(cells), tuple(frozenset([one] if one else []) for one in cells))


def test_who_turns_to_where_it_goes_is_the_actor() -> None:
    """And not the crate, which looks the same before and after it is pushed."""
    pushes = [["me:left", "crate", "", ""], ["", "me:left", "crate", ""]]
    after = [[one.replace("left", "right") for one in ("", *cells[:-1])] for cells in pushes]
    turns = [Turn(row(a), "right", row(b)) for a, b in zip(pushes, after, strict=True)]
    assert actor_of(turns, structure_of(turns)) == "me"


def test_where_no_input_points_nobody_is_the_actor() -> None:
    """Walkers that fall past each other seem to go aslant, and no input points aslant."""
    before = Board(2, 2, (frozenset(["me:left"]), frozenset(), frozenset(), frozenset()))
    after = Board(2, 2, (frozenset(), frozenset(), frozenset(), frozenset(["me:left"])))
    turns = [Turn(before, None, after)]
    assert actor_of(turns, structure_of(turns)) is None


def drawn_together(cells: list[str]) -> list[str]:
    """Each crate two cells from a magnet goes to it, if the cell between is free: to the left first."""
    found = list(cells)
    for n, what in enumerate(cells):
        for step in (-1, 1):
            ahead, beyond = n + step, n + 2 * step
            near = 0 <= beyond < len(cells) and not cells[ahead] and cells[beyond] == "magnet"
            if what == found[n] == "crate" and near:
                found[n], found[ahead] = "", what
    return found


def crowds(number: int) -> Iterator[Turn]:
    """Boards of one row in which no crate is out of the others' reach."""
    rng = random.Random(3)
    while number:
        cells = [rng.choice(("", "", "", "crate", "magnet")) for _ in range(WIDE)]
        crates = [n for n, what in enumerate(cells) if what == "crate"]
        if any(all(n == m or abs(n - m) > 4 for m in crates) for n in crates):
            continue
        number -= 1
        yield Turn(row(cells), None, row(drawn_together(cells)))


def test_what_is_hardly_done_alone_is_learned_from_crowds() -> None:
    """A crate alone went right once. That they go left, too, only crowds show."""
    cells = ["crate", "", "magnet", *[""] * (WIDE - 3)]
    turns = [Turn(row(cells), None, row(drawn_together(cells))), *dict.fromkeys(crowds(60))]
    program = by_movers(turns, structure_of(turns), ["crate"], None, 16.0, 16.0)
    assert program is not None
    assert len(program.parts[0].decisions.decisions) == 2
    assert not any(map(program.wrong, crowds(300)))


def test_what_becomes_another_thing_is_learned_from_crowds() -> None:
    """A rock falls into a magic wall, and a gem comes out beyond it, where others fall, too."""
    before = ["rock", "magic", "", "rock", "", "", "rock", "", "rock", "magic", "", "rock", ""]
    after = ["", "magic", "gem", "", "rock", "", "", "rock", "", "magic", "gem", "", "rock"]
    turns = [Turn(row(before[n:]), None, row(after[n:])) for n in (0, 3, 6)]
    turns += [Turn(row(before[:n]), None, row(after[:n])) for n in (8, 13)]
    program = by_movers(turns, structure_of(turns), ["rock"], None, 16.0, 16.0)
    assert program is not None and not any(map(program.wrong, turns))
    made = [{change.thing.name for change in one.outcome} for one in program.parts[0].decisions.decisions]
    assert {"rock", "gem"} in made


SPENDS = """
spend toward input: me:$n here, no me:0 here, no wall ahead => me here -> ahead :$n - 1
rest: me here => stay
"""


def test_a_value_that_is_one_less_is_one_rule() -> None:
    """Each step costs one, whatever is left; it is written so, and read as it was described."""
    symbols = "\n".join(f'"{char}" = "me:{one}"' for char, one in zip("ABC", (3, 2, 1), strict=True))
    text = WALKS.replace("KIND", "values = [0, 3]").replace("STARTS", symbols)
    text = text.replace('"RULE"', f"'''{SPENDS}'''")
    text = text.replace("LEVELS", "".join(MAP.replace("A", char) for char in "ABC"))
    game, levels = read_game(text.encode(), "walks.toml")
    episodes = list(islice(rollouts(DescribedWorld(game, levels), random.Random(1), beside=[]), 40))
    learned = learn_whole(episodes)
    assert sum(len(part.decisions.decisions) for part in learned.program.parts) == 1
    written = write_game(learned.game, learned.levels)
    assert "me:$n here" in written and ":$n - 1" in written
    again = DescribedWorld(*read_game(written.encode(), "again.toml"), go_on=True)
    fresh = rollouts(DescribedWorld(game, levels), random.Random(7))
    assert differing(again, fresh, 60, 20.0, learned.pieces).wrong == 0
