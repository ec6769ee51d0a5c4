"""Everything in the registry is whole: its module loads and offers its interface, it has its golden files and
its known facts, and what it does not support it refuses by name.

The tables come from the registry itself, so a new entry is tested without a line here; what it lacks is said
in the message, with the command that makes it.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Generator, Iterator
from dataclasses import is_dataclass, replace
from functools import cache
from importlib import resources
from itertools import product
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, get_type_hints
from unittest.mock import MagicMock

import pytest

from ggp import registry
from ggp.api import solve
from ggp.encoding.constraints import Encoding
from ggp.encoding.lowering.protocol import EVERY, kinds_of
from ggp.encoding.lowering.route import ANY
from ggp.encoding.occupancy import encode
from ggp.encoding.unroll import Attempt
from ggp.errors import Place, UnsupportedFeature
from ggp.importers import puzzlescript
from ggp.language import levels
from ggp.language.description import read_file, read_game
from ggp.language.rule_language import read_goal
from ggp.learn.protocol import LearnerModule
from ggp.model import Instance, Pattern, Plan
from ggp.model.export import OPTIONAL, ExporterModule, Reasoned, Worded
from ggp.model.features import FEATURES, LUCK, SOLVABLE, describe, goal_features, missing, needs, require
from ggp.model.result import Outcome, Query, SolverModule
from ggp.referee.trajectory import replay
from ggp.render.tileset import tile_names
from ggp.tasks.exporting import export, refusal, whole
from tests.slow import few_or_many, one_in, slow_unless
from tests.solver_levels import asked_at_once, takes

Golden = Any  # tests/conftest.py

LEVELS = [name for game in levels.games() for name in levels.levels(game)]
FIRST = [levels.levels(game)[0] for game in levels.games()]  # of each game; these have golden files
READ = {"lemmings/seed", "sokoban/first", "lights-out/first", "sudoku/paper-4x4", "queens/small"}
READABLE = 1_000  # lines that somebody might look at
LINK = "https://puzz.link/p?fillomino/3/3/2h43j"  # which does not say how large an area may be
# Between them every encoding applies.
FITTING = ("lemmings/seed", "sokoban/first", "sudoku/paper-4x4", "lights-out/first", LINK)
GOALS = frozenset(f"goal:{word}" for word in registry.GOALS)
BACKENDS = [(what, name) for what in ("exporter", "solver") for name in registry.TABLES[what]]

# A sentence of each goal word, to hold the word's module against its interface.
SENTENCES = {
    "on": "every crate on target",
    "count": "count crate on target >= 2",
    "different": "different digit in rows, columns",
    "shape": "nowhere toward any: $crate here, $crate ahead.rightward, no target ahead",
    "tally": "count queen in rows, columns = 1",
    "total": "sum digit in cages = clues",
    "each": "each clue: count mine at around and flag at up.up, here",
    "order": "order digit along less",
    "runs": "runs fill along rows, columns",
    "visible": "visible digit along rows, rows-reversed",
    "distinct": "distinct bit along rows, columns",
    "cover": "cover floor by lamp in across, down",
    "connected": "connected island sideways bridge:1 upright bridge:2",
    "loop": "loop line through corner",
    "areas": "areas digit",
    "pairs": "pairs tent with tree at beside, up.left",
    "parts": "parts no sea with clue",
    "tour": "tour number by up.up.right, right.right.up",
    "unless": "count crate = 0 unless some player on exit and no gem off hand unless no key on exit",
}
# Where the modules of each table stand, and the line that tells them from those that they share.
FOLDERS = {
    "exporter": ("ggp.exporters", "^NAME = "),
    "solver": ("ggp.solvers", "^NAME = "),
    "goal word": ("ggp.goals", "^GRAMMAR = "),
    "level form": ("ggp.language.readers", r"^def read\("),
}
# With those of the built-in games and of tests/golden/descriptions these levels need every feature there is.
ODD = b"""
name = "odd"
[kinds]
stone = { layer = "solid" }
mark = { layer = "floor" }
[symbols]
"." = ""
"o" = "mark"
[design]
place = "stone"
free-of = ["stone", "mark"]
fill = true
[input]
moves = ["left"]
[[turn]]
rules = "slide: stone here, no stone ahead => stone here -> ahead"
[goal]
when = "horizon"
win = ["every mark off stone", "connected stone"]
lose = ["count stone = 2 unless every mark off stone"]
[[level]]
horizon = 1
map = ".o"
"""


def instance_of(name: str) -> Instance:
    return levels.load(name)


def table(what: str) -> list[Any]:
    """The names of a table as parameters."""
    return [pytest.param(name, id=name) for name in registry.TABLES[what]]


DEAR = {"riders", "doubling", "minesweeper"}


def usable(what: str, name: str) -> ModuleType:
    """The module of a backend; the test is skipped where it cannot run on this machine."""
    module = registry.load(what, name)
    reason = module.available()
    if reason is not None:
        pytest.skip(f"{name}: {reason}")
    return module


# --- interfaces -------------------------------------------------------------------------------------------


def lacks(module: ModuleType, protocol: type) -> Iterator[str]:
    """What a module would have to offer and does not."""
    for name, kind in get_type_hints(protocol).items():
        plain = getattr(kind, "__origin__", kind)
        if not isinstance(getattr(module, name, None), plain):
            yield f"{name}, of type {kind}"
    for name, asked in vars(protocol).items():
        if not inspect.isfunction(asked) or name.startswith("_"):
            continue
        offered = getattr(module, name, None)
        if not inspect.isroutine(offered):
            yield f"a function {name}"
            continue
        wanted = [p.name for p in inspect.signature(asked).parameters.values()][1:]  # without self
        given = inspect.signature(offered).parameters
        needed = [p.name for p in given.values() if p.default is p.empty]
        if list(given)[: len(wanted)] != wanted or not set(needed) <= set(wanted):
            yield f"{name}({', '.join(wanted)}), and not {name}({', '.join(given)})"


@pytest.mark.parametrize(("what", "name"), BACKENDS, ids=lambda value: value)
def test_a_backend_offers_its_interface(what: str, name: str) -> None:
    module = registry.load(what, name)
    protocol: type = {"exporter": ExporterModule, "solver": SolverModule}[what]
    assert list(lacks(module, protocol)) == []
    assert name == module.NAME
    assert (module.__doc__ or "").strip(), "its first line is what `ggp list` says of it"
    reason = module.available()
    assert reason is None or reason.strip(), "a sentence that says what to install"
    if what == "exporter":
        assert module.SUFFIX.startswith(".")
        abilities = [optional for optional in OPTIONAL if isinstance(module, optional)]
        assert [one for ability in abilities for one in lacks(module, ability)] == []


@pytest.mark.parametrize("name", table("exporter"))
def test_an_exporter_to_a_language_promises_what_its_table_writes(name: str) -> None:
    """One dict from goal word to writer; words that are not in it are refused, and most of them say why."""
    module = registry.load("exporter", name)
    if not isinstance(module, Worded):
        return
    assert set(module.GOAL_WRITERS) <= set(registry.GOALS)
    assert goal_features(module.GOAL_WRITERS) == module.FEATURES & GOALS
    if isinstance(module, Reasoned):
        assert set(module.WHY) >= GOALS - module.FEATURES, "say in WHY why a word is not written"
        assert not module.FEATURES & set(module.WHY)


@pytest.mark.parametrize(("what", "name"), BACKENDS, ids=lambda value: value)
def test_a_backend_supports_only_features_that_there_are(what: str, name: str) -> None:
    features = registry.load(what, name).FEATURES
    assert features, "a backend that supports nothing passes every test and does nothing"
    assert features <= set(FEATURES) | GOALS
    assert features & GOALS, "without a goal word it can take no level at all"


def test_a_missing_part_of_an_interface_is_seen() -> None:
    class Thing(Protocol):
        NAME: str

        def make(self, instance: int, plan: int) -> str: ...

    good, bad = ModuleType("good"), ModuleType("bad")
    good.NAME, good.make = "good", lambda instance, plan=None, more=(): ""  # type: ignore[attr-defined]
    bad.NAME, bad.make = 3, lambda level: ""  # type: ignore[attr-defined]
    assert list(lacks(good, Thing)) == []
    told = ["NAME, of type <class 'str'>", "make(instance, plan), and not make(level)"]
    assert list(lacks(bad, Thing)) == told
    assert len(list(lacks(ModuleType("none"), Thing))) == 2


@pytest.mark.parametrize("name", table("learner"))
def test_a_learner_offers_its_interface(name: str) -> None:
    module = registry.load("learner", name)
    assert list(lacks(module, LearnerModule)) == []
    assert name == module.NAME and (module.__doc__ or "").strip()
    assert module.available() is None or isinstance(module.available(), str)


@pytest.mark.parametrize("word", table("goal word"))
def test_a_goal_word_offers_its_interface(word: str) -> None:
    module = registry.load("goal word", word)
    assert word in SENTENCES, f"add a sentence with `{word}` to SENTENCES in this file"
    assert f"{word}:" in module.GRAMMAR, "its grammar has a rule named like the word"
    term = read_goal(SENTENCES[word], lambda at: Place("g.toml", 1, at + 1))
    assert type(term).__module__ == module.__name__
    assert is_dataclass(term) and type(term).__dataclass_params__.frozen  # type: ignore[attr-defined]
    assert term.word == word
    assert term.source() == SENTENCES[word], "what it writes reads back"
    assert term.patterns() and all(isinstance(pattern, Pattern) for pattern in term.patterns())
    for method in ("holds", "say"):
        assert callable(getattr(term, method))
    assert any(callable(getattr(term, method, None)) for method in ("test", "constrain"))
    assert getattr(term, "place", None) is not None


@pytest.mark.parametrize("name", table("encoding"))
def test_an_encoding_offers_its_interface(name: str) -> None:
    module = registry.load("encoding", name)
    assert name == module.NAME and (module.__doc__ or "").strip()
    session = MagicMock()  # it has no plan, however many turns it is told
    session.__enter__.return_value.solve.return_value = None
    backend = replace(ANY, session=lambda clock: session)
    offered = {level: module.offer(instance_of(level), Query("first"), backend) for level in FITTING}
    assert any(callable(one) for one in offered.values()), "none of the levels could show it"
    for answering in offered.values():
        if isinstance(answering, str):
            assert " " in answering and not answering.endswith("."), "a sentence that says why not"
            continue
        asked: list[Encoding] = []

        def ask(
            attempt: Attempt, query: Query, asked: list[Encoding] = asked
        ) -> Generator[Plan, None, Outcome]:
            asked.append(attempt.encoding)
            yield from ()
            return Outcome("satisfied")

        assert [*answering(ask)] == []
        if not asked:
            assert session.__enter__.return_value.solve.call_count > 1, "it asks a session, then"
        for encoding in asked:
            assert encoding.variables and encoding.decisions and encoding.decoder is not None
            assert all(one.why.text for one in encoding.constraints), "each says why it is there"


@cache
def written_levels() -> list[Encoding]:
    """Encodings of levels of three sorts, as they are before anything is lowered."""
    return [encode(instance_of(level)) for level in ("lemmings/seed", "sokoban/first", "sudoku/paper-4x4")]


@pytest.mark.parametrize("name", table("lowering"))
def test_a_lowering_offers_its_interface(name: str) -> None:
    module = registry.load("lowering", name)
    docstring = module.__doc__ or ""
    assert "Source:" in docstring and "Target:" in docstring, "say what it takes and what it gives"
    assert module.TAKES | module.LEAVES | module.BESIDE <= EVERY and module.AGAIN in (True, False)
    able = [one for one in written_levels() if kinds_of(one) <= module.TAKES | module.BESIDE]
    assert able, "none of the levels could show it"
    for before in able:
        lowered = module.lower(before).encoding
        assert isinstance(lowered, Encoding)
        assert lowered.instance == before.instance and lowered.decoder is not None
        assert all(constraint.why.text for constraint in lowered.constraints)


@pytest.mark.parametrize("name", table("level form"))
def test_a_level_form_offers_its_interface(name: str) -> None:
    module = registry.load("level form", name)
    assert list(inspect.signature(module.read).parameters) == ["data", "file", "game", "settings"]
    declared = {form for game in levels.games() for form, _ in levels.load_game(game)[0].forms}
    assert name in declared, "no game declares this form under [forms], so nothing would test it"


@pytest.mark.parametrize("name", table("importer"))
def test_an_importer_offers_its_interface(name: str) -> None:
    module = registry.load("importer", name)
    for function in (module.read, module.check):
        assert list(inspect.signature(function).parameters) == ["data", "file"]
    assert module.EXTENSIONS and all(one.startswith(".") for one in module.EXTENSIONS)
    assert not module.belongs(b"no game of any system\n")


@pytest.mark.parametrize("what", FOLDERS)
def test_every_module_in_a_folder_is_registered_or_used_by_one_that_is(what: str) -> None:
    """A module with a NAME, or a GRAMMAR, or a `read`, was meant to be found by name."""
    folder, meant = FOLDERS[what]
    files = [(file.name.removesuffix(".py"), file) for file in resources.files(folder).iterdir()]
    packages = [(name, file) for name, file in files if (file / "__init__.py").is_file()]
    files += [(name, file / "__init__.py") for name, file in packages]
    files += [
        (f"{name}.{inner.name.removesuffix('.py')}", inner)
        for name, file in packages
        for inner in file.iterdir()
        if inner.name != "__init__.py"
    ]
    files += [
        (name, file / "__init__.py")
        for name, file in files
        if (file / "__init__.py").is_file() and "." in name
    ]
    named = [
        f"{folder}.{name}"
        for name, file in files
        if file.name.endswith(".py") and re.search(meant, file.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    assert sorted(named) == sorted(registry.TABLES[what].values()), (
        f"bring the table of {what}s in ggp/registry up to date"
    )


def test_a_game_is_found_by_its_file() -> None:
    names = {file.name for file in resources.files("ggp.descriptions").iterdir()}
    files = {name.removesuffix(".toml") for name in names if name.endswith(".toml")}
    assert len(files) > 30 and files == set(registry.GAMES)


# --- games and their known facts ---------------------------------------------------------------------------


# To check a game of chance or with much that is hidden takes seconds: one of them is enough at once.
@pytest.mark.parametrize("game", slow_unless(lambda game: game not in DEAR, levels.games()))
def test_a_game_says_what_it_is(game: str) -> None:
    described, kept = levels.load_game(game)
    assert described.name == game
    assert described.title and described.about, "add `title` and `about` to the description"
    assert kept, "add a `[[level]]`"
    for kind in described.kinds:
        known = f"give `{kind.name}` a tile: {', '.join(tile_names())}"
        assert kind.marker or kind.tile in tile_names(), known
    assert levels.check(game) == (), "a built-in description is without warnings"


def is_lucky(level: str) -> bool:
    """Is something of it chance's or hidden? The referee takes long over plays of such levels."""
    return bool(LUCK & {need.feature for need in needs(instance_of(level))})


