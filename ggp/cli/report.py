"""Answers as text, tables and JSON data. Nothing here prints; `ggp.cli` does."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

import ggp
from ggp import registry
from ggp.errors import Finding, NotAvailable, PuzzleError, UnsupportedFeature, shown
from ggp.model import Instance, Plan
from ggp.model.board import State, amount, height, width
from ggp.model.export import Judged
from ggp.model.features import needs
from ggp.model.result import Result, to_json
from ggp.model.shown import number_of as number_of
from ggp.referee.contest import goals_of_each
from ggp.referee.keys import Played
from ggp.referee.semantics import budget, ending, initial_state
from ggp.referee.stock import each_kind
from ggp.referee.trajectory import Verdict, piece_text, plan_text, plan_to_json

if TYPE_CHECKING:
    from ggp.bench import Record
    from ggp.encoding.debug import Seen
    from ggp.harness.learning import LearnedGame

Row = dict[str, Any]
LISTED = 20  # so many plans are written out; the rest is counted


# --- ggp list ----------------------------------------------------------------------------------------------


def listing(what: str) -> list[Row]:
    """The rows of `ggp list WHAT` as JSON data."""
    if what == "games":
        return [game_row(name) for name in sorted(registry.GAMES)]
    if what == "levels":
        return [row for name in sorted(registry.GAMES) for row in level_rows(name)]
    tables = {"exporters": "exporter", "solvers": "solver", "learners": "learner", "players": "player"}
    kind = tables[what]
    return [tool_row(kind, name) for name in sorted(registry.TABLES[kind]) if name != "null"]


def game_row(name: str) -> Row:
    """A game with the number of its levels."""
    from ggp.language import levels

    game, kept = levels.load_game(name)
    about = game.said
    return {"name": name, "title": game.title, "levels": len(kept), "about": about} | brought("game", name)


def brought(kind: str, name: str) -> Row:
    """Where a thing is from."""
    return {"from": registry.origin(kind, name)}


def level_rows(name: str) -> Iterator[Row]:
    """Each level of a game with what is known of it."""
    from ggp.language import levels

    game, kept = levels.load_game(name)
    for level in kept:
        known = level.known
        yield {
            "name": f"{name}/{level.name}",
            "title": level.title,
            "size": f"{len(level.board)}x{len(level.board[0])}",
            "solvable": known.solvable,
            "solutions": known.solutions,
            "optimum": dict(known.optimum),
        }


def tool_row(kind: str, name: str) -> Row:
    """An exporter, solver or learner, and why it cannot run here if so."""
    try:
        module = registry.load(kind, name)
    except NotAvailable as broken:
        return {"name": name, "about": "", "available": False, "why": str(broken)} | brought(kind, name)
    reason = module.available()
    about = (module.__doc__ or "").strip().split("\n")[0]
    row = {"name": name, "about": about, "available": reason is None, "why": reason or ""}
    row |= brought(kind, name)
    if kind == "exporter":
        row["also verified by"] = [f"{engine}: {why or 'yes'}" for engine, why in oracles(module).items()]
    return row


def oracles(module: ModuleType) -> dict[str, str | None]:
    """The engines, beyond the one that is always asked, that judge a format where they are installed."""
    return module.oracles() if isinstance(module, Judged) else {}


def listing_table(what: str, rows: Sequence[Row]) -> Any:
    """The rows as a table."""
    from rich.table import Table

    table = Table(title=what, title_justify="left", box=None, pad_edge=False, show_header=bool(rows))
    keys = list(rows[0]) if rows else []
    for key in keys:
        table.add_column(key, overflow="fold", no_wrap=key == "name")
    for row in rows:
        table.add_row(*(cell_text(row[key]) for key in keys))
    if not rows:
        table.add_column()
        table.add_row("none yet")
    return table


def cell_text(value: Any) -> str:
    """One value in a table."""
    if isinstance(value, dict):
        return ", ".join(f"{key} {number}" for key, number in value.items())
    if isinstance(value, list):
        return "; ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else shown(str(value))


# --- ggp show, ggp check --------------------------------------------------------------------------------


def instance_text(instance: Instance, *, colour: bool, numbers: bool) -> Iterator[Any]:
    """What `ggp show` prints: the title, the board, the goal and the numbers."""
    game, level = instance.game, instance.level
    yield f"{instance.name}: {level.title or game.title}"
    yield from board_text(instance, Plan(), colour=colour, numbers=numbers)
    when = {"horizon": "at the last turn", "any-turn": "at any turn"}[ending(instance)]
    moving = game.input is not None or bool(game.physics)
    goal = "; ".join(term.say(instance) for term in game.goal.terms)
    if game.simultaneous:
        yield f"players: {', '.join(game.players)}; all move at the same time"
        goal = goals_of_each(instance)
    elif len(game.players) > 1:
        yield f"players: {', '.join(game.players)}; whoever makes the turn wins or loses by it"
    yield f"goal{f' {when}' if moving else ''}: {goal}"
    if not (colour or numbers):
        yield from clue_lines(instance)
    if game.goal.lose:
        yield f"lost if: {'; '.join(term.say(instance) for term in game.goal.lose)}"
    if moving:
        yield f"turns: {'no limit' if level.horizon is None else level.horizon}"
    if game.design is not None:
        yield f"to place: {game.design.named}, {how_many(instance)}"
    if game.input is not None:
        declared = game.input
        pick = [f"pick {declared.pick}"] if declared.pick else []
        wait = ["wait"] if declared.wait else []
        yield f"inputs: {', '.join([*declared.moves, *declared.verbs, *pick, *wait])}"


def clue_lines(instance: Instance) -> Iterator[str]:
    """What the plain map of a level does not show: its regions and what it tells of them."""
    from ggp.language.description.writing import regions_text
    from ggp.render.clues import clue_text

    for name, regions in instance.level.regions:
        yield f"{name} = {regions_text(instance.level, regions)}"
    for name, clues in instance.level.clues:
        yield f"clues of {name}: {' '.join(map(clue_text, clues))}"


def how_many(instance: Instance) -> str:
    """How many pieces the design may or must place."""
    if instance.game.design is not None and instance.game.design.fill:
        return "one on every free cell"
    limit = budget(instance)
    return f"{'any number' if limit is None else f'at most {limit}'}{each_kind(instance)}"


def board_text(instance: Instance, plan: Plan, *, colour: bool, numbers: bool = False) -> Iterator[Any]:
    """The board with a plan's design placed."""
    state = initial_state(instance, plan.design, partial=True)
    yield from state_text(instance, state, colour=colour, numbers=numbers)
    yield from legend(instance, (state,), colour=colour)


