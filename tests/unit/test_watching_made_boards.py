"""Boards that are made to watch are such as play leads to: one player, and nothing that parts at once."""

from __future__ import annotations

import random
from collections.abc import Sequence
from importlib import resources
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ggp.learn.boards import Board, Episode, Step, Turn, turns_of
from ggp.learn.probe.making import Maker
from ggp.learn.seen.attached import attached_in
from ggp.learn.seen.single import Troupe, one_of_each, single_movers
from ggp.learn.seen.structure import structure_of
from ggp.watch import Explorer, Start, World, rollouts
from ggp.watch.callables import CallableWorld
from ggp.watch.vgdl import VgdlWorld
from tests.slow import few_or_many

PITS = Path(str(resources.files("ggp.bench") / "worlds")) / "vgdl" / "pits.txt"


def line(*names: str) -> Board:
    """A board of one row."""
    return Board(1, len(names), tuple(frozenset(name.split()) for name in names))


class Given:
    """A world with one board, which nobody plays."""

    name = "given"

    def __init__(self, board: Board) -> None:
        self.board = board

    def levels(self) -> Sequence[Board]:
        return [self.board]

    def inputs(self, board: Board) -> Sequence[str]:
        return ["left", "right"]

    def play(self, starts: Sequence[Start]) -> list[Episode | None]:
        return [None for _ in starts]


def test_what_happened_in_other_runs_is_tried_again() -> None:
    begun = []

    class Still(Given):
        """Nothing ever happens in it."""

        def play(self, starts: Sequence[Start]) -> list[Episode | None]:
            begun.extend(board for board, _ in starts)
            return [Episode(board, tuple(Step(word, board) for word in words)) for board, words in starts]

    other = Episode(line("crate", "player", "", "gem"), (Step("right", line("crate", "", "player", "gem")),))
    beside = [other]
    runs = rollouts(Still(line("player", "", "")), random.Random(0), beside=beside)
    for _ in range(60):
        next(runs)
    assert not beside and any(frozenset({"gem"}) in board.cells for board in begun)


def test_a_run_begins_after_what_was_put_together_has_parted() -> None:
    world: World = Given(line("player", "", "crate", "lava", ""))
    explorer = Explorer(world, random.Random(0), 4)
    parted = line("", "player", "", "", "crate")
    run = Episode(
        line("player", "", "crate lava", "", "crate"),
        (
            Step("right", parted),
            Step("right", line("", "", "player", "", "crate")),
        ),
    )
    assert explorer.settled(run) == Episode(parted, run.steps[1:])
    usual = Episode(parted, (Step("left", line("player", "", "", "", "crate")),))
    assert explorer.settled(usual) is usual


@given(st.integers(0, 10**6))
def test_made_boards_hold_one_player_though_it_can_die(seed: int) -> None:
    own = [line("wall", "plain", "key", "gem", "gem", "pit")]
    alive, dead = line("wall", "", "keyed", "gem", "gem", "pit"), line("wall", "", "", "gem", "", "pit")
    structure = structure_of([Turn(own[0], "right", alive), Turn(alive, "right", dead)])
    player = frozenset({"plain", "keyed"})
    maker = Maker([*own, alive, dead], structure, own, [player], player=player)
    board = maker.make(random.Random(seed))
    assert sum(len(stack & {"plain", "keyed"}) for stack in board.cells) == 1


