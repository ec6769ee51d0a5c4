"""Searches that go on side by side, each a stretch at a time, and tell what no plan costs less than."""
