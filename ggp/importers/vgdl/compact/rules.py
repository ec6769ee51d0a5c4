"""Ways through a tick as one group of rules, and the kinds and layers that belong to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal as OneOf

from ggp.errors import Place
from ggp.importers.vgdl.compact import Local
from ggp.importers.vgdl.compact.knowledge import Literal, Together
from ggp.importers.vgdl.compact.ways import Way
from ggp.importers.vgdl.forms import Forms
from ggp.importers.vgdl.steps import gone, put, stop, take, there
from ggp.model import Condition, Effect, Group, InputIs, Kind, Path, Pattern, Rule

Held = Callable[[str, int | None], Pattern]


class Writer:
    """Writes the rules. `held` gives the piece for an amount of a resource."""

    def __init__(self, forms: Forms, found: Local, held: Held, place: Place) -> None:
        self.forms, self.found, self.held, self.place = forms, found, held, place

    def group(self) -> Group | None:
        """All rules, those that ask most first; None where nothing ever happens."""
        rules = tuple(self.rule(way) for way in self.found.ways)
        return Group("play", rules, None, self.place) if rules else None

    def rule(self, way: Way) -> Rule:
        """One way as a rule."""
        avatar = self.forms.pattern(self.forms.plain[way.avatar])
        asks: list[Condition | InputIs] = [] if way.goes else [InputIs("wait")]
        asks += [there(avatar), *(self.condition(one) for one in way.literals)]
        toward: OneOf["input", "none"] = "input" if way.goes else "none"
        effects = self.effects(way)
        return Rule(name_of(way), toward, tuple(asks), effects, place=self.place, score=way.score)

    def condition(self, literal: Literal) -> Condition:
        """One answer as a condition."""
        path = path_of(literal.cell)
        if not literal.keys:
            return Condition("inside" if literal.holds else "outside", path)
        if literal.amount is not None:
            (resource,) = literal.keys
            return (
                there(self.held(resource, literal.amount))
                if literal.amount
                else gone(self.held(resource, None))
            )
        names = [self.forms.name(self.forms.plain[key]) for key in literal.keys]
        return (there if literal.holds else gone)(self.forms.group(names), path)

    def effects(self, way: Way) -> tuple[Effect, ...]:
        """What a way changes."""
        if way.stops:
            return stop()
        done: list[Effect] = []
        for key, cell in sorted(way.taken):
            done.append(take(self.pattern(key), path_of(cell)))
        for key, cell, to in sorted(way.moved, reverse=True):
            done.append(Effect("move", self.pattern(key), path_of(cell), path_of(to)))
        for key, cell in sorted(way.put):
            done.append(put(self.pattern(key), path_of(cell)))
        return (*done, *self.holding(way))

    def holding(self, way: Way) -> tuple[Effect, ...]:
        """What the avatar has goes along with it, as it is or changed."""
        done: list[Effect] = []
        changed = {resource for resource, *_ in way.held}
        for resource, before, after in sorted(way.held):
            done += [take(self.held(resource, before))] if before else []
            done += [put(self.held(resource, after), path_of(way.ends))] if after else []
        if way.ends and not way.dies:
            for resource in sorted(self.found.resources - changed):
                done.append(Effect("move", self.held(resource, None), (), path_of(way.ends)))
        return tuple(done)

    def pattern(self, key: str) -> Pattern:
        """The pattern of a type at rest."""
        return self.forms.pattern(self.forms.plain[key])


def path_of(cell: int) -> Path:
    """The cell as steps from the avatar."""
    return ("ahead",) * cell


def name_of(way: Way) -> str:
    """A name for a rule that says what is there."""
    what = [key for one in way.literals if one.holds and one.amount is None for key in sorted(one.keys)[:1]]
    return "-".join([way.avatar, *(["leaves"] if way.stops else what or ["steps"])])


def layered(kinds: tuple[Kind, ...], key_of: dict[str, str], together: Together) -> tuple[Kind, ...]:
    """Kinds of which no two are ever in one cell share a layer, as a person would have it."""
    layers: list[list[str]] = []
    found = []
    order = sorted(kinds, key=lambda kind: key_of.get(kind.name) not in together.players)
    for kind in order:
        key = key_of.get(kind.name)
        if key is None:
            found.append(kind)
            continue
        free = (one for one in layers if not any(together.fit(key, other) for other in one))
        layer = next(free, None)
        if layer is None:
            layer = []
            layers.append(layer)
        layer.append(key)
        found.append(replace(kind, layer=f"layer-{layers.index(layer) + 1}"))
    names = [kind.name for kind in kinds]
    return tuple(sorted(found, key=lambda kind: names.index(kind.name)))
