"""What shares a cell inside a turn alone: who pushes goes first, or what it pushes goes with it."""

from __future__ import annotations

import random
from dataclasses import replace
from importlib import import_module
from itertools import pairwise

import pytest

from ggp.harness.learning import shell_of
from ggp.language import levels
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Episode, Turn, turns_of
from ggp.learn.eventful import vocabulary_of, with_rules
from ggp.learn.fit.program import Passes
from ggp.learn.seen.structure import Structure, structure_of
from ggp.learn.turn.crowd.meeting import meeting_inside
from ggp.learn.turn.in_parts.driven import alone, driven
from ggp.learn.turn.one_pass.events import learn_pass
from ggp.learn.whole import learn_whole
from ggp.learn.write.meanwhile import speaking_of, with_marks_meanwhile
from ggp.learn.write.senses.marking import mark_of
from ggp.model import DIRECTIONS
from ggp.watch.described import DescribedWorld
from tests.unit.learn.test_two_parts import Cells, board_of, moved, played

EMPTY: Cells = {(row, column): set() for row in range(5) for column in range(5)}


def pushed(cells: Cells, word: str) -> Cells:
    """The player steps, or pushes a crate."""
    return moved(cells, word, {"wall"}, {"crate"})


def pushes() -> tuple[list[Episode], list[Turn], Structure]:
    """Random play of it."""
    rng = random.Random(5)
    episodes = [played(pushed, {"wall": 0.2, "crate": 0.3}, rng, 6) for _ in range(40)]
    turns = list(dict.fromkeys(turns_of(episodes)))
    structure = structure_of(turns)
    assert frozenset({"player", "crate"}) in structure.apart
    return episodes, turns, structure


def in_two_passes(turns: list[Turn], structure: Structure) -> Passes:
    """The player steps onto the crate, which then goes on."""
    middles = [alone(turn, structure, "player") for turn in turns]
    pairs = list(zip(turns, middles, strict=True))
    steps = learn_pass([turn._replace(after=middle) for turn, middle in pairs], structure)
    rest = learn_pass([turn._replace(before=middle) for turn, middle in pairs], structure)
    return Passes(structure, (steps, rest))


def test_what_two_passes_bring_together_is_of_two_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one layer the rules could not be played, and the description not even be read."""
    episodes, turns, structure = pushes()
    passes = in_two_passes(turns, structure)
    assert not any(map(passes.wrong, turns))
    layered, (line,) = meeting_inside(structure, passes, turns)
    assert structure.apart - layered.apart == {frozenset({"player", "crate"})}
    assert line.startswith("crate and player share a cell inside turns")
    one_pass = passes.programs[0]
    assert meeting_inside(structure, one_pass, turns) == (structure, ())
    monkeypatch.setattr(import_module("ggp.learn.whole"), "learn_turn", lambda *_: passes)
    learned = learn_whole(episodes, "pushed")
    assert line in learned.evidence
    game, kept = read_game(write_game(learned.game, learned.levels).encode(), "pushed.toml")
    run = max(episodes, key=lambda one: sum(a != b for a, b in pairwise(one.boards())))
    (again,) = DescribedWorld(game, kept, go_on=True).play([(run.start, [one.word for one in run.steps])])
    assert again is not None and list(again.boards()) == list(run.boards())


def test_in_layers_that_are_given_one_of_two_that_meet_is_a_mark_meanwhile() -> None:
    """Else each push would end in a collision. A turn of one pass needs none."""
    episodes, turns, structure = pushes()
    shell = shell_of(levels.load_game("sokoban")[0])
    passes = in_two_passes(turns, structure)
    game = with_rules(shell, passes, turns)
    assert [kind.name for kind in game.kinds if kind.marker] == ["player-meanwhile"]
    again, kept = read_game(write_game(game, []).encode(), "again.toml")
    run = max(episodes, key=lambda one: sum(a != b for a, b in pairwise(one.boards())))
    (seen,) = DescribedWorld(again, kept, go_on=True).play([(run.start, [one.word for one in run.steps])])
    assert seen is not None and list(seen.boards()) == list(run.boards())
    assert not any(kind.marker for kind in with_rules(shell, passes.programs[0], turns).kinds)


def test_a_mark_has_the_facings_of_what_it_stands_for() -> None:
    shell = shell_of(levels.load_game("sokoban")[0])
    kinds = (replace(kind, facings=DIRECTIONS if kind.name == "crate" else ()) for kind in shell.kinds)
    shell = replace(shell, kinds=tuple(kinds))
    marks = {"crate": replace(mark_of("crate-meanwhile"), facings=DIRECTIONS)}
    begins, ends = with_marks_meanwhile(shell, marks).turn
    assert (len(begins.rules), len(ends.rules)) == (4, 4)
    told = speaking_of(marks, vocabulary_of(shell, [])).pieces
    assert (str(told["crate:up"]), str(told["wall"])) == ("crate-meanwhile:up", "wall")


def test_what_is_in_the_way_goes_with_who_comes_and_the_rest_does_not() -> None:
    structure = pushes()[2]
    before = board_of({**EMPTY, (0, 0): {"player"}, (0, 1): {"crate"}, (3, 3): {"crate"}})
    after = board_of({**EMPTY, (0, 1): {"player"}, (0, 2): {"crate"}, (3, 2): {"crate"}})
    turn = Turn(before, "right", after)
    here = {(0, 1): {"player"}, (0, 2): {"crate"}, (3, 3): {"crate"}}
    assert driven(turn, structure, "player") == board_of({**EMPTY, **here})
    here = {(0, 1): {"player", "crate"}, (3, 3): {"crate"}}
    assert alone(turn, structure, "player") == board_of({**EMPTY, **here})
    gone = turn._replace(after=board_of({**EMPTY, (0, 1): {"player"}, (3, 3): {"crate"}}))
    assert driven(gone, structure, "player") == gone.after
