"""The certificate tells right from wrong, on one mover and on several, and shows where they part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

import ggp.bench
from ggp.encoding.constraints import Encoding, Values
from ggp.encoding.fields import Field
from ggp.encoding.symbolic import Formulas
from ggp.errors import OwnFault, PuzzleError
from ggp.language import levels
from ggp.language.description import read_game
from ggp.model import Game, Piece
from ggp.model.result import Clock, OutOfTime
from ggp.proof.equivalence.attack import Duel, Moment, referee
from ggp.proof.equivalence.boards import Question, with_numbers_kept
from ggp.proof.equivalence.certificate import certify, no_more_than_levels
from ggp.proof.equivalence.contexts import Context
from ggp.proof.equivalence.invariants import Induction, contexts
from ggp.proof.equivalence.programs import blank
from ggp.tasks.oracle import model_of as find_model
from ggp.transition.compiler import compile_instance
from ggp.transition.kernel import Boards
from tests.slow import one_in, slow_unless

Cell = tuple[int, int]
At = Callable[[str, Cell], Field]


def without_rest(game: Game, *, single: bool) -> Game:
    """The walkers as the original learner knew them: no target, a world that wraps, one kind of obstacle."""
    (group,) = game.physics
    kinds = tuple(
        replace(kind, count=(1, 1) if single else (1, None)) if kind.name == "lemming" else kind
        for kind in game.kinds
        if kind.name != "target"
    )
    rules = tuple(rule for rule in group.rules if rule.name != "rest")
    symbols = tuple((c, ps) for c, ps in game.symbols if all(p.kind != "target" for p in ps))
    design = replace(game.design, free_of=("solid", "lemming")) if game.design else None
    physics = (replace(group, rules=rules),)
    return replace(game, kinds=kinds, physics=physics, symbols=symbols, design=design, wraps=True)


def cellwise(rule: Callable[[At, int], Field]) -> Callable[[Formulas, Boards], Boards]:
    """A turn said cell by cell: does a walker of this facing stand here next?"""

    def turn(algebra: Formulas, boards: Boards) -> Boards:
        planes = [str(piece) for piece in algebra.transition.planes]
        named = dict(zip(planes, boards, strict=True))
        named["obstacle"] = named["wall"] | named["brick"]

        def at(name: str, offset: Cell) -> Field:
            return algebra.shift(named[name], offset)

        after = {"lemming:left": rule(at, 1), "lemming:right": rule(at, -1)}
        return tuple(after.get(plane, named[plane]) for plane in planes)

    return turn


def own_and_other(side: int) -> tuple[str, str]:
    """The names of the walker that faces away from `side`, and of its opposite."""
    return ("lemming:left", "lemming:right") if side == 1 else ("lemming:right", "lemming:left")


def printed_tree(at: At, side: int) -> Field:
    """The tree that was printed with 17 nodes: right for one walker in the window."""
    own, other = own_and_other(side)
    here, below, beside = (0, 0), (1, 0), (0, side)
    turned = at(other, here) & at("obstacle", beside) & at("obstacle", below)
    walked = at(own, beside) & ~at("obstacle", here) & at("obstacle", (1, side))
    fallen = ~at(own, beside) & at(own, (-1, 0)) & ~at("obstacle", here)
    return (at(other, here) & turned) | (~at(other, here) & (walked | fallen))


def printed_clauses(at: At, side: int) -> Field:
    """The clauses printed for the left-hand side: they lack the floor under a walker."""
    own, other = own_and_other(side)
    here, below, beside = (0, 0), (1, 0), (0, side)
    fallen = ~at(other, here) & ~at(own, beside) & at(own, (-1, 0)) & ~at("obstacle", here)
    walked = ~at(other, here) & at(own, beside) & ~at("obstacle", here)
    turned = at(other, here) & at("obstacle", beside) & at("obstacle", below)
    return fallen | walked | turned


def differs(game: Game, rule: Callable[[At, int], Field]) -> Moment | None:
    """A board on which the cell-by-cell rule differs from the game, None if there is none."""
    question = Question(game, 5, 5, contexts(game, find_model)[0])
    return question.difference(cellwise(rule), find_model)


@pytest.fixture(scope="module")
def lemmings() -> Game:
    """The described game."""
    return levels.load_game("lemmings")[0]


def test_the_printed_clauses_are_rejected(lemmings: Game) -> None:
    assert differs(without_rest(lemmings, single=True), printed_clauses) is not None


def test_the_printed_tree_is_right_for_one_walker_and_wrong_for_several(lemmings: Game) -> None:
    assert differs(without_rest(lemmings, single=True), printed_tree) is None
    assert differs(without_rest(lemmings, single=False), printed_tree) is not None


@pytest.mark.parametrize("name", ["lemmings", "sokoban"])
def test_a_game_is_the_same_as_itself(name: str) -> None:
    game = levels.load_game(name)[0]
    certificate = certify(game, game, find_model)
    assert certificate.exact
    assert certificate.text == "exact"


def test_what_never_shares_a_cell_is_proved(lemmings: Game) -> None:
    planes = compile_instance(blank(lemmings, 3, 3)).planes
    apart = {frozenset((str(planes[a]), str(planes[b]))) for a, b in contexts(lemmings, find_model)[0].apart}
    assert frozenset({"lemming:left", "wall"}) in apart
    assert frozenset({"lemming:left", "lemming:right"}) not in apart
    assert frozenset({"lemming:left", "target"}) not in apart


FLIGHT = """
name = "flight"
title = "A flare that goes seven cells and takes what it hits"
[kinds]
gun = { layer = "solid", count = "1" }
crate = { layer = "solid" }
flare = { layer = "air", marker = true }
[symbols]
"." = ""
"G" = "gun"
"o" = "crate"
[[physics]]
name = "fire"
rules = "fire: gun here => add flare right"
PASSES
[goal]
win = ["count crate = 0"]
"""
FLY = """[[physics]]
name = "fly"
rules = '''
fly: flare here, inside right => flare here -> right
out: flare here => remove flare here
'''
"""
HIT = """[[physics]]
name = "hit"
rules = "hit: flare here, crate here => remove crate here"
"""
LOOP = """[[physics]]
name = "fly"
until = "stable"
bound = "width"
rules = "fly: flare here, no crate here => flare here -> right"
"""


def flight(passes: str) -> Game:
    """A game in which a flare flies, and then hits or not."""
    return read_game(FLIGHT.replace("PASSES", passes).encode(), "flight.toml")[0]


@pytest.mark.parametrize("passes", one_in(2, range(8)))
def test_what_goes_far_in_many_passes_is_seen(passes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Boards that are tried at random are too small for it; a turn reaches as far as its passes together."""
    monkeypatch.setattr(Duel, "attack", lambda self: None)
    certificate = certify(flight(FLY * passes + HIT), flight(FLY * passes), find_model)
    assert certificate.text == "differs"
    assert certificate.counterexample is not None
    assert len(certificate.counterexample.instance.level.board[0]) == passes + 2


