"""Macro turns: the agent goes wherever it can, then pushes; as many pushes as the horizon says.

Where it can go is worked out inside the turn (`ggp.encoding.ground`). Its steps are no variables: they are
found again when a plan is decoded. Of what a lower bound leaves to be spent beside it, the turns keep count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ggp.analysis.relaxed import Push, Relaxed
from ggp.encoding.constraints import Clause, Encoding, Values
from ggp.encoding.fields import Field
from ggp.encoding.formula import Formula, negate
from ggp.encoding.ground import Ground
from ggp.encoding.literals import Lit, Why
from ggp.encoding.symbolic import Formulas
from ggp.errors import PlanError
from ggp.model import Instance, Plan, Term
from ggp.model.board import Action
from ggp.referee.semantics import ending, initial_state
from ggp.transition.bits import Bits, Named
from ggp.transition.kernel import Boards, Fired, apply, negative
from ggp.transition.macros import Agent


def supported(relaxed: Relaxed) -> bool:
    """Can the instance be said in macro turns?"""
    instance = relaxed.instance
    lost_on_the_way = sees_agent(relaxed, instance.game.goal.lose)
    return ending(instance) == "any-turn" and relaxed.agent.free_ground and not lost_on_the_way


def sees_agent(relaxed: Relaxed, terms: Iterable[Term]) -> bool:
    """Does one of the terms look at the agent?"""
    plane, transition = relaxed.agent.plane, relaxed.agent.transition
    patterns = [pattern for term in terms for pattern in term.patterns()]
    return any(plane in transition.planes_of(relaxed.instance, pattern) for pattern in patterns)


def encode(relaxed: Relaxed, pushes: int, tick: Callable[[], None] = lambda: None) -> Encoding:
    """The encoding of the plans of exactly so many pushes, if none of fewer wins."""
    encoding = Encoding(relaxed.instance, pushes, offset=pushes)
    writer = Macros(relaxed, encoding, tick)
    writer.run()
    return encoding


class MacroFormulas(Formulas):
    """The algebra of formulas; what must not collide is said push by push (`Macros.alone`)."""

    def exclude(self, what: str, step: Any, companies: Any) -> None:
        pass


class Macros:
    """Writes one encoding."""

    def __init__(self, relaxed: Relaxed, encoding: Encoding, tick: Callable[[], None]) -> None:
        self.relaxed = relaxed
        self.agent: Agent = relaxed.agent
        self.instance: Instance = relaxed.instance
        self.encoding = encoding
        self.tick = tick
        self.transition = self.agent.transition
        self.algebra = MacroFormulas(encoding, self.transition, tick)
        self.view = Named(self.instance, self.transition)
        self.chosen: list[tuple[int, list[Push]]] = []  # of each turn: its variable, what 1, 2, ... mean
        self.end: tuple[int, list[int]] | None = None  # the variable of the last walk, what 1, 2, ... mean
        self.slack = encoding.horizon - relaxed.matching[0]
        self.spent: list[Formula] = [False] * (self.slack + 1)  # at least 1, 2, ... of the slack spent so far
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
        if sees_agent(self.relaxed, goal.terms):
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
        """The boards after a walk and a push."""
        reach = self.reach(boards)
        others = self.without_agent(boards)
        options: list[tuple[Push, Formula]] = []
        fields: dict[tuple[Action, int], Field] = {}
        for push in self.relaxed.pushes:
            key = (push.action, id(push.rule))
            if key not in fields:
                fields[key] = self.agent.anchors(self.algebra, others, push.rule, push.before)
            cost = self.reduced_cost(push)
            if cost is None or cost > self.slack:
                continue
            may = self.algebra.conj(fields[key].at(push.anchor), reach.get(push.anchor, False))
            may = self.algebra.conj(may, self.alone(push, others))
            if may is not False:
                options.append((push, may))
        return self.pushed(others, self.chosen_of(turn, options))

    def chosen_of(self, turn: int, options: list[tuple[Push, Formula]]) -> list[tuple[Lit, Push]]:
        """The variable of a turn, which says which of the options is chosen; with the literal of each."""
        variable = self.encoding.new("push", (turn,), range(1, len(options) + 1) or (0,), "action")
        self.chosen.append((variable, [push for push, _ in options]))
        self.encoding.decisions[variable] = self.decision(turn)
        if not options:
            self.encoding.add(Clause((), Why("there is something to push", turn)))
        lits = []
        for value, (push, may) in enumerate(options, start=1):
            lit = self.encoding.number(variable, value)
            lits.append((lit, push))
            why = Why(f"{push.rule.name} {push.action}", turn, divmod(push.anchor, self.transition.width))
            for part in self.algebra.conjuncts(may) if may is not True else ():
                self.encoding.add(Clause((-lit, part), why))
        self.budget(turn, lits)
        return lits

    def without_agent(self, boards: Boards) -> Boards:
        """The boards of all the others."""
        return tuple(self.algebra.zero if p == self.agent.plane else b for p, b in enumerate(boards))

    def pushed(self, others: Boards, lits: list[tuple[Lit, Push]]) -> Boards:
        """The boards after one of the pushes."""
        where: dict[int, dict[int, Formula]] = {}
        rules = {id(push.rule): push.rule for _, push in lits}
        for lit, push in lits:
            cells = where.setdefault(id(push.rule), {})
            cells[push.anchor] = self.algebra.disj(cells.get(push.anchor, False), lit)
        plane, stays = self.agent.plane, self.algebra.zero
        fired = [Fired(rules[key], plane, Field(self.algebra, cells)) for key, cells in where.items()]
        for key, cells in where.items():
            if self.agent.moved_to(rules[key]) is None:
                stays = stays | Field(self.algebra, cells)
        boards = (*others[:plane], stays, *others[plane + 1 :])
        return apply(self.algebra, self.agent.step, boards, fired, {plane: stays})

    def alone(self, push: Push, others: Boards) -> Formula:
        """Nothing stands where the push puts something."""
        layers, exempt = self.transition.layers, self.transition.exempt
        taken = {(one.plane, one.source) for one in push.rule.changes}
        absent = {
            (plane, term.offset) for term in push.rule.terms if not term.wanted for plane in term.planes
        }
        free: Formula = True
        for one in push.rule.changes:
            if one.result is None or one.result in exempt:
                continue
            cell = self.relaxed.at(push.anchor, one.target)
            for plane, board in enumerate(others):
                thing = (plane, one.target)
                if layers[plane] != layers[one.result] or thing in taken or thing in absent or cell is None:
                    continue
                free = self.algebra.conj(free, negate(board.at(cell)))
        return free

    # --- where the agent can go

    def ground(self, boards: Boards) -> tuple[dict[int, Formula], dict[int, set[int]]]:
        """For each cell that steps lead to, whether it may be entered; and which cells lie side by side."""
        ground: dict[int, Formula] = {}
        edges: dict[int, set[int]] = {}
        others = self.without_agent(boards)
        for _, offset, where in self.agent.steps(self.algebra, others):
            for cell in self.relaxed.ground:
                formula, to = where.at(cell), self.relaxed.at(cell, offset)
                if formula is not False and to is not None:
                    ground[to] = formula
                    edges.setdefault(cell, set()).add(to)
                    edges.setdefault(to, set()).add(cell)
        return ground, edges

    def reach(self, boards: Boards) -> dict[int, Formula]:
        """For each cell, whether the agent can walk there."""
        here = boards[self.agent.plane]
        return Ground(self.algebra, *self.ground(boards)).reached(
            {cell: here.at(cell) for cell in self.relaxed.ground if here.at(cell) is not False}
        )

    def last_walk(self, boards: Boards) -> Boards:
        """The boards with the agent wherever it goes after the last push."""
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
            Field(self.algebra, cells) if p == self.agent.plane else board for p, board in enumerate(boards)
        )

    # --- what may still be spent

    def reduced_cost(self, push: Push) -> int | None:
        """What the push costs beyond what it takes off the potential; None if it leads to a dead square.

        Never less than 0: one push brings a piece nearer to a cell by one at most.
        """
        potential, wanted = self.relaxed.potential, self.relaxed.wanted
        if wanted is None:
            return 0
        total = 1
        for source, target in push.moves:
            if source[0] in wanted[0]:
                if target not in potential or source not in potential:
                    return None
                total += potential[target] - potential[source]
        return total

    def budget(self, turn: int, lits: list[tuple[Lit, Push]]) -> None:
        """The reduced costs of a plan add up to no more than there are pushes beyond the bound.

        For potentials cancel along the plan, and those at its end are at most what prices are left (they are
        a dual solution, so they bound every matching). `spent[n]` says that at least n are spent so far; only
        what forces it to hold is written down.
        """
        by_cost: dict[int, list[Lit]] = {}
        for lit, push in lits:
            by_cost.setdefault(self.reduced_cost(push) or 0, []).append(lit)
        after: list[Formula] = list(self.spent)
        so_much: Formula = False
        for cost in sorted(by_cost.keys() - {0}, reverse=True):
            for lit in by_cost[cost]:
                so_much = self.algebra.disj(so_much, lit)
            for level in range(self.slack + 1):
                had: Formula = True if level == 0 else self.spent[level]
                both = self.algebra.conj(
                    had, self.algebra.literal(so_much) if so_much is not False else False
                )
                if level + cost > self.slack:
                    self.algebra.require(
                        negate(both), Why("no more pushes than the bound leaves are spent", turn)
                    )
                else:
                    after[level + cost] = self.algebra.disj(after[level + cost], both)
        for level in range(self.slack, 0, -1):
            if level < self.slack:
                after[level] = self.algebra.disj(after[level], after[level + 1])
            if not isinstance(after[level], bool):
                after[level] = self.algebra.literal(after[level], "spent", None)
        self.spent = after

    # --- the way back

    def decision(self, turn: int) -> Callable[[Plan], int]:
        """What a plan gives the variable of a turn."""

        def value(plan: Plan) -> int:
            made = self.pushes_of(plan)
            means = self.chosen[turn][1]
            if turn < len(made):
                for number, push in enumerate(means, start=1):
                    if (str(push.action), push.anchor) == made[turn]:
                        return number
            return 0

        return value

    def pushes_of(self, plan: Plan) -> list[tuple[str, int]]:
        """(input, where the agent stands) of each push of a plan.

        Raises PlanError, or IllegalAction, for an input that the game does not take there.
        """
        bits = Bits(self.transition)
        boards = bits.pack(initial_state(self.instance))
        actions = {str(action): action for action, _ in self.agent.plans}
        made = []
        for turn, word in enumerate(plan.actions, start=1):
            if word not in actions:
                known = f"its inputs are {', '.join(actions)}"
                raise PlanError(f"turn {turn}: {self.instance.name} has no input {word[:60]!r}", known)
            after = bits.act(boards, actions[word], self.instance.game.input)
            if any(
                a != b for p, (a, b) in enumerate(zip(boards, after, strict=True)) if p != self.agent.plane
            ):
                made.append((word, self.cell_of(bits, boards)))
            boards = after
        return made

    def cell_of(self, bits: Bits, boards: tuple[int, ...]) -> int:
        """Where the agent stands."""
        row, column = divmod(boards[self.agent.plane].bit_length() - 1, bits.stride)
        return row * self.transition.width + column

    def decode(self, values: Values) -> Plan:
        """The pushes with the shortest walks between them, up to where the goal first holds."""
        bits = Bits(self.transition)
        boards = bits.pack(initial_state(self.instance))
        view, goal, actions = Named(self.instance, self.transition), self.instance.game.goal, list[str]()
        stops = [means[values[variable] - 1] for variable, means in self.chosen]
        todo: list[tuple[int, Action | None]] = [(push.anchor, push.action) for push in stops]
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
        others = tuple(0 if p == self.agent.plane else b for p, b in enumerate(boards))
        steps = list(self.agent.steps(bits, others))
        start, wanted = boards[self.agent.plane], bits.bit(*divmod(goal, self.transition.width))
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
