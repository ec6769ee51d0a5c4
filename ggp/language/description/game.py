"""Reads the part of a description file that is the game: everything but its levels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ggp.errors import DescriptionError, Place
from ggp.language.description.family import read_family
from ggp.language.description.kinds import read_kind
from ggp.language.description.scan import read_scan
from ggp.language.description.symbols import read_symbols
from ggp.language.description.weights import read_weights
from ggp.language.rule_language import RuleText, read_goal, read_piece, read_rule
from ggp.language.toml.tables import Table
from ggp.model import (
    DIRECTIONS,
    Amount,
    Block,
    Class,
    Design,
    Game,
    Goal,
    Group,
    Input,
    Kind,
    Objective,
    Phase,
    Piece,
    Rule,
    Scatter,
    Term,
    scoring,
)
from ggp.model.pieces import default_toward
from ggp.model.words import name_fault, near_or_known

ENDINGS = ("any-turn", "horizon")
STUCK = ("draws", "loses", "passes")  # what becomes of a player who has no legal input


class GameReader:
    """Reads one game. What is wrong is noted in the findings of the table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.kinds: dict[str, Kind] = {}
        self.classes: dict[str, Class] = {}

    def read(self) -> Game:
        """The game; it means something only if no error was noted."""
        table = self.table
        table.need("name", 'add `name = "..."`')
        name = table.text("name", "game")
        self.check_name(name, table.value_at("name"))
        self.kinds = {kind.name: kind for kind in self.read_kinds()}
        self.classes = {group.name: group for group in self.read_classes()}
        design = self.read_design()
        turn, physics = self.read_phases("turn"), self.read_phases("physics")
        players = table.strings("players") or ("player",)
        goal = self.read_ending(players)
        scan = read_scan(table, self.kinds, self.classes, goal)
        return Game(
            name,
            table.text("title", name),
            tuple(self.kinds.values()),
            goal,
            tuple(self.classes.values()),
            design,
            self.read_input(),
            turn,
            physics,
            self.read_objectives(
                design, bool(turn or scan) and len(players) == 1, scoring((*turn, *physics))
            ),
            players,
            self.read_chance(),
            table.flag("wraps"),
            self.read_symbols(),
            self.read_forms(),
            table.text("about").removesuffix("\n"),
            table.place,
            family=read_family(table),
            author=self.read_line("author"),
            homepage=self.read_line("homepage"),
            scan=scan,
        )

    def read_line(self, key: str) -> str:
        """A text for people that formats have a line for."""
        text = self.table.text(key)
        if len(text.splitlines()) > 1:
            self.table.error(f"`{key}` has several lines", "write it on one", self.table.value_at(key))
        return text.strip()

    # --- kinds, classes, symbols ----------------------------------------------------------------------

    def read_kinds(self) -> list[Kind]:
        if not self.table.need("kinds", "add `[kinds]` with a line for each kind of thing"):
            return []
        table = self.table.table("kinds")
        kinds = []
        for name, entry in table.entries():
            self.check_name(name, entry.place)
            kinds.append(read_kind(name, entry))
        return kinds

    def read_classes(self) -> list[Class]:
        table = self.table.table("classes")
        classes = []
        for name, value in table.values.items():
            self.check_name(name, table.at(name))
            if name in self.kinds:
                table.error(f"`{name}` is a kind and a class", "rename one of them", table.at(name))
            if isinstance(value, dict):
                inner = table.table(name)
                parts = tuple((word, inner.strings(word)) for word in inner.values if word in DIRECTIONS)
                classes.append(Class(name, inner.strings("other"), parts, inner.place))
                inner.asked += DIRECTIONS
                inner.refuse_unknown("a class")
            else:
                classes.append(Class(name, table.strings(name), (), table.at(name)))
        return classes

    def check_name(self, name: str, place: Place) -> None:
        fault = name_fault(name)
        if fault is not None:
            self.table.error(*fault, place)

    def read_symbols(self) -> tuple[tuple[str, tuple[Piece, ...]], ...]:
        return read_symbols(self.table.table("symbols"), self.kinds)

    # --- what the player and chance decide ------------------------------------------------------------

    def read_design(self) -> Design | None:
        if "design" not in self.table:
            return None
        table = self.table.table("design")
        table.need("place", "name the kind that is placed, or list several")
        fill = table.flag("fill")
        several = isinstance(table.values.get("place"), list)
        kinds = table.strings("place") if several else (table.text("place"),)
        each = isinstance(table.values.get("limit"), dict)
        limit = None if each else table.amount("limit")
        limits = read_limits(table.table("limit"), kinds) if each else ()
        if fill and "limit" in table:
            table.error("`limit` means nothing with `fill`", "take one of them out", table.at("limit"))
        design = Design(kinds, table.strings("free-of"), limit, fill, table.place, limits)
        table.refuse_unknown("[design]")
        return design

    def read_input(self) -> Input | None:
        if "input" not in self.table:
            return None
        table = self.table.table("input")
        moves = table.strings("moves")
        for index, move in enumerate(moves):
            if move not in DIRECTIONS or move in moves[:index]:
                message = f"{move[:40]!r} cannot be a move" + (" twice" if move in DIRECTIONS else "")
                table.error(message, near_or_known(move, DIRECTIONS), table.value_at("moves", index))
        pick = table.text("pick") or None
        again = table.text("again") or None
        stuck: Any = table.choice("stuck", STUCK, STUCK[0])
        verbs = table.strings("verbs")
        turns = (again, stuck, table.flag("simultaneous"))
        given = Input(moves, verbs, pick, table.flag("wait"), table.place, *turns)
        table.refuse_unknown("[input]")
        return given

    def read_chance(self) -> tuple[Scatter, ...]:
        scatters = []
        for table in self.table.tables("chance"):
            table.need("kind", "name the kind that is laid at random")
            table.need("count", "say how many")
            count, piece = table.amount("count"), Piece("")
            try:
                piece = read_piece(table.text("kind"), table.value_at("kind"))
            except DescriptionError as error:
                table.findings.take(error)
            if isinstance(count, int) and count < 0:
                table.error(f"`count` is {count}", "write 0 or more", table.value_at("count"))
            when: Any = table.choice("when", ("start", "first-turn"), "start")
            tells = self.read_terms(table, "tells")
            laid = (piece.kind, count or 0, table.strings("free-of"), table.place)
            scatters.append(Scatter(*laid, piece.variant, when, tells))
            table.refuse_unknown("[[chance]]")
        return tuple(scatters)

    # --- rules ----------------------------------------------------------------------------------------

    def read_phases(self, section: str) -> tuple[Phase, ...]:
        phases: list[Phase] = []
        for table in self.table.tables(section):
            read = self.read_block if "group" in table else self.read_group
            phases.append(read(table, section))
        return tuple(phases)

    def read_block(self, table: Table, section: str) -> Block:
        groups = tuple(self.read_group(inner, section) for inner in table.tables("group"))
        bound = self.read_bound(table)
        if bound is None and "until" not in table:
            table.error("a block runs until it is stable", 'add `until = "stable"` and a `bound`')
        for group in groups:
            if group.draw is not None:
                message = "chance draws once, not in a loop"
                table.error(message, "take the group out of the block", group.place)
        block = Block(table.text("name"), groups, 1 if bound is None else bound, table.place)
        table.refuse_unknown(f"a block of [[{section}]]")
        return block

    def read_group(self, table: Table, section: str) -> Group:
        table.need("rules", 'add `rules = """` with one rule a line')
        rules = self.read_rules(table, section)
        draw: Any = table.choice("draw", ("one", "each"), "one") if "draw" in table else None
        bound = self.read_bound(table)
        if draw is not None and bound is not None:
            table.error("chance draws once, not in a loop", "take one of them out", table.at("draw"))
        weights = read_weights(table, rules, draw is not None)
        group = Group(table.text("name"), rules, bound, table.place, draw, weights)
        table.refuse_unknown(f"[[{section}]]")
        return group

    def read_bound(self, table: Table) -> Amount | None:
        """The bound of a group or block that runs until it is stable; None for one that runs once."""
        bound = table.amount("bound")
        if "until" not in table:
            if bound is not None:
                remedy = 'add `until = "stable"`, or take the bound out'
                table.error("`bound` means nothing without `until`", remedy, table.at("bound"))
            return None
        table.choice("until", ("stable",), "stable")
        if "bound" not in table:
            remedy = 'add `bound = "height"` or a number of passes: going past it is an error'
            table.error("`until` needs a `bound`", remedy, table.at("until"))
        return bound

    def read_rules(self, table: Table, section: str) -> tuple[Rule, ...]:
        rules: list[Rule] = []
        offset = 0
        for line in table.text("rules").split("\n"):
            start, offset = offset, offset + len(line) + 1
            if not line.split("#")[0].strip():
                continue
            try:
                read = read_rule(line, lambda at, start=start: table.inside(start + at, "rules"))  # type: ignore[misc]
            except DescriptionError as error:
                table.findings.take(error)
                continue
            rules.append(self.make_rule(read, section))
        return tuple(rules)

    def make_rule(self, read: RuleText, section: str) -> Rule:
        who = (read.conditions, read.effects)
        toward: Any = read.toward or default_toward(*who, self.kinds, self.classes, section)
        return Rule(read.name, toward, *who, read.directions, read.place, read.score)

    # --- the end --------------------------------------------------------------------------------------

    def read_ending(self, players: Sequence[str]) -> Goal:
        if not self.table.need("goal", 'add `[goal]` with `win = ["..."]`'):
            return Goal(())
        table = self.table.table("goal")
        if not (len(players) > 1 and "lose" in table):
            table.need("win", 'add `win = ["every crate on target"]`, with the terms that must all hold')
        when: Any = table.choice("when", ENDINGS, "any-turn")
        together = (
            isinstance(asked := self.table.values.get("input"), dict) and asked.get("simultaneous") is True
        )
        own = tuple(self.read_terms(table, "win", f"{name}:") for name in players) if together else ()
        if together:
            self.refuse_unowned(table, players)
        shared = () if together else self.read_terms(table, "win")
        goal = Goal(shared, when, self.read_terms(table, "lose"), table.place, own)
        table.refuse_unknown("[goal]")
        return goal

    def refuse_unowned(self, table: Table, players: Sequence[str]) -> None:
        """Where players move at the same time each term says whose goal it is part of."""
        for index, text in enumerate(table.strings("win")):
            if text.partition(":")[0] not in players:
                remedy = f"say whose: `{players[0]}: {text[:60]}`"
                table.error(
                    "all move at the same time, and this is nobody's goal",
                    remedy,
                    table.value_at("win", index),
                )

    def read_terms(self, table: Table, key: str, owner: str = "") -> tuple[Term, ...]:
        """The terms of a list, or those of them that begin with their owner."""
        table.strings(key)
        terms = []
        value = table.values.get(key)
        for index, text in enumerate(value if isinstance(value, list) else ()):
            if not isinstance(text, str) or not text.startswith(owner):
                continue
            term = text[len(owner) :]
            start = len(text) - len(term.lstrip()) if owner else 0
            place: Callable[[int], Place] = partial(self.place_in, table, key, index, start)
            try:
                terms.append(read_goal(text[start:], place))
            except DescriptionError as error:
                table.findings.take(error)
        return tuple(terms)

    def place_in(self, table: Table, key: str, index: int, start: int, at: int) -> Place:
        """The place of a character of a text in a list, counted from where its term starts."""
        return table.inside(start + at, key, index)

    def read_objectives(self, design: Design | None, turns: bool, scores: bool) -> tuple[Objective, ...]:
        if "objectives" not in self.table:
            return default_objectives(design, turns, scores)
        table = self.table.table("objectives")
        objectives = []
        for name in table.values:
            text = table.text(name)
            counts, _, kind = text.partition(" ")
            alone = counts in ("placements", "turns", "score")
            good = kind.strip() if counts == "moves" else alone and not kind
            if not good and text:
                remedy = 'write "placements", "turns", "moves KIND" or "score"'
                table.error(f"{text[:60]!r} is not an objective", remedy, table.value_at(name))
                continue
            what: Any = counts
            objectives.append(Objective(name, what, kind.strip() or None, table.at(name)))
        return tuple(objectives)

    def read_forms(self) -> tuple[tuple[str, Mapping[str, Any]], ...]:
        return tuple((name, dict(form.values)) for name, form in self.table.table("forms").entries())


def read_limits(table: Table, kinds: tuple[str, ...]) -> tuple[tuple[str, Amount], ...]:
    """How many of each kind may be placed."""
    found = []
    for name in table.values:
        number = table.amount(name)
        if name not in kinds:
            table.error(f"{name[:40]!r} is not placed", near_or_known(name, kinds), table.at(name))
        elif number is not None:
            found.append((name, number))
    return tuple(found)


def default_objectives(design: Design | None, turns: bool, scores: bool) -> tuple[Objective, ...]:
    """What is to be best where the file does not say: placements of a design, else turns; then the score."""
    more = (Objective("score", "score"),) if scores else ()
    if design is not None and not design.fill:
        return (Objective("placements", "placements"), *more)
    return (Objective("turns", "turns"), *more) if turns else more