def test_other_passes_that_do_the_same_are_exact() -> None:
    shaped = flight(FLY * 3 + HIT + HIT)
    certificate = certify(flight(FLY * 3 + HIT), shaped, find_model)
    assert certificate.text == "exact" and "reach of a whole turn" in certificate.scope


def test_loops_that_do_not_correspond_are_exact_up_to_a_size() -> None:
    certificate = certify(flight(LOOP + HIT), flight(LOOP + HIT + HIT), find_model)
    assert not certificate.exact and certificate.counterexample is None
    assert certificate.size is not None and certificate.size[0] >= 3
    assert certificate.text == f"exact up to {certificate.size[0]}x{certificate.size[1]}"


def test_loops_that_may_go_on_for_longer_are_exact_but_for_bounds() -> None:
    longer = LOOP.replace('"width"', '"width + height"')
    certificate = certify(flight(LOOP + HIT), flight(longer + HIT), find_model)
    assert certificate.text == "exact but for bounds" and not certificate.exact
    assert certificate.scope.startswith("for all boards") and certificate.counterexample is None


def test_a_difference_beside_other_bounds_is_seen() -> None:
    longer = LOOP.replace('"width"', '"width + height"').replace("no crate here, ", "")
    certificate = certify(flight(LOOP + HIT), flight(longer.replace(", no crate here", "") + HIT), find_model)
    assert certificate.text == "differs" and certificate.counterexample is not None
    assert None not in (certificate.counterexample.described, certificate.counterexample.learned)


