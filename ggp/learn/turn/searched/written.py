"""What was found, as passes of a program."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from ggp.learn.fit.lists import Decision, Decisions
from ggp.learn.fit.program import Part, Passes, Program
from ggp.learn.seen.frames import Offset
from ggp.learn.turn.searched.playing import Player
from ggp.learn.turn.searched.rules import Rule, Sight, Step, Steps


def program_of(steps: Steps, player: Player) -> Program | Passes:
    """What was found, as passes of a program; as a program where it is one pass."""
    if len(steps) == 1:
        return one_pass(steps[0], player)
    spoken = {change.thing for step in steps for rule in step.rules for change in rule.outcome}
    left = {thing.name for thing in spoken} & {player.told.mark, *player.told.calls}
    passing = frozenset(token for name in left for token in player.structure.members(name))
    return Passes(player.structure, tuple(one_pass(step, player) for step in steps), passing)


def one_pass(step: Step, player: Player) -> Program:
    """One pass, its rules sorted by parts."""
    parts: dict[tuple[str, Sight, frozenset[str] | None], list[Rule]] = defaultdict(list)
    for rule in step.rules:
        parts[rule.part].append(rule)
    structure = replace(player.structure, signs=tuple(player.signs_of(step)))
    return Program(
        structure,
        tuple(
            Part(
                subject,
                replace(player.view(sight), structure=structure),
                decisions_of(rules),
                words,
                entire=True,
            )
            for (subject, sight, words), rules in parts.items()
        ),
        loop=step.loop,
    )


def decisions_of(rules: Sequence[Rule]) -> Decisions:
    """Rules as a list of decisions."""
    offsets: list[Offset] = []
    for rule in rules:
        offsets += [test.offset for test in rule.tests if not test.word]
        offsets += [change.offset for change in rule.outcome]
    listed = tuple(Decision(rule.tests, rule.outcome) for rule in rules)
    return Decisions(tuple(dict.fromkeys(offsets)), listed, sum(rule.cost for rule in rules))
