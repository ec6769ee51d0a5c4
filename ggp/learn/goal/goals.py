"""What wins and what loses, from flags alone: the smallest goal that agrees with all boards seen.

Winning asks for several things at once, so each board that is not won must break one of them; losing is any
of several, so each lost board must show one of them. Both are smallest hitting sets. What agrees with all
boards just as well is listed, not chosen between in silence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Literal

from ggp.learn.boards import Board, Episode
from ggp.learn.fit.hitting import hitting_sets
from ggp.learn.goal.claims import Claim, Facts, Taste, claims_about, facts_of, taste_of
from ggp.learn.seen.structure import Structure

Flag = Literal["won", "lost"]

MOST_BOARDS = 4_000  # of different kinds, that claims are held against
MOST_LISTED = 12  # goals that fit as well, listed for people
MOST_SETS = 60  # hitting sets that are looked at
MOST_CLAIMS = 4  # of one goal


@dataclass(frozen=True)
class LearnedGoal:
    """What wins (all `claims` hold) or loses (any holds); `others` agree with all that was seen, too.

    That a larger claim agrees with all by itself is among these, too: no crate is left, or each is at home.
    `more` lists what was true of all won boards besides: whether it is asked for, nothing seen tells.
    `rivals` are those of the others that are not the same on all boards that hold so many of everything;
    `unlike` are these as claims.
    `tied`: won boards, as far as goals tell them apart, that what loses is true of.
    """

    claims: tuple[Claim, ...]
    others: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    wins: int = 0
    open_boards: int = 0
    rivals: tuple[str, ...] = ()
    tied: int = 0
    unlike: tuple[tuple[Claim, ...], ...] = ()


@dataclass(frozen=True)
class Flags:
    """The boards of which it is known whether they are won (or lost), and one that was said to be both."""

    known: Mapping[Board, bool]
    torn: Board | None = None


# --- what the flags say -----------------------------------------------------------------------------------


def labelled(episodes: Iterable[Episode], flag: Flag, *, ends: bool = False) -> Flags:
    """Every board of which it is known whether it is won (or lost); with `ends` the runs' last ones alone."""
    found: dict[Board, bool] = {}
    torn = None
    for episode in episodes:
        told = list(said(episode, flag))
        for board, value in told[-1:] if ends else told:
            if value is not None and found.setdefault(board, value) != value:
                torn = torn or board
    return Flags(found, torn)


def said(episode: Episode, flag: Flag) -> Iterator[tuple[Board, bool | None]]:
    """Each board of a run and what was said of it; a refused input says nothing new."""
    yield episode.start, getattr(episode, flag)
    for step in episode.steps:
        if not step.refused:
            yield step.after, getattr(step, flag)


def judged(episodes: Sequence[Episode]) -> tuple[Literal["horizon", "any-turn"], str]:
    """When the goal must hold, and why that is believed.

    A run that may be won at any turn ends there; so where one went on, it is judged at its end. That it began
    on a board that is won says nothing: boards are made, and engines ask who has won after a turn.
    """
    won = [list(said(episode, "won")) for episode in episodes]
    early = sum(any(value for _, value in run[1:-1]) for run in won)
    if early:
        return "horizon", f"{early} runs went on after a board that is won, so it must hold at the end"
    late = [run for run in won if len(run) > 1 and run[-1][1] is not None]
    if late and all(value is None for run in late for _, value in run[:-1]):
        return "horizon", "only the ends of runs were judged, so it must hold at the end"
    ended = sum(bool(run[-1][1]) for run in won)
    return "any-turn", f"{ended} runs ended with the first board that is won, so any turn may win"


# --- the smallest goal --------------------------------------------------------------------------------------


def learn_goals(
    episodes: Sequence[Episode], structure: Structure
) -> tuple[LearnedGoal | None, LearnedGoal | None]:
    """What wins, and what loses; None each as in `learn_goal`.

    Where what loses is true of won boards, too, winning goes first, and no lost board would be won.
    """
    won, lost = learn_goal(episodes, structure), learn_goal(episodes, structure, "lost")
    if lost is not None and lost.tied:
        won = learn_goal(episodes, structure, goes_first=True) or won
    return won, lost


