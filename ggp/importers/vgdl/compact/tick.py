"""One run of a tick about the avatar and the cells before it, with what is asked of them.

It goes the engine's way, sprite by sprite, over those that the run has come across: the avatar, what it has
moved or made, and what these were found to meet. Whatever else is on the board is at rest, and what is at
rest together does nothing (`ggp.importers.vgdl.compact` proves that). Where the order of the engine's lists
could show, `NotLocal` is raised, and the game is lowered pass by pass instead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ggp.importers.vgdl.compact.knowledge import NotLocal, Told
from ggp.importers.vgdl.facts import Kind, Line, whole_number
from ggp.importers.vgdl.game import Shield

# What these do does not hang on which partner it is, nor on how many there are.
BLIND = frozenset({"stepBack", "undoAll", "killSprite", "killIfHasMore", "killIfHasLess", "shieldFrom"})
STILL = frozenset({"stepBack", "bounceForward", "pullWithIt"})
"""Nothing happens where nothing has moved; but in py-vgdl what has not moved pushes to the right."""
HOLDING = frozenset(
    "collectResource changeResource killIfHasMore killIfHasLess killIfOtherHasMore spawnIfHasMore".split()
)


@dataclass(eq=False)
class Sprite:
    """A sprite that the run knows of. `start`: the cell it stood in before the tick, None if it is new."""

    keys: frozenset[str]  # its type; several, where it is only known to be one of these
    start: int | None
    cell: int
    last: int
    dead: bool = False
    disabled: bool = False
    rests: bool = False

    @property
    def key(self) -> str:
        """Its type."""
        (key,) = self.keys
        return key

    @property
    def touched(self) -> bool:
        """Is it not where it was at rest?"""
        return self.start is None or self.cell != self.start


class Rules(NamedTuple):
    """What a game says. `limits`: how much one sprite can hold; `tally`: what is counted, and not held."""

    kinds: dict[str, Kind]
    lines: tuple[Line, ...]
    limits: dict[str, int]
    python: bool  # py-vgdl's dialect: what is killed is gone, and nothing rests
    lost_outside: frozenset[str]
    tally: str | None


class Tick:
    """Runs the lines of a game for an avatar that goes on by a cell, or waits."""

    def __init__(self, rules: Rules, told: Told) -> None:
        self.kinds, self.lines, self.limits, self.python, self.lost_outside, self.tally = rules
        self.told = told
        self.sprites: list[Sprite] = []
        self.held: dict[str, int] = {}
        self.shields: set[Shield] = set()
        self.counted = self.score = 0
        self.applies = True  # did the effect at hand come about?
        self.acted: set[int] = set()  # lines
        self.changes = 0
        self.stops = False  # has something left the map for good?

    def run(self, avatar: str, goes: bool) -> None:
        """The tick, to its end."""
        self.told.yes[0] = {avatar, *self.told.together.company}
        self.avatar = Sprite(frozenset((avatar,)), 0, int(goes), 0, rests=goes)
        self.sprites.append(self.avatar)
        for line in self.lines:
            if line.effect.partner == "ANY":
                self.on_the_map(line)
            elif line.partners is None:
                self.off_the_map(line)
            else:
                self.meet(line)
        for one in self.sprites:
            if not one.dead and not self.told.inside(one.cell):
                one.dead = one.keys <= self.lost_outside
                self.stops |= not one.dead

    def concerns(self, one: Sprite) -> bool:
        """Can something happen to what meets it? Whatever is at rest meets what it has always met."""
        return one.touched or one is self.avatar

    # --- who meets ----------------------------------------------------------------------------------------

    def off_the_map(self, line: Line) -> None:
        """A line about what has left the map."""
        for one in list(self.sprites):
            if (
                one.keys <= {*line.actors}
                and not one.dead
                and not one.disabled
                and not self.told.inside(one.cell)
            ):
                self.act(line, one, None)

    def on_the_map(self, line: Line) -> None:
        """A line about all of some types: they must be where the avatar was, or have been made now."""
        company = {*line.actors} & self.told.together.company
        if not {*line.actors} <= self.told.together.players | company:
            raise NotLocal("something happens wherever a sprite is")
        for key in sorted(company):
            if not any(one.start == 0 and one.keys == {key} for one in self.sprites):
                self.sprites.append(Sprite(frozenset((key,)), 0, 0, 0))
        acting = [one for one in self.sprites if one.keys <= {*line.actors} and not one.dead]
        if len(acting) > 1:
            raise NotLocal(f"line {line.effect.line} is about several sprites, in the order of a list")
        for one in acting:
            if self.told.inside(one.cell):
                self.act(line, one, None)

    def meet(self, line: Line) -> None:
        """A line about two that are in one cell."""
        if line.effect.shield in self.shields:
            return
        pairs = self.meetings(line)
        before, moved = self.changes, set[int]()
        for one, other in pairs:
            where = [sprite.cell for sprite in self.sprites]
            if one.dead or one.cell != other.cell:
                continue
            self.act(line, one, other)
            if where != [sprite.cell for sprite in self.sprites[: len(where)]]:
                moved.add(id(one))
        if not moved or line.effect.name == "undoAll":
            return
        if len(moved) > 1 or (self.changes > before + 1 and len({id(one) for one, _ in pairs}) > 1):
            raise NotLocal(f"line {line.effect.line} moves several sprites, one after another")
        known, before = {(id(one), id(other)) for one, other in pairs}, self.changes
        for one, other in self.meetings(line):
            if (id(one), id(other)) not in known:
                self.act(line, one, other)
        if self.changes > before:
            raise NotLocal(f"what line {line.effect.line} moves meets more in it")

    def meetings(self, line: Line) -> list[tuple[Sprite, Sprite]]:
        """Who meets whom, the cells being asked where that is open."""
        found: list[tuple[Sprite, Sprite]] = []
        partners, scores = line.partners or (), bool(line.effect.score)
        blind = line.effect.name in BLIND and not scores  # else each that is met counts
        for one in [sprite for sprite in self.sprites if self.concerns(sprite)]:
            if one.dead and self.python:
                continue
            if not self.told.inside(one.cell):
                continue
            if one.keys <= {*line.actors} and not one.dead:
                found += [(one, other) for other in self.present(one, partners, blind=blind)]
            if one.keys <= {*partners} and (line.effect.name != "stepBack" or scores):
                found += [
                    (other, one)
                    for other in self.present(one, line.actors, blind=line.effect.name == "undoAll")
                    if not other.dead and not (self.concerns(other) and other.keys <= {*line.actors})
                ]
        if not blind:
            self.one_partner(line, found)
        return found

    def one_partner(self, line: Line, pairs: list[tuple[Sprite, Sprite]]) -> None:
        """Where a sprite meets two, the first counts; which one that is lies with the engine's lists."""
        actors = [id(one) for one, _ in pairs if self.does(line, one)]
        if len(actors) > len(set(actors)):
            raise NotLocal(f"line {line.effect.line} meets two partners at once")
        if line.effect.name in ("killBoth", "killIfAlive") and len(pairs) > 1:
            raise NotLocal(f"line {line.effect.line} kills in the order of a list")

    def does(self, line: Line, one: Sprite) -> bool:
        """Could the line do anything to such an actor?"""
        return line.effect.name != "collectResource" or self.kinds[one.key].base.resource

    def present(self, one: Sprite, keys: tuple[str, ...], *, blind: bool) -> list[Sprite]:
        """Those of some types that are in the cell of a sprite; `blind`: at least one, if there are any."""
        here = [
            s
            for s in self.sprites
            if s is not one and s.cell == one.cell and s.keys <= {*keys} and not (s.dead and self.python)
        ]
        met = {key for s in self.sprites for key in s.keys if s.start == one.cell and len(s.keys) == 1}
        rest = [key for key in keys if key not in met]
        if blind:
            if not here and self.told.any_of(frozenset(rest), one.cell):
                return [Sprite(frozenset(rest), one.cell, one.cell, one.cell)]
            return here
        for key in dict.fromkeys(rest):
            if self.told.any_of(frozenset((key,)), one.cell):
                here.append(Sprite(frozenset((key,)), one.cell, one.cell, one.cell))
                self.sprites.append(here[-1])
        return here

    # --- what they do -------------------------------------------------------------------------------------

    def act(self, line: Line, one: Sprite, other: Sprite | None) -> None:
        """The effect of a line, and what it scores: py-vgdl counts it whatever comes of it."""
        self.applies = True
        self.come(line, one, other)
        if self.applies or self.python:
            self.score += int(line.effect.score)

    def come(self, line: Line, one: Sprite, other: Sprite | None) -> None:
        """The effect of a line."""
        effect, args = line.effect.name, line.effect.args
        self.acted.add(line.effect.line)
        if effect == "stepBack":
            self.move(one, one.last)
        elif effect == "undoAll":
            spared = str(args.get("notStype", "")).split(",")
            for sprite in self.sprites:
                if not sprite.keys & {*spared}:
                    self.move(sprite, sprite.last)
        elif effect == "killSprite":
            self.kill(one)
        elif effect == "killBoth" and other is not None:
            self.kill(one)
            self.kill(other)
        elif effect == "killIfAlive" and other is not None:
            if not other.dead:
                self.kill(one)
        elif effect == "shieldFrom" and one is self.avatar:
            self.shields.add(line.effect.shielding(one.key))
        elif effect == "transformTo":
            self.transform(one, other, str(args["stype"]), bool(args.get("killSecond")))
        elif effect in ("spawn", "cloneSprite"):
            self.leave(str(args.get("stype", one.key)), one.cell)
        elif effect in ("bounceForward", "pullWithIt") and other is not None:
            self.send(one, other, pulls=effect == "pullWithIt")
        elif other is not None or line.effect.partner == "ANY":
            self.hold(line, one, other)
        else:
            raise NotLocal(f"`{effect}` off the map")

    def move(self, one: Sprite, cell: int) -> None:
        """Put a sprite somewhere."""
        self.changes += one.cell != cell
        one.cell = cell

    def kill(self, one: Sprite, *, transformed: bool = False) -> None:
        """Take a sprite out when the tick is over; an avatar is only disabled."""
        if one is self.avatar and not transformed and not self.python:
            self.changes += not one.disabled
            one.disabled = True
        else:
            self.changes += not one.dead
            one.dead = True

    def create(self, key: str, cell: int) -> Sprite:
        """Make a sprite, which rests in this tick."""
        if self.kinds[key].singles:
            raise NotLocal(f"there can be one `{key}` alone")
        self.changes += 1
        self.sprites.append(Sprite(frozenset((key,)), None, cell, cell, rests=True))
        return self.sprites[-1]

    def leave(self, key: str, cell: int) -> None:
        """Make a sprite that is no avatar."""
        if self.kinds[key].base.avatar:
            raise NotLocal("a second avatar would come")
        self.create(key, cell)

    def transform(self, one: Sprite, other: Sprite | None, stype: str, second: bool) -> None:
        """Replace a sprite by one that has come the same way."""
        if one.disabled:
            return
        if (one is self.avatar) != self.kinds[stype].base.avatar:
            raise NotLocal("an avatar comes of something else, or something else of an avatar")
        if one is self.avatar and self.tally is not None:
            raise NotLocal(f"`{self.tally}` is counted, and the avatar becomes another one")
        made = self.create(stype, one.cell)
        made.last = made.cell if self.python else one.last
        if one is self.avatar:
            self.avatar = made
            if self.python:  # it is a new one there, which has nothing
                self.held.update(dict.fromkeys(self.limits, 0))
        self.kill(one, transformed=True)
        if second and other is not None:
            self.kill(other, transformed=True)

    def send(self, one: Sprite, other: Sprite, *, pulls: bool) -> None:
        """Send a sprite on as its partner has come."""
        way = other.cell - other.last
        if self.python and (way == 0 or one.cell != one.last):
            raise NotLocal("py-vgdl pushes by what has not moved, or twice")
        if way == 0 or one.rests:
            return
        if one is self.avatar or (pulls and other.start is None):
            raise NotLocal("the avatar is pushed, or something new pulls")
        if pulls and self.kinds[other.key].speed == 0:
            raise NotLocal("what pulls has no speed")
        self.move(one, one.cell + (1 if way > 0 else -1))
        one.rests = not self.python

    def hold(self, line: Line, one: Sprite, other: Sprite | None) -> None:
        """The effects that ask what the avatar has."""
        effect, args = line.effect.name, line.effect.args
        if effect == "collectResource" and not self.kinds[one.key].base.resource:
            return
        if effect not in HOLDING:
            raise NotLocal(f"`{effect}` is lowered pass by pass")
        owner = other if effect in ("collectResource", "killIfOtherHasMore") else one
        if owner is not self.avatar:
            raise NotLocal("only avatars carry resources here")
        if effect == "changeResource" and args["resource"] == self.tally:
            self.counted += whole_number(line.effect, "value", 1)
            if self.counted < 0:
                raise NotLocal(f"`{self.tally}` goes down before it goes up")
        elif effect in ("collectResource", "changeResource"):
            self.gain(line, one, other)
        else:
            self.ask(line, one)

    def has(self, resource: str) -> int:
        """How much the avatar has by now."""
        if resource not in self.limits and self.python:
            raise NotLocal(f"`{resource}` is spent, and has no limit")
        most = self.limits.get(resource, 0)
        return self.held[resource] if resource in self.held else self.told.has(resource, most)

    def gain(self, line: Line, one: Sprite, other: Sprite | None) -> None:
        """`collectResource` and `changeResource`. GVGAI leaves alone what would become too much."""
        collects, kind = line.effect.name == "collectResource", self.kinds[one.key]
        named = (kind.resource if self.python else one.key) if collects else str(line.effect.args["resource"])
        value = kind.value if collects else whole_number(line.effect, "value", 1)
        amount, most = self.has(named), self.limits.get(named, 0)
        self.applies = amount < most if collects else amount + value <= most
        if self.python:
            if max(0, min(amount + value, most)) != amount:
                self.keep(named, min(amount + value, most))
        elif collects and amount < most:
            self.keep(named, min(amount + value, most))
            if line.effect.args.get("killResource", True):
                self.kill(one, transformed=True)
        elif not collects and amount + value <= most:
            self.keep(named, amount + value)
            if line.effect.args.get("killResource") and other is not None:
                self.kill(other, transformed=True)

    def ask(self, line: Line, one: Sprite) -> None:
        """The effects that come if there is enough, or not too much."""
        effect, args = line.effect.name, line.effect.args
        resource, least = str(args["resource"]), whole_number(line.effect, "limit", int(self.python))
        amount = self.has(resource)
        self.applies = amount <= least if effect == "killIfHasLess" else amount >= least
        if not self.applies:
            return
        if effect in ("killIfHasMore", "killIfHasLess"):
            self.kill(one)
        elif effect == "killIfOtherHasMore":
            self.kill(one)
            if args.get("subtract"):
                self.keep(resource, amount - least)
        elif effect == "spawnIfHasMore":
            self.leave(str(args["stype"]), one.cell)
            self.keep(resource, amount - whole_number(line.effect, "spend", 0))

    def keep(self, resource: str, amount: int) -> None:
        """The avatar has so much from now on."""
        self.held[resource] = max(0, amount)
        self.changes += 1
