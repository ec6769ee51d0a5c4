"""A loop of ours in PuzzleScript, which has loops of its own: rounds until a round touches nothing.

So that a loop rests exactly when ours does, all that is done in a round asks for a helper, `live`, which goes
as soon as a round has left every piece where it was. PuzzleScript's loops do not nest: where one of ours
holds another, a helper says at which group the rounds are, and an inner loop keeps it until it rests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from ggp.exporters.puzzlescript.cast import Cast
from ggp.exporters.puzzlescript.passes import Stage
from ggp.exporters.puzzlescript.patterns import bare
from ggp.transition.program import Loop, Pass, changed_by, passes_of

PassLines = Callable[[Pass | Loop, Stage], Iterable[str] | None]


def loop_lines(stage: Stage, loop: Loop, plain_lines: PassLines) -> Iterator[str]:
    """The lines of a loop; `plain_lines` gives those of a pass, and of a loop that needs none of this."""
    cast, live = stage.cast, stage.cast.helper("live")
    inside = replace(stage, going=f"{stage.going} {live}")
    nested = any(plain_lines(inner, inside) is None for inner in loop.body)
    at = [f" {cast.helper(f'at {number}')}" if nested else "" for number in range(len(loop.body) + 1)]
    # What an inner loop does in many rounds is one run of its group: only the first of them begins a run.
    begin = f" {cast.helper('at begin')}" if nested else ""
    yield from ("", bare(stage.going, f"{stage.going} {live}{begin}"), "startloop")
    yield from remember(cast, f"{live}{begin}", loop, "kept")
    if nested:
        yield bare(f"{live}{begin}", f"{live}{at[0]}")
    for number, inner in enumerate(loop.body):
        here, following = f"{live}{at[number]}", f"{live}{at[number + 1]}"
        inside = replace(stage, going=f"{stage.going} {here}")
        plain = plain_lines(inner, inside)
        if plain is not None:
            yield from plain
            if nested:
                yield bare(here, following)
            continue
        assert isinstance(inner, Loop)
        yield from remember(cast, here, inner, "inner")
        for one in passes_of(inner.body):
            yield from plain_lines(one, inside) or ()
        yield from compare(cast, here, inner, "inner")
        yield bare(f"{here} no {cast.helper('inner moved')}", following)
        yield bare(cast.helper("inner moved"), "")
    end = f"{live}{at[-1]}"
    yield from compare(cast, end, loop, "kept")
    yield bare(f"{end} no {cast.helper('kept moved')}", "")
    yield bare(cast.helper("kept moved"), "")
    if nested:
        yield bare(end, f"{live}{begin}")
    yield "endloop"


def most_rounds(step: Pass | Loop, plain: Callable[[Loop], bool]) -> int:
    """How many rounds of PuzzleScript's loops a step may take; one more of ours shows that it rests.

    `plain` says which loops are none there.
    """
    if isinstance(step, Pass) or plain(step):
        return 0
    inner = sum(most_rounds(one, plain) for one in step.body)
    return (step.bound + 1) * max(1, inner) + 1


def remember(cast: Cast, guard: str, loop: Loop, word: str) -> Iterator[str]:
    """The lines that note where all stands that the loop can change."""
    for plane in sorted(changed_by(loop.body)):
        piece = cast.pieces[plane]
        yield bare(f"{guard} ; {piece}", f"{guard} ; {piece} {cast.helper(noted(cast, word, plane))}")


def compare(cast: Cast, guard: str, loop: Loop, word: str) -> Iterator[str]:
    """The lines that find out whether something stands elsewhere now, and forget what was noted."""
    moved = cast.helper(f"{word} moved")
    notes = {plane: cast.helper(noted(cast, word, plane)) for plane in sorted(changed_by(loop.body))}
    for plane, note in notes.items():
        piece = cast.pieces[plane]
        yield bare(f"{guard} ; {piece} no {note}", f"{guard} {moved} ; {piece}")
        yield bare(f"{guard} ; {note} no {piece}", f"{guard} {moved} ; {note}")
    if notes:
        yield bare(f"{guard} ; {cast.group(f'{word} all', notes.values())}", f"{guard} ;")


def noted(cast: Cast, word: str, plane: int) -> str:
    """The helper that notes where a plane stood."""
    return f"{word} {cast.transition.planes[plane]}"
