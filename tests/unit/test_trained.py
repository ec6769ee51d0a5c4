"""Policies: deeds are what inputs do, images keep their rows, a short training is worth something, and a file
that is no policy is refused."""

from __future__ import annotations

import io
import json
import pickle
import subprocess
import sys
import zipfile
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from ggp import registry
from ggp.cli import cli
from ggp.cli.playing import told
from ggp.errors import DescriptionError, NotAvailable, PuzzleError, UnsupportedFeature
from ggp.language.levels import load, load_game
from ggp.model import Instance, Plan
from ggp.players.arena import played
from ggp.players.protocol import Table
from ggp.players.run import Run
from ggp.players.trained import boards, fitting, lessons
from ggp.players.trained.deeds import Deeds
from ggp.players.trained.fields import Fields
from ggp.players.trained.fitting import Sample, fit, way_for
from ggp.players.trained.guided import guided, plain, searched
from ggp.players.trained.policy import Policy, read_policy, write_policy
from ggp.players.trained.sight import Sight, words_of
from ggp.players.trained.training import Report, train
from ggp.players.trained.turning import ALL, held, least
from ggp.players.worlds import world_of
from ggp.referee.trajectory import replay
from tests.slow import examples

LEVELS = ["psychopath/locks", "sokoban/two-crates", "polar-slide/first", "samegame/first"]


@pytest.fixture(scope="module")
def trained() -> tuple[Policy, Report]:
    return train(*load_game("psychopath"), count=6, kept=3, seed=3, way="scikit-learn")


