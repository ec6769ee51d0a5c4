"""Random VGDL games, to hold the built-in engine against py-vgdl where no export goes.

They make no sense, and much of what they do is an error; but both engines must agree on every sprite, every
resource, how it ends, and whether it is an error. With py-vgdl installed,

    python -m tests.oracles.random_vgdl tests/data/vgdl/random-games.json.gz

records what py-vgdl does, for machines without it.
"""

from __future__ import annotations

import contextlib
import io
import logging
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from ggp.engines import pyvgdl, vgdl
from ggp.engines.vgdl.faults import VgdlEndless
from ggp.errors import DescriptionError
from ggp.exporters.vgdl.record import changes, facts, packed
from ggp.importers.vgdl.facts import WALKS
from ggp.importers.vgdl.ontology import BASES, EFFECTS

GAMES = 250
TICKS = 20
MOST_SPRITES = 100  # py-vgdl is slow
AVATARS = sorted(name for name, base in BASES.items() if base.avatar)
PLAIN = {name: base for name, base in BASES.items() if base.does not in ("flicker", *WALKS)}
OTHERS = sorted(name for name, base in PLAIN.items() if not base.avatar)
RESOURCES = ("gold", "k0", "k1")
WAYS = ("UP", "DOWN", "LEFT", "RIGHT")
FAULT = "fault"


def maybe(rng: Random, chance: float, text: str) -> str:
    """The text, now and then."""
    return f" {text}" if rng.random() < chance else ""


def arguments(rng: Random, base: str, keys: list[str]) -> str:
    """Arguments of a sprite type."""
    oriented, takes = BASES[base].oriented, BASES[base].takes
    text = maybe(rng, 1 if oriented else 0.1, f"orientation={rng.choice(WAYS)}")
    text += maybe(rng, 0.15, f"speed={rng.randint(0, 2)}") + maybe(rng, 0.15, f"cooldown={rng.randint(1, 3)}")
    text += maybe(rng, 1 if base == "Conveyor" else 0.1, f"strength={rng.randint(0, 2)}")
    text += maybe(rng, 1 if BASES[base].does == "flicker" else 0.1, "singleton=True")
    if "stype" in takes:
        text += f" stype={rng.choice(keys)}" + maybe(rng, 0.3 * ("ammo" in takes), "ammo=gold")
        text += maybe(rng, 0.5 * ("total" in takes), f"total={rng.randint(1, 4)}")
    if BASES[base].resource:
        text += maybe(rng, 0.5, f"limit={rng.randint(1, 4)}") + maybe(rng, 0.5, f"value={rng.randint(1, 2)}")
        text += maybe(rng, 0.5, f"res_type={rng.choice(RESOURCES)}")
    return text


def sprite_lines(rng: Random, keys: list[str], parents: list[str]) -> Iterator[str]:
    """The SpriteSet: a random tree. Parents are added to the list."""
    depth = 0
    for number, key in enumerate(keys):
        if rng.random() < 0.35:
            parents.append(f"p{len(parents)}")
            yield (
                "  " * (2 + depth)
                + f"{parents[-1]} >"
                + maybe(rng, 0.3, rng.choice(["Immovable", "Passive"]))
            )
            depth += 1
        base = rng.choice(OTHERS if number else AVATARS)
        if number and rng.random() < 0.08:
            base = rng.choice(["MovingAvatar", "OrientedAvatar", "Flicker", "OrientedFlicker"])
        yield "  " * (2 + depth) + f"{key} > {base}{arguments(rng, base, keys)}"
        if depth and rng.random() < 0.4:
            depth -= 1


def effect_line(rng: Random, keys: list[str], names: list[str]) -> str:
    """A line of the InteractionSet."""
    effect = rng.choice(sorted(EFFECTS))
    takes = EFFECTS[effect]
    partners = [rng.choice(names) for _ in range(rng.randint(1, 2))]
    if not takes.partner and rng.random() < 0.3:
        partners[0] = rng.choice(["EOS", "ANY"])
    text = f"    {rng.choice(names)} {' '.join(partners)} > {effect}"
    for name in (*takes.must, *takes.may):
        target = RESOURCES if "Resource" in effect else names
        stypes = [key for key in keys if f"target={key} " not in f"{text} "]
        choices: dict[str, Any] = {"stype": stypes, "resource": RESOURCES, "target": target}
        choices |= {"limit": range(3), "value": (-1, 1, 2), "amount": (1, 2)}
        text += f" {name}={rng.choice(choices[name])}"
    return text + maybe(rng, 0.2, f"scoreChange={rng.choice([-1, 2])}")


