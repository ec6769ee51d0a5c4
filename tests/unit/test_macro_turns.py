"""Macro turns: what is read off the rules, what is a lower bound, and what the encoding finds and proves.

Judged by the plain Python of `tests/oracles`, by trying everything, and by the referee.
"""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from ggp import api
from ggp.analysis.relaxed import FAR, Relaxed, assignment
from ggp.encoding import macro, timed
from ggp.encoding.constraints import Encoding
from ggp.encoding.debug import assume, broken
from ggp.encoding.ground import Ground
from ggp.encoding.judging import holds
from ggp.encoding.symbolic import Formulas
from ggp.language import levels
from ggp.language.description import read_game
from ggp.language.maps import read_board, symbols_of
from ggp.model import Instance, Level, Objective, Plan
from ggp.model.result import Result
from ggp.referee.semantics import initial_state
from ggp.referee.trajectory import replay
from ggp.tasks.questions import objective_of
from ggp.transition.bits import Bits
from ggp.transition.compiler import compile_instance
from ggp.transition.macros import Agent, find_agent, single_cost
from tests.oracles import sokoban
from tests.oracles.random_maps import sokoban_map


def described(
    rules: str, goal: str = "every crate on target", more: str = "", crates: str = "crate"
) -> Instance:
    """A game with a player, crates and walls, of which only the rules differ; its one level.

    With `crates="thing"` it has a ball, too, on a layer of its own.
    """
    rows = "######\n#@$ .#\n#   o#\n#    #\n######" if crates == "thing" else "######\n#@ $.#\n#    #\n######"
    text = f"""
name = "made"
[kinds]
wall = {{ layer = "solid" }}
target = {{ layer = "floor" }}
crate = {{ layer = "solid" }}
ball = {{ layer = "air" }}
me = {{ layer = "solid", count = "1" }}
[classes]
full = ["wall", "crate"]
thing = ["crate", "ball"]
[symbols]
" " = ""
"#" = "wall"
"." = "target"
"$" = "crate"
"o" = "ball"
"@" = "me"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = '''
{rules}
'''
{more}
[goal]
win = ["{goal}"]
[objectives]
pushes = "moves {crates}"
[[level]]
map = '''
{rows}
'''
"""
    game, (level,) = read_game(text.encode(), "made.toml")
    return Instance(game, level)


PUSH = "push: me here, crate ahead, no full ahead.ahead => crate ahead -> ahead.ahead, me here -> ahead"
STEP = "step: me here, no full ahead => me here -> ahead"


def agent_of(instance: Instance) -> Agent | None:
    return find_agent(instance, compile_instance(instance))


def relaxed_of(instance: Instance, objective: str = "pushes") -> Relaxed:
    """The instance as the lower bound sees it."""
    found, counted = agent_of(instance), objective_of(instance, objective)
    assert found is not None and counted is not None
    return Relaxed(instance, found, counted)


# --- what is read off the rules ---------------------------------------------------------------------------


def test_the_agent_of_a_pushing_game() -> None:
    found = agent_of(described(f"{PUSH}\n{STEP}"))
    assert found is not None and found.free_ground
    assert [str(action) for action, _, _ in found.pushes] == ["up", "right", "down", "left"]
    assert {rule.name for _, rule, _ in found.pushes} == {"push"}


@pytest.mark.parametrize(
    "instance",
    [
        described(STEP, more='[[physics]]\nrules = "fall: crate here, no full down => crate here -> down"'),
        described(f"{STEP}\nroll toward any: crate here, me ahead => stay"),
        described("split: me here, no full ahead => add me ahead"),
    ],
    ids=["physics", "another subject", "two of them"],
)
def test_no_agent_where_something_else_moves(instance: Instance) -> None:
    assert agent_of(instance) is None


def test_steps_that_depend_on_more_than_the_cell_that_is_entered() -> None:
    found = agent_of(described("step: me here, no full ahead, no crate behind => me here -> ahead"))
    assert found is not None and not found.free_ground
    found = agent_of(described("step toward right: me here, no full right => me here -> right"))
    assert found is not None and not found.free_ground, "there is no way back"


