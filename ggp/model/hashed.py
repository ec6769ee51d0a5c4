"""Values that are keys of caches."""

from __future__ import annotations

from typing import Any


class Hashed:
    """Frozen values that are keys of caches: what tells them apart is hashed once, and the hash is kept.

    It is kept beside the fields: hashes of text differ from process to process, so it is not pickled, and a
    changed copy has its own.
    """

    __slots__ = ("_hash", "_kept")
    _hash: int
    _kept: dict[Any, Any]

    def __hash__(self) -> int:
        """The hash of `told_by`."""
        try:
            return self._hash
        except AttributeError:
            object.__setattr__(self, "_hash", hash(self.told_by()))
            return self._hash

    def told_by(self) -> tuple[object, ...]:
        """Of what is compared, that by which values of one name mostly differ."""
        raise NotImplementedError

    @property
    def kept(self) -> dict[Any, Any]:
        """What is worked out of this value and asked for again and again, kept with the value itself.

        A cache that has the value as its key compares the whole of it with an equal one that was there
        before: a game that is read a second time was played twenty times slower.
        """
        try:
            return self._kept
        except AttributeError:
            object.__setattr__(self, "_kept", {})
            return self._kept
