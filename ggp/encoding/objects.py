"""Turn by turn, with a variable for each piece that can change: what it is by now, and where it stands.

Each turn has a variable for the rule that fires (0: the run is over) and one for the state of the agent and
of each object after it, tied by the tables of `ggp.encoding.tables`. These are the same for all turns and for
all objects that are alike, so a file has each of them once. Which states are reached in time, and which lead
nowhere, a solver with tables finds out by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from ggp.analysis.agents import is_own
from ggp.analysis.firings import GONE, Firing, State
from ggp.encoding.constraints import AllDifferent, Clause, Encoding, Sum, Table, Values
from ggp.encoding.fields import Field
from ggp.encoding.formula import Formula, negate
from ggp.encoding.literals import Why
from ggp.encoding.lowering.legends import listed
from ggp.encoding.symbolic import Formulas
from ggp.encoding.tables import OFF, OVER, Tables, label
from ggp.errors import PlanError
from ggp.model import Objective, Plan, Term
from ggp.model.board import kinds_of
from ggp.referee.semantics import initial_state
from ggp.transition.bits import Bits, Named
from ggp.transition.kernel import Boards
from ggp.transition.program import Change


def encode(
    tables: Tables, horizon: int, least: int, objective: Objective | None, tick: Callable[[], None]
) -> Encoding:
    """The encoding of the plans of so many turns at most; none has fewer than the `least`."""
    encoding = Encoding(tables.firings.instance, horizon)
    Writer(tables, encoding, tick).run(least, objective)
    return encoding


@dataclass
class Writer:
    """Writes one encoding."""

    tables: Tables
    encoding: Encoding
    tick: Callable[[], None]
    turns: list[int] = field(default_factory=list)  # of each turn, the variable of its firing
    agents: list[int] = field(default_factory=list)  # and that of the agent before it

    def __post_init__(self) -> None:
        self.firings = self.tables.firings
        self.instance, self.transition = self.firings.instance, self.firings.transition
        self.algebra = Formulas(self.encoding, self.transition, self.tick)
        self.view = Named(self.instance, self.transition)
        # Who takes part, in the order of the variables: the agent, then each object.
        self.parts = [self.tables.agent, *(cast for cast in self.tables.things for _ in cast.starts)]
        self.names = list(numbered([cast.name for cast in self.parts]))
        self.encoding.notes |= self.notes()
        self.encoding.decoder = self.decode
        self.encoding.transition = self.transition

    def run(self, least: int, objective: Objective | None) -> None:
        """The turns, and the goal after the last."""
        goal, now = self.instance.game.goal, self.states(0)
        starts = [cell for cast in (self.tables.agent, *self.tables.things) for cell in cast.starts]
        for variable, cell in zip(now[self.firings.points :], starts, strict=True):
            self.encoding.add(Clause((self.encoding.number(variable, cell),), Why("it starts there")))
        for turn in range(self.encoding.horizon + 1):
            self.tick()
            self.algebra.turn = turn
            self.apart(now)
            for term in goal.lose:
                why = Why(f"not lost: {term.say(self.instance)}", turn)
                self.algebra.require(negate(self.test(term, now)), why)
            if turn < self.encoding.horizon:
                won = (
                    False if turn < least else self.algebra.every(self.test(term, now) for term in goal.terms)
                )
                now = self.turn(turn, now, turn < least)
                over = self.encoding.atom(self.turns[-1], OVER)
                self.algebra.require(self.algebra.disj(negate(won), over), Why("what is won is over", turn))
        for term in goal.terms:
            self.algebra.require(self.test(term, now), Why(term.say(self.instance)))
        self.minimise(objective)

    def notes(self) -> dict[str, str]:
        """What the variables mean, for who reads a file of them."""
        rules = {label(one): f"{one.rule.name} by {label(one)[0]}" for one in self.firings.all}
        meanings = ((value, rules[key]) for key, value in self.tables.labels.items())
        found = {
            "firing": f"the rule that fires in turn [t]: {listed(meanings)}; 0 none, as the run is over",
            **{
                f"sought_{role}": f"1 if the rule of turn [t] asks for {role} or more objects"
                for role in range(1, self.tables.most + 1)
            },
        }
        where = f"row * {self.transition.width} + column"
        if self.firings.points:
            found[f"{self.names[0]}_at"] = f"the cell at which the input of turn [t] points ({where})"
        for name, cast in list(zip(self.names, self.parts, strict=True))[self.firings.points :]:
            others = (
                f"{number * self.tables.cells} more: it is {self.transition.planes[plane]} by then"
                for number, plane in enumerate(cast.planes[1:], start=1)
            )
            off = ["-1 it is off the board"] if GONE in cast.states else []
            found[f"{name}_at"] = "; ".join([f"where it stands after turn [t] ({where})", *others, *off])
            found[f"{name}_role"] = "which of the objects that the rule asks for it is in turn [t]; 0 none"
        return found

    def states(self, turn: int) -> list[int]:
        """The variables of all states after a turn."""
        return [
            self.encoding.new(
                f"{name}_at", (turn,), sorted(self.tables.value(cast.planes, state) for state in cast.states)
            )
            for name, cast in zip(self.names, self.parts, strict=True)
        ]

    # --- a turn

    def turn(self, turn: int, before: list[int], played: bool) -> list[int]:
        """The variables after one more turn; `played`: it is none in which the run is over."""
        encoding, labels = self.encoding, self.tables.labels.values()
        firing = encoding.new("firing", (turn,), [*([] if played and labels else [OVER]), *labels], "action")
        encoding.decisions[firing] = lambda plan: self.decided(plan, turn)[0]
        if self.firings.points:
            encoding.decisions[before[0]] = lambda plan: self.decided(plan, turn)[1]
        if self.turns and not played:
            last, over = encoding.atom(self.turns[-1], OVER), encoding.number(firing, OVER)
            if not isinstance(last, bool):
                encoding.add(Clause((-last, over), Why("what is over stays over", turn + 1)))
        self.turns.append(firing)
        self.agents.append(before[0])
        after = self.states(turn + 1)
        sought = [encoding.new(f"sought_{role}", (turn,), (0, 1)) for role in range(1, self.tables.most + 1)]
        why = Why("what the agent does, by the rule that fires")
        agent = () if self.firings.points else (after[0],)
        encoding.add(Table((firing, before[0], *sought, *agent), self.tables.agent.rows, why))
        roles = []
        for place, cast in enumerate(self.parts[1:], start=1):
            roles_of = range(self.tables.most + 1) if cast.sought else (0,)
            role = encoding.new(f"{self.names[place]}_role", (turn,), roles_of)
            roles.append(role)
            why = Why(f"what becomes of each {cast.name}, by the rule that fires")
            encoding.add(Table((firing, before[0], before[place], role, after[place]), cast.rows, why))
        self.found(turn, sought, roles)
        return after

    def found(self, turn: int, sought: list[int], roles: list[int]) -> None:
        """Each of the objects that the firing asks for is there: just one, where they exclude each other."""
        encoding = self.encoding
        for role, one in enumerate(sought, start=1):
            why = Why("an object that the rule asks for stands there", turn + 1)
            asks = encoding.number(one, 1)
            takes = [lit for one in roles if not isinstance(lit := encoding.atom(one, role), bool)]
            if role in self.tables.shared:
                encoding.add(Clause((-asks, *takes), why))
            else:
                encoding.add(Sum((*((1, lit) for lit in takes), (-1, asks)), "=", 0, why))

    def apart(self, now: list[int]) -> None:
        """No two of one layer stand on one cell: it follows, and a solver learns much from it."""
        layers: dict[str, list[int]] = {}
        for cast, variable in list(zip(self.parts, now, strict=True))[self.firings.points :]:
            of = {self.transition.layers[plane] for plane in cast.planes}
            if len(of) == 1:
                layers.setdefault(of.pop(), []).append(variable)
        for layer, variables in layers.items():
            if len(variables) > 1:
                why = Why(f"no two pieces of layer {layer} on one cell")
                off = any(OFF in self.encoding.variables[one].domain for one in variables)
                self.encoding.add(AllDifferent(tuple(variables), why, (OFF,) if off else ()))

    # --- the goal, and what is to be small

    def test(self, term: Term, now: list[int]) -> Formula:
        """The formula that a goal's term holds with these states."""
        asked = {p for pattern in term.patterns() for p in self.transition.planes_of(self.instance, pattern)}
        cells: list[dict[int, Formula]] = [{} for _ in self.transition.planes]
        for plane, standing in self.firings.standing.items():
            cells[plane].update(dict.fromkeys(standing, True))
        for cast, variable in zip(self.parts, now, strict=True):
            for state in cast.states:
                if state.plane in asked:
                    lit = self.encoding.atom(variable, self.tables.value(cast.planes, state))
                    there = cells[state.plane].get(state.cell, False)
                    cells[state.plane][state.cell] = self.algebra.disj(there, lit)
        self.view.boards = tuple(Field(self.algebra, one) for one in cells)
        formula: Formula = term.test(self.algebra, self.view)
        return formula

    def minimise(self, objective: Objective | None) -> None:
        """Make the objective's value small."""
        encoding = self.encoding
        if objective is None:
            return
        if objective.counts == "turns":
            over = [encoding.atom(variable, OVER) for variable in self.turns]
            encoding.minimise = tuple((1, -lit) for lit in over if not isinstance(lit, bool))
            encoding.offset = over.count(False)
            return
        weights = {
            self.tables.labels[label(one)]: len(moved(one, objective, self.tables))
            for one in self.firings.all
        }
        encoding.minimise = tuple(
            (weight, encoding.number(variable, value))
            for variable in self.turns
            for value, weight in weights.items()
            if weight
        )

    # --- the way back

    @cached_property
    def inputs(self) -> dict[tuple[int, int], str]:
        """The input that a turn's firing stands for, with the agent in a state (both by their values)."""
        planes = self.tables.agent.planes
        return {
            (self.tables.labels[label(one)], self.tables.value(planes, one.start)): str(one.action)
            for one in self.firings.all
        }

    def words(self, values: Values) -> list[str]:
        """The inputs that an assignment stands for."""
        told = (
            (values[firing], values[agent]) for firing, agent in zip(self.turns, self.agents, strict=True)
        )
        return [self.inputs[one] for one in told if one[0] != OVER]

    def runs(self, words: list[str]) -> list[Boards]:
        """The boards before the first of these inputs, and after each of them."""
        bits, actions = Bits(self.transition), {str(one.action): one.action for one in self.firings.all}
        boards = [bits.pack(initial_state(self.instance))]
        for word in words:
            boards.append(bits.act(boards[-1], actions[word], self.instance.game.input))
        return boards

    def decode(self, values: Values) -> Plan:
        """The inputs of a run."""
        return Plan((), tuple(self.words(values)))

    def decided(self, plan: Plan, turn: int) -> tuple[int, int]:
        """What a plan gives a turn: the firing that its input leads to, and the agent's state before it.

        Raises PlanError for an input that leads to none.
        """
        if turn >= len(plan.actions):
            return OVER, self.tables.agent.states[0].cell
        bits, word = Bits(self.transition), plan.actions[turn]
        there = {
            State(plane, cell)
            for plane, board in enumerate(self.runs(list(plan.actions[:turn]))[-1])
            for cell in range(self.tables.cells)
            if board & bits.bit(*divmod(cell, self.transition.width))
        }
        for one in self.firings.all:
            if str(one.action) == word and (self.firings.points or one.start in there) and fits(one, there):
                return self.tables.labels[label(one)], self.tables.value(self.tables.agent.planes, one.start)
        raise PlanError(f"turn {turn + 1}: no rule fires for {word[:60]!r}")


def numbered(names: list[str]) -> Iterator[str]:
    """The names, with a number where there are several of one."""
    for place, name in enumerate(names):
        yield f"{name}_{names[:place].count(name) + 1}" if names.count(name) > 1 else name


def moved(one: Firing, objective: Objective, tables: Tables) -> list[Change]:
    """The changes of a firing that move what the objective counts."""
    kinds = kinds_of(tables.firings.instance.game, objective.kind or "")
    planes = tables.firings.transition.planes
    return [
        change
        for change in one.rule.changes
        if change.plane is not None and change.result is not None and planes[change.plane].kind in kinds
    ]


def countable(objective: Objective | None, tables: Tables) -> bool:
    """Does each firing move as many of what the objective counts, whatever stands there?"""
    if objective is None or objective.counts != "moves":
        return True
    return all(
        change.sure or is_own(change, one.start.plane)
        for one in tables.firings.all
        for change in moved(one, objective, tables)
    )


def fits(one: Firing, there: set[State]) -> bool:
    """Does what stands there let it fire?"""
    held = ((asked, any(State(p, asked.cell) in there for p in asked.planes)) for asked in one.asked)
    return there.isdisjoint(one.barred) and all(asked.wanted == holds for asked, holds in held)
