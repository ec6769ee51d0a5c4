"""Which solver to ask first: a table of measured levels, and the levels in it that are most like this one.

A level is described by a few numbers (its size, its horizon, how much there is to decide) and by the
features that it needs. What a solver is expected to take is the mean over the nearest measured levels, of
the logarithm of its seconds, the nearer ones counting more. Nothing is fitted, so a table of other levels is
all that it takes to choose for them: `ggp results STORE --portfolio FILE` writes one.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from pathlib import Path
from typing import Any

from ggp.errors import DescriptionError, Place
from ggp.files.reading import file_bytes, json_value
from ggp.model import Instance
from ggp.model.board import height, width
from ggp.model.features import needs

VERSION = 1
LARGEST = 16_000_000  # bytes of a file: a hundred thousand levels
# These two were chosen on the shipped levels, each game left out in turn: PAR2 was 0.43 s with them, 1.7 s
# with seven neighbours and a half; the virtual best 0.39 s, the best single solver 1.8 s.
NEIGHBOURS = 15
NEAR = 0.1  # added to a distance, so that the level itself does not count for all
FLAG = 0.1  # what a feature that only one of two levels needs adds to their distance
LEAST = 0.001  # seconds; what is below is all the same
NUMBERS = ("cells", "pieces", "open cells", "horizon", "inputs", "rules")


@dataclass(frozen=True)
class Profile:
    """What a level is compared by: logarithms of `NUMBERS`, and the features that it needs."""

    numbers: tuple[float, ...]
    features: frozenset[str]


@dataclass(frozen=True)
class Measured:
    """A level, what was asked, and the seconds that solvers took; twice the limit without an answer."""

    level: str
    want: str
    profile: Profile
    seconds: Mapping[str, float]

    @property
    def game(self) -> str:
        """The game that the level is of."""
        return self.level.partition("/")[0]


@dataclass(frozen=True)
class Guess:
    """A solver, the seconds that it is expected to take, and how far off the nearest measured level is."""

    solver: str
    seconds: float
    distance: float


def profile_of(instance: Instance) -> Profile:
    """The profile of a level."""
    game, level = instance.game, instance.level
    cells = [cell for row in level.board for cell in row]
    moves = game.input.moves + game.input.verbs if game.input is not None else ()
    picks = len(cells) if game.input is not None and game.input.pick else 0
    counts = (
        height(instance) * width(instance),
        sum(map(len, cells)),
        sum(not cell for cell in cells) if game.design is not None else 0,
        level.horizon or 0,
        len(moves) + picks,
        len(game.turn) + len(game.physics),
    )
    numbers = tuple(round(math.log10(1 + count), 3) for count in counts)
    return Profile(numbers, frozenset(need.feature for need in needs(instance)))


@dataclass(frozen=True)
class Portfolio:
    """The measured levels."""

    rows: tuple[Measured, ...]

    @cached_property
    def solvers(self) -> tuple[str, ...]:
        """All solvers that were measured."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row.seconds))

    @cached_property
    def spread(self) -> tuple[float, ...]:
        """By how much each number differs between levels: the standard deviation, 1 where it never does."""
        columns = list(zip(*(row.profile.numbers for row in self.rows), strict=True))
        return tuple(deviation(column) or 1.0 for column in columns)

    def distance(self, one: Profile, other: Profile) -> float:
        """How unlike two levels are."""
        numbers = zip(one.numbers, other.numbers, self.spread, strict=True)
        squares = sum(((a - b) / spread) ** 2 for a, b, spread in numbers)
        return math.sqrt(squares) + FLAG * len(one.features ^ other.features)

    def guesses(
        self, profile: Profile, want: str, able: Collection[str], without: str = ""
    ) -> tuple[Guess, ...]:
        """What each of these solvers should take, the quickest first; `without` is a game left out."""
        rows = [row for row in self.rows if row.game != without]
        asked = [row for row in rows if row.want == want] or rows
        made = []
        for solver in dict.fromkeys(name for name in self.solvers if name in able):
            near = sorted(
                (self.distance(profile, row.profile), number)
                for number, row in enumerate(asked)
                if solver in row.seconds
            )[:NEIGHBOURS]
            if near:
                weights = [1 / (NEAR + distance) for distance, _ in near]
                logs = [math.log10(max(LEAST, asked[number].seconds[solver])) for _, number in near]
                mean = sum(w * log for w, log in zip(weights, logs, strict=True)) / sum(weights)
                made.append(Guess(solver, 10**mean, near[0][0]))
        return tuple(sorted(made, key=lambda one: (one.seconds, one.solver)))

    def text(self) -> str:
        """The table as JSON, a level a line."""
        flags = sorted({flag for row in self.rows for flag in row.profile.features})
        rows = ",\n".join(json.dumps(row_json(row, flags)) for row in self.rows)
        head = {"version": VERSION, "numbers": NUMBERS, "features": flags}
        return json.dumps(head)[:-1] + f', "rows": [\n{rows}\n]}}\n'


def row_json(row: Measured, flags: Sequence[str]) -> list[Any]:
    """A row as it is written; features by their numbers."""
    features = [flags.index(flag) for flag in sorted(row.profile.features)]
    return [row.level, row.want, list(row.profile.numbers), features, dict(row.seconds)]


def deviation(values: Sequence[float]) -> float:
    """The standard deviation."""
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / len(values))


# --- files ------------------------------------------------------------------------------------------------


def read_portfolio(data: bytes, file: str) -> Portfolio:
    """A table from its text. Raises DescriptionError, which names the row, for what is none."""
    found = json_value(data, file, LARGEST)
    if not isinstance(found, dict) or found.get("version") != VERSION:
        raise fault("this is no table of measured levels", file)
    if list(found.get("numbers", ())) != list(NUMBERS) or not isinstance(found.get("features"), list):
        raise fault("the table is of other numbers than are measured here", file)
    rows = found.get("rows")
    if not isinstance(rows, list) or not rows:
        raise fault("the table has no rows", file)
    return Portfolio(tuple(measured(row, found["features"], n, file) for n, row in enumerate(rows, 1)))


def measured(row: Any, flags: Sequence[Any], number: int, file: str) -> Measured:
    """A row of a file."""
    try:
        level, want, numbers, features, seconds = row
        profile = Profile(
            tuple(float(one) for one in numbers), frozenset(str(flags[int(one)]) for one in features)
        )
        made = Measured(str(level), str(want), profile, {str(k): float(v) for k, v in seconds.items()})
    except (TypeError, ValueError, IndexError, AttributeError):
        raise fault(f"row {number} is none", file) from None
    values = (*profile.numbers, *made.seconds.values())
    if len(profile.numbers) != len(NUMBERS) or not all(math.isfinite(one) and one >= 0 for one in values):
        raise fault(f"row {number} has numbers that are none", file)
    return made


def fault(message: str, file: str) -> DescriptionError:
    """What is wrong with a file, with what makes a good one."""
    return DescriptionError(message, "make it with `ggp results STORE --portfolio FILE`", Place(file))


@cache
def own() -> Portfolio:
    """The table of the shipped levels."""
    file = resources.files("ggp.analysis") / "portfolio.json"
    return read_portfolio(file.read_bytes(), "portfolio.json")


def from_file(path: Path) -> Portfolio:
    """A table that somebody measured."""
    return read_portfolio(file_bytes(path, LARGEST), str(path))
