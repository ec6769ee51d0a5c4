"""Guards of everything that is read, and bounds of everything that is done: each is said in a sentence."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from ggp import api
from ggp.analysis.design import DesignSearch
from ggp.encoding.occupancy import encode
from ggp.encoding.sizes import PLACES
from ggp.engines import answers, planning, puzzlescript
from ggp.engines.processes import Ended
from ggp.errors import DescriptionError, Finding, IllFormed, PuzzleError, SolverError, UnknownName
from ggp.explain.board_files import read_placed
from ggp.files.reading import DEEPEST, depth, file_bytes, json_value
from ggp.harness.journal import Journal, records_in
from ggp.harness.page import model_view
from ggp.harness.pictures import Store
from ggp.harness.records import EMPTY, RUN_SHAPE
from ggp.language.description import read_game
from ggp.language.levels import load
from ggp.language.validate import MOST_NAMES
from ggp.model import MOST_PASSES, MOST_TURNS, Instance, Plan
from ggp.model.result import OutOfTime
from ggp.referee.inputs import parse_action
from ggp.referee.semantics import PassRecord, initial_state, step
from ggp.referee.trajectory import plan_of, read_plan, replay

SEED = "lemmings/seed"

# --- what is read ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("read", [read_plan, read_placed])
def test_a_pipe_or_a_device_is_no_file(read, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    """A pipe would be waited for, and a device read until memory is full."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero"), Path("/dev/stdin")):
        with pytest.raises(DescriptionError, match="not a regular file"):
            read(path, load(SEED))


