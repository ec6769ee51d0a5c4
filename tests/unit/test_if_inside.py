"""`add lamp up if inside`: an effect that is left out where its cell is outside the board."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from ggp import api
from ggp.errors import DescriptionError, IllegalAction, IllFormed, PuzzleError
from ggp.exporters import puzzlescript
from ggp.exporters.puzzlescript.play import at_random
from ggp.importers import puzzlescript as importer
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.model import Instance, Piece
from ggp.model.board import Action, State, cells, height, width
from ggp.model.features import needs
from ggp.model.pieces import borders
from ggp.referee import keys
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import initial_state, step
from ggp.transition.bits import Bits
from ggp.transition.compiler import compile_instance
from tests.random_rules import random_instance

LAMPS = """
name = "lamps"
WRAPS
[kinds]
lamp = { layer = "lamp" }
flip = { layer = "flip", marker = true }
picked = { layer = "pick", marker = true }
[symbols]
"." = ""
"o" = "lamp"
[input]
pick = "picked"
[[turn]]
rules = "press: picked here => add flip here, EFFECTS"
[[turn]]
rules = '''
off: lamp here, flip here => remove lamp here
on: flip here, no lamp here => add lamp here
'''
[goal]
win = ["count lamp = 0"]
[[level]]
horizon = 4
map = '''
MAP
'''
"""
CROSS = ", ".join(f"add flip {way} if inside" for way in ("up", "right", "down", "left"))


def lamps(rows: str, effects: str = CROSS, *, wraps: bool = False) -> Instance:
    text = LAMPS.replace("MAP", rows).replace("EFFECTS", effects)
    game, (level,) = read_game(text.replace("WRAPS", "wraps = true" if wraps else "").encode(), "lamps.toml")
    return Instance(game, level)


def lit(instance: Instance, state: State) -> set[tuple[int, int]]:
    return {cell for cell, here in zip(cells(instance), state.board, strict=True) if Piece("lamp") in here}


@pytest.mark.parametrize("wraps", [False, True])
@pytest.mark.parametrize("rows", ["o..\n.o.\n...", "o.o.", "o\n.\no", "o"])
def test_pressing_at_the_border_flips_what_is_there(rows: str, wraps: bool) -> None:
    instance = lamps(rows, wraps=wraps)
    tall, wide = height(instance), width(instance)
    bits = Bits(compile_instance(instance))
    for row, column in cells(instance):
        start = initial_state(instance)
        near = {(row, column), *((row + a, column + b) for a, b in ((-1, 0), (0, 1), (1, 0), (0, -1)))}
        near = {(r % tall, c % wide) if wraps else (r, c) for r, c in near}
        expected = lit(instance, start) ^ (near & set(cells(instance)))
        action = Action("pick", (row, column))
        after = step(instance, start, action)
        assert lit(instance, after) == expected
        assert bits.unpack(bits.act(bits.pack(start), action, instance.game.input)) == after


def test_what_may_be_inside_together_is_what_boards_have() -> None:
    """Against every place on every board that is large enough to tell, or too small."""
    seen_from = [(-2, -1), (-2, 1), (1, 2), (2, 0), (0, -1), (0, 1)]
    found = set()
    for tall, wide in product(range(1, 6), repeat=2):
        for row, column in product(range(tall), range(wide)):
            found.add(tuple(0 <= row + r < tall and 0 <= column + c < wide for r, c in seen_from))
    told = [tuple(inside.values()) for inside in borders(seen_from)]
    assert set(told) == found and len(told) == len(found) and all(told[0])


KNIGHTS = ", ".join(
    f"add flip {a}.{a}.{b} if inside, add flip {b}.{a}.{a} if inside"
    for a, b in (("up", "left"), ("left", "down"), ("down", "right"), ("right", "up"))
)


@pytest.mark.parametrize("effects", [CROSS, KNIGHTS, "add flip up.left if inside, add flip left if inside"])
def test_puzzlescript_has_a_line_for_each_effect_and_it_comes_in_again(effects: str) -> None:
    instance = lamps("o..o\n.o..\n.oo.\no...", effects)
    text = puzzlescript.text(instance)
    lines = [line for line in text.splitlines() if "Do_press" in line and "->" in line]
    assert len(lines) <= 3 + 2 * effects.count("add")
    game, (level,) = importer.read(text.encode(), "lamps.txt")
    script = puzzlescript.EDITABLE.script(instance, None)
    for number in range(3):
        expected = at_random(script, script.instance, f"again {number}", 60)
        *_, (_, shown) = expected.frames
        played = keys.play([Instance(game, level)], expected.keys)
        on = [any(piece.kind == "lamp" for piece in here) for here in played.state.board]
        assert (on, played.won) == ([bool(here) for here in shown.board], shown.won)
        assert expected.turns > 2


@pytest.mark.parametrize("solver", ["search", "cp-sat", "sat"])
def test_solvers_know_the_border(solver: str) -> None:
    """Every board of 2 x 2 and 1 x 3 against all sets of presses."""
    for tall, wide in ((2, 2), (1, 3)):
        places = list(product(range(tall), range(wide)))
        for pressed in product((0, 1), repeat=len(places)):
            on: set[tuple[int, int]] = set()
            for (r, c), press in zip(places, pressed, strict=True):
                cross = {(r, c), (r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)} & set(places)
                on ^= cross if press else set()
            if not on or (solver != "search" and sum(pressed) != 2):
                continue
            rows = ["".join("o" if (r, c) in on else "." for c in range(wide)) for r in range(tall)]
            result = api.solve(lamps("\n".join(rows)), solver)
            assert result.objective is not None and result.objective <= sum(pressed), rows


def test_without_it_the_rule_does_not_match_at_the_border() -> None:
    instance = lamps("o.", CROSS.replace(" if inside", ""))
    assert all(step_or_none(instance, action) is None for action in all_actions(instance))


def step_or_none(instance: Instance, action: Action) -> State | None:
    try:
        return step(instance, initial_state(instance), action)
    except IllegalAction:
        return None


def test_rules_at_random_mean_the_same_in_the_kernel() -> None:
    """Moves, turns and additions, in loops and out of them, in all manners of direction."""
    tried = left_out = 0
    for seed in range(80):
        one = random_instance(seed, leaving_out=True)
        if one is None:
            continue
        transition, rng = compile_instance(one), Random(seed)
        bits, state = Bits(transition), initial_state(one)
        left_out += "edges" in {need.feature for need in needs(one)}
        for _ in range(12):
            action = rng.choice(list(all_actions(one))) if one.game.input is not None else None
            ours, theirs = by_referee(one, state, action), by_kernel(bits, one, state, action)
            assert ours == theirs, (seed, action)
            tried += 1
            if ours is IllFormed:
                break
            state = ours if isinstance(ours, State) else state
    assert tried > 100 and left_out > 10


Outcome = State | type[PuzzleError]


def by_referee(one: Instance, state: State, action: Action | None) -> Outcome:
    try:
        return step(one, state, action)
    except (IllFormed, IllegalAction) as error:
        return type(error)


def by_kernel(bits: Bits, one: Instance, state: State, action: Action | None) -> Outcome:
    try:
        return bits.unpack(bits.act(bits.pack(state), action, one.game.input))
    except (IllFormed, IllegalAction) as error:
        return type(error)


@pytest.mark.parametrize("seed", range(0, 60, 2))
def test_encodings_find_what_the_search_finds(seed: int) -> None:
    one = random_instance(seed, leaving_out=True)
    if one is None or one.level.horizon is None or one.level.horizon > 6:
        return
    answers = {}
    for solver in ("search", "cp-sat"):
        try:
            answers[solver] = api.solve(one, solver, time_limit=20).objective
        except PuzzleError as error:
            answers[solver] = type(error).__name__  # type: ignore[assignment]
    assert len(set(answers.values())) == 1, answers


def test_it_is_written_as_it_was_read() -> None:
    effects = f"{CROSS}, picked here -> up if inside"
    instance = lamps("o", effects)
    again, _ = read_game(write_game(instance.game).encode(), "again.toml")
    assert again.turn == instance.game.turn
    assert all(f"add flip {way} if inside" in write_game(instance.game) for way in ("up", "left"))


@pytest.mark.parametrize(
    ("effects", "told"),
    [("remove lamp up if inside", "`if` cannot stand here"), ("add flip up if outside", "cannot stand here")],
)
def test_it_stands_where_something_is_put(effects: str, told: str) -> None:
    with pytest.raises(DescriptionError, match=told):
        lamps("o", effects)
