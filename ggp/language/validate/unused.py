"""What is there and not used: kinds and classes that nothing speaks of, or that can never be there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ggp.errors import Finding
from ggp.language.validate.rules import patterns_in_rules
from ggp.model import Class, Effect, Game, Kind, Level, groups_of
from ggp.model.pieces import members


def unused(game: Game, levels: Sequence[Level]) -> Iterator[Finding]:
    """Warnings for kinds and classes that nothing speaks of, and for kinds that can never be there."""
    spoken = {pattern.name for pattern in patterns_in_rules(game)}
    for term in game.goal.every_term:
        spoken |= {pattern.name for pattern in term.patterns()} | {str(getattr(term, "kind", ""))}
    spoken |= {objective.kind for objective in game.objectives if objective.kind is not None}
    if game.design is not None:
        spoken |= {*game.design.kinds, *game.design.free_of}
    for scatter in game.chance:
        spoken |= {scatter.kind, *scatter.free_of}
        spoken |= {pattern.name for term in scatter.tells for pattern in term.patterns()}
    spoken |= {kind.hidden for kind in game.kinds if isinstance(kind.hidden, str)}
    if game.input is not None:
        spoken |= {name for name in (game.input.pick, game.input.again) if name is not None}
    if game.scan is not None:
        spoken |= {*game.scan.player.kinds, *re.findall(r"[\w-]+", game.scan.said or "")}
    classes = {group.name: group for group in game.classes}
    todo = list(spoken)
    while todo:
        group = classes.get(todo.pop())
        inner = (*group.members, *(n for _, part in group.by_direction for n in part)) if group else ()
        todo += [name for name in inner if name not in spoken]
        spoken.update(inner)
    there = appearing(game, levels) | added_in_order(game)
    named: list[Kind | Class] = [*game.kinds, *game.classes]
    for what in named:
        if what.name in spoken and isinstance(what, Kind) and what.name not in there:
            message = f"`{what.name}` can never be there: no symbol draws it, and no rule adds it"
            yield Finding(message, "add a symbol for it, or take it out", what.place, "warning")
        elif what.name not in spoken and (isinstance(what, Class) or what.name not in there):
            yield Finding(f"`{what.name}` is never used", "take it out", what.place, "warning")


def added_in_order(game: Game) -> set[str]:
    """The kinds that rules in scan order add."""
    cells = (
        cell for rule in (game.scan.rules if game.scan else ()) for row in rule.rows for cell in row if cell
    )
    return {kind for cell in cells if cell.change for kind in (*cell.change.add, *cell.change.one_of)}


def appearing(game: Game, levels: Sequence[Level]) -> set[str]:
    """The kinds that can come to stand on a board: drawn, placed, picked, laid at random, or added."""
    there = {piece.kind for _, pieces in game.symbols for piece in pieces}
    there |= {piece.kind for level in levels for row in level.board for here in row for piece in here}
    there |= {scatter.kind for scatter in game.chance}
    there |= set(game.design.kinds) if game.design is not None else set()
    there |= {game.input.pick} if game.input is not None and game.input.pick is not None else set()
    classes = {group.name: group for group in game.classes}
    for effect in effects_of(game):
        if effect.verb == "add":
            there |= members(classes, effect.pattern.name)
    return there


def effects_of(game: Game) -> Iterator[Effect]:
    """What the rules of a game do."""
    for phase in (*game.turn, *game.physics):
        for group in groups_of(phase):
            yield from (effect for rule in group.rules for effect in rule.effects)
