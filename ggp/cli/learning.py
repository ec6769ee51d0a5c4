"""The command that learns: a game described here, recorded play, or a game that can only be watched."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ggp import registry
from ggp.cli.common import FILE, JSON, OUT, Seconds, cli, options_given, writable
from ggp.cli.console import progress, say, say_json
from ggp.errors import NotLearned, PuzzleError

if TYPE_CHECKING:
    from ggp.harness.from_play import Watched
    from ggp.model.result import Clock

SOURCES = {"game": "GAME", "recorded": "--from", "watch": "--watch"}
"""How what is learned from is named on the command line."""

GOES_WITH = {
    "--learner": {"game"},
    "--rollouts": {"game", "watch"},
    "--seed": {"game", "watch"},
    "--active": {"game", "watch"},
    "--record": {"watch"},
    "--frames": {"watch"},
    "--noise": {"recorded"},
    "--observe": {"recorded", "watch"},
    "--fresh": {"recorded", "watch"},
}
"""What an option needs to be learned from, where not everything goes."""


@cli.command()
@click.argument("game", metavar="[GAME]", required=False)
@click.option("--learner", default=registry.USUAL_LEARNER, show_default=True, help="See `ggp list learners`.")
@click.option(
    "--rollouts",
    type=click.IntRange(1),
    help="How many (default: until nothing surprises; of what is watched 60, and up to 240 where "
    "these do not do).",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the random levels and inputs.")
@click.option("--from", "recorded", type=FILE, metavar="FILE", help="Learn from recorded play instead.")
@click.option(
    "--watch",
    metavar="ENGINE:FILE",
    help="Watch a game: vgdl:, py-vgdl:, puzzlescript:, gym:NAME, python:FILE, game:NAME.",
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
    certified: what the certificate finds is learned from, too. A file of PuzzleScript is watched in its own
    engine, as by --watch; FILE#3 shows its third level alone.
    With --from or --watch there is no description: kinds, inputs, rules and goals are all found out, and
    held against play that they were not learned from; exit status 1 if some of it was not foreseen.
    Rules that were found within --time-limit are written; exit status 1 if there was no time to judge them.
    Where none say all that was seen, those that say most turns are written as RULES IN PART, exit status 1.
    """
    if game is not None and watch is None and (address := address_of(game)) is not None:
        game, watch = None, address
    refuse_together({"game": game, "recorded": recorded, "watch": watch}, noise, observe)
    from ggp.model.result import Clock

    clock = Clock(time_limit)
    if game is not None:
        learn_described(game, learner, rollouts, seed, active, clock, output, as_json)
        return
    from ggp.cli.report.from_play import say_learned
    from ggp.harness.from_play import learned_in_time, learner_for

    play = play_of(recorded, watch or "", frames, rollouts, seed, active, noise, clock)
    if record is not None:
        from ggp.learn.record import write_episodes

        write_episodes(record, play.episodes)
    with progress("learning") as update:
        found = learned_in_time(play, learner_for(noise, observe, play.world), fresh, clock, update)
    say_learned(found, output, as_json)
    if not found.holds:
        sys.exit(1)


def address_of(game: str) -> str | None:
    """The world of a file whose rules go in scan order; None for what the VGDL engine plays."""
    from ggp.language import levels

    described, _ = levels.load_shown(game)
    return f"puzzlescript:{game}" if described.scan is not None else None


def refuse_together(sources: dict[str, object], noise: float | None, observe: str) -> None:
    """Raise PuzzleError for options that do not go together; `sources`: by the names of SOURCES."""
    given = [name for name, what in sources.items() if what is not None]
    if len(given) != 1:
        raise PuzzleError("say what to learn from", "give one of GAME, --from FILE, --watch ENGINE:FILE")
    (source,) = given
    for option in options_given():
        able = GOES_WITH.get(option, {source})
        if source not in able:
            named = " or ".join(shown for name, shown in SOURCES.items() if name in able)
            raise PuzzleError(f"{option} does not go with {SOURCES[source]}", f"it goes with {named}")
    from ggp.harness.from_play import refuse_mixed

    refuse_mixed(source == "recorded", noise, observe)


def play_of(
    recorded: Path | None,
    watch: str,
    frames: bool,
    rollouts: int | None,
    seed: int,
    active: bool,
    noise: float | None,
    clock: Clock,
) -> Watched:
    """What is to be learned from: what was recorded, or what is watched now."""
    from ggp.harness import from_play
    from ggp.harness.worlds import world_of

    with from_play.before_rules(clock):
        source = recorded if recorded is not None else world_of(watch, frames=frames)
        with progress("reading" if isinstance(source, Path) else f"watching {source.name}") as update:
            return from_play.taken(source, rollouts, seed, active=active, noise=noise, say=update)


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
    from ggp.harness.from_play import before_rules
    from ggp.harness.learning import learn as learn_game
    from ggp.harness.learning import learn_actively, made_of, shows_inside
    from ggp.language import levels
    from ggp.learn.predictors import PREDICTORS

    if learner in PREDICTORS:
        remedy = f"compare it with others: `ggp compare --games {game} --rollouts 10,40 --learners {learner}`"
        raise PuzzleError(f"{learner} foresees boards, and writes no rules", remedy)
    described, kept = levels.load_shown(game)
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
