"""Learning from play alone: what is found out about tokens and inputs, rules of invented games, bad input."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import islice, pairwise, product
from pathlib import Path

import pytest

from ggp.errors import PuzzleError
from ggp.harness import learning
from ggp.language import levels
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Board, Episode, Step, Turn, board_of, turns_of
from ggp.learn.eventful import vocabulary_of
from ggp.learn.fit.lists import Table
from ggp.learn.fit.program import Program
from ggp.learn.fit.questions import Excluded, Row, told_of
from ggp.learn.fit.questions import Test as Question
from ggp.learn.goal.goals import learn_goal
from ggp.learn.seen.frames import Frame
from ggp.learn.seen.structure import structure_of
from ggp.learn.seen.views import Change, Seen
from ggp.learn.turn.turns import learn_program
from ggp.learn.whole import learn_whole
from ggp.learn.write.emit import with_program
from ggp.model import Group
from ggp.proof.equivalence.certificate import certify
from ggp.referee.inputs import parse_action
from ggp.referee.semantics import step
from ggp.tasks.oracle import model_of
from ggp.watch import rollouts
from ggp.watch.active import contexts, play_actively
from ggp.watch.callables import CallableWorld, Nondeterministic
from ggp.watch.described import DescribedWorld, shown
from ggp.watch.environments import GymWorld
from tests.commands import Ask
from tests.slow import more_of, one_in, slow_unless

VARIANTS = Path(__file__).parents[2] / "data" / "variants"


@cache
def watched(game: str, number: int, seed: int = 0) -> tuple[Episode, ...]:
    """Some roll-outs, played by the referee."""
    world = DescribedWorld(*levels.load_game(game), go_on=True)
    return tuple(islice(rollouts(world, random.Random(seed)), number))


def is_exact(game: str, number: int, seed: int = 0) -> bool:
    """Is what is learned from so many roll-outs certified?"""
    described, _ = levels.load_game(game)
    turns = list(dict.fromkeys(turns_of(watched(game, number, seed))))
    program = learn_program(turns, structure_of(turns))
    shell = learning.shell_of(described)
    learned = with_program(shell, program, vocabulary_of(shell, [turn.before for turn in turns]))
    return certify(described, learned, model_of).exact


DESCRIBED = [("lemmings", 80), ("sokoban", 40), ("lights-out", 40)]


@pytest.mark.parametrize("name, rollouts_seen", slow_unless(DESCRIBED[1:2], DESCRIBED))
def test_described_games_are_learned_exactly(name: str, rollouts_seen: int) -> None:
    assert is_exact(name, rollouts_seen)


@pytest.mark.parametrize("seed", slow_unless([7], [7, 12, 19, 32]))
def test_twenty_rollouts_of_made_boards_show_all_that_lemmings_do(seed: int) -> None:
    """Without a look at what is new beside lemmings, with these seeds none stood above a gap on a target."""
    assert is_exact("lemmings", 20, seed)


RIGHT = "climb deadly eat fall-two leave left-only mud paint pull swap".split()


@pytest.mark.parametrize("name", one_in(10, RIGHT))
def test_invented_games_are_learned_exactly(name: str) -> None:
    assert is_exact(str(VARIANTS / f"{name}.toml"), 160)


def test_few_turns_do_when_they_are_chosen() -> None:
    described, kept = levels.load_game("sokoban")
    result = play_actively(DescribedWorld(described, kept), random.Random(0), 40)
    turns = result.turns
    assert len(turns) <= 40 and result.programs
    shell = learning.shell_of(described)
    vocabulary = vocabulary_of(shell, [turn.before for turn in turns])
    learned = with_program(shell, result.programs[0], vocabulary)
    assert certify(described, learned, model_of).exact


# --- tokens without names -----------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [None, frozenset({"right"})])
def test_inputs_under_which_nothing_was_seen_to_move_are_asked_for(words: frozenset[str] | None) -> None:
    """By chance all that was seen went right: four programs that do not ask for the input agreed."""
    empty, player = frozenset[str](), frozenset({"player"})
    boards = [Board(1, 4, tuple(player if at == here else empty for here in range(4))) for at in range(4)]
    turns = [Turn(one, "right", other) for one, other in pairwise(boards)]
    (part,) = learn_program(turns, structure_of(turns)).parts
    blunt = replace(part, words=words, view=replace(part.view, frame=Frame("none")))
    program, board = Program(part.view.structure, (blunt,)), boards[0]
    ways = [contexts(program, board, word) for word in ("right", "up")]
    assert ways[0] != ways[1] and all(ways)


def renamed(board: Board, names: Callable[[str], str]) -> Board:
    """A board in other words."""
    return replace_cells(board, tuple(frozenset(map(names, stack)) for stack in board.cells))


def replace_cells(board: Board, cells: tuple[frozenset[str], ...]) -> Board:
    """A board of the same size."""
    return Board(board.height, board.width, cells)


def in_other_words(turns: list[Turn], word: Callable[[str | None], str | None]) -> list[Turn]:
    """Turns of which neither tokens nor inputs say anything by their names."""
    tokens = sorted({t for turn in turns for stack in (*turn.before.cells, *turn.after.cells) for t in stack})
    names = {token: f"t{7 * number % len(tokens)}" for number, token in enumerate(tokens)}
    assert len(set(names.values())) == len(tokens)
    return [
        Turn(renamed(t.before, names.__getitem__), word(t.word), renamed(t.after, names.__getitem__))
        for t in turns
    ]


def test_facings_are_found_in_what_things_do() -> None:
    turns = in_other_words(list(turns_of(watched("lemmings", 40))), lambda word: word)
    structure = structure_of(turns)
    assert len(structure.facing) == 2 and {d for _, d in structure.facing.values()} == {"left", "right"}
    assert any("faces left: it went left" in line for line in structure.evidence)
    program = learn_program(turns, structure)
    assert not any(map(program.wrong, turns)) and program.cost < 12


def test_what_never_becomes_another_has_no_facing_of_its() -> None:
    """Rocks that fall, and balloons that rise: two things; once one became the other, they are one."""

    def column(*cells: str) -> Board:
        return board_of([[[cell] if cell else []] for cell in cells])

    turns = [Turn(column("a", "", *rest), None, column("", "a", *rest)) for rest in product("xyz", repeat=2)]
    turns += [Turn(column("", "b", *rest), None, column("b", "", *rest)) for rest in product("xyz", repeat=2)]
    assert not structure_of(turns).facing
    structure = structure_of([*turns, Turn(column("a", "x"), None, column("b", "x"))])
    assert structure.facing["a"][0] == structure.facing["b"][0]


def test_of_two_that_face_the_same_ways_those_are_one_thing_that_turn_into_each_other() -> None:
    """Who carries something is another thing with the same four facings: `a` and `d`, `b` and `c`."""

    def turn(before: str, after: str) -> Turn:
        def cells(text: str) -> list[list[str]]:
            return [[sign] if sign != "." else [] for sign in text]

        return Turn(board_of([cells(before)]), None, board_of([cells(after)]))

    turns = [turn(f"..{sign}{x}{y}", f".{sign}.{x}{y}") for sign in "ab" for x, y in product("xyz", repeat=2)]
    turns += [
        turn(f"{sign}..{x}{y}", f".{sign}.{x}{y}") for sign in "cd" for x, y in product("xyz", repeat=2)
    ]
    turns += [turn(f"{one}x", f"{other}x") for one, other in ("ad", "da", "bc", "cb")]
    families = {token: family for token, (family, _) in structure_of(turns).facing.items()}
    assert families["a"] == families["d"] != families["b"] == families["c"]


def test_where_inputs_point_is_found_in_what_they_do() -> None:
    code = {"up": "w", "left": "a", "down": "s", "right": "d", None: None}
    turns = in_other_words(list(turns_of(watched("sokoban", 40))), code.__getitem__)
    structure = structure_of(turns)
    assert structure.toward == {"w": "up", "a": "left", "s": "down", "d": "right"}
    assert learn_program(turns, structure).cost < 8


def test_what_excludes_what_is_found() -> None:
    structure = structure_of(list(turns_of(watched("sokoban", 40))))
    assert frozenset(("wall", "crate")) in structure.apart
    assert frozenset(("crate", "target")) not in structure.apart
    assert structure.fixed == {"wall", "target"}


# --- whole games --------------------------------------------------------------------------------------------


def test_the_goal_is_the_smallest_that_agrees() -> None:
    described, kept = levels.load_game("sokoban")
    runs = [*watched("sokoban", 30)]
    for level in kept:
        for plan in level.known.wins:
            runs.append(winning(level.name, plan.actions))
    goal = learn_goal(runs, structure_of(list(turns_of(runs))))
    assert goal is not None and [claim.text for claim in goal.claims] == ["every crate on target"]


def winning(name: str, actions: tuple[str, ...]) -> Episode:
    """A run of a level of the game."""
    instance = levels.load(f"sokoban/{name}")
    world = DescribedWorld(instance.game, [instance.level])
    (start,) = world.levels()
    run = world.one(start, actions)
    assert run is not None
    return run


def test_a_described_world_plays_as_the_referee() -> None:
    instance = levels.load("sokoban/first")
    world = DescribedWorld(instance.game, [instance.level])
    (start,) = world.levels()
    run = world.one(start, ["right"])
    assert run is not None and not run.steps[0].refused
    from ggp.referee.semantics import initial_state

    after = step(instance, initial_state(instance), parse_action("right"))
    assert run.steps[0].after == shown(start, after)


# --- lists --------------------------------------------------------------------------------------------------


def test_a_list_says_what_was_seen_and_no_more() -> None:
    gone = (Change("-", (0, 0), Seen("a")),)
    a, b, none = frozenset({Seen("a")}), frozenset({Seen("a"), Seen("b")}), frozenset[Seen]()
    rows = [Row((a, none), "", ()), Row((a, b), "", gone), Row((b, none), "", ()), Row((b, b), "", gone)]
    found = Table(told_of(rows, [(0, 0), (1, 0)]), [(0, 0), (1, 0)], Excluded()).smallest()
    assert found is not None and len(found.decisions) == 1
    assert found.decisions[0].tests[0].offset == (1, 0)


def test_a_test_answers() -> None:
    one = Question((1, 0), frozenset({Seen("a")}), edge=True)
    assert one.holds(None) and one.holds(frozenset({Seen("a")})) and not one.holds(frozenset())
    assert one._replace(wanted=False).holds(frozenset())


# --- bad input ----------------------------------------------------------------------------------------------

HERE, GONE = board_of([[["a"], []]]), board_of([[[], ["a"]]])


def test_nothing_to_learn_from_is_refused() -> None:
    with pytest.raises(PuzzleError, match="no turns to learn from"):
        learn_whole([])
    with pytest.raises(PuzzleError, match="no turns to learn from"):
        learn_whole([Episode(HERE)])


def test_a_game_in_which_nothing_happens_has_no_rules() -> None:
    learned = learn_whole([Episode(HERE, (Step("up", HERE), Step("up", HERE)))])
    assert learned.game.turn == learned.game.physics == ()


def test_contradictions_are_shown_side_by_side() -> None:
    runs = [Episode(HERE, (Step("up", HERE),)), Episode(HERE, (Step("up", GONE),))]
    with pytest.raises(PuzzleError, match=r"with the input up went two ways:\na \.   a \.   \. a"):
        learn_whole(runs)


def test_boards_of_different_tokens_are_learned_together() -> None:
    other = Episode(board_of([[["b"], ["c"]]]), (Step("up", board_of([[["b"], ["c"]]])),))
    learned = learn_whole([Episode(HERE, (Step("right", GONE),)), other])
    assert {kind.name for kind in learned.game.kinds} == {"a", "b", "c"}


def test_names_that_no_description_allows_are_made_so() -> None:
    odd = board_of([[["über (3)!"], ["no"]]])
    learned = learn_whole([Episode(odd, (Step("right", odd),))])
    text = write_game(learned.game, learned.levels)
    assert read_game(text.encode(), "odd.toml")[0] == learned.game


def world(turn: Callable[[list[list[list[str]]], str | None], object]) -> CallableWorld:
    """A world of one level."""
    return CallableWorld("mine", [HERE.rows()], ["up"], turn)  # type: ignore[arg-type]


def played(one: CallableWorld) -> list[Episode]:
    """Some of its play."""
    return list(islice(rollouts(one, random.Random(0)), 5))


def test_a_world_that_raises_is_named() -> None:
    def fails(rows: object, word: str | None) -> object:
        raise KeyError("oh")

    with pytest.raises(PuzzleError, match="mine raised KeyError"):
        played(world(fails))


def test_a_world_that_is_not_a_function_is_named() -> None:
    rng = random.Random(1)

    def coin(rows: list[list[list[str]]], word: str | None) -> object:
        return HERE.rows() if rng.random() < 0.5 else GONE.rows()

    with pytest.raises(Nondeterministic, match="in two ways"):
        played(world(coin))


def test_a_world_that_grows_is_refused() -> None:
    with pytest.raises(PuzzleError, match="another size"):
        played(world(lambda rows, word: [[[]]]))


@pytest.mark.parametrize("seed", slow_unless([0], [0, 1, 5]))
def test_a_function_is_learned(seed: int) -> None:
    """Lamps change over, and come to cells without one: to these alone."""

    def flip(rows: list[list[list[str]]], word: str | None) -> list[list[list[str]]]:
        return [[["on"] if cell == ["off"] else ["off"] for cell in row] for row in rows]

    start = [[["on"], ["off"]], [["off"], ["off"]]]
    one = CallableWorld("flips", [start], ["press"], flip)
    runs = list(islice(rollouts(one, random.Random(seed)), 20))
    turns = list(turns_of(runs))
    program = learn_program(turns, structure_of(turns))
    assert not any(map(program.wrong, turns))


class Corridor:
    """A Gymnasium environment in small: one step right a turn, until the end."""

    class Actions:
        n = 2

    action_space = Actions()
    length = 5

    def __init__(self) -> None:
        self.at = 0

    def show(self) -> object:
        import numpy as np

        grid = np.zeros((1, self.length), dtype=int)
        grid[0, self.at] = 2
        return grid

    def reset(self, seed: int) -> tuple[object, dict[str, object]]:
        self.at = 0
        return self.show(), {}

    def step(self, action: int) -> tuple[object, float, bool, bool, dict[str, object]]:
        end = self.length - 1
        self.at = min(end, self.at + action)
        return self.show(), float(self.at == end), self.at == end, False, {}


def test_an_environment_is_watched() -> None:
    runs = list(islice(rollouts(GymWorld(Corridor(), "corridor"), random.Random(0)), 10))
    assert any(step.won for run in runs for step in run.steps)
    (rules,) = learn_whole(runs, "corridor").game.turn
    assert isinstance(rules, Group) and len(rules.rules) == 1


def test_play_goes_on_from_boards_to_which_it_led() -> None:
    """An environment can only be reset, and its end is further away than a run is long."""

    class Long(Corridor):
        length = 18

    world = GymWorld(Long(), "long")
    runs = list(islice(rollouts(world, random.Random(0)), 40))
    assert max(len(run.steps) for run in runs) <= 10
    assert any(step.won for run in runs for step in run.steps)
    (start,) = world.levels()
    assert any(run.start != start for run in runs)
    unseen = start._replace(cells=(frozenset({"p0-2"}),) * 18)
    assert world.play([(unseen, ["action-1"])]) == [None]


# --- the command --------------------------------------------------------------------------------------------


def test_the_command_learns_from_a_file(ask: Ask, tmp_path: Path) -> None:
    play, model = tmp_path / "play.jsonl", tmp_path / "model.toml"
    kept = ("--record", play, "-o", model)
    first = ask("learn", "--watch", "game:sokoban", "--rollouts", "20", "--fresh", "10", *kept)
    assert first.status == 0, first.err
    assert "player never came" not in first.out and "wall never came or went" in first.out
    again = ask("learn", "--from", play)
    assert again.status == 0 and "player-moves-crate-1" in again.out
    assert ask("check", model).status == 0


@more_of(test_described_games_are_learned_exactly, test_the_command_learns_from_a_file)
def test_a_learned_game_is_a_description_that_plays_alike() -> None:
    episodes = list(watched("sokoban", 60))
    learned = learn_whole(episodes, "seen")
    game, kept = read_game(write_game(learned.game, learned.levels).encode(), "seen.toml")
    assert game == learned.game and len(kept) == len(learned.levels)
    world = DescribedWorld(game, kept, go_on=True)
    for episode in watched("sokoban", 30, 5):
        again = world.one(episode.start, [s.word for s in episode.steps])
        assert again is not None and [s.after for s in again.steps] == [s.after for s in episode.steps]


@pytest.mark.parametrize(
    "options, message",
    [
        ([], "say what to learn from"),
        (["sokoban", "--watch", "vgdl:x"], "say what to learn from"),
        (["--watch", "nothing"], "there is no world 'nothing'"),
        (["--watch", "vgdl:none.txt"], "there is no file"),
        (["--watch", "vgdl:none.txt", "--frames"], "vgdl does not show the boards inside a turn"),
        (["--from", "none.jsonl"], "no such file"),
        (["--from", "none.jsonl", "--frames"], "--frames does not go with --from"),
        (["--from", "none.jsonl", "--seed", "0"], "--seed does not go with --from"),
        (["--watch", "vgdl:none.txt", "--noise", "0.1"], "--noise does not go with --watch"),
        (["sokoban", "--observe", "all"], "not go with GAME\n  it goes with --from or --watch"),
    ],
)
def test_the_command_says_what_is_wrong(ask: Ask, options: list[str], message: str) -> None:
    answer = ask("learn", *options)
    assert answer.status == 2 and message in answer.err
