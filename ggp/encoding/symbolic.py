"""Formulas instead of bits: evaluating a program in this algebra writes an encoding.

A pass is told as the kernel tells it; slides, chains, and what is handed on to all of the board, are told
at once.
"""

from __future__ import annotations

from collections.abc import Callable

from ggp.encoding import chains
from ggp.encoding.constraints import Encoding
from ggp.encoding.fields import Field, Fields
from ggp.encoding.sliding import Slide, slid, slide_of
from ggp.encoding.spreading import Spread, Steps, Way, with_spreads
from ggp.transition.chains import Chain, chain_of
from ggp.transition.kernel import Boards, run_program
from ggp.transition.program import Loop, Pass, Program, Transition


class Formulas(Fields):
    """The algebra of fields, with short ways round passes."""

    def __init__(
        self, encoding: Encoding, transition: Transition, tick: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__(encoding, transition, tick)
        self.programs: dict[int, tuple[Program, Steps]] = {}
        self.ways: dict[Way, bool] = {}
        self.slides = False  # are boards those of a run, so that slides and chains can be told as such?

    def run(self, program: Program, boards: Boards) -> Boards:
        """The boards after a program; what is told of all of the board is one formula."""
        if id(program) not in self.programs:  # its hash would take long
            steps = self.with_slides(program) if self.slides else program
            self.programs[id(program)] = program, with_spreads(steps, self.transition, self.ways)
        for step in self.programs[id(program)][1]:
            if isinstance(step, Spread):
                boards = self.spread(step, boards)
            elif isinstance(step, Slide):
                boards = slid(step, self, boards)
            elif isinstance(step, Chain):
                boards = chains.told(step, self, boards)
            else:
                boards = run_program(self, (step,), boards)
        return boards

    def with_slides(self, program: Program) -> tuple[Pass | Loop | Slide | Chain, ...]:
        """The steps of a program, slides and chains told as such."""
        instance, transition = self.encoding.instance, self.transition
        slides = (slide_of(program, place, transition, instance) for place in range(len(program)))
        chained = chains.unmarked(instance, transition)
        return tuple(
            slide or (chained and chain_of(step, transition)) or step
            for slide, step in zip(slides, program, strict=True)
        )

    def spread(self, spread: Spread, boards: Boards) -> Boards:
        """The boards after a marker was handed on to all cells."""
        size = self.transition.height * self.transition.width
        heard, told = boards[spread.marker], True
        if spread.subject is not None:
            subject = boards[spread.subject]
            told = subject.at(0)
            if self.empty(subject):
                return boards
            if any(subject.at(cell) != told for cell in range(1, size)):
                return run_program(self, spread.passes, boards)
        if self.empty(heard):
            return boards
        everywhere = self.conj(told, self.some(heard))
        if not isinstance(everywhere, bool):
            everywhere = self.literal(everywhere, str(self.transition.planes[spread.marker]))
        cells = {}
        for cell in range(size):
            here = heard.at(cell)
            known = here is False or self.follows(here, told)
            cells[cell] = everywhere if known else self.disj(here, everywhere)
        after = list(boards)
        after[spread.marker] = self.settle(spread.marker, Field(self, cells))
        return tuple(after)
