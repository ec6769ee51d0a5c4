"""A whole game from recorded play: kinds, inputs, rules, goals, levels, and the evidence for each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

from ggp.errors import PuzzleError
from ggp.learn.boards import Board, Episode, Stack, Token, Turn, boards_inside, turns_of
from ggp.learn.fit.acting import acting_evidence
from ggp.learn.fit.program import Passes, Program
from ggp.learn.goal.aims import aim_of
from ggp.learn.goal.goals import Flag, LearnedGoal
from ggp.learn.moves import inputs_of, moves_evidence
from ggp.learn.placing import learn_placing
from ggp.learn.seen.contradictions import refuse_contradictions
from ggp.learn.seen.insides import passing_tokens, without_marks
from ggp.learn.seen.structure import Structure, structure_of
from ggp.learn.seen.unused import untaken
from ggp.learn.starts import levels_of
from ggp.learn.turn.crowd.meeting import meeting_inside
from ggp.learn.turn.crowd.merging import merging
from ggp.learn.turn.turns import learn_turn
from ggp.learn.turn.unexplained import InPart
from ggp.learn.turn.ways import Ways
from ggp.learn.write.emit import with_program
from ggp.learn.write.vocabulary import Vocabulary
from ggp.model import DIRECTIONS, Game, Goal, Kind, Level, Piece
from ggp.model.words import name_fault

SYMBOLS = "#@$*oxEGOQSTXABCDFHIJKLMNPRUVWYZabcdefghijklmnpqrstuvwyz0123456789%&+=~!?:;/()[]{}<>^|,"


@dataclass(frozen=True)
class Learned:
    """A game as it was learned, its levels, and what it rests on.

    `pieces`: what each token is in the game. `speaks_of`: the flags that its goal foretells on every board.
    `invented`: the token that has facings which are not shown. `doubt`: why the goal may not be the one
    that is meant, "" where nothing speaks for another.
    `unexplained`: how many turns rules in part do not say, "" where they say all that was seen.
    `by_chance`: what chance does: that things of a name come (`+`), or go (`-`).
    `theory`: what the game is made of, where that is not a program.
    """

    game: Game
    levels: tuple[Level, ...]
    program: Program | Passes
    structure: Structure
    goal: LearnedGoal | None
    evidence: tuple[str, ...]
    turns: int
    pieces: Mapping[Token, Piece]
    speaks_of: tuple[Flag, ...] = ()
    invented: Token | None = None
    doubt: str = ""
    unexplained: str = ""
    by_chance: frozenset[tuple[str, str]] = frozenset()
    theory: WholeTheory | None = None


class WholeTheory(Protocol):
    """Rules that are a theory of the whole game, of which it is made, and how boards are written in it."""

    def written(self, board: Board) -> Board | None:
        """The board with texts of pieces for tokens; None where one was never seen."""

    def translated(self, board: Board) -> Board:
        """A board of the game with tokens for pieces."""

    def word(self, word: str | None) -> str | None:
        """An input as the game has it."""

    def after(self, board: Board, word: str | None) -> Board | None:
        """The board after a turn; None where nothing is said of it."""

    @property
    def alike(self) -> bool:
        """Is each token a piece of the same name?"""

    def questions(self, episodes: Sequence[Episode]) -> list[tuple[Board, str | None]]:
        """Turns that would tell it from others that say all these runs."""

    def goal_anew(self, episodes: Sequence[Episode]) -> Learned:
        """The game with the same rules, and the goal that the flags of some runs tell."""


class Halves(NamedTuple):
    """What is known of the inside of turns in which chance draws: boards in it, and the part without chance.

    `rest`: the rules of that part, which are there once it was learned, and what they say.
    """

    boards: Sequence[Board]
    rest: Callable[[], tuple[Program | Passes, Sequence[Turn]]]


def learn_whole(episodes: Sequence[Episode], name: str = "learned", ways: Ways | None = None) -> Learned:
    """Learn a game from runs; raises PuzzleError where there are none, or where no rules explain them.

    `ways`: of what was learned from fewer of these runs.
    """
    refuse_contradictions(episodes)
    return explained(episodes, name, lambda some, structure: learn_turn(some, structure, ways))


def learn_partly(episodes: Sequence[Episode], name: str, part: InPart) -> Learned:
    """The game with rules that say most of its turns; its evidence begins with how many they do not say."""
    whole = explained(episodes, name, lambda _, structure: part.program)
    return replace(whole, unexplained=part.share, evidence=(f"rules in part: {part.text}", *whole.evidence))


def with_goal_anew(learned: Learned, episodes: Sequence[Episode]) -> Learned:
    """The game with the same rules, which say all turns of these runs, and the goal that their flags tell.

    A game with chance is left as it is: what is known of its turns' inside is not kept.
    """
    if learned.by_chance:
        return learned
    if learned.theory is not None:
        return learned.theory.goal_anew(episodes)
    refuse_contradictions(episodes)
    return explained(episodes, learned.game.title, lambda _, structure: learned.program)


def explained(
    episodes: Sequence[Episode],
    name: str,
    learn: Callable[[Sequence[Episode], Structure], Program | Passes],
    halves: Halves | None = None,
) -> Learned:
    """The same with what `learn` says of turns; `halves` where chance has a part in them."""
    turns = list(turns_of(episodes))
    if not turns:
        raise PuzzleError("there are no turns to learn from", "record some play")
    episodes = without_marks(episodes)
    middles = halves.boards if halves is not None else ()
    structure = structure_of(turns, (*boards_inside(episodes), *(one.start for one in episodes), *middles))
    if not structure.tokens:
        raise PuzzleError("nothing stands on any board", "record play with something to be seen")
    program = learn(episodes, structure)
    sure, steps = halves.rest() if halves is not None else (program, turns)
    layered, meetings = meeting_inside(structure, sure, steps)
    shell, vocabulary = shell_of(turns, episodes, layered, name)
    boards = {board for episode in episodes for board in episode.boards()}
    met = merging(boards, steps, sure, structure)
    merge = {vocabulary.pieces[token].kind for token in structure.tokens if structure.name(token) in met}
    passing = {vocabulary.pieces[token].kind for token in passing_tokens(episodes)}
    kinds = (replace(kind, merge=kind.name in merge) for kind in shell.kinds)
    kinds = (replace(kind, marker=True) if kind.name in passing else kind for kind in kinds)
    shell = replace(shell, kinds=tuple(kinds), wraps=program.structure.joined)
    aim = aim_of(episodes, structure, vocabulary)
    placing = learn_placing(episodes, structure)
    design = placing.design(structure, vocabulary.pieces) if placing is not None else None
    takes_inputs = shell.input is not None
    levels = levels_of(episodes, vocabulary.pieces, aim, placing, structure, takes_inputs=takes_inputs)
    game = with_program(replace(shell, goal=aim.goal, design=design), program, vocabulary)
    said = placing.evidence if placing is not None else ()
    acting = acting_evidence(program, turns)
    evidence = (*structure.evidence, *acting, *meetings, *aim.evidence, *said, *moves_evidence(episodes))
    return Learned(
        game,
        levels,
        program,
        structure,
        aim.won,
        evidence,
        len(turns),
        vocabulary.pieces,
        aim.speaks_of,
        doubt=aim.doubt,
    )


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
        values = [int(structure.facing[t][1]) for t in members if valued(t, structure)]
        bounds = (min(values), max(values)) if values else None
        kinds.append(Kind(safe, layer_of[name], facings, bounds))
        for token in members:
            variant = structure.facing[token][1] if token in structure.facing else None
            pieces[token] = Piece(safe, int(variant or "") if valued(token, structure) else variant)
    return kinds, pieces


def valued(token: Token, structure: Structure) -> bool:
    """Has a token a value?"""
    return token in structure.facing and structure.facing[token][1].isdecimal()


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
    safe = re.sub(r"[^A-Za-z0-9_]+", "-", name).strip("-")[:40].strip("-") or "thing"
    safe = safe if name_fault(safe) is None else f"thing-{safe}"
    return untaken(safe, taken)


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
