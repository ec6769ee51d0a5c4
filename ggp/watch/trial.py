"""What was only watched is a claim: the rules are held against turns that they were not learned from.

Nobody who only watched can say that rules are exact. What can be said is how many fresh turns they foresaw,
which was the first that they did not, and how often they may be wrong at most if turns come as these did.
What was not foreseen is learned from, and the trial begins again with other turns, a few times.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ggp.errors import PuzzleError
from ggp.learn.boards import Board, Episode, turns_of
from ggp.learn.fit.program import one_pass
from ggp.learn.fit.toil import account
from ggp.learn.probe.challenges import challenges
from ggp.learn.probe.contexts import Contexts, contexts_of
from ggp.learn.probe.goal_questions import goal_questions
from ggp.learn.probe.rivals import SEARCHES, Rivals, made, rivals
from ggp.learn.seen.attached import attached_in
from ggp.learn.seen.contradictions import drawn, side_by_side
from ggp.learn.whole import Learned, with_goal_anew
from ggp.model.result import OutOfTime
from ggp.model.shown import number_of
from ggp.watch.around import Learn, a_few, played_around, with_like
from ggp.watch.at_once import hold_at_once, to_learn_from
from ggp.watch.brought import hold_brought_together
from ggp.watch.by_theory import hold_theory
from ggp.watch.foresight import Foreseen, Foresight
from ggp.watch.fresh import AIMED, ASKED, MOST_BACK, PLANNED, TORN, Asked, Fresh, Run
from ggp.watch.odds import Odds, OddsForesight
from ggp.watch.planned import plans_for_goals
from ggp.watch.several import hold_several
from ggp.watch.tally import QUESTIONS, Tally, hold

AGAIN = 5  # times that rules are learned anew from what they did not foresee
AGAIN_BY_THEORY = 15  # the same of a theory, which is mended, and quickly so
CONFIDENCE = 0.95
LEFT_OUT = 0.05  # of the turns, after which those that were left out weaken the verdict
ONCE = "where this comes about at two places in one turn, far from one another, the game does it at one alone"
WORK = 4e7  # done on learning anew (about a minute), after which no new round begins

Say = Callable[[str], None]


@dataclass(frozen=True)
class Trial:
    """How the learned rules stood it. `relearned`: times they were learned anew, from `back` more runs.

    `odds`: what chance did, of a game with chance.
    """

    tally: Tally
    relearned: int = 0
    back: int = 0
    given_up: str = ""
    contexts: Contexts | None = None
    left: Rivals | None = None
    untried: Asked | None = None
    odds: Odds | None = None

    @property
    def turns(self) -> int:
        """Fresh turns that the rules were held against."""
        return self.tally.turns.total()

    @property
    def wrong(self) -> int:
        """Fresh turns that they say otherwise."""
        return self.tally.wrong.total()

    @property
    def holds(self) -> bool:
        """Was all that was fresh foreseen? Where some was not before, there must be something fresh since."""
        if self.given_up or self.wrong or self.tally.flags_wrong:
            return False
        if self.odds is not None and not self.odds.fits:
            return False
        return self.turns > 0 or not self.relearned

    @property
    def weak(self) -> bool:
        """Were so many turns left out that rules that hold do so on boards alone such as play leads to?"""
        return self.tally.aside > LEFT_OUT * (self.turns + self.tally.aside)

    @property
    def verdict(self) -> str:
        """How it ended, in words."""
        if not self.turns:
            return "not tried" if self.holds else "does not hold"
        return "does not hold" if not self.holds else "holds where play leads" if self.weak else "holds"

    @property
    def bound(self) -> float:
        """The share of turns of play that are wrong at most, if turns are drawn independently.

        Turns that were asked for are no sample of anything.
        """
        played = [sort for sort in self.tally.turns if sort not in QUESTIONS]
        return at_most(
            sum(self.tally.wrong[one] for one in played), sum(self.tally.turns[one] for one in played)
        )

    @property
    def lines(self) -> list[str]:
        """What there is to say, as evidence."""
        chance = [] if self.odds is None else [self.odds.line]
        return [*self.figures(), *chance, *self.disagreement(), *self.what_is_open()]

    def figures(self) -> list[str]:
        """How many turns and flags were foreseen."""
        if not self.turns:
            why = (
                "some turns were not foreseen, and after these there were no"
                if self.relearned
                else "there were no"
            )
            why = f"{self.given_up}, before there were" if self.given_up else why
            return [f"trial: {why} fresh turns, so nothing is known of turns that were not seen"]
        tally = self.tally
        sorts = ", ".join(
            f"{number - tally.wrong[sort]:,} of {number:,} {sort}" for sort, number in tally.turns.items()
        )
        share = f"at most {percent(self.bound)} of the turns of such play are wrong"
        by_run = f"and at most {percent(at_most(tally.runs_wrong, tally.runs))} of such runs have one"
        lines = [
            f"trial: {self.turns - self.wrong:,} of {self.turns:,} fresh turns agree ({sorts})",
            f"trial: {share}, {by_run} ({CONFIDENCE:.0%} sure, if they come independently as these did)",
        ]
        if tally.flags:
            right = tally.flags - tally.flags_wrong
            ends = f"{tally.ended:,} times somebody had" if tally.ended else "nobody ever had"
            said = f"{right:,} of {tally.flags:,} times the goal says who has won or lost"
            lines.append(f"trial: {said}; {ends}")
        if self.relearned:
            runs = number_of("run", self.back)
            lines.append(
                f"trial: learned anew {self.relearned} times, from {runs} more that were not foreseen"
            )
        if tally.aside:
            lines.insert(0 if self.weak else len(lines), self.left_out())
        lines += [tally.twice.line] if tally.twice is not None and tally.twice.rules else []
        lines += [f"trial: {ONCE}: {one}" for one in sorted(tally.once)]
        return lines + ([f"trial: {self.given_up}"] if self.given_up else [])

    def left_out(self) -> str:
        """How many turns were left out; where they are many, what that means for the verdict."""
        aside = self.tally.aside
        share = percent(aside / (self.turns + aside))
        weaker = f"VERDICT WEAKENED: rules speak of boards such as play leads to, not of {share}: "
        return (
            f"trial: {weaker if self.weak else ''}left out: {number_of('turn', aside)} on boards that "
            "were made for the goal, with things in one cell that no play brought together, or with two of "
            "what there was one of"
        )

    def disagreement(self) -> list[str]:
        """The first turn that was not foreseen, drawn."""
        found = self.tally.first
        if found is None:
            return []
        turn, word = found.turn, found.turn.word or "none"
        if found.agrees:
            return [f"trial: the goal says otherwise of this board:\n{picture(turn.after)}"]
        if found.board is None:
            pair = side_by_side(turn.before, turn.after)
            return [
                f"trial: first to differ, input {word}: before, and seen; the rules have no such turn\n{pair}"
            ]
        three = side_by_side(turn.before, turn.after, found.board)
        return [f"trial: first to differ, input {word}: before, seen, and as the rules say\n{three}"]

    def what_is_open(self) -> list[str]:
        """Contexts and programs."""
        lines = []
        if self.contexts is not None:
            seen, possible = self.contexts
            lines.append(f"contexts: {seen:,} were seen, of at most {possible:,} that the rules tell apart")
        if self.left is None:
            return lines
        number = len(self.left.programs)
        if self.left.cut:
            cut = f"of {SEARCHES} searches for others {self.left.cut} took too long"
            lines.append(f"programs: {cut}, and came to no end")
        if number == 1:
            return [*lines, "programs: 1 is left: no other was found that says all that was seen"]
        lines.append(f"programs: {number} are left that say all that was seen; the smallest was taken")
        if self.untried is not None:
            board, word = self.untried
            said = [one for one in (program.after(board, word) for program in self.left.programs) if one]
            boards = side_by_side(board, *dict.fromkeys(said))
            lines.append(
                f"programs: they differ here, which was not played, input {word or 'none'}: "
                f"before, and as each says\n{boards}"
            )
        return lines

    @property
    def data(self) -> dict[str, Any]:
        """The same for programs."""
        tally, first = self.tally, self.tally.first
        return {
            "turns": self.turns,
            "agree": self.turns - self.wrong,
            "bound": self.bound,
            "confidence": CONFIDENCE,
            "runs": tally.runs,
            "runs_agree": tally.runs - tally.runs_wrong,
            "sorts": {
                sort: {"turns": number, "agree": number - tally.wrong[sort]}
                for sort, number in tally.turns.items()
            },
            "flags": {"told": tally.flags, "agree": tally.flags - tally.flags_wrong, "ended": tally.ended},
            "relearned": self.relearned,
            "learned_back": self.back,
            "left_out": tally.aside,
            "twice": None if tally.twice is None else tally.twice._asdict(),
            "once": sorted(tally.once),
            "given_up": self.given_up or None,
            "first": None if first is None else difference(first),
            "contexts": None if self.contexts is None else self.contexts._asdict(),
            "chance": None if self.odds is None else self.odds.data,
            "programs": None if self.left is None else len(self.left.programs),
            "searches_cut": None if self.left is None else self.left.cut,
            "holds": self.holds if self.turns else None,
            "verdict": self.verdict,
        }


def difference(found: Foreseen) -> dict[str, Any]:
    """A turn that was not foreseen, as nested lists."""
    said = found.board.rows() if found.board is not None else None
    before, word, after = found.turn
    return {"before": before.rows(), "input": word, "seen": after.rows(), "foreseen": said}


def picture(board: Board) -> str:
    """A board as a small picture."""
    return "\n".join(drawn(board))


def percent(share: float) -> str:
    """A share with two digits that count."""
    return f"{100 * share:.2g} %"


def at_most(wrong: int, number: int) -> float:
    """The upper bound of Clopper and Pearson for a share of which a sample has so many.

    With none of n it is close to 3/n, the rule of three.
    """
    from scipy.special import betaincinv

    return 1.0 if wrong >= number else float(betaincinv(wrong + 1, number - wrong, CONFIDENCE))


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
    learned, back, trial = learn(seen), 0, Trial(Tally())
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
            say(f"learning from {number_of('run', len(more))} that were not foreseen")
            again = partial(with_goal_anew, learned) if only_goal(learned, trial, more) else learn
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
    """Is it the goal alone that did not agree in what is learned from, where rules foresee all boards?"""
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
