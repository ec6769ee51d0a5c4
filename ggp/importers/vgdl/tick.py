"""A tick of VGDL: who moves, what each line of the InteractionSet does, and what comes to rest.

`lower_tick` begins with the forms of the maps and goes through the tick until no new form appears, so that
rules are written for what can be there, and for nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ggp.importers.vgdl.clocks import LONGEST, ONCE, clock, strike
from ggp.importers.vgdl.compact import Board, Local, local
from ggp.importers.vgdl.compact.knowledge import NotLocal
from ggp.importers.vgdl.compact.rules import Writer
from ggp.importers.vgdl.dialects import PY_VGDL, Dialect
from ggp.importers.vgdl.effects import LOWERED
from ggp.importers.vgdl.facts import COMPARED, WALKS, Kind, Line
from ggp.importers.vgdl.forms import AGAINST, DISABLED, KILLED, Form, safe
from ggp.importers.vgdl.known import MAKES
from ggp.importers.vgdl.lowering import Lowering
from ggp.importers.vgdl.parts import WHOLE
from ggp.importers.vgdl.refused import OTHER_DIALECT, TAKEN, Refused
from ggp.importers.vgdl.rest import in_time, settle
from ggp.importers.vgdl.scoring import Uncounted, score, unscored, without
from ggp.importers.vgdl.steps import Step, edge, put, take, there
from ggp.importers.vgdl.turning import turns, turns_aside
from ggp.importers.vgdl.walkers import bombs_about, sets_off, spreads, walks
from ggp.model import Condition, Effect, InputIs, Pattern

PYTHON_DOES = (*WALKS, "spawn", "flicker", "drop", "shoot")  # what sprites of py-vgdl do that is lowered
ALONE = "is lowered for py-vgdl where the avatar alone sets things going"
MOST_TICKS = 1000  # that a clock in a spawn point may count


def lower_tick(lower: Lowering, settled: set[Form], boards: list[Board]) -> None:
    """Lower the tick: in few rules, where the avatar alone sets things going, else pass by pass."""
    lower.unscored = unscored(lower.game, lower.lines)
    if lower.unscored:
        lower.lines = without(lower.lines)
    try:
        found = in_few_rules(lower, boards)
    except NotLocal as why:
        lower.why = str(why)
        begun, gone_through = set(settled), lower.gone_through
        try:
            pass_by_pass(lower, settled)
        except Uncounted as uncounted:
            lower.lines, lower.unscored = without(lower.lines), str(uncounted)
            lower.gone_through = gone_through
            settled &= begun
            pass_by_pass(lower, settled)
        return
    lower.local, lower.stops = found, found.stops
    lower.resources = {key: most for key, most in lower.resources.items() if key in found.resources}
    group = Writer(lower.forms, found, lower.held, lower.place(1)).group()
    lower.phases = [group] if group is not None else []
    settled |= {lower.forms.plain[key] for key in found.together.known}
    if found.dies:
        players = found.together.known & lower.players
        settled |= {lower.forms.plain[key]._replace(dead=DISABLED) for key in players}


def in_few_rules(lower: Lowering, boards: list[Board]) -> Local:
    """The ways through a tick; without a score, where they tell all but that. Raises NotLocal."""
    if lower.chance or lower.strikes or lower.block > 1:
        raise NotLocal("chance or a clock has a say, or something moves by parts of cells")
    try:
        return local(lower.game, lower.kinds, lower.lines, lower.limits, boards)
    except NotLocal as why:
        if lower.unscored:
            raise
        lines = without(lower.lines)
        found = local(lower.game, lower.kinds, lines, lower.limits, boards)
        lower.lines, lower.unscored = lines, f"the score is not known: {why}"
        return found


def pass_by_pass(lower: Lowering, settled: set[Form]) -> None:
    """Lower the tick, for all forms that come of these."""
    while True:
        settled |= in_time(lower, settled)
        few_enough(lower, settled)
        lower.phases, lower.present = [], set(settled)
        lower.met.clear()
        lower.pairs.clear()
        everybody_acts(lower)
        for line in lower.lines:
            lower.now = line
            takes_effect(lower, line)
        lower.now = None
        settle(lower)
        few_enough(lower, lower.present | settled)
        if lower.present <= settled:
            return
        settled |= lower.present


def few_enough(lower: Lowering, forms: set[Form]) -> None:
    """Raise where sprites can be in too many ways to write rules for."""
    if len(forms) >= lower.most:
        raise lower.too_many(forms, f"more than {lower.most:,} ways")


def everybody_acts(lower: Lowering) -> None:
    """All sprites act: type by type in py-vgdl; in GVGAI the avatar first, and then the last type first."""
    if not lower.python:
        avatar_acts(lower, lower.players)
    for key in lower.order if lower.python else reversed(lower.order):
        if key not in lower.players:
            by_itself(lower, key)
        elif lower.python:
            avatar_acts(lower, [key])


def avatar_acts(lower: Lowering, keys: Iterable[str]) -> None:
    """What the avatar does."""
    step = lower.step("play")
    for form in lower.those(keys):
        if form.dead:
            continue
        kind = lower.kinds[form.key]
        if not lower.steps(kind):
            raise Refused(
                f"`{form.key}` moves by {kind.speed} cells", "a speed of 1", lower.line_of(form.key)
            )
        if kind.base.does in ("turn", "go on"):
            (turns_aside if kind.base.does == "turn" else turns)(lower, step, form)
            continue
        if kind.base.does == "fly" and kind.speed:
            flies(lower, step, form)
        for way in [key for key in kind.base.keys if key in AGAINST]:
            asks = (InputIs(way),)
            turned = form._replace(facing=way) if form.key in lower.faces else form
            if not lower.python and kind.turns and form.key in lower.faces and form.facing != way:
                step.change(form, turned, asks)
            elif form.rest == 0:
                lower.go(step, form, lower.moved(turned if kind.base.oriented else form, way), asks)
        if "space" in kind.base.keys and kind.stype is not None:
            shoot(lower, step, form, kind)
    lower.done(step)


def shoot(lower: Lowering, step: Step, form: Form, kind: Kind) -> None:
    """The key of the avatar that makes something, here or before it."""
    if lower.python and kind.base.does == "shoot-all":
        message = f"`{form.key}` shoots four ways at once, which is not lowered"
        raise lower.refuse_type(form.key, message, OTHER_DIALECT)
    if lower.python and kind.ammo is not None:
        ammo_is_counted(lower, form, kind)
    if kind.least > 0 or kind.cost != 1:
        raise Refused("`minAmmo` and `ammoCost` are not lowered", "leave them out", lower.line_of(form.key))
    stype = str(kind.stype)
    ahead = form.facing if kind.base.does == "shoot" else None
    made = lower.born(stype)._replace(at=form.at)
    turns_to = lower.kinds[stype].base.oriented if lower.python else stype in lower.faces
    if not lower.python:
        made = made._replace(rest=lower.begun(stype).rest)
    if ahead is not None and turns_to:
        made = made._replace(facing=ahead)
    asks: tuple[Condition | InputIs, ...] = (InputIs("action"), *alone_now(lower, form.key, stype))
    no_ammo: tuple[tuple[Condition, ...], tuple[Effect, ...]] = ((), ())
    with_ammo = [no_ammo]
    if kind.ammo is not None:
        amounts = range(1, lower.limits.get(kind.ammo, 0) + 1)
        with_ammo = [lower.spend(kind.ammo, amount, amount - 1) for amount in amounts]
    for more, also in with_ammo:
        make(lower, step, form, made, ahead, (*asks, *more), also)


def ammo_is_counted(lower: Lowering, form: Form, kind: Kind) -> None:
    """Raise Refused where what an avatar of py-vgdl shoots has no limit, or is spent where nothing comes."""
    if kind.ammo not in lower.limits:
        message = f"`{kind.ammo}` is spent, and has no limit"
        raise lower.refuse_type(form.key, message, "say `limit=` of its type")
    if lower.kinds[str(kind.stype)].singles:
        message = f"`{form.key}` counts what it shoots, of which there can be one"
        raise lower.refuse_type(form.key, message, "leave `singleton` out, or `ammo`")


def make(
    lower: Lowering,
    step: Step,
    form: Form,
    made: Form,
    ahead: str | None,
    asks: tuple[Condition | InputIs, ...],
    also: tuple[Effect, ...],
) -> None:
    """The avatar makes something, here or in the cell before it."""
    me = there(lower.forms.pattern(form))
    if ahead is None:
        lower.comes(step, (me, *asks), made, also)
        return
    if form.at != WHOLE:
        raise lower.refuse_type(form.key, f"`{form.key}` stands between cells, and shoots")
    lower.comes(step, (me, *asks, edge(ahead, outside=False)), made, also, (ahead,))
    lower.comes(step, (me, *asks, edge(ahead, outside=True)), made._replace(off=True), also)


def by_itself(lower: Lowering, key: str) -> None:
    """What the sprites of a type do before anything meets."""
    kind = lower.kinds[key]
    if kind.base.does in WALKS:
        walks(lower, key)
        return
    if kind.base.does == "spread":
        spreads(lower, key)
        return
    if kind.base.does == "bomb":
        bombs_about(lower, key)
    drawn = kind.base.does == "set off" or (kind.base.does in ("spawn", "bomb") and 0 < kind.chance < 1)
    step = lower.step(f"{safe(key)}-acts", lower.line_of(key), drawn=drawn)
    for form in lower.those([key]):
        if form.dead or (lower.python and form.born):
            continue
        if kind.base.does in ("spawn", "bomb"):
            spawns(lower, step, form, kind)
        elif kind.base.does == "set off" and form.facing is None:
            sets_off(lower, step, form)
        elif key in lower.movers:
            flies(lower, step, form)
        elif kind.base.does == "flicker":
            step.change(form, flickered(lower, form, kind))
            step.spent.add(form)
    lower.done(step)
    if kind.base.does == "spawn" and key in lower.movers:
        goes_after(lower, key)


def flickered(lower: Lowering, form: Form, kind: Kind) -> Form | None:
    """A tick more of what ends in time; GVGAI still meets it in the tick of its end."""
    if lower.python:
        return form._replace(age=form.age + 1) if form.age + 1 < kind.limit else None
    return form._replace(dead=KILLED) if form.age > kind.limit else form._replace(age=form.age + 1)


def alone_now(lower: Lowering, key: str, stype: str) -> tuple[Condition, ...]:
    """What must hold for a type to make another one of which there can be one.

    py-vgdl asks when the turn of the maker comes, since the other one may have ended just before.
    """
    return lower.alone(stype, f"for-{safe(key)}" if lower.python else "")


def goes_after(lower: Lowering, key: str) -> None:
    """What makes something goes on then, also the tick in which it has made all that it makes."""
    step = lower.step(f"{safe(key)}-goes", lower.line_of(key))
    for form in lower.those([key]):
        flies(lower, step, form)
    lower.done(step)


def flies(lower: Lowering, step: Step, form: Form) -> None:
    """What goes on by itself, goes on."""
    if not lower.steps(lower.kinds[form.key]):
        speed = lower.kinds[form.key].speed
        raise lower.refuse_type(form.key, f"`{form.key}` moves by {speed} cells", "a speed of 1")
    if form.off and form.went is not None:
        return
    if form.fresh:
        step.change(form, form._replace(fresh=False))
        step.spent.add(form)
    elif form.rest == 0 and form.facing is not None:
        lower.go(step, form, lower.moved(form, form.facing))
        step.spent.add(form)


def spawns(lower: Lowering, step: Step, form: Form, kind: Kind) -> None:
    """A spawn point: its clock goes round, and counts what it has made."""
    stype, cycle = str(kind.stype), kind.cooldown
    # GVGAI's clock strikes in ticks t with s + t a multiple, s being the first: so in that where it is 2.
    if cycle > (1 if lower.python else 2) and (makers(lower, {form.key}) or form.key in made_by_lines(lower)):
        raise Refused(
            f"`{form.key}` is made during play, and its clock hangs on when",
            "put it on the map, or leave `cooldown` out",
            lower.line_of(form.key),
        )
    if stype in lower.players or stype == form.key:
        message = f"`{form.key}` makes avatars, or its like"
        raise Refused(message, "let it make something else", lower.line_of(form.key))
    if lower.kinds[stype].singles:
        made_here_alone(lower, form.key, stype)
    if cycle * max(1, kind.total) > MOST_TICKS:
        raise Refused(
            f"the clock of `{form.key}` is too long",
            "lower `cooldown` and `total`",
            lower.line_of(form.key),
        )
    made, phase = divmod(form.age, cycle)
    later = (phase + 1) % cycle
    if phase:
        step.change(form, form._replace(age=made * cycle + later))
    else:
        reached = kind.total and made + 1 >= kind.total
        count = made + 1 if kind.total else 0
        new = spent(lower, form) if reached else form._replace(age=count * cycle + later)
        may_spawn(lower, step, form, new, kind, stype)
    step.spent.add(form)


def spent(lower: Lowering, form: Form) -> Form | None:
    """A spawn point that has made all that it makes; GVGAI still meets it in this tick."""
    return None if lower.python else form._replace(dead=KILLED)


def made_here_alone(lower: Lowering, key: str, stype: str) -> None:
    """See that of a type of which there can be one nobody else makes any: else the first maker counts."""
    singles = lower.kinds[stype].singles
    alike = {name for single in singles for name in lower.below[single]}
    others = makers(lower, alike) != {key} or makers(lower, {key}) or made_by_lines(lower) & {key, *alike}
    if len(singles) > 1 or others or key in lower.walkers:
        message = f"`{key}` makes what there can be one of, and so does another"
        raise Refused(message, "leave `singleton` out, or one of those who make it", lower.line_of(key))
    lower.lone.add(key)


def makers(lower: Lowering, keys: set[str]) -> set[str]:
    """The types that make one of these before anything meets."""
    return {
        one.key
        for one in lower.kinds.values()
        if one.behind in keys or (one.stype in keys and (one.base.avatar or one.base.does in MAKES))
    }


def made_by_lines(lower: Lowering) -> set[str]:
    """The types that lines of the InteractionSet make."""
    made = {made for line in lower.lines for made, _ in line.makes()}
    return made | {one for line in lower.lines if line.effect.name == "cloneSprite" for one in line.actors}


def may_spawn(lower: Lowering, step: Step, form: Form, new: Form | None, kind: Kind, stype: str) -> None:
    """The clock of a spawn point is at its start: something comes, if chance will."""
    turned = form._replace(age=form.age // kind.cooldown * kind.cooldown + 1 % kind.cooldown)
    yes, no = kind.chance.numerator, kind.chance.denominator - kind.chance.numerator
    me, away = there(lower.forms.pattern(form)), take(lower.forms.pattern(form))
    free = alone_now(lower, form.key, stype)
    if yes:
        also = (away, put(lower.forms.pattern(new))) if new is not None else (away,)
        lower.comes(step, (me, *free), lower.child(form, kind, stype), also, (), "comes", yes)
        step.becomes |= {new} if new is not None else set()
        for one in free:  # there is one already: chance is asked all the same, and py-vgdl counts
            then = new if lower.python else turned
            step.change(form, then, (replace(one, wants="present"),), what="comes", weight=yes)
    if no:
        step.change(form, turned, what="waits", weight=no)


def takes_effect(lower: Lowering, line: Line) -> None:
    """A line of the InteractionSet."""
    effect = LOWERED.get(line.effect.name)
    if effect is None:
        raise lower.refuse(f"the effect `{line.effect.name}` is played, but not lowered to rules", TAKEN)
    if lower.python and line.effect.partner == "ANY":
        raise lower.refuse(f"`ANY` {ALONE}", f"here it does not: {lower.why}")
    if line.timer is not None:
        strikes(lower, line.timer)
    score(lower, line)
    effect(lower, line)


def strikes(lower: Lowering, timer: int) -> None:
    """Let it be known where the clock strikes, and let it go on, unless it strikes once."""
    if timer > LONGEST:
        raise lower.refuse(f"the clock strikes every {timer:,} ticks", f"at most {LONGEST:,}")
    if lower.flooded(strike(timer).name):
        return
    lower.markers.add(strike(timer).name)
    step = lower.step(f"{clock(timer)}-goes")
    for turn in range(1, max(1, timer) + 1):
        now, then = Pattern(clock(timer), turn), Pattern(clock(timer), turn % max(1, timer) + 1)
        goes_on = (put(then),) if timer != ONCE else ()
        struck = (put(strike(timer)),) if turn == 1 else ()
        step.add((there(now),), (take(now), *goes_on, *struck))
    lower.done(step)
    lower.spread(strike(timer).name)


def lowered(dialect: Dialect, what: str, name: str) -> bool:
    """Do rules come of a construct that the dialect has? `what`: class, effect or termination."""
    python = dialect is PY_VGDL
    if what == "effect":
        return name in LOWERED
    if what == "termination":
        return name in (*COMPARED, "ResourceCounter", "Timeout")
    base = dialect.bases[name]
    itself = base.does not in ("", "walk", "face")
    return not (python and itself and base.does not in PYTHON_DOES)
