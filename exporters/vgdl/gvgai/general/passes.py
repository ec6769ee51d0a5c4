"""The passes of a game as effects of GVGAI, all of a turn in one tick.

A probe goes to the next cell by making another one there (`spawnAbove` and its like). Probes only act, and
what was killed does not act any more; what they meet must be what is still there, so of what may have been
taken in the tick an image is made at the beginning of each pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ggp.exporters.vgdl.gvgai.general.sheet import GvgaiSheet
from ggp.exporters.vgdl.passes import Gate, PassWriter, Token
from ggp.transition.program import Offset, Pass, Transition

BESIDE = ("spawnBelow", "spawnAbove", "spawnRight", "spawnLeft")


class GvgaiPassWriter(PassWriter):
    """Writes passes into a sheet for GVGAI."""

    reuses = False
    sheet: GvgaiSheet

    def __init__(self, sheet: GvgaiSheet, transition: Transition, edge: str) -> None:
        super().__init__(sheet, transition, sheet.grounds[0], edge, ())
        self.taken: set[int] = set()  # planes of which something may have been taken in this tick
        self.images: dict[int, str] = {}
        self.passes: list[tuple[Pass, tuple[int, ...]]] = []  # as written, each with what it made images of

    # --- small steps --------------------------------------------------------------------------------------

    def convey(self, state: str, by: Offset) -> str:
        """Let a sprite appear so many rows and columns away from each of a type; the type of those."""
        down, right = by
        for count, effect in zip((down, -down, right, -right), BESIDE, strict=True):
            for _ in range(count):
                there = self.sheet.state("probe")
                self.sheet.act(state, self.here, effect, stype=there)
                state = there
        return state

    def spawn(self, actor: str, partner: str, made: str) -> None:
        """Let a sprite appear with each `actor` that meets `partner`."""
        self.sheet.act(actor, partner, "spawn", stype=made)

    def kill(self, state: str) -> None:
        """What is only reasoning goes at the end of the tick, and does nothing more until then."""

    def seen(self, plane: int) -> str:
        """What shows that a piece still stands somewhere."""
        return self.images.get(plane, self.keys[plane])

    def look(self, planes: Iterable[int]) -> None:
        """Begin a stretch of the tick in which nothing changes: make images of what may have been taken."""
        self.here, self.images = self.sheet.ground_name(), {}
        for plane in sorted(self.taken.intersection(planes)):
            image = self.sheet.state(f"still {self.transition.planes[plane]}")
            self.spawn(self.keys[plane], self.here, image)
            self.images[plane] = image

    # --- programs -----------------------------------------------------------------------------------------

    def one_pass(self, step: Pass) -> None:
        """Write one pass, which looks at what the ones before have left."""
        rules = [rule for _, rules in step.subjects for rule in rules]
        asked = {plane for rule in rules for term in rule.terms for plane in term.planes}
        self.look(asked | {c.plane for rule in rules for c in rule.changes if c.plane is not None})
        self.passes.append((step, tuple(self.images)))
        super().one_pass(step)

    def open(self, asks: str, gates: Sequence[Gate], state: str) -> None:
        """Write that probes which wait for their turn begin in the ticks of some gates.

        What opens a gate stands on every cell.
        """
        for gate in gates:
            self.become(asks, gate.actor, state)

    def carry_out(self, tokens: Sequence[Token]) -> None:
        """Write that all is taken, and then all is put, what can be shared once in a cell."""
        for token in tokens:
            plane = token.change.plane
            if token.take and plane is not None:
                self.sheet.act(self.keys[plane], token.take, "killSprite")
                self.taken.add(plane)
        puts = [(token, self.convey(token.put, token.way)) for token in tokens if token.put]
        results = {token.change.result for token, _ in puts}
        shared = {plane for plane in self.transition.exempt if plane in results}
        self.taken |= shared
        self.look(shared)
        there: dict[int, list[str]] = {}
        for token, put in puts:
            result = token.change.result
            assert result is not None
            if result in shared:
                here_too = there.setdefault(result, [self.seen(result)])
                self.sheet.act(put, " ".join(here_too), "killSprite")
                here_too.append(put)
            self.become(put, self.here, self.keys[result])
