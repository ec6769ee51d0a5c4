"""The VGDL text itself: what is refused, the golden files, names, and what the player can do in it.

That it plays like the referee is tested in `tests/conformance/test_vgdl.py`.
"""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path
from typing import Any

import pytest

from ggp import registry
from ggp.engines import pyvgdl, vgdl
from ggp.errors import DescriptionError, Place, PlanError, UnsupportedFeature
from ggp.exporters import vgdl as exporter
from ggp.exporters.vgdl.general import write_general
from ggp.exporters.vgdl.play import Run, built_in, follow_plan, play_at_random
from ggp.exporters.vgdl.push import recognise, write_pushing
from ggp.exporters.vgdl.sheet import split
from ggp.language import levels
from ggp.language.description import read_file, read_game
from ggp.model import Instance, Kind, Piece, Plan
from ggp.model.board import Action, State
from ggp.referee.semantics import initial_state
from ggp.tasks.exporting import export
from ggp.transition.compiler import compile_instance
from tests.slow import one_in

Golden = Any  # tests/conftest.py
DATA = Path(__file__).parents[2] / "data" / "vgdl"
EXPORTED = ("lemmings/seed", "sokoban/first")
ODD = [
    pytest.param(Instance(game, level), id=f"{game.name}-{level.name}")
    for game, kept in map(read_file, sorted(DATA.glob("*.toml")))
    for level in kept
]


# --- what is refused ------------------------------------------------------------------------------------


def test_a_game_of_deduction_is_refused_with_every_reason() -> None:
    instance = levels.load("sudoku/paper-4x4")
    with pytest.raises(UnsupportedFeature) as caught:
        export(instance, "vgdl")
    told = {finding.message: finding.place for finding in caught.value.findings}
    assert set(told) == {
        f"vgdl does not support a design that fills every free cell: {exporter.WHY['fill']}",
        f"vgdl does not support the goal word `different`: {exporter.WHY['goal:different']}",
    }
    assert all(place is not None and place.line > 0 for place in told.values())


