"""Made levels with something that walks: won by their answers, and by nothing with fewer placements."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest

from ggp.analysis.design import DesignSearch
from ggp.api import solve
from ggp.explain.effort import EFFORT, difficulty
from ggp.generate import interface, walking, walks
from ggp.generate.roles import roles_of
from ggp.generate.wish import Made, NotMade, Wish
from ggp.language.description import check_file
from ggp.language.description.writing import write_levels
from ggp.language.levels import load_game
from ggp.model import Game, Instance, Kind, Level, Piece
from ggp.model.result import OutOfTime
from ggp.referee.stock import budget
from ggp.referee.trajectory import replay
from tests.slow import slow_unless

SMALL = {"lemmings": ((8, 8), {"budget": 2}), "springboards": ((7, 9), {"bricks": 1, "springs": 1})}


@cache
def made_one(name: str, seed: int = 1) -> Made:
    """One small level of a game."""
    size, numbers = SMALL[name]
    (made,) = interface.generate(*load_game(name), seed=seed, size=size, numbers=numbers)
    return made


@pytest.mark.parametrize("name", sorted(SMALL))
def test_a_level_needs_all_that_may_be_placed(name: str, tmp_path: Path) -> None:
    """Another path, by constraints, finds none with fewer, and as many answers; the file has no fault."""
    game, _ = load_game(name)
    made = made_one(name)
    one, known = Instance(game, made.level), made.level.known
    assert all(replay(one, plan).won for plan in known.wins) and known.wins
    assert not any(replay(one, plan).won for plan in known.loses)
    best = solve(one, "cp-sat")
    assert best.stop == "optimal" and best.objective == made.measured["placements"] == budget(one) >= 2
    assert known.solutions == made.measured["answers"] and dict(known.optimum).popitem()[1] == budget(one)
    size, numbers = SMALL[name]
    assert ((len(made.level.board), len(made.level.board[0])), dict(made.level.numbers)) == (size, numbers)
    text = write_levels(name, game, [made.level])
    file = tmp_path / "made.toml"
    file.write_text(text, encoding="utf-8")
    assert check_file(file, lambda _: game) == ()


def test_a_seed_makes_the_same_level_and_another_one_another() -> None:
    first, other = made_one("lemmings"), made_one("lemmings", 2)
    again = made_one.__wrapped__("lemmings")
    assert again == first and again.level.board != other.level.board


def test_hard_levels_are_made_from_the_hardest_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its target, and with few cells exchanged; of another size, or with another wish, anew."""
    game, levels = load_game("lemmings")
    maker = walking.Maker(Wish(game, levels, Random(1), "made", (8, 8), "hard", {"budget": 2}))
    monkeypatch.setattr(walking, "CHANGED", 1.0)
    board = Level("", tuple(map(tuple, walks.platforms(Random(2), asked(8)))))
    maker.hardest = 1, board
    for _ in range(20):
        pairs = zip(sum(maker.ground(asked(8)), []), sum(map(list, board.board), []), strict=True)
        changed = [(new, old) for new, old in pairs if new != old]
        assert len(changed) <= walking.CELLS
        assert all({new, old} == {frozenset(), frozenset({asked(8).wall})} for new, old in changed)
    assert len(maker.ground(asked(9))) == 9
    easier = walking.Maker(Wish(game, levels, Random(1), "made", (8, 8), "medium", {"budget": 2}))
    easier.note(board, [])
    assert easier.hardest is None


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize(
    ("seed", "tries", "found"), slow_unless([(4, 2, "easy")], [(4, 2, "easy"), (3, 5, "medium")])
)
def test_where_none_is_hard_it_says_how_far_it_got(
    seed: int, tries: int, found: str, late: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two bricks settle too few cells, whether tries or time run out."""

    def out_of_time(wish: Wish, tries: int, attempt: Callable[[], Made | str]) -> Made:
        assert all(isinstance(attempt(), str) for _ in range(tries))
        raise OutOfTime

    monkeypatch.setattr(walking, "TRIES", tries)
    if late:
        monkeypatch.setattr(walking, "first_made", out_of_time)
    game, levels = load_game("lemmings")
    with pytest.raises(NotMade) as error:
        walking.generate(Wish(game, levels, Random(seed), "made", (8, 8), "hard", {"budget": 2}))
    message, remedy = error.value.findings[0].message, error.value.findings[0].remedy
    said = re.search(r"the hardest has (\d+) bits, hard are (\d+)", message)
    assert said is not None and (difficulty(game, int(said[1])), int(said[2])) == (found, EFFORT[1])
    assert remedy == f"ask for a {found} one, or for a larger size"


def test_of_what_never_was_made_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    game, levels = load_game("lemmings")
    monkeypatch.setattr(walking, "TRIES", 1)
    with pytest.raises(NotMade, match="in 1 tries"):
        walking.generate(Wish(game, levels, Random(1), "made", (8, 8), "hard", {"budget": 2}))


def asked(size: int) -> walks.Wish:
    """A walk on a square board."""
    roles = roles_of(*load_game("lemmings"))
    return walks.Wish(size, size, 30, (("budget", 2),), roles.wall, roles.walkers[0], roles.target)


def test_the_way_is_long_and_the_decisions_are_counted() -> None:
    """Of the two answers each has one chance in so many halves; no toy has half of what a medium one has."""
    game, _ = load_game("lemmings")
    made = made_one("lemmings")
    search = DesignSearch(Instance(game, made.level))
    leaves = list(search.leaves(lambda: None))
    assert len(leaves) == made.measured["answers"]
    assert walking.effort_of(search, leaves) == made.measured["bits"] >= EFFORT[0] // 2
    # An end that nothing is placed after counts each cell that was looked at until then as a half.
    (first, *_), alone = leaves, walking.effort_of(search, leaves[:1])
    assert len(first.placed) <= alone <= first.read


def test_one_that_is_won_with_fewer_is_thrown_away() -> None:
    """A level on which one brick can be spared, and one that has no answer."""
    game, kept = load_game("lemmings")
    seed, hopeless = kept[0], next(one for one in kept if one.known.solvable is False)
    maker = walking.Maker(interface.Wish(game, kept, interface.random.Random(1), "made"))
    assert len(maker.searched(seed)) == seed.known.solutions
    assert maker.searched(replace(seed, numbers=(("budget", 4),))) == "fewer placements would do"
    assert maker.searched(hopeless) == "it had no answer"


def test_roles_are_read_off() -> None:
    roles = roles_of(*load_game("springboards"))
    assert (roles.wall, roles.target, roles.kind) == (Piece("wall"), Piece("exit"), "walker")


def nothing_left(game: Game, kept: tuple[Level, ...]) -> tuple[Game, tuple[Level, ...]]:
    """The game without its levels."""
    return game, ()


def with_a_key(game: Game, kept: tuple[Level, ...]) -> tuple[Game, tuple[Level, ...]]:
    """The game with a kind that each level must have."""
    return replace(game, kinds=(*game.kinds, Kind("key", "key", count=(1, None)))), kept


def without_walls(game: Game, kept: tuple[Level, ...]) -> tuple[Game, tuple[Level, ...]]:
    """The game with levels in which nothing stays."""
    wall = frozenset({Piece("wall")})
    boards = (tuple(tuple(here - wall for here in row) for row in one.board) for one in kept)
    return game, tuple(replace(one, board=board) for one, board in zip(kept, boards, strict=True))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (nothing_left, "there are none"),
        (with_a_key, "each level must have `key`"),
        (without_walls, "nothing that stays"),
    ],
)
def test_where_roles_cannot_be_read_off_it_says_why(change: object, reason: str) -> None:
    game, kept = load_game("lemmings")
    assert walking.suits(game, kept) is None
    assert callable(change) and reason in str(walking.suits(*change(game, kept)))
