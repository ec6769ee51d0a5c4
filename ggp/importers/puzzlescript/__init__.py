"""PuzzleScript files as games of ours: the whole language of the editor, as of 2026.

A file is read section by section, every fault with its line and column, and refused where the editor's
compiler reports an error. What is left becomes a `Game` whose rules are in scan order (`ggp.model.scan`), and
a `Level` a map. Sounds, messages and screens change no state and are left.
"""

from __future__ import annotations

import re
from pathlib import PurePath

from ggp.analysis.relaxed_in_order import all_never_won
from ggp.errors import Finding
from ggp.files.reading import decoded
from ggp.goals.count import Count
from ggp.goals.on import On
from ggp.importers.puzzlescript.expand import expand
from ggp.importers.puzzlescript.faults import Faults
from ggp.importers.puzzlescript.layers import read_layers
from ggp.importers.puzzlescript.legend import read_legend
from ggp.importers.puzzlescript.lower import Lowering, in_groups
from ggp.importers.puzzlescript.maps import Map, check_together, read_maps
from ggp.importers.puzzlescript.names import Names
from ggp.importers.puzzlescript.objects import ObjectReader
from ggp.importers.puzzlescript.prelude import read_prelude
from ggp.importers.puzzlescript.rules import Loop, Rule, read_rules, sound_missing
from ggp.importers.puzzlescript.sounds import check_sounds
from ggp.importers.puzzlescript.source import Section, lines_of, sections
from ggp.importers.puzzlescript.wins import crowd, read_wins
from ggp.importers.puzzlescript.words import ABSOLUTE
from ggp.model import Class, Game, Goal, Input, Instance, Kind, Level, Objective, Pattern, Piece, Term
from ggp.model.scan import Crowd, Scan, ScanGoal, ScanGroup, ScanRule, ScanStage
from ggp.referee.scanning.turn import no_pause

EXTENSIONS = (".txt", ".puzzlescript", ".ps", ".pzs")
MOST_RIGID = 30  # groups with a rigid rule


def belongs(data: bytes) -> bool:
    """Does this look like a PuzzleScript file? It has the headings of sections, each on its line."""
    found = re.findall(rb"(?im)^[ \t]*(objects|legend|collisionlayers|rules|winconditions|levels)\b", data)
    return len({one.lower() for one in found}) >= 3


def read(data: bytes, file: str) -> tuple[Game, tuple[Level, ...]]:
    """The game in a file, and its levels. Raises DescriptionError with every error that was found."""
    game, levels, faults = look(data, file)
    faults.refuse()
    assert game is not None
    return game, levels


def check(data: bytes, file: str) -> tuple[Finding, ...]:
    """Every finding of a file, warnings as well. Raises DescriptionError where it is no text."""
    game, levels, faults = look(data, file)
    if game is not None and not faults.errors:
        instances = (Instance(game, one) for one in levels)
        for one, why in all_never_won(instances, no_pause):
            place = one.level.place
            faults.warning(place.line if place else 0, 1, f"map {one.level.name} can never be won: {why}")
    return faults.all()


def look(data: bytes, file: str) -> tuple[Game | None, tuple[Level, ...], Faults]:
    """Read a file as far as it goes: the game is None where there are errors."""
    text = decoded(data, file)
    faults = Faults(file)
    reader = Reader(sections(text, faults), faults)
    game, levels = reader.read()
    return game, levels, faults


def screens(data: bytes, file: str) -> list[bool]:
    """Whether each screen of a file is a map; else it is a message."""
    faults = Faults(file)
    reader = Reader(sections(decoded(data, file), faults), faults)
    reader.read()
    return [is_map for one in reader.maps for is_map in (*(False for _ in one.after), True)]


