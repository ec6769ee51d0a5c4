"""What plainly cannot hold together: by how literals are defined, and because a variable has one value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from typing import NamedTuple

from ggp.encoding.constraints import Encoding
from ggp.encoding.literals import Lit
from ggp.transition.program import CompiledRule, Transition

FAR = 24  # so many literals are followed to see whether some contradict one another
KEPT = 1 << 30  # bits of facts that are kept: a hundred megabytes


class Facts(NamedTuple):
    """What surely holds with a formula, and what surely does not: sets of atoms as bits."""

    yes: int
    no: int

    @property
    def never(self) -> bool:
        """The formula itself cannot hold."""
        return bool(self.yes & self.no)

    def clash(self, other: Facts) -> bool:
        """Is it plain that the two formulas cannot both hold?"""
        return bool((self.yes | other.yes) & (self.no | other.no))

    def covers(self, other: Facts) -> bool:
        """Does all that surely holds with the other formula hold with this one?"""
        return not (other.yes & ~self.yes or other.no & ~self.no)


NOTHING = Facts(0, 0)


class Known:
    """The facts of literals. `parts` are the literals that a literal stands for all of.

    They are kept, as most literals are asked about through others again and again, but no more of them than
    `most` bits come to. What literals of earlier turns stand for is not looked at.
    """

    def __init__(self, encoding: Encoding, parts: Mapping[Lit, Iterable[Lit]], most: int = KEPT) -> None:
        self.encoding, self.parts, self.most = encoding, parts, most
        self.bits: dict[int, int] = {}  # of the atoms that were spoken of
        self.facts: dict[Lit, Facts] = {}
        self.mute: dict[Lit, bool] = {}
        self.size = 0
        self.first = 0  # the first atom of this turn

    def begin(self) -> None:
        """A new turn begins."""
        self.first, self.size = len(self.encoding.atoms), 0
        self.bits, self.facts, self.mute = {}, {}, {}

    def of(self, lits: Iterable[Lit]) -> Facts:
        """The facts of a conjunction of literals."""
        yes = no = 0
        for lit in lits:
            one = self.facts.get(lit) or self.found(lit)
            yes, no = yes | one.yes, no | one.no
        return Facts(yes, no)

    def found(self, lit: Lit) -> Facts:
        """The facts of a literal, worked out from its parts: a chain of these is too long for recursion."""
        todo = [lit]
        while todo:
            one = todo[-1]
            parts = self.parts_of(one)
            unknown = [part for part in parts if part not in self.facts and self.parts_of(part)]
            if unknown and one not in self.facts:
                todo += unknown
                continue
            todo.pop()
            yes, no = self.alone(one)
            for part in parts:
                theirs = self.facts.get(part) or self.alone(part)
                yes, no = yes | theirs.yes, no | theirs.no
            self.facts[one] = Facts(yes, no)
            self.size += 2 * len(self.bits)
        result = self.facts[lit]
        if self.size > self.most:
            self.facts, self.size = {}, 0
        return result

    def parts_of(self, lit: Lit) -> Iterable[Lit]:
        """The literals that a literal stands for all of."""
        return self.parts.get(lit, ()) if abs(lit) >= self.first else ()

    def reduced(self, lits: frozenset[Lit]) -> frozenset[Lit] | None:
        """A conjunction without what follows from the rest of it; None if it is plain that it cannot hold.

        Of what one of several things must hold for, those that the rest rules out do not count.
        """
        if self.strangers(lits):
            return lits
        left = sorted(lits)
        facts = {lit: self.facts.get(lit) or self.found(lit) for lit in left}
        place = 0
        while place < len(left):
            lit = left[place]
            yes = no = 0
            for other in left:
                if other != lit:
                    their = facts[other]
                    yes |= their.yes
                    no |= their.no
            if not (yes | no) & self.bit(abs(lit)) and not self.parts_of(-lit):
                place += 1  # nobody speaks of it; most are such
                continue
            told = self.told(lit, yes, no)
            if told is None:
                return None
            if told == lit:
                place += 1
                continue
            left.pop(place)
            if told and told not in left:
                left.append(told)
                facts[told] = self.facts.get(told) or self.found(told)
                place = 0  # what is known now may say more of the others
        return frozenset(left)

    def strangers(self, lits: Iterable[Lit]) -> bool:
        """Does each literal speak of its own atom only, and is none a choice between others?"""
        return all(map(self.is_mute, lits))

    def is_mute(self, lit: Lit) -> bool:
        """Does a literal speak of its own atom only? It is kept."""
        if lit not in self.mute:
            self.mute[lit] = not (self.parts_of(lit) or self.parts_of(-lit)) and (lit < 0 or self.single(lit))
        return self.mute[lit]

    def single(self, atom: int) -> bool:
        """Is this the only value of its variable that was spoken of?"""
        variable, value = self.encoding.atoms[atom]
        domain, numbers = self.encoding.variables[variable].domain, self.encoding.atom_numbers
        if domain == (0, 1):  # most are
            return (variable, 1 - value) not in numbers
        return not any([(variable, other) in numbers for other in domain if other != value])

    def told(self, lit: Lit, yes: int, no: int) -> Lit | None:
        """What a literal says where some atoms hold and some do not: 0 nothing more; None: it cannot hold."""
        mine = self.bit(abs(lit))
        if (no if lit > 0 else yes) & mine:
            return None
        if (yes if lit > 0 else no) & mine:
            return 0
        several = self.parts_of(-lit)  # of these one at least does not hold
        if not several:
            return lit
        open_ = []
        for part in several:
            bit = self.bit(abs(part))
            if (no if part > 0 else yes) & bit:
                return 0
            if not (yes if part > 0 else no) & bit:
                open_.append(-part)
        return None if not open_ else open_[0] if len(open_) == 1 else lit

    def consistent(self, lits: Iterable[Lit]) -> bool:
        """Do literals not contradict one another by what they stand for?

        What all parts but one are known of a literal that does not hold says that this one does not either.
        """
        parts, todo, found = self.parts, list(lits), set[Lit]()
        waiting: list[Lit] = []  # what does not hold all of
        while todo and len(found) < FAR:
            for lit in todo:
                if -lit in found:
                    return False
                found.add(lit)
            new = [part for lit in todo for part in self.parts_of(lit)]
            waiting += [-lit for lit in todo if -lit in parts]
            still = []
            for lit in waiting:
                left = [part for part in parts[lit] if part not in found]
                if not left:
                    return False
                if any(-part in found for part in left):
                    continue
                if len(left) == 1:
                    new.append(-left[0])
                else:
                    still.append(lit)
            waiting = still
            todo = [lit for lit in dict.fromkeys(new) if lit not in found]
        return True

    def alone(self, lit: Lit) -> Facts:
        """What a literal says by itself. A variable that has one of several values has none of the others."""
        if lit < 0:
            return Facts(0, self.bit(-lit))
        encoding = self.encoding
        variable, value = encoding.atoms[lit]
        domain, others = encoding.variables[variable].domain, 0
        if domain != (0, 1) or (variable, 0) in encoding.atom_numbers:
            numbers = (encoding.atom_numbers.get((variable, other)) for other in domain if other != value)
            others = reduce(or_, (self.bit(number) for number in numbers if number is not None), 0)
        return Facts(self.bit(lit), others)

    def bit(self, atom: int) -> int:
        """An atom as a bit."""
        return 1 << self.bits.setdefault(atom, len(self.bits))


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
