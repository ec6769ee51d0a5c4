"""Macro turns: the walker goes wherever it can, then shoves; as many shoves as the horizon says.

Where it can go is worked out inside the turn (`ggp.encoding.ground`). Its steps are no variables: they are
found again when a plan is decoded. Of what a lower bound leaves to be wasted, the turns keep count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ggp.analysis.relaxed import Relaxed, Shove
from ggp.encoding.constraints import Clause, Encoding, Lit, Values, Why
from ggp.encoding.ground import Ground
from ggp.encoding.symbolic import Field, Formula, Formulas, negate
from ggp.errors import PlanError
from ggp.model import Instance, Plan, Term
from ggp.model.board import Action
from ggp.referee.semantics import ending, initial_state
from ggp.transition.bits import Bits, Named
from ggp.transition.kernel import Boards, Fired, apply, negative
from ggp.transition.macros import Walker


def supported(relaxed: Relaxed) -> bool:
    """Can the instance be said in macro turns?"""
    instance = relaxed.instance
    lost_on_the_way = sees_walker(relaxed, instance.game.goal.lose)
    return ending(instance) == "any-turn" and relaxed.walker.free_ground and not lost_on_the_way


def sees_walker(relaxed: Relaxed, terms: Iterable[Term]) -> bool:
    """Does one of the terms look at the walker?"""
    plane, transition = relaxed.walker.plane, relaxed.walker.transition
    patterns = [pattern for term in terms for pattern in term.patterns()]
    return any(plane in transition.planes_of(relaxed.instance, pattern) for pattern in patterns)


def encode(relaxed: Relaxed, shoves: int, tick: Callable[[], None] = lambda: None) -> Encoding:
    """The encoding of the plans of exactly so many shoves, if none of fewer wins."""
    encoding = Encoding(relaxed.instance, shoves, offset=shoves)
    writer = Macros(relaxed, encoding, tick)
    writer.run()
    return encoding


class MacroFormulas(Formulas):
    """The algebra of formulas; what must not collide is said shove by shove (`Macros.alone`)."""

    def exclude(self, what: str, step: Any, boards: Any) -> None:
        pass


class Macros:
    """Writes one encoding."""

    def __init__(self, relaxed: Relaxed, encoding: Encoding, tick: Callable[[], None]) -> None:
        self.relaxed = relaxed
        self.walker: Walker = relaxed.walker
        self.instance: Instance = relaxed.instance
        self.encoding = encoding
        self.tick = tick
        self.transition = self.walker.transition
        self.algebra = MacroFormulas(encoding, self.transition, tick)
        self.view = Named(self.instance, self.transition)
        self.chosen: list[tuple[int, list[Shove]]] = []  # of each turn: its variable, what 1, 2, ... mean
        self.end: tuple[int, list[int]] | None = None  # the variable of the last walk, what 1, 2, ... mean
        self.slack = encoding.horizon - relaxed.matching[0]
        self.wasted: list[Formula] = [False] * (self.slack + 1)  # at least 1, 2, ... shoves wasted so far
        encoding.decoder = self.decode
        encoding.transition = self.transition

    def run(self) -> None:
        """The turns, and the goal after the last."""
        goal, boards = self.instance.game.goal, self.start()
        for turn in range(self.encoding.horizon + 1):
            self.tick()
            self.algebra.turn = turn
            self.algebra.claim(turn, boards)
            for term in goal.lose:
                why = Why(f"not lost: {term.say(self.instance)}", turn)
                self.algebra.require(negate(self.test(term, boards)), why)
            if turn < self.encoding.horizon:
                self.algebra.turn = turn + 1
                boards = self.turn(turn, boards)
        if sees_walker(self.relaxed, goal.terms):
            boards = self.last_walk(boards)
        for term in goal.terms:
            self.algebra.require(self.test(term, boards), Why(term.say(self.instance)))

    def start(self) -> Boards:
        """The boards of the level."""
        cells: list[dict[int, Formula]] = [{} for _ in self.transition.planes]
        board = [here for row in self.instance.level.board for here in row]
        for cell, here in enumerate(board):
            for piece in here:
                cells[self.transition.number[piece]][cell] = True
        return tuple(Field(self.algebra, one) for one in cells)

    def test(self, term: Any, boards: Boards) -> Formula:
        """The formula that a goal's term holds."""
        self.view.boards = boards
        formula: Formula = term.test(self.algebra, self.view)
        return formula

    # --- a turn

    def turn(self, turn: int, boards: Boards) -> Boards:
        """The boards after a walk and a shove."""
        reach = self.reach(boards)
        others = self.without_walker(boards)
        options: list[tuple[Shove, Formula]] = []
        fields: dict[tuple[Action, int], Field] = {}
        for shove in self.relaxed.shoves:
            key = (shove.action, id(shove.rule))
            if key not in fields:
                fields[key] = self.walker.anchors(self.algebra, others, shove.rule, shove.before)
            waste = self.waste(shove)
            if waste is None or waste > self.slack:
                continue
            may = self.algebra.conj(fields[key].at(shove.anchor), reach.get(shove.anchor, False))
            may = self.algebra.conj(may, self.alone(shove, others))
            if may is not False:
                options.append((shove, may))
        return self.shoved(others, self.chosen_of(turn, options))

    def chosen_of(self, turn: int, options: list[tuple[Shove, Formula]]) -> list[tuple[Lit, Shove]]:
        """The variable of a turn, which says which of the options is chosen; with the literal of each."""
        variable = self.encoding.new("shove", (turn,), range(1, len(options) + 1) or (0,), "action")
        self.chosen.append((variable, [shove for shove, _ in options]))
        self.encoding.decisions[variable] = self.decision(turn)
        if not options:
            self.encoding.add(Clause((), Why("there is something to shove", turn)))
        lits = []
        for value, (shove, may) in enumerate(options, start=1):
            lit = self.encoding.number(variable, value)
            lits.append((lit, shove))
            why = Why(f"{shove.rule.name} {shove.action}", turn, divmod(shove.anchor, self.transition.width))
            for part in self.algebra.conjuncts(may) if may is not True else ():
                self.encoding.add(Clause((-lit, part), why))
        self.budget(turn, lits)
        return lits

    def without_walker(self, boards: Boards) -> Boards:
        """The boards of all the others."""
        return tuple(self.algebra.zero if p == self.walker.plane else b for p, b in enumerate(boards))

    def shoved(self, others: Boards, lits: list[tuple[Lit, Shove]]) -> Boards:
        """The boards after one of the shoves."""
        where: dict[int, dict[int, Formula]] = {}
        rules = {id(shove.rule): shove.rule for _, shove in lits}
        for lit, shove in lits:
            cells = where.setdefault(id(shove.rule), {})
            cells[shove.anchor] = self.algebra.disj(cells.get(shove.anchor, False), lit)
        plane, stays = self.walker.plane, self.algebra.zero
        fired = [Fired(rules[key], plane, Field(self.algebra, cells)) for key, cells in where.items()]
        for key, cells in where.items():
            if self.walker.moved_to(rules[key]) is None:
                stays = stays | Field(self.algebra, cells)
        boards = (*others[:plane], stays, *others[plane + 1 :])
        return apply(self.algebra, self.walker.step, boards, fired, {plane: stays})

    def alone(self, shove: Shove, others: Boards) -> Formula:
        """Nothing stands where the shove puts something."""
        layers, exempt = self.transition.layers, self.transition.exempt
        taken = {(one.plane, one.source) for one in shove.rule.changes}
        absent = {
            (plane, term.offset) for term in shove.rule.terms if not term.wanted for plane in term.planes
        }
        free: Formula = True
        for one in shove.rule.changes:
            if one.result is None or one.result in exempt:
                continue
            cell = self.relaxed.at(shove.anchor, one.target)
            for plane, board in enumerate(others):
                thing = (plane, one.target)
                if layers[plane] != layers[one.result] or thing in taken or thing in absent or cell is None:
                    continue
                free = self.algebra.conj(free, negate(board.at(cell)))
        return free

    # --- where the walker can go

    def reach(self, boards: Boards) -> dict[int, Formula]:
        """For each cell, whether the walker can walk there."""
        ground: dict[int, Formula] = {}
        edges: dict[int, set[int]] = {}
        others = self.without_walker(boards)
        for _, offset, where in self.walker.steps(self.algebra, others):
            for cell in self.relaxed.ground:
                formula, to = where.at(cell), self.relaxed.at(cell, offset)
                if formula is not False and to is not None:
                    ground[to] = formula
                    edges.setdefault(cell, set()).add(to)
                    edges.setdefault(to, set()).add(cell)
        here = boards[self.walker.plane]
        return Ground(self.algebra, ground, edges).reached(
            {cell: here.at(cell) for cell in self.relaxed.ground if here.at(cell) is not False}
        )

    def last_walk(self, boards: Boards) -> Boards:
        """The boards with the walker wherever it goes after the last shove."""
        reach = {cell: f for cell, f in self.reach(boards).items() if f is not False}
        ends = sorted(reach)
        variable = self.encoding.new(
            "end", (self.encoding.horizon,), range(1, len(ends) + 1) or (0,), "action"
        )
        self.end = variable, ends
        cells: dict[int, Formula] = {}
        for value, cell in enumerate(ends, start=1):
            cells[cell] = lit = self.encoding.number(variable, value)
            self.algebra.require(self.algebra.disj(-lit, reach[cell]), Why("the last walk leads there"))
        return tuple(
            Field(self.algebra, cells) if p == self.walker.plane else board for p, board in enumerate(boards)
        )

    # --- what may still be wasted

    def waste(self, shove: Shove) -> int | None:
        """How much more than its cost of 1 the shove adds to what is left at least; None if it loses."""
        potential, wanted = self.relaxed.potential, self.relaxed.wanted
        if wanted is None:
            return 0
        total = 1
        for source, target in shove.moves:
            if source[0] in wanted[0]:
                if target not in potential or source not in potential:
                    return None
                total += potential[target] - potential[source]
        return total

    def budget(self, turn: int, lits: list[tuple[Lit, Shove]]) -> None:
        """No more is wasted, all in all, than there are shoves beyond the bound.

        `wasted[n]` says that at least n were wasted so far; only what forces it to hold is written down.
        """
        by_waste: dict[int, list[Lit]] = {}
        for lit, shove in lits:
            by_waste.setdefault(self.waste(shove) or 0, []).append(lit)
        after: list[Formula] = list(self.wasted)
        so_much: Formula = False
        for waste in sorted(by_waste.keys() - {0}, reverse=True):
            for lit in by_waste[waste]:
                so_much = self.algebra.disj(so_much, lit)
            for level in range(self.slack + 1):
                had: Formula = True if level == 0 else self.wasted[level]
                both = self.algebra.conj(
                    had, self.algebra.literal(so_much) if so_much is not False else False
                )
                if level + waste > self.slack:
                    self.algebra.require(negate(both), Why("no more is wasted than can be", turn))
                else:
                    after[level + waste] = self.algebra.disj(after[level + waste], both)
        for level in range(self.slack, 0, -1):
            if level < self.slack:
                after[level] = self.algebra.disj(after[level], after[level + 1])
            if not isinstance(after[level], bool):
                after[level] = self.algebra.literal(after[level], "wasted", None)
        self.wasted = after

    # --- the way back

    def decision(self, turn: int) -> Callable[[Plan], int]:
        """What a plan gives the variable of a turn."""

        def value(plan: Plan) -> int:
            made = self.shoves_of(plan)
            means = self.chosen[turn][1]
            if turn < len(made):
                for number, shove in enumerate(means, start=1):
                    if (str(shove.action), shove.anchor) == made[turn]:
                        return number
            return 0

        return value

    def shoves_of(self, plan: Plan) -> list[tuple[str, int]]:
        """(input, where the walker stands) of each shove of a plan.

        Raises PlanError, or IllegalAction, for an input that the game does not take there.
        """
        bits = Bits(self.transition)
        boards = bits.pack(initial_state(self.instance))
        actions = {str(action): action for action, _ in self.walker.plans}
        made = []
        for turn, word in enumerate(plan.actions, start=1):
            if word not in actions:
                known = f"its inputs are {', '.join(actions)}"
                raise PlanError(f"turn {turn}: {self.instance.name} has no input {word[:60]!r}", known)
            after = bits.act(boards, actions[word], self.instance.game.input)
            if any(
                a != b for p, (a, b) in enumerate(zip(boards, after, strict=True)) if p != self.walker.plane
            ):
                made.append((word, self.cell_of(bits, boards)))
            boards = after
        return made

    def cell_of(self, bits: Bits, boards: tuple[int, ...]) -> int:
        """Where the walker stands."""
        row, column = divmod(boards[self.walker.plane].bit_length() - 1, bits.stride)
        return row * self.transition.width + column

    def decode(self, values: Values) -> Plan:
        """The shoves with the shortest walks between them, up to where the goal first holds."""
        bits = Bits(self.transition)
        boards = bits.pack(initial_state(self.instance))
        view, goal, actions = Named(self.instance, self.transition), self.instance.game.goal, list[str]()
        stops = [means[values[variable] - 1] for variable, means in self.chosen]
        todo: list[tuple[int, Action | None]] = [(shove.anchor, shove.action) for shove in stops]
        if self.end is not None:
            variable, ends = self.end
            todo.append((ends[values[variable] - 1], None))
        for anchor, action in todo:
            words = self.walk(bits, boards, anchor)
            for word in [*words, *([action] if action is not None else [])]:
                view.boards = boards
                if all(term.test(bits, view) for term in goal.terms):
                    return Plan((), tuple(actions))
                boards = bits.act(boards, word, self.instance.game.input)
                actions.append(str(word))
        return Plan((), tuple(actions))

    def walk(self, bits: Bits, boards: tuple[int, ...], goal: int) -> list[Action]:
        """The shortest walk to a cell."""
        others = tuple(0 if p == self.walker.plane else b for p, b in enumerate(boards))
        steps = list(self.walker.steps(bits, others))
        start, wanted = boards[self.walker.plane], bits.bit(*divmod(goal, self.transition.width))
        came: dict[int, tuple[int, Action] | None] = {start: None}
        front = [start]
        while front and wanted not in came:
            after = []
            for cell in front:
                for action, offset, where in steps:
                    if cell & where:
                        to = bits.shift(cell, negative(offset))
                        if to not in came:
                            came[to] = (cell, action)
                            after.append(to)
            front = after
        if wanted not in came:
            raise ValueError(f"no walk leads to {divmod(goal, self.transition.width)}")
        actions, at = [], came[wanted]
        while at is not None:
            actions.append(at[1])
            at = came[at[0]]
        return actions[::-1]
