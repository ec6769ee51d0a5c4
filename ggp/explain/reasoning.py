"""Solving by thinking: one rule at a time, then several, then by assuming something and seeing it fail.

A *fact* is what is known to stand on a cell. A *rule* is a set of constraints that say one thing: those
with one `Why`. Definitions of helper variables are no rules: they always hold. In a **round** each rule is
looked at by itself, with what was known before the round; so the number of rounds until a cell is certain
says how far one has to think, and what is noted on the way is where the answer came from.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from ggp.encoding.constraints import Constraint, Encoding, Iff, Linear, Sum
from ggp.encoding.literals import Lit, Why
from ggp.encoding.scopes import scope
from ggp.explain.opened import Opened, Placed
from ggp.explain.sharper import Sharper
from ggp.model import Cell

Domains = list[set[int]]


@dataclass(frozen=True)
class Rule:
    """Constraints that say one thing."""

    why: Why
    constraints: tuple[int, ...]


@dataclass(frozen=True)
class Event:
    """A variable's values became fewer: through a rule (its number), or a fact (the cell)."""

    variable: int
    through: int | Cell
    round: int


class Reasoner(Sharper):
    """Reasons over an encoding whose constraints can be switched on and off by the rule they belong to."""

    def __init__(self, opened: Opened) -> None:
        super().__init__(opened.encoding)
        self.opened = opened
        self.rules, self.owner = rules_of(opened.encoding)
        self.defining = definitions(opened.encoding, self.owner)
        self.reach = [self.reached(rule) for rule in self.rules]
        self.start_domains: Domains = self.domains
        self.enabled = [True] * len(self.rules)
        self.changed: set[int] = set()

    def reached(self, rule: Rule) -> tuple[frozenset[int], tuple[int, ...]]:
        """The variables that a rule speaks of, by way of definitions too, and all constraints involved."""
        constraints, variables = list(rule.constraints), set[int]()
        for number in constraints:
            spoken = scope(self.encoding, self.encoding.constraints[number]) | self.beyond.get(number, set())
            for variable in spoken - variables:
                variables.add(variable)
                constraints += [n for n in self.defining.get(variable, ()) if n not in constraints]
        return frozenset(variables), tuple(constraints)

    # --- switching

    def narrow(self, variable: int, keep: set[int]) -> bool:
        """Leave only these values; wakes up only what is switched on."""
        if not keep:
            return False
        if len(keep) < len(self.domains[variable]):
            self.domains[variable] = keep
            self.changed.add(variable)
            for number in self.watch[variable]:
                if not self.waiting[number] and self.counts(number):
                    self.wake(number)
        return True

    def counts(self, number: int) -> bool:
        """Is the rule of this constraint switched on?"""
        return self.owner[number] < 0 or self.enabled[self.owner[number]]

    def settle(self, domains: Domains, constraints: Iterable[int], enabled: list[bool]) -> Domains | None:
        """The values left when these constraints, and whatever they wake up, have nothing more to say.

        None: they contradict each other. `domains` stays as it is.
        """
        self.domains, self.enabled, self.changed = domains[:], enabled, set()
        self.waiting = [False] * len(self.owner)
        self.queue = []
        for number in constraints:
            if self.counts(number):
                self.wake(number)
        return self.domains if self.run(lambda: None) else None

    def with_facts(self, facts: Placed) -> Domains:
        """The values left when these pieces stand there."""
        domains = self.start_domains[:]
        for cell, piece in facts.items():
            domains[self.opened.variables[cell]] = {self.opened.value(cell, piece)}
        return domains

    # --- conclusions

    def conclude(self, facts: Placed, rules: Collection[int] | None = None) -> Domains | None:
        """All that follows from the facts and these rules (None: all), or None for a contradiction."""
        every = range(len(self.rules))
        if rules is not None:
            chosen = [number in rules for number in every]
            return self.settle(self.with_facts(facts), range(len(self.owner)), chosen)
        if self.without_facts is None:
            return None
        domains, woken = self.without_facts[:], set[int]()
        for cell, piece in facts.items():
            variable = self.opened.variables[cell]
            domains[variable] = domains[variable] & {self.opened.value(cell, piece)}
            woken.update(self.watch[variable])
            if not domains[variable]:
                return None
        return self.settle(domains, sorted(woken), [True for _ in every])

    @cached_property
    def without_facts(self) -> Domains | None:
        """What follows from all rules alone."""
        return self.settle(self.start_domains, range(len(self.owner)), [True] * len(self.rules))

    def on_assuming(self, domains: Domains, variable: int, value: int, enabled: list[bool]) -> Domains | None:
        """What follows when one more variable has this value; `domains` is settled already."""
        assumed = domains[:]
        assumed[variable] = {value}
        return self.settle(assumed, self.watch[variable], enabled)

    def rounds(self, facts: Placed) -> Iterator[tuple[int, Domains | None, list[Event]]]:
        """(round, values left after it, all events so far), until nothing changes; None: a contradiction.

        The last event of a contradiction names the rule that cannot hold; its variable is -1.
        """
        domains = self.with_facts(facts)
        events = [Event(self.opened.variables[cell], cell, 0) for cell in facts]
        changed: set[int] = set(range(len(domains)))
        number = 0
        while changed:
            number += 1
            after, touched = domains[:], set[int]()
            for index, (variables, constraints) in enumerate(self.reach):
                if number > 1 and not changed & variables:
                    continue
                alone = [other == index for other in range(len(self.rules))]
                found = self.settle(domains, constraints, alone)
                if found is None:
                    events.append(Event(-1, index, number))
                    yield number, None, events
                    return
                for variable in self.changed:
                    kept = after[variable] & found[variable]
                    if len(kept) < len(domains[variable]):
                        events.append(Event(variable, index, number))
                        touched.add(variable)
                    after[variable] = kept
                    if not kept:
                        events.append(Event(-1, index, number))
                        yield number, None, events
                        return
            domains, changed = after, touched
            if changed:
                yield number, domains, events

    def behind(self, variable: int, events: list[Event]) -> tuple[set[Cell], set[int]]:
        """The facts and rules from which the values of a variable follow (-1: the contradiction)."""
        of_variable: dict[int, list[Event]] = defaultdict(list)
        for event in events:
            of_variable[event.variable].append(event)
        cells, rules, seen = set[Cell](), set[int](), set[Event]()
        todo = of_variable[variable][:] if variable >= 0 else of_variable[-1][-1:]
        if variable < 0 and todo:  # two rules that leave no value between them
            last = todo[0]
            todo += [e for e in events if e.round == last.round and e.variable in self.reach_of(last)]
        while todo:
            event = todo.pop()
            if event in seen:
                continue
            seen.add(event)
            if isinstance(event.through, tuple):
                cells.add(event.through)
                continue
            rules.add(event.through)
            for other in self.reach[event.through][0]:
                todo += [e for e in of_variable[other] if e.round < event.round and e not in seen]
        return cells, rules

    def reach_of(self, event: Event) -> frozenset[int]:
        """The variables that the rule of an event speaks of."""
        return frozenset() if isinstance(event.through, tuple) else self.reach[event.through][0]


