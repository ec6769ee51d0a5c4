"""From a game that can only be watched to a game that can be solved: roll-outs, a learner, a certificate.

The described rules are used twice, and never shown to the learner: to play random levels in the VGDL
engine, and afterwards to judge what was learned. If asked for, what that finds is played and learned from.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, pairwise
from types import ModuleType
from typing import Any

from ggp import registry
from ggp.engines.vgdl import VgdlFault
from ggp.errors import NotAvailable, NotLearned, PuzzleError
from ggp.generate.random_levels import random_level
from ggp.harness.teaching import Pupil, certified_within, trajectory_of
from ggp.learn.boards import Board, Episode
from ggp.learn.deeds import sensible
from ggp.learn.eventful import episode_of
from ggp.learn.fit.toil import account
from ggp.model import Game, Instance, Level, Plan
from ggp.model.board import Action, State
from ggp.model.features import FEATURES, GOAL_WORDS, LUCK, require
from ggp.model.result import Clock, OutOfTime
from ggp.model.shown import line, number_of
from ggp.proof.equivalence.certificate import Certificate
from ggp.referee.inputs import all_actions
from ggp.referee.trajectory import Trajectory
from ggp.tasks import exporting
from ggp.watch import rollouts as watched_rollouts
from ggp.watch.described import DescribedWorld, going_on

BATCH = 50  # roll-outs between two looks at whether anything new was seen
CLEAN = 3  # so many batches in a row must bring no surprise
INSIDE = 120  # roll-outs that show the boards inside turns
MOST = 2000  # roll-outs, before it is given up that surprises end
FIRST = 8e7  # work on the first half of them, a minute or more: of all of them more is plain
TURNS = 10  # of each roll-out
WATCHED_CHANCE = frozenset({"chance-in-turns"})  # what is learned of games that are only watched
SMALLEST, LARGEST = 3, 7  # rows and columns of the random levels

Play = Callable[[Instance, Sequence[str]], Trajectory]
Say = Callable[[str], None]


@dataclass(frozen=True)
class LearnedGame:
    """What was learned, from how much, and whether it is right.

    `game` can stand wherever a described game can. `seconds` is the time of the roll-outs and the
    learning, without the certificate. `asked`: turns that were played to question the rules. `taught`:
    counterexamples of the certificate that were learned from. `unsaid`: turns that no rules were found for.
    """

    game: Game
    learner: str
    rollouts: int
    examples: int
    certificate: Certificate
    seconds: float
    rules_text: str
    asked: int = 0
    taught: int = 0
    unsaid: int = 0

    def __repr__(self) -> str:
        """What was learned from how much, and the verdict."""
        told = [self.learner, number_of("roll-out", self.rollouts), self.certificate.text]
        return line("LearnedGame", self.game.name, told)


def learn(
    described: Game,
    *,
    learner: str = registry.USUAL_LEARNER,
    rollouts: int | None = None,
    seed: int = 0,
    kept: Sequence[Level] = (),
    play: Play | None = None,
    questions: bool | None = None,
    clock: Clock | None = None,
    say: Say = lambda message: None,
) -> LearnedGame:
    """Learn a game from roll-outs of random levels, and certify what was learned.

    Without `rollouts` it goes on until several batches in a row bring nothing that the rules learned so far
    get wrong, and (`questions`, which may also be asked for) nor do turns that question them; then what the
    certificate finds is learned from, too. `play` makes a roll-out; by default the VGDL engine does. With
    `kept`, levels of the game, roll-outs begin on their boards, or on such as are made of what was seen; of
    the later ones every other one on a random level.

    OutOfTime, which may be raised anywhere (`ggp.tasks.alarm`), ends the questions, and then the certificate
    is `not settled`; before there are rules it is passed on. `clock` is asked within the certificate.
    """
    start, clock = time.perf_counter(), clock or Clock()
    refuse_what_is_not_learned(described)
    module = learner_called(learner)
    play = play or vgdl_rollout()
    alone = (2 * BATCH if rollouts is None else rollouts - rollouts // 2) if kept else 0
    shell, watch = shell_of(described), random_rollouts(described, random.Random(seed), play, kept, alone)
    pupil, seen = settle(module, shell, watch, rollouts, alone, seed, say)
    asking = questions or (questions is None and rollouts is None)
    # The referee answers: of a turn on a board of its own most of the engine's time goes into the text.
    world = DescribedWorld(described, kept, go_on=True) if asking else None
    if world is not None:
        with suppress(OutOfTime):
            pupil.questioned(world, say)
    refuse_still(described, seen)
    seconds = time.perf_counter() - start
    certificate = pupil.certified(described, world, say, clock)
    model, turns = pupil.model, (pupil.asked, pupil.taught, pupil.unsaid)
    words = rules_in_words(model.game)
    return LearnedGame(model.game, learner, len(seen), model.examples, certificate, seconds, words, *turns)


def learner_called(name: str) -> ModuleType:
    """The learner of that name; raises UnknownName, and NotAvailable if it cannot run here."""
    module = registry.load("learner", name)
    reason = module.available()
    if reason is not None:
        raise NotAvailable(f"the learner {name} cannot run here", reason)
    return module


def refuse_still(described: Game, seen: Sequence[Trajectory]) -> None:
    """Raise NotLearned where nothing ever changed."""
    if not any(before.board != after.board for one in seen for before, after in pairwise(one.states)):
        raise NotLearned(
            f"nothing ever changed in {len(seen)} roll-outs of {described.name}",
            "there is nothing to learn from; if the game has rules at all, ask for more roll-outs",
        )


def made_of(learner: str, kept: Sequence[Level]) -> Sequence[Level]:
    """The levels that a learner's roll-outs are made of; none for one that needs boards of all sorts."""
    return () if learner == "tree" else kept


