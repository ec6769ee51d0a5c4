"""Do two games do the same, on every board and with every input? A proof, or a level on which they differ.

Compared is what a turn makes of a board, and where rules collide: what is no move is so in both then, for
that is an input whose turn changes nothing. Where rules of the described game collide there is no next board
to be learned; if the two differ there alone, that is said. Goals, designs and objectives are not compared; a
learned game is given them. The boards are those of every size that maps can draw, and all that turns make of
them.

1. Both are played on random levels. A difference is made small and replayed by the referee.
2. Where the two have passes of the same shape, loops included, each pass is compared with its counterpart
   over every board that there may be before it (`ggp.proof.equivalence.windows`); equal passes make equal
   programs.
3. Otherwise, without loops, the whole turn is compared, over the reach of all its passes together.
4. What is left, such as loops that do not correspond, is compared on whole boards, size after size. Then the
   certificate says up to which size it holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from ggp.model import Game
from ggp.model.result import Clock, OutOfTime
from ggp.proof.equivalence.attack import Counterexample, Duel, Moment, how_many
from ggp.proof.equivalence.boards import Question, turn_of, with_numbers_kept, with_pairs_kept
from ggp.proof.equivalence.contexts import Context, most_at_first
from ggp.proof.equivalence.invariants import contexts, plain_contexts
from ggp.proof.equivalence.programs import (
    Pair,
    alike,
    blank,
    marks,
    program_of,
    read_by,
    require_one_game,
    side_by_side,
    sized,
    steps_of,
    with_bounds_of,
    with_markers,
    with_marks,
)
from ggp.proof.equivalence.windows import Compile, FindModel, Passes, Seen, Window, difference, windows
from ggp.transition.compiler import compile_instance
from ggp.transition.program import Loop, passes_of

LARGEST = 6  # rows and columns of whole boards, where nothing is proved for all
EFFORT = 5_000  # constraints of one question about a whole board, after which no larger ones are asked
PATIENCE = 60.0  # seconds for all questions about whole boards; few constraints may still be hard to answer

__all__ = ["Certificate", "Counterexample", "certify"]


@dataclass(frozen=True)
class Certificate:
    """The verdict on a learned game.

    `exact`: it does the same on all boards. `size`: it does on all of up to so many rows and columns, and of
    larger ones nothing is known. `but_bounds`: it does on all boards, once its loops may go on as long as the
    described ones. `but_collisions`: it does wherever the described rules do not collide, and the
    counterexample is a board on which they do. `unsettled`: there was no time to show anything. Else, with a
    counterexample, it differs. `scope` says what was shown, and how.
    """

    exact: bool
    scope: str
    size: tuple[int, int] | None = None
    counterexample: Counterexample | None = None
    but_bounds: bool = False
    but_collisions: bool = False
    unsettled: bool = False

    @property
    def text(self) -> str:
        """`exact` or `differs`, as the command line prints it; `exact up to RxC`, `exact but for bounds`."""
        if self.unsettled:
            return "not settled"
        told = "exact" if self.size is None else f"exact up to {self.size[0]}x{self.size[1]}"
        but = [what for what, so in (("bounds", self.but_bounds), ("collisions", self.but_collisions)) if so]
        if but:
            return f"{told} but for {' and '.join(but)}"
        return told if self.exact or self.size is not None else "differs"


def certify(
    described: Game,
    learned: Game,
    find_model: FindModel,
    *,
    effort: int = EFFORT,
    patience: float = PATIENCE,
) -> Certificate:
    """Compare a learned game with the described one. `find_model` solves an encoding.

    Where nothing is proved for all boards, whole boards are compared until a question about one has more
    constraints than `effort`, or `patience` (in seconds) is at an end.

    Raises PuzzleError where the two differ in more than rules, and OwnFault where the referee does not see a
    difference that was found.
    """
    described, learned = with_markers(described, learned)
    require_one_game(described, learned)
    described, learned = with_marks(described, learned), with_marks(learned, described)
    compare = partial(compared, described, learned, find_model=find_model, effort=effort, patience=patience)
    certificate = compare(collisions=True)
    shown = certificate.counterexample
    if shown is None or shown.described is not None:
        return certificate
    elsewhere = compare(collisions=False)
    if elsewhere.counterexample is not None:
        return elsewhere
    scope = f"{elsewhere.scope}; but where described rules collide, as on the level that is shown"
    return replace(elsewhere, exact=False, scope=scope, counterexample=shown, but_collisions=True)


def compared(
    described: Game,
    learned: Game,
    *,
    find_model: FindModel,
    effort: int,
    patience: float,
    collisions: bool,
) -> Certificate:
    """Compare two games with the same marks, with the described bounds of loops first.

    Without `collisions` it is no matter what the learned one does where described rules collide.
    """
    bounded = with_bounds_of(described, learned)
    compare = partial(
        Comparison, find_model=find_model, effort=effort, patience=patience, collisions=collisions
    )
    whole = compare(described, learned)
    if bounded is not None and bounded != learned:
        alike_bounds = compare(described, bounded)
        certificate = alike_bounds.verdict()
        if certificate.exact:
            scope = f"{certificate.scope}; but loops may go on for other numbers of passes"
            return Certificate(False, scope, but_bounds=True)
        if alike_bounds.parted is not None and whole.duel.differ(alike_bounds.parted):
            return whole.differs(alike_bounds.parted)
    return whole.verdict()


class Comparison:
    """Two games, and what has been found about them so far."""

    def __init__(
        self,
        described: Game,
        learned: Game,
        find_model: FindModel,
        effort: int = EFFORT,
        patience: float = PATIENCE,
        *,
        collisions: bool = True,
    ) -> None:
        self.effort = effort
        self.patience = patience
        self.collisions = collisions
        self.described = described
        self.learned = learned
        self.find_model = find_model
        self.duel = Duel(described, learned, collisions=collisions)
        self.parted: Moment | None = None  # where they differ

    def verdict(self) -> Certificate:
        """Ask one thing after another until something is settled."""
        far = self.far()
        if far and steps_of(self.described) == steps_of(self.learned):
            return Certificate(True, "for all boards and inputs: the rules are the same")
        each_size = far or sized(self.described)
        pairs = None if each_size else side_by_side(self.described, self.learned)
        unlike = None if pairs is None else [pair for pair in pairs if not alike(pair.one, pair.other)]
        if unlike is not None and not unlike:
            return Certificate(True, "for all boards and inputs: the rules are the same")
        found = self.duel.attack()
        if found is not None:
            return self.differs(found)
        settled = None if pairs is None or unlike is None else self.pass_by_pass(pairs, unlike)
        if settled is None and not self.loops() and not each_size:
            settled = self.whole_turn()
        return settled or self.size_by_size()

    def differs(self, moment: Moment) -> Certificate:
        """The verdict that they differ, with the referee's word for it."""
        self.parted = moment
        shown = self.duel.shown(moment)
        return Certificate(False, "on the level that is shown, by the referee", None, shown)

    def far(self) -> bool:
        """Does one of the two ask of the whole board? That takes other passes on boards of other sizes."""
        return any(marks(game, 3) for game in (self.described, self.learned))

    def loops(self) -> bool:
        """Does one of the two run anything until it changes nothing?"""
        return any(
            step.bound is not None for game in (self.described, self.learned) for step in steps_of(game)
        )

    # --- for all boards

    def pass_by_pass(self, pairs: tuple[Pair, ...], unlike: list[Pair]) -> Certificate | None:
        """Compare each pass with its counterpart, on all boards that there may be before it.

        At first on boards of which little is known; more is proved of them only where that is needed.
        None where passes differ on boards of which no level could be made.
        """
        plain = plain_contexts(self.described)
        left = [pair for pair in unlike if self.parting(pair, pairs, plain[pair.before])]
        known = contexts(self.described, self.find_model) if left else ()
        for pair in left:
            seen = self.parting(pair, pairs, known[pair.before])
            if seen is not None:
                return self.made_of(seen)
        return Certificate(True, "for all boards and inputs: pass by pass, from every board before it")

    def parting(self, pair: Pair, pairs: tuple[Pair, ...], context: Context) -> Seen | None:
        """Where two passes part on some board of the context."""
        index = pairs.index(pair)

        def choose(compiled: Compile) -> tuple[Passes, ...]:
            programs = (program_of(game, compiled(game)) for game in (self.described, self.learned))
            one, other = (tuple(passes_of(program))[index] for program in programs)
            return (one,), (other,)

        unseen = self.unseen(pair, pairs)
        asked = windows(self.described, choose, context)
        found = (self.difference(window, one, other, unseen) for window, (one, other) in asked)
        return next((seen for seen in found if seen is not None), None)

    def difference(self, window: Window, one: Passes, other: Passes, unseen: Iterable[int]) -> Seen | None:
        """How two sequences of passes differ in a window."""
        return difference(window, one, other, unseen, self.find_model, collisions=self.collisions)

    def unseen(self, pair: Pair, pairs: tuple[Pair, ...]) -> set[int]:
        """The markers that nothing reads after a pass. What a loop waits for to rest is all of the board."""
        transition = compile_instance(blank(self.described, 3, 3))
        program = program_of(self.described, transition)
        if any(isinstance(step, Loop) for step in program[pair.last :]):
            return set()
        later = [step for other in pairs if other.last > pair.last for step in (other.one, other.other)]
        return set(transition.markers).difference(*(read_by(transition, step) for step in later))

    def whole_turn(self) -> Certificate | None:
        """Compare two turns without loops; None where a window differs and no level could be made of it."""

        def choose(compiled: Compile) -> tuple[Passes, ...]:
            programs = (program_of(game, compiled(game)) for game in (self.described, self.learned))
            one, other = (tuple(passes_of(program)) for program in programs)
            return one, other

        context = contexts(self.described, self.find_model)[0]
        markers = compile_instance(blank(self.described, 3, 3)).markers
        for window, (one, other) in windows(self.described, choose, context):
            seen = self.difference(window, one, other, markers)
            if seen is not None:
                return self.made_of(seen)
        return Certificate(True, "for all boards and inputs: over the reach of a whole turn")

    def made_of(self, seen: Seen) -> Certificate | None:
        """The verdict that they differ, if they do on the part of a board that a window shows.

        None, too, where that has more of a kind than a level: whether a run can lead there is asked of whole
        boards, size by size.
        """
        could_be = (moment for moment in moments_of(seen) if no_more_than_levels(self.described, moment))
        found = next((moment for moment in could_be if self.duel.differ(moment)), None)
        return None if found is None else self.differs(found)

    # --- for some

    def size_by_size(self) -> Certificate:
        """Compare whole boards, the smallest first.

        Where passes are others on boards of each size, what whole turns keep apart is asked of each, too.
        """
        far = self.far()
        context = (plain_contexts(self.described) if far else contexts(self.described, self.find_model))[0]
        clock = Clock(self.patience)
        done, ended = 0, "one after another"
        for largest in range(1, LARGEST + 1):
            sizes = [(rows, largest) for rows in range(1, largest + 1)]
            sizes += [(largest, columns) for columns in range(1, largest)]
            constraints = 0
            for rows, columns in sizes:
                find_model = partial(self.find_model, clock=clock)
                other = turn_of(self.learned, compile_instance(blank(self.learned, rows, columns)))
                try:
                    here = context
                    if far:  # which passes there are hangs on the size, so all is asked of whole turns
                        here = with_pairs_kept(self.described, rows, columns, here, find_model)
                    here = with_numbers_kept(self.described, rows, columns, here, find_model)
                    question = Question(self.described, rows, columns, here)
                    found = question.difference(other, find_model, collisions=self.collisions)
                except OutOfTime:
                    ended = f"one after another, until {self.patience:.0f} s were over"
                    return self.up_to(done, ended)
                if found is not None:
                    return self.differs(found)
                constraints = len(question.encoding.constraints)
            done = largest
            if constraints > self.effort:
                break
        return self.up_to(done, ended)

    def up_to(self, done: int, how: str) -> Certificate:
        """The verdict that they do the same on boards of up to so many rows and columns."""
        if not done:
            scope = f"nothing was shown, not even for boards of one cell: {how}"
            return Certificate(False, scope, unsettled=True)
        scope = f"for boards of up to {done} rows and columns: {how}; nothing is known of larger ones"
        return Certificate(False, scope, (done, done))


def no_more_than_levels(game: Game, moment: Moment) -> bool:
    """Does a board have no more of a kind than a level may have?"""
    most = ((kind.name, most_at_first(game, kind)) for kind in game.kinds)
    return all(number is None or how_many(moment.rows, name) <= number for name, number in most)


def moments_of(seen: Seen) -> Iterator[Moment]:
    """The board of a window with its input; where the cell picked is not on it, with each that is."""
    form, cells = seen.form, [(y, x) for y, row in enumerate(seen.rows) for x in range(len(row))]
    rows = tuple(tuple(here - {form.marker} for here in row) for row in seen.rows)
    if form.action is None or form.marker is None:
        yield Moment(rows, len(cells), form.action)
        return
    picked = [(y, x) for y, x in cells if form.marker in seen.rows[y][x]]
    for cell in picked or cells:
        yield Moment(rows, len(cells), form.action._replace(cell=cell))
