"""Loops as people see them: by the lines that are drawn, whichever way one goes along them.

An encoding says which node comes after which, and so it knows a way round. That hides what is plain on
paper: a line that comes to a node goes on from it, and a path may not close while there are other lines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ggp.encoding.constraints import Circuit, Clause, Encoding, Iff
from ggp.encoding.literals import Lit

Value = Callable[[Lit], bool | None]
"""What is known of a literal."""


@dataclass(frozen=True)
class Line:
    """A line between two nodes: the literal that says it is drawn."""

    one: int
    other: int
    lit: Lit


class Lines:
    """All lines, and those at each node."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = tuple(lines)
        at: dict[int, list[Lit]] = {}
        for line in self.lines:
            at.setdefault(line.one, []).append(line.lit)
            at.setdefault(line.other, []).append(line.lit)
        self.at = list(at.values())


def lines_of(encoding: Encoding, circuit: Circuit) -> Lines:
    """The lines that the circuit may go along, one way or the other, where the encoding names them.

    A literal is the name of a line if it follows from either step along it, and one of them from it.
    """
    node = {variable: number for number, variable in enumerate(circuit.successors)}
    clauses = {frozenset(one.lits) for one in encoding.constraints if isinstance(one, Clause)}
    follows: dict[Lit, list[Lit]] = {}
    for clause in clauses:
        if len(clause) == 2:
            for lit in clause:
                follows.setdefault(-lit, []).extend(clause - {lit})
    found = []
    for constraint in encoding.constraints:
        if not isinstance(constraint, Iff) or len(constraint.lits) != 2:
            continue
        sign = 1 if constraint.op == "or" else -1
        steps, lit = [sign * one for one in constraint.lits], sign * constraint.lit
        if any(step < 0 for step in steps):
            continue
        (from_one, to_other), (from_other, to_one) = (encoding.atoms[step] for step in steps)
        if from_one in node and from_other in node:
            one, other = node[from_one], node[from_other]
            if (to_other, to_one) == (other, one) and one != other:
                names = [name for name in follows.get(lit, ()) if frozenset({-name, *steps}) in clauses]
                found.append(Line(one, other, min(names, default=lit, key=abs)))
    return Lines(found)


def loop(lines: Lines, value: Value, assign: Callable[[Lit], bool]) -> bool:
    """Draw what follows from one loop along the lines; False if there can be none."""
    return all(ends(lits, value, assign) for lits in lines.at) and paths(lines.lines, value, assign)


def ends(lits: list[Lit], value: Value, assign: Callable[[Lit], bool]) -> bool:
    """None or two of the lines at a node are drawn."""
    values = [value(lit) for lit in lits]
    drawn = values.count(True)
    unknown = [lit for lit, known in zip(lits, values, strict=True) if known is None]
    if drawn > 2 or (drawn == 1 and not unknown):
        return False
    if drawn == 2 or (drawn == 0 and len(unknown) == 1):
        return all(assign(-lit) for lit in unknown)
    return not (drawn == 1 and len(unknown) == 1) or assign(unknown[0])


def paths(lines: tuple[Line, ...], value: Value, assign: Callable[[Lit], bool]) -> bool:
    """A path closes only if it has all lines, and all lines can still come together."""
    drawn, unknown = [], []
    for line in lines:
        known = value(line.lit)
        if known is None:
            unknown.append(line)
        elif known:
            drawn.append(line)
    if not drawn:
        return True
    joined, closed = Joined(), False
    for line in drawn:
        closed |= not joined.join(line.one, line.other)
    together = len({joined.top(line.one) for line in drawn}) == 1
    if closed and not together:
        return False
    for line in unknown:
        if value(line.lit) is None:
            closes = joined.top(line.one) == joined.top(line.other)
            if (closed or (closes and not together)) and not assign(-line.lit):
                return False
    for line in unknown:
        if value(line.lit) is None:
            joined.join(line.one, line.other)
    return len({joined.top(line.one) for line in drawn}) == 1


class Joined:
    """Nodes that hang together."""

    def __init__(self) -> None:
        self.above: dict[int, int] = {}

    def top(self, node: int) -> int:
        """The node that stands for all that hang together with this one."""
        while node in self.above:
            node = self.above[node]
        return node

    def join(self, one: int, other: int) -> bool:
        """Join two; False if they hung together already."""
        tops = self.top(one), self.top(other)
        if tops[0] != tops[1]:
            self.above[tops[0]] = tops[1]
        return tops[0] != tops[1]
