"""From a plain rule to one of the model: what each cell must hold, and what is done to it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ggp.importers.puzzlescript.faults import Faults
from ggp.importers.puzzlescript.names import Names
from ggp.importers.puzzlescript.rules import ELLIPSIS, Cell, Rule
from ggp.model.scan import MARKS, ScanCell, ScanChange, ScanRule

MOST_ELLIPSES = 2
# `randomdir` on the left asks for two ways at once, which nothing goes.
ASKED = {mark: (mark,) for mark in MARKS} | {"randomdir": ("up", "left")}


class Never(Exception):
    """The rule can never apply and is left out. `pair`: two things of one layer that it wants in one cell."""

    def __init__(self, pair: tuple[str, str] | None = None) -> None:
        self.pair = pair
        super().__init__()


@dataclass(slots=True)
class Wanted:
    """What the left side says of a cell, by name and by layer number."""

    present: list[str] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    some: list[tuple[str, ...]] = field(default_factory=list)
    marked: dict[tuple[int, str], None] = field(default_factory=dict)
    still: list[int] = field(default_factory=list)
    used: dict[int, str] = field(default_factory=dict)
    clash: tuple[str, str] | None = None


class Lowering:
    """Lowers rules; `layers` are the objects of each layer, `layer_names` what the model calls the layers."""

    def __init__(
        self, names: Names, layers: list[tuple[str, ...]], layer_names: tuple[str, ...], faults: Faults
    ):
        self.names, self.layers, self.layer_names, self.faults = names, layers, layer_names, faults
        self.cells: dict[object, ScanCell] = {}  # many rules ask the same of a cell

    def rule(self, rule: Rule) -> ScanRule:
        """The model's rule. Raises Never for one that is to be left out."""
        rows = []
        clash = None
        for index, row in enumerate(rule.left):
            across = rule.right[index] if rule.right else [None] * len(row)
            self.ellipses(rule, row, rule.right[index] if rule.right else None)
            lowered: list[ScanCell | None] = []
            for before, after in zip(row, across, strict=True):
                if before == ELLIPSIS:
                    lowered.append(None)
                    continue
                cell, pair = self.cell(rule, before, after)
                clash = clash or pair
                lowered.append(cell)
            rows.append(tuple(lowered))
        if clash is not None:
            raise Never(clash)
        place = self.faults.place(rule.line, rule.column)
        return ScanRule(rule.direction, tuple(rows), rule.commands, bool(rule.right), rule.rigid, place)

    def fault(self, rule: Rule, message: str, remedy: str) -> None:
        """An error of a rule."""
        self.faults.error(rule.line, rule.column, message, remedy)

    def ellipses(self, rule: Rule, row: list[Cell], across: list[Cell] | None) -> None:
        """Ellipses stand alone between two cells, on both sides alike, and there are two at most."""
        dots = [any(how == "..." for how, _ in cell) for cell in row]
        if any(dot and cell != ELLIPSIS for dot, cell in zip(dots, row, strict=True)):
            self.fault(rule, "something stands in a cell together with an ellipsis", "put a `|` between them")
            raise Never
        if dots[0] or dots[-1]:
            self.fault(rule, "an ellipsis stands at the end of a bracket", "it stands between two cells")
            raise Never
        if across is not None:
            others = [any(how == "..." for how, _ in cell) for cell in across]
            if dots != others or any(
                dot and cell != ELLIPSIS for dot, cell in zip(others, across, strict=True)
            ):
                message = "the ellipses of both sides are not in the same places"
                self.fault(rule, message, "an ellipsis on one side needs one on the other")
                raise Never
        if sum(dots) > MOST_ELLIPSES:
            self.fault(rule, "a bracket has more than two ellipses", "make two rules of it")
            raise Never
        if any(one and two for one, two in zip(dots, dots[1:], strict=False)):
            message = "two ellipses follow one another"
            self.faults.warning(rule.line, rule.column, message, "one says the same")

    # --- a cell -------------------------------------------------------------------------------------------

    def cell(self, rule: Rule, before: Cell, after: Cell | None) -> tuple[ScanCell, tuple[str, str] | None]:
        """A cell of the model, and the pair that clashes on the left, if one does."""
        wanted = self.wanted(rule, before)
        overlap = set(wanted.present) & set(wanted.absent)
        if overlap:
            message = f"{min(overlap).upper()} must be here and must not: the rule is left out"
            self.faults.warning(rule.line, rule.column, message, "leave one away")
            raise Never
        change = self.change(rule, wanted, after) if after is not None else None
        if change == ScanChange():
            change = None
        key = self.ordered
        cell = ScanCell(
            key(wanted.present),
            key(wanted.absent),
            tuple(wanted.some),
            tuple((self.layer_names[layer], way) for layer, way in wanted.marked),
            tuple(self.layer_names[layer] for layer in dict.fromkeys(wanted.still)),
            change,
        )
        return self.cells.setdefault(cell, cell), wanted.clash

    def ordered(self, kinds: list[str]) -> tuple[str, ...]:
        """Each kind once."""
        return tuple(dict.fromkeys(kinds))

    def layer_of(self, rule: Rule, name: str) -> int | None:
        """The layer of a name; an error where there is none."""
        layer = self.names.one_layer(name)
        if layer is None:
            self.fault(rule, f"{name.upper()} is on no single layer", "put it on one, in COLLISIONLAYERS")
        return layer

    def wanted(self, rule: Rule, cell: Cell) -> Wanted:
        """What the left side says."""
        found = Wanted()
        for how, name in cell:
            if how == "random":
                self.fault(
                    rule, "`random` stands on the left side", "it can only make something, on the right"
                )
                continue
            layer = self.layer_of(rule, name)
            if layer is None:
                continue
            if how == "no":
                found.absent += self.names.members(name)
                continue
            if layer in found.used:
                found.clash = (name.upper(), found.used[layer].upper())
            found.used[layer] = name
            if name in self.names.objects:
                found.present.append(name)
            else:
                found.some.append(self.ordered(list(self.names.members(name))))
            if how == "stationary":
                found.still.append(layer)
            else:
                found.marked |= dict.fromkeys((layer, way) for way in ASKED.get(how, ()))
        return found

    def change(self, rule: Rule, wanted: Wanted, after: Cell) -> ScanChange:
        """What the right side makes of the cell."""
        done = Done()
        for how, name in after:
            if how == "random":
                self.random(rule, name, done)
                continue
            layer = self.layer_of(rule, name)
            if layer is None:
                continue
            if how == "no":
                done.remove += self.names.members(name)
                continue
            self.put(rule, how, name, layer, done, wanted.clash is not None)
        if not set(done.add) >= set(wanted.present):
            done.remove += wanted.present
        if not done.mark.keys() >= wanted.marked.keys():
            done.clear |= wanted.marked
        for layer in wanted.used:
            if layer not in done.used:
                done.remove += self.layers[layer]
                done.settle.append(layer)
        kept = {self.names.objects[name].layer for name in done.add}
        for name in wanted.present:
            layer = self.names.objects[name].layer
            if layer is not None and layer not in kept:
                done.settle.append(layer)
        return done.change(self.layer_names)

    def put(self, rule: Rule, how: str, name: str, layer: int, done: Done, hopeless: bool) -> None:
        """Something that stands on the right side."""
        other = done.used.get(layer) or done.by_chance.get(layer)
        if other is not None and not hopeless:
            message = f"{name.upper()} and {other.upper()} are on one layer and cannot both be here"
            self.fault(rule, message, "leave one away")
        done.used[layer] = name
        if how:
            done.settle.append(layer)
        if name in self.names.objects:
            done.add.append(name)
            done.remove += self.layers[layer]
        if how == "stationary":
            done.clear |= dict.fromkeys((layer, way) for way in MARKS)
        elif how == "randomdir":
            done.any_way.append(layer)
        elif how:
            done.mark |= {(layer, how): None}

    def random(self, rule: Rule, name: str, done: Done) -> None:
        """`random A`: one of several, by chance."""
        members = self.names.members(name)
        if not members or name in self.names.all_of:
            self.fault(rule, f"`random {name.upper()}` chooses from nothing", "name something made with `or`")
            return
        if len(members) == 1:
            message = f"`random {name.upper()}` has nothing to choose from"
            self.faults.warning(rule.line, rule.column, message, "name something made with `or`")
        for one in members:
            layer = self.names.objects[one].layer
            if layer is not None:
                done.by_chance[layer] = one
        done.one_of += members


