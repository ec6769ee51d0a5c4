"""What learners are given that they cannot learn from: each is named, with the exit status that it has."""

from __future__ import annotations

import time
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from ggp.cli.learning import seen_inside_else
from ggp.errors import DescriptionError, NotLearned, PuzzleError
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Board, Episode, Step, board_of
from ggp.learn.record import write_episodes
from ggp.learn.seen.contradictions import side_by_side
from ggp.learn.whole import learn_whole
from ggp.watch import patience
from ggp.watch.callables import CallableWorld, Nondeterministic
from ggp.watch.environments import GymWorld
from ggp.watch.patience import answered
from tests.commands import Ask
from tests.slow import more_of
from tests.unit.learn import test_chance

HERE, THERE = board_of([[["a"], []]]), board_of([[[], ["a"]]])


def recorded(folder: Path, *runs: Episode) -> Path:
    """A file of recorded play."""
    write_episodes(folder / "play.jsonl", runs)
    return folder / "play.jsonl"


def test_no_runs_are_bad_input(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "none.jsonl").write_text("\n")
    answer = ask("learn", "--from", tmp_path / "none.jsonl")
    assert answer.status == 2 and "the file holds no run" in answer.err
    still = ask("learn", "--from", recorded(tmp_path, Episode(HERE)))
    assert still.status == 2 and "no turns to learn from" in still.err
    bare = board_of([[[], []]])
    empty = ask("learn", "--from", recorded(tmp_path, Episode(bare, (Step("up", bare),))))
    assert empty.status == 2 and "nothing stands on any board" in empty.err


@pytest.mark.parametrize("what", [("atomix",), ("--watch", "game:atomix")])
def test_a_limit_of_time_holds_before_there_are_rules(
    ask: Ask, tmp_path: Path, what: tuple[str, ...]
) -> None:
    answer = ask("learn", *what, "--time-limit", 0.01, "-o", tmp_path / "learned.toml")
    assert answer.status == 1 and "no rules were found within 0.01 seconds" in answer.err
    assert not answer.out and not list(tmp_path.iterdir())


def test_one_run_in_which_nothing_happens_is_a_game_without_rules(ask: Ask, tmp_path: Path) -> None:
    answer = ask("learn", "--from", recorded(tmp_path, Episode(HERE, (Step("up", HERE), Step("up", HERE)))))
    assert answer.status == 0 and "rules" not in answer.out
    assert "# won: no board was" in answer.out
    assert answer.out.startswith("# GOAL not known: nobody said which boards are won")


def test_runs_that_contradict_each_other_are_bad_input(ask: Ask, tmp_path: Path) -> None:
    runs = Episode(HERE, (Step("up", HERE),)), Episode(HERE, (Step("up", THERE),))
    answer = ask("learn", "--from", recorded(tmp_path, *runs))
    assert answer.status == 2 and "went two ways:\na .   a .   . a" in answer.err
    assert "the first in run 1, turn 1, the second in run 2, turn 1" in answer.err


def test_one_board_that_is_said_to_be_won_and_not_to_be_makes_the_goal_a_guess(
    ask: Ask, tmp_path: Path
) -> None:
    runs = (Episode(HERE, (Step("right", THERE, won=won),)) for won in (True, False))
    answer = ask("learn", "--from", recorded(tmp_path, *runs), "--fresh", 0)
    assert answer.out.startswith("# GOAL a guess: one board was said to be won, and not to be\n")
    assert "# won: one board was said to be won, and not to be:\n# . a" in answer.out
    assert "# 2 runs, 2 turns, 1 example; the goal is a guess" in answer.out + answer.err


def test_a_refused_input_that_changed_the_board_is_bad_input(ask: Ask, tmp_path: Path) -> None:
    moved = Episode(board_of([[["me"], []]]), (Step("right", board_of([[[], ["me"]]]), refused=True),))
    answer = ask("learn", "--from", recorded(tmp_path, moved))
    assert answer.status == 2
    said = answer.err
    assert "the input right was refused, and the board is another:\nme .    .  me" in said
    assert "that is in run 1, turn 1" in said


def test_a_pick_beyond_the_board_is_bad_input(ask: Ask, tmp_path: Path) -> None:
    picked = Episode(board_of([[["me"], []]]), (Step("pick(0,2)", board_of([[[], ["me"]]])),))
    answer = ask("learn", "--from", recorded(tmp_path, picked))
    assert answer.status == 2
    assert "play.jsonl:2: error: `pick(0,2)` points beyond the board, which has 1x2" in answer.err


