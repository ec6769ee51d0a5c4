"""From transitions to a program: who made what happen, seen from where, and under which conditions.

Two ways of telling are tried, and the smaller program wins: a *mover* answers for all that changes around
it (a walker, a cursor), or each *cell* answers for what changes in it (a lamp, a growing plant). Where
several movers are close together, what each did is found by exact cover with what was seen of single ones.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import replace
from functools import partial
from itertools import chain, combinations, product
from typing import NamedTuple

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Token, Turn, pointed
from ggp.learn.fit.fitting import best_part, least_cost
from ggp.learn.fit.lists import Decision
from ggp.learn.fit.memory import remembered
from ggp.learn.fit.program import Part, Program, marked, meaning, pointing, subjects_on
from ggp.learn.fit.sights import Example
from ggp.learn.fit.threads import one_thread
from ggp.learn.seen.edges import plain
from ggp.learn.seen.structure import Structure
from ggp.learn.seen.views import PICK, Outcome
from ggp.learn.turn.cells import cell_examples, hosts_of
from ggp.learn.turn.leftover import with_what_is_left
from ggp.model import DIRECTIONS, Cell

REACH = 2  # how far from one of several movers something may change
FAR = 6  # how far from the only mover
MOST_SUBJECTS = 3
FEWEST = 3  # movers in crowds that plainly did the same, before that is thought of
COVERS = 400  # assignments tried for one cluster, of each number of movers that do something else
MOST_CLUSTERS = 300
# Rounds of explaining clusters by rules, and rules by clusters: how many movers of one may break the rules so
# far (what takes many is more likely to be wrong), and whether of several that of least change is believed.
ROUNDS = ((1, False), (1, False), (2, False), (1, True), (2, True), (2, True), (4, True))
CROWD = 20  # movers of one cluster
LIMITS = (16.0, 40.0)  # sizes of programs, small ones looked for first: what is wrong is long
HOSTED = 100.0  # the size of a program in which what comes is due to what stands there
ALONE = 1.5  # times as large may be what one mover does that is nowhere beside another: nothing is guessed
MOST_GUESSED = 0.05  # of the turns, at most, may be wrong for what crowds were thought to have done
MOST_LEFT = 0.25  # of the turns, at most, may be wrong for what rules leave over in crowds
MIXED = 2.5  # times as large may be cells that say apart what movers do at once
PLAIN = 15.0  # a program of movers that is so small is not held against one of cells

Changed = tuple[str, Cell, Token]
Mover = tuple[str, Cell, Token]


Options = tuple[list[frozenset[Changed]], frozenset[Changed]]
"""All that a mover could do, and what the rules so far say that it does."""


class Cluster(NamedTuple):
    """Movers so close together that it is not plain which of them did what."""

    turn: Turn
    board: Board
    anchors: tuple[tuple[str, Cell, Token | None], ...]
    changes: frozenset[Changed]


@remembered
def learn_pass(
    turns: Sequence[Turn],
    structure: Structure,
    shake: random.Random | None = None,
    limits: Sequence[float] = LIMITS,
) -> Program:
    """The smallest program of one pass that says what was seen; raises PuzzleError where none was found.

    `limits`: how large it may be, at first and at last.
    """
    structure = with_marks(turns, structure)
    unique = list(dict.fromkeys(turns))
    changed = changing(unique, structure)
    if not changed:
        return Program(structure, ())
    with one_thread():
        best = smallest(unique, structure, changed, shake, limits)
    if best is None:
        raise NotLearned(
            f"no rules of one pass explain what happens to {', '.join(changed[:6])}",
            "more roll-outs may help; or record the boards inside a turn",
        )
    return best


def smallest(
    unique: Sequence[Turn],
    structure: Structure,
    changed: Sequence[str],
    shake: random.Random | None,
    limits: Sequence[float],
) -> Program | None:
    """The smallest program of movers or of cells; None where neither says what was seen."""
    best = None
    for limit in limits:
        best = by_some_movers(unique, structure, changed, shake, limit)
        mixed = best is not None and mixes(best)
        if best is None or best.cost > PLAIN or mixed:
            most = MIXED * limit if mixed else limit if best is None else best.cost
            for full in (False, True):
                cells = cell_program(unique, structure, changed, shake, most, full=full)
                if cells is None or not any(map(cells.wrong, unique)):
                    best = cells or best
                    break
        if best is not None:
            break
    return best


def mixes(program: Program) -> bool:
    """Is one outcome of a part two others of it at once? What it does is then several things, each by itself.

    Its list would need a decision for every choice of them, of which few are ever seen.
    """
    for part in program.parts:
        listed = {frozenset(one.outcome) for one in part.decisions.decisions if one.outcome}
        pairs = combinations(sorted(listed, key=sorted), 2)
        if any(one | other in listed for one, other in pairs if not one & other):
            return True
    return False


def with_marks(turns: Iterable[Turn], structure: Structure) -> Structure:
    """The structure with the mark of picks as a thing with facings, where picks have directions."""
    directed = any(
        turn.word is not None and "(" in turn.word and pointing(structure, turn.word) for turn in turns
    )
    if not directed or f"{PICK}:up" in structure.facing:
        return structure
    marks = {f"{PICK}:{direction}": (PICK, direction) for direction in DIRECTIONS}
    return replace(structure, facing={**structure.facing, **marks})


def changing(turns: Iterable[Turn], structure: Structure) -> list[str]:
    """The names of what was ever seen to come or go."""
    found = {
        structure.name(token)
        for turn in turns
        if turn.before != turn.after
        for _, _, token in changes_of(turn)
    }
    return sorted(found)


def changes_of(turn: Turn) -> Iterator[Changed]:
    """What has gone and what has come, with its cell."""
    if turn.before == turn.after:
        return
    for index, (old, new) in enumerate(zip(turn.before.cells, turn.after.cells, strict=True)):
        if old != new:
            cell = divmod(index, turn.before.width)
            yield from (("-", cell, token) for token in sorted(old - new))
            yield from (("+", cell, token) for token in sorted(new - old))


def by_some_movers(
    turns: Sequence[Turn],
    structure: Structure,
    changed: Sequence[str],
    shake: random.Random | None,
    most: float,
) -> Program | None:
    """The smallest program of the fewest kinds of mover that answer for everything."""
    picks = [PICK] if pointed(turns) else []
    seen = changes_seen(turns, structure, [*picks, *changed])
    best: Program | None = None
    for number in range(1, MOST_SUBJECTS + 1):
        for subjects in combinations([*picks, *changed], number):
            if not all(one.is_of(frozenset(subjects)) for one in seen):
                continue
            limit = most if best is None else min(most, best.cost)
            alone = (ALONE * most if number == 1 else most) if best is None else best.cost
            program = by_movers(turns, structure, subjects, shake, limit, alone)
            if program is not None and not any(map(program.wrong, turns)):
                best = program
            if best is not None and best.cost <= PLAIN:
                return best
        if best is not None:
            break
    return best


class DueTo(NamedTuple):
    """Who may answer for a change: `near` it, or as the only mover `there` is, if that is one of `alone`."""

    near: frozenset[str]
    alone: frozenset[str]
    there: frozenset[str]

    def is_of(self, subjects: Set[str]) -> bool:
        """May these answer for it?"""
        return not self.near.isdisjoint(subjects) or (
            len(self.there & subjects) == 1 and not self.alone.isdisjoint(subjects)
        )


def changes_seen(turns: Sequence[Turn], structure: Structure, names: Sequence[str]) -> set[DueTo]:
    """What is seen of all changes, with who of these names may answer for them.

    To give all changes to each choice of movers takes long where there are many kinds, and most are for none.
    """
    found = set[DueTo]()
    for turn in turns:
        cells = {cell for _, cell, _ in changes_of(turn)}
        board = marked(turn.before, turn.word, structure) if cells else turn.before
        if not cells or (structure.joined and not plain(board)):
            continue
        places = {name: [at for at, _ in subjects_on(board, name, structure)] for name in names}
        for cell in cells:
            far = {name: [structure.distance(board, at, cell) for at in ats] for name, ats in places.items()}
            near = frozenset(name for name, some in far.items() if min(some, default=FAR) <= REACH)
            alone = frozenset(name for name, some in far.items() if len(some) == 1 and some[0] <= FAR)
            found.add(DueTo(near, alone, frozenset(filter(far.get, far))))
    return found


# --- movers -----------------------------------------------------------------------------------------------


def by_movers(
    turns: Sequence[Turn],
    structure: Structure,
    subjects: Sequence[str],
    shake: random.Random | None,
    limit: float,
    alone: float,
) -> Program | None:
    """A program in which these answer for everything; None where something changes out of their reach.

    It costs less than `limit`, or than `alone` where no mover was near another.
    """
    found = attributed(turns, structure, subjects)
    if found is None:
        return None
    examples, clusters = found
    alone_seen = {subject: list(given) for subject, given in examples.items()}
    if not all(any(one.changes for one in given) for given in examples.values()):
        for cluster in clusters:
            for subject, example in plain_moves(cluster, structure):
                examples[subject].append(example)
    if not all(any(one.changes for one in given) for given in examples.values()):
        return None
    limit = limit if clusters else alone
    clusters = sorted(clusters, key=lambda one: not one.changes)[:MOST_CLUSTERS]
    program = None
    # What a closer look at crowds tells comes last: it is longer looked for, and seldom needed.
    closer = seeds(alone_seen, clusters, structure, closer_moves)
    for first in chain(seeds(examples, clusters, structure, plain_moves), (examples,), closer):
        program = fitted(first, structure, shake, 2 * limit if clusters else limit)
        program = in_rounds(program, turns, first, examples, clusters, shake, 2 * limit)
        more = with_leftovers(program, turns, first, clusters)
        if more is not None:
            program = fitted(more, structure, shake, 2 * limit)
            program = in_rounds(program, turns, more, more, clusters, shake, 2 * limit)
        if program is not None and not any(map(program.wrong, turns)):
            break
    return program if program is not None and program.cost < limit else None


def seeds(
    examples: dict[str, list[Example]],
    clusters: Sequence[Cluster],
    structure: Structure,
    moves: Callable[[Cluster, Structure], Iterable[tuple[str, Example]]],
) -> Iterator[dict[str, list[Example]]]:
    """The examples with what movers plainly did in crowds, if that was not seen of single ones.

    Two things are hardly ever alone where one draws the other. Rules of these may be wrong, and tell what can
    be done at all.
    """
    more = [one for cluster in clusters for one in moves(cluster, structure)]
    often = Counter((subject, as_done(example)) for subject, example in more if example.changes)
    known = {(subject, as_done(example)) for subject, given in examples.items() for example in given}
    plainly = known.union(done for done, times in often.items() if times >= FEWEST)
    if plainly != known:
        added = {subject: list(given) for subject, given in examples.items()}
        for subject, example in more:
            if moves is plain_moves or not example.changes or (subject, as_done(example)) in plainly:
                added[subject].append(example)
        yield added


def with_leftovers(
    program: Program | None,
    turns: Sequence[Turn],
    known: dict[str, list[Example]],
    clusters: Sequence[Cluster],
) -> dict[str, list[Example]] | None:
    """The examples with what rules that say most turns leave over in crowds; None where that is nothing.

    What was seen to be left over fewer than three times in the same way may be another's doing.
    """
    if program is None or not 0 < sum(map(program.wrong, turns)) <= MOST_LEFT * len(turns):
        return None
    found: list[tuple[str, Example]] = []
    for cluster in clusters:
        said = [repertoire(cluster, anchor, program)[1] for anchor in cluster.anchors]
        names = {subject for subject, _, _ in cluster.anchors}
        own = partial(is_one_of, program.structure, names)
        far = partial(program.structure.distance, cluster.board)
        for number, done in with_what_is_left(cluster.changes, effect(cluster.board, said), said, own, far):
            subject, at, token = cluster.anchors[number]
            found.append((subject, Example(cluster.turn, cluster.board, at, token, done)))
    often = Counter((subject, as_done(example)) for subject, example in found)
    more = {subject: list(given) for subject, given in known.items()}
    for subject, example in found:
        if often[subject, as_done(example)] >= FEWEST:
            more[subject].append(example)
    return more if more != known else None


def is_one_of(structure: Structure, names: Set[str], token: Token) -> bool:
    """Is a token a thing of one of these names?"""
    return structure.name(token) in names


def as_done(example: Example) -> frozenset[Changed]:
    """What a mover changed, with cells counted from its own."""
    row, column = example.at
    return frozenset((sign, (at[0] - row, at[1] - column), token) for sign, at, token in example.changes)


def in_rounds(
    program: Program | None,
    turns: Sequence[Turn],
    known: dict[str, list[Example]],
    examples: dict[str, list[Example]],
    clusters: Sequence[Cluster],
    shake: random.Random | None,
    limit: float,
) -> Program | None:
    """The program after clusters were explained by it, and it by them, as often as that makes it better.

    `known`: what it was learned from; `examples`: what is known without explaining clusters.
    """
    for most, least in ROUNDS:
        if program is None or not clusters or not any(map(program.wrong, turns)):
            break
        more = {subject: list(given) for subject, given in examples.items()}
        for cluster in clusters:
            for subject, example in covered(cluster, program, most, least=least):
                more[subject].append(example)
        if more != known:  # from the same examples come the same rules
            program, known = fitted(more, program.structure, shake, limit), more
    if program is not None and clusters:
        program = without_idle_words(without_guesses(program, turns), turns)
    return program


def without_guesses(program: Program, turns: Sequence[Turn]) -> Program:
    """The program without decisions that make turns wrong: of crowds explained wrongly few are left."""
    wrong = list(filter(program.wrong, turns))
    again = 0 < len(wrong) <= MOST_GUESSED * len(turns)
    while wrong and again:
        again = False
        for shorter in fewer_decisions(program):
            if sum(map(shorter.wrong, wrong)) < len(wrong):
                left = list(filter(shorter.wrong, turns))
                if len(left) < len(wrong):
                    program, wrong, again = shorter, left, True
                    break
    return program


def without_idle_words(program: Program, turns: Sequence[Turn]) -> Program:
    """The program without decisions and tests that no turn needs: they come of crowds explained wrongly."""
    hard = sorted(turns, key=lambda turn: turn.before == turn.after)
    if any(map(program.wrong, hard)):
        return program
    again = True
    while again:
        again = False
        for shorter in shortened(program):
            wrong = next((n for n, turn in enumerate(hard) if shorter.wrong(turn)), None)
            if wrong is None:
                program, again = shorter, True
                break
            hard.insert(0, hard.pop(wrong))  # what tells most is asked first
    return program


def shortened(program: Program) -> Iterator[Program]:
    """The program without one of its decisions, those with the fewest examples first.

    Of a large one, in which the crowds have their part, also without one test, or one decision and one test.
    """
    shorter = list(fewer_decisions(program))
    yield from shorter
    if program.cost > PLAIN:
        for one in (program, *shorter):
            yield from with_a_test_less(one)


def fewer_decisions(program: Program) -> Iterator[Program]:
    """The program without one of its decisions, those with the fewest examples first."""
    places = sorted(
        (one.support, number, place)
        for number, part in enumerate(program.parts)
        for place, one in enumerate(part.decisions.decisions)
    )
    yield from (with_decisions(program, number, place, ()) for _, number, place in places)


def with_a_test_less(program: Program) -> Iterator[Program]:
    """The program without one of the tests of its decisions."""
    for number, part in enumerate(program.parts):
        for place, one in enumerate(part.decisions.decisions):
            for test in one.tests:
                fewer = one._replace(tests=tuple(other for other in one.tests if other is not test))
                yield with_decisions(program, number, place, (fewer,))


def with_decisions(program: Program, number: int, place: int, instead: tuple[Decision, ...]) -> Program:
    """The program with others in place of one decision of a part."""
    listed = program.parts[number].decisions
    decisions = (*listed.decisions[:place], *instead, *listed.decisions[place + 1 :])
    parts = list(program.parts)
    parts[number] = replace(program.parts[number], decisions=replace(listed, decisions=decisions))
    return replace(program, parts=tuple(parts))


def fitted(
    examples: dict[str, list[Example]],
    structure: Structure,
    shake: random.Random | None,
    limit: float = math.inf,
) -> Program | None:
    """The best parts for each subject; None where one has none."""
    parts: list[Part] = []
    least = {subject: least_cost(subject, given, structure) for subject, given in examples.items()}
    left = limit - sum(least.values())  # what may be spent beyond what all cost at least
    for subject, given in examples.items():
        found = best_part(subject, given, structure, shake, least[subject] + left) if left >= 0 else None
        if found is None:
            return None
        parts += found
        left -= sum(part.decisions.cost for part in found) - least[subject]
    return Program(structure, tuple(parts))


def attributed(
    turns: Sequence[Turn], structure: Structure, subjects: Sequence[str]
) -> tuple[dict[str, list[Example]], list[Cluster]] | None:
    """What each mover did, and the clusters in which that is not plain; None where no mover was near."""
    examples: dict[str, list[Example]] = {subject: [] for subject in subjects}
    clusters: list[Cluster] = []
    for turn in turns:
        board = marked(turn.before, turn.word, structure)
        if structure.joined and not plain(board):
            continue
        anchors = [
            (subject, cell, token)
            for subject in subjects
            for cell, token in subjects_on(board, subject, structure)
        ]
        changes = frozenset(changes_of(turn))
        if len(anchors) == 1:
            subject, at, token = anchors[0]
            if any(structure.distance(board, at, cell) > FAR for _, cell, _ in changes):
                return None
            examples[subject].append(Example(turn, board, at, token, changes))
            continue
        cluster = Cluster(turn, board, tuple(anchors), changes)
        if not shared_out(cluster, structure, examples, clusters):
            return None
    return examples, clusters


def shared_out(
    whole: Cluster,
    structure: Structure,
    examples: dict[str, list[Example]],
    clusters: list[Cluster],
) -> bool:
    """Give each change to those near it; False where nobody is."""
    turn, board, anchors, changes = whole
    far = partial(structure.distance, board)
    if any(all(far(at, cell) > REACH for _, at, _ in anchors) for _, cell, _ in changes):
        return False
    for group in grouped(anchors, far):
        own = frozenset(c for c in changes if any(far(at, c[1]) <= REACH for _, at, _ in group))
        if len(group) == 1:
            subject, at, token = group[0]
            examples[subject].append(Example(turn, board, at, token, own))
        elif len(group) <= CROWD:
            clusters.append(Cluster(turn, board, tuple(group), own))
    return True


def grouped(
    anchors: Sequence[tuple[str, Cell, Token | None]], far: Callable[[Cell, Cell], int]
) -> Iterator[list[tuple[str, Cell, Token | None]]]:
    """The anchors in groups, each further from the others than two can reach together."""
    left = list(anchors)
    while left:
        group = [left.pop()]
        for member in group:
            near = [one for one in left if far(one[1], member[1]) <= 2 * REACH]
            for one in near:
                left.remove(one)
            group += near
        yield group


def distance(a: Cell, b: Cell) -> int:
    """Rows or columns between two cells, whichever is more."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def plain_moves(cluster: Cluster, structure: Structure) -> Iterator[tuple[str, Example]]:
    """What things of a cluster did, if each moves itself, a step at most: those without their like nearby."""
    far = partial(structure.distance, cluster.board)
    for subject, at, token in cluster.anchors:
        if token is None or subject == PICK:
            continue
        like = [cell for _, cell, other in cluster.anchors if other == token and cell != at]
        own = [(sign, cell, thing) for sign, cell, thing in cluster.changes if thing == token]
        there = [cell for sign, cell, _ in own if sign == "+" and far(at, cell) <= 1]
        if any(far(one, cell) <= 1 for one in like for cell in (at, *there)) or len(there) > 1:
            continue
        done: frozenset[Changed] = frozenset()
        if ("-", at, token) in own:
            done = frozenset((("-", at, token), *(("+", cell, token) for cell in there)))
            done |= frozenset() if there else became(cluster, at, token, structure)
        yield subject, Example(cluster.turn, cluster.board, at, token, done)


