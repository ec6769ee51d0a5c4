"""A file of XCSP3-core as an Encoding; every solver that works through one takes it then.

What cannot be spelt out (a domain of a million values) is refused with its place: programs that read XCSP3
themselves still run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from ggp.encoding.constraints import Encoding
from ggp.encoding.literals import Lit
from ggp.engines.instances.encoding import ARRAY, instance_of, plan_of, value_of
from ggp.engines.instances.xcsp.kinds import choosing, counting, ordering, packing, words
from ggp.engines.instances.xcsp.poster import MOST_VALUES, Poster
from ggp.engines.instances.xcsp.said import MOST_CONSTRAINTS, Said, constraints, said, whole
from ggp.engines.instances.xcsp.scope import Scope
from ggp.engines.instances.xcsp.totals import Total
from ggp.engines.instances.xcsp.trees import Trees
from ggp.engines.instances.xcsp.writing import Kind, Writer
from ggp.engines.instances.xcsp3 import File, element_of

if TYPE_CHECKING:
    from lxml.etree import _Element

MOST_TOGETHER = 4_000_000  # values of all variables

KINDS: Mapping[str, Kind] = {
    "intension": words.intension,
    "extension": words.extension,
    "regular": words.regular,
    "mdd": words.mdd,
    "allDifferent": counting.all_different,
    "allEqual": counting.all_equal,
    "sum": counting.total,
    "count": counting.count,
    "nValues": counting.number_of_values,
    "cardinality": counting.cardinality,
    "minimum": counting.minimum,
    "maximum": counting.maximum,
    "ordered": ordering.ordered,
    "lex": ordering.lex,
    "precedence": ordering.precedence,
    "element": choosing.element,
    "channel": choosing.channel,
    "instantiation": choosing.instantiation,
    "circuit": choosing.circuit,
    "noOverlap": packing.no_overlap,
    "cumulative": packing.cumulative,
    "binPacking": packing.bin_packing,
    "knapsack": packing.knapsack,
}


def encoding_of(file: File, tick: Callable[[], None] = lambda: None) -> Encoding:
    """The file as an encoding; raises DescriptionError, and PuzzleError for what cannot be spelt out."""
    root = element_of(file.text, file.name)
    encoding = Encoding(instance_of(file.name), 0)
    post = Poster(encoding, file.name, tick)
    numbers = declared(file, post)
    encoding.notes[ARRAY] = f"the variables of {file.name}, in their order"
    write = Writer(post, Scope(numbers, file.declared.sizes), Trees(post, numbers))
    for part in root.findall("constraints"):
        constrain(part, file, write)
    for part in root.findall("objectives"):
        for one in part:
            minimise(whole(said(one, file.name)), file.sign, write)
    encoding.decoder = lambda values: plan_of(len(numbers), values)
    return encoding


def declared(file: File, post: Poster) -> dict[str, int]:
    """The variables of the file by their names; of an array all have one domain, which is kept once."""
    numbers, known, left = dict[str, int](), dict[int, tuple[int, ...]](), MOST_TOGETHER
    for name, domain in file.declared.domains.items():
        post.tick()
        left -= len(domain)
        if len(domain) > MOST_VALUES:
            raise post.refuse(f"{name} has {len(domain):,} values, and at most {MOST_VALUES:,} are spelt out")
        if left < 0:
            raise post.refuse(f"all domains have more than {MOST_TOGETHER:,} values")
        if id(domain) not in known:
            known[id(domain)] = tuple(sorted(set(domain)))
        number = post.encoding.new(ARRAY, (len(numbers),), known[id(domain)])
        post.encoding.decisions[number] = value_of(number)
        numbers[name] = number
    return numbers


def constrain(part: _Element, file: File, write: Writer) -> None:
    """All constraints of a part of the file."""
    told = (said(one, file.name) for one in part)
    for count, one in enumerate(constraints(told, write.scope)):
        write.post.at(one.place.line, f"<{one.tag}>")
        if count >= MOST_CONSTRAINTS:
            one.refuse(f"there are more than {MOST_CONSTRAINTS:,} constraints", "take a smaller file")
        KINDS[one.tag](one, write)


# --- what is to be best


def minimise(part: Said, sign: int, write: Writer) -> None:
    """What the objective says is to be least; turned round where the most is asked for."""
    write.post.at(part.place.line, f"<{part.tag}>")
    costs, constant = list[tuple[int, Lit]](), 0
    total = objective(part, write).times(sign)
    write.post.safe_ends(total)
    for lit, weight in total.lits.items():
        costs.append((weight, lit))
    for variable, weight in total.variables.items():
        more, low = of_values(variable, weight, write)
        costs += more
        constant += low
    encoding = write.post.encoding
    encoding.minimise, encoding.offset = tuple(costs), total.constant + constant


def of_values(variable: int, weight: int, write: Writer) -> tuple[Iterable[tuple[int, Lit]], int]:
    """What a variable costs more than at least, by its values; and that least."""
    domain, encoding = write.post.domain(variable), write.post.encoding
    least = min(weight * domain[0], weight * domain[-1])
    if domain == (0, 1):
        return [(weight, encoding.number(variable, 1))], 0
    return [
        (weight * value - least, encoding.number(variable, value))
        for value in domain
        if weight * value != least
    ], least


def objective(part: Said, write: Writer) -> Total:
    """The number that is to be best."""
    kind = part.given.get("type", "expression").strip()
    if kind == "expression":
        nodes = write.scope.nodes(part.main)
        write.as_many(part, len(nodes), 1)
        return write.trees.total(nodes[0])
    line = part.main
    if kind == "nValues":
        return counting.used(write.variables(line), set(), write)
    totals = write.totals(line)
    if kind == "sum":
        return counting.weighted(totals, part, write)
    if kind not in ("minimum", "maximum", "product") or part.get("coeffs") is not None:
        part.refuse(f"the objective {kind[:40]} is not taken here", "write an expression")
    if kind == "product":
        found = Total(1)
        for one in totals:
            found = write.trees.product(found, one)
        return found
    return write.post.extreme(totals, kind == "maximum")
