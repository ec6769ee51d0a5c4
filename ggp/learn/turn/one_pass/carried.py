"""What things stand on carries them: belts of four facings, one facing after another.

Crates on belts that face up go before those on belts that face right, say, and each goes where nothing bars
its way by then. No window of one pass says that of crates in a row: what bars the way may have gone, and
what barred that one, too. A pass for each facing says it, in one of few orders, with a mark on what has gone
where that does not go on in the same turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from typing import NamedTuple

from ggp.errors import NotLearned
from ggp.learn.boards import Turn
from ggp.learn.fit.lists import RULE, Decision, Decisions
from ggp.learn.fit.program import Part, Passes, Program
from ggp.learn.fit.questions import Test, costs_of
from ggp.learn.seen.frames import Frame
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.unused import unused
from ggp.learn.seen.views import Change, Seen, View
from ggp.learn.turn.evidence.changes import changes_of
from ggp.learn.turn.one_pass.events import LIMITS
from ggp.learn.turn.one_pass.inorder import COST, HERE, ahead_of
from ggp.model import DIRECTIONS, OFFSETS

MARK = "carried"
FEWEST = 3  # turns in which a thing went where what it stood on faces


def learn_carried(
    turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS, *, told: bool = True
) -> Passes:
    """A pass for each facing of what carries, in an order that may be; raises NotLearned.

    `told`: the order must be seen to matter. Where any says what was seen, one pass says it, too.
    """
    busy = [turn for turn in turns if turn.before != turn.after]
    families = {name for name, facing in structure.facing.values() if facing in OFFSETS}
    for carrier in sorted(families & structure.still):
        names = carried_by(carrier, busy, structure)
        for ways in belts(carrier, names, structure) if names else ():
            found = ways.in_an_order(turns, told)
            if found is not None and found.cost <= limits[-1]:
                return found
    raise NotLearned("nothing is carried by what it stands on", "more roll-outs may help")


def carried_by(carrier: str, busy: Sequence[Turn], structure: Structure) -> list[str]:
    """What went where a carrier below it faces; nothing, if anything else ever came or went."""
    changed = {structure.name(token) for turn in busy for _, _, token in changes_of(turn)}
    went = Counter(name for turn in busy for name in set(names_carried(turn, carrier, structure)))
    return sorted(changed) if all(went[name] >= FEWEST for name in changed) else []


def names_carried(turn: Turn, carrier: str, structure: Structure) -> Iterator[str]:
    """The names of what went one cell, to where a carrier below it faces."""
    changes = set(changes_of(turn))
    for sign, cell, token in changes if len(changes) > 1 else ():
        for below in turn.before.at(cell) or () if sign == "-" else ():
            name, facing = structure.facing.get(below, ("", ""))
            if name == carrier and ("+", ahead_of(cell, facing), token) in changes:
                yield structure.name(token)


class Belts(NamedTuple):
    """What carries, and whom. `mark`: on what has gone, which stays then; `edges`: nothing goes over one."""

    carrier: str
    names: Sequence[str]
    structure: Structure
    mark: str | None
    edges: bool

    def in_an_order(self, turns: Sequence[Turn], told: bool) -> Passes | None:
        """The first order that says all turns; none, if it is to be `told`, where all of them do."""
        right: Passes | None = None
        wrong = not told
        for order in permutations(DIRECTIONS):
            passes = self.passes(order)
            if any(map(passes.wrong, turns)):
                wrong = True
            else:
                right = right or passes
            if wrong and right is not None:
                return right
        return None

    def passes(self, order: Sequence[str]) -> Passes:
        """A pass for each facing, in this order."""
        programs = (Program(self.structure, tuple(self.parts(facing))) for facing in order)
        return Passes(self.structure, tuple(programs), frozenset(filter(None, [self.mark])))

    def parts(self, facing: str) -> Iterator[Part]:
        """What goes where a carrier faces that faces there, each unless something is in its way."""
        view = View(Frame("none"), self.structure)
        to = view.frame.offset(HERE, OFFSETS[facing], None)
        for name in self.names:
            apart = self.structure.exclusions()[name] | {name}
            barred = (
                view.seen(one, None) for one in self.structure.tokens if self.structure.name(one) in apart
            )
            tests = [
                Test(HERE, frozenset({Seen(self.carrier, facing)})),
                Test(to, frozenset(barred), wanted=False),
            ]
            outcome = [Change("-", HERE, Seen(name)), Change("+", to, Seen(name))]
            if self.mark is not None:
                tests.append(Test(HERE, frozenset({Seen(self.mark)}), wanted=False))
                outcome.append(Change("+", to, Seen(self.mark)))
            if self.edges:
                tests.append(Test(to, edge=True, wanted=False))
            cost = COST + (RULE + sum(map(costs_of, tests))) / len(DIRECTIONS)  # it is one rule, turned
            decision = Decision(tuple(tests), tuple(sorted(outcome)))
            yield Part(name, view, Decisions((HERE, to), (decision,), cost))


def belts(carrier: str, names: Sequence[str], structure: Structure) -> Iterator[Belts]:
    """The ways in which it may carry these, what goes once first."""
    mark = unused(structure, MARK)
    marked = replace(structure, tokens=(*structure.tokens, mark))
    for edges in (False, True):
        yield Belts(carrier, names, marked, mark, edges)
        yield Belts(carrier, names, structure, None, edges)
