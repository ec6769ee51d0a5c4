"""Games in which only the avatar sets things going, as the few rules that a person would write.

The lowering pass by pass (`ggp.importers.vgdl.tick`) is true of any game, and bulky: markers, forms of
sprites for parts of a tick, a pass for each line. Where all that happens in a tick begins with the avatar's
step, the tick is a function of a few cells in a row, and each way through it is one rule: what was asked of
the cells is its conditions, how they differ afterwards its effects. All rules are in one group and exclude
one another.

This holds if what is at rest together does nothing by itself, wherever it is. Which types can be at rest in
one cell is worked out along with the rules: it begins with what is in the maps, and what the rules leave
behind is added until nothing more comes (a least fixed point, so an invariant of all runs). If a line of the
InteractionSet then has something to do with two at rest, or anything else does not fit, `NotLocal` is raised.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ggp.importers.vgdl.compact.knowledge import MOST_RUNS, NotLocal, Together, Told
from ggp.importers.vgdl.compact.tick import STILL, Rules, Sprite, Tick
from ggp.importers.vgdl.compact.ways import Way, fewer
from ggp.importers.vgdl.dialects import PY_VGDL
from ggp.importers.vgdl.facts import Kind, Line, ends_without, tally_of
from ggp.importers.vgdl.game import VgdlGame
from ggp.importers.vgdl.outside import lost_outside

Board = list[list[frozenset[str]]]


class Local(NamedTuple):
    """What was worked out: the ways through a tick that change something, and who can be together."""

    ways: tuple[Way, ...]
    together: Together
    counted: bool  # is a tick a turn only if something changes? A tally says so
    idle: frozenset[int]  # lines that do something in a tick in which nothing changes, too

    @property
    def dies(self) -> bool:
        """Can the avatar be killed?"""
        return any(way.dies for way in self.ways)

    @property
    def stops(self) -> bool:
        """Can something leave the map with which nothing is done?"""
        return any(way.stops for way in self.ways)

    @property
    def resources(self) -> frozenset[str]:
        """What the rules say of what the avatar has."""
        asked = {
            key for way in self.ways for one in way.literals if one.amount is not None for key in one.keys
        }
        return frozenset(asked | {resource for way in self.ways for resource, *_ in way.held})


def local(
    game: VgdlGame,
    kinds: dict[str, Kind],
    lines: list[Line],
    limits: dict[str, int],
    boards: list[Board],
) -> Local:
    """The ways through a tick of a game on these boards. Raises NotLocal where they do not say all of it."""
    players = frozenset(key for key, kind in kinds.items() if kind.base.avatar)
    python = game.dialect is PY_VGDL
    cells = [here for board in boards for row in board for here in row]
    lasting = frozenset(key for here in cells for key in here)
    company = beside(cells, players)
    outside = lost_outside(game, kinds, lines)
    rules = Rules(kinds, tuple(lines), limits, python, outside, tally_of(game))
    while True:
        together = Together(iter(cells), edges_of(boards, lasting), players, company)
        ways = settled(rules, together)
        taken = {key for way in ways for key, *_ in (*way.moved, *way.taken)}
        on = [way for way in ways if not (way.dies and any(ends_without(game, players)))]
        strayed = {key for key in company for way in on if not way.keeps(key)}
        if not taken & lasting and not strayed:
            break
        lasting -= taken
        company -= strayed
    for key in together.known:
        fits(kinds[key], lines)
    for pair in together.pairs:
        if not pair & players:
            inert(lines, python, *pair)
    if rules.tally is not None:
        counts_turns(rules.tally, ways)
    idle = frozenset(line for way in ways if not way.does for line in way.lines)
    return Local(
        fewer([way for way in ways if way.does or way.score], together),
        together,
        rules.tally is not None,
        idle,
    )


def beside(cells: list[frozenset[str]], players: frozenset[str]) -> frozenset[str]:
    """What stands with the avatar on all boards, and nowhere else."""
    here = [cell for cell in cells if cell & players]
    away = frozenset(key for cell in cells if not cell & players for key in cell)
    return frozenset.intersection(*here) - players - away if here else frozenset()


def counts_turns(tally: str, ways: list[Way]) -> None:
    """See that a tally goes up by one in each tick in which something changes, and in no other one."""
    for way in ways:
        if not way.stops and way.counts != way.does:
            raise NotLocal(f"`{tally}` is not counted up by one in each tick in which something changes")
        if way.does and not way.goes:
            raise NotLocal(f"`{tally}` is counted, and something changes without a direction")


def edges_of(boards: list[Board], lasting: frozenset[str]) -> set[frozenset[str]]:
    """For each cell at the edge of a board, what of it is never taken."""
    found = set()
    for board in boards:
        last, end = len(board) - 1, len(board[0]) - 1
        for row, line in enumerate(board):
            for column, here in enumerate(line):
                if row in (0, last) or column in (0, end):
                    found.add(here & lasting)
    return found


def settled(rules: Rules, together: Together) -> list[Way]:
    """All ways through a tick, when no more types come to be together."""
    while True:
        before = together.size
        ways = [
            way
            for key in sorted(together.known & together.players)
            for goes in (False, True)
            for way in runs(rules, together, key, goes)
        ]
        if together.size == before:
            return ways


def runs(rules: Rules, together: Together, avatar: str, goes: bool) -> Iterator[Way]:
    """All ways through a tick with one avatar."""
    script: list[int] | None = []
    while script is not None:
        together.runs += 1
        if together.runs > MOST_RUNS:
            raise NotLocal(f"a tick can go on in too many ways: {MOST_RUNS:,} were tried")
        told = Told(together, script)
        tick = Tick(rules, told)
        tick.run(avatar, goes)
        for one in () if tick.stops else tick.sprites:
            if not one.dead and not one.disabled:
                stays_with(one, tick)
        yield way_of(avatar, tick, goes)
        script = told.next_script()


def stays_with(one: Sprite, tick: Tick) -> None:
    """Note with what a sprite that was moved or made is now at rest."""
    told = tick.told
    told.together.known.add(one.key)
    if not one.touched and not (one is tick.avatar and tick.held):
        return
    here = [s for s in tick.sprites if s is not one and s.cell == one.cell and not s.dead]
    met = {s.key for s in tick.sprites if s.start == one.cell}
    for key in sorted(told.together.known):
        if key not in met and told.possible(key, one.cell):
            note(one, key, tick)
    for other in here:
        note(one, other.key, tick)


def note(one: Sprite, other: str, tick: Tick) -> None:
    """Note that a sprite is at rest with another one, and what the avatar has there."""
    together = tick.told.together
    together.add(one.key, other)
    avatar, other = (other, one.key) if other == tick.avatar.key else (one.key, other)
    if avatar != tick.avatar.key:
        return
    for resource, most in tick.limits.items():
        if resource not in tick.held and not tick.avatar.touched:
            continue  # it has stayed with what it had
        amount = tick.held.get(resource, tick.told.amounts.get(resource))
        known = range(most + 1) if amount is None else (amount,)
        together.amounts_of(avatar, other, resource).update(known)


def way_of(avatar: str, tick: Tick, goes: bool) -> Way:
    """What a run comes to."""
    taken, put, moved = set[tuple[str, int]](), set[tuple[str, int]](), set[tuple[str, int, int]]()
    for one in tick.sprites:
        gone = one.dead or one.disabled
        if one.start is not None and not gone and one.cell != one.start:
            moved.add((one.key, one.start, one.cell))
        elif one.start is not None and gone:
            taken.add((one.key, one.start))
        elif one.start is None and not gone:
            if (one.key, one.cell) in put:
                raise NotLocal(f"two of `{one.key}` come at once")
            put.add((one.key, one.cell))
    both = taken & put
    held = frozenset(
        (resource, tick.told.has(resource, tick.limits.get(resource, 0)), amount)
        for resource, amount in tick.held.items()
    )
    return Way(
        tuple(tick.told.literals),
        frozenset(moved),
        frozenset(taken - both),
        frozenset(put - both),
        frozenset(one for one in held if one[1] != one[2]),
        avatar,
        tick.avatar.cell,
        goes,
        tick.avatar.disabled or tick.avatar.dead,
        tick.stops,
        tick.counted,
        0 if tick.stops else tick.score,
        frozenset(tick.acted),
    )


def fits(kind: Kind, lines: list[Line]) -> None:
    """Raise unless a type that can be there does nothing by itself, and is moved by whole cells at once."""
    wrong = kind.cooldown > 1 or kind.speed > 1 or kind.health or kind.base.does not in ("", "walk")
    if wrong or kind.oriented or (kind.base.avatar and (kind.speed != 1 or kind.base.does != "walk")):
        raise NotLocal(f"`{kind.key}` does something by itself, faces somewhere, or keeps time")


def inert(lines: list[Line], python: bool, one: str, other: str) -> None:
    """Raise if two that can be at rest in one cell do something there."""
    for line in lines:
        still = line.effect.name in STILL and not (
            python and line.effect.name in ("bounceForward", "pullWithIt")
        )
        if line.partners is None or (still and not line.effect.score):
            continue
        if any(a in line.actors and b in line.partners for a, b in ((one, other), (other, one))):
            raise NotLocal(f"line {line.effect.line} has something to do with two at rest")
