"""Source: an encoding with claims. Target: the same, with what is conserved said outright.

Where rules only ever move a kind, as many of it stand on the board after each turn as before. That number is
added as a sum for each turn. Where it is one, clauses that only keep two of the kind from meeting say
nothing and are left out.

The sums follow from the other constraints. The clauses may go because "at most one" follows from the
definitions alone: each rule that moves the kind does so as its subject, of the rules for one subject one
fires, and there is one subject to begin with.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from ggp.encoding import Clause, Encoding, Iff, Lit, Sum, Why
from ggp.transition import CompiledRule, Loop, Pass, Transition


class Conserved(NamedTuple):
    """A kind of which the number stays the same: its planes, and whether its rules act on their own subject."""

    kind: str
    planes: frozenset[int]
    alone: bool


def lower(encoding: Encoding) -> Encoding:
    """The encoding with its conserved numbers; as it is where nothing is known to be conserved."""
    if encoding.transition is None or not encoding.claims:
        return encoding
    sums: list[Sum] = []
    places: dict[Lit, set[tuple[str, int, int, int]]] = defaultdict(set)
    for kept in conserved(encoding.transition):
        number = at_start(encoding, kept)
        if number is None:
            continue
        sums += totals(encoding, kept, number)
        if number == 1 and kept.alone:
            for place, lit in stands(encoding, kept):
                places[lit].add(place)
    parts = definitions(encoding)
    constraints = [
        one
        for one in encoding.constraints
        if not (isinstance(one, Clause) and len(one.lits) > 1 and in_two_places(one, parts, places))
    ]
    return replace(encoding, constraints=constraints + sums)


# --- what is conserved


def conserved(transition: Transition) -> Iterator[Conserved]:
    """Kinds that rules move, and neither make nor take away."""
    passes = list(every_pass((*transition.turn, *transition.physics)))
    for kind in dict.fromkeys(piece.kind for piece in transition.planes):
        planes = frozenset(p for p, piece in enumerate(transition.planes) if piece.kind == kind)
        if planes & transition.exempt or not planes & transition.dynamic:
            continue
        rules = [(subject, rule) for one in passes for subject, rules in one.subjects for rule in rules]
        if all(moves_only(rule, planes) for _, rule in rules):
            alone = all(moves_subject(rule, subject, planes) for subject, rule in rules)
            yield Conserved(kind, planes, alone)


def every_pass(program: tuple[Pass | Loop, ...]) -> Iterator[Pass]:
    """The passes of a program."""
    for step in program:
        if isinstance(step, Loop):
            yield from every_pass(step.body)
        else:
            yield step


def moves_only(rule: CompiledRule, planes: frozenset[int]) -> bool:
    """Does the rule put one piece of these planes for each that it takes, and take none of them twice?"""
    changes = [change for change in rule.changes if {change.plane, change.result} & planes]
    taken = [(change.plane, change.source) for change in changes]
    return len(taken) == len(set(taken)) and all({one.plane, one.result} <= planes for one in changes)


def moves_subject(rule: CompiledRule, subject: int | None, planes: frozenset[int]) -> bool:
    """Is its subject the only piece of these planes that the rule touches, if it touches any?"""
    changes = [change for change in rule.changes if change.plane in planes]
    return all(change.plane == subject and change.source == (0, 0) for change in changes)


def at_start(encoding: Encoding, kept: Conserved) -> int | None:
    """How many of the kind there are before the first turn; None if that is still to be decided."""
    first = encoding.claims[0].pieces
    lits = [lit for piece, each in first.items() if piece.kind == kept.kind for lit in each]
    return sum(lits) if all(isinstance(lit, bool) for lit in lits) else None


# --- what follows


def totals(encoding: Encoding, kept: Conserved, number: int) -> Iterator[Sum]:
    """The sum for each turn in which anything about it is open."""
    for claim in encoding.claims[1:]:
        lits = [lit for piece, each in claim.pieces.items() if piece.kind == kept.kind for lit in each]
        open_lits = [lit for lit in lits if not isinstance(lit, bool)]
        left = number - sum(lit is True for lit in lits)
        if len(set(map(abs, open_lits))) == len(open_lits) > 1:
            why = Why(f"there {'is' if number == 1 else 'are'} always {number} {kept.kind}", claim.turn)
            yield Sum(tuple((1, lit) for lit in open_lits), "=", left, why)


def stands(encoding: Encoding, kept: Conserved) -> Iterator[tuple[tuple[str, int, int, int], Lit]]:
    """(kind, turn, plane, cell) with the literal that says that it stands there."""
    for claim in encoding.claims:
        for plane, (piece, lits) in enumerate(claim.pieces.items()):
            for cell, lit in enumerate(lits if piece.kind == kept.kind else ()):
                if not isinstance(lit, bool):
                    yield (kept.kind, claim.turn, plane, cell), lit


def definitions(encoding: Encoding) -> dict[Lit, tuple[Lit, ...]]:
    """What surely holds where a literal does: the parts of the conjunction that defines it."""
    parts: dict[Lit, tuple[Lit, ...]] = {}
    for constraint in encoding.constraints:
        if isinstance(constraint, Iff):
            sign = 1 if constraint.op == "and" else -1
            parts[sign * constraint.lit] = tuple(sign * lit for lit in constraint.lits)
    return parts


def in_two_places(
    clause: Clause, parts: dict[Lit, tuple[Lit, ...]], places: dict[Lit, set[tuple[str, int, int, int]]]
) -> bool:
    """Would breaking the clause put the only piece of a kind on two cells at once?"""
    todo, found = [-lit for lit in clause.lits], set[Lit]()
    where: dict[tuple[str, int], tuple[int, int]] = {}
    while todo:
        lit = todo.pop()
        if lit in found:
            continue
        found.add(lit)
        todo += parts.get(lit, ())
        for kind, turn, plane, cell in places.get(lit, ()):
            if where.setdefault((kind, turn), (plane, cell)) != (plane, cell):
                return True
    return False
