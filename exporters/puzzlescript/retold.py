"""Games that were read from PuzzleScript, written as PuzzleScript again: rule by rule, as the model has them.

Each rule of the model is one line with one direction, so a line of the file is several here, and what
something in it was called is lost where the model does not have it. The text is read again, and is one
only where its rules are those of the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ggp.errors import DescriptionError
from ggp.exporters.puzzlescript.levels import LETTERS, SIGNS
from ggp.importers import puzzlescript as importer
from ggp.importers.puzzlescript.words import KEYWORDS
from ggp.model import Game, Instance, Kind, Level, Piece
from ggp.model.scan import (
    MARKS,
    Crowd,
    Mark,
    Scan,
    ScanCell,
    ScanChange,
    ScanGroup,
    ScanRow,
    ScanRule,
    ScanStage,
)
from ggp.render.colours import kind_colour

FILE = "written.txt"
BACKGROUND = "background"
FEW = 3  # kinds that a rule excludes each by its name
MORE_SIGNS = "".join(map(chr, range(0x3B1, 0x3CA))) + "".join(map(chr, range(0x4E00, 0x4E00 + 400)))
QUANTIFIERS = {"every": "all", "some": "some", "no": "no"}
ABSOLUTE_RANDOM = ("up", "left")  # what `randomdir` asks for on the left


class Rewriter:
    """Writes a game and some of its levels."""

    def __init__(self, game: Game, scan: Scan, levels: Sequence[Level]) -> None:
        self.game, self.scan, self.levels = game, scan, levels
        self.layer = {kind.name: kind.layer for kind in game.kinds}
        self.on_layer = {
            layer: frozenset(kind.name for kind in game.kinds if kind.layer == layer) for layer in scan.layers
        }
        self.taken = {kind.name for kind in game.kinds}
        self.groups: dict[tuple[str, tuple[str, ...]], str] = {}
        self.known = {one.members: one.name for one in game.classes if re.fullmatch(r"\w{2,}", one.name)}

    # --- names ----------------------------------------------------------------------------------------------

    def group(self, members: tuple[str, ...], how: str = "or", name: str = "") -> str:
        """A name for several kinds; the kind itself where it is one."""
        if len(members) == 1 and not name:
            return members[0]
        if (how, members) not in self.groups or name:
            called = name or self.known.get(members, "") if how == "or" else name
            if not called or called in KEYWORDS or called in self.taken:
                called = next(f"{how}_{n}" for n in range(1, 10**6) if f"{how}_{n}" not in self.taken)
            self.taken.add(called)
            self.groups[how, members] = called
        return self.groups[how, members]

    def crowd(self, crowd: Crowd) -> str:
        """A name for what a condition speaks of."""
        return self.group(crowd.kinds, "and" if crowd.together else "or")

    def ground(self) -> tuple[str, ...]:
        """The kinds of the layer of which something stands in every cell."""
        cells = [{piece.kind for piece in here} for one in self.levels for row in one.board for here in row]
        for kinds in (one.members for one in self.game.classes if one.name == "background"):
            return kinds
        for layer in self.scan.layers:
            if all(here & self.on_layer[layer] for here in cells):
                return tuple(kind.name for kind in self.game.kinds if kind.layer == layer)
        return ()

    # --- the parts ------------------------------------------------------------------------------------------

    def text(self) -> str:
        """The whole text."""
        if "player" not in self.taken:
            self.group(self.scan.player.kinds, "and" if self.scan.player.together else "or", "player")
        if "background" not in self.taken:
            self.group(self.ground(), "or", "background")
        rules = [*self.stage(self.scan.early, ""), *self.stage(self.scan.late, "late ")]
        wins = list(self.wins())
        maps = list(self.maps())  # which names what stands in cells
        sounds = sorted(set(re.findall(r"\bsfx[0-9]+\b", "\n".join(rules))))
        parts = {
            "objects": self.objects(),
            "legend": self.legend(),
            "sounds": [f"{sound} 36772507" for sound in sounds],
            "collisionlayers": [
                ", ".join(kind.name for kind in self.game.kinds if kind.layer == layer)
                for layer in self.scan.layers
            ],
            "rules": rules,
            "winconditions": wins,
            "levels": maps,
        }
        lines = list(self.prelude())
        for name, part in parts.items():
            lines += ["", "=" * 8, name.upper(), "=" * 8, "", *part]
        return "\n".join(lines) + "\n"

    def prelude(self) -> Iterator[str]:
        """What stands before the first section."""
        game, scan, declared = self.game, self.scan, self.game.input
        for word, said in (("title", game.title), ("author", game.author), ("homepage", game.homepage)):
            if said:
                yield f"{word} {said}"
        flags = {
            "run_rules_on_level_start": scan.at_start,
            "require_player_movement": scan.must_move,
            "realtime_interval 0.5": scan.ticks,
            "noaction": declared is not None and "action" not in declared.verbs,
            "noundo": not scan.undo,
            "norestart": not scan.restart,
        }
        yield from (flag for flag, set_ in flags.items() if set_)

    def objects(self) -> Iterator[str]:
        """The objects, each in one colour."""
        for kind in self.game.kinds:
            yield from (kind.name, kind.colour or "transparent", "")

    def legend(self) -> Iterator[str]:
        """The names of groups, then the signs."""
        for (how, members), name in self.groups.items():
            yield f"{name} = {f' {how} '.join(members)}"
        for here, sign in self.signs.items():
            yield f"{sign} = {' and '.join(here)}"

    def wins(self) -> Iterator[str]:
        """The conditions."""
        for goal in self.scan.goals:
            on = f" on {self.crowd(goal.ground)}" if goal.ground is not None else ""
            yield f"{QUANTIFIERS[goal.quantifier]} {self.crowd(goal.what)}{on}"

    def maps(self) -> Iterator[str]:
        """The messages and the maps; each content of a cell gets a sign."""
        order = {kind.name: number for number, kind in enumerate(self.game.kinds)}
        free = (sign for sign in (*SIGNS.lower(), *LETTERS.lower(), *MORE_SIGNS) if sign not in self.taken)
        self.signs: dict[tuple[str, ...], str] = {}
        drawn = self.drawn()
        for one in self.levels:
            if one.title:
                yield from (f"message {one.title}", "")
            for row in one.board:
                line = ""
                for here in row:
                    held = tuple(sorted((piece.kind for piece in here), key=order.__getitem__))
                    if held not in self.signs:
                        used = self.signs.values()
                        own = (sign for sign in drawn.get(frozenset(held), ()) if sign not in used)
                        self.signs[held] = next(own, "") or next(sign for sign in free if sign not in used)
                    line += self.signs[held]
                yield line
            yield ""

    def drawn(self) -> dict[frozenset[str], list[str]]:
        """By what the signs that the game has drew, with each background."""
        found: dict[frozenset[str], list[str]] = {}
        for sign, pieces in self.game.symbols:
            if sign in self.taken or sign.lower() != sign:
                continue
            for below in ((), *((one,) for one in self.ground())):
                found.setdefault(frozenset((*below, *(piece.kind for piece in pieces))), []).append(sign)
        return found

    # --- rules ----------------------------------------------------------------------------------------------

    def stage(self, stage: ScanStage, late: str) -> Iterator[str]:
        """The lines of all groups."""
        begins, ends = {first for first, _ in stage.loops}, {last for _, last in stage.loops}
        for number, group in enumerate(stage.groups):
            if number in begins:
                yield "startloop"
            yield from self.rules(group, late)
            if number in ends:
                yield "endloop"

    def rules(self, group: ScanGroup, late: str) -> Iterator[str]:
        """A line for each rule of a group."""
        for number, rule in enumerate(group.rules):
            head = "+ " if number else "random " if group.random else ""
            rigid = "rigid " if rule.rigid else ""
            left = " ".join(self.row(row, self.before) for row in rule.rows)
            right = " ".join(self.row(row, self.after) for row in rule.rows) if rule.changes else ""
            commands = sorted(rule.commands, key=lambda one: one.startswith("message"))
            yield f"{head}{late}{rigid}{rule.direction} {left} -> {' '.join([right, *commands])}".rstrip()

    def row(self, row: ScanRow, said: Any) -> str:
        """A bracket."""
        return f"[ {' | '.join('...' if cell is None else ' '.join(said(cell)) for cell in row)} ]"

    def layer_of(self, members: tuple[str, ...]) -> str:
        """The layer of what a cell must have one of."""
        return self.layer[members[0]]

    def before(self, cell: ScanCell) -> Iterator[str]:
        """What a cell must be."""
        for members in (*((one,) for one in cell.present), *cell.some):
            layer = self.layer_of(members)
            ways = tuple(way for on, way in cell.marked if on == layer)
            how = "randomdir" if ways == ABSOLUTE_RANDOM else " ".join(ways)
            yield f"{how or ('stationary' if layer in cell.still else '')} {self.group(members)}".strip()
        yield from self.without(cell.absent)

    def without(self, kinds: Sequence[str]) -> Iterator[str]:
        """That none of these is there: where they are many, by one name, since files have a largest size."""
        if len(kinds) > FEW:
            yield f"no {self.group(tuple(sorted(kinds)))}"
        else:
            yield from (f"no {one}" for one in kinds)

    def after(self, cell: ScanCell) -> Iterator[str]:
        """What it becomes."""
        change = cell.change
        if change is None:
            yield from (self.group(members) for members in (*((one,) for one in cell.present), *cell.some))
            return
        gone, implied = set(change.remove), set[str]()
        kept: list[tuple[str, ...]] = [(one,) for one in change.add]
        added = {self.layer[one] for one in change.add}
        for members in cell.some:
            layer = self.layer_of(members)
            if layer in added or (self.on_layer[layer] <= gone and layer in change.settle):
                implied |= self.on_layer[layer]
            else:
                kept.append(members)
        if not set(change.add) >= set(cell.present):
            implied.update(cell.present)
        for one in change.add:
            implied |= self.on_layer[self.layer[one]]
        for members in kept:
            yield f"{self.how(change, self.layer_of(members))} {self.group(members)}".strip()
        yield from self.without([one for one in change.remove if one not in implied])
        if change.one_of:
            yield f"random {self.group(change.one_of)}"

    def how(self, change: ScanChange, layer: str) -> str:
        """What is said of the layer on the right."""
        ways = [way for on, way in change.mark if on == layer]
        if ways:
            return ways[0]
        if layer in change.any_way:
            return "randomdir"
        return "stationary" if all((layer, mark) in change.clear for mark in MARKS) else ""


# --- the same again? ----------------------------------------------------------------------------------------


def read_back(instances: Sequence[Instance]) -> str | None:
    """The text of some levels of a game; None where other rules, or none, are read from it."""
    instances = as_read(instances)
    game = instances[0].game
    assert game.scan is not None
    text = Rewriter(game, game.scan, [one.level for one in instances]).text()
    try:
        read, levels = importer.read(text.encode(), FILE)
    except DescriptionError:
        return None
    boards = [one.level.board for one in instances]
    compared = Compared(game)
    same = read.scan is not None and compared.scan(read.scan) == compared.scan(game.scan)
    return text if same and [one.board for one in levels] == boards else None


def as_read(instances: Sequence[Instance]) -> list[Instance]:
    """The same with layers named as the importer names them, and something that stands everywhere."""
    game = instances[0].game
    scan = game.scan
    assert scan is not None
    levels = [one.level for one in instances]
    layers, kinds = list(scan.layers), list(game.kinds)
    if not Rewriter(game, scan, levels).ground():
        layers.insert(0, BACKGROUND)
        kinds.insert(0, Kind(BACKGROUND, BACKGROUND))
        below = frozenset([Piece(kinds[0].name)])
        levels = [
            replace(level, board=tuple(tuple(here | below for here in row) for row in level.board))
            for level in levels
        ]
    called = {layer: f"layer-{number}" for number, layer in enumerate(layers, 1)}
    # What a description says nothing of has a colour in pictures; what a file was read from may be unseen.
    shown = {kind.name: kind_colour(kind) if scan.said is not None else kind.colour for kind in kinds}
    kinds = [replace(kind, layer=called[kind.layer], colour=shown[kind.name]) for kind in kinds]
    game = replace(game, kinds=tuple(kinds), scan=with_layers(scan, layers, called))
    return [Instance(game, level) for level in levels]


def with_layers(scan: Scan, layers: Sequence[str], called: Mapping[str, str]) -> Scan:
    """The rules with other names for layers."""

    def mark(one: Mark) -> Mark:
        return called[one[0]], one[1]

    def names(some: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(called[layer] for layer in some)

    def change(one: ScanChange) -> ScanChange:
        clear, marks = tuple(map(mark, one.clear)), tuple(map(mark, one.mark))
        return replace(one, clear=clear, mark=marks, settle=names(one.settle), any_way=names(one.any_way))

    def cell(one: ScanCell | None) -> ScanCell | None:
        if one is None:
            return None
        done = change(one.change) if one.change is not None else None
        return replace(one, marked=tuple(map(mark, one.marked)), still=names(one.still), change=done)

    def stage(one: ScanStage) -> ScanStage:
        groups = [
            replace(
                group,
                rules=tuple(replace(r, rows=tuple(tuple(map(cell, w)) for w in r.rows)) for r in group.rules),
            )
            for group in one.groups
        ]
        return replace(one, groups=tuple(groups))

    return replace(scan, layers=names(tuple(layers)), early=stage(scan.early), late=stage(scan.late))


class Compared:
    """Rules as they are compared: without an order where it says nothing, without what layers say already."""

    def __init__(self, game: Game) -> None:
        self.layer = {kind.name: kind.layer for kind in game.kinds}

    def scan(self, scan: Scan) -> Any:
        """All that says what a turn does."""
        flags = (scan.layers, scan.at_start, scan.must_move, scan.ticks, scan.undo, scan.restart)
        goals = tuple((one.quantifier, one.what, one.ground) for one in scan.goals)
        return self.stage(scan.early), self.stage(scan.late), goals, scan.player, flags

    def stage(self, stage: ScanStage) -> Any:
        """The groups of a stage, and its loops."""
        groups = tuple((one.random, tuple(map(self.rule, one.rules))) for one in stage.groups)
        return groups, stage.loops

    def rule(self, rule: ScanRule) -> Any:
        """A rule."""
        rows = tuple(tuple(cell and self.cell(cell) for cell in row) for row in rule.rows)
        return rule.direction, rows, frozenset(rule.commands), rule.changes, rule.rigid

    def cell(self, cell: ScanCell) -> Any:
        """A cell. What shares a layer with something that is there is absent, said or not."""
        change = cell.change or ScanChange()
        there = {self.layer[one]: {one} for one in cell.present}
        there |= {self.layer[some[0]]: set(some) for some in cell.some}
        absent = {one for one in cell.absent if one in there.get(self.layer[one], {one})}
        parts: Iterable[Iterable[str | Mark]] = (
            *(cell.present, absent, cell.marked, cell.still),
            *(change.remove, change.add, change.clear, change.settle, change.mark, change.any_way),
        )
        return tuple(map(frozenset, parts)), frozenset(map(frozenset, cell.some)), change.one_of
