"""Games without what makes no difference: the same inputs win, and what does make one is kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from random import Random

import pytest

from ggp.analysis.alike import Partition, alike
from ggp.analysis.plainer import looked_at, plainer
from ggp.errors import DescriptionError, IllFormed
from ggp.importers import puzzlescript
from ggp.model import Instance, Plan
from ggp.model.scan import ScanRule
from ggp.referee.inputs import all_actions
from ggp.referee.trajectory import replay
from ggp.referee.turns import Packed, Turns
from ggp.search.choice import Asked, plans
from ggp.search.moving import Found
from ggp.transition.native import compiling
from tests.oracles.random_puzzlescript import made
from tests.puzzlescript_games import PUSH, instance, text
from tests.slow import one_in

THINGS = "[ > Player | Thing ] -> [ > Player | > Thing ]"
TURNED = "[ Ball | Player ] -> [ Crate | Player ]"
STEPS = "[ > Player | no Mark ] -> [ > Player Mark | no Mark ]"  # footprints, for show
compiled = pytest.mark.skipif(not compiling.usable(), reason="there is no compiler")


def nothing() -> None:
    """Nobody waits."""


def left(rules: str, **parts: str) -> tuple[set[str], int, bool]:
    """The kinds and the number of the rules that are left, one a direction, and whether it is exact."""
    found = plainer(instance(rules, **parts))
    assert found is not None
    scan = found.instance.game.scan
    assert scan is not None
    rules_left = [rule for stage in (scan.early, scan.late) for group in stage.groups for rule in group.rules]
    return {kind.name for kind in found.instance.game.kinds}, len(rules_left), found.exact


PIECES = {"player", "wall", "crate", "target"}
RIGID = {"player", "wall", "crate", "ball", "mark"}


@pytest.mark.parametrize(
    ("rules", "wins", "kinds", "count"),
    [
        (PUSH, "Some Target on Crate", {*PIECES}, 4),
        (f"{PUSH}\n{STEPS}", "Some Target on Crate", {*PIECES}, 4),
        (f"{PUSH}\n{STEPS}", "Some Target on Mark", {"player", "wall", "crate", "target", "mark"}, 8),
        # Which of both it is makes no difference, nor does a rule that turns one into the other.
        (f"{THINGS}\n{TURNED}", "Some Target on Thing", {*PIECES}, 4),
        (f"{THINGS}\n{TURNED}", "No Ball", {"player", "wall", "crate", "ball"}, 8),
        # What rigid rules mark and what bars its way undoes others, so it is not for show.
        (f"{PUSH}\nrigid [ > Player | no Wall ] -> [ > Player | > Mark ]", "No Ball", RIGID, 8),
        # A rule of which one may still come to ask.
        (f"{THINGS}\n[ Ball Target ] -> [ Target ]", "Some Target on Thing", {*PIECES, "ball"}, 5),
    ],
)
def test_what_makes_no_difference_goes(rules: str, wins: str, kinds: set[str], count: int) -> None:
    """Layers, rules that only change these, and all but one of kinds that are alike."""
    assert left(rules, wins=wins) == (kinds, count, True)


def made_or_none(turn: Callable[[], Packed]) -> Packed | None:
    """What a turn leads to; None where the rules go wrong."""
    try:
        return turn()
    except IllFormed:
        return None


def differing(one: Instance, rng: Random, turns: int) -> str | None:
    """Play both at random; where what is left of the one is not what stands in the other."""
    found, told = plainer(one), looked_at(one.game)
    if found is None or told is None:
        return None
    writer, games = told[0], (one.game, found.instance.game)
    whole, plain = Turns(one), Turns(found.instance)
    names = [[kind.name for kind in game.kinds] for game in games]

    def seen(planes: tuple[int, ...] | None) -> dict[str, int] | None:
        if planes is None:
            return None
        held = dict.fromkeys(names[1], 0)
        for kind, where in zip(names[0], planes, strict=True):
            if kind in writer.stands_for:
                held[writer.stands_for[kind]] |= where
        return held

    words = [action.verb for action in all_actions(one)]
    here, there = whole.start(), plain.start()
    for number in range(turns):
        word = rng.choice(words)
        both = [made_or_none(partial(game.turn, at, word)) for game, at in ((whole, here), (plain, there))]
        if both[0] is None or both[1] is None:
            return None if both == [None, None] else f"turn {number}: {word} is none of one"
        here, there = both
        kept = None if there.checkpoint is None else dict(zip(names[1], there.checkpoint, strict=True))
        told_here = (seen(here.planes), here.won, seen(here.checkpoint))
        if told_here != (dict(zip(names[1], there.planes, strict=True)), there.won, kept):
            return f"turn {number}: {word}"
    return None


@pytest.mark.parametrize("seed", one_in(10, range(0, 1000, 20), 1))
def test_the_same_inputs_do_the_same(seed: int) -> None:
    """In games that make no sense, twenty a test, where it is said to be exact."""
    rng, compared = Random(seed), 0
    for number in range(seed, seed + 20):
        text, _ = made(number)
        try:
            read, levels = puzzlescript.read(text.encode(), "random.txt")
        except DescriptionError:
            continue
        one = Instance(read, levels[0])
        found = plainer(one)
        if found is not None and found.exact:
            compared += 1
            assert differing(one, rng, 30) is None, number
    assert compared


def test_rules_are_looked_at_again_where_something_was_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain of rules in any order, each of which shows one other to make a difference."""
    marks = [f"m{number}" for number in range(60)]
    rules = [f"right [ {one} | no {other} ] -> [ {one} | {other} ]" for one, other in pairwise(marks)]
    Random(1).shuffle(rules)
    looks = list[ScanRule]()
    matters = Partition.matters

    def counted(told: Partition, rule: ScanRule) -> bool:
        looks.append(rule)
        return matters(told, rule)

    monkeypatch.setattr(Partition, "matters", counted)
    objects, layers = ("".join(f"{one}\n{red}" for one in marks) for red in ("Red\n\n", ""))
    source = text("\n".join(rules), "p.", wins=f"Some {marks[-1]}")
    source = source.replace("LEGEND", f"{objects}LEGEND").replace(
        "COLLISIONLAYERS\n", f"COLLISIONLAYERS\n{layers}"
    )
    game, _ = puzzlescript.read(source.encode(), "chain.txt")
    told = alike(game)
    assert told is not None and told.size == len(marks), "no layer but theirs makes a difference"
    assert len(looks) < 8 * len(rules)


