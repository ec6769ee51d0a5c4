"""Imported by worker processes: registers the fakes there."""

from __future__ import annotations

import harness_fakes

from ggp import registry
from ggp.harness import learning

harness_fakes.register(registry.SOLVERS)
learning.learn = harness_fakes.learn  # type: ignore[assignment]
