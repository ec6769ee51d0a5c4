"""An automaton over a word of a certain length: the states and steps that lead to a final state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ggp.encoding.constraints import Automaton


class Unrolled(NamedTuple):
    """`states` before each value of a word and after the last; `steps`, the transitions at each value.

    All lie on a way from the start to a final state. If no word is accepted some set of states is empty.
    """

    states: list[set[int]]
    steps: list[list[tuple[int, int, int]]]


def unrolled(automaton: Automaton, domains: Sequence[Sequence[int]]) -> Unrolled:
    """The automaton over words of which value i is one of `domains[i]`."""
    ways, states = automaton.transitions, [{0}]
    for domain in domains:
        states.append({t for s, v, t in ways if s in states[-1] and v in domain})
    states[-1] &= set(automaton.finals)
    steps: list[list[tuple[int, int, int]]] = []
    for at, domain in reversed([*enumerate(domains)]):
        steps.append(
            [(s, v, t) for s, v, t in ways if s in states[at] and v in domain and t in states[at + 1]]
        )
        states[at] = {s for s, _, _ in steps[-1]}
    return Unrolled(states, steps[::-1])
