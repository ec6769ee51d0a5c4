"""VGDL for GVGAI: pushing games, as a game file and a level file that the competitions' framework loads.

It is the idiom of `ggp.exporters.vgdl.push` in the words that GVGAI has: sprites that nothing moves are
`Immovable`, and a border of walls stands where a crate could leave the map, since effects off the map come
before all others there. With a limit of turns the player carries a count of them; a trail tells a tick in
which it has moved from one in which it has not.

The text holds all files: what stands behind each line `# ---- map ----` is a level. `files` divides it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from ggp.errors import Finding
from ggp.exporters.vgdl import checked, known_plans
from ggp.exporters.vgdl.levels import Gathered, gathered
from ggp.exporters.vgdl.meetings import Meetings, Planes
from ggp.exporters.vgdl.play import Build, Engine, affordable, follow_plan, play_at_random
from ggp.exporters.vgdl.push import PushWriter, recognise
from ggp.exporters.vgdl.sheet import SEPARATOR, Layout, split
from ggp.exporters.vgdl.sliding import Sliding, recognise_sliding
from ggp.model import Cell, Instance, Plan
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
    "one walker, who pushes one thing one cell, takes what he meets, opens doors, fills holes or is lost in "
    "them, or who slides; won by things on one ground, by where he is, or by what is gone"
)
REFUSES = (f"games that are not: {GAMES}",)
RANDOM_TURNS = 400
COLOURS = {
    "WHITE": (250, 250, 250),
    "LIGHTGRAY": (150, 150, 150),
    "GRAY": (90, 90, 90),
    "DARKGRAY": (30, 30, 30),
    "BLACK": (0, 0, 0),
    "BROWN": (140, 120, 100),
    "RED": (200, 20, 20),
    "ORANGE": (250, 160, 0),
    "YELLOW": (250, 250, 0),
    "GREEN": (0, 200, 0),
    "LIGHTGREEN": (50, 250, 50),
    "BLUE": (0, 0, 200),
    "LIGHTBLUE": (50, 100, 250),
    "PINK": (250, 200, 200),
}


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
    return gathered(instances, writer_of, cleaned)


def cleaned(text: str) -> str:
    """The text without lines that hold nothing but a `#`, at which GVGAI's parser stops."""
    return "\n".join(line for line in text.split("\n") if line.strip() != "#")


@lru_cache(maxsize=8)
def written(instance: Instance) -> Layout | None:
    """The text of an instance with what is needed to play it, None where it is no game for it."""
    writer = writer_of(instance)
    return writer.write() if writer is not None else None


def writer_of(instance: Instance) -> GvgaiWriter | None:
    """What writes an instance, None where it is no game for it."""
    transition = compile_instance(instance)
    found = recognise_sliding(instance, transition)
    if found is not None:
        slides = GvgaiSlideWriter(instance, transition, found)
        return slides if slides.ends is not None and slides.ends.exits else None
    pushing = recognise(instance, transition)
    if pushing is None:
        return None
    several = len(pushing.walkers) > 1
    writer = (KeysWriter if several else GvgaiWriter)(instance, transition, pushing)
    if writer.ends is None or (several and crowded(writer)):
        return None
    # When the turns are used up the player is taken away: so to be gone must be to have lost, by that alone.
    player, lost = frozenset(writer.pushing.walkers), writer.ends.lost
    fits = not writer.counts or player in lost or not writer.pushing.deadly
    return writer if fits and all(planes == player or not planes & player for planes in lost) else None


