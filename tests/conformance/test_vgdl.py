"""What is exported to VGDL behaves there as in the referee, turn by turn: in the built-in engine, in the
traces that py-vgdl left, and in py-vgdl itself where it is installed.

The recordings in `tests/data/vgdl` are made by `ggp.exporters.vgdl.record`; the descriptions beside them use
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

from ggp.bench.reachable import by_transition, by_vgdl
from ggp.engines import pyvgdl, vgdl
from ggp.errors import DescriptionError, Place, PuzzleError
from ggp.exporters import vgdl as exporter
from ggp.exporters.vgdl.general import write_general
from ggp.exporters.vgdl.play import Build, affordable, built_in, follow_plan, play_at_random
from ggp.exporters.vgdl.record import MOST_TURNS, packed, read_recording, record, replayed
from ggp.exporters.vgdl.record import main as record_command
from ggp.importers.vgdl.facts import WALKS
from ggp.importers.vgdl.ontology import BASES, EFFECTS
from ggp.language import levels
from ggp.language.description import read_file
from ggp.language.maps import read_board, symbols_of
from ggp.model import Instance, Level, Plan
from ggp.model.features import missing
from tests.conformance.test_puzzlescript import wins_early
from tests.oracles import random_vgdl
from tests.oracles.random_maps import lemmings_map, sokoban_map
from tests.slow import few_or_many, one_in
from tests.solver_levels import GAMES

Golden = Any  # tests/conftest.py
DATA = Path(__file__).parents[1] / "data" / "vgdl"
FEWER = 300  # turns of the odd games, which have many effects


def built_in_levels() -> Iterator[str]:
    """The first level of each built-in game that the exporter takes."""
    for game in levels.games():
        name = levels.levels(game)[0]
        first = levels.load(name)
        if not missing(first, exporter.FEATURES) and not exporter.unfit(first):
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


MOVING = {game for game in GAMES if levels.load_game(game)[0].input is not None}


def test_every_game_that_should_be_exported_is() -> None:
    """All that take inputs: of each at least the first level. Larger ones may be refused for their size."""
    assert {level.partition("/")[0] for level in EXPORTED} == MOVING | {"lemmings"}
    assert len(MOVING) >= 12 and len(ODD) >= 12


# --- the referee, the built-in engine, py-vgdl ----------------------------------------------------------


@pytest.mark.parametrize("level", one_in(4, EXPORTED))
def test_random_turns_agree(level: str) -> None:
    """As many as are quickly played; `ggp export LEVEL --to vgdl --verify-turns N` plays more."""
    instance = levels.load(level)
    made = exporter.layout(instance)
    turns = affordable(made, MOST_TURNS)
    outcome = play_at_random(instance, made, made.text, built_in, turns, seed=1)
    assert not outcome.difference
    assert outcome.turns >= turns


@pytest.mark.parametrize("level", one_in(4, EXPORTED, 1))
def test_random_turns_agree_in_py_vgdl(level: str) -> None:
    build, instance = oracle(), levels.load(level)
    made = exporter.layout(instance)
    turns = affordable(made, MOST_TURNS) // 10
    outcome = play_at_random(instance, made, made.text, build, turns, seed=2)
    assert not outcome.difference and outcome.turns >= turns


@pytest.mark.parametrize("level", one_in(4, EXPORTED, 1))
def test_what_py_vgdl_did_is_reproduced(level: str) -> None:
    """Every sprite, resource and ending after every tick of the recorded runs."""
    file = DATA / f"{level.replace('/', '-')}.json.gz"
    how = f"with py-vgdl installed: python -m ggp.exporters.vgdl.record tests/data/vgdl {level}"
    assert file.exists(), f"there is no recording of {level}; make it {how}"
    recording, made = read_recording(file), exporter.layout(levels.load(level))
    assert recording["turns"] >= affordable(made, MOST_TURNS)
    assert recording["text"] == made.text, f"the export has changed: record it {how}"
    assert list(replayed(recording, built_in)) == []


@pytest.mark.parametrize("instance", one_in(6, ODD, 2))
def test_odd_games_agree(instance: Instance) -> None:
    made = exporter.layout(instance)
    turns = FEWER // 5 if made.hand == "cursor" else FEWER  # a cursor has far to walk
    outcome = play_at_random(instance, made, made.text, built_in, turns, seed=3)
    assert not outcome.difference
    assert outcome.turns >= turns or instance.level.horizon == 0


@pytest.mark.parametrize("instance", one_in(2, ODD, 1))
def test_odd_games_agree_in_py_vgdl(instance: Instance) -> None:
    build, made = oracle(), exporter.layout(instance)
    assert not play_at_random(instance, made, made.text, build, FEWER // 5, seed=4).difference


@pytest.mark.parametrize("level", one_in(2, EXPORTED))
def test_known_plans_go_as_they_should(level: str) -> None:
    """With the player's part, and with the design already placed."""
    instance = levels.load(level)
    for plan in (*instance.level.known.wins, *instance.level.known.loses):
        for placed in (None, plan):
            made = exporter.layout(instance, placed)
            outcome = follow_plan(instance, made, made.text, built_in, plan)
            assert not outcome.difference
            assert outcome.won == (plan in instance.level.known.wins or wins_early(instance, plan))