def refuse_what_is_not_learned(described: Game, taken: frozenset[str] = frozenset()) -> None:
    """Raise UnsupportedFeature, with the place, for games with chance, hidden kinds or several players.

    `taken`: what of these is learned all the same.
    """
    learned = ((frozenset(FEATURES) | GOAL_WORDS) - LUCK - {"players"}) | taken
    nowhere = Level("nowhere", ((frozenset(),),))
    require(Instance(described, nowhere), "learning", learned, remedy="`ggp list games` has others")


def learn_actively(
    described: Game,
    kept: Sequence[Level],
    *,
    seed: int = 0,
    most: int | None = None,
    clock: Clock | None = None,
    say: Say = lambda message: None,
) -> LearnedGame:
    """Learn a game from few turns, each made so that the programs that fit still differ on it; certify it.

    Each turn counts as a roll-out. It is watched in the VGDL engine. `clock` is asked within the certificate.
    """
    from ggp.learn.eventful import with_rules
    from ggp.watch.active import play_actively

    start = time.perf_counter()
    refuse_what_is_not_learned(described)
    world = DescribedWorld(described, kept, partial(exporting.watch, "vgdl"))
    result = play_actively(world, random.Random(seed), most, say=say)
    if not result.programs:
        remedy = "watch more play, and not only turns that are made to tell"
        raise NotLearned("no rules of one pass explain what was seen", remedy)
    shell, program = shell_of(described), result.programs[0]
    game = with_rules(shell, program, result.turns)
    seconds = time.perf_counter() - start
    say("certifying")
    certificate = certified_within(described, game, clock or Clock())
    turns = len(result.turns)
    return LearnedGame(game, "events", turns, program.examples, certificate, seconds, rules_in_words(game))


def learn_inside(
    described: Game, kept: Sequence[Level], *, seed: int = 0, say: Say = lambda message: None
) -> LearnedGame:
    """Learn a game of several passes from roll-outs that show the boards inside each turn; certify it.

    The referee plays, since an engine shows what turns end with, which seldom says what each pass did.
    """
    from ggp.learn.boards import boards_inside, turns_of
    from ggp.learn.eventful import with_rules
    from ggp.learn.seen.structure import structure_of
    from ggp.learn.turn.turns import learn_turn

    start = time.perf_counter()
    refuse_what_is_not_learned(described)
    world = DescribedWorld(described, kept, go_on=True, frames=True)
    say("watching")
    episodes = list(islice(watched_rollouts(world, random.Random(seed), turns=TURNS), INSIDE))
    turns = list(dict.fromkeys(turns_of(episodes)))
    say(f"learning from {len(episodes)} roll-outs")
    program = learn_turn(episodes, structure_of(turns, boards_inside(episodes)))
    shell = shell_of(described)
    game = with_rules(shell, program, turns)
    seconds = time.perf_counter() - start
    say("certifying")
    certificate = certified_within(described, game, Clock())
    words = rules_in_words(game)
    return LearnedGame(game, "events", len(episodes), program.examples, certificate, seconds, words)


def shows_inside(learner: str, described: Game) -> bool:
    """Is the learner to be shown the boards inside turns: does it use them, and is a turn several passes?"""
    if learner != registry.USUAL_LEARNER:
        return False
    phases = [*described.turn, *described.physics]
    return len(phases) > 1 or any(one.bound is not None for one in phases)


def rules_in_words(game: Game) -> str:
    """The rules of a game in the words of the description language."""
    from ggp.language.description.writing import rules_text

    groups = [(section, phase) for section in ("turn", "physics") for phase in getattr(game, section)]
    return "\n".join(rules_text(game, section, group) for section, group in groups)


def shell_of(game: Game) -> Game:
    """A game without its rules: all that a learner is told."""
    bare = replace(game, turn=(), physics=(), classes=named_by_goal(game), forms=())
    return replace(bare, about="", author="", homepage="")


def named_by_goal(game: Game) -> tuple[Any, ...]:
    """The classes that the goal and the design speak of; the others stand for rules, and are not told."""
    names = {pattern.name for term in game.goal.terms for pattern in term.patterns()}
    names |= set(game.design.free_of) if game.design is not None else set()
    return tuple(group for group in game.classes if group.name in names)


