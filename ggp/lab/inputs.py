"""What players and makers of puzzles hand in: good inputs to spoil, and a way to read a spoilt one.

A reader takes bytes, and either accepts them or raises an error of `ggp.errors`. What is accepted is used a
little at once: written and read again, compiled, played for a turn, replayed, put into a table.
"""

from __future__ import annotations

import json
import random
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from ggp import registry
from ggp.errors import IllegalAction, IllFormed, PuzzleError
from ggp.explain.board_files import placed_of
from ggp.language.description import read_description, read_game, write_game
from ggp.language.description.writing import write_levels
from ggp.language.levels import builtin, declared_forms, games, linked_game
from ggp.language.maps import drawn_rows
from ggp.language.readers import lines, url, xsb
from ggp.language.readers.addresses import is_link
from ggp.model import Game, Instance, Level, Plan
from ggp.model.features import GOAL_WORDS, SOLVABLE, missing
from ggp.referee.designs import free_cells, placeable
from ggp.referee.dice import Seeded
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import initial_state, is_goal, step
from ggp.referee.trajectory import plan_of, plan_text, replay
from ggp.tasks.exporting import export
from ggp.transition.compiler import compile_instance

FILE = "spoilt"
FEW = 30  # good inputs of a reader
MOST_CELLS = 150  # of the levels that good inputs are made of, and of those that are played
LONGEST = 20  # turns with chance in a plan
MOST_PLANS = 3  # of an answer that stands for several

Spoil = Callable[[random.Random, bytes, Sequence[bytes]], bytes]


@dataclass(frozen=True)
class Input:
    """One thing that is read: `read` takes the name of a case (a game, a level) and bytes.

    `good` gives good bytes by case, `spoilers` are the ways to spoil them, and `share` says how many of a
    thousand inputs are of this sort.
    """

    name: str
    share: int
    good: Callable[[], Sequence[tuple[str, bytes]]]
    read: Callable[[str, bytes], None]
    spoilers: tuple[Spoil, ...]


# --- using what was accepted ----------------------------------------------------------------------------


def play(game: Game, kept: Sequence[Level], data: bytes) -> None:
    """A turn of the first level: rules may collide, and nothing else may go wrong."""
    for level in kept[:1]:
        if len(level.board) * len(level.board[0]) > MOST_CELLS:
            return
        instance = Instance(game, level)
        if not missing(instance, SOLVABLE | GOAL_WORDS):
            compile_instance(instance)
        state = initial_state(instance, partial=True)
        is_goal(instance, state)
        actions: list[Any] = [*all_actions(instance)] if game.input else [None]
        try:
            number = zlib.crc32(data)
            action = actions[number % len(actions)] if actions else None
            step(instance, state, action, dice=Seeded(random.Random(number)))
        except (IllFormed, IllegalAction):
            continue


def same(what: str, first: object, second: object) -> None:
    """Raise AssertionError where what was written is read back as something else."""
    if first != second:
        raise AssertionError(f"{what} reads back as something else")


# --- descriptions, levels in all forms ------------------------------------------------------------------


@cache
def small_levels() -> tuple[Instance, ...]:
    """The smallest levels of every game, two of each."""
    found = []
    for name in games():
        game, kept = builtin(name)
        small = sorted(kept, key=lambda level: len(level.board) * len(level.board[0]))[:2]
        found += [Instance(game, level) for level in small]
    return tuple(found)


@cache
def descriptions() -> Sequence[tuple[str, bytes]]:
    """Every built-in description with one of its levels, and as the writer writes it."""
    found = []
    for name in games():
        text = registry.description_text(name)
        found.append((name, b"\n[[level]]".join(text.split(b"\n[[level]]")[:2])))
    found += [(one.game.name, write_game(one.game, [one.level]).encode()) for one in small_levels()[::2]]
    return tuple(found)


def read_whole(case: str, data: bytes) -> None:
    """Read a description, write it, and play."""
    game, kept = read_game(data, FILE)
    same("the description", read_game(write_game(game, kept).encode(), "written"), (game, kept))
    play(game, kept, data)


@cache
def level_files() -> Sequence[tuple[str, bytes]]:
    """Files of levels only."""
    return tuple(
        (one.game.name, write_levels(one.game.name, one.game, [one.level]).encode()) for one in small_levels()
    )


def read_level_file(case: str, data: bytes) -> None:
    """Read a file of levels of a game, write it, and play."""
    game = builtin(case)[0]
    _, kept = read_description(data, FILE, lambda name: game)
    if kept:
        written = write_levels(case, game, kept).encode()
        same("the file", read_description(written, "written", lambda name: game)[1], kept)
    play(game, kept, data)


