"""A whole game as PuzzleScript text: pasted into the editor of puzzlescript.net it can be played.

The level asked for comes first, then the other levels of the game that the same text can hold; a file of
levels is written whole. The player's part is in it (`puzzlescript_player`), and each rule carries ours as a
comment. There are two styles:

- *editable*, where nobody says: as a designer would keep it. A horizon is the solver's limit and not the
  game's, so there is no clock and no bar for it, unless the level is won at its horizon or runs by itself;
- *exact*: turn by turn the engine shows the referee's board, and wins and loses when it does, the horizon
  included.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ggp.errors import Finding, Place, PuzzleError
from ggp.exporters.puzzlescript import replayed, verification
from ggp.exporters.puzzlescript.goals import GOAL_WRITERS
from ggp.exporters.puzzlescript.levels import MOST_CONTENTS, siblings
from ggp.exporters.puzzlescript.player import keys_for
from ggp.exporters.puzzlescript.recording import keys_of, record_of, source_of
from ggp.exporters.puzzlescript.retold import as_read, read_back
from ggp.exporters.puzzlescript.script import MOST_ROUNDS, Script
from ggp.exporters.puzzlescript.words import WHY as WHY
from ggp.exporters.puzzlescript.words import unfit as unfit_words
from ggp.goals.count import Count
from ggp.model import Instance, Kind, Plan
from ggp.model.board import amount, height, variants, width
from ggp.model.export import Check
from ggp.model.features import SCAN, goal_features
from ggp.model.options import Option, read
from ggp.referee.designs import placeable
from ggp.referee.semantics import ending, initial_state, is_goal, is_lost
from ggp.transition.compiler import compile_instance
from ggp.transition.whole_board import said_by_cells

NAME = "puzzlescript"
SUFFIX = ".txt"
OWN = frozenset(
    """design design-of-kinds fill moving-design fill-and-physics design-and-input moves verbs picks waiting
    physics loops markers merging facings values edges variables whole-board horizon-ending any-turn-ending
    no-horizon losing""".split()
)
FEATURES = goal_features(GOAL_WRITERS) | OWN | SCAN
MOST_VALUES = 36  # digits and capitals
OPTIONS = {
    "style": Option(
        "no clock but where it decides, or the horizon of each level", words=("editable", "exact")
    )
}


def available() -> str | None:
    """None: writing the text needs nothing. Playing it needs an engine, see `ggp.engines.puzzlescript`."""
    return None


# --- styles ---------------------------------------------------------------------------------------------


def editable(instance: Instance) -> Instance:
    """The instance without its horizon, where that is only the solver's limit.

    Rules and goals that speak of the number `horizon` still find it.
    """
    level = instance.level
    if level.horizon is None or instance.game.input is None or ending(instance) == "horizon":
        return instance
    numbers = (*level.numbers, ("horizon", level.horizon))
    return replace(instance, level=replace(level, horizon=None, numbers=numbers))


@dataclass(frozen=True)
class Style:
    """The exporter in one of its styles; offers what its module does."""

    exact: bool
    NAME: str
    SUFFIX: str = SUFFIX
    FEATURES: frozenset[str] = FEATURES

    def available(self) -> str | None:
        """As the module."""
        return available()

    def shaped(self, instance: Instance) -> Instance:
        """The instance as it is written; what its rules ask of the whole board is said by cells."""
        by_cells = instance if instance.game.scan is not None else told(instance)
        return by_cells if self.exact else editable(by_cells)

    def script(self, instance: Instance, plan: Plan | None) -> Script:
        """The game as it is written."""
        return written(self, instance, plan)

    def left_out(self, instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
        """The limit of turns that a designer's text does not have."""
        level = instance.level
        if self.exact or editable(instance) == instance:
            return ()
        message = f"level {level.name}: that it must be won within {level.horizon} turns"
        return (Finding(message, "--style exact keeps it, with a clock", level.place),)

    def losses(self, instance: Instance, plan: Plan | None) -> tuple[Finding, ...]:
        """What the text does differently."""
        if instance.game.scan is not None:
            return ()
        return tuple(lost_by(self.script(instance, plan), self.shaped(instance), plan))

    def unfit(self, instance: Instance, plan: Plan | None = None) -> tuple[Finding, ...]:
        """Everything that PuzzleScript cannot do, each with its place."""
        if instance.game.scan is not None:
            return unlike([instance])
        faults = tuple(foreseen(instance))
        return faults if faults or self.script(instance, plan).fits else (too_many(instance),)

    def text(self, instance: Instance, plan: Plan | None = None) -> str:
        """The text. With a plan its design is already placed, and only this level is in it."""
        if instance.game.scan is not None:
            return written_again((instance,))
        return self.script(instance, plan).text()

    def verify(self, instance: Instance, text: str, plan: Plan | None = None) -> Iterator[Check]:
        """Play the text, as `verification.verified` says."""
        return self.verify_turns(instance, text, plan)

    def verify_turns(
        self, instance: Instance, text: str, plan: Plan | None, turns: int | None = None
    ) -> Iterator[Check]:
        """The same, with keys at random in all levels until they make up so many turns."""
        if instance.game.scan is not None:
            return replayed.checks(as_read([instance]), text, turns)
        script = self.script(instance, plan)
        return verification.verified(script, self.shaped(instance), text, plan, turns)

    def keys(self, instance: Instance, plan: Plan) -> tuple[str, ...]:
        """What a player presses for a plan: in the text, or in the file of a game that was read from one."""
        if instance.game.scan is not None:
            return plan.actions
        return keys_of(self.script(instance, None), self.shaped(instance), plan)

    def recorded(self, instance: Instance, plan: Plan) -> list[Any]:
        """The same as the engine's tests record it. Raises NotAvailable, SolverError."""
        keys = self.keys(instance, plan)
        if instance.game.scan is not None:
            return record_of(instance.name, *source_of(instance), keys)
        script = self.script(instance, None)
        return record_of(instance.name, script.text(), script.level_number(self.shaped(instance)), keys)

    # --- whole files ------------------------------------------------------------------------------------

    def unfit_together(self, instances: Sequence[Instance]) -> tuple[Finding, ...]:
        """Why one text cannot hold all these levels."""
        if instances[0].game.scan is not None:
            return unlike(instances)
        found = [fault for one in instances for fault in foreseen(one)]
        if found:
            return tuple(found)
        script = together(self, tuple(instances))
        if not script.fits:
            return (too_many(instances[0]),)
        first = instances[0].level.name
        remedy = "name one level, as in FILE#3, or a folder for a file of each"
        return tuple(
            Finding(f"level {one.level.name} cannot stand in one text with {first}", remedy, one.level.place)
            for one in script.left_out
        )

    def losses_together(self, instances: Sequence[Instance]) -> tuple[Finding, ...]:
        """What their text does differently."""
        if instances[0].game.scan is not None:
            return ()
        script = together(self, tuple(instances))
        return tuple(fault for one in script.instances for fault in lost_by(script, one, None))

    def text_together(self, instances: Sequence[Instance]) -> str:
        """The text of all these levels, in their order."""
        if instances[0].game.scan is not None:
            return written_again(tuple(instances))
        return together(self, tuple(instances)).text()

    def verify_together(
        self, instances: Sequence[Instance], text: str, turns: int | None = None
    ) -> Iterator[Check]:
        """Play each level of the text."""
        if instances[0].game.scan is not None:
            return replayed.checks(as_read(instances), text, turns)
        return verification.verified_each(together(self, tuple(instances)), text, turns)


