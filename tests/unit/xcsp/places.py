"""Small instances of what is chosen, packed, or said of many."""

from __future__ import annotations

import random
from itertools import combinations, pairwise

from tests.unit.xcsp.meanings import (
    Case,
    compares,
    one_loop,
    running,
)

X = "<list> x[] </list>"


def cases(rng: random.Random) -> dict[str, list[Case]]:
    """Instances of what is chosen, packed, or said of many: each said, and judged."""
    k = rng.randint(0, 3)
    op = rng.choice(["lt", "le", "ge", "gt", "eq", "ne"])
    consts = [rng.randint(0, 3) for _ in range(4)]
    nums = " ".join(map(str, consts))
    long = [rng.randint(0, 2) for _ in range(4)]
    high = [rng.randint(0, 2) for _ in range(4)]
    lengths, heights = (" ".join(map(str, some)) for some in (long, high))
    return {
        "element": [
            (
                "<element><list> x[0..2] </list><index> x[3] </index><value> x[0] </value></element>",
                lambda x: 0 <= x[3] < 3 and x[x[3]] == x[0],
            ),
            (
                f"<element><list> {nums} </list><index> x[0] </index><value> x[1] </value></element>",
                lambda x: 0 <= x[0] < 4 and consts[x[0]] == x[1],
            ),
            (
                f'<element><list startIndex="1"> x[0..2] </list><index> x[3] </index><value> {k} </value>'
                "</element>",
                lambda x: 1 <= x[3] <= 3 and x[x[3] - 1] == k,
            ),
            ("<element><list> x[0..2] </list><value> x[3] </value></element>", lambda x: x[3] in x[:3]),
            (
                f"<element><list> x[0..2] </list><index> x[3] </index><condition> ({op},{k}) </condition>"
                "</element>",
                lambda x: 0 <= x[3] < 3 and compares(op, x[x[3]], k),
            ),
            (
                f"<element><matrix> (1,2)({k},0) </matrix><index> x[0] x[1] </index><value> x[2] </value>"
                "</element>",
                lambda x: 0 <= x[0] < 2 and 0 <= x[1] < 2 and [[1, 2], [k, 0]][x[0]][x[1]] == x[2],
            ),
            (
                "<element><matrix> (x[0],x[1])(x[2],x[3]) </matrix><index> x[0] x[1] </index>"
                "<value> 1 </value></element>",
                lambda x: 0 <= x[0] < 2 and 0 <= x[1] < 2 and [[x[0], x[1]], [x[2], x[3]]][x[0]][x[1]] == 1,
            ),
        ],
        "channel": [
            (
                "<channel> x[] </channel>",
                lambda x: all(0 <= v < 4 for v in x) and all(x[x[i]] == i for i in range(4)),
            ),
            (
                "<channel><list> x[0..1] </list><list> x[2..3] </list></channel>",
                lambda x: (
                    all(0 <= v < 2 for v in x)
                    and all((x[i] == j) == (x[2 + j] == i) for i in range(2) for j in range(2))
                ),
            ),
            (
                "<channel><list> x[0] </list><list> x[1..3] </list></channel>",
                lambda x: 0 <= x[0] < 3 and x[1 + x[0]] == 0,
            ),
            (
                "<channel><list> b[] </list><value> x[0] </value></channel>",
                lambda x: 0 <= x[0] < 3 and all((x[4 + i] == 1) == (x[0] == i) for i in range(3)),
            ),
        ],
        "noOverlap": [
            (
                "<noOverlap><origins> x[0..1] 1 y[0] </origins><lengths> 2 1 1 1 </lengths></noOverlap>",
                lambda x: all(
                    a + long <= b or b + far <= a
                    for (a, long), (b, far) in combinations([(x[0], 2), (x[1], 1), (1, 1), (x[7], 1)], 2)
                ),
            ),
            (
                "<noOverlap><origins> x[0] x[1] x[2] x[3] </origins>"
                f"<lengths> {lengths} </lengths></noOverlap>",
                lambda x: all(
                    x[i] + long[i] <= x[j] or x[j] + long[j] <= x[i] or 0 in (long[i], long[j])
                    for i, j in combinations(range(4), 2)
                ),
            ),
            (
                '<noOverlap zeroIgnored="false"><origins> x[] </origins>'
                f"<lengths> {lengths} </lengths></noOverlap>",
                lambda x: all(
                    x[i] + long[i] <= x[j] or x[j] + long[j] <= x[i] for i, j in combinations(range(4), 2)
                ),
            ),
            (
                "<noOverlap><origins> (x[0],x[1])(x[2],x[3]) </origins><lengths> (1,2)(2,1) </lengths>"
                "</noOverlap>",
                lambda x: x[0] + 1 <= x[2] or x[2] + 2 <= x[0] or x[1] + 2 <= x[3] or x[3] + 1 <= x[1],
            ),
            (
                "<noOverlap><origins> x[0..1] </origins><lengths> y[0..1] </lengths></noOverlap>",
                lambda x: x[0] + x[7] <= x[1] or x[1] + x[8] <= x[0] or 0 in (x[7], x[8]),
            ),
        ],
        "cumulative": [
            (
                f"<cumulative><origins> x[] </origins><lengths> {lengths} </lengths>"
                f"<heights> {heights} </heights><condition> (le,{k}) </condition>"
                "</cumulative>",
                lambda x: running(x, k, high, long),
            ),
            (
                "<cumulative><origins> x[0..2] </origins><lengths> 1 2 2 </lengths>"
                "<heights> 1 2 1 </heights><condition> (le,x[3]) </condition></cumulative>",
                lambda x: running(x, x[3], [1, 2, 1], [1, 2, 2]),
            ),
            (
                "<cumulative><origins> x[0] x[1] x[2] </origins><lengths> 2 1 2 </lengths>"
                "<heights> 2 1 1 </heights>"
                f"<condition> (lt,{k + 1}) </condition></cumulative>",
                lambda x: running(x, k, [2, 1, 1], [2, 1, 2]),
            ),
            (
                "<cumulative><origins> x[0..1] </origins><lengths> y[] </lengths><heights> 1 2 </heights>"
                "<condition> (le,2) </condition></cumulative>",
                lambda x: running(x, 2, [1, 2], [x[7], x[8]]),
            ),
            (
                "<cumulative><origins> x[0..1] </origins><lengths> 2 1 </lengths><heights> y[] </heights>"
                "<condition> (le,2) </condition></cumulative>",
                lambda x: running(x, 2, [x[7], x[8]], [2, 1]),
            ),
        ],
        "binPacking": [
            (
                f"<binPacking>{X}<sizes> 1 2 1 3 </sizes><condition> (le,{k + 1}) </condition></binPacking>",
                lambda x: all(
                    sum(s for s, v in zip((1, 2, 1, 3), x, strict=True) if v == b) <= k + 1 for b in set(x)
                ),
            ),
            (
                "<binPacking><list> b[] </list><sizes> 1 2 3 </sizes><limits> 3 4 </limits></binPacking>",
                lambda x: all(
                    sum(s for s, v in zip((1, 2, 3), x[4:7], strict=True) if v == b) <= (3, 4)[b]
                    for b in (0, 1)
                ),
            ),
            (
                "<binPacking><list> b[] </list><sizes> 1 2 1 </sizes><loads> x[0..1] </loads></binPacking>",
                lambda x: all(
                    sum(s for s, v in zip((1, 2, 1), x[4:7], strict=True) if v == b) == x[b] for b in (0, 1)
                ),
            ),
        ],
        "knapsack": [
            (
                f"<knapsack>{X}<profits> 2 1 1 1 </profits><condition> (ge,{k}) </condition>"
                f"<weights> 1 2 3 1 </weights><condition> (le,{k + 4}) </condition></knapsack>",
                lambda x: (
                    sum(a * b for a, b in zip((1, 2, 3, 1), x, strict=True)) <= k + 4
                    and sum(a * b for a, b in zip((2, 1, 1, 1), x, strict=True)) >= k
                ),
            ),
            (
                f"<knapsack>{X}<weights> 1 2 3 1 </weights><condition> (le,{k + 4}) </condition>"
                f"<profits> 2 1 1 1 </profits><condition> (ge,{k}) </condition></knapsack>",
                lambda x: (
                    sum(a * b for a, b in zip((1, 2, 3, 1), x, strict=True)) <= k + 4
                    and sum(a * b for a, b in zip((2, 1, 1, 1), x, strict=True)) >= k
                ),
            ),
        ],
        "circuit": [
            ("<circuit> x[] </circuit>", one_loop),
            (
                '<circuit><list startIndex="1"> x[0..2] </list></circuit>',
                lambda x: one_loop([v - 1 for v in x[:3]]),
            ),
            (
                "<circuit><list> x[0..2] </list><size> x[3] </size></circuit>",
                lambda x: one_loop(x[:3]) and sum(x[i] != i for i in range(3)) == x[3],
            ),
        ],
        "instantiation": [
            (
                "<instantiation><list> x[0..2] </list><values> 0x2 1 </values></instantiation>",
                lambda x: list(x[:3]) == [0, 0, 1],
            )
        ],
        "slide": [
            (
                f"<slide><list> x[] </list><intension> {op}(%0,add(%1,{k - 1})) </intension></slide>",
                lambda x: all(compares(op, a, b + k - 1) for a, b in pairwise(x)),
            ),
            (
                '<slide circular="true"><list> x[] </list><intension> ne(%0,%1) </intension></slide>',
                lambda x: all(x[i] != x[(i + 1) % 4] for i in range(4)),
            ),
            (
                f'<slide><list offset="2"> x[] </list><intension> {op}(%0,%1) </intension></slide>',
                lambda x: compares(op, x[0], x[1]) and compares(op, x[2], x[3]),
            ),
        ],
        "group": [
            (
                f"<group><intension> {op}(%0,add(%1,%2)) </intension><args> x[0] x[1] {k} </args>"
                "<args> x[2..3] 1 </args></group>",
                lambda x: compares(op, x[0], x[1] + k) and compares(op, x[2], x[3] + 1),
            ),
            (
                "<group><allDifferent> %... </allDifferent><args> x[0..2] </args><args> x[1] x[3] </args>"
                "</group>",
                lambda x: len(set(x[:3])) == 3 and x[1] != x[3],
            ),
            (
                f"<block class='a'><group><sum><list> %1 %... </list><condition> ({op},%0) </condition>"
                f"</sum><args> {k} x[0] x[2] x[3] </args></group></block>",
                lambda x: compares(op, x[0] + x[2] + x[3], k),
            ),
        ],
    }
