"""How many turns a second each thing that plays a level makes, with one random input after another.

The compiled transition one state at a time and in batches, the referee, and each engine that plays the
exported texts. They are timed in seconds of the processor, so that other work on the machine does not
count. What is not installed gets a row that says so.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence

from ggp.bench import Record, Say
from ggp.errors import IllegalAction, PuzzleError
from ggp.model import Instance
from ggp.model.board import Action
from ggp.referee.inputs import all_actions
from ggp.referee.semantics import initial_state, step

BATCH = 4096
FEWEST_STEPS, FEWEST_CELLS = 200_000.0, 20e6  # a second: what stepping should reach


Way = tuple[str, Callable[[Instance, float], tuple[int, float]], float | None]
"""What makes turns, in words; a function that makes them for some seconds; how many it should reach."""


def rows(
    bench: str, instance: Instance, seconds: float, say: Say, ways: Sequence[Way] = ()
) -> Iterator[Record]:
    """A row for each way of making turns, each run for about `seconds`: those that are given, then ours."""
    every: list[Way] = [
        *ways,
        ("compiled transition, one state (turns)", one_state, FEWEST_STEPS),
        (f"compiled transition, {BATCH} states (cells)", many_states, FEWEST_CELLS),
        ("referee (turns)", referee, None),
        ("built-in VGDL engine (turns)", built_in_vgdl, None),
        ("py-vgdl (turns)", py_vgdl, None),
        ("PuzzleScript engine (turns)", puzzlescript, None),
    ]
    yield from measured(bench, instance, seconds, say, every)


def measured(
    bench: str, instance: Instance, seconds: float, say: Say, ways: Sequence[Way]
) -> Iterator[Record]:
    """A row for each of these ways."""
    for what, way, target in ways:
        say(f"{instance.name}, {what}")
        try:
            made, spent = way(instance, seconds)
        except PuzzleError as error:
            yield Record(bench, f"{instance.name}, {what}: {reason(error)}", 0.0, 0)
            continue
        yield Record(bench, f"{instance.name}, {what}", spent, 1, rate=made / spent, least=target)


def reason(error: PuzzleError) -> str:
    """What an error says, in one line."""
    return error.findings[0].message


def inputs(instance: Instance, count: int) -> list[Action]:
    """Random inputs, legal or not."""
    rng, actions = random.Random(1), list(all_actions(instance))
    return [rng.choice(actions) for _ in range(count)]


def timed(seconds: float, turns: Callable[[], int]) -> tuple[int, float]:
    """Call `turns` until the time is over; (how many turns it made, the seconds it took)."""
    turns()  # what is read and kept once is not counted
    made, start = 0, time.process_time()
    while time.process_time() - start < seconds:
        made += turns()
    return made, time.process_time() - start


def one_state(instance: Instance, seconds: float) -> tuple[int, float]:
    """The compiled transition, in Python's integers."""
    from ggp.transition.bits import Bits
    from ggp.transition.compiler import compile_instance

    bits = Bits(compile_instance(instance))
    start, declared, actions = bits.pack(initial_state(instance)), instance.game.input, inputs(instance, 5000)

    def turns() -> int:
        boards = start
        for action in actions:
            try:
                boards = bits.act(boards, action, declared)
            except IllegalAction:
                continue
        return len(actions)

    return timed(seconds, turns)


def many_states(instance: Instance, seconds: float) -> tuple[int, float]:
    """The compiled transition over a batch. Counted are cells: a turn updates each cell of each state."""
    from ggp.transition.batch import Batch
    from ggp.transition.compiler import compile_instance

    transition = compile_instance(instance)
    batch = Batch(transition, BATCH)
    boards = batch.pack([initial_state(instance)] * BATCH)
    rounds = [inputs(instance, BATCH)[shift:] + inputs(instance, shift) for shift in range(8)]

    def turns() -> int:
        nonlocal boards
        for actions in rounds:
            boards = batch.step(boards, actions)
        return len(rounds) * BATCH * transition.height * transition.width

    return timed(seconds, turns)


def referee(instance: Instance, seconds: float) -> tuple[int, float]:
    """The referee."""
    actions = inputs(instance, 50)

    def turns() -> int:
        state = initial_state(instance)
        for action in actions:
            try:
                state = step(instance, state, action)
            except IllegalAction:
                continue
        return len(actions)

    return timed(seconds, turns)


def built_in_vgdl(instance: Instance, seconds: float) -> tuple[int, float]:
    """The exported VGDL text in the built-in engine."""
    from ggp.exporters.vgdl.play import built_in

    return vgdl(instance, seconds, built_in)


def py_vgdl(instance: Instance, seconds: float) -> tuple[int, float]:
    """The same text in py-vgdl."""
    from ggp.engines import pyvgdl

    return vgdl(instance, seconds, pyvgdl.build)


def vgdl(instance: Instance, seconds: float, build: Callable[[str, str], object]) -> tuple[int, float]:
    """One tick a turn; a level that has ended is begun anew."""
    from ggp.exporters.vgdl import layout
    from ggp.exporters.vgdl.play import Run
    from ggp.exporters.vgdl.sheet import split

    made = layout(instance)
    game, level_map = split(made.text)
    actions = inputs(instance, 200)

    def turns() -> int:
        run = Run(instance, made, build(game, level_map))  # type: ignore[arg-type]
        for number, action in enumerate(actions, start=1):
            run.turn(action)
            if run.level.ended:
                return number
        return len(actions)

    return timed(seconds, turns)


def puzzlescript(instance: Instance, seconds: float) -> tuple[int, float]:
    """The exported PuzzleScript text in its engine, which is warm."""
    from ggp.engines import puzzlescript as engine
    from ggp.exporters.puzzlescript.script import Script

    script = Script(instance)
    keys = [str(action) for action in inputs(instance, 1000)]
    return engine.rate(script.text(), script.level_number(instance), keys, seconds)