def run_text(
    instance: Instance, plan: Plan, verdict: Verdict, *, colour: bool, numbers: bool
) -> Iterator[Any]:
    """What `ggp show --plan` prints: each state that the plan comes to, with its input, and the verdict."""
    for turn, state in enumerate(verdict.states):
        given = f": {plan.actions[turn - 1]}" if 0 < turn <= len(plan.actions) else ""
        yield f"turn {turn}{given}" if turn else f"{instance.name}: the start"
        yield from state_text(instance, state, colour=colour, numbers=numbers)
    yield from legend(instance, verdict.states, colour=colour)
    yield verdict_text(verdict)


def state_text(instance: Instance, state: State, *, colour: bool, numbers: bool) -> Iterator[Any]:
    """The board of one state."""
    from ggp.render import terminal

    if colour or numbers:
        text = terminal.text(instance, state, numbers=numbers)
        text.rstrip()
        yield text
    else:
        yield terminal.plain(instance, state)


def legend(instance: Instance, states: Sequence[State], *, colour: bool = False) -> Iterator[str]:
    """What the characters on these boards stand for that the game's own symbols do not tell."""
    from ggp.render import terminal

    return terminal.legend_lines(instance, states, colour=colour)


def board_json(instance: Instance, state: State) -> list[list[list[str]]]:
    """What stands on each cell, row by row."""
    wide = width(instance)
    cells = [sorted(map(str, here)) for here in state.board]
    return [cells[first : first + wide] for first in range(0, len(cells), wide)]


def instance_json(instance: Instance) -> Row:
    """An instance as JSON data: what `ggp show --json` prints."""
    level = instance.level
    return {
        "level": instance.name,
        "title": level.title,
        "height": height(instance),
        "width": width(instance),
        "horizon": level.horizon,
        "numbers": {name: amount(instance, name) for name, _ in level.numbers},
        "board": board_json(instance, initial_state(instance, partial=True)),
        "goal": instance.game.goal.sources(instance.game.players),
        "when": ending(instance),
        "needs": [need.feature for need in needs(instance)],
    }


def finding_json(finding: Finding) -> Row:
    """A finding as JSON data."""
    place = finding.place
    return {
        "severity": finding.severity,
        "message": finding.message,
        "remedy": finding.remedy,
        "file": place.file if place else None,
        "line": place.line if place else None,
        "column": place.column if place else None,
    }


def failure_json(findings: Sequence[Finding]) -> Row:
    """What stands in the place of an answer where there is none: the first fault, and all of them."""
    rows = [finding_json(finding) for finding in findings]
    first = {key: rows[0][key] for key in ("remedy", "file", "line", "column")}
    return {"error": findings[0].message, **first, "findings": rows}