def test_ground_that_is_not_where_the_agent_can_be() -> None:
    """What keeps the agent out must be of its own layer: on a target it could stand, and not come back."""
    found = agent_of(described("step: me here, no full ahead, no target ahead => me here -> ahead"))
    assert found is not None and not found.free_ground


def test_a_rule_that_may_come_before_a_step() -> None:
    """Only what contradicts the step can come before it."""
    stays = "stay: me here, target ahead => stay"
    found = agent_of(described(f"{stays}\n{PUSH}\n{STEP}"))
    assert found is None or not found.free_ground
    assert relaxed_of(described(f"{PUSH}\n{STEP}")).agent.free_ground


def test_what_macro_turns_cannot_say() -> None:
    """A loss that looks at the agent, which may be anywhere; ground of its own sort."""
    rules = f"{PUSH}\n{STEP}"
    assert macro.supported(relaxed_of(described(rules)))
    seen = 'every crate on target"]\nlose = ["some me on target'
    assert not macro.supported(relaxed_of(described(rules, goal=seen)))
    behind = "step: me here, no full ahead, no crate behind => me here -> ahead"
    assert not macro.supported(relaxed_of(described(f"{PUSH}\n{behind}")))


def test_what_a_push_costs() -> None:
    one = described(f"{PUSH}\n{STEP}")
    pushes, turns = Objective("pushes", "moves", "crate"), Objective("turns", "turns")
    found = agent_of(one)
    assert found is not None and single_cost(found, one, pushes) and not single_cost(found, one, turns)
    two = PUSH.replace("=>", "=> remove crate behind,").replace("push:", "crush:")
    assert single_cost(agent_of(described(two)), one, pushes)  # type: ignore[arg-type]
    eats = "eat: me here, crate ahead => remove crate ahead, me here -> ahead"
    found = agent_of(described(f"{eats}\n{STEP}"))
    assert found is not None and not single_cost(found, one, pushes), "what is eaten is not moved"
    several = "heave: me here, full ahead, no full ahead.ahead => full ahead -> ahead.ahead, me here -> ahead"
    found = agent_of(described(f"{several}\n{STEP}"))
    assert found is not None and not single_cost(found, one, pushes), "it may be a wall"


# --- the lower bound --------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(30))
def test_assignment_by_trying_everything(seed: int) -> None:
    rng = Random(seed)
    rows, columns = rng.randint(1, 4), rng.randint(4, 5)
    costs = [[rng.choice([0, 1, 2, 3, 7, FAR]) for _ in range(columns)] for _ in range(rows)]
    cost, prices = assignment(costs)
    least = min(
        sum(costs[row][column] for row, column in enumerate(chosen))
        for chosen in permutations(range(columns), rows)
    )
    assert cost == least or (cost >= FAR and least >= FAR)
    # The prices prove it: each row alone can do no better than its best column with its price off.
    alone = sum(min(c - p for c, p in zip(row, prices, strict=True)) for row in costs)
    assert max(prices) <= 0 and alone + sum(prices) == cost


def endless(rows: list[str], horizon: int | None = None) -> Instance:
    """A level of Sokoban."""
    game = levels.load("sokoban/first").game
    board, findings = read_board(rows, symbols_of(game), lambda row, column: game.place)  # type: ignore[arg-type, return-value]
    assert not findings
    return Instance(game, Level("random", board, horizon))


@pytest.mark.parametrize("rows", [["$@$", "$ $"], ["@"], ["@$", "  ", " ."]])
def test_nothing_is_pushed_over_the_border(rows: list[str]) -> None:
    """On a board without walls around it: each push has its crate and its aim on the board."""
    one = endless(rows)
    for push in relaxed_of(one).pushes:
        for (_, source), (_, target) in push.moves:
            cells = [divmod(cell, len(rows[0])) for cell in (push.anchor, source, target)]
            (a, b), (c, d), (e, f) = cells
            assert (c - a, d - b) == (e - c, f - d) and abs(c - a) + abs(d - b) == 1


