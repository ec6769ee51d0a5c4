"""Theories are found that say all turns of a game, and fresh ones, as the referee plays what was written."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from itertools import islice

import pytest

from ggp.errors import NotLearned
from ggp.harness.from_play import learner_for
from ggp.learn.boards import Board, Episode, Turn, turns_of
from ggp.learn.fit.toil import account
from ggp.learn.turn.ways import Ways
from ggp.learn.whole import Learned
from ggp.watch import rollouts
from ggp.watch.foresight import Foresight
from ggp.watch.theory.learning import TheoryFirst, theory_first
from ggp.watch.theory.vgdl import learning
from ggp.watch.theory.vgdl.questions import brought_together, questions
from ggp.watch.theory.vgdl.search import Search, changed
from ggp.watch.theory.vgdl.spelling import spelling_of
from ggp.watch.theory.vgdl.stage import Scene, differing
from ggp.watch.theory.vgdl.theories import Line, Sort, Theory
from ggp.watch.vgdl import VgdlWorld
from tests.slow import slow_unless

WORK = 3e6  # more than any of these needs

RING = """BasicGame block_size=1
    SpriteSet
        coin > Immovable
        car > Missile orientation=RIGHT
        avatar > MovingAvatar
    InteractionSet
        avatar EOS > stepBack
        car EOS > wrapAround
        coin avatar > killSprite
        avatar car > killSprite
    LevelMapping
        c > coin
        r > car
    TerminationSet
        SpriteCounter stype=avatar limit=0 win=False
        SpriteCounter stype=coin limit=0 win=True
---
A.c..
r.r..
..c..
....r
"""
"""What goes over an edge comes in again, but for the player, who stays at his."""

WELL = """BasicGame block_size=1
    SpriteSet
        wall > Immovable
        well > SpawnPoint stype=drop cooldown=3
        drop > Missile orientation=DOWN
        water > Resource limit=3
        dry > Immovable
        avatar > MovingAvatar
    InteractionSet
        avatar wall > stepBack
        avatar well > stepBack
        drop wall > killSprite
        drop avatar > killSprite
        drop dry > killSprite
        water avatar > collectResource
        water avatar > killSprite
        dry avatar > killIfOtherHasMore resource=water limit=2
    LevelMapping
        s > well
        d > dry
        o > water
    TerminationSet
        SpriteCounter stype=dry limit=0 win=True
---
wwwwwww
w s o w
w   d w
wA  o w
w o d w
wwwwwww
"""
"""A clock, something that falls, and something that is held and asked for."""

FLARES = """BasicGame block_size=1
    SpriteSet
        wall > Immovable
        oil > Resource limit=2
        flare > Missile
        beacon > Immovable
        lit > Immovable
        bat > Missile orientation=LEFT
        avatar > ShootAvatar stype=flare ammo=oil
    InteractionSet
        avatar wall > stepBack
        avatar beacon > stepBack
        avatar lit > stepBack
        oil avatar > collectResource
        oil avatar > killSprite
        bat wall > reverseDirection
        bat wall > stepBack
        flare wall > killSprite
        flare bat > killBoth
        beacon flare > transformTo stype=lit
        flare lit > killSprite
        avatar bat > killSprite
    LevelMapping
        o > oil
        b > beacon
        t > bat
    TerminationSet
        SpriteCounter stype=avatar limit=0 win=False
        SpriteCounter stype=beacon limit=0 win=True
---
wwwwwww
wA o bw
w  w  w
wo  t w
w b wow
wwwwwww
"""
"""Shots that cost what is held, one thing that becomes another, and a flier that turns round."""

RESTS = """BasicGame block_size=1
    SpriteSet
        wall > Immovable
        cat > Missile cooldown=3
        avatar > MovingAvatar
    LevelMapping
        c > cat
    InteractionSet
        avatar wall > stepBack
        cat wall > reverseDirection
        cat wall > stepBack
        avatar cat > killSprite
    TerminationSet
        SpriteCounter stype=avatar limit=0 win=False
