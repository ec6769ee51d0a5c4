"""What a game needs, computed by one walk over its description; what a backend can do stands on the backend.

`needs(instance)` visits every value of the model. A value of a type that is not in `OF_TYPE` is an error,
so that nothing new in the model can slip past. A backend lists what it supports; one `<=` decides, and a
refusal names each missing feature with its place.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from ggp import registry
from ggp.errors import Finding, Place, UnsupportedFeature
from ggp.model import (
    Block,
    Class,
    Compared,
    Condition,
    Design,
    Effect,
    Game,
    Goal,
    Group,
    Input,
    InputIs,
    Instance,
    Kind,
    Known,
    Level,
    Nearby,
    Objective,
    OnBoard,
    Pattern,
    Piece,
    Plan,
    Rule,
    Scatter,
    Value,
    groups_of,
)
from ggp.model.scan import Scan, ScanRule

FEATURES: dict[str, str] = {
    "design": "placing pieces before the run",
    "fill": "a design that fills every free cell",
    "design-of-kinds": "a design of several kinds",
    "avoiding": "free cells on which nothing may be placed",
    "moving-design": "placed pieces that rules move, add or remove",
    "fill-and-physics": "a design that fills every free cell, and then a run",
    "late-words": "goal words that are judged at the end of a run only",
    "design-and-input": "placing pieces before a run with inputs",
    "moves": "an input each turn",
    "verbs": "inputs without a direction",
    "picks": "inputs that pick a cell",
    "waiting": "turns that change nothing",
    "physics": "things that happen by themselves",
    "loops": "rules that run until nothing changes",
    "markers": "markers",
    "merging": "pieces that merge when they meet",
    "facings": "pieces with a facing",
    "values": "pieces with a value",
    "edges": "rules that see the edge of the board",
    "variables": "rule variables over kinds",
    "whole-board": "rules that ask of the whole board",
    "wrapping": "a board that wraps round",
    "horizon-ending": "a goal that must hold at the horizon",
    "any-turn-ending": "a goal that may hold at any turn",
    "no-horizon": "no limit on the turns",
    "losing": "ways to lose",
    "hidden": "kinds that the player does not see",
    "chance": "a random initial placement",
    "players": "several players",
    "simultaneous": "players who move at the same time",
    "scan": "rules in scan order, one change after another",
    "rows": "rules that look in several places at once",
    "ellipses": "rules that look any number of cells ahead",
    "rigid": "rigid rules: what cannot move together does not move at all",
    "again": "turns that go on without an input",
    "cancel": "turns that rules undo",
    "checkpoint": "checkpoints",
    "restart": "rules that begin the level again",
    "win": "rules that win",
    "at-start": "rules that run before the first turn",
    "must-move": "turns in which the player must move",
    "ticks": "time that goes on without the player",
    "chance-in-turns": "chance in a turn",
    "score": "the highest score",
}
SCAN = frozenset(
    "scan rows ellipses rigid again cancel checkpoint restart win at-start must-move ticks "
    "chance-in-turns".split()
)
"""What games ask for whose rules are in scan order: see `ggp.model.scan`. Chance in turns others have too."""

LUCK = frozenset(("hidden", "chance", "chance-in-turns"))
"""What players take and solvers do not: what chance does, and what is not seen."""

SEATS = frozenset(("players", "simultaneous"))
"""What games of several players ask for."""

SCORE = frozenset(("score",))
"""What no game needs: only who asks for its highest score does."""

SOLVABLE = frozenset(FEATURES) - {"hidden", "chance"} - SEATS - SCAN - SCORE
"""What a solver of one-player puzzles without chance supports; goal words, and the score, come on top."""

GOAL_WORDS = frozenset(f"goal:{word}" for word in registry.GOALS)
"""What is supported by whatever works through the Encoding, which can say every goal word."""


def goal_features(words: Iterable[str]) -> frozenset[str]:
    """Goal words as features."""
    return frozenset(f"goal:{word}" for word in words)


class Need(NamedTuple):
    """A feature that an instance needs, in words, and the place in the description that asks for it."""

    feature: str
    place: Place | None


Rows = Iterator[str]


def of_game(game: Game) -> Rows:
    """The features that a game's own fields ask for."""
    if game.wraps:
        yield "wrapping"
    if len(game.players) > 1:
        yield "players"
    if game.physics:
        yield "physics"


def of_kind(kind: Kind) -> Rows:
    """The features of a kind."""
    flags: dict[str, object] = {"facings": kind.facings, "values": kind.values, "merging": kind.merge}
    flags |= {"markers": kind.marker, "hidden": kind.hidden}
    yield from (feature for feature, flag in flags.items() if flag)


