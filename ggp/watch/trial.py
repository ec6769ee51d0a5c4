"""What was only watched is a claim: the rules are held against turns that they were not learned from.

What was not foreseen is learned from, and the trial begins again with other turns, a few times. What is said
of it is `ggp.watch.verdict`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from ggp.errors import PuzzleError
from ggp.learn.boards import Episode, turns_of
from ggp.learn.fit.program import one_pass
from ggp.learn.fit.toil import account
from ggp.learn.probe.challenges import challenges
from ggp.learn.probe.contexts import contexts_of
from ggp.learn.probe.goal_questions import goal_questions
from ggp.learn.probe.rivals import made, rivals
from ggp.learn.seen.attached import attached_in
from ggp.learn.whole import Learned, with_goal_anew
from ggp.model.result import OutOfTime
from ggp.model.shown import number_of
from ggp.watch.around import Learn, a_few, played_around, with_like
from ggp.watch.at_once import hold_at_once, to_learn_from
from ggp.watch.brought import hold_brought_together
from ggp.watch.by_theory import hold_theory
from ggp.watch.foresight import Foresight
from ggp.watch.fresh import AIMED, ASKED, MOST_BACK, PLANNED, TORN, Fresh, Run
from ggp.watch.odds import OddsForesight
from ggp.watch.planned import plans_for_goals
from ggp.watch.several import hold_several
from ggp.watch.tally import Tally, hold
from ggp.watch.verdict import Trial

AGAIN = 5  # times that rules are learned anew from what they did not foresee
AGAIN_BY_THEORY = 15  # the same of a theory, which is mended, and quickly so
MISSPOKEN = "the rules say what was seen, and what is written of them does not, which is a fault of ggp"
WORK = 4e7  # done on learning anew (about a minute), after which no new round begins

Say = Callable[[str], None]


def tried(
    learn: Learn,
    fresh: Fresh,
    turns: int,
    *,
    work: float = WORK,
    say: Say = lambda message: None,
    over: Callable[[], None] = lambda: None,
) -> tuple[Learned, Trial]:
    """Learn, hold what was learned against so many fresh turns, and learn again from what was not foreseen.

    No new round begins once more than `work` was done on learning anew, nor is more done in one; that is
    counted, and hangs on no machine. Raises PuzzleError where at first nothing is learned. OutOfTime, which
    may be raised anywhere (`ggp.tasks.alarm`), ends the trial once there are rules; `over` is called then.
    """
    seen, spent, rounds, around = list(fresh.beginning), 0.0, 0, list[Run]()
    learned, back, trial, misspoken = learn(seen), 0, Trial(Tally()), False
    held: tuple[Learned, Trial] | None = None  # whose goal alone is to be tried anew
    try:
        for relearned in range(AGAIN_BY_THEORY + AGAIN + 1):
            say(f"{learned.game.name} is held against fresh turns")
            most = AGAIN if learned.theory is None else AGAIN_BY_THEORY
            last = rounds >= most or spent > work
            tally = Tally(most=math.inf if last else MOST_BACK)
            trial = Trial(tally, relearned, back)  # of which is told as far as it came, if time is over
            trial = once(learned, seen, fresh, turns, trial, around)
            if trial.holds:
                settled = less_doubted(learned, [*seen, *trial.tally.asked])
                if last or settled.doubt or not learned.doubt:
                    learned = settled
                    break
                # Its goal is another one, and not in doubt: it is tried, too, where there is time.
                seen, learned, rounds = [*seen, *trial.tally.asked], settled, rounds + 1
                held = settled, trial
                continue
            if last:
                why = f"{most} times is enough" if rounds >= most else "that took too long already"
                trial = replace(trial, given_up=f"from these nothing was learned: {why}")
                break
            against = to_learn_from(learned.program, trial.tally)
            if not against:
                trial = replace(trial, given_up="no rules say what a game does once a turn")
                break
            # How often chance does what says nothing if only the runs that were not foreseen are counted.
            more = fresh.back(against, len(against) if learned.by_chance else 0)
            goal = only_goal(learned, trial, more)
            if goal and trial.wrong and misspoken:
                trial = replace(trial, given_up=MISSPOKEN)
                break
            # What was seen in one cell for the first time is in the rules, and not in the layers: at first.
            goal, misspoken = goal and not trial.wrong, misspoken or (goal and trial.wrong > 0)
            say(f"learning from {number_of('run', len(more))} that were not foreseen")
            again = partial(with_goal_anew, learned) if goal else learn
            played = played_around(learned, more, seen, fresh)
            around += played  # of each round: nobody asks for these again
            try:
                with account(work) as done:
                    theory = learned.theory is not None
                    learned, like = with_like(again, [*seen, *more], a_few(learned.program, played))
                same = theory == (learned.theory is not None)
                # Rules that are learned where a theory was given up have rounds of their own.
                rounds, spent = (rounds + 1, spent + done.work) if same else (0, 0.0)
                trial = Trial(Tally(), relearned + 1, back + len(more))
            except PuzzleError as error:
                said = error.findings[0].message
                trial = replace(trial, given_up=f"no rules were found that say these, too: {said}")
                break
            seen, back = [*seen, *more, *like], back + len(more)
    except OutOfTime:
        over()  # what is left may take until the next alarm, which would lose the rules
        trial = replace(trial, given_up="the time was over")
        if held is not None and not trial.wrong:
            learned, trial = held
    return with_trial(learned, trial), trial


def only_goal(learned: Learned, trial: Trial, more: Sequence[Episode]) -> bool:
    """Does all that is learned from agree with the rules, so that nothing is left to learn but a goal?

    Where boards were not foreseen then, they were not by the description.
    """
    if learned.theory is not None and trial.wrong:
        return False  # it is the description that was wrong, whatever the theory says
    right = not trial.wrong or not any(map(learned.program.wrong, turns_of(more)))
    return right and learned.invented is None and not learned.by_chance


def less_doubted(learned: Learned, episodes: list[Episode]) -> Learned:
    """What was learned; where its goal may be another, with what was played to tell them apart."""
    return with_goal_anew(learned, episodes) if learned.doubt and learned.invented is None else learned


def with_trial(learned: Learned, trial: Trial) -> Learned:
    """What was learned, with how it stood the trial as the first of its evidence."""
    return replace(learned, evidence=(*trial.lines, *learned.evidence))


def once(
    learned: Learned,
    seen: Sequence[Episode],
    fresh: Fresh,
    turns: int,
    trial: Trial,
    around: Sequence[Run] = (),
) -> Trial:
    """Hold rules against fresh turns, and against others that say all that was seen.

    `around`: runs that were made like some that other rules did not foresee. Once enough was not foreseen
    (`Tally.most`) nothing else is asked.
    """
    if learned.by_chance:
        return once_by_chance(learned, seen, fresh, turns, trial)
    if learned.theory is not None:
        return replace(trial, tally=hold_theory(learned, learned.theory, seen, fresh, turns, trial.tally))
    foresight, tally = Foresight(learned), trial.tally
    tally.usual.see(fresh.beginning)
    unique = list(dict.fromkeys(foresight.shown(seen)))
    known = set(unique)
    played, came = list[Episode](), list[Episode]()
    hold(foresight, noted(fresh.runs(turns), played), known, tally)
    hold(foresight, around, known, tally)
    program, own = learned.program, fresh.world.levels() if fresh.world is not None else ()
    attached = attached_in([*seen, *played], set(own), learned.structure)
    if learned.invented is None and not tally.enough:
        asked = fresh.asked(challenges(program, unique, attached=attached), ASKED)
        hold(foresight, noted(asked, came), known, tally)
    if learned.invented is None and not tally.enough:
        hold_brought_together(foresight, fresh, unique, known, tally, attached)
    if learned.invented is None:
        came += [run.episode for run in hold_at_once(foresight, fresh, unique, known, tally, attached)]
    if learned.invented is None and not tally.enough:
        hold_several(foresight, fresh, unique, [*played, *came], known, tally, attached)
    if learned.invented is None and not tally.enough:
        aimed = goal_questions(seen, learned.structure, foresee=program.after)
        hold(foresight, fresh.asked(aimed, AIMED), known, tally)
    if tally.against or learned.invented is not None:
        return trial
    contexts = contexts_of(program, unique) if one_pass(program) and program.parts else None
    left = rivals(learned.program, unique, made(seen, learned.structure, attached=attached))
    if left is not None:
        hold(foresight, fresh.asked(left.torn, TORN), known, tally)
    if fresh.world is not None and not tally.against:
        planned = plans_for_goals(foresight, fresh.world, seen)
        hold(foresight, (Run(PLANNED, one) for one in planned), known, tally)
    if left is None or tally.against:  # of rules that were wrong it is not told what is left beside them
        return replace(trial, contexts=contexts)
    left = left.outliving(known)
    return replace(trial, contexts=contexts, left=left, untried=next(iter(left.torn), None))


def noted(runs: Iterable[Run], played: list[Episode]) -> Iterator[Run]:
    """The runs, each of which is kept when it is asked for."""
    for run in runs:
        played.append(run.episode)
        yield run


def once_by_chance(
    learned: Learned, seen: Sequence[Episode], fresh: Fresh, turns: int, trial: Trial
) -> Trial:
    """Hold rules with chance against fresh turns: what was seen must be possible, and as often as is said."""
    foresight, tally = OddsForesight(learned), Tally()
    runs = list(fresh.runs(turns))
    hold(foresight, runs, set(foresight.shown(seen)), tally)
    trial = replace(trial, tally=tally, odds=foresight.odds)
    if not trial.holds:
        tally.against = runs
    return trial
