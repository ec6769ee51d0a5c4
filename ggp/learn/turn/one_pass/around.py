"""What a pick does to those beside it: each cell answers for itself, and says that it is one of them.

As what is picked sees it, a press changes any choice of eight neighbours, and a cell that looks at its
neighbours needs a rule for each side. A token in the cells beside what is picked, and one in those at its
corners (`seen.nearby`), makes one rule of each four; and what is picked may tell which it is. What is picked
may ask for its like beside it in the same way. If that does not do, cells may say that they are in a line
with what is picked, too (`seen.rays`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from ggp.errors import NotLearned
from ggp.learn.boards import Turn, pointed, word_of
from ggp.learn.fit.program import Program, pointing
from ggp.learn.fit.threads import one_thread
from ggp.learn.seen.nearby import AROUND, Away, Near, away
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import PICK
from ggp.learn.turn.evidence.changes import changes_of, changing
from ggp.learn.turn.one_pass.events import LIMITS, cell_program
from ggp.learn.turn.one_pass.inline import telling_rays, with_its_tokens

MOST_NAMES = 6  # things that may be picked, of which each is told from the others


def learn_around(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Program:
    """Cells that say what a pick beside them does; raises NotLearned where they do not say what was seen."""
    changed = changing(turns, structure)
    if pointed(turns) and changed and not any(pointing(structure, turn.word) for turn in turns):
        names = changed[:MOST_NAMES]
        near = [Near(PICK, name, far) for far in reached(turns) for name in ("", *names)]
        near += [Near(name) for name in names]
        for known, full in product(with_neighbours(turns, structure, near), (False, True)):
            with one_thread():
                found = cell_program(turns, known, changed, None, limits[0], full=full)
            if found is not None and not any(map(found.wrong, turns)):
                return found
    raise NotLearned("nothing that is picked beside them says what cells do", "more roll-outs may help")


def reached(turns: Sequence[Turn]) -> list[Away]:
    """How far from what is picked, by two rows and columns at most, things were seen to change repeatedly."""
    often: Counter[Away] = Counter()
    for turn in turns:
        at = word_of(turn.word).cell if turn.word is not None else None
        if at is not None:
            often.update({away(at, cell) for _, cell, _ in changes_of(turn)})
    return [far for far in AROUND if often[far] > 1]


def with_neighbours(turns: Sequence[Turn], structure: Structure, near: Sequence[Near]) -> Iterator[Structure]:
    """The structure with some neighbours; then also with what is seen along a line from what is picked."""
    yield replace(structure, senses=tuple(near))
    for ray in telling_rays(turns, structure):
        if ray.source == PICK:
            yield replace(with_its_tokens(structure, ray), senses=(*near, ray))