@pytest.mark.parametrize("level", slow_unless(lambda name: name in FIRST or not is_lucky(name), LEVELS))
def test_a_level_has_its_known_facts(level: str) -> None:
    instance = instance_of(level)
    known = instance.level.known
    how = f"see what `ggp solve {level} --all` says, and add it under [level.known]"
    by_solving = f"see what `ggp solve {level}` says, and add it under [level.known]"
    lucky = is_lucky(level)
    assert known.solvable is not None or lucky, f"`solvable` is missing: {how}"
    if len(instance.game.players) > 1:
        assert known.wins and known.value is not None, "`wins` or `value` is missing: ask `exact`"
    elif known.solvable:
        assert known.wins, f"`wins`, a plan that wins, is missing: {how}"
        best = dict(known.optimum).keys() >= {objective.name for objective in instance.game.objectives[:1]}
        assert best or lucky or not instance.game.objectives, (
            f"`optimum` of the first objective is missing: {by_solving}"
        )
        counted = known.solutions is not None or lucky
        assert instance.game.objectives or counted, f"`solutions` is missing: {how}"
    assert known.loses, "`loses`, a plan that fails, is missing: try one in `ggp play`, and save it"
    for plan in known.wins:
        verdict = replay(instance, plan)
        assert verdict.won, f"{plan}: {verdict.reason}"
    for plan in known.loses:
        assert not replay(instance, plan).won, f"{plan} wins"


