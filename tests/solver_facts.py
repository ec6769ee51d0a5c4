"""What is expected of each solver, which levels it is asked about, and levels made from rows of text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from ggp import registry
from ggp.errors import Place
from ggp.language import levels
from ggp.language.levels import builtin
from ggp.language.maps import read_board, symbols_of
from ggp.model import Game, Instance, Level
from ggp.model.features import needs
from ggp.model.result import Result
from ggp.referee.trajectory import replay
from tests.exhaustive import unrolled


@dataclass(frozen=True)
class Facts:
    """What is expected of a solver.

    `proves`: it finds what there is, and proves it; the null solver knows only what the level's file knows.
    `every_level`: it is quick enough to be asked at once about the first level of every game, and about each
    third one of the others. Else it is asked at once about each third one of the first levels.
    `unrolls`: it writes down all turns at once, so it is only asked about short levels, as slower ones are.
    `heavy`: a program that takes a second or more to start, and is asked at once about each twelfth.
    """

    proves: bool = True
    every_level: bool = False
    unrolls: bool = False
    heavy: bool = False


FACTS = {
    "cp-sat": Facts(every_level=True, unrolls=True),
    "search": Facts(every_level=True),
    "cbc": Facts(),
    "scip": Facts(heavy=True),
    "highs": Facts(heavy=True),
    "sat": Facts(),
    "ace": Facts(heavy=True),
    "choco": Facts(heavy=True),
    "cpmpy": Facts(heavy=True),
    "xcsp": Facts(heavy=True),
    "pyperplan": Facts(heavy=True),
    "fast-downward": Facts(heavy=True),
    "null": Facts(proves=False, every_level=True),
}
AVAILABLE = [name for name in registry.SOLVERS if registry.load("solver", name).available() is None]
PROVING = [name for name in AVAILABLE if FACTS.get(name, Facts()).proves]
QUICK = [name for name in PROVING if FACTS.get(name, Facts()).every_level]
LEVELS = [name for game in levels.games() for name in levels.levels(game)]
FIRST = [levels.levels(game)[0] for game in levels.games()]
MOST_UNROLLED = 8_000  # a second or two of one core
SHORT = [name for name in LEVELS if name in FIRST or unrolled(levels.load(name)) <= MOST_UNROLLED]


# Too many states for a proof within a test. What is known of them plain Python says, in test_movers.py.
LONG = {
    *(f"peg-solitaire/{name}" for name in ("square", "tray", "english", "french", "large")),
    *(f"lights-out/{name}" for name in ("diagonal", "five")),
    *(f"rush-hour/{name}" for name in ("evening", "centre")),
}
# What one solver cannot prove in a second or two, and another one can: filling in the cell with the fewest
# choices looks at too many boards where few digits are given, or where it does not reason about a rule.
HARD_FOR = {
    "search": {
        *(f"sudoku/{name}" for name in ("hard-16x16", "hard-25x25")),
        *(f"anti-knight-sudoku/{name}" for name in ("medium", "9x9", "9x9-b", "9x9-c", "ambiguous")),
    }
}


def asked(solver: str) -> list[str]:
    """The levels that a solver is asked about."""
    facts = FACTS.get(solver, Facts())
    names = LEVELS if facts.every_level and not facts.unrolls else SHORT
    too_long = (LONG if facts.proves else set()) | HARD_FOR.get(solver, set())
    return [name for name in names if name not in too_long and takes(solver, name)]


def asked_at_once(solver: str, shift: int = 0) -> set[str]:
    """Those of them that no slow test is needed for; `shift` chooses others of the first levels."""
    facts = FACTS.get(solver, Facts())
    if facts.every_level:
        return {*FIRST, *[name for name in LEVELS if name not in FIRST][::3]}
    known = [name for name in FIRST if takes(solver, name)]
    step = min(12 if facts.heavy else 3, len(known))
    return set(known[(list(FACTS).index(solver) + shift) % step :: step])


def takes(solver: str, name: str) -> bool:
    """Does a solver support all that a level needs? That it refuses the others, test_registry.py sees to."""
    return needed(name) <= registry.load("solver", solver).FEATURES


@cache
def needed(name: str) -> frozenset[str]:
    """The features that a level needs."""
    return frozenset(need.feature for need in needs(levels.load(name)))


NOTHING = ("unsolvable", "horizon-exhausted")


def checked(one: Instance, result: Result) -> Result:
    """The result, all of whose plans must win when replayed here."""
    assert all(replay(one, plan).won for plan in result.plans)
    return result


def level_of(game: str | Game, rows: Iterable[str], horizon: int, when: str = "", **numbers: int) -> Instance:
    """A level from rows of the game's symbols."""
    described = builtin(game)[0] if isinstance(game, str) else game
    board, findings = read_board(list(rows), symbols_of(described), lambda row, column: Place("random map"))
    assert not findings, findings
    level = Level("random", board, horizon, tuple(numbers.items()), when=when or None)  # type: ignore[arg-type]
    return Instance(described, level)
