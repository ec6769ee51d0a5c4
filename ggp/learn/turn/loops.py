"""A turn that is one pass, again and again until nothing changes: what slides until something stops it.

The boards inside such a turn are not seen. Where one thing alone went along a line they are known all the
same, for it stood on every cell of its way. And the board that such a turn ends with is at rest: the same
input changes nothing there. That is what speaks against most turns being loops, and what tells a rule where
to stop. A rule of one pass is learned from these single steps, and must then say every turn that was seen.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from ggp.errors import NotLearned, PuzzleError
from ggp.learn.boards import Board, Token, Turn, pointed, word_of
from ggp.learn.fit.lists import Decision
from ggp.learn.fit.program import Part, Passes, Program, pointing, subjects_on
from ggp.learn.seen.frames import Offset
from ggp.learn.seen.structure import Structure, heading, moves
from ggp.learn.seen.views import PICK, Change, Seen
from ggp.learn.turn.changes import Changed, changes_of
from ggp.learn.turn.events import LIMITS, learn_pass, with_marks
from ggp.model import OFFSETS, Cell

MOST_TIMES = 3  # that a pass is run one after another
ENOUGH = 2  # turns in which something went further than a cell, before a loop is thought of


class Slide(NamedTuple):
    """What went alone, the cells that it stood on, first to last, and what else came or went there.

    `token` is what it was, `became` what it is from its first step on: it may turn to where it goes.
    `beside`: what came or went on its way. `trailing`: what goes along with it step by step, each with its
    cells: the other end of a car. `gone`: it is gone with its last step; and so is what is there, `lost`.
    """

    token: Token
    became: Token
    way: list[Cell]
    beside: Sequence[Changed] = ()
    trailing: Sequence[tuple[Token, list[Cell]]] = ()
    gone: bool = False
    lost: Token | None = None

    def way_from(self, cell: Cell) -> list[Cell] | None:
        """The cells of what begins on one."""
        ways = (self.way, *(way for _, way in self.trailing))
        return next((way for way in ways if way[0] == cell), None)

    def changes(self, number: int) -> Iterator[Changed]:
        """What changes with a step, counted from 0: where it comes something may go, or come as it leaves.

        What changes where it began changes as it leaves.
        """
        source, target = self.way[number : number + 2]
        yield "-", source, self.became if number else self.token
        if self.gone and target == self.way[-1]:
            if self.lost is not None:
                yield "-", target, self.lost
            return
        yield "+", target, self.became
        for one in self.beside:
            leaving = one[0] == "+" or one[1] == self.way[0]
            if one[1] == (source if leaving else target):
                yield one
        for token, way in self.trailing:
            yield from (("-", way[number], token), ("+", way[number + 1], token))


def learn_loop(turns: Sequence[Turn], structure: Structure, shake: random.Random | None) -> Program | None:
    """The loop of one pass that says what was seen; None where there is none, or nothing speaks for one."""
    slides = slides_of(turns, structure)
    if not go_on(slides.values()):
        return None
    steps = single_steps(turns, slides, structure)
    if steps is None:
        return None
    structure = with_marks(turns, structure)
    try:
        program = learn_pass(steps, structure, shake)
    except PuzzleError:
        return None
    if pointed(turns):
        program = carrying(program)
    program = looping(program)
    return None if any(map(program.wrong, turns)) else program


def learn_repeated(
    turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS
) -> Program | None:
    """One pass, two or three times; None where there is none, or nothing speaks for one: stones fall by two.

    Where one thing alone went it went in the first passes, for what rests once rests in all that follow.
    """
    slides = slides_of(turns, structure)
    lengths = Counter(len(slide.way) - 1 for slide in slides.values())
    times = max(lengths, default=0)
    if not 2 <= times <= MOST_TIMES or lengths[times] < ENOUGH:
        return None
    still = (turn for turn in turns if turn.before == turn.after)
    went = (step for turn, slide in slides.items() for step in islice(passes_of(turn, slide), times))
    steps = known_once([*went, *still])
    if steps is None:
        return None
    try:
        program = replace(learn_pass(steps, structure, limits=limits), times=times)
    except NotLearned:
        return None
    return None if any(map(program.wrong, turns)) else program


def learn_step_and_loop(
    turns: Sequence[Turn], structure: Structure, limits: Sequence[float] = LIMITS
) -> Passes:
    """A pass, and one that is repeated until nothing changes; raises NotLearned where there is none."""
    slides = slides_of(turns, structure)
    picked = pointed(turns)
    if not picked and go_on(slides.values()):
        firsts = known_once(first_step(turn, slides.get(turn)) for turn in turns if plain(turn, slides))
        laters = known_once(step for turn in turns for step in later_steps(turn, slides.get(turn)))
        if firsts is not None and laters is not None:
            first = learn_pass(firsts, structure, limits=limits)
            passes = Passes(structure, (first, looping(learn_pass(laters, structure, limits=limits))))
            if not any(map(passes.wrong, turns)):
                return passes
    raise NotLearned("no step and what goes on after it explain a turn", "record the boards inside a turn")


def go_on(slides: Iterable[Slide]) -> bool:
    """Do several go further than a cell, and not all equally far? Who jumps does."""
    lengths = Counter(len(slide.way) for slide in slides)
    return len(lengths) > 1 and sum(times for length, times in lengths.items() if length > 2) >= ENOUGH


def plain(turn: Turn, slides: Mapping[Turn, Slide]) -> bool:
    """Is the first step of a turn known: that of a slide, or all, as nothing went further?"""
    changes = len(list(changes_of(turn)))
    return turn in slides or changes == 2 * len(list(moves(turn, 1)))


def first_step(turn: Turn, slide: Slide | None) -> Turn:
    """The first step of a slide; of another turn all of it."""
    return next(passes_of(turn, slide)) if slide is not None else turn


def later_steps(turn: Turn, slide: Slide | None) -> Iterator[Turn]:
    """What is known of what comes after the first step."""
    return islice(passes_of(turn, slide), 1 if slide is not None else 0, None)


def slides_of(turns: Iterable[Turn], structure: Structure) -> dict[Turn, Slide]:
    """The slide of each turn that is one. Where edges join, which way round something went is not plain."""
    if structure.joined:
        return {}
    turns = list(turns)
    found = {turn: slide for turn in turns if (slide := slide_of(turn, structure)) is not None}
    ways = {(structure.name(one.became), heading(one.way[0], one.way[-1])) for one in found.values()}
    stops = stops_of({name for name, _ in ways}, turns, structure)
    for turn in turns:
        if turn not in found:
            lost = lost_with_another(turn, structure, ways, stops) or lost_alone(turn, structure, stops)
            if lost is not None:
                found[turn] = lost
    return found


def lost_with_another(
    turn: Turn,
    structure: Structure,
    ways: Collection[tuple[str, str | None]],
    stops: Mapping[str, Collection[str]],
) -> Slide | None:
    """What went where its like is known to go, and is gone with what it came to, if nothing else changed.

    It was not what its like stops at: then both are gone for another reason.
    """
    changes = list(changes_of(turn))
    if [sign for sign, _, _ in changes] != ["-", "-"]:
        return None
    for (_, source, token), (_, target, lost) in (changes, changes[::-1]):
        way, name = cells_between(source, target), structure.name(token)
        if (name, heading(source, target)) not in ways or structure.name(lost) in stops[name]:
            continue
        if all(
            {name, structure.name(other)} not in structure.apart
            for cell in way[1:-1]
            for other in turn.before.at(cell) or ()
        ):
            return Slide(token, token, way, gone=True, lost=lost)
    return None


def lost_alone(turn: Turn, structure: Structure, stops: Mapping[str, Collection[str]]) -> Slide | None:
    """What is gone, and nothing else has changed: it came to the first thing with which it is never seen.

    That may be a hole; what its like stops at it is not.
    """
    changes = list(changes_of(turn))
    way = pointing(structure, turn.word)
    if len(changes) != 1 or changes[0][0] != "-" or way is None:
        return None
    _, (row, column), token = changes[0]
    name, (down, right) = structure.name(token), OFFSETS[way]
    cells = [(row, column)]
    while name in stops and turn.before.inside((row + down, column + right)):
        row, column = row + down, column + right
        cells.append((row, column))
        there = set(map(structure.name, turn.before.at((row, column)) or ()))
        if not there.isdisjoint(stops[name]):
            return None
        if any({name, other} in structure.apart | structure.perhaps for other in there):
            return Slide(token, token, cells, gone=True)
    return None


def stops_of(names: Collection[str], turns: Iterable[Turn], structure: Structure) -> dict[str, set[str]]:
    """What each of these names stops at: what stands ahead of it at the end, where an input points."""
    found: dict[str, set[str]] = {name: set() for name in names}
    for turn in turns:
        way = pointing(structure, turn.word)
        if way is None:
            continue
        down, right = OFFSETS[way]
        for name in names:
            for (row, column), _ in subjects_on(turn.after, name, structure):
                ahead = turn.after.at((row + down, column + right))
                found[name] |= set(map(structure.name, ahead or ()))
    return found


def cells_between(source: Cell, target: Cell) -> list[Cell]:
    """The cells of a line, both ends among them."""
    far = abs(source[0] - target[0]) + abs(source[1] - target[1]) or 1
    down, right = (target[0] - source[0]) // far, (target[1] - source[1]) // far
    return [(source[0] + n * down, source[1] + n * right) for n in range(far + 1)]


def slide_of(turn: Turn, structure: Structure) -> Slide | None:
    """What went along a line in a turn, through cells without its like, if all else changed on its way.

    It may take what stands there, and leave something behind; what comes where it ends is none of it.
    """
    changes = list(changes_of(turn))
    for gone, come in gone_and_come(changes, structure) if len(changes) > 1 else ():
        (_, source, token), (_, target, became) = gone, come
        if heading(source, target) is None:
            continue
        way = cells_between(source, target)
        if any({token, became} & (turn.before.at(cell) or frozenset()) for cell in way[1:]):
            continue  # several may have gone, each a part of the way
        beside = [one for one in changes if one not in (gone, come)]
        if all(cell in way and (sign, cell) != ("+", target) for sign, cell, _ in beside):
            return Slide(token, became, way, beside)
    return train_of(turn, changes)


def train_of(turn: Turn, changes: Sequence[Changed]) -> Slide | None:
    """Different things that all went as far as what was picked, in its line, if nothing else changed."""
    gone = {token: cell for sign, cell, token in changes if sign == "-"}
    come = {token: cell for sign, cell, token in changes if sign == "+"}
    if gone.keys() != come.keys() or len(changes) != 2 * len(gone) or len(gone) < 2:
        return None
    if turn.word is None or word_of(turn.word).cell not in gone.values():
        return None
    ways = {token: (come[token][0] - cell[0], come[token][1] - cell[1]) for token, cell in gone.items()}
    (down, right), *others = sorted(set(ways.values()))
    far = max(abs(down), abs(right))
    if others or not far or 0 not in (down, right):
        return None
    step = down // far, right // far
    (token, way), *trailing = (
        (token, [(row + n * step[0], column + n * step[1]) for n in range(far + 1)])
        for token, (row, column) in sorted(gone.items())
    )
    return Slide(token, token, way, (), trailing)


def gone_and_come(changes: Sequence[Changed], structure: Structure) -> Iterator[tuple[Changed, Changed]]:
    """What has gone from one cell and come to one, each name by itself: it may have another facing there."""
    for name in dict.fromkeys(structure.name(token) for _, _, token in changes):
        own = [one for one in changes if structure.name(one[2]) == name]
        gone, come = ([one for one in own if one[0] == sign] for sign in "-+")
        if len(gone) == len(come) == 1:
            yield gone[0], come[0]


def single_steps(turns: Sequence[Turn], slides: dict[Turn, Slide], structure: Structure) -> list[Turn] | None:
    """The single passes that are known; None where one of them is known to go on differently."""
    at_once = [turn for turn in turns if turns_alone(turn, structure)]
    return known_once([*at_once, *(step for turn in turns for step in passes_of(turn, slides.get(turn)))])


def turns_alone(turn: Turn, structure: Structure) -> bool:
    """Does one thing turn to another facing where it stands, and nothing else happens? That is one pass."""
    changes = list(changes_of(turn))
    pairs = list(gone_and_come(changes, structure))
    return len(changes) == 2 and any(gone[1] == come[1] for gone, come in pairs)


def known_once(turns: Iterable[Turn]) -> list[Turn] | None:
    """Each turn once; None where two of them begin alike and end differently."""
    known: dict[tuple[Board, str | None], Board] = {}
    for turn in turns:
        if known.setdefault((turn.before, turn.word), turn.after) != turn.after:
            return None
    return [Turn(before, word, after) for (before, word), after in known.items()]


def passes_of(turn: Turn, slide: Slide | None) -> Iterator[Turn]:
    """What is known of the passes of a turn: each of a slide, and that nothing happens at its end."""
    word = turn.word
    if slide is not None:
        cell = word_of(word).cell if word is not None else None
        picked = slide.way if cell is None else slide.way_from(cell)
        if picked is None:
            return  # it does not go with what was picked, so where the mark is now cannot be said
        board = turn.before
        for number, target in enumerate(picked[1:]):
            following = changed(board, slide.changes(number))
            yield Turn(board, word, following)
            board, word = following, pointing_at(word, target)
        yield Turn(board, word, board)
    elif turn.before == turn.after or word is None or word_of(word).cell is None:
        yield Turn(turn.after, word, turn.after)


def moved(board: Board, token: Token, source: Cell, target: Cell) -> Board:
    """The board with one thing on another cell."""
    return changed(board, (("-", source, token), ("+", target, token)))


def changed(board: Board, changes: Iterable[Changed]) -> Board:
    """The board after some changes."""
    cells = list(board.cells)
    for sign, (row, column), token in changes:
        index = row * board.width + column
        cells[index] = cells[index] - {token} if sign == "-" else cells[index] | {token}
    return Board(board.height, board.width, tuple(cells))


def pointing_at(word: str | None, cell: Cell) -> str | None:
    """The same input, pointing at another cell if it points at one."""
    parts = word_of(word) if word is not None else None
    if parts is None or parts.cell is None:
        return word
    toward = f",{parts.toward}" if parts.toward is not None else ""
    return f"{parts.verb}({cell[0]},{cell[1]}{toward})"


def looping(program: Program) -> Program:
    """The program repeated until nothing changes. There no rule says that something rests: others do less."""
    parts = []
    for part in program.parts:
        busy = tuple(without_rests(part.decisions.decisions))
        parts.append(replace(part, decisions=replace(part.decisions, decisions=busy)))
    return replace(program, parts=tuple(parts), loop=True)


def without_rests(decisions: Sequence[Decision]) -> list[Decision]:
    """The decisions without those under which nothing happens: later ones ask that these do not hold."""
    for index, rest in enumerate(decisions):
        if not rest.outcome:
            later = without_rests(decisions[index + 1 :])
            denied = [test._replace(wanted=not test.wanted) for test in rest.tests]
            narrower = [one._replace(tests=(*one.tests, test)) for one in later for test in denied]
            return [*decisions[:index], *narrower]
    return list(decisions)


# --- the mark goes with what was picked -------------------------------------------------------------------


def carrying(program: Program) -> Program:
    """The program in which the mark of a pick goes where the thing goes on which it stands."""
    return replace(program, parts=tuple(map(carrying_part, program.parts)))


def carrying_part(part: Part) -> Part:
    """A part whose outcomes take the mark along."""
    decisions = tuple(carrying_decision(part, one) for one in part.decisions.decisions)
    return replace(part, decisions=replace(part.decisions, decisions=decisions))


def carrying_decision(part: Part, decision: Decision) -> Decision:
    """A decision whose outcome takes the mark along."""
    marks: dict[Offset, Seen] = {
        test.offset: thing
        for test in decision.tests
        if test.wanted and len(test.things) == 1
        for thing in test.things
        if thing.name == PICK
    }
    if part.subject == PICK:
        faced = any(family == PICK for family, _ in part.view.structure.facing.values())
        marks[0, 0] = Seen(PICK, "ahead" if faced else "")
    more: list[Change] = []
    for gone in decision.outcome:
        if gone.sign == "-" and gone.offset in marks:
            for come in decision.outcome:
                if come.sign == "+" and come.thing == gone.thing:
                    more += [Change("-", gone.offset, marks[gone.offset])]
                    more += [Change("+", come.offset, marks[gone.offset])]
    return decision._replace(outcome=tuple(sorted((*decision.outcome, *more))))
