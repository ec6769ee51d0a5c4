"""Goal words about what hangs together as late rules: something is poured on one cell and spreads.

A flood is a group of rules that PuzzleScript repeats by itself. Each round takes it a step further at least,
and no cell of an area is further from another than the board has cells. PuzzleScript leaves a group after 200
rounds and complains, so on larger boards the rules stand in their group several times, and each round takes
as many steps. Areas are gone through one at a time up to the first wrong one, in one of PuzzleScript's loops,
which it also leaves after 200 rounds: `faults_of` in `words` says which boards are too large.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ggp.exporters.puzzlescript.patterns import Spot, bare, line
from ggp.exporters.puzzlescript.words import Word
from ggp.model import Instance, Pattern
from ggp.model.board import cells

ROUNDS = 190  # of the 200, the last of which must find that nothing changes any more


class Flood:
    """The helpers of one word: cells that are to be reached (`todo`), and those that are (`flood`)."""

    def __init__(self, word: Word) -> None:
        self.word, self.cast = word, word.cast
        self.todo, self.flood, self.ask = (word.passes(name) for name in ("todo", "flood", "ask"))
        self.gate = word.cast.helper(f"{word.name} gate")
        word.placed.append(lambda one: {(0, 0): [self.gate]})
        self.copies = max(len(list(cells(one))) for one in word.levels) // ROUNDS + 1

    def asked(self) -> Iterator[str]:
        """Ask for one cell to begin with, where nothing asks yet."""
        yield f"late {bare(f'{self.gate} no {self.ask}', f'{self.gate} {self.ask}')}"

    def poured(self) -> Iterator[str]:
        """On one cell: the first choice of two cells takes away what asks, and no other fits any more."""
        yield f"late {bare(f'{self.ask} ; {self.todo}', f' ; {self.flood}')}"

    def spread(self, ways: Sequence[tuple[str, str, str]]) -> Iterator[str]:
        """From each cell to those beside: (direction, what must be where it is, what must be beside).

        All of these are repeated together.
        """
        for number, (way, here, there) in enumerate([*ways] * self.copies):
            source, target = f"{self.flood} {here}", f"{self.todo} {there}"
            row = [Spot(source, source), Spot(target, f"{self.flood} {there}")]
            yield ("+ " if number else "") + line(f"late {way}", row)

    def unreached(self) -> Iterator[str]:
        """What was not reached shows that the word does not hold."""
        yield f"late {bare(self.todo, self.word.off)}"

    def each_area(self, body: Iterator[str]) -> Iterator[str]:
        """Areas one after another: each begins with a cell that is left."""
        yield from self.asked()
        yield "startloop"
        yield from self.poured()
        yield from body
        wrong = self.word.off  # the first wrong one is enough
        yield f"late {bare(f'{wrong} ; {self.todo}', f'{wrong} ;')}"
        yield from self.asked()
        yield "endloop"

    def paid(self, owes: Sequence[str]) -> Iterator[str]:
        """Each cell of the flood pays one of `owes`, which are 1, 2, ...; what is left of either is wrong."""
        for number in range(len(owes), 0, -1):
            less = owes[number - 2] if number > 1 else ""
            yield f"late {bare(f'{owes[number - 1]} ; {self.flood}', f'{less} ;')}"
        left_over = [self.flood, self.cast.group(f"{self.word.name} owing", owes)] if owes else [self.flood]
        for left in left_over:
            yield f"late {bare(left, self.word.off)}"

    def of_cells(self, what: str, without: bool) -> Iterator[str]:
        """The cells that hold something, or those that do not, are to be reached."""
        if not without:
            yield f"late {bare(what, f'{what} {self.todo}')}"
            return
        member = self.cast.helper("board member")  # bars and margins hold nothing, either
        self.word.placed.append(lambda one: {cell: [member] for cell in cells(one)})
        yield f"late {bare(f'{member} no {what}', f'{member} {self.todo}')}"


def any_of(word: Word, patterns: Sequence[Pattern], name: str) -> str:
    """An object or group for any of these patterns."""
    found = dict.fromkeys(plane for one in patterns for plane in word.planes(one))
    return word.cast.group(f"{word.name} {name}", [word.cast.pieces[plane] for plane in found])


def connected(word: Word) -> Iterator[str]:
    """One flood reaches all cells, or there are none."""
    term, flood = word.term, Flood(word)
    what = any_of(word, term.what, "what")
    yield from flood.of_cells(what, term.without)
    ways = [("", "", "")]
    if term.bridged:
        ways = []
        both = word.passes("both")
        yield f"late {bare(flood.todo, f'{flood.todo} {both}')}"
        for way, patterns in (("horizontal", term.across), ("vertical", term.down)):
            if patterns:
                joining, joined = any_of(word, patterns, f"{way} joint"), word.passes(f"{way} joined")
                yield f"late {bare(joining, f'{joining} {flood.todo} {joined}')}"
                yield f"late {bare(both, f'{both} {joined}')}"
                ways += [(way, joining, joined), (way, joined, joining)]
    yield from flood.asked()
    yield from flood.poured()
    yield from flood.spread(ways)
    yield from flood.unreached()


def loop(word: Word) -> Iterator[str]:
    """Two lines end at each spot, and one flood reaches them all."""
    term, cast = word.term, word.cast
    across, upright, spot = (cast.helper(f"{word.name} {name}") for name in ("across", "upright", "spot"))

    def stand(one: Instance) -> dict[tuple[int, int], list[str]]:
        found = {cell: [spot] for cell in term.spots(one)}
        for cell, (left, right) in term.joins(one).items():
            found[cell] = [across if left[0] == right[0] else upright]
        return found

    word.placed.append(stand)
    drawn = word.any_of(term.line)
    flat, tall = word.passes("flat"), word.passes("tall")
    ends = [word.passes(f"ends {number}", "ends") for number in (1, 2, 3)]
    some, joints = cast.group(f"{word.name} met", ends), cast.group(f"{word.name} joints", [across, upright])
    yield f"late {bare(f'{drawn} no {joints}', f'{drawn} {word.off}')}"
    for joint, mark in ((across, flat), (upright, tall)):
        yield f"late {bare(f'{drawn} {joint}', f'{drawn} {joint} {mark}')}"
    for way, mark in (("left", flat), ("right", flat), ("up", tall), ("down", tall)):
        steps = [(ends[1], ends[2]), (ends[0], ends[1]), (f"{spot} no {some}", f"{spot} {ends[0]}")]
        for before, after in steps:
            yield line(f"late {way}", [Spot(before, after), Spot(mark, mark)])
    for wrong in (ends[0], ends[2]):
        yield f"late {bare(wrong, f'{wrong} {word.off}')}"
    flood = Flood(word)
    for part in (flat, tall, some):
        yield f"late {bare(part, f'{part} {flood.todo}')}"
    yield from flood.asked()
    yield from flood.poured()
    yield f"late {bare(flood.ask, word.off)}"  # there is no line
    ways = (("horizontal", flat), ("vertical", tall))
    yield from flood.spread([one for way, mark in ways for one in ((way, "", mark), (way, mark, some))])
    yield from flood.unreached()


def areas(word: Word) -> Iterator[str]:
    """Each area of a value owes the value, and each of its cells pays one."""
    flood, values = Flood(word), word.values(word.term.kind)
    planes = word.cast.transition.planes
    numbers = {word.cast.pieces[p]: planes[p].variant for p in word.planes(Pattern(word.term.kind))}
    whole = word.cast.group(f"{word.name} values", values)
    owing = {name: number for name, number in numbers.items() if isinstance(number, int) and number > 0}
    owes = [word.passes(f"owes {number}", "owes") for number in range(1, max(owing.values(), default=0) + 1)]

    def body() -> Iterator[str]:
        for name in values:
            yield from flood.spread([("", name, name)])
            if name in owing:
                told = f"{flood.gate} {owes[owing[name] - 1]} ; {flood.flood} {name}"
                yield f"late {bare(f'{flood.gate} ; {flood.flood} {name}', told)}"
        yield from flood.paid(owes)

    yield from flood.of_cells(whole, without=False)
    yield from flood.each_area(body())


def parts(word: Word) -> Iterator[str]:
    """Each area owes what its one clue says, and each of its cells pays one."""
    term, cast, flood = word.term, word.cast, Flood(word)
    told, open_, counted = (word.passes(name) for name in ("told", "open", "counted"))
    pieces = {
        cast.pieces[plane]: cast.transition.planes[plane].variant
        for plane in word.planes(term.clue)
        if any(
            cast.transition.planes[plane] in here
            for one in word.levels
            for row in one.level.board
            for here in row
        )
    }
    most = max((number for number in pieces.values() if isinstance(number, int)), default=0)
    owes = [word.passes(f"owes {number}", "owes") for number in range(1, most + 1)]
    clue = cast.group(f"{word.name} clues", pieces) if pieces else ""

    def body() -> Iterator[str]:
        yield from flood.spread([("", "", "")])
        for name, number in pieces.items():
            owed = owes[number - 1] if isinstance(number, int) and number > 0 else open_
            before = f"{flood.gate} no {told} ; {flood.flood} {name}"
            after = f"{flood.gate} {told} {owed} ; {flood.flood} {name} {counted}"
            yield f"late {bare(before, after)}"
        if clue:
            second = f"{flood.flood} {clue}"
            yield f"late {bare(f'{second} no {counted}', f'{second} {word.off}')}"
        none = f"{flood.gate} no {flood.ask} no {told}"
        yield f"late {bare(none, f'{flood.gate} {word.off}')}"
        yield f"late {bare(f'{open_} ; {flood.flood}', f'{open_} ;')}"
        yield from flood.paid(owes)
        for name in (told, open_, counted):
            yield f"late {bare(name, '')}"

    yield from flood.of_cells(word.any_of(term.what), term.without)
    if clue:
        yield f"late {bare(f'{clue} no {flood.todo}', f'{clue} {word.off}')}"
    yield from flood.each_area(body())
