"""Everything that can be tried is tried, with the referee, and held against whoever claims to know better.

Shared by the conformance tests. The levels must be tiny. Functions that compare return what they found wrong
as text, or nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import comb
from random import Random
from typing import TypeVar

from ggp import api, registry
from ggp.encoding.constraints import Encoding
from ggp.encoding.debug import violations
from ggp.encoding.lowering.propagate import propagated
from ggp.encoding.lowering.protocol import EVERY, kinds_of
from ggp.encoding.lowering.route import Backend, routed
from ggp.encoding.occupancy import encode
from ggp.encoding.unroll import Attempt
from ggp.errors import IllegalAction, IllFormed
from ggp.lab.oracle import designs
from ggp.model import Block, Cell, Instance, Piece, Plan
from ggp.model.board import Action, State, amount, height, width
from ggp.model.result import Query
from ggp.referee.designs import free_cells, placeable
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import ending, initial_state, is_goal, is_lost, legal_actions, step
from ggp.referee.stock import budget
from ggp.referee.trajectory import Verdict, replay
from ggp.transition.batch import Batch
from ggp.transition.bits import Bits, Named
from ggp.transition.compiler import compile_instance

T = TypeVar("T")
MOST = 20_000  # winning plans of a level


def drawn(instance: Instance, state: State) -> str:
    """A state as text, for messages."""
    columns = width(instance)
    cells = ["+".join(sorted(map(str, here))) or "." for here in state.board]
    return "\n".join(" | ".join(cells[i : i + columns]) for i in range(0, len(cells), columns))


def attempt(turn: Callable[[], T]) -> T | str:
    """What a turn leads to: a state, `illegal` or `ill-formed`."""
    try:
        return turn()
    except IllegalAction:
        return "illegal"
    except IllFormed:
        return "ill-formed"


def actions_of(instance: Instance) -> tuple[Action | None, ...]:
    """Every input of the game; None where it takes none."""
    return tuple(all_actions(instance)) if instance.game.input is not None else (None,)


def unrolled(instance: Instance) -> int:
    """How large an encoding of all turns about is: cells x inputs x runs of rules in all turns."""
    rules = 0
    for phase in (*instance.game.turn, *instance.game.physics):
        groups = phase.groups if isinstance(phase, Block) else (phase,)
        runs = amount(instance, phase.bound) + 1 if phase.bound is not None else 1
        rules += runs * sum(len(group.rules) for group in groups)
    turns = rules * (instance.level.horizon or 0)
    return turns * height(instance) * width(instance) * len(actions_of(instance))


# --- runs -------------------------------------------------------------------------------------------------


def compare_runs(instance: Instance, rng: Random, runs: int, turns: int) -> Counter[str]:
    """Random runs of the referee, of bits and of batches must agree; how many outcomes of each sort."""
    transition = compile_instance(instance)
    bits, view = Bits(transition), Named(instance, transition)
    goal = instance.game.goal
    tried: list[tuple[State, Action | None, State | str]] = []
    for _ in range(runs):
        state = initial_state(instance, partial=True)
        boards = bits.pack(state)
        for _ in range(turns):
            action = rng.choice(actions_of(instance))
            after = attempt(lambda: step(instance, state, action))  # noqa: B023 (called at once)
            fast = attempt(lambda: bits.act(boards, action, instance.game.input))  # noqa: B023
            tried.append((state, action, after))
            told = f"{action} in\n{drawn(instance, state)}"
            if isinstance(after, str) or isinstance(fast, str):
                assert after == fast, f"the referee and bits differ over {told}"
                if after == "ill-formed":
                    break
                continue
            assert bits.unpack(fast) == State(after.board), f"the referee and bits differ over {told}"
            assert bits.pack(after) == fast
            state, boards = after, fast
            view.boards = boards
            for term in (*goal.terms, *goal.lose):
                found = term.test(bits, view), term.holds(instance, state)
                assert found[0] == found[1], f"{term.source()} is {found} in\n{drawn(instance, state)}"
    compare_batch(instance, tried)
    return Counter(after if isinstance(after, str) else "state" for _, _, after in tried)


def compare_batch(instance: Instance, tried: list[tuple[State, Action | None, State | str]]) -> None:
    """The same turns, all of them at once. Picks are not for batches."""
    tried = [one for one in tried if one[1] is None or one[1].cell is None]
    if not tried:
        return
    batch = Batch(compile_instance(instance), len(tried))
    actions = [action for _, action, _ in tried if action is not None] or None
    boards = batch.step(batch.pack([state for state, _, _ in tried]), actions)
    for index, (state, action, after) in enumerate(tried):
        told = f"the referee and the batch differ over {action} in\n{drawn(instance, state)}"
        fault = bool(int(batch.faults[index // 64]) >> (index % 64) & 1)
        assert fault == (after == "ill-formed"), told
        if not fault:
            expected = state if isinstance(after, str) else after
            assert batch.unpack(boards, index) == State(expected.board), told


# --- plans ------------------------------------------------------------------------------------------------


def worth_trying_all(instance: Instance, most: int = 3000) -> bool:
    """Are there few enough plans to try them all?"""
    free, pieces, design = len(free_cells(instance)), len(placeable(instance)), instance.game.design
    limit = budget(instance)
    placed = range(min(free if limit is None else limit, free) + 1) if design is not None else (0,)
    numbers = (free,) if design is not None and design.fill else placed
    sets = sum(comb(free, number) * pieces**number for number in numbers)
    runs = len(actions_of(instance)) ** (instance.level.horizon or 0)
    return sets * runs <= most


def wins(instance: Instance) -> list[Plan]:
    """Every plan that wins, by trying all of them with the referee."""
    horizon, any_turn = instance.level.horizon or 0, ending(instance) == "any-turn"
    led_to: dict[State, list[tuple[Action | None, State]]] = {}

    def follow(state: State) -> list[tuple[Action | None, State]]:
        if state not in led_to:
            tried = [(a, attempt(lambda: step(instance, state, a))) for a in actions_of(instance)]  # noqa: B023
            led_to[state] = [(action, after) for action, after in tried if not isinstance(after, str)]
        return led_to[state]

    found: list[Plan] = []
    for design in designs(instance):
        todo: list[tuple[State, int, tuple[str, ...]]] = [(initial_state(instance, design), 0, ())]
        while todo:
            state, turn, words = todo.pop()
            if is_lost(instance, state):
                continue
            if (any_turn or turn == horizon) and is_goal(instance, state):
                found.append(Plan(tuple(sorted(design)), words))
                assert len(found) < MOST, "this level is too large to try everything"
            elif turn < horizon:
                for action, after in follow(state):
                    todo.append((after, turn + 1, words if action is None else (*words, str(action))))
    return found


def fewest_turns(instance: Instance) -> int | None:
    """The fewest turns to a goal, by going through all boards; None where none is ever reached."""
    layer, seen, turns = {initial_state(instance)}, {initial_state(instance)}, 0
    while layer:
        if any(is_goal(instance, state) for state in layer):
            return turns
        layer = {step(instance, s, a) for s in layer for a in legal_actions(instance, s)} - seen
        seen |= layer
        turns += 1
    return None


def all_placements_matter(instance: Instance, plan: Plan) -> bool:
    """Is the run another one, or not won, whenever one of the placements is left out?"""
    game = instance.game
    if game.design is None or game.design.fill or (game.input is None and not game.physics):
        return True

    def run(plan: Plan, cell: Cell, piece: Piece) -> tuple[bool, list[tuple[frozenset[Piece], ...]]]:
        verdict: Verdict = replay(instance, plan)
        at = cell[0] * width(instance) + cell[1]
        boards = [(*s.board[:at], s.board[at] - {piece}, *s.board[at + 1 :]) for s in verdict.states]
        return verdict.won, boards

    for cell, piece in plan.design:
        fewer = Plan(tuple(one for one in plan.design if one[0] != cell), plan.actions)
        if run(plan, cell, piece) == run(fewer, cell, piece):
            return False
    return True


# --- what is held against them ------------------------------------------------------------------------------


def difference(found: list[Plan], expected: list[Plan]) -> str:
    """What is too much, missing, or there twice."""
    has, wants = Counter(found), set(expected)
    parts = {
        "too much": [plan for plan in has if plan not in wants],
        "missing": [plan for plan in expected if plan not in has],
        "twice": [plan for plan, times in has.items() if times > 1],
    }
    words = [f"{len(plans)} {what}, such as {plans[0]}" for what, plans in parts.items() if plans]
    return "; ".join(words)


def solutions(encoding: Encoding) -> list[Plan]:
    """The plan of every solution of an encoding, by CP-SAT."""
    found: list[Plan] = []
    answers = registry.load("solver", "cp-sat").solve_one(Attempt(encoding, True), Query("all"))
    while True:
        try:
            plan = next(answers)
        except StopIteration as end:
            assert end.value.complete, end.value
            return found
        found.append(Plan(tuple(sorted(plan.design)), plan.actions))


def encoding_fault(instance: Instance, expected: list[Plan]) -> str:
    """The encoding has exactly these plans as its solutions, before and after propagation."""
    encoding = encode(instance)
    # Before propagation a variable that nothing speaks of is left free, so a plan may come twice.
    wrong = difference(list(dict.fromkeys(solutions(encoding))), expected)
    if wrong:
        return f"as written: {wrong}"
    wrong = difference(solutions(propagated(encoding)), expected)
    return f"as propagated: {wrong}" if wrong else ""


def lowering_faults(instance: Instance, expected: list[Plan]) -> list[str]:
    """Every rewrite of constraints keeps the solutions, applied after those that must come before it."""
    encoding, faults = encode(instance), []
    for name in registry.LOWERINGS:
        lowering = registry.load("lowering", name)
        others = kinds_of(encoding) - lowering.TAKES - lowering.BESIDE
        before = routed(encoding, Backend("constraint", EVERY - others)).encoding
        rewritten = lowering.lower(before).encoding
        wrong = difference(solutions(propagated(rewritten)), expected)
        faults += [f"{name}: {wrong}"] if wrong else []
    return faults


def debugging_faults(instance: Instance, expected: list[Plan], rng: Random) -> list[str]:
    """A plan that wins breaks no constraint of the encoding, and one that does not win breaks some."""
    inputs = [action for action in actions_of(instance) if action is not None]
    every, faults = list(designs(instance)), []
    for plan in rng.sample(expected, min(2, len(expected))):
        faults += [f"{plan} wins, but breaks {one}" for one in violations(instance, plan)]
    for _ in range(4):
        turns = rng.randint(0, instance.level.horizon or 0) if inputs else 0
        plan = Plan(tuple(sorted(rng.choice(every))), tuple(str(rng.choice(inputs)) for _ in range(turns)))
        if plan not in expected and not violations(instance, plan):
            faults.append(f"{plan} does not win ({replay(instance, plan).reason}), but breaks nothing")
    return faults


def solver_faults(instance: Instance, solver: str, expected: list[Plan]) -> list[str]:
    """Ask a solver every question; its answers must be those that trying everything gives."""
    faults = []
    listed = [plan for plan in expected if all_placements_matter(instance, plan)]
    result = api.solve(instance, solver, "all")
    wrong = difference([Plan(tuple(sorted(p.design)), p.actions) for p in result.plans], listed)
    if wrong or not result.complete or result.count != len(expected):
        faults.append(f"all: {wrong} complete={result.complete} {result.count} for {len(expected)}")
    stop = ("satisfied",) if expected else ("unsolvable", "horizon-exhausted")
    if result.stop not in stop:
        faults.append(f"all: {result.stop}")
    result = api.solve(instance, solver, "count")
    if not result.complete or result.count != len(expected):
        faults.append(f"count: complete={result.complete} {result.count} for {len(expected)}")
    result = api.solve(instance, solver, "first")
    if len(result.plans) != bool(expected) or result.stop not in stop:
        faults.append(f"first: {result.stop} with {len(result.plans)} plans")
    for objective in instance.game.objectives:
        best = min((replay(instance, plan).values[objective.name] for plan in expected), default=None)
        result = api.solve(instance, solver, objective=objective.name)
        answer = result.stop, result.objective, result.bound
        if best is None:
            good = result.stop in stop and not result.plans
        elif result.stop == "satisfied":  # not every solver proves the best of every objective
            good = bool(result.plans)
        else:
            good = answer == ("optimal", best, best)
        if not good:
            faults.append(f"best by {objective.name}: {answer} where {best} is")
    return [f"{solver}: {fault}" for fault in faults]
