"""A turn in two parts, of which only the end is seen: what the input does, and what happens by itself.

What happens by itself shows alone where the input does nothing: where the actor, which goes where inputs
point, stays. From such turns its rules are learned, which do not ask for the input. What the input does is
then looked for among all that was ever seen to change near the actor: the most frequent of these after which
the rules make the board that was seen is believed. That gives a board in the middle of each turn, from which
the first part is learned; and both together must say every turn that was seen. Or it happens before the input
does anything (what was shot flies on, then is shot): then the rules themselves give the board in the middle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Turn, pointed, word_of
from ggp.learn.fit.program import Passes, Program, in_a_row, pointing, subjects_on
from ggp.learn.fit.toil import account
from ggp.learn.seen.signs import Sign
from ggp.learn.seen.structure import Structure, heading
from ggp.learn.seen.views import PICK
from ggp.learn.turn.changes import Changed, changes_of
from ggp.learn.turn.elsewhere import learn_with_signs, learned_from, while_there
from ggp.learn.turn.events import LIMITS, learn_pass
from ggp.learn.turn.halfway import NEAR, Halfway
from ggp.learn.turn.inline import learn_in_line
from ggp.learn.turn.inorder import learn_in_order
from ggp.learn.turn.loops import changed, gone_and_come, known_once, learn_loop, learn_repeated
from ggp.learn.turn.pruned import PLAIN
from ggp.model import OFFSETS

ENOUGH = 0.8  # of the turns, that are said by what is often done and what happens by itself, to go on with it
LITTLE = 3e6  # work on what is plain
MORE = 2  # times as much may be spent, and so much larger may be both parts, where the actor may be taken
NEARLY = 0.97  # of the turns: what says so many may be large where it is learned again from all of them
RESTING = ("noop", "wait")  # inputs that are none by what they are called


class Half(NamedTuple):
    """What happens by itself, and turns that the rest is learned from. `first`: it comes before the rest."""

    physics: Program | Passes
    steps: Sequence[Turn] | None
    first: bool

    def other(
        self, learn: Callable[..., Program], structure: Structure, limits: Sequence[float]
    ) -> Program | None:
        """What the input does, learned so; None where it is not."""
        try:
            return learn(self.steps, structure, limits=limits) if self.steps else None
        except NotLearned:
            return None

    def with_other(
        self, other: Program | None, turns: Sequence[Turn], structure: Structure, limits: Sequence[float]
    ) -> Passes | None:
        """Both parts, in their order; None where there is no other, or they do not say every turn."""
        if other is None:
            return None
        parts = (self.physics, other) if self.first else (other, self.physics)
        return telling_all(turns, structure, parts, limits)


def learn_afterwards(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """The two parts of all turns; raises NotLearned where no two say what was seen.

    What needs no conditions elsewhere is tried before all that does: looking for those takes as long again.
    """
    actor = PICK if pointed(turns) else actor_of(turns, structure)
    if actor is not None:
        tried: list[Half] = []
        idle = list(idle_turns(turns, structure, actor))
        known: list[Halfway | None] = []
        found = among(noted(middles_known(idle, turns, structure, actor, limits), known), limits)
        if found is None:
            # What crowds do is hardly ever seen in so few turns. What is too large is fitted again to all.
            unknown = [some for some, halfway in zip(idle, known, strict=True) if halfway is None]
            larger = middles_known(unknown, turns, structure, actor, LIMITS[1:])
            found = among(larger, limits)
        if found is not None:
            return found
        for half in chain.from_iterable(halves(one) for one in known if one is not None):
            other = half.other(learn_pass, structure, limits)
            passes = half.with_other(other, turns, structure, limits)
            if passes is not None:
                return passes
            if other is None:
                tried.append(half)
        moved = actor_first(turns, structure, actor, limits, (driven, alone)) if actor != PICK else None
        if moved is not None:
            return moved
        for half in tried:
            other = half.other(learn_with_signs, structure, limits)
            passes = half.with_other(other, turns, structure, limits)
            if passes is not None:
                return passes
    raise NotLearned("no two passes explain what happens in a turn", "record the boards inside a turn")


def learn_driven(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """The actor moves, with what is in its way, then all else happens; raises NotLearned.

    Where something comes of nearly every step, what is done is hardly seen alone. A little work finds it.
    """
    actor = None if pointed(turns) else actor_of(turns, structure)
    if actor is not None:
        taken = any(is_taken(turn, structure, actor) for turn in turns)
        with account(MORE * LITTLE if taken else LITTLE):
            found = actor_first(turns, structure, actor, limits, (driven,))
        if found is not None and found.cost <= (MORE if taken else 1) * PLAIN:
            return found
    raise NotLearned("no step and what comes of it explain a turn", "record the boards inside a turn")


def among(known: Iterable[Halfway | None], limits: Sequence[float]) -> Passes | None:
    """The smallest two parts by what is often done beside one of these; else by the fewest deeds that do.

    What is small is taken at once, for it takes long to know the others.
    """
    halfways: list[Halfway | None] = []
    for some, deeds in ((noted(known, halfways), Halfway.deeds_often), (halfways, Halfway.deeds_needed)):
        best: Passes | None = None
        for halfway in filter(None, some):
            both = by_what_is_often_done(halfway, limits, deeds)
            best = min(filter(None, (best, both)), key=lambda one: one.cost, default=None)
            if best is not None and best.cost <= PLAIN:
                return best
        if best is not None:
            return best
    return None


def noted(known: Iterable[Halfway | None], into: list[Halfway | None]) -> Iterator[Halfway | None]:
    """Each of these as it becomes known."""
    for one in known:
        into.append(one)
        yield one


def middles_known(
    idle: Iterable[Sequence[Turn]],
    turns: Sequence[Turn],
    structure: Structure,
    actor: str,
    limits: Sequence[float],
) -> Iterator[Halfway | None]:
    """What may happen by itself, by each sort of idle turns, which gives boards in the middle."""
    found = (physics_of(some, structure, limits) for some in idle)
    yield from (Halfway(turns, structure, actor, one) if one is not None else None for one in found)


def by_what_is_often_done(
    halfway: Halfway,
    limits: Sequence[float],
    deeds: Callable[[Halfway], Iterable[Sequence[Turn]]] = Halfway.deeds_often,
    *,
    again: bool = True,
) -> Passes | None:
    """What is often done, and what that leaves of all turns; None where they do not say them.

    What happens by itself may so be known wrongly at first. The smaller one, if it makes a difference what is
    called often: what is wrong is long. Where it is still long, what is done is looked for `again`, with what
    is known by then to happen by itself.
    """
    best: Passes | None = None
    for steps in deeds(halfway):
        half = Half(halfway.physics, steps, first=False)
        deed = half.other(learn_pass, halfway.structure, limits)
        if deed is not None and saying(halfway.turns, deed, halfway.physics) >= ENOUGH:
            found = half.with_other(deed, halfway.turns, halfway.structure, limits)
            best = min(filter(None, (best, found)), key=lambda one: one.cost, default=None)
        if best is not None and best.cost <= limits[-1]:
            break
    if again and best is not None and best.cost > PLAIN:
        physics = Passes(best.structure, best.programs[1:], best.passing)
        better = Halfway(halfway.turns, halfway.structure, halfway.actor, physics)
        found = by_what_is_often_done(better, limits, deeds, again=False)
        best = min(filter(None, (best, found)), key=lambda one: one.cost)
    return best


def saying(turns: Sequence[Turn], *parts: Program | Passes) -> float:
    """The share of turns that some parts say."""
    passes = in_a_row(parts[0].structure, parts)
    return 1 - sum(map(passes.wrong, turns)) / len(turns)


def halves(halfway: Halfway) -> Iterator[Half]:
    """What happens by itself, with what is left to what the input does then."""
    yield Half(halfway.physics, halfway.deeds_sure(), first=False)
    yield Half(halfway.physics, halfway.deeds_done(), first=False)
    yield Half(halfway.physics, known_after(halfway.turns, halfway.physics), first=True)


def telling_all(
    turns: Sequence[Turn],
    structure: Structure,
    parts: tuple[Program | Passes, Program | Passes],
    limits: Sequence[float],
) -> Passes | None:
    """The two parts, if they say every turn; else the first with what it leaves of all turns to the second.

    Turns in which the actor stays are few. A rule of what happens by itself may ask for something that only
    these have in common, and the others say so once it is known what the input does.
    """
    passes = in_a_row(structure, parts)
    if parts[1].cost > limits[-1] or any(map(passes.wrong, turns)):
        left = left_by(parts[0], turns)
        # Idle turns may be too few to show that what fell one cell falls on until something stops it.
        second: Program | Passes | None = learn_loop(left, structure, None) if left else None
        if left and second is None and saying(turns, *parts) >= NEARLY:
            second = anew(left, parts[1])
        second = second or one_pass_or_in_order(left, structure, limits)
        if second is None:
            return None
        passes = in_a_row(structure, (parts[0], second))
    return None if any(map(passes.wrong, turns)) else passes


def anew(left: Sequence[Turn], almost: Program | Passes) -> Program | None:
    """What is almost right learned again from more turns, with the same conditions elsewhere.

    It may be large: as it says nearly all, that it is so by chance is not to be feared.
    """
    try:
        return learn_pass(left, almost.structure, limits=LIMITS)
    except NotLearned:
        return None


def left_by(first: Program | Passes, turns: Iterable[Turn]) -> list[Turn] | None:
    """What happens after a first part, without the input; None where that goes two ways, or is not known."""
    middles = [(first.after(turn.before, turn.word), turn.after) for turn in turns]
    known = [Turn(middle, None, after) for middle, after in middles if middle is not None]
    return known_once(known) if len(known) == len(middles) else None


def actor_first(
    turns: Sequence[Turn],
    structure: Structure,
    actor: str,
    limits: Sequence[float],
    splits: Iterable[Callable[[Turn, Structure, str], Board]],
) -> Passes | None:
    """The actor moves, with what is in its way, then all else happens; None where that does not say it.

    Or it moves alone, and what it comes to goes on by itself. It may go as far as it can. If it is gone and
    more happened, what happens by itself may have taken it. Where it had gone by then is not seen: that is
    what the first part, learned from all other turns, says of these.
    """
    unclear = {turn for turn in turns if is_taken(turn, structure, actor)}
    tried = list[list[Turn]]()
    for split in splits:
        for unseen in (unclear, set[Turn]()):
            steps = [
                turn._replace(after=split(turn, structure, actor)) for turn in turns if turn not in unseen
            ]
            if steps not in tried:
                tried.append(steps)
                passes = step_and_rest(turns, steps, structure, actor, limits)
                if passes is not None:
                    return passes
    return None


def step_and_rest(
    turns: Sequence[Turn],
    steps: Sequence[Turn],
    structure: Structure,
    actor: str,
    limits: Sequence[float],
) -> Passes | None:
    """What such steps are, and what that leaves of all turns; None where they do not say them.

    What is left may be done while the actor is there alone: a run that is over goes on no more.
    """
    once = known_once(steps)
    first = learn_loop(once, structure, None) if once is not None else None
    first = first or learned_from(once, structure, limits)
    if first is None:
        return None
    ends = [first.after(turn.before, turn.word) for turn in turns]
    rest = [turn._replace(before=end) for turn, end in zip(turns, ends, strict=True) if end is not None]
    if len(rest) < len(turns):
        return None
    silent, still = known_once(turn._replace(word=None) for turn in rest), Sign(actor)
    going = [turn for turn in silent or () if any(map(still.of, map(structure.called, turn.before.cells)))]
    for some in (
        (going, silent, known_once(rest))
        if silent and len(going) < len(silent)
        else (silent, known_once(rest))
    ):
        second = learned_from(some, structure, limits)
        if second is not None:
            passes = Passes(structure, (first, while_there(second, still) if some is going else second))
            if not any(map(passes.wrong, turns)):
                return passes
    return None


def is_taken(turn: Turn, structure: Structure, actor: str) -> bool:
    """Are there fewer of the actor after a turn, in which something else has changed as well?"""
    changes = list(changes_of(turn))
    own = [sign for sign, _, token in changes if structure.name(token) == actor]
    return own.count("-") > own.count("+") and len(own) < len(changes)


def alone(turn: Turn, structure: Structure, actor: str) -> Board:
    """The board on which only the actor has changed."""
    return changed(turn.before, [one for one in changes_of(turn) if structure.name(one[2]) == actor])


def driven(turn: Turn, structure: Structure, actor: str) -> Board:
    """The same, and what was in its way has gone to where it came to; and what was in the way of that."""
    left = [one for one in changes_of(turn) if structure.name(one[2]) != actor]
    board = alone(turn, structure, actor)
    while barring := next((one for one in left if in_the_way(one, board, structure)), None):
        _, (row, column), token = barring
        to = [one for one in left if (one[0], one[2]) == ("+", token)]
        nearest = min(to, key=lambda one: abs(one[1][0] - row) + abs(one[1][1] - column), default=None)
        board = changed(board, [one for one in (barring, nearest) if one is not None])
        left = [one for one in left if one not in (barring, nearest)]
    return board


def in_the_way(change: Changed, board: Board, structure: Structure) -> bool:
    """Does something go from a cell that shares it, on this board, with what it never does at the end?"""
    sign, cell, token = change
    name, names = structure.name(token), set(map(structure.name, board.at(cell) or ()))
    return sign == "-" and name in names and any({name, other} in structure.apart for other in names - {name})


def known_after(turns: Iterable[Turn], physics: Program | Passes) -> list[Turn] | None:
    """What the inputs do after what happens by itself; None where that cannot be said, or goes two ways."""
    found = []
    for turn in turns:
        middle = physics.after(turn.before, None)
        if middle is None:
            return None
        found.append(turn._replace(before=middle))
    return known_once(found)


def actor_of(turns: Iterable[Turn], structure: Structure) -> str | None:
    """The name that goes most often where inputs point, whichever facing or value it has there."""
    went: Counter[str] = Counter()
    for turn in turns:
        way = pointing(structure, turn.word)
        for (_, source, token), (_, target, _) in gone_and_come(list(changes_of(turn)), structure):
            if heading(source, target) == way and structure.distance(turn.before, source, target) == 1:
                went[structure.name(token)] += 1
    return max(went, key=lambda name: (went[name], name)) if went else None


# --- what happens by itself -------------------------------------------------------------------------------


def idle_turns(turns: Iterable[Turn], structure: Structure, actor: str) -> Iterator[list[Turn]]:
    """Turns in which the input did nothing, without it: by its name; or also where the actor stays.

    Or, where that contradicts itself or is not enough, such as what bars the actor's way: a belt may carry it
    back to where it came from. Where inputs pick, the input did nothing if nothing changes near the cell, or
    if nothing is picked: what slides away may fall back to where it was.
    """
    named = [turn for turn in turns if turn.word is None or turn.word in RESTING]
    staying = [turn for turn in turns if stays(turn, structure, actor)]
    barred = [turn for turn in turns if bars(turn, structure, actor)]
    for some in ([*named, *staying], named, [*named, *barred]) if named else (staying, barred):
        once = known_once(turn._replace(word=None) for turn in some)
        if once is not None and any(turn.before != turn.after for turn in once):
            yield once


def stays(turn: Turn, structure: Structure, actor: str) -> bool:
    """Has the actor stayed where an input points? Or has nothing happened near what was picked?"""
    if actor == PICK:
        cell = word_of(turn.word).cell if turn.word is not None else None
        if cell is None:
            return False
        return all(structure.distance(turn.before, one[1], cell) > NEAR for one in changes_of(turn))
    if pointing(structure, turn.word) is None:
        return False
    return not any(structure.name(token) == actor for _, _, token in changes_of(turn))


def bars(turn: Turn, structure: Structure, actor: str) -> bool:
    """Does the board end ahead of every actor, or stands there what never moves and never shares its cell?

    Or is nothing picked that ever comes or goes?
    """
    if actor == PICK:
        cell = word_of(turn.word).cell if turn.word is not None else None
        return cell is not None and structure.fixed.issuperset(turn.before.at(cell) or ())
    way = pointing(structure, turn.word)
    if way is None:
        return False
    down, right = OFFSETS[way]
    apart = structure.exclusions().get(actor, frozenset())
    there = [cell for cell, _ in subjects_on(turn.before, actor, structure)]
    aheads = [structure.at(turn.before, (row + down, column + right)) for row, column in there]
    return bool(there) and all(
        stack is None or any(token in structure.fixed and structure.name(token) in apart for token in stack)
        for stack in aheads
    )


def physics_of(
    idle: Sequence[Turn], structure: Structure, limits: Sequence[float]
) -> Program | Passes | None:
    """The rules of what happens by itself; None where none explain it."""
    loop = learn_loop(idle, structure, None)
    if loop is not None:
        return loop
    repeated = learn_repeated(idle, structure, limits)
    if repeated is None:
        return one_pass_or_in_order(idle, structure, limits)
    return learned_from(idle, structure, (repeated.cost,)) or repeated


def one_pass_or_in_order(
    steps: Sequence[Turn] | None, structure: Structure, limits: Sequence[float]
) -> Program | Passes | None:
    """What happens by itself, in an order where things come to one cell; None where no rules say that."""
    for learn in (learn_in_order, learn_with_signs, learn_in_line) if steps else ():
        try:
            return learn(steps or (), structure, limits=limits)
        except NotLearned:
            continue
    return None
