"""What an actor did that is gone by the end of the turn: unseen, it went ahead, if nothing barred it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

from ggp.learn.boards import Board, Token, Turn
from ggp.learn.fit.program import pointing, subjects_on
from ggp.learn.seen.going import heading
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.changes import Changed, changed, changes_of
from ggp.learn.turn.evidence.slides import gone_and_come
from ggp.model import OFFSETS, Cell

Split = Callable[[Turn, Structure, str], Board]
"""The board in the middle of a turn whose actor is seen at its end."""


def is_taken(turn: Turn, structure: Structure, actor: str) -> bool:
    """Are there fewer of the actor after a turn, in which something else has changed as well?"""
    others = (one for one in changes_of(turn) if structure.name(one[2]) != actor)
    return is_gone(turn, structure, actor) and any(others)


def is_gone(turn: Turn, structure: Structure, actor: str) -> bool:
    """Are there fewer of the actor after a turn?"""
    own = [sign for sign, _, token in changes_of(turn) if structure.name(token) == actor]
    return own.count("-") > own.count("+")


def supposed_steps(
    turns: Sequence[Turn],
    structure: Structure,
    actor: str,
    split: Split,
    ended: Callable[[Turn, Structure, str], bool] = is_taken,
    along: Callable[[Turn], Iterable[Changed]] = lambda _: (),
) -> list[Turn]:
    """What the actor did, by itself; of one that was taken it is supposed that it had gone ahead by then.

    Left out is one before which stands what the actor was seen to stop at, and was never seen to go to: it
    may have stayed. Who always dies in water is never seen to go there, and would be held to stop at it.
    `ended`: was it taken in a turn? Where what takes it has gone to its cell before, nothing else changes.
    `along`: what it then had pushed.
    """
    taken = {turn for turn in turns if ended(turn, structure, actor)}
    seen = [turn for turn in turns if turn not in taken]
    usual, stops = habits(seen, structure, actor)
    found = []
    for turn in turns:
        if turn not in taken:
            found.append(turn._replace(after=split(turn, structure, actor)))
            continue
        way = pointing(structure, turn.word)
        source, target = lonely(turn, structure, actor), cell_ahead(turn, structure, actor)
        if way in usual and source is not None and target is not None:
            there = set(map(structure.name, structure.at(turn.before, target) or ()))
            if not there & stops:
                came = usual[way] if faces_ways(source[1], structure) else source[1]
                gone, come = ("-", *source), ("+", target, came)
                found.append(turn._replace(after=changed(turn.before, [gone, come, *along(turn)])))
    return found


def faces_ways(token: Token, structure: Structure) -> bool:
    """Does it look one way? Who holds so many keys still does where it has gone ahead."""
    return token in structure.facing and structure.facing[token][1] in OFFSETS


def habits(turns: Sequence[Turn], structure: Structure, actor: str) -> tuple[dict[str, Token], set[str]]:
    """What comes to the cell ahead under each direction, most often; and at what the actor stops always."""
    usual: dict[str, Counter[Token]] = defaultdict(Counter)
    met: dict[str, set[bool]] = defaultdict(set)
    for turn in turns:
        target, way = cell_ahead(turn, structure, actor), pointing(structure, turn.word)
        if target is None or way is None:
            continue
        come = [
            token
            for (_, source, _), (_, to, token) in gone_and_come(list(changes_of(turn)), structure)
            if structure.name(token) == actor and to == target and heading(source, to) == way
        ]
        usual[way].update(come)
        for token in structure.at(turn.before, target) or ():
            met[structure.name(token)].add(bool(come))
    common = {way: tokens.most_common(1)[0][0] for way, tokens in usual.items() if tokens}
    return common, {name for name, ways in met.items() if ways == {False}}


def lonely(turn: Turn, structure: Structure, actor: str) -> tuple[Cell, Token] | None:
    """Where the only actor stands, and what it is; None if there are none or several."""
    there = [(cell, token) for cell, token in subjects_on(turn.before, actor, structure) if token is not None]
    return there[0] if len(there) == 1 else None


def cell_ahead(turn: Turn, structure: Structure, actor: str) -> Cell | None:
    """The cell to which the input points from the only actor; None where there is none."""
    way, source = pointing(structure, turn.word), lonely(turn, structure, actor)
    if way is None or source is None:
        return None
    (row, column), (down, right) = source[0], OFFSETS[way]
    target = structure.cell(turn.before, (row + down, column + right))
    return target if turn.before.inside(target) else None
