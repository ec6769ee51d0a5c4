"""VGDL for GVGAI: pushing games, as a game file and a level file that the competitions' framework loads.

It is the idiom of `ggp.exporters.vgdl.push` in the words that GVGAI has: sprites that nothing moves are
`Immovable`, and a border of walls stands where a crate could leave the map, since effects off the map come
before all others there. With a limit of turns the player carries a count of them; a trail tells a tick in
which it has moved from one in which it has not.

The text holds all files: what stands behind each line `# ---- map ----` is a level. `files` divides it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from ggp.errors import Finding
from ggp.exporters.vgdl.gvgai.crowd import CrowdWriter
from ggp.exporters.vgdl.gvgai.gates import GatesWriter
from ggp.exporters.vgdl.gvgai.judging import judges, played
from ggp.exporters.vgdl.gvgai.keys import KeysWriter, crowded
from ggp.exporters.vgdl.gvgai.slides import GvgaiSlideWriter
from ggp.exporters.vgdl.gvgai.writer import GvgaiWriter, cleaned
from ggp.exporters.vgdl.levels import Gathered, gathered
from ggp.exporters.vgdl.meetings import Meetings
from ggp.exporters.vgdl.play import affordable
from ggp.exporters.vgdl.push import recognise
from ggp.exporters.vgdl.sheet import SEPARATOR, Layout, split
from ggp.exporters.vgdl.sliding import recognise_sliding
from ggp.model import Instance, Plan
from ggp.model.export import Check
from ggp.model.features import goal_features
from ggp.referee.semantics import initial_state
from ggp.referee.trajectory import judge
from ggp.transition.compiler import compile_instance
from ggp.transition.program import Transition

NAME = "gvgai"
SUFFIX = ".txt"
FEATURES = goal_features({"on", "count"}) | frozenset(
    "moves waiting any-turn-ending no-horizon edges losing facings values variables loops".split()
)
GAMES = (
    "one walker, who pushes one thing one cell, takes what he meets, opens doors, goes through gates of one "
    "way, fills holes or is lost in them, or one or several who slide; won by things on one ground, by where "
    "he is, or by what is gone"
)
REFUSES = (f"games that are not: {GAMES}",)
RANDOM_TURNS = 400


def available() -> str | None:
    """None: it runs anywhere."""
    return None


def losses(instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
    """Nothing is left out of a text that is written at all."""
    return ()


def unfit(instance: Instance, plan: Plan | None = None) -> tuple[Finding, ...]:
    """What stands against a text: rules that are no pushes, another goal, a level that is over at once."""
    if written(instance) is None:
        message = f"gvgai is written for games of {GAMES}"
        return (
            Finding(message, "export it to vgdl, which has a scheme for all others", instance.game.place),
        )
    if judge(instance, [initial_state(instance)])[1] is not None:
        message = "gvgai asks after a tick whether a level is over, and this one is before the first"
        return (Finding(message, "there is nothing to play", instance.level.place),)
    return ()


def text(instance: Instance, plan: Plan | None = None) -> str:
    """The game, a line that divides, and the level."""
    layout = written(instance)
    assert layout is not None
    return layout.text


def files(text: str, name: str) -> dict[str, str]:
    """The files that GVGAI reads, by their names; `name` is that of the game's file."""
    split(text)
    game, *levels = text.split(SEPARATOR)
    stem, dot, suffix = name.rpartition(".")
    named = {
        f"{stem or suffix}_lvl{number}{dot}{suffix if stem else ''}": level
        for number, level in enumerate(levels)
    }
    return {name: game, **named}


# --- whole files ------------------------------------------------------------------------------------------


def unfit_together(instances: Sequence[Instance]) -> tuple[Finding, ...]:
    """Why one game file cannot serve all these levels."""
    found = [
        replace(fault, message=f"level {one.level.name}: {fault.message}", place=one.level.place)
        for one in instances
        for fault in unfit(one)
    ]
    if found:
        return tuple(found)
    first = instances[0].level.name
    return tuple(
        Finding(
            f"level {one.level.name} has other rules in GVGAI than level {first}",
            "write it by itself, as in FILE#3, or all to a folder, each to files",
            one.level.place,
        )
        for one in together(tuple(instances)).apart
    )


def losses_together(instances: Sequence[Instance]) -> tuple[Finding, ...]:
    """Nothing is left out of a text that is written at all."""
    return ()