DRIFTS = "[ Target ] -> [ right Target ]"


@pytest.mark.parametrize(
    ("prelude", "kinds"),
    [("", {"target", "mark"}), ("require_player_movement", {"target", "mark", "player", "wall"})],
)
def test_where_the_player_must_move_it_makes_a_difference(prelude: str, kinds: set[str]) -> None:
    assert left(DRIFTS, wins="Some Target on Mark", prelude=prelude) == (kinds, 1, True)


def test_loops_are_cut_off_by_what_is_for_show_too() -> None:
    assert left(f"startloop\n{PUSH}\n{STEPS}\nendloop") == ({*PIECES}, 4, False)


HIDDEN = """[ stationary Player ] [ Ball ] -> [ stationary Player ] [ ]
[ > Player | Wall ] -> [ Player Mark | Wall ] again"""


@compiled
@pytest.mark.parametrize("first", [True, False])
def test_what_lets_time_go_on_may_make_a_difference(first: bool) -> None:
    """A footprint is all that changes, so time goes on, and the ball goes: the plan is found all the same."""
    one = instance(HIDDEN, "p......#/......../b.......", wins="No Ball")
    found = plainer(one)
    assert found is not None and not found.exact
    assert differing(one, Random(2), 600) is not None
    end = ended(one, first, glance=0)
    assert end.plan is not None and replay(one, end.plan).won
    assert first or len(end.plan.actions) == 7


EATEN = "[ > Player | Ball ] -> [ > Player | ]"
SPOTS = """[ Player Target ] [ Wall no Mark ] -> [ Player Target ] [ Wall Mark ]
[ Mark ] [ Mark ] [ Mark ] [ Mark ] -> [ Mark ] [ Mark ] [ Mark ] [ ]"""


@compiled
@pytest.mark.parametrize("glance", [1500, 0])
def test_what_is_for_show_may_go_wrong(glance: int) -> None:
    """Four of 56 marks are more ways than a turn may have, so the way over the target leads nowhere."""
    row = "#" * 14
    board = f"{row}/{row}/po.b.........#/.............#/{row[2:]}../{row[2:]}.."
    one = instance(f"{EATEN}\n{SPOTS}", board, wins="No Ball")
    found = plainer(one)
    assert found is not None and not found.exact
    assert ended(one, False, glance).cost == 5


def ended(one: Instance, first: bool, glance: int) -> Found:
    """Where a search ends that takes a short look at so many states."""
    search = plans(Asked(one, None, nothing, nothing, first=first, glance=glance))
    while True:
        try:
            plan: Plan = next(search)
            assert replay(one, plan).won
        except StopIteration as stop:
            found: Found = stop.value[0]
            return found


@compiled
@pytest.mark.parametrize("glance", [1500, 0])
def test_footprints_cost_nothing(glance: int) -> None:
    """As many states are known as without them, and the plan is as short."""
    board = "########/#p....#/#.**..#/#....o#/########"
    plain, shown = (instance(rules, board) for rules in (PUSH, f"{PUSH}\n{STEPS}"))
    there, here = ended(plain, False, glance), ended(shown, False, glance)
    assert here.plan is not None and replay(shown, here.plan).won
    assert (here.cost, here.states) == (there.cost, there.states)
