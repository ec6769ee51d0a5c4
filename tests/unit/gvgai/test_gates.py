"""One-way gates, and several who slide, go out to GVGAI."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ggp.exporters.vgdl import gvgai
from ggp.exporters.vgdl.gvgai import judging
from ggp.exporters.vgdl.gvgai.crowd import CrowdWriter
from ggp.exporters.vgdl.gvgai.gates import GatesWriter, number
from ggp.exporters.vgdl.play import follow_plan, play_at_random
from ggp.exporters.vgdl.walking import meetings
from ggp.language import levels
from ggp.language.description import read_game
from ggp.model import OFFSETS, Instance, Plan
from ggp.tasks.exporting import export_together, verify_together
from ggp.transition.compiler import compile_instance
from tests.slow import few_or_many, one_in

DESCRIPTIONS = Path(__file__).parents[3] / "descriptions"
YARD = "@.o>.v\n.^o.o.\n.<.v#.\no.>o.E"


def drawn(game: str, rows: str, *, horizon: int = 40, old: str = "", new: str = "") -> Instance:
    """A level of a game of ours; in its description `old` may be put otherwise."""
    text = (DESCRIPTIONS / f"{game}.toml").read_text(encoding="utf-8").replace(old, new)
    level = f'[[level]]\nhorizon = {horizon}\nmap = """\n{rows}\n"""\n'
    read, (only,) = read_game((text[: text.index("[[level]]")] + level).encode(), f"{game}.toml")
    return Instance(read, only)


def plays(instance: Instance, turns: int, old: str = "", new: str = "") -> str:
    """How play in the built-in engine differs, with `old` in the text put otherwise."""
    made = gvgai.written(instance)
    assert made is not None and old in made.text
    text = made.text.replace(old, new, 1)
    return play_at_random(instance, made, text, judging.built_in, turns).difference


# --- gates ------------------------------------------------------------------------------------------------


def test_cells_of_one_number_are_not_beside_the_same_cell() -> None:
    cells = [(row, column) for row in range(6) for column in range(6)]
    for row, column in cells:
        near = [(row + down, column + right) for down, right in OFFSETS.values()]
        assert len({number(cell) for cell in (*near, (row, column))}) == 5


def test_what_gates_stop() -> None:
    yard = drawn("psychopath-2", YARD)
    transition = compile_instance(yard)
    assert meetings(yard, transition) is None
    found = meetings(yard, transition, gates=True)
    assert found is not None
    planes = transition.planes
    assert {str(planes[plane]) for plane in found.gates.walk} == {"gate:right", "gate:down", "gate:left"}
    assert found.gates.push == found.gates.walk
    assert {planes[plane].kind for plane in found.blockers} == {"block", "hole", "movable"}


@few_or_many("turns", 150, 3_000)
def test_gates_let_in_one_way(turns: int) -> None:
    yard = drawn("psychopath-2", YARD)
    assert isinstance(gvgai.writer_of(yard), GatesWriter)
    assert not plays(yard, turns)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("player barred_0 barred_1 barred_2 barred_3 barred_4 > stepBack", ""),
        ("player stuck > stepBack", ""),
        ("stuck earth > killSprite", ""),
        ("earth player > transformToAll stype=barred_1 stypeTo=open_1", ""),
        ("earth player > transformToAll stype=held_1 stypeTo=free_1", ""),
        ("beside_1 player > transformToAll stype=open_1 stypeTo=barred_1", ""),
        ("behind_1 player > transformToAll stype=free_1 stypeTo=held_1", ""),
    ],
)
def test_each_line_about_gates_is_needed(old: str, new: str) -> None:
    assert plays(drawn("psychopath-2", YARD), 600, old, new)


def test_a_gate_that_goes_is_none() -> None:
    """What bars the way is where it was when the level began; so it takes the general scheme."""
    old, new = (
        "no hole ahead => player here -> ahead",
        "no hole ahead => player here -> ahead, remove gate ahead",
    )
    assert gvgai.by_idiom(drawn("psychopath-2", YARD)) is not None
    assert gvgai.by_idiom(drawn("psychopath-2", YARD, old=old, new=new)) is None


@few_or_many("number", 3, None)
def test_all_levels_of_a_game_with_gates_go_out_together(number: int | None) -> None:
    every = levels.every("psychopath-2")[:number]
    text = export_together(every, "gvgai").text
    assert all(check.passed for check in verify_together(every, "gvgai", text, turns=8))


# --- several who slide ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["two", "pair", "floe", "three"])
@few_or_many("turns", 40, 1_000)
def test_several_slide_at_once(name: str, turns: int) -> None:
    one = levels.load(f"polar-slide/{name}")
    made = gvgai.written(one)
    assert isinstance(gvgai.writer_of(one), CrowdWriter) and made is not None
    assert not plays(one, turns)
    for actions in (*one.level.known.wins, *one.level.known.loses):
        outcome = follow_plan(one, made, made.text, judging.built_in, Plan((), actions.actions))
        assert not outcome.difference


@pytest.mark.parametrize("rows", one_in(2, ["@@@.#E", "E@.@@\n.....\n@..#.", "E\n@\n@", "@E"], 1))
def test_those_who_slide_are_in_each_others_way(rows: str) -> None:
    assert not plays(drawn("polar-slide", rows, horizon=12), 150)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("gliding_2 gliding_2 > stepBack", ""),
        ("ice player > killAll stype=idle", ""),
        ("back idle > transformTo stype=ball", ""),
        ("home done > spawn stype=idle", ""),
        ("home done > changeResource resource=turns value=1", ""),
        ("stop back > transformToAll stype=rest stypeTo=ice", ""),
        ("pad_up hand > transformToAll stype=there stypeTo=going_up", ""),
    ],
)
def test_each_line_about_those_who_slide_is_needed(old: str, new: str) -> None:
    assert plays(drawn("polar-slide", "E@@@.#\n......\n....E.", horizon=9), 600, old, new)


def test_who_is_at_rest_on_an_exit_is_another() -> None:
    rows, line = "@.E\n@.E", "player exit_2 > transformTo stype=there"
    assert not plays(drawn("polar-slide", rows), 20) and plays(drawn("polar-slide", rows), 20, line)


def test_levels_with_one_and_with_several_go_out_together() -> None:
    some = [levels.load(f"polar-slide/{name}") for name in ("first", "two", "three")]
    text = export_together(some, "gvgai").text
    assert all(check.passed for check in verify_together(some, "gvgai", text, turns=20))


def test_of_several_whose_loss_counts_them_nothing_short_is_written() -> None:
    one = drawn("polar-slide", "@@..E", old="[objectives]", new="[objectives]\n")
    lost = replace(one, game=replace(one.game, goal=replace(one.game.goal, lose=one.game.goal.terms)))
    assert gvgai.by_idiom(lost) is None
    both = [lost, lost]
    text = export_together(both, "gvgai").text
    assert all(check.passed for check in verify_together(both, "gvgai", text, turns=10))
