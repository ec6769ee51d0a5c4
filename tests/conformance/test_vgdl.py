"""What is exported to VGDL behaves there as in the referee: turn by turn, in the built-in engine, in the traces
that py-vgdl left, and in py-vgdl itself where it is installed.

The recordings in `tests/data/vgdl` are made by `ggp.exporters.vgdl_record`; the descriptions beside them use
what no built-in game uses.
"""

from __future__ import annotations

import dataclasses
import gzip
import json
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ggp import levels, registry
from ggp.board import Action, State
from ggp.description import read_file, read_game
from ggp.engines import pyvgdl, vgdl
from ggp.errors import DescriptionError, IllegalAction, Place, PlanError, UnsupportedFeature
from ggp.exporters import vgdl as exporter
from ggp.exporters.vgdl_general import write_general
from ggp.exporters.vgdl_play import Build, Run, built_in, follow_plan, play_at_random
from ggp.exporters.vgdl_push import recognise, write_pushing
from ggp.exporters.vgdl_record import main as record_command
from ggp.exporters.vgdl_record import packed, read_recording, record, replayed
from ggp.exporters.vgdl_sheet import Layout, split
from ggp.exporting import export
from ggp.features import missing
from ggp.maps import read_board, symbols_of
from ggp.model import Instance, Kind, Level, Piece, Plan
from ggp.semantics import all_actions, initial_state, step
from ggp.transition import compile_instance
from tests.oracles.random_maps import lemmings_map, sokoban_map

Golden = Any  # tests/conftest.py
DATA = Path(__file__).parents[1] / "data" / "vgdl"
TURNS = 10_000
FEWER = 300  # of the odd games, which have many effects


def built_in_levels() -> Iterator[str]:
    """The first level of each built-in game that the exporter takes."""
    for game in levels.games():
        name = levels.levels(game)[0]
        if not missing(levels.load(name), exporter.FEATURES):
            yield name


def odd_levels() -> Iterator[Any]:
    """Every level of the descriptions beside the recordings."""
    for file in sorted(DATA.glob("*.toml")):
        game, kept = read_file(file)
        yield from (pytest.param(Instance(game, level), id=f"{game.name}-{level.name}") for level in kept)


def oracle() -> Build:
    """py-vgdl, or a skip that says that it was not run."""
    reason = pyvgdl.available()
    if reason is not None:
        pytest.skip(f"not run: {reason}")
    return pyvgdl.build


EXPORTED = list(built_in_levels())
ODD = list(odd_levels())


def test_every_game_that_should_be_exported_is() -> None:
    assert {"lemmings/seed", "sokoban/first"} <= set(EXPORTED) and len(ODD) >= 12


# --- the referee, the built-in engine, py-vgdl ----------------------------------------------------------------


@pytest.mark.parametrize("level", EXPORTED)
def test_ten_thousand_random_turns_agree(level: str) -> None:
    instance = levels.load(level)
    made = exporter.layout(instance)
    outcome = play_at_random(instance, made, made.text, built_in, TURNS, seed=1)
    assert not outcome.difference
    assert outcome.turns >= TURNS