@pytest.fixture(scope="module")
def file(trained: tuple[Policy, Report], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("policies") / "small.npz"
    write_policy(path, trained[0])
    return path


@pytest.mark.parametrize("name", LEVELS)
def test_deeds_are_all_that_can_be_done_and_lead_where_their_inputs_do(name: str) -> None:
    deeds, world = Deeds(load(name)), world_of(load(name))
    choice = deeds.choice(deeds.begin())
    assert choice.deeds
    for deed in choice.deeds:
        position: Any = world.begin()
        for action in deed.inputs:
            turn = world.turn(position, action)
            assert turn is not None
            position = turn.position
        assert position == deed.position and turn.outcome == deed.outcome
    # Whatever one input does is a step of the agent, or a deed of one input.
    for _, turn in world.turns(deeds.begin()).items():
        stepped = deeds.at(turn.position)
        short = [deed.position for deed in choice.deeds if len(deed.inputs) == 1]
        assert turn.position in short or (stepped is not None and choice.steps[stepped] == 1)


@settings(max_examples=examples(45), deadline=None)
@given(st.sampled_from(LEVELS[:3]), st.sampled_from(ALL), st.integers(0, 5))
def test_a_level_and_its_image_show_the_same(name: str, turning: Any, steps: int) -> None:
    """Row by row: turning the level changes which deed comes when, and nothing that a network sees."""
    instance = load(name)
    image = turning.instance(instance)
    shown = []
    for one in (instance, image):
        deeds = Deeds(one)
        sight = Sight(deeds, deeds.stepper.pieces, words_of(deeds), ALL)
        rows, _ = sight.rows(deeds.begin(), deeds.choice(deeds.begin()), every=True)
        shown.append(rows[:, : -len(words_of(deeds))].sum(axis=0))
    if name != "polar-slide/first":  # its deeds have no cell of their own: the first that changed is taken
        assert np.allclose(shown[0], shown[1], atol=1e-4)
    else:
        assert shown[0].shape == shown[1].shape


def test_turnings_are_those_that_the_rules_have() -> None:
    def of(name: str) -> int:
        game, levels = load_game(name)
        return len(held(Instance(game, one) for one in levels[:3]))

    assert [of(name) for name in ("psychopath", "boulder-dash", "samegame")] == [8, 2, 1]


def test_images_of_a_level_are_told_to_be_one() -> None:
    level, other = load("psychopath/locks"), load("psychopath/cellar")
    assert {least(turning.instance(level), ALL) for turning in ALL} == {least(level, ALL)}
    assert least(other, ALL) != least(level, ALL)


@pytest.mark.parametrize("name", ["psychopath/pens", "sokoban/two-crates"])
def test_the_bound_is_one_and_plain_search_is_shortest(name: str) -> None:
    instance = load(name)
    deeds = Deeds(instance)
    planned = lessons.on_plan(instance)
    fields = Fields(deeds)
    for lesson in planned:
        planes = deeds.planes([lesson.position])
        assert fields.bound(fields.sums(planes, fields.maps(planes)))[0] <= lesson.left
    way = searched(deeds.begin(), plain(deeds, fields), 2_000, False)
    assert way.turns == planned[0].left == dict(instance.level.known.optimum)["turns"]


def test_a_level_without_a_plan_is_known_to_have_none() -> None:
    deeds = Deeds(load("psychopath/sealed"))
    way = searched(deeds.begin(), plain(deeds, Fields(deeds)), 2_000, False)
    assert way.deeds is None and way.whole


def test_levels_are_made_by_seed() -> None:
    game, known = load_game("psychopath")
    made = [boards.level(game, known, f"seed/{number}") for number in range(3)]
    again = [boards.level(game, known, f"seed/{number}") for number in range(3)]
    assert [one and one[0] for one in made] == [one and one[0] for one in again]
    assert len({least(one[0], ALL) for one in made if one}) > 1


def test_what_is_learned_is_worth_something(trained: tuple[Policy, Report]) -> None:
    """Of levels that were not practised on; 600 levels instead of 6 come to more."""
    report = trained[1]
    assert report.held == 3 and report.judged > 20
    assert report.top1 >= 0.65 > 0.5 > report.chance and report.same <= report.top1
    assert report.searches["guided"][0] == report.searches["plain"][0] == 3
    assert report.searches["plain"][3] == report.shortest
    assert json.loads(json.dumps(report.to_json()))["searches"]["guided"]["solved"] == 3


def test_pytorch_fits_as_well_and_its_policies_need_no_pytorch(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="the extra `torch` is not installed")
    before = torch.random.get_rng_state()
    policy, report = train(*load_game("psychopath"), count=10, kept=4, seed=3, way="torch")
    assert torch.equal(before, torch.random.get_rng_state()), "another program's random numbers were drawn"
    assert report.fitted_by == "torch" and report.held == 6
    assert report.top1 >= 0.65 > 0.5 > report.chance
    write_policy(tmp_path / "fitted.npz", policy)
    script = (
        "import sys; sys.modules['torch'] = None\n"
        "from pathlib import Path\n"
        "from ggp.language.levels import load\n"
        "from ggp.players.trained.policy import read_policy\n"
        f"seat = read_policy(Path({str(tmp_path / 'fitted.npz')!r})).seated(load('psychopath/locks'))\n"
        "print(seat.judge(seat.deeds.begin()).chances.sum())\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and np.isclose(float(done.stdout), 1), done.stderr


def test_pytorch_learns_of_a_choice_which_deed_is_the_best() -> None:
    """Two deeds of which one has more of what counts, however much both have: no deed alone tells."""
    pytest.importorskip("torch", reason="the extra `torch` is not installed")
    rng = np.random.default_rng(4)
    rows = np.zeros((400, 2, 3), np.float32)
    rows[:, :, 0] = rng.uniform(-5, 5, (400, 1))  # what both have
    right = rng.integers(0, 2, 400)
    rows[np.arange(400), right, 0] += 1
    wanted = (np.arange(2) == right[:, None]).astype(np.float32)
    positions = np.repeat(np.arange(400), 2)
    sample = Sample("choice", rows.reshape(-1, 3), wanted.ravel(), positions)
    said = fit(sample, "torch", 1)(sample.rows).reshape(400, 2).argmax(axis=1)
    assert (said == right).mean() > 0.95
    again = fit(sample, "torch", 1)(sample.rows).reshape(400, 2).argmax(axis=1)
    assert (said == again).all()


def test_who_fits_is_chosen_by_name_or_by_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    present = {"sklearn"}
    monkeypatch.setattr(fitting, "find_spec", lambda name: name in present or None)
    assert way_for(None) == way_for("scikit-learn") == "scikit-learn"
    with pytest.raises(NotAvailable) as missing:
        way_for("torch")
    assert "ggp[torch]" in str(missing.value)
    present.add("torch")
    assert way_for(None) == way_for("torch") == "torch"
    with pytest.raises(PuzzleError, match="tensorflow"):
        way_for("tensorflow")


@pytest.mark.parametrize(("sort", "said", "expected"), [("amount", 2.5, 2.5), ("chance", 1.0, 10.0)])
def test_where_all_examples_say_the_same_nothing_is_fitted(sort: Any, said: float, expected: float) -> None:
    wanted = np.full(3, said, np.float32)
    network = fit(Sample(sort, np.ones((3, 2), np.float32), wanted, np.arange(3)), "none is asked", 0)
    assert network(np.zeros((2, 2), np.float32)).tolist() == [expected, expected]


def test_the_file_holds_the_policy(trained: tuple[Policy, Report], file: Path) -> None:
    instance = load("psychopath/locks")
    seats = [one.seated(instance) for one in (trained[0], read_policy(file))]
    said = [seat.judge(seat.deeds.begin()) for seat in seats]
    assert np.array_equal(said[0].chances, said[1].chances) and said[0][2:] == said[1][2:]
    assert np.isclose(said[0].chances.sum(), 1)
    way = searched(seats[0].deeds.begin(), guided(seats[0]), 2_000, True)
    words = tuple(str(seats[0].deeds.stepper.actions[n]) for deed in way.deeds or () for n in deed.inputs)
    assert replay(instance, Plan((), words)).won


@pytest.mark.parametrize(("level", "playouts"), [("psychopath/first", 1), ("psychopath/fence", 500)])
def test_a_policy_is_a_player(file: Path, level: str, playouts: int) -> None:
    instance = load(level)
    module = registry.load("player", f"policy:{file}")
    assert f"policy:{file}" == module.NAME and module.available() is None
    run = Run(world_of(instance))
    played(run, module.player(Table(instance, playouts)))
    assert run.outcome == "won"


def test_a_policy_of_another_game_is_refused(file: Path) -> None:
    with pytest.raises(PuzzleError, match="trained for 'psychopath'"):
        registry.load("player", f"policy:{file}").player(Table(load("sokoban/first")))


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("lemmings", "placed before the run"),
        ("tic-tac-toe", "several players"),
        ("doubling", "chance"),
        ("sudoku", "placed"),
    ],
)
def test_games_of_another_sort_are_refused(name: str, reason: str) -> None:
    with pytest.raises(UnsupportedFeature, match=reason):
        train(*load_game(name), count=1, kept=1)


