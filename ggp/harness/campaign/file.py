"""The file of a campaign: what is run, under which limits. Whatever is wrong with it is said at once."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from ggp import registry
from ggp.errors import DescriptionError, Finding, Place, PuzzleError
from ggp.files.reading import file_bytes
from ggp.harness.campaign.levels import levels_of
from ggp.harness.jobs import PATHS, QUESTIONS, Question, Settings
from ggp.language.toml.positions import Document
from ggp.language.toml.tables import Findings, Table
from ggp.model import Instance
from ggp.model.words import near_or_known
from ggp.tasks.oracle import has_backend

TYPED = "the command line"  # stands for the file of what is written there
MOST_REPEATS = 100_000


@dataclass(frozen=True)
class Configuration:
    """A solver with its options. `label` is what tables call it, `draws` whether a seed changes its way."""

    solver: str
    label: str
    encoding: str | None = None
    passes: tuple[str, ...] = ()
    draws: bool = False


@dataclass(frozen=True)
class Campaign:
    """What is run: each level by each path with each configuration, for each question, seed and repeat.

    `settings` has the limits and how is learned; `order` is the seed by which the runs are shuffled, `text`
    the file.
    """

    instances: tuple[Instance, ...]
    configurations: tuple[Configuration, ...]
    paths: tuple[str, ...] = ("described",)
    questions: tuple[Question, ...] = ("best",)
    seeds: tuple[int, ...] = (0,)
    repeats: int = 1
    order: int = 0
    settings: Settings = field(default_factory=Settings)
    text: str = ""


def read_campaign(path: Path) -> Campaign:
    """The campaign of a file; paths in it start from its folder. Raises DescriptionError, UnknownName."""
    return campaign_of(file_bytes(path), str(path), path.parent)


def typed_campaign(options: Mapping[str, Any]) -> Campaign:
    """The campaign that the command line says in the words of the file. Raises DescriptionError.

    `options` holds values by key; those under `limits` by `limits.KEY`.
    """
    given = {key: value for key, value in options.items() if value not in (None, ())}
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in given.items()]
    try:
        return campaign_of("\n".join(lines).encode(), TYPED, Path())
    except DescriptionError as error:
        keys = list(given)

        def typed(finding: Finding) -> Finding:
            line = finding.place.line if finding.place is not None else 0
            known = finding.place is not None and finding.place.file == TYPED and 0 < line <= len(keys)
            place = Place(f"{TYPED}, {keys[line - 1]}") if known else finding.place
            return Finding(finding.message, finding.remedy, place)

        raise DescriptionError.of(tuple(map(typed, error.findings))) from None


def campaign_of(data: bytes, file: str, folder: Path) -> Campaign:
    """Read a campaign. Raises DescriptionError with everything that is wrong, each with its place."""
    document, findings = Document(data, file), Findings()
    table = Table(document, (), document.values, findings)
    campaign = Reader(table, folder).read()
    campaign = Campaign(**{**vars(campaign), "text": document.text})
    table.refuse_unknown("a campaign")
    findings.raise_any()
    return campaign


class Reader:
    """Reads the table of a campaign key by key."""

    def __init__(self, table: Table, folder: Path) -> None:
        self.table = table
        self.folder = folder

    def read(self) -> Campaign:
        """The campaign, right only if nothing was found."""
        questions: Any = self.words("questions", QUESTIONS, ("best",))
        return Campaign(
            self.instances(),
            tuple(self.configurations(questions)),
            self.words("paths", PATHS, ("described",)),
            questions,
            self.seeds(),
            self.number("repeats", 1, MOST_REPEATS, 1),
            self.number("order", 0, 10**9, 0),
            self.settings(),
        )

    def instances(self) -> tuple[Instance, ...]:
        """The levels, each once."""
        table, found = self.table, {}
        if table.need("levels", 'write levels = ["game/level", "game/*", "file.toml#3", ...]'):
            for index, name in enumerate(table.strings("levels")):
                try:
                    for instance in levels_of(name, self.folder):
                        found[instance] = table.value_at("levels", index)
                except PuzzleError as error:
                    self.refuse(error, table.value_at("levels", index))
            if not found and not table.strings("levels"):
                table.error("`levels` names none", "write at least one", table.at("levels"))
        named: dict[str, Instance] = {}
        for instance, place in found.items():
            if named.setdefault(instance.name, instance) is not instance:
                message = f"two different levels are called {instance.name}"
                table.error(message, "give one of them another name, or leave it out", place)
        return self.without(tuple(found))

    def without(self, instances: tuple[Instance, ...]) -> tuple[Instance, ...]:
        """Those that no pattern of `without` names; a pattern that names none of them is an error."""
        table = self.table
        for index, pattern in enumerate(table.strings("without")):
            kept = tuple(one for one in instances if not fnmatchcase(one.name, pattern))
            if len(kept) == len(instances):
                message = f"{pattern!r} leaves out no level"
                table.error(message, "correct it, or drop it", table.value_at("without", index))
            instances = kept
        return instances

    def refuse(self, error: PuzzleError, place: Place) -> None:
        """Note what an error says, at a place of this file; where the error has one of its own, that too."""
        for finding in error.findings:
            where = f"{finding.place}: " if finding.place else ""
            self.table.error(f"{where}{finding.message}", finding.remedy, place)

    def configurations(self, questions: Sequence[str]) -> Iterator[Configuration]:
        """The solvers with their options, and with each of the encodings where they get one."""
        table = self.table
        encodings = self.words("encodings", tuple(registry.ENCODINGS), ())
        made: dict[str, Place] = {}
        if "solvers" not in table and "solver" not in table:
            message = 'write solvers = ["cp-sat", ...], or a table [[solver]] for each'
            table.error("`solvers` is missing here", message)
        plain = [
            (name, None, table.value_at("solvers", i)) for i, name in enumerate(table.strings("solvers"))
        ]
        told = [(one.text("name"), one, one.value_at("name")) for one in table.tables("solver")]
        for name, options, place in [*plain, *told]:
            for one in self.configured(name, options, place, encodings, questions):
                if one.label in made:
                    remedy = "give one of them another `label`"
                    table.error(f"two solvers are called {one.label}", remedy, place)
                made[one.label] = place
                yield one

    def configured(
        self,
        name: str,
        options: Table | None,
        place: Place,
        encodings: Sequence[str],
        questions: Sequence[str],
    ) -> Iterator[Configuration]:
        """One solver, with each encoding that it is to get."""
        label, chosen = "", None
        passes: tuple[str, ...] = ()
        if options is not None:
            label = options.text("label")
            chosen = (
                options.choice("encoding", tuple(registry.ENCODINGS), "") if "encoding" in options else None
            )
            passes = self.passes(options, questions)
            options.need("name", 'write name = "cp-sat", or another of `ggp list solvers`')
            options.refuse_unknown("a solver")
        try:
            module = registry.load("solver", name)
        except PuzzleError as error:
            if name:
                self.refuse(error, place)
            return
        takes = has_backend(name)
        if not takes and (chosen or passes):
            options_place = options.place if options is not None else place
            self.table.error(f"{name} gets no encoding", "leave out `encoding` and `with`", options_place)
        several = [chosen] if chosen else list(encodings) if takes and encodings else [None]
        for encoding in several:
            parts = [label or name, encoding if encoding != chosen or not label else None]
            parts += [] if label else passes
            text = ", ".join(part for part in parts if part)
            seed = getattr(module, "OPTIONS", {}).get("seed")
            yield Configuration(name, text, encoding, passes, seed is not None and not seed.alike)

    def passes(self, options: Table, questions: Sequence[str]) -> tuple[str, ...]:
        """The passes that a solver's encoding gets."""
        names = options.strings("with")
        for index, name in enumerate(names):
            place = options.value_at("with", index)
            if name not in registry.PASSES:
                options.error(
                    f"there is no pass called {name[:80]!r}", near_or_known(name, registry.PASSES), place
                )
            elif registry.load("pass", name).SYMMETRY and {"all", "count", "unique"} & {*questions}:
                remedy = "ask for `first` or `best` with it"
                options.error(f"{name} leaves out answers that are like others", remedy, place)
        return names

    def settings(self) -> Settings:
        """The limits, and how is learned."""
        table = self.table
        limits = table.table("limits")
        wall = limits.positive("wall", "seconds")
        cpu = limits.positive("cpu", "seconds of processor time")
        memory = limits.count("memory", "megabytes")
        if memory is not None and memory < 64:
            remedy = "write 64 megabytes or more"
            limits.error(f"a run cannot do with {memory} MB", remedy, limits.value_at("memory"))
        limits.refuse_unknown("[limits]")
        known = [name for name in registry.LEARNERS if name != "null"]
        usual = Settings()
        learner = table.choice("learner", tuple(known), usual.learner)
        rollouts = table.count("rollouts", "roll-outs") if "rollouts" in table else None
        return Settings(
            time_limit=usual.time_limit if wall is None else wall,
            memory_limit=usual.memory_limit if memory is None else memory,
            cpu_limit=cpu,
            learner=learner,
            rollouts=rollouts,
        )

    def words(self, key: str, known: Sequence[str], usual: tuple[str, ...]) -> tuple[str, ...]:
        """A list of words out of those that are known, each once."""
        if key not in self.table:
            return usual
        found = self.table.strings(key)
        for index, word in enumerate(found):
            if word not in known:
                message = f"`{key}` cannot have {word[:40]!r}"
                self.table.error(message, near_or_known(word, known), self.table.value_at(key, index))
        if not found:
            self.table.error(f"`{key}` names none", "leave it out, or write one", self.table.at(key))
        return tuple(dict.fromkeys(found))

    def number(self, key: str, least: int, most: int, usual: int) -> int:
        """A whole number between two."""
        value = self.table.integer(key)
        if value is not None and not least <= value <= most:
            remedy = f"write {least:,} to {most:,}"
            self.table.error(f"`{key}` cannot be {value:,}", remedy, self.table.value_at(key))
        return usual if value is None else value

    def seeds(self) -> tuple[int, ...]:
        """The seeds: a list of them."""
        table = self.table
        found = table.raw("seeds") if "seeds" in table else [0]
        good = (
            isinstance(found, list) and found and all(type(one) is int and 0 <= one < 2**31 for one in found)
        )
        if not good:
            remedy = "write a list of whole numbers from 0 on: seeds = [1, 2, 3]"
            table.error("these are no seeds", remedy, table.value_at("seeds"))
            return (0,)
        return tuple(dict.fromkeys(found))
