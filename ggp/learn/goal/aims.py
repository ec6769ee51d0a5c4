"""The goal of a learned game: what was found in the flags, as goal terms, with the evidence for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ggp.goals.pattern import Shape
from ggp.goals.unless import Unless
from ggp.learn.boards import Board, Episode, Token
from ggp.learn.goal.claims import terms
from ggp.learn.goal.drawings import PICTURE, drawing_of, pictures_of
from ggp.learn.goal.goals import Flag, LearnedGoal, flags_of, joined, judged, labelled, learn_goals, unlike
from ggp.learn.seen.contradictions import drawn
from ggp.learn.seen.structure import Structure
from ggp.learn.write.vocabulary import Vocabulary
from ggp.model import Drawing, Goal, Pattern, Piece, Term

BY_CHANCE = (
    "each level asks for what stood together on its boards that were won, and part of that may be by chance"
)


@dataclass(frozen=True)
class Aim:
    """A goal, what was found of winning (None: nothing), and the evidence.

    `drawings`: the picture of each level, by its bare board, where the goal asks for one. `speaks_of`: the
    flags of which it says on every board what they are. `doubt`: why it may not be the goal that is meant (""
    where nothing else was found that agrees with all that was seen).
    """

    goal: Goal
    won: LearnedGoal | None
    evidence: tuple[str, ...]
    drawings: Mapping[Board, Drawing] = field(default_factory=dict)
    speaks_of: tuple[Flag, ...] = ()
    doubt: str = ""


def aim_of(episodes: Sequence[Episode], structure: Structure, vocabulary: Vocabulary) -> Aim:
    """What wins and loses, in the words of a game whose pieces the tokens are."""
    pieces, class_of = vocabulary.pieces, vocabulary.class_of
    patterns = patterns_of(structure, pieces)
    won, lost = learn_goals(episodes, structure)
    when, why = judged(episodes)
    evidence = [*goal_evidence(won, "won", episodes), *goal_evidence(lost, "lost", episodes)]
    loses = terms(lost.claims, patterns, class_of) if lost is not None else ()
    both: dict[Flag, LearnedGoal | None] = {"won": won, "lost": lost}
    speaks_of = tuple(flag for flag, goal in both.items() if settled(goal, flag, episodes))
    if won is None and lost is not None and lost.tied:  # of what is excused by a goal that is not known
        speaks_of = tuple(flag for flag in speaks_of if flag != "lost")
    losing = doubt_of_losing(lost, episodes)
    doubt = "; ".join(filter(None, (doubt_of(won, episodes), losing)))
    if won is not None:
        wins = terms(won.claims, patterns, class_of)
        loses = excused(loses, lost, wins)
        if lost is not None and not lost.tied and not told_both(won, episodes, structure):
            evidence.append(
                "lost: also where it would be won, too; no such board was seen, so that is not known"
            )
        evidence.append(f"when: {why}")
        return Aim(Goal(wins, when, loses), won, tuple(evidence), speaks_of=speaks_of, doubt=doubt)
    pictures = pictures_of(episodes, structure)
    if not pictures:
        nothing = Goal(never(pieces), when, loses)
        return Aim(nothing, None, tuple(evidence), speaks_of=speaks_of, doubt=doubt)
    members = [pieces[token].kind for patch in pictures.values() for _, token in patch]
    shape = Shape("somewhere", PICTURE, Pattern(class_of(members)))
    drawings = {board: drawing_of(patch, pieces) for board, patch in pictures.items()}
    text = f"won: {shape.source()}: what stood together on the won boards of each of {len(drawings)} levels"
    doubt = "; ".join(filter(None, (f"a guess: {BY_CHANCE}", losing)))
    loses = excused(loses, lost, (shape,))
    return Aim(Goal((shape,), when, loses), None, (*evidence, text, f"when: {why}"), drawings, doubt=doubt)


def excused(loses: tuple[Term, ...], lost: LearnedGoal | None, wins: tuple[Term, ...]) -> tuple[Term, ...]:
    """What loses; where that is true of won boards, too, unless it is won."""
    return tuple(Unless(term, (wins,)) for term in loses) if lost is not None and lost.tied else loses


def told_both(won: LearnedGoal, episodes: Sequence[Episode], structure: Structure) -> bool:
    """Was a board lost on which what wins held, too?"""
    known = flags_of(episodes, "lost").known
    lost = unlike(structure, (board for board, told in known.items() if told))
    return any(all(map(one.holds, won.claims)) for one in lost)


def doubt_of(won: LearnedGoal | None, episodes: Sequence[Episode]) -> str:
    """Why the goal may not be the one that is meant; nothing where no other one agrees with what was seen."""
    if flags_of(episodes, "won").torn is not None:
        return torn_in("won")
    if won is not None:
        number = len(won.rivals)
        one = f"{number} others agree" if number > 1 else "another agrees"
        return f"a guess: {one} with all that was seen, such as: {won.rivals[0]}" if number else ""
    known = labelled(episodes, "won").known
    if any(known.values()):
        wins = sum(known.values())
        return (
            f"not known: none was found that agrees with the {wins} boards that were won and with the others"
        )
    why = f"none of {len(known):,} boards was won" if known else "nobody said which boards are won"
    return f"not known: {why}. The one that is written cannot be reached, and stands for none"


def doubt_of_losing(lost: LearnedGoal | None, episodes: Sequence[Episode]) -> str:
    """The same of what loses. Where nobody lost there is nothing that could be doubted."""
    if flags_of(episodes, "lost").torn is not None:
        return torn_in("lost")
    if lost is not None:
        return f"a guess: as well might lose: {lost.rivals[0]}" if lost.rivals else ""
    losses = sum(labelled(episodes, "lost").known.values())
    return f"a guess: nothing was found that loses on the {losses} lost boards alone" if losses else ""


def torn_in(flag: Flag) -> str:
    """The doubt where play contradicts itself; the evidence shows the board."""
    return f"a guess: one board was said to be {flag}, and not to be"


def settled(goal: LearnedGoal | None, flag: Flag, episodes: Sequence[Episode]) -> bool:
    """Does a goal say of every board whether it is won (or lost), wherever in a run it comes?"""
    flags = flags_of(episodes, flag)
    if goal is None:
        return flags.torn is None and not any(flags.known.values())
    return flags.torn is None


def patterns_of(structure: Structure, pieces: Mapping[Token, Piece]) -> dict[str, Pattern]:
    """The kind of each name, and the kind with its facing of each token that has one."""
    faced = {token: Pattern(pieces[token].kind, pieces[token].variant) for token in structure.tokens}
    return faced | {structure.name(token): Pattern(pieces[token].kind) for token in structure.tokens}


def never(pieces: Mapping[Token, Piece]) -> tuple[Term, ...]:
    """A goal that was never seen to be reached is said as one that cannot be: none of a kind, and some.

    A number that no board holds would do as well, but other systems cannot count so far.
    """
    from ggp.goals.count import Count

    kind = Pattern(min(piece.kind for piece in pieces.values()))
    return (Count(kind, "=", 0), Count(kind, ">=", 1))


def goal_evidence(goal: LearnedGoal | None, flag: Flag, episodes: Sequence[Episode]) -> list[str]:
    """What can be said of a goal, and what cannot be told apart from it."""
    torn = flags_of(episodes, flag).torn
    if torn is not None:
        picture = "\n".join(drawn(torn))
        return [f"{flag}: one board was said to be {flag}, and not to be:\n{picture}"]
    if goal is None:
        some = any(labelled(episodes, flag).known.values())
        why = "no one goal agrees with the boards of all levels" if some else "no board was"
        return [f"{flag}: {why}"]
    numbers = (
        f"true of {goal.wins} boards, false of {goal.open_boards} others, as far as goals tell them apart"
    )
    lines = [f"{flag}: {joined(goal.claims, flag)}; {numbers}"]
    lines += [f"{flag}: as well might be meant: {other}" for other in goal.others]
    if goal.tied:
        lines.append(f"{flag}: not where it is won, which {goal.tied} boards were of which the same is true")
    return lines + [f"{flag}: of all boards that are, this was true, too: {text}" for text in goal.more]