@pytest.mark.parametrize("level", EXPORTED)
def test_a_thousand_random_turns_agree_in_py_vgdl(level: str) -> None:
    build, instance = oracle(), levels.load(level)
    made = exporter.layout(instance)
    outcome = play_at_random(instance, made, made.text, build, TURNS // 10, seed=2)
    assert not outcome.difference and outcome.turns >= TURNS // 10


@pytest.mark.parametrize("level", EXPORTED)
def test_what_py_vgdl_did_is_reproduced(level: str) -> None:
    """Every sprite, resource and ending after every tick of the recorded runs."""
    file = DATA / f"{level.replace('/', '-')}.json.gz"
    how = f"with py-vgdl installed: python -m ggp.exporters.vgdl_record tests/data/vgdl {level}"
    assert file.exists(), f"there is no recording of {level}; make it {how}"
    recording = read_recording(file)
    assert recording["turns"] >= TURNS
    assert recording["text"] == exporter.layout(levels.load(level)).text, f"the export has changed: record it {how}"
    assert list(replayed(recording, built_in)) == []


@pytest.mark.parametrize("instance", ODD)
def test_odd_games_agree(instance: Instance) -> None:
    made = exporter.layout(instance)
    turns = FEWER // 5 if made.hand == "cursor" else FEWER  # a cursor has far to walk
    outcome = play_at_random(instance, made, made.text, built_in, turns, seed=3)
    assert not outcome.difference
    assert outcome.turns >= turns or instance.level.horizon == 0


@pytest.mark.parametrize("instance", ODD)
def test_odd_games_agree_in_py_vgdl(instance: Instance) -> None:
    build, made = oracle(), exporter.layout(instance)
    assert not play_at_random(instance, made, made.text, build, FEWER // 5, seed=4).difference


@pytest.mark.parametrize("level", EXPORTED)
def test_known_plans_go_as_they_should(level: str) -> None:
    """With the player's part, and with the design already placed."""
    instance = levels.load(level)
    for plan in (*instance.level.known.wins, *instance.level.known.loses):
        for placed in (None, plan):
            made = exporter.layout(instance, placed)
            outcome = follow_plan(instance, made, made.text, built_in, plan)
            assert not outcome.difference
            assert outcome.won == (plan in instance.level.known.wins)


def instance_of(game: str, rows: list[str], horizon: int | None, when: Any = None, **numbers: int) -> Instance:
    """A level of a built-in game, from rows of its symbols."""
    described = levels.load_game(game)[0]
    board, findings = read_board(rows, symbols_of(described), lambda row, column: Place("random map"))
    assert not findings
    return Instance(described, Level("random", board, horizon, tuple(numbers.items()), when=when))


def test_random_levels_agree() -> None:
    """Small maps of both games: open edges, several walkers, crates in corners, every horizon."""
    rng = random.Random(5)
    refused = 0
    for number in range(60):
        if number % 2:
            numbers = {"budget": rng.randint(0, 3)}
            instance = instance_of("lemmings", lemmings_map(rng), rng.randint(1, 9), "any-turn" if number % 4 == 1 else None, **numbers)  # fmt: skip
        else:
            instance = instance_of("sokoban", sokoban_map(rng), rng.choice([None, 3, 10]))
        try:
            made = exporter.layout(instance)
        except UnsupportedFeature as error:
            assert "this one is before the first" in str(error)
            refused += 1
            continue
        outcome = play_at_random(instance, made, made.text, built_in, 25, seed=number)
        assert not outcome.difference, f"{instance}: {outcome.difference}"
    assert refused < 30


def test_the_idiom_and_the_general_scheme_say_the_same() -> None:
    instance = levels.load("sokoban/first")
    idiom, general = exporter.layout(instance), write_general(instance, None)
    assert (idiom.scheme, general.scheme) == ("idiom", "general")
    for made in (idiom, general):
        assert not play_at_random(instance, made, made.text, built_in, 1000, seed=6).difference
    assert len(idiom.text) < len(general.text) / 5


def test_as_many_boards_can_be_reached_as_in_the_referee() -> None:
    """Counted exactly, by playing every sequence of keys that comes to something new."""
    instance = instance_of("sokoban", ["#####", "#@  #", "# $ #", "#  .#", "#####"], None)
    here = reachable_here(instance)
    for made in (exporter.layout(instance), write_general(instance, None)):
        assert reachable_there(instance, made) == here
    assert len(here) == len(set(here)) > 40


def reachable_here(instance: Instance) -> set[tuple[frozenset[Piece], ...]]:
    """The boards that the referee reaches; play ends when the level is won."""
    first = initial_state(instance)
    seen, waiting = {first}, [first]
    while waiting:
        state = waiting.pop()
        if all(term.holds(instance, state) for term in instance.game.goal.terms):
            continue
        for action in all_actions(instance):
            try:
                after = step(instance, state, action)
            except IllegalAction:
                continue
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return {state.board for state in seen}


def reachable_there(instance: Instance, made: Layout) -> set[tuple[frozenset[Piece], ...]]:
    """The boards that the engine reaches."""
    import copy

    first = Run(instance, made, built_in(*split(made.text)))
    seen, waiting = {first.board()}, [first]
    while waiting:
        run = waiting.pop()
        if run.level.ended:
            continue
        for action in all_actions(instance):
            after = dataclasses.replace(run, level=copy.deepcopy(run.level))
            after.turn(action)
            if after.board() not in seen:
                seen.add(after.board())
                waiting.append(after)
    return seen


# --- how it is verified, and that it notices ------------------------------------------------------------------


@pytest.mark.parametrize("level", EXPORTED)
def test_verification_passes_and_says_what_it_did(level: str) -> None:
    instance = levels.load(level)
    checks = list(exporter.verify(instance, exporter.export(instance)))
    assert all(check.passed for check in checks), checks
    engines = {check.what.rpartition(" in ")[2] for check in checks}
    assert engines == {"the built-in engine"} | ({"py-vgdl"} if pyvgdl.available() is None else set())
    plans = len(instance.level.known.wins) + len(instance.level.known.loses)
    assert len(checks) == len(engines) * (plans + 1)
    (plan, *_) = instance.level.known.wins or (Plan(),)
    with_plan = list(exporter.verify(instance, exporter.export(instance, plan), plan))
    assert [check.passed for check in with_plan] == [True] * len(engines)


SPOILT = {
    "the horizon": ("limit=19", "limit=18"),
    "the budget": ("resource=placed limit=3", "resource=placed limit=2"),
    "a wall": ("~XX...X.XTX~", "~XX...X..TX~"),
    "what stops a walker": ("wall brick edge", "wall edge"),
    "the ending": ("limit=1 win=True", "limit=1 win=False"),
    "a direction": ("go_left > Conveyor orientation=LEFT", "go_left > Conveyor orientation=RIGHT"),
    "a name": ("brick", "bricks"),
    "a line": ("        cursor go > transformTo stype=watcher\n", ""),
    "the map": ("# ---- map ----", "# ---- end ----"),
}


@pytest.mark.parametrize("what", SPOILT)
def test_verification_notices(what: str) -> None:
    instance = levels.load("lemmings/seed")
    text = exporter.export(instance)
    old, new = SPOILT[what]
    assert old in text
    checks = list(exporter.verify(instance, text.replace(old, new)))
    assert not all(check.passed for check in checks)
    assert all(check.detail for check in checks)


def test_a_recording_that_differs_is_noticed(tmp_path: Path) -> None:
    instance = levels.load("sokoban/first")
    recording = record(instance, built_in, turns=40)  # type: ignore[arg-type]
    file = tmp_path / "recording.json.gz"
    file.write_bytes(packed(recording))
    assert packed(recording) == packed(record(instance, built_in, turns=40)), "the same bytes each time"  # type: ignore[arg-type]
    kept = read_recording(file)
    assert list(replayed(kept, built_in)) == []  # type: ignore[arg-type]
    longest = max(kept["runs"], key=lambda run: len(run["ticks"]))
    longest["ticks"][2] += "; +wall@0,0"
    assert len(list(replayed(kept, built_in))) == 1  # type: ignore[arg-type]
    kept["start"] = kept["start"][1:]
    assert next(replayed(kept, built_in)) == "the level does not begin as recorded"  # type: ignore[arg-type]


@pytest.mark.parametrize("data", [b"", b"x", gzip.compress(b"{"), gzip.compress(json.dumps({"level": 1}).encode())])
def test_what_is_no_recording_is_an_error(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "x.json.gz"
    file.write_bytes(data)
    with pytest.raises(DescriptionError, match="is no recording"):
        read_recording(file)


def test_the_command_records(tmp_path: Path) -> None:
    oracle()
    record_command([str(tmp_path), "sokoban/first", "--turns", "30"])
    recording = read_recording(tmp_path / "sokoban-first.json.gz")
    assert recording["turns"] >= 30 and list(replayed(recording, built_in)) == []  # type: ignore[arg-type]


# --- what is refused ------------------------------------------------------------------------------------------


def test_a_game_of_deduction_is_refused_with_every_reason() -> None:
    instance = levels.load("sudoku/paper-4x4")
    with pytest.raises(UnsupportedFeature) as caught:
        export(instance, "vgdl")
    told = {finding.message: finding.place for finding in caught.value.findings}
    assert set(told) == {
        "vgdl does not support a design that fills every free cell",
        "vgdl does not support the goal word `different`",
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
    "two verbs": ({"player": '[input]\nverbs = ["jump", "duck"]\n' + STEP.format(word="jump")}, "has one key", "[input]"),
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
        {"more": 'sign = { layer = "sign", facing = ["up", "down"] }', "player": '[design]\nplace = "sign"\nfree-of = ["home", "sign"]'},
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
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_carried_is_refused_with_its_place(name: str) -> None:
    parts, message, section = REFUSED[name]
    filled = {"kind": "", "more": "", "player": "", "win": "every thing on home", "numbers": "", "map": "o..h"} | parts
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
        expected = instance.game.name == "shove"
        assert (recognise(instance, compile_instance(instance)) is not None) == expected, instance.name
    text = (DATA / "shove.toml").read_text(encoding="utf-8")
    for old, new in (
        ("no stops-crates ahead.ahead => crate", "no stops-balls ahead.ahead => crate"),  # a fair variant
        ("=> crate ahead -> ahead.ahead, player here -> ahead", "=> crate ahead -> ahead.ahead"),
        ("crate ahead, no stops-crates ahead.ahead", "crate ahead, crate behind, no stops-crates ahead.ahead"),
        ("step: player here, no stops-crates ahead ", "step: player here, no stops-crates ahead, no wall behind "),
        ('grate = { layer = "solid" }', 'grate = { layer = "grate" }'),
        ("roll: player here, ball ahead, no stops", "roll toward left: player here, ball ahead, input right, no stops"),
    ):
        assert old in text
        game, kept = read_game(text.replace(old, new).encode(), "g.toml")
        instance = Instance(game, kept[0])
        assert (write_pushing(instance) is not None) == (old.startswith("no stops")), new
        made = exporter.layout(instance)
        assert not play_at_random(instance, made, made.text, built_in, 200).difference, new


# --- the text -------------------------------------------------------------------------------------------------


def test_the_text_is_two_strings_for_py_vgdl() -> None:
    text = exporter.export(levels.load("sokoban/first"))
    game, level_map = text.split("# ---- map ----\n")
    assert exporter.split(text) == (game, level_map)
    assert level_map == "wwwwww\nw....w\nw.$@.w\nw..a.w\nwwwwww\n"
    assert vgdl.build(vgdl.read(game), level_map).sprites()["player"] == ((2, 3),)
    with pytest.raises(DescriptionError, match="the text has no map"):
        exporter.split(game)


def test_the_text_with_a_plan_is_as_it_was(golden: Golden) -> None:
    instance = levels.load("lemmings/seed")
    golden("vgdl/placed/lemmings-seed.vgdl", exporter.export(instance, instance.level.known.wins[0]))


def test_the_general_scheme_writes_moves_as_it_did(golden: Golden) -> None:
    golden("vgdl/general/sokoban-first.vgdl", write_general(levels.load("sokoban/first"), None).text)


@pytest.mark.parametrize("instance", [pytest.param(levels.load(level), id=level) for level in EXPORTED] + ODD)
def test_an_export_takes_less_than_a_second(instance: Instance) -> None:
    best = 9.0
    for _ in range(3):  # the machine may be busy
        start = time.perf_counter()
        assert exporter.export(instance) == exporter.export(instance)
        best = min(best, (time.perf_counter() - start) / 2)
    assert best < 1


def test_names_and_titles_that_the_syntax_would_swallow() -> None:
    """Kinds called like sections, like Python's names or like nothing that can be; a title of several lines."""
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
            fields = {f.name: walk(getattr(value, f.name)) for f in dataclasses.fields(value) if f.name != "tile"}
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
    kinds = (*instance.game.kinds, *(Kind(name, "more") for name in ("wall-", "wall_", "-wall", "EOS", "self")))
    odd = dataclasses.replace(instance, game=dataclasses.replace(instance.game, kinds=kinds))
    made = write_general(odd, None)
    named = {piece.kind: key for key, piece in made.pieces.items()}
    assert len(set(named.values())) == len(kinds) == len(named)
    assert named["wall"] == "wall" and named["EOS"] != "EOS" and named["self"] != "self"
    assert vgdl.read(split(made.text)[0])


# --- the player's part ----------------------------------------------------------------------------------------


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
