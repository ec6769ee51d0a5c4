"""Pictures: the tiles, the SVG of a state, and the files made of them."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from importlib import resources
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops, ImageSequence

from ggp.errors import NotAvailable, PuzzleError
from ggp.goals.different import Different
from ggp.language.levels import games, load, load_game
from ggp.model import Cell, Game, Goal, Instance, Kind, Level, Piece
from ggp.model.board import State
from ggp.referee.semantics import initial_state
from ggp.referee.trajectory import replay
from ggp.render import glyphs, mosaic
from ggp.render.colours import hashed, kind_colour
from ggp.render.layout import drawing_order, heavy_edges
from ggp.render.mosaic import Mosaic, rasterised
from ggp.render.raster import render
from ggp.render.svg import OUTCOME, PLAIN, Decorations, frame_size, frame_svg
from ggp.render.tileset import tile, tile_names

TILES = sorted(file.name for file in (resources.files("ggp.render") / "tiles").iterdir())
SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {"svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon"}
FIRST_LEVELS = (
    "lemmings/seed",
    "sokoban/first",
    "sudoku/paper-4x4",
    "peg-solitaire/cross",
    "psychopath-2/arrow",
    "rush-hour/lorry",
)


def on_board(game: Game, rows: list[list[set[Piece]]]) -> Instance:
    return Instance(game, Level("made", tuple(tuple(frozenset(cell) for cell in row) for row in rows)))


def as_drawn(instance: Instance) -> State:
    return initial_state(instance, partial=True)


def uses(svg: str) -> list[dict[str, str]]:
    return [dict(element.attrib) for element in ElementTree.fromstring(svg).iter(f"{SVG}use")]


# --- tiles --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", TILES)
def test_a_tile_is_a_plain_drawing(file: str) -> None:
    root = ElementTree.fromstring((resources.files("ggp.render") / "tiles" / file).read_text("utf-8"))
    assert root.get("viewBox") == "0 0 100 100"
    assert re.fullmatch("#[0-9a-f]{6}", root.get("color", "")), "its own colour stands at the root"
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in ALLOWED, f"{file} has a <{element.tag}>"
        for name, value in element.attrib.items():
            assert not name.startswith("on"), f"{file}: {name}"
            assert not re.search("href|url|:", name + value), f"{file} refers to something: {value}"
    assert len(root) > 0


def test_tiles_are_found_by_name_only() -> None:
    drawn = [name for name in tile_names() if name not in ("blank", "number")]
    assert sorted(f"{name}.svg" for name in drawn) == TILES
    assert not any(map(tile, ("blank", "number", "", "../tiles/crate")))
    assert all(map(tile, drawn))


@pytest.mark.parametrize("game", games())
def test_every_tile_that_a_description_names_exists(game: str) -> None:
    missing = {kind.tile for kind in load_game(game)[0].kinds if kind.tile} - set(tile_names())
    assert not missing, f"draw ggp/render/tiles/{min(missing)}.svg, or name one of {', '.join(tile_names())}"


def test_glyphs_are_drawn_within_their_cell() -> None:
    for text in ("7", "42", "-12", "1234567"):
        scale, places = glyphs.places(text)
        assert len(places) == len(text)
        assert all(x > 0 and x + glyphs.WIDTH * scale < 100 and y > 0 for x, y in places)
    assert glyphs.known("a7é") == "A7?"


# --- SVG ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FIRST_LEVELS)
def test_the_picture_of_a_level(name: str, golden: Callable[[str, str], None]) -> None:
    instance = load(name)
    golden(f"render/{name.replace('/', '-')}.svg", frame_svg(instance, as_drawn(instance)))


def test_the_picture_of_a_solution(golden: Callable[[str, str], None]) -> None:
    instance = load("lemmings/seed")
    end = replay(instance, instance.level.known.wins[0]).states[-1]
    svg = frame_svg(instance, end, decorations=Decorations("won", (1, 1), ((2, 1),), numbers=True))
    golden("render/lemmings-seed-won.svg", svg)


def test_each_tile_is_defined_once_and_before_it_is_used() -> None:
    svg = frame_svg(load("lemmings/seed"), as_drawn(load("lemmings/seed")))
    defined = re.findall(r'<symbol id="([^"]+)"', svg)
    assert len(defined) == len(set(defined))
    assert {use["href"] for use in uses(svg)} == {f"#{name}" for name in defined}


def test_names_from_a_description_cannot_become_markup() -> None:
    kinds = (
        Kind('"/><script>alert(1)</script>', "a", colour='red" onload="x', tile='x"><script/>'),
        Kind("b", "b", colour="url(http://example.org)"),
    )
    game = Game("<game>", "<script>\x00\x1b]0;&", kinds, Goal(()))
    instance = on_board(game, [[{Piece(kinds[0].name), Piece("b")}]])
    root = ElementTree.fromstring(frame_svg(instance, as_drawn(instance)))
    known = {"svg", "title", "defs", "rect", "path", "g", "use"}
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= known
    everything = [value for element in root.iter() for value in element.attrib.values()]
    assert not any(re.search("script|http:|onload", value) for value in everything)
    assert root.findtext(f"{SVG}title") == "<script>]0;&: <game>/made"


def test_floors_lie_lowest_and_markers_on_top() -> None:
    names = [
        ("sign", "marks", True),
        ("wall", "solid", False),
        ("mat", "floor", False),
        ("crate", "solid", False),
    ]
    kinds = tuple(Kind(name, layer, marker=marker) for name, layer, marker in names)
    order = drawing_order(Game("g", "G", kinds, Goal(())))
    assert sorted(order, key=order.__getitem__) == ["mat", "wall", "crate", "sign"]


def test_two_facings_mirror_and_four_turn() -> None:
    two, four = ("left", "right"), ("up", "right", "down", "left")
    kinds = (Kind("a", "a", two, tile="walker"), Kind("b", "b", four, tile="arrow"))
    game = Game("g", "G", kinds, Goal(()))
    instance = on_board(game, [[{Piece("a", f)} for f in two] + [{Piece("b", f)} for f in four]])
    turned = [use.get("transform", "") for use in uses(frame_svg(instance, as_drawn(instance), size=10))]
    assert turned == [
        "matrix(-1 0 0 1 14 0)",
        "",
        "rotate(270 27 7)",
        "",
        "rotate(90 47 7)",
        "rotate(180 57 7)",
    ]


def test_a_given_value_is_bold_and_a_placed_one_is_not() -> None:
    instance = load("sudoku/paper-4x4")
    cell = (0, 0)
    state = initial_state(instance, [(cell, Piece("digit", 3))], partial=True)
    strokes = re.findall(r'stroke="(#\w+)" stroke-width="(\d+)"[^>]*round', frame_svg(instance, state))
    assert strokes.count(("#3f78bd", "8")) == 1
    assert strokes.count(("#3a3846", "13")) == 5


def test_kinds_without_a_tile_get_their_initial() -> None:
    instance = on_board(Game("g", "G", (Kind("queen", "a"),), Goal(())), [[{Piece("queen")}]])
    svg = frame_svg(instance, as_drawn(instance))
    assert [use["href"] for use in uses(svg)] == ["#g-Q"]
    assert hashed("queen") in svg


def test_colours_of_descriptions() -> None:
    def colour(text: str) -> str:
        return kind_colour(Kind("k", "l", colour=text), "#123456")

    assert (colour("#abc"), colour("#A1B2C3"), colour("teal")) == ("#aabbcc", "#a1b2c3", "#4fa79b")
    assert colour("") == colour("#12345") == colour("javascript:x") == "#123456"
    assert re.fullmatch("#[0-9a-f]{6}", kind_colour(Kind("k", "l")))


@pytest.mark.parametrize("size", [0, 3, 513, -1])
def test_a_cell_of_no_sensible_size_is_refused(size: int) -> None:
    instance = load("sokoban/first")
    with pytest.raises(PuzzleError, match="pixels wide"):
        frame_svg(instance, as_drawn(instance), size=size)


# --- heavy lines --------------------------------------------------------------------------------------


def lines_of(*groups: tuple[tuple[Cell, ...], ...], rows: int = 4, columns: int = 4) -> int:
    """How many heavy lines a board has whose goal's terms speak of these groups of regions."""
    names = tuple(f"group-{index}" for index in range(len(groups)))
    goal = Goal((Different("n", names),))
    board = tuple(tuple(frozenset[Piece]() for _ in range(columns)) for _ in range(rows))
    level = Level("x", board, regions=tuple(zip(names, groups, strict=True)))
    return len(heavy_edges(Instance(Game("g", "G", (Kind("n", "n", values=(1, 4)),), goal), level)))


