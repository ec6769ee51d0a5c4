"""What has no short text goes out to GVGAI by the general scheme, and plays there as here."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path

import pytest

from ggp.exporters.vgdl import gvgai
from ggp.exporters.vgdl.gvgai.general import GvgaiGeneralWriter
from ggp.exporters.vgdl.gvgai.general.room import MOST_SPRITES
from ggp.exporters.vgdl.gvgai.judging import built_in
from ggp.exporters.vgdl.gvgai.record import seen, sorts
from ggp.exporters.vgdl.play import Build, Run, chooser, follow, play_at_random, random_design
from ggp.exporters.vgdl.record import read_recording, replayed
from ggp.exporters.vgdl.sheet import split
from ggp.language import levels
from ggp.language.description import read_file
from ggp.model import Instance
from ggp.model.features import missing
from tests.slow import few_or_many
from tests.unit.vgdl.test_meetings import drawn_at_random

DATA = Path(__file__).parents[2] / "data" / "vgdl"
RECORDED = sorted(path.name.removesuffix(".json.gz") for path in (DATA / "gvgai").glob("*.json.gz"))
MOVING = [levels.load(levels.levels(game)[0]) for game in levels.games()]
TAKEN = [
    one.name for one in MOVING if not missing(one, gvgai.FEATURES) and (one.game.input or one.game.physics)
]


def load(name: str) -> Instance:
    """The first level of a description beside the recordings."""
    game, (first, *_) = read_file(DATA / f"{name}.toml")
    return Instance(game, first)


def test_which_games_leave() -> None:
    """All that move, of the features that there are, but for two sorts to place."""
    refused = {name for name in TAKEN if gvgai.unfit(levels.load(name))}
    assert refused == {"springboards/step"}
    assert len(TAKEN) >= 16


@pytest.mark.parametrize("name", RECORDED)
def test_what_gvgai_did_is_reproduced(name: str) -> None:
    """The runs were recorded in GVGAI itself, of the text that is written today."""
    recording = read_recording(DATA / "gvgai" / f"{name}.json.gz")
    assert recording["text"] == gvgai.text(levels.load(recording["level"]))
    assert recording["turns"] >= 10
    assert list(replayed(recording, seen(built_in), sorts)) == []


@pytest.mark.parametrize("name", ["lamps", "pictures", "crowd"])
def test_what_no_built_in_game_has_is_played_alike(name: str) -> None:
    """Rules that ask of the whole board, pictures, several markers, pieces that merge."""
    instance = load(name)
    assert not gvgai.unfit(instance)
    made = GvgaiGeneralWriter(instance, None).write()
    assert not play_at_random(instance, made, made.text, built_in, 10, seed=2).difference


@few_or_many("number", 2, 200)
def test_games_drawn_at_random_are_played_alike(number: int) -> None:
    """Those that have a short text take the general scheme as well."""
    rng, left = random.Random(11), number
    while left:
        instance = drawn_at_random(rng)
        if instance is not None and not gvgai.unfit(instance):
            left -= 1
            made = GvgaiGeneralWriter(instance, None).write()
            assert not play_at_random(instance, made, made.text, built_in, 20).difference, instance


@pytest.mark.parametrize("placed", [False, True])
def test_a_design_is_placed_by_hand_or_before(placed: bool) -> None:
    instance = levels.load("lemmings/seed")
    plan = instance.level.known.wins[0] if placed else None
    checks = list(gvgai.verify_turns(instance, gvgai.text(instance, plan), plan, 20))
    assert checks and all(check.passed for check in checks)


# Each line is needed, and is where it must be.
SPOILT = [
    ("lights-out/first", "told_click cursor > spawn stype=picked", "told_click cursor > stepBack"),
    ("lights-out/first", "told here_10 > transformTo stype=idle", "told here_10 > stepBack"),
    ("lights-out/first", "clock turn > changeResource resource=turns value=1", "clock turn > stepBack"),
    ("lights-out/first", "picked here_6 > killSprite", "picked here_6 > stepBack"),
    ("lemmings/seed", "stypeCount=brick leq=2", "stypeCount=brick leq=1"),
    (
        "lemmings/seed",
        "watcher here_2 > transformToAll stype=idle stypeTo=told_run",
        "watcher here_2 > stepBack",
    ),
    ("peg-solitaire/first", "armed hold > transformTo stype=cursor", "armed hold > stepBack"),
]


@pytest.mark.parametrize(("name", "old", "new"), SPOILT)
def test_a_text_that_is_spoilt_is_noticed(name: str, old: str, new: str) -> None:
    instance = levels.load(name)
    made = gvgai.written(instance)
    assert made.text.count(old) == 1
    assert play_at_random(instance, made, made.text.replace(old, new), built_in, 60).difference


def test_the_scheme_says_what_the_idiom_says() -> None:
    instance = levels.load("sokoban/first")
    idiom, general = gvgai.by_idiom(instance), GvgaiGeneralWriter(instance, None).write()
    assert idiom is not None and len(idiom.text) < len(general.text) / 5
    assert not play_at_random(instance, general, general.text, built_in, 60).difference


def test_no_tick_comes_to_more_sprites_than_was_said() -> None:
    """GVGAI leaves out what is beyond its limit, and does not say so."""
    for name in ("boulder-dash/first", "lights-out/first"):
        instance = levels.load(name)
        writer = GvgaiGeneralWriter(instance, None)
        made = writer.write()
        assert most_made(instance, made.text, built_in) <= writer.most_sprites() <= MOST_SPRITES
    of_one = levels.load("lasertank/bridge")  # however far its beam goes there is one
    assert not gvgai.unfit(of_one)
    large = levels.load("samegame/four-rows")
    (found,) = gvgai.unfit(large)
    assert "gvgai makes no more than 10,000 sprites" in found.message


def most_made(instance: Instance, text: str, build: Build) -> int:
    """The most sprites that there were in a tick of some random turns, those included that were killed."""
    made, most = gvgai.written(instance), 0
    level = build(*split(text))
    run = Run(instance, dataclasses.replace(made, text=text), level)
    rng = random.Random(1)

    def note(key: str) -> None:
        nonlocal most
        most = max(most, level.births + sum(map(len, level.sprites().values())))  # type: ignore[attr-defined]

    run.after_tick = note
    follow(run, random_design(instance, rng), chooser(instance, rng))
    return most
