"""A whole game with chance in it, from recorded play that contradicts itself.

Chance is thought of only where there are two endings of one board and input. What goes by chance is told from
the rest, the rest is learned as any game is, and both together are a turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ggp.errors import NotLearned, PuzzleError
from ggp.learn.boards import Episode, turns_of
from ggp.learn.chance.draws import Drawn, learn_draws
from ggp.learn.chance.parting import Parted, partings, torn
from ggp.learn.fit.program import Passes, Program, in_a_row, programs_of
from ggp.learn.fit.toil import account
from ggp.learn.seen.contradictions import refuse_contradictions
from ggp.learn.seen.structure import Structure, never_changing, structure_of
from ggp.learn.turn.turns import ALL, learn_ends
from ggp.learn.turn.ways import Ways
from ggp.learn.whole import Halves, Learned, explained, learn_whole

WORK = (4e6, 2e7, ALL)  # on the rest of a turn, at first and at last


def learn_with_chance(
    episodes: Sequence[Episode], name: str = "learned", ways: Ways | None = None
) -> Learned:
    """Learn a game from runs; where they contradict themselves, with what goes by chance.

    Raises PuzzleError as `learn_whole` does; for a contradiction that is not explained by chance of this sort
    it shows the two endings, and says why.
    """
    if not torn(turns_of(episodes)):
        return learn_whole(episodes, name, ways)
    why: list[str] = []
    left = by_cost(episodes, why)
    for most in WORK:  # of what was told apart wrongly the rest is long looked for, and not found
        for parted, drawn in left:
            try:
                with account(most):
                    return of_parts(episodes, name, parted, drawn)
            except NotLearned as error:
                why.append(f"of what is no chance: {error.findings[0].message}")
    try:
        refuse_contradictions(episodes)
    except PuzzleError as error:
        found = error.findings[0]
        told = f"; chance does not explain it: {why[0]}" if why else "; nothing in it goes by chance alone"
        raise PuzzleError(found.message, f"{found.remedy}{told}") from None
    raise AssertionError("there was a contradiction")


def by_cost(episodes: Sequence[Episode], why: list[str]) -> list[tuple[Parted, Drawn]]:
    """The ways to tell chance from the rest for which chance is learned, the plainest first.

    `why` takes what was said against the others.
    """
    structure = structure_of(list(turns_of(episodes)))
    found = []
    for parted in partings(episodes, structure):
        try:
            found.append((parted, learn_draws(parted, structure)))
        except NotLearned as error:
            why.append(error.findings[0].message)
    return sorted(found, key=lambda one: one[1].cost)


def of_parts(episodes: Sequence[Episode], name: str, parted: Parted, drawn: Drawn) -> Learned:
    """The game whose turn is these two parts; raises NotLearned where no rules say the rest."""
    rest: list[Program | Passes] = []

    def learn(_: Sequence[Episode], structure: Structure) -> Passes:
        fixed, _lines = never_changing(parted.rest, structure.tokens)
        rest.append(learn_ends(parted.rest, replace(structure, fixed=fixed)))
        passes = tuple(one for one in programs_of(rest[0]) if one.parts)
        said = (drawn.program, *passes) if parted.first else (*passes, drawn.program)
        return replace(in_a_row(structure, rest), programs=said)

    halves = Halves(tuple(parted.middles), lambda: (rest[0], parted.rest))
    learned = explained(episodes, name, learn, halves)
    order = "before all else" if parted.first else "after all else"
    lines = (*drawn.evidence, f"chance draws {order} that a turn does; how likely each thing is is estimated")
    return replace(learned, evidence=(*lines, *learned.evidence), by_chance=parted.changes)
