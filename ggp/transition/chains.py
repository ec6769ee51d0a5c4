"""Loops in which marks go along a line: which they are, told from the compiled rules alone.

PuzzleScript's pushes are such. One loop hands a mark on from a piece to the one ahead of it, until nothing is
new; another lets all that is marked step ahead at once, the foremost first. With the input known there is one
direction, so that what becomes of a cell hangs on the cells before it in the line, and on no rounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ggp.transition.program import Change, CompiledRule, Loop, Offset, Pass, Term, Transition, passes_of

HERE = (0, 0)


class Chain(NamedTuple):
    """A loop of `rules` about a `marker`, in one direction.

    Without `blockers` the marker is handed on, and markers that are `removed` vanish where it comes. With
    them, `movers` that are marked step ahead and lose the mark, where none of the blockers stays.
    """

    marker: int
    step: Offset
    rules: tuple[CompiledRule, ...]
    removed: frozenset[int] = frozenset()
    movers: frozenset[int] = frozenset()
    blockers: frozenset[int] = frozenset()


def chain_of(loop: Pass | Loop, transition: Transition) -> Chain | None:
    """What a step of a program is as a chain; None where it is none."""
    if not isinstance(loop, Loop) or len(loop.body) != 1 or transition.wraps:
        return None
    (one,) = loop.body
    longest = max(transition.height, transition.width)
    if not isinstance(one, Pass) or len(one.subjects) != 1 or (loop.cut or loop.bound) < longest:
        return None
    ((marker, rules),) = one.subjects
    if marker is None or marker not in transition.markers:
        return None
    if any(rule.inputs or rule.whole is not None or rule.score for rule in rules):
        return None
    ways = {handed_on(rule, marker, transition) or moved(rule, marker, transition) for rule in rules}
    chain = ways.pop() if len(ways) == 1 else None
    if chain is None or (chain.blockers and not carried(marker, chain.blockers, transition)):
        return None
    return chain._replace(rules=rules)


def handed_on(rule: CompiledRule, marker: int, transition: Transition) -> Chain | None:
    """A rule that puts the marker ahead, where there is none, and asks for nothing that this changes.

    A marker that shares its layer with pieces is none of these: it would be put onto them, which is a fault.
    """
    if transition.shares[transition.layers[marker]][0]:
        return None
    puts = [change for change in rule.changes if change.result is not None]
    taken = [change for change in rule.changes if change.result is None]
    if len(puts) != 1 or puts[0] != Change(None, puts[0].target, marker, puts[0].target, True):
        return None
    step = puts[0].target
    removed = frozenset(change.plane for change in taken if change.plane is not None)
    read = {plane for term in rule.terms if term != Term(step, (marker,), False) for plane in term.planes}
    if not ahead(step) or Term(step, (marker,), False) not in rule.terms or read & {marker, *removed}:
        return None
    if any(change.source != step for change in taken) or not removed <= transition.markers - {marker}:
        return None
    return Chain(marker, step, (), removed)


def moved(rule: CompiledRule, marker: int, transition: Transition) -> Chain | None:
    """A rule that lets pieces of a layer step ahead where nothing of that layer stands, without their mark.

    All that may stand there must be asked for: a step onto anything else is a fault.
    """
    off = [change for change in rule.changes if change.plane == marker]
    steps = [change for change in rule.changes if change.plane != marker]
    targets = {change.target for change in steps}
    if len(off) != 1 or off[0].source != HERE or off[0].result is not None or len(targets) != 1:
        return None
    (step,) = targets
    free = [term for term in rule.terms if term != Term(step, (), True)]
    if not ahead(step) or len(free) != 1 or free[0].wanted or free[0].offset != step:
        return None
    if any(
        change.source != HERE or change.plane is None or change.plane != change.result for change in steps
    ):
        return None
    movers, blockers = (
        frozenset(one.plane for one in steps if one.plane is not None),
        frozenset(free[0].planes),
    )
    whole = {frozenset(transition.of_layer(transition.layers[plane])) for plane in blockers}
    if not movers <= blockers or whole != {blockers} or blockers & transition.exempt:
        return None
    return Chain(marker, step, (), frozenset(), movers, blockers)


def ahead(step: Offset) -> bool:
    """Is it one cell straight on?"""
    return sorted(map(abs, step)) == [0, 1]


def carried(marker: int, pieces: frozenset[int], transition: Transition) -> bool:
    """Does the marker only ever stand where one of these pieces does, which exclude each other?

    No rule puts it elsewhere, and none takes a piece away and leaves it there.
    """
    return all(keeps(one, marker, pieces) for one in passes_of((*transition.turn, *transition.physics)))


def keeps(one: Pass, marker: int, pieces: frozenset[int]) -> bool:
    """The same of one pass: where a mark is put, the piece is put as well, or none is taken in that pass."""
    takes = only_asked = False
    for subject, rule in firings(one):
        put = {change.target for change in rule.changes if change.result in pieces and change.sure}
        marked = {change.target for change in rule.changes if change.result == marker}
        unmarked = {change.source for change in rule.changes if change.plane == marker}
        gone = {change.source for change in rule.changes if change.plane in pieces}
        if not gone <= put | unmarked or not marked <= put | asked(rule, subject, pieces):
            return False
        takes = takes or bool(gone)
        only_asked = only_asked or not marked <= put
    return not (takes and only_asked)


def firings(one: Pass) -> Iterator[tuple[int | None, CompiledRule]]:
    """The rules of a pass with their subjects."""
    for subject, rules in one.subjects:
        for rule in rules:
            yield subject, rule if rule.whole is None else rule.whole.rule


def asked(rule: CompiledRule, subject: int | None, pieces: frozenset[int]) -> set[Offset]:
    """Where a rule asks for one of these pieces."""
    found = {
        term.offset for term in rule.terms if term.wanted and term.planes and pieces.issuperset(term.planes)
    }
    return found | ({HERE} if subject in pieces else set())
