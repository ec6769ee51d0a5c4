"""Who is who in a game in which something is placed and then something walks by itself.

What walks is what rules change; the goal says where it must get; what it stands on, or runs against, stays
where it is, stands in the game's own levels, and is what rules look at. None of it goes by a name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ggp.analysis.state_graph.refusals import refuse_plainly, refuse_rules, the_pass
from ggp.errors import Unfit
from ggp.language.maps import symbols_of
from ggp.model import Game, Instance, Level, Piece, Term
from ggp.model.board import kinds_of
from ggp.model.features import SOLVABLE, missing
from ggp.referee.designs import placeable
from ggp.referee.stock import budget
from ggp.transition.compiler import compile_instance
from ggp.transition.program import Transition


@dataclass(frozen=True)
class Roles:
    """The pieces that play the parts: `walkers` are of one kind, and each is a way in which one may start."""

    wall: Piece
    walkers: tuple[Piece, ...]
    target: Piece

    @property
    def kind(self) -> str:
        """The kind that walks."""
        return self.walkers[0].kind


def roles_of(game: Game, levels: tuple[Level, ...]) -> Roles:
    """The roles of a game; raises Unfit with a sentence where they cannot be read off."""
    if game.design is None:
        raise Unfit("it makes puzzles in which something is placed, and nothing is placed here")
    if game.input is not None:
        raise Unfit(
            "it makes puzzles in which all is placed before something walks, and here there are inputs"
        )
    if not levels:
        raise Unfit("it goes by the game's own levels, and there are none")
    model = Instance(game, levels[0])
    refuse_plainly(model)
    lacking = [need.feature for need in missing(model, SOLVABLE) if not need.feature.startswith("goal:")]
    if lacking:
        raise Unfit(f"it cannot make levels with {', '.join(lacking)}")
    if budget(model) is None:
        raise Unfit("it makes puzzles in which only so much may be placed, and here there is no limit")
    transition = compile_instance(model)
    placed = {transition.number[piece] for piece in placeable(model)}
    refuse_rules(the_pass(transition), frozenset(transition.dynamic), placed)
    walkers = walkers_of(game, transition)
    found = Roles(
        wall_of(game, levels, transition, placed), walkers, target_of(model, transition, placed, walkers)
    )
    refuse_others(game, found)
    return found


def drawable(game: Game, piece: Piece) -> bool:
    """Can a map show a cell with this piece alone?"""
    return frozenset({piece}) in symbols_of(game).values()


def walkers_of(game: Game, transition: Transition) -> tuple[Piece, ...]:
    """The pieces that may walk. Raises Unfit unless all are of one kind."""
    pieces = [transition.planes[plane] for plane in sorted(transition.dynamic)]
    kinds = sorted({piece.kind for piece in pieces})
    if len(kinds) != 1:
        told = " and ".join(kinds) or "nothing"
        raise Unfit(f"it makes puzzles in which things of one kind walk, and here {told} does")
    found = tuple(piece for piece in pieces if drawable(game, piece))
    if not found:
        raise Unfit(f"no symbol stands for `{kinds[0]}` alone")
    return found


def target_of(model: Instance, transition: Transition, placed: set[int], walkers: tuple[Piece, ...]) -> Piece:
    """Where what walks must get. Raises Unfit unless that is all that the goal asks."""
    movers, common = {transition.number[piece] for piece in walkers}, None
    for term in model.game.goal.terms:
        required: Any = getattr(term, "ground_required", lambda: None)()
        if required is None:
            raise Unfit(f"`{term.source()}` asks for more than where what walks is to get")
        what, ground = (set(transition.planes_of(model, pattern)) for pattern in required)
        if not movers <= what:
            raise Unfit(f"`{term.source()}` is not about what walks")
        still = ground - placed - transition.dynamic
        common = still if common is None else common & still
    for plane in sorted(common or ()):
        if drawable(model.game, transition.planes[plane]):
            return transition.planes[plane]
    raise Unfit("its goal names nothing that stays and that a symbol stands for, for what walks to get to")


def wall_of(game: Game, levels: tuple[Level, ...], transition: Transition, placed: set[int]) -> Piece:
    """What stays, stands alone on most cells of the game's levels, and is looked at. Raises Unfit."""
    seen = {transition.planes[plane] for plane in looked_at(transition)}
    still = seen - {transition.planes[plane] for plane in placed | transition.dynamic}
    goal = {kind for term in game.goal.terms for kind in kinds_named(term, game)}
    standing = Counter(
        piece
        for level in levels
        for row in level.board
        for here in row
        if len(here) == 1
        for piece in here
        if piece in still and piece.kind not in goal
    )
    if not standing:
        raise Unfit("its levels hold nothing that stays and that rules look at, for what walks to stand on")
    return max(sorted(standing), key=lambda piece: standing[piece])


def kinds_named(term: Term, game: Game) -> Iterator[str]:
    """The kinds that a term of the goal is about."""
    for pattern in term.patterns():
        yield from kinds_of(game, pattern.name)


def looked_at(transition: Transition) -> set[int]:
    """The planes that rules ask about."""
    return {plane for rule in transition.rules() for term in rule.terms for plane in term.planes}


def refuse_others(game: Game, roles: Roles) -> None:
    """Raise Unfit where a level must have more than these."""
    known = {roles.wall.kind, roles.kind, roles.target.kind}
    for kind in game.kinds:
        low, high = kind.count or (0, None)
        if low and kind.name not in known:
            raise Unfit(f"each level must have `{kind.name}`, and what part that plays it cannot tell")
        if kind.name == roles.target.kind and low > 1:
            raise Unfit(f"it lays one `{kind.name}`, and each level must have {low}")
        if kind.name == roles.wall.kind and high is not None:
            raise Unfit(f"it lays any number of `{kind.name}`, and a level may have {high}")
    if frozenset() not in symbols_of(game).values():
        raise Unfit("no symbol stands for a cell with nothing on it")
