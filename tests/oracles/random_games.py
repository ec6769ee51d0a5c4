"""Random games as description files: text only. Knows nothing of ggp.

Most of what comes out means nothing to a person, and some of it is refused; that is the point. Half of the
games are less wild: things that walk in a world in which something was placed.
"""

from __future__ import annotations

from random import Random

KINDS = """
[kinds]
wall = { layer = "solid" }
rock = { layer = "solid" }
gem = { layer = "solid" }
me = { layer = "solid", facing = ["up", "right", "down", "left"] }
bug = { layer = "walker", facing = ["left", "right"], merge = true }
blob = { layer = "walker", merge = true }
spot = { layer = "floor" }
mark = { layer = "mark", marker = true }
hand = { layer = "hand", facing = ["up", "left"], marker = true }
num = { layer = "num", values = [1, 3] }

[classes]
solid = ["wall", "round", "me"]
round = ["rock", "gem"]
slope = { left = ["rock"], right = ["gem", "spot"], other = ["wall"] }
beast = ["bug", "me"]

[symbols]
"." = ""
"#" = "wall"
"o" = "rock"
"*" = "gem"
"^" = "me:up"
"v" = "me:down"
"b" = "bug:left"
"d" = "bug:right"
"q" = "blob"
"_" = "spot"
"O" = "rock spot"
"B" = "bug:left spot"
"X" = "bug:left bug:right"
"1" = "num:1"
"2" = "num:2 spot"
"3" = "num:3 rock"
"""
SYMBOLS = "#o*^vbdq_OBX123"
ABSOLUTE = ["up", "right", "down", "left"]
RELATIVE = ["ahead", "behind", "leftward", "rightward"]
NAMES = ["wall", "rock", "gem", "me", "bug", "blob", "spot", "mark", "num", "solid", "round", "beast"]
ADDED = ["rock", "gem", "mark", "spot", "blob", "me", "bug", "num", "wall"]
TURNABLE = ("me", "bug", "beast")
PLACEABLE = {
    "wall": ["solid", "bug"],
    "rock": ["solid"],
    "gem": ["solid", "bug"],
    "spot": ["spot"],
    "num": ["num"],
    "bug": ["bug", "blob"],
    "blob": ["wall"],
}


def random_game(rng: Random, levels: int = 3) -> str:
    """A whole description; a reader may refuse it."""
    text = Wild(rng).game() if rng.random() < 0.5 else walkers(rng)
    return 'name = "random"\n' + text + "".join(level(rng, index) for index in range(levels))


def level(rng: Random, index: int) -> str:
    """A small map with its numbers."""
    height, width, empty = rng.randint(1, 3), rng.randint(1, 4), rng.choice([0.2, 0.5, 0.7])
    rows = [
        "".join("." if rng.random() < empty else rng.choice(SYMBOLS) for _ in range(width))
        for _ in range(height)
    ]
    numbers = f"horizon = {rng.randint(0, 3)}\nbudget = {rng.randint(0, 2)}"
    drawing = "\n".join(rows)
    return f'[[level]]\nname = "{index}"\n{numbers}\nmap = """\n{drawing}\n"""\n'


def words(names: list[str]) -> str:
    """A list as the file writes it."""
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"


def design(kind: str, fill: bool = False) -> str:
    """The section that lets a kind be placed."""
    how = "fill = true" if fill else 'limit = "budget"'
    return f'[design]\nplace = "{kind}"\nfree-of = {words(PLACEABLE[kind])}\n{how}\n'


