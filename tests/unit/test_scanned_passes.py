"""Rules in scan order as passes: the same turns where there are any, and else refused by the rule."""

from __future__ import annotations

import importlib
import random
import re

import pytest

import ggp
from ggp.errors import PuzzleError, UnsupportedFeature
from ggp.model import Group, Instance
from ggp.model.board import Action
from ggp.referee.semantics import initial_state, step
from ggp.solvers.auto.choosing import leader
from ggp.tasks.taking import default_solver
from ggp.transition.scanned import KeepsOrder, in_passes
from ggp.transition.scanned.cells import Ground
from ggp.transition.scanned.rules import ready
from tests.passes_alike import walk
from tests.puzzlescript_games import PUSH, instance
from tests.slow import few_or_many

CHAIN = f"{PUSH}\n[ > Crate | Crate ] -> [ > Crate | > Crate ]"
TAKEN = {
    "push": PUSH,
    "chain": CHAIN,
    "aside": "[ > Player | Ball ] -> [ > Player | ^ Ball ]",
    "pull": "[ < Player | Thing ] -> [ < Player | < Thing ]",
    "slide": "[ > Player | ... | Crate ] -> [ > Player | ... | > Crate ]",
    "somewhere": f"{PUSH}\nlate [ Crate Target ] [ Ball ] -> [ Crate Target ] [ Mark ]",
    "cancelled": f"{PUSH}\n[ > Crate | Crate ] -> cancel",
    "restarted": f"{PUSH}\nlate [ Player Target ] -> restart",
    "kept": f"{PUSH} checkpoint\nlate [ Crate | Crate ] -> checkpoint again",
    "kept and restarted": f"{PUSH} checkpoint\nlate [ Player Target ] -> restart",
    "marked": f"{PUSH}\nlate [ Player | no Solid ] -> [ Player | Mark ]",
    "drawn together": "[ > Player ] -> [ > Player ]\n[ up Player ] [ Ball ] -> [ up Player ] [ right Ball ]\n"
    "[ up Player ] [ Crate ] -> [ up Player ] [ left Crate ]",
    "loop": f"startloop\n{PUSH}\n[ > Crate | Ball ] -> [ > Crate | > Ball ]\nendloop",
    "action": "[ action Player | Ball ] -> [ action Player | Crate ]",
    "turned into": "[ > Player | Ball ] -> [ | > Player Mark ]",
    "spread": f"{PUSH}\nright [ Mark | no Mark no Wall ] -> [ Mark | Mark ]",
    "one after another": f"{PUSH}\nlate right [ Crate | ] -> [ | Ball ]",
    "one after another, upwards": f"{PUSH}\nlate up [ Crate | Crate | no Solid ] -> [ | Ball | Mark ]",
    "one after another, with gaps": f"{PUSH}\n"
    "late right [ Crate | ... | Ball no Mark ] -> [ | ... | Crate Mark ]",
    "one after another, in a group": f"{PUSH}\nlate [ Mark | Mark ] -> [ Mark | ]\n"
    "+ late [ Ball | Mark ] -> [ Ball | ]",
    "several rows": "[ action Player ] [ Target ] [ Wall ] -> "
    "[ action Player ] [ Target Mark ] [ Wall Mark ]",
    "several rows that are exchanged": "[ > Player ] [ Target no Mark ] -> [ ] [ Target Player Mark ]\n"
    "[ action Player Mark ] [ Target no Player ] -> [ Player ] [ Mark ]",
    "several rows, the first of some": "[ action Player ] [ Crate ] -> [ Player ] [ Ball ]",
    "several rows, the first of some, upwards": f"{PUSH}\n"
    "up [ action Player ] [ Crate | no Mark ] -> [ Player ] [ Ball | Mark ]",
    "several rows, each with the first": f"{PUSH}\nlate [ Mark | no Thing ] [ Ball ] -> [ Mark | Mark ] [ ]",
    "several rows, each with the first to the side": f"{PUSH}\n"
    "late left [ | Crate ] [ Ball ] -> [ | Crate Mark ] [ ]",
    "several rows, one of each": "[ > Player | Crate ] [ Player no Mark ] -> "
    "[ > Player | > Crate ] [ Player Mark ]",
    "again, drifting": f"{PUSH}\nright [ Ball | no Solid no Player ] -> [ > Ball | ] again",
    "again, a spark that goes out": f"{PUSH}\n[ Mark Ball ] -> [ ] again\nlate [ Mark | no Mark Ball ] -> "
    "[ | Mark Ball ] again",
    "again, until it is won": "right [ Crate | no Solid no Player ] -> [ > Crate | ] again",
    "again, only after a change": "[ > Player | Wall ] -> [ > Player | Wall ] again\n"
    "[ stationary Player ] [ Ball | no Solid no Player ] -> [ stationary Player ] [ | Ball ]",
    "spread both ways": f"{PUSH}\nhorizontal [ Mark | no Mark no Wall ] -> [ Mark | Mark ]",
}
BOARDS = ("######/#p.*.#/#.o*b#/#.bm.#/######", "p*.*b/.b*o./m.*.b", "p.*.b*./o*.m..b")


