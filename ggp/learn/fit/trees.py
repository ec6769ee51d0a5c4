"""Which tests to ask: decision trees over a table of answers, grown by information.

They are grown here because importing a library that does takes longer than most games take to be learned.
"""

from __future__ import annotations

from typing import Any

from ggp.learn.fit.toil import spend

AT_ONCE = 2_000_000  # answers that are made numbers of at once
SHARE = 0.3  # of the tests, looked at for each node where not all are


def grown(answers: Any, label: Any, most: float, rng: Any = None) -> tuple[list[int], int]:
    """The tests (rows of `answers`) that a tree asks to tell labels apart, and how many leaves it has.

    It is grown no further than `most` leaves. Of tests that tell as much the first is asked. With `rng`
    each node looks at some of the tests only.
    """
    import numpy as np

    answers = np.asarray(answers, dtype=bool)
    classes = np.eye(int(label.max()) + 1, dtype=np.float32)[label]
    asked: dict[int, None] = {}
    leaves, nodes = 0, [np.arange(len(label))]
    while nodes and leaves + len(nodes) <= most:
        rows = nodes.pop()
        test = most_telling(answers, rows, classes[rows], rng)
        if test is None:
            leaves += 1
            continue
        asked[test] = None
        yes = answers[test, rows]
        nodes += [rows[~yes], rows[yes]]
    return list(asked), leaves + len(nodes)


def most_telling(answers: Any, rows: Any, classes: Any, rng: Any) -> int | None:
    """The test after which least is left to be told of some rows; None where nothing is, or none tells.

    `classes` has a column for each label, and a line for each of the rows.
    """
    import numpy as np

    spend(60 + len(answers) * len(rows) / 1000)
    total = classes.sum(axis=0)
    classes, total = classes[:, total > 0], total[total > 0]
    if len(total) < 2:
        return None
    there = counted(answers, rows, classes)
    inside = there.sum(axis=1)
    splits = np.nonzero((inside > 0) & (inside < len(classes)))[0]
    if not len(splits):
        return None
    if rng is not None:
        splits = np.sort(rng.choice(splits, max(1, round(SHARE * len(splits))), replace=False))
    there = there[splits]
    left = untold(there) + untold(total[None, :] - there)
    # Rounded, so that what is equal but for the order of a sum is a tie on every machine.
    return int(splits[int(np.argmin(np.round(left, 3)))])


def counted(answers: Any, rows: Any, classes: Any) -> Any:
    """How many of the rows of each class each test is true of, exactly.

    Some tests at a time: as numbers that are multiplied, all answers would take eight times their memory.
    """
    import numpy as np

    whole = len(rows) == answers.shape[1]
    step = max(1, AT_ONCE // max(1, len(rows)))
    parts = []
    for first in range(0, len(answers), step):
        some = answers[first : first + step]
        parts.append((some if whole else some[:, rows]).astype(np.float32) @ classes)
    return np.concatenate(parts) if parts else np.zeros((0, classes.shape[1]), dtype=np.float32)


def untold(counts: Any) -> Any:
    """The bits that it takes to tell which of its classes each example has, for each row of counts."""
    import numpy as np

    total = counts.sum(axis=1)
    return total * np.log2(np.maximum(total, 1)) - (counts * np.log2(np.maximum(counts, 1))).sum(axis=1)
