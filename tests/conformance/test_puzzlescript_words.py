"""Pen-and-paper puzzles in a real PuzzleScript engine: what is marked and what wins, against the referee.

Boards are filled by the keys of plans that win, of the same with a few cells changed, and at random. After
every key the engine must mark the cells that the referee finds wrong, and win when it does.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from ggp.errors import UnsupportedFeature
from ggp.exporters import puzzlescript, vgdl
from ggp.exporters.puzzlescript.play import Expected, at_random, of_plan
from ggp.exporters.puzzlescript.script import Script
from ggp.language import levels
from ggp.language.description import read_game
from ggp.model import Instance, Level, Piece, Plan
from ggp.model.features import GOAL_WORDS
from ggp.referee.designs import free_cells, placeable
from ggp.tasks.exporting import export
from tests.conformance.test_puzzlescript import faults, node
from tests.slow import one_in

__all__ = ["node"]

MANY_RULES = 250  # of a text of which less is played
WORDS = {"tally", "each", "order", "distinct", "cover", "shape"}


def of_words() -> list[str]:
    """The built-in games with such words in which nothing moves, and that PuzzleScript carries."""
    found = []
    for name in levels.games():
        game = levels.load_game(name)[0]
        words = {term.word for term in game.goal.terms}
        still = game.input is None and not game.physics
        if still and words & WORDS and {f"goal:{word}" for word in words} <= puzzlescript.FEATURES:
            found.append(name)
    return found


def changed(instance: Instance, plan: Plan, rng: random.Random) -> Plan:
    """A plan with one or two pieces changed for another; where the design may, left out or added."""
    design = dict(plan.design)
    fill = instance.game.design is not None and instance.game.design.fill
    for cell in rng.sample(sorted(design), min(len(design), rng.choice((1, 2)))):
        others = [piece for piece in placeable(instance) if piece != design[cell]]
        if others and (fill or rng.random() < 0.5):
            design[cell] = rng.choice(others)
        else:
            del design[cell]
    for cell in () if fill else rng.sample(free_cells(instance), 4):
        design.setdefault(cell, rng.choice(placeable(instance)))
    return Plan(tuple(design.items()))


def some_runs(script: Script, level: Instance) -> list[Expected]:
    """Plans that are known, the same a little changed, and keys at random."""
    rng = random.Random(level.name)
    wins = level.level.known.wins[:1]
    plans = [*wins, *level.level.known.loses[:1], *(changed(level, plan, rng) for plan in wins)]
    return [*(of_plan(script, level, plan) for plan in plans), at_random(script, level, level.name, 40)]


def test_there_are_such_games() -> None:
    assert {"queens", "takuzu", "futoshiki", "fill-a-pix", "akari"} <= set(of_words())


@pytest.mark.parametrize("game", one_in(10, of_words()))
def test_the_engine_marks_and_wins_as_the_referee_does(game: str, node: None) -> None:
    first = levels.load(levels.levels(game)[0])
    script = Script(first)
    large = len(script.rules) > MANY_RULES
    runs = [one for level in script.instances[: 1 if large else 4] for one in some_runs(script, level)]
    some = [runs[0], runs[-1]] if large else runs  # what wins, and keys at random
    ends = [one.frames[-1][1].won for one in some]
    assert any(ends) and not all(ends)
    assert any(shown.wrong for one in some for _, shown in one.frames)
    assert not faults([(script, some)])


OWN = """
name = "own"
[kinds]
digit = {{ layer = "digit", values = [1, 3] }}
shade = {{ layer = "shade" }}
lamp = {{ layer = "lamp" }}
less = {{ layer = "sign", facing = ["up", "right", "down", "left"] }}
[symbols]
"." = ""
"123" = "digit:1.."
"L" = "lamp"
"#" = "shade"
"u" = "digit:2 shade"
">" = "less:right"
"^" = "less:up"
"v" = "less:down"
[design]
place = "{place}"
free-of = ["{place}"]
[goal]
when = "horizon"
win = [{win}]
[[level]]
name = "one"
n = {n}
map = \"\"\"
{map}
\"\"\"
"""
CASES = [
    (
        "shade",
        '"different digit off shade in rows, slopes", "count shade in diagonals >= n"',
        "1231\n2132\n12.1\n3322",
    ),
    ("shade", '"different digit on shade in boxes"', "1231\n2132\n12.1\n3322"),
    ("shade", '"count shade in slopes = n"', "....\n.#..\n....\n...."),
    ("lamp", '"cover shade by lamp in slopes, rows-reversed"', "#..#\n....\n.#..\n#..."),
    ("lamp", '"cover shade by lamp in down", "count lamp in down, across <= n"', "#.1#\n.2..\n.#.3\n#..."),
    (
        "shade",
        '"each digit: count shade at left.left.up, right.down and lamp at here, down.down"',
        "1.L2\n..2.\nL1.1",
    ),
    ("shade", '"each digit: count shade at beside, up and less at down"', "1.v2\n.^2.\n^3.1"),
    ("digit", '"order digit along less"', ".>.\n^.v\n.>."),
    ("digit", '"count digit in rows <= n", "count digit:2 in columns-reversed = n"', "....\n...2\n...."),
]


def test_words_in_other_forms_are_exact(node: None) -> None:
    """Each on a board of its own, filled at random."""
    played, marked = [], 0
    for number, (place, win, drawn) in enumerate(CASES):
        text = OWN.format(place=place, win=win, map=drawn, n=1 + number % 2)
        game, found = read_game(text.encode(), "own.toml")
        instance = Instance(game, found[0])
        assert not list(puzzlescript.unfit(instance)), win
        script = Script(instance)
        some = [at_random(script, instance, f"{number} {run}", 60) for run in range(4)]
        marked += sum(bool(shown.wrong) for one in some for _, shown in one.frames)
        played.append((script, some))
    assert marked > 100
    assert not faults(played)


def test_lines_of_one_cell_are_compared_side_by_side(node: None) -> None:
    """Which way a line of one cell runs does not show on it: a board of one row, and one of one column."""
    game = levels.load_game("takuzu")[0]
    played = []
    for rows, columns in ((1, 2), (2, 1), (1, 3), (3, 1)):
        board = tuple((frozenset[Piece](),) * columns for _ in range(rows))
        for half in (0, 1):
            instance = Instance(game, Level("thin", board, 0, (("half", half),)))
            script = Script(instance)
            played.append((script, [at_random(script, instance, f"{half} {run}", 40) for run in range(3)]))
    assert any(shown.wrong for _, some in played for one in some for _, shown in one.frames)
    assert not faults(played)


@pytest.mark.parametrize("backend", [puzzlescript, vgdl])
def test_each_word_is_carried_or_refused_with_a_reason(backend: object) -> None:
    has, why = backend.FEATURES, backend.WHY  # type: ignore[attr-defined]
    assert all(word in has or len(why[word]) > 20 for word in GOAL_WORDS)
    assert not has & set(why)


@pytest.mark.parametrize("game", ["nonogram", "skyscrapers", "kakuro"])
@pytest.mark.parametrize("name", ["puzzlescript", "vgdl"])
def test_a_refusal_names_the_word_and_why(game: str, name: str) -> None:
    backend = {"puzzlescript": puzzlescript, "vgdl": vgdl}[name]
    instance = levels.load(levels.levels(game)[0])
    lacking = {f"goal:{term.word}" for term in instance.game.goal.terms} - backend.FEATURES
    with pytest.raises(UnsupportedFeature) as raised:
        export(instance, name)
    for word in lacking:
        assert f"`{word[5:]}`: {backend.WHY[word]}" in str(raised.value)


def test_lines_that_bend_are_refused() -> None:
    instance = levels.load(levels.levels("queens")[0])
    bent = (("rows", (((0, 0), (1, 0), (1, 1)),)),)
    level = replace(instance.level, regions=bent)
    assert any(
        "straight lines" in str(fault.message) for fault in puzzlescript.unfit(Instance(instance.game, level))
    )
