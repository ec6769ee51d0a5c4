"""What plainly cannot hold together: by how literals are defined, and because a variable has one value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ggp.encoding.constraints import Encoding
from ggp.encoding.literals import Lit
from ggp.transition.program import CompiledRule, Transition


@dataclass(frozen=True, slots=True)
class Facts:
    """What surely holds with a formula: literals (and what does not), and values that variables have then.

    Of variables with two values the literals say enough. `never`: the formula itself cannot hold.
    """

    lits: frozenset[Lit]
    denied: frozenset[Lit]
    values: Mapping[int, int]
    never: bool

    def clash(self, other: Facts) -> bool:
        """Is it plain that the two formulas cannot both hold?"""
        if self.never or other.never:
            return True
        if not self.lits.isdisjoint(other.denied):
            return True
        shared = self.values.keys() & other.values.keys()
        return any(self.values[variable] != other.values[variable] for variable in shared)


def facts(encoding: Encoding, parts: Mapping[Lit, Iterable[Lit]], lits: Iterable[Lit]) -> Facts:
    """The facts of a conjunction of literals; `parts` are the literals that a literal stands for all of."""
    todo, found = list(lits), set[Lit]()
    while todo:
        lit = todo.pop()
        if lit not in found:
            found.add(lit)
            todo += parts.get(lit, ())
    denied = frozenset([-lit for lit in found])
    never = not found.isdisjoint(denied)
    values: dict[int, int] = {}
    for lit in found:
        if lit > 0:
            variable, value = encoding.atoms[lit]
            if encoding.variables[variable].domain != (0, 1) or (variable, 0) in encoding.atom_numbers:
                never = values.setdefault(variable, value) != value or never
    return Facts(frozenset(found), denied, values, never)


def together(known: Sequence[Facts]) -> Iterator[tuple[int, int]]:
    """The pairs of formulas (by their places) that do not plainly clash.

    Of hundreds nearly all do. So who has a literal or a value is kept as the bits of one number, and no pair
    is looked at by itself.
    """
    having: dict[Lit, int] = {}
    speaking: dict[int, int] = {}
    valued: dict[tuple[int, int], int] = {}
    possible = 0
    for place, one in enumerate(known):
        bit = 1 << place
        possible |= 0 if one.never else bit
        for lit in one.lits:
            having[lit] = having.get(lit, 0) | bit
        for variable, value in one.values.items():
            speaking[variable] = speaking.get(variable, 0) | bit
            valued[variable, value] = valued.get((variable, value), 0) | bit
    for place, one in enumerate(known):
        left = possible >> place + 1 << place + 1 if not one.never else 0
        for lit in one.denied:
            left &= ~having.get(lit, 0)
        for variable, value in one.values.items():
            left &= ~speaking[variable] | valued[variable, value]
        while left:
            yield place, (left & -left).bit_length() - 1
            left &= left - 1


def has_room(transition: Transition, rule: CompiledRule, layer: str) -> bool:
    """Do the rule's own conditions say that nothing stays where it puts pieces of a layer?

    Either none of the layer's planes may stand there, or the one that does is taken away.
    """
    hard, soft = transition.shares[layer]
    # What surely stands there and is taken: a place of the layer holds nothing else.
    emptied = {one.source for one in rule.changes if one.sure and one.plane in hard and not soft}
    for change in rule.changes:
        if change.result is None or transition.layers[change.result] != layer:
            continue
        there = [term for term in rule.terms if term.offset == change.target and not term.wanted]
        denied = {plane for term in there for plane in term.planes}
        empty = change.target in emptied or denied.issuperset((*hard, *soft))
        if change.result not in hard or not empty:
            return False
    return True


class Choices:
    """Literals that say that a variable has one of several values, such as "the input has this word"."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.known: dict[Lit, tuple[int, frozenset[Lit]]] = {}  # the variable, and the atoms of its values

    def note(self, lit: Lit, lits: frozenset[Lit]) -> None:
        """Remember a literal that is defined as the disjunction of others, if these are such atoms."""
        owners = {self.encoding.atoms[abs(one)][0] for one in lits}
        if len(owners) == 1 and min(lits) > 0:
            self.known[lit] = (*owners, lits)  # type: ignore[assignment]

    def narrow(self, lits: frozenset[Lit]) -> tuple[frozenset[Lit], list[frozenset[Lit]]] | None:
        """A conjunction as the literals that stay, and sets of atoms of which one holds each; None: never.

        Of several literals about one variable only the values stay that all of them allow.
        """
        allowed: dict[int, frozenset[Lit]] = {}
        spoken: dict[int, list[Lit]] = {}
        for lit in lits:
            variable, atoms = self.known.get(lit) or (self.encoding.atoms[abs(lit)][0], frozenset({lit}))
            if lit > 0:
                allowed[variable] = allowed.get(variable, atoms) & atoms
                spoken.setdefault(variable, []).append(lit)
        several = [variable for variable, about in spoken.items() if len(about) > 1]
        if not all(allowed[variable] for variable in several):
            return None
        gone = {lit for variable in several for lit in spoken[variable]}
        return lits - gone, [allowed[variable] for variable in several]