def test_what_names_mean_in_descriptions_is_no_matter() -> None:
    """Things may be called as words of rules are, and their names may be cut off anywhere."""
    for name in ("if", "no", "a--b", "-", "x" * 39 + "-y", '"'):
        runs = [Episode(board_of([[[name], []]]), (Step("right", board_of([[[], [name]]])),))]
        learned = learn_whole(runs)
        read_game(write_game(learned.game, learned.levels).encode(), "model.toml")


def test_who_writes_no_rules_is_no_unknown_learner(ask: Ask) -> None:
    answer = ask("learn", "sokoban", "--learner", "cell-tree")
    assert answer.status == 2 and "cell-tree foresees boards, and writes no rules" in answer.err
    assert "`ggp compare --games sokoban --rollouts 10,40 --learners cell-tree`" in answer.err


def test_of_large_boards_the_part_is_shown_in_which_they_differ() -> None:
    def large(name: str) -> Board:
        cells = [frozenset({"floor"})] * 400
        cells[5 * 20 + 7] = frozenset({name})
        return Board(20, 20, tuple(cells))

    picture = side_by_side(large("a"), large("b"))
    first, *lines = picture.splitlines()
    assert first == "rows 4 to 6, columns 6 to 8:" and len(lines) == 3
    assert lines[1].split() == ["floor", "a", "floor", "floor", "b", "floor"]


def test_what_is_not_learned_is_no_bad_input(ask: Ask, tmp_path: Path) -> None:
    answer = ask("learn", "--from", recorded(tmp_path, *far_apart()))
    assert answer.status == 1 and "no rules of one pass explain what happens to" in answer.err


def far_apart() -> list[Episode]:
    """Two runs that differ only in where something stands, further away than anything is looked at."""
    found = []
    for far, after in ((30, "a"), (32, "b")):
        cells = [["x"] if column == far else [] for column in range(34)]
        start = board_of([[["s"], *cells]])
        found.append(Episode(start, (Step("go", board_of([[[after], *cells]])),)))
    return found


# --- models -------------------------------------------------------------------------------------------------


def model() -> str:
    """The text of a learned description."""
    learned = learn_whole([Episode(HERE, (Step("right", THERE, won=True),), won=False)], "walk")
    return write_game(learned.game, learned.levels)


def test_a_thing_that_was_never_seen_is_named_when_the_model_is_used(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "walk.toml").write_text(model().replace("#.\n", "#Z\n"))
    answer = ask("solve", f"{tmp_path / 'walk.toml'}#1")
    assert answer.status == 2 and "Z" in answer.err


def test_a_model_that_is_cut_off_is_read_or_refused() -> None:
    whole = model().encode()
    read = 0
    for end in range(len(whole)):
        try:
            read_game(whole[:end], "walk.toml")
            read += 1
        except DescriptionError as error:
            assert error.findings[0].message
    assert read < len(whole) / 2


@pytest.mark.parametrize(
    "old, new",
    [
        ("here -> ahead", "here -> " + ".".join(["ahead"] * 50_000)),
        ('"any-turn"', '"' + "[" * 100_000 + '"'),
        ("right", "\\u0000"),
    ],
    ids=["far", "nested", "no letter"],
)
def test_a_hostile_model_is_refused(old: str, new: str) -> None:
    assert old in model()
    start = time.perf_counter()
    with pytest.raises(DescriptionError):
        read_game(model().replace(old, new).encode(), "walk.toml")
    assert time.perf_counter() - start < 20


# --- environments -------------------------------------------------------------------------------------------


def test_a_function_that_hangs_is_named() -> None:
    def hangs(rows: object, word: str | None) -> None:
        time.sleep(60)

    world = CallableWorld("mine", [HERE.rows()], ["up"], hangs, patience=0.05)
    with pytest.raises(PuzzleError, match="mine does not answer: 0.05 seconds were waited"):
        world.play([(HERE, ["up"])])


def test_what_raises_is_named_with_what_it_was_asked() -> None:
    def fails() -> int:
        raise KeyError("oh")

    with pytest.raises(PuzzleError, match="it raised KeyError") as caught:
        answered("it", "a start", fails)
    assert caught.value.findings[0].remedy == "it was asked for a start"
    assert answered("it", "a start", lambda: None) is None


