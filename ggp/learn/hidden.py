"""What a thing faces is not shown: the bit that is needed is invented.

Each board of a run is given a facing of its mover, left or right. At first those are taken that turn round
least, and only turns of which that leaves no doubt are learned from; then those that the rules so far say;
and so on until nothing changes. It is hard expectation maximisation, with rules in place of a distribution.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Episode, Token, Turn, turns_of
from ggp.learn.fit.program import Passes, Program
from ggp.learn.seen.structure import moves, structure_of
from ggp.learn.turn.loops import known_once
from ggp.learn.turn.turns import Ways, learn_ends, learn_program
from ggp.learn.whole import Learned, learn_whole
from ggp.model import DIRECTIONS
from ggp.model.shown import number_of

SIDES = ("left", "right")
STAYS = 1.0  # a turn in which it stays where it is, whether it turns round or not
TURNS = 2.5  # to turn round while it goes
STRANGE = 4.0  # to do what the rules so far do not say
ROUNDS = 8
ALIKE = 1e-9

Cost = Callable[[Turn], float]
"""What it costs to believe a turn whose facings are written in."""


def positions_only(episodes: Sequence[Episode]) -> list[Episode]:
    """The runs with no thing's facing shown."""
    return [in_place(one, list(map(positions, one.boards()))) for one in episodes]


def positions(board: Board) -> Board:
    """The board with no thing's facing shown."""
    cells = tuple(frozenset(map(without_facing, stack)) for stack in board.cells)
    return Board(board.height, board.width, cells)


def without_facing(token: Token) -> Token:
    """A token without its facing, if its name tells one."""
    stem, colon, end = token.rpartition(":")
    return stem if colon and end in DIRECTIONS else token


def in_place(episode: Episode, boards: Sequence[Board]) -> Episode:
    """A run with other boards."""
    steps = tuple(
        replace(step, after=board, frames=()) for step, board in zip(episode.steps, boards[1:], strict=True)
    )
    placed = tuple(put._replace(token=without_facing(put.token)) for put in episode.placed)
    return replace(episode, start=boards[0], steps=steps, placed=placed)


def learn_positions(episodes: Sequence[Episode], name: str = "learned") -> Learned:
    """Learn a game from runs of which no facing is looked at; a facing is invented for what needs one.

    What goes left and right by itself does: where it goes next, its place does not say.
    """
    shown = positions_only(episodes)
    token = mover(shown)
    if token is None or (driven(shown) and known_once(turns_of(shown)) is not None):
        return learn_whole(shown, name)
    kept, line = with_facings(shown, token)
    learned = learn_whole(kept, name)
    return replace(learned, evidence=(line, *learned.evidence), invented=token)


def with_facings(episodes: Sequence[Episode], token: Token) -> tuple[list[Episode], str]:
    """The runs with invented facings of something, and a line that says so.

    Runs of which the facings stay in doubt are left out, and so are those with other than one such thing.
    Raises NotLearned where no facings make sense of most runs.
    """
    runs = [one for one in episodes if all(alone(board, token) for board in one.boards())]
    program: Program | Passes | None = None
    labels: list[list[str | None]] = []
    ways = Ways()
    for _ in range(ROUNDS):
        cost = plain_cost if program is None else cost_by(program)
        found = [facings(one, token, cost) for one in runs]
        if found == labels:
            break
        labels = found
        program = rules_of(runs, labels, token, program, ways)
    kept = [
        in_place(one, [faced(board, token, side) for board, side in zip(one.boards(), sides, strict=True)])
        for one, sides in zip(runs, map(filled, labels), strict=True)
        if sides is not None
    ]
    kept = [one for one in kept if program is not None and not any(map(program.wrong, turns_of([one])))]
    if 2 * len(kept) < len(runs) or not kept:
        raise NotLearned(f"no facings of {token} make sense of most runs", "record more play")
    left_out = len(episodes) - len(kept)
    said = f"{token} faces left or right: that is not shown, but invented"
    return kept, f"{said}; {number_of('run', left_out)} in which it stays in doubt left out"


