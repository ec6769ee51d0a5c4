"""Play of which a stated share of cells was seen wrongly: first what stands beyond doubt, then all.

What is learned from few turns says what each run must have been, board after board; and where the boards seen
differ from that, they were seen wrongly. If that is more often than was stated, nothing is learned; nor if
the rules leave more turns unexplained than right ones would, of runs that were held back, or of the others;
nor if too few turns speak for a part of the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ggp.errors import NotLearned, PuzzleError
from ggp.learn.boards import Episode, Turn
from ggp.learn.fit.program import Passes, Program
from ggp.learn.noise.allowance import Allowance, allowance, refuse_together, refuse_wrong
from ggp.learn.noise.beliefs import Believed, believe, differences
from ggp.learn.noise.doubts import doubted
from ggp.learn.noise.neighbours import pared, plain_turns, refuse_unasked, refuse_unneeded
from ggp.learn.noise.reading import turns_by_reading
from ggp.learn.noise.repair import plausible_turns, without_blips
from ggp.learn.seen.contradictions import side_by_side
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.turns import learn_program
from ggp.learn.whole import Learned, learn_whole

AGAIN = 5  # times that rules are learned
ROUNDS = 3  # of asking the turns what they make of each other
SLACK = 1.5  # times the stated share: more is no chance
EVERY = 5  # one of so many runs is held back
SHOWN = 3  # boards that are shown beside what is believed instead
LARGEST = 0.2  # share of wrong cells that can be asked for


def learn_despite_noise(episodes: Sequence[Episode], share: float, name: str = "learned") -> Learned:
    """Learn a game from runs of which a share of the cells is wrong.

    Raises PuzzleError where no rules are found, or where more than the share contradicts them.
    """
    if not 0 < share <= LARGEST:
        raise PuzzleError(f"a share of {share} wrong cells is not sensible", f"give at most {LARGEST}")
    all_runs = [replace(one, placed=()) for one in episodes if not one.refused]
    runs, kept = held_back(all_runs)
    refused = None
    for turns in (beyond_doubt, read_well):
        try:
            believed = beliefs(runs, share, turns(runs, share))
            learned = with_figures(believed, runs, kept, share, name)
        except NotLearned as error:
            refused = refused or error
            continue
        more = (
            ["noise: designs are not learned from play with wrong cells"]
            if all_runs != list(episodes)
            else []
        )
        return replace(learned, evidence=(*more, *learned.evidence)) if more else learned
    assert refused is not None
    raise refused


def with_figures(
    believed: Sequence[Believed], runs: Sequence[Episode], kept: Sequence[Episode], share: float, name: str
) -> Learned:
    """What is learned from runs as they are believed; raises NotLearned where right rules explain more.

    Rules for parts of which too few turns speak are learned again from what runs are without these parts.
    """
    plain, said = plain_turns([*runs, *kept]), refuse_too_wrong(believed, share)
    learned = learn_whole([one.episode for one in believed], name)
    shorter = pared(learned.program, plain)
    if shorter != learned.program:
        believed = believed_of(runs, shorter, share)
        said = refuse_too_wrong(believed, share)
        learned = learn_whole([one.episode for one in believed], name)
        refuse_unneeded(learned.program, plain)
    refuse_unasked(learned.program, plain)
    tested: list[str] = []
    judged: list[Allowance] = []
    for some, which in ((kept, "runs that were held back"), (runs, "the runs learned from")):
        found = allowance(some, learned.program, share)
        if found is not None:
            refuse_wrong(found, which, learned.program)
            tested.append(f"noise: of {which} {found.text}")
            judged.append(found)
    refuse_together(judged)
    left_out = sum(1 + len(one.steps) for one in runs) - sum(len(one.seen) for one in believed)
    more = [f"noise: {left_out} boards at the beginning of runs were left out"] if left_out else []
    wrong = [pair for one in believed for pair in one.pairs() if pair[0] != pair[1]]
    shown = [f"noise: seen, and believed instead:\n{side_by_side(*pair)}" for pair in wrong[:SHOWN]]
    return replace(learned, evidence=(said, *tested, *more, *shown, *learned.evidence))


def refuse_too_wrong(believed: Sequence[Believed], share: float) -> str:
    """Say how many cells were seen wrongly; raises NotLearned where these are more than may be."""
    number = sum(differences(pair) for one in believed for pair in one.pairs())
    cells = sum(len(board.cells) for one in believed for board in one.seen)
    if not believed or number > SLACK * share * cells + 1:
        raise NotLearned(
            f"{number} of {cells} cells contradict the rules that explain most, and {share:.1%} may",
            "state a larger share, or record more play",
        )
    return f"noise: {number} of {cells} cells were seen wrongly, as the rules say; up to {share:.1%} may be"


def held_back(runs: Sequence[Episode]) -> tuple[list[Episode], list[Episode]]:
    """The runs that are learned from, and every fifth, which is not."""
    kept = [one for number, one in enumerate(runs) if number % EVERY == EVERY - 1]
    return [one for number, one in enumerate(runs) if number % EVERY != EVERY - 1], kept


def beliefs(runs: Sequence[Episode], share: float, turns: list[Turn]) -> list[Believed]:
    """What the runs must have been: rules are learned, and learned again from what speaks against them."""
    program = learn_program(turns, structure_of(turns))
    for _ in range(AGAIN):
        believed = believed_of(runs, program, share)
        against = [one.against for one in believed if one.against is not None]
        new = [turn for turn in dict.fromkeys(against) if turn not in turns]
        together = [*turns, *new]
        doubts = doubted(together, structure_of(together))
        new = [turn for turn in new if turn not in doubts]
        if not new:
            break
        try:
            program = learn_program([*turns, *new], structure_of([*turns, *new]))
        except PuzzleError:
            break  # some of what speaks against the rules was itself seen wrongly
        turns += new
    return believed


def believed_of(runs: Sequence[Episode], program: Program | Passes, share: float) -> list[Believed]:
    """What the runs must have been if some rules hold, those of which that can be said."""
    return [found for one in runs if (found := believe(one, program, share)) is not None]


def beyond_doubt(runs: Sequence[Episode], share: float) -> list[Turn]:
    """The turns that most others agree with, where what was otherwise for one board is put right."""
    return agreed(plausible_turns(runs, [without_blips(one) for one in runs]))


def read_well(runs: Sequence[Episode], share: float) -> list[Turn]:
    """The turns that most others agree with, as the runs are read with fewest bits."""
    return agreed(turns_by_reading(runs, share))


def agreed(found: Sequence[Turn]) -> list[Turn]:
    """The turns that most others agree with; raises NotLearned where nothing happens in them."""
    turns = list(dict.fromkeys(found))
    for _ in range(ROUNDS):
        doubts = doubted(turns, structure_of(turns)) if turns else set()
        if not doubts:
            break
        turns = [turn for turn in turns if turn not in doubts]
    if not any(turn.before != turn.after for turn in turns):
        raise NotLearned("no turn is beyond doubt", "record more play, or state the share of wrong cells")
    return turns