def test_loops_of_the_same_shape_are_exact() -> None:
    other = flight(LOOP.replace("flare here, no crate here", "no crate here, flare here, inside right") + HIT)
    certificate = certify(flight(LOOP + HIT), other, find_model)
    assert certificate.text == "exact" and "all boards" in certificate.scope


def test_a_turn_round_an_edge_is_seen() -> None:
    """What only an edge far away from the mover makes different."""
    described = flight(FLY * 5 + HIT)
    edge = HIT.replace("crate here =>", "crate here, inside right =>")
    certificate = certify(described, flight(FLY * 5 + edge), find_model)
    assert certificate.text == "differs"


DOOR = """
name = "door"
[kinds]
door = {{ layer = "solid" }}
gem = {{ layer = "floor" }}
[symbols]
"." = ""
"D" = "door"
"*" = "gem"
[[physics]]
rules = "open: door here, {asked} => remove door here"
[goal]
win = ["count door = 0"]
[[level]]
horizon = 1
map = "D*"
"""


@pytest.mark.parametrize(
    "asked", ["no gem here", "no gem here, no gem up, no gem right, no gem down, no gem left"]
)
def test_what_asks_of_the_whole_board_is_told_from_what_looks_near(asked: str) -> None:
    """The one takes passes of markers that the other has not: there are no pairs of passes to compare."""
    (described, _), (near, _) = (
        read_game(DOOR.format(asked=one).encode(), "door.toml") for one in ("count gem = 0", asked)
    )
    for one, other in ((described, near), (near, described)):
        certificate = certify(one, other, find_model)
        assert certificate.text == "differs" and certificate.counterexample is not None


def asking(asked: str) -> Game:
    return read_game(DOOR.format(asked=asked).encode(), "door.toml")[0]


def test_a_number_that_hangs_on_the_size_is_refused_by_the_name_of_its_game() -> None:
    plain, wide = asking("count gem = 0"), replace(asking("count gem >= width"), name="wide")
    for one, other in ((plain, wide), (wide, plain)):
        with pytest.raises(PuzzleError, match="what wide asks of the whole board hangs on the size"):
            certify(one, other, find_model)


def test_what_asks_the_same_of_the_whole_board_is_the_same() -> None:
    assert certify(asking("count gem = 0"), asking("count gem = 0"), find_model).text == "exact"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("count gem <= 1", "differs"),
        ("count gem = 0, count gem <= 1", "exact up to"),
        ("no gem on door", "differs"),
    ],
)
def test_what_asks_other_things_of_the_whole_board_is_compared_size_by_size(asked: str, said: str) -> None:
    """The one takes other marks than the other, or as many others: none of them is left when a turn ends."""
    for one, other in permutations((asking("count gem = 0"), asking(asked))):
        certificate = certify(one, other, find_model, patience=1.0)
        assert certificate.text.startswith(said), certificate
        assert (certificate.counterexample is None) == certificate.text.startswith("exact")


SPREAD = """
[[physics]]
until = "stable"
bound = "width + height"
rules = '''
seen: gem here, no seen here => add seen here
spread toward any: no seen here, seen ahead => add seen here
'''
[[physics]]
rules = "open: door here, no seen here => remove door here"
"""


