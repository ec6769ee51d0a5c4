"""Passes by search: where no shape of a turn that is known says what was seen, rules are put in one by one.

The search knows no shapes. It asks of each place in a turn what would have to be done there for the end to be
right, does it wherever it could be done, in one place at a time, and reads from where that helps and where it
harms under which conditions it is done.
"""

from __future__ import annotations

from collections.abc import Sequence

from ggp.errors import NotLearned
from ggp.learn.boards import Turn
from ggp.learn.fit.program import Passes, Program
from ggp.learn.fit.threads import one_thread
from ggp.learn.fit.toil import begin
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.searched.nodes import long
from ggp.learn.turn.searched.search import PROMISING, Search
from ggp.learn.turn.searched.told import told_of
from ggp.learn.turn.searched.written import program_of
from ggp.learn.turn.unexplained import InPart
from ggp.learn.turn.ways import MoreWanted, Ways

NEARLY = 0.05  # of the turns, at most, may be left by rules that more play would make whole


def learn_searched(
    ways: Ways, turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = ()
) -> Program | Passes:
    """Passes that say all turns; raises NotLearned where none are found with the work that may be done.

    The search goes on from the passes that were found so far, with more work or more turns. What is found is
    found rule by rule, so that no limit of its size is of use. Where what was found is short, much must speak
    for each rule: for a few turns a guess is as good as another, and other ways of learning may know more.
    Where it is long they do not. It raises MoreWanted if more can be watched and little speaks for rules that
    say all turns, or long ones leave a few.
    """
    if structure.joined or all(turn.before == turn.after for turn in turns):
        raise refusal()
    try:
        return found(ways, turns, structure, surely=True)
    except NotLearned:
        if long(ways.steps):
            want_more(ways, turns, structure)
        raise


def learn_promising(
    ways: Ways, turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = ()
) -> Program | Passes:
    """The same where what was found so far leaves few turns, with guesses: no other way is as near.

    Before there are guesses it raises MoreWanted, if more can be watched.
    """
    if structure.joined or not ways.steps or share_left(ways, turns, structure) > PROMISING:
        raise refusal()
    try:
        return found(ways, turns, structure, surely=ways.longer)
    except NotLearned:
        want_more(ways, turns, structure)
        raise


def want_more(ways: Ways, turns: Sequence[Turn], structure: Structure) -> None:
    """Raises MoreWanted where more can be watched, and few turns are left."""
    if ways.longer and share_left(ways, turns, structure) <= NEARLY:
        raise MoreWanted("nearly all turns are said, and more are wanted", "watch for longer") from None


def share_left(ways: Ways, turns: Sequence[Turn], structure: Structure) -> float:
    """The share of turns that the passes found so far do not say."""
    with one_thread():
        return len(Search(told_of(turns, structure)).not_said(ways.steps)) / len(turns)


def found(ways: Ways, turns: Sequence[Turn], structure: Structure, *, surely: bool) -> Program | Passes:
    """What the search finds; `surely`: if much speaks for each of its rules, or it is long."""
    begin()
    with one_thread():
        search = Search(told_of(turns, structure))
        others, ways.searched = ways.searched != len(turns), len(turns)
        try:
            best = search.run(ways.steps, others=others, surely=surely, patient=ways.promising)
        finally:
            ways.steps = search.best
            note_part(search, ways)
        sure = best.right and search.sure(best)
        believed = sure or (best.right and (not surely or long(best.steps)))
    passes = program_of(best.steps, search.player)
    if best.right and not sure and ways.longer:
        raise MoreWanted("little speaks for some of the rules that say all", "watch for longer")
    if not believed or any(map(passes.wrong, turns)):
        raise refusal()
    return passes


def note_part(search: Search, ways: Ways) -> None:
    """Note what was found as rules in part, if they leave less than what is known so far."""
    turns = search.told.turns
    left = [turns[row] for row in search.not_said(search.best).tolist()]
    most = len(ways.part.left) if ways.part is not None else len(turns) / 2
    if 0 < len(left) < most:
        ways.part = InPart(program_of(search.best, search.player), left, len(turns))


def refusal() -> NotLearned:
    """What is said where no passes are found."""
    return NotLearned("no passes that were searched for explain what happens", "more roll-outs may help")
