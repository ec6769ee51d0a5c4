"""The habits of what goes by itself and faces where no board shows it, and the facings they make likely.

A thing is followed through a run. What it does next depends on its facing and on what stands around it, as
seen from that facing: how often it did what is counted, first with the facings that are likely beforehand,
then with those that the counts make likely, and so on (expectation maximisation of a hidden Markov model).
Nothing else of the game need be known for that.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import NamedTuple, TypeVar

from ggp.learn.boards import Board, Episode, Stack, Token
from ggp.learn.seen.symmetry import turned_facing, turned_offset
from ggp.model import DIRECTIONS, OFFSETS, Cell

ROUNDS = 12
LEARNED_FROM = 2000  # steps: more say nothing new of habits
TRUST = 0.5  # how often something is taken to have been seen that fewer circumstances foretell
KEPT = 0.97  # how likely it goes on facing the same way, before anything is counted
SLIGHT = 0.01  # what is less likely is not counted
STRANGE = 0.01  # the same for going elsewhere than it faces
HERE, AHEAD, RIGHT, LEFT, BEHIND = (0, 0), (0, -1), (1, 0), (-1, 0), (0, 1)  # (right, down), facing up

Seen = tuple[str | Stack | None, ...]
Deed = tuple[str, str]
"""Where it went, "" for nowhere, and where it faces then, both as who faces up would call it."""
Counts = dict[Seen, dict[Deed, float]]
K = TypeVar("K")
Chance = Callable[[int, str, str], float]
"""How likely the stride of a number is, with the facings before and after it."""


class Stride(NamedTuple):
    """A turn of one thing: where it went, and for each facing what it saw around itself then.

    `idle`: the input was no move, and nothing happened.
    """

    went: str
    seen: Mapping[str, Seen]
    idle: bool = False


class Track(NamedTuple):
    """One thing through a run: the number of its first board, its cells from there on, and its strides."""

    first: int
    cells: list[Cell]
    strides: list[Stride]


class View(NamedTuple):
    """How one who faces up is turned so as to face somewhere."""

    quarters: int
    flip: bool = False

    def offset(self, seen: Cell) -> Cell:
        """Rows and columns to a cell that is seen (right, down) of oneself."""
        right, down = turned_offset(seen, self.quarters, self.flip)
        return down, right

    def called(self, way: str) -> str:
        """What one calls a direction who takes the own one for up."""
        return next((one for one in DIRECTIONS if turned_facing(one, *self) == way), way)


def views(facings: Sequence[str]) -> dict[str, View]:
    """The view of each facing: turned where there are four, else mirrored, for what walks may also fall."""
    if len(facings) == 4:
        return {way: View(DIRECTIONS.index(way)) for way in facings}
    if "left" in facings:
        return {"right": View(1), "left": View(1, flip=True)}
    return {"up": View(0), "down": View(2, flip=True)}


# --- following --------------------------------------------------------------------------------------------


def tracks(episode: Episode, token: Token, facings: Sequence[str]) -> list[Track]:
    """All that is called so, followed through a run; a track ends where it is not clear which is which."""
    boards, looks = list(episode.boards()), views(facings)
    done, going = list[Track](), [Track(0, [cell], []) for cell in standing(boards[0], token)]
    for number, (old, new) in enumerate(pairwise(boards)):
        came, still = standing(new, token), list[Track]()
        followed = matched([track.cells[-1] for track in going], came)
        for track in going:
            here = track.cells[-1]
            if here not in followed:
                done.append(track)
                continue
            step = episode.steps[number]
            seen = {way: (step.word, *around(here, view, token, old, new)) for way, view in looks.items()}
            track.strides.append(Stride(direction(here, followed[here]), seen, step.refused))
            track.cells.append(followed[here])
            still.append(track)
        going = still + [Track(number + 1, [cell], []) for cell in came if cell not in followed.values()]
    return done + going


def matched(old: Sequence[Cell], new: Sequence[Cell]) -> dict[Cell, Cell]:
    """Which is which after a turn, as far as that is clear: each goes a step at most, none change places."""
    found: dict[Cell, Cell] = {}
    left = {here: {cell for cell in new if apart(here, cell) <= 1} for here in old}
    while left:
        sure = {here: min(cells) for here, cells in left.items() if len(cells) == 1}
        stays = {here: here for here, cells in left.items() if here in cells}
        some = sure or stays
        for here, cell in some.items():
            if list(some.values()).count(cell) == 1:
                found[here] = cell
        if not some:
            break
        taken = set(some.values())
        left = {here: cells - taken for here, cells in left.items() if here not in some}
    return found


def standing(board: Board, token: Token) -> list[Cell]:
    """The cells where something stands."""
    return [divmod(n, board.width) for n, stack in enumerate(board.cells) if token in stack]


def apart(one: Cell, other: Cell) -> int:
    """Steps from one cell to another."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def direction(source: Cell, target: Cell) -> str:
    """The way of a step; "" where it is none."""
    step = target[0] - source[0], target[1] - source[1]
    return next((name for name, offset in OFFSETS.items() if offset == step), "")


