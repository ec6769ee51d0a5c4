"""What merges, and what windows hold: told from boards of one row."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Board, Episode, Step, Turn
from ggp.learn.fit.fitting import with_ways
from ggp.learn.fit.lists import Decision, Decisions
from ggp.learn.fit.program import CELL, Part, Program
from ggp.learn.fit.questions import Test as Asked
from ggp.learn.seen.frames import Frame
from ggp.learn.seen.structure import structure_of
from ggp.learn.seen.views import Change, Seen, View
from ggp.learn.turn.crowd.merging import heedless, meetings, merging, without_meetings
from ggp.learn.turn.one_pass.events import learn_pass
from ggp.learn.whole import learn_whole
from ggp.learn.write.emit import with_program
from ggp.learn.write.vocabulary import Vocabulary
from ggp.model import InputIs
from ggp.watch.foresight import Foresight


def column(*names: str) -> Board:
    """A board of one column."""
    return Board(len(names), 1, tuple(frozenset(name.split()) for name in names))


@pytest.mark.parametrize(
    ("patch", "between"),
    [
        ({(0, 0), (1, 0), (3, 0)}, {(2, 0)}),
        ({(0, -4)}, {(0, -1), (0, -2), (0, -3)}),
        ({(2, 1), (1, 1)}, set()),
    ],
)
def test_a_window_has_what_lies_on_the_way(
    patch: set[tuple[int, int]], between: set[tuple[int, int]]
) -> None:
    assert with_ways(frozenset(patch)) == patch | between | ({(1, 0)} if (3, 0) in patch else set())


def test_what_grows_to_where_it_is_merges_and_what_moves_on_does_not() -> None:
    turns = [
        Turn(column("vine", "", "", "wall"), None, column("vine", "vine", "", "wall")),
        Turn(column("vine", "vine", "", "wall"), None, column("vine", "vine", "vine", "wall")),
        Turn(column("vine", "vine", "vine", "wall"), None, column("vine", "vine", "vine", "wall")),
        Turn(column("wall", "vine", "wall"), None, column("wall", "vine", "wall")),
    ]
    structure = structure_of(turns)
    boards = [board for turn in turns for board in (turn.before, turn.after)]
    assert merging(boards, turns, learn_pass(turns, structure), structure) == {"vine"}
    fall = [
        Turn(column("rock", "", "wall"), None, column("", "rock", "wall")),
        Turn(column("rock", "rock", "", "wall"), None, column("", "rock", "rock", "wall")),
        Turn(column("", "rock", "rock", "wall"), None, column("", "rock", "rock", "wall")),
    ]
    structure = structure_of(fall)
    boards = [board for turn in fall for board in (turn.before, turn.after)]
    assert not merging(boards, fall, learn_pass(fall, structure), structure)


def test_where_nothing_merges_nothing_is_put_where_it_stands() -> None:
    turns = [
        Turn(column("vine", "", "", "wall"), None, column("vine", "vine", "", "wall")),
        Turn(column("vine", "vine", "", "wall"), None, column("vine", "vine", "vine", "wall")),
        Turn(column("vine", "vine", "vine", "wall"), None, column("vine", "vine", "vine", "wall")),
        Turn(column("wall", "vine", "wall"), None, column("wall", "vine", "wall")),
    ]
    program = learn_pass(turns, structure_of(turns))
    parted = without_meetings(program, turns, lambda token: False)
    assert any(one.stood for turn in turns for one in meetings(program, turn))
    assert not any(one.stood for turn in turns for one in meetings(parted, turn))
    assert not any(map(parted.wrong, turns))
    assert without_meetings(program, turns, "vine".__eq__) == program


def test_what_else_a_rule_does_is_still_done_where_a_thing_stands() -> None:
    """The seed goes, whether a vine stands above it or comes there."""
    turns = [
        Turn(column("", "seed"), None, column("vine", "")),
        Turn(column("vine", "seed"), None, column("vine", "")),
        Turn(column("vine", ""), None, column("vine", "")),
    ]
    structure = structure_of(turns)
    view = View(Frame("none"), structure)
    gone, come = Change("-", (0, 0), Seen("seed")), Change("+", (0, -1), Seen("vine"))
    decisions = Decisions(((0, 0), (0, -1)), (Decision((), (come, gone)),), 1.0)
    program = Program(structure, (Part("seed", view, decisions),))
    assert not any(map(program.wrong, turns))
    parted = without_meetings(program, turns, lambda token: False)
    assert parted != program and not any(map(parted.wrong, turns))


def test_what_nothing_comes_of_is_no_input_and_has_no_rule() -> None:
    """That an input is not this one is said as all others, of which some are none of the game's."""
    off, on = column("off"), column("on")
    seen = [("go", on), ("hop", on), ("stop", off), ("noop", off)]
    learned = learn_whole([Episode(off, (Step(word, board),)) for word, board in seen], name="lamp")
    part = learned.program.parts[0]
    decision = part.decisions.decisions[0]
    any_but_stop = decision._replace(tests=(*decision.tests, Asked((0, 0), word="stop", wanted=False)))
    decisions = replace(part.decisions, decisions=(any_but_stop,))
    program = replace(learned.program, parts=(replace(part, words=None, decisions=decisions),))
    words = Vocabulary(learned.pieces, None, {}, frozenset())
    game = with_program(replace(learned.game, turn=(), classes=()), program, words)
    asked = {one.word for rule in game.turn[0].rules for one in rule.conditions if isinstance(one, InputIs)}
    assert asked == {"go", "hop"}


