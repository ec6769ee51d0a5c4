"""Rules that the border of a board keeps from firing, as far as maps show it.

A rule that would put something outside the board does not match. That is meant where something moves, and
easily overlooked where something is added besides: `add lamp up` keeps all of a rule from the first row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from ggp.errors import Finding
from ggp.language.validate.rule_pictures import RuleContext, offset
from ggp.model import Cell, Condition, Effect, Game, Group, Level, Rule, groups_of
from ggp.model.board import kinds_of, subject_pattern
from ggp.model.pieces import members


def border_findings(game: Game, levels: Sequence[Level]) -> Iterator[Finding]:
    """A warning for each rule that fits nowhere on a level, or that an addition keeps from a border."""
    if game.wraps:
        return
    fixed = standing(game)
    for rule in (rule for group in groups(game) for rule in group.rules):
        turns = [Reach(RuleContext(game, rule), direction) for direction in directions(game, rule)]
        for level in levels if turns else ():
            if not any(turn.fits(level, cell) for turn in turns for cell in cells(level)):
                message = f"rule {rule.name} can fire nowhere on the level {level.name}: its cells do not fit"
                yield Finding(message, "a larger map, or another rule", level.place or rule.place, "warning")
        found = next(kept_away(turns, levels, fixed), None)
        if found is not None:
            yield found


def groups(game: Game) -> Iterator[Group]:
    """Every group of rules."""
    for phase in (*game.turn, *game.physics):
        yield from groups_of(phase)


def directions(game: Game, rule: Rule) -> tuple[str | None, ...]:
    """The directions that a rule is turned to."""
    return RuleContext(game, rule).rule_directions()


def cells(level: Level) -> Iterator[Cell]:
    """Every cell of a level."""
    return product(range(len(level.board)), range(len(level.board[0])))


def standing(game: Game) -> frozenset[str]:
    """The kinds that no rule takes away, so that where they stand nothing else of their layer ever does."""
    classes = {group.name: group for group in game.classes}
    taken = {
        name
        for group in groups(game)
        for rule in group.rules
        for effect in rule.effects
        if effect.verb != "add"
        for name in members(classes, effect.pattern.name)
    }
    return frozenset(kind.name for kind in game.kinds if kind.name not in taken and not kind.merge)


class Reach:
    """A rule turned to one direction: which cells must be on the board, and which may not be."""

    def __init__(self, context: RuleContext, direction: str | None) -> None:
        self.context, self.rule, self.direction = context, context.rule, direction
        asked = [
            (offset(one.path, direction), one) for one in self.rule.conditions if isinstance(one, Condition)
        ]
        self.inside = {(0, 0)} | {where for where, one in asked if one.wants in ("present", "inside")}
        self.outside = {where for where, one in asked if one.wants == "outside"}
        moving = [effect for effect in self.rule.effects if effect.verb in ("move", "turn")]
        self.moved = {self.target(effect) for effect in moving if not effect.if_inside}
        adding = [effect for effect in self.rule.effects if effect.verb == "add" and not effect.if_inside]
        known = self.inside | self.moved
        self.added = [(self.target(effect), effect) for effect in adding if self.target(effect) not in known]

    def target(self, effect: Effect) -> Cell:
        """Where an effect puts something."""
        return offset(effect.path if effect.to is None else effect.to, self.direction)

    def fits(self, level: Level, anchor: Cell, *, adding: bool = True) -> bool:
        """Are all cells that must be on the board on it, and the others not? Additions count if asked to."""
        wanted = self.inside | self.moved | ({where for where, _ in self.added} if adding else set())
        return all(on(level, anchor, where) for where in wanted) and not any(
            on(level, anchor, where) for where in self.outside
        )

    def may_stand(self, level: Level, anchor: Cell, fixed: frozenset[str]) -> bool:
        """Could the subject of the rule ever stand there?"""
        subject = subject_pattern(self.rule)
        if subject is None:
            return True
        layers = {
            self.context.kinds[n].layer for n in kinds_of(self.context.game, subject.name, self.direction)
        }
        here = level.board[anchor[0]][anchor[1]]
        closed = {self.context.kinds[p.kind].layer for p in here if p.kind in fixed}
        names = set(kinds_of(self.context.game, subject.name, self.direction))
        return not layers <= closed or any(piece.kind in names for piece in here)


def on(level: Level, anchor: Cell, where: Cell) -> bool:
    """Is the cell so far from the anchor on the board?"""
    row, column = anchor[0] + where[0], anchor[1] + where[1]
    return 0 <= row < len(level.board) and 0 <= column < len(level.board[0])


def kept_away(turns: Sequence[Reach], levels: Sequence[Level], fixed: frozenset[str]) -> Iterator[Finding]:
    """A warning for each addition that alone keeps a rule from a cell where it could fire."""
    for turn, level in product(turns, levels):
        for cell in cells(level) if turn.added else ():
            if not turn.fits(level, cell, adding=False) or not turn.may_stand(level, cell, fixed):
                continue
            lost = [(where, effect) for where, effect in turn.added if not on(level, cell, where)]
            for _, effect in lost[:1] if len(lost) < len(turn.rule.effects) else ():
                said = f"`add {effect.pattern.name} {'.'.join(effect.path)}`"
                message = f"{said} would be outside at {cell} of {level.name}, so the rule never fires there"
                remedy = "leave it out there with `if inside` after it, or ask for `inside` if that is meant"
                yield turn.context.fault(message, remedy, effect, "warning")