def test_things_of_two_layers_may_share_a_target() -> None:
    """So no bound is read off as if each needed one of its own: a crate and a ball end on the only one."""
    roll = "roll: me here, ball ahead, no full ahead, no wall ahead.ahead, no ball ahead.ahead => "
    roll += "ball ahead -> ahead.ahead, me here -> ahead"
    one = described(f"{PUSH}\n{roll}\n{STEP}", goal="every thing on target", crates="thing")
    assert relaxed_of(one).wanted is None
    result = api.solve(one, "cp-sat", objective="pushes")
    assert result.objective == 3 and replay(one, result.plans[0]).won


def test_what_is_wanted_of_pieces_that_rules_only_move() -> None:
    """No bound is read off a goal about what can be made or taken away."""
    assert relaxed_of(described(f"{PUSH}\n{STEP}")).wanted is not None
    loses = "drown: me here, crate ahead, wall ahead.ahead => remove crate ahead, me here -> ahead"
    found = agent_of(described(f"{loses}\n{PUSH}\n{STEP}"))
    assert found is not None
    one = described(f"{loses}\n{PUSH}\n{STEP}")
    assert Relaxed(one, found, Objective("pushes", "moves", "crate")).wanted is None


def test_two_crates_in_one_push_are_no_chequered_count() -> None:
    """Where a push moves one crate, every other number of pushes can win; where it may move two, any may."""
    single = described(f"{PUSH}\n{STEP}")
    assert relaxed_of(single).stride == 2
    both = "both: me here, crate ahead, crate ahead.ahead, no full ahead.ahead.ahead => "
    both += "crate ahead.ahead -> ahead.ahead.ahead, crate ahead -> ahead.ahead, me here -> ahead"
    one = described(f"{both}\n{PUSH}\n{STEP}")
    found = agent_of(one)
    assert found is not None
    assert Relaxed(one, found, Objective("pushes", "moves", "crate")).stride == 1


def test_a_plan_ends_where_the_whole_goal_holds() -> None:
    """Not where the first of its terms does: that one may hold from the beginning."""
    one = described(f"{PUSH}\n{STEP}", goal='no me on target", "every crate on target')
    checked(one, api.solve(one, "cp-sat", objective="pushes"), 1)


def test_a_crate_in_a_corner_is_proved_lost_without_a_solver() -> None:
    one = endless(["$   ", "  . ", " @  "])
    assert relaxed_of(one).matching[0] >= FAR
    result = api.solve(one, "cp-sat", objective="pushes")
    assert (result.stop, result.complete) == ("unsolvable", True)
    assert "never" in result.note


# --- where the agent can go ------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(25))
def test_reach_is_what_a_flood_finds(seed: int) -> None:
    """Cells that are free, blocked or open, in a board of cells; the open ones are tried both ways."""
    rng = Random(seed)
    height, width = rng.randint(1, 4), rng.randint(2, 5)
    one = endless(["." + "$" * (width - 2) + "@"] + ["-" * width] * (height - 1))
    encoding = Encoding(one, 0)
    algebra = Formulas(encoding, compile_instance(one))
    cells = [(row, column) for row in range(height) for column in range(width)]
    numbers = {cell: index for index, cell in enumerate(cells)}
    free, edges = {}, {}
    for cell, index in numbers.items():
        free[index] = rng.choice(
            [True, True, False, algebra.literal(encoding.number(encoding.new("f", cell, (0, 1)), 1))]
        )
        near = [(cell[0] + a, cell[1] + b) for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))]
        edges[index] = {numbers[other] for other in near if other in numbers}
    start = rng.randrange(len(cells))
    free[start] = True
    reach = Ground(algebra, free, edges).reached({start: True})
    open_cells = [index for index in numbers.values() if not isinstance(free[index], bool)]
    for _ in range(20):
        chosen = {index: rng.random() < 0.5 for index in open_cells}
        can = {index for index in free if free[index] is True or chosen.get(index)}
        found, todo = {start}, [start]
        while todo:
            for other in (edges[todo.pop()] & can) - found:
                found.add(other)
                todo.append(other)
        values = {encoding.atoms[free[index]][0]: int(value) for index, value in chosen.items()}  # type: ignore[index]
        for constraint in encoding.constraints:  # definitions, in their order
            (unknown,) = {encoding.atoms[abs(constraint.lit)][0]} - values.keys()  # type: ignore[union-attr]
            values[unknown] = 1 if holds(encoding, constraint, {**values, unknown: 1}) else 0
        for index, formula in reach.items():
            told = (
                formula
                if isinstance(formula, bool)
                else (values[encoding.atoms[abs(formula)][0]] == 1) == (formula > 0)
            )  # type: ignore[arg-type, operator]
            assert told == (index in found)


