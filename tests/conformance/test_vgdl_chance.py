"""VGDL games with chance: what GVGAI or py-vgdl drew, ours draws; what ours draws, the imported game lists.

`tests/data/vgdl/chance` holds small games. `gvgai-traces.json.gz` was recorded from GVGAI (Java), with the
seed of its generator, which `JavaRandom` does over: the same numbers must lead to the same boards. So was
`pyvgdl-traces.json.gz` from py-vgdl, whose generator is Python's own.
"""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ggp.engines import gvgai, pyvgdl
from ggp.engines.vgdl import build
from ggp.engines.vgdl.gvgai import GvgaiLevel
from ggp.engines.vgdl.luck import Seeded
from ggp.importers.vgdl import Look, look
from ggp.importers.vgdl.dialects import GVGAI
from ggp.importers.vgdl.reading import read
from ggp.model import Group, Instance
from ggp.model.board import Action
from ggp.referee.dice import every_way
from ggp.referee.semantics import initial_state, step
from tests.slow import few_or_many, one_in, slow_unless
from tests.vgdl_beside import KEYS, LONGEST, ours, theirs
from tests.vgdl_guided import play

GAMES = Path(__file__).parent.parent / "data" / "vgdl" / "chance"
OF_PY_VGDL = ("pyflock",)
NAMES = sorted(path.stem for path in GAMES.glob("*.txt") if "_lvl" not in path.stem)


class JavaRandom:
    """The generator of Java's library, as its documentation defines it."""

    def __init__(self, seed: int) -> None:
        self.state = (seed ^ 0x5DEECE66D) & (1 << 48) - 1

    def bits(self, count: int) -> int:
        """The next number of so many bits."""
        self.state = (self.state * 0x5DEECE66D + 0xB) & (1 << 48) - 1
        return self.state >> 48 - count

    def below(self, count: int) -> int:
        """See `ggp.engines.vgdl.luck.Luck`."""
        if count & count - 1 == 0:
            return count * self.bits(31) >> 31
        while True:
            drawn = self.bits(31)
            if drawn - drawn % count + count - 1 < 1 << 31:
                return drawn % count

    def single(self) -> float:
        """See `ggp.engines.vgdl.luck.Luck`."""
        return self.bits(24) / (1 << 24)

    def double(self) -> float:
        """See `ggp.engines.vgdl.luck.Luck`."""
        return ((self.bits(26) << 27) + self.bits(27)) / (1 << 53)


def traces(engine: str = "gvgai") -> list[Any]:
    """What GVGAI did, or py-vgdl."""
    kept = gzip.decompress((GAMES / f"{engine}-traces.json.gz").read_bytes())
    return [pytest.param(one, id=f"{one['game']}-{n}") for n, one in enumerate(json.loads(kept))]


@pytest.mark.parametrize("trace", traces())
def test_the_engine_draws_what_gvgai_drew(trace: dict[str, Any]) -> None:
    game = read((GAMES / trace["game"]).read_text(), trace["game"], GVGAI)
    level = GvgaiLevel(game, (GAMES / trace["level"]).read_text(), JavaRandom(trace["seed"]))
    for key, board in zip(trace["keys"], trace["boards"], strict=True):
        here = {name: cells for name, cells in theirs(level).items() if name not in ("floor", "wall")}
        assert here == {name: tuple(sorted(map(tuple, cells))) for name, cells in board.items()}
        level.tick(key)
    assert trace["won"] is None or (level.ended and bool(level.won) == trace["won"])


@pytest.mark.parametrize("trace", traces("pyvgdl"))
def test_the_engine_draws_what_py_vgdl_drew(trace: dict[str, Any]) -> None:
    """Its generator is Python's own, of which a seed is kept."""
    game = read((GAMES / trace["game"]).read_text(), trace["game"])
    level = build(game, (GAMES / trace["level"]).read_text(), Seeded(trace["seed"]))
    for key, board in zip(trace["keys"], trace["boards"], strict=True):
        here = {name: cells for name, cells in theirs(level).items() if name != "wall"}
        assert here == {name: tuple(map(tuple, cells)) for name, cells in board.items() if cells}
        level.tick(key)
    assert level.won == trace["won"]


@few_or_many("turns", 100, 4_000)
@pytest.mark.parametrize("name", [name for name in NAMES if name not in OF_PY_VGDL])
def test_the_engine_draws_what_gvgai_draws(name: str, turns: int) -> None:
    """The same beside GVGAI itself, where it is there."""
    if (reason := gvgai.available()) is not None:
        pytest.skip(reason)
    found, rng = read_game(name), random.Random(turns)
    with gvgai.opened(seconds=3_600) as process:
        while turns > 0:
            seed = rng.randrange(1 << 31)
            level = GvgaiLevel(found.theirs, found.maps[0], JavaRandom(seed))
            other = process.build((GAMES / f"{name}.txt").read_text(), found.maps[0])
            other.draw(seed)
            for _ in range(min(turns, LONGEST)):
                assert (level.ended, bool(level.won)) == (other.ended, bool(other.won))
                if level.ended:
                    break
                assert theirs(level) == theirs(other)
                key = rng.choice(["noop", *level.keys])
                level.tick(key)
                other.tick(key)
                turns -= 1


