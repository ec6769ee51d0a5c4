"""Recorded play: what is written reads back, and what is not of the form is refused with its line."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from ggp.errors import Place
from ggp.learn.boards import Board, Episode, Step, board_of, word_of
from ggp.learn.record import RecordError, episodes_of, lines_of, read_episodes, write_episodes
from tests.commands import Ask
from tests.puzzlescript_games import text

A, B = frozenset({"a"}), frozenset({"b", "c"})


def board(*cells: frozenset[str]) -> Board:
    """A board of one row."""
    return Board(1, len(cells), cells)


RUN = Episode(
    board(A, B),
    (
        Step("up", board(B, A), won=False, lost=True),
        Step(None, board(B, B), refused=True, frames=(board(A, A), board(B, A))),
    ),
    won=False,
    level="first",
)


def read(text: str) -> list[Episode]:
    """The runs of a text."""
    return episodes_of(text.encode().splitlines(keepends=True), "play.jsonl")


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "play.jsonl"
    write_episodes(path, [RUN, RUN])
    assert read_episodes(path) == [RUN, RUN]


def test_random_runs_read_back() -> None:
    rng = random.Random(1)

    def some() -> Board:
        stacks = (frozenset(rng.sample("abcäß:(", rng.randint(0, 3))) for _ in range(6))
        return Board(2, 3, tuple(stacks))

    flags = (None, True, False)
    for _ in range(50):
        steps = [
            Step(rng.choice([None, "up", "pick(1,2)"]), some(), rng.random() < 0.5, rng.choice(flags))
            for _ in range(rng.randint(0, 4))
        ]
        run = Episode(some(), tuple(steps), rng.choice(flags), rng.choice(flags))
        assert read("".join(lines_of([run]))) == [run]


START = '{"start":[[["a"],[]]]}\n'
BAD = [
    ("", "holds no run", 0),
    ('{"input":"up","board":[[[]]]}', "before any start", 1),
    ("[1]", "one JSON object", 1),
    ('{"start":[[["a"', "not JSON", 1),
    ('{"start":[]}', "list of rows", 1),
    ('{"start":[[["a"]],[["a"],["b"]]]}', "differ in length", 1),
    ('{"start":[[[1]]]}', "a name is a text", 1),
    ('{"start":[[[""]]]}', "a name is a text", 1),
    ('{"start":[["a"]]}', "a cell is a list", 1),
    ('{"start":[[["a"]]],"sart":1}', "no key 'sart'", 1),
    ('{"start":[[["a"]]],"won":1}', "`won` is true or false", 1),
    (START + '{"input":"up"}', "no board", 2),
    (START + '{"input":3,"board":[[["a"],[]]]}', "`input` is a short text", 2),
    (START + '{"input":"up","board":[[["a"]]]}', "the board has 1x1", 2),
    (START + '{"input":"up","board":[[["a"],[]]],"frames":3}', "`frames` is a list", 2),
    (START + '\n{"input":"up","board":[[["a"],[]]],"frames":[[[[]]]]}', "another size", 3),
    (START + '{"input":"up","board":[[["a"],[', "not JSON", 2),
    ("[" * 100_000, "not JSON", 1),
    (START[:-2] + ',"won":true,"won":false}', "the key 'won' stands twice", 1),
    (START + '{"input":' + "9" * 6000 + "}", "a number of 6,000 digits", 2),
    ('{"start":' + json.dumps([[[]] * 300]) + "}", "at most 200", 1),
    ('{"start":[[' + json.dumps([str(n) for n in range(50)]) + "]]}", "at most 40 names", 1),
]


@pytest.mark.parametrize("text, message, line", BAD, ids=[message for _, message, _ in BAD])
def test_what_is_not_of_the_form_is_refused_with_its_line(text: str, message: str, line: int) -> None:
    with pytest.raises(RecordError, match=message) as caught:
        read(text)
    place = caught.value.findings[0].place
    assert place is not None and place.line == line and place.file == "play.jsonl"


def test_a_file_that_is_cut_off_anywhere_is_read_or_refused() -> None:
    whole = "".join(lines_of([RUN])).encode()
    for end in range(len(whole)):
        try:
            runs = episodes_of(whole[:end].splitlines(keepends=True))
        except RecordError:
            continue
        assert runs[0].start == RUN.start and len(runs[0].steps) <= len(RUN.steps)


def test_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no such file"):
        read_episodes(tmp_path / "none.jsonl")
    with pytest.raises(RecordError, match="this is a directory"):
        read_episodes(tmp_path)


def test_a_line_that_is_no_json_is_told_with_its_column_in_the_file() -> None:
    with pytest.raises(RecordError, match=r"not JSON: [^:(]*$") as caught:  # its own line would be line 1
        read("{} {}")
    assert caught.value.findings[0].place == Place("play.jsonl", 1, 4)


def test_a_byte_order_mark_is_no_fault() -> None:
    whole = "".join(lines_of([RUN])).encode()
    assert episodes_of((b"\xef\xbb\xbf" + whole).splitlines(keepends=True)) == [RUN]


def test_words_are_taken_apart() -> None:
    assert word_of("up") == ("up", None, None)
    assert word_of("pick(3,4,left)") == ("pick", (3, 4), "left")
    assert word_of("pick(3") == ("pick(3", None, None)


def test_a_board_of_lists() -> None:
    assert board_of([[["a"], ["c", "b"]]]) == board(A, B)


def test_a_replay_is_recorded(ask: Ask, tmp_path: Path) -> None:
    plan, out = tmp_path / "plan.json", tmp_path / "play.jsonl"
    assert ask("solve", "sokoban/first", "--solver", "search", "-o", plan).status == 0
    assert ask("replay", "sokoban/first", plan, "--record", out).status == 0
    (run,) = read_episodes(out)
    assert [step.won for step in run.steps] == [False] * (len(run.steps) - 1) + [True]
    assert {step.word for step in run.steps} <= {"up", "right", "down", "left"}
    assert all(len(step.frames) == 1 for step in run.steps)


def test_what_is_played_by_inputs_is_recorded_level_by_level(ask: Ask, tmp_path: Path) -> None:
    """What is taken back is not among it, nor a level in which nothing was done."""
    file, out = tmp_path / "two.txt", tmp_path / "play.jsonl"
    file.write_text(text(maps="p*o/\n\np.*.o"))
    words = "right right undo right right".split()
    for number, turns in ((1, [1]), (2, [1, 1]), (3, [1]), (5, [1, 2])):
        ask("replay", f"{file}#1", "--inputs", " ".join(words[:number]), "--record", out)
        runs = read_episodes(out)
        assert [len(run.steps) for run in runs] == turns
        assert {step.word for run in runs for step in run.steps} == {"right"}
