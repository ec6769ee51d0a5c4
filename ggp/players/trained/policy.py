"""A policy: three small networks that judge the deeds of a position, and the file they are kept in.

`policy` says of each deed how likely it is the best one, `value` how many turns are left, `solvable` whether
the level can still be won; the last two look at the deed that the first likes best. The file is a numpy
archive of plain arrays and one of JSON: nothing in it is ever executed, and what does not fit together is
refused.
"""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.errors import DescriptionError, Place, PuzzleError
from ggp.files.reading import file_bytes, json_value
from ggp.files.writing import write_whole
from ggp.model import Instance, Piece
from ggp.players.trained.deeds import Choice, Deeds
from ggp.players.trained.networks import Layer, Network, Sort
from ggp.players.trained.sight import RADIUS, Sight, words_of
from ggp.players.trained.turning import ALL, Turning

FORMAT = "ggp policy 1"
# What each network says: which deed, an amount, or whether something is so.
HEADS: dict[str, Sort] = {"policy": "choice", "value": "amount", "solvable": "chance"}
LARGEST = 50_000_000  # bytes of a file, packed or not
DEEPEST = 8  # layers
REMEDY = "make one with `ggp train GAME -o FILE`"


class Judgement(NamedTuple):
    """What a policy says of a position: a probability for each deed, turns to the end, and whether it can
    still be won (a probability)."""

    choice: Choice
    chances: NDArray[np.float64]
    left: float
    solvable: float


@dataclass(frozen=True)
class Policy:
    """What was learned of a game, and what of the game it goes by."""

    game: str
    pieces: tuple[Piece, ...]
    words: tuple[str, ...]
    turnings: tuple[Turning, ...]
    networks: dict[str, Network]

    def seated(self, instance: Instance) -> Seated:
        """The policy on one level. Raises PuzzleError where it was trained for another game."""
        return Seated(self, instance)


class Seated:
    """A policy that judges the positions of one level."""

    def __init__(self, policy: Policy, instance: Instance) -> None:
        self.policy, self.deeds = policy, Deeds(instance)
        own, words = self.deeds.stepper.pieces, words_of(self.deeds)
        if set(policy.pieces) != set(own) or words != policy.words:
            raise foreign(policy, instance)
        self.sight = Sight(self.deeds, policy.pieces, policy.words, policy.turnings)
        if self.sight.width != policy.networks["policy"].layers[0].weights.shape[0]:
            raise foreign(policy, instance)

    def judge(self, position: bytes) -> Judgement:
        """What it says of a position."""
        choice = self.deeds.choice(position)
        if not choice.deeds:
            return Judgement(choice, np.zeros(0), 0.0, 0.0)
        rows, _ = self.sight.rows(position, choice)
        logits = self.policy.networks["policy"](rows).astype(np.float64)
        odds = np.exp(logits - logits.max())
        best = rows[[int(logits.argmax())]]
        left = float(np.exp(min(self.policy.networks["value"](best)[0], 20.0)))
        sure = float(1 / (1 + np.exp(-np.clip(self.policy.networks["solvable"](best)[0], -50, 50))))
        return Judgement(choice, odds / odds.sum(), left, sure)


def foreign(policy: Policy, instance: Instance) -> PuzzleError:
    """The error for a policy of another game."""
    others = f"whose pieces, inputs or goal are not those of {instance.name}"
    return PuzzleError(
        f"the policy was trained for {policy.game[:60]!r}, {others}",
        "train one for this game: `ggp train GAME -o FILE`",
    )


def write_policy(path: Path, policy: Policy) -> None:
    """Write the file. Raises PuzzleError where that is not permitted."""
    about = {
        "format": FORMAT,
        "game": policy.game,
        "radius": RADIUS,
        "pieces": [[piece.kind, piece.variant] for piece in policy.pieces],
        "words": list(policy.words),
        "turnings": [list(one) for one in policy.turnings],
    }
    arrays: dict[str, NDArray[Any]] = {"about": np.frombuffer(json.dumps(about).encode(), np.uint8)}
    for head, network in policy.networks.items():
        for number, layer in enumerate(network.layers):
            arrays[f"{head}-{number}-weights"] = layer.weights
            arrays[f"{head}-{number}-bias"] = layer.bias
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)  # type: ignore[arg-type]
    write_whole(path, stream.getvalue())


