"""Names that a target format can carry: one reversible table per export, used for its plans too."""

from __future__ import annotations

import re
from collections.abc import Iterable


class Names:
    """Gives each name of ours one that fits a format, always the same, and finds the way back.

    `word` says what the format takes, as a regular expression for one whole name; `reserved` are its
    keywords. With `fold` the format does not tell capitals from small letters.
    """

    def __init__(
        self, word: str = r"[A-Za-z_][A-Za-z0-9_]*", reserved: Iterable[str] = (), *, fold: bool = False
    ):
        self.word = re.compile(word)
        self.fold = fold
        self.theirs: dict[str, str] = {}
        self.ours: dict[str, str] = {}
        self.reserved = {self.folded(name) for name in reserved}

    def folded(self, name: str) -> str:
        """What the format takes for the same name."""
        return name.lower() if self.fold else name

    def of(self, name: str) -> str:
        """The format's name for one of ours."""
        if name not in self.theirs:
            stem = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_") or "x"
            if self.word.fullmatch(stem) is None:
                stem = f"x_{stem}"
            new, count = stem, 1
            while self.folded(new) in self.reserved or self.folded(new) in self.ours:
                count += 1
                new = f"{stem}_{count}"
            if self.word.fullmatch(new) is None:
                raise ValueError(f"no name for {name!r} fits {self.word.pattern}")
            self.theirs[name] = new
            self.ours[self.folded(new)] = name
        return self.theirs[name]

    def back(self, name: str) -> str:
        """Our name for one of the format's; raises KeyError for one that was never given."""
        return self.ours[self.folded(name)]