def closer_moves(cluster: Cluster, structure: Structure) -> list[tuple[str, Example]]:
    """The same looked at closely; nothing where that tells no more.

    What is there with another facing has turned: two that turn side by side have not changed places. And who
    moved has done what else changed where it went, or beside that if nobody else was there: balls that eat
    grass, or push what is in their way, may hardly ever be seen alone.
    """
    done: dict[Mover, frozenset[Changed]] = dict(turned(cluster, structure))
    left = cluster.changes.difference(*done.values())
    names = {subject for subject, _, _ in cluster.anchors}
    others = {one for one in left if structure.name(one[2]) not in names}
    if not done and not others:
        return []
    anchors = tuple(one for one in cluster.anchors if one not in done)
    for subject, one in plain_moves(cluster._replace(anchors=anchors, changes=left), structure):
        done[subject, one.at, one.token or ""] = one.changes
    return [
        (mover[0], Example(cluster.turn, cluster.board, mover[1], mover[2], changes))
        for mover, changes in with_what_was_done(done, others, partial(structure.distance, cluster.board))
    ]


def turned(cluster: Cluster, structure: Structure) -> Iterator[tuple[Mover, frozenset[Changed]]]:
    """What stands where it was with another facing, or another value."""
    for subject, at, token in cluster.anchors:
        own = {one for one in cluster.changes if one[1] == at and structure.name(one[2]) == subject}
        if token is not None and ("-", at, token) in own and sorted(sign for sign, _, _ in own) == ["+", "-"]:
            yield (subject, at, token), frozenset(own)