class Wild:
    """Makes a game in which anything may happen."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.moves: list[str] = []
        self.inputs: list[str] = []
        self.pick = ""

    def game(self) -> str:
        rng = self.rng
        parts = ["wraps = true\n"] if rng.random() < 0.25 else []
        parts += [KINDS, self.input()]
        placed = ""
        if rng.random() < (0.15 if self.inputs else 0.5):
            placed = rng.choice(list(PLACEABLE))
            fill = rng.random() < 0.15
            parts.append(design(placed, fill))
            placed = "" if fill else placed
        if self.inputs:
            parts += [self.phase("turn", index) for index in range(rng.choice([1, 1, 2]))]
        if not self.inputs or rng.random() < 0.5:
            parts += [self.phase("physics", index) for index in range(rng.choice([0, 1, 1, 2]))]
        parts.append(f'[goal]\nwhen = "{rng.choice(["horizon", "any-turn"])}"\n')
        parts.append(f"win = {words([self.term() for _ in range(rng.choice([1, 1, 2]))])}\n")
        if rng.random() < 0.3:
            parts.append(f"lose = {words([self.term()])}\n")
        counted = rng.choice(["rock", "solid", "bug", "me", "round", "num"])
        parts.append(f'[objectives]\nturns = "turns"\nshifts = "moves {counted}"\n')
        parts.append('placed = "placements"\n' if placed else "")
        return "".join(parts)

    def input(self) -> str:
        rng = self.rng
        mode = rng.choice(["none", "moves", "moves", "mixed", "pick"])
        if mode == "none":
            return ""
        lines = ["[input]"]
        if mode in ("moves", "mixed"):
            self.moves = rng.sample(ABSOLUTE, rng.randint(1, 4))
            self.inputs += self.moves
            lines.append(f"moves = {words(self.moves)}")
        if mode == "mixed":
            self.inputs.append("act")
            lines.append('verbs = ["act"]')
        if mode == "pick":
            self.pick = rng.choice(["hand", "mark"])
            self.inputs.append("pick")
            lines.append(f'pick = "{self.pick}"')
        if rng.random() < 0.25:
            self.inputs.append("wait")
            lines.append("wait = true")
        return "\n".join(lines) + "\n"

    # --- phases and rules

    def phase(self, section: str, number: int) -> str:
        rng, kind = self.rng, self.rng.random()
        name = f"{section[0]}{number}"
        if kind < 0.85:
            loop = "" if kind < 0.7 else f'until = "stable"\nbound = {rng.randint(0, 4)}\n'
            return f'[[{section}]]\nname = "{name}"\n{loop}{self.rules(name)}'
        parts = [f'[[{section}]]\nname = "{name}"\nuntil = "stable"\nbound = {rng.randint(1, 3)}\n']
        for inner in range(rng.randint(1, 2)):
            loop = f'until = "stable"\nbound = {rng.randint(1, 3)}\n' if rng.random() < 0.25 else ""
            parts.append(f"[[{section}.group]]\n{loop}{self.rules(f'{name}{inner}')}")
        return "".join(parts)

    def rules(self, name: str) -> str:
        lines = [self.rule(f"{name}r{index}") for index in range(self.rng.choice([1, 1, 2, 3]))]
        return 'rules = """\n' + "\n".join(lines) + '\n"""\n'

    def rule(self, name: str) -> str:
        rng = self.rng
        towards = ["none", "any", "facing", "any", " ".join(rng.sample(ABSOLUTE, rng.randint(1, 3)))]
        toward = rng.choice([*towards, "input"] if self.moves else towards)
        relative = toward != "none"
        conditions, subject = [], ""
        if rng.random() < 0.85:
            subject = rng.choice(TURNABLE) if toward == "facing" else self.pattern(relative)
            subject = "$round" if toward != "facing" and rng.random() < 0.25 else subject
            conditions.append(f"{subject} here")
        for _ in range(rng.randint(0 if subject else 1, 2)):
            conditions.append(self.condition(relative))
        bound = any("$" in condition for condition in conditions)
        effects = [self.effect(relative, subject, bound) for _ in range(rng.choice([1, 1, 1, 2, 2, 3]))]
        effects = ["stay"] if rng.random() < 0.06 else effects
        return f"{name} toward {toward}: {', '.join(conditions)} => {', '.join(effects)}".replace(
            " toward none", ""
        )

    def condition(self, relative: bool) -> str:
        rng, kind = self.rng, self.rng.random()
        if kind < 0.45:
            pattern = "$round" if rng.random() < 0.2 else self.pattern(relative)
            return f"{pattern} {self.path(relative, here=rng.random() < 0.3)}"
        if kind < 0.8 or (kind >= 0.9 and not self.inputs):
            return f"no {self.pattern(relative)} {self.path(relative)}"
        if kind < 0.9:
            return f"{rng.choice(['outside', 'inside'])} {self.path(relative, here=False)}"
        return f"input {rng.choice([*self.inputs, *(['ahead'] if relative and self.moves else [])])}"

    def effect(self, relative: bool, subject: str, bound: bool) -> str:
        rng, kind = self.rng, self.rng.random()
        own = bool(subject) and rng.random() < 0.6
        pattern, place = (subject, "here") if own else (self.pattern(relative), self.path(relative))
        if not own and bound and rng.random() < 0.4:
            pattern = "$round"
        base = pattern.split(":")[0]
        facing = rng.choice(RELATIVE if relative else ["left", "right"])
        variant = facing if base in TURNABLE else str(rng.randint(1, 3)) if base == "num" else ""
        if kind < 0.5:
            change = f" :{variant}" if variant and rng.random() < 0.5 else ""
            return f"{pattern} {place} -> {self.path(relative, here=rng.random() < 0.2)}{change}"
        if kind < 0.65 or (kind >= 0.9 and not variant):
            return f"remove {pattern} {place}"
        if kind < 0.9:
            return f"add {self.added(relative)} {self.path(relative)}"
        return f"turn {pattern} {place} {variant}"

    def path(self, relative: bool, here: bool = True) -> str:
        rng = self.rng
        length = rng.choice([0, 1, 1, 1, 2] if here else [1, 1, 1, 2])
        steps = [rng.choice(RELATIVE if relative and rng.random() < 0.8 else ABSOLUTE) for _ in range(length)]
        return ".".join(steps) or "here"

    def pattern(self, relative: bool) -> str:
        rng = self.rng
        name = rng.choice([*NAMES, "slope"] if relative else NAMES)
        if self.pick == "hand" and rng.random() < 0.3:
            name = "hand"
        if rng.random() < 0.7:
            return name
        if name in TURNABLE:
            return f"{name}:{rng.choice(RELATIVE if relative and rng.random() < 0.5 else ['left', 'right'])}"
        return f"{name}:{rng.randint(1, 3)}" if name == "num" else name

    def added(self, relative: bool) -> str:
        rng = self.rng
        name = rng.choice(ADDED)
        if name in TURNABLE:
            return f"{name}:{rng.choice(RELATIVE if relative and name == 'me' else ['left', 'right'])}"
        return f"{name}:{rng.randint(1, 3)}" if name == "num" else name

    def term(self) -> str:
        rng, chosen = self.rng, self.rng.random()
        first, second = self.pattern(False), self.pattern(False)
        if chosen < 0.5:
            return f"{rng.choice(['every', 'some', 'no'])} {first} {rng.choice(['on', 'off'])} {second}"
        if chosen < 0.9:
            where = rng.choice(["", f" on {second}", f" off {second}"])
            return f"count {first}{where} {rng.choice(['=', '<=', '>='])} {rng.randint(0, 3)}"
        kind = rng.choice(["num", "num", "me", "bug", "rock"])
        return f"different {kind} in {rng.choice(['rows', 'columns', 'board', 'rows, columns'])}"


def walkers(rng: Random) -> str:
    """Things that walk by themselves in a world in which something is placed first."""
    wild = Wild(rng)
    placed, walker = rng.choice(list(PLACEABLE)), rng.choice(["bug", "bug", "blob", "me", "bug:left"])
    kind = walker.split(":")[0]
    rules = [f"rest: {walker} here, spot here => stay"] if rng.random() < 0.4 else []
    for index in range(rng.randint(1, 3)):
        toward = rng.choice(["facing", "facing", "any", "left right"])
        toward = "any" if kind == "blob" and toward == "facing" else toward
        to = wild.path(True, here=False)
        obstacles = [rng.choice(["wall", "num", "spot", "gem", "solid", "round", placed]) for _ in range(2)]
        conditions = [f"{walker} here", f"no {obstacles[0]} {to}"]
        if rng.random() < 0.5:
            conditions.append(f"{rng.choice(['', 'no '])}{obstacles[1]} {wild.path(True, here=False)}")
        effects = [f"{walker} here -> {to}"]
        if kind == "bug" and rng.random() < 0.3:
            effects = [f"{walker} here -> {to} :{rng.choice(['left', 'right'])}"]
        if rng.random() < 0.25:
            added = rng.choice(["mark", "rock", "num:1", "bug:left"])
            effects.append(f"add {added} {wild.path(True, here=False)}")
        if rng.random() < 0.25:
            effects.append(f"{obstacles[1]} {wild.path(True, here=False)} -> {wild.path(True, here=False)}")
        rules.append(f"w{index} toward {toward}: {', '.join(conditions)} => {', '.join(effects)}")
    if kind != "blob" and rng.random() < 0.6:
        rules.append(f"turn: {kind} here => turn {kind} here behind")
    if rng.random() < 0.35:  # what is placed may act too
        act = rng.choice([f"{kind} ahead => remove {kind} ahead", "rock ahead => rock ahead -> ahead.ahead"])
        rules.insert(0, f"act toward any: {placed} here, {act}")
    cut = rng.randint(1, len(rules)) if rng.random() < 0.3 else len(rules)
    parts = ["wraps = true\n"] if rng.random() < 0.25 else []
    parts += [KINDS, design(placed)]
    for group in filter(None, (rules[:cut], rules[cut:])):
        loop = 'until = "stable"\nbound = 3\n' if rng.random() < 0.15 else ""
        parts.append(f'[[physics]]\n{loop}rules = """\n' + "\n".join(group) + '\n"""\n')
    goals = [f"every {walker} on spot", f"no {kind} off spot", f"some {kind} on spot", f"no {kind} off num:2"]
    parts.append(f'[goal]\nwhen = "{rng.choice(["horizon", "any-turn"])}"\n')
    parts.append(f"win = {words([rng.choice(goals), *([wild.term()] if rng.random() < 0.2 else [])])}\n")
    parts.append(f"lose = {words([wild.term()])}\n" if rng.random() < 0.2 else "")
    parts.append(f'[objectives]\nturns = "turns"\nplaced = "placements"\nshifts = "moves {kind}"\n')
    return "".join(parts)
