"""A link to the puzzle, in the form of puzz.link and pzprv3, for the games whose description says how.

The settings under [forms.url] are those by which links are read: see `ggp/language/readers/url.py`. Nothing
is sent anywhere; opening the link in a browser is up to the reader.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ggp.engines.texts.joined import Joined
from ggp.errors import DescriptionError, Finding, Place
from ggp.language.readers.link_writing import write
from ggp.language.readers.url import read_link
from ggp.model import Game, Instance, Level, Plan
from ggp.model.export import Check
from ggp.model.features import FEATURES as EVERYTHING
from ggp.model.features import GOAL_WORDS

NAME = "url"
SUFFIX = ".url"
# What a link can hold is said by the settings of the game, not by features: see `unfit`.
FEATURES = (frozenset(EVERYTHING) | GOAL_WORDS) - {"avoiding"}
REFUSES = ("games whose description declares no `[forms.url]`",)


def available() -> str | None:
    """It needs nothing."""
    return None


def unfit(instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
    """Why there is no link: the game has none, or something on the map has no code."""
    written = write(instance)
    return () if written.link else written.found


def losses(instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
    """What a link does not tell of the level."""
    found = write(instance).found
    if plan is not None and plan != Plan():
        found += (Finding("a link holds the puzzle, not a plan", "export it without", instance.game.place),)
    return found


def text(instance: Instance, plan: Plan | None = None) -> str:
    """The link on a line."""
    return f"{write(instance).link}\n"


def verify(instance: Instance, text: str, plan: Plan | None = None) -> Iterator[Check]:
    """Read the link back, and compare the level with ours."""
    try:
        found = read_link(text.strip(), instance.game, Place("URL", 1, 1))
    except DescriptionError as error:
        yield Check("the link is read back as a level", False, str(error))
        return
    yield Check("the link is read back as the level", told(found) == told(instance.level))


def told(level: Level) -> Level:
    """The part of a level that a link tells."""
    # No runs at all may be written as none, or as one of length 0.
    clues = sorted((name, tuple((0,) if clue == () else clue for clue in each)) for name, each in level.clues)
    return Level("", level.board, level.horizon, level.numbers, clues=tuple(clues))


def read_all(text: str, game: Game) -> Sequence[Level]:
    """The levels of some links."""
    return [read_link(link, game, Place("URL", line, 1)) for line, link in enumerate(text.split(), 1)]


JOINED = Joined(__name__, read_all, told)
unfit_together, losses_together = JOINED.unfit_together, JOINED.losses_together
text_together, verify_together = JOINED.text_together, JOINED.verify_together
