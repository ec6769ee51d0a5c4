"""What a thing faces is not shown: the bits that are needed are invented.

What goes several ways though nothing that is seen says which one needs a facing. Its habits say which facing
it has on each board (`ggp.learn.habits`); with these written in, the game is learned as any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from ggp.errors import NotLearned
from ggp.learn.boards import Board, Episode, Token, Turn, known_once, turns_of
from ggp.learn.fit.program import Passes, Program
from ggp.learn.habits import Chance, Habits, Likely, Track, habits_of, likely, standing, tracks
from ggp.learn.seen.going import moves
from ggp.learn.seen.structure import structure_of
from ggp.learn.turn.turns import learn_program
from ggp.learn.whole import Learned, learn_whole
from ggp.model import DIRECTIONS, Cell
from ggp.model.shown import number_of

SURE = 0.95  # what is less likely is in doubt
STRANGE = 0.02  # how much less likely it is what the rules so far do not say
ROUNDS = 8
LEAST = 3  # one turn of so many must be beyond doubt
OPPOSITE = (("left", "right"), ("up", "down"))

Faces = dict[tuple[int, Cell], str]
"""What is known of facings on the boards of a run: by the number of the board, and the cell."""


def positions_only(episodes: Sequence[Episode]) -> list[Episode]:
    """The runs with no thing's facing shown."""
    return [in_place(one, list(map(positions, one.boards()))) for one in episodes]


def positions(board: Board) -> Board:
    """The board with no thing's facing shown."""
    cells = tuple(frozenset(map(without_facing, stack)) for stack in board.cells)
    return Board(board.height, board.width, cells)


def without_facing(token: Token) -> Token:
    """A token without its facing, if its name tells one."""
    stem, colon, end = token.rpartition(":")
    return stem if colon and end in DIRECTIONS else token


def in_place(episode: Episode, boards: Sequence[Board]) -> Episode:
    """A run with other boards."""
    steps = tuple(
        replace(step, after=board, frames=()) for step, board in zip(episode.steps, boards[1:], strict=True)
    )
    placed = tuple(put._replace(token=without_facing(put.token)) for put in episode.placed)
    return replace(episode, start=boards[0], steps=steps, placed=placed)


def learn_positions(episodes: Sequence[Episode], name: str = "learned") -> Learned:
    """Learn a game from runs of which no facing is looked at; a facing is invented for what needs one.

    What goes left and right by itself does: where it goes next, its place does not say.
    """
    shown = positions_only(episodes)
    token, ways = mover(shown)
    if token is None or (driven(shown) and known_once(turns_of(shown)) is not None):
        return learn_whole(shown, name)
    kept, line = with_facings(shown, token, ways)
    learned = learn_whole(kept, name)
    return replace(learned, evidence=(line, *learned.evidence), invented=token)


def with_facings(episodes: Sequence[Episode], token: Token, ways: Sequence[str]) -> tuple[list[Episode], str]:
    """The parts of runs in which no facing of something is in doubt, with these, and a line that says so.

    Raises NotLearned where that is less than a third of what was seen.
    """
    followed = [tracks(one, token, ways) for one in episodes]
    if driven(episodes):
        habits = habits_of([track for some in followed for track in some], ways)
        faces = [known((track, likely(track, habits)) for track in some) for some in followed]
    else:
        faces = agreed(list(zip(episodes, followed, strict=True)), token, Habits(ways))
    kept = [part for one, some in zip(episodes, faces, strict=True) for part in stretches(one, token, some)]
    number, left = (sum(len(one.steps) for one in some) for some in (episodes, kept))
    if LEAST * left < number or not left:
        raise NotLearned(f"no facings of {token} make sense of a third of the turns", "record more play")
    said = f"{token} faces {' or '.join(ways)}: that is not shown, but invented"
    return kept, f"{said}; {number_of('turn', number - left)} in which it stays in doubt left out"


def upto_last_seen(track: Track, ways: Sequence[str]) -> Track:
    """The track up to the last time that it goes one of the ways: what it faces after that nothing shows."""
    last = max((n for n, one in enumerate(track.strides, start=1) if one.went in ways), default=0)
    return track._replace(cells=track.cells[: last + 1] if last else [], strides=track.strides[:last])


def known(told: Iterable[tuple[Track, Likely]]) -> Faces:
    """The facings that are beyond doubt."""
    return {
        (track.first + number, track.cells[number]): way
        for track, one in told
        for number, shares in enumerate(one.facings)
        for way, share in shares.items()
        if share >= SURE
    }


