"""What rules say to others that are anywhere on the board: a mark is left, and a sign is there while it is.

What was done in a turn is seen nowhere after it. So each rule, and each thing that somebody runs into, may
call; which of them do is read like all other conditions, from what helps and harms. Several may call alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from ggp.learn.boards import Token
from ggp.learn.fit.questions import Test
from ggp.learn.seen.frames import Frame
from ggp.learn.seen.signs import Sign
from ggp.learn.seen.views import Change, Seen
from ggp.learn.turn.searched.field import Field, Numbers, Truth
from ggp.learn.turn.searched.nodes import Node
from ggp.learn.turn.searched.playing import Player
from ggp.learn.turn.searched.rules import Rule, Sight, Step, Steps
from ggp.learn.turn.searched.steps import every_rule, with_rule
from ggp.model import DIRECTIONS

Who = tuple[int, int] | Rule
"""The pass and the place of a rule; or one of its own, before all passes."""


class Caller(NamedTuple):
    """Who may call, and in which turns that would be."""

    who: Who
    turns: Truth


Callers = Mapping[Token, Caller]
"""By the mark that they would leave, which nobody leaves yet."""


def with_calls(player: Player, callers: Callers, k: int, board: Field, turns: Numbers) -> Field:
    """The boards before a pass as if all called that may do so before it. `turns`: that of each board."""
    boards, grid = board.boards.copy(), board.grid
    for call, one in callers.items():
        if isinstance(one.who, Rule) or one.who[0] < k:
            boards[one.turns[turns]] |= grid.bits([player.told.number[sign_of(call)]])
    return Field.of(grid, board.padded(boards), board.heard, board.shapes)


def did(player: Player, node: Node, who: Who) -> Caller:
    """In which turns somebody does what may be a call."""
    if isinstance(who, Rule):
        fired = [*player.where(who, node.stages[0])]
    else:
        k, place = who
        fired = player.followed(node.steps[k].rules[place], node.steps[k], node.stages[k])
    found, grid = np.zeros(len(node.wrong), np.bool_), player.grid
    for one in fired:
        found[(one.places - grid.pad) // grid.size] = True
    return Caller(who, found)


def callers_in(player: Player, node: Node) -> Callers:
    """For each mark that no rule leaves yet who may leave it: half of them rules that there are.

    None says what another one does.
    """
    calls, left = player.told.calls, marks_in(node.steps)
    asked = [(k, place) for k, place in every_rule(node.steps) if not node.steps[k].loop]
    loud = [one for one in asked if marks(node.steps[one[0]].rules[one[1]]) & {*calls}]
    known = {did(player, node, one).turns.tobytes() for one in loud}
    free = [one for one in calls if one not in left]
    half = unlike((did(player, node, one) for one in asked if one not in loud), known)[: len(free) // 2]
    return dict(zip(free, [*half, *unlike(telling(player, node), known)], strict=False))


def unlike(some: Iterable[Caller], known: set[bytes]) -> list[Caller]:
    """Those that are told from each other, and from what is known, by the turns in which they would call."""
    found = []
    for one in some:
        key = one.turns.tobytes()
        if key not in known and one.turns.any():
            known.add(key)
            found.append(one)
    return found


def joining(player: Player, node: Node, callers: Callers) -> Iterator[tuple[Steps, int]]:
    """The passes in which one more calls as others do already, and the first pass that is new."""
    left = marks_in(node.steps)
    for call in (one for one in player.told.calls if one in left):  # in an order that every process has
        for one in callers.values():
            yield with_call(node.steps, len(node.steps), one.who, call)


def with_call(steps: Steps, first: int, who: Who, call: Token) -> tuple[Steps, int]:
    """The passes in which somebody calls, and the first that is new."""
    mark = Change("+", (0, 0), Seen(call))
    if isinstance(who, Rule):
        return (Step((who._replace(outcome=(mark,)),)), *steps), 0
    k, place = who
    one = steps[k].rules[place]
    outcome = tuple(sorted((*one.outcome, mark)))
    return with_rule(steps, k, place, one._replace(outcome=outcome)), min(first, k)


def marks_in(steps: Steps) -> set[str]:
    """What comes of all rules."""
    return {name for step in steps for rule in step.rules for name in marks(rule)}


def marks(rule: Rule) -> set[str]:
    """What comes of a rule."""
    return {change.thing.name for change in rule.outcome if change.sign == "+"}


def telling(player: Player, node: Node) -> list[Caller]:
    """What somebody may run into, what says most about which turns are wrong first."""
    wrong, found = node.wrong > 0, []
    for one in (did(player, node, rule) for rule in bumps(player)):
        there = one.turns
        if there.any() and not there.all():
            apart = float(abs(wrong[there].mean() - wrong[~there].mean()))
            found.append((apart * min(there.mean(), 1 - there.mean()), one))
    return [one for _, one in sorted(found, key=lambda one: -one[0])]


def bumps(player: Player) -> Iterator[Rule]:
    """Whoever goes where inputs point, before each thing: as rules that do nothing."""
    structure, told = player.structure, player.told
    words = frozenset(one for one in told.words if one in DIRECTIONS)
    sight = Sight(Frame("input", mirrored=words <= {"left", "right"}))
    names = dict.fromkeys(map(structure.name, structure.tokens))
    for name in dict.fromkeys(map(structure.name, told.changed)):
        for other in names if words else ():
            yield Rule(name, sight, words, (Test((1, 0), frozenset({Seen(other)})),), ())


def calling(callers: Callers, steps: Steps, first: int, rule: Rule) -> tuple[Steps, int]:
    """The passes in which those call that a new rule asks for, and the first that is new."""
    asked = {thing.name for test in rule.tests for thing in test.things}
    silent = [(call, one.who) for call, one in callers.items() if sign_of(call) in asked]
    for call, who in sorted(silent, key=lambda one: isinstance(one[1], Rule)):  # these come before all passes
        steps, first = with_call(steps, first, who, call)
    return steps, first


def sign_of(call: Token) -> Token:
    """What stands in all cells while somebody calls."""
    return Sign(call).token
