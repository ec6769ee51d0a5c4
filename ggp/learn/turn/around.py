"""What a pick does to those beside it: each cell answers for itself, and says that it is one of them.

As what is picked sees it, a press changes any choice of eight neighbours, and a cell that looks at its
neighbours needs a rule for each side. A token in the cells beside what is picked, and one in those at its
corners (`seen.nearby`), makes one rule of each four; and what is picked may tell which it is. What is picked
may ask for its like beside it in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ggp.errors import NotLearned
from ggp.learn.boards import Turn, pointed
from ggp.learn.fit.program import Program, pointing
from ggp.learn.fit.threads import one_thread
from ggp.learn.seen.nearby import Near
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import PICK
from ggp.learn.turn.events import LIMITS, cell_program, changing

MOST_NAMES = 6  # things that may be picked, of which each is told from the others


def learn_around(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Program:
    """Cells that say what a pick beside them does; raises NotLearned where they do not say what was seen."""
    changed = changing(turns, structure)
    if pointed(turns) and changed and not any(pointing(structure, turn.word) for turn in turns):
        names = changed[:MOST_NAMES]
        near = [Near(PICK, name, corners) for name in ("", *names) for corners in (False, True)]
        near += [Near(name) for name in names]
        known = replace(structure, rays=tuple(near))
        for full in (False, True):
            with one_thread():
                found = cell_program(turns, known, changed, None, limits[0], full=full)
            if found is not None and not any(map(found.wrong, turns)):
                return found
    raise NotLearned("nothing that is picked beside them says what cells do", "more roll-outs may help")
