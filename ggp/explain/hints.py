"""The next cell that is forced, with the fewest reasons that force it; and what is a mistake already.

Easy ways are tried before hard ones: what single rules say, one after another; pairs and triples of cells,
and sums two at a time; assuming each other piece and seeing it fail; and at last whether any answer has
another piece there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from ggp.encoding.literals import Why
from ggp.explain.asking import assignment
from ggp.explain.opened import Opened, Placed, opened
from ggp.explain.reasoning import Domains, Event, Reasoner
from ggp.explain.smallest import minimal, smallest
from ggp.model import Cell, Instance, Piece
from ggp.model.shown import line, number_of

Way = Literal["rules", "subsets", "assumption", "all answers"]
"""How a cell was found to be forced; see the head of this module."""

Reason = Cell | int
"""A fact, by its cell; or a rule, by its number."""

Enough = Callable[[frozenset[Reason]], bool]

CANDIDATES = 6  # so many of the forced cells are looked at for the one with the fewest reasons
QUESTIONS = 600  # put to find the smallest set of reasons; about a second


@dataclass(frozen=True)
class Reasons:
    """Facts and rules that force something. `proved`: no fewer do; else none can be left out."""

    facts: Mapping[Cell, Piece | None]
    rules: tuple[Why, ...]
    proved: bool

    def __len__(self) -> int:
        return len(self.facts) + len(self.rules)


@dataclass(frozen=True)
class Forced:
    """A cell on which this piece must stand (None: nothing may)."""

    cell: Cell
    piece: Piece | None
    way: Way
    rounds: int  # of looking at each rule by itself; 0 where that was not enough
    reasons: Reasons


@dataclass(frozen=True)
class Mistakes:
    """What was filled in wrongly.

    `answers` has what stands there in the one answer; where there are several answers (or none), it is
    empty, and `cells` are a set of which at least one is wrong. `reasons` force the contradiction.
    """

    cells: tuple[Cell, ...]
    answers: Mapping[Cell, Piece | None]
    reasons: Reasons


@dataclass(frozen=True)
class Hint:
    """What there is to say about a board that is partly filled in.

    One of: `mistakes`; the next `forced` cell; all is `done`; or nothing is forced, and two `answers`, which
    differ, can both still be reached.
    """

    forced: Forced | None = None
    mistakes: Mistakes | None = None
    done: bool = False
    answers: tuple[Placed, ...] = ()

    def __repr__(self) -> str:
        """What it says, without the reasons."""
        if self.forced is not None:
            row, column = self.forced.cell
            return line("Hint", "", [f"({row},{column}) must be {self.forced.piece or 'empty'}"])
        if self.mistakes is not None:
            return line("Hint", "", [number_of("mistake", len(self.mistakes.cells))])
        return line("Hint", "", ["done" if self.done else "nothing is forced"])


def hint(instance: Instance, placed: Mapping[Cell, Piece]) -> Hint:
    """The hint for a level on which these pieces have been placed so far.

    Raises UnsupportedFeature for a puzzle that moves. A level without any answer has `mistakes` without
    cells: its clues contradict each other (see `ggp.explain.conflict`).
    """
    return Adviser(opened(instance), placed).hint()


class Adviser:
    """Looks for the next hint."""

    def __init__(self, puzzle: Opened, placed: Mapping[Cell, Piece]) -> None:
        self.puzzle = puzzle
        self.placed = dict(placed)
        self.facts: dict[Cell, Piece | None] = {**puzzle.givens, **placed}

    @cached_property
    def reasoner(self) -> Reasoner:
        return Reasoner(self.puzzle)

    def hint(self) -> Hint:
        """What there is to say."""
        answer = assignment(self.puzzle, self.facts)
        if answer is None:
            return Hint(mistakes=self.mistakes())
        open_cells = [cell for cell in self.puzzle.variables if cell not in self.facts]
        if self.finished(answer):
            return Hint(done=True)
        for way in (self.by_rules, self.by_subsets, self.by_assuming):
            forced = way(open_cells)
            if forced is not None:
                return Hint(forced=forced)
        forced = self.by_answers(answer)
        if forced is not None:
            return Hint(forced=forced)
        other = assignment(self.puzzle, self.facts, other_than=answer)
        assert other is not None  # else every cell of it were forced
        return Hint(answers=(answer, other))

    def finished(self, answer: Placed) -> bool:
        """Is everything placed that an answer needs, so that the board as it is wins?"""
        return all(piece is None or cell in self.facts for cell, piece in answer.items())

    # --- reasons

    def reasons(self, candidates: Iterable[Reason], enough: Enough, *, prove: bool = True) -> Reasons:
        """The fewest reasons that are found; `candidates` are enough, and so are all there are."""
        found = minimal(list(candidates), enough)
        proved = False
        if prove:
            found, proved = smallest(self.all_reasons, enough, found, self.puzzle.instance, QUESTIONS)
        return self.spoken(found, proved)

    def spoken(self, found: frozenset[Reason], proved: bool) -> Reasons:
        """Reasons with their facts and rules."""
        facts, rules = self.parts(found)
        return Reasons(facts, tuple(self.reasoner.rules[number].why for number in sorted(rules)), proved)

    @cached_property
    def all_reasons(self) -> list[Reason]:
        """Every fact and every rule."""
        return [*sorted(self.facts), *range(len(self.reasoner.rules))]

    def parts(self, reasons: frozenset[Reason]) -> tuple[dict[Cell, Piece | None], set[int]]:
        """The facts, and the numbers of the rules."""
        facts = {cell: piece for cell, piece in sorted(self.facts.items()) if cell in reasons}
        return facts, {number for number in reasons if isinstance(number, int)}

    def concluded(self, cell: Cell, found: Domains) -> Enough:
        """Do the reasons, by themselves, leave only what was found for the cell?"""
        variable = self.puzzle.variables[cell]

        def enough(reasons: frozenset[Reason]) -> bool:
            domains = self.reasoner.conclude(*self.parts(reasons))
            return domains is None or domains[variable] == found[variable]

        return enough

    # --- what is forced

    def by_rules(self, open_cells: list[Cell]) -> Forced | None:
        """What looking at one rule after another tells."""
        self.reasoner.subsets = False
        for number, domains, events in self.reasoner.rounds(self.facts):
            assert domains is not None  # the facts have an answer
            candidates: dict[Cell, list[Reason]] = {}
            for cell in self.singles(open_cells, domains):
                cells, rules = self.reasoner.behind(self.puzzle.variables[cell], events)
                candidates[cell] = [*sorted(cells), *sorted(rules)]
            if candidates:
                return self.clearest(candidates, domains, "rules", number)
        return None

    def by_subsets(self, open_cells: list[Cell]) -> Forced | None:
        """The same with pairs and triples of cells, and with two sums at a time."""
        self.reasoner.subsets = True
        domains = self.reasoner.conclude(self.facts)
        assert domains is not None
        found = self.singles(open_cells, domains)
        return self.clearest(dict.fromkeys(found, self.all_reasons), domains, "subsets", 0) if found else None

    def singles(self, open_cells: list[Cell], domains: Domains) -> list[Cell]:
        """The cells on which only one thing can stand. That nothing stands there is told last."""
        found = [cell for cell in open_cells if len(domains[self.puzzle.variables[cell]]) == 1]
        placing = [cell for cell in found if self.piece(cell, domains) is not None]
        # In a puzzle that leaves cells empty, nobody can note that one is; it is no help to hear it again.
        return placing if not self.puzzle.fill else found

    def piece(self, cell: Cell, domains: Domains) -> Piece | None:
        """The only thing that can stand on a cell."""
        (value,) = domains[self.puzzle.variables[cell]]
        return self.puzzle.meanings[cell][value]

    def clearest(
        self, candidates: Mapping[Cell, list[Reason]], domains: Domains, way: Way, rounds: int
    ) -> Forced:
        """Of the cells that are forced, each by its candidates for reasons, the one with the fewest."""
        best: tuple[Cell, frozenset[Reason]] | None = None
        few = sorted(candidates, key=lambda cell: (len(candidates[cell]), cell))[:CANDIDATES]
        for cell in few:
            kept = minimal(candidates[cell], self.concluded(cell, domains))
            if best is None or len(kept) < len(best[1]):
                best = cell, kept
        assert best is not None
        cell, kept = best
        in_order = [reason for reason in self.all_reasons if reason in kept]
        reasons = self.reasons(in_order, self.concluded(cell, domains))
        return Forced(cell, self.piece(cell, domains), way, rounds, reasons)

    def by_assuming(self, open_cells: list[Cell]) -> Forced | None:
        """A cell on which everything but one piece leads to a contradiction."""
        self.reasoner.subsets = False
        domains = self.reasoner.conclude(self.facts)
        assert domains is not None
        enabled = [True] * len(self.reasoner.rules)
        found: list[Forced] = []
        for cell in sorted(open_cells, key=lambda c: (len(domains[self.puzzle.variables[c]]), c)):
            variable = self.puzzle.variables[cell]
            left = [
                value
                for value in sorted(domains[variable])
                if self.reasoner.on_assuming(domains, variable, value, enabled) is not None
            ]
            if len(left) == 1 and (self.puzzle.fill or self.puzzle.meanings[cell][left[0]] is not None):
                reasons = self.reasons(self.all_reasons, self.refuted(variable, left[0]), prove=False)
                found.append(Forced(cell, self.puzzle.meanings[cell][left[0]], "assumption", 0, reasons))
                if len(found) == CANDIDATES:
                    break
        return min(found, key=lambda forced: len(forced.reasons), default=None)

    def refuted(self, variable: int, value: int) -> Enough:
        """Do the reasons exclude every other value, or make it fail when it is assumed?"""

        def enough(reasons: frozenset[Reason]) -> bool:
            facts, rules = self.parts(reasons)
            domains = self.reasoner.conclude(facts, rules)
            if domains is None:
                return True
            enabled = [number in rules for number in range(len(self.reasoner.rules))]
            return all(
                self.reasoner.on_assuming(domains, variable, other, enabled) is None
                for other in domains[variable] - {value}
            )

        return enough

    def by_answers(self, answer: Placed) -> Forced | None:
        """A cell on which every answer has the same."""
        for cell, piece in answer.items():
            if cell in self.facts or (piece is None and not self.puzzle.fill):
                continue
            if assignment(self.puzzle, self.facts, other_than={cell: piece}) is None:
                reasons = self.reasons(self.all_reasons, self.unanswered({cell: piece}), prove=False)
                return Forced(cell, piece, "all answers", 0, reasons)
        return None

    def unanswered(self, other_than: Placed | None) -> Enough:
        """Do the reasons leave no answer (with something else on these cells)?"""
        reasoner = self.reasoner
        defining = {n for n, owner in enumerate(reasoner.owner) if owner < 0}

        def enough(reasons: frozenset[Reason]) -> bool:
            facts, rules = self.parts(reasons)
            kept = defining | {n for rule in rules for n in reasoner.rules[rule].constraints}
            return assignment(self.puzzle, facts, other_than=other_than, constraints=kept) is None

        return enough

    # --- mistakes

    def mistakes(self) -> Mistakes:
        """What is wrong with what was filled in."""
        reasons = self.contradiction()
        answer = assignment(self.puzzle, self.puzzle.givens)
        if answer is None:
            return Mistakes((), {}, reasons)
        if assignment(self.puzzle, self.puzzle.givens, other_than=answer) is None:
            wrong = tuple(sorted(cell for cell, piece in self.placed.items() if answer[cell] != piece))
            return Mistakes(wrong, {cell: answer[cell] for cell in wrong}, reasons)

        def fails(cells: frozenset[Cell]) -> bool:
            facts = {**self.puzzle.givens, **{cell: self.placed[cell] for cell in cells}}
            return assignment(self.puzzle, facts) is None

        return Mistakes(tuple(sorted(minimal(sorted(self.placed), fails))), {}, reasons)

    def contradiction(self) -> Reasons:
        """Reasons that contradict each other: what propagation sees if it does, else what no answer meets."""
        last: list[Event] = []
        for _, domains, events in self.reasoner.rounds(self.facts):
            if domains is None:
                last = events
        if not last:
            return self.reasons(self.all_reasons, self.unanswered(None), prove=False)
        cells, rules = self.reasoner.behind(-1, last)
        candidates: list[Reason] = [*sorted(cells), *sorted(rules)]

        def fails(reasons: frozenset[Reason]) -> bool:
            return self.reasoner.conclude(*self.parts(reasons)) is None

        return self.reasons(candidates if fails(frozenset(candidates)) else self.all_reasons, fails)