---
wwwwwww
wc....w
w..A..w
w....cw
wwwwwww
"""
"""Somebody who rests for two turns after each step."""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], VgdlWorld]:
    """Makes a world of a text."""

    def of(text: str) -> VgdlWorld:
        path = tmp_path_factory.mktemp("world") / "game.txt"
        path.write_text(text, encoding="utf-8")
        return VgdlWorld(path)

    return of


@pytest.fixture(scope="module")
def learned(world: Callable[[str], VgdlWorld]) -> Callable[[str], Learned]:
    """Learns a theory from 40 roll-outs of a text, once."""

    @cache
    def of(text: str) -> Learned:
        with account(WORK):
            return theory_first("vgdl", refusing)(played(world(text), 40), "game", Ways())

    return of


def played(world: VgdlWorld, number: int, seed: int = 0) -> list[Episode]:
    """So many roll-outs."""
    return list(islice(rollouts(world, random.Random(seed)), number))


@pytest.mark.parametrize("text", slow_unless([RING], [RING, WELL, FLARES]))
def test_a_theory_is_found_and_what_is_written_says_fresh_turns(
    world: Callable[[str], VgdlWorld], learned: Callable[[str], Learned], text: str
) -> None:
    """A few of the fresh turns may be wrong, for the theory was not tried yet."""
    one, found = world(text), learned(text)
    assert found.theory is not None
    assert not any(map(found.program.wrong, turns_of(played(one, 40))))
    foresight = Foresight(found)
    fresh = [said for episode in played(one, 25, 5) for said in foresight.of(episode)]
    assert len(fresh) > 100
    assert sum(not said.agrees for said in fresh) < 0.05 * len(fresh)
    # What the importer wrote, and the referee plays, is what the engine says of the theory.
    for said in fresh:
        assert said.board == found.program.after(said.turn.before, said.turn.word)


def test_who_goes_in_every_third_turn_does_in_a_theory_and_in_the_game_that_it_becomes(
    world: Callable[[str], VgdlWorld], learned: Callable[[str], Learned]
) -> None:
    found = learned(RESTS)
    assert found.theory is not None and "cat > Missile cooldown=3" in str(found.theory)
    foresight = Foresight(found)
    fresh = [said for episode in played(world(RESTS), 25, 5) for said in foresight.of(episode)]
    assert len(fresh) > 100 and all(said.agrees for said in fresh)
    for said in fresh:
        assert said.board == found.program.after(said.turn.before, said.turn.word)


def refusing(episodes: object, name: str, ways: object) -> Learned:
    """Another learner, which must not be asked."""
    raise AssertionError("a theory was to be found")


def test_what_avatars_hold_and_clocks_are_pieces_and_come_back(
    world: Callable[[str], VgdlWorld], learned: Callable[[str], Learned]
) -> None:
    theory = learned(WELL).theory
    assert theory is not None
    boards = {board for episode in played(world(WELL), 20) for board in episode.boards()}
    shown = {token for board in boards for stack in board.cells for token in stack}
    assert {"avatar:0", "avatar:1", "well:0", "well:2"} <= shown
    for board in boards:
        written = theory.written(board)
        assert written is not None
        assert theory.translated(written) == board
    stacks = {stack for board in boards for stack in (theory.written(board) or board).cells}
    assert frozenset({"avatar", "has-held:1"}) in stacks


def test_a_board_with_something_never_seen_is_not_written(
    world: Callable[[str], VgdlWorld], learned: Callable[[str], Learned]
) -> None:
    found = learned(RING)
    (board,) = world(RING).levels()
    strange = board._replace(cells=(*board.cells[:-1], frozenset({"ghost"})))
    assert found.theory is not None
    assert found.theory.written(strange) is None
    assert found.program.after(strange, "up") is None


def test_lines_that_nothing_needs_are_left_out(world: Callable[[str], VgdlWorld]) -> None:
    turns = list(dict.fromkeys(turns_of(played(world(RING), 60))))
    needless = Line("killIfAlive", "coin", "avatar")
    with account(WORK):
        search = Search(turns)
        assert not search.run()
        assert needless not in search.best.lines
        search.best = search.best.with_lines((*search.best.lines, needless))
        search.shorten()
    assert needless not in search.best.lines
    assert Line("wrapAround", "car", "EOS") in search.best.lines


def test_two_that_never_met_are_brought_together(world: Callable[[str], VgdlWorld]) -> None:
    turns = [turn for turn in turns_of(played(world(RING), 60)) if not meets(turn, "coin")]
    sorts = {"coin": Sort("Immovable"), "car": Sort("Missile"), "avatar": Sort("MovingAvatar")}
    lines = (Line("stepBack", "avatar", "EOS"), Line("wrapAround", "car", "EOS"))
    lines = (*lines, Line("killSprite", "avatar", "car"))
    asked = questions(Theory(sorts, lines), spelling_of(turns), turns)
    assert any(meets(Turn(board, word, board), "coin") for board, word in asked)


PUSHED = """BasicGame block_size=1
    SpriteSet
        wall > Immovable
        box > Passive
        cat > Missile orientation=RIGHT
        avatar > MovingAvatar
    InteractionSet
        avatar wall > stepBack
        cat wall > stepBack
        box avatar > bounceForward
        box wall > undoAll
        avatar cat > killSprite
    LevelMapping
        b > box
        c > cat
    TerminationSet
        SpriteCounter stype=avatar limit=0 win=False
        SpriteCounter stype=box limit=0 win=True
