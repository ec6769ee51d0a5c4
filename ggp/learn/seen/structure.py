"""What can be said of tokens and inputs before any rule is learned, each with its evidence.

Which tokens exclude each other, which never change, which are one thing with a facing, and which way an
input points: all from what was seen. Names of tokens only break ties, and say so.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ggp.learn.boards import Board, Stack, Token, Turn, word_of
from ggp.learn.seen.crowded import Crowd
from ggp.learn.seen.edges import on_board, over_edges, short_way
from ggp.learn.seen.exclusion import Pair, exclusions
from ggp.learn.seen.nearby import Near
from ggp.learn.seen.rays import Ray
from ggp.learn.seen.regions import Region
from ggp.learn.seen.signs import Sign
from ggp.model import DIRECTIONS, OFFSETS, Cell
from ggp.model.shown import number_of

MOSTLY = 2  # times as often as the opposite way
WENT = "it went"  # how what goes by itself shows where it faces
CAME = "there was more of it under inputs that go"  # the same of what looks where it goes
NEARLY = 0.9  # of these times it was another that looked elsewhere
UNLIKELY = 0.01  # what chance brings about so seldom is evidence of a facing
ENOUGH = 2  # times that something must have gone one way to be called an input's direction
Profile = Mapping[Token, Counter[str]]


@dataclass(frozen=True)
class Structure:
    """What was found out. `facing` gives (family, direction) of tokens that have one, or (family, value).

    `apart`: names that never share a cell; `perhaps`: that were never seen to, which may be by chance.
    """

    tokens: tuple[Token, ...]
    fixed: frozenset[Token]
    apart: frozenset[Pair]
    facing: Mapping[Token, tuple[str, str]] = field(hash=False)
    toward: Mapping[str, str] = field(hash=False)
    counts: Mapping[Token, tuple[int, int]] = field(hash=False)
    perhaps: frozenset[Pair] = frozenset()
    verbs: tuple[str, ...] = ()  # the inputs seen that point at no cell
    evidence: tuple[str, ...] = field(default=(), compare=False)
    signs: tuple[Sign, ...] = ()  # what is asked of the whole board
    rays: tuple[Ray | Near | Crowd | Region, ...] = ()  # asked of lines, neighbours, numbers, groups
    joined: bool = False  # what goes over an edge comes in from the opposite one
    picks_asked: bool = False  # where a pick points is a question, as it is of a move

    def name(self, token: Token) -> str:
        """The family of a token, or the token itself."""
        return self.facing[token][0] if token in self.facing else token

    @cached_property
    def still(self) -> frozenset[str]:
        """The names of what never changes."""
        return frozenset(map(self.name, self.fixed))

    def called(self, stack: Stack) -> frozenset[str]:
        """What signs may call the things of a cell: their families, and themselves with their facings."""
        return stack | {self.facing[token][0] for token in stack if token in self.facing}

    def members(self, name: str) -> list[Token]:
        """The tokens of a family; of another name itself."""
        return [token for token, (family, _) in self.facing.items() if family == name] or [name]

    def named(self, name: str) -> frozenset[Token]:
        """All that `name` answers with this name."""
        if name not in self.named_so_far:
            family = (token for token, (one, _) in self.facing.items() if one == name)
            self.named_so_far[name] = frozenset(family) | ({name} - self.facing.keys())
        return self.named_so_far[name]

    @cached_property
    def named_so_far(self) -> dict[str, frozenset[Token]]:
        """What `named` said: it is asked for each mover on each board."""
        return {}

    def number(self, name: str) -> tuple[int, int]:
        """How many of a family without facings, or of each of its facings, a board holds: fewest and most."""
        fewest, most = zip(*(self.counts[token] for token in self.members(name)), strict=True)
        return sum(fewest), sum(most)

    def at(self, board: Board, cell: Cell) -> Stack | None:
        """What stands in a cell; None beyond an edge, unless edges join."""
        return board.at(self.cell(board, cell))

    def cell(self, board: Board, cell: Cell) -> Cell:
        """The cell itself; one beyond an edge is the one that it joins."""
        return on_board(board, cell) if self.joined else cell

    def near(self, board: Board, source: Cell, target: Cell) -> Cell:
        """The target as it is reached from the source: beyond an edge, where that is shorter."""
        return short_way(board, source, target) if self.joined else target

    def distance(self, board: Board, a: Cell, b: Cell) -> int:
        """Rows or columns between two cells, whichever is more."""
        row, column = self.near(board, a, b)
        return max(abs(a[0] - row), abs(a[1] - column))

    def exclusions(self, *, perhaps: bool = False) -> Mapping[str, frozenset[str]]:
        """For each name, those that never share its cell; with `perhaps` those that may not, too."""
        pairs = self.apart | self.perhaps if perhaps else self.apart
        names = dict.fromkeys(self.name(token) for token in self.tokens)
        return {one: frozenset(o for pair in pairs if one in pair for o in pair - {one}) for one in names}


def structure_of(turns: Sequence[Turn], inside: Iterable[Board] = (), *, names: bool = True) -> Structure:
    """All that is found in some transitions. Without `names` what tokens are called is not looked at.

    `inside`: boards inside turns, on which things may meet that never do at the end of one.
    """
    ends = (board for turn in turns for board in (turn.before, turn.after))
    boards = list(dict.fromkeys((*ends, *inside)))
    tokens = tuple(sorted({token for board in boards for stack in board.cells for token in stack}))
    fixed, evidence = never_changing(turns, tokens)
    toward, why = directions_of_words(turns)
    joined, over = over_edges(turns, toward)
    facing, because = facings(turns, tokens, toward, names)
    shares = exclusions(turns, boards, tokens, lambda token: facing[token][0] if token in facing else token)
    sharing = sharing_evidence(shares.apart, shares.perhaps)
    counts = {token: counted(boards, token) for token in tokens}
    heard = map(word_of, sorted({turn.word for turn in turns if turn.word is not None}))
    verbs = tuple(word.verb for word in heard if word.cell is None)
    return Structure(
        tokens,
        fixed,
        frozenset(shares.apart),
        facing,
        toward,
        counts,
        shares.perhaps,
        verbs,
        (*evidence, *sharing, *alone(counts, fixed), *why, *over, *because),
        joined=joined,
    )


def sharing_evidence(apart: Mapping[Pair, float], perhaps: Iterable[Pair]) -> Iterator[str]:
    """What was found out about things that share no cell, and what was not."""
    for pair, times in apart.items():
        a, b = sorted(pair)
        yield f"{a} and {b} never share a cell: they would have met {times:.0f} times"
    for a, b in sorted(map(sorted, perhaps)):
        yield f"{a} and {b}: it is not certain whether they may share a cell"


def alone(counts: Mapping[Token, tuple[int, int]], fixed: frozenset[Token]) -> Iterator[str]:
    """What there is one of at most, if it comes or goes: nobody has seen what two of it do."""
    single = sorted(token for token, (_, most) in counts.items() if most == 1 and token not in fixed)
    if single:
        yield f"one at most stood on each board, so what two do is not known: {', '.join(single)}"


def counted(boards: Iterable[Board], token: Token) -> tuple[int, int]:
    """How many of a token a board holds: fewest and most."""
    numbers = [sum(token in stack for stack in board.cells) for board in boards]
    return min(numbers), max(numbers)


def never_changing(turns: Iterable[Turn], tokens: Iterable[Token]) -> tuple[frozenset[Token], list[str]]:
    """The tokens that never came or went, with a line for each."""
    changed: Counter[Token] = Counter()
    number = 0
    for turn in turns:
        number += 1
        if turn.before == turn.after:
            continue
        for old, new in zip(turn.before.cells, turn.after.cells, strict=True):
            if old != new:
                changed.update(old ^ new)
    fixed = frozenset(token for token in tokens if token not in changed)
    return fixed, [f"{token} never came or went in {number_of('turn', number)}" for token in sorted(fixed)]


# --- where inputs point -----------------------------------------------------------------------------------


def directions_of_words(turns: Iterable[Turn]) -> tuple[dict[str, str], list[str]]:
    """The direction of each input that has one: how things go under it; a name that is one settles ties."""
    went: dict[str, Counter[str]] = defaultdict(Counter)
    words: set[str] = set()
    for turn in turns:
        if turn.word is None:
            continue
        word = word_of(turn.word)
        pointing = word.toward if word.cell is not None else word.verb
        if pointing is None:
            continue
        words.add(pointing)
        for _, direction in moves(turn):
            went[pointing][direction] += 1
    named = words & set(DIRECTIONS)
    if named:
        return {word: word for word in sorted(named)}, [
            f"input {word} is a direction by name" for word in sorted(named)
        ]
    found: dict[str, str] = {}
    evidence = []
    for verb in sorted(went, key=lambda w: -max(went[w].values())):
        direction, times = went[verb].most_common(1)[0]
        if times >= ENOUGH and times > 0.6 * sum(went[verb].values()) and direction not in found.values():
            found[verb] = direction
            evidence.append(f"input {verb} goes {direction}: {times} of {sum(went[verb].values())} moves")
    return (found, evidence) if len(found) > 1 else ({}, [])


def moves(turn: Turn, most: int = 99) -> Iterator[tuple[Token, str]]:
    """What plainly moved along a line in a turn, and which way: a token that left one cell and came to one.

    `most`: how far.
    """
    if turn.before == turn.after:
        return
    gone: dict[Token, list[Cell]] = defaultdict(list)
    come: dict[Token, list[Cell]] = defaultdict(list)
    for index, (old, new) in enumerate(zip(turn.before.cells, turn.after.cells, strict=True)):
        if old != new:
            for token in sorted(old - new):
                gone[token].append(divmod(index, turn.before.width))
            for token in sorted(new - old):
                come[token].append(divmod(index, turn.before.width))
    for token, sources in gone.items():
        if len(sources) == len(come[token]) == 1:
            source, target = sources[0], come[token][0]
            direction = heading(source, target)
            far = abs(source[0] - target[0]) + abs(source[1] - target[1])
            if direction is not None and far <= most:
                yield token, direction


def heading(source: Cell, target: Cell) -> str | None:
    """The direction from one cell to another in its row or column."""
    down, right = target[0] - source[0], target[1] - source[1]
    if (down == 0) == (right == 0):
        return None
    unit = ((down > 0) - (down < 0), (right > 0) - (right < 0))
    return next(name for name, step in OFFSETS.items() if step == unit)


# --- facings ----------------------------------------------------------------------------------------------


def facings(
    turns: Sequence[Turn], tokens: Sequence[Token], toward: Mapping[str, str], names: bool
) -> tuple[dict[Token, tuple[str, str]], list[str]]:
    """The tokens that are one thing with several facings, found by what they do or (ties) are called."""
    found: dict[Token, tuple[str, str]] = {}
    evidence: list[str] = []
    if names:
        by_name = families_by_name(tokens)
        for family, members in by_name.items():
            for direction, token in members.items():
                found[token] = (family, direction)
            listed = ", ".join(members.values())
            evidence.append(f"{listed}: one thing with facings, by what they are called")
        for family, members in values_by_name(turns, tokens).items():
            for value, token in members.items():
                found[token] = (family, value)
            listed = ", ".join(members.values())
            evidence.append(f"{listed}: one thing with values, by what they are called")
    for profile, how in profiles(turns, toward):
        oriented = {t: d for t, d in own_directions(profile).items() if t not in found}
        for members in families_by_deed(oriented, exchanges(turns) if oriented else Counter()):
            # Rocks that fall and balloons that rise are two things; so are footprints of four ways.
            least = {WENT: 1, CAME: NEARLY * sum(profile[token][way] for way, token in members.items())}
            if how in least and turning(turns, frozenset(members.values())) < least[how]:
                continue
            family = "-or-".join(sorted(members.values()))
            for direction, token in members.items():
                found[token] = (family, direction)
                times = profile[token][direction]
                evidence.append(f"{token} faces {direction}: {how} {direction} {times} times")
    return found, evidence


def families_by_name(tokens: Iterable[Token]) -> dict[str, dict[str, Token]]:
    """Tokens `stem:direction` of one stem; two at least."""
    stems: dict[str, dict[str, Token]] = defaultdict(dict)
    for token in tokens:
        stem, colon, end = token.rpartition(":")
        if colon and end in DIRECTIONS:
            stems[stem][end] = token
    return {stem: members for stem, members in stems.items() if len(members) > 1}


def values_by_name(turns: Iterable[Turn], tokens: Iterable[Token]) -> dict[str, dict[str, Token]]:
    """Tokens `stem:number` of one stem; two at least, of which one was ever seen to come."""
    stems: dict[str, dict[int, Token]] = defaultdict(dict)
    for token in tokens:
        stem, colon, end = token.rpartition(":")
        if colon and end.isdecimal() and end == str(int(end)):
            stems[stem][int(end)] = token
    families = {stem: members for stem, members in stems.items() if len(members) > 1}
    came = {
        token
        for turn in (turns if families else ())
        for old, new in zip(turn.before.cells, turn.after.cells, strict=True)
        for token in new - old
    }
    return {
        stem: {str(value): token for value, token in sorted(members.items())}
        for stem, members in families.items()
        if came & set(members.values())
    }


def profiles(turns: Sequence[Turn], toward: Mapping[str, str]) -> Iterator[tuple[Profile, str]]:
    """Four ways in which a token shows a direction, and how often each token showed which."""
    alone: dict[Token, Counter[str]] = defaultdict(Counter)
    picked: dict[Token, Counter[str]] = defaultdict(Counter)
    entered: dict[Token, Counter[str]] = defaultdict(Counter)
    came: dict[Token, Counter[str]] = defaultdict(Counter)
    for turn in turns:
        word = word_of(turn.word) if turn.word is not None else None
        pointing = toward.get(word.toward or word.verb) if word is not None else None
        if pointing is None:
            for token, direction in moves(turn, 1):
                alone[token][direction] += 1
        elif turn.before != turn.after and word is not None:
            if word.cell is not None:
                for token in sorted(turn.before.at(word.cell) or ()):
                    picked[token][pointing] += 1
            else:
                for old, new in zip(turn.before.cells, turn.after.cells, strict=True):
                    if old < new:
                        entered.update({t: entered[t] + Counter({pointing: 1}) for t in sorted(old)})
                for token in sorted(more_in(turn)):
                    came[token][pointing] += 1
    yield alone, WENT
    yield picked, "it could be picked"
    yield entered, "it was entered"
    yield came, CAME


def more_in(turn: Turn) -> Counter[Token]:
    """The tokens of which there are more after a turn."""
    before, after = (
        Counter(token for stack in one.cells for token in stack) for one in (turn.before, turn.after)
    )
    return after - before


def turning(turns: Iterable[Turn], members: frozenset[Token]) -> int:
    """How often one of some tokens became another: there are fewer of it after a turn, and more of that."""
    found = 0
    for before, _, after in turns:
        if before != after:
            old, new = (Counter(t for stack in one.cells for t in stack & members) for one in (before, after))
            found += bool(old - new and new - old)
    return found


def own_directions(profile: Profile) -> dict[Token, str]:
    """The tokens that mostly show one direction along one axis.

    Not always: where two that turn stand side by side, each looks as if it had gone to the other's place.
    """
    opposite = {"up": "down", "down": "up", "left": "right", "right": "left"}
    found = {}
    for token, went in profile.items():
        ways = [d for d in DIRECTIONS if went[d] >= MOSTLY * went[opposite[d]]]
        ways = [d for d in ways if chance_of(went[d], went[opposite[d]]) <= UNLIKELY]
        level = [d for d in ways if d in ("left", "right")]
        if len(ways) == 1:
            found[token] = ways[0]
        elif len(level) == 1 and not went["up"]:
            found[token] = level[0]  # what falls has its facing from how it walks
    return found


def chance_of(one: int, other: int) -> float:
    """How likely it is that what has no direction goes `one` times or more one way, of all those times."""
    number = one + other
    ways = total = 1
    for k in range(other):
        ways = ways * (number - k) // (k + 1)
        total += ways
    return total / (1 << number)


def exchanges(turns: Iterable[Turn]) -> Counter[frozenset[Token]]:
    """How often one of two tokens came where the other one went."""
    return Counter(
        gone | come
        for turn in turns
        for old, new in zip(turn.before.cells, turn.after.cells, strict=True)
        if len(gone := old - new) == len(come := new - old) == 1
    )


def families_by_deed(
    oriented: Mapping[Token, str], exchanged: Mapping[frozenset[Token], int]
) -> Iterator[dict[str, Token]]:
    """Sets of tokens with different directions: opposite ones, or all four; of several those that turn so.

    Who carries something faces four ways, too, and turns to these alone.
    """
    by_way: dict[str, list[Token]] = {d: sorted(t for t in oriented if oriented[t] == d) for d in DIRECTIONS}
    while True:
        here: dict[str, Token] = {}
        for d, tokens in by_way.items():
            turned = {t: sum(exchanged.get(frozenset({t, one}), 0) for one in here.values()) for t in tokens}
            here |= {d: max(tokens, key=turned.__getitem__)} if tokens else {}
        sideways: dict[str, Token] = {d: here[d] for d in ("left", "right") if d in here}
        upright: dict[str, Token] = {d: here[d] for d in ("up", "down") if d in here}
        chosen = here if len(here) == 4 else sideways if len(sideways) == 2 else upright
        if len(chosen) < 2:
            return
        yield chosen
        for d in chosen:
            by_way[d].remove(chosen[d])