def test_who_compiles_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops of an environment of ours are compiled once on a machine, for longer than one is patient."""

    class Slow:
        seconds = 0.0
        begun = [0.0]

    def compiles() -> str:
        time.sleep(0.3)
        Slow.seconds, Slow.begun = 0.3, []
        time.sleep(0.1)
        return "ready"

    monkeypatch.setattr(patience, "COMPILING", Slow)
    assert answered("it", "a start", compiles, 0.2) == "ready"
    with pytest.raises(PuzzleError, match="it does not answer"):
        answered("it", "a start", lambda: time.sleep(1), 0.2)


class Coin:
    """A Gymnasium environment in small that forgets its seed."""

    class Actions:
        n = 2

    action_space = Actions()

    def __init__(self, *, hangs: bool = False) -> None:
        self.turns, self.hangs = 0, hangs

    def show(self, value: int) -> object:
        import numpy as np

        return np.full((1, 2), value, dtype=int)

    def reset(self, seed: int) -> tuple[object, dict[str, object]]:
        if self.hangs:
            time.sleep(60)
        return self.show(1), {}

    def step(self, action: int) -> tuple[object, float, bool, bool, dict[str, object]]:
        self.turns += 1
        return self.show(1 + self.turns), 0.0, False, False, {}


def test_an_environment_with_chance_is_named_and_both_boards_are_shown() -> None:
    world = GymWorld(Coin(), "coin", seeds=1, tried=0)
    (start,) = world.levels()
    with pytest.raises(Nondeterministic, match=r"(?s)in two ways:\n.*p0-1 p0-1   p0-2 p0-2   p0-4 p0-4"):
        world.play([(start, ["action-0", "action-0"])])


def test_an_environment_that_hangs_is_named() -> None:
    with pytest.raises(PuzzleError, match="coin does not answer"):
        GymWorld(Coin(hangs=True), "coin", seeds=1, patience=0.05).levels()


class Odd(Coin):
    """Such an environment, of which each part can be otherwise than Gymnasium asks for."""

    def __init__(self, **parts: object) -> None:
        super().__init__()
        self.parts = parts

    def reset(self, seed: int) -> Any:
        return self.parts.get("start", (self.show(1), {}))

    def step(self, action: int) -> Any:
        if "raises" in self.parts:
            raise SystemExit(3)
        return self.parts.get("step", (self.show(1), 0.0, False, False, {}))


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"start": [[1, 2]]}, "answers a start with the seed 0 with other than 2 parts"),
        ({"start": ({"other": 1}, {})}, "no grid of whole numbers"),
        ({"start": ([[1, 2], [3]], {})}, "no grid of whole numbers"),
        ({"start": ([[0.5, 1.0]], {})}, "(?s)no grid of whole numbers.*it holds float64"),
        ({"start": ([[1e300, 1.0]], {})}, "no grid of whole numbers"),
        ({"start": ([[0] * 300], {})}, "too large"),
        ({"step": ([[1, 1]], 0.0, False)}, "answers action-1 with other than 5 parts"),
        ({"step": ([[1, 1]], None, False, False, {})}, "a reward that is no number"),
        ({"step": ([[1, 1], [1, 1]], 0.0, False, False, {})}, "a board of another size"),
        ({"raises": True}, "raised SystemExit: 3"),
    ],
)
def test_environments_that_are_none_are_named(parts: dict[str, object], message: str) -> None:
    world = GymWorld(Odd(**parts), "odd", seeds=1)
    with pytest.raises(PuzzleError, match=message):
        (start,) = world.levels()
        world.play([(start, ["action-1"])])


@pytest.mark.parametrize("one", [1.0, True])
def test_whole_numbers_may_be_held_as_others(one: object) -> None:
    """Who says nothing of it gets floating numbers from NumPy and from Gymnasium's spaces."""
    (start,) = GymWorld(Odd(start=([[type(one)(), one]], {})), "odd", seeds=1, tried=0).levels()
    assert start == board_of([[[], ["p0-1"]]])


def test_an_environment_that_nobody_registered_is_bad_input(ask: Ask) -> None:
    pytest.importorskip("gymnasium")
    answer = ask("learn", "--watch", "gym:no-such-module:Thing-v0")
    assert answer.status == 2 and "Gymnasium cannot make no-such-module:Thing-v0" in answer.err


# --- functions in files -------------------------------------------------------------------------------------

WALK = """
levels = [[[["me"], [], []]], [[[], ["me"], []]]]
inputs = ["left", "right"]


def turn(rows, word):
    (at,) = [column for column, cell in enumerate(rows[0]) if cell]
    to = at + (1 if word == "right" else -1)
    if not 0 <= to < 3:
        return None
    rows[0][at], rows[0][to] = rows[0][to], rows[0][at]
    return rows
"""