---
wwwwwww
w  b  w
wc   Aw
w  b  w
wwwwwww
"""
"""Who comes to the cat in a turn that is taken back lives."""


def test_two_lines_whose_order_was_never_seen_to_matter_are_told_apart(
    world: Callable[[str], VgdlWorld],
) -> None:
    one = world(PUSHED)
    sorts = {
        "wall": Sort("Immovable"),
        "box": Sort("Immovable"),
        "cat": Sort("Missile"),
        "avatar": Sort("MovingAvatar"),
    }
    back = (Line("stepBack", "avatar", "wall"), Line("stepBack", "cat", "wall"))
    undone, killed = Line("undoAll", "box", "wall"), Line("killSprite", "avatar", "cat")
    pushed = Line("bounceForward", "box", "avatar")
    right = Theory(sorts, (*back, pushed, undone, killed))
    wrong = Theory(sorts, (*back, pushed, killed, undone))
    turns = list(dict.fromkeys(turns_of(played(one, 60))))
    spelling = spelling_of(turns)

    def differ(turn: Turn) -> bool:
        scene = Scene(turn, spelling, frozenset())
        return scene.played(right).seen != scene.played(wrong).seen

    alike = [turn for turn in turns if not differ(turn)]
    assert not any(Scene(turn, spelling, frozenset()).played(wrong).differs for turn in alike)
    asked = questions(wrong, spelling, alike)
    assert any(differ(Turn(board, word, board)) for board, word in asked)


def test_who_is_pushed_to_somebody_and_taken_back_has_met_him(world: Callable[[str], VgdlWorld]) -> None:
    """Else no turn is known in which the line has its pair, and none is asked for like it."""
    (board,) = world(PUSHED).levels()
    cells = [stack - {"avatar"} for stack in board.cells]
    cells[2 * board.width + 3] = frozenset({"avatar"})
    turn = Turn(board._replace(cells=tuple(cells)), "up", board)
    sorts = {key: Sort("Immovable") for key in ("wall", "box")}
    sorts |= {"cat": Sort("Missile"), "avatar": Sort("MovingAvatar")}
    pushed, undone = Line("bounceForward", "box", "avatar"), Line("undoAll", "box", "wall")
    outcome = Scene(turn, spelling_of([turn]), frozenset()).played(
        Theory(sorts, (pushed, undone)), asked=True
    )
    assert outcome.had == {0, 1}
    assert {(one.actor, one.partner) for one in outcome.met} >= {("box", "avatar"), ("box", "wall")}


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("abc", "abc", ""),
        ("abc", "abxc", "x"),
        ("abc", "ac", "b"),
        ("abc", "xbc", "ax"),
        ("abcd", "acbd", "bccb"),
    ],
)
def test_lines_that_are_the_first_or_the_last_of_two_theories_are_not_changed(
    before: str, after: str, lines: str
) -> None:
    one, other = (tuple(Line("killSprite", name, "z") for name in some) for some in (before, after))
    assert "".join(line.actor for line in changed(one, other)) == lines


def test_what_is_said_of_turns_that_a_new_line_plays_no_part_in_is_kept(
    world: Callable[[str], VgdlWorld],
) -> None:
    """And the search asks about all of them in the end."""
    turns = list(dict.fromkeys(turns_of(played(world(RING), 30))))
    search = Search(turns)
    with account(WORK):
        outcomes = search.outcomes(search.best)
        search.step(outcomes, [n for n, one in enumerate(outcomes) if one.differs], whole=True)
        mended = search.best.with_lines((*search.best.lines, Line("wrapAround", "car", "EOS")))
        kept = search.mended(mended, outcomes)
        assert [one.seen for one in kept] == [one.seen for one in search.outcomes(mended)]
        assert sum(one is other for one, other in zip(kept, outcomes, strict=True)) > 0
        assert kept != outcomes


def test_a_line_that_has_its_pair_may_be_moved_before_one_more_is_put_in(
    world: Callable[[str], VgdlWorld],
) -> None:
    search = Search(list(dict.fromkeys(turns_of(played(world(RING), 30)))))
    lines = (Line("stepBack", "avatar", "EOS"), Line("killSprite", "coin", "avatar"))
    search.best = search.best.with_lines(lines)
    for scene in search.scenes:
        outcome = search.one(search.best, scene, asked=True)
        moved = any(one.lines == lines[::-1] for one in search.at_an_end(scene, outcome))
        assert moved == bool(outcome.had)


def test_who_holds_the_most_that_was_seen_comes_to_one_more(world: Callable[[str], VgdlWorld]) -> None:
    turns = [turn for turn in turns_of(played(world(PURSE), 20)) if not holds(turn, "avatar:3")]
    with account(WORK):
        search = Search(turns)
        search.run()
        asked = questions(search.best, search.spelling, turns)
    held = {token for board, _ in asked for stack in board.cells for token in stack if "avatar" in token}
    assert {"avatar:2", "avatar:3", "avatar:4"} <= held


def holds(turn: Turn, token: str) -> bool:
    """Is something on a board before or after a turn?"""
    return any(token in stack for board in (turn.before, turn.after) for stack in board.cells)


def test_what_is_removed_stops_no_game_for_the_order_of_a_list(learned: Callable[[str], Learned]) -> None:
    """A file of VGDL does stop there: two drops that meet walls in one turn."""
    names = [phase.name for phase in learned(WELL).game.turn]
    assert any("killSprite" in name for name in names)
    assert not any(name.startswith("removed-") for name in names)


PURSE = """BasicGame block_size=1
    SpriteSet
        wall > Immovable
        coin > Resource limit=3
        avatar > MovingAvatar
    InteractionSet
        avatar wall > stepBack
        coin avatar > collectResource
        coin avatar > killSprite
    LevelMapping
        o > coin
    TerminationSet
        SpriteCounter stype=coin limit=0 win=True
