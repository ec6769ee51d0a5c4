"""Compiled loops over the tables of `ggp.search.push.tables`: firing operators, walking, judging."""

from __future__ import annotations

from ggp.search.push.tables import Array, Operators, Terms
from ggp.transition.native.compiling import inlined, tight
from ggp.transition.native.words import popcount


@inlined
def fires(ops: Operators, words: Array, node: int, action: int, inputs: int) -> int:
    """The operator that fires for an input on an agent cell, -1 for none."""
    for operator in range(ops.first[node * inputs + action], ops.first[node * inputs + action + 1]):
        holds = True
        for ask in range(ops.ask_first[operator], ops.ask_first[operator + 1]):
            there = (words[ops.ask_word[ask]] & ops.ask_mask[ask]) != 0
            if there != ops.ask_wanted[ask]:
                holds = False
                break
        if holds:
            return operator
    return -1


@tight
def all_hold(terms: Terms, words: Array) -> bool:
    """Is every count within its bounds?"""
    for term in range(terms.base.size):  # noqa: SIM110 - the compiler knows no generators
        if not holds(terms, words, term):
            return False
    return True


@tight
def any_holds(terms: Terms, words: Array) -> bool:
    """Is some count within its bounds?"""
    for term in range(terms.base.size):  # noqa: SIM110 - as above
        if holds(terms, words, term):
            return True
    return False


@inlined
def holds(terms: Terms, words: Array, term: int) -> bool:
    """Is this count within its bounds?"""
    count = terms.base[term]
    for word in range(words.size):
        count += popcount(words[word] & terms.mask[term, word])
    return bool(terms.low[term] <= count <= terms.high[term])
