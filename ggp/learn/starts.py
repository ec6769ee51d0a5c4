"""The levels of a learned game: the boards that runs began with, before anything was placed.

A board that is won as it stands is no level where there are others: engines ask at the end of a turn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ggp.learn.boards import Board, Episode, Token
from ggp.learn.goal.aims import Aim
from ggp.learn.goal.claims import facts_of
from ggp.learn.goal.drawings import PICTURE
from ggp.learn.placing import BUDGET, Placing
from ggp.learn.seen.structure import Structure
from ggp.model import Level, Piece

MOST_LEVELS = 12
HORIZON = 40  # of a learned game that takes no inputs: so many turns it is let run


def levels_of(
    episodes: Sequence[Episode],
    pieces: Mapping[Token, Piece],
    aim: Aim,
    placing: Placing | None,
    structure: Structure,
    *,
    takes_inputs: bool,
) -> tuple[Level, ...]:
    """The boards as levels. Where the end decides, a level is as long as its longest run."""
    runs: dict[Board, list[Episode]] = {}
    for episode in episodes:
        runs.setdefault(episode.bare(), []).append(episode)
    levels: list[Level] = []
    told = [(board, some) for board, some in runs.items() if not aim.drawings or board in aim.drawings]
    told = [(board, some) for board, some in told if not won_at_once(board, aim, structure)] or told
    for number, (board, some) in enumerate(told[:MOST_LEVELS], start=1):
        cells = [frozenset(pieces[token] for token in stack) for stack in board.cells]
        rows = tuple(tuple(cells[at : at + board.width]) for at in range(0, len(cells), board.width))
        longest = max(len(one.steps) for one in some)
        horizon = (
            max(1, longest) if aim.goal.when == "horizon" else None if takes_inputs else max(HORIZON, longest)
        )
        numbers = ((BUDGET, placing.most.get(board, 0)),) if placing is not None else ()
        drawn = ((PICTURE, aim.drawings[board]),) if aim.drawings else ()
        levels.append(Level(str(number), rows, horizon, numbers, patterns=drawn))
    return tuple(levels)


def won_at_once(board: Board, aim: Aim, structure: Structure) -> bool:
    """Is a board won before the first turn?"""
    if aim.won is None or aim.goal.when != "any-turn":
        return False
    facts = facts_of(board, structure)
    return all(map(facts.holds, aim.won.claims))