---
wwwwwww
wA o ow
w  o  w
wwwwwww
"""


def test_what_is_held_is_carried_though_nothing_asks_for_it(
    world: Callable[[str], VgdlWorld], learned: Callable[[str], Learned]
) -> None:
    foresight = Foresight(learned(PURSE))
    fresh = [said for episode in played(world(PURSE), 20, 5) for said in foresight.of(episode)]
    assert any("avatar:2" in stack for said in fresh for stack in said.turn.after.cells)
    assert all(said.agrees for said in fresh)


def test_where_nobody_plays_no_theory_is_looked_for() -> None:
    board = Board(1, 3, (frozenset({"cart:left"}), frozenset(), frozenset({"cart:right"})))
    with pytest.raises(NotLearned, match="nobody is led"):
        Search([Turn(board, "noop", board)])


def test_what_was_only_seen_to_come_has_a_class() -> None:
    before = Board(1, 3, (frozenset({"avatar"}), frozenset(), frozenset()))
    after = Board(1, 3, (frozenset(), frozenset({"avatar"}), frozenset({"dart:left"})))
    sorts = Search([Turn(before, "right", after)]).best.sorts
    assert sorts == {"avatar": Sort("HorizontalAvatar"), "dart": Sort("Missile", (("orientation", (0, -1)),))}


def test_who_was_seen_once_and_holds_something_may_be_the_player() -> None:
    """What he holds is told of players alone."""
    empty, mark = frozenset[str](), frozenset({"stone"})
    begun = Board(1, 4, (frozenset({"grub:0"}), empty, frozenset({"pod"}), mark))
    gone_on = Board(1, 4, (empty, frozenset({"grub:0"}), frozenset({"pod"}), mark))
    became = Board(1, 4, (empty, empty, frozenset({"pod", "moth:0"}), mark))
    sorts = Search([Turn(begun, "right", gone_on), Turn(gone_on, "right", became)]).best.sorts
    assert sorts["grub"] == sorts["moth"] == Sort("HorizontalAvatar")
    assert sorts["stone"] == sorts["pod"] == Sort("Immovable")


def meets(turn: Turn, name: str) -> bool:
    """Does the avatar come to where something of a name was?"""
    ways = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
    width = turn.before.width
    for index, stack in enumerate(turn.before.cells):
        if "avatar" in stack:
            down, right = ways.get(turn.word or "", (0, 0))
            cell = index // width + down, index % width + right
            return name in (turn.before.at(cell) or ())
    return False


def test_what_no_theory_says_is_learned_otherwise_from_then_on(
    world: Callable[[str], VgdlWorld], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some turns end otherwise than the engine plays them."""
    monkeypatch.setattr(learning, "AFRESH", 1)
    episodes = played(world(RING), 12)
    spoilt = []
    for number, episode in enumerate(episodes):
        steps = list(episode.steps)
        if steps and number % 3 == 0:
            cells = list(steps[-1].after.cells)
            cells[0] = cells[0] ^ {"coin"}
            after = steps[-1].after._replace(cells=tuple(cells))
            steps[-1] = type(steps[-1])(steps[-1].word, after)
        spoilt.append(Episode(episode.start, tuple(steps)))
    asked = list[int]()

    def other(episodes: object, name: str, ways: object) -> object:
        asked.append(1)
        return "rules"

    learner = theory_first("vgdl", other)  # type: ignore[arg-type]
    assert learner(spoilt, "game", Ways()) == "rules"
    assert learner(episodes, "game", Ways()) == "rules"
    assert len(asked) == 2