class GvgaiWriter(PushWriter):
    """Writes one text: what differs from py-vgdl's."""

    still, border = "Immovable", 1
    divided = "For GVGAI, which reads each level from a file of its own beside this one."
    edge = ""  # what stands round the map
    gone = ""  # what stands where the player has come to his end

    def paint(self, code: str) -> str:
        """The colour that comes nearest, by the names that GVGAI knows."""
        parts = [int(part) for part in code.strip("()").split(",")]
        apart = {
            name: sum((a - b) ** 2 for a, b in zip(COLOURS[name], parts, strict=True)) for name in COLOURS
        }
        return min(apart, key=lambda name: apart[name])

    def write(self) -> Layout:
        """The text, with what is needed to play it."""
        layout = super().write()
        players = dict.fromkeys(self.names[plane] for plane in self.pushing.walkers)
        origin, gone = (self.border, self.border), (self.gone, *players) if self.gone else ()
        return Layout(cleaned(layout.text), layout.pieces, origin, "idiom", "keys", gone=gone)

    def moves(self) -> None:
        """Write what happens when the player runs into something; a border stops all."""
        self.edge = self.sheet.under(self.sheet.name("edge"), self.still, color="DARKGRAY")
        self.sheet.hint(self.edge, "e")
        super().moves()

    def turns(self) -> None:
        """Write that a tick in which the player has moved is a turn, and that there are so many.

        The effects of one pair come together in GVGAI, where the first of them stands. So the ground goes by
        two names, and each step of the reasoning has a pair of its own.
        """
        sheet, player, limit = self.sheet, self.player, self.instance.level.horizon
        assert limit is not None
        counted = sheet.sprite(sheet.name("turns"), "Resource", color="YELLOW", limit=limit + 1)
        self.trail = trail = sheet.sprite(sheet.name("trail"), self.still, color="LIGHTGRAY")
        ground, earth = self.grounds()
        sheet.say("the player counts its turns; one that ends where the last one ended is none")
        sheet.act(player, ground, "changeResource", resource=counted, value=1)
        sheet.act(player, trail, "changeResource", resource=counted, value=-1)
        sheet.act(trail, ground, "killSprite")
        sheet.act(ground, player, "spawn", stype=trail)
        self.used_up(earth, counted, limit)

    def used_up(self, earth: str, counted: str, limit: int) -> None:
        """Write that the player is taken away when all turns are made."""
        self.sheet.say("and is gone when it has made them all")
        self.sheet.act(self.player, earth, "killIfHasMore", resource=counted, limit=limit)

    def death(self, name: str, *, spent: bool) -> None:
        """Write that something is the end of the player, and what shows it: he himself is seen on."""
        if not self.gone:
            self.gone = self.sheet.sprite(self.sheet.name("gone"), self.still, color="BLACK")
        self.sheet.act(name, self.player, "spawn", stype=self.gone)
        super().death(name, spent=spent)

    def grounds(self) -> tuple[str, str]:
        """Two names for the floor and the ground of the goal together, one above the other."""
        sheet, ground = self.sheet, None if self.ends is None else self.ends.ground
        both = {self.floor} if ground is None else {self.floor, self.names[ground]}
        lower, upper = sheet.name("ground"), sheet.name("earth")
        lines = [f"                {key} > {definition}" for key, definition in sheet.ground if key in both]
        sheet.ground = [one for one in sheet.ground if one[0] not in both]
        sheet.ground.insert(0, (upper, "\n".join(["", f"            {lower} >", *lines])))
        return lower, upper

    def losing(self, planes: Planes) -> None:
        """Write that it is lost when none is left of these; the player is when it shows that he is gone."""
        if planes != frozenset(self.pushing.walkers):
            super().losing(planes)
        elif self.gone:
            self.sheet.end("SpriteCounterMore", stype=self.gone, limit=1, win=False)

    def out_of_turns(self) -> None:
        """The level is lost when the player is gone; where each tick is a turn, after so many."""
        horizon = self.instance.level.horizon
        if not self.counts and horizon is not None:
            self.sheet.end("Timeout", limit=horizon - 1, win=False)  # the first tick is number 0
            return
        self.sheet.end("SpriteCounter", stype=self.player, limit=0, win=False)

    def board(self) -> None:
        """Put everything on the map, within a border."""
        super().board()
        rows, columns = len(self.instance.level.board) + 2, self.transition.width + 2
        moved = {(row + 1, column + 1): keys for (row, column), keys in self.sheet.cells.items()}
        around: list[Cell] = [
            (row, column)
            for row in range(rows)
            for column in range(columns)
            if row in (0, rows - 1) or column in (0, columns - 1)
        ]
        self.sheet.cells = {**{cell: [self.edge] for cell in around}, **moved}


