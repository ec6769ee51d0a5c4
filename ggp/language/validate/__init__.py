"""Says what is wrong with a game and its levels before anything runs them.

The promise: what passes here without an error never crashes later. What still can happen in a run is what
nobody can know beforehand: two rules that collide, and a loop that never comes to rest. Warnings are about
what works and is probably not meant.

Names are judged first, because everything else relies on them; rules are judged in
`ggp.language.validate.rules`, levels in `ggp.language.validate.levels`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from itertools import chain, islice

from ggp.errors import MOST_FINDINGS, Finding, Place
from ggp.language.maps import LocateCell
from ggp.language.validate.levels import level_findings
from ggp.language.validate.rules import RuleChecker, group_findings, variant_findings
from ggp.language.validate.rules import patterns_of as patterns_of_rule
from ggp.language.validate.unused import effects_of, unused
from ggp.model import (
    DIRECTIONS,
    RELATIVE,
    Block,
    Class,
    Design,
    Game,
    Group,
    Input,
    InputIs,
    Kind,
    Level,
    Pattern,
    Rule,
    Term,
    groups_of,
    scoring,
)
from ggp.model.pieces import depends_on_direction, members, piece_fault
from ggp.model.words import NAME, STEPS, name_fault, near_or_known

__all__ = ["findings", "game_findings", "level_findings"]

MOST_NAMES = 500  # kinds, and classes; each is looked at with all that it holds
MOST_AT_ONCE = 4  # players who move at the same time
VERB = re.compile(r"[a-z][a-z0-9-]*")  # what `ggp.referee.inputs.parse_action` reads


def findings(
    game: Game, levels: Iterable[Level] = (), cells: Mapping[str, LocateCell] | None = None
) -> tuple[Finding, ...]:
    """Everything there is to say about a game and its levels: errors, then warnings.

    `cells` gives for a level's name the function that places a cell of its map in the file.
    """
    levels = tuple(levels)
    found = list(game_findings(game))
    if not any(finding.severity == "error" for finding in found):
        for level in levels:
            found += level_findings(game, level, (cells or {}).get(level.name))
    for name, times in Counter(level.name for level in levels).items():
        if times > 1:
            found.append(Finding(f"{times} levels are called {name!r}", "rename them", game.place))
    found += unused(game, levels)
    return tuple(sorted(found, key=lambda finding: finding.severity))


def game_findings(game: Game) -> Iterator[Finding]:
    """What there is to say about a game, its levels apart. Stops early where names mean nothing."""
    checker = Checker(game)
    crowded = list(checker.too_many())
    yield from crowded
    if crowded:
        return
    judged = chain(checker.kinds_and_classes(), checker.symbols(), checker.deciding(), checker.ending())
    # More than are shown need not be found: each may be a search for the name that was meant.
    names = list(islice(chain(judged, checker.objectives()), 2 * MOST_FINDINGS))
    yield from names
    if not any(finding.severity == "error" for finding in names):
        yield from checker.rules()


class Checker:
    """Judges the parts of one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kinds: Mapping[str, Kind] = {kind.name: kind for kind in game.kinds}
        self.classes: Mapping[str, Class] = {group.name: group for group in game.classes}

    def unknown(self, name: str, place: Place | None) -> Iterator[Finding]:
        """An error if there is no kind and no class of that name."""
        if name not in self.kinds and name not in self.classes:
            remedy = near_or_known(name, (*self.kinds, *self.classes))
            yield Finding(f"there is no kind or class `{name[:60]}`", remedy, place)

    def directionless(self, name: str, place: Place | None) -> Iterator[Finding]:
        """An error if the name is unknown, or a class that depends on the direction where there is none."""
        yield from self.unknown(name, place)
        if depends_on_direction(self.classes, name):
            message = f"`{name}` depends on the direction, and nothing here has a direction"
            yield Finding(message, "name a class with the same members in all directions", place)

    def too_many(self) -> Iterator[Finding]:
        """Errors where there are so many kinds or classes that to judge them would take long."""
        for what, found in (("kinds", self.game.kinds), ("classes", self.game.classes)):
            if len(found) > MOST_NAMES:
                message = f"the game has {len(found):,} {what}; there may be {MOST_NAMES}"
                yield Finding(message, "name fewer", self.game.place)

    # --- names ------------------------------------------------------------------------------------------

    def kinds_and_classes(self) -> Iterator[Finding]:
        if not self.kinds:
            yield Finding("the game has no kinds", "declare what can stand in a cell", self.game.place)
        named: list[Kind | Class] = [*self.game.kinds, *self.game.classes]
        for what in named:
            fault = name_fault(what.name)
            if fault:
                yield Finding(*fault, what.place)
        for name, times in Counter(what.name for what in named).items():
            if times > 1:
                yield Finding(f"{times} kinds or classes are called `{name}`", "rename them", self.game.place)
        for kind in self.game.kinds:
            yield from self.kind(kind)
        for group in self.game.classes:
            for member in (*group.members, *(name for _, inner in group.by_direction for name in inner)):
                yield from self.unknown(member, group.place)
            if self.loops(group.name):
                yield Finding(f"the class `{group.name}` contains itself", "take the loop out", group.place)
            elif not members(self.classes, group.name):
                yield Finding(f"the class `{group.name}` has no members", "", group.place, "warning")

    def kind(self, kind: Kind) -> Iterator[Finding]:
        if kind.facings and kind.values is not None:
            yield Finding(f"`{kind.name}` cannot have both facings and values", "make two kinds", kind.place)
        for facing in kind.facings:
            if facing not in DIRECTIONS or kind.facings.count(facing) > 1:
                remedy = f"facings are among {', '.join(DIRECTIONS)}, each once"
                yield Finding(f"`{kind.name}` cannot face `{facing}`", remedy, kind.place)

    def loops(self, name: str) -> bool:
        """Does a class contain itself?"""
        todo, seen = [name], set[str]()
        while todo:
            group = self.classes.get(todo.pop())
            if group is None:
                continue
            inner = [*group.members, *(word for _, part in group.by_direction for word in part)]
            if name in inner:
                return True
            todo += [word for word in inner if word not in seen]
            seen.update(inner)
        return False

    def symbols(self) -> Iterator[Finding]:
        for symbol, pieces in self.game.symbols:
            place = self.game.place
            if len(symbol) != 1 or symbol < " ":
                yield Finding(f"{symbol!r} is not one character that can stand in a map", "", place)
            for piece in pieces:
                fault = piece_fault(self.kinds, piece)
                if fault:
                    yield Finding(*fault, place)
                elif self.kinds[piece.kind].marker:
                    message = f"the symbol {symbol!r} holds `{piece}`, a marker"
                    yield Finding(message, "take it out: markers last one turn only", place)

    # --- what the player and chance decide --------------------------------------------------------------

    def deciding(self) -> Iterator[Finding]:
        game = self.game
        yield from self.design()
        yield from self.input()
        for scatter in game.chance:
            if scatter.kind not in self.kinds:
                remedy = near_or_known(scatter.kind, self.kinds)
                yield Finding(f"there is no kind `{scatter.kind}` to lay at random", remedy, scatter.place)
            else:
                fault = piece_fault(self.kinds, scatter.piece)
                if fault:
                    yield Finding(*fault, scatter.place)
                if self.kinds[scatter.kind].marker:
                    remedy = "lay a kind that stays"
                    yield Finding(f"`{scatter.kind}` is a marker: it would vanish", remedy, scatter.place)
            for name in scatter.free_of:
                yield from self.directionless(name, scatter.place)
            if scatter.when == "first-turn" and game.input is None:
                yield Finding("there is no turn with an input", "leave `when` out", scatter.place)
        for kind in game.kinds:
            if isinstance(kind.hidden, str):
                yield from self.directionless(kind.hidden, kind.place)
        yield from self.players()

    def players(self) -> Iterator[Finding]:
        """Names of their own, that no input has; what is said of turns only makes sense for several."""
        names, given = self.game.players, self.game.input
        if not names or len(set(names)) != len(names):
            yield Finding("each player needs a name of their own", "", self.game.place)
        for name in names if len(names) > 1 else ():
            if not NAME.fullmatch(name) or name in {*STEPS, "wait", "pick", *(given.verbs if given else ())}:
                message = f"a player cannot be called {name[:60]!r}: rules ask for it as for an input"
                yield Finding(message, "take a name that no input has", self.game.place)
        if given is None:
            return
        if len(names) == 1 and (given.again is not None or given.stuck != "draws"):
            message = "`again` and `stuck` are for several players who take turns"
            yield Finding(message, 'take it out, or add `players = ["a", "b"]`', given.place)
        if given.simultaneous:
            yield from self.simultaneous(given)
        again = self.kinds.get(given.again) if given.again is not None else None
        if given.again is not None and (again is None or not again.marker):
            remedy = near_or_known(given.again, [kind.name for kind in self.game.kinds if kind.marker])
            yield Finding(f"there is no marker `{given.again[:60]}`", remedy, given.place)

    def simultaneous(self, given: Input) -> Iterator[Finding]:
        """What does not go together with players who move at the same time."""
        said = "where players move at the same time"
        if not 2 <= len(self.game.players) <= MOST_AT_ONCE:
            message = f"`simultaneous` is for 2 to {MOST_AT_ONCE} players"
            yield Finding(message, 'name them at the top: `players = ["a", "b"]`', given.place)
        if given.again is not None:
            yield Finding(f"`again` means nothing {said}", "take it out", given.place)
        if given.stuck == "passes":
            yield Finding(f"nobody passes {said}", "let them `wait`", given.place)
        if self.game.goal.lose:
            remedy = "say under `win` who wins by it"
            yield Finding(f"`lose` means nothing {said}", remedy, self.game.goal.place)
        for group in (group for phase in self.game.physics for group in groups_of(phase)):
            asks = (c.place for rule in group.rules for c in rule.conditions if isinstance(c, InputIs))
            for place in (*asks, *(rule.place for rule in group.rules if rule.toward == "input")):
                message = f"physics is everybody's {said}, and asks for the input of one"
                remedy = "ask under [[turn]], and leave a marker"
                yield Finding(message, remedy, place)

    def design(self) -> Iterator[Finding]:
        design = self.game.design
        if design is None:
            return
        place = design.place_in_file
        for name in design.free_of:
            yield from self.directionless(name, place)
        for index, name in enumerate(design.kinds):
            kind = self.kinds.get(name)
            if name in design.kinds[:index]:
                yield Finding(f"`{name[:60]}` is placed twice", "name each kind once", place)
            elif kind is not None:
                yield from self.placed(kind, design)
            else:
                remedy = near_or_known(name, self.kinds)
                if name in self.classes:
                    remedy = f"`{name}` is a class: name its kinds"
                yield Finding(f"there is no kind `{name[:60]}` to place", remedy, place)
        if not design.kinds:
            yield Finding("nothing is placed", 'name a kind: `place = "brick"`', place)
        if design.fill and design.amounts:
            yield Finding("`limit` means nothing with `fill`", "take one of them out", place)
        if design.fill and len(design.kinds) > 1:
            message = "a design that fills every free cell places one kind"
            yield Finding(message, "give that kind values, or take `fill` out", place)

    def placed(self, kind: Kind, design: Design) -> Iterator[Finding]:
        """What is wrong with a kind that the design places."""
        place = design.place_in_file
        if kind.values is not None and len(design.kinds) > 1:
            message = f"`{kind.name}` has values, and the design places other kinds, too"
            yield Finding(message, "place it alone, or make kinds of its values", place)
        if kind.marker:
            message = f"`{kind.name}` is a marker and cannot be placed: markers last one turn only"
            yield Finding(message, "take `marker` out", place)
        kept_free = {name for word in design.free_of for name in members(self.classes, word)}
        for other in self.game.kinds:
            shares = kind.merge and other.merge
            if other.layer == kind.layer and other.name not in kept_free and not other.marker and not shares:
                message = f"`{kind.name}` could be placed on `{other.name}`, which is on the same layer"
                yield Finding(message, f'add "{other.name}" to `free-of`', place)

    def input(self) -> Iterator[Finding]:
        given = self.game.input
        if given is None:
            if self.game.turn:
                message = "there are rules under [[turn]], but no [input] that could set them off"
                yield Finding(message, "add `[input]`, or write [[physics]]", self.game.place)
            return
        if not given.moves and not given.verbs and given.pick is None:
            remedy = "add `moves`, `verbs` or `pick`"
            yield Finding("[input] gives the player nothing to do", remedy, given.place)
        for word in given.moves:
            if word not in DIRECTIONS:
                yield Finding(f"`{word}` cannot be a move", near_or_known(word, DIRECTIONS), given.place)
        taken = {*DIRECTIONS, *RELATIVE, "wait", "pick"}
        for word in given.verbs:
            if not VERB.fullmatch(word) or word in taken or given.verbs.count(word) > 1:
                remedy = "a verb is a word of small letters of its own, such as `action`"
                yield Finding(f"{word[:60]!r} cannot be a verb", remedy, given.place)
        if given.pick is not None and given.pick not in self.kinds:
            remedy = near_or_known(given.pick, self.kinds)
            yield Finding(f"there is no kind `{given.pick[:60]}` to mark a picked cell", remedy, given.place)
        elif given.pick is not None and not self.kinds[given.pick].marker:
            message = f"`{given.pick}` marks the picked cell, and is not a marker"
            yield Finding(message, f"add `marker = true` to `{given.pick}`", given.place)

    # --- the end ----------------------------------------------------------------------------------------

    def ending(self) -> Iterator[Finding]:
        goal = self.game.goal
        lacks = bool(goal.own) and not all(goal.own)
        if lacks or (not goal.terms and not goal.own and not (goal.lose and len(self.game.players) > 1)):
            whose = next(
                (n for n, own in zip(self.game.players, goal.own, strict=False) if not own), "the game"
            )
            remedy = f'add `win = ["{f"{whose}: " if lacks else ""}..."]` under [goal]'
            yield Finding(f"{whose} has no goal", remedy, goal.place or self.game.place)
        for term in goal.every_term:
            place = getattr(term, "place", None) or goal.place
            for pattern in patterns_of(term):
                yield from self.goal_pattern(pattern, place)
            if hasattr(term, "rule"):  # its conditions are those of rules
                yield from self.conditions(term.rule())
            kind = getattr(term, "kind", None)
            if isinstance(kind, str):
                yield from self.directionless(kind, place)
            if hasattr(term, "on_map"):
                yield from self.changing(term.word, term.on_map(), place)

    def changing(self, word: str, read: Iterable[Pattern], place: Place | None) -> Iterator[Finding]:
        """Kinds that a goal word reads off the map, though the board may have others by then."""
        changed = set(self.game.design.kinds) if self.game.design is not None else set[str]()
        changed |= {scatter.kind for scatter in self.game.chance}
        for effect in effects_of(self.game):
            changed |= members(self.classes, effect.pattern.name)
        for pattern in read:
            for name in sorted(changed & members(self.classes, pattern.name)):
                message = f"`{word}` reads `{pattern.name}` off the map, and `{name}` does not stay"
                remedy = "ask it about what stays where the map has it"
                yield Finding(f"{message} as the map has it", remedy, place)

    def conditions(self, rule: Rule) -> Iterator[Finding]:
        """What is wrong with the conditions of a goal, written as a rule."""
        for pattern, part in patterns_of_rule(rule):
            yield from self.directionless(pattern.name, part.place)
        yield from RuleChecker(self.game, rule).words() if rule.conditions else ()

    def goal_pattern(self, pattern: Pattern, place: Place | None) -> Iterator[Finding]:
        unknown = list(self.directionless(pattern.name, place))
        yield from unknown
        if pattern.bound:
            message = f"`${pattern.name}` is a rule variable, which means nothing in a goal"
            yield Finding(message, f"write `{pattern.name}`", place)
        if unknown:
            return
        kinds = [self.kinds[name] for name in members(self.classes, pattern.name) if name in self.kinds]
        yield from variant_findings(pattern, kinds, None, place)
        if kinds and all(kind.marker for kind in kinds):
            message = f"`{pattern.name}` is a marker: it is gone when the goal is judged"
            yield Finding(message, "use a kind that stays", place, "warning")

    def objectives(self) -> Iterator[Finding]:
        for objective in self.game.objectives:
            if objective.counts == "moves":
                yield from self.directionless(str(objective.kind or ""), objective.place)
            if objective.counts == "placements" and self.game.design is None:
                message = "this objective counts placements, and the game has no [design]"
                yield Finding(message, "take it out", objective.place)
            if objective.counts == "score" and not scoring((*self.game.turn, *self.game.physics)):
                message = "this objective is the score, and no rule says `score`"
                remedy = "say at the end of a rule what it is worth: `score 1`"
                yield Finding(message, remedy, objective.place)

    # --- rules ------------------------------------------------------------------------------------------

    def rules(self) -> Iterator[Finding]:
        for section, phases in (("turn", self.game.turn), ("physics", self.game.physics)):
            for phase in phases:
                groups: Sequence[Group] = groups_of(phase)
                if not groups:
                    yield Finding("this block has no groups", "add `[[physics.group]]`", phase.place)
                if isinstance(phase.bound, int) and phase.bound < 1:
                    yield Finding(f"the bound is {phase.bound}", "write 1 or more", phase.place)
                for group in groups:
                    looping = isinstance(phase, Block) or group.bound is not None
                    yield from group_findings(self.game, group, section, looping=looping)


def patterns_of(term: Term) -> Iterator[Pattern]:
    """The patterns that a goal term speaks of, those in its conditions apart."""
    for part in fields(term):  # type: ignore[arg-type]
        value = getattr(term, part.name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, Pattern):
                yield item
