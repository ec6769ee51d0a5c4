"""Does a constraint hold under some values? Said by itself, without any solver."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.encoding import graphs
from ggp.encoding.constraints import (
    AllDifferent,
    Automaton,
    Circuit,
    Clause,
    Constraint,
    Cumulative,
    DifferentLists,
    Distances,
    Element,
    Encoding,
    Iff,
    Linear,
    Regular,
    Sum,
    Table,
    Values,
)
from ggp.encoding.literals import Lit


def true(encoding: Encoding, lit: Lit, values: Values) -> bool:
    """Does a literal hold under these values?"""
    variable, value = encoding.atoms[abs(lit)]
    return (values[variable] == value) == (lit > 0)


def defined(encoding: Encoding, definition: Iff, values: Values) -> tuple[int, int]:
    """The variable that a definition is about, and the value that it gives."""
    fold = all if definition.op == "and" else any
    outcome = fold(true(encoding, one, values) for one in definition.lits)
    variable, value = encoding.atoms[abs(definition.lit)]
    domain, has_it = encoding.variables[variable].domain, outcome == (definition.lit > 0)
    return variable, next((one for one in domain if (one == value) == has_it), domain[0])


def holds(encoding: Encoding, constraint: Constraint, values: Values) -> bool:
    """Does a constraint hold under these values (every variable has one)?"""
    match constraint:
        case Clause(lits):
            return any(true(encoding, lit, values) for lit in lits)
        case Iff(lit, op, lits):
            fold = all if op == "and" else any
            return true(encoding, lit, values) == fold(true(encoding, one, values) for one in lits)
        case Sum(terms, comparison, number, _, when):
            if when is not None and not true(encoding, when, values):
                return True
            total = sum(weight for weight, lit in terms if true(encoding, lit, values))
            return {"<=": total <= number, "=": total == number, ">=": total >= number}[comparison]
        case AllDifferent(variables, _, free):
            taken = [values[v] for v in variables if values[v] not in free]
            return len(taken) == len(set(taken))
        case Linear(terms, comparison, number, _, when):
            if when is not None and not true(encoding, when, values):
                return True
            total = sum(weight * values[variable] for weight, variable in terms)
            return {"<=": total <= number, "=": total == number, ">=": total >= number}[comparison]
        case Regular(variables, automaton):
            return accepts(automaton, [values[v] for v in variables])
        case DifferentLists(lists):
            read = [tuple(values[v] for v in variables) for variables in lists]
            return len(set(read)) == len(read)
        case Cumulative():
            return fits_in(constraint, values)
        case Circuit(successors):
            return one_circuit([values[v] for v in successors])
        case Distances(variables):
            return [values[v] for v in variables] == distances(encoding, constraint, values)
        case Element(array, index, result):
            return values[index] in range(len(array)) and values[array[values[index]]] == values[result]
        case Table(variables, rows):
            return any(fits(row, [values[v] for v in variables]) for row in rows)
    return graphs.holds(constraint, lambda lit: true(encoding, lit, values))


def fits_in(constraint: Cumulative, values: Values) -> bool:
    """Is there enough at each time? What is needed only grows where a task begins."""
    tasks = [
        (values[v], values[v] + long, high)
        for v, long, high in zip(constraint.starts, constraint.lengths, constraint.heights, strict=True)
    ]
    return all(
        sum(high for start, end, high in tasks if start <= time < end) <= constraint.limit
        for time, _, _ in tasks
    )


def fits(row: Sequence[int | None], values: Sequence[int]) -> bool:
    """Are these the values of a row?"""
    return all(one is None or one == value for one, value in zip(row, values, strict=True))


def accepts(automaton: Automaton, word: Sequence[int]) -> bool:
    """Does the automaton end in a final state?"""
    ways = {(state, value): after for state, value, after in automaton.transitions}
    state = 0
    for value in word:
        if (state, value) not in ways:
            return False
        state = ways[state, value]
    return state in automaton.finals


def one_circuit(successors: Sequence[int]) -> bool:
    """Do the nodes that have another successor than themselves form one circuit?"""
    on = [node for node, after in enumerate(successors) if node != after]
    if not on or not all(0 <= after < len(successors) for after in successors):
        return False
    node, seen = on[0], set()
    while node not in seen:
        seen.add(node)
        node = successors[node]
    return node == on[0] and len(seen) == len(on)


def distances(encoding: Encoding, constraint: Distances, values: Values) -> list[int] | None:
    """What the variables must be under these values; None where a node inside reaches no root."""

    def said(lit: Lit | bool) -> bool:
        return lit if isinstance(lit, bool) else true(encoding, lit, values)

    inside = [said(lit) for lit in constraint.inside]
    beside: list[list[int]] = [[] for _ in inside]
    for one, other, link in constraint.links:
        if inside[one] and inside[other] and said(link):
            beside[one].append(other)
            beside[other].append(one)
    queue = [node for node, lit in enumerate(constraint.roots) if inside[node] and said(lit)]
    found = dict.fromkeys(queue, 0)
    for node in queue:
        for other in beside[node]:
            if other not in found:
                found[other] = found[node] + 1
                queue.append(other)
    if len(found) < sum(inside):
        return None
    return [found.get(node, 0) for node in range(len(inside))]