def test_a_pipe_is_no_description_and_no_journal(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    with pytest.raises(DescriptionError, match="not a regular file"):
        load(str(pipe))
    with pytest.raises(PuzzleError, match="not a regular file"), Journal(pipe):
        pass


def test_what_is_not_there_is_said_with_what_is_near(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text("{}")
    with pytest.raises(UnknownName, match="there is no file") as caught:
        read_plan(tmp_path / "plam.json", load(SEED))
    assert "plan.json" in str(caught.value)


def test_no_more_is_read_than_the_limit(tmp_path: Path) -> None:
    file = tmp_path / "large"
    with file.open("wb") as stream:
        stream.truncate(10**12)  # a hole: it takes no room on the disk
    assert len(file_bytes(file, 1000)) == 1001
    with pytest.raises(DescriptionError, match="larger than the limit of 4,000,000 bytes"):
        read_plan(file, load(SEED))
    with pytest.raises(PuzzleError, match="a journal has at most"), Journal(file):
        pass


NO_JSON = {
    "": "not JSON",
    "[1, 2": "not JSON",
    "{'a': 1}": "not JSON",
    "NaN": "NaN is no number",
    '{"a": -Infinity}': "-Infinity is no number",
    "1e999": "too large a number",
    "9" * 5000: "can be used",
    '"\\ud800"': "surrogates not allowed",
    '{"b": [{"a": 1, "c": 2, "a": 1}]}': "the key 'a' stands twice",
    "[" * 100_000: "nested more than 20",
    '{"a":' * 100_000: "nested more than 20",
    '["[", ' + "[" * 30: "nested more than 20",
}


@pytest.mark.parametrize("text", NO_JSON)
def test_json_that_is_refused(text: str) -> None:
    with pytest.raises(DescriptionError, match=NO_JSON[text]):
        json_value(text.encode(), "plan.json")


def test_json_that_is_not_text_is_refused_with_its_place() -> None:
    with pytest.raises(DescriptionError, match=r"plan.json:2:2: .*0xff"):
        json_value(b'{\n \xff": 1}', "plan.json")


def test_brackets_in_texts_are_no_depth() -> None:
    text = json.dumps({"[[[": ["]]{{", '"[[', "\\"]})
    assert depth(text) == 2
    assert json_value(b"\xef\xbb\xbf" + text.encode(), "a") == json.loads(text)
    assert json_value(("[" * DEEPEST + "]" * DEEPEST).encode(), "a")


@pytest.mark.parametrize("meant", ['"\\u001b[31m"', '"\\u0000"', "[[]]", "1.5", "null"])
def test_a_plan_for_no_level_is_refused_in_letters_that_can_be_shown(meant: str) -> None:
    with pytest.raises(PuzzleError) as caught:
        plan_of(f'{{"level": {meant}}}'.encode(), "plan", load(SEED))
    assert str(caught.value).replace("\n", "").isprintable()


def test_errors_show_no_control_characters_and_no_more_than_is_read() -> None:
    assert str(Finding("a\x1b[2Jb\u2028c\nd é")) == "error: a\\x1b[2Jb\\u2028c\nd é"
    long = str(Finding("m" * 5000, "r" * 5000))
    assert len(long) < 2020 and long.endswith("r ...") and "m ...\n" in long
    many = DescriptionError.of(tuple(Finding(f"fault {n}") for n in range(1000)))
    assert len(many.findings) == 50


def test_an_answer_nested_too_deeply_is_a_fault_of_the_solver() -> None:
    deep = '{"status": ' + "[" * 100_000
    with pytest.raises(SolverError):
        answers.read("it", deep)
    with pytest.raises(SolverError):
        puzzlescript.read(deep)
    with pytest.raises(SolverError):
        planning.Planner("it", frozenset()).read(deep.encode(), Ended(0, None, False, "", 0.0))


# --- journals -------------------------------------------------------------------------------------------


def record(**changes: object) -> dict[str, object]:
    """A record as a run makes it."""
    made: dict[str, object] = {
        **EMPTY,
        "key": "k",
        "level": "a/b",
        "solver": "s",
        "stop": "error",
        "note": "",
    }
    made |= {"plans": [], "complete": False, "count": None, "objective": None, "bound": None, "sizes": {}}
    return {**made, "seconds": 0.5, "versions": {}, **changes}


@pytest.mark.parametrize(
    "changes",
    [{"plans": None}, {"plans": [1]}, {"seconds": "1"}, {"complete": 0}, {"sizes": {"variables": "many"}}]
    + [{"won": True}, {"best": {"turns": None}}, {"certificate": {"exact": 1, "text": ""}}, {"note": None}],
)
def test_a_record_with_a_value_of_another_type_is_refused(changes: dict[str, object]) -> None:
    good, bad = (json.dumps(one).encode() + b"\n" for one in (record(), record(**changes)))
    assert [key for key, _, _ in records_in(good + good, "j", RUN_SHAPE)] == ["k", "k"]
    (name,) = changes
    with pytest.raises(PuzzleError, match=f"j:2 is no record: `{name}`"):
        list(records_in(good + bad, "j", RUN_SHAPE))


@pytest.mark.parametrize("key", ["complete", "plans", "all_seconds", "level"])
def test_a_record_that_lacks_a_value_is_refused(key: str) -> None:
    short = record()
    del short[key]
    with pytest.raises(PuzzleError, match=f"`{key}` is missing"):
        list(records_in(json.dumps(short).encode() + b"\n", "j", RUN_SHAPE))


def test_a_learned_game_whose_record_was_changed_is_a_sentence() -> None:
    good = {"stop": "done", "note": "", "model": 3}
    assert "no proper `model`" in model_view(load(SEED), good, Store())["failed"]


# --- bounds ---------------------------------------------------------------------------------------------


GAME = """
name = "g"
[kinds]
a = { layer = "x", facing = ["left", "right"] }
b = { layer = "y" }
[classes]
CLASSES
[symbols]
"." = ""
"a" = "a:left"
[input]
moves = ["up"]
[[turn]]
until = "stable"
bound = BOUND
rules = "flip: c0 here => turn a here behind"
[goal]
win = ["some c0 on b"]
[[level]]
horizon = HORIZON
map = "a."
"""


def described(classes: int = 1, bound: int = 3, horizon: int = 5) -> str:
    """A game with a chain of so many classes, in whose loop a piece turns for ever."""
    chain = [f'c{n} = ["c{n + 1}"]' for n in range(classes - 1)] + [f'c{classes - 1} = ["a"]']
    text = GAME.replace("CLASSES", "\n".join(chain)).replace("BOUND", str(bound))
    return text.replace("HORIZON", str(horizon))


def test_a_chain_of_classes_is_followed_without_recursion() -> None:
    start = time.process_time()
    game, (level,) = read_game(described(classes=MOST_NAMES).encode(), "g.toml")
    with pytest.raises(IllFormed):
        step(Instance(game, level), initial_state(Instance(game, level)), parse_action("up"))
    assert time.process_time() - start < 10


def test_thousands_of_classes_are_refused_at_once() -> None:
    start = time.process_time()
    with pytest.raises(DescriptionError, match="the game has 3,000 classes; there may be 500"):
        read_game(described(classes=3000).encode(), "g.toml")
    assert time.process_time() - start < 5


def test_a_horizon_has_a_bound() -> None:
    with pytest.raises(DescriptionError, match="is 1,000,000, and a run has at most 100,000 turns"):
        read_game(described(horizon=1_000_000).encode(), "g.toml")
    assert read_game(described(horizon=MOST_TURNS).encode(), "g.toml")
    with pytest.raises(PuzzleError, match="a horizon of 1,000,000 is none"):
        api.solve("sokoban/first", horizon=1_000_000)


def test_a_loop_has_a_bound() -> None:
    with pytest.raises(DescriptionError, match="the bound of a loop, which runs at most 100,000 times"):
        read_game(described(bound=200_000).encode(), "g.toml")


@pytest.mark.parametrize(("first", "lead"), [("a", 0), ("ab", 1)])
def test_a_loop_that_comes_round_again_is_left_at_once(first: str, lead: int) -> None:
    """A cycle of two, from the first board or after a pass in which something is taken away for good."""
    text = described(bound=MOST_PASSES).replace('rules = "', r'rules = "go: b here => remove b here\n')
    text = text.replace('"a" = "a:left"', '"a" = "a:left"\n"b" = "b"').replace(
        'map = "a."', f'map = "{first}."'
    )
    game, (level,) = read_game(text.encode(), "g.toml")
    passes: list[PassRecord] = []
    message = f"100000 passes: the state after pass {lead} comes again after 2 more"
    with pytest.raises(IllFormed, match=message):
        step(Instance(game, level), initial_state(Instance(game, level)), parse_action("up"), passes)
    assert len(passes) == lead + 2


def test_what_is_unrolled_has_a_bound() -> None:
    long = load("sokoban/first")
    with pytest.raises(PuzzleError, match="has 6,000,000 places .* over 100,000 turns") as caught:
        encode(long, horizon=MOST_TURNS)
    assert f"{PLACES:,}" in str(caught.value) and "--horizon" in str(caught.value)


def test_a_long_run_without_inputs_is_replayed_soon() -> None:
    start = time.process_time()
    one = load(SEED)
    verdict = replay(replace(one, level=replace(one.level, horizon=20_000)), Plan())
    assert verdict.turn == len(verdict.states) - 1 == 20_000 and not verdict.won
    assert time.process_time() - start < 5


def test_the_search_keeps_its_limit_within_a_run() -> None:
    one = load(SEED)
    search = DesignSearch(replace(one, level=replace(one.level, horizon=MOST_TURNS)))
    ticks = 0

    def tick() -> None:
        nonlocal ticks
        ticks += 1
        if ticks > 1000:
            raise OutOfTime

    with pytest.raises(OutOfTime):
        list(search.leaves(tick))
