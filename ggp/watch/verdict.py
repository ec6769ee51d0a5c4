"""How learned rules stood their trial, in words: figures, the first turn that differs, what is open.

Nobody who only watched can say that rules are exact. What can be said is how many fresh turns they foresaw,
which was the first that they did not, and how often they may be wrong at most if turns come as these did.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ggp.learn.boards import Board
from ggp.learn.probe.contexts import Contexts
from ggp.learn.probe.rivals import SEARCHES, Rivals
from ggp.learn.seen.contradictions import drawn, side_by_side
from ggp.model.shown import number_of
from ggp.watch.foresight import Foreseen
from ggp.watch.fresh import Asked
from ggp.watch.odds import Odds
from ggp.watch.tally import QUESTIONS, Tally

CONFIDENCE = 0.95
LEFT_OUT = 0.05  # of the turns, after which those that were left out weaken the verdict
ONCE = "where this comes about at two places in one turn, far from one another, the game does it at one alone"


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
