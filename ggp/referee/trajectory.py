"""Plans and what becomes of them: replay by the referee, the verdict, and the plan file.

A plan file is one JSON object: `{"level": "lemmings/seed", "design": [[row, column, kind], ...],
"actions": ["up", ...]}`. Rows and columns count from 0 at the top left; where the placed kind has values
the value alone names the piece.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ggp.errors import IllegalAction, IllFormed, Place, PlanError
from ggp.files.reading import file_bytes, json_value
from ggp.model import Instance, Objective, Piece, Plan
from ggp.model.board import Action, State, kinds_of
from ggp.model.shown import line
from ggp.referee.contest import Utilities, ended
from ggp.referee.designs import placeable
from ggp.referee.dice import Dice, Recorded, Unsaid, dice_of
from ggp.referee.inputs import parse_action
from ggp.referee.semantics import PassRecord, ending, initial_state, is_goal, is_lost, step

LARGEST_PLAN = 4_000_000  # bytes; a file that is longer is no plan


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the referee says of a plan.

    `turn` is the turn at which the run ended, `states` the state before the first turn and after each,
    `records` what happened in the passes of each turn, `values` each objective's value for this run.
    Where several players take turns `won` says that somebody has, and `utilities` what each of them gets.
    """

    won: bool
    turn: int
    reason: str
    states: tuple[State, ...]
    records: tuple[tuple[PassRecord, ...], ...]
    values: Mapping[str, int]
    utilities: Utilities = ()

    def __repr__(self) -> str:
        """The verdict without its states."""
        values = [f"{name} {value}" for name, value in self.values.items()]
        return line("Verdict", "", [f"{'win' if self.won else 'no win'}: {self.reason}", *values])


def played(plan: Plan) -> tuple[object, ...]:
    """What a plan places and puts in, however it is written: equal exactly for equal plans."""
    return sorted(plan.design), [parse_action(text) for text in plan.actions]


def replay(instance: Instance, plan: Plan, seed: int | str | None = None) -> Verdict:
    """Play a plan from the start; the run ends when it is won or lost, or when time is up.

    Raises PlanError when the design is not allowed. An illegal action is a verdict, not an error: the
    reason says which turn and why. Where chance has a part it does what the plan says that it did, or with
    a seed what the seed says; a plan of which that cannot be is a PlanError, too.
    """
    fate = Fate(plan.chance) if seed is None else Fate(seed)
    first = initial_state(instance, plan.design, dice=fate.turn(0))
    states, records = [first], list[tuple[PassRecord, ...]]()
    inputs: list[Action | None] = [parse_action(text) for text in plan.actions]
    # Without inputs the same state is followed by the same one, and long runs come round again.
    followed: dict[State, list[tuple[State, tuple[PassRecord, ...]]]] = {}
    won, reason = judge(instance, states)
    if inputs and instance.game.input is None:
        won, reason = False, f"{instance.game.name} takes no inputs, and the plan has {len(inputs)}"
    while reason is None:
        turn = len(states) - 1
        action = None
        if instance.game.input is not None:
            if turn >= len(inputs):
                reason = f"the plan stops after turn {turn} and the goal does not hold"
                break
            action = inputs[turn]
        before = [] if action is not None else followed.setdefault(states[-1], [])  # hashed once
        if before:
            done = before[0]
        else:
            record: list[PassRecord] = []
            try:
                dice = fate.turn(turn + 1)
                done = step(instance, states[-1], action, record, dice), tuple(record)
            except (IllegalAction, IllFormed) as error:
                reason = f"turn {turn + 1}: {error.findings[0].message}"
                break
            if action is None and not dice.said:
                before.append(done)
        states.append(done[0])
        records.append(done[1])
        won, reason = judge(instance, states)
    turn = len(states) - 1
    fate.end(turn)
    if won and turn < len(inputs):
        won, reason = False, f"won at turn {turn}, but the plan goes on with {inputs[turn]}"
    values = objective_values(instance, plan, records)
    end = ended(instance, states) if len(instance.game.players) > 1 else None
    gets = end.utilities if end is not None else ()
    return Verdict(won, turn, reason or "", tuple(states), tuple(records), values, gets)


