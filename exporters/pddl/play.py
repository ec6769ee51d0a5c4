"""Plays an exported task in unified-planning's simulator, turn by turn beside the referee."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from ggp.errors import IllegalAction, IllFormed
from ggp.exporters.pddl.task import Operator, Task, bindings, problem_of
from ggp.exporters.pddl.words import Vocabulary
from ggp.model import Instance, Plan
from ggp.model.board import Action, State
from ggp.model.export import Check
from ggp.referee.inputs import all_actions, parse_action
from ggp.referee.semantics import initial_state, is_goal, is_lost, step
from ggp.transition.compiler import compile_instance

MOST_STEPS = 10_000  # of one turn


class Playing:
    """A task as the library reads it from its text, and the state that its simulator is in.

    Without a text it is the model that the text is written from: long texts take long to read.
    """

    def __init__(self, instance: Instance, task: Task, texts: tuple[str, str] | None = None) -> None:
        from unified_planning.engines.sequential_simulator import UPSequentialSimulator
        from unified_planning.environment import get_environment
        from unified_planning.io import PDDLReader

        read = PDDLReader().parse_problem_string
        self.problem: Any = problem_of(task, None, get_environment()) if texts is None else read(*texts)
        self.instance, self.task = instance, task
        self.simulator: Any = UPSequentialSimulator(self.problem)
        self.state: Any = self.simulator.get_initial_state()
        self.first = self.state
        self.forced = [one for one in task.operators if one.means is None]

    @cached_property
    def pieces(self) -> list[tuple[int, Any, Any]]:
        """(cell number, piece, expression) for everything that may stand somewhere and that rules change."""
        transition = compile_instance(self.instance)
        words = Vocabulary(self.instance, transition)
        changing = {effect.fact.name for one in self.task.operators for effect in one.effects}
        found = []
        for plane in sorted(transition.dynamic - transition.markers):
            piece = transition.planes[plane]
            for index, cell in enumerate(words.cells):
                fact, _ = words.written(piece, cell)
                if fact.name in changing:
                    arguments = [self.problem.object(name) for name in fact.args]
                    found.append((index, piece, self.problem.fluent(fact.name)(*arguments)))
        return found

    def board(self) -> list[set[Any]]:
        """What stands on each cell, of what rules change."""
        rows, columns = len(self.instance.level.board), len(self.instance.level.board[0])
        board: list[set[Any]] = [set() for _ in range(rows * columns)]
        for index, piece, expression in self.pieces:
            if self.state.get_value(expression).bool_constant_value():
                board[index].add(piece)
        return board

    def agrees(self, state: State) -> bool:
        """Does the same stand everywhere as in a state of the referee?"""
        known = {piece for _, piece, _ in self.pieces}
        return all(here & known == shown for here, shown in zip(state.board, self.board(), strict=True))

    def won(self) -> bool:
        """Does the goal hold?"""
        return bool(self.simulator.is_goal(self.state))

    def ways(self, action: Action) -> list[tuple[Operator, tuple[str, ...]]]:
        """The actions of the task, with their arguments, that stand for an input and can be done now."""
        found = []
        for operator in self.task.operators:
            given = self.given(operator, action)
            if given is None:
                continue
            for arguments in bindings(self.task, operator, given):
                if self.task.input_of(operator.name, arguments) == action and self.can(operator, arguments):
                    found.append((operator, arguments))
        return found

    def given(self, operator: Operator, action: Action) -> dict[str, str] | None:
        """What an input says about an action's parameters; None if it is not the action for it."""
        means = operator.means
        if means is None or (means.cell is None) != (action.cell is None):
            return None
        objects: dict[Any, str] = {direction: name for name, direction in self.task.directions.items()}
        objects |= {cell: name for name, cell in self.task.cells.items()}
        said = ((means.verb, action.verb), (means.cell, action.cell), (means.direction, action.direction))
        return {
            word: objects[value]
            for word, value in said
            if word is not None and word.startswith("?") and value in objects
        }

    def can(self, operator: Operator, arguments: Sequence[str]) -> bool:
        """Can this be done now?"""
        return bool(self.simulator.is_applicable(self.state, *self.library(operator, arguments)))

    def do(self, operator: Operator, arguments: Sequence[str]) -> None:
        """Do it."""
        self.state = self.simulator.apply(self.state, *self.library(operator, arguments))
        assert self.state is not None

    def library(self, operator: Operator, arguments: Sequence[str]) -> tuple[Any, tuple[Any, ...]]:
        """An action and its arguments in the library's terms."""
        manager = self.problem.environment.expression_manager
        objects = (manager.ObjectExp(self.problem.object(name)) for name in arguments)
        return self.problem.action(operator.name), tuple(objects)

    def run_on(self) -> None:
        """Do what is forced until there is nothing more."""
        for _ in range(MOST_STEPS):
            following = [one for one in self.forced if self.can(one, ())]
            if not following:
                return
            (only,) = following
            self.do(only, ())
        raise AssertionError(f"a turn takes more than {MOST_STEPS} steps")


