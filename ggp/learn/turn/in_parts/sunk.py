"""A deed, and what becomes of cells to which it brought something: that is undone, and the deed is learned.

A log rolls into water, and a bridge is there. No board shows the log in the water, so that each deed that
ends there looks like another one: of a tree that falls over two cells there are four. Which things are lost
to what comes to their cells is told by what becomes of these: water goes, and a bridge comes. So in place
of the bridge the water is put back, and with it what may have come there: of several such things the one
that makes of the turn what is seen to be done with that input most often. From these boards in the middle
of turns the deed is learned, and from what it leaves what comes of it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import islice, product
from typing import NamedTuple

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Token, Turn, known_once, pointed
from ggp.learn.fit.program import Passes, in_a_row, pointing
from ggp.learn.fit.toil import account, spend
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.turning import turned_cell
from ggp.learn.turn.evidence.between import left_by
from ggp.learn.turn.evidence.changes import changes_of
from ggp.learn.turn.evidence.steady import busy, net_of
from ggp.learn.turn.evidence.unmet import meeting
from ggp.learn.turn.one_pass.elsewhere import learned_from
from ggp.learn.turn.one_pass.events import LIMITS, learn_pass
from ggp.learn.turn.one_pass.supported import hardly_seen

FEWEST = 3  # turns in which the same becomes of a cell
MOST = 64  # boards that may be in the middle of one turn
QUARTERS = {"up": 0, "left": 1, "down": 2, "right": 3}  # clockwise, until what goes there goes up
WORK = 1e7  # on the deed, and on what comes of it


class Lost(NamedTuple):
    """What is lost in a cell, what comes instead, and what may have come there before."""

    gone: Token
    instead: frozenset[Token]
    brought: tuple[Token, ...]


def learn_sunk(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """A deed and what becomes of cells that it came to; raises NotLearned where these do not say all."""
    lost: list[Lost] = []
    known = sorts_of(turns, structure)
    for one in losses(turns, structure) if not pointed(turns) else ():
        fewer = sorts_of(likeliest(turns, structure, [*lost, one]), structure)
        if fewer < known:
            lost, known = [*lost, one], fewer
    passes = undone(turns, structure, lost) if lost else None
    if passes is None:
        raise NotLearned("no deed and what comes of its cells say a turn", "more roll-outs may help")
    return passes


def sorts_of(steps: Iterable[Turn], structure: Structure) -> int:
    """How many different things are done in some turns."""
    return len({(step.word, done(step, structure)) for step in steps})


def undone(turns: Sequence[Turn], structure: Structure, lost: Sequence[Lost]) -> Passes | None:
    """The deed, by boards in the middle of turns, and what comes of it; None where they do not say all."""
    steps = known_once(likeliest(turns, structure, lost))
    if steps is None:
        return None
    names = ((structure.name(thing), structure.name(one.gone)) for one in lost for thing in one.brought)
    met = meeting(structure, names)
    try:
        with account(WORK):
            deed = learn_pass(steps, met, limits=LIMITS)
    except NotLearned:
        return None
    if hardly_seen(deed, steps):
        return None
    rest = left_by(deed, turns)
    then = learned_from(rest, met, LIMITS[:1]) if rest and busy(rest) else None
    passes = in_a_row(met, (deed, then)) if then is not None else None
    return passes if passes is not None and not any(map(passes.wrong, turns)) else None


def losses(turns: Sequence[Turn], structure: Structure) -> list[Lost]:
    """What is lost in cells, what comes there instead, and all that may have come before: often first."""
    often: Counter[tuple[Token, frozenset[Token]]] = Counter()
    coming: Counter[Token] = Counter()
    for turn in turns:
        net = dict(net_of(turn, structure))
        seen = set()
        for went, came in cells_changed(turn):
            coming.update(came)
            new = all(net.get(structure.name(token), 0) > 0 for token in came)
            less = {token for token in went if net.get(structure.name(token), 0) < 0}
            seen |= {(token, came) for token in less if new and len(went) == 1}
        often.update(seen)
    excluded = structure.exclusions(perhaps=True)
    found = []
    for (gone, instead), times in sorted(often.items(), key=in_order):
        barred = excluded[structure.name(gone)]
        brought = tuple(sorted(one for one in coming if structure.name(one) in barred and one != gone))
        if times >= FEWEST and brought and structure.name(gone) not in map(structure.name, instead):
            found.append(Lost(gone, instead, brought))
    return found


def in_order(found: tuple[tuple[Token, frozenset[Token]], int]) -> tuple[int, Token, list[Token]]:
    """A key by which what is often lost comes first, and no order hangs on how sets are gone through."""
    (gone, instead), times = found
    return -times, gone, sorted(instead)


def cells_changed(turn: Turn) -> Iterator[tuple[frozenset[Token], frozenset[Token]]]:
    """What has gone from each cell that a turn changed, and what has come there."""
    if turn.before != turn.after:
        for old, new in zip(turn.before.cells, turn.after.cells, strict=True):
            if old != new:
                yield old - new, new - old


def likeliest(turns: Sequence[Turn], structure: Structure, lost: Sequence[Lost]) -> Iterator[Turn]:
    """The turns up to the likeliest board in their middle: what is done then is often done."""
    choices = []
    for turn in turns:
        choices.append([turn._replace(after=board) for board in middles(turn, lost)])
        spend(len(turn.after.cells) * len(choices[-1]) / 2)
    told = [[done(step, structure) for step in some] for some in choices]
    often: defaultdict[Hashable, float] = defaultdict(float)
    for turn, some in zip(turns, told, strict=True):
        for one in some:
            often[turn.word, one] += 1 / len(some)
            often[one] += 1 / len(some)
    for turn, steps, some in zip(turns, choices, told, strict=True):
        known = [(often[turn.word, one], often[one]) for one in some]
        yield steps[known.index(max(known))]


def middles(turn: Turn, lost: Sequence[Lost]) -> Iterator[Board]:
    """The end of a turn with all undone that comes of cells, in each way in which that may be."""
    cells: list[tuple[int, list[frozenset[Token]]]] = []
    for index, (old, new) in enumerate(zip(turn.before.cells, turn.after.cells, strict=True)):
        ways = [
            new - one.instead | {one.gone, thing}
            for one in lost
            if old is not new and old - new == {one.gone} and new - old == one.instead
            for thing in one.brought
        ]
        if ways:
            cells.append((index, ways))
    for chosen in islice(product(*(ways for _, ways in cells)), MOST):
        board = list(turn.after.cells)
        for (index, _), stack in zip(cells, chosen, strict=True):
            board[index] = stack
        yield turn.after._replace(cells=tuple(board))


def done(step: Turn, structure: Structure) -> Hashable:
    """What changes, wherever on the board, as who looks along the input sees it."""
    quarters = QUARTERS.get(pointing(structure, step.word) or "", 0)
    changes = [
        (turned_cell(cell, step.before, quarters, flip=False), sign, structure.name(token))
        for sign, cell, token in changes_of(step)
    ]
    row = min((cell[0] for cell, *_ in changes), default=0)
    column = min((cell[1] for cell, *_ in changes), default=0)
    return frozenset(((cell[0] - row, cell[1] - column), sign, name) for cell, sign, name in changes)