class Fate:
    """What chance says in a run: what was recorded, a turn at a time, or what comes of a seed."""

    def __init__(self, source: tuple[tuple[str, ...], ...] | int | str) -> None:
        self.recorded = source if isinstance(source, tuple) else None
        self.seed = None if isinstance(source, tuple) else source
        self.dice: Dice | None = None

    def turn(self, number: int) -> Dice:
        """The dice of a turn; those of turn 0 are for what comes before the first one."""
        self.close()
        if self.seed is not None:
            self.dice = dice_of(self.seed, number)
        elif self.recorded:
            self.dice = Recorded(self.recorded[number] if number < len(self.recorded) else ())
        else:
            self.dice = Unsaid()
        return self.dice

    def close(self) -> None:
        """Raise PlanError where the record says more of a turn than chance was asked."""
        if isinstance(self.dice, Recorded):
            self.dice.end()

    def end(self, turn: int) -> None:
        """The same for the whole record: `turn` was the last one."""
        self.close()
        if self.recorded and any(self.recorded[turn + 1 :]):
            raise PlanError(f"chance is said to have drawn after turn {turn}, which was the last", "")


def judge(instance: Instance, states: list[State]) -> tuple[bool, str | None]:
    """(won, reason) if the run ends in its last state, else (False, None).

    Where several players take turns it is won if one of them has won.
    """
    if len(instance.game.players) > 1:
        end = ended(instance, states)
        return (False, None) if end is None else (max(end.utilities) > 0, end.reason)
    turn, horizon = len(states) - 1, instance.level.horizon
    if is_lost(instance, states[-1]):
        return False, f"lost at turn {turn}"
    last = horizon is not None and turn >= horizon
    if (last or ending(instance) == "any-turn") and is_goal(instance, states[-1]):
        return True, f"won at turn {turn}"
    if last:
        return False, f"the goal does not hold at turn {turn}"
    if horizon is None and instance.game.input is None and states[-1] in states[:-1]:
        return False, f"turn {turn} repeats an earlier one, so the goal is never reached"
    return False, None


def objective_values(instance: Instance, plan: Plan, records: list[tuple[PassRecord, ...]]) -> dict[str, int]:
    """The value of each of the game's objectives for a run."""
    return {
        objective.name: objective_value(instance, objective, plan, records)
        for objective in instance.game.objectives
    }


def objective_value(
    instance: Instance, objective: Objective, plan: Plan, records: list[tuple[PassRecord, ...]]
) -> int:
    """Placements, turns, the score, or how often a piece of the kind or class is moved or turned."""
    if objective.counts == "placements":
        return len(plan.design)
    if objective.counts == "turns":
        return len(records)
    if objective.counts == "score":
        return sum(map(worth, records))
    kinds = kinds_of(instance.game, objective.kind or "")
    return sum(
        piece.kind in kinds
        for record in records
        for one in record
        for firing in one.firings
        for _, piece in firing.moved
    )


def worth(passes: Iterable[PassRecord]) -> int:
    """What the firings of some passes are worth."""
    return sum(firing.rule.score for one in passes for firing in one.firings)


# --- plan files -------------------------------------------------------------------------------------------


def piece_text(instance: Instance, piece: Piece) -> str:
    """A placed piece as plans write it: its value alone where it has one."""
    return str(piece.variant) if isinstance(piece.variant, int) else str(piece)


def plan_to_json(instance: Instance, plan: Plan) -> dict[str, Any]:
    """The plan as JSON data, its placements in reading order."""
    design = [[row, column, piece_text(instance, piece)] for (row, column), piece in sorted(plan.design)]
    drawn = {"chance": [" ".join(words) for words in plan.chance]} if plan.chance else {}
    return {"design": design, "actions": list(plan.actions), **drawn}