def of_design(design: Design) -> Rows:
    """The features of what is placed."""
    flags: dict[str, object] = {"design": True, "fill": design.fill, "design-of-kinds": len(design.kinds) > 1}
    yield from (feature for feature, flag in flags.items() if flag)


def of_input(declared: Input) -> Rows:
    """The features of the inputs."""
    flags: dict[str, object] = {"moves": declared.moves, "verbs": declared.verbs}
    flags |= {"picks": declared.pick, "waiting": declared.wait, "simultaneous": declared.simultaneous}
    yield from (feature for feature, flag in flags.items() if flag)


def of_level(level: Level) -> Rows:
    """The features of a level."""
    if level.horizon is None:
        yield "no-horizon"
    if level.when is not None:
        yield f"{level.when}-ending"
    if level.avoid:
        yield "avoiding"


def nothing(_: Any) -> Rows:
    """No feature of its own."""
    return iter(())


OF_TYPE: dict[type, Callable[[Any], Rows]] = {
    Instance: nothing,
    Game: of_game,
    Level: of_level,
    Kind: of_kind,
    Class: nothing,
    Group: lambda group: iter(
        [*(["loops"] if group.bound is not None else []), *(["chance-in-turns"] if group.draw else [])]
    ),
    Block: lambda block: iter(["loops"]),
    Rule: nothing,
    Condition: lambda condition: iter(["edges"] if condition.pattern is None else []),
    InputIs: nothing,
    Nearby: nothing,
    OnBoard: lambda condition: iter(["whole-board"]),
    Compared: nothing,
    Value: lambda value: iter(["variables"]),
    Effect: lambda effect: iter(["edges"] if effect.if_inside else []),
    Pattern: lambda pattern: iter(["variables"] if pattern.bound else []),
    Design: of_design,
    Input: of_input,
    Scatter: lambda scatter: iter(["chance"]),
    Fraction: nothing,
    Goal: lambda goal: iter([f"{goal.when}-ending", *(["losing"] if goal.lose else [])]),
    Objective: nothing,
}
LEAVES = (str, int, float, bool, type(None), Place, Piece, Known, Plan)


def walk(value: Any, place: Place | None) -> Iterator[Need]:
    """Every need of a value and of all that it holds, with the nearest place."""
    if isinstance(value, LEAVES):
        return
    if isinstance(value, tuple | frozenset):
        for item in value:
            yield from walk(item, place)
        return
    own = (getattr(value, name, None) for name in ("place_in_file", "place"))
    place = next((here for here in own if isinstance(here, Place)), place)
    if hasattr(value, "holds"):  # a goal word: its class stands in ggp.goals
        yield Need(f"goal:{value.word}", place)
    elif type(value) in OF_TYPE:
        yield from (Need(feature, place) for feature in OF_TYPE[type(value)](value))
    else:
        raise TypeError(f"ggp.model.features does not know {type(value).__name__}: add it to OF_TYPE")
    for field in dataclasses.fields(value):
        if field.name not in SKIPPED:
            yield from walk(getattr(value, field.name), place)


# Data of maps, and hints for makers of maps and for solvers: not rules.
SKIPPED = (
    "place",
    "board",
    "known",
    "forms",
    "origin",
    "generate",
    "family",
    "hints",
    "regions",
    "clues",
    "clue_places",
    "patterns",
    "avoid",
    "question",
    "tells",
    "place_in_file",
    "sentence",
    "scan",  # `of_scan` looks at it: there are files with ten thousand rules
)


def needs(instance: Instance) -> tuple[Need, ...]:
    """Each feature that the instance needs, once, with the first place that asks for it."""
    found: dict[str, Need] = {}
    for need in (*of_rules(instance.game), *walk(instance.level, None)):
        found.setdefault(need.feature, need)
    overridden = instance.level.when
    if overridden is not None and overridden != instance.game.goal.when:
        found.pop(f"{instance.game.goal.when}-ending", None)
    if instance.game.input is None and not instance.game.physics:
        found.pop("no-horizon", None)
    game, design = instance.game, instance.game.design
    if game.input is not None or game.physics:
        late = [term for term in game.goal.every_term if not hasattr(term, "test")]
        if late:
            found["late-words"] = Need("late-words", getattr(late[0], "place", None))
    if design is not None:
        if game.input is not None:
            found["design-and-input"] = Need("design-and-input", game.input.place)
        if design.fill and (game.physics or game.input is not None):
            found["fill-and-physics"] = Need("fill-and-physics", design.place_in_file)
        mover = placed_moves(game)
        if mover is not None:
            found["moving-design"] = Need("moving-design", mover)
    for need in of_scan(game.scan) if game.scan is not None else ():
        found.setdefault(need.feature, need)
    return tuple(found.values())


