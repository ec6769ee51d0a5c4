"""How a level ends in GVGAI, in the general scheme: every goal word is a number of witnesses.

A witness is a sprite that stands where something is as it should be, or as it should not. GVGAI can ask
how many there are of a type (`transformIfCount`), so a judge beside the clock goes from one goal word to the
next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from ggp.exporters.vgdl.goals import JudgeWriter
from ggp.exporters.vgdl.gvgai.general.passes import GvgaiPassWriter
from ggp.goals.count import Count
from ggp.goals.on import On
from ggp.goals.pattern import Shape
from ggp.goals.unless import Unless
from ggp.model import Pattern, Term
from ggp.model.board import amount, matches
from ggp.referee.semantics import ending


class Wanted(NamedTuple):
    """How many sprites of a type there must be; `most` None: any number."""

    stype: str
    least: int
    most: int | None


@dataclass
class GvgaiJudgeWriter(JudgeWriter):
    """Writes goals into a sheet for GVGAI. `turns` is the resource that the clock counts."""

    turns: str = ""

    def write(self) -> None:
        """Write the judging of a tick and how the level ends; to lose comes first."""
        game, horizon = self.instance.game, self.instance.level.horizon
        for term in game.goal.lose:
            self.sheet.say(f"lost if: {term.say(self.instance)}")
            self.verdict((term,), 0, win=False)
        last = ending(self.instance) == "horizon"
        when = "when time is up" if last else "at any turn"
        self.sheet.say(f"won if, {when}: {'; '.join(term.say(self.instance) for term in game.goal.terms)}")
        self.verdict(game.goal.terms, horizon or 0 if last else 0, win=True)
        self.time_up()

    def verdict(self, terms: Sequence[Term], turn: int, *, win: bool) -> None:
        """Write that a judge, who is there from a turn on, goes from term to term, and what he is at last."""
        sheet = self.sheet
        name = "won" if win else "lost"
        end = self.hold(terms, turn, lambda: sheet.sprite(sheet.name(name), "Immovable", color="BLACK"))
        sheet.end("SpriteCounterMore", stype=end, limit=1, win=win)

    def hold(self, terms: Sequence[Term], turn: int, define: Callable[[], str]) -> str:
        """Write that a sprite is beside the clock, from a turn on, while all terms hold; gives its name."""
        sheet = self.sheet
        judge = sheet.state("judge")
        self.spawn(self.clock, judge, turn)
        end = define()
        number = sum(1 + len(getattr(term, "excuses", ())) for term in terms)
        for left, wanted in enumerate(chain.from_iterable(map(self.asked_for, terms)), 1 - number):
            after = sheet.state("judge") if left else end
            bounds = {"geq": wanted.least, "leq": wanted.most}
            sheet.act(judge, self.clock, "transformIfCount", stype=after, stypeCount=wanted.stype, **bounds)
            judge = after
        return end

    def asked_for(self, term: Term) -> Iterator[Wanted]:
        """Write the witnesses of a term, and say how many there must be."""
        if not isinstance(term, Unless):
            yield self.wanted(term)
            return
        yield self.wanted(term.what)
        for terms in term.excuses:
            yield Wanted(self.hold(terms, 0, lambda: self.sheet.state("excused")), 0, 0)

    def time_up(self) -> None:
        """Write that the level ends at the horizon, if there is one."""
        horizon, sheet = self.instance.level.horizon, self.sheet
        if horizon is not None:
            sheet.say(f"time is up after {horizon} turns")
            over = sheet.sprite(sheet.name("time up"), "Immovable", color="BLACK")
            self.spawn(self.clock, over, horizon)
            sheet.end("SpriteCounterMore", stype=over, limit=1, win=False)

    # --- small steps --------------------------------------------------------------------------------------

    def spawn(self, actor: str, made: str, limit: int = 0) -> None:
        """Let a sprite appear with each `actor`, or with the clock if it has come so far in turns."""
        if limit:
            self.sheet.act(actor, self.here, "spawnIfHasMore", resource=self.turns, limit=limit, stype=made)
        else:
            self.sheet.act(actor, self.here, "spawn", stype=made)

    def kill(self, state: str) -> None:
        """What is only reasoning goes at the end of the tick."""

    def keys(self, *patterns: Pattern | None) -> list[str]:
        """What shows that a piece stands somewhere, of all that match all of the patterns."""
        writer, game = self.writer, self.instance.game
        assert isinstance(writer, GvgaiPassWriter)
        return [
            writer.seen(plane)
            for plane, piece in enumerate(writer.transition.planes)
            if all(p is None or matches(game, piece, p, None) for p in patterns)
        ]

    # --- goal words ---------------------------------------------------------------------------------------

    def wanted(self, term: Term) -> Wanted:
        """Write the witnesses of a term, those that are left at last under a name of their own."""
        assert isinstance(term, On | Count | Shape)
        least, most = asked(self, term)
        counted = self.sheet.state("witness")
        for seen in self.seen(term):
            self.sheet.act(seen, self.here, "transformTo", stype=counted)
        return Wanted(counted, least, most)

    def seen(self, term: On | Count | Shape) -> Sequence[str]:
        """Write what stands wherever a term has something to count."""
        if isinstance(term, Shape):
            assert self.writer is not None
            return [found for found, _ in self.sightings(self.writer, term)]
        on = term.placing == "on"
        return [
            self.witnesses(
                term.what, term.ground, on=on != (isinstance(term, On) and term.quantifier == "every")
            )
        ]


def asked(writer: JudgeWriter, term: On | Count | Shape) -> tuple[int, int | None]:
    """How many witnesses there must be, at least and at most."""
    if isinstance(term, Count):
        number = amount(writer.instance, term.number)
        return number if term.comparison != "<=" else 0, number if term.comparison != ">=" else None
    some = term.where == "somewhere" if isinstance(term, Shape) else term.quantifier == "some"
    return (1, None) if some else (0, 0)
