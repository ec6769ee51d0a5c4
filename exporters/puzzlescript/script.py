"""The whole PuzzleScript text of a game, put together from its parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from ggp.exporters.puzzlescript.cast import HEADS, INK, PAPER, Cast
from ggp.exporters.puzzlescript.direct import Lines, apart, lone
from ggp.exporters.puzzlescript.edges import joined
from ggp.exporters.puzzlescript.general import General
from ggp.exporters.puzzlescript.goals import Goals
from ggp.exporters.puzzlescript.hero import Manner, hero_lines
from ggp.exporters.puzzlescript.levels import (
    MOST_CONTENTS,
    contents,
    digits,
    goes_with,
    sheet,
    siblings,
    signs_for,
    widest,
)
from ggp.exporters.puzzlescript.loops import loop_lines, most_rounds
from ggp.exporters.puzzlescript.passes import Family, Stage, families, movers
from ggp.exporters.puzzlescript.patterns import Tests, margin, plain, tests_of
from ggp.exporters.puzzlescript.player import Mode, Player, keys_for, mode_of
from ggp.exporters.puzzlescript.repeats import gliding, spreading
from ggp.exporters.puzzlescript.shapes import picture_tests, shapes_of
from ggp.exporters.puzzlescript.sounds import cues
from ggp.goals.count import Count
from ggp.language.description.writing import rule_halves
from ggp.model import DIRECTIONS, Group, Instance, Phase, Plan, Rule, Term, groups_of
from ggp.model.board import width
from ggp.transition.compiler import compile_instance
from ggp.transition.program import Loop, Pass, passes_of
from ggp.transition.whole_board import said_by_cells

PACE = 0.15  # seconds a turn of a run that goes on by itself
MOST_ROUNDS = 200  # of all loops in one turn, and of each line; then the engine leaves them
PLAIN = [apart, movers, lone]  # ways to write a pass, the plainest first
REPEATED = [gliding, spreading]  # likewise for a loop of one pass


Writer = Callable[[Stage, list[Family]], Lines | None]


class Script:
    """One exported game: the level asked for, the others that one text can hold, and all their rules.

    `among` are the levels that may be the others; without it those of the same file. `base` is the
    level whose pieces the text has.
    """

    def __init__(
        self, instance: Instance, plan: Plan | None = None, among: Sequence[Instance] | None = None
    ) -> None:
        self.instance = instance
        self.plan = plan
        offered = siblings(instance) if among is None else among
        self.base = widest(instance, offered if plan is None else ())
        self.by_cells = said_by_cells(self.base)
        self.game = self.by_cells.game
        self.transition = compile_instance(self.base)
        self.others, self.left_out = self.companions(offered) if plan is None else ([], [])
        self.hero, self.manner = self.hero_plane()
        self.mode: Mode = mode_of(self.instances, self.manner)
        self.cast = Cast(self.by_cells, self.transition, self.hero)
        self.player = Player(self.cast, self.mode, self.instances)
        self.margin = self.margins()
        # A board that is narrower than its clock is widened.
        narrow = self.mode.clock and any(width(one) < digits(one) for one in self.instances)
        if any(self.margin.values()) or narrow:
            self.player.blocking("edge", "cursor", "over")
        self.outside = self.cast.group("outside", self.player.outside()) if self.player.outside() else ""
        self.goals = Goals(self.player, self.instances, self.outside)
        self.stage = Stage(
            self.cast,
            self.outside,
            self.player.going,
            self.player.keys,
            self.mode.pressed,
            tuple(self.single_groups()),
        )
        self.rules = list(self.all_rules())
        self.sounds = list(cues(self.cast, self.transition, self.game.design))
        self.sheets = [sheet(one, plan, self.goals, self.margin) for one in self.instances]
        if not self.fits:
            self.left_out += self.others
            self.others, self.sheets = [], self.sheets[:1]

    # --- what is in it --------------------------------------------------------------------------------------

    @property
    def instances(self) -> list[Instance]:
        """The levels, the one asked for first."""
        return [self.instance, *self.others]

    def companions(self, offered: Sequence[Instance]) -> tuple[list[Instance], list[Instance]]:
        """The other levels: those that the same text can hold, and those that it cannot."""
        fitting, unfit = list[Instance](), list[Instance]()
        for other in offered:
            fits = goes_with(self.base, self.transition, other, compile_instance(other))
            (fitting if fits else unfit).append(other)
        return fitting, unfit

    def hero_plane(self) -> tuple[int | None, Manner]:
        """The piece that moves with the keys, and how, where the game is about one; else None."""
        declared, turn = self.game.input, self.transition.turn
        if declared is None or self.game.design is not None or declared.verbs or declared.pick or not turn:
            return None, ""
        step = next(passes_of(turn))
        plane = step.subjects[0][0] if len(step.subjects) == 1 else None
        if plane is None or set(declared.moves) != set(DIRECTIONS):
            return None, ""
        fewest, most = self.on_boards(frozenset({plane}))
        alone = len(list(passes_of((*turn, *self.transition.physics)))) == 1 and not declared.wait
        fitting: list[Manner] = ["natural", "pushing"] if alone and most == 1 else []
        if isinstance(turn[0], Loop):
            fitting = ["sliding"] if alone else []
        elif most == 1 and self.leads(plane):
            fitting.append("acting")
        trial = Cast(self.by_cells, self.transition, plane)
        stage = Stage(trial, "", "Turn", trial.pieces[plane], keys_for(declared))
        found = families(stage, step, self.rules_of(step))
        for manner in fitting:
            if fewest and hero_lines(stage, found, plane, manner) is not None:
                return plane, manner
        return None, ""

    def leads(self, plane: int) -> bool:
        """May a piece take the keys for the whole turn: it stays unless all is lost, and no one else asks?"""
        first, *later = passes_of((*self.transition.turn, *self.transition.physics))
        rules = [rule for step in later for _, some in step.subjects for rule in some]
        changes = [change for rule in self.transition.rules() for change in rule.changes]
        gone = any(change.plane == plane and change.result != plane for change in changes)
        come = any(change.result == plane and change.plane != plane for change in changes)
        lost = any(self.counts_out(term, plane) for term in self.game.goal.lose)
        return not come and (lost or not gone) and not any(rule.inputs for rule in rules)

    def counts_out(self, term: Term, plane: int) -> bool:
        """Does a term say that none of this plane is left?"""
        if not isinstance(term, Count) or term.ground is not None or term.comparison == ">=":
            return False
        return term.number == 0 and self.transition.planes_of(self.instance, term.what) == (plane,)

    def on_boards(self, group: frozenset[int]) -> tuple[int, int]:
        """How many pieces of some planes there are at the start, at least and at most, level by level."""
        pieces = {self.transition.planes[plane] for plane in group}
        counts = [
            sum(len(here & pieces) for row in one.level.board for here in row) for one in self.instances
        ]
        return min(counts), max(counts)

    def single_groups(self) -> Iterator[frozenset[int]]:
        """Planes of which never more than one piece is on the board: what is picked, and single movers."""
        declared, design = self.game.input, self.game.design
        changes = [change for rule in self.transition.rules() for change in rule.changes]
        for kind in self.game.kinds:
            group = frozenset(p for p, piece in enumerate(self.transition.planes) if piece.kind == kind.name)
            made = any(change.result in group and change.plane not in group for change in changes)
            picked = declared is not None and declared.pick == kind.name
            placed = design is not None and kind.name in design.kinds
            one = kind.count is not None and kind.count[1] == 1
            if not made and not placed and (picked or one):
                yield group

    def margins(self) -> dict[str, int]:
        """How far the levels must reach beyond the board for the rules to see its outside."""
        looks = list(self.picture_tests())
        # What PuzzleScript does by itself needs no rules to see the outside.
        for step in passes_of((*self.transition.turn, *self.transition.physics)):
            if self.manner == "natural":
                break
            looks += self.looks(step)
        return margin(tests for tests in looks if tests is not None)

    def looks(self, step: Pass) -> Iterator[Tests | None]:
        """What the rules of a pass ask of cells: nothing of those where markers leave out what is outside."""
        rules = self.rules_of(step)
        if any(effect.if_inside for rule in rules for effect in rule.effects):
            stage = Stage(Cast(self.by_cells, self.transition, self.hero), "", "Turn", "", self.mode.pressed)
            found = families(stage, step, rules)
            if plainest([*PLAIN, *REPEATED], stage, found) is None:
                yield from (family.tests for family in joined(found))
                return
        for subject, compiled in step.subjects:
            yield from (tests_of(rule, subject, self.transition) for rule in compiled)

    def picture_tests(self) -> Iterator[Tests | None]:
        """What the pictures of the goal ask of cells."""
        for shape in shapes_of(self.game):
            for one in self.instances:
                for picture in shape.pictures(one):
                    yield picture_tests(picture, one, self.transition)

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
        late = "late " if self.mode.natural else ""
        yield from section("The end of a turn", (late + text for text in player.ending()))
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
        plain = self.plain_lines(step, self.stage)
        if plain is not None:
            yield from plain
        elif isinstance(step, Loop):
            yield from loop_lines(self.stage, step, self.plain_lines)

    def plain_lines(self, step: Pass | Loop, stage: Stage) -> list[str] | None:
        """The lines of a pass, or of a loop that PuzzleScript carries out by repeating lines; else None."""
        if isinstance(step, Pass):
            return list(self.pass_lines(step, stage))
        lines = self.repeated(step, stage)
        (inner, *_) = passes_of((step,))
        return list(self.commented(inner, lines)) if lines is not None else None

    def repeated(self, loop: Loop, stage: Stage) -> Lines | None:
        """(name, line) for each rule of a loop of one pass that PuzzleScript's own repeating carries out."""
        (only, *more) = loop.body
        if more or isinstance(only, Loop) or loop.bound > MOST_ROUNDS:
            return None
        found = families(stage, only, self.rules_of(only))
        if self.manner == "sliding" and self.hero is not None:
            return hero_lines(stage, found, self.hero, self.manner)
        return plainest(REPEATED, stage, found)

    def rounds(self) -> int:
        """How many rounds of PuzzleScript's loops a turn may take."""
        steps = (*self.transition.turn, *self.transition.physics)
        return sum(
            most_rounds(one, lambda loop: self.repeated(loop, self.stage) is not None) for one in steps
        )

    def pass_lines(self, step: Pass, stage: Stage) -> Iterator[str]:
        """The lines of one pass."""
        found = families(stage, step, self.rules_of(step))
        first = next(passes_of(self.transition.turn), None)
        if self.hero is not None and step is first:
            lines = hero_lines(stage, found, self.hero, self.manner)
        else:
            lines = plainest(PLAIN, stage, found)
        if lines is None:
            lines = General(stage, found).lines()
        yield from self.commented(step, lines)

    def commented(self, step: Pass, lines: Lines) -> Iterator[str]:
        """The lines of a pass, each of our rules above those that it has become."""
        rules = self.rules_of(step)
        texts = {rule.name: " => ".join(rule_halves(self.game, self.which(step), rule)) for rule in rules}
        yield f"( {plain(step.name)} )" if step.name else ""
        seen = ""
        for name, text in lines:
            if name in texts:
                yield f"( {plain(texts.pop(name))} )"
            if text != seen:
                yield text
            seen = text
        by_itself = self.manner == "natural"
        for text in texts.values():
            yield f"( {plain(text)}: {'PuzzleScript does that by itself' if by_itself else 'never fires'} )"

    def which(self, step: Pass) -> str:
        """The section of the description that a pass stands in."""
        turn = any(step is one for one in passes_of(self.transition.turn))
        return "turn" if turn else "physics"

    @property
    def fits(self) -> bool:
        """Are there signs enough for what the cells of its maps hold? Else it cannot be written."""
        return len(contents(self.sheets)) <= MOST_CONTENTS

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
            ("SOUNDS", self.sounds),
            ("COLLISIONLAYERS", (", ".join(layer) for layer in self.lists[1])),
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

    @cached_property
    def lists(self) -> tuple[list[tuple[str, Sequence[str]]], list[Sequence[str]]]:
        """The groups with what they stand for, and the layers. What is named stands before what names it."""
        cast = self.cast
        layers = [cast.few(layer) for layer in cast.layers()]
        many = [(name, members) for name, members in cast.groups.items() if cast.many(members)]
        long = {name: cast.few(members) for name, members in many}
        short = {name: members for name, members in cast.groups.items() if name not in long}
        return [*short.items(), *long.items()], layers

    def head(self) -> Iterator[str]:
        """The title and the settings."""
        yield f"title {plain(self.game.title) or plain(self.game.name) or 'Untitled'}"
        for word, value in (("author", self.game.author), ("homepage", self.game.homepage)):
            if plain(value):
                yield f"{word} {plain(value)}"
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
        yield from (f"{name} = {' or '.join(members)}" for name, members in self.lists[0])
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


def plainest(ways: Iterable[Writer], stage: Stage, found: list[Family]) -> Lines | None:
    """The lines in the first of these ways that is exact; None if none is."""
    tried = (way(stage, found) for way in ways)
    return next((lines for lines in tried if lines is not None), None)


def groups(phase: Phase) -> tuple[Group, ...]:
    """The groups of a phase."""
    return groups_of(phase)


def section(title: str, lines: Iterable[str]) -> Iterator[str]:
    """Some lines under a comment; nothing where there are no lines."""
    found = list(lines)
    if found:
        yield from ("", f"( {title} )", *found)
