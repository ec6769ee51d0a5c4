"""Where a piece can still be if the goal is to be reached in time: all other squares are dead for it by then.

For goals that want every piece of some kinds on a certain ground; found from the goal backwards. Each piece
is taken by itself, as if whatever is undecided or moving stood the way it needs. That only adds ways to the
goal (relaxed reachability), so what is ruled out is surely lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ggp.analysis.local import LocalRules
from ggp.model import Instance
from ggp.referee.semantics import ending
from ggp.transition.program import Pass

Live = tuple[tuple[int, int], ...]  # (plane, cells from which it can still make it)
Place = tuple[int, int]  # (plane, cell)


def live_squares(
    instance: Instance, rules: LocalRules, horizon: int, tick: Callable[[], None] = lambda: None
) -> list[Live]:
    """For each turn, the planes that must get somewhere with the cells from which they can.

    `tick` is called now and then and may raise, which is how a time limit gets in.
    """
    wanted = wanted_ground(instance, rules)
    if not wanted or len(rules.program) != 1 or not isinstance(rules.program[0], Pass):
        return [()] * (horizon + 1)
    step = rules.program[0]
    if not only_own_rules(step, set(wanted)):
        return [()] * (horizon + 1)
    before = dict(wanted) if ending(instance) == "any-turn" else dict.fromkeys(wanted, 0)
    ways = ways_from(rules, step, wanted)
    earlier: dict[Place, set[Place]] = {}  # for each place those that it may follow
    for place, told in ways.items():
        for after in [after for outcome in told for after in outcome]:
            earlier.setdefault(after, set()).add(place)
    boards, open_ = dict(wanted), set(ways)
    result = [tuple(boards.items())]
    for turn in range(horizon):
        tick()
        now = dict(before) if turn == 0 else dict(boards)
        for place in open_:
            plane, cell = place
            able = before[plane] & cell or any([alive(boards, outcome) for outcome in ways[place]])
            now[plane] = now[plane] | cell if able else now[plane] & ~cell
        changed = [(p, c) for p in wanted for c in bits_of(now[p] ^ boards[p])]
        if not changed:  # and so for every turn before
            result += [result[-1]] * (horizon - turn)
            break
        open_ = set[Place]().union(*(earlier.get(place, ()) for place in changed))
        boards = now
        result.append(tuple(boards.items()))
    return result[::-1]


def alive(boards: dict[int, int], places: list[Place]) -> bool:
    """Can all these pieces still make it?"""
    return all([boards[plane] & cell for plane, cell in places])


def wanted_ground(instance: Instance, rules: LocalRules) -> dict[int, int]:
    """The planes of which every piece must stand on some ground that stays put, and that ground."""
    wanted: dict[int, int] = {}
    for term in instance.game.goal.terms:
        required: Any = getattr(term, "ground_required", lambda: None)()
        if required is None:
            continue
        what, ground = required
        grounds = rules.transition.planes_of(instance, ground)
        if any(plane not in rules.still or plane in rules.placed for plane in grounds):
            continue
        board = 0
        for plane in grounds:
            board |= rules.start[plane]
        for plane in rules.transition.planes_of(instance, what):
            wanted[plane] = wanted.get(plane, rules.bits.full) & board
    return wanted


def only_own_rules(step: Pass, planes: set[int]) -> bool:
    """Do only rules of which they are the subject take these pieces, or make them of others?"""
    for subject, rules in step.subjects:
        for rule in rules:
            for change in rule.changes:
                own = change.plane == subject and change.source == (0, 0)
                if change.plane is not None and {change.plane, change.result} & planes and not own:
                    return False
    return True


def ways_from(rules: LocalRules, step: Pass, wanted: dict[int, int]) -> dict[Place, list[list[Place]]]:
    """For each place that a wanted piece may get to: the sets of places it may be followed by."""
    ways: dict[Place, list[list[Place]]] = {}
    todo = starts(rules, step, wanted)
    while todo:
        place = todo.pop()
        if place not in ways:
            ways[place] = outcomes(rules, step, place, wanted)
            todo += [after for outcome in ways[place] for after in outcome]
    return ways


def starts(rules: LocalRules, step: Pass, wanted: dict[int, int]) -> list[Place]:
    """Where wanted pieces may stand at the start; everywhere, if rules for others may bring them forth."""
    others = [rule for subject, found in step.subjects if subject not in wanted for rule in found]
    anywhere = any(change.result in wanted for rule in others for change in rule.changes)
    start = {p: rules.start[p] | (rules.free if p in rules.placed else 0) for p in wanted}
    return [(p, cell) for p in wanted for cell in bits_of(rules.bits.full if anywhere else start[p])]


def bits_of(board: int) -> Iterator[int]:
    """Each cell of a board."""
    while board:
        yield board & -board
        board &= board - 1


def outcomes(rules: LocalRules, step: Pass, place: Place, wanted: dict[int, int]) -> list[list[Place]]:
    """What may become of one piece in a turn: for each rule that may fire, where wanted pieces are then."""
    plane, cell = place
    options = rules.options(step, plane, cell) if plane in dict(step.subjects) else ()
    found = [] if options and not options[-1].questions else [[place]]  # maybe no rule fires
    for option in options:
        after = [(m.result, m.target) for m in option.moves if m.result in wanted]
        gone = any(move.plane == plane and move.source == cell for move in option.moves)
        found.append([(p, c) for p, c in after if p is not None] + ([] if gone else [place]))
    return found