def test_what_comes_everywhere_is_a_rule_that_is_read_again() -> None:
    """It asks nothing, since what is otherwise was told by decisions before it."""
    bare, grown = column("", "seed"), column("vine", "seed vine")
    learned = learn_whole([Episode(bare, (Step(None, grown),))], name="everywhere")
    view = View(Frame("none"), learned.structure)
    come = Decision((), (Change("+", (0, 0), Seen("vine")),))
    program = Program(learned.structure, (Part(CELL, view, Decisions(((0, 0),), (come,), 1.0)),))
    words = Vocabulary(learned.pieces, None, {}, frozenset())
    game = with_program(replace(learned.game, turn=(), physics=(), classes=()), program, words)
    read, _ = read_game(write_game(game).encode(), "everywhere.toml")
    assert [rule.effects for phase in (*read.turn, *read.physics) for rule in phase.rules] == [
        rule.effects for phase in (*game.turn, *game.physics) for rule in phase.rules
    ]


def test_who_may_only_wait_has_no_inputs() -> None:
    """The game runs by itself; an input that leaves nothing to choose would not be read again."""
    learned = learn_whole([Episode(column("off"), (Step("wait", column("on")),))], name="lamp")
    read, _ = read_game(write_game(learned.game).encode(), "lamp.toml")
    assert read.input is None and read.physics


@pytest.mark.parametrize("minding", [False, True])
def test_who_goes_on_whoever_is_there_comes_to_one_cell_with_its_like(minding: bool) -> None:
    """Nobody saw two carts come to one cell from both sides; where each waits for the other none can."""
    before = column("cart:right", "", "cart:left")
    structure = structure_of([Turn(before, None, column("", "cart:right", "cart:left"))])
    me, asked = Seen("cart", "ahead"), Asked((1, 0), frozenset({Seen("cart", "behind")}), wanted=False)
    on = Decision((asked,) if minding else (), (Change("+", (1, 0), me), Change("-", (0, 0), me)))
    view = View(Frame("facing", mirrored=True), structure)
    program = Program(structure, (Part("cart", view, Decisions(((0, 0), (1, 0)), (on,), 1.0)),))
    assert heedless(program) == (frozenset() if minding else {"cart"})
    assert merging([before], [], program, structure) == (frozenset() if minding else {"cart"})


@pytest.mark.parametrize("wanted", [True, False])
def test_a_rule_asks_for_its_like_that_looks_elsewhere_in_the_same_cell(wanted: bool) -> None:
    """A cart goes on where it met one that looks back (or where it did not), as its description says."""
    alone, met = column("cart:left", ""), column("cart:left cart:right", "")
    learned = learn_whole([Episode(one, (Step(None, one),)) for one in (alone, met)], name="carts")
    me, like = Seen("cart", "ahead"), frozenset({Seen("cart", "behind")})
    gone = Decision((Asked((0, 0), like, wanted=wanted),), (Change("-", (0, 0), me),))
    view = View(Frame("facing", mirrored=True), learned.structure)
    program = Program(learned.structure, (Part("cart", view, Decisions(((0, 0),), (gone,), 1.0)),))
    words = Vocabulary(learned.pieces, None, {}, frozenset())
    game = with_program(replace(learned.game, turn=(), physics=(), classes=()), program, words)
    foresight = Foresight(replace(learned, game=game, program=program))
    for board in (alone, met):
        (said,) = foresight.of(Episode(board, (Step(None, board),)))
        assert said.board == program.after(board, None)
        assert (said.board == column("", "")) == (wanted == (board is met))
