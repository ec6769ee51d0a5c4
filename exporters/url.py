"""A link to the puzzle, in the form of puzz.link and pzprv3, for the games whose description says how.

The settings under [forms.url] are those by which links are read: see `ggp/language/readers/url.py`. Nothing
is sent anywhere; opening the link in a browser is up to the reader.
"""

from __future__ import annotations

from collections.abc import Iterator

from ggp.errors import DescriptionError, Finding, Place, UnsupportedFeature
from ggp.language.readers.link_writing import write
from ggp.language.readers.url import read_link
from ggp.model import Instance, Level, Plan
from ggp.model.export import Check
from ggp.model.features import FEATURES as EVERYTHING
from ggp.model.features import GOAL_WORDS

NAME = "url"
SUFFIX = ".url"
# What a link can hold is said by the settings of the game and seen in `losses`, not by the features.
FEATURES = frozenset(EVERYTHING) | GOAL_WORDS
REFUSES = ("games whose description declares no `[forms.url]`",)


def available() -> str | None:
    """It needs nothing."""
    return None


def losses(instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
    """Why there is no link, or what it does not tell of the level."""
    found = write(instance).losses
    if plan is not None and plan != Plan():
        found += (Finding("a link holds the puzzle, not a plan", "export it without", instance.game.place),)
    return found


def export(instance: Instance, plan: Plan | None = None) -> str:
    """The link on a line. Raises UnsupportedFeature where there is none."""
    written = write(instance)
    if not written.link:
        raise UnsupportedFeature.of(NAME, written.losses)
    return f"{written.link}\n"


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
