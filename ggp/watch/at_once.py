"""What rules do at two places in one turn is held against the game, and it is told what that does once alone.

An engine that goes through its things one by one, in an order that no board shows, may take one coin of two
that are reached in one turn. If each of two acts that lie far apart is foreseen alone, and both in one turn
are not, then no rules about what is near say what happens: nothing is learned from such turns.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import chain

from ggp.learn.boards import Token, Turn, turns_of
from ggp.learn.fit.program import Passes, Program
from ggp.learn.probe.twice import room_in, twice
from ggp.learn.seen.attached import Attached
from ggp.learn.turn.crowd.acts import acts
from ggp.model import Cell
from ggp.watch.foresight import Foresight
from ggp.watch.fresh import TWICE, Asked, Fresh, Run
from ggp.watch.tally import Tally, hold


def hold_at_once(
    foresight: Foresight,
    fresh: Fresh,
    unique: Sequence[Turn],
    known: set[Turn],
    tally: Tally,
    attached: Attached,
) -> list[Run]:
    """Hold rules against turns in which they act at two places; where they are wrong, at one place less.

    All of them, however much was not foreseen already: it tells what is learned from. They are given back.
    """
    program = foresight.learned.program
    at_once = twice(program, unique, room_in(fresh.world), attached=attached)
    runs = list(fresh.asked(at_once.asked, TWICE))
    before = len(tally.against)
    hold(foresight, runs, known, tally, whole=True)
    tally.twice = at_once.places(run.episode.start for run in runs)
    against = {asked_of(run): run for run in tally.against[before:]}
    pairs = at_once.alone(against)
    alone = list(fresh.asked(list(dict.fromkeys(chain.from_iterable(pairs.values()))), TWICE))
    hold(foresight, alone, known, tally, whole=True)
    # Not by the tally: a turn may have been found to be wrong before, and is not counted again.
    right = {asked_of(run) for run in alone if all(one.agrees for one in foresight.of(run.episode))}
    for pair, singles in pairs.items():
        if right.issuperset(singles):
            for turn in turns_of([against[pair].episode]):
                tally.once |= left_out(program, turn)
    return runs


def asked_of(run: Run) -> Asked:
    """What was asked for to see a run: a board, and the input on it."""
    return run.episode.start, run.episode.steps[0].word


def to_learn_from(program: Program | Passes, tally: Tally) -> list[Run]:
    """The runs that were not foreseen, but for those that only show what the game does once."""
    return [run for run in tally.against if not tally.once or not only_once(program, run, tally.once)]


def only_once(program: Program | Passes, run: Run, once: Set[str]) -> bool:
    """Is all that was not foreseen of a run that the game did at some places what it does once?"""
    wrong = [turn for turn in turns_of([run.episode]) if program.after(turn.before, turn.word) != turn.after]
    return bool(wrong) and all(once & left_out(program, turn) for turn in wrong)


def left_out(program: Program | Passes, turn: Turn) -> set[str]:
    """What the rules do at several places of a turn, and the game at some of them, if nothing else differs.

    It is told by what comes and goes, whichever decisions say that.
    """
    said = program.after(turn.before, turn.word)
    if said is None or said == turn.after:
        return set()
    pairs = enumerate(zip(said.cells, turn.after.cells, strict=True))
    differ = {(divmod(at, said.width), token) for at, (one, other) in pairs for token in one ^ other}
    places: dict[str, list[set[tuple[Cell, Token | None]]]] = {}
    for act in acts(program, turn.before, turn.word):
        changes = [(sign, cell, token) for sign, cell, token in act.changes() if token is not None]
        about = ", ".join(sorted({f"{sign}{program.structure.name(token)}" for sign, _, token in changes}))
        places.setdefault(about, []).append({(cell, token) for _, cell, token in changes})
    found = set()
    for about, done in places.items():
        missing = [some for some in done if some & differ]
        if 0 < len(missing) < len(done) and differ <= set().union(*missing):
            found.add(about)
    return found
