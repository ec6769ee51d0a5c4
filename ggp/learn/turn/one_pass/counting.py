"""What hangs on how many stand around: what lives on with two or three neighbours, and is born among three.

Whose number says most about what cells become, beyond what stands in them, is counted; that so many or more
are there is then a token (`seen.crowded`), which rules ask for where they ask for anything else.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from ggp.errors import NotLearned
from ggp.learn.boards import Turn
from ggp.learn.fit.memory import remembered
from ggp.learn.fit.program import Program
from ggp.learn.fit.threads import one_thread
from ggp.learn.seen.crowded import AREAS, CELLS, Crowd, numbers
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.changes import changing
from ggp.learn.turn.one_pass.elsewhere import entropy
from ggp.learn.turn.one_pass.events import LIMITS, cell_program

MOST_TURNS = 200  # in which it is looked for whose number says most
MOST_COUNTED = 2  # sorts of things, with where they are counted, that are tried
SHARE = 0.25  # of what there is to say, at least, says a number beyond what any neighbour says
Counted = tuple[str, str]
"""What is counted, and where."""


def learn_counting(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Program:
    """One pass in which cells ask how many stand around them; raises NotLearned where none says it all."""
    for source, area in telling_numbers(turns, structure):
        crowds = [Crowd(source, area, least) for least in range(1, len(CELLS[area]) + 1)]
        known = replace(structure, senses=(*structure.senses, *crowds))
        with one_thread():
            found = cell_program(turns, known, changing(turns, structure), None, limits[-1], full=True)
        if found is not None and not any(map(found.wrong, turns)):
            return found
    raise NotLearned("how many stand around says no more than who does", "more roll-outs may help")


@remembered
def telling_numbers(turns: Sequence[Turn], structure: Structure) -> list[Counted]:
    """What to count, and where, to say most about what becomes of cells: the best ones first."""
    if structure.joined:
        return []
    changed = [turn for turn in turns if turn.before != turn.after][:MOST_TURNS]
    names = dict.fromkeys(map(structure.name, structure.tokens))
    told = (
        (told_by(changed, source, area, structure), (source, area)) for source, area in product(names, AREAS)
    )
    best = sorted((-share, counted) for share, counted in told if share >= SHARE)
    return [counted for _, counted in best[:MOST_COUNTED]]


def told_by(turns: Sequence[Turn], source: str, area: str, structure: Structure) -> float:
    """What share of what becomes of cells a number says, beyond what stands there and whether any is near."""
    seen: dict[Hashable, Counter[tuple[int, Hashable]]] = defaultdict(Counter)
    for own, number, became in cells_of(turns, source, area, structure):
        seen[own, number > 0][number, became] += 1
    every = left = 0.0
    for pairs in seen.values():
        every += bits(Counter(became for _, became in pairs.elements()))
        by_number: dict[int, Counter[Hashable]] = defaultdict(Counter)
        for (number, became), times in pairs.items():
            by_number[number][became] += times
        left += sum(map(bits, by_number.values()))
    return (every - left) / every if every else 0.0


def bits(times: Counter[Hashable]) -> float:
    """How many bits it takes to say which of these, each time."""
    return entropy(list(times.elements())) * times.total()


def cells_of(
    turns: Sequence[Turn], source: str, area: str, structure: Structure
) -> Iterator[tuple[Hashable, int, Hashable]]:
    """For every cell what stands in it, how many stand around it, and what comes and goes."""
    for turn in turns:
        around = numbers(turn.before, source, area, structure.facing)
        for index, (old, new) in enumerate(zip(turn.before.cells, turn.after.cells, strict=True)):
            number = around.get(divmod(index, turn.before.width), 0)
            yield old, number, (old - new, new - old) if old != new else None
