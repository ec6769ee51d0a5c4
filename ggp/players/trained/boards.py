"""Levels to practise on: random boards in the manner of a game's own, whose end is some way off.

The boards are those of `ggp.generate`. Where a goal asks for things on ground that no rule looks at, the
ground is laid under what stands there after some random deeds, so that there are decisions on the way. All
choices come from a seed, so practised and held-back levels are told apart by theirs.
"""

from __future__ import annotations

from random import Random

from ggp.errors import UnsupportedFeature
from ggp.generate.moving import Maker, suits
from ggp.generate.moving_boards import fits
from ggp.generate.moving_play import Player
from ggp.generate.wish import Wish
from ggp.model import Game, Instance, Level
from ggp.model.board import State
from ggp.players.trained.deeds import Deeds, refuse
from ggp.players.trained.lessons import Lesson, decisions, on_plan

BOARDS = 4  # made for a level: the one with the most decisions is kept
DECISIONS = 2  # of a level, at least
LARGER = 2  # rows and columns more than an example has, at most
FEWEST, MOST = 3, 16  # random deeds, before the ground is laid
STROLL = 6  # inputs after these, at most


def refuse_game(game: Game, levels: tuple[Level, ...]) -> None:
    """Raise UnsupportedFeature where no such boards can be made, or no policy trained."""
    for level in levels[:1]:
        refuse(Instance(game, level))
    reason = suits(game, levels)
    if reason is not None:
        raise UnsupportedFeature(
            f"no levels of {game.name} can be made: {reason}", "take another game", game.place
        )


def level(game: Game, levels: tuple[Level, ...], seed: str) -> tuple[Instance, list[Lesson]] | None:
    """The level of a seed with the decisions of its best plan; None where nothing came of it."""
    rng = Random(seed)
    best: tuple[Instance, list[Lesson]] | None = None
    for _ in range(BOARDS):
        instance = board(game, levels, rng)
        planned = [] if instance is None else on_plan(instance)
        if instance is not None and decisions(planned) > (
            DECISIONS - 1 if best is None else decisions(best[1])
        ):
            best = instance, planned
    return best


def board(game: Game, levels: tuple[Level, ...], rng: Random) -> Instance | None:
    """A board; None where nothing came of it."""
    example = rng.choice(levels)
    rows, columns = len(example.board), len(example.board[0])
    more = 0 if example.regions else rng.randint(0, LARGER)
    maker = Maker(Wish(game, levels, rng, "practice", (rows + more, columns + more)))
    cells = maker.sketch(example)
    if cells is None:
        return None
    instance = maker.at_rest(maker.instance(example, cells))
    if maker.laid_last:
        laid = maker.laid(player := Player(instance), player.bits.pack(after(instance, rng)))
        if laid is None:
            return None
        instance = maker.instance(instance.level, laid)
    there = {
        (row, column): here
        for row, line in enumerate(instance.level.board)
        for column, here in enumerate(line)
    }
    return instance if fits(game, there) else None


def after(instance: Instance, rng: Random) -> State:
    """What a board has become after some random deeds, none of which leads back."""
    deeds = Deeds(instance)
    position = deeds.begin()
    seen = {position}
    for _ in range(rng.randint(FEWEST, MOST)):
        new = [
            deed
            for deed in deeds.choice(position).deeds
            if deed.outcome == "open" and deed.position not in seen
        ]
        if not new:
            break
        position = rng.choice(new).position
        seen.add(position)
    states = deeds.states(position)
    for _ in range(rng.randrange(STROLL)):
        told, onward = deeds.stepper.all_turns(states)
        legal = [number for number, one in enumerate(told) if one & 1]
        if legal:
            states = onward[:, :, [rng.choice(legal)]]
    return deeds.stepper.unpack(states)
