"""Plays a VGDL game with chance beside its engine, and lets its chance say what the engine drew.

So for each turn of the engine there is asked whether what came of it is among what can come of it in the game
that was imported: the same draws must lead to the same board.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from ggp.engines import vgdl as python_engine
from ggp.engines.vgdl import VgdlLevel
from ggp.engines.vgdl.gvgai import GvgaiLevel
from ggp.errors import IllFormed
from ggp.importers.vgdl import Look
from ggp.importers.vgdl.dialects import PY_VGDL
from ggp.importers.vgdl.fixed import Vector
from ggp.importers.vgdl.forms import safe, way_of
from ggp.importers.vgdl.steps import IMPOSSIBLE
from ggp.model import Cell, Instance, Piece
from ggp.model.board import Action, State
from ggp.referee.dice import Dice, Weight
from ggp.referee.semantics import initial_state, step
from tests import vgdl_beside as beside
from tests.vgdl_beside import KEYS, Tally, on_map, ours, theirs

TRIES = 12  # where several that chance moves stand in one cell, which one drew what is tried out
Draw = tuple[str, Cell, Vector | bool]


class NoSuchWay(Exception):
    """The engine drew what the game that was imported does not list."""


class Guided(Dice):
    """Says what the engine drew."""

    def __init__(self, draws: Sequence[Draw], rng: random.Random) -> None:
        super().__init__()
        self.left, self.rng = list(draws), rng

    def choose(self, words: Sequence[str], weights: Sequence[Weight]) -> int:
        if len(words) == 1:
            return 0
        row, column = map(int, re.findall(r"\((\d+),(\d+)", words[0])[0])
        side = re.match(r".+-spreads-([a-z]+)-", words[0])
        if side is not None:
            came = [draw for draw in self.left if draw[1] == (row, column) and way_of(draw[2]) == side[1]]
            self.left = [draw for draw in self.left if draw not in came[:1]]
            return next(n for n, word in enumerate(words) if f"-{'comes' if came else 'waits'}" in word)
        here = [draw for draw in self.left if draw[1] == (row, column) and self.about(draw, words[0])]
        places = [(draw, place) for draw in here if (place := listed(draw, words)) is not None]
        if not places:
            raise NoSuchWay(f"{words}: there was drawn {here}")
        draw, place = self.rng.choice(places)
        self.left.remove(draw)
        return place

    def about(self, draw: Draw, word: str) -> bool:
        """Is a draw one of those that a word speaks of?"""
        named = re.match(r"(.+)-(walks|acts)-", word)
        return named is None or named[1] == safe(draw[0])

    def choose_some(self, words: Sequence[str], count: int) -> tuple[int, ...]:
        raise AssertionError("nothing is laid")


def listed(draw: Draw, words: Sequence[str]) -> int | None:
    """The place of what was drawn among what can be."""
    what = draw[2]
    told = ("waits", "comes")[what] if isinstance(what, bool) else str(way_of(what))
    return next((n for n, word in enumerate(words) if re.search(rf"-{told}(-[a-z-]+)?\(", word)), None)


def turn(
    found: Look,
    instance: Instance,
    state: State,
    word: str,
    level: GvgaiLevel | VgdlLevel,
    rng: random.Random,
) -> State:
    """The state after the turn that the engine has made; raises NoSuchWay where it cannot come."""
    wrong = ""
    for _ in range(TRIES):
        try:
            after = step(instance, state, Action(word), dice=Guided(level.draws, rng))
        except NoSuchWay as none:
            wrong = str(none)
            continue
        if any(Piece(IMPOSSIBLE) in here for here in after.board) or level.ended:
            return after
        here, there = ours(found, instance, after), on_map(theirs(level), found, instance)
        if here == there:
            return after
        wrong = str(
            {
                key: (here.get(key), there.get(key))
                for key in {*here, *there}
                if here.get(key) != there.get(key)
            }
        )
    raise NoSuchWay(wrong)


def play(found: Look, number: int, turns: int, seed: int = 0) -> Tally:
    """So many random turns in one level, begun again where it ends."""
    return beside.play(found, number, turns, seed, run)


def run(session: beside.Session) -> None:
    """One run, to its end or to where both part."""
    found, number, instance, words, rng, tally, turns, _ = session  # the luck of this level is from `rng`
    build = python_engine.build if found.theirs.dialect is PY_VGDL else GvgaiLevel
    level = build(found.theirs, found.maps[number], Lucky(rng))
    state, made = initial_state(instance), 0
    while tally.turns < turns:
        word = rng.choice(words)
        tally.turns, made = tally.turns + 1, made + 1
        level.tick(KEYS[word])
        try:
            state = turn(found, instance, state, word, level, rng)
        except IllFormed as stopped:
            tally.stops.append(str(stopped))
            return
        except NoSuchWay as none:
            tally.difference = f"turn {made}, {word}: {none}"
            return
        if any(Piece(IMPOSSIBLE) in here for here in state.board):
            tally.stops.append("where the order of a list could show")
            return
        if beside.ends_alike(level, instance, state, made, tally):
            return


class Lucky:
    """Luck from a generator."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def below(self, count: int) -> int:
        """See `ggp.engines.vgdl.luck.Luck`."""
        return self.rng.randrange(count)

    def single(self) -> float:
        """See `ggp.engines.vgdl.luck.Luck`."""
        return self.rng.getrandbits(24) / (1 << 24)

    double = single
