"""Time and judgement: the clock that counts turns, the goal words, and how a run ends.

At the end of each tick a `judge` appears beside the clock (with a goal that must hold at the horizon only
when time is up), and every goal word that does not hold removes it. If it survives, the level is won. A
way to lose has a judge of its own. Time is up when the clock has counted `horizon` turns; that ends the
run after all else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ggp.exporters.vgdl.passes import PassWriter
from ggp.exporters.vgdl.sheet import Sheet
from ggp.goals.count import Count
from ggp.goals.on import On
from ggp.goals.pattern import Picture, Shape
from ggp.goals.unless import Unless
from ggp.model import Instance, Pattern, Term
from ggp.model.board import amount, matches
from ggp.referee.semantics import ending
from ggp.transition.program import CompiledRule, Transition
from ggp.transition.program import Term as Asked

MANY = 1000000


@dataclass
class JudgeWriter:
    """Writes goals into a sheet.

    `clock` is one sprite that holds the resource `turns`, `here` what stands on every cell, one on each.
    `writer` writes the passes of the game; only a goal that looks for pictures needs it. `idle`: there are
    ticks without the clock, before the run begins.
    """

    sheet: Sheet
    instance: Instance
    clock: str
    here: str
    writer: PassWriter | None = None
    idle: bool = False

    def write(self) -> None:
        """Write the judging of a tick and how the level ends."""
        game, horizon = self.instance.game, self.instance.level.horizon
        for term in game.goal.lose:
            lost = self.sheet.state("lost")
            self.sheet.say(f"lost if: {term.say(self.instance)}")
            self.judge(lost, (term,), 0)
            self.sheet.end("MultiSpriteCounter", stype1=lost, limit=1, win=False)
        at_horizon = ending(self.instance) == "horizon"
        judge = self.sheet.state("judge")
        when = "when time is up" if at_horizon else "at any turn"
        self.sheet.say(f"won if, {when}: {'; '.join(term.say(self.instance) for term in game.goal.terms)}")
        self.judge(judge, game.goal.terms, horizon or 0 if at_horizon else 0)
        self.sheet.end("MultiSpriteCounter", stype1=judge, limit=1, win=True)
        self.time_up()

    def time_up(self) -> None:
        """Write that the level ends at the horizon, if there is one."""
        horizon = self.instance.level.horizon
        if horizon is None:
            return
        over = self.sheet.state("time up")
        self.sheet.say(f"time is up after {horizon} turns")
        self.spawn(self.clock, over, horizon)
        self.sheet.end("MultiSpriteCounter", stype1=over, limit=1, win=False)

    def judge(self, judge: str, terms: Iterable[Term], limit: int) -> None:
        """Write that a judge appears from turn `limit` on, and stays where all terms hold."""
        self.spawn(self.clock, judge, limit)
        for term in terms:
            GOAL_WRITERS[term.word](self, judge, term)

    # --- small steps --------------------------------------------------------------------------------------

    def spawn(self, actor: str, made: str, limit: int = 0) -> None:
        """Let a sprite appear with each `actor` that has come so far in turns."""
        resource = "turns" if limit else "always"
        self.sheet.act(actor, self.here, "spawnIfHasMore", resource=resource, limit=limit, stype=made)

    def dismiss(self, actor: str, partners: str, judge: str) -> None:
        """Remove the judge wherever these meet."""
        self.sheet.act(actor, partners, "KillOthers", target=judge)

    def kill(self, state: str) -> None:
        """Remove every sprite of a type."""
        self.sheet.act(self.sheet.each(state), self.here, "killSprite")

    def keys(self, *patterns: Pattern | None) -> list[str]:
        """The names of the pieces that match all of the patterns."""
        return [
            key
            for piece, key in self.sheet.pieces.items()
            if all(p is None or matches(self.instance.game, piece, p, None) for p in patterns)
        ]

    def witnesses(self, what: Pattern, ground: Pattern | None, *, on: bool) -> str:
        """Write that a sprite appears with each piece of `what` that stands on (or off) `ground`."""
        seen = self.sheet.state("witness")
        both = self.keys(what, ground) if ground is not None else []
        grounds = " ".join(self.keys(ground)) if ground is not None else ""
        others = [key for key in self.keys(what) if key not in both]
        if ground is None:
            others, both = [], others
            on = True
        if on:  # a piece that is ground itself stands on ground
            for key in both:
                self.spawn(key, seen)
        if not on or grounds:
            unsure = self.sheet.state("doubt") if on else seen
            for key in others:
                self.spawn(key, unsure)
            if on and others:
                self.sheet.act(self.sheet.each(unsure), grounds, "transformTo", stype=seen)
                self.kill(unsure)
            elif others:
                self.sheet.act(self.sheet.each(seen), grounds, "killSprite")
        return seen

    # --- goal words ---------------------------------------------------------------------------------------

    def on(self, judge: str, term: On) -> None:
        """`every / some / no WHAT on / off GROUND`."""
        on = term.placing == "on"
        if term.quantifier != "some":
            # Whatever stands where it should not dismisses the judge.
            wrong = on if term.quantifier == "no" else not on
            seen = self.witnesses(term.what, term.ground, on=wrong)
            self.dismiss(seen, self.here, judge)
            self.kill(seen)
            return
        missing = self.sheet.state("missing")
        self.spawn(self.clock, missing)
        seen = self.witnesses(term.what, term.ground, on=on)
        self.dismiss(seen, self.here, missing)
        self.kill(seen)
        self.sheet.act(judge, missing, "killSprite")
        self.sheet.act(missing, self.here, "killSprite")

    def shape(self, judge: str, term: Shape) -> None:
        """A picture that is somewhere, or nowhere: probes go out from whatever could be its first piece."""
        writer = self.writer
        assert writer is not None, "only the general scheme writes pictures"
        somewhere = term.where == "somewhere"
        # What is found removes what stands for its being missed, or the judge itself.
        doomed = self.sheet.state("missing") if somewhere else judge
        if somewhere:
            self.spawn(self.clock, doomed)
        for found, failed in self.sightings(writer, term):
            self.dismiss(found, self.here, doomed)
            for probe in (found, failed):
                if probe is not None:
                    self.kill(probe)
        if somewhere:
            self.sheet.act(judge, doomed, "killSprite")
            self.sheet.act(doomed, self.here, "killSprite")

    def sightings(self, writer: PassWriter, term: Shape) -> Iterator[tuple[str, str | None]]:
        """Write the search for each picture: the probes that have found it, and the others."""
        for picture in term.pictures(self.instance):
            rule = looking(picture, self.instance, writer.transition)
            state = self.sheet.state("looking")
            sources = writer.planes(rule.terms[0].planes) or writer.board_cell()
            for source in sources.split():
                writer.spawn(source, self.here, state)
            yield writer.conditions(rule, state, "looking")

    def count(self, judge: str, term: Count) -> None:
        """`count WHAT [on / off GROUND] = / <= / >= NUMBER`: the avatar collects one for each."""
        number = amount(self.instance, term.number)
        total = self.sheet.name("count")
        one = self.sheet.sprite(self.sheet.name("one"), "Resource", res_type=total)
        seen = self.witnesses(term.what, term.ground, on=term.placing == "on")
        if self.idle:  # what was collected then has been spent by nobody
            self.sheet.act(self.clock, self.here, "SpendAvatarResource", target=total, amount=MANY)
        self.sheet.act(self.sheet.each(seen), self.here, "transformTo", stype=one)
        self.sheet.act(one, self.here, "AvatarCollectResource")
        self.kill(one)
        self.compare(judge, term.comparison, number, total)
        self.sheet.act(self.clock, self.here, "SpendAvatarResource", target=total, amount=MANY)

    def unless(self, judge: str, term: Unless) -> None:
        """`TERM unless TERM and ...`: a judge of what excuses it dismisses this one where he stays."""
        GOAL_WRITERS[term.what.word](self, judge, term.what)
        for terms in term.excuses:
            other = self.sheet.state("other judge")
            self.judge(other, terms, 0)
            self.sheet.act(judge, other, "killSprite")
            self.sheet.act(other, self.here, "killSprite")

    def compare(self, judge: str, comparison: str, number: int, total: str) -> None:
        """Dismiss the judge unless the avatar has collected as many as it should."""
        spent = 0
        if comparison != "<=" and number > 0:
            spent = number - 1
            self.sheet.act(self.clock, self.here, "SpendAvatarResource", target=total, amount=spent)
            self.sheet.act(judge, self.here, "KillIfAvatarWithoutResource", target=total)
        if comparison != ">=":
            more = self.sheet.state("more")
            self.sheet.act(self.clock, self.here, "SpendAvatarResource", target=total, amount=number - spent)
            self.spawn(self.clock, more)
            self.sheet.act(more, self.here, "KillIfAvatarWithoutResource", target=total)
            self.sheet.act(judge, more, "killSprite")
            self.sheet.act(more, self.here, "killSprite")


def looking(picture: Picture, instance: Instance, transition: Transition) -> CompiledRule:
    """A picture as a rule that does nothing; its first term is about the anchor."""
    terms = [
        Asked(offset, transition.planes_of(instance, pattern) if pattern is not None else (), wanted)
        for offset, pattern, wanted in picture
    ]
    return CompiledRule("", None, (), tuple(sorted(terms, key=lambda term: term.offset != (0, 0))), ())


GOAL_WRITERS: Mapping[str, Callable[[JudgeWriter, str, Any], None]] = {
    "on": JudgeWriter.on,
    "count": JudgeWriter.count,
    "shape": JudgeWriter.shape,
    "unless": JudgeWriter.unless,
}
"""The goal words that can be written, each with what writes it. The exporter promises these and no others."""
