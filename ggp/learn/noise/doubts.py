"""Turns that most others speak against: a majority filter, before rules that must say everything are learned.

For the kind of mover that most changes are near to, a random forest says of each turn what the turns that a
tree has not seen make of it. Where hardly any tree agrees with what was seen, the turn is doubted. This is
the filter of Brodley and Friedl (1999) with out-of-bag votes in place of folds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from ggp.learn.boards import Turn
from ggp.learn.fit.fitting import plain_frames
from ggp.learn.fit.program import meaning, pointing
from ggp.learn.fit.sights import Example
from ggp.learn.seen.frames import Frame, window
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import PICK, Outcome, View
from ggp.learn.turn.crowd.crowds import attributed
from ggp.learn.turn.evidence.changes import changing

RADIUS = 2
TREES = 100
AGREE = 0.4  # of the votes of trees that have not seen a turn
REACHED = 0.3  # of the turns: in so many it must be plain which mover did what
FEWEST = 12  # turns that say anything of one another


class Seen(NamedTuple):
    """One turn as a mover saw it."""

    turn: Turn
    features: frozenset[str]
    outcome: Outcome


def doubted(turns: Sequence[Turn], structure: Structure) -> set[Turn]:
    """The turns of which most others say something else; none where no mover is near to most changes."""
    best: tuple[float, set[Turn]] = (REACHED, set())
    for subject in (PICK, *changing(turns, structure)):
        reached, strange = seen_by(subject, turns, structure)
        share = 1 - len(strange) / len(turns) if turns else 0.0
        if len(reached) >= FEWEST and share > best[0]:
            best = share, strange | outvoted(reached)
    return best[1]


def seen_by(subject: str, turns: Sequence[Turn], structure: Structure) -> tuple[list[Seen], set[Turn]]:
    """The turns as movers of a name saw them, and those in which it is not plain which mover did what."""
    found: list[Seen] = []
    strange: set[Turn] = set()
    for turn in turns:
        given = attributed([turn], structure, [subject])
        if given is None or given[1]:
            strange.add(turn)
            continue
        found += [as_seen(subject, example, structure) for example in given[0][subject]]
    return found, strange


def as_seen(subject: str, example: Example, structure: Structure) -> Seen:
    """An example as features, seen from where the input or the subject's facing points."""
    word = example.turn.word
    frame = Frame("input") if pointing(structure, word) else plain_frames(subject, structure)[0]
    view = View(frame, structure)
    direction, outcome = example.seen(subject, view)
    offsets = window(RADIUS)
    looks = view.window(example.board, example.at, direction, offsets)
    features = {
        f"{offset} {thing}" for offset, look in zip(offsets, looks, strict=True) for thing in look or ()
    }
    features |= {f"{offset} outside" for offset, look in zip(offsets, looks, strict=True) if look is None}
    features.add(f"input {'' if frame.toward == 'input' else meaning(structure, word)}")
    return Seen(example.turn, frozenset(features), outcome)


def outvoted(seen: Sequence[Seen]) -> set[Turn]:
    """The turns with outcomes that trees which have not seen them do not vote for."""
    import warnings

    import numpy as np
    from sklearn.ensemble import RandomForestClassifier

    names = sorted({name for one in seen for name in one.features})
    place = {name: number for number, name in enumerate(names)}
    table = np.zeros((len(seen), len(names)), dtype=bool)
    for row, one in enumerate(seen):
        table[row, [place[name] for name in one.features]] = True
    outcomes = sorted({one.outcome for one in seen})
    labels = np.array([outcomes.index(one.outcome) for one in seen])
    forest = RandomForestClassifier(TREES, oob_score=True, random_state=0, max_features=None)
    with warnings.catch_warnings():
        # Outcomes that are hardly ever alike, or turns that all trees have seen: both are doubted.
        warnings.simplefilter("ignore")
        forest.fit(table, labels)
    votes = forest.oob_decision_function_
    column = {label: number for number, label in enumerate(forest.classes_)}
    doubts = Counter(one.turn for row, one in enumerate(seen) if not votes[row, column[labels[row]]] >= AGREE)
    return set(doubts)