@dataclass(slots=True)
class Done:
    """What the right side does to a cell, by name and by layer number."""

    remove: list[str] = field(default_factory=list)
    add: list[str] = field(default_factory=list)
    clear: dict[tuple[int, str], None] = field(default_factory=dict)
    settle: list[int] = field(default_factory=list)
    mark: dict[tuple[int, str], None] = field(default_factory=dict)
    one_of: list[str] = field(default_factory=list)
    any_way: list[int] = field(default_factory=list)
    used: dict[int, str] = field(default_factory=dict)
    by_chance: dict[int, str] = field(default_factory=dict)

    def change(self, layers: tuple[str, ...]) -> ScanChange:
        """As the model has it: what is added need not be taken away first."""
        added = dict.fromkeys(self.add)

        def named(numbers: list[int]) -> tuple[str, ...]:
            return tuple(layers[number] for number in sorted(set(numbers)))

        def marks(of: dict[tuple[int, str], None]) -> tuple[tuple[str, str], ...]:
            return tuple((layers[number], way) for number, way in of)

        return ScanChange(
            tuple(kind for kind in dict.fromkeys(self.remove) if kind not in added),
            tuple(added),
            marks(self.clear),
            named(self.settle),
            marks(self.mark),
            tuple(dict.fromkeys(self.one_of)),
            named(self.any_way),
        )


def in_groups(rules: list[Rule], lowering: Lowering) -> list[tuple[Rule, list[ScanRule]]]:
    """The groups in the order of their lines; of rules that can never apply none, which is an error at times.

    It is one where all plain rules of a line are such.
    """
    groups: dict[int, tuple[Rule, list[ScanRule]]] = {}
    alive, dead = dict[int, bool](), dict[int, tuple[Rule, tuple[str, str]]]()
    for rule in rules:
        try:
            lowered = lowering.rule(rule)
        except Never as never:
            if never.pair is not None:
                dead.setdefault(rule.line, (rule, never.pair))
            continue
        alive[rule.line] = True
        groups.setdefault(rule.group, (rule, []))[1].append(lowered)
    for line, (rule, pair) in dead.items():
        if line not in alive:
            message = f"{pair[0]} and {pair[1]} are on one layer: this rule can never apply"
            lowering.fault(rule, message, "leave one away, or put them on two layers")
    return [groups[number] for number in sorted(groups)]
