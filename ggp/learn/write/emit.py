"""What was learned, as rules of the description language: they can be read, run, exported and solved.

Here are whole turns: passes, and the marks that what they read is found out with.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from ggp.learn.fit.program import Passes, Program, meaning, programs_of
from ggp.learn.seen.crowded import Crowd
from ggp.learn.seen.nearby import Near
from ggp.learn.seen.regions import Region
from ggp.learn.write.beside import Asked, without_marks
from ggp.learn.write.counts import Counts, counted, counting_itself
from ggp.learn.write.parts import rules_of
from ggp.learn.write.sensing import (
    lines_of,
    mark_of,
    names_in,
    neighbours_of,
    rays_read,
    region_of,
    sensed,
    signs_read,
)
from ggp.learn.write.vocabulary import Vocabulary
from ggp.model import (
    DIRECTIONS,
    Condition,
    Game,
    Group,
    Input,
    InputIs,
    Kind,
    Pattern,
    Piece,
    Rule,
)


def group_of(
    program: Program, vocabulary: Vocabulary, name: str = "learned", bound: str | None = None
) -> Group:
    """The rules of a program, as one group."""
    found = [(place, rule) for place, part in enumerate(program.parts) for rule in rules_of(part, vocabulary)]
    names: dict[str, int] = defaultdict(int)
    numbered = []
    for _, rule in found:
        names[rule.name] += 1
        numbered.append(replace(rule, name=f"{rule.name}-{names[rule.name]}"))
    if program.weights:
        weights = tuple(program.weights[place] for place, _ in found)
        return Group(name, tuple(numbered), bound, draw="each", weights=weights)
    return Group(name, tuple(numbered), bound)


def with_program(shell: Game, program: Program | Passes, vocabulary: Vocabulary) -> Game:
    """The shell of a game (kinds, goal; no rules) with a learned turn."""
    marks = passing_marks(program, vocabulary)
    idle = idle_buttons(program, shell.input) if shell.input is not None else set()
    told = (without_inputs(group, idle) for group in groups_of(program, vocabulary, marks))
    groups = tuple(group for group in told if group.rules)
    known = {known.name for known in shell.classes}
    shell = replace(shell, kinds=(*shell.kinds, *marks))
    more = tuple(one for one in vocabulary.declared() if one.name not in known)
    game = replace(shell, classes=shell.classes + more, turn=(), physics=())
    return replace(game, turn=groups) if shell.input is not None else replace(game, physics=groups)


def idle_buttons(program: Program | Passes, declared: Input) -> set[str]:
    """The inputs that were tried, and are none of the game's, since nothing was ever seen to come of them."""
    tried = {meaning(program.structure, verb) for verb in program.structure.verbs}
    return tried - {*DIRECTIONS, *declared.verbs, "wait"}


def without_inputs(group: Group, words: set[str]) -> Group:
    """The group without the rules for these inputs: what is asked for "not left" is said of all others."""
    kept = [
        place
        for place, rule in enumerate(group.rules)
        if not any(isinstance(one, InputIs) and one.word in words for one in rule.conditions)
    ]
    weights = tuple(group.weights[place] for place in kept) if group.weights else ()
    return replace(group, rules=tuple(group.rules[place] for place in kept), weights=weights)


def passing_marks(program: Program | Passes, vocabulary: Vocabulary) -> list[Kind]:
    """The kinds of what stands on the board inside turns alone, and on no board that was seen."""
    passing = sorted(program.passing) if isinstance(program, Passes) else []
    marks: dict[str, Kind] = {}
    for token in passing:
        if token not in vocabulary.pieces:
            family, facing = program.structure.facing.get(token, (token, None))
            if family not in marks:
                taken = {piece.kind for piece in vocabulary.pieces.values()} | vocabulary.taken
                name = next(one for one in (family + "-too" * n for n in count()) if one not in taken)
                marks[family] = replace(mark_of(name), facings=DIRECTIONS if facing else ())
            vocabulary.pieces[token] = Piece(marks[family].name, facing)
    return list(marks.values())


def groups_of(program: Program | Passes, vocabulary: Vocabulary, marks: list[Kind]) -> Iterator[Group]:
    """The rules of each pass, after those of the signs that it reads, whose marks are added to `marks`."""
    passes = [one for one in programs_of(program) for _ in range(one.times)]
    several = len(passes) > 1 or isinstance(program, Passes)
    for number, one in enumerate(passes, start=1):
        yield from signs_of(one, vocabulary, marks)
        bound = ("width * height" if one.wanders else "width + height") if one.loop else None
        called = f"learned {number}" if several else "learned"
        known = len(marks)
        sensing = list(rays_of(one, vocabulary, marks))
        group = group_of(one, vocabulary, f"{called}, by chance" if one.weights else called, bound)
        group = replace(group, rules=tuple(plain_where_it_can_be(rule) for rule in group.rules))
        group, unneeded = asking_itself(group, one, vocabulary)
        sensing = [some for some in sensing if some.name not in unneeded]
        marks[known:] = [mark for mark in marks[known:] if mark.name not in unneeded]
        yield from sensing
        if group.rules:
            yield group