def test_boxes_are_parted_by_heavy_lines() -> None:
    edges = heavy_edges(load("sudoku/paper-4x4"))
    assert len(edges) == 8
    assert ((0, 1), (0, 2)) in edges and ((1, 3), (2, 3)) in edges


def test_which_regions_get_lines() -> None:
    rows = tuple(tuple((row, column) for column in range(4)) for row in range(4))
    diagonals = (tuple((i, i) for i in range(4)),)
    cage = (((0, 0), (0, 1)),)
    ell = (((0, 0), (0, 1), (1, 0)),)
    runs = (((0, 0), (0, 1)), ((0, 0), (1, 0)), ((1, 0), (1, 1)))
    assert lines_of(rows) == lines_of(diagonals) == lines_of(()) == 0
    assert lines_of(cage) == lines_of(rows, cage) == 3
    assert lines_of(ell) == 4
    assert lines_of(runs) == 0, "runs that cross are no cages"


# --- files --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FIRST_LEVELS)
@pytest.mark.parametrize("decorations", [PLAIN, Decorations("lost", (1, 1), numbers=True)])
@pytest.mark.parametrize("size", [16, 31])
def test_cells_put_together_are_the_whole_picture(name: str, decorations: Decorations, size: int) -> None:
    instance = load(name)
    state = as_drawn(instance)
    whole = rasterised(frame_svg(instance, state, size=size, decorations=decorations)).convert("RGB")
    parts = Mosaic(instance, size, decorations).picture(state)
    assert whole.size == parts.size == frame_size(instance, size, decorations)
    # Blending lines in one or in two steps rounds differently.
    difference = ImageChops.difference(whole, parts).getextrema()
    assert max(high for _, high in difference) <= 4  # type: ignore[misc]


