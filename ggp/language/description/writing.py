"""Writes a game and its levels as a description file that reads back equal."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from typing import Any

from ggp.errors import DescriptionError
from ggp.goals.on import pattern_text
from ggp.goals.pattern import seen_text
from ggp.language.description.game import default_objectives
from ggp.language.description.generate import generate_sections
from ggp.language.description.hints import hints_sections
from ggp.language.description.plans import known_lines
from ggp.language.maps import first_symbols
from ggp.language.toml.writing import (
    given,
    inline_table,
    key_text,
    map_text,
    multiline,
    pairs,
    quoted,
    value_text,
)
from ggp.model import (
    DIRECTIONS,
    Asked,
    Block,
    Cell,
    Class,
    Clue,
    Compared,
    Effect,
    Game,
    Group,
    InputIs,
    Kind,
    Level,
    Nearby,
    OnBoard,
    Path,
    Phase,
    Piece,
    Rule,
    scoring,
)
from ggp.model.pieces import default_toward, nothing_moves
from ggp.model.scan import Scan

# Characters for what the symbols of a game do not cover, and letters for regions, in sorting order.
SPARE = string.ascii_letters + string.digits + "!$%&*+,-/:;<=>?@^_|~" + "".join(map(chr, range(0xC0, 0x250)))
LETTERS = string.ascii_uppercase + string.ascii_lowercase + "".join(map(chr, range(0xC0, 0x250)))


def write_game(game: Game, levels: Sequence[Level] = ()) -> str:
    """The text of a description file with this game and these levels, in the usual layout.

    Reading it gives an equal game and equal levels. Raises DescriptionError for what no file can say.
    """
    if game.scan is not None and game.scan.said is None:
        message = f"no description says rules in scan order, as those of {game.name} are"
        raise DescriptionError(message, "keep the file that it comes from", game.place)
    sections = [*game_sections(game), *(level_section(game, level) for level in levels)]
    return "\n\n".join("\n".join(lines) for lines in sections) + "\n"


def write_levels(name: str, game: Game, levels: Sequence[Level], title: str = "") -> str:
    """The text of a file of levels only; `name` is what it calls their game: a built-in one, or a path.

    Reading it gives equal levels. Raises DescriptionError for what no file can say.
    """
    sections = [pairs(given({"game": name, "title": title})), *(level_section(game, one) for one in levels)]
    return "\n\n".join("\n".join(lines) for lines in sections) + "\n"


# --- the game -------------------------------------------------------------------------------------------


def game_sections(game: Game) -> Iterator[list[str]]:
    """The blocks of lines that stand before the levels."""
    yield head(game)
    yield ["[kinds]", *(f"{key_text(kind.name)} = {kind_text(kind)}" for kind in game.kinds)]
    if game.classes:
        yield ["[classes]", *pairs((group.name, class_value(group)) for group in game.classes)]
    if game.symbols:
        yield ["[symbols]", *symbol_lines(game)]
    if game.design is not None:
        yield ["[design]", *pairs(design_items(game))]
    if game.input is not None:
        yield ["[input]", *pairs(input_items(game))]
    for section, phases in (("turn", game.turn), ("physics", game.physics)):
        for phase in phases:
            yield from phase_sections(game, section, phase)
    if game.scan is not None:
        yield ["[scan]", *scan_lines(game.scan)]
    yield ["[goal]", *goal_lines(game)]
    turns = bool(game.turn or game.scan) and len(game.players) == 1
    if game.objectives != default_objectives(game.design, turns, scoring((*game.turn, *game.physics))):
        items = [(o.name, f"moves {o.kind}" if o.counts == "moves" else o.counts) for o in game.objectives]
        yield ["[objectives]", *pairs(items)]
    for scatter in game.chance:
        laid = {"kind": str(scatter.piece), "count": scatter.count, "free-of": scatter.free_of}
        laid["when"] = "" if scatter.when == "start" else scatter.when
        laid["tells"] = tuple(term.source() for term in scatter.tells)
        yield ["[[chance]]", *pairs(given(laid))]
    yield from generate_sections(game)
    yield from hints_sections(game)
    if game.family is not None:
        yield ["[family]", *pairs([("sizes", [game.family.smallest, game.family.largest])])]
        if game.family.numbers:
            values = [(name, {"powers": powers, "over": over}) for name, powers, over in game.family.numbers]
            yield ["[family.numbers]", *pairs(values)]
    for name, settings in game.forms:
        yield [f"[forms.{key_text(name)}]", *pairs(settings.items())]


def head(game: Game) -> list[str]:
    """The lines that stand above all tables."""
    lines = pairs([("name", game.name)])
    if game.title != game.name:
        lines += pairs([("title", game.title)])
    if "\n" in game.about:
        lines.append(f"about = {multiline(game.about + chr(10))}")
    elif game.about:
        lines += pairs([("about", game.about)])
    lines += pairs(given({"author": game.author, "homepage": game.homepage}))
    if game.players != ("player",):
        lines += pairs([("players", game.players)])
    return lines + pairs(given({"wraps": game.wraps}))


def kind_text(kind: Kind) -> str:
    """A kind on one line, what it leaves open left out."""
    values = {
        "facing": kind.facings,
        "values": kind.values,
        "merge": kind.merge,
        "marker": kind.marker,
        "hidden": kind.hidden,
        "count": count_text(kind.count),
        "tile": kind.tile,
        "colour": kind.colour,
        "narrow": kind.narrow,
    }
    return inline_table([("layer", kind.layer), *given(values)])


def count_text(count: tuple[int, int | None] | None) -> str | None:
    """`1`, `1..` or `0..2`."""
    if count is None:
        return None
    low, high = count
    return f"{low}" if low == high else f"{low}..{'' if high is None else high}"


def class_value(group: Class) -> Any:
    """The members of a class, per direction where it depends on it."""
    if not group.by_direction:
        return group.members
    return dict(group.by_direction) | ({"other": group.members} if group.members else {})


def symbol_lines(game: Game) -> list[str]:
    """The symbols; a run of characters for successive values becomes one key."""
    runs: list[tuple[str, tuple[Piece, ...]]] = []
    for symbol, pieces in game.symbols:
        if runs and continues(runs[-1], pieces):
            runs[-1] = (runs[-1][0] + symbol, runs[-1][1])
        else:
            runs.append((symbol, pieces))
    # Even one character is a quoted key here, so that the column of symbols is easy to read.
    return [
        f"{quoted(symbols)} = {quoted(' '.join(map(str, pieces)) + ('..' if len(symbols) > 1 else ''))}"
        for symbols, pieces in runs
    ]


def continues(run: tuple[str, tuple[Piece, ...]], pieces: tuple[Piece, ...]) -> bool:
    """Does a symbol stand for the value that comes after those of the run?"""
    symbols, first = run
    if len(first) != 1 or len(pieces) != 1 or not isinstance(first[0].variant, int):
        return False
    return pieces[0] == Piece(first[0].kind, first[0].variant + len(symbols))


def design_items(game: Game) -> list[tuple[str, Any]]:
    """The keys of `[design]`."""
    assert game.design is not None
    design = game.design
    place = design.kinds[0] if len(design.kinds) == 1 else design.kinds
    limit = dict(design.limits) or design.limit
    return given({"place": place, "free-of": design.free_of, "limit": limit, "fill": design.fill})


def input_items(game: Game) -> list[tuple[str, Any]]:
    """The keys of `[input]`."""
    assert game.input is not None
    told = game.input
    values = {"moves": told.moves, "verbs": told.verbs, "pick": told.pick, "wait": told.wait}
    values |= {"again": told.again, "stuck": told.stuck if told.stuck != "draws" else None}
    values |= {"simultaneous": told.simultaneous}
    return given(values)


def scan_lines(scan: Scan) -> list[str]:
    """The keys of `[scan]`."""
    flags = {"at-start": scan.at_start, "must-move": scan.must_move}
    return [*pairs(given({"player": scan.player.kinds, **flags})), f"rules = {multiline(scan.said or '')}"]


def goal_lines(game: Game) -> list[str]:
    """The keys of `[goal]`, long lists over several lines."""
    lines = pairs([("when", game.goal.when)])
    lose = [source(term) for term in game.goal.lose]
    for key, texts in (("win", game.goal.sources(game.players)), ("lose", lose)):
        if len(texts) > 1:
            lines += [f"{key} = [", *(f"  {quoted(text)}," for text in texts), "]"]
        elif texts or key == "win":
            lines += pairs([(key, texts)])
    return lines


def source(term: Any) -> str:
    """A goal term as descriptions write it."""
    text: str = term.source()
    return text


# --- rules ------------------------------------------------------------------------------------------------


def phase_sections(game: Game, section: str, phase: Phase) -> Iterator[list[str]]:
    """The lines of a group, or of a block and its groups."""
    lines = pairs(given({"name": phase.name}))
    if phase.bound is not None:
        lines += pairs([("until", "stable"), ("bound", phase.bound)])
    if isinstance(phase, Group) and phase.draw is not None:
        lines += pairs([("draw", phase.draw), *weight_items(phase)])
    if not isinstance(phase, Block):
        yield [f"[[{section}]]", *lines, f"rules = {multiline(rules_text(game, section, phase))}"]
        return
    yield [f"[[{section}]]", *lines]
    for group in phase.groups:
        inner = next(phase_sections(game, section, group))
        yield [f"[[{section}.group]]", *inner[1:]]


def weight_items(group: Group) -> list[tuple[str, object]]:
    """The weights of a group in which chance draws."""
    if not group.weights:
        return []
    named = zip((rule.name for rule in group.rules), group.weights, strict=True)
    weights = {name: weight if isinstance(weight, int) else str(weight) for name, weight in named}
    return [("weights", weights)]


def rules_text(game: Game, section: str, group: Group) -> str:
    """One rule a line, with the arrows below each other."""
    halves = [rule_halves(game, section, rule) for rule in group.rules]
    width = max((len(left) for left, _ in halves if len(left) <= 80), default=0)
    return "".join(f"{left:<{width}} => {right}\n" for left, right in halves)


def rule_halves(game: Game, section: str, rule: Rule) -> tuple[str, str]:
    """A rule as written, left and right of its arrow."""
    if not rule.conditions:
        raise DescriptionError(
            f"rule {rule.name} has no conditions", "write at least `inside here`", rule.place
        )
    kinds = {kind.name: kind for kind in game.kinds}
    classes = {group.name: group for group in game.classes}
    usual = default_toward(rule.conditions, rule.effects, kinds, classes, section)
    header = f" toward {rule.toward}" if rule.toward != usual else ""
    if rule.directions != DIRECTIONS:
        if rule.toward != "any":
            message = f"rule {rule.name} goes toward {rule.toward} in some directions only"
            raise DescriptionError(message, "only a rule `toward any` can choose them", rule.place)
        header = f" toward {' '.join(rule.directions)}"
    conditions = ", ".join(condition_text(condition) for condition in rule.conditions)
    effects = ", ".join(effect_text(effect) for effect in rule.effects)
    worth = f"score {rule.score}" if rule.score else ""
    return f"{rule.name}{header}: {conditions}", ", ".join(filter(None, (effects, worth))) or "stay"


def path_text(path: Path) -> str:
    """A cell as rules write it."""
    return ".".join(path) or "here"


def condition_text(condition: Asked) -> str:
    """A condition as rules write it."""
    if isinstance(condition, InputIs):
        return f"input {condition.word}"
    if isinstance(condition, OnBoard):
        return condition.sentence.source()
    if isinstance(condition, Compared):
        return f"{condition.left} {condition.comparison} {condition.right}"
    if isinstance(condition, Nearby):
        where = ", ".join(map(path_text, condition.cells))
        counted = f"count {pattern_text(condition.pattern)} at {where}"
        return f"{counted} {condition.comparison} {condition.number}"
    return seen_text(condition)


def effect_text(effect: Effect) -> str:
    """An effect as rules write it."""
    what = f"{pattern_text(effect.pattern)} {path_text(effect.path)}"
    only = " if inside" if effect.if_inside else ""
    made = effect.variant if effect.computed is None else effect.computed
    if effect.verb == "move":
        variant = f" :{made}" if made is not None else ""
        return f"{what} -> {path_text(effect.to or ())}{variant}{only}"
    return f"turn {what} {made}{only}" if effect.verb == "turn" else f"{effect.verb} {what}{only}"


# --- levels -----------------------------------------------------------------------------------------------


def level_section(game: Game, level: Level) -> list[str]:
    """The lines of one level. Raises DescriptionError for cells to be avoided: no file can say that."""
    if level.avoid:
        message = f"the file of level {level.name} cannot say on which cells nothing may be placed"
        raise DescriptionError(message, "write the level that this was asked about", level.place)
    (rows, *drawings), own = draw(game, level)
    drawn = {name: map_text(text) for (name, _), text in zip(level.patterns, drawings, strict=True)}
    still = nothing_moves(game) and level.horizon == 0  # goes without saying
    items = {"name": level.name, "title": level.title, "horizon": None if still else level.horizon}
    lines = ["[[level]]", *pairs([*given(items), *level.numbers, *given({"when": level.when})])]
    lines.append(f"map = {map_text(rows)}")
    if own:
        texts = {symbol: " ".join(sorted(map(str, pieces))) for pieces, symbol in own.items()}
        lines += [
            "[level.symbols]",
            *(f"{quoted(symbol)} = {quoted(text)}" for symbol, text in texts.items()),
        ]
    if level.regions:
        lines += ["[level.regions]"]
        lines += [f"{key_text(name)} = {regions_text(level, regions)}" for name, regions in level.regions]
    if level.patterns:
        lines += ["[level.patterns]", *(f"{key_text(name)} = {text}" for name, text in drawn.items())]
    if level.clues:
        lines += ["[level.clues]", *pairs((name, clue_values(clues)) for name, clues in level.clues)]
    known = known_lines(game, level, first_symbols(game) | own)
    return [*lines, "[level.known]", *known] if known else lines


def clue_values(clues: Sequence[Clue]) -> list[Any]:
    """The clues of the regions of one name: a single number without brackets."""
    return ["?" if clue is None else clue[0] if len(clue) == 1 else list(clue) for clue in clues]


def draw(game: Game, level: Level) -> tuple[list[list[str]], dict[frozenset[Piece], str]]:
    """The rows of a level's map and of its patterns, and symbols for what the game's do not cover."""
    symbols = first_symbols(game)
    taken = {symbol for symbol, _ in game.symbols}
    spare = (symbol for symbol in SPARE if symbol not in taken)
    own: dict[frozenset[Piece], str] = {}
    boards = [level.board, *(board for _, board in level.patterns)]
    for here in (here for board in boards for row in board for here in row):
        if here not in symbols:
            symbols[here] = own[here] = next_spare(spare, level)
    return [["".join(symbols[here] for here in row) for row in board] for board in boards], own


def next_spare(spare: Iterator[str], level: Level) -> str:
    """A character that is not in use yet."""
    symbol = next(spare, None)
    if symbol is None:
        raise DescriptionError(f"level {level.name} has too many sorts of cells to draw", "", level.place)
    return symbol


def regions_text(level: Level, regions: Sequence[Sequence[Cell]]) -> str:
    """Regions as a map of letters, or as lists of cells where a map cannot show them."""
    cells = [cell for region in regions for cell in region]
    in_order = all(list(region) == sorted(region) and region for region in regions)
    if not in_order or len(set(cells)) < len(cells) or len(regions) > len(LETTERS):
        return "\n".join(["[", *(f"  {value_text(region)}," for region in regions), "]"])
    letters = {cell: LETTERS[index] for index, region in enumerate(regions) for cell in region}
    rows = ("".join(letters.get((r, c), ".") for c in range(len(row))) for r, row in enumerate(level.board))
    return map_text(rows)