def rules_of(encoding: Encoding) -> tuple[list[Rule], list[int]]:
    """The rules, and for each constraint the number of its rule, -1 where it is a definition."""
    groups: dict[Why, list[int]] = {}
    for number, constraint in enumerate(encoding.constraints):
        if defined(encoding, constraint) is None:
            groups.setdefault(constraint.why, []).append(number)
    rules = [Rule(why, tuple(numbers)) for why, numbers in groups.items()]
    owner = [-1] * len(encoding.constraints)
    for index, rule in enumerate(rules):
        for number in rule.constraints:
            owner[number] = index
    return rules, owner


def defined(encoding: Encoding, constraint: Constraint) -> int | None:
    """The helper variable that a constraint defines, if it does only that."""
    lit: Lit | None = None
    if isinstance(constraint, Iff):
        lit = constraint.lit
    elif isinstance(constraint, Sum | Linear):
        lit = constraint.when
    if lit is None:
        return None
    variable = encoding.atoms[abs(lit)][0]
    return variable if encoding.variables[variable].meaning == "derived" else None


def definitions(encoding: Encoding, owner: list[int]) -> Mapping[int, list[int]]:
    """For each helper variable the constraints that define it."""
    found: dict[int, list[int]] = defaultdict(list)
    for number, constraint in enumerate(encoding.constraints):
        if owner[number] < 0:
            variable = defined(encoding, constraint)
            assert variable is not None
            found[variable].append(number)
    return found