@few_or_many("turns", 300, 10_000)
@pytest.mark.parametrize("name", OF_PY_VGDL)
def test_the_engine_draws_what_py_vgdl_draws(name: str, turns: int) -> None:
    """The same beside py-vgdl itself, where it is there."""
    if (reason := pyvgdl.available()) is not None:
        pytest.skip(reason)
    found, rng = read_game(name), random.Random(turns)
    while turns > 0:
        seed = rng.randrange(1 << 31)
        level = build(found.theirs, found.maps[0], Seeded(seed))
        other = pyvgdl.build((GAMES / f"{name}.txt").read_text(), found.maps[0])
        other.level.random_generator = random.Random(seed)
        while turns > 0 and not level.ended:
            key = rng.choice(["noop", *level.keys])
            level.tick(key)
            other.tick(key)
            turns -= 1
            assert theirs(level) == theirs(other)
            assert (level.ended, bool(level.won)) == (other.ended, bool(other.won))


def read_game(name: str) -> Look:
    """One of the games, read."""
    path = GAMES / f"{name}.txt"
    return look(path.read_bytes(), str(path))


@few_or_many("turns", 25, 4_000)
@pytest.mark.parametrize("name", slow_unless(lambda name: name not in {"meadow", "pyflock"}, NAMES))
def test_what_the_engine_does_is_among_what_can_come(name: str, turns: int) -> None:
    tally = play(read_game(name), 0, turns, seed=turns)
    assert not tally.difference
    assert tally.turns == turns
    assert len(tally.stops) <= 1 + turns / 25  # where an order could show, or a cell is full


def test_who_strays_does_so_as_often_as_it_says() -> None:
    acts = next(one for one in read_game("hounds").game.turn if one.name == "hound-acts")
    assert isinstance(acts, Group)
    said = {(rule.name, weight) for rule, weight in zip(acts.rules, acts.weights, strict=True)}
    assert said == {("hound-acts-comes", 3), ("hound-acts-waits", 7)}


def test_what_is_not_listed_is_noticed() -> None:
    found, other = read_game("meadow"), read_game("blaze")
    assert play(found._replace(game=other.game, levels=other.levels, lower=other.lower), 0, 50).difference


SCENES = {
    # On how many sides the nearest lie decides how likely each way is; of two on one side each counts.
    "chaser": ("dog > Chaser stype=cat", "c > cat\n        d > dog", "dog EOS > stepBack"),
    "fleeing": ("dog > Fleeing stype=cat", "c > cat\n        d > dog", "dog EOS > stepBack"),
    "prob": ("dog > SpawnPoint stype=cat prob=0.2", "c > cat\n        d > dog", "cat EOS > killSprite"),
    "spread": ("dog > Spreader stype=cat spreadprob=0.3", "c > cat\n        d > dog", "cat EOS > killSprite"),
}
MAPS = (
    "..c.....\n....c...\n...d....\n.c......\nA.......",
    "........\n...d....\n........\n.c...c..\nA.......",
)


@pytest.mark.parametrize(
    ("name", "header", "level"),
    one_in(
        2,
        [
            *((name, "", level) for name in SCENES for level in range(len(MAPS))),
            *((name, "block_size=10", 0) for name in ("chaser", "fleeing", "prob")),  # py-vgdl's
        ],
    ),
)
def test_what_comes_is_as_likely_as_in_the_engine(name: str, header: str, level: int, tmp_path: Path) -> None:
    """Two turns, all that can come of them with its share, beside 1,500 times in the engine (chi-square)."""
    sprite, mapping, line = SCENES[name]
    text = f"""BasicGame {header}
    SpriteSet
        cat > Passive
        {sprite}
        avatar > MovingAvatar
    LevelMapping
        {mapping}
    InteractionSet
        {line}
        avatar dog > killSprite
    TerminationSet
        SpriteCounter stype=avatar win=False
        Timeout limit=90 win=True
"""
    path = tmp_path / "scene.txt"
    path.write_text(text)
    (tmp_path / "scene_lvl0.txt").write_text(MAPS[level])
    found = look(path.read_bytes(), str(path))
    instance = Instance(found.game, found.levels[0])
    shares: Counter[str] = Counter()
    for first, share in ways(instance, initial_state(instance)):
        for second, again in ways(instance, first):
            shares[str(sorted(ours(found, instance, second).items()))] += share * again
    assert sum(shares.values()) == 1
    luck, seen = Seeded(f"{name} {level}"), Counter[str]()
    for _ in range(1_500):
        engine = (build if header else GvgaiLevel)(found.theirs, found.maps[0], luck)
        engine.tick(KEYS["wait"])
        engine.tick(KEYS["wait"])
        seen[str(sorted(theirs(engine).items()))] += 1
    assert set(seen) <= set(shares)
    chi = sum(
        (seen[one] - 1_500 * float(share)) ** 2 / (1_500 * float(share)) for one, share in shares.items()
    )
    assert chi < len(shares) + 6 * (2 * len(shares)) ** 0.5 + 6, (chi, len(shares))


def ways(instance: Instance, state: Any) -> list[tuple[Any, Fraction]]:
    """All states that can come of a turn without an input, with their shares."""
    return [
        (after, share)
        for share, _, after in every_way(lambda dice: step(instance, state, Action("wait"), dice=dice))
    ]
