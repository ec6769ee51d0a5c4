"""Small games with rules at random, for holding a translation to the referee where no one chose the rules.

The rules look and reach up to two cells away, straight or round a corner, in all four manners of direction;
kinds merge or not, face somewhere or not; some groups run until nothing changes, also one in another.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from ggp.errors import PuzzleError
from ggp.language.description import read_game
from ggp.model import DIRECTIONS, Instance
from ggp.referee.semantics import ending, initial_state, is_goal, is_lost

GOALS = """every aa on dust; no me off dust; some bb off dust; count aa <= 1; count me >= 2; count dust = 3
; some aa on trail; count bb off dust = 1; every me off trail""".split(";")
EXCUSES = (
    *[""] * 4,
    " unless count aa >= 1",
    " unless no bb on dust and count me <= 1",
    " unless some me on trail unless count dust = 0",
)


@dataclass
class Writer:
    """Writes one description."""

    rng: random.Random
    keys: str  # moves, picks, faced-picks, none
    leaving_out: bool = False  # may effects be left out outside the board?

    def cell(self, turned: bool) -> str:
        words = [*DIRECTIONS, *(["ahead", "behind", "leftward", "rightward"] * 2 if turned else [])]
        return ".".join(self.rng.choice(words) for _ in range(self.rng.choice([0, 1, 1, 1, 2, 2]))) or "here"

    def rule(self, number: int, by_itself: bool) -> str:
        rng = self.rng
        toward = rng.choice(["none", "any", "facing", *([] if by_itself else ["input"] * 4)])
        subject = rng.choice(["aa", "bb", "aa", "bb", "$thing"] if toward != "facing" else ["me"])
        if toward == "input" and rng.random() < 0.4:
            subject = "me"
        turned = toward != "none"
        conditions = [f"{subject} here"]
        for _ in range(rng.choice([0, 1, 1, 2, 3])):
            form = rng.choice(["{}", "{}", "no {}", "no {}", "no {}", "outside", "inside", "input"])
            if form == "input":
                if self.keys == "moves" and not by_itself:
                    conditions.append("input ahead" if toward == "input" else "input press")
                continue
            kind = rng.choice(["aa", "bb", "thing", "me", "solid", "mark"])
            if "no" not in form and kind in ("mark", "solid"):
                kind = "thing"
            conditions.append(f"{form.format(kind)} {self.cell(turned)}")
        effects = [self.effect(subject, turned) for _ in range(rng.choice([1, 1, 1, 2]))]
        text = "stay" if "stay" in effects else ", ".join(dict.fromkeys(effects))
        return f"rule-{number} toward {toward}: {', '.join(dict.fromkeys(conditions))} => {text}"

    def effect(self, subject: str, turned: bool) -> str:
        rng = self.rng
        here, there = self.cell(turned), self.cell(turned)
        turn = f"turn me here {rng.choice([*DIRECTIONS, 'ahead'] if turned else DIRECTIONS)}"
        effect = rng.choice(
            [
                *[f"{subject} here -> {there}"] * 4,
                f"remove {rng.choice(['aa', 'bb', 'thing'])} {there}",
                *[f"add {rng.choice(['mark', 'dust', 'trail'])} {there}"] * 2,
                f"{rng.choice(['aa', 'bb', 'thing', 'dust'])} {here} -> {there}",
                turn if subject == "me" else "stay",
            ]
        )
        puts = effect != "stay" and not effect.startswith("remove")
        return f"{effect} if inside" if self.leaving_out and puts and rng.random() < 0.7 else effect

    def group(self, section: str, by_itself: bool) -> list[str]:
        rng = self.rng
        rules = ['rules = """', *(self.rule(n, by_itself) for n in range(rng.choice([1, 2, 3]))), '"""']
        if rng.random() < 0.6:
            return [f"[[{section}]]", *rules]
        loop = ['until = "stable"', "bound = 20"]
        if rng.random() < 0.5:
            return [f"[[{section}]]", *loop, *rules]
        inner = [f"[[{section}.group]]", *(loop if rng.random() < 0.5 else []), *rules]
        more = [f"[[{section}.group]]", 'rules = """', self.rule(9, by_itself), '"""']
        return [f"[[{section}]]", *loop, *inner, *more]

    def text(self) -> str:
        rng = self.rng
        merge = rng.choice(["true", "false"])
        lines = ['name = "random"', 'title = "Random"', "[kinds]"]
        lines += [f'{kind} = {{ layer = "solid", merge = {merge} }}' for kind in ("aa", "bb")]
        facing = 'facing = ["up", "right", "down", "left"]'
        lines += [f'me = {{ layer = "walk", {facing}, merge = {rng.choice(["true", "true", "false"])} }}']
        lines += [f'{kind} = {{ layer = "{kind}", merge = true }}' for kind in ("dust", "trail")]
        lines += ['mark = { layer = "mark", marker = true }']
        if "picks" in self.keys:
            faced = f"{facing}, " if self.keys == "faced-picks" else ""
            lines += [f'picked = {{ layer = "pick", {faced}marker = true }}']
        lines += ["[classes]", 'thing = ["aa", "bb"]', 'solid = ["aa", "bb", "me"]', "[symbols]", '"." = ""']
        signs = {"a": "aa", "b": "bb", "d": "dust", "e": "dust aa", "s": "trail", "w": "me:up bb"}
        signs |= {">": "me:right", "<": "me:left", "^": "me:up", "v": "me:down"}
        lines += [f'"{sign}" = "{pieces}"' for sign, pieces in signs.items()]
        if self.keys == "moves":
            lines += ["[input]", 'moves = ["up", "right", "down", "left"]', 'verbs = ["press"]']
        elif "picks" in self.keys:
            lines += ["[input]", 'pick = "picked"']
        for section in ["turn"] * rng.choice([1, 2]) if self.keys != "none" else []:
            lines += self.group(section, False)
        for section in ["physics"] * rng.choice([0, 1, 2] if self.keys != "none" else [1, 2]):
            lines += self.group(section, True)
        lines += ["[goal]", f'when = "{rng.choice(["any-turn", "horizon"])}"']
        lines += [f'win = ["{rng.choice(GOALS).strip()}"]']
        if rng.random() < 0.4:
            excuse = random.Random("".join(lines)).choice(EXCUSES)
            lines += [f'lose = ["{rng.choice(GOALS).strip()}{excuse}"]']
        size = rng.randint(2, 5), rng.randint(2, 5)
        rows = ["".join(rng.choice("....abdes><^vw") for _ in range(size[1])) for _ in range(size[0])]
        lines += ["[[level]]", 'name = "one"', f"horizon = {rng.randint(3, 12)}", 'map = """', *rows, '"""']
        return "\n".join(lines) + "\n"


class Wider(Writer):
    """Draws what the plain writer never does, on boards so small that every plan can be tried.

    Kinds that merge share a layer with kinds that do not; loops stand anywhere in a block, first or not;
    rules read the direction of a faced pick by its name; an objective counts moves.
    """

    def rule(self, number: int, by_itself: bool) -> str:
        rng, faced = self.rng, self.keys in ("moves", "faced-picks") and not by_itself
        toward = rng.choice(
            ["none", "any", "facing", "left", "up right", *(["input", "input"] if faced else [])]
        )
        subject = rng.choice(["aa", "bb", "$thing", "me"]) if toward != "facing" else "me"
        conditions, turned = [f"{subject} here"], toward != "none"
        for _ in range(rng.choice([0, 0, 1, 1, 2])):
            form, kind = (
                rng.choice(["", "no ", "no "]),
                rng.choice(["aa", "bb", "thing", "me", "dust", "mark"]),
            )
            conditions.append(f"{form}{kind} {self.cell(turned)}")
        words = {"moves": [*DIRECTIONS, "press"], "faced-picks": [*DIRECTIONS, "pick"], "picks": ["pick"]}
        if not by_itself and self.keys in words and rng.random() < 0.5:
            conditions.append(f"input {rng.choice(words[self.keys])}")
        if "picks" in self.keys and not by_itself and rng.random() < 0.7:
            conditions.append("picked here")
        effects = [self.effect(subject, turned) for _ in range(rng.choice([1, 1, 1, 2]))]
        return f"r{number} toward {toward}: {', '.join(conditions)} => {', '.join(dict.fromkeys(effects))}"

    def effect(self, subject: str, turned: bool) -> str:
        """Never none: in a loop each firing must change something."""
        text = super().effect(subject, turned)
        return text if text != "stay" else f"remove {subject} here"

    def group(self, section: str, by_itself: bool) -> list[str]:
        rng = self.rng
        if rng.random() < 0.4:
            return super().group(section, by_itself)
        lines = [f"[[{section}]]", 'until = "stable"', f"bound = {rng.choice([1, 3, 8])}"]
        for _ in range(rng.choice([2, 2, 3])):
            loop = ['until = "stable"', f"bound = {rng.choice([1, 3, 8])}"] if rng.random() < 0.5 else []
            rules = [self.rule(number, by_itself) for number in range(rng.choice([1, 1, 2]))]
            lines += [f"[[{section}.group]]", *loop, 'rules = """', *rules, '"""']
        return lines

    def text(self) -> str:
        rng, lines = self.rng, super().text().split("\n")
        soft = rng.choice(["aa", "bb"])
        for number, line in enumerate(lines):
            if line.startswith(("aa = ", "bb = ")):
                lines[number] = f'{line[:2]} = {{ layer = "solid", merge = {str(line[:2] == soft).lower()} }}'
            if line.startswith("horizon"):
                lines[number] = f"horizon = {rng.choice([1] if 'picks' in self.keys else [2, 2, 3])}"
        first = lines.index('map = """') + 1
        last = lines.index('"""', first)
        lines[first:last] = [
            "".join(rng.choice("...abdew><^v") for _ in range(3)) for _ in range(rng.choice([1, 2]))
        ]
        goal = lines.index("[[level]]")
        lines[goal:goal] = [
            "[objectives]",
            'turns = "turns"',
            f'moved = "moves {rng.choice(["aa", "thing"])}"',
        ]
        return "\n".join(lines)