def test_theories_are_for_what_py_vgdls_dialect_plays(world: Callable[[str], VgdlWorld]) -> None:
    assert isinstance(learner_for(None, "all", world(RING)), TheoryFirst)
    gvgai = RING.replace("BasicGame block_size=1", "BasicGame").replace("Immovable", "Door")
    assert not isinstance(learner_for(None, "all", world(gvgai)), TheoryFirst)
    assert not isinstance(learner_for(None, "all"), TheoryFirst)


def test_what_is_gone_counts_as_worse_than_what_is_elsewhere() -> None:
    seen = frozenset({((0, 1), "car:right"), ((1, 1), "coin")})
    turned = frozenset({((0, 1), "car:left"), ((1, 1), "coin")})
    elsewhere = frozenset({((0, 2), "car:right"), ((1, 1), "coin")})
    gone = frozenset({((1, 1), "coin")})
    assert differing(seen, seen) == 0
    assert 0 < differing(turned, seen) <= differing(elsewhere, seen) < differing(gone, seen)


def test_what_never_changes_is_left_out_where_it_plays_no_part(world: Callable[[str], VgdlWorld]) -> None:
    (board,) = world(WELL).levels()
    turn = Turn(board, "right", board)
    whole = Scene(turn, spelling_of([turn]), frozenset())
    near = Scene(turn, spelling_of([turn]), frozenset({"wall"}))
    cells = {cell for cell, inside, _ in near.before if inside.key == "wall"}
    assert len(near.before) < len(whole.before)
    assert (3, 0) in cells  # beside the avatar


