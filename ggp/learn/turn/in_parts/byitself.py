"""The rules of what happens by itself, from boards before and after it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from ggp.errors import NotLearned
from ggp.learn.boards import Turn
from ggp.learn.fit.program import Passes, Program, in_a_row, one_pass
from ggp.learn.fit.toil import account
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.crowd.pruned import PLAIN
from ggp.learn.turn.evidence.between import left_by
from ggp.learn.turn.evidence.changes import changes_of, names_beside
from ggp.learn.turn.evidence.steady import busy, net_of
from ggp.learn.turn.loop.loops import learn_loop, learn_repeated
from ggp.learn.turn.one_pass.carried import learn_carried
from ggp.learn.turn.one_pass.counting import learn_counting
from ggp.learn.turn.one_pass.elsewhere import learn_with_signs, learned_from
from ggp.learn.turn.one_pass.events import learn_pass
from ggp.learn.turn.one_pass.inline import learn_in_line, shorter_in_line
from ggp.learn.turn.one_pass.inorder import learn_in_order

LITTLE = 2e6  # work on one pass that says what two passes do in fewer words


def physics_of(
    idle: Sequence[Turn], structure: Structure, limits: Sequence[float]
) -> Program | Passes | None:
    """The rules of what happens by itself; None where none explain it."""
    loop = learn_loop(idle, structure, None)
    if loop is not None:
        return loop
    repeated = learn_repeated(idle, structure, limits)
    if repeated is None:
        passes = in_two(idle, structure, limits) or any_that_carry(idle, structure, limits)
        if passes is None:
            return one_pass_or_in_order(idle, structure, limits)
        with suppress(NotLearned), account(LITTLE):
            return learn_pass(idle, structure, limits=(passes.cost,))
        return passes
    return learned_from(idle, structure, (repeated.cost,)) or repeated


def in_two(idle: Sequence[Turn], structure: Structure, limits: Sequence[float]) -> Passes | None:
    """What goes on, and what comes or is gone by that; None where that does not say it, or nothing does.

    A ball rolls on, and where it has come to a hole it is gone. Of where it went the end shows nothing, so
    how it goes is learned where there are as many of everything as before.
    """
    going = [turn for turn in idle if not net_of(turn, structure)]
    if len(going) == len(idle) or not busy(going):
        return None
    for known in (*where_met(idle, structure), structure):
        first = learned_from(going, known, limits)
        rest = left_by(first, idle) if first is not None else None
        second = learned_from(rest, known, (PLAIN - first.cost,)) if first is not None else None
        if first is not None and second is not None:
            passes = in_a_row(known, (first, second))
            if not any(map(passes.wrong, idle)):
                return passes
    return None


def any_that_carry(idle: Sequence[Turn], structure: Structure, limits: Sequence[float]) -> Passes | None:
    """What is carried by what it stands on, in any order that may be: few turns hardly tell which it is."""
    with suppress(NotLearned):
        return learn_carried(idle, structure, limits, told=False)
    return None


def where_met(idle: Sequence[Turn], structure: Structure) -> Iterator[Structure]:
    """The structure in which things may come to what was beside them whenever they got lost.

    At the end of a turn they are never seen with it in a cell: not since it is in their way.
    """
    near: dict[str, list[set[str]]] = defaultdict(list)
    for turn in idle:
        around: dict[str, set[str]] = defaultdict(set)
        for sign, cell, token in changes_of(turn):
            if sign == "-":
                around[structure.name(token)] |= names_beside(cell, turn.before, structure)
        for name, more in net_of(turn, structure):
            if more < 0:
                near[name].append(around[name])
    for name, seen in near.items():
        for other in sorted(set.intersection(*seen) & structure.fixed):
            met = frozenset({frozenset({name, other})})
            if met & (structure.apart | structure.perhaps):
                yield replace(structure, apart=structure.apart - met, perhaps=structure.perhaps - met)


def one_pass_or_in_order(
    steps: Sequence[Turn] | None, structure: Structure, limits: Sequence[float]
) -> Program | Passes | None:
    """What happens by itself, in an order where things come to one cell; None where no rules say that.

    How many stand around is looked at first: it takes no time to see that it says nothing. What looks far
    away may have a decision for each distance at which a wolf sees somebody.
    """
    for learn in (learn_counting, learn_in_order, learn_with_signs, learn_in_line) if steps else ():
        try:
            found = learn(steps or (), structure, limits=limits)
        except NotLearned:
            continue
        if one_pass(found) and not found.structure.senses:
            return shorter_in_line(found, steps or (), structure)
        return found
    return None