# --- what is found and proved -----------------------------------------------------------------------------


def checked(one: Instance, result: Result, best: int | None) -> None:
    """A best plan that wins, or a proof that there is none within the horizon."""
    if best is None:
        assert result.stop in ("horizon-exhausted", "unsolvable") and not result.plans and result.complete
        return
    assert (result.stop, result.objective, result.bound) == ("optimal", best, best)
    assert replay(one, result.plans[0]).won


@pytest.mark.parametrize("seed", range(30))
def test_random_levels_by_plain_python(seed: int) -> None:
    """Now and then the plan of fewest pushes is too long for the horizon, and another one must do."""
    rng = Random(seed)
    rows, horizon = sokoban_map(rng, most=5, crates=2), rng.randint(4, 14)
    one, best = endless(rows, horizon), sokoban.fewest(sokoban.read(rows), "pushes", horizon)
    checked(one, api.solve(one, "cp-sat", objective="pushes"), None if best is None else best[0])


@pytest.mark.parametrize("seed", [26, 48, 104])
def test_where_a_plan_is_too_long_another_one_of_as_many_pushes_or_more_is_asked_for(seed: int) -> None:
    """CP-SAT's first plan of as few pushes as any has walks that are too long."""
    rng = Random(seed)
    rows, horizon = sokoban_map(rng, most=5, crates=2), rng.randint(4, 14)
    one, best = endless(rows, horizon), sokoban.fewest(sokoban.read(rows), "pushes", horizon)
    asked = []

    with pytest.MonkeyPatch.context() as patch:
        written = timed.encode
        patch.setattr(timed, "encode", lambda *told: asked.append(told[1:3]) or written(*told))
        result = api.solve(one, "cp-sat", objective="pushes", encoding="macro")
    assert asked and {turns for _, turns in asked} == {horizon}
    checked(one, result, None if best is None else best[0])


def test_a_plan_that_is_too_long_is_no_plan() -> None:
    """Two pushes need a way round of a dozen steps; within few turns it takes more pushes."""
    rows = ["######", "#@$ .#", "#  # #", "#    #", "######"]
    level = sokoban.read(rows)
    free, short = sokoban.fewest(level, "pushes", 40), sokoban.fewest(level, "turns", 40)
    assert free is not None and short is not None
    one = endless(rows, short[0] - 1)
    result = api.solve(one, "cp-sat", objective="pushes")
    assert (result.stop, result.plans) == ("horizon-exhausted", ())
    result = api.solve(endless(rows, 1), "cp-sat", objective="pushes")
    assert (result.stop, result.complete) == ("horizon-exhausted", True), "there are more pushes than turns"
    result = api.solve(endless(rows), "cp-sat", objective="pushes")
    checked(endless(rows), result, free[0])


@pytest.mark.parametrize("solver", ["cp-sat", "sat", "cbc"])
def test_solvers_agree_on_macro_turns(solver: str) -> None:
    rows = ["#######", "#  .  #", "# $$  #", "#  #. #", "#  @  #", "#######"]
    best = sokoban.fewest(sokoban.read(rows), "pushes", 40)
    assert best is not None
    checked(endless(rows), api.solve(endless(rows), solver, objective="pushes"), best[0])
    result = api.solve(endless(rows), solver, "first")
    assert result.stop == "satisfied" and len(result.plans) == 1


