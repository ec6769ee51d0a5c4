"""Small instances of what is spelt out, added up, counted or ordered."""

from __future__ import annotations

import random
from itertools import pairwise

from tests.unit.xcsp.meanings import (
    Case,
    Row,
    accepts,
    compares,
    divided,
    fit,
    preceded,
    text,
)

X = "<list> x[] </list>"


def cases(rng: random.Random) -> dict[str, list[Case]]:
    """Instances of what is spelt out, added up, counted or ordered: each said, and judged."""
    k = rng.randint(0, 3)
    op = rng.choice(["lt", "le", "ge", "gt", "eq", "ne"])
    ops = rng.choice(["lt", "le", "ge", "gt"])
    weights = [rng.randint(-2, 3) for _ in range(4)]
    coeffs = " ".join(map(str, weights))
    long = [rng.randint(0, 2) for _ in range(4)]
    rows = [tuple(rng.randint(-1, 3) for _ in range(3)) for _ in range(8)]
    star: list[Row] = [tuple(None if rng.random() < 0.3 else v for v in row) for row in rows]
    steps = [(a, v, rng.randint(0, 2)) for a in range(3) for v in range(-1, 4) if rng.random() < 0.7]
    finals = sorted({rng.randint(0, 2), rng.randint(0, 2)})
    ways = "".join(f"(q{a},{v},q{b})" for a, v, b in steps)
    ends = " ".join(f"q{one}" for one in finals)
    return {
        "intension": [
            (
                f"<intension> {op}(add(x[0],mul(x[1],x[2])),{k}) </intension>",
                lambda x: compares(op, x[0] + x[1] * x[2], k),
            ),
            (
                f"<intension> or({op}(x[0],x[1]),and(eq(x[2],x[3]),ne(x[0],{k}))) </intension>",
                lambda x: compares(op, x[0], x[1]) or (x[2] == x[3] and x[0] != k),
            ),
            (
                f"<intension> eq(dist(x[0],x[1]),abs(sub(x[2],{k}))) </intension>",
                lambda x: abs(x[0] - x[1]) == abs(x[2] - k),
            ),
            (
                f"<intension> iff({op}(x[0],x[1]),{ops}(x[2],x[3])) </intension>",
                lambda x: compares(op, x[0], x[1]) == compares(ops, x[2], x[3]),
            ),
            (
                f"<intension> xor({op}(x[0],1),{ops}(x[2],x[1]),eq(x[3],{k})) </intension>",
                lambda x: (compares(op, x[0], 1) + compares(ops, x[2], x[1]) + (x[3] == k)) % 2 == 1,
            ),
            (
                f"<intension> imp({op}(x[0],x[1]),in(x[2],set(0,{k}))) </intension>",
                lambda x: not compares(op, x[0], x[1]) or x[2] in (0, k),
            ),
            (
                f"<intension> {op}(if({ops}(x[0],x[1]),x[2],neg(x[3])),{k}) </intension>",
                lambda x: compares(op, x[2] if compares(ops, x[0], x[1]) else -x[3], k),
            ),
            (
                f"<intension> {op}(div(x[0],2),mod(x[1],3)) </intension>",
                lambda x: compares(op, divided(x[0], 2), x[1] - 3 * divided(x[1], 3)),
            ),
            (
                f"<intension> {op}(div(x[0],add(sqr(x[1]),1)),mod(x[2],add(sqr(x[3]),2))) </intension>",
                lambda x: compares(
                    op, divided(x[0], x[1] ** 2 + 1), x[2] - (x[3] ** 2 + 2) * divided(x[2], x[3] ** 2 + 2)
                ),
            ),
            (
                f"<intension> {op}(min(x[0],x[1],{k}),max(x[2],x[3])) </intension>",
                lambda x: compares(op, min(x[0], x[1], k), max(x[2], x[3])),
            ),
            (
                f"<intension> eq(x[0],add({ops}(x[1],x[2]),eq(x[3],{k}))) </intension>",
                lambda x: x[0] == compares(ops, x[1], x[2]) + (x[3] == k),
            ),
            (f"<intension> {op}(pow(x[0],2),x[1]) </intension>", lambda x: compares(op, x[0] ** 2, x[1])),
            ("<intension> eq(x[0],x[1],x[2]) </intension>", lambda x: x[0] == x[1] == x[2]),
            (
                f"<intension> not(and(ge(x[0],{k}),notin(x[1],set(0..1,3)))) </intension>",
                lambda x: not (x[0] >= k and x[1] not in (0, 1, 3)),
            ),
            (
                f"<intension> {op}(mul(x[0],x[0]),add(x[1],{k})) </intension>",
                lambda x: compares(op, x[0] ** 2, x[1] + k),
            ),
        ],
        "extension": [
            (
                f"<extension><list> x[0..2] </list><supports> {text(rows)} </supports></extension>",
                lambda x: fit(rows, x[:3]),
            ),
            (
                f"<extension><list> x[1..3] </list><conflicts> {text(rows)} </conflicts></extension>",
                lambda x: not fit(rows, x[1:]),
            ),
            (
                f"<extension><list> x[0..2] </list><supports> {text(star)} </supports></extension>",
                lambda x: fit(star, x[:3]),
            ),
            (
                f"<extension><list> x[0..2] </list><conflicts> {text(star)} </conflicts></extension>",
                lambda x: not fit(star, x[:3]),
            ),
            (
                "<extension><list> x[1] </list><supports> -1 1..2 </supports></extension>",
                lambda x: x[1] in (-1, 1, 2),
            ),
            (
                "<extension><list> x[1] </list><conflicts> -1 1..2 </conflicts></extension>",
                lambda x: x[1] not in (-1, 1, 2),
            ),
        ],
        "regular": [
            (
                f"<regular>{X}<transitions> {ways} </transitions>"
                f"<start> q0 </start><final> {ends} </final></regular>",
                lambda x: accepts(steps, finals, x),
            ),
        ],
        "mdd": [
            (
                "<mdd><list> x[0..2] </list>"
                "<transitions> (r,0,a)(r,1,b)(r,2,b)(a,1,c)(a,2,d)"
                "(b,0,d)(b,2,c)(c,1,t)(c,3,t)(d,0,t) </transitions>"
                "</mdd>",
                lambda x: (
                    tuple(x[:3])
                    in {
                        (0, 1, 1),
                        (0, 1, 3),
                        (0, 2, 0),
                        (1, 0, 0),
                        (2, 0, 0),
                        (1, 2, 1),
                        (1, 2, 3),
                        (2, 2, 1),
                        (2, 2, 3),
                    }
                ),
            ),
        ],
        "allDifferent": [
            ("<allDifferent> x[] </allDifferent>", lambda x: len(set(x)) == 4),
            (
                f"<allDifferent>{X}<except> 0 2 </except></allDifferent>",
                lambda x: (lambda y: len(set(y)) == len(y))([v for v in x if v not in (0, 2)]),
            ),
            (
                "<allDifferent> add(x[0],1) x[1] sub(x[2],x[3]) </allDifferent>",
                lambda x: len({x[0] + 1, x[1], x[2] - x[3]}) == 3,
            ),
            (
                "<allDifferent><list> x[0..1] </list><list> x[2..3] </list></allDifferent>",
                lambda x: tuple(x[:2]) != tuple(x[2:]),
            ),
            (
                "<allDifferent><list> x[0..1] </list><list> x[2..3] </list><except> (0,1) </except>"
                "</allDifferent>",
                lambda x: tuple(x[:2]) != tuple(x[2:]) or tuple(x[:2]) == (0, 1),
            ),
            (
                "<allDifferent><matrix> (x[0],x[1])(x[2],x[3]) </matrix></allDifferent>",
                lambda x: x[0] != x[1] and x[2] != x[3] and x[0] != x[2] and x[1] != x[3],
            ),
        ],
        "allEqual": [("<allEqual> x[] </allEqual>", lambda x: len(set(x)) == 1)],
        "ordered": [
            (
                f"<ordered>{X}<operator> {ops} </operator></ordered>",
                lambda x: all(compares(ops, a, b) for a, b in pairwise(x)),
            ),
            (
                f"<ordered>{X}<lengths> {long[0]} {long[1]} {long[2]} </lengths>"
                f"<operator> {ops} </operator></ordered>",
                lambda x: all(compares(ops, a + n, b) for a, n, b in zip(x, long, x[1:], strict=False)),
            ),
        ],
        "lex": [
            (
                f"<lex><list> x[0..1] </list><list> x[2..3] </list><operator> {ops} </operator></lex>",
                lambda x: {
                    "lt": list(x[:2]) < list(x[2:]),
                    "le": list(x[:2]) <= list(x[2:]),
                    "ge": list(x[:2]) >= list(x[2:]),
                    "gt": list(x[:2]) > list(x[2:]),
                }[ops],
            ),
            (
                f"<lex><matrix> (x[0],x[1])(x[2],x[3]) </matrix><operator> {ops} </operator></lex>",
                lambda x: all(
                    {"lt": a < b, "le": a <= b, "ge": a >= b, "gt": a > b}[ops]
                    for a, b in (((x[0], x[1]), (x[2], x[3])), ((x[0], x[2]), (x[1], x[3])))
                ),
            ),
        ],
        "precedence": [
            (f"<precedence>{X}<values> 0 1 2 </values></precedence>", lambda x: preceded(x, (0, 1, 2))),
            (
                f'<precedence>{X}<values covered="true"> 1 0 </values></precedence>',
                lambda x: preceded(x, (1, 0)) and 0 in x and 1 in x,
            ),
        ],
        "sum": [
            (
                f"<sum>{X}<coeffs> {coeffs} </coeffs><condition> ({op},{k}) </condition></sum>",
                lambda x: compares(op, sum(a * b for a, b in zip(weights, x, strict=True)), k),
            ),
            (
                f"<sum><list> x[0..2] </list><condition> ({op},x[3]) </condition></sum>",
                lambda x: compares(op, sum(x[:3]), x[3]),
            ),
            (f"<sum>{X}<condition> (in,{k}..6) </condition></sum>", lambda x: k <= sum(x) <= 6),
            (f"<sum>{X}<condition> (in,{{0,{k},5}}) </condition></sum>", lambda x: sum(x) in (0, k, 5)),
            (f"<sum>{X}<condition> (notin,1..4) </condition></sum>", lambda x: not 1 <= sum(x) <= 4),
            (
                f"<sum><list> x[0..1] </list><coeffs> x[2..3] </coeffs><condition> ({op},{k}) </condition>"
                "</sum>",
                lambda x: compares(op, x[0] * x[2] + x[1] * x[3], k),
            ),
            (
                "<sum><list> eq(x[0],x[1]) gt(x[2],0) x[3] </list><coeffs> 1x2 2 </coeffs>"
                f"<condition> ({op},{k}) </condition></sum>",
                lambda x: compares(op, (x[0] == x[1]) + (x[2] > 0) + 2 * x[3], k),
            ),
        ],
        "count": [
            (
                f"<count>{X}<values> 1 2 </values><condition> ({op},{k}) </condition></count>",
                lambda x: compares(op, sum(v in (1, 2) for v in x), k),
            ),
            (
                f"<count><list> x[0..2] </list><values> {k} </values><condition> ({op},x[3]) </condition>"
                "</count>",
                lambda x: compares(op, sum(v == k for v in x[:3]), x[3]),
            ),
            (
                f"<count><list> x[0..2] </list><values> x[3] </values><condition> ({op},1) </condition>"
                "</count>",
                lambda x: compares(op, sum(v == x[3] for v in x[:3]), 1),
            ),
        ],
        "nValues": [
            (
                f"<nValues>{X}<condition> ({op},{k}) </condition></nValues>",
                lambda x: compares(op, len(set(x)), k),
            ),
            (
                "<nValues><list> x[0..2] </list><condition> (eq,x[3]) </condition></nValues>",
                lambda x: len(set(x[:3])) == x[3],
            ),
            (
                f"<nValues>{X}<except> 0 </except><condition> ({op},2) </condition></nValues>",
                lambda x: compares(op, len(set(x) - {0}), 2),
            ),
        ],
        "cardinality": [
            (
                f"<cardinality>{X}<values> 0 1 2 </values><occurs> 0..1 1..2 0..3 </occurs></cardinality>",
                lambda x: x.count(0) <= 1 and 1 <= x.count(1) <= 2 and x.count(2) <= 3,
            ),
            (
                f'<cardinality>{X}<values closed="true"> 0 1 2 </values><occurs> 0..2 1..2 0..4 </occurs>'
                "</cardinality>",
                lambda x: x.count(0) <= 2 and 1 <= x.count(1) <= 2 and all(v in (0, 1, 2) for v in x),
            ),
            (
                "<cardinality><list> x[0..2] </list><values> 0 1 </values><occurs> 1 x[3] </occurs>"
                "</cardinality>",
                lambda x: x[:3].count(0) == 1 and x[:3].count(1) == x[3],
            ),
        ],
        "minimum": [
            (
                f"<minimum><list> x[0..2] </list><condition> ({op},x[3]) </condition></minimum>",
                lambda x: compares(op, min(x[:3]), x[3]),
            ),
            (f"<minimum>{X}<condition> ({op},{k}) </condition></minimum>", lambda x: compares(op, min(x), k)),
        ],
        "maximum": [
            (
                f"<maximum><list> x[0..2] </list><condition> ({op},x[3]) </condition></maximum>",
                lambda x: compares(op, max(x[:3]), x[3]),
            ),
            (
                f"<maximum><list> add(x[0],x[1]) x[2] 1 </list><condition> ({op},{k}) </condition></maximum>",
                lambda x: compares(op, max(x[0] + x[1], x[2], 1), k),
            ),
        ],
    }
