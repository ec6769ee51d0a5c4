"""Why rules in scan order are not given as passes."""

from __future__ import annotations

from ggp.errors import Finding, Place, UnsupportedFeature

REMEDY = "search takes rules in scan order (`--solver search`)"


class KeepsOrder(UnsupportedFeature):
    """A game cannot be shown to do the same when matches are changed at once."""

    def __init__(self, reason: str, place: Place | None) -> None:
        super().__init__(reason, REMEDY, place)
        self.reason = Finding(reason, REMEDY, place)
