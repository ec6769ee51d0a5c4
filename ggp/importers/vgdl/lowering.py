"""A game of VGDL while it becomes groups of rules: the passes so far, and what can be on the board by then.

Each line of the InteractionSet is one pass: all sprites that it concerns are changed at once. Where the
engine's order in a line could matter (two partners in one cell, of which the first counts) a rule stops the
game there, by name. What can never be said is refused before. What a tick does stands in `tick`, what is
known of the types in `known`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ggp.errors import Finding
from ggp.importers.vgdl import clocks
from ggp.importers.vgdl.compact import Local
from ggp.importers.vgdl.compact.rules import layered
from ggp.importers.vgdl.copies import numbered
from ggp.importers.vgdl.facts import Kind, Line
from ggp.importers.vgdl.forms import AGAINST, KILLED, At, Form, safe, way_of
from ggp.importers.vgdl.game import VgdlGame
from ggp.importers.vgdl.known import Known
from ggp.importers.vgdl.parts import WHOLE, goes_on, overlaps
from ggp.importers.vgdl.refused import Refused
from ggp.importers.vgdl.steps import IMPOSSIBLE, Step, edge, gone, put, stop, take, there
from ggp.model import Class, Condition, Effect, InputIs, Path, Pattern, Phase
from ggp.model import Kind as OurKind

MOST_FORMS = 4000
MOST_GONE_THROUGH = 2_000_000  # forms, in all passes
REACH = "height + width"


class Lowering(Known):
    """Lowers one game. `present` are the forms that can be on the board at this point of the tick."""

    def __init__(self, game: VgdlGame) -> None:
        super().__init__(game)
        self.markers: set[str] = set()
        self.exits: set[str] = set()
        self.lone: set[str] = set()  # types of which there must be one at most on a map
        self.more_kinds: list[OurKind] = []
        self.phases: list[Phase] = []
        self.present: set[Form] = set()
        self.pairs: dict[tuple[tuple[str, ...], At], list[tuple[Condition, Condition]]] = {}
        self.met: dict[tuple[tuple[str, ...], At], list[tuple[Condition, ...]]] = {}
        self.now: Line | None = None
        self.local: Local | None = None
        self.why = ""  # the game is not one in few rules
        self.unscored = ""  # why the rules count no score; its lines say nothing of one then
        self.most = MOST_FORMS
        self.gone_through = 0
        self.warnings: list[Finding] = list(game.warnings)
        self.stops = True  # can the game come to where it stops?
        self.ordered = True  # does it stop where a list's order could show, as far as what is removed goes?

    # --- what is refused ------------------------------------------------------------------------------------

    def too_many(self, forms: Iterable[Form], what: str) -> Refused:
        """That sprites can be in too many ways, with the line of the type that most of them are of."""
        ((key, number),) = Counter(form.key for form in forms).most_common(1)
        message = f"sprites can be in {what}, {number:,} of them `{key}`"
        return self.refuse_type(key, message, "lower cooldowns, `cons`, speeds in parts of cells, and limits")

    def refuse(self, message: str, remedy: str = "") -> Refused:
        """What cannot be said, with the line that is at hand."""
        return Refused(message, remedy, self.now.effect.line if self.now is not None else 1)

    # --- the tick -----------------------------------------------------------------------------------------

    def step(self, name: str, line: int = 0, *, drawn: bool = False) -> Step:
        """A new pass; `drawn`: chance draws a rule for each sprite."""
        return Step(self.forms, name, self.place(line or 1), self.carried, drawn=drawn)

    def done(self, step: Step, bound: str | None = None) -> None:
        """Keep a pass, if it does anything."""
        group = step.group(bound)
        if group is not None:
            self.phases.append(group)
        self.present = (self.present - step.spent) | step.becomes
        self.gone_through += len(self.present)
        if len(self.present) >= self.most:
            raise self.too_many(self.present, f"more than {self.most:,} ways")
        if self.gone_through > MOST_GONE_THROUGH:
            raise self.too_many(self.present, "too many ways to go through")
        self.met.clear()
        self.pairs.clear()

    def those(self, keys: Iterable[str]) -> list[Form]:
        """The forms of some types that can be there, in a fixed order."""
        wanted = set(keys)
        return sorted((form for form in self.present if form.key in wanted), key=repr)

    # --- who moves ----------------------------------------------------------------------------------------

    def go(
        self, step: Step, form: Form, new: Form, asks: Iterable[Condition | InputIs] = (), what: str = ""
    ) -> None:
        """A form goes on by a cell, or leaves the map."""
        way = str(new.went)
        if form.at != WHOLE or new.by:
            goes_on(step, self.block, form, new, asks, what)
            return
        step.change(form, new, (*asks, edge(way, outside=False)), to=(way,), what=what)
        step.change(form, new._replace(off=True), (*asks, edge(way, outside=True)), what=what)

    def comes(
        self,
        step: Step,
        asks: Iterable[Condition | InputIs],
        made: Form,
        also: Iterable[Effect] = (),
        path: tuple[str, ...] = (),
        what: str = "",
        weight: int = 1,
    ) -> None:
        """Something new comes, here or in a neighbouring cell, with the first number that is free there."""
        for free, effects, new in numbered(self.forms, made.key in self.many, made, path):
            name = what if new is not None else "-".join(filter(None, (what, "no-place")))
            step.add((*asks, *free), (*effects, *also), name, weight)
            step.becomes |= {new} if new is not None else set()

    def spend(
        self, resource: str, before: int, after: int
    ) -> tuple[tuple[Condition, ...], tuple[Effect, ...]]:
        """The conditions and effects by which what the avatar has changes from one amount to another."""
        asks, effects = self.has(resource, before), []
        if before != after:
            effects += [take(self.held(resource, before))] if before else []
            effects += [put(self.held(resource, after))] if after else []
        return asks, tuple(effects)

    def has(self, resource: str, amount: int) -> tuple[Condition, ...]:
        """The avatar has so much of a resource."""
        if self.limits.get(resource, 0) == 0:
            return ()
        return (there(self.held(resource, amount)),) if amount else (gone(self.held(resource)),)

    def alone(self, key: str, where: str = "") -> tuple[Condition, ...]:
        """What must hold for a sprite to be made of which there can be one alone: told by a flood.

        `where`: a name for the place in the tick at which it is told anew, since some may have come.
        """
        asks = []
        for name in self.kinds[key].singles:
            mark = "-".join(filter(None, ("is-a", safe(name), where)))
            if not self.flooded(mark):
                self.flood(mark, self.those(self.below[name]))
            asks.append(gone(Pattern(mark)))
        return tuple(asks)

    def flooded(self, mark: str) -> bool:
        """Has the word already gone round in this tick?"""
        return any(phase.name == f"{mark}-spreads" for phase in self.phases)

    def flood(self, mark: str, sources: list[Form]) -> None:
        """Let it be known everywhere that one of some forms is there."""
        self.markers.add(mark)
        if sources:
            step = self.step(f"{mark}-begins")
            for form in sources:
                step.add((there(self.forms.pattern(form)),), (put(Pattern(mark)),))
            self.done(step)
        self.spread(mark)

    def spread(self, mark: str) -> None:
        """Let a marker spread over the board."""
        step = self.step(f"{mark}-spreads")
        around = [Effect("add", Pattern(mark), (way,), if_inside=True) for way in AGAINST]
        for way in AGAINST:
            asks = (there(Pattern(mark)), edge(way, outside=False), gone(Pattern(mark), (way,)))
            step.add(asks, around)
        self.done(step, REACH)

    def child(self, form: Form, kind: Kind, stype: str) -> Form:
        """What a spawn point makes; types that come before it in the SpriteSet act in the same tick."""
        if self.python:
            return self.born(stype)
        child = self.born(stype, way_of(kind.spawned) or form.facing)._replace(off=form.off, at=form.at)
        if way_of(kind.spawned):
            child = child._replace(facing=way_of(kind.spawned))
        acts = self.order.index(stype) < self.order.index(form.key)
        return child._replace(rest=self.begun(stype).rest) if acts else child

    # --- what meets ---------------------------------------------------------------------------------------

    def actors(self, line: Line) -> Iterator[Form]:
        """The forms that a line can act on."""
        for form in self.those(line.actors):
            if form.dead == KILLED or (form.dead and line.partners is None):
                continue
            if line.effect.shield in form.shields:
                continue
            if line.timer is not None or (form.off if line.partners is None else not form.away):
                yield form

    def partners(self, line: Line, actor: Form) -> list[Form]:
        """The forms that such a form can meet in a line."""
        if line.partners is None:
            return []
        return [
            form
            for form in self.those(line.partners)
            if not form.away and form != actor and not (self.python and form.dead)
        ]

    def meets(self, line: Line, actor: Form) -> list[tuple[Condition, ...]]:
        """Conditions of which one holds where a form meets any of its partners."""
        if line.timer is not None:
            return [(there(clocks.strike(line.timer)),)]
        if line.partners is None:
            return [()]
        if actor.key in line.partners:
            return self.meets_among(line, actor)
        same = line.partners, actor.at
        if same not in self.met:  # the same for all that are no partners themselves
            self.met[same] = self.meets_among(line, actor)
        return self.met[same]

    def meets_among(self, line: Line, actor: Form) -> list[tuple[Condition, ...]]:
        """What `meets` gives for a form that may be a partner itself."""
        others = self.partners(line, actor)
        mine = self.forms.name(actor)
        places: dict[Path, set[str]] = {}
        for form in others:
            for path in self.paths(actor, form):
                places.setdefault(path, set()).add(self.forms.name(form))
        found: list[tuple[Condition, ...]] = [
            (there(self.forms.group(names - {mine}), path),)
            for path, names in places.items()
            if names - {mine}
        ]
        return found + [(there(self.forms.pattern(f)),) for f in others if self.forms.name(f) == mine]

    def paths(self, one: Form, other: Form) -> list[Path]:
        """The cells in which the other must be to overlap the one, seen from it."""
        return [path for path, _ in overlaps(self.block, one.at, other.at)]

    def near(self, one: Form, other: Form) -> list[Condition]:
        """Conditions of which one holds where the other overlaps the one."""
        return [there(self.forms.pattern(other), path) for path in self.paths(one, other)]

    def only_one(self, step: Step, line: Line, actor: Form) -> None:
        """Rules that stop the game where two partners meet a form at once, which the line cannot have."""
        if line.partners is None:
            return
        among, same = actor.key in line.partners, (line.partners, actor.at)
        if among or same not in self.pairs:
            pairs = list(self.pairs_of(actor, self.partners(line, actor)))
            if not among:
                self.pairs[same] = pairs
        else:
            pairs = self.pairs[same]
        asks: Iterable[tuple[Condition, ...]] = pairs
        if self.block > 1 and not among:  # many forms, and as many pairs: told by a word, once for all
            asks = self.crowded(line, actor.at, pairs)
        for crowd in asks:
            step.add((there(self.forms.pattern(actor)), *crowd), stop(), f"two-partners-of-{safe(actor.key)}")

    def crowded(
        self, line: Line, at: At, pairs: list[tuple[Condition, Condition]]
    ) -> list[tuple[Condition, ...]]:
        """Put a word wherever one of these pairs is, once in the line; what holds where it is."""
        number = next(index for index, one in enumerate(self.lines) if one is line)
        mark = f"crowd-{number}-{at[0]}-{at[1]}"
        if pairs and not any(phase.name == mark for phase in self.phases):
            self.markers.add(mark)
            step = self.step(mark)
            for one, other in pairs:
                step.add((one, other), (put(Pattern(mark)),))
            self.done(step)
        return [(there(Pattern(mark)),)] if pairs else []

    def pairs_of(self, actor: Form, others: list[Form]) -> Iterator[tuple[Condition, Condition]]:
        """Conditions of which a pair holds where two of these meet a form; no two avatars are."""
        if all(form.key in self.players and form.dead != KILLED for form in others):
            return
        placed = [(form, path) for form in others for path in self.paths(actor, form)]
        names = [self.forms.name(form) for form, _ in placed]
        for index, (one, path) in enumerate(placed):
            me = there(self.forms.pattern(one), path)
            rest: dict[Path, set[str]] = {}
            for name, (other, where) in zip(names[index + 1 :], placed[index + 1 :], strict=True):
                if name == names[index] and where == path:
                    yield me, there(self.forms.pattern(other), where)
                else:
                    rest.setdefault(where, set()).add(name)
            for where, some in rest.items():
                yield me, there(self.forms.group(some), where)

    # --- what it comes to ---------------------------------------------------------------------------------

    def made(self) -> tuple[tuple[OurKind, ...], tuple[Class, ...]]:
        """The kinds and classes of the game."""
        colours = {one.key: str(one.args.get("color", "")).lower() for one in self.game.sprites}
        kinds, classes = self.forms.made(colours)
        if self.local is not None:
            keys = {self.forms.name(form): key for key, form in self.forms.plain.items()}
            kinds = layered(kinds, keys, self.local.together)
        more = [*self.more_kinds, *clocks.made(self.strikes)]
        more = [*more, *(OurKind(mark, mark, marker=True) for mark in sorted(self.markers))]
        if self.stops:
            more.append(OurKind(IMPOSSIBLE, IMPOSSIBLE, merge=True, tile="cross", colour="red"))
        for resource, most in self.resources.items():
            more.append(OurKind(self.held(resource).name, self.held(resource).name, values=(1, most)))
        return (*kinds, *more), classes
