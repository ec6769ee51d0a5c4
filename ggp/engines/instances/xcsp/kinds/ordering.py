"""What comes before what: ordered, lex, precedence."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ggp.engines.instances.xcsp.said import Said
from ggp.engines.instances.xcsp.writing import Truth, Writer, negated

OPERATORS = ("lt", "le", "ge", "gt")


def operator(said: Said) -> str:
    """How what follows compares; `le` if nothing is said."""
    found = said.get("operator")
    word = "le" if found is None else found.text.strip()
    if word not in OPERATORS:
        said.refuse(f"`{word[:40]}` orders nothing", f"there are {', '.join(OPERATORS)}")
    return word


def ordered(said: Said, write: Writer) -> None:
    """Each compares so with the next; lengths are added to each before."""
    totals, lengths = write.totals(said.main), said.get("lengths")
    added = [] if lengths is None else write.totals(lengths)
    if lengths is not None and len(added) != len(totals):  # that of the last says nothing
        write.as_many(lengths, len(added), len(totals) - 1)
    write.in_order(totals, operator(said), added)


def lex(said: Said, write: Writer) -> None:
    """The lists are in the order of a dictionary; of a matrix its rows, and its columns."""
    op, matrix = operator(said), said.get("matrix")
    if matrix is not None:
        rows = write.rows(matrix)
        lines = [rows, [list(column) for column in zip(*rows, strict=True)]]
    else:
        lists = said.all("list")
        if len(lists) < 2:
            said.refuse("there are no two lists", "write several")
        lines = [[write.variables(one) for one in lists]]
        for said_of, line in zip(lists, lines[0], strict=True):
            write.as_many(said_of, len(line), len(lines[0][0]))
    for some in lines:
        for one, other in pairwise(some):
            first, second = (one, other) if op in ("lt", "le") else (other, one)
            write.post.clause((before(first, second, op in ("lt", "gt"), write),))


def before(one: Sequence[int], other: Sequence[int], strict: bool, write: Writer) -> Truth:
    """Is the one list before the other, or the same if that will do?"""
    post, found = write.post, not strict
    truth: Truth = found
    for a, b in reversed([*zip(one, other, strict=True)]):
        difference = write.value(a) - write.value(b)
        less, same = post.compared(difference, "lt", 0), post.compared(difference, "eq", 0)
        truth = post.either((less, post.both((same, truth))))
    return truth


def precedence(said: Said, write: Writer) -> None:
    """Of two values that follow one another the second is nowhere before the first."""
    post, values = write.post, said.get("values")
    variables = write.variables(said.main)
    if values is None:
        wanted = sorted({value for v in variables for value in post.domain(v)})
    else:
        wanted = write.scope.whole(values)
    for first, second in pairwise(wanted):
        there: Truth = False
        for v in variables:
            post.clause((negated(post.equal(v, second)), there))
            there = post.either((there, post.equal(v, first)))
    if values is not None and values.flag("covered", False):
        for value in wanted:
            post.clause(post.equal(v, value) for v in variables)