def test_the_bar_that_shows_the_time_is_the_same_in_both() -> None:
    instance = load("lemmings/seed")
    state = as_drawn(instance)
    whole = rasterised(frame_svg(instance, state, decorations=Decorations(progress=0.37))).convert("RGB")
    assert not ImageChops.difference(whole, Mosaic(instance, 32).picture(state, 0.37)).getbbox()
    assert ImageChops.difference(whole, Mosaic(instance, 32).picture(state)).getbbox() == (0, 328, 122, 330)


def test_a_run_as_a_gif(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    instance = load("lemmings/seed")
    verdict = replay(instance, instance.level.known.wins[0])
    drawn: list[str] = []
    monkeypatch.setattr(mosaic, "rasterised", lambda svg: drawn.append(svg) or rasterised(svg))
    out = tmp_path / "run.gif"
    render(instance, verdict.states, out, size=16, seconds_per_turn=0.2, won=verdict.won)
    assert len(drawn) < 40, "each distinct cell is drawn once, not 2000 cells"
    with Image.open(out) as gif:
        frames = [frame.convert("RGB") for frame in ImageSequence.Iterator(gif)]
        gif.seek(0)
        assert gif.info["duration"] == 200 and gif.info["loop"] == 0
        gif.seek(gif.n_frames - 1)
        assert gif.info["duration"] == 2000
    assert len(frames) == len(verdict.states) == 20
    assert all(ImageChops.difference(one, other).getbbox() for one, other in pairwise(frames))
    green = tuple(int(OUTCOME["won"][index : index + 2], 16) for index in (1, 3, 5))
    corner = frames[-1].getpixel((0, 0))
    assert isinstance(corner, tuple)
    assert max(abs(is_ - wanted) for is_, wanted in zip(corner, green, strict=True)) < 8
    assert frames[0].getpixel((0, 0)) != corner


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
def test_a_run_as_a_video(tmp_path: Path, suffix: str) -> None:
    """Sides of odd length too: each state stands as long as it should, and looks as it does in a picture."""
    imageio = pytest.importorskip("imageio.v2")
    instance = load("sokoban/first")
    verdict = replay(instance, instance.level.known.wins[0])
    assert any(length % 2 for length in frame_size(instance, 17))
    out = tmp_path / f"run{suffix}"
    render(instance, verdict.states, out, size=17, seconds_per_turn=0.2, won=verdict.won)
    assert list(tmp_path.iterdir()) == [out]
    with imageio.get_reader(out, format="FFMPEG") as video:
        frames = [Image.fromarray(frame) for frame in video]
        rate = video.get_meta_data()["fps"]
    turns = len(verdict.states) - 1
    assert len(frames) == round((turns * 0.2 + 2) * rate)
    for turn, state in enumerate(verdict.states[:-1]):
        still = Mosaic(instance, 17).picture(state, turn / len(verdict.states))
        shown = frames[round((turn + 0.5) * 0.2 * rate)].crop((0, 0, *still.size))
        blurred = ImageChops.difference(shown, still.convert("RGB")).resize((1, 1), Image.Resampling.BOX)
        assert max(blurred.getpixel((0, 0))) < 8, turn  # type: ignore[type-var,arg-type]


def test_a_video_without_ffmpeg_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    instance = load("sokoban/first")
    with pytest.raises(NotAvailable, match=r"ggp\[video\]"):
        render(instance, [as_drawn(instance)], tmp_path / "run.mp4")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", [".png", ".svg", ".gif", ".PNG"])
@pytest.mark.parametrize("won", [None, True, False])
def test_a_still(tmp_path: Path, suffix: str, won: bool | None) -> None:
    instance = load("sudoku/paper-4x4")
    out = tmp_path / f"still{suffix}"
    render(instance, [as_drawn(instance)], out, won=won)
    data = out.read_bytes()
    if suffix == ".svg":
        ElementTree.fromstring(data)
    else:
        with Image.open(io.BytesIO(data)) as picture:
            assert picture.size == frame_size(instance, 32)
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize("name", ["run", "run.jpg", "run.gif.txt", ".gif"])
def test_another_suffix_is_refused_with_those_there_are(tmp_path: Path, name: str) -> None:
    instance = load("sokoban/first")
    with pytest.raises(PuzzleError) as caught:
        render(instance, [as_drawn(instance)], tmp_path / name)
    assert ".gif, .mp4, .webm, .png or .svg" in str(caught.value)
    assert not list(tmp_path.iterdir())


def test_what_is_too_large_is_refused_before_it_is_drawn(tmp_path: Path) -> None:
    floor = on_board(Game("g", "G", (Kind("k", "l"),), Goal(())), [[set()] * 100] * 100)
    with pytest.raises(PuzzleError, match="too large") as caught:
        render(floor, [as_drawn(floor)], tmp_path / "big.png", size=100)
    assert "--size" in str(caught.value)
    states = [State(as_drawn(floor).board, turn) for turn in range(100)]
    with pytest.raises(PuzzleError, match="100 frames"):
        render(floor, states, tmp_path / "long.gif", size=32)
    render(floor, states[:1], tmp_path / "fine.png", size=32)


@pytest.mark.parametrize("seconds", [0, -1, 61, float("nan"), float("inf")])
def test_a_pace_that_a_gif_cannot_hold_is_refused(tmp_path: Path, seconds: float) -> None:
    instance = load("sokoban/first")
    with pytest.raises(PuzzleError, match="seconds"):
        render(instance, [as_drawn(instance)], tmp_path / "a.gif", seconds_per_turn=seconds)


def test_no_state_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match="no state"):
        render(load("sokoban/first"), [], tmp_path / "a.gif")