def text_together(instances: Sequence[Instance]) -> str:
    """The game, and each level behind a line that divides."""
    return together(tuple(instances)).text


def verify_together(instances: Sequence[Instance], text: str, turns: int | None = None) -> Iterator[Check]:
    """Play each level of the text beside the referee."""
    found = together(tuple(instances))
    game, *levels = text.split(SEPARATOR)
    with judges() as engines:
        for one, layout, level in zip(found.instances, found.layouts, levels, strict=True):
            whole, most = game + SEPARATOR + level, turns or affordable(layout, RANDOM_TURNS)
            for check in played(one, layout, whole, None, most, engines):
                yield replace(check, what=f"{one.name}, {check.what}")


@lru_cache(maxsize=1)
def together(instances: tuple[Instance, ...]) -> Gathered:
    """Some levels in one text."""
    writers = [writer_of(one) for one in instances]
    gates = any(isinstance(writer, GatesWriter) for writer in writers)
    most = max((writer.most for writer in writers if isinstance(writer, CrowdWriter)), default=0)
    return gathered(instances, partial(writer_of, gates=gates, most=most), cleaned)


@lru_cache(maxsize=8)
def written(instance: Instance) -> Layout | None:
    """The text of an instance with what is needed to play it, None where it is no game for it."""
    writer = writer_of(instance)
    return writer.write() if writer is not None else None


def writer_of(instance: Instance, *, gates: bool = False, most: int = 0) -> GvgaiWriter | None:
    """What writes an instance, None where it is no game for it.

    Beside other levels of its game it is written as they are: with `gates` where some have any, and for so
    many who slide at `most`.
    """
    transition = compile_instance(instance)
    sliding = recognise_sliding(instance, transition, several=True)
    if sliding is not None:
        return slider_of(instance, transition, sliding, most)
    pushing = None if gates else recognise(instance, transition)
    pushing = pushing or recognise(instance, transition, gates=True)
    if pushing is None:
        return None
    several = len(pushing.walkers) > 1
    gated = bool(pushing.gates.walk or pushing.gates.push)
    writer = (
        GatesWriter(instance, transition, pushing, every=gates)
        if gated
        else (KeysWriter if several else GvgaiWriter)(instance, transition, pushing)
    )
    if writer.ends is None or (several and crowded(writer)):
        return None
    # When the turns are used up the player is taken away: so to be gone must be to have lost, by that alone.
    player, lost = frozenset(writer.pushing.walkers), writer.ends.lost
    fits = not writer.counts or player in lost or not writer.pushing.deadly
    return writer if fits and all(planes == player or not planes & player for planes in lost) else None


def slider_of(instance: Instance, transition: Transition, found: Meetings, most: int) -> GvgaiWriter | None:
    """What writes a level of those who slide; None where counting does not say how it ends."""
    player = transition.planes[found.player]
    here = sum(player in cell for row in instance.level.board for cell in row)
    alone = max(here, most) == 1
    writer = (
        GvgaiSlideWriter(instance, transition, found)
        if alone
        else CrowdWriter(instance, transition, found, max(here, most))
    )
    ends = writer.ends
    return writer if ends is not None and ends.exits and (alone or not ends.lost) else None


# --- verification -----------------------------------------------------------------------------------------


def oracles() -> dict[str, str | None]:
    """The foreign engine that verification also uses: None, or a sentence that says what to do for it."""
    from ggp.engines import gvgai

    return {"GVGAI": gvgai.available()}


def verify(instance: Instance, text: str, plan: Plan | None = None) -> Iterator[Check]:
    """Play the text in the built-in engine, and in GVGAI if it is named, beside the referee."""
    expected = written(instance)
    assert expected is not None
    return verify_turns(instance, text, plan, affordable(expected, RANDOM_TURNS))


def verify_turns(instance: Instance, text: str, plan: Plan | None, turns: int) -> Iterator[Check]:
    """The same, with so many random turns."""
    expected = written(instance)
    assert expected is not None
    with judges() as engines:
        yield from played(instance, expected, text, plan, turns, engines)


__all__ = [
    "FEATURES",
    "NAME",
    "REFUSES",
    "SUFFIX",
    "files",
    "losses",
    "losses_together",
    "oracles",
    "text",
    "text_together",
    "unfit",
    "unfit_together",
    "verify",
    "verify_together",
    "verify_turns",
]
