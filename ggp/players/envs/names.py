"""The names of all levels, without reading more of a description than the lines that name them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ggp import registry

NAME = re.compile(rb'^\[\[level\]\][^\n]*\n(?:\s*#[^\n]*\n|\s*\n)*name\s*=\s*"([^"\n]+)"', re.M)


def level_names() -> Iterator[str]:
    """`game/level` of every level of the games that are registered."""
    for game in sorted(registry.GAMES):
        for found in NAME.findall(registry.description_text(game)):
            yield f"{game}/{found.decode()}"
