"""Source: an encoding with claims, before propagation. Target: the same, with what is conserved said.

Where rules only ever move a kind, as many of it stand on the board after each turn as before. That number is
added as a sum for each turn. Where it is one, clauses that only keep two of the kind from meeting say
nothing and are left out.

The sums follow from the other constraints. The clauses may go because "at most one" follows from the
definitions alone: each rule that moves the kind does so as its subject, of the rules for one subject one
fires, and there is one subject to begin with.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ggp.encoding.constraints import Claim, Clause, Encoding, Iff, Sum
from ggp.encoding.literals import Lit, Why
from ggp.encoding.lowering.protocol import EVERY, Kinds, Lowered, Tick, never, unchanged
from ggp.model import Piece
from ggp.referee.semantics import ending
from ggp.transition.program import CompiledRule, Loop, Pass, Transition

Place = tuple[str, int, int]  # kind, turn, which piece and cell


class Conserved(NamedTuple):
    """A kind that rules only move: all of its `pieces` together stay as many.

    `alone`: each rule that moves it moves its own subject and nothing else of the kind. `shares`: two of the
    kind that meet become one, so the number stays the same only where it is one.
    """

    kind: str
    planes: frozenset[int]
    alone: bool
    shares: bool
    pieces: frozenset[Piece]


TAKES: Kinds = frozenset()
LEAVES: Kinds = frozenset({"sum"})
BESIDE = EVERY
AGAIN = False


def lower(encoding: Encoding, tick: Tick = never, kinds: Kinds = TAKES) -> Lowered:
    """The encoding with its conserved numbers; as it is where nothing is known to be conserved."""
    return unchanged(with_numbers(encoding))


def with_numbers(encoding: Encoding, *, sharing: bool = False) -> Encoding:
    """The encoding with its conserved numbers; as it is where nothing is known to be conserved.

    Pieces of a kind that merges are never in each other's way, and solvers are only held up by their sums:
    these are added for readers (`sharing`).
    """
    if encoding.transition is None or not encoding.claims or not moves(encoding.transition):
        return encoding
    reasoning = reasoning_about(encoding)
    constraints = [
        one
        for one in encoding.constraints
        if not isinstance(one, Clause) or len(one.lits) < 2 or not reasoning.implies(one)
    ]
    sums = [
        each
        for kept, number in numbers(encoding)
        if sharing or not kept.shares
        for each in totals(encoding, kept, number)
    ]
    return replace(encoding, constraints=[*constraints, *sums])


def moves(transition: Transition) -> bool:
    """Are there rules at all?"""
    return bool(transition.turn or transition.physics)


def reasoning_about(encoding: Encoding) -> Reasoning:
    """What can be told of an encoding from its definitions and from the kinds of which there is one piece."""
    places: dict[Lit, set[Place]] = defaultdict(set)
    for kept, number in numbers(encoding):
        if number == 1 and kept.alone:
            for place, lit in stands(encoding, kept):
                places[lit].add(place)
    return Reasoning(encoding, places)


def numbers(encoding: Encoding) -> Iterator[tuple[Conserved, int]]:
    """What is conserved, and how many of it there are."""
    if encoding.transition is not None and encoding.claims:
        for kept in conserved(encoding.transition):
            number = at_start(encoding, kept)
            surely = not kept.shares and not goes_on(encoding)
            if number is not None and (surely or (number == 1 and kept.alone)):
                yield kept, number


def goes_on(encoding: Encoding) -> bool:
    """Do the rules go on after the end of a run?

    There nobody asks any more whether they collide, and where two firings move one piece there are two of it.
    """
    instance = encoding.instance
    return instance.game.input is None and ending(instance) == "any-turn"


# --- what is conserved


def conserved(transition: Transition) -> Iterator[Conserved]:
    """Kinds that rules move, and neither make nor take away."""
    passes = list(every_pass((*transition.turn, *transition.physics)))
    for kind in dict.fromkeys(piece.kind for piece in transition.planes):
        planes = frozenset(p for p, piece in enumerate(transition.planes) if piece.kind == kind)
        if planes & transition.markers or not planes & transition.dynamic:
            continue
        rules = [(subject, rule) for one in passes for subject, rules in one.subjects for rule in rules]
        if all(moves_only(rule, planes) for _, rule in rules):
            alone = all(moves_subject(rule, subject, planes) for subject, rule in rules)
            pieces = frozenset(transition.planes[plane] for plane in planes)
            yield Conserved(kind, planes, alone, bool(planes & transition.exempt), pieces)


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
    lits = said(encoding.claims[0], kept)
    return sum(lits) if all(isinstance(lit, bool) for lit in lits) else None


# --- what follows


def totals(encoding: Encoding, kept: Conserved, number: int) -> Iterator[Sum]:
    """The sum for each turn in which anything about it is open."""
    for claim in encoding.claims[1:]:
        found = total(claim, kept, number)
        if found is not None:
            yield found


def total(claim: Claim, kept: Conserved, number: int) -> Sum | None:
    """The sum for one turn; None if nothing about it is open."""
    lits = said(claim, kept)
    open_lits = [lit for lit in lits if not isinstance(lit, bool)]
    left = number - sum(lit is True for lit in lits)
    if not len(set(map(abs, open_lits))) == len(open_lits) > 1:
        return None
    why = Why(f"there {'is' if number == 1 else 'are'} always {number} {kept.kind}", claim.turn)
    return Sum(tuple((1, lit) for lit in open_lits), "=", left, why)


def stands(encoding: Encoding, kept: Conserved) -> Iterator[tuple[Place, Lit]]:
    """(kind, turn, plane, cell) with the literal that says that it stands there."""
    for claim in encoding.claims:
        for place, lit in enumerate(said(claim, kept)):
            if not isinstance(lit, bool):
                yield (kept.kind, claim.turn, place), lit


def said(claim: Claim, kept: Conserved) -> list[Lit | bool]:
    """What a claim says of a kind, piece by piece and cell by cell."""
    return [lit for piece, each in claim.pieces.items() if piece in kept.pieces for lit in each]


@dataclass
class Reasoning:
    """Tells what cannot be by the definitions, and because the only piece of a kind is in one place.

    `parts[lit]` surely hold where `lit` does; of `choices[lit]` one does; `lit` is one of the choices of
    `wholes[lit]`. `places[lit]` is what `lit` says stands where.
    """

    encoding: Encoding
    places: Mapping[Lit, set[Place]]
    parts: dict[Lit, tuple[Lit, ...]] = field(default_factory=dict)
    choices: dict[Lit, tuple[Lit, ...]] = field(default_factory=dict)
    wholes: dict[Lit, list[Lit]] = field(default_factory=lambda: defaultdict(list))
    known: dict[Lit, list[tuple[object, object]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for constraint in self.encoding.constraints:
            if isinstance(constraint, Iff):
                sign = 1 if constraint.op == "and" else -1
                self.parts[sign * constraint.lit] = tuple(sign * lit for lit in constraint.lits)
                self.choices[-sign * constraint.lit] = tuple(-sign * lit for lit in constraint.lits)
                for lit in constraint.lits:
                    self.wholes[-sign * lit].append(-sign * constraint.lit)

    def implies(self, clause: Clause) -> bool:
        """Does the clause surely hold?"""
        return self.impossible(tuple(-lit for lit in clause.lits))

    def impossible(self, lits: Sequence[Lit]) -> bool:
        """Is it plain that these cannot all hold? Where one of them is a choice, each way is looked into."""
        taken = self.together(lits)
        if taken is None:
            return True
        return any(
            all(self.clashes(taken, choice) for choice in self.choices[lit])
            for lit in lits
            if lit in self.choices
        )

    def clash(self, lits: Sequence[Lit]) -> bool:
        """Do two of these, or of what surely holds with them, exclude each other?"""
        return self.together(lits) is None

    def together(self, lits: Sequence[Lit]) -> dict[object, object] | None:
        """All that surely holds with these, which of each thing; None where two exclude each other."""
        taken: dict[object, object] = {}
        for lit in lits:
            for what, which in self.facts(lit):
                if taken.setdefault(what, which) != which:
                    return None
        return taken

    def clashes(self, taken: Mapping[object, object], lit: Lit) -> bool:
        """Is there something that holds with the literal and excludes what is taken, or itself?"""
        if any(taken.get(what, which) != which for what, which in self.facts(lit)):
            return True
        return self.together((lit,)) is None

    def follows(self, lit: Lit, other: Lit) -> bool:
        """Does the other surely hold where this one does?"""
        return (-abs(other), other > 0) in self.facts(lit)

    def facts(self, lit: Lit) -> list[tuple[object, object]]:
        """What surely holds with a literal, as (what, which): of each thing there can be only one."""
        if lit not in self.known:
            todo, found = [lit], set[Lit]()
            facts: list[tuple[object, object]] = []
            while todo:
                one = todo.pop()
                if one in found:
                    continue
                found.add(one)
                todo += self.parts.get(one, ())
                facts.append((-abs(one), one > 0))
                variable, value = self.encoding.atoms[abs(one)]
                if one > 0:
                    facts.append((variable, value))
                for there in (one, *self.wholes.get(one, ())):
                    for kind, turn, place in self.places.get(there, ()):
                        facts.append(((kind, turn), place))
            self.known[lit] = facts
        return self.known[lit]
