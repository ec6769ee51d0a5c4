"""The InteractionSet of a VGDL text: what happens where sprites meet."""

from __future__ import annotations

from collections.abc import Mapping

from ggp.importers.vgdl.dialects import PY_VGDL, TIMED, WHY
from ggp.importers.vgdl.fixed import Value
from ggp.importers.vgdl.game import Effect
from ggp.importers.vgdl.ontology import SPECIAL, TIME
from ggp.importers.vgdl.reading.lines import Line
from ggp.importers.vgdl.reading.text import Text
from ggp.importers.vgdl.reading.words import SCORES, halves, words
from ggp.model.words import near_or_known

GROWS = frozenset({"subtractHealthPoints", "addHealthPoints"})  # health has no bound below 0
BY_THE_CLOCK = frozenset({"killSprite", "subtractHealthPoints", "transformTo"})  # effects that can come so


class InteractionSet:
    """What the lines of one InteractionSet say."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.special = SPECIAL if text.dialect is PY_VGDL else SPECIAL | {TIME}
        self.effects: list[Effect] = []

    def read(self, line: Line) -> None:
        """Read a line of the InteractionSet: one effect for each partner."""
        pair, definition = halves(self.text, line, "crate wall > stepBack")
        name, args = words(self.text, definition, line.number)
        actor, *partners = pair.split() or [""]
        if not partners or name is None:
            raise self.text.error(
                "an effect needs two sprites and a name", line.number, "`crate wall > stepBack`"
            )
        if name not in self.text.dialect.effects:
            if name not in self.text.dialect.other_effects:
                message = f"there is no effect called {name[:40]!r}"
                raise self.text.error(
                    message, line.number, near_or_known(name, self.text.dialect.effects), name
                )
            why = f": {WHY[name]}" if name in WHY else ""
            self.text.refuse(f"the effect `{name}`{why}", line.number, name)
            return
        takes = self.text.dialect.effects[name]
        if name == "transformTo" and self.text.dialect is PY_VGDL:
            args.setdefault("stype", "wall")
        score = self.worth(args, line.number)
        shielded = str(args.get("ftype", name))
        if shielded not in {*self.text.dialect.effects, *self.text.dialect.other_effects}:
            message = f"there is no effect called {shielded[:40]!r}"
            remedy = near_or_known(shielded, self.text.dialect.effects)
            raise self.text.error(message, line.number, remedy, shielded)
        for missing in sorted(set(takes.must) - args.keys()):
            raise self.text.error(f"`{name}` needs `{missing}=...`", line.number, "add it", name)
        if name in GROWS and float(str(args.get("value", 1))) < 0:
            message = "`value` is not below 0 here: there would be no end to it"
            raise self.text.error(message, line.number, "take the other of the two effects", "value")
        timed = self.by_the_clock(line, name, args, len(partners)) if TIME in pair.split() else frozenset()
        for unknown in sorted(args.keys() - {*takes.must, *takes.may, *timed}):
            raise self.text.error(f"`{name}` takes no {unknown[:40]!r}", line.number, "leave it out", unknown)
        for partner in partners:
            if actor in ("EOS", TIME) and self.text.dialect is not PY_VGDL:  # GVGAI reads it either way round
                partner, first = actor, partner
            else:
                first = actor
            if partner in self.special and takes.partner:
                message = f"`{name}` needs a sprite to meet, and {partner} is none"
                raise self.text.error(message, line.number, "name a sprite", partner)
            self.effects.append(Effect(name, first, partner, args, score, line.number))

    def worth(self, args: dict[str, Value], line: int) -> int | float:
        """What a line is worth, taken out of its arguments. GVGAI reads whole numbers; others add nothing."""
        for key in {*SCORES} & args.keys():
            if isinstance(args[key], float) and self.text.dialect is not PY_VGDL:
                message = f"GVGAI reads no `{key}={args[key]}`, and adds nothing"
                self.text.warn(message, "write a whole number", line, key)
                args[key] = 0
        score = args.pop("scoreChange", 0)
        assert isinstance(score, int | float)
        return score

    def by_the_clock(self, line: Line, name: str, args: Mapping[str, Value], partners: int) -> frozenset[str]:
        """The arguments by which an effect comes by the clock; what is not followed of it is refused."""
        if self.text.dialect is PY_VGDL:
            return frozenset()
        timer, repeated = args.get("timer"), args.get("repeating", False) is True
        before = [
            one.args["timer"] for one in self.effects if one.partner == TIME and one.args.get("repeating")
        ]
        if repeated and (not isinstance(timer, int) or timer < 2):
            self.text.refuse(f"`{TIME}` with `repeating=True` and no `timer` above 1", line.number, TIME)
        elif name not in BY_THE_CLOCK:
            self.text.refuse(f"the effect `{name}` by the clock", line.number, name)
        elif partners > 1:
            self.text.refuse(f"`{TIME}` beside other partners", line.number, TIME)
        elif repeated and any(int(str(one)) <= int(str(timer)) for one in before):
            # In the first tick the later line comes first, and from then on the one with the shorter timer.
            self.text.refuse(
                "effects by the clock, unless each has a shorter timer than those before it",
                line.number,
                TIME,
            )
        return TIMED
