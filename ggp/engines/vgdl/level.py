"""A level being played: lists of sprites, one tick at a time, in py-vgdl's order.

Two of py-vgdl's habits matter to whoever writes effects, and are kept to the letter. The list of a sprite
type is live: an effect that removes the sprite it acts on makes the loop skip the next one. The list of a
parent type is made when an effect of the tick first names it, and then stays as it is until the next tick.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ggp.engines.vgdl.faults import VgdlEndless, VgdlFault
from ggp.engines.vgdl.insides import VECTORS, Inside, facing_of
from ggp.engines.vgdl.luck import Luck, Seeded
from ggp.engines.vgdl.program import Line, program_of
from ggp.engines.vgdl.sprites import Group, Sprite, update
from ggp.engines.vgdl.strays import stray
from ggp.errors import DescriptionError, Place
from ggp.importers.vgdl.facts import WALKS
from ggp.importers.vgdl.fixed import Vector
from ggp.importers.vgdl.game import Effect, SpriteType, VgdlGame
from ggp.importers.vgdl.ontology import BASES
from ggp.model import Cell

NOOP = "noop"
MOST_BIRTHS = 20_000  # in one tick; an effect that feeds itself would go on for ever
DEFAULT_MAPPING: Mapping[str, tuple[str, ...]] = {"w": ("wall",), "A": ("avatar",)}  # py-vgdl has them always


Holding = tuple[Cell, str, int | float]
"""A cell, a resource, and how much of it a sprite there holds."""


def rows_of(game: VgdlGame, rows: list[str]) -> list[str]:
    """The rows of a map; raises DescriptionError unless there are some, all of one length."""
    place = Place(game.file)
    if not rows:
        raise DescriptionError("the map is empty", "give it at least one row", place)
    for row in rows:
        if len(row) != len(rows[0]):
            message = (
                f"the rows of the map differ in length: {row[:40]!r} has {len(row)}, the first {len(rows[0])}"
            )
            raise DescriptionError(message, "fill them up", place)
    return rows


def build(game: VgdlGame, level_map: str, luck: Luck | None = None) -> VgdlLevel:
    """A level of the game, in which `luck` draws; raises DescriptionError where the map does not fit it."""
    rows = rows_of(game, [row for row in level_map.split("\n") if row])
    level = VgdlLevel(game, len(rows), len(rows[0]), luck)
    mapping = {**DEFAULT_MAPPING, **game.mapping}
    for index, row in enumerate(rows):
        for column, character in enumerate(row):
            for key in mapping.get(character, ()):
                if key not in level.groups:
                    message = (
                        f"the map holds {character!r}, which stands for `{key}`, and there is no such sprite"
                    )
                    raise DescriptionError(message, "map the character to something", Place(game.file))
                if level.create(key, (index, column)) and level.groups[key] not in level.order:
                    level.order.append(level.groups[key])
    level.settle_order()
    return level


def held_by(sprite: Sprite) -> dict[str, int | float]:
    """What a sprite holds; zeros are left out."""
    return {name: number for name, number in (sprite.resources or {}).items() if number}


class VgdlLevel:
    """The state of a level. `ended` and `won` tell how it went; `tick` plays one step.

    `luck` draws where chance decides; `draws` says what it came to in the last tick: the type of a sprite,
    where it was, and the way it went, or whether it made something.
    """

    skips = True  # as py-vgdl does; else who is gone makes the loop skip nobody
    thinned = False  # was anybody gone from a list of several while something went through it in this tick?

    def __init__(self, game: VgdlGame, height: int, width: int, luck: Luck | None = None) -> None:
        self.game = game
        self.luck: Luck = luck or Seeded()
        self.draws: list[tuple[str, Cell, Vector | bool]] = []
        self.height = height
        self.width = width
        self.time = 0
        self.score: int | float = 0
        self.ended = False
        self.won: bool | None = None
        self.program = program = program_of(game)
        self.groups: dict[str, Group] = {}
        self.limits: dict[str, int | float] = {}
        for number, kind in enumerate(game.sprites):
            key, base = kind.key, BASES[kind.base]
            sets = program.acts[key], program.meets[key], program.lists[key]
            self.groups[key] = Group(kind, base, number, sets)
            if base.resource:
                self.note_limit(kind)
        self.numbered = tuple(self.groups.values())
        # In the order in which types first appear, which is the order in which parents list their members.
        self.order: list[Group] = []
        self.below: dict[str, list[Group]] = {}  # the types below each parent, in that order
        self.moved: list[Sprite] = []
        self.restless = tuple(group for group in self.numbered if group.restless)
        self.avatar = next(group for group in self.numbered if group.base.avatar)
        self.avatar_groups: list[Group] = []  # in that order too
        self.births = 0
        self.lists: dict[str, list[Sprite]] = {}
        # Sets of lines: whose actors are there, whose partners are, and which name a parent first.
        self.acting, self.meeting, self.listing = 0, program.special, program.anyway

    def note_limit(self, kind: SpriteType) -> None:
        """Note how much of a resource one sprite can hold, if its type says so."""
        limit = kind.args.get("limit")
        if isinstance(limit, int | float):
            self.limits[str(kind.args.get("res_type", kind.key))] = limit

    def settle_order(self) -> None:
        """Order the types as py-vgdl does once a level stands: those on the map, the movable, the others."""
        rest = sorted(
            (group for group in self.groups.values() if group not in self.order),
            key=lambda group: (group.base.frozen, group.number),
        )
        self.order += rest
        self.avatar_groups = [group for group in self.order if group.base.avatar]
        for group in self.order:
            for parent in group.kind.stypes[:-1]:
                self.below.setdefault(parent, []).append(group)

    # --- sprites ------------------------------------------------------------------------------------------

    def create(self, key: str, cell: Cell) -> Sprite | None:
        """Make a sprite; None where there may be only one and it is there."""
        group = self.groups[key]
        live = group.live
        if not live:
            self.acting |= group.acts
            self.meeting |= group.meets
            self.listing |= group.lists
        elif group.singleton:
            return None
        self.births += 1
        if self.births > MOST_BIRTHS:
            raise VgdlEndless(f"a tick makes more than {MOST_BIRTHS:,} sprites", "", self.place_of())
        sprite = Sprite(group, cell, self.time)
        live.append(sprite)
        if group.meets:
            group.at.setdefault(cell, []).append(sprite)
        return sprite

    def kill(self, sprite: Sprite, *, listed: bool = True) -> None:
        """Take a sprite out. `listed`: effects of this tick that still see it pass it over."""
        if listed:
            sprite.listed = True
        group = sprite.group
        if not sprite.alive:
            raise VgdlFault(f"a {group.kind.key} is killed that is gone already", "", self.place_of())
        sprite.alive = False
        group.live.remove(sprite)
        if group.meets:
            group.at[sprite.cell].remove(sprite)
        if group.base.avatar:  # dead avatars are kept, since some effects still find them
            group.dead.append(sprite)
        if not group.live:
            # All of these bits are set while a sprite of the type is there, and by that type alone.
            self.acting ^= group.acts
            self.meeting ^= group.meets
            self.listing ^= group.lists

    def move(self, sprite: Sprite, cell: Cell) -> None:
        """Put a sprite somewhere else; where it stood at the start of the tick stays known."""
        group = sprite.group
        if group.meets and sprite.alive:
            group.at[sprite.cell].remove(sprite)
            group.at.setdefault(cell, []).append(sprite)
        sprite.cell = cell
        self.moved.append(sprite)

    def named(self, name: str) -> list[Sprite]:
        """The sprites of a type: the live list itself, or a new one where it is a parent's name."""
        group = self.groups.get(name)
        return group.live if group is not None else self.members(name)

    def each(self, name: str) -> list[Sprite]:
        """The same, for an effect that takes each out of its list: of a live one it passes some over."""
        found = self.named(name)
        self.thinned = self.thinned or (name in self.groups and len(found) > 1)
        return found if self.skips else found.copy()

    def members(self, parent: str) -> list[Sprite]:
        """A new list of the sprites below a parent."""
        groups = self.below[parent]
        # Mostly there is one type below a parent, and copying its list is quick.
        return groups[0].live.copy() if len(groups) == 1 else [one for group in groups for one in group.live]

    def count(self, name: str) -> int:
        """How many live sprites go by a name."""
        group = self.groups.get(name)
        if group is not None:
            return len(group.live)
        return sum(len(group.live) for group in self.below[name])

    def avatars(self) -> list[Sprite]:
        """The avatars, the dead of each type last; types without any do not show."""
        found: list[Sprite] = []
        for group in self.avatar_groups:
            found += [*group.live, *group.dead]
        return found

    def inside(self, cell: Cell) -> bool:
        """Is the cell on the map?"""
        return 0 <= cell[0] < self.height and 0 <= cell[1] < self.width

    def place_of(self, effect: Effect | None = None) -> Place:
        """Where the game's text stands, with the line of an effect."""
        effect = effect or getattr(self, "now", None)
        return Place(self.game.file, effect.line if effect is not None else 0)

    # --- what is seen from outside ------------------------------------------------------------------------

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that the game takes, `noop` apart."""
        return self.avatar.base.keys

    def sprites(self, keys: Iterable[str] | None = None) -> dict[str, tuple[Cell, ...]]:
        """Where the sprites of each type (or of these) stand, in reading order; empty types are left out."""
        groups = self.groups.values() if keys is None else [self.groups[key] for key in keys]
        return {group.kind.key: tuple(sorted(s.cell for s in group.live)) for group in groups if group.live}

    def resources(self, keys: Iterable[str] | None = None) -> dict[str, tuple[Holding, ...]]:
        """What the sprites of each type (or of these) hold: cell, resource, amount; zeros are left out."""
        found = {}
        for key in self.groups if keys is None else keys:
            group = self.groups[key]
            held = [(one.cell, name, n) for one in group.live for name, n in held_by(one).items()]
            if held:
                found[key] = tuple(sorted(held))
        return found

    @property
    def holders(self) -> frozenset[str]:
        """The types that are given what is collected."""
        return frozenset(group.kind.key for group in self.numbered if group.base.avatar)

    @property
    def collected(self) -> frozenset[str]:
        """The resources that lie about in the game."""
        own = (group.kind for group in self.numbered if group.base.resource)
        return frozenset(str(kind.args.get("res_type", kind.key)) for kind in own)

    def insides(self) -> list[Inside]:
        """Every live sprite, with what it has inside."""
        return [
            Inside(
                group.kind.key,
                one.cell,
                facing_of(*(one.orientation or (0, 0))),
                held_by(one),
                one.rest(self.time),
            )
            for group in self.numbered
            for one in group.live
        ]

    @property
    def resting(self) -> frozenset[str]:
        """The types that do not move in every tick."""
        return frozenset(key for key, group in self.groups.items() if group.rests)

    def put(self, inside: Inside) -> None:
        """Let the sprites of a type in a cell have this inside."""
        for one in self.groups[inside.key].live:
            if one.cell == inside.cell:
                one.orientation = VECTORS.get(inside.facing or "", one.orientation)
                one.resources = dict(inside.held)
                one.to_rest(self.time, inside.rest)

    def turn_lists_round(self) -> None:
        """Let who was there last come first, to see whether that makes a difference."""
        for group in self.numbered:
            for listed in (group.live, *group.at.values()):
                listed.reverse()

    # --- a tick -------------------------------------------------------------------------------------------

    def tick(self, key: str = NOOP) -> None:
        """Play one step with one key (`up`, `down`, `left`, `right`, `space`) or none (`noop`).

        After the end nothing changes any more. Raises VgdlFault where py-vgdl would stop.
        """
        if key != NOOP and key not in self.keys:
            known = ", ".join((*self.keys, NOOP))
            raise VgdlFault(
                f"this game takes no key {key[:20]!r}", f"it takes {known}", Place(self.game.file)
            )
        self.time += 1
        if self.ended:
            return
        for sprite in self.moved:
            sprite.last = sprite.cell
        self.moved.clear()
        self.births = 0
        self.draws.clear()
        queue = [sprite for group in self.restless for sprite in group.live]
        for sprite in queue:
            update(self, sprite, key)
            if sprite.group.base.does in WALKS:
                stray(self, sprite)
        self.run_effects()
        self.check_ends()

    def run_effects(self) -> None:
        """Run every effect once, in order, passing over those for which nothing is there."""
        program, lists, done = self.program, self.lists, 0
        self.thinned = False
        # What was listed in the tick before counts no more.
        lists.clear()
        self.acting &= program.own
        self.meeting &= program.own_partners
        while due := ((self.acting & self.meeting) | self.listing) >> done:
            done += (due & -due).bit_length()
            line = program.lines[done - 1]
            for name in line.fresh:
                self.list_members(name)
            named = line.effect.actor
            actors = self.numbered[line.actors].live if line.actors is not None else lists.get(named)
            if not actors:
                continue
            if not self.skips:
                actors = actors.copy()
            number = len(actors)
            if line.partners is not None:
                self.meet(line, actors, self.numbered[line.partners])
            elif line.effect.partner == "EOS":
                self.off_the_map(line, actors)
            elif line.effect.partner == "ANY":
                self.on_the_map(line, actors)
            else:
                self.meet_listed(line, actors, lists.get(line.effect.partner, []))
            if 1 < number > len(actors):
                self.thinned = True

    def list_members(self, parent: str) -> None:
        """List the sprites below a parent for the rest of the tick."""
        self.lists[parent] = listed = self.members(parent)
        if listed:
            self.acting |= self.program.acts[parent]
            self.meeting |= self.program.meets[parent]

    def meet(self, line: Line, actors: list[Sprite], partners: Group) -> None:
        """An effect between sprites and those of one type on the same cell."""
        self.now = line.effect
        act, score, at, live = line.act, line.effect.score, partners.at, partners.live
        for sprite in actors:
            here = at.get(sprite.cell)
            if not here:
                continue
            if len(here) == 1:
                if here[0] is not sprite:
                    self.score += score
                    if not sprite.listed:
                        act(self, sprite, here[0])
                continue
            # Their places in the list are found first and looked up one by one, while the list may change.
            for index in [index for index, other in enumerate(live) if other.cell == sprite.cell]:
                if index >= len(live):
                    raise VgdlFault("a list of sprites changes while it is gone through", "", self.place_of())
                if live[index] is not sprite:
                    self.score += score
                    if not sprite.listed:
                        act(self, sprite, live[index])

    def meet_listed(self, line: Line, actors: list[Sprite], others: list[Sprite]) -> None:
        """The same with the partners of a parent type, as they were listed."""
        self.now = line.effect
        for sprite in actors:
            for other in [other for other in others if other.cell == sprite.cell]:
                if other is not sprite:
                    self.score += line.effect.score
                    if not sprite.listed:
                        line.act(self, sprite, other)

    def off_the_map(self, line: Line, actors: list[Sprite]) -> None:
        """An effect on sprites that have left the map."""
        self.now = line.effect
        for sprite in actors:
            if not self.inside(sprite.cell):
                self.score += line.effect.score
                line.act(self, sprite, None)

    def on_the_map(self, line: Line, actors: list[Sprite]) -> None:
        """An effect on all sprites on the map; what goes wrong in it goes unnoticed."""
        self.now = line.effect
        for sprite in actors:
            if self.inside(sprite.cell):
                self.score += line.effect.score
                try:
                    line.act(self, sprite, None)
                except VgdlEndless:
                    raise
                except VgdlFault:
                    continue

    def check_ends(self) -> None:
        """Look whether the game has ended: the first termination that says so tells how."""
        for end in self.game.terminations:
            if end.name == "Timeout":
                over = self.time >= end.limit
            elif end.name == "SpriteCounter":
                over = self.count(end.stypes[0]) <= end.limit
            elif end.name == "MultiSpriteCounter":
                over = sum(self.count(name) for name in end.stypes) == end.limit
            else:
                avatars = self.avatars()
                if not avatars:
                    raise VgdlFault("there is no avatar to count for", "", Place(self.game.file, end.line))
                over = (avatars[0].resources or {}).get(end.stypes[0], 0) >= end.limit
            if over:
                self.ended, self.won = True, end.win
                self.score += end.score
                return