def end_line(rng: Random, names: list[str]) -> str:
    """A line of the TerminationSet."""
    one, two, win = rng.choice(names), rng.choice(names), rng.choice(["True", "False"])
    ends = [
        f"SpriteCounter stype={one} limit={rng.randint(0, 1)}",
        f"MultiSpriteCounter stype1={one} stype2={two} limit={rng.randint(0, 12)}",
        f"ResourceCounter stype={rng.choice(RESOURCES)} limit={rng.randint(2, 4)}",
        f"Timeout limit={rng.randint(5, 20)}",
    ]
    return f"    {rng.choice(ends)} win={win}"


def random_game(rng: Random) -> tuple[str, str]:
    """A game and a map."""
    keys = [f"k{number}" for number in range(rng.randint(4, 8))]
    parents: list[str] = []
    lines = [f"BasicGame block_size={rng.choice([1, 1, 3, 10])}", "  SpriteSet"]
    lines += sprite_lines(rng, keys, parents)
    characters = "abcdefgh"
    mapping = [f"    {c} > {' '.join(rng.sample(keys, rng.randint(1, 2)))}" for c in characters]
    lines += ["  LevelMapping", *mapping, "  InteractionSet"]
    lines += [effect_line(rng, keys, keys + parents) for _ in range(rng.randint(4, 16))]
    lines += ["  TerminationSet", *(end_line(rng, keys + parents) for _ in range(rng.randint(0, 3)))]
    height, width = rng.randint(2, 5), rng.randint(2, 5)
    rows = ["".join(rng.choice(characters + "....") for _ in range(width)) for _ in range(height)]
    return "\n".join(lines) + "\n", "\n".join(rows)


def random_games(seed: int) -> Iterator[tuple[str, str, list[str]]]:
    """Games, maps and keys without end, of those that the built-in engine reads; none grows too large."""
    rng = Random(seed)
    while True:
        text, level_map = random_game(rng)
        try:
            level = vgdl.build(vgdl.read(text), level_map)
        except DescriptionError:  # an avatar below a parent without a class, and the like
            continue
        keys: list[str] = []
        try:
            for _ in range(TICKS):
                if level.ended or sum(map(len, level.sprites().values())) > MOST_SPRITES:
                    break
                keys.append(rng.choice([*level.keys, "noop"]))
                level.tick(keys[-1])
        except VgdlEndless:
            continue  # py-vgdl would not come back
        except vgdl.VgdlFault as fault:
            # py-vgdl goes on there: it leaves the grid, or draws one of several exits.
            if "aslant" in str(fault) or re.search(r"leads to ([2-9]|\d\d)", str(fault)):
                keys.pop()
        yield text, level_map, keys


def trace(build: Callable[[str, str], Any], text: str, level_map: str, keys: list[str]) -> list[str]:
    """What each tick changes in an engine; the last line says so where it stops with an error."""
    level = build(text, level_map)
    lines, now = [], facts(level)
    for key in keys:
        try:
            with contextlib.redirect_stdout(io.StringIO()):  # py-vgdl prints some of its errors
                level.tick(key)
        except Exception:
            return [*lines, FAULT]
        before, now = now, facts(level)
        lines.append(changes(before, now))
    return lines


def record(games: int = GAMES, seed: int = 0) -> list[dict[str, Any]]:
    """What py-vgdl does in random games."""
    logging.disable(logging.CRITICAL)
    found = []
    for _, (text, level_map, keys) in zip(range(games), random_games(seed), strict=False):
        ticks = trace(pyvgdl.build, text, level_map, keys)
        found.append({"text": text, "map": level_map, "keys": keys, "ticks": ticks})
    logging.disable(logging.NOTSET)
    return found


if __name__ == "__main__":
    Path(sys.argv[1]).write_bytes(packed({"games": record()}))
