"""Turns that tell theories apart: made boards on which one that says all that was seen says something else.

Lines that were seen to do nothing but what others would do as well are rivals: with another effect, in
another order, or left out. And what never met is brought together where something is bound to go.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, combinations, islice, product

from ggp.engines.vgdl.insides import VECTORS, Inside
from ggp.importers.vgdl.ontology import BASES
from ggp.learn.boards import Board, Token, Turn
from ggp.learn.fit.toil import spend
from ggp.model import Cell
from ggp.watch.theory.made import STEPS, Asked, made
from ggp.watch.theory.vgdl.effects import lines_for
from ggp.watch.theory.vgdl.search import PLAYED
from ggp.watch.theory.vgdl.spelling import Spelling
from ggp.watch.theory.vgdl.stage import Outcome, Scene, placed, unmoved
from ggp.watch.theory.vgdl.theories import Line, Theory

Pairs = frozenset[tuple[str, str]]
Played = tuple[Scene, Outcome]

RIVALS = 60  # theories that are told apart
EACH = 2  # boards for each
AT_ONCE = 200  # boards for two lines, of which each has its pair
NEW = 3  # boards for two sorts that never met


def questions(theory: Theory, spelling: Spelling, turns: Sequence[Turn]) -> list[Asked]:
    """Boards and inputs to be asked for."""
    still = unmoved(turns)
    scenes = [Scene(turn, spelling, still) for turn in turns]
    outcomes = [played(theory, scene, asked=True) for scene in scenes]
    seen = list(zip(scenes, outcomes, strict=True))
    known = {(turn.before, turn.word) for turn in turns}
    rng = random.Random(len(turns))
    pool = [ready(one, spelling, still) for one in made(turns, known, rng)]
    said = [played(theory, scene, asked=True) for scene in pool]
    met = set[tuple[str, str]]().union(*map(pairs_of, outcomes))
    brought = brought_together(met, seen, spelling, rng)
    found = dict.fromkeys(chain(unmet(pool, said, met), brought, at_most(theory, spelling, turns)))
    for number, rival in islice(others(theory, spelling, seen), RIVALS):
        had = (n for n, one in enumerate(said) if number in one.had)
        apart = (n for n in had if played(rival, pool[n]).seen != said[n].seen)
        found |= dict.fromkeys(pool[n].asked for n in islice(apart, EACH))
    for one, other, rival in swapped(theory, seen):
        near = (
            ready(asked, spelling, still) for asked in dict.fromkeys(at_once(one, other, seen, spelling, rng))
        )
        differ = (scene for scene in near if played(rival, scene).seen != played(theory, scene).seen)
        found |= dict.fromkeys(scene.asked for scene in islice(differ, EACH))
    return list(found)


def ready(asked: Asked, spelling: Spelling, still: frozenset[Token]) -> Scene:
    """A turn that nobody has seen, made ready."""
    board, word = asked
    return Scene(Turn(board, word, board), spelling, still)


def pairs_of(outcome: Outcome) -> Pairs:
    """Who met in a turn."""
    return frozenset((one.actor, one.partner) for one in outcome.met)


def unmet(pool: Sequence[Scene], said: Sequence[Outcome], met: set[tuple[str, str]]) -> Iterator[Asked]:
    """A few boards for each pair that never met."""
    new = Counter[tuple[str, str]]()
    for scene, outcome in zip(pool, said, strict=True):
        pairs = [pair for pair in pairs_of(outcome) - met if new[pair] < NEW]
        new.update(pairs)
        if pairs:
            yield scene.asked


def brought_together(
    met: set[tuple[str, str]], seen: Sequence[Played], spelling: Spelling, rng: random.Random
) -> Iterator[Asked]:
    """Turns in which a sort comes to where a sort stands now that it never met: a few for each two.

    Hardly any board that is made by chance has just that one where something is pushed to.
    """
    comes = dict[str, list[tuple[Scene, Cell]]]()
    for scene, _ in seen:
        before = {(cell, inside.key) for cell, inside, _ in scene.before}
        for cell, token in sorted(scene.after):
            key = spelling.inside(token, cell)[0].key
            if (cell, key) not in before:
                comes.setdefault(key, []).append((scene, cell))
    for (one, places), token in product(sorted(comes.items()), spelling.tokens):
        other = spelling.inside(token, places[0][1])[0].key
        for scene, cell in rng.sample(places, min(NEW, len(places))) if (one, other) not in met else ():
            yield with_one_at(scene, cell, token, spelling)


def at_most(theory: Theory, spelling: Spelling, turns: Sequence[Turn]) -> Iterator[Asked]:
    """Boards on which who holds the most that was seen comes to one more, and to one more than that."""
    known = {stack for turn in turns for stack in turn.before.cells}
    resources = [key for key, sort in theory.sorts.items() if BASES[sort.base].resource]
    resources = [key for key in resources if frozenset({key}) in known]
    number = Counter[tuple[str, str]]()
    for board, cell, holder in holding_most(spelling, turns):
        for key, (word, (down, right)) in product(resources, VECTORS.items()):
            ahead = cell[0] + down, cell[1] + right
            if not board.inside(ahead) or number[key, word]:
                continue
            number[key, word] += 1
            beyond = min(spelling.room[name] - spelling.most[name] for name in holder.held)
            # One by one, for what was never seen is on no board that is asked for; and beyond what is told.
            for more in range(beyond + 1):
                held = {name: int(amount) + more for name, amount in holder.held.items()}
                cells = list(board.cells)
                token = spelling.token(holder._replace(held=held), None)
                cells[cell[0] * board.width + cell[1]] = frozenset({token})
                cells[ahead[0] * board.width + ahead[1]] = frozenset({key})
                yield board._replace(cells=tuple(cells)), word


def holding_most(spelling: Spelling, turns: Sequence[Turn]) -> Iterator[tuple[Board, Cell, Inside]]:
    """Boards on which somebody, alone in a cell, holds the most that was seen of one thing."""
    for board in dict.fromkeys(turn.before for turn in turns):
        for cell, token in placed(board):
            holder, _ = spelling.inside(token, cell)
            full = {name for name, most in spelling.most.items() if holder.held.get(name) == most}
            if full and full == holder.held.keys() and board.at(cell) == frozenset({token}):
                yield board, cell, holder


def played(theory: Theory, scene: Scene, *, asked: bool = False) -> Outcome:
    """A turn as a theory says it."""
    spend(PLAYED)
    return scene.played(theory, asked=asked)


def others(theory: Theory, spelling: Spelling, seen: Sequence[Played]) -> Iterator[tuple[int, Theory]]:
    """Theories with one line less, or another in its place, that say all that was seen; with its number."""
    for n, line in enumerate(theory.lines):
        concerned = [scene for scene, outcome in seen if n in outcome.had]
        before, after = theory.lines[:n], theory.lines[n + 1 :]
        for some in ((), *((one,) for one in lines_for(theory, *line.pair, spelling.held))):
            rival = theory.with_lines((*before, *some, *after))
            if some != (line,) and not any(played(rival, scene).differs for scene in concerned):
                yield n, rival


def swapped(theory: Theory, seen: Sequence[Played]) -> Iterator[tuple[Line, Line, Theory]]:
    """Theories with a line before another one, which say all that was seen; and the two."""
    lines = theory.lines
    for m, n in combinations(range(len(lines)), 2):
        one, other = lines[m], lines[n]
        if not set(one.pair) & set(other.pair) and "undoAll" not in (one.effect, other.effect):
            continue  # they change different things
        concerned = [scene for scene, outcome in seen if other.pair in pairs_of(outcome)]
        rival = theory.with_lines((*lines[:m], other, *lines[m:n], *lines[n + 1 :]))
        if not any(played(rival, scene).differs for scene in concerned):
            yield one, other, rival


def at_once(
    one: Line, other: Line, outcomes: Sequence[Played], spelling: Spelling, rng: random.Random
) -> Iterator[Asked]:
    """Turns in which the one line had its pair, with something of the other's put near; and the other way."""
    for first, second in ((one, other), (other, one)):
        places = [
            (scene, meeting.cell)
            for scene, outcome in outcomes
            for meeting in sorted(outcome.met)
            if (meeting.actor, meeting.partner) == first.pair
        ]
        for _ in range(AT_ONCE if places else 0):
            scene, cell = rng.choice(places)
            tokens = [t for t in spelling.tokens if spelling.inside(t, cell)[0].key in second.pair]
            asked = with_one_near(scene, cell, rng.choice(tokens), spelling, rng) if tokens else None
            if asked is not None:
                yield asked


def with_one_near(
    scene: Scene, cell: Cell, token: Token, spelling: Spelling, rng: random.Random
) -> Asked | None:
    """A turn with something put near a cell."""
    down, right = rng.choice(STEPS)
    to = cell[0] + down, cell[1] + right
    return with_one_at(scene, to, token, spelling) if scene.turn.before.inside(to) else None


def with_one_at(scene: Scene, to: Cell, token: Token, spelling: Spelling) -> Asked:
    """A turn with something put into a cell; what there is one of goes there."""
    board, word = scene.asked
    key = spelling.inside(token, to)[0].key
    same = [(at, one) for at, one in placed(board) if spelling.inside(one, at)[0].key == key]
    cells = list(board.cells)
    for (row, column), one in same if len(same) == 1 else ():
        cells[row * board.width + column] -= {one}
    cells[to[0] * board.width + to[1]] = frozenset({token})
    return board._replace(cells=tuple(cells)), word
