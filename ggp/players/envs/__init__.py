"""Levels as environments of Gymnasium: `import ggp.players.envs` registers every level that comes with ggp.

    import gymnasium, ggp.players.envs
    gymnasium.make("ggp/sokoban-first-v0")                   # a level that comes with ggp
    gymnasium.make("ggp.players.envs:ggp/sokoban-first-v0")  # the same, and no import of ours is needed
    gymnasium.make("ggp/level-v0", level="mine.toml#3")      # whatever `ggp.load` reads
    gymnasium.make_vec("ggp/sokoban-first-v0", num_envs=4096)

`ggp.env(instance)` makes the same environment without a registry. Levels of several players are environments
of PettingZoo, and `ggp.env` makes those, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from inspect import signature
from typing import TYPE_CHECKING, Any

from ggp.errors import NotAvailable
from ggp.registry import unknown

if TYPE_CHECKING:
    from ggp.model import Instance
    from ggp.players.envs.contest import PuzzleAECEnv
    from ggp.players.envs.parallel import PuzzleParallelEnv

NAMESPACE = "ggp"
SINGLE = "ggp.players.envs.single:PuzzleEnv"
MANY = "ggp.players.envs.vector:PuzzleVectorEnv"


def needed() -> None:
    """Raise NotAvailable where Gymnasium is not installed."""
    if find_spec("gymnasium") is None:
        raise NotAvailable("environments need Gymnasium", "pip install 'ggp[envs]'")


def contest_env(level: Instance, **options: Any) -> PuzzleAECEnv | PuzzleParallelEnv:
    """A level of several players as an environment of PettingZoo: parallel where all move at the same time.

    Raises NotAvailable where PettingZoo is missing.
    """
    if find_spec("pettingzoo") is None:
        raise NotAvailable("environments of several players need PettingZoo", "pip install 'ggp[envs]'")
    from ggp.players.envs.agents import Agents
    from ggp.players.envs.contest import PuzzleAECEnv
    from ggp.players.envs.parallel import PuzzleParallelEnv

    known(Agents, options)
    return (PuzzleParallelEnv if level.game.simultaneous else PuzzleAECEnv)(level, **options)


def known(made: type, options: Mapping[str, Any]) -> None:
    """Raise UnknownName for an option that such an environment does not have."""
    names = [name for name, one in signature(made).parameters.items() if one.kind is one.KEYWORD_ONLY]
    for name in options:
        if name not in names:
            raise unknown("option", name, names)


def identifier(level: str) -> str:
    """The name of a level (`game/level`) among Gymnasium's environments."""
    return f"{NAMESPACE}/{level.replace('/', '-')}-v0"


def register() -> None:
    """Tell Gymnasium of every level; one that is known already stays as it is."""
    needed()
    import gymnasium

    from ggp.players.envs.names import level_names

    gymnasium.register(f"{NAMESPACE}/level-v0", SINGLE, vector_entry_point=MANY)
    for level in level_names():
        name = identifier(level)
        if name not in gymnasium.registry:
            gymnasium.register(name, SINGLE, vector_entry_point=MANY, kwargs={"level": level})


if find_spec("gymnasium") is not None:
    register()
