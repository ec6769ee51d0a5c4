"""VGDL for GVGAI: any game that moves, as a game file and a level file that its framework takes.

What has a short form is written as people write it: the idiom of `ggp.exporters.vgdl.push` in the words that
GVGAI has. Sprites that nothing moves are `Immovable`, and a border of walls stands where a crate could leave
the map, since effects off the map come before all others there. With a limit of turns the player carries a
count of them; a trail tells a tick in which it has moved from one in which it has not. All else takes the
general scheme (`ggp.exporters.vgdl.gvgai.general`).

The text holds all files: what stands behind each line `# ---- map ----` is a level. `files` divides it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from ggp.errors import Finding
from ggp.exporters.vgdl import FEATURES, over_at_once, refusals
from ggp.exporters.vgdl import REFUSES as OF_BOTH
from ggp.exporters.vgdl.gvgai.crowd import CrowdWriter
from ggp.exporters.vgdl.gvgai.gates import GatesWriter
from ggp.exporters.vgdl.gvgai.general import GvgaiGeneralWriter
from ggp.exporters.vgdl.gvgai.general.room import MOST_SPRITES
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
from ggp.transition.compiler import compile_instance
from ggp.transition.program import Transition

NAME = "gvgai"
SUFFIX = ".txt"
REFUSES = (*OF_BOTH, f"more than {MOST_SPRITES:,} sprites in a tick")
RANDOM_TURNS = 400
MOVES = "Arrow keys move the player."


def available() -> str | None:
    """None: it runs anywhere."""
    return None


def losses(instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
    """Nothing is left out of a text that is written at all."""
    return ()


def unfit(instance: Instance, plan: Plan | None = None) -> tuple[Finding, ...]:
    """What stands against a text: a level that is over at once, too few keys, too many effects or sprites."""
    return unfit_so(instance, plan, short=writer_of(instance) is not None)


def unfit_so(instance: Instance, plan: Plan | None, *, short: bool) -> tuple[Finding, ...]:
    """The same of a short text, or of one by the general scheme, which all levels take if one needs it."""
    if short:
        return tuple(over_at_once(instance, None, NAME))
    found = tuple(refusals(instance, plan, NAME))
    return found or tuple(too_many(instance, plan))


def too_many(instance: Instance, plan: Plan | None) -> Iterator[Finding]:
    """That a tick may come to more sprites than GVGAI makes, which it would not say."""
    writer = GvgaiGeneralWriter(instance, plan)
    writer.write()
    most = writer.most_sprites()
    if most > MOST_SPRITES:
        message = f"gvgai makes no more than {MOST_SPRITES:,} sprites, and a tick may come to {most:,} here"
        yield Finding(message, "take a smaller level, or say it with fewer rules", instance.level.place)


def text(instance: Instance, plan: Plan | None = None) -> str:
    """The game, a line that divides, and the level."""
    return written(instance, plan).text


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
    short = all(writer_of(one) is not None for one in instances)
    found = [
        replace(fault, message=f"level {one.level.name}: {fault.message}", place=one.level.place)
        for one in instances
        for fault in unfit_so(one, None, short=short)
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
    """Some levels in one text: by the general scheme if one of them is."""
    writers = [writer_of(one) for one in instances]
    if not all(writers):
        how = GvgaiGeneralWriter(instances[0], None).hand.lines()
        return gathered(instances, lambda one: GvgaiGeneralWriter(one, None), cleaned, how)
    gates = any(isinstance(writer, GatesWriter) for writer in writers)
    most = max((writer.most for writer in writers if isinstance(writer, CrowdWriter)), default=0)
    return gathered(instances, partial(writer_of, gates=gates, most=most), cleaned, [MOVES])


@lru_cache(maxsize=8)
def written(instance: Instance, plan: Plan | None = None) -> Layout:
    """The text of an instance with what is needed to play it: short if there is a way, else in general."""
    return by_idiom(instance) or GvgaiGeneralWriter(instance, plan).write()


def by_idiom(instance: Instance) -> Layout | None:
    """The short text of a game of a known sort."""
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
    return verify_turns(instance, text, plan, affordable(written(instance, plan), RANDOM_TURNS))


def verify_turns(instance: Instance, text: str, plan: Plan | None, turns: int) -> Iterator[Check]:
    """The same, with so many random turns."""
    with judges() as engines:
        yield from played(instance, written(instance, plan), text, plan, turns, engines)


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