class Reader:
    """Reads the sections in their order, and puts the game together."""

    def __init__(self, found: list[Section], faults: Faults) -> None:
        self.found, self.faults = found, faults
        self.names = Names()
        self.prelude: dict[str, str] = {}
        self.layers: list[tuple[str, ...]] = []
        self.maps: list[Map] = []

    def lines(self, name: str) -> list:  # type: ignore[type-arg]
        """The lines of a section."""
        return list(lines_of(self.found, name))

    def read(self) -> tuple[Game | None, tuple[Level, ...]]:
        """The game and its levels."""
        names, faults = self.names, self.faults
        self.prelude = read_prelude(self.lines(""), faults)
        ObjectReader(names, faults).read(self.lines("objects"))
        read_legend(self.lines("legend"), names, faults)
        check_sounds(self.lines("sounds"), names, faults)
        layers = read_layers(self.lines("collisionlayers"), names, faults)
        self.layers = [
            tuple(k for k in dict.fromkeys(layer) if names.objects[k].layer == number)
            for number, layer in enumerate(layers)
        ]
        self.needed()
        rules, loops = read_rules(self.lines("rules"), names, faults)
        declared = {line.text.split()[0] for line in self.lines("sounds") if line is not None}
        sound_missing(rules, declared, faults)
        contradictions(rules, names, faults)
        goals = read_wins(self.lines("winconditions"), names, faults)
        check_together(names, faults)
        self.maps, _ = read_maps(self.lines("levels"), names, faults)
        if not names.objects or any(one.layer is None for one in names.objects.values()):
            return None, ()
        layer_names = tuple(f"layer-{number}" for number in range(1, len(layers) + 1))
        plain = expand(rules, names, faults)
        lowering = Lowering(names, self.layers, layer_names, faults)
        early = self.stage([rule for rule in plain if not rule.late], lowering, loops)
        late = self.stage([rule for rule in plain if rule.late], lowering, loops)
        if faults.errors:
            return None, ()
        scan = Scan(
            layer_names,
            crowd(names, "player"),
            early,
            late,
            goals,
            at_start="run_rules_on_level_start" in self.prelude,
            must_move="require_player_movement" in self.prelude,
            ticks="realtime_interval" in self.prelude,
            undo="noundo" not in self.prelude,
            restart="norestart" not in self.prelude,
            place=faults.place(1),
        )
        game = self.game(scan)
        return game, tuple(level(number, one, faults) for number, one in enumerate(self.maps, start=1))

    def needed(self) -> None:
        """There must be a player and a background, which is on one layer."""
        for name in ("player", "background"):
            if name not in self.names:
                message = f"there is no {name.upper()}"
                remedy = f"declare an object {name}, or say in the legend which one it is"
                self.faults.lacking("objects", message, remedy)
        if "background" in self.names.all_of:
            line = self.names.lines["background"]
            self.faults.error(line, 1, "the background is several objects together (`and`)", "use `or`")
        kinds = self.names.either.get("background", ())
        if len({self.names.objects[kind].layer for kind in kinds}) > 1:
            line = self.names.lines["background"]
            message = "the objects of the background are on several layers"
            self.faults.error(line, 1, message, "put them on one")

    def stage(self, rules: list[Rule], lowering: Lowering, loops: list[Loop]) -> ScanStage:
        """The groups of the early or of the late rules, and which of them are in loops."""
        groups = in_groups(rules, lowering)
        rigid = [rule for rule, plain in groups if any(one.rigid for one in plain)]
        if len(rigid) > MOST_RIGID:
            one = rigid[MOST_RIGID]
            message = f"there are more than {MOST_RIGID} groups with rigid rules"
            self.faults.error(one.line, one.column, message, "join some of them with `+`")
        made = tuple(
            ScanGroup(tuple(plain), rule.random, self.faults.place(rule.line, rule.column))
            for rule, plain in groups
        )
        return ScanStage(made, loops_of([plain for _, plain in groups], loops, self.faults))

    def game(self, scan: Scan) -> Game:
        """The game, with all that people see of it."""
        title = self.prelude.get("title") or PurePath(self.faults.file).stem
        name = re.sub("[^a-z0-9]+", "-", PurePath(self.faults.file).stem.lower()).strip("-") or "puzzlescript"
        kinds = tuple(
            Kind(
                kind,
                scan.layers[number],
                colour=shown_colour(self.names.objects[kind].colours),
                place=self.faults.place(self.names.objects[kind].line, 1),
            )
            for number, layer in enumerate(self.layers)
            for kind in layer
        )
        classes = tuple(
            Class(name, tuple(dict.fromkeys(members)), place=self.faults.place(self.names.lines[name], 1))
            for name, members in self.names.either.items()
        )
        verbs = tuple(
            verb
            for verb, there in (("action", "noaction" not in self.prelude), ("tick", scan.ticks))
            if there
        )
        return Game(
            name,
            title,
            kinds,
            Goal(tuple(term for goal in scan.goals for term in told(goal, self.names))),
            classes,
            input=Input(ABSOLUTE, verbs),
            objectives=(Objective("turns", "turns"),),
            symbols=symbols(self.names),
            author=self.prelude.get("author", ""),
            homepage=self.prelude.get("homepage", ""),
            place=self.faults.place(1),
            scan=scan,
        )


