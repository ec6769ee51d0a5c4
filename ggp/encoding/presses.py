"""No turns at all: how often each cell is picked, where it does not matter in which order.

Each press has a variable for how often it is given, and each cell that presses change one for what stands
there at the end, told by one sum modulo the length of its cycle.
"""

from __future__ import annotations

from ggp.analysis.presses import Content, Presses
from ggp.encoding.constraints import Encoding, Linear, Sum, Values
from ggp.encoding.fields import Field
from ggp.encoding.formula import Formula
from ggp.encoding.literals import Why
from ggp.encoding.symbolic import Formulas
from ggp.model import Cell, Plan
from ggp.model.board import Action
from ggp.transition.bits import Named


def encode(presses: Presses, most: int | None, *, fewest: bool) -> Encoding:
    """The encoding of the plans of `most` inputs, or of any number (None); `fewest`: of a plan of fewest."""
    encoding = Encoding(presses.instance, most or 0)
    encoding.transition = presses.transition
    pressed = [variable(encoding, press.action, press.order) for press in presses.all]
    times = [
        (number, encoding.number(one, number))
        for one, press in zip(pressed, presses.all, strict=True)
        for number in range(1, press.order)
    ]
    if most is not None and most < sum(press.order - 1 for press in presses.all):
        encoding.add(Sum(tuple(times), "<=", most, Why(f"no more than {most} turns")))
    require_goal(presses, encoding, at_end(presses, encoding, pressed))
    if fewest:
        encoding.minimise = tuple(times)

    def decode(values: Values) -> Plan:
        return Plan((), presses.run([values[one] for one in pressed]))

    encoding.decoder = decode
    return encoding


def variable(encoding: Encoding, action: Action, order: int) -> int:
    """How often an input is given."""
    name = "presses" if action.direction is None else f"presses_{action.direction}"
    assert action.cell is not None
    pressed = encoding.new(name, action.cell, range(order), "action")
    encoding.decisions[pressed] = lambda plan: plan.actions.count(str(action)) % order
    return pressed


def at_end(presses: Presses, encoding: Encoding, pressed: list[int]) -> dict[Cell, dict[Content, Formula]]:
    """For each cell that presses change, the literals of what stands there at the end."""
    found: dict[Cell, dict[Content, Formula]] = {}
    for turning in presses.cells:
        length = len(turning.contents)
        last = encoding.new("content", turning.cell, range(length))
        most = sum(far * (presses.all[number].order - 1) for number, far in turning.by)
        rounds = encoding.new("rounds", turning.cell, range(most // length + 1))
        terms = [(far, pressed[number]) for number, far in turning.by]
        why = Why("what stands there, after so many presses", None, turning.cell)
        encoding.add(Linear((*terms, (-1, last), (-length, rounds)), "=", 0, why))
        found[turning.cell] = {one: encoding.atom(last, place) for place, one in enumerate(turning.contents)}
    return found


def require_goal(presses: Presses, encoding: Encoding, last: dict[Cell, dict[Content, Formula]]) -> None:
    """The goal holds at the end."""
    transition = presses.transition
    algebra = Formulas(encoding, transition, presses.tick)
    boards: list[dict[int, Formula]] = [{} for _ in transition.planes]
    for row in range(transition.height):
        for column in range(transition.width):
            here = last.get((row, column)) or {presses.content((row, column)): True}
            for one, lit in here.items():
                for plane in one:
                    there = boards[plane].get(row * transition.width + column, False)
                    boards[plane][row * transition.width + column] = algebra.disj(there, lit)
    view = Named(presses.instance, transition, tuple(Field(algebra, one) for one in boards))
    for term in presses.instance.game.goal.terms:
        algebra.require(term.test(algebra, view), Why(term.say(presses.instance)))
