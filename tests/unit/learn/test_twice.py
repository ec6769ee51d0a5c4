"""What an engine does once a turn: boards on which rules act at two places are made, and asked about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from ggp.learn.boards import Board, Episode, Step, Turn, board_of
from ggp.learn.fit.program import Program
from ggp.learn.probe.making import Sides
from ggp.learn.probe.twice import Room, twice
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.one_pass.events import learn_pass
from ggp.learn.turn.turns import learn_program
from ggp.learn.whole import Learned, learn_whole
from ggp.model.result import OutOfTime
from ggp.watch.fresh import OWN, TWICE, Played, Run
from ggp.watch.tally import Tally
from ggp.watch.trial import once, tried
from ggp.watch.verdict import Trial

CHARS = {".": [], "r": ["raft"], "c": ["coin"], "#": ["wall"], "p": ["player"]}


def board(text: str) -> Board:
    return board_of([[CHARS[char] for char in row] for row in text.split("/")])


def rafts() -> tuple[Program, list[Turn]]:
    """Rafts drift to the right and take coins; one coin at most was ever taken in a turn."""
    rows = [
        ("r..c", ".r.c"),
        (".r.c", "..rc"),
        ("..rc", "...r"),
        ("rc.#", ".r.#"),
        ("..r#", "..r#"),
        ("r..r", ".r.r"),
        ("rr.c", "r.rc"),
        ("cr#r", "cr#r"),
        (".c..", ".c.."),
        ("r.rc", ".r.r"),
        ("#r.c", "#.rc"),
        ("rcc.", ".rc."),
    ]
    turns = [Turn(board(one), None, board(other)) for one, other in rows]
    return learn_pass(turns, structure_of(turns)), turns


def taken(before: Board, after: Board | None) -> int:
    """How many coins a turn takes."""
    assert after is not None
    return sum("coin" in stack for stack in before.cells) - sum("coin" in stack for stack in after.cells)


def test_two_coins_are_taken_in_one_turn_on_boards_that_are_made() -> None:
    program, turns = rafts()
    found = twice(program, turns)
    assert max(taken(one, program.after(one, word)) for one, word in found.asked) > 1
    assert not {(turn.before, turn.word) for turn in turns} & set(found.asked)


def test_boards_stay_as_large_as_a_game_has_them() -> None:
    program, turns = rafts()
    assert any(one.width > 4 or one.height > 1 for one, _ in twice(program, turns).asked)
    for one, _ in twice(program, turns, Room(Sides(most=(1, 4)))).asked:
        assert (one.height, one.width) == (1, 4)
    edge = frozenset({frozenset({"wall"})})
    assert not twice(program, turns, Room(edge=edge)).asked  # a single row is all edge


def test_it_is_told_of_which_rules_nobody_saw_two_at_once() -> None:
    program, turns = rafts()
    found = twice(program, turns)
    nothing, all_of_them = found.places([]), found.places(one for one, _ in found.asked)
    assert nothing.left and "not known" in nothing.line
    assert not all_of_them.left and "all were seen" in all_of_them.line


def test_what_there_is_one_of_is_not_doubled() -> None:
    """A player that goes to the right beside rafts: no board has two of it."""
    program, turns = rafts()
    walked = [("p./r.", ".p/.r"), ("p#/r.", "p#/.r"), ("p.", ".p"), ("p./..", ".p/.."), (".p/..", ".p/..")]
    turns = [*turns, *(Turn(board(one), None, board(other)) for one, other in walked)]
    program = learn_pass(turns, structure_of(turns))
    asked = twice(program, turns).asked
    assert asked and all(sum("player" in stack for stack in one.cells) < 2 for one, _ in asked)


def test_what_there_is_one_of_stays_on_boards_that_are_made() -> None:
    """A player looks on while rafts drift: without one nobody knows whether they do."""
    _, turns = rafts()
    below = board("p....").cells[:4]
    both = [[Board(2, 4, (*one.cells, *below)) for one in (turn.before, turn.after)] for turn in turns]
    turns = [Turn(before, None, after) for before, after in both]
    asked = twice(learn_pass(turns, structure_of(turns)), turns).pairs
    boards = [one for pair in asked for one, _ in (pair.asked, *pair.singles)]
    assert any(pair.singles for pair in asked)
    assert all(sum("player" in stack for stack in one.cells) == 1 for one in boards)


class OneAtATime(Played):
    """An engine that takes one coin a turn, the first one, and plays nothing but what is asked of two."""

    world = None

    def __init__(self, program: Program, refuses: bool) -> None:
        self.program, self.refuses, self.beginning = program, refuses, ()

    def runs(self, turns: int) -> Iterator[Run]:
        yield from ()

    def left(self, gone: list[int], before: Board) -> list[int]:
        """Which of the coins that go by the rules it leaves."""
        return gone[1:]

    def asked(self, asked: Sequence[tuple[Board, str | None]], sort: str, further: int = 0) -> Iterator[Run]:
        for one, word in asked if sort == TWICE and not self.refuses else ():
            after = self.program.after(one, word)
            assert after is not None
            gone = [
                n
                for n, pair in enumerate(zip(one.cells, after.cells, strict=True))
                if "coin" in pair[0] - pair[1]
            ]
            left = self.left(gone, one)
            cells = [stack | {"coin"} if n in left else stack for n, stack in enumerate(after.cells)]
            yield Run(sort, Episode(one, (Step(word, after._replace(cells=tuple(cells))),)))


@pytest.mark.parametrize("refuses", [False, True])
def test_a_trial_asks_for_two_at_once_and_tells_if_nobody_answers(refuses: bool) -> None:
    """Rules that take all coins are right of each turn that was seen, and wrong of two rafts at once."""
    program, turns = rafts()
    seen = [Episode(turn.before, (Step(turn.word, turn.after),)) for turn in turns]
    learned = learn_whole(seen)
    trial = once(learned, seen, OneAtATime(program, refuses), 0, Trial(Tally()))
    assert bool(trial.wrong) is not refuses and trial.holds is refuses
    assert trial.tally.twice is not None and ("not known" in trial.tally.twice.line) is refuses
    assert bool(trial.data["twice"]["left"]) is refuses


def test_nothing_is_learned_from_what_a_game_does_once() -> None:
    """Each of the two coins is taken alone: no rule about what is near says that one is left of two."""
    program, turns = rafts()
    seen = [Episode(turn.before, (Step(turn.word, turn.after),)) for turn in turns]
    fresh = OneAtATime(program, refuses=False)
    fresh.beginning = seen
    asked: list[int] = []

    def learn(runs: list[Episode]) -> Learned:
        asked.append(len(runs))
        return learn_whole(runs)

    _, trial = tried(learn, fresh, 0)
    assert len(asked) == 1 and trial.wrong and not trial.holds and "once a turn" in trial.given_up
    (gone,) = trial.data["once"]
    assert "-coin" in gone and any(gone in one and "far from one another" in one for one in trial.lines)


class LeavesTheFirst(OneAtATime):
    """An engine that takes no coin in the first three columns of a wide board, alone or not."""

    def left(self, gone: list[int], before: Board) -> list[int]:
        return [one for one in gone if before.width > 4 and one % before.width < 3]


def test_what_is_wrong_of_one_act_alone_is_not_done_once() -> None:
    """It is not that of two coins one is left: that one is left without the other, too."""
    program, turns = rafts()
    seen = [Episode(turn.before, (Step(turn.word, turn.after),)) for turn in turns]
    learned = learn_whole(seen)
    trial = once(learned, seen, LeavesTheFirst(program, refuses=False), 0, Trial(Tally()))
    assert trial.wrong and not trial.tally.once


def test_who_slides_is_not_at_two_places_at_once() -> None:
    rows = [
        ("r...", "...r"),
        ("r..#", "..r#"),
        ("..r#", "..r#"),
        ("r#..", "r#.."),
        ("r#rr", "r#rr"),
        ("..rr", "..rr"),
    ]
    turns = [Turn(board(one), None, board(other)) for one, other in rows]
    program = learn_program(turns, structure_of(turns))
    assert isinstance(program, Program) and program.loop
    found = twice(program, turns)
    assert found.about and not found.seen
    both = [*turns, Turn(board("r#r."), None, board("r#.r")), Turn(board("r./r."), None, board(".r/.r"))]
    assert twice(program, both).seen


class Late(OneAtATime):
    """The time is over after one run."""

    def runs(self, turns: int) -> Iterator[Run]:
        yield Run(OWN, Episode(board("r..."), (Step(None, board(".r..")),)))
        raise OutOfTime


def test_a_trial_that_runs_out_of_time_tells_what_it_saw() -> None:
    program, turns = rafts()
    fresh = Late(program, refuses=False)
    fresh.beginning = [Episode(turn.before, (Step(turn.word, turn.after),)) for turn in turns]
    _, trial = tried(learn_whole, fresh, 0)
    assert "time was over" in trial.given_up and trial.turns == 1 and not trial.holds