def asked_and_spread() -> tuple[Game, Game]:
    """A door that asks of the whole board, and one that is told by a mark."""
    text = DOOR.format(asked="count gem = 0")
    before, _, after = text.partition("[[physics]]")
    kinds = before.replace("[symbols]", 'seen = { layer = "seen", marker = true, merge = true }\n[symbols]')
    spread = kinds + SPREAD + after[after.index("[goal]") :]
    return read_game(text.encode(), "door.toml")[0], read_game(spread.encode(), "door.toml")[0]


def test_what_asks_of_the_whole_board_is_compared_with_a_mark_that_spreads() -> None:
    """As rules that were learned say it; passes are others for each size, so it is shown size by size."""
    described, learned = asked_and_spread()
    assert certify(described, learned, find_model, effort=200).text == "exact up to 4x4"


def test_questions_about_whole_boards_come_to_an_end() -> None:
    """Where one is hard, what was settled before stands, and no more is said."""
    one, other = asked_and_spread()
    left = 3

    def asked(encoding: Encoding, clock: Clock | None = None) -> Values | None:
        nonlocal left
        left -= clock is not None
        if left < 0:
            raise OutOfTime
        return find_model(encoding, clock)

    whole, cut = (
        certify(one, other, find_model, effort=200),
        certify(one, other, asked, effort=200, patience=7.0),
    )
    assert whole.size is not None and cut.size is not None and cut.size < whole.size
    assert cut.counterexample is None and not cut.exact and "until 7 s were over" in cut.scope
    left = 0
    nothing = certify(one, other, asked, effort=200, patience=7.0)
    assert nothing.unsettled and nothing.size is None and nothing.text == "not settled"


@pytest.mark.parametrize(
    ("falls", "text"),
    [("", "exact up to 4x4"), ("fall: gem here, no gem down => gem here -> down", "differs")],
)
def test_what_no_turn_brings_together_counts_for_nothing_beside_the_whole_board(
    falls: str, text: str
) -> None:
    """A door on which a gem is, is not drawn; only where gems fall do turns lead to it."""
    rust, last = (
        f"[[physics]]\nrules = '{rule}'\n" if rule else ""
        for rule in ("rust: door here, gem here => remove door here", falls)
    )
    described, learned = (
        read_game(DOOR.format(asked="count gem = 0").replace("[goal]", f"{more}{last}[goal]").encode(), "d")[
            0
        ]
        for more in (rust, "")
    )
    assert certify(described, learned, find_model, effort=100).text == text


def test_games_of_other_kinds_are_not_compared(lemmings: Game) -> None:
    with pytest.raises(PuzzleError, match="do not have the same kinds"):
        certify(lemmings, replace(lemmings, kinds=lemmings.kinds[:-1]), find_model)