@lru_cache(maxsize=64)
def told(instance: Instance) -> Instance:
    """The instance with rules that look at cells only: of all levels of its game the same."""
    by_cells = said_by_cells(instance)
    if by_cells == instance:
        return instance
    among = [instance, *siblings(instance)]
    return said_by_cells(instance, (max(map(height, among)), max(map(width, among))))


@lru_cache(maxsize=4)
def written(style: Style, instance: Instance, plan: Plan | None) -> Script:
    """The game as it is written; asked for its losses, its text and its verification, it is made once."""
    among = [style.shaped(one) for one in siblings(instance)] if plan is None else []
    return Script(style.shaped(instance), plan, among)


@lru_cache(maxsize=1)
def together(style: Style, instances: tuple[Instance, ...]) -> Script:
    """The same for all levels of a file."""
    first, *others = (style.shaped(one) for one in instances)
    return Script(first, None, others)


@lru_cache(maxsize=4)
def again(instances: tuple[Instance, ...]) -> str | None:
    """The text of levels that were read from such a file."""
    return read_back(instances)


def written_again(instances: tuple[Instance, ...]) -> str:
    """The same where there is one."""
    text = again(instances)
    assert text is not None
    return text


def unlike(instances: Sequence[Instance]) -> tuple[Finding, ...]:
    """What stands against such a text: that its rules would be others, read again."""
    if again(tuple(instances)) is not None:
        return ()
    message = "written rule by rule this game would be more than is read, or have other rules"
    return (Finding(message, "keep the file that it was read from", instances[0].game.place),)


