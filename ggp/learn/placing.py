"""What may be placed before a run, and where: from designs that were accepted or refused.

A name that something was placed on may be placed on. All others keep a cell from being free, also those that
nobody tried: plans that are refused cost more than plans that are not found. Where designs are refused that
only stand on free cells, there were too many of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ggp.learn.boards import Board, Episode, Placed, Token
from ggp.learn.seen.structure import Structure
from ggp.model import Design, Piece
from ggp.model.shown import number_of

BUDGET = "budget"  # the number of a level that says how many may be placed


@dataclass(frozen=True)
class Placing:
    """What may be placed, which names keep a cell from being free, and how many on each bare board."""

    placed: tuple[Token, ...]
    free_of: tuple[str, ...]
    most: Mapping[Board, int]
    evidence: tuple[str, ...] = ()

    def design(self, structure: Structure, pieces: Mapping[Token, Piece]) -> Design | None:
        """As a game declares it; None where several kinds were placed, for a design places one."""
        kinds = {pieces[token].kind for token in self.placed}
        if len(kinds) != 1:
            return None
        closed = {pieces[t].kind for t in structure.tokens if structure.name(t) in self.free_of}
        return Design((kinds.pop(),), tuple(sorted(closed)), BUDGET)


def learn_placing(episodes: Sequence[Episode], structure: Structure) -> Placing | None:
    """What was found out of placing things; None where nothing was placed and accepted."""
    accepted = [one for one in episodes if one.placed and not one.refused]
    refused = [one for one in episodes if one.refused]
    if not accepted:
        return None
    placed = tuple(sorted({put.token for one in accepted for put in one.placed}))
    names = {structure.name(token) for token in structure.tokens}
    under = {name for one in accepted for put in one.placed for name in beneath(one, put, structure)}
    closed = names - under
    tried = {name for one in refused for put in one.placed for name in beneath(one, put, structure) & closed}
    evidence = [f"{', '.join(placed)} was placed in {len(accepted)} runs, and refused in {len(refused)}"]
    evidence += [f"placed on {name}" for name in sorted(under)]
    evidence += [f"never placed on {name}, and refused there" for name in sorted(tried)]
    evidence += [
        f"never placed on {name}: not tried, so taken for refused" for name in sorted(closed - tried)
    ]
    most, limits = limits_of(accepted, refused, closed, structure)
    kinds = {structure.name(token) for token in placed}
    if len(kinds) > 1:
        evidence.append("things of several kinds were placed; a design places one, so none is written")
    return Placing(placed, tuple(sorted(closed)), most, (*evidence, *limits))


def beneath(episode: Episode, put: Placed, structure: Structure) -> set[str]:
    """The names of what stands on a cell before something is placed there."""
    return set(map(structure.name, episode.bare().at(put.cell) or ()))


def limits_of(
    accepted: Sequence[Episode], refused: Sequence[Episode], closed: set[str], structure: Structure
) -> tuple[dict[Board, int], list[str]]:
    """How many may be placed on each bare board, as far as was seen, with what speaks for it."""
    most: dict[Board, int] = defaultdict(int)
    for one in accepted:
        most[one.bare()] = max(most[one.bare()], len(one.placed))
    too_many: dict[Board, int] = {}
    odd = 0
    for one in refused:
        cells = [put.cell for put in one.placed]
        free = all(
            one.start.inside(put.cell) and not beneath(one, put, structure) & closed for put in one.placed
        )
        if free and len(set(cells)) == len(cells):
            number, board = len(cells), one.bare()
            odd += number <= most[board]
            too_many[board] = min(number, too_many.get(board, number))
    settled = sum(most[board] == number - 1 for board, number in too_many.items())
    lines = [f"how many may be placed is known of {settled} of {len(most)} levels, else the most that were"]
    if odd:
        said = number_of("refused design", odd)
        lines.append(f"nothing says why of {said}: others as large were accepted")
    return dict(most), lines
