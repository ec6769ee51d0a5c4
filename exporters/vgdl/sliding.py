"""The idiom for games of one walker who slides until something is in his way: a turn takes some ticks.

py-vgdl has no avatar that heeds no key, but a missile heeds none: who sets off becomes one, and flies until
he is in what stops him. There he turns round, comes back by one cell in the next tick, and is himself again.
Ice lies everywhere but where he is at rest, so that to step on ice is to set off.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ggp.exporters.vgdl.endings import Ends
from ggp.exporters.vgdl.meetings import Meetings, Planes
from ggp.exporters.vgdl.push import PushWriter
from ggp.exporters.vgdl.sheet import Layout
from ggp.model import DIRECTIONS, OFFSETS, Instance
from ggp.transition.compiler import compile_instance
from ggp.transition.program import CompiledRule, Loop, Pass, Transition


def write_sliding(instance: Instance) -> Layout | None:
    """The text of an instance by the idiom, None if the game is not one for it."""
    transition = compile_instance(instance)
    found = recognise_sliding(instance, transition)
    writer = SlideWriter(instance, transition, found) if found is not None else None
    return writer.write() if writer is not None and writer.ends is not None and writer.ends.exits else None


class Sliding(PushWriter):
    """What both dialects have: the ground, and that it is won where he comes to rest on an exit."""

    def write(self) -> Layout:
        """The text, with what is needed to play it."""
        self.ice, self.rest = self.sheet.name("ice"), self.sheet.name("rest")
        self.sliding, self.stopped = self.sheet.name("sliding"), self.sheet.name("stopped")
        return replace(super().write(), resting=self.player)

    def ground(self, ice: str, rest: str) -> None:
        """Define what lies below him, by its colours."""
        for ground, colour in ((self.ice, ice), (self.rest, rest)):
            self.sheet.under(ground, self.still, color=colour)

    def winning(self, ends: Ends) -> None:
        """Write that it is won where he comes to rest on an exit."""
        for plane in sorted(ends.exits):
            self.sheet.act(self.names[plane], self.rest, "transformTo", stype=self.on[plane])
        self.counted([self.on[plane] for plane in sorted(ends.exits)], 1, win=True)

    def board(self) -> None:
        """Put ice everywhere but where he is."""
        super().board()
        for keys in self.sheet.cells.values():
            if self.floor in keys and self.rest not in keys:
                keys.append(self.rest if self.player in keys else self.ice)


class SlideWriter(Sliding):
    """Writes one text for py-vgdl."""

    def walker(self, paint: str) -> None:
        """Define him at rest, on his way, and in what stopped him."""
        self.ground("(200,225,250)", "(245,243,238)")
        self.sheet.sprite(self.player, "OrientedAvatar", color=paint)
        for name in (self.sliding, self.stopped):
            self.sheet.sprite(name, "Missile", color=paint)

    def moves(self) -> None:
        """Write how he sets off, goes on, and is stopped.

        What becomes of a sprite is met by the lines below.
        """
        sheet, walls = self.sheet, f"{self.listed(self.pushing.blockers)} {self.edge}".strip()
        sheet.say("what is in the way throws him back; else he is on ice, and slides on, whatever is pressed")
        sheet.act(self.player, walls, "stepBack")
        if self.instance.level.horizon is not None:
            self.set_off()
        sheet.act(self.player, self.ice, "TransformOthersTo", target=self.rest, stype=self.ice)
        sheet.act(self.player, self.ice, "transformTo", stype=self.sliding)
        sheet.say("until something stops him; then he turns round, comes back by one cell, and is at rest")
        sheet.act(self.sliding, walls, "transformTo", stype=self.stopped)
        sheet.act(self.stopped, walls, "reverseDirection")
        if self.instance.level.horizon is not None:
            sheet.act(self.stopped, self.ice, "TransformOthersTo", target=self.begun, stype=self.made)
        sheet.act(self.ice, self.stopped, "transformTo", stype=self.rest)
        sheet.act(self.stopped, self.rest, "transformTo", stype=self.player)

    def set_off(self) -> None:
        """Write that a turn has begun: a sprite stands for each, and becomes another when it is over."""
        sheet, objectives = self.sheet, self.instance.game.objectives
        self.begun, self.made = (
            sheet.sprite(sheet.name(text), self.still, color="(235,232,224)") for text in ("begun", "made")
        )
        score = -1 if objectives and objectives[0].counts == "turns" else None
        sheet.act(
            self.player, self.ice, "spawnIfHasMore", resource="always", limit=0, stype=self.begun,
            scoreChange=score,
        )  # fmt: skip

    def turns(self) -> None:
        """Write that there are so many turns: they are counted where he sets off."""
        self.trail = self.rest

    def out_of_turns(self) -> None:
        """The level is lost when all turns are made."""
        horizon = self.instance.level.horizon
        assert horizon is not None
        self.counted([self.made], horizon, win=False)

    def board(self) -> None:
        """Put everything on the map, and no ice below what stops him: only beside it does he come to rest."""
        super().board()
        walls = {self.names[plane] for plane in self.pushing.blockers}
        for keys in self.sheet.cells.values():
            if self.ice in keys and not walls.isdisjoint(keys):
                keys.remove(self.ice)


# --- which games these are --------------------------------------------------------------------------------


def recognise_sliding(
    instance: Instance, transition: Transition, *, several: bool = False
) -> Meetings | None:
    """Who slides and what stops him, as meetings; None where it is another kind of game.

    `several`: there may be more of his kind, all of whom slide and stop each other.
    """
    game, declared = instance.game, instance.game.input
    plain = game.design is None and not (game.physics or game.wraps or game.chance or transition.markers)
    if not plain or declared is None or set(declared.moves) != set(DIRECTIONS):
        return None
    if declared.verbs or declared.pick or declared.wait:
        return None
    subject = slider(transition)
    if subject is None:
        return None
    plane, rules = subject
    found = {stops(transition, plane, direction, rules) for direction in DIRECTIONS}
    blockers = found.pop()
    if found or blockers is None or (blockers - {plane}) & transition.dynamic:
        return None
    there = [transition.number[piece] for row in instance.level.board for here in row for piece in here]
    beside = set(transition.of_layer(transition.layers[plane])) & set(there) - {plane}
    alone = there.count(plane) == 1
    if plane in transition.exempt or not beside <= blockers:
        return None
    if not alone and not (several and plane in there and plane in blockers):
        return None
    return Meetings((plane,), blockers - {plane}, {})


def slider(transition: Transition) -> tuple[int, tuple[CompiledRule, ...]] | None:
    """The one plane that the one loop is about, and its rules."""
    if len(transition.turn) != 1:
        return None
    (loop,) = transition.turn
    if not isinstance(loop, Loop) or len(loop.body) != 1:
        return None
    (step,) = loop.body
    if not isinstance(step, Pass) or len(step.subjects) != 1:
        return None
    plane, rules = step.subjects[0]
    return None if plane is None else (plane, rules)


def stops(
    transition: Transition, plane: int, direction: str, rules: tuple[CompiledRule, ...]
) -> Planes | None:
    """What stops a step in a direction; None where its rule is no plain step."""
    mine = [rule for rule in rules if set(rule.inputs) <= {direction}]
    if len(mine) != 1:
        return None
    (rule,), ahead = mine, OFFSETS[direction]
    steps = [(one.plane, one.source, one.result, one.target) for one in rule.changes]
    if steps != [(plane, (0, 0), plane, ahead)]:
        return None
    return frozenset(asked(rule, ahead)) if all(plain_term(rule, ahead)) else None


def plain_term(rule: CompiledRule, ahead: tuple[int, int]) -> Iterator[bool]:
    """Of each term: does it ask that the cell ahead is there, or free of something?"""
    for term in rule.terms:
        yield term.offset == ahead and term.wanted != bool(term.planes)


def asked(rule: CompiledRule, ahead: tuple[int, int]) -> Iterator[int]:
    """What must not be on the cell ahead."""
    for term in rule.terms:
        if term.offset == ahead:
            yield from term.planes