def with_what_was_done(
    done: dict[Mover, frozenset[Changed]], others: set[Changed], far: Callable[[Cell, Cell], int]
) -> list[tuple[Mover, frozenset[Changed]]]:
    """What movers did to themselves, each with what it did to others where it went, or beside."""
    more = {mover: set(changes) for mover, changes in done.items()}
    for reach in (0, 1):
        for change in sorted(others):
            _, at, token = change
            near = [one for one, own in more.items() if any(far(at, cell) <= reach for _, cell, _ in own)]
            pushed = [one for one in near if any(token == other for _, _, other in more[one])]
            if 1 in (len(pushed), len(near)):
                more[(pushed or near)[0]].add(change)
                others.discard(change)
    return [(mover, frozenset(changes)) for mover, changes in more.items()]


def became(cluster: Cluster, at: Cell, token: Token, structure: Structure) -> frozenset[Changed]:
    """What came of something that is gone, if that is one thing alone which did not step there itself."""
    far = partial(structure.distance, cluster.board)
    came = [
        (sign, cell, other)
        for sign, cell, other in cluster.changes
        if sign == "+"
        and other != token
        and far(at, cell) <= REACH
        and not any(
            far(cell, one) <= 1 for gone, one, like in cluster.changes if (gone, like) == ("-", other)
        )
    ]
    return frozenset(came) if len(came) == 1 else frozenset()