@pytest.mark.parametrize("name", TAKEN)
@few_or_many("turns", 12, 400)
def test_passes_do_the_same(name: str, turns: int) -> None:
    """Board by board, with what is won and lost, on boards with and without walls."""
    for board in BOARDS:
        tried = walk(instance(TAKEN[name], board, wins="All Target on Crate"), turns, random.Random(name))
        assert tried == turns


def test_a_turn_in_which_the_player_must_move() -> None:
    """It is undone there, and lost in passes."""
    one = instance(PUSH, "#p*.*#/#..o.#", prelude="require_player_movement")
    assert walk(one, 60, random.Random(1)) == 60


def test_rules_that_run_at_the_start() -> None:
    """The level is taken as they leave it."""
    rules = f"{PUSH}\nlate [ Crate | Ball ] -> [ Crate | ]"
    assert walk(instance(rules, "p*b.o", prelude="run_rules_on_level_start"), 20, random.Random(1)) == 20


REFUSED = {
    "[ Crate ] [ Ball ] -> [ Mark ] [ ]": "several places",
    f"rigid {PUSH}": "rigid",
    f"{PUSH} checkpoint\n[ Ball ] -> [ Mark ] again\nlate [ Mark Target ] -> restart": "checkpoints",
    f"{PUSH}\n[ Ball ] -> [ Mark ] again\nlate [ Mark Target ] -> cancel": "undo a part of a turn",
    "[ > Player ] -> [ > Player random Thing ]": "chance",
    f"{PUSH}\nlate [ Player Target ] -> win": "both a rule and conditions",
}


@pytest.mark.parametrize("rules", REFUSED)
def test_a_rule_for_which_it_is_not_shown_is_named(rules: str) -> None:
    """With its line, by solvers and exporters alike."""
    one = instance(rules, "p**.b/..o.b")
    with pytest.raises(KeepsOrder, match=REFUSED[rules]) as refused:
        in_passes(one)
    assert refused.value.reason.place is not None
    with pytest.raises(UnsupportedFeature, match="cp-sat does not support rules in scan order"):
        ggp.solve(one, "cp-sat", horizon=3)
    with pytest.raises(UnsupportedFeature, match=f"pddl does not support .*{REFUSED[rules]}"):
        ggp.export(one, "pddl")


def test_a_level_that_is_won_at_the_start_is_won_by_a_turn() -> None:
    """By the first one, also by one that changes nothing, unless that undoes it."""
    for board in ("p.@", "#p@", "#p@.#"):
        one = instance(PUSH, board)
        for solver in ("search", "sat", "cp-sat"):
            assert ggp.solve(one, solver, horizon=3).objective == 1
    undone = instance(f"{PUSH}\nlate [ Crate Target ] -> [ Crate ]", "p.@.o")
    for solver in ("search", "sat"):
        assert ggp.solve(undone, solver, horizon=1).stop == "horizon-exhausted"


