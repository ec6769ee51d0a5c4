"""Designs of a described game, tried out: which placements it takes, which it refuses, what comes of them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from ggp.errors import PlanError
from ggp.learn.boards import Episode, Placed
from ggp.learn.seen.states import board_of_state
from ggp.model import Game, Instance, Level, Plan
from ggp.model.board import cells, height, width
from ggp.referee.designs import free_cells, placeable
from ggp.referee.semantics import initial_state
from ggp.referee.stock import budget
from ggp.referee.trajectory import replay
from ggp.watch.recording import episode_of

FREE = 0.7  # so often only free cells are chosen
MORE = 0.3  # so often one more may be placed than is allowed
UNLIMITED = 3  # placements at most where a game sets no limit


def tried_designs(game: Game, kept: Sequence[Level], rng: random.Random) -> Iterator[Episode]:
    """Random designs of a game's levels without end, each run as the referee says; none without a design."""
    instances = [Instance(game, level) for level in kept]
    instances = [one for one in instances if placeable(one) and free_cells(one)]
    while instances:
        instance = rng.choice(instances)
        where = list(free_cells(instance) if rng.random() < FREE else cells(instance))
        limit = budget(instance)
        most = min(len(where), (UNLIMITED if limit is None else limit) + (rng.random() < MORE))
        chosen = rng.sample(where, rng.randint(0, most))
        yield tried(instance, Plan(tuple((cell, rng.choice(placeable(instance))) for cell in chosen)))


def tried(instance: Instance, plan: Plan) -> Episode:
    """What comes of one design."""
    try:
        return episode_of(instance, replay(instance, plan).states, ())
    except PlanError:
        bare = board_of_state(initial_state(instance, partial=True), height(instance), width(instance))
        placed = tuple(Placed(cell, str(piece)) for cell, piece in plan.design)
        return Episode(bare, level=instance.level.name, placed=placed, refused=True)
