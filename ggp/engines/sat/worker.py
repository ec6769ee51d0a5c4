"""Solves clauses with a SAT solver of PySAT, in a process of its own. Never imported.

The solvers cannot be interrupted from Python: hence a process that can be killed. Standard input is one JSON
object: `solver`, `variables` (the highest number), `clauses`, `cards` (given, literals and number each:
at most so many of the literals, or one of `given`), `graphs` (see `ggp.engines.cuts`), `minimise` (weight and
literal each), `decisions`, and `want` (`one`, `best` or `all`). Standard output is a JSON line for each
solution, `{"ones": [literal, ...]}`, each better than the one before where the best is wanted, and at the end
a line with the `{"status": ...}`. With `proof`, a path, one solution is looked for, and where there is none
the solver's proof of that is written there. With `keep` a file is written at the end: the clauses, and those
that solutions had to be told of `graphs`.

With the argument `session` there is a JSON object a line: the first one says which `solver` (a later one
that does starts anew with nothing known), each other has `clauses`, `cards`, `graphs` and `assume`,
literals under which a solution is looked for. `parts` are clauses, cardinalities and numbers that nothing
else speaks of, by a name, `again` names of such, with what is added to their numbers. Each gets an answer
of one line; what was learned stays. Where there is no solution, `core` has those assumed that suffice for
that. Numbers of variables may be any there; they are packed here.

With the argument `spell` nothing is solved: of `cards` and `variables` it makes `clauses`, a list for each of
the cards, and the highest number `variables` that is used then.
"""

import json
import sys
from pathlib import Path
from typing import Any

from ggp.engines.cuts import Graphs
from ggp.engines.sat.looking import Looking, improving, opened, others, spelt_out
from ggp.engines.sat.memory import Memory

MAXSAT = "rc2"  # what makes the best of soft clauses, and asks PLAIN where nothing is to be best
PLAIN = "cadical195"
HEAVY = 100_000  # of weights that are counted one by one; RC2 takes them as they are
COUNTING = ("minicard",)  # what takes cardinalities as they are, but for those with a condition


def main(given: dict[str, Any]) -> None:
    """Solve, and go on from each solution to a better one or to another."""
    from pysat.formula import CNFPlus
    from pysat.solvers import Solver

    path = given.get("proof")
    heavy = sum(abs(weight) for weight, _ in given.get("minimise", ())) > HEAVY
    if given["want"] == "best" and (heavy or (given["solver"] == MAXSAT and given["minimise"])):
        cheapest(given)
        return
    name = PLAIN if given["solver"] == MAXSAT else given["solver"]
    with Solver(name=name, bootstrap_with=given["clauses"], with_proof=path is not None) as solver:
        if path is not None:
            refute(solver, Path(path))
            return
        native = [card for card in given["cards"] if name in COUNTING and not card[0]]
        for _, lits, number in native:
            solver.add_atmost(lits, number)
        cards = [card for card in given["cards"] if card not in native] if native else given["cards"]
        clauses, given["variables"] = spelt_out(cards, given["variables"])
        solver.append_formula(clauses)
        looking = Looking(solver, given.get("graphs", ()))
        found = False
        if given["want"] == "best" and given["minimise"]:
            solutions = improving(looking, given["minimise"], given["variables"])
        else:
            solutions = others(looking, given["decisions"])
        for ones in solutions:
            found = True
            log(solver, given.get("log"))
            say({"ones": sorted(ones)})
            if given["want"] == "one":
                break
        if given.get("keep"):
            kept = CNFPlus()
            kept.extend([*given["clauses"], *clauses, *looking.cuts])
            for _, lits, number in native:
                kept.append([lits, number], is_atmost=True)
            with Path(given["keep"]).open("w", encoding="ascii") as file:
                kept.to_fp(file)
        end = "SATISFIABLE" if given["want"] == "one" else "EXHAUSTED"
        say({"status": end if found else "UNSATISFIABLE"})


def cheapest(given: dict[str, Any]) -> None:
    """The solution that costs least, by RC2, which is led there by unsatisfiable cores."""
    from pysat.examples.rc2 import RC2

    formula = soft_formula(given)
    if given.get("keep"):
        formula.to_file(given["keep"])
    graphs = Graphs(given.get("graphs", ()))
    with RC2(formula) as solver:
        model = solver.compute()
        while model is not None and (new := graphs.cuts(model)):
            for clause in new:
                solver.add_clause(clause)
            model = solver.compute()
        if model is not None:
            say({"ones": [lit for lit in model if lit > 0]})
    say({"status": "UNSATISFIABLE" if model is None else "EXHAUSTED"})


def soft_formula(given: dict[str, Any]) -> Any:
    """The clauses, and what is to be least as soft ones."""
    from pysat.formula import WCNF

    formula = WCNF()
    clauses, _ = spelt_out(given["cards"], given["variables"])
    formula.extend(given["clauses"] + clauses)
    for weight, lit in given["minimise"]:
        formula.append([-lit if weight > 0 else lit], weight=abs(weight))
    return formula


def log(solver: Any, file: str | None) -> None:
    """Note what the solver has counted."""
    if file is not None:
        with Path(file).open("a", encoding="utf-8") as stream:
            stream.write(f"{json.dumps(solver.accum_stats())}\n")


def refute(solver: Any, path: Path) -> None:
    """Look for one solution, else write the proof that there is none."""
    if solver.solve():
        say({"ones": [lit for lit in solver.get_model() or () if lit > 0]})
        say({"status": "SATISFIABLE"})
    else:
        with path.open("w", encoding="ascii") as file:
            file.writelines(f"{line}\n" for line in solver.get_proof())
        say({"status": "UNSATISFIABLE"})


def say(what: dict[str, Any]) -> None:
    """Print a line."""
    sys.stdout.write(json.dumps(what, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def spell(given: dict[str, Any]) -> None:
    """Print the clauses of each cardinality."""
    each, top = [], given["variables"]
    for card in given["cards"]:
        clauses, top = spelt_out([card], top)
        each.append(clauses)
    say({"clauses": each, "variables": top})


if __name__ == "__main__":
    if sys.argv[1:] == ["session"]:
        memory = None
        for line in sys.stdin:
            told = json.loads(line)
            if "solver" in told:
                memory = Memory(Looking(opened(told["solver"], [])))
            elif memory is not None:
                memory.take(told)
                say(memory.answer(told["assume"]))
    elif sys.argv[1:] == ["spell"]:
        spell(json.load(sys.stdin))
    else:
        main(json.load(sys.stdin))