class Planted:
    """What would run if a file were unpickled."""

    def __reduce__(self) -> Any:
        return exec, ("raise SystemExit('it was run')",)


def archive(**arrays: Any) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def changed(file: Path, **changes: Any) -> bytes:
    """The file with some arrays replaced, or left out."""
    with np.load(file) as loaded:
        arrays = {name: loaded[name] for name in loaded.files}
    arrays |= changes
    return archive(**{name: array for name, array in arrays.items() if array is not None})


def about(file: Path, **changes: Any) -> bytes:
    """The file saying something else about itself."""
    with np.load(file) as loaded:
        said = json.loads(loaded["about"].tobytes())
    return changed(file, about=np.frombuffer(json.dumps({**said, **changes}).encode(), np.uint8))


def bomb() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("about.npy", bytes(60_000_000))
    return stream.getvalue()


def test_what_is_no_policy_is_refused_with_a_sentence(file: Path, tmp_path: Path) -> None:
    weights = np.zeros((3, 3), np.float32)
    bad = {
        "empty": b"",
        "text": b"[policy]\n",
        "pickle": pickle.dumps(Planted()),
        "objects": archive(about=np.array([Planted()], dtype=object)),
        "foreign": archive(x=np.zeros(3)),
        "bomb": bomb(),
        "no numbers": changed(file, **{"policy-0-bias": np.full(96, np.nan, np.float32)}),
        "shape": changed(file, **{"value-0-weights": weights}),
        "missing": changed(file, **{"solvable-0-weights": None}),
        "no json": changed(file, about=np.frombuffer(b"{", np.uint8)),
        "pieces": about(file, pieces=[["wall", None], ["wall", None]]),
        "strange pieces": about(file, pieces=7),
        "turns": about(file, turnings=[[9, True]]),
        "images": about(file, pieces=[["arrow", "up"]]),
        "version": about(file, format="ggp policy 0"),
    }
    for name, data in bad.items():
        path = tmp_path / f"{name}.npz"
        path.write_bytes(data)
        with pytest.raises(DescriptionError) as caught:
            read_policy(path)
        assert str(path) in str(caught.value) and "ggp train" in str(caught.value) + "ggp train" * (
            name == "no json"
        )


@settings(max_examples=examples(120), deadline=None)
@given(st.integers(0, 2**32))
def test_a_damaged_file_is_refused_or_reads_as_a_policy(
    file: Path, tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    rng, data = Random(seed), bytearray(file.read_bytes())
    if rng.random() < 0.5:
        del data[rng.randrange(len(data)) :]
    else:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    path = tmp_path_factory.getbasetemp() / "damaged.npz"
    path.write_bytes(data)
    try:
        assert isinstance(read_policy(path), Policy)
    except DescriptionError as error:
        assert "policy" in str(error)


def test_the_command_trains_and_the_same_seed_trains_the_same(
    trained: tuple[Policy, Report], tmp_path: Path
) -> None:
    output = tmp_path / "slide.npz"
    options = ["train", "sokoban", "-o", str(output), "--levels", "1", "--held", "1", "--seed", "1", "--json"]
    result = CliRunner().invoke(cli, options, standalone_mode=False)
    assert result.exception is None
    said = json.loads(result.output)
    assert said["held"] == 1 and said["practised"] == 1 and said["policy"] == str(output)
    again = train(*load_game("sokoban"), count=1, kept=1, seed=1)[0]
    for head, network in read_policy(output).networks.items():
        for left, right in zip(network.layers, again.networks[head].layers, strict=True):
            assert np.array_equal(left.weights, right.weights) and np.array_equal(left.bias, right.bias)
    text = "\n".join(told(trained[1]))
    assert "judged on 3 others" in text and "guided search: 3 of 3 solved" in text