# --- several at once: exact cover -------------------------------------------------------------------------


def covered(cluster: Cluster, program: Program, most: int, *, least: bool) -> Iterator[tuple[str, Example]]:
    """What each mover of a cluster must have done, as far as it is settled.

    Each may have done anything that any mover was seen to do, and `most` of them what the rules do not say.
    What is the same in all that explains the cluster with the fewest such is taken; with `least` in all of
    those that change least.
    """
    options = [repertoire(cluster, anchor, program) for anchor in cluster.anchors]
    fits = explanations(cluster, options, most)
    if least and fits:
        changes = min(sum(map(len, chosen)) for chosen in fits)
        fits = [chosen for chosen in fits if sum(map(len, chosen)) == changes]
    for index, (subject, at, token) in enumerate(cluster.anchors):
        done = {one[index] for one in fits}
        if len(done) == 1:
            yield subject, Example(cluster.turn, cluster.board, at, token, done.pop())


def explanations(
    cluster: Cluster, options: Sequence[Options], most: int
) -> list[tuple[frozenset[Changed], ...]]:
    """What each may have done so that it makes the cluster, with the fewest that do not what the rules say.

    Only those are thought to do something else that could, or should by the rules, change a cell in which the
    rules are wrong.
    """
    said = [one for _, one in options]
    if together(cluster, said):
        return [tuple(said)]
    wrong = {cell for _, cell, _ in frozenset().union(*said) ^ cluster.changes}
    suspects = [
        index
        for index, (choices, own) in enumerate(options)
        if any(cell in wrong for one in (*choices, own) for _, cell, _ in one)
    ]
    for number in range(1, min(most, len(suspects)) + 1):
        found, left = [], COVERS
        for who in combinations(suspects, number):
            for others in product(*([one for one in options[n][0] if one != said[n]] for n in who)):
                left -= 1
                if left < 0:
                    return []
                chosen = list(said)
                for index, other in zip(who, others, strict=True):
                    chosen[index] = other
                if together(cluster, chosen):
                    found.append(tuple(chosen))
        if found:
            return found
    return []


