"""Two programs side by side: an empty level to compile for, and which pass stands against which."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from ggp.errors import PuzzleError, UnsupportedFeature
from ggp.model import DIRECTIONS, Amount, Block, Game, Group, Instance, Kind, Level, Phase, Piece
from ggp.model.board import Action
from ggp.referee.inputs import pick_directions
from ggp.transition.compiler import compile_instance
from ggp.transition.program import Loop, Pass, Program, Transition, input_words
from ggp.transition.whole_board import said_by_cells

GIVEN = {"height", "width", "longest", "highest", "horizon"}  # numbers that every level has


def blank(game: Game, rows: int, columns: int, number: int | None = None) -> Instance:
    """An empty level of a size, to compile rules for. All of its numbers are `number`, or its cells."""
    board = tuple(tuple(frozenset[Piece]() for _ in range(columns)) for _ in range(rows))
    return Instance(
        game, Level("blank", board, 1, numbers(game, rows * columns if number is None else number))
    )


def numbers(game: Game, value: int) -> tuple[tuple[str, int], ...]:
    """The numbers that a level of the game must give, all of one value."""
    limits = game.design.amounts if game.design is not None else ()
    amounts = [*bounds(steps_of(game)), *limits]
    amounts += [bound for kind in game.kinds for bound in kind.values or ()]
    text = " ".join(amount for amount in amounts if isinstance(amount, str))
    names = dict.fromkeys(re.findall("[A-Za-z_][A-Za-z0-9_-]*", text))
    return tuple((name, value) for name in names if name not in GIVEN) or (("budget", value),)


def bounds(phases: tuple[Phase, ...]) -> Iterator[Amount]:
    """How often loops may run, as the description says it."""
    for phase in phases:
        if phase.bound is not None:
            yield phase.bound
        if isinstance(phase, Block):
            yield from bounds(phase.groups)


def steps_of(game: Game) -> tuple[Phase, ...]:
    """What a turn runs, as the referee does: without inputs only what happens by itself."""
    return (*game.turn, *game.physics) if game.input is not None else game.physics


def program_of(game: Game, transition: Transition) -> Program:
    """The same, compiled."""
    return transition.turn + transition.physics if game.input is not None else transition.physics


def sized(game: Game) -> bool:
    """Does a number of the level say which pieces there are?"""
    return any(isinstance(bound, str) for kind in game.kinds for bound in kind.values or ())


def marks(game: Game, side: int) -> tuple[Kind, ...]:
    """The markers that tell every cell what the rules ask of the whole board, on a board of such a size."""
    return said_by_cells(blank(game, side, side)).game.kinds[len(game.kinds) :]


def with_marks(game: Game, other: Game) -> Game:
    """The game with as many such markers as another one has: as many pieces.

    What each of them stands for is up to the game: none is left at either end of a turn, and boards of both
    have as many planes. Raises PuzzleError where it hangs on the size of the board which markers there are.
    """
    own, theirs = (tuple(marks(one, side) for side in (2, 5)) for one in (game, other))
    for one, found in ((game, own), (other, theirs)):
        if len({*found}) > 1:
            message = f"what {one.name} asks of the whole board hangs on the size of the board"
            raise PuzzleError(message, "compare them by play", one.place)
    missing = max(0, len(theirs[0]) - len(own[0]))
    more = [kind for kind in theirs[0] if kind not in own[0]]
    return replace(game, kinds=(*game.kinds, *more[:missing]))


def with_markers(described: Game, learned: Game) -> tuple[Game, Game]:
    """Both games with the markers of either. Markers are gone when a turn ends, so no board tells of them.

    Where both have a marker of one name, it is to be the same one.
    """
    own, theirs = ({kind.name for kind in one.kinds} for one in (described, learned))
    more = tuple(kind for kind in learned.kinds if kind.marker and kind.name not in own)
    fewer = tuple(kind for kind in described.kinds if kind.marker and kind.name not in theirs)
    every = (*described.kinds, *more)
    place = {kind.name: number for number, kind in enumerate(every)}
    listed = sorted((*learned.kinds, *fewer), key=lambda kind: place.get(kind.name, len(place)))
    return replace(described, kinds=every), replace(learned, kinds=tuple(listed))


def require_one_game(described: Game, learned: Game) -> None:
    """Raise PuzzleError unless the two have the same pieces, inputs and players, in which turns are said.

    Games of several players are refused: a turn there is not told by the board and the input alone.
    """
    if len(described.players) > 1:
        message = f"{described.name} has several players, and certificates are for games of one"
        raise UnsupportedFeature(message, "compare their rules by hand", described.place)
    for what, one, other in (
        ("kinds", plain_kinds(described), plain_kinds(learned)),
        ("inputs", described.input, learned.input),
        ("players", described.players, learned.players),
        ("edges of the board", described.wraps, learned.wraps),
    ):
        if one != other:
            raise PuzzleError(
                f"{described.name} and {learned.name} do not have the same {what}",
                "a certificate compares the rules of two games that differ in nothing else",
            )


def plain_kinds(game: Game) -> tuple[Kind, ...]:
    """The kinds of a game, without what only pictures and levels are made from."""
    return tuple(replace(kind, count=None, tile="", colour="", narrow=False) for kind in game.kinds)


# --- inputs ---------------------------------------------------------------------------------------------


class Form(NamedTuple):
    """A sort of input: its words, the marker that it puts on a cell, and an input of that sort.

    The marker is None where nothing is picked, the input where the game has none.
    """

    words: frozenset[str]
    marker: Piece | None
    action: Action | None


def forms_of(instance: Instance) -> tuple[Form, ...]:
    """Every sort of input of a game; a single one without words where it has no inputs."""
    declared = instance.game.input
    if declared is None:
        return (Form(frozenset(), None, None),)
    plain = [Action(word) for word in (*(d for d in DIRECTIONS if d in declared.moves), *declared.verbs)]
    plain += [Action("wait")] if declared.wait else []
    forms = [Form(input_words(action), None, action) for action in plain]
    for direction in pick_directions(instance):
        action = Action("pick", (0, 0), direction)
        forms.append(Form(input_words(action), Piece(str(declared.pick), direction), action))
    return tuple(forms)


# --- passes against passes --------------------------------------------------------------------------------


class Pair(NamedTuple):
    """A pass, the pass that stands in its place in the other program, and the numbers of its points.

    Points are the moments between passes: 0 is when the input has been made. `last` is where it stands in
    the turn: the number of the step, the passes of a loop having the same.
    """

    one: Pass
    other: Pass
    before: int
    after: int
    last: int


def side_by_side(described: Game, learned: Game) -> tuple[Pair, ...] | None:
    """The passes of two programs in pairs; None where their shapes differ, the bounds of loops included."""
    if shape(steps_of(described)) != shape(steps_of(learned)):
        return None
    # Without edges that meet: on a small board that wraps, cells of a larger one would be the same.
    flat = (blank(replace(game, wraps=False), 3, 3) for game in (described, learned))
    one, other = map(compile_instance, flat)
    flow = flow_of(program_of(described, one))
    second = flow_of(program_of(learned, other))
    return tuple(
        Pair(a.step, b.step, a.before, a.after, a.last)
        for a, b in zip(flow.legs, second.legs, strict=True)
        if a.step is not None and b.step is not None
    )


def shape(phases: tuple[Phase, ...]) -> list[object]:
    """A program without its rules: passes, and loops with their bounds as the description has them."""
    return [
        (
            None if phase.bound is None else "".join(str(phase.bound).split()),
            shape(phase.groups) if isinstance(phase, Block) else None,
        )
        for phase in phases
    ]


def with_bounds_of(described: Game, learned: Game) -> Game | None:
    """The learned game with the bounds of the described loops; None where these do not correspond."""
    steps, others = steps_of(described), steps_of(learned)
    if endless(shape(steps)) != endless(shape(others)):
        return None
    bounded = tuple(bounded_as(one, other) for one, other in zip(steps, others, strict=True))
    turns = len(learned.turn) if learned.input is not None else 0
    turn = bounded[:turns] if learned.input is not None else learned.turn
    return replace(learned, turn=turn, physics=bounded[turns:])


def endless(shaped: object) -> object:
    """A shape in which all loops have the same bound."""
    if isinstance(shaped, list):
        return [endless(one) for one in shaped]
    return (shaped[0] is not None, endless(shaped[1])) if isinstance(shaped, tuple) else shaped


def bounded_as(described: Phase, learned: Phase) -> Phase:
    """What is learned with the bound of what is described, the groups of blocks with theirs."""
    if isinstance(described, Block) and isinstance(learned, Block):
        pairs = zip(described.groups, learned.groups, strict=True)
        groups = tuple(bounded_as(one, other) for one, other in pairs)
        return replace(learned, bound=described.bound, groups=groups)
    return replace(learned, bound=described.bound) if isinstance(learned, Group) else learned


class Leg(NamedTuple):
    """What leads from one point to another: a pass, or nothing. The last leg of a turn leads back to 0."""

    step: Pass | None
    before: int
    after: int
    last: int


class Node(NamedTuple):
    """A step of a program with the point that it leads to: of a loop, that at which its body begins."""

    step: Pass | Loop
    point: int
    body: tuple[Node, ...]


@dataclass(frozen=True)
class Flow:
    """The points of a program, the ways between them, and the program with the points in it."""

    legs: tuple[Leg, ...]
    points: int
    nodes: tuple[Node, ...]


def flow_of(program: Program) -> Flow:
    """Number the points of a program. A loop is left where its body begins: its last run changed nothing."""
    legs: list[Leg] = []
    points = 1

    def run(steps: Program, at: int, last: int | None) -> tuple[int, tuple[Node, ...]]:
        nonlocal points
        nodes = []
        for index, step in enumerate(steps):
            number = index if last is None else last
            new, points = points, points + 1
            body: tuple[Node, ...] = ()
            if isinstance(step, Loop):
                legs.append(Leg(None, at, new, number))
                end, body = run(step.body, new, number)
                legs.append(Leg(None, end, new, number))
            else:
                legs.append(Leg(step, at, new, number))
            nodes.append(Node(step, new, body))
            at = new
        return at, tuple(nodes)

    end, nodes = run(program, 0, None)
    legs.append(Leg(None, end, 0, len(program)))
    return Flow(tuple(legs), points, nodes)


def alike(one: Pass, other: Pass) -> bool:
    """Are the two passes the same, but for the names of rules and the order of different subjects?"""
    return one.must_change == other.must_change and bare(one) == bare(other)


def bare(step: Pass) -> dict[int | None, list[tuple[object, ...]]]:
    """What a pass does, without names."""
    return {
        subject: [(frozenset(rule.inputs), frozenset(rule.terms), rule.changes) for rule in rules]
        for subject, rules in step.subjects
        if rules
    }


def read_by(transition: Transition, step: Pass) -> set[int]:
    """The planes on which a pass depends: those of its rules, and of layers shared with these."""
    planes: set[int] = set()
    for subject, rules in step.subjects:
        planes |= {subject} if subject is not None else set()
        for rule in rules:
            planes.update(plane for term in rule.terms for plane in term.planes)
            for change in rule.changes:
                planes.update(p for p in (change.plane, change.result) if p is not None)
    for layer in {transition.layers[plane] for plane in planes}:
        hard, soft = transition.shares[layer]
        planes |= {*hard, *soft} if hard else set()
    return planes