def contradictions(rules: list[Rule], names: Names, faults: Faults) -> None:
    """Complain of cells on the right that are to hold something, and are not."""
    for rule in rules:
        for cell in (cell for row in rule.right for cell in row):
            held = {name for how, name in cell if how != "no" and name in names.objects}
            for how, name in cell:
                if how == "no" and name not in names.all_of and held & set(names.members(name)):
                    message = f"a cell on the right is to hold {name.upper()} and NO {name.upper()}"
                    faults.error(rule.line, rule.column, message, "leave one away")


def loops_of(groups: list[list[ScanRule]], loops: list[Loop], faults: Faults) -> tuple[tuple[int, int], ...]:
    """(first, last) group of each loop that has any; complains of marks that do not fit."""
    for index, mark in enumerate(loops):
        if mark.begins != (index % 2 == 0):
            word = (
                "STARTLOOP inside a loop: loops do not nest"
                if mark.begins
                else "ENDLOOP, and no loop is open"
            )
            faults.error(mark.line, mark.column, f"there is a {word}", "see which mark belongs to which")
    if len(loops) % 2:
        faults.error(loops[-1].line, loops[-1].column, "a loop is open at the end", "write ENDLOOP")
        return ()
    found = []
    for begin, end in zip(loops[::2], loops[1::2], strict=True):
        inside = []
        for index, group in enumerate(groups):
            lines = [rule.place.line for rule in group if rule.place is not None]
            for mark in (begin, end):
                if lines[0] <= mark.line <= lines[-1]:
                    message = "a loop begins or ends in the middle of a group"
                    faults.error(mark.line, mark.column, message, "put it before or behind the group")
            if begin.line <= lines[0] <= end.line:
                inside.append(index)
        if inside:
            found.append((inside[0], inside[-1]))
    return tuple(found)


def level(number: int, one: Map, faults: Faults) -> Level:
    """A map as a level; what was said before it is its title."""
    rows = tuple(tuple(frozenset(map(Piece, cell)) for cell in row) for row in one.rows)
    return Level(str(number), rows, title=" / ".join(one.after), place=faults.place(one.line, 1))


def shown_colour(colours: list[str]) -> str:
    """The colour that a piece has in pictures."""
    return next((colour for colour in colours if colour != "transparent"), "")


def symbols(names: Names) -> tuple[tuple[str, tuple[Piece, ...]], ...]:
    """The signs of the maps, with what they stand for."""
    signs = (name for name in names.lines if len(name) == 1 and name not in names.either)
    return tuple((sign, tuple(map(Piece, names.members(sign)))) for sign in signs if names.members(sign))


def told(goal: ScanGoal, names: Names) -> list[Term]:
    """A condition in the words of our goals, for people to read; none where they lack the words."""
    what, ground = called(goal.what, names), called(goal.ground, names) if goal.ground else None
    if what is None or (goal.ground is not None and ground is None):
        return []
    if ground is not None:
        return [On(goal.quantifier, what, "on", ground, goal.place)]
    if goal.quantifier == "every":
        return []
    comparison, number = ("=", 0) if goal.quantifier == "no" else (">=", 1)
    return [Count(what, comparison, number, place=goal.place)]


def called(one: Crowd, names: Names) -> Pattern | None:
    """The pattern for what a condition speaks of."""
    if one.together and len(one.kinds) > 1:
        return None
    if len(one.kinds) == 1:
        return Pattern(one.kinds[0])
    return next(
        (Pattern(name) for name, m in names.either.items() if tuple(dict.fromkeys(m)) == one.kinds), None
    )
