"""Small games at random in which one piece walks about: encodings and search find what there is.

Goals want pieces on some ground, the walker among them: encodings leave out what has too far to go.
"""

from __future__ import annotations

from random import Random

from ggp import api
from ggp.language.description import read_game
from ggp.model import Instance
from tests.exhaustive import wins, worth_trying_all

RULES = """
me here, crate ahead, no blocker ahead.ahead => crate ahead -> ahead.ahead, me here -> ahead
me here, crate behind, no blocker ahead => me here -> ahead, crate behind -> here
me here, crate ahead => crate ahead -> here, me here -> ahead
me here, gem ahead, no blocker ahead => me here -> ahead, remove gem ahead
me here, gem here, no blocker ahead => me here -> ahead, gem here -> ahead
me here, wall ahead => remove wall ahead
""".strip().splitlines()
STEPS = """
me here, no blocker ahead => me here -> ahead
me here, no blocker ahead, no blocker ahead.ahead => me here -> ahead.ahead
""".strip().splitlines()
GOALS = [
    "every me on exit",
    "every crate on exit",
    "every gem on exit",
    "every body on exit",
    "count gem = 0",
]
GOALS += ["every me off exit", "some crate on exit"]


def drawn(rng: Random) -> Instance:
    """A game, with a level of a few cells."""
    rules = [*rng.sample(RULES, rng.randint(0, 2)), rng.choice(STEPS)]
    cells = [rng.choice("......#$*EEx") for _ in range(8)]
    cells[rng.randrange(8)] = "@"
    text = f"""
name = "agent"
[kinds]
wall = {{ layer = "solid" }}
crate = {{ layer = "solid" }}
me = {{ layer = "solid" }}
gem = {{ layer = "item" }}
exit = {{ layer = "floor" }}
[classes]
blocker = ["wall", "crate"]
body = ["me", "crate"]
[symbols]
"." = ""
"#" = "wall"
"$" = "crate"
"*" = "gem"
"E" = "exit"
"x" = "crate exit"
"@" = "me"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = '''
{chr(10).join(f"r{number}: {rule}" for number, rule in enumerate(rules))}
'''
[goal]
win = ["{'", "'.join(rng.sample(GOALS, rng.randint(1, 2)))}"]
[objectives]
turns = "turns"
[[level]]
horizon = {rng.randint(3, 5)}
map = '''
{"".join(cells[:4])}
{"".join(cells[4:])}
'''
"""
    game, (level,) = read_game(text.encode(), "agent.toml")
    return Instance(game, level)


def test_plans_are_as_short_as_they_can_be() -> None:
    """By all encodings that there are for such games, and by search."""
    tried = 0
    for seed in range(200):
        one = drawn(Random(seed))
        assert worth_trying_all(one)
        shortest = min((len(plan.actions) for plan in wins(one)), default=None)
        if seed % 10 and shortest in (None, 0, 1):
            continue
        for solver, encoding in (("sat", None), ("sat", "occupancy"), ("search", None)):
            found = api.solve(one, solver, encoding=encoding)
            told = [len(plan.actions) for plan in found.plans]
            assert told == ([] if shortest is None else [shortest]), (seed, solver, encoding, found.note)
            assert found.complete or shortest is None, (seed, solver, encoding)
        tried += 1
    assert tried >= 20, tried
