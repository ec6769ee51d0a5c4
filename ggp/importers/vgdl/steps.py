"""Rules as the lowering writes them: one pass after another, each for the forms that are there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ggp.errors import Place
from ggp.importers.vgdl.forms import Form, Forms
from ggp.model import Amount, Condition, Effect, Group, InputIs, Kind, Path, Pattern, Rule

HERE: Path = ()
IMPOSSIBLE = "impossible"  # where it comes the game stops: it is lost, whatever the engine would do
Ask = Condition | InputIs


def there(pattern: Pattern, path: Path = HERE) -> Condition:
    """It stands there."""
    return Condition("present", path, pattern)


def gone(pattern: Pattern, path: Path = HERE) -> Condition:
    """It does not stand there."""
    return Condition("absent", path, pattern)


def edge(way: str, *, outside: bool) -> Condition:
    """The cell that way is outside the board, or inside."""
    return Condition("outside" if outside else "inside", (way,))


def put(pattern: Pattern, path: Path = HERE) -> Effect:
    """It is put there."""
    return Effect("add", pattern, path)


def take(pattern: Pattern, path: Path = HERE) -> Effect:
    """It is taken away."""
    return Effect("remove", pattern, path)


def stop() -> tuple[Effect, ...]:
    """What cannot be said: it is marked where, and the game is lost."""
    return (put(Pattern(IMPOSSIBLE)),)


class Step:
    """Collects the rules of one pass. `becomes` are the forms that they make.

    `drawn`: for each sprite chance draws one of the rules that match, by their weights.
    """

    def __init__(
        self, forms: Forms, name: str, place: Place | None, held: Pattern | None, *, drawn: bool = False
    ) -> None:
        self.forms, self.name, self.place, self.held, self.drawn = forms, name, place, held, drawn
        self.rules: list[Rule] = []
        self.weights: list[int] = []
        self.becomes: set[Form] = set()
        self.spent: set[Form] = set()  # forms of which none is left

    def add(
        self, asks: Iterable[Ask], effects: Iterable[Effect], what: str = "", weight: int = 1, score: int = 0
    ) -> None:
        """A rule that turns nothing."""
        name = f"{self.name}-{what}" if what else self.name
        self.weights.append(weight)
        self.rules.append(Rule(name, "none", tuple(asks), tuple(effects), place=self.place, score=score))

    def change(
        self,
        form: Form,
        new: Form | None,
        asks: Iterable[Ask] = (),
        also: Iterable[Effect] = (),
        to: Path = HERE,
        what: str = "",
        weight: int = 1,
    ) -> None:
        """A rule by which a form becomes another one, here or in a neighbouring cell; None: it goes."""
        effects = [take(self.forms.pattern(form))]
        if new is not None:
            effects.append(put(self.forms.pattern(new), to))
            self.becomes.add(new)
        if to and self.held is not None and form.key in self.forms.players:
            effects.append(Effect("move", self.held, HERE, to))
        self.add((there(self.forms.pattern(form)), *asks), (*effects, *also), what, weight)

    def group(self, bound: Amount | None = None) -> Group | None:
        """The pass; None where it has no rules."""
        if not self.rules:
            return None
        if not self.drawn:
            return Group(self.name, tuple(self.rules), bound, self.place)
        weights = tuple(self.weights) if len(set(self.weights)) > 1 else ()
        return Group(self.name, tuple(self.rules), None, self.place, "each", weights)


def markers(names: Iterable[str]) -> Iterator[Kind]:
    """Kinds that carry word within a turn."""
    for name in sorted(names):
        yield Kind(name, name, marker=True)