def read_policy(path: Path) -> Policy:
    """Read the file; raises UnknownName or DescriptionError for what is none, whatever is in it."""
    data = file_bytes(path, LARGEST)
    place = Place(str(path)[:300])
    try:
        if len(data) > LARGEST:
            raise ValueError("it is too large")
        return policy_of(arrays_of(data), str(path)[:300])
    except DescriptionError:
        raise
    except (
        zipfile.BadZipFile,
        ValueError,
        EOFError,
        OSError,
        KeyError,
        TypeError,
        RuntimeError,
        NotImplementedError,
    ) as error:
        reason = (
            "it is no archive, or cut off"
            if isinstance(error, (zipfile.BadZipFile, EOFError))
            else str(error)
        )
        raise DescriptionError(f"this is no policy: {reason[:200]}", REMEDY, place) from None
    except Exception as error:  # the decompressor has errors of its own
        raise DescriptionError(f"this is no policy: {type(error).__name__}", REMEDY, place) from None


def arrays_of(data: bytes) -> dict[str, NDArray[Any]]:
    """The arrays of an archive whose unpacked size it bounds first; objects are refused, not made."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(one.file_size for one in archive.infolist()) > LARGEST or len(archive.infolist()) > 100:
            raise ValueError("it is too large when it is unpacked")
    with np.load(io.BytesIO(data), allow_pickle=False) as loaded:
        return {name: loaded[name] for name in loaded.files}


def policy_of(arrays: dict[str, NDArray[Any]], file: str) -> Policy:
    """The policy of such arrays; raises ValueError and the like for what does not fit together."""
    if "about" not in arrays or arrays["about"].dtype != np.uint8:
        raise ValueError("it does not say what it is about")
    about = json_value(arrays["about"].tobytes(), file)
    if not isinstance(about, dict) or about.get("format") != FORMAT or about.get("radius") != RADIUS:
        raise ValueError("it is of another version")
    pieces = tuple(Piece(str(kind), variant) for kind, variant in about["pieces"])
    words = tuple(map(str, about["words"]))
    turnings = tuple(Turning(int(quarters), bool(flip)) for quarters, flip in about["turnings"])
    if (
        not pieces
        or len(set(pieces)) < len(pieces)
        or not set(turnings) <= set(ALL)
        or ALL[0] not in turnings
    ):
        raise ValueError("its pieces or turns are none")
    images = {turning.piece(piece) for turning in turnings for piece in pieces}
    if not images <= set(pieces):
        raise ValueError("its pieces and turns do not fit together")
    networks = {head: network_of(arrays, head) for head in HEADS}
    if len({network.layers[0].weights.shape[0] for network in networks.values()}) > 1:
        raise ValueError("its networks do not look at the same")
    return Policy(str(about["game"]), pieces, words, turnings, networks)


def network_of(arrays: dict[str, NDArray[Any]], head: str) -> Network:
    """One of the networks."""
    layers: list[Layer] = []
    while f"{head}-{len(layers)}-weights" in arrays and len(layers) < DEEPEST:
        names = (f"{head}-{len(layers)}-weights", f"{head}-{len(layers)}-bias")
        weights, bias = (arrays[name] for name in names)
        fits = (
            weights.ndim == 2
            and bias.shape == weights.shape[1:]
            and weights.dtype == bias.dtype == np.float32
        )
        if not fits or (layers and layers[-1].weights.shape[1] != weights.shape[0]):
            raise ValueError(f"the network `{head}` does not fit together")
        if not (np.isfinite(weights).all() and np.isfinite(bias).all()):
            raise ValueError(f"the network `{head}` has numbers that are none")
        layers.append(Layer(weights, bias))
    if not layers or layers[-1].weights.shape[1] != 1:
        raise ValueError(f"the network `{head}` is missing, or has not one output")
    return Network(tuple(layers))