TURNED = PUSHED.replace(
    "        cat wall > stepBack\n        box avatar > bounceForward\n        box wall > undoAll\n",
    "        box avatar > bounceForward\n        box wall > undoAll\n"
    "        cat wall > reverseDirection\n        cat wall > stepBack\n",
)
"""Who would be turned round in a turn that is taken back is not."""


def test_two_lines_are_moved_where_neither_helps_alone(world: Callable[[str], VgdlWorld]) -> None:
    """What takes a push back comes after it; here both stand behind what turns a cat round."""
    turns = list(dict.fromkeys(turns_of(played(world(TURNED), 60))))
    sorts = {key: Sort("Immovable") for key in ("wall", "box")}
    sorts |= {"cat": Sort("Missile"), "avatar": Sort("MovingAvatar")}
    turned, back = (Line(effect, "cat", "wall") for effect in ("reverseDirection", "stepBack"))
    pushed, undone = Line("bounceForward", "box", "avatar"), Line("undoAll", "box", "wall")
    others = Line("stepBack", "avatar", "wall"), Line("killSprite", "avatar", "cat")
    search = Search(turns, Theory(sorts, (turned, back, pushed, undone, *others)))
    outcomes = search.outcomes(search.best)
    wrong = [n for n, one in enumerate(outcomes) if one.differs]
    assert wrong
    with account(WORK):
        search.step(outcomes, wrong, whole=False)  # who meets is noted
        assert search.better(outcomes, wrong, search.steps) is None
        found = search.better(outcomes, wrong, search.two_steps)
    assert found is not None
    assert found[0].lines[:2] == (pushed, undone)


def test_what_is_pushed_is_brought_to_where_a_sort_stands_that_it_never_met(
    world: Callable[[str], VgdlWorld],
) -> None:
    sorts = {key: Sort("Immovable") for key in ("wall", "box")}
    sorts |= {"cat": Sort("Missile"), "avatar": Sort("MovingAvatar")}
    theory = Theory(sorts, (Line("bounceForward", "box", "avatar"), Line("stepBack", "avatar", "wall")))
    turns = list(dict.fromkeys(turns_of(played(world(PUSHED), 40))))
    spelling = spelling_of(turns)
    scenes = [Scene(turn, spelling, frozenset()) for turn in turns]
    seen = [(scene, scene.played(theory, asked=True)) for scene in scenes]
    met = {(one, other) for one in sorts for other in sorts} - {("box", "wall")}
    asked = list(brought_together(met, seen, spelling, random.Random(0)))
    assert asked
    for board, word in asked:
        outcome = Scene(Turn(board, word, board), spelling, frozenset()).played(theory, asked=True)
        assert ("box", "wall") in {(one.actor, one.partner) for one in outcome.met}
    assert not list(brought_together(met | {("box", "wall")}, seen, spelling, random.Random(0)))
