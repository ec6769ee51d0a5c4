"""A built-in player of VGDL 2.0 texts: `read` a game, `build` a level of it, `tick` it.

The dialect is py-vgdl's (github.com/rubenvereecken/py-vgdl), and so is the order of everything: which
sprite moves when, which effect comes first, which lists an effect sees. Where py-vgdl would crash this
raises; what lies outside the ontology here is refused by name, with the line. It is tested against traces
that py-vgdl left, and against py-vgdl itself where that is installed.
"""

from __future__ import annotations

from ggp.engines.vgdl.faults import VgdlFault
from ggp.engines.vgdl.level import VgdlLevel, build
from ggp.importers.vgdl.game import VgdlGame
from ggp.importers.vgdl.reading import read

__all__ = ["VgdlFault", "VgdlGame", "VgdlLevel", "build", "read"]