def test_of_two_that_take_turns_one_moves_and_the_other_rests() -> None:
    """No play leads to a board on which both move, and on one they need rules of the whole board."""
    own = [line("strong", "", "", "resting-quick"), line("resting-quick", "", "strong", "")]
    walk = Turn(own[0], "right", line("", "strong", "", "resting-quick"))
    exchange = Turn(walk.after, "change", line("", "resting-strong", "", "quick"))
    turns = [walk, exchange, Turn(exchange.after, "left", line("", "resting-strong", "quick", ""))]
    structure = structure_of(turns)
    single = single_movers(own, turns, structure)
    assert single == [frozenset({"quick", "resting-quick"}), frozenset({"resting-strong", "strong"})]
    maker = Maker([*own, *(turn.after for turn in turns)], structure, own, single)
    boards = [maker.strewn(random.Random(seed)) for seed in range(40)]
    found = {frozenset(name for stack in board.cells for name in stack) for board in boards}
    assert found == {frozenset({"strong", "resting-quick"}), frozenset({"quick", "resting-strong"})}
    troupe = Troupe(single, own, structure)
    assert troupe.plays(own[1]) and not troupe.plays(line("", "strong", "quick"))
    alone = Troupe(single[:1], own, structure)
    assert alone.plays(line("", "strong", "quick"))


def test_a_board_with_two_of_one_set_and_none_of_another_is_not_whole() -> None:
    """A log that was cut is a plank; where the player is gone both may lie there."""
    single, structure = [frozenset({"log", "plank"}), frozenset({"player"})], structure_of([])
    boards = [line("player", "log"), line("plank", "log", ""), line("player", "plank")]
    assert set(Troupe(single, boards, structure).whole) == {
        frozenset({"player", "log"}),
        frozenset({"player", "plank"}),
    }


def test_who_is_lost_as_a_sword_is_drawn_became_no_sword() -> None:
    own = [line("bare", "", "key", "bat"), line("bare", "sword", "", "bat"), line("", "held", "bat", "")]
    walk, lost = line("", "bare", "key", "bat"), line("", "sword", "bat", "")
    took = Turn(line("", "bare", "key", "bat"), "right", line("", "", "held", "bat"))
    turns = [Turn(own[0], "right", walk), took, Turn(own[2], "space", lost)]
    structure = structure_of(turns)
    single = single_movers(own, turns, structure)
    assert frozenset({"bare", "held"}) in single
    assert one_of_each(single, own[1], structure)
    assert not one_of_each(single, line("bare", "held", "bat"), structure)


def test_what_was_never_seen_in_one_cell_is_not_put_there() -> None:
    """A guard inside a wall, a crate in lava: whether games let it be says nothing of play."""
    before, after = line("player", "crate lava", "", "guard"), line("", "player lava", "crate", "guard")
    turn, walk = Turn(before, "right", after), Turn(line("guard", ""), "right", line("", "guard"))
    maker = Maker([before, after], structure_of([turn, walk]), [before])
    boards = {maker.varied(turn, random.Random(seed)) for seed in range(200)}
    assert any("guard" in board.cells[0] for board in boards)  # where something happened
    assert not any({"guard", "lava"} <= stack for board in boards for stack in board.cells)


def test_walls_all_around_stay_there_where_a_function_plays() -> None:
    """Beyond the first row of a list Python finds the last: who walks off an open board comes in opposite."""
    rows = ["#####", "#p..#", "#.#.#", "#...#", "#####"]
    open_boards = list[list[str]]()

    def turn(cells: list[list[list[str]]], word: str | None) -> list[list[list[str]]]:
        edge = [*cells[0], *cells[-1], *(row[0] for row in cells), *(row[-1] for row in cells)]
        open_boards.extend(one for one in edge if one != ["wall"])
        return cells

    mean: dict[str, list[str]] = {"#": ["wall"], "p": ["player"], ".": []}
    world = CallableWorld("walled", [[[mean[x] for x in row] for row in rows]], ["up", "down"], turn)
    runs = list(islice(rollouts(world, random.Random(1)), 40))
    assert len({run.start for run in runs}) > 10 and not open_boards