def mover(episodes: Sequence[Episode]) -> Token | None:
    """What goes left and right under the same input, most often; None if nothing does."""
    went: dict[Token, Counter[tuple[str | None, str]]] = {}
    for turn in turns_of(episodes):
        for token, direction in moves(turn, 1):
            went.setdefault(token, Counter())[turn.word, direction] += 1
    both = {
        token: sum(min(found[word, side] for side in SIDES) for word in {word for word, _ in found})
        for token, found in went.items()
    }
    return max(filter(both.get, both), key=lambda token: (both[token], token), default=None)


def driven(episodes: Sequence[Episode]) -> bool:
    """Are there inputs? What goes both ways under them may do so for what is seen."""
    return any(turn.word is not None for turn in turns_of(episodes))


def alone(board: Board, token: Token) -> bool:
    """Is there one such thing on a board?"""
    return sum(token in stack for stack in board.cells) == 1


def faced(board: Board, token: Token, side: str) -> Board:
    """The board with a facing of the thing written in."""
    cells = tuple(stack - {token} | {f"{token}:{side}"} if token in stack else stack for stack in board.cells)
    return Board(board.height, board.width, cells)


# --- facings of a run -------------------------------------------------------------------------------------


def plain_cost(turn: Turn) -> float:
    """Before any rule is known: what goes left faces left, and hardly anything turns round."""
    (old, before), (new, after) = where(turn.before), where(turn.after)
    if old == new:
        return STAYS
    gone = new - old
    sideways = {1: "right", -1: "left"}.get(gone)
    if sideways is not None and sideways != before:
        return STRANGE * 10
    return TURNS if before != after else 0.0


def where(board: Board) -> tuple[int, str]:
    """The cell of the thing with a facing, and its facing."""
    for index, stack in enumerate(board.cells):
        for token in stack:
            stem, _, side = token.rpartition(":")
            if stem and side in SIDES:
                return index, side
    raise AssertionError("no facing was written in")


def cost_by(program: Program | Passes) -> Cost:
    """Nothing where the rules say so, else what it costs anyway and more."""

    def cost(turn: Turn) -> float:
        return 0.0 if not program.wrong(turn) else STRANGE + plain_cost(turn)

    return cost


def facings(episode: Episode, token: Token, cost: Cost) -> list[str | None]:
    """The cheapest facings on the boards of a run; None where two are as cheap."""
    boards = [{side: faced(board, token, side) for side in SIDES} for board in episode.boards()]
    words = [step.word for step in episode.steps]
    steps = [
        {(a, b): cost(Turn(old[a], word, new[b])) for a in SIDES for b in SIDES}
        for (old, new), word in zip(pairwise(boards), words, strict=True)
    ]
    ahead = [dict.fromkeys(SIDES, 0.0)]
    for step in steps:
        ahead.append({b: min(ahead[-1][a] + step[a, b] for a in SIDES) for b in SIDES})
    back = [dict.fromkeys(SIDES, 0.0)]
    for step in reversed(steps):
        back.append({a: min(back[-1][b] + step[a, b] for b in SIDES) for a in SIDES})
    total = [{s: one[s] + other[s] for s in SIDES} for one, other in zip(ahead, reversed(back), strict=True)]
    return [cheaper(one) for one in total]


def cheaper(costs: dict[str, float]) -> str | None:
    """The side that costs less, if one does."""
    left, right = (costs[side] for side in SIDES)
    return None if abs(left - right) < ALIKE else SIDES[right < left]


def filled(sides: Sequence[str | None]) -> list[str] | None:
    """The facings of a run, or None where one is in doubt."""
    found = [side for side in sides if side is not None]
    return found if len(found) == len(sides) else None


def rules_of(
    runs: Sequence[Episode],
    labels: Sequence[Sequence[str | None]],
    token: Token,
    before: Program | Passes | None,
    ways: Ways,
) -> Program | Passes | None:
    """The rules of all turns whose facings are beyond doubt; those from before where there are none.

    Without inputs nothing else moves it, and one pass is enough.
    """
    turns = []
    for episode, sides in zip(runs, labels, strict=True):
        shown = [
            faced(board, token, side) if side is not None else None
            for board, side in zip(episode.boards(), sides, strict=True)
        ]
        for (old, new), step in zip(pairwise(shown), episode.steps, strict=True):
            if old is not None and new is not None:
                turns.append(Turn(old, step.word, new))
    unique = list(dict.fromkeys(turns))
    try:
        structure = structure_of(unique)
        return learn_ends(unique, structure, ways) if driven(runs) else learn_program(unique, structure)
    except NotLearned:
        return before
