"""What is counted of a file in a census."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from ggp.harness.records import Record

SLACK = 1.1  # of the limit: what takes longer overran it
NOT_ENDED = "it did not stop by itself"


@dataclass
class Counted:
    """What came of a file. Counts are of levels; `said` is why it was refused.

    `refused` is what the solver does not take, `failed` what went wrong. Of the plans, `replayed` won in the
    engine, `differing` did not, and `unplayed` were not played.
    """

    file: str
    said: str = ""
    levels: int = 0
    solved: int = 0
    unsolvable: int = 0
    out_of_time: int = 0
    refused: int = 0
    failed: int = 0
    hangs: int = 0
    overruns: int = 0
    replayed: int = 0
    differing: int = 0
    unplayed: int = 0
    seconds: float = 0.0
    plans: list[tuple[int, list[str]]] = field(default_factory=list, repr=False)

    def take(self, number: int, record: Record, limit: float) -> None:
        """Count the answer for one level."""
        self.seconds += record["seconds"]
        self.overruns += record["seconds"] > SLACK * limit
        self.hangs += NOT_ENDED in record["note"]
        if record["plans"]:
            self.solved += 1
            self.plans.append((number, record["plans"][-1]["actions"]))
            return
        stops = {"unsolvable": "unsolvable", "unsupported": "refused"}
        stops |= {"time-limit": "out_of_time", "memory-limit": "out_of_time"}
        counted = stops.get(record["stop"], "failed")
        setattr(self, counted, getattr(self, counted) + 1)

    def to_json(self) -> dict[str, Any]:
        """As data."""
        return {name: value for name, value in asdict(self).items() if name != "plans"}


NUMBERS = tuple(name for name in Counted.__dataclass_fields__ if name not in ("file", "said", "plans"))