BASE = """
name = "g"
[kinds]
thing = {{ layer = "solid"{kind} }}
home = {{ layer = "floor" }}
{more}
[symbols]
"." = ""
"o" = "thing"
"h" = "home"
{player}
[goal]
when = "any-turn"
win = ["{win}"]
[[level]]
{numbers}
map = \"\"\"
{map}
\"\"\"
"""
STEP = '[[turn]]\nrules = "go: thing here, input {word}, inside right => thing here -> right"'
MARK = 'picked = { layer = "pick", marker = true }'
REFUSED = {
    "two verbs": (
        {"player": '[input]\nverbs = ["jump", "duck"]\n' + STEP.format(word="jump")},
        "has one key",
        "[input]",
    ),
    "picks and moves": (
        {
            "more": MARK,
            "player": '[input]\npick = "picked"\nmoves = ["left"]\n'
            '[[turn]]\nrules = "go: picked here, thing here, inside right => thing here -> right"',
        },
        "needs the keys for the cursor",
        "[input]",
    ),
    "sorts to place": (
        {
            "more": 'sign = { layer = "sign", facing = ["up", "down"] }',
            "player": '[design]\nplace = "sign"\nfree-of = ["home", "sign"]',
            "numbers": "horizon = 1",
        },
        "places pieces of one sort, and `sign` has 2",
        "[design]",
    ),
    "over at once": (
        {"player": '[input]\nverbs = ["go"]\n' + STEP.format(word="go"), "win": "count thing >= 1"},
        "this one is before the first: won at turn 0",
        "[[level]]",
    ),
    "too long": (
        {
            "player": '[input]\nverbs = ["go"]\n[[turn]]\nuntil = "stable"\nbound = 2000\n'
            'rules = "go: thing here, no thing right => thing here -> right"'
        },
        "writes loops out",
        "[[turn]]",
    ),
    "too long to count": (
        {
            "player": '[input]\nverbs = ["go"]\n[[turn]]\n'
            'rules = "go: home here, count thing at around, up.up, down.down = 5 => add thing here"'
        },
        "writes out each way to count cells",
        "rules = ",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_carried_is_refused_with_its_place(name: str) -> None:
    parts, message, section = REFUSED[name]
    filled = {
        "kind": "",
        "more": "",
        "player": "",
        "win": "every thing on home",
        "numbers": "",
        "map": "o..h",
    } | parts
    text = BASE.format(**filled)
    game, (level,) = read_game(text.encode(), "g.toml")
    with pytest.raises(UnsupportedFeature) as caught:
        export(Instance(game, level), "vgdl")
    (finding,) = caught.value.findings
    assert message in finding.message and finding.remedy
    place = finding.place
    assert place is not None and place.file == "g.toml"
    assert text.splitlines()[place.line - 1].startswith(section)


def test_a_plan_that_does_not_fit_is_refused() -> None:
    instance = levels.load("lemmings/seed")
    with pytest.raises(PlanError, match="not a free cell"):
        export(instance, "vgdl", Plan((((0, 0), Piece("brick")),)))


def test_what_is_not_a_pushing_game_is_not_taken_for_one() -> None:
    """Each odd game but one; and the one with a rule changed."""
    for parameter in ODD:
        (instance,) = parameter.values
        expected = instance.game.name in ("shove", "digger", "marsh", "keys")
        assert (recognise(instance, compile_instance(instance)) is not None) == expected, instance.name
    text = (DATA / "shove.toml").read_text(encoding="utf-8")
    for old, new in (
        ("no stops-crates ahead.ahead => crate", "no stops-balls ahead.ahead => crate"),  # a fair variant
        ("=> crate ahead -> ahead.ahead, player here -> ahead", "=> crate ahead -> ahead.ahead"),
        (
            "crate ahead, no stops-crates ahead.ahead",
            "crate ahead, crate behind, no stops-crates ahead.ahead",
        ),
        (
            "step: player here, no stops-crates ahead ",
            "step: player here, no stops-crates ahead, no wall behind ",
        ),
        ('grate = { layer = "solid" }', 'grate = { layer = "grate" }'),  # a fair one, too
        (
            "roll: player here, ball ahead, no stops",
            "roll toward left: player here, ball ahead, input right, no stops",
        ),
    ):
        assert old in text
        game, kept = read_game(text.replace(old, new).encode(), "g.toml")
        instance = Instance(game, kept[0])
        assert (write_pushing(instance) is not None) == (old.startswith(("no stops", "grate"))), new
        made = exporter.layout(instance)
        assert not play_at_random(instance, made, made.text, built_in, 200).difference, new


# --- the text -------------------------------------------------------------------------------------------


def test_the_text_is_two_strings_for_py_vgdl() -> None:
    text = exporter.text(levels.load("sokoban/first"))
    game, level_map = text.split("# ---- map ----\n")
    assert exporter.split(text) == (game, level_map)
    assert level_map == "wwwwww\nw....w\nw.$@.w\nw..a.w\nwwwwww\n"
    assert vgdl.build(vgdl.read(game), level_map).sprites()["player"] == ((2, 3),)
    with pytest.raises(DescriptionError, match="the text has no map"):
        exporter.split(game)


def test_the_text_with_a_plan_is_as_it_was(golden: Golden) -> None:
    instance = levels.load("lemmings/seed")
    golden("vgdl/placed/lemmings-seed.vgdl", exporter.text(instance, instance.level.known.wins[0]))


def test_the_general_scheme_writes_moves_as_it_did(golden: Golden) -> None:
    golden("vgdl/general/sokoban-first.vgdl", write_general(levels.load("sokoban/first"), None).text)


@pytest.mark.parametrize(
    "instance", one_in(4, [pytest.param(levels.load(level), id=level) for level in EXPORTED] + ODD)
)
def test_an_export_takes_less_than_a_second(instance: Instance) -> None:
    best = 9.0
    for _ in range(3):  # the machine may be busy
        start = time.perf_counter()
        assert exporter.text(instance) == exporter.text(instance)
        best = min(best, (time.perf_counter() - start) / 2)
    assert best < 1


def test_names_and_titles_that_the_syntax_would_swallow() -> None:
    """Kinds called like sections, like Python's names, like nothing that can be; a title of several lines."""
    instance = levels.load("sokoban/first")
    new = {"wall": "wall>", "crate": "SpriteSet", "target": "map", "player": "# ---- map ----"}
    renamed = rename(instance, new)
    made = exporter.layout(renamed)
    assert {made.pieces[key].kind for key in ("wall", "SpriteSet_2", "map_2", "map_3")} == set(new.values())
    assert made.text.count("# ---- map ----") == 1
    assert not play_at_random(renamed, made, made.text, built_in, 200).difference
    if pyvgdl.available() is None:
        assert not play_at_random(renamed, made, made.text, pyvgdl.build, 50).difference


def rename(instance: Instance, new: dict[str, str]) -> Instance:
    """The instance with other names for its kinds, and bad symbols, titles and descriptions."""

    def walk(value: Any) -> Any:
        if isinstance(value, str):
            return new.get(value, value)
        if isinstance(value, Piece):
            return Piece(new.get(value.kind, value.kind), value.variant)
        if isinstance(value, tuple | frozenset):
            return type(value)(walk(item) for item in value)
        if dataclasses.is_dataclass(value) and not isinstance(value, type | Place):
            fields = {
                f.name: walk(getattr(value, f.name)) for f in dataclasses.fields(value) if f.name != "tile"
            }
            return dataclasses.replace(value, **fields)
        return value

    renamed: Instance = walk(instance)
    title = "One\n# ---- map ----\nBasicGame > two=three"
    symbols = tuple(zip("#> \t=", (pieces for _, pieces in renamed.game.symbols[-5:]), strict=True))
    game = dataclasses.replace(renamed.game, title=title, about=title, symbols=symbols)
    return Instance(game, dataclasses.replace(renamed.level, name="a\nb", title=title))


def test_every_kind_keeps_its_own_name() -> None:
    """Names that come out alike are told apart, and the way back is kept."""
    instance = levels.load("sokoban/first")
    kinds = (
        *instance.game.kinds,
        *(Kind(name, "more") for name in ("wall-", "wall_", "-wall", "EOS", "self")),
    )
    odd = dataclasses.replace(instance, game=dataclasses.replace(instance.game, kinds=kinds))
    made = write_general(odd, None)
    named = {piece.kind: key for key, piece in made.pieces.items()}
    assert len(set(named.values())) == len(kinds) == len(named)
    assert named["wall"] == "wall" and named["EOS"] != "EOS" and named["self"] != "self"
    assert vgdl.read(split(made.text)[0])


# --- the player's part ----------------------------------------------------------------------------------


def placing(keys: str) -> tuple[Run, State]:
    """The first built-in level with the player's part, after some keys."""
    instance = levels.load("lemmings/seed")
    made = exporter.layout(instance)
    run = Run(instance, made, built_in(*split(made.text)))
    names = {"u": "up", "d": "down", "l": "left", "r": "right", "s": "space", ".": "noop"}
    for key in keys:
        run.press(names[key])
    return run, initial_state(instance)


def bricks(run: Run) -> list[int]:
    """The cells on which there is a brick."""
    return [index for index, here in enumerate(run.board()) if Piece("brick") in here]


def test_what_is_placed_can_be_taken_back_within_the_budget() -> None:
    run, first = placing("")
    assert run.layout.start == (1, 2) and run.board() == first.board
    run, _ = placing("srsrsrs")
    assert bricks(run) == [12, 13, 14], "the fourth is one too many"
    run, _ = placing("srsrsrsls")
    assert bricks(run) == [12, 13], "what is taken back"
    run, _ = placing("srsrsrslsrs")
    assert bricks(run) == [12, 13, 15], "can be placed again"
    run, _ = placing("lsuss" + "r" * 20 + "s")
    assert bricks(run) == [], "not on a walker, not on a wall, not off the board"


def snuffing() -> Instance:
    """A game of picks whose rules look at no cell but the picked one."""
    rules = '[[turn]]\nrules = "snuff: picked here, thing here => remove thing here"'
    parts = {"more": MARK, "player": f'[input]\npick = "picked"\n{rules}', "win": "count thing = 0"}
    text = BASE.format(**{"kind": "", "numbers": "", "map": "o.o\noo."} | parts)
    game, (level,) = read_game(text.encode(), "g.toml")
    return Instance(game, level)


def test_every_cell_can_be_clicked_though_no_rule_looks_further() -> None:
    """The click comes from the cell above, so the map needs a row there whatever the rules look at."""
    instance = snuffing()
    made = exporter.layout(instance)
    outcome = play_at_random(instance, made, made.text, built_in, 40)
    assert not outcome.difference and outcome.won


def test_the_cursor_stays_below_the_top_row() -> None:
    """At either end of it, too: from there a click would come from outside the map."""
    instance = snuffing()
    made = exporter.layout(instance)
    for way in ("left", "right"):
        run = Run(instance, made, built_in(*split(made.text)))
        for key in (*[way] * 9, *["up"] * 9, "space", "down"):
            run.press(key)
        ((row, column),) = run.level.sprites()["cursor"]
        assert (row, column) == (2, 0 if way == "left" else 4)


def test_what_lies_in_the_margin_is_not_on_the_board() -> None:
    """Where an engine has a piece there the board is without it: no cell stands for it."""
    run, first = placing("")

    class Littered:
        """The level with a brick in each corner of the map."""

        ended, won = False, None

        def sprites(self, keys: Any = None) -> dict[str, tuple[tuple[int, int], ...]]:
            there = real.sprites(keys)
            return there | {"brick": (*there.get("brick", ()), (0, 0), (0, 11), (11, 0), (11, 11))}

    real, run.level = run.level, Littered()  # type: ignore[assignment]
    assert run.board() == first.board


def test_nothing_moves_before_the_release_and_nothing_is_placed_after_it() -> None:
    run, first = placing("." * 40)
    assert run.board() == first.board and not run.level.ended
    run.begin([])
    assert run.board() == first.board and not run.level.ended, "the release itself is no turn"
    for _ in range(5):
        run.turn(None)
    moved = run.board()
    assert moved != first.board
    run, _ = placing("")
    run.begin([])
    for key in ("up", "up", "space", "right", "space"):
        run.press(key)
    assert run.board() == moved, "keys make no difference any more"


def test_a_late_arrival_does_not_win() -> None:
    instance = levels.load("lemmings/seed")
    for horizon, won in ((14, False), (15, True), (25, True)):
        late = dataclasses.replace(instance, level=dataclasses.replace(instance.level, horizon=horizon))
        for plan in instance.level.known.wins:
            made = exporter.layout(late)
            outcome = follow_plan(late, made, made.text, built_in, plan)
            assert (outcome.difference, outcome.won, outcome.turns) == ("", won, horizon)


def test_a_tick_in_which_nothing_changes_is_no_turn() -> None:
    instance = levels.load("sokoban/first")
    for made in (exporter.layout(instance), write_general(instance, None)):
        run = Run(instance, made, built_in(*split(made.text)))
        for _ in range(40):
            run.press("noop")
        run.turn(Action("right"))
        for _ in range(40):
            run.turn(Action("right"))
        assert not run.level.ended, "walking against a wall takes no time"
        for turn in range(11):
            assert not run.level.ended
            run.turn(Action("right" if turn % 2 else "left"))
        assert run.level.ended and run.level.won is False


def test_the_score_counts_the_default_objective() -> None:
    run, _ = placing("srsrsrsls")
    assert isinstance(run.level, vgdl.VgdlLevel) and run.level.score == -2
    instance = levels.load("sokoban/first")
    made = exporter.layout(instance)
    run = Run(instance, made, built_in(*split(made.text)))
    for way in ("right", "right", "up", "left"):
        run.turn(Action(way))
    assert isinstance(run.level, vgdl.VgdlLevel) and run.level.score == -3


def test_it_is_registered() -> None:
    assert registry.load("exporter", "vgdl") is exporter
    assert exporter.available() is None
    assert exporter.oracles() == {"py-vgdl": pyvgdl.available()}


def test_what_is_counted_before_a_run_begins_is_not_counted_in_it() -> None:
    """The cursor, which becomes the avatar, collects one for each drop in each tick in which it places."""
    file = DATA.parent / "language" / "rules-for-cells-firing-nearly-everywhere.toml"
    game, (level,) = read_file(file)
    instance = Instance(game, level)
    made = exporter.layout(instance)
    assert made.hand == "release" and game.goal.lose
    assert not play_at_random(instance, made, made.text, built_in, 10).difference