def repertoire(cluster: Cluster, anchor: tuple[str, Cell, Token | None], program: Program) -> Options:
    """All that a mover could do from here, and what the rules so far say that it does."""
    subject, at, token = anchor
    word = cluster.turn.word
    found = {frozenset[Changed]()}
    said = frozenset[Changed]()
    for part in program.parts:
        if part.subject != subject or (
            part.words is not None and meaning(program.structure, word) not in part.words
        ):
            continue
        direction = part.direction(token, word)

        def made(
            outcome: Outcome, part: Part = part, direction: str | None = direction
        ) -> frozenset[Changed]:
            return frozenset(
                (sign, program.structure.cell(cluster.board, cell), thing)
                for sign, cell, thing in part.view.apply(outcome, at, direction, token)
                if thing is not None
            )

        said = made(part.outcome(cluster.board, at, direction, word))
        for decision in part.decisions.decisions:
            done = made(decision.outcome)
            if all(possible(cluster.board, change) for change in done):
                found.add(done)
    return sorted(found, key=sorted), said


def possible(board: Board, change: Changed) -> bool:
    """Can this go from there, or come to there?"""
    sign, cell, token = change
    stack = board.at(cell)
    return stack is not None and (sign == "+" or token in stack)


def together(cluster: Cluster, done: Sequence[frozenset[Changed]]) -> bool:
    """Do these together make exactly what was seen to change?"""
    return effect(cluster.board, done) == cluster.changes


