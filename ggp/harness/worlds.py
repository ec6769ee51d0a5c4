"""Games that can only be watched, by their address: `ENGINE:FILE`, or `game:NAME` for a described one."""

from __future__ import annotations

from pathlib import Path

from ggp.errors import PuzzleError
from ggp.watch import World
from ggp.watch.afar import afar

ENGINES = ("vgdl", "py-vgdl", "puzzlescript", "gym", "python", "game")


def is_address(text: str) -> bool:
    """Does a text begin as an address does, or name no file? Else it is taken for a path."""
    engine, colon, _ = text.partition(":")
    return bool(colon) and (engine in ENGINES or not Path(text).exists())


def picked(text: str) -> tuple[Path, int | None]:
    """A path, and which level of the file is meant (from 1): `FILE#3`; None for all."""
    path, mark, number = text.rpartition("#")
    if mark and number.isascii() and number.isdigit() and not Path(text).exists():
        return Path(path), int(number)
    return Path(text), None


def world_of(address: str, *, frames: bool = False) -> World:
    """The world that `ENGINE:FILE` names; raises PuzzleError."""
    engine, _, rest = address.partition(":")
    path, pick = picked(rest)
    if frames and engine != "game":
        raise PuzzleError(
            f"{engine} does not show the boards inside a turn", "leave out `frames` (`--frames`)"
        )
    if engine in ("vgdl", "py-vgdl") and rest:
        from ggp.watch.vgdl import VgdlWorld

        return VgdlWorld(path, stock=engine == "py-vgdl", pick=pick)
    if engine == "puzzlescript" and rest:
        from ggp.watch.puzzlescript import PuzzleScriptWorld

        return PuzzleScriptWorld(path, pick=pick)
    if engine == "gym" and rest:
        from ggp.watch.environments import GymWorld

        return afar(lambda: GymWorld.named(rest), rest)
    if engine == "python" and rest:
        from ggp.watch.callables import CallableWorld

        return afar(lambda: CallableWorld.of_file(Path(rest)), Path(rest).stem)
    if engine == "game" and rest:
        from ggp.harness.learning import WATCHED_CHANCE, refuse_what_is_not_learned
        from ggp.language import levels
        from ggp.watch.described import DescribedWorld

        described, kept = levels.load_game(rest)
        refuse_what_is_not_learned(described, frozenset() if frames else WATCHED_CHANCE)
        return DescribedWorld(described, kept, frames=frames)
    raise PuzzleError(
        f"there is no world {address[:80]!r}",
        "write vgdl:FILE.txt, py-vgdl:FILE.txt, puzzlescript:FILE.txt, gym:NAME, python:FILE.py or game:NAME",
    )