def around(here: Cell, view: View, token: Token, old: Board, new: Board) -> Iterator[Stack | None]:
    """What stood around it before the turn, and after it: others may have gone before it."""
    for board, cells in ((new, (AHEAD, RIGHT, LEFT, BEHIND)), (old, (AHEAD, HERE, RIGHT))):
        for cell in cells:
            down, right = view.offset(cell)
            stack = board.at((here[0] + down, here[1] + right))
            yield None if stack is None else stack - {token}


# --- habits -----------------------------------------------------------------------------------------------


class Habits:
    """How likely it is to do something. What was seldom seen is judged by fewer circumstances.

    `turns_first`: before anything is counted it is taken to turn and go in one turn, and not the other way.
    """

    def __init__(self, facings: Sequence[str], *, turns_first: bool = False) -> None:
        self.facings, self.views, self.turns_first = facings, views(facings), turns_first
        self.asked: list[int] = []  # the circumstances that tell, those that tell most first
        self.counts: list[Counts] = []  # by the first of these, by the first two, ...
        self.known: dict[tuple[Seen, Deed], float] = {}

    def chance(self, stride: Stride, old: str, new: str) -> float:
        """How likely this is of one who faces `old`, and that it faces `new` after it."""
        if stride.idle:
            return float(old == new)
        if not self.counts:
            return self.beforehand(stride.went, old, new)
        view = self.views[old]
        key = self.told(stride.seen[old]), (view.called(stride.went), view.called(new))
        if key not in self.known:
            self.known[key] = self.counted(*key, self.beforehand(stride.went, old, new) / 5)
        return self.known[key]

    def beforehand(self, went: str, old: str, new: str) -> float:
        """The same before anything was counted: it goes where it faces, and seldom turns as it goes."""
        kept = KEPT if old == new else (1 - KEPT) / (len(self.facings) - 1)
        if not went:
            return 1 / len(self.facings)
        return STRANGE if went in self.facings and went != (new if self.turns_first else old) else kept

    def told(self, seen: Seen) -> Seen:
        """Of what it saw the circumstances that tell."""
        return tuple(seen[number] for number in self.asked)

    def counted(self, seen: Seen, deed: Deed, chance: float) -> float:
        """How likely a deed is, as it was counted, of which this was thought beforehand."""
        for number, counts in enumerate(self.counts):
            here = counts.get(seen[:number])
            if here is None:
                break
            chance = (here.get(deed, 0.0) + TRUST * chance) / (sum(here.values()) + TRUST)
        return chance

    def count(self, likely: Counter[tuple[Seen, Deed]]) -> None:
        """Count deeds anew, each as often as it is likely, and find the circumstances that tell."""
        number = len(next(iter(likely))[0])
        self.asked, shortest = [], math.inf
        while True:
            more = [[*self.asked, one] for one in range(number) if one not in self.asked]
            tried = [(length(tally(likely, asked)), asked) for asked in more]
            best = min(tried, default=(math.inf, []))
            if best[0] >= shortest:
                break
            shortest, self.asked = best
        self.counts = [tally(likely, self.asked[:n]) for n in range(len(self.asked) + 1)]
        self.known = {}

    def deed(self, stride: Stride, old: str, new: str) -> tuple[Seen, Deed]:
        """What it saw and did with these facings."""
        view = self.views[old]
        return stride.seen[old], (view.called(stride.went), view.called(new))


