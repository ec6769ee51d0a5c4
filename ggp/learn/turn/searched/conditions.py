"""What has to hold for an outcome to help: read from where it would help, and where it would harm."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.learn.fit.program import CELL
from ggp.learn.fit.questions import Test, costs_of
from ggp.learn.fit.toil import spend
from ggp.learn.seen.frames import Offset, window
from ggp.learn.seen.views import Seen
from ggp.learn.turn.searched.playing import Player
from ggp.learn.turn.searched.rules import Rule
from ggp.learn.turn.searched.worth import Places

FAR = 3  # steps to the cells that are looked at, at most
WORD = 1.0  # what it costs more to ask which input it was
WIDE = 5  # kinds of a layer of which every set is asked for
HARM = 3.0  # times as much as what helps counts what harms
IDLE = 0.1  # what changes a turn, and makes it neither better nor worse
BEAM = 5
LONGEST = 7
OFFSETS = tuple(one for one in window(2) if abs(one[0]) + abs(one[1]) <= FAR)


Prices = NDArray[np.float64]


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
        if rule.words is None and len(player.told.words) > 1:
            heard = np.concatenate([places.board.heard[places.rows] for places in tried])
            tests += (words := [Test((0, 0), word=word) for word in player.told.words])
            costs.append(prices_of(words))
            lines.append(np.arange(len(words))[:, None] == heard[None, :])
        truth, price = np.concatenate(lines), np.concatenate(costs)
        chosen = told_apart(truth, price[:, 0])
        self.tests = [tests[place] for place in chosen.tolist()]
        self.truth = truth[chosen].astype(np.float32)
        self.cost = price[chosen]
        spend(len(tests) * number / 120)


def told_apart(truth: NDArray[np.bool_], price: NDArray[np.float64]) -> NDArray[np.intp]:
    """Of lines of answers those that differ, the cheapest of equal ones; none that is always so, or never."""
    telling = np.nonzero(truth.any(axis=1) & ~truth.all(axis=1))[0]
    telling = telling[np.argsort(price[telling], kind="stable")]
    _, first = np.unique(np.packbits(truth[telling], axis=1), axis=0, return_index=True)
    return telling[np.sort(first)]


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
    return costs_of(test) + (WORD if test.word else 0.0)


def seen_around(
    player: Player, rule: Rule, tried: Sequence[Places]
) -> dict[Offset, dict[Seen | None, NDArray[np.bool_]]]:
    """For each offset what is seen there (None: the outside), and at which places."""
    told, view = player.told, player.view(rule.sight)
    number, start = sum(len(places.rows) for places in tried), 0
    seen: dict[Offset, dict[Seen | None, NDArray[np.bool_]]] = {offset: {} for offset in OFFSETS}
    for places in tried:
        for way, some in places.ways:
            rows, downs, rights = places.rows[some], places.downs[some], places.rights[some]
            own = slice(start + some.start, start + some.stop)
            for offset in OFFSETS:
                down, right = view.frame.cell((0, 0), offset, way.direction)
                there = places.board.stacked[:, rows, downs + down, rights + right]
                for plane in np.nonzero(there.any(axis=1))[0].tolist():
                    last = plane == len(told.tokens)
                    thing = None if last else view.seen(told.tokens[plane], way.direction)
                    if thing not in seen[offset]:
                        seen[offset][thing] = np.zeros(number, np.bool_)
                    seen[offset][thing][own] |= there[plane]
        start += len(places.rows)
    return {offset: things for offset, things in seen.items() if things}


class Stem(NamedTuple):
    """Numbers of tests (negative: one that must not hold), what they cost, and where they hold."""

    tests: tuple[int, ...]
    spent: float
    mask: NDArray[np.float32]


def conditions(player: Player, rule: Rule, tried: Sequence[Places], said: float, most: int) -> list[Found]:
    """The sets of tests with which an outcome is worth most, the best first.

    `said`: what a unit of a test costs.
    """
    worth = np.concatenate([places.worth for places in tried])
    changed = np.concatenate([places.changed for places in tried])
    value = np.where(worth > 0, worth, HARM * worth)
    value = np.where((worth == 0) & changed, -IDLE, value).astype(np.float32)
    if not (value > 0).any():
        return []
    answers = Answers(player, rule, tried)
    whole = Stem((), 0.0, np.ones(len(value), np.float32))
    best: dict[bytes, Found] = {whole.mask.tobytes(): Found(float(value.sum()), ())}
    stems = [whole]
    for _ in range(LONGEST):
        if not len(answers.truth):
            break
        following: list[Stem] = []
        known: set[bytes] = set()
        for listed in grown(stems, value, answers, said):
            room = BEAM
            for numbers, real, spent, mask in listed:
                key = mask.tobytes()
                if key in known:
                    continue
                known.add(key)
                if key not in best or best[key].worth < real:
                    best[key] = Found(real, tests_of(numbers, answers))
                if room and float((mask * value).min()) < 0:
                    following.append(Stem(numbers, spent, mask))
                    room -= 1
        if not following:
            break
        stems = following
    return sorted(best.values(), key=lambda one: (-one.worth, len(one.tests), repr(one.tests)))[:most]


def tests_of(numbers: Sequence[int], answers: Answers) -> tuple[Test, ...]:
    """Tests by their numbers."""
    return tuple(answers.tests[abs(number) - 1]._replace(wanted=number > 0) for number in numbers)


def grown(
    stems: Sequence[Stem], value: NDArray[np.float32], answers: Answers, said: float
) -> Iterator[Iterator[tuple[tuple[int, ...], float, float, NDArray[np.float32]]]]:
    """Stems with one test more, the best by each of some measures, with what they are worth and cost."""
    truth, cost = answers.truth, answers.cost
    valued = np.array([stem.mask for stem in stems], np.float32) * value
    spent = np.array([stem.spent for stem in stems])
    good = np.maximum(valued, 0)
    gain, cover = valued @ truth.T, good @ truth.T
    gain = np.concatenate([gain, valued.sum(axis=1, keepdims=True) - gain], axis=1)
    all_good = good.sum(axis=1, keepdims=True)
    cover = np.concatenate([cover, all_good - cover], axis=1)
    price = spent[:, None] + said * np.concatenate([cost[:, 0], cost[:, 1]])[None, :]
    harm = np.maximum(cover - gain, 0)
    share = cover / max(float(all_good.max()), 1e-6)
    spend(len(stems) * truth.size / 600)
    # What may come of more tests: what harms is taken out bit by bit, what helps stays. Where little of what
    # helps is left hardly anything harms, so that much, some and little of it are looked at each by itself.
    slow = np.where(share > 1e-6, np.maximum(0.75 * cover + 0.25 * gain, gain) - price, -np.inf)
    quick = np.log2(1 + cover) - np.log2(1 + harm) - price
    measures = (slow, *(np.where(share > least, quick, -np.inf) for least in (0.8, 0.4, 1e-6)))

    def listed(
        score: NDArray[np.float64],
    ) -> Iterator[tuple[tuple[int, ...], float, float, NDArray[np.float32]]]:
        flat = score.ravel()
        number = min(4 * BEAM, len(flat))
        chosen = np.argpartition(-flat, number - 1)[:number]
        for index in chosen[np.lexsort((chosen, -flat[chosen]))].tolist():
            stem, test = divmod(index, score.shape[1])
            sign, place = (1, test) if test < len(truth) else (-1, test - len(truth))
            tests = stems[stem].tests
            if flat[index] == -np.inf or place + 1 in tests or -place - 1 in tests:
                continue
            mask = stems[stem].mask * (truth[place] if sign > 0 else 1 - truth[place])
            yield (
                (*tests, sign * (place + 1)),
                float(gain[stem, test] - price[stem, test]),
                float(price[stem, test]),
                mask,
            )

    return map(listed, measures)
