"""A whole game from recorded play: kinds, inputs, rules, goals, levels, and the evidence for each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ggp.errors import PuzzleError
from ggp.learn.boards import Board, Episode, Stack, Step, Token, Turn, boards_inside, turns_of, word_of
from ggp.learn.emit import Vocabulary, with_program
from ggp.learn.goals import LearnedGoal, learn_goal, terms
from ggp.learn.program import Passes, Program
from ggp.learn.structure import Structure, structure_of
from ggp.learn.turns import learn_turn
from ggp.learn.views import PICK
from ggp.model import DIRECTIONS, Game, Goal, Input, Kind, Level, Piece, Term

WORDS = frozenset(
    "no outside inside input remove add turn stay here every some on off up right down left ahead rightward "
    "behind leftward count".split()
)
SYMBOLS = "#@$*oxEGOQSTXABCDFHIJKLMNPRUVWYZabcdefghijklmnpqrstuvwyz0123456789%&+=~!?:;/()[]{}<>^|,"
MOST_LEVELS = 12
HORIZON = 40  # of a learned game that takes no inputs: so many turns it is let run


@dataclass(frozen=True)
class Learned:
    """A game as it was learned, its levels, and what it rests on."""

    game: Game
    levels: tuple[Level, ...]
    program: Program | Passes
    structure: Structure
    goal: LearnedGoal | None
    evidence: tuple[str, ...]
    turns: int


def learn_whole(episodes: Sequence[Episode], name: str = "learned") -> Learned:
    """Learn a game from runs; raises PuzzleError where there are none, or where no rules explain them."""
    turns = list(turns_of(episodes))
    if not turns:
        raise PuzzleError("there are no turns to learn from", "record some play")
    refuse_contradictions(turns)
    structure = structure_of(turns, boards_inside(episodes))
    program = learn_turn(episodes, structure)
    won, lost = learn_goal(episodes, structure), learn_goal(episodes, structure, "lost", 1)
    shell, vocabulary = shell_of(turns, episodes, structure, name)
    kinds = {structure.name(t): vocabulary.pieces[t].kind for t in structure.tokens}
    goal = Goal(terms(won.claims, kinds) if won is not None else (), "any-turn")
    if lost is not None:
        goal = replace(goal, lose=terms(lost.claims, kinds))
    if won is None:
        goal = replace(goal, terms=never(kinds))
    levels = tuple(levels_of(episodes, vocabulary, takes_inputs=shell.input is not None))
    game = with_program(replace(shell, goal=goal), program, vocabulary)
    evidence = (*structure.evidence, *goal_evidence(won, "won"), *goal_evidence(lost, "lost"))
    return Learned(game, levels, program, structure, won, evidence, len(turns))


def refuse_contradictions(turns: Sequence[Turn]) -> None:
    """Raise PuzzleError for one board and input that had two endings, showing both."""
    first: dict[tuple[Board, str | None], Board] = {}
    for turn in turns:
        other = first.setdefault((turn.before, turn.word), turn.after)
        if other != turn.after:
            raise PuzzleError(
                f"the same board with the input {turn.word or 'none'} went two ways:\n"
                + side_by_side(turn.before, other, turn.after),
                "the game is not a function of what is seen: it has chance in it, or hides something",
            )


def side_by_side(*boards: Board) -> str:
    """Boards beside one another, for messages."""
    pictures = [drawn(board) for board in boards]
    return "\n".join("   ".join(rows) for rows in zip(*pictures, strict=True))


def drawn(board: Board) -> list[str]:
    """A small picture: the first letters of what stands in each cell."""
    cells = ["+".join(sorted(stack)) or "." for stack in board.cells]
    wide = max(map(len, cells))
    return [
        " ".join(cell.ljust(wide) for cell in cells[start : start + board.width])
        for start in range(0, len(cells), board.width)
    ]


# --- names ------------------------------------------------------------------------------------------------


def shell_of(
    turns: Sequence[Turn], episodes: Sequence[Episode], structure: Structure, name: str
) -> tuple[Game, Vocabulary]:
    """A game without rules, with kinds for all tokens and inputs for all words."""
    kinds, pieces = kinds_of(structure)
    taken = frozenset(kind.name for kind in kinds)
    declared, pick = inputs_of(turns, episodes, structure, taken)
    if pick is not None:
        kinds.append(pick)
    vocabulary = Vocabulary(pieces, pick.name if pick is not None else None, {}, taken)
    symbols = tuple(symbols_of(turns, pieces))
    safe = safe_name(name, frozenset()) or "learned"
    game = Game(safe, name, tuple(kinds), Goal(()), input=declared, symbols=symbols)
    return game, vocabulary


def kinds_of(structure: Structure) -> tuple[list[Kind], dict[Token, Piece]]:
    """A kind for each name, on layers that nothing was seen to share."""
    layer_of = layers_of(structure)
    kinds: list[Kind] = []
    pieces: dict[Token, Piece] = {}
    taken: set[str] = set()
    for name in dict.fromkeys(structure.name(token) for token in structure.tokens):
        members = [t for t in structure.tokens if structure.name(t) == name]
        safe = safe_name(name, frozenset(taken))
        taken.add(safe)
        facings = tuple(
            d for d in DIRECTIONS if (name, d) in structure.facing.values() and members[0] != name
        )
        kinds.append(Kind(safe, layer_of[name], facings))
        for token in members:
            pieces[token] = Piece(safe, structure.facing[token][1] if token in structure.facing else None)
    return kinds, pieces


def layers_of(structure: Structure) -> dict[str, str]:
    """The layer of each name: one with others where they were all seen to exclude each other."""
    apart = structure.exclusions()
    layers: list[list[str]] = []
    for name in dict.fromkeys(structure.name(token) for token in structure.tokens):
        home = next((one for one in layers if all(other in apart[name] for other in one)), None)
        if home is None:
            layers.append([name])
        else:
            home.append(name)
    return {name: f"layer-{number}" for number, names in enumerate(layers, start=1) for name in names}


def safe_name(name: str, taken: frozenset[str]) -> str:
    """A name that descriptions allow, near to the one that was seen."""
    safe = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")[:40] or "thing"
    if not re.match(r"[A-Za-z_]", safe) or safe in WORDS:
        safe = f"thing-{safe}"
    while safe in taken:
        safe += "-too"
    return safe


def inputs_of(
    turns: Sequence[Turn], episodes: Sequence[Episode], structure: Structure, taken: frozenset[str]
) -> tuple[Input | None, Kind | None]:
    """What the player may do, and the kind of the mark of a pick."""
    words = [word_of(word) for word in sorted({turn.word for turn in turns if turn.word is not None})]
    if not words:
        return None, None
    plain = [word.verb for word in words if word.cell is None]
    moves = tuple(d for d in DIRECTIONS if d in {structure.toward.get(word) for word in plain})
    # A button under which nothing was ever seen to happen is none.
    busy = {turn.word for turn in turns if turn.before != turn.after}
    verbs = tuple(w for w in plain if w not in structure.toward and w != "wait" and w in busy)
    pick = None
    if any(word.cell is not None for word in words):
        facings = {structure.toward.get(word.toward or "") for word in words}
        name = PICK if PICK not in taken else f"{PICK}-here"
        pick = Kind(name, "layer-of-picks", tuple(d for d in DIRECTIONS if d in facings), marker=True)
    wait = any(not step.refused for episode in episodes for step in idle(episode)) or "wait" in plain
    return Input(moves, verbs, pick.name if pick is not None else None, wait), pick


def idle(episode: Episode) -> list[Step]:
    """The steps that were accepted and changed nothing, where refusals are told at all."""
    told = any(step.refused for step in episode.steps)
    before, found = episode.start, []
    for step in episode.steps:
        if told and step.after == before and not step.refused:
            found.append(step)
        before = step.after
    return found


def symbols_of(turns: Sequence[Turn], pieces: dict[Token, Piece]) -> list[tuple[str, tuple[Piece, ...]]]:
    """A character for everything that stood in one cell, the most frequent first."""
    stacks: Counter[Stack] = Counter()
    for turn in turns:
        stacks.update(turn.before.cells)
    found: list[tuple[str, tuple[Piece, ...]]] = []
    spare = list(SYMBOLS)
    for stack, _ in stacks.most_common(len(spare)):
        if not stack:
            found.append((".", ()))
        else:
            found.append((spare.pop(0), tuple(sorted((pieces[t] for t in stack), key=str))))
    return found


# --- goals and levels -------------------------------------------------------------------------------------


def never(kinds: dict[str, str]) -> tuple[Term, ...]:
    """A goal that was never seen to be reached is said as one that cannot be: nothing at all is there."""
    from ggp.goals.count import Count
    from ggp.model import Pattern

    return (Count(Pattern(sorted(kinds.values())[0]), ">=", 1_000_000),)


def goal_evidence(goal: LearnedGoal | None, word: str) -> list[str]:
    """What can be said of a goal."""
    if goal is None:
        return [f"{word}: no board that is, was seen (or nothing simple agrees)"]
    said = " and ".join(claim.text for claim in goal.claims)
    lines = [f"{word}: {said}; true of {goal.wins} boards, false of {goal.open_boards} others"]
    lines += [f"{word}: as well might be meant: {other}" for other in goal.others]
    return lines


def levels_of(episodes: Sequence[Episode], vocabulary: Vocabulary, *, takes_inputs: bool) -> list[Level]:
    """The boards that runs began with, as levels."""
    found: dict[Board, str] = {}
    for episode in episodes:
        found.setdefault(episode.start, episode.level)
    levels = []
    for number, board in enumerate(list(found)[:MOST_LEVELS], start=1):
        cells = [frozenset(vocabulary.pieces[t] for t in stack) for stack in board.cells]
        rows = tuple(tuple(cells[at : at + board.width]) for at in range(0, len(cells), board.width))
        levels.append(Level(str(number), rows, None if takes_inputs else HORIZON))
    return levels
