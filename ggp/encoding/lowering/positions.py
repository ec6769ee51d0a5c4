"""Source: Booleans on a grid, of which each row has exactly one. Target: a variable a row that says where.

Where an encoding is nothing but sums of Booleans, exactly one of each row (or of each column) among them, and
the others say for whole lines across them "at most one" (or "exactly one", for as many lines as rows):

    exactly one in each column             the positions all differ
    at most one in each slope downwards    the positions less the numbers of their rows all differ
    at most one in each slope upwards      the positions and the numbers of their rows, added, all differ

This is how solvers of constraints are told of queens: 88 variables for 30 of them, not 900. What it rests on
is read off the sums and off where their Booleans lie; where any other thing is said nothing is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from ggp.encoding.constraints import AllDifferent, Claim, Constraint, Encoding, Linear, Sum, Values
from ggp.encoding.judging import holds
from ggp.encoding.literals import Lit, Why
from ggp.encoding.lowering.protocol import EVERY, Kinds, Lowered, RuledOut, Tick, never, unchanged
from ggp.model import Plan

TAKES: Kinds = frozenset()
LEAVES: Kinds = frozenset({"all-different", "uneven-all-different", "integers", "linear"})
BESIDE = EVERY
AGAIN = False
WORDS = ("row", "column")
SLOPES = (0, 1, -1)  # how far the position goes on from row to row along a line


def lower(encoding: Encoding, tick: Tick = never, kinds: Kinds = TAKES) -> Lowered:
    """The encoding with positions, or as it is where it says other things. `tick` may raise."""
    for across in (0, 1):
        tick()
        read = reading(encoding, across)
        if read is not None:
            writer = Positions(encoding, across, *read)
            return Lowered(writer.run(), writer.forward, writer.back)
    return unchanged(encoding)


Line = tuple[int, int]
"""(slope, start): it has the cells whose position is the slope times the row, plus the start."""


def reading(encoding: Encoding, across: int) -> tuple[list[Sum], dict[int, Why]] | None:
    """(a sum for each row, why lines of a slope have one at most); None where something else is said.

    `across`: which number of its index is the row of a Boolean.
    """
    if not plain(encoding):
        return None
    rows: dict[int, Sum] = {}
    lines: dict[Line, list[Sum]] = {}
    for one in encoding.constraints:
        assert isinstance(one, Sum)
        at = [place(encoding, lit, across) for _, lit in one.terms]
        row, line = {row for row, _ in at}, line_of(at)
        if len(row) != 1 and line is not None:
            lines.setdefault(line, []).append(one)
        elif len(row) != 1 or len(at) != len(set(at)):
            return None
        elif one.comparison == "=" and rows.setdefault(row.pop(), one).terms != one.terms:
            return None  # (that a row has at most one follows from its sum)
    every = [v for v in range(len(encoding.variables)) if v not in encoding.settled]
    if sorted(encoding.atoms[lit][0] for one in rows.values() for _, lit in one.terms) != every:
        return None
    found = whole(encoding, across, rows, lines)
    return None if found is None else ([rows[row] for row in sorted(rows)], found)


def plain(encoding: Encoding) -> bool:
    """Are there only sums of Booleans on a grid that come to one at most, and nothing that is to be small?"""
    return (
        bool(encoding.constraints)
        and not encoding.minimise
        and not encoding.derived
        and all(
            isinstance(one, Sum)
            and one.when is None
            and one.comparison != ">="
            and one.number == 1
            and all(weight == 1 and lit > 0 and on_grid(encoding, lit) for weight, lit in one.terms)
            for one in encoding.constraints
        )
    )


def on_grid(encoding: Encoding, lit: Lit) -> bool:
    """Is it about a Boolean of a cell, which is a part of plans?"""
    variable = encoding.atoms[lit][0]
    one = encoding.variables[variable]
    return one.domain == (0, 1) and len(one.index) == 2 and variable in encoding.decisions


def place(encoding: Encoding, lit: Lit, across: int) -> tuple[int, int]:
    """(row, position) of a Boolean."""
    index = encoding.variables[encoding.atoms[lit][0]].index
    return index[across], index[1 - across]


def line_of(at: Sequence[tuple[int, int]]) -> Line | None:
    """The line on which all of these lie, each in a row of its own."""
    if len({row for row, _ in at}) < len(at):
        return None
    for slope in SLOPES:
        starts = {position - slope * row for row, position in at}
        if len(starts) == 1:
            return slope, starts.pop()
    return None


def whole(
    encoding: Encoding, across: int, rows: dict[int, Sum], lines: dict[Line, list[Sum]]
) -> dict[int, Why] | None:
    """Why the lines of each slope that is spoken of have one at most; None where that is not all of them."""
    found: dict[int, Why] = {}
    for slope in {slope for slope, _ in lines}:
        cells: dict[int, int] = {}
        for one in rows.values():
            for row, position in (place(encoding, lit, across) for _, lit in one.terms):
                start = position - slope * row
                cells[start] = cells.get(start, 0) + 1
        said = [(start, one) for (other, start), sums in lines.items() if other == slope for one in sums]
        full = [(start, one) for start, one in said if len(one.terms) == cells[start]]
        exact = {start for start, one in full if one.comparison == "="}
        if len(full) < len(said) or {start for start in cells if cells[start] > 1} != {at for at, _ in full}:
            return None
        if exact and not len(exact) == len(cells) == len(rows):
            return None
        found[slope] = said[0][1].why
    return found


@dataclass
class Positions:
    """Writes the encoding of positions: `after` from `before`."""

    before: Encoding
    across: int
    rows: list[Sum]
    lines: dict[int, Why]
    after: Encoding = field(init=False)
    owners: list[dict[int, int]] = field(default_factory=list)  # of each row: position -> variable before
    known: list[int] = field(default_factory=list)  # the position of each row
    shifted: dict[int, tuple[int, int]] = field(default_factory=dict)  # its (row, what is added)

    def run(self) -> Encoding:
        """All of it, and `after` is set to it."""
        before = self.before
        after = Encoding(before.instance, before.horizon, offset=before.offset, limits=list(before.limits))
        after.transition, after.decoder, self.after = before.transition, self.decode, after
        lits: dict[int, Lit] = {}
        for one in self.rows:
            at = {place(before, lit, self.across)[1]: before.atoms[lit][0] for _, lit in one.terms}
            old = before.variables[min(at.values())]
            number = place(before, one.terms[0][1], self.across)[0]
            variable = after.new(old.name, (number,), sorted(at), old.meaning)
            self.owners.append(at)
            self.known.append(variable)
            lits |= {owner: after.number(variable, position) for position, owner in at.items()}
            after.decisions[variable] = position_of([(p, before.decisions[v]) for p, v in sorted(at.items())])
        note = f"in which {WORDS[1 - self.across]} the one of {WORDS[self.across]} [number] is"
        after.notes |= {after.variables[v].name: note for v in self.known}
        for slope, why in self.lines.items():
            after.constraints += self.differ(slope, why)
        after.claims = [
            Claim(claim.turn, {p: [self.said(lits, lit) for lit in row] for p, row in claim.pieces.items()})
            for claim in before.claims
        ]
        return after

    def differ(self, slope: int, why: Why) -> Iterator[Constraint]:
        """That no line with this slope has two."""
        variables = []
        for row, (variable, one) in enumerate(zip(self.known, self.rows, strict=True)):
            added = -slope * place(self.before, one.terms[0][1], self.across)[0]
            if added:
                domain = [position + added for position in self.after.variables[variable].domain]
                index = self.after.variables[variable].index
                moved = self.after.new("slope", index, domain)
                self.shifted[moved] = row, added
                yield Linear(((1, moved), (-1, variable)), "=", added, why)
                variable = moved
            variables.append(variable)
        yield AllDifferent(tuple(variables), why)

    def said(self, lits: dict[int, Lit], lit: Lit | bool) -> Lit | bool:
        """A literal of a claim in the new variables; what is certain counts as absent."""
        if isinstance(lit, bool):
            return lit
        new = lits.get(self.before.atoms[abs(lit)][0])
        return False if new is None else new if lit > 0 else -new

    def forward(self, values: Values) -> Values:
        """Where each row has its one; raises RuledOut for a row that has none or several."""
        found, broken = dict[int, int](), None
        for one, at, variable in zip(self.rows, self.owners, self.known, strict=True):
            found[variable] = next((p for p, v in at.items() if values[v]), min(at))
            if broken is None and not holds(self.before, one, values):
                broken = one
        for moved, (row, added) in self.shifted.items():
            found[moved] = found[self.known[row]] + added
        if broken is not None:
            number = sum(values[self.before.atoms[lit][0]] for _, lit in broken.terms)
            raise RuledOut(broken.why, f"{number} are placed there", found)
        return found

    def back(self, values: Values) -> Values:
        """Which Booleans hold."""
        found = dict(self.before.settled)
        for at, variable in zip(self.owners, self.known, strict=True):
            found |= {owner: int(values[variable] == position) for position, owner in at.items()}
        return found

    def decode(self, values: Values) -> Plan:
        """From positions back to a plan."""
        return self.before.decode(self.back(values))


def position_of(decisions: Sequence[tuple[int, Callable[[Plan], int]]]) -> Callable[[Plan], int]:
    """The position at which a plan places something; the first one if it places nothing there."""
    return lambda plan: next((place for place, decision in decisions if decision(plan)), decisions[0][0])
