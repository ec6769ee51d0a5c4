"""Where things went, and which way an input points: as most went under it.

A name of an input that is a direction settles ties.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from ggp.learn.boards import Token, Turn, word_of
from ggp.model import DIRECTIONS, OFFSETS, Cell

ENOUGH = 2  # times that something must have gone one way to be called an input's direction


def directions_of_words(turns: Iterable[Turn]) -> tuple[dict[str, str], list[str]]:
    """The direction of each input that has one: how things go under it; a name that is one settles ties."""
    went: dict[str, Counter[str]] = defaultdict(Counter)
    words: set[str] = set()
    for turn in turns:
        if turn.word is None:
            continue
        word = word_of(turn.word)
        pointing = word.toward if word.cell is not None else word.verb
        if pointing is None:
            continue
        words.add(pointing)
        for _, direction in moves(turn):
            went[pointing][direction] += 1
    named = words & set(DIRECTIONS)
    if named:
        return {word: word for word in sorted(named)}, [
            f"input {word} is a direction by name" for word in sorted(named)
        ]
    found: dict[str, str] = {}
    evidence = []
    for verb in sorted(went, key=lambda w: -max(went[w].values())):
        direction, times = went[verb].most_common(1)[0]
        if times >= ENOUGH and times > 0.6 * sum(went[verb].values()) and direction not in found.values():
            found[verb] = direction
            evidence.append(f"input {verb} goes {direction}: {times} of {sum(went[verb].values())} moves")
    return (found, evidence) if len(found) > 1 else ({}, [])


def moves(turn: Turn, most: int = 99) -> Iterator[tuple[Token, str]]:
    """What plainly moved along a line in a turn, and which way: a token that left one cell and came to one.

    `most`: how far.
    """
    if turn.before == turn.after:
        return
    gone: dict[Token, list[Cell]] = defaultdict(list)
    come: dict[Token, list[Cell]] = defaultdict(list)
    for index, (old, new) in enumerate(zip(turn.before.cells, turn.after.cells, strict=True)):
        if old != new:
            for token in sorted(old - new):
                gone[token].append(divmod(index, turn.before.width))
            for token in sorted(new - old):
                come[token].append(divmod(index, turn.before.width))
    for token, sources in gone.items():
        if len(sources) == len(come[token]) == 1:
            source, target = sources[0], come[token][0]
            direction = heading(source, target)
            far = abs(source[0] - target[0]) + abs(source[1] - target[1])
            if direction is not None and far <= most:
                yield token, direction


def heading(source: Cell, target: Cell) -> str | None:
    """The direction from one cell to another in its row or column."""
    down, right = target[0] - source[0], target[1] - source[1]
    if (down == 0) == (right == 0):
        return None
    unit = ((down > 0) - (down < 0), (right > 0) - (right < 0))
    return next(name for name, step in OFFSETS.items() if step == unit)