# --- golden files, and what must be refused -------------------------------------------------------------


def in_turn(pair: tuple[str, str]) -> bool:
    """Each exporter meets every eighth game at once, and each game every eighth exporter; three meet all."""
    name, level = pair
    every = level in ("lemmings/seed", "sokoban/first", "sudoku/paper-4x4")
    return every or ([*registry.EXPORTERS].index(name) + FIRST.index(level)) % 8 == 0


@pytest.mark.parametrize(("name", "level"), slow_unless(in_turn, product(registry.EXPORTERS, FIRST)))
def test_an_export_is_as_it_was(name: str, level: str, golden: Golden, digest: Golden) -> None:
    """One level of each game through every exporter. `--accept` renews the file; look at the difference.

    Texts that a person would read in a review are kept whole, of others it is known whether they changed.
    """
    module, instance = usable("exporter", name), instance_of(level)
    if not whole(instance, name):
        refused(instance, "exporter", name)
        return
    text = export(instance, name).text
    if level in READ:  # of the others the file says it
        assert export(instance, name).text == text, "the text depends on something that changes"
    assert "\r" not in text
    file = f"{name}/{level.replace('/', '-')}{module.SUFFIX}"
    length = len(text.splitlines())
    (golden if length <= (READABLE if level in READ else 40) else digest)(file, text)