EDITABLE, EXACT = Style(False, NAME), Style(True, f"{NAME}:style=exact")
left_out, losses, unfit, text = EDITABLE.left_out, EDITABLE.losses, EDITABLE.unfit, EDITABLE.text
verify, verify_turns = EDITABLE.verify, EDITABLE.verify_turns
unfit_together, losses_together = EDITABLE.unfit_together, EDITABLE.losses_together
keys, recorded = EDITABLE.keys, EDITABLE.recorded
text_together, verify_together = EDITABLE.text_together, EDITABLE.verify_together


def with_argument(given: str) -> Style:
    """What `puzzlescript:style=exact` names. Raises PuzzleError for what is no option."""
    word, options = read(given, OPTIONS, NAME)
    if word:
        raise PuzzleError(f"{NAME} is told {word[:40]!r}, which is no option", "there is style=...")
    return EXACT if options.get("style") == "exact" else EDITABLE


# --- what is lost, and what cannot be written -------------------------------------------------------------


def lost_by(script: Script, instance: Instance, plan: Plan | None) -> Iterator[Finding]:
    """What a text does differently from an instance."""
    declared, goal = instance.game.input, instance.game.goal
    if declared is not None and declared.wait and "wait" not in keys_for(declared):
        yield lost("there is no key left for waiting: all have a meaning already", declared.place)
    rounds = script.rounds()
    if rounds > MOST_ROUNDS:
        place = next((p.place for p in (*instance.game.turn, *instance.game.physics) if p.bound), None)
        message = f"loops may take {rounds} rounds a turn; PuzzleScript leaves them after {MOST_ROUNDS}"
        yield lost(message, place)
    start = initial_state(instance, plan.design if plan is not None else (), partial=True)
    fill = instance.game.design is not None and instance.game.design.fill
    won = is_goal(instance, start) and ending(instance) == "any-turn" and not fill
    if won or is_lost(instance, start):
        what = "won" if won else "lost"
        message = (
            f"level {instance.level.name} is {what} at the start; PuzzleScript sees it after the first key"
        )
        yield lost(message, instance.level.place or goal.place)


def lost(message: str, place: Place | None) -> Finding:
    """One loss."""
    return Finding(message, "leave it so with --allow-loss", place)


def too_many(instance: Instance) -> Finding:
    """The finding that there are more contents of cells than signs."""
    message = f"level {instance.level.name} has more than {MOST_CONTENTS} cells that hold different things"
    return Finding(message, "a map of PuzzleScript has one sign for each", instance.level.place)


def foreseen(instance: Instance) -> Iterator[Finding]:
    """What PuzzleScript cannot do, as far as it can be told before writing."""
    game, level = instance.game, instance.level
    declared = game.input
    yield from unfit_words(instance)
    if declared is None and game.design is None:
        yield Finding(
            "there is nothing to place and nothing to press", "there is nothing to play", game.place
        )
    if declared is not None and not declared.pick:
        without = ", ".join(verb for verb in declared.verbs if verb not in keys_for(declared))
        if without:
            yield Finding(
                f"PuzzleScript has the arrows and X, and no key is left for {without}", "", declared.place
            )
    if declared is not None and declared.pick and (declared.moves or declared.verbs):
        yield Finding("the keys that pick a cell cannot make moves as well", "", declared.place)
    moving = declared is not None or bool(game.physics)
    if moving and level.horizon == 0:
        message = f"level {level.name} ends before its first turn"
        yield Finding(message, "PuzzleScript judges after a turn", level.place)
    for kind in game.kinds:
        if kind.values is not None and len(values := values_there(instance, kind)) > MOST_VALUES:
            yield Finding(
                f"`{kind.name}` has more than {MOST_VALUES} values", "one sign each is drawn", kind.place
            )
        elif kind.values is not None and len({value % MOST_VALUES for value in values}) < len(values):
            message = f"of the values of `{kind.name}` some are {MOST_VALUES} apart, and would be drawn alike"
            yield Finding(message, "take others", kind.place)
    for term in game.goal.every_term:
        if isinstance(term, Count) and amount(instance, term.number) > height(instance) * width(instance):
            yield Finding(f"`{term.source()}` counts further than the board has cells", "", term.place)


def values_there(instance: Instance, kind: Kind) -> set[int]:
    """The values of a kind that there can be: all, or where none comes or goes those on the map."""
    transition = compile_instance(instance)
    dynamic = {transition.planes[plane].kind for plane in transition.dynamic}
    if kind.name in dynamic or any(piece.kind == kind.name for piece in placeable(instance)):
        return {value for value in variants(instance, kind) if isinstance(value, int)}
    board = (
        piece for row in instance.level.board for here in row for piece in here if piece.kind == kind.name
    )
    return {piece.variant for piece in board if isinstance(piece.variant, int)}
