# ruff: noqa: E501 - lists of fragments
"""Spoilt files of every sort: whatever is read, there is a game that runs or an error of ours, and soon.

Good files are cut, doubled and spliced at random. What passes validation must then compile, play a few
turns, and be written so that it reads back.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ggp.errors import IllegalAction, IllFormed, PuzzleError
from ggp.language.description import read_game, write_game
from ggp.language.levels import builtin
from ggp.language.readers import headed, xsb
from ggp.language.rule_language import read_goal, read_rule
from ggp.language.toml.positions import Place
from ggp.model import Game, Instance, Level
from ggp.model.features import GOAL_WORDS, SOLVABLE, missing
from ggp.referee.dice import Seeded
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import initial_state, is_goal, step
from ggp.transition.compiler import compile_instance
from tests.slow import examples

SLOWEST = 10.0  # seconds for one file on a busy machine; the usual is a few milliseconds
DATA = Path(__file__).parents[1] / "data"
GAMES = [(DATA / f"{name}.toml").read_bytes() for name in ("lemmings", "sokoban", "sudoku")]
BUSY = b"""
name = "busy"
players = ["a", "b"]
[kinds]
wall = { layer = "solid" }
rock = { layer = "solid" }
me = { layer = "solid", facing = ["up", "right", "down", "left"], count = "1" }
exit = { layer = "floor", merge = true }
mark = { layer = "mark", marker = true }
pick = { layer = "pick", facing = ["left", "right"], marker = true }
digit = { layer = "digit", values = [0, "most"] }
[classes]
thing = ["rock", "wall", "me"]
slope = { left = ["rock"], other = ["wall"] }
[symbols]
" " = ""
"#" = "wall"
"o" = "rock"
"<" = "me:left"
"E" = "exit"
"012" = "digit:0.."
[input]
moves = ["up", "right", "down", "left"]
verbs = ["act"]
pick = "pick"
wait = true
[[turn]]
name = "walk"
rules = '''
walk toward input: me here, no thing ahead, input ahead => me here -> ahead :ahead
pick: pick here, $thing here, no digit here => remove $thing here, add digit:1 here
act: me here, input act, inside up, outside down => turn me here up
'''
[[physics]]
until = "stable"
bound = "height"
[[physics.group]]
rules = "fall: rock here, no thing down => rock here -> down, add mark down"
[[physics.group]]
until = "stable"
bound = 3
rules = "roll toward left right: rock here, no slope down, no thing ahead => rock here -> ahead"
[[chance]]
kind = "exit"
count = "most"
[goal]
win = ["some me on exit", "count rock = 0"]
lose = ["no me off exit"]
[objectives]
rolls = "moves rock"
[[level]]
most = 2
horizon = 3
map = '''
# <o#
# 10E
#####
'''
[level.regions]
cages = '''
AAB..
AAB..
.....
'''
[level.known]
solvable = true
wins = [{ actions = "right right pick(1,2,left) wait" }]
"""
FILES = [*GAMES, BUSY]
# What is likely to mean something in the wrong place.
PIECES = [
    *[b'"', b"'", b'"""', b"'''", b"\\", b"\n", b"[", b"]", b"[[", b"{", b"}", b"=", b",", b"#", b" = ", b"\r"],
    *[b"-1", b"0", b"999999999", b"1e9", b"nan", b"true", b"[]", b"{}", b'""', b"2020-01-01", b"..", b":", b"$"],
    *[b"here", b"ahead", b"up", b"left", b"no ", b"=> stay", b"remove ", b"add ", b"turn ", b"toward any", b"input "],
    *[b"wall", b"rock", b"me", b"lemming", b"crate", b"thing", b"solid", b"digit", b"mark", b":left", b":3", b"on"],
    *[b"\0", b"\xff", b"\xc3", b"\xe2\x82\xac", b"\xef\xbb\xbf", b"\x7f", b"\x1b", b"[level]", b"[[physics]]\n"],
    *[b'until = "stable"\nbound = 2\n', b"marker = true,", b"merge = true,", b"values = [1, 3],", b"wraps = true\n"],
]  # fmt: skip


@st.composite
def spoilt(draw: st.DrawFn, files: list[bytes]) -> bytes:
    """A good file with a few spans cut out, doubled, or replaced."""
    data = draw(st.sampled_from(files))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.one_of(st.just(0), st.integers(0, 12), st.integers(0, 400))))
        other = draw(st.integers(0, len(data)))
        new = draw(
            st.one_of(
                st.sampled_from(PIECES),
                st.binary(max_size=6),
                st.just(b""),
                st.just(data[other : other + (end - start) + 1]),
            )
        )
        data = data[:start] + new + data[end:]
    return data


