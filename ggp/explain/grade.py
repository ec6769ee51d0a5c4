"""How hard a puzzle is: the deductions that it takes, in the manner of Browne's Deductive Search.

Rules by themselves come first. Only where they tell nothing more are pairs and triples of cells looked at,
and sums two at a time; only where those do not help is something assumed, to see it fail. After each such
step the rules have their turn again. What is counted is how often each was needed (C. Browne, "Deductive
Search for Logic Puzzles", IEEE CIG 2013).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ggp.explain.opened import Opened, Placed
from ggp.explain.reasoning import Domains, Reasoner

FEW = 2  # so many assumptions still make a puzzle of medium difficulty


@dataclass(frozen=True)
class Grade:
    """What solving by deduction took.

    `cells`: how many were open; `by_rules`: how many of them the rules alone told, before anything else was
    needed; `subsets`: how often pairs and triples helped, of cells or of sums; `assumptions`: how many things
    were assumed and failed; `solved`: whether that was enough, or else one has to guess.
    """

    cells: int
    by_rules: int
    subsets: int
    assumptions: int
    solved: bool

    @property
    def difficulty(self) -> Literal["easy", "medium", "hard"]:
        """Easy: the rules are enough. Hard: more than a few assumptions, or a guess. Medium: between."""
        if not self.solved or self.assumptions > FEW:
            return "hard"
        return "medium" if self.subsets or self.assumptions else "easy"


def grade(puzzle: Opened, facts: Placed, reasoner: Reasoner, tick: Callable[[], None]) -> Grade:
    """Solve a puzzle with an answer by deduction. `tick` is called now and then and may raise."""
    return Grader(puzzle, facts, reasoner, tick).run()


class Grader:
    """Solves one puzzle by deduction, and counts."""

    def __init__(self, puzzle: Opened, facts: Placed, reasoner: Reasoner, tick: Callable[[], None]) -> None:
        self.puzzle = puzzle
        self.reasoner = reasoner
        self.tick = tick
        self.cells = [cell for cell in puzzle.variables if cell not in facts]
        self.every = [True] * len(reasoner.rules)
        self.domains = self.settled(reasoner.with_facts(facts), subsets=False)

    def settled(self, domains: Domains, *, subsets: bool) -> Domains:
        """What the rules tell."""
        self.reasoner.subsets = subsets
        found = self.reasoner.settle(domains, range(len(self.reasoner.owner)), self.every)
        self.reasoner.subsets = False
        assert found is not None, "a puzzle with an answer contradicts itself"
        return found

    def open_cells(self) -> list[int]:
        """The variables of the cells that are not certain, those with the fewest possibilities first."""
        variables = [self.puzzle.variables[cell] for cell in self.cells]
        left = [v for v in variables if len(self.domains[v]) > 1]
        return sorted(left, key=lambda variable: len(self.domains[variable]))

    def run(self) -> Grade:
        """Solve it."""
        by_rules = len(self.cells) - len(self.open_cells())
        subsets = assumptions = 0
        while open_cells := self.open_cells():
            self.tick()
            after = self.settled(self.domains, subsets=True)
            if any(len(a) < len(b) for a, b in zip(after, self.domains, strict=True)):
                subsets += 1
                self.domains = self.settled(after, subsets=False)
                continue
            refuted = self.refuted(open_cells)
            if refuted is None:
                break
            assumptions += 1
            variable, value = refuted
            fewer = self.domains[:]
            fewer[variable] = fewer[variable] - {value}
            self.domains = self.settled(fewer, subsets=False)
        return Grade(len(self.cells), by_rules, subsets, assumptions, not self.open_cells())

    def refuted(self, open_cells: list[int]) -> tuple[int, int] | None:
        """The first (variable, value) that fails when it is assumed."""
        for variable in open_cells:
            for value in sorted(self.domains[variable]):
                self.tick()
                if self.reasoner.on_assuming(self.domains, variable, value, self.every) is None:
                    return variable, value
        return None
