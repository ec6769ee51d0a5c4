"""The game of passes that does the same as one instance whose rules are in scan order, put together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ggp.errors import Finding, Place
from ggp.goals.count import Count
from ggp.goals.on import On
from ggp.goals.pattern import Shape
from ggp.model import (
    DIRECTIONS,
    Block,
    Condition,
    Effect,
    Goal,
    Group,
    InputIs,
    Instance,
    Level,
    Pattern,
    Phase,
    Rule,
    Term,
)
from ggp.model.board import amount
from ggp.model.features import describe, of_scan
from ggp.model.scan import MARKS, Crowd, Scan, ScanGoal, ScanGroup, ScanRule, ScanStage
from ggp.referee import semantics
from ggp.referee.scanning.groups import MOST_ROUNDS
from ggp.transition.scanned import Passes
from ggp.transition.scanned.cells import Facts, Ground, Plane, unmade
from ggp.transition.scanned.lone import Lone
from ggp.transition.scanned.matching import passes
from ggp.transition.scanned.moving import (
    asks_in_body,
    driven_by,
    marked_at_most,
    moves,
    player_marked,
)
from ggp.transition.scanned.onward import Onward, calm_marks, held, violations
from ggp.transition.scanned.refusal import REMEDY, KeepsOrder
from ggp.transition.scanned.rounds import LIKELY, ONCE, Rounds, rounds
from ggp.transition.scanned.rules import Ready, checked, ready
from ggp.transition.scanned.writing import Names, Writer, name_of

REFUSED = ("rigid", "chance-in-turns")
MOST_RULES = 2_000  # plain rules: each is a pass or more


@dataclass(frozen=True)
class Made:
    """A group of rules in scan order, and how often it must be gone through."""

    rules: list[Ready]
    rounds: Rounds
    place: Place | None


def translated(instance: Instance) -> Passes:
    """The instance as passes."""
    scan = instance.game.scan
    assert scan is not None
    needs = list(of_scan(scan))
    refused = (*REFUSED, "checkpoint") if leads_elsewhere(need.feature for need in needs) else REFUSED
    for need in needs:
        if need.feature in refused:
            raise KeepsOrder(describe(need.feature), need.place)
    count = len(scan.rules)
    if count > MOST_RULES:
        raise KeepsOrder(f"{count:,} plain rules are more than {MOST_RULES:,}", scan.place)
    beside = semantics.initial_state(instance).beside if scan.at_start else None
    if beside is not None and beside.won:
        raise KeepsOrder("the level is won before the first turn", scan.place)
    made = Translation(replace(instance, level=opened(instance, scan)), scan)
    return Passes(made.instance(), tuple(made.cuts), tuple(made.nested))


def leads_elsewhere(features: Iterable[str]) -> bool:
    """Can a commanded restart lead to a board that the run has not come to by itself before?

    A checkpoint is the board after a tick, which is that after a turn where turns do not go on, and the rules
    may run on it. Otherwise no shortest plan has a restart, and where none is commanded they are nothing.
    """
    return {"restart"} < {"restart", "again", "at-start"} & set(features)


def opened(instance: Instance, scan: Scan) -> Level:
    """The level as it is before the first turn."""
    level = instance.level
    if not scan.at_start:
        return level
    board, columns = semantics.initial_state(instance).board, len(level.board[0])
    rows = tuple(board[start : start + columns] for start in range(0, len(board), columns))
    return replace(level, board=rows)


class Translation:
    """Makes the game of passes for one instance."""

    def __init__(self, instance: Instance, scan: Scan) -> None:
        self.given, self.scan = instance, scan
        self.cuts: list[Finding] = []
        self.nested: list[Finding] = []
        game, layers = instance.game, scan.layers
        layer_of = {kind.name: kind.layer for kind in game.kinds}
        self.ground = Ground(game, unmade(scan, layers, {layer_of[kind] for kind in scan.player.kinds}))
        # What is marked has moved, or has not: late rules find no marks.
        self.late_ground = Ground(game, ((layer, way) for layer in layers for way in MARKS))
        # Where all marks of a turn go one way, a rule that asks for one of them finds no others.
        self.facing = {
            way: Ground(game, self.ground.never | {m for m in self.moving_marks() if m[1] != way})
            for way in DIRECTIONS
        }
        self.check_level()
        early = [rule for group in scan.early.groups for rule in group.rules]
        late = [rule for group in scan.late.groups for rule in group.rules]
        self.driven = driven_by(early, self.ground)
        self.one_way = self.driven >= set(layer_of)
        grounds = [(rule, self.ground) for rule in early] + [(rule, self.late_ground) for rule in late]
        every = [one for rule, ground in grounds if (one := ready(rule, ground, self.driven)) is not None]
        self.lone = Lone(instance.level, every)
        self.players = self.lone.most(frozenset(scan.player.kinds))
        self.early = [self.made(group, self.ground) for group in scan.early.groups]
        self.late = [self.made(group, self.late_ground) for group in scan.late.groups]
        size = len(instance.level.board), len(instance.level.board[0])
        self.names = Names(game, self.one_way)
        self.writer = Writer(self.names, self.ground, *size)

    def moving_marks(self) -> Iterator[tuple[str, str]]:
        """The marks that move something."""
        return ((layer, way) for layer in self.scan.layers for way in DIRECTIONS)

    def check_level(self) -> None:
        """Of each layer one thing at most stands in a cell."""
        level = self.given.level
        for here in {here for row in level.board for here in row}:
            if self.ground.closed(Facts(frozenset(piece.kind for piece in here))) is None:
                raise KeepsOrder("two things of one layer stand in a cell of the level", level.place)

    # --- what is found out about rules --------------------------------------------------------------------

    def made(self, group: ScanGroup, ground: Ground) -> Made:
        """A group, shown to be the same in passes, rule by rule."""
        rules = [one for rule in group.rules if (one := self.looked_at(rule, ground)) is not None]
        return Made(rules, self.within(rounds(rules, ground), group.place), group.place)

    def looked_at(self, rule: ScanRule, ground: Ground) -> Ready | None:
        """A rule, shown to be the same in passes; None where it never matches."""
        one = ready(rule, ground, self.driven)
        # What goes the way of the input is not marked where there is none.
        if one is not None and len(one.ways) > (ground is self.ground):
            return None
        if one is not None and self.one_way and one.ways:
            one = ready(rule, self.facing[next(iter(one.ways))])
        return None if one is None else checked(one, self.lone.alone)

    def within(self, found: Rounds | None, place: Place | None) -> Rounds:
        """How often something is repeated: as shown; cut where nothing is shown, or too much."""
        why = "no bound is shown for how often these rules are repeated until nothing changes"
        if found is not None:
            most = amount(self.given, found.amount())
            if most <= MOST_ROUNDS:
                return found
            why = f"up to {most} rounds are more than the engine's {MOST_ROUNDS}"
        self.cuts.append(Finding(why, REMEDY, place))
        return LIKELY

    # --- passes -------------------------------------------------------------------------------------------

    def stage(
        self, made: Sequence[Made], stage: ScanStage, ground: Ground, *, looping: bool = False
    ) -> Iterator[Phase]:
        """The passes of all groups of a stage."""
        ends, number = dict(stage.loops), 0
        while number < len(made):
            last = ends.get(number)
            if last is None:
                yield from self.group(made[number], looping=looping)
            else:
                yield from self.loop(made[number : last + 1], ground, looping=looping)
            number = number + 1 if last is None else last + 1

    def loop(self, made: Sequence[Made], ground: Ground, *, looping: bool) -> Iterator[Phase]:
        """Groups that are gone through again after a change."""
        rules = [rule for one in made for rule in one.rules]
        found, place = rounds(rules, ground), made[0].place
        if found == ONCE:
            for one in made:
                yield from self.group(one, looping=looping)
            return
        found = self.within(found, place)
        inside = [phase for one in made for phase in self.group(one, looping=True)]
        yield self.block(inside, found, place)

    def group(self, made: Made, *, looping: bool = False) -> Iterator[Phase]:
        """The passes of a group, in a loop where it is repeated."""
        once = made.rounds == ONCE
        phases = self.sequence(made.rules, looping or not once)
        if once or not phases:
            yield from phases
        elif len(phases) == 1 and phases[0].bound is None:
            yield replace(phases[0], bound=made.rounds.amount())
        else:
            yield self.block(phases, made.rounds, made.place)

    def block(self, phases: Sequence[Phase], rounds: Rounds, place: Place | None) -> Block:
        """Phases in a loop."""
        message = "in a loop of the game rules of several passes are repeated"
        blocks = (phase for phase in phases if isinstance(phase, Block))
        self.nested += [Finding(message, REMEDY, phase.place) for phase in blocks]
        return Block(name_of(place), tuple(phases), rounds.amount(), place)

    def sequence(self, rules: list[Ready], looping: bool) -> list[Group]:
        """The passes of a group, once. Rules for the four ways are written as one where they can be."""
        if self.one_way and all(asks_in_body(rule) and rule.plain for rule in rules if rule.ways):
            turned = [list(self.facing_passes(rules, way, looping)) for way in DIRECTIONS]
            if all(one == turned[0] for one in turned):
                return turned[0]
        return [one for rule in rules for one in passes(self.writing(rule), rule, None, looping)]

    def facing_passes(self, rules: list[Ready], way: str, looping: bool) -> Iterator[Group]:
        """The passes of rules that can do something when all marks go one way, turned that way."""
        for rule in rules:
            if not rule.ways or way in rule.ways:
                yield from passes(self.writing(rule), rule, way if rule.ways else None, looping)

    def writing(self, rule: Ready) -> Writer:
        """What writes a rule."""
        return replace(self.writer, ground=rule.ground)

    def turn(self) -> Iterator[Phase]:
        """All that a turn does."""
        onward = self.onward()
        if onward is not None:
            yield from onward.remembered()
        yield from self.standing()
        yield from player_marked(self.scan, self.ground, self.names)
        looped = bool(self.scan.early.loops)
        groups = [(one.rules, one.rounds) for one in self.early]
        most = None if looped else marked_at_most(groups, self.players)
        yield from self.tick(self.early, self.ground, self.scan.player.kinds, most)
        yield from self.stayed()
        if onward is not None:
            yield from onward.unmarked(self.ground)
            yield from self.going_on(onward)

    def tick(
        self,
        early: Sequence[Made],
        ground: Ground,
        kinds: Iterable[str],
        most: int | None,
        *,
        looping: bool = False,
    ) -> Iterator[Phase]:
        """One run of the rules. `kinds` are marked by the input; `most`: how many things can be marked."""
        yield from self.stage(early, self.scan.early, ground, looping=looping)
        movable = self.movable(early, kinds)
        layers = [
            layer
            for layer in self.scan.layers
            if movable & ground.slots.get((layer, False), frozenset())
            and any(mark not in ground.never for mark in ground.slots[layer, True] if mark[1] != "action")
        ]
        if layers:
            yield from moves(ground, self.names, layers, movable, self.one_way, most)
        yield from self.stage(self.late, self.scan.late, self.late_ground, looping=looping)

    # --- turns that go on ---------------------------------------------------------------------------------

    def onward(self) -> Onward | None:
        """What decides whether a turn goes on; None where no rule commands it."""
        rules = [rule for one in (*self.early, *self.late) for rule in one.rules]
        asking = [rule for rule in rules if "again" in rule.commands]
        if not asking:
            return None
        planes = {plane for rule in rules for part in rule.parts for plane in part.ins | part.outs}
        planes |= self.movable(self.early, self.scan.player.kinds)
        # What stands where something comes of its layer goes.
        layers = {self.ground.slot_of[plane] for plane in planes}
        kinds = tuple(kind.name for kind in self.given.game.kinds if (kind.layer, False) in layers)
        return Onward(self.names, self.writer, self.scan, kinds, asking[0].place)

    def going_on(self, onward: Onward) -> Iterator[Phase]:
        """The ticks without an input, as a loop."""
        groups = (*self.scan.early.groups, *self.scan.late.groups)
        calm = calm_marks([rule for group in groups for rule in group.rules], self.ground)
        early = [self.made(group, calm) for group in self.scan.early.groups]
        rules = [rule for one in (*early, *self.late) for rule in one.rules]
        if not any("again" in rule.commands or rule.changes for rule in rules):
            return
        for rule in rules:
            if "cancel" in rule.commands:
                raise KeepsOrder("the rule may undo a part of a turn that goes on", rule.place)
        marked = any(rule.written() for rule in rules)
        found = self.within(None if marked else rounds(rules, calm), onward.place)
        body = [*onward.decided(), *onward.remembered()]
        inside = [*self.tick(early, calm, (), None, looping=True), *onward.unmarked(calm)]
        yield self.block([*body, *map(onward.gated, inside)], found + Rounds(more=2), onward.place)

    def movable(self, early: Sequence[Made], players: Iterable[str]) -> frozenset[Plane]:
        """The kinds that can be marked: players, what stands where a mark is made, what takes its place."""
        kinds: set[Plane] = set(players)
        for rule in (rule for one in early for rule in one.rules):
            for part in rule.parts:
                kinds |= {plane for plane in part.ins if isinstance(plane, str)}
                for layer in {plane[0] for plane in part.ins if isinstance(plane, tuple)}:
                    kinds |= self.ground.slots[layer, False] - part.known.free
        return frozenset(kinds)

    # --- turns in which the player must move ----------------------------------------------------------------

    def standing(self) -> Iterator[Group]:
        """Note where the player is, where it must move."""
        if not self.scan.must_move:
            return
        if self.players is None or self.players > 1:
            raise KeepsOrder("there may be several players, one of which must move", self.scan.place)
        player, was = self.names.some(self.scan.player.kinds), self.names.kind("stood")
        here, add = Condition("present", (), player), (Effect("add", was, ()),)
        rules = [Rule("stood", "none", (here, InputIs(word)), add) for word in MARKS]
        yield Group("stood", tuple(rules), place=self.scan.place)

    def stayed(self) -> Iterator[Group]:
        """The turn is undone if the player is where it was."""
        if not self.scan.must_move:
            return
        player, token = self.names.some(self.scan.player.kinds), self.names.kind("undone", marker=False)
        asked = (
            Condition("present", (), self.names.kind("stood")),
            Condition("present", (), player),
            Condition("absent", (), token),
        )
        rule = Rule("stayed", "none", asked, (Effect("add", token, ()),))
        yield Group("stayed", (rule,), place=self.scan.place)

    # --- the whole ------------------------------------------------------------------------------------------

    def instance(self) -> Instance:
        """The instance of the game of passes."""
        turn = tuple(self.turn())
        goal = self.goal()
        made = self.written(turn, goal)
        if semantics.is_goal(made, semantics.initial_state(made)):
            # It is won by a turn, not by its start; also by one that leads back to it.
            for rule in (rule for one in (*self.early, *self.late) for rule in one.rules):
                if "restart" in rule.commands:
                    message = "the rule may begin the level again, which is won at its start"
                    raise KeepsOrder(message, rule.place)
            goal = replace(goal, terms=(*goal.terms, self.holds("begun")))
            made = self.written((self.begun(), *turn), goal)
        return made

    def written(self, turn: tuple[Phase, ...], goal: Goal) -> Instance:
        """The instance with these passes and this goal."""
        game = replace(
            self.given.game,
            kinds=tuple(self.names.kinds),
            classes=tuple(self.names.classes),
            goal=goal,
            turn=turn,
            scan=None,
        )
        return Instance(game, self.given.level)

    def begun(self) -> Group:
        """A token in the first cell says that there was a turn."""
        token = self.names.kind("begun", marker=False)
        first = (Condition("outside", ("left",)), Condition("outside", ("up",)))
        rule = Rule("begun", "none", (*first, Condition("absent", (), token)), (Effect("add", token, ()),))
        return Group("begun", (rule,), place=self.scan.place)

    def goal(self) -> Goal:
        """What wins, and what loses."""
        terms = [term for goal in self.scan.goals for term in self.terms(goal)]
        commanded = "won" in self.names.made
        if commanded and self.scan.goals:
            raise KeepsOrder("both a rule and conditions can win", self.scan.place)
        if not self.scan.goals:  # only a rule wins, or nothing does
            terms = [self.holds("won")]
        lose = (self.holds("undone"),) if "undone" in self.names.made else ()
        return replace(self.given.game.goal, terms=tuple(terms), lose=lose)

    def holds(self, token: str) -> Term:
        """The token is somewhere."""
        return Count(self.names.kind(token, marker=False), ">=", 1, place=self.scan.place)

    def terms(self, goal: ScanGoal) -> Iterator[Term]:
        """A condition as goal words; none where it always holds."""
        what, ground = goal.what, goal.ground
        if what.together and len(what.kinds) > 1:
            yield from self.pictures(goal)
        elif ground is not None and ground.together and goal.quantifier == "every":
            # On all of them together is on each of them.
            grounds = [Pattern(kind) for kind in ground.kinds]
            yield from (On("every", self.some(what), "on", one, goal.place) for one in grounds)
        elif ground is not None and ground.together and len(ground.kinds) > 1:
            yield from self.pictures(goal)
        elif ground is not None:
            yield On(goal.quantifier, self.some(what), "on", self.some(ground), goal.place)
        elif goal.quantifier != "every":
            many: tuple[str, int] = ("=", 0) if goal.quantifier == "no" else (">=", 1)
            yield Count(self.some(what), *many, place=goal.place)

    def pictures(self, goal: ScanGoal) -> Iterator[Term]:
        """The same of things that stand together, as pictures of one cell that are there, or are not."""
        if goal.quantifier == "some":
            yield Shape("somewhere", conditions=held(goal, self.names), place=goal.place)
        for wrong in violations(goal, self.names):
            yield Shape("nowhere", conditions=wrong, place=goal.place)

    def some(self, crowd: Crowd) -> Pattern:
        """Any of the kinds."""
        return self.names.some(crowd.kinds)