# --- ggp solve, ggp replay ----------------------------------------------------------------------------


def failed(instance: Instance, solver: str, error: PuzzleError) -> Result:
    """The result of a solver that refused, is missing or failed."""
    stop = "unsupported" if isinstance(error, UnsupportedFeature | NotAvailable) else "error"
    note = "; ".join(finding.message for finding in error.findings)
    return Result(
        instance.name,
        solver,
        stop,  # type: ignore[arg-type]
        (),
        False,
        versions={"ggp": ggp.__version__},
        note=note,
        instance=instance,
    )


def result_json(instance: Instance, result: Result) -> Row:
    """What `ggp solve --json` prints."""
    return to_json(result, [plan_to_json(instance, plan) for plan in result.plans])


def plans_file(instance: Instance, result: Result) -> str:
    """What `ggp solve -o` writes: the plan, or the whole answer where there are several."""
    if len(result.plans) == 1:
        return plan_text(instance, result.plans[0])
    return json.dumps(result_json(instance, result), indent=1) + "\n"


def moves_text(instance: Instance, plan: Plan) -> str:
    """What a plan places, as moves of Ludii: `Add(site,value)`, in the order of the sites.

    Sites are counted from 0 at the bottom left, row by row; a piece without a value has the value 1.
    """
    rows, columns = height(instance), width(instance)
    sites = {(rows - 1 - row) * columns + column: piece for (row, column), piece in plan.design}
    moves = ((site, piece.variant if isinstance(piece.variant, int) else 1) for site, piece in sites.items())
    return " ".join(f"Add({site},{value})" for site, value in sorted(moves))


def result_text(instance: Instance, result: Result, *, colour: bool) -> Iterator[Any]:
    """What `ggp solve` prints: the verdict, then the plans."""
    yield headline(result)
    if len(result.plans) == 1:
        plan = result.plans[0]
        if instance.game.design is not None:
            yield from board_text(instance, plan, colour=colour)
        if not (instance.game.design is not None and instance.game.design.fill):
            yield f"plan: {plan_line(instance, plan)}"
        return
    for number, plan in enumerate(result.plans[:LISTED], start=1):
        yield f"{number:>4}  {plan_line(instance, plan)}"
    if len(result.plans) > LISTED:
        yield f"      and {len(result.plans) - LISTED} more: --json or -o has them all"


def headline(result: Result) -> str:
    """The verdict in one line."""
    asked = "; ".join(result.asked())
    of = f"{result.level} ({asked})" if asked else result.level
    parts = [f"{of}, {result.solver}: {result.stop}", *result.facts()]
    parts += [f"{number} {name}" for name, number in result.sizes.items()]
    return ", ".join(parts) + (f"\n{result.note}" if result.note else "")


def plan_line(instance: Instance, plan: Plan) -> str:
    """A plan in one line."""
    placed = [f"{piece_text(instance, piece)} ({row},{column})" for (row, column), piece in plan.design]
    return "  ".join([*placed, " ".join(plan.actions)]).strip() or "nothing to do"


def verdict_text(verdict: Verdict) -> str:
    """The referee's verdict in a line."""
    values = "".join(f", {name} {value}" for name, value in verdict.values.items())
    how = "over" if verdict.utilities else "WIN" if verdict.won else "no win"
    return f"{how}: {verdict.reason}{values}"


def utilities_json(instance: Instance, verdict: Verdict) -> Row:
    """What each of several players gets."""
    return dict(zip(instance.game.players, verdict.utilities, strict=False))


def verdict_json(instance: Instance, verdict: Verdict, faults: list[str] | None) -> Row:
    """What `ggp replay --json` prints; `faults` are the constraints that an encoding says are broken."""
    return {
        "level": instance.name,
        "won": verdict.won,
        "turn": verdict.turn,
        "reason": verdict.reason,
        "values": dict(verdict.values),
        **({"utilities": gets} if (gets := utilities_json(instance, verdict)) else {}),
        **({} if faults is None else {"violations": faults}),
    }


def played_json(began: Instance, played: Played) -> Row:
    """What `ggp replay --inputs --json` prints; `board` is that of `ended`, the level of the last input."""
    return {
        "level": began.name,
        "won": played.won,
        "lost": played.lost,
        "turns": played.turns,
        "reason": played.reason,
        "unused": played.unused,
        "ended": played.instance.name,
        "board": board_json(played.instance, played.state),
    }


