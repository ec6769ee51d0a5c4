"""What was only watched is a claim: it is held against fresh play, and what it did not foresee is told."""

from __future__ import annotations

import math
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import islice, product
from pathlib import Path
from time import sleep
from typing import Any, NoReturn

import pytest

from ggp.harness.from_play import Watched, before_rules, learn_and_try
from ggp.language import levels
from ggp.language.description import read_game
from ggp.learn.boards import Board, Episode, Step, Turn, board_of, turns_of
from ggp.learn.fit.program import Program, one_pass
from ggp.learn.fit.toil import spend
from ggp.learn.probe import challenges as asking
from ggp.learn.probe.challenges import Contents, challenges
from ggp.learn.probe.contexts import contexts_of
from ggp.learn.probe.goal_questions import goal_questions
from ggp.learn.probe.rivals import Rivals, another, cellular, made, rivals, subjects_of
from ggp.learn.probe.wishes import nearly, wished
from ggp.learn.record import write_episodes
from ggp.learn.seen.attached import Attached
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.one_pass.events import learn_pass
from ggp.learn.whole import Learned, learn_whole
from ggp.model import Instance
from ggp.model.result import Clock, OutOfTime
from ggp.referee.semantics import initial_state, is_goal
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld
from ggp.watch.foresight import Foresight
from ggp.watch.fresh import AIMED, ASKED, EVERY, MADE, TORN, HeldBack, Played, Run
from ggp.watch.tally import Tally, hold
from ggp.watch.trial import AGAIN, once, tried, with_trial
from ggp.watch.usual import Usual, twice_on
from ggp.watch.verdict import Trial, at_most
from tests.commands import Ask
from tests.in_one_pass import learn_in_one_pass
from tests.slow import few_or_many, more_of, slowly
from tests.unit.learn import test_loops

STAIRS = Path(__file__).parents[2] / "data" / "variants" / "push-two.toml"


def world_of(name: str) -> DescribedWorld:
    """A game as a world; also the variant in which crates are pushed in twos."""
    if name == "two":
        return DescribedWorld(*read_game(STAIRS.read_bytes(), str(STAIRS)))
    return DescribedWorld(*levels.load_game(name))


def play(name: str, number: int, seed: int = 0) -> tuple[list[Episode], Played]:
    """So many roll-outs, and fresh play."""
    world, beside = world_of(name), list[Episode]()
    source = rollouts(world, random.Random(seed), beside=beside)
    episodes = list(islice(source, number))
    return episodes, Played(world, episodes, source, beside, random.Random(seed + 1))


class Shown(HeldBack):
    """Some runs to learn from, and others as what is fresh."""

    def __init__(self, beginning: list[Episode], fresh: list[Episode]) -> None:
        self.beginning, self.kept = beginning, fresh


@cache
def sokoban() -> tuple[list[Episode], Learned]:
    """Roll-outs of sokoban, and what is learned of them."""
    episodes, _ = play("sokoban", 60)
    return episodes, learn_in_one_pass(episodes, "sokoban")


# --- the trial ----------------------------------------------------------------------------------------------


def test_right_rules_foresee_fresh_play_on_boards_of_both_sorts() -> None:
    _, fresh = play("sokoban", 60)
    learned, trial = tried(lambda runs: sokoban()[1], fresh, 120)
    assert trial.holds and trial.turns > 100 and len(trial.tally.turns) == 4
    played = trial.turns - trial.tally.turns[ASKED] - trial.tally.turns[AIMED]
    assert 2.9 / played < trial.bound < 3 / played  # the rule of three
    assert learned.evidence[0] == (
        f"trial: {trial.turns} of {trial.turns} fresh turns agree "
        + f"({', '.join(f'{n} of {n} {sort}' for sort, n in trial.tally.turns.items())})"
    )


def test_fresh_boards_are_also_made_by_who_starts_over() -> None:
    """Who goes on where things vanish makes boards that are emptier from run to run."""
    world = world_of("sokoban")
    fresh = Played(world, (), iter(()), [], random.Random(0))
    runs = [run for run in fresh.runs(300) if run.sort == MADE]
    own = set(world.levels())
    made = [run.episode.start for run in runs if run.episode.start not in own]
    assert sum(len(run.episode.steps) for run in runs) >= 100
    assert len(set(made)) > 5 and any("crate" in stack for board in made for stack in board.cells)


