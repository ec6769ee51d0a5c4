"""A game from play alone: watched or recorded, learned from within a time, and held against fresh play.

Nothing of a description is used here: what plays is a world, of which a learner sees boards of tokens.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ggp.errors import NotLearned, PuzzleError, shown
from ggp.harness.verbs import sayable
from ggp.learn.boards import Episode
from ggp.learn.turn.ways import MoreWanted, Ways
from ggp.model import Game, Instance
from ggp.model.result import Clock, OutOfTime
from ggp.tasks.alarm import alarm
from ggp.watch import World, rollouts

if TYPE_CHECKING:
    from ggp.learn.turn.unexplained import InPart
    from ggp.learn.whole import Learned
    from ggp.watch.fresh import Fresh
    from ggp.watch.verdict import Trial

ROLLOUTS = 60  # of a game that can only be watched, unless said otherwise
MOST = 4 * ROLLOUTS  # that are played where fewer do not do, if nobody said how many
WORLD = ("name", "levels", "inputs", "play")  # what a world has
OBSERVED = ("all", "positions")  # what may be looked at
BEYOND = 10.0  # seconds for the trial of rules in part, which are there only when the limit is over
UNTRIED = "trial: none was made, so that nothing is known of turns that were not seen"
SELDOM = 0.01  # of the turns that were played, at most, may be left out of rules that hold but for these
NEEDED = "trial: none was made, as less than all of the runs was too little to learn from"

Say = Callable[[str], None]
Learner = Callable[..., "Learned"]


class Watched(NamedTuple):
    """What was watched or recorded, the name for it, and where fresh play comes from.

    `more`: watches as long again; None where nobody may, or enough was watched.
    """

    episodes: Sequence[Episode]
    name: str
    fresh: Fresh | None
    world: World | None = None
    more: Callable[[], Watched] | None = None


@dataclass(frozen=True)
class FromPlay:
    """A game that was learned from play alone, and how its rules stood fresh play (None: not tried).

    `runs`: how many were learned from at first. `left_out`: turns that no rules about boards can say, which
    neither learning nor the trial looked at; nothing if there were none. `share_left_out`: of all turns,
    or of those in runs from the game's own boards if that is more. `unread`: why what is written is not
    read again; nothing where it is.
    """

    learned: Learned
    trial: Trial | None
    runs: int
    left_out: str = ""
    share_left_out: float = 0.0
    unread: str = ""

    @property
    def game(self) -> Game:
        """The game, which can stand wherever a described one can."""
        return self.learned.game

    @property
    def instances(self) -> tuple[Instance, ...]:
        """Each level that was found, with the learned rules."""
        return tuple(Instance(self.game, level) for level in self.learned.levels)

    @property
    def holds(self) -> bool:
        """Do the rules say all that was seen, and was all fresh play foreseen that they were held against?

        Of turns that were left out they say something, and it may be wrong: it is told first, and only where
        such turns are seldom do the rules hold but for these.
        """
        told = not self.learned.unexplained and not self.unread and self.share_left_out <= SELDOM
        return told and (self.trial is None or self.trial.holds)

    @property
    def verdict(self) -> str:
        """How its trial ended, in words; of turns that were left out it knows nothing."""
        verdict = self.trial.verdict if self.trial is not None else "not tried"
        if not self.holds and (self.trial is None or self.trial.holds):
            return "does not hold"  # whatever the trial says of what it was asked
        return f"{verdict}, but for what was left out" if self.left_out else verdict

    @property
    def evidence(self) -> tuple[str, ...]:
        """What it rests on; what a reader must not miss stands first."""
        left = self.learned.unexplained
        in_part = (f"RULES IN PART: they do not say {left}",) if left else ()
        open_goal = (f"GOAL {self.learned.doubt}",) if self.learned.doubt else ()
        left_out = (f"LEFT OUT: {self.left_out}",) if self.left_out else ()
        unread = (f"NOT READ AGAIN: this description has a fault: {self.unread}",) if self.unread else ()
        return (*unread, *in_part, *left_out, *open_goal, *self.learned.evidence)

    @property
    def text(self) -> str:
        """The description, below what it rests on: `ggp.load` reads it from a file."""
        from ggp.language.description.writing import write_game

        return commented(write_game(self.game, self.learned.levels), self.evidence)

    def __repr__(self) -> str:
        held = self.verdict if self.holds else "does not hold"
        return f"<FromPlay {self.game.name}: {self.learned.turns} turns of {self.runs} runs, {held}>"


def commented(text: str, evidence: Iterable[str]) -> str:
    """The text of a description below what it rests on, as comments."""
    lines = [shown(line) for item in evidence for line in item.splitlines()]
    return "".join(f"# {line}\n" for line in lines) + (f"\n{text}" if text else "")


# --- what is learned from -----------------------------------------------------------------------------------


def taken(
    source: World | Path | Sequence[Episode],
    rollouts: int | None = None,
    seed: int = 0,
    *,
    active: bool = False,
    noise: float | None = None,
    say: Say = lambda _: None,
) -> Watched:
    """What is to be learned from: runs, a file of them, or roll-outs of a world. Raises PuzzleError."""
    if isinstance(source, Path):
        from ggp.learn.record import read_episodes

        return of_episodes(read_episodes(source), source.stem, noise)
    if isinstance(source, Sequence) and all(isinstance(one, Episode) for one in source):
        return of_episodes(source, "learned", noise)
    if isinstance(source, Sequence) or not all(hasattr(source, word) for word in WORLD):
        remedy = "give an address, the path of recorded play, a world, or a list of its runs"
        raise PuzzleError(f"{str(source)[:60]!r} is nothing to learn from", remedy)
    return watched(source, rollouts or ROLLOUTS, seed, active, say, MOST if rollouts is None else 0)


def refuse_mixed(recorded: bool, noise: float | None, observe: str) -> None:
    """Raise PuzzleError for what does not go together; `recorded`: no world is watched."""
    if observe not in OBSERVED:
        raise PuzzleError(f"{str(observe)[:60]!r} cannot be observed", f"take one of {', '.join(OBSERVED)}")
    if noise is not None and not recorded:
        remedy = "say how many are wrong of recorded play alone"
        raise PuzzleError("only recorded play has cells that were seen wrongly", remedy)
    if observe == "positions" and noise is not None:
        remedy = "observe positions, or say how many cells are wrong, and not both"
        raise PuzzleError("facings are only left out of play without a description", remedy)


def of_episodes(episodes: Sequence[Episode], name: str, noise: float | None) -> Watched:
    """Runs of which some are held back; none of those with cells that may be seen wrongly."""
    from ggp.learn.seen.contradictions import refuse_refusals_that_changed
    from ggp.watch.fresh import HeldBack

    if noise is None:
        refuse_refusals_that_changed(episodes)
    return Watched(episodes, name, HeldBack(episodes) if noise is None else None)


def watched(world: World, number: int, seed: int, active: bool, say: Say, most: int = 0) -> Watched:
    """So many roll-outs of a world, or `most` where these do not do; the active ones tell programs apart."""
    from ggp.watch.repeats import played_twice

    rng, beside = random.Random(seed), list[Episode]()
    source = rollouts(world, rng, beside=beside)
    if active:
        from ggp.watch.active import play_actively

        episodes = play_actively(world, rng, number, say=say).episodes
        beside += episodes
    else:
        episodes = [*islice(source, number), *islice(designs_of(world, rng), number)]
        episodes += played_twice(world, episodes)
    return so_far(world, episodes, number, 0 if active else most, source, beside, seed)


def so_far(
    world: World,
    episodes: Sequence[Episode],
    number: int,
    most: int,
    source: Iterator[Episode],
    beside: list[Episode],
    seed: int,
) -> Watched:
    """What was watched by so many roll-outs of a source; and more, where twice as many are not too many."""
    from ggp.watch.fresh import Played

    def more() -> Watched:
        return so_far(world, [*episodes, *islice(source, number)], 2 * number, most, source, beside, seed)

    fresh = Played(world, episodes, source, beside, random.Random(seed + 1))
    return Watched(episodes, world.name, fresh, world, more if 2 * number <= most else None)


def designs_of(world: World, rng: random.Random) -> Iterator[Episode]:
    """Designs that are tried out, where the world is a described game that takes any."""
    from ggp.watch.described import DescribedWorld
    from ggp.watch.designs import tried_designs

    return tried_designs(world.game, world.kept, rng) if isinstance(world, DescribedWorld) else iter(())


# --- learning, within a time --------------------------------------------------------------------------------


def learner_for(noise: float | None, observe: str, world: World | None = None) -> Learner:
    """Who learns from play alone: raises PuzzleError where it contradicts itself, or nothing is learned.

    Of a world that says that `theories` are about it one is looked for first.
    """
    if noise is not None:
        from ggp.learn.noise.whole import learn_despite_noise

        return lambda episodes, name, ways: learn_despite_noise(episodes, noise, name)
    if observe == "positions":
        from ggp.learn.hidden import learn_positions

        return lambda episodes, name, ways: learn_positions(episodes, name)
    from ggp.learn.chance.whole import learn_with_chance

    theories = getattr(world, "theories", "")
    if theories:
        from ggp.watch.theory.learning import theory_first

        return theory_first(theories, learn_with_chance, world)
    return learn_with_chance


def learned_in_time(play: Watched, learner: Learner, turns: int, clock: Clock, say: Say) -> FromPlay:
    """The rules of what was watched, held against so many fresh turns; those in part where none say all."""
    known = LastOf(play)
    try:
        with before_rules(clock, lambda: known.ways.left):
            learned, trial = learn_with_more(known, learner, turns, clock, say)
    except NotLearned:
        if known.in_part is None:
            raise
        known.play, part = known.in_part
        learned, trial = rules_in_part(known.play, part, turns)
    play = known.play
    game, called = sayable(learned.game)  # only now, for the trial asks with the words of the play
    learned = replace(learned, game=game, evidence=(*learned.evidence, *called))
    left_out = getattr(play.world, "left_out", "")
    share = getattr(play.world, "share_left_out", float(bool(left_out)))  # untold, it may be any
    return FromPlay(learned, trial, len(play.episodes), left_out, share, unread=fault_of(learned))


@dataclass
class LastOf:
    """What was watched at last, and the ways to learn it. `before`: rules in part, of what was before."""

    play: Watched
    ways: Ways = field(default_factory=Ways)
    before: tuple[Watched, InPart] | None = None

    @property
    def in_part(self) -> tuple[Watched, InPart] | None:
        """Rules that say most turns, and of which play; None where there are none."""
        return self.before if self.ways.part is None else (self.play, self.ways.part)


def learn_with_more(
    known: LastOf, learner: Learner, turns: int, clock: Clock, say: Say
) -> tuple[Learned, Trial | None]:
    """What is learned, from longer play where shorter does not do; raises NotLearned where none does."""
    while True:
        known.ways.longer = known.play.more is not None
        try:
            return learn_and_try(known.play, partial(learner, ways=known.ways), turns, clock, say)
        except (NotLearned, MoreWanted) as refused:
            if known.play.more is None:
                raise
            wanted = isinstance(refused, MoreWanted)
            why = refused.findings[0].message if wanted else "no rules say what was seen so far"
        say(f"{known.play.name} is watched for longer, as {why}")
        known.before = known.in_part
        known.play, known.ways = known.play.more(), known.ways.with_more_play(promising=wanted)
        if wanted and known.play.more is not None:  # what is seldom is lacking
            known.play = known.play.more()


def fault_of(learned: Learned) -> str:
    """What is wrong with the description as it is written; nothing where it is read again."""
    from ggp.language.description import read_game
    from ggp.language.description.writing import write_game

    try:
        read_game(write_game(learned.game, learned.levels).encode(), f"{learned.game.name}.toml")
    except PuzzleError as error:
        return error.findings[0].message
    return ""


@contextmanager
def before_rules(clock: Clock, left: Callable[[], str] = str) -> Iterator[None]:
    """Inside a limit of time holds; raises NotLearned where it is over and there is nothing yet.

    `left`: what is known by then of what is not explained.
    """
    try:
        with alarm(clock):
            yield
    except OutOfTime:
        remedy = "give more time, or fewer roll-outs to learn from"
        told = f"; {open_turns}" if (open_turns := left()) else ""
        raise NotLearned(f"no rules were found within {clock.limit:g} seconds{told}", remedy) from None


def silenced(clock: Clock) -> None:
    """Let the alarm of a clock ring no more."""
    clock.breakable = False


def learn_and_try(
    play: Watched, learner: Learner, turns: int, clock: Clock, say: Say = lambda _: None
) -> tuple[Learned, Trial | None]:
    """What is learned, and how it stands fresh turns (None: it was not tried).

    Where a limit of time was given, it alone ends the rounds in which rules are learned anew. Once there are
    rules and the time is over, the clock's alarm rings no more: what is left is to say so.
    """
    from ggp.watch.trial import WORK, tried

    if play.fresh is None or not turns:
        learned = learner(list(play.episodes), play.name)
        return replace(learned, evidence=(UNTRIED, *learned.evidence)), None
    try:
        work = WORK if clock.limit is None else math.inf
        with_name = partial(learner, name=play.name)
        return tried(with_name, play.fresh, turns, work=work, say=say, over=partial(silenced, clock))
    except PuzzleError:
        if list(play.fresh.beginning) == list(play.episodes):
            raise
        # All of the recorded runs may be enough where those that were not held back are not.
        learned = learner(list(play.episodes), play.name)
        return replace(learned, evidence=(NEEDED, *learned.evidence)), None


def rules_in_part(play: Watched, part: InPart, turns: int) -> tuple[Learned, Trial | None]:
    """Rules that say most turns, where none say all, and how they stand fresh ones.

    The trial has some seconds, should the limit be over; None where these were not enough.
    """
    from ggp.learn.whole import learn_partly
    from ggp.watch.tally import Tally
    from ggp.watch.trial import once, with_trial
    from ggp.watch.verdict import Trial

    seen = list(play.fresh.beginning if play.fresh is not None and turns else play.episodes)
    learned = learn_partly(seen, play.name, part)
    if play.fresh is not None and turns:
        with suppress(OutOfTime), alarm(Clock(BEYOND)):
            trial = once(learned, seen, play.fresh, turns, Trial(Tally()))
            return with_trial(learned, trial), trial
    return replace(learned, evidence=(UNTRIED, *learned.evidence)), None
