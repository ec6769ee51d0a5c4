"""Rules of which all matches cannot be changed at once, each by itself: one after another, or several rows.

Matches that may touch are on one line, in the direction of the rule, and are changed in the order of their
first cells, from the left or from the top. So a marker runs along each line, on all lines at the same time,
and what begins where it is, was found before, and still holds, is changed: with ellipses those with small
gaps first. That is as many passes as the board is long, and one more for each match.

Where a rule changes several rows, the cells from which each is found are marked, and that it is found is
heard everywhere, before anything is changed. Of rows of which only the first match is changed the others lose
their mark before.
"""

from __future__ import annotations

from collections.abc import Iterator

from ggp.model import Condition, Effect, Group, Pattern, Rule
from ggp.transition.scanned.cells import Part
from ggp.transition.scanned.rules import Ready
from ggp.transition.scanned.writing import OPPOSITE, Writer, as_it_is, group, name_of

Cells = list[tuple[Part, int]]
"""The cells of a row with their distance from the first one."""


def passes(writer: Writer, rule: Ready, way: str | None, looping: bool) -> Iterator[Group]:
    """The passes of a rule, however its matches are changed. `way`: see `Writer.passes`."""
    if rule.plain:
        yield from writer.passes(rule, way, looping)
    elif rule.in_order:
        yield from one_by_one(writer, rule)
    else:
        yield from together(writer, rule)


# --- one after another -------------------------------------------------------------------------------------


def one_by_one(writer: Writer, rule: Ready) -> Iterator[Group]:
    """Mark where the rule is found; a marker runs along each line, and what is found there is changed."""
    listening, heard = writer.all_heard(rule.conditions, rule)
    yield from listening
    gaps = list(writer.gaps(rule.bodies[0]))
    for word in sorted(rule.commands):
        yield writer.commanded(word, gaps, rule, None, heard)
    found = [writer.names.kind(f"found-{number}") for number in range(1, len(gaps) + 1)]
    for cells, mark in zip(gaps, found, strict=True):
        asked = [*asks(writer, rule, cells), *heard]
        yield group([writer.rule(rule, None, asked, (Effect("add", mark, ()),))], rule.place)
    sideways = rule.direction in ("left", "right")
    on = "right" if sideways else "down"
    runner = writer.names.kind("runner")
    edge, start = Condition("outside", (OPPOSITE[on],)), (Effect("add", runner, ()),)
    yield group([writer.rule(rule, None, [edge], start)], rule.place)
    here, length = Condition("present", (), runner), writer.width if sideways else writer.height
    rules = [changing(writer, rule, cells, found[: number + 1], here) for number, cells in enumerate(gaps)]
    go = [Effect("remove", runner, ()), Effect("add", runner, (on,), if_inside=True)]
    go += [Effect("remove", mark, ()) for mark in found]
    rules.append(writer.rule(rule, None, [here], tuple(go)))
    # It stays for each match that begins where it is, and else goes on.
    most = length + sum(max(0, length - cells[-1][1]) for cells in gaps)
    yield Group(name_of(rule.place), tuple(rules), most, rule.place)


def asks(writer: Writer, rule: Ready, cells: Cells) -> list[Condition]:
    """What a row asks for, from its first cell."""
    return [one for part, at in cells for one in writer.conditions(part, (rule.direction,) * at, as_it_is)]


def changing(writer: Writer, rule: Ready, cells: Cells, marks: list[Pattern], here: Condition) -> Rule:
    """Change a match that begins here, if it was found and still holds.

    `marks`: its own is the last one; those of matches that come before it are not waited for any more.
    """
    asked = [here, Condition("present", (), marks[-1]), *asks(writer, rule, cells)]
    gone = (Effect("remove", mark, ()) for mark in marks)
    return writer.rule(rule, None, asked, (*effects(writer, rule, cells), *gone))


def effects(writer: Writer, rule: Ready, cells: Cells) -> Iterator[Effect]:
    """What is done to a row, from its first cell."""
    for part, at in cells:
        yield from writer.effects(part, (rule.direction,) * at, as_it_is)


# --- several rows ------------------------------------------------------------------------------------------


def together(writer: Writer, rule: Ready) -> Iterator[Group]:
    """Mark where each row is found, hear everywhere that all are, and change them."""
    listening, heard = writer.all_heard((*rule.conditions, *rule.bodies), rule)
    yield from listening
    gaps = [(number, cells) for number, body in enumerate(rule.bodies) for cells in writer.gaps(body)]
    for word in sorted(rule.commands):
        first = [cells for number, cells in gaps if number == 0]
        yield writer.commanded(word, first, rule, None, heard)
    found = [writer.names.kind(f"found-{number}") for number in range(1, len(gaps) + 1)]
    for (_, cells), mark in zip(gaps, found, strict=True):
        asked = [*asks(writer, rule, cells), *heard]
        yield group([writer.rule(rule, None, asked, (Effect("add", mark, ()),))], rule.place)
    for (number, _), mark in zip(gaps, found, strict=True):
        if number in rule.firsts:
            yield from first_only(writer, rule, mark)
    for (_, cells), mark in zip(gaps, found, strict=True):
        here, gone = Condition("present", (), mark), Effect("remove", mark, ())
        yield group([writer.rule(rule, None, [here], (*effects(writer, rule, cells), gone))], rule.place)


def first_only(writer: Writer, rule: Ready, mark: Pattern) -> Iterator[Group]:
    """Take a mark away everywhere but where it is first: in the first line that has one, the first cell.

    Lines are rows for rules that look to the side, else columns. Marked is what is behind a mark in its line,
    every cell of a line with one, and what is in a line behind such a one.
    """
    on, across = ("right", "down") if rule.direction in ("left", "right") else ("down", "right")
    lengths = {"right": writer.width, "down": writer.height}
    behind, line, later = (writer.names.kind(name) for name in ("behind", "in-line", "later"))
    stale = [
        writer.rule(rule, None, [here], (Effect("remove", one, ()),))
        for one in (behind, line, later)
        for here in (Condition("present", (), one),)
    ]
    yield group(stale, rule.place)
    yield from handed(writer, rule, [Condition("present", (OPPOSITE[on],), mark)], behind, (on,), lengths[on])
    yield from handed(writer, rule, [Condition("present", (), mark)], line, (on, OPPOSITE[on]), lengths[on])
    yield from handed(
        writer, rule, [Condition("present", (OPPOSITE[across],), line)], later, (across,), lengths[across]
    )
    here, gone = Condition("present", (), mark), (Effect("remove", mark, ()),)
    beaten = [[here, Condition("present", (), one)] for one in (behind, later)]
    yield group([writer.rule(rule, None, asked, gone) for asked in beaten], rule.place)


def handed(
    writer: Writer, rule: Ready, seed: list[Condition], mark: Pattern, ways: tuple[str, ...], length: int
) -> Iterator[Group]:
    """Put a marker where a condition holds, and hand it on these ways, by 1, 2, 4, ... cells."""
    add, none = (Effect("add", mark, ()),), Condition("absent", (), mark)
    yield group([writer.rule(rule, None, [*seed, none], add)], rule.place)
    distance = 1
    while distance < length:
        far = [Condition("present", (OPPOSITE[way],) * distance, mark) for way in ways]
        yield group([writer.rule(rule, None, [none, one], add) for one in far], rule.place)
        distance *= 2
