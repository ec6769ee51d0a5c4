"""Looks for rules that can collide, by trying them on the smallest boards that set them off.

For two rules of a group that may put something on one cell, a board is made that holds what both require
and nothing else; for one rule, a board with something already standing where it puts. The referee then
plays one pass. What it refuses is a collision that can happen on some map: a warning, because the levels
of the game may never come to it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from ggp.errors import Finding, IllFormed
from ggp.language.maps import symbols_of
from ggp.language.validate.numbers import most_of_kinds
from ggp.language.validate.rule_pictures import RuleContext, offset
from ggp.model import (
    DIRECTIONS,
    Cell,
    Condition,
    Effect,
    Game,
    Group,
    InputIs,
    Instance,
    Level,
    Piece,
    Rule,
    groups_of,
)
from ggp.model.board import Action, Binding, State, bindings_of, kinds_of, turned
from ggp.model.pieces import amounts_of_rules, values_told_in
from ggp.referee.inputs import all_actions
from ggp.referee.passes import run_pass

if TYPE_CHECKING:
    from ggp.language.validate.exclusions import FindModel

MOST_SCENES = 2000  # of a game: a pass on a small board takes about a millisecond
MOST_BINDINGS = 3  # choices of kinds for the variables of one rule

Pieces = Mapping[Cell, frozenset[Piece]]


class Turned(NamedTuple):
    """A rule turned to a direction: the pieces it requires, the words of its input, where it puts what."""

    needs: Pieces
    words: frozenset[str]
    puts: tuple[tuple[Cell, str], ...]  # cell and layer
    name: str


class Scene(NamedTuple):
    """A small board and an input, of the player with that number."""

    pieces: Pieces
    action: Action | None
    rules: tuple[str, ...]
    mover: int = 0


def collision_findings(game: Game, find_model: FindModel | None = None) -> Iterator[Finding]:
    """A warning for each pair of rules that collide on some map. The game must have no errors.

    None of a group of which `ggp.language.validate.exclusions` proves that the groups before it let nothing
    collide; without `find_model` nothing is proved.
    """
    tried = 0
    for phase in (*game.turn, *game.physics):
        for group in groups_of(phase):
            if group.draw is not None:
                continue
            found: set[tuple[str, ...]] = set()
            for scene in scenes(game, group) if not hangs_on_level(game, group) else ():
                if scene.rules in found or too_many(game, scene):
                    continue
                tried += 1
                if tried > MOST_SCENES:
                    return
                finding = play(game, group, scene)
                first = finding is not None and not found
                if first and find_model is not None and excluded(game, group, find_model):
                    break
                if finding is not None:
                    found.add(scene.rules)
                    yield finding


def excluded(game: Game, group: Group, find_model: FindModel) -> bool:
    """Is it proved that no two firings of a group collide? What proves it is loaded for those that might."""
    from ggp.language.validate.exclusions import never_collides

    return never_collides(game, group, find_model)


def hangs_on_level(game: Game, group: Group) -> bool:
    """Must a level's numbers be known to say what the rules of a group mean?"""
    alone = replace(game, turn=(group,), physics=())
    parts = (part for rule in group.rules for part in (*rule.conditions, *rule.effects))
    reckons = any(values_told_in(part) for part in parts)
    ranged = any(isinstance(bound, str) for kind in game.kinds for bound in kind.values or ())
    return reckons and ranged or any(isinstance(number, str) for number in amounts_of_rules(alone))


def scenes(game: Game, group: Group) -> Iterator[Scene]:
    """Boards on which rules of the group may collide."""
    turns = [turn for rule in group.rules for turn in turns_of(game, rule)]
    for index, one in enumerate(turns):
        for cell, layer in one.puts:
            for kind in game.kinds:
                if kind.layer == layer and not kind.merge and not kind.marker:
                    standing = {cell: frozenset({Piece(kind.name, first_variant(game, kind.name))})}
                    yield from scene(game, one.needs, standing, one.words, (one.name, kind.name))
            for other in turns[: index + 1]:
                for other_cell, other_layer in other.puts:
                    if other_layer == layer and words_agree(game, one.words, other.words):
                        names = (other.name, one.name)
                        moved = shifted(other.needs, (cell[0] - other_cell[0], cell[1] - other_cell[1]))
                        yield from scene(game, one.needs, moved, one.words | other.words, names)


def turns_of(game: Game, rule: Rule) -> Iterator[Turned]:
    """A rule in each direction, and for a few choices of its variables."""
    context = RuleContext(game, rule)
    if any(isinstance(c, Condition) and c.wants == "outside" for c in rule.conditions):
        return  # the small boards have no edge near the anchor
    level = Level("scene", ((frozenset(),),))
    for direction in context.rule_directions():
        for binding in islice(bindings_of(Instance(game, level), rule, direction), MOST_BINDINGS):
            needs = required(context, direction, binding)
            if needs is not None:
                words = {turned(c.word, direction) for c in rule.conditions if isinstance(c, InputIs)}
                words |= {direction} if rule.toward == "input" and direction is not None else set()
                putting = [effect for effect in rule.effects if effect.verb in ("add", "move")]
                puts = [puts_of(context, effect, direction, binding) for effect in putting]
                yield Turned(needs, frozenset(words), tuple(p for p in puts if p is not None), rule.name)


