"""The certificate tells right from wrong, on one mover and on several, and shows where they part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from ggp import levels
from ggp.algebras.symbolic import Field, Formulas
from ggp.certificate import Question, blank, certify, never_together
from ggp.encoding import Encoding, Values
from ggp.kernel import Boards
from ggp.learning import find_model
from ggp.model import Condition, Game, Rule
from ggp.semantics import step
from ggp.transition import compile_instance

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


def differs(game: Game, rule: Callable[[At, int], Field]) -> Values | None:
    """A board on which the cell-by-cell rule differs from the game, None if there is none."""
    size = (5, 5)
    apart = never_together(game, size, find_model)
    question = Question(game, compile_instance(blank(game, *size)), apart)
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


@pytest.mark.parametrize("name", ["lemmings", "sokoban"])
def test_every_rule_and_every_condition_is_missed(name: str) -> None:
    """Dropping any one rule, or any one condition, is found, and the counterexample replays as it says."""
    game = levels.load_game(name)[0]
    section = "turn" if game.turn else "physics"
    (group,) = getattr(game, section)
    for number, rule in enumerate(group.rules):
        fewer = group.rules[:number] + group.rules[number + 1 :]
        for rules in (fewer, *weakened(group.rules, number, rule)):
            other = replace(game, **{section: (replace(group, rules=rules),)})
            certificate = certify(game, other, find_model)
            assert not certificate.exact, rule.name
            shown = certificate.counterexample
            assert shown is not None
            assert shown.described != shown.learned
            if shown.described is not None and shown.described != shown.before:
                assert step(shown.instance, shown.before, shown.action) == shown.described


def weakened(rules: tuple[Rule, ...], number: int, rule: Rule) -> list[tuple[Rule, ...]]:
    """The rules with one condition of one of them left out, except what stands at the anchor."""
    found = []
    for condition in rule.conditions:
        anchor = isinstance(condition, Condition) and condition.wants == "present" and not condition.path
        if anchor and condition == rule.conditions[0]:
            continue
        conditions = tuple(c for c in rule.conditions if c != condition)
        found.append((*rules[:number], replace(rule, conditions=conditions), *rules[number + 1 :]))
    return found


def test_what_never_shares_a_cell_is_proved(lemmings: Game) -> None:
    apart = {frozenset(map(str, pair)) for pair in never_together(lemmings, (5, 5), find_model)}
    assert frozenset({"lemming:left", "wall"}) in apart
    assert frozenset({"lemming:left", "lemming:right"}) not in apart
    assert frozenset({"lemming:left", "target"}) not in apart


def test_a_model_of_nothing_is_found(lemmings: Game) -> None:
    instance = blank(lemmings, 1, 1)
    assert find_model(Encoding(instance, 0)) == {}
