"""Are rules as good as the stated share of wrong cells lets right rules be? If not, they are refused.

Of a run, the boards that rules lead to are believed from the first with which they can begin, and as far as
what was seen does not speak against them. Right rules do not explain every turn so, either: a board at the
beginning may be wrong beyond repair. How many they leave is measured and not guessed: the rules are taken for
right, runs are played by them, cells are shown wrongly as stated, and that is explained in the same way (a
parametric bootstrap). Rules that leave more, of runs that were held back or of all others, are wrong.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ggp.errors import NotLearned
from ggp.learn.boards import Episode, Step, Turn
from ggp.learn.fit.program import Passes, Program
from ggp.learn.noise.beliefs import Believed, believe
from ggp.learn.noise.spoiling import spoilt
from ggp.learn.seen.contradictions import side_by_side

SIMULATED = 200  # runs that are played by the rules, at least
DRAWN = 5_000  # times that so many runs are drawn from these
DOUBT = 0.01  # the chance below which it is none
BOTH = 0.02  # that of two sets of runs together (Fisher's method); each is refused alone below half of it


@dataclass(frozen=True)
class Allowance:
    """How many turns of some runs are explained, and how many are if the rules are right.

    `chance`: that right rules leave as many. `against`: turns against which what was seen speaks for several
    boards in a row.
    """

    turns: int
    explained: int
    expected: float
    chance: float
    against: tuple[Turn, ...]

    @property
    def text(self) -> str:
        """In a sentence."""
        share = f"{self.expected:.0%} if the rules are right"
        said = f"{self.explained} of {self.turns} turns are explained, and {share} (chance {self.chance:.2g})"
        if not self.against:
            return said
        return f"{said}; of {len(self.against)} runs what was seen goes on to be otherwise"


def allowance(
    runs: Sequence[Episode], program: Program | Passes, share: float, seed: int = 0
) -> Allowance | None:
    """How rules stand some runs; None where there are none."""
    rng = random.Random(seed)
    believed = [believe(one, program, share) for one in runs]
    left = [unexplained(one, found) for one, found in zip(runs, believed, strict=True)]
    clean = [
        played(found, one, program) for one, found in zip(runs, believed, strict=True) if found is not None
    ]
    turns = sum(len(one.steps) for one in runs)
    if not turns:
        return None
    against = tuple(one.against for one in believed if one is not None and one.against is not None)
    if not clean:
        return Allowance(turns, 0, 1.0, 0.0, against)
    number = max(SIMULATED, len(runs))
    wrong = spoilt([rng.choice(clean) for _ in range(number)], share, seed)
    # A run that the rules break off is shorter; its share is what counts.
    usual = [unexplained(one, believe(one, program, share)) / max(1, len(one.steps)) for one in wrong]
    lengths = [len(one.steps) for one in runs]
    chance = chance_of_more(sum(left), usual, lengths, rng)
    expected = 1 - sum(usual) / len(usual)
    return Allowance(turns, turns - sum(left), expected, chance, against)


def chance_of_more(left: int, usual: Sequence[float], lengths: Sequence[int], rng: random.Random) -> float:
    """How likely runs leave so many turns, or more, that leave such shares of them as others did.

    Those are few themselves, and drawn anew each time: else right rules are refused where there are many
    runs.
    """
    as_many = 0
    for _ in range(DRAWN):
        some = rng.choices(usual, k=len(usual))
        as_many += sum(rng.choice(some) * length for length in lengths) >= left
    return (1 + as_many) / (1 + DRAWN)


def unexplained(episode: Episode, found: Believed | None) -> int:
    """How many turns of a run are not explained."""
    return len(episode.steps) - (len(found.episode.steps) if found is not None else 0)


def played(found: Believed, episode: Episode, program: Program | Passes) -> Episode:
    """The inputs of a run played by the rules from the first board that is believed."""
    steps: list[Step] = []
    board = found.episode.start
    for step in episode.steps:
        after = program.after(board, step.word)
        if after is None:
            break
        steps.append(Step(step.word, after))
        board = after
    return replace(episode, start=board if not steps else found.episode.start, steps=tuple(steps), placed=())


def refuse_wrong(found: Allowance, which: str, program: Program | Passes) -> None:
    """Raise NotLearned where right rules would leave less, or what was seen speaks against these."""
    if found.chance >= DOUBT and not found.against:
        return
    shown = ""
    if found.against:
        before, word, after = found.against[0]
        said = program.after(before, word) or before
        boards = side_by_side(before, after, said)
        shown = f"\ninput {word or 'none'}: before, seen for several boards, and as the rules say\n{boards}"
    raise NotLearned(
        f"the rules that explain most are wrong: of {which} {found.text}{shown}",
        "record more play, or state the share of wrong cells",
    )


def refuse_together(found: Sequence[Allowance]) -> None:
    """Raise NotLearned where right rules would hardly leave so much of all sets of runs, if of each alone."""
    from scipy.stats import combine_pvalues

    chance = float(combine_pvalues([one.chance for one in found]).pvalue) if len(found) > 1 else 1.0
    if chance < BOTH:
        said = " and ".join(one.text for one in found)
        raise NotLearned(
            f"the rules that explain most are wrong: {said}; together {chance:.2g}",
            "record more play, or state the share of wrong cells",
        )
