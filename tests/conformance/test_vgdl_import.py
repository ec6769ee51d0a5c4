"""VGDL games that have come in are played beside the engines, and these beside what GVGAI itself did.

`tests/data/vgdl/games` holds small games, a construct or a few each. `gvgai-traces.json.gz` was recorded from
GVGAI (Java): for each of them keys, the board before each tick, and how it ended.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ggp.engines import gvgai, pyvgdl
from ggp.engines.vgdl.gvgai import GvgaiLevel
from ggp.importers.vgdl.dialects import GVGAI, PY_VGDL, Dialect
from ggp.importers.vgdl.reading import read
from tests.slow import few_or_many, one_in
from tests.vgdl_beside import GAMES, names, play, theirs
from tests.vgdl_beside import read as read_game

# Where two meet that only the lists of an engine tell apart, or something leaves the map.
MAY_STOP = {"airdrop", "drift", "ferry", "flak", "pydarts", "pyface", "pypurse", "pyround", "signals"}


@few_or_many("turns", 100, 10_000)
@pytest.mark.parametrize("name", one_in(8, names()))
def test_a_game_steps_as_its_engine_does(name: str, turns: int) -> None:
    found = read_game(name)
    for number in range(len(found.levels)):
        tally = play(found, number, turns)
        assert not tally.difference
        assert tally.turns == turns
        assert not tally.stops or name in MAY_STOP


@few_or_many("turns", 100, 10_000)
@pytest.mark.parametrize("name", names())
def test_a_game_steps_as_the_engine_that_nobody_here_wrote(name: str, turns: int) -> None:
    """The same beside py-vgdl, or GVGAI itself, each with the games of its dialect."""
    found = read_game(name)
    text, foreign = (GAMES / f"{name}.txt").read_text(), gvgai
    if found.theirs.dialect is PY_VGDL:
        foreign = pyvgdl
    if (reason := foreign.available()) is not None:
        pytest.skip(reason)
    if found.lower.block > 1:
        pytest.skip("parts of cells are not told from outside GVGAI")
    with opened(found.theirs.dialect) as build:
        for number, level_map in enumerate(found.maps):
            tally = play(found, number, turns, begin=partial(build, text, level_map))
            assert not tally.difference and tally.turns == turns


@contextmanager
def opened(dialect: Dialect) -> Iterator[Callable[[str, str], Any]]:
    """What builds a level in the engine of a dialect."""
    if dialect is PY_VGDL:
        yield pyvgdl.build
        return
    with gvgai.opened(seconds=3_600) as process:
        yield process.build


def test_a_changed_rule_is_noticed() -> None:
    found, other = read_game("crates"), read_game("keys")
    wrong = found._replace(game=other.game, levels=other.levels, lower=other.lower)
    assert play(wrong, 0, 50).difference


def traces() -> list[Any]:
    """What GVGAI did."""
    kept = gzip.decompress((GAMES / "gvgai-traces.json.gz").read_bytes())
    return [pytest.param(one, id=f"{one['game']}-{n}") for n, one in enumerate(json.loads(kept))]


@pytest.mark.parametrize("trace", traces())
def test_the_engine_does_what_gvgai_did(trace: dict[str, Any]) -> None:
    game = read((GAMES / trace["game"]).read_text(), trace["game"], GVGAI)
    level = GvgaiLevel(game, (GAMES / trace["level"]).read_text())
    for key, board in zip(trace["keys"], trace["boards"], strict=False):
        then = {
            name: tuple(sorted((row * level.block, column * level.block) for row, column in cells))
            for name, cells in board.items()
        }
        if level.ended:
            assert then == theirs(level)  # the last board is that of the end
            break
        assert theirs(level) == then
        level.tick(key)
    if trace["won"] is not None:
        assert level.ended and bool(level.won) == trace["won"]


def test_levels_are_found_beside_the_game(tmp_path: Path) -> None:
    for suffix in ("", "_lvl0", "_lvl1"):
        source = "crates_lvl0" if suffix else "crates"
        (tmp_path / f"two{suffix}.txt").write_text((GAMES / f"{source}.txt").read_text())
    from ggp.language import levels

    assert [one.name for one in levels.every(str(tmp_path / "two.txt"))] == ["two/1", "two/2"]
    assert levels.load(f"{tmp_path / 'two.txt'}#2").level.name == "2"


@pytest.mark.parametrize("seed", range(3))
def test_spoilt_files_are_refused_or_read(seed: int, tmp_path: Path) -> None:
    """Whatever a line becomes, there is a finding with its place, or a game."""
    from ggp.errors import PuzzleError
    from ggp.importers import vgdl

    rng = random.Random(seed)
    for name in names():
        lines = (GAMES / f"{name}.txt").read_text().split("\n")
        at = rng.randrange(len(lines))
        lines[at] = rng.choice(
            ["", "    x", lines[at].replace(">", ""), lines[at] + " x=1", "\t" + lines[at]]
        )
        (tmp_path / f"{name}_lvl0.txt").write_text((GAMES / f"{name}_lvl0.txt").read_text())
        path = tmp_path / f"{name}.txt"
        path.write_text("\n".join(lines))
        try:
            game, _ = vgdl.read(path.read_bytes(), str(path))
        except PuzzleError as error:
            assert all(one.place is not None and one.place.line for one in error.findings)
        else:
            assert game.turn
