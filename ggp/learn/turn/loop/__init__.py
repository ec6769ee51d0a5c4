"""Passes that go on until nothing changes: slides, what is sent on its way, what is turned aside."""
