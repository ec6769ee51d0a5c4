"""One pass of the referee: which rules match where, and what they do together.

For each cell and each piece on it (the subject) the first rule of the group that matches fires. All rules
read the same state; then all removals are made, then all additions. Rules that require nothing at their
anchor have the cell itself as their subject.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ggp.errors import IllFormed
from ggp.model import (
    OFFSETS,
    Amount,
    Asked,
    Cell,
    Compared,
    Effect,
    Game,
    Group,
    InputIs,
    Instance,
    Nearby,
    OnBoard,
    Path,
    Pattern,
    Piece,
    Rule,
    Value,
)
from ggp.model.board import (
    COMPARE,
    Action,
    Binding,
    State,
    bindings_of,
    can_have,
    cells_counted,
    matches,
    number_meant,
    turned,
    width,
)
from ggp.referee.readied import readied, subjects

NO_VARIABLES: tuple[Binding, ...] = ({},)  # the one way to choose what they stand for

Change = tuple[Cell, Piece]


class Firing(NamedTuple):
    """One rule that fires: where, for which piece (None: for the cell), turned which way, doing what."""

    rule: Rule
    anchor: Cell
    subject: Piece | None
    direction: str | None
    removed: tuple[Change, ...]
    moved: tuple[Change, ...]  # those of the removed that come back elsewhere, or turned
    added: tuple[Change, ...]


class Match(NamedTuple):
    """A rule held against one anchor: everything that its conditions and effects are read with."""

    instance: Instance
    state: State
    action: Action | None
    rule: Rule
    anchor: Cell
    subject: Piece | None
    direction: str | None
    binding: Binding

    def cell(self, path: Path) -> Cell | None:
        """The cell that a path leads to; None outside the board (a board that wraps has no outside)."""
        if not path:
            return self.anchor
        row, column = self.anchor
        for step in path:
            down, right = OFFSETS[turned(step, self.direction)]
            row, column = row + down, column + right
        board = self.instance.level.board
        rows, columns = len(board), len(board[0])
        if self.instance.game.wraps:
            return row % rows, column % columns
        return (row, column) if 0 <= row < rows and 0 <= column < columns else None

    def pieces(self, cell: Cell | None, pattern: Pattern) -> list[Piece]:
        """The pieces on a cell that match; at the anchor the subject alone, where the subject matches."""
        if cell is None:
            return []
        if cell == self.anchor and self.subject is not None and self.fits(self.subject, pattern):
            return [self.subject]
        here = self.state.board[cell[0] * width(self.instance) + cell[1]]
        fitting = [piece for piece in here if self.fits(piece, pattern)]
        return sorted(fitting, key=str) if len(fitting) > 1 else fitting

    def fits(self, piece: Piece, pattern: Pattern) -> bool:
        """Does the piece match the pattern, rule variables included?"""
        if pattern.bound and piece.kind != self.binding[pattern.name]:
            return False
        if pattern.computed is not None and piece.variant != self.number(pattern.computed):
            return False
        return matches(self.instance.game, piece, pattern, self.direction)

    def number(self, value: Value | Amount) -> int:
        """The number that a value or an amount means here."""
        return number_meant(self.instance, value, self.binding)


def run_pass(
    instance: Instance, state: State, action: Action | None, group: Group, *, looping: bool = False
) -> tuple[tuple[Firing, ...], State]:
    """The firings of one pass and the state after it; raises IllFormed where two of them collide.

    In a group that runs until nothing changes (`looping`), a firing that changes nothing is an error.
    """
    firings: list[Firing] = []
    found, told = subjects(instance, state, group), readied(instance, group)
    asked = told.asked(found, instance, state, action) if looping else found
    for index, subject in asked:
        anchor = divmod(index, width(instance))
        firing = first_firing(instance, state, action, group, anchor, subject)
        if firing is None:
            continue
        if looping and set(firing.removed) == set(firing.added):
            raise IllFormed(
                f"{firing.rule.name} at {anchor} changes nothing, in a group that runs until stable",
                "there every firing must change something",
                firing.rule.place,
            )
        firings.append(firing)
    after = apply_firings(instance, state, firings)
    changes = (cell for firing in firings for cell, _ in (*firing.removed, *firing.added))
    changed = {row * width(instance) + column for row, column in changes}
    told.follow(found, changed, after.board)
    if looping:
        fired = {firing.anchor[0] * width(instance) + firing.anchor[1] for firing in firings}
        told.note_rest(instance, state, action, asked, fired)
    return tuple(firings), after


def first_firing(
    instance: Instance, state: State, action: Action | None, group: Group, anchor: Cell, subject: Piece | None
) -> Firing | None:
    """The firing of the first rule that matches for this subject, None if none does."""
    return next(firings_of(instance, state, action, group, anchor, subject), None)


def firings_of(
    instance: Instance, state: State, action: Action | None, group: Group, anchor: Cell, subject: Piece | None
) -> Iterator[Firing]:
    """Every firing of every rule that matches for this subject, in the order of trying."""
    for rule, wanted, plain in readied(instance, group).rules:
        if (wanted is None) != (subject is None):
            continue
        for direction in directions_of(rule, subject, action):
            for binding in NO_VARIABLES if plain else bindings_of(instance, rule, direction):
                match = Match(instance, state, action, rule, anchor, subject, direction, binding)
                if wanted is not None and subject is not None and not match.fits(subject, wanted):
                    continue
                firing = fire(match)
                if firing is not None:
                    yield firing


def directions_of(rule: Rule, subject: Piece | None, action: Action | None) -> tuple[str | None, ...]:
    """The directions that a rule is turned to for this subject and input, in the order of trying."""
    if rule.toward == "none":
        return (None,)
    if rule.toward == "any":
        return rule.directions
    if rule.toward == "facing":
        return (subject.variant,) if subject is not None and isinstance(subject.variant, str) else ()
    return (action.toward,) if action is not None and action.toward is not None else ()


def fire(match: Match) -> Firing | None:
    """The firing of the rule in this match, None if a condition fails or something would leave the board."""
    for condition in match.rule.conditions:
        if not condition_holds(match, condition):
            return None
    removed: list[Change] = []
    moved: list[Change] = []
    added: list[Change] = []
    for effect in match.rule.effects:
        taken: list[Change] = []
        if not apply_effect(match, effect, taken, added):
            return None
        removed += taken
        moved += taken if effect.verb in ("move", "turn") else []
    who = (match.rule, match.anchor, match.subject, match.direction)
    return Firing(*who, tuple(removed), tuple(moved), tuple(added))


def condition_holds(match: Match, condition: Asked) -> bool:
    """Does one condition hold in this match?"""
    if isinstance(condition, InputIs):
        return input_holds(match, condition)
    if isinstance(condition, OnBoard):
        return condition.sentence.holds(match.instance, match.state)
    if isinstance(condition, Compared):
        return COMPARE[condition.comparison](match.number(condition.left), match.number(condition.right))
    if isinstance(condition, Nearby):
        held = [match.pieces(match.cell(path), condition.pattern) for path in cells_counted(condition)]
        return COMPARE[condition.comparison](sum(map(bool, held)), match.number(condition.number))
    cell = match.cell(condition.path)
    if condition.wants in ("outside", "inside") or condition.pattern is None:
        return (cell is None) == (condition.wants == "outside")
    return bool(match.pieces(cell, condition.pattern)) == (condition.wants == "present")


def input_holds(match: Match, condition: InputIs) -> bool:
    """Is the input the one that is asked for?"""
    if match.action is None:
        return False
    word, players = turned(condition.word, match.direction), match.instance.game.players
    if len(players) > 1 and word == players[match.state.mover]:
        return True
    return word in (match.action.verb, match.action.toward)


def apply_effect(match: Match, effect: Effect, removed: list[Change], added: list[Change]) -> bool:
    """Note what an effect removes and adds; False if it would add outside the board, or what there cannot be.

    Where the effect is to be left out there, it does nothing instead.
    """
    source = match.cell(effect.path)
    variant = turned(effect.variant, match.direction) if isinstance(effect.variant, str) else effect.variant
    made = effect.computed if effect.verb != "add" else effect.pattern.computed
    if made is not None:
        variant = match.number(made)
        if not can_have(match.instance, effect.pattern, variant, match.direction, match.binding):
            return False
    if effect.verb == "add":
        if source is None:
            return effect.if_inside
        added.append((source, added_piece(match, effect.pattern)))
        return True
    target = match.cell(effect.to) if effect.to is not None else source
    if target is None and effect.verb != "remove":
        return effect.if_inside
    for piece in match.pieces(source, effect.pattern):
        if source is not None:
            removed.append((source, piece))
        if effect.verb != "remove" and target is not None:
            added.append((target, Piece(piece.kind, piece.variant if variant is None else variant)))
    return True


def added_piece(match: Match, pattern: Pattern) -> Piece:
    """The piece that `add` means: a kind by name or by rule variable, with its variant."""
    kind = match.binding[pattern.name] if pattern.bound else pattern.name
    variant = pattern.variant if pattern.computed is None else match.number(pattern.computed)
    return Piece(kind, turned(variant, match.direction) if isinstance(variant, str) else variant)


# --- all firings of a pass together ----------------------------------------------------------------------


def apply_firings(instance: Instance, state: State, firings: list[Firing]) -> State:
    """Make all removals, then all additions; raises IllFormed where two firings collide."""
    if not firings:
        return State(state.board, state.mover)
    exempt, layer = sharing(instance.game)
    check_removals(firings, exempt)
    columns = width(instance)
    board = list(state.board)
    for firing in firings:
        for (row, column), piece in firing.removed:
            board[row * columns + column] -= {piece}
    adder: dict[Change, Firing] = {}
    for firing in firings:
        for cell, piece in firing.added:
            here = board[cell[0] * columns + cell[1]]
            for other in here:
                clash = layer[other.kind] == layer[piece.kind] and not {other.kind, piece.kind} <= exempt
                if clash:
                    raise collision(firing, piece, cell, other, adder.get((cell, other)))
            board[cell[0] * columns + cell[1]] = here | {piece}
            adder[cell, piece] = firing
    return State(tuple(board), state.mover)


def sharing(game: Game) -> tuple[set[str], dict[str, str]]:
    """The kinds that do not mind others of the kind, and the layer of each."""
    known: tuple[set[str], dict[str, str]] | None = game.kept.get("sharing")
    if known is None:
        exempt = {kind.name for kind in game.kinds if kind.merge or kind.marker}
        known = game.kept["sharing"] = exempt, {kind.name: kind.layer for kind in game.kinds}
    return known


def check_removals(firings: list[Firing], exempt: set[str]) -> None:
    """Raise IllFormed where one thing is removed by two firings of which any moves it."""
    taken: dict[Change, Firing] = {}
    for firing in firings:
        for change in firing.removed:
            other = taken.setdefault(change, firing)
            moved = change in firing.moved or change in other.moved
            if other is not firing and moved and change[1].kind not in exempt:
                raise collision(firing, change[1], change[0], change[1], other)


def collision(firing: Firing, piece: Piece, cell: Cell, other: Piece, by: Firing | None) -> IllFormed:
    """The error that names both rules and the cell."""
    first = f"rule {by.rule.name} (from {by.anchor})" if by is not None else f"{other}, which stays"
    return IllFormed(
        f"rule {firing.rule.name} (from {firing.anchor}) collides at {cell} over {piece} with {first}",
        "split the group by direction, mark what has moved, or declare the kind `merge`",
        firing.rule.place,
    )
