"""What a careful person sees in one constraint, beyond what propagation needs for encoding.

Nothing here guesses: each method draws what follows from one constraint and the values still possible.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import combinations

from ggp.encoding.constraints import (
    AllDifferent,
    Automaton,
    Circuit,
    Constraint,
    DifferentLists,
    Distances,
    Encoding,
    Linear,
    Regular,
    Sum,
)
from ggp.encoding.judging import holds
from ggp.encoding.literals import Lit
from ggp.encoding.lowering.narrowing import Narrowing
from ggp.encoding.scopes import scope
from ggp.explain.loops import Lines, lines_of, loop
from ggp.explain.pairs import MOST_VALUES, adding_up, differences

LARGEST_SUBSET = 3  # pairs and triples of cells that share their values; larger ones are hard to see


class Sharper(Narrowing):
    """Propagation that also looks at where a value can go, at sums, sequences, circuits and connections.

    With `subsets` it also sees pairs and triples of cells that between them take as many values, and what
    two sums say together.
    """

    subsets = False

    def __init__(self, encoding: Encoding) -> None:
        super().__init__(encoding)
        self.lines: dict[tuple[int, ...], Lines] = {}
        self.beyond: dict[int, set[int]] = {}  # of a constraint: variables that it looks at besides its own
        constraints = list(enumerate(encoding.constraints))
        self.slow = frozenset(n for n, one in constraints if isinstance(one, Circuit | Distances))
        for number, constraint in constraints:
            if isinstance(constraint, Circuit):
                lines = self.lines[constraint.successors] = lines_of(encoding, constraint)
                self.beyond[number] = {encoding.atoms[abs(line.lit)][0] for line in lines.lines}
                for variable in self.beyond[number]:
                    self.watch[variable].append(number)

    @cached_property
    def pairs(self) -> Mapping[int, list[tuple[int, Sum | Linear]]]:
        """For each sum, by its identity, the numbers of others that it overlaps, and the differences."""
        constraints = self.encoding.constraints
        return {id(constraints[number]): found for number, found in differences(constraints).items()}

    def counts(self, number: int) -> bool:
        """Is this constraint among those that are reasoned with?"""
        return True

    def propagate(self, constraint: Constraint) -> bool:
        if not super().propagate(constraint):
            return False
        together = self.pairs.get(id(constraint), ()) if self.subsets else ()
        if not all(super(Sharper, self).propagate(rest) for other, rest in together if self.counts(other)):
            return False
        return not (self.subsets and isinstance(constraint, Linear)) or self.different_sum(constraint)

    @cached_property
    def differing(self) -> list[tuple[int, frozenset[int]]]:
        """The numbers of the constraints that all of some variables differ, and those."""
        constraints = enumerate(self.encoding.constraints)
        return [
            (n, frozenset(one.variables))
            for n, one in constraints
            if isinstance(one, AllDifferent) and not one.free
        ]

    def different_sum(self, constraint: Linear) -> bool:
        """A sum of values that another constraint makes differ: only some sets of values come to it."""
        variables = [variable for _, variable in constraint.terms]
        plain = constraint.comparison == "=" and constraint.when is None
        if not plain or len(variables) > MOST_VALUES or any(weight != 1 for weight, _ in constraint.terms):
            return True
        whole = frozenset(variables)
        if not any(whole <= group and self.counts(number) for number, group in self.differing):
            return True
        left = adding_up([self.domains[variable] for variable in variables], constraint.number)
        return all(self.narrow(variable, keep) for variable, keep in zip(variables, left, strict=True))

    def different(self, variables: tuple[int, ...], free: tuple[int, ...]) -> bool:
        if not super().different(variables, free):
            return False
        if free:
            return True
        left = set().union(*(self.domains[v] for v in variables))
        if len(variables) > len(left):
            return False
        if len(variables) == len(left) and not self.hidden(variables, left):
            return False
        return not self.subsets or self.naked(variables)

    def hidden(self, variables: tuple[int, ...], values: set[int]) -> bool:
        """As many values as variables: a value that only one of them can take is its value."""
        places: dict[int, list[int]] = {value: [] for value in values}
        for variable in variables:
            for value in self.domains[variable]:
                places[value].append(variable)
        for value, once in places.items():
            can = [v for v in once if value in self.domains[v]]  # some cannot any more
            if not can or (len(can) == 1 and not self.narrow(can[0], {value})):
                return False
        return True

    def naked(self, variables: tuple[int, ...]) -> bool:
        """So many variables with as many values between them: the others cannot have those."""
        open_ones = [v for v in variables if len(self.domains[v]) > 1]
        for size in range(2, LARGEST_SUBSET + 1):
            few = [v for v in open_ones if len(self.domains[v]) <= size]
            for chosen in combinations(few, size):
                values = set().union(*(self.domains[v] for v in chosen))
                if len(values) > size:
                    continue
                for other in open_ones:
                    if other not in chosen and not self.narrow(other, self.domains[other] - values):
                        return False
        return True

    def judged(self, constraint: Constraint) -> bool:
        match constraint:
            case Linear():
                return self.linear(constraint)
            case Regular(variables, automaton):
                return self.regular(variables, automaton)
            case Circuit(successors):
                return self.circuit(successors)
            case Distances():
                return self.reachable(constraint)
            case DifferentLists(lists):
                return self.lists(lists)
        unknown = [v for v in scope(self.encoding, constraint) if len(self.domains[v]) > 1]
        if len(unknown) != 1:
            return super().judged(constraint)
        return self.tried(constraint, unknown[0])

    def tried(self, constraint: Constraint, variable: int) -> bool:
        """Every other variable is certain: which values of this one does the constraint allow?"""
        known = {v: next(iter(self.domains[v])) for v in scope(self.encoding, constraint)}
        keep = {
            value
            for value in self.domains[variable]
            if holds(self.encoding, constraint, {**known, variable: value})
        }
        return self.narrow(variable, keep)

    def linear(self, constraint: Linear) -> bool:
        """Each value must be part of some way to get the sum, by the least and most that the others add."""
        certain = constraint.when is None or self.value(constraint.when)
        if certain is False:
            return True
        bounds = []
        for weight, variable in constraint.terms:
            ends = [weight * value for value in self.domains[variable]]
            bounds.append((min(ends), max(ends)))
        low, high = sum(a for a, _ in bounds), sum(b for _, b in bounds)
        below, above = constraint.comparison != ">=", constraint.comparison != "<="
        number = constraint.number
        if (below and low > number) or (above and high < number):
            return constraint.when is not None and self.assign(-constraint.when)
        if certain is None:
            return True
        for (weight, variable), (least, most) in zip(constraint.terms, bounds, strict=True):
            keep = {
                value
                for value in self.domains[variable]
                if not (below and low - least + weight * value > number)
                and not (above and high - most + weight * value < number)
            }
            if not self.narrow(variable, keep):
                return False
        return True

    def regular(self, variables: tuple[int, ...], automaton: Automaton) -> bool:
        """Each value must be part of some word that the automaton accepts."""
        ways: dict[int, list[tuple[int, int]]] = {}
        for state, value, after in automaton.transitions:
            ways.setdefault(state, []).append((value, after))
        layers = [{0}]
        for variable in variables:
            domain = self.domains[variable]
            layers.append({b for a in layers[-1] for value, b in ways.get(a, ()) if value in domain})
        alive = layers[-1] & set(automaton.finals)
        for variable, before in zip(reversed(variables), reversed(layers[:-1]), strict=True):
            used = [
                (a, value)
                for a in before
                for value, b in ways.get(a, ())
                if b in alive and value in self.domains[variable]
            ]
            if not used or not self.narrow(variable, self.domains[variable] & {value for _, value in used}):
                return False
            alive = {a for a, _ in used}
        return bool(alive)

    def circuit(self, successors: tuple[int, ...]) -> bool:
        """No node has two before it, and no path closes while there is more to be visited."""
        if not self.different(successors, ()) or not loop(self.lines[successors], self.value, self.assign):
            return False
        domains = [self.domains[v] for v in successors]
        sure = {node: next(iter(d)) for node, d in enumerate(domains) if len(d) == 1}
        links = {node: after for node, after in sure.items() if node != after}
        if len(set(links.values())) < len(links):
            return False
        taken = set(links.values())
        for node, variable in enumerate(successors):
            if node not in links and not self.without(variable, taken):
                return False
        # A node that must be on the circuit, or any two separate paths, mean that one path cannot close.
        must = {node for node, domain in enumerate(domains) if node not in domain}
        starts = set(links) - set(links.values())
        closed = len(links) - sum(1 for start in starts for _ in path_from(start, links))
        if closed:
            return not starts and must <= set(links) and one_path(links)
        for start in starts:
            *_, end = path_from(start, links)
            on_path = {start, *path_from(start, links)}
            variable = successors[end]
            if must - on_path and not self.narrow(variable, self.domains[variable] - {start}):
                return False
        return True

    def reachable(self, constraint: Distances) -> bool:
        """Every node that is inside can still reach a root by way of nodes and links that are possible."""
        said = [self.may(lit) for lit in constraint.inside]
        beside: dict[int, list[int]] = {}
        for one, other, link in constraint.links:
            if said[one] is not False and said[other] is not False and self.may(link) is not False:
                beside.setdefault(one, []).append(other)
                beside.setdefault(other, []).append(one)
        roots = (self.may(lit) for lit in constraint.roots)
        queue = [node for node, root in enumerate(roots) if root is not False and said[node] is not False]
        seen = set(queue)
        for node in queue:
            fresh = [other for other in beside.get(node, ()) if other not in seen]
            seen.update(fresh)
            queue += fresh
        for node, lit in enumerate(constraint.inside):
            if node in seen:
                continue
            if said[node] or (said[node] is None and not isinstance(lit, bool) and not self.assign(-lit)):
                return False
        unknown = any(len(self.domains[v]) > 1 for v in scope(self.encoding, constraint))
        return unknown or super().judged(constraint)

    def may(self, lit: Lit | bool) -> bool | None:
        """Is it so, is it not, or may it be?"""
        return lit if isinstance(lit, bool) else self.value(lit)

    def lists(self, lists: tuple[tuple[int, ...], ...]) -> bool:
        """A list that is like another one but for one value must not have that value."""
        for one, other in combinations(lists, 2):
            pairs = [(a, b) for a, b in zip(one, other, strict=True)]
            if any(not self.domains[a] & self.domains[b] for a, b in pairs):
                continue
            unlike = [
                (a, b)
                for a, b in pairs
                if not (len(self.domains[a]) == 1 and self.domains[a] == self.domains[b])
            ]
            if not unlike:
                return False
            if len(unlike) == 1:
                for a, b in (unlike[0], unlike[0][::-1]):
                    if len(self.domains[a]) == 1 and not self.narrow(b, self.domains[b] - self.domains[a]):
                        return False
        return True


def path_from(start: int, links: dict[int, int]) -> list[int]:
    """The nodes after `start` along the links that are sure."""
    found = []
    node = links.get(start)
    while node is not None:
        found.append(node)
        node = links.get(node)
    return found


def one_path(links: dict[int, int]) -> bool:
    """Do the links, which form circuits only, form one?"""
    start = next(iter(links))
    seen, node = {start}, links[start]
    while node != start:
        seen.add(node)
        node = links[node]
    return len(seen) == len(links)
