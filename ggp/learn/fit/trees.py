"""Which tests to ask: decision trees over a table of answers, grown by information.

They are grown here because importing a library that does takes longer than most games take to be learned.
Nearly all of the time goes into counting, so nothing is counted twice: trees begin alike, and of two branches
the one with fewer rows is counted, which leaves the other.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ggp.learn.fit.toil import spend

AT_ONCE = 2_000_000  # answers that are made numbers of at once
SHARE = 0.3  # of the tests, looked at for each node where not all are


class Node(NamedTuple):
    """Some rows, how many of them are of each class, and of how many of these each test is true.

    That is not counted (None) where all rows are of one class.
    """

    rows: Any
    total: Any
    there: Any


class Ground:
    """What trees grow on."""

    def __init__(self, answers: Any, label: Any) -> None:
        """`answers`: a line for each test; `label`: the class of each row."""
        import numpy as np

        # A line for each row: a node takes some rows, and all tests.
        self.lines = np.ascontiguousarray(np.asarray(answers, dtype=bool).T)
        self.label, self.classes = label, np.eye(int(label.max()) + 1, dtype=np.float32)
        rows = np.arange(len(label))
        total = self.of_each_class(rows)
        self.root = Node(rows, total, self.counted(rows) if told_apart(total) else None)

    def of_each_class(self, rows: Any) -> Any:
        """How many of the rows are of each class."""
        import numpy as np

        return np.bincount(self.label[rows], minlength=len(self.classes)).astype(np.float32)

    def counted(self, rows: Any) -> Any:
        """Of how many of the rows of each class each test is true, exactly: a line for each test.

        Some rows at a time: as numbers that are multiplied, all answers would take four times their memory.
        """
        import numpy as np

        tests = self.lines.shape[1]
        there = np.zeros((tests, len(self.classes)), dtype=np.float32)
        step = max(1, AT_ONCE // max(1, tests))
        for first in range(0, len(rows), step):
            some = rows[first : first + step]
            there += self.lines[some].astype(np.float32).T @ self.classes[self.label[some]]
        return there

    def split(self, node: Node, test: int) -> list[Node]:
        """The rows of a node of which a test is not true, and those of which it is."""
        yes = self.lines[node.rows, test]
        parts = [node.rows[~yes], node.rows[yes]]
        totals = [self.of_each_class(rows) for rows in parts]
        there = [None, None]
        if any(map(told_apart, totals)):
            few = int(len(parts[1]) < len(parts[0]))
            there[few] = self.counted(parts[few])
            there[1 - few] = node.there - there[few]
        return [
            Node(rows, total, counts if told_apart(total) else None)
            for rows, total, counts in zip(parts, totals, there, strict=True)
        ]


def told_apart(total: Any) -> bool:
    """Are there rows of more than one class?"""
    return bool((total > 0).sum() > 1)


def grown(ground: Ground, most: float, rng: Any = None) -> tuple[list[int], int]:
    """The tests that a tree asks to tell classes apart, and how many leaves it has.

    It is grown no further than `most` leaves. Of tests that tell as much the first is asked. With `rng`
    each node looks at some of the tests only.
    """
    asked: dict[int, None] = {}
    leaves, nodes = 0, [ground.root]
    while nodes and leaves + len(nodes) <= most:
        node = nodes.pop()
        spend(60 + ground.lines.shape[1] * len(node.rows) / 1000)
        test = most_telling(node, rng)
        if test is None:
            leaves += 1
            continue
        asked[test] = None
        nodes += ground.split(node, test)
    return list(asked), leaves + len(nodes)


def most_telling(node: Node, rng: Any) -> int | None:
    """The test after which least is left to be told of some rows; None where nothing is, or none tells."""
    import numpy as np

    if node.there is None:
        return None
    kept = node.total > 0
    # A line for each test in memory, too: sums would be taken in another order.
    total, there = node.total[kept], np.ascontiguousarray(node.there[:, kept])
    inside = there.sum(axis=1)
    splits = np.nonzero((inside > 0) & (inside < len(node.rows)))[0]
    if not len(splits):
        return None
    if rng is not None:
        splits = np.sort(rng.choice(splits, max(1, round(SHARE * len(splits))), replace=False))
    there = there[splits]
    left = untold(there) + untold(total[None, :] - there)
    # Rounded, so that what is equal but for the order of a sum is a tie on every machine.
    return int(splits[int(np.argmin(np.round(left, 3)))])


def untold(counts: Any) -> Any:
    """The bits that it takes to tell which of its classes each example has, for each row of counts."""
    import numpy as np

    total = counts.sum(axis=1)
    return total * np.log2(np.maximum(total, 1)) - (counts * np.log2(np.maximum(counts, 1))).sum(axis=1)
