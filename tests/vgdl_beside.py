"""Plays a VGDL game that has come in beside an engine that plays its text, and says where they part."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from ggp.analysis.random_walk import referee
from ggp.engines import vgdl as python_engine
from ggp.engines.gvgai import GvgaiGame
from ggp.engines.pyvgdl import PyVgdlLevel
from ggp.engines.vgdl.gvgai import GvgaiLevel
from ggp.errors import IllegalAction, IllFormed
from ggp.importers.vgdl import Look, look
from ggp.importers.vgdl.dialects import PY_VGDL
from ggp.importers.vgdl.steps import IMPOSSIBLE
from ggp.model import Cell, Instance, Piece
from ggp.model.board import Action, State, width
from ggp.referee import semantics
from ggp.referee.semantics import PassRecord, initial_state, is_goal, is_lost
from ggp.referee.trajectory import worth

Level = GvgaiLevel | python_engine.VgdlLevel | PyVgdlLevel | GvgaiGame
Board = dict[str, tuple[Cell, ...]]
KEYS = {"up": "up", "down": "down", "left": "left", "right": "right", "action": "space", "wait": "noop"}
LONGEST = 1_900  # ticks of a run: GVGAI ends each after 2,000
GAMES = Path(__file__).parent / "data" / "vgdl" / "games"


def names() -> list[str]:
    """The games that are kept for this, each with the levels beside it."""
    return sorted(path.stem for path in GAMES.glob("*.txt") if "_lvl" not in path.stem)


def read(name: str) -> Look:
    """One of them, read."""
    path = GAMES / f"{name}.txt"
    return look(path.read_bytes(), str(path))


@dataclass
class Tally:
    """What became of random play: `difference` is "" where both agreed to the end."""

    turns: int = 0
    ends: int = 0
    stops: list[str] = field(default_factory=list)
    difference: str = ""


def ours(found: Look, instance: Instance, state: State) -> Board:
    """Where the sprites of each type stand on our board, in pixels; killed avatars do not count."""
    cells: dict[str, list[Cell]] = {}
    for index, here in enumerate(state.board):
        for piece in here:
            forms = found.lower.forms.kinds.get(piece.kind)
            if forms and not min(forms).dead:
                (row, column), (down, right) = divmod(index, width(instance)), min(forms).at
                place = row * found.lower.block + down, column * found.lower.block + right
                cells.setdefault(min(forms).key, []).append(place)
    return {key: tuple(sorted(some)) for key, some in cells.items()}


def engine(found: Look, level: int) -> Level:
    """The engine for the dialect of a game, with a level of it."""
    build = python_engine.build if found.theirs.dialect is PY_VGDL else GvgaiLevel
    return build(found.theirs, found.maps[level])


def theirs(level: Level, block: int = 1) -> Board:
    """Where the sprites of each type stand in the engine; GVGAI itself tells cells, of so many pixels."""
    if isinstance(level, GvgaiLevel):
        alive = {key: [s.cell for s in some if not s.disabled] for key, some in level.lists.items()}
        return {key: tuple(sorted(cells)) for key, cells in alive.items() if cells}
    size = block if isinstance(level, GvgaiGame) else 1
    return {
        key: tuple(sorted((row * size, column * size) for row, column in cells))
        for key, cells in level.sprites().items()
    }


def on_map(board: Board, found: Look, instance: Instance) -> Board:
    """A board of the engine without what has left the map for good."""
    last = len(instance.level.board) - 1, width(instance) - 1
    kept = {
        key: tuple(at for at in cells if all(0 <= one <= most for one, most in zip(at, last, strict=True)))
        if key in found.lower.lost_outside and found.lower.block == 1
        else cells
        for key, cells in board.items()
    }
    return {key: cells for key, cells in kept.items() if cells}


class Session(NamedTuple):
    """Random play of a level: with which inputs, for how many turns in all, and what became of it so far.

    `begin` opens the level in the engine.
    """

    found: Look
    number: int
    instance: Instance
    words: list[str]
    rng: random.Random
    tally: Tally
    turns: int
    begin: Callable[[], Level]


Run = Callable[[Session], None]


def play(
    found: Look,
    number: int,
    turns: int,
    seed: int = 0,
    one: Run | None = None,
    begin: Callable[[], Level] | None = None,
) -> Tally:
    """So many random turns in one level, begun again where it ends; `one` plays one run.

    `begin` opens it in another engine than the built-in one.
    """
    instance = Instance(found.game, found.levels[number])
    declared = instance.game.input
    assert declared is not None
    words = ["wait", *declared.moves, *declared.verbs]
    begin = begin or partial(engine, found, number)
    session = Session(found, number, instance, words, random.Random(seed), Tally(), turns, begin)
    while session.tally.turns < turns and not session.tally.difference:
        (one or run)(session)
    return session.tally


def time_first(found: Look) -> bool:
    """Does `Timeout` stand before all that wins, so that no plan wins in the engine's last turn?"""
    ends = found.theirs.terminations
    first = next((number for number, one in enumerate(ends) if one.win), len(ends))
    return any(one.name == "Timeout" for one in ends[:first])