def asking_itself(group: Group, program: Program, vocabulary: Vocabulary) -> tuple[Group, set[str]]:
    """The group with what it can look at and count itself instead of marks, and the marks that this spares.

    Where chance draws, what is asked of each neighbour by itself would be drawn for each of them.
    """
    nears, counts = nears_of(program, vocabulary), counts_of(program, vocabulary)
    spared = set[str]()
    members = {name: kinds for kinds, name in vocabulary.classes.items()}
    plain = (
        without_marks(group, nears, members, vocabulary.class_of) if nears and not program.weights else None
    )
    if plain is not None:
        group, spared = plain, {*nears}
    members = {name: kinds for kinds, name in vocabulary.classes.items()}
    plain = counting_itself(group, counts, members, vocabulary.class_of) if counts else None
    if plain is not None:
        group, spared = plain, {*spared, *counts}
    vocabulary.forget(spared)
    return group, spared


def signs_of(program: Program, vocabulary: Vocabulary, marks: list[Kind]) -> Iterator[Group]:
    """The groups that find out which signs are true, each with a mark of its own: a pass may change it."""
    signs = signs_read(program)
    names = names_in(signs)
    kinds = {name: patterns_of(name, program, vocabulary) for name in sorted(names)}
    for sign in signs:
        words = "-".join(one.name for name in (sign.what, *sign.ground) for one in kinds[name][:1])
        mark = mark_of(f"some-{words}-{len(marks) + 1}")
        marks.append(mark)
        vocabulary.pieces[sign.token] = Piece(mark.name)
        yield sensed(sign, mark.name, kinds)


def rays_of(program: Program, vocabulary: Vocabulary, marks: list[Kind]) -> Iterator[Group]:
    """The groups that find out where rays go, each with a mark of its own that faces where it goes."""
    for ray in rays_read(program):
        if isinstance(ray, Crowd):
            source = pattern_of(ray.source, program, vocabulary)
            mark = mark_of(f"{ray.least}-{source.name}-{ray.area}-{len(marks) + 1}")
            marks.append(mark)
            vocabulary.pieces[ray.name] = Piece(mark.name)
            yield counted(ray, mark.name, source)
            continue
        if isinstance(ray, Region):
            source, along = (pattern_of(name, program, vocabulary) for name in (ray.source, ray.along))
            mark = mark_of(f"{along.name}-together-{len(marks) + 1}")
            marks.append(mark)
            vocabulary.pieces[ray.name] = Piece(mark.name)
            yield from region_of(ray, mark.name, source, along)
            continue
        if isinstance(ray, Near):
            named = [name for name in (ray.source, ray.ground) if name]
            kinds = {name: patterns_of(name, program, vocabulary) for name in named}
            words = "-".join(kinds[name][0].name for name in named)
            mark = mark_of(f"near-{words}-{len(marks) + 1}")
            marks.append(mark)
            vocabulary.pieces[ray.name] = Piece(mark.name)
            yield neighbours_of(ray, mark.name, kinds)
            continue
        asked = (ray.source, *ray.barred, *ray.along, *ray.through)
        kinds = {name: patterns_of(name, program, vocabulary) for name in asked}
        words = "-".join(one.name for one in kinds[ray.source][:1])
        mark = replace(mark_of(f"line-{words}-{len(marks) + 1}"), facings=DIRECTIONS, merge=True)
        marks.append(mark)
        for direction in DIRECTIONS:
            vocabulary.pieces[ray.token(direction)] = Piece(mark.name, direction)
        ways = {way for name, way in program.structure.facing.values() if name == ray.source}
        yield from lines_of(ray, mark.name, kinds, faced=not ways.isdisjoint(DIRECTIONS))


def nears_of(program: Program, vocabulary: Vocabulary) -> dict[str, Asked]:
    """What the marks of neighbours stand for, by their kinds."""
    return {
        vocabulary.pieces[near.name].kind: (
            near,
            {name: patterns_of(name, program, vocabulary) for name in (near.source, near.ground) if name},
        )
        for near in rays_read(program)
        if isinstance(near, Near)
    }


def counts_of(program: Program, vocabulary: Vocabulary) -> Counts:
    """What the marks of numbers stand for."""
    return {
        vocabulary.pieces[crowd.name].kind: (crowd, pattern_of(crowd.source, program, vocabulary))
        for crowd in rays_read(program)
        if isinstance(crowd, Crowd)
    }


def pattern_of(name: str, program: Program, vocabulary: Vocabulary) -> Pattern:
    """What a name stands for as one pattern: a class where it is several kinds."""
    patterns = patterns_of(name, program, vocabulary)
    return patterns[0] if len(patterns) == 1 else Pattern(vocabulary.class_of([one.name for one in patterns]))


def patterns_of(name: str, program: Program, vocabulary: Vocabulary) -> list[Pattern]:
    """What a name stands for: the kinds of a family, or one thing with the facing that it has."""
    members = program.structure.members(name)
    pieces = map(vocabulary.piece, members)
    alone = members == [name]
    return list(dict.fromkeys(Pattern(one.kind, one.variant if alone else None) for one in pieces))


def plain_where_it_can_be(rule: Rule) -> Rule:
    """A rule that names nothing relative needs no direction, unless it is for inputs that have one."""
    if rule.toward != "facing":
        return rule
    paths = [c.path for c in rule.conditions if isinstance(c, Condition)]
    paths += [path for effect in rule.effects for path in (effect.path, effect.to or ())]
    relative = any(step not in DIRECTIONS for path in paths for step in path)
    variants = [c.pattern.variant for c in rule.conditions if isinstance(c, Condition) and c.pattern]
    variants += [v for effect in rule.effects for v in (effect.variant, effect.pattern.variant)]
    turned = any(isinstance(v, str) and v not in DIRECTIONS for v in variants)
    return rule if relative or turned else replace(rule, toward="none")
