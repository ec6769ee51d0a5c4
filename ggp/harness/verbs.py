"""Inputs of a game that was learned from play alone, under words that a description can have.

Play has inputs of any name (`FIRE`, `press A`). What points somewhere is a direction in the rules, however it
is called. A description that had the others as they are could not be read again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from ggp.language.validate import VERB
from ggp.learn.seen.unused import untaken
from ggp.model import DIRECTIONS, Game
from ggp.model.kinds import RELATIVE
from ggp.model.rules import Block, InputIs, Phase

TAKEN = frozenset({*DIRECTIONS, *RELATIVE, "wait", "pick"})


def sayable(game: Game) -> tuple[Game, tuple[str, ...]]:
    """The game with verbs that can be written, and a sentence for each that had another name."""
    if game.input is None:
        return game, ()
    names: dict[str, str] = {}
    kept = {word for word in game.input.verbs if VERB.fullmatch(word) and word not in TAKEN}
    for word in game.input.verbs:
        names[word] = word if word in kept else free_name(word, TAKEN | kept | set(names.values()))
    told = tuple(f"input {word} is called {name}" for word, name in names.items() if name != word)
    if not told:
        return game, ()
    verbs = tuple(names[word] for word in game.input.verbs)
    turn, physics = (tuple(named(one, names) for one in some) for some in (game.turn, game.physics))
    return replace(game, input=replace(game.input, verbs=verbs), turn=turn, physics=physics), told


def free_name(word: str, taken: frozenset[str]) -> str:
    """A verb near to the word that was seen, and none of those that are taken."""
    near = re.sub(r"[^a-z0-9]+", "-", word.lower()).strip("-")[:40]
    return untaken(near if VERB.fullmatch(near) else f"input-{near}".strip("-"), taken)


def named(phase: Phase, names: Mapping[str, str]) -> Phase:
    """The rules with these verbs in place of those."""
    if isinstance(phase, Block):
        return replace(phase, groups=tuple(named(one, names) for one in phase.groups))
    rules = (
        replace(
            rule,
            conditions=tuple(
                replace(one, word=names.get(one.word, one.word)) if isinstance(one, InputIs) else one
                for one in rule.conditions
            ),
        )
        for rule in phase.rules
    )
    return replace(phase, rules=tuple(rules))