def ends_alike(
    level: Level, instance: Instance, state: State, made: int, tally: Tally, *, hurried: bool = False
) -> bool:
    """Has the game ended after so many turns? Where the two do not agree it is noted.

    `hurried`: ours ends a turn early where it is not won, and in the engine the next turn must end it.
    """
    over = made >= (instance.level.horizon or made + 1)
    lost = is_lost(instance, state)
    won = is_goal(instance, state) and not lost and (over or instance.game.goal.when != "horizon")
    if hurried and over and not (won or lost or level.ended):
        level.tick(KEYS["wait"])
    if level.ended != (over or won or lost) or bool(level.won) != won:
        tally.difference = f"turn {made}: ended {level.ended}, won {level.won}; here won is {won}"
    tally.ends += level.ended
    return level.ended or bool(tally.difference)


class Score:
    """What the turns of a run are worth, by the referee."""

    def __init__(self, instance: Instance) -> None:
        self.instance, self.points = instance, 0
        self.known: dict[tuple[State, Action], int] = {}

    def turn(self, state: State, action: Action) -> None:
        """Add what a turn is worth; IllegalAction where it is none, IllFormed where rules collide."""
        if (state, action) not in self.known:
            record: list[PassRecord] = []
            semantics.step(self.instance, state, action, record)
            self.known[state, action] = worth(record)
        self.points += self.known[state, action]


def run(session: Session) -> None:
    """One run, to its end or to where both part."""
    found, _, instance, words, rng, tally, turns, begin = session
    level, state, step = begin(), initial_state(instance), referee(instance).step
    scored = None if found.game.unscored else Score(instance)
    pressed: list[str] = []
    idle = 0
    while tally.turns < turns and len(pressed) < LONGEST:
        pressed.append(rng.choice(words))
        tally.turns += 1
        try:
            if scored is not None:
                scored.turn(state, Action(pressed[-1]))
            state = step(instance, state, Action(pressed[-1]))
        except IllegalAction:  # a tick that is no turn
            idle += 1
        except IllFormed as stopped:
            tally.stops.append(str(stopped))
            return
        if any(Piece(IMPOSSIBLE) in here for here in state.board):
            tally.stops.append(f"{pressed}: lost where the order of a list could show")
            return
        level.tick(KEYS[pressed[-1]])
        if scored is not None and scored.points != level.score:
            tally.difference = f"{pressed}: a score of {level.score}, and here {scored.points}"
            return
        if ends_alike(level, instance, state, len(pressed) - idle, tally, hurried=time_first(found)):
            return
        here, there = ours(found, instance, state), theirs(level, found.lower.block)
        there = on_map(there, found, instance)
        if here != there:
            apart = {key: (here.get(key), there.get(key)) for key in {*here, *there}}
            tally.difference = f"{pressed}: { ({k: v for k, v in apart.items() if v[0] != v[1]}) }"
            return
