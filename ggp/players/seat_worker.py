"""A player in a process of its own. Never imported.

Standard input is lines of base64 of pickled values, from the arena, which trusts nobody: first (player,
table), then a `View` to be answered, a `Past` to be remembered, or the outcome of a run. Standard output is a
JSON object a line: `{"ready": true}`, `{"action": number}`, `{}` after the last two, or `{"error": text}`.
Whatever the player prints goes to standard error.
"""

import base64
import json
import os
import pickle
import sys
from collections.abc import Callable
from typing import Any

from ggp import registry
from ggp.errors import PuzzleError
from ggp.players.protocol import Past, Remembers


def main(answer: Callable[[dict[str, Any]], None]) -> None:
    """Serve until nothing more is said."""
    player: Any = None
    for line in sys.stdin.buffer:
        said = pickle.loads(base64.b64decode(line))
        try:
            if player is None:
                name, table = said
                player = registry.load("player", name).player(table)
                answer({"ready": True})
            elif isinstance(said, Past):
                if isinstance(player, Remembers):
                    player.recall(said)
                answer({})
            elif isinstance(said, str):
                player.ended(said)
                answer({})
            else:
                chosen = player.choose(said)
                answer({"action": chosen if type(chosen) is int else repr(chosen)[:60]})
        except PuzzleError as error:
            answer({"error": error.findings[0].message})
        except Exception as error:
            answer({"error": f"{type(error).__name__}: {error}"[:300]})


if __name__ == "__main__":
    channel = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the player prints

    def say(answer: dict[str, Any]) -> None:
        """Answer with a line."""
        channel.write(json.dumps(answer) + "\n")
        channel.flush()

    main(say)
