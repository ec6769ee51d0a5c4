"""A button that makes one thing of another all over the board, before something happens by itself.

What happens by itself shows where the button is not pressed. Of a press it is asked which exchange of names
(all walkers open their umbrellas, red floor turns blue and blue red) leads to the board that was seen: that
gives the board in the middle of most presses, from which the button's rules are learned, with whatever else
they ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Token, Turn, word_of
from ggp.learn.fit.program import Passes, Program, pointing
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.actors import actor_of
from ggp.learn.turn.evidence.halfway import Halfway
from ggp.learn.turn.evidence.idle import RESTING, idle_turns
from ggp.learn.turn.in_parts.afterwards import ENOUGH, telling_all
from ggp.learn.turn.in_parts.byitself import physics_of
from ggp.learn.turn.one_pass.events import LIMITS, learn_pass

SAMPLE = 20  # presses that an exchange must explain most of
MOST_NAMES = 8  # that are exchanged

Exchange = Mapping[str, str]
"""What becomes of each name that is exchanged."""


def learn_exchanged(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """A button's exchange, and what happens by itself; raises NotLearned where no two say what was seen."""
    presses = [turn for turn in turns if is_press(turn, structure)]
    actor = actor_of(turns, structure)
    tried: list[Sequence[Turn]] = []
    for idle in idle_turns(turns, structure, actor or "") if presses else ():
        if idle in tried:
            continue
        tried.append(idle)
        physics = physics_of(idle, structure, LIMITS)  # that may be large: it shows by itself
        steps = first_parts(turns, presses, structure, actor, physics) if physics is not None else None
        if physics is None or steps is None:
            continue
        try:
            deed = learn_pass(steps, structure, limits=limits)
        except NotLearned:
            continue
        passes = telling_all(turns, structure, (deed, physics), LIMITS)
        if passes is not None:
            return passes
    raise NotLearned("no exchange explains what a button does", "record the boards inside a turn")


def is_press(turn: Turn, structure: Structure) -> bool:
    """Is the input a button: neither a direction nor a cell, and none by which one waits?"""
    if turn.word is None or turn.word in RESTING or pointing(structure, turn.word) is not None:
        return False
    return word_of(turn.word).cell is None


def first_parts(
    turns: Sequence[Turn],
    presses: Sequence[Turn],
    structure: Structure,
    actor: str | None,
    physics: Program | Passes,
) -> list[Turn] | None:
    """What inputs do, of the turns of which that is known; None where no exchange explains a button."""
    steps: list[Turn] = []
    for word in sorted({turn.word or "" for turn in presses}):
        pressed = [turn for turn in presses if turn.word == word]
        exchange = likeliest(pressed, structure, physics)
        if exchange is None:
            return None
        steps += explained(pressed, exchange, structure, physics)
    others = [turn for turn in turns if not is_press(turn, structure)]
    if actor is not None:
        return steps + [step for _, step in Halfway(others, structure, actor, physics).sure]
    return steps + list(explained(others, {}, structure, physics))


def explained(
    turns: Iterable[Turn], exchange: Exchange, structure: Structure, physics: Program | Passes
) -> Iterator[Turn]:
    """The first parts of the turns that an exchange leads to the end of."""
    for turn in turns:
        middle = exchanged(turn.before, exchange, structure)
        if middle is not None and physics.after(middle, None) == turn.after:
            yield turn._replace(after=middle)


def likeliest(presses: Sequence[Turn], structure: Structure, physics: Program | Passes) -> Exchange | None:
    """The exchange that explains more presses than others, and most; None where there is none."""
    told = [turn for turn in presses if physics.after(turn.before, None) != turn.after]
    if not told:
        return {}
    sample = told[:: max(1, len(told) // SAMPLE)]

    def number(some: Sequence[Turn], exchange: Exchange) -> int:
        return sum(1 for _ in explained(some, exchange, structure, physics))

    fitting = [one for one in exchanges(structure) if number(sample, one) >= ENOUGH * len(sample)]
    return max(fitting, key=lambda one: number(told, one), default=None)


def exchanges(structure: Structure) -> Iterator[Exchange]:
    """One name made of another, two exchanged, three in a round; then two such things at once."""
    names = sorted({structure.name(token) for token in structure.tokens} - structure.still)[:MOST_NAMES]
    single = [{one: other} for one, other in permutations(names, 2)]
    single += [{one: other, other: one} for one, other in combinations(names, 2)]
    single += [
        {one: two, two: three, three: one}
        for first, *rest in combinations(names, 3)
        for one, two, three in ((first, *rest), (first, *reversed(rest)))
    ]
    yield from single
    for one, other in combinations(single, 2):
        if {*one, *one.values()}.isdisjoint({*other, *other.values()}):
            yield {**one, **other}


def exchanged(board: Board, exchange: Exchange, structure: Structure) -> Board | None:
    """The board after an exchange, facings kept; None where that has no such thing with this facing."""
    tokens: dict[Token, Token] = {}
    for token in {token for stack in board.cells for token in stack}:
        name = structure.name(token)
        if name in exchange:
            _, facing = structure.facing.get(token, (name, ""))
            family = (exchange[name], facing)
            found = [other for other, faced in structure.facing.items() if faced == family]
            found = found or ([exchange[name]] if exchange[name] in structure.tokens else [])
            if not found:
                return None
            tokens[token] = found[0]
    cells = tuple(frozenset(tokens.get(token, token) for token in stack) for stack in board.cells)
    return Board(board.height, board.width, cells)