def played_text(played: Played, *, colour: bool) -> Iterator[Any]:
    """The verdict on a run of inputs, and what stands at its end."""
    verdict = "win" if played.won else "lost" if played.lost else "no win"
    yield f"{verdict}: {played.reason}"
    if played.unused:
        yield f"{number_of('input', played.unused)} came after the end"
    yield f"{played.instance.name}, after {number_of('turn', played.turns)}:"
    yield from state_text(played.instance, played.state, colour=colour, numbers=False)
    yield from legend(played.instance, [played.state], colour=colour)


def seen_text(solver: str, noun: str, seen: Seen) -> str:
    """What breaks in what a solver gets."""
    lines = [f"{solver} gets the encoding by way of {', '.join(seen.steps)}"]
    if seen.agrees:
        return "\n".join([*lines, f"{solver} agrees: every {noun} holds"])
    if seen.line is None:
        lines.append(f"{solver} says no before it begins: {seen.ruled_out}")
    else:
        number, of, text, why = seen.line
        lines += [f"{solver} says no: {noun} {number} of {of}: {text}", f"  which says: {why}"]
        lines += [f"  by then it is certain that {seen.ruled_out}"] if seen.ruled_out else []
    wrong = "nothing breaks, so a lowering says too much"
    return "\n".join([*lines, f"  in the encoding as it is written: {seen.source or wrong}"])


def seen_json(solver: str, seen: Seen) -> Row:
    """What `ggp replay --encoding --solver NAME --json` says of the solver."""
    line = None
    if seen.line is not None:
        line = {**seen.line._asdict(), "why": str(seen.line.why)}
    source = None if seen.source is None else str(seen.source)
    return {
        "solver": solver,
        "by": list(seen.steps),
        "agrees": seen.agrees,
        "line": line,
        "ruled out": seen.ruled_out or None,
        "source": source,
    }


# --- ggp learn ---------------------------------------------------------------------------------------


def learned_json(game: str, learned: LearnedGame) -> Row:
    """What `ggp learn --json` prints."""
    from ggp.harness.work import counterexample

    shown = learned.certificate.counterexample
    return {
        "game": game,
        "learner": learned.learner,
        "rollouts": learned.rollouts,
        "asked": learned.asked,
        "taught": learned.taught,
        "unsaid": learned.unsaid,
        "examples": learned.examples,
        "seconds": round(learned.seconds, 3),
        "rules": learned.rules_text.splitlines(),
        "certificate": learned.certificate.text,
        "scope": learned.certificate.scope,
        "counterexample": None if shown is None else counterexample(shown),
    }


def learned_text(learned: LearnedGame) -> Iterator[str]:
    """What `ggp learn` prints: the rules, what they rest on, and the certificate as the last line."""
    yield learned.rules_text.rstrip()
    asked = f" and {number_of('turn', learned.asked)} that question the rules" if learned.asked else ""
    taught = f", {number_of('turn', learned.taught)} that the certificate found" if learned.taught else ""
    of = f"{learned.rollouts} roll-outs{asked}{taught}"
    yield f"{of}, {learned.examples} examples, {learned.seconds:.1f} s"
    if learned.unsaid:
        yield f"no rules were found for {number_of('turn', learned.unsaid)} of these"
    shown = learned.certificate.counterexample
    if shown is not None:
        from ggp.render.terminal import plain

        yield "on this level:"
        yield plain(shown.instance, shown.before)
        yield f"input: {shown.action}" if shown.action is not None else "without an input"
        for who, state in (("described", shown.described), ("learned", shown.learned)):
            yield f"{who}:"
            yield plain(shown.instance, state) if state is not None else "breaks off: two rules collide"
        seen = (shown.before, shown.described, shown.learned)
        yield from legend(shown.instance, [state for state in seen if state is not None])
    yield learned.certificate.scope
    yield f"certificate: {learned.certificate.text}"


# --- ggp bench ---------------------------------------------------------------------------------------------


def rate_text(rate: float | None) -> str:
    """A rate with its thousands set off."""
    return "" if rate is None else f"{rate:,.0f}"


def bench_table(records: Sequence[Record]) -> Any:
    """The records of a benchmark as a table, each with its ratio to the baseline."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    rated = any(record.rate is not None for record in records)
    columns = ["bench", "what", "seconds", "times faster", "solutions", "complete", "agrees", "limit"]
    for column in (*columns, *(("a second", "at least") if rated else ())):
        table.add_column(column, justify="left" if column in ("bench", "what") else "right")
    for record in records:
        table.add_row(
            record.bench,
            record.what,
            f"{record.seconds:.4f}",
            "" if record.ratio is None else f"{record.ratio:.1f}",
            *(cell_text(v) for v in (record.solutions, record.complete, record.agrees, record.limit)),
            *((rate_text(record.rate), rate_text(record.least)) if rated else ()),
        )
    return table