def plan_from_json(instance: Instance, data: Any) -> Plan:
    """Read a plan from JSON data; raises PlanError where it is not one, or not one for this level."""
    if not isinstance(data, dict):
        raise PlanError("a plan is a JSON object", 'write {"design": [...], "actions": [...]}')
    meant = data.get("level", instance.name)
    if meant != instance.name:
        raise PlanError(
            f"this plan is for {str(meant)[:80]}, not for {instance.name}", "replay it on its level"
        )
    unknown = data.keys() - {"level", "design", "actions", "chance"}
    if unknown:
        raise PlanError(
            f"a plan has no key {min(map(str, unknown))[:80]!r}",
            "its keys are level, design, actions, chance",
        )
    design, actions = data.get("design", []), data.get("actions", [])
    if isinstance(actions, str):
        actions = actions.split()
    if not isinstance(design, list) or not isinstance(actions, list):
        raise PlanError("`design` and `actions` are lists", 'such as "design": [[5, 1, "brick"]]')
    if not all(isinstance(action, str) for action in actions):
        raise PlanError("every action is a text", 'such as "up"')
    for action in actions:
        parse_action(action)
    drawn = data.get("chance", [])
    if not isinstance(drawn, list) or not all(isinstance(words, str) for words in drawn):
        raise PlanError(
            "`chance` is a list of texts, one for the start and one a turn", 'such as "four(1,2)"'
        )
    placed = tuple(placement(instance, item) for item in design)
    return Plan(placed, tuple(actions), chance=tuple(tuple(words.split()) for words in drawn))


def placement(instance: Instance, item: Any) -> tuple[tuple[int, int], Piece]:
    """Read one `[row, column, kind]`."""
    whole = isinstance(item, list) and len(item) == 3
    if not whole or not all(isinstance(n, int) and not isinstance(n, bool) for n in item[:2]):
        raise PlanError(f"{str(item)[:60]} is not a placement", 'write [row, column, "kind"]')
    row, column, text = item
    by_name = {str(piece): piece for piece in placeable(instance)}
    by_name |= {piece_text(instance, piece): piece for piece in placeable(instance)}
    if str(text) not in by_name:
        allowed = ", ".join(list(by_name)[:12]) or "nothing"
        raise PlanError(f"{str(text)[:60]!r} cannot be placed in {instance.name}", f"it may place {allowed}")
    return (row, column), by_name[str(text)]


def tidy(instance: Instance, plan: Plan) -> Plan:
    """The plan without inputs that change nothing, up to where the goal first holds.

    What cannot be played is left as it is, for the referee to judge.
    """
    state, kept = initial_state(instance), list[str]()
    for text in plan.actions:
        if is_goal(instance, state):
            break
        try:
            state = step(instance, state, parse_action(text))
        except IllegalAction:
            continue
        except IllFormed:
            return plan
        kept.append(text)
    return Plan(plan.design, tuple(kept))


def read_plan(path: Path, instance: Instance) -> Plan:
    """Read a plan file.

    Raises UnknownName where there is none, DescriptionError where it cannot be read, PlanError where it holds
    no plan for this level.
    """
    return plan_of(file_bytes(path, LARGEST_PLAN), str(path), instance)


def plan_of(data: bytes, file: str, instance: Instance) -> Plan:
    """The plan in the bytes of a plan file; raises as `read_plan` does."""
    value = json_value(data, file, LARGEST_PLAN)
    # What `ggp solve --json` prints holds its plans in a list; the first of them is meant.
    if isinstance(value, dict) and "plans" in value:
        plans = value["plans"]
        if not isinstance(plans, list) or not plans or not isinstance(plans[0], dict):
            raise PlanError("it holds no plan", "solve the level first", Place(file))
        value = {"level": value.get("level", instance.name), **plans[0]}
    try:
        return plan_from_json(instance, value)
    except PlanError as error:
        error.findings = tuple(replace(one, place=one.place or Place(file)) for one in error.findings)
        raise


def plan_text(instance: Instance, plan: Plan) -> str:
    """The text of a plan file."""
    return json.dumps({"level": instance.name, **plan_to_json(instance, plan)}, indent=1) + "\n"


def plan_line(instance: Instance, plan: Plan) -> str:
    """A plan in one line."""
    placed = [f"{piece_text(instance, piece)} ({row},{column})" for (row, column), piece in plan.design]
    return "  ".join([*placed, " ".join(plan.actions)]).strip() or "nothing to do"


def write_plan(path: Path, instance: Instance, plan: Plan) -> None:
    """Write a plan file, whole or not at all."""
    from ggp.files.writing import write_whole

    write_whole(path, plan_text(instance, plan).encode())


# --- what was seen ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trajectory:
    """States seen one after another on a board of one size, and the input before each but the first.

    `inputs` has one entry less than `states`; None where the game takes no input.
    """

    height: int
    width: int
    states: tuple[State, ...]
    inputs: tuple[Action | None, ...]
