"""The effects as GVGAI has them: what happens to a sprite that meets another, or that is off the map."""

from __future__ import annotations

from collections.abc import Callable

from ggp.engines.vgdl.faults import VgdlFault
from ggp.engines.vgdl.gvgai_sprites import Sprite, Stage
from ggp.engines.vgdl.walkers import BASE_WAYS
from ggp.errors import Place
from ggp.importers.vgdl.dialects import BESIDE
from ggp.importers.vgdl.facts import NOWHERE, share
from ggp.importers.vgdl.game import Effect
from ggp.importers.vgdl.ontology import DIRECTIONS

Act = Callable[[Stage, Effect, Sprite, Sprite | None], None]


def met(other: Sprite | None) -> Sprite:
    """The partner, of an effect that the reader has let through only with one."""
    assert other is not None
    return other


def number(effect: Effect, key: str, default: int) -> int:
    """A number among the arguments."""
    value = effect.args.get(key, default)
    assert isinstance(value, int | float)
    return int(value)


def step_back(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Put the sprite back to where it stood when the tick began."""
    one.cell = one.last


def undo_all(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Put every sprite back."""
    spared = str(effect.args.get("notStype", "")).split(",")
    for key, sprites in level.lists.items():
        for sprite in sprites if key not in spared else ():
            sprite.cell = sprite.last


def kill_sprite(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Remove the sprite."""
    level.kill(one)


def kill_by_way(*, frontal: bool) -> Act:
    """Remove the sprite if it has not moved, or the two came (`frontal`) or did not come head on."""

    def act(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
        (down, right), (other_down, other_right) = one.came, met(other).came
        head_on = (down + other_down, right + other_right) == NOWHERE
        level.counts = one.came == NOWHERE or head_on is frontal
        if level.counts:
            level.kill(one)

    return act


def shield_from(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Keep an effect off all of the sprite's type until the tick is over."""
    level.shields.add(effect.shielding(one.kind.key))


def kill_both(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Remove the sprite and its partner."""
    level.kill(one)
    level.kill(met(other))


def kill_if_alive(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Remove the sprite unless its partner has been killed in this tick."""
    if other not in level.dead:
        level.kill(one)


def kill_all(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Remove all sprites of a type, wherever they are."""
    for sprite in level.lists[str(effect.args["stype"])]:
        level.kill(sprite)


def transform_to(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Replace the sprite by one that has come the same way and holds the same."""
    if one.disabled:
        return
    made = level.create(str(effect.args["stype"]), one.cell)
    if made is not None:
        take_over(level, effect, one, made, other)


def transform_to_all(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Replace all sprites of a type, wherever they are, even if there can be only one of the new ones."""
    for sprite in list(level.lists[str(effect.args["stype"])]):
        made = level.create(str(effect.args["stypeTo"]), sprite.cell, force=True)
        if made is not None:
            take_over(level, effect, sprite, made, other)


def transform_if_count(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Replace the sprite by one type or another, as there are so many of a type; the killed still count."""
    counted = sum(len(level.lists[key]) for key in level.below[str(effect.args["stypeCount"])])
    most = effect.args.get("leq")
    enough = counted >= number(effect, "geq", 0) and (most is None or counted <= number(effect, "leq", 0))
    level.counts = enough
    stype = effect.args["stype"] if enough else effect.args.get("estype")
    made = level.create(str(stype), one.cell, force=True) if stype is not None else None
    if made is not None:
        take_over(level, effect, one, made, other)


def keep_all(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Let the score begin anew, if it is an avatar's; what the line itself is worth is added then."""
    stype = effect.args.get("stype")
    those = [one] if stype is None else level.lists.get(str(stype), [])
    if any(sprite.kind.base.avatar for sprite in those):
        level.score = 0


def take_over(level: Stage, effect: Effect, one: Sprite, made: Sprite, other: Sprite | None) -> None:
    """Let what was made take the place of a sprite, which is killed."""
    if effect.args.get("forceOrientation") or (made.oriented and one.oriented and made.facing == NOWHERE):
        made.facing = one.facing
    made.last = one.last
    for resource, amount in one.held.items():
        made.gain(resource, amount)
    transformed = True
    if one.kind.base.avatar:
        transformed = made.kind.base.avatar
        if transformed:
            level.avatar = made
    made.health = one.health
    level.kill(one, transformed=transformed)
    if effect.args.get("killSecond") and other is not None:
        level.kill(other, transformed=True)


def clone_sprite(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Make another one here."""
    level.create(one.kind.key, one.cell)


def spawn(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Make a sprite here, if chance will."""
    if comes(level, effect, one):
        level.create(str(effect.args["stype"]), one.cell)


def spawn_behind(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Make a sprite where the partner stood before, if it has moved and chance will."""
    if comes(level, effect, one) and met(other).cell != met(other).last:
        level.create(str(effect.args["stype"]), met(other).last)


def spawn_beside(way: str) -> Act:
    """Make a sprite in the cell that way of the partner, if chance will."""
    down, right = DIRECTIONS[way.upper()]

    def act(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
        if comes(level, effect, one):
            row, column = met(other).cell
            cell = row + down * level.block, column + right * level.block
            level.create(str(effect.args["stype"]), cell)

    return act


def comes(level: Stage, effect: Effect, one: Sprite) -> bool:
    """Does chance let an effect do something? It is asked even where it can only say yes."""
    drawn = level.luck.double()
    if "prob" not in effect.args:
        return True
    chance = share(effect.args["prob"])
    done = drawn < chance
    if 0 < chance < 1:
        level.drawn(one, one.anchor, done)
    return done


def bounce_forward(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Send the sprite on in the direction in which its partner has come."""
    way = met(other).came
    facing = met(other).facing
    if way[0] * facing[0] < 0 or way[1] * facing[1] < 0:
        way = (-way[0], -way[1])
    one.drive(way, met(other).kind.speed)
    one.facing = way


def pull_with_it(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Take the sprite along with its partner."""
    one.go(met(other).came, met(other).kind.speed)


def wrap_around(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Put the sprite to the other side of the map, in the direction that it faces."""
    down, right = one.facing
    row, column = one.cell
    if right:
        column = 0 if right > 0 else (level.width - 1) * level.block
    elif down:
        row = 0 if down > 0 else (level.height - 1) * level.block
    one.cell, one.since = (row, column), 0


def teleport(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Put the sprite to the only exit of the portal."""
    stype = met(other).kind.stype
    exits = level.lists[stype] if stype is not None else []
    if len(exits) > 1:
        raise VgdlFault("there are several exits, of which chance chooses one", "", Place(level.game.file))
    if not exits:
        level.kill(one)
        return
    one.cell, one.since = exits[0].cell, 0
    if exits[0].oriented:
        one.facing = exits[0].facing


def reverse(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Let the sprite face the other way."""
    one.facing = (-one.facing[0], -one.facing[1])


def turn_around(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Put the sprite back, two steps down, and let it face the other way."""
    one.cell = one.last
    for _ in range(2):
        one.since = one.kind.cooldown
        one.drive(DIRECTIONS["DOWN"], one.kind.speed)
    reverse(level, effect, one, other)


def attract_gaze(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Let the sprite face where its partner faces."""
    if one.oriented and met(other).oriented and comes(level, effect, one):
        one.facing = met(other).facing


def collect(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Let the partner have what the sprite is worth, up to a limit."""
    if not one.kind.base.resource:
        return
    key, most = one.kind.key, level.limits.get(one.kind.key, 0)
    level.counts = met(other).holds(key) < most
    if level.counts:
        met(other).gain(key, min(one.kind.value, most - met(other).holds(key)))
        if effect.args.get("killResource", True):
            level.kill(one, transformed=True)


def collect_if_held(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Let the partner have all that the sprite is worth, or nothing, if it has enough of another resource."""
    if not one.kind.base.resource or met(other).holds(str(effect.args["heldResource"])) < number(
        effect, "value", 1
    ):
        level.counts = not one.kind.base.resource
        return
    level.counts = met(other).holds(one.kind.key) + one.kind.value <= level.limits.get(one.kind.key, 0)
    if level.counts:
        met(other).gain(one.kind.key, one.kind.value)
    if effect.args.get("killResource", True):
        level.kill(one)


def change_resource(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Let the sprite have more or less of a resource, if that is within the limit."""
    resource, value = str(effect.args["resource"]), number(effect, "value", 1)
    level.counts = one.holds(resource) + value <= level.limits.get(resource, 0)
    if level.counts:
        one.gain(resource, value)
        if effect.args.get("killResource"):
            level.kill(met(other), transformed=True)


def spawn_if_more(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Make a sprite here if this one has enough of a resource."""
    enough = one.holds(str(effect.args["resource"])) >= number(effect, "limit", 0)
    level.counts = comes(level, effect, one) and enough
    if level.counts:
        level.create(str(effect.args["stype"]), one.cell)
        one.gain(str(effect.args["resource"]), -number(effect, "spend", 0))


def spawn_if_less(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Make a sprite here if this one has no more of a resource."""
    few = one.holds(str(effect.args["resource"])) <= number(effect, "limit", 0)
    level.counts = comes(level, effect, one) and few
    if level.counts:
        level.create(str(effect.args["stype"]), one.cell)


def flip(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Let the sprite face anywhere."""
    one.facing = BASE_WAYS[level.luck.below(4)]
    level.drawn(one, one.anchor, one.facing)


def kill_if_more(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Remove the sprite if it has so much of a resource."""
    level.counts = one.holds(str(effect.args["resource"])) >= number(effect, "limit", 0)
    if level.counts:
        level.kill(one)


def kill_if_less(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Remove the sprite if it has no more of a resource."""
    level.counts = one.holds(str(effect.args["resource"])) <= number(effect, "limit", 0)
    if level.counts:
        level.kill(one)


def kill_if_other_more(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Remove the sprite if its partner has so much of a resource."""
    resource, limit = str(effect.args["resource"]), number(effect, "limit", 0)
    level.counts = met(other).holds(resource) >= limit
    if level.counts:
        level.kill(one)
        if effect.args.get("subtract"):
            met(other).gain(resource, -limit)


def kill_if_from_above(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Remove the sprite if its partner has come down on it."""
    above = one.last[0] > met(other).last[0] + level.block // 2
    level.counts = above and met(other).cell[0] > met(other).last[0]
    if level.counts:
        level.kill(one)


def lose_health(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Take health from the sprite, which may end it."""
    one.health -= number(effect, "value", 1)
    if one.health <= number(effect, "limit", 0):
        level.kill(one)


def gain_health(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Give the sprite health."""
    value = number(effect, "value", 1)
    level.counts = one.health + value < one.kind.most
    if level.counts:
        one.health += value
        if effect.args.get("killSecond") and other is not None:
            level.kill(other)


def fill_health(level: Stage, effect: Effect, one: Sprite, other: Sprite | None) -> None:
    """Give the sprite health, up to its limit."""
    one.health = min(one.health + number(effect, "value", 1), one.kind.most)
    if effect.args.get("killSecond") and other is not None:
        level.kill(other)


ACTS: dict[str, Act] = {
    "stepBack": step_back,
    "undoAll": undo_all,
    "transformIfCount": transform_if_count,
    "removeScore": keep_all,
    "killSprite": kill_sprite,
    "killBoth": kill_both,
    "killIfAlive": kill_if_alive,
    "killIfFrontal": kill_by_way(frontal=True),
    "killIfNotFrontal": kill_by_way(frontal=False),
    "shieldFrom": shield_from,
    "killAll": kill_all,
    "transformTo": transform_to,
    "transformToAll": transform_to_all,
    "cloneSprite": clone_sprite,
    "spawn": spawn,
    "spawnBehind": spawn_behind,
    "flipDirection": flip,
    "addHealthPointsToMax": fill_health,
    "bounceForward": bounce_forward,
    "pullWithIt": pull_with_it,
    "wrapAround": wrap_around,
    "teleportToExit": teleport,
    "reverseDirection": reverse,
    "turnAround": turn_around,
    "attractGaze": attract_gaze,
    "collectResource": collect,
    "collectResourceIfHeld": collect_if_held,
    "changeResource": change_resource,
    "spawnIfHasMore": spawn_if_more,
    "spawnIfHasLess": spawn_if_less,
    **{name: spawn_beside(way) for name, way in BESIDE.items()},
    "killIfHasMore": kill_if_more,
    "killIfHasLess": kill_if_less,
    "killIfOtherHasMore": kill_if_other_more,
    "killIfFromAbove": kill_if_from_above,
    "subtractHealthPoints": lose_health,
    "addHealthPoints": gain_health,
}
