"""What has to hold for an outcome to help: read from where it would help, and where it would harm."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.learn.fit.program import CELL
from ggp.learn.fit.questions import AXES, Test, costs_of
from ggp.learn.fit.toil import spend
from ggp.learn.seen.frames import Offset, window
from ggp.learn.seen.signs import is_sign
from ggp.learn.seen.views import Seen
from ggp.learn.turn.searched.chances import Chances, Scores
from ggp.learn.turn.searched.field import WORD as BITS
from ggp.learn.turn.searched.field import Bits
from ggp.learn.turn.searched.playing import Player
from ggp.learn.turn.searched.rules import Rule
from ggp.learn.turn.searched.worth import Places
from ggp.model import DIRECTIONS

FAR = 3  # steps to the cells that are looked at, at most
WORD = 1.0  # what it costs more to ask which input it was
SIGN = 0.5  # what it costs more to ask for what is anywhere
WIDE = 5  # kinds of a layer of which every set is asked for
HARM = 3.0  # times as much as what helps counts what harms
IDLE = 0.1  # what changes a turn, and makes it neither better nor worse
BEAM = 5
LEAST_HARM = 1e-3
LONGEST = 7
OFFSETS = tuple(one for one in window(2) if abs(one[0]) + abs(one[1]) <= FAR)
AWAY = [number for number, one in enumerate(OFFSETS) if one != (0, 0)]


Prices = NDArray[np.float64]
Best = dict[bytes, tuple[float, tuple[int, ...]]]
"""What sets of tests are worth, and their numbers, by where they hold."""


class Found(NamedTuple):
    """Tests, and what an outcome is worth where they hold."""

    worth: float
    tests: tuple[Test, ...]


def layers(together: Collection[frozenset[str]], names: Sequence[str]) -> list[tuple[str, ...]]:
    """Names in groups of which no two share a cell: for each name the largest that is soon found."""
    beside = {
        name: {other for other in names if other != name and frozenset((name, other)) not in together}
        for name in names
    }
    found: dict[tuple[str, ...], None] = {}
    for name in names:
        group, left = {name}, set(beside[name])
        while left:
            best = min(left, key=lambda one: (-len(beside[one] & left), one))
            group.add(best)
            left &= beside[best]
        if len(group) > 1:
            found[tuple(sorted(group))] = None
    return list(found)


def sets_of(
    together: frozenset[frozenset[str]], things: frozenset[Seen]
) -> tuple[tuple[frozenset[Seen], bool], ...]:
    """The sets of things that are asked for, each with or without what is outside."""
    of_name: dict[str, set[Seen]] = {}
    for thing in things:
        of_name.setdefault(thing.name, set()).add(thing)
    names = sorted(of_name)
    found: dict[tuple[frozenset[Seen], bool], None] = {
        (frozenset({thing}), False): None for thing in sorted(things)
    }
    for group in (*((name,) for name in names), *layers(together, names)):
        wide = len(group) > WIDE
        for size in (1, 2, len(group) - 1, len(group)) if wide else range(1, len(group) + 1):
            for chosen in combinations(group, size):
                some = frozenset[Seen]().union(*(of_name[name] for name in chosen))
                found[some, False] = None
                if size >= len(group) - 1 or size == 1:
                    found[some, True] = None
    found[frozenset(), True] = None
    return tuple(found)


class Answers:
    """For each place what is seen around it, as answers to tests: a line for each, and what each test costs.

    Tests with the same answers are one, the cheapest.
    """

    def __init__(self, player: Player, rule: Rule, tried: Sequence[Places]) -> None:
        number = sum(len(places.rows) for places in tried)
        tests: list[Test] = []
        costs: list[Prices] = []
        lines: list[NDArray[np.bool_]] = []
        for offset, things in seen_around(player, rule, tried).items():
            of_itself = offset == (0, 0) and rule.subject != CELL
            named = {one for one in things if one is not None and one.name == rule.subject}
            if of_itself and not any(one.facing for one in named):
                things = {one: line for one, line in things.items() if one not in named}
            asked = asked_of(
                player.told.together, offset, frozenset(one for one in things if one is not None)
            )
            none = np.zeros(number, np.bool_)
            known = np.array([*(things[one] for one in asked.things), things.get(None, none)], np.float32)
            tests += asked.tests
            costs.append(asked.costs)
            lines.append(asked.members @ known > 0)
        words = words_of(player, rule)
        if words:
            heard = np.concatenate([places.board.heard[places.rows] for places in tried])
            meant = [[word in test.words for word in player.told.words] for test in words]
            tests += words
            costs.append(prices_of(words))
            lines.append(np.array(meant)[:, heard])
        truth, price = np.concatenate(lines), np.concatenate(costs)
        chosen = told_apart(truth, price[:, 0])
        self.tests = [tests[place] for place in chosen.tolist()]
        self.truth = truth[chosen]
        self.cost = price[chosen]
        spend(len(tests) * number / 400)

    def price_of(self, number: int) -> float:
        """What a test costs, by its number, negative if it must not hold."""
        return float(self.cost[abs(number) - 1, 0 if number > 0 else 1])

    def tests_of(self, numbers: Sequence[int]) -> tuple[Test, ...]:
        """Tests by their numbers, negative if they must not hold."""
        return tuple(self.tests[abs(number) - 1]._replace(wanted=number > 0) for number in numbers)


def words_of(player: Player, rule: Rule) -> list[Test]:
    """The tests of which input it was: each of those under which a rule is asked, and each axis of these."""
    words = [word for word in player.told.words if rule.words is None or word in rule.words]
    if len(words) < 2:
        return []
    axes = AXES if set(words) >= set(DIRECTIONS) else ()
    return [Test((0, 0), word=word) for word in (*words, *axes)]


def told_apart(truth: NDArray[np.bool_], price: NDArray[np.float64]) -> NDArray[np.intp]:
    """Of lines of answers those that differ, the cheapest of equal ones; none that is always so, or never."""
    telling = np.nonzero(truth.any(axis=1) & ~truth.all(axis=1))[0]
    telling = telling[np.argsort(price[telling], kind="stable")]
    first: dict[bytes, int] = {}
    for number, line in zip(telling.tolist(), np.packbits(truth[telling], axis=1), strict=True):
        first.setdefault(line.tobytes(), number)
    return np.array([*first.values()], np.intp)


class Asked(NamedTuple):
    """The tests of what may be seen at an offset, which things are in each (the edge last), and prices."""

    things: tuple[Seen, ...]
    tests: tuple[Test, ...]
    members: NDArray[np.float32]
    costs: Prices


@lru_cache(maxsize=4096)
def asked_of(together: frozenset[frozenset[str]], offset: Offset, things: frozenset[Seen]) -> Asked:
    """The tests of what may be seen at an offset."""
    listed, sets = tuple(sorted(things)), sets_of(together, things)
    tests = tuple(Test(offset, chosen, edge) for chosen, edge in sets)
    members = np.array([[*(one in chosen for one in listed), edge] for chosen, edge in sets], np.float32)
    return Asked(listed, tests, members, prices_of(tests))


def prices_of(tests: Sequence[Test]) -> Prices:
    """For each test what it costs, and what it costs to ask that it does not hold."""
    return np.array([[price_of(test), price_of(test._replace(wanted=False))] for test in tests])


def price_of(test: Test) -> float:
    """How much a test says."""
    sign = any(is_sign(thing.name) for thing in test.things)
    return costs_of(test) + (WORD if test.word else SIGN if sign else 0.0)


def seen_around(
    player: Player, rule: Rule, tried: Sequence[Places]
) -> dict[Offset, dict[Seen | None, NDArray[np.bool_]]]:
    """For each offset what is seen there (None: the outside), and at which places."""
    view = player.view(rule.sight)
    number, start = sum(len(places.rows) for places in tried), 0
    seen: dict[Offset, dict[Seen | None, NDArray[np.bool_]]] = {offset: {} for offset in OFFSETS}
    for places in tried:
        grid = places.board.grid
        at = grid.pad + places.rows * grid.size + places.cells
        for way, some in places.ways:
            alongs = [grid.along(view.frame.cell((0, 0), offset, way.direction)) for offset in OFFSETS]
            there = places.board.cells[np.array(alongs)[:, None] + at[some]]
            there[AWAY] &= ~player.told.said  # signs are asked for here
            things = player.things(rule.sight, way.direction)
            own = slice(start + some.start, start + some.stop)
            for number_of, plane in planes_in(np.bitwise_or.reduce(there, axis=1)):
                known = seen[OFFSETS[number_of]]
                if things[plane] not in known:
                    known[things[plane]] = np.zeros(number, np.bool_)
                word, bit = divmod(plane, BITS)
                known[things[plane]][own] |= there[number_of, :, word] & np.uint64(1 << bit) != 0
        start += len(places.rows)
    return {offset: things for offset, things in seen.items() if things}


def planes_in(bits: Bits) -> Iterator[tuple[int, int]]:
    """The planes of which bits are set, of each offset: a line for each, of words."""
    for number, words in enumerate(bits.tolist()):
        for word, left in enumerate(words):
            while left:
                yield number, BITS * word + (left & -left).bit_length() - 1
                left &= left - 1


class Stem(NamedTuple):
    """Numbers of tests (negative: one that must not hold), what they cost, and where they hold, as bits."""

    tests: tuple[int, ...]
    spent: float
    mask: NDArray[np.uint8]


class Longer(NamedTuple):
    """A stem with one test more; what it is worth, and whether it still does harm anywhere."""

    stem: Stem
    worth: float
    harms: bool


def conditions(player: Player, rule: Rule, tried: Sequence[Places], said: float, most: int) -> list[Found]:
    """The sets of tests with which an outcome is worth most, the best first.

    `said`: what a unit of a test costs.
    """
    value = np.concatenate([value_of(places) for places in tried])
    if not (value > 0).any():
        return []
    answers, chances = Answers(player, rule, tried), Chances(tried)
    best = grown_from(answers, value, said)
    if chances.several:
        best |= grown_from(answers, chances.earliest(value), said)
        for mask, (_, numbers) in best.items():
            price = sum(map(answers.price_of, numbers))
            best[mask] = chances.worth(mask, value) - said * price, numbers
    chosen = sorted(best.values(), key=lambda one: (-one[0], len(one[1]), one[1]))[:most]
    return [Found(worth, answers.tests_of(numbers)) for worth, numbers in chosen]


def grown_from(answers: Answers, value: Scores, said: float) -> Best:
    """The sets of tests that are looked at, each by where it holds: the shortest, and what it is worth."""
    beam = Beam(answers, value, said)
    whole = Stem((), 0.0, np.packbits(np.ones(len(value), np.bool_)))
    best: Best = {whole.mask.tobytes(): (float(value.sum()), ())}
    stems = [whole]
    for _ in range(LONGEST if len(answers.truth) else 0):
        following: list[Stem] = []
        known: set[bytes] = set()
        for listed in beam.grown(stems):
            room = BEAM
            for stem, worth, harms in listed:
                key = stem.mask.tobytes()
                if key in known:
                    continue
                known.add(key)
                if key not in best or best[key][0] < worth:
                    best[key] = worth, stem.tests
                if room and harms:
                    following.append(stem)
                    room -= 1
        if not following:
            break
        stems = following
    return best


def value_of(places: Places) -> NDArray[np.float32]:
    """What an outcome is worth at each place, if harm counts more than help."""
    value = np.where(places.worth > 0, places.worth, HARM * places.worth)
    return np.where((places.worth == 0) & places.changed, -IDLE, value).astype(np.float32)


class Beam:
    """Makes sets of tests longer, the most promising ones. `said`: what a unit of a test costs."""

    def __init__(self, answers: Answers, value: NDArray[np.float32], said: float) -> None:
        self.truth, self.value = answers.truth, value
        self.lines = np.packbits(answers.truth, axis=1)
        self.helps, self.harms = value > 0, value < 0
        self.of_help, self.of_harm = (
            answers.truth[:, some].astype(np.float32).T for some in (self.helps, self.harms)
        )
        self.price = (said * np.concatenate([answers.cost[:, 0], answers.cost[:, 1]])).astype(np.float32)

    def grown(self, stems: Sequence[Stem]) -> Iterator[Iterator[Longer]]:
        """Stems with one test more, the best by each of some measures, with what they are worth."""
        masks = np.array([stem.mask for stem in stems])
        holds = np.unpackbits(masks, axis=1, count=len(self.value)).astype(np.float32)
        spent = np.array([stem.spent for stem in stems], np.float32)
        help_ = holds[:, self.helps] * self.value[self.helps]
        cover, all_help = either(help_, self.of_help)
        harm, _ = either(holds[:, self.harms] * -self.value[self.harms], self.of_harm)
        price = spent[:, None] + self.price[None, :]
        gain, share = cover - harm, cover / max(float(all_help.max()), 1e-6)
        spend(len(stems) * self.truth.size / 2_000)
        # What may come of more tests: what harms is taken out bit by bit, what helps stays. Where little of
        # what helps is left hardly anything harms, so much, some and little of it are each looked at alone.
        slow = np.where(share > 1e-6, np.maximum(0.75 * cover + 0.25 * gain, gain) - price, -np.inf)
        quick = np.log2(1 + cover) - np.log2(1 + harm) - price
        measures = (
            gain - price,
            slow,
            *(np.where(share > least, quick, -np.inf) for least in (0.8, 0.4, 1e-6)),
        )
        return (self.longer(stems, score, gain - price, harm, price) for score in measures)

    def longer(
        self, stems: Sequence[Stem], score: Scores, worth: Scores, harm: Scores, price: Scores
    ) -> Iterator[Longer]:
        """The stems with one test more that have the best scores."""
        flat = score.ravel()
        number = min(2 * BEAM, len(flat))
        chosen = np.argpartition(-flat, number - 1)[:number]
        for index in chosen[np.lexsort((chosen, -flat[chosen]))].tolist():
            stem, test = divmod(index, score.shape[1])
            holds = test < len(self.lines)
            place = test if holds else test - len(self.lines)
            tests = stems[stem].tests
            if flat[index] == -np.inf or place + 1 in tests or -place - 1 in tests:
                continue
            line = self.lines[place] if holds else ~self.lines[place]
            longer = Stem(
                (*tests, place + 1 if holds else -place - 1),
                float(price[stem, test]),
                stems[stem].mask & line,
            )
            yield Longer(longer, float(worth[stem, test]), bool(harm[stem, test] > LEAST_HARM))


def either(valued: Scores, truth: Scores) -> tuple[Scores, Scores]:
    """For each line of values the sums where each test holds, and where each does not; and of all."""
    total = valued.sum(axis=1, keepdims=True)
    holds = valued @ truth
    return np.concatenate([holds, np.maximum(total - holds, 0)], axis=1), total
