"""A square board as one line of characters, for the games whose description reads such lines.

The characters are the symbols of the game, as under [forms.lines]: see `ggp/language/readers/lines.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ggp.engines.texts.joined import Joined
from ggp.errors import DescriptionError, Finding, Place
from ggp.language.readers.common import usual_horizon
from ggp.language.readers.lines import read, write
from ggp.model import Game, Instance, Level, Plan
from ggp.model.export import Check
from ggp.model.features import FEATURES as EVERYTHING
from ggp.model.features import GOAL_WORDS

NAME = "lines"
SUFFIX = ".sdm"
# No feature is what a line cannot hold: see `unfit`.
FEATURES = (frozenset(EVERYTHING) | GOAL_WORDS) - {"avoiding"}
REFUSES = ("games whose description declares no `[forms.lines]`",)


def available() -> str | None:
    """It needs nothing."""
    return None


def unfit(instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
    """Why there is no line: the game reads none, or the board cannot be written."""
    game, level = instance.game, instance.level
    place = level.place or game.place or Place(instance.name)
    if "lines" not in dict(game.forms):
        message = f"{game.name} reads no boards on lines"
        return (Finding(message, "declare [forms.lines] in its description", game.place or place),)
    try:
        write(game, level.board)
    except DescriptionError as error:
        return tuple(Finding(finding.message, finding.remedy, place) for finding in error.findings)
    return ()


def losses(instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
    """What a line does not tell of the level."""
    game, level = instance.game, instance.level
    place = level.place or game.place or Place(instance.name)
    parts = [f"the number `{name}`" for name, _ in level.numbers]
    parts += [f"the clues for `{name}`" for name, _ in level.clues]
    parts += [f"the regions `{name}`" for name, _ in level.regions]
    parts += ["the horizon"] if level.horizon != usual_horizon(game) else []
    parts += ["a plan"] if plan is not None and plan != Plan() else []
    return tuple(Finding(f"a line does not hold {part}", "", place) for part in parts)


def text(instance: Instance, plan: Plan | None = None) -> str:
    """The board on a line."""
    return f"{write(instance.game, instance.level.board)}\n"


def verify(instance: Instance, text: str, plan: Plan | None = None) -> Iterator[Check]:
    """Read the line back, and compare the boards."""
    try:
        levels = read(text.encode(), "line", instance.game, dict(instance.game.forms)["lines"])
    except DescriptionError as error:
        yield Check("the line is read back as a board", False, str(error))
        return
    yield Check("the line is read back as the board", [one.board for one in levels] == [instance.level.board])


def board_of(level: Level) -> object:
    """The part of a level that a line tells."""
    return level.board


def read_all(text: str, game: Game) -> Sequence[Level]:
    """The levels of some lines."""
    return read(text.encode(), "lines", game, dict(game.forms)[NAME])


JOINED = Joined(__name__, read_all, board_of)
unfit_together, losses_together = JOINED.unfit_together, JOINED.losses_together
text_together, verify_together = JOINED.text_together, JOINED.verify_together
