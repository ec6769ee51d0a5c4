"""A deed, and rules that go on until they find nothing more: no turn ends on a board to which they apply.

What the rules may be is told by the ends of all turns (`evidence.resting`), and which of them there are by
what becomes of the boards to which deeds lead that are often seen. Where two places at which a rule applies
share a cell it matters which comes first: of four in a row the first three vanish. So a rule is tried at all
places at once, or at the first of each line, the columns before the rows or the other way round. And it is
tried together with other rules, and by itself before or after them: acid between water and metal dissolves
the metal if both are one loop, and is gone with the water before if that rule goes to its end first.
What gets lost may have come to what it is never seen with (`evidence.unmet`): then these may meet on the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Turn, known_once, pointed
from ggp.learn.fit.lists import RULE, Decision, Decisions
from ggp.learn.fit.program import Part, Passes, Program, in_a_row, pointing
from ggp.learn.fit.questions import Test, costs_of
from ggp.learn.fit.sorts import size_by_sorts
from ggp.learn.fit.toil import account
from ggp.learn.seen.frames import Frame, Offset
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import Change, View
from ggp.learn.turn.evidence.actors import actor_of
from ggp.learn.turn.evidence.between import saying
from ggp.learn.turn.evidence.halfway import Deed, Halfway, done
from ggp.learn.turn.evidence.resting import AXES, Rewrite, Site, applying, barring, rewrites
from ggp.learn.turn.evidence.steady import net_of
from ggp.learn.turn.evidence.unmet import meeting, taken, unmet
from ggp.learn.turn.in_parts.trodden import keeps_numbers
from ggp.learn.turn.one_pass.elsewhere import learned_from
from ggp.learn.turn.one_pass.events import LIMITS
from ggp.model import OFFSETS

FEWEST = 2  # turns that a rule must explain, where it is not plain what was done before
MOST = 6  # rules
LITTLE = 2e6  # work on what is done
LIKELY = 4  # rules of which all orders are tried
# Orders of ways in which a rule is tried, where places share cells: columns or rows first, from either end.
# The first one is PuzzleScript's.
ORDERS = tuple(
    (*one, *other)
    for first, second in (AXES, AXES[::-1])
    for one in (first, first[::-1])
    for other in (second, second[::-1])
)
ENOUGH = 0.85  # of the turns, that what is often done and the rules say, to go on with both

Choices = Sequence[Sequence[Board]]
"""The boards to which what was done in each turn may have led."""
Stages = tuple[Program | Passes, ...]
"""Rules one after another, each to its end before the next begins."""


def learn_settled(turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS) -> Passes:
    """A deed and what goes on until nothing changes; raises NotLearned where these do not say all."""
    actor = None if pointed(turns) else actor_of(turns, structure)
    if actor is not None:
        met = meeting(structure, unmet(turns, structure))
        for some in dict.fromkeys((met, structure)):
            for rules in rules_that_may_be(turns, some, actor):
                passes = before_rules(Halfway(turns, some, actor, rules), limits)
                if passes is not None:
                    return passes
    raise NotLearned("no deed and rules that come to rest explain a turn", "record the boards inside a turn")


def rules_that_may_be(turns: Sequence[Turn], structure: Structure, actor: str) -> Iterator[Passes]:
    """Rules that explain many turns, each once: after deeds that leave as many of everything, and after all.

    What spikes take may come and go so often that a push onto spikes, and what is gone then, is a deed.
    """
    doing = Halfway(turns, structure, actor, Program(structure, ()))
    steady = [deed for deed in doing.often if keeps_numbers(deed.outcome)]
    tried: list[Passes] = []
    for deeds in (steady, doing.often):
        choices = [list(middles(turn, doing, deeds)) for turn in turns]
        for fewest in (FEWEST, 1):
            rules = settling(turns, choices, structure, fewest)
            if rules is not None and rules not in tried:
                tried.append(rules)
                yield rules


def before_rules(halfway: Halfway, limits: Sequence[float]) -> Passes | None:
    """What is done before rules that are known, and these; None where they do not say all."""
    known = (steps for deeds in (halfway.deeds_often, halfway.deeds_needed) for steps in deeds())
    found = (done_and_settled(steps, halfway, limits) for steps in known)
    return next((passes for passes in found if passes is not None), None)


def middles(turn: Turn, doing: Halfway, deeds: Sequence[Deed]) -> Iterator[Board]:
    """The boards to which deeds lead, each once, if nothing there bars the way of anything."""
    at = doing.place(turn)
    way = pointing(doing.structure, turn.word)
    known = set[Board]()
    for deed in deeds if at is not None else ():
        if at is not None and deed.directed == (way is not None):
            board = done(turn.before, doing.views[deed.directed], deed.outcome, at[0], way, at[1])
            if board not in known and board is not None and doing.conceivable(turn.before, board):
                known.add(board)
                yield board


def done_and_settled(steps: Sequence[Turn], halfway: Halfway, limits: Sequence[float]) -> Passes | None:
    """What is done in some turns, and what goes on then; None where they do not say all.

    What is hardly ever done may be two things at once: one crate is pushed, and another one pulled. Or it
    reaches far, and no rules follow: two crates are pushed.
    """
    known: Sequence[Turn] | None = steps
    for more in (at_once_done, done_alone, None):
        deed = deed_of(known, halfway, limits)
        passes = with_rules(deed, halfway) if deed is not None else None
        if deed is None or passes is not None or more is None:
            break
        known = known_once([*(known or ()), *more(deed, halfway)])
    return passes if passes is not None and size_by_sorts(passes) <= limits[-1] else None


def deed_of(steps: Sequence[Turn] | None, halfway: Halfway, limits: Sequence[float]) -> Program | None:
    """What is done in some turns, as one pass that a little work finds; None where there is none."""
    try:
        with account(LITTLE):
            return learned_from(steps, halfway.structure, limits[:1])
    except NotLearned:
        return None


def at_once_done(deed: Program, halfway: Halfway) -> Iterator[Turn]:
    """The first parts of turns that two of the things that are often done explain at once, in one way."""
    passes = in_a_row(deed.structure, (deed, halfway.physics))
    pairs = combinations([one for one in halfway.often if one.outcome], 2)
    both = {
        Deed(a.directed, tuple(sorted({*a.outcome, *b.outcome})))
        for a, b in pairs
        if a.directed == b.directed
    }
    for turn in filter(passes.wrong, halfway.turns):
        at = halfway.place(turn)
        found = set(halfway.middles(turn, *at, sorted(both))) if at is not None else ()
        if len(found) == 1:
            yield turn._replace(after=found.pop())


def done_alone(deed: Program, halfway: Halfway) -> Iterator[Turn]:
    """The turns that are not said, in which there are as many of everything as before: it was all done."""
    passes = in_a_row(deed.structure, (deed, halfway.physics))
    return (turn for turn in filter(passes.wrong, halfway.turns) if not net_of(turn, halfway.structure))


def with_rules(deed: Program, halfway: Halfway) -> Passes | None:
    """A deed and these rules, or those that show once it is known what was done; None if they say less."""
    turns, rules = halfway.turns, halfway.physics
    passes = in_a_row(deed.structure, (deed, rules))
    if not any(map(passes.wrong, turns)):
        return passes
    after = [deed.after(turn.before, turn.word) for turn in turns]
    if saying(turns, deed, rules) < ENOUGH or any(board is None for board in after):
        return None
    better = settling(turns, [[board] for board in after if board is not None], halfway.structure, 1)
    passes = in_a_row(deed.structure, (deed, better)) if better is not None else passes
    return None if any(map(passes.wrong, turns)) else passes


# --- the rules --------------------------------------------------------------------------------------------


def settling(turns: Sequence[Turn], choices: Choices, structure: Structure, fewest: int) -> Passes | None:
    """The rules that make the ends of most turns of what may have been done; None where none does.

    Again and again the rule is taken that explains most turns that were not explained. What only comes of
    other rules is seen by itself once these are known: where water runs to, a seed beside it opens.
    """
    ends = list(dict.fromkeys(turn.after for turn in turns))
    left = {n: some for n, some in enumerate(choices) if some and turns[n].after not in some}
    offered = rewrites(
        ((board, turns[n].after) for n, some in left.items() for board in some), ends, structure
    )
    offered += taken(turns, structure)

    def said(stages: Stages) -> int:
        passes = in_a_row(structure, stages)
        return sum(
            any(passes.after(board, None) == turns[n].after for board in some) for n, some in left.items()
        )

    best: Stages = ()
    chosen: list[Rewrite] = []
    known = 0
    while len(chosen) < MOST and known < len(left):
        rest = [one for one in offered if one not in chosen]
        plain = [(max(map(said, plainly(chosen, one, best, structure))), one) for one in rest]
        most = max((number for number, _ in plain), default=0)
        # Of rules that explain as many turns the one that applies to fewer ends of turns asks for enough.
        plain.sort(key=lambda pair: (-pair[0], applying(pair[1], ends, structure) if pair[0] == most else 0))
        tried = [
            (said(stages), stages, one)
            for _, one in plain[:LIKELY]
            for stages in in_stages(chosen, one, best, structure)
        ]
        most, stages, one = max(tried, key=lambda item: item[0], default=(0, (), None))
        if one is None or most < known + fewest:
            more = [new for new in coming_of(best, left, turns, ends) if new not in offered]
            if not more:
                break
            offered += more
            continue
        best, known = stages, most
        chosen.append(one)
    return in_a_row(structure, best) if best else None


def coming_of(
    stages: Stages, left: Mapping[int, Sequence[Board]], turns: Sequence[Turn], ends: Sequence[Board]
) -> list[Rewrite]:
    """What may become of the boards to which known rules lead, where these do not explain a turn."""
    if not stages:
        return []
    passes = in_a_row(stages[0].structure, stages)
    led = {n: [passes.after(board, None) for board in some] for n, some in left.items()}
    open_ones = {n: some for n, some in led.items() if turns[n].after not in some}
    pairs = ((board, turns[n].after) for n, some in open_ones.items() for board in some if board is not None)
    return rewrites(dict.fromkeys(pairs), ends, passes.structure)


def plainly(rules: Sequence[Rewrite], one: Rewrite, known: Stages, structure: Structure) -> Iterator[Stages]:
    """One rule more in two ways, to see whether it helps: with all others at once, and after them."""
    yield (at_once([*rules, one], structure),)
    if known:
        yield (*known, at_once([one], structure))


def in_stages(
    rules: Sequence[Rewrite], one: Rewrite, known: Stages, structure: Structure
) -> Iterator[Stages]:
    """One rule more: all of them together, or that one to its end, before others, between them or after."""
    for whole in shapes([*rules, one], structure):
        yield (whole,)
    for alone in shapes([one], structure) if known else ():
        for place in range(len(known), -1, -1):
            yield (*known[:place], alone, *known[place:])


def shapes(rules: Sequence[Rewrite], structure: Structure) -> Iterator[Program | Passes]:
    """The rules at all places at once, or at one alone around each cell, or at the first of each line."""
    yield at_once(rules, structure)
    yield from from_the_middle(rules, structure)
    if any(rule.overlapping or len(rule.ways) > 1 for rule in rules):
        for order in ORDERS:
            passes = (
                Program(structure, tuple(part_of(one, way, structure, first=True) for one in some), loop=True)
                for way in order
                if (some := [one for one in rules if way in one.ways])
            )
            yield in_a_row(structure, passes)


def at_once(rules: Sequence[Rewrite], structure: Structure) -> Program:
    """All rules wherever they apply, until they do nowhere."""
    parts = (part_of(one, way, structure, first=False) for one in rules for way in one.ways)
    return Program(structure, tuple(parts), loop=True)


def from_the_middle(rules: Sequence[Rewrite], structure: Structure) -> Iterator[Program]:
    """The rules as the middle of each line sees them: along one line alone, in either order.

    Where a row and a column cross in the middle of both, one of them may be taken and the other one left.
    """
    if all(has_a_middle(one) and len(one.ways) > 1 for one in rules):
        for order in (1, -1):
            parts = (one_way_alone(rule, rule.ways[::order], structure) for rule in rules)
            yield Program(structure, tuple(parts), loop=True)


def has_a_middle(rule: Rewrite) -> bool:
    """Is there a cell in the middle of the rule, in which something stands, and the same on both sides?"""
    return rule.symmetrical and len(rule.sites) % 2 == 1 and bool(rule.sites[len(rule.sites) // 2].needs)


def one_way_alone(rule: Rewrite, ways: Sequence[str], structure: Structure) -> Part:
    """The rule around its middle along the first of some ways in which it applies."""
    middle = len(rule.sites) // 2
    parts = [part_of(rule, way, structure, first=False, middle=middle) for way in ways]
    lists = [part.decisions for part in parts]
    asked = dict.fromkeys(at for one in lists for at in one.asked)
    every = tuple(decision for one in lists for decision in one.decisions)
    return replace(parts[0], decisions=Decisions(tuple(asked), every, sum(one.cost for one in lists)))


def part_of(rule: Rewrite, way: str, structure: Structure, *, first: bool, middle: int = 0) -> Part:
    """The rule along one way, as its cell of that number sees it.

    `first`: not where it applies a cell before, along the same line.
    """
    view = View(Frame("none"), structure)
    (down, right), anchor = OFFSETS[way], min(rule.sites[middle].needs)
    tests: list[Test] = []
    outcome: list[Change] = []
    for n, site in enumerate(rule.sites, start=-middle):
        at = (n * right, n * down)
        tests += asked(site, at, view, anchor if n == 0 else "")
        outcome += [Change("-", at, view.seen(token, None)) for token in sorted(site.gone)]
        outcome += [Change("+", at, view.seen(token, None)) for token in sorted(site.come)]
    cost = RULE + sum(map(costs_of, tests))
    before = (-right, -down), rule.sites[0].needs if first and rule.overlapping else ()
    # No rule of a loop may say that nothing happens, so there is one for each thing that may be missing.
    missing = [
        [Test(before[0], frozenset({view.seen(one, None)}), wanted=False)] for one in sorted(before[1])
    ]
    decisions = [Decision((*tests, *more), tuple(sorted(outcome))) for more in missing or [[]]]
    offsets: tuple[Offset, ...] = tuple((n * right, n * down) for n in range(-1 - middle, len(rule.sites)))
    share = cost / len(rule.ways)  # it is one rule, whichever ways it looks
    return Part(structure.name(anchor), view, Decisions(offsets, tuple(decisions), share))


def asked(site: Site, at: Offset, view: View, anchor: str) -> Iterator[Test]:
    """What must stand in a cell, if that is not asked anyway, and what must not."""
    known = site.gone if anchor in view.structure.facing else site.gone | {anchor}
    for token in sorted(site.needs - known):
        yield Test(at, frozenset({view.seen(token, None)}))
    barred = barring(site, view.structure)
    if barred:
        yield Test(at, frozenset(view.seen(token, None) for token in barred), wanted=False)