def played(playing: Playing, plan: Plan | None, turns: int) -> Iterator[Check]:
    """Compare known plans and so many random turns."""
    instance, known = playing.instance, playing.instance.level.known
    plans = [plan] if plan is not None else [*known.wins, *known.loses]
    for number, one in enumerate(plans, start=1):
        difference, count = followed(playing, [parse_action(text) for text in one.actions])
        yield Check(
            f"plan {number} in the library's simulator", not difference, difference or f"{count} turns"
        )
    done, difference, seed = 0, "", 0
    while done < turns and not difference and seed < turns:
        inputs = wandering(instance, random.Random(seed), min(12, turns - done))
        difference, count = followed(playing, inputs)
        done, seed = done + count, seed + 1
    yield Check("random inputs in the library's simulator", not difference, difference or f"{done} turns")


def wandering(instance: Instance, rng: random.Random, turns: int) -> Iterator[Action]:
    """Random inputs, most of them such as change something."""
    state, actions = initial_state(instance), list(all_actions(instance))
    for _ in range(turns):
        legal = []
        for action in rng.sample(actions, len(actions)):
            try:
                following = step(instance, state, action)
            except (IllegalAction, IllFormed):
                continue
            legal.append((action, following))
            break
        yield rng.choice(actions)
        if legal:
            yield legal[0][0]
            state = legal[0][1]
        else:
            return


def followed(playing: Playing, inputs: Iterator[Action] | list[Action]) -> tuple[str, int]:
    """The same as `compared`, an error of the library being a difference."""
    try:
        return compared(playing, inputs)
    except Exception as error:  # it is another text than the one that the task stands for
        return f"{type(error).__name__}: {error}", 0


def compared(playing: Playing, inputs: Iterator[Action] | list[Action]) -> tuple[str, int]:
    """(the first difference or nothing, how many turns were played)."""
    instance, turns = playing.instance, 0
    state, playing.state = initial_state(instance), playing.first
    for action in inputs:
        over = is_lost(instance, state)
        if not playing.agrees(state):
            return f"turn {turns}: what stands where differs", turns
        if playing.won() != (is_goal(instance, state) and not over):
            return f"turn {turns}: the goal holds for one and not for the other", turns
        ways = playing.ways(action)
        try:
            following = step(instance, state, action)
        except IllFormed:
            return "", turns
        except IllegalAction:
            following = None
        if over:
            return ("the game is lost, and goes on" if ways else ""), turns
        changed = following is not None and following.board != state.board  # else no action is needed
        if len(ways) > 1 or (changed and not ways) or (following is None and ways and not playing.task.idle):
            return f"turn {turns}: {action} is {len(ways)} actions", turns
        if ways:
            playing.do(*ways[0])
            playing.run_on()
        state, turns = following or state, turns + 1
    same = playing.agrees(state) and playing.won() == (
        is_goal(instance, state) and not is_lost(instance, state)
    )
    return ("" if same else f"turn {turns}: the end differs"), turns
