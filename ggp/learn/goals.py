"""What wins and what loses, from flags alone: the smallest goal that agrees with all boards seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

from ggp.learn.boards import Board, Episode, Token
from ggp.learn.structure import Structure

MOST_BOARDS = 4_000  # that candidates are held against
MOST_LISTED = 12  # goals that fit as well, listed for people


class Claim(NamedTuple):
    """One goal word with names in place of kinds: `every a on b`, `count a = 0`."""

    text: str
    word: str
    what: str
    ground: str = ""
    number: int = 0

    @property
    def size(self) -> int:
        """How much it says."""
        return 1 + bool(self.ground) + (self.number > 0)


@dataclass(frozen=True)
class LearnedGoal:
    """The claims that must all hold to win; `others` agree with all that was seen, too."""

    claims: tuple[Claim, ...]
    others: tuple[str, ...] = ()
    wins: int = 0
    open_boards: int = 0


def labelled(episodes: Iterable[Episode], flag: str) -> dict[Board, bool]:
    """Every board of which it is known whether it is won (or lost)."""
    found: dict[Board, bool] = {}
    for episode in episodes:
        if getattr(episode, flag) is not None:
            found[episode.start] = bool(getattr(episode, flag))
        for step in episode.steps:
            told = getattr(step, flag)
            if told is not None and not step.refused:
                found[step.after] = told
    return found


def learn_goal(
    episodes: Sequence[Episode], structure: Structure, flag: str = "won", most: int = 2
) -> LearnedGoal | None:
    """The smallest conjunction that is true of the flagged boards and of no others.

    None where no board is flagged, or no conjunction of `most` claims agrees.
    """
    known = labelled(episodes, flag)
    yes = [board for board, told in known.items() if told]
    no = [board for board, told in known.items() if not told][:MOST_BOARDS]
    if not yes:
        return None
    rows_yes = [counted(board, structure) for board in yes[:MOST_BOARDS]]
    rows_no = [counted(board, structure) for board in no]
    fitting = [claim for claim in claims(structure, rows_yes) if all(holds(claim, row) for row in rows_yes)]
    misses = {claim: {n for n, row in enumerate(rows_no) if holds(claim, row)} for claim in fitting}
    for size in range(1, most + 1):
        found = []
        for chosen in combinations(sorted(fitting, key=lambda c: (c.size, c.text)), size):
            if not set.intersection(*(misses[claim] for claim in chosen)):
                found.append(chosen)
                if len(found) > 200:
                    break
        if found:
            found.sort(key=lambda one: (sum(claim.size for claim in one), rank(one)))
            others = tuple(" and ".join(c.text for c in one) for one in found[1 : MOST_LISTED + 1])
            return LearnedGoal(found[0], others, len(yes), len(no))
    return None


def rank(chosen: Sequence[Claim]) -> tuple[int, str]:
    """Of goals that are as small, those that people mean more often come first."""
    order = ("every", "count0", "some", "count1", "no")
    return sum(order.index(c.word) for c in chosen), " and ".join(c.text for c in chosen)


Counted = dict[tuple[str, str], int]
"""How many of a name stand on a name; with "" as the second, how many there are."""


def counted(board: Board, structure: Structure) -> Counted:
    """What claims are judged by."""
    found: Counted = {}
    names: dict[frozenset[Token], list[str]] = {}
    for stack in board.cells:
        if stack not in names:
            names[stack] = [structure.name(token) for token in stack]
        here = names[stack]
        for one in here:
            found[one, ""] = found.get((one, ""), 0) + 1
            for other in here:
                if other != one:
                    found[one, other] = found.get((one, other), 0) + 1
    return found


def claims(structure: Structure, rows: Sequence[Counted]) -> Iterator[Claim]:
    """Every claim about the names there are."""
    names = sorted({structure.name(token) for token in structure.tokens})
    for one in names:
        yield Claim(f"count {one} = 0", "count0", one)
        numbers = {row.get((one, ""), 0) for row in rows}
        if len(numbers) == 1 and numbers != {0}:
            number = min(numbers)
            yield Claim(f"count {one} = {number}", "count1", one, number=number)
        for other in names:
            if other != one:
                for word in ("every", "some", "no"):
                    yield Claim(f"{word} {one} on {other}", word, one, other)


def holds(claim: Claim, row: Counted) -> bool:
    """Is a claim true of a board?"""
    there, on = row.get((claim.what, ""), 0), row.get((claim.what, claim.ground), 0)
    if claim.word in ("count0", "count1"):
        return there == claim.number
    if claim.word == "every":
        return on == there
    return on > 0 if claim.word == "some" else on == 0


def terms(claims: Iterable[Claim], kinds: dict[str, str]) -> tuple[Any, ...]:
    """The claims as goal terms; `kinds` gives the kind or class of each name."""
    from ggp.goals.count import Count
    from ggp.goals.on import On
    from ggp.model import Pattern

    found: list[Any] = []
    for claim in claims:
        what = Pattern(kinds[claim.what])
        if claim.ground:
            found.append(On(claim.word, what, "on", Pattern(kinds[claim.ground])))
        else:
            found.append(Count(what, "=", claim.number))
    return tuple(found)
