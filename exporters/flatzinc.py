"""FlatZinc, for any solver behind MiniZinc: its plain constraints, and what each variable stands for.

The file asks for a plan that wins; what would be best is written only where a solver is asked (`write`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from ggp.encoding.constraints import Encoding, Values
from ggp.encoding.lowering import board_map, flatzinc
from ggp.encoding.lowering.flatzinc import Flat
from ggp.encoding.lowering.legends import Legends
from ggp.encoding.lowering.protocol import Lowered
from ggp.encoding.lowering.route import Backend
from ggp.engines.csp import flatzinc as engines
from ggp.engines.csp.answers import Declared
from ggp.engines.csp.run import Talk, Written
from ggp.engines.texts.exported import FEATURES, Rewrite, faithful, losses, unfit
from ggp.engines.texts.formats import AsIs
from ggp.engines.texts.solved import SECONDS, Solved
from ggp.engines.texts.written import merged, to
from ggp.errors import PuzzleError, SolverError
from ggp.model import Instance, Plan
from ggp.model.export import Check
from ggp.model.result import Clock

__all__ = ["FEATURES", "NAME", "SUFFIX", "available", "losses", "rewritten", "text", "unfit", "verify"]

NAME = "flatzinc"
SUFFIX = engines.SUFFIX
BACKEND = Backend("constraint", flatzinc.TAKES, ("positions", "conserved"))


def available() -> str | None:
    """It needs nothing to write."""
    return None


@lru_cache(maxsize=2)  # it is written, and verified
def exported(
    instance: Instance, plan: Plan | None, passes: tuple[Rewrite, ...] = ()
) -> tuple[Encoding, Lowered]:
    """The encoding that is exported, and the same in the words of the format."""
    source = faithful(instance, plan, passes)
    return source, to(source, "constraint", flatzinc.TAKES)


def written(source: Encoding, lowered: Lowered) -> Written:
    """A text that begins with what it is about."""
    encoding = lowered.encoding
    within = f" within {encoding.horizon} turns" if encoding.horizon else ""
    head = [f"{encoding.instance.name}: a solution is a plan that wins{within}"]
    return model(encoding, [*head, *board_map.about(source, encoding)])


def write(encoding: Encoding, minimise: bool = False, seconds: float | None = None) -> Written:
    """An encoding as a file, with its objective if asked to."""
    return model(encoding, (), minimise)


def model(encoding: Encoding, head: Iterable[str], minimise: bool = False) -> Written:
    """An encoding as a text, under `head` as comments. Raises PuzzleError where nothing is to be decided."""
    flat, legends = Flat(encoding), Legends(encoding)
    if not flat.called:
        message = f"{encoding.instance.name} leaves nothing to decide, so there is nothing to write"
        raise PuzzleError(message, "just play it")
    groups = merged(
        (legends.of_constraint(constraint), list(flat.lines(constraint)))
        for constraint in encoding.constraints
    )
    solving = flat.solving(minimise)
    lines = [*(f"% {line}" for line in head), *flat.declarations(), *flat.made]
    if flat.meanings:
        groups = [("what a value, a number or an index is", flat.meanings), *groups]
    for note, some in groups:
        lines += [f"% {note}", *(f"constraint {line};" for line in some)]
    numbers = {name: number for number, name in flat.called.items()}
    domains = {name: flat.values(number) for name, number in numbers.items()}
    return Written("\n".join([*lines, solving]) + "\n", numbers, Declared(domains, {}))


# --- verification


def verify(instance: Instance, text: str, plan: Plan | None = None) -> Iterator[Check]:
    """Let Choco and, where it is here, Gecode read the text; what they answer is held against the referee."""
    source, lowered = exported(instance, plan)
    level = replace(written(source, lowered), text=text)
    tools = (engines.CHOCO, engines.through_minizinc("gecode"))
    judge = accepts if engines.CHOCO.available() is None else None
    yield from Solved(source, lowered, level, tools, judge, "Choco").checks(plan)


def accepts(written: Written, values: Values) -> tuple[bool, str]:
    """Has the text, with each variable set to its value, a solution? By Choco; and what it says."""
    before, word, after = written.text.rpartition("solve ")
    pinned = (pin(name, number, written, values) for name, number in written.numbers.items())
    talk = Talk(engines.CHOCO, "one", Clock(SECONDS), written.declared)
    try:
        found = list(talk.answers(f"{before}{''.join(pinned)}{word}{after}"))
        return talk.outcome(bool(found)).stop == "satisfied", talk.reader.status or ""
    except SolverError as error:
        return False, str(error)


def pin(name: str, number: int, written: Written, values: Values) -> str:
    """The line that gives a variable its value."""
    if written.declared.domains[name] == (0, 1):
        return f"constraint bool_eq({name}, {flatzinc.truth(bool(values[number]))});\n"
    return f"constraint int_eq({name}, {values[number]});\n"


FORMAT = AsIs(lambda instance, plan, passes: written(*exported(instance, plan, tuple(passes))).text)
text, rewritten = FORMAT.text, FORMAT.rewritten