def test_who_is_given_passes_is_not_told_that_a_level_won_by_its_start_is_never_won() -> None:
    """One that a rule begins again is won by that, and one may be won before the first turn."""
    again = instance(f"{PUSH}\nlate [ Crate ] -> restart", "p.@")
    opening = "late [ Crate Mark ] -> [ Crate ]\nlate [ Ball ] -> [ Crate Mark ] again"
    opened = instance(opening, "pb", prelude="run_rules_on_level_start", wins="Some Crate")
    for one, turns in ((again, 1), (opened, 0)):
        assert ggp.solve(one, "search", horizon=3).objective == turns
        with pytest.raises(UnsupportedFeature, match="won at its start|won before the first turn"):
            ggp.solve(one, "sat", horizon=3)


def test_pushing_is_four_passes() -> None:
    """The input marks the player, the rule the crate, and both move: the crate first."""
    turn = in_passes(instance(PUSH, "#p*.o#")).game.turn
    assert [phase.name for phase in turn] == ["marked", "line-43", "move", "move"]
    assert all(isinstance(phase, Group) and phase.bound is None for phase in turn)
    (rule,) = [rule for phase in turn[1:2] if isinstance(phase, Group) for rule in phase.rules]
    assert rule.toward == "input"


def test_who_comes_first_where_two_want_one_cell() -> None:
    """From the left before from the right into a free cell; into one that is left, from below first."""
    both = """[ > Player ] [ Ball ] -> [ > Player ] [ right Ball ]
[ > Player ] [ Crate ] -> [ > Player ] [ left Crate ]"""
    one = instance(both, "pb.*/....")
    for game in (one, in_passes(one)):
        after = step(game, initial_state(game), Action("down"))
        assert {piece.kind for piece in after.board[2]} == {"background", "ball"}


@pytest.mark.parametrize("solver", ["cp-sat", "sat"])
def test_solvers_of_constraints_answer(solver: str) -> None:
    """As search does, and the plan is replayed by the rules as they are."""
    one = instance(CHAIN, "p.**.o")
    found, known = ggp.solve(one, solver, horizon=3), ggp.solve(one, horizon=3)
    assert (found.stop, found.objective) == ("optimal", known.objective)
    assert found.instance == known.instance and found.instance.game.scan is not None


def test_none_within_the_horizon() -> None:
    """One turn less than is needed is too few, for those who are given passes, too."""
    one = instance(PUSH, "p.*.o")
    assert ggp.solve(one, "sat", horizon=2).stop == "horizon-exhausted"
    assert ggp.solve(one, "sat", horizon=3).objective == 3


FLOOD = f"{PUSH}\nlate [ Mark | no Mark no Wall ] -> [ Mark | Mark ]\n+ late [ Mark Target ] -> [ Target ]"


def test_turns_without_a_known_bound_are_cut_and_said_to_be() -> None:
    """Where one may be cut, that there is no plan, or no better one, is not claimed. Formats refuse."""
    one = instance(FLOOD, "pm*.o")
    # A mark winds through more cells than the board is long: that turn is none, and the plan is missed.
    winding = instance(FLOOD, "p*..o/#####/m..../####./...../.####/.....")
    assert ggp.solve(winding, horizon=3).objective == 3
    for solver in ("sat", "cp-sat"):
        missed = ggp.solve(winding, solver, horizon=3)
        assert (missed.stop, missed.negative, missed.complete) == ("unsupported", False, False)
        assert "line 44" in missed.note
        assert ggp.solve(one, solver, horizon=3).stop == "optimal", "it comes to rest wherever it can be"
        assert ggp.solve(instance(FLOOD, "p#*.o"), solver, horizon=3).stop == "unsolvable"
    with pytest.raises(KeepsOrder, match="no bound is shown"):
        in_passes(one)
    with pytest.raises(UnsupportedFeature, match="pddl does not support .*no bound is shown"):
        ggp.export(one, "pddl")


