"""COLLISIONLAYERS: a layer a line; what is on one layer excludes one another."""

from __future__ import annotations

import re

from ggp.importers.puzzlescript.faults import Faults
from ggp.importers.puzzlescript.names import Names
from ggp.importers.puzzlescript.source import Line

WORD = re.compile(r"\w+")


def read_layers(lines: list[Line | None], names: Names, faults: Faults) -> list[list[str]]:
    """The objects of each layer. Each object gets its layer's number; the last line that names it counts."""
    layers: list[list[str]] = []
    for line in lines:
        if line is None:
            continue
        layers.append([])
        seen = set[str]()
        for word, column in words(line, faults):
            alone(word, column, line, layers, seen, faults)
            if word in seen:
                message = f"{word.upper()} stands twice in this layer"
                faults.warning(line.number, column, message, "leave one away")
            seen.add(word)
            objects = layered(word, column, line, names, faults)
            taken = [n for n, layer in enumerate(layers[:-1], start=1) if set(layer) & set(objects)]
            if taken:
                message = f"{word.upper()} is on several layers ({', '.join(map(str, taken))} and this one)"
                faults.warning(line.number, column, message, "an object is on one layer; the last one counts")
            layers[-1] += objects
    for number, layer in enumerate(layers):
        for name in layer:
            names.objects[name].layer = number
    if not layers:
        message = "there are no collision layers"
        faults.lacking("collisionlayers", message, "put every object on one, in COLLISIONLAYERS")
    for one in names.objects.values():
        if layers and one.layer is None:
            message = f"the object {one.name.upper()} is on no layer"
            faults.error(one.line, 1, message, "put it on one, in COLLISIONLAYERS")
    return layers


def words(line: Line, faults: Faults) -> list[tuple[str, int]]:
    """The names of a line with their columns; blanks and commas lie between them."""
    found, at = [], 0
    while at < len(line.text):
        match = WORD.match(line.text, at)
        if match is not None:
            found.append((match[0], at + 1))
            at = match.end()
            continue
        if line.text[at] != "," and not line.text[at].isspace():
            message = f"{line.text[at]!r} cannot stand in a layer"
            faults.error(line.number, at + 1, message, "write names, with commas between them")
        at += 1
    return found


def alone(
    word: str, column: int, line: Line, layers: list[list[str]], seen: set[str], faults: Faults
) -> None:
    """The background has a layer of its own."""
    crowded = layers[-1] if word == "background" else "background" in seen
    if crowded:
        message = "the background must be alone on its layer"
        faults.error(line.number, column, message, "give it a line of its own")


def layered(word: str, column: int, line: Line, names: Names, faults: Faults) -> list[str]:
    """The objects that a word puts on a layer."""
    if word in names.all_of:
        message = f"{word.upper()} is several objects together (`and`), which cannot be on one layer"
        faults.error(line.number, column, message, "name its objects, each on its layer")
        return []
    if not names.members(word):
        faults.error(line.number, column, f"there is no {word.upper()}", "declare it in OBJECTS or LEGEND")
    return list(names.members(word))
