"""What each sort of sprite may be, as far as it shows: who goes where the keys say, who goes by itself."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ggp.engines.vgdl.insides import VECTORS, Inside
from ggp.errors import NotLearned
from ggp.importers.vgdl.fixed import Value
from ggp.importers.vgdl.ontology import BASES
from ggp.learn.boards import Board, Turn
from ggp.model import Cell
from ggp.watch.theory.vgdl.spelling import Spelling
from ggp.watch.theory.vgdl.stage import placed
from ggp.watch.theory.vgdl.theories import Args, Sort, Theory

LED = 0.15  # of the turns with an arrow, at least, in which a second form of the player goes that way
OFTEN = 0.5  # of the turns in which something can be told of a sort, that say it is so
SLOWEST = 3  # cells in a turn, of what flies


@dataclass
class Habits:
    """What the sprites of one name were seen to do. Numbers are of turns, but for those by cells."""

    facing: bool = False
    led: int = 0  # one sprite went where the key says
    asked: int = 0  # one sprite, and a key with a way
    flown: Counter[int] = field(default_factory=Counter)  # went on where it faces, by so many cells
    stayed: int = 0  # stands where it stood
    gone: int = 0  # does not
    spent: int = 0  # gone where somebody holds more
    comes_on: Counter[str] = field(default_factory=Counter)  # the names at a cell where one comes
    comes: int = 0
    on_space: int = 0  # came with `space`
    paid: Counter[str] = field(default_factory=Counter)  # what there was less of in hand with `space`
    born: Counter[str] = field(default_factory=Counter)  # where it faces when it comes
    rest: int = 0  # the most turns for which one was still to rest


def habits_of(turns: Sequence[Turn], spelling: Spelling) -> dict[str, Habits]:
    """What was seen of each name, in order of first sight."""
    habits = defaultdict[str, Habits](Habits)
    for turn in turns:
        before, after = insides(turn.before, spelling), insides(turn.after, spelling)
        more = set[Cell]()
        if held(after) > held(before):
            more = {one.cell for some in after.values() for one in some if one.held}
        key = spelling.key(turn.word)
        for name in dict.fromkeys((*before, *after)):
            note(habits[name], before.get(name, []), after.get(name, []), key, more)
            if key == "space":
                habits[name].paid.update(less(before.get(name, []), after.get(name, [])))
        note_coming(habits, before, after, key)
    return dict(habits)


def less(before: list[Inside], after: list[Inside]) -> list[str]:
    """What the one sprite of a name holds less of."""
    if len(before) != 1 or len(after) != 1:
        return []
    return [name for name, amount in before[0].held.items() if after[0].held.get(name, 0) < amount]


def insides(board: Board, spelling: Spelling) -> dict[str, list[Inside]]:
    """The sprites on a board by their names."""
    found = dict[str, list[Inside]]()
    for cell, token in placed(board):
        one, _ = spelling.inside(token, cell)
        found.setdefault(one.key, []).append(one)
    return found


def held(sprites: dict[str, list[Inside]]) -> float:
    """How much is held on a board, by all."""
    return sum(amount for some in sprites.values() for one in some for amount in one.held.values())


def note(habit: Habits, before: list[Inside], after: list[Inside], key: str, more: set[Cell]) -> None:
    """What one turn says of the sprites of a name; `more`: where those stand who hold something more."""
    habit.facing = habit.facing or any(one.facing is not None for one in (*before, *after))
    habit.rest = max(habit.rest, *(one.rest for one in (*before, *after)), 0)
    there, stood = {one.cell for one in after}, {one.cell for one in before}
    if len(before) == 1 and key in VECTORS:
        habit.asked += 1
        habit.led += there == {ahead(before[0].cell, key, 1)}
    for one in before:
        habit.stayed += one.cell in there
        habit.gone += one.cell not in there
        habit.spent += one.cell in more and one.cell not in there
        for cells in range(1, SLOWEST + 1) if one.facing is not None else ():
            on = ahead(one.cell, one.facing or "", cells)
            habit.flown[cells] += on not in stood and any(
                other.cell == on and other.facing == one.facing for other in after
            )


def note_coming(
    habits: dict[str, Habits], before: dict[str, list[Inside]], after: dict[str, list[Inside]], key: str
) -> None:
    """What one turn says of where sprites come from."""
    stood: dict[Cell, set[str]] = defaultdict(set)
    for name, some in before.items():
        for one in some:
            stood[one.cell].add(name)
    for name, some in after.items():
        old = {one.cell for one in before.get(name, ())}
        if len(some) <= len(old):
            continue
        for one in some:
            if one.cell not in old:
                habits[name].comes += 1
                habits[name].comes_on.update(stood[one.cell])
                habits[name].on_space += key == "space"
                habits[name].born[one.facing or ""] += 1


def ahead(cell: Cell, way: str, cells: int) -> Cell:
    """The cell so far off."""
    down, right = VECTORS[way]
    return cell[0] + down * cells, cell[1] + right * cells


# --- sorts ------------------------------------------------------------------------------------------------


def first_sorts(turns: Sequence[Turn], spelling: Spelling) -> dict[str, Sort]:
    """What each sort most likely is; raises NotLearned where nobody plays."""
    habits = habits_of(turns, spelling)
    players = players_of(turns, spelling, habits)
    words = {spelling.key(turn.word) for turn in turns}
    if not players:
        raise NotLearned("nobody is led by the inputs")
    sorts = {
        name: player(name, habit, habits, words, spelling)
        if name in players
        else other(name, habit, habits, spelling)
        for name, habit in habits.items()
    }
    return {name: resting(sort, habits[name].rest + 1) for name, sort in sorts.items()}


def resting(sort: Sort, cooldown: Value) -> Sort:
    """The same that rests after it moved; the `cooldown` of a spawn point is a clock."""
    if sort.base == "SpawnPoint" or cooldown == 1:
        return sort
    return Sort(sort.base, tuple(sorted({**dict(sort.args), "cooldown": cooldown}.items())))


def players_of(turns: Sequence[Turn], spelling: Spelling, habits: dict[str, Habits]) -> set[str]:
    """The names of those who go where the keys say: who does most often, and who stands for it elsewhere.

    Who holds something may have been seen only in a turn in which another became it.
    """

    def share(name: str) -> float:
        habit = habits[name]
        return habit.led / habit.asked if habit.asked else 0.0

    boards = [insides(board, spelling) for turn in turns for board in (turn.before, turn.after)]
    found = set[str]()
    for name in sorted(habits, key=share, reverse=True):
        if found and name not in spelling.names.holders and share(name) < LED:
            continue
        alone = [board for board in boards if len(board.get(name, ())) == 1]
        if alone and not any(found & board.keys() for board in alone):
            found.add(name)
    return found


def player(name: str, habit: Habits, habits: dict[str, Habits], words: set[str], spelling: Spelling) -> Sort:
    """The class of an avatar."""
    if "space" not in words:
        ways = words & VECTORS.keys()
        if habit.facing:
            return Sort("OrientedAvatar")
        if ways and ways <= {"left", "right"}:
            return Sort("HorizontalAvatar")
        return Sort("VerticalAvatar") if ways and ways <= {"up", "down"} else Sort("MovingAvatar")
    made = max(habits, key=lambda one: habits[one].on_space)
    paid = habit.paid.most_common(1)
    args: Args = (*((("ammo", paid[0][0]),) if paid and habit.facing else ()), ("stype", made))
    return Sort("ShootAvatar" if habit.facing else "FlakAvatar", args)


def other(name: str, habit: Habits, habits: dict[str, Habits], spelling: Spelling) -> Sort:
    """The class of what no key leads."""
    if name in spelling.clocked:
        return Sort("SpawnPoint", (("cooldown", spelling.clocked[name]), ("stype", comes_on(name, habits))))
    if habit.spent > OFTEN * max(1, habit.gone) and not habit.facing:
        resource = name if name in spelling.most else spelling.held[0]
        return Sort("Resource", (("limit", spelling.room[resource]), ("res_type", resource)))
    if habit.facing:
        return facing(habit)
    if habit.comes and not habit.stayed:
        return Sort("Flicker", (("limit", 1),))
    return Sort("Immovable")


def facing(habit: Habits) -> Sort:
    """The class of what faces somewhere."""
    way = next((way for way, _ in habit.born.most_common() if way), "right")
    args: Args = (("orientation", VECTORS[way]),) if way != "right" else ()
    flown, cells = max(((number, -cells) for cells, number in habit.flown.items()), default=(0, -1))
    if flown or not habit.stayed:  # what never stays may have flown into something each time
        return Sort("Missile", (*args, *((("speed", -cells),) if flown and cells != -1 else ())))
    return Sort("Conveyor", args)


def comes_on(name: str, habits: dict[str, Habits]) -> str:
    """What comes most often where a sprite of a name stands."""
    return max(habits, key=lambda one: habits[one].comes_on[name])


def other_sorts(theory: Theory, name: str, spelling: Spelling) -> Iterator[Sort]:
    """What else a sort may be; it rests as long."""
    cooldown = theory.sorts[name].given("cooldown") if theory.sorts[name].base != "SpawnPoint" else None
    for sort in sorts_like(theory, name, spelling):
        yield resting(sort, cooldown if cooldown is not None else 1)


def sorts_like(theory: Theory, name: str, spelling: Spelling) -> Iterator[Sort]:
    """What else a sort may be, but for how long it rests."""
    mine = theory.sorts[name]
    base = BASES[mine.base]
    if "stype" in base.takes:
        for made in theory.sorts:
            yield Sort(mine.base, tuple(sorted({**dict(mine.args), "stype": made}.items())))
    if "ammo" in base.takes:
        for resource in spelling.held:
            yield Sort(mine.base, tuple(sorted({**dict(mine.args), "ammo": resource}.items())))
    if base.avatar:
        return
    if base.oriented:
        for way in VECTORS.values():
            args: Args = (("orientation", way),)
            yield from (Sort("Missile", args), Sort("Conveyor", args))
            yield Sort("OrientedFlicker", (("limit", 1), *args))
        return
    yield Sort("Immovable")
    if spelling.held:
        for resource in spelling.held:
            for limit in (spelling.room[resource], spelling.most[resource]):
                yield Sort("Resource", (("limit", limit), ("res_type", resource)))
    yield Sort("Flicker", (("limit", 1),))
    for made in theory.sorts:
        if made != name:
            yield Sort("Portal", (("stype", made),))
            if not theory.sorts[made].given("stype"):
                yield Sort("SpawnPoint", (("stype", made),))
