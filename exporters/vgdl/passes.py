"""The general scheme: the compiled passes of a game as VGDL effects, any number of passes in one tick.

A pass is carried out in three parts, because all its rules read the same board and all removals come
before all additions. *Deciding*: every subject sends out a probe, whose type says which rule is being
tried. The probe is conveyed to each cell that a condition speaks of, changes its type if it meets what it
should not (or as soon as it meets what it should), and is conveyed back. *Removing*: a probe whose rule
matched is conveyed to what the rule takes away, leaves a mark of what is to come, and both vanish.
*Adding*: the marks are conveyed to where they belong and turn into pieces.

Absence needs no sprite of its own this way: a probe that met nothing has kept its type. A loop is written
out as often as its bound says; passes after the last one that changes something find nothing to do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ggp.exporters.vgdl.sheet import Sheet
from ggp.language.description.writing import rule_halves
from ggp.model import Cell, Instance, Piece, groups_of
from ggp.transition.program import (
    Change,
    CompiledRule,
    Loop,
    Offset,
    Pass,
    Program,
    Term,
    Transition,
)

MOST_LINES = 6000
"""More effects than this are refused: py-vgdl goes through all of them in every tick."""

Words = frozenset[str]


@dataclass(frozen=True)
class Gate:
    """A turn begins where these two meet. `words` are what rules may ask of its input.

    Without an actor it is the gate of the ticks in which no other one opens.
    """

    words: Words
    actor: str = ""
    partner: str = ""


@dataclass
class Fired:
    """A rule that matched: the probes of this type stand where its subject does."""

    rule: CompiledRule
    state: str


class PassWriter:
    """Writes passes into a sheet. `here` stands on every cell of the map, `edge` on those round the board.

    Without gates every tick is a turn.
    """

    reuses = True  # the probe that fires may become what it puts, or what takes

    def __init__(
        self, sheet: Sheet, transition: Transition, here: str, edge: str, gates: Sequence[Gate]
    ) -> None:
        self.sheet = sheet
        self.transition = transition
        self.here = here
        self.edge = edge
        self.gates = tuple(gates)
        self.keys = [sheet.pieces[piece] for piece in transition.planes]
        self.rules = rule_texts(sheet.instance)
        self.conveyors: dict[str, str] = {}
        self.board = ""  # what stands on the cells of the board alone, once something needs it

    # --- small steps --------------------------------------------------------------------------------------

    def convey(self, state: str, by: Offset) -> str:
        """Move the sprites of a type by so many rows and columns; the type that they are of then."""
        down, right = by
        for count, direction in ((down, "down"), (-down, "up"), (right, "right"), (-right, "left")):
            for _ in range(count):
                self.sheet.act(state, self.conveyor(direction), "conveySprite")
        return state

    def conveyor(self, direction: str) -> str:
        """The sprites on every cell that carry in a direction."""
        if direction not in self.conveyors:
            self.conveyors[direction] = self.sheet.name(f"go {direction}")
        return self.conveyors[direction]

    def spawn(self, actor: str, partner: str, made: str) -> None:
        """Let a sprite appear with each `actor` that meets `partner`."""
        self.sheet.act(actor, partner, "spawnIfHasMore", resource="always", limit=0, stype=made)

    def become(self, state: str, partners: str, other: str) -> None:
        """Turn every sprite of a type that meets one of the partners into another."""
        self.sheet.act(self.sheet.each(state), partners, "transformTo", stype=other)

    def kill(self, state: str) -> None:
        """Remove every sprite of a type."""
        self.sheet.act(self.sheet.each(state), self.here, "killSprite")

    def planes(self, planes: Sequence[int]) -> str:
        """The names of the pieces of these planes."""
        return " ".join(self.seen(plane) for plane in planes)

    def seen(self, plane: int) -> str:
        """What shows that a piece stands somewhere."""
        return self.keys[plane]

    # --- programs -----------------------------------------------------------------------------------------

    def program(self, steps: Program) -> None:
        """Write passes and loops, one after another."""
        for step in steps:
            if isinstance(step, Pass):
                self.one_pass(step)
                continue
            for run in range(step.bound):
                self.sheet.say(f"{step.name or 'loop'}, run {run + 1} of {step.bound}")
                self.program(step.body)

    def one_pass(self, step: Pass) -> None:
        """Write one pass: decide, then remove, then add."""
        fired: list[Fired] = []
        for subject, rules in step.subjects:
            fired += self.decide(subject, rules)
        changing = [(one, effective(one.rule)) for one in fired]
        if any(changes for _, changes in changing):
            self.sheet.say("what fires marks what it will put, takes what it takes, and puts it")
        tokens = [token for one, changes in changing for token in self.marks(one, changes)]
        self.carry_out(tokens)

    def carry_out(self, tokens: Sequence[Token]) -> None:
        """Write that all is taken, and then all is put."""
        for token in tokens:
            token.remove(self)
        for token in tokens:
            token.add(self)

    # --- deciding -----------------------------------------------------------------------------------------

    def decide(self, subject: int | None, rules: Sequence[CompiledRule]) -> Iterator[Fired]:
        """Write how the subjects of one plane find the rule that fires for them."""
        if not any(rule.inputs for rule in rules):
            yield from self.attempt(subject, rules, self.gates)
            return
        for gate in self.gates:
            fitting = [rule for rule in rules if gate.words.issuperset(rule.inputs)]
            if fitting:
                yield from self.attempt(subject, fitting, (gate,))

    def attempt(
        self, subject: int | None, rules: Sequence[CompiledRule], gates: Sequence[Gate]
    ) -> Iterator[Fired]:
        """Write the trying of rules in order, for the inputs of some gates."""
        who = str(self.transition.planes[subject]) if subject is not None else "cell"
        rules = until_certain(rules)
        specific = len(gates) < len(self.gates)
        probe = " ".join(
            ["probe", who, *(word for gate in gates[:1] if specific for word in sorted(gate.words))]
        )
        state = self.sheet.state(probe)
        source = self.keys[subject] if subject is not None else self.board_cell()
        if not self.gates:
            self.sheet.say(f"{who}:")
            self.spawn(source, self.here, state)
        else:
            asks = self.sheet.state(f"ask {who}")
            self.sheet.say(f"{who}, when it is its turn:")
            self.spawn(source, self.here, asks)
            self.open(asks, gates, state)
        for rule in rules:
            self.sheet.say(self.rules.get((rule.name, str(rule.place)), rule.name) + turned(rule))
            done, failed = self.conditions(rule, state, probe)
            if effective(rule):
                yield Fired(rule, done)
            else:
                self.kill(done)
            if failed is None:
                return
            state = failed
        self.kill(state)

    def open(self, asks: str, gates: Sequence[Gate], state: str) -> None:
        """Write that probes which wait for their turn begin in the ticks of some gates, and else vanish."""
        target = self.sheet.each(asks)
        otherwise = any(not gate.actor for gate in gates)
        for gate in self.gates:
            if gate in gates and gate.actor:
                self.sheet.act(gate.actor, gate.partner, "TransformOthersTo", target=target, stype=state)
            elif gate.actor and otherwise:
                self.sheet.act(gate.actor, gate.partner, "KillOthers", target=target)
        if otherwise:
            self.become(asks, self.here, state)
        else:
            self.kill(asks)

    def conditions(self, rule: CompiledRule, state: str, probe: str) -> tuple[str, str | None]:
        """Write the conditions of a rule: the type of the probes for which it matches, and of the others.

        `probe` is how new types are called. All stand where the subject does when all is done.
        """
        failed: list[str] = []
        for offset, terms in by_offset(rule.terms).items():
            state = self.convey(state, offset)
            unwanted = [plane for term in terms if term.planes and not term.wanted for plane in term.planes]
            barred = self.planes(unwanted)
            if any(not term.planes and term.wanted for term in terms):
                barred = f"{barred} {self.edge}".strip()
            lost = ""
            if barred:
                lost = self.sheet.state(probe)
                self.become(state, barred, lost)
            wanted = [self.planes(term.planes) for term in terms if term.planes and term.wanted]
            wanted += [self.edge for term in terms if not term.planes and not term.wanted]
            for left, partners in enumerate(wanted, 1 - len(wanted)):
                found = self.sheet.state(probe)
                self.become(state, partners, found)
                if not lost and not left:
                    lost = state  # what was not transformed has failed, and may keep its type
                else:
                    lost = lost or self.sheet.state(probe)
                    self.become(state, self.here, lost)
                state = found
            back = (-offset[0], -offset[1])
            state = self.convey(state, back)
            if lost:
                failed.append(self.convey(lost, back))
        if len(failed) < 2:
            return state, failed[0] if failed else None
        joined = self.sheet.state(probe)
        for one in failed:
            self.become(one, self.here, joined)
        return state, joined

    def board_cell(self) -> str:
        """What stands on every cell of the board and nowhere else."""
        if not self.board:
            self.board = self.sheet.name("board")
        return self.board

    # --- removing and adding ------------------------------------------------------------------------------

    def marks(self, fired: Fired, changes: Sequence[Change]) -> list[Token]:
        """Write how a matched rule marks what it takes and what it puts; nothing changes yet."""
        if not changes:
            return []
        at: Offset = (0, 0)
        tokens: list[Token] = []
        for index, change in enumerate(changes):
            fired.state = self.convey(fired.state, (change.source[0] - at[0], change.source[1] - at[1]))
            at = change.source
            last = self.reuses and index == len(changes) - 1
            taken = self.seen(change.plane) if change.plane is not None else self.here
            put = ""
            if change.result is not None and not (last and change.plane is None):
                put = self.sheet.state(f"put {self.transition.planes[change.result]}")
                self.spawn(fired.state, taken, put)
            elif change.result is not None:
                put = fired.state  # the probe itself becomes the piece
            take = ""
            if change.plane is not None and last:
                take = fired.state
            elif change.plane is not None:
                take = self.sheet.state(f"take {self.transition.planes[change.plane]}")
                self.spawn(fired.state, taken, take)
            tokens.append(Token(change, take, put))
        if tokens[-1].take != fired.state and tokens[-1].put != fired.state:
            self.kill(fired.state)
        return tokens


def turned(rule: CompiledRule) -> str:
    """The direction that a rule is turned to, for a comment."""
    return f"   ({rule.direction})" if rule.direction else ""


@dataclass
class Token:
    """A change that is under way: the types of the probes that take and of those that put. "" for none."""

    change: Change
    take: str
    put: str

    @property
    def way(self) -> Offset:
        """How far what is put goes from where something is taken."""
        (row, column), (down, right) = self.change.source, self.change.target
        return down - row, right - column

    def remove(self, writer: PassWriter) -> None:
        """Write the removal: probe and piece vanish together, and so does a probe that came too late."""
        if not self.take or self.change.plane is None:
            return
        sheet = writer.sheet
        sheet.act(sheet.each(self.take), writer.keys[self.change.plane], "killBoth")
        shared = self.change.result is None or self.change.plane in writer.transition.exempt
        if shared or not self.change.sure:
            writer.kill(self.take)

    def add(self, writer: PassWriter) -> None:
        """Write the addition: what may stand there already is not put twice."""
        change = self.change
        if not self.put or change.result is None:
            return
        self.put = writer.convey(self.put, self.way)
        if change.result in writer.transition.exempt:
            writer.sheet.act(writer.sheet.each(self.put), writer.keys[change.result], "killSprite")
        writer.become(self.put, writer.here, writer.keys[change.result])


def effective(rule: CompiledRule) -> tuple[Change, ...]:
    """The changes of a rule that change something."""
    return tuple(c for c in rule.changes if (c.plane, c.source) != (c.result, c.target))


def until_certain(rules: Sequence[CompiledRule]) -> Sequence[CompiledRule]:
    """The rules up to the first that always matches: those after it never fire."""
    for index, rule in enumerate(rules):
        if not rule.terms:
            return rules[: index + 1]
    return rules


def by_offset(terms: Sequence[Term]) -> Mapping[Offset, list[Term]]:
    """The conditions sorted by the cell they speak of, that of the subject first."""
    found: dict[Offset, list[Term]] = {}
    for term in sorted(terms, key=lambda term: term.offset != (0, 0)):
        found.setdefault(term.offset, []).append(term)
    return found


def rule_texts(instance: Instance) -> dict[tuple[str, str], str]:
    """Each rule as the description writes it, by name and place."""
    texts = {}
    for section, phases in (("turn", instance.game.turn), ("physics", instance.game.physics)):
        for phase in phases:
            for group in groups_of(phase):
                for rule in group.rules:
                    left, right = rule_halves(instance.game, section, rule)
                    texts[rule.name, str(rule.place)] = f"{left} => {right}"
    return texts


def line_count(program: Program) -> int:
    """About how many effects a program takes, without writing it."""
    total = 0
    for step in program:
        if isinstance(step, Loop):
            total += step.bound * line_count(step.body)
        else:
            total += sum(
                4 + 4 * len(r.terms) + 5 * len(r.changes) for _, rules in step.subjects for r in rules
            )
    return total


def reach(program: Program) -> Cell:
    """How many rows and columns probes go away from the board, at most."""
    rows = columns = 0
    for step in program:
        if isinstance(step, Loop):
            offsets: list[Offset] = [reach(step.body)]
        else:
            rules = [rule for _, rules in step.subjects for rule in rules]
            offsets = [term.offset for rule in rules for term in rule.terms]
            offsets += [at for rule in rules for c in rule.changes for at in (c.source, c.target)]
        rows = max([rows, *(abs(row) for row, _ in offsets)])
        columns = max([columns, *(abs(column) for _, column in offsets)])
    return rows, columns


def dynamic_pieces(transition: Transition) -> list[Piece]:
    """The pieces that come and go, markers apart."""
    return [transition.planes[plane] for plane in sorted(transition.dynamic - transition.markers)]