@few_or_many("again", 2, AGAIN)
def test_wrong_rules_are_found_out_and_the_first_turn_is_drawn(
    again: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was learned of another game is held against this one, and learning brings nothing else."""
    monkeypatch.setattr("ggp.watch.trial.AGAIN", again)
    _, fresh = play("two", 10, seed=1)
    learned, trial = tried(lambda runs: sokoban()[1], fresh, 60)
    assert trial.wrong > 0 and not trial.holds and trial.relearned == again and trial.back > again
    first = trial.tally.first
    assert first is not None and first.board != first.turn.after
    drawn = next(line for line in learned.evidence if line.startswith("trial: first to differ"))
    assert f"input {first.turn.word}" in drawn and "crate" in drawn
    assert any("nothing was learned" in line for line in learned.evidence)
    assert (
        trial.data["agree"] == trial.turns - trial.wrong and trial.data["first"]["input"] == first.turn.word
    )


def test_where_the_description_alone_is_wrong_again_that_is_said() -> None:
    """The rules are right, and one of them is lost when they are written."""

    def learn(runs: Sequence[Episode]) -> Learned:
        learned = learn_in_one_pass(runs, "sokoban")
        return replace(learned, game=replace(learned.game, turn=()))

    _, fresh = play("sokoban", 60)
    learned, trial = tried(learn, fresh, 100)
    assert trial.wrong and not trial.holds and trial.relearned == 1
    assert any("what is written of them does not" in line for line in learned.evidence)


def test_what_was_not_foreseen_is_learned_from() -> None:
    _, fresh = play("sokoban", 4)

    def learn(runs: Sequence[Episode]) -> Learned:
        return learn_in_one_pass(runs, "sokoban")

    learned, trial = tried(learn, fresh, 300)
    assert trial.holds and trial.relearned > 0 and trial.back > 0
    (line,) = [line for line in learned.evidence if line.startswith("trial: learned anew")]
    assert f"from {trial.back} run" in line


def test_learning_anew_that_takes_too_long_is_given_up() -> None:
    _, fresh = play("two", 20, seed=1)

    def learn(runs: Sequence[Episode]) -> Learned:
        if list(runs) != list(fresh.beginning):
            spend(11.0)
        return sokoban()[1]

    _, trial = tried(learn, fresh, 300, work=10.0)
    assert trial.relearned == 0 and trial.wrong > 0 and "takes too long to find rules" in trial.given_up


@pytest.mark.parametrize(("limit", "again"), [(None, False), slowly((600.0, True))])
def test_a_limit_that_was_given_is_the_only_one(
    limit: float | None, again: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, fresh = play("sokoban", 4)
    monkeypatch.setattr("ggp.watch.trial.WORK", -1.0)
    watched = Watched(fresh.beginning, "sokoban", fresh)
    _, trial = learn_and_try(watched, learn_in_one_pass, 300, Clock(limit))
    assert trial is not None and (trial.relearned > 0) == again


@pytest.mark.parametrize("late", ["in the trial", "while learning anew"])
def test_a_trial_for_which_there_is_no_time_does_not_hold(late: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rules that there were are kept, with what was found of them: here they are of another game."""
    _, fresh = play("two", 20, seed=1)

    def over(*asked: object) -> NoReturn:
        raise OutOfTime

    def learn(runs: Sequence[Episode]) -> Learned:
        return sokoban()[1] if list(runs) == list(fresh.beginning) else over()

    if late == "in the trial":
        monkeypatch.setattr("ggp.watch.trial.once", over)
    learned, trial = tried(learn, fresh, 300)
    assert learned.program is sokoban()[1].program and not trial.holds
    assert (trial.wrong > 0) == (late == "while learning anew")
    assert any("the time was over" in one for one in learned.evidence)


def test_rules_are_not_lost_where_the_alarm_would_ring_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine it takes longer than until the next alarm to say that the time was over."""
    _, fresh = play("two", 4, seed=1)
    learned = sokoban()[1]

    def slowly(*asked: Any) -> Learned:
        sleep(0.2)
        return with_trial(*asked)

    monkeypatch.setattr("ggp.tasks.alarm.AGAIN", 0.05)
    monkeypatch.setattr("ggp.watch.trial.with_trial", slowly)
    monkeypatch.setattr("ggp.watch.trial.once", lambda *asked: sleep(9.0))
    watched, clock = Watched(fresh.beginning, "two", fresh), Clock(0.1)
    with before_rules(clock):
        found, trial = learn_and_try(watched, lambda runs, name: learned, 300, clock)
    assert found.program is learned.program and trial is not None and not trial.holds


def test_a_turn_that_was_learned_from_is_not_fresh() -> None:
    episodes, learned = sokoban()

    shown, trial = tried(lambda runs: learned, Shown(episodes, episodes), 300)
    assert trial.turns == 0 and trial.bound == 1.0
    assert "there were no fresh turns" in shown.evidence[0]


EXITS = """
name = "exits"
[kinds]
player = { layer = "solid", count = "1" }
exit = { layer = "floor" }
[symbols]
"." = ""
"@" = "player"
"x" = "exit"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = "step: player here, inside ahead => player here -> ahead"
[goal]
win = ["some player on exit"]
[[level]]
horizon = 20
map = "@..x"
"""


def test_one_exit_on_every_board_leaves_open_whether_all_are_asked_for() -> None:
    """So a board with two is made: with the player on one, "every exit on player" says something else."""
    world = DescribedWorld(*read_game(EXITS.encode(), "exits.toml"))
    (board,) = world.levels()

    def exits(board: Board) -> int:
        return sum("exit" in stack for stack in board.cells)

    seen = world.play([(board, ["right", "right", "left", "right", "right"]), (board, ["up", "left"])])
    episodes = [one for one in seen if one is not None]
    asked = goal_questions(episodes, structure_of([*turns_of(episodes)]))
    assert exits(board) == 1 and {exits(made) for made, _ in asked} == {2}


def test_what_was_not_there_when_it_was_won_may_be_asked_for_too() -> None:
    """The last large weed went when no small one was left: would it have been won with one?"""

    def board(*cells: str) -> Board:
        return board_of([[cell.split() for cell in cells]])

    won = Episode(board("@", "large", ""), (Step("right", board("", "@", ""), won=True),))
    other = Episode(board("@", "", "small"), (Step("right", board("", "@", "small")),))
    structure = structure_of([*turns_of([won, other])])
    assert (board("@", "large", "small"), "right") in nearly([won, other], structure, "@", random.Random(0))


@pytest.mark.parametrize("dies", [True, False])
def test_whether_it_is_won_without_a_player_is_asked_where_the_last_one_may_go(dies: bool) -> None:
    """Every crate is home, and the last player left the board: is that won?"""

    def board(*cells: str) -> Board:
        return board_of([[cell.split() for cell in ("crate home", "crate", "home", *cells, "pit")]])

    begun, stepped, gone = board("", "player"), board("player", ""), board("", "")
    steps = [("left", stepped), ("right", begun), ("right", gone if dies else begun)]
    pushed = Step("right", board("", "player", "crate"), won=False)
    episodes = [
        Episode(begun, tuple(Step(word, after, won=False) for word, after in steps), won=False),
        Episode(board("player", "crate", ""), (pushed,), won=False),
    ]
    asked = goal_questions(episodes, structure_of([*turns_of(episodes)]))
    without = [board for board, _ in asked if not any("player" in stack for stack in board.cells)]
    assert asked and bool(without) == dies


def test_goals_are_asked_about_on_boards_that_turns_end_with() -> None:
    """A small weed beside water is a large one by then, and goals that speak of small ones agree again."""
    world = DescribedWorld(*read_game(EXITS.encode(), "exits.toml"))
    seen = [one for one in world.play([(world.levels()[0], ["right", "right", "right"])]) if one]
    structure, end = structure_of([*turns_of(seen)]), seen[0].steps[-1].after
    assert goal_questions(seen, structure) and not goal_questions(seen, structure, foresee=lambda *_: end)


COLOURS = """
name = "colours"
[kinds]
player = { layer = "solid", count = "1" }
red = { layer = "solid" }
blue = { layer = "solid" }
home = { layer = "floor" }
base = { layer = "floor" }
[classes]
box = ["red", "blue"]
[symbols]
"." = ""
"@" = "player"
"r" = "red"
"b" = "blue"
"h" = "home"
"s" = "base"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = '''
push: player here, $box ahead, no box ahead.ahead => $box ahead -> ahead.ahead, player here -> ahead
step: player here, no box ahead => player here -> ahead
'''
[goal]
win = ["every home on red", "every base on blue"]
[[level]]
horizon = 20
map = "h...r@b...s"
"""


def test_where_no_board_was_won_several_wishes_are_granted_at_once() -> None:
    """Two kinds of crates are never both at home by chance."""
    world = DescribedWorld(*read_game(COLOURS.encode(), "colours.toml"))
    seen = [one for one in world.play([(world.levels()[0], ["right", "left", "left"])]) if one]
    assert not any(step.won for one in seen for step in one.steps)
    asked = goal_questions(seen, structure_of([*turns_of(seen)]))
    assert {sum("player" in stack for stack in board.cells) for board, _ in asked} <= {0, 1}
    played = world.play([(board, [word]) for board, word in asked])
    assert any(step.won for one in played if one is not None for step in one.steps)


@more_of(
    test_right_rules_foresee_fresh_play_on_boards_of_both_sorts,
    test_one_exit_on_every_board_leaves_open_whether_all_are_asked_for,
    test_where_no_board_was_won_several_wishes_are_granted_at_once,
)
def test_goals_that_play_does_not_tell_apart_are_told_apart_by_boards_that_are_made() -> None:
    """No crate ever came to a target in these, so that none is left says as much."""
    episodes, fresh = play("sokoban", 30)
    first = learn_in_one_pass(episodes, "sokoban")
    assert first.goal is not None and first.goal.claims[0].text == "count crate = 0"
    learned, trial = tried(lambda runs: learn_in_one_pass(runs, "sokoban"), fresh, 100)
    assert trial.holds and trial.relearned == 1 and AIMED in trial.tally.turns
    assert learned.goal is not None and [one.text for one in learned.goal.claims] == ["every crate on target"]


def test_all_of_a_thing_may_be_wished_to_be_what_it_was_seen_to_become() -> None:
    """In other engines a floor cannot be taken away, but all of it may be painted."""

    def board(*cells: str) -> Board:
        return board_of([[cell.split() for cell in cells]])

    row = [board("wet @", "dry", "dry", "dry"), board("wet", "wet @", "dry", "dry")]
    runs = [Episode(row[0], (Step("right", row[1]),))]
    wishes = list(wished(runs, structure_of([*turns_of(runs)]), "@", random.Random(0)))
    assert board("wet @", "wet", "wet", "wet") in wishes
    assert all(any("@" in stack for stack in one.cells) for one in wishes)


def test_what_is_made_for_the_goal_and_no_play_leads_to_is_not_held_against_rules() -> None:
    episodes, learned = sokoban()
    start = episodes[0].start
    empty = start._replace(cells=(frozenset(),) * len(start.cells))
    run = Run(AIMED, Episode(start, (Step("up", empty),)))
    cells, several = set(start.cells), twice_on(start)
    assert several
    for usual, aside in ((Usual(set(), several), 1), (Usual(cells), 1), (Usual(cells, several), 0)):
        tally = Tally(usual=usual)
        hold(Foresight(learned), [run], set(), tally)
        assert (tally.aside, len(tally.against), tally.turns.total()) == (aside, 1 - aside, 1 - aside)


def test_many_turns_that_were_left_out_weaken_the_verdict() -> None:
    few, many = (Trial(Tally(turns=Counter({MADE: 95}), aside=aside)) for aside in (5, 6))
    assert (few.verdict, few.lines[0][:22]) == ("holds", "trial: 95 of 95 fresh ")
    assert (many.verdict, many.data["verdict"]) == ("holds where play leads",) * 2
    assert many.lines[0].startswith("trial: VERDICT WEAKENED: ") and "left out: 6 turns" in many.lines[0]
    wrong = Trial(Tally(turns=Counter({MADE: 95}), wrong=Counter({MADE: 1}), aside=6))
    assert wrong.verdict == "does not hold"
    assert [Trial(Tally()).verdict, Trial(Tally(), relearned=1).verdict] == ["not tried", "does not hold"]


def test_no_more_is_asked_once_enough_was_not_foreseen() -> None:
    """Twenty runs are learned from at most, and to play more takes as long as to learn."""
    episodes, learned = sokoban()
    wrong = [
        Run(MADE, Episode(one.start, (Step("up", one.start._replace(cells=(frozenset(),) * 25)),)))
        for one in episodes
    ]
    for most, number in ((3, 3), (math.inf, len({one.start for one in episodes}))):
        tally = Tally(most=most)
        hold(Foresight(learned), wrong, set(), tally)
        assert len(tally.against) == number and tally.enough == (most == 3)


def test_a_board_that_is_won_as_it_stands_is_no_level() -> None:
    """Engines ask at the end of a turn; they tell nothing of the board that a run begins with."""
    world = DescribedWorld(*read_game(EXITS.encode(), "exits.toml"))
    runs = list(islice(rollouts(world, random.Random(0)), 40))
    (board,) = world.levels()
    (player,) = {token for stack in board.cells for token in stack if token != "exit"}
    cells = (stack - {player} | ({player} if "exit" in stack else set()) for stack in board.cells)
    there = Episode(Board(board.height, board.width, tuple(cells)))
    learned = learn_whole([there, *(replace(one, won=None) for one in runs if one.steps and not one.won)])
    begun = [Instance(learned.game, level) for level in learned.levels]
    assert begun and not any(is_goal(one, initial_state(one)) for one in begun)


def test_a_goal_that_says_otherwise_is_found_out() -> None:
    episodes, _ = sokoban()
    never = [
        replace(one, won=False, steps=tuple(replace(step, won=False) for step in one.steps))
        for one in episodes
    ]
    others, _ = play("sokoban", 60, seed=5)
    won = [one for one in others if any(step.won for step in one.steps)]
    trial = once(learn_in_one_pass(never, "sokoban"), never, Shown(never, won), 300, Trial(Tally()))
    assert trial.wrong == 0 and trial.tally.flags_wrong > 0 and not trial.holds
    assert any("the goal says otherwise of this board" in line for line in trial.lines)


@pytest.mark.parametrize("wrong, number", [(0, 100), (3, 60), (7, 7)])
def test_the_bound_is_the_one_of_clopper_and_pearson(wrong: int, number: int) -> None:
    """With a share as large as the bound, so few wrong ones come with a chance of one in twenty."""
    from scipy.stats import binom

    bound = at_most(wrong, number)
    assert wrong == number or binom.cdf(wrong, number, bound) == pytest.approx(0.05)
    assert wrong != number or bound == 1.0


# --- held back ----------------------------------------------------------------------------------------------


def test_of_runs_that_are_held_back_no_turn_is_learned_from() -> None:
    episodes, _ = sokoban()
    held = HeldBack(episodes)
    assert len(held.kept) == len(episodes) // EVERY
    learned = set(map(id, (step for one in held.beginning for step in one.steps)))
    assert all(id(step) not in learned for one in held.kept for step in one.steps)
    runs = list(held.runs(0))
    back = held.back([runs[2]])
    assert back == [run.episode for run in runs[:3]]
    assert [run.episode for run in held.runs(0)] == [run.episode for run in runs[3:]]


def corridor(rule: Callable[[int], bool], starts: Sequence[int]) -> list[Episode]:
    """A walker that goes right unless `rule` stops it, one step a run."""

    def at(place: int) -> list[list[list[str]]]:
        return [[["walker"] if n == place else [] for n in range(60)]]

    return [
        Episode(board_of(at(one)), (Step("go", board_of(at(one if rule(one) else one + 1))),))
        for one in starts
    ]


def test_the_command_has_status_1_where_recorded_play_is_not_foreseen(ask: Ask, tmp_path: Path) -> None:
    """A walker that stops at one place of which nothing tells; it is in one of the last runs alone."""
    file = tmp_path / "play.jsonl"
    write_episodes(file, corridor(lambda at: at == 24, range(25)))
    answer = ask("learn", "--from", file, "--json")
    assert answer.status == 1
    told = answer.data["trial"]
    assert told["turns"] == 5 and told["agree"] == 4 and not told["holds"]
    assert "trial: no rules were found that say these, too" in "\n".join(answer.data["evidence"])
    write_episodes(file, corridor(lambda at: False, range(25)))
    right = ask("learn", "--from", file, "--json")
    assert right.status == 0 and right.data["trial"]["agree"] == 5
    untried = ask("learn", "--from", file, "--fresh", "0", "--json")
    assert untried.status == 0 and untried.data["trial"] is None
    assert untried.data["evidence"][0].startswith("trial: none was made")


# --- what is open -------------------------------------------------------------------------------------------


def test_contexts_are_counted() -> None:
    """A walker that goes where no wall is: there is one ahead, none, or the board ends."""

    def turn(text: str, after: str) -> Turn:
        boards = [board_of([[{".": [], "w": ["w"], "#": ["#"]}[c] for c in row]]) for row in (text, after)]
        return Turn(boards[0], "right", boards[1])

    moved = [("w..", ".w."), (".w.", "..w"), ("#w.", "#.w"), ("w.#", ".w#")]
    stopped = [(one, one) for one in ("..w", "#.w", "w#.", ".w#", "#w#")]
    turns = [turn(*pair) for pair in (*moved, *stopped)]
    runs = [Episode(one.before, (Step(one.word, one.after),)) for one in turns]
    program = learn_whole(runs).program
    assert one_pass(program)
    assert contexts_of(program, turns) == (3, 3)
    assert contexts_of(program, turns[:4])[0] == 1
    behind = ["".join(cells) for cells in islice(product(".#", repeat=12), 2_100)]
    more = [turn(f"w.{cells}", f".w{cells}") for cells in behind]
    assert contexts_of(program, [*more, *turns]) == (3, 3)


def test_programs_that_are_left_are_those_that_differ_somewhere() -> None:
    episodes, learned = sokoban()
    turns = list(turns_of(episodes))
    settled = rivals(learned.program, turns, made(episodes, learned.structure))
    assert settled is not None and not settled.torn and not settled.cut
    few = list(dict.fromkeys(turns))[:20]
    early = learn_whole([Episode(turn.before, (Step(turn.word, turn.after),)) for turn in few])
    left = rivals(early.program, few, made(episodes, learned.structure))
    assert left is not None and len(left.programs) > 1 and left.torn
    assert all(not program.wrong(turn) for program in left.programs for turn in few)
    for board, word in left.torn:
        assert len({program.after(board, word) for program in left.programs}) > 1


def test_looking_for_other_programs_has_a_bound_and_the_trial_says_where_it_was_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    episodes, learned = sokoban()
    turns, module = list(turns_of(episodes)), sys.modules[another.__module__]
    monkeypatch.setattr(module, "WORK", 1.0)
    left = rivals(learned.program, turns, ())
    assert left is not None and (len(left.programs), left.cut, left.outliving(turns).cut) == (1, 3, 3)
    trial = Trial(Tally(), left=left)
    assert "programs: of 3 searches for others 3 took too long, and came to no end" in trial.what_is_open()
    assert trial.data["searches_cut"] == 3


def test_beside_a_large_program_others_are_looked_for_of_which_the_same_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Kinds of movers that did not say what was seen are not tried again."""
    episodes, learned = sokoban()
    program, turns = learned.program, list(dict.fromkeys(turns_of(episodes)))
    assert one_pass(program) and not cellular(program)
    module = sys.modules[another.__module__]
    monkeypatch.setattr(module, "LIMITS", (0.0, 40.0))
    monkeypatch.setattr(module, "learn_pass", None)
    other = another(program, turns, random.Random(0), 40.0)
    assert subjects_of(other) == subjects_of(program) and not any(map(other.wrong, turns))
    lamps = [Turn(board_of([[[one]]]), "pick(0,0)", board_of([[[two]]])) for one, two in ("ab", "ba")]
    pressed = learn_pass(lamps, structure_of(lamps))
    assert cellular(pressed) and cellular(another(pressed, lamps, random.Random(0), 40.0))


def forgetful() -> tuple[Program, Program]:
    """Rules of sokoban, and the same with a push that does not ask what stands behind the crate."""
    right = sokoban()[1].program
    assert one_pass(right)
    (part,) = right.parts
    decisions = tuple(
        one._replace(tests=tuple(t for t in one.tests if t.offset != (2, 0)))
        if len(one.outcome) == 4
        else one
        for one in part.decisions.decisions
    )
    assert decisions != part.decisions.decisions
    less = replace(part, decisions=replace(part.decisions, decisions=decisions))
    return right, replace(right, parts=(less,))


def test_a_condition_that_was_forgotten_is_asked_for() -> None:
    """A push that does not ask what stands behind the crate: boards are made on which that is wrong."""
    turns = list(dict.fromkeys(turns_of(sokoban()[0])))
    right, wrong = forgetful()
    asked = challenges(wrong, turns)
    assert any(wrong.after(*one) != right.after(*one) for one in asked)
    assert not {(turn.before, turn.word) for turn in turns} & set(asked)


@more_of(
    test_loops.test_rules_that_are_repeated_are_questioned_where_they_acted,
    test_a_condition_that_was_forgotten_is_asked_for,
)
@pytest.mark.parametrize("game", ["polar-slide", "atomix"])
def test_loops_are_questioned_too(game: str) -> None:
    _, fresh = play(game, 40)
    learned, trial = tried(lambda runs: learn_whole(runs, game), fresh, 40)
    assert isinstance(learned.program, Program) and learned.program.loop and trial.tally.turns[ASKED]


class OnlyTorn(Played):
    """Plays nothing but what programs are torn about, if it plays at all."""

    world = None

    def __init__(self, world: DescribedWorld | None) -> None:
        self.game, self.beginning = world, ()

    def runs(self, turns: int) -> Iterator[Run]:
        yield from ()

    def asked(self, asked: Sequence[tuple[Board, str | None]], sort: str, further: int = 0) -> Iterator[Run]:
        starts = [(board, [word]) for board, word in asked if sort == TORN]
        played = self.game.play(starts) if self.game is not None else ()
        yield from (Run(sort, one) for one in played if one is not None)


@pytest.mark.parametrize(("plays", "number"), [(True, 1), (False, 2)])
def test_a_program_is_left_if_nothing_that_was_played_speaks_against_it(
    plays: bool, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two are torn about some turns: once these are played, only the one that was right is left."""
    episodes, learned = sokoban()
    programs = right, wrong = forgetful()
    told = [turn for turn in turns_of(episodes) if not wrong.wrong(turn)]
    seen = [Episode(turn.before, (Step(turn.word, turn.after),)) for turn in told]
    torn = [one for one in challenges(wrong, told) if right.after(*one) != wrong.after(*one)]
    monkeypatch.setattr("ggp.watch.trial.rivals", lambda *args: Rivals(programs, tuple(torn)))
    trial = once(learned, seen, OnlyTorn(world_of("sokoban") if plays else None), 0, Trial(Tally()))
    assert torn and not trial.wrong and trial.left is not None and trial.left.programs == programs[:number]
    assert (trial.untried is None) == plays and trial.data["programs"] == number
    assert any(line.startswith(f"programs: {number} ") for line in trial.lines)
    assert any("which was not played" in line for line in trial.lines) != plays


def test_what_was_played_and_speaks_against_the_rules_is_not_said_to_be_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Crates go in twos where two programs differ: that was played, and neither of them said it."""
    episodes, learned = sokoban()
    programs = right, wrong = forgetful()
    torn = board_of([[["player"], ["crate"], ["crate"], []]]), "right"
    assert right.after(*torn) != wrong.after(*torn)
    monkeypatch.setattr("ggp.watch.trial.rivals", lambda *args: Rivals(programs, (torn,)))
    told = [turn for turn in turns_of(episodes) if not wrong.wrong(turn)]
    seen = [Episode(turn.before, (Step(turn.word, turn.after),)) for turn in told]
    trial = once(learned, seen, OnlyTorn(world_of("two")), 0, Trial(Tally()))
    assert trial.wrong and trial.left is None and trial.untried is None
    assert not any(line.startswith("programs:") for line in trial.lines)


def test_things_that_rules_are_about_are_put_beside_them_too() -> None:
    """Crates of which the left one of two goes: whether a third one has to do with it is to be asked."""
    names = {".": [], "$": ["crate"]}
    rows = [("$$..", ".$.."), ("..$$", "...$"), ("$..$", "$..$"), (".$..", ".$.."), ("....", "....")]
    turns = list[Turn]()
    for before, after in rows:
        one, other = (board_of([[names[char] for char in row]]) for row in (before, after))
        turns.append(Turn(one, None, other))
    program = learn_pass(turns, structure_of(turns))
    asked = {board for board, _ in challenges(program, turns)}
    assert board_of([[["crate"], ["crate"], ["crate"], []]]) in asked


def test_what_was_never_there_at_once_is_asked_for() -> None:
    """Who pushes was seen to push on high ground and on low, and from high to low; not from low to high."""
    high, low, ground = ["crate", "high"], ["crate"], ["high"]
    seen = [(high, []), (high, []), (low, []), (high, ground)]
    turns = list[Turn]()
    for number, (first, second) in enumerate(seen):  # the first two say nothing of low ground
        edge: list[list[str]] = [[]] * number
        before = board_of([[["player"], first, second, *edge]])
        after = board_of([[[], ["player", *first[1:]], ["crate", *second], *edge]])
        turns.append(Turn(before, "right", after))
    asked = challenges(learn_pass(turns, structure_of(turns)), turns)
    assert {board.cells[1:3] for board, word in asked if word == "right"} >= {
        (frozenset(low), frozenset(ground))
    }


def test_of_what_there_is_one_at_most_no_second_is_put() -> None:
    turns = list(dict.fromkeys(turns_of(play("sokoban", 30)[0])))
    learned = learn_pass(turns, structure_of(turns))
    for board, _ in challenges(learned, turns):
        assert sum("player" in stack for stack in board.cells) == 1


def test_what_there_is_one_of_is_asked_about_elsewhere_with_inputs_that_there_are() -> None:
    """Lamps that are pressed, beside a cat: without an input there is no turn."""

    def row(text: str) -> Board:
        return board_of([[[char] if char != "." else [] for char in text]])

    pressed = [("oc.", 0, "xc."), ("xc.", 0, "oc."), (".oc", 1, ".xc"), ("..c", 0, "..c"), ("xoc", 1, "xxc")]
    turns = [Turn(row(one), f"pick(0,{at})", row(other)) for one, at, other in pressed]
    asked = challenges(learn_pass(turns, structure_of(turns)), turns)
    assert all(word is not None and "(" in word for _, word in asked)
    assert any(board.cells[0] == {"c"} for board, _ in asked)


def test_what_there_is_one_of_is_put_with_nothing_that_it_was_never_seen_with() -> None:
    """A player in a hole, where nobody ever was: what the hole holds goes where the player was."""
    here = [{"player"}, {"floor"}, {"hole"}]
    board = Board(1, 3, tuple(map(frozenset, here)))
    turns = [Turn(board, "right", Board(1, 3, tuple(map(frozenset, [(), {"floor", "player"}, {"hole"}]))))]
    contents = Contents.of(turns, structure_of(turns))._replace(alone={"player"})
    on_floor, in_hole = (next(contents.with_another_there(board, (0, at))) for at in (1, 2))
    assert on_floor.cells == (frozenset(), frozenset({"floor", "player"}), frozenset({"hole"}))
    assert in_hole.cells == (frozenset({"hole"}), frozenset({"floor"}), frozenset({"player"}))


def test_what_there_is_one_of_is_put_on_all_that_it_was_seen_to_stand_on() -> None:
    """A player on a target below a stone, where there is no target yet."""
    first, second = (
        board_of([[["player"], ["stone"], [], ["target"]]]),
        board_of([[[], ["stone"], ["stone"], ["player", "target"]]]),
    )
    turns = [Turn(one, "up", one) for one in (first, second)]
    contents = Contents.of(turns, structure_of(turns))
    boards = list(contents.with_another_there(first, (0, 2)))
    assert board_of([[[], ["stone"], ["player", "target"], []]]) in boards
    assert all(sum("player" in stack for stack in board.cells) == 1 for board in boards)


def test_nobody_is_asked_about_twice_who_faces_elsewhere() -> None:
    """The target goes to a cell with who was seen on it, and who looks the other way is not there then."""
    first, second = (
        board_of([[["me:left"], [], ["target"]]]),
        board_of([[[], ["me:right", "target"], []]]),
    )
    turns = [Turn(one, "up", one) for one in (first, second)]
    boards = list(Contents.of(turns, structure_of(turns)).with_another_there(first, (0, 1)))
    assert board_of([[[], ["me:right", "target"], []]]) in boards
    assert all(sum(map(len, board.cells)) == 2 for board in boards)


def test_nobody_is_asked_about_beside_who_becomes_it() -> None:
    """The sea goes to a cell with the armoured crab that was seen in it; no board holds a bare one, too."""
    first, second = board_of([[["bare"], [], ["sea"]]]), board_of([[[], ["armoured", "sea"], []]])
    turns = [Turn(one, "up", one) for one in (first, second)]
    boards = list(Contents.of(turns, structure_of(turns)).with_another_there(first, (0, 1)))
    assert second in boards
    assert not any({"bare", "armoured"} <= set().union(*board.cells) for board in boards)


def test_what_is_moved_leaves_nothing_where_it_was_never_seen() -> None:
    """The exit goes to where a wall is, and the wall does not go to the player, who stood on the exit."""
    board = board_of([[["player", "exit"], ["wall"]]])
    turns = [Turn(board, "up", board)]
    contents = Contents.of(turns, structure_of(turns))._replace(alone={"exit"})
    boards = list(contents.with_another_there(board, (0, 1)))
    assert board_of([[["player"], ["exit"]]]) in boards
    assert not any({"player", "wall"} <= stack for board in boards for stack in board.cells)


def test_what_is_moved_leaves_nothing_that_never_stood_alone() -> None:
    """Who falls goes elsewhere, and no speed hangs in the air where it was."""
    rows = [[["man"], [], []], [[], ["man", "speed:1"], []], [[], [], ["man", "speed:2"]]]
    first, second, third = (board_of([row]) for row in rows)
    pairs = [(first, second), (second, third), (third, second), (second, first)]
    turns = [Turn(before, "right", after) for before, after in pairs]
    structure = structure_of(turns)
    contents = Contents.of(turns, structure, Attached(turns, structure))._replace(alone={"man"})
    boards = list(contents.with_another_there(second, (0, 0)))
    assert first in boards
    assert not any(stack and "man" not in stack for board in boards for stack in board.cells)


def test_what_was_never_there_when_a_rule_acted_is_asked_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stone that falls: the first question puts something new below it, with any seed."""
    names = {".": [], "o": ["stone"], "_": ["floor"], "#": ["wall"], "~": ["water"]}

    def column(text: str) -> Board:
        return board_of([[names[char]] for char in text])

    rows = [
        ("o._~", ".o_~"),
        ("o.#.", ".o#."),
        ("_o#.", "_o#."),
        ("oo##", "oo##"),
        ("~~.#", "~~.#"),
        ("_~_#", "_~_#"),
    ]
    turns = [Turn(column(one), None, column(other)) for one, other in rows]
    program = learn_pass(turns, structure_of(turns))
    below = {board.cells[1:] for board, _ in challenges(program, turns)}
    acted = [turn.before.cells[1:] for turn in turns if turn.before != turn.after]
    usual = set(product(*map(set, zip(*acted, strict=True))))
    assert below & usual
    monkeypatch.setattr(asking, "MOST", 1)
    asked = [board for seed in range(9) for board, _ in challenges(program, turns, seed)]
    assert all(board.cells[0] == {"stone"} and board.cells[1:] not in usual for board in asked)


def test_where_a_description_alone_is_wrong_all_is_learned_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """What shares a cell for the first time is no fault of the rules; its layers are others then."""
    runs = [Episode(board_of([[["a"], []]]), (Step("right", board_of([[[], ["a"]]]), won=False),))]
    told = Counter[str]()

    def learning(episodes: Sequence[Episode]) -> Learned:
        told["learned"] += 1
        return learn_whole(episodes, "walk")

    def wrong_at_first(learned: Learned, *_: object) -> Trial:
        wrong = Counter(made=int(told["learned"] == 1))
        return Trial(Tally(Counter(made=1), wrong), told["learned"] - 1)

    monkeypatch.setattr("ggp.watch.trial.once", wrong_at_first)
    monkeypatch.setattr("ggp.watch.trial.to_learn_from", lambda *_: runs)
    monkeypatch.setattr(HeldBack, "back", lambda *_: runs)
    monkeypatch.setattr("ggp.watch.trial.only_goal", lambda *_: True)
    monkeypatch.setattr("ggp.watch.trial.played_around", lambda *_: [])
    monkeypatch.setattr("ggp.watch.trial.with_like", lambda learn, seen, *_: (learn(seen), []))
    _, trial = tried(learning, HeldBack(runs * 6), 10)
    assert trial.holds and told["learned"] == 2
