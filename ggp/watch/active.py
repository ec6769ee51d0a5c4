"""Few turns: several programs that fit are kept, and turns are made on which they say different things.

The programs are smallest ones under slightly different prices of what tests cost. It ends when they agree on
all of many made boards, several times in a row; without a description nothing more can be said.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from ggp.errors import PuzzleError
from ggp.learn.boards import Board, Episode, Token, Turn, turns_of
from ggp.learn.deeds import sensible
from ggp.learn.fit.program import Part, Program, marked, meaning, subjects_on
from ggp.learn.probe.making import Maker
from ggp.learn.seen.frames import Offset
from ggp.learn.seen.structure import structure_of
from ggp.learn.seen.views import Look
from ggp.learn.turn.turns import learn_program
from ggp.model import Cell
from ggp.watch import World

COMMITTEE = 4  # programs that are kept
CANDIDATES = 120  # boards and inputs looked at for each turn that is played
OF_RUNS = 400  # boards looked at for each run of a game that goes on by itself, of which few are played
QUIET = 3  # so many times in a row they must agree on all of these
MOST = 200  # runs, unless said otherwise: a turn each, or where a game goes on by itself several
ALONE = 20  # turns of a game that goes on by itself
MOST_CELLS = 3  # whose contents together make a context
BESIDE = ((1, 0), (-1, 0), (0, 1), (0, -1))  # around what goes by itself, whatever its rules look at
AHEAD = 3  # cells ahead that make a wider one, together

Say = Callable[[str], None]


def silent(message: str) -> None:
    """Say nothing."""


@dataclass
class Active:
    """What was played, what fits it all, and what is certain."""

    episodes: list[Episode] = field(default_factory=list)
    programs: list[Program] = field(default_factory=list)
    looked_at: int = 0
    settled: bool = False

    @property
    def turns(self) -> list[Turn]:
        """Every turn that was played."""
        return list(turns_of(self.episodes))

    @property
    def text(self) -> str:
        """How certain it is, in a line."""
        agree = "agree" if self.settled else "do not agree yet"
        count = len(self.programs)
        return f"{len(self.turns)} turns, {count} programs that fit {agree} on {self.looked_at} made turns"


def play_actively(world: World, rng: random.Random, most: int | None = None, *, say: Say = silent) -> Active:
    """Play the turns that tell programs apart, so many at most; raises PuzzleError without a board."""
    own = list(world.levels())
    if not own:
        raise PuzzleError(f"{world.name} gives no board to begin with", "add a level to it")
    sides = getattr(world, "sides", None)
    structure = structure_of([Turn(board, None, board) for board in own])
    maker = Maker(own, structure, edge=getattr(world, "edge", frozenset()), sides=sides)
    result, quiet = Active(), 0
    candidates = CANDIDATES if any(map(world.inputs, own)) else OF_RUNS

    def ask(board: Board) -> list[str | None]:
        words = world.inputs(board)
        return [sensible(words, board, rng)] if words else [None] * ALONE

    while len(result.episodes) < (most or MOST) and quiet < QUIET:
        keep_those_that_fit(result, rng)
        board, words, useful = query(own, maker, result, rng, ask, candidates)
        quiet = 0 if useful or len(result.programs) < 2 else quiet + 1
        for episode in world.play([(board, words)]):
            if episode is not None and episode.steps:
                result.episodes.append(episode)
        say(f"{len(result.episodes)} runs, {len(result.programs)} programs")
    keep_those_that_fit(result, rng)
    result.settled = quiet >= QUIET
    return result


def keep_those_that_fit(result: Active, rng: random.Random) -> None:
    """Drop the programs that are wrong by now, and learn others in their place; the smallest comes first."""
    turns = list(dict.fromkeys(result.turns))
    result.programs = [p for p in result.programs if not any(map(p.wrong, turns))]
    if not any(turn.before != turn.after for turn in turns) or result.programs[COMMITTEE // 2 :]:
        return
    structure = structure_of(turns)
    while len(result.programs) < COMMITTEE:
        shake = random.Random(rng.random()) if result.programs else None
        try:
            result.programs.append(learn_program(turns, structure, shake))
        except PuzzleError:
            break
    # Prices that are shaken lead past what usual ones get stuck at, so the smallest may be any of them.
    result.programs.sort(key=size)


def size(program: Program) -> int:
    """How many decisions and tests a program has, whatever these were said to cost."""
    return sum(1 + len(one.tests) for part in program.parts for one in part.decisions.decisions)


def query(
    own: Sequence[Board],
    maker: Maker,
    result: Active,
    rng: random.Random,
    ask: Callable[[Board], list[str | None]],
    candidates: int,
) -> tuple[Board, list[str | None], bool]:
    """Of so many made runs the one that tells most; and does it tell anything?"""
    best: tuple[tuple[Prospect, float], Board, list[str | None]] | None = None
    known = contexts_seen(result)
    for _ in range(candidates if result.programs else 1):
        board = maker.make(rng) if rng.random() < 0.9 else rng.choice(list(own))
        words = ask(board)
        key = prospect(board, words, result.programs, known), rng.random() - len(board.cells) / 50
        if best is None or key > best[0]:
            best = (key, board, words)
    result.looked_at += candidates if result.programs else 0
    assert best is not None
    return best[1], best[2], any(best[0][0])


class Prospect(NamedTuple):
    """What a run would tell, the more the better, the first of all that counts before the second.

    `telling`: turns that show something: a context that is new, or which of two programs is wrong. A run of
    one turn shows one thing at most, and of several each counts: who rests for most of it shows little.
    `unlike`: how many more things than one programs say of it. `fresh`: new contexts, `wider`: wider ones.
    """

    telling: int
    unlike: int
    fresh: int
    wider: int


def prospect(
    board: Board, words: Sequence[str | None], programs: Sequence[Program], known: set[Context]
) -> Prospect:
    """What a run would tell of these programs. Contexts are those of the first one, on its own way."""
    runs = [foretold(program, board, words) for program in programs]
    said, new, telling = set(map(tuple, runs)), set[Context](), set[int]()
    for number, (before, word) in enumerate(zip([board, *runs[0]] if runs else (), words, strict=False)):
        shown = contexts(programs[0], before, word) - known - new if before is not None else set()
        new |= shown
        if shown:
            telling.add(number)
    for other in runs[1:]:
        apart = (n for n, (one, two) in enumerate(zip(runs[0], other, strict=False)) if one != two)
        telling |= set(islice(apart, 1))
    wider = sum(bool(one.way) for one in new)
    return Prospect(len(telling), max(0, len(said) - 1), len(new) - wider, wider)


def foretold(program: Program, board: Board, words: Sequence[str | None]) -> list[Board | None]:
    """The boards after each turn, as a program says; None where it says nothing.

    It ends where the run begins to go as it went before: nothing more is seen then.
    """
    run: list[Board | None] = []
    now: Board | None = board
    begun = set[tuple[Board, str | None]]()
    for word in words:
        if now is None or (now, word) in begun:
            break
        begun.add((now, word))
        now = program.after(now, word)
        run.append(now)
    return run


class Context(NamedTuple):
    """A subject, and what stands on cells that matter to it. `way`: of a wider one, what else tells it apart.

    Wider are those that tell one direction from another, and those that look further ahead: rules may differ
    there, though none that is thought of does.
    """

    subject: str
    looks: tuple[Look, ...]
    way: str = ""


def contexts_seen(result: Active) -> set[Context]:
    """Every context of the first program in what was played."""
    if not result.programs:
        return set()
    first = result.programs[0]
    return set().union(*(contexts(first, turn.before, turn.word) for turn in result.turns))


def contexts(program: Program, board: Board, word: str | None) -> set[Context]:
    """The contexts of a program's subjects: what is on the cells that its rules look at or change."""
    board = marked(board, word, program.structure)
    found = set()
    for part, at, token in list(program.anchors(board, word)) or anywhere(program, board):
        direction = part.direction(token, word)
        looks = part.view.window(board, at, direction, relevant(part))
        found.add(Context(part.subject, looks))
        if direction is not None and part.view.frame.toward == "input":
            line = [(steps, 0) for steps in range(AHEAD + 1)]
            found.add(Context(part.subject, looks, direction))
            found.add(Context(part.subject, part.view.window(board, at, direction, line), "ahead"))
        elif part.view.frame.toward == "facing":
            found.add(Context(part.subject, part.view.window(board, at, direction, BESIDE), "beside"))
        elif word is not None:  # that it says nothing of inputs may be for want of others
            found.add(Context(part.subject, looks, meaning(program.structure, word)))
    return found


def anywhere(program: Program, board: Board) -> list[tuple[Part, Cell, Token | None]]:
    """Each part with each of its subjects, for an input of which no part says anything yet."""
    return [
        (part, at, token)
        for part in program.parts
        for at, token in subjects_on(board, part.subject, program.structure)
    ]


def relevant(part: Part) -> list[Offset]:
    """The nearest few cells that a part looks at or changes."""
    offsets = {test.offset for decision in part.decisions.decisions for test in decision.tests}
    offsets |= {change.offset for decision in part.decisions.decisions for change in decision.outcome}
    if part.view.frame.toward == "input":
        offsets |= {(1, 0), (2, 0)}
    return sorted(offsets, key=lambda o: (abs(o[0]) + abs(o[1]), o))[:MOST_CELLS]
