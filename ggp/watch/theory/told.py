"""What was learned as a theory, put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from ggp.learn.boards import Episode, Token
from ggp.learn.fit.program import Program
from ggp.learn.goal.aims import Aim
from ggp.learn.moves import moves_evidence
from ggp.learn.seen.structure import Structure
from ggp.learn.whole import Learned, WholeTheory
from ggp.model import Game, Level, Piece


def learned_by(
    theory: WholeTheory,
    game: Game,
    levels: tuple[Level, ...],
    structure: Structure,
    aim: Aim,
    episodes: Sequence[Episode],
    pieces: Mapping[Token, Piece],
) -> Learned:
    """A game that is made of a theory, with the goal that was found, and what both rest on."""
    said = tuple(f"theory: {line}" for line in str(theory).splitlines())
    return Learned(
        game,
        levels,
        cast(Program, theory),
        structure,
        aim.won,
        (*aim.evidence, *said, *moves_evidence(episodes)),
        sum(len(episode.steps) for episode in episodes),
        pieces,
        aim.speaks_of,
        doubt=aim.doubt,
        theory=theory,
    )
