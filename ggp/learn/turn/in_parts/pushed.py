"""What is pushed goes, and pushes others: a push is a mark that spreads, and who has it goes where it can.

A row of crates of any length, two that the input sends at once, a heap that sticks together: no window shows
how far it reaches. The mark is put on who goes by the input, spreads until it does not any more, and then
goes with what has it, again and again, until nothing changes. Learned from turns in which nothing happens
but steps (`evidence.along`, `evidence.pushes`); what comes of them in other turns is learned from what these
leave.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from ggp.errors import NotLearned
from ggp.learn.boards import Token, Turn, pointed
from ggp.learn.fit.lists import RULE, Decision, Decisions
from ggp.learn.fit.program import Part, Passes, Program, in_a_row
from ggp.learn.fit.questions import Test
from ggp.learn.fit.sorts import size_by_sorts
from ggp.learn.fit.toil import account
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.unused import unused
from ggp.learn.seen.views import Change, Seen, View
from ggp.learn.turn.crowd.pruned import PLAIN
from ggp.learn.turn.evidence.along import AHEAD, FRAME, Steps, movers_of, steps_of
from ggp.learn.turn.evidence.between import left_by
from ggp.learn.turn.evidence.pushes import HERE, Push, Turns, pushes
from ggp.learn.turn.in_parts.byitself import one_pass_or_in_order
from ggp.learn.turn.in_parts.composed import learn_composed
from ggp.learn.turn.in_parts.settled import settling
from ggp.learn.turn.one_pass.elsewhere import learned_from
from ggp.learn.turn.one_pass.events import LIMITS
from ggp.model import DIRECTIONS

MARK = "push"
KNOWN = 0.3  # of the turns, that must be steps alone
WORK = 4e6  # on what comes of pushes, in each of some ways
NEARLY = 0.05  # of the turns of steps, in which something else may have looked like one


def learn_pushed(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """What is pushed, and pushes others; raises NotLearned where no turn shows it, or that is not all."""
    return with_pushes(turns, structure, limits, reaching=True)


def learn_pushed_first(
    turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS
) -> Passes:
    """A step or a push, and what comes of it; raises NotLearned where nothing does, or that is not all."""
    return with_pushes(turns, structure, limits, reaching=False)


def with_pushes(
    turns: Sequence[Turn], structure: Structure, limits: Sequence[float], *, reaching: bool
) -> Passes:
    """What is pushed, and what comes of it; raises NotLearned. `reaching`: pushes that no window shows."""
    for deed in deeds(turns, structure, reaching) if not pointed(turns) and not structure.joined else ():
        found = with_what_comes(deed, turns, structure, limits)
        # A push that a window shows, and no more, is left to one pass.
        if found is not None and size_by_sorts(found) <= limits[-1] and (reaching or found is not deed):
            return found
    raise NotLearned("nothing that is pushed and pushes others explains a turn", "more roll-outs may help")


def deeds(turns: Sequence[Turn], structure: Structure, reaching: bool) -> Iterator[Passes]:
    """What may be pushed by turns of steps alone, with all that may be in the way, or what was seen to be.

    What may have been seen apart by chance alone is in the way, too, where that says more of these turns.
    """
    known: list[tuple[int, int, list[Steps], list[Push], Mapping[str, frozenset[str]]]] = []
    for perhaps in (False, True):
        bars = structure.exclusions(perhaps=perhaps)
        steps = list(steps_of(turns, structure, bars))
        if len(steps) < KNOWN * len(turns) or speaking(steps) != reaching:
            return
        rules, wrong = pushes(steps, structure)
        known.append((wrong, len(known), steps, rules, bars))
        if not wrong:
            break
    wrong, _, steps, rules, bars = min(known, key=lambda one: one[:2])
    if rules and wrong <= NEARLY * len(steps):
        movers = movers_of(steps)
        yield passes_of(rules, movers, bars, structure)
        seen = stopped(steps, rules, structure, bars)
        if any(bars[name] - seen[name] for name in movers):
            yield passes_of(rules, movers, seen, structure)


def speaking(steps: Sequence[Steps]) -> bool:
    """Does a turn speak for pushes that spread: did three go, or two that are not beside each other?"""
    for one in steps:
        gone = [n for n, went in enumerate(one.went) if went]
        if len(gone) > 2 or (len(gone) == 2 and gone[1] not in one.beside[gone[0]].values()):
            return True
    return False


def stopped(
    steps: Sequence[Steps], rules: Sequence[Push], structure: Structure, bars: Mapping[str, frozenset[str]]
) -> dict[str, frozenset[str]]:
    """What was seen to stop each thing that is pushed: what else is never seen with it may come of its step.

    A crate on ice melts it, a coin is gone where the player comes to it: they met, and it did not stop there.
    """
    asked, found = Turns(steps, structure), defaultdict[str, set[str]](set)
    for index, one in enumerate(steps):
        for n in asked.pushed(index, rules):
            if not one.went[n]:
                there = one.things_at(n, AHEAD, structure) or frozenset()
                barring = bars[one.names[n]] & set(map(structure.name, there))
                found[one.names[n]] |= barring if len(barring) == 1 else set()
    return {name: frozenset(found[name]) for name in bars}


def with_what_comes(
    deed: Passes, turns: Sequence[Turn], structure: Structure, limits: Sequence[float]
) -> Passes | None:
    """The pushes, and what they leave of all turns; None where no rules say that."""
    left = left_by(deed, turns)
    if left is None:
        return None
    if all(turn.before == turn.after for turn in left):
        return deed
    small = limits[:1]
    some = (at_rest, partial(one_pass_or_in_order, limits=small), partial(learn_composed, limits=small))
    best: Passes | None = None
    for learn in some:
        rest = with_little(learn, left, structure)
        passes = in_a_row(structure, (deed, rest)) if rest is not None else None
        if passes is not None and not any(map(passes.wrong, turns)):
            best = min(filter(None, (best, passes)), key=lambda one: one.cost)
        if best is not None and best.cost - deed.cost <= PLAIN:
            break
    return best


def with_little(
    learn: Callable[[Sequence[Turn], Structure], Program | Passes | None],
    left: Sequence[Turn],
    structure: Structure,
) -> Program | Passes | None:
    """What a little work finds; None where that is nothing."""
    try:
        with account(WORK):
            return learn(left, structure)
    except NotLearned:
        return None


def at_rest(left: Sequence[Turn], structure: Structure) -> Passes | None:
    """Rules that go on until they find nothing, and what these leave; None where none does."""
    rules = settling(left, [[turn.before] for turn in left], structure, 1)
    more = left_by(rules, left) if rules is not None else None
    if rules is None or more is None or all(turn.before == turn.after for turn in more):
        return rules
    last = learned_from(more, structure, LIMITS[:1])
    return in_a_row(structure, (rules, last)) if last is not None else None


# --- as passes ----------------------------------------------------------------------------------------------


def passes_of(
    rules: Sequence[Push], movers: Sequence[str], bars: Mapping[str, frozenset[str]], structure: Structure
) -> Passes:
    """The mark on who goes by the input, where it spreads, and the way of who has it."""
    mark = unused(structure, MARK)
    known = replace(structure, tokens=(*structure.tokens, mark))
    view = View(FRAME, known)
    words = None if set(structure.verbs) <= structure.toward.keys() else frozenset(DIRECTIONS)
    part = partial(Part, view=view, words=words)
    first = [rule for rule in rules if not rule.sides]
    spread = [rule for rule in rules if rule.sides]
    cost = RULE / len(movers)
    going = (part(name, decisions=goes(name, mark, bars[name], cost)) for name in movers)
    programs = (
        Program(known, tuple(part(name, decisions=one) for name, one in marking(first, mark))),
        Program(known, tuple(part(name, decisions=one) for name, one in marking(spread, mark)), loop=True),
        Program(known, tuple(going), loop=True),
    )
    return Passes(structure, tuple(one for one in programs if one.parts), frozenset({mark}))


def marking(rules: Sequence[Push], mark: Token) -> Iterator[tuple[str, Decisions]]:
    """For each name what puts the mark on it."""
    outcome = (Change("+", HERE, Seen(mark)),)
    none = Test(HERE, frozenset({Seen(mark)}), wanted=False)
    lists: dict[str, list[Decision]] = defaultdict(list)
    costs: dict[str, float] = defaultdict(float)
    for rule in rules:
        costs[rule.name] += rule.cost
        for side in rule.sides or (HERE,):
            by = (Test(side, frozenset({Seen(one)})) for one in (rule.by, mark) if rule.sides)
            lists[rule.name].append(Decision((none, *by, *rule.tests), outcome))
    for name, decisions in lists.items():
        yield name, decisions_of(decisions, costs[name])


def goes(name: str, mark: Token, bars: frozenset[str], cost: float) -> Decisions:
    """Who has the mark goes, and the mark is gone."""
    barred = frozenset(map(Seen, bars | {name}))
    tests = Test(HERE, frozenset({Seen(mark)})), Test(AHEAD, barred, edge=True, wanted=False)
    here = (Change("-", HERE, Seen(one)) for one in (name, mark))
    outcome = (*here, Change("+", AHEAD, Seen(name)))
    return decisions_of([Decision(tests, tuple(sorted(outcome)))], cost)


def decisions_of(decisions: Sequence[Decision], cost: float) -> Decisions:
    """A list with the cells that it looks at."""
    tested = (test.offset for one in decisions for test in one.tests)
    changed = (change.offset for one in decisions for change in one.outcome)
    return Decisions(tuple(dict.fromkeys((HERE, *tested, *changed))), tuple(decisions), cost)
