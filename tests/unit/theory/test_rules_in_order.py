"""Rules in scan order are found that say all turns of a PuzzleScript game, and fresh ones as written."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from ggp.engines import puzzlescript as engine
from ggp.errors import NotLearned
from ggp.harness.from_play import learner_for
from ggp.language.description import read_game, write_game
from ggp.learn.boards import Board, Episode, Turn, turns_of
from ggp.learn.boards import Step as Made
from ggp.learn.turn.ways import Ways
from ggp.learn.whole import Learned
from ggp.watch import rollouts
from ggp.watch.foresight import Foresight
from ggp.watch.puzzlescript import PuzzleScriptWorld
from ggp.watch.theory.learning import TheoryFirst, theory_first
from ggp.watch.theory.puzzlescript import written
from ggp.watch.theory.puzzlescript.fixes import holds
from ggp.watch.theory.puzzlescript.learning import ByRules
from ggp.watch.theory.puzzlescript.naming import Naming
from ggp.watch.theory.puzzlescript.questions import questions
from ggp.watch.theory.puzzlescript.rules import Cell, Rule, Theory
from ggp.watch.theory.puzzlescript.scenes import Scene, parts_of
from ggp.watch.theory.puzzlescript.sorting import things_of
from ggp.watch.theory.puzzlescript.things import Endless, Things
from ggp.watch.theory.puzzlescript.weighing import Step, Weighed
from ggp.watch.theory.puzzlescript.written import Told
from tests.slow import more_of, slow_unless
from tests.unit.theory import test_rules_from_rules

pytestmark = pytest.mark.skipif(engine.missing("") is not None, reason="there is no PuzzleScript engine")

OBJECTS = """title t

========
OBJECTS
========

Background
black

Wall
gray

Player
blue

Crate
brown

Gem
yellow

Vane
red

Seed
white

=======
LEGEND
=======

. = Background
# = Wall
P = Player
C = Crate
* = Gem
W = Vane
S = Seed

=======
SOUNDS
=======

================
COLLISIONLAYERS
================

Background
Gem
Player, Wall, Crate, Vane, Seed

======
RULES
======

"""
GEMS = (
    OBJECTS
    + """[ > Player | Crate | no Gem ] -> [ > Player | > Crate | ]
late [ Player Gem ] -> [ Player ]

==============
WINCONDITIONS
==============

No Gem

=======
LEVELS
=======

#######
#P.C.*#
#.C...#
#..*..#
#######

######
#*C..#
#.P.C#
#..*.#
######
"""
)
"""A crate is not pushed onto a gem, and a gem is taken by who walks over it."""
WIND = (
    OBJECTS
    + """[ > Player | Vane ] [ Seed ] -> [ Player | Vane ] [ right Seed ]
late [ Seed | Crate ] -> [ Seed | ]

==============
WINCONDITIONS
==============

No Crate

=======
LEVELS
=======

#######
#.....#
#.S..C#
#.P.W.#
#######

