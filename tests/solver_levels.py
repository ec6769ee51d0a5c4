"""Which levels a solver is asked about, by what is known of it (`FACTS`); levels made from rows of text."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from ggp import registry
from ggp.errors import Place
from ggp.language import levels
from ggp.language.levels import builtin
from ggp.language.maps import read_board, symbols_of
from ggp.model import Game, Instance, Level
from ggp.model.features import needs
from ggp.model.result import Result, facts_of
from ggp.referee.trajectory import replay
from tests import without_luck
from tests.exhaustive import unrolled

FACTS = {name: facts_of(registry.load("solver", name)) for name in registry.SOLVERS}
AVAILABLE = [name for name in registry.SOLVERS if registry.load("solver", name).available() is None]
PROVING = [name for name in AVAILABLE if FACTS[name].proves]
QUICK = [name for name in PROVING if FACTS[name].pace == "quick"]
# What has several players, chance or hidden kinds, no solver, encoding or certificate takes.
GAMES = [game for game in without_luck.games() if len(levels.load_game(game)[0].players) == 1]
LEVELS = [name for game in GAMES for name in levels.levels(game)]
FIRST = [levels.levels(game)[0] for game in GAMES]
MOST_UNROLLED = 8_000  # a second or two of one core
SHORT = [name for name in LEVELS if name in FIRST or unrolled(levels.load(name)) <= MOST_UNROLLED]


# Too many states for a proof within a test. What is known of them plain Python says, in test_movers.py.
LONG = {
    *(f"peg-solitaire/{name}" for name in ("square", "tray", "english", "french", "large")),
    *(f"lights-out/{name}" for name in ("diagonal", "five")),
    *(f"rush-hour/{name}" for name in ("evening", "centre")),
}
# What one solver cannot prove in a second or two, and another one can.
HARD_FOR = {
    "search": {"sudoku/hard-25x25"},
    "pyperplan": {"rush-hour/first"},  # half a minute
}
# What takes one solver seconds, and is no easier to get wrong than the others: only slow tests ask that.
SLOW_FOR = {
    "ace": {
        *("atomix/first", "fillomino/tiny", "fire-and-ice/first", "knights-tour/small", "magic-square/small"),
        *("nurikabe/small", "peg-solitaire/first", "psychopath-2/first", "skyscrapers/small"),
    },
    "cbc": {"knights-tour/small", "masyu/small", "polar-slide/first", "rush-hour/first"},
    "choco": {
        *("atomix/first", "fire-and-ice/first", "knights-tour/small", "lights-out/first", "masyu/small"),
        *("polar-slide/first", "nurikabe/small", "psychopath-2/first", "samegame/first", "slitherlink/tiny"),
        "sokoban/first",
    },
    "cp-sat": {"psychopath/garden"},
    "cpmpy": {
        *("futoshiki/small", "lemmings/seed", "lights-out/first", "minesweeper-clues/small"),
        *("magic-square/small", "polar-slide/first", "psychopath-2/first", "sokoban/first"),
        *("bouncers/first", "masyu/small"),
    },
    "fast-downward": {
        *("bouncers/first", "fire-and-ice/first", "lasertank/first", "psychopath/first", "samegame/first"),
        *("atomix/first", "boulder-dash/first", "lights-out/first", "psychopath-2/first", "sokoban/first"),
        "polar-slide/first",
    },
    "pyperplan": {"psychopath/first", "rush-hour/first", "sokoban/first"},
}


def asked(solver: str) -> list[str]:
    """The levels that a solver is asked about."""
    facts = FACTS[solver]
    names = LEVELS if facts.pace == "quick" and not facts.unrolls else SHORT
    too_long = (LONG if facts.proves else set()) | HARD_FOR.get(solver, set())
    return [name for name in names if name not in too_long and takes(solver, name)]


@cache
def asked_at_once(solver: str, shift: int = 0) -> frozenset[str]:
    """Those of them that no slow test is needed for; `shift` chooses others of the first levels.

    A quick solver is asked at once about the first level of every fourth game and each twelfth one of the
    others; else about each ninth one of the first levels; a slow one about one without
    inputs and one of those with inputs that are soon unrolled.
    """
    facts, slow = FACTS[solver], SLOW_FOR.get(solver, set())
    if facts.pace == "quick":
        return frozenset(
            {*FIRST[shift % 4 :: 4], *[name for name in LEVELS if name not in FIRST][::12]} - slow
        )
    known = [name for name in FIRST if takes(solver, name) and name not in slow]
    start = list(FACTS).index(solver) + shift
    if facts.pace == "slow":
        still = [name for name in known if levels.load(name).game.input is None]
        small = sorted(set(known) - set(still), key=lambda name: (unrolled(levels.load(name)), name))
        choices = [one for one in (still, small[: len(small) // 2 + 1]) if one]
        return frozenset(one[start % len(one)] for one in choices)
    step = min(9, len(known))
    return frozenset(known[start % step :: step])


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
    if result.count is None and result.stop == "satisfied":
        assert not result.complete, "one plan says neither that there are no more nor that none is better"
    return result


def level_of(game: str | Game, rows: Iterable[str], horizon: int, when: str = "", **numbers: int) -> Instance:
    """A level from rows of the game's symbols."""
    described = builtin(game)[0] if isinstance(game, str) else game
    board, findings = read_board(list(rows), symbols_of(described), lambda row, column: Place("random map"))
    assert not findings, findings
    level = Level("random", board, horizon, tuple(numbers.items()), when=when or None)  # type: ignore[arg-type]
    return Instance(described, level)