@cache
def form_texts(form: str) -> Sequence[tuple[str, bytes]]:
    """Texts of a level form, for every game that declares it."""
    makers: Mapping[str, Callable[[Instance], str]] = {
        "xsb": lambda one: xsb.write(one.game, one.level),
        "lines": lambda one: lines.write(one.game, one.level.board),
        "url": lambda one: export(one, "url", allow_loss=True).text,
        "headed": headed_text,
        "placed": placed_text,
    }
    found = []
    for name, forms in declared_forms().items():
        for level in builtin(name)[1] if form in forms else ():
            try:
                found.append((name, makers[form](Instance(builtin(name)[0], level)).encode()))
            except PuzzleError:  # a level that the form cannot hold
                continue
    return tuple(found)


def headed_text(one: Instance) -> str:
    """Numbers, then the map."""
    numbers = [str(one.level.horizon or 9), *(str(number) for _, number in one.level.numbers)]
    return "\n".join([*numbers, *drawn_rows(one.game, one.level.board)]) + "\n"


def placed_text(one: Instance) -> str:
    """Words with numbers, by the form's own settings."""
    settings = dict(one.game.forms)["placed"]
    board = one.level.board
    sides = {"width": len(board[0]), "height": len(board)}
    words = [f"{settings['size'][0]}:{','.join(str(sides.get(side, 0)) for side in settings['size'][1:])}"]
    for row, line in enumerate(board):
        for column, here in enumerate(line):
            kinds = {piece.kind for piece in here}
            words += [f"{word}:{column},{row}" for word, kind in settings["pieces"].items() if kind in kinds]
    return " ".join(words) + "\n"


def read_form(form: str, case: str, data: bytes) -> None:
    """Read levels of a form, and play."""
    game = builtin(case)[0]
    kept = registry.load("level form", form).read(data, FILE, game, dict(game.forms).get(form, {}))
    if form == "xsb" and kept and all(drawable(game, level) for level in kept):
        (again,) = xsb.read(xsb.write(game, kept[0]).encode(), "again", game, {})
        same("the map", (again.board, again.horizon), (kept[0].board, kept[0].horizon))
    play(game, kept, data)


def drawable(game: Game, level: Level) -> bool:
    """Can the form show this map? Not one whose outer cells are blank."""
    rows = drawn_rows(game, level.board)
    return all(row.strip() and row == row.strip() for row in rows)


def read_link(case: str, data: bytes) -> None:
    """Read a link whose game is found by its type."""
    text = data.decode("utf-8", "replace")
    if is_link(text):
        game = builtin(linked_game(text))[0]
        kept = url.read(text.encode(), "URL", game, dict(game.forms).get("url", {}))
        play(game, kept, data)


# --- plans ----------------------------------------------------------------------------------------------


@cache
def by_name() -> Mapping[str, Instance]:
    """The small levels by name."""
    return {one.name: one for one in small_levels()}


def some_plan(instance: Instance) -> Plan:
    """A plan that wins, where one is known; else one that is allowed."""
    if instance.level.known.wins:
        return instance.level.known.wins[0]
    design = ((next(iter(free_cells(instance))), placeable(instance)[0]),) if placeable(instance) else ()
    actions = tuple(map(str, list(all_actions(instance))[:4]))
    return Plan(design, actions)


@cache
def plan_files() -> Sequence[tuple[str, bytes]]:
    """A plan file for every small level, and what `ggp solve --json` prints."""
    found = []
    for name, one in by_name().items():
        wins = one.level.known.wins
        if wins and len(wins[0].actions) > LONGEST and missing(one, SOLVABLE | GOAL_WORDS):
            continue  # of 2048, say: the referee takes seconds to replay it
        text = plan_text(one, some_plan(one))
        found.append((name, text.encode()))
        whole = {"level": name, "stop": "optimal", "plans": [json.loads(text)]}
        found.append((name, json.dumps(whole).encode()))
    return tuple(found)


def read_plan(case: str, data: bytes) -> None:
    """Read a plan, replay it, and write it."""
    instance = by_name()[case]
    if instance.level.horizon is None:  # else a run that nothing decides might have no end
        instance = replace(instance, level=replace(instance.level, horizon=50))
    plan = plan_of(data, FILE, instance)
    same("the plan", plan_of(plan_text(instance, plan).encode(), "written", instance).actions, plan.actions)
    replay(instance, plan)


@cache
def boards() -> Sequence[tuple[str, bytes]]:
    """Maps of small levels in which something is placed, as players hand them in."""
    return tuple(
        (one.name, "\n".join(drawn_rows(one.game, one.level.board)).encode()) for one in small_levels()
    ) + tuple(plan_files()[::2])


def read_board(case: str, data: bytes) -> None:
    """Read a board that is partly filled in."""
    placed_of(data, FILE, by_name()[case])
