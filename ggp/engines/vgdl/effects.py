"""The effects: what happens to a sprite that meets another, or that is on or off the map.

`act_of` turns a line of the InteractionSet into a function of the level, the sprite and its partner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ggp.engines.vgdl.faults import VgdlFault
from ggp.engines.vgdl.sprites import Sprite, Stage, unit
from ggp.importers.vgdl.fixed import Value, Vector
from ggp.importers.vgdl.game import Effect

Act = Callable[[Stage, Sprite, Sprite | None], None]
Args = Mapping[str, Value]
Number = int | float


def act_of(effect: Effect) -> Act:
    """The effect as a function."""
    return ACTS[effect.name](effect.args)


def met(partner: Sprite | None) -> Sprite:
    """The partner, of an effect that the reader has let through only with one."""
    assert partner is not None
    return partner


def number(args: Args, key: str, default: int) -> Number:
    """A number among the arguments."""
    value = args.get(key, default)
    assert isinstance(value, int | float)
    return value


# --- killing and changing ---------------------------------------------------------------------------------


def kill(args: Args) -> Act:
    """Remove the sprite."""
    return lambda level, sprite, partner: level.kill(sprite)


def kill_both(args: Args) -> Act:
    """Remove the sprite and its partner."""

    def act(level: Stage, sprite: Sprite, partner: Sprite | None) -> None:
        level.kill(sprite)
        level.kill(met(partner))

    return act


def kill_if_alive(args: Args) -> Act:
    """Remove the sprite unless its partner has been killed in this tick."""

    def act(level: Stage, sprite: Sprite, partner: Sprite | None) -> None:
        if not met(partner).listed:
            level.kill(sprite)

    return act


def kill_if_from_above(args: Args) -> Act:
    """Remove the sprite if its partner has come down on it."""

    def act(level: Stage, sprite: Sprite, partner: Sprite | None) -> None:
        other = met(partner)
        if sprite.last[0] > other.last[0] and other.cell[0] > other.last[0]:
            level.kill(sprite)

    return act


def transform(level: Stage, sprite: Sprite, stype: str) -> None:
    """Replace a sprite by one of another type, which keeps its orientation where both have one."""
    level.kill(sprite)
    made = level.create(stype, sprite.cell)
    if made is None:
        raise VgdlFault(f"there can be only one {stype}", "", level.place_of())
    if sprite.group.base.oriented and made.group.base.oriented:
        made.orientation = sprite.orientation


def transform_to(args: Args) -> Act:
    """Replace the sprite."""
    stype = str(args["stype"])
    return lambda level, sprite, partner: transform(level, sprite, stype)


def transform_others(args: Args) -> Act:
    """Replace every sprite of some type, wherever it is."""
    target, stype = str(args["target"]), str(args["stype"])

    def act(level: Stage, sprite: Sprite, partner: Sprite | None) -> None:
        for other in level.each(target):  # where it is live, it shrinks and grows under the loop
            transform(level, other, stype)

    return act


def kill_others(args: Args) -> Act:
    """Remove every sprite of some type; effects of this tick that still list them will stumble over them."""
    target = str(args["target"])

    def act(level: Stage, sprite: Sprite, partner: Sprite | None) -> None:
        for other in level.each(target):
            level.kill(other, listed=False)

    return act


# --- moving -----------------------------------------------------------------------------------------------


def step_back(args: Args) -> Act:
    """Put the sprite back to where it stood when the tick began."""
    return lambda level, sprite, partner: level.move(sprite, sprite.last)


def undo_all(args: Args) -> Act:
    """Put every sprite back."""

    def act(level: Stage, sprite: Sprite, partner: Sprite | None) -> None:
        for moved in list(level.moved):
            if moved.alive and moved.cell != moved.last:
                level.move(moved, moved.last)

    return act


def bounce_forward(args: Args) -> Act:
    """Move the sprite one step in the direction in which its partner has come."""
    return lambda level, sprite, partner: sprite.go(level, unit(met(partner).lastdirection, level))


def convey(args: Args) -> Act:
    """Move the sprite as far as its partner's strength, in the direction that the partner faces."""

    def act(level: Stage, sprite: Sprite, partner: Sprite | None) -> None:
        conveyor = met(partner)
        strength = conveyor.group.strength
        if conveyor.orientation is None or not isinstance(strength, int):
            key = conveyor.group.kind.key
            raise VgdlFault(f"{key} conveys, but has no orientation or no strength", "", level.place_of())
        sprite.go(level, unit(conveyor.orientation, level), strength)

    return act


