"""The idiom for pushing games: the player is the avatar; what it runs into goes on, or throws it back.

It fits games whose only rules are: push something one cell if the cell behind it is free, else step if
the cell ahead is free. `recognise` finds out by the compiled rules whether a game is one. Crates that all
have to stand on one kind of ground change their type there, and the level is won when none is left of the
other type.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ggp.exporters.vgdl.goals import JudgeWriter
from ggp.exporters.vgdl.sheet import Layout, Sheet, colour, heading
from ggp.goals.on import On
from ggp.goals.pattern import Shape
from ggp.model import DIRECTIONS, OFFSETS, Instance
from ggp.referee.semantics import ending, initial_state
from ggp.transition.program import Change, CompiledRule, Pass, Term, Transition, compile_instance

Planes = frozenset[int]


@dataclass(frozen=True)
class Pushing:
    """A pushing game: who pushes, what stops it, and for each thing that can be pushed what stops that."""

    player: int
    blockers: Planes
    pushed: dict[int, Planes]


def recognise(instance: Instance, transition: Transition) -> Pushing | None:
    """The game as a pushing game, None if it is another kind of game."""
    game = instance.game
    plain = game.design is None and not (game.physics or game.wraps or game.chance or transition.markers)
    declared = game.input
    if not plain or declared is None or set(declared.moves) != set(DIRECTIONS):
        return None
    if declared.verbs or declared.pick or declared.wait or len(transition.turn) != 1:
        return None
    if any(isinstance(term, Shape) for term in (*game.goal.terms, *game.goal.lose)):
        return None  # the search for pictures needs what only the general scheme has on every cell
    (step,) = transition.turn
    if not isinstance(step, Pass) or len(step.subjects) != 1:
        return None
    ((player, rules),) = step.subjects
    if player is None or player in transition.exempt:
        return None
    found = [direction_rules(player, rules, direction) for direction in DIRECTIONS]
    first = found[0]
    if first is None or any(other != first for other in found):
        return None
    pushing = first
    # What can stop a push must not share a cell with what is pushed: then the order of asking is all one.
    layers = {transition.layers[plane] for plane in (*pushing.pushed, *pushing.blockers)}
    lonely = len(layers) == 1 and not transition.exempt & {*pushing.pushed, *pushing.blockers}
    board = instance.level.board
    players = sum(transition.planes[player] in here for row in board for here in row)
    return pushing if lonely and players == 1 and pushing.pushed.keys() <= pushing.blockers else None


def direction_rules(player: int, rules: tuple[CompiledRule, ...], direction: str) -> Pushing | None:
    """What the rules of one direction say, if they are pushes and then a step."""
    ahead = OFFSETS[direction]
    beyond = (2 * ahead[0], 2 * ahead[1])
    mine = [rule for rule in rules if set(rule.inputs) <= {direction}]
    if not mine or any(rule.inputs != (direction,) for rule in mine):
        return None
    pushed: dict[int, Planes] = {}
    go = (player, (0, 0), player, ahead)
    for rule in mine[:-1]:
        moves = {moved(change) for change in rule.changes} - {go}
        if len(moves) != 1 or len(rule.changes) != 2:
            return None
        ((what, source, result, target),) = moves
        if what is None or (source, result, target) != (ahead, what, beyond) or what in pushed:
            return None
        stops = stopped_by(rule, beyond, {Term(ahead, (what,), True), Term(ahead, (), True)})
        if stops is None:
            return None
        pushed[what] = stops
    last = mine[-1]
    blockers = stopped_by(last, ahead, set())
    if blockers is None or [moved(change) for change in last.changes] != [go]:
        return None
    return Pushing(player, blockers - {player}, {what: stops - {player} for what, stops in pushed.items()})


def moved(change: Change) -> tuple[int | None, tuple[int, int], int | None, tuple[int, int]]:
    """A change without its certainty."""
    return change.plane, change.source, change.result, change.target


def stopped_by(rule: CompiledRule, cell: tuple[int, int], known: set[Term]) -> Planes | None:
    """The planes that must not stand on a cell, if that and the edge are all that the rule still asks."""
    stops: set[int] = set()
    inside = False
    for term in rule.terms:
        if term == Term(cell, (), True):
            inside = True
        elif term.offset == cell and term.planes and not term.wanted:
            stops.update(term.planes)
        elif term not in known:
            return None
    return frozenset(stops) if inside else None


def write_pushing(instance: Instance) -> Layout | None:
    """The text of an instance by the idiom, None if the game is not one for it."""
    transition = compile_instance(instance)
    pushing = recognise(instance, transition)
    return PushWriter(instance, transition, pushing).write() if pushing is not None else None


class PushWriter:
    """Writes one text. `still` is the class of what nothing moves, `edge` what is met beyond the board."""

    still, edge = "Immutable", "EOS"

    def __init__(self, instance: Instance, transition: Transition, pushing: Pushing) -> None:
        self.instance = instance
        self.transition = transition
        self.pushing = pushing
        self.sheet = Sheet(instance)
        self.names = [self.sheet.pieces[piece] for piece in transition.planes]
        self.player = self.names[pushing.player]
        self.floor = self.sheet.name("floor")
        self.goal = self.ground_goal()
        self.on = {plane: self.sheet.name(f"{self.names[plane]} there") for plane in self.crates()}

    def ground_goal(self) -> tuple[Planes, int] | None:
        """(crates, ground) if the goal is that all of some pushed things stand on one kind of ground."""
        terms = self.instance.game.goal.terms
        if len(terms) != 1 or not isinstance(terms[0], On) or ending(self.instance) != "any-turn":
            return None
        wanted = terms[0].ground_required()
        if wanted is None or self.instance.game.goal.lose:
            return None
        what, ground = (self.transition.planes_of(self.instance, pattern) for pattern in wanted)
        fits = what and set(what) <= self.pushing.pushed.keys() and len(ground) == 1
        if not fits or ground[0] in self.transition.dynamic:
            return None
        return frozenset(what), ground[0]

    def crates(self) -> Planes:
        """The planes that change their type where they should stand."""
        return self.goal[0] if self.goal is not None else frozenset()

    def types(self, plane: int) -> list[str]:
        """The sprite types that stand for a plane."""
        return [self.names[plane], self.on[plane]] if plane in self.on else [self.names[plane]]

    def listed(self, planes: Iterator[int] | Planes) -> str:
        """All sprite types of some planes."""
        return " ".join(name for plane in sorted(planes) for name in self.types(plane))

    def write(self) -> Layout:
        """The text, with what is needed to play it."""
        self.sprites()
        self.moves()
        if self.instance.level.horizon is not None:
            self.turns()
        self.judging()
        self.board()
        how = ["Arrow keys move the player. A tick in which nothing moves is no turn."]
        self.sheet.head += heading(self.instance, how)
        keys = {self.names[plane]: piece for plane, piece in enumerate(self.transition.planes)}
        keys |= {name: self.transition.planes[plane] for plane, name in self.on.items()}
        return Layout(self.sheet.text(), keys, (0, 0), "idiom", "keys")

    def sprites(self) -> None:
        """Define the sprites: what lies below first, the player last."""
        sheet, kinds = self.sheet, {kind.name: kind for kind in self.instance.game.kinds}
        sheet.under(self.floor, self.still, color=self.paint("(245,243,238)"))
        for plane, piece in enumerate(self.transition.planes):
            code = colour(kinds[piece.kind])
            paint = self.paint(code)
            if plane in self.pushing.pushed:
                sheet.sprite(self.names[plane], "Passive", color=paint)
                if plane in self.on:
                    sheet.sprite(
                        self.on[plane], "Passive", color=self.paint(darker(colour(kinds[piece.kind])))
                    )
            elif plane != self.pushing.player:
                sheet.under(self.names[plane], self.still, color=paint)
        player = self.transition.planes[self.pushing.player]
        sheet.sprite(self.player, "MovingAvatar", color=self.paint(colour(kinds[player.kind])))

    def moves(self) -> None:
        """Write what happens when the player runs into something."""
        sheet, pushing = self.sheet, self.pushing
        sheet.say("what cannot be pushed throws the player back, and so does the edge")
        walls = self.listed(pushing.blockers - pushing.pushed.keys())
        sheet.act(self.player, f"{walls} {self.edge}".strip(), "stepBack")
        sheet.say("what can be pushed goes on; if it cannot go on, all stay where they were")
        for plane in pushing.pushed:
            for name in self.types(plane):
                sheet.act(name, self.player, "bounceForward")
        for plane, stops in pushing.pushed.items():
            for name in self.types(plane):
                sheet.act(name, f"{self.listed(stops)} {self.edge}".strip(), "undoAll")

    def turns(self) -> None:
        """Write that a tick in which the player has moved is a turn."""
        sheet, player = self.sheet, self.player
        trail = sheet.sprite(sheet.name("trail"), "Immovable", color="(235,232,224)")
        objectives = self.instance.game.objectives
        scored = bool(objectives) and objectives[0].counts == "turns"
        sheet.say("the player counts its turns; one that ends where the last one ended is none")
        for partner, sign in (("ANY", 1), (trail, -1)):
            score = -sign if scored else None
            sheet.act(player, partner, "changeResource", resource="turns", value=sign, scoreChange=score)
        sheet.act(trail, "ANY", "killSprite")
        sheet.act(player, "ANY", "spawnIfHasMore", resource="always", limit=0, stype=trail)
        self.trail = trail

    def judging(self) -> None:
        """Write how the level ends."""
        sheet, instance = self.sheet, self.instance
        if self.goal is None:
            JudgeWriter(sheet, instance, self.player, self.floor).write()
            return
        crates, ground = self.goal
        sheet.say(f"won if {instance.game.goal.terms[0].say(instance)}")
        for plane in sorted(crates):
            off, on = self.types(plane)
            sheet.act(off, self.names[ground], "transformTo", stype=on)
            sheet.act(on, self.floor, "transformTo", stype=off)
        names = {f"stype{n}": self.names[plane] for n, plane in enumerate(sorted(crates), 1)}
        if len(names) == 1:
            sheet.end("SpriteCounter", stype=names["stype1"], limit=0, win=True)
        else:
            sheet.end("MultiSpriteCounter", **names, limit=0, win=True)
        if instance.level.horizon is not None:
            self.out_of_turns()

    def out_of_turns(self) -> None:
        """The level is lost when the turns are counted up to its horizon."""
        self.sheet.end("ResourceCounter", stype="turns", limit=self.instance.level.horizon, win=False)

    def paint(self, code: str) -> str:
        """A colour as the dialect writes it."""
        return code

    def board(self) -> None:
        """Put everything on the map: floor on each cell, except under the ground of the goal."""
        sheet, columns = self.sheet, self.transition.width
        for index, here in enumerate(initial_state(self.instance).board):
            planes = [plane for plane, piece in enumerate(self.transition.planes) if piece in here]
            placed = self.goal is not None and self.goal[1] in planes
            names = [self.on[p] if placed and p in self.on else self.names[p] for p in planes]
            if self.pushing.player in planes and self.instance.level.horizon is not None:
                names.append(self.trail)
            sheet.put(divmod(index, columns), *([] if placed else [self.floor]), *names)


def darker(paint: str) -> str:
    """A darker shade of a colour."""
    return f"({','.join(str(int(part) * 2 // 3) for part in paint.strip('()').split(','))})"
