"""What is known of the boards at a moment of a turn: which pieces can be where, and how many there are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, product

from ggp.model import Game, Kind, Piece
from ggp.model.board import kinds_of, matches_any
from ggp.proof.equivalence.programs import Form, blank, program_of
from ggp.transition.compiler import compile_instance
from ggp.transition.program import Pass, Transition, passes_of

Planes = tuple[int, ...]


@dataclass(frozen=True)
class Context:
    """A set of boards: what holds of each of them, beside that layers are shared as they may be.

    `apart`: pairs of planes that never share a cell. `absent`: a plane, and the number of a form of input
    with which nothing of that plane is anywhere. `few`: planes that have at most so many pieces together.
    """

    apart: frozenset[tuple[int, int]] = frozenset()
    absent: frozenset[tuple[int, int]] = frozenset()
    few: tuple[tuple[Planes, int], ...] = ()


def few_of(game: Game, transition: Transition) -> tuple[tuple[Planes, int], ...]:
    """The kinds of which there are never more than so many: levels hold no more, and no rule makes more."""
    found = []
    boards = tuple(foldings(game)) if game.wraps else (transition,)
    for kind in game.kinds:
        most = most_at_first(game, kind)
        if most is not None and all(conserved(game, board, kind.name) for board in boards):
            found.append((planes_of(transition, kind.name), most))
    return tuple(found)


def foldings(game: Game) -> Iterator[Transition]:
    """The rules compiled for boards that wrap, of each size at which it matters what is taken from where.

    Two places from which a rule takes may be one cell on a small board; on boards that are larger than the
    rules reach they never are.
    """
    flat = compile_instance(blank(replace(game, wraps=False), 3, 3))
    sources = {(0, 0)} | {change.source for rule in flat.rules() for change in rule.changes}
    rows, columns = (max(axis) - min(axis) + 1 for axis in zip(*sources, strict=True))
    for height, width in product(range(1, rows + 1), range(1, columns + 1)):
        yield compile_instance(blank(game, height, width))


def most_at_first(game: Game, kind: Kind) -> int | None:
    """How many of a kind there are at most when a turn begins for the first time; None: any number."""
    if game.input is not None and game.input.pick == kind.name:
        return 1
    if kind.marker:
        return None  # the level has none, but how many there are within a turn is for the rules
    placed = game.design is not None and kind.name in game.design.kinds
    strewn = any(scatter.kind == kind.name for scatter in game.chance)
    return None if kind.count is None or placed or strewn else kind.count[1]


def planes_of(transition: Transition, kind: str) -> Planes:
    """The planes of a kind."""
    return tuple(plane for plane, piece in enumerate(transition.planes) if piece.kind == kind)


def conserved(game: Game, transition: Transition, kind: str) -> bool:
    """Do no rules ever make more pieces of a kind?

    Each that is put must be one of the kind that was taken, and none may be taken twice to be put twice: not
    by one firing, nor, where taking twice is allowed (markers, kinds that merge), by two.
    """
    planes = set(planes_of(transition, kind))
    exempt = bool(planes & transition.exempt)
    for step in passes_of(program_of(game, transition)):
        owners: set[int | None] = set()
        for subject, rules in step.subjects:
            for rule in rules:
                put = [change for change in rule.changes if change.result in planes]
                sources = [(change.plane, change.source) for change in put]
                if len(set(sources)) < len(sources) or any(plane not in planes for plane, _ in sources):
                    return False
                if exempt and any(source != (0, 0) for _, source in sources):
                    return False
                owners |= {subject} if put else set()
        if exempt and not alone_on_a_cell(transition, step, owners, planes):
            return False
    return True


def alone_on_a_cell(transition: Transition, step: Pass, owners: set[int | None], planes: set[int]) -> bool:
    """Can only one of the subjects stand on a cell, or is each its own?"""
    if owners <= planes:
        return True  # a piece that is a subject is taken by its one firing alone
    layers = {transition.layers[owner] for owner in owners if owner is not None}
    return owners == {None} or (
        None not in owners and len(layers) == 1 and not any(owner in transition.exempt for owner in owners)
    )


# --- what maps hold ---------------------------------------------------------------------------------------


def drawn(game: Game) -> Iterator[tuple[Piece, ...]]:
    """What a cell may hold before the first turn: what is drawn, and what is placed or strewn on it.

    Level forms that name kinds instead of drawing may put any of these on a cell together.
    """
    groups = [pieces for _, pieces in game.symbols]
    for _, form in game.forms:
        pieces = form.get("pieces")
        if isinstance(pieces, Mapping):
            named = [Piece(str(name)) for name in pieces.values() if isinstance(name, str)]
            groups += [*combinations(named, 2)]
    extra = []
    if game.design is not None:
        extra += [(kind, game.design.free_of) for kind in game.design.kinds]
    extra += [(scatter.kind, scatter.free_of) for scatter in game.chance]
    yield from groups
    for name, free_of in extra:
        for pieces in ((), *groups):
            if not any(matches_any(game, piece, free_of) for piece in pieces):
                yield (*pieces, *(Piece(kind) for kind in kinds_of(game, name)))


def starting_together(game: Game, transition: Transition) -> Iterator[tuple[int, int]]:
    """The pairs of planes that may share a cell before the first turn."""
    for pieces in drawn(game):
        planes = [plane for piece in pieces for plane in drawn_planes(transition, piece)]
        yield from combinations(sorted(set(planes)), 2)


def drawn_planes(transition: Transition, piece: Piece) -> Iterator[int]:
    """The planes of a piece; all of its kind where it is named without its variant."""
    if piece in transition.number:
        yield transition.number[piece]
    elif piece.variant is None:
        yield from planes_of(transition, piece.kind)


def starting_absent(transition: Transition, forms: tuple[Form, ...]) -> Iterator[tuple[int, int]]:
    """When the input has just been made there are no markers but the one of a pick."""
    for plane in sorted(transition.markers):
        for number, form in enumerate(forms):
            if form.marker != transition.planes[plane]:
                yield plane, number


def starting_few(transition: Transition, forms: tuple[Form, ...]) -> tuple[tuple[Planes, int], ...]:
    """At that moment there is one marker of a pick at most."""
    picks = tuple(transition.number[form.marker] for form in forms if form.marker is not None)
    return ((picks, 1),) if picks else ()
