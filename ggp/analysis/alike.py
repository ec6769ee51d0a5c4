"""Which kinds of a game in scan order are alike: which of them is there makes no difference to what wins.

Whole layers may make none (what only shows how something is joined to what is beside it, or moves for show);
on others some kinds may be told apart by no rule that does anything (which way the player looks). Kinds are
taken to be alike until a rule that makes a difference asks for one and not for the other: the coarsest
partition that the rules keep to (Paige and Tarjan, "Three partition refinement algorithms", 1987). So two
states with alike kinds in the same places go on alike for ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ggp.model import Game
from ggp.model.scan import Crowd, ScanCell, ScanChange, ScanRule
from ggp.referee.scanning.ground import changes_of

HEARD = frozenset({"again", "cancel", "checkpoint", "restart", "win"})  # commands; others are for the ear


def alike(game: Game) -> Partition | None:
    """The kinds that are alike; None where all make a difference, or it is not shown of any."""
    scan = game.scan
    assert scan is not None
    rules = [*scan.rules]
    commands = {command for rule in rules for command in rule.commands}
    if any(group.random for group in scan.groups) or not all(map(plain, changes_of(scan))):
        return None
    found = Partition(game, heard=commands if {"again", "cancel"} <= commands else HEARD)
    for goal in scan.goals:
        found.ask_crowd(goal.what)
        if goal.ground is not None:
            found.ask_crowd(goal.ground)
    if scan.must_move:
        found.ask_crowd(scan.player)
    layers = {id(rule): changed_by(rule, found.layer) for rule in rules}
    known, seen = -1, dict[int, int]()
    while known != found.size:
        known = found.size
        found.steer(scan.player)
        for rule in rules:
            finer = found.size_of(layers[id(rule)])
            if seen.get(id(rule)) == finer:
                continue  # it would say the same again, as it does in nearly all rounds
            if found.matters(rule):
                found.tell_apart(rule)
            seen[id(rule)] = finer
        rules.reverse()  # rules that show one another to matter may stand in either order
    return found if found.blocks and found.size < len(game.kinds) else None


def cells(rule: ScanRule) -> Iterator[ScanCell]:
    """The cells of a rule, without ellipses."""
    return (cell for row in rule.rows for cell in row if cell is not None)


def plain(change: ScanChange) -> bool:
    """Is it without chance, and is what gets a mark rid of others, so that nothing has two?"""
    return not (change.one_of or change.any_way) and {layer for layer, _ in change.mark} <= {*change.settle}


class Partition:
    """What is told apart so far; it only ever becomes finer. `heard`: commands that make a difference.

    `blocks`: of each layer that makes a difference the kinds that are alike. Only blocks of which something
    is asked are looked at: games of thousands of rules have thousands of them.
    """

    def __init__(self, game: Game, heard: Iterable[str]) -> None:
        self.heard = frozenset(heard)
        self.layer = {kind.name: kind.layer for kind in game.kinds}
        self.kinds: dict[str, set[str]] = {}
        for kind in game.kinds:
            self.kinds.setdefault(kind.layer, set()).add(kind.name)
        self.blocks: dict[str, list[set[str]]] = {}
        self.block_of: dict[str, set[str]] = {}

    @property
    def size(self) -> int:
        """How many kinds, or sets of alike ones, there are."""
        return self.size_of(self.blocks)

    def size_of(self, layers: Iterable[str]) -> int:
        """The same of some layers."""
        return sum(len(self.blocks.get(layer, ())) for layer in layers)

    def ask_layer(self, layer: str) -> None:
        """That anything is on this layer makes a difference."""
        if layer not in self.blocks:
            block = set(self.kinds[layer])
            self.blocks[layer] = [block]
            self.block_of.update(dict.fromkeys(block, block))

    def ask(self, kinds: Iterable[str]) -> None:
        """That one of these is there makes a difference: on each layer they differ from the others."""
        parts: dict[int, set[str]] = {}
        for kind in kinds:
            self.ask_layer(self.layer[kind])
            parts.setdefault(id(self.block_of[kind]), set()).add(kind)
        for part in parts.values():
            kind = next(iter(part))
            block = self.block_of[kind]
            if len(part) < len(block):
                block -= part
                self.blocks[self.layer[kind]].append(part)
                self.block_of.update(dict.fromkeys(part, part))

    def ask_each(self, layer: str) -> None:
        """Each kind of a layer differs from all others."""
        if len(self.blocks.get(layer, ())) < len(self.kinds[layer]):
            for kind in self.kinds[layer]:
                self.ask([kind])

    def ask_crowd(self, crowd: Crowd) -> None:
        """The same for what a condition speaks of."""
        for kinds in ((kind,) for kind in crowd.kinds) if crowd.together else (crowd.kinds,):
            self.ask(kinds)

    def steer(self, player: Crowd) -> None:
        """An input marks what stands for the player, and nothing else."""
        layers = {self.layer[kind] for kind in player.kinds}
        if layers & self.blocks.keys():
            if player.together:
                self.ask_crowd(player)
            else:
                self.ask(kind for kind in player.kinds if self.layer[kind] in self.blocks)

    def matters(self, rule: ScanRule) -> bool:
        """Does it do anything by which states come to differ, as far as is known?"""
        if rule.rigid or not self.heard.isdisjoint(rule.commands):
            return True
        return any(self.differs(cell, layer) for cell in cells(rule) for layer in touched(cell, self.layer))

    def differs(self, cell: ScanCell, layer: str) -> bool:
        """Does a layer of the cell come to differ?"""
        return layer in self.blocks and (self.other_kind(cell, layer) or other_mark(cell, layer))

    def other_kind(self, cell: ScanCell, layer: str) -> bool:
        """May something stand there afterwards that is not alike?"""
        assert cell.change is not None
        there = self.there(cell, layer)
        added = [kind for kind in cell.change.add if self.layer[kind] == layer]
        removed = {kind for kind in cell.change.remove if self.layer[kind] == layer}
        if not added:
            return not removed <= set(cell.absent) if there is None else not there.isdisjoint(removed)
        return len(added) > 1 or there is None or not there <= self.block_of[added[0]]

    def there(self, cell: ScanCell, layer: str) -> set[str] | None:
        """What may be on a layer of a cell; None: also nothing."""
        asked = [{kind} for kind in cell.present if self.layer[kind] == layer]
        asked += [set(some) for some in cell.some if {self.layer[kind] for kind in some} == {layer}]
        return set.intersection(*asked) - set(cell.absent) if asked else None

    def tell_apart(self, rule: ScanRule) -> None:
        """What it asks for makes a difference, and so does what it takes away and what it leaves."""
        for cell in cells(rule):
            for kind in cell.present:
                self.ask([kind])
            self.ask(cell.absent)
            for some in cell.some:
                self.ask(some)
            for layer in (*(layer for layer, _ in cell.marked), *cell.still):
                self.ask_layer(layer)
            if rule.rigid:  # what it marks and cannot go undoes others
                for layer in touched(cell, self.layer):
                    self.ask_layer(layer)
            if cell.change is not None:
                self.tell_change(cell.change)

    def tell_change(self, change: ScanChange) -> None:
        """The same of a change. What comes does away with all else on its layer, or all are told apart."""
        removed = set(change.remove)
        for layer in {self.layer[kind] for kind in (*change.add, *removed)} & self.blocks.keys():
            added = {kind for kind in change.add if self.layer[kind] == layer}
            if not added:
                self.ask(removed & self.kinds[layer])
            elif not self.kinds[layer] <= added | removed or len(added) > 1:
                self.ask_each(layer)


def changed_by(rule: ScanRule, layer_of: Mapping[str, str]) -> set[str]:
    """The layers that a rule changes: whether it matters, and what it then tells apart, hangs on these."""
    return {layer for cell in cells(rule) for layer in touched(cell, layer_of)}


def touched(cell: ScanCell, layer_of: Mapping[str, str]) -> set[str]:
    """The layers of which the cell changes something."""
    change = cell.change or ScanChange()
    kinds = {layer_of[kind] for kind in (*change.remove, *change.add)}
    return kinds | {layer for layer, _ in (*change.clear, *change.mark)} | {*change.settle}


def other_mark(cell: ScanCell, layer: str) -> bool:
    """May what stands on a layer be marked otherwise afterwards?"""
    assert cell.change is not None
    before = {way for one, way in cell.marked if one == layer}
    still = layer in cell.still
    after = {way for one, way in cell.change.mark if one == layer}
    cleared = {way for one, way in cell.change.clear if one == layer}
    if layer in cell.change.settle:
        return not (before == after and (after or still))
    return bool(cleared & before or (cleared and not before and not still))