def test_what_py_vgdl_did_in_random_games_is_reproduced() -> None:
    """Beyond what exports use: every supported class and effect, errors included."""
    recording = json.loads(gzip.decompress((DATA / "random-games.json.gz").read_bytes()))
    assert len(recording["games"]) >= random_vgdl.GAMES
    for game in recording["games"]:
        ticks = random_vgdl.trace(played, game["text"], game["map"], game["keys"])
        assert ticks == game["ticks"], game["text"]
    texts = "".join(game["text"] for game in recording["games"])
    plain = [name for name, base in BASES.items() if base.does not in WALKS]  # chance: test_vgdl_chance
    assert [name for name in (*plain, *EFFECTS) if f"> {name}" not in texts] == []
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


@few_or_many("number_of_maps", 12, 60)
def test_random_levels_agree(number_of_maps: int) -> None:
    """Small maps of both games: open edges, several walkers, crates in corners, every horizon."""
    rng = random.Random(5)
    refused = 0
    for number in range(number_of_maps):
        if number % 2:
            when, budget = "any-turn" if number % 4 == 1 else None, rng.randint(0, 3)
            instance = instance_of("lemmings", lemmings_map(rng), rng.randint(1, 9), when, budget=budget)
        else:
            instance = instance_of("sokoban", sokoban_map(rng), rng.choice([None, 3, 10]))
        if found := exporter.unfit(instance):
            assert "this one is before the first" in str(found)
            refused += 1
            continue
        made = exporter.layout(instance)
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


TINY = {
    "sokoban": ["@  ", " $ ", "  ."],
    "psychopath": ["@o.", "..E"],
    "psychopath-2": ["@oO", ".>E"],
    "polar-slide": ["@..", ".#.", "..E"],
    "peg-solitaire": ["oo.o."],
    "rush-hour": ["()..E"],
    "lights-out": ["o.", ".o"],
    "bouncers": ["@ >", "  O"],
    "boulder-dash": ["@o", "E*"],
    "fire-and-ice": ["> o *", "#####"],
    "lasertank": [">%F"],
    "samegame": ["rrg", "ggr"],
    "atomix": ["HO.H"],
    "vault": ["@.*", "._V"],
}


@pytest.mark.parametrize("game", one_in(4, sorted(MOVING)))
def test_as_many_boards_can_be_reached_as_in_the_compiled_program(game: str) -> None:
    """Counted exactly, by playing every sequence of inputs that comes to something new."""
    assert game in TINY, "give it a level on which few boards can be reached"
    first = levels.load(levels.levels(game)[0])
    board = instance_of(game, TINY[game], None).level.board
    one = Instance(first.game, dataclasses.replace(first.level, board=board, horizon=None))
    there = by_vgdl(one, built_in)
    assert there == {state.board for state in by_transition(one)}
    assert len(there) > 2


# --- how it is verified, and that it notices ------------------------------------------------------------


@pytest.mark.parametrize("level", one_in(4, EXPORTED, 1))
def test_verification_passes_and_says_what_it_did(level: str) -> None:
    instance = levels.load(level)
    checks = list(exporter.verify(instance, exporter.text(instance)))
    assert all(check.passed for check in checks), checks
    engines = {check.what.rpartition(" in ")[2] for check in checks}
    assert engines == {"the built-in engine"} | ({"py-vgdl"} if pyvgdl.available() is None else set())
    plans = len(instance.level.known.wins) + len(instance.level.known.loses)
    assert len(checks) == len(engines) * (plans + 1)
    (plan, *_) = instance.level.known.wins or (Plan(),)
    with_plan = list(exporter.verify(instance, exporter.text(instance, plan), plan))
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
    text = exporter.text(instance)
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


class Wrong:
    """An engine that is wrong: it turns one key into another, or shows a wall elsewhere after some ticks."""

    def __init__(self, game: str, level_map: str, what: str) -> None:
        self.level, self.what, self.ticks = built_in(game, level_map), what, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.level, name)

    def tick(self, key: str = "noop") -> None:
        self.ticks += 1
        self.level.tick("right" if self.what == "a key" and key == "left" else key)

    def sprites(self, keys: Any = None) -> dict[str, tuple[tuple[int, int], ...]]:
        there = self.level.sprites(keys)
        if self.what == "a wall" and self.ticks > 3 and "wall" in there:
            there["wall"] = there["wall"][1:]
        return there


@pytest.mark.parametrize("what", ["a key", "a wall"])
def test_a_wrong_engine_is_not_recorded(what: str) -> None:
    """Neither one that the referee contradicts, nor one in which things move that stand still."""
    with pytest.raises(PuzzleError, match="an error of the exporter"):
        record(levels.load("sokoban/first"), lambda *text: Wrong(*text, what), turns=40)
    assert record(levels.load("sokoban/first"), lambda *text: Wrong(*text, "nothing"), turns=40)


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
