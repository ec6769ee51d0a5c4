"""Turns that tell rules apart: made boards on which others that say all that was seen say something else."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice

from ggp.learn.boards import Board, Turn, without
from ggp.watch.theory.made import Asked, made
from ggp.watch.theory.puzzlescript.conditions import always, with_atoms
from ggp.watch.theory.puzzlescript.instances import Shown
from ggp.watch.theory.puzzlescript.rules import Rule, Theory, put
from ggp.watch.theory.puzzlescript.scenes import Place, Scene, parts_of
from ggp.watch.theory.puzzlescript.sorting import may_have_to_move
from ggp.watch.theory.puzzlescript.things import Endless, Things
from ggp.watch.theory.puzzlescript.weighing import Step, Weighed
from ggp.watch.theory.puzzlescript.widening import converse, smaller, widened

RIVALS = 40  # that each rule is told apart from
EACH = 2  # boards for each
LIKE = 80  # boards like those on which a rule did something
MORE_LIKE = 400  # of them, where the order of directions is asked about
LESS = 12  # boards of each of these of which one thing is gone from one cell
FEW = 5  # of these from which a sort of thing is taken away


def questions(theory: Theory, things: Things, turns: Sequence[Turn]) -> list[Asked]:
    """Boards and inputs to be asked for."""
    search = Weighed(turns, things, theory)
    rng = random.Random(len(turns))
    known = {(turn.before, turn.word) for turn in turns}
    found = dict[Asked, None]()
    other = may_have_to_move(turns, things.player) and theory._replace(must_move=not theory.must_move)
    for late in (False, True):
        for n, rule in enumerate(theory.late if late else theory.early):
            place = late, n
            asked = [one for one in near(search, place, known, rng) if ends(one, search)]
            pool = Weighed([Turn(board, word, board) for board, word in asked], things, theory)
            for step in islice(others(search, rule, place, rng), RIVALS):
                apart = (m for m in range(len(asked)) if pool.changes(step, m))
                found |= dict.fromkeys(asked[m] for m in islice(apart, EACH))
            found |= dict.fromkeys(in_other_order(search, rule, place, known, rng))
            if other:
                moving = Weighed([scene.turn for scene in pool.scenes], things, other)
                pairs = zip(asked, pool.said, moving.said, strict=True)
                differ = (one for one, said, told in pairs if said.after != told.after)
                found |= dict.fromkeys(islice(differ, EACH))
    return list(found)


def ends(asked: Asked, search: Weighed) -> bool:
    """Does a turn come to an end?"""
    board, word = asked
    scene = Scene(Turn(board, word, board), search.things)
    try:
        scene.said(parts_of(search.best, scene.table))
    except Endless:
        return False
    return True


def near(
    search: Weighed, place: Place, known: set[Asked], rng: random.Random, most: int = LIKE
) -> Iterator[Asked]:
    """Boards like those on which a rule did something, with something else near, or something gone."""
    late, n = place
    after = late, n + 1
    turns = [
        scene.turn
        for scene, said in zip(search.scenes, search.said, strict=True)
        if said.at(place) != said.at(after)
    ]
    yield from islice(made(turns, known, rng), most) if turns else ()
    for turn in rng.sample(turns, min(FEW, len(turns))):
        for token in sorted(frozenset().union(*turn.before.cells)):
            board = without(turn.before, frozenset({token}))
            if token not in search.things.player and (board, turn.word) not in known:
                yield board, turn.word
        for board in with_a_thing_less(turn, search.things.player, rng):
            if (board, turn.word) not in known:
                yield board, turn.word


def with_a_thing_less(turn: Turn, player: Sequence[str], rng: random.Random) -> Iterator[Board]:
    """Boards of which one thing is gone that stood with another one, near what changed."""
    width = turn.before.width
    pairs = zip(turn.before.cells, turn.after.cells, strict=True)
    changed = [n for n, (old, new) in enumerate(pairs) if old != new]
    near = {n + step for n in changed for step in (0, 1, -1, width, -width)}
    found = [
        turn.before._replace(cells=put(turn.before.cells, n, stack - {token}))
        for n, stack in enumerate(turn.before.cells)
        for token in sorted(stack)
        if n in near and len(stack) > 1 and token not in player
    ]
    yield from rng.sample(found, min(LESS, len(found)))


def others(search: Weighed, rule: Rule, place: Place, rng: random.Random) -> Iterator[Step]:
    """Rules in place of one that say all that was seen as well, in any order."""
    late, n = place
    of_classes = (some for way in (widened, smaller, converse) for some in way(rule, search.things))
    rules = (*rule.shorter(), *rule.altered(), *narrower(search, rule, place), *of_classes)
    steps = [Step(other, place, n + 1) for other in dict.fromkeys(rules)]
    for step in rng.sample(steps, len(steps)):
        if step.rule != rule and not any(search.changes(step, m) for m in range(len(search.scenes))):
            yield step


def in_other_order(
    search: Weighed, rule: Rule, place: Place, known: set[Asked], rng: random.Random
) -> Iterator[Asked]:
    """Boards on which it matters which direction a rule is tried in first; none where that was seen.

    Who is put back to where it came from must not be put elsewhere, as things stand there alike.
    """
    first, *rest = (rule._replace(ways=(way,)) for way in reversed(rule.ways))
    step = Step(first, place, place[1] + 1, tuple(rest))
    if not rest or any(search.changes(step, m) for m in range(len(search.scenes))):
        return
    asked = [one for one in near(search, place, known, rng, MORE_LIKE) if ends(one, search)]
    pool = Weighed([Turn(board, word, board) for board, word in asked], search.things, search.best)
    yield from islice((one for m, one in enumerate(asked) if pool.changes(step, m)), EACH)


def narrower(search: Weighed, rule: Rule, place: Place) -> Iterator[Rule]:
    """Rules that ask for one thing more, which was so wherever the rule was found."""
    shown = [Shown(*one) for one in zip(search.scenes, search.said, search.costs, strict=True)]
    draft, atoms = always(rule, place, shown)
    for atom in atoms:
        yield with_atoms(draft, [atom], search.things)