def test_the_walk_after_the_last_push() -> None:
    """The goal may look at where the agent ends: then it walks on after the last push."""
    one = described(f"{PUSH}\n{STEP}", goal="some me on target")
    result = api.solve(one, "cp-sat", objective="pushes")
    checked(one, result, 0)
    assert len(result.plans[0].actions) >= 5
    walled = described(f"{PUSH}\n{STEP}", goal="some me on target")
    rows = ["######", "#@$.##", "######", "######"]
    board, _ = read_board(rows, symbols_of(walled.game), lambda row, column: walled.game.place)  # type: ignore[arg-type, return-value]
    walled = Instance(walled.game, Level("walled", board, 4))
    assert api.solve(walled, "cp-sat", objective="pushes").stop == "horizon-exhausted"


def test_plans_go_both_ways_through_the_encoding() -> None:
    """What a plan gives the variables decodes to a plan with the same pushes."""
    rows = ["#######", "#@    #", "# $ . #", "#   $.#", "#######"]
    one = endless(rows)
    found = sokoban.fewest(sokoban.read(rows), "pushes", 40)
    assert found is not None
    plan = api.solve(one, "search", objective="pushes").plans[0]
    encoding = macro.encode(relaxed_of(one), found[0])
    values = {variable: value(plan) for variable, value in encoding.decisions.items()}
    decoded = encoding.decode(values)
    assert replay(one, decoded).won and replay(one, decoded).values["pushes"] == found[0]
    assert [value(decoded) for value in encoding.decisions.values()] == list(values.values())


def test_bits_and_the_agent_agree_on_steps() -> None:
    """`reach` in the algebra of bits: all cells of a hall with a crate in the middle."""
    one = endless(["@   ", " $  ", "   ."])
    found = agent_of(one)
    assert found is not None
    bits = Bits(found.transition)
    boards = bits.pack(initial_state(one))
    others = tuple(0 if plane == found.plane else board for plane, board in enumerate(boards))
    reach = found.reach(bits, others, boards[found.plane])
    assert reach.bit_count() == 11 and not reach & bits.bit(1, 1)


# Crates get in one another's way, so that two more are pushed than the bound says. Few random maps do that.
IN_THE_WAY = [
    ["* .  ", "# $ .", "+$   "],
    [" #   ", "  $. ", "$$.  ", ".@   ", "  #  "],
    [" . @", " $  ", "#$  ", ".$ ."],
]


@pytest.mark.parametrize("rows", IN_THE_WAY)
def test_no_best_plan_is_cut_off_by_the_budget_of_reduced_costs(rows: list[str]) -> None:
    """The pushes of a best plan of plain Python keep every constraint, the budget of reduced costs too."""
    best = sokoban.fewest(sokoban.read(rows), "pushes", 24)
    assert best is not None
    one = endless(rows)
    relaxed = relaxed_of(one)
    assert best[0] == relaxed.matching[0] + 2
    encoding = macro.encode(relaxed, best[0])
    assert [str(why) for why in broken(encoding, assume(encoding, Plan((), tuple(best[1]))))] == []
    checked(one, api.solve(one, "cp-sat", objective="pushes"), best[0])


@pytest.mark.parametrize("solver", ["sat", "cp-sat"])
def test_who_kicks_may_stay_where_he_is(solver: str) -> None:
    """Told turn after turn, only where each firing moves the one agent every turn does."""
    kicks = described(
        """
kick: me here, crate ahead, no full ahead.ahead => crate ahead -> ahead.ahead
step: me here, no full ahead => me here -> ahead
"""
    )
    result = api.solve(kicks, solver, "first", encoding="layers", horizon=4)
    assert (result.stop, result.plans[0].actions) == ("satisfied", ("right", "right"))
