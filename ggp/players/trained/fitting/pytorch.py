"""Fitting by PyTorch: a choice is learned as one, by the cross-entropy over the deeds of its position."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ggp.players.trained.fitting import Sample
from ggp.players.trained.networks import Layer, Network

if TYPE_CHECKING:
    from torch import Tensor, nn

ROUNDS = 12  # through all examples
BATCH = 128  # examples, or as many as whole positions come to
RATE = 1e-3  # of AdamW, falling to nothing
DECAY = 1.0  # of weights


def fit(sample: Sample, hidden: tuple[int, ...], seed: int) -> Network:
    """A network with so many hidden units in each layer. Nothing of PyTorch's own random state is changed."""
    import torch
    from torch import nn

    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        sizes = [sample.rows.shape[1], *hidden, 1]
        linear = [nn.Linear(before, after) for before, after in pairwise(sizes)]
        model = nn.Sequential(*(part for layer in linear for part in (layer, nn.ReLU())))[:-1]
        train(model, sample, seed)
    return Network(tuple(Layer(of(layer.weight).T.copy(), of(layer.bias)) for layer in linear))


def of(weights: Tensor) -> np.ndarray:
    """As an array."""
    array: np.ndarray = weights.detach().numpy().astype(np.float32)
    return array


def train(model: nn.Module, sample: Sample, seed: int) -> None:
    """Go through all positions so many rounds, in batches of whole positions."""
    import torch

    rows, wanted = torch.from_numpy(sample.rows), torch.from_numpy(sample.wanted)
    starts = np.flatnonzero(np.diff(sample.positions, prepend=-1))
    spans = np.stack([starts, np.append(starts[1:], len(rows))], axis=1)
    rng = np.random.default_rng(seed)
    size = max(1, round(BATCH * len(spans) / len(rows)))
    steps = ROUNDS * -(-len(spans) // size)
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=DECAY)
    falling = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    for _ in range(ROUNDS):
        order = rng.permutation(len(spans))
        for begin in range(0, len(order), size):
            taken = spans[order[begin : begin + size]]
            index = np.concatenate([np.arange(*span) for span in taken])
            whose = np.repeat(np.arange(len(taken)), taken[:, 1] - taken[:, 0])
            optimiser.zero_grad()
            said = model(rows[index])[:, 0]
            loss(sample.sort, said, wanted[index], torch.from_numpy(whose)).backward()
            optimiser.step()
            falling.step()


def loss(sort: str, said: Tensor, wanted: Tensor, whose: Tensor) -> Tensor:
    """How wrong a batch is: squares of amounts, else cross-entropy; of a choice, over its position."""
    import torch
    from torch.nn import functional

    if sort == "amount":
        return functional.mse_loss(said, wanted)
    if sort == "chance":
        return functional.binary_cross_entropy_with_logits(said, wanted)
    count = int(whose[-1]) + 1
    highest = torch.full((count,), -torch.inf).scatter_reduce(0, whose, said.detach(), "amax")
    sums = torch.zeros(count).scatter_add(0, whose, (said - highest[whose]).exp())
    chances = said - highest[whose] - sums.log()[whose]
    return -(chances * wanted).sum() / wanted.sum().clamp(min=1)
