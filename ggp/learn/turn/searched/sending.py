"""What somebody sends, and goes on as far as it can: a mark is left on it, and goes along with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ggp.learn.boards import Token
from ggp.learn.fit.questions import Test
from ggp.learn.seen.frames import Frame, Offset
from ggp.learn.seen.views import PICK, Change, Seen
from ggp.learn.turn.searched.effects import Deed, far_along, frames, heaps, lacks, moves_in, near
from ggp.learn.turn.searched.field import Field
from ggp.learn.turn.searched.playing import Player
from ggp.learn.turn.searched.rules import Rule, Sight, Steps
from ggp.model import OFFSETS


class Sending(NamedTuple):
    """Who leaves a mark on what, what goes on with it, and in how many turns that is lacking."""

    first: Rule
    then: Rule
    often: int


def sendings(player: Player, end: Field, rows: Sequence[int], actors: Sequence[str]) -> list[Sending]:
    """What may have been sent by whom, the most frequent first."""
    counted: Counter[tuple[Rule, Rule]] = Counter()
    for lack in lacks(player.told, end, rows):
        found = set[tuple[Rule, Rule]]()
        for heap in heaps(lack.changes):
            for move in moves_in(heap, player.structure):
                found.update(senders(player, lack.row, move, actors))
        counted.update(found)
    order = sorted(counted.items(), key=lambda one: (-one[1], repr(one[0])))
    return [Sending(first, then, often) for (first, then), often in order]


def handings(steps: Steps, mark: str) -> list[Rule]:
    """What the mark of who was picked may do alone: go on to what is ahead, which is sent, or turn aside.

    No board shows it. Marks that others leave do not: asked of these, *fire-and-ice* was learned less well.
    """
    known = [rule for step in steps for rule in step.rules]
    if not any(
        rule.subject == PICK and rule.outcome and rule.outcome[0].thing.name == mark for rule in known
    ):
        return []
    here = Change("-", (0, 0), Seen(mark, "ahead"))
    to = [Change("+", (1, 0), Seen(mark, "ahead"))]
    to += [Change("+", (0, 0), Seen(mark, way)) for way in ("rightward", "leftward")]
    sights = dict.fromkeys(rule.sight for rule in known if rule.subject == mark)
    return [Rule(mark, sight, None, (), tuple(sorted((here, one)))) for sight in sights for one in to]


def senders(player: Player, row: int, move: Deed, actors: Sequence[str]) -> Iterator[tuple[Rule, Rule]]:
    """Who may have sent what went along a line, where the input points or as they face."""
    went = far_along(move)
    if went is None or went[0] in player.structure.facing:
        return
    token, at, step = went
    way = next(way for way, one in OFFSETS.items() if one == step)
    word = player.told.words[player.told.before.heard[row]]
    for name, place, who in near(player, row, [at], [PICK, *actors]):
        for frame, direction, words in frames(player, who, word):
            if direction == way and not (name == PICK and place != at):
                yield rules_for(player, name, frame, words, frame.offset(place, at, direction), token)


def rules_for(
    player: Player, name: str, frame: Frame, words: frozenset[str] | None, offset: Offset, token: Token
) -> tuple[Rule, Rule]:
    """The rule by which a mark is left, and the one by which it goes on, neither with conditions."""
    mark, thing = Seen(player.told.mark, "ahead"), Seen(token)
    there = (Test(offset, frozenset({thing})),) if offset != (0, 0) else ()
    first = Rule(name, Sight(frame), words, there, (Change("+", offset, mark),))
    ahead = tuple(
        sorted(
            (
                *(Change("-", (0, 0), one) for one in (mark, thing)),
                *(Change("+", (1, 0), one) for one in (mark, thing)),
            )
        )
    )
    return first, Rule(player.told.mark, Sight(Frame("facing", frame.mirrored)), None, (), ahead)