def reverse(args: Args) -> Act:
    """Let the sprite face the other way."""

    def act(level: Stage, sprite: Sprite, partner: Sprite | None) -> None:
        down, right = facing(level, sprite)
        sprite.orientation = (-down, -right)

    return act


def facing(level: Stage, sprite: Sprite) -> Vector:
    """Where a sprite faces; py-vgdl stops where it faces nowhere."""
    if sprite.orientation is None:
        raise VgdlFault(f"{sprite.group.kind.key} has no orientation", "", level.place_of())
    return sprite.orientation


def pull(args: Args) -> Act:
    """Take the sprite along with its partner, once in a tick."""

    def act(level: Stage, sprite: Sprite, partner: Sprite | None) -> None:
        if sprite.pulled == level.time:
            return
        sprite.pulled = level.time
        speed = met(partner).group.speed
        if speed is None:
            raise VgdlFault(f"{met(partner).group.kind.key} pulls, and has no speed", "", level.place_of())
        sprite.go(level, unit(met(partner).lastdirection, level), speed)

    return act


def turn_around(args: Args) -> Act:
    """Put the sprite back, two steps down, and let it face the other way."""

    def act(level: Stage, sprite: Sprite, partner: Sprite | None) -> None:
        level.move(sprite, sprite.last)
        for _ in range(2):
            sprite.since = level.time - sprite.group.cooldown
            sprite.go(level, (1, 0), rested=True)
        down, right = facing(level, sprite)  # asked last: on the map nothing tells that it faces nowhere
        sprite.orientation = (-down, -right)

    return act


def wrap_around(args: Args) -> Act:
    """Put the sprite to the other side of the map, in the direction that it faces."""

    def act(level: Stage, sprite: Sprite, partner: Sprite | None) -> None:
        down, right = facing(level, sprite)
        row, column = sprite.cell
        if right:
            column = 0 if right > 0 else level.width - 1
        if down:
            row = 0 if down > 0 else level.height - 1
        here = sprite.cell == sprite.last  # where it was and where it is are one thing for py-vgdl then
        level.move(sprite, (row, column))
        if here:
            sprite.last = sprite.cell
        sprite.since = level.time

    return act


def teleport(args: Args) -> Act:
    """Put the sprite where the portal that it meets leads, and let its cooldown begin anew."""

    def act(level: Stage, sprite: Sprite, partner: Sprite | None) -> None:
        portal = met(partner).group
        exits = level.named(portal.stype) if portal.stype is not None else []
        if len(exits) != 1:
            remedy = "chance chooses among several" if exits else "let it lead to a type that is there"
            message = f"{portal.kind.key} leads to {len(exits)} places"
            raise VgdlFault(message, remedy, level.place_of())
        level.move(sprite, exits[0].cell)
        sprite.since = level.time

    return act


# --- resources --------------------------------------------------------------------------------------------


def add_resource(level: Stage, sprite: Sprite, resource: str, value: Number) -> None:
    """Let a sprite have more, within its limits."""
    most = level.limits.get(resource, float("inf"))
    sprite.put(resource, max(0, min(sprite.holds(resource) + value, most)))


def collected(level: Stage, resource: Sprite, by: Sprite) -> None:
    """Add what a resource is worth to who collects it."""
    kind = resource.group.kind
    if not resource.group.base.resource:
        raise VgdlFault(f"{kind.key} is no resource", "", level.place_of())
    add_resource(level, by, str(kind.args.get("res_type", kind.key)), number(kind.args, "value", 1))


