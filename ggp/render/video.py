"""Runs as MP4 or WebM, through imageio, which has ffmpeg run as a program of its own."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ggp.errors import NotAvailable, PuzzleError

if TYPE_CHECKING:
    from PIL.Image import Image

CODECS = {".mp4": "libx264", ".webm": "libvpx-vp9"}
RATE = (
    25  # pictures a second: players stutter, or refuse, far below that; a picture that stands costs nothing
)
REMEDY = "pip install 'ggp[video]', or write a .gif"


def video_bytes(pictures: Iterable[Image], seconds: Sequence[float], suffix: str) -> bytes:
    """The file of a video in which each picture stands so long; `suffix` is `.mp4` or `.webm`.

    Raises NotAvailable without imageio and its ffmpeg, and PuzzleError where ffmpeg fails.
    """
    try:
        from imageio.v2 import get_writer
        from imageio_ffmpeg import get_ffmpeg_exe

        get_ffmpeg_exe()
    except (ImportError, RuntimeError):
        raise NotAvailable(f"{suffix} files need imageio and its ffmpeg", REMEDY) from None
    # ffmpeg writes an MP4's index when the rest is known, so it needs a file that it can go back in.
    with tempfile.TemporaryDirectory(prefix="ggp-video-") as folder:
        made = Path(folder) / f"run{suffix}"
        try:
            # Sides are made even below. The index stands first, so that a page can begin to play.
            front = ["-movflags", "+faststart"] if suffix == ".mp4" else []
            with get_writer(
                made,
                format="FFMPEG",
                fps=RATE,
                codec=CODECS[suffix],
                macro_block_size=2,
                ffmpeg_log_level="error",
                output_params=front,
            ) as writer:
                for picture in ticks(pictures, seconds):
                    writer.append_data(picture)  # type: ignore[attr-defined]
        except OSError as error:  # what imageio says when the program ends early
            told = str(error).strip().splitlines() or [type(error).__name__]
            raise PuzzleError(f"ffmpeg cannot write a {suffix}: {told[-1][:200]}", REMEDY) from None
        return made.read_bytes()


def ticks(pictures: Iterable[Image], seconds: Sequence[float]) -> Iterator[object]:
    """Arrays of (height, width, 3) bytes, `RATE` a second; rounded in sum, so that long runs keep time."""
    import numpy as np

    shown, due = 0, 0.0
    for picture, stays in zip(pictures, seconds, strict=True):
        pixels = np.asarray(picture.convert("RGB"))
        # Colours are stored for two by two pixels, so the sides must be even: the margin grows by one.
        even = np.pad(pixels, ((0, pixels.shape[0] % 2), (0, pixels.shape[1] % 2), (0, 0)), mode="edge")
        due += stays * RATE
        while shown < round(due):
            yield even
            shown += 1
