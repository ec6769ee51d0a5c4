"""What each of a crowd must have done, by exact cover with what movers were seen to do elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from ggp.learn.boards import Board, Token
from ggp.learn.fit.program import Part, Program, meaning
from ggp.learn.fit.sights import Example
from ggp.learn.seen.views import Outcome
from ggp.learn.turn.crowd.crowds import Cluster
from ggp.learn.turn.evidence.changes import Changed
from ggp.model import Cell

COVERS = 400  # assignments tried for one cluster, of each number of movers that do something else

Options = tuple[list[frozenset[Changed]], frozenset[Changed]]
"""All that a mover could do, and what the rules so far say that it does."""


def covered(cluster: Cluster, program: Program, most: int, *, least: bool) -> Iterator[tuple[str, Example]]:
    """What each mover of a cluster must have done, as far as it is settled.

    Each may have done anything that any mover was seen to do, and `most` of them what the rules do not say.
    What is the same in all that explains the cluster with the fewest such is taken; with `least` in all of
    those that change least.
    """
    options = [repertoire(cluster, anchor, program) for anchor in cluster.anchors]
    fits = explanations(cluster, options, most)
    if least and fits:
        changes = min(sum(map(len, chosen)) for chosen in fits)
        fits = [chosen for chosen in fits if sum(map(len, chosen)) == changes]
    for index, (subject, at, token) in enumerate(cluster.anchors):
        done = {one[index] for one in fits}
        if len(done) == 1:
            yield subject, Example(cluster.turn, cluster.board, at, token, done.pop())


def explanations(
    cluster: Cluster, options: Sequence[Options], most: int
) -> list[tuple[frozenset[Changed], ...]]:
    """What each may have done so that it makes the cluster, with the fewest that do not what the rules say.

    Only those are thought to do something else that could, or should by the rules, change a cell in which the
    rules are wrong.
    """
    said = [one for _, one in options]
    if together(cluster, said):
        return [tuple(said)]
    wrong = {cell for _, cell, _ in frozenset().union(*said) ^ cluster.changes}
    suspects = [
        index
        for index, (choices, own) in enumerate(options)
        if any(cell in wrong for one in (*choices, own) for _, cell, _ in one)
    ]
    for number in range(1, min(most, len(suspects)) + 1):
        found, left = [], COVERS
        for who in combinations(suspects, number):
            for others in product(*([one for one in options[n][0] if one != said[n]] for n in who)):
                left -= 1
                if left < 0:
                    return []
                chosen = list(said)
                for index, other in zip(who, others, strict=True):
                    chosen[index] = other
                if together(cluster, chosen):
                    found.append(tuple(chosen))
        if found:
            return found
    return []


def repertoire(cluster: Cluster, anchor: tuple[str, Cell, Token | None], program: Program) -> Options:
    """All that a mover could do from here, and what the rules so far say that it does."""
    subject, at, token = anchor
    word = cluster.turn.word
    found = {frozenset[Changed]()}
    said = frozenset[Changed]()
    for part in program.parts:
        if part.subject != subject or (
            part.words is not None and meaning(program.structure, word) not in part.words
        ):
            continue
        direction = part.direction(token, word)

        def made(
            outcome: Outcome, part: Part = part, direction: str | None = direction
        ) -> frozenset[Changed]:
            return frozenset(
                (sign, program.structure.cell(cluster.board, cell), thing)
                for sign, cell, thing in part.view.apply(outcome, at, direction, token)
                if thing is not None
            )

        said = made(part.outcome(cluster.board, at, direction, word))
        for decision in part.decisions.decisions:
            done = made(decision.outcome)
            if all(possible(cluster.board, change) for change in done):
                found.add(done)
    return sorted(found, key=sorted), said


def possible(board: Board, change: Changed) -> bool:
    """Can this go from there, or come to there?"""
    sign, cell, token = change
    stack = board.at(cell)
    return stack is not None and (sign == "+" or token in stack)


def together(cluster: Cluster, done: Sequence[frozenset[Changed]]) -> bool:
    """Do these together make exactly what was seen to change?"""
    return effect(cluster.board, done) == cluster.changes


def effect(board: Board, done: Sequence[frozenset[Changed]]) -> frozenset[Changed]:
    """What several do together. Where one goes and its like comes nothing changes, nor where its like is."""
    gone = {(cell, token) for one in done for sign, cell, token in one if sign == "-"}
    come = {(cell, token) for one in done for sign, cell, token in one if sign == "+"}
    fresh = {(cell, token) for cell, token in come - gone if token not in (board.at(cell) or ())}
    return frozenset({("-", *one) for one in gone - come} | {("+", *one) for one in fresh})