class KeysWriter(GvgaiWriter):
    """Writes the text of one who takes keys and opens doors.

    Nobody sees from outside what a sprite of GVGAI holds. So the player is of another type for each number of
    keys, as in the games that come with it. What is killed is met until the tick is over: therefore who has
    just become another stands above what he met, and nothing else may be in such a cell (`crowded`).
    """

    def __init__(self, instance: Instance, transition: Transition, pushing: Meetings) -> None:
        super().__init__(instance, transition, pushing)
        self.last: tuple[str, str, int] | None = None  # what `used_up` is told
        for plane in pushing.walkers:
            self.names[plane] = self.sheet.names.of(str(transition.planes[plane]))

    def write(self) -> Layout:
        """The text, with what is needed to play it."""
        layout = super().write()
        return replace(layout, pieces={k: v for k, v in layout.pieces.items() if k != self.player})

    def walker(self, paint: str) -> None:
        """Define the player, by how many keys he holds."""
        each = [f"            {self.names[p]} > MovingAvatar color={paint}" for p in self.pushing.walkers]
        self.sheet.sprites.append((self.player, "\n".join(["", *each])))

    def key(self, name: str, paint: str) -> None:
        """Define a key."""
        self.sheet.under(name, self.still, color=paint)

    def collect(self, name: str) -> None:
        """He becomes another when all else is done."""

    def doors(self) -> None:
        """Write that a door opens for who holds a key, and throws all others back."""
        without, *others = (self.names[plane] for plane in self.pushing.walkers)
        self.sheet.say("who holds a key opens a door")
        self.sheet.act(without, self.listed(self.pushing.doors), "stepBack")
        for plane in sorted(self.pushing.doors):
            for name in others:
                self.sheet.act(self.names[plane], name, "killSprite")

    def meets(self) -> None:
        """Write what comes of whom he has met; at last, how many keys he holds then."""
        super().meets()
        names = [self.names[plane] for plane in self.pushing.walkers]
        fewer, more = list(pairwise(names)), list(pairwise(names))[::-1]
        if self.pushing.spends:
            self.sheet.say("and holds one less")
            for less, who in fewer:
                self.sheet.act(who, self.listed(self.pushing.doors), "transformTo", stype=less)
        if self.pushing.keys:
            self.sheet.say("who takes a key holds one more")
            for who, one_more in more:
                self.sheet.act(who, self.listed(self.pushing.keys), "transformTo", stype=one_more)
        if self.last:
            super().used_up(*self.last)

    def used_up(self, earth: str, counted: str, limit: int) -> None:
        """Keep it for the end: who is gone becomes no other, and he is seen as what he was."""
        self.last = (earth, counted, limit)


def crowded(writer: GvgaiWriter) -> bool:
    """Does a cell of the map hold two things that the player would meet at once?"""
    met, ends = writer.pushing, writer.ends
    things = met.keys | met.doors | met.deadly | (ends.exits if ends is not None else frozenset())
    number = writer.transition.number
    rows = writer.instance.level.board
    return any(len({number[piece] for piece in here} & things) > 1 for row in rows for here in row)


