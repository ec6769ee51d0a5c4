"""Pictures as files: a still as PNG or SVG, a run as an animated GIF or a video."""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Literal

from ggp.errors import PuzzleError
from ggp.files.writing import write_whole
from ggp.model import Instance
from ggp.model.board import State
from ggp.render.mosaic import Mosaic
from ggp.render.svg import Decorations, frame_size, frame_svg

FRAME_LIMIT = 64_000_000  # pixels of one picture
RUN_LIMIT = 1_000_000_000  # pixels of all frames of a run
LAST_FRAME = 2.0  # seconds that the outcome stays before a GIF starts again
MOVING = (".gif", ".mp4", ".webm")


def render(
    instance: Instance,
    states: Sequence[State],
    out: Path,
    *,
    size: int = 32,
    seconds_per_turn: float = 0.3,
    won: bool | None = None,
    numbers: bool = False,
) -> None:
    """Write a picture of a run to `out`, whole or not at all; the suffix says which sort.

    `.png` and `.svg` show the last state; `.gif`, `.mp4` and `.webm` show every state for
    `seconds_per_turn` seconds, the last one longer, with a bar below that shows the time. `size` is the
    side of a cell in pixels. `won` gives the last picture a green or a red border; None leaves it without.
    Raises PuzzleError for another suffix, for a picture that would be too large, and where the file cannot
    be written; NotAvailable for a video where the extra `video` is not installed.
    """
    if not states:
        raise PuzzleError("there is no state to draw", "give at least the initial one")
    outcome: Literal["won", "lost"] | None = None if won is None else "won" if won else "lost"
    last = Decorations(outcome=outcome, numbers=numbers)
    kind = out.suffix.lower()
    if kind == ".svg":
        data = frame_svg(instance, states[-1], size=size, decorations=last).encode()
    elif kind == ".png":
        check_pixels(instance, size, 1)
        data = png_bytes(instance, states[-1], size, last)
    elif kind in MOVING:
        check_pixels(instance, size, len(states))
        seconds = pace(len(states), seconds_per_turn)
        data = (
            gif_bytes(instance, states, size, seconds, last)
            if kind == ".gif"
            else run_video(instance, states, size, seconds, last, kind)
        )
    else:
        raise PuzzleError(
            f"cannot tell what picture {out.name[:80]!r} is to be",
            "the name must end in .gif, .mp4, .webm, .png or .svg",
        )
    write_whole(out, data)


def check_pixels(instance: Instance, size: int, frames: int) -> None:
    """Raise PuzzleError where the pixels would be too many to hold."""
    wide, high = frame_size(instance, size)
    if wide * high > FRAME_LIMIT:
        raise PuzzleError(
            f"a picture of {wide} by {high} pixels is too large", f"use a smaller size (`--size`) than {size}"
        )
    if wide * high * frames > RUN_LIMIT:
        raise PuzzleError(
            f"{frames} frames of {wide} by {high} pixels are too many",
            f"use a smaller size (`--size`) than {size}, or write a .png of the end",
        )


def png_bytes(instance: Instance, state: State, size: int, decorations: Decorations) -> bytes:
    """The PNG file of one state."""
    buffer = io.BytesIO()
    Mosaic(instance, size, decorations).picture(state).save(buffer, "PNG")
    return buffer.getvalue()


def pace(states: int, seconds_per_turn: float) -> list[float]:
    """How long each state is shown. GIFs count in hundredths of a second; viewers keep to 2 or more."""
    if not 0.02 <= seconds_per_turn <= 60:
        raise PuzzleError(f"a turn cannot take {seconds_per_turn} seconds", "give 0.02 to 60")
    return [seconds_per_turn] * (states - 1) + [max(LAST_FRAME, seconds_per_turn)]


def gif_bytes(
    instance: Instance, states: Sequence[State], size: int, seconds: Sequence[float], last: Decorations
) -> bytes:
    """The file of an animated GIF, in which each state is shown so long."""
    mosaic = Mosaic(instance, size, Decorations(numbers=last.numbers))
    palette = mosaic.palette(states)
    # The bar also keeps frames in which nothing moves from being run together.
    frames = [mosaic.indexed(state, palette, turn / len(states)) for turn, state in enumerate(states[:-1])]
    frames.append(Mosaic(instance, size, last).indexed(states[-1], palette))
    buffer = io.BytesIO()
    frames[0].save(
        buffer,
        "GIF",
        save_all=True,
        append_images=frames[1:],
        duration=[round(each * 100) * 10 for each in seconds],
        loop=0,
        disposal=1,
    )
    return buffer.getvalue()


def run_video(
    instance: Instance,
    states: Sequence[State],
    size: int,
    seconds: Sequence[float],
    last: Decorations,
    suffix: str,
) -> bytes:
    """The file of a video, in which each state is shown so long."""
    from ggp.render.video import video_bytes

    mosaic = Mosaic(instance, size, Decorations(numbers=last.numbers))
    pictures = (mosaic.picture(state, turn / len(states)) for turn, state in enumerate(states[:-1]))
    end = Mosaic(instance, size, last).picture(states[-1])
    return video_bytes(chain(pictures, (end,)), seconds, suffix)