def test_who_solves_by_default() -> None:
    """What takes the rules as they are, first alone, then beside others."""
    assert leader(instance()) == "search"
    assert leader(ggp.load("sokoban/first")) == "search"
    assert leader(ggp.load("slitherlink/small")) == "sat"
    assert leader(ggp.load("sudoku/paper-4x4")) == "cp-sat"
    assert default_solver(ggp.load("sokoban/first"), encoded=True) == "cp-sat"
    assert default_solver(ggp.load("sokoban/first")) == default_solver(instance()) == "auto"
    assert ggp.solve(instance()).solver == "search"


def test_plans_are_not_counted_in_passes() -> None:
    """Turns that change nothing are turns of the game, and none of passes."""
    with pytest.raises(PuzzleError, match="some turns are none"):
        ggp.solve(instance(), "sat", "count", horizon=3)


def taken(one: Instance) -> bool:
    """Are there passes?"""
    try:
        in_passes(one)
    except KeepsOrder:
        return False
    return True


def test_games_of_passes_are_as_they_are() -> None:
    """Nothing is made of them."""
    one = ggp.load("sokoban/first")
    assert in_passes(one) is one and taken(one)


def test_what_nothing_wins_is_never_won() -> None:
    """There are passes all the same: it can be played and exported."""
    one = instance(PUSH, "p*.", wins="")
    assert walk(one, 20, random.Random(2)) == 20
    assert ggp.solve(one, "sat", horizon=3).stop == "unsolvable"


def test_a_rule_that_wins() -> None:
    """Where there are no conditions."""
    one = instance(f"{PUSH}\nlate [ Crate Target ] -> win", "p.*.o", wins="")
    assert walk(one, 60, random.Random(2)) == 60
    assert ggp.solve(one, "sat", horizon=4).objective == 3


def test_on_two_things_together() -> None:
    """All of something on both is all of it on each."""
    one = instance(PUSH, "p*.x", legend="x = Target and Mark", wins="All Crate on x")
    assert walk(one, 40, random.Random(2)) == 40
    assert ggp.solve(one, "sat", horizon=3).objective == 2


@pytest.mark.parametrize("rule", ["[ Target Player ] -> [ Crate Mark ]", "late [] -> [ Mark ]"])
def test_what_comes_is_said_once_in_a_text_that_goes_back(rule: str) -> None:
    """What goes if it is there may be what comes; and a rule may ask for nothing at all."""
    one = instance(f"{PUSH}\n{rule}", "#p*.o#/##..##/#po..#")
    assert walk(one, 10, random.Random(rule)) == 10
    cells = re.findall(r"[\[|]([^]|]*)", ggp.export(one, "puzzlescript").split("RULES")[1])
    assert not [cell for cell in cells if re.search(r"(?<!no )\b(Crate|Mark)\b.*\bno \1\b", cell)]


def test_cells_are_compared_once_however_many_rules_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("ggp.transition.scanned.rounds")
    one = instance(PUSH, "#p*.o#")
    assert one.game.scan is not None
    ground = Ground(one.game)
    given = [rule for group in one.game.scan.early.groups for rule in group.rules]
    rules = [made for rule in given if (made := ready(rule, ground)) is not None]
    asked: list[object] = []
    compare = module.awakes
    monkeypatch.setattr(module, "awakes", lambda *three: asked.append(three) or compare(*three))
    once = module.Causes(rules, ground)
    few = len(asked)
    many = module.Causes(rules * 30, ground)
    assert few and len(asked) == 2 * few
    assert [bin(some).count("1") for some in many.after[: len(rules)]] == [
        30 * bin(some).count("1") for some in once.after
    ]


def test_what_nobody_solves_is_refused_by_who_lacks_least() -> None:
    """Chance is in the way of all; that rigid rules are in the way of passes helps nobody."""
    one = instance(f"rigid {PUSH}\nrandom [ Ball | no Thing ] -> [ | Ball ]")
    assert default_solver(one) == "search"
    with pytest.raises(UnsupportedFeature, match="search does not support chance in a turn"):
        ggp.solve(one)