def settle(
    module: ModuleType,
    shell: Game,
    watch: Iterator[Trajectory],
    rollouts: int | None,
    alone: int,
    seed: int,
    say: Say,
) -> tuple[Pupil, list[Trajectory]]:
    """Watch and learn until nothing surprises any more, or for a given number of roll-outs.

    Where so many of them begin on the game's own boards `alone`, they are learned from first, and of the
    others what is said otherwise. Where no rules are found for these, or it takes long, or none for that too,
    all are learned from at once: rules of the first ones may be of another shape than what says all.
    """
    if rollouts is not None:
        seen = [next(watch) for _ in range(rollouts)]
        say(f"learning from {len(seen)} roll-outs")
        pupil: Pupil | None = None
        if alone and hasattr(module, "learn_more"):
            with suppress(PuzzleError), account(FIRST):
                pupil = Pupil(module, shell, seen[:alone], seed)
        if pupil is not None and pupil.take(seen):
            return pupil, seen
        try:
            return Pupil(module, shell, seen, seed), seen
        except PuzzleError:
            if pupil is None:
                raise
            return pupil, seen
    seen, clean, known = [], 0, None
    while clean < CLEAN and len(seen) < MOST:
        batch = [next(watch) for _ in range(BATCH)]
        seen += batch
        clean = clean + 1 if known is not None and not known.surprised(batch) else 0
        if known is None:
            known = Pupil(module, shell, seen, seed)
        elif not clean and (len(seen) <= alone or not alone):
            known.learn(seen)
        elif not clean and not known.take(batch):
            break
        say(f"{len(seen)} roll-outs, {clean} batches without a surprise")
    assert known is not None
    if not alone:
        known.learn(seen)
    return known, seen


def played(described: Game, kept: Sequence[Level], play: Play) -> DescribedWorld:
    """The game as a world that is played as roll-outs are."""

    def engine(instance: Instance, plan: Plan, actions: Sequence[Action | None]) -> Sequence[State]:
        return play(instance, [str(action) for action in actions if action is not None]).states

    return DescribedWorld(described, kept, engine, go_on=True)


def random_rollouts(
    described: Game, rng: random.Random, play: Play, kept: Sequence[Level] = (), alone: int = 0
) -> Iterator[Trajectory]:
    """Random levels, played with random inputs; with `kept`, in turn with what is explored from these.

    So many runs that are explored `alone` come first: they begin on boards as play leads to them.
    """
    beside: list[Episode] = []
    explored = explored_rollouts(described, rng, play, kept, beside) if kept else None
    world = DescribedWorld(described, kept)
    if explored is not None:
        yield from islice(explored, alone)
    while True:
        if explored is not None:
            yield next(explored)
        rows, columns = rng.randint(SMALLEST, LARGEST), rng.randint(SMALLEST, LARGEST)
        level = random_level(described, rng, rows=rows, columns=columns, horizon=TURNS)
        cells = tuple(frozenset(map(str, cell)) for row in level.level.board for cell in row)
        board = Board(rows, columns, cells)
        like = world.instance(board).level  # numbers that rules ask for; a drawn goal is not to be won
        numbers = {**dict(like.numbers), **dict(level.level.numbers)}
        own = replace(level.level, patterns=like.patterns, numbers=tuple(numbers.items()))
        level = going_on(replace(level, level=own), TURNS)
        words = [str(action) for action in all_actions(level)]
        seen = play(level, [sensible(words, board, rng) for _ in range(TURNS)] if words else [])
        if explored is not None:
            beside.append(episode_of(seen))
        yield seen


def explored_rollouts(
    described: Game, rng: random.Random, play: Play, kept: Sequence[Level], beside: list[Episode]
) -> Iterator[Trajectory]:
    """Roll-outs that begin on boards of some levels, then also on such as are made of what was seen.

    `beside`: runs that begin on other boards.
    """
    world = played(described, kept, play)
    yield from map(trajectory_of, watched_rollouts(world, rng, turns=TURNS, beside=beside))


def vgdl_rollout() -> Play:
    """Play in the VGDL engine what the exporter writes for a level; by the referee where that cannot be.

    The exporter refuses what has too many effects, or edges that join. And py-vgdl, and so the engine, stops
    at lists of sprites that change while they are gone through. A run ends where rules collide: the engine
    shows something there, as any two sprites can be in one cell, but the game has no such turn.
    """

    def play(instance: Instance, actions: Sequence[str]) -> Trajectory:
        words: list[str | None] = list(actions) or [None] * TURNS
        world = DescribedWorld(instance.game, [instance.level], go_on=True)
        episode = world.one(world.board(instance, {}), words)
        if episode is None:
            message = f"a level of {instance.game.name} cannot be played"
            raise NotLearned(message, "look at it with `ggp show`")
        said = trajectory_of(episode)
        if exporting.takes("vgdl", instance):
            with suppress(VgdlFault):
                states = tuple(exporting.watch("vgdl", instance, Plan(), said.inputs))
                return replace(said, states=states, inputs=said.inputs[: len(states) - 1])
        return said

    return play
