"""What the names in a file stand for: objects, other names of objects, and several with `and` or `or`."""

from __future__ import annotations

from dataclasses import dataclass, field

Members = tuple[str, ...]


@dataclass(slots=True)
class Object:
    """Something that stands in cells. `layer` counts from 0; None as long as it is on none."""

    name: str
    line: int
    shown: str  # as the file writes it
    colours: list[str] = field(default_factory=list)
    sprite: list[str] = field(default_factory=list)
    layer: int | None = None


@dataclass(slots=True)
class Names:
    """Every name, in small letters.

    `same`: another name of an object; `either`: one of several (`or`), also under a second name; `all_of`:
    several together (`and`). What is in them are names of objects.
    """

    objects: dict[str, Object] = field(default_factory=dict)
    same: dict[str, str] = field(default_factory=dict)
    either: dict[str, Members] = field(default_factory=dict)
    all_of: dict[str, Members] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    known: set[str] = field(default_factory=set)  # also of entries that were refused

    def __contains__(self, name: str) -> bool:
        return name in self.lines

    def add(self, name: str, line: int) -> None:
        """Take note that a name is taken, and where."""
        self.lines.setdefault(name, line)

    def mean(self, name: str, target: str, line: int) -> None:
        """Make `name` another name of `target`, whatever that is."""
        self.add(name, line)
        if target in self.either:
            self.either[name] = self.either[target]
        elif target in self.all_of:
            self.all_of[name] = self.all_of[target]
        else:
            self.same[name] = self.same.get(target, target)

    def members(self, name: str) -> Members:
        """The objects that a name stands for; none for a name that is not known."""
        if name in self.objects:
            return (name,)
        if name in self.same:
            return self.members(self.same[name]) if self.same[name] in self.objects else ()
        return self.either.get(name) or self.all_of.get(name) or ()

    def one_layer(self, name: str) -> int | None:
        """The layer of an object, or that on which everything of an `or` is; else None."""
        if name in self.objects:
            return self.objects[name].layer
        layers = {self.objects[one].layer for one in self.either.get(name, ())}
        return layers.pop() if len(layers) == 1 else None