class Asking(Wider):
    """Draws rules that count, that ask of the whole board, and that reckon with values, among the others."""

    def rule(self, number: int, by_itself: bool) -> str:
        rng = self.rng
        if rng.random() < 0.4:
            return self.reckoning(number)
        head, effects = super().rule(number, by_itself).split(" => ")
        turned = " toward none" not in head
        asked = [self.nearby(turned) if rng.random() < 0.6 else self.of_the_board() for _ in range(2)]
        return f"{head}, {', '.join(asked[: rng.choice([1, 1, 2])])} => {effects}"

    def nearby(self, turned: bool) -> str:
        """So many of some cells hold something; some cells are named twice, some lie outside."""
        rng = self.rng
        cells = ", ".join(self.cell(turned) for _ in range(rng.choice([2, 3, 4])))
        where = rng.choice(["around", "beside", "around, here", "beside, up", cells, cells])
        what = rng.choice(["aa", "bb", "thing", "me", "solid", "dust", "me:up", "num:2"])
        return f"count {what} at {where} {rng.choice(['=', '<=', '>='])} {rng.randint(0, 3)}"

    def of_the_board(self) -> str:
        """What goals ask, too."""
        rng = self.rng
        what, ground = rng.choice(["aa", "thing", "me", "solid", "me:up", "num"]), rng.choice(["dust", "bb"])
        where = f"{rng.choice(['on', 'off'])} {ground}"
        if rng.random() < 0.5:
            return f"{rng.choice(['every', 'some', 'no'])} {what} {where}"
        where = where if rng.random() < 0.3 else ""
        return f"count {what} {where} {rng.choice(['=', '<=', '>='])} {rng.randint(0, 3)}"

    def reckoning(self, number: int) -> str:
        """A rule about values, which may leave their range."""
        rng = self.rng
        cell, sign = self.cell(False), rng.choice("+-")
        compared = f"$n {rng.choice(['=', '<=', '>='])} $m {sign} 1"
        rule = rng.choice(
            [
                f"num:$n here, num:$m {cell}, {compared} => turn num here $n {sign} 1",
                f"num:$n here, no num {cell} => num here -> {cell} :$n {sign} 1",
                f"num:$n here, num:$n {cell} => remove num here, turn num {cell} $n {sign} 1",
                f"$thing here, num:$n {cell}, $n >= 2 => remove $thing here, turn num {cell} $n - 1",
                f"num:$n here, no num:$n {sign} 1 {cell}, aa {cell} => add num:$n {sign} 1 {cell}",
            ]
        )
        return f"r{number} toward none: {rule}"

    def text(self) -> str:
        """With a kind that has values, on the map and among the rules."""
        text = super().text().replace("[classes]", 'num = { layer = "num", values = [1, 3] }\n[classes]')
        first = text.index("map = ")
        board = text[first:].replace("d", "1", 1).replace("e", "2", 1).replace("v", "3", 1)
        signs = '"123" = "num:1.."\n'
        return text[:first].replace("[symbols]\n", f"[symbols]\n{signs}") + board


KEYS = ("moves", "moves", "picks", "faced-picks")


def random_instance(
    seed: int,
    keys: tuple[str, ...] = KEYS,
    writer: type[Writer] = Writer,
    *,
    leaving_out: bool = False,
) -> Instance | None:
    """The game of that seed; None where it is not well-formed, or is over before it begins.

    `leaving_out`: its effects may be left out outside the board (`if inside`).
    """
    rng = random.Random(seed)
    # A name of its own: caches are slow to find games of one name.
    named = f'name = "random-{seed}"'
    text = writer(rng, rng.choice(keys), leaving_out).text().replace('name = "random"', named, 1)
    try:
        game, levels = read_game(text.encode(), f"random-{seed}.toml")
    except PuzzleError:
        return None
    instance = Instance(game, levels[0])
    start = initial_state(instance)
    over = is_lost(instance, start) or (ending(instance) == "any-turn" and is_goal(instance, start))
    return None if over else instance
