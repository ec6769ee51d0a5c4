"""Do solvers differ by more than chance? Friedman's test over their ranks, and Nemenyi's critical difference.

Source: Demsar, Statistical comparisons of classifiers over multiple data sets, JMLR 7 (2006). On each level
the entrants are ranked by PAR2, the mean over its questions; those who take as long share a rank. Two whose
mean ranks differ by less than the critical difference cannot be told apart by these levels.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from ggp.harness.campaign.measures import Outcomes

LEAST_LEVELS = 10  # the test's distribution is good from about so many on
LEAST_ENTRANTS = 3
RISK = 0.05


@dataclass(frozen=True)
class Ranks:
    """Mean ranks, 1 the best, over so many `levels` that all entrants were asked about.

    `chance` is how likely ranks differ so much among equals; `difference` the critical one, at 5 %.
    """

    means: tuple[tuple[str, float], ...]
    levels: int
    chance: float
    difference: float

    @property
    def alike(self) -> tuple[tuple[str, ...], ...]:
        """The largest groups of neighbours that these levels do not tell apart, of two or more."""
        groups: list[tuple[str, ...]] = []
        for start, (_, best) in enumerate(self.means):
            group = tuple(name for name, mean in self.means[start:] if mean - best <= self.difference)
            if len(group) > 1 and not any(set(group) <= set(one) for one in groups):
                groups.append(group)
        return tuple(groups)


def ranks(found: Outcomes) -> Ranks | None:
    """The ranks of the entrants; None where there are too few of them, or of levels that all have."""
    import numpy as np
    from scipy import stats

    names = sorted(found)
    shared = set.intersection(*(set(found[name]) for name in names)) if names else set()
    levels = sorted({level for level, _ in shared})
    if len(names) < LEAST_ENTRANTS or len(levels) < LEAST_LEVELS:
        return None
    table = np.array([[par2(found, name, level, shared) for name in names] for level in levels])
    if (table == table[:, :1]).all():  # nobody is ever faster: the test has nothing to go by
        chance = 1.0
    else:
        chance = float(stats.friedmanchisquare(*table.T).pvalue)
    means = stats.rankdata(table, axis=1).mean(axis=0)
    count = len(names)
    quantile = float(stats.studentized_range.ppf(1 - RISK, count, math.inf)) / math.sqrt(2)
    difference = quantile * math.sqrt(count * (count + 1) / (6 * len(levels)))
    order = sorted(zip(names, map(float, means), strict=True), key=lambda pair: (pair[1], pair[0]))
    return Ranks(tuple(order), len(levels), chance, difference)


def par2(found: Outcomes, name: str, level: str, cases: set[tuple[str, str]]) -> float:
    """An entrant's PAR2 on a level, over the questions that all were asked."""
    return fmean(found[name][case].par2 for case in sorted(cases) if case[0] == level)


def lines(found: Outcomes) -> Sequence[str]:
    """The same in sentences."""
    made = ranks(found)
    if made is None:
        return []
    told = ", ".join(f"{name} {mean:.2f}" for name, mean in made.means)
    said = [
        f"Mean ranks on the {made.levels} levels that all were asked about: {told}. Among equals they would "
        f"differ so much with a chance of {made.chance:.2g} (Friedman)."
    ]
    if made.chance >= RISK:
        return [*said, "So these levels do not show that any of them is better."]
    groups = "; ".join(", ".join(group) for group in made.alike)
    rest = f"not told apart: {groups}." if groups else "all differ by more."
    return [*said, f"Critical difference of two ranks at 5 % (Nemenyi): {made.difference:.2f}; {rest}"]
