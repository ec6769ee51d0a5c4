"""Random PuzzleScript games, played here and in PuzzleScript's own engine, board by board.

They make no sense, and that is what they are for: rules meet in ways that nobody writes. Right sides are left
sides that were changed a little, so that most rules can apply. With a checkout of today's engine named by
`PUZZLESCRIPT_HOME`,

    python -m tests.oracles.random_puzzlescript tests/data/puzzlescript/random-games.json.gz

records what it does, for machines without it, and `python -m tests.oracles.random_puzzlescript 1000 2000`
plays these seeds in both and prints the games that differ.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from ggp.engines import puzzlescript as engine
from ggp.errors import DescriptionError, IllFormed
from ggp.importers import puzzlescript
from ggp.model import Instance
from ggp.referee.keys import press, with_seed
from ggp.referee.session import Session

GAMES = 200  # that are recorded, at most
SEED = "seed"  # of chance, as the runner of the engine has it
TICKS = 300  # that one key may set going before a game is left
KEYS = ("up", "left", "down", "right", "action", "undo", "restart", "tick")
WEIGHTS = (6, 6, 6, 6, 3, 2, 1, 1)
REFUSED, ENDLESS = "refused", "endless"
ENDLESSLY = ("come to rest", "looping lots", "vortex", "the engine fails: Error: Too many errors")

OBJECTS = ("Wall", "Player", "Crate", "Ball", "Mark", "Target", "Hole")
SIGNS = dict(zip("#p*bmoh", OBJECTS, strict=True))
LAYERS = (  # the first one as most games have it
    ("Target", "Mark, Hole", "Player, Wall, Crate, Ball"),
    ("Target, Mark", "Hole, Ball", "Player, Wall, Crate"),
    ("Player, Crate, Wall", "Target, Ball", "Mark", "Hole"),
    ("Hole", "Crate", "Player, Wall", "Ball, Mark, Target"),
)
SEVERAL = {
    "Thing": ("Crate", "Ball"),
    "Stuff": ("Crate", "Mark", "Hole"),
    "Solid": ("Wall", "Crate", "Ball"),
    "Sort": ("Mark", "Hole"),
}
TOGETHER = {"Both": ("Crate", "Target"), "Two": ("Player", "Mark")}
MOVING = (">", "<", "^", "v", "moving", "up", "right", "parallel", "perpendicular", "horizontal", "action")
COMMANDS = ("again", "cancel", "restart", "win", "checkpoint", "message said", "sfx1")
PRELUDES = (
    "run_rules_on_level_start",
    "require_player_movement",
    "realtime_interval 1",
    "noaction",
    "noundo",
)
Item = tuple[str, str]
"""How something goes (or `no`, or nothing), and its name."""
Cell = list[Item]


class Maker:
    """Makes a game from a generator of chance. `flags`: words that rules begin with more often."""

    def __init__(self, rng: Random, flags: Sequence[str] = ()) -> None:
        self.rng = rng
        self.layers = LAYERS[0] if rng.random() < 0.5 else rng.choice(LAYERS)
        self.late = False
        self.flags = flags
        often = 0.2 if "commands" in flags else 0.08
        self.prelude = [line for line in PRELUDES if self.often(often)]
        self.commanded = COMMANDS
        if "back" in flags:  # a restart as the level opens is heard once, and leaves boards to undo to
            self.prelude = list(dict.fromkeys([PRELUDES[0], *self.prelude]))
            self.commanded = (*COMMANDS, "restart", "restart", "restart")

    def often(self, chance: float) -> bool:
        """Is it so this time?"""
        return self.rng.random() < chance

    def layer(self, name: str) -> int:
        """The layer of an object."""
        return next(number for number, line in enumerate(self.layers) if name in line.split(", "))

    def layers_of(self, name: str) -> set[int]:
        """The layers on which something of that name may stand."""
        return {self.layer(one) for one in SEVERAL.get(name, TOGETHER.get(name, (name,)))}

    # --- rules --------------------------------------------------------------------------------------------

    def name(self) -> str:
        """A name for a rule."""
        names = [*OBJECTS[1:], "Player", "Crate", "Crate", "Wall"]
        if self.often(0.3):
            names = [*SEVERAL, *(name for name in TOGETHER if len(self.layers_of(name)) == 2)]
        return self.rng.choice(names)

    def going(self) -> str:
        """How something goes; nothing does in a late rule."""
        if self.late or self.often(0.5):
            return ""
        return self.rng.choice([">", ">", ">", *MOVING, "stationary"])

    def left_cell(self) -> Cell:
        """What is asked of a cell: no two things of one layer."""
        cell: Cell = []
        used: set[int] = set()
        for _ in range(self.rng.choice((0, 1, 1, 1, 2))):
            name = self.name()
            if any(name == other for _, other in cell):
                continue
            if self.often(0.15) and name not in TOGETHER:
                cell.append(("no", name))
            elif not self.layers_of(name) & used:
                used |= self.layers_of(name)
                cell.append((self.going(), name))
        return cell

    def right_cell(self, left: Cell) -> Cell:
        """What becomes of a cell: mostly what was there, gone, or going otherwise."""
        cell: Cell = []
        for how, name in left:
            if how == "no" or self.often(0.15):
                continue
            otherwise = how if self.often(0.6) else "randomdir" if self.often(0.1) else self.going()
            cell.append((otherwise if not (self.late and otherwise == "randomdir") else how, name))
        used = set().union(*(self.layers_of(name) for _, name in cell)) if cell else set()
        if self.often(0.25):
            self.more(cell, used)
        return cell

    def more(self, cell: Cell, used: set[int]) -> None:
        """Something that comes into a cell; by chance even on a layer that is taken."""
        if self.often(0.25):
            name = self.rng.choice([*SEVERAL, *TOGETHER, "Crate"])
            if name not in (other for _, other in cell):
                cell.append(("random", name))
            return
        name = self.rng.choice(OBJECTS)
        if not self.layers_of(name) & used:
            cell.append((self.going() if self.often(0.4) else "", name))
        elif self.often(0.3) and name not in (other for _, other in cell):
            cell.append(("no", name))

    def row(self) -> tuple[str, str]:
        """A bracket, on both sides of the arrow."""
        lefts = [self.left_cell() for _ in range(self.rng.choice((1, 1, 2, 2, 2, 3)))]
        if not any(lefts):
            lefts[0] = [(self.going(), "Player")]
        rights = [self.right_cell(cell) for cell in lefts]
        left, right = [spelled(cell) for cell in lefts], [spelled(cell) for cell in rights]
        if len(lefts) > 1 and self.often(0.12):
            for side in (left, right):
                side.insert(1, "...")
        return f"[ {' | '.join(left)} ]", f"[ {' | '.join(right)} ]"

    def commands(self) -> str:
        """Now and then a command; one that has the turn go on more often than others."""
        if not self.often(0.5 if "commands" in self.flags else 0.2):
            return ""
        return " " + self.rng.choice(["again", "again", "checkpoint", *self.commanded])

    def rule(self, joins: bool) -> str:
        """A rule; one that joins the group above is late if that is."""
        rng = self.rng
        if not joins:
            self.late = self.often(0.2)
        words = ["+"] * joins
        words += ["late"] if self.late else []
        words += ["rigid"] if not self.late and self.often(0.5 if "rigid" in self.flags else 0.1) else []
        words += ["random"] if not joins and self.often(0.06) else []
        words += [rng.choice(("up", "down", "left", "right", "horizontal", "vertical"))] * self.often(0.2)
        rows = [self.row() for _ in range(rng.choice((1, 1, 1, 1, 2)))]
        left = " ".join(row[0] for row in rows)
        if self.often(0.08):
            return f"{' '.join(words)} {left} -> {rng.choice(self.commanded)}".strip()
        checkpoint = " checkpoint" if "checkpoint" in self.flags and self.often(0.3) else ""
        right = " ".join(row[1] for row in rows)
        return f"{' '.join(words)} {left} -> {right}{checkpoint or self.commands()}".strip()

    def rules(self) -> Iterator[str]:
        """The rules, some in groups and some in a loop."""
        count = self.rng.randint(1, 6)
        loop = self.rng.randrange(count) if self.often(0.15) else -1
        end = self.rng.randrange(loop, count) if loop >= 0 else -1
        for number in range(count):
            if number == loop:
                yield "startloop"
            if number == 0 and self.often(0.6):
                self.late = False
                rigid = "rigid " if "rigid" in self.flags and self.often(0.5) else ""
                thing = self.rng.choice(("Crate", "Thing"))
                yield f"{rigid}[ > Player | {thing} ] -> [ > Player | > {thing} ]"
            else:
                yield self.rule(number > 0 and number != loop and self.often(0.25))
            if number == end:
                yield "endloop"

    # --- the rest -----------------------------------------------------------------------------------------

    def map(self) -> str:
        """A map with a player, mostly one."""
        height, width = self.rng.randint(2, 5), self.rng.randint(2, 6)
        cells = self.rng.choices("......#**bbmmoohp@2", k=height * width)
        cells[self.rng.randrange(len(cells))] = "p"
        return "\n".join("".join(cells[at : at + width]) for at in range(0, len(cells), width))

    def wins(self) -> Iterator[str]:
        """Conditions, at times none."""
        for _ in range(self.rng.choice((0, 1, 1, 1, 2))):
            name = self.rng.choice([*OBJECTS[2:], *SEVERAL])
            ground = self.rng.choice(OBJECTS[1:])
            yield self.rng.choice(
                (
                    f"All {name} on {ground}",
                    f"No {name}",
                    f"Some {name} on {ground}",
                    f"No {name} on {ground}",
                )
            )

    def text(self) -> str:
        """The whole file."""
        objects = "\n\n".join(f"{name}\nRed" for name in ("Background", *OBJECTS))
        legend = [f"{sign} = {name}" for sign, name in (*SIGNS.items(), (".", "Background"))]
        legend += [f"{name} = {' or '.join(members)}" for name, members in SEVERAL.items()]
        fits = {name: len(self.layers_of(name)) == 2 for name in TOGETHER}
        for sign, (name, members) in zip("@2", TOGETHER.items(), strict=True):
            legend.append(f"{name} = {' and '.join(members) if fits[name] else members[0]}")
            legend.append(f"{sign} = {name}")
        return "\n".join(
            [
                "title Random",
                *self.prelude,
                f"\nOBJECTS\n\n{objects}",
                "\nLEGEND\n",
                *legend,
                "\nSOUNDS\n\nsfx1 36772507",
                "\nCOLLISIONLAYERS\n\nBackground",
                *self.layers,
                "\nRULES\n",
                *self.rules(),
                "\nWINCONDITIONS\n",
                *self.wins(),
                f"\nLEVELS\n\n{self.map()}\n",
            ]
        )


def spelled(cell: Cell) -> str:
    """A cell as rules have it."""
    return " ".join(f"{how} {name}".strip() for how, name in cell)


# --- played -------------------------------------------------------------------------------------------------

Game = tuple[str, list[str]]
"""A text, and the keys."""
Trace = list[str]
"""What stands after each key, the level as it opens first: in short, and whether it is won."""


def made(seed: int) -> Game:
    """The game of a seed. Some have more rigid rules, checkpoints, commands, or keys that lead back."""
    rng = Random(f"a PuzzleScript game {seed}")
    flags = {0: ["rigid"], 1: ["checkpoint"], 2: ["commands"], 3: ["commands", "back"]}.get(seed % 6, [])
    text = Maker(rng, flags).text()
    unused = {"tick": "realtime_interval" not in text, "action": "noaction" in text}
    weights = [*WEIGHTS[:5], 8, 3, 1] if "back" in flags else WEIGHTS
    keys = rng.choices(KEYS, weights, k=rng.randint(8, 25))
    return text, [key for key in keys if not unused.get(key)]


def board_in_short(cells: Sequence[Sequence[str] | frozenset[str]], won: bool) -> str:
    """A board as a few signs."""
    text = "/".join(",".join(sorted(name.lower() for name in cell)) for cell in cells)
    return hashlib.sha256(text.encode()).hexdigest()[:10] + " won" * won


def here(game: Game) -> Trace:
    """What happens here."""
    text, keys = game
    try:
        read, levels = puzzlescript.read(text.encode(), "random.txt")
    except DescriptionError:
        return [REFUSED]
    found: Trace = []

    def look() -> bool:
        won = session.judged()[0] == "won"
        cells = [[piece.kind for piece in cell] for cell in session.shown.board]
        found.append(board_in_short(cells, won))
        return won

    try:
        session = Session(with_seed(Instance(read, levels[0]), SEED))
        won = look()
        for key in keys:
            if won:
                break
            press(session, key)
            won = look()
    except IllFormed as error:
        return [*found, ENDLESS if "for ever" in str(error) else f"ill-formed: {error}"]
    return found


def there(games: Sequence[Game]) -> list[Trace]:
    """What happens in the engine."""
    jobs = [engine.Job(text, [(0, keys)], True) for text, keys in games]
    return [traced(played) for played in engine.play(jobs, ticks=TICKS)]


def traced(played: engine.Game) -> Trace:
    """The same of what the engine says. One that complains of endless rules gives up sooner or later."""
    (run,) = played.runs
    endless = [fault for fault in (*played.faults, *run.faults) if any(word in fault for word in ENDLESSLY)]
    if any("detected during compilation" in fault for fault in played.faults):
        return [REFUSED]
    last = {frame.key: board_in_short(frame.cells, frame.won) for frame in run.shown()}
    return [*(last[key] for key in sorted(last)), *([ENDLESS] if endless else [])]


def differing(seeds: Sequence[int]) -> tuple[Counter[str], list[tuple[int, Trace, Trace]]]:
    """How many games went the same way, were refused, or were left; and those that differ, in both ways."""
    counts: Counter[str] = Counter()
    wrong = []
    games = [made(seed) for seed in seeds]
    for seed, game, theirs in zip(seeds, games, there(games), strict=True):
        if theirs[-1:] == [ENDLESS]:
            counts["left"] += 1  # the engine says so, and goes on after 200 rounds
            continue
        ours = here(game)
        counts["turns"] += len(theirs) - 1
        counts["differ" if ours != theirs else "refused" if ours == [REFUSED] else "same"] += 1
        wrong += [(seed, ours, theirs)] if ours != theirs else []
    return counts, wrong


def record(path: Path) -> None:
    """Record what the engine does."""
    seeds = range(GAMES)
    games = [made(seed) for seed in seeds]
    kept = [
        {"seed": seed, "text": text, "keys": keys, "trace": theirs}
        for seed, (text, keys), theirs in zip(seeds, games, there(games), strict=True)
        if theirs[-1:] != [ENDLESS]
    ]
    path.write_bytes(gzip.compress(json.dumps({"games": kept}).encode(), mtime=0))
    turns = sum(len(one["trace"]) - 1 for one in kept)
    sys.stdout.write(f"{len(kept)} games, {turns} turns\n")


def main(arguments: Sequence[str]) -> int:
    """Record into a file, or play the seeds from one number up to another; 1 where games differ."""
    if len(arguments) == 1:
        record(Path(arguments[0]))
        return 0
    first, last = map(int, arguments)
    counts, wrong = differing(range(first, last))
    for seed, ours, theirs in wrong:
        pairs = enumerate(zip(ours, theirs, strict=False))
        at = next((number for number, pair in pairs if pair[0] != pair[1]), min(len(ours), len(theirs)))
        told = f"{ours[at : at + 1]} here, {theirs[at : at + 1]} there"
        sys.stdout.write(f"game {seed}, after {at} keys: {told}\n")
    sys.stdout.write(f"{dict(counts)}\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
