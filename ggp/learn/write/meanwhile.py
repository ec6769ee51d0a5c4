"""Marks that stand for kinds inside a turn, where passes bring two of one layer together.

A player may step onto a crate that a later pass moves on. On boards of tokens that is all one. In a game
whose layers are given the turn would break off there. So one of the two is a mark while the turn lasts: marks
exclude nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from ggp.learn.boards import Stack, Turn
from ggp.learn.fit.program import Passes, Program, one_pass
from ggp.learn.seen.unused import untaken
from ggp.learn.turn.crowd.acts import boards_before_passes
from ggp.learn.write.senses.marking import mark_of
from ggp.learn.write.vocabulary import Vocabulary
from ggp.model import Condition, Effect, Game, Group, Kind, Pattern, Piece, Rule


def standing_in(
    shell: Game, program: Program | Passes, turns: Iterable[Turn], vocabulary: Vocabulary
) -> dict[str, Kind]:
    """The marks that are needed, by the kinds that they stand for; none where one pass says the turn.

    Of two kinds that meet, the one that meets more others has a mark, or else the rarer. What has values has
    none.
    """
    turns = [] if one_pass(program) else list(turns)
    hard = {kind.name: kind for kind in shell.kinds if not (kind.merge or kind.marker)}
    met = meeting(program, turns, vocabulary) if turns else set()
    pairs = {(a, b) for a, b in met if a in hard and b in hard and hard[a].layer == hard[b].layer}
    stacks = (stack for turn in turns for stack in turn.before.cells) if pairs else ()
    pieces = Counter(vocabulary.pieces[token].kind for stack in stacks for token in stack)
    marks: dict[str, Kind] = {}
    while pairs:
        times = Counter(name for pair in pairs for name in pair if hard[name].values is None)
        if not times:
            break
        chosen = min(times, key=lambda name: (-times[name], pieces[name], name))
        mark = mark_of(untaken(f"{chosen}-meanwhile", vocabulary.taken))
        marks[chosen] = replace(mark, facings=hard[chosen].facings)
        pairs = {pair for pair in pairs if chosen not in pair}
    return marks


def meeting(program: Program | Passes, turns: Iterable[Turn], vocabulary: Vocabulary) -> set[tuple[str, str]]:
    """The kinds of which two share a cell before some pass, in order; of marks and senses nothing is said."""
    stacks: set[Stack] = set()
    for turn in turns:
        for _, board in boards_before_passes(program, turn.before, turn.word):
            stacks.update(board.cells)
    kinds = ({vocabulary.pieces[token].kind for token in one if token in vocabulary.pieces} for one in stacks)
    return {pair for here in kinds for pair in combinations(sorted(here), 2)}


def speaking_of(marks: Mapping[str, Kind], vocabulary: Vocabulary) -> Vocabulary:
    """The vocabulary in which the tokens of some kinds are their marks."""
    pieces = {
        token: Piece(marks[piece.kind].name, piece.variant) if piece.kind in marks else piece
        for token, piece in vocabulary.pieces.items()
    }
    taken = vocabulary.taken | {mark.name for mark in marks.values()}
    return replace(vocabulary, pieces=pieces, taken=taken)


def with_marks_meanwhile(game: Game, marks: Mapping[str, Kind]) -> Game:
    """The game whose turn begins by making marks of some kinds, and ends by making them what they were."""
    if not marks:
        return game
    begins = group_of("begins", [(kind, mark.name, mark.facings) for kind, mark in marks.items()])
    ends = group_of("ends", [(mark.name, kind, mark.facings) for kind, mark in marks.items()])
    if game.input is not None:
        return replace(game, turn=(begins, *game.turn, ends))
    return replace(game, physics=(begins, *game.physics, ends))


def group_of(name: str, pairs: Sequence[tuple[str, str, Sequence[str]]]) -> Group:
    """A pass that makes one kind of another, with the facing that it has."""
    return Group(
        name,
        tuple(
            Rule(
                f"{old}-{name}" + (f"-{facing}" if facing else ""),
                "none",
                (Condition("present", (), Pattern(old, facing)),),
                (Effect("remove", Pattern(old, facing), ()), Effect("add", Pattern(new, facing), ())),
            )
            for old, new, facings in pairs
            for facing in facings or (None,)
        ),
    )