def test_a_function_in_a_file_is_learned(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "walk.py").write_text(WALK)
    answer = ask("learn", "--watch", f"python:{tmp_path / 'walk.py'}", "--rollouts", 20, "--fresh", 50)
    assert answer.status == 0 and "me here -> ahead" in answer.out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def (", "raised SyntaxError"),
        ("raise SystemExit(0)", "raised SystemExit"),
        ("levels, inputs, turn = 3, [], print", "defines no levels that can be used"),
        (WALK.replace("turn(", "turned("), "defines no turn that can be used"),
        (WALK.replace("return rows", "return 'abc'"), "gives a board that is none: 'abc'"),
        (WALK.replace("return rows", "return [rows[0], []]"), "gives a board that is none"),
    ],
)
def test_a_file_that_defines_no_function_is_bad_input(
    ask: Ask, tmp_path: Path, text: str, message: str
) -> None:
    (tmp_path / "odd.py").write_text(text)
    answer = ask("learn", "--watch", f"python:{tmp_path / 'odd.py'}", "--rollouts", 2)
    assert answer.status == 2 and message in answer.err


def test_where_a_turn_is_several_passes_a_refusal_says_how_to_watch_their_inside(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NotLearned) as refused, seen_inside_else("samegame", several=True):
        raise NotLearned("no rules", "record more play")
    (finding,) = refused.value.findings
    assert finding.message == "no rules" and "--watch game:samegame --frames" in finding.remedy
    with pytest.raises(NotLearned, match="record more play"), seen_inside_else("sokoban", several=False):
        raise NotLearned("no rules", "record more play")

    def refuse(*_: object, **__: object) -> None:
        raise NotLearned("no rules", "record more play")

    monkeypatch.setattr(import_module("ggp.harness.learning"), "learn", refuse)
    asked = {game: ask("learn", game).err for game in ("samegame", "sokoban")}
    assert "--watch game:samegame --frames" in asked["samegame"] and "--frames" not in asked["sokoban"]


HENS = """BasicGame
    SpriteSet
        floor > Immovable
        avatar > MovingAvatar
        hen > RandomNPC
    LevelMapping
        . > floor
        A > floor avatar
        h > floor hen
    InteractionSet
        hen EOS > stepBack
        avatar EOS > stepBack
        hen avatar > killSprite
    TerminationSet
        SpriteCounter stype=hen limit=0 win=True
"""


def test_a_file_of_another_system_is_a_game_and_chance_is_refused_by_name(ask: Ask, tmp_path: Path) -> None:
    answer = ask("learn", hens(tmp_path))
    assert answer.status != 0 and "learning does not support chance in a turn" in answer.err
    assert "hens.txt:5:1: error" in answer.err


@more_of(test_chance.test_what_cannot_be_and_what_is_too_frequent_fail_the_trial)
def test_chance_that_is_learned_wrongly_fails_its_trial(ask: Ask, tmp_path: Path) -> None:
    """The hens go by chance, and are taken by whom they meet: that is no such chance as is learned."""
    answer = ask("learn", "--watch", f"game:{hens(tmp_path)}")
    assert answer.status == 1 and "hen goes by chance" in answer.out
    assert "NOT in keeping with the weights" in answer.out


def hens(folder: Path) -> Path:
    """The game in a folder, with its map."""
    (folder / "hens_lvl0.txt").write_text("A.h\n")
    (folder / "hens.txt").write_text(HENS)
    return folder / "hens.txt"


def test_runs_that_have_no_thing_in_common_are_one_game(ask: Ask, tmp_path: Path) -> None:
    """A walker in one, a stone that falls in the other: each has rules, and the levels are of their own."""
    walks = [
        turn_of(["a", ".", "."], "right", [".", "a", "."]),
        turn_of([".", ".", "a"], "right", [".", ".", "a"]),
    ]
    rolls = [
        turn_of(["b", ".", "c"], "left", ["b", ".", "c"]),
        turn_of([".", "b", "c"], "left", ["b", ".", "c"]),
    ]
    answer = ask("learn", "--from", recorded(tmp_path, *walks, *rolls), "-o", tmp_path / "both.toml")
    assert answer.status == 0
    text = (tmp_path / "both.toml").read_text()
    assert "a here -> ahead" in text and "b here -> ahead" in text
    checked = ask("check", tmp_path / "both.toml")
    assert checked.status == 0


def test_a_game_with_one_more_kind_of_thing_in_later_runs_is_learned_whole(ask: Ask, tmp_path: Path) -> None:
    first = [turn_of(["a", ".", "."], "right", [".", "a", "."])]
    later = [
        turn_of(["a", "w", "."], "right", ["a", "w", "."]),
        turn_of([".", "a", "w"], "right", [".", "a", "w"]),
    ]
    answer = ask("learn", "--from", recorded(tmp_path, *first, *later))
    assert answer.status == 0 and "no w ahead" in answer.out


def turn_of(before: list[str], word: str, after: list[str]) -> Episode:
    """A run of one turn in one row; a dot is an empty cell."""
    start, end = (board_of([[[] if name == "." else [name] for name in row]]) for row in (before, after))
    return Episode(start, (Step(word, end),))
