"""One pass that is long, where many turns speak for each of its decisions: it is believed before others.

What is wrong is long, since it has a decision for each case that was seen; then few turns speak for any of
these. But turnstiles, or keys of three colours, take ten decisions as well, each of which is seen often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ggp.errors import NotLearned
from ggp.learn.boards import Turn
from ggp.learn.fit.program import Passes, Program
from ggp.learn.fit.toil import account
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.crowd.acts import acts
from ggp.learn.turn.one_pass.events import LIMITS
from ggp.learn.turn.one_pass.inline import learn_near_or_in_line

FEWEST = 5  # different turns in which each decision is made
WORK = 5e6  # on it: where one pass is right its movers are the first that are thought of


def learn_supported(
    turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS[1:]
) -> Program:
    """A pass of which each decision is often seen; raises NotLearned where there is none."""
    with account(WORK):
        found = learn_near_or_in_line(turns, structure, limits)
    if hardly_seen(found, turns):
        raise NotLearned("hardly any turn speaks for some decision of a long pass", "more roll-outs may help")
    return found


def hardly_seen(found: Program | Passes, turns: Sequence[Turn]) -> bool:
    """Is it one long pass with a decision that few turns speak for?

    A pass that is asked for as small may be long (`events.ALONE`).
    """
    if isinstance(found, Passes) or found.loop or found.cost <= LIMITS[0]:
        return False
    return any(times < FEWEST for times in made(found, turns))


def unbelieved() -> NotLearned:
    """The refusal of such a pass where nothing better came: without it nobody would say that work ran out."""
    return NotLearned(
        "one long pass says all that was seen, but hardly any turn speaks for some of its decisions, and the "
        "work that may be done was over before there was anything better",
        "more roll-outs, or play with less going on at once, may help",
    )


def made(program: Program, turns: Sequence[Turn]) -> list[int]:
    """In how many turns each decision of a program is made."""
    times = Counter(
        decision
        for turn in turns
        for decision in {id(act.decision) for act in acts(program, turn.before, turn.word)}
    )
    return [times[id(one)] for part in program.parts for one in part.decisions.decisions]
