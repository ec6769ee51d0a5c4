"""Source: an encoding with claims, before propagation. Target: the same, in words that a reader follows.

What stands somewhere after a turn is one variable, whatever formula made it: the variable that the encoder
found first may be called after a rule, or be a nameless part, or say the opposite. Here it is named after the
piece, its index is the turn, row and column, and it is true where the piece stands. Where the piece stands
there exactly if the player chose something, it gets a variable of its own, which later turns speak of.

Solutions stay the same one by one. A piece that nothing could touch since an earlier turn keeps the variable
of that turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ggp.encoding.constraints import (
    Claim,
    Clause,
    Constraint,
    Distances,
    Encoding,
    Iff,
    Linear,
    Sum,
    Values,
    Variable,
)
from ggp.encoding.literals import Lit, Why
from ggp.encoding.lowering import conserved
from ggp.encoding.lowering.protocol import (
    EVERY,
    Kinds,
    Lowered,
    Tick,
    completed,
    never,
    refuse_redefined,
    unchanged,
)
from ggp.encoding.lowering.uses import used_only
from ggp.model import Cell, Piece

Turn = Callable[[Lit], Lit]
Name = tuple[str, tuple[int, ...], bool]
"""Name, index, and whether the variable says so or denies it."""


TAKES: Kinds = frozenset()
LEAVES: Kinds = frozenset({"definition", "sum"})
BESIDE = EVERY
AGAIN = False


def lower(encoding: Encoding, tick: Tick = never, kinds: Kinds = TAKES) -> Lowered:
    """The encoding in readable names, with what is conserved said outright."""
    if encoding.transition is None or not encoding.claims:
        return unchanged(encoding)
    names = renamed(encoding)
    flipped = {number for number, (_, _, says) in names.items() if not says}
    whole = conserved.with_numbers(chosen(in_names(encoding, names)), sharing=True)
    after, before = tidied(whole), len(encoding.variables)
    dropped = parts_of(whole) - parts_of(after)

    def turned(values: Values) -> dict[int, int]:
        return {v: 1 - value if v in flipped else value for v, value in values.items()}

    def forward(values: Values) -> Values:
        there = completed(after, turned(values), range(before, len(after.variables)))
        refuse_redefined(encoding, dropped, values, there)
        return there

    def back(values: Values) -> Values:
        found = {v: value for v, value in turned(values).items() if v < before}
        return completed(encoding, {v: one for v, one in found.items() if v not in dropped}, dropped)

    return Lowered(after, forward, back)


def parts_of(encoding: Encoding) -> set[int]:
    """The variables that have a definition."""
    defined = (one.lit for one in encoding.constraints if isinstance(one, Iff))
    return {encoding.atoms[abs(lit)][0] for lit in defined}


def tidied(encoding: Encoding) -> Encoding:
    """The encoding without nameless parts that nothing speaks of any more."""
    named = {number for number, variable in enumerate(encoding.variables) if not nameless(variable)}
    return replace(encoding, constraints=used_only(encoding, encoding.constraints, named))


def name_of(piece: Piece) -> str:
    """The name of the array of a piece."""
    return piece.kind if piece.variant is None else f"{piece.kind}_{piece.variant}"


def nameless(variable: Variable) -> bool:
    """Is it a part that the encoder had no name for?"""
    return variable.name == "aux" and len(variable.index) == 1


def moving(encoding: Encoding) -> Iterator[tuple[int, Piece, Cell, Lit]]:
    """(turn, piece, cell, literal) of each claim that is neither certain nor about what never moves."""
    transition = encoding.transition
    assert transition is not None
    for claim in encoding.claims:
        for plane, (piece, lits) in enumerate(claim.pieces.items()):
            if plane in transition.dynamic:
                for cell, lit in enumerate(lits):
                    if not isinstance(lit, bool):
                        yield claim.turn, piece, divmod(cell, transition.width), lit


# --- names


def renamed(encoding: Encoding) -> dict[int, Name]:
    """The first thing that stands where a derived variable says."""
    names: dict[int, Name] = {}
    for turn, piece, cell, lit in moving(encoding):
        number, value = encoding.atoms[abs(lit)]
        variable, says = encoding.variables[number], (lit > 0) == (value == 1)
        better = number not in names or (says and not names[number][2])
        if better and variable.meaning == "derived" and variable.domain == (0, 1):
            names[number] = name_of(piece), (turn, *cell), says
    return names


def in_names(encoding: Encoding, names: dict[int, Name]) -> Encoding:
    """Variables in these names, turned round to say what they are called."""
    taken = {(name, index) for name, index, _ in names.values()}
    variables: list[Variable] = []
    for number, variable in enumerate(encoding.variables):
        if number in names:
            variable = replace(variable, name=names[number][0], index=names[number][1])
        else:
            while (variable.name, variable.index) in taken:
                variable = replace(variable, name=f"{variable.name}_too")
            taken.add((variable.name, variable.index))
        variables.append(variable)
    flipped = {number for number, (_, _, says) in names.items() if not says}

    def turned(lit: Lit) -> Lit:
        return -lit if encoding.atoms[abs(lit)][0] in flipped else lit

    return replace(
        encoding,
        variables=variables,
        names=dict.fromkeys(taken, 1),
        atoms=list(encoding.atoms),
        atom_numbers=dict(encoding.atom_numbers),
        constraints=[in_terms(constraint, turned) for constraint in encoding.constraints],
        minimise=tuple((weight, turned(lit)) for weight, lit in encoding.minimise),
        claims=[claim_in_terms(claim, turned) for claim in encoding.claims],
        placements={cell: tuple(map(turned, lits)) for cell, lits in encoding.placements.items()},
    )


def claim_in_terms(claim: Claim, turned: Turn) -> Claim:
    """A claim with each literal replaced."""
    pieces = {
        piece: [lit if isinstance(lit, bool) else turned(lit) for lit in lits]
        for piece, lits in claim.pieces.items()
    }
    return Claim(claim.turn, pieces)


def in_terms(constraint: Constraint, turned: Callable[[Lit], Lit]) -> Constraint:
    """A constraint with each literal replaced; a definition defines a literal that is positive."""

    def also(lit: Lit | bool) -> Lit | bool:
        return lit if isinstance(lit, bool) else turned(lit)

    match constraint:
        case Clause(lits, why):
            return Clause(tuple(map(turned, lits)), why)
        case Iff(lit, op, lits, why):
            lit, lits = turned(lit), tuple(map(turned, lits))
            if lit > 0:
                return Iff(lit, op, lits, why)
            return Iff(-lit, "or" if op == "and" else "and", tuple(-one for one in lits), why)
        case Sum(terms, _, _, _, when):
            terms = tuple((weight, turned(lit)) for weight, lit in terms)
            return replace(constraint, terms=terms, when=None if when is None else turned(when))
        case Linear(when=when):
            return constraint if when is None else replace(constraint, when=turned(when))
        case Distances(variables, inside, roots, links, why):
            linked = tuple((one, other, also(link)) for one, other, link in links)
            return Distances(variables, tuple(map(also, inside)), tuple(map(also, roots)), linked, why)
    return constraint


# --- what the player chose


def chosen(encoding: Encoding) -> Encoding:
    """A variable for each piece that stands somewhere exactly if the player chose something."""
    encoding = replace(encoding, variables=list(encoding.variables), claims=list(encoding.claims))
    made: dict[tuple[int, Piece, Cell], Lit] = {}
    first: dict[
        Lit, tuple[int, Lit]
    ] = {}  # of a literal of the input, the turn from when on there is a better one
    definitions: list[Constraint] = []
    for turn, piece, cell, lit in list(moving(encoding)):
        if encoding.variables[encoding.atoms[abs(lit)][0]].meaning == "action":
            name = name_of(piece)
            variable = encoding.new(name, (turn, *cell), (0, 1))
            made[turn, piece, cell] = encoding.number(variable, 1)
            definitions.append(Iff(made[turn, piece, cell], "and", (lit,), Why(name, turn, cell)))
            first.setdefault(lit, (turn, made[turn, piece, cell]))
            first.setdefault(-lit, (turn, -made[turn, piece, cell]))
    if not made:
        return encoding

    def since(now: int | None) -> Turn:
        def turned(lit: Lit) -> Lit:
            turn, better = first.get(lit, (0, lit))
            return better if now is None or now > turn else lit

        return turned

    width = len(encoding.instance.level.board[0])
    claims = []
    for claim in encoding.claims:
        pieces = {
            piece: [made.get((claim.turn, piece, divmod(cell, width)), lit) for cell, lit in enumerate(lits)]
            for piece, lits in claim.pieces.items()
        }
        claims.append(Claim(claim.turn, pieces))
    constraints = [in_terms(constraint, since(constraint.why.turn)) for constraint in encoding.constraints]
    return replace(encoding, constraints=definitions + constraints, claims=claims)