def collect(args: Args) -> Act:
    """Let the partner have what the sprite is worth."""
    return lambda level, sprite, partner: collected(level, sprite, met(partner))


def avatar_of(level: Stage) -> Sprite:
    """The first avatar; raises where there never was one."""
    avatars = level.avatars()
    if not avatars:
        raise VgdlFault("there is no avatar", "", level.place_of())
    return avatars[0]


def avatar_collect(args: Args) -> Act:
    """Let the avatar have what the sprite is worth, wherever it is."""
    return lambda level, sprite, partner: collected(level, sprite, avatar_of(level))


def change_resource(args: Args) -> Act:
    """Let the sprite have more or less of a resource."""
    resource, value = str(args["resource"]), number(args, "value", 1)
    return lambda level, sprite, partner: add_resource(level, sprite, resource, value)


def spend(sprite: Sprite, resource: str, amount: Number) -> None:
    """Take away as much as there is, up to an amount."""
    sprite.put(resource, sprite.holds(resource) - min(sprite.holds(resource), amount))


def spend_own(args: Args) -> Act:
    """Take some of a resource from the sprite."""
    resource, amount = str(args["target"]), number(args, "amount", 1)
    return lambda level, sprite, partner: spend(sprite, resource, amount)


def spend_avatars(args: Args) -> Act:
    """Take some of a resource from the avatar."""
    resource, amount = str(args["target"]), number(args, "amount", 1)
    return lambda level, sprite, partner: spend(avatar_of(level), resource, amount)


def kill_if_held(more: bool, others: bool) -> Callable[[Args], Act]:
    """Kill the sprite if it, or its partner, has at least or at most so much of a resource."""

    def make(args: Args) -> Act:
        resource, limit = str(args["resource"]), number(args, "limit", 1)

        def act(level: Stage, sprite: Sprite, partner: Sprite | None) -> None:
            held = (met(partner) if others else sprite).holds(resource)
            if held >= limit if more else held <= limit:
                level.kill(sprite)

        return act

    return make


def spawn_if_more(args: Args) -> Act:
    """Make a sprite where this one is, if it has enough of a resource."""
    resource, stype, limit = str(args["resource"]), str(args["stype"]), number(args, "limit", 1)

    def act(level: Stage, sprite: Sprite, partner: Sprite | None) -> None:
        held = sprite.resources  # looked up here: this is what exported games do most
        if (held.get(resource, 0) if held else 0) >= limit:
            level.create(stype, sprite.cell)

    return act


def kill_without(args: Args) -> Act:
    """Remove the sprite if the avatar has none of a resource."""
    resource = str(args["target"])

    def act(level: Stage, sprite: Sprite, partner: Sprite | None) -> None:
        if not avatar_of(level).holds(resource):
            level.kill(sprite, listed=False)

    return act


ACTS: dict[str, Callable[[Args], Act]] = {
    "killSprite": kill,
    "killBoth": kill_both,
    "killIfAlive": kill_if_alive,
    "killIfFromAbove": kill_if_from_above,
    "transformTo": transform_to,
    "stepBack": step_back,
    "undoAll": undo_all,
    "bounceForward": bounce_forward,
    "conveySprite": convey,
    "reverseDirection": reverse,
    "pullWithIt": pull,
    "turnAround": turn_around,
    "wrapAround": wrap_around,
    "teleportToExit": teleport,
    "collectResource": collect,
    "changeResource": change_resource,
    "spawnIfHasMore": spawn_if_more,
    "killIfHasMore": kill_if_held(more=True, others=False),
    "killIfHasLess": kill_if_held(more=False, others=False),
    "killIfOtherHasMore": kill_if_held(more=True, others=True),
    "killIfOtherHasLess": kill_if_held(more=False, others=True),
    "SpendResource": spend_own,
    "SpendAvatarResource": spend_avatars,
    "AvatarCollectResource": avatar_collect,
    "KillOthers": kill_others,
    "KillIfAvatarWithoutResource": kill_without,
    "TransformOthersTo": transform_others,
    "NullEffect": lambda args: lambda level, sprite, partner: None,
}