######
#S..C#
#.WP.#
#S...#
######
"""
)
"""Who bumps into the vane sends the seeds to the right; a crate next to one is gone."""


@cache
def world(text: str, folder: Path) -> PuzzleScriptWorld:
    file = folder / "game.txt"
    file.write_text(text, encoding="utf-8")
    return PuzzleScriptWorld(file)


@cache
def watched(text: str, folder: Path) -> list[Episode]:
    return list(islice(rollouts(world(text, folder), random.Random(0)), 25))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("games")


def nothing_else(episodes: Sequence[Episode], name: str, ways: Ways) -> Learned:
    """No other way to learn."""
    raise NotLearned("nothing else is tried")


@pytest.mark.parametrize("text", slow_unless([GEMS], [GEMS, WIND]), ids=["gems", "wind"])
def test_rules_are_found_and_what_is_written_says_fresh_turns(text: str, folder: Path) -> None:
    learned = theory_first("puzzlescript", nothing_else)(watched(text, folder), "game", Ways())
    written, _ = read_game(write_game(learned.game, learned.levels).encode(), "game.toml")
    assert written.scan == learned.game.scan  # what is read is what was tried
    foresight = Foresight(learned)
    fresh = list(islice(rollouts(world(text, folder), random.Random(5)), 40))
    told = [one for episode in fresh for one in foresight.of(episode)]
    assert len(told) > 200
    assert sum(not one.agrees for one in told) <= 0.02 * len(told)  # what was never seen may be otherwise
    assert sum(one.wrong for one in told) == 0


def test_worlds_say_whether_such_rules_are_looked_for(folder: Path) -> None:
    learner = learner_for(None, "all", world(GEMS, folder))
    assert isinstance(learner, TheoryFirst)
    assert isinstance(learner.by_theory, ByRules)


@more_of(
    test_rules_from_rules.test_boards_are_asked_for_that_tell_whether_somebody_must_move,
    test_rules_from_rules.test_which_direction_comes_first_is_asked_where_nobody_saw_it,
)
def test_questions_find_out_a_rule_that_asks_for_too_much(folder: Path) -> None:
    """A rule asks for a wall somewhere, and there is one on all boards that are shown: that is found out."""
    episodes = watched(GEMS, folder)
    naming = Naming(episodes)
    turns = list(dict.fromkeys(turns_of(map(naming.episode, episodes))))[:50]
    things = Things([("player", "wall", "crate"), ("gem",)], ("player",))
    pushed = rule(
        [((">", "player"),), (("", "crate"),), (("no", "gem"),)], [((">", "player"),), ((">", "crate"),), ()]
    )
    taken = rule([(("", "player"), ("", "gem"))], [(("", "player"),)])._replace(late=True)
    right = Theory((pushed,), (taken,))
    assert not Weighed(turns, things, right).wrong
    push = pushed
    walled = push._replace(left=(*push.left, ((("", "wall"),),)), right=(*push.right, ((("", "wall"),),)))
    theory = Theory(tuple(walled if rule == push else rule for rule in right.early), right.late)
    with_walls = [turn for turn in turns if any("wall" in stack for stack in turn.before.cells)]
    assert not Weighed(with_walls, things, theory).wrong
    asked = questions(theory, things, with_walls)
    assert any(not says(theory, things, board, word, folder) for board, word in asked)
    assert all(says(right, things, board, word, folder) for board, word in asked)


def says(theory: Theory, things: Things, board: Board, word: str | None, folder: Path) -> bool:
    """Is what a theory says of a turn what comes of it?"""
    (episode,) = world(GEMS, folder).play([(board, [word])])
    if episode is None:
        return True
    scene = Scene(Turn(board, word, episode.steps[0].after), things)
    return scene.said(parts_of(theory, scene.table)).after == scene.after


def test_who_has_won_is_asked_of_turns_and_not_of_boards(folder: Path) -> None:
    """A level is won by a turn: of a board alone it is not told, and is not held against the goal."""
    episodes = watched(GEMS, folder)
    pushed = rule(
        [((">", "player"),), (("", "crate"),), (("no", "gem"),)], [((">", "player"),), ((">", "crate"),), ()]
    )
    taken = rule([(("", "player"), ("", "gem"))], [(("", "player"),)])._replace(late=True)
    things = Things([("player", "wall", "crate"), ("gem",)], ("player",))
    foresight = Foresight(
        Told(Theory((pushed,), (taken,)), things, Naming(episodes), "gems").goal_anew(episodes)
    )
    won = [one for one in episodes if any(step.won for step in one.steps)]
    assert won
    assert all(foresight.flags_of_board(step) == [] for one in won for step in one.steps)
    told = [one for episode in won for one in foresight.of(episode)]
    assert sum(one.flags for one in told) > 0
    assert sum(one.wrong for one in told) == 0


def test_a_goal_that_no_win_condition_says_is_doubted(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    episodes = watched(GEMS, folder)
    things = Things([("player", "wall", "crate"), ("gem",)], ("player",))
    told = Told(Theory(), things, Naming(episodes), "gems")
    learned = told.goal_anew(episodes)
    assert learned.game.scan is not None
    assert learned.game.scan.goals
    assert learned.speaks_of
    monkeypatch.setattr(written, "goal_of", lambda *_: None)
    learned = told.goal_anew(episodes)
    assert learned.game.scan is not None
    assert not learned.game.scan.goals
    assert (learned.game.goal.terms, learned.speaks_of, learned.doubt) == ((), (), written.UNSAID)


def test_a_warning_of_the_compiler_is_no_fault(folder: Path) -> None:
    """`V` is a word of PuzzleScript: its compiler says that such a name should not be, and goes on."""
    head, maps = GEMS.split("LEVELS")
    text = (
        head.replace("C = Crate", "V = Crate").replace("W = Vane", "C = Vane")
        + "LEVELS"
        + maps.replace("C", "V")
    )
    assert text != GEMS
    assert world(text, folder).levels() == world(GEMS, folder).levels()


def test_who_plays_and_what_shares_no_cell_is_seen(folder: Path) -> None:
    things = things_of(list(turns_of(watched(GEMS, folder))))
    assert things.player == ("player",)
    (first,) = [layer for layer in things.layers if "player" in layer]
    assert {"player", "wall", "crate"} <= set(first)


def rule(left: Sequence[Cell], right: Sequence[Cell]) -> Rule:
    """A rule of one row."""
    return Rule((tuple(left),), (tuple(right),))


def scene(left: str, word: str | None) -> Scene:
    """A turn on a row of things on one layer, of which `a` plays."""
    board = Board(1, len(left), tuple(frozenset({one} - {"."}) for one in left))
    return Scene(Turn(board, word, board), Things([("a", "b")], ("a",)))


def test_a_rule_that_goes_on_without_end_is_none() -> None:
    round_and_round = rule([(("", "b"),)], [((">", "b"),)])
    one = scene("ab.", None)
    with pytest.raises(Endless):
        one.said(parts_of(Theory((round_and_round,)), one.table))
    weighed = Weighed([one.turn], one.table.things, Theory())
    assert weighed.after(Step(round_and_round, (False, 0), 0), 0) is None


def test_a_rule_that_other_layers_do_not_allow_does_nothing_and_keeps_its_place() -> None:
    both = rule([(("", "a"), ("", "b"))], [(("", "a"),)])
    push = rule([((">", "a"),), (("", "b"),)], [((">", "a"),), ((">", "b"),)])
    one = scene("ab.", "right")  # `a` and `b` are on one layer
    weighed = Weighed([one.turn], one.table.things, Theory((both, push)))
    assert len(weighed.said[0].early) == 3
    assert one.table.board(weighed.said[0].after).cells == (frozenset(), frozenset({"a"}), frozenset({"b"}))


def test_what_is_marked_is_seen_in_between() -> None:
    push = rule([((">", "a"),), (("", "b"),)], [((">", "a"),), ((">", "b"),)])
    one = scene("ab.", "right")
    said = one.said(parts_of(Theory((push,)), one.table))
    assert holds(said.early[0], one.table, 1) == [("", "b")]
    assert holds(said.early[1], one.table, 1) == [("right", "b")]
    assert one.table.board(said.after).cells == (frozenset(), frozenset({"a"}), frozenset({"b"}))
    assert str(push) == "[ > a | b ] -> [ > a | > b ]"


def test_a_turn_that_is_undone_is_so_from_where_that_is_known() -> None:
    walk = rule([((">", "a"),)], [((">", "a"),)])._replace(cancel=True)
    one = scene("ab.", "left")
    said = one.said(parts_of(Theory((walk,)), one.table))
    assert said.after == one.before
    assert said.undone == (False, 1)
    other = one.otherwise(said, parts_of(Theory((walk,)), one.table), (False, 0), 1, ())
    assert other == one.before  # there is an edge, too
    two = scene(".a", "left")
    said = two.said(parts_of(Theory((walk,)), two.table))
    parts = parts_of(Theory((walk,)), two.table)
    assert two.table.board(two.otherwise(said, parts, (False, 0), 1, ())).cells[0] == {"a"}


def test_what_stands_on_no_board_of_a_turn_is_no_matter_of_rules() -> None:
    one, other = (Board(1, 2, (frozenset({name}), frozenset())) for name in ("a", "b"))
    moved = Board(1, 2, (frozenset(), frozenset({"a"})))
    run = Episode(one, (Made("right", moved),), None, False, "x")
    with pytest.raises(NotLearned, match="of which no turn was seen"):
        ByRules()([run, Episode(other, (), None, False, "x")], "x")


def test_where_nothing_stands_there_are_no_rules() -> None:
    empty = Board(1, 2, (frozenset(), frozenset()))
    with pytest.raises(NotLearned, match="nothing stands"):
        ByRules()([Episode(empty, (Made("right", empty),), None, False, "x")], "x")


def test_names_are_such_as_rules_can_speak_of() -> None:
    board = Board(1, 2, (frozenset({"Up"}), frozenset({"up", "été"})))
    naming = Naming([Episode(board, (), None, False, "x")])
    names = set(naming.names.values())
    assert len(names) == 3
    assert all(name == name.lower() and name != "up" for name in names)
    written = naming.written(board)
    assert written is not None
    assert naming.translated(written) == board
