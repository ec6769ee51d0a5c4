"""The effects of a game made ready: which of its lines can do anything, as sets of lines.

Most lines of an exported game speak of sprites that are there for a moment only, so going through all of
them would take nearly all the time of a tick. A set of lines is an integer with a bit a line. For each name
there is the set of lines in which it is the actor, and of those in which it is the partner; a level keeps
the union over the names of what is there, and goes from one line that is in both to the next.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from ggp.engines.vgdl.effects import Act, act_of
from ggp.importers.vgdl.fixed import Fixed
from ggp.importers.vgdl.game import Effect, VgdlGame
from ggp.importers.vgdl.ontology import SPECIAL


class Line(NamedTuple):
    """An effect made ready: the numbers of the sprite types that it names, None where a name is none."""

    effect: Effect
    act: Act
    actors: int | None
    partners: int | None
    fresh: tuple[str, ...]  # parents' names that this effect is the first of the tick to name


class Program(Fixed):
    """The lines of a game, and sets of them.

    `acts` and `meets` have, for each type and parent, the lines where it is actor and partner; `lists`, for
    each type, the lines that are the first to name a parent of it alone. `anyway`: lines to be looked at
    whatever there is, `special`: lines whose partner is no sprite, `own`: lines whose actor (`own_partners`:
    partner) is no parent.
    """

    def __init__(self, game: VgdlGame) -> None:
        number = {kind.key: index for index, kind in enumerate(game.sprites)}
        parents = Counter(name for kind in game.sprites for name in kind.stypes[:-1])
        only = {name: kind.key for kind in game.sprites for name in kind.stypes[:-1] if parents[name] == 1}
        self.acts = dict.fromkeys((*number, *parents), 0)
        self.meets = dict.fromkeys((*number, *parents, *SPECIAL), 0)
        self.lists = dict.fromkeys(number, 0)
        self.anyway = 0
        lines, named = [], set(number) | SPECIAL
        for index, effect in enumerate(game.effects):
            bit = 1 << index
            fresh = tuple(dict.fromkeys(n for n in (effect.actor, effect.partner) if n not in named))
            named.update(fresh)
            if len(fresh) == 1 and fresh[0] in only:
                self.lists[only[fresh[0]]] |= bit
            elif fresh:
                self.anyway |= bit
            self.acts[effect.actor] |= bit
            self.meets[effect.partner] |= bit
            lines.append(
                Line(effect, act_of(effect), number.get(effect.actor), number.get(effect.partner), fresh)
            )
        self.lines = tuple(lines)
        self.special = sum(self.meets[name] for name in SPECIAL)
        self.own = sum(self.acts[key] for key in number)
        self.own_partners = sum(self.meets[key] for key in number) + self.special


@lru_cache(maxsize=8)
def program_of(game: VgdlGame) -> Program:
    """The effects of a game made ready, once for all its levels."""
    return Program(game)
