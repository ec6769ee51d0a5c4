"""Each goal word on boards so small that every design can be tried: referee, encodings and search agree.

The referee tries all designs. The same ones, each once, must come out of the encoding as it is posted to
CP-SAT, and out of its rewriting to Booleans; and no constraint may object to a winning design.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import pytest

from ggp import registry
from ggp.encoding.debug import violations
from ggp.encoding.unroll import attempts
from ggp.errors import DescriptionError, Place, UnsupportedFeature
from ggp.language.description import read_game
from ggp.model import Instance, Plan
from ggp.model.features import GOAL_WORDS
from ggp.model.result import Query
from ggp.referee.designs import free_cells, placeable
from ggp.referee.semantics import initial_state, is_goal
from ggp.referee.trajectory import replay
from ggp.solvers import cpsat
from ggp.tasks.needed import matters
from ggp.tasks.solving import Run
from tests.slow import one_in
from tests.tiny_encodings import in_booleans

Design = tuple[tuple[tuple[int, int], object], ...]

KINDS = """
name = "tiny"
[kinds]
digit = { layer = "thing", values = [1, 3], tile = "number" }
bit = { layer = "bit", values = [0, 1] }
mark = { layer = "mark" }
clue = { layer = "clue", values = [0, 9] }
less = { layer = "clue", facing = ["up", "right", "down", "left"] }
spot = { layer = "clue" }
gap = { layer = "clue" }
dust = { layer = "dust" }
[classes]
thing = ["mark", "digit"]
[symbols]
"." = ""
"123" = "digit:1.."
"abcde" = "clue:0.."
">" = "less:right"
"v" = "less:down"
"+" = "spot"
"#" = "gap"
"x" = "digit:2 clue:1"
"o" = "bit:1"
[design]
"""
DIGITS = 'place = "digit"\nfree-of = ["digit", "less", "gap"]\nfill = true\n'
SOME = 'place = "digit"\nfree-of = ["digit", "gap"]\n'
SOME_BITS = 'place = "bit"\nfree-of = ["bit"]\n'
BITS = 'place = "bit"\nfree-of = ["digit", "bit"]\nfill = true\n'
MARKS = 'place = "mark"\nfree-of = ["mark", "spot", "gap"]\n'

# (what is placed, the goal, the rest of the level)
CASES = {
    "different-fill": (DIGITS, "different digit in rows, columns", 'map = "..\\n..\\n1."'),
    "different-some": (SOME, "different digit in rows, columns", 'map = "..\\n.2"'),
    "different-off": (MARKS, "different digit off mark in rows, columns", 'map = "121\\n112"'),
    "different-on": (MARKS, "different digit on mark in board", 'map = "121\\n112"'),
    "different-slopes": (DIGITS, "different digit in slopes", 'map = "..\\n..\\n1."'),
    "tally": (MARKS, "count mark in rows, columns <= 1", 'map = "...\\n..."'),
    "tally-clues": (
        MARKS,
        "count mark in rows = clues",
        'map = "...\\n...\\n..."\n[level.clues]\nrows = [2, "?", 0]',
    ),
    "total": (DIGITS, "sum digit in rows = total", 'total = 4\nmap = "...\\n..."'),
    "total-clues": (
        SOME,
        "sum digit in across, down >= clues",
        'map = "..#\\n..."\n[level.clues]\nacross = [3, 4]\ndown = [2, "?", "?"]',
    ),
    "total-bits": (BITS, "sum bit in rows <= 1", 'map = "...\\n..."'),
    "total-some-bits": (SOME_BITS, "sum bit in rows >= 1", 'map = "o..\\n..."'),
    "each": (MARKS, "each clue: count mark at around", 'map = ".b.\\n..c\\n..."'),
    "each-twice": (MARKS, "each clue: count mark at right, right and mark at here, down", 'map = "d.\\n.."'),
    "tally-layers": (MARKS, "count thing in rows = 2", 'map = "1..\\n.2."'),
    "each-layers": (MARKS, "each clue: count thing at beside", 'map = "1c.\\n..."'),
    "order": (DIGITS, "order digit along less", 'map = ".>.\\nv#v\\n.#."'),
    "order-empty": (SOME, "order digit along less", 'map = ".>.\\n.#."'),
    "runs": (
        MARKS,
        "runs mark along rows, columns",
        'map = "....\\n....\\n...."\n[level.clues]\nrows = [[1, 1], 2, []]\ncolumns = ["?", "?", 1, "?"]',
    ),
    "visible": (
        DIGITS,
        "visible digit along rows, columns-reversed",
        'map = "...\\n.2."\n[level.clues]\nrows = [2, "?"]\ncolumns-reversed = [1, 1, 2]',
    ),
    "visible-beside": (
        DIGITS,
        "visible digit along rows",
        'map = ".d.\\n..."\n[level.clues]\nrows = [2, "?"]',
    ),
    "visible-empty": (SOME, "visible digit along rows", 'map = "...."\n[level.clues]\nrows = [2]'),
    "distinct": (BITS, "distinct bit along rows, columns", 'map = "...\\n...\\n..."'),
    "distinct-digits": (SOME, "distinct digit along rows", 'map = "..\\n.1"'),
    "cover-beside": (MARKS, "cover clue by mark in across", 'map = "x.#\\n.#b\\n..."'),
    "cover": (MARKS, "cover clue by mark in across, down", 'map = "a.#\\n.#b\\n..."'),
    "connected": (MARKS, "connected mark", 'map = "...\\n.#.\\n..."'),
    "connected-no": (MARKS, "connected no mark", 'map = "...\\n...\\n..."'),
    "connected-sure": (MARKS, "connected mark, spot", 'map = "+..\\n.#.\\n..+"'),
    "connected-ways": (
        SOME,
        "connected clue sideways digit:1 upright digit:2",
        'map = "a.b\\n.#.\\nc##"',
    ),
    "connected-beside": (SOME, "connected clue sideways digit:1 upright digit:2", 'map = "ab\\n.."'),
    "connected-sideways": (SOME, "connected clue sideways digit:1", 'map = "a.b\\n#.."'),
    "loop": (MARKS, "loop mark through spot", 'map = "+.+.+\\n.#.#.\\n+.+.+"'),
    "loop-stray": (MARKS, "loop mark through spot", 'map = "+.+\\n...\\n+.+\\n###"'),
    "areas": (DIGITS, "areas digit", 'map = "...\\n.1."'),
    "areas-some": (SOME, "areas digit", 'map = "...\\n#.."'),
    "areas-clue": (SOME, "areas digit", 'map = "c..\\n#.."'),
    "parts": (MARKS, "parts no mark with clue", 'map = "c..\\n...\\n.b."'.replace("c", "d")),
    "parts-with": (MARKS, "parts mark with clue", 'map = "c..\\n...\\n..b"'),
    "pairs": (MARKS, "pairs mark with clue at beside", 'map = "a.b\\n..#\\n.b."'),
    "pairs-several-ways": (MARKS, "pairs mark with clue at beside", 'map = "a.\\n.b"'),
    "pairs-one-way": (MARKS, "pairs mark with clue at up, up.left, here", 'map = "ab.\\n..."'),
    "pairs-layers": (MARKS, "pairs thing with clue at beside", 'map = "1a.\\n..."'),
    "tour": (
        'place = "digit"\nfree-of = ["digit", "gap"]\nfill = true\n',
        "tour digit by right, left, down",
        'map = "..\\n#."',
    ),
    "on": (MARKS, "every mark on clue", 'map = "a.#\\n.b."'),
    "off": (MARKS, "some mark off clue", 'map = "a.#\\n.b."'),
    "count-off": (MARKS, "count mark off clue = 2", 'map = "a.#\\n.b."'),
    "somewhere": (MARKS, "somewhere toward any: mark here, no mark ahead, clue behind", 'map = "a.#\\n.b."'),
    "not-twins": (DIGITS, "nowhere $digit here, digit:2 right", 'map = "..\\n2."'),
    "unless": (MARKS, "count mark >= 1 unless some mark on clue and no mark off clue", 'map = "a.#\\n.b."'),
    "unless-twice": (
        MARKS,
        "no mark on clue unless count mark = 1 unless count mark = 2",
        'map = "a.#\\n.b."',
    ),
    "twins": (SOME, "nowhere toward right down: $digit here, $digit ahead", 'map = "..\\n.2"'),
}


# A run of one turn in which nothing happens, for there is no dust on any map.
IDLE = '[[physics]]\nrules = "settle: dust here, no dust down => dust here -> down"\n'


def tiny(name: str, physics: str = "") -> Instance:
    design, goal, level = CASES[name]
    goal = f'[goal]\nwhen = "horizon"\nwin = ["{goal}"]\n'
    level = f'[[level]]\nname = "{name}"\n{"horizon = 1" if physics else ""}\n{level}\n'
    game, (only,) = read_game(f"{KINDS}{design}{physics}{goal}{level}".encode(), "tiny.toml")
    return Instance(game, only)


def tried(instance: Instance) -> set[Design]:
    """Every design that wins, by the referee."""
    cells, pieces = free_cells(instance), placeable(instance)
    design = instance.game.design
    assert design is not None
    choices = pieces if design.fill else (None, *pieces)
    assert len(choices) ** len(cells) <= 5000
    found = set()
    for chosen in product(choices, repeat=len(cells)):
        placed = tuple((cell, piece) for cell, piece in zip(cells, chosen, strict=True) if piece is not None)
        if is_goal(instance, initial_state(instance, placed)):
            found.add(placed)
    return found


@pytest.mark.parametrize("name", one_in(2, CASES, 1))
def test_encodings_say_what_the_referee_says(name: str) -> None:
    instance = tiny(name)
    wins = tried(instance)
    assert 0 < len(wins) < 5000, "a case without a winning or a losing design shows nothing"
    query = Query("all")
    (full,) = attempts(instance, query, cpsat.FULL)
    (cut,) = attempts(instance, query, cpsat.BACKEND)
    graphs = full.encoding.constraints != cut.encoding.constraints
    for encoding in (full.encoding, in_booleans(full.encoding), *([cut.encoding] if graphs else ())):
        run = cpsat.run_of(cpsat.Posted(encoding, lambda: None), query)
        found = [tuple(sorted(encoding.decode(values).design)) for values in run]
        assert len(found) == len(set(found)), "a design came twice"
        assert set(found) == wins
    for placed in sorted(wins, key=str)[:2]:
        assert violations(instance, Plan(placed)) == []


@pytest.mark.parametrize("name", one_in(2, CASES))
def test_search_finds_the_same(name: str) -> None:
    instance = tiny(name)
    plans = [plan.design for plan in Run(instance, "search", "all")]
    assert len(plans) == len(set(plans)), "a design came twice"
    assert set(plans) == tried(instance)


@pytest.mark.parametrize(
    "name", one_in(4, [name for name, (design, *_) in CASES.items() if "fill" not in design], 1)
)
def test_search_finds_the_same_after_a_run(name: str) -> None:
    """There words are judged where a run ends, and none narrows what may be placed."""
    instance = tiny(name, IDLE)
    plans = [plan.design for plan in Run(instance, "search", "all")]
    assert len(plans) == len(set(plans)), "a design came twice"
    assert set(plans) == {placed for placed in tried(instance) if matters(instance, Plan(placed))} != set()


@pytest.mark.parametrize("solver", ["cp-sat", "search"])
def test_a_word_about_what_moves(solver: str) -> None:
    """Of the digits that may come to stand on a cell there is only one, as soon as a mark sends it there."""
    rules = "slide: digit here, mark here, no digit right, inside right => digit here -> right"
    goal = f'[[physics]]\nrules = "{rules}"\n[goal]\nwhen = "horizon"\nwin = ["different digit in columns"]\n'
    text = f'{KINDS}{MARKS}{goal}[[level]]\nhorizon = 1\nmap = "12.\\n.21"\n'
    game, (only,) = read_game(text.encode(), "tiny.toml")
    one = Instance(game, only)
    cells, (mark,) = free_cells(one), placeable(one)
    designs = (tuple((c, mark) for c in some) for n in range(3) for some in combinations(cells, n))
    wins = {design for design in designs if replay(one, Plan(design)).won}
    found = {plan.design for plan in Run(one, solver, "all")}
    assert (
        {design for design in found if len(design) < 3} == {d for d in wins if matters(one, Plan(d))} != set()
    )


WALK = """
name = "walk"
[kinds]
me = { layer = "thing", count = "1" }
box = { layer = "thing" }
[symbols]
"." = ""
"@" = "me"
"$" = "box"
[input]
moves = ["up", "right", "down", "left"]
[[turn]]
rules = '''
push: me here, box ahead, no box ahead.ahead, inside ahead.ahead => box ahead -> ahead.ahead, me here -> ahead
step: me here, no box ahead, inside ahead => me here -> ahead
'''
[goal]
when = "horizon"
win = ["connected box"]
[[level]]
horizon = 4
map = '''
$...
@$..
....
'''
"""


@pytest.mark.parametrize("solver", ["search", "search:ida", "search:greedy"])
def test_search_judges_words_where_moves_end(solver: str) -> None:
    """Every list of four inputs is tried by the referee."""
    game, (level,) = read_game(WALK.encode(), "walk.toml")
    instance = Instance(game, level)
    tries = [Plan((), inputs) for inputs in product(("up", "right", "down", "left"), repeat=4)]
    wins = {plan.actions for plan in tries if replay(instance, plan).won}
    assert 0 < len(wins) < len(tries)
    found = [plan.actions for plan in Run(instance, solver, "all" if solver == "search" else "best")]
    assert set(found) == wins if solver == "search" else found and set(found) <= wins


@pytest.mark.parametrize(("name", "limit"), [("tally", 1), ("each", 2), ("connected", 3)])
def test_search_places_no_more_than_it_may(name: str, limit: int) -> None:
    instance = tiny(name)
    assert instance.game.design is not None
    design = replace(instance.game.design, limit=limit)
    bounded = replace(instance, game=replace(instance.game, design=design))
    wanted = {one for one in tried(instance) if len(one) <= limit}
    assert {plan.design for plan in Run(bounded, "search", "all")} == wanted != tried(instance)


def test_every_word_is_tried_and_supported() -> None:
    words = {term.word for name in CASES for term in tiny(name).game.goal.terms}
    assert words == set(registry.GOALS)
    assert {f"goal:{word}" for word in registry.GOALS} == GOAL_WORDS


@pytest.mark.parametrize("name", CASES)
def test_a_word_reads_back_as_it_is_written(name: str) -> None:
    (term,) = tiny(name).game.goal.terms
    assert term.source() == CASES[name][1]
    assert term.say(tiny(name))


@pytest.mark.parametrize("name", CASES)
def test_where_a_word_is_written_is_no_part_of_what_it_says(name: str) -> None:
    (term,) = tiny(name).game.goal.terms
    assert replace(term, place=Place("elsewhere", 7, 7)) == term  # type: ignore[type-var]


def test_the_empty_loop_is_no_loop() -> None:
    instance = tiny("loop")
    assert not is_goal(instance, initial_state(instance, ()))


# --- what no level may say --------------------------------------------------------------------------------

WRONG = {
    "a clash of givens": (DIGITS, "different digit in rows", 'map = "1.1"', 3, "`digit:1` stands twice"),
    "a clue out of range": (MARKS, "each clue: count mark at right", 'map = "c."', 1, "out of range"),
    "a sum too large": (
        DIGITS,
        "sum digit in rows = clues",
        'map = "..."\n[level.clues]\nrows = [10]',
        9,
        "cannot add up to 10",
    ),
    "a sum that needs one value twice": (
        DIGITS,
        'sum digit in rows = clues", "different digit in rows',
        'map = ".."\n[level.clues]\nrows = [2]',
        9,
        "2 different values from 1 to 3 cannot add up to 2",
    ),
    "a sum of more cells than are open": (
        DIGITS,
        "sum digit in rows = clues",
        'map = ".#"\n[level.clues]\nrows = [4]',
        9,
        "1 value from 1 to 3 cannot add up to 4",
    ),
    "a sum where cells may stay empty": (
        SOME,
        "sum digit in rows = clues",
        'map = ".."\n[level.clues]\nrows = [7]',
        9,
        "cannot add up to 7",
    ),
    "too few clues": (
        MARKS,
        "count mark in rows = clues",
        'map = ".\\n."\n[level.clues]\nrows = [1]',
        8,
        "1 clues for 2",
    ),
    "no clues": (MARKS, "count mark in rows = clues", 'map = "."', 1, "there are no clues for `rows`"),
    "several numbers": (
        MARKS,
        "count mark in rows = clues",
        'map = "."\n[level.clues]\nrows = [[1, 2]]',
        9,
        "must be one number",
    ),
    "a run too long": (
        MARKS,
        "runs mark along rows",
        'map = ".."\n[level.clues]\nrows = [[1, 1]]',
        9,
        "need 3 cells",
    ),
    "a run of nothing": (
        MARKS,
        "runs mark along rows",
        'map = ".."\n[level.clues]\nrows = [[-1]]',
        9,
        "-1 cells long",
    ),
    "a view too far": (
        DIGITS,
        "visible digit along rows",
        'map = ".."\n[level.clues]\nrows = [3]',
        9,
        "cannot see 3",
    ),
    "no whole number": (
        MARKS,
        "count mark in rows = clues",
        'map = "."\n[level.clues]\nrows = [1.5]',
        9,
        "a clue is a whole number",
    ),
    "no list": (
        MARKS,
        "count mark in rows = clues",
        'map = "."\n[level.clues]\nrows = 3',
        8,
        "a list with a clue",
    ),
    "a sign at the edge": (DIGITS, "order digit along less", 'map = ".>"', 2, "does not stand between"),
    "a sign on a corner": (
        DIGITS,
        "order digit along less",
        'map = ".#.\\n#>#\\n.#."',
        None,
        "two cells that can hold a `digit`",
    ),
    "a step that there is not": (
        MARKS,
        "each clue: count mark at abov",
        'map = "b."',
        None,
        "no step `abov`",
    ),
    "regions that there are not": (
        MARKS,
        "count mark in cages = 1",
        'map = "."',
        None,
        "no regions called `cages`",
    ),
    "a cell twice": (
        DIGITS,
        "different digit in cages",
        'map = ".."\n[level.regions]\ncages = [[[0, 0], [0, 0]]]',
        10,
        "holds the cell (0, 0) twice",
    ),
    "a cell that there is not": (
        DIGITS,
        "different digit in cages",
        'map = ".."\n[level.regions]\ncages = [[[0, 0], [0, 2]]]',
        10,
        "the cell (0, 2) of this region is not on the board",
    ),
    "a region of nothing": (
        DIGITS,
        "different digit in cages",
        'map = ".."\n[level.regions]\ncages = [[[0, 0]], []]',
        20,
        "this region has no cells",
    ),
    "a region of another size": (
        DIGITS,
        "different digit in cages",
        'map = ".."\n[level.regions]\ncages = "a"',
        None,
        "must be as large as the map",
    ),
    "an area of nothing": (MARKS, "parts no mark with clue", 'map = "a."', 1, "an area of 0 cells"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_no_level_may_say(name: str) -> None:
    design, goal, level, column, message = WRONG[name]
    text = f'{KINDS}{design}[goal]\nwhen = "horizon"\nwin = ["{goal}"]\n[[level]]\n{level}\n'
    with pytest.raises(DescriptionError) as caught:
        read_game(text.encode(), "wrong.toml")
    finding = caught.value.findings[0]
    assert message in finding.message
    assert finding.remedy and finding.place is not None and finding.place.line
    assert column is None or name == "no clues" or finding.place.column in (column, column + 7)


def test_words_without_a_test_are_for_the_end() -> None:
    text = f'{KINDS}{MARKS}[goal]\nwin = ["connected mark"]\n[[level]]\nmap = ".."\n'
    with pytest.raises(DescriptionError, match="judged at the end only"):
        read_game(text.encode(), "wrong.toml")


@pytest.mark.parametrize("solver", ["sat", "cp-sat"])
def test_a_word_about_what_merges_is_refused(solver: str) -> None:
    """Search knows what stands where, whatever it is; encodings have one value a cell."""
    kinds = KINDS.replace('mark = { layer = "mark" }', 'mark = { layer = "mark", merge = true }')
    goal, design = (
        '[goal]\nwhen = "horizon"\nwin = ["connected mark"]\n',
        'place = "mark"\nfree-of = ["gap"]\n',
    )
    level = '[[level]]\nname = "one"\nmap = "..."\n'
    game, (only,) = read_game(f"{kinds}{design}{goal}{level}".encode(), "tiny.toml")
    assert list(Run(Instance(game, only), "search", "all"))
    with pytest.raises(UnsupportedFeature, match="`connected mark` speaks of kinds that merge"):
        list(Run(Instance(game, only), solver, "all"))


def test_a_sum_of_nothing_is_0_where_cells_may_stay_empty() -> None:
    text = f'{KINDS}{SOME}[goal]\nwhen = "horizon"\nwin = ["sum digit in rows = clues"]\n'
    text += '[[level]]\nmap = ".."\n[level.clues]\nrows = [0]\n'
    _, (level,) = read_game(text.encode(), "right.toml")
    assert level.clues == (("rows", ((0,),)),)


def test_what_is_to_be_covered_may_share_its_cell() -> None:
    (term,) = tiny("cover-beside").game.goal.terms
    assert set(term.reach(tiny("cover-beside"))) == {(0, 0), (1, 2)}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("rows", "joined"),
    [
        (["a1b"], True),
        (["a..", "21b", "c.."], False),  # from an upright bridge into the side of a sideways one
        (["a12", "..b"], False),  # and out of a sideways one into the side of an upright one
    ],
)
def test_nothing_enters_a_bridge_from_its_side(rows: list[str], joined: bool) -> None:
    goal = '[goal]\nwhen = "horizon"\nwin = ["connected clue sideways digit:1 upright digit:2"]\n'
    level = "[[level]]\nmap = '''\n" + "\n".join(rows) + "\n'''\n"
    game, (kept,) = read_game(f"{KINDS}{SOME}{goal}{level}".encode(), "tiny.toml")
    one = Instance(game, kept)
    assert is_goal(one, initial_state(one, ())) is joined
