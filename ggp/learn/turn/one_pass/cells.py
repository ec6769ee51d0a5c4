"""Who answers for what changes in a cell, where nothing reaches further: the cell, or what stands in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ggp.learn.boards import Stack, Token, Turn
from ggp.learn.fit.hitting import hitting_sets
from ggp.learn.fit.program import CELL, marked
from ggp.learn.fit.sights import Example
from ggp.learn.seen.structure import Structure
from ggp.model import Cell

MOST_HOSTS = 8  # kinds of things that answer for what comes to their cells


def cell_examples(
    turns: Iterable[Turn], structure: Structure, changed: Iterable[str], hosts: frozenset[str], *, full: bool
) -> dict[str, list[Example]]:
    """What happened to each thing that something ever happens to, and to each cell without one.

    Where something goes and something comes, what goes answers for both; else a host does for what comes.
    `full`: that nothing comes by itself where something goes is said of cells, too. Where things come to
    empty cells alone they would else be thought to come to all.
    """
    examples: dict[str, list[Example]] = {name: [] for name in sorted({*changed, *hosts})}
    bare: list[Example] = []
    own: dict[Stack, tuple[tuple[Token, str], ...]] = {}  # what answers for itself, of each stack
    nothing = frozenset[tuple[str, Cell, Token]]()
    for turn in turns:
        board = marked(turn.before, turn.word, structure)
        for index, (old, new) in enumerate(zip(turn.before.cells, turn.after.cells, strict=True)):
            cell = divmod(index, board.width)
            gone, come = (sorted(old - new), sorted(new - old)) if old is not new and old != new else ([], [])
            if old not in own:
                named = ((token, structure.name(token)) for token in sorted(old))
                own[old] = tuple((token, name) for token, name in named if name in examples)
            host = next((token for token, name in own[old] if name in hosts), None)
            if not gone and host is None:
                bare.append(Example(turn, board, cell, None, frozenset(("+", cell, token) for token in come)))
            elif full and gone:
                bare.append(Example(turn, board, cell, None, nothing))
            answers = who_became(gone, come, structure) if gone else host
            for token, name in own[old]:
                done = [("-", cell, token)] if token in gone else []
                done += [("+", cell, other) for other in come] if token == answers else []
                examples[name].append(Example(turn, board, cell, token, frozenset(done) if done else nothing))
    examples = {name: given for name, given in examples.items() if any(one.changes for one in given)}
    if any(one.changes for one in bare):
        examples[CELL] = bare
    return examples


def who_became(gone: Sequence[Token], come: Sequence[Token], structure: Structure) -> Token:
    """Of what has gone that which looks where something does that came: who takes a key looks there still."""
    ways = {structure.facing[token][1] for token in come if token in structure.facing}
    looking = (token for token in gone if token in structure.facing and structure.facing[token][1] in ways)
    return next(looking, gone[0])


def hosts_of(turns: Iterable[Turn], structure: Structure) -> frozenset[str]:
    """The fewest names of which one stands wherever something comes, never two; none if that cannot be."""
    stacks: set[frozenset[str]] = set()
    taken: set[frozenset[str]] = set()
    for turn in turns:
        for old, new in zip(turn.before.cells, turn.after.cells, strict=True):
            names = frozenset(map(structure.name, old))
            stacks.add(names)
            if new - old and not old - new:
                taken.add(names)
    if not all(taken):
        return frozenset()
    names_there = sorted({name for some in taken for name in some})
    sets = sorted(sorted(map(names_there.index, some)) for some in taken)
    for chosen in hitting_sets(sets, [1] * len(names_there), MOST_HOSTS, MOST_HOSTS) if sets else ():
        found = frozenset(names_there[number] for number in chosen)
        if all(len(stack & found) <= 1 for stack in stacks):
            return found
    return frozenset()