@few_or_many("number", 60, 120)
@pytest.mark.parametrize(("fixed", "padded"), [(True, False), (True, True), (False, False)])
def test_boards_are_as_large_as_a_function_takes_them(fixed: bool, padded: bool, number: int) -> None:
    """Rows and columns are often written down as numbers: a larger board is played on in part only."""
    asked = set[tuple[int, int]]()

    def turn(cells: list[list[list[str]]], word: str | None) -> list[list[list[str]]]:
        asked.add((len(cells), len(cells[0])))
        if padded:
            return [[["stone"]] * 5] * 4
        return [[cells[row][column] for column in range(5)] for row in range(4)] if fixed else cells

    rows = [[["player"], *[[]] * 4], *[[["stone"], *[[]] * 4]] * 3]
    world = CallableWorld("fixed", [rows], ["up", "down"], turn)
    runs = list(islice(rollouts(world, random.Random(1)), number))
    assert max(high for high, _ in asked) == 4 and max(wide for _, wide in asked) == 5
    assert len({(run.start.height, run.start.width) for run in runs}) == 1 or not fixed
    assert fixed == (world.sides.least == (4, 5))
    strewn = sum(run.start not in world.reached for run in runs)
    assert 2 * strewn > number


def test_no_run_of_pits_has_two_players_and_some_have_none_at_last() -> None:
    runs = [run for _, run in zip(range(80), rollouts(VgdlWorld(PITS), random.Random(5)), strict=False)]
    numbers = {
        sum("avatar" in stack for stack in turn.after.cells) for run in runs for turn in turns_of([run])
    }
    assert numbers == {0, 1}


@pytest.mark.parametrize(("cells", "doubled"), [([(1, 1), (1, 2)], False), ([(1, 1), (1, 1)], True)])
def test_two_sprites_of_a_type_in_one_cell_are_noticed(cells: list[tuple[int, int]], doubled: bool) -> None:
    class Stage:
        def sprites(self) -> dict[str, tuple[tuple[int, int], ...]]:
            return {"avatar": tuple(cells)}

    assert VgdlWorld.doubled(Stage()) is doubled


def test_what_only_play_brings_is_attached_from_the_first_time_on() -> None:
    """Bread that is held comes of fish that is held, on a made board; who put it there tells nothing."""
    own = [line("cook", "fish", "oven"), line("", "cook hand:fish", "oven")]
    made = [line("cook hand:fish", "oven", ""), line("cook hand:bread", "oven", "")]
    strewn = [line("hand:bread", "cook", "oven"), line("hand:bread", "", "cook")]
    runs = [
        Episode(some[0], tuple(Step("right", after) for after in some[1:])) for some in (own, made, strewn)
    ]
    structure = structure_of(list(turns_of(runs)), names=False)
    attached = attached_in(runs, [own[0]], structure)
    assert attached.companies["hand:bread"] == {frozenset({"cook", "hand:bread"})}
    assert "fish" not in attached.companies
    dropped = [line("cook hand:bread", "", ""), line("hand:bread", "cook", "")]
    let_go = Episode(made[0], (Step("right", made[1]), *(Step("right", after) for after in dropped)))
    assert "hand:bread" not in attached_in([*runs, let_go], [own[0]], structure).companies


def test_what_never_stood_alone_is_not_strewn_alone() -> None:
    """Of who falls and how fast nothing is made but such as are together; and no two speeds in one cell.

    On a board that is not the game's own a speed was left behind.
    """
    own = [
        line("man", "", "gem"),
        line("", "man speed:1", "gem"),
        line("", "", "man speed:2"),
        line("man speed:1", "", "gem"),
    ]
    made = [line("", "man speed:1", "gem"), line("", "speed:1 speed:2", "man")]
    runs = [Episode(some[0], tuple(Step("right", after) for after in some[1:])) for some in (own, made)]
    structure = structure_of(list(turns_of(runs)))
    attached = attached_in(runs, [own[0]], structure)
    maker = Maker([*own, *made], structure, attached=attached)
    rng = random.Random(0)
    for stack in (frozenset(names) for names in (set(), {"gem"}, {"man"}, {"man", "speed:1"})):
        others = {maker.another(stack, rng) for _ in range(200)}
        assert all(attached.stands(one) and len({*one} & {"speed:1", "speed:2"}) < 2 for one in others)
    assert not maker.conceivable(frozenset({"speed:1"}))
    assert not maker.conceivable(frozenset({"man", "speed:1", "speed:2"}))
