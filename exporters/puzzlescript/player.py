"""The player's part of an exported game: the cursor, placing within the budget, releasing, keys, the clock.

- A *design* is made with a cursor. X on a free cell places the next piece, and after the last one takes it
  back. X on the bar below the board releases: the cursor is gone and the run begins.
- A run without inputs goes on by itself, one tick a turn; else the keys make the turns.
- The *clock* in the bar counts turns down. At zero the run is over: it is won then or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from ggp.exporters.puzzlescript.cast import INK, Cast, Depth, glyph_look, part_look
from ggp.exporters.puzzlescript.hero import Manner
from ggp.exporters.puzzlescript.patterns import Spot, bare, line
from ggp.model import DIRECTIONS, Input, Instance, Piece
from ggp.referee.designs import placeable
from ggp.referee.semantics import ending
from ggp.referee.stock import stocks

Keys = Literal["none", "hero", "keys", "picks"]
KEY_NAMES = {"action": "X"}


@dataclass(frozen=True)
class Mode:
    """How an exported game is played, the same in all its levels.

    `still`: nothing moves, the design is the answer. `keys`: who takes the keys in a run: nobody, the one
    piece that moves with them, or a helper that all rules can see, or one that picks cells. `pressed` has the
    key of each input of a run but picks. `compare`: whether a turn changed anything must be found out,
    because one that did not is none and takes no time. `natural`: PuzzleScript itself moves the hero, after
    all rules but the late ones. `acting`: the hero takes the keys, but rules of ours move it.
    """

    design: bool
    still: bool
    fill: bool
    stock: bool
    clock: bool
    keys: Keys
    pressed: Mapping[str, str]
    compare: bool
    at_end: bool
    natural: bool
    acting: bool

    @property
    def going(self) -> str:
        """The helper that is there while a turn is made; none where every key makes one or nothing moves."""
        if self.still or self.natural:
            return ""
        return "run" if self.keys == "none" else "turn"

    @property
    def has_bar(self) -> bool:
        """Is there a bar below the board?"""
        return (self.design and not self.still) or self.clock or self.stock


def mode_of(instances: Iterable[Instance], manner: Manner) -> Mode:
    """How the levels of one game are played; `manner`: how its hero moves, if it is one with a hero."""
    found = list(instances)
    game = found[0].game
    still = game.input is None and not game.physics
    clock = not still and any(one.level.horizon is not None for one in found)
    keys: Keys = "none"
    waits = game.input is not None and game.input.wait
    if game.input is not None:
        keys = "hero" if manner and manner != "acting" else "picks" if game.input.pick else "keys"
    design = game.design
    return Mode(
        design=design is not None,
        still=still,
        fill=design is not None and design.fill,
        stock=any(stocks(one) for one in found),
        clock=clock,
        keys=keys,
        pressed=keys_for(game.input),
        compare=keys in ("keys", "picks") and clock and not waits,
        at_end=clock and ending(found[0]) == "horizon",
        natural=manner == "natural",
        acting=manner == "acting",
    )


def keys_for(declared: Input | None) -> dict[str, str]:
    """The key of each input: arrows for moves, X for the first other one, then the arrows that are left.

    An input for which no key is left is not there; nor are picks, which are made with a cursor.
    """
    if declared is None or declared.pick:
        return {}
    others = [*declared.verbs, *(["wait"] if declared.wait else [])]
    left = ["action", *(way for way in DIRECTIONS if way not in declared.moves)]
    return {**{way: way for way in declared.moves}, **dict(zip(others, left, strict=False))}


class Player:
    """Writes the rules of the player's part."""

    def __init__(self, cast: Cast, mode: Mode, instances: Iterable[Instance] = ()) -> None:
        self.cast = cast
        self.mode = mode
        self.instance = cast.instance
        self.pieces = [cast.pieces[cast.transition.number[piece]] for piece in placeable(self.instance)]
        counts = {len(placeable(one)) for one in instances} - {len(self.pieces)}
        self.fewer = {count: cast.helper(f"first {count}") for count in sorted(counts)}
        if mode.has_bar:
            self.blocking("bar", "bar", "ground")
        if mode.design:
            cast.helper("slot", part_look("blank" if mode.fill else "slot"), depth="cell")
        if mode.stock:
            for kinds in stocks(self.instance):
                first = next(name for name in self.pieces if self.kind_of(name) in kinds)
                cast.helper(self.counter("stock", kinds), cast.looks[first], layer="counter")
                cast.helper(self.counter("spent", kinds), part_look("spent"), layer="counter")
        if mode.clock:
            for digit in range(10):
                cast.helper(f"clock {digit}", glyph_look(str(digit), INK), layer="counter")
            cast.helper("over", layer="over")
        if mode.design:
            cast.helper("cursor", part_look("cursor"), layer="cursor")
        if mode.going:
            cast.helper(mode.going, part_look("run") if mode.going == "run" else None)
        if mode.keys == "picks":
            cast.helper("picker", part_look("cursor"), layer="cursor")
            if self.pick_ways():
                cast.helper("held", part_look("held"))
        if mode.keys == "keys" and not mode.acting:
            cast.helper("keys")

    def blocking(self, word: str, layer: str, depth: Depth) -> str:
        """A helper that stands where there is no board, on the hero's layer where that alone stops it."""
        hero = self.cast.hero
        if self.mode.natural and hero is not None:
            layer, depth = self.cast.transition.layers[hero], "board"
        return self.cast.helper(word, part_look(word), layer=layer, depth=depth)

    @property
    def going(self) -> str:
        """The object that is there while a turn is made."""
        return self.cast.helper(self.mode.going) if self.mode.going else ""

    @property
    def keys(self) -> str:
        """The object that takes the keys in a run."""
        if (self.mode.keys == "hero" or self.mode.acting) and self.cast.hero is not None:
            return self.cast.pieces[self.cast.hero]
        if self.mode.keys == "picks":
            return self.cast.helper("picker")
        return self.cast.helper("keys") if self.mode.keys == "keys" else ""

    def players(self) -> list[str]:
        """What the engine gives the keys to."""
        found = [self.cast.helper("cursor")] if self.mode.design else []
        found += [self.keys] if self.keys else []
        return found or [self.going]

    def outside(self) -> list[str]:
        """The helpers that stand where there is no board."""
        return [self.cast.helpers[word] for word in ("bar", "edge") if word in self.cast.helpers]

    def slots(self, instance: Instance) -> list[str]:
        """What stands on a free cell of a level; where not all pieces are placed, how many of them."""
        count = len(placeable(instance))
        return [self.cast.helper("slot"), *([self.fewer[count]] if count in self.fewer else [])]

    # --- designing ----------------------------------------------------------------------------------------

    def kind_of(self, name: str) -> str:
        """The kind of a piece, by the name of its object."""
        return self.cast.transition.planes[self.cast.pieces.index(name)].kind

    def counter(self, word: str, kinds: tuple[str, ...]) -> str:
        """What the helper is called that counts pieces of these kinds."""
        design = self.instance.game.design
        return word if design is None or not design.limits else f"{word} {kinds[0]}"

    def designing(self) -> Iterator[str]:
        """X on a free cell: the next piece of which there is one left, and after the last one none."""
        if not self.mode.design:
            return
        cursor, slot = self.cast.helper("cursor"), self.cast.helper("slot")
        cell, pressed = f"{cursor} {slot}", f"action {cursor} {slot}"
        shared = {kind: kinds for kinds in stocks(self.instance) for kind in kinds} if self.mode.stock else {}
        for index in range(len(self.pieces), -1, -1):
            now = self.pieces[index - 1] if index else f"no {self.cast.group('placed', self.pieces)}"
            if index in self.fewer:
                yield bare(f"{pressed} {now} {self.fewer[index]}", f"{cell} {self.fewer[index]}")
            mine = shared.get(self.kind_of(now)) if index else None
            asked: set[tuple[str, ...]] = set()
            for following in (*self.pieces[index:], ""):
                theirs = shared.get(self.kind_of(following)) if following else None
                if (theirs is not None and theirs in asked) or not (index or following):
                    continue
                taken, given = (mine, theirs) if mine != theirs else (None, None)
                before, after = self.counters((taken, "spent"), (given, "stock"))
                yield bare(f"{pressed} {now}{before}", f"{cell} {following}".rstrip() + after)
                if given is None:
                    break
                asked.add(given)

    def counters(self, *moved: tuple[tuple[str, ...] | None, str]) -> tuple[str, str]:
        """What a rule asks of the counters in the bar, and what it makes of them: the other sort."""
        other = {"spent": "stock", "stock": "spent"}
        names = [(kinds, word) for kinds, word in moved if kinds is not None]
        before = "".join(f" ; {self.cast.helper(self.counter(word, kinds))}" for kinds, word in names)
        after = "".join(f" ; {self.cast.helper(self.counter(other[word], kinds))}" for kinds, word in names)
        return before, after

    def releasing(self) -> Iterator[str]:
        """X on the bar: the run begins. The first turn is the next tick's, or the next key's."""
        if not self.mode.design or self.mode.still:
            return
        bar, slot = self.cast.helper("bar"), self.cast.helper("slot")
        pressed = f"action {self.cast.helper('cursor')} {bar}"
        if self.mode.fill:
            placed = self.cast.group("placed", self.pieces)
            still = f"{self.cast.helper('cursor')} {bar}"
            row = [[Spot(pressed, still)], [Spot(f"{slot} no {placed}", slot)]]
            yield line("", *row, command="message First every free cell must be filled.")
        yield bare(f"{pressed} ; {slot}", f"{pressed} ;")
        if self.mode.keys == "picks":
            yield bare(f"{pressed} ; {self.home()}", f"{bar} ; {self.home()} {self.keys}")
        else:
            yield bare(pressed, f"{self.keys or self.going} {bar}")

    def home(self) -> str:
        """A helper that stands on the first cell of the board."""
        return self.cast.helper("home")

    # --- turns --------------------------------------------------------------------------------------------

    def beginning(self) -> Iterator[str]:
        """What makes a key a turn."""
        declared, keys, going = self.instance.game.input, self.keys, self.going
        if declared is None or self.mode.keys == "hero":
            return
        if self.mode.keys == "keys":
            if set(declared.moves) == set(DIRECTIONS):
                yield bare(f"> {keys}", f"> {keys} {going}")
            else:
                yield from (bare(f"{way} {keys}", f"{way} {keys} {going}") for way in declared.moves)
            for word, key in self.mode.pressed.items():
                if word not in declared.moves:
                    yield bare(f"{key} {keys}", f"{key} {keys} {going}")
        else:
            yield from self.picking(keys, going)
        if self.mode.compare:
            for plane in self.compared():
                name, was = self.cast.pieces[plane], self.was(plane)
                yield bare(f"{going} ; {name}", f"{going} ; {name} {was}")

    def picking(self, keys: str, going: str) -> Iterator[str]:
        """X picks the cell; where a pick has a direction, X takes hold and the next arrow says which."""
        ways, outside = self.pick_ways(), self.outside()
        if ways:
            held = self.cast.helper("held")
            yield bare(f"action {keys} {held}", keys)
            yield bare(f"action {keys}", f"{keys} {held}")
            for way in ways:
                yield bare(f"{way} {keys} {held}", f"{way} {keys} {going} {self.picked(way)}")
        else:
            yield bare(f"action {keys}", f"action {keys} {going} {self.picked(None)}")
        if outside:
            name = self.cast.group("outside", outside)
            yield line("", [Spot(f"> {keys} no {going}", keys), Spot(name, name)])

    def pick_ways(self) -> tuple[str, ...]:
        """The directions that a pick may have; none where picks have no direction."""
        declared = self.instance.game.input
        kinds = {kind.name: kind for kind in self.instance.game.kinds}
        return kinds[declared.pick].facings if declared is not None and declared.pick is not None else ()

    def picked(self, way: str | None) -> str:
        """The object that marks a picked cell."""
        declared = self.instance.game.input
        assert declared is not None and declared.pick is not None
        return self.cast.pieces[self.cast.transition.number[Piece(declared.pick, way)]]

    def ending(self) -> Iterator[str]:
        """What closes a turn: our markers vanish, time passes, the keys come to rest."""
        keys, going = self.keys, self.going
        markers = [self.cast.pieces[plane] for plane in sorted(self.cast.transition.markers)]
        if markers:
            yield bare(self.cast.group("vanishing", markers), "")
        if self.mode.keys == "hero" and going:
            yield bare(f"> {keys} no {going}", keys)
        if self.mode.compare:
            changed = self.cast.helper("changed")
            for plane in self.compared():
                name, was = self.cast.pieces[plane], self.was(plane)
                yield bare(f"{going} ; {name} no {was}", f"{going} {changed} ; {name}")
                yield bare(f"{going} ; {was} no {name}", f"{going} {changed} ; {was}")
            if self.compared():
                yield bare(self.cast.group("before", [self.was(plane) for plane in self.compared()]), "")
        if self.mode.clock:
            yield from self.time_passes()
        if self.mode.clock and self.mode.natural:
            trail = self.cast.helper("trail")
            yield bare(trail, "")
            yield bare(keys, f"{keys} {trail}")
        if self.mode.compare:
            yield bare(self.cast.helper("changed"), "")
        if self.mode.keys == "keys":
            yield bare(f"moving {keys}", f"stationary {keys}")
        if self.mode.keys == "picks":
            yield bare(f"moving {keys} {going}", f"stationary {keys} {going}")
        if self.mode.keys != "none" and going:
            yield bare(going, "")

    def compared(self) -> list[int]:
        """The planes that a turn can change."""
        return sorted(self.cast.transition.dynamic - self.cast.transition.markers)

    def was(self, plane: int) -> str:
        """The helper that keeps where a plane was before the turn."""
        return self.cast.helper(f"was {self.cast.transition.planes[plane]}")

    def time_passes(self) -> Iterator[str]:
        """The clock goes down by one; when it shows zero the run is over."""
        digits = [self.cast.helper(f"clock {digit}") for digit in range(10)]
        ones, tick, last = (self.cast.helper(word) for word in ("ones", "tick", "last"))
        over = self.cast.helper("over")
        turn = self.cast.helper("changed") if self.mode.compare else self.going
        clock = self.cast.group("clock", digits)
        if self.mode.natural:  # the hero has left the trail that it was put on
            moved = f"{self.keys} no {self.cast.helper('trail')}"
            yield bare(f"{moved} ; {ones}", f"{self.keys} ; {ones} {tick} {last}")
        else:
            yield bare(f"{turn} ; {ones}", f"{turn} ; {ones} {tick} {last}")
        # A nought borrows from the digit before it.
        yield line("left", [Spot(f"{tick} {digits[0]}", digits[9]), Spot(clock, f"{clock} {tick}")])
        for lower, digit in zip(digits, digits[1:], strict=False):
            yield bare(f"{tick} {digit}", lower)
        time = self.cast.group("time", digits[1:])
        yield bare(f"{last} ; {time}", f" ; {time}")
        yield line("", [Spot(last, over)], command="again")
        if self.mode.keys == "none":
            yield bare(f"{over} ; {self.going}", f"{over} ;")

    def over(self) -> Iterator[str]:
        """Nothing moves any more in a run that is lost; one that the clock has ended is lost unless won."""
        losing = bool(self.instance.game.goal.lose) and not self.mode.still
        lost = self.cast.helper("lost", part_look("lost")) if losing or self.mode.clock else ""
        if losing or (self.mode.clock and self.mode.keys != "none"):
            yield f"[ {lost} ] -> cancel"
        if self.mode.clock:
            said = "message Time is up and the goal is not reached. Z goes back, R begins again."
            yield line("", [Spot(self.cast.helper("over"), lost)], command=said)

    def again(self) -> Iterator[str]:
        """A run without inputs goes on by itself."""
        if self.mode.going == "run":
            yield f"[ {self.going} ] -> again"

    # --- words ----------------------------------------------------------------------------------------------

    def says(self) -> str:
        """How to play, in a sentence or two."""
        said = []
        if self.mode.design:
            design = self.instance.game.design
            cell, name = "white" if self.mode.fill else "dotted", design.named if design is not None else ""
            does = f"places a {name}, or takes it back"
            if len(self.pieces) > 1:
                does = f"sets the next {name}, and after the last one none"
            said.append(f"Arrows move the cursor. X on a {cell} cell {does}.")
        if self.mode.design and not self.mode.still:
            said.append("When all is ready go down to the green bar and press X to let go.")
        if self.mode.keys == "picks":
            way = "X takes hold of a cell, an arrow says where to" if self.pick_ways() else "X picks a cell"
            said.append(f"Arrows move the cursor. {way}.")
        elif self.mode.keys in ("keys", "hero"):
            said += self.keys_said()
        if self.mode.clock:
            said.append("The number in the bar counts the turns that are left.")
        return " ".join([*said, "Z takes back, R begins again."])

    def keys_said(self) -> Iterator[str]:
        """What each key does in a run."""
        declared = self.instance.game.input
        if declared is not None and declared.moves:
            yield "Arrows make a move."
        for word, key in self.mode.pressed.items():
            if declared is not None and word not in declared.moves:
                yield f"{KEY_NAMES.get(key, key.capitalize())}: {word}."
