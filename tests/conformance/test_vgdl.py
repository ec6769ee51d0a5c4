"""What is exported to VGDL behaves there as in the referee, turn by turn: in the built-in engine, in the
traces that py-vgdl left, and in py-vgdl itself where it is installed.

The recordings in `tests/data/vgdl` are made by `ggp.exporters.vgdl_record`; the descriptions beside them use
what no built-in game uses.
"""

from __future__ import annotations

import dataclasses
import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ggp import levels
from ggp.description import read_file
from ggp.engines import pyvgdl, vgdl
from ggp.engines.vgdl.ontology import BASES, EFFECTS
from ggp.errors import DescriptionError, IllegalAction, Place, UnsupportedFeature
from ggp.exporters import vgdl as exporter
from ggp.exporters.vgdl_general import write_general
from ggp.exporters.vgdl_play import Build, Run, built_in, follow_plan, play_at_random
from ggp.exporters.vgdl_record import main as record_command
from ggp.exporters.vgdl_record import packed, read_recording, record, replayed
from ggp.exporters.vgdl_sheet import Layout, split
from ggp.features import missing
from ggp.maps import read_board, symbols_of
from ggp.model import Instance, Level, Piece, Plan
from ggp.semantics import all_actions, initial_state, step
from tests.oracles import random_vgdl
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


# --- the referee, the built-in engine, py-vgdl ----------------------------------------------------------


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
    assert recording["text"] == exporter.layout(levels.load(level)).text, (
        f"the export has changed: record it {how}"
    )
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


def test_what_py_vgdl_did_in_random_games_is_reproduced() -> None:
    """Beyond what exports use: every supported class and effect, errors included."""
    recording = json.loads(gzip.decompress((DATA / "random-games.json.gz").read_bytes()))
    assert len(recording["games"]) >= random_vgdl.GAMES
    for game in recording["games"]:
        ticks = random_vgdl.trace(played, game["text"], game["map"], game["keys"])
        assert ticks == game["ticks"], game["text"]
    texts = "".join(game["text"] for game in recording["games"])
    assert [name for name in (*BASES, *EFFECTS) if f"> {name}" not in texts] == []
    faults = sum(random_vgdl.FAULT in game["ticks"] for game in recording["games"])
    assert 0 < faults < len(recording["games"]) / 2


def test_random_games_agree_in_py_vgdl() -> None:
    build = oracle()
    for _, (text, level_map, keys) in zip(range(300), random_vgdl.random_games(7), strict=False):
        ours = random_vgdl.trace(played, text, level_map, keys)
        assert ours == random_vgdl.trace(build, text, level_map, keys), text


def played(game: str, level_map: str) -> Any:
    """A level in the built-in engine."""
    return vgdl.build(vgdl.read(game), level_map)


def instance_of(
    game: str, rows: list[str], horizon: int | None, when: Any = None, **numbers: int
) -> Instance:
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
            when, budget = "any-turn" if number % 4 == 1 else None, rng.randint(0, 3)
            instance = instance_of("lemmings", lemmings_map(rng), rng.randint(1, 9), when, budget=budget)
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
    instance = instance_of("sokoban", ["@  ", " $ ", "  ."], None)
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


# --- how it is verified, and that it notices ------------------------------------------------------------


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
    recording = record(instance, built_in, turns=40)
    file = tmp_path / "recording.json.gz"
    file.write_bytes(packed(recording))
    assert packed(recording) == packed(record(instance, built_in, turns=40)), "the same bytes each time"
    kept = read_recording(file)
    assert list(replayed(kept, built_in)) == []
    longest = max(kept["runs"], key=lambda run: len(run["ticks"]))
    longest["ticks"][2] += "; +wall@0,0"
    assert len(list(replayed(kept, built_in))) == 1
    kept["start"] = kept["start"][1:]
    assert next(replayed(kept, built_in)) == "the level does not begin as recorded"


@pytest.mark.parametrize("data", [b"", b"x", b"{", b'{"level": 1}'])
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "packed"])
def test_what_is_no_recording_is_an_error(data: bytes, pack: Any, tmp_path: Path) -> None:
    file = tmp_path / "x.json.gz"
    file.write_bytes(pack(data))
    with pytest.raises(DescriptionError, match="is no recording"):
        read_recording(file)


def test_the_command_records(tmp_path: Path) -> None:
    oracle()
    record_command([str(tmp_path), "sokoban/first", "--turns", "30"])
    recording = read_recording(tmp_path / "sokoban-first.json.gz")
    assert recording["turns"] >= 30 and list(replayed(recording, built_in)) == []
