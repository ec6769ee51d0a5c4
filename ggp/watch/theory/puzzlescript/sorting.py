"""What is seen of things before any rule: who plays, and what shares no cell with what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from ggp.learn.boards import Board, Token, Turn
from ggp.model import OFFSETS
from ggp.watch.theory.puzzlescript.things import Things

OFTEN = 0.5  # as often as whoever goes most where the keys say: who does plays, too


def things_of(turns: Sequence[Turn]) -> Things:
    """The things of some turns, in layers."""
    boards = list(dict.fromkeys(board for turn in turns for board in (turn.before, turn.after)))
    player = players(turns)
    return Things(layers_of(boards, player, barring(turns, player)), player)


def players(turns: Iterable[Turn]) -> tuple[Token, ...]:
    """Who goes where the keys say, and what it becomes then."""
    there, went = Counter[Token](), Counter[Token]()
    became = Counter[tuple[Token, Token]]()
    for turn in turns:
        way = OFFSETS.get(turn.word or "")
        if way is None:
            continue
        there.update(frozenset().union(*turn.before.cells))
        gone = {(n, token) for n, old in enumerate(turn.before.cells) for token in old - turn.after.cells[n]}
        come = {(n, token) for n, new in enumerate(turn.after.cells) for token in new - turn.before.cells[n]}
        step = way[0] * turn.before.width + way[1]
        for n, token in gone:
            for m, other in come:
                if m == n + step:
                    became[token, other] += 1
                    went[token] += token == other
                elif m == n:
                    became[token, other] += 1
    share = {token: went[token] / there[token] for token in there}
    if not share or not went:
        return ()
    first = max(share, key=lambda token: (share[token], token))
    boards = [board for turn in turns for board in (turn.before, turn.after)]
    found = [first]
    for token in sorted(share):
        if token != first and share[token] >= OFTEN * share[first]:
            found.append(token)
    grown = True
    while grown:
        grown = False
        for token in sorted(share):
            turned = any(became[token, one] or became[one, token] for one in found)
            if token not in found and turned and alone([*found, token], boards):
                found.append(token)
                grown = True
    return tuple(found)


def alone(tokens: Sequence[Token], boards: Iterable[Board]) -> bool:
    """Is there one of these on a board at most?"""
    return all(sum(token in stack for stack in board.cells for token in tokens) <= 1 for board in boards)


def barring(turns: Iterable[Turn], player: Sequence[Token]) -> Counter[Token]:
    """How often each thing stood ahead of whoever plays, who stayed."""
    found = Counter[Token]()
    for turn in turns:
        way = OFFSETS.get(turn.word or "")
        for n, stack in enumerate(turn.before.cells) if way is not None else ():
            if (
                way is not None
                and not stack.isdisjoint(player)
                and not turn.after.cells[n].isdisjoint(player)
            ):
                row, column = divmod(n, turn.before.width)
                found.update(turn.before.at((row + way[0], column + way[1])) or ())
    return found


def layers_of(
    boards: Iterable[Board], player: Sequence[Token], barring: Counter[Token]
) -> list[tuple[Token, ...]]:
    """Tokens that were never seen in one cell, together.

    The first layer is that of whoever plays, and of what bars the way most.
    """
    shared = set[frozenset[Token]]()
    number = Counter[Token]()
    for stack in {stack for board in boards for stack in board.cells}:
        number.update(stack)
        shared |= {frozenset(pair) for pair in combinations(sorted(stack), 2)}
    degree = Counter[Token](token for pair in shared for token in pair)
    layers: list[list[Token]] = []
    others = sorted(number.keys() - set(player), key=lambda one: (-barring[one], degree[one], one))
    for token in [*player, *others]:
        home = next((one for one in layers if not any({token, other} in shared for other in one)), None)
        if home is None:
            layers.append([token])
        else:
            home.append(token)
    return [tuple(layer) for layer in layers]
