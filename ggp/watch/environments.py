"""Any Gymnasium environment that shows a grid, or pictures of tiles, as a world."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import Any

from ggp.errors import NotAvailable, PuzzleError
from ggp.learn.boards import Board, Episode, Stack, Step, Token, board_of
from ggp.watch import Start, rollouts
from ggp.watch.callables import OFTEN, Nondeterministic, two_ways
from ggp.watch.covered import Covered, covered_in
from ggp.watch.overlaid import apart, taken_apart
from ggp.watch.patience import PATIENCE, Raised, answered
from ggp.watch.tiles import MOST_SIDE, Tiles, is_picture, one_thing_a_cell

TRIED = 150  # roll-outs by which it is found out which tiles show two things at once
LOOKED_AT = 60  # pictures by which it is found out how large tiles are
MAKING = 60.0  # seconds until an environment is made: its module may be large
MOST_SAID = 300  # characters of what an environment raises
MOST_PLANES = 40
LARGEST_CODE = 2**53  # up to which floating numbers tell whole ones apart
START = ("observation", "info")
STEP = ("observation", "reward", "terminated", "truncated", "info")
LONGEST = 200  # turns that are played again to come to a board


class GymWorld:
    """A Gymnasium environment with a discrete action space that shows grids, or pictures of tiles.

    It can only be reset: a run begins where the environment begins, or on a board to which some play has led,
    which is then played again. A grid is an array of whole
    numbers (rows, columns), or (rows, columns, planes), or with the planes first where they are fewest;
    each value of each plane but zero is a token. Where all planes tell of one thing, as a kind, a colour and
    a way, what they say together is one. A picture has 8 bits for each channel of a pixel, and is
    cut into tiles (`ggp.watch.tiles`); if what is observed is no array, what the environment draws
    (`render`) is looked at. Runs are played twice now and then, so that chance is found out.
    """

    only_reached = True

    def __init__(
        self,
        env: Any,
        name: str = "environment",
        seeds: int = 20,
        patience: float = PATIENCE,
        tried: int = TRIED,
    ) -> None:
        """`tried`: so many roll-outs show which tiles are two things at once."""
        self.env, self.name, self.seeds, self.patience = env, name, seeds, patience
        self.played, self.tried = 0, tried
        self.starts: dict[Board, int] = {}
        self.ways: dict[Board, tuple[Board, str | None]] = {}
        self.tiles: Tiles | None = None
        self.shows: dict[Token, Stack] = {}
        self.covered = Covered()

    @classmethod
    def named(cls, identifier: str) -> GymWorld:
        """The environment that is registered under a name; raises NotAvailable without Gymnasium."""
        from importlib import import_module
        from importlib.util import find_spec

        if find_spec("gymnasium") is None:
            raise NotAvailable("Gymnasium is not installed", "install it with `pip install gymnasium`")
        make = import_module("gymnasium").make

        def made() -> Any:
            env = make(identifier)
            if hasattr(env.observation_space, "dtype") and env.observation_space.shape:
                return env
            drawn = "rgb_array" in env.metadata.get("render_modes", ())
            return make(identifier, render_mode="rgb_array") if drawn else env

        try:
            env = answered(identifier, "itself", made, MAKING)
        except Raised as error:
            told = f"Gymnasium cannot make {identifier}: {type(error.__cause__).__name__}: {error.__cause__}"
            remedy = "write gym:NAME-v0, or gym:MODULE:NAME-v0 where a module registers it"
            raise PuzzleError(told[:MOST_SAID], remedy) from error
        return cls(env, identifier)

    def levels(self) -> list[Board]:
        """Where the environment begins, for some seeds."""
        if not self.starts:  # whoever asks again means the same boards: tiles keep their names
            self.look()
            self.begin()
            with suppress(PuzzleError):  # what is wrong with it is said to who watches it
                self.shows = taken_apart(self.some_runs())
                self.anew(bool(self.shows))
                self.covered = covered_in(self.some_runs())
                self.anew(bool(self.covered.by))
        return list(self.starts)

    def some_runs(self) -> list[Episode]:
        """Roll-outs that show what boards mean."""
        return list(islice(rollouts(self, random.Random(0)), self.tried))

    def anew(self, otherwise: bool) -> None:
        """Begin anew if all boards look otherwise from now on."""
        if otherwise:
            self.ways.clear()
            self.starts.clear()
            self.begin()

    def begin(self) -> None:
        """Reset to each of the first boards, and know them again."""
        for seed in range(self.seeds):
            self.starts.setdefault(self.reset(seed), seed)

    def look(self) -> None:
        """Find out whether pictures are shown, and how large their tiles are, by playing at random."""
        rng, runs, words = random.Random(0), list[list[Any]](), self.inputs(None)
        for seed in range(self.seeds):
            run, ended = [self.begun(seed)], False
            while is_picture(run[0]) and not ended and len(run) < LOOKED_AT // self.seeds + 2:
                shown, _, won_or_lost, cut = self.moved(rng.choice(words))
                run.append(shown)
                ended = won_or_lost or cut
            runs.append(run)
        if all(is_picture(shown) for run in runs for shown in run):
            tiles = Tiles(runs)
            whole = max(tiles.size) > 1 or one_thing_a_cell([shown for run in runs for shown in run])
            self.tiles = tiles if whole else None

    def inputs(self, board: Board | None) -> list[str]:
        """The numbers of the actions."""
        space = self.env.action_space
        number = getattr(space, "n", None)
        if number is None or not hasattr(number, "__index__"):
            raise PuzzleError(f"{self.name} has no discrete actions", "only those can be watched")
        first = int(getattr(space, "start", 0))
        return [f"action-{first + n}" for n in range(int(number))]

    def reset(self, seed: int) -> Board:
        """A fresh start."""
        return self.board(self.begun(seed))

    def begun(self, seed: int) -> Any:
        """What a fresh start shows."""
        what = f"a start with the seed {seed}"
        observation, _ = self.parts(what, lambda: self.env.reset(seed=seed), START)
        return self.shown(observation)

    def moved(self, word: str | None) -> tuple[Any, float, bool, bool]:
        """What an action comes to: what is shown, the reward, and whether the run ended or was cut off."""
        move = partial(self.env.step, int((word or self.inputs(None)[0]).rpartition("-")[2]))
        observation, reward, ended, cut, _ = self.parts(str(word), move, STEP)
        try:
            return self.shown(observation), float(reward), bool(ended), bool(cut)
        except (TypeError, ValueError):
            raise PuzzleError(f"{self.name} gives a reward that is no number", f"it was {word}") from None

    def parts(self, what: str, ask: Callable[[], Any], names: Sequence[str]) -> Sequence[Any]:
        """The parts of an answer; raises PuzzleError where they are not as many as in Gymnasium."""
        answer = answered(self.name, what, ask, self.patience)
        if not isinstance(answer, tuple) or len(answer) != len(names):
            remedy = f"Gymnasium asks for {', '.join(names)}"
            raise PuzzleError(f"{self.name} answers {what} with other than {len(names)} parts", remedy)
        return answer

    def shown(self, observation: Any) -> Any:
        """An observation as an array; what is drawn where it is none."""
        import numpy as np

        shown = observation.get("image") if isinstance(observation, dict) else observation
        try:
            array = np.asarray(shown)
        except ValueError:  # rows of different lengths
            array = np.asarray(None)
        if array.ndim < 2 and getattr(self.env, "render_mode", None) == "rgb_array":
            return np.asarray(answered(self.name, "its picture", self.env.render, self.patience))
        # Channels come last here; of an array that has them first the first length is the least.
        return np.moveaxis(array, 0, -1) if array.ndim == 3 and array.shape[0] < array.shape[2] else array

    def board(self, shown: Any) -> Board:
        """What is shown as a board."""
        if self.tiles is not None and is_picture(shown):
            return apart(self.tiles.board(shown, self.name), self.shows)
        return apart(grid(shown, self.name), self.shows)

    def play(self, starts: Sequence[Start]) -> list[Episode | None]:
        """Each start played, if the environment can begin with it."""
        return [self.one(board, words) for board, words in starts]

    def one(self, board: Board, words: Sequence[str | None]) -> Episode | None:
        """One run; None where no play has led to the board so far."""
        if not self.led_to(board):
            return None
        steps = self.steps(board, words)
        self.played += 1
        if self.played % OFTEN == 1:
            self.led_to(board)
            before = board
            for step, again in zip(steps, self.steps(board, words), strict=False):
                if step != again:
                    raise two_ways(self.name, step.word, before, step.after, again.after)
                before = step.after
        return Episode(board, tuple(steps), False, False, self.name)

    def led_to(self, board: Board) -> bool:
        """Let the environment stand where it shows a board, as some play has led there: is there any?"""
        way: list[tuple[Board, str | None]] = []
        while board not in self.starts:
            if board not in self.ways or len(way) == LONGEST:
                return False
            before, word = self.ways[board]
            way.append((board, word))
            board = before
        if self.reset(self.starts[board]) != board:
            raise Nondeterministic(f"{self.name} begins differently with one seed", "it cannot be learned")
        for after, word in reversed(way):
            again, _, ended, cut = self.went_on(board, word)
            if again != after:
                raise two_ways(self.name, word, board, after, again)
            if ended or cut:
                return False
            board = after
        return True

    def went_on(self, before: Board, word: str | None) -> tuple[Board, float, bool, bool]:
        """What an action comes to, with the board that is shown; raises PuzzleError if its size changed."""
        shown, reward, ended, cut = self.moved(word)
        board = self.board(shown)
        if (board.height, board.width) != (before.height, before.width):
            raise PuzzleError(f"{self.name} shows a board of another size", "boards keep their size")
        return self.covered.shown(before, board), reward, ended, cut

    def steps(self, board: Board, words: Sequence[str | None]) -> list[Step]:
        """What comes of inputs from where the environment stands."""
        steps: list[Step] = []
        for word in words:
            before = board
            board, reward, ended, cut = self.went_on(before, word)
            won, lost = ended and reward > 0, ended and reward <= 0
            steps.append(Step(word, board, False, won, lost))
            if ended or cut:
                break
            if board not in self.starts:
                self.ways.setdefault(board, (before, word))
        return steps


def as_whole(array: Any) -> Any:
    """An array as whole numbers, as which spaces may hold floating ones; None where these are not whole."""
    import numpy as np

    if np.issubdtype(array.dtype, np.integer):
        return array
    if np.issubdtype(array.dtype, np.floating) and not np.all(np.mod(array, 1) == 0):
        return None
    plain = np.issubdtype(array.dtype, np.floating) or array.dtype == bool
    return array.astype(np.int64) if plain and np.all(np.abs(array) <= LARGEST_CODE) else None


def grid(array: Any, name: str) -> Board:
    """An array as a board."""
    whole = as_whole(array)
    if array.ndim not in (2, 3) or whole is None:
        told = f"its shape is {array.shape}, and it holds {array.dtype}"
        raise PuzzleError(f"what {name} shows is no grid of whole numbers", told)
    array = whole
    if max(array.shape[:2]) > MOST_SIDE or array.size > MOST_SIDE * MOST_SIDE * MOST_PLANES:
        raise PuzzleError(
            f"what {name} shows is too large: its shape is {array.shape}",
            f"boards have at most {MOST_SIDE} rows and columns",
        )
    planes = array[:, :, None] if array.ndim == 2 else array
    cells = [
        [[f"p{plane}-{value}" for plane, value in enumerate(cell) if value] for cell in row]
        for row in planes.tolist()
    ]
    return board_of(cells)
