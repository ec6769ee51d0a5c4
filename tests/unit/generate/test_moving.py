"""Made levels of games with inputs: solvable, as hard as was asked, and the same for the same seed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import ggp
from ggp.errors import DescriptionError, PuzzleError
from ggp.explain.effort import EFFORT
from ggp.generate import interface, moving
from ggp.generate.wish import Difficulty, Made, NotMade, Wish, hardest_made
from ggp.language import levels
from ggp.language.description import check_file, read_game, write_game
from ggp.language.description.writing import write_levels
from ggp.model import Game, Instance
from ggp.model.result import Clock, OutOfTime
from ggp.referee.trajectory import replay
from ggp.search.moving import MovingSearch
from tests.slow import few_or_many, one_in

MOVING = [game for game in levels.games() if moving.suits(*levels.load_game(game)) is None]


def made_one(name: str, difficulty: Difficulty = "easy", seed: int = 0) -> tuple[Game, Made]:
    """One level of a game."""
    game, kept = levels.load_game(name)
    (made,) = interface.generate(game, kept, seed=seed, difficulty=difficulty)
    return game, made


def test_there_are_games_to_make_levels_of() -> None:
    assert {"sokoban", "psychopath", "rush-hour", "samegame"} <= set(MOVING)


@pytest.mark.parametrize("name", one_in(4, MOVING))
def test_an_easy_level(name: str, tmp_path: Path) -> None:
    """It wins by its plan, no plan is shorter, it is not over at once, and its file is without a fault."""
    game, made = made_one(name)
    one = Instance(game, made.level)
    (plan,) = made.level.known.wins
    verdict = replay(one, plan)
    assert verdict.won and len(plan.actions) >= 2 and made.difficulty == "easy"
    assert not any(replay(one, loses).won for loses in made.level.known.loses)
    turns = next(objective for objective in game.objectives if objective.counts == "turns")
    best = MovingSearch(one, turns).best(lambda: None)
    assert dict(made.level.known.optimum) == {turns.name: best.cost} == {turns.name: len(plan.actions)}
    assert made.measured["turns"] == best.cost and made.measured["bits"] >= 0
    text = write_levels(name, game, [made.level])
    again = made_one(name)[1]
    assert write_levels(name, game, [again.level]) == text
    file = tmp_path / "made.toml"
    file.write_text(text, encoding="utf-8")
    assert check_file(file, lambda _: game) == ()


def test_lamps_of_the_usual_size() -> None:
    """Of 25 lamps too many boards can be reached to go through all; a solver that does not agrees."""
    game, kept = levels.load_game("lights-out")
    (made,) = interface.generate(game, kept, seed=1, size=(5, 5), difficulty="hard")
    assert made.level.board not in {level.board for level in kept}
    best = ggp.solve(Instance(game, made.level), solver="cp-sat")
    assert {"turns": best.objective} == dict(made.level.known.optimum)


def test_the_same_in_every_process() -> None:
    code = (
        "from ggp.language import levels; from ggp.generate import interface\n"
        "for name in ('sokoban', 'rush-hour', 'lasertank'):\n"
        "    for made in interface.generate(*levels.load_game(name), seed=5, difficulty='easy'): print(made)"
    )
    path = os.pathsep.join([str(Path(ggp.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    told = set()
    for seed in "12":
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": path}
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment, check=True)
        # How a set prints hangs on the process; which letters there are does not.
        told.add(tuple(sorted(done.stdout.decode())))
    assert len(told) == 1


@few_or_many("games", ["polar-slide"] * 2, ["polar-slide", "polar-slide", "lasertank"])
def test_harder_takes_more_decisions(games: list[str]) -> None:
    difficulties = ("easy", "medium", "hard")[: len(games)]
    bits = [made_one(game, one)[1].measured["bits"] for game, one in zip(games, difficulties, strict=True)]
    assert all(below < limit <= above for below, limit, above in zip(bits, EFFORT, bits[1:], strict=False))


def test_without_a_difficulty_it_is_no_toy() -> None:
    """The first ones that can be solved take two to four turns, most of them."""
    game, kept = levels.load_game("sokoban")
    for seed in range(3):
        (made,) = interface.generate(game, kept, seed=seed)
        assert made.difficulty != "easy" and made.measured["turns"] >= 10


def test_the_hardest_is_chosen_and_kept_when_time_is_up() -> None:
    game, kept = levels.load_game("sokoban")
    wish = Wish(game, kept, Random(0), "made", clock=Clock())
    efforts: Iterator[Made | str] = iter(
        [Made(kept[0], "easy", {"bits": 1}), "no", *(Made(kept[0], "easy", {"bits": n}) for n in (3, 2, 9))]
    )

    def hardest(most: int) -> int:
        def bits(made: Made) -> int:
            return int(made.measured["bits"])

        return bits(hardest_made(wish, 9, lambda: next(efforts), bits, lambda found: len(found) >= most))

    assert hardest(3) == 3
    assert hardest(1) == 9
    wish.clock.limit = 0.0
    efforts = iter(())
    with pytest.raises(OutOfTime):
        hardest(1)
    wish.clock.limit = None

    def late() -> Iterator[Made]:
        yield Made(kept[0], "easy", {"bits": 4})
        raise OutOfTime

    efforts = late()
    assert hardest(2) == 4
    efforts = iter(["no"] * 9)
    with pytest.raises(NotMade, match="9 times no"):
        hardest(1)


def test_other_seeds_make_other_levels() -> None:
    assert len({made_one("sokoban", seed=seed)[1].level.board for seed in range(4)}) == 4


def test_a_size_is_kept_and_one_without_room_is_refused() -> None:
    game, kept = levels.load_game("sokoban")
    (made,) = interface.generate(game, kept, seed=1, size=(5, 8), difficulty="easy")
    assert (len(made.level.board), len(made.level.board[0])) == (5, 8)
    with pytest.raises(PuzzleError, match="no room"):
        list(interface.generate(game, kept, seed=1, size=(2, 2)))


def test_what_it_does_not_suit_it_says() -> None:
    assert "no input" not in str(moving.suits(*levels.load_game("sokoban")))
    assert "input" in str(moving.suits(*levels.load_game("lemmings")))
    game, _ = levels.load_game("sokoban")
    assert "there are none" in str(moving.suits(game, ()))


# --- the [generate] table

GAME = """
name = "cars"
[kinds]
front = { layer = "solid" }
back = { layer = "solid" }
[symbols]
"." = ""
"(" = "front"
")" = "back"
[input]
moves = ["left"]
[[turn]]
rules = "go: front here, no front ahead => front here -> ahead"
[goal]
win = ["some front on back"]
HERE
[[level]]
map = "()."
"""
HINTS = """
[generate]
effort = [5, 9]

[[generate.part]]
map = '''
()
.)
'''
count = "1..2"
"""


def test_hints_read_and_write_back() -> None:
    game, kept = read_game(GAME.replace("HERE", HINTS).encode(), "cars.toml")
    assert game.generate is not None and game.generate.effort == (5, 9)
    (part,) = game.generate.parts
    assert part.count == (1, 2) and [len(row) for row in part.rows] == [2, 2]
    again, _ = read_game(write_game(game, kept).encode(), "again.toml")
    assert again.generate == game.generate


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[5, 9]", "[9, 5]", "lower first"),
        ("[5, 9]", "3", "two numbers"),
        ('"1..2"', '"1.."', "needs an end"),
        ('"1..2"', '"500"', "too many"),
        ("effort", "difficulty", "difficulty"),
        ("()\n.)", "(?", r"\?"),
    ],
)
def test_wrong_hints_are_found_with_their_place(old: str, new: str, message: str) -> None:
    text = GAME.replace("HERE", HINTS.replace(old, new))
    with pytest.raises(DescriptionError, match=message) as caught:
        read_game(text.encode(), "cars.toml")
    assert all(finding.place is not None and finding.place.line > 15 for finding in caught.value.findings)
