"""Facings that are not shown: what needs one gets one, and the rules are those of the game."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from ggp.bench.learning import small_boards, without
from ggp.errors import NotLearned
from ggp.harness.learning import shell_of
from ggp.language import levels
from ggp.learn.boards import Board, Episode, Step, board_of
from ggp.learn.eventful import vocabulary_of
from ggp.learn.habits import Habits, habits_of, likely, tracks
from ggp.learn.hidden import known, learn_positions, mover, positions_only, with_facings
from ggp.learn.record import write_episodes
from ggp.learn.write.emit import with_program
from ggp.model import DIRECTIONS, OFFSETS, Game
from ggp.proof.equivalence.certificate import certify
from ggp.tasks.oracle import model_of
from ggp.watch import rollouts
from ggp.watch.described import DescribedWorld
from tests.commands import ROOT, Ask
from tests.slow import few_or_many, slow_unless


def seed_setting(number: int, seed: int) -> tuple[Game, list[Episode]]:
    """Roll-outs on small boards with one walker, as the benchmark of learning has them."""
    cases = tomllib.loads((ROOT / "ggp" / "bench" / "cases.toml").read_text())
    game, kept = levels.load_game("lemmings")
    game = without(game, ["rest"])
    world = DescribedWorld(game, kept, go_on=True)
    return game, list(
        islice(small_boards(world, cases["learning"]["settings"][0], random.Random(seed)), number)
    )


@pytest.mark.parametrize("seed", slow_unless([1], range(3)))
def test_rules_are_exact_although_no_facing_was_shown(seed: int) -> None:
    game, runs = seed_setting(20, seed)
    learned = learn_positions(runs)
    assert learned.evidence[0].startswith("lemming faces left or right: that is not shown, but invented")
    shell = shell_of(game)
    vocabulary = vocabulary_of(shell, [board for run in runs for board in run.boards()])
    assert certify(game, with_program(shell, learned.program, vocabulary), model_of).exact


def test_nothing_faces_anything_where_positions_alone_are_looked_at() -> None:
    _, runs = seed_setting(5, 0)
    stacks = {token for run in positions_only(runs) for b in run.boards() for s in b.cells for token in s}
    assert "lemming" in stacks and not any(":" in token for token in stacks)


def test_what_inputs_move_needs_no_facing() -> None:
    world = DescribedWorld(*levels.load_game("sokoban"), go_on=True)
    learned = learn_positions(list(islice(rollouts(world, random.Random(0)), 40)))
    assert not learned.structure.facing


def pacing(number: int) -> list[Episode]:
    """A player goes where it is sent, and below it a guard paces, which stays for a turn to turn round."""
    step = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}
    rng, runs = random.Random(3), []
    for _ in range(number):
        at, guard, way = (rng.randrange(2), rng.randrange(4)), rng.randrange(4), rng.choice((-1, 1))
        boards, words = [], [*rng.choices(list(step), k=8)]
        for word in ("", *words):
            if word:
                to = at[0] + step[word][0], at[1] + step[word][1]
                at = to if to[0] in (0, 1) and to[1] in range(4) else at
                guard, way = (guard + way, way) if guard + way in range(4) else (guard, -way)
            cells: list[list[list[str]]] = [[[] for _ in range(4)] for _ in range(3)]
            cells[at[0]][at[1]].append("me")
            cells[2][guard].append("guard")
            boards.append(board_of(cells))
        steps = (Step(word, board) for word, board in zip(words, boards[1:], strict=True))
        runs.append(Episode(boards[0], tuple(steps)))
    return runs


@few_or_many("runs", 5, 40)
def test_what_goes_both_ways_under_one_input_gets_a_facing_and_the_player_none(runs: int) -> None:
    seen = pacing(runs)
    assert mover(seen) == ("guard", ("left", "right"))
    if runs > 5:  # of so few nothing is learned
        learned = learn_positions(seen)
        assert {family for family, _ in learned.structure.facing.values()} == {learned.invented} == {"guard"}


def row(text: str) -> Board:
    """A board of one row, a letter a cell; a dot is empty."""
    return board_of([[[] if char == "." else [char] for char in text]])


def run(*boards: str) -> Episode:
    """A run that goes on by itself."""
    first, *rest = map(row, boards)
    return Episode(first, tuple(Step(None, board) for board in rest))


def sides(one: Episode) -> list[str | None]:
    """What it is found to face on each board of a run, None where that stays in doubt."""
    (track,) = tracks(one, "a", ("left", "right"))
    found = known([(track, likely(track, Habits(("left", "right"))))])
    return [found.get((number, cell)) for number, cell in enumerate(track.cells)]


def test_facings_come_from_where_it_goes_and_stay_in_doubt_where_nothing_tells() -> None:
    assert sides(run("..a.#", "...a#", "...a#", "..a.#"))[:3] == ["right", "right", "left"]
    assert sides(run("a#", "a#")) == [None, None]


def test_an_input_that_was_no_move_turns_nothing_round() -> None:
    there = run("..a.#", "...a#", "...a#")
    last = replace(there.steps[-1], word="up", refused=True)
    assert sides(replace(there, steps=(*there.steps[:-1], last))) == ["right", "right", "right"]


def cleaning(number: int) -> Iterator[tuple[Episode, list[str]]]:
    """A cleaner on a board with boxes goes ahead, and turns right at what is in its way; with its facings."""
    rng = random.Random(3)
    for _ in range(number):
        boxes = {(rng.randrange(5), rng.randrange(5)) for _ in range(5)}
        at = rng.choice([(r, c) for r in range(5) for c in range(5) if (r, c) not in boxes])
        way, faced, boards = rng.randrange(4), [], []
        for _ in range(16):
            cells: list[list[list[str]]] = [
                [["box"] if (r, c) in boxes else [] for c in range(5)] for r in range(5)
            ]
            cells[at[0]][at[1]].append("a")
            boards.append(board_of(cells))
            faced.append(DIRECTIONS[way])
            down, right = OFFSETS[DIRECTIONS[way]]
            to = at[0] + down, at[1] + right
            free = to not in boxes and min(to) >= 0 and max(to) < 5
            at, way = (to, way) if free else (at, (way + 1) % 4)
        yield Episode(boards[0], tuple(Step("wait", board) for board in boards[1:])), faced


def test_four_facings_are_invented_for_what_turns_right() -> None:
    runs, faced = zip(*cleaning(12), strict=True)
    token, ways = mover(runs)
    assert token == "a" and set(ways) == set(DIRECTIONS)
    followed = [tracks(one, token, ways)[0] for one in runs]
    habits = habits_of(followed, ways)
    told = [known([(track, likely(track, habits))]) for track in followed]
    right = [
        some.get((n, cell))
        for some, track in zip(told, followed, strict=True)
        for n, cell in enumerate(track.cells)
    ]
    truth = [way for some in faced for way in some]
    assert sum(map(bool, right)) > 0.8 * len(truth)
    assert not [pair for pair in zip(right, truth, strict=True) if pair[0] and pair[0] != pair[1]]


def test_several_things_are_followed_each_for_itself() -> None:
    ends = [[*track.cells[-1]] for track in tracks(run("aa..", "a.a.", ".a.a"), "a", ("left", "right"))]
    assert ends == [[0, 1], [0, 3]]
    assert len(tracks(run(".a.", "a.a"), "a", ("left", "right"))) == 3  # which of them is it?


def test_what_goes_by_chance_is_not_learned() -> None:
    rng, runs = random.Random(3), []
    for _ in range(20):
        at, boards = 6, []
        for _ in range(9):
            boards.append("." * at + "a" + "." * (12 - at))
            at = max(0, min(12, at + rng.choice((-1, 1))))
        runs.append(run(*boards))
    with pytest.raises(NotLearned, match="no facings of a make sense of a third of the turns"):
        with_facings(runs, "a", ("left", "right"))


def test_the_command_looks_at_positions_alone(ask: Ask, tmp_path: Path) -> None:
    _, runs = seed_setting(20, 0)
    write_episodes(tmp_path / "play.jsonl", runs)
    answer = ask("learn", "--from", tmp_path / "play.jsonl", "--observe", "positions")
    assert answer.status == 0 and "# lemming faces left or right: that is not shown" in answer.out
    other = ask("learn", "lemmings", "--observe", "positions")
    assert other.status == 2 and "with --from or --watch" in other.err
