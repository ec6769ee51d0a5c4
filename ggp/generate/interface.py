"""`ggp generate`: choose the generator that suits a game, make levels, write them as a levels file."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any

from ggp import registry
from ggp.errors import PuzzleError, UnsupportedFeature
from ggp.generate.wish import DIFFICULTIES, LARGEST, Difficulty, Made, NotMade, Wish
from ggp.language.description.writing import level_section
from ggp.model import Game, Instance, Level
from ggp.model.board import height, width
from ggp.model.pieces import asked_numbers
from ggp.model.result import Clock, OutOfTime
from ggp.model.words import near_or_known
from ggp.referee.trajectory import plan_to_json


def size_of(text: str) -> tuple[int, int]:
    """(rows, columns) of `9x9`, or of `9` for a square board; raises PuzzleError."""
    match = re.fullmatch(r"(\d{1,4})(?:x(\d{1,4}))?", text.strip().lower(), re.ASCII)
    if match is None:
        raise PuzzleError(f"{text[:40]!r} is not a size", "write ROWSxCOLUMNS, such as 9x9, or 9")
    return checked_size((int(match[1]), int(match[2] or match[1])))


def checked_size(size: object) -> tuple[int, int]:
    """The size, if it is one that a board can have; raises PuzzleError."""
    match size:
        case (int(rows), int(columns)):
            if not (1 <= rows <= LARGEST and 1 <= columns <= LARGEST):
                remedy = f"from 1x1 to {LARGEST}x{LARGEST}"
                raise PuzzleError(f"there is no board of {rows}x{columns}", remedy)
            return rows, columns
    raise PuzzleError(f"{str(size)[:60]!r} is not a size", "give (rows, columns)")


def numbers_of(texts: Sequence[str]) -> dict[str, int]:
    """The numbers of `half=3` and the like; raises PuzzleError."""
    found = {}
    for text in texts:
        match = re.fullmatch(r"([A-Za-z_][A-Za-z0-9_-]*)=(-?\d{1,9})", text, re.ASCII)
        if match is None:
            raise PuzzleError(
                f"{text[:40]!r} is not a number of a level", "write NAME=NUMBER, such as half=3"
            )
        found[match[1]] = int(match[2])
    return found


def generator_for(game: Game, levels: tuple[Level, ...]) -> ModuleType:
    """The first generator that suits the game; raises UnsupportedFeature with each one's reason."""
    reasons = []
    for name in registry.GENERATORS:
        module = registry.load("generator", name)
        reason = module.suits(game, levels)
        if reason is None:
            return module
        reasons.append(f"{name}: {reason}")
    message = f"nothing here makes levels of {game.name}"
    raise UnsupportedFeature(message, "\n  ".join(reasons))


def generate(
    game: Game,
    levels: tuple[Level, ...] = (),
    *,
    seed: int = 0,
    size: tuple[int, int] | None = None,
    difficulty: Difficulty | None = None,
    numbers: Mapping[str, int] | None = None,
    count: int = 1,
    time_limit: float | None = None,
    say: Callable[[str], None] = lambda line: None,
) -> Iterator[Made]:
    """`count` levels, one by one as they are made. Level n of a seed is the same for every count.

    `numbers` are the level's own, where others than those of the game's levels are wished for.

    Raises PuzzleError for a size that the game cannot have, and for a number that it does not ask for,
    UnsupportedFeature for a game that no generator suits, NotMade when the time is up or no such level was
    found.
    """
    refuse_unknown(game, levels, numbers or {})
    if type(count) is not int or count < 1:
        raise PuzzleError(f"{str(count)[:60]!r} is no number of levels", "give a whole number from 1 on")
    if size is not None:
        size = checked_size(size)
    if difficulty is not None and difficulty not in DIFFICULTIES:
        raise registry.unknown("difficulty", str(difficulty), DIFFICULTIES)
    module = generator_for(game, levels)
    clock = Clock(time_limit)
    for number in range(1, count + 1):
        name = f"seed-{seed}" if count == 1 else f"seed-{seed}-{number}"

        def tell(line: str, number: int = number) -> None:
            say(line if count == 1 else f"level {number}: {line}")

        # Each level has a source of chance of its own, so it does not hang on those before it.
        chance = random.Random(f"{seed}/{number}")
        wish = Wish(
            game, levels, chance, name, size, difficulty, numbers=numbers or {}, clock=clock, say=tell
        )
        try:
            with closing(wish.asked):
                made: Made = module.generate(wish)
        except OutOfTime:
            message = f"no such level of {game.name} within {time_limit:g} seconds ({number - 1} made)"
            remedy = "give it more time, another seed, a smaller size or another difficulty"
            raise NotMade(message, remedy) from None
        if not wish.numbers.items() <= dict(made.level.numbers).items():
            message = f"levels of {game.name} are made with numbers of their own"
            raise PuzzleError(message, "leave the numbers out")
        yield made


def refuse_unknown(game: Game, levels: tuple[Level, ...], numbers: Mapping[str, int]) -> None:
    """Raise PuzzleError for a number that the game's levels do not have."""
    # Of a game without levels it is only known what its amounts may mean.
    for name, number in numbers.items():
        if type(number) is not int:
            raise PuzzleError(f"{name[:40]} cannot be {str(number)[:60]!r}", "give a whole number")
    known = {name for level in levels for name, _ in level.numbers} if levels else asked_numbers(game)
    for name in sorted(set(numbers) - known):
        message = f"levels of {game.name} have no number `{name[:40]}`"
        raise PuzzleError(message, near_or_known(name, sorted(known)) if known else "leave it out")


def made_json(game: Game, made: Made) -> dict[str, Any]:
    """One level as JSON data: what `ggp generate --json` prints a list of."""
    instance = Instance(game, made.level)
    known = made.level.known
    return {
        "level": instance.name,
        "size": [height(instance), width(instance)],
        "toml": "\n".join(level_section(game, made.level)) + "\n",
        "difficulty": made.difficulty,
        "measured": dict(made.measured),
        "solutions": known.solutions,
        "optimum": dict(known.optimum),
        "wins": [plan_to_json(instance, plan) for plan in known.wins],
    }


def made_line(game: Game, made: Made) -> str:
    """One level in a line."""
    rows, columns = len(made.level.board), len(made.level.board[0])
    measured = "".join(f", {name} {value}" for name, value in made.measured.items())
    return f"{game.name}/{made.level.name}: {rows}x{columns}, {made.difficulty}{measured}"


def name_in_file(game: str, output: Path | None) -> str:
    """What a file of levels calls its game: a built-in one's name, or the path from the file to it."""
    if not game.endswith(".toml"):
        return game
    folder = output.parent if output is not None else Path()
    return Path(os.path.relpath(game, folder)).as_posix()
