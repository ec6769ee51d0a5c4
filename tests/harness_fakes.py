"""Solvers that misbehave, and a learner, for the tests of the harness. `harness_plugin` registers them.

Worker processes import that plugin; the test process takes what it needs with monkeypatch.
"""

from __future__ import annotations

import ctypes
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, MutableMapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from ggp.errors import SolverError
from ggp.harness import learning
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.model import Game, Instance, Level, Plan
from ggp.model.features import SOLVABLE
from ggp.model.result import Outcome, Query
from ggp.proof.equivalence.certificate import certify
from ggp.tasks.oracle import model_of

Answers = Generator[Plan, None, Outcome]
Solve = Callable[[Instance, Query], Answers]
MARK = "GGP_HARNESS_MARK"  # an environment variable; processes that fakes start carry its value
WARMING = "smallest"  # the game that the harness puts to a solver before the run that counts


def known(instance: Instance) -> tuple[Plan, ...]:
    return instance.level.known.wins


def crash(instance: Instance, query: Query) -> Answers:
    yield from known(instance)[:2]
    os.kill(os.getpid(), signal.SIGSEGV)
    return Outcome("satisfied", True)


def quits(instance: Instance, query: Query) -> Answers:
    yield from known(instance)[:1]
    os._exit(0)


def exits(instance: Instance, query: Query) -> Answers:
    yield from ()
    sys.exit(3)


def breaks(instance: Instance, query: Query) -> Answers:
    yield from known(instance)[:1]
    raise ValueError("<b>broken</b>")


def unsure(instance: Instance, query: Query) -> Answers:
    yield from ()
    raise SolverError("it said MAYBE", "which is no status")


def hang(instance: Instance, query: Query) -> Answers:
    yield from known(instance)[:1]
    while True:
        time.sleep(1)


def stuck(instance: Instance, query: Query) -> Answers:
    """Hangs without ever letting another thread run."""
    yield from known(instance)[:1]
    re.match("(a+)+$", "a" * 60 + "b")
    return Outcome("satisfied")


def eat(instance: Instance, query: Query) -> Answers:
    yield from known(instance)[:1]
    eaten = []
    while True:
        eaten.append(bytearray(10_000_000))


def feed(instance: Instance, query: Query) -> Answers:
    """The memory is held by processes that it starts."""
    yield from known(instance)[:1]
    # Each holds less than the limit, both together more.
    code = "import time; held = b'x' * 120_000_000; time.sleep(60)"
    for _ in range(2):
        subprocess.Popen([sys.executable, "-c", code])
    time.sleep(60)
    return Outcome("satisfied")


def abort(instance: Instance, query: Query) -> Answers:
    """What a C++ program does when it is refused memory."""
    yield from ()
    os.write(2, b"terminate called after throwing an instance of 'std::bad_alloc'\n")
    ctypes.CDLL(None).abort()
    return Outcome("error")


def lie(instance: Instance, query: Query) -> Answers:
    yield from known(instance)[:1]
    yield from instance.level.known.loses[:1]
    return Outcome("satisfied", True)


def forget(instance: Instance, query: Query) -> Answers:
    """Claims to have found everything, and has not."""
    yield from known(instance)[:1]
    return Outcome("satisfied", True)


def leave(instance: Instance, query: Query) -> Answers:
    """Answers well, but leaves processes behind, one of them in a session of its own."""
    for alone in (False, True):
        command = [sys.executable, "-c", "import time; time.sleep(300)", os.environ.get(MARK, "")]
        subprocess.Popen(command, start_new_session=alone)
    yield from known(instance)
    return Outcome("satisfied", True)


def talk(instance: Instance, query: Query) -> Answers:
    """Writes a lot, also where the harness must not mistake it for an answer."""
    os.write(1, b'{"key": "x"}\n' * 10_000)
    os.write(2, b"\x80\x00\xff" * 10_000)
    yield from known(instance)
    return Outcome("satisfied", True)


def slow(instance: Instance, query: Query) -> Answers:
    """Takes a moment, and writes down that it was run to its end."""
    time.sleep(0.08)
    write_down()
    yield from known(instance)
    return Outcome("satisfied", True)


def meet(instance: Instance, query: Query) -> Answers:
    """Waits until another one is run at the same time."""
    write_down()
    while Path(os.environ[MARK]).read_text("utf-8").count("\n") < 2:
        time.sleep(0.02)
    yield from known(instance)
    return Outcome("satisfied", True)


def write_down() -> None:
    """Write down that a solver has been run."""
    with open(os.environ[MARK], "a", encoding="utf-8") as log:
        log.write(f"{os.getpid()}\n")


SOLVES: dict[str, Solve] = {
    one.__name__: one
    for one in (
        crash,
        quits,
        exits,
        breaks,
        unsure,
        hang,
        stuck,
        eat,
        feed,
        abort,
        lie,
        forget,
        leave,
        talk,
    )
}
MEETING = ("meet-1", "meet-2")
SLOW = tuple(f"slow-{number}" for number in range(24))


def after_warming(solve: Solve) -> Solve:
    """Misbehave only in the run that counts."""

    def solver(instance: Instance, query: Query) -> Answers:
        if instance.game.name == WARMING:
            return Outcome("satisfied")
        return (yield from solve(instance, query))

    return solver


def module(name: str, solve: Solve, **more: Any) -> ModuleType:
    made = ModuleType(f"harness_fakes_{name}", "A fake.")
    contents = {
        "NAME": name,
        "FEATURES": SOLVABLE | {"goal:on", "goal:count", "goal:different"},
        "available": lambda: None,
        "versions": lambda: {name: "1"},
        "solve": solve,
    }
    vars(made).update(contents | more)
    return made


def modules() -> dict[str, ModuleType]:
    made = {name: module(name, after_warming(solve)) for name, solve in SOLVES.items()}
    made |= {name: module(name, after_warming(slow)) for name in SLOW}
    made |= {name: module(name, after_warming(meet)) for name in MEETING}
    made["crash-early"] = module("crash-early", crash)
    made["missing"] = module("missing", forget, available=lambda: "install it with `get missing`")
    made["narrow"] = module("narrow", forget, FEATURES=frozenset())
    made["fragile"] = module("fragile", forget, versions=lambda: os.abort())
    return made


def register(solvers: MutableMapping[str, str]) -> None:
    """Add the fakes to a table of solvers."""
    for name, made in modules().items():
        sys.modules[made.__name__] = made
        solvers[name] = made.__name__


# --- learning -----------------------------------------------------------------------------------------


def learn(
    described: Game,
    *,
    learner: str,
    rollouts: int | None,
    seed: int,
    kept: Sequence[Level],
    say: Callable[[str], None],
) -> learning.LearnedGame:
    """Knows the rules already; gets one wrong for some values of the seed, and fails for others."""
    if seed == 13:
        raise SolverError("nothing can be learned today", "come back tomorrow")
    text = write_game(described)
    if seed == 7:
        text = text.replace("no solid ahead", "inside ahead  ")  # through walls
    if seed == 8:
        text = text.replace("lemming here -> ahead", "lemming here -> behind")  # nothing wins
    game = read_game(text.encode(), "learned")[0]
    say("certifying")
    certificate = certify(described, game, model_of)
    return learning.LearnedGame(
        replace(game, title="Learned"), learner, 250, 999, certificate, 1.25, learning.rules_in_words(game)
    )