@pytest.mark.parametrize("name", table("exporter"))
def test_an_exporter_exports_something(name: str) -> None:
    usable("exporter", name)
    taken = (whole(instance_of(level), name) for level in FIRST)
    assert any(taken), "an exporter that takes no level is tested by nothing"


ASCENT = ("gradient", "lemmings/seed")  # takes seconds


@pytest.mark.parametrize(
    ("name", "level"),
    slow_unless(
        lambda pair: (
            not takes(*pair)
            or (pair[1] in sorted(asked_at_once(pair[0], 5))[::2] and pair != ASCENT)  # in test_gradient.py
        ),
        product(registry.SOLVERS, FIRST),
    ),
)
def test_a_solver_answers_or_refuses(name: str, level: str) -> None:
    """One level of each game through every solver; what each level is known for, others test."""
    module, instance = usable("solver", name), instance_of(level)
    if missing(instance, module.FEATURES):
        refused(instance, "solver", name)
        return
    result = solve(instance, name, "first", time_limit=60)
    assert result.stop in ("satisfied", "optimal")
    (plan,) = result.plans
    assert replay(instance, plan).won


@pytest.mark.parametrize("name", table("solver"))
def test_a_solver_takes_something(name: str) -> None:
    features = registry.load("solver", name).FEATURES
    assert any(not missing(instance_of(level), features) for level in FIRST)


