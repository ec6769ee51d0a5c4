"""Rules that are one step away from learned ones, judged by play of which a share of the cells is wrong.

What runs must have been if some rules hold never speaks against these rules. So they are held against rules
with a test or a decision less, on the boards as they were seen, with nothing but blips put right: of each
turn in which the two part, the cells in which they do say who is right. What hardly a turn asks for goes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Episode, Turn
from ggp.learn.fit.program import Passes, Program
from ggp.learn.noise.repair import usual, without_blips
from ggp.learn.seen.contradictions import side_by_side
from ggp.learn.seen.frames import Offset
from ggp.learn.seen.views import Look
from ggp.learn.turn.crowd.acts import Act, acts
from ggp.learn.turn.crowd.pruned import with_decisions

Looks = Mapping[Offset, Look]

# Turns that must speak for a decision, and for a test, more than speak against it. That something happened in
# all cells in which it should is hardly chance; that nothing did may have other reasons than the test has.
DECISION, TEST = 2, 3
REMEDY = "record more play, or state the share of wrong cells"


def plain_turns(runs: Iterable[Episode]) -> list[Turn]:
    """The turns of some runs with blips put right, but their first and last, of which that cannot be told."""
    found: list[Turn] = []
    for run in runs:
        steps = zip(pairwise(without_blips(run)), run.steps, strict=True)
        found += [Turn(old, step.word, new) for (old, new), step in steps][1:-1]
    return found


def votes(program: Program, other: Program, turns: Iterable[Turn]) -> int:
    """How many more turns speak for one program than for the other, in all the cells in which they part."""
    return sum(vote(said(program, turn), said(other, turn), turn.after) for turn in turns)


def vote(ours: Board, theirs: Board, seen: Board) -> int:
    """1 for ours, -1 for theirs, 0 where neither is as seen wherever they part."""
    apart = [one for one in zip(seen.cells, ours.cells, theirs.cells, strict=True) if one[1] != one[2]]
    if not apart:
        return 0
    return all(one[0] == one[1] for one in apart) - all(one[0] == one[2] for one in apart)


def said(program: Program | Passes, turn: Turn) -> Board:
    """What rules make of a turn; where they say nothing, nothing happens."""
    return program.after(turn.before, turn.word) or turn.before


def pared(program: Program | Passes, turns: Sequence[Turn]) -> Program | Passes:
    """The program without the decisions and tests for which too few turns speak, the fewest first.

    Of several passes nothing is left out.
    """
    while isinstance(program, Program):
        judged = [(votes(program, one, turns) - needed, one) for needed, one in simpler(program)]
        least, one = min(judged, key=lambda pair: pair[0], default=(0, program))
        if least >= 0:
            return program
        program = one
    return program


def refuse_unneeded(program: Program | Passes, turns: Sequence[Turn]) -> None:
    """Raise NotLearned where too few turns speak for a part of the rules."""
    if pared(program, turns) != program:
        raise NotLearned("too few turns speak for a part of the rules that explain most", REMEDY)


def simpler(program: Program) -> Iterator[tuple[int, Program]]:
    """The program with a decision or a test less, and how many turns must speak against that."""
    for number, part in enumerate(program.parts):
        for place, one in enumerate(part.decisions.decisions):
            yield DECISION, with_decisions(program, number, place, ())
            for index in range(len(one.tests)):
                fewer = one._replace(tests=(*one.tests[:index], *one.tests[index + 1 :]))
                yield TEST, with_decisions(program, number, place, (fewer,))


# --- a test too few -----------------------------------------------------------------------------------------


def refuse_unasked(program: Program | Passes, turns: Sequence[Turn]) -> None:
    """Raise NotLearned where a rule may have forgotten to ask for something."""
    turn = unasked(program, turns)
    if turn is not None:
        boards = side_by_side(turn.before, turn.after, program.after(turn.before, turn.word) or turn.before)
        raise NotLearned(
            f"a rule acts where it was seen to do nothing, on what it acted on nowhere else\n"
            f"input {turn.word or 'none'}: before, seen, and as the rules say\n{boards}",
            REMEDY,
        )


def unasked(program: Program | Passes, turns: Sequence[Turn]) -> Turn | None:
    """A turn in which a rule acts and nothing was seen to, on what it acted on nowhere else; None without.

    It may be seen wrongly, or the rule may have forgotten to ask: which of these, nothing tells. Boards with
    another number of something than nearly all have were seen wrongly, and say nothing.
    """
    right: dict[int, list[Looks]] = defaultdict(list)
    missed: list[tuple[Act, Turn]] = []
    for turn in filter(usual(turns), turns):
        after = said(program, turn)
        for act in acts(program, turn.before, turn.word) if after != turn.before else ():
            cells = [cell for _, cell, _ in act.changes()]
            if all(after.at(cell) == turn.after.at(cell) for cell in cells):
                right[id(act.decision)].append(looks_of(act))
            elif all(turn.before.at(cell) == turn.after.at(cell) for cell in cells):
                missed.append((act, turn))
    return next((turn for act, turn in missed if stands_out(looks_of(act), right[id(act.decision)])), None)


def looks_of(act: Act) -> Looks:
    """What a rule sees where it stands, where it changes something, and where it asks for something."""
    changed = {change.offset for change in act.decision.outcome}
    offsets = sorted({(0, 0)} | changed | {test.offset for test in act.decision.tests})
    return dict(zip(offsets, act.part.view.window(act.board, act.at, act.direction, offsets), strict=True))


def stands_out(looks: Looks, right: Sequence[Looks]) -> bool:
    """Does one of the cells look as it never did where the rule acted as it should?"""
    return any(all(look != one[offset] for one in right) for offset, look in looks.items())