def agreed(runs: Sequence[tuple[Episode, list[Track]]], token: Token, habits: Habits) -> list[Faces]:
    """The facings that rules say which were learned from those that habits leave no doubt of, and so on.

    Of few turns without inputs rules are soon found, and they say more than habits do. Of a run that they
    say otherwise in the end no facing is known.
    """
    program: Program | Passes | None = None
    shown = [[upto_last_seen(track, habits.facings) for track in some] for _, some in runs]
    faces = [known((track, likely(track, habits)) for track in some) for some in shown]
    for _ in range(ROUNDS):
        parts = [
            part for (one, _), some in zip(runs, faces, strict=True) for part in stretches(one, token, some)
        ]
        turns = list(dict.fromkeys(turns_of(parts)))
        try:
            program = learn_program(turns, structure_of(turns))
        except NotLearned:
            break
        found = []
        for (episode, some), before in zip(runs, faces, strict=True):
            boards = list(episode.boards())
            judges = (by_rules(program, episode, boards, token, before, track, habits) for track in some)
            found.append(
                known((track, likely(track, habits, j)) for track, j in zip(some, judges, strict=True))
            )
        if found == faces:
            break
        faces = found
    return [
        {} if program is None or any(map(program.wrong, turns_of(stretches(one, token, some)))) else some
        for (one, _), some in zip(runs, faces, strict=True)
    ]


def by_rules(
    program: Program | Passes,
    episode: Episode,
    boards: Sequence[Board],
    token: Token,
    faces: Faces,
    track: Track,
    habits: Habits,
) -> Chance:
    """A judge of the strides of one thing: rules, where the others' facings are known, else habits."""

    def shown(number: int, at: int, way: str) -> Board | None:
        others = {cell: faces.get((number, cell)) for cell in standing(boards[number], token)}
        return faced(boards[number], token, {**others, track.cells[at]: way})

    def chance(at: int, old: str, new: str) -> float:
        number = track.first + at
        before, after = shown(number, at, old), shown(number + 1, at + 1, new)
        usual = habits.chance(track.strides[at], old, new)
        if track.strides[at].idle:
            return usual
        if before is None or after is None:
            return usual
        return STRANGE * usual if program.wrong(Turn(before, episode.steps[number].word, after)) else 1.0

    return chance


def stretches(episode: Episode, token: Token, faces: Faces) -> Iterator[Episode]:
    """The parts of a run in which all facings of something are known, with these."""
    boards: list[Board | None] = []
    for number, board in enumerate(episode.boards()):
        known = {cell: faces.get((number, cell)) for cell in standing(board, token)}
        boards.append(faced(board, token, known))
    for sure, numbers in groupby(range(len(boards)), key=lambda number: boards[number] is not None):
        first, *_, last = [*numbers] * 2
        if sure and last > first:
            shown = [board for board in boards[first : last + 1] if board is not None]
            yield in_place(between(episode, first, last), shown)


def between(episode: Episode, first: int, last: int) -> Episode:
    """A run from one of its boards to another."""
    steps = episode.steps[first:last]
    if not first:
        return replace(episode, steps=steps)
    before = episode.steps[first - 1]
    return Episode(before.after, steps, before.won, before.lost, episode.level)


def mover(episodes: Sequence[Episode]) -> tuple[Token | None, tuple[str, ...]]:
    """What goes to and fro under the same input, most often, and the ways that it goes; None if nothing does.

    What falls goes down, and never up: that is no facing.
    """
    went: dict[Token, Counter[tuple[str | None, str]]] = {}
    for turn in turns_of(episodes):
        for token, direction in moves(turn, 1):
            went.setdefault(token, Counter())[turn.word, direction] += 1
    both = {
        token: {pair: sum(min(found[word, way] for way in pair) for word, _ in found) for pair in OPPOSITE}
        for token, found in went.items()
    }
    if not any(any(pairs.values()) for pairs in both.values()):
        return None, ()
    token = max(both, key=lambda one: (sum(both[one].values()), one))
    ways = {way for pair, number in both[token].items() if number for way in pair}
    return token, tuple(way for way in (*OPPOSITE[0], *OPPOSITE[1]) if way in ways)


def driven(episodes: Sequence[Episode]) -> bool:
    """Are there inputs? What goes both ways under them may do so for what is seen."""
    return any(turn.word is not None for turn in turns_of(episodes))


def faced(board: Board, token: Token, ways: Mapping[Cell, str | None]) -> Board | None:
    """The board with a facing of the thing written in wherever it stands; None where one is not known."""
    cells = list(board.cells)
    for (row, column), way in ways.items():
        if way is None:
            return None
        number = row * board.width + column
        cells[number] = cells[number] - {token} | {f"{token}:{way}"}
    return Board(board.height, board.width, tuple(cells))
