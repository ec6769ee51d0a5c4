"""Which tokens are one thing with a facing, or with a value: by what they do, or by what they are called."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ggp.learn.boards import Token, Turn, word_of
from ggp.learn.seen.going import moves
from ggp.model import DIRECTIONS

MOSTLY = 2  # times as often as the opposite way
WENT = "it went"  # how what goes by itself shows where it faces
CAME = "there was more of it under inputs that go"  # the same of what looks where it goes
NEARLY = 0.9  # of these times it was another that looked elsewhere
UNLIKELY = 0.01  # what chance brings about so seldom is evidence of a facing
Profile = Mapping[Token, Counter[str]]


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
        others = [token for token in tokens if token.rpartition(":")[0] not in by_name]
        for family, members in values_by_name(turns, others).items():
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
