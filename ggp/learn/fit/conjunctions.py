"""Which tests together are true of some rows, and of none that ended otherwise: sets of one to four tests.

Each size is made of the best sets of the one before it. They are told by counting, over tables of answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ggp.learn.fit.toil import spend

MOST_STEMS = 120  # tests that are made longer
BEAM = 60  # conjunctions that are made longer
LONGEST = 4  # tests of one decision

Conjunction = tuple[float, float, tuple[int, ...]]
"""What it costs, how many rows it covers, and its tests."""


def conjunctions(answers: Any, weight: Any, cost: Any, right: Any, wrong: Any) -> Iterator[Conjunction]:
    """(cost, rows covered, tests) of the best sets of tests of each size that leave nothing wrong.

    `answers`: a line for each test, of which each has a `cost`. `weight`: how often each row was seen.
    `right`: the rows that may be covered, and `wrong`: those that may not.
    """
    import numpy as np

    if not wrong.any():
        yield 0.0, float(weight[right].sum()), ()
        return
    good, bad = answers[:, right], answers[:, wrong]
    useful = np.nonzero(good.any(axis=1) & ~bad.all(axis=1))[0]
    good, bad = good[useful].astype(np.float32), bad[useful].astype(np.float32)
    cost = cost[useful]
    counts = weight[right], weight[wrong]
    with np.errstate(invalid="ignore"):  # said now and then of finite numbers: BLAS works on padding, too
        covers, misses = good @ counts[0], bad @ counts[1]
    found = Longer(np.arange(len(useful))[:, None], cost, covers, misses)
    most = 0.0
    for size in range(1, LONGEST + 1):
        fit = clean(np, found)
        most = max(most, float(found.covers[fit].max(initial=0.0)))
        tests = np.sort(useful[found.tests(fit)], axis=1).tolist()
        covered = found.covers[fit].tolist()
        yield from zip(found.prices[fit].tolist(), covered, map(tuple, tests), strict=True)
        if size == LONGEST or (size > 1 and most >= 0.7 * counts[0].sum()):
            return
        stems = promising(np, found, BEAM if size > 1 else MOST_STEMS)
        if not len(stems):
            return
        grown = found.tests(stems), found.prices[stems], found.misses[stems]
        found = longer(np, *grown, good, bad, counts, cost, last=size + 1 == LONGEST)


class Longer(NamedTuple):
    """Sets of tests: what each costs, covers, and leaves wrong.

    Few of very many are looked at again, so their tests are only told where they are asked for: of all sets
    they are `stems`, each with the number of one test more, if `more` is there.
    """

    stems: Any
    prices: Any
    covers: Any
    misses: Any
    more: Any = None

    def tests(self, chosen: Any) -> Any:
        """The tests of some sets, a line for each."""
        import numpy as np

        if self.more is None:
            return self.stems[chosen]
        stem, test = self.more
        return np.concatenate([self.stems[stem[chosen]], test[chosen, None]], axis=1)


def clean(np: Any, found: Longer) -> Any:
    """Those that leave nothing wrong and cover something; of equal cover the cheapest."""
    fit = np.nonzero((found.misses == 0) & (found.covers > 0))[0]
    if len(fit) < 2:
        return fit
    # Sorted by what is covered and then by price; of equal ones the first stays the first.
    covered = found.covers[fit]
    order = np.lexsort((found.prices[fit], covered))
    covered = covered[order]
    starts = np.nonzero(np.concatenate([[True], covered[1:] != covered[:-1]]))[0]
    return fit[order[starts][np.argsort(np.minimum.reduceat(order, starts))]]


def promising(np: Any, found: Longer, most: int) -> Any:
    """The sets of tests that are worth making longer: much covered, little wrong."""
    open_ones = np.nonzero((found.misses > 0) & (found.covers > 0))[0]
    covers, misses = found.covers[open_ones], found.misses[open_ones]
    score = np.log2(1 + covers) - np.log2(1 + misses) - 0.7 * found.prices[open_ones]
    if len(score) > most:  # there can be very many: those that cannot be among the best are not sorted
        best = np.nonzero(score >= np.partition(score, len(score) - most)[len(score) - most])[0]
        open_ones, score = open_ones[best], score[best]
    return open_ones[np.argsort(-score, kind="stable")][:most]


def longer(
    np: Any,
    stems: Any,
    prices: Any,
    wrong: Any,
    good: Any,
    bad: Any,
    counts: tuple[Any, Any],
    cost: Any,
    *,
    last: bool,
) -> Longer:
    """Each stem with one test more.

    `wrong`: what each stem leaves wrong. `counts`: how often each of the good and the bad rows was seen.
    `last`: none is made longer again, so that only those are told that leave nothing wrong.
    """
    spend(100 + len(stems) * good.shape[0] * (good.shape[1] + bad.shape[1]) / 1500)
    covered, missed = (np.repeat(number[None, :], len(stems), axis=0) for number in counts)
    for column in range(stems.shape[1]):
        covered *= good[stems[:, column]]
        missed *= bad[stems[:, column]]
    covers, misses = covered @ good.T, missed @ bad.T
    # Only a test that keeps something and settles something makes a stem longer to any purpose.
    settles = misses == 0 if last else misses < wrong[:, None]
    number = np.nonzero(((covers > 0) & settles).ravel())[0]
    stem, test = np.divmod(number, len(cost))
    return Longer(
        stems, prices[stem] + cost[test], covers.ravel()[number], misses.ravel()[number], (stem, test)
    )
