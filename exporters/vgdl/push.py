"""The idiom for games of one walker: he is the avatar, and what he or what he pushes meets is an effect each.

It fits games in which a turn is one step, or none, and what comes of it hangs on what the step meets: walls,
things that go on if they can, things that are taken, holes that are filled, and what is the end of him.
`ggp.exporters.vgdl.walking` finds out by the compiled rules whether a game is one, and
`ggp.exporters.vgdl.endings` whether counting sprites says when it is over.
"""

from __future__ import annotations

from collections.abc import Iterator

from ggp.exporters.vgdl.endings import Ends, ends_of
from ggp.exporters.vgdl.goals import JudgeWriter
from ggp.exporters.vgdl.meetings import Meetings, Planes
from ggp.exporters.vgdl.sheet import DIVIDED, Layout, Sheet, colour, heading
from ggp.exporters.vgdl.walking import meetings
from ggp.goals.pattern import Shape
from ggp.model import Instance
from ggp.referee.semantics import initial_state
from ggp.transition.compiler import compile_instance
from ggp.transition.program import Transition


def recognise(instance: Instance, transition: Transition, *, gates: bool = False) -> Meetings | None:
    """The game as one of a walker, None if it is another kind of game. `gates` as in `meetings`."""
    goal = instance.game.goal
    if any(isinstance(term, Shape) for term in goal.every_term):
        return None  # the search for pictures needs what only the general scheme has on every cell
    found = meetings(instance, transition, gates=gates)
    if found is None or not (found.deadly or found.keys or found.doors):
        return found
    # Who judges otherwise stands beside the walker, and would go with him; nor does it see what he holds.
    return None if ends_of(instance, transition, found) is None else found


def waits(instance: Instance) -> bool:
    """Is a tick in which nothing changes a turn, too?"""
    return instance.game.input is not None and instance.game.input.wait


def write_pushing(instance: Instance) -> Layout | None:
    """The text of an instance by the idiom, None if the game is not one for it."""
    if waits(instance):
        return None  # what counts turns here counts those in which something changes
    transition = compile_instance(instance)
    pushing = recognise(instance, transition)
    return PushWriter(instance, transition, pushing).write() if pushing is not None else None