def puts_of(
    context: RuleContext, effect: Effect, direction: str | None, binding: Binding
) -> tuple[Cell, str] | None:
    """Where an effect puts something and on which layer; None where that may share its place."""
    names = kinds_of(context.game, effect.pattern.name, direction)
    name = binding[effect.pattern.name] if effect.pattern.bound else next(iter(names), None)
    if name is None or context.kinds[name].merge or context.kinds[name].marker:
        return None
    return offset(effect.path if effect.to is None else effect.to, direction), context.kinds[name].layer


def required(context: RuleContext, direction: str | None, binding: Binding) -> Pieces | None:
    """The pieces that a rule requires, the first kind of each class; None if it cannot be told."""
    needs: dict[Cell, frozenset[Piece]] = {}
    facing = context.rule.toward == "facing"
    for condition in context.rule.conditions:
        if not isinstance(condition, Condition) or condition.wants != "present" or condition.pattern is None:
            continue
        pattern = condition.pattern
        names = kinds_of(context.game, pattern.name, direction)
        name = binding[pattern.name] if pattern.bound else next(iter(names), None)
        if name is None:
            return None
        variant = turned(pattern.variant, direction) if isinstance(pattern.variant, str) else pattern.variant
        if pattern.computed is not None:
            variant = binding[f"${pattern.computed.name}"] + pattern.computed.plus
        if variant is None:
            variant = first_variant(context.game, name)
            if facing and not condition.path and direction in context.kinds[name].facings:
                variant = direction
            facing = facing and bool(condition.path)
        where = offset(condition.path, direction)
        if not any(piece.kind == name for piece in needs.get(where, ())):
            needs[where] = needs.get(where, frozenset()) | {Piece(name, variant)}
    return needs


def first_variant(game: Game, name: str) -> str | int | None:
    """Some variant of a kind."""
    kind = next(kind for kind in game.kinds if kind.name == name)
    if kind.values is not None:
        return kind.values[0] if isinstance(kind.values[0], int) else 1
    return kind.facings[0] if kind.facings else None


def shifted(pieces: Pieces, by: Cell) -> Pieces:
    """The same pieces elsewhere."""
    return {(row + by[0], column + by[1]): here for (row, column), here in pieces.items()}


def words_agree(game: Game, one: frozenset[str], other: frozenset[str]) -> bool:
    """Can one input have all these words, and be one player's?"""
    both = one | other
    return len(both - {"pick", *game.players}) <= 1 and len(both.intersection(game.players)) <= 1


def scene(
    game: Game, one: Pieces, other: Pieces, words: frozenset[str], rules: tuple[str, ...]
) -> Iterator[Scene]:
    """The board that holds both, if things of one layer do not stand on each other in it."""
    both: dict[Cell, frozenset[Piece]] = dict(one)
    for cell, here in other.items():
        both[cell] = both.get(cell, frozenset()) | here
    layer = {kind.name: kind.layer for kind in game.kinds}
    sound = all(len({layer[piece.kind] for piece in here}) == len(here) for here in both.values())
    if sound and words_agree(game, words, words) and may_point(game, words):
        mover = next((number for number, name in enumerate(game.players) if name in words), 0)
        action = action_of(words.difference(game.players))
        if action is None and words and game.input is not None:  # only whose it is was asked
            action = next(iter(all_actions(Instance(game, Level("scene", ((frozenset(),),))))), None)
        yield Scene(both, action, rules, mover)


def may_point(game: Game, words: frozenset[str]) -> bool:
    """Is there an input with the direction that is among these words, if there is one?"""
    declared = game.input
    if declared is None or not words.intersection(DIRECTIONS):
        return declared is not None or not words
    picked = next((kind.facings for kind in game.kinds if kind.name == declared.pick), ())
    return bool(words.intersection((*declared.moves, *picked), DIRECTIONS))


def action_of(words: frozenset[str]) -> Action | None:
    """An input that has these words."""
    direction = next((word for word in words if word in DIRECTIONS), None)
    if "pick" in words:
        return Action("pick", (0, 0), direction)
    word = next(iter(words), None)
    return Action(word) if word is not None else None


def too_many(game: Game, scene: Scene) -> bool:
    """Does a scene hold more of a kind than there ever are?"""
    held = Counter(piece.kind for here in scene.pieces.values() for piece in here)
    return any(held[name] > most for name, most in most_of_kinds(game).items())


def play(game: Game, group: Group, scene: Scene) -> Finding | None:
    """Run one pass on a scene; a warning if the referee refuses it."""
    rows = [row for row, _ in scene.pieces] or [0]
    columns = [column for _, column in scene.pieces] or [0]
    # Two cells round it, so that nothing is at the edge.
    top, left = min(rows) - 2, min(columns) - 2
    board = tuple(
        tuple(scene.pieces.get((row, column), frozenset()) for column in range(left, max(columns) + 3))
        for row in range(top, max(rows) + 3)
    )
    instance = Instance(game, Level("scene", board))
    try:
        run_pass(
            instance, State(tuple(here for line in board for here in line), scene.mover), scene.action, group
        )
    except IllFormed as error:
        first = error.findings[0]
        where = f" when the input is {scene.action.verb}" if scene.action is not None else ""
        message = f"on some map, {first.message}{where}"
        return Finding(message, f"{first.remedy}; the map: {drawn(game, board)}", first.place, "warning")
    return None


def drawn(game: Game, board: tuple[tuple[frozenset[Piece], ...], ...]) -> str:
    """A small board on one line, rows between bars."""
    symbols: dict[frozenset[Piece], str] = {}
    for symbol, pieces in symbols_of(game).items():
        symbols.setdefault(pieces, symbol)
    rows = ("".join(symbols.get(here, "?") for here in row) for row in board)
    return f"|{'|'.join(rows)}|"