def learn_goal(
    episodes: Sequence[Episode], structure: Structure, flag: Flag = "won", *, goes_first: bool = False
) -> LearnedGoal | None:
    """The smallest goal that is true of the flagged boards and of no others.

    None where no board is flagged, or nothing in the goal language agrees with all of them. Of a lost board
    it is not known whether it would be won: losing wins ties, unless this flag `goes_first`. Winning does
    where nothing loses that is false of all won boards: other systems ask first who has won.
    """
    known = flags_of(episodes, flag).known
    if not any(known.values()):
        return None
    other = labelled(episodes, "lost" if flag == "won" else "won").known
    open_ones = [board for board, told in known.items() if not told]
    yes = unlike(structure, (board for board, told in known.items() if told))
    no = unlike(structure, (board for board in open_ones if goes_first or not other.get(board)))
    won = [board for board in open_ones if other.get(board)] if flag == "lost" else []
    ties = unlike(structure, won)
    found = fitted(yes, [*no, *ties], structure, flag)
    if found is None and ties:
        found = fitted(yes, no, structure, flag)
        if found is not None:
            return replace(found, tied=sum(any(map(one.holds, found.claims)) for one in ties))
    return found


def fitted(yes: Sequence[Facts], no: Sequence[Facts], structure: Structure, flag: Flag) -> LearnedGoal | None:
    """The smallest goal that is true of some boards and of no others; None where there is none."""
    taste = taste_of(structure)
    candidates = sorted(dict.fromkeys(claims_about([*yes, *no], yes, structure)), key=taste.rank)
    fitting = all_of(candidates, yes, no, taste) if flag == "won" else any_of(candidates, yes, no, taste)
    if not fitting:
        return None
    taken = plainly(fitting[0], structure)
    about = {(name, "") for one in fitting for claim in one for name in claim.also}
    about |= {(claim.what, claim.ground) for one in fitting for claim in one}
    besides = [c for c in candidates if (c.what, c.ground) not in about and c.word in ("every", "count")]
    besides = [c for c in besides if taste.size(c) <= 2 and c.what not in taste.turned]
    telling = [c for c in besides if flag == "won" and tells(c, yes, no)]
    larger = [c for c in telling if not any(one.holds(c) for one in no)]
    others = {joined(one, flag): one for one in (*fitting[1:], *((c,) for c in larger))}
    rivals = {text: one for text, one in others.items() if plainly(one, structure) != taken}
    more = [c.text for c in telling if c not in larger]
    return LearnedGoal(
        fitting[0],
        tuple(others)[:MOST_LISTED],
        tuple(more[:MOST_LISTED]),
        len(yes),
        len(no),
        tuple(rivals)[:MOST_LISTED],
        unlike=tuple(rivals.values())[:MOST_LISTED],
    )


def plainly(claims: Sequence[Claim], structure: Structure) -> frozenset[Claim]:
    """Some claims as a set in which those are equal that say the same: none of several is none of each."""
    ones = {name for name in map(structure.name, structure.tokens) if structure.number(name) == (1, 1)}
    found = set[Claim]()
    for one in claims:
        if one.word == "count" and one.also and (one.compare, one.number) == ("=", 0):
            found |= {one._replace(what=name, also=()) for name in (one.what, *one.also)}
        else:
            found.add(either_way(one, ones))
    return frozenset(found)


def either_way(claim: Claim, ones: Set[str]) -> Claim:
    """The same for all claims that say the same of two things on each other.

    That some crate is on a target is that some target is on a crate; and that one thing stands on another is
    that all of it does where there is one of it on every board (`ones`).
    """
    if claim.word not in ("every", "some", "no") or claim.placing != "on" or claim.beside or claim.also:
        return claim
    pair = {claim.what, claim.ground}
    single = {claim.what} & ones if claim.word == "every" else pair & ones if claim.word == "some" else set()
    if not single and claim.word == "every":
        return claim
    what = min(pair & ones if single else pair)
    (ground,) = pair - {what}
    return claim._replace(word="every" if single else claim.word, what=what, ground=ground)