class GvgaiSlideWriter(Sliding, GvgaiWriter):
    """Writes the text of one who slides: on his way he is an avatar that heeds no key.

    In the tick in which something stops him he is for a moment neither, and the ice below him is gone until
    he leaves.
    """

    def walker(self, paint: str) -> None:
        """Define the player at rest, on his way, and in the moment between."""
        self.ground("LIGHTBLUE", "WHITE")
        for name in (self.player, self.stopped):
            self.sheet.sprite(name, "OrientedAvatar", rotateInPlace=False, color=paint)
        self.sheet.sprite(self.sliding, "MissileAvatar", color=paint)

    def moves(self) -> None:
        """Write how he sets off, goes on, and is stopped."""
        sheet, horizon = self.sheet, self.instance.level.horizon
        self.edge = sheet.under(sheet.name("edge"), self.still, color="DARKGRAY")
        sheet.hint(self.edge, "e")
        walls = self.listed(self.pushing.blockers) + f" {self.edge}"
        sheet.say("what is in the way throws him back; else he is on ice, and slides on, whatever is pressed")
        sheet.act(self.player, walls.strip(), "stepBack")
        if horizon is not None:
            self.counted_turns = sheet.sprite(
                sheet.name("turns"), "Resource", color="YELLOW", limit=horizon + 1
            )
            sheet.act(self.player, self.ice, "changeResource", resource=self.counted_turns, value=1)
        sheet.act(self.player, self.ice, "transformToAll", stype=self.rest, stypeTo=self.ice)
        sheet.act(self.player, self.ice, "transformTo", stype=self.sliding, forceOrientation=True)
        sheet.say("until something stops him, and no ice is below him")
        sheet.act(self.sliding, walls.strip(), "transformTo", stype=self.stopped)
        sheet.act(self.stopped, walls.strip(), "stepBack")
        sheet.act(self.ice, self.stopped, "transformTo", stype=self.rest)
        sheet.act(self.stopped, self.rest, "transformTo", stype=self.player)

    def turns(self) -> None:
        """Write that there are so many turns: a sprite shows that they are made."""
        self.trail = self.rest
        self.over = self.sheet.sprite(self.sheet.name("over"), self.still, color="BLACK")
        horizon, counted = self.instance.level.horizon, self.counted_turns
        self.sheet.act(
            self.player, self.rest, "spawnIfHasMore", resource=counted, limit=horizon, stype=self.over
        )

    def out_of_turns(self) -> None:
        """The level is lost when all turns are made."""
        self.sheet.end("SpriteCounterMore", stype=self.over, limit=1, win=False)


# --- verification -----------------------------------------------------------------------------------------


def built_in(game: str, level_map: str) -> Engine:
    """A level in the built-in engine, which plays GVGAI's dialect as GVGAI does."""
    from ggp.engines.vgdl.gvgai import GvgaiLevel
    from ggp.importers.vgdl.dialects import GVGAI
    from ggp.importers.vgdl.reading import read

    return GvgaiLevel(read(game, "gvgai", GVGAI), level_map)


def oracles() -> dict[str, str | None]:
    """The foreign engine that verification also uses: None, or a sentence that says what to do for it."""
    from ggp.engines import gvgai

    return {"GVGAI": gvgai.available()}


@contextmanager
def judges() -> Iterator[dict[str, Build]]:
    """The engines that verify: the built-in one, and GVGAI itself where `GVGAI_HOME` names it.

    Raises NotAvailable where what it names cannot be asked.
    """
    from ggp.engines import gvgai

    engines: dict[str, Build] = {"": built_in}
    if not os.environ.get(gvgai.HOME):
        yield engines
        return
    with gvgai.opened() as process:
        yield {**engines, " in GVGAI": process.build}


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


def played(
    instance: Instance,
    layout: Layout,
    text: str,
    plan: Plan | None,
    turns: int,
    engines: Mapping[str, Build],
) -> Iterator[Check]:
    """What becomes of a plan, or of the known plans and random turns, in some engines."""
    plans = {"the plan": plan} if plan is not None else known_plans(instance)
    for where, build in engines.items():
        for name, one in plans.items():
            yield checked(f"{name}{where}", follow_plan, instance, layout, text, build, one)
        if plan is None:
            what = f"random play{where}"
            yield checked(what, play_at_random, instance, layout, text, build, turns)


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
