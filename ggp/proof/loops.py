"""The loops of the checker of proofs, over tables of whole numbers.

A literal is 2 x variable, plus 1 where it is negated. Each clause has two slots, its first two places, which
hold literals that are not false as long as there are two such; `first` and `after` chain, for each literal,
the slots that hold it. What is known stays known: the trail only grows, apart from what is assumed for the
time of one question. Clauses that gave it may be deleted then, as if it had been a step before.

The same text runs as it stands (tables are lists) and compiled (they are arrays, see `native_loops`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

KNOWN, DONE, STEPS, PROVED = range(4)  # of `counts`: what is on the trail, how much of it was followed up


class Tables(NamedTuple):
    """What is known while a proof is read; each a list or an array of whole numbers."""

    lits: Any  # of all clauses, one after another: the formula's, then the proof's
    begins: Any  # where each clause begins in it; one more for the end
    there: Any  # of each clause: 1 while it can be used
    first: Any  # of each literal: a slot (2 x clause, or that plus 1) that holds it, or -1
    after: Any  # of each slot: the next one that holds the same literal, or -1
    value: Any  # of each literal: 1 true, -1 false, 0 not known
    trail: Any  # the literals that are true, in the order in which they became so
    counts: Any


def assign(tables: Tables, lit: int) -> None:
    """Make a literal true."""
    tables.value[lit], tables.value[lit ^ 1] = 1, -1
    tables.trail[tables.counts[KNOWN]] = lit
    tables.counts[KNOWN] += 1


def retract(tables: Tables, mark: int) -> None:
    """Forget what came after so many literals of the trail."""
    for place in range(mark, tables.counts[KNOWN]):
        lit = tables.trail[place]
        tables.value[lit] = tables.value[lit ^ 1] = 0
    tables.counts[KNOWN] = tables.counts[DONE] = mark


def other_place(tables: Tables, clause: int, place: int) -> bool:
    """Put a literal that is not false into this place, which is a slot; False if there is no further one."""
    for further in range(tables.begins[clause] + 2, tables.begins[clause + 1]):
        lit = tables.lits[further]
        if tables.value[lit] >= 0:
            tables.lits[further] = tables.lits[place]
            tables.lits[place] = lit
            return True
    return False


def propagate(tables: Tables) -> bool:
    """Draw the consequences of the trail, clause by clause; True if they contradict each other."""
    lits, begins, value = tables.lits, tables.begins, tables.value
    first, after, counts = tables.first, tables.after, tables.counts
    while counts[DONE] < counts[KNOWN]:
        false = tables.trail[counts[DONE]] ^ 1
        counts[DONE] += 1
        slot, before = first[false], -1
        while slot >= 0:
            following, clause = after[slot], slot >> 1
            place = begins[clause] + (slot & 1)
            other = lits[begins[clause] + 1 - (slot & 1)]
            leaves = not tables.there[clause]
            if not leaves and value[other] <= 0:
                leaves = other_place(tables, clause, place)
                if leaves:
                    after[slot] = first[lits[place]]
                    first[lits[place]] = slot
                elif value[other] < 0:
                    return True
                else:
                    assign(tables, other)
            if not leaves:
                before = slot
            elif before < 0:
                first[false] = following
            else:
                after[before] = following
            slot = following
    return False


def refuted(tables: Tables, clause: int, but: int) -> bool:
    """Assume that no literal of the clause holds, `but` left out: True if that contradicts itself."""
    for place in range(tables.begins[clause], tables.begins[clause + 1]):
        lit = tables.lits[place]
        if lit != but:
            if tables.value[lit] > 0:
                return True
            if tables.value[lit] == 0:
                assign(tables, lit ^ 1)
    return propagate(tables)


def harmless(tables: Tables, clause: int) -> bool:
    """While its literals are assumed to be false: can the first of them be true wherever this is asked for?

    So it is if each clause with its opposite gives a contradiction as well (a resolution asymmetric
    tautology). Then whatever satisfies all clauses can be made to satisfy this one, too.
    """
    opposite = tables.lits[tables.begins[clause]] ^ 1
    mark = tables.counts[KNOWN]
    for other in range(clause):
        if tables.there[other] and holds_literal(tables, other, opposite):
            contradicts = refuted(tables, other, opposite)
            retract(tables, mark)
            if not contradicts:
                return False
    return True


def holds_literal(tables: Tables, clause: int, lit: int) -> bool:
    """Is the literal one of the clause's?"""
    for place in range(tables.begins[clause], tables.begins[clause + 1]):  # noqa: SIM110 (not compiled)
        if tables.lits[place] == lit:
            return True
    return False


def follows(tables: Tables, clause: int) -> bool:
    """May the clause be added: does it follow by propagation, or is it harmless?"""
    mark, empty = tables.counts[KNOWN], tables.begins[clause] == tables.begins[clause + 1]
    # What is known already may rest on clauses that were deleted; nothing is harmless against that.
    fixed = empty or tables.value[tables.lits[tables.begins[clause]]] != 0
    right = refuted(tables, clause, -1) or (not fixed and harmless(tables, clause))
    retract(tables, mark)
    return right


def add(tables: Tables, clause: int) -> bool:
    """Use the clause from now on; True if that is a contradiction."""
    begin, end = tables.begins[clause], tables.begins[clause + 1]
    tables.there[clause] = 1
    found = 0
    for place in range(begin, end):
        lit = tables.lits[place]
        if tables.value[lit] >= 0 and found < 2:
            tables.lits[place] = tables.lits[begin + found]
            tables.lits[begin + found] = lit
            found += 1
    if found == 2:
        for slot in (2 * clause, 2 * clause + 1):
            lit = tables.lits[begin + (slot & 1)]
            tables.after[slot] = tables.first[lit]
            tables.first[lit] = slot
    elif found == 1 and tables.value[tables.lits[begin]] == 0:
        assign(tables, tables.lits[begin])
        return propagate(tables)
    return found == 0


def load(tables: Tables, clauses: int) -> None:
    """Use the first so many clauses, those of the formula."""
    for clause in range(clauses):
        if add(tables, clause):
            tables.counts[PROVED] = 1
            return


def read(tables: Tables, steps: Any, begin: int, end: int) -> int:
    """Go through these steps; the number of the one that was refused, or else of the first not looked at.

    A step is the number of a clause that is added, or -1 minus that of one that is deleted.
    """
    for number in range(begin, end):
        clause = steps[number]
        if clause < 0:
            tables.there[-1 - clause] = 0
            continue
        if not follows(tables, clause):
            return number
        tables.counts[STEPS] += 1
        if add(tables, clause):
            tables.counts[PROVED] = 1
            return number
    return end