def effect(board: Board, done: Sequence[frozenset[Changed]]) -> frozenset[Changed]:
    """What several do together. Where one goes and its like comes nothing changes, nor where its like is."""
    gone = {(cell, token) for one in done for sign, cell, token in one if sign == "-"}
    come = {(cell, token) for one in done for sign, cell, token in one if sign == "+"}
    fresh = {(cell, token) for cell, token in come - gone if token not in (board.at(cell) or ())}
    return frozenset({("-", *one) for one in gone - come} | {("+", *one) for one in fresh})


# --- cells ------------------------------------------------------------------------------------------------


def cell_program(
    turns: Sequence[Turn],
    structure: Structure,
    changed: Sequence[str],
    shake: random.Random | None,
    limit: float,
    hosts: frozenset[str] = frozenset(),
    *,
    full: bool = False,
) -> Program | None:
    """A program in which each cell answers for what changes in it; or where there is one, its host.

    `full`: cells say, too, that nothing comes where something goes.
    """
    return fitted(cell_examples(turns, structure, changed, hosts, full=full), structure, shake, limit)


def hosted_program(turns: Sequence[Turn], structure: Structure, limit: float = HOSTED) -> Program | None:
    """A program in which what comes to a cell is due to what stands there; None where that cannot be."""
    structure = with_marks(turns, structure)
    hosts = hosts_of(turns, structure)
    if not hosts:
        return None
    with one_thread():
        program = cell_program(turns, structure, changing(turns, structure), None, limit, hosts)
    return program if program is not None and not any(map(program.wrong, turns)) else None
