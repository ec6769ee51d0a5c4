"""What was learned, as rules of the description language: they can be read, run, exported and solved.

Here are whole turns: passes, and the marks that what they read is found out with.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product

from ggp.learn.fit.program import Passes, Program, meaning, programs_of
from ggp.learn.seen.crowded import Crowd
from ggp.learn.seen.nearby import Near
from ggp.learn.seen.signs import Sign
from ggp.learn.seen.unused import untaken
from ggp.learn.write.beside import Asked, without_marks
from ggp.learn.write.counts import Counts, counting_itself
from ggp.learn.write.made import with_facings_made
from ggp.learn.write.on_board import asking_the_board
from ggp.learn.write.one_rule import OneRule
from ggp.learn.write.parts import rules_of
from ggp.learn.write.patterns import Patterns
from ggp.learn.write.senses import groups_of as sensing_groups
from ggp.learn.write.senses import senses_read, signs_read
from ggp.learn.write.senses.marking import mark_of
from ggp.learn.write.vocabulary import Vocabulary
from ggp.model import (
    DIRECTIONS,
    Condition,
    Game,
    Group,
    Input,
    InputIs,
    Kind,
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
    told_all = replace(game, turn=groups) if shell.input is not None else replace(game, physics=groups)
    return with_facings_made(told_all)


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
                name = untaken(family, taken)
                marks[family] = replace(mark_of(name), facings=DIRECTIONS if facing else ())
            vocabulary.pieces[token] = Piece(marks[family].name, facing)
    return list(marks.values())


def groups_of(program: Program | Passes, vocabulary: Vocabulary, marks: list[Kind]) -> Iterator[Group]:
    """The rules of each pass, after those of the signs that it reads, whose marks are added to `marks`."""
    passes = [one for one in programs_of(program) for _ in range(one.times)]
    several = len(passes) > 1 or isinstance(program, Passes)
    for number, one in enumerate(passes, start=1):
        patterns = Patterns(one.structure, vocabulary)
        bound = ("width * height" if one.wanders else "width + height") if one.loop else None
        called = f"learned {number}" if several else "learned"
        known = len(marks)
        sensing = list(sensing_groups((*signs_read(one), *senses_read(one)), patterns, marks))
        group = group_of(one, vocabulary, f"{called}, by chance" if one.weights else called, bound)
        group = replace(group, rules=tuple(plain_where_it_can_be(rule) for rule in group.rules))
        group, unneeded = asking_itself(group, one, patterns)
        sensing = [some for some in sensing if some.name not in unneeded]
        marks[known:] = [mark for mark in marks[known:] if mark.name not in unneeded]
        if not one.weights:
            group = replace(group, rules=saying_once(one, vocabulary).as_few(group.rules))
        yield from sensing
        if group.rules:
            yield group


def saying_once(program: Program, vocabulary: Vocabulary) -> OneRule:
    """What says rules once that differ in one kind; kinds are apart where all that is of them is."""
    of_kind: dict[str, set[str]] = defaultdict(set)
    for token, piece in vocabulary.pieces.items():
        of_kind[piece.kind].add(program.structure.name(token))
    apart = {
        frozenset({one, other})
        for one, other in combinations(of_kind, 2)
        if all(frozenset(pair) in program.structure.apart for pair in product(of_kind[one], of_kind[other]))
    }
    members = {name: kinds for kinds, name in vocabulary.classes.items()}
    return OneRule(members, apart, vocabulary.class_of)


def asking_itself(group: Group, program: Program, patterns: Patterns) -> tuple[Group, set[str]]:
    """The group with what it can look at and count itself instead of marks, and the marks that this spares.

    Where chance draws, what is asked of each neighbour by itself would be drawn for each of them.
    """
    nears, counts = nears_of(program, patterns), counts_of(program, patterns)
    vocabulary = patterns.vocabulary
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
    members = {name: kinds for kinds, name in vocabulary.classes.items()}
    signs = signs_of(program, patterns) if not program.weights else {}
    plain = asking_the_board(group, signs, members, patterns) if signs else None
    if plain is not None:
        group, spared = plain, {*spared, *signs}
    vocabulary.forget(spared)
    return group, spared


def nears_of(program: Program, patterns: Patterns) -> dict[str, Asked]:
    """What the marks of neighbours stand for, by their kinds."""
    return {
        patterns.vocabulary.pieces[near.name].kind: (
            near,
            {name: patterns.all_of(name) for name in (near.source, near.ground) if name},
        )
        for near in senses_read(program)
        if isinstance(near, Near)
    }


def signs_of(program: Program, patterns: Patterns) -> dict[str, Sign]:
    """What the marks of signs stand for."""
    return {patterns.vocabulary.pieces[sign.token].kind: sign for sign in signs_read(program)}


def counts_of(program: Program, patterns: Patterns) -> Counts:
    """What the marks of numbers stand for."""
    return {
        patterns.vocabulary.pieces[crowd.name].kind: (crowd, patterns.one_of(crowd.source))
        for crowd in senses_read(program)
        if isinstance(crowd, Crowd)
    }


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
