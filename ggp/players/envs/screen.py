"""A level as the Arcade Learning Environment shows a game: pixels and a score come out, buttons go in.

The names of the methods are that library's, so that an agent written for it plays here. A button that means
nothing changes nothing, as on a console; each press is a frame.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ggp.errors import IllegalAction, UnsupportedFeature
from ggp.language.levels import load
from ggp.model import Instance
from ggp.players.envs.painting import CELL, painter
from ggp.players.run import Run
from ggp.players.world import UTILITY
from ggp.players.worlds import world_of

BUTTONS = {"NOOP": 0, "FIRE": 1, "UP": 2, "RIGHT": 3, "LEFT": 4, "DOWN": 5}
GREY = np.array([0.299, 0.587, 0.114])  # of red, green and blue (ITU-R BT.601)


class Screen:
    """A level on a console with a stick and one button.

    `level` is what `ggp.load` takes, or an instance. The button is the game's first verb, or waiting. Raises
    UnsupportedFeature where cells are picked or filled, or there are several players: there is no stick for
    that. A run is cut off after `frames` presses, by default four times the level's turns.
    """

    def __init__(
        self, level: Instance | str, *, seed: int | None = None, size: int = CELL, frames: int | None = None
    ) -> None:
        self.instance = load(level) if isinstance(level, str) else level
        game = self.instance.game
        declared = game.input
        if declared is None or declared.pick is not None or game.design is not None or len(game.players) > 1:
            message = f"{game.name} is not played by a stick and a button"
            raise UnsupportedFeature(message, "take a game of moves, such as ggp.env plays", game.place)
        self.world = world_of(self.instance)
        self.draw = painter(self.instance, size)
        words = {word.upper(): word for word in declared.moves}
        button = declared.verbs[0] if declared.verbs else "wait" if declared.wait else None
        self.meaning = {BUTTONS[name]: word for name, word in words.items() if name in BUTTONS}
        if button is not None:
            self.meaning[BUTTONS["FIRE"]] = button
        if declared.wait:
            self.meaning[BUTTONS["NOOP"]] = "wait"
        horizon = self.instance.level.horizon
        self.most = frames if frames is not None else None if horizon is None else 4 * horizon
        self.seed = seed
        self.reset_game()

    def reset_game(self) -> None:
        """Begin again."""
        self.run, self.frame = Run(self.world, self.seed), 0

    def getLegalActionSet(self) -> list[int]:
        """All buttons."""
        return sorted(BUTTONS.values())

    def getMinimalActionSet(self) -> list[int]:
        """The buttons that mean something, and doing nothing."""
        return sorted({BUTTONS["NOOP"], *self.meaning})

    def act(self, button: int) -> float:
        """Press a button; what the score changes by: 1 for a win, -1 for a loss, else 0.

        Raises IllegalAction for what is no button. After the end nothing happens any more.
        """
        if button not in BUTTONS.values() or isinstance(button, bool):
            raise IllegalAction(f"there is no button {str(button)[:40]!r}", f"they are {BUTTONS}")
        if self.game_over():
            return 0.0
        self.frame += 1
        if button in self.meaning:
            self.run.act(self.world.number[self.meaning[button]])
        return UTILITY[self.run.outcome]

    def game_over(self) -> bool:
        """Has the run ended, or was it cut off?"""
        return self.run.outcome != "open" or self.frame == self.most

    def lives(self) -> int:
        """One until it is over."""
        return int(not self.game_over())

    def getEpisodeFrameNumber(self) -> int:
        """How many buttons were pressed."""
        return self.frame

    def getScreenRGB(self) -> NDArray[np.uint8]:
        """The picture: (height, width, 3)."""
        return self.draw(self.world.shown(self.run.position))

    def getScreenGrayscale(self) -> NDArray[np.uint8]:
        """The picture in greys: (height, width)."""
        grey: NDArray[np.uint8] = np.rint(self.getScreenRGB() @ GREY).astype(np.uint8)
        return grey

    def getScreenDims(self) -> tuple[int, int]:
        """(height, width) in pixels."""
        rows, columns = self.getScreenRGB().shape[:2]
        return rows, columns

    def cloneState(self) -> Any:
        """All there is to keep of a state, for `restoreState`."""
        kept = (self.run.position, self.run.turns, tuple(self.run.actions), tuple(self.run.said))
        return (*kept, self.run.outcome, self.run.late, self.frame)

    def restoreState(self, state: Any) -> None:
        """Go back to a state."""
        run = self.run
        run.position, run.turns, actions, said, run.outcome, run.late, self.frame = state
        run.actions, run.said = list(actions), list(said)
