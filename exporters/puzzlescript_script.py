"""The whole PuzzleScript text of a game, put together from its parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from ggp.board import width
from ggp.description_writing import rule_halves
from ggp.exporters.puzzlescript_cast import HEADS, INK, PAPER, Cast, part_look
from ggp.exporters.puzzlescript_general import General
from ggp.exporters.puzzlescript_goals import Goals
from ggp.exporters.puzzlescript_levels import (
    MOST_CONTENTS,
    contents,
    digits,
    goes_with,
    sheet,
    siblings,
    signs_for,
)
from ggp.exporters.puzzlescript_loops import loop_lines, passes
from ggp.exporters.puzzlescript_passes import Stage, families, movers, pushing
from ggp.exporters.puzzlescript_patterns import margin, plain, tests_of
from ggp.exporters.puzzlescript_player import Mode, Player, mode_of
from ggp.model import DIRECTIONS, Block, Group, Instance, Phase, Plan, Rule
from ggp.transition import Loop, Pass, compile_instance

PACE = 0.15  # seconds a turn of a run that goes on by itself


class Script:
    """One exported game: the level asked for, the others that one text can hold, and all their rules."""

    def __init__(self, instance: Instance, plan: Plan | None = None) -> None:
        self.instance = instance
        self.plan = plan
        self.game = instance.game
        self.transition = compile_instance(instance)
        self.others, self.left_out = self.companions() if plan is None else ([], [])
        self.hero = self.hero_plane()
        self.mode: Mode = mode_of(self.instances, self.hero is not None)
        self.cast = Cast(instance, self.transition, self.hero)
        self.player = Player(self.cast, self.mode)
        self.goals = Goals(self.player)
        self.margin = self.margins()
        # A board that is narrower than its clock is widened.
        narrow = self.mode.clock and any(width(one) < digits(one) for one in self.instances)
        if any(self.margin.values()) or narrow:
            self.cast.helper("edge", part_look("edge"), layer="cursor")
        self.outside = self.cast.group("outside", self.player.outside()) if self.player.outside() else ""
        self.stage = Stage(
            self.cast, self.outside, self.player.going, self.player.keys, self.mode.keys == "picks"
        )
        self.rules = list(self.all_rules())
        self.sheets = [sheet(one, plan, self.goals, self.margin) for one in self.instances]
        if len(contents(self.sheets)) > MOST_CONTENTS:
            self.left_out += self.others
            self.others, self.sheets = [], self.sheets[:1]

    # --- what is in it --------------------------------------------------------------------------------------

    @property
    def instances(self) -> list[Instance]:
        """The levels, the one asked for first."""
        return [self.instance, *self.others]

    def companions(self) -> tuple[list[Instance], list[Instance]]:
        """The other levels of the game: those that the same text can hold, and those that it cannot."""
        fitting, unfit = list[Instance](), list[Instance]()
        for other in siblings(self.instance):
            fits = goes_with(self.instance, self.transition, other, compile_instance(other))
            (fitting if fits else unfit).append(other)
        return fitting, unfit

    def hero_plane(self) -> int | None:
        """The piece that moves with the keys, where the game is one of pushing; else None."""
        declared, turn = self.game.input, self.transition.turn
        if declared is None or self.game.design is not None or self.game.physics or len(turn) != 1:
            return None
        only = turn[0]
        if declared.verbs or declared.pick or declared.wait:
            return None
        if isinstance(only, Loop) or len(only.subjects) != 1:
            return None
        plane = only.subjects[0][0]
        if plane is None or set(declared.moves) != set(DIRECTIONS):
            return None
        hero = self.transition.planes[plane]
        alone = all(
            sum(hero in here for row in one.level.board for here in row) == 1 for one in self.instances
        )
        trial = Cast(self.instance, self.transition, plane)
        stage = Stage(trial, "", "Turn", trial.pieces[plane], False)
        lines = pushing(stage, families(stage, only, self.rules_of(only)), plane)
        return plane if alone and lines is not None else None

    def margins(self) -> dict[str, int]:
        """How far the levels must reach beyond the board for the rules to see its outside."""
        read = (
            tests_of(rule, subject, self.transition)
            for step in passes((*self.transition.turn, *self.transition.physics))
            for subject, rules in step.subjects
            for rule in rules
        )
        return margin(tests for tests in read if tests is not None)

    def rules_of(self, step: Pass) -> tuple[Rule, ...]:
        """The rules of the description that a pass was compiled from."""
        for phase in (*self.game.turn, *self.game.physics):
            for group in groups(phase):
                if (group.name, group.place) == (step.name, step.place):
                    return group.rules
        return ()

    # --- rules ----------------------------------------------------------------------------------------------

    def all_rules(self) -> Iterator[str]:
        """All lines of the section of rules, comments included."""
        player = self.player
        yield from section("The end", player.over())
        yield from section("X places, changes and takes back", player.designing())
        yield from section("A key makes a turn", player.beginning())
        for step in (*self.transition.turn, *self.transition.physics):
            yield from self.step_lines(step)
        yield from section("The end of a turn", player.ending())
        yield from section("X on the bar lets go", player.releasing())
        yield from section("It goes on by itself", player.again())
        self.goals.write()
        seen = ""
        for text, rule in self.goals.late:
            if text and text != seen:
                yield f"( {plain(text)} )"
            seen = text
            yield rule

    def step_lines(self, step: Pass | Loop) -> Iterator[str]:
        """The lines of a pass, or of a loop of passes."""
        if isinstance(step, Pass):
            yield from self.pass_lines(step, self.stage)
        else:
            yield from loop_lines(self.stage, step, self.pass_lines)

    def pass_lines(self, step: Pass, stage: Stage) -> Iterator[str]:
        """The lines of one pass."""
        rules = self.rules_of(step)
        found = families(stage, step, rules)
        if self.hero is not None:
            lines = pushing(stage, found, self.hero)
        else:
            lines = movers(stage, found)
        if lines is None:
            lines = General(stage, found).lines()
        texts = {rule.name: " => ".join(rule_halves(self.game, self.which(step), rule)) for rule in rules}
        yield f"( {plain(step.name)} )" if step.name else ""
        seen = ""
        for name, text in lines:
            if name in texts:
                yield f"( {plain(texts.pop(name))} )"
            if text != seen:
                yield text
            seen = text
        for text in texts.values():
            yield f"( {plain(text)}: never fires )"

    def which(self, step: Pass) -> str:
        """The section of the description that a pass stands in."""
        turn = any(step is one for one in passes(self.transition.turn))
        return "turn" if turn else "physics"

    # --- the text -------------------------------------------------------------------------------------------

    @cached_property
    def signs(self) -> dict[frozenset[str], str]:
        """The sign that stands on the maps for each content of a cell."""
        return signs_for(self.sheets, self.cast)

    def text(self) -> str:
        """The PuzzleScript text."""
        parts = [
            ("", self.head()),
            ("OBJECTS", self.objects()),
            ("LEGEND", self.legend()),
            ("SOUNDS", []),
            ("COLLISIONLAYERS", (", ".join(layer) for layer in self.cast.layers())),
            ("RULES", self.rules),
            ("WINCONDITIONS", self.goals.wins),
            ("LEVELS", self.levels()),
        ]
        lines: list[str] = []
        for name, content in parts:
            if name:
                lines += ["=" * len(name), name, "=" * len(name), ""]
            lines += [*content, ""]
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"

    def head(self) -> Iterator[str]:
        """The title and the settings."""
        yield f"title {plain(self.game.title) or plain(self.game.name) or 'Untitled'}"
        yield f"background_color {PAPER}"
        yield f"text_color {INK}"
        yield f"again_interval {PACE}"
        yield "norepeat_action"
        yield ""
        yield f"( {plain(self.instance.name)}, exported by ggp )"
        if self.game.about:
            yield f"( {plain(self.game.about)} )"
        for one in self.left_out:
            yield f"( left out, since one text cannot hold both: {plain(one.level.name)} )"
        if self.plan is not None and self.plan.actions:
            yield f"( keys of the plan: {plain(' '.join(self.plan.actions))} )"

    def objects(self) -> Iterator[str]:
        """Every object with its colours and its dots."""
        for name, look in self.cast.looks.items():
            yield from (name, " ".join(look.colours), *look.rows, "")

    def legend(self) -> Iterator[str]:
        """The signs of the maps, and the names of groups."""
        for here, sign in self.signs.items():
            yield f"{sign} = {' and '.join(sorted(here)) or self.cast.floor}"
        yield ""
        for name, members in self.cast.groups.items():
            yield f"{name} = {' or '.join(members)}"
        players = self.player.players()
        if players != ["Player"]:
            yield f"Player = {' or '.join(players)}"

    def levels(self) -> Iterator[str]:
        """A message and a map for each level."""
        for index, (one, drawn) in enumerate(zip(self.instances, self.sheets, strict=True)):
            title = plain(one.level.title) or plain(one.level.name)
            if re.match(HEADS, title, re.IGNORECASE):  # the older engine would take it for a section
                title = f"Level {title}"
            yield f"message {title}" if index else f"message {title}: {plain(self.player.says())}"
            yield ""
            yield from ("".join(self.signs[here] for here in row) for row in drawn.grid)
            yield ""

    def level_number(self, instance: Instance) -> int:
        """The number of a level among the screens of the game, messages included."""
        return 2 * self.instances.index(instance) + 1


def groups(phase: Phase) -> tuple[Group, ...]:
    """The groups of a phase."""
    return phase.groups if isinstance(phase, Block) else (phase,)


def section(title: str, lines: Iterable[str]) -> Iterator[str]:
    """Some lines under a comment; nothing where there are no lines."""
    found = list(lines)
    if found:
        yield from ("", f"( {title} )", *found)
