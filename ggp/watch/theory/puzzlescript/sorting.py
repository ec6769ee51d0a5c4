"""What is seen of things before any rule: who plays, and what shares no cell with what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from itertools import combinations
from typing import Literal, get_args

from ggp.learn.boards import Board, Episode, Token, Turn, turns_of
from ggp.model import OFFSETS
from ggp.watch.theory.puzzlescript.things import Things

Apart = Literal["nothing", "trodden", "coming", "taking"]
"""What is on other layers than whoever plays: what came or went under its feet, or what ever came or went.

Or what takes whoever goes there: it is under its feet then.
"""
APART: tuple[Apart, ...] = get_args(Apart)
FEWEST = 2  # times that somebody is gone where something is ahead, before it is thought to take him
TAKING = 2  # times as often as it is in his way
OFTEN = 0.5  # as often as whoever goes most where the keys say: who does plays, too


def things_of(turns: Sequence[Turn], apart: Apart = "nothing") -> Things:
    """The things of some turns, in layers; `apart`: what is not on the player's, though they never met."""
    boards = list(dict.fromkeys(board for turn in turns for board in (turn.before, turn.after)))
    player = players(turns)
    ground = frozenset[Token]()
    if apart == "taking":
        ground = taking(turns, player)
    elif apart != "nothing":
        ground = coming(turns) - set(player)
    if apart == "trodden":
        ground &= trodden(turns, player)
    return Things(layers_of(boards, player, barring(turns, player), ground), player)


def ways_of_layers(turns: Sequence[Turn]) -> dict[Apart, Things]:
    """The ways in which things may lie in layers, the likeliest first; each but once."""
    ways = {apart: things_of(turns, apart) for apart in APART}
    if left_behind(turns, ways["nothing"]) or changes_underfoot(turns, ways["nothing"].player):
        ways = {"trodden": ways["trodden"], **ways}
    if ways["taking"].layers != ways["nothing"].layers:
        ways = {"taking": ways["taking"], **ways}
    first: dict[object, Apart] = {}
    for apart, things in ways.items():
        first.setdefault(tuple(things.layers), apart)
    return {apart: ways[apart] for apart in first.values()}


def taking(turns: Sequence[Turn], player: Sequence[Token]) -> frozenset[Token]:
    """What takes whoever plays nearly each time that he goes there, and stays: a pit, a portal.

    It never goes a step. Who comes out of a portal where he was looks as if it had barred his way.
    """
    taken, barred = Counter[Token](), Counter[Token]()
    for turn in turns:
        way = OFFSETS.get(turn.word or "")
        for n, stack in enumerate(turn.before.cells) if way is not None else ():
            if way is None or stack.isdisjoint(player):
                continue
            row, column = divmod(n, turn.before.width)
            ahead = (row + way[0], column + way[1])
            there = turn.after.at(ahead) or frozenset()
            stays = (turn.before.at(ahead) or frozenset()) & there
            if not turn.after.cells[n].isdisjoint(player):
                barred.update(stays)
            elif there.isdisjoint(player):
                taken.update(stays)
    often = {token for token, times in taken.items() if times >= FEWEST and times > TAKING * barred[token]}
    return frozenset(often - changed_and_stepping(turns)[1])


def changes_underfoot(turns: Iterable[Turn], player: Sequence[Token]) -> bool:
    """Does something become another thing where whoever plays comes to? It was there beside him, then."""
    cells = (cell for turn in turns for cell in zip(turn.before.cells, turn.after.cells, strict=True))
    return any(
        old.isdisjoint(player) and not new.isdisjoint(player) and old - new and new - old - {*player}
        for old, new in cells
    )


def trodden(turns: Iterable[Turn], player: Sequence[Token]) -> frozenset[Token]:
    """What was gone where whoever plays came to, or came where whoever plays was."""
    found = set[Token]()
    for turn in turns:
        for old, new in zip(turn.before.cells, turn.after.cells, strict=True):
            if old.isdisjoint(player) != new.isdisjoint(player):
                found |= (old - new) if old.isdisjoint(player) else (new - old)
    return frozenset(found)


def left_behind(turns: Iterable[Turn], things: Things) -> bool:
    """Does something of the player's layer come where whoever plays was, though it never goes a step?"""
    coming_ = coming(turns) & set(things.layers[0]) - set(things.player)
    return any(
        not old.isdisjoint(things.player)
        and new.isdisjoint(things.player)
        and not coming_.isdisjoint(new - old)
        for turn in turns
        for old, new in zip(turn.before.cells, turn.after.cells, strict=True)
    )


