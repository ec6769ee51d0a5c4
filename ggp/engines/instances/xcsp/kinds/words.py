"""What is spelt out: extension, regular, mdd, intension."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ggp.encoding.constraints import Automaton, Clause, Regular
from ggp.engines.instances.text import MOST_LINES
from ggp.engines.instances.xcsp.said import Said
from ggp.engines.instances.xcsp.scope import WHOLE, tuples
from ggp.engines.instances.xcsp.writing import Writer, negated

ANY = "*"
Way = tuple[str, int, str]


def intension(said: Said, write: Writer) -> None:
    """The expression holds."""
    main = said.one("function") if said.parts else said
    write.trees.require(write.scope.node(re.sub(r"\s", "", main.text), main.place))


def extension(said: Said, write: Writer) -> None:
    """The values are a row of the table, or none of its rows."""
    post, variables = write.post, write.variables(said.one("list"))
    conflicts = said.get("conflicts")
    table = said.one("supports") if conflicts is None else conflicts
    if said.get("supports") is not None and conflicts is not None:
        said.refuse("there are both supports and conflicts", "leave one")
    if len(variables) == 1 and "(" not in table.text:
        inside = post.among(variables[0], write.scope.whole(table))
        post.clause((inside if conflicts is None else negated(inside),))
        return
    rows = [
        row_of(text, table, len(variables), write) for text in tuples(table.text, table.place, MOST_LINES)
    ]
    if conflicts is None:
        post.table(variables, rows)
        return
    for row in rows:
        post.tick()
        there = zip(variables, row, strict=True)
        post.clause([negated(post.equal(v, x)) for v, x in there if x is not None])


def row_of(text: str, table: Said, length: int, write: Writer) -> tuple[int | None, ...]:
    """A row of a table; None stands for any value."""
    words = [word.strip() for word in text.split(",")]
    write.as_many(table, len(words), length)
    for word in words:
        if word != ANY and WHOLE.fullmatch(word) is None:
            table.refuse(f"{word[:40]!r} is no value", "write whole numbers, or * for any")
    return tuple(None if word == ANY else int(word) for word in words)


def regular(said: Said, write: Writer) -> None:
    """The values lead an automaton from its start to one of its ends."""
    finals = said.one("final").text.split()
    run(said, said.one("start").text, finals, ways_of(said), write)


def mdd(said: Said, write: Writer) -> None:
    """The values lead through a diagram from its root to its end."""
    ways = ways_of(said)
    roots = list(dict.fromkeys(a for a, _, _ in ways if a not in {b for _, _, b in ways}))
    ends = list(dict.fromkeys(b for _, _, b in ways if b not in {a for a, _, _ in ways}))
    if len(roots) != 1 or len(ends) != 1:
        said.refuse(f"the diagram has {len(roots)} roots and {len(ends)} ends", "one of each is wanted")
    run(said, roots[0], ends, ways, write)


def ways_of(said: Said) -> list[Way]:
    """The transitions."""
    table, found = said.one("transitions"), list[Way]()
    for text in tuples(table.text, table.place, MOST_LINES):
        words = [word.strip() for word in text.split(",")]
        if len(words) != 3 or WHOLE.fullmatch(words[1]) is None:
            table.refuse(f"({text[:60]}) is no transition", "write (state,value,state)")
        found.append((words[0], int(words[1]), words[2]))
    return found


def run(said: Said, start: str, finals: Iterable[str], ways: list[Way], write: Writer) -> None:
    """The values lead from the start to one of the ends."""
    post, variables = write.post, write.variables(said.one("list"))
    numbers = {start: 0}
    for a, _, b in ways:
        numbers.setdefault(a, len(numbers))
        numbers.setdefault(b, len(numbers))
    steps = {(numbers[a], value, numbers[b]) for a, value, b in ways}
    if len({(a, value) for a, value, _ in steps}) < len(steps):
        said.refuse("several states come after one state and value", "only deterministic ones are taken")
    ends = tuple(sorted({numbers[one] for one in finals if one in numbers}))
    if not ends or not variables:
        post.add(Clause((), post.why))
        return
    post.add(Regular(tuple(variables), Automaton(tuple(sorted(steps)), ends), post.why))