def tally(likely: Mapping[tuple[Seen, Deed], float], asked: Sequence[int]) -> Counts:
    """How often each deed was done under each of the circumstances asked for."""
    counts: Counts = defaultdict(lambda: defaultdict(float))
    for (seen, deed), times in likely.items():
        counts[tuple(seen[n] for n in asked)][deed] += times
    return counts


def length(counts: Counts) -> float:
    """In how many bits deeds are said, if it is said first how often each is done."""
    bits = 0.0
    for here in counts.values():
        total = sum(here.values())
        bits -= sum(times * math.log2(times / total) for times in here.values() if times)
        bits += 0.5 * len(here) * math.log2(1 + total)
    return bits


# --- facings of a track -----------------------------------------------------------------------------------


class Likely(NamedTuple):
    """How likely each facing is on each board, each two in each turn, and in how many bits all is said."""

    facings: list[dict[str, float]]
    pairs: list[dict[tuple[str, str], float]]
    bits: float


def likely(track: Track, habits: Habits, chance: Chance | None = None) -> Likely:
    """The facings that habits, or another judge of strides, make likely (the forward-backward algorithm)."""
    ways, numbers = habits.facings, range(len(track.strides))
    judge = chance or (lambda number, old, new: habits.chance(track.strides[number], old, new))
    steps = [{(a, b): judge(n, a, b) for a, b in product(ways, repeat=2)} for n in numbers]
    ahead, bits = [dict.fromkeys(ways, 1 / len(ways))], 0.0
    for step in steps:
        here = {b: sum(ahead[-1][a] * step[a, b] for a in ways) for b in ways}
        total = sum(here.values())
        bits -= math.log2(total)
        ahead.append({b: one / total for b, one in here.items()})
    back = [dict.fromkeys(ways, 1.0)]
    for step in reversed(steps):
        here = {a: sum(back[-1][b] * step[a, b] for b in ways) for a in ways}
        total = sum(here.values())
        back.append({a: one / total for a, one in here.items()})
    back.reverse()
    facings = [shares({a: one[a] * other[a] for a in ways}) for one, other in zip(ahead, back, strict=True)]
    pairs = [
        shares({(a, b): ahead[n][a] * step[a, b] * back[n + 1][b] for a, b in step})
        for n, step in enumerate(steps)
    ]
    return Likely(facings, pairs, bits)


def shares(weights: Mapping[K, float]) -> dict[K, float]:
    """Weights that sum up to one."""
    total = sum(weights.values())
    return {key: one / total for key, one in weights.items()}


def habits_of(followed: Sequence[Track], facings: Sequence[str]) -> Habits:
    """The habits that say best what was seen: with who goes where it faces, or who turns first."""
    some, strides = list[Track](), 0
    for track in followed:
        if strides < LEARNED_FROM:
            some.append(track)
            strides += len(track.strides)
    found = []
    for turns_first in (False, True):
        habits = Habits(facings, turns_first=turns_first)
        for _ in range(ROUNDS):
            told = [likely(track, habits) for track in some]
            counts: Counter[tuple[Seen, Deed]] = Counter()
            for track, one in zip(some, told, strict=True):
                for stride, pairs in zip(track.strides, one.pairs, strict=True):
                    for (a, b), times in pairs.items():
                        if times > SLIGHT and not stride.idle:
                            counts[habits.deed(stride, a, b)] += times  # type: ignore[assignment]
            habits.count(counts)
        bits = sum(likely(track, habits).bits for track in some) + length(habits.counts[-1])
        found.append((bits, turns_first, habits))
    return min(found, key=lambda one: one[:2])[2]