def whole_words(data: bytes, words: list[tuple[int, bytes]]) -> bytes:
    """The file with some of its words replaced: such files are nearly right, and many of them pass."""
    parts = data.split(b" ")
    for index, word in words:
        parts[index % len(parts)] = word
    return b" ".join(parts)


WORDS = [part for data in FILES for part in data.split(b" ") if 0 < len(part) < 20]


def examine(data: bytes) -> None:
    """Read a file; nothing but our own errors may come, and what passes must run."""
    start = time.process_time()
    try:
        game, levels = read_game(data, "spoilt.toml")
    except PuzzleError as error:
        assert error.findings and all(finding.message for finding in error.findings)
        assert len(str(error)) < 20_000
    else:
        written = write_game(game, levels)
        assert read_game(written.encode(), "written.toml") == (game, levels)
        play(game, levels)
    assert time.process_time() - start < SLOWEST


def play(game: Game, levels: Iterable[Level]) -> None:
    """A few turns of the first level: rules may collide, and nothing else may go wrong."""
    for level in list(levels)[:1]:
        instance = Instance(game, level)
        if not missing(instance, SOLVABLE | GOAL_WORDS):
            compile_instance(instance)
        dice = Seeded(Random(1))
        state = initial_state(instance, partial=True)
        is_goal(instance, state)
        for action in [*all_actions(instance)][:3] if game.input else [None, None]:
            try:
                state = step(instance, state, action, dice=dice)
            except (IllFormed, IllegalAction):
                continue


FUZZ = settings(max_examples=examples(250), deadline=None, suppress_health_check=list(HealthCheck))


@FUZZ
@given(spoilt(FILES))
def test_spoilt_descriptions(data: bytes) -> None:
    examine(data)


@FUZZ
@given(
    st.sampled_from(FILES),
    st.lists(st.tuples(st.integers(0, 10_000), st.sampled_from(WORDS)), min_size=1, max_size=3),
)
def test_descriptions_with_words_exchanged(data: bytes, words: list[tuple[int, bytes]]) -> None:
    examine(whole_words(data, words))


@FUZZ
@given(st.binary(max_size=60))
def test_bytes_that_are_no_description(data: bytes) -> None:
    examine(data)


@pytest.mark.parametrize("data", FILES)
def test_the_good_files_pass(data: bytes) -> None:
    game, levels = read_game(data, "good.toml")
    play(game, levels)


@pytest.mark.parametrize("cut", range(0, 100, 7))
@pytest.mark.parametrize("data", FILES)
def test_files_that_end_early(data: bytes, cut: int) -> None:
    examine(data[: len(data) * cut // 100])


LEVELS = [
    b"; 1\n\n####\n#.###\n#*@$#\n#####\n\n; two\n####\n#@$.#\n####\nTitle: x\n",
    b"20\n3\nXXXX\nX< X\nXTXX\nXXXX\n",
]


@FUZZ
@given(spoilt(LEVELS))
@example(b"\n\n\n")
@example(b"20\n3\n\n\n")
def test_spoilt_level_files(data: bytes) -> None:
    settings_of = {"header": ["horizon+1", "budget"]}
    for game, reader in (("sokoban", xsb), ("lemmings", headed)):
        try:
            levels = reader.read(data, "spoilt", builtin(game)[0], settings_of)
        except PuzzleError as error:
            assert error.findings
        else:
            play(builtin(game)[0], levels)


@FUZZ
@given(st.text(st.sampled_from("abhere no$:.,=>-# 12towrdinput\t\né"), max_size=40))
def test_sentences(text: str) -> None:
    for read in (read_rule, read_goal):
        try:
            read(text, lambda offset: Place("x", 1, offset + 1))
        except PuzzleError as error:
            place = error.findings[0].place
            assert place is not None and 1 <= place.column <= len(text) + 1