def coming(turns: Iterable[Turn]) -> frozenset[Token]:
    """What comes or goes, and was never seen to go a step."""
    changing, stepping = changed_and_stepping(turns)
    return frozenset(changing - stepping)


def changed_and_stepping(turns: Iterable[Turn]) -> tuple[set[Token], set[Token]]:
    """What comes or goes, and what was seen to go a step."""
    changing, stepping = set[Token](), set[Token]()
    for turn in turns:
        pairs = list(zip(turn.before.cells, turn.after.cells, strict=True))
        gone = {(token, n) for n, (old, new) in enumerate(pairs) for token in old - new}
        come = {(token, n) for n, (old, new) in enumerate(pairs) for token in new - old}
        changing |= {token for token, _ in gone | come}
        steps = (1, -1, turn.before.width, -turn.before.width)
        stepping |= {token for token, n in gone if any((token, n + step) in come for step in steps)}
    return changing, stepping


def heard_out(episodes: Iterable[Episode]) -> frozenset[Turn]:
    """Turns that changed nothing and were not undone: somebody said after them whether it is won."""
    found = set[Turn]()
    for one in episodes:
        told = (step.won is not None and not step.refused for step in one.steps)
        found.update(turn for turn, heard in zip(turns_of([one]), told, strict=True) if heard)
    return frozenset(turn for turn in found if turn.before == turn.after)


def may_have_to_move(
    turns: Iterable[Turn], player: Sequence[Token], heard: Iterable[Turn] = frozenset()
) -> bool:
    """Did nothing ever change where nobody who plays left a cell, and was no such turn `heard_out`?"""

    def where(board: Board) -> set[int]:
        return {n for n, stack in enumerate(board.cells) if not stack.isdisjoint(player)}

    if any(turn.word is not None and where(turn.before) for turn in heard):
        return False
    keys = (turn for turn in turns if turn.word is not None and turn.before != turn.after)
    return all(not where(turn.before) or where(turn.before) - where(turn.after) for turn in keys)


def players(turns: Sequence[Turn]) -> tuple[Token, ...]:
    """Who goes where the keys say, by itself, and what it becomes then."""
    there, went, alone_went = Counter[Token](), Counter[Token](), Counter[Token]()
    became = Counter[tuple[Token, Token]]()
    steps = list[tuple[Turn, int, set[tuple[int, Token]]]]()
    for turn in turns:
        way = OFFSETS.get(turn.word or "")
        if way is None:
            continue
        there.update(frozenset().union(*turn.before.cells))
        gone = {(n, token) for n, old in enumerate(turn.before.cells) for token in old - turn.after.cells[n]}
        come = {(n, token) for n, new in enumerate(turn.after.cells) for token in new - turn.before.cells[n]}
        step = way[0] * turn.before.width + way[1]
        became.update((token, other) for n, token in gone for m, other in come if m in (n, n + step))
        goers = {(n, token) for n, token in gone if (n + step, token) in come}
        went.update(token for _, token in goers)
        steps.append((turn, step, goers))
    for turn, step, goers in steps:
        alone_went.update(token for n, token in goers if by_itself(n, token, turn, step, went.keys()))
    share = {token: went[token] / there[token] for token in there if alone_went[token] or not alone_went}
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
        for token in sorted(there):
            turned = any(became[token, one] or became[one, token] for one in found)
            if token not in found and turned and alone([*found, token], boards):
                found.append(token)
                grown = True
    return tuple(found)


def by_itself(n: int, token: Token, turn: Turn, step: int, movable: Set[Token]) -> bool:
    """May nothing else have gone in the row of its like that goes there, nor at an end of it?"""
    before, after = turn.before.cells, turn.after.cells

    def going(at: int) -> Set[Token]:
        there = 0 <= at < len(before) and 0 <= at + step < len(after)
        return before[at] & after[at + step] & movable if there else frozenset()

    cells = {n}
    for way in (step, -step):
        at = n
        while token in going(at):
            at += way
            cells.add(at)
    return all(going(at) <= {token} for at in cells)


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
    boards: Iterable[Board], player: Sequence[Token], barring: Counter[Token], apart: frozenset[Token]
) -> list[tuple[Token, ...]]:
    """Tokens that were never seen in one cell, together.

    The first layer is that of whoever plays, and of what bars the way most, but for what stands `apart`.
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
        able = layers[token in apart :]
        home = next((one for one in able if not any({token, other} in shared for other in one)), None)
        if home is None:
            layers.append([token])
        else:
            home.append(token)
    return [tuple(layer) for layer in layers]
