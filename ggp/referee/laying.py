"""What chance does: it lays pieces before the first turn or in it, and says what fires in groups it draws.

What it may do is worked out here, what it does is for the dice to say (`ggp.referee.dice`).
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

from ggp.errors import IllFormed
from ggp.model import Group, Instance, Scatter
from ggp.model.board import Action, State, amount, matches_any, width
from ggp.referee.dice import Dice
from ggp.referee.passes import Firing, apply_firings, firings_of
from ggp.referee.readied import subjects

When = Literal["", "start", "first-turn"]


def awaited(instance: Instance) -> When:
    """When chance first lays something in this level; empty where it never does."""
    times = {scatter.when for scatter in instance.game.chance if amount(instance, scatter.count)}
    return "start" if "start" in times else "first-turn" if times else ""


def lay(instance: Instance, state: State, when: str, dice: Dice) -> State:
    """The state after chance has laid all that it lays at this time."""
    for scatter in instance.game.chance:
        if scatter.when == when:
            state = lay_some(instance, state, scatter, dice)
    late = when == "start" and any(
        one.when == "first-turn" and amount(instance, one.count) for one in instance.game.chance
    )
    return State(state.board, state.mover, lays="first-turn" if late else "")


def open_cells(instance: Instance, state: State, scatter: Scatter) -> list[int]:
    """The numbers of the cells on which chance may lay this."""
    return [
        cell
        for cell, here in enumerate(state.board)
        if not any(matches_any(instance.game, piece, scatter.free_of) for piece in here)
    ]


def lay_some(instance: Instance, state: State, scatter: Scatter, dice: Dice) -> State:
    """The state after the pieces of one entry were laid; raises IllFormed where they do not fit."""
    count, free = amount(instance, scatter.count), open_cells(instance, state, scatter)
    if not count:
        return state
    if count > len(free):
        raise too_many(scatter, count, len(free))
    columns = width(instance)
    words = [laid_word(scatter, *divmod(cell, columns)) for cell in free]
    board = list(state.board)
    layer = {kind.name: kind.layer for kind in instance.game.kinds}
    for place in dice.some(words, count):
        here = board[free[place]]
        if any(layer[piece.kind] == layer[scatter.kind] for piece in here):
            raise where_something_stands(scatter, free[place], columns)
        board[free[place]] = here | {scatter.piece}
    return State(tuple(board), state.mover)


def too_many(scatter: Scatter, count: int, free: int) -> IllFormed:
    """What is wrong where so many do not fit."""
    message = f"{count} of `{scatter.kind}` do not fit on {free} free cells"
    return IllFormed(message, "lay fewer, or draw a larger map", scatter.place)


def where_something_stands(scatter: Scatter, cell: int, columns: int) -> IllFormed:
    """What is wrong where something is laid on what shares its layer."""
    message = f"`{scatter.kind}` is laid at {divmod(cell, columns)} where something stands"
    return IllFormed(message, "put the kinds of its layer into `free-of`", scatter.place)


def laid_words(instance: Instance, state: State) -> tuple[str, ...]:
    """What chance has laid before the first turn, of the state that came of it."""
    columns, words = width(instance), list[str]()
    given = [here for row in instance.level.board for here in row]
    for piece in dict.fromkeys(scatter.piece for scatter in instance.game.chance if scatter.when == "start"):
        there = (cell for cell, here in enumerate(state.board) if piece in here and piece not in given[cell])
        words += [f"{piece}({cell // columns},{cell % columns})" for cell in there]
    return tuple(words)


def laid_word(scatter: Scatter, row: int, column: int) -> str:
    """How a play says that chance has laid this there."""
    return f"{scatter.piece}({row},{column})"


def draw_pass(
    instance: Instance, state: State, action: Action | None, group: Group, dice: Dice
) -> tuple[tuple[Firing, ...], State]:
    """The firings that chance chose in one pass, and the state after it; nothing where nothing matches."""
    weight_of = dict(zip((rule.name for rule in group.rules), group.weights, strict=False))
    by_subject = [
        list(firings_of(instance, state, action, group, divmod(cell, width(instance)), subject))
        for cell, subject in subjects(instance, state, group)
    ]
    rounds = [[firing for some in by_subject for firing in some]] if group.draw == "one" else by_subject
    chosen: list[Firing] = []
    for some in rounds:
        if some:
            weights = [weight_of.get(firing.rule.name, 1) for firing in some]
            chosen.append(some[dice.one(firing_words(some), weights)])
    return tuple(chosen), apply_firings(instance, state, chosen)


def firing_words(firings: list[Firing]) -> list[str]:
    """A word for each firing: rule, anchor, and direction if it has one; what is alike is numbered."""
    seen: Counter[str] = Counter()
    words = []
    for firing in firings:
        row, column = firing.anchor
        turned = f",{firing.direction}" if firing.direction else ""
        word = f"{firing.rule.name}({row},{column}{turned})"
        seen[word] += 1
        words.append(word if seen[word] == 1 else f"{word}#{seen[word]}")
    return words
