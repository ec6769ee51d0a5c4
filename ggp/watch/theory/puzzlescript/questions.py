"""Turns that tell rules apart: made boards on which others that say all that was seen say something else."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice

from ggp.learn.boards import Board, Turn
from ggp.watch.theory.puzzlescript.conditions import always, with_atoms
from ggp.watch.theory.puzzlescript.instances import Shown
from ggp.watch.theory.puzzlescript.rules import Rule, Theory
from ggp.watch.theory.puzzlescript.search import Search, Step
from ggp.watch.theory.puzzlescript.things import Things
from ggp.watch.theory.questions import made

Asked = tuple[Board, str | None]

RIVALS = 80  # rules that are told apart from those that stand
EACH = 2  # boards for each


def questions(theory: Theory, things: Things, turns: Sequence[Turn]) -> list[Asked]:
    """Boards and inputs to be asked for."""
    search = Search(turns, things, theory)
    rng = random.Random(len(turns))
    known = {(turn.before, turn.word) for turn in turns}
    asked = list(dict.fromkeys(made(turns, known, rng)))
    pool = Search([Turn(board, word, board) for board, word in asked], things, theory)
    rivals = list(others(search))
    rng.shuffle(rivals)
    found = dict[Asked, None]()
    for step in islice(rivals, RIVALS):
        apart = (n for n in range(len(asked)) if pool.changes(step, n))
        found |= dict.fromkeys(asked[n] for n in islice(apart, EACH))
    return list(found)


def others(search: Search) -> Iterator[Step]:
    """Rules in place of others, or none, that say all that was seen as well."""
    for late in (False, True):
        for n, rule in enumerate(search.best.late if late else search.best.early):
            for other in dict.fromkeys((*rule.shorter(), *narrower(search, rule, (late, n)))):
                step = Step(other, (late, n), n + 1)
                if not any(search.changes(step, m) for m in range(len(search.scenes))):
                    yield step


def narrower(search: Search, rule: Rule, place: tuple[bool, int]) -> Iterator[Rule]:
    """Rules that ask for one thing more, which was so wherever the rule was found."""
    shown = [Shown(*one) for one in zip(search.scenes, search.said, search.costs, strict=True)]
    draft, atoms = always(rule, place, shown)
    for atom in atoms:
        yield with_atoms(draft, [atom], search.things)
