"""What was learned, as rules of the description language: they can be read, run, exported and solved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ggp.learn.movers.examples import Change
from ggp.learn.movers.tree import Decision, Learned, Question, Test
from ggp.learn.seen.frames import Frame, Offset
from ggp.model import Class, Condition, Effect, Game, Group, Pattern, Rule


def with_rules(shell: Game, movers: Iterable[Learned]) -> Game:
    """The game with what was learned as its rules: one pass, after the input if there is one.

    Where there are no rules there is no pass, for a description has none that is empty.
    """
    learned = tuple(movers)
    classes = tuple(dict.fromkeys(c for one in learned for c in classes_of(one)))
    rules = tuple(rule for one in learned for rule in rules_of(one))
    group = Group("learned", rules)
    known = {known.name for known in shell.classes}
    more = tuple(group for group in classes if group.name not in known)
    game = replace(shell, classes=shell.classes + more, turn=(), physics=())
    if not rules:
        return game
    return replace(game, turn=(group,)) if shell.input is not None else replace(game, physics=(group,))


def class_name(kinds: tuple[str, ...]) -> str:
    """The name of a class that was found: its members."""
    return "-or-".join(kinds)


def classes_of(learned: Learned) -> Iterator[Class]:
    """A class for each set of kinds that a test asks for together."""
    for tests, _ in learned.decisions:
        for question, _ in tests:
            if len(question.kinds) > 1:
                yield Class(class_name(question.kinds), question.kinds)


def rules_of(learned: Learned) -> Iterator[Rule]:
    """A rule for each decision; the last ones that change nothing are left out."""
    decisions = list(learned.decisions)
    while decisions and not decisions[-1].outcome:
        decisions.pop()
    for number, decision in enumerate(decisions, start=1):
        yield rule(learned, decision, f"{learned.mover}-{number}")


def rule(learned: Learned, decision: Decision, name: str) -> Rule:
    """One decision as a rule."""
    frame = learned.frame
    here = Condition("present", (), Pattern(learned.mover))
    entered = {change.target for change in decision.outcome if change.target is not None}
    tests = [c for test in decision.tests for c in conditions(frame, test, entered)]
    effects = tuple(effect(frame, change) for change in decision.outcome)
    relative = [c.path for c in tests] + [path for e in effects for path in (e.path, e.to or ())]
    turns = any(isinstance(e.variant, str) for e in effects)
    toward = frame.toward if turns or any(relative) or frame.toward == "input" else "none"
    if frame.toward == "none":
        toward = "none"
    return Rule(name, toward, (here, *tests), effects)


def conditions(frame: Frame, test: Test, entered: set[Offset]) -> Iterator[Condition]:
    """One test as conditions; what moves never leaves the board, so that need not be said."""
    question, wanted = test
    path = frame.path(question.offset)
    if question.kinds:
        yield Condition("present" if wanted else "absent", path, Pattern(named(question)))
    if question.edge and (wanted or question.offset not in entered):
        yield Condition("outside" if wanted else "inside", path)


def named(question: Question) -> str:
    """The kind or class that a question asks for."""
    return question.kinds[0] if len(question.kinds) == 1 else class_name(question.kinds)


def effect(frame: Frame, change: Change) -> Effect:
    """One change as an effect."""
    pattern, facing = Pattern(change.kind), change.facing or None
    if change.source is None and change.target is not None:
        return Effect("add", Pattern(change.kind, facing), frame.path(change.target))
    source = frame.path(change.source or (0, 0))
    if change.target is None:
        return Effect("remove", pattern, source)
    if change.target == change.source:
        return Effect("turn", pattern, source, None, facing)
    return Effect("move", pattern, source, frame.path(change.target), facing)
