"""Boards on which goals that agree with all that was seen say different things.

That no crate is left is a shorter goal than that every crate is on a target, and true of the same boards
where play never brought all crates to targets. So such boards are made: all of one thing on another, or all
but one, or all where there is one more of the other. Several such wishes are granted at once, too, and of
boards that were won one thing is made otherwise.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from ggp.learn.boards import Board, Episode, Turn, turns_of
from ggp.learn.goal.claims import Claim, Facts, claims_about, facts_of, taste_of
from ggp.learn.goal.goals import flags_of, tells, unlike
from ggp.learn.probe.challenges import Asked, with_stack
from ggp.learn.probe.wishes import name_is_still, nearly, there, wished
from ggp.learn.seen.single import Troupe, one_of_each, single_movers
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.actors import actor_of

LARGEST = 3  # size of a claim that is thought of
SPREAD = 6  # boards for each pair of things
MOST = 240  # turns that are asked for
WISHED = 120  # boards on which several wishes hold, where no board was won; elsewhere fewer
SOME_WISHED = 30
PRESSED = 2  # inputs for each of these

Foresee = Callable[[Board, str | None], Board | None]


def goal_questions(
    episodes: Sequence[Episode], structure: Structure, seed: int = 0, foresee: Foresee | None = None
) -> list[Asked]:
    """Turns on boards of which it would tell something whether they are won; none where nobody says so.

    It is asked of boards after a turn, so it is the board that rules `foresee` that should tell something: a
    small plant beside water is a large one by then.
    """
    known = flags_of(episodes, "won").known
    words = sorted(
        {step.word for one in episodes for step in one.steps if step.word and "(" not in step.word}
    )
    if not known or not words:
        return []
    rng, claims = random.Random(seed), possible(known, structure)
    actor = needed_actor(list(turns_of(episodes)), structure)
    boards = list(dict.fromkeys(one.start for one in episodes))
    rng.shuffle(boards)
    alone: list[Asked] = [
        (board, word) for board in dict.fromkeys(arranged(boards, structure, rng)) for word in words
    ]
    wishes = islice(wished(episodes, structure, actor, rng), SOME_WISHED if any(known.values()) else WISHED)
    pressed = min(PRESSED, len(words))
    several: list[Asked] = [(board, word) for board in wishes for word in rng.sample(words, pressed)]
    sources = (alone, several, list(dict.fromkeys(nearly(episodes, structure, actor, rng))))

    starts, turns = [one.start for one in episodes], list(turns_of(episodes))
    met = {*starts, *(turn.after for turn in turns)}
    single = single_movers(starts, turns, structure)
    troupe = Troupe(single, met, structure)

    def telling(one: Asked) -> bool:
        if not troupe.plays(one[0]) or not one_of_each(single, one[0], structure):
            return False
        after = (foresee(*one) if foresee is not None else None) or one[0]
        return after not in known and torn(facts_of(after, structure), claims)

    asked = [list(filter(telling, some)) for some in sources]
    return [one for some in asked for one in (some if len(some) <= MOST else rng.sample(some, MOST))]


def needed_actor(turns: Sequence[Turn], structure: Structure) -> str | None:
    """The name of what goes where inputs point, if play never ended with the last of it.

    Where the last player was seen to leave the board, it may be asked for to win.
    """
    actor = actor_of(turns, structure)
    if actor is None or any(
        there(one.before, actor, structure) and not there(one.after, actor, structure) for one in turns
    ):
        return None
    return actor


def possible(known: Mapping[Board, bool], structure: Structure) -> list[Claim]:
    """What may be asked for: true of all won boards and not of all others, and not large."""
    yes = unlike(structure, (board for board, told in known.items() if told))
    no = unlike(structure, (board for board, told in known.items() if not told))
    taste = taste_of(structure)
    unseen = [Claim("every", what, ground) for what, ground in pairs(structure)]
    claims = dict.fromkeys([*claims_about([*yes, *no], yes, structure), *unseen]) if yes else ()
    return [one for one in claims if one.what and taste.size(one) <= LARGEST and tells(one, yes, no)]


def torn(facts: Facts, claims: Sequence[Claim]) -> bool:
    """Do some say that a board is won, and others that it is not? Where none was, any may be."""
    return not claims or len({facts.holds(one) for one in claims}) > 1


def pairs(structure: Structure) -> Iterator[tuple[str, str]]:
    """Names of what moves, and of what it may stand on for all that is known."""
    apart = structure.exclusions()
    names, still = sorted(apart), {structure.name(token) for token in structure.fixed}
    for what in names:
        if what not in still:
            yield from ((what, ground) for ground in names if ground != what and ground not in apart[what])


def arranged(boards: Sequence[Board], structure: Structure, rng: random.Random) -> Iterator[Board]:
    """Boards with all of one thing that moves on another, or all but one."""
    for pair in pairs(structure):
        full = (board for board in boards if all(there(board, name, structure) for name in pair))
        for board in islice(full, SPREAD):
            yield put_on(board, *pair, structure, rng)
            yield put_on(board, *pair, structure, rng, left=1)
            yield put_on(with_more(board, pair[1], structure, rng), *pair, structure, rng)


def with_more(board: Board, ground: str, structure: Structure, rng: random.Random) -> Board:
    """The board with one more of what things stand on: of one exit "some" and "every" say the same.

    It goes to a cell that holds the same otherwise; the board itself where there is none. Of what moves, and
    is never there twice, there is no second one: of two players nobody sees what each does.
    """
    if structure.number(ground)[1] < 2 and not name_is_still(ground, structure):
        return board
    for cell, token in there(board, ground, structure):
        plain = (board.at(cell) or frozenset()) - {token}
        free = [index for index, stack in enumerate(board.cells) if stack == plain]
        if free:
            at = divmod(rng.choice(free), board.width)
            return with_stack(board, at, plain | {token})
    return board


def put_on(
    board: Board, what: str, ground: str, structure: Structure, rng: random.Random, left: int = 0
) -> Board:
    """The board with all of one thing on another, but so many; what has no room there is taken away."""
    apart = structure.exclusions()[what]
    movers = there(board, what, structure)
    free = [
        cell
        for cell, _ in there(board, ground, structure)
        if not apart & set(map(structure.name, board.at(cell) or ()))
    ]
    rng.shuffle(free)
    for cell, token in movers[left:]:
        board = with_stack(board, cell, (board.at(cell) or frozenset()) - {token})
    for cell, (_, token) in zip(free, movers[left:], strict=False):
        board = with_stack(board, cell, (board.at(cell) or frozenset()) | {token})
    return board