@few_or_many("asked", FIRST, LEVELS)
@pytest.mark.parametrize(("what", "name"), BACKENDS, ids=lambda value: value)
def test_what_is_not_supported_is_refused(what: str, name: str, asked: list[str]) -> None:
    """Never skipped: a pair that cannot be must say so, and say everything that is missing."""
    features = registry.load(what, name).FEATURES
    for level in asked:
        instance = instance_of(level)
        if missing(instance, features):
            refused(instance, what, name)
        else:
            require(instance, name, features)


def refused(instance: Instance, what: str, name: str) -> None:
    """The backend refuses the instance, and each missing feature has its place in the description."""
    module = registry.load(what, name)
    lacking = missing(instance, module.FEATURES)
    if what == "exporter":
        found = refusal(module, instance) or module.losses(instance, None)
        assert found and len(found) >= len(lacking)
    with pytest.raises(UnsupportedFeature) as caught:
        if what == "exporter":
            export(instance, name)
        elif module.available() is None:
            solve(instance, name)
        else:
            require(instance, name, module.FEATURES)
    told = [str(finding) for finding in caught.value.findings]
    for need in lacking:
        assert any(describe(need.feature) in text for text in told)
    assert all(finding.place is not None and finding.place.line > 0 for finding in caught.value.findings)


