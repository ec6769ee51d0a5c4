"""Fuzzing: spoilt inputs of every sort; each is accepted and works, or is refused with an error of ours.

The promise that is tried: whatever bytes are read, the answer is a value or a `ggp.errors.PuzzleError` that
says something, after a few seconds at most and within bounded memory; and what is accepted can be used.

`ggp lab` tries some in each trial of the kind `fuzzing`; a long run by itself, within bounded memory, is

    python -m ggp.cli.fuzz --cases 1000000 --seed 1
"""

from __future__ import annotations

import functools
import random
import signal
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import FrameType

from ggp.errors import PuzzleError
from ggp.lab import inputs as given
from ggp.lab import kept
from ggp.lab.inputs import Input
from ggp.lab.spoil import smaller, spoilt_bytes, spoilt_json, spoilt_lines, spoilt_words

SLOWEST = 4.0  # seconds of processor time for one input; the usual is a millisecond
LONGEST_ERROR = 110_000  # characters: fifty faults, each as long as it may be


class TooSlow(BaseException):
    """An input takes too long. No Exception, so that nothing that is tried takes it for one of its own."""


@dataclass(frozen=True)
class Finding:
    """An input that breaks the promise: what reads it, of which case, and what came of it."""

    reader: str
    case: str
    data: bytes
    fault: str
    trace: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.reader} ({self.case}): {self.fault}\n  {self.data[:300]!r}\n{self.trace}"


@dataclass(frozen=True)
class Trial:
    """One input that was tried; `accepted` where it was not refused, `finding` where it broke the promise."""

    reader: str
    accepted: bool
    seconds: float
    finding: Finding | None = None


def inputs() -> Iterator[Input]:
    """Everything that is read."""
    plain = (spoilt_bytes, spoilt_words, spoilt_lines)
    values = (spoilt_json, spoilt_json, spoilt_bytes, spoilt_words)
    records = (kept.spoilt_records, kept.spoilt_records, spoilt_bytes, spoilt_words)
    messages = (kept.spoilt_json_lines, spoilt_bytes)
    yield Input("descriptions", 60, given.descriptions, given.read_whole, plain)
    yield Input("files of levels", 90, given.level_files, given.read_level_file, plain)
    for form, share in (("xsb", 110), ("headed", 60), ("placed", 80), ("lines", 60), ("url", 110)):
        good, read = partial(given.form_texts, form), partial(given.read_form, form)
        yield Input(f"levels as {form}", share, good, read, plain)
    yield Input("links", 70, partial(given.form_texts, "url"), given.read_link, plain)
    yield Input("plans", 120, given.plan_files, given.read_plan, values)
    yield Input("boards", 60, given.boards, given.read_board, plain)
    yield Input("journals", 60, kept.journals, kept.read_journal, records)
    yield Input("learned models", 20, kept.models, kept.read_model, records)
    yield Input("answers of XCSP3 solvers", 60, kept.xcsp_answers, kept.read_xcsp, plain)
    yield Input("answers of workers", 30, lambda: kept.WORKERS, kept.read_worker, messages)
    yield Input("VGDL", 30, kept.vgdl_texts, kept.read_vgdl, plain)


def trials(seed: int, first: int = 0, chosen: str = "") -> Iterator[Trial]:
    """Try one spoilt input after another, for ever; the number of a trial and the seed tell all of it.

    `first` is the number of the first trial, `chosen` the only sort of input, if it is to be one.
    """
    kinds = [one for one in inputs() if chosen in ("", one.name)]
    good = {one.name: one.good() for one in kinds}
    number = first
    while True:
        rng = random.Random(f"{seed}/{number}")
        (one,) = rng.choices(kinds, [kind.share for kind in kinds])
        case, data = spoil(rng, one, good[one.name])
        yield attempt(one, case, data)
        number += 1


def spoil(rng: random.Random, one: Input, good: Sequence[tuple[str, bytes]]) -> tuple[str, bytes]:
    """A spoilt input: the case that it belongs to, and its bytes."""
    case, data = rng.choice(good)
    others = [rng.choice(good)[1] for _ in range(3)]
    return case, rng.choice(one.spoilers)(rng, data, others)


def attempt(one: Input, case: str, data: bytes) -> Trial:
    """Read an input, and see that the promise is kept."""
    started = time.process_time()
    accepted, fault, trace = False, "", ""
    try:
        limited(one, case, data)
        accepted = True
    except PuzzleError as error:
        fault = fault_of_error(error)
    except TooSlow:
        fault, trace = f"it takes more than {SLOWEST:g} s", traceback.format_exc()
    except Exception as error:
        fault, trace = f"{type(error).__name__}: {error}"[:500], traceback.format_exc()
    seconds = time.process_time() - started
    if accepted:
        forget()
    found = Finding(one.name, case, data, fault, trace) if fault else None
    return Trial(one.name, accepted, seconds, found)


def limited(one: Input, case: str, data: bytes) -> None:
    """Read an input on the clock."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise TooSlow

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, SLOWEST)
    try:
        one.read(case, data)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def fault_of_error(error: PuzzleError) -> str:
    """What is wrong with an error of ours; nothing, as a rule."""
    if not error.findings or not all(finding.message for finding in error.findings):
        return "an error that says nothing"
    if len(str(error)) > LONGEST_ERROR:
        return f"an error of {len(str(error))} characters"
    if any(not char.isprintable() and char != "\n" for char in str(error)):
        return f"an error with a character that cannot be shown: {str(error)[:300]!r}"
    return ""


def forget() -> None:
    """Empty what is remembered by game, which else would grow with every game that is tried."""
    for cached in game_caches():
        cached.cache_clear()


@functools.cache
def game_caches() -> tuple[functools._lru_cache_wrapper[object], ...]:
    """The caches of the modules that work on games and levels."""
    names = (
        "ggp.model.board",
        "ggp.model.pieces",
        "ggp.referee.passes",
        "ggp.referee.turns",
        "ggp.transition.program",
        "ggp.transition.kernel",
    )
    found = []
    for name, module in sorted(sys.modules.items()):
        if name in names or name.startswith(("ggp.goals.", "ggp.language.validate")):
            found += [value for value in vars(module).values() if hasattr(value, "cache_clear")]
    return tuple(found)


def shrunk(finding: Finding) -> Finding:
    """The same fault from a shorter input."""
    (one,) = (kind for kind in inputs() if kind.name == finding.reader)
    kind = finding.fault.split(":")[0]

    def fails(data: bytes) -> bool:
        found = attempt(one, finding.case, data).finding
        return found is not None and found.fault.split(":")[0] == kind

    data = smaller(finding.data, fails, 40 if "takes more" in finding.fault else 400)
    return attempt(one, finding.case, data).finding or finding