def test_a_difference_that_the_referee_does_not_see_is_a_fault_of_ours(
    lemmings: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ggp.proof.equivalence.attack.referee", lambda instance, before, action: before)
    with pytest.raises(OwnFault, match="the referee does not"):
        certify(lemmings, replace(lemmings, physics=()), find_model)


MAKE = '[[physics]]\nname = "make"\nrules = "make: gun here, no crate right => add crate right"\n'
COLLIDING = MAKE.replace(", no crate right", "")  # puts a crate where one stands: that breaks off


def test_what_breaks_off_where_the_described_rules_go_on_differs() -> None:
    certificate = certify(flight(MAKE), flight(COLLIDING), find_model)
    shown = certificate.counterexample
    assert certificate.text == "differs" and shown is not None
    assert shown.learned is None and shown.described is not None
    assert referee(shown.instance, shown.before, None) == shown.described


@pytest.mark.parametrize(
    "described, learned, said",
    [
        ("", "", "exact but for collisions"),
        (HIT, HIT + HIT, "exact but for collisions"),
        (LOOP + HIT, LOOP + HIT + HIT, "exact up to 6x6 but for collisions"),
        (LOOP, LOOP.replace('"width"', '"width + height"'), "exact but for bounds and collisions"),
    ],
    ids=["passes", "turn", "sizes", "bounds"],
)
def test_where_the_described_rules_collide_it_is_no_matter_what_others_do(
    described: str, learned: str, said: str
) -> None:
    certificate = certify(flight(COLLIDING + described), flight(MAKE + learned), find_model)
    assert certificate.text == said and not certificate.exact
    shown = certificate.counterexample
    assert shown is not None and shown.described is None and shown.learned is not None
    assert referee(shown.instance, shown.before, None) is None


def test_a_difference_beside_a_collision_is_the_one_that_is_shown() -> None:
    """So that it can be learned from."""
    certificate = certify(flight(COLLIDING + FLY + HIT), flight(MAKE + FLY), find_model)
    shown = certificate.counterexample
    assert certificate.text == "differs" and shown is not None and shown.described is not None


GROWING = """
name = "growing"
[kinds]
egg = { layer = "solid" }
grub = { layer = "solid" }
moth = { layer = "solid" }
[symbols]
"." = ""
"e" = "egg"
[[physics]]
rules = '''
hatch: egg here => remove egg here, add grub here
GROW
'''
[goal]
win = ["count moth = 1"]
"""


def test_random_play_goes_on_for_several_turns() -> None:
    """What a map cannot draw comes with the first turn, and only then the games differ."""
    grow = "grow: grub here => remove grub here, add moth here"
    one, other = (read_game(GROWING.replace("GROW", rule).encode(), "growing.toml")[0] for rule in (grow, ""))
    found = Duel(one, other).attack()
    assert found is not None and any(
        piece.kind == "grub" for row in found.rows for here in row for piece in here
    )


def test_a_difference_between_loops_of_other_shapes_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """On whole boards, on which every piece may stand; and those grow until the effort is spent."""
    monkeypatch.setattr(Duel, "attack", lambda self: None)
    assert certify(flight(LOOP + HIT), flight(LOOP + LOOP), find_model).text == "differs"
    little = certify(flight(LOOP + HIT), flight(LOOP + HIT + HIT), find_model, effort=0)
    assert little.text == "exact up to 1x1"


TWINS = """
name = "twins"
[kinds]
a = { layer = "a" }
b = { layer = "b" }
me = { layer = "me", count = "1" }
coin = { layer = "coin", merge = true, count = "1" }
rock = { layer = "ground" }
dust = { layer = "ground", merge = true }
[symbols]
"." = ""
"a" = "a"
"b" = "b"
"c" = "a b coin"
"m" = "me"
"r" = "rock"
"d" = "dust"
[[physics]]
rules = '''
FIRST
'''
[[physics]]
rules = '''
SECOND
'''
[goal]
win = ["count me = 0"]
"""


def test_a_board_that_differs_has_no_more_of_a_kind_than_a_level_may_have() -> None:
    """Whether turns make more is for whole boards to say. Of what has no count there may be any number."""
    stay = TWINS.replace("FIRST", "stay: me here => stay").replace("SECOND", "stay: a here => stay")
    several = stay.replace('merge = true, count = "1"', "merge = true")
    game, _ = read_game(several.encode(), "twins.toml")
    me, coin, a = (frozenset({Piece(name)}) for name in ("me", "coin", "a"))
    assert no_more_than_levels(game, Moment(((me, coin, coin), (a, a, coin)), 1, None))
    assert not no_more_than_levels(game, Moment(((me, coin), (coin, me)), 1, None))
    once, _ = read_game(stay.encode(), "twins.toml")
    assert not no_more_than_levels(once, Moment(((me, coin, coin),), 1, None))


# What the first pass does, and a rule of the second one that matters only for what comes of that.
BELIEVED = {
    "a kind of which there is one becomes two": (
        "split: me here, no me right => add me right",
        "two: me here, me right => remove me here",
    ),
    "what two rules take is put twice": (
        "left: a here, coin here => coin here -> left\nright: b here, coin here => coin here -> right",
        "two: coin here, coin right.right => remove coin here",
    ),
    "a rock lies where no dust does": (
        "stay: me here => stay",
        "wear: rock here, no dust here => remove rock here",
    ),
}


# The same round the edges, where places from which a rule takes may be one cell on a small board.
ROUND = {
    "two rules take from cells that are one on three columns": (
        "far: a here, coin right.right.right => coin right.right.right -> here\n"
        "near: a here, coin here => coin here -> left",
        "two: coin here, coin right.right, no coin right.right.right.right => remove coin here",
    ),
    "one rule takes from cells that are one on two columns": (
        "split: a here, me left, me right => me left -> up, me right -> down",
        "two: me here, me down.down, no me down.down.down.down => remove me here",
    ),
}


@pytest.mark.parametrize("name", slow_unless(lambda name: "two columns" not in name, [*BELIEVED, *ROUND]))
def test_nothing_is_believed_of_boards_that_is_not_so(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second rule fires on some board, so a game without it is another one; by proof, not by playing."""
    monkeypatch.setattr(Duel, "attack", lambda self: None)
    first, second = (BELIEVED | ROUND)[name]
    read = (
        read_game(TWINS.replace("FIRST", first).replace("SECOND", rule).encode(), "twins.toml")[0]
        for rule in (second, "other: me here => stay")
    )
    games = [replace(game, wraps=name in ROUND) for game in read]
    for one, other in (games, games[::-1]):
        assert certify(one, other, find_model).text == "differs"


@pytest.mark.parametrize(("one", "other"), [("left", "right.right"), ("here", "down.down.down")])
def test_cells_that_are_one_on_a_small_board_are_told_apart(one: str, other: str) -> None:
    """Where boards wrap, three columns make a step to the left of two to the right; four do not."""
    games = [
        replace(flight(f'[[physics]]\nrules = "hit: gun here, crate {at} => remove crate {at}"'), wraps=True)
        for at in (one, other)
    ]
    assert certify(*games, find_model).text == "differs"
    assert certify(games[0], games[0], find_model).text == "exact"


@pytest.mark.parametrize("name", ["lemmings", "polar-slide", "peg-solitaire", "flight", "flight in a loop"])
def test_playing_first_changes_nothing_of_what_is_proved(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It only spares questions: all that is struck out because it was seen could not have been proved."""
    flights = {"flight": flight(FLY * 2 + HIT), "flight in a loop": flight(LOOP + HIT)}
    game = flights.get(name) or levels.load_game(name)[0]
    known = Induction(game, find_model).run()
    monkeypatch.setattr("ggp.proof.equivalence.invariants.watch", lambda game, points: [])
    assert Induction(game, find_model).run() == known


def test_a_model_of_nothing_is_found(lemmings: Game) -> None:
    instance = blank(lemmings, 1, 1)
    assert find_model(Encoding(instance, 0)) == {}


def test_of_boards_with_more_than_levels_hold_those_are_left_out_to_which_no_turn_leads() -> None:
    """A teleport puts a player at one end and takes it at the other, and so keeps their number."""
    file = Path(ggp.bench.__file__).parent / "worlds" / "variants" / "teleport.toml"
    game, _ = read_game(file.read_bytes(), str(file))
    context = with_numbers_kept(game, 2, 2, Context(), find_model)
    planes = compile_instance(blank(game, 2, 2)).planes
    assert {(planes[one[0]].kind, most) for one, most in context.few} == {("player", 1), ("hole", 2)}
    # Here the player that entered a teleport is not taken.
    text = file.read_text()
    text = text.replace("gone: player here, hole here, start here => remove player here", "")
    assert text != file.read_text()
    doubling, _ = read_game(text.encode(), "doubling.toml")
    assert {one for one, _ in with_numbers_kept(doubling, 2, 2, Context(), find_model).few} == {
        tuple(n for n, piece in enumerate(planes) if piece.kind == "hole")
    }
