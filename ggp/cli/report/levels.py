"""`ggp show` and `ggp check`: levels, boards, what is found in files, as text and as JSON data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ggp.cli.report import Row
from ggp.errors import Finding
from ggp.model import Instance, Plan
from ggp.model.board import State, amount, height, width
from ggp.model.features import needs
from ggp.referee.contest import goals_of_each
from ggp.referee.semantics import ending, initial_state
from ggp.referee.stock import budget, each_kind

if TYPE_CHECKING:
    pass


def instance_text(instance: Instance, *, colour: bool, numbers: bool) -> Iterator[Any]:
    """What `ggp show` prints: the title, the board, the goal and the numbers."""
    game, level = instance.game, instance.level
    yield f"{instance.name}: {level.title or game.title}"
    yield from board_text(instance, Plan(), colour=colour, numbers=numbers)
    when = {"horizon": "at the last turn", "any-turn": "at any turn"}[ending(instance)]
    moving = game.input is not None or bool(game.physics)
    goal = "; ".join(term.say(instance) for term in game.goal.terms)
    if game.simultaneous:
        yield f"players: {', '.join(game.players)}; all move at the same time"
        goal = goals_of_each(instance)
    elif len(game.players) > 1:
        yield f"players: {', '.join(game.players)}; whoever makes the turn wins or loses by it"
    yield f"goal{f' {when}' if moving else ''}: {goal}"
    if not (colour or numbers):
        yield from clue_lines(instance)
    if game.goal.lose:
        yield f"lost if: {'; '.join(term.say(instance) for term in game.goal.lose)}"
    if moving:
        yield f"turns: {'no limit' if level.horizon is None else level.horizon}"
    if game.design is not None:
        yield f"to place: {game.design.named}, {how_many(instance)}"
    if game.input is not None:
        declared = game.input
        pick = [f"pick {declared.pick}"] if declared.pick else []
        wait = ["wait"] if declared.wait else []
        yield f"inputs: {', '.join([*declared.moves, *declared.verbs, *pick, *wait])}"


def clue_lines(instance: Instance) -> Iterator[str]:
    """What the plain map of a level does not show: its regions and what it tells of them."""
    from ggp.language.description.writing import regions_text
    from ggp.render.clues import clue_text

    for name, regions in instance.level.regions:
        yield f"{name} = {regions_text(instance.level, regions)}"
    for name, clues in instance.level.clues:
        yield f"clues of {name}: {' '.join(map(clue_text, clues))}"


def how_many(instance: Instance) -> str:
    """How many pieces the design may or must place."""
    if instance.game.design is not None and instance.game.design.fill:
        return "one on every free cell"
    limit = budget(instance)
    return f"{'any number' if limit is None else f'at most {limit}'}{each_kind(instance)}"


def board_text(instance: Instance, plan: Plan, *, colour: bool, numbers: bool = False) -> Iterator[Any]:
    """The board with a plan's design placed."""
    state = initial_state(instance, plan.design, partial=True)
    yield from state_text(instance, state, colour=colour, numbers=numbers)
    yield from legend(instance, (state,), colour=colour)


def state_text(instance: Instance, state: State, *, colour: bool, numbers: bool) -> Iterator[Any]:
    """The board of one state."""
    from ggp.render import terminal

    if colour or numbers:
        text = terminal.text(instance, state, numbers=numbers)
        text.rstrip()
        yield text
    else:
        yield terminal.plain(instance, state)


def legend(instance: Instance, states: Sequence[State], *, colour: bool = False) -> Iterator[str]:
    """What the characters on these boards stand for that the game's own symbols do not tell."""
    from ggp.render import terminal

    return terminal.legend_lines(instance, states, colour=colour)


def board_json(instance: Instance, state: State) -> list[list[list[str]]]:
    """What stands on each cell, row by row."""
    wide = width(instance)
    cells = [sorted(map(str, here)) for here in state.board]
    return [cells[first : first + wide] for first in range(0, len(cells), wide)]


def instance_json(instance: Instance) -> Row:
    """An instance as JSON data: what `ggp show --json` prints."""
    level = instance.level
    return {
        "level": instance.name,
        "title": level.title,
        "height": height(instance),
        "width": width(instance),
        "horizon": level.horizon,
        "numbers": {name: amount(instance, name) for name, _ in level.numbers},
        "board": board_json(instance, initial_state(instance, partial=True)),
        "goal": instance.game.goal.sources(instance.game.players),
        "when": ending(instance),
        "needs": [need.feature for need in needs(instance)],
    }


def finding_json(finding: Finding) -> Row:
    """A finding as JSON data."""
    place = finding.place
    return {
        "severity": finding.severity,
        "message": finding.message,
        "remedy": finding.remedy,
        "file": place.file if place else None,
        "line": place.line if place else None,
        "column": place.column if place else None,
    }


def failure_json(findings: Sequence[Finding]) -> Row:
    """What stands in the place of an answer where there is none: the first fault, and all of them."""
    rows = [finding_json(finding) for finding in findings]
    first = {key: rows[0][key] for key in ("remedy", "file", "line", "column")}
    return {"error": findings[0].message, **first, "findings": rows}
