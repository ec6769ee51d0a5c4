"""A level as text with a title and numbers below it, for the games whose description reads such collections.

The characters are the symbols of the game, as under [forms.xsb]: see `ggp/language/readers/xsb.py`. Several
files put one after another are a collection.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ggp.engines.texts.joined import Joined
from ggp.errors import DescriptionError, Finding, Place
from ggp.language.readers.xsb import read, write
from ggp.model import Game, Instance, Level, Plan
from ggp.model.export import Check
from ggp.model.features import FEATURES as EVERYTHING
from ggp.model.features import GOAL_WORDS

NAME = "xsb"
SUFFIX = ".xsb"
# No feature is what such a text cannot hold: see `unfit`.
FEATURES = (frozenset(EVERYTHING) | GOAL_WORDS) - {"avoiding"}
REFUSES = ("games whose description declares no `[forms.xsb]`",)


def available() -> str | None:
    """It needs nothing."""
    return None


def unfit(instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
    """Why there is no such text: the game reads none, or the map cannot be written."""
    game, level = instance.game, instance.level
    place = level.place or game.place or Place(instance.name)
    if NAME not in dict(game.forms):
        message = f"{game.name} reads no collections of text levels"
        return (Finding(message, "declare [forms.xsb] in its description", game.place or place),)
    try:
        write(game, level)
    except DescriptionError as error:
        return tuple(Finding(finding.message, finding.remedy, place) for finding in error.findings)
    return ()


def losses(instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
    """What such a text does not tell of the level."""
    level = instance.level
    place = level.place or instance.game.place or Place(instance.name)
    parts = [f"the clues for `{name}`" for name, _ in level.clues]
    parts += [f"the regions `{name}`" for name, _ in level.regions]
    parts += [f"the pattern `{name}`" for name, _ in level.patterns]
    parts += ["the ending of the level"] if level.when is not None else []
    parts += ["a plan"] if plan is not None and plan != Plan() else []
    return tuple(Finding(f"a text level does not hold {part}", "", place) for part in parts)


def text(instance: Instance, plan: Plan | None = None) -> str:
    """The text."""
    return write(instance.game, instance.level)


def verify(instance: Instance, text: str, plan: Plan | None = None) -> Iterator[Check]:
    """Read the text back, and compare the level with ours."""
    try:
        levels = read(text.encode(), "level.xsb", instance.game, dict(instance.game.forms)[NAME])
    except DescriptionError as error:
        yield Check("the text is read back as a level", False, str(error))
        return
    same = [told(one) for one in levels] == [told(instance.level)]
    yield Check("the text is read back as the level", same)


def told(level: Level) -> Level:
    """The part of a level that such a text tells."""
    return Level("", level.board, level.horizon, level.numbers, title=" ".join(level.title.split()))


def read_all(text: str, game: Game) -> Sequence[Level]:
    """The levels of such a text."""
    return read(text.encode(), "levels.xsb", game, dict(game.forms)[NAME])


JOINED = Joined(__name__, read_all, told)
unfit_together, losses_together = JOINED.unfit_together, JOINED.losses_together
text_together, verify_together = JOINED.text_together, JOINED.verify_together
