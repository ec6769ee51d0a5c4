"""Goals from flags alone: of the games that move, of boards made for it, and what cannot be told apart."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest

from ggp.language import levels
from ggp.language.description import read_game
from ggp.language.description.writing import write_game
from ggp.learn.boards import Board, Episode, Step, board_of, turns_of
from ggp.learn.goal.aims import aim_of, doubt_of, doubt_of_losing, goal_evidence
from ggp.learn.goal.claims import facts_of, terms
from ggp.learn.goal.goals import LearnedGoal, judged, labelled, learn_goal, learn_goals
from ggp.learn.seen.structure import Structure, structure_of
from ggp.learn.whole import learn_whole
from ggp.learn.write.vocabulary import Vocabulary
from ggp.model import Game, Instance, Level, Pattern, Piece, Plan
from ggp.referee.designs import free_cells, placeable
from ggp.referee.inputs import all_actions
from ggp.referee.stock import budget
from ggp.referee.trajectory import replay
from ggp.watch.recording import episode_of
from tests.in_one_pass import learn_in_one_pass
from tests.slow import more_of, slow_unless, slowly

RANDOM = 10  # runs of a level besides its known plans
TURNS = 12


def runs_of(game: Game, some: Sequence[Level], seed: int) -> list[Episode]:
    """Runs of levels by the referee: the plans that are known to win or lose, and random ones."""
    rng = random.Random(seed)
    found = []
    for level in some:
        instance = Instance(game, level)
        plans = [*level.known.wins, *level.known.loses]
        for plan in plans + [random_plan(instance, rng) for _ in range(RANDOM)]:
            states = replay(instance, plan).states
            found.append(episode_of(instance, states, plan.actions[: len(states) - 1]))
    return found


def random_plan(instance: Instance, rng: random.Random) -> Plan:
    """Anything that the level allows; the run ends with the first input that is no move."""
    words = [str(action) for action in all_actions(instance)]
    free, pieces = free_cells(instance), placeable(instance)
    number = rng.randint(0, min(len(free), budget(instance) or 0)) if pieces else 0
    design = tuple((cell, rng.choice(pieces)) for cell in rng.sample(free, number))
    return Plan(design, tuple(rng.choice(words) for _ in range(TURNS)) if words else ())


@cache
def halves(name: str) -> tuple[list[Episode], list[Episode]]:
    """Runs of every other level of a game, and of those between."""
    game, kept = levels.load_game(name)
    return runs_of(game, kept[::2], 1), runs_of(game, kept[1::2], 2)


def structure_from(runs: Sequence[Episode]) -> Structure:
    """What is found out about tokens in some runs."""
    return structure_of(list(turns_of(runs)), [run.start for run in runs])


def said_of(board: Board, won: LearnedGoal | None, lost: LearnedGoal | None, structure: Structure) -> bool:
    """Is a board won, as far as what was learned says?"""
    facts = facts_of(board, structure)
    loses = lost is not None and any(map(facts.holds, lost.claims))
    return won is not None and all(map(facts.holds, won.claims)) and not loses


SAME = (
    "lemmings sokoban psychopath psychopath-2 peg-solitaire lights-out polar-slide bouncers rush-hour "
    "samegame fire-and-ice lasertank boulder-dash"
).split()


@pytest.mark.parametrize("name", slow_unless(["lemmings", "psychopath-2"], SAME))
def test_the_goal_of_a_game_is_right_on_levels_that_were_not_seen(name: str) -> None:
    seen, fresh = halves(name)
    structure = structure_from(seen)
    won, lost = learn_goal(seen, structure), learn_goal(seen, structure, "lost")
    boards = labelled(fresh, "won").known
    assert sum(boards.values()) and not all(boards.values())
    wrong = [board for board, told in boards.items() if said_of(board, won, lost, structure) != told]
    assert not wrong


@pytest.mark.parametrize(
    "name, claims",
    [
        ("lemmings", ["every lemming on target"]),
        ("sokoban", ["every crate on target"]),
        ("polar-slide", ["every player on exit"]),
        slowly(("samegame", ["count blue-or-green-or-red = 0"])),
        ("boulder-dash", ["count gem = 0", "every player on exit"]),
    ],
)
def test_the_goal_is_said_as_people_say_it(name: str, claims: list[str]) -> None:
    seen, _ = halves(name)
    goal = learn_goal(seen, structure_from(seen))
    assert goal is not None and [claim.text for claim in goal.claims] == claims


def test_what_loses_may_be_a_picture() -> None:
    seen, _ = halves("fire-and-ice")
    goal = learn_goal(seen, structure_from(seen), "lost")
    assert goal is not None and [claim.text for claim in goal.claims] == ["somewhere player here, fire down"]


def test_what_cannot_be_told_apart_is_listed() -> None:
    seen, _ = halves("sokoban")
    goal = learn_goal(seen, structure_from(seen))
    assert goal is not None and "every target on crate" in goal.others
    assert "won: as well might be meant: every target on crate" in goal_evidence(goal, "won", seen)


# --- boards made for it -------------------------------------------------------------------------------------


def row(text: str) -> Board:
    """A board of one row, cells parted by spaces, a letter a thing; a dot is empty."""
    return board_of([[[] if cell == "." else list(cell) for cell in text.split()]])


def flagged(*boards: tuple[str, str]) -> list[Episode]:
    """A run of one board for each, with `w` if it is won and `l` if it is lost."""
    return [Episode(row(text), won="w" in flags, lost="l" in flags) for text, flags in boards]


def learned(runs: Sequence[Episode], flag: str) -> list[str]:
    """The texts of what was learned; none where nothing agrees."""
    goal = learn_goal(runs, structure_from(runs), "won" if flag == "won" else "lost")
    return [claim.text for claim in goal.claims] if goal is not None else []


def test_either_of_two_things_may_lose() -> None:
    runs = flagged(("a b . c", ""), ("a . . c", "l"), (". b . c", "l"), (". . . c", "l"), ("a b c c", ""))
    assert learned(runs, "lost") == ["count a = 0", "count b = 0"]


def test_what_says_the_same_the_other_way_round_is_no_rival() -> None:
    """Some a is on a b where some b is on an a; of one thing alone it is said of all, too."""
    boards = [("ab a b", "w"), ("a ab b", "w"), ("ab ab .", "w"), ("a b a", ""), ("b a b", ""), ("b b a", "")]
    several = flagged(*boards, ("ab . a", "w"), (". a b", ""), ("b ab .", "w"))
    single = flagged(("ab . b", "w"), (". b ab", "w"), ("ab . .", "w"), ("a b b", ""), ("b . a", ""))
    for runs, said in ((several, "some a on b"), (single, "every a on b")):
        goal = learn_goal(runs, structure_from(runs))
        assert goal is not None and [claim.text for claim in goal.claims] == [said]
        assert "some b on a" in goal.others and not goal.rivals


def test_both_of_two_things_may_be_needed() -> None:
    runs = flagged(
        ("ab c .", ""), ("a b c", ""), ("ab . .", "w"), (". b .", "w"), (". b c", ""), ("a b .", "")
    )
    assert learned(runs, "won") == ["count c = 0", "every a on b"]


def test_that_there_is_any_may_be_asked_for_as_well() -> None:
    """Two of them or more were left where it was won, and it is not won without any.

    That something stands on what is below all else is no other way of saying that it is there.
    """
    won = [("abf cf cf f", "w"), ("cf abf f cf", "w"), ("cf cf f f cf abf", "w"), ("abf f cf cf", "w")]
    runs = flagged(*won, ("af bf cf cf", ""), ("abf f f f", ""), ("cf f abf f cf", "w"), ("f f cf cf", ""))
    assert learned(runs, "won") == ["count c >= 1", "some a on b"]
    goal = learn_goal(runs, structure_from(runs))
    assert goal is not None and not any("f" in claim.split() for claim in (*goal.others, *goal.more))


def test_what_loses_is_doubted_as_well() -> None:
    """Nothing may tell which of two things is missed, or what it is that loses."""

    def doubt(*boards: tuple[str, str]) -> str:
        runs = flagged(*boards)
        return doubt_of_losing(learn_goal(runs, structure_from(runs), "lost"), runs)

    assert doubt(("a b .", ""), (". . a", "")) == doubt(("a b .", ""), (". a .", ""), ("b . .", "l")) == ""
    assert doubt(("a b .", ""), (". . .", "l")).startswith("a guess: as well might lose: ")
    assert "1 lost boards alone" in doubt(("a . . b", ""), ("a . b .", "l"))
    # Where nobody won either, both are said.
    runs = flagged(("a b .", ""), (". . .", "l"))
    both = aim_of(runs, structure_from(runs), Vocabulary({name: Piece(name) for name in "ab"})).doubt
    assert both.startswith("not known: ") and "; a guess: as well might lose: " in both


def test_two_forms_of_one_thing_that_are_never_on_one_board_may_both_be_missed() -> None:
    """Who is dry or wet is one, so none that is dry, or none that is wet, does not lose."""
    boards = flagged(("a c .", ""), ("c b .", ""), (". . c", "l"), ("b . c", ""), ("c . .", "l"))
    ends = [Step("x", row(text), lost=text == ". c .") for text in ("b c .", ". c .")]
    assert learned([*boards, Episode(row("a c ."), tuple(ends), lost=False)], "lost") == ["count a-or-b = 0"]


def test_a_larger_goal_that_says_the_same_of_all_boards_makes_the_smaller_a_guess() -> None:
    """That no crate is left is shorter than that each is at home, where nobody ever brought one home."""
    apart = flagged(("a b c", ""), ("b c a", ""), ("b . c", "w"), (". c b", "w"))
    met = [*apart, *flagged(("ab a .", ""))]
    goal = learn_goal(apart, structure_from(met))
    assert goal is not None and [claim.text for claim in goal.claims] == ["count a = 0"] and not goal.rivals
    goal = learn_goal(met, structure_from(met))
    assert goal is not None and "every a on b" in goal.others and "every a on b" in goal.rivals
    assert doubt_of(goal, met).startswith("a guess: another agrees with all that was seen")


def test_a_board_that_was_won_may_show_what_loses() -> None:
    """Who is gone has lost, unless that is won: the gem went first."""
    runs = flagged(("a b .", ""), (". b .", "l"), (". . b", "l"), ("a . .", "w"), (". . .", "w"))
    lost = learn_goal(runs, structure_from(runs), "lost")
    assert lost is not None and [claim.text for claim in lost.claims] == ["count a = 0"] and lost.tied == 1
    assert learned(runs, "won") == ["count b = 0"]
    aim = aim_of(runs, structure_from(runs), Vocabulary({name: Piece(name) for name in "ab"}))
    assert [term.source() for term in aim.goal.lose] == ["count a = 0 unless count b = 0"] and not aim.doubt
    assert aim.speaks_of == ("won", "lost")


def test_of_losing_nothing_is_foretold_where_what_excuses_it_is_not_known() -> None:
    """No goal says that two things are three cells apart, or all is gone."""
    runs = flagged(("a . . b", "w"), (". . . .", "w"), ("a . b .", ""), (". a . b", ""), (". b . .", "l"))
    aim = aim_of(runs, structure_from(runs), Vocabulary({name: Piece(name) for name in "ab"}))
    lost = learn_goals(runs, structure_from(runs))[1]
    assert aim.won is None and lost is not None and lost.tied
    assert "lost" not in aim.speaks_of and aim.doubt
    assert all(" unless " in term.source() for term in aim.goal.lose) == (
        not aim.doubt.startswith("not known")
    )


def test_that_no_board_was_won_and_lost_stands_in_the_evidence() -> None:
    vocabulary = Vocabulary({name: Piece(name) for name in "ab"})
    apart = flagged(("a b .", ""), (". b .", "l"), (". . b", "l"), ("a . .", "w"))
    both = [*apart, *flagged((". . .", "l"))]
    aims = [aim_of(runs, structure_from(runs), vocabulary) for runs in (apart, both)]
    said = [any("so that is not known" in line for line in aim.evidence) for aim in aims]
    assert said == [True, False]


def test_where_winning_goes_first_no_lost_board_would_be_won() -> None:
    """Before it is known that winning goes first, a lost board could be won as well."""
    runs = flagged(("a b c", ""), (". b c", "l"), ("a . .", "w"), (". . .", "w"), (". . c", "l"))
    assert learned(runs, "won") == ["count b = 0"]
    won, lost = learn_goals(runs, structure_from(runs))
    assert lost is not None and lost.tied
    assert won is not None and [claim.text for claim in won.claims] == ["count c = 0"]


def test_losing_wins_ties() -> None:
    tied = flagged(("a . .", ""), (". b .", "w"), (". . .", "l"))
    assert learned(tied, "won") == ["count a = 0"], "a lost board does not say that it would not be won"


def test_numbers_and_pictures_are_goals() -> None:
    counted = flagged(("a a a .", ""), ("a . . .", "w"), (". a . .", "w"), ("a a . .", ""), (". . . .", ""))
    assert learned(counted, "won") == ["count a = 1"]
    rows = flagged(("a a . a", ""), ("a a a .", "w"), (". a a a", "w"), ("a . a a", ""), ("a . a .", ""))
    assert learned(rows, "won") == ["somewhere a here, a right, a right.right"]


def test_a_picture_of_several_things_is_a_goal() -> None:
    """Of things that were seen to change."""
    runs = flagged(("a b a .", "w"), (". a b a", "w"), ("b a b a", "w"), ("a b . a", ""), ("a b b a", ""))
    runs.append(Episode(row("a . b a"), (Step("right", row(". a b b")),)))
    assert learned(runs, "won") == ["somewhere a here, b right, a right.right"]


def test_that_there_is_one_at_all_may_be_needed() -> None:
    """Every wire is live where there is none, and that wins if there is a battery."""
    runs = flagged(
        ("b ws ws", "w"), ("b b .", "w"), (". . .", ""), ("b ws w", ""), ("b . ws", "w"), ("s . s", "")
    )
    assert learned(runs, "won") == ["every w on s", "count b >= 1"]


def test_what_the_language_does_not_say_is_not_guessed() -> None:
    assert learned(flagged(("a .", "w"), (". a", "")), "won") == []


def test_one_board_that_is_won_and_is_not_is_shown() -> None:
    runs = [*flagged(("a .", "w"), ("a .", "")), Episode(row("a ."), (Step("right", row(". a")),))]
    (line,) = [line for line in learn_whole(runs).evidence if line.startswith("won")]
    assert line == "won: one board was said to be won, and not to be:\na ."


def test_when_it_must_hold_is_seen_in_runs_that_go_on() -> None:
    stops = Episode(row("a ."), (Step("r", row(". a"), won=True),), won=False)
    goes_on = Episode(
        row("a ."), (Step("r", row(". a"), won=True), Step("r", row("a ."), won=False)), won=False
    )
    at_end = Episode(row("a ."), (Step("r", row(". a")), Step("r", row("a ."), won=False)))
    assert [judged([run])[0] for run in (stops, goes_on, at_end)] == ["any-turn", "horizon", "horizon"]


def test_a_run_that_begins_on_a_board_that_is_won_says_nothing_of_when() -> None:
    """Boards are made: of 200 runs of sokoban 21 begin with every crate on a target, and go on."""
    board = board_of([[["a"]]])
    begins = Episode(board, (Step("up", board, won=False), Step("up", board, won=True)), won=True)
    assert judged([begins])[0] == "any-turn"


def test_a_level_may_draw_what_wins() -> None:
    game, kept = levels.load_game("atomix")
    seen = runs_of(game, kept[:3], 3)
    found = learn_whole(seen, "molecules")
    assert found.doubt.startswith("a guess: each level asks for what stood together")
    again, boards = read_game(write_game(found.game, found.levels).encode(), "molecules.toml")
    assert [term.source() for term in again.goal.terms] == ["somewhere picture of hydrogen-or-oxygen"]
    for level, described in zip(boards, kept[:3], strict=True):
        (plan,) = described.known.wins
        assert replay(Instance(again, level), plan).won
        assert not any(replay(Instance(again, level), lost).won for lost in described.known.loses)


@more_of(test_what_cannot_be_told_apart_is_listed, test_that_no_board_was_won_and_lost_stands_in_the_evidence)
def test_the_goal_and_its_rivals_are_in_the_learned_description() -> None:
    game, kept = levels.load_game("psychopath")
    found = learn_in_one_pass(runs_of(game, kept[:5], 1), "walk")
    assert [term.source() for term in found.game.goal.terms] == ["every player on exit"]
    assert "won: as well might be meant: some player on exit" in found.evidence


def test_a_goal_may_be_met_by_one_of_several_that_exclude_each_other() -> None:
    """Every goal has a red or a blue crate on it; neither colour alone is asked for."""

    def run(*cells: str, won: bool) -> Episode:
        board = board_of([[cell.split() for cell in cells]])
        return Episode(board, (Step("go", board, won=won),))

    won = [("r g", "b g", "", "p"), ("r g", "r g", "b", "p"), ("b g", "b g", "p", "r")]
    lost = [("r g", "p g", "b", ""), ("g", "b g", "r", "p"), ("g", "g", "r p", ""), ("p g", "r g", "b", "b")]
    runs = [*(run(*cells, won=True) for cells in won), *(run(*cells, won=False) for cells in lost)]
    apart = frozenset(map(frozenset, ({"r", "b"}, {"r", "p"}, {"b", "p"})))
    some, none = structure_from(runs), frozenset[frozenset[str]]()
    for known, perhaps in ((apart, none), (none, apart)):  # that they do may be by chance
        goal = learn_goal(runs, replace(some, apart=known, perhaps=perhaps))
        assert goal is not None and [claim.text for claim in goal.claims] == ["every g on b-or-r"]


@pytest.mark.parametrize(
    "won, lost, said",
    [
        (
            [("r g", "g", "b", "p"), ("b g", "r", "g", "p"), ("g", "b", "p", "r g")],
            [("g", "p g", "b", "r"), ("g", "g", "r p", ""), ("r", "b", "g", "g")],
            "some b-or-r on g",
        ),
        (
            [("r", "", "", "w"), ("", "b", "", ""), ("w", "", "r", "w")],
            [("r", "b", "", "w"), ("r", "r", "", ""), ("b", "b", "b", "w"), ("b", "r", "r", "w")],
            "count b-or-r = 1",
        ),
    ],
)
def test_one_of_several_that_exclude_each_other_may_win(
    won: list[tuple[str, ...]], lost: list[tuple[str, ...]], said: str
) -> None:
    """As of one figure in this and that colour. Which colours there are, nobody says."""
    runs = []
    for number, cells in enumerate(won + lost):
        board = board_of([[cell.split() for cell in cells]])
        runs.append(Episode(board, (Step("go", board, won=number < len(won)),)))
    some, apart = structure_from(runs), frozenset({frozenset({"r", "b"})})
    some = replace(some, fixed=some.fixed - {"r", "b"}, apart=apart, perhaps=frozenset())
    goal = learn_goal(runs, some)
    assert goal is not None and [claim.text for claim in goal.claims] == [said]
    patterns = {name: Pattern(name) for name in "rbgpw"}
    (term,) = terms(goal.claims, patterns, "-or-".join)
    assert term.source() == said
