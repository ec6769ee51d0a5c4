"""What stands anywhere on the board, asked for where it says shorter what rules about what is near say.

An exit that opens when no coin is left anywhere can be said by what stands near it in each turn that was
seen, and with more turns by more of that. Of all turns together such a sign tells next to nothing, for hardly
any is at the exit. So it is looked for among turns that look alike to the actor and ended differently.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from ggp.errors import NotLearned
from ggp.learn.boards import Turn
from ggp.learn.fit.program import Passes, Program
from ggp.learn.fit.sights import Example
from ggp.learn.fit.toil import account
from ggp.learn.seen.signs import Sign
from ggp.learn.seen.structure import Structure
from ggp.learn.turn.evidence.actors import actor_of
from ggp.learn.turn.one_pass.elsewhere import stacks_of, thinkable, told
from ggp.learn.turn.one_pass.events import learn_pass
from ggp.learn.turn.one_pass.faraway import looked_at, single

MOST = 3  # signs that are asked for together
BITS = 8.0  # that a sign says of turns that look alike, all together: by chance one of some dozen says less
WORK = 5e6


def shorter_with_signs(
    near: Program | Passes, turns: Sequence[Turn], structure: Structure
) -> Program | Passes:
    """What was learned; or if that is one pass, a shorter one that asks for what stands anywhere."""
    plain = isinstance(near, Program) and not near.loop and not near.structure.signs
    signs = missed_signs(turns, structure) if plain else ()
    if not signs:
        return near
    try:
        with account(WORK):
            other = learn_pass(turns, replace(structure, signs=signs), limits=(near.cost,))
    except NotLearned:
        return near
    return other if other.cost < near.cost else near


def missed_signs(turns: Sequence[Turn], structure: Structure) -> tuple[Sign, ...]:
    """The signs that say most of what an only actor does where what is before it does not say it."""
    alike = list(looking_alike(turns, structure))
    boards = [[stacks_of(one.turn.before, structure) for one in some] for some in alike]
    events = [
        [frozenset((s, structure.name(token)) for s, _, token in one.changes) for one in some]
        for some in alike
    ]
    signs = thinkable(
        frozenset(map(structure.name, stack)) for stack in set(chain.from_iterable(chain(*boards)))
    )
    best: dict[tuple[bool, ...], tuple[float, Sign]] = {}
    for sign in signs:
        columns = [[any(map(sign.of, stacks)) for stacks in some] for some in boards]
        bits = sum(len(some) * told(column, some) for column, some in zip(columns, events, strict=True))
        flat = tuple(chain.from_iterable(columns))
        column = flat if flat[:1] != (True,) else tuple(not one for one in flat)
        if bits >= BITS and column not in best:
            best[column] = bits, sign
    return tuple(sign for _, sign in sorted(best.values(), key=lambda one: (-one[0], one[1]))[:MOST])


def looking_alike(turns: Sequence[Turn], structure: Structure) -> Iterator[list[Example]]:
    """Turns in which the only actor sees the same here and ahead, and not always the same changes."""
    actor = actor_of(turns, structure)
    looks = looked_at(single(turns, structure, actor), structure, [(0, 0), (1, 0)])
    groups: dict[object, list[Example]] = defaultdict(list)
    for one, look in looks.items():
        groups[look].append(one)
    for some in groups.values():
        if len({frozenset((s, structure.name(t)) for s, _, t in one.changes) for one in some}) > 1:
            yield some
