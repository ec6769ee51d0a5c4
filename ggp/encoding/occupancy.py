"""The literal unrolling: does this piece stand on this cell after this turn?

The compiled program is evaluated once a turn in the algebra of formulas. What cannot be (a cell that no
rule can fill by then) stays a constant and never becomes a variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType

from ggp.analysis.dead_squares import Live
from ggp.analysis.design import DesignSearch
from ggp.analysis.fewest import fewest_turns
from ggp.analysis.foreseen import Left
from ggp.analysis.relaxed import reaches
from ggp.encoding import cases, sizes
from ggp.encoding.constraints import Encoding, Values
from ggp.encoding.fields import Field
from ggp.encoding.formula import Formula, negate
from ggp.encoding.literals import Lit, Why
from ggp.encoding.lowering.protocol import Kinds
from ggp.encoding.placing import Placement, Placing, design_of, within_budget
from ggp.encoding.sizes import refuse_too_large, refuse_too_long, within_reason
from ggp.encoding.symbolic import Formulas
from ggp.encoding.values import CellValues
from ggp.model import Cell, Instance, Objective, Piece, Plan, Term
from ggp.model.board import Action, height, kinds_of, width
from ggp.referee.designs import free_cells, placeable
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import ending
from ggp.transition.bits import Named
from ggp.transition.compiler import compile_instance
from ggp.transition.kernel import Boards, clear_markers
from ggp.transition.macros import find_agent
from ggp.transition.program import (
    CompiledRule,
    Loop,
    Pass,
    Program,
    Transition,
    given,
    input_words,
    passes_of,
)

WAYS = 8  # so many inputs have turns of their own; of more, what most do alike would be written often
AT_REST = "no input changes anything any more"


def encode(
    instance: Instance,
    transition: Transition | None = None,
    *,
    horizon: int | None = None,
    least: int = 0,
    objective: Objective | None = None,
    native: Kinds = frozenset(),
    casewise: bool = True,
    plain: Mapping[Cell, Left] = MappingProxyType({}),
    tick: Callable[[], None] = lambda: None,
) -> Encoding:
    """The encoding of an instance, unrolled over its horizon (or the given one).

    `transition` is what runs it: the compiled rules, or a learned program. `least`: only plans of so many
    turns or more, where it is known that none has fewer (of games that end as soon as they are won). `native`
    are the kinds that are written only for a solver that takes them (`Backend.native`). `casewise`: turns
    with loops are made shorter by what can come to pass in them. `plain`: what is left for some cells of the
    design, of which nothing else is written. `tick` is called now and then and may raise,
    which is how a time limit gets in. Raises TooLarge.
    """
    transition = transition or compile_instance(instance)
    turns = horizon if horizon is not None else instance.level.horizon or 0
    refuse_too_large(instance, transition, turns)
    refuse_too_long(instance, transition, turns)
    unroller = Unroller(instance, transition, Encoding(instance, turns), tick, native)
    unroller.casewise &= casewise
    unroller.plain = plain
    unroller.run(max(least, fewest_turns(instance)))
    unroller.minimise(objective)
    if unroller.at_rest and ending(instance) == "any-turn":
        unroller.encoding.never = AT_REST
    return unroller.encoding


def few_ways(instance: Instance) -> bool:
    """Are there so few inputs that turns can be written for each of them?"""
    declared = instance.game.input
    return declared is not None and declared.pick is None and sum(1 for _ in all_actions(instance)) <= WAYS


def asking(program: Program, transition: Transition) -> int:
    """How many steps of a program there are up to the last that hangs on the input, if one is a loop; else 0.

    It asks for words of the input, or for a marker that is put by a rule that does.
    """
    rules = [[rule for step in passes_of((one,)) for rule in rules_of(step)] for one in program]
    given_words = (rule for some in rules for rule in some if rule.inputs)
    told = {change.result for rule in given_words for change in rule.changes} & transition.markers
    last = 0
    for number, some in enumerate(rules, start=1):
        subjects = {subject for step in passes_of((program[number - 1],)) for subject, _ in step.subjects}
        read = {plane for rule in some for term in rule.terms if term.wanted for plane in term.planes}
        if told & (subjects | read) or any(rule.inputs for rule in some):
            last = number
    return last if any(isinstance(step, Loop) for step in program[:last]) else 0


def rules_of(step: Pass) -> Iterator[CompiledRule]:
    """All rules of a pass."""
    return (rule for _, rules in step.subjects for rule in rules)


class Unroller:
    """Writes one encoding, of so many variables and constraints at most (by default `sizes.LARGEST`)."""

    def __init__(
        self,
        instance: Instance,
        transition: Transition,
        encoding: Encoding,
        tick: Callable[[], None],
        native: Kinds = frozenset(),
        most: int | None = None,
    ) -> None:
        self.native = native
        self.instance = instance
        self.transition = transition
        self.encoding = encoding
        self.tick = within_reason(encoding, tick, most or sizes.LARGEST)
        self.algebra = Formulas(encoding, transition, self.tick)
        self.view = Named(instance, transition)
        program = transition.turn + transition.physics
        apart = asking(program, transition) if few_ways(instance) else 0
        # What is written for each input by itself, and what for all at once.
        self.first, self.rest = program[:apart], program[apart:]
        self.programs: dict[frozenset[str], Program] = {}  # the first one, for inputs with these words
        self.placed: dict[Cell, Placement] = {}
        self.plain: Mapping[Cell, Left] = {}  # what is left for some cells of the design
        self.inputs: list[tuple[int, dict[int, Action]]] = []  # of each turn: its variable, what values mean
        self.over: list[Formula] = []  # for each turn: has the run ended before it?
        self.at_rest = False  # after some turn no input changes anything, whatever came before
        # Are the cases of a turn looked at, where they are few? Passes that are not repeated do without.
        self.casewise = any(isinstance(step, Loop) for step in program)
        self.cut = False  # was anything left out that could not be in time, and could be in a longer run?
        encoding.decoder = self.decode
        encoding.transition = transition

    def run(self, least: int) -> None:
        """The design, the turns, and the goal where the game ends, which is after `least` turns or later."""
        boards, any_turn = self.design(), ending(self.instance) == "any-turn"
        goal = self.instance.game.goal
        won: Formula = False
        lost: Formula = False
        if self.casewise and not self.placed:
            self.algebra.cases = cases.start()
        for turn in range(self.encoding.horizon + 1):
            self.tick()
            self.algebra.turn = turn
            # Where the run may be over, nothing has to get anywhere any more; with an agent it is there.
            boards = self.prune(turn, boards) if won is False or self.reached else boards
            self.algebra.claim(turn, boards)
            lost = self.literal("lost", negate(self.every(goal.lose, boards, holds=False)), lost)
            if any_turn and turn >= least:
                here = self.algebra.conj(self.every(goal.terms, boards), negate(lost))
                won = self.literal("won", here, won)
            if turn < self.encoding.horizon:
                self.over.append(won)
                before, boards = boards, self.turn(turn, boards, won, lost)
                self.busy(turn, before, boards)
                self.at_rest = self.at_rest or self.rests(before, boards)
        if any_turn:
            self.algebra.require(won, Why("the goal is reached at some turn"))
            return
        self.algebra.require(negate(lost), Why("the game is never lost"))
        values = CellValues(self.instance, self.transition, self.algebra, boards, self.native)
        for term in goal.terms:
            if hasattr(term, "constrain") and values.can_say(term):
                term.constrain(values)
            else:
                self.algebra.require(self.every((term,), boards), Why(term.say(self.instance)))

    def prune(self, turn: int, boards: Boards) -> Boards:
        """The boards without the pieces that could not get where the goal wants them in time.

        Propagation would find the same from the goal backwards, but only after all was written.
        """
        return self.without_late(turn, boards, self.live[turn])

    def without_late(self, turn: int, boards: Boards, live: Live) -> Boards:
        """The boards without the pieces of these planes that stand anywhere else."""
        after = list(boards)
        for plane, cells in live:
            late = {c: f for c, f in boards[plane].cells.items() if not cells & self.bit(c)}
            if late:
                self.cut = True
                why = Why(f"{self.transition.planes[plane]} can still be where it must in time", turn)
                for formula in late.values():
                    self.algebra.require(negate(formula), why)
                kept = {c: f for c, f in boards[plane].cells.items() if c not in late}
                after[plane] = Field(self.algebra, kept)
        return tuple(after)

    def bit(self, cell: int) -> int:
        """A cell as a bit of the boards that the search works on."""
        return self.search.bits.bit(*divmod(cell, self.transition.width))

    @cached_property
    def search(self) -> DesignSearch:
        """What knows how far pieces can get."""
        level = replace(self.instance.level, horizon=self.encoding.horizon)
        return DesignSearch(replace(self.instance, level=level), self.transition)

    @cached_property
    def live(self) -> list[Live]:
        """For each turn, where the pieces that must get somewhere can still be."""
        if self.reached:
            return [self.within(self.encoding.horizon - turn) for turn in range(self.encoding.horizon + 1)]
        runs = self.instance.game.input is None and bool(self.transition.physics)
        return self.search.live if runs else [()] * (self.encoding.horizon + 1)

    @cached_property
    def reached(self) -> dict[int, dict[int, int]]:
        """Where pieces that an agent moves can be, and how many moves from where the goal wants them."""
        agent = find_agent(self.instance, self.transition)
        return {} if agent is None or ending(self.instance) != "any-turn" else reaches(self.instance, agent)

    def within(self, turns: int) -> Live:
        """Where these pieces can be with so many turns to go: each turn moves a piece once at most."""
        cells = {
            plane: sum(self.bit(cell) for cell, moves in found.items() if moves <= turns)
            for plane, found in self.reached.items()
        }
        return tuple(cells.items())

    def literal(self, name: str, formula: Formula, before: Formula) -> Formula:
        """The formula or what it was before, as one literal of that name (a constant stays one)."""
        total = self.algebra.disj(formula, before)
        return total if isinstance(total, bool) else self.algebra.literal(total, name)

    def every(self, terms: Iterable[Term], boards: Boards, *, holds: bool = True) -> Formula:
        """The formula that all of the goal's terms hold (or that none does)."""
        self.view.boards = boards
        each = (term.test(self.algebra, self.view) for term in terms)
        return self.algebra.every(one if holds else negate(one) for one in each)

    # --- the design

    def design(self) -> Boards:
        """The boards at the start, with a variable for each free cell."""
        cells: list[dict[int, Formula]] = [{} for _ in self.transition.planes]
        number, columns = self.transition.number, width(self.instance)
        for row in range(height(self.instance)):
            for column in range(columns):
                for piece in self.instance.level.board[row][column]:
                    cells[number[piece]][row * columns + column] = True
        placing = Placing(self.encoding, placeable(self.instance))
        self.placed = placing.placements(free_cells(self.instance), self.tick)
        for cell, placement in self.placed.items():
            self.tick()
            at = cell[0] * columns + cell[1]
            left = self.plain.get(cell)
            for piece, lit in placement.lits.items() if left is None else placing.narrowed(placement, left):
                there = cells[number[piece]].get(at, False)  # one may stand already, if they merge
                cells[number[piece]][at] = lit if there is False else self.algebra.disj(lit, there)
        within_budget(self.encoding, self.placed)
        return tuple(Field(self.algebra, one) for one in cells)

    # --- a turn

    def turn(self, turn: int, boards: Boards, over: Formula, lost: Formula = False) -> Boards:
        """The boards after one more turn, which is not played where the run is already over."""
        algebra, transition = self.algebra, self.transition
        algebra.begin(turn + 1, over)
        told = [formula for board in boards for formula in board.cells.values()]
        algebra.carry([*told, over, lost])
        if self.instance.game.input is None:
            algebra.given = lambda words: not words
            return clear_markers(algebra, algebra.run(transition.physics, boards))
        actions = self.input(turn, over)
        with_words: dict[tuple[str, ...], Formula] = {(): negate(over)}

        def asked(words: tuple[str, ...]) -> Formula:
            if words not in with_words:
                lits = [lit for action, lit in actions.items() if input_words(action).issuperset(words)]
                with_words[words] = negate(algebra.every(-lit for lit in lits))
            return with_words[words]

        algebra.given = asked
        picked = self.picks(boards, actions)
        if self.first:
            picked = self.each_way(self.first, picked, actions, over)
            algebra.given, algebra.unless = asked, over
        after = clear_markers(algebra, algebra.run(self.rest, picked))
        return after

    def busy(self, turn: int, boards: Boards, after: Boards) -> None:
        """The turn changes something, if its input must."""
        if self.instance.game.input is None or self.instance.game.input.wait:
            return
        algebra = self.algebra
        pairs = [(boards[plane], after[plane]) for plane in sorted(self.transition.dynamic)]
        changed = negate(algebra.every(negate(algebra.differ(a, b)) for a, b in pairs))
        algebra.demand(changed, Why("the input changes something", turn + 1))

    def each_way(self, program: Program, boards: Boards, actions: dict[Action, Lit], over: Formula) -> Boards:
        """The boards after a part of the program that is run for each input by itself.

        With the input known most of its rules say nothing, and what they say of one way is not tangled up
        with all others, pass after pass.
        """
        algebra = self.algebra
        ways: dict[frozenset[str], Formula] = {}
        for action, lit in actions.items():
            words = input_words(action)
            ways[words] = algebra.disj(ways.get(words, False), lit)
        found = [] if over is False else [(over, boards)]
        for words, chosen in ways.items():
            algebra.given, algebra.unless = words.issuperset, negate(chosen)
            with algebra.only(chosen):
                found.append((chosen, algebra.run(self.given(program, words), boards)))
        return tuple(
            algebra.settle(plane, algebra.choose([(chosen, after[plane]) for chosen, after in found]))
            for plane in range(len(boards))
        )

    def given(self, program: Program, words: frozenset[str]) -> Program:
        """The program for an input with these words, the same one each time."""
        if words not in self.programs:
            self.programs[words] = given(program, words)
        return self.programs[words]

    def rests(self, before: Boards, after: Boards) -> bool:
        """Is it plain that a turn changed nothing, so that no later one does?

        What the rules of a loop may go on with is not looked at, so where that was cut off nothing is plain;
        neither is it where pieces were left out that come too late for this horizon.
        """
        return not self.cut and not self.encoding.limits and all(map(self.algebra.same, before, after))

    def input(self, turn: int, over: Formula) -> dict[Action, Lit]:
        """The variable of a turn's input; it is 0 exactly where the run is over."""
        meant = dict(enumerate(all_actions(self.instance), start=1))
        domain = (*(() if over is False else (0,)), *meant)
        variable = self.encoding.new("input", (turn,), domain, "action")
        self.inputs.append((variable, meant))
        numbers = {str(action): value for value, action in meant.items()}
        self.encoding.decisions[variable] = lambda plan: (
            numbers.get(plan.actions[turn], 0) if turn < len(plan.actions) else 0
        )
        none = 0
        if over is not False:
            none = self.encoding.number(variable, 0)
            why = Why("there is an input as long as the game is not over", turn + 1)
            self.algebra.require(self.algebra.disj(negate(over), none), why)
            self.algebra.require(self.algebra.disj(over, -none), why)
        given = {action: self.encoding.number(variable, value) for value, action in meant.items()}
        # What has been said by now is what cases begin with: it would not be said again.
        self.algebra.branch(over, none, list(given.values()))
        return given

    def picks(self, boards: Boards, actions: dict[Action, Lit]) -> Boards:
        """The boards with the marker of a pick where the input picks."""
        marker = self.instance.game.input.pick if self.instance.game.input else None
        if marker is None:
            return boards
        after = list(boards)
        for action, lit in actions.items():
            if action.cell is not None:
                plane = self.transition.number[Piece(marker, action.direction)]
                at = action.cell[0] * self.transition.width + action.cell[1]
                after[plane] = after[plane] | Field(self.algebra, {at: lit})
        return tuple(after)

    # --- the objective, and the way back

    def minimise(self, objective: Objective | None) -> None:
        """Make the objective's value small."""
        if objective is None:
            return
        if objective.counts == "placements":
            lits = [lit for placement in self.placed.values() for lit in placement.lits.values()]
            self.encoding.minimise = tuple((1, lit) for lit in lits)
        elif objective.counts == "turns":
            self.fewest(negate(over) for over in self.over)
        elif objective.counts == "score":
            self.highest(self.algebra.scores)
        else:
            kinds = kinds_of(self.instance.game, objective.kind or "")
            of_kind = [p for p, piece in enumerate(self.transition.planes) if piece.kind in kinds]
            self.fewest(moved for plane, moved in self.algebra.moves if plane in of_kind)

    def fewest(self, formulas: Iterable[Formula]) -> None:
        """Minimise how many of these hold."""
        for formula in formulas:
            if isinstance(formula, bool):
                self.encoding.offset += formula
            else:
                self.encoding.minimise += ((1, self.algebra.literal(formula)),)

    def highest(self, scores: Iterable[tuple[int, Formula]]) -> None:
        """Minimise what the formulas that hold are worth, taken from nothing; no weight is below 0."""
        for worth, formula in scores:
            if isinstance(formula, bool):
                self.encoding.offset -= worth * formula
            elif worth > 0:  # what is missed costs as much as what is had gains
                self.encoding.offset -= worth
                self.encoding.minimise += ((worth, -self.algebra.literal(formula)),)
            else:
                self.encoding.minimise += ((-worth, self.algebra.literal(formula)),)

    def decode(self, values: Values) -> Plan:
        """The plan that an assignment stands for."""
        actions = [str(meant[values[v]]) for v, meant in self.inputs if values[v] in meant]
        return Plan(design_of(self.placed, values), tuple(actions))
