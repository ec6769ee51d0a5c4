"""Rules in scan order: `[scan]` has them in PuzzleScript's words, with kinds and classes for objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ggp.goals.count import Count
from ggp.goals.on import On
from ggp.importers.puzzlescript.expand import expand
from ggp.importers.puzzlescript.faults import Faults
from ggp.importers.puzzlescript.lower import Lowering, in_groups
from ggp.importers.puzzlescript.names import Names, Object
from ggp.importers.puzzlescript.rules import Rule, read_rules
from ggp.importers.puzzlescript.source import Line
from ggp.importers.puzzlescript.words import KEYWORDS
from ggp.language.toml.tables import Table
from ggp.model import Class, Goal, Kind, Term
from ggp.model.scan import Crowd, Scan, ScanGoal, ScanGroup, ScanStage


def read_scan(
    table: Table, kinds: Mapping[str, Kind], classes: Mapping[str, Class], goal: Goal
) -> Scan | None:
    """The rules in scan order of a description; None where it has none. What is wrong is noted."""
    if "scan" not in table:
        return None
    inner = table.table("scan")
    inner.need("rules", 'add `rules = """` with one rule a line, in the words of PuzzleScript')
    inner.need("player", "name the kinds that the inputs move")
    for name in ("turn", "physics", "design"):
        if name in table:
            table.error(
                f"rules in scan order and [{name}] do not go together", "take one of them out", table.at(name)
            )
    layers = tuple(dict.fromkeys(kind.layer for kind in kinds.values()))
    player = crowd(inner.strings("player"), kinds, classes)
    refuse_names(inner, [*kinds, *classes])
    names = names_of(kinds, classes, layers)
    for n, name in enumerate(inner.strings("player")):
        if name not in names:
            inner.error(f"there is no kind or class {name[:40]!r}", "declare it", inner.value_at("player", n))
    faults = Faults(inner.place.file)
    stages, text = read_stages(inner, names, kinds, layers, faults)
    for finding in faults.errors:
        remedy = finding.remedy.replace("in OBJECTS or LEGEND", "as a kind or a class")
        inner.findings.error(finding.message, remedy, finding.place)
    at_start, must_move = inner.flag("at-start"), inner.flag("must-move")
    inner.refuse_unknown("[scan]")
    return Scan(
        layers,
        player,
        *stages,
        tuple(goals(goal, kinds, classes, table)),
        at_start=at_start,
        must_move=must_move,
        said=text,
        place=inner.place,
    )


def read_stages(
    table: Table, names: Names, kinds: Mapping[str, Kind], layers: tuple[str, ...], faults: Faults
) -> tuple[tuple[ScanStage, ScanStage], str]:
    """The rules before what is marked moves, and those after it; and their text."""
    text = table.text("rules")
    rules, loops = read_rules(list(lines_of(text, table)), names, faults)
    for mark in loops:
        faults.error(
            mark.line, mark.column, "there are no loops in rules of a description", "say it otherwise"
        )
    members = [tuple(kind.name for kind in kinds.values() if kind.layer == layer) for layer in layers]
    plain = expand(rules, names, faults) if not faults.errors else []
    lowering = Lowering(names, members, layers, faults)
    early, late = (
        stage([one for one in plain if one.late == when], lowering, faults) for when in (False, True)
    )
    return (early, late), text


def stage(rules: list[Rule], lowering: Lowering, faults: Faults) -> ScanStage:
    """The groups of the early or of the late rules."""
    groups = in_groups(rules, lowering)
    return ScanStage(
        tuple(
            ScanGroup(tuple(plain), rule.random, faults.place(rule.line, rule.column))
            for rule, plain in groups
        )
    )


def lines_of(text: str, table: Table) -> Iterator[Line]:
    """The lines of the rules, numbered as those of the file are."""
    offset = 0
    for raw in text.split("\n"):
        small = raw.split("#")[0].lower()
        if small.strip():
            yield Line(table.inside(offset, "rules").line, small, small, raw)
        offset += len(raw) + 1


def names_of(kinds: Mapping[str, Kind], classes: Mapping[str, Class], layers: tuple[str, ...]) -> Names:
    """What the names in rules stand for."""
    names = Names()
    for number, kind in enumerate(kinds.values(), 1):
        names.objects[kind.name] = Object(kind.name, number, kind.name, layer=layers.index(kind.layer))
        names.add(kind.name, number)
    for group in classes.values():
        names.either[group.name] = tuple(one for one in group.members if one in kinds)
        names.add(group.name, 1)
    return names


def refuse_names(table: Table, names: Sequence[str]) -> None:
    """Names that rules in PuzzleScript's words cannot speak of are errors."""
    for name in names:
        if name in KEYWORDS:
            table.error(f"rules in scan order cannot speak of {name!r}, a word of theirs", "rename it")
        elif name != name.lower():
            table.error(
                f"rules in scan order are read in small letters, and {name!r} has others", "rename it"
            )


def crowd(names: Sequence[str], kinds: Mapping[str, Kind], classes: Mapping[str, Class]) -> Crowd:
    """Any of the kinds that some names stand for."""
    found = dict.fromkeys(
        one
        for name in names
        for one in (classes[name].members if name in classes else (name,))
        if one in kinds
    )
    return Crowd(tuple(found))


def goals(
    goal: Goal, kinds: Mapping[str, Kind], classes: Mapping[str, Class], table: Table
) -> Iterator[ScanGoal]:
    """What holds at the end of a turn that wins; what no win condition of PuzzleScript's says is an error."""
    for term in goal.terms:
        found = goal_of(term, kinds, classes)
        if found is not None:
            yield found
        else:
            message = f"with rules in scan order nothing can be won by `{term.source()}`"
            table.error(message, WINS, getattr(term, "place", None))
    if goal.lose or goal.when != "any-turn":
        table.error(
            "with rules in scan order nothing is lost, and it is won at once", "leave it out", goal.place
        )


def goal_of(term: Term, kinds: Mapping[str, Kind], classes: Mapping[str, Class]) -> ScanGoal | None:
    """A goal word as a win condition; None where there is none for it."""
    if isinstance(term, On) and not (term.what.variant or term.ground.variant) and term.placing == "on":
        quantifier = term.quantifier
        ground: Crowd | None = crowd((term.ground.name,), kinds, classes)
    elif isinstance(term, On) and (term.quantifier, term.placing) == ("no", "off"):
        quantifier, ground = "every", crowd((term.ground.name,), kinds, classes)
    elif isinstance(term, Count) and term.ground is None and (term.comparison, term.number) in COUNTS:
        quantifier, ground = COUNTS[term.comparison, term.number], None
    else:
        return None
    what = crowd((term.what.name,), kinds, classes)
    return ScanGoal(quantifier, what, ground, term.place)  # type: ignore[arg-type]


COUNTS: Mapping[tuple[str, object], str] = {("=", 0): "no", ("<=", 0): "no", (">=", 1): "some"}
WINS = "write `every`, `some` or `no ... on ...`, `count ... = 0` or `count ... >= 1`"