def instances() -> Iterator[Instance]:
    """The built-in levels, and some that use what no built-in game uses."""
    yield from map(instance_of, LEVELS)
    everything = Path(__file__).parents[1] / "golden" / "descriptions" / "everything.toml"
    scanned = puzzlescript.read(SCANNED, "scanned.txt")
    for game, kept in (read_file(everything), read_game(ODD, "odd.toml"), scanned):
        yield from (Instance(game, level) for level in kept)


# What only games of other systems say.
SCANNED = b"""title Scanned
run_rules_on_level_start
require_player_movement
realtime_interval 0.5

========
OBJECTS
========
Background
black

Wall
grey

Player
white

Crate
brown

=======
LEGEND
=======
. = Background
# = Wall
P = Player
* = Crate

=======
SOUNDS
=======

================
COLLISIONLAYERS
================
Background
Player, Wall, Crate

======
RULES
======
rigid [ > Player | Crate ] -> [ > Player | > Crate ]
[ Player | ... | Crate ] [ Wall ] -> [ Player | ... | Crate ] [ Wall ] again
random [ Crate | no Crate ] -> [ | Crate ]
[ > Player | Wall ] -> cancel
[ Crate | Crate ] -> checkpoint
[ Crate | Wall ] -> restart
late [ Player | Crate | Wall ] -> win

==============
WINCONDITIONS
==============
No Crate

=======
LEVELS
=======
#####
#P*.#
#####
"""


def test_the_levels_of_these_tests_need_every_feature() -> None:
    found = {need.feature for instance in instances() for need in needs(instance)}
    asked = {"avoiding", "score"}  # of a question, which no file can say: `test_exact_designs`, `test_score`
    assert found == (set(FEATURES) | GOALS) - asked, "add to ODD or SCANNED in this file what uses the others"


@pytest.mark.parametrize("instance", one_in(2, instances()), ids=lambda instance: instance.name)
def test_a_dropped_feature_is_always_missed(instance: Instance) -> None:
    """Whatever a level needs: a backend that has all but this one refuses it, and names it."""
    everything = frozenset(FEATURES) | GOALS
    require(instance, "all", everything)
    for need in needs(instance):
        with pytest.raises(UnsupportedFeature) as caught:
            require(instance, "most", everything - {need.feature})
        (finding,) = caught.value.findings
        assert finding.message == f"most does not support {describe(need.feature)}"
        assert finding.place is not None and finding.place.line > 0, f"{need.feature} has no place"
    for feature in everything - {need.feature for need in needs(instance)}:
        require(instance, "most", everything - {feature})


def test_a_refusal_lists_everything() -> None:
    instance = instance_of("lemmings/seed")
    with pytest.raises(UnsupportedFeature) as caught:
        require(instance, "none", ())
    assert len(caught.value.findings) == len(needs(instance)) > 4


def test_a_template_is_complete() -> None:
    """The templates support all that can be supported, so that nothing escapes them."""
    assert set(FEATURES) | GOALS == registry.load("exporter", "null").FEATURES
    assert registry.load("solver", "null").FEATURES == SOLVABLE | GOALS