def tells(claim: Claim, yes: Sequence[Facts], no: Sequence[Facts]) -> bool:
    """Is a claim true of all wanted boards, and not of all others?"""
    return all(one.holds(claim) for one in yes) and not all(one.holds(claim) for one in no)


def flags_of(episodes: Sequence[Episode], flag: Flag) -> Flags:
    """What is known of boards: of all, or where that contradicts itself of the ends of runs."""
    whole = labelled(episodes, flag)
    return whole if whole.torn is None else labelled(episodes, flag, ends=True)


def joined(claims: Sequence[Claim], flag: str) -> str:
    """Some claims as one text."""
    return (" and " if flag == "won" else " or ").join(claim.text for claim in claims)


def unlike(structure: Structure, boards: Iterable[Board]) -> list[Facts]:
    """The facts of these boards, once where claims cannot tell boards apart."""
    found: dict[object, Facts] = {}
    for board in boards:
        facts = facts_of(board, structure)
        found.setdefault(facts.key(), facts)
        if len(found) >= MOST_BOARDS:
            break
    return list(found.values())


def all_of(
    candidates: Sequence[Claim], yes: Sequence[Facts], no: Sequence[Facts], taste: Taste
) -> list[tuple[Claim, ...]]:
    """Sets of claims that all hold on the wanted boards, and of which every other board breaks one."""
    true = [claim for claim in candidates if all(one.holds(claim) for one in yes)]
    if not no:
        return [(claim,) for claim in true[: MOST_LISTED + 1]]
    return smallest(true, no, lambda claim, one: not one.holds(claim), taste)


def any_of(
    candidates: Sequence[Claim], yes: Sequence[Facts], no: Sequence[Facts], taste: Taste
) -> list[tuple[Claim, ...]]:
    """Sets of claims that no other board makes true, and of which every wanted board has one."""
    false = [claim for claim in candidates if not any(one.holds(claim) for one in no)]
    return smallest(false, yes, lambda claim, one: one.holds(claim), taste)


def smallest(
    claims: Sequence[Claim], rows: Sequence[Facts], hits: Callable[[Claim, Facts], bool], taste: Taste
) -> list[tuple[Claim, ...]]:
    """The smallest sets of claims that hit every row, the likeliest first; none where a row cannot be hit."""
    alike: dict[frozenset[int], list[Claim]] = {}
    for claim in claims:
        hit = frozenset(number for number, row in enumerate(rows) if hits(claim, row))
        if hit:
            alike.setdefault(hit, []).append(claim)
    groups = list(alike.items())
    sets = [tuple(n for n, (hit, _) in enumerate(groups) if row in hit) for row in range(len(rows))]
    if not all(sets):
        return []
    sizes = [taste.size(members[0]) for _, members in groups]
    found: list[tuple[Claim, ...]] = []
    for chosen in hitting_sets(needed(sets), sizes, MOST_SETS, MOST_CLAIMS):
        found += spelt_out([groups[n][1] for n in chosen], taste)
    return sorted(found, key=lambda one: (len(one), [taste.rank(claim)[1:] for claim in one]))


def needed(sets: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The sets that no smaller one is a part of: whoever hits that one hits them."""
    kept: list[frozenset[int]] = []
    for one in sorted(dict.fromkeys(sets), key=lambda one: (len(one), one)):
        members = frozenset(one)
        if not any(other <= members for other in kept):
            kept.append(members)
    return [tuple(sorted(one)) for one in kept]


def spelt_out(groups: Sequence[Sequence[Claim]], taste: Taste) -> Iterator[tuple[Claim, ...]]:
    """Sets with one claim of each group: the first of each, then with one exchanged for another as small."""
    first = [group[0] for group in groups]
    yield tuple(first)
    for at, group in enumerate(groups):
        for other in group[1:]:
            if taste.size(other) == taste.size(group[0]):
                yield (*first[:at], other, *first[at + 1 :])
