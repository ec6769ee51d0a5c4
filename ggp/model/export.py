"""What every exporter offers, what some can do besides, and what a verification says.

An exporter says in three ways what it does not do, each in one place: `FEATURES` (what the format can say at
all), `unfit` (why this level has no such text though the format has every feature) and `losses` (what the
text leaves out). `ggp.tasks.exporting` asks all three and refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from ggp.errors import Finding
from ggp.model import Instance, Plan
from ggp.model.board import Action, State


@dataclass(frozen=True)
class Check:
    """One thing that verification found in the foreign engine: what was compared, and how it went.

    `open`: the engine was not done in time, or is not there, so nothing was found; that has not `passed`.
    """

    what: str
    passed: bool
    detail: str = ""
    open: bool = False


@runtime_checkable
class ExporterModule(Protocol):
    """What a module in `exporters/` offers. Importing it imports no third-party package."""

    NAME: str
    SUFFIX: str
    FEATURES: frozenset[str]

    def available(self) -> str | None:
        """None if it can run here, else a sentence that says what to install."""

    def unfit(self, instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
        """Why there is no such text of an instance that has every feature needed, each with its place.

        With `plan` it is asked about the text in which its design is already placed. A limit that is only met
        while writing, such as a number of effects, is found by writing on trial; keep what was written.
        """

    def losses(self, instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
        """What the text of an instance that fits leaves out or does differently, each with its place."""

    def text(self, instance: Instance, plan: Plan | None = None) -> str:
        """The text of an instance that fits; with `plan`, its design already placed."""

    def verify(self, instance: Instance, text: str, plan: Plan | None = None) -> Iterator[Check]:
        """Play or solve the text in the foreign engine and compare, step by step, with the referee.

        It must not pass for a text that means something else, whoever wrote that: to compare the text with
        what this exporter writes proves nothing. An engine that cannot read the text is a Check that fails.
        """


# --- what some exporters can do besides: each is a protocol of its own, and `isinstance` tells


@runtime_checkable
class FromConstraints(Protocol):
    """One that is written from the constraints of an Encoding, so that passes can be switched on."""

    def rewritten(self, instance: Instance, plan: Plan | None, passes: Sequence[Callable[[Any], Any]]) -> str:
        """The text after these rewrites of the encoding as it was written, in this order."""


@runtime_checkable
class Playable(Protocol):
    """One whose text is played with random inputs, as many as are asked for."""

    def verify_turns(self, instance: Instance, text: str, plan: Plan | None, turns: int) -> Iterator[Check]:
        """As `verify`, with at least so many random turns."""


@runtime_checkable
class Collecting(Protocol):
    """One whose text can hold several levels of a game; each that it holds is asked about and verified."""

    def unfit_together(self, instances: Sequence[Instance]) -> tuple[Finding, ...]:
        """Why there is no text of all these levels, each of which has every feature needed."""

    def losses_together(self, instances: Sequence[Instance]) -> tuple[Finding, ...]:
        """What their text leaves out or does differently."""

    def text_together(self, instances: Sequence[Instance]) -> str:
        """The text of all these levels, in their order."""

    def verify_together(self, instances: Sequence[Instance], text: str, turns: int | None) -> Iterator[Check]:
        """As `verify`, level by level; with `turns` so many random ones besides, where it is Playable."""


@runtime_checkable
class Telling(Protocol):
    """One whose text leaves something out that belongs to solving and not to the game: told, and no error."""

    def left_out(self, instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
        """What that is, with what keeps it."""


@runtime_checkable
class Keyed(Protocol):
    """One whose texts are played with keys, and whose engine has a form for plays that are kept."""

    def keys(self, instance: Instance, plan: Plan) -> tuple[str, ...]:
        """What a player presses for a plan, from the opening of the level on."""

    def recorded(self, instance: Instance, plan: Plan) -> list[Any]:
        """The same in the engine's form, as data of JSON; raises NotAvailable where that needs the engine."""


@runtime_checkable
class Watchable(Protocol):
    """One whose engine is here, so that it can be watched what the text does, whatever it is."""

    def watch(self, instance: Instance, plan: Plan, inputs: Iterable[Action | None]) -> Iterator[State]:
        """What the engine shows with the plan's design placed: at the start and after each input."""


@runtime_checkable
class Worded(Protocol):
    """One to a language, with one table from goal word to what writes it; its `FEATURES` are made of it."""

    GOAL_WRITERS: Mapping[str, Callable[..., Any]]


@runtime_checkable
class Reasoned(Protocol):
    """One that says why its format lacks a feature; it is told where one is refused."""

    WHY: Mapping[str, str]


@runtime_checkable
class Narrowed(Protocol):
    """One whose `unfit` refuses what no feature stands for: in words, for the README."""

    REFUSES: tuple[str, ...]


@runtime_checkable
class Judged(Protocol):
    """One whose texts are also judged by engines that are only asked where they are installed."""

    def oracles(self) -> dict[str, str | None]:
        """Each of them: None, or a sentence that says how to install it."""


@runtime_checkable
class Parted(Protocol):
    """One whose text goes into several files."""

    def files(self, text: str, name: str) -> Mapping[str, str]:
        """The files by their names; `name` is what the first one is to be called."""


OPTIONAL: tuple[type, ...] = (
    *(FromConstraints, Playable, Collecting, Telling, Keyed, Watchable),
    *(Worded, Reasoned, Narrowed, Judged, Parted),
)
"""All of them."""
