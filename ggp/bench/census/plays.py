"""The plans of a census, played in the real engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from ggp.bench.census.rows import Counted
from ggp.engines import puzzlescript as engine
from ggp.errors import NotAvailable, SolverError

PLAYED_AT_ONCE = 20  # games in one process of the engine


def replayed(games: Sequence[Counted], texts: dict[str, str], say: Callable[[str], None]) -> str:
    """Play all plans in the engine and count; what it was played in, or why it was not."""
    home = engine.engine()
    reason = engine.available()
    if reason is not None or home is None:
        for one in games:
            one.unplayed = len(one.plans)
        return f"none: {reason}"
    for start in range(0, len(games), PLAYED_AT_ONCE):
        some = games[start : start + PLAYED_AT_ONCE]
        say(f"plans in the engine, {start + 1} of {len(games)} games")
        played(some, texts)
    return f"PuzzleScript of 2015, npm {engine.VERSION}" if (home / engine.WHOLE).is_file() else engine.HOME


def played(games: Sequence[Counted], texts: dict[str, str]) -> None:
    """Play the plans of some games; one at a time where the engine fails with all of them."""
    try:
        compiled = engine.play([engine.Job(texts[one.file], ()) for one in games])
        jobs = [
            engine.Job(texts[one.file], list(keys_of(one, made.levels)), tests=True)
            for one, made in zip(games, compiled, strict=True)
        ]
        found = engine.play(jobs)
    except (SolverError, NotAvailable):
        if len(games) > 1:
            for one in games:
                played([one], texts)
        else:
            games[0].unplayed = len(games[0].plans)
        return
    for one, job, made in zip(games, jobs, found, strict=True):
        ends = Counter(won(run) for run in made.runs)
        one.replayed, one.differing = ends[True], ends[False]
        one.unplayed = len(one.plans) - len(job.plays)


def keys_of(one: Counted, screens: Sequence[tuple[int, int] | str]) -> Iterator[tuple[int, list[str]]]:
    """(number of the screen, keys) of each plan that keys can say; messages are screens, too."""
    maps = [number for number, screen in enumerate(screens) if not isinstance(screen, str)]
    for number, actions in one.plans:
        if number < len(maps) and set(actions) <= set(engine.KEYS):
            yield maps[number], actions


def won(run: engine.Run) -> bool:
    """Was the level won in the engine?"""
    return any(frame["won"] for frame in run.frames)
