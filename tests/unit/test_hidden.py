"""What is hidden stays hidden: views, exact counts of layouts, and players that go by them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random

import numpy as np
import pytest

from ggp.errors import UnsupportedFeature
from ggp.language import levels
from ggp.model import Instance, Piece
from ggp.model.board import width
from ggp.players.belief import Belief, Counted, belief_of
from ggp.players.counting import Layouts, Sum
from ggp.players.endgame import Endgame
from ggp.players.luck import Dealt, Lucky
from ggp.players.protocol import Table
from ggp.players.run import Run
from ggp.players.safest import Safest
from ggp.players.seat import Seat
from ggp.players.uncovering import Uncovering
from ggp.players.worlds import world_of
from ggp.referee.dice import every_way
from ggp.referee.inputs import parse_action
from ggp.referee.semantics import initial_state, legal_actions, step
from ggp.referee.trajectory import replay
from ggp.referee.view import seen
from ggp.render.terminal import plain
from ggp.transition.native.lanes import LOST, WON
from ggp.transition.stepper import States
from tests.slow import few_or_many, more_of, one_in, slowly

TINY, PAIRS = "minesweeper/tiny", "concentration/four"


def lucky(name: str) -> Lucky:
    world = world_of(levels.load(name))
    assert isinstance(world, Lucky)
    return world


def shown(world: Lucky, position: Dealt) -> tuple[object, ...]:
    """All that reaches a player: planes, what is allowed, text, what is known of the position, the state."""
    state = world.shown(position)
    legal = tuple(world.legal(position).tolist())
    return world.planes(position).tobytes(), legal, plain(world.instance, state), world.told(position), state


# --- views ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "seed"),
    [slowly((TINY, 0)), ("small", 0), ("small", 1), (PAIRS, 0), (PAIRS, 1), (PAIRS, 2)],
)
def test_nothing_leaks(name: str, seed: int) -> None:
    """Over a random play: all states that agree with what was seen look alike in every way, and do so on."""
    world, rng = small().world if name == "small" else lucky(name), Random(seed)
    run, belief = Run(world, seed), Belief(world)
    while run.outcome == "open":
        belief.saw(world.planes(run.position).tobytes())
        assert sum(belief.shares.values()) == 1
        assert run.turns or len(belief.shares) > 1, "at first nobody knows which it is"
        some = rng.sample(list(belief.shares), min(15, len(belief.shares)))
        assert {shown(world, position) for position in some} == {shown(world, run.position)}
        action = int(rng.choice(world.legal(run.position).nonzero()[0]))
        run.act(action)
        if run.outcome == "open":
            belief.did(action)


def test_a_covered_thing_is_not_seen_and_an_uncovered_one_is() -> None:
    instance = levels.load(TINY)
    position = lucky(TINY).begin(3)
    state = lucky(TINY).state(position)
    mines = [cell for cell, here in enumerate(state.board) if Piece("mine") in here]
    assert len(mines) == 5
    assert not any(Piece("mine") in here for here in seen(instance, state).board)
    after = step(instance, state, parse_action(f"pick({mines[0] // 4},{mines[0] % 4})"))
    assert [Piece("mine") in here for here in seen(instance, after).board].count(True) == 1


@pytest.mark.parametrize("name", [TINY, "minesweeper/beginner", PAIRS, "doubling/sixteen"])
def test_a_world_does_what_the_referee_does(name: str) -> None:
    """A play in the world, replayed by the referee from what chance said: the same states, moves, and end."""
    world, instance, rng = lucky(name), levels.load(name), Random(5)
    for seed in range(2):
        run = Run(world, seed)
        states = [world.state(run.position)]
        while run.outcome == "open" and world.legal(run.position).any() and run.turns < 8:
            allowed = {world.actions[action] for action in world.legal(run.position).nonzero()[0]}
            if not states[-1].lays and name != "minesweeper/beginner":
                assert allowed == set(map(str, legal_actions(instance, states[-1])))
            run.act(int(rng.choice(world.legal(run.position).nonzero()[0])))
            states.append(world.state(run.position))
        verdict = replay(instance, run.plan())
        assert [state.board for state in verdict.states] == [state.board for state in states]
        assert verdict.won == (run.outcome == "won")


# --- counts -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", one_in(3, range(60)))
def test_counts_are_those_of_going_through_all(seed: int) -> None:
    rng = Random(seed)
    cells = list(range(rng.randrange(1, 11)))
    total = rng.randrange(len(cells) + 1)
    truth = set(rng.sample(cells, total))
    sums = []
    for _ in range(rng.randrange(5)):
        some = frozenset(rng.sample(cells, rng.randrange(len(cells) + 1)))
        sums.append(Sum(some, len(some & truth) if rng.random() < 0.9 else rng.randrange(4)))
    every = [
        frozenset(laid)
        for laid in combinations(cells, total)
        if all(len(one.cells & set(laid)) == one.number for one in sums)
    ]
    layouts = Layouts(cells, sums, total)
    assert layouts.number == len(every)
    assert sorted(map(sorted, layouts)) == sorted(map(sorted, every))
    if every:
        assert layouts.holding() == {cell: sum(cell in laid for laid in every) for cell in cells}
        assert layouts.sample(rng) in every


def test_samples_are_uniform() -> None:
    layouts = Layouts(range(7), [Sum(frozenset((0, 1, 2)), 1), Sum(frozenset((2, 3)), 1)], 3)
    rng = Random(1)
    drawn = Counter(layouts.sample(rng) for _ in range(200 * layouts.number))
    assert len(drawn) == layouts.number
    assert all(abs(times - 200) < 75 for times in drawn.values())


def test_what_is_told_holds_in_every_state() -> None:
    """`tells` of Minesweeper, asked of the whole state: every number is right, covered or not."""
    for name in (TINY, "minesweeper/beginner"):
        world = lucky(name)
        for seed in range(3):
            run = Run(world, seed)
            run.act(seed)
            state = world.state(run.position)
            rows = tuple(
                state.board[at : at + width(world.instance)]
                for at in range(0, len(state.board), width(world.instance))
            )
            for scatter in world.instance.game.chance:
                for term in scatter.tells:
                    assert term.holds(with_board(world.instance, rows), state)


def with_board(instance: Instance, rows: tuple[tuple[frozenset[Piece], ...], ...]) -> Instance:
    from dataclasses import replace

    return Instance(instance.game, replace(instance.level, board=rows))


def test_samples_agree_with_what_was_seen() -> None:
    for name, kind in (("minesweeper/beginner", Counted), (PAIRS, Belief)):
        world, rng = lucky(name), Random(4)
        run, belief = Run(world, 1), belief_of(world)
        assert isinstance(belief, kind)
        for _ in range(3):
            observed = world.planes(run.position).tobytes()
            belief.saw(observed)
            for _ in range(5):
                assert world.planes(belief.sample(rng)).tobytes() == observed
            turns = {a: t for a, t in world.turns(run.position).items() if t.outcome == "open"}
            action = rng.choice(list(turns))
            run.act(action)
            belief.did(action)


@more_of(
    test_counts_are_those_of_going_through_all,
    test_what_is_told_holds_in_every_state,
    test_samples_agree_with_what_was_seen,
)
@pytest.mark.parametrize("seed", [1])
def test_the_counts_of_minesweeper_are_those_of_all_4368_layouts(seed: int) -> None:
    """Over random plays: as many layouts agree as those of all 4,368 that look like this, cell by cell."""
    world, rng = lucky(TINY), Random(seed)
    game = Uncovering(world)
    assert game.layouts(game.start).number == comb(16, 5) == 4368
    run, belief = Run(world, seed), Belief(world)
    while run.outcome == "open":
        observed = world.planes(run.position).tobytes()
        belief.saw(observed)
        layouts = game.layouts(observed)
        boards = [world.state(position).board for position in belief.shares]
        assert layouts.number == len(boards)
        for cell, probability in layouts.probabilities().items():
            held = sum(Piece("mine") in board[cell] for board in boards)
            assert probability == Fraction(held, len(boards))
        safe = [a for a in world.legal(run.position).nonzero()[0] if layouts.probabilities()[int(a)] < 1]
        action = int(rng.choice(safe))
        run.act(action)
        if run.outcome == "open":
            belief.did(action)


# --- players ----------------------------------------------------------------------------------------------


SMALL = """
[[level]]
name = "small"
mines = 2
mines-after-first-pick = 0
map = '''
MAP
'''
"""


def small(rows: Sequence[str] = ("###",) * 3) -> Uncovering:
    """A level with two mines, which may be under the first pick too."""
    from ggp.language.description import read_game

    text = (levels.registry.description_text("minesweeper")).decode().split("[[level]]")[0]
    text += SMALL.replace("MAP", "\n".join(rows))
    game, (level, *_) = read_game(text.encode(), "small.toml")
    return Uncovering(world_of(Instance(game, level)))


@few_or_many("rows", ("####",) * 2, ("###",) * 3)
def test_looking_ahead_is_the_best_there_is(rows: Sequence[str]) -> None:
    """Against going through all plays with 2 mines, by the world itself and without any short cut."""
    game = small(rows)
    world = game.world
    starts = [
        world.dealt(state) for _, _, state in every_way(lambda d: initial_state(world.instance, dice=d))
    ]
    known: dict[bytes, int] = {}

    def best(positions: list[Dealt]) -> int:
        key = world.planes(positions[0]).tobytes()
        if key not in known:
            known[key] = max(after(positions, int(a)) for a in world.legal(positions[0]).nonzero()[0])
        return known[key]

    def after(positions: list[Dealt], action: int) -> int:
        won, apart = 0, dict[bytes, list[Dealt]]()
        for position in positions:
            ((_, turn),) = world.ways(position, action)
            won += turn.outcome == "won"
            if turn.outcome == "open":
                apart.setdefault(world.planes(turn.position).tobytes(), []).append(turn.position)
        return won + sum(map(best, apart.values()))

    end = Endgame(game, game.start, list(game.layouts(game.start)), [])
    opened, agreeing = end.agreeing(game.start)
    assert (opened, len(agreeing)) == (0, comb(len("".join(rows)), 2))
    assert end.best(opened, agreeing).won == best(starts)


def test_an_endgame_is_the_one_at_hand() -> None:
    """What it says is seen after a pick is what is seen then, in all layouts that are left."""
    world = lucky(TINY)
    game = Uncovering(world)
    position = world.begin(9)
    safe = [a for a, t in world.turns(position).items() if t.outcome == "open"][0]
    turn = world.turn(position, safe)
    assert turn is not None
    observed = world.planes(turn.position).tobytes()
    layouts = list(game.layouts(observed))
    end = Endgame(game, observed, layouts, [safe])
    opened, agreeing = end.agreeing(observed)
    assert agreeing == list(range(len(layouts)))
    states = game.played(layouts, [safe])
    for cell in end.picks:
        uncovered = game.uncovered(states, cell)
        for lane in agreeing:
            after = opened | end.uncovers[cell][lane]
            assert after == sum(1 << int(one) for one in np.flatnonzero(uncovered[lane]))


@more_of(test_looking_ahead_is_the_best_there_is, test_an_endgame_is_the_one_at_hand)
def test_the_safest_cell_comes_to_what_it_comes_to() -> None:
    """In all 4,368 layouts: the mean utility is at least that of the plain safest cell, -0.393."""
    player = Safest(Table(levels.load(TINY)))
    game, end = player.game, player.whole
    assert end is not None
    everything = list(end.held)

    def won(states: States, opened: int, layouts: list[int]) -> int:
        """How many of these layouts, which all look alike, the player wins."""
        observed = game.world.masked(game.world.run.stepper.planes(states[:, :, :1]))[0].tobytes()
        (*_, pick) = player.found(observed, [cell for cell in end.picks if not opened >> cell & 1])
        after = states.copy()
        told = game.world.run.stepper.advance(after, np.full(len(layouts), pick, np.int64))
        apart: dict[tuple[int, int], list[int]] = {}
        for lane, one in enumerate(layouts):
            assert bool(told[lane] & LOST) == bool(end.held[one] >> pick & 1)
            if not told[lane] & (WON | LOST):
                apart.setdefault(end.seen(opened | end.uncovers[pick][one], one), []).append(lane)
        return int((told & WON > 0).sum()) + sum(
            won(after[:, :, lanes], now, [layouts[lane] for lane in lanes])
            for (now, _), lanes in apart.items()
        )

    every = game.played([frozenset(c for c in range(16) if held >> c & 1) for held in everything], [])
    number = won(every, 0, list(range(len(everything))))
    assert number == 1363 and 2 * number / 4368 - 1 > -0.393


@pytest.mark.parametrize(
    ("name", "player", "told"),
    [
        (TINY, "greedy", "greedy does not plan with kinds that the player does not see"),
        (TINY, "solver:search", "solver:search does not plan with"),
        (TINY, "expectimax", "expectimax does not plan with kinds that the player does not see"),
        ("doubling/sixteen", "sp-mcts", "sp-mcts does not plan with chance in a turn"),
    ],
)
def test_who_cannot_plan_so_refuses(name: str, player: str, told: str) -> None:
    with pytest.raises(UnsupportedFeature) as caught:
        Seat(player, Table(levels.load(name)))
    assert told in str(caught.value.findings[0])
    assert caught.value.findings[0].place is not None


@pytest.mark.parametrize(
    ("name", "why"),
    [(PAIRS, "several kinds"), ("doubling/sixteen", "nothing in it"), ("sokoban/first", "nothing in it")],
)
def test_games_of_another_sort_are_refused(name: str, why: str) -> None:
    with pytest.raises(UnsupportedFeature, match=why):
        Uncovering(world_of(levels.load(name)))