class PushWriter:
    """Writes one text. `still` is the class of what nothing moves, `edge` what is met beyond the board."""

    still, edge = "Immutable", "EOS"
    divided = DIVIDED  # where the levels are

    def __init__(self, instance: Instance, transition: Transition, pushing: Meetings) -> None:
        self.instance = instance
        self.transition = transition
        self.pushing = pushing
        self.sheet = Sheet(instance)
        player = transition.planes[pushing.player]
        if len(pushing.walkers) > 1:  # what he holds is no part of the name
            self.sheet.pieces[player] = self.sheet.names.of(player.kind)
        self.names = [self.sheet.pieces[piece] for piece in transition.planes]
        self.player = self.names[pushing.player]
        for plane in pushing.walkers:
            self.names[plane] = self.player
        self.held = self.sheet.name("held")
        self.counts = instance.level.horizon is not None and not waits(instance)  # by what it writes itself
        self.floor = self.sheet.name("floor")
        self.ends = ends_of(instance, transition, pushing)
        changing = () if self.ends is None else sorted(self.ends.things | self.ends.exits)
        self.on = {plane: self.sheet.name(f"{self.names[plane]} there") for plane in changing}

    def types(self, plane: int) -> list[str]:
        """The sprite types that stand for a plane."""
        return [self.names[plane], self.on[plane]] if plane in self.on else [self.names[plane]]

    def listed(self, planes: Iterator[int] | Planes) -> str:
        """All sprite types of some planes."""
        return " ".join(dict.fromkeys(name for plane in sorted(planes) for name in self.types(plane)))

    def write(self) -> Layout:
        """The text, with what is needed to play it."""
        self.sprites()
        self.moves()
        if self.counts:
            self.turns()
        self.meets()
        self.judging()
        self.board()
        none = "" if waits(self.instance) else " A tick in which nothing moves is no turn."
        how = [f"Arrow keys move the player.{none}"]
        self.sheet.head += heading(self.instance, how, self.divided)
        keys = {self.names[plane]: piece for plane, piece in enumerate(self.transition.planes)}
        keys |= {name: self.transition.planes[plane] for plane, name in self.on.items()}
        walkers = tuple(self.transition.planes[plane] for plane in self.pushing.walkers)
        keys[self.player] = walkers[0]
        held = (self.player, self.held, walkers) if len(walkers) > 1 else None
        return Layout(self.sheet.text(), keys, (0, 0), "idiom", "keys", held=held)

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
            elif plane in self.pushing.keys:
                self.key(self.names[plane], paint)
            elif plane not in self.pushing.walkers:
                for name in self.types(plane):
                    sheet.under(name, self.still, color=paint)
        player = self.transition.planes[self.pushing.player]
        self.walker(self.paint(colour(kinds[player.kind])))

    def walker(self, paint: str) -> None:
        """Define the player."""
        self.sheet.sprite(self.player, "MovingAvatar", color=paint)

    def key(self, name: str, paint: str) -> None:
        """Define a key."""
        most = len(self.pushing.walkers) - 1
        self.sheet.under(name, "Resource", res_type=self.held, limit=most, color=paint)

    def moves(self) -> None:
        """Write what happens when the player runs into something."""
        sheet, pushing = self.sheet, self.pushing
        sheet.say("what cannot be pushed throws the player back, and so does the edge")
        walls = self.listed(pushing.blockers - pushing.pushed.keys())
        sheet.act(self.player, f"{walls} {self.edge}".strip(), "stepBack")
        if pushing.doors:
            self.doors()
        sheet.say("what can be pushed goes on; if it cannot go on, all stay where they were")
        for plane in pushing.pushed:
            for name in self.types(plane):
                sheet.act(name, self.player, "bounceForward")
        for plane, stops in pushing.pushed.items():
            for name in self.types(plane):
                sheet.act(name, f"{self.listed(stops)} {self.edge}".strip(), "undoAll")

    def doors(self) -> None:
        """Write that a door opens for who holds a key, and throws all others back."""
        sheet, doors = self.sheet, sorted(self.pushing.doors)
        if not self.pushing.spends:
            sheet.say("who holds a key opens a door")
            for plane in doors:
                sheet.act(self.names[plane], self.player, "killIfOtherHasMore", resource=self.held, limit=1)
        else:
            sheet.say("who holds a key opens a door, and holds one less")
            opening = sheet.state("opening")
            every = self.listed(self.pushing.doors)
            sheet.act(self.player, every, "spawnIfHasMore", resource=self.held, limit=1, stype=opening)
            for plane in doors:
                sheet.act(self.names[plane], opening, "killSprite")
            sheet.act(self.player, opening, "changeResource", resource=self.held, value=-1)
            sheet.act(opening, self.player, "killSprite")
        sheet.act(self.player, self.listed(self.pushing.doors), "stepBack")

    def meets(self) -> None:
        """Write what comes of whom the player, or what he pushes, has met."""
        sheet, found = self.sheet, self.pushing
        effects = (("killBoth", found.filled, "both are gone"), ("killSprite", found.sunk, "it is gone"))
        for effect, pairs, said in effects:
            for thing, other in sorted(pairs):
                piece = self.transition.planes[thing]
                sheet.say(f"{piece} and {self.transition.planes[other]}: {said}")
                for name in self.types(thing):
                    sheet.act(name, self.names[other], effect)
        for thing, other in sorted(found.crushed):
            sheet.say(f"{self.transition.planes[thing]} crushes {self.transition.planes[other]}")
            sheet.act(self.names[other], self.listed(frozenset({thing})), "killSprite")
        if found.taken:
            sheet.say("what the player takes")
        for plane in sorted(found.taken):
            if plane in found.keys:
                self.collect(self.names[plane])
            sheet.act(self.names[plane], self.player, "killSprite")
        if found.deadly:
            sheet.say("what is the end of the player")
        for plane in sorted(found.deadly):
            self.death(self.names[plane], spent=plane in found.spent)

    def collect(self, name: str) -> None:
        """Write that he holds one key more."""
        self.sheet.act(name, self.player, "collectResource")

    def death(self, name: str, *, spent: bool) -> None:
        """Write that to meet this type is the end of the player, and of that itself too."""
        self.sheet.act(self.player, name, "killBoth" if spent else "killSprite")

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
        if self.ends is None:
            JudgeWriter(sheet, instance, self.player, self.floor).write()
            return
        for planes, term in zip(self.ends.lost, instance.game.goal.lose, strict=True):
            sheet.say(f"lost if {term.say(instance)}")
            self.losing(planes)
        sheet.say(f"won if {'; '.join(term.say(instance) for term in instance.game.goal.terms)}")
        self.winning(self.ends)
        if instance.level.horizon is not None:
            self.out_of_turns()

    def winning(self, ends: Ends) -> None:
        """Write when it is won."""
        sheet = self.sheet
        for plane in sorted(ends.exits):
            sheet.act(self.names[plane], self.player, "transformTo", stype=self.on[plane])
        for plane in sorted(ends.things):
            off, on = self.types(plane)
            ground = self.names[ends.ground] if ends.ground is not None else ""
            sheet.act(off, ground, "transformTo", stype=on)
            sheet.act(on, self.floor, "transformTo", stype=off)
        if ends.exits or ends.some:
            # There comes to be one in some turn, before there can be more.
            self.counted([self.on[plane] for plane in sorted(ends.exits | ends.things)], 1, win=True)
        elif ends.things:
            self.counted([self.names[plane] for plane in sorted(ends.things)], 0, win=True)
        else:
            self.counted(self.listed(ends.gone).split(), 0, win=True)

    def losing(self, planes: Planes) -> None:
        """Write that it is lost when none is left of these."""
        self.counted(self.listed(planes).split(), 0, win=False)

    def counted(self, names: list[str], number: int, *, win: bool) -> None:
        """The level ends when there are so many of these types together."""
        if len(names) == 1 and number == 0:
            self.sheet.end("SpriteCounter", stype=names[0], limit=0, win=win)
            return
        stypes = {f"stype{index}": name for index, name in enumerate(names, 1)}
        self.sheet.end("MultiSpriteCounter", **stypes, limit=number, win=win)

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
            placed = self.ends is not None and self.ends.ground in planes
            there = self.ends.things if placed and self.ends is not None else ()
            names = [self.on[p] if p in there else self.names[p] for p in planes]
            if self.pushing.player in planes and self.counts:
                names.append(self.trail)
            sheet.put(divmod(index, columns), *([] if placed else [self.floor]), *names)


def darker(paint: str) -> str:
    """A darker shade of a colour."""
    return f"({','.join(str(int(part) * 2 // 3) for part in paint.strip('()').split(','))})"
