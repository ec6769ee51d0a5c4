"""The command that learns: a game described here, recorded play, or a game that can only be watched."""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ggp import registry
from ggp.cli.common import FILE, JSON, OUT, Seconds, cli, writable
from ggp.cli.console import progress, say, say_json
from ggp.errors import NotLearned, PuzzleError, shown

if TYPE_CHECKING:
    from ggp.learn.boards import Episode
    from ggp.learn.turn.turns import Ways
    from ggp.learn.turn.unexplained import InPart
    from ggp.learn.whole import Learned
    from ggp.model.result import Clock
    from ggp.watch import World
    from ggp.watch.fresh import Fresh
    from ggp.watch.trial import Trial

WATCHED = 60  # roll-outs of a game that can only be watched, unless said otherwise
BEYOND = 10.0  # seconds for the trial of rules in part, which are there only when the limit is over
UNTRIED = "trial: none was made, so that nothing is known of turns that were not seen"
NEEDED = "trial: none was made, as less than all of the runs was too little to learn from"


@cli.command()
@click.argument("game", metavar="[GAME]", required=False)
@click.option("--learner", default=registry.USUAL_LEARNER, show_default=True, help="See `ggp list learners`.")
@click.option("--rollouts", type=click.IntRange(1), help="How many (default: until nothing surprises).")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the random levels and inputs.")
@click.option("--from", "recorded", type=FILE, metavar="FILE", help="Learn from recorded play instead.")
@click.option(
    "--watch",
    metavar="ENGINE:FILE",
    help="Watch a game: vgdl:, py-vgdl:, puzzlescript:, gym:NAME, python:FILE.",
)
@click.option("--record", type=OUT, callback=writable, metavar="FILE", help="Keep what was watched.")
@click.option("--frames", is_flag=True, help="Watch the boards inside each turn, too (game:NAME alone).")
@click.option("--active", is_flag=True, help="Make the levels and inputs on which what fits still differs.")
@click.option("--noise", type=float, metavar="SHARE", help="Up to this share of the cells was seen wrongly.")
@click.option(
    "--observe",
    type=click.Choice(["all", "positions"]),
    default="all",
    show_default=True,
    metavar="WHAT",
    help="What is looked at: with `positions` no facings.",
)
@click.option(
    "--fresh",
    type=click.IntRange(0),
    default=2000,
    show_default=True,
    metavar="TURNS",
    help="Without GAME: hold the rules against so many turns (of --from: every fifth run; 0: none).",
)
@click.option("--time-limit", type=Seconds(0.01), metavar="S", help="In seconds, for all of it.")
@click.option("-o", "--output", type=OUT, callback=writable, metavar="MODEL", help="Write the rules.")
@JSON
def learn(
    game: str | None,
    learner: str,
    rollouts: int | None,
    seed: int,
    recorded: Path | None,
    watch: str | None,
    record: Path | None,
    frames: bool,
    active: bool,
    noise: float | None,
    observe: str,
    fresh: int,
    time_limit: float | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Learn the rules of a game from play alone.

    GAME is watched in the VGDL engine, on its levels and random ones. Its rules are questioned, then
    certified: what the certificate finds is learned from, too.
    With --from or --watch there is no description: kinds, inputs, rules and goals are all found out, and
    held against play that they were not learned from; exit status 1 if some of it was not foreseen.
    Rules that were found within --time-limit are written; exit status 1 if there was no time to judge them.
    Where none say all that was seen, those that say most turns are written as RULES IN PART, exit status 1.
    """
    refuse_mixed(game, recorded, watch, noise, observe)
    from ggp.model.result import Clock

    clock = Clock(time_limit)
    if game is not None:
        learn_described(game, learner, rollouts, seed, active, clock, output, as_json)
        return
    with before_rules(clock):
        if recorded is not None:
            watched = read_play(recorded, noise)
        else:
            world = world_of(watch or "", frames=frames)
            watched = watched_play(world, rollouts or WATCHED, seed, active)
    if record is not None:
        from ggp.learn.record import write_episodes

        write_episodes(record, watched.episodes)
    learner_of = partial(learn_from, noise=noise, observe=observe)
    learned, trial = learn_in_time(watched, learner_of, fresh, clock, time_limit)
    say_learned(learned, trial, len(watched.episodes), output, as_json)
    if learned.unexplained or (trial is not None and not trial.holds):
        sys.exit(1)


def refuse_mixed(
    game: str | None, recorded: Path | None, watch: str | None, noise: float | None, observe: str
) -> None:
    """Raise PuzzleError for options that do not go together."""
    if sum(what is not None for what in (game, recorded, watch)) != 1:
        raise PuzzleError("say what to learn from", "give one of GAME, --from FILE, --watch ENGINE:FILE")
    if noise is not None and recorded is None:
        raise PuzzleError("only recorded play has cells that were seen wrongly", "give --noise with --from")
    if observe == "positions" and (game is not None or noise is not None):
        remedy = "give --observe positions with --from or --watch, without --noise"
        raise PuzzleError("facings are only left out of play without a description", remedy)


def read_play(recorded: Path, noise: float | None) -> Watched:
    """Play that was recorded, some of it held back."""
    from ggp.learn.record import read_episodes

    episodes = read_episodes(recorded)
    return Watched(episodes, recorded.stem, held_back(episodes, noise))


def learn_in_time(
    watched: Watched, learner_of: Callable[..., Learned], fresh: int, clock: Clock, limit: float | None
) -> tuple[Learned, Trial | None]:
    """The rules of what was watched, and how they stand fresh turns; those in part where none say all."""
    from ggp.learn.turn.turns import Ways

    ways = Ways()
    try:
        with before_rules(clock, lambda: ways.left):
            return learn_and_try(watched, partial(learner_of, ways=ways), fresh, limit)
    except NotLearned:
        if ways.part is None:
            raise
        return rules_in_part(watched, ways.part, fresh)


def rules_in_part(watched: Watched, part: InPart, turns: int) -> tuple[Learned, Trial | None]:
    """Rules that say most turns, where none say all, and how they stand fresh ones.

    The trial has some seconds, should the limit be over; None where these were not enough.
    """
    from ggp.learn.whole import learn_partly
    from ggp.model.result import Clock, OutOfTime
    from ggp.tasks.alarm import alarm
    from ggp.watch.trial import once, with_trial

    seen = list(watched.fresh.beginning if watched.fresh is not None and turns else watched.episodes)
    learned = learn_partly(seen, watched.name, part)
    if watched.fresh is not None and turns:
        with suppress(OutOfTime), alarm(Clock(BEYOND)):
            trial = once(learned, seen, watched.fresh, turns, 0, 0)
            return with_trial(learned, trial), trial
    return replace(learned, evidence=(UNTRIED, *learned.evidence)), None


@contextmanager
def before_rules(clock: Clock, left: Callable[[], str] = str) -> Iterator[None]:
    """Inside a limit of time holds; raises NotLearned where it is over and there is nothing yet.

    `left`: what is known by then of what is not explained.
    """
    from ggp.model.result import OutOfTime
    from ggp.tasks.alarm import alarm

    try:
        with alarm(clock):
            yield
    except OutOfTime:
        remedy = "give more time with --time-limit, or less to learn from with --rollouts"
        told = f"; {open_turns}" if (open_turns := left()) else ""
        raise NotLearned(f"no rules were found within {clock.limit:g} seconds{told}", remedy) from None


@contextmanager
def seen_inside_else(game: str, several: bool) -> Iterator[None]:
    """Where nothing is learned of what turns of several passes end with, say how their inside is watched."""
    try:
        yield
    except NotLearned as error:
        if not several:
            raise
        remedy = (
            "a turn is several passes here, and its end seldom says what each did; "
            f"`ggp learn --watch game:{game} --frames` shows the boards inside turns"
        )
        raise NotLearned(error.findings[0].message, remedy) from error


def learn_described(
    game: str,
    learner: str,
    rollouts: int | None,
    seed: int,
    active: bool,
    clock: Clock,
    output: Path | None,
    as_json: bool,
) -> None:
    """Learn a game that is described here, and certify it."""
    from ggp.cli.report.learned import learned_json, learned_text
    from ggp.harness.learning import learn as learn_game
    from ggp.harness.learning import learn_actively, made_of, shows_inside
    from ggp.language import levels

    described, kept = levels.load_game(game)
    with progress(f"watching {game}") as update, before_rules(clock):
        if active:
            learned = learn_actively(described, kept, seed=seed, most=rollouts, clock=clock, say=update)
        else:
            own = made_of(learner, kept)
            with seen_inside_else(game, shows_inside(learner, described)):
                learned = learn_game(
                    described,
                    learner=learner,
                    rollouts=rollouts,
                    seed=seed,
                    kept=own,
                    questions=True,
                    clock=clock,
                    say=update,
                )
    if output is not None:
        from ggp.files.writing import write_whole
        from ggp.language.description.writing import write_game

        write_whole(output, write_game(learned.game, kept).encode())
    if as_json:
        say_json(learned_json(game, learned))
    else:
        for line in learned_text(learned):
            say(line)
    if learned.certificate.unsettled:
        sys.exit(1)


def world_of(address: str, *, frames: bool = False) -> World:
    """The world that `ENGINE:FILE` names; raises PuzzleError."""
    engine, _, rest = address.partition(":")
    if frames and engine != "game":
        raise PuzzleError(f"{engine} does not show the boards inside a turn", "leave out --frames")
    if engine in ("vgdl", "py-vgdl") and rest:
        from ggp.watch.vgdl import VgdlWorld

        return VgdlWorld(Path(rest), stock=engine == "py-vgdl")
    if engine == "puzzlescript" and rest:
        from ggp.watch.puzzlescript import PuzzleScriptWorld

        return PuzzleScriptWorld(Path(rest))
    if engine == "gym" and rest:
        from ggp.watch.environments import GymWorld

        return GymWorld.named(rest)
    if engine == "python" and rest:
        from ggp.watch.callables import CallableWorld

        return CallableWorld.of_file(Path(rest))
    if engine == "game" and rest:
        from ggp.harness.learning import WATCHED_CHANCE, refuse_what_is_not_learned
        from ggp.language import levels
        from ggp.watch.described import DescribedWorld

        described, kept = levels.load_game(rest)
        refuse_what_is_not_learned(described, frozenset() if frames else WATCHED_CHANCE)
        return DescribedWorld(described, kept, frames=frames)
    raise PuzzleError(
        f"there is no world {address[:80]!r}",
        "write vgdl:FILE.txt, py-vgdl:FILE.txt, puzzlescript:FILE.txt, gym:NAME, python:FILE.py or game:NAME",
    )


class Watched(NamedTuple):
    """What was watched or recorded, the name for it, and where fresh play comes from."""

    episodes: Sequence[Episode]
    name: str
    fresh: Fresh | None


def held_back(episodes: list[Episode], noise: float | None) -> Fresh | None:
    """Some of recorded runs, to hold rules against; None where these cannot be played."""
    from ggp.watch.fresh import HeldBack

    return HeldBack(episodes) if noise is None else None


def watched_play(world: World, number: int, seed: int, active: bool) -> Watched:
    """So many roll-outs of a world; the active ones chosen to tell programs apart."""
    from itertools import islice

    from ggp.watch import rollouts
    from ggp.watch.fresh import Played
    from ggp.watch.repeats import played_twice

    with progress(f"watching {world.name}") as update:
        rng, beside = random.Random(seed), list["Episode"]()
        source = rollouts(world, rng, beside=beside)
        if active:
            from ggp.watch.active import play_actively

            episodes = play_actively(world, rng, number, say=update).episodes
            beside += episodes
        else:
            episodes = [*islice(source, number), *islice(world_designs(world, rng), number)]
            episodes += played_twice(world, episodes)
        fresh = Played(world, episodes, source, beside, random.Random(seed + 1))
        return Watched(episodes, world.name, fresh)


def learn_and_try(
    watched: Watched, learner: Callable[..., Learned], turns: int, limit: float | None = None
) -> tuple[Learned, Trial | None]:
    """What is learned, and how it stands fresh turns (None: it was not tried).

    Where a `limit` of time was given, it alone ends the rounds in which rules are learned anew.
    """
    from ggp.watch.trial import WORK, tried

    with progress("learning") as update:
        if watched.fresh is None or not turns:
            learned = learner(list(watched.episodes), watched.name)
            return replace(learned, evidence=(UNTRIED, *learned.evidence)), None
        try:
            work = WORK if limit is None else math.inf
            return tried(partial(learner, name=watched.name), watched.fresh, turns, work=work, say=update)
        except PuzzleError:
            if list(watched.fresh.beginning) == list(watched.episodes):
                raise
            # All of the recorded runs may be enough where those that were not held back are not.
            learned = learner(list(watched.episodes), watched.name)
            return replace(learned, evidence=(NEEDED, *learned.evidence)), None


def world_designs(world: World, rng: random.Random) -> Iterator[Episode]:
    """Designs that are tried out, where the world is a described game that takes any."""
    from ggp.watch.described import DescribedWorld
    from ggp.watch.designs import tried_designs

    return tried_designs(world.game, world.kept, rng) if isinstance(world, DescribedWorld) else iter(())


def learn_from(
    episodes: Sequence[Episode], name: str, noise: float | None, observe: str, ways: Ways
) -> Learned:
    """Learn from play alone; raises PuzzleError where it contradicts itself, or nothing is learned."""
    if noise is not None:
        from ggp.learn.noise.whole import learn_despite_noise

        return learn_despite_noise(episodes, noise, name)
    if observe == "positions":
        from ggp.learn.hidden import learn_positions

        return learn_positions(episodes, name)
    from ggp.learn.chance.whole import learn_with_chance

    return learn_with_chance(episodes, name, ways)


def say_learned(learned: Learned, trial: Trial | None, runs: int, output: Path | None, as_json: bool) -> None:
    """Say what was learned, and what it rests on."""
    from ggp.harness.learning import rules_in_words
    from ggp.language.description.writing import write_game
    from ggp.model.shown import number_of

    # What a reader must not miss stands above all else.
    left = (f"RULES IN PART: they do not say {learned.unexplained}",) if learned.unexplained else ()
    open_goal = (f"GOAL {learned.doubt}",) if learned.doubt else ()
    evidence = (*left, *open_goal, *learned.evidence)
    text = commented(write_game(learned.game, learned.levels), evidence)
    if output is not None:
        from ggp.files.writing import write_whole

        write_whole(output, text.encode())
    if as_json:
        report: dict[str, Any] = {
            "game": learned.game.name,
            "runs": runs,
            "turns": learned.turns,
            "rules": rules_in_words(learned.game).splitlines(),
            "unexplained": learned.unexplained or None,
            "goal": goal_json(learned),
            "evidence": list(learned.evidence),
            "trial": trial.data if trial is not None else None,
            "description": text,
        }
        say_json(report)
        return
    if output is None:
        click.echo(text, nl=False)
    else:
        click.echo(commented("", evidence), nl=False)
    in_part = "; rules in part" if learned.unexplained else ""
    about_goal = f"; the goal is {learned.doubt.partition(':')[0]}" if learned.doubt else ""
    numbers = {"run": runs, "turn": learned.turns, "example": learned.program.examples}
    counted = ", ".join(number_of(what, number) for what, number in numbers.items())
    say(f"# {counted}{in_part}{about_goal}")


def goal_json(learned: Learned) -> dict[str, Any]:
    """What was found out about the goal: its claims (null: none), what agrees too, why it is in doubt."""
    goal = learned.goal
    return {
        "claims": None if goal is None else [claim.text for claim in goal.claims],
        "others": [] if goal is None else list(goal.others),
        "boards_won": 0 if goal is None else goal.wins,
        "doubt": learned.doubt or None,
    }


def commented(text: str, evidence: Iterable[str]) -> str:
    """The text of a description below what it rests on, as comments."""
    lines = [shown(line) for item in evidence for line in item.splitlines()]
    return "".join(f"# {line}\n" for line in lines) + (f"\n{text}" if text else "")
