"""Figures of matplotlib as SVG."""

from __future__ import annotations

import io
from typing import Any


def svg_of(figure: Any) -> bytes:
    """Its file, the same for the same figure; letters stay letters, so that readers of screens have them."""
    import matplotlib

    out = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "ggp", "svg.fonttype": "none"}):
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()