def of_rules(game: Game) -> tuple[Need, ...]:
    """Every need of a game, told once: it has many levels, and each is asked about several times."""
    known: tuple[Need, ...] | None = game.kept.get("needs")
    if known is None:
        known = game.kept["needs"] = tuple(walk(game, None))
    return known


def of_scan(scan: Scan) -> Iterator[Need]:
    """The features of rules in scan order."""
    yield Need("scan", scan.place)
    flags = {"at-start": scan.at_start, "must-move": scan.must_move, "ticks": scan.ticks}
    yield from (Need(feature, scan.place) for feature, flag in flags.items() if flag)
    for stage in (scan.early, scan.late):
        if stage.loops:
            yield Need("loops", stage.groups[stage.loops[0][0]].place)
        for group in stage.groups:
            if group.random:
                yield Need("chance-in-turns", group.place)
            for rule in group.rules:
                yield from (Need(feature, rule.place) for feature in of_scan_rule(rule))


def of_scan_rule(rule: ScanRule) -> Rows:
    """The features of one rule in scan order."""
    if len(rule.rows) > 1:
        yield "rows"
    if rule.rigid:
        yield "rigid"
    words = {command.partition(" ")[0] for command in rule.commands}
    yield from (word for word in ("again", "cancel", "checkpoint", "restart", "win") if word in words)
    for row in rule.rows:
        for cell in row:
            if cell is None:
                yield "ellipses"
            elif cell.change is not None and (cell.change.one_of or cell.change.any_way):
                yield "chance-in-turns"


def placed_moves(game: Game) -> Place | None:
    """The place of an effect on the placed kind, if there is one."""
    from ggp.model.board import kinds_of

    design = game.design
    for phase in (*game.turn, *game.physics):
        for group in groups_of(phase):
            for rule in group.rules:
                for effect in rule.effects:
                    kinds = {k for d in rule.directions for k in kinds_of(game, effect.pattern.name, d)}
                    if design is not None and not kinds.isdisjoint(design.kinds):
                        return effect.place or rule.place or Place(game.name)
    return None


def missing(instance: Instance, supported: Iterable[str]) -> tuple[Need, ...]:
    """What the instance needs and the backend lacks."""
    has = frozenset(supported)
    return tuple(need for need in needs(instance) if need.feature not in has)


CHOOSE = "choose another one: `ggp list` shows what each supports"


def lacking(
    instance: Instance,
    backend: str,
    supported: Iterable[str],
    *,
    why: Mapping[str, str] | None = None,
    remedy: str = CHOOSE,
) -> tuple[Finding, ...]:
    """Everything that the instance needs and the backend lacks, each with its place.

    `why` tells the reason for features that the backend cannot have; it may come from the backend's `WHY`.
    """
    reasons = why or {}
    return tuple(
        Finding(
            f"{backend} does not support {describe(need.feature)}"
            + (f": {reasons[need.feature]}" if need.feature in reasons else ""),
            remedy,
            need.place,
        )
        for need in missing(instance, supported)
    )


def require(instance: Instance, backend: str, supported: Iterable[str], *, remedy: str = CHOOSE) -> None:
    """Raise UnsupportedFeature listing everything that the backend lacks (see `lacking`)."""
    if refused := lacking(instance, backend, supported, remedy=remedy):
        raise UnsupportedFeature.of(backend, refused)


def lucky(instance: Instance) -> bool:
    """Has chance a part, or is something hidden? The chance of rules in scan order is another matter."""
    asked = {need.feature for need in needs(instance)}
    return instance.game.scan is None and not LUCK.isdisjoint(asked)


def require_played_alone(instance: Instance, what: str) -> None:
    """Raise UnsupportedFeature where several players do not see all, or chance meets those who move together.

    What plays or replays (`what`) asks this first.
    """
    remedy = "`ggp show` and `ggp check` take such games already"
    seats = SEATS if instance.game.simultaneous else {"players", "chance", "chance-in-turns"}
    either = seats if len(instance.game.players) > 1 else LUCK
    require(instance, what, SOLVABLE | SCAN | GOAL_WORDS | either, remedy=remedy)


def describe(feature: str) -> str:
    """A feature in words."""
    if feature.startswith("goal:"):
        return f"the goal word `{feature[5:]}`"
    return FEATURES[feature]
